// SPDX-License-Identifier: BSD-3-Clause
//
// ETDumpGen: an EventTracer that writes an ETDump, the file that ExecuTorch's Inspector reads: times of operators and
// delegates, allocations, intermediate results. With a buffer it needs no heap; docs/etdump.md shows a firmware.
//
//   alignas(8) static uint8_t buffer[8 * 1024];
//   ETDumpGen etdump({buffer, sizeof(buffer)});
//   Result<Method> method = program->load_method("forward", &memory_manager, &etdump);
//   method->execute();
//   ETDumpResult result = etdump.get_etdump_data();  // result.buf, result.size: the file
#pragma once

#include <executorch/devtools/etdump/data_sinks/buffer_data_sink.h>
#include <executorch/devtools/etdump/data_sinks/data_sink_base.h>
#include <executorch/runtime/core/event_tracer.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/core/span.h>
#include <executorch/runtime/platform/platform.h>
#include <wick/flatbuffer_writer.h>

#include <cstdint>

#define ETDUMP_VERSION 0

namespace executorch {
namespace etdump {

using ::executorch::runtime::DelegateDebugIntId;
using ::executorch::runtime::EventTracerFilterBase;
using ::executorch::runtime::Result;

namespace internal {
/// A buffer in two parts: the first for an allocator, the rest written from its end. For programs that name upstream's
/// type; ETDumpGen's writer needs no such division.
struct ETDumpStaticAllocator {
  ETDumpStaticAllocator() = default;
  /// `alloc_buf_size` of the `total_buf_size` bytes at `buffer` are the allocator's.
  void set_buffer(uint8_t* buffer, size_t total_buf_size, size_t alloc_buf_size) {
    *this = ETDumpStaticAllocator();
    data = buffer;
    data_size = alloc_buf_size;
    front_left = out_size = total_buf_size - alloc_buf_size;
    front_cursor = buffer + total_buf_size;
  }

  uint8_t* data{nullptr};
  size_t data_size{0};
  size_t allocated{0};
  size_t out_size{0};
  uint8_t* front_cursor{nullptr};
  size_t front_left{0};
};
}  // namespace internal

/// A file in memory. From a generator without a buffer, the caller frees `buf` by free().
struct ETDumpResult {
  void* buf;
  size_t size;
};

/// Misuse aborts, as upstream: events before create_event_block(), allocators after events, tensors without a sink.
/// Only a full buffer does not: what fits stays a valid file, the rest is counted by dropped_events().
class ETDumpGen : public ::executorch::runtime::EventTracer {
 public:
  /// Some 50 bytes of buffer an event, at least kMinBufferSize in all; it must outlive the generator and its results.
  /// Without a buffer the generator uses malloc(): on hosts, and in firmware that has a heap.
  ETDumpGen(::executorch::runtime::Span<uint8_t> buffer = {nullptr, static_cast<size_t>(0)});
  ~ETDumpGen() override;
  ETDumpGen(const ETDumpGen&) = delete;
  ETDumpGen& operator=(const ETDumpGen&) = delete;

  static constexpr size_t kMinBufferSize = 1024;

  /// Forgets all that was recorded, keeps the data sink.
  void clear_builder();

  /// Begins a block, a "run" in the Inspector. After get_etdump_data() also a new file.
  void create_event_block(const char* name) override;

  ::executorch::runtime::EventTracerEntry start_profiling(const char* name,
                                                          ::executorch::runtime::ChainID chain_id = -1,
                                                          ::executorch::runtime::DebugHandle debug_handle = 0) override;
  void end_profiling(::executorch::runtime::EventTracerEntry prof_entry) override;
  ::executorch::runtime::EventTracerEntry start_profiling_delegate(const char* name,
                                                                   DelegateDebugIntId delegate_debug_index) override;
  void end_profiling_delegate(::executorch::runtime::EventTracerEntry prof_entry, const void* metadata,
                              size_t metadata_len) override;
  void log_profiling_delegate(const char* name, DelegateDebugIntId delegate_debug_index, et_timestamp_t start_time,
                              et_timestamp_t end_time, const void* metadata, size_t metadata_len) override;

  void track_allocation(::executorch::runtime::AllocatorID id, size_t size) override;
  /// Ids count from 1 in each block.
  ::executorch::runtime::AllocatorID track_allocator(const char* name) override;

  /// Tensors go to the data sink. Errors: InvalidArgument (a type that ETDumps do not know), InvalidState (a tensor
  /// without data), NotSupported (neither tensor, tensor list nor number).
  Result<bool> log_evalue(const ::executorch::runtime::EValue& evalue,
                          ::executorch::runtime::LoggedEValueType evalue_type =
                              ::executorch::runtime::LoggedEValueType::kIntermediateOutput) override;

  /// Errors: InvalidArgument unless exactly one of name and number is given; those of the filter; as log_evalue().
  Result<bool> log_intermediate_output_delegate(const char* name, DelegateDebugIntId delegate_debug_index,
                                                const executorch::aten::Tensor& output) override;
  Result<bool> log_intermediate_output_delegate(
      const char* name, DelegateDebugIntId delegate_debug_index,
      const ::executorch::runtime::ArrayRef<executorch::aten::Tensor> output) override;
  Result<bool> log_intermediate_output_delegate(const char* name, DelegateDebugIntId delegate_debug_index,
                                                const int& output) override;
  Result<bool> log_intermediate_output_delegate(const char* name, DelegateDebugIntId delegate_debug_index,
                                                const bool& output) override;
  Result<bool> log_intermediate_output_delegate(const char* name, DelegateDebugIntId delegate_debug_index,
                                                const double& output) override;

  void set_delegation_intermediate_output_filter(EventTracerFilterBase* event_tracer_filter) override;

  /// Where tensors go; both outlive their use. The buffer is used as by a BufferDataSink.
  Result<bool> set_debug_buffer(::executorch::runtime::Span<uint8_t> buffer);
  void set_data_sink(DataSinkBase* data_sink);
  DataSinkBase* get_data_sink();

  /// Ends the file. {nullptr, 0} if nothing was recorded.
  ETDumpResult get_etdump_data();

  size_t get_num_blocks();
  /// Whether the caller gave a buffer.
  bool is_static_etdump();
  /// wick: events and blocks of this file that found no room.
  size_t dropped_events() const { return dropped_; }
  /// Forgets all that was recorded, and the data sink.
  void reset();

 private:
  using Place = wick::internal::FlatbufferWriter::Place;
  class Fields;

  enum class State {
    Init,
    BlockCreated,
    AddingAllocators,
    AddingEvents,
    Done,
  };

  void check_ready_to_add_events();
  bool make_room(size_t bytes);
  bool grow(size_t bytes);
  void drop();
  void end_block();
  Place string(const char* text);
  int64_t event_id_of(const char* name);
  Place name_of(int64_t event_id) const;
  void add_event(uint8_t kind, Place event);
  void add_profile_event(Fields& fields, et_timestamp_t start_time, et_timestamp_t end_time);
  void add_delegate_event(const ::executorch::runtime::EventTracerEntry& entry, et_timestamp_t end_time,
                          const void* metadata, size_t metadata_len);
  ::executorch::runtime::EventTracerEntry delegate_entry(const char* name, DelegateDebugIntId number,
                                                         et_timestamp_t start_time);
  void add_debug_event(Place value, const char* delegate_name, DelegateDebugIntId delegate_number);
  template <typename T>
  Result<bool> log_delegate_value(const char* name, DelegateDebugIntId number, const T& value, size_t tensors,
                                  size_t dims);
  Result<bool> is_wanted(const char* name, DelegateDebugIntId number);
  Result<Place> add_tensor(const executorch::aten::Tensor& tensor);
  Result<Place> add_value(const executorch::aten::Tensor& tensor, bool is_output);
  Result<Place> add_value(const ::executorch::runtime::ArrayRef<executorch::aten::Tensor>& tensors, bool is_output);
  Result<Place> add_value(int64_t value, bool is_output);
  Result<Place> add_value(double value, bool is_output);
  Result<Place> add_value(bool value, bool is_output);
  Result<Place> add_evalue(const ::executorch::runtime::EValue& evalue, bool is_output);
  Place add_value_table(uint8_t type, uint8_t field, Place content, bool is_output);
  int64_t store_tensor(const executorch::aten::Tensor& tensor);

  wick::internal::FlatbufferWriter writer_;
  uint8_t* own_memory_ = nullptr;  ///< from malloc, without a caller's buffer
  ::executorch::runtime::Span<uint8_t> result_;
  size_t num_blocks_ = 0;
  size_t allocators_ = 0;  ///< of the current block
  size_t events_ = 0;
  size_t dropped_ = 0;
  Place block_name_ = 0;
  int block_input_index_ = -1;
  uint32_t file_number_ = 0;  ///< tells names of this file from those of an earlier one
  bool static_;
  bool full_ = false;
  State state_ = State::Init;
  DataSinkBase* data_sink_ = nullptr;
  BufferDataSink buffer_data_sink_;
  EventTracerFilterBase* filter_ = nullptr;
};

}  // namespace etdump
}  // namespace executorch

namespace torch {
namespace executor {
using etdump_result = ::executorch::etdump::ETDumpResult;
using ::executorch::etdump::ETDumpGen;
}  // namespace executor
}  // namespace torch
