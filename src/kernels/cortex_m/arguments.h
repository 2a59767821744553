// SPDX-License-Identifier: BSD-3-Clause
//
// How the cortex_m kernels read their arguments. They are boxed by hand, not by <wick/kernel.h>: one operator has had
// several schemas over the exporter's releases, told apart by the number of arguments; and in an image of a dozen
// kernels, what they have in common is better a function than a template.
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
class Arguments;

/// What the boxed form of an operator does once the number of arguments fits.
struct Operator {
#if ET_LOG_ENABLED
  const char* name;
#endif
  uint8_t least, most;  ///< parameters of the schemas, the output included; the exporter lists the output twice
  void (*run)(Arguments& args);
};

/// Runs an operator, unless the caller only asked whether the number of arguments fits.
void call(KernelRuntimeContext& ctx, Span<EValue*> args, const Operator& op);

/// The arguments of one call. Every reader sets an error on the context where the argument is not of its kind and
/// returns something harmless, so that a kernel asks once, with ok(), after it has read all.
class Arguments {
 public:
  Arguments(KernelRuntimeContext& ctx, EValue** args, size_t count, const Operator& op)
      : ctx_(ctx), args_(args), count_(count), operator_(op) {}

  /// False if an argument was wrong.
  bool ok() const { return ctx_.failure_state() == Error::Ok; }

  /// Number of parameters, the output counted once.
  size_t count() const { return count_; }

  bool is_none(size_t i) const { return operand(i).is_none(); }
  /// An integer of 32 bits.
  int32_t integer(size_t i);
  /// An integer in [-128, 127].
  int32_t small(size_t i);
  /// Minus the zero point of an int8 tensor.
  int32_t offset(size_t i);
  double number(size_t i) { return operand(i).to_double(ctx_); }
  bool boolean(size_t i) { return operand(i).to_bool(ctx_); }
  int32_t list_size(size_t i) const { return static_cast<int32_t>(operand(i).list_size()); }
  int32_t item(size_t i, int32_t at);
  /// Item `at` of a list of one or two items: one stands for both axes.
  int32_t pair(size_t i, int32_t at);
  /// A tensor, valid as long as the arguments; three at most. Its sizes are only there if ok().
  const Tensor& tensor(size_t i);
  /// One of int8, with so many dimensions unless `dims` is negative.
  const Tensor& int8(size_t i, ssize_t dims = -1);
  const Tensor& output(ssize_t dims = -1) { return int8(count_ - 1, dims); }
  /// Data of a dense tensor with at least n elements of the type; null, with an error, otherwise.
  const int32_t* vector(size_t i, int32_t n);
  /// The same, or null if the argument is None.
  const int32_t* optional_vector(size_t i, int32_t n) { return is_none(i) ? nullptr : vector(i, n); }
  /// The bytes of a planned scratch tensor.
  Workspace workspace(size_t i);

  /// Sets an error unless the condition holds; `what` says what is wrong.
  bool require(bool condition, const char* what) {
    if (!condition) {
#if ET_LOG_ENABLED
      log(what);
#endif
      (void)what;
      ctx_.fail(Error::InvalidArgument);
    }
    return condition;
  }

 private:
  Operand operand(size_t i) const { return Operand(args_[i]); }
  void log(const char* what) const;

  KernelRuntimeContext& ctx_;
  EValue** args_;
  size_t count_;
  const Operator& operator_;
  TensorArgument rooms_[3];
  size_t taken_ = 0;
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
bool resize_image(Arguments& args, const Tensor& out, bool nhwc, int32_t batch, const Image& sizes);

/// Gives `out` the sizes of `like`.
bool resize_like(Arguments& args, const Tensor& out, const Tensor& like);

/// The same, and an error unless both lie in memory alike. False if an argument was wrong before, too.
bool make_alike(Arguments& args, const Tensor& out, const Tensor& like);

}  // namespace wick::cortex_m

#if ET_LOG_ENABLED
#define WICK_CORTEX_M_NAME(name) name,
#else
#define WICK_CORTEX_M_NAME(name)
#endif

/// Defines the boxed kernel wick::kernels::symbol. The last argument is a function of Arguments&.
#define WICK_CORTEX_M_KERNEL(symbol, name, least, most, ...)                                                     \
  namespace wick {                                                                                               \
  namespace kernels {                                                                                            \
  void symbol(::executorch::runtime::KernelRuntimeContext& ctx,                                                  \
              ::executorch::runtime::Span<::executorch::runtime::EValue*> args);                                 \
  }                                                                                                              \
  }                                                                                                              \
  void ::wick::kernels::symbol(::executorch::runtime::KernelRuntimeContext& ctx,                                 \
                               ::executorch::runtime::Span<::executorch::runtime::EValue*> args) {               \
    static constexpr ::wick::cortex_m::Operator kOperator = {WICK_CORTEX_M_NAME(name) least, most, __VA_ARGS__}; \
    ::wick::cortex_m::call(ctx, args, kOperator);                                                                \
  }
