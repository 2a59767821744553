// SPDX-License-Identifier: BSD-3-Clause
// The delegate "EthosUBackend": reads its payload in place, lays inputs into the scratch, has the NPU run, takes
// outputs out. It has no state of its own and needs no initialisation.
#include <executorch/runtime/backend/interface.h>
#include <executorch/runtime/core/event_tracer_hooks_delegate.h>
#include <executorch/runtime/platform/log.h>
#include <wick/backend_table.h>

#include <cstring>
#include <new>

#include "src/backends/ethos_u/bytes.h"
#include "src/backends/ethos_u/load_payload.h"

namespace wick::ethos_u {
namespace {

using namespace executorch::runtime;
using executorch::aten::ScalarType;
using executorch::aten::Tensor;

struct Delegate {
  Payload payload;
  ExternalBlocks external;
};

// Low nibble first, each sign-extended.
void widen_int4(const uint8_t* from, size_t bytes, uint8_t* to) {
  for (size_t i = 0; i < bytes; ++i) {
    const int low = from[i] & 15;
    const int high = from[i] >> 4;
    to[2 * i] = static_cast<uint8_t>(low >= 8 ? low - 16 : low);
    to[2 * i + 1] = static_cast<uint8_t>(high >= 8 ? high - 16 : high);
  }
}

// The output may be padded along its last dimension, or hold two int4 a byte.
bool copy_output(const Binding& binding, const uint8_t* from, Tensor& tensor) {
  auto* to = static_cast<uint8_t*>(tensor.mutable_data_ptr());
  const size_t bytes = tensor.nbytes();
  if (bytes == binding.bytes) {
    arm_ethos_io_memcpy(to, from, bytes);
    return true;
  }
  const size_t runs = binding.bytes / binding.last_bytes;
  if (bytes % runs != 0) return false;
  const size_t run = bytes / runs;
  const bool packed = run > binding.last_bytes;
  if (packed &&
      (run != 2 * binding.last_bytes || binding.element_bytes != 1 || tensor.scalar_type() != ScalarType::Char)) {
    return false;
  }
  for (size_t i = 0; i < runs; ++i) {
    if (packed) {
      widen_int4(from + i * binding.last_bytes, binding.last_bytes, to + i * run);
    } else {
      arm_ethos_io_memcpy(to + i * run, from + i * binding.last_bytes, run);
    }
  }
  return true;
}

/// The application's hooks around an execution, however it ends.
struct Around {
  Around() { EthosUBackend_execute_begin(); }
  ~Around() { EthosUBackend_execute_end(); }
};

class EthosUBackend final : public BackendInterface {
 public:
  bool is_available() const override { return true; }

  Result<DelegateHandle*> init(BackendInitContext& context, FreeableBuffer* processed,
                               ArrayRef<CompileSpec> /*compile_specs*/) const override {
    Payload payload;
    Error error = load_payload({static_cast<const uint8_t*>(processed->data()), processed->size()}, payload);
    if (error != Error::Ok) return error;
    void* memory = context.get_runtime_allocator()->allocate(sizeof(Delegate), alignof(Delegate));
    if (memory == nullptr) return Error::MemoryAllocationFailed;
    auto* delegate = new (memory) Delegate{payload, ExternalBlocks()};
    error = load_external_blocks(context.get_named_data_map(), delegate->payload, delegate->external);
    if (error != Error::Ok) {
      destroy(delegate);
      return error;
    }
    return delegate;
  }

  Error execute(BackendExecutionContext& context, DelegateHandle* handle, Span<EValue*> args) const override {
    const Payload& payload = static_cast<Delegate*>(handle)->payload;
    const size_t inputs = payload.inputs.count;
    if (args.size() < inputs || args.size() - inputs != payload.outputs.count) {
      ET_LOG(Error, "Ethos-U: %u arguments, the payload has %u inputs and %u outputs",
             static_cast<unsigned>(args.size()), static_cast<unsigned>(inputs),
             static_cast<unsigned>(payload.outputs.count));
      return Error::InvalidProgram;
    }
    auto* scratch = static_cast<uint8_t*>(context.allocate(payload.scratch_size, kAlign));
    if (scratch == nullptr && payload.scratch_size != 0) {
      ET_LOG(Error, "Ethos-U: the temp allocator has no %u bytes of scratch",
             static_cast<unsigned>(payload.scratch_size));
      return Error::MemoryAllocationFailed;
    }
    const Around around;
    for (uint32_t i = 0; i < inputs; ++i) {
      if (const Error error = take_input(payload, i, *args[i], scratch); error != Error::Ok) return error;
    }
    Inference inference{payload.command_data, payload.weights,     scratch,
                        payload.scratch_size, ethosu_fast_scratch, ethosu_fast_scratch_size};
    const auto event =
        event_tracer_start_profiling_delegate(context.event_tracer(), "Ethos-U", kUnsetDelegateDebugIntId);
    const Error ran = wick_ethos_u_invoke(inference);
    event_tracer_end_profiling_delegate(context.event_tracer(), event, &inference.cycles, sizeof(inference.cycles));
    if (ran != Error::Ok) return ran;
    for (uint32_t i = 0; i < payload.outputs.count; ++i) {
      if (const Error error = give_output(payload, i, *args[inputs + i], scratch); error != Error::Ok) return error;
    }
    return Error::Ok;
  }

  Result<DelegateMemory> memory_required(const FreeableBuffer& processed, size_t pointer_bytes) const override {
    constexpr size_t kOn32Bits = 96;
    static_assert(sizeof(void*) != 4 || sizeof(Delegate) == kOn32Bits, "the delegate's size on a 32-bit target");
    static_assert(alignof(Delegate) <= 8);
    Payload payload;
    const Error error = load_payload({static_cast<const uint8_t*>(processed.data()), processed.size()}, payload);
    if (error != Error::Ok) return error;
    return DelegateMemory{pointer_bytes == 4 ? kOn32Bits : sizeof(Delegate), payload.scratch_size};
  }

  void destroy(DelegateHandle* handle) const override {
    if (handle != nullptr) static_cast<Delegate*>(handle)->~Delegate();
  }

 private:
  static Error refuse([[maybe_unused]] const char* block, [[maybe_unused]] uint32_t index,
                      [[maybe_unused]] const char* what) {
    ET_LOG(Error, "Ethos-U payload: block %s, record %u: %s", block, static_cast<unsigned>(index), what);
    return Error::InvalidProgram;
  }

  // Records are read again from memory that can change after init, so they are checked again.
  static Error take_input(const Payload& payload, uint32_t index, const EValue& value, uint8_t* scratch) {
    Binding binding{};
    if ([[maybe_unused]] const char* wrong = read_binding(payload.inputs, index, payload.scratch_size, binding)) {
      return refuse("inputs", index, wrong);
    }
    if (!value.isTensor()) return refuse("inputs", index, "the argument is not a tensor");
    const Tensor& tensor = value.toTensor();
    if (tensor.nbytes() != binding.bytes || static_cast<uint32_t>(tensor.element_size()) != binding.element_bytes) {
      return refuse("inputs", index, "the tensor has another size or element type");
    }
    if (binding.bytes != 0) arm_ethos_io_memcpy(scratch + binding.offset, tensor.const_data_ptr(), binding.bytes);
    return Error::Ok;
  }

  static Error give_output(const Payload& payload, uint32_t index, EValue& value, const uint8_t* scratch) {
    Binding binding{};
    if ([[maybe_unused]] const char* wrong = read_binding(payload.outputs, index, payload.scratch_size, binding)) {
      return refuse("outputs", index, wrong);
    }
    if (!value.isTensor()) return refuse("outputs", index, "the argument is not a tensor");
    Tensor& tensor = value.toTensor();
    if (!copy_output(binding, scratch + binding.offset, tensor)) {
      return refuse("outputs", index, "the tensor has another size or element type");
    }
    return Error::Ok;
  }
};

WICK_NO_DESTROY EthosUBackend backend;
const Backend entries[] = {{"EthosUBackend", &backend}};

}  // namespace
}  // namespace wick::ethos_u

extern const wick::BackendTable wick_backend_table = {wick::ethos_u::entries, 1};
