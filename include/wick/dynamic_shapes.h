// SPDX-License-Identifier: BSD-3-Clause
//
// Whether an image's programs have tensors whose shape is not known before a call runs. Kernels of an image without
// them need not be able to resize their outputs.
//
//   if constexpr (wick::has_dynamic_shapes()) { ... }
#pragma once

#include <wick/dtypes.h>

namespace wick {

/// No type, but kept with those of an operator, as kMixedShapes is.
constexpr DtypeSet kDynamicShapes = DtypeSet{1} << 30;

#ifdef WICK_SELECTED_OPS
/// True if a tensor of any selected operator's calls has a dynamic shape.
constexpr bool has_dynamic_shapes() {
  DtypeSet all = 0;
  for (const SelectedOperator& op : kSelectedOperators) {
    all |= op.dtypes;
  }
  return (all & kDynamicShapes) != 0;
}
#else
/// True, as no selection was made.
constexpr bool has_dynamic_shapes() { return true; }
#endif

}  // namespace wick
