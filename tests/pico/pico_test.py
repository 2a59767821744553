#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Builds examples/pico_mnist for RP2040 and RP2350; runs the former in the emulator rp2040js (npm ci of the lock file here).

A toolchain that is not installed and a registry that is out of reach skip the test by name.
"""
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
JOBS = str(os.cpu_count() or 1)


def call(*command, cwd=ROOT):
    done = subprocess.run([str(c) for c in command], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def build(board):
    """The folder of the UF2 files."""
    if not shutil.which("arm-none-eabi-g++"):
        raise unittest.SkipTest("arm-none-eabi-g++ is not installed")
    for command in (("cmake", "--preset", board, "-DWICK_PICO_MODEL="),
                    ("cmake", "--build", f"build/{board}", "-j", JOBS, "--target", f"pico_mnist_{board}")):
        status, text = call(*command)
        if status != 0:
            raise AssertionError(text[-6000:])
    return ROOT / "build" / board / "examples/pico_mnist"


class Rp2040(unittest.TestCase):
    def test_reads_all_digits_in_the_emulator(self):
        folder = build("pico")
        with tempfile.TemporaryDirectory() as work:
            for name in ("package.json", "package-lock.json", "run_rp2040.mjs"):
                shutil.copy(HERE / name, work)
            if not shutil.which("npm"):
                self.skipTest("npm is not installed")
            status, text = call("timeout", "120", "npm", "ci", cwd=work)
            if status != 0:
                self.skipTest(f"rp2040js cannot be installed: {text[-300:]}")
            for variant in ("int8", "float"):
                status, text = call("node", "run_rp2040.mjs", folder / f"pico_mnist_{variant}_pico.uf2",
                                    "digits read right", "120", cwd=work)
                self.assertIn("all 10 digits read right", text)
                for digit in range(10):
                    self.assertIn(f"read as {digit}", text)
                self.assertEqual(status, 0)


class Rp2350(unittest.TestCase):
    def test_image_has_block_vectors_and_family(self):
        # `wick uf2` has checked block and vectors, else there were no file.
        data = (build("pico2") / "pico_mnist_int8_pico2.uf2").read_bytes()
        for at in range(0, len(data), 512):
            magic, _, flags, address, size = struct.unpack_from("<5I", data, at)
            self.assertEqual((magic, flags, size), (0x0A324655, 0x2000, 256))
            self.assertEqual(struct.unpack_from("<I", data, at + 28)[0], 0xE48BFF59)  # RP2350, Arm, secure
            self.assertGreaterEqual(address, 0x10000000)
        self.assertIn(struct.pack("<5I", 0xFFFFDED3, 0x10210142, 0x000001FF, 0, 0xAB123579), data)


if __name__ == "__main__":
    sys.exit(unittest.main())
