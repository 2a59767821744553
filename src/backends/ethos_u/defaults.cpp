// SPDX-License-Identifier: BSD-3-Clause
// What an application can define in place of these: the NPU itself, the memory of region 2, hooks of the delegate.
#include <executorch/runtime/platform/compiler.h>
#include <executorch/runtime/platform/log.h>
#include <wick/ethos_u.h>

#include <cstring>

extern "C" {

ET_WEAK unsigned char* ethosu_fast_scratch = nullptr;
ET_WEAK size_t ethosu_fast_scratch_size = 0;

ET_WEAK executorch::runtime::Error wick_ethos_u_invoke(wick::ethos_u::Inference& /*inference*/) {
  ET_LOG(Error, "Ethos-U: no NPU in this image: configure with WICK_ETHOS_U=hardware or model");
  return executorch::runtime::Error::NotFound;
}

ET_WEAK void EthosUBackend_execute_begin(void) {}
ET_WEAK void EthosUBackend_execute_end(void) {}
ET_WEAK void arm_ethos_io_memcpy(void* to, const void* from, size_t bytes) { std::memcpy(to, from, bytes); }

}  // extern "C"
