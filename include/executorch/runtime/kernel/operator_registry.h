// SPDX-License-Identifier: BSD-3-Clause
// Kernels that a program registers while it runs, in front of the image's own table (wick/kernel_table.h).
// There is room for MAX_KERNEL_NUM of them: 2000 on a host, 16 elsewhere, unless the build defines it.
//
//     static void relu(KernelRuntimeContext& context, Span<EValue*> args) { ... }
//     static const Kernel kernels[] = {Kernel("my::relu.out", relu)};
//     static Error registered = register_kernels(kernels);

#pragma once

#include <executorch/runtime/core/array_ref.h>
#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/evalue.h>
#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/core/span.h>
#include <executorch/runtime/platform/compiler.h>
#include <executorch/runtime/platform/platform.h>

#include <cstring>

#if defined(ET_OP_REGISTRY_DEBUG)
#include <ostream>
#endif

/// Logs a KernelKey.
#define ET_LOG_KERNEL_KEY(k) ET_LOG(Info, "key: %s, is_fallback: %s", k.data(), k.is_fallback() ? "true" : "false");

/// Logs a list of TensorMeta.
#define ET_LOG_TENSOR_META(meta_list)                                        \
  for (const auto& meta : meta_list) {                                       \
    ET_LOG(Info, "dtype: %d | dim order: [", static_cast<int>(meta.dtype_)); \
    for (size_t i = 0; i < meta.dim_order_.size(); ++i) {                    \
      ET_LOG(Info, "%d,", static_cast<int>(meta.dim_order_[i]));             \
    }                                                                        \
    ET_LOG(Info, "]");                                                       \
  }

namespace executorch::runtime {

class KernelRuntimeContext;

/// A boxed kernel: it takes its arguments and its result as EValues.
using OpFunction = void (*)(KernelRuntimeContext&, Span<EValue*>);

/// Dtype and dim order of one tensor argument: what specialised kernels are chosen by.
struct TensorMeta {
  executorch::aten::ScalarType dtype_;
  Span<executorch::aten::DimOrderType> dim_order_;

  TensorMeta() = default;
  TensorMeta(executorch::aten::ScalarType dtype, Span<executorch::aten::DimOrderType> order)
      : dtype_(dtype), dim_order_(order) {}

  bool operator==(const TensorMeta& other) const { return equals(other); }
  bool operator!=(const TensorMeta& other) const { return !equals(other); }

  bool equals(const TensorMeta& other) const {
    if (dtype_ != other.dtype_ || dim_order_.size() != other.dim_order_.size()) return false;
    for (size_t i = 0; i < dim_order_.size(); ++i) {
      if (dim_order_[i] != other.dim_order_[i]) return false;
    }
    return true;
  }

#if defined(ET_OP_REGISTRY_DEBUG)
  friend std::ostream& operator<<(std::ostream& os, const TensorMeta& meta) {
    os << "dtype: " << static_cast<int>(meta.dtype_) << " | dim order: [";
    for (size_t i = 0; i < meta.dim_order_.size(); ++i) os << static_cast<int>(meta.dim_order_[i]) << ", ";
    return os << "]";
  }
#endif
};

/// Which tensors a kernel is for: all (a fallback) or those of one text, "v1/<tensor>|<tensor>...", where a tensor is
/// its dtype's number, a semicolon and its dim order: "v1/6;0,1,2,3|6;0,1,2,3" is two contiguous 4-D Float tensors.
/// The text must outlive the key.
struct KernelKey {
 public:
  /// The key of a fallback.
  constexpr KernelKey() = default;

  /* implicit */ constexpr KernelKey(const char* kernel_key_data) : kernel_key_data_(kernel_key_data) {}

  bool operator==(const KernelKey& other) const { return equals(other); }
  bool operator!=(const KernelKey& other) const { return !equals(other); }

  bool equals(const KernelKey& other) const {
    if (is_fallback() || other.is_fallback()) return is_fallback() == other.is_fallback();
    return strcmp(kernel_key_data_, other.kernel_key_data_) == 0;
  }

  bool is_fallback() const { return kernel_key_data_ == nullptr; }
  const char* data() const { return kernel_key_data_; }

#if defined(ET_OP_REGISTRY_DEBUG)
  friend std::ostream& operator<<(std::ostream& os, const KernelKey& key) {
    return os << (key.is_fallback() ? "fallback" : key.kernel_key_data_) << std::endl;
  }
#endif

 private:
  const char* kernel_key_data_ = nullptr;
};

/// A kernel with the operator it implements. The name must outlive the registry.
struct Kernel {
  const char* name_;
  KernelKey kernel_key_;
  OpFunction op_;

  constexpr explicit Kernel(const char* name, OpFunction func) : name_(name), op_(func) {}
  constexpr explicit Kernel(const char* name, KernelKey key, OpFunction func)
      : name_(name), kernel_key_(key), op_(func) {}
  constexpr Kernel() : name_(nullptr), op_(nullptr) {}
};

namespace internal {

/// Enough for the key of 16 tensors of 16 dimensions with two-digit dtypes, and the NUL.
constexpr size_t kKernelKeyBufSize = 659;

/// Writes the key of a list of tensors; an empty list gives an empty text. Error::InvalidArgument if the buffer is too
/// small or a dtype or dimension has more than two digits.
Error make_kernel_key_string(Span<const TensorMeta> key, char* buf, size_t buf_size);

}  // namespace internal

/// Whether get_op_function_from_registry() finds a kernel.
bool registry_has_op_function(const char* name, Span<const TensorMeta> meta_list = {});

/// The kernel for an operator ("aten::add.out") and its tensor arguments: a registered one with exactly these tensors,
/// else a registered fallback, else the one of the image's table. Error::OperatorMissing if there is none,
/// Error::InvalidArgument if the tensors cannot be written as a key.
::executorch::runtime::Result<OpFunction> get_op_function_from_registry(const char* name,
                                                                        Span<const TensorMeta> meta_list = {});

/// The same among the kernels of a list only.
::executorch::runtime::Result<OpFunction> get_op_function_from_registry(const char* name,
                                                                        Span<const TensorMeta> meta_list,
                                                                        Span<const Kernel> kernel_list);

/// The kernels that the program registered, without those of the image's table.
Span<const Kernel> get_registered_kernels();

/// Registers kernels. Returns Error::Ok or aborts, so that it can initialise a global: when the registry is full, or
/// when a kernel with the same name and key is registered already. A kernel of the image's table may be replaced.
ET_NODISCARD Error register_kernels(const Span<const Kernel>);

/// Registers one kernel; see register_kernels().
ET_NODISCARD inline Error register_kernel(const Kernel& kernel) { return register_kernels({&kernel, 1}); }

}  // namespace executorch::runtime

namespace torch::executor {
// Deprecated names.
using ::executorch::runtime::Kernel;
using ::executorch::runtime::KernelKey;
using ::executorch::runtime::KernelRuntimeContext;
using ::executorch::runtime::OpFunction;
using ::executorch::runtime::TensorMeta;

inline ::executorch::runtime::Error register_kernels(::executorch::runtime::ArrayRef<Kernel> kernels) {
  return ::executorch::runtime::register_kernels({kernels.data(), kernels.size()});
}

/// Aborts if there is no such kernel.
inline OpFunction getOpsFn(const char* name, ::executorch::runtime::ArrayRef<TensorMeta> meta_list = {}) {
  auto result = ::executorch::runtime::get_op_function_from_registry(name, {meta_list.data(), meta_list.size()});
  ET_CHECK(result.ok());
  return *result;
}

inline bool hasOpsFn(const char* name, ::executorch::runtime::ArrayRef<TensorMeta> meta_list = {}) {
  return ::executorch::runtime::registry_has_op_function(name, {meta_list.data(), meta_list.size()});
}

inline ::executorch::runtime::ArrayRef<Kernel> get_kernels() {
  const auto kernels = ::executorch::runtime::get_registered_kernels();
  return {kernels.data(), kernels.size()};
}
}  // namespace torch::executor
