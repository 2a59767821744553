# SPDX-License-Identifier: BSD-3-Clause
# Every option of the build, each with one line of help. All combinations are allowed; an option that cannot apply to the
# compiler at hand (host tools in a cross build) has no effect.
set(WICK_IS_TOP_LEVEL ${PROJECT_IS_TOP_LEVEL})
set(hosted OFF)
if(CMAKE_SYSTEM_NAME MATCHES "^(Linux|Android|Darwin|iOS|Windows|.*BSD)$")
  set(hosted ON)  # others are chips: Generic, or what an SDK calls itself
endif()
set(WICK_HOSTED ${hosted} CACHE INTERNAL "The target has an operating system: no boards, no firmware")

option(WICK_LOG "Log messages through et_pal_emit_log_message (OFF removes calls and texts)" ON)
set(WICK_LOG_LEVEL "Info" CACHE STRING "Lowest level that is logged: Debug, Info, Error or Fatal")
set_property(CACHE WICK_LOG_LEVEL PROPERTY STRINGS Debug Info Error Fatal)
option(WICK_BUILD_TESTS "Build the tests (GoogleTest on a host, firmware in QEMU when cross compiling)" ${WICK_IS_TOP_LEVEL})
option(WICK_BUILD_TOOLS "Build the host program wick" ${WICK_IS_TOP_LEVEL})
option(WICK_BUILD_EXAMPLES "Build the examples" ${WICK_IS_TOP_LEVEL})
option(WICK_BUILD_BENCH "Build the firmware measured by make size and make bench" OFF)
option(WICK_WERROR "Treat warnings in wick's own sources as errors" OFF)
option(WICK_SANITIZE "Build for the host with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
set(WICK_HEAP 0 CACHE STRING "Bytes of heap that a board's firmware gets (0: no heap)")

set(WICK_ETHOS_U "model" CACHE STRING
    "What runs Ethos-U delegates: model (functional model), hardware (wick's driver), arm (Arm's), application (its own)")
set_property(CACHE WICK_ETHOS_U PROPERTY STRINGS model hardware arm application)

if(NOT WICK_HOSTED)
  set(WICK_BUILD_TOOLS OFF)
endif()
if(WICK_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, MinSizeRel, RelWithDebInfo or Debug" FORCE)
endif()
if(WICK_SANITIZE AND WICK_HOSTED)
  # gcc 12 sees uninitialised members in std::regex when it is instrumented.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
                      -fno-sanitize=vptr $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  add_link_options(-fsanitize=address,undefined)
endif()
