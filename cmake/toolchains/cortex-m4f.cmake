# SPDX-License-Identifier: BSD-3-Clause
# Cortex-M4 with the single-precision FPU.
set(WICK_CPU cortex-m4f)
set(WICK_CPU_FLAGS -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard)
include("${CMAKE_CURRENT_LIST_DIR}/arm-none-eabi.cmake")
