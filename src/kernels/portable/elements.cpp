// SPDX-License-Identifier: BSD-3-Clause
//
// Loads and stores between dtypes and compute types, and PyTorch's type promotion (see elements.h).
#include "src/kernels/portable/elements.h"

#include <cstring>
#include <limits>

namespace wick {
namespace portable {
namespace {

using executorch::runtime::etensor::complex;

constexpr DtypeSet kReals = (kIntegral | kFloating) & kBuilt;

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
         internal::try_dtype<kTypes, ST::UInt64, uint64_t>(type, function) ||
         internal::try_dtype<kTypes, ST::ComplexFloat, complex<float>>(type, function) ||
         internal::try_dtype<kTypes, ST::ComplexDouble, complex<double>>(type, function) ||
         internal::try_dtype<kTypes, ST::ComplexHalf, complex<Half>>(type, function);
}

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

// Float to integer without undefined behaviour; what is out of range becomes the smallest integer, as on x86.
template <typename F>
int64_t to_int64(F value) {
  constexpr F kBound = static_cast<F>(9223372036854775808.0);
  return value >= -kBound && value < kBound ? static_cast<int64_t>(value) : std::numeric_limits<int64_t>::min();
}

template <typename To, typename From>
To to_type(From value) {
  if constexpr (std::is_same_v<To, bool>) {
    return value != From(0);
  } else if constexpr (std::is_floating_point_v<From> && std::is_same_v<To, int32_t>) {
    return value > From(-2147483904.0) && value < From(2147483648.0) ? static_cast<int32_t>(to_int64(value))
                                                                     : std::numeric_limits<int32_t>::min();
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    return static_cast<To>(to_int64(value));
  } else if constexpr (std::is_same_v<From, double> && !std::is_arithmetic_v<To>) {
    return To(static_cast<float>(value));
  } else if constexpr (std::is_same_v<From, int64_t> && std::is_same_v<To, double>) {
    return to_double(value);
  } else if constexpr (std::is_same_v<From, int64_t> && !std::is_integral_v<To>) {
    return To(to_float(value));
  } else {
    return static_cast<To>(value);
  }
}

template <DtypeSet kTypes, typename C>
void load_as(ScalarType type, const void* in, ptrdiff_t step, size_t n, C* out) {
  const bool known = with_dtype<kTypes>(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const char* from = static_cast<const char*>(in);
    for (size_t i = 0; i < n; ++i, from += step) {
      out[i] = to_type<C>(*reinterpret_cast<const T*>(from));
    }
  });
  if (!known) {
    memset(static_cast<void*>(out), 0, n * sizeof(C));
  }
}

template <DtypeSet kTypes, typename C>
void store_as(ScalarType type, void* out, ptrdiff_t step, size_t n, const C* in) {
  with_dtype<kTypes>(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    char* to = static_cast<char*>(out);
    for (size_t i = 0; i < n; ++i, to += step) {
      *reinterpret_cast<T*>(to) = to_type<T>(in[i]);
    }
  });
}

constexpr bool built(Compute compute) { return (dtypes_of(compute) & kBuilt) != 0; }

}  // namespace

void load(ScalarType type, const void* in, ptrdiff_t step, size_t n, float* out) {
  load_as<kReals | dtypes(ScalarType::Float)>(type, in, step, n, out);
}
void load(ScalarType type, const void* in, ptrdiff_t step, size_t n, double* out) {
  load_as<kReals | dtypes(ScalarType::Double)>(type, in, step, n, out);
}
void load(ScalarType type, const void* in, ptrdiff_t step, size_t n, int64_t* out) {
  load_as<(kIntegral & kBuilt) | dtypes(ScalarType::Long)>(type, in, step, n, out);
}
void load(ScalarType type, const void* in, ptrdiff_t step, size_t n, Complex* out) {
  if (is_in(type, kComplexes)) {
    load_as<(kComplexes & kBuilt) | dtypes(ScalarType::ComplexDouble)>(type, in, step, n, out);
    return;
  }
  for (size_t i = 0; i < n; ++i) {
    double value;
    load(type, static_cast<const char*>(in) + static_cast<ptrdiff_t>(i) * step, 0, 1, &value);
    out[i] = Complex(value);
  }
}

void store(ScalarType type, void* out, ptrdiff_t step, size_t n, const float* in) {
  store_as<kReals>(type, out, step, n, in);
}
void store(ScalarType type, void* out, ptrdiff_t step, size_t n, const double* in) {
  store_as<kReals>(type, out, step, n, in);
}
void store(ScalarType type, void* out, ptrdiff_t step, size_t n, const int64_t* in) {
  store_as<kReals>(type, out, step, n, in);
}
void store(ScalarType type, void* out, ptrdiff_t step, size_t n, const Complex* in) {
  store_as<kComplexes & kBuilt>(type, out, step, n, in);
}

void load(Compute compute, ScalarType type, const void* in, ptrdiff_t step, size_t n, void* out) {
  if (built(Compute::kFloat) && compute == Compute::kFloat) {
    load(type, in, step, n, static_cast<float*>(out));
  } else if (built(Compute::kInt) && compute == Compute::kInt && is_in(type, kFloating & kBuilt)) {
    using Wide = std::conditional_t<built(Compute::kDouble), double, float>;
    for (size_t i = 0; i < n; ++i) {
      const Wide value = load_one<Wide>(type, static_cast<const char*>(in) + static_cast<ptrdiff_t>(i) * step);
      store_one(ScalarType::Long, static_cast<int64_t*>(out) + i, value);
    }
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

size_t bytes_of(ScalarType type) {
  switch (type) {
    case ScalarType::Byte:
    case ScalarType::Char:
    case ScalarType::Bool:
      return 1;
    case ScalarType::Short:
    case ScalarType::Half:
    case ScalarType::BFloat16:
    case ScalarType::UInt16:
      return 2;
    case ScalarType::Int:
    case ScalarType::Float:
    case ScalarType::UInt32:
    case ScalarType::ComplexHalf:
      return 4;
    case ScalarType::Long:
    case ScalarType::Double:
    case ScalarType::UInt64:
    case ScalarType::ComplexFloat:
      return 8;
    case ScalarType::ComplexDouble:
      return 16;
    default:
      return 0;
  }
}

namespace {

// A scalar that is an integer or a bool.
int64_t whole_number(const Scalar& scalar) {
  return scalar.isBoolean() ? static_cast<int64_t>(scalar.to<bool>()) : scalar.to<int64_t>();
}

}  // namespace

double scalar_to_double(const Scalar& scalar) {
  return scalar.isFloatingPoint() ? scalar.to<double>() : to_double(whole_number(scalar));
}

int64_t scalar_to_int(const Scalar& scalar) {
  return scalar.isFloatingPoint() ? to_int64(scalar.to<double>()) : whole_number(scalar);
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
