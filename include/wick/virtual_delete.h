// SPDX-License-Identifier: BSD-3-Clause
// Keeps the heap out of firmware that does not use it. A class with a virtual destructor refers to operator delete, and
// that links free() and malloc() even if nothing is ever created with new. Classes meant to be derived from say:
//
//     class DataLoader {
//      public:
//       WICK_DELETE_WITHOUT_HEAP
//       virtual ~DataLoader() = default;
//     };

#pragma once

// Hosts have a heap, and so do systems that link this way anyway: there the macro is empty.
#if defined(__ELF__) && defined(__GNUC__) && !defined(__unix__) && !defined(_WIN32)

namespace wick::internal {
/// The program's operator delete, null when the image has none.
extern "C" __attribute__((weak)) void operator_delete(void* object) __asm__("_ZdlPv");
}  // namespace wick::internal

/// Deletes an object by the global operator delete if the image has it. An image in which no other `delete` is linked
/// created nothing that it meant to delete.
#define WICK_DELETE_WITHOUT_HEAP                        \
  static void operator delete(void* object) noexcept {  \
    if (::wick::internal::operator_delete != nullptr) { \
      ::wick::internal::operator_delete(object);        \
    }                                                   \
  }

#else

#define WICK_DELETE_WITHOUT_HEAP

#endif

// A static object of such a class need not be destroyed at the end of a firmware, which never comes. Clang is told so by
// this, in front of the object; GCC by the option -fno-use-cxa-atexit. Neither then runs a constructor at start-up.
#if defined(__clang__)
#define WICK_NO_DESTROY [[clang::no_destroy]]
#else
#define WICK_NO_DESTROY
#endif
