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
  constexpr std::size_t kMost = SIZE_MAX / 16;  // so that positions in bits do not wrap
  data_ = bytes.data;
  size_ = std::min(bytes.size, kMost);
  whole_ = size_ < 4 ? 0 : size_ - 3;
  position_ = 0;
}

std::uint32_t BitReader::load_tail(std::size_t byte) const {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4 && byte + i < size_; ++i)
    word |= static_cast<std::uint32_t>(data_[byte + i]) << (8 * i);
  return word;
}

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

// Completes the symbols of the chunk before: their remainders follow the unary parts of this one.
bool MlwReader::take_remainders(BitReader& bits) {
  const std::uint32_t shift = weight_shift_, mask = (1u << shift) - 1, size = palette_size_, offset = direct_offset_;
  std::uint32_t tail = weight_tail_, word = 0, held = 0;
  for (std::uint32_t i = 0; i < pending_weights_; ++i) {
    if (held < shift) {
      word = bits.peek();
      held = BitReader::kPeek - BitReader::kPeek % shift;
      bits.skip(std::min(held, shift * (pending_weights_ - i)));
    }
    const std::uint32_t index = (std::uint32_t{weight_quotients_[i]} << shift) + (word & mask);
    word >>= shift;
    held -= shift;
    if (index < size) {
      weight_queue_[tail++ % kQueue] = palette_[index];
      continue;
    }
    const std::uint32_t code = index - size + offset;
    if (code > kLargestCode) return false;
    weight_queue_[tail++ % kQueue] = weight_of(code);
  }
  weight_tail_ = tail;
  weights_done_ += pending_weights_;
  for (std::uint32_t i = 0; i < pending_runs_; ++i) {
    run_queue_[run_tail_++ % kQueue] = (run_quotients_[i] << run_shift_) + bits.take(run_shift_);
  }
  runs_done_ += pending_runs_;
  pending_weights_ = pending_runs_ = 0;
  return true;
}

// Weight quotients of a chunk: a 0 is code 0, a 1 is code 1 or 2 by the next bit of the second word; code 2 goes on.
void MlwReader::split_weights(std::uint32_t unary0, std::uint32_t unary1) {
  const std::uint32_t positions = raw_ && weight_shift_ > 5 ? 8 : 12;
  const bool cut = truncated_;
  std::uint32_t quotient = weight_quotient_, symbols = 0;
  std::uint16_t quotients[12];
  for (std::uint32_t i = 0; i < positions; ++i, unary0 >>= 1) {
    if ((unary0 & 1) != 0) {
      const std::uint32_t two = unary1 & 1;
      unary1 >>= 1;
      quotient += 1 + two;
      if (two != 0 && !cut) continue;
    }
    // A quotient that no legal weight has stays illegal when cut to 16 bits.
    quotients[symbols++] = static_cast<std::uint16_t>(std::min<std::uint32_t>(quotient, 0xFFFF));
    quotient = 0;
  }
  weight_quotient_ = quotient;
  pending_weights_ = std::min(symbols, slice_weights_ - weights_seen_);
  weights_seen_ += symbols;
  std::copy_n(quotients, pending_weights_, weight_quotients_);
}

void MlwReader::split_runs(std::uint32_t unary, std::uint32_t positions) {
  std::uint32_t quotient = run_quotient_, symbols = 0, quotients[12];
  for (std::uint32_t i = 0; i < positions; ++i, unary >>= 1) {
    if ((unary & 1) != 0) {
      ++quotient;
      continue;
    }
    quotients[symbols++] = quotient;
    quotient = 0;
  }
  run_quotient_ = quotient;
  pending_runs_ = std::min(symbols, slice_runs_ - runs_seen_);
  runs_seen_ += symbols;
  std::copy_n(quotients, pending_runs_, run_quotients_);
}

bool MlwReader::read_chunk() {
  if (weight_tail_ - weight_head_ > kQueue - 12 || run_tail_ - run_head_ > kQueue - 12) return false;
  const std::int32_t balance = static_cast<std::int32_t>(weights_seen_ - runs_seen_);
  const bool weights_active = weights_seen_ < slice_weights_ && (!runs_on_ || balance < 8);
  const bool runs_active = runs_on_ && runs_seen_ < slice_runs_ && balance >= 0;
  if (!weights_active && !runs_active && pending_weights_ == 0 && pending_runs_ == 0) return false;

  BitReader bits = bits_;  // a local copy lives in registers
  const std::uint32_t run_bits = run_shift_ < 3 ? 12 : 8;
  const std::uint32_t unary0 = weights_active && !raw_ ? bits.take(12) : 0;
  const std::uint32_t run_unary = runs_active ? bits.take(run_bits) : 0;
  const std::uint32_t unary1 = unary0 != 0 ? bits.take(count_ones(unary0)) : 0;
  const bool good = take_remainders(bits);
  bits_ = bits;
  if (!good || bits.overrun()) return false;
  if (weights_active) split_weights(unary0, unary1);
  if (runs_active) split_runs(run_unary, run_bits);
  return true;
}

// Moves ready weights out, as long as neither list runs dry. Returns how many.
std::size_t MlwReader::drain(std::int16_t* out, std::size_t count) {
  std::uint32_t head = weight_head_;
  std::size_t done = 0;
  if (!runs_on_) {
    done = std::min<std::size_t>(count, weight_tail_ - head);
    for (std::size_t i = 0; i < done; ++i) out[i] = weight_queue_[head++ % kQueue];
    weight_head_ = head;
    return done;
  }
  std::uint32_t run = run_head_;
  std::uint32_t ready = std::min(weight_tail_ - head, run_tail_ - run);
  std::uint32_t zeros = 0;
  while (done < count && ready > 0) {
    out[done++] = weight_queue_[head++ % kQueue];
    zeros = run_queue_[run++ % kQueue];
    --ready;
    for (; zeros > 0 && done < count; --zeros) out[done++] = 0;
  }
  zeros_ = zeros;
  weight_head_ = head;
  run_head_ = run;
  return done;
}

bool MlwReader::read(std::int16_t* out, std::size_t count) {
  while (count > 0) {
    std::size_t done = 0;
    if (zeros_ > 0) {
      done = std::min<std::size_t>(zeros_, count);
      std::memset(out, 0, done * sizeof *out);
      zeros_ -= static_cast<std::uint32_t>(done);
    } else if (!leading_run_) {
      done = drain(out, count);
    } else if (run_head_ != run_tail_) {
      zeros_ = run_queue_[run_head_++ % kQueue];
      leading_run_ = false;
      continue;
    }
    out += done;
    count -= done;
    if (done == 0 && !(slice_done() ? read_slice_header() : read_chunk())) return false;
  }
  return true;
}

}  // namespace wick::npu
