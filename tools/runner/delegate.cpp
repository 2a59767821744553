// SPDX-License-Identifier: BSD-3-Clause
// Lays a delegate's tensors into the scratch as the payload says, runs the model, and takes the outputs out.
#include "tools/runner/delegate.h"

#include <npu/payload.h>

#include <cstring>

#include "tools/runner/tensors.h"

namespace wick::runner {
namespace {

using executorch::runtime::Error;
using executorch::runtime::EValue;

constexpr uint8_t kJunk = 0xA5;
constexpr size_t kMostDims = 16;

/// A payload with the memory that a run needs.
struct Loaded {
  npu::Payload payload;
  npu::CommandStream stream;
  npu::Config config;
  uint8_t* scratch = nullptr;
  uint8_t* fast = nullptr;
  size_t fast_bytes = 0;
  npu::Workspace workspace;
};

class DelegateSession {
 public:
  DelegateSession(uint32_t number, const char* bin_path, Port& port, Records& records)
      : number_(number), bin_path_(bin_path), port_(port), records_(records) {}

  void run(Reader& job, const char* payload_path) {
    const uint32_t offset = job.u32();
    const uint32_t bytes = job.u32();
    loaded_.fast_bytes = job.u32();
    options_ = job.u32();
    auto* data = static_cast<uint8_t*>(port_.allocate(bytes));
    if (data == nullptr || !port_.read_file(payload_path, offset, data, bytes)) {
      return fail(Stage::kRead, 0, 0, Error::AccessFailed);
    }
    const Error error = load({data, bytes});
    if (error != Error::Ok) {
      return fail(error == Error::MemoryAllocationFailed ? Stage::kMemory : Stage::kProgram, 0, 0, error);
    }
    const uint32_t calls = job.u32();
    for (uint32_t call = 0; call < calls && job.ok(); ++call) {
      if (!run_call(job, call)) {
        return;
      }
    }
  }

 private:
  void fail(Stage stage, uint32_t call, uint32_t item, Error error) {
    records_.failed(stage, number_, call, item, error);
  }

  Error load(npu::Bytes bytes) {
    if (npu::parse_payload(bytes, loaded_.payload) != nullptr ||
        npu::parse_driver_payload(loaded_.payload.command_data, loaded_.stream) != nullptr ||
        !npu::config_from_word(loaded_.stream.config_word, loaded_.config)) {
      return Error::InvalidProgram;
    }
    loaded_.scratch = static_cast<uint8_t*>(port_.allocate(loaded_.payload.scratch_size));
    loaded_.fast = static_cast<uint8_t*>(port_.allocate(loaded_.fast_bytes));
    size_t workspace = npu::kWorkspaceFast;
    void* memory = port_.allocate(workspace);
    if (memory == nullptr) {
      workspace = npu::kWorkspaceSmall;
      memory = port_.allocate(workspace);
    }
    loaded_.workspace = {static_cast<uint8_t*>(memory), workspace};
    const bool all = loaded_.scratch != nullptr && loaded_.fast != nullptr && memory != nullptr;
    return all ? Error::Ok : Error::MemoryAllocationFailed;
  }

  /// The place of a tensor in the scratch; null when the payload and the case differ in it.
  uint8_t* place(npu::Bytes list, uint32_t index, uint64_t bytes) {
    npu::Binding binding;
    if (npu::parse_binding(list, index, binding) != nullptr || binding.bytes != bytes || binding.offset < 0) {
      return nullptr;
    }
    const auto offset = static_cast<uint64_t>(binding.offset);
    const uint64_t size = loaded_.payload.scratch_size;
    return offset <= size && bytes <= size - offset ? loaded_.scratch + offset : nullptr;
  }

  bool run_call(Reader& job, uint32_t call) {
    std::memset(loaded_.scratch, (options_ & kZeroedScratch) != 0 ? 0 : kJunk, loaded_.payload.scratch_size);
    std::memset(loaded_.fast, kJunk, loaded_.fast_bytes);
    const uint32_t inputs = job.u32();
    for (uint32_t i = 0; i < inputs; ++i) {
      EValue value;
      const Error error = read_input(job, port_, bin_path_, value);
      uint8_t* at = error == Error::Ok && value.isTensor()
                        ? place(loaded_.payload.input_records, i, value.toTensor().nbytes())
                        : nullptr;
      if (at == nullptr) {
        fail(Stage::kInput, call, i, error == Error::Ok ? Error::InvalidArgument : error);
        return false;
      }
      std::memcpy(at, value.toTensor().const_data_ptr(), value.toTensor().nbytes());
    }
    const npu::Region regions[] = {
        npu::read_only(loaded_.payload.weight_data.data, loaded_.payload.weight_data.size),
        npu::read_write(loaded_.scratch, loaded_.payload.scratch_size),
        npu::read_write(loaded_.fast, loaded_.fast_bytes),
    };
    npu::Options options;
    options.trace = [](void* records, const npu::OperationTrace&) { static_cast<Records*>(records)->progress(); };
    options.trace_context = &records_;
    options.table_past_shram = (options_ & kTablePastShram) != 0;
    const npu::Result result = npu::run(loaded_.config, loaded_.stream.words, regions, 3, loaded_.workspace, options);
    if (!result.ok()) {
      ET_LOG(Error, "NPU model: %s at byte %u of the command stream: %s", npu::fault_name(result.fault),
             static_cast<unsigned>(result.command_offset), result.message);
      fail(Stage::kExecute, call, 0, Error::DelegateInvalidCompatibility);
      return false;
    }
    return take_outputs(job, call);
  }

  bool take_outputs(Reader& job, uint32_t call) {
    const uint32_t outputs = job.u32();
    for (uint32_t i = 0; i < outputs; ++i) {
      TensorRecord tensor{};
      tensor.type = static_cast<executorch::aten::ScalarType>(job.u32());
      tensor.dims = job.u32();
      int32_t sizes[kMostDims];
      uint64_t bytes = executorch::runtime::elementSize(tensor.type);
      for (uint32_t d = 0; d < tensor.dims && d < kMostDims; ++d) {
        sizes[d] = static_cast<int32_t>(job.u32());
        bytes *= static_cast<uint32_t>(sizes[d]);
      }
      tensor.sizes = sizes;
      tensor.data = place(loaded_.payload.output_records, i, bytes);
      tensor.bytes = static_cast<size_t>(bytes);
      if (tensor.data == nullptr || tensor.dims > kMostDims) {
        fail(Stage::kOutput, call, i, Error::InvalidArgument);
        return false;
      }
      records_.tensor(number_, call, i, tensor);
    }
    records_.call_done(number_, call);
    return true;
  }

  uint32_t number_;
  const char* bin_path_;
  Port& port_;
  Records& records_;
  uint32_t options_ = 0;
  Loaded loaded_;
};

}  // namespace

void run_delegate(Reader& session, uint32_t number, const char* payload_path, const char* bin_path, Port& port,
                  Records& records) {
  DelegateSession(number, bin_path, port, records).run(session, payload_path);
}

}  // namespace wick::runner
