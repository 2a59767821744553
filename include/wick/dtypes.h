// SPDX-License-Identifier: BSD-3-Clause
//
// Sets of scalar types, and the switch by which kernels instantiate code only for the types that are allowed *and*
// selected. A build made for one model narrows the selection per operator (see docs/DESIGN.md); by default all are in.
//
//   constexpr wick::DtypeSet kTypes = wick::kRealHBBF16 & wick::selected_dtypes("aten::add.out");
//   wick::switch_dtype<kTypes>(ctx, out.scalar_type(), [&](auto t) { using T = typename decltype(t)::type; ... });
#pragma once

#include <cstdint>

#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/kernel/kernel_runtime_context.h>

namespace wick {

/// Bit s is set for ScalarType s.
using DtypeSet = uint32_t;

constexpr DtypeSet dtype_bit(executorch::aten::ScalarType type) { return DtypeSet{1} << static_cast<unsigned>(type); }
template <typename... Types>
constexpr DtypeSet dtypes(Types... types) {
  return (dtype_bit(types) | ... | DtypeSet{0});
}

namespace dtype_names {
using ST = executorch::aten::ScalarType;
}
constexpr DtypeSet kAllDtypes = ~DtypeSet{0};
constexpr DtypeSet kInts = dtypes(dtype_names::ST::Byte, dtype_names::ST::Char, dtype_names::ST::Short,
                                  dtype_names::ST::Int, dtype_names::ST::Long);
constexpr DtypeSet kUnsignedInts =
    dtypes(dtype_names::ST::UInt16, dtype_names::ST::UInt32, dtype_names::ST::UInt64);
constexpr DtypeSet kFloats = dtypes(dtype_names::ST::Float, dtype_names::ST::Double);
constexpr DtypeSet kHalfs = dtypes(dtype_names::ST::Half, dtype_names::ST::BFloat16);
constexpr DtypeSet kBoolean = dtypes(dtype_names::ST::Bool);
constexpr DtypeSet kReal = kInts | kFloats;
constexpr DtypeSet kRealB = kReal | kBoolean;
constexpr DtypeSet kFloatHBF16 = kFloats | kHalfs;
constexpr DtypeSet kRealHBF16 = kReal | kHalfs;
constexpr DtypeSet kRealHBBF16 = kReal | kHalfs | kBoolean;

/// No type, but kept with them: calls need the operator's general form. Elementwise operators: their tensors differ in
/// shape or dim order, or have dynamic shapes; without it they do not broadcast. Matrix products: the second matrix is
/// not dense along the common dimension, as transposed constants are; without it they are fast for such only.
constexpr DtypeSet kMixedShapes = DtypeSet{1} << 31;

/// What a generated selection header lists: operator name ("aten::add.out") and the types its tensors have.
struct SelectedOperator {
  const char* name;
  DtypeSet dtypes;
};

#ifdef WICK_SELECTED_OPS
inline constexpr SelectedOperator kSelectedOperators[] = {
#include WICK_SELECTED_OPS
    {nullptr, 0}};

constexpr bool same_name(const char* a, const char* b) {
  for (; *a != 0 && *a == *b; ++a, ++b) {
  }
  return *a == *b;
}

/// The types for which the operator is built: those the model uses, none if the model does not use the operator.
constexpr DtypeSet selected_dtypes(const char* name) {
  for (const SelectedOperator* op = kSelectedOperators; op->name != nullptr; ++op) {
    if (same_name(op->name, name)) {
      return op->dtypes;
    }
  }
  return 0;
}
#else
/// The types for which the operator is built: all, as no selection was made.
constexpr DtypeSet selected_dtypes(const char*) { return kAllDtypes; }
#endif

/// Handed to the function of switch_dtype: `typename decltype(tag)::type` is the C++ type.
template <typename T>
struct DtypeTag {
  using type = T;
};

namespace internal {
template <DtypeSet kTypes, executorch::aten::ScalarType kType, typename T, typename Function>
inline bool try_dtype(executorch::aten::ScalarType type, Function& function) {
  if constexpr ((kTypes & dtype_bit(kType)) != 0) {
    if (type == kType) {
      function(DtypeTag<T>{});
      return true;
    }
  } else {
    (void)type;
    (void)function;
  }
  return false;
}
}  // namespace internal

/// Calls function(DtypeTag<T>{}) for the C++ type of `type`; false, and no call, if the type is not in kTypes.
template <DtypeSet kTypes, typename Function>
inline bool with_dtype(executorch::aten::ScalarType type, Function&& function) {
  using ST = executorch::aten::ScalarType;
  using namespace executorch::aten;
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
         internal::try_dtype<kTypes, ST::UInt64, uint64_t>(type, function);
}

/// The same for a kernel: a type that is not in kTypes sets Error::InvalidArgument.
template <DtypeSet kTypes, typename Function>
inline void switch_dtype(executorch::runtime::KernelRuntimeContext& ctx, executorch::aten::ScalarType type,
                         Function&& function) {
  if (!with_dtype<kTypes>(type, function)) {
    ctx.fail(executorch::runtime::Error::InvalidArgument);
  }
}

}  // namespace wick
