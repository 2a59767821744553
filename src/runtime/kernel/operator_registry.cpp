// SPDX-License-Identifier: BSD-3-Clause
// The kernels that a program registers while it runs. See operator_registry.h.

#include <executorch/runtime/kernel/operator_registry.h>
#include <executorch/runtime/platform/assert.h>
#include <wick/optional_parts.h>

#include "src/runtime/kernel/kernel_lookup.h"

#if !defined(MAX_KERNEL_NUM) && __has_include(<executorch/runtime/kernel/selected_max_kernel_num.h>)
#include <executorch/runtime/kernel/selected_max_kernel_num.h>
#endif

namespace executorch::runtime {
namespace {

#if defined(MAX_KERNEL_NUM)
constexpr size_t kMaxKernels = MAX_KERNEL_NUM;
#elif defined(EXECUTORCH_SELECTED_MAX_KERNEL_NUM)
constexpr size_t kMaxKernels = EXECUTORCH_SELECTED_MAX_KERNEL_NUM;
#elif defined(__unix__) || defined(__APPLE__) || defined(_WIN32)
constexpr size_t kMaxKernels = 2000;
#else
constexpr size_t kMaxKernels = 16;
#endif

Kernel registered[kMaxKernels > 0 ? kMaxKernels : 1];  // all zero: no constructor runs
size_t registered_count = 0;

[[maybe_unused]] const char* key_text(const Kernel& kernel) {
  return kernel.kernel_key_.is_fallback() ? "any" : kernel.kernel_key_.data();
}

void log_kernels(Span<const Kernel> kernels) {
  for ([[maybe_unused]] const Kernel& kernel : kernels) {
    ET_LOG(Error, "  %s, key %s", kernel.name_, key_text(kernel));
  }
}

void check_room(Span<const Kernel> kernels) {
  if (kernels.size() <= kMaxKernels - registered_count) return;
  ET_LOG(Error, "Kernels registered so far:");
  log_kernels(get_registered_kernels());
  ET_LOG(Error, "Kernels to be registered:");
  log_kernels(kernels);
  ET_CHECK_MSG(false,
               "Kernel registration failed with error %u. The total number of kernels to be registered is larger than "
               "the limit %zu: build the runtime with MAX_KERNEL_NUM=%zu or more",
               static_cast<unsigned>(Error::RegistrationExceedingMaxKernels), kMaxKernels,
               registered_count + kernels.size());
}

bool is_registered(const Kernel& kernel) {
  for (const Kernel& other : get_registered_kernels()) {
    if (strcmp(kernel.name_, other.name_) == 0 && kernel.kernel_key_ == other.kernel_key_) return true;
  }
  return false;
}

}  // namespace

Span<const Kernel> get_registered_kernels() { return {registered, registered_count}; }

Error register_kernels(const Span<const Kernel> kernels) {
  pal_init();  // this may run before main()
  check_room(kernels);
  for (const Kernel& kernel : kernels) {
    ET_CHECK_MSG(!is_registered(kernel),
                 "Kernel registration failed with error %u. %s, key %s, is registered already: remove one of the two",
                 static_cast<unsigned>(Error::RegistrationAlreadyRegistered), kernel.name_, key_text(kernel));
    registered[registered_count++] = kernel;
    wick::internal::registered_foreign_calls = &wick::foreign_calls;
  }
  return Error::Ok;
}

bool registry_has_op_function(const char* name, Span<const TensorMeta> meta_list) {
  const Result<OpFunction> found = wick::find_kernel_function(name, nullptr, meta_list);
  return found.ok() && *found != nullptr;
}

Result<OpFunction> get_op_function_from_registry(const char* name, Span<const TensorMeta> meta_list,
                                                 Span<const Kernel> kernel_list) {
  Result<OpFunction> found = wick::find_in_list(name, nullptr, meta_list, kernel_list);
  if (!found.ok() || *found != nullptr) return found;
  if (!wick::is_valid_key(meta_list)) return Error::InvalidArgument;
  ET_LOG(Error, "No kernel for operator '%s' in the list of %zu kernels", name, kernel_list.size());
  return Error::OperatorMissing;
}

Result<OpFunction> get_op_function_from_registry(const char* name, Span<const TensorMeta> meta_list) {
  Result<OpFunction> found = wick::find_kernel_function(name, nullptr, meta_list);
  if (!found.ok() || *found != nullptr) return found;
  if (!wick::is_valid_key(meta_list)) return Error::InvalidArgument;
  ET_LOG(Error, "No kernel for operator '%s': link the kernel library that has it, or register one", name);
  return Error::OperatorMissing;
}

}  // namespace executorch::runtime
