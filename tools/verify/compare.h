// SPDX-License-Identifier: BSD-3-Clause
// The rules by which an answer counts as right, and the largest error when it does not.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/verify/case.h"

namespace wick::tools {

/// An output as the program gave it; tensor data are dense in memory order of `value.dim_order`.
struct Output {
  Value value;
  Bytes data;
};

/// Why an output is wrong.
struct Mismatch {
  std::string what;            // "value", "sizes", "dtype", "kind", "count"
  std::string text;            // the finding in words
  double error = 0;            // largest |got - want|; infinite for a nan or infinity in the wrong place
  std::vector<int64_t> index;  // where, in logical order
  size_t wrong = 0;            // elements out of tolerance
  size_t elements = 0;
};

/// Compares an output with the expected value whose tensor data lie in `bin`. Layouts may differ: elements are compared
/// by their logical index. Nothing when the output is right.
std::optional<Mismatch> compare_output(const Output& got, const Value& want, const Bytes& bin,
                                       const Tolerance& tolerance, bool shape_only);

/// True when |got - want| is within tolerance, nan equal to nan and infinities equal to themselves; `error` is set to
/// |got - want|, infinite when only one of them is finite.
bool within(double got, double want, const Tolerance& tolerance, double& error);

}  // namespace wick::tools
