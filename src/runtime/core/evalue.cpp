// SPDX-License-Identifier: BSD-3-Clause
// Lists of optional tensors, in which a missing value means none.

#include <executorch/runtime/core/evalue.h>

namespace executorch::runtime {

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
