// SPDX-License-Identifier: BSD-3-Clause
//
// native_dropout: zeroes elements at random and scales the others; in inference it is a copy.
#include <tuple>

#include "src/kernels/portable/elements.h"
#include "src/kernels/portable/random.h"

namespace wick {
namespace portable {
namespace {

std::tuple<Tensor&, Tensor&> native_dropout_out(KernelRuntimeContext& ctx, const Tensor& in, double probability,
                                                const std::optional<bool>& train, Tensor& out, Tensor& mask) {
  const std::tuple<Tensor&, Tensor&> result(out, mask);
  WICK_REQUIRE(ctx, probability >= 0 && probability <= 1, result, "dropout: the probability must be from 0 to 1");
  if (!require_dtype(ctx, in, kFloating & kBuilt) || !require_same_dtype(ctx, in, out) ||
      !require_dtype(ctx, mask, kBoolean) || !resize_as(ctx, out, in) || !resize_as(ctx, mask, in)) {
    return result;
  }
  const double drop = train.value_or(true) ? probability : 0;
  const double scale = drop < 1 ? 1 / (1 - drop) : 0;
  const bool in_double = is_in(in.scalar_type(), kBuilt & dtypes(ScalarType::Double));
  Random random;
  StridedLoop loop(out.sizes());
  loop.add(out);
  loop.add(in);
  loop.add(mask);
  loop.start();
  while (loop.next()) {
    for (size_t i = 0; i < loop.run(); ++i) {
      const ptrdiff_t at = static_cast<ptrdiff_t>(i);
      const bool keep = static_cast<double>(random.uniform()) >= drop;
      char* to = loop.data(0) + at * loop.step(0);
      const char* from = loop.data(1) + at * loop.step(1);
      if (in_double) {
        store_one(ScalarType::Double, to, keep ? load_one<double>(ScalarType::Double, from) * scale : 0.0);
      } else {
        store_one(in.scalar_type(), to,
                  keep ? load_one<float>(in.scalar_type(), from) * static_cast<float>(scale) : 0.0f);
      }
      loop.data(2)[at * loop.step(2)] = static_cast<char>(keep);
    }
  }
  return result;
}

}  // namespace
}  // namespace portable
}  // namespace wick

WICK_KERNEL(aten_native_dropout_out, portable::native_dropout_out)
