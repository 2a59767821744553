// SPDX-License-Identifier: BSD-3-Clause
// Depthwise convolution: one input channel per output channel, vectorised over channels.
#include <algorithm>

#include "accumulate.h"
#include "feature_map.h"
#include "weights.h"

namespace wick::npu {
namespace {

constexpr std::int32_t kLine = 2048;  // accumulators worked on together, when there is a choice

// acc[c] += a[c] * w[c], and the same for three taps at once, which saves two thirds of the accumulator traffic.
template <typename T, typename A>
void multiply_add(const T* a, const std::int16_t* w, std::int32_t n, A* acc) {
  for (std::int32_t c = 0; c < n; ++c) acc[c] += static_cast<A>(a[c]) * static_cast<A>(w[c]);
}

template <typename T, typename A>
void multiply_add3(const T* a, std::ptrdiff_t step, const std::int16_t* w, std::int32_t n, A* acc) {
  const T *a1 = a + step, *a2 = a + 2 * step;
  const std::int16_t *w1 = w + n, *w2 = w + 2 * n;
  for (std::int32_t c = 0; c < n; ++c) {
    acc[c] += static_cast<A>(a[c]) * static_cast<A>(w[c]) + static_cast<A>(a1[c]) * static_cast<A>(w1[c]) +
              static_cast<A>(a2[c]) * static_cast<A>(w2[c]);
  }
}

template <typename T, typename A>
class Depthwise {
 public:
  Depthwise(Context& context, const Operation& operation)
      : context_(context), operation_(operation), output_(context, operation) {}
  bool run();

 private:
  bool allocate();
  void row(std::int32_t y, std::int32_t x, std::int32_t nx, std::int32_t c, std::int32_t nc,
           const ChannelScale* scales);

  Context& context_;
  const Operation& operation_;
  Output output_;
  std::int32_t capacity_ = 1, step_ = 1;
  WeightWalker* walker_ = nullptr;
  ChannelScale* scales_ = nullptr;
  T* input_ = nullptr;
  A* acc_ = nullptr;
  std::int64_t *line_ = nullptr, *load_ = nullptr;
  std::int16_t* weights_ = nullptr;
};

template <typename T, typename A>
bool Depthwise<T, A>::allocate() {
  const Kernel& k = operation_.kernel;
  const std::int32_t depth = std::min(operation_.block.depth, operation_.ofm_shape.depth);
  const std::int32_t taps = k.height * k.width;
  step_ = std::clamp<std::int32_t>(kLine / depth, 1, operation_.ofm_shape.width);
  Arena& arena = context_.arena;
  walker_ = WeightWalker::make(context_, operation_);
  scales_ = arena.take<ChannelScale>(static_cast<std::size_t>(depth));
  if (walker_ == nullptr || scales_ == nullptr) return context_.out_of_workspace();
  // Everything else grows with the channels taken at once.
  const std::int32_t span = (step_ - 1) * k.stride_x + (k.width - 1) * k.dilation_x + 1;
  const std::size_t per_channel = static_cast<std::size_t>(span) * sizeof(T) +
                                  static_cast<std::size_t>(step_) * (sizeof(A) + 2 * sizeof(std::int64_t)) +
                                  static_cast<std::size_t>(taps) * sizeof(std::int16_t);
  constexpr std::size_t kSlack = 5 * 16;
  const std::size_t room = (arena.available() - std::min(arena.available(), kSlack)) / per_channel;
  const std::size_t channels = std::clamp<std::size_t>(room, 1, static_cast<std::size_t>(depth));
  capacity_ = static_cast<std::int32_t>(channels);
  input_ = arena.take<T>(static_cast<std::size_t>(span) * channels);
  acc_ = arena.take<A>(static_cast<std::size_t>(step_) * channels);
  line_ = arena.take<std::int64_t>(static_cast<std::size_t>(step_) * channels);
  load_ = arena.take<std::int64_t>(static_cast<std::size_t>(step_) * channels);
  weights_ = arena.take<std::int16_t>(static_cast<std::size_t>(taps) * channels);
  if (input_ == nullptr || acc_ == nullptr || line_ == nullptr || load_ == nullptr || weights_ == nullptr) {
    return context_.out_of_workspace();
  }
  return true;
}

template <typename T, typename A>
void Depthwise<T, A>::row(std::int32_t y, std::int32_t x, std::int32_t nx, std::int32_t c, std::int32_t nc,
                          const ChannelScale* scales) {
  const Kernel& k = operation_.kernel;
  const std::int32_t span = (nx - 1) * k.stride_x + (k.width - 1) * k.dilation_x + 1;
  std::fill_n(acc_, static_cast<std::ptrdiff_t>(nx) * nc, A{0});
  for (std::int32_t ky = 0; ky < k.height; ++ky) {
    const std::int32_t iy = y * k.stride_y - k.pad_top + ky * k.dilation_y;
    if (iy < 0 || iy >= operation_.ifm_shape.height) continue;
    load_window<T>(operation_, iy, x * k.stride_x - k.pad_left, span, c, nc, 0, input_);
    const std::int16_t* w = weights_ + static_cast<std::ptrdiff_t>(ky * k.width) * nc;
    const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(k.dilation_x) * nc;
    for (std::int32_t p = 0; p < nx; ++p) {
      const T* a = input_ + static_cast<std::ptrdiff_t>(p * k.stride_x) * nc;
      A* acc = acc_ + static_cast<std::ptrdiff_t>(p) * nc;
      std::int32_t kx = 0;
      for (; kx + 3 <= k.width; kx += 3) multiply_add3(a + kx * step, step, w + kx * nc, nc, acc);
      for (; kx < k.width; ++kx) multiply_add(a + kx * step, w + kx * nc, nc, acc);
    }
  }
  std::copy_n(acc_, static_cast<std::ptrdiff_t>(nx) * nc, line_);
  finish_line(context_, operation_, output_, scales, {y, x, nx, c, nc}, line_, load_);
}

template <typename T, typename A>
bool Depthwise<T, A>::run() {
  if (!allocate()) return false;
  const Shape& ofm = operation_.ofm_shape;
  for (std::int32_t block = 0; block < ofm.depth; block += operation_.block.depth) {
    const std::int32_t block_count = std::min(operation_.block.depth, ofm.depth - block);
    if (!channel_scales(context_, operation_, block, block_count, scales_)) return false;
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
      for (std::int32_t y = 0; y < ofm.height; ++y) {
        for (std::int32_t x = 0; x < ofm.width; x += step_) {
          row(y, x, std::min(step_, ofm.width - x), block + done, count, scales_ + done);
        }
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
