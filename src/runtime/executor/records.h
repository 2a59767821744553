// SPDX-License-Identifier: BSD-3-Clause
//
// What load_method leaves in the method pool, besides tensors and operands (<wick/operand.h>): instructions, delegates,
// named tensors. execute() needs nothing else, and never looks into the file again.
#pragma once

#include <executorch/runtime/backend/interface.h>
#include <executorch/runtime/core/evalue.h>
#include <executorch/runtime/core/freeable_buffer.h>
#include <executorch/runtime/executor/method.h>
#include <wick/operand.h>

#include <cstdint>

namespace wick {

/// A delegate's compiled payload and the backend's handle for it.
struct LoadedDelegate {
  const executorch::runtime::BackendInterface* backend;
  executorch::runtime::DelegateHandle* handle;
  executorch::runtime::FreeableBuffer data;
};

/// One instruction: a target, and a run of the method's operands.
struct Instruction {
  enum Kind : uint32_t { kKernel = 1, kDelegate, kMove, kJumpFalse, kFree };  ///< numbers as in the file
  static constexpr uint32_t kMaxOperands = 511;                               ///< of one instruction
  static constexpr uint32_t kMaxFirst = (1u << 20) - 1;                       ///< of all instructions together

  Kind kind() const { return static_cast<Kind>(packed & 7); }
  uint32_t count() const { return packed >> 3 & kMaxOperands; }
  uint32_t first() const { return packed >> 12; }
  static uint32_t pack(uint32_t kind, uint32_t count, uint32_t first) { return kind | count << 3 | first << 12; }

  uint32_t packed;
  union {
    executorch::runtime::OpFunction function;  ///< kKernel
    LoadedDelegate* delegate;                  ///< kDelegate
    uint32_t destination;                      ///< kJumpFalse: instruction within the chain
  };
};

/// The instructions of one chain.
struct ChainRange {
  uint32_t first;
  uint32_t count;
};

/// A tensor that get_attribute can find.
struct NamedTensor {
  const char* name;
  TensorImpl* tensor;
  NamedTensor* next;
};

/// A constant from a .ptd file; the buffer is freed with the method.
struct ExternalConstant {
  const char* name;
  executorch::runtime::FreeableBuffer data;
  ExternalConstant* next;
};

/// Sizes, strides and dim order of tensors; static tensors of the same shape share one. Three arrays of `rank` items:
/// int32 sizes, int32 strides from item `strides_at` on, uint8 dim order. The strides of a matrix mostly begin with its
/// second size, and then share that place.
struct Shape {
  static constexpr size_t bytes(size_t rank, size_t strides_at) { return (strides_at + rank) * sizeof(int32_t) + rank; }
};

}  // namespace wick
