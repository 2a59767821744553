// SPDX-License-Identifier: BSD-3-Clause
//
// Layer, group and batch normalisation. Each normalises regions of the input by mean and deviation, computed in float
// (double for double) in two passes; regions are strided, so any dim order is right.
#include <cmath>
#include <tuple>

#include "src/kernels/portable/elements.h"
#include "src/kernels/portable/views.h"

namespace wick {
namespace portable {

namespace {

constexpr size_t kTile = 32;

// A region of input and output with its scale and shift per element.
struct Region {
  ScalarType type;
  View in, out;
  View weight, bias;  // of the region's shape, strides 0 where they do not vary
  bool has_weight, has_bias;
};

// Walks tiles of a region: function(loop, offset in the run, count).
template <typename Function>
void for_tiles(StridedLoop& loop, Function function) {
  loop.restart();
  while (loop.next()) {
    for (size_t i = 0; i < loop.run(); i += kTile) {
      function(static_cast<ptrdiff_t>(i), loop.run() - i < kTile ? loop.run() - i : kTile);
    }
  }
}

template <typename C>
void load_tile(const StridedLoop& loop, size_t operand, ptrdiff_t at, size_t count, ScalarType type, C* values) {
  load(type, loop.data(operand) + at * loop.step(operand), loop.step(operand), count, values);
}

// Mean and variance (divided by n) of a region.
template <typename C>
void statistics(StridedLoop& loop, size_t operand, ScalarType type, size_t n, C& mean, C& variance) {
  C values[kTile];
  C sum = 0;
  for_tiles(loop, [&](ptrdiff_t at, size_t count) {
    load_tile(loop, operand, at, count, type, values);
    for (size_t i = 0; i < count; ++i) {
      sum += values[i];
    }
  });
  const C m = sum / static_cast<C>(n);
  C squares = 0;
  for_tiles(loop, [&](ptrdiff_t at, size_t count) {
    load_tile(loop, operand, at, count, type, values);
    for (size_t i = 0; i < count; ++i) {
      squares += (values[i] - m) * (values[i] - m);
    }
  });
  mean = m;
  variance = squares / static_cast<C>(n);
}

// out = (in - mean) * scale, by weight and bias.
template <typename C>
void rescale(StridedLoop& loop, const Region& region, C mean, C scale) {
  C values[kTile];
  C factors[kTile];
  for_tiles(loop, [&](ptrdiff_t at, size_t count) {
    load_tile(loop, 1, at, count, region.type, values);
    for (size_t i = 0; i < count; ++i) {
      values[i] = (values[i] - mean) * scale;
    }
    if (region.has_weight) {
      load_tile(loop, 2, at, count, region.type, factors);
      for (size_t i = 0; i < count; ++i) {
        values[i] *= factors[i];
      }
    }
    if (region.has_bias) {
      load_tile(loop, 3, at, count, region.type, factors);
      for (size_t i = 0; i < count; ++i) {
        values[i] += factors[i];
      }
    }
    store(region.type, loop.data(0) + at * loop.step(0), loop.step(0), count, values);
  });
}

void add_operands(StridedLoop& loop, const Region& region) {
  for (const View* view : {&region.out, &region.in, &region.weight, &region.bias}) {
    loop.add(view->data, view->element_size, view->strides);
  }
  loop.start();
}

// Normalises by the region's own statistics; they are stored as elements of the region's dtype.
template <typename C>
void normalize(const Region& region, double eps, char* mean_out, char* scale_out) {
  StridedLoop loop(region.in.shape);
  add_operands(loop, region);
  C mean = 0;
  C variance = 0;
  statistics(loop, 1, region.type, product(region.in.shape), mean, variance);
  const C scale = C(1) / std::sqrt(variance + static_cast<C>(eps));
  rescale(loop, region, mean, scale);
  store_one(region.type, mean_out, mean);
  store_one(region.type, scale_out, scale);
}

template <DtypeSet kTypes>
void normalize_any(const Region& region, double eps, char* mean_out, char* scale_out) {
  if constexpr (is_in(ScalarType::Double, kTypes)) {
    if (region.type == ScalarType::Double) {
      return normalize<double>(region, eps, mean_out, scale_out);
    }
  }
  if constexpr ((kTypes & dtypes_of(Compute::kFloat)) != 0) {
    normalize<float>(region, eps, mean_out, scale_out);
  }
}

char* element(const View& view, size_t i) { return view.data + i * view.element_size; }

// Checks that an optional weight or bias has `sizes` and the dtype; tells whether there is one.
bool take(KernelRuntimeContext& ctx, const std::optional<Tensor>& tensor, ScalarType type, Sizes sizes, View& view,
          bool& present) {
  present = tensor.has_value();
  if (present) {
    WICK_REQUIRE(ctx, tensor->scalar_type() == type && tensor->sizes().equals(sizes), false,
                 "normalisation: weight or bias does not fit in sizes or dtype");
    view = View(*tensor);
  }
  return true;
}

bool prepare(KernelRuntimeContext& ctx, const Tensor& in, Tensor& out, Tensor& mean, Tensor& scale, DtypeSet allowed) {
  return require_dtype(ctx, in, allowed) && require_same_dtype(ctx, in, out) && require_same_dtype(ctx, in, mean) &&
         require_same_dtype(ctx, in, scale) && resize_as(ctx, out, in);
}

using Outputs = std::tuple<Tensor&, Tensor&, Tensor&>;

Outputs native_layer_norm_out(KernelRuntimeContext& ctx, const Tensor& in, IntArrayRef normalized_shape,
                              const std::optional<Tensor>& weight, const std::optional<Tensor>& bias, double eps,
                              Tensor& out, Tensor& mean_out, Tensor& rstd_out) {
  constexpr DtypeSet kTypes = kFloating & selected_dtypes("aten::native_layer_norm.out");
  const Outputs outputs(out, mean_out, rstd_out);
  const size_t rank = static_cast<size_t>(in.dim());
  const size_t inner = normalized_shape.size();
  WICK_REQUIRE(ctx, inner >= 1 && inner <= rank, outputs, "layer_norm: %zu normalised dimensions of %zu", inner, rank);
  const size_t outer = rank - inner;
  Shape shape;
  Shape reduced(in.sizes());
  for (size_t i = 0; i < inner; ++i) {
    const ssize_t dim = static_cast<ssize_t>(outer + i);
    WICK_REQUIRE(ctx, in.size(dim) == normalized_shape[i], outputs, "layer_norm: dimension %zu has %d items, not %d",
                 outer + i, static_cast<int>(in.size(dim)), static_cast<int>(normalized_shape[i]));
    shape.push(static_cast<SizesType>(normalized_shape[i]));
    reduced[outer + i] = 1;
  }
  Region region{in.scalar_type(), View(in), View(in), View(in), View(in), false, false};
  if (!prepare(ctx, in, out, mean_out, rstd_out, kTypes) ||
      !take(ctx, weight, region.type, shape, region.weight, region.has_weight) ||
      !take(ctx, bias, region.type, shape, region.bias, region.has_bias) || !resize(ctx, mean_out, reduced) ||
      !resize(ctx, rstd_out, reduced) || in.numel() == 0) {
    return outputs;
  }
  const View from(in);
  const View to(out);
  region.out = to;
  for (size_t i = 0; i < outer; ++i) {
    region.in.remove(0);
    region.out.remove(0);
  }
  // Outer indices are visited in row-major order, that of the statistics, which have no inner dimensions.
  Shape outer_shape(from.shape);
  outer_shape.dim = outer;
  const size_t count = product(outer_shape);
  for (size_t i = 0; i < count; ++i) {
    size_t rest = i;
    ptrdiff_t from_at = 0;
    ptrdiff_t to_at = 0;
    ptrdiff_t mean_at = 0;
    ptrdiff_t rstd_at = 0;
    ptrdiff_t mean_strides[kMaxDims];
    ptrdiff_t rstd_strides[kMaxDims];
    strides_of(mean_out, mean_strides);
    strides_of(rstd_out, rstd_strides);
    for (size_t dim = outer; dim-- > 0;) {
      const ptrdiff_t index = static_cast<ptrdiff_t>(rest % static_cast<size_t>(from.shape[dim]));
      rest /= static_cast<size_t>(from.shape[dim]);
      from_at += index * from.strides[dim];
      to_at += index * to.strides[dim];
      mean_at += index * mean_strides[dim];
      rstd_at += index * rstd_strides[dim];
    }
    region.in.data = element(from, static_cast<size_t>(from_at));
    region.out.data = element(to, static_cast<size_t>(to_at));
    normalize_any<kTypes>(region, eps, element(View(mean_out), static_cast<size_t>(mean_at)),
                          element(View(rstd_out), static_cast<size_t>(rstd_at)));
  }
  return outputs;
}

// Gives a vector view of one item per channel the region's shape [channels, ...].
void spread(View& vector, const Shape& shape) {
  const ptrdiff_t stride = vector.strides[0];
  vector.shape = shape;
  vector.strides[0] = stride;
  for (size_t i = 1; i < shape.dim; ++i) {
    vector.strides[i] = 0;
  }
}

Outputs native_group_norm_out(KernelRuntimeContext& ctx, const Tensor& in, const std::optional<Tensor>& weight,
                              const std::optional<Tensor>& bias, int64_t N, int64_t C, int64_t HxW, int64_t group,
                              double eps, Tensor& out, Tensor& mean_out, Tensor& rstd_out) {
  constexpr DtypeSet kTypes = kFloating & selected_dtypes("aten::native_group_norm.out");
  const Outputs outputs(out, mean_out, rstd_out);
  WICK_REQUIRE(ctx,
               in.dim() >= 2 && in.size(0) == N && in.size(1) == C && group > 0 && C % group == 0 &&
                   HxW == static_cast<int64_t>(product(in.sizes(), 2, in.sizes().size())),
               outputs, "group_norm: N, C, HxW or group do not fit the input");
  Shape channels;
  channels.push(static_cast<SizesType>(C));
  Shape reduced;
  reduced.push(static_cast<SizesType>(N));
  reduced.push(static_cast<SizesType>(group));
  Region region{in.scalar_type(), View(in), View(in), View(in), View(in), false, false};
  View weights(in);
  View biases(in);
  if (!prepare(ctx, in, out, mean_out, rstd_out, kTypes) ||
      !take(ctx, weight, region.type, channels, weights, region.has_weight) ||
      !take(ctx, bias, region.type, channels, biases, region.has_bias) || !resize(ctx, mean_out, reduced) ||
      !resize(ctx, rstd_out, reduced) || in.numel() == 0) {
    return outputs;
  }
  const int64_t per_group = C / group;
  for (int64_t n = 0; n < N; ++n) {
    for (int64_t g = 0; g < group; ++g) {
      region.in = View(in);
      region.out = View(out);
      for (View* view : {&region.in, &region.out}) {
        view->narrow(1, g * per_group, per_group);
        view->select(0, n);
      }
      region.weight = weights;
      region.bias = biases;
      region.weight.narrow(0, region.has_weight ? g * per_group : 0, per_group);
      region.bias.narrow(0, region.has_bias ? g * per_group : 0, per_group);
      spread(region.weight, region.in.shape);
      spread(region.bias, region.in.shape);
      View mean(mean_out);
      View rstd(rstd_out);
      for (View* view : {&mean, &rstd}) {
        view->select(0, n);
        view->select(0, g);
      }
      normalize_any<kTypes>(region, eps, mean.data, rstd.data);
    }
  }
  return outputs;
}

struct BatchNorm {
  const Tensor& in;
  const std::optional<Tensor>& weight;
  const std::optional<Tensor>& bias;
  double eps;
};

// Normalises channel by channel; `visit(region, channel)` does the arithmetic.
template <typename Visit>
void for_channels(KernelRuntimeContext& ctx, const BatchNorm& batch, Tensor& out, Visit visit) {
  const Tensor& in = batch.in;
  Shape channels;
  channels.push(static_cast<SizesType>(in.size(1)));
  Region region{in.scalar_type(), View(in), View(in), View(in), View(in), false, false};
  View weights(in);
  View biases(in);
  if (!take(ctx, batch.weight, region.type, channels, weights, region.has_weight) ||
      !take(ctx, batch.bias, region.type, channels, biases, region.has_bias)) {
    return;
  }
  for (SizesType c = 0; c < channels[0]; ++c) {
    region.in = View(in);
    region.out = View(out);
    region.in.select(1, c);
    region.out.select(1, c);
    region.weight = weights;
    region.bias = biases;
    for (View* view : {&region.weight, &region.bias}) {
      view->narrow(0, c, 1);
      view->strides[0] = 0;
      spread(*view, region.in.shape);
    }
    visit(region, static_cast<size_t>(c));
  }
}

// (in - mean) / sqrt(var + eps) with the statistics of training time.
template <typename C>
void apply_running(const Region& region, const Tensor& mean, const Tensor& var, size_t channel, double eps) {
  StridedLoop loop(region.in.shape);
  add_operands(loop, region);
  const C m = load_one<C>(region.type, element(View(mean), channel));
  const C v = load_one<C>(region.type, element(View(var), channel));
  rescale(loop, region, m, C(1) / std::sqrt(v + static_cast<C>(eps)));
}

Outputs native_batch_norm_legit_no_training_out(KernelRuntimeContext& ctx, const Tensor& in,
                                                const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
                                                const Tensor& running_mean, const Tensor& running_var, double,
                                                double eps, Tensor& out, Tensor& mean_out, Tensor& invstd_out) {
  constexpr DtypeSet kTypes = kFloating & selected_dtypes("aten::_native_batch_norm_legit_no_training.out");
  const Outputs outputs(out, mean_out, invstd_out);
  WICK_REQUIRE(ctx,
               in.dim() >= 2 && running_mean.dim() == 1 && running_var.dim() == 1 &&
                   running_mean.size(0) == in.size(1) && running_var.size(0) == in.size(1),
               outputs, "batch_norm: the running statistics do not have one item per channel");
  Shape none;
  none.push(0);
  if (!prepare(ctx, in, out, mean_out, invstd_out, kTypes) || !require_same_dtype(ctx, in, running_mean) ||
      !require_same_dtype(ctx, in, running_var) || !resize(ctx, mean_out, none) || !resize(ctx, invstd_out, none)) {
    return outputs;
  }
  for_channels(ctx, {in, weight, bias, eps}, out, [&](const Region& region, size_t channel) {
    if constexpr (is_in(ScalarType::Double, kTypes)) {
      if (region.type == ScalarType::Double) {
        return apply_running<double>(region, running_mean, running_var, channel, eps);
      }
    }
    if constexpr ((kTypes & dtypes_of(Compute::kFloat)) != 0) {
      apply_running<float>(region, running_mean, running_var, channel, eps);
    }
  });
  return outputs;
}

Outputs native_batch_norm_legit_out(KernelRuntimeContext& ctx, const Tensor& in, const std::optional<Tensor>& weight,
                                    const std::optional<Tensor>& bias, Tensor& running_mean, Tensor& running_var,
                                    bool training, double momentum, double eps, Tensor& out, Tensor& mean_out,
                                    Tensor& invstd_out) {
  WICK_REQUIRE(ctx, !training, Outputs(out, mean_out, invstd_out), "batch_norm: training is not supported");
  return native_batch_norm_legit_no_training_out(ctx, in, weight, bias, running_mean, running_var, momentum, eps, out,
                                                 mean_out, invstd_out);
}

Outputs native_batch_norm_legit_no_stats_out(KernelRuntimeContext& ctx, const Tensor& in,
                                             const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
                                             bool training, double, double eps, Tensor& out, Tensor& mean_out,
                                             Tensor& invstd_out) {
  constexpr DtypeSet kTypes = kFloating & selected_dtypes("aten::_native_batch_norm_legit.no_stats_out");
  const Outputs outputs(out, mean_out, invstd_out);
  WICK_REQUIRE(ctx, training && in.dim() >= 2, outputs, "batch_norm without statistics: only as in training");
  Shape channels;
  channels.push(static_cast<SizesType>(in.size(1)));
  if (!prepare(ctx, in, out, mean_out, invstd_out, kTypes) || !resize(ctx, mean_out, channels) ||
      !resize(ctx, invstd_out, channels)) {
    return outputs;
  }
  for_channels(ctx, {in, weight, bias, eps}, out, [&](const Region& region, size_t channel) {
    normalize_any<kTypes>(region, eps, element(View(mean_out), channel), element(View(invstd_out), channel));
  });
  return outputs;
}

}  // namespace

}  // namespace portable
}  // namespace wick

WICK_KERNEL(aten_native_layer_norm_out, wick::portable::native_layer_norm_out)
WICK_KERNEL(aten_native_group_norm_out, wick::portable::native_group_norm_out)
WICK_KERNEL(aten__native_batch_norm_legit_no_training_out, wick::portable::native_batch_norm_legit_no_training_out)
WICK_KERNEL(aten__native_batch_norm_legit_out, wick::portable::native_batch_norm_legit_out)
WICK_KERNEL(aten__native_batch_norm_legit_no_stats_out, wick::portable::native_batch_norm_legit_no_stats_out)
