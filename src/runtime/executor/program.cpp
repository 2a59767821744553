// SPDX-License-Identifier: BSD-3-Clause
//
// Program: headers, constants, segments and named data of a .pte.
#include <executorch/runtime/core/event_tracer_hooks.h>
#include <executorch/runtime/executor/program.h>
#include <executorch/runtime/platform/log.h>

#include <cstring>

#include "src/pte/schema.h"
#include "src/runtime/executor/constants.h"

namespace executorch {
namespace ET_RUNTIME_NAMESPACE {
namespace {

namespace pte = ::wick::pte;
using SegmentInfo = DataLoader::SegmentInfo;

/// The FlatBuffer may hold 64-bit values; places that force more (constants: 16) say so themselves.
constexpr size_t kProgramAlignment = alignof(std::max_align_t);

void log_not_a_program(const uint8_t* head) {
  (void)head;
#if ET_LOG_ENABLED
  switch (pte::kind_of(head)) {
    case pte::Kind::kProgram:
      ET_LOG(Error, "the program's extended header is corrupt: its length is below 24");
      break;
    case pte::Kind::kErased:
      ET_LOG(Error, "no program here: the memory is erased (all 0x%02x). Write the .pte to this address first",
             head[0]);
      break;
    case pte::Kind::kBundled:
      ET_LOG(Error, "this is a bundled program (.bpte): take the .pte out of it with get_program_data() first");
      break;
    case pte::Kind::kFlatTensor:
      ET_LOG(Error, "this is a data file (.ptd), not a program: give load() the .pte, and the .ptd to load_method()");
      break;
    case pte::Kind::kOtherVersion:
      ET_LOG(Error, "program format '%.4s' is not 'ET12': made by another exporter generation, or corrupt",
             reinterpret_cast<const char*>(head + 4));
      break;
    default:
      ET_LOG(Error, "not a program: bytes 4-7 are %02x %02x %02x %02x, expected 'ET12'. Check the address and the file",
             head[4], head[5], head[6], head[7]);
      break;
  }
#endif
}

/// Finds how many bytes the FlatBuffer has, and where segments begin.
Error read_head(DataLoader* loader, size_t* program_size, size_t* segment_base_offset) {
  Result<FreeableBuffer> head = loader->load(0, pte::kHeadBytes, SegmentInfo(SegmentInfo::Type::Program));
  if (!head.ok()) {
    ET_LOG(Error, "cannot read the first %d bytes of the program: 0x%" PRIx32, static_cast<int>(pte::kHeadBytes),
           static_cast<uint32_t>(head.error()));
    return head.error();
  }
  const uint8_t* bytes = static_cast<const uint8_t*>(head->data());
  pte::ExtendedHeader header;
  if (!pte::parse_extended_header(bytes, &header)) {
    log_not_a_program(bytes);
    return Error::InvalidProgram;
  }
  Result<size_t> available = loader->size();
  if (!available.ok()) {
    return available.error();
  }
  const size_t size = header.present ? header.program_size : available.get();
  size_t end = size;
  if (header.segment_base_offset != 0) {
    end = header.segment_base_offset + header.segment_data_size;
    end = end < size || end < header.segment_base_offset ? SIZE_MAX : end;
  }
  if (end > available.get()) {
    ET_LOG(Error, "the program is truncated: its header asks for %" ET_PRIsize_t " bytes, %" ET_PRIsize_t " are there",
           end, available.get());
    return Error::InvalidProgram;
  }
  *program_size = size;
  *segment_base_offset = header.segment_base_offset;
  return Error::Ok;
}

/// Offset in the file and size of segment `index`.
Error find_segment(pte::Buffer& buffer, size_t base, size_t index, size_t* offset, size_t* size) {
  const pte::Vector segments = buffer.vector_field(buffer.root(), pte::program::kSegments, 4);
  if (index >= segments.count || base == 0) {
    ET_LOG(Error, "segment %" ET_PRIsize_t " does not exist: the program has %" PRIu32, index, segments.count);
    return Error::NotFound;
  }
  const pte::Table segment = buffer.table_item(segments, static_cast<uint32_t>(index));
  const size_t from = buffer.size_field(segment, pte::segment::kOffset);
  *offset = base + from;
  *size = buffer.size_field(segment, pte::segment::kSize);
  if (buffer.bad() || *offset < base) {
    ET_LOG(Error, "segment %" ET_PRIsize_t " has an impossible offset or size", index);
    return Error::InvalidProgram;
  }
  return Error::Ok;
}

Error load_bytes(DataLoader* loader, size_t offset, size_t size, const SegmentInfo& info, FreeableBuffer* out) {
  Result<FreeableBuffer> data = loader->load(offset, size, info);
  if (data.ok()) {
    new (out) FreeableBuffer(std::move(data.get()));
  }
  return data.error();
}

Error load_segment(DataLoader* loader, size_t base, pte::Buffer& buffer, const SegmentInfo& info, FreeableBuffer* out) {
  size_t offset = 0;
  size_t size = 0;
  Error error = find_segment(buffer, base, info.segment_index, &offset, &size);
  return error != Error::Ok ? error : load_bytes(loader, offset, size, info, out);
}

}  // namespace

/// A checked reader of the FlatBuffer.
pte::Buffer Program::buffer() const { return {program_data_.data(), program_data_.size()}; }

Error Program::read(Program* program) {
  DataLoader* loader = program->loader_;
  size_t program_size = 0;
  Error error = read_head(loader, &program_size, &program->segment_base_offset_);
  if (error == Error::Ok) {
    error = load_bytes(loader, 0, program_size, SegmentInfo(SegmentInfo::Type::Program), &program->program_data_);
  }
  if (error != Error::Ok) {
    return error;
  }
  pte::Buffer buffer = program->buffer();
  if (reinterpret_cast<uintptr_t>(buffer.bytes(0)) % kProgramAlignment != 0) {
    ET_LOG(Error, "the program at %p must lie on a multiple of %d bytes (16 is safe everywhere)",
           static_cast<const void*>(buffer.bytes(0)), static_cast<int>(kProgramAlignment));
    return Error::InvalidArgument;
  }
  const pte::Table root = buffer.root();
  const uint32_t version = buffer.u32_field(root, pte::program::kVersion);
  if (!buffer.bad() && version > kMaxSupportedSchemaVersion) {
    ET_LOG(Error,
           "program version %" PRIu32 " is newer than this runtime understands (%" PRIu32
           "): update wick, or export with an older ExecuTorch",
           version, kMaxSupportedSchemaVersion);
    return Error::InvalidProgram;
  }
  const pte::Table constants = buffer.table_field(root, pte::program::kConstantSegment);
  const pte::Vector offsets = buffer.vector_field(constants, pte::subsegments::kOffsets, 8);
  if (buffer.bad()) {
    ET_LOG(Error, "the program's tables are corrupt or truncated");
    return Error::InvalidProgram;
  }
  if (offsets.count > 1) {  // entry 0 is a placeholder
    const SegmentInfo info(SegmentInfo::Type::Constant, buffer.u32_field(constants, pte::subsegments::kSegmentIndex));
    error = load_segment(loader, program->segment_base_offset_, buffer, info, &program->constant_segment_data_);
  }
  return error == Error::NotFound ? Error::InvalidProgram : error;
}

Result<Program> Program::load(DataLoader* loader, Verification) {
  Program program(loader);
  Error error = read(&program);
  if (error != Error::Ok) {
    return error;
  }
  return program;
}

size_t Program::num_methods() const {
  pte::Buffer buffer = this->buffer();
  return buffer.vector_field(buffer.root(), pte::program::kExecutionPlan, 4).count;
}

Result<const char*> Program::get_method_name(size_t method_index) const {
  pte::Buffer buffer = this->buffer();
  pte::Vector plans = buffer.vector_field(buffer.root(), pte::program::kExecutionPlan, 4);
  if (method_index >= plans.count) {
    ET_LOG(Error, "method %" ET_PRIsize_t " does not exist: the program has %" PRIu32, method_index, plans.count);
    return Error::InvalidArgument;
  }
  const char* name =
      buffer.string_field(buffer.table_item(plans, static_cast<uint32_t>(method_index)), pte::plan::kName);
  if (name == nullptr) {
    return Error::InvalidProgram;
  }
  return name;
}

uint32_t Program::find_plan(const char* method_name) const {
  pte::Buffer buffer = this->buffer();
  pte::Vector plans = buffer.vector_field(buffer.root(), pte::program::kExecutionPlan, 4);
  for (uint32_t i = 0; i < plans.count; ++i) {
    pte::Table plan = buffer.table_item(plans, i);
    const char* name = buffer.string_field(plan, pte::plan::kName);
    if (name != nullptr && pte::same_text(name, method_name)) {
      return plan.at;
    }
  }
  ET_LOG(Error, "the program has no method '%s'", method_name);
  return 0;
}

Result<MethodMeta> Program::method_meta(const char* method_name) const {
  const uint32_t plan = find_plan(method_name);
  if (plan == 0) {
    return Error::InvalidArgument;
  }
  pte::Buffer buffer = this->buffer();
  pte::Table table = buffer.table_at(plan);
  constexpr uint8_t kRequired[][2] = {
      {pte::plan::kValues, 4}, {pte::plan::kInputs, 4}, {pte::plan::kOutputs, 4}, {pte::plan::kNonConstBufferSizes, 8}};
  for (auto [field, width] : kRequired) {
    if (buffer.vector_field(table, field, width).at == 0) {
      ET_LOG(Error, "method '%s' is corrupt: field %d of its plan is missing or broken", method_name, field);
      return Error::InvalidProgram;
    }
  }
  return MethodMeta(program_data_.data(), buffer.size(), plan);
}

Result<const void*> Program::get_constant_buffer_data(size_t buffer_idx, size_t nbytes) const {
  pte::Buffer buffer = this->buffer();
  ::wick::Constants constants(buffer, constant_segment_data_.data(), constant_segment_data_.size());
  void* data = nullptr;
  Error error = constants.find(buffer_idx, nbytes, &data);
  if (error != Error::Ok) {
    return error;
  }
  return static_cast<const void*>(data);
}

Result<const NamedDataMap*> Program::get_named_data_map() const {
  pte::Buffer buffer = this->buffer();
  if (buffer.vector_field(buffer.root(), pte::program::kNamedData, 4).count == 0) {
    return Error::NotFound;
  }
  return static_cast<const NamedDataMap*>(new (pte_data_map_) internal::PteDataMap(
      loader_, segment_base_offset_, program_data_.data(), program_data_.size()));
}

Result<const char*> Program::get_output_flattening_encoding(const char* method_name) const {
  const uint32_t plan = find_plan(method_name);
  if (plan == 0) {
    return Error::InvalidArgument;
  }
  pte::Buffer buffer = this->buffer();
  pte::Table container = buffer.table_field(buffer.table_at(plan), pte::plan::kContainerMetaType);
  const char* encoding = buffer.string_field(container, 1);
  if (encoding == nullptr) {
    return Error::InvalidProgram;
  }
  return encoding;
}

Error Program::get_backend_delegate_data(size_t index, const void** out_data, size_t* out_size) const {
  pte::Buffer buffer = this->buffer();
  pte::Vector entries = buffer.vector_field(buffer.root(), pte::program::kBackendDelegateData, 4);
  if (index >= entries.count) {
    ET_LOG(Error, "delegate data %" ET_PRIsize_t " does not exist: the program has %" PRIu32, index, entries.count);
    return Error::NotFound;
  }
  pte::Vector data = buffer.vector_field(buffer.table_item(entries, static_cast<uint32_t>(index)), pte::kBytes, 1);
  *out_data = buffer.bytes(data.at);
  *out_size = data.count;
  return buffer.bad() ? Error::InvalidProgram : Error::Ok;
}

Result<FreeableBuffer> Program::LoadSegment(const DataLoader::SegmentInfo& segment_info) const {
  pte::Buffer buffer = this->buffer();
  FreeableBuffer data;
  Error error = load_segment(loader_, segment_base_offset_, buffer, segment_info, &data);
  if (error != Error::Ok) {
    return error;
  }
  return data;
}

Error Program::load_mutable_subsegment_into(size_t mutable_data_segments_index, size_t offset_index, size_t size,
                                            void* out) const {
  pte::Buffer buffer = this->buffer();
  pte::Vector groups = buffer.vector_field(buffer.root(), pte::program::kMutableDataSegments, 4);
  if (mutable_data_segments_index >= groups.count) {
    ET_LOG(Error, "the initial value of a mutable tensor is missing: the program has no such data segment");
    return Error::NotFound;
  }
  const pte::Table group = buffer.table_item(groups, static_cast<uint32_t>(mutable_data_segments_index));
  const pte::Vector offsets = buffer.vector_field(group, pte::subsegments::kOffsets, 8);
  const uint32_t index = buffer.u32_field(group, pte::subsegments::kSegmentIndex);
  if (buffer.bad() || offset_index >= offsets.count) {
    ET_LOG(Error, "initial value %" ET_PRIsize_t " does not exist: the program has %" PRIu32, offset_index,
           offsets.count);
    return Error::NotFound;
  }
  const size_t start = buffer.size_item(offsets, static_cast<uint32_t>(offset_index));
  size_t offset = 0;
  size_t available = 0;
  Error error = find_segment(buffer, segment_base_offset_, index, &offset, &available);
  if (error != Error::Ok) {
    return error;
  }
  if (start > available || size > available - start) {
    ET_LOG(Error, "initial value %" ET_PRIsize_t " reaches past its segment", offset_index);
    return Error::InvalidProgram;
  }
  model_bytes_copied_ += size;
  return loader_->load_into(offset + start, size, SegmentInfo(SegmentInfo::Type::Mutable, index), out);
}

Program::HeaderStatus Program::check_header(const void* data, size_t size) {
  if (size < kMinHeadBytes) {
    return HeaderStatus::ShortData;
  }
  switch (pte::kind_of(static_cast<const uint8_t*>(data))) {
    case pte::Kind::kProgram:
      return HeaderStatus::CompatibleVersion;
    case pte::Kind::kOtherVersion:
      return HeaderStatus::IncompatibleVersion;
    default:
      return HeaderStatus::NotPresent;
  }
}

namespace internal {

Result<FreeableBuffer> PteDataMap::get_data(std::string_view key) const {
  pte::Buffer buffer(data_, size_);
  pte::Vector entries = buffer.vector_field(buffer.root(), pte::program::kNamedData, 4);
  for (uint32_t i = 0; i < entries.count; ++i) {
    pte::Table entry = buffer.table_item(entries, i);
    uint32_t length = 0;
    const char* name = buffer.string_field(entry, pte::named_data::kKey, &length);
    if (name != nullptr && length == key.size() && std::memcmp(name, key.data(), length) == 0) {
      uint32_t segment = buffer.u32_field(entry, pte::named_data::kSegmentIndex);
      FreeableBuffer data;
      Error error =
          load_segment(loader_, segment_base_offset_, buffer, SegmentInfo(SegmentInfo::Type::Constant, segment), &data);
      if (error != Error::Ok) {
        return error;
      }
      return data;
    }
  }
  return Error::NotFound;
}

Result<uint32_t> PteDataMap::get_num_keys() const {
  pte::Buffer buffer(data_, size_);
  return buffer.vector_field(buffer.root(), pte::program::kNamedData, 4).count;
}

Result<const char*> PteDataMap::get_key(uint32_t index) const {
  pte::Buffer buffer(data_, size_);
  pte::Vector entries = buffer.vector_field(buffer.root(), pte::program::kNamedData, 4);
  if (index >= entries.count) {
    return Error::InvalidArgument;
  }
  const char* name = buffer.string_field(buffer.table_item(entries, index), pte::named_data::kKey);
  if (name == nullptr) {
    return Error::InvalidProgram;
  }
  return name;
}

}  // namespace internal
}  // namespace ET_RUNTIME_NAMESPACE
}  // namespace executorch
