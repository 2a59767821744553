// SPDX-License-Identifier: BSD-3-Clause
//
// What every portable operator shares: shape helpers that report through the context, strides of a tensor in whatever
// dim order it lies, and StridedLoop, the one walk over the index space of up to four tensors at once.
// Kernels never assume a layout: they ask strides_of(), or let StridedLoop find out that one flat run will do.
//
//   StridedLoop loop(out.sizes());
//   loop.add(out);
//   loop.add(in);                      // broadcast against the loop's shape
//   loop.start();
//   while (loop.next()) { run(loop.data(0), loop.step(0), loop.data(1), loop.step(1), loop.run()); }
#pragma once

#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/exec_aten/util/tensor_util.h>
#include <executorch/runtime/kernel/kernel_runtime_context.h>
#include <executorch/runtime/platform/log.h>
#include <wick/dtypes.h>
#include <wick/kernel.h>

#include <cstddef>
#include <cstdint>

/// Reports a bad argument and leaves the function: WICK_REQUIRE(ctx, dim < 4, out, "dim %d is not below 4", dim).
#define WICK_REQUIRE(ctx, condition, result, ...) \
  do {                                            \
    if (!(condition)) {                           \
      ET_LOG(Error, __VA_ARGS__);                 \
      (ctx).fail(Error::InvalidArgument);         \
      return result;                              \
    }                                             \
  } while (0)

namespace wick {
namespace portable {

using executorch::aten::ArrayRef;
using executorch::aten::DimOrderType;
using executorch::aten::SizesType;
using executorch::runtime::Error;
using executorch::runtime::KernelRuntimeContext;

/// Rank limit of every tensor (the loader enforces it too).
inline constexpr size_t kMaxDims = 16;

using Sizes = ArrayRef<SizesType>;

/// A shape built by a kernel.
struct Shape {
  SizesType sizes[kMaxDims];
  size_t dim = 0;

  Shape() = default;
  explicit Shape(Sizes from);
  operator Sizes() const { return Sizes(sizes, dim); }
  SizesType& operator[](size_t i) { return sizes[i]; }
  SizesType operator[](size_t i) const { return sizes[i]; }
  /// Appends a size; a rank above kMaxDims is remembered and refused by resize().
  void push(SizesType size);
};

/// Data of a shape: dense in its dim order (contiguous if null), or, if not null, with a stride in elements for each
/// size.
struct ShapedData {
  const void* data;
  const SizesType* sizes;
  size_t rank;
  const DimOrderType* dim_order;
  const ptrdiff_t* strides;
};
/// Describes the data of a tensor.
void describe(const Tensor& tensor, ShapedData& shaped);

/// Product of sizes[from, to).
size_t product(Sizes sizes, size_t from, size_t to);
inline size_t product(Sizes sizes) { return product(sizes, 0, sizes.size()); }

/// Strides in elements for the dim order in which the tensor lies; one per dimension (at most kMaxDims).
void strides_of(const Tensor& tensor, ptrdiff_t* strides);
/// The same for a shape of our own; dim_order may be null (contiguous).
void strides_of(Sizes sizes, const DimOrderType* dim_order, ptrdiff_t* strides);

/// True if elements lie in logical (row-major) order: dims of size 1 do not matter, nor does an empty tensor.
bool is_contiguous(const Tensor& tensor);
/// True if both have the same sizes and element i of the memory of one is element i of the other's.
bool same_layout(const Tensor& a, const Tensor& b);

/// Gives `out` the sizes (dynamic shapes), keeping its dim order. False, with the context failed, if it cannot have
/// them.
bool resize(KernelRuntimeContext& ctx, Tensor& out, Sizes sizes);
inline bool resize_as(KernelRuntimeContext& ctx, Tensor& out, const Tensor& like) {
  return resize(ctx, out, like.sizes());
}

/// Broadcasts `shape` with `other` in place. False, with the context failed, if the sizes do not match.
bool broadcast(KernelRuntimeContext& ctx, Shape& shape, Sizes other);
/// Broadcasts the inputs' shapes and gives the result to `out`.
bool resize_broadcast(KernelRuntimeContext& ctx, Tensor& out, const Tensor& a, const Tensor& b);

/// Wraps a negative dim. False, with the context failed, if it is outside [-rank, rank); rank 0 counts as 1.
bool wrap_dim(KernelRuntimeContext& ctx, int64_t& dim, size_t rank);

/// Fails the context unless `type` is in `allowed`.
bool require_dtype(KernelRuntimeContext& ctx, const Tensor& tensor, DtypeSet allowed);
/// Fails the context unless both have the same dtype.
bool require_same_dtype(KernelRuntimeContext& ctx, const Tensor& a, const Tensor& b);

/// The walk over all indices of a shape, in the memory order of the first tensor added. Neighbouring dimensions that
/// are dense in every tensor are merged, so that equal layouts give one flat run whatever the dim order.
class StridedLoop {
 public:
  static constexpr size_t kMaxOperands = 4;

  /// A walk over a shape. The dim order, null for row-major, is what start_in_order() keeps.
  explicit StridedLoop(Sizes shape, const DimOrderType* dim_order = nullptr);

  /// Adds a tensor, broadcast to the shape (its sizes must be broadcastable: see broadcast()).
  void add(const Tensor& tensor);
  /// Adds memory with a stride in elements for each dimension of the shape (0 repeats, negative walks backwards).
  void add(const void* data, size_t element_size, const ptrdiff_t* strides);
  /// Adds memory of another shape that is broadcast to the loop's.
  void add(const ShapedData& shaped, size_t element_size);
  /// Restarts all operands at new data pointers (for loops nested in another).
  void set_data(size_t operand, const void* data) { base_[operand] = static_cast<char*>(const_cast<void*>(data)); }

  /// Orders and merges the dimensions; afterwards the first next() gives the first run.
  void start();
  /// The same for a first tensor in the loop's dim order: nothing is left to order.
  void start_in_order();
  /// Begins again without planning anew (after set_data).
  void restart();
  /// Moves to the next run; false when all is done (at once if the shape is empty).
  bool next();

  /// First element of the run in operand i.
  char* data(size_t operand) const { return data_[operand]; }
  /// Distance in bytes between elements of the run in operand i.
  ptrdiff_t step(size_t operand) const { return strides_[0][operand]; }
  /// All of them, by operand.
  char* const* data() const { return data_; }
  const ptrdiff_t* steps() const { return strides_[0]; }
  /// Number of elements of the run.
  size_t run() const { return static_cast<size_t>(sizes_[0]); }

 private:
  bool inside(const ptrdiff_t* a, const ptrdiff_t* b) const;
  bool continues(const ptrdiff_t* inner, ptrdiff_t size, const ptrdiff_t* outer) const;

  // Dimension 0 is the innermost; place_ says where a dimension of the shape went.
  size_t dims_;  // after start(): at least 1
  size_t operands_ = 0;
  bool fresh_ = false;
  bool empty_;
  uint8_t place_[kMaxDims];
  ptrdiff_t sizes_[kMaxDims];
  ptrdiff_t index_[kMaxDims];
  ptrdiff_t strides_[kMaxDims][kMaxOperands];  // bytes
  char* base_[kMaxOperands];
  char* data_[kMaxOperands];
};

/// Copies all elements of `in` (a view of any strides, in elements, one per dim of out) to `out`; equal element sizes.
void copy_strided(Tensor& out, const void* in, const ptrdiff_t* in_strides);
/// Copies n elements of `size` bytes (1, 2, 4, 8, 16) between strided runs (steps in bytes).
void copy_run(char* out, ptrdiff_t out_step, const char* in, ptrdiff_t in_step, size_t n, size_t size);

}  // namespace portable
}  // namespace wick
