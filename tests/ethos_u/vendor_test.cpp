// SPDX-License-Identifier: BSD-3-Clause
// Functions that SoC vendors define for Arm's driver and for ExecuTorch keep their effect: this program defines them,
// and runs the image's NPU through wick::ethos_u::init().
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/ethos_u/chip.h"
#include "tests/ethos_u/job.h"

namespace {

std::vector<std::string> calls;
std::function<uint64_t(uint64_t, int)> remap;
int given = 0;
int mutex_object;
int semaphore_object;

}  // namespace

extern "C" {
void ethosu_inference_begin(struct ethosu_driver*, void*) { calls.push_back("begin"); }
void ethosu_inference_end(struct ethosu_driver*, void*) { calls.push_back("end"); }
uint64_t ethosu_address_remap(uint64_t address, int index) { return remap(address, index); }
void ethosu_flush_dcache(const uint64_t*, const size_t*, int count) {
  calls.push_back("flush " + std::to_string(count));
}
void ethosu_invalidate_dcache(const uint64_t* addresses, const size_t* sizes, int count) {
  EXPECT_NE(addresses[1], 0U);
  EXPECT_NE(sizes[1], 0U);
  calls.push_back("invalidate " + std::to_string(count));
}
void* ethosu_mutex_create(void) { return &mutex_object; }
int ethosu_mutex_lock(void* mutex) {
  EXPECT_EQ(mutex, &mutex_object);
  calls.push_back("lock");
  return 0;
}
int ethosu_mutex_unlock(void* mutex) {
  EXPECT_EQ(mutex, &mutex_object);
  calls.push_back("unlock");
  return 0;
}
void* ethosu_semaphore_create(void) { return &semaphore_object; }
int ethosu_semaphore_take(void* semaphore, uint64_t) {
  EXPECT_EQ(semaphore, &semaphore_object);
  calls.push_back("take");
  return given-- > 0 ? 0 : -1;
}
int ethosu_semaphore_give(void* semaphore) {
  EXPECT_EQ(semaphore, &semaphore_object);
  calls.push_back("give");
  ++given;
  return 0;
}
}

namespace wick::ethos_u {
namespace {

TEST(VendorTest, FunctionsUnderArmsNamesAreUsed) {
  using executorch::runtime::Error;
  Chip chip("ethos-u55-128");
  Job job("u55-128/add.d0");
  Settings settings = chip.settings();
  const auto map = settings.port.to_npu;
  remap = [&](uint64_t address, int index) {
    return map(&chip, reinterpret_cast<const void*>(static_cast<uintptr_t>(address)), 1 << 16, index);
  };
  settings.port.to_npu = nullptr;
  settings.port.wake = nullptr;
  settings.port.clean = nullptr;
  settings.port.invalidate = nullptr;
  settings.irq = kIrqIsInstalled;
  chip.interrupt = [] { wick_ethos_u_interrupt(); };
  ASSERT_EQ(init(settings), Error::Ok);
  Inference inference = job.inference(0);
  ASSERT_EQ(wick_ethos_u_invoke(inference), Error::Ok);
  EXPECT_TRUE(job.has_reference(0));
  EXPECT_EQ(calls, (std::vector<std::string>{"lock", "begin", "flush 1", "flush 3", "give", "take", "invalidate 3",
                                             "end", "unlock"}));
}

}  // namespace
}  // namespace wick::ethos_u
