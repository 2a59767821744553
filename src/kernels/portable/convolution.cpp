// SPDX-License-Identifier: BSD-3-Clause
//
// aten::convolution: 1-d and 2-d, strided, padded, dilated, grouped, transposed, in any dim order. The input is
// gathered in small blocks [taps and channels, pixels] and multiplied by the weights where they lie; whatever is not
// laid out for that (other dtypes, unusual weights) is packed first, so that there is one loop for all forms.
#include "src/kernels/portable/convolution.h"

#include "src/kernels/simd/float_tile.h"

namespace wick {
namespace portable {

namespace {

constexpr int64_t kLargest = int64_t{1} << 27;  // of strides, paddings and dilations: sums of them fit 32 bits

/// Item of a list that has one for all axes, or one each, or none: then it is `least`, the default.
int32_t item(KernelRuntimeContext& ctx, IntArrayRef list, size_t axis, size_t axes, int32_t least, const char* name) {
  (void)name;  // only logged
  if (list.empty()) {
    return least;
  }
  WICK_REQUIRE(ctx, list.size() == 1 || list.size() == axes, least, "%s has %zu items for %zu dimensions", name,
               list.size(), axes);
  const int64_t value = list[list.size() == 1 ? 0 : axis];
  WICK_REQUIRE(ctx, value >= least && value < kLargest, least, "%s is out of range", name);
  return static_cast<int32_t>(value);
}

}  // namespace

void plane_strides(const Tensor& tensor, ptrdiff_t (&strides)[4]) {
  strides_of(tensor, strides);
  if (tensor.dim() == 3) {
    strides[3] = strides[2];
    strides[2] = 0;
  }
}

bool plan_convolution(KernelRuntimeContext& ctx, const Tensor& in, const Tensor& weight,
                      const ConvolutionArguments& arguments, ConvolutionShape& shape, Shape& out_sizes) {
  const size_t rank = static_cast<size_t>(in.dim());
  WICK_REQUIRE(ctx, (rank == 3 || rank == 4) && weight.dim() == in.dim(), false,
               "convolution of a %zu-d input by a %zu-d weight: both must be 3-d or 4-d", rank,
               static_cast<size_t>(weight.dim()));
  const size_t axes = rank - 2;
  const bool transposed = arguments.transposed;
  const ssize_t groups =
      arguments.groups > 0 && arguments.groups <= INT32_MAX ? static_cast<ssize_t>(arguments.groups) : 0;
  WICK_REQUIRE(ctx, groups > 0 && in.size(1) % groups == 0 && weight.size(0) % groups == 0, false,
               "%d groups do not divide the channels", static_cast<int>(groups));
  shape.transposed = transposed;
  shape.groups = static_cast<int32_t>(groups);
  shape.batch = static_cast<int32_t>(in.size(0));
  shape.in_channels = static_cast<int32_t>(in.size(1) / groups);
  shape.out_channels = static_cast<int32_t>(transposed ? weight.size(1) : weight.size(0) / groups);
  WICK_REQUIRE(ctx, (transposed ? weight.size(0) / groups : weight.size(1)) == shape.in_channels, false,
               "the weight does not fit an input of %d channels in %d groups", static_cast<int>(in.size(1)),
               static_cast<int>(groups));
  out_sizes.push(static_cast<SizesType>(in.size(0)));
  out_sizes.push(shape.out_channels * shape.groups);
  for (size_t i = 0; i < 2; ++i) {
    const bool given = i + axes >= 2;  // a 1-d convolution has no height
    const size_t axis = given ? i + axes - 2 : 0;
    const ssize_t dim = static_cast<ssize_t>(axis + 2);
    const auto read = [&](IntArrayRef list, int32_t otherwise, const char* name) {
      return given ? item(ctx, list, axis, axes, otherwise, name) : otherwise;
    };
    const int32_t size = given ? static_cast<int32_t>(in.size(dim)) : 1;
    const int32_t kernel = given ? static_cast<int32_t>(weight.size(dim)) : 1;
    const int32_t stride = read(arguments.stride, 1, "stride"), padding = read(arguments.padding, 0, "padding");
    const int32_t dilation = read(arguments.dilation, 1, "dilation");
    const int32_t extra = read(arguments.output_padding, 0, "output_padding");
    const int64_t reach = int64_t{dilation} * (kernel - 1) + 1;
    int64_t out = 0;
    if (ctx.failure_state() != Error::Ok) {
      return false;
    }
    if (transposed) {
      WICK_REQUIRE(ctx, extra < stride || extra < dilation, false, "output_padding must be below stride or dilation");
      out = int64_t{size - 1} * stride - 2 * padding + reach + extra;
    } else {
      const int64_t left = int64_t{size} + 2 * padding - reach;
      WICK_REQUIRE(ctx, left >= 0, false, "the kernel exceeds the padded input by %d", static_cast<int>(-left));
      out = int64_t{static_cast<uint32_t>(left) / static_cast<uint32_t>(stride)} + 1;
    }
    WICK_REQUIRE(ctx, kernel > 0 && size >= 0 && out > 0 && out < INT32_MAX / 2 && reach < INT32_MAX / 2, false,
                 "the convolution has no output");
    shape.in_size[i] = size;
    shape.out_size[i] = static_cast<int32_t>(out);
    shape.kernel[i] = kernel;
    shape.stride[i] = stride;
    shape.padding[i] = padding;
    shape.dilation[i] = dilation;
    if (given) {
      out_sizes.push(static_cast<SizesType>(out));
    }
  }
  plane_strides(in, shape.in);
  plane_strides(weight, shape.weight);
  shape.weight_group = shape.weight[0] * static_cast<ptrdiff_t>(weight.size(0) / groups);
  if (transposed) {
    const ptrdiff_t swap = shape.weight[0];
    shape.weight[0] = shape.weight[1];
    shape.weight[1] = swap;
  }
  return true;
}

namespace {

constexpr size_t kRows = simd::kTileRows;
constexpr size_t kColumns = simd::kTileColumns;
constexpr size_t kBlockRows = 4 * kRows;  // output channels whose sums are kept beside the output

// The tensors of one call. kSame: the memory holds elements of the compute type.
struct Operands {
  const char* in;
  const char* weight;
  const char* bias;  // null if none
  char* out;
  ScalarType type;
  size_t size;
};

// Pixels of one tile: which they are, where they lie in the output, and where their first tap is in the input.
struct Pixels {
  size_t count;
  int32_t y[kColumns], x[kColumns];
  int32_t out[kColumns];
  simd::TilePlaces in;
};

// A block of the common dimension: kernel taps [tap, tap + taps) of input channels [channel, channel + channels).
struct Block {
  int32_t tap, taps, channel, channels;
  ptrdiff_t tap_step, channel_step;  // rows between them in a packed block
  size_t depth() const { return static_cast<size_t>(taps) * static_cast<size_t>(channels); }
};

// Whether a row of weights lies as one dense line, taps inside channels or channels inside taps.
enum class WeightOrder : uint8_t { kTapsInside, kChannelsInside, kScattered };

WeightOrder order_of(const ConvolutionShape& shape) {
  const ptrdiff_t* s = shape.weight;
  const ptrdiff_t kh = shape.kernel[0], kw = shape.kernel[1], channels = shape.in_channels;
  const auto dense = [&](ptrdiff_t w, ptrdiff_t c) {
    return (kw == 1 || s[3] == w) && (kh == 1 || s[2] == w * kw) && (channels == 1 || s[1] == c);
  };
  return dense(1, kh * kw)    ? WeightOrder::kTapsInside
         : dense(channels, 1) ? WeightOrder::kChannelsInside
                              : WeightOrder::kScattered;
}

void locate(const ConvolutionShape& shape, int32_t first, Pixels& pixels) {
  constexpr int32_t kNowhere = -(1 << 30);
  int32_t y = first / shape.out_size[1], x = first - y * shape.out_size[1];
  pixels.count = 0;
  for (size_t j = 0; j < kColumns; ++j) {
    const bool inside = y < shape.out_size[0];
    pixels.count += inside ? 1 : 0;
    pixels.y[j] = y;
    pixels.x[j] = x;
    pixels.out[j] = static_cast<int32_t>(y * shape.out[2] + x * shape.out[3]);
    const int32_t in_y = y * shape.stride[0] - shape.padding[0];
    const int32_t in_x = x * shape.stride[1] - shape.padding[1];
    pixels.in.y[j] = inside ? in_y : kNowhere;
    pixels.in.x[j] = in_x;
    pixels.in.base[j] = static_cast<int32_t>(in_y * shape.in[2] + in_x * shape.in[3]);
    if (++x == shape.out_size[1]) {
      x = 0;
      ++y;
    }
  }
}

// Where kernel tap (ky, kx) of all pixels is in a channel's plane: offsets from `tap.base`, negative outside of it.
struct TapPlaces {
  int32_t room[kColumns];
  const int32_t* offset;
  ptrdiff_t base;
  bool all_inside;
};

void find_tap(const ConvolutionShape& shape, const Pixels& pixels, int32_t ky, int32_t kx, TapPlaces& tap) {
  tap.offset = tap.room;
  tap.base = 0;
  tap.all_inside = false;
  if (!shape.transposed) {
    const int32_t dy = ky * shape.dilation[0];
    const int32_t dx = kx * shape.dilation[1];
    const ptrdiff_t add = dy * shape.in[2] + dx * shape.in[3];
    tap.all_inside = pixels.count == kColumns && (shape.padding[0] | shape.padding[1]) == 0;
    if (tap.all_inside) {
      tap.offset = pixels.in.base;
      tap.base = add;
    } else {
      tap.all_inside =
          simd::tap_offsets(pixels.in, dy, dx, shape.in_size[0], shape.in_size[1], static_cast<int32_t>(add), tap.room);
    }
    return;
  }
  for (size_t j = 0; j < kColumns; ++j) {
    const int32_t y = input_index(shape, 0, pixels.y[j], ky);
    const int32_t x = input_index(shape, 1, pixels.x[j], kx);
    const bool inside = j < pixels.count && static_cast<uint32_t>(y) < static_cast<uint32_t>(shape.in_size[0]) &&
                        static_cast<uint32_t>(x) < static_cast<uint32_t>(shape.in_size[1]);
    tap.room[j] = inside ? static_cast<int32_t>(y * shape.in[2] + x * shape.in[3]) : -1;
  }
}

template <typename C, bool kSame>
void pack_input(const ConvolutionShape& shape, const Operands& t, const char* in, const Pixels& pixels,
                const Block& block, C* packed) {
  TapPlaces tap;
  int32_t ky = block.tap / shape.kernel[1];
  int32_t kx = block.tap - ky * shape.kernel[1];
  for (int32_t i = 0; i < block.taps; ++i, ++kx) {
    if (kx == shape.kernel[1]) {
      kx = 0;
      ++ky;
    }
    find_tap(shape, pixels, ky, kx, tap);
    const ptrdiff_t base = block.channel * shape.in[1] + tap.base;
    C* rows = packed + i * block.tap_step * static_cast<ptrdiff_t>(kColumns);
    const ptrdiff_t ld = block.channel_step * static_cast<ptrdiff_t>(kColumns);
    if constexpr (kSame) {
      simd::gather_rows(rows, ld, reinterpret_cast<const C*>(in) + base, shape.in[1], tap.offset,
                        static_cast<size_t>(block.channels), tap.all_inside);
    } else {
      for (int32_t c = 0; c < block.channels; ++c, rows += ld) {
        for (size_t j = 0; j < kColumns; ++j) {
          const ptrdiff_t at = base + c * shape.in[1] + tap.offset[j];
          rows[j] = tap.offset[j] < 0 ? C(0) : load_one<C>(t.type, in + at * static_cast<ptrdiff_t>(t.size));
        }
      }
    }
  }
}

template <typename C, bool kSame>
void pack_weight(const ConvolutionShape& shape, const Operands& t, const char* weight, size_t rows, const Block& block,
                 C* packed) {
  const size_t depth = block.depth();
  for (size_t r = 0; r < kRows; ++r) {
    for (int32_t i = 0; i < block.taps; ++i) {
      const int32_t tap = block.tap + i;
      const ptrdiff_t at = static_cast<ptrdiff_t>(r < rows ? r : 0) * shape.weight[0] +
                           block.channel * shape.weight[1] + tap / shape.kernel[1] * shape.weight[2] +
                           tap % shape.kernel[1] * shape.weight[3];
      C* to = packed + static_cast<size_t>(r) * depth + i * block.tap_step;
      for (int32_t c = 0; c < block.channels; ++c, to += block.channel_step) {
        const char* from = weight + (at + c * shape.weight[1]) * static_cast<ptrdiff_t>(t.size);
        if constexpr (kSame) {
          *to = *reinterpret_cast<const C*>(from);
        } else {
          *to = load_one<C>(t.type, from);
        }
      }
    }
  }
}

// One convolution over all groups and pixels. C: compute type; kSame: it is also the type in memory.
template <typename C, bool kSame>
class Convolution {
 public:
  Convolution(const ConvolutionShape& shape, const Operands& tensors) : shape_(shape), t_(tensors) {
    order_ = order_of(shape);
    const int32_t taps = shape.kernel[0] * shape.kernel[1];
    inner_ = order_ == WeightOrder::kChannelsInside ? shape.in_channels : taps;
    outer_ = order_ == WeightOrder::kChannelsInside ? taps : shape.in_channels;
    const int32_t depth = static_cast<int32_t>(simd::kTileDepth);
    inner_step_ = inner_ < depth ? inner_ : depth;
    outer_step_ = inner_ < depth && inner_ > 0 ? depth / inner_ : 1;
    dense_out_ = shape.out[3] == 1 && (shape.out[2] == shape.out_size[1] || shape.out_size[0] == 1);
    // A 1x1 kernel over dense planes reads the input where it is.
    direct_in_ = kSame && taps == 1 && !shape.transposed && shape.stride[0] == 1 && shape.stride[1] == 1 &&
                 shape.padding[0] == 0 && shape.padding[1] == 0 && shape.in[3] == 1 &&
                 (shape.in[2] == shape.in_size[1] || shape.in_size[0] == 1);
    needs_places_ = !direct_in_ || !dense_out_ || shape.out_channels % static_cast<int32_t>(kRows) != 0;
  }

  void run() {
    const int32_t pixels = shape_.out_size[0] * shape_.out_size[1];
    const int32_t step = kSame ? shape_.out_channels : static_cast<int32_t>(kBlockRows);
    for (int32_t n = 0; n < shape_.batch; ++n) {
      for (int32_t group = 0; group < shape_.groups; ++group) {
        enter(n, group);
        for (int32_t first = 0; first < pixels; first += static_cast<int32_t>(kColumns)) {
          first_ = first;
          pixels_.count = kColumns;
          if (needs_places_ || pixels - first < static_cast<int32_t>(kColumns)) {
            locate(shape_, first, pixels_);
          }
          for (int32_t channel = 0; channel < shape_.out_channels; channel += step) {
            const int32_t left = shape_.out_channels - channel;
            tile(channel, left < step ? left : step);
          }
        }
      }
    }
  }

 private:
  void enter(int32_t n, int32_t group) {
    const ptrdiff_t size = static_cast<ptrdiff_t>(t_.size);
    in_ = t_.in + (n * shape_.in[0] + group * shape_.in_channels * shape_.in[1]) * size;
    weight_ = t_.weight + group * shape_.weight_group * size;
    out_ = t_.out + (n * shape_.out[0] + group * shape_.out_channels * shape_.out[1]) * size;
    bias_ = t_.bias == nullptr ? nullptr : t_.bias + group * shape_.out_channels * size;
  }

  // All output channels [channel, channel + channels) at the current pixels.
  void tile(int32_t channel, int32_t channels) {
    bool first = true;
    for (int32_t outer = 0; outer < outer_; outer += outer_step_) {
      for (int32_t inner = 0; inner < inner_; inner += inner_step_) {
        Block block;
        const int32_t outers = outer_ - outer < outer_step_ ? outer_ - outer : outer_step_;
        const int32_t inners = inner_ - inner < inner_step_ ? inner_ - inner : inner_step_;
        if (order_ == WeightOrder::kChannelsInside) {
          block = {outer, outers, inner, inners, inners, 1};
        } else {
          block = {inner, inners, outer, outers, 1, inners};
        }
        multiply(channel, channels, block, static_cast<ptrdiff_t>(outer) * inner_ + inner, first,
                 outer + outers >= outer_ && inner + inners >= inner_);
        first = false;
      }
    }
    if (first) {  // no input channels: the bias alone
      multiply(channel, channels, Block{0, 0, 0, 0, 1, 1}, 0, true, true);
    }
  }

  void multiply(int32_t channel, int32_t channels, const Block& block, ptrdiff_t weight_at, bool first, bool last) {
    C packed_in[simd::kTileDepth * kColumns];
    C packed_weight[simd::kTileDepth * kRows];
    const C* b = packed_in;
    ptrdiff_t ldb = kColumns;
    const bool full = pixels_.count == kColumns;
    if (direct_in_ && full) {
      ldb = shape_.in[1];
      b = reinterpret_cast<const C*>(in_) + block.channel * ldb + first_;
    } else {
      pack_input<C, kSame>(shape_, t_, in_, pixels_, block, packed_in);
    }
    const bool in_place = kSame && order_ != WeightOrder::kScattered;
    const bool stored = kSame && full && dense_out_;
    for (int32_t row = 0, rows = 0; row < channels; row += rows) {
      const int32_t at = channel + row, left = channels - row;
      const char* weight = weight_ + at * shape_.weight[0] * static_cast<ptrdiff_t>(t_.size);
      simd::Tiles<C> tiles = {
          packed_weight, static_cast<ptrdiff_t>(block.depth()), b, ldb, block.depth(), nullptr, 0, sums_, kColumns, 1};
      if (in_place && left >= static_cast<int32_t>(kRows)) {
        const size_t most = stored ? SIZE_MAX : kBlockRows;
        tiles.count = (static_cast<size_t>(left) < most ? static_cast<size_t>(left) : most) / kRows;
        tiles.a = reinterpret_cast<const C*>(weight) + weight_at;
        tiles.lda = shape_.weight[0];
        rows = static_cast<int32_t>(tiles.count * kRows);
      } else {
        rows = left < static_cast<int32_t>(kRows) ? left : static_cast<int32_t>(kRows);
        pack_weight<C, kSame>(shape_, t_, weight, static_cast<size_t>(rows), block, packed_weight);
      }
      C init[kRows];
      if (first) {
        start(at, rows, init, tiles);
      }
      if (stored && rows % static_cast<int32_t>(kRows) == 0) {
        tiles.c = reinterpret_cast<C*>(out_) + at * shape_.out[1] + first_;
        tiles.ldc = shape_.out[1];
        simd::multiply_tiles<C>(tiles);
        continue;
      }
      C* sums = kSame ? sums_ : sums_ + static_cast<size_t>(row) * kColumns;
      tiles.c = sums;
      if (kSame && !first) {
        exchange(at, rows, sums, false);
      }
      simd::multiply_tiles<C>(tiles);
      if (kSame || last) {
        exchange(at, rows, sums, true);
      }
    }
  }

  // What the sums of tiles start with: the bias where it lies, or a tile's in `room`.
  void start(int32_t channel, int32_t rows, C (&room)[kRows], simd::Tiles<C>& tiles) const {
    tiles.init = room;
    if (kSame && bias_ != nullptr && rows % static_cast<int32_t>(kRows) == 0) {
      tiles.init = reinterpret_cast<const C*>(bias_) + channel;
      tiles.init_step = kRows;
      return;
    }
    for (int32_t r = 0; r < static_cast<int32_t>(kRows); ++r) {
      const char* bias = bias_ + (channel + r) * static_cast<ptrdiff_t>(t_.size);
      if (bias_ == nullptr || r >= rows) {
        room[r] = C(0);
      } else if constexpr (kSame) {
        room[r] = *reinterpret_cast<const C*>(bias);
      } else {
        room[r] = load_one<C>(t_.type, bias);
      }
    }
  }

  // Moves rows of sums to the output, or back from it.
  void exchange(int32_t channel, int32_t rows, C* sums, bool to_out) {
    for (int32_t r = 0; r < rows; ++r, sums += kColumns) {
      const ptrdiff_t row = (channel + r) * shape_.out[1];
      if constexpr (kSame) {
        simd::exchange_row<C>(reinterpret_cast<C*>(out_) + row, pixels_.out, sums, pixels_.count, to_out);
      } else {
        for (size_t j = 0; j < pixels_.count; ++j) {
          store_one(t_.type, out_ + (row + pixels_.out[j]) * static_cast<ptrdiff_t>(t_.size), sums[j]);
        }
      }
    }
  }

  const ConvolutionShape& shape_;
  const Operands& t_;
  WeightOrder order_;
  bool dense_out_, direct_in_, needs_places_;
  int32_t inner_, outer_, inner_step_, outer_step_;
  const char* in_;
  const char* weight_;
  const char* bias_;
  char* out_;
  int32_t first_ = 0;
  Pixels pixels_;
  C sums_[kBlockRows * kColumns];
};

template <typename Runner>
ET_NOINLINE void run(const ConvolutionShape& shape, const Operands& tensors) {
  Runner(shape, tensors).run();
}

constexpr DtypeSet kTypes = kRealHBF16 & selected_dtypes("aten::convolution.out");

void convolve(const ConvolutionShape& shape, const Operands& tensors) {
  if constexpr (is_in(ScalarType::Float, kTypes)) {
    if (tensors.type == ScalarType::Float) {
      return is_depthwise(shape) ? convolve_depthwise(shape, reinterpret_cast<const float*>(tensors.in),
                                                      reinterpret_cast<const float*>(tensors.weight),
                                                      reinterpret_cast<const float*>(tensors.bias),
                                                      reinterpret_cast<float*>(tensors.out))
                                 : run<Convolution<float, true>>(shape, tensors);
    }
  }
  if constexpr ((kHalfs & kTypes) != 0) {
    if (is_in(tensors.type, kHalfs)) {
      return run<Convolution<float, false>>(shape, tensors);
    }
  }
  if constexpr (is_in(ScalarType::Double, kTypes)) {
    if (tensors.type == ScalarType::Double) {
      return run<Convolution<double, true>>(shape, tensors);
    }
  }
  if constexpr ((kInts & kTypes) != 0) {
    run<Convolution<int64_t, false>>(shape, tensors);
  }
}

Tensor& convolution_out(KernelRuntimeContext& ctx, const Tensor& in, const Tensor& weight,
                        const std::optional<Tensor>& bias, IntArrayRef stride, IntArrayRef padding,
                        IntArrayRef dilation, bool transposed, IntArrayRef output_padding, int64_t groups,
                        Tensor& out) {
  ConvolutionShape shape;
  Shape out_sizes;
  const ConvolutionArguments arguments = {stride, padding, dilation, output_padding, transposed, groups};
  if (!require_dtype(ctx, in, kTypes) || !require_same_dtype(ctx, in, weight) || !require_same_dtype(ctx, in, out) ||
      !plan_convolution(ctx, in, weight, arguments, shape, out_sizes)) {
    return out;
  }
  if (bias.has_value()) {
    WICK_REQUIRE(ctx, bias->dim() == 1 && bias->size(0) == out_sizes[1] && bias->scalar_type() == in.scalar_type(), out,
                 "the bias must be a vector of %d elements of the input's dtype", static_cast<int>(out_sizes[1]));
  }
  if (!resize(ctx, out, out_sizes)) {
    return out;
  }
  plane_strides(out, shape.out);
  const Operands tensors = {static_cast<const char*>(in.const_data_ptr()),
                            static_cast<const char*>(weight.const_data_ptr()),
                            bias.has_value() ? static_cast<const char*>(bias->const_data_ptr()) : nullptr,
                            static_cast<char*>(out.mutable_data_ptr()),
                            in.scalar_type(),
                            static_cast<size_t>(in.element_size())};
  convolve(shape, tensors);
  return out;
}

}  // namespace

}  // namespace portable
}  // namespace wick

WICK_KERNEL(aten_convolution_out, wick::portable::convolution_out)
