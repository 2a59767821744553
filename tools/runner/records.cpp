// SPDX-License-Identifier: BSD-3-Clause
// Serialisation of the record stream; payload sizes are computed first, so that nothing is buffered.
#include "tools/runner/records.h"

#include <executorch/runtime/platform/clock.h>

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

void Records::output_head(uint32_t session, uint32_t call, uint32_t output, ValueKind kind, size_t value_bytes) {
  head(RecordKind::kOutput, 16 + value_bytes);
  u32(session);
  u32(call);
  u32(output);
  u32(static_cast<uint32_t>(kind));
}

void Records::output(uint32_t session, uint32_t call, uint32_t output, const EValue& value) {
  const ValueKind kind = kind_of(value);
  if (kind == ValueKind::kTensor) {
    const auto from = value.toTensor();
    const void* data = from.const_data_ptr();
    return tensor(session, call, output,
                  {from.scalar_type(), static_cast<uint32_t>(from.dim()), from.sizes().data(), from.dim_order().data(),
                   data, data != nullptr ? from.nbytes() : 0});
  }
  if (kind == ValueKind::kInt) {
    const int64_t number = value.toInt();
    output_head(session, call, output, kind, sizeof(number));
    port_.write(&number, sizeof(number));
  } else if (kind == ValueKind::kDouble) {
    const double number = value.toDouble();
    output_head(session, call, output, kind, sizeof(number));
    port_.write(&number, sizeof(number));
  } else if (kind == ValueKind::kBool) {
    output_head(session, call, output, kind, sizeof(uint32_t));
    u32(value.toBool() ? 1 : 0);
  } else {
    output_head(session, call, output, kind, 0);
  }
}

void Records::tensor(uint32_t session, uint32_t call, uint32_t output, const TensorRecord& tensor) {
  output_head(session, call, output, ValueKind::kTensor, 8 + 8 * size_t{tensor.dims} + tensor.bytes);
  u32(static_cast<uint32_t>(tensor.type));
  u32(tensor.dims);
  for (uint32_t d = 0; d < tensor.dims; ++d) {
    u32(static_cast<uint32_t>(tensor.sizes[d]));
  }
  for (uint32_t d = 0; d < tensor.dims; ++d) {
    u32(tensor.dim_order != nullptr ? tensor.dim_order[d] : d);
  }
  if (tensor.bytes > 0) {
    port_.write(tensor.data, tensor.bytes);
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

void Records::progress() {
  constexpr uint64_t kInterval = 1000000000;  // ns
  const uint64_t now = executorch::runtime::ticks_to_ns(executorch::runtime::pal_current_ticks());
  if (now - last_progress_ >= kInterval) {
    last_progress_ = now;
    head(RecordKind::kProgress, 0);
    port_.flush();
  }
}

void Records::planned_bytes(size_t bytes) { planned_bytes_ = larger(planned_bytes_, bytes); }

void Records::note_pools() {
  method_bytes_ = larger(method_bytes_, port_.method_pool().used_size());
  temp_bytes_ = larger(temp_bytes_, port_.temp_pool().used_size());
}

}  // namespace wick::runner
