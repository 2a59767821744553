// SPDX-License-Identifier: BSD-3-Clause
// Which shared library an address belongs to, for messages about double registration on a host.
// Without ET_USE_LIBDL, and on every device, the answer is "NOT_SUPPORTED".
//
//     const char* library = et_pal_get_shared_library_name(reinterpret_cast<const void*>(&function));

#pragma once

#if defined(ET_USE_LIBDL)
#include <dlfcn.h>
#endif

static constexpr const char* DYNAMIC_LIBRARY_NOT_SUPPORTED = "NOT_SUPPORTED";
static constexpr const char* DYNAMIC_LIBRARY_NOT_FOUND = "NOT_FOUND";

extern "C" {

/// The path of the shared library that contains `addr`, or one of the two constants above.
inline const char* et_pal_get_shared_library_name([[maybe_unused]] const void* addr) {
#if defined(ET_USE_LIBDL)
  Dl_info info;
  return dladdr(addr, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : DYNAMIC_LIBRARY_NOT_FOUND;
#else
  return DYNAMIC_LIBRARY_NOT_SUPPORTED;
#endif
}

}  // extern "C"
