// SPDX-License-Identifier: BSD-3-Clause
// Everything of the tensor extension: TensorPtr, its makers, and access by index. It uses the heap and the standard
// library; a program that binds buffers of its own needs only runtime/core.

#pragma once

#include <executorch/extension/tensor/tensor_accessor.h>
#include <executorch/extension/tensor/tensor_ptr.h>
#include <executorch/extension/tensor/tensor_ptr_maker.h>
