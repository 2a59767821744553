// SPDX-License-Identifier: BSD-3-Clause
// The output stage: zero point, clamp, table or built-in function, and the store with the layouts that U85 adds.
#pragma once

#include <cstdint>

#include "context.h"
#include "operation.h"

namespace wick::npu {

class Output {
 public:
  Output(const Context& context, const Operation& operation);
  // Finishes and stores scaled values of 32 or 64 bits: nx positions of row y from x, nc channels from c. Overwrites
  // `line`.
  template <typename V>
  void store(V* line, std::int32_t y, std::int32_t x, std::int32_t nx, std::int32_t c, std::int32_t nc) const;

 private:
  template <typename V>
  void apply_function(V* line, std::size_t count) const;
  template <typename V>
  void store_permuted(const V* line, std::int32_t y, std::int32_t x, std::int32_t nx, std::int32_t c,
                      std::int32_t nc) const;

  const FeatureMap& map_;
  const Activation& activation_;
  const std::uint8_t* table_;
  Shape shape_;
  std::int64_t zero_point_, low_, high_;
  std::uint8_t transpose_, reverse_;
};

extern template void Output::store(std::int32_t*, std::int32_t, std::int32_t, std::int32_t, std::int32_t,
                                   std::int32_t) const;
extern template void Output::store(std::int64_t*, std::int32_t, std::int32_t, std::int32_t, std::int32_t,
                                   std::int32_t) const;

// Shape of the tensor in memory for an operation's result of shape `s` under U85's transpose code.
Shape transposed(const Shape& s, std::uint8_t code);

// TFLite's integer logistic and hyperbolic tangent: value in units of 1/12288, result in Q0.15. Public for tests.
std::int32_t sigmoid_q15(std::int32_t value);
std::int32_t tanh_q15(std::int32_t value);

}  // namespace wick::npu
