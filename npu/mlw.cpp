// SPDX-License-Identifier: BSD-3-Clause
// The MLW decoder. A stream is a sequence of slices; a slice is two interleaved lists of Golomb-Rice symbols, weights
// and runs of zeros, cut into chunks whose remainders come one chunk late (docs/npu.md, "Weight streams").
#include <algorithm>
#include <cstring>

#include "weights.h"

namespace wick::npu {
namespace {

constexpr std::uint32_t kLargestCode = 511;  // 9 bits: sign and magnitude

std::int16_t weight_of(std::uint32_t code) {
  const std::int32_t magnitude = static_cast<std::int32_t>(code >> 1);
  return static_cast<std::int16_t>((code & 1) != 0 ? -magnitude : magnitude);
}

std::uint32_t count_ones(std::uint32_t bits) {
  bits = bits - (bits >> 1 & 0x55555555u);
  bits = (bits & 0x33333333u) + (bits >> 2 & 0x33333333u);
  bits = (bits + (bits >> 4)) & 0x0F0F0F0Fu;
  return bits * 0x01010101u >> 24;
}

}  // namespace

void BitReader::start(Bytes bytes) {
  data_ = bytes.data;
  size_ = bytes.size;
  position_ = 0;
  bits_ = 0;
  held_ = 0;
  overrun_ = false;
}

void BitReader::refill() {
  if (size_ - position_ >= 4) {
    const std::uint8_t* p = data_ + position_;
    const std::uint32_t word = static_cast<std::uint32_t>(p[0]) | static_cast<std::uint32_t>(p[1]) << 8 |
                               static_cast<std::uint32_t>(p[2]) << 16 | static_cast<std::uint32_t>(p[3]) << 24;
    bits_ |= static_cast<std::uint64_t>(word) << held_;
    position_ += 4;
    held_ += 32;
    return;
  }
  while (position_ < size_) {
    bits_ |= static_cast<std::uint64_t>(data_[position_++]) << held_;
    held_ += 8;
  }
}

void BitReader::align_to_byte() { take(held_ % 8); }

void MlwReader::start(Bytes stream) {
  *this = MlwReader();
  bits_.start(stream);
}

bool MlwReader::read_palette() {
  direct_offset_ = bits_.take(5);
  const std::uint32_t entries = bits_.take(5);
  palette_size_ = entries == 0 ? 0 : entries + 1;
  palette_bits_ = bits_.take(3) + 2;
  for (std::uint32_t i = 0; i < palette_size_; ++i) {
    const std::uint32_t code = bits_.take(palette_bits_);
    palette_[i] = weight_of(code);
  }
  return true;
}

bool MlwReader::read_slice_header() {
  std::uint32_t zdiv = 7;
  for (;;) {
    if (bits_.bits_left() < 3) return false;
    zdiv = bits_.take(3);
    if (zdiv != 7) break;
    bits_.align_to_byte();  // end of stream: padding, or another stream that starts afresh
    need_palette_ = true;
  }
  if (zdiv == 4 || zdiv == 5) return false;
  slice_weights_ = bits_.take(15) + 1;
  const std::uint32_t wdiv = bits_.take(3);
  truncated_ = bits_.take(1) != 0;
  const bool new_palette = bits_.take(1) != 0;
  if (wdiv == 6 || (need_palette_ && !new_palette)) return false;
  if (new_palette) read_palette();
  need_palette_ = false;
  runs_on_ = zdiv != 6;
  run_shift_ = runs_on_ ? zdiv : 0;
  leading_run_ = runs_on_ && new_palette;
  slice_runs_ = runs_on_ ? slice_weights_ + (new_palette ? 1 : 0) : 0;
  raw_ = wdiv == 7;
  weight_shift_ = wdiv;
  if (raw_) {
    weight_shift_ = palette_bits_;
    if (palette_size_ > 0) {
      weight_shift_ = 0;
      while ((1u << weight_shift_) < palette_size_) ++weight_shift_;
    }
  }
  weights_seen_ = runs_seen_ = weights_done_ = runs_done_ = 0;
  pending_weights_ = pending_runs_ = weight_quotient_ = run_quotient_ = 0;
  return !bits_.overrun();
}

bool MlwReader::push_weight(std::uint32_t index) {
  std::int16_t weight = 0;
  if (index < palette_size_) {
    weight = palette_[index];
  } else {
    const std::uint32_t code = index - palette_size_ + direct_offset_;
    if (code > kLargestCode) return false;
    weight = weight_of(code);
  }
  weight_queue_[weight_tail_++ % kQueue] = weight;
  ++weights_done_;
  return true;
}

bool MlwReader::read_chunk() {
  if (weight_tail_ - weight_head_ > kQueue - 12 || run_tail_ - run_head_ > kQueue - 12) return false;
  const std::int32_t balance = static_cast<std::int32_t>(weights_seen_ - runs_seen_);
  const bool weights_active = weights_seen_ < slice_weights_ && (!runs_on_ || balance < 8);
  const bool runs_active = runs_on_ && runs_seen_ < slice_runs_ && balance >= 0;
  if (!weights_active && !runs_active && pending_weights_ == 0 && pending_runs_ == 0) return false;

  std::uint32_t unary0 = weights_active && !raw_ ? bits_.take(12) : 0;
  const std::uint32_t run_bits = run_shift_ < 3 ? 12 : 8;
  const std::uint32_t run_unary = runs_active ? bits_.take(run_bits) : 0;
  std::uint32_t unary1 = unary0 != 0 ? bits_.take(count_ones(unary0)) : 0;

  for (std::uint32_t i = 0; i < pending_weights_; ++i) {
    if (weight_quotients_[i] > kLargestCode + 32) return false;
    if (!push_weight((weight_quotients_[i] << weight_shift_) + bits_.take(weight_shift_))) return false;
  }
  for (std::uint32_t i = 0; i < pending_runs_; ++i) {
    run_queue_[run_tail_++ % kQueue] = (run_quotients_[i] << run_shift_) + bits_.take(run_shift_);
    ++runs_done_;
  }
  pending_weights_ = pending_runs_ = 0;

  if (weights_active) {
    const std::uint32_t positions = raw_ && weight_shift_ > 5 ? 8 : 12;
    for (std::uint32_t i = 0; i < positions; ++i, unary0 >>= 1) {
      std::uint32_t code = 0;
      if ((unary0 & 1) != 0) {
        code = 1 + (unary1 & 1);
        unary1 >>= 1;
      }
      weight_quotient_ += code;
      if (code == 2 && !truncated_) continue;
      if (weights_seen_++ < slice_weights_) weight_quotients_[pending_weights_++] = weight_quotient_;
      weight_quotient_ = 0;
    }
  }
  if (runs_active) {
    for (std::uint32_t i = 0; i < run_bits; ++i) {
      if ((run_unary >> i & 1) != 0) {
        ++run_quotient_;
        continue;
      }
      if (runs_seen_++ < slice_runs_) run_quotients_[pending_runs_++] = run_quotient_;
      run_quotient_ = 0;
    }
  }
  return !bits_.overrun();
}

bool MlwReader::read(std::int16_t* out, std::size_t count) {
  while (count > 0) {
    if (zeros_ > 0) {
      const std::size_t n = std::min<std::size_t>(zeros_, count);
      std::memset(out, 0, n * sizeof *out);
      zeros_ -= static_cast<std::uint32_t>(n);
      out += n;
      count -= n;
      continue;
    }
    const bool run_ready = run_head_ != run_tail_;
    if (leading_run_ && run_ready) {
      zeros_ = run_queue_[run_head_++ % kQueue];
      leading_run_ = false;
      continue;
    }
    if (!leading_run_ && weight_head_ != weight_tail_ && (!runs_on_ || run_ready)) {
      *out++ = weight_queue_[weight_head_++ % kQueue];
      --count;
      if (runs_on_) zeros_ = run_queue_[run_head_++ % kQueue];
      continue;
    }
    if (!(slice_done() ? read_slice_header() : read_chunk())) return false;
  }
  return true;
}

}  // namespace wick::npu
