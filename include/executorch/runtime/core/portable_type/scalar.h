// SPDX-License-Identifier: BSD-3-Clause
// Scalar: a bool, an int64 or a double, as operators take numbers.
// to<T>() aborts when the value is of another kind, except that a bool can be read as an integer.
//
//     Scalar alpha = 2;
//     int64_t a = alpha.isIntegral(false) ? alpha.to<int64_t>() : 1;

#pragma once

#include <executorch/runtime/core/portable_type/bfloat16.h>
#include <executorch/runtime/core/portable_type/half.h>
#include <executorch/runtime/core/tag.h>
#include <executorch/runtime/platform/assert.h>

#include <cstdint>
#include <type_traits>

namespace executorch::runtime::etensor {

class Scalar {
 public:
  Scalar() : Scalar(int64_t(0)) {}
  template <typename T, std::enable_if_t<std::is_integral_v<T>, bool> = true>
  /* implicit */ Scalar(T value) : tag_(Tag::Int) {
    value_.as_int = static_cast<int64_t>(value);
  }
  /* implicit */ Scalar(bool value) : tag_(Tag::Bool) { value_.as_bool = value; }
  /* implicit */ Scalar(double value) : tag_(Tag::Double) { value_.as_double = value; }
  /* implicit */ Scalar(BFloat16 value) : Scalar(static_cast<double>(static_cast<float>(value))) {}
  /* implicit */ Scalar(Half value) : Scalar(static_cast<double>(static_cast<float>(value))) {}

  /// The value; T is int64_t, double or bool.
  template <typename T>
  T to() const;

  bool isIntegral(bool includeBool) const { return tag_ == Tag::Int || (includeBool && isBoolean()); }
  bool isFloatingPoint() const { return tag_ == Tag::Double; }
  bool isBoolean() const { return tag_ == Tag::Bool; }

 private:
  int64_t toInt() const {
    if (isBoolean()) {
      return value_.as_bool ? 1 : 0;
    }
    ET_CHECK_MSG(tag_ == Tag::Int, "Scalar is not an int nor a Boolean.");
    return value_.as_int;
  }
  double toDouble() const {
    ET_CHECK_MSG(isFloatingPoint(), "Scalar is not a Double.");
    return value_.as_double;
  }
  bool toBool() const {
    ET_CHECK_MSG(isBoolean(), "Scalar is not a Boolean.");
    return value_.as_bool;
  }

  Tag tag_;
  union Value {
    double as_double;
    int64_t as_int;
    bool as_bool;
    Value() {}
  } value_;
};

#define ET_DEFINE_SCALAR_TO_METHOD(T, name) \
  template <>                               \
  inline T Scalar::to<T>() const {          \
    return to##name();                      \
  }
ET_DEFINE_SCALAR_TO_METHOD(double, Double)
ET_DEFINE_SCALAR_TO_METHOD(int64_t, Int)
ET_DEFINE_SCALAR_TO_METHOD(bool, Bool)
#undef ET_DEFINE_SCALAR_TO_METHOD

}  // namespace executorch::runtime::etensor

namespace torch::executor {
// Deprecated name.
using ::executorch::runtime::etensor::Scalar;
}  // namespace torch::executor
