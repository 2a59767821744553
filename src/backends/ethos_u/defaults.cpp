// SPDX-License-Identifier: BSD-3-Clause
// What an application can define in place of these: the NPU itself and the memory of region 2.
#include <executorch/runtime/platform/compiler.h>
#include <executorch/runtime/platform/log.h>
#include <wick/ethos_u.h>

extern "C" {

ET_WEAK unsigned char* ethosu_fast_scratch = nullptr;
ET_WEAK size_t ethosu_fast_scratch_size = 0;

ET_WEAK executorch::runtime::Error wick_ethos_u_invoke(const wick::ethos_u::Inference& /*inference*/) {
  ET_LOG(Error, "Ethos-U: no NPU in this image: link wick::ethos_u_model, or define wick_ethos_u_invoke() by a driver");
  return executorch::runtime::Error::NotFound;
}

}  // extern "C"
