// SPDX-License-Identifier: BSD-3-Clause
//
// Parts of the method loader that an image carries only if something in it uses them: kernels that a program registers,
// delegates, data files. The user of a part hands the loader a pointer to it; without one the linker drops the part.
//
//   wick::internal::registered_foreign_calls = &wick::foreign_calls;   // what register_kernels() does
#pragma once

namespace wick {

/// Calls to code outside of wick: registered kernels and delegates.
struct ForeignCalls;
extern const ForeignCalls foreign_calls;

/// Tensors whose data is in a data file (.ptd).
struct ExternalData;
extern const ExternalData external_data;

namespace internal {
/// Set by register_kernels() and register_backend(); null as long as nothing is registered.
extern const ForeignCalls* registered_foreign_calls;
}  // namespace internal

}  // namespace wick
