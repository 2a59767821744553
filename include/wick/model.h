// SPDX-License-Identifier: BSD-3-Clause
//
// wick::Model: load a program into one piece of memory, set inputs, run, read outputs. It divides the memory itself,
// finds the program's size itself, and says in words what is wrong. No heap; the arena and the image must outlive it.
//
//   alignas(16) static uint8_t arena[64 * 1024];
//   wick::Model model({{arena, sizeof(arena)}});
//   if (model.load(flash, 8 << 20) != Error::Ok || model.run() != Error::Ok) puts(model.message());
//   float score = model.output<float>(0)[3];
#pragma once

#include <executorch/extension/data_loader/buffer_data_loader.h>
#include <executorch/runtime/core/event_tracer.h>
#include <executorch/runtime/core/exec_aten/util/scalar_type_util.h>
#include <executorch/runtime/core/named_data_map.h>
#include <executorch/runtime/executor/memory_manager.h>
#include <executorch/runtime/executor/method.h>
#include <executorch/runtime/executor/program.h>
#include <executorch/runtime/kernel/operator_registry.h>
#include <wick/arena.h>
#include <wick/optional_parts.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace wick {

/// Memory that several models use in turn for what need not last between runs: activations and scratch. A model's
/// inputs are to be set, and its outputs read, before another model of the same memory is used.
struct TransientMemory {
  uint8_t* data = nullptr;
  size_t size = 0;
  const void* user = nullptr;  ///< the model whose inputs and outputs it holds; set by the models
};

/// The option for weights in data files (.ptd), with the part of the loader that it needs: an image without such an
/// option does not carry it. Several files: merge their maps by MergedDataMap.
struct DataMapOption {
  DataMapOption() = default;
  DataMapOption(const executorch::runtime::NamedDataMap* data_map)
      : map(data_map), part(data_map == nullptr ? nullptr : &external_data) {}
  const executorch::runtime::NamedDataMap* map = nullptr;
  const ExternalData* part = nullptr;
};

/// The option for kernels of one model: they come before registered kernels and those of the image's table.
struct KernelsOption {
  KernelsOption() = default;
  KernelsOption(executorch::runtime::Span<const executorch::runtime::Kernel> kernels)
      : list(kernels), part(kernels.empty() ? nullptr : &foreign_calls) {}
  executorch::runtime::Span<const executorch::runtime::Kernel> list = {};
  const ForeignCalls* part = nullptr;
};

class Model {
 public:
  using Error = executorch::runtime::Error;
  using EValue = executorch::runtime::EValue;
  using Tensor = executorch::aten::Tensor;
  template <typename T>
  using Span = executorch::runtime::Span<T>;

  struct Options {
    /// Memory for everything that has no other place. Any alignment.
    Span<uint8_t> arena = {};
    /// Memories by the program's memory id: the first is for id 1, and so on. An empty one means the arena. Each must
    /// start at a multiple of 16.
    Span<const Span<uint8_t>> regions = {};
    /// Shared with other models; null: activations and scratch come from the arena.
    TransientMemory* transient = nullptr;
    /// The method to load; null: "forward", or the only one.
    const char* method = nullptr;
    /// Called before each instruction with its index and the number of instructions; false stops the run with
    /// InvalidState, and the next run starts afresh. Unset, it costs 2 instructions per operator.
    bool (*on_operator)(void* context, size_t index, size_t count) = nullptr;
    void* context = nullptr;  ///< handed to on_operator
    executorch::runtime::EventTracer* tracer = nullptr;
    DataMapOption data_map = {};  ///< a const NamedDataMap*, such as an extension::FlatTensorDataMap
    KernelsOption kernels = {};   ///< a Span<const Kernel>
  };

  /// Where the memory goes, in bytes. The scratch is the most that loading and the runs so far have needed.
  struct Usage {
    size_t planned;  ///< activations and state, in arena, regions and transient memory
    size_t method;   ///< what load_method keeps, in the arena
    size_t scratch;  ///< of operators and of loading
  };

  explicit Model(const Options& options) : options_(options) {}
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  ~Model() { unload(); }

  /// Loads the program at `image`, of which at most `capacity` bytes may be read (the size of a flash region will do).
  /// A program that was loaded before is given up. Errors: MemoryAllocationFailed (the message says by how much the
  /// arena is too small), InvalidProgram, InvalidArgument, OperatorMissing, NotFound and others of load_method().
  Error load(const void* image, size_t capacity);
  void unload();
  /// Loads the method afresh: state is as at the beginning. Errors: as load().
  Error reset_state();

  /// Runs the method. If no input was ever set, all are zero, and the log says so. Errors: InvalidState (not loaded,
  /// stopped by on_operator, or another model has used the transient memory since the inputs were set),
  /// InvalidArgument (some inputs are set, others not), those of operators.
  Error run();

  size_t inputs_size() const { return method_ ? method_->inputs_size() : 0; }
  size_t outputs_size() const { return method_ ? method_->outputs_size() : 0; }

  /// The elements of an input, to be written in place, in the program's dim order; an empty span if there is no such
  /// input, it is no tensor, or its elements are not T (the message says what they are).
  template <typename T>
  Span<T> input(size_t index) {
    void* const data = has_type(input_tensor(index), type_of<T>(), "input", index) ? input_data(index) : nullptr;
    return {static_cast<T*>(data), data == nullptr ? 0 : input_tensor(index)->nbytes() / sizeof(T)};
  }
  /// The elements of an output after a run.
  template <typename T>
  Span<const T> output(size_t index) {
    if (!has_type(output_tensor(index), type_of<T>(), "output", index)) {
      return {};
    }
    const T* const data = static_cast<const T*>(output_tensor(index)->const_data_ptr());
    return {data, data == nullptr ? 0 : output_tensor(index)->nbytes() / sizeof(T)};
  }
  /// The data of an input whatever its type; the input counts as set. Null if there is no such tensor.
  void* input_data(size_t index);
  /// The tensor of an input or output, whatever its type. Error: InvalidArgument (none, or no tensor).
  executorch::runtime::Result<Tensor> input_tensor(size_t index) const;
  executorch::runtime::Result<Tensor> output_tensor(size_t index) const;

  /// Sets an input from a tensor or number as Method::set_input() does: copied and brought into the program's dim order
  /// where the program plans its place, else used in place (then another dim order is an InvalidArgument).
  Error set_input(size_t index, const EValue& value);

  /// Lets the model read an input from, or write an output to, the caller's buffer from now on (DMA double buffers).
  /// Possible where the program does not plan the place itself. Errors: InvalidArgument (no such tensor, a buffer that
  /// is too small, or not at a multiple of alignment()), InvalidState (the program plans the place, or not loaded).
  Error bind_input(size_t index, void* buffer, size_t bytes);
  Error bind_output(size_t index, void* buffer, size_t bytes);
  /// What a bound buffer's address must be a multiple of: the size of an element, or 16 if delegates may read it.
  size_t input_alignment(size_t index) const;
  size_t output_alignment(size_t index) const;

  /// What went wrong last, and what to do: a text, never null, empty if nothing did.
  const char* message() const { return message_; }
  Usage usage() const;
  bool is_loaded() const { return method_.has_value(); }
  bool uses_backend(const char* name) const;

  /// The parts, for all that this class does not offer. Only while a program is loaded.
  executorch::runtime::Program& program() { return *program_; }
  executorch::runtime::Method& method() { return *method_; }

 protected:
  /// Notes and logs an error with a text.
  Error fail(Error error, const char* format, ...) ET_PRINTFLIKE(3, 4);

 private:
  using ScalarType = executorch::aten::ScalarType;
  template <typename T>
  static constexpr ScalarType type_of() {
    return executorch::runtime::CppTypeToScalarType<std::remove_const_t<T>>::value;
  }

  Error load_program(const void* image, size_t capacity);
  Error choose_method();
  Error place_planned(const executorch::runtime::MethodMeta& meta);
  Error load_method();
  Error shortage();
  Error zero_inputs();
  Error need_loaded();
  void use_transient();
  bool has_type(const executorch::runtime::Result<Tensor>& tensor, ScalarType type, const char* what, size_t index);
  /// Gives a tensor without a place one in the arena.
  Error give_place(const Tensor& tensor, size_t bytes);
  Error check_buffer(const executorch::runtime::Result<Tensor>& tensor, const void* buffer, size_t alignment);
  size_t alignment_of(const executorch::runtime::Result<Tensor>& tensor) const;

  Options options_;
  Arena own_;
  Arena shared_;
  FrontAllocator method_pool_{own_};
  std::optional<BackAllocator> scratch_;
  std::optional<executorch::extension::BufferDataLoader> loader_;
  std::optional<executorch::runtime::Program> program_;
  std::optional<executorch::runtime::HierarchicalAllocator> planned_;
  std::optional<executorch::runtime::MemoryManager> memory_;
  std::optional<executorch::runtime::Method> method_;
  const char* method_name_ = nullptr;
  size_t planned_bytes_ = 0;
  size_t method_bytes_ = 0;
  bool any_input_set_ = false;
  char message_[160] = "";
};

}  // namespace wick
