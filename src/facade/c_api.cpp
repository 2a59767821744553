// SPDX-License-Identifier: BSD-3-Clause
//
// The C API: each function forwards to the wick::Model that lies in the caller's wick_model_t.
#include <wick/model.h>
#include <wick/pte_size.h>
#include <wick/wick.h>

#include <cstring>
#include <new>

using executorch::aten::Tensor;
using executorch::runtime::Error;
using executorch::runtime::Result;
using executorch::runtime::Span;
using wick::Model;

namespace {

constexpr size_t kMaxRegions = 8;

/// A model that takes messages of this file, too.
struct CModel : Model {
  using Model::fail;
  using Model::Model;
};

struct Instance {
  Span<uint8_t> regions[kMaxRegions];
  CModel model;
  explicit Instance(const Model::Options& options) : model(options) {}
};
static_assert(sizeof(Instance) <= sizeof(wick_model_t) && alignof(Instance) <= alignof(wick_model_t),
              "wick_model_t is too small for a wick::Model");
static_assert(sizeof(wick_transient_t) == sizeof(wick::TransientMemory) &&
                  offsetof(wick_transient_t, user) == offsetof(wick::TransientMemory, user),
              "the two are one");

Instance& instance(wick_model_t* model) { return *std::launder(reinterpret_cast<Instance*>(model)); }
const Instance& instance(const wick_model_t* model) { return *std::launder(reinterpret_cast<const Instance*>(model)); }

wick_error_t code(Error error) { return static_cast<wick_error_t>(error); }

wick_error_t describe(CModel& of, const Result<Tensor>& tensor, void* data, size_t alignment, wick_tensor_t* out) {
  if (!tensor.ok()) {
    return code(of.fail(tensor.error(), "there is no such tensor: the method has %zu inputs and %zu outputs",
                        of.inputs_size(), of.outputs_size()));
  }
  *out = {data,
          tensor->nbytes(),
          static_cast<int>(tensor->scalar_type()),
          static_cast<size_t>(tensor->dim()),
          tensor->sizes().data(),
          tensor->dim_order().data(),
          alignment};
  return 0;
}

}  // namespace

wick_error_t wick_model_init(wick_model_t* model, const wick_options_t* options) {
  if (options->region_count > kMaxRegions) {
    return code(Error::InvalidArgument);
  }
  Model::Options all;
  all.arena = {static_cast<uint8_t*>(options->arena), options->arena_bytes};
  all.transient = reinterpret_cast<wick::TransientMemory*>(options->transient);
  all.method = options->method;
  all.on_operator = options->on_operator;
  all.context = options->context;
  all.tracer = reinterpret_cast<executorch::runtime::EventTracer*>(options->tracer);
  if (options->data != nullptr) {
    all.data_map = *std::launder(reinterpret_cast<const wick::DataMapOption*>(options->data));
  }
  if (options->kernels != nullptr) {
    all.kernels = *reinterpret_cast<const wick::KernelsOption*>(options->kernels);
  }
  // The list of regions lies beside the model.
  Span<uint8_t>* const regions = reinterpret_cast<Instance*>(model)->regions;
  all.regions = {regions, options->region_count};
  Instance* const made = new (model) Instance(all);
  for (size_t i = 0; i < options->region_count; ++i) {
    made->regions[i] = {static_cast<uint8_t*>(options->regions[i].data), options->regions[i].bytes};
  }
  return 0;
}

void wick_model_close(wick_model_t* model) { instance(model).model.unload(); }

wick_error_t wick_model_load(wick_model_t* model, const void* image, size_t capacity) {
  return code(instance(model).model.load(image, capacity));
}
wick_error_t wick_model_reset_state(wick_model_t* model) { return code(instance(model).model.reset_state()); }
wick_error_t wick_model_run(wick_model_t* model) { return code(instance(model).model.run()); }

size_t wick_model_inputs(const wick_model_t* model) { return instance(model).model.inputs_size(); }
size_t wick_model_outputs(const wick_model_t* model) { return instance(model).model.outputs_size(); }

wick_error_t wick_model_input(wick_model_t* model, size_t index, wick_tensor_t* tensor) {
  CModel& of = instance(model).model;
  const Result<Tensor> input = of.input_tensor(index);
  void* const data = of.input_data(index);
  if (input.ok() && data == nullptr && input->nbytes() != 0) {
    return code(Error::MemoryAllocationFailed);  // the message says by how much the arena is too small
  }
  return describe(of, input, data, of.input_alignment(index), tensor);
}

wick_error_t wick_model_output(wick_model_t* model, size_t index, wick_tensor_t* tensor) {
  CModel& of = instance(model).model;
  const Result<Tensor> output = of.output_tensor(index);
  return describe(of, output, output.ok() ? output->mutable_data_ptr() : nullptr, of.output_alignment(index), tensor);
}

wick_error_t wick_model_set_input(wick_model_t* model, size_t index, const void* data, size_t bytes) {
  wick_tensor_t input;
  const wick_error_t error = wick_model_input(model, index, &input);
  if (error != 0) {
    return error;
  }
  if (input.bytes != bytes) {
    return code(instance(model).model.fail(Error::InvalidArgument, "input %zu has %zu bytes, not %zu", index,
                                           input.bytes, bytes));
  }
  if (bytes != 0) {
    std::memcpy(input.data, data, bytes);
  }
  return 0;
}

wick_error_t wick_model_bind_input(wick_model_t* model, size_t index, void* buffer, size_t bytes) {
  return code(instance(model).model.bind_input(index, buffer, bytes));
}
wick_error_t wick_model_bind_output(wick_model_t* model, size_t index, void* buffer, size_t bytes) {
  return code(instance(model).model.bind_output(index, buffer, bytes));
}

const char* wick_model_message(const wick_model_t* model) { return instance(model).model.message(); }

const char* wick_error_name(wick_error_t error) { return executorch::runtime::to_string(static_cast<Error>(error)); }

wick_error_t wick_pte_size(const void* image, size_t capacity, size_t* bytes) {
  const Result<size_t> size = wick::pte_size(image, capacity);
  *bytes = size.ok() ? size.get() : 0;
  return code(size.error());
}
