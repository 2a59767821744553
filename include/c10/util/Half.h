// SPDX-License-Identifier: BSD-3-Clause
// c10::Half, the name under which kernels shared with PyTorch know the type.
// It is the same type as executorch::aten::Half.
//
//     #include <c10/util/Half.h>

#pragma once

#include <executorch/runtime/core/portable_type/half.h>
