// SPDX-License-Identifier: BSD-3-Clause
// The command loop: registers, waits, operations, the end of a stream.
#include "npu/machine.h"

#include <new>

#include "command.h"
#include "context.h"

namespace wick::npu {
namespace {

std::uint32_t read_word(const std::uint8_t* p) {
  return static_cast<std::uint32_t>(p[0]) | static_cast<std::uint32_t>(p[1]) << 8 |
         static_cast<std::uint32_t>(p[2]) << 16 | static_cast<std::uint32_t>(p[3]) << 24;
}

enum class Step : std::uint8_t { kNext, kStop, kFault };

Step step_of(bool good) { return good ? Step::kNext : Step::kFault; }

Step run_command(Context& context, std::uint32_t code, std::uint32_t parameter) {
  if (code >= reg::kFirst) {
    context.narrow[code - reg::kFirst] = static_cast<std::uint16_t>(parameter);
    return Step::kNext;
  }
  switch (code) {
    case op::kStop:
      context.result.irq_history = static_cast<std::uint16_t>(context.result.irq_history | parameter);
      return Step::kStop;
    case op::kIrq:
      context.result.irq_history = static_cast<std::uint16_t>(context.result.irq_history | parameter);
      return Step::kNext;
    case op::kDmaWait:
    case op::kKernelWait:
    case op::kPmuMask:
      return Step::kNext;  // program order is a legal order, and the only one here
    case op::kDmaStart:
      return step_of(execute_dma(context));
    default: {
      Operation operation;
      return step_of(decode_operation(context, code, parameter, operation) && execute_operation(context, operation));
    }
  }
}

// Follows OP_BRANCH: parameter bit 0 set means "if the last result flag is set", which is not modelled.
bool branch(Context& context, std::uint32_t parameter, std::uint32_t target, std::size_t size, std::size_t& position) {
  if ((parameter & 1) != 0) return context.fail(Fault::kUnsupported, "conditional OP_BRANCH");
  if (target % 4 != 0 || target >= size) {
    return context.fail(Fault::kBranch, "OP_BRANCH to an address outside the stream");
  }
  position = target;
  return context.spend(1024);  // so that a loop ends at the work limit
}

void run_stream(Context& context, Bytes stream) {
  std::size_t position = 0;
  while (stream.size - position >= 4) {
    context.result.command_offset = static_cast<std::uint32_t>(position);
    const std::uint32_t word = read_word(stream.data + position);
    const std::uint32_t code = command_code(word), kind = command_kind(word), parameter = command_parameter(word);
    if (command_reserved(word) != 0 || !command_exists(kind, code, context.config.product)) {
      context.fail(Fault::kCommand, "unknown command word");
      return;
    }
    position += 4;
    if (kind == 1) {
      if (stream.size - position < 4) {
        context.fail(Fault::kCommand, "the stream ends inside a command");
        return;
      }
      const std::uint32_t payload = read_word(stream.data + position);
      position += 4;
      if (code == op::kBranch) {
        if (!branch(context, parameter, payload, stream.size, position)) return;
      } else {
        context.wide[code] = payload | static_cast<std::uint64_t>(parameter) << 32;
      }
      continue;
    }
    const Step step = run_command(context, code, parameter);
    if (step != Step::kNext) return;
  }
  context.fail(Fault::kCommand, "the stream ends without OP_STOP");
}

}  // namespace

Result run(const Config& config, Bytes stream, const Region* regions, std::size_t region_count, Workspace workspace,
           const Options& options) {
  Arena arena(workspace.data, workspace.size);
  void* place = arena.take<Context>(1);
  if (place == nullptr) {
    Result result;
    result.fault = Fault::kWorkspace;
    result.message = "the workspace does not hold the model's own state";
    result.workspace = arena.wanted() + alignof(std::max_align_t);
    return result;
  }
  const std::size_t state = arena.used();
  std::uint8_t* rest = static_cast<std::uint8_t*>(place) + state;
  Context* context = new (place) Context(config, {rest, arena.available()}, options);
  for (std::size_t i = 0; i < region_count && i < kRegions; ++i) context->regions[i] = regions[i];
  if (stream.data == nullptr || stream.size % 4 != 0) {
    context->fail(Fault::kCommand, "the stream is empty or its size is not a multiple of 4");
  } else {
    run_stream(*context, stream);
  }
  const bool refused = context->result.fault == Fault::kWorkspace;
  constexpr std::size_t kSlack = 64;  // alignment of a workspace that starts elsewhere
  context->result.workspace = state + (refused ? context->arena.wanted() : context->arena.peak()) + kSlack;
  return context->result;
}

}  // namespace wick::npu
