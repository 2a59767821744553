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
  StridedLoop loop(to.shape);
  loop.add(to.data, to.element_size, to.strides);
  loop.add(from.data, from.element_size, from.strides);
  loop.start();
  while (loop.next()) {
    convert({from_type, loop.data(1), loop.step(1)}, {to_type, loop.data(0), loop.step(0)}, loop.run());
  }
}

}  // namespace portable
}  // namespace wick
