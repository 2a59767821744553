// SPDX-License-Identifier: BSD-3-Clause
// Lets the functional model of the NPU answer the Ethos-U delegate: link wick::ethos_u_model beside wick::ethos_u.
#include <executorch/runtime/platform/log.h>
#include <npu/payload.h>
#include <wick/ethos_u.h>

namespace {

using executorch::runtime::Error;

alignas(16) uint8_t workspace[WICK_ETHOS_U_MODEL_WORKSPACE];
// Region 2 of an application that defines none.
alignas(16) uint8_t fast_scratch[WICK_ETHOS_U_MODEL_FAST_SCRATCH + 16];

}  // namespace

extern "C" Error wick_ethos_u_invoke(const wick::ethos_u::Inference& inference) {
  namespace npu = wick::npu;
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
  const npu::Result result = npu::run(config, stream.words, regions, 3, {workspace, sizeof(workspace)});
  if (result.ok()) {
    return Error::Ok;
  }
  ET_LOG(Error, "NPU model: %s at byte %u of the command stream: %s", npu::fault_name(result.fault),
         static_cast<unsigned>(result.command_offset), result.message);
  return result.fault == npu::Fault::kWorkspace ? Error::MemoryAllocationFailed : Error::InvalidProgram;
}
