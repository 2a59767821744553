// SPDX-License-Identifier: BSD-3-Clause
//
// How much memory a method needs, to the byte, before it is loaded; on a PC also what it needs on a 32-bit device.
//
//   uint8_t workspace[4096];   // a word per value of the method, back when the call returns
//   Result<MemoryRequired> need = wick::memory_required(program, "forward", {workspace, sizeof(workspace)});
//   printf("%zu bytes of arena\n", need->arena());
#pragma once

#include <executorch/runtime/core/result.h>
#include <executorch/runtime/core/span.h>
#include <executorch/runtime/executor/method_meta.h>
#include <executorch/runtime/executor/program.h>

#include <cstddef>
#include <cstdint>

namespace wick {

/// Whose pointers and records are counted.
enum class Layout : uint8_t {
  kNative,  ///< this machine's
  k32Bit,   ///< a Cortex-M's
};

/// Bytes, from a start at a multiple of 16. Not in here: scratch of operators of your own, and what delegates take
/// whose backend this image lacks or does not say (BackendInterface::memory_required); `delegates` counts these.
/// Model::usage() tells both after a run.
struct MemoryRequired {
  size_t planned = 0;           ///< all planned buffers, each rounded up to 16
  size_t planned_state = 0;     ///< of these, buffers that hold state between runs
  size_t planned_count = 0;     ///< number of planned buffers
  size_t method = 0;            ///< the method pool, when there is a temporary pool for load_scratch
  size_t load_scratch = 0;      ///< the temporary pool while loading
  size_t delegate_scratch = 0;  ///< the temporary pool while running, for delegates
  size_t delegates = 0;         ///< delegates whose needs come on top
  size_t views = 0;             ///< calls that transpose a constant and do not copy it (no bytes: a number)
  size_t pointer_bytes = sizeof(void*);

  /// What one wick::Model takes of its arena when everything lies there.
  size_t arena() const {
    const size_t lasts = head() + planned + up(method, pointer_bytes);
    return larger(lasts + load_scratch, delegate_scratch == 0 ? 0 : up(lasts, 16) + delegate_scratch);
  }
  /// The temporary pool.
  size_t temp() const { return larger(load_scratch, delegate_scratch); }
  /// Of a model in transient memory: what lasts (in the arena), and what another model may use in between. Models that
  /// share memory need the sum of the former and the largest of the latter.
  size_t persistent() const { return head() + planned_state + method; }
  size_t transient() const { return planned - planned_state + temp(); }

 private:
  static size_t larger(size_t a, size_t b) { return a > b ? a : b; }
  static size_t up(size_t bytes, size_t alignment) { return (bytes + alignment - 1) / alignment * alignment; }
  /// The list of planned buffers.
  size_t head() const { return planned_count == 0 ? 0 : up(planned_count * 2 * pointer_bytes, 16); }
};

/// The figures of a method. `workspace` is written to: 4 to 16 bytes for each value and operator of the method.
/// Errors: InvalidArgument (no such method), MemoryAllocationFailed (workspace too small), and those of load_method(),
/// of which this is a rehearsal, except that delegates are not made and state is not initialised.
executorch::runtime::Result<MemoryRequired> memory_required(const executorch::runtime::Program& program,
                                                            const char* method_name,
                                                            executorch::runtime::Span<uint8_t> workspace,
                                                            Layout layout = Layout::kNative);

/// Whether planned buffer `index` (counted from 0) holds values that must last from one run to the next: a tensor with
/// a stored initial value or a name, one that an operator changes in place, or one that is read before it is written.
bool holds_state(const executorch::runtime::MethodMeta& meta, size_t index);

}  // namespace wick
