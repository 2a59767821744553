// SPDX-License-Identifier: BSD-3-Clause
//
// quantized_decomposed::embedding_byte, embedding_4bit and embedding_2bit: rows of a quantised table, dequantised by a
// scale (and zero point) per row or per group of a row.
#include "src/kernels/quantized/quantization.h"

namespace wick {
namespace portable {

namespace {

// How values are packed into a byte.
enum class Packing : uint8_t { kByte, kFourBits, kTwoBits };

int32_t values_per_byte(Packing packing) {
  return packing == Packing::kByte ? 1 : (packing == Packing::kFourBits ? 2 : 4);
}

// Value i of a row. Four bits: the first value is in the high half; two bits: the first is in the lowest.
int32_t unpack(Packing packing, ScalarType type, const uint8_t* row, int32_t i) {
  switch (packing) {
    case Packing::kByte:
      return type == ScalarType::Char ? static_cast<int8_t>(row[i]) : row[i];
    case Packing::kFourBits:
      return ((row[i / 2] >> (i % 2 == 0 ? 4 : 0)) & 15) - 8;
    default:
      return ((row[i / 4] >> (2 * (i % 4))) & 3) - 2;
  }
}

struct Table {
  const Tensor& weight;
  const Tensor& scales;
  const std::optional<Tensor>& zero_points;
  Packing packing;
  int32_t length;  // values of a row
  int32_t groups;  // per row
};

void expand_row(const Table& table, int64_t row, ScalarType out_type, char* out, ptrdiff_t step) {
  const uint8_t* packed =
      static_cast<const uint8_t*>(table.weight.const_data_ptr()) + row * static_cast<int64_t>(table.weight.size(1));
  const int32_t group_length = table.length / table.groups;
  for (int32_t i = 0; i < table.length; ++i) {
    const size_t group = static_cast<size_t>(row * table.groups + i / group_length);
    const float scale = static_cast<float>(parameter(table.scales, group));
    const float zero = table.zero_points.has_value() ? static_cast<float>(parameter(*table.zero_points, group)) : 0.0f;
    const float value = static_cast<float>(unpack(table.packing, table.weight.scalar_type(), packed, i));
    store_one(out_type, out + i * step, (value - zero) * scale);
  }
}

Tensor& embed(KernelRuntimeContext& ctx, const Tensor& weight, const Tensor& scales,
              const std::optional<Tensor>& zero_points, const Tensor& indices, std::optional<ScalarType> dtype,
              Packing packing, Tensor& out) {
  WICK_REQUIRE(ctx,
               weight.dim() == 2 && (scales.dim() == 1 || scales.dim() == 2) && scales.size(0) == weight.size(0) &&
                   is_contiguous(weight) && is_contiguous(scales) && static_cast<size_t>(indices.dim()) < kMaxDims,
               out, "embedding: weight [rows, n] and scales [rows] or [rows, groups] must be contiguous");
  const Table table = {weight,
                       scales,
                       zero_points,
                       packing,
                       static_cast<int32_t>(weight.size(1)) * values_per_byte(packing),
                       scales.dim() == 2 ? static_cast<int32_t>(scales.size(1)) : 1};
  WICK_REQUIRE(ctx, table.groups > 0 && table.length % table.groups == 0, out,
               "embedding: %d groups do not divide rows of %d values", static_cast<int>(table.groups),
               static_cast<int>(table.length));
  WICK_REQUIRE(ctx,
               !zero_points.has_value() || (zero_points->sizes().equals(scales.sizes()) && is_contiguous(*zero_points)),
               out, "embedding: the zero points do not have the scales' sizes");
  WICK_REQUIRE(ctx, dtype.value_or(out.scalar_type()) == out.scalar_type(), out,
               "embedding: the output does not have dtype %d", static_cast<int>(*dtype));
  const DtypeSet weights =
      packing == Packing::kByte ? dtypes(ScalarType::Char, ScalarType::Byte) : dtypes(ScalarType::Byte);
  Shape sizes(indices.sizes());
  sizes.push(table.length);
  if (!require_dtype(ctx, weight, weights) || !require_dtype(ctx, scales, kFloating) ||
      (zero_points.has_value() && !require_dtype(ctx, *zero_points, kFloating | kInts)) ||
      !require_dtype(ctx, indices, dtypes(ScalarType::Int, ScalarType::Long)) || !require_dtype(ctx, out, kFloating) ||
      !resize(ctx, out, sizes)) {
    return out;
  }
  const View places(indices);
  const View to(out);
  StridedLoop loop(places.shape);
  loop.add(places.data, places.element_size, places.strides);
  loop.add(to.data, to.element_size, to.strides);
  loop.start();
  while (loop.next()) {
    for (size_t i = 0; i < loop.run(); ++i) {
      const ptrdiff_t at = static_cast<ptrdiff_t>(i);
      const int64_t row = load_one<int64_t>(indices.scalar_type(), loop.data(0) + at * loop.step(0));
      WICK_REQUIRE(ctx, row >= 0 && row < weight.size(0), out, "embedding: index %d is out of range for %d rows",
                   static_cast<int>(row), static_cast<int>(weight.size(0)));
      expand_row(table, row, out.scalar_type(), loop.data(1) + at * loop.step(1),
                 to.strides[to.dim() - 1] * static_cast<ptrdiff_t>(to.element_size));
    }
  }
  return out;
}

template <Packing kPacking>
Tensor& embedding_out(KernelRuntimeContext& ctx, const Tensor& weight, const Tensor& scales,
                      const std::optional<Tensor>& zero_points, int64_t, int64_t, const Tensor& indices, Tensor& out) {
  return embed(ctx, weight, scales, zero_points, indices, std::nullopt, kPacking, out);
}

template <Packing kPacking>
Tensor& embedding_dtype_out(KernelRuntimeContext& ctx, const Tensor& weight, const Tensor& scales,
                            const std::optional<Tensor>& zero_points, int64_t, int64_t, const Tensor& indices,
                            std::optional<ScalarType> dtype, Tensor& out) {
  return embed(ctx, weight, scales, zero_points, indices, dtype, kPacking, out);
}

}  // namespace

}  // namespace portable
}  // namespace wick

WICK_KERNEL(quantized_decomposed_embedding_byte_out, wick::portable::embedding_out<wick::portable::Packing::kByte>)
WICK_KERNEL(quantized_decomposed_embedding_byte_dtype_out,
            wick::portable::embedding_dtype_out<wick::portable::Packing::kByte>)
WICK_KERNEL(quantized_decomposed_embedding_4bit_out, wick::portable::embedding_out<wick::portable::Packing::kFourBits>)
WICK_KERNEL(quantized_decomposed_embedding_4bit_dtype_out,
            wick::portable::embedding_dtype_out<wick::portable::Packing::kFourBits>)
WICK_KERNEL(quantized_decomposed_embedding_2bit_out, wick::portable::embedding_out<wick::portable::Packing::kTwoBits>)
WICK_KERNEL(quantized_decomposed_embedding_2bit_dtype_out,
            wick::portable::embedding_dtype_out<wick::portable::Packing::kTwoBits>)
