// SPDX-License-Identifier: BSD-3-Clause
// A selection as wick embed writes it for a program that adds tensors of one shape: float and half, no kMixedShapes.
// It is included inside an array.
{"aten::add.out", (1U << 6) | (1U << 5)},
