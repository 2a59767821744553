// SPDX-License-Identifier: BSD-3-Clause
// Checks of tensors that are more than a comparison, and reading and pointing their data.
// They are functions, not inline, so that their log messages are in an image once.

#include <executorch/runtime/core/exec_aten/util/tensor_shape_to_c_string.h>
#include <executorch/runtime/core/exec_aten/util/tensor_util.h>
#include <wick/dim_order.h>

#include <cstring>

namespace executorch::ET_RUNTIME_NAMESPACE {

using executorch::aten::ArrayRef;
using executorch::aten::DimOrderType;
using executorch::aten::ScalarType;
using executorch::aten::SizesType;
using executorch::aten::StridesType;
using executorch::aten::Tensor;

namespace {

/// The text of a shape lives until the end of the log statement.
[[maybe_unused]] auto shape_text(ArrayRef<SizesType> sizes) {
  return tensor_shape_to_c_string(Span<const SizesType>(sizes.data(), sizes.size()));
}

size_t rank(const Tensor& t) { return static_cast<size_t>(t.dim()); }

}  // namespace

bool tensor_has_non_empty_dim(Tensor t, int64_t d) {
  ET_LOG_AND_RETURN_IF_FALSE(tensor_has_dim(t, d));
  ET_CHECK_OR_RETURN_FALSE(nonempty_size(t, static_cast<ssize_t>(ET_NORMALIZE_IX(d, nonzero_dim(t)))) != 0,
                           "dimension %" PRId64 " of %s is empty", d, shape_text(t.sizes()).data());
  return true;
}

bool tensor_dim_has_index(Tensor t, int64_t d, int64_t ix) {
  const int64_t dim = ET_NORMALIZE_IX(d, t.dim());
  ET_CHECK_MSG(dim >= 0 && dim < t.dim(), "a tensor of %zd dimensions has none of index %" PRId64, t.dim(), d);
  [[maybe_unused]] const ssize_t size = t.size(static_cast<ssize_t>(dim));
  ET_CHECK_OR_RETURN_FALSE(ix >= -size && ix < size,
                           "index %" PRId64 " is out of range [-%zd, %zd) at dimension %" PRId64, ix, size, size, dim);
  return true;
}

bool tensors_have_same_size_at_dims(Tensor a, size_t dim_a, Tensor b, size_t dim_b) {
  ET_CHECK_OR_RETURN_FALSE(dim_a < rank(a) && dim_b < rank(b),
                           "dimensions %zu and %zu asked of tensors of %zu and %zu dimensions", dim_a, dim_b, rank(a),
                           rank(b));
  ET_CHECK_OR_RETURN_FALSE(a.sizes()[dim_a] == b.sizes()[dim_b],
                           ET_TENSOR_CHECK_PREFIX__ ": dimension %zu of %s and dimension %zu of %s", dim_a,
                           shape_text(a.sizes()).data(), dim_b, shape_text(b.sizes()).data());
  return true;
}

bool tensors_have_same_shape(Tensor a, Tensor b) {
  ET_CHECK_OR_RETURN_FALSE(a.sizes() == b.sizes() || (a.numel() == 1 && b.numel() == 1),
                           ET_TENSOR_CHECK_PREFIX__ ": shapes %s and %s", shape_text(a.sizes()).data(),
                           shape_text(b.sizes()).data());
  return true;
}

bool tensors_have_same_shape(Tensor a, Tensor b, Tensor c) {
  return tensors_have_same_shape(a, b) && tensors_have_same_shape(b, c);
}

bool tensor_has_expected_size(Tensor a, ArrayRef<SizesType> expected_sizes) {
  ET_CHECK_OR_RETURN_FALSE(a.sizes() == expected_sizes, ET_TENSOR_CHECK_PREFIX__ ": shape %s, expected %s",
                           shape_text(a.sizes()).data(), shape_text(expected_sizes).data());
  return true;
}

bool tensors_have_same_strides(Tensor a, Tensor b) {
  ET_LOG_AND_RETURN_IF_FALSE(tensors_have_same_rank(a, b));
  for (size_t i = 0; i < rank(a); ++i) {
    const bool placed = a.sizes()[i] != 1 || b.sizes()[i] != 1;
    ET_CHECK_OR_RETURN_FALSE(!placed || a.strides()[i] == b.strides()[i],
                             ET_TENSOR_CHECK_PREFIX__ ": strides %d and %d of dimension %zu",
                             static_cast<int>(a.strides()[i]), static_cast<int>(b.strides()[i]), i);
  }
  return true;
}

bool tensors_have_same_strides(Tensor a, Tensor b, Tensor c) {
  return tensors_have_same_strides(a, b) && tensors_have_same_strides(b, c);
}

bool tensor_is_contiguous(Tensor t) {
  if (t.numel() == 0) {
    return true;
  }
  StridesType expected = 1;
  for (size_t i = rank(t); i-- > 0;) {
    const SizesType size = t.sizes()[i];
    ET_CHECK_OR_RETURN_FALSE(size == 1 || t.strides()[i] == expected,
                             "The stride of the dimension shall be %d in a contiguous tensor: dimension %zu has %d",
                             static_cast<int>(expected), i, static_cast<int>(t.strides()[i]));
    expected *= size;
  }
  return true;
}

bool tensor_has_valid_dim_order(Tensor t) {
  ET_CHECK_OR_RETURN_FALSE(validate_dim_order(t.dim_order().data(), rank(t)),
                           "dim order is no permutation of the numbers below %zu", rank(t));
  return true;
}

namespace {
bool in_default_order(const Tensor& t) {
  return wick::is_contiguous_memory(t.sizes().data(), t.dim_order().data(), rank(t));
}
bool in_channels_last_order(const Tensor& t) {
  return wick::is_channels_last_memory(t.sizes().data(), t.dim_order().data(), rank(t));
}
}  // namespace

bool tensor_is_default_dim_order(Tensor t) {
  ET_CHECK_OR_RETURN_FALSE(in_default_order(t), "Expected tensor to have default dim order");
  return true;
}

bool tensor_is_channels_last_dim_order(Tensor t) {
  ET_CHECK_OR_RETURN_FALSE(in_channels_last_order(t), "Expected tensor to have channels last dim order");
  return true;
}

bool tensor_is_default_or_channels_last_dim_order(Tensor t) {
  ET_CHECK_OR_RETURN_FALSE(in_default_order(t) || in_channels_last_order(t),
                           "Expected tensor to have default or channels last dim order");
  return true;
}

bool tensors_have_same_dim_order(const ArrayRef<Tensor> tensor_list) {
  if (tensor_list.size() < 2) {
    return true;
  }
  bool all_default = true;
  bool all_channels_last = true;
  for (const Tensor& t : tensor_list) {
    all_default = all_default && in_default_order(t);
    all_channels_last = all_channels_last && in_channels_last_order(t);
  }
  ET_CHECK_OR_RETURN_FALSE(all_default || all_channels_last, "%zu tensors have different dim orders",
                           tensor_list.size());
  return true;
}

Error get_dim_order(const Tensor& tensor, DimOrderType* out_dim_order, size_t out_dim_order_size) {
  ET_CHECK_OR_RETURN_ERROR(out_dim_order_size == rank(tensor), InvalidArgument,
                           "room for %zu entries of a dim order of %zu", out_dim_order_size, rank(tensor));
  std::memcpy(out_dim_order, tensor.dim_order().data(), rank(tensor) * sizeof(DimOrderType));
  return Error::Ok;
}

namespace {
/// Product of the sizes of dimensions [first, last). Aborts when it overflows.
size_t product_of_sizes(const Tensor& tensor, ssize_t first, ssize_t last) {
  size_t product = 1;
  for (ssize_t i = first; i < last; ++i) {
    ET_CHECK_MSG(!c10::mul_overflows(product, static_cast<size_t>(tensor.size(i)), &product),
                 "sizes of dimensions %zd to %zd have no product", first, last);
  }
  return product;
}
}  // namespace

size_t getLeadingDims(const Tensor& tensor, int64_t dim) {
  ET_CHECK_MSG(dim >= 0 && dim <= tensor.dim(), "Ending dimension %" PRId64 " should be in the range [0, %zd]", dim,
               tensor.dim());
  return product_of_sizes(tensor, 0, static_cast<ssize_t>(dim));
}

size_t getTrailingDims(const Tensor& tensor, int64_t dim) {
  ET_CHECK_MSG(dim >= -1 && dim < tensor.dim(), "Starting dimension %" PRId64 " should be in the range [-1, %zd)", dim,
               tensor.dim());
  return product_of_sizes(tensor, static_cast<ssize_t>(dim + 1), tensor.dim());
}

size_t coordinateToIndex(const Tensor& tensor, const size_t* const coordinate) {
  size_t index = 0;
  for (size_t i = 0; i < rank(tensor); ++i) {
    index = index * static_cast<size_t>(tensor.sizes()[i]) + coordinate[i];
  }
  return index;
}

void indexToCoordinate(const Tensor& tensor, size_t index, size_t* coordinate) {
  ET_CHECK_MSG(index < static_cast<size_t>(tensor.numel()), "index %zu, but there are %zd elements", index,
               tensor.numel());
  for (size_t i = rank(tensor); i-- > 0;) {
    const size_t size = static_cast<size_t>(tensor.sizes()[i]);
    coordinate[i] = index % size;
    index /= size;
  }
}

void memoizeTrailingDims(const Tensor& tensor, size_t trailing_dims_memo[kTensorDimensionLimit]) {
  size_t product = 1;
  for (size_t i = rank(tensor); i-- > 0;) {
    trailing_dims_memo[i] = product;
    product *= static_cast<size_t>(tensor.sizes()[i]);
  }
}

namespace internal {

bool read_integer(const Tensor& tensor, int64_t* value) {
  if (tensor.numel() != 1) {
    return false;
  }
  switch (tensor.scalar_type()) {
#define WICK_READ(ctype, name)                  \
  case ScalarType::name:                        \
    *value = tensor.const_data_ptr<ctype>()[0]; \
    return true;
    ET_FORALL_INT_TYPES(WICK_READ)
#undef WICK_READ
    default:
      return false;
  }
}

bool read_real(const Tensor& tensor, double* value) {
  int64_t integer = 0;
  if (read_integer(tensor, &integer)) {
    *value = static_cast<double>(integer);
    return true;
  }
  if (tensor.numel() != 1) {
    return false;
  }
  switch (tensor.scalar_type()) {
#define WICK_READ(ctype, name)                                       \
  case ScalarType::name:                                             \
    *value = static_cast<double>(tensor.const_data_ptr<ctype>()[0]); \
    return true;
    ET_FORALL_FLOATHBF16_TYPES(WICK_READ)
#undef WICK_READ
    default:
      return false;
  }
}

Error share_tensor_data(const Tensor& t_dst, const Tensor& t_src) {
  ET_CHECK_OR_RETURN_ERROR(t_dst.nbytes() == t_src.nbytes(), InvalidArgument,
                           "%zu bytes given for a tensor of %zu bytes", t_src.nbytes(), t_dst.nbytes());
  ET_CHECK_OR_RETURN_ERROR(t_src.mutable_data_ptr() != nullptr || t_src.nbytes() == 0, InvalidArgument,
                           "the tensor to share has no data");
  t_dst.unsafeGetTensorImpl()->set_data(t_src.numel() == 0 ? nullptr : t_src.mutable_data_ptr());
  return Error::Ok;
}

Error copy_tensor_data(const Tensor& t_dst, const Tensor& t_src) {
  ET_CHECK_OR_RETURN_ERROR(t_dst.const_data_ptr() != nullptr || (t_dst.nbytes() == 0 && t_src.nbytes() == 0),
                           InvalidArgument, "the tensor to copy to has no data");
  if (t_src.const_data_ptr() == nullptr) {
    return Error::Ok;
  }
  ET_CHECK_OR_RETURN_ERROR(t_dst.nbytes() == t_src.nbytes(), InvalidArgument,
                           "%zu bytes given for a tensor of %zu bytes", t_src.nbytes(), t_dst.nbytes());
  ET_CHECK_OR_RETURN_ERROR(t_dst.device().is_cpu() && t_src.device().is_cpu(), NotSupported,
                           "cannot copy from device type %d to %d: export with alloc_graph_input=False to share memory",
                           static_cast<int>(t_src.device_type()), static_cast<int>(t_dst.device_type()));
  if (t_dst.nbytes() != 0) {
    std::memmove(t_dst.mutable_data_ptr(), t_src.const_data_ptr(), t_src.nbytes());
  }
  return Error::Ok;
}

Error set_tensor_data(const Tensor& t, void* buffer, size_t buffer_size) {
  ET_CHECK_OR_RETURN_ERROR(buffer_size >= t.nbytes(), InvalidArgument,
                           "a buffer of %zu bytes is too small for a tensor of %zu bytes", buffer_size, t.nbytes());
  t.unsafeGetTensorImpl()->set_data(buffer);
  return Error::Ok;
}

void reset_data_ptr(const Tensor& tensor) { tensor.unsafeGetTensorImpl()->set_data(nullptr); }

/// The one that may resize a TensorImpl.
class TensorResizerFriend final {
 public:
  static Error resize(executorch::aten::TensorImpl* impl, ArrayRef<SizesType> new_sizes) {
    return impl->internal_resize_contiguous(new_sizes);
  }
};

Error resize_tensor_impl(executorch::aten::TensorImpl* impl, ArrayRef<SizesType> new_sizes) {
  return TensorResizerFriend::resize(impl, new_sizes);
}

}  // namespace internal
}  // namespace executorch::ET_RUNTIME_NAMESPACE
