// SPDX-License-Identifier: BSD-3-Clause
// What can be asked of a ScalarType, and the macros that turn one into a C++ type.
// The macros to switch over types in a kernel are at the end; name the fewest types that the operator needs.
//
//     ET_SWITCH_FLOAT_TYPES(in.scalar_type(), ctx, "relu.out", CTYPE, [&] {
//       const CTYPE* x = in.const_data_ptr<CTYPE>();
//     });

#pragma once

#include <executorch/runtime/core/portable_type/scalar_type.h>
#include <executorch/runtime/core/portable_type/string_view.h>
#include <executorch/runtime/platform/assert.h>

#include <array>
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace executorch::aten {
using ScalarType = ::executorch::runtime::etensor::ScalarType;
using string_view = std::string_view;
}  // namespace executorch::aten

// Deprecated namespace.
namespace exec_aten = ::executorch::aten;

namespace executorch::runtime {

/// True for float, double, Half and BFloat16.
template <typename T>
struct is_floating_point
    : std::integral_constant<bool, std::is_floating_point_v<T> || std::is_same_v<T, etensor::Half> ||
                                       std::is_same_v<T, etensor::BFloat16>> {};

/// True for Half and BFloat16.
template <typename T>
struct is_reduced_floating_point
    : std::integral_constant<bool, std::is_same_v<T, etensor::Half> || std::is_same_v<T, etensor::BFloat16>> {};
template <typename T>
constexpr bool is_reduced_floating_point_v = is_reduced_floating_point<T>::value;

/// The C++ type of a scalar type, and back.
template <::executorch::aten::ScalarType N>
struct ScalarTypeToCppType;
template <typename T>
struct CppTypeToScalarType;

#define WICK_MAP(cpp_type, scalar_type)                                     \
  template <>                                                               \
  struct ScalarTypeToCppType<::executorch::aten::ScalarType::scalar_type> { \
    using type = cpp_type;                                                  \
  };                                                                        \
  template <>                                                               \
  struct CppTypeToScalarType<cpp_type>                                      \
      : std::integral_constant<::executorch::aten::ScalarType, ::executorch::aten::ScalarType::scalar_type> {};
ET_FORALL_SCALAR_TYPES(WICK_MAP)
#undef WICK_MAP

// Macros that call `_` with the C++ type and the name of each type of a set. INT, FLOAT and REAL mean the built-in
// types of C; H adds Half, B adds bool, BF16 adds BFloat16. _AND adds types by name, _WITH passes further arguments
// through in front. All names are fully qualified, so the macros work in any namespace.

#define WICK_CTYPE(name) ::executorch::runtime::ScalarTypeToCppType<::executorch::aten::ScalarType::name>::type

#define ET_FORALL_INT_TYPES(_) \
  _(uint8_t, Byte)             \
  _(int8_t, Char)              \
  _(int16_t, Short)            \
  _(int32_t, Int)              \
  _(int64_t, Long)

#define ET_FORALL_INT_TYPES_WITH(ANOTHER_INPUT, _) \
  _(ANOTHER_INPUT, uint8_t, Byte)                  \
  _(ANOTHER_INPUT, int8_t, Char)                   \
  _(ANOTHER_INPUT, int16_t, Short)                 \
  _(ANOTHER_INPUT, int32_t, Int)                   \
  _(ANOTHER_INPUT, int64_t, Long)

#define ET_FORALL_INT_TYPES_WITH2(ANOTHER_INPUT1, ANOTHER_INPUT2, _) \
  _(ANOTHER_INPUT1, ANOTHER_INPUT2, uint8_t, Byte)                   \
  _(ANOTHER_INPUT1, ANOTHER_INPUT2, int8_t, Char)                    \
  _(ANOTHER_INPUT1, ANOTHER_INPUT2, int16_t, Short)                  \
  _(ANOTHER_INPUT1, ANOTHER_INPUT2, int32_t, Int)                    \
  _(ANOTHER_INPUT1, ANOTHER_INPUT2, int64_t, Long)

#define ET_FORALL_INT_TYPES_AND(SCALARTYPE, _) \
  ET_FORALL_INT_TYPES(_)                       \
  _(WICK_CTYPE(SCALARTYPE), SCALARTYPE)

#define ET_FORALL_FLOAT_TYPES(_) \
  _(float, Float)                \
  _(double, Double)

#define ET_FORALL_FLOAT_TYPES_AND(SCALARTYPE, _) \
  ET_FORALL_FLOAT_TYPES(_)                       \
  _(WICK_CTYPE(SCALARTYPE), SCALARTYPE)

#define ET_FORALL_FLOAT_TYPES_AND2(SCALARTYPE1, SCALARTYPE2, _) \
  ET_FORALL_FLOAT_TYPES_AND(SCALARTYPE1, _)                     \
  _(WICK_CTYPE(SCALARTYPE2), SCALARTYPE2)

#define ET_FORALL_FLOATH_TYPES(_) ET_FORALL_FLOAT_TYPES_AND(Half, _)
#define ET_FORALL_FLOATHBF16_TYPES(_) ET_FORALL_FLOAT_TYPES_AND2(Half, BFloat16, _)

#define ET_FORALL_FLOAT_TYPES_WITH(ANOTHER_INPUT, _) \
  _(ANOTHER_INPUT, float, Float)                     \
  _(ANOTHER_INPUT, double, Double)

#define ET_FORALL_FLOATH_TYPES_WITH(ANOTHER_INPUT, _) \
  ET_FORALL_FLOAT_TYPES_WITH(ANOTHER_INPUT, _)        \
  _(ANOTHER_INPUT, ::executorch::runtime::etensor::Half, Half)

#define ET_FORALL_FLOAT_TYPES_WITH2(ANOTHER_INPUT1, ANOTHER_INPUT2, _) \
  _(ANOTHER_INPUT1, ANOTHER_INPUT2, float, Float)                      \
  _(ANOTHER_INPUT1, ANOTHER_INPUT2, double, Double)

#define ET_FORALL_FLOATHBF16_TYPES_WITH2(ANOTHER_INPUT1, ANOTHER_INPUT2, _)     \
  ET_FORALL_FLOAT_TYPES_WITH2(ANOTHER_INPUT1, ANOTHER_INPUT2, _)                \
  _(ANOTHER_INPUT1, ANOTHER_INPUT2, ::executorch::runtime::etensor::Half, Half) \
  _(ANOTHER_INPUT1, ANOTHER_INPUT2, ::executorch::runtime::etensor::BFloat16, BFloat16)

#define ET_FORALL_REAL_TYPES(_) \
  ET_FORALL_INT_TYPES(_)        \
  ET_FORALL_FLOAT_TYPES(_)

#define ET_FORALL_REAL_TYPES_WITH(ANOTHER_INPUT, _) \
  ET_FORALL_INT_TYPES_WITH(ANOTHER_INPUT, _)        \
  ET_FORALL_FLOAT_TYPES_WITH(ANOTHER_INPUT, _)

#define ET_FORALL_REAL_TYPES_WITH2(ANOTHER_INPUT1, ANOTHER_INPUT2, _) \
  ET_FORALL_INT_TYPES_WITH2(ANOTHER_INPUT1, ANOTHER_INPUT2, _)        \
  ET_FORALL_FLOAT_TYPES_WITH2(ANOTHER_INPUT1, ANOTHER_INPUT2, _)

#define ET_FORALL_REALHBF16_TYPES_WITH2(ANOTHER_INPUT1, ANOTHER_INPUT2, _)      \
  ET_FORALL_REAL_TYPES_WITH2(ANOTHER_INPUT1, ANOTHER_INPUT2, _)                 \
  _(ANOTHER_INPUT1, ANOTHER_INPUT2, ::executorch::runtime::etensor::Half, Half) \
  _(ANOTHER_INPUT1, ANOTHER_INPUT2, ::executorch::runtime::etensor::BFloat16, BFloat16)

#define ET_FORALL_REALHBBF16_TYPES_WITH2(ANOTHER_INPUT1, ANOTHER_INPUT2, _) \
  ET_FORALL_REALHBF16_TYPES_WITH2(ANOTHER_INPUT1, ANOTHER_INPUT2, _)        \
  _(ANOTHER_INPUT1, ANOTHER_INPUT2, bool, Bool)

#define ET_FORALL_REAL_TYPES_AND(SCALARTYPE, _) \
  ET_FORALL_REAL_TYPES(_)                       \
  _(WICK_CTYPE(SCALARTYPE), SCALARTYPE)

#define ET_FORALL_REAL_TYPES_AND2(SCALARTYPE1, SCALARTYPE2, _) \
  ET_FORALL_REAL_TYPES_AND(SCALARTYPE1, _)                     \
  _(WICK_CTYPE(SCALARTYPE2), SCALARTYPE2)

#define ET_FORALL_REAL_TYPES_AND3(SCALARTYPE1, SCALARTYPE2, SCALARTYPE3, _) \
  ET_FORALL_REAL_TYPES_AND2(SCALARTYPE1, SCALARTYPE2, _)                    \
  _(WICK_CTYPE(SCALARTYPE3), SCALARTYPE3)

#define ET_FORALL_REAL_TYPES_AND_WITH(SCALARTYPE, ANOTHER_INPUT, _) \
  ET_FORALL_REAL_TYPES_WITH(ANOTHER_INPUT, _)                       \
  _(ANOTHER_INPUT, WICK_CTYPE(SCALARTYPE), SCALARTYPE)

#define ET_FORALL_REALH_TYPES(_) ET_FORALL_REAL_TYPES_AND(Half, _)
#define ET_FORALL_REALHBF16_TYPES(_) ET_FORALL_REAL_TYPES_AND2(Half, BFloat16, _)
#define ET_FORALL_REALHBBF16_TYPES(_) ET_FORALL_REAL_TYPES_AND3(Bool, Half, BFloat16, _)

#define ET_FORALL_QINT_TYPES(_)                         \
  _(::executorch::runtime::etensor::qint8, QInt8)       \
  _(::executorch::runtime::etensor::quint8, QUInt8)     \
  _(::executorch::runtime::etensor::qint32, QInt32)     \
  _(::executorch::runtime::etensor::quint4x2, QUInt4x2) \
  _(::executorch::runtime::etensor::quint2x4, QUInt2x4)

#define ET_FORALL_COMPLEX_TYPES(_)                                \
  _(::executorch::runtime::etensor::complex<float>, ComplexFloat) \
  _(::executorch::runtime::etensor::complex<double>, ComplexDouble)

#define ET_FORALL_COMPLEXH_TYPES(_)                                                             \
  _(::executorch::runtime::etensor::complex<::executorch::runtime::etensor::Half>, ComplexHalf) \
  ET_FORALL_COMPLEX_TYPES(_)

/// True when the number is a type, not Undefined or out of range.
inline constexpr bool isValid(::executorch::aten::ScalarType type) {
  return static_cast<uint8_t>(type) < static_cast<uint8_t>(::executorch::aten::ScalarType::Undefined);
}

/// The name of a type, "Undefined", or "UNKNOWN_SCALAR".
inline const char* toString(::executorch::aten::ScalarType type) {
  switch (type) {
#define WICK_CASE(unused, name)              \
  case ::executorch::aten::ScalarType::name: \
    return #name;
    ET_FORALL_SCALAR_TYPES(WICK_CASE)
#undef WICK_CASE
    case ::executorch::aten::ScalarType::Undefined:
      return "Undefined";
    default:
      return "UNKNOWN_SCALAR";
  }
}

namespace internal {
/// Bytes of one element, by type.
inline constexpr uint8_t kElementSizes[] = {
#define WICK_SIZE(cpp_type, unused) sizeof(cpp_type),
    ET_FORALL_SCALAR_TYPES(WICK_SIZE)
#undef WICK_SIZE
};
}  // namespace internal

/// Bytes of one element. Aborts when the type is not valid.
inline size_t elementSize(::executorch::aten::ScalarType type) {
  ET_CHECK_MSG(isValid(type), "Unknown ScalarType %d", static_cast<int>(type));
  return internal::kElementSizes[static_cast<uint8_t>(type)];
}

/// Byte, Char, Short, Int, Long, and Bool if asked for.
inline constexpr bool isIntegralType(::executorch::aten::ScalarType t, bool includeBool) {
  return (t >= etensor::ScalarType::Byte && t <= etensor::ScalarType::Long) ||
         (includeBool && t == etensor::ScalarType::Bool);
}

/// Half, BFloat16, Float, Double.
inline constexpr bool isFloatingType(::executorch::aten::ScalarType t) {
  return t == etensor::ScalarType::Half || t == etensor::ScalarType::BFloat16 || t == etensor::ScalarType::Float ||
         t == etensor::ScalarType::Double;
}

/// The sets of the macros above: REAL is the integral types, Float and Double.
inline constexpr bool isRealType(::executorch::aten::ScalarType t) {
  return isIntegralType(t, false) || t == etensor::ScalarType::Float || t == etensor::ScalarType::Double;
}
inline constexpr bool isRealHType(::executorch::aten::ScalarType t) {
  return isRealType(t) || t == etensor::ScalarType::Half;
}
inline constexpr bool isRealHBType(::executorch::aten::ScalarType t) {
  return isRealHType(t) || t == etensor::ScalarType::Bool;
}
inline constexpr bool isRealHBF16Type(::executorch::aten::ScalarType t) {
  return isRealHType(t) || t == etensor::ScalarType::BFloat16;
}
inline constexpr bool isRealHBBF16Type(::executorch::aten::ScalarType t) {
  return isRealHBType(t) || t == etensor::ScalarType::BFloat16;
}

/// ComplexHalf, ComplexFloat, ComplexDouble.
inline constexpr bool isComplexType(::executorch::aten::ScalarType t) {
  return t >= etensor::ScalarType::ComplexHalf && t <= etensor::ScalarType::ComplexDouble;
}
/// Bits1x8 to Bits16.
inline constexpr bool isBitsType(::executorch::aten::ScalarType t) {
  return t >= etensor::ScalarType::Bits1x8 && t <= etensor::ScalarType::Bits16;
}
/// QInt8, QUInt8, QInt32, QUInt4x2, QUInt2x4.
inline constexpr bool isQIntType(::executorch::aten::ScalarType t) {
  return (t >= etensor::ScalarType::QInt8 && t <= etensor::ScalarType::QInt32) || t == etensor::ScalarType::QUInt4x2 ||
         t == etensor::ScalarType::QUInt2x4;
}
/// The 8-bit floats.
inline constexpr bool isFloat8Type(::executorch::aten::ScalarType t) {
  return t >= etensor::ScalarType::Float8_e5m2 && t <= etensor::ScalarType::Float8_e4m3fnuz;
}
/// UInt16, UInt32, UInt64: types that PyTorch stores but hardly computes with.
inline constexpr bool isBarebonesUnsignedType(::executorch::aten::ScalarType t) {
  return t >= etensor::ScalarType::UInt16 && t <= etensor::ScalarType::UInt64;
}

// The same questions about C++ types.
template <typename T, bool includeBool>
struct is_integral_type : std::integral_constant<bool, isIntegralType(CppTypeToScalarType<T>::value, includeBool)> {};
template <typename T>
struct is_complex_type : std::integral_constant<bool, isComplexType(CppTypeToScalarType<T>::value)> {};
template <typename T>
struct is_bits_type : std::integral_constant<bool, isBitsType(CppTypeToScalarType<T>::value)> {};
template <typename T>
struct is_qint_type : std::integral_constant<bool, isQIntType(CppTypeToScalarType<T>::value)> {};
template <typename T>
struct is_float8_type : std::integral_constant<bool, isFloat8Type(CppTypeToScalarType<T>::value)> {};
template <typename T>
struct is_barebones_unsigned_type
    : std::integral_constant<bool, isBarebonesUnsignedType(CppTypeToScalarType<T>::value)> {};

/// The quantized type that stores this integer type; other types stay as they are.
inline constexpr ::executorch::aten::ScalarType toQIntType(::executorch::aten::ScalarType t) {
  switch (t) {
    case etensor::ScalarType::Byte:
      return etensor::ScalarType::QUInt8;
    case etensor::ScalarType::Char:
      return etensor::ScalarType::QInt8;
    case etensor::ScalarType::Int:
      return etensor::ScalarType::QInt32;
    default:
      return t;
  }
}

/// The integer type that a quantized type stores; other types stay as they are.
inline constexpr ::executorch::aten::ScalarType toUnderlying(::executorch::aten::ScalarType t) {
  switch (t) {
    case etensor::ScalarType::QUInt8:
    case etensor::ScalarType::QUInt4x2:
    case etensor::ScalarType::QUInt2x4:
      return etensor::ScalarType::Byte;
    case etensor::ScalarType::QInt8:
      return etensor::ScalarType::Char;
    case etensor::ScalarType::QInt32:
      return etensor::ScalarType::Int;
    default:
      return t;
  }
}

/// True when `qtype` stores `type`.
inline constexpr bool isUnderlying(::executorch::aten::ScalarType type, ::executorch::aten::ScalarType qtype) {
  return type == toUnderlying(qtype);
}

/// True when the type has negative values. Aborts for types that are neither real nor complex numbers.
inline bool isSignedType(::executorch::aten::ScalarType t) {
  ET_CHECK_MSG(isRealHBBF16Type(t) || isComplexType(t), "isSignedType: %s is not a number", toString(t));
  return t != etensor::ScalarType::Byte && t != etensor::ScalarType::Bool;
}

/// The type of the parts of a complex type; other types stay as they are.
inline constexpr ::executorch::aten::ScalarType toRealValueType(::executorch::aten::ScalarType t) {
  switch (t) {
    case etensor::ScalarType::ComplexHalf:
      return etensor::ScalarType::Half;
    case etensor::ScalarType::ComplexFloat:
      return etensor::ScalarType::Float;
    case etensor::ScalarType::ComplexDouble:
      return etensor::ScalarType::Double;
    default:
      return t;
  }
}

/// The complex type for parts of this type. Aborts for types without one.
inline constexpr ::executorch::aten::ScalarType toComplexType(::executorch::aten::ScalarType t) {
  switch (t) {
    case etensor::ScalarType::Half:
    case etensor::ScalarType::ComplexHalf:
      return etensor::ScalarType::ComplexHalf;
    case etensor::ScalarType::BFloat16:
    case etensor::ScalarType::Float:
    case etensor::ScalarType::ComplexFloat:
      return etensor::ScalarType::ComplexFloat;
    case etensor::ScalarType::Double:
    case etensor::ScalarType::ComplexDouble:
      return etensor::ScalarType::ComplexDouble;
    default:
      ET_CHECK_MSG(false, "No complex type for ScalarType %d", static_cast<int>(t));
  }
  return t;
}

/// Whether a result of type `from` may be stored as `to`: not complex as real, float as integer, number as bool.
inline constexpr bool canCast(const ::executorch::aten::ScalarType from, const ::executorch::aten::ScalarType to) {
  return !(isComplexType(from) && !isComplexType(to)) && !(isFloatingType(from) && isIntegralType(to, false)) &&
         !(from != etensor::ScalarType::Bool && to == etensor::ScalarType::Bool);
}
template <typename T1, typename T2>
struct can_cast
    : std::integral_constant<bool, canCast(CppTypeToScalarType<T1>::value, CppTypeToScalarType<T2>::value)> {};

/// A value as another type; a float becomes an integer by way of int64, so that -1.0 as uint8_t is 255.
template <typename To, typename From>
To convert(From value) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    return static_cast<To>(static_cast<int64_t>(value));
  } else {
    return static_cast<To>(value);
  }
}

namespace internal {

/// promoteTypes() for the types that take part in arithmetic and are not complex.
inline constexpr ::executorch::aten::ScalarType promote_real_types(::executorch::aten::ScalarType a,
                                                                   ::executorch::aten::ScalarType b) {
  if (a == b || b == etensor::ScalarType::Bool) {
    return a;
  }
  if (a == etensor::ScalarType::Bool) {
    return b;
  }
  if (isFloatingType(a) != isFloatingType(b)) {
    return isFloatingType(a) ? a : b;
  }
  if (isFloatingType(a)) {  // Two different ones: Half and BFloat16 meet in Float.
    return a == etensor::ScalarType::Double || b == etensor::ScalarType::Double ? etensor::ScalarType::Double
                                                                                : etensor::ScalarType::Float;
  }
  const etensor::ScalarType wider = a > b ? a : b;  // Integer types are numbered by width, Byte before Char.
  return wider == etensor::ScalarType::Char ? etensor::ScalarType::Short : wider;
}

}  // namespace internal

/// The type in which values of two types are computed, by PyTorch's rules: complex before float before integer before
/// bool, the wider of a kind, Byte and Char as Short. With `half_to_float`, Half and BFloat16 become Float.
/// Aborts when the types differ and one is quantized, bits, an 8-bit float or UInt16 to UInt64.
inline constexpr ::executorch::aten::ScalarType promoteTypes(::executorch::aten::ScalarType a,
                                                             ::executorch::aten::ScalarType b,
                                                             bool half_to_float = false) {
  ET_CHECK_MSG((isRealHBBF16Type(a) || isComplexType(a) || (a == b && isValid(a))) &&
                   (isRealHBBF16Type(b) || isComplexType(b) || a == b),
               "No common type for %s and %s", toString(a), toString(b));
  if (a == b && !isFloatingType(a)) {
    return a;
  }
  const etensor::ScalarType real = internal::promote_real_types(toRealValueType(a), toRealValueType(b));
  if (isComplexType(a) || isComplexType(b)) {
    return toComplexType(real);
  }
  return half_to_float && (real == etensor::ScalarType::Half || real == etensor::ScalarType::BFloat16)
             ? etensor::ScalarType::Float
             : real;
}

/// promoteTypes() for C++ types.
template <typename T1, typename T2, bool half_to_float = false>
struct promote_types {
 private:
  template <typename T>
  static constexpr bool kTakesPart = isRealHBBF16Type(CppTypeToScalarType<T>::value) || is_complex_type<T>::value;
  static_assert(std::is_same_v<T1, T2> || (kTakesPart<T1> && kTakesPart<T2>), "these types have no common type");

 public:
  using type = typename ScalarTypeToCppType<promoteTypes(CppTypeToScalarType<T1>::value, CppTypeToScalarType<T2>::value,
                                                         half_to_float)>::type;
};

namespace internal {
// Short names of C++ types.
using U1 = uint8_t;
using I1 = int8_t;
using I2 = int16_t;
using I4 = int32_t;
using I8 = int64_t;
using F2 = etensor::Half;
using F4 = float;
using F8 = double;
using C2 = etensor::complex<etensor::Half>;
using C4 = etensor::complex<float>;
using C8 = etensor::complex<double>;
using B1 = bool;
using BF = etensor::BFloat16;
}  // namespace internal

// ET_SWITCH_<set>(type, context, "op name", CTYPE, [&] { ... }): calls the function with CTYPE naming the C++ type of
// `type`. A type outside the set fails the context with InvalidArgument. They nest, each with its own CTYPE.

#ifdef ET_INTERNAL_CHECK_SELECTIVE_BUILD
// A generated header may bring a check of each case against the types that a build selected.
#define WICK_CHECK_SELECTED(enum_type) ET_INTERNAL_CHECK_SELECTIVE_BUILD(enum_type)
#define WICK_SWITCH_NAME(NAME)       \
  const char* et_switch_name = NAME; \
  (void)et_switch_name;
#else
#define WICK_SWITCH_NAME(NAME)
#define WICK_CHECK_SELECTED(enum_type) ((void)0)
#endif

#define ET_INTERNAL_SWITCH_CASE(enum_type, CTYPE_ALIAS, ...)                                          \
  case enum_type: {                                                                                   \
    WICK_CHECK_SELECTED(enum_type);                                                                   \
    using CTYPE_ALIAS [[maybe_unused]] = ::executorch::runtime::ScalarTypeToCppType<enum_type>::type; \
    return __VA_ARGS__();                                                                             \
  }

#define ET_INTERNAL_SWITCH(TYPE, CONTEXT, NAME, ...)                                             \
  [&] {                                                                                          \
    WICK_SWITCH_NAME(NAME)                                                                       \
    switch (TYPE) {                                                                              \
      __VA_ARGS__                                                                                \
      default:                                                                                   \
        CONTEXT.fail(::executorch::runtime::Error::InvalidArgument);                             \
        static_cast<void>(NAME);                                                                 \
        ET_LOG(Error, "Unhandled dtype %s for %s", ::executorch::runtime::toString(TYPE), NAME); \
    }                                                                                            \
  }()

#define WICK_CASE_OF(name, CTYPE_ALIAS, ...) \
  ET_INTERNAL_SWITCH_CASE(::executorch::aten::ScalarType::name, CTYPE_ALIAS, __VA_ARGS__)

#define ET_INTERNAL_SWITCH_CASE_INT_TYPES(CTYPE_ALIAS, ...) \
  WICK_CASE_OF(Byte, CTYPE_ALIAS, __VA_ARGS__)              \
  WICK_CASE_OF(Char, CTYPE_ALIAS, __VA_ARGS__)              \
  WICK_CASE_OF(Short, CTYPE_ALIAS, __VA_ARGS__)             \
  WICK_CASE_OF(Int, CTYPE_ALIAS, __VA_ARGS__)               \
  WICK_CASE_OF(Long, CTYPE_ALIAS, __VA_ARGS__)
#define ET_INTERNAL_SWITCH_CASE_UINT_TYPES(CTYPE_ALIAS, ...) \
  WICK_CASE_OF(UInt16, CTYPE_ALIAS, __VA_ARGS__)             \
  WICK_CASE_OF(UInt32, CTYPE_ALIAS, __VA_ARGS__)             \
  WICK_CASE_OF(UInt64, CTYPE_ALIAS, __VA_ARGS__)
#define ET_INTERNAL_SWITCH_CASE_FLOAT_TYPES(CTYPE_ALIAS, ...) \
  WICK_CASE_OF(Float, CTYPE_ALIAS, __VA_ARGS__)               \
  WICK_CASE_OF(Double, CTYPE_ALIAS, __VA_ARGS__)
#define ET_INTERNAL_SWITCH_CASE_REAL_TYPES(CTYPE_ALIAS, ...)  \
  ET_INTERNAL_SWITCH_CASE_INT_TYPES(CTYPE_ALIAS, __VA_ARGS__) \
  ET_INTERNAL_SWITCH_CASE_FLOAT_TYPES(CTYPE_ALIAS, __VA_ARGS__)
#define ET_INTERNAL_SWITCH_CASE_COMPLEX_TYPES(CTYPE_ALIAS, ...) \
  WICK_CASE_OF(ComplexFloat, CTYPE_ALIAS, __VA_ARGS__)          \
  WICK_CASE_OF(ComplexDouble, CTYPE_ALIAS, __VA_ARGS__)
#define ET_INTERNAL_SWITCH_CASE_COMPLEXH_TYPES(CTYPE_ALIAS, ...)  \
  ET_INTERNAL_SWITCH_CASE_COMPLEX_TYPES(CTYPE_ALIAS, __VA_ARGS__) \
  WICK_CASE_OF(ComplexHalf, CTYPE_ALIAS, __VA_ARGS__)
#define ET_INTERNAL_SWITCH_CASE_QINT_TYPES(CTYPE_ALIAS, ...) \
  WICK_CASE_OF(QInt8, CTYPE_ALIAS, __VA_ARGS__)              \
  WICK_CASE_OF(QUInt8, CTYPE_ALIAS, __VA_ARGS__)             \
  WICK_CASE_OF(QInt32, CTYPE_ALIAS, __VA_ARGS__)             \
  WICK_CASE_OF(QUInt4x2, CTYPE_ALIAS, __VA_ARGS__)           \
  WICK_CASE_OF(QUInt2x4, CTYPE_ALIAS, __VA_ARGS__)
#define ET_INTERNAL_SWITCH_CASE_BITS_TYPES(CTYPE_ALIAS, ...) \
  WICK_CASE_OF(Bits1x8, CTYPE_ALIAS, __VA_ARGS__)            \
  WICK_CASE_OF(Bits2x4, CTYPE_ALIAS, __VA_ARGS__)            \
  WICK_CASE_OF(Bits4x2, CTYPE_ALIAS, __VA_ARGS__)            \
  WICK_CASE_OF(Bits8, CTYPE_ALIAS, __VA_ARGS__)              \
  WICK_CASE_OF(Bits16, CTYPE_ALIAS, __VA_ARGS__)
#define ET_INTERNAL_SWITCH_CASE_ALL_TYPES(CTYPE_ALIAS, ...)        \
  ET_INTERNAL_SWITCH_CASE_REAL_TYPES(CTYPE_ALIAS, __VA_ARGS__)     \
  WICK_CASE_OF(Half, CTYPE_ALIAS, __VA_ARGS__)                     \
  WICK_CASE_OF(BFloat16, CTYPE_ALIAS, __VA_ARGS__)                 \
  WICK_CASE_OF(Bool, CTYPE_ALIAS, __VA_ARGS__)                     \
  ET_INTERNAL_SWITCH_CASE_COMPLEXH_TYPES(CTYPE_ALIAS, __VA_ARGS__) \
  ET_INTERNAL_SWITCH_CASE_QINT_TYPES(CTYPE_ALIAS, __VA_ARGS__)     \
  ET_INTERNAL_SWITCH_CASE_BITS_TYPES(CTYPE_ALIAS, __VA_ARGS__)
#define ET_INTERNAL_SWITCH_CASE_REAL_TYPES_AND(ADDITIONAL, CTYPE_ALIAS, ...) \
  ET_INTERNAL_SWITCH_CASE_REAL_TYPES(CTYPE_ALIAS, __VA_ARGS__)               \
  WICK_CASE_OF(ADDITIONAL, CTYPE_ALIAS, __VA_ARGS__)
#define ET_INTERNAL_SWITCH_CASE_REAL_TYPES_AND2(ADDITIONAL1, ADDITIONAL2, CTYPE_ALIAS, ...) \
  ET_INTERNAL_SWITCH_CASE_REAL_TYPES_AND(ADDITIONAL1, CTYPE_ALIAS, __VA_ARGS__)             \
  WICK_CASE_OF(ADDITIONAL2, CTYPE_ALIAS, __VA_ARGS__)
#define ET_INTERNAL_SWITCH_CASE_REAL_TYPES_AND3(ADDITIONAL1, ADDITIONAL2, ADDITIONAL3, CTYPE_ALIAS, ...) \
  ET_INTERNAL_SWITCH_CASE_REAL_TYPES_AND2(ADDITIONAL1, ADDITIONAL2, CTYPE_ALIAS, __VA_ARGS__)            \
  WICK_CASE_OF(ADDITIONAL3, CTYPE_ALIAS, __VA_ARGS__)
#define ET_INTERNAL_SWITCH_CASE_INT_TYPES_AND(ADDITIONAL, CTYPE_ALIAS, ...) \
  ET_INTERNAL_SWITCH_CASE_INT_TYPES(CTYPE_ALIAS, __VA_ARGS__)               \
  WICK_CASE_OF(ADDITIONAL, CTYPE_ALIAS, __VA_ARGS__)
#define ET_INTERNAL_SWITCH_CASE_FLOAT_TYPES_AND(ADDITIONAL, CTYPE_ALIAS, ...) \
  ET_INTERNAL_SWITCH_CASE_FLOAT_TYPES(CTYPE_ALIAS, __VA_ARGS__)               \
  WICK_CASE_OF(ADDITIONAL, CTYPE_ALIAS, __VA_ARGS__)
#define ET_INTERNAL_SWITCH_CASE_FLOAT_TYPES_AND2(ADDITIONAL1, ADDITIONAL2, CTYPE_ALIAS, ...) \
  ET_INTERNAL_SWITCH_CASE_FLOAT_TYPES_AND(ADDITIONAL1, CTYPE_ALIAS, __VA_ARGS__)             \
  WICK_CASE_OF(ADDITIONAL2, CTYPE_ALIAS, __VA_ARGS__)
#define ET_INTERNAL_SWITCH_CASE_FLOAT_TYPES_AND3(ADDITIONAL1, ADDITIONAL2, ADDITIONAL3, CTYPE_ALIAS, ...) \
  ET_INTERNAL_SWITCH_CASE_FLOAT_TYPES_AND2(ADDITIONAL1, ADDITIONAL2, CTYPE_ALIAS, __VA_ARGS__)            \
  WICK_CASE_OF(ADDITIONAL3, CTYPE_ALIAS, __VA_ARGS__)
#define ET_INTERNAL_SWITCH_CASE_SCALAR_OBJ_TYPES(CTYPE_ALIAS, ...) \
  WICK_CASE_OF(Bool, CTYPE_ALIAS, __VA_ARGS__)                     \
  WICK_CASE_OF(Long, CTYPE_ALIAS, __VA_ARGS__)                     \
  WICK_CASE_OF(Double, CTYPE_ALIAS, __VA_ARGS__)
#define ET_INTERNAL_SWITCH_CASE_SCALAR_OBJ_REAL_TYPES(CTYPE_ALIAS, ...) \
  WICK_CASE_OF(Long, CTYPE_ALIAS, __VA_ARGS__)                          \
  WICK_CASE_OF(Double, CTYPE_ALIAS, __VA_ARGS__)
#define ET_INTERNAL_SWITCH_CASE_SCALAR_OBJ_INTB_TYPES(CTYPE_ALIAS, ...) \
  WICK_CASE_OF(Bool, CTYPE_ALIAS, __VA_ARGS__)                          \
  WICK_CASE_OF(Long, CTYPE_ALIAS, __VA_ARGS__)
#define ET_INTERNAL_SWITCH_CASE_SCALAR_OBJ_FLOATB_TYPES(CTYPE_ALIAS, ...) \
  WICK_CASE_OF(Bool, CTYPE_ALIAS, __VA_ARGS__)                            \
  WICK_CASE_OF(Double, CTYPE_ALIAS, __VA_ARGS__)

#define ET_SWITCH_ALL_TYPES(TYPE, CONTEXT, NAME, CTYPE_ALIAS, ...) \
  ET_INTERNAL_SWITCH(TYPE, CONTEXT, NAME, ET_INTERNAL_SWITCH_CASE_ALL_TYPES(CTYPE_ALIAS, __VA_ARGS__))
#define ET_SWITCH_REAL_TYPES(TYPE, CONTEXT, NAME, CTYPE_ALIAS, ...) \
  ET_INTERNAL_SWITCH(TYPE, CONTEXT, NAME, ET_INTERNAL_SWITCH_CASE_REAL_TYPES(CTYPE_ALIAS, __VA_ARGS__))
#define ET_SWITCH_INT_TYPES(TYPE, CONTEXT, NAME, CTYPE_ALIAS, ...) \
  ET_INTERNAL_SWITCH(TYPE, CONTEXT, NAME, ET_INTERNAL_SWITCH_CASE_INT_TYPES(CTYPE_ALIAS, __VA_ARGS__))
#define ET_SWITCH_FLOAT_TYPES(TYPE, CONTEXT, NAME, CTYPE_ALIAS, ...) \
  ET_INTERNAL_SWITCH(TYPE, CONTEXT, NAME, ET_INTERNAL_SWITCH_CASE_FLOAT_TYPES(CTYPE_ALIAS, __VA_ARGS__))
#define ET_SWITCH_QINT_TYPES(TYPE, CONTEXT, NAME, CTYPE_ALIAS, ...) \
  ET_INTERNAL_SWITCH(TYPE, CONTEXT, NAME, ET_INTERNAL_SWITCH_CASE_QINT_TYPES(CTYPE_ALIAS, __VA_ARGS__))
#define ET_SWITCH_COMPLEX_TYPES(TYPE, CONTEXT, NAME, CTYPE_ALIAS, ...) \
  ET_INTERNAL_SWITCH(TYPE, CONTEXT, NAME, ET_INTERNAL_SWITCH_CASE_COMPLEX_TYPES(CTYPE_ALIAS, __VA_ARGS__))
#define ET_SWITCH_COMPLEXH_TYPES(TYPE, CONTEXT, NAME, CTYPE_ALIAS, ...) \
  ET_INTERNAL_SWITCH(TYPE, CONTEXT, NAME, ET_INTERNAL_SWITCH_CASE_COMPLEXH_TYPES(CTYPE_ALIAS, __VA_ARGS__))
#define ET_SWITCH_SCALAR_OBJ_TYPES(TYPE, CONTEXT, NAME, CTYPE_ALIAS, ...) \
  ET_INTERNAL_SWITCH(TYPE, CONTEXT, NAME, ET_INTERNAL_SWITCH_CASE_SCALAR_OBJ_TYPES(CTYPE_ALIAS, __VA_ARGS__))
#define ET_SWITCH_SCALAR_OBJ_REAL_TYPES(TYPE, CONTEXT, NAME, CTYPE_ALIAS, ...) \
  ET_INTERNAL_SWITCH(TYPE, CONTEXT, NAME, ET_INTERNAL_SWITCH_CASE_SCALAR_OBJ_REAL_TYPES(CTYPE_ALIAS, __VA_ARGS__))
#define ET_SWITCH_SCALAR_OBJ_INTB_TYPES(TYPE, CONTEXT, NAME, CTYPE_ALIAS, ...) \
  ET_INTERNAL_SWITCH(TYPE, CONTEXT, NAME, ET_INTERNAL_SWITCH_CASE_SCALAR_OBJ_INTB_TYPES(CTYPE_ALIAS, __VA_ARGS__))
#define ET_SWITCH_SCALAR_OBJ_FLOATB_TYPES(TYPE, CONTEXT, NAME, CTYPE_ALIAS, ...) \
  ET_INTERNAL_SWITCH(TYPE, CONTEXT, NAME, ET_INTERNAL_SWITCH_CASE_SCALAR_OBJ_FLOATB_TYPES(CTYPE_ALIAS, __VA_ARGS__))
#define ET_SWITCH_REAL_TYPES_AND(ADDITIONAL, TYPE, CONTEXT, NAME, CTYPE_ALIAS, ...) \
  ET_INTERNAL_SWITCH(TYPE, CONTEXT, NAME, ET_INTERNAL_SWITCH_CASE_REAL_TYPES_AND(ADDITIONAL, CTYPE_ALIAS, __VA_ARGS__))
#define ET_SWITCH_REAL_TYPES_AND2(ADDITIONAL1, ADDITIONAL2, TYPE, CONTEXT, NAME, CTYPE_ALIAS, ...) \
  ET_INTERNAL_SWITCH(TYPE, CONTEXT, NAME,                                                          \
                     ET_INTERNAL_SWITCH_CASE_REAL_TYPES_AND2(ADDITIONAL1, ADDITIONAL2, CTYPE_ALIAS, __VA_ARGS__))
#define ET_SWITCH_REAL_TYPES_AND3(ADDITIONAL1, ADDITIONAL2, ADDITIONAL3, TYPE, CONTEXT, NAME, CTYPE_ALIAS, ...) \
  ET_INTERNAL_SWITCH(                                                                                           \
      TYPE, CONTEXT, NAME,                                                                                      \
      ET_INTERNAL_SWITCH_CASE_REAL_TYPES_AND3(ADDITIONAL1, ADDITIONAL2, ADDITIONAL3, CTYPE_ALIAS, __VA_ARGS__))
#define ET_SWITCH_INT_TYPES_AND(ADDITIONAL, TYPE, CONTEXT, NAME, CTYPE_ALIAS, ...) \
  ET_INTERNAL_SWITCH(TYPE, CONTEXT, NAME, ET_INTERNAL_SWITCH_CASE_INT_TYPES_AND(ADDITIONAL, CTYPE_ALIAS, __VA_ARGS__))
#define ET_SWITCH_FLOAT_TYPES_AND(ADDITIONAL, TYPE, CONTEXT, NAME, CTYPE_ALIAS, ...) \
  ET_INTERNAL_SWITCH(TYPE, CONTEXT, NAME, ET_INTERNAL_SWITCH_CASE_FLOAT_TYPES_AND(ADDITIONAL, CTYPE_ALIAS, __VA_ARGS__))
#define ET_SWITCH_FLOAT_TYPES_AND2(ADDITIONAL1, ADDITIONAL2, TYPE, CONTEXT, NAME, CTYPE_ALIAS, ...) \
  ET_INTERNAL_SWITCH(TYPE, CONTEXT, NAME,                                                           \
                     ET_INTERNAL_SWITCH_CASE_FLOAT_TYPES_AND2(ADDITIONAL1, ADDITIONAL2, CTYPE_ALIAS, __VA_ARGS__))
#define ET_SWITCH_FLOAT_TYPES_AND3(ADDITIONAL1, ADDITIONAL2, ADDITIONAL3, TYPE, CONTEXT, NAME, CTYPE_ALIAS, ...) \
  ET_INTERNAL_SWITCH(                                                                                            \
      TYPE, CONTEXT, NAME,                                                                                       \
      ET_INTERNAL_SWITCH_CASE_FLOAT_TYPES_AND3(ADDITIONAL1, ADDITIONAL2, ADDITIONAL3, CTYPE_ALIAS, __VA_ARGS__))
#define ET_SWITCH_REALHBBF16_AND_UINT_TYPES(TYPE, CONTEXT, NAME, CTYPE_ALIAS, ...)                           \
  ET_INTERNAL_SWITCH(TYPE, CONTEXT, NAME,                                                                    \
                     ET_INTERNAL_SWITCH_CASE_REAL_TYPES_AND3(Half, Bool, BFloat16, CTYPE_ALIAS, __VA_ARGS__) \
                         ET_INTERNAL_SWITCH_CASE_UINT_TYPES(CTYPE_ALIAS, __VA_ARGS__))
#define ET_SWITCH_TWO_TYPES(T1, T2, TYPE, CONTEXT, NAME, CTYPE_ALIAS, ...) \
  ET_INTERNAL_SWITCH(TYPE, CONTEXT, NAME,                                  \
                     WICK_CASE_OF(T1, CTYPE_ALIAS, __VA_ARGS__) WICK_CASE_OF(T2, CTYPE_ALIAS, __VA_ARGS__))
#define ET_SWITCH_THREE_TYPES(T1, T2, T3, TYPE, CONTEXT, NAME, CTYPE_ALIAS, ...)                           \
  ET_INTERNAL_SWITCH(TYPE, CONTEXT, NAME,                                                                  \
                     WICK_CASE_OF(T1, CTYPE_ALIAS, __VA_ARGS__) WICK_CASE_OF(T2, CTYPE_ALIAS, __VA_ARGS__) \
                         WICK_CASE_OF(T3, CTYPE_ALIAS, __VA_ARGS__))
#define ET_SWITCH_FOUR_TYPES(T1, T2, T3, T4, TYPE, CONTEXT, NAME, CTYPE_ALIAS, ...)                        \
  ET_INTERNAL_SWITCH(TYPE, CONTEXT, NAME,                                                                  \
                     WICK_CASE_OF(T1, CTYPE_ALIAS, __VA_ARGS__) WICK_CASE_OF(T2, CTYPE_ALIAS, __VA_ARGS__) \
                         WICK_CASE_OF(T3, CTYPE_ALIAS, __VA_ARGS__) WICK_CASE_OF(T4, CTYPE_ALIAS, __VA_ARGS__))

#define ET_SWITCH_REALH_TYPES(TYPE, CONTEXT, NAME, CTYPE_ALIAS, ...) \
  ET_SWITCH_REAL_TYPES_AND(Half, TYPE, CONTEXT, NAME, CTYPE_ALIAS, __VA_ARGS__)
#define ET_SWITCH_REALHBF16_TYPES(TYPE, CONTEXT, NAME, CTYPE_ALIAS, ...) \
  ET_SWITCH_REAL_TYPES_AND2(Half, BFloat16, TYPE, CONTEXT, NAME, CTYPE_ALIAS, __VA_ARGS__)
#define ET_SWITCH_REALB_TYPES(TYPE, CONTEXT, NAME, CTYPE_ALIAS, ...) \
  ET_SWITCH_REAL_TYPES_AND(Bool, TYPE, CONTEXT, NAME, CTYPE_ALIAS, __VA_ARGS__)
#define ET_SWITCH_REALHB_TYPES(TYPE, CONTEXT, NAME, CTYPE_ALIAS, ...) \
  ET_SWITCH_REAL_TYPES_AND2(Half, Bool, TYPE, CONTEXT, NAME, CTYPE_ALIAS, __VA_ARGS__)
#define ET_SWITCH_REALHBBF16_TYPES(TYPE, CONTEXT, NAME, CTYPE_ALIAS, ...) \
  ET_SWITCH_REAL_TYPES_AND3(Half, Bool, BFloat16, TYPE, CONTEXT, NAME, CTYPE_ALIAS, __VA_ARGS__)
#define ET_SWITCH_FLOATH_TYPES(TYPE, CONTEXT, NAME, CTYPE_ALIAS, ...) \
  ET_SWITCH_FLOAT_TYPES_AND(Half, TYPE, CONTEXT, NAME, CTYPE_ALIAS, __VA_ARGS__)
#define ET_SWITCH_FLOATHBF16_TYPES(TYPE, CONTEXT, NAME, CTYPE_ALIAS, ...) \
  ET_SWITCH_FLOAT_TYPES_AND2(Half, BFloat16, TYPE, CONTEXT, NAME, CTYPE_ALIAS, __VA_ARGS__)
#define ET_SWITCH_FLOATHBF16_TYPES_AND(ADDITIONAL, TYPE, CONTEXT, NAME, CTYPE_ALIAS, ...) \
  ET_SWITCH_FLOAT_TYPES_AND3(Half, BFloat16, ADDITIONAL, TYPE, CONTEXT, NAME, CTYPE_ALIAS, __VA_ARGS__)

}  // namespace executorch::runtime

namespace executorch::aten {
using ::executorch::runtime::elementSize;
}  // namespace executorch::aten

namespace torch::executor {
// Deprecated names.
using ::executorch::runtime::can_cast;
using ::executorch::runtime::canCast;
using ::executorch::runtime::convert;
using ::executorch::runtime::CppTypeToScalarType;
using ::executorch::runtime::elementSize;
using ::executorch::runtime::is_barebones_unsigned_type;
using ::executorch::runtime::is_bits_type;
using ::executorch::runtime::is_complex_type;
using ::executorch::runtime::is_float8_type;
using ::executorch::runtime::is_floating_point;
using ::executorch::runtime::is_integral_type;
using ::executorch::runtime::is_qint_type;
using ::executorch::runtime::is_reduced_floating_point;
using ::executorch::runtime::isBitsType;
using ::executorch::runtime::isComplexType;
using ::executorch::runtime::isFloatingType;
using ::executorch::runtime::isIntegralType;
using ::executorch::runtime::isQIntType;
using ::executorch::runtime::isRealHBType;
using ::executorch::runtime::isRealHType;
using ::executorch::runtime::isRealType;
using ::executorch::runtime::isValid;
using ::executorch::runtime::promote_types;
using ::executorch::runtime::promoteTypes;
using ::executorch::runtime::ScalarTypeToCppType;
using ::executorch::runtime::toString;

namespace internal {
using ::executorch::runtime::internal::B1;
using ::executorch::runtime::internal::C2;
using ::executorch::runtime::internal::C4;
using ::executorch::runtime::internal::C8;
using ::executorch::runtime::internal::F2;
using ::executorch::runtime::internal::F4;
using ::executorch::runtime::internal::F8;
using ::executorch::runtime::internal::I1;
using ::executorch::runtime::internal::I2;
using ::executorch::runtime::internal::I4;
using ::executorch::runtime::internal::I8;
using ::executorch::runtime::internal::U1;
}  // namespace internal
}  // namespace torch::executor
