// SPDX-License-Identifier: BSD-3-Clause
// The interface through which the runtime reports events, allocations and values while a method runs.
// ETDumpGen (devtools/etdump) implements it; so can a program:
//
//     class Stopwatch : public executorch::runtime::EventTracer { ... };
//     Stopwatch tracer;
//     Result<Method> method = program->load_method("forward", &memory_manager, &tracer);

#pragma once

#include <executorch/runtime/core/array_ref.h>
#include <executorch/runtime/core/evalue.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/platform/platform.h>
#include <wick/virtual_delete.h>

#include <cstdint>
#include <cstdlib>

namespace executorch::runtime {

/// Names an allocator; from track_allocator().
typedef uint32_t AllocatorID;
/// The chain of instructions that an event belongs to.
typedef int32_t ChainID;
/// The number that the exporter gave to an operator.
typedef uint32_t DebugHandle;
/// The number that a backend gave to a part of its delegate.
typedef int32_t DelegateDebugIntId;

constexpr ChainID kUnsetChainId = -1;
constexpr DebugHandle kUnsetDebugHandle = 0;
constexpr DelegateDebugIntId kUnsetDelegateDebugIntId = -1;
constexpr int kUnsetBundledInputIndex = -1;

/// How a delegate event is named.
enum class DelegateDebugIdType {
  kNone,  ///< not a delegate event
  kInt,   ///< by a number
  kStr,   ///< by a text
};

/// What a logged value is. The numbers are stored in files.
enum class LoggedEValueType {
  kIntermediateOutput = 0,  ///< the result of one operator
  kProgramOutput = 1,       ///< an output of the method
};

/// Which values are logged, fewest first.
enum class EventTracerDebugLogLevel {
  kNoLogging,
  kProgramOutputs,
  kIntermediateOutputs,
};

/// Which events are timed, fewest first.
enum class EventTracerProfilingLevel {
  kProfileMethodOnly,
  kProfileAllEvents,
};

/// Chooses the intermediate results of delegates that are logged.
class EventTracerFilterBase {
 public:
  WICK_DELETE_WITHOUT_HEAP

  /// True if the part of the delegate named by `name` or, when that is null, by `delegate_debug_index` is to be left out.
  virtual Result<bool> filter(const char* name, DelegateDebugIntId delegate_debug_index) = 0;

  virtual ~EventTracerFilterBase() = default;
};

/// An event that has begun; only the tracer that made it looks inside.
struct EventTracerEntry {
  int64_t event_id;
  ChainID chain_id;
  DebugHandle debug_handle;
  et_timestamp_t start_time;  ///< ticks
  DelegateDebugIdType delegate_event_id_type;
};

/// Receives what happens in a method. Names are valid during the call only. A delegate names its parts either by text
/// (with kUnsetDelegateDebugIntId as number) or by number (with a null name).
class EventTracer {
 public:
  WICK_DELETE_WITHOUT_HEAP

  /// Begins a group of events, such as one execution.
  virtual void create_event_block(const char* name) = 0;

  /// Begins an event. Unset ids mean: those of set_chain_debug_handle().
  virtual EventTracerEntry start_profiling(const char* name, ChainID chain_id = kUnsetChainId,
                                           DebugHandle debug_handle = kUnsetDebugHandle) = 0;

  /// Begins an event inside a delegate.
  virtual EventTracerEntry start_profiling_delegate(const char* name, DelegateDebugIntId delegate_debug_index) = 0;

  /// Ends an event inside a delegate. `metadata` is stored as it is.
  virtual void end_profiling_delegate(EventTracerEntry event_tracer_entry, const void* metadata = nullptr,
                                      size_t metadata_len = 0) = 0;

  /// Reports an event inside a delegate that is over, with its times in ticks.
  virtual void log_profiling_delegate(const char* name, DelegateDebugIntId delegate_debug_index,
                                      et_timestamp_t start_time, et_timestamp_t end_time,
                                      const void* metadata = nullptr, size_t metadata_len = 0) = 0;

  /// Ends an event.
  virtual void end_profiling(EventTracerEntry prof_entry) = 0;

  /// Reports an allocation of `size` bytes.
  virtual void track_allocation(AllocatorID id, size_t size) = 0;

  /// Gives an allocator its id.
  virtual AllocatorID track_allocator(const char* name) = 0;

  /// Logs a value. False if it was not wanted, an error if it could not be stored.
  virtual Result<bool> log_evalue(const EValue& evalue, LoggedEValueType evalue_type) = 0;

  /// Log an intermediate result of a delegate. False if the filter does not want it.
  virtual Result<bool> log_intermediate_output_delegate(const char* name, DelegateDebugIntId delegate_debug_index,
                                                        const executorch::aten::Tensor& output) = 0;
  virtual Result<bool> log_intermediate_output_delegate(const char* name, DelegateDebugIntId delegate_debug_index,
                                                        const ArrayRef<executorch::aten::Tensor> output) = 0;
  virtual Result<bool> log_intermediate_output_delegate(const char* name, DelegateDebugIntId delegate_debug_index,
                                                        const int& output) = 0;
  virtual Result<bool> log_intermediate_output_delegate(const char* name, DelegateDebugIntId delegate_debug_index,
                                                        const bool& output) = 0;
  virtual Result<bool> log_intermediate_output_delegate(const char* name, DelegateDebugIntId delegate_debug_index,
                                                        const double& output) = 0;

  /// Sets the filter for the calls above; it must outlive its use.
  virtual void set_delegation_intermediate_output_filter(EventTracerFilterBase* event_tracer_filter) = 0;

  /// The instruction that runs now.
  void set_chain_debug_handle(ChainID chain_id, DebugHandle debug_handle) {
    chain_id_ = chain_id;
    debug_handle_ = debug_handle;
  }
  ChainID current_chain_id() { return chain_id_; }
  DebugHandle current_debug_handle() { return debug_handle_; }

  /// The set of bundled inputs that is executed, or kUnsetBundledInputIndex.
  void set_bundled_input_index(int bundled_input_index) { bundled_input_index_ = bundled_input_index; }
  int bundled_input_index() { return bundled_input_index_; }

  void set_event_tracer_debug_level(EventTracerDebugLogLevel log_level) { event_tracer_debug_level_ = log_level; }
  EventTracerDebugLogLevel event_tracer_debug_level() { return event_tracer_debug_level_; }

  void set_event_tracer_profiling_level(EventTracerProfilingLevel profiling_level) {
    event_tracer_profiling_level_ = profiling_level;
  }
  EventTracerProfilingLevel event_tracer_profiling_level() { return event_tracer_profiling_level_; }

  bool intermediate_outputs_logging_status() { return log_intermediate_tensors_; }

  virtual ~EventTracer() {}

 protected:
  ChainID chain_id_ = kUnsetChainId;
  DebugHandle debug_handle_ = kUnsetDebugHandle;
  bool event_tracer_enable_debugging_ = false;
  bool log_intermediate_tensors_ = false;
  int bundled_input_index_ = kUnsetBundledInputIndex;
  EventTracerDebugLogLevel event_tracer_debug_level_ = EventTracerDebugLogLevel::kNoLogging;
  EventTracerProfilingLevel event_tracer_profiling_level_ = EventTracerProfilingLevel::kProfileAllEvents;
};

}  // namespace executorch::runtime

namespace torch::executor {
// Deprecated names.
using ::executorch::runtime::AllocatorID;
using ::executorch::runtime::ChainID;
using ::executorch::runtime::DebugHandle;
using ::executorch::runtime::DelegateDebugIdType;
using ::executorch::runtime::DelegateDebugIntId;
using ::executorch::runtime::EventTracer;
using ::executorch::runtime::EventTracerDebugLogLevel;
using ::executorch::runtime::EventTracerEntry;
using ::executorch::runtime::kUnsetBundledInputIndex;
using ::executorch::runtime::kUnsetChainId;
using ::executorch::runtime::kUnsetDebugHandle;
using ::executorch::runtime::kUnsetDelegateDebugIntId;
using ::executorch::runtime::LoggedEValueType;
}  // namespace torch::executor
