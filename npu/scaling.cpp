// SPDX-License-Identifier: BSD-3-Clause
// Rounding constants and the wide case of the scaling function.
#include "scaling.h"

namespace wick::npu {

Scaler make_scaler(const ScaleParameters& parameters) {
  Scaler s;
  s.scale = parameters.scale;
  s.shift = parameters.shift & 63;
  const std::int64_t half = s.shift == 0 ? 0 : std::int64_t{1} << (s.shift - 1);
  const int threshold = 31 - parameters.double_round;
  const std::int64_t correction = s.shift > threshold && threshold > 0 ? std::int64_t{1} << (threshold - 1) : 0;
  switch (parameters.rounding) {
    case Rounding::kDoubleSymmetric:
      s.add_positive = half + correction;
      s.add_negative = half - correction;
      break;
    case Rounding::kNatural:
      s.add_positive = s.add_negative = half;
      break;
    case Rounding::kDoubleAsymmetric:
      s.add_positive = s.add_negative = half + correction;
      break;
    case Rounding::kSymmetric:
      s.add_positive = half;
      s.add_negative = s.shift == 0 ? 0 : half - 1;
      break;
    case Rounding::kToZero:
      s.add_negative = static_cast<std::int64_t>((std::uint64_t{1} << s.shift) - 1);
      break;
    case Rounding::kFloor:
      break;
  }
  return s;
}

std::int64_t scale_wide(std::int64_t value, const Scaler& scaler) {
  // Magnitude times scale as high:low, 96 significant bits.
  const bool negative = value < 0;
  const std::uint64_t magnitude = negative ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value);
  std::uint64_t low = (magnitude & 0xFFFFFFFFu) * scaler.scale;
  const std::uint64_t upper = (magnitude >> 32) * scaler.scale;
  std::uint64_t high = upper >> 32;
  const std::uint64_t shifted = upper << 32;
  low += shifted;
  if (low < shifted) ++high;
  if (negative) {
    low = ~low + 1;
    high = ~high + (low == 0 ? 1 : 0);
  }
  const std::int64_t addend = negative ? scaler.add_negative : scaler.add_positive;
  const std::uint64_t before = low;
  low += static_cast<std::uint64_t>(addend);
  high += (addend < 0 ? ~std::uint64_t{0} : 0) + (low < before ? 1 : 0);

  const std::int64_t top = static_cast<std::int64_t>(high) >> scaler.shift;
  std::uint64_t bottom = low >> scaler.shift;
  if (scaler.shift != 0) bottom |= high << (64 - scaler.shift);
  // Saturate when the upper half is more than the sign of the lower.
  const std::int64_t result = static_cast<std::int64_t>(bottom);
  if (top == (result < 0 ? -1 : 0)) return result;
  return top < 0 ? INT64_MIN : INT64_MAX;
}

bool is_identity(const Scaler& scaler) {
  if (scaler.scale == 1 && scaler.shift == 0) return scaler.add_positive == 0 && scaler.add_negative == 0;
  const std::int64_t half = std::int64_t{1} << 30;
  return (scaler.scale == 0x80000000u || scaler.scale == 0x80000001u) && scaler.shift == 31 &&
         scaler.add_positive == half && scaler.add_negative == half;
}

ScaleParameters divide_by(std::uint32_t count, std::uint32_t bits, Rounding rounding) {
  std::uint32_t length = 0;  // of count - 1
  for (std::uint32_t rest = count - 1; rest != 0; rest >>= 1) ++length;
  ScaleParameters p;
  p.scale = static_cast<std::uint32_t>(((std::uint64_t{1} << (bits + length)) + (std::uint64_t{1} << length)) / count);
  p.shift = static_cast<std::uint8_t>(bits + length);
  p.rounding = rounding;
  return p;
}

}  // namespace wick::npu
