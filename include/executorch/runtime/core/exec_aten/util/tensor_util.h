// SPDX-License-Identifier: BSD-3-Clause
// What kernels ask of their tensors before they compute, and resizing of their output.
// A check that fails logs what it saw and gives false; ET_KERNEL_CHECK turns that into an error of the kernel's
// context.
//
//     ET_KERNEL_CHECK(ctx, tensors_have_same_dtype(in, out), InvalidArgument, out);
//     ET_KERNEL_CHECK(ctx, resize_tensor(out, in.sizes()) == Error::Ok, InvalidArgument, out);

#pragma once

#include <c10/util/irange.h>
#include <c10/util/safe_numerics.h>
#include <executorch/runtime/core/array_ref.h>
#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/exec_aten/util/dim_order_util.h>
#include <executorch/runtime/core/exec_aten/util/scalar_type_util.h>
#include <executorch/runtime/core/exec_aten/util/tensor_dimension_limit.h>
#include <executorch/runtime/core/span.h>
#include <executorch/runtime/platform/assert.h>
#include <executorch/runtime/platform/compiler.h>

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cmath>
#include <cstddef>
#include <limits>

#define ET_TENSOR_CHECK_PREFIX__ "Tensors do not match"

#define ET_MIN2(a, b) (std::min(a, b))
#define ET_MIN3(a, b, c) (std::min(a, std::min(b, c)))

/// An index that may count from the end, made to count from the start.
#define ET_NORMALIZE_IX(IX, UPPER_BOUND) ((IX) < 0 ? (IX) + (UPPER_BOUND) : (IX))

// Checks that abort; new kernels use ET_KERNEL_CHECK instead.
#define WICK_CHECK_IN_RANGE(what, IX, UPPER_BOUND)                                                             \
  ET_CHECK_MSG(static_cast<int64_t>(IX) >= -static_cast<int64_t>(UPPER_BOUND) &&                               \
                   static_cast<int64_t>(IX) < static_cast<int64_t>(UPPER_BOUND),                               \
               what " %" PRId64 " must be within range [-%" PRId64 ", %" PRId64 ")", static_cast<int64_t>(IX), \
               static_cast<int64_t>(UPPER_BOUND), static_cast<int64_t>(UPPER_BOUND))
#define ET_CHECK_VALID_IX(IX, UPPER_BOUND) WICK_CHECK_IN_RANGE("index", IX, UPPER_BOUND)
#define ET_CHECK_VALID_DIM(DIM, UPPER_BOUND) WICK_CHECK_IN_RANGE("dim", DIM, UPPER_BOUND)

#define ET_CHECK_NON_ZERO_DIM_SIZE(DIM, T)                                \
  const size_t udim = static_cast<size_t>(ET_NORMALIZE_IX(DIM, T.dim())); \
  ET_CHECK_MSG(T.size(static_cast<ssize_t>(udim)) != 0, "Expected dim %zu to have non-zero size.", udim);

#define ET_CHECK_SAME_SHAPE2(a__, b__) \
  ET_CHECK_MSG(::executorch::ET_RUNTIME_NAMESPACE::tensors_have_same_shape(a__, b__), ET_TENSOR_CHECK_PREFIX__)
#define ET_CHECK_SAME_SHAPE3(a__, b__, c__) \
  ET_CHECK_MSG(::executorch::ET_RUNTIME_NAMESPACE::tensors_have_same_shape(a__, b__, c__), ET_TENSOR_CHECK_PREFIX__)
#define ET_CHECK_SAME_DTYPE2(a__, b__) \
  ET_CHECK_MSG(::executorch::ET_RUNTIME_NAMESPACE::tensors_have_same_dtype(a__, b__), ET_TENSOR_CHECK_PREFIX__)
#define ET_CHECK_SAME_DTYPE3(a__, b__, c__) \
  ET_CHECK_MSG(::executorch::ET_RUNTIME_NAMESPACE::tensors_have_same_dtype(a__, b__, c__), ET_TENSOR_CHECK_PREFIX__)
#define ET_CHECK_SAME_SHAPE_AND_DTYPE2(a__, b__)                                                \
  ET_CHECK_MSG(::executorch::ET_RUNTIME_NAMESPACE::tensors_have_same_shape_and_dtype(a__, b__), \
               ET_TENSOR_CHECK_PREFIX__)
#define ET_CHECK_SAME_SHAPE_AND_DTYPE3(a__, b__, c__)                                                \
  ET_CHECK_MSG(::executorch::ET_RUNTIME_NAMESPACE::tensors_have_same_shape_and_dtype(a__, b__, c__), \
               ET_TENSOR_CHECK_PREFIX__)
#define ET_CHECK_CONTIGUOUS(a__) \
  ET_CHECK_MSG(::executorch::ET_RUNTIME_NAMESPACE::tensor_is_contiguous(a__), "Tensor must be contiguous")
#define ET_CHECK_SAME_STRIDES2(a__, b__) \
  ET_CHECK_MSG(::executorch::ET_RUNTIME_NAMESPACE::tensors_have_same_strides(a__, b__), ET_TENSOR_CHECK_PREFIX__)
#define ET_CHECK_SAME_STRIDES3(a__, b__, c__) \
  ET_CHECK_MSG(::executorch::ET_RUNTIME_NAMESPACE::tensors_have_same_strides(a__, b__, c__), ET_TENSOR_CHECK_PREFIX__)
#define ET_CHECK_DEFAULT_OR_CHANNELSLAST_DIMORDER(t__)                                                \
  ET_CHECK_MSG(::executorch::ET_RUNTIME_NAMESPACE::tensor_is_default_or_channels_last_dim_order(t__), \
               "Tensor must have default or channels last dim order")

/// For checks of one's own that log and give false, with or without a message.
#define ET_LOG_AND_RETURN_IF_FALSE(cond) ET_CHECK_OR_RETURN_FALSE(cond, "")
#define ET_LOG_MSG_AND_RETURN_IF_FALSE ET_CHECK_OR_RETURN_FALSE

/// When the condition is false: logs it, fails the context with Error::error and returns retval.
#define ET_KERNEL_CHECK(context, cond, error, retval) ET_KERNEL_CHECK_MSG(context, cond, error, retval, "")

/// ET_KERNEL_CHECK_MSG(context, condition, error, retval, format, ...)
#define ET_KERNEL_CHECK_MSG(context, cond, error, retval, ...) \
  do {                                                         \
    if (!(cond)) {                                             \
      WICK_LOG_FALSE(#cond, __VA_ARGS__);                      \
      context.fail(::executorch::runtime::Error::error);       \
      return retval;                                           \
    }                                                          \
  } while (false)

/// Reads a tensor of one element into a variable. Aborts when its type or value does not fit.
#define ET_EXTRACT_SCALAR_TENSOR(scalar_tensor, out_val)                                           \
  ET_CHECK_MSG(::executorch::ET_RUNTIME_NAMESPACE::extract_scalar_tensor(scalar_tensor, &out_val), \
               #scalar_tensor " could not be extracted: wrong type or out of range")

namespace executorch::ET_RUNTIME_NAMESPACE {

/// -upper_bound <= dim < upper_bound.
inline bool dim_is_valid(int64_t dim, int64_t upper_bound) {
  ET_CHECK_OR_RETURN_FALSE(dim >= -upper_bound && dim < upper_bound,
                           "Dimension %" PRId64 " is out of range [%" PRId64 ", %" PRId64 ")", dim, -upper_bound,
                           upper_bound);
  return true;
}

/// Number of dimensions, and size of one, with a tensor of no dimensions seen as one of size 1.
inline ssize_t nonzero_dim(const executorch::aten::Tensor& tensor) { return tensor.dim() == 0 ? 1 : tensor.dim(); }
inline ssize_t nonempty_size(const executorch::aten::Tensor& tensor, ssize_t dim) {
  return tensor.dim() == 0 ? 1 : tensor.size(dim);
}

namespace internal {
/// Gives `holds`; when it is false, logs the tensor's type and the one expected.
inline bool check_type(const executorch::aten::Tensor& tensor, bool holds, const char* expected) {
  static_cast<void>(tensor);
  static_cast<void>(expected);
  ET_CHECK_OR_RETURN_FALSE(holds, "Expected to find %s type, but tensor has type %s", expected,
                           toString(tensor.scalar_type()));
  return true;
}
}  // namespace internal

// Questions about types. For the sets see the same names without "tensor_" in scalar_type_util.h.
inline bool tensor_can_cast_to(executorch::aten::Tensor a, executorch::aten::ScalarType dtype) {
  return internal::check_type(a, canCast(a.scalar_type(), dtype), "a type that casts");
}
inline bool tensor_is_type(executorch::aten::Tensor t, executorch::aten::ScalarType dtype) {
  return internal::check_type(t, t.scalar_type() == dtype, toString(dtype));
}
inline bool tensor_is_type(executorch::aten::Tensor t, executorch::aten::ScalarType dtype,
                           executorch::aten::ScalarType dtype2) {
  return internal::check_type(t, t.scalar_type() == dtype || t.scalar_type() == dtype2, "one of two");
}
inline bool tensor_is_type(executorch::aten::Tensor t, executorch::aten::ScalarType dtype,
                           executorch::aten::ScalarType dtype2, executorch::aten::ScalarType dtype3) {
  return internal::check_type(t, t.scalar_type() == dtype || t.scalar_type() == dtype2 || t.scalar_type() == dtype3,
                              "one of three");
}
inline bool tensor_is_bool_type(executorch::aten::Tensor t) {
  return tensor_is_type(t, executorch::aten::ScalarType::Bool);
}
inline bool tensor_is_integral_type(executorch::aten::Tensor t, bool includeBool = false) {
  return internal::check_type(t, isIntegralType(t.scalar_type(), includeBool), "an integral");
}
inline bool tensor_is_floating_type(executorch::aten::Tensor t) {
  return internal::check_type(t, isFloatingType(t.scalar_type()), "a floating");
}
inline bool tensor_is_real_type(executorch::aten::Tensor t) {
  return internal::check_type(t, isRealType(t.scalar_type()), "a real");
}
inline bool tensor_is_realh_type(executorch::aten::Tensor t) {
  return internal::check_type(t, isRealHType(t.scalar_type()), "a real or Half");
}
inline bool tensor_is_realhbf16_type(executorch::aten::Tensor t) {
  return internal::check_type(t, isRealHBF16Type(t.scalar_type()), "a real, Half or BFloat16");
}
inline bool tensor_is_realhb_type(executorch::aten::Tensor t) {
  return internal::check_type(t, isRealHBType(t.scalar_type()), "a real, Half or Bool");
}
inline bool tensor_is_realhbbf16_type(executorch::aten::Tensor t) {
  return internal::check_type(t, isRealHBBF16Type(t.scalar_type()), "a real, Half, Bool or BFloat16");
}
inline bool tensor_is_complex_type(executorch::aten::Tensor t) {
  return internal::check_type(t, isComplexType(t.scalar_type()), "a complex");
}
inline bool tensor_is_bits_type(executorch::aten::Tensor t) {
  return internal::check_type(t, isBitsType(t.scalar_type()), "a bits");
}
inline bool tensors_have_same_dtype(executorch::aten::Tensor a, executorch::aten::Tensor b) {
  ET_CHECK_OR_RETURN_FALSE(a.scalar_type() == b.scalar_type(), ET_TENSOR_CHECK_PREFIX__ ": dtype={%s, %s}",
                           toString(a.scalar_type()), toString(b.scalar_type()));
  return true;
}
inline bool tensors_have_same_dtype(executorch::aten::Tensor a, executorch::aten::Tensor b,
                                    executorch::aten::Tensor c) {
  return tensors_have_same_dtype(a, b) && tensors_have_same_dtype(b, c);
}

// Questions about dimensions and sizes.
inline bool tensor_is_rank(executorch::aten::Tensor t, size_t rank) {
  ET_CHECK_OR_RETURN_FALSE(static_cast<size_t>(t.dim()) == rank, "Expected tensor.dim() to be %zu, but got %zu", rank,
                           static_cast<size_t>(t.dim()));
  return true;
}
inline bool tensor_has_rank_greater_or_equal_to(executorch::aten::Tensor t, size_t rank) {
  ET_CHECK_OR_RETURN_FALSE(static_cast<size_t>(t.dim()) >= rank, "Expected tensor.dim() to be >= %zu, but got %zu",
                           rank, static_cast<size_t>(t.dim()));
  return true;
}
inline bool tensor_has_rank_smaller_or_equal_to(executorch::aten::Tensor t, size_t rank) {
  ET_CHECK_OR_RETURN_FALSE(static_cast<size_t>(t.dim()) <= rank, "Expected tensor.dim() to be <= %zu, but got %zu",
                           rank, static_cast<size_t>(t.dim()));
  return true;
}

/// Whether `d`, which may count from the end, is a dimension; 0 and -1 are for a tensor of none.
inline bool tensor_has_dim(executorch::aten::Tensor t, int64_t d) { return dim_is_valid(d, nonzero_dim(t)); }
/// Whether it is one whose size is not 0.
bool tensor_has_non_empty_dim(executorch::aten::Tensor t, int64_t d);
/// Whether `ix`, which may count from the end, is an index in dimension `d`. Aborts when there is no such dimension.
bool tensor_dim_has_index(executorch::aten::Tensor t, int64_t d, int64_t ix);

bool tensors_have_same_size_at_dims(executorch::aten::Tensor a, size_t dim_a, executorch::aten::Tensor b, size_t dim_b);

/// Equal sizes; tensors of one element have the same shape whatever their rank.
bool tensors_have_same_shape(executorch::aten::Tensor a, executorch::aten::Tensor b);
bool tensors_have_same_shape(executorch::aten::Tensor a, executorch::aten::Tensor b, executorch::aten::Tensor c);
inline bool tensors_have_same_shape_and_dtype(executorch::aten::Tensor a, executorch::aten::Tensor b) {
  return tensors_have_same_shape(a, b) && tensors_have_same_dtype(a, b);
}
inline bool tensors_have_same_shape_and_dtype(executorch::aten::Tensor a, executorch::aten::Tensor b,
                                              executorch::aten::Tensor c) {
  return tensors_have_same_shape(a, b, c) && tensors_have_same_dtype(a, b, c);
}
bool tensor_has_expected_size(executorch::aten::Tensor a,
                              executorch::aten::ArrayRef<executorch::aten::SizesType> expected_sizes);

inline bool tensors_have_same_rank(executorch::aten::Tensor a, executorch::aten::Tensor b) {
  ET_CHECK_OR_RETURN_FALSE(a.dim() == b.dim(), ET_TENSOR_CHECK_PREFIX__ ": rank={%zd, %zd}", a.dim(), b.dim());
  return true;
}

/// No dimensions.
inline bool tensor_is_scalar(executorch::aten::Tensor t) { return t.dim() == 0; }

// Questions about the place of elements in memory. A dimension of size 1 has no say in it, so that dim orders and
// strides that differ only there are the same. For an output, ask after resizing it.

/// Same strides, in tensors of the same rank.
bool tensors_have_same_strides(executorch::aten::Tensor a, executorch::aten::Tensor b);
bool tensors_have_same_strides(executorch::aten::Tensor a, executorch::aten::Tensor b, executorch::aten::Tensor c);

/// The strides are those of 0, 1, 2, ...
bool tensor_is_contiguous(executorch::aten::Tensor t);

bool tensor_has_valid_dim_order(executorch::aten::Tensor t);
bool tensor_is_default_dim_order(executorch::aten::Tensor t);
bool tensor_is_channels_last_dim_order(executorch::aten::Tensor t);
bool tensor_is_default_or_channels_last_dim_order(executorch::aten::Tensor t);

/// All tensors are in the default order, or all are channels last. They may differ in rank and size.
bool tensors_have_same_dim_order(const executorch::aten::ArrayRef<executorch::aten::Tensor> tensor_list);
inline bool tensors_have_same_dim_order(const executorch::aten::Tensor& a, const executorch::aten::Tensor& b) {
  const executorch::aten::Tensor list[] = {a, b};
  return tensors_have_same_dim_order(list);
}
inline bool tensors_have_same_dim_order(const executorch::aten::Tensor& a, const executorch::aten::Tensor& b,
                                        const executorch::aten::Tensor& c) {
  const executorch::aten::Tensor list[] = {a, b, c};
  return tensors_have_same_dim_order(list);
}
inline bool tensors_have_same_dim_order(const executorch::aten::Tensor& a, const executorch::aten::Tensor& b,
                                        const executorch::aten::Tensor& c, const executorch::aten::Tensor& d) {
  const executorch::aten::Tensor list[] = {a, b, c, d};
  return tensors_have_same_dim_order(list);
}

/// Copies the dim order. InvalidArgument when the size is not the rank.
ET_NODISCARD Error get_dim_order(const executorch::aten::Tensor& tensor, executorch::aten::DimOrderType* out_dim_order,
                                 size_t out_dim_order_size);

// From coordinates to indices into contiguous data, and back.

/// Product of the sizes before, and after, a dimension. Abort when it is none, or the product overflows.
size_t getLeadingDims(const executorch::aten::Tensor& tensor, int64_t dim);
size_t getTrailingDims(const executorch::aten::Tensor& tensor, int64_t dim);

size_t coordinateToIndex(const executorch::aten::Tensor& tensor, const size_t* const coordinate);
/// Aborts when the tensor has no such index.
void indexToCoordinate(const executorch::aten::Tensor& tensor, size_t index, size_t* coordinate);

/// getTrailingDims() of every dimension, to be used for many coordinates.
void memoizeTrailingDims(const executorch::aten::Tensor& tensor, size_t trailing_dims_memo[kTensorDimensionLimit]);
inline size_t coordinateToIndexWithTrailingDimsMemo(const executorch::aten::Tensor& tensor,
                                                    const size_t* const coordinate,
                                                    const size_t trailing_dims_memo[kTensorDimensionLimit]) {
  size_t index = 0;
  for (size_t i = 0; i < static_cast<size_t>(tensor.dim()); ++i) {
    index += coordinate[i] * trailing_dims_memo[i];
  }
  return index;
}

/// Index of a coordinate in data with these strides.
inline size_t calculate_linear_index(const executorch::aten::SizesType* coordinate,
                                     const executorch::aten::StridesType* strides, const size_t ndim) {
  size_t index = 0;
  for (size_t i = 0; i < ndim; ++i) {
    index += static_cast<size_t>(coordinate[i]) * static_cast<size_t>(strides[i]);
  }
  return index;
}

namespace internal {
/// Reads a tensor of one element of an integral type, and of a real type, Half or BFloat16.
bool read_integer(const executorch::aten::Tensor& tensor, int64_t* value);
bool read_real(const executorch::aten::Tensor& tensor, double* value);
}  // namespace internal

/// Reads a tensor of one element. False when its type is no integer (here), no real number or no bool (below), or its
/// value does not fit the variable.
template <typename T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>, bool> = true>
bool extract_scalar_tensor(executorch::aten::Tensor tensor, T* out_val) {
  int64_t value = 0;
  if (!internal::read_integer(tensor, &value) || (std::is_unsigned_v<T> && value < 0) ||
      static_cast<int64_t>(static_cast<T>(value)) != value) {
    return false;
  }
  *out_val = static_cast<T>(value);
  return true;
}
template <typename T, std::enable_if_t<is_floating_point<T>::value, bool> = true>
bool extract_scalar_tensor(executorch::aten::Tensor tensor, T* out_val) {
  double value = 0;
  if (!internal::read_real(tensor, &value) ||
      (std::isfinite(value) && (value < static_cast<double>(std::numeric_limits<T>::lowest()) ||
                                value > static_cast<double>(std::numeric_limits<T>::max())))) {
    return false;
  }
  *out_val = static_cast<T>(value);
  return true;
}
template <typename T, std::enable_if_t<std::is_same_v<T, bool>, bool> = true>
bool extract_scalar_tensor(executorch::aten::Tensor tensor, T* out_val) {
  if (tensor.scalar_type() != executorch::aten::ScalarType::Bool || tensor.numel() != 1) {
    return false;
  }
  *out_val = tensor.const_data_ptr<bool>()[0];
  return true;
}

namespace internal {

/// Points one tensor at the data of another of the same size in bytes.
ET_NODISCARD Error share_tensor_data(const executorch::aten::Tensor& t_dst, const executorch::aten::Tensor& t_src);

/// Copies the data of another of the same size in bytes; a source without data leaves the destination as it is.
ET_NODISCARD Error copy_tensor_data(const executorch::aten::Tensor& t_dst, const executorch::aten::Tensor& t_src);

/// Points a tensor at a buffer that holds its elements.
ET_NODISCARD Error set_tensor_data(const executorch::aten::Tensor& t, void* buffer, size_t buffer_size);

/// Points a tensor at nothing.
void reset_data_ptr(const executorch::aten::Tensor& tensor);

ET_NODISCARD Error resize_tensor_impl(executorch::aten::TensorImpl* impl,
                                      executorch::aten::ArrayRef<executorch::aten::SizesType> new_sizes);

}  // namespace internal

/// Gives a tensor new sizes and the strides for them. NotSupported when the rank or the sizes of a static tensor would
/// change or the elements would not fit in what was planned; InvalidArgument when the sizes make no sense.
ET_NODISCARD inline Error resize_tensor(executorch::aten::Tensor t,
                                        executorch::aten::ArrayRef<executorch::aten::SizesType> new_sizes) {
  return internal::resize_tensor_impl(t.unsafeGetTensorImpl(), new_sizes);
}
template <typename T, std::enable_if_t<!std::is_same_v<executorch::aten::SizesType, T>, int> = 0>
ET_NODISCARD inline Error resize_tensor(executorch::aten::Tensor t, executorch::aten::ArrayRef<T> new_sizes) {
  executorch::aten::SizesType sizes[kTensorDimensionLimit];
  ET_CHECK_OR_RETURN_ERROR(new_sizes.size() <= kTensorDimensionLimit, InvalidArgument,
                           "%zu sizes, a tensor has at most %zu", new_sizes.size(), kTensorDimensionLimit);
  for (size_t i = 0; i < new_sizes.size(); ++i) {
    sizes[i] = static_cast<executorch::aten::SizesType>(new_sizes[i]);
    ET_CHECK_OR_RETURN_ERROR(static_cast<T>(sizes[i]) == new_sizes[i], InvalidArgument,
                             "size of dimension %zu is out of range", i);
  }
  return internal::resize_tensor_impl(t.unsafeGetTensorImpl(), {sizes, new_sizes.size()});
}

/// Deprecated: resize_tensor() returns an Error instead of aborting.
ET_DEPRECATED inline void resize(executorch::aten::Tensor t,
                                 executorch::aten::ArrayRef<executorch::aten::SizesType> new_sizes) {
  ET_CHECK_MSG(resize_tensor(t, new_sizes) == Error::Ok, "Could not resize Tensor; see logs for details");
}

}  // namespace executorch::ET_RUNTIME_NAMESPACE

namespace torch::executor {
// Deprecated names.
using ::executorch::ET_RUNTIME_NAMESPACE::calculate_linear_index;
using ::executorch::ET_RUNTIME_NAMESPACE::coordinateToIndex;
using ::executorch::ET_RUNTIME_NAMESPACE::dim_is_valid;
using ::executorch::ET_RUNTIME_NAMESPACE::extract_scalar_tensor;
using ::executorch::ET_RUNTIME_NAMESPACE::get_dim_order;
using ::executorch::ET_RUNTIME_NAMESPACE::getLeadingDims;
using ::executorch::ET_RUNTIME_NAMESPACE::getTrailingDims;
using ::executorch::ET_RUNTIME_NAMESPACE::indexToCoordinate;
using ::executorch::ET_RUNTIME_NAMESPACE::nonempty_size;
using ::executorch::ET_RUNTIME_NAMESPACE::nonzero_dim;
using ::executorch::ET_RUNTIME_NAMESPACE::resize;
using ::executorch::ET_RUNTIME_NAMESPACE::resize_tensor;
using ::executorch::ET_RUNTIME_NAMESPACE::tensor_can_cast_to;
using ::executorch::ET_RUNTIME_NAMESPACE::tensor_dim_has_index;
using ::executorch::ET_RUNTIME_NAMESPACE::tensor_has_dim;
using ::executorch::ET_RUNTIME_NAMESPACE::tensor_has_expected_size;
using ::executorch::ET_RUNTIME_NAMESPACE::tensor_has_non_empty_dim;
using ::executorch::ET_RUNTIME_NAMESPACE::tensor_has_rank_greater_or_equal_to;
using ::executorch::ET_RUNTIME_NAMESPACE::tensor_has_rank_smaller_or_equal_to;
using ::executorch::ET_RUNTIME_NAMESPACE::tensor_has_valid_dim_order;
using ::executorch::ET_RUNTIME_NAMESPACE::tensor_is_bits_type;
using ::executorch::ET_RUNTIME_NAMESPACE::tensor_is_bool_type;
using ::executorch::ET_RUNTIME_NAMESPACE::tensor_is_complex_type;
using ::executorch::ET_RUNTIME_NAMESPACE::tensor_is_contiguous;
using ::executorch::ET_RUNTIME_NAMESPACE::tensor_is_default_dim_order;
using ::executorch::ET_RUNTIME_NAMESPACE::tensor_is_default_or_channels_last_dim_order;
using ::executorch::ET_RUNTIME_NAMESPACE::tensor_is_floating_type;
using ::executorch::ET_RUNTIME_NAMESPACE::tensor_is_integral_type;
using ::executorch::ET_RUNTIME_NAMESPACE::tensor_is_rank;
using ::executorch::ET_RUNTIME_NAMESPACE::tensor_is_real_type;
using ::executorch::ET_RUNTIME_NAMESPACE::tensor_is_realh_type;
using ::executorch::ET_RUNTIME_NAMESPACE::tensor_is_realhb_type;
using ::executorch::ET_RUNTIME_NAMESPACE::tensor_is_scalar;
using ::executorch::ET_RUNTIME_NAMESPACE::tensors_have_same_dim_order;
using ::executorch::ET_RUNTIME_NAMESPACE::tensors_have_same_dtype;
using ::executorch::ET_RUNTIME_NAMESPACE::tensors_have_same_rank;
using ::executorch::ET_RUNTIME_NAMESPACE::tensors_have_same_shape;
using ::executorch::ET_RUNTIME_NAMESPACE::tensors_have_same_shape_and_dtype;
using ::executorch::ET_RUNTIME_NAMESPACE::tensors_have_same_size_at_dims;
using ::executorch::ET_RUNTIME_NAMESPACE::tensors_have_same_strides;
using ::executorch::runtime::kTensorDimensionLimit;

namespace internal {
using ::executorch::ET_RUNTIME_NAMESPACE::internal::copy_tensor_data;
using ::executorch::ET_RUNTIME_NAMESPACE::internal::reset_data_ptr;
using ::executorch::ET_RUNTIME_NAMESPACE::internal::resize_tensor_impl;
using ::executorch::ET_RUNTIME_NAMESPACE::internal::set_tensor_data;
using ::executorch::ET_RUNTIME_NAMESPACE::internal::share_tensor_data;
}  // namespace internal
}  // namespace torch::executor
