// SPDX-License-Identifier: BSD-3-Clause
//
// wick::Model: inputs and outputs.
#include <executorch/runtime/core/exec_aten/util/scalar_type_util.h>
#include <wick/model.h>

namespace wick {

using executorch::runtime::Error;
using executorch::runtime::MethodMeta;
using executorch::runtime::Result;
using executorch::runtime::toString;

Result<Model::Tensor> Model::input_tensor(size_t index) const {
  if (index >= inputs_size() || !method_->peek_input(index).isTensor()) {
    return Error::InvalidArgument;
  }
  return method_->peek_input(index).toTensor();
}

Result<Model::Tensor> Model::output_tensor(size_t index) const {
  if (index >= outputs_size() || !method_->get_output(index).isTensor()) {
    return Error::InvalidArgument;
  }
  return method_->get_output(index).toTensor();
}

Error Model::give_place(const Tensor& tensor, size_t bytes) {
  void* const place = own_.take_front(bytes, Arena::kAlignment);
  if (place == nullptr) {
    return fail(Error::MemoryAllocationFailed,
                "the program leaves the place of an input or output of %zu bytes to the "
                "caller, and the arena lacks %zu: bind a buffer, or make the arena larger",
                bytes, own_.shortage());
  }
  tensor.unsafeGetTensorImpl()->set_data(place);
  return Error::Ok;
}

bool Model::has_type(const Result<Tensor>& tensor, ScalarType type, const char* what, size_t index) {
  if (tensor.ok() && tensor->scalar_type() == type) {
    return true;
  }
  if (need_loaded() == Error::Ok) {
    fail(Error::InvalidArgument, "%s %zu is %s, not %s", what, index,
         tensor.ok() ? toString(tensor->scalar_type()) : "no tensor", toString(type));
  }
  return false;
}

void* Model::input_data(size_t index) {
  const Result<Tensor> tensor = input_tensor(index);
  if (!tensor.ok() ||
      (tensor->const_data_ptr() == nullptr && give_place(tensor.get(), tensor->nbytes()) != Error::Ok)) {
    return nullptr;
  }
  method_->mark_input(index);
  any_input_set_ = true;
  use_transient();
  return tensor->mutable_data_ptr();
}

Error Model::set_input(size_t index, const EValue& value) {
  Error error = need_loaded();
  if (error != Error::Ok) {
    return error;
  }
  error = method_->set_input(value, index);
  if (error != Error::Ok) {
    return fail(error, "input %zu of %zu cannot be set: another type, shape or dim order than the program's (%s)",
                index, inputs_size(), executorch::runtime::to_string(error));
  }
  any_input_set_ = true;
  use_transient();
  return Error::Ok;
}

size_t Model::alignment_of(const Result<Tensor>& tensor) const {
  if (!tensor.ok()) {
    return 1;
  }
  const Result<MethodMeta> meta = program_->method_meta(method_name_);
  return meta.ok() && meta->num_backends() > 0 ? 16 : static_cast<size_t>(tensor->element_size());
}

size_t Model::input_alignment(size_t index) const { return alignment_of(input_tensor(index)); }
size_t Model::output_alignment(size_t index) const { return alignment_of(output_tensor(index)); }

Error Model::check_buffer(const Result<Tensor>& tensor, const void* buffer, size_t alignment) {
  if (!tensor.ok()) {
    return fail(Error::InvalidArgument, "there is no such tensor: the method has %zu inputs and %zu outputs",
                inputs_size(), outputs_size());
  }
  if (buffer == nullptr || reinterpret_cast<uintptr_t>(buffer) % alignment != 0) {
    return fail(Error::InvalidArgument, "a buffer at %p cannot be bound: it must be at a multiple of %zu", buffer,
                alignment);
  }
  return Error::Ok;
}

Error Model::bind_input(size_t index, void* buffer, size_t bytes) {
  Error error = need_loaded();
  if (error != Error::Ok) {
    return error;
  }
  const Result<Tensor> tensor = input_tensor(index);
  error = check_buffer(tensor, buffer, alignment_of(tensor));
  if (error != Error::Ok) {
    return error;
  }
  if (method_->plans_input(index)) {
    return fail(Error::InvalidState,
                "the program plans the place of input %zu: export with alloc_graph_input=False to "
                "bind a buffer, or write to input()",
                index);
  }
  if (bytes < tensor->nbytes()) {
    return fail(Error::InvalidArgument, "input %zu needs %zu bytes, the buffer has %zu", index, tensor->nbytes(),
                bytes);
  }
  tensor->unsafeGetTensorImpl()->set_data(buffer);
  method_->mark_input(index);
  any_input_set_ = true;
  use_transient();
  return Error::Ok;
}

Error Model::bind_output(size_t index, void* buffer, size_t bytes) {
  Error error = need_loaded();
  if (error != Error::Ok) {
    return error;
  }
  const Result<Tensor> tensor = output_tensor(index);
  error = check_buffer(tensor, buffer, alignment_of(tensor));
  if (error != Error::Ok) {
    return error;
  }
  if (method_->plans_output(index)) {
    return fail(Error::InvalidState,
                "the program plans the place of output %zu: export with alloc_graph_output=False "
                "to bind a buffer, or copy from output()",
                index);
  }
  if (bytes < tensor->nbytes()) {
    return fail(Error::InvalidArgument, "output %zu needs %zu bytes, the buffer has %zu", index, tensor->nbytes(),
                bytes);
  }
  error = method_->set_output_data_ptr(buffer, bytes, index);
  return error == Error::Ok ? error : fail(error, "output %zu cannot be bound: it is also a constant or state", index);
}

}  // namespace wick
