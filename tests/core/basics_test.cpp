// SPDX-License-Identifier: BSD-3-Clause
// Results, views, tags and the small tools of the core.

#include <c10/util/irange.h>
#include <c10/util/safe_numerics.h>
#include <executorch/runtime/core/array_ref.h>
#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/function_ref.h>
#include <executorch/runtime/core/portable_type/complex.h>
#include <executorch/runtime/core/portable_type/scalar.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/core/span.h>
#include <executorch/runtime/core/tag.h>
#include <executorch/runtime/core/version.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <memory>

namespace {

using executorch::runtime::ArrayRef;
using executorch::runtime::Error;
using executorch::runtime::FunctionRef;
using executorch::runtime::Result;
using executorch::runtime::Span;
using executorch::runtime::Tag;
using executorch::runtime::etensor::complex;
using executorch::runtime::etensor::Half;
using executorch::runtime::etensor::Scalar;

TEST(Error, HasAName) {
  EXPECT_STREQ(executorch::runtime::to_string(Error::Ok), "Error::Ok");
  EXPECT_STREQ(executorch::runtime::to_string(Error::OperatorMissing), "Error::OperatorMissing");
  EXPECT_STREQ(executorch::runtime::to_string(static_cast<Error>(0x99)), "Error::Unknown");
  EXPECT_EQ(static_cast<uint32_t>(Error::InvalidExternalData), 0x24u);
}

Error check(int value) {
  ET_CHECK_OR_RETURN_ERROR(value != 1, InvalidArgument, "without arguments");
  ET_CHECK_OR_RETURN_ERROR(value != 2, NotFound, "value %d of %d", value, 3);
  ET_CHECK_OK_OR_RETURN_ERROR(value == 3 ? Error::Internal : Error::Ok);
  ET_CHECK_OK_OR_RETURN_ERROR(value == 4 ? Error::InvalidState : Error::Ok, "value %d", value);
  return Error::Ok;
}

bool check_bool(int value) {
  ET_CHECK_OR_RETURN_FALSE(value % 2 == 0, "");
  ET_CHECK_OR_RETURN_FALSE(value != 2, "value %d", value);
  return true;
}

Result<int> ten_times(Result<int> value) {
  ET_ASSIGN_OR_RETURN(number, std::move(value), "no number for %s", "ten_times");
  return number * 10;
}

TEST(Error, MacrosReturnIt) {
  EXPECT_EQ(check(0), Error::Ok);
  EXPECT_EQ(check(1), Error::InvalidArgument);
  EXPECT_EQ(check(2), Error::NotFound);
  EXPECT_EQ(check(3), Error::Internal);
  EXPECT_EQ(check(4), Error::InvalidState);
  EXPECT_FALSE(check_bool(1));
  EXPECT_FALSE(check_bool(2));
  EXPECT_TRUE(check_bool(4));
  EXPECT_EQ(*ten_times(4), 40);
  EXPECT_EQ(ten_times(Error::NotFound).error(), Error::NotFound);
}

TEST(Result, HoldsAValueOrAnError) {
  Result<std::unique_ptr<int>> made(std::make_unique<int>(3));
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made.error(), Error::Ok);
  Result<std::unique_ptr<int>> moved(std::move(made));
  EXPECT_EQ(**moved, 3);
  Result<int> failed(Error::Ok);
  EXPECT_FALSE(failed.ok());
  EXPECT_EQ(failed.error(), Error::Internal) << "Ok is no reason to fail";
  EXPECT_DEATH(failed.get(), "");
}

TEST(ArrayRef, ChecksWhatItSlices) {
  const int values[] = {1, 2, 3, 4};
  const ArrayRef<int> all(values);
  EXPECT_EQ(all.slice(1, 2), ArrayRef<int>(values + 1, values + 3));
  EXPECT_EQ(all.slice(4).size(), 0u);
  EXPECT_EQ(ArrayRef<int>(std::array<int, 2>{1, 2}).size(), 2u);
  EXPECT_DEATH(all.slice(1, std::numeric_limits<size_t>::max()), "");
  EXPECT_DEATH(all.slice(5), "");
  EXPECT_DEATH(all.at(4), "");
  EXPECT_DEATH(ArrayRef<int>().front(), "");
}

TEST(Span, WritesThrough) {
  int values[] = {1, 2};
  for (int& value : Span<int>(values)) {
    value *= 2;
  }
  EXPECT_EQ(values[1], 4);
  EXPECT_EQ(Span<int>(values[0]).size(), 1u);
}

TEST(FunctionRef, CallsWhatItRefersTo) {
  int sum = 0;
  const auto add = [&](int x) { return sum += x; };
  const FunctionRef<int(int)> f(add);
  EXPECT_EQ(f(3) + f(4), 10);
  EXPECT_TRUE(static_cast<bool>(f));
  EXPECT_FALSE(static_cast<bool>(FunctionRef<void()>(nullptr)));
}

TEST(Tag, IsWrittenIntoABufferOfAnySize) {
  char buffer[executorch::runtime::kTagNameBufferSize];
  EXPECT_EQ(executorch::runtime::tag_to_string(Tag::ListOptionalTensor, buffer, sizeof(buffer)), 18u);
  EXPECT_STREQ(buffer, "ListOptionalTensor");
  EXPECT_EQ(executorch::runtime::tag_to_string(Tag::Double, buffer, 4), 6u);
  EXPECT_STREQ(buffer, "Dou");
  EXPECT_EQ(executorch::runtime::tag_to_string(Tag::Int, nullptr, 0), 3u);
}

TEST(SafeNumerics, SaysWhenItOverflows) {
  size_t size = 0;
  EXPECT_FALSE(c10::mul_overflows(size_t{3}, size_t{5}, &size));
  EXPECT_EQ(size, 15u);
  EXPECT_TRUE(c10::mul_overflows(std::numeric_limits<size_t>::max() / 2 + 1, size_t{2}, &size));
  EXPECT_TRUE(c10::add_overflows(std::numeric_limits<size_t>::max(), size_t{1}, &size));
  int32_t narrow = 0;
  EXPECT_TRUE(c10::mul_overflows(std::numeric_limits<int32_t>::min(), -1, &narrow));
  EXPECT_TRUE(c10::add_overflows(std::numeric_limits<int32_t>::min(), -1, &narrow));
  uint64_t product = 0;
  EXPECT_FALSE(c10::safe_multiplies_u64(std::array<uint64_t, 2>{6, 7}, &product));
  EXPECT_EQ(product, 42u);
  EXPECT_TRUE(c10::safe_multiplies_u64(std::array<uint64_t, 2>{1ull << 40, 1ull << 40}, &product));
}

TEST(Range, OfIntegersMayBeEmpty) {
  int64_t sum = 0;
  for (const auto i : c10::irange(int64_t{4})) {
    sum += i;
  }
  for (const auto i : c10::irange(2, int64_t{4})) {
    sum += 10 * i;
  }
  for (const auto i : c10::irange(-3)) {
    sum += 1000 + i;
  }
  for (const auto i : c10::irange(5, 2)) {
    sum += 1000 + i;
  }
  EXPECT_EQ(sum, 56);
}

TEST(Scalar, IsReadAsWhatItIs) {
  EXPECT_EQ(Scalar(true).to<int64_t>(), 1);
  EXPECT_EQ(Scalar(7).to<int64_t>(), 7);
  EXPECT_EQ(Scalar(Half(0.5f)).to<double>(), 0.5);
  EXPECT_TRUE(Scalar(2.0).isFloatingPoint());
  EXPECT_FALSE(Scalar(true).isIntegral(/*includeBool=*/false));
  EXPECT_DEATH(Scalar(2.0).to<int64_t>(), "");
  EXPECT_DEATH(Scalar(2).to<double>(), "");
  EXPECT_DEATH(Scalar(2).to<bool>(), "");
}

TEST(Complex, Computes) {
  using C = complex<float>;
  EXPECT_EQ(C(1, 2) * C(0, 1), C(-2, 1));
  EXPECT_EQ(C(1, 2) + 1.0f, C(2, 2));
  EXPECT_EQ(C(-2, 1) / C(0, 1), C(1, 2));
  EXPECT_EQ((C(1e30f, 1e30f) / C(1e30f, 1e30f)), C(1, 0)) << "squares would overflow";
  EXPECT_EQ(complex<double>(C(1, 2)), complex<double>(1, 2));
  EXPECT_EQ((complex<Half>(Half(1.0f), Half(2.0f)) * complex<Half>(Half(0.0f), Half(1.0f))).imag().x, Half(1.0f).x);
  static_assert(sizeof(complex<Half>) == 4 && alignof(complex<double>) == 16);
}

TEST(Version, IsTheOneOfTheInterface) { EXPECT_GE(ET_VERSION_CODE, ET_VERSION_CHECK(1, 5, 0)); }

}  // namespace
