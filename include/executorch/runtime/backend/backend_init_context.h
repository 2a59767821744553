// SPDX-License-Identifier: BSD-3-Clause
// What a backend gets when a delegate is loaded: memory that lives as long as the method, named data, options.
//
//     auto* state = context.get_runtime_allocator()->allocateInstance<State>();
//     Result<int> threads = context.get_runtime_spec<int>("num_threads");

#pragma once

#include <executorch/runtime/backend/options.h>
#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/event_tracer.h>
#include <executorch/runtime/core/event_tracer_hooks.h>
#include <executorch/runtime/core/memory_allocator.h>
#include <executorch/runtime/core/named_data_map.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/core/span.h>

#include <cstring>
#include <type_traits>

namespace executorch::runtime {

class BackendInitContext final {
 public:
  /// All but the allocator may be null or empty; they must outlive the context.
  explicit BackendInitContext(MemoryAllocator* runtime_allocator, EventTracer* event_tracer = nullptr,
                              const char* method_name = nullptr, const NamedDataMap* named_data_map = nullptr,
                              Span<const BackendOption> runtime_specs = {})
      : runtime_allocator_(runtime_allocator),
        event_tracer_(internal::event_tracer_if_enabled(event_tracer)),
        method_name_(method_name),
        named_data_map_(named_data_map),
        runtime_specs_(runtime_specs) {}

  /// Memory that lives as long as the method.
  MemoryAllocator* get_runtime_allocator() { return runtime_allocator_; }

  /// Null if there is none or if this build traces no events.
  EventTracer* event_tracer() { return event_tracer_; }

  /// The method that is loaded, such as "forward".
  const char* get_method_name() const { return method_name_; }

  /// Data of the program and its .ptd files by key; may be null.
  const NamedDataMap* get_named_data_map() const { return named_data_map_; }

  /// The options that were given for this backend when the program was loaded.
  Span<const BackendOption> runtime_specs() const { return runtime_specs_; }

  /// One of these options as bool, int or const char*. Error::NotFound if there is none, Error::InvalidArgument if it
  /// has another type.
  template <typename T>
  Result<T> get_runtime_spec(const char* key) const {
    static_assert(std::is_same_v<T, bool> || std::is_same_v<T, int> || std::is_same_v<T, const char*>,
                  "get_runtime_spec<T> only supports bool, int, and const char*");
    const BackendOption* option = internal::find_option(runtime_specs_.data(), runtime_specs_.size(), key);
    if (option == nullptr) return Error::NotFound;
    T value{};
    if (!internal::read_option(*option, value)) return Error::InvalidArgument;
    return value;
  }

 private:
  MemoryAllocator* runtime_allocator_ = nullptr;
  EventTracer* event_tracer_ = nullptr;
  const char* method_name_ = nullptr;
  const NamedDataMap* named_data_map_ = nullptr;
  Span<const BackendOption> runtime_specs_;
};

}  // namespace executorch::runtime

namespace torch::executor {
// Deprecated names.
using ::executorch::runtime::BackendInitContext;
}  // namespace torch::executor
