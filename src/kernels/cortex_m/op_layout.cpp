// SPDX-License-Identifier: BSD-3-Clause
//
// cortex_m::pad and transpose.
#include "src/kernels/cortex_m/arguments.h"
#include "src/kernels/cortex_m/layout.h"

namespace wick::cortex_m {
namespace {

/// Four sizes in the order of the padding arguments: [N, H, W, C] for a channels-last tensor, else the tensor's own
/// dimensions behind ones. `order[i]` is the tensor's dimension at i, or -1.
struct Frame {
  int32_t sizes[4];
  int32_t order[4];

  Frame(const Tensor& t, bool channels_last) {
    const int32_t dims = static_cast<int32_t>(t.dim());
    constexpr int32_t kLast[] = {0, 2, 3, 1};
    for (int32_t i = 0; i < 4; ++i) {
      order[i] = channels_last ? kLast[i] : i - (4 - dims);
      sizes[i] = order[i] < 0 ? 1 : size_of(t, order[i]);
    }
  }

  /// True if `t` lies in memory in this order, dense.
  bool is_order_of(const Tensor& t) const {
    int32_t stride = 1;
    for (int32_t i = 3; i >= 0 && order[i] >= 0; --i) {
      const int32_t size = size_of(t, order[i]);
      if (size > 1 && t.strides()[static_cast<size_t>(order[i])] != stride) {
        return false;
      }
      stride *= size;
    }
    return true;
  }
};

/// The exporter's rule (is_channels_last of passes_utils.py).
bool is_channels_last(const Tensor& t) {
  return t.dim() == 4 && (size_of(t, 1) == 1 || (size_of(t, 2) == 1 && size_of(t, 3) == 1) ||
                          (t.dim_order()[0] == 0 && t.dim_order()[1] == 2));
}

/// Whether the output's sizes are those of the padded frame.
bool fits(const Frame& frame, const Tensor& out, const int32_t (&before)[4], const int32_t (&after)[4]) {
  for (int32_t i = 0; i < 4; ++i) {
    const int32_t size = frame.sizes[i] + before[i] + after[i];
    if (size != (frame.order[i] < 0 ? 1 : size_of(out, frame.order[i]))) {
      return false;
    }
  }
  return frame.is_order_of(out);
}

void run_pad(Arguments args) {
  if (!args.ok()) {
    return;
  }
  TensorArgument in_room, out_room;
  args.tensor(0, in_room);
  args.tensor(4, out_room);
  const Tensor &in = in_room.get(), &out = out_room.get();
  if (!args.ok() ||
      !args.require(in.dim() <= 4 && in.dim() == out.dim() && in.scalar_type() == ScalarType::Char &&
                        out.scalar_type() == ScalarType::Char && args.list_size(1) == 4 && args.list_size(2) == 4,
                    "wants int8 tensors of at most 4 dimensions and 4 paddings on each side")) {
    return;
  }
  int32_t before[4], after[4];
  for (int32_t i = 0; i < 4; ++i) {
    before[i] = args.item(1, i);
    after[i] = args.item(2, i);
    constexpr int32_t kMost = 1 << 24;
    args.require(before[i] >= 0 && after[i] >= 0 && before[i] < kMost && after[i] < kMost, "a padding is out of range");
  }
  const int32_t value = args.small(3);
  // Explicit-layout programs give [N, H, W, C] paddings to tensors that are not marked channels last: the sizes tell.
  bool last = is_channels_last(in);
  if (last && !fits(Frame(in, true), out, before, after)) {
    last = false;
  }
  const Frame frame(in, last);
  if (args.ok() && args.require(fits(frame, out, before, after) && frame.is_order_of(in),
                                "the output's sizes or memory order are not the padded input's")) {
    pad(in.const_data_ptr<int8_t>(), frame.sizes, before, after, static_cast<int8_t>(value),
        out.mutable_data_ptr<int8_t>());
  }
}

void run_transpose(Arguments args) {
  if (!args.ok()) {
    return;
  }
  TensorArgument in_room, out_room;
  args.tensor(0, in_room);
  args.tensor(2, out_room);
  const Tensor &in = in_room.get(), &out = out_room.get();
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

WICK_CORTEX_M_KERNEL(cortex_m_pad_out) { wick::cortex_m::run_pad({"cortex_m::pad", ctx, args, 5, 5}); }
WICK_CORTEX_M_KERNEL(cortex_m_transpose_out) {
  wick::cortex_m::run_transpose({"cortex_m::transpose", ctx, args, 3, 3});
}
