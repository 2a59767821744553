// SPDX-License-Identifier: BSD-3-Clause
// Writes the records of a case (see job.h) to a port.
#pragma once

#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/evalue.h>

#include "tools/runner/job.h"
#include "tools/runner/port.h"

namespace wick::runner {

/// A dense tensor to be written; its dim order is 0, 1, 2, … when `dim_order` is null.
struct TensorRecord {
  executorch::aten::ScalarType type;
  uint32_t dims;
  const int32_t* sizes;
  const uint8_t* dim_order;
  const void* data;
  size_t bytes;
};

class Records {
 public:
  explicit Records(Port& port) : port_(port) {}

  void case_begin(uint32_t index);
  void output(uint32_t session, uint32_t call, uint32_t output, const executorch::runtime::EValue& value);
  void tensor(uint32_t session, uint32_t call, uint32_t output, const TensorRecord& tensor);
  void call_done(uint32_t session, uint32_t call);
  void failed(Stage stage, uint32_t session, uint32_t call, uint32_t item, executorch::runtime::Error error);
  void bundle(uint32_t session, uint32_t call, executorch::runtime::Error error, double max_abs, double mean_abs);
  void case_end(uint32_t index);
  /// To be called often in what may take long; writes a record a second.
  void progress();

  /// Remembers the largest planned memory of a session, in bytes, for case_end().
  void planned_bytes(size_t bytes);
  /// Remembers how full the pools are, for case_end(); call before they are emptied.
  void note_pools();

 private:
  void u32(uint32_t value) { port_.write(&value, sizeof(value)); }
  void head(RecordKind kind, size_t payload_bytes);
  void output_head(uint32_t session, uint32_t call, uint32_t output, ValueKind kind, size_t value_bytes);

  Port& port_;
  uint64_t last_progress_ = 0;
  uint32_t method_bytes_ = 0;
  uint32_t temp_bytes_ = 0;
  uint32_t planned_bytes_ = 0;
};

}  // namespace wick::runner
