// SPDX-License-Identifier: BSD-3-Clause
// The formatter behind ET_LOG against the C library of the host: same text, same length, never a byte too far.

#include <wick/format.h>

#include <gtest/gtest.h>

#include <cinttypes>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace {

// The formats are made at run time on purpose.
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wformat-security"
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat"
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wformat-overflow"
#endif
#endif

template <typename... Args>
void expect_as_host(const std::string& format, Args... args) {
  std::vector<char> expected(4096);
  std::vector<char> actual(4096);
  const int length = std::snprintf(expected.data(), expected.size(), format.c_str(), args...);
  ASSERT_GE(length, 0) << format;
  ASSERT_EQ(wick::format(actual.data(), actual.size(), format.c_str(), args...), static_cast<size_t>(length))
      << '"' << format << "\" gives \"" << actual.data() << "\" not \"" << expected.data() << '"';
  ASSERT_STREQ(actual.data(), expected.data()) << format;
}

class Random {
 public:
  uint64_t bits() { return engine_(); }
  unsigned below(unsigned bound) { return static_cast<unsigned>(engine_() % bound); }

  std::string flags(const char* allowed) {
    std::string text;
    for (const char* flag = allowed; *flag != '\0'; ++flag) {
      if (below(3) == 0) text += *flag;
    }
    return text;
  }

  std::string width_and_precision(unsigned largest_precision) {
    std::string text;
    if (below(2) == 0) text += std::to_string(1 + below(30));
    if (below(2) == 0) text += "." + (below(8) == 0 ? std::string() : std::to_string(below(largest_precision + 1)));
    return text;
  }

  /// Small numbers, numbers of any size, and the ends of ranges.
  uint64_t integer() {
    switch (below(4)) {
      case 0:
        return below(20);
      case 1:
        return uint64_t{0} - below(20);
      case 2:
        return uint64_t{1} << below(64);
      default:
        return bits() >> below(64);
    }
  }

  /// Bit patterns of any exponent, numbers of everyday size, short decimals (ties of rounding), and the specials.
  double floating() {
    switch (below(6)) {
      case 0: {
        const uint64_t pattern = bits();
        double value;
        std::memcpy(&value, &pattern, sizeof(value));
        return value;
      }
      case 1:
        return static_cast<double>(static_cast<int64_t>(bits() >> 40)) / 1000.0;
      case 2:
        return (static_cast<double>(below(2000)) - 1000.0) / 8.0;
      case 3:
        return std::pow(10.0, static_cast<double>(below(30)) - 15.0);
      case 4:
        return static_cast<double>(static_cast<float>(bits() >> 20)) / 1048576.0;
      default: {
        const double specials[] = {0.0,
                                   -0.0,
                                   1.0,
                                   0.5,
                                   9.9999995,
                                   999999.5,
                                   0.00009999995,
                                   DBL_MAX,
                                   DBL_MIN,
                                   std::numeric_limits<double>::denorm_min(),
                                   std::numeric_limits<double>::infinity(),
                                   -std::numeric_limits<double>::infinity(),
                                   std::numeric_limits<double>::quiet_NaN()};
        return specials[below(sizeof(specials) / sizeof(specials[0]))];
      }
    }
  }

 private:
  std::mt19937_64 engine_{20241};
};

TEST(Format, IntegersAreAsOnTheHost) {
  Random random;
  for (int i = 0; i < 200000 && !testing::Test::HasFatalFailure(); ++i) {
    const bool is_signed = random.below(2) == 0;
    const std::string flags = random.flags(is_signed ? "-+ 0" : "-#0");
    const std::string size = random.width_and_precision(25);
    const std::string conversion(1, is_signed ? "di"[random.below(2)] : "uxXo"[random.below(4)]);
    // '#' has no meaning for %u.
    const std::string start = "<%" + (conversion == "u" ? std::string() : flags) + size;
    const uint64_t value = random.integer();
    switch (random.below(8)) {
      case 0:
        expect_as_host(start + "hh" + conversion + ">", static_cast<int>(value));
        break;
      case 1:
        expect_as_host(start + "h" + conversion + ">", static_cast<int>(value));
        break;
      case 2:
        expect_as_host(start + conversion + ">", static_cast<int>(value));
        break;
      case 3:
        expect_as_host(start + "l" + conversion + ">", static_cast<long>(value));
        break;
      case 4:
        expect_as_host(start + "ll" + conversion + ">", static_cast<long long>(value));
        break;
      case 5:
        expect_as_host(start + "z" + conversion + ">", static_cast<size_t>(value));
        break;
      case 6:
        expect_as_host(start + "j" + conversion + ">", static_cast<intmax_t>(value));
        break;
      default:
        expect_as_host(start + "t" + conversion + ">", static_cast<ptrdiff_t>(value));
        break;
    }
  }
}

TEST(Format, FloatingPointNumbersAreAsOnTheHost) {
  Random random;
  for (int i = 0; i < 200000 && !testing::Test::HasFatalFailure(); ++i) {
    const std::string conversion(1, "fFeEgG"[random.below(6)]);
    const unsigned largest_precision = random.below(20) == 0 ? 1100 : 20;
    // glibc drops the digits that `#` keeps in %#g when rounding carries into the next power of ten.
    const char* flags = conversion == "g" || conversion == "G" ? "-+ 0" : "-+ #0";
    const std::string format =
        "<%" + random.flags(flags) + random.width_and_precision(largest_precision) + conversion + ">";
    expect_as_host(format, random.floating());
  }
}

TEST(Format, AlternateGeneralFormKeepsTrailingZeros) {
  // By the C standard: %#g shows all significant digits and always a point.
  char text[64];
  wick::format(text, sizeof(text), "%#g %#g %#.3g %#.1g %#g", 1.5, 999999.5, 0.0001, 3.0, 0.0);
  EXPECT_STREQ(text, "1.50000 1.00000e+06 0.000100 3. 0.00000");
}

TEST(Format, LongDoublesHaveThePrecisionOfDoubles) {
  char text[32];
  wick::format(text, sizeof(text), "%.3Lf|%d", 2.5L, 7);
  EXPECT_STREQ(text, "2.500|7");
}

TEST(Format, TextAndCharactersAreAsOnTheHost) {
  Random random;
  for (int i = 0; i < 20000 && !testing::Test::HasFatalFailure(); ++i) {
    const std::string text(random.below(40), static_cast<char>('a' + random.below(26)));
    expect_as_host("<%" + random.flags("-") + random.width_and_precision(45) + "s>", text.c_str());
    expect_as_host("<%" + random.flags("-") + (random.below(2) == 0 ? "7" : "") + "c>", 'a' + random.below(26));
  }
}

TEST(Format, PointersAreAsOnTheHost) {
  int object = 0;
  expect_as_host("<%p>", static_cast<const void*>(&object));
  expect_as_host("<%30p|%-30p>", static_cast<const void*>(&object), static_cast<const void*>(&object));
  expect_as_host("<%p|%12p>", static_cast<const void*>(nullptr), static_cast<const void*>(nullptr));
}

TEST(Format, StarsTakeWidthAndPrecisionFromTheArguments) {
  for (int width = -12; width <= 12; ++width) {
    for (int precision = -3; precision <= 12; ++precision) {
      expect_as_host("<%*.*d>", width, precision, -1234);
      expect_as_host("<%*.*s>", width, precision, "abcdefgh");
      expect_as_host("<%0*.*f>", width, precision, 3.14159);
    }
  }
}

TEST(Format, PrecisionLimitsHowFarTextIsRead) {
  const char text[3] = {'a', 'b', 'c'};  // no NUL
  char out[16];
  EXPECT_EQ(wick::format(out, sizeof(out), "%.*s", 3, text), 3u);
  EXPECT_STREQ(out, "abc");
}

TEST(Format, MacrosOfInttypesWork) {
  expect_as_host("%" PRId8 " %" PRIu8 " %" PRIx16, INT8_MIN, UINT8_MAX, UINT16_MAX);
  expect_as_host("%" PRId32 " %" PRIu32 " %" PRId64 " %" PRIu64 " %" PRIxPTR, INT32_MIN, UINT32_MAX, INT64_MIN,
                 UINT64_MAX, UINTPTR_MAX);
}

TEST(Format, TextWithoutConversionsAndPercentSigns) {
  expect_as_host("");
  expect_as_host("plain");
  expect_as_host("100%% of %d%%", 3);
}

TEST(Format, NullTextIsNamed) {
  char out[16];
  EXPECT_EQ(wick::format(out, sizeof(out), "%s", static_cast<const char*>(nullptr)), 6u);
  EXPECT_STREQ(out, "(null)");
}

TEST(Format, UnknownConversionsAreCopied) {
  char out[32];
  wick::format(out, sizeof(out), "a %5q b %d %", 3);
  EXPECT_STREQ(out, "a %5q b 3 %");
}

TEST(Format, EveryCapacityGetsAPrefixAndNothingBehindIt) {
  const char* format = "[%5d|%-8s|%08.3f|%#x|%lld]";
  char whole[128];
  const size_t length = wick::format(whole, sizeof(whole), format, 42, "abc", -2.5, 255u, LLONG_MIN);
  for (size_t capacity = 0; capacity <= length + 4; ++capacity) {
    char out[128];
    std::memset(out, '#', sizeof(out));
    EXPECT_EQ(wick::format(out, capacity, format, 42, "abc", -2.5, 255u, LLONG_MIN), length);
    const size_t written = capacity == 0 ? 0 : std::min(capacity - 1, length);
    EXPECT_EQ(std::string(out, written), std::string(whole, written));
    if (capacity > 0) {
      EXPECT_EQ(out[written], '\0');
    }
    for (size_t i = capacity; i < sizeof(out); ++i) ASSERT_EQ(out[i], '#') << "capacity " << capacity;
  }
}

TEST(Format, WithoutABufferTheLengthIsStillCounted) {
  EXPECT_EQ(wick::format(nullptr, 0, "%s %d %10s", "abc", 12, "x"), 17u);
}

TEST(Format, HugeWidthsAndPrecisionsStayWithinTheBuffer) {
  char out[8];
  wick::format(out, sizeof(out), "%99999999999999999999d", 1);
  EXPECT_STREQ(out, "       ");
  wick::format(out, sizeof(out), "%.*d", INT_MAX, 1);
  EXPECT_STREQ(out, "0000000");
  wick::format(out, sizeof(out), "%*d", INT_MIN, 1);
  EXPECT_STREQ(out, "1      ");
}

}  // namespace
