// SPDX-License-Identifier: BSD-3-Clause
// c10::BFloat16, the name under which kernels shared with PyTorch know the type.
// It is the same type as executorch::aten::BFloat16.
//
//     #include <c10/util/BFloat16.h>

#pragma once

#include <executorch/runtime/core/portable_type/bfloat16.h>
