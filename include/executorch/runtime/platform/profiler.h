// SPDX-License-Identifier: BSD-3-Clause
// The legacy profiler: EXECUTORCH_* macros that record events and allocations in a static buffer, read by
// dump_profile_stats(). They cost nothing unless PROFILING_ENABLED is defined. New code uses an EventTracer.
//
//     EXECUTORCH_SCOPE_PROF("preprocess");
//     prof_result_t result;
//     EXECUTORCH_DUMP_PROFILE_RESULTS(&result);

#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// Version of the buffer's layout, for the tool that reads it.
#define ET_PROF_VER 0x00000001

// Sizes of the buffer; define them to change it.
#ifndef MAX_PROFILE_EVENTS
#define MAX_PROFILE_EVENTS 1024
#endif
#ifndef MAX_MEM_PROFILE_EVENTS
#define MAX_MEM_PROFILE_EVENTS 1024
#endif
#ifndef MEM_PROFILE_MAX_ALLOCATORS
#define MEM_PROFILE_MAX_ALLOCATORS 32
#endif
#ifndef MAX_PROFILE_BLOCKS
#define MAX_PROFILE_BLOCKS 2
#endif
#define PROF_NAME_MAX_LEN 32

namespace executorch::runtime {

/// One timed event. The name is a pointer while recording and a copy after dump_profile_stats(): upstream's layout.
struct alignas(8) prof_event_t {
  union {
    const char* name_str;
    char name[PROF_NAME_MAX_LEN];
  };
  int32_t chain_idx;  ///< -1 outside of a chain
  uint32_t instruction_idx;
  uint64_t start_time;  ///< ticks
  uint64_t end_time;    ///< ticks; 0 while the event lasts
};

/// One allocation, in bytes.
struct alignas(8) mem_prof_event_t {
  uint32_t allocator_id;
  uint32_t allocation_size;
};

struct alignas(8) prof_allocator_t {
  char name[PROF_NAME_MAX_LEN];
  uint64_t allocator_id;
};

/// What dump_profile_stats() gives: `num_blocks` blocks of prof_buf_size bytes each.
struct alignas(8) prof_result_t {
  uint8_t* prof_data;
  uint32_t num_bytes;
  uint32_t num_blocks;
};

struct alignas(8) prof_header_t {
  char name[PROF_NAME_MAX_LEN];
  uint32_t prof_ver;
  uint32_t max_prof_entries;
  uint32_t prof_entries;
  uint32_t max_allocator_entries;
  uint32_t allocator_entries;
  uint32_t max_mem_prof_entries;
  uint32_t mem_prof_entries;
};

// A block: header, events, allocators, allocations. Offsets in bytes.
constexpr size_t prof_header_offset = 0;
constexpr size_t prof_events_offset = sizeof(prof_header_t);
constexpr size_t prof_mem_alloc_info_offset = prof_events_offset + sizeof(prof_event_t) * MAX_PROFILE_EVENTS;
constexpr size_t prof_mem_alloc_events_offset =
    prof_mem_alloc_info_offset + sizeof(prof_allocator_t) * MEM_PROFILE_MAX_ALLOCATORS;
constexpr uint32_t prof_buf_size =
    static_cast<uint32_t>(prof_mem_alloc_events_offset + sizeof(mem_prof_event_t) * MAX_MEM_PROFILE_EVENTS);

/// Empties the buffer and starts a block named "default".
void profiler_init(void);

/// Starts an event; `name` must live until dump_profile_stats(). Returns the token for end_profiling().
uint32_t begin_profiling(const char* name);
void end_profiling(uint32_t token_id);

/// Makes the recorded blocks readable.
void dump_profile_stats(prof_result_t* prof_result);

/// Forgets the events of the present block.
void reset_profile_stats();

/// Records an allocation of `size` bytes; `id` is from track_allocator(), -1 is ignored.
void track_allocation(int32_t id, uint32_t size);
uint32_t track_allocator(const char* name);

/// Starts a new block, or renames the present one if nothing was recorded in it.
void profiling_create_block(const char* name);

/// Profiles the scope in which it lives.
class ExecutorchProfiler {
 public:
  explicit ExecutorchProfiler(const char* name);
  ~ExecutorchProfiler();
  ExecutorchProfiler(const ExecutorchProfiler&) = delete;
  ExecutorchProfiler& operator=(const ExecutorchProfiler&) = delete;

 private:
  uint32_t token_;
};

/// Which instruction events are attributed to.
struct prof_state_t {
  int32_t chain_idx;
  uint32_t instruction_idx;
};

const prof_state_t& get_profile_tls_state();
void set_profile_tls_state(const prof_state_t& state);

/// Attributes the events of the scope in which it lives to one instruction.
class ExecutorchProfilerInstructionScope {
 public:
  explicit ExecutorchProfilerInstructionScope(const prof_state_t& state);
  ~ExecutorchProfilerInstructionScope();
  ExecutorchProfilerInstructionScope(const ExecutorchProfilerInstructionScope&) = delete;
  ExecutorchProfilerInstructionScope& operator=(const ExecutorchProfilerInstructionScope&) = delete;

 private:
  prof_state_t old_state_;
};

}  // namespace executorch::runtime

namespace torch::executor {
// Deprecated names.
using ::executorch::runtime::begin_profiling;
using ::executorch::runtime::dump_profile_stats;
using ::executorch::runtime::end_profiling;
using ::executorch::runtime::ExecutorchProfiler;
using ::executorch::runtime::ExecutorchProfilerInstructionScope;
using ::executorch::runtime::get_profile_tls_state;
using ::executorch::runtime::mem_prof_event_t;
using ::executorch::runtime::prof_allocator_t;
using ::executorch::runtime::prof_buf_size;
using ::executorch::runtime::prof_event_t;
using ::executorch::runtime::prof_events_offset;
using ::executorch::runtime::prof_header_offset;
using ::executorch::runtime::prof_header_t;
using ::executorch::runtime::prof_mem_alloc_events_offset;
using ::executorch::runtime::prof_mem_alloc_info_offset;
using ::executorch::runtime::prof_result_t;
using ::executorch::runtime::prof_state_t;
using ::executorch::runtime::profiler_init;
using ::executorch::runtime::profiling_create_block;
using ::executorch::runtime::reset_profile_stats;
using ::executorch::runtime::set_profile_tls_state;
using ::executorch::runtime::track_allocation;
using ::executorch::runtime::track_allocator;
}  // namespace torch::executor

#ifdef PROFILING_ENABLED

#define WICK_PROF_CONCAT_(a, b) a##b
#define WICK_PROF_CONCAT(a, b) WICK_PROF_CONCAT_(a, b)

#define EXECUTORCH_PROFILE_CREATE_BLOCK(name) ::executorch::runtime::profiling_create_block(name)
#define EXECUTORCH_BEGIN_PROF(name) ::executorch::runtime::begin_profiling(name)
#define EXECUTORCH_END_PROF(token_id) ::executorch::runtime::end_profiling(token_id)
#define EXECUTORCH_SCOPE_PROF(name) \
  ::executorch::runtime::ExecutorchProfiler WICK_PROF_CONCAT(et_profiler_, __LINE__)(name)
#define EXECUTORCH_PROFILE_INSTRUCTION_SCOPE(chain_idx, instruction_idx)                               \
  ::executorch::runtime::ExecutorchProfilerInstructionScope WICK_PROF_CONCAT(et_profiler_instruction_, \
                                                                             __LINE__)({chain_idx, instruction_idx})
#define EXECUTORCH_DUMP_PROFILE_RESULTS(prof_result) ::executorch::runtime::dump_profile_stats(prof_result)
#define EXECUTORCH_RESET_PROFILE_RESULTS() ::executorch::runtime::reset_profile_stats()
#define EXECUTORCH_TRACK_ALLOCATOR(name) ::executorch::runtime::track_allocator(name)
#define EXECUTORCH_TRACK_ALLOCATION(id, size) ::executorch::runtime::track_allocation(id, size)

#else  // PROFILING_ENABLED

#define WICK_PROF_UNUSED(expression) \
  do {                               \
    (void)(expression);              \
  } while (0)

#define EXECUTORCH_PROFILE_CREATE_BLOCK(name) WICK_PROF_UNUSED(name)
// `{}` because it initialises a token: `uint32_t token = EXECUTORCH_BEGIN_PROF("name");`
#define EXECUTORCH_BEGIN_PROF(name) \
  {}
#define EXECUTORCH_END_PROF(token_id) WICK_PROF_UNUSED(token_id)
#define EXECUTORCH_SCOPE_PROF(name) WICK_PROF_UNUSED(name)
#define EXECUTORCH_PROFILE_INSTRUCTION_SCOPE(chain_idx, instruction_idx) \
  WICK_PROF_UNUSED(((void)(chain_idx), (void)(instruction_idx)))
#define EXECUTORCH_DUMP_PROFILE_RESULTS(prof_result) \
  memset(prof_result, 0, sizeof(::executorch::runtime::prof_result_t));
#define EXECUTORCH_RESET_PROFILE_RESULTS() \
  {}
#define EXECUTORCH_TRACK_ALLOCATOR(name) ((void)(name), -1)
#define EXECUTORCH_TRACK_ALLOCATION(id, size) WICK_PROF_UNUSED(((void)(id), (void)(size)))

#endif  // PROFILING_ENABLED
