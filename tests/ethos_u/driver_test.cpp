// SPDX-License-Identifier: BSD-3-Clause
// The register driver on the registers of the functional model: right results through aliased addresses, with registers
// lost in between, by polling, WFE and a semaphore; and what it says when the chip or the program is wrong.
#include "src/backends/ethos_u/driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "tests/ethos_u/chip.h"
#include "tests/ethos_u/job.h"
#include "tests/platform/recorded_platform.h"

namespace wick::ethos_u {
namespace {

using executorch::runtime::Error;
using testing::ElementsAre;
using testing::HasSubstr;

std::string last_message() {
  return RecordedPlatform::messages().empty() ? std::string() : RecordedPlatform::messages().back().text;
}

void expect_right(Driver& driver, Job& job, size_t sample) {
  Inference inference = job.inference(sample);
  EXPECT_EQ(driver.run(inference), Error::Ok);
  EXPECT_TRUE(job.has_reference(sample)) << "sample " << sample;
}

class EveryPart : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(EveryPart, GivesTheReferenceThroughAliasedAddresses) {
  Chip chip(GetParam().first);
  Job job(GetParam().second);
  Driver driver;
  ASSERT_EQ(driver.init(chip.settings()), Error::Ok);
  expect_right(driver, job, 0);
  expect_right(driver, job, 1);
  EXPECT_EQ(chip.at_run[0x010], 0x90000000U);
  EXPECT_EQ(chip.at_run[0x088], 0x92000000U);  // scratch
}

INSTANTIATE_TEST_SUITE_P(Driver, EveryPart,
                         testing::Values(std::pair{"ethos-u55-128", "u55-128/softmax.d0"},
                                         std::pair{"ethos-u55-32", "u55-32/sigmoid.d0"},
                                         std::pair{"ethos-u65-512", "u65-512/se.d0"},
                                         std::pair{"ethos-u85-256", "u85-256/layernorm.d0"}));

TEST(DriverTest, RegistersLostBetweenInferencesAreSetAgain) {
  Chip chip("ethos-u55-128");  // forgets everything at "power off", and fails the test if touched before "power on"
  Job add("u55-128/add.d0");
  Job bmm("u55-128/bmm.d0");
  Driver driver;
  ASSERT_EQ(driver.init(chip.settings()), Error::Ok);
  expect_right(driver, add, 0);
  expect_right(driver, bmm, 0);
  expect_right(driver, add, 1);
  EXPECT_EQ(chip.events.front(), "power on");
  EXPECT_EQ(chip.events.back(), "power off");
}

TEST(DriverTest, CachesAreCleanedBeforeTheRunAndInvalidatedAfterIt) {
  Chip chip("ethos-u55-128");
  Job job("u55-128/conv_relu6.d0");
  Driver driver;
  ASSERT_EQ(driver.init(chip.settings()), Error::Ok);
  chip.events.clear();
  const Inference inference = job.inference(0);
  CommandData data;
  ASSERT_EQ(parse_command_data(inference.command_data, data), nullptr);
  expect_right(driver, job, 0);
  const auto event = [](const char* what, size_t bytes) { return what + std::to_string(bytes); };
  EXPECT_THAT(chip.events, ElementsAre("power on", event("clean ", data.stream.size),
                                       event("clean ", inference.weights.size), event("clean ", inference.scratch_size),
                                       "run", event("invalidate ", inference.scratch_size), "power off"));
}

TEST(DriverTest, CyclesAreCounted) {
  Chip chip("ethos-u55-128");
  Job job("u55-128/softmax.d0");
  Driver driver;
  ASSERT_EQ(driver.init(chip.settings()), Error::Ok);
  Inference inference = job.inference(0);
  ASSERT_EQ(driver.run(inference), Error::Ok);
  EXPECT_EQ(inference.cycles, 841U);  // the model's estimate, as wick npu run prints it
}

TEST(DriverTest, TimeOutIsReportedAndTheNextInferenceIsRight) {
  RecordedPlatform platform;
  Chip chip("ethos-u55-128");
  Job job("u55-128/add.d0");
  Settings settings = chip.settings();
  settings.irq = kIrqIsInstalled;
  settings.timeout = 1;
  settings.port.wait = [](void*, uint64_t) { return false; };
  Driver driver;
  chip.interrupt = [&] { driver.interrupt(); };
  ASSERT_EQ(driver.init(settings), Error::Ok);
  chip.hangs = true;
  Inference inference = job.inference(0);
  EXPECT_EQ(driver.run(inference), Error::AccessFailed);
  EXPECT_THAT(last_message(), HasSubstr("time-out"));
  chip.hangs = false;
  expect_right(driver, job, 1);
}

TEST(DriverTest, PollingEndsAtTheTimeOut) {
  Chip chip("ethos-u55-128");
  Job job("u55-128/add.d0");
  Settings settings = chip.settings();
  settings.timeout = 1000000;  // 1 ms of the host's clock
  Driver driver;
  ASSERT_EQ(driver.init(settings), Error::Ok);
  chip.hangs = true;
  Inference inference = job.inference(0);
  EXPECT_EQ(driver.run(inference), Error::AccessFailed);
  chip.hangs = false;
  expect_right(driver, job, 0);
}

TEST(DriverTest, LateInterruptOfAnEarlierInferenceDoesNotEndTheNext) {
  Chip chip("ethos-u55-128");
  Job job("u55-128/add.d0");
  Settings settings = chip.settings();
  settings.irq = kIrqIsInstalled;
  int looks = 0;
  Driver driver;
  settings.port.wait = [](void*, uint64_t) { return true; };  // as if woken by something else
  chip.interrupt = [&] {
    driver.interrupt();
    driver.interrupt();  // once more, with the line down
    ++looks;
  };
  ASSERT_EQ(driver.init(settings), Error::Ok);
  expect_right(driver, job, 0);
  driver.interrupt();  // after the power is off: the chip's test fails if the NPU is touched
  expect_right(driver, job, 1);
  EXPECT_EQ(looks, 2);
}

TEST(DriverTest, ImagesNpuSleepsUntilItsInterruptByDefault) {
  Chip chip("ethos-u55-128");
  Job job("u55-128/softmax.d0");
  Settings settings = chip.settings();
  settings.irq = kIrqIsInstalled;
  settings.port.wake = nullptr;
  std::thread npu;
  chip.interrupt = [&] {
    npu = std::thread([] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      wick_ethos_u_interrupt();
    });
  };
  ASSERT_EQ(init(settings), Error::Ok);
  Inference inference = job.inference(0);
  EXPECT_EQ(wick_ethos_u_invoke(inference), Error::Ok);
  npu.join();
  EXPECT_TRUE(job.has_reference(0));

  settings.timeout = 1000000;  // 1 ms of the host's clock: the default does not sleep through it
  ASSERT_EQ(init(settings), Error::Ok);
  chip.hangs = true;
  EXPECT_EQ(wick_ethos_u_invoke(inference), Error::AccessFailed);
}

// An operating system's semaphore: the NPU is another thread, which takes its time.
struct Semaphore {
  std::mutex mutex;
  std::condition_variable changed;
  int count = 0;

  bool take(uint64_t milliseconds) {
    std::unique_lock<std::mutex> lock(mutex);
    if (!changed.wait_for(lock, std::chrono::milliseconds(milliseconds), [this] { return count > 0; })) return false;
    --count;
    return true;
  }
  void give() {
    const std::lock_guard<std::mutex> lock(mutex);
    ++count;
    changed.notify_one();
  }
};

Semaphore semaphore;

TEST(DriverTest, WaitsForASemaphoreThatTheInterruptGives) {
  Chip chip("ethos-u55-128");
  Job job("u55-128/softmax.d0");
  Settings settings = chip.settings();
  settings.irq = kIrqIsInstalled;
  settings.timeout = 10000;
  settings.port.wait = [](void*, uint64_t timeout) { return semaphore.take(timeout); };
  settings.port.wake = [](void*) { semaphore.give(); };
  Driver driver;
  std::thread npu;
  chip.interrupt = [&] {
    npu = std::thread([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      driver.interrupt();
    });
  };
  ASSERT_EQ(driver.init(settings), Error::Ok);
  for (size_t sample = 0; sample < 2; ++sample) {
    expect_right(driver, job, sample);
    npu.join();
  }
}

TEST(DriverTest, ProgramOfAnotherNpuIsRefusedWithBothNames) {
  RecordedPlatform platform;
  Chip chip("ethos-u55-256");
  Job job("u55-128/add.d0");
  Driver driver;
  ASSERT_EQ(driver.init(chip.settings()), Error::Ok);
  Inference inference = job.inference(0);
  EXPECT_EQ(driver.run(inference), Error::DelegateInvalidCompatibility);
  EXPECT_THAT(last_message(), HasSubstr("compiled for ethos-u55-128"));
  EXPECT_THAT(last_message(), HasSubstr("this is ethos-u55-256"));
  EXPECT_EQ(chip.events.back(), "power off");
}

TEST(DriverTest, FaultOfTheNpuIsReportedAndTheNextInferenceIsRight) {
  RecordedPlatform platform;
  Chip chip("ethos-u55-128");
  Job job("u55-128/add.d0");
  Driver driver;
  ASSERT_EQ(driver.init(chip.settings()), Error::Ok);
  Inference inference = job.inference(0);
  inference.scratch_size = 16;  // all operands lie behind it
  EXPECT_EQ(driver.run(inference), Error::InvalidProgram);
  EXPECT_THAT(last_message(), HasSubstr("memory that does not answer"));
  expect_right(driver, job, 0);
}

TEST(DriverTest, InitNamesWhatIsWrongWithTheChip) {
  RecordedPlatform platform;
  Chip chip("ethos-u55-128");
  Driver driver;
  Settings settings = chip.settings();
  settings.base = 0;
  EXPECT_EQ(driver.init(settings), Error::InvalidArgument);
  chip.answers = false;
  EXPECT_EQ(driver.init(chip.settings()), Error::NotFound);
  EXPECT_THAT(last_message(), HasSubstr("0x48102000"));
  chip.answers = true;
  chip.allows_secure = false;
  EXPECT_EQ(driver.init(chip.settings()), Error::AccessFailed);
  EXPECT_THAT(last_message(), HasSubstr("refuses to be secure"));
  chip.hears_reset = false;
  EXPECT_EQ(driver.init(chip.settings()), Error::AccessFailed);
  EXPECT_THAT(last_message(), HasSubstr("reset does not end"));
  chip.has_power = false;
  EXPECT_EQ(driver.init(chip.settings()), Error::AccessFailed);
  Job job("u55-128/add.d0");
  Inference inference = job.inference(0);
  EXPECT_EQ(driver.run(inference), Error::InvalidState) << "an NPU that never answered";
}

TEST(DriverTest, NonSecureFirmwareRunsWithNonSecureSettings) {
  Chip chip("ethos-u55-128");
  chip.allows_secure = false;
  Job job("u55-128/add.d0");
  Settings settings = chip.settings();
  settings.secure = false;
  settings.privileged = false;
  Driver driver;
  ASSERT_EQ(driver.init(settings), Error::Ok);
  expect_right(driver, job, 0);
  EXPECT_EQ(chip.at_run[0x024], 2U);  // PROT
}

uint32_t region_config(const char* part, const char* name, MemoryMode mode) {
  Chip chip(part);
  Job job(name);
  Settings settings = chip.settings();
  settings.memory_mode = mode;
  Driver driver;
  EXPECT_EQ(driver.init(settings), Error::Ok);
  expect_right(driver, job, 0);
  return chip.at_run[0x03C];
}

// Two bits a region from region 0 at the right: 0 and 1 the SRAM port, 2 and 3 the other; regions 3 to 7 are 1.
TEST(DriverTest, RegionsGoToTheBusPortsOfTheMemoryMode) {
  EXPECT_EQ(region_config("ethos-u55-128", "u55-128/add.d0", MemoryMode::kDefault), 0x5553U);
  EXPECT_EQ(region_config("ethos-u55-128", "u55-128/add.d0", MemoryMode::kSharedSram), 0x5553U);
  EXPECT_EQ(region_config("ethos-u55-128", "u55-128/add.d0", MemoryMode::kSramOnly), 0x5551U);
  EXPECT_EQ(region_config("ethos-u65-512", "u65-512/linear.d0", MemoryMode::kDefault), 0x555BU);
  EXPECT_EQ(region_config("ethos-u85-256", "u85-256/se.d0", MemoryMode::kDefault), 0x5553U);
}

TEST(DriverTest, BusLimitsAreArmsUnlessGiven) {
  Job job("u55-128/add.d0");
  Chip chip("ethos-u55-128");
  Driver driver;
  ASSERT_EQ(driver.init(chip.settings()), Error::Ok);
  expect_right(driver, job, 0);
  for (uint32_t i = 0; i < 4; ++i) EXPECT_EQ(chip.at_run[0x040 + 4 * i], 0x0F1F0000U);  // 32 reads, 16 writes
  Settings settings = chip.settings();
  settings.bus[3] = 0x01010021;
  ASSERT_EQ(driver.init(settings), Error::Ok);
  expect_right(driver, job, 0);
  EXPECT_EQ(chip.at_run[0x04C], 0x01010021U);

  Chip u85("ethos-u85-256");
  Job se("u85-256/se.d0");
  ASSERT_EQ(driver.init(u85.settings()), Error::Ok);
  expect_right(driver, se, 0);
  EXPECT_EQ(u85.at_run[0x040], 0U);           // MEM_ATTR0: the SRAM port
  EXPECT_EQ(u85.at_run[0x04C], 4U);           // MEM_ATTR3: the external port
  EXPECT_EQ(u85.at_run[0x050], 0x0F0B0002U);  // 12 reads, 16 writes, bursts of 256 bytes
}

TEST(DriverTest, SecondInferenceWhileOneRunsIsRefused) {
  RecordedPlatform platform;
  Chip chip("ethos-u55-128");
  Job first("u55-128/add.d0");
  Job second("u55-128/add.d0");
  Settings settings = chip.settings();
  settings.irq = kIrqIsInstalled;
  settings.port.wait = [](void*, uint64_t) { return true; };
  Driver driver;
  Error nested = Error::Ok;
  chip.interrupt = [&] {
    Inference inference = second.inference(0);
    nested = driver.run(inference);
    driver.interrupt();
  };
  ASSERT_EQ(driver.init(settings), Error::Ok);
  expect_right(driver, first, 0);
  EXPECT_EQ(nested, Error::InvalidState);
}

TEST(DriverTest, UnalignedRegionIsRefused) {
  Chip chip("ethos-u55-128");
  Job job("u55-128/add.d0");
  Settings settings = chip.settings();
  settings.port.to_npu = [](void*, const void*, size_t, int) -> uint64_t { return 0x20000008; };
  Driver driver;
  ASSERT_EQ(driver.init(settings), Error::Ok);
  Inference inference = job.inference(0);
  EXPECT_EQ(driver.run(inference), Error::InvalidArgument);
  settings.port.to_npu = [](void*, const void*, size_t, int) -> uint64_t { return uint64_t{1} << 32; };
  ASSERT_EQ(driver.init(settings), Error::Ok);
  EXPECT_EQ(driver.run(inference), Error::InvalidArgument);
}

}  // namespace
}  // namespace wick::ethos_u
