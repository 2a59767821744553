// SPDX-License-Identifier: BSD-3-Clause
// ETDumpGen: memory, blocks, and events with times or sizes.

#include <executorch/devtools/etdump/etdump_flatcc.h>
#include <executorch/runtime/platform/assert.h>
#include <executorch/runtime/platform/log.h>

#include <cstdlib>
#include <cstring>

#include "src/extension/etdump/etdump_schema.h"
#include "src/extension/etdump/fields.h"

#if !defined(__unix__) && !defined(__APPLE__) && !defined(_WIN32)
// Firmware has a heap if something in it uses one; a generator with a buffer does not.
extern "C" ET_WEAK void* malloc(size_t size);
extern "C" ET_WEAK void free(void* memory);
#define WICK_HAS_HEAP (&malloc != nullptr)
#else
#define WICK_HAS_HEAP true
#endif

namespace executorch {
namespace etdump {

using ::executorch::runtime::AllocatorID;
using ::executorch::runtime::ChainID;
using ::executorch::runtime::DebugHandle;
using ::executorch::runtime::DelegateDebugIdType;
using ::executorch::runtime::EventTracerEntry;
using ::executorch::runtime::kUnsetBundledInputIndex;
using ::executorch::runtime::kUnsetChainId;
using ::executorch::runtime::kUnsetDelegateDebugIntId;
using ::executorch::runtime::pal_current_ticks;
using ::executorch::runtime::Span;
using wick::internal::FlatbufferWriter;

namespace {

constexpr size_t kFirstMemory = 8 * 1024;

/// What ending the current block and the file takes, whatever was recorded; the vectors' items come on top.
constexpr size_t kEndRoom = 3 * FlatbufferWriter::kTableRoom + 3 * FlatbufferWriter::vector_room(0) + 16;

constexpr int64_t kNoName = -1;

}  // namespace

ETDumpGen::ETDumpGen(Span<uint8_t> buffer) : static_(buffer.data() != nullptr) {
  ET_CHECK_MSG(!static_ || buffer.size() >= kMinBufferSize,
               "an ETDump needs a buffer of at least %zu bytes, this has %zu", kMinBufferSize, buffer.size());
  ET_CHECK_MSG(static_ || WICK_HAS_HEAP, "this firmware has no heap: give ETDumpGen a buffer");
  writer_.begin(buffer);
}

ETDumpGen::~ETDumpGen() {
  if (own_memory_ != nullptr) {
    free(own_memory_);
  }
}

void ETDumpGen::clear_builder() {
  writer_.begin(writer_.buffer());
  result_ = {};
  num_blocks_ = 0;
  allocators_ = 0;
  events_ = 0;
  dropped_ = 0;
  full_ = false;
  ++file_number_;
  state_ = State::Init;
}

void ETDumpGen::reset() {
  clear_builder();
  data_sink_ = nullptr;
}

/// True if `bytes` can be written and the file still be ended.
bool ETDumpGen::make_room(size_t bytes) {
  const size_t needed = bytes + kEndRoom + sizeof(Place) * (writer_.stacked() + 4);
  if (!full_ && (writer_.room() >= needed || (!static_ && grow(needed)))) {
    return true;
  }
  drop();
  return false;
}

bool ETDumpGen::grow(size_t bytes) {
  const size_t old_size = writer_.buffer().size();
  const size_t size = old_size + (old_size < kFirstMemory ? kFirstMemory : old_size) + bytes;
  auto* memory = static_cast<uint8_t*>(malloc(size));
  if (memory == nullptr) {
    return false;
  }
  if (own_memory_ == nullptr) {
    writer_.begin({memory, size});
  } else {
    writer_.move_to({memory, size});
    free(own_memory_);
  }
  own_memory_ = memory;
  return true;
}

void ETDumpGen::drop() {
  if (dropped_++ == 0) {
    ET_LOG(Error,
           "the ETDump's memory of %zu bytes is full: events are dropped from here on. Give it more, or read it more "
           "often",
           writer_.buffer().size());
  }
}

ETDumpGen::Place ETDumpGen::string(const char* text) { return writer_.string(text); }

void ETDumpGen::create_event_block(const char* name) {
  if (state_ == State::Done) {
    clear_builder();
  }
  // The end of the block before, and a string.
  if (!make_room(kEndRoom + FlatbufferWriter::string_room(std::strlen(name)))) {
    full_ = true;  // else its events would be taken for the last block's
    state_ = State::BlockCreated;
    return;
  }
  if (num_blocks_ > 0) {
    end_block();
  }
  ++num_blocks_;
  block_name_ = string(name);
  block_input_index_ = bundled_input_index_;
  state_ = State::BlockCreated;
}

void ETDumpGen::end_block() {
  namespace run = schema::run;
  Fields fields;
  fields.reference(run::kName, block_name_);
  fields.number(run::kBundledInputIndex, 4, block_input_index_, kUnsetBundledInputIndex);
  // The events lie on top of the allocators.
  fields.reference(run::kEvents, events_ > 0 ? writer_.vector_of_stacked(events_) : 0);
  fields.reference(run::kAllocators, allocators_ > 0 ? writer_.vector_of_stacked(allocators_) : 0);
  writer_.push(fields.write(writer_));
  events_ = 0;
  allocators_ = 0;
}

void ETDumpGen::check_ready_to_add_events() {
  ET_CHECK_MSG(state_ != State::Init && state_ != State::Done, "events need a block: call create_event_block() first");
  state_ = State::AddingEvents;
}

void ETDumpGen::add_event(uint8_t kind, Place event) {
  Fields fields;
  fields.reference(kind, event);
  writer_.push(fields.write(writer_));
  ++events_;
}

/// Identifies a name in an EventTracerEntry: its place, and the file in which it lies.
int64_t ETDumpGen::event_id_of(const char* name) {
  if (name == nullptr || !make_room(FlatbufferWriter::string_room(std::strlen(name)))) {
    return kNoName;
  }
  return static_cast<int64_t>(file_number_ & 0x7FFFFFFF) << 32 | string(name);
}

ETDumpGen::Place ETDumpGen::name_of(int64_t event_id) const {
  return event_id >> 32 == (file_number_ & 0x7FFFFFFF) ? static_cast<Place>(event_id & 0xFFFFFFFF) : 0;
}

EventTracerEntry ETDumpGen::start_profiling(const char* name, ChainID chain_id, DebugHandle debug_handle) {
  EventTracerEntry entry;
  entry.event_id = event_id_of(name);
  entry.delegate_event_id_type = DelegateDebugIdType::kNone;
  entry.chain_id = chain_id == kUnsetChainId ? chain_id_ : chain_id;
  entry.debug_handle = chain_id == kUnsetChainId ? debug_handle_ : debug_handle;
  entry.start_time = pal_current_ticks();
  return entry;
}

void ETDumpGen::end_profiling(EventTracerEntry prof_entry) {
  const et_timestamp_t end_time = pal_current_ticks();
  ET_CHECK_MSG(prof_entry.delegate_event_id_type == DelegateDebugIdType::kNone,
               "a delegate's event ends by end_profiling_delegate()");
  check_ready_to_add_events();
  if (!make_room(2 * FlatbufferWriter::kTableRoom)) {
    return;
  }
  namespace profile = schema::profile;
  Fields fields;
  fields.reference(profile::kName, name_of(prof_entry.event_id));
  fields.number(profile::kChain, 4, prof_entry.chain_id);
  fields.number(profile::kInstruction, 4, static_cast<int32_t>(prof_entry.debug_handle), schema::kNoNumber);
  add_profile_event(fields, prof_entry.start_time, end_time);
}

void ETDumpGen::add_profile_event(Fields& fields, et_timestamp_t start_time, et_timestamp_t end_time) {
  namespace profile = schema::profile;
  fields.number(profile::kStartTime, 8, static_cast<int64_t>(start_time));
  fields.number(profile::kEndTime, 8, static_cast<int64_t>(end_time));
  add_event(schema::event::kProfile, fields.write(writer_));
}

EventTracerEntry ETDumpGen::delegate_entry(const char* name, DelegateDebugIntId number, et_timestamp_t start_time) {
  ET_CHECK_MSG((name == nullptr) != (number == kUnsetDelegateDebugIntId),
               "Only name or delegate_debug_index can be valid: a part of a delegate has one of them");
  check_ready_to_add_events();
  EventTracerEntry entry;
  entry.delegate_event_id_type = name == nullptr ? DelegateDebugIdType::kInt : DelegateDebugIdType::kStr;
  entry.event_id = name == nullptr ? number : event_id_of(name);
  entry.chain_id = chain_id_;
  entry.debug_handle = debug_handle_;
  entry.start_time = start_time;
  return entry;
}

EventTracerEntry ETDumpGen::start_profiling_delegate(const char* name, DelegateDebugIntId delegate_debug_index) {
  EventTracerEntry entry = delegate_entry(name, delegate_debug_index, 0);
  entry.start_time = pal_current_ticks();
  return entry;
}

void ETDumpGen::end_profiling_delegate(EventTracerEntry prof_entry, const void* metadata, size_t metadata_len) {
  const et_timestamp_t end_time = pal_current_ticks();
  check_ready_to_add_events();
  add_delegate_event(prof_entry, end_time, metadata, metadata_len);
}

void ETDumpGen::log_profiling_delegate(const char* name, DelegateDebugIntId delegate_debug_index,
                                       et_timestamp_t start_time, et_timestamp_t end_time, const void* metadata,
                                       size_t metadata_len) {
  add_delegate_event(delegate_entry(name, delegate_debug_index, start_time), end_time, metadata, metadata_len);
}

void ETDumpGen::add_delegate_event(const EventTracerEntry& entry, et_timestamp_t end_time, const void* metadata,
                                   size_t metadata_len) {
  if (!make_room(2 * FlatbufferWriter::kTableRoom + FlatbufferWriter::vector_room(metadata_len))) {
    return;
  }
  namespace profile = schema::profile;
  Fields fields;
  fields.number(profile::kChain, 4, chain_id_);
  fields.number(profile::kInstruction, 4, static_cast<int32_t>(debug_handle_), schema::kNoNumber);
  if (entry.delegate_event_id_type == DelegateDebugIdType::kInt) {
    fields.number(profile::kDelegateNumber, 4, entry.event_id, schema::kNoNumber);
  } else {
    fields.reference(profile::kDelegateName, name_of(entry.event_id));
  }
  fields.reference(profile::kMetadata,
                   metadata != nullptr && metadata_len != 0 ? writer_.bytes(metadata, metadata_len) : 0);
  add_profile_event(fields, entry.start_time, end_time);
}

AllocatorID ETDumpGen::track_allocator(const char* name) {
  ET_CHECK_MSG(state_ == State::BlockCreated || state_ == State::AddingAllocators,
               "allocators are tracked right after create_event_block(), before any events are added");
  state_ = State::AddingAllocators;
  if (!make_room(FlatbufferWriter::string_room(std::strlen(name)) + FlatbufferWriter::kTableRoom)) {
    return static_cast<AllocatorID>(allocators_ + 1);
  }
  Fields fields;
  fields.reference(schema::allocator::kName, string(name));
  writer_.push(fields.write(writer_));
  return static_cast<AllocatorID>(++allocators_);
}

void ETDumpGen::track_allocation(AllocatorID id, size_t size) {
  check_ready_to_add_events();
  if (!make_room(2 * FlatbufferWriter::kTableRoom)) {
    return;
  }
  Fields fields;
  fields.number(schema::allocation::kAllocator, 4, id);
  fields.number(schema::allocation::kSize, 8, static_cast<int64_t>(size));
  add_event(schema::event::kAllocation, fields.write(writer_));
}

ETDumpResult ETDumpGen::get_etdump_data() {
  if (num_blocks_ == 0) {
    return {nullptr, 0};
  }
  if (state_ != State::Done) {
    end_block();
    Fields fields;
    fields.number(schema::dump::kVersion, 4, ETDUMP_VERSION);
    fields.reference(schema::dump::kRuns, writer_.vector_of_stacked(num_blocks_));
    result_ = writer_.finish(fields.write(writer_), schema::kIdentifier);
    state_ = State::Done;
  }
  if (static_) {
    return {result_.data(), result_.size()};
  }
  void* copy = malloc(result_.size());
  if (copy == nullptr) {
    ET_LOG(Error, "no memory for the %zu bytes of an ETDump", result_.size());
    return {nullptr, 0};
  }
  std::memcpy(copy, result_.data(), result_.size());
  return {copy, result_.size()};
}

size_t ETDumpGen::get_num_blocks() { return num_blocks_; }

bool ETDumpGen::is_static_etdump() { return static_; }

}  // namespace etdump
}  // namespace executorch
