// SPDX-License-Identifier: BSD-3-Clause
// An EventTracer that writes down each call as one word.

#pragma once

#include <executorch/runtime/core/event_tracer.h>

#include <string>

class RecordingTracer : public executorch::runtime::EventTracer {
 public:
  using ChainID = executorch::runtime::ChainID;
  using DebugHandle = executorch::runtime::DebugHandle;
  using Entry = executorch::runtime::EventTracerEntry;
  using Id = executorch::runtime::DelegateDebugIntId;
  using Logged = executorch::runtime::Result<bool>;

  std::string calls;

  void create_event_block(const char* name) override { add("block:", name); }
  Entry start_profiling(const char* name, ChainID, DebugHandle) override {
    add("start:", name);
    return entry(1);
  }
  Entry start_profiling_delegate(const char* name, Id id) override {
    add("start_delegate:", name != nullptr ? std::string(name) : std::to_string(id));
    return entry(2);
  }
  void end_profiling_delegate(Entry entry, const void*, size_t size) override {
    add("end_delegate:", std::to_string(entry.event_id) + "," + std::to_string(size));
  }
  void log_profiling_delegate(const char*, Id id, et_timestamp_t start, et_timestamp_t end, const void*,
                              size_t) override {
    add("log_delegate:", std::to_string(id) + "," + std::to_string(end - start));
  }
  void end_profiling(Entry entry) override { add("end:", std::to_string(entry.event_id)); }
  void track_allocation(executorch::runtime::AllocatorID id, size_t size) override {
    add("allocation:", std::to_string(id) + "," + std::to_string(size));
  }
  executorch::runtime::AllocatorID track_allocator(const char* name) override {
    add("allocator:", name);
    return 9;
  }
  Logged log_evalue(const executorch::runtime::EValue& value, executorch::runtime::LoggedEValueType type) override {
    add("value:", std::to_string(value.toInt()) + "," + std::to_string(static_cast<int>(type)));
    return true;
  }
  Logged log_intermediate_output_delegate(const char*, Id, const executorch::aten::Tensor&) override {
    return output("tensor");
  }
  Logged log_intermediate_output_delegate(const char*, Id,
                                          const executorch::runtime::ArrayRef<executorch::aten::Tensor>) override {
    return output("tensors");
  }
  Logged log_intermediate_output_delegate(const char*, Id, const int&) override { return output("int"); }
  Logged log_intermediate_output_delegate(const char*, Id, const bool&) override { return output("bool"); }
  Logged log_intermediate_output_delegate(const char*, Id, const double&) override { return output("double"); }
  void set_delegation_intermediate_output_filter(executorch::runtime::EventTracerFilterBase*) override {}

 private:
  static Entry entry(int64_t id) {
    Entry entry{};
    entry.event_id = id;
    return entry;
  }
  void add(const char* what, const std::string& detail) { calls += what + detail + " "; }
  Logged output(const char* type) {
    add("output:", type);
    return true;
  }
};
