// SPDX-License-Identifier: BSD-3-Clause
// c10::complex, the name under which kernels shared with PyTorch know the type.
// It is the same type as executorch::aten::complex.
//
//     #include <c10/util/complex.h>

#pragma once

#include <executorch/runtime/core/portable_type/complex.h>
