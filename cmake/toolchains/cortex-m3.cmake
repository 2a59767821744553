# SPDX-License-Identifier: BSD-3-Clause
# Cortex-M3: no FPU, no DSP extension.
set(WICK_CPU cortex-m3)
set(WICK_CPU_FLAGS -mcpu=cortex-m3 -mthumb -mfloat-abi=soft)
include("${CMAKE_CURRENT_LIST_DIR}/arm-none-eabi.cmake")
