# SPDX-License-Identifier: BSD-3-Clause
# Cortex-M33 with the DSP extension and the single-precision FPU.
set(WICK_CPU cortex-m33)
set(WICK_CPU_FLAGS -mcpu=cortex-m33 -mthumb -mfpu=fpv5-sp-d16 -mfloat-abi=hard)
include("${CMAKE_CURRENT_LIST_DIR}/arm-none-eabi.cmake")
