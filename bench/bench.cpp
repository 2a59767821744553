// SPDX-License-Identifier: BSD-3-Clause
// Measures the program that lies in the board's model memory: instructions of each phase and of each operator, memory
// by kind, how many bytes of the model were copied to RAM, and what the runtime itself costs a call. Prints one JSON
// object per line.

#include <executorch/extension/data_loader/buffer_data_loader.h>
#include <executorch/runtime/executor/program.h>
#include <executorch/runtime/platform/runtime.h>
#include <wick/board.h>
#include <wick/kernel_table.h>
#include <wick/pte_size.h>
#include <wick/semihosting.h>

#include <cstdlib>
#include <cstring>
#include <new>

#include "bench/pools.h"

namespace {

using executorch::aten::ScalarType;
using executorch::aten::Tensor;
using executorch::extension::BufferDataLoader;
using executorch::runtime::Error;
using executorch::runtime::EValue;
using executorch::runtime::FreeableBuffer;
using executorch::runtime::HierarchicalAllocator;
using executorch::runtime::Kernel;
using executorch::runtime::KernelRuntimeContext;
using executorch::runtime::MemoryAllocator;
using executorch::runtime::MemoryManager;
using executorch::runtime::Method;
using executorch::runtime::MethodMeta;
using executorch::runtime::Program;
using executorch::runtime::Result;
using executorch::runtime::Span;
using executorch::runtime::Tag;
using executorch::runtime::TensorInfo;

constexpr size_t kMostInstructions = 512;

void print_number(uint64_t value) {
  char digits[20];
  size_t from = sizeof(digits);
  do {
    digits[--from] = static_cast<char>('0' + value % 10U);
    value /= 10U;
  } while (value != 0);
  wick_board_write(digits + from, sizeof(digits) - from);
}

void print_line(const char* key, const char* name, const char* number_key, uint64_t number) {
  wick_board_puts("{\"");
  wick_board_puts(key);
  wick_board_puts("\": \"");
  wick_board_puts(name);
  wick_board_puts("\", \"");
  wick_board_puts(number_key);
  wick_board_puts("\": ");
  print_number(number);
  wick_board_puts("}\n");
}

int fail(const char* what, Error error) {
  print_line("error", what, "code", static_cast<uint64_t>(error));
  return 1;
}

/// Reads in place, and counts what the runtime wants copied instead.
class CountingLoader final : public executorch::runtime::DataLoader {
 public:
  explicit CountingLoader(const BufferDataLoader& loader) : loader_(loader) {}

  Result<FreeableBuffer> load(size_t offset, size_t size, const SegmentInfo& info) const override {
    return loader_.load(offset, size, info);
  }
  Error load_into(size_t offset, size_t size, const SegmentInfo& info, void* buffer) const override {
    copied_ += size;
    return loader_.load_into(offset, size, info, buffer);
  }
  Result<size_t> size() const override { return loader_.size(); }
  size_t copied() const { return copied_; }

 private:
  const BufferDataLoader& loader_;
  mutable size_t copied_ = 0;
};

/// Remembers the largest use between resets.
class PeakAllocator final : public MemoryAllocator {
 public:
  PeakAllocator(uint32_t bytes, uint8_t* base) : MemoryAllocator(bytes, base) {}
  void* allocate(size_t bytes, size_t alignment) override {
    void* const block = MemoryAllocator::allocate(bytes, alignment);
    peak_ = used_size() > peak_ ? used_size() : peak_;
    return block;
  }
  size_t peak() const { return peak_; }

 private:
  size_t peak_ = 0;
};

/// Times at which instructions began.
struct Stamps {
  uint64_t ticks[kMostInstructions + 1];
  size_t count = 0;

  static bool stamp(void* context, size_t, size_t) {
    auto& self = *static_cast<Stamps*>(context);
    if (self.count < kMostInstructions) {
      self.ticks[self.count++] = wick_board_ticks();
    }
    return true;
  }
};

uint32_t seed = 1;         // of the inputs
uint32_t more_inputs = 0;  // to execute with

/// The firmware is called with the seed, if with anything, and with the number of further inputs.
void take_command() {
  char words[32];
  if (wick::semihosting::command_line(words, sizeof(words)) && words[0] != '\0') {
    char* end = nullptr;
    seed = static_cast<uint32_t>(std::strtoul(words, &end, 10));
    more_inputs = static_cast<uint32_t>(std::strtoul(end, nullptr, 10));
  }
}

/// Numbers between -1 and 1, or small integers; always the same ones for a seed.
void fill(void* data, size_t bytes, ScalarType type) {
  uint32_t state = seed;
  const auto next = [&state] {
    state = state * 1664525U + 1013904223U;
    return state >> 8;
  };
  if (type == ScalarType::Float) {
    auto* const values = static_cast<float*>(data);
    for (size_t i = 0; i < bytes / sizeof(float); ++i) {
      values[i] = static_cast<float>(next()) / 8388608.0F - 1.0F;
    }
  } else if (type == ScalarType::Char || type == ScalarType::Byte) {
    auto* const values = static_cast<uint8_t*>(data);
    for (size_t i = 0; i < bytes; ++i) {
      values[i] = static_cast<uint8_t>(next());
    }
  } else {
    std::memset(data, 0, bytes);
  }
}

Error set_tensor(Method& method, size_t index, const TensorInfo& info, wick::bench::Ram& ram) {
  wick::bench::Input* const input = wick::bench::make_input(info, ram);
  if (input == nullptr) {
    return Error::MemoryAllocationFailed;
  }
  fill(input->data, info.nbytes(), info.scalar_type());
  return method.set_input(EValue(Tensor(&input->description)), index);
}

Error set_inputs(Method& method, const MethodMeta& meta, wick::bench::Ram& ram) {
  for (size_t i = 0; i < meta.num_inputs(); ++i) {
    Error error = Error::NotSupported;
    if (meta.input_tag(i).get() == Tag::Tensor) {
      error = set_tensor(method, i, meta.input_tensor_meta(i).get(), ram);
    }
    if (error != Error::Ok) {
      return error;
    }
  }
  return Error::Ok;
}

Error set_outputs(Method& method, const MethodMeta& meta, wick::bench::Ram& ram) {
  for (size_t i = 0; i < meta.num_outputs(); ++i) {
    if (meta.output_tag(i).get() != Tag::Tensor || meta.output_tensor_meta(i)->is_memory_planned()) {
      continue;
    }
    const size_t bytes = meta.output_tensor_meta(i)->nbytes();
    const Error error = method.set_output_data_ptr(ram.take(bytes), bytes, i);
    if (error != Error::Ok) {
      return error;
    }
  }
  return Error::Ok;
}

/// Instructions of one execute(), or the error.
Result<uint64_t> timed_execute(Method& method) {
  const uint64_t start = wick_board_ticks();
  const Error error = method.execute();
  const uint64_t ticks = wick_board_ticks() - start;
  if (error != Error::Ok) {
    return error;
  }
  return wick_board_ticks_to_instructions(ticks);
}

/// One execution for each further input, whose seeds follow the first.
Error print_varied(Method& method, const MethodMeta& meta, const wick::bench::Ram& ram) {
  for (; more_inputs > 0; --more_inputs) {
    ++seed;
    wick::bench::Ram room = ram;  // the same for every input
    const Error error = set_inputs(method, meta, room);
    const Result<uint64_t> ticks = error == Error::Ok ? timed_execute(method) : Result<uint64_t>(error);
    if (!ticks.ok()) {
      return ticks.error();
    }
    print_line("varied", "execute", "instructions", ticks.get());
  }
  return Error::Ok;
}

Error print_operators(Method& method, Stamps& stamps) {
  method.set_operator_hook(&Stamps::stamp, &stamps);
  const Error error = method.execute();
  stamps.ticks[stamps.count] = wick_board_ticks();
  for (size_t i = 0; i < stamps.count; ++i) {
    wick_board_puts("{\"operator\": ");
    print_number(i);
    wick_board_puts(", \"instructions\": ");
    print_number(wick_board_ticks_to_instructions(stamps.ticks[i + 1] - stamps.ticks[i]));
    wick_board_puts("}\n");
  }
  return error;
}

void do_nothing(KernelRuntimeContext&, Span<EValue*>) {}

/// The runtime's own instructions per call: the method again, with kernels that do nothing.
Error print_runtime(const Program& program, const MethodMeta& meta, HierarchicalAllocator& planned,
                    MemoryAllocator& temp, wick::bench::Ram& ram, size_t calls) {
  auto* const kernels = reinterpret_cast<Kernel*>(ram.take(wick_kernel_table.size * sizeof(Kernel)));
  uint8_t* const method_base = ram.take(wick::bench::kMethodBytes);
  if (kernels == nullptr || method_base == nullptr) {
    return Error::MemoryAllocationFailed;
  }
  for (size_t i = 0; i < wick_kernel_table.size; ++i) {
    new (&kernels[i]) Kernel(wick_kernel_table.entries[i].name, do_nothing);
  }
  MemoryAllocator method_memory(wick::bench::kMethodBytes, method_base);
  MemoryManager memory(&method_memory, &planned, &temp);
  Result<Method> method =
      program.load_method("forward", &memory, nullptr, nullptr, nullptr, {kernels, wick_kernel_table.size});
  if (!method.ok()) {
    return method.error();
  }
  Error error = set_inputs(method.get(), meta, ram);
  if (error == Error::Ok) {
    error = set_outputs(method.get(), meta, ram);
  }
  const Result<uint64_t> total = error == Error::Ok ? timed_execute(method.get()) : Result<uint64_t>(error);
  if (total.ok()) {
    print_line("phase", "runtime", "instructions", total.get() / calls);
  }
  return total.error();
}

int measure_method(Program& program, const CountingLoader& loader) {
  const Result<MethodMeta> meta = program.method_meta("forward");
  if (!meta.ok()) {
    return fail("method_meta", meta.error());
  }
  wick::bench::Ram ram;
  wick::bench::Planned planned;
  uint8_t* const method_base = ram.take(wick::bench::kMethodBytes);
  uint8_t* const temp_base = ram.take(wick::bench::kTempBytes);
  if (!planned.take(meta.get(), ram)) {
    return fail("planned memory", Error::MemoryAllocationFailed);
  }
  HierarchicalAllocator planned_memory = planned.allocator();
  MemoryAllocator method_memory(wick::bench::kMethodBytes, method_base);
  PeakAllocator temp_memory(wick::bench::kTempBytes, temp_base);
  MemoryManager memory(&method_memory, &planned_memory, &temp_memory);

  const size_t stack_before = wick_board_stack_paint();
  const uint64_t start = wick_board_ticks();
  Result<Method> method = program.load_method("forward", &memory);
  const uint64_t ticks = wick_board_ticks() - start;
  const size_t load_stack = wick_board_stack_peak() - stack_before;
  if (!method.ok()) {
    return fail("load_method", method.error());
  }
  print_line("phase", "load_method", "instructions", wick_board_ticks_to_instructions(ticks));

  Error error = set_inputs(method.get(), meta.get(), ram);
  if (error == Error::Ok) {
    error = set_outputs(method.get(), meta.get(), ram);
  }
  if (error != Error::Ok) {
    return fail("set_input", error);
  }
  const size_t execute_before = wick_board_stack_paint();
  const Result<uint64_t> first = timed_execute(method.get());
  const size_t execute_stack = wick_board_stack_peak() - execute_before;
  const Result<uint64_t> steady = timed_execute(method.get());
  if (!first.ok() || !steady.ok()) {
    return fail("execute", first.ok() ? steady.error() : first.error());
  }
  print_line("phase", "first", "instructions", first.get());
  print_line("phase", "execute", "instructions", steady.get());
  error = print_varied(method.get(), meta.get(), ram);
  if (error != Error::Ok) {
    return fail("execute", error);
  }
  static Stamps stamps;
  error = print_operators(method.get(), stamps);
  print_line("ram", "planned", "bytes", planned.bytes);
  print_line("ram", "method", "bytes", method_memory.used_size());
  print_line("ram", "temp", "bytes", temp_memory.peak());
  print_line("stack", "load_method", "bytes", load_stack);
  print_line("stack", "execute", "bytes", execute_stack);
  print_line("copied", "model", "bytes", loader.copied());
  if (error == Error::Ok && stamps.count > 0) {
    error = print_runtime(program, meta.get(), planned_memory, temp_memory, ram, stamps.count);
  }
  return error == Error::Ok ? 0 : fail("execute", error);
}

}  // namespace

int main() {
  executorch::runtime::runtime_init();
  take_command();
  const wick_board_memory_t flash = wick_board_model();
  const Result<size_t> size = wick::pte_size(flash.base, flash.bytes);
  if (!size.ok()) {
    return fail("pte_size", size.error());
  }
  const BufferDataLoader buffer_loader(flash.base, size.get());
  CountingLoader loader(buffer_loader);
  const uint64_t start = wick_board_ticks();
  Result<Program> program = Program::load(&loader);
  const uint64_t ticks = wick_board_ticks() - start;
  if (!program.ok()) {
    return fail("load", program.error());
  }
  print_line("phase", "load", "instructions", wick_board_ticks_to_instructions(ticks));
  return measure_method(program.get(), loader);
}
