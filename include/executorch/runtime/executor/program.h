// SPDX-License-Identifier: BSD-3-Clause
//
// A .pte program, read where the loader has it: with BufferDataLoader that is in place, in memory-mapped flash.
// The file is not trusted: every access is checked, whatever the Verification level.
//
//   BufferDataLoader loader(p, size);
//   Result<Program> program = Program::load(&loader);
#pragma once

#include <executorch/runtime/backend/backend_options_map.h>
#include <executorch/runtime/core/data_loader.h>
#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/event_tracer.h>
#include <executorch/runtime/core/freeable_buffer.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/executor/memory_manager.h>
#include <executorch/runtime/executor/method.h>
#include <executorch/runtime/executor/method_meta.h>
#include <executorch/runtime/executor/pte_data_map.h>
#include <executorch/runtime/kernel/operator_registry.h>
#include <executorch/runtime/platform/compiler.h>
#include <wick/optional_parts.h>

#include <cstddef>
#include <cstdint>

namespace wick {
class Model;
struct Rehearsal;
namespace pte {
class Buffer;
}  // namespace pte
}  // namespace wick

namespace executorch {
namespace ET_RUNTIME_NAMESPACE {

namespace testing {
class ProgramTestFriend;
}  // namespace testing

class Program final {
 public:
  /// Upstream's choice of how much to check at load. In wick both are equally safe: methods are checked as they load.
  enum class Verification : uint8_t { Minimal, InternalConsistency };

  /// The newest version of the file format that is understood (Program.version in the file).
  static constexpr uint32_t kMaxSupportedSchemaVersion = 0;

  /// Reads the headers and the constant segment. `loader` must outlive the program. Errors: InvalidProgram (not a
  /// .pte, truncated, corrupt, of a newer version), InvalidArgument (memory not aligned, fewer than 64 bytes), those
  /// of the loader.
  ET_NODISCARD static Result<Program> load(DataLoader* loader, Verification verification = Verification::Minimal);
  ET_DEPRECATED ET_NODISCARD static Result<Program> Load(DataLoader* loader,
                                                         Verification verification = Verification::Minimal) {
    return load(loader, verification);
  }

  Program(Program&&) noexcept = default;
  ~Program() = default;

  /// `nbytes` bytes of constant `buffer_idx` (from 1), in place. Errors: InvalidArgument (index, size), InvalidProgram.
  Result<const void*> get_constant_buffer_data(size_t buffer_idx, size_t nbytes) const;
  /// The named data inside the file. Errors: NotFound if there is none.
  Result<const NamedDataMap*> get_named_data_map() const;
  size_t num_methods() const;
  /// Errors: InvalidArgument (index), InvalidProgram.
  Result<const char*> get_method_name(size_t method_index) const;

  /// Compiles a method into `memory_manager`'s pools, which must outlive it. Errors: InvalidArgument (no such method),
  /// InvalidProgram (corrupt), OperatorMissing (all missing names are logged), NotFound (backend missing),
  /// MemoryAllocationFailed (the message says which pool and how much), NotSupported, those of backends.
  Result<Method> load_method(const char* method_name, MemoryManager* memory_manager,
                             EventTracer* event_tracer = nullptr, const NamedDataMap* named_data_map = nullptr,
                             const LoadBackendOptionsMap* backend_options = nullptr,
                             Span<const Kernel> kernel_registry = {}) const {
    // Inline, so that an image whose program gives no data map or kernels does not carry the code for them.
    return load_method(method_name, {memory_manager, event_tracer, named_data_map, backend_options, kernel_registry,
                                     kernel_registry.empty() ? nullptr : &::wick::foreign_calls,
                                     named_data_map == nullptr ? nullptr : &::wick::external_data});
  }

  /// Errors: InvalidArgument (no such method), InvalidProgram.
  Result<MethodMeta> method_meta(const char* method_name) const;

  /// wick: how many bytes of the file were copied to RAM: initial values of state, and what a loader of storage that is not
  /// mapped into memory holds there (wick::CopyingDataLoader; loaders of files do not keep count).
  size_t model_bytes_copied() const { return model_bytes_copied_ + loader_->bytes_in_ram(); }

  ET_DEPRECATED Result<const char*> get_output_flattening_encoding(const char* method_name = "forward") const;

  enum HeaderStatus { CompatibleVersion, IncompatibleVersion, NotPresent, ShortData };
  /// The bytes that check_header needs.
  static constexpr size_t kMinHeadBytes = 64;
  /// Looks for a program's identifier in the first kMinHeadBytes bytes of a file.
  static HeaderStatus check_header(const void* data, size_t size);

 private:
  friend class Method;
  friend class ::wick::MethodLoader;
  friend class ::wick::Model;
  friend class testing::ProgramTestFriend;

  explicit Program(DataLoader* loader) : loader_(loader), segment_base_offset_(0) {}
  static Error read(Program* program);
  ::wick::pte::Buffer buffer() const;
  Program(const Program& rhs) = delete;
  Program& operator=(Program&& rhs) noexcept = delete;
  Program& operator=(const Program& rhs) = delete;

  /// The arguments of load_method, and the parts of the loader that they need.
  struct LoadRequest {
    MemoryManager* memory_manager;
    EventTracer* event_tracer;
    const NamedDataMap* data_map;
    const LoadBackendOptionsMap* backend_options;
    Span<const Kernel> kernels;
    const ::wick::ForeignCalls* foreign_calls;
    const ::wick::ExternalData* external_data;
    ::wick::Rehearsal* rehearsal = nullptr;  ///< only count what loading would take
  };
  Result<Method> load_method(const char* method_name, const LoadRequest& request) const;
  /// Position of a method's plan in the file, or 0.
  uint32_t find_plan(const char* method_name) const;
  Error get_backend_delegate_data(size_t index, const void** out_data, size_t* out_size) const;
  ET_NODISCARD Result<FreeableBuffer> LoadSegment(const DataLoader::SegmentInfo& segment_info) const;
  ET_NODISCARD Error load_mutable_subsegment_into(size_t mutable_data_segments_index, size_t offset_index, size_t size,
                                                  void* buffer) const;

  FreeableBuffer program_data_;  ///< the FlatBuffer
  DataLoader* loader_;
  size_t segment_base_offset_;  ///< 0: the file has no segments
  mutable size_t model_bytes_copied_ = 0;
  FreeableBuffer constant_segment_data_;
  /// The data map, made when first asked for. Raw bytes: an image that never asks does not carry its code.
  alignas(internal::PteDataMap) mutable unsigned char pte_data_map_[sizeof(internal::PteDataMap)];
};

}  // namespace ET_RUNTIME_NAMESPACE
}  // namespace executorch

namespace torch {
namespace executor {
using ::executorch::ET_RUNTIME_NAMESPACE::Program;
}  // namespace executor
}  // namespace torch
