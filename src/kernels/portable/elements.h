// SPDX-License-Identifier: BSD-3-Clause
//
// How portable operators deal with dtypes without multiplying code: elements of any dtype are loaded, a run at a time,
// into one of four compute types, the arithmetic exists once per compute type, and results are stored back.
// Halves compute in float, integers and bools in int64, as PyTorch's accumulations do.
//
//   float values[32];
//   load(tensor.scalar_type(), data, step, 32, values);      // step in bytes
#pragma once

#include <type_traits>

#include "src/kernels/portable/common.h"

namespace wick {
namespace portable {

using Complex = executorch::runtime::etensor::complex<double>;

/// What arithmetic is done in.
enum class Compute : uint8_t { kFloat, kDouble, kInt, kComplex };

/// Largest size of a compute type in bytes.
inline constexpr size_t kComputeBytes = 16;

inline constexpr DtypeSet kComplexes =
    dtypes(ScalarType::ComplexHalf, ScalarType::ComplexFloat, ScalarType::ComplexDouble);
/// UInt64 is not among them: its large values have no place in int64, it is only copied.
inline constexpr DtypeSet kIntegral = kInts | kBoolean | dtypes(ScalarType::UInt16, ScalarType::UInt32);
inline constexpr DtypeSet kFloating = kFloats | kHalfs;
inline constexpr DtypeSet kRealNumbers = kIntegral | kFloating;
inline constexpr DtypeSet kNumbers = kRealNumbers | kComplexes;

/// The dtypes that any operator of this build needs: code for others is left out.
constexpr DtypeSet built_dtypes() {
#ifdef WICK_SELECTED_OPS
  DtypeSet all = 0;
  for (const SelectedOperator* op = kSelectedOperators; op->name != nullptr; ++op) {
    all |= op->dtypes;
  }
  return all;
#else
  return kAllDtypes;
#endif
}
inline constexpr DtypeSet kBuilt = built_dtypes();

/// A build whose tensors all have one dtype needs no dtype rules: what has another dtype is refused.
constexpr DtypeSet kBuiltNumbers = kBuilt & kNumbers;
constexpr bool kOneDtype = kBuiltNumbers != 0 && (kBuiltNumbers & (kBuiltNumbers - 1)) == 0;
constexpr ScalarType only_dtype() {
  int type = 0;
  while (type < 31 && (kBuiltNumbers >> type) != 1) {
    ++type;
  }
  return static_cast<ScalarType>(type);
}

/// The dtypes of several operators that share code.
template <typename... Names>
constexpr DtypeSet selected(Names... names) {
  return (selected_dtypes(names) | ...);
}

/// Of the dtypes `allowed`, and of the shapes, those of several operators that share code.
template <typename... Names>
constexpr DtypeSet selected_of(DtypeSet allowed, Names... names) {
  return (allowed | kMixedShapes) & selected(names...);
}

constexpr bool is_in(ScalarType type, DtypeSet set) { return (dtype_bit(type) & set) != 0; }

/// The dtypes computed in each compute type.
constexpr DtypeSet dtypes_of(Compute compute) {
  return compute == Compute::kFloat    ? kHalfs | dtypes(ScalarType::Float)
         : compute == Compute::kDouble ? dtypes(ScalarType::Double)
         : compute == Compute::kInt    ? kIntegral
                                       : kComplexes;
}
constexpr Compute compute_of(ScalarType type) {
  return is_in(type, dtypes_of(Compute::kFloat))    ? Compute::kFloat
         : is_in(type, dtypes_of(Compute::kDouble)) ? Compute::kDouble
         : is_in(type, kComplexes)                  ? Compute::kComplex
                                                    : Compute::kInt;
}
inline Compute compute_of(const Tensor& tensor) { return compute_of(tensor.scalar_type()); }
/// The dtype whose elements are the compute type itself.
constexpr ScalarType dtype_of(Compute compute) {
  return compute == Compute::kFloat    ? ScalarType::Float
         : compute == Compute::kDouble ? ScalarType::Double
         : compute == Compute::kInt    ? ScalarType::Long
                                       : ScalarType::ComplexDouble;
}
constexpr size_t size_of(Compute compute) {
  return compute == Compute::kFloat ? 4 : compute == Compute::kComplex ? sizeof(Complex) : 8;
}

/// Elements of one dtype, `step` bytes apart.
struct Strip {
  ScalarType type;
  char* data;
  ptrdiff_t step;
};

/// Converts n elements. Floats go to integers as on x86: truncated, out of range or NaN gives the smallest integer; of
/// complex numbers other dtypes take the real part, bools whether they are not zero. In place if each element has room
/// for both dtypes.
void convert(const Strip& from, const Strip& to, size_t n);

/// Loads n elements of dtype `type`, `step` bytes apart, as a compute type. Integers are loaded from integers only.
void load(ScalarType type, const void* in, ptrdiff_t step, size_t n, float* out);
void load(ScalarType type, const void* in, ptrdiff_t step, size_t n, double* out);
void load(ScalarType type, const void* in, ptrdiff_t step, size_t n, int64_t* out);
void load(ScalarType type, const void* in, ptrdiff_t step, size_t n, Complex* out);

/// The same for a compute type known at run time; integers are loaded from floats too.
void load(Compute compute, ScalarType type, const void* in, ptrdiff_t step, size_t n, void* out);

/// Stores n elements of a compute type.
void store(ScalarType type, void* out, ptrdiff_t step, size_t n, const float* in);
void store(ScalarType type, void* out, ptrdiff_t step, size_t n, const double* in);
void store(ScalarType type, void* out, ptrdiff_t step, size_t n, const int64_t* in);
void store(ScalarType type, void* out, ptrdiff_t step, size_t n, const Complex* in);
void store(Compute compute, ScalarType type, void* out, ptrdiff_t step, size_t n, const void* in);

/// One element.
template <typename C>
C load_one(ScalarType type, const void* in) {
  C value{};
  load(type, in, 0, 1, &value);
  return value;
}
template <typename C>
void store_one(ScalarType type, void* out, C value) {
  store(type, out, 0, 1, &value);
}

/// Bytes of an element of this dtype (0 if it has none): at compile time, and at run time.
constexpr size_t dtype_bytes(ScalarType type) {
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
size_t bytes_of(ScalarType type);
inline size_t element_size(ScalarType type) { return kOneDtype ? dtype_bytes(only_dtype()) : bytes_of(type); }

/// A scalar argument as an element of a dtype.
void store_scalar(ScalarType type, const Scalar& scalar, void* out);
double scalar_to_double(const Scalar& scalar);
int64_t scalar_to_int(const Scalar& scalar);

/// Fails the context if a number overflows the dtype: eager PyTorch refuses bounds, fill values and factors that do.
/// Negative numbers wrap around in unsigned dtypes, fractions are cut off.
bool require_fit(KernelRuntimeContext& ctx, const Scalar& scalar, ScalarType type);

/// Conversions that round once and bring no software floating point in where there is an FPU.
float to_float(int64_t value);
double to_double(int64_t value);
template <typename C>
C from_int(int64_t value) {
  if constexpr (std::is_same_v<C, float>) {
    return to_float(value);
  } else if constexpr (std::is_same_v<C, double>) {
    return to_double(value);
  } else {
    return static_cast<C>(value);
  }
}

/// PyTorch's type promotion of two dtypes (Undefined counts as nothing).
ScalarType promote(ScalarType a, ScalarType b);

/// PyTorch's result type: tensors with dimensions count before tensors without, and those before plain numbers.
class ResultType {
 public:
  ResultType& add(const Tensor& tensor) {
    if (kOneDtype) {
      return *this;
    }
    ScalarType& slot = tensor.dim() == 0 ? zero_dim_ : tensor_;
    slot = promote(slot, tensor.scalar_type());
    return *this;
  }
  ResultType& add(const Scalar& scalar) {
    if (kOneDtype) {
      return *this;
    }
    number_ = promote(number_, dtype_of(scalar));
    return *this;
  }
  ScalarType get() const { return kOneDtype ? only_dtype() : combine(tensor_, combine(zero_dim_, number_)); }

  /// Bool, Long, or Float: what a plain number counts as.
  static ScalarType dtype_of(const Scalar& scalar);

 private:
  static ScalarType combine(ScalarType higher, ScalarType lower);

  ScalarType tensor_ = ScalarType::Undefined;
  ScalarType zero_dim_ = ScalarType::Undefined;
  ScalarType number_ = ScalarType::Undefined;
};

/// True if PyTorch stores a result of dtype `from` in a tensor of dtype `to` (no complex to real, float to integer,
/// integer to bool).
bool can_cast_dtype(ScalarType from, ScalarType to);
inline bool can_cast(ScalarType from, ScalarType to) { return kOneDtype || can_cast_dtype(from, to); }

/// Float for integers and bools, the dtype itself otherwise: what exp, div or mean give.
constexpr ScalarType to_floating(ScalarType type) { return is_in(type, kIntegral) ? ScalarType::Float : type; }

}  // namespace portable
}  // namespace wick
