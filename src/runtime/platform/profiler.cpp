// SPDX-License-Identifier: BSD-3-Clause
// The legacy profiler: events and allocations in a static buffer, which is linked only into programs that use it.

#include <executorch/runtime/platform/assert.h>
#include <executorch/runtime/platform/platform.h>
#include <executorch/runtime/platform/profiler.h>

namespace executorch::runtime {
namespace {

/// The layout that the offsets of profiler.h describe.
struct Block {
  prof_header_t header;
  prof_event_t events[MAX_PROFILE_EVENTS];
  prof_allocator_t allocators[MEM_PROFILE_MAX_ALLOCATORS];
  mem_prof_event_t allocations[MAX_MEM_PROFILE_EVENTS];
};
static_assert(sizeof(Block) == prof_buf_size);
static_assert(offsetof(Block, events) == prof_events_offset);
static_assert(offsetof(Block, allocators) == prof_mem_alloc_info_offset);
static_assert(offsetof(Block, allocations) == prof_mem_alloc_events_offset);

// Bytes, not Blocks: prof_event_t's union makes an array of them no aggregate that is zero without a constructor.
alignas(Block) uint8_t buffer[sizeof(Block) * MAX_PROFILE_BLOCKS];
uint32_t used_blocks = 0;
bool dumped = false;
prof_state_t state = {-1, 0};

Block& block_at(uint32_t index) { return *(reinterpret_cast<Block*>(buffer) + index); }

Block& present_block() { return block_at(used_blocks == 0 ? 0 : used_blocks - 1); }

/// Copies up to PROF_NAME_MAX_LEN characters; the rest of the field is zero.
void copy_name(char* field, const char* name) {
  size_t length = 0;
  while (length < PROF_NAME_MAX_LEN && name[length] != '\0') ++length;
  memmove(field, name, length);
  memset(field + length, 0, PROF_NAME_MAX_LEN - length);
}

}  // namespace

const prof_state_t& get_profile_tls_state() { return state; }

void set_profile_tls_state(const prof_state_t& new_state) { state = new_state; }

ExecutorchProfilerInstructionScope::ExecutorchProfilerInstructionScope(const prof_state_t& new_state)
    : old_state_(state) {
  state = new_state;
}

ExecutorchProfilerInstructionScope::~ExecutorchProfilerInstructionScope() { state = old_state_; }

uint32_t begin_profiling(const char* name) {
  Block& block = present_block();
  ET_CHECK_MSG(block.header.prof_entries < MAX_PROFILE_EVENTS,
               "The profiling buffer is full: define MAX_PROFILE_EVENTS above %d and rebuild", MAX_PROFILE_EVENTS);
  const uint32_t token = block.header.prof_entries++;
  prof_event_t& event = block.events[token];
  event.name_str = name;
  event.chain_idx = state.chain_idx;
  event.instruction_idx = state.instruction_idx;
  event.end_time = 0;
  event.start_time = pal_current_ticks();  // last: the work above is not part of the event
  return token;
}

void end_profiling(uint32_t token_id) {
  const et_timestamp_t now = pal_current_ticks();
  ET_CHECK_MSG(token_id < MAX_PROFILE_EVENTS, "Profiling token %" PRIu32 " was not given by begin_profiling()",
               token_id);
  present_block().events[token_id].end_time = now;
}

void dump_profile_stats(prof_result_t* prof_result) {
  prof_result->prof_data = buffer;
  prof_result->num_bytes = used_blocks * prof_buf_size;
  prof_result->num_blocks = used_blocks;
  if (dumped) return;  // the names are copies already
  for (uint32_t i = 0; i < used_blocks; ++i) {
    Block& block = block_at(i);
    for (uint32_t j = 0; j < block.header.prof_entries; ++j) copy_name(block.events[j].name, block.events[j].name_str);
  }
  dumped = true;
}

void reset_profile_stats() {
  dumped = false;
  prof_header_t& header = present_block().header;
  header.prof_entries = 0;
  header.allocator_entries = 0;
  header.mem_prof_entries = 0;
}

void track_allocation(int32_t id, uint32_t size) {
  if (id == -1) return;
  Block& block = present_block();
  ET_CHECK_MSG(block.header.mem_prof_entries < MAX_MEM_PROFILE_EVENTS,
               "The profiling buffer is full: define MAX_MEM_PROFILE_EVENTS above %d and rebuild",
               MAX_MEM_PROFILE_EVENTS);
  block.allocations[block.header.mem_prof_entries++] = {static_cast<uint32_t>(id), size};
}

uint32_t track_allocator(const char* name) {
  Block& block = present_block();
  ET_CHECK_MSG(block.header.allocator_entries < MEM_PROFILE_MAX_ALLOCATORS,
               "Too many allocators to profile: define MEM_PROFILE_MAX_ALLOCATORS above %d and rebuild",
               MEM_PROFILE_MAX_ALLOCATORS);
  const uint32_t id = block.header.allocator_entries++;
  copy_name(block.allocators[id].name, name);
  block.allocators[id].allocator_id = id;
  return id;
}

void profiling_create_block(const char* name) {
  const prof_header_t& present = present_block().header;
  const bool unused = present.prof_entries == 0 && present.mem_prof_entries == 0 && present.allocator_entries == 0;
  if (used_blocks == 0 || !unused) {
    ET_CHECK_MSG(used_blocks < MAX_PROFILE_BLOCKS,
                 "All profiling blocks are used: define MAX_PROFILE_BLOCKS above %d and rebuild", MAX_PROFILE_BLOCKS);
    ++used_blocks;
  }
  prof_header_t& header = present_block().header;
  copy_name(header.name, name);
  header.prof_ver = ET_PROF_VER;
  header.max_prof_entries = MAX_PROFILE_EVENTS;
  header.max_allocator_entries = MEM_PROFILE_MAX_ALLOCATORS;
  header.max_mem_prof_entries = MAX_MEM_PROFILE_EVENTS;
  reset_profile_stats();
}

void profiler_init(void) {
  memset(buffer, 0, sizeof(buffer));
  used_blocks = 0;
  state = {-1, 0};
  profiling_create_block("default");
}

ExecutorchProfiler::ExecutorchProfiler(const char* name) : token_(begin_profiling(name)) {}

ExecutorchProfiler::~ExecutorchProfiler() { end_profiling(token_); }

}  // namespace executorch::runtime
