# SPDX-License-Identifier: BSD-3-Clause
# find_package(executorch) with wick: the targets, variables and options of the official package, on wick's libraries.
# Prefix path: this folder's parent in a checkout, or the prefix of `cmake --install`.
get_filename_component(wick_root "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
include("${wick_root}/cmake/wickConfig.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/targets.cmake")
set(EXECUTORCH_INCLUDE_DIRS "${wick_root}/include")
set(EXECUTORCH_LIBRARIES executorch extension_data_loader portable_ops_lib)
set(EXECUTORCH_FOUND ON)
set(executorch_FOUND TRUE)
