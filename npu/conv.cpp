// SPDX-License-Identifier: BSD-3-Clause
// Convolution (and fully connected, and U85's matrix product): input patches times decoded weights, OFM block by OFM
// block.
#include <algorithm>
#include <cstring>

#include "accumulate.h"
#include "channel_scale.h"
#include "dot.h"
#include "feature_map.h"
#include "output.h"
#include "weights.h"

namespace wick::npu {
namespace {

constexpr std::int32_t kTile = 16;               // output positions worked on together
constexpr std::int32_t kPatchBytes = 32 * 1024;  // of a tile's patches, when there is a choice

template <typename T>
class Convolution {
 public:
  Convolution(Context& context, const Operation& operation, std::int32_t chunk)
      : context_(context), operation_(operation), output_(context, operation), chunk_(chunk) {}
  bool run();

 private:
  bool allocate();
  bool fetch_weights(std::int32_t first, std::int32_t count, std::int32_t block, std::int32_t block_count, bool again);
  void fetch_patches(std::int32_t position, std::int32_t count);
  void multiply(std::int32_t positions, std::int32_t channels);
  void finish(std::int32_t position, std::int32_t positions, std::int32_t first, std::int32_t channels,
              std::int32_t in_block);

  Context& context_;
  const Operation& operation_;
  Output output_;
  std::int32_t chunk_;  // products that are summed in 32 bits
  std::int32_t patch_ = 0, tile_ = 1, capacity_ = 1;
  WeightWalker* walker_ = nullptr;
  ChannelScale* scales_ = nullptr;
  QuickScales quick_scales_;
  bool quick_ = false;
  T* patches_ = nullptr;
  std::int32_t* sums_ = nullptr;
  std::int64_t* line_ = nullptr;
  std::int64_t* load_ = nullptr;
  std::int16_t* weights_ = nullptr;
};

template <typename T>
bool Convolution<T>::allocate() {
  const Kernel& k = operation_.kernel;
  const std::int64_t patch = static_cast<std::int64_t>(k.height) * k.width * operation_.ifm_shape.depth;
  if (patch > (std::int64_t{1} << 28)) return context_.fail(Fault::kCommand, "convolution of more than 2^28 products");
  patch_ = static_cast<std::int32_t>(patch);
  const std::int32_t depth = std::min(operation_.block.depth, operation_.ofm_shape.depth);
  const std::int64_t positions = std::int64_t{operation_.ofm_shape.height} * operation_.ofm_shape.width;
  const std::int64_t fitting = kPatchBytes / (patch * static_cast<std::int64_t>(sizeof(T)));
  tile_ = static_cast<std::int32_t>(std::min(positions, std::clamp<std::int64_t>(fitting, 2, kTile)));
  Arena& arena = context_.arena;
  if (!operation_.matmul) {
    walker_ = WeightWalker::make(context_, operation_);
    if (walker_ == nullptr) return context_.out_of_workspace();
  }
  scales_ = arena.take<ChannelScale>(static_cast<std::size_t>(depth));
  const bool room_for_scales = quick_scales_.take(arena, depth);
  sums_ = arena.take<std::int32_t>(static_cast<std::size_t>(tile_) * static_cast<std::size_t>(depth));
  line_ = arena.take<std::int64_t>(static_cast<std::size_t>(tile_) * static_cast<std::size_t>(depth));
  load_ = operation_.acc_from_ifm2
              ? arena.take<std::int64_t>(static_cast<std::size_t>(tile_) * static_cast<std::size_t>(depth))
              : line_;
  patches_ = arena.take<T>(static_cast<std::size_t>(tile_) * static_cast<std::size_t>(patch_));
  const std::size_t per_channel = static_cast<std::size_t>(patch_) * sizeof(std::int16_t);
  const std::size_t room = arena.available() / per_channel;
  capacity_ = static_cast<std::int32_t>(std::clamp<std::size_t>(room, 1, static_cast<std::size_t>(depth)));
  weights_ = arena.take<std::int16_t>(static_cast<std::size_t>(capacity_) * static_cast<std::size_t>(patch_));
  if (scales_ == nullptr || !room_for_scales || sums_ == nullptr || line_ == nullptr || load_ == nullptr ||
      patches_ == nullptr || weights_ == nullptr) {
    return context_.out_of_workspace();
  }
  return true;
}

template <typename T>
bool Convolution<T>::fetch_weights(std::int32_t first, std::int32_t count, std::int32_t block, std::int32_t block_count,
                                   bool again) {
  if (operation_.matmul) {
    load_line(operation_.ifm2.map, 0, first, count, 0, operation_.ifm_shape.depth, weights_);
    return true;
  }
  if (again) {
    if (!context_.spend(WeightWalker::stream_weights(operation_))) return false;
    walker_->rewind();
  }
  const WeightSink sink = {weights_, first, count, patch_, operation_.ifm_shape.depth};
  return walker_->block(block, block_count, sink) ||
         context_.fail(Fault::kWeights, "the weight stream is malformed or ends early");
}

template <typename T>
void Convolution<T>::fetch_patches(std::int32_t position, std::int32_t count) {
  const Kernel& k = operation_.kernel;
  const std::int32_t width = operation_.ofm_shape.width, depth = operation_.ifm_shape.depth;
  T* out = patches_;
  while (count > 0) {
    const std::int32_t y = position / width, x = position % width;
    if (patch_ == depth && k.stride_x == 1) {  // 1x1: neighbours' patches are neighbours in memory
      const std::int32_t n = std::min(count, width - x);
      load_window<T>(operation_, y * k.stride_y - k.pad_top, x - k.pad_left, n, 0, depth, 0, out);
      out += static_cast<std::ptrdiff_t>(n) * depth;
      position += n;
      count -= n;
      continue;
    }
    const std::int32_t ix = x * k.stride_x - k.pad_left;
    for (std::int32_t ky = 0; ky < k.height; ++ky) {
      const std::int32_t iy = y * k.stride_y - k.pad_top + ky * k.dilation_y;
      const std::int32_t run = k.dilation_x == 1 ? k.width : 1;
      for (std::int32_t kx = 0; kx < k.width; kx += run) {
        load_window<T>(operation_, iy, ix + kx * k.dilation_x, run, 0, depth, 0, out);
        out += static_cast<std::ptrdiff_t>(run) * depth;
      }
    }
    ++position;
    --count;
  }
}

// Blocked sums where every product fits: two positions by four channels.
void multiply_tile(const std::int16_t* patches, const std::int16_t* weights, std::int32_t patch, std::int32_t positions,
                   std::int32_t channels, std::int32_t length, std::int32_t* sums) {
  for (std::int32_t o = 0; o < channels; o += 4) {
    const std::int16_t* w = weights + static_cast<std::ptrdiff_t>(o) * patch;
    const std::int32_t rest = std::min<std::int32_t>(4, channels - o);
    for (std::int32_t p = 0; p < positions; p += 2) {
      const std::int16_t* a = patches + static_cast<std::ptrdiff_t>(p) * patch;
      std::int32_t* out = sums + static_cast<std::ptrdiff_t>(p) * channels + o;
      const std::int32_t rows = std::min<std::int32_t>(2, positions - p);
      if (rows == 2 && rest == 4) {
        dot_2x4(a, a + patch, w, patch, length, out, channels);
        continue;
      }
      for (std::int32_t r = 0; r < rows; ++r) {
        for (std::int32_t c = 0; c < rest; ++c) {
          out[r * channels + c] =
              dot(a + static_cast<std::ptrdiff_t>(r) * patch, w + static_cast<std::ptrdiff_t>(c) * patch, length);
        }
      }
    }
  }
}

template <>
void Convolution<std::int16_t>::multiply(std::int32_t positions, std::int32_t channels) {
  if (chunk_ >= patch_) {
    multiply_tile(patches_, weights_, patch_, positions, channels, patch_, sums_);
    return;
  }
  std::fill_n(line_, static_cast<std::ptrdiff_t>(positions) * channels, std::int64_t{0});
  for (std::int32_t from = 0; from < patch_; from += chunk_) {
    multiply_tile(patches_ + from, weights_ + from, patch_, positions, channels, std::min(chunk_, patch_ - from),
                  sums_);
    for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(positions) * channels; ++i) line_[i] += sums_[i];
  }
}

template <>
void Convolution<std::int64_t>::multiply(std::int32_t positions, std::int32_t channels) {
  std::int64_t* line = line_;
  for (std::int32_t p = 0; p < positions; ++p) {
    for (std::int32_t o = 0; o < channels; ++o) {
      *line++ = dot(patches_ + static_cast<std::ptrdiff_t>(p) * patch_,
                    weights_ + static_cast<std::ptrdiff_t>(o) * patch_, patch_);
    }
  }
}

template <typename T>
void Convolution<T>::finish(std::int32_t position, std::int32_t positions, std::int32_t first, std::int32_t channels,
                            std::int32_t in_block) {
  const std::int32_t width = operation_.ofm_shape.width;
  const bool narrow = sizeof(T) == sizeof(std::int16_t) && chunk_ >= patch_;  // the sums are in sums_
  if (narrow && !quick_) std::copy_n(sums_, static_cast<std::ptrdiff_t>(positions) * channels, line_);
  for (std::ptrdiff_t done = 0; positions > 0;) {
    const std::int32_t y = position / width, x = position % width, n = std::min(positions, width - x);
    const Line at = {y, x, n, first, channels};
    if (quick_) {
      finish_quick(output_, quick_scales_.from(in_block), at, sums_ + done);
    } else {
      finish_line(context_, operation_, output_, scales_ + in_block, at, line_ + done, load_);
    }
    done += static_cast<std::ptrdiff_t>(n) * channels;
    position += n;
    positions -= n;
  }
}

template <typename T>
bool Convolution<T>::run() {
  if (!allocate()) return false;
  const std::int32_t depth = operation_.ofm_shape.depth;
  const std::int32_t positions = operation_.ofm_shape.height * operation_.ofm_shape.width;
  for (std::int32_t block = 0; block < depth; block += operation_.block.depth) {
    const std::int32_t block_count = std::min(operation_.block.depth, depth - block);
    if (!channel_scales(context_, operation_, block, block_count, scales_)) return false;
    quick_ = sizeof(T) == sizeof(std::int16_t) && chunk_ >= patch_ && plain_accumulators(operation_) &&
             quick_scales_.fill(scales_, block_count, largest_sum(operation_, patch_));
    for (std::int32_t done = 0; done < block_count; done += capacity_) {
      const std::int32_t count = std::min(capacity_, block_count - done);
      if (!fetch_weights(block + done, count, block, block_count, done > 0)) return false;
      for (std::int32_t p = 0; p < positions; p += tile_) {
        const std::int32_t n = std::min(tile_, positions - p);
        fetch_patches(p, n);
        multiply(n, count);
        finish(p, n, block + done, count, done);
      }
    }
  }
  return true;
}

}  // namespace

bool execute_conv(Context& context, const Operation& operation) {
  if (std::int64_t{operation.ofm_shape.height} * operation.ofm_shape.width > INT32_MAX / 2) {
    return context.fail(Fault::kCommand, "OFM has more than 2^30 positions");
  }
  constexpr std::int32_t kShortestChunk = 8;
  const std::int32_t chunk = safe_chunk(operation);
  if (operation.matmul && !fits_int16(operation.ifm2.map)) {
    return context.fail(Fault::kUnsupported, "matrix product with a second operand above 16 bits");
  }
  if (chunk < kShortestChunk) return Convolution<std::int64_t>(context, operation, 0).run();
  return Convolution<std::int16_t>(context, operation, chunk).run();
}

}  // namespace wick::npu
