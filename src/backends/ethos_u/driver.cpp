// SPDX-License-Identifier: BSD-3-Clause
// One inference from power-on to power-off, and the wait for its end.
#include "src/backends/ethos_u/driver.h"

#include <executorch/runtime/platform/clock.h>
#include <executorch/runtime/platform/log.h>

#include "src/backends/ethos_u/cortex_m.h"
#include "src/backends/ethos_u/registers.h"

namespace wick::ethos_u {

using executorch::runtime::Error;

namespace {

constexpr size_t kRegions = 3;

/// The regions as the hooks of SoC vendors take them: tables of eight.
struct Tables {
  uint64_t address[8] = {};
  size_t bytes[8] = {};

  void set(size_t index, const void* data, size_t size) {
    address[index] = reinterpret_cast<uintptr_t>(data);
    bytes[index] = data == nullptr ? 0 : size;
  }
};

Tables regions_of(const Inference& inference) {
  Tables tables;
  tables.set(0, inference.weights.data, inference.weights.size);
  tables.set(1, inference.scratch, inference.scratch_size);
  tables.set(2, inference.fast_scratch, inference.fast_scratch_size);
  return tables;
}

void clean(const Port& port, const CommandData& data, const Inference& inference) {
  const Tables regions = regions_of(inference);
  if (port.clean == nullptr) {
    Tables stream;
    stream.set(0, data.stream.data, data.stream.size);
    ethosu_flush_dcache(stream.address, stream.bytes, 1);
    ethosu_flush_dcache(regions.address, regions.bytes, kRegions);
    return;
  }
  port.clean(port.context, data.stream.data, data.stream.size);
  port.clean(port.context, inference.weights.data, inference.weights.size);
  port.clean(port.context, inference.scratch, inference.scratch_size);
  if (regions.bytes[2] != 0) port.clean(port.context, inference.fast_scratch, inference.fast_scratch_size);
}

void invalidate(const Port& port, const Inference& inference) {
  const Tables regions = regions_of(inference);
  if (port.invalidate == nullptr) {
    ethosu_invalidate_dcache(regions.address, regions.bytes, kRegions);
    return;
  }
  port.invalidate(port.context, inference.scratch, inference.scratch_size);
  if (regions.bytes[2] != 0) port.invalidate(port.context, inference.fast_scratch, inference.fast_scratch_size);
}

}  // namespace

Error Driver::init(const Settings& settings) {
  if (settings.base == 0) {
    ET_LOG(Error, "Ethos-U: init() without the address of the NPU's registers");
    return Error::InvalidArgument;
  }
  if (busy_.exchange(true)) return Error::InvalidState;
  settings_ = settings;
  settings_.port = with_defaults(settings.port);
  const Port& port = settings_.port;
  known_ = false;
  Error error = Error::AccessFailed;
  if (port.power(port.context, true)) {
    error = start();
    known_ = error == Error::Ok;
    port.power(port.context, false);
  } else {
    ET_LOG(Error, "Ethos-U: the NPU cannot be powered");
  }
  busy_ = false;
  return error;
}

Error Driver::run(Inference& inference) {
  CommandData data;
  if ([[maybe_unused]] const char* wrong = parse_command_data(inference.command_data, data)) {
    ET_LOG(Error, "Ethos-U payload: block cmd_data: %s", wrong);
    return Error::InvalidProgram;
  }
  const Port& port = settings_.port;
  if (!known_ || !port.lock(port.context)) {
    ET_LOG(Error, "Ethos-U: %s", known_ ? "the NPU's lock cannot be had" : "no NPU is known: wick::ethos_u::init()");
    return Error::InvalidState;
  }
  Error error = Error::InvalidState;
  if (busy_.exchange(true)) {
    // The lock does nothing, and this call came from an interrupt or another thread.
    ET_LOG(Error, "Ethos-U: another inference runs: give the port a lock, or define ethosu_mutex_lock()");
  } else {
    error = run_locked(data, inference);
    busy_ = false;
  }
  port.unlock(port.context);
  return error;
}

Error Driver::run_locked(const CommandData& data, Inference& inference) {
  const Port& port = settings_.port;
  if (!port.power(port.context, true)) {
    ET_LOG(Error, "Ethos-U: the NPU cannot be powered");
    return Error::AccessFailed;
  }
  Error error = start();
  if (error == Error::Ok) error = check(data);
  if (error == Error::Ok) error = set_regions(data, inference);
  if (error == Error::Ok) {
    ethosu_inference_begin(nullptr, nullptr);
    clean(port, data, inference);
    done_ = false;
    memory_barrier();
    write(kCmd, kRun);
    error = wait_for_end();
    inference.cycles = read(kPmccntr) | static_cast<uint64_t>(read(kPmccntr + 4) & 0xFFFF) << 32;
    if (error == Error::Ok) {
      invalidate(port, inference);
    } else {
      (void)reset();  // so that it writes no more
    }
    ethosu_inference_end(nullptr, nullptr);
  }
  write(kCmd, kMayPowerDown);
  port.power(port.context, false);
  return error;
}

Error Driver::wait_for_end() {
  const Port& port = settings_.port;
  const bool by_polling = settings_.irq == kPoll;
  const auto start = executorch::runtime::pal_current_ticks();
  for (;;) {
    bool in_time = true;
    if (by_polling) {
      interrupt();
      in_time = settings_.timeout == kForever || executorch::runtime::pal_current_ticks() - start <= settings_.timeout;
    } else {
      in_time = port.wait(port.context, settings_.timeout);
    }
    if (done_) return judge();
    if (!in_time) {
      ET_LOG(Error, "Ethos-U: time-out at byte %u of the command stream (STATUS 0x%08x); the NPU is reset",
             static_cast<unsigned>(read(kQread)), static_cast<unsigned>(read(kStatus)));
      return Error::AccessFailed;
    }
  }
}

void Driver::interrupt() {
  if (!busy_) return;  // pending since an inference that is over: the NPU may be without power now
  const uint32_t status = read(kStatus);
  if ((status & kIrqRaised) == 0) return;
  status_ = status;
  stopped_at_ = read(kQread);
  write(kCmd, kClearIrq);
  done_ = true;
  if (settings_.irq != kPoll) settings_.port.wake(settings_.port.context);
}

Error Driver::judge() const {
  if ((status_ & kFaults) == 0 && (status_ & kEndReached) != 0) return Error::Ok;
  [[maybe_unused]] const char* what = (status_ & kBusFault) != 0      ? "access to memory that does not answer"
                                      : (status_ & kParseError) != 0  ? "command that it does not know"
                                      : (status_ & kWeightFault) != 0 ? "malformed weight stream"
                                      : (status_ & kEccFault) != 0    ? "memory error (ECC)"
                                      : (status_ & kBranchFault) != 0 ? "branch out of the stream"
                                                                      : "stop before the end";
  ET_LOG(Error, "Ethos-U: the NPU reports: %s, at byte %u of the command stream, channel %u (STATUS 0x%08x)", what,
         static_cast<unsigned>(stopped_at_), static_cast<unsigned>(status_ >> kFaultChannelShift & 15),
         static_cast<unsigned>(status_));
  return Error::InvalidProgram;
}

}  // namespace wick::ethos_u
