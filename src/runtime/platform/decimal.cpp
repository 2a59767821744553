// SPDX-License-Identifier: BSD-3-Clause
// The exact decimal expansion of a double. See decimal.h.

#include "src/runtime/platform/decimal.h"

namespace wick {
namespace {

constexpr uint32_t kLimbBase = 1000000000;
constexpr uint32_t kPowersOfTen[9] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

/// `power` modulo 9, never negative.
int digit_in_limb(int power) {
  const int remainder = power % 9;
  return remainder < 0 ? remainder + 9 : remainder;
}

}  // namespace

Decimal::Decimal(uint64_t significand, int exponent) {
  // An even significand with a negative exponent needs fewer digits, and an integer must have no fraction.
  while (exponent < 0 && significand != 0 && (significand & 1) == 0) {
    significand >>= 1;
    ++exponent;
  }
  for (uint32_t& limb : limbs_) limb = 0;
  point_ = exponent >= 0 ? kIntegerLimbs - 1 : 1;
  last_ = point_ + 1;
  limbs_[point_] = static_cast<uint32_t>(significand % kLimbBase);
  limbs_[point_ - 1] = static_cast<uint32_t>(significand / kLimbBase);
  first_ = limbs_[point_ - 1] != 0 ? point_ - 1 : point_;
  if (significand == 0) return;
  if (exponent >= 0) {
    multiply_by_power_of_two(exponent);
  } else {
    divide_by_power_of_two(-exponent);
  }
}

void Decimal::multiply_by_power_of_two(int exponent) {
  while (exponent > 0) {
    const int shift = exponent < 29 ? exponent : 29;
    uint32_t carry = 0;
    for (int i = point_; i >= first_; --i) {
      const uint64_t product = (static_cast<uint64_t>(limbs_[i]) << shift) + carry;
      limbs_[i] = static_cast<uint32_t>(product % kLimbBase);
      carry = static_cast<uint32_t>(product / kLimbBase);
    }
    if (carry != 0) limbs_[--first_] = carry;
    exponent -= shift;
  }
}

void Decimal::divide_by_power_of_two(int exponent) {
  while (exponent > 0) {
    const int shift = exponent < 9 ? exponent : 9;  // 10^9 is a multiple of 2^9, so each remainder fits the next limb
    const uint32_t mask = (uint32_t{1} << shift) - 1;
    uint32_t carry = 0;
    for (int i = first_; i < last_; ++i) {
      const uint32_t remainder = limbs_[i] & mask;
      limbs_[i] = (limbs_[i] >> shift) + carry;
      carry = (kLimbBase >> shift) * remainder;
    }
    if (carry != 0) limbs_[last_++] = carry;
    while (limbs_[first_] == 0) ++first_;
    exponent -= shift;
  }
}

int Decimal::exponent10() const {
  int exponent = 9 * (point_ - first_);
  for (int i = 8; i > 0; --i) {
    if (limbs_[first_] >= kPowersOfTen[i]) return exponent + i;
  }
  return exponent;
}

int Decimal::limb_of(int power) const { return power >= 0 ? point_ - power / 9 : point_ + (8 - power) / 9; }

unsigned Decimal::digit(int power) const {
  const int limb = limb_of(power);
  if (limb < first_ || limb >= last_) return 0;
  return limbs_[limb] / kPowersOfTen[digit_in_limb(power)] % 10;
}

bool Decimal::has_digit_below(int power) const {
  int limb = limb_of(power);
  if (limb >= last_) return false;
  if (limb >= first_ && limbs_[limb] % kPowersOfTen[digit_in_limb(power)] != 0) return true;
  for (limb = (limb < first_ ? first_ : limb + 1); limb < last_; ++limb) {
    if (limbs_[limb] != 0) return true;
  }
  return false;
}

void Decimal::round_at(int power) {
  const unsigned dropped = digit(power - 1);
  const bool up = dropped > 5 || (dropped == 5 && (has_digit_below(power - 1) || (digit(power) & 1) != 0));
  if (!up) return;
  int limb = limb_of(power);
  if (limb < first_) first_ = limb;
  limbs_[limb] += kPowersOfTen[digit_in_limb(power)];
  while (limbs_[limb] >= kLimbBase) {
    limbs_[limb] -= kLimbBase;
    limbs_[--limb] += 1;
    if (limb < first_) first_ = limb;
  }
}

}  // namespace wick
