// SPDX-License-Identifier: BSD-3-Clause
// Hands the delegate's inferences to Arm's own driver (ethosu_init() is the application's, as with ExecuTorch). Its
// functions are declared here, so that its headers are not needed.
#include <executorch/runtime/platform/log.h>
#include <wick/ethos_u.h>

extern "C" {
struct ethosu_driver* ethosu_reserve_driver(void);
void ethosu_release_driver(struct ethosu_driver* driver);
int ethosu_invoke_v3(struct ethosu_driver* driver, const void* custom_data, int custom_data_size, uint64_t* base_addr,
                     const size_t* base_addr_size, int num_base_addr, void* user);
}

extern "C" executorch::runtime::Error wick_ethos_u_invoke(wick::ethos_u::Inference& inference) {
  using executorch::runtime::Error;
  struct ethosu_driver* driver = ethosu_reserve_driver();
  if (driver == nullptr) {
    ET_LOG(Error, "Ethos-U: ethosu_reserve_driver() gives no NPU: was ethosu_init() called?");
    return Error::InvalidState;
  }
  const auto address = [](const void* data) { return static_cast<uint64_t>(reinterpret_cast<uintptr_t>(data)); };
  uint64_t bases[] = {address(inference.weights.data), address(inference.scratch), address(inference.fast_scratch)};
  const size_t sizes[] = {inference.weights.size, inference.scratch_size, inference.fast_scratch_size};
  const int status = ethosu_invoke_v3(driver, inference.command_data.data,
                                      static_cast<int>(inference.command_data.size), bases, sizes, 3, nullptr);
  ethosu_release_driver(driver);
  if (status == 0) return Error::Ok;
  ET_LOG(Error, "Ethos-U: ethosu_invoke_v3() gives %d", status);
  return Error::InvalidProgram;
}
