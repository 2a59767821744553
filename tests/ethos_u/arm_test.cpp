// SPDX-License-Identifier: BSD-3-Clause
// The seam to Arm's own driver: this program defines its functions on the functional model, as Arm's driver would on an
// NPU.
#include <gtest/gtest.h>

#include "npu/machine.h"
#include "tests/ethos_u/job.h"

struct ethosu_driver {
  int reserved;
};

namespace {

ethosu_driver the_driver = {0};
bool has_driver = true;

}  // namespace

extern "C" {
struct ethosu_driver* ethosu_reserve_driver(void);
void ethosu_release_driver(struct ethosu_driver* driver);
int ethosu_invoke_v3(struct ethosu_driver* driver, const void* custom_data, int custom_data_size, uint64_t* base_addr,
                     const size_t* base_addr_size, int num_base_addr, void* user);

struct ethosu_driver* ethosu_reserve_driver(void) {
  if (!has_driver) return nullptr;
  ++the_driver.reserved;
  return &the_driver;
}

void ethosu_release_driver(struct ethosu_driver* driver) { --driver->reserved; }

int ethosu_invoke_v3(struct ethosu_driver* driver, const void* custom_data, int custom_data_size, uint64_t* base_addr,
                     const size_t* base_addr_size, int num_base_addr, void*) {
  namespace npu = wick::npu;
  EXPECT_EQ(driver->reserved, 1);
  EXPECT_EQ(num_base_addr, 3);
  const auto at = [&](int i) { return reinterpret_cast<void*>(static_cast<uintptr_t>(base_addr[i])); };
  npu::CommandStream stream;
  npu::Config config;
  const npu::Bytes bytes = {static_cast<const uint8_t*>(custom_data), static_cast<size_t>(custom_data_size)};
  if (npu::parse_driver_payload(bytes, stream) != nullptr) return -1;
  if (!npu::config_from_word(stream.config_word, config)) return -1;
  const npu::Region regions[] = {npu::read_only(at(0), base_addr_size[0]), npu::read_write(at(1), base_addr_size[1])};
  std::vector<uint8_t> workspace(npu::kWorkspaceFast);
  return npu::run(config, stream.words, regions, 2, {workspace.data(), workspace.size()}).ok() ? 0 : -1;
}
}

namespace wick::ethos_u {
namespace {

using executorch::runtime::Error;

TEST(ArmDriverTest, RunsTheDelegatesInference) {
  Job job("u55-128/layernorm.d0");
  Inference inference = job.inference(0);
  ASSERT_EQ(wick_ethos_u_invoke(inference), Error::Ok);
  EXPECT_TRUE(job.has_reference(0));
  EXPECT_EQ(the_driver.reserved, 0);
}

TEST(ArmDriverTest, ItsFailureIsReportedAndTheDriverReleased) {
  Job job("u55-128/add.d0");
  Inference inference = job.inference(0);
  inference.scratch_size = 16;
  EXPECT_EQ(wick_ethos_u_invoke(inference), Error::InvalidProgram);
  EXPECT_EQ(the_driver.reserved, 0);
  has_driver = false;
  EXPECT_EQ(wick_ethos_u_invoke(inference), Error::InvalidState);
  has_driver = true;
}

}  // namespace
}  // namespace wick::ethos_u
