// SPDX-License-Identifier: BSD-3-Clause
// The interface of a backend: it runs those parts of a model that the exporter delegated to it by name.
// Backends are found in the image's table (wick/backend_table.h) and among those that the program registers.
//
//     class MyBackend final : public BackendInterface { ... };
//     static MyBackend backend;
//     static Error registered = register_backend({"MyBackend", &backend});

#pragma once

#include <executorch/runtime/backend/backend_execution_context.h>
#include <executorch/runtime/backend/backend_init_context.h>
#include <executorch/runtime/backend/backend_option_context.h>
#include <executorch/runtime/backend/options.h>
#include <executorch/runtime/core/array_ref.h>
#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/evalue.h>
#include <executorch/runtime/core/freeable_buffer.h>
#include <executorch/runtime/core/memory_allocator.h>
#include <executorch/runtime/core/named_data_map.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/platform/compiler.h>
#include <wick/virtual_delete.h>

#include <cstring>

namespace executorch::runtime {

struct SizedBuffer {
  void* buffer;
  size_t nbytes;
};

/// One setting that the exporter stored beside a delegate.
struct CompileSpec {
  const char* key;
  SizedBuffer value;
};

/// What a backend makes of a delegate in init(); only the backend knows what is behind the pointer.
using DelegateHandle = void;

/// wick: what a delegate takes of the memory manager.
struct DelegateMemory {
  size_t method;  ///< bytes of the method pool in init(), at a multiple of 8
  size_t temp;    ///< bytes of the temporary pool in execute(), at a multiple of 16
};

class BackendInterface {
 public:
  WICK_DELETE_WITHOUT_HEAP
  virtual ~BackendInterface() = 0;

  /// False if this backend cannot work here, such as when its hardware is missing; loading then fails.
  ET_NODISCARD virtual bool is_available() const = 0;

  /// Prepares a delegate. `processed` is what the exporter made for this backend; it can be used in place, or given
  /// back with processed->Free() when it is not needed any longer. The handle goes to execute() and destroy(); its
  /// memory belongs to the backend. Error::DelegateInvalidCompatibility says that `processed` is for another version.
  ET_NODISCARD virtual Result<DelegateHandle*> init(BackendInitContext& context, FreeableBuffer* processed,
                                                    ArrayRef<CompileSpec> compile_specs) const = 0;

  /// Runs a delegate. `args` are its inputs, then its outputs.
  ET_NODISCARD virtual Error execute(BackendExecutionContext& context, DelegateHandle* handle,
                                     Span<EValue*> args) const = 0;

  /// Changes settings of the backend. Default: nothing to set, Error::Ok.
  ET_NODISCARD virtual Error set_option(BackendOptionContext& /*context*/,
                                        const Span<BackendOption>& /*backend_options*/) {
    return Error::Ok;
  }

  /// Fills in the values of the options with these keys. Default: leaves them, Error::Ok.
  ET_NODISCARD virtual Error get_option(BackendOptionContext& /*context*/, Span<BackendOption>& /*backend_options*/) {
    return Error::Ok;
  }

  /// Ends the use of a handle, when its method is destroyed.
  virtual void destroy(DelegateHandle* /*handle*/) const {}

  /// wick: what a delegate takes on a target with pointers of `pointer_bytes`, for wick::memory_required(). Default:
  /// Error::NotSupported, not known.
  ET_NODISCARD virtual Result<DelegateMemory> memory_required(const FreeableBuffer& /*processed*/,
                                                              size_t /*pointer_bytes*/) const {
    return Error::NotSupported;
  }
};

/// The backend of this name, or null.
BackendInterface* get_backend_class(const char* name);

struct Backend {
  const char* name;  ///< the name in the .pte
  BackendInterface* backend;
};

/// Makes a backend known; name and object must live on. Error::InvalidArgument if the name is taken, Error::Internal if
/// 16 are registered already.
ET_NODISCARD Error register_backend(const Backend& backend);

/// The number of backends, registered or in the image's table.
size_t get_num_registered_backends();

/// The name of the backend at an index below get_num_registered_backends(), else Error::InvalidArgument.
Result<const char*> get_backend_name(size_t index);

/// Changes settings of a backend. Error::NotFound if there is none of this name.
Error set_option(const char* backend_name, const Span<BackendOption> backend_options);

/// Reads settings of a backend. Error::NotFound if there is none of this name.
Error get_option(const char* backend_name, Span<BackendOption> backend_options);

}  // namespace executorch::runtime

namespace torch::executor {
// Deprecated names.
using ::executorch::runtime::Backend;
using ::executorch::runtime::CompileSpec;
using ::executorch::runtime::DelegateHandle;
using ::executorch::runtime::get_backend_class;
using ::executorch::runtime::register_backend;
using ::executorch::runtime::SizedBuffer;
using PyTorchBackendInterface = ::executorch::runtime::BackendInterface;
}  // namespace torch::executor
