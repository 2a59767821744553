// SPDX-License-Identifier: BSD-3-Clause
// Depthwise convolution: one input channel per output channel, vectorised over channels. Rows of input stay in a ring
// of as many as the kernel spans, so that each is read once per strip of columns.
#include <algorithm>

#include "accumulate.h"
#include "dot.h"
#include "feature_map.h"
#include "weights.h"

namespace wick::npu {
namespace {

constexpr std::int32_t kLine = 1024;  // accumulators worked on together, when there is a choice

// Sums of one position: sums[c] = sum over taps of inputs[tap][c] * weights[tap * n + c].
void sum_taps(const std::int16_t* const* inputs, const std::int16_t* weights, std::int32_t taps, std::int32_t n,
              std::int32_t* sums) {
  std::int32_t c = 0;
  for (; c + kChannels <= n; c += kChannels) multiply_channels(inputs, weights + c, taps, n, c, sums + c);
  for (; c < n; ++c) {
    std::int32_t sum = 0;
    for (std::int32_t t = 0; t < taps; ++t) sum += inputs[t][c] * weights[t * n + c];
    sums[c] = sum;
  }
}

void sum_taps(const std::int64_t* const* inputs, const std::int16_t* weights, std::int32_t taps, std::int32_t n,
              std::int64_t* sums) {
  for (std::int32_t c = 0; c < n; ++c) {
    std::int64_t sum = 0;
    for (std::int32_t t = 0; t < taps; ++t) sum += inputs[t][c] * weights[t * n + c];
    sums[c] = sum;
  }
}

// T, A: inputs and sums. Either 16 and 32 bits, when that holds every sum, or 64 and 64.
template <typename T, typename A>
class Depthwise {
 public:
  Depthwise(Context& context, const Operation& operation)
      : context_(context), operation_(operation), output_(context, operation) {}
  bool run();

 private:
  bool allocate();
  void strip(std::int32_t x, std::int32_t nx, std::int32_t c, std::int32_t nc, std::int32_t in_block);
  void fetch_rows(std::int32_t iy, std::int32_t x, std::int32_t nx, std::int32_t c, std::int32_t nc);
  void finish(const Line& at, std::int32_t in_block);

  Context& context_;
  const Operation& operation_;
  Output output_;
  bool quick_ = false;
  std::int32_t capacity_ = 1, step_ = 1;
  std::int32_t ring_ = 1;     // rows that the kernel spans
  std::int32_t fetched_ = 0;  // input rows below this are in the ring
  WeightWalker* walker_ = nullptr;
  ChannelScale* scales_ = nullptr;
  QuickScales quick_scales_;
  const T** inputs_ = nullptr;  // where each tap's input lies, for the position at hand
  T* rows_ = nullptr;
  A* sums_ = nullptr;
  std::int64_t *line_ = nullptr, *load_ = nullptr;
  std::int16_t* weights_ = nullptr;
};

template <typename T, typename A>
bool Depthwise<T, A>::allocate() {
  const Kernel& k = operation_.kernel;
  const std::int32_t depth = std::min(operation_.block.depth, operation_.ofm_shape.depth);
  const std::int32_t taps = k.height * k.width;
  ring_ = (k.height - 1) * k.dilation_y + 1;
  step_ = std::clamp<std::int32_t>(kLine / depth, 1, operation_.ofm_shape.width);
  Arena& arena = context_.arena;
  walker_ = WeightWalker::make(context_, operation_);
  scales_ = arena.take<ChannelScale>(static_cast<std::size_t>(depth));
  const bool room_for_scales = quick_scales_.take(arena, depth);
  inputs_ = arena.take<const T*>(static_cast<std::size_t>(taps));
  if (walker_ == nullptr || scales_ == nullptr || !room_for_scales || inputs_ == nullptr) {
    return context_.out_of_workspace();
  }
  // Everything else grows with the channels taken at once.
  const std::size_t span = static_cast<std::size_t>((step_ - 1) * k.stride_x + (k.width - 1) * k.dilation_x + 1);
  const std::size_t positions = static_cast<std::size_t>(step_), rows = span * static_cast<std::size_t>(ring_);
  const std::size_t per_channel = rows * sizeof(T) + positions * (sizeof(A) + 2 * sizeof(std::int64_t)) +
                                  static_cast<std::size_t>(taps) * sizeof(std::int16_t);
  constexpr std::size_t kSlack = 5 * 16;
  const std::size_t room = (arena.available() - std::min(arena.available(), kSlack)) / per_channel;
  const std::size_t channels = std::clamp<std::size_t>(room, 1, static_cast<std::size_t>(depth));
  capacity_ = static_cast<std::int32_t>(channels);
  rows_ = arena.take<T>(rows * channels);
  sums_ = arena.take<A>(positions * channels);
  line_ = arena.take<std::int64_t>(positions * channels);
  load_ = arena.take<std::int64_t>(positions * channels);
  weights_ = arena.take<std::int16_t>(static_cast<std::size_t>(taps) * channels);
  if (rows_ == nullptr || sums_ == nullptr || line_ == nullptr || load_ == nullptr || weights_ == nullptr) {
    return context_.out_of_workspace();
  }
  return true;
}

// Brings input rows up to iy + ring_ - 1 into the ring.
template <typename T, typename A>
void Depthwise<T, A>::fetch_rows(std::int32_t iy, std::int32_t x, std::int32_t nx, std::int32_t c, std::int32_t nc) {
  const Kernel& k = operation_.kernel;
  const std::int32_t span = (nx - 1) * k.stride_x + (k.width - 1) * k.dilation_x + 1;
  for (std::int32_t row = std::max(fetched_, iy); row < iy + ring_; ++row) {
    const std::int32_t slot = (row + k.pad_top) % ring_;
    load_window<T>(operation_, row, x * k.stride_x - k.pad_left, span, c, nc, 0,
                   rows_ + static_cast<std::ptrdiff_t>(slot * span) * nc);
  }
  fetched_ = iy + ring_;
}

template <typename T, typename A>
void Depthwise<T, A>::finish(const Line& at, std::int32_t in_block) {
  if constexpr (sizeof(A) == sizeof(std::int32_t)) {
    if (quick_) return finish_quick(output_, quick_scales_.from(in_block), at, sums_);
  }
  std::copy_n(sums_, static_cast<std::ptrdiff_t>(at.nx) * at.nc, line_);
  finish_line(context_, operation_, output_, scales_ + in_block, at, line_, load_);
}

// Output columns [x, x + nx) of channels [c, c + nc), all rows.
template <typename T, typename A>
void Depthwise<T, A>::strip(std::int32_t x, std::int32_t nx, std::int32_t c, std::int32_t nc, std::int32_t in_block) {
  const Kernel& k = operation_.kernel;
  const std::int32_t span = (nx - 1) * k.stride_x + (k.width - 1) * k.dilation_x + 1;
  const std::int32_t taps = k.height * k.width;
  fetched_ = -k.pad_top;
  for (std::int32_t y = 0; y < operation_.ofm_shape.height; ++y) {
    const std::int32_t iy = y * k.stride_y - k.pad_top;
    fetch_rows(iy, x, nx, c, nc);
    const T** input = inputs_;
    for (std::int32_t ky = 0; ky < k.height; ++ky) {
      const std::int32_t slot = (iy + ky * k.dilation_y + k.pad_top) % ring_;
      const T* row = rows_ + static_cast<std::ptrdiff_t>(slot * span) * nc;
      for (std::int32_t kx = 0; kx < k.width; ++kx)
        *input++ = row + static_cast<std::ptrdiff_t>(kx * k.dilation_x) * nc;
    }
    for (std::int32_t p = 0; p < nx; ++p) {
      sum_taps(inputs_, weights_, taps, nc, sums_ + static_cast<std::ptrdiff_t>(p) * nc);
      for (std::int32_t t = 0; t < taps; ++t) inputs_[t] += static_cast<std::ptrdiff_t>(k.stride_x) * nc;
    }
    finish({y, x, nx, c, nc}, in_block);
  }
}

template <typename T, typename A>
bool Depthwise<T, A>::run() {
  if (!allocate()) return false;
  const Shape& ofm = operation_.ofm_shape;
  for (std::int32_t block = 0; block < ofm.depth; block += operation_.block.depth) {
    const std::int32_t block_count = std::min(operation_.block.depth, ofm.depth - block);
    if (!channel_scales(context_, operation_, block, block_count, scales_)) return false;
    quick_ = sizeof(A) == sizeof(std::int32_t) && plain_accumulators(operation_) &&
             quick_scales_.fill(scales_, block_count,
                                largest_sum(operation_, operation_.kernel.height * operation_.kernel.width));
    for (std::int32_t done = 0; done < block_count; done += capacity_) {
      const std::int32_t count = std::min(capacity_, block_count - done);
      if (done > 0) {
        if (!context_.spend(WeightWalker::stream_weights(operation_))) return false;
        walker_->rewind();
      }
      const WeightSink sink = {weights_, block + done, count, 1, count};
      if (!walker_->block(block, block_count, sink)) {
        return context_.fail(Fault::kWeights, "the weight stream is malformed or ends early");
      }
      for (std::int32_t x = 0; x < ofm.width; x += step_) {
        strip(x, std::min(step_, ofm.width - x), block + done, count, done);
      }
    }
  }
  return true;
}

}  // namespace

bool execute_depthwise(Context& context, const Operation& operation) {
  const std::int32_t taps = operation.kernel.height * operation.kernel.width;
  if (safe_chunk(operation) >= taps) return Depthwise<std::int16_t, std::int32_t>(context, operation).run();
  return Depthwise<std::int64_t, std::int64_t>(context, operation).run();
}

}  // namespace wick::npu
