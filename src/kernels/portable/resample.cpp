// SPDX-License-Identifier: BSD-3-Clause
//
// Resampling of the last two dimensions: aten::upsample_nearest2d, upsample_bilinear2d, its antialiased form, and
// grid_sampler_2d. Positions are computed in float (double for double) as PyTorch does.
#include <cmath>

#include "src/kernels/portable/elements.h"
#include "src/kernels/portable/views.h"

namespace wick {
namespace portable {

namespace {

using OptionalSizes = std::optional<IntArrayRef>;
using OptionalScales = std::optional<ArrayRef<double>>;

// Both axes: [0] height, [1] width. factor: what the caller named as scale, or 0.
struct Resampling {
  int64_t in[2], out[2];
  double factor[2];
  bool align_corners;
};

bool plan(KernelRuntimeContext& ctx, const Tensor& in, const OptionalSizes& output_size, const OptionalScales& factors,
          bool align_corners, DtypeSet allowed, Tensor& out, Resampling& resampling) {
  WICK_REQUIRE(ctx, in.dim() == 4 && output_size.has_value() != factors.has_value(), false,
               "upsampling needs [n, c, h, w] and either sizes or factors");
  WICK_REQUIRE(ctx, (output_size.has_value() ? output_size->size() : factors->size()) == 2, false,
               "upsampling needs two sizes or factors");
  if (!require_dtype(ctx, in, allowed) || !require_same_dtype(ctx, in, out)) {
    return false;
  }
  Shape sizes(in.sizes());
  resampling.align_corners = align_corners;
  for (size_t axis = 0; axis < 2; ++axis) {
    resampling.in[axis] = sizes[2 + axis];
    resampling.factor[axis] = factors.has_value() ? (*factors)[axis] : 0;
    const double size = output_size.has_value() ? static_cast<double>((*output_size)[axis])
                                                : static_cast<double>(sizes[2 + axis]) * resampling.factor[axis];
    WICK_REQUIRE(ctx, size >= 1 && size < INT32_MAX && resampling.in[axis] > 0, false,
                 "upsampling: an output size is out of range");
    resampling.out[axis] = static_cast<int64_t>(size);
    sizes[2 + axis] = static_cast<SizesType>(size);
  }
  return resize(ctx, out, sizes);
}

// Input items per output item.
template <typename C>
C scale_of(const Resampling& r, size_t axis) {
  if (r.align_corners) {
    return r.out[axis] > 1 ? static_cast<C>(r.in[axis] - 1) / static_cast<C>(r.out[axis] - 1) : C(0);
  }
  return r.factor[axis] > 0 ? static_cast<C>(1.0 / r.factor[axis])
                            : static_cast<C>(r.in[axis]) / static_cast<C>(r.out[axis]);
}

// The items of one axis that make up an output item: two neighbours and the share of the second.
template <typename C>
struct Pair {
  int64_t first, second;
  C share;
};

template <typename C>
Pair<C> bilinear_pair(const Resampling& r, size_t axis, int64_t i) {
  const C scale = scale_of<C>(r, axis);
  C at = scale * static_cast<C>(i);
  if (!r.align_corners) {
    at = scale * (static_cast<C>(i) + C(0.5)) - C(0.5);
    at = at < 0 ? C(0) : at;
  }
  const int64_t last = r.in[axis] - 1;
  int64_t first = static_cast<int64_t>(at);
  first = first > last ? last : first;
  C share = at - static_cast<C>(first);
  share = share > 1 ? C(1) : share;
  return {first, first < last ? first + 1 : first, share};
}

template <typename C>
struct Plane {
  const Tensor& tensor;
  const View& view;
  ptrdiff_t base;  // in elements
  C get(int64_t y, int64_t x) const {
    const ptrdiff_t at =
        base + static_cast<ptrdiff_t>(y) * view.strides[2] + static_cast<ptrdiff_t>(x) * view.strides[3];
    return load_one<C>(tensor.scalar_type(), view.data + at * static_cast<ptrdiff_t>(view.element_size));
  }
};

// Sets every output element to sample(plane of the input, n, y, x).
template <typename C, typename Sample>
void for_outputs(const Tensor& in, Tensor& out, Sample sample) {
  const View from(in);
  const View to(out);
  for (SizesType n = 0; n < to.shape[0]; ++n) {
    for (SizesType c = 0; c < to.shape[1]; ++c) {
      const Plane<C> plane = {in, from, n * from.strides[0] + c * from.strides[1]};
      for (SizesType y = 0; y < to.shape[2]; ++y) {
        for (SizesType x = 0; x < to.shape[3]; ++x) {
          const ptrdiff_t at = n * to.strides[0] + c * to.strides[1] + y * to.strides[2] + x * to.strides[3];
          store_one(out.scalar_type(), to.data + at * static_cast<ptrdiff_t>(to.element_size), sample(plane, n, y, x));
        }
      }
    }
  }
}

// Runs a template by the compute type.
template <DtypeSet kTypes, typename Body>
void by_compute(ScalarType type, Body body) {
  if constexpr (is_in(ScalarType::Double, kTypes)) {
    if (type == ScalarType::Double) {
      return body(double{});
    }
  }
  if constexpr ((kTypes & ~dtypes(ScalarType::Double)) != 0) {
    body(float{});
  }
}

Tensor& upsample_nearest2d_vec_out(KernelRuntimeContext& ctx, const Tensor& in, OptionalSizes output_size,
                                   OptionalScales factors, Tensor& out) {
  Resampling r;
  if (!plan(ctx, in, output_size, factors, false, kRealHBBF16, out, r)) {
    return out;
  }
  const View from(in);
  const View to(out);
  const ptrdiff_t size = static_cast<ptrdiff_t>(from.element_size);
  const auto source = [&](size_t axis, int64_t i) {
    const int64_t at = static_cast<int64_t>(std::floor(static_cast<float>(i) * scale_of<float>(r, axis)));
    return at < r.in[axis] ? at : r.in[axis] - 1;
  };
  for (int64_t y = 0; y < r.out[0]; ++y) {
    for (int64_t x = 0; x < r.out[1]; ++x) {  // all planes at once: [n, c] is the moving part
      View part = from;
      View target = to;
      part.narrow(2, source(0, y), 1);
      part.narrow(3, source(1, x), 1);
      target.narrow(2, y, 1);
      target.narrow(3, x, 1);
      copy_view(target, part);
    }
  }
  (void)size;
  return out;
}

Tensor& upsample_bilinear2d_vec_out(KernelRuntimeContext& ctx, const Tensor& in, OptionalSizes output_size,
                                    bool align_corners, OptionalScales factors, Tensor& out) {
  constexpr DtypeSet kTypes = kRealHBF16 & selected_dtypes("aten::upsample_bilinear2d.vec_out");
  Resampling r;
  if (!plan(ctx, in, output_size, factors, align_corners, kTypes, out, r)) {
    return out;
  }
  by_compute<kTypes>(in.scalar_type(), [&](auto zero) {
    using C = decltype(zero);
    for_outputs<C>(in, out, [&](const Plane<C>& plane, int64_t, int64_t y, int64_t x) {
      const Pair<C> row = bilinear_pair<C>(r, 0, y);
      const Pair<C> column = bilinear_pair<C>(r, 1, x);
      // PyTorch interpolates bytes along rows, rounds, and then along columns; other integers are cut off at the end.
      const auto settle = [&](C value) {
        return in.scalar_type() == ScalarType::Byte ? std::floor(value + C(0.5)) : value;
      };
      const auto line = [&](int64_t at) {
        return settle((1 - column.share) * plane.get(at, column.first) + column.share * plane.get(at, column.second));
      };
      return settle((1 - row.share) * line(row.first) + row.share * line(row.second));
    });
  });
  return out;
}

// The triangle filter of one axis at an output item: items [begin, end) with weights around `center`.
template <typename C>
struct Triangle {
  int64_t begin, end;
  C center, shrink, total;
  Triangle(const Resampling& r, size_t axis, int64_t i) {
    const C scale = scale_of<C>(r, axis);
    const C support = scale >= 1 ? scale : C(1);
    shrink = scale >= 1 ? C(1) / scale : C(1);
    center = scale * (static_cast<C>(i) + C(0.5));
    begin = static_cast<int64_t>(center - support + C(0.5));
    begin = begin < 0 || center - support + C(0.5) < 0 ? 0 : begin;
    end = static_cast<int64_t>(center + support + C(0.5));
    end = end > r.in[axis] ? r.in[axis] : end;
    total = 0;
    for (int64_t j = begin; j < end; ++j) {
      total += raw(j);
    }
  }
  C raw(int64_t j) const {
    const C d = std::fabs((static_cast<C>(j) - center + C(0.5)) * shrink);
    return d < 1 ? 1 - d : C(0);
  }
  C weight(int64_t j) const { return total != 0 ? raw(j) / total : C(0); }
};

Tensor& upsample_bilinear2d_aa_out(KernelRuntimeContext& ctx, const Tensor& in, IntArrayRef output_size,
                                   bool align_corners, std::optional<double> scale_h, std::optional<double> scale_w,
                                   Tensor& out) {
  constexpr DtypeSet kTypes = kRealHBF16 & selected_dtypes("aten::_upsample_bilinear2d_aa.out");
  Resampling r;
  if (!plan(ctx, in, output_size, std::nullopt, align_corners, kTypes, out, r)) {
    return out;
  }
  r.factor[0] = scale_h.value_or(0);
  r.factor[1] = scale_w.value_or(0);
  const bool rounds = in.scalar_type() == ScalarType::Byte;
  by_compute<kTypes>(in.scalar_type(), [&](auto zero) {
    using C = decltype(zero);
    for_outputs<C>(in, out, [&](const Plane<C>& plane, int64_t, int64_t y, int64_t x) {
      const Triangle<C> rows(r, 0, y);
      const Triangle<C> columns(r, 1, x);
      C sum = 0;
      for (int64_t i = rows.begin; i < rows.end; ++i) {
        C line = 0;
        for (int64_t j = columns.begin; j < columns.end; ++j) {
          line += columns.weight(j) * plane.get(i, j);
        }
        sum += rows.weight(i) * line;
      }
      return rounds ? static_cast<C>(std::floor(sum + C(0.5))) : sum;
    });
  });
  return out;
}

enum class Interpolation : int64_t { kBilinear, kNearest, kBicubic };
enum class Padding : int64_t { kZeros, kBorder, kReflection };

// What grid_sampler does along one axis.
template <typename C>
struct GridAxis {
  int64_t size;
  Padding padding;
  bool align_corners;

  C unnormalize(C grid) const {
    const C n = static_cast<C>(size);
    return align_corners ? (grid + 1) / 2 * (n - 1) : ((grid + 1) * n - 1) / 2;
  }
  static C clip(C at, C last) { return at < last ? (at > 0 ? at : C(0)) : (at >= last ? last : C(0)); }
  // Mirrors `at` into the range between twice_low / 2 and twice_high / 2.
  static C reflect(C at, C twice_low, C twice_high) {
    if (twice_low == twice_high) {
      return C(0);
    }
    const C low = twice_low / 2;
    const C span = (twice_high - twice_low) / 2;
    at = std::fabs(at - low);
    const C extra = std::fmod(at, span);
    const C flips = std::floor(at / span);
    return std::fmod(flips, C(2)) == 0 ? extra + low : span - extra + low;
  }
  // Where an input position lies after padding by border or reflection.
  C place(C at) const {
    const C last = static_cast<C>(size - 1);
    if (padding == Padding::kBorder) {
      return clip(at, last);
    }
    if (padding == Padding::kReflection) {
      at = align_corners ? reflect(at, C(0), 2 * last) : reflect(at, C(-1), 2 * static_cast<C>(size) - 1);
      return clip(at, last);
    }
    return at;
  }
  bool inside(C at) const { return at >= 0 && at <= static_cast<C>(size - 1); }
};

template <typename C>
void cubic_weights(C t, C (&weight)[4]) {
  constexpr C a = C(-0.75);
  const auto near = [](C x) { return ((a + 2) * x - (a + 3)) * x * x + 1; };
  const auto far = [](C x) { return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a; };
  weight[0] = far(t + 1);
  weight[1] = near(t);
  weight[2] = near(1 - t);
  weight[3] = far(2 - t);
}

template <typename C>
class GridSampler {
 public:
  GridSampler(const Plane<C>& plane, const GridAxis<C>& rows, const GridAxis<C>& columns)
      : plane_(plane), rows_(rows), columns_(columns) {}

  C sample(C y, C x, Interpolation mode) const {
    y = rows_.unnormalize(y);
    x = columns_.unnormalize(x);
    if (mode == Interpolation::kBicubic) {
      return bicubic(y, x);
    }
    y = rows_.place(y);
    x = columns_.place(x);
    if (mode == Interpolation::kNearest) {
      return get(std::nearbyint(y), std::nearbyint(x));
    }
    const C top = std::floor(y);
    const C left = std::floor(x);
    const C down = y - top;
    const C right = x - left;
    return get(top, left) * (1 - down) * (1 - right) + get(top, left + 1) * (1 - down) * right +
           get(top + 1, left) * down * (1 - right) + get(top + 1, left + 1) * down * right;
  }

 private:
  C get(C y, C x) const {
    return rows_.inside(y) && columns_.inside(x) ? plane_.get(static_cast<int64_t>(y), static_cast<int64_t>(x)) : C(0);
  }
  C bicubic(C y, C x) const {
    const C top = std::floor(y);
    const C left = std::floor(x);
    C by_row[4];
    C by_column[4];
    cubic_weights(y - top, by_row);
    cubic_weights(x - left, by_column);
    C sum = 0;
    for (int i = 0; i < 4; ++i) {
      C line = 0;
      for (int j = 0; j < 4; ++j) {
        line +=
            by_column[j] * get(rows_.place(top - 1 + static_cast<C>(i)), columns_.place(left - 1 + static_cast<C>(j)));
      }
      sum += by_row[i] * line;
    }
    return sum;
  }

  const Plane<C>& plane_;
  const GridAxis<C>& rows_;
  const GridAxis<C>& columns_;
};

Tensor& grid_sampler_2d_out(KernelRuntimeContext& ctx, const Tensor& in, const Tensor& grid, int64_t interpolation_mode,
                            int64_t padding_mode, bool align_corners, Tensor& out) {
  constexpr DtypeSet kTypes = kFloating & selected_dtypes("aten::grid_sampler_2d.out");
  WICK_REQUIRE(ctx,
               in.dim() == 4 && grid.dim() == 4 && grid.size(3) == 2 && grid.size(0) == in.size(0) && in.size(2) > 0 &&
                   in.size(3) > 0,
               out, "grid_sampler_2d needs an input [n, c, h, w] and a grid [n, y, x, 2]");
  WICK_REQUIRE(ctx, interpolation_mode >= 0 && interpolation_mode <= 2 && padding_mode >= 0 && padding_mode <= 2, out,
               "grid_sampler_2d: unknown interpolation %d or padding %d", static_cast<int>(interpolation_mode),
               static_cast<int>(padding_mode));
  Shape sizes(in.sizes());
  sizes[2] = static_cast<SizesType>(grid.size(1));
  sizes[3] = static_cast<SizesType>(grid.size(2));
  if (!require_dtype(ctx, in, kTypes) || !require_same_dtype(ctx, in, grid) || !require_same_dtype(ctx, in, out) ||
      !resize(ctx, out, sizes)) {
    return out;
  }
  const View places(grid);
  by_compute<kTypes>(in.scalar_type(), [&](auto zero) {
    using C = decltype(zero);
    const GridAxis<C> rows = {in.size(2), static_cast<Padding>(padding_mode), align_corners};
    const GridAxis<C> columns = {in.size(3), static_cast<Padding>(padding_mode), align_corners};
    for_outputs<C>(in, out, [&](const Plane<C>& plane, int64_t n, int64_t y, int64_t x) {
      const ptrdiff_t at = static_cast<ptrdiff_t>(n) * places.strides[0] +
                           static_cast<ptrdiff_t>(y) * places.strides[1] +
                           static_cast<ptrdiff_t>(x) * places.strides[2];
      const ptrdiff_t size = static_cast<ptrdiff_t>(places.element_size);
      const C gx = load_one<C>(grid.scalar_type(), places.data + at * size);
      const C gy = load_one<C>(grid.scalar_type(), places.data + (at + places.strides[3]) * size);
      return GridSampler<C>(plane, rows, columns).sample(gy, gx, static_cast<Interpolation>(interpolation_mode));
    });
  });
  return out;
}

}  // namespace

}  // namespace portable
}  // namespace wick

WICK_KERNEL(aten_upsample_nearest2d_vec_out, wick::portable::upsample_nearest2d_vec_out)
WICK_KERNEL(aten_upsample_bilinear2d_vec_out, wick::portable::upsample_bilinear2d_vec_out)
WICK_KERNEL(aten__upsample_bilinear2d_aa_out, wick::portable::upsample_bilinear2d_aa_out)
WICK_KERNEL(aten_grid_sampler_2d_out, wick::portable::grid_sampler_2d_out)
