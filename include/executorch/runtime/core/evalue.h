// SPDX-License-Identifier: BSD-3-Clause
// EValue: one value of a program - a tensor, a number, a string, a list or nothing. It owns nothing it points to.
// isX() asks, toX() aborts when the value is of another kind, tryToX() returns InvalidType instead.
//
//     Result<Tensor> out = method->get_output(0).tryToTensor();
//     int64_t axis = value.isInt() ? value.toInt() : 0;

#pragma once

#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/core/tag.h>
#include <executorch/runtime/platform/assert.h>

#include <new>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace executorch::runtime {

struct EValue;

/// A list whose elements are values of the program: they are read anew, into an array, whenever the list is asked for.
template <typename T>
class BoxedEvalueList {
 public:
  BoxedEvalueList() = default;

  /// `wrapped_vals` are the values, `unwrapped_vals` is the array of the same `size`. Aborts when one is null.
  /// In a list of optional tensors a null value stands for none.
  BoxedEvalueList(EValue** wrapped_vals, T* unwrapped_vals, int size)
      : wrapped_(checked(wrapped_vals, size), static_cast<size_t>(size)), unwrapped_(unwrapped_vals) {
    ET_CHECK_MSG(unwrapped_vals != nullptr, "unwrapped_vals cannot be null");
  }

  /// The elements now. Aborts when one is null or of another kind; tryGet() returns InvalidState or InvalidType.
  executorch::aten::ArrayRef<T> get() const;
  Result<executorch::aten::ArrayRef<T>> tryGet() const;

  /// Ends the life of the elements of the array.
  void destroy_elements() {
    for (size_t i = 0; i < wrapped_.size(); ++i) {
      unwrapped_[i].~T();
    }
  }

 private:
  static EValue** checked(EValue** wrapped_vals, int size) {
    ET_CHECK_MSG(wrapped_vals != nullptr, "wrapped_vals cannot be null");
    ET_CHECK_MSG(size >= 0, "size cannot be negative");
    return wrapped_vals;
  }

  executorch::aten::ArrayRef<EValue*> wrapped_;
  T* unwrapped_ = nullptr;
};

// A null value stands for none.
template <>
executorch::aten::ArrayRef<std::optional<executorch::aten::Tensor>>
BoxedEvalueList<std::optional<executorch::aten::Tensor>>::get() const;
template <>
Result<executorch::aten::ArrayRef<std::optional<executorch::aten::Tensor>>>
BoxedEvalueList<std::optional<executorch::aten::Tensor>>::tryGet() const;

namespace internal {
// What EValue::to<T>() returns: a reference for tensors, a value for the rest.
template <typename T>
struct evalue_to_const_ref_overload_return {
  using type = T;
};
template <>
struct evalue_to_const_ref_overload_return<executorch::aten::Tensor> {
  using type = const executorch::aten::Tensor&;
};
template <typename T>
struct evalue_to_ref_overload_return {
  using type = T;
};
template <>
struct evalue_to_ref_overload_return<executorch::aten::Tensor> {
  using type = executorch::aten::Tensor&;
};
}  // namespace internal

struct EValue {
  union Payload {
    union TriviallyCopyablePayload {
      TriviallyCopyablePayload() : as_int(0) {}
      int64_t as_int;
      double as_double;
      bool as_bool;
      executorch::aten::ArrayRef<char>* as_string_ptr;
      executorch::aten::ArrayRef<double>* as_double_list_ptr;
      executorch::aten::ArrayRef<bool>* as_bool_list_ptr;
      BoxedEvalueList<int64_t>* as_int_list_ptr;
      BoxedEvalueList<executorch::aten::Tensor>* as_tensor_list_ptr;
      BoxedEvalueList<std::optional<executorch::aten::Tensor>>* as_list_optional_tensor_ptr;
    } copyable_union;
    executorch::aten::Tensor as_tensor;

    Payload() : copyable_union() {}
  };

  Payload payload;
  Tag tag;

  /// None.
  EValue() : tag(Tag::None) {}
  EValue(const EValue&) = default;
  EValue& operator=(const EValue&) & = default;
  /// A value that was moved from is None.
  EValue(EValue&& other) noexcept : payload(other.payload), tag(other.tag) { other.clear(); }
  EValue& operator=(EValue&& other) & noexcept {
    if (this != &other) {
      payload = other.payload;
      tag = other.tag;
      other.clear();
    }
    return *this;
  }

  /// The value that something pointer-like refers to. Aborts when it is null. Plain pointers are most likely a mistake.
  template <typename T, typename = std::enable_if_t<std::is_convertible_v<decltype(*std::declval<T>()), EValue>>>
  /* implicit */ EValue(T&& value) : tag(Tag::None) {
    ET_CHECK_MSG(value != nullptr, "Pointer is null.");
    *this = EValue(*std::forward<T>(value));
  }
  template <typename T>
  explicit EValue(T* value) = delete;

  bool isNone() const { return tag == Tag::None; }

  /* implicit */ EValue(int64_t value) : tag(Tag::Int) { payload.copyable_union.as_int = value; }
  bool isInt() const { return tag == Tag::Int; }
  int64_t toInt() const {
    ET_CHECK_MSG(isInt(), "EValue is not an int.");
    return payload.copyable_union.as_int;
  }
  Result<int64_t> tryToInt() const {
    if (!isInt()) {
      return Error::InvalidType;
    }
    return payload.copyable_union.as_int;
  }

  /* implicit */ EValue(double value) : tag(Tag::Double) { payload.copyable_union.as_double = value; }
  bool isDouble() const { return tag == Tag::Double; }
  double toDouble() const {
    ET_CHECK_MSG(isDouble(), "EValue is not a Double.");
    return payload.copyable_union.as_double;
  }
  Result<double> tryToDouble() const {
    if (!isDouble()) {
      return Error::InvalidType;
    }
    return payload.copyable_union.as_double;
  }

  /* implicit */ EValue(bool value) : tag(Tag::Bool) { payload.copyable_union.as_bool = value; }
  bool isBool() const { return tag == Tag::Bool; }
  bool toBool() const {
    ET_CHECK_MSG(isBool(), "EValue is not a Bool.");
    return payload.copyable_union.as_bool;
  }
  Result<bool> tryToBool() const {
    if (!isBool()) {
      return Error::InvalidType;
    }
    return payload.copyable_union.as_bool;
  }

  /* implicit */ EValue(executorch::aten::Scalar s) : tag(Tag::Int) {
    if (s.isFloatingPoint()) {
      *this = EValue(s.to<double>());
    } else if (s.isBoolean()) {
      *this = EValue(s.to<bool>());
    } else {
      payload.copyable_union.as_int = s.to<int64_t>();
    }
  }
  /// Int, Double or Bool.
  bool isScalar() const { return isInt() || isDouble() || isBool(); }
  executorch::aten::Scalar toScalar() const {
    ET_CHECK_MSG(isScalar(), "EValue is not a Scalar.");
    return scalar();
  }
  Result<executorch::aten::Scalar> tryToScalar() const {
    if (!isScalar()) {
      return Error::InvalidType;
    }
    return scalar();
  }

  /* implicit */ EValue(executorch::aten::Tensor t) : tag(Tag::Tensor) {
    new (&payload.as_tensor) executorch::aten::Tensor(t);
  }
  bool isTensor() const { return tag == Tag::Tensor; }
  executorch::aten::Tensor toTensor() && {
    const executorch::aten::Tensor tensor = toTensor();
    clear();
    return tensor;
  }
  executorch::aten::Tensor& toTensor() & {
    ET_CHECK_MSG(isTensor(), "EValue is not a Tensor.");
    return payload.as_tensor;
  }
  const executorch::aten::Tensor& toTensor() const& {
    ET_CHECK_MSG(isTensor(), "EValue is not a Tensor.");
    return payload.as_tensor;
  }
  Result<executorch::aten::Tensor> tryToTensor() const {
    if (!isTensor()) {
      return Error::InvalidType;
    }
    return payload.as_tensor;
  }

  /* implicit */ EValue(executorch::aten::ArrayRef<char>* value) : tag(Tag::String) {
    ET_CHECK_MSG(value != nullptr, "ArrayRef<char> pointer cannot be null");
    payload.copyable_union.as_string_ptr = value;
  }
  bool isString() const { return tag == Tag::String; }
  std::string_view toString() const {
    check_pointer(Tag::String);
    return std::string_view(payload.copyable_union.as_string_ptr->data(), payload.copyable_union.as_string_ptr->size());
  }
  Result<std::string_view> tryToString() const {
    const Error error = pointer_error(Tag::String);
    if (error != Error::Ok) {
      return error;
    }
    return std::string_view(payload.copyable_union.as_string_ptr->data(), payload.copyable_union.as_string_ptr->size());
  }

  /* implicit */ EValue(BoxedEvalueList<int64_t>* value) : tag(Tag::ListInt) {
    ET_CHECK_MSG(value != nullptr, "BoxedEvalueList<int64_t> pointer cannot be null");
    payload.copyable_union.as_int_list_ptr = value;
  }
  bool isIntList() const { return tag == Tag::ListInt; }
  executorch::aten::ArrayRef<int64_t> toIntList() const {
    check_pointer(Tag::ListInt);
    return payload.copyable_union.as_int_list_ptr->get();
  }
  Result<executorch::aten::ArrayRef<int64_t>> tryToIntList() const {
    const Error error = pointer_error(Tag::ListInt);
    if (error != Error::Ok) {
      return error;
    }
    return payload.copyable_union.as_int_list_ptr->tryGet();
  }

  /* implicit */ EValue(executorch::aten::ArrayRef<bool>* value) : tag(Tag::ListBool) {
    ET_CHECK_MSG(value != nullptr, "ArrayRef<bool> pointer cannot be null");
    payload.copyable_union.as_bool_list_ptr = value;
  }
  bool isBoolList() const { return tag == Tag::ListBool; }
  executorch::aten::ArrayRef<bool> toBoolList() const {
    check_pointer(Tag::ListBool);
    return *payload.copyable_union.as_bool_list_ptr;
  }
  Result<executorch::aten::ArrayRef<bool>> tryToBoolList() const {
    const Error error = pointer_error(Tag::ListBool);
    if (error != Error::Ok) {
      return error;
    }
    return *payload.copyable_union.as_bool_list_ptr;
  }

  /* implicit */ EValue(executorch::aten::ArrayRef<double>* value) : tag(Tag::ListDouble) {
    ET_CHECK_MSG(value != nullptr, "ArrayRef<double> pointer cannot be null");
    payload.copyable_union.as_double_list_ptr = value;
  }
  bool isDoubleList() const { return tag == Tag::ListDouble; }
  executorch::aten::ArrayRef<double> toDoubleList() const {
    check_pointer(Tag::ListDouble);
    return *payload.copyable_union.as_double_list_ptr;
  }
  Result<executorch::aten::ArrayRef<double>> tryToDoubleList() const {
    const Error error = pointer_error(Tag::ListDouble);
    if (error != Error::Ok) {
      return error;
    }
    return *payload.copyable_union.as_double_list_ptr;
  }

  /* implicit */ EValue(BoxedEvalueList<executorch::aten::Tensor>* value) : tag(Tag::ListTensor) {
    ET_CHECK_MSG(value != nullptr, "BoxedEvalueList<Tensor> pointer cannot be null");
    payload.copyable_union.as_tensor_list_ptr = value;
  }
  bool isTensorList() const { return tag == Tag::ListTensor; }
  executorch::aten::ArrayRef<executorch::aten::Tensor> toTensorList() const {
    check_pointer(Tag::ListTensor);
    return payload.copyable_union.as_tensor_list_ptr->get();
  }
  Result<executorch::aten::ArrayRef<executorch::aten::Tensor>> tryToTensorList() const {
    const Error error = pointer_error(Tag::ListTensor);
    if (error != Error::Ok) {
      return error;
    }
    return payload.copyable_union.as_tensor_list_ptr->tryGet();
  }

  /* implicit */ EValue(BoxedEvalueList<std::optional<executorch::aten::Tensor>>* value)
      : tag(Tag::ListOptionalTensor) {
    ET_CHECK_MSG(value != nullptr, "BoxedEvalueList<optional<Tensor>> pointer cannot be null");
    payload.copyable_union.as_list_optional_tensor_ptr = value;
  }
  bool isListOptionalTensor() const { return tag == Tag::ListOptionalTensor; }
  executorch::aten::ArrayRef<std::optional<executorch::aten::Tensor>> toListOptionalTensor() const {
    check_pointer(Tag::ListOptionalTensor);
    return payload.copyable_union.as_list_optional_tensor_ptr->get();
  }
  Result<executorch::aten::ArrayRef<std::optional<executorch::aten::Tensor>>> tryToListOptionalTensor() const {
    const Error error = pointer_error(Tag::ListOptionalTensor);
    if (error != Error::Ok) {
      return error;
    }
    return payload.copyable_union.as_list_optional_tensor_ptr->tryGet();
  }

  // Kinds that a program stores as Int.
  executorch::aten::ScalarType toScalarType() const {
    ET_CHECK_MSG(isInt(), "EValue is not a ScalarType.");
    return static_cast<executorch::aten::ScalarType>(payload.copyable_union.as_int);
  }
  Result<executorch::aten::ScalarType> tryToScalarType() const {
    if (!isInt()) {
      return Error::InvalidType;
    }
    return static_cast<executorch::aten::ScalarType>(payload.copyable_union.as_int);
  }
  executorch::aten::MemoryFormat toMemoryFormat() const {
    ET_CHECK_MSG(isInt(), "EValue is not a MemoryFormat.");
    return static_cast<executorch::aten::MemoryFormat>(payload.copyable_union.as_int);
  }
  Result<executorch::aten::MemoryFormat> tryToMemoryFormat() const {
    if (!isInt()) {
      return Error::InvalidType;
    }
    return static_cast<executorch::aten::MemoryFormat>(payload.copyable_union.as_int);
  }
  executorch::aten::Layout toLayout() const {
    ET_CHECK_MSG(isInt(), "EValue is not a Layout.");
    return static_cast<executorch::aten::Layout>(payload.copyable_union.as_int);
  }
  Result<executorch::aten::Layout> tryToLayout() const {
    if (!isInt()) {
      return Error::InvalidType;
    }
    return static_cast<executorch::aten::Layout>(payload.copyable_union.as_int);
  }
  executorch::aten::Device toDevice() const {
    ET_CHECK_MSG(isInt(), "EValue is not a Device.");
    return executorch::aten::Device(static_cast<executorch::aten::DeviceType>(payload.copyable_union.as_int), -1);
  }
  Result<executorch::aten::Device> tryToDevice() const {
    if (!isInt()) {
      return Error::InvalidType;
    }
    return executorch::aten::Device(static_cast<executorch::aten::DeviceType>(payload.copyable_union.as_int), -1);
  }

  /// The value as a T: one of the types above, or std::optional of Tensor or of an ArrayRef above.
  template <typename T>
  T to() &&;
  template <typename T>
  typename internal::evalue_to_const_ref_overload_return<T>::type to() const&;
  template <typename T>
  typename internal::evalue_to_ref_overload_return<T>::type to() &;
  template <typename T>
  Result<T> tryTo() const;

  /// Nothing when the value is None, else to<T>().
  template <typename T>
  std::optional<T> toOptional() const {
    if (isNone()) {
      return std::nullopt;
    }
    return this->to<T>();
  }
  template <typename T>
  Result<std::optional<T>> tryToOptional() const {
    if (isNone()) {
      return std::optional<T>(std::nullopt);
    }
    Result<T> value = this->tryTo<T>();
    if (!value.ok()) {
      return value.error();
    }
    return std::optional<T>(*value);
  }

 private:
  void clear() noexcept {
    payload.copyable_union.as_int = 0;
    tag = Tag::None;
  }

  executorch::aten::Scalar scalar() const {
    if (isDouble()) {
      return payload.copyable_union.as_double;
    }
    if (isBool()) {
      return payload.copyable_union.as_bool;
    }
    return payload.copyable_union.as_int;
  }

  /// Whether this is a string or list of the kind, with something to point to. Pointers share one place in the payload.
  Error pointer_error(Tag expected) const {
    if (tag != expected) {
      return Error::InvalidType;
    }
    return payload.copyable_union.as_string_ptr == nullptr ? Error::InvalidState : Error::Ok;
  }
  void check_pointer(Tag expected) const;
};

static_assert(sizeof(EValue) == 16, "EValue has grown");
static_assert(std::is_trivially_destructible_v<EValue>, "values own nothing");

// to<T>() and tryTo<T>() for every T.
#define WICK_EVALUE_TO(T, name)                                                          \
  template <>                                                                            \
  inline T EValue::to<T>()&& {                                                           \
    return std::move(*this).to##name();                                                  \
  }                                                                                      \
  template <>                                                                            \
  inline internal::evalue_to_const_ref_overload_return<T>::type EValue::to<T>() const& { \
    return this->to##name();                                                             \
  }                                                                                      \
  template <>                                                                            \
  inline internal::evalue_to_ref_overload_return<T>::type EValue::to<T>()& {             \
    return this->to##name();                                                             \
  }                                                                                      \
  template <>                                                                            \
  inline Result<T> EValue::tryTo<T>() const {                                            \
    return this->tryTo##name();                                                          \
  }
WICK_EVALUE_TO(executorch::aten::Scalar, Scalar)
WICK_EVALUE_TO(int64_t, Int)
WICK_EVALUE_TO(bool, Bool)
WICK_EVALUE_TO(double, Double)
WICK_EVALUE_TO(std::string_view, String)
WICK_EVALUE_TO(executorch::aten::ScalarType, ScalarType)
WICK_EVALUE_TO(executorch::aten::MemoryFormat, MemoryFormat)
WICK_EVALUE_TO(executorch::aten::Layout, Layout)
WICK_EVALUE_TO(executorch::aten::Device, Device)
WICK_EVALUE_TO(executorch::aten::Tensor, Tensor)
WICK_EVALUE_TO(std::optional<executorch::aten::Tensor>, Optional<executorch::aten::Tensor>)
WICK_EVALUE_TO(executorch::aten::ArrayRef<int64_t>, IntList)
WICK_EVALUE_TO(std::optional<executorch::aten::ArrayRef<int64_t>>, Optional<executorch::aten::ArrayRef<int64_t>>)
WICK_EVALUE_TO(executorch::aten::ArrayRef<double>, DoubleList)
WICK_EVALUE_TO(std::optional<executorch::aten::ArrayRef<double>>, Optional<executorch::aten::ArrayRef<double>>)
WICK_EVALUE_TO(executorch::aten::ArrayRef<bool>, BoolList)
WICK_EVALUE_TO(std::optional<executorch::aten::ArrayRef<bool>>, Optional<executorch::aten::ArrayRef<bool>>)
WICK_EVALUE_TO(executorch::aten::ArrayRef<executorch::aten::Tensor>, TensorList)
WICK_EVALUE_TO(std::optional<executorch::aten::ArrayRef<executorch::aten::Tensor>>,
               Optional<executorch::aten::ArrayRef<executorch::aten::Tensor>>)
WICK_EVALUE_TO(executorch::aten::ArrayRef<std::optional<executorch::aten::Tensor>>, ListOptionalTensor)
#undef WICK_EVALUE_TO

template <typename T>
executorch::aten::ArrayRef<T> BoxedEvalueList<T>::get() const {
  for (size_t i = 0; i < wrapped_.size(); ++i) {
    ET_CHECK(wrapped_[i] != nullptr);
    unwrapped_[i] = static_cast<const EValue*>(wrapped_[i])->template to<T>();
  }
  return {unwrapped_, wrapped_.size()};
}

template <typename T>
Result<executorch::aten::ArrayRef<T>> BoxedEvalueList<T>::tryGet() const {
  for (size_t i = 0; i < wrapped_.size(); ++i) {
    if (wrapped_[i] == nullptr) {
      return Error::InvalidState;
    }
    Result<T> value = wrapped_[i]->template tryTo<T>();
    if (!value.ok()) {
      return value.error();
    }
    unwrapped_[i] = *value;
  }
  return executorch::aten::ArrayRef<T>{unwrapped_, wrapped_.size()};
}

}  // namespace executorch::runtime

namespace torch::executor {
// Deprecated names.
using ::executorch::runtime::BoxedEvalueList;
using ::executorch::runtime::EValue;
}  // namespace torch::executor
