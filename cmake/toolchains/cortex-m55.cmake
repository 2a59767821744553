# SPDX-License-Identifier: BSD-3-Clause
# Cortex-M55 with Helium (M-profile vector extension, integer and float).
set(WICK_CPU cortex-m55)
set(WICK_CPU_FLAGS -mcpu=cortex-m55 -mthumb -mfloat-abi=hard)
include("${CMAKE_CURRENT_LIST_DIR}/arm-none-eabi.cmake")
