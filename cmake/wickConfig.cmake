# SPDX-License-Identifier: BSD-3-Clause
# find_package(wick): adds wick's sources to the project, so that they are compiled with the project's toolchain and flags.
# The prefix path is a checkout, or where `cmake --install` put one.
if(NOT TARGET wick::wick)
  get_filename_component(wick_root "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
  add_subdirectory("${wick_root}" "${CMAKE_BINARY_DIR}/wick" EXCLUDE_FROM_ALL)
endif()
set(wick_FOUND TRUE)
