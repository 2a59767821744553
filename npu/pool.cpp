// SPDX-License-Identifier: BSD-3-Clause
// Pooling: MAX, MIN, AVERAGE, SUM and NONE over windows, REDUCE_SUM over channels, ARGMAX. A 1x1 AVERAGE (SUM on U85)
// is the compiler's universal copy: layout changes, concatenation, requantisation.
#include <algorithm>

#include "accumulate.h"
#include "feature_map.h"

namespace wick::npu {
namespace {

constexpr std::int32_t kLine = 2048;  // elements worked on together

template <typename T>
class Pooling {
 public:
  Pooling(Context& context, const Operation& operation)
      : context_(context), operation_(operation), output_(context, operation) {}
  bool run();

 private:
  bool allocate();
  void line(const Line& at);
  void gather(const Line& at);
  void add_row(const T* input, const Line& at);
  void divide(const Line& at);

  Context& context_;
  const Operation& operation_;
  Output output_;
  Scaler scaler_;
  bool identity_ = false;
  bool divides_ = false;  // by the count of valid elements, before the OFM scale
  bool extremum_ = false;
  std::int32_t step_x_ = 1, step_c_ = 1;
  std::int64_t padding_ = 0;
  T* input_ = nullptr;
  std::int64_t *line_ = nullptr, *load_ = nullptr;
  ChannelScale* scales_ = nullptr;
};

template <typename T>
bool Pooling<T>::allocate() {
  const Kernel& k = operation_.kernel;
  const Shape& ofm = operation_.ofm_shape;
  step_c_ = std::min<std::int32_t>(ofm.depth, 256);
  step_x_ = std::clamp<std::int32_t>(kLine / step_c_, 1, ofm.width);
  const std::size_t span = static_cast<std::size_t>((step_x_ - 1) * k.stride_x + (k.width - 1) * k.dilation_x + 1);
  const std::size_t channels = static_cast<std::size_t>(step_c_), room = static_cast<std::size_t>(step_x_) * channels;
  input_ = context_.arena.take<T>(span * channels);
  line_ = context_.arena.take<std::int64_t>(room);
  load_ = operation_.acc_from_ifm2 ? context_.arena.take<std::int64_t>(room) : line_;
  scales_ = context_.arena.take<ChannelScale>(channels);
  if (input_ == nullptr || line_ == nullptr || load_ == nullptr || scales_ == nullptr) {
    return context_.out_of_workspace();
  }
  return true;
}

// Adds one kernel row's elements to the line.
template <typename T>
void Pooling<T>::add_row(const T* input, const Line& at) {
  const Kernel& k = operation_.kernel;
  std::int64_t* acc = line_;
  for (std::int32_t p = 0; p < at.nx; ++p, acc += at.nc) {
    const T* a = input + static_cast<std::ptrdiff_t>(p * k.stride_x) * at.nc;
    for (std::int32_t kx = 0; kx < k.width; ++kx, a += static_cast<std::ptrdiff_t>(k.dilation_x) * at.nc) {
      if (!extremum_) {
        for (std::int32_t c = 0; c < at.nc; ++c) acc[c] += a[c];
      } else if (operation_.pool == Pool::kMax) {
        for (std::int32_t c = 0; c < at.nc; ++c) acc[c] = std::max<std::int64_t>(acc[c], a[c]);
      } else {
        for (std::int32_t c = 0; c < at.nc; ++c) acc[c] = std::min<std::int64_t>(acc[c], a[c]);
      }
    }
  }
}

template <typename T>
void Pooling<T>::gather(const Line& at) {
  const Kernel& k = operation_.kernel;
  const std::int32_t span = (at.nx - 1) * k.stride_x + (k.width - 1) * k.dilation_x + 1;
  std::fill_n(line_, static_cast<std::ptrdiff_t>(at.nx) * at.nc, padding_);
  if (operation_.pool == Pool::kNone) return;
  for (std::int32_t ky = 0; ky < k.height; ++ky) {
    const std::int32_t iy = at.y * k.stride_y - k.pad_top + ky * k.dilation_y;
    if (iy < 0 || iy >= operation_.ifm_shape.height) continue;
    load_window<T>(operation_, iy, at.x * k.stride_x - k.pad_left, span, at.c, at.nc, static_cast<T>(padding_), input_);
    add_row(input_, at);
  }
}

// How many of a window's taps along one axis lie in [0, size).
std::int32_t valid_taps(std::int32_t first, std::int32_t taps, std::int32_t step, std::int32_t size) {
  std::int32_t count = 0;
  for (std::int32_t i = 0; i < taps; ++i) {
    const std::int32_t at = first + i * step;
    if (at >= 0 && at < size) ++count;
  }
  return count;
}

template <typename T>
void Pooling<T>::divide(const Line& at) {
  const Kernel& k = operation_.kernel;
  const std::uint32_t bits = context_.config.product == Product::kU85 ? 30 : 31;
  const Rounding rounding =
      context_.config.product == Product::kU85 ? Rounding::kNatural : operation_.ofm_scale.rounding;
  const std::int32_t rows =
      valid_taps(at.y * k.stride_y - k.pad_top, k.height, k.dilation_y, operation_.ifm_shape.height);
  std::int32_t known = 0;
  Scaler scaler;
  std::int64_t* value = line_;
  for (std::int32_t p = 0; p < at.nx; ++p) {
    const std::int32_t columns =
        valid_taps((at.x + p) * k.stride_x - k.pad_left, k.width, k.dilation_x, operation_.ifm_shape.width);
    const std::int32_t count = std::max<std::int32_t>(rows * columns, 1);
    if (count != known) scaler = make_scaler(divide_by(static_cast<std::uint32_t>(count), bits, rounding));
    known = count;
    if (count > 1) {
      for (std::int32_t c = 0; c < at.nc; ++c) value[c] = scale_value(value[c], scaler);
    }
    value += at.nc;
  }
}

template <typename T>
void Pooling<T>::line(const Line& at) {
  gather(at);
  if (divides_) divide(at);
  if (operation_.acc_from_ifm2 || operation_.acc_keep || operation_.ofm_disabled || operation_.records) {
    finish_line(context_, operation_, output_, scales_, at, line_, load_);
    return;
  }
  if (!identity_) {
    for (std::ptrdiff_t i = 0; i < std::ptrdiff_t{at.nx} * at.nc; ++i) line_[i] = scale_value(line_[i], scaler_);
  }
  output_.store(line_, at.y, at.x, at.nx, at.c, at.nc);
}

template <typename T>
bool Pooling<T>::run() {
  if (!allocate()) return false;
  const Shape& ofm = operation_.ofm_shape;
  extremum_ = operation_.pool == Pool::kMax || operation_.pool == Pool::kMin;
  divides_ =
      operation_.pool == Pool::kAverage && (context_.config.product == Product::kU85 || operation_.kernel.padded());
  scaler_ = make_scaler(operation_.ofm_scale);
  identity_ =
      operation_.ifm.map.bytes <= 2 && operation_.kernel.height * operation_.kernel.width == 1 && is_identity(scaler_);
  if (extremum_) {  // below or above every value that a map of this width can hold
    padding_ = sizeof(T) == 8 ? INT64_MAX : INT32_MAX;
    if (operation_.pool == Pool::kMax) padding_ = -padding_;
  }
  for (std::int32_t c = 0; c < ofm.depth; c += step_c_) {
    const std::int32_t nc = std::min(step_c_, ofm.depth - c);
    if (!channel_scales(context_, operation_, c, nc, scales_)) return false;
    for (std::int32_t y = 0; y < ofm.height; ++y) {
      for (std::int32_t x = 0; x < ofm.width; x += step_x_) line({y, x, std::min(step_x_, ofm.width - x), c, nc});
    }
  }
  return true;
}

}  // namespace

bool execute_pool(Context& context, const Operation& operation) {
  if (operation.pool == Pool::kReduceSum) return execute_reduce_sum(context, operation);
  if (operation.ifm.map.bytes <= 2) return Pooling<std::int32_t>(context, operation).run();
  return Pooling<std::int64_t>(context, operation).run();
}

bool execute_reduce_sum(Context& context, const Operation& operation) {
  const Shape& ofm = operation.ofm_shape;
  const Kernel& k = operation.kernel;
  const std::int32_t depth = operation.ifm_shape.depth, step = std::min(depth, kLine);
  const Output output(context, operation);
  std::int64_t* input = context.arena.take<std::int64_t>(static_cast<std::size_t>(step));
  std::int64_t* load = context.arena.take<std::int64_t>(2);
  ChannelScale* scale = context.arena.take<ChannelScale>(1);
  if (input == nullptr || load == nullptr || scale == nullptr) return context.out_of_workspace();
  if (!channel_scales(context, operation, 0, 1, scale)) return false;
  for (std::int32_t y = 0; y < ofm.height; ++y) {
    for (std::int32_t x = 0; x < ofm.width; ++x) {
      std::int64_t sum = 0;
      for (std::int32_t c = 0; c < depth; c += step) {
        const std::int32_t nc = std::min(step, depth - c);
        load_window<std::int64_t>(operation, y * k.stride_y - k.pad_top, x * k.stride_x - k.pad_left, 1, c, nc, 0,
                                  input);
        for (std::int32_t i = 0; i < nc; ++i) sum = wrapping_add(sum, input[i]);
      }
      finish_line(context, operation, output, scale, {y, x, 1, 0, 1}, &sum, load);
    }
  }
  return true;
}

}  // namespace wick::npu
