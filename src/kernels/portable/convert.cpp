// SPDX-License-Identifier: BSD-3-Clause
//
// Copying with a conversion of dtype (see views.h); apart, so that programs of one dtype do not link it.
#include "src/kernels/portable/elements.h"
#include "src/kernels/portable/views.h"

namespace wick {
namespace portable {

void convert_view(const View& to, ScalarType to_type, const View& from, ScalarType from_type) {
  if (to_type == from_type) {
    copy_view(to, from);
    return;
  }
  constexpr size_t kTile = 16;
  alignas(16) char values[kTile * kComputeBytes];
  const Compute compute = is_in(to_type, kComplexes) ? Compute::kComplex : compute_of(from_type);
  StridedLoop loop(to.shape);
  loop.add(to.data, to.element_size, to.strides);
  loop.add(from.data, from.element_size, from.strides);
  loop.start();
  while (loop.next()) {
    for (size_t i = 0; i < loop.run(); i += kTile) {
      const size_t count = loop.run() - i < kTile ? loop.run() - i : kTile;
      const ptrdiff_t at = static_cast<ptrdiff_t>(i);
      load(compute, from_type, loop.data(1) + at * loop.step(1), loop.step(1), count, values);
      store(compute, to_type, loop.data(0) + at * loop.step(0), loop.step(0), count, values);
    }
  }
}

}  // namespace portable
}  // namespace wick
