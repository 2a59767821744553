// SPDX-License-Identifier: BSD-3-Clause
// The backends of a program: those in the image's table and those that it registers.

#include <executorch/runtime/backend/interface.h>
#include <executorch/runtime/platform/log.h>
#include <wick/backend_table.h>

namespace executorch::runtime {

BackendInterface::~BackendInterface() {}

namespace {

constexpr size_t kMaxRegisteredBackends = 16;

Backend registered[kMaxRegisteredBackends];  // all zero: no constructor runs
size_t registered_count = 0;

/// Backends in order: registered ones first.
const Backend& backend_at(size_t index) {
  return index < registered_count ? registered[index] : wick_backend_table.entries[index - registered_count];
}

}  // namespace

size_t get_num_registered_backends() { return registered_count + wick_backend_table.count; }

BackendInterface* get_backend_class(const char* name) {
  const size_t count = get_num_registered_backends();
  for (size_t i = 0; i < count; ++i) {
    const Backend& backend = backend_at(i);
    if (strcmp(backend.name, name) == 0) return backend.backend;
  }
  return nullptr;
}

Error register_backend(const Backend& backend) {
  if (registered_count == kMaxRegisteredBackends) {
    ET_LOG(Error, "Backend '%s' is not registered: there are %zu already", backend.name, kMaxRegisteredBackends);
    return Error::Internal;
  }
  if (get_backend_class(backend.name) != nullptr) {
    ET_LOG(Error, "Backend '%s' is not registered: there is one of this name", backend.name);
    return Error::InvalidArgument;
  }
  registered[registered_count++] = backend;
  wick::internal::registered_foreign_calls = &wick::foreign_calls;
  return Error::Ok;
}

Result<const char*> get_backend_name(size_t index) {
  if (index >= get_num_registered_backends()) return Error::InvalidArgument;
  return backend_at(index).name;
}

Error set_option(const char* backend_name, const Span<BackendOption> backend_options) {
  BackendInterface* backend = get_backend_class(backend_name);
  if (backend == nullptr) return Error::NotFound;
  BackendOptionContext context;
  return backend->set_option(context, backend_options);
}

Error get_option(const char* backend_name, Span<BackendOption> backend_options) {
  BackendInterface* backend = get_backend_class(backend_name);
  if (backend == nullptr) return Error::NotFound;
  BackendOptionContext context;
  return backend->get_option(context, backend_options);
}

}  // namespace executorch::runtime
