// SPDX-License-Identifier: BSD-3-Clause
// What of EValue is not inline: the check of lists and strings, and lists of optional tensors.

#include <executorch/runtime/core/evalue.h>

namespace executorch::runtime {
namespace {

[[maybe_unused]] const char* kind_name(Tag tag) {
  switch (tag) {
    case Tag::String:
      return "string";
    case Tag::ListInt:
      return "int list";
    case Tag::ListBool:
      return "bool list";
    case Tag::ListDouble:
      return "double list";
    case Tag::ListTensor:
      return "tensor list";
    default:
      return "optional tensor list";
  }
}

}  // namespace

void EValue::check_pointer(Tag expected) const {
  const Error error = pointer_error(expected);
  ET_CHECK_MSG(error != Error::InvalidType, "EValue is not a %s.", kind_name(expected));
  ET_CHECK_MSG(error == Error::Ok, "EValue %s pointer is null.", kind_name(expected));
}

using OptionalTensor = std::optional<executorch::aten::Tensor>;

template <>
executorch::aten::ArrayRef<OptionalTensor> BoxedEvalueList<OptionalTensor>::get() const {
  for (size_t i = 0; i < wrapped_.size(); ++i) {
    const EValue* value = wrapped_[i];
    unwrapped_[i] = value == nullptr ? std::nullopt : value->toOptional<executorch::aten::Tensor>();
  }
  return {unwrapped_, wrapped_.size()};
}

template <>
Result<executorch::aten::ArrayRef<OptionalTensor>> BoxedEvalueList<OptionalTensor>::tryGet() const {
  for (size_t i = 0; i < wrapped_.size(); ++i) {
    const EValue* value = wrapped_[i];
    if (value != nullptr && !value->isNone() && !value->isTensor()) {
      return Error::InvalidType;
    }
  }
  return get();
}

}  // namespace executorch::runtime
