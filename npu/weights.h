// SPDX-License-Identifier: BSD-3-Clause
// Weight streams: the MLW and FWD decoders, and the order in which an operation's weights lie in them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "context.h"
#include "operation.h"

namespace wick::npu {

// Bits of a byte string, least significant first. Reading past the end yields zeros and sets overrun(). The only state
// is a position: each take loads the word that it lies in, which costs less than keeping a window.
class BitReader {
 public:
  void start(Bytes bytes);
  static constexpr std::uint32_t kPeek = 25;  // bits that peek() surely has
  std::uint32_t take(std::uint32_t count) {   // at most kPeek
    const std::uint32_t value = peek() & ((1u << count) - 1);
    position_ += count;
    return value;
  }
  // The next bits, without moving on.
  std::uint32_t peek() const {
    const std::size_t byte = position_ / 8;
    return (byte < whole_ ? load(data_ + byte) : load_tail(byte)) >> (position_ % 8);
  }
  void skip(std::uint32_t count) { position_ += count; }
  void align_to_byte() { position_ = (position_ + 7) / 8 * 8; }
  std::size_t bits_left() const { return position_ < size_ * 8 ? size_ * 8 - position_ : 0; }
  bool overrun() const { return position_ > size_ * 8; }

 private:
  static std::uint32_t load(const std::uint8_t* p) {
    return static_cast<std::uint32_t>(p[0]) | static_cast<std::uint32_t>(p[1]) << 8 |
           static_cast<std::uint32_t>(p[2]) << 16 | static_cast<std::uint32_t>(p[3]) << 24;
  }
  std::uint32_t load_tail(std::size_t byte) const;
  const std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0, whole_ = 0, position_ = 0;  // bytes, bytes from which a whole word can be read, bits
};

// Decodes an MLW stream a few weights at a time. Copyable: a copy is a place to come back to.
class MlwReader {
 public:
  void start(Bytes stream);
  // The next `count` weights; false when the stream is malformed or ends before.
  bool read(std::int16_t* out, std::size_t count);

 private:
  static constexpr std::uint32_t kQueue = 64;  // power of two, above the format's largest lead of one list on the other
  bool read_slice_header();
  bool read_palette();
  bool read_chunk();
  void split_weights(std::uint32_t unary0, std::uint32_t unary1);
  void split_runs(std::uint32_t unary, std::uint32_t positions);
  bool take_remainders(BitReader& bits);
  std::size_t drain(std::int16_t* out, std::size_t count);
  bool slice_done() const { return weights_done_ == slice_weights_ && runs_done_ == slice_runs_; }

  BitReader bits_;
  std::int16_t palette_[32];
  std::uint32_t palette_size_ = 0, palette_bits_ = 2, direct_offset_ = 0;
  bool need_palette_ = true, runs_on_ = false, raw_ = false, truncated_ = false, leading_run_ = false;
  std::uint32_t run_shift_ = 0, weight_shift_ = 0;
  std::uint32_t slice_weights_ = 0, slice_runs_ = 0;      // of this slice
  std::uint32_t weights_seen_ = 0, runs_seen_ = 0;        // quotients, surplus included
  std::uint32_t weights_done_ = 0, runs_done_ = 0;        // values queued
  std::uint32_t pending_weights_ = 0, pending_runs_ = 0;  // quotients without remainder yet
  std::uint32_t weight_quotient_ = 0, run_quotient_ = 0;  // unfinished symbols
  std::uint16_t weight_quotients_[12];
  std::uint32_t run_quotients_[12];
  std::int16_t weight_queue_[kQueue];
  std::uint32_t run_queue_[kQueue];
  std::uint32_t weight_head_ = 0, weight_tail_ = 0, run_head_ = 0, run_tail_ = 0;
  std::uint32_t zeros_ = 0;
};

// U85's fast format: 8-bit or palette indices in fixed width, no entropy code.
class FwdReader {
 public:
  void start(Bytes stream);
  bool read(std::int16_t* out, std::size_t count);

 private:
  BitReader bits_;
  bool started_ = false, raw_ = false;
  std::uint32_t index_bits_ = 4;
  std::int16_t adjust_ = 0;
  std::int16_t table_[16];
};

// Where a decoded weight goes: out[(o - first) * per_channel + tap * per_tap + i] for channels [first, first + count).
struct WeightSink {
  std::int16_t* out = nullptr;
  std::int32_t first = 0, count = 0;
  std::ptrdiff_t per_channel = 0, per_tap = 0;
};

// Walks the weights of one convolution, OFM block by OFM block.
class WeightWalker {
 public:
  static WeightWalker* make(Context& context, const Operation& operation);
  // Weights that a walk over the whole operation decodes, zero padding included.
  static std::uint64_t stream_weights(const Operation& operation);
  // Decodes the weights of OFM channels [channel, channel + count), one whole OFM block, and keeps those the sink
  // wants.
  bool block(std::int32_t channel, std::int32_t count, const WeightSink& sink);
  // Goes back to before the last block.
  void rewind();

 private:
  struct State {
    MlwReader mlw[4];
    FwdReader fwd;
    bool backwards = false;  // U85: direction of the next pass over IFM blocks
  };
  bool block_u55(std::int32_t channel, std::int32_t count, const WeightSink& sink);
  bool block_core(std::uint32_t core, std::int32_t channel, std::int32_t count, const WeightSink& sink);
  // U85: `group` kernel elements (and `gap` more of padding) of one microblock and `inputs` input channels.
  struct Unit {
    std::int32_t input, inputs, step, channel, channels, group, gap;
  };
  bool block_u85(std::int32_t channel, std::int32_t count, const WeightSink& sink);
  bool ifm_block_u85(std::int32_t channel, std::int32_t count, std::int32_t ib, const WeightSink& sink);
  bool unit_u85(const Unit& unit, const std::int32_t* taps, std::int32_t count, const WeightSink& sink);

  const Operation* operation_ = nullptr;
  bool u85_ = false;
  std::int32_t macs_ = 0;
  State* now_ = nullptr;
  State* before_ = nullptr;
};

}  // namespace wick::npu
