// SPDX-License-Identifier: BSD-3-Clause
//
// cortex_m::pad and transpose.
#include "src/kernels/cortex_m/arguments.h"
#include "src/kernels/cortex_m/layout.h"

namespace wick::cortex_m {
namespace {

/// Four sizes in the order of the padding arguments: [N, H, W, C] if channels_last, else the tensor's own dimensions
/// behind ones. False unless the tensor lies in memory in this order, dense.
bool measure(const Tensor& t, bool channels_last, int32_t (&sizes)[4]) {
  constexpr int8_t kLast[] = {0, 2, 3, 1};
  const int32_t ones = 4 - static_cast<int32_t>(t.dim());
  int32_t stride = 1;
  bool dense = true;
  for (int32_t i = 3; i >= 0; --i) {
    const int32_t d = channels_last ? kLast[i] : i - ones;
    sizes[i] = d < 0 ? 1 : size_of(t, d);
    dense = dense && (sizes[i] <= 1 || t.strides()[static_cast<size_t>(d)] == stride);
    stride *= sizes[i];
  }
  return dense;
}

/// The exporter's rule (is_channels_last of passes_utils.py).
bool is_channels_last(const Tensor& t) {
  return t.dim() == 4 && (size_of(t, 1) == 1 || (size_of(t, 2) == 1 && size_of(t, 3) == 1) ||
                          (t.dim_order()[0] == 0 && t.dim_order()[1] == 2));
}

void run_pad(Arguments& args) {
  const Tensor &in = args.int8(0), &out = args.output();
  const int32_t value = args.small(3);
  int32_t before[4], after[4];
  for (int32_t i = 0; i < 4; ++i) {
    before[i] = args.item(1, i);
    after[i] = args.item(2, i);
    constexpr uint32_t kMost = 1 << 24;
    args.require(static_cast<uint32_t>(before[i]) < kMost && static_cast<uint32_t>(after[i]) < kMost,
                 "a padding is out of range");
  }
  if (!args.ok() || !args.require(in.dim() <= 4 && in.dim() == out.dim(), "wants tensors of at most 4 dimensions")) {
    return;
  }
  // Explicit-layout programs give [N, H, W, C] paddings to tensors that are not marked channels last: the sizes tell.
  for (bool last = is_channels_last(in);; last = false) {
    int32_t sizes[4], padded[4];
    bool fits = measure(in, last, sizes) && measure(out, last, padded);
    for (int32_t i = 0; i < 4; ++i) {
      fits = fits && padded[i] == sizes[i] + before[i] + after[i];
    }
    if (fits) {
      pad(in.const_data_ptr<int8_t>(), sizes, before, after, static_cast<int8_t>(value),
          out.mutable_data_ptr<int8_t>());
      return;
    }
    if (!last) {
      args.require(false, "the output's sizes or memory order are not the padded input's");
      return;
    }
  }
}

void run_transpose(Arguments& args) {
  const Tensor &in = args.tensor(0), &out = args.tensor(2);
  const int32_t dims = static_cast<int32_t>(in.dim());
  if (!args.ok() || !args.require(dims <= kMostDims && out.dim() == in.dim() && args.list_size(1) == dims &&
                                      in.scalar_type() == out.scalar_type(),
                                  "wants a permutation of at most 6 dimensions and equal types")) {
    return;
  }
  int32_t sizes[kMostDims], strides[kMostDims];
  uint32_t seen = 0;
  for (int32_t i = 0; i < dims; ++i) {  // in the output's memory order
    const int32_t at = out.dim_order()[static_cast<size_t>(i)];
    int32_t from = args.item(1, at);
    from = from < 0 ? from + dims : from;
    if (!args.require(from >= 0 && from < dims && (seen >> from & 1) == 0, "not a permutation")) {
      return;
    }
    seen |= uint32_t{1} << from;
    sizes[i] = size_of(in, from);
    strides[i] = static_cast<int32_t>(in.strides()[static_cast<size_t>(from)]);
    if (!args.require(sizes[i] == size_of(out, at), "the output tensor has other sizes than the result")) {
      return;
    }
  }
  gather(in.const_data_ptr(), sizes, strides, dims, static_cast<size_t>(in.element_size()), out.mutable_data_ptr());
}

}  // namespace
}  // namespace wick::cortex_m

WICK_CORTEX_M_KERNEL(cortex_m_pad_out, "cortex_m::pad", 5, 5, wick::cortex_m::run_pad)
WICK_CORTEX_M_KERNEL(cortex_m_transpose_out, "cortex_m::transpose", 3, 3, wick::cortex_m::run_transpose)
