// SPDX-License-Identifier: BSD-3-Clause
//
// Loads and stores between dtypes and compute types, and PyTorch's type promotion (see elements.h).
#include "src/kernels/portable/elements.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace wick {
namespace portable {

// Rounds once, like a conversion; the compiler's own brings in software floating point even where there is an FPU.
float to_float(int64_t value) {
  uint64_t magnitude = value < 0 ? ~static_cast<uint64_t>(value) + 1 : static_cast<uint64_t>(value);
  float scale = value < 0 ? -1.0f : 1.0f;
  while ((magnitude >> 32) != 0) {
    magnitude = (magnitude >> 1) | (magnitude & 1);  // what falls off still counts for the rounding
    scale *= 2;
  }
  return static_cast<float>(static_cast<uint32_t>(magnitude)) * scale;
}

// Exact up to the last addition, which rounds.
double to_double(int64_t value) {
  return static_cast<double>(static_cast<int32_t>(value >> 32)) * 4294967296.0 +
         static_cast<double>(static_cast<uint32_t>(value));
}

namespace {

// What counts more in promotions comes later.
enum class Kind : uint8_t { kBool, kInteger, kFloating, kComplex, kOther };

// The kind of a dtype and, in the low bits, its bytes: by number, they rank dtypes from Undefined and Bool on.
constexpr unsigned kByteBits = 5;
struct Ranks {
  uint8_t ranks[static_cast<size_t>(ScalarType::Undefined) + 1] = {};

  constexpr Ranks() {
    for (size_t i = 0; i < static_cast<size_t>(ScalarType::Undefined); ++i) {
      const ScalarType type = static_cast<ScalarType>(i);
      const Kind kind = type == ScalarType::Bool  ? Kind::kBool
                        : is_in(type, kIntegral)  ? Kind::kInteger
                        : is_in(type, kFloating)  ? Kind::kFloating
                        : is_in(type, kComplexes) ? Kind::kComplex
                                                  : Kind::kOther;
      ranks[i] = static_cast<uint8_t>(static_cast<size_t>(kind) << kByteBits | dtype_bytes(type));
    }
  }
};
constexpr Ranks kRanks;

unsigned rank_of(ScalarType type) { return kRanks.ranks[static_cast<size_t>(type)]; }
Kind kind_of(ScalarType type) { return static_cast<Kind>(rank_of(type) >> kByteBits); }

// Complex dtypes have the numbers of those of their parts, and so much.
constexpr int kComplexDistance = static_cast<int>(ScalarType::ComplexFloat) - static_cast<int>(ScalarType::Float);
ScalarType complex_of(ScalarType part) { return static_cast<ScalarType>(static_cast<int>(part) + kComplexDistance); }

constexpr bool built(Compute compute) { return (dtypes_of(compute) & kBuilt) != 0; }

// Has room for every floating number of this build.
constexpr bool kHasDouble = built(Compute::kDouble) || built(Compute::kComplex);
using Wide = std::conditional_t<kHasDouble, double, float>;
constexpr ScalarType kWide = kHasDouble ? ScalarType::Double : ScalarType::Float;

// What converts: the dtypes of this build, and those whose elements are compute types.
constexpr DtypeSet kIntegralHere = (kIntegral & kBuilt) | dtypes(ScalarType::Long);
constexpr DtypeSet kNarrow = (kHalfs & kBuilt) | dtypes(ScalarType::Float);  // beside double

// An integer on its way to a floating dtype, rounded at most once.
Wide to_wide(int64_t value, ScalarType type) {
  if constexpr (kHasDouble) {
    constexpr int64_t kBelow = 0x7FF;  // bits of large numbers for which double has no place
    const int32_t high = static_cast<int32_t>(value >> 32);
    const bool is_large = high >> 16 != high >> 31;
    if (type != ScalarType::Double && is_large && (value & kBelow) != 0) {
      value = (value & ~kBelow) | 0x400;  // what falls off still counts for the rounding
    }
    return to_double(value);
  } else {
    (void)type;
    return to_float(value);
  }
}

// Float to integer without undefined behaviour; what is out of range becomes the smallest integer, as on x86. By
// halves, as the compiler's own conversion brings in software floating point even where there is an FPU.
int64_t to_int64(Wide value) {
  constexpr Wide kHalf = static_cast<Wide>(4294967296.0);
  const Wide magnitude = std::fabs(value);
  if (!(magnitude < kHalf * (kHalf / 2))) {
    return std::numeric_limits<int64_t>::min();
  }
  const uint32_t high = static_cast<uint32_t>(magnitude / kHalf);
  const uint32_t low = static_cast<uint32_t>(magnitude - static_cast<Wide>(high) * kHalf);
  const int64_t whole = static_cast<int64_t>(static_cast<uint64_t>(high) << 32 | low);
  return value < 0 ? -whole : whole;
}

// The same for an element of an integral dtype.
int64_t to_integral(ScalarType type, Wide value, Wide imaginary) {
  if (type == ScalarType::Bool) {
    return value != 0 || imaginary != 0;
  }
  const int64_t whole = to_int64(value);
  const bool fits = whole == static_cast<int32_t>(whole);
  return type != ScalarType::Int || fits ? whole : std::numeric_limits<int32_t>::min();
}

int64_t read_integral(ScalarType type, const char* from) {
  int64_t value = 0;
  with_dtype<kIntegralHere>(type, [&value, from](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, bool>) {
      value = *from != 0;  // a byte of a program may be neither 0 nor 1
    } else {
      value = static_cast<int64_t>(*reinterpret_cast<const T*>(from));
    }
  });
  return value;
}

void write_integral(ScalarType type, char* to, int64_t value) {
  with_dtype<kIntegralHere>(type, [to, value](auto tag) {
    using T = typename decltype(tag)::type;
    *reinterpret_cast<T*>(to) = static_cast<T>(value);
  });
}

Wide read_floating(ScalarType type, const char* from) {
  if (kHasDouble && type == ScalarType::Double) {
    return static_cast<Wide>(*reinterpret_cast<const double*>(from));
  }
  float value = 0;
  with_dtype<kNarrow>(type, [&value, from](auto tag) {
    using T = typename decltype(tag)::type;
    value = *reinterpret_cast<const T*>(from);
  });
  return static_cast<Wide>(value);
}

void write_floating(ScalarType type, char* to, Wide value) {
  if (kHasDouble && type == ScalarType::Double) {
    *reinterpret_cast<double*>(to) = static_cast<double>(value);
    return;
  }
  const float narrow = static_cast<float>(value);
  with_dtype<kNarrow>(type, [to, narrow](auto tag) {
    using T = typename decltype(tag)::type;
    *reinterpret_cast<T*>(to) = narrow;
  });
}

constexpr bool is_complex(ScalarType type) { return is_in(type, kComplexes & kBuilt); }

// The dtype of the parts of complex numbers; of others, the dtype.
ScalarType part_of(ScalarType type) {
  return is_complex(type) ? static_cast<ScalarType>(static_cast<int>(type) - kComplexDistance) : type;
}

// An element on its way from one dtype to another.
struct Number {
  Wide real;
  Wide imaginary;
  int64_t whole;
  bool integral;
};

void read(ScalarType type, const char* from, Number& number) {
  number.integral = is_in(type, kIntegral);
  number.imaginary = 0;
  if (number.integral) {
    number.whole = read_integral(type, from);
    return;
  }
  const ScalarType part = part_of(type);
  number.real = read_floating(part, from);
  if (is_complex(type)) {
    number.imaginary = read_floating(part, from + bytes_of(part));
  }
}

void write(ScalarType type, char* to, const Number& number) {
  if (is_in(type, kIntegral)) {
    write_integral(type, to, number.integral ? number.whole : to_integral(type, number.real, number.imaginary));
    return;
  }
  const ScalarType part = part_of(type);
  const Wide real = number.integral ? to_wide(number.whole, part) : number.real;
  write_floating(part, to, real);
  if (is_complex(type)) {
    write_floating(part, to + bytes_of(part), number.imaginary);
  }
}

}  // namespace

size_t bytes_of(ScalarType type) { return rank_of(type) & ((1u << kByteBits) - 1); }

void convert(const Strip& from, const Strip& to, size_t n) {
  const Strip in = from;
  const Strip out = to;
  for (size_t i = 0; i < n; ++i) {
    const ptrdiff_t at = static_cast<ptrdiff_t>(i);
    Number number;
    read(in.type, in.data + at * in.step, number);
    write(out.type, out.data + at * out.step, number);
  }
}

namespace {

Strip strip(ScalarType type, const void* data, ptrdiff_t step) {
  return {type, static_cast<char*>(const_cast<void*>(data)), step};
}

// The dtype that is the compute type copies; `kOthers` are the dtypes that convert to it.
template <DtypeSet kOthers, typename C>
void load_as(ScalarType type, const void* in, ptrdiff_t step, size_t n, C* out) {
  constexpr ScalarType kOwn = executorch::runtime::CppTypeToScalarType<C>::value;
  if ((kOthers & kBuilt & ~dtypes(kOwn)) != 0 && type != kOwn) {
    return convert(strip(type, in, step), strip(kOwn, out, sizeof(C)), n);
  }
  for (size_t i = 0; i < n; ++i) {
    out[i] = *reinterpret_cast<const C*>(static_cast<const char*>(in) + static_cast<ptrdiff_t>(i) * step);
  }
}

template <DtypeSet kOthers, typename C>
void store_as(ScalarType type, void* out, ptrdiff_t step, size_t n, const C* in) {
  constexpr ScalarType kOwn = executorch::runtime::CppTypeToScalarType<C>::value;
  if ((kOthers & kBuilt & ~dtypes(kOwn)) != 0 && type != kOwn) {
    return convert(strip(kOwn, in, sizeof(C)), strip(type, out, step), n);
  }
  for (size_t i = 0; i < n; ++i) {
    *reinterpret_cast<C*>(static_cast<char*>(out) + static_cast<ptrdiff_t>(i) * step) = in[i];
  }
}

}  // namespace

void load(ScalarType type, const void* in, ptrdiff_t step, size_t n, float* out) {
  load_as<kNumbers>(type, in, step, n, out);
}
void load(ScalarType type, const void* in, ptrdiff_t step, size_t n, double* out) {
  load_as<kNumbers>(type, in, step, n, out);
}
void load(ScalarType type, const void* in, ptrdiff_t step, size_t n, int64_t* out) {
  load_as<kIntegral>(type, in, step, n, out);
}
void load(ScalarType type, const void* in, ptrdiff_t step, size_t n, Complex* out) {
  load_as<kNumbers>(type, in, step, n, out);
}
void store(ScalarType type, void* out, ptrdiff_t step, size_t n, const float* in) {
  store_as<kNumbers>(type, out, step, n, in);
}
void store(ScalarType type, void* out, ptrdiff_t step, size_t n, const double* in) {
  store_as<kNumbers>(type, out, step, n, in);
}
void store(ScalarType type, void* out, ptrdiff_t step, size_t n, const int64_t* in) {
  store_as<kNumbers>(type, out, step, n, in);
}
void store(ScalarType type, void* out, ptrdiff_t step, size_t n, const Complex* in) {
  store_as<kNumbers>(type, out, step, n, in);
}

void load(Compute compute, ScalarType type, const void* in, ptrdiff_t step, size_t n, void* out) {
  if (built(Compute::kFloat) && compute == Compute::kFloat) {
    load(type, in, step, n, static_cast<float*>(out));
  } else if (built(Compute::kDouble) && compute == Compute::kDouble) {
    load(type, in, step, n, static_cast<double*>(out));
  } else if (type == ScalarType::Long && compute == Compute::kInt) {
    load(type, in, step, n, static_cast<int64_t*>(out));
  } else if (built(Compute::kInt) || built(Compute::kComplex)) {
    convert(strip(type, in, step), strip(dtype_of(compute), out, static_cast<ptrdiff_t>(size_of(compute))), n);
  }
}

void store(Compute compute, ScalarType type, void* out, ptrdiff_t step, size_t n, const void* in) {
  if (built(Compute::kFloat) && compute == Compute::kFloat) {
    store(type, out, step, n, static_cast<const float*>(in));
  } else if (built(Compute::kDouble) || built(Compute::kInt) || built(Compute::kComplex)) {
    convert(strip(dtype_of(compute), in, static_cast<ptrdiff_t>(size_of(compute))), strip(type, out, step), n);
  }
}

namespace {

// A scalar that is an integer or a bool.
int64_t whole_number(const Scalar& scalar) { return scalar.to<int64_t>(); }

// A scalar as a floating number.
template <typename W>
W to_floating(const Scalar& scalar) {
  return scalar.isFloatingPoint() ? static_cast<W>(scalar.to<double>()) : from_int<W>(whole_number(scalar));
}

}  // namespace

double scalar_to_double(const Scalar& scalar) { return to_floating<double>(scalar); }

int64_t scalar_to_int(const Scalar& scalar) {
  return scalar.isFloatingPoint() ? to_int64(static_cast<Wide>(scalar.to<double>())) : whole_number(scalar);
}

void store_scalar(ScalarType type, const Scalar& scalar, void* out) {
  if (kOneDtype && only_dtype() == ScalarType::Float) {
    *static_cast<float*>(out) = to_floating<float>(scalar);
    return;
  }
  if (scalar.isFloatingPoint()) {
    const Wide value = static_cast<Wide>(scalar.to<double>());
    convert(strip(kWide, &value, 0), strip(type, out, 0), 1);
  } else {
    const int64_t value = whole_number(scalar);
    convert(strip(ScalarType::Long, &value, 0), strip(type, out, 0), 1);
  }
}

namespace {

bool is_infinite_or_nan(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return (bits >> 52 & 0x7FF) == 0x7FF;
}

// What numbers are checked in; programs of floats only need no double.
using Checked = std::conditional_t<kHasDouble || (kIntegral & kBuilt) != 0, double, float>;

Checked to_checked(const Scalar& scalar) {
  if constexpr (kHasDouble) {
    double value;
    store_scalar(ScalarType::Double, scalar, &value);
    return value;
  } else {
    return to_floating<Checked>(scalar);
  }
}

bool fits_integral(Checked value, ScalarType type) {
  const bool is_signed = is_in(type, kInts & ~dtypes(ScalarType::Byte));
  const uint32_t power = 8 * static_cast<uint32_t>(bytes_of(type)) - (is_signed ? 1 : 0);
  const uint32_t bits = (127 + power) << 23;  // 2^power
  float bound;
  memcpy(&bound, &bits, sizeof(bound));
  const Checked largest = static_cast<Checked>(bound) - 1;  // 2^63 for int64, as PyTorch has it
  const Checked least = is_signed ? -static_cast<Checked>(bound) : -largest;
  return value >= least && value <= largest;
}

bool fits_floating(Checked value, ScalarType type) {
  const float largest = type == ScalarType::Half       ? 65504.0f
                        : type == ScalarType::BFloat16 ? 3.3895314e38f
                                                       : std::numeric_limits<float>::max();
  return !(std::fabs(value) > static_cast<Checked>(largest));
}

}  // namespace

bool require_fit(KernelRuntimeContext& ctx, const Scalar& scalar, ScalarType type) {
  const ScalarType to = kOneDtype ? only_dtype() : type;
  const Checked value = to_checked(scalar);
  bool fits = true;
  if (is_in(to, dtypes_of(Compute::kFloat) & kBuilt)) {
    fits = fits_floating(value, to) || (scalar.isFloatingPoint() && is_infinite_or_nan(scalar.to<double>()));
  } else if (is_in(to, kIntegral & kBuilt & ~kBoolean)) {
    fits = fits_integral(value, to);
  }
  WICK_REQUIRE(ctx, fits, false, "a number overflows dtype %d", static_cast<int>(to));
  return true;
}

ScalarType promote(ScalarType a, ScalarType b) {
  if (rank_of(a) > rank_of(b)) {
    const ScalarType swap = a;
    a = b;
    b = swap;
  }
  const size_t bytes = bytes_of(a);
  if (kind_of(a) != kind_of(b)) {  // b decides, except that it may need larger parts
    return kind_of(b) == Kind::kComplex && kind_of(a) == Kind::kFloating && 2 * bytes > bytes_of(b) ? complex_of(a) : b;
  }
  if (rank_of(a) != rank_of(b) || a == b) {
    return b;
  }
  // Equally large: the smallest that holds both, Short for 1 byte, Int for 2, Long for 4.
  return kind_of(a) == Kind::kFloating ? ScalarType::Float
                                       : static_cast<ScalarType>(static_cast<size_t>(ScalarType::Short) + bytes / 2);
}

ScalarType ResultType::dtype_of(const Scalar& scalar) {
  return scalar.isFloatingPoint() ? ScalarType::Float : scalar.isBoolean() ? ScalarType::Bool : ScalarType::Long;
}

ScalarType ResultType::combine(ScalarType higher, ScalarType lower) {
  if (higher == ScalarType::Undefined) {
    return lower;
  }
  if (kind_of(higher) >= kind_of(lower)) {
    return higher;
  }
  if (kind_of(higher) == Kind::kFloating) {
    return kind_of(lower) != Kind::kComplex ? higher
           : higher == ScalarType::Double   ? ScalarType::ComplexDouble
                                            : ScalarType::ComplexFloat;
  }
  return lower;
}

bool can_cast_dtype(ScalarType from, ScalarType to) {
  return from == to || (kind_of(from) <= kind_of(to) && kind_of(to) != Kind::kOther);
}

}  // namespace portable
}  // namespace wick
