// SPDX-License-Identifier: BSD-3-Clause
// Pieces of a session's memory: files, planned buffers, the tensors of inputs, and outputs that the program does not
// plan. All of it comes from the port and lives until its release().
#pragma once

#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/evalue.h>
#include <executorch/runtime/executor/method.h>

#include "tools/runner/job.h"
#include "tools/runner/port.h"

namespace wick::runner {

struct FileImage {
  const uint8_t* data;
  size_t size;
};

/// Reads a whole file into port memory; false when it cannot be read or does not fit.
bool read_whole(Port& port, const char* path, FileImage& image);

/// The planned buffers of several methods, shared by id, each at the largest size that a method asks for.
class PlannedMemory {
 public:
  explicit PlannedMemory(Port& port) : port_(port) {}

  /// Takes a method's buffers into account; false when there is no memory for the list.
  bool want(const executorch::runtime::MethodMeta& meta);
  /// Gets the buffers, zeroed; false when they do not fit.
  bool allocate();
  executorch::runtime::Span<executorch::runtime::Span<uint8_t>> spans() { return {spans_, count_}; }
  size_t bytes() const { return bytes_; }

 private:
  Port& port_;
  executorch::runtime::Span<uint8_t>* spans_ = nullptr;
  size_t count_ = 0;
  size_t bytes_ = 0;
};

/// Reads an input of a call: a scalar from the job, or a tensor whose data lie in the bin file.
executorch::runtime::Error read_input(Reader& job, Port& port, const char* bin_path,
                                      executorch::runtime::EValue& value);

/// A tensor over `data` (which may be null) with the strides that `dim_order` implies; null when memory is short.
executorch::runtime::etensor::TensorImpl* make_tensor(Port& port, executorch::aten::ScalarType type, size_t dims,
                                                      const int32_t* sizes, const uint8_t* dim_order, void* data);

/// The value that an input slot holds now: for a scalar, the one that the program was specialised for.
executorch::runtime::EValue input_slot(executorch::runtime::Method& method, size_t index);

/// Gives memory to the outputs that have none yet; false when there is not enough.
bool provide_outputs(executorch::runtime::Method& method, Port& port);

}  // namespace wick::runner
