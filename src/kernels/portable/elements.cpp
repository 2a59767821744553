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

using executorch::runtime::etensor::complex;

// The types that a compute type loads and stores in loops of their own; all others go by way of another compute type.
constexpr DtypeSet kFloatLoops = (kHalfs & kBuilt) | dtypes(ScalarType::Float);
constexpr DtypeSet kIntLoops = (kIntegral & kBuilt) | dtypes(ScalarType::Long);
constexpr DtypeSet kComplexLoops = (kComplexes & kBuilt) | dtypes(ScalarType::ComplexDouble);

// Calls function(DtypeTag<T>) for a dtype of kTypes; false for any other.
template <DtypeSet kTypes, typename Function>
bool with_dtype(ScalarType type, Function function) {
  using ST = ScalarType;
  using executorch::runtime::etensor::BFloat16;
  using executorch::runtime::etensor::Half;
  return internal::try_dtype<kTypes, ST::Float, float>(type, function) ||
         internal::try_dtype<kTypes, ST::Char, int8_t>(type, function) ||
         internal::try_dtype<kTypes, ST::Byte, uint8_t>(type, function) ||
         internal::try_dtype<kTypes, ST::Short, int16_t>(type, function) ||
         internal::try_dtype<kTypes, ST::Int, int32_t>(type, function) ||
         internal::try_dtype<kTypes, ST::Long, int64_t>(type, function) ||
         internal::try_dtype<kTypes, ST::Bool, bool>(type, function) ||
         internal::try_dtype<kTypes, ST::Half, Half>(type, function) ||
         internal::try_dtype<kTypes, ST::BFloat16, BFloat16>(type, function) ||
         internal::try_dtype<kTypes, ST::Double, double>(type, function) ||
         internal::try_dtype<kTypes, ST::UInt16, uint16_t>(type, function) ||
         internal::try_dtype<kTypes, ST::UInt32, uint32_t>(type, function) ||
         internal::try_dtype<kTypes, ST::ComplexFloat, complex<float>>(type, function) ||
         internal::try_dtype<kTypes, ST::ComplexDouble, complex<double>>(type, function) ||
         internal::try_dtype<kTypes, ST::ComplexHalf, complex<Half>>(type, function);
}

constexpr bool built(Compute compute) { return (dtypes_of(compute) & kBuilt) != 0; }

// What integers are made from: double has room for every float.
using Wide = std::conditional_t<built(Compute::kDouble), double, float>;

// Float to integer without undefined behaviour; what is out of range becomes the smallest integer, as on x86.
int64_t to_int64(Wide value) {
  constexpr Wide kBound = static_cast<Wide>(9223372036854775808.0);
  return value >= -kBound && value < kBound ? static_cast<int64_t>(value) : std::numeric_limits<int64_t>::min();
}

// The same for an element of an integral dtype.
int64_t to_integral(ScalarType type, Wide value) {
  if (type == ScalarType::Bool) {
    return value != 0;
  }
  const int64_t whole = to_int64(value);
  const bool fits = whole >= std::numeric_limits<int32_t>::min() && whole <= std::numeric_limits<int32_t>::max();
  return type != ScalarType::Int || fits ? whole : std::numeric_limits<int32_t>::min();
}

template <DtypeSet kTypes, typename C>
bool load_loop(ScalarType type, const void* in, ptrdiff_t step, size_t n, C* out) {
  return with_dtype<kTypes>(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const char* from = static_cast<const char*>(in);
    for (size_t i = 0; i < n; ++i, from += i < n ? step : 0) {
      if constexpr (std::is_same_v<T, bool>) {
        out[i] = static_cast<C>(*from != 0);  // a byte of a program may be neither 0 nor 1
      } else {
        out[i] = static_cast<C>(*reinterpret_cast<const T*>(from));
      }
    }
  });
}

template <DtypeSet kTypes, typename C>
bool store_loop(ScalarType type, void* out, ptrdiff_t step, size_t n, const C* in) {
  return with_dtype<kTypes>(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    char* to = static_cast<char*>(out);
    for (size_t i = 0; i < n; ++i, to += i < n ? step : 0) {
      *reinterpret_cast<T*>(to) = static_cast<T>(in[i]);
    }
  });
}

// Calls function(pointer, i) for elements `step` bytes apart.
template <typename Pointer, typename Function>
void each(Pointer data, ptrdiff_t step, size_t n, Function function) {
  for (size_t i = 0; i < n; ++i, data += i < n ? step : 0) {
    function(data, i);
  }
}

}  // namespace

void load(ScalarType type, const void* in, ptrdiff_t step, size_t n, float* out) {
  if (load_loop<kFloatLoops>(type, in, step, n, out) || kOneDtype) {
    return;
  }
  each(static_cast<const char*>(in), step, n, [=](const char* from, size_t i) {
    out[i] = built(Compute::kDouble) && type == ScalarType::Double ? static_cast<float>(load_one<double>(type, from))
                                                                   : to_float(load_one<int64_t>(type, from));
  });
}

void load(ScalarType type, const void* in, ptrdiff_t step, size_t n, double* out) {
  each(static_cast<const char*>(in), step, n, [=](const char* from, size_t i) {
    out[i] = type == ScalarType::Double        ? *reinterpret_cast<const double*>(from)
             : is_in(type, kFloating & kBuilt) ? static_cast<double>(load_one<float>(type, from))
                                               : to_double(load_one<int64_t>(type, from));
  });
}

void load(ScalarType type, const void* in, ptrdiff_t step, size_t n, int64_t* out) {
  if (!load_loop<kIntLoops>(type, in, step, n, out)) {
    memset(out, 0, n * sizeof(*out));
  }
}

void load(ScalarType type, const void* in, ptrdiff_t step, size_t n, Complex* out) {
  if (!load_loop<kComplexLoops>(type, in, step, n, out)) {
    each(static_cast<const char*>(in), step, n,
         [=](const char* from, size_t i) { out[i] = Complex(load_one<double>(type, from)); });
  }
}

void store(ScalarType type, void* out, ptrdiff_t step, size_t n, const float* in) {
  if (store_loop<kFloatLoops>(type, out, step, n, in) || kOneDtype) {
    return;
  }
  each(static_cast<char*>(out), step, n, [=](char* to, size_t i) {
    if (built(Compute::kDouble) && type == ScalarType::Double) {
      *reinterpret_cast<double*>(to) = static_cast<double>(in[i]);
    } else {
      store_one(type, to, to_integral(type, in[i]));
    }
  });
}

void store(ScalarType type, void* out, ptrdiff_t step, size_t n, const double* in) {
  each(static_cast<char*>(out), step, n, [=](char* to, size_t i) {
    if (type == ScalarType::Double) {
      *reinterpret_cast<double*>(to) = in[i];
    } else if (is_in(type, kFloating & kBuilt)) {
      store_one(type, to, static_cast<float>(in[i]));
    } else {
      store_one(type, to, to_integral(type, static_cast<Wide>(in[i])));
    }
  });
}

void store(ScalarType type, void* out, ptrdiff_t step, size_t n, const int64_t* in) {
  if (store_loop<kIntLoops>(type, out, step, n, in)) {
    return;
  }
  each(static_cast<char*>(out), step, n, [=](char* to, size_t i) {
    if (built(Compute::kDouble) && type == ScalarType::Double) {
      *reinterpret_cast<double*>(to) = to_double(in[i]);
    } else if (is_in(type, kFloatLoops)) {
      store_one(type, to, to_float(in[i]));
    }
  });
}

void store(ScalarType type, void* out, ptrdiff_t step, size_t n, const Complex* in) {
  if (store_loop<kComplexLoops>(type, out, step, n, in)) {
    return;
  }
  each(static_cast<char*>(out), step, n, [=](char* to, size_t i) {
    const bool imaginary = type == ScalarType::Bool && in[i].imag() != 0;
    store_one(type, to, imaginary ? 1.0 : in[i].real());
  });
}

void load(Compute compute, ScalarType type, const void* in, ptrdiff_t step, size_t n, void* out) {
  if (built(Compute::kFloat) && compute == Compute::kFloat) {
    load(type, in, step, n, static_cast<float*>(out));
  } else if (built(Compute::kInt) && compute == Compute::kInt && is_in(type, kFloating & kBuilt)) {
    each(static_cast<const char*>(in), step, n,
         [=](const char* from, size_t i) { static_cast<int64_t*>(out)[i] = to_int64(load_one<Wide>(type, from)); });
  } else if (built(Compute::kInt) && compute == Compute::kInt) {
    load(type, in, step, n, static_cast<int64_t*>(out));
  } else if (built(Compute::kDouble) && compute == Compute::kDouble) {
    load(type, in, step, n, static_cast<double*>(out));
  } else if (built(Compute::kComplex) && compute == Compute::kComplex) {
    load(type, in, step, n, static_cast<Complex*>(out));
  }
}

void store(Compute compute, ScalarType type, void* out, ptrdiff_t step, size_t n, const void* in) {
  if (built(Compute::kFloat) && compute == Compute::kFloat) {
    store(type, out, step, n, static_cast<const float*>(in));
  } else if (built(Compute::kInt) && compute == Compute::kInt) {
    store(type, out, step, n, static_cast<const int64_t*>(in));
  } else if (built(Compute::kDouble) && compute == Compute::kDouble) {
    store(type, out, step, n, static_cast<const double*>(in));
  } else if (built(Compute::kComplex) && compute == Compute::kComplex) {
    store(type, out, step, n, static_cast<const Complex*>(in));
  }
}

size_t bytes_of(ScalarType type) { return dtype_bytes(type); }

namespace {

// A scalar that is an integer or a bool.
int64_t whole_number(const Scalar& scalar) { return scalar.to<int64_t>(); }

}  // namespace

double scalar_to_double(const Scalar& scalar) {
  return scalar.isFloatingPoint() ? scalar.to<double>() : to_double(whole_number(scalar));
}

int64_t scalar_to_int(const Scalar& scalar) {
  return scalar.isFloatingPoint() ? to_int64(static_cast<Wide>(scalar.to<double>())) : whole_number(scalar);
}

void load_scalar(Compute compute, const Scalar& scalar, void* out) {
  if (built(Compute::kFloat) && compute == Compute::kFloat) {
    const float value =
        scalar.isFloatingPoint() ? static_cast<float>(scalar.to<double>()) : to_float(whole_number(scalar));
    memcpy(out, &value, sizeof(value));
  } else if (built(Compute::kInt) && compute == Compute::kInt) {
    const int64_t value = scalar_to_int(scalar);
    memcpy(out, &value, sizeof(value));
  } else if (built(Compute::kDouble) || built(Compute::kComplex)) {
    const Complex value(scalar_to_double(scalar));
    memcpy(out, &value, compute == Compute::kComplex ? sizeof(value) : sizeof(double));
  }
}

namespace {

bool is_infinite_or_nan(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return (bits >> 52 & 0x7FF) == 0x7FF;
}

bool fits_floating(const Scalar& scalar, ScalarType type) {
  float value;
  load_scalar(Compute::kFloat, scalar, &value);
  const float largest = type == ScalarType::Half       ? 65504.0f
                        : type == ScalarType::BFloat16 ? 3.3895314e38f
                                                       : std::numeric_limits<float>::max();
  return !(std::fabs(value) > largest) || (scalar.isFloatingPoint() && is_infinite_or_nan(scalar.to<double>()));
}

bool fits_integral(const Scalar& scalar, ScalarType type) {
  const unsigned bits = 8 * static_cast<unsigned>(dtype_bytes(type));
  const bool is_signed = is_in(type, kInts) && type != ScalarType::Byte;
  if (scalar.isFloatingPoint()) {
    const double value = scalar.to<double>();
    const double bound = static_cast<double>(uint64_t{1} << (bits - 1)) * (is_signed ? 1 : 2);
    return is_signed ? value >= -bound && (bits == 64 ? value < bound : value <= bound - 1)
                     : value > -bound && value <= bound - 1;
  }
  const int64_t value = whole_number(scalar);
  const int64_t above = bits == 64 ? 0 : (int64_t{1} << (bits - 1)) * (is_signed ? 1 : 2);
  return bits == 64 || (value < above && value >= (is_signed ? -above : 1 - above));
}

}  // namespace

bool require_fit(KernelRuntimeContext& ctx, const Scalar& scalar, ScalarType type) {
  const ScalarType to = kOneDtype ? only_dtype() : type;
  bool fits = true;
  if (built(Compute::kFloat) && is_in(to, dtypes_of(Compute::kFloat))) {
    fits = fits_floating(scalar, to);
  } else if (built(Compute::kInt) && is_in(to, kIntegral) && to != ScalarType::Bool) {
    fits = fits_integral(scalar, to);
  }
  WICK_REQUIRE(ctx, fits, false, "a number overflows dtype %d", static_cast<int>(to));
  return true;
}

void store_scalar(ScalarType type, const Scalar& scalar, void* out) {
  alignas(16) char number[kComputeBytes];
  const Compute compute = compute_of(kOneDtype ? only_dtype() : type);
  if (built(Compute::kInt) && type == ScalarType::Bool && scalar.isFloatingPoint()) {
    const int64_t truth = scalar.to<double>() != 0 ? 1 : 0;
    store_one(type, out, truth);
    return;
  }
  load_scalar(compute, scalar, number);
  store(compute, type, out, 0, 1, number);
}

ScalarType promote(ScalarType a, ScalarType b) {
  if (a == b || b == ScalarType::Undefined) {
    return a;
  }
  if (a == ScalarType::Undefined) {
    return b;
  }
  // Classes in rising order; within a class the larger type wins.
  const auto rank = [](ScalarType type) {
    return type == ScalarType::Bool  ? 0
           : is_in(type, kIntegral)  ? 1
           : is_in(type, kFloating)  ? 2
           : is_in(type, kComplexes) ? 3
                                     : 4;
  };
  if (rank(a) > rank(b)) {
    const ScalarType swap = a;
    a = b;
    b = swap;
  }
  const size_t a_size = element_size(a);
  const size_t b_size = element_size(b);
  if (rank(a) < rank(b)) {  // b decides, except that a double makes a complex one double
    return b != ScalarType::ComplexDouble && is_in(b, kComplexes) && a == ScalarType::Double ? ScalarType::ComplexDouble
           : b == ScalarType::ComplexHalf && a == ScalarType::Float                          ? ScalarType::ComplexFloat
                                                                                             : b;
  }
  if (a_size != b_size) {
    return a_size > b_size ? a : b;
  }
  if (a_size == 1) {
    return ScalarType::Short;  // uint8 with int8
  }
  return a_size == 2 ? (is_in(a, kFloating) ? ScalarType::Float : ScalarType::Int) : ScalarType::Long;
}

ScalarType ResultType::dtype_of(const Scalar& scalar) {
  return scalar.isFloatingPoint() ? ScalarType::Float : scalar.isBoolean() ? ScalarType::Bool : ScalarType::Long;
}

ScalarType ResultType::combine(ScalarType higher, ScalarType lower) {
  if (is_in(higher, kComplexes)) {
    return higher;
  }
  if (is_in(higher, kFloating)) {
    if (is_in(lower, kComplexes)) {
      return higher == ScalarType::Double ? ScalarType::ComplexDouble : ScalarType::ComplexFloat;
    }
    return higher;
  }
  if (higher == ScalarType::Bool || higher == ScalarType::Undefined || is_in(lower, kFloating | kComplexes)) {
    return promote(higher, lower);
  }
  return higher;
}

bool can_cast_dtype(ScalarType from, ScalarType to) {
  if (is_in(from, kComplexes) && !is_in(to, kComplexes)) {
    return false;
  }
  if (is_in(from, kFloating) && is_in(to, kIntegral)) {
    return false;
  }
  return from == ScalarType::Bool || to != ScalarType::Bool;
}

}  // namespace portable
}  // namespace wick
