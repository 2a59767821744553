// SPDX-License-Identifier: BSD-3-Clause
// Element-wise comparison through logical indices, exact for 64-bit integers.
#include "tools/verify/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>

namespace wick::tools {
namespace {

using runner::ValueKind;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const char* kind_name(ValueKind kind) {
  switch (kind) {
    case ValueKind::kNone:
      return "none";
    case ValueKind::kInt:
      return "int";
    case ValueKind::kDouble:
      return "double";
    case ValueKind::kBool:
      return "bool";
    case ValueKind::kTensor:
      return "tensor";
    default:
      return "value of another kind";
  }
}

/// Element strides of a dense tensor in memory order of its dim order.
std::vector<int64_t> strides_of(const Value& tensor) {
  std::vector<int64_t> strides(tensor.sizes.size());
  int64_t stride = 1;
  for (size_t i = tensor.dim_order.size(); i-- > 0;) {
    strides[tensor.dim_order[i]] = stride;
    stride *= tensor.sizes[tensor.dim_order[i]];
  }
  return strides;
}

/// |a - b| of integers without overflow; `wide` for uint64.
double integer_distance(int64_t a, int64_t b, bool wide) {
  const auto ua = static_cast<uint64_t>(a);
  const auto ub = static_cast<uint64_t>(b);
  const bool larger = wide ? ua > ub : a > b;
  return static_cast<double>(larger ? ua - ub : ub - ua);
}

bool element_within(ScalarType type, const Element& got, const Element& want, const Tolerance& tolerance,
                    double& error) {
  if (is_integer(type)) {
    error = integer_distance(got.integer, want.integer, type == ScalarType::UInt64);
    return error <= tolerance.atol;
  }
  double imaginary_error = 0;
  const bool real_right = within(got.real, want.real, tolerance, error);
  const bool imaginary_right = within(got.imaginary, want.imaginary, tolerance, imaginary_error);
  error = std::max(error, imaginary_error);
  return real_right && imaginary_right;
}

Mismatch simple(const char* what, std::string text) {
  Mismatch mismatch;
  mismatch.what = what;
  mismatch.text = std::move(text);
  mismatch.error = kInfinity;
  return mismatch;
}

std::optional<Mismatch> compare_scalar(const Value& got, const Value& want, const Tolerance& tolerance) {
  double error = 0;
  bool right = true;
  std::string text;
  if (want.kind == ValueKind::kDouble) {
    right = within(got.real, want.real, tolerance, error);
    text = fmt::format("got {}, want {}", got.real, want.real);
  } else if (want.kind == ValueKind::kInt) {
    right = got.integer == want.integer;
    error = integer_distance(got.integer, want.integer, false);
    text = fmt::format("got {}, want {}", got.integer, want.integer);
  } else if (want.kind == ValueKind::kBool) {
    right = got.boolean == want.boolean;
    error = 1;
    text = fmt::format("got {}, want {}", got.boolean, want.boolean);
  }
  if (right) {
    return std::nullopt;
  }
  Mismatch mismatch = simple("value", fmt::format("error {}: {}", error, text));
  mismatch.error = error;
  mismatch.wrong = mismatch.elements = 1;
  return mismatch;
}

std::optional<Mismatch> compare_elements(const Output& got, const Value& want, const Bytes& bin,
                                         const Tolerance& tolerance) {
  const size_t width = dtype_size(want.dtype);
  const size_t elements = static_cast<size_t>(want.nbytes) / width;
  const std::vector<int64_t> got_strides = strides_of(got.value);
  const std::vector<int64_t> want_strides = strides_of(want);
  std::vector<int64_t> index(want.sizes.size(), 0);
  Mismatch worst;
  worst.elements = elements;
  std::string at_worst;
  for (size_t n = 0; n < elements; ++n) {
    int64_t got_at = 0;
    int64_t want_at = 0;
    for (size_t d = 0; d < index.size(); ++d) {
      got_at += index[d] * got_strides[d];
      want_at += index[d] * want_strides[d];
    }
    const Element a = read_element(want.dtype, got.data.data() + static_cast<size_t>(got_at) * width);
    const Element b = read_element(want.dtype, bin.data() + want.offset + static_cast<size_t>(want_at) * width);
    double error = 0;
    if (!element_within(want.dtype, a, b, tolerance, error)) {
      if (worst.wrong == 0 || error > worst.error) {
        worst.error = error;
        worst.index = index;
        at_worst = fmt::format("got {}, want {}", element_text(want.dtype, a), element_text(want.dtype, b));
      }
      ++worst.wrong;
    }
    for (size_t d = index.size(); d-- > 0 && ++index[d] == want.sizes[d];) {
      index[d] = 0;
    }
  }
  if (worst.wrong == 0) {
    return std::nullopt;
  }
  worst.what = "value";
  worst.text = fmt::format("largest error {} at [{}]: {}; {} of {} elements out of tolerance (atol {}, rtol {})",
                           worst.error, fmt::join(worst.index, ", "), at_worst, worst.wrong, elements, tolerance.atol,
                           is_integer(want.dtype) ? 0.0 : tolerance.rtol);
  return worst;
}

}  // namespace

bool within(double got, double want, const Tolerance& tolerance, double& error) {
  error = 0;
  if (got == want || (std::isnan(got) && std::isnan(want))) {
    return true;
  }
  if (!std::isfinite(got) || !std::isfinite(want)) {
    error = kInfinity;
    return false;
  }
  error = std::fabs(got - want);
  return error <= tolerance.atol + tolerance.rtol * std::fabs(want);
}

std::optional<Mismatch> compare_output(const Output& got, const Value& want, const Bytes& bin,
                                       const Tolerance& tolerance, bool shape_only) {
  if (got.value.kind != want.kind) {
    return simple("kind", fmt::format("got a {}, want a {}", kind_name(got.value.kind), kind_name(want.kind)));
  }
  if (want.kind != ValueKind::kTensor) {
    return shape_only ? std::nullopt : compare_scalar(got.value, want, tolerance);
  }
  if (got.value.dtype != want.dtype) {
    return simple("dtype", fmt::format("got {}, want {}", dtype_name(got.value.dtype), dtype_name(want.dtype)));
  }
  if (got.value.sizes != want.sizes) {
    return simple("sizes", fmt::format("got sizes [{}], want [{}]", fmt::join(got.value.sizes, ", "),
                                       fmt::join(want.sizes, ", ")));
  }
  if (shape_only) {
    return std::nullopt;
  }
  if (got.data.size() != want.nbytes) {
    return simple("sizes", fmt::format("got {} bytes, want {}", got.data.size(), want.nbytes));
  }
  return compare_elements(got, want, bin, tolerance);
}

}  // namespace wick::tools
