// SPDX-License-Identifier: BSD-3-Clause
// Lets the functional model of the NPU answer the Ethos-U delegate. As there is one NPU on a chip there is one model:
// on a PC a second thread waits for it, on a device (an interrupt during an inference) it is refused.
#include <executorch/runtime/platform/compiler.h>
#include <executorch/runtime/platform/log.h>
#include <npu/payload.h>
#include <wick/ethos_u.h>

#if WICK_ETHOS_U_MODEL_WAITS
#include <mutex>
#else
#include <atomic>
#endif

namespace {

using executorch::runtime::Error;
namespace npu = wick::npu;

alignas(16) uint8_t workspace[WICK_ETHOS_U_MODEL_WORKSPACE];
// Region 2 of an application that defines none.
alignas(16) uint8_t fast_scratch[WICK_ETHOS_U_MODEL_FAST_SCRATCH + 16];

#if WICK_ETHOS_U_MODEL_WAITS
class Turn {
 public:
  Turn() { one.lock(); }
  ~Turn() { one.unlock(); }
  bool taken() const { return true; }

 private:
  static inline std::mutex one;
};
#else
class Turn {
 public:
  Turn() : taken_(!busy.exchange(true)) {}
  ~Turn() {
    if (taken_) busy = false;
  }
  bool taken() const { return taken_; }

 private:
  static inline std::atomic<bool> busy{false};
  const bool taken_;
};
#endif

Error report(const npu::Result& result) {
  ET_LOG(Error, "NPU model: %s at byte %u of the command stream: %s", npu::fault_name(result.fault),
         static_cast<unsigned>(result.command_offset), result.message);
  if (result.fault != npu::Fault::kWorkspace) return Error::InvalidProgram;
  ET_LOG(Error, "NPU model: WICK_ETHOS_U_MODEL_WORKSPACE has to be at least %u bytes",
         static_cast<unsigned>(result.workspace));
  return Error::MemoryAllocationFailed;
}

}  // namespace

// So that a program written for hardware builds with the model.
Error wick::ethos_u::init(const Settings& /*settings*/) { return Error::Ok; }
extern "C" void wick_ethos_u_interrupt(void) {}
extern "C" ET_WEAK void wick_ethos_u_model_progress(void) {}

extern "C" Error wick_ethos_u_invoke(wick::ethos_u::Inference& inference) {
  npu::CommandStream stream;
  if ([[maybe_unused]] const char* wrong =
          npu::parse_driver_payload({inference.command_data.data, inference.command_data.size}, stream)) {
    ET_LOG(Error, "Ethos-U payload: %s", wrong);
    return Error::InvalidProgram;
  }
  npu::Config config;
  if (!npu::config_from_word(stream.config_word, config)) {
    ET_LOG(Error, "Ethos-U payload: block cmd_data: CONFIG 0x%08x names no NPU that the model knows",
           static_cast<unsigned>(stream.config_word));
    return Error::DelegateInvalidCompatibility;
  }
  const bool own = inference.fast_scratch == nullptr;
  const npu::Region regions[] = {
      npu::read_only(inference.weights.data, inference.weights.size),
      npu::read_write(inference.scratch, inference.scratch_size),
      npu::read_write(own ? fast_scratch : inference.fast_scratch,
                      own ? WICK_ETHOS_U_MODEL_FAST_SCRATCH : inference.fast_scratch_size),
  };
  const Turn turn;
  if (!turn.taken()) {
    ET_LOG(Error, "NPU model: another inference runs on it");
    return Error::InvalidState;
  }
  npu::Options options;
  options.trace = [](void*, const npu::OperationTrace&) { wick_ethos_u_model_progress(); };
  const npu::Result result = npu::run(config, stream.words, regions, 3, {workspace, sizeof(workspace)}, options);
  inference.cycles = result.cycles;
  return result.ok() ? Error::Ok : report(result);
}
