// SPDX-License-Identifier: BSD-3-Clause
// The numbers of ETDump's FlatBuffer schema ("ED00"): fields of its tables, values of its enumerations.

#pragma once

#include <cstdint>

namespace executorch {
namespace etdump {
namespace schema {

constexpr char kIdentifier[] = "ED00";

namespace dump {
enum : uint8_t { kVersion, kRuns };
}
namespace run {
enum : uint8_t { kName, kBundledInputIndex, kAllocators, kEvents };
}
namespace allocator {
enum : uint8_t { kName };
}
/// One of the three is there.
namespace event {
enum : uint8_t { kProfile, kAllocation, kDebug };
}
namespace profile {
enum : uint8_t { kName, kChain, kInstruction, kDelegateNumber, kDelegateName, kMetadata, kStartTime, kEndTime };
}
namespace allocation {
enum : uint8_t { kAllocator, kSize };
}
namespace debug {
enum : uint8_t { kChain, kInstruction, kValue, kDelegateNumber, kDelegateName };
}
namespace value {
enum : uint8_t { kType, kTensor, kTensorList, kInt, kFloat, kDouble, kBool, kIsOutput };
}
namespace tensor {
enum : uint8_t { kScalarType, kSizes, kStrides, kOffset };
}
/// Tables with one field.
enum : uint8_t { kOnly };

namespace value_type {
enum : uint8_t { kInt = 1, kBool = 2, kDouble = 4, kTensor = 5, kTensorList = 6 };
}

/// Defaults other than 0: instructions, delegates' numbers, the index of bundled inputs.
constexpr int64_t kNoNumber = -1;

}  // namespace schema
}  // namespace etdump
}  // namespace executorch
