// SPDX-License-Identifier: BSD-3-Clause
//
// wick::Model: loading, the division of memory, running.
#include <executorch/runtime/core/exec_aten/util/tensor_util.h>
#include <executorch/runtime/platform/log.h>
#include <executorch/runtime/platform/runtime.h>
#include <wick/format.h>
#include <wick/memory_required.h>
#include <wick/model.h>
#include <wick/pte_size.h>

#include <cstdarg>
#include <cstring>

namespace wick {

using executorch::runtime::Error;
using executorch::runtime::MethodMeta;
using executorch::runtime::Program;
using executorch::runtime::Result;

Error Model::fail(Error error, const char* text, ...) {
  va_list args;
  va_start(args, text);
  format_va(message_, sizeof(message_), text, args);
  va_end(args);
  ET_LOG(Error, "%s", message_);
  return error;
}

void Model::unload() {
  method_.reset();
  memory_.reset();
  planned_.reset();
  program_.reset();
  loader_.reset();
  scratch_.reset();
  any_input_set_ = false;
}

Error Model::load(const void* image, size_t capacity) {
  unload();
  message_[0] = '\0';
  executorch::runtime::runtime_init();
  Error error = load_program(image, capacity);
  if (error == Error::Ok) {
    error = load_method();
  }
  if (error != Error::Ok) {
    unload();
  }
  return error;
}

Error Model::load_program(const void* image, size_t capacity) {
  const Result<size_t> size = pte_size(image, capacity);
  if (!size.ok()) {
    return fail(size.error(),
                "there is no program at %p (%zu bytes searched): erased, cut off, not aligned to 16, or "
                "another file",
                image, capacity);
  }
  loader_.emplace(image, size.get());
  Result<Program> program = Program::load(&*loader_, Program::Verification::InternalConsistency);
  if (!program.ok()) {
    return fail(program.error(), "the program at %p is damaged or of another version (%s)", image,
                executorch::runtime::to_string(program.error()));
  }
  program_.emplace(std::move(program.get()));
  return choose_method();
}

Error Model::choose_method() {
  method_name_ = options_.method;
  if (method_name_ == nullptr) {
    const Result<const char*> first = program_->get_method_name(0);
    const bool only = program_->num_methods() == 1 && first.ok();
    method_name_ = only ? first.get() : "forward";
  }
  return Error::Ok;
}

Error Model::reset_state() {
  const Error error = need_loaded();
  if (error != Error::Ok) {
    return error;
  }
  method_.reset();
  any_input_set_ = false;
  return load_method();
}

Error Model::load_method() {
  own_.assign(options_.arena.data(), options_.arena.size());
  if (options_.transient != nullptr) {
    shared_.assign(options_.transient->data, options_.transient->size);
    use_transient();
  }
  const Result<MethodMeta> meta = program_->method_meta(method_name_);
  if (!meta.ok()) {
    return fail(meta.error(), "the program has no method '%s'", method_name_);
  }
  Error error = place_planned(meta.get());
  if (error != Error::Ok) {
    return error;
  }
  scratch_.emplace(options_.transient == nullptr ? own_ : shared_);
  memory_.emplace(&method_pool_, &*planned_, &*scratch_);
  own_.take_front(0, Arena::kAlignment);  // so that what the method needs does not depend on what lies before it
  const size_t before = own_.front_used();
  Result<executorch::runtime::Method> method =
      program_->load_method(method_name_, {&*memory_, options_.tracer, options_.data_map.map, nullptr,
                                           options_.kernels.list, options_.kernels.part, options_.data_map.part});
  if (!method.ok()) {
    return method.error() == Error::MemoryAllocationFailed
               ? shortage()
               : fail(method.error(), "the method '%s' cannot be loaded: %s", method_name_,
                      executorch::runtime::to_string(method.error()));
  }
  method_.emplace(std::move(method.get()));
  method_->set_operator_hook(options_.on_operator, options_.context);
  method_bytes_ = own_.front_used() - before;
  return Error::Ok;
}

/// Gives each planned buffer its place: a region, the transient memory if it holds no state, or the arena.
Error Model::place_planned(const MethodMeta& meta) {
  const size_t count = meta.num_memory_planned_buffers();
  planned_bytes_ = 0;
  auto* spans = static_cast<Span<uint8_t>*>(own_.take_front(count * sizeof(Span<uint8_t>), alignof(Span<uint8_t>)));
  if (spans == nullptr) {
    return shortage();
  }
  for (size_t i = 0; i < count; ++i) {
    const Result<int64_t> size = meta.memory_planned_buffer_size(i);
    if (!size.ok() || size.get() < 0 || static_cast<uint64_t>(size.get()) > SIZE_MAX / 2) {
      return fail(Error::InvalidProgram, "planned buffer %zu has an impossible size", i + 1);
    }
    const size_t bytes = static_cast<size_t>(size.get());
    planned_bytes_ += bytes;
    Span<uint8_t> region = i < options_.regions.size() ? options_.regions[i] : Span<uint8_t>();
    if (region.data() == nullptr) {
      const bool state = options_.transient == nullptr || holds_state(meta, i);
      Arena& arena = state ? own_ : shared_;
      void* const place = arena.take_front(bytes, Arena::kAlignment);
      if (place == nullptr) {
        return shortage();
      }
      region = {static_cast<uint8_t*>(place), bytes};
    } else if (region.size() < bytes || reinterpret_cast<uintptr_t>(region.data()) % Arena::kAlignment != 0) {
      return fail(Error::MemoryAllocationFailed,
                  "the region of memory id %zu has %zu bytes at %p, the program needs "
                  "%zu at a multiple of 16",
                  i + 1, region.size(), static_cast<void*>(region.data()), bytes);
    }
    std::memset(region.data(), 0, bytes);  // state without a stored value starts at zero
    spans[i] = region;
  }
  planned_.emplace(Span<Span<uint8_t>>(spans, count));
  return Error::Ok;
}

/// Says how much memory the program needs, and how much is missing.
Error Model::shortage() {
  const Result<MemoryRequired> need = memory_required(*program_, method_name_, options_.arena);
  if (!need.ok()) {
    return fail(Error::MemoryAllocationFailed, "the arena of %zu bytes is too small by at least %zu",
                options_.arena.size(), own_.shortage() + shared_.shortage());
  }
  if (options_.transient == nullptr && options_.regions.empty()) {
    const size_t total = need->arena();
    return fail(Error::MemoryAllocationFailed,
                "the arena is %zu bytes too small: it has %zu of %zu (planned %zu, "
                "method %zu, loading %zu)",
                total - own_.size(), own_.size(), total, need->planned, need->method, need->load_scratch);
  }
  return fail(Error::MemoryAllocationFailed,
              "arena (%zu bytes) or transient memory (%zu) is too small: the program "
              "needs %zu and %zu",
              own_.size(), shared_.size(), need->persistent(), need->transient());
}

void Model::use_transient() {
  if (options_.transient != nullptr) {
    options_.transient->user = this;
  }
}

Error Model::need_loaded() { return method_ ? Error::Ok : fail(Error::InvalidState, "no program is loaded"); }

Error Model::run() {
  Error error = need_loaded();
  if (error != Error::Ok) {
    return error;
  }
  if (!any_input_set_) {
    error = zero_inputs();
  } else if (options_.transient != nullptr && options_.transient->user != this) {
    error = fail(Error::InvalidState,
                 "another model has used the transient memory since the inputs were set: set them "
                 "again before each run");
  }
  for (size_t i = 0; i < method_->outputs_size() && error == Error::Ok; ++i) {
    const Result<Tensor> output = output_tensor(i);
    if (output.ok() && output->const_data_ptr() == nullptr) {
      error = give_place(output.get(), output->nbytes());
    }
  }
  if (error != Error::Ok) {
    return error;
  }
  const size_t missing = own_.shortage() + shared_.shortage();
  error = method_->execute();
  if (error == Error::Ok) {
    return error;
  }
  const size_t short_of = own_.shortage() + shared_.shortage();
  if (error == Error::MemoryAllocationFailed && short_of != missing) {
    return fail(error, "an operator's scratch does not fit: %zu bytes more are needed", short_of);
  }
  return fail(error, "the run of '%s' failed: %s (the log says at which operator)", method_name_,
              executorch::runtime::to_string(error));
}

/// For a first try without data: all inputs zero.
Error Model::zero_inputs() {
  for (size_t i = 0; i < method_->inputs_size(); ++i) {
    Result<Tensor> input = input_tensor(i);
    if (!input.ok()) {
      const Error error = set_input(i, method_->peek_input(i));
      if (error != Error::Ok) {
        return error;
      }
      continue;
    }
    if (input->const_data_ptr() == nullptr) {
      const Error error = give_place(input.get(), input->nbytes());
      if (error != Error::Ok) {
        return error;
      }
    }
    std::memset(input->mutable_data_ptr(), 0, input->nbytes());
    method_->mark_input(i);
  }
  if (method_->inputs_size() > 0) {
    ET_LOG(Info, "no input was set: the model runs on zeros");
  }
  use_transient();
  return Error::Ok;
}

Model::Usage Model::usage() const {
  return {planned_bytes_, method_bytes_, options_.transient == nullptr ? own_.back_peak() : shared_.back_peak()};
}

bool Model::uses_backend(const char* name) const {
  if (!program_) {
    return false;
  }
  const Result<MethodMeta> meta = program_->method_meta(method_name_);
  return meta.ok() && meta->uses_backend(name);
}

}  // namespace wick
