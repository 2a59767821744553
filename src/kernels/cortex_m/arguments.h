// SPDX-License-Identifier: BSD-3-Clause
//
// How the cortex_m kernels read their arguments. They are boxed by hand, not by <wick/kernel.h>: one operator has had
// several schemas over the exporter's releases, told apart by the number of arguments.
#pragma once

#include <executorch/runtime/core/exec_aten/util/tensor_util.h>
#include <executorch/runtime/core/span.h>
#include <executorch/runtime/platform/log.h>
#include <wick/operand.h>

#include <cstdint>

#include "src/kernels/cortex_m/chunk.h"
#include "src/kernels/cortex_m/conv.h"

namespace wick::cortex_m {

using executorch::runtime::Span;

/// The arguments of one call. Every reader sets an error on the context where the argument is not of its kind and
/// returns something harmless, so that a kernel asks once, with ok(), after it has read all.
class Arguments {
 public:
  /// `least` and `most` count the parameters of the schemas, the output included. The exporter lists the output twice.
  Arguments(const char* name, KernelRuntimeContext& ctx, Span<EValue*> args, size_t least, size_t most);

  /// False if an argument was wrong, or if the caller only asked whether the count fits.
  bool ok() const { return count_ != 0 && ctx_.failure_state() == Error::Ok; }

  /// Number of parameters, the output counted once.
  size_t count() const { return count_; }

  bool is_none(size_t i) const { return operand(i).is_none(); }
  /// An integer of 32 bits.
  int32_t integer(size_t i);
  /// An integer in [-128, 127].
  int32_t small(size_t i);
  double number(size_t i) { return count_ == 0 ? 0 : operand(i).to_double(ctx_); }
  bool boolean(size_t i) { return count_ != 0 && operand(i).to_bool(ctx_); }
  int32_t list_size(size_t i) const { return count_ == 0 ? 0 : static_cast<int32_t>(operand(i).list_size()); }
  int32_t item(size_t i, int32_t at);
  /// Item `at` of a list of one or two items: one stands for both axes.
  int32_t pair(size_t i, int32_t at);
  void tensor(size_t i, TensorArgument& room) const {
    if (count_ != 0) {
      operand(i).to_tensor(ctx_, room);
    }
  }
  /// Data of a dense tensor with at least n elements of the type; null, with an error, otherwise.
  const int32_t* vector(size_t i, int32_t n);
  /// The bytes of a planned scratch tensor.
  Workspace workspace(size_t i) const;

  /// Sets an error unless the condition holds; `what` says what is wrong.
  bool require(bool condition, const char* what);
  KernelRuntimeContext& context() { return ctx_; }

 private:
  Operand operand(size_t i) const { return Operand(args_[i]); }

  const char* name_;
  KernelRuntimeContext& ctx_;
  Span<EValue*> args_;
  size_t count_ = 0;
};

/// Size of dimension d as a 32-bit integer.
inline int32_t size_of(const Tensor& t, ssize_t d) { return static_cast<int32_t>(t.sizes()[static_cast<size_t>(d)]); }
inline int32_t numel_of(const Tensor& t) { return static_cast<int32_t>(t.numel()); }

/// True if equal coordinates lie at equal places in both: strides of dimensions of size 1 do not count.
bool same_layout(const Tensor& a, const Tensor& b);

/// A tensor of four dimensions as an image; `nhwc` says that its sizes are [N, H, W, C], else [N, C, H, W]. Strides of
/// dimensions of size 1 become what they are in a dense [N, H, W, C] tensor.
Image image_of(const Tensor& t, bool nhwc);

/// Gives `out` the sizes of an image; an error unless it has them or can be resized.
bool resize_image(Arguments& args, const Tensor& out, bool nhwc, int32_t batch, int32_t height, int32_t width,
                  int32_t channels);

/// Gives `out` the sizes of `like`.
bool resize_like(Arguments& args, const Tensor& out, const Tensor& like);

}  // namespace wick::cortex_m

/// Declares and begins the boxed kernel wick::kernels::symbol.
#define WICK_CORTEX_M_KERNEL(symbol)                                             \
  namespace wick {                                                               \
  namespace kernels {                                                            \
  void symbol(::executorch::runtime::KernelRuntimeContext& ctx,                  \
              ::executorch::runtime::Span<::executorch::runtime::EValue*> args); \
  }                                                                              \
  }                                                                              \
  void ::wick::kernels::symbol(::executorch::runtime::KernelRuntimeContext& ctx, \
                               ::executorch::runtime::Span<::executorch::runtime::EValue*> args)
