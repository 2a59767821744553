// SPDX-License-Identifier: BSD-3-Clause
// Serialisation of the record stream; payload sizes are computed first, so that nothing is buffered.
#include "tools/runner/records.h"

namespace wick::runner {
namespace {

using executorch::runtime::EValue;

uint32_t larger(uint32_t a, size_t b) { return a > b ? a : static_cast<uint32_t>(b); }

ValueKind kind_of(const EValue& value) {
  if (value.isTensor()) {
    return ValueKind::kTensor;
  }
  if (value.isInt()) {
    return ValueKind::kInt;
  }
  if (value.isDouble()) {
    return ValueKind::kDouble;
  }
  if (value.isBool()) {
    return ValueKind::kBool;
  }
  return value.isNone() ? ValueKind::kNone : ValueKind::kOther;
}

/// Bytes of the value in a kOutput record, after its kind.
size_t value_bytes(const EValue& value, ValueKind kind) {
  switch (kind) {
    case ValueKind::kInt:
    case ValueKind::kDouble:
      return 8;
    case ValueKind::kBool:
      return 4;
    case ValueKind::kTensor: {
      const auto tensor = value.toTensor();
      return 8 + 8 * static_cast<size_t>(tensor.dim()) + (tensor.const_data_ptr() != nullptr ? tensor.nbytes() : 0);
    }
    default:
      return 0;
  }
}

}  // namespace

void Records::head(RecordKind kind, size_t payload_bytes) {
  u32(static_cast<uint32_t>(kind));
  u32(static_cast<uint32_t>(payload_bytes));
}

void Records::case_begin(uint32_t index) {
  method_bytes_ = temp_bytes_ = planned_bytes_ = 0;
  head(RecordKind::kCaseBegin, 4);
  u32(index);
  port_.flush();
}

void Records::output(uint32_t session, uint32_t call, uint32_t output, const EValue& value) {
  const ValueKind kind = kind_of(value);
  head(RecordKind::kOutput, 16 + value_bytes(value, kind));
  u32(session);
  u32(call);
  u32(output);
  u32(static_cast<uint32_t>(kind));
  if (kind == ValueKind::kInt) {
    const int64_t number = value.toInt();
    port_.write(&number, sizeof(number));
  } else if (kind == ValueKind::kDouble) {
    const double number = value.toDouble();
    port_.write(&number, sizeof(number));
  } else if (kind == ValueKind::kBool) {
    u32(value.toBool() ? 1 : 0);
  } else if (kind == ValueKind::kTensor) {
    const auto tensor = value.toTensor();
    u32(static_cast<uint32_t>(tensor.scalar_type()));
    u32(static_cast<uint32_t>(tensor.dim()));
    for (const auto size : tensor.sizes()) {
      u32(static_cast<uint32_t>(size));
    }
    for (const auto dim : tensor.dim_order()) {
      u32(dim);
    }
    if (tensor.const_data_ptr() != nullptr) {
      port_.write(tensor.const_data_ptr(), tensor.nbytes());
    }
  }
}

void Records::call_done(uint32_t session, uint32_t call) {
  head(RecordKind::kCallDone, 8);
  u32(session);
  u32(call);
}

void Records::failed(Stage stage, uint32_t session, uint32_t call, uint32_t item, executorch::runtime::Error error) {
  head(RecordKind::kFailed, 20);
  u32(static_cast<uint32_t>(stage));
  u32(session);
  u32(call);
  u32(item);
  u32(static_cast<uint32_t>(error));
}

void Records::bundle(uint32_t session, uint32_t call, executorch::runtime::Error error, double max_abs,
                     double mean_abs) {
  head(RecordKind::kBundle, 28);
  u32(session);
  u32(call);
  u32(static_cast<uint32_t>(error));
  port_.write(&max_abs, sizeof(max_abs));
  port_.write(&mean_abs, sizeof(mean_abs));
}

void Records::case_end(uint32_t index) {
  head(RecordKind::kCaseEnd, 16);
  u32(index);
  u32(method_bytes_);
  u32(temp_bytes_);
  u32(planned_bytes_);
  port_.flush();
}

void Records::planned_bytes(size_t bytes) { planned_bytes_ = larger(planned_bytes_, bytes); }

void Records::note_pools() {
  method_bytes_ = larger(method_bytes_, port_.method_pool().used_size());
  temp_bytes_ = larger(temp_bytes_, port_.temp_pool().used_size());
}

}  // namespace wick::runner
