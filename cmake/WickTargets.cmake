# SPDX-License-Identifier: BSD-3-Clause
# How wick's own targets are compiled: strict warnings for all, and for the device library no exceptions, no RTTI and one
# section per function, so that a linker with --gc-sections keeps only what is called.

add_library(wick_warnings INTERFACE)
target_compile_options(wick_warnings INTERFACE -Wall -Wextra -Wconversion -Wshadow -Wpedantic
                                               $<$<BOOL:${WICK_WERROR}>:-Werror>)

add_library(wick_device_flags INTERFACE)
target_compile_options(
  wick_device_flags
  INTERFACE -ffunction-sections -fdata-sections
            $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions> $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>
            $<$<COMPILE_LANGUAGE:CXX>:-fno-threadsafe-statics>)
if(NOT WICK_HOSTED)
  # What GCC does for speed even at -Os, for 1 % of size.
  target_compile_options(
    wick_device_flags
    INTERFACE "$<$<AND:$<CONFIG:MinSizeRel>,$<COMPILE_LANG_AND_ID:CXX,GNU>>:-fno-branch-count-reg;-fno-caller-saves;-fno-code-hoisting;-fno-schedule-insns2;-fno-tree-switch-conversion>")
  target_compile_options(wick_device_flags INTERFACE -fno-unwind-tables -fno-asynchronous-unwind-tables)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(wick_device_flags INTERFACE -Wno-psabi)  # notes about GCC before version 7
  endif()
endif()

# wick_optimise_for_speed(source...)
# Compiles the kernel sources in which inferences spend their time with -O2, whatever the build type. On Helium the inner
# loops are written out and long, so that all sources stay small with the rest of an image that is built for size.
function(wick_optimise_for_speed)
  if(WICK_CPU MATCHES "cortex-m(55|85)")
    return()
  elseif(WICK_CPU STREQUAL "cortex-m0plus" AND CMAKE_BUILD_TYPE STREQUAL "MinSizeRel")
    return()  # its unrolled loops are larger than the whole of the rest and run from slow flash
  endif()
  set(fast tiles conv depthwise elementwise quantize chunk)
  list(JOIN fast "|" names)
  foreach(source IN LISTS ARGN)
    if(source MATCHES "/src/kernels/cortex_m/(${names})\\.cpp$" AND NOT MSVC)
      set_source_files_properties("${source}" PROPERTIES COMPILE_OPTIONS -O2)
    endif()
  endforeach()
endfunction()

# wick_add_library(NAME SOURCES file... [LIBRARIES target...] [HOSTED])
# One static library with the alias wick::<NAME without wick_>. HOSTED: a library for PCs, exceptions and heap allowed.
# A room without sources yet gives an interface library, so that dependants need no special case.
function(wick_add_library name)
  cmake_parse_arguments(arg "HOSTED" "" "SOURCES;LIBRARIES" ${ARGN})
  string(REGEX REPLACE "^wick_" "" alias "${name}")
  if(NOT arg_SOURCES)
    add_library(${name} INTERFACE)
    target_include_directories(${name} INTERFACE "$<BUILD_INTERFACE:${WICK_ROOT}/include>")
    target_link_libraries(${name} INTERFACE ${arg_LIBRARIES})
    add_library(wick::${alias} ALIAS ${name})
    return()
  endif()
  wick_optimise_for_speed(${arg_SOURCES})
  add_library(${name} STATIC ${arg_SOURCES})
  if(NOT WICK_HOSTED)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)  # a firmware builds what it links
  endif()
  add_library(wick::${alias} ALIAS ${name})
  target_compile_features(${name} PUBLIC cxx_std_17)
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF)
  target_include_directories(${name} PUBLIC "$<BUILD_INTERFACE:${WICK_ROOT}/include>" "$<INSTALL_INTERFACE:include>"
                             PRIVATE "${WICK_ROOT}")
  target_link_libraries(${name} PUBLIC ${arg_LIBRARIES} PRIVATE $<BUILD_INTERFACE:wick_warnings>)
  if(NOT arg_HOSTED)
    set_property(GLOBAL APPEND PROPERTY WICK_DEVICE_LIBRARIES ${name})
    target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:wick_device_flags>)
  endif()
endfunction()

# wick_add_test(NAME SOURCES file... [LIBRARIES target...] [TIMEOUT s])
# A GoogleTest program on the host; every TEST in it is a test of ctest.
function(wick_add_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;LIBRARIES" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_compile_features(${name} PRIVATE cxx_std_17)
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF)
  target_include_directories(${name} PRIVATE "${WICK_ROOT}" "${WICK_ROOT}/include")
  target_compile_definitions(${name} PRIVATE WICK_SOURCE_DIR="${WICK_ROOT}")
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} wick_warnings GTest::gmock GTest::gtest GTest::gtest_main)
  gtest_discover_tests(${name} TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT ${arg_TIMEOUT})
endfunction()
