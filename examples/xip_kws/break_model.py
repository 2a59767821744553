#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""break_model.py MODEL FOLDER: writes damaged copies of a program, for tests of what the firmware says to them."""
import pathlib
import struct
import sys

model = pathlib.Path(sys.argv[1]).read_bytes()
folder = pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
segments = struct.unpack_from("<Q", model, 24)[0]  # extended header: where the weights begin
weights = bytearray(model)
weights[segments + 4096:segments + 4160] = b"\x3f" * 64
(folder / "weights.pte").write_bytes(weights)
(folder / "truncated.pte").write_bytes(model[:len(model) // 2])
(folder / "erased.bin").write_bytes(b"\xff" * 4096)
(folder / "text.bin").write_bytes(b"This is no program at all. " * 100)
