// SPDX-License-Identifier: BSD-3-Clause
//
// The field numbers of the .pte tables (ExecuTorch's program.fbs; docs/FORMAT.md tells what they mean) and the
// extended header. Numbers only ever grow, so one set serves every generation of files.
#pragma once

#include <cstddef>
#include <cstdint>

#include "src/pte/flatbuffer.h"

namespace wick::pte {

namespace program {
enum : unsigned {
  kVersion,
  kExecutionPlan,
  kConstantBuffer,
  kBackendDelegateData,
  kSegments,
  kConstantSegment,
  kMutableDataSegments,
  kNamedData
};
}
namespace plan {
enum : unsigned {
  kName,
  kContainerMetaType,
  kValues,
  kInputs,
  kOutputs,
  kChains,
  kOperators,
  kDelegates,
  kNonConstBufferSizes,
  kNonConstBufferDevice
};
}
namespace chain {
enum : unsigned { kInputs, kOutputs, kInstructions, kStacktrace };
}
namespace instruction {
enum : unsigned { kType, kArguments };
enum Type : uint8_t { kNone, kKernelCall, kDelegateCall, kMoveCall, kJumpFalseCall, kFreeCall };
}  // namespace instruction
/// KernelCall and DelegateCall: an index and arguments. MoveCall, JumpFalseCall and FreeCall: one or two indices.
namespace call {
enum : unsigned { kIndex = 0, kArgs = 1, kMoveFrom = 0, kMoveTo = 1, kCondition = 0, kDestination = 1, kFreed = 0 };
}
namespace evalue {
enum : unsigned { kType, kValue };
enum Type : uint8_t {
  kNone,
  kNull,
  kInt,
  kBool,
  kDouble,
  kTensor,
  kString,
  kIntList,
  kDoubleList,
  kBoolList,
  kTensorList,
  kOptionalTensorList
};
/// Int, Bool, Double, String and all lists hold their content in field 0.
constexpr unsigned kContent = 0;
}  // namespace evalue
namespace tensor {
enum : unsigned {
  kScalarType,
  kStorageOffset,
  kSizes,
  kDimOrder,
  kRequiresGrad,
  kDataBufferIndex,
  kAllocationInfo,
  kLayout,
  kShapeDynamism,
  kExtraTensorInfo
};
enum Dynamism : uint8_t { kStatic, kDynamicBound, kDynamicUnbound };
}  // namespace tensor
namespace allocation {
enum : unsigned { kMemoryId, kOffsetLow, kOffsetHigh };
}
namespace extra {
enum : unsigned { kMutableDataSegmentsIndex, kFullyQualifiedName, kLocation, kDeviceType, kDeviceIndex };
enum Location : uint8_t { kSegment, kExternal };
}  // namespace extra
namespace op {
enum : unsigned { kName, kOverload };
}
namespace delegate {
enum : unsigned { kId, kProcessed, kCompileSpecs };
enum : unsigned { kLocation = 0, kIndex = 1 };  // of `processed`
enum Location : uint8_t { kInline, kSegment };
enum : unsigned { kSpecKey = 0, kSpecValue = 1 };
}  // namespace delegate
namespace segment {
enum : unsigned { kOffset, kSize };
}
namespace subsegments {
enum : unsigned { kSegmentIndex, kOffsets };
}
namespace named_data {
enum : unsigned { kKey, kSegmentIndex };
}
namespace buffer_device {
enum : unsigned { kBufferIndex, kDeviceType, kDeviceIndex };
}
/// Buffer.storage and BackendDelegateInlineData.data.
constexpr unsigned kBytes = 0;

/// The optional header behind the FlatBuffer's first eight bytes. Lengths seen: 24 (no data size) and 32. Numbers that
/// the target cannot address become SIZE_MAX.
struct ExtendedHeader {
  bool present;
  bool has_data_size;
  size_t program_size;         ///< bytes of the FlatBuffer, from the file's start
  size_t segment_base_offset;  ///< where segment data begins; 0: none
  size_t segment_data_size;    ///< bytes of segment data
};

constexpr size_t kHeadBytes = 64;   ///< enough to read every header
constexpr size_t kMinProgram = 16;  ///< no program is smaller

/// Parses `head`, kHeadBytes bytes. False if this is no program, or a header is there but broken.
bool parse_extended_header(const uint8_t* head, ExtendedHeader* header);

/// What the first eight bytes of a supposed program look like.
enum class Kind { kProgram, kOtherVersion, kBundled, kFlatTensor, kErased, kUnknown };
Kind kind_of(const uint8_t* head);

}  // namespace wick::pte
