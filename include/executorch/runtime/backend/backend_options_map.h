// SPDX-License-Identifier: BSD-3-Clause
// The options of several backends, given when a program is loaded. It refers to the options and does not copy them.
//
//     BackendOptions<1> options;
//     options.set_option("compute_unit", "npu");
//     LoadBackendOptionsMap map;
//     map.set_options("MyBackend", options.view());

#pragma once

#include <executorch/runtime/backend/options.h>
#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/span.h>
#include <executorch/runtime/platform/assert.h>

#include <cstring>

namespace executorch::runtime {

class LoadBackendOptionsMap final {
 public:
  LoadBackendOptionsMap() = default;

  /// Sets or replaces the options of a backend; they must outlive the map and what is loaded with it.
  /// Error::InvalidArgument if the name is null, empty or longer than 63 characters, or if there are 8 backends
  /// already.
  Error set_options(const char* backend_id, Span<BackendOption> options) {
    if (backend_id == nullptr || backend_id[0] == '\0') return Error::InvalidArgument;
    Entry* entry = find(entries_, size_, backend_id);
    if (entry == nullptr) {
      if (size_ == kMaxBackends || strlen(backend_id) >= kMaxBackendIdLength) return Error::InvalidArgument;
      entry = &entries_[size_++];
      memcpy(entry->backend_id, backend_id, strlen(backend_id) + 1);
    }
    entry->options = options;
    return Error::Ok;
  }

  /// The same from an object with backend_id() and view().
  template <typename Builder>
  Error set_options(Builder& builder) {
    return set_options(builder.backend_id(), builder.view());
  }

  /// The options of a backend; empty if there are none.
  Span<const BackendOption> get_options(const char* backend_id) const {
    const Entry* entry = find(entries_, size_, backend_id);
    return entry != nullptr ? entry->view() : Span<const BackendOption>(nullptr, size_t{0});
  }

  bool has_options(const char* backend_id) const { return find(entries_, size_, backend_id) != nullptr; }

  /// The number of backends with options.
  size_t size() const { return size_; }

  /// One backend with its options; valid until the map changes.
  struct EntryView {
    const char* backend_id = nullptr;
    Span<const BackendOption> options;
  };

  /// The backend at an index below size().
  EntryView entry_at(size_t index) const {
    ET_DCHECK_MSG(index < size_, "entry %zu of %zu", index, size_);
    return EntryView{entries_[index].backend_id, entries_[index].view()};
  }

 private:
  static constexpr size_t kMaxBackends = 8;
  static constexpr size_t kMaxBackendIdLength = 64;

  struct Entry {
    char backend_id[kMaxBackendIdLength] = {};
    Span<BackendOption> options;

    Span<const BackendOption> view() const { return Span<const BackendOption>(options.data(), options.size()); }
  };

  template <typename E>
  static E* find(E* entries, size_t count, const char* backend_id) {
    for (size_t i = 0; backend_id != nullptr && i < count; ++i) {
      if (strcmp(entries[i].backend_id, backend_id) == 0) return &entries[i];
    }
    return nullptr;
  }

  Entry entries_[kMaxBackends];
  size_t size_ = 0;
};

}  // namespace executorch::runtime
