// SPDX-License-Identifier: BSD-3-Clause
// Properties of each operation: random shapes, layouts and scales, against a plain statement of the arithmetic.
#include <gtest/gtest.h>

#include "builder.h"
#include "reference.h"

namespace wick::npu::test {
namespace {

constexpr int kRounds = 150;

std::int32_t pick(std::mt19937& random, std::int32_t low, std::int32_t high) {
  return std::uniform_int_distribution<std::int32_t>(low, high)(random);
}

std::size_t align(std::size_t n) { return (n + 15) / 16 * 16; }

struct Memory {
  std::vector<std::uint8_t> weights, scratch;
  Result run(const Stream& stream, const char* name = "ethos-u55-128", std::size_t workspace_size = 1 << 18) {
    std::vector<std::uint8_t> workspace(workspace_size);
    const Region regions[] = {read_only(weights.data(), weights.size()), read_write(scratch.data(), scratch.size())};
    return npu::run(part(name), stream.bytes(), regions, 2, {workspace.data(), workspace.size()});
  }
};

struct Scale {
  std::uint32_t scale;
  int shift;
  Round round;
  std::uint32_t bits() const {
    return round == Round::kDouble ? kRoundDouble : round == Round::kTruncate ? kRoundTruncate : kRoundNatural;
  }
  std::int64_t operator()(std::int64_t v) const { return plain_scale(v, scale, shift, round); }
};

Scale random_scale(std::mt19937& random, double gain) {
  const int shift = pick(random, 28, 38);
  const double scale = gain * static_cast<double>(std::int64_t{1} << shift) * (0.5 + pick(random, 0, 1000) / 1000.0);
  return {static_cast<std::uint32_t>(std::min(scale, 4294967295.0)), shift, static_cast<Round>(pick(random, 0, 2))};
}

Tensor random_tensor(std::mt19937& random, std::int32_t h, std::int32_t w, std::int32_t c, int bits, bool is_signed) {
  Tensor t = make_tensor(h, w, c, bits, is_signed);
  t.brick = pick(random, 0, 1) == 1;
  if (!t.brick && h > 1 && pick(random, 0, 2) == 0) {
    t.row_pairs = true;
    t.split_h = pick(random, 1, h - 1);
  }
  if (bits == 8) t.zero_point = is_signed ? pick(random, -128, 127) : pick(random, 0, 255);
  fill(t, random);
  return t;
}

// Places `ifm` and `ofm` after each other, runs, and reads the OFM back.
void run_two(Memory& memory, Stream& stream, const Tensor& ifm, Tensor& ofm, std::size_t ofm_base) {
  memory.scratch.assign(ofm_base + ofm.size(), 0xA5);
  put(ifm, memory.scratch, 0);
  stream.stop();
  const Result result = memory.run(stream);
  ASSERT_TRUE(result.ok()) << fault_name(result.fault) << ": " << result.message;
  get(ofm, memory.scratch, ofm_base);
  // One byte less must be a fault: the range really is checked, not only guessed large enough.
  std::size_t end = 0;
  for (std::int32_t y = 0; y < ofm.h; ++y) {
    for (std::int32_t x = 0; x < ofm.w; ++x) {
      for (std::int32_t z = 0; z < ofm.c; ++z)
        end = std::max(end, ofm.offset(y, x, z) + static_cast<std::size_t>(ofm.bytes()));
    }
  }
  Memory less = memory;
  less.scratch.resize(ofm_base + end);
  EXPECT_TRUE(less.run(stream).ok());
  less.scratch.resize(ofm_base + end - 1);
  EXPECT_EQ(less.run(stream).fault, Fault::kBus);
}

void expect_equal(const Tensor& want, const Tensor& got) {
  for (std::size_t i = 0; i < want.v.size(); ++i) ASSERT_EQ(want.v[i], got.v[i]) << "element " << i;
}

Window random_window(std::mt19937& random, std::int32_t most) {
  Window w;
  w.kh = pick(random, 1, most);
  w.kw = pick(random, 1, most);
  w.sy = pick(random, 1, 3);
  w.sx = pick(random, 1, 3);
  w.top = pick(random, 0, w.kh - 1);
  w.left = pick(random, 0, w.kw - 1);
  w.bottom = pick(random, 0, w.kh - 1);
  w.right = pick(random, 0, w.kw - 1);
  return w;
}

// The input rows and columns that the windows reach, which is what the hardware calls the IFM.
void fit(Window& w, std::int32_t& ih, std::int32_t& iw, std::int32_t& oh, std::int32_t& ow) {
  oh = std::max(1, output_size(ih, w.kh, w.sy, w.dy, w.top, w.bottom));
  ow = std::max(1, output_size(iw, w.kw, w.sx, w.dx, w.left, w.right));
  ih = std::max(1, (oh - 1) * w.sy + (w.kh - 1) * w.dy + 1 - w.top - w.bottom);
  iw = std::max(1, (ow - 1) * w.sx + (w.kw - 1) * w.dx + 1 - w.left - w.right);
  w.bottom = (oh - 1) * w.sy + (w.kh - 1) * w.dy + 1 - w.top - ih;
  w.right = (ow - 1) * w.sx + (w.kw - 1) * w.dx + 1 - w.left - iw;
}

TEST(Pool, MaxAndAverageMatchPlainWindows) {
  std::mt19937 random(1);
  for (int round = 0; round < kRounds; ++round) {
    SCOPED_TRACE(round);
    Window w = random_window(random, 4);
    if (pick(random, 0, 2) == 0) w = Window();  // the universal copy
    std::int32_t ih = pick(random, 1, 9), iw = pick(random, 1, 9), oh, ow;
    fit(w, ih, iw, oh, ow);
    if (w.bottom < 0 || w.right < 0 || w.bottom > 127 || w.right > 127) continue;
    const std::int32_t c = pick(random, 1, 37);
    const int bits = pick(random, 0, 3) == 0 ? 16 : 8;
    const bool is_signed = bits == 16 || pick(random, 0, 1) == 1, max = pick(random, 0, 1) == 1;
    const bool padded = (w.top | w.left | w.bottom | w.right) != 0;
    Tensor ifm = random_tensor(random, ih, iw, c, bits, is_signed);
    Tensor ofm = random_tensor(random, oh, ow, c, pick(random, 0, 1) == 1 ? 8 : bits, is_signed);
    ofm.row_pairs = false;
    const Scale scale = random_scale(random, ofm.bits < bits ? 0.004 : 0.3);

    Tensor want = ofm;
    for (std::int32_t y = 0; y < oh; ++y) {
      for (std::int32_t x = 0; x < ow; ++x) {
        for (std::int32_t z = 0; z < c; ++z) {
          std::int64_t sum = 0, most = INT64_MIN;
          int count = 0;
          for (std::int32_t ky = 0; ky < w.kh; ++ky) {
            for (std::int32_t kx = 0; kx < w.kw; ++kx) {
              const std::int32_t iy = y * w.sy - w.top + ky, ix = x * w.sx - w.left + kx;
              if (iy < 0 || iy >= ih || ix < 0 || ix >= iw) continue;
              const std::int64_t v = ifm.at(iy, ix, z) - ifm.zero_point;
              sum += v;
              most = std::max(most, v);
              ++count;
            }
          }
          if (count == 0) sum = most = 0, count = -1;
          std::int64_t value = max ? most : sum;
          if (!max && padded && count > 1) {
            int k = 0;
            while ((1 << k) < count) ++k;
            const std::uint32_t by = static_cast<std::uint32_t>(((std::uint64_t{1} << (31 + k)) + (1u << k)) /
                                                                static_cast<std::uint64_t>(count));
            value = plain_scale(sum, by, 31 + k, scale.round);
          }
          want.at(y, x, z) = count < 0 ? INT64_MIN : store_value(ofm, scale(value));
        }
      }
    }
    Stream s;
    const std::size_t base = align(ifm.size());
    set_ifm(s, ifm, 0);
    set_ofm(s, ofm, base, kGlobalScale | scale.bits());
    set_window(s, w);
    s.scale(wide::kOfmScale, scale.scale, static_cast<std::uint32_t>(scale.shift)).operation(op::kPool, max ? 0 : 1);
    Memory memory;
    run_two(memory, s, ifm, ofm, base);
    for (std::size_t i = 0; i < want.v.size(); ++i) {
      if (want.v[i] == INT64_MIN) want.v[i] = ofm.v[i];  // a window of padding alone has no defined value
    }
    expect_equal(want, ofm);
  }
}

TEST(Pool, ReduceSumAddsAllChannels) {
  std::mt19937 random(2);
  for (int round = 0; round < kRounds; ++round) {
    SCOPED_TRACE(round);
    const int bits = 8 << pick(random, 0, 2);
    Tensor ifm = random_tensor(random, pick(random, 1, 5), pick(random, 1, 5), pick(random, 1, 70), bits, true);
    Tensor ofm = random_tensor(random, ifm.h, ifm.w, 1, 32, true);
    ofm.row_pairs = false;
    const Scale scale = {1, pick(random, 0, 8), Round::kNatural};
    Tensor want = ofm;
    for (std::int32_t y = 0; y < ifm.h; ++y) {
      for (std::int32_t x = 0; x < ifm.w; ++x) {
        std::int64_t sum = 0;
        for (std::int32_t z = 0; z < ifm.c; ++z) sum += ifm.at(y, x, z) - ifm.zero_point;
        want.at(y, x, 0) = store_value(ofm, scale(sum));
      }
    }
    Stream s;
    const std::size_t base = align(ifm.size());
    set_ifm(s, ifm, 0);
    set_ofm(s, ofm, base, kGlobalScale | scale.bits());
    set_window(s, Window());
    s.scale(wide::kOfmScale, 1, static_cast<std::uint32_t>(scale.shift)).operation(op::kPool, 2);
    Memory memory;
    run_two(memory, s, ifm, ofm, base);
    expect_equal(want, ofm);
  }
}

// Uncompressed MLW: one header per slice and 9 bits per weight.
class PlainWeights {
 public:
  void add(std::int32_t w) { weights_.push_back(w); }
  std::vector<std::uint8_t> encode() {
    for (std::size_t at = 0; at < weights_.size(); at += 32768) {
      const std::size_t n = std::min<std::size_t>(32768, weights_.size() - at);
      bits(6, 3);  // no zero runs
      bits(static_cast<std::uint32_t>(n - 1), 15);
      bits(7, 3);  // uncompressed
      bits(0, 1);
      bits(1, 1);  // new palette: offset 0, no entries, 9 bits
      bits(0, 5);
      bits(0, 5);
      bits(7, 3);
      for (std::size_t i = at; i < at + n; ++i) {
        bits(static_cast<std::uint32_t>(2 * std::abs(weights_[i]) + (weights_[i] < 0 ? 1 : 0)), 9);
      }
    }
    bits(7, 3);
    while (out_.size() % 16 != 0 || used_ != 0) bits(1, 1);
    return out_;
  }

 private:
  void bits(std::uint32_t value, int count) {
    for (int i = 0; i < count; ++i) {
      if (used_ == 0) out_.push_back(0);
      out_.back() = static_cast<std::uint8_t>(out_.back() | (value >> i & 1) << used_);
      used_ = (used_ + 1) % 8;
    }
  }
  std::vector<std::int32_t> weights_;
  std::vector<std::uint8_t> out_;
  int used_ = 0;
};

struct Filter {
  std::int32_t o, kh, kw, i;
  std::vector<std::int32_t> v;
  std::int32_t at(std::int32_t oc, std::int32_t y, std::int32_t x, std::int32_t ic) const {
    return v[static_cast<std::size_t>(((oc * kh + y) * kw + x) * i + ic)];
  }
};

// Depth-first or depthwise order of U55-128 for kernels of at most 4x4 (one sub-kernel).
std::vector<std::uint8_t> encode(const Filter& f, std::int32_t block, std::int32_t ifm_block, bool depthwise) {
  PlainWeights out;
  const std::int32_t elements = depthwise ? (f.kh * f.kw + 3) / 4 * 4 : f.kh * f.kw;
  for (std::int32_t ob = 0; ob < f.o; ob += block) {
    const std::int32_t end = std::min(f.o, ob + block);
    for (std::int32_t ib = 0; ib < f.i; ib += ifm_block) {
      for (std::int32_t ou = ob; ou < end; ou += 8) {
        for (std::int32_t e = 0; e < elements; ++e) {
          for (std::int32_t iu = ib; iu < (depthwise ? ib + 1 : ib + ifm_block); iu += 8) {
            for (std::int32_t oc = ou; oc < ou + 8; ++oc) {
              for (std::int32_t ic = iu; ic < (depthwise ? iu + 1 : iu + 8); ++ic) {
                const bool inside = oc < end && ic < f.i && e < f.kh * f.kw;
                out.add(inside ? f.at(oc, e / f.kw, e % f.kw, ic) : 0);
              }
            }
          }
        }
      }
    }
  }
  return out.encode();
}

struct Record {
  std::int64_t bias;
  std::uint32_t scale;
  int shift;
};

std::vector<std::uint8_t> encode(const std::vector<Record>& records) {
  std::vector<std::uint8_t> out;
  for (const Record& r : records) {
    for (int i = 0; i < 5; ++i) out.push_back(static_cast<std::uint8_t>(r.bias >> (8 * i)));
    for (int i = 0; i < 4; ++i) out.push_back(static_cast<std::uint8_t>(r.scale >> (8 * i)));
    out.push_back(static_cast<std::uint8_t>(r.shift));
  }
  out.resize(align(out.size()));
  return out;
}

struct ConvCase {
  Window w;
  std::int32_t ih = 1, iw = 1, oh = 1, ow = 1, in = 1, out = 1;
  int upscale = 0;
  bool depthwise = false;
};

void run_conv(std::mt19937& random, ConvCase k, std::size_t workspace) {
  const int bits = pick(random, 0, 3) == 0 ? 16 : 8;
  const std::int32_t source_h = k.upscale != 0 ? (k.ih + 1) / 2 : k.ih,
                     source_w = k.upscale != 0 ? (k.iw + 1) / 2 : k.iw;
  Tensor ifm = random_tensor(random, source_h, source_w, k.in, bits, bits == 16 || pick(random, 0, 1) == 1);
  Tensor ofm = random_tensor(random, k.oh, k.ow, k.out, 8, true);
  ofm.row_pairs = false;
  Filter f = {k.out, k.w.kh, k.w.kw, k.depthwise ? 1 : k.in, {}};
  f.v.resize(static_cast<std::size_t>(f.o * f.kh * f.kw * f.i));
  for (std::int32_t& v : f.v) v = pick(random, -255, 255);
  const Round rounding = static_cast<Round>(pick(random, 0, 2));
  std::vector<Record> records;
  for (std::int32_t o = 0; o < k.out; ++o) {
    const double gain = 1.0 / (bits == 16 ? 400000.0 : 1500.0) / std::max(1, f.kh * f.kw * f.i / 4);
    const Scale s = random_scale(random, gain);
    records.push_back({pick(random, -100000, 100000), s.scale, s.shift});
  }
  Tensor want = ofm;
  for (std::int32_t y = 0; y < k.oh; ++y) {
    for (std::int32_t x = 0; x < k.ow; ++x) {
      for (std::int32_t o = 0; o < k.out; ++o) {
        const Record& r = records[static_cast<std::size_t>(o)];
        std::int64_t acc = r.bias;
        for (std::int32_t ky = 0; ky < f.kh; ++ky) {
          for (std::int32_t kx = 0; kx < f.kw; ++kx) {
            const std::int32_t iy = y * k.w.sy - k.w.top + ky * k.w.dy, ix = x * k.w.sx - k.w.left + kx * k.w.dx;
            if (iy < 0 || iy >= k.ih || ix < 0 || ix >= k.iw) continue;
            if (k.upscale == 2 && ((iy | ix) & 1) != 0) continue;
            for (std::int32_t i = 0; i < f.i; ++i) {
              const std::int32_t ic = k.depthwise ? o : i;
              const std::int64_t v = k.upscale == 0 ? ifm.at(iy, ix, ic) : ifm.at(iy / 2, ix / 2, ic);
              acc += (v - ifm.zero_point) * f.at(o, ky, kx, i);
            }
          }
        }
        want.at(y, x, o) = store_value(ofm, plain_scale(acc, r.scale, r.shift, rounding));
      }
    }
  }
  const std::int32_t block = 8 * pick(random, 1, 4);
  Memory memory;
  memory.weights = encode(f, block, bits == 16 ? 16 : 32, k.depthwise);
  const std::vector<std::uint8_t> scales = encode(records);
  const std::size_t scale_base = memory.weights.size(), base = align(ifm.size());
  memory.weights.insert(memory.weights.end(), scales.begin(), scales.end());
  memory.scratch.assign(base + ofm.size(), 0xA5);
  put(ifm, memory.scratch, 0);
  Stream s;
  set_ifm(s, ifm, 0);
  set_ofm(s, ofm, base, Scale{1, 0, rounding}.bits());
  set_window(s, k.w);
  s.set(reg::kIfmUpscale, k.upscale).set(reg::kOfmBlkDepthM1, block - 1);
  s.set(reg::kWeightRegion, 0).set(reg::kScaleRegion, 0);
  s.wide(wide::kWeightBase, 0).wide(wide::kWeightLength, scale_base);
  s.wide(wide::kScaleBase, scale_base).wide(wide::kScaleLength, scales.size());
  s.operation(k.depthwise ? op::kDepthwise : op::kConv).stop();
  const Result result = memory.run(s, "ethos-u55-128", workspace);
  ASSERT_TRUE(result.ok()) << fault_name(result.fault) << ": " << result.message << " " << result.workspace;
  get(ofm, memory.scratch, base);
  expect_equal(want, ofm);
  // A weight stream that ends early is the decoder's fault, not a wrong result.
  memory.weights.resize(scale_base + scales.size());
  std::fill(memory.weights.begin(), memory.weights.begin() + static_cast<std::ptrdiff_t>(scale_base), 0xFF);
  EXPECT_EQ(memory.run(s).fault, Fault::kWeights);
}

ConvCase random_conv(std::mt19937& random, bool depthwise) {
  ConvCase k;
  k.depthwise = depthwise;
  for (;;) {
    k.w = random_window(random, 4);
    k.w.dy = pick(random, 1, 2);
    k.w.dx = pick(random, 1, 2);
    if (k.w.kh > 4 / k.w.dy) k.w.kh = 4 / k.w.dy;
    if (k.w.kw > 4 / k.w.dx) k.w.kw = 4 / k.w.dx;
    k.w.top = std::min(k.w.top, k.w.kh - 1);
    k.w.left = std::min(k.w.left, k.w.kw - 1);
    k.ih = pick(random, 1, 9);
    k.iw = pick(random, 1, 9);
    fit(k.w, k.ih, k.iw, k.oh, k.ow);
    if (k.w.bottom >= 0 && k.w.right >= 0) break;
  }
  k.in = pick(random, 1, 50);
  k.out = depthwise ? k.in : pick(random, 1, 40);
  k.upscale = pick(random, 0, 5) > 2 ? 0 : pick(random, 0, 2);
  return k;
}

TEST(Convolution, MatchesPlainSums) {
  std::mt19937 random(3);
  for (int round = 0; round < kRounds; ++round) {
    SCOPED_TRACE(round);
    run_conv(random, random_conv(random, false), 1 << 18);
  }
}

TEST(Convolution, DecodesWeightsInSeveralPassesWhenTheWorkspaceIsSmall) {
  std::mt19937 random(4);
  for (int round = 0; round < kRounds / 3; ++round) {
    SCOPED_TRACE(round);
    ConvCase k = random_conv(random, false);
    k.in = pick(random, 300, 400);
    k.w = Window();
    k.ih = k.oh = 1 + round % 3;
    k.iw = k.ow = 2;
    k.upscale = 0;
    run_conv(random, k, 42000);
  }
}

TEST(Depthwise, MatchesPlainSums) {
  std::mt19937 random(5);
  for (int round = 0; round < kRounds; ++round) {
    SCOPED_TRACE(round);
    run_conv(random, random_conv(random, true), 1 << 18);
  }
}

std::int64_t plain_binary(int mode, std::int64_t a, std::int64_t b) {
  switch (mode) {
    case 0:
      return a * b;
    case 1:
      return a + b;
    case 2:
      return a - b;
    case 3:
      return std::min(a, b);
    case 4:
      return std::max(a, b);
    default:
      return a < 0 ? -a : a;
  }
}

TEST(Elementwise, MatchesPlainArithmeticWithBroadcastScalarAndScaling) {
  std::mt19937 random(6);
  for (int round = 0; round < 3 * kRounds; ++round) {
    SCOPED_TRACE(round);
    constexpr int kModes[] = {0, 1, 2, 3, 4, 6};
    const int mode = kModes[pick(random, 0, 5)], bits = pick(random, 0, 2) == 0 ? 16 : 8;
    const std::int32_t h = pick(random, 1, 6), w = pick(random, 1, 6), c = pick(random, 1, 40);
    const std::uint32_t broadcast = static_cast<std::uint32_t>(pick(random, 0, 7));
    const bool scalar = pick(random, 0, 4) == 0, swap = pick(random, 0, 1) == 1, unary = mode == 6;
    Tensor a = random_tensor(random, h, w, c, bits, true);
    Tensor b = random_tensor(random, (broadcast & 1) != 0 ? 1 : h, (broadcast & 2) != 0 ? 1 : w,
                             (broadcast & 4) != 0 ? 1 : c, bits, true);
    Tensor ofm = random_tensor(random, h, w, c, bits, true);
    ofm.row_pairs = false;
    const std::int64_t scalar_value =
        pick(random, static_cast<std::int32_t>(b.low()), static_cast<std::int32_t>(b.high()));
    const int scaling = mode == 1 || mode == 2 ? pick(random, 0, 2) : 0;
    const int fixed = bits == 8 ? 19 : 14;
    const std::uint32_t opa =
        static_cast<std::uint32_t>(scaling == 0 ? pick(random, 1, 300) : pick(random, 1 << 29, 0x7FFFFFFF));
    const std::uint32_t opb = static_cast<std::uint32_t>(pick(random, 1, 300));
    const int operand_shift = 31 - fixed;
    const Scale scale = random_scale(random, mode == 0      ? (bits == 8 ? 0.01 : 3e-5)
                                             : scaling != 0 ? std::ldexp(0.5, -fixed)
                                             : mode < 3     ? 0.005
                                                            : 0.5);
    const auto operand = [&](std::int64_t v, std::uint32_t multiplier, bool scaled) {
      if (mode != 1 && mode != 2) return v;
      if (scaling == 0) return v * multiplier;
      return scaled ? plain_scale(v, opa, operand_shift, Round::kNatural) : v * (std::int64_t{1} << fixed);
    };
    Tensor want = ofm;
    for (std::int32_t y = 0; y < h; ++y) {
      for (std::int32_t x = 0; x < w; ++x) {
        for (std::int32_t z = 0; z < c; ++z) {
          std::int64_t va = a.at(y, x, z) - a.zero_point;
          std::int64_t vb = scalar ? scalar_value : b.at(b.h == 1 ? 0 : y, b.w == 1 ? 0 : x, b.c == 1 ? 0 : z);
          vb -= b.zero_point;
          if (swap && !unary) std::swap(va, vb);
          va = operand(va, opa, scaling == 1);
          vb = operand(vb, opb, scaling == 2);
          const std::int64_t v = plain_binary(mode, va, vb);
          want.at(y, x, z) = store_value(ofm, mode == 3 || mode == 4 ? v : scale(v));
        }
      }
    }
    Stream s;
    const std::size_t b_base = align(a.size()), base = b_base + align(b.size());
    set_ifm(s, a, 0, 0, static_cast<std::uint32_t>(scaling) << 8 | 2u << 14);
    set_ifm(s, b, b_base, reg::kIfm2Offset);
    set_ofm(s, ofm, base, kGlobalScale | scale.bits());
    s.set(reg::kIfm2Broadcast, broadcast | (swap ? 64 : 0) | (scalar ? 128 : 0)).set(reg::kIfm2Scalar, scalar_value);
    s.scale(wide::kOfmScale, scale.scale, static_cast<std::uint32_t>(scale.shift));
    s.scale(wide::kOpaScale, opa, static_cast<std::uint32_t>(operand_shift)).wide(wide::kOpbScale, opb);
    s.operation(op::kElementwise, static_cast<std::uint32_t>(mode)).stop();
    Memory memory;
    memory.scratch.assign(base + ofm.size(), 0xA5);
    put(a, memory.scratch, 0);
    put(b, memory.scratch, b_base);
    const Result result = memory.run(s);
    ASSERT_TRUE(result.ok()) << result.message;
    get(ofm, memory.scratch, base);
    expect_equal(want, ofm);
  }
}

// int32 operands: the multiplier of OFM_SCALE is not applied, only its shift.
TEST(Elementwise, ShiftsOnlyWithWideOperands) {
  std::mt19937 random(7);
  Tensor a = make_tensor(2, 3, 5, 32), b = make_tensor(2, 3, 5, 32), ofm = make_tensor(2, 3, 5, 32);
  fill(a, random);
  fill(b, random);
  const std::size_t b_base = align(a.size()), base = 2 * b_base;
  Stream s;
  set_ifm(s, a, 0);
  set_ifm(s, b, b_base, reg::kIfm2Offset);
  set_ofm(s, ofm, base, kGlobalScale | kRoundNatural);
  s.set(reg::kIfm2Broadcast, 0).scale(wide::kOfmScale, 77, 31).operation(op::kElementwise, 0).stop();
  Memory memory;
  memory.scratch.assign(base + ofm.size(), 0);
  put(a, memory.scratch, 0);
  put(b, memory.scratch, b_base);
  ASSERT_TRUE(memory.run(s).ok());
  get(ofm, memory.scratch, base);
  for (std::size_t i = 0; i < ofm.v.size(); ++i) {
    const std::int64_t want = plain_scale(a.v[i] * b.v[i], 1, 31, Round::kNatural);
    EXPECT_EQ(ofm.v[i], std::clamp<std::int64_t>(want, INT32_MIN, INT32_MAX));
  }
}

TEST(Activation, TablesOfBytesAndInterpolatedWords) {
  std::mt19937 random(8);
  for (const int bits : {8, 16}) {
    Tensor ifm = make_tensor(3, 5, 7, bits), ofm = ifm;
    fill(ifm, random);
    const std::size_t table_bytes = bits == 8 ? 256 : 2048, base = align(ifm.size());
    Memory memory;
    memory.weights.resize(table_bytes);
    for (std::uint8_t& byte : memory.weights) byte = static_cast<std::uint8_t>(random());
    Stream s;
    s.set(reg::kDma0SrcRegion, 0).set(reg::kDma0DstRegion, 1 << 8 | 3);
    s.wide(wide::kDma0Src, 0)
        .wide(wide::kDma0Dst, 22 * 1024)
        .wide(wide::kDma0Len, table_bytes)
        .operation(op::kDmaStart);
    set_ifm(s, ifm, 0);
    set_ofm(s, ofm, base, kGlobalScale | kRoundNatural);
    set_window(s, Window());
    s.scale(wide::kOfmScale, 1, 0).set(reg::kActivation, 16).operation(op::kPool, 1).stop();
    memory.scratch.assign(base + ofm.size(), 0);
    put(ifm, memory.scratch, 0);
    const Result result = memory.run(s);
    ASSERT_TRUE(result.ok()) << result.message;
    get(ofm, memory.scratch, base);
    for (std::size_t i = 0; i < ofm.v.size(); ++i) {
      const std::int64_t v = ifm.v[i];
      if (bits == 8) {
        EXPECT_EQ(ofm.v[i], static_cast<std::int8_t>(memory.weights[static_cast<std::size_t>(v + 128)]));
        continue;
      }
      const std::uint8_t* entry = memory.weights.data() + ((v + 32768) / 128) * 4;
      const std::int64_t first = static_cast<std::int16_t>(entry[0] | entry[1] << 8);
      const std::int64_t slope = static_cast<std::int16_t>(entry[2] | entry[3] << 8);
      const std::int64_t between = slope * ((v + 32768) % 128) + 64;
      const std::int64_t step = between >= 0 ? between / 128 : -((-between + 127) / 128);
      EXPECT_EQ(ofm.v[i], std::clamp<std::int64_t>(first + step, -32768, 32767)) << i;
    }
  }
}

TEST(Dma, CopiesRowsAndPlanesWithSkipsOnU65) {
  Memory memory;
  memory.weights.resize(4 * 3 * 16);
  for (std::size_t i = 0; i < memory.weights.size(); ++i) memory.weights[i] = static_cast<std::uint8_t>(i);
  Stream s;
  s.set(reg::kDma0SrcRegion, 2 << 9)
      .set(reg::kDma0DstRegion, 1 | 2 << 9)
      .set(reg::kDma0Size0, 3)
      .set(reg::kDma0Size1, 4);
  s.wide(wide::kDma0Src, 0).wide(wide::kDma0Dst, 0).wide(wide::kDma0Len, 16);
  s.wide(wide::kDma0Skip0, 16).wide(wide::kDma0Skip1, 32).operation(op::kDmaStart).stop();
  const std::size_t plane = 3 * 32 + 32;
  memory.scratch.assign(3 * plane + 2 * 32 + 16, 0xEE);
  ASSERT_TRUE(memory.run(s, "ethos-u65-256").ok());
  for (std::size_t p = 0; p < 4; ++p) {
    for (std::size_t r = 0; r < 3; ++r) {
      for (std::size_t i = 0; i < 16; ++i) {
        EXPECT_EQ(memory.scratch[p * plane + r * 32 + i], static_cast<std::uint8_t>((p * 3 + r) * 16 + i));
      }
    }
  }
  memory.scratch.pop_back();
  EXPECT_EQ(memory.run(s, "ethos-u65-256").fault, Fault::kBus);
}

}  // namespace
}  // namespace wick::npu::test
