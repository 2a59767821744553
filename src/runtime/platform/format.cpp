// SPDX-License-Identifier: BSD-3-Clause
// The formatter behind ET_LOG. See format.h.

#include <wick/format.h>

#include <cstdint>
#include <cstring>

#include "src/runtime/platform/decimal.h"

namespace wick {
namespace {

/// Where text goes: it counts everything and keeps what fits.
class Output {
 public:
  Output(char* buffer, size_t capacity) : buffer_(buffer), capacity_(capacity) {}

  void put(char c) {
    if (length_ + 1 < capacity_) buffer_[length_] = c;
    ++length_;
  }

  void put(const char* text, size_t length) {
    for (size_t i = 0; i < length; ++i) put(text[i]);
  }

  void fill(char c, size_t count) {
    if (length_ + 1 < capacity_) {
      const size_t room = capacity_ - length_ - 1;
      memset(buffer_ + length_, c, count < room ? count : room);
    }
    length_ += count;
  }

  size_t finish() {
    if (capacity_ > 0) buffer_[length_ < capacity_ ? length_ : capacity_ - 1] = '\0';
    return length_;
  }

 private:
  char* buffer_;
  size_t capacity_;
  size_t length_ = 0;
};

enum class Length : uint8_t { kInt, kChar, kShort, kLong, kLongLong, kSize, kMax, kPointerDifference, kLongDouble };

/// One conversion: `%`, flags, width, precision, length, and the letter that names it.
struct Directive {
  bool left = false;
  bool plus = false;
  bool space = false;
  bool alternate = false;
  bool zero = false;
  size_t width = 0;
  int precision = -1;  // negative: not given
  Length length = Length::kInt;
  char conversion = '\0';
};

/// Arguments in a struct: a va_list is an array on some targets, where it cannot be passed by reference.
struct Arguments {
  va_list list;
};

constexpr int kLargest = 1 << 20;  // more is a mistake, and sums must not overflow

int parse_number(const char*& p) {
  int number = 0;
  while (*p >= '0' && *p <= '9') {
    number = number * 10 + (*p++ - '0');
    if (number > kLargest) number = kLargest;
  }
  return number;
}

int parse_number_or_star(const char*& p, Arguments& args) {
  if (*p != '*') return parse_number(p);
  ++p;
  const int number = va_arg(args.list, int);
  return number > kLargest ? kLargest : number < -kLargest ? -kLargest : number;
}

Length parse_length(const char*& p) {
  switch (*p) {
    case 'h':
      if (*++p != 'h') return Length::kShort;
      ++p;
      return Length::kChar;
    case 'l':
      if (*++p != 'l') return Length::kLong;
      ++p;
      return Length::kLongLong;
    case 'z':
      ++p;
      return Length::kSize;
    case 'j':
      ++p;
      return Length::kMax;
    case 't':
      ++p;
      return Length::kPointerDifference;
    case 'L':
      ++p;
      return Length::kLongDouble;
    default:
      return Length::kInt;
  }
}

/// Parses what follows a '%' and leaves `p` behind it.
Directive parse(const char*& p, Arguments& args) {
  Directive d;
  for (;; ++p) {
    if (*p == '-') {
      d.left = true;
    } else if (*p == '+') {
      d.plus = true;
    } else if (*p == ' ') {
      d.space = true;
    } else if (*p == '#') {
      d.alternate = true;
    } else if (*p == '0') {
      d.zero = true;
    } else {
      break;
    }
  }
  const int width = parse_number_or_star(p, args);
  if (width < 0) d.left = true;
  d.width = static_cast<size_t>(width < 0 ? -width : width);
  if (*p == '.') {
    ++p;
    d.precision = parse_number_or_star(p, args);
  }
  d.length = parse_length(p);
  d.conversion = *p;
  if (*p != '\0') ++p;
  return d;
}

int64_t signed_argument(Length length, Arguments& args) {
  switch (length) {
    case Length::kChar:
      return static_cast<signed char>(va_arg(args.list, int));
    case Length::kShort:
      return static_cast<short>(va_arg(args.list, int));
    case Length::kLong:
      return va_arg(args.list, long);
    case Length::kLongLong:
      return va_arg(args.list, long long);
    case Length::kMax:
      return va_arg(args.list, intmax_t);
    case Length::kSize:
    case Length::kPointerDifference:
      return va_arg(args.list, ptrdiff_t);
    default:
      return va_arg(args.list, int);
  }
}

uint64_t unsigned_argument(Length length, Arguments& args) {
  switch (length) {
    case Length::kChar:
      return static_cast<unsigned char>(va_arg(args.list, unsigned));
    case Length::kShort:
      return static_cast<unsigned short>(va_arg(args.list, unsigned));
    case Length::kLong:
      return va_arg(args.list, unsigned long);
    case Length::kLongLong:
      return va_arg(args.list, unsigned long long);
    case Length::kMax:
      return va_arg(args.list, uintmax_t);
    case Length::kSize:
    case Length::kPointerDifference:
      return va_arg(args.list, size_t);
    default:
      return va_arg(args.list, unsigned);
  }
}

/// The sign or base in front of a number.
struct Prefix {
  char text[3] = {};
  size_t length = 0;
  void add(char c) { text[length++] = c; }
};

Prefix sign_prefix(const Directive& d, bool negative) {
  Prefix prefix;
  if (negative) {
    prefix.add('-');
  } else if (d.plus) {
    prefix.add('+');
  } else if (d.space) {
    prefix.add(' ');
  }
  return prefix;
}

/// Spaces or zeros and the prefix, up to where a number of `body_length` characters begins. Returns the number of
/// spaces that must follow it.
size_t begin_field(Output& out, const Directive& d, const Prefix& prefix, size_t body_length, bool zeros) {
  const size_t used = prefix.length + body_length;
  const size_t padding = d.width > used ? d.width - used : 0;
  if (!d.left && !zeros) out.fill(' ', padding);
  out.put(prefix.text, prefix.length);
  if (!d.left && zeros) out.fill('0', padding);
  return d.left ? padding : 0;
}

void format_text(Output& out, const Directive& d, const char* text, size_t length) {
  const size_t after = begin_field(out, d, Prefix{}, length, false);
  out.put(text, length);
  out.fill(' ', after);
}

void format_string(Output& out, const Directive& d, const char* text) {
  if (text == nullptr) text = "(null)";
  const size_t limit = d.precision < 0 ? SIZE_MAX : static_cast<size_t>(d.precision);
  size_t length = 0;
  while (length < limit && text[length] != '\0') ++length;
  format_text(out, d, text, length);
}

void format_integer(Output& out, const Directive& d, uint64_t value, unsigned base, Prefix prefix) {
  const char* digits = d.conversion == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
  char buffer[22];  // 2^64 - 1 has 22 octal digits
  size_t count = 0;
  for (uint64_t rest = value; rest != 0; rest /= base) {
    buffer[sizeof(buffer) - ++count] = digits[rest % base];
  }
  size_t minimum = d.precision < 0 ? 1 : static_cast<size_t>(d.precision);
  if (d.alternate && base == 8 && minimum <= count) minimum = count + 1;
  if (d.alternate && base == 16 && value != 0) {
    prefix.add('0');
    prefix.add(d.conversion == 'X' ? 'X' : 'x');
  }
  const size_t zeros = minimum > count ? minimum - count : 0;
  const size_t after = begin_field(out, d, prefix, zeros + count, d.zero && d.precision < 0);
  out.fill('0', zeros);
  out.put(buffer + sizeof(buffer) - count, count);
  out.fill(' ', after);
}

void format_signed(Output& out, const Directive& d, int64_t value) {
  const uint64_t magnitude = value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  format_integer(out, d, magnitude, 10, sign_prefix(d, value < 0));
}

void format_pointer(Output& out, Directive d, const void* pointer) {
  if (pointer == nullptr) {
    format_text(out, d, "(nil)", 5);
    return;
  }
  d.alternate = true;
  format_integer(out, d, reinterpret_cast<uintptr_t>(pointer), 16, sign_prefix(d, false));
}

void put_digits(Output& out, const Decimal& value, int highest, int lowest) {
  for (int power = highest; power >= lowest; --power) out.put(static_cast<char>('0' + value.digit(power)));
}

/// The digits of `value` from 10^highest to 10^lowest, with a point after 10^units, and an exponent unless it is null.
void put_number(Output& out, const Directive& d, const Prefix& prefix, const Decimal& value, int highest, int units,
                int lowest, const int* exponent) {
  const bool point = lowest < units || d.alternate;
  size_t length = static_cast<size_t>(highest - lowest + 1) + (point ? 1 : 0);
  unsigned magnitude = 0;
  if (exponent != nullptr) {
    magnitude = static_cast<unsigned>(*exponent < 0 ? -*exponent : *exponent);
    length += magnitude >= 100 ? 5 : 4;
  }
  const size_t after = begin_field(out, d, prefix, length, d.zero);
  put_digits(out, value, highest, units);
  if (point) out.put('.');
  put_digits(out, value, units - 1, lowest);
  if (exponent != nullptr) {
    out.put(d.conversion == 'E' || d.conversion == 'G' ? 'E' : 'e');
    out.put(*exponent < 0 ? '-' : '+');
    if (magnitude >= 100) out.put(static_cast<char>('0' + magnitude / 100));
    out.put(static_cast<char>('0' + magnitude / 10 % 10));
    out.put(static_cast<char>('0' + magnitude % 10));
  }
  out.fill(' ', after);
}

/// %g: significant digits without trailing zeros, with an exponent when the number is very small or large.
void format_general(Output& out, const Directive& d, const Prefix& prefix, Decimal& value, int significant) {
  value.round_at(value.exponent10() - (significant - 1));
  const int exponent = value.exponent10();
  const bool fixed = exponent >= -4 && exponent < significant;
  const int units = fixed ? 0 : exponent;
  int lowest = exponent - (significant - 1);
  while (!d.alternate && lowest < units && value.digit(lowest) == 0) ++lowest;
  const int highest = fixed && exponent < 0 ? 0 : exponent;
  put_number(out, d, prefix, value, highest, units, lowest, fixed ? nullptr : &exponent);
}

// Not inlined: its Decimal takes half a kilobyte of stack, which messages without floating point shall not pay.
ET_NOINLINE void format_float(Output& out, const Directive& d, double number) {
  uint64_t bits;
  static_assert(sizeof(bits) == sizeof(number), "a double has 64 bits");
  memcpy(&bits, &number, sizeof(bits));
  const Prefix prefix = sign_prefix(d, (bits >> 63) != 0);
  const int biased = static_cast<int>((bits >> 52) & 0x7ff);
  const uint64_t fraction = bits & ((uint64_t{1} << 52) - 1);
  const bool upper = d.conversion < 'a';
  if (biased == 0x7ff) {
    const size_t after = begin_field(out, d, prefix, 3, false);
    out.put(fraction != 0 ? (upper ? "NAN" : "nan") : (upper ? "INF" : "inf"), 3);
    out.fill(' ', after);
    return;
  }
  Decimal value(biased == 0 ? fraction : fraction | (uint64_t{1} << 52), (biased == 0 ? 1 : biased) - 1075);
  const int precision = d.precision < 0 ? 6 : d.precision;
  if (d.conversion == 'g' || d.conversion == 'G') {
    format_general(out, d, prefix, value, precision == 0 ? 1 : precision);
  } else if (d.conversion == 'e' || d.conversion == 'E') {
    value.round_at(value.exponent10() - precision);
    const int exponent = value.exponent10();
    put_number(out, d, prefix, value, exponent, exponent, exponent - precision, &exponent);
  } else {
    value.round_at(-precision);
    const int exponent = value.exponent10();
    put_number(out, d, prefix, value, exponent < 0 ? 0 : exponent, 0, -precision, nullptr);
  }
}

void convert(Output& out, const Directive& d, Arguments& args, const char* begin, const char* end) {
  switch (d.conversion) {
    case 'd':
    case 'i':
      return format_signed(out, d, signed_argument(d.length, args));
    case 'u':
      return format_integer(out, d, unsigned_argument(d.length, args), 10, Prefix{});
    case 'x':
    case 'X':
      return format_integer(out, d, unsigned_argument(d.length, args), 16, Prefix{});
    case 'o':
      return format_integer(out, d, unsigned_argument(d.length, args), 8, Prefix{});
    case 'c': {
      const char c = static_cast<char>(va_arg(args.list, int));
      return format_text(out, d, &c, 1);
    }
    case 's':
      return format_string(out, d, va_arg(args.list, const char*));
    case 'p':
      return format_pointer(out, d, va_arg(args.list, const void*));
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
      return format_float(out, d,
                          d.length == Length::kLongDouble ? static_cast<double>(va_arg(args.list, long double))
                                                          : va_arg(args.list, double));
    case '%':
      return out.put('%');
    default:
      return out.put(begin, static_cast<size_t>(end - begin));
  }
}

}  // namespace

size_t format_va(char* buffer, size_t capacity, const char* format, va_list list) {
  Output out(buffer, capacity);
  Arguments args;
  va_copy(args.list, list);
  for (const char* p = format; *p != '\0';) {
    if (*p != '%') {
      out.put(*p++);
      continue;
    }
    const char* begin = p++;
    const Directive directive = parse(p, args);
    convert(out, directive, args, begin, p);
  }
  va_end(args.list);
  return out.finish();
}

size_t format(char* buffer, size_t capacity, const char* format, ...) {
  va_list args;
  va_start(args, format);
  const size_t length = format_va(buffer, capacity, format, args);
  va_end(args);
  return length;
}

}  // namespace wick
