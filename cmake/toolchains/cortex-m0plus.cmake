# SPDX-License-Identifier: BSD-3-Clause
# Cortex-M0+: Armv6-M, no FPU, no unaligned access.
set(WICK_CPU cortex-m0plus)
set(WICK_CPU_FLAGS -mcpu=cortex-m0plus -mthumb -mfloat-abi=soft)
include("${CMAKE_CURRENT_LIST_DIR}/arm-none-eabi.cmake")
