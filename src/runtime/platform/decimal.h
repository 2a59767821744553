// SPDX-License-Identifier: BSD-3-Clause
// The exact decimal expansion of a double, by integer arithmetic on its bits: used to print floating-point
// numbers with correct rounding and without pulling in soft-float routines.

#pragma once

#include <cstdint>

namespace wick {

/// A finite, non-negative number as limbs of nine decimal digits, most significant first. Digits are addressed by
/// their power of ten: digit(0) is the units digit, digit(-1) the tenths.
class Decimal {
 public:
  /// The value significand * 2^exponent; a double's has significand < 2^53 and -1074 <= exponent <= 971.
  Decimal(uint64_t significand, int exponent);

  /// The power of ten of the leading digit; 0 for zero.
  int exponent10() const;

  /// The digit in front of 10^power, 0 to 9.
  unsigned digit(int power) const;

  /// Rounds to a multiple of 10^power, ties to even. Digits below `power` have no meaning afterwards.
  void round_at(int power);

 private:
  // 1024 bits before the point need 35 limbs. With a fraction, what is before the point is below 2^53 (2 limbs) and
  // the fraction has at most 1074 digits (120 limbs).
  static constexpr int kIntegerLimbs = 35;
  static constexpr int kLimbs = 122;

  void multiply_by_power_of_two(int exponent);
  void divide_by_power_of_two(int exponent);
  int limb_of(int power) const;
  bool has_digit_below(int power) const;

  uint32_t limbs_[kLimbs];
  int point_;  // the limb that counts units
  int first_;  // the first limb that is not zero
  int last_;   // one past the last limb that is not zero
};

}  // namespace wick
