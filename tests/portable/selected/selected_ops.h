// SPDX-License-Identifier: BSD-3-Clause
// A selection as wick embed writes it for a program that adds tensors of one shape: float and half, no kMixedShapes;
// and multiplies by transposed constants, all of which become views. It is included inside an array.
{"aten::add.out", (1U << 6) | (1U << 5)},
{"aten::addmm.out", 1U << 6},
{"aten::mm.out", 1U << 6},
{"aten::permute_copy.out", 0},
