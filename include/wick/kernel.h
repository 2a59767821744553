// SPDX-License-Identifier: BSD-3-Clause
//
// Binds a kernel, a plain C++ function, to the boxed form that a method calls. The boxed wrapper is deduced from the
// function's signature: no generator, no registration at start-up, nothing on the heap.
//
//   Tensor& relu_out(KernelRuntimeContext& ctx, const Tensor& in, Tensor& out) { ... return out; }
//   WICK_KERNEL(aten_relu_out, relu_out)        // and in kernels.def: WICK_OP(aten_relu_out, "aten::relu.out")
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/span.h>
#include <wick/dtypes.h>
#include <wick/operand.h>

namespace wick {

using executorch::aten::IntArrayRef;
using executorch::aten::MemoryFormat;
using executorch::aten::Scalar;
using executorch::runtime::Span;

/// A list of integers read where it is stored (no copy on the stack): the light alternative to IntArrayRef.
class IntList {
 public:
  IntList(KernelRuntimeContext& ctx, Operand operand) : ctx_(ctx), operand_(operand) {}
  size_t size() const { return operand_.list_size(); }
  bool empty() const { return size() == 0; }
  int64_t operator[](size_t i) const { return operand_.list_item(ctx_, i); }

 private:
  KernelRuntimeContext& ctx_;
  Operand operand_;
};

namespace internal {

/// Checks the number of arguments (parameters, or one more: the result, listed again by the exporter). The
/// list of src/runtime/kernel/question.h asks whether the count fits: it is answered by the context's state alone.
bool accept_arguments(KernelRuntimeContext& ctx, EValue** args, size_t count, size_t parameters);

/// Copies an integer list of at most 16 items; sets an error otherwise.
IntArrayRef copy_int_list(KernelRuntimeContext& ctx, Operand operand, int64_t (&items)[16]);

/// Unpacks one operand into a parameter of type P.
template <typename P>
struct Unpack;

template <>
struct Unpack<Tensor> {
  Unpack(KernelRuntimeContext& ctx, Operand o) { o.to_tensor(ctx, room); }
  Tensor& get() { return room.get(); }
  TensorArgument room;
};
template <>
struct Unpack<std::optional<Tensor>> {
  Unpack(KernelRuntimeContext& ctx, Operand o) {
    if (!o.is_none()) {
      o.to_tensor(ctx, room);
      value = room.get();
    }
  }
  std::optional<Tensor>& get() { return value; }
  TensorArgument room;
  std::optional<Tensor> value;
};
template <>
struct Unpack<IntArrayRef> {
  Unpack(KernelRuntimeContext& ctx, Operand o) : value(copy_int_list(ctx, o, items)) {}
  IntArrayRef get() { return value; }
  int64_t items[16];
  IntArrayRef value;
};
template <>
struct Unpack<std::optional<IntArrayRef>> {
  Unpack(KernelRuntimeContext& ctx, Operand o) {
    if (!o.is_none()) {
      value = copy_int_list(ctx, o, items);
    }
  }
  std::optional<IntArrayRef>& get() { return value; }
  int64_t items[16];
  std::optional<IntArrayRef> value;
};
template <>
struct Unpack<EValue> {  // a result that is not a tensor
  Unpack(KernelRuntimeContext& ctx, Operand o) : value(o.evalue()) {
    if (value == nullptr) {
      ctx.fail(Error::InvalidType);
    }
  }
  EValue& get() { return *value; }
  EValue* value;
};
template <>
struct Unpack<Operand> {  // kernels that take a value of any type
  Unpack(KernelRuntimeContext&, Operand o) : value(o) {}
  Operand get() { return value; }
  Operand value;
};
template <>
struct Unpack<IntList> {
  Unpack(KernelRuntimeContext& ctx, Operand o) : value(ctx, o) {}
  IntList get() { return value; }
  IntList value;
};

/// The small types: each a function from operand to value.
inline void convert(KernelRuntimeContext& ctx, Operand o, int64_t& v) { v = o.to_int(ctx); }
inline void convert(KernelRuntimeContext& ctx, Operand o, double& v) { v = o.to_double(ctx); }
inline void convert(KernelRuntimeContext& ctx, Operand o, bool& v) { v = o.to_bool(ctx); }
inline void convert(KernelRuntimeContext& ctx, Operand o, Scalar& v) { v = o.to_scalar(ctx); }
inline void convert(KernelRuntimeContext& ctx, Operand o, ScalarType& v) { v = static_cast<ScalarType>(o.to_int(ctx)); }
inline void convert(KernelRuntimeContext& ctx, Operand o, MemoryFormat& v) {
  v = static_cast<MemoryFormat>(o.to_int(ctx));
}
inline void convert(KernelRuntimeContext& ctx, Operand o, ArrayRef<bool>& v) { v = o.to_bool_list(ctx); }
inline void convert(KernelRuntimeContext& ctx, Operand o, ArrayRef<double>& v) { v = o.to_double_list(ctx); }
inline void convert(KernelRuntimeContext& ctx, Operand o, ArrayRef<Tensor>& v) { v = o.to_tensor_list(ctx); }
inline void convert(KernelRuntimeContext& ctx, Operand o, ArrayRef<std::optional<Tensor>>& v) {
  v = o.to_optional_tensor_list(ctx);
}
inline void convert(KernelRuntimeContext& ctx, Operand o, std::string_view& v) {
  ArrayRef<char> s = o.to_string(ctx);
  v = std::string_view(s.data(), s.size());
}

template <typename P>
struct Unpack {
  Unpack(KernelRuntimeContext& ctx, Operand o) { convert(ctx, o, value); }
  P& get() { return value; }
  P value{};
};
template <>
struct Unpack<Scalar> {
  Unpack(KernelRuntimeContext& ctx, Operand o) : value(o.to_scalar(ctx)) {}
  Scalar& get() { return value; }
  Scalar value;
};
template <typename P>
struct Unpack<std::optional<P>> {
  Unpack(KernelRuntimeContext& ctx, Operand o) {
    if (!o.is_none()) {
      value = Unpack<P>(ctx, o).get();
    }
  }
  std::optional<P>& get() { return value; }
  std::optional<P> value;
};

template <typename P>
using Plain = std::remove_cv_t<std::remove_reference_t<P>>;

template <auto kFunction>
struct Boxed;
template <typename R, typename... P, R (*kFunction)(KernelRuntimeContext&, P...)>
struct Boxed<kFunction> {
  static constexpr size_t kParameters = sizeof...(P);
  static void call(KernelRuntimeContext& ctx, Span<EValue*> args) {
    if (accept_arguments(ctx, args.data(), args.size(), kParameters)) {
      unpack(ctx, args.data(), std::index_sequence_for<P...>{});
    }
  }

 private:
  template <size_t... kIndex>
  static void unpack(KernelRuntimeContext& ctx, EValue** args, std::index_sequence<kIndex...>) {
    (void)args;  // a kernel may have no parameters
    invoke(ctx, Unpack<Plain<P>>(ctx, Operand(args[kIndex]))...);
  }
  static void invoke(KernelRuntimeContext& ctx, Unpack<Plain<P>>&&... unpacked) {
    if (ctx.failure_state() == Error::Ok) {
      (void)kFunction(ctx, unpacked.get()...);
    }
  }
};

}  // namespace internal
}  // namespace wick

/// Defines wick::kernels::symbol, the boxed form of `function`; use it at namespace scope outside of any namespace or
/// inside an anonymous one's end. The symbol is what kernels.def and the generated tables name.
#define WICK_KERNEL(symbol, function)                                                                       \
  namespace wick {                                                                                          \
  namespace kernels {                                                                                       \
  void symbol(::executorch::runtime::KernelRuntimeContext& ctx,                                             \
              ::executorch::runtime::Span<::executorch::runtime::EValue*> args);                            \
  void symbol(::executorch::runtime::KernelRuntimeContext& ctx,                                             \
              ::executorch::runtime::Span<::executorch::runtime::EValue*> args) {                           \
    ::wick::internal::Boxed<&function>::call(ctx, args);                                                    \
  }                                                                                                         \
  }                                                                                                         \
  }
