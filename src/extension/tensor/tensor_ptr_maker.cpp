// SPDX-License-Identifier: BSD-3-Clause
//
// New tensors: empty, of one value, random.
#include <executorch/extension/tensor/tensor_ptr_maker.h>
#include <executorch/runtime/platform/assert.h>

#include <cmath>
#include <limits>
#include <random>
#include <type_traits>

#include "src/extension/tensor/checks.h"

namespace executorch {
namespace extension {

using executorch::aten::BFloat16;
using executorch::aten::Half;
using executorch::aten::Scalar;
using executorch::aten::ScalarType;
using executorch::aten::SizesType;
using executorch::aten::StridesType;
using executorch::aten::TensorShapeDynamism;

namespace {

template <typename T>
constexpr bool kIsFloating = std::is_floating_point_v<T> || std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

/// True if a T can hold the scalar: bool takes bools and integers; integers take integers of their range; floating
/// point takes all numbers of its range.
template <typename T>
bool holds(const Scalar& scalar) {
  if constexpr (std::is_same_v<T, bool>) {
    return scalar.isBoolean() || scalar.isIntegral(false);
  } else if constexpr (kIsFloating<T>) {
    if (!scalar.isFloatingPoint()) {
      return scalar.isIntegral(false);
    }
    const double value = scalar.to<double>();
    return !std::isfinite(value) || std::fabs(value) <= static_cast<double>(std::numeric_limits<T>::max());
  } else {
    if (!scalar.isIntegral(false)) {
      return false;
    }
    const int64_t value = scalar.to<int64_t>();
    if constexpr (std::is_unsigned_v<T>) {
      return value >= 0 && static_cast<uint64_t>(value) <= std::numeric_limits<T>::max();
    } else {
      return value >= std::numeric_limits<T>::min() && value <= std::numeric_limits<T>::max();
    }
  }
}

template <typename T>
T value_of(const Scalar& scalar) {
  ET_CHECK_MSG(holds<T>(scalar), "the fill value is of another kind than the tensor's type, or out of its range");
  if constexpr (std::is_same_v<T, bool>) {
    return scalar.isBoolean() ? scalar.to<bool>() : scalar.to<int64_t>() != 0;
  } else if constexpr (kIsFloating<T>) {
    return static_cast<T>(scalar.isFloatingPoint() ? scalar.to<double>() : static_cast<double>(scalar.to<int64_t>()));
  } else {
    return static_cast<T>(scalar.to<int64_t>());
  }
}

template <typename Distribution>
TensorPtr random_tensor(std::vector<SizesType> sizes, std::vector<StridesType> strides, ScalarType type,
                        TensorShapeDynamism dynamism, Distribution distribution) {
  TensorPtr tensor = empty_strided(std::move(sizes), std::move(strides), type, dynamism);
  std::default_random_engine engine{std::random_device{}()};
  internal::Refuse context;
  ET_SWITCH_REALHBBF16_AND_UINT_TYPES(type, context, "random_tensor", T, [&] {
    std::generate_n(tensor->mutable_data_ptr<T>(), tensor->numel(),
                    [&]() { return static_cast<T>(distribution(engine)); });
  });
  return tensor;
}

/// The largest number that rounding to `type` keeps below 1.
float below_one(ScalarType type) {
  if (type == ScalarType::Half) {
    return 1.0f - static_cast<float>(std::numeric_limits<Half>::epsilon()) / 2;
  }
  if (type == ScalarType::BFloat16) {
    return 1.0f - static_cast<float>(std::numeric_limits<BFloat16>::epsilon()) / 2;
  }
  return 1.0f;
}

}  // namespace

TensorPtr empty_strided(std::vector<SizesType> sizes, std::vector<StridesType> strides, ScalarType type,
                        TensorShapeDynamism dynamism) {
  std::vector<uint8_t> data(internal::byte_count(internal::element_count(sizes), type));
  return make_tensor_ptr(std::move(sizes), std::move(data), {}, std::move(strides), type, dynamism);
}

TensorPtr full_strided(std::vector<SizesType> sizes, std::vector<StridesType> strides, Scalar fill_value,
                       ScalarType type, TensorShapeDynamism dynamism) {
  TensorPtr tensor = empty_strided(std::move(sizes), std::move(strides), type, dynamism);
  internal::Refuse context;
  ET_SWITCH_REALHBBF16_AND_UINT_TYPES(type, context, "full_strided", T, [&] {
    std::fill_n(tensor->mutable_data_ptr<T>(), tensor->numel(), value_of<T>(fill_value));
  });
  return tensor;
}

TensorPtr rand_strided(std::vector<SizesType> sizes, std::vector<StridesType> strides, ScalarType type,
                       TensorShapeDynamism dynamism) {
  return random_tensor(std::move(sizes), std::move(strides), type, dynamism,
                       std::uniform_real_distribution<float>(0.0f, below_one(type)));
}

TensorPtr randn_strided(std::vector<SizesType> sizes, std::vector<StridesType> strides, ScalarType type,
                        TensorShapeDynamism dynamism) {
  return random_tensor(std::move(sizes), std::move(strides), type, dynamism,
                       std::normal_distribution<float>(0.0f, 1.0f));
}

TensorPtr randint_strided(int64_t low, int64_t high, std::vector<SizesType> sizes, std::vector<StridesType> strides,
                          ScalarType type, TensorShapeDynamism dynamism) {
  return random_tensor(std::move(sizes), std::move(strides), type, dynamism,
                       std::uniform_int_distribution<int64_t>(low, high - 1));
}

}  // namespace extension
}  // namespace executorch
