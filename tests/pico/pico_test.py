#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Builds examples/pico_mnist for RP2040 and RP2350 and runs the images: the former in the emulator rp2040js (npm ci of the
lock file here), both in Unicorn (pip install of requirements.txt). The same for boards/stm32_qspi.

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


class Image(unittest.TestCase):
    """An image of each chip, built once, in an emulator."""

    def setUp(self):
        self.work = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def expect_digits(self, board, *runner):
        folder = build(board)
        for variant in ("int8", "float"):
            status, text = call(*runner, folder / f"pico_mnist_{variant}_{board}.uf2", "digits read right", cwd=self.work)
            self.assertIn("all 10 digits read right", text)
            for digit in range(10):
                self.assertIn(f"read as {digit}", text)
            self.assertEqual(status, 0)

    def expect_small(self, board):
        # Half of a UF2 file is image, in pages of 256 bytes.
        image = (build(board) / f"pico_mnist_int8_{board}.uf2").stat().st_size // 2
        model = (ROOT / "examples/pico_mnist/digits.int8.pte").stat().st_size
        self.assertLessEqual(image - model, 24 * 1024)

    def unicorn(self):
        status, text = call("timeout", "120", sys.executable, "-m", "pip", "install", "--quiet", "--require-hashes",
                            "--no-deps", "--only-binary", ":all:", "--target", self.work, "-r", HERE / "requirements.txt")
        if status != 0:
            self.skipTest(f"unicorn cannot be installed: {text[-300:]}")
        return "env", f"PYTHONPATH={self.work}", sys.executable, HERE / "run_unicorn.py"


class Rp2040(Image):
    def test_reads_all_digits_in_rp2040js(self):
        for name in ("package.json", "package-lock.json", "run_rp2040.mjs"):
            shutil.copy(HERE / name, self.work)
        if not shutil.which("npm"):
            self.skipTest("npm is not installed")
        status, text = call("timeout", "120", "npm", "ci", cwd=self.work)
        if status != 0:
            self.skipTest(f"rp2040js cannot be installed: {text[-300:]}")
        self.expect_digits("pico", "node", "run_rp2040.mjs")

    def test_reads_all_digits_in_unicorn(self):
        self.expect_digits("pico", *self.unicorn())

    def test_image_without_the_model_is_at_most_24_kilobytes(self):
        self.expect_small("pico")


class Rp2350(Image):
    def test_reads_all_digits_in_unicorn(self):
        self.expect_digits("pico2", *self.unicorn())

    def test_image_without_the_model_is_at_most_24_kilobytes(self):
        self.expect_small("pico2")

    def test_image_has_block_vectors_and_family(self):
        # `wick uf2` has checked block and vectors, else there were no file.
        data = (build("pico2") / "pico_mnist_int8_pico2.uf2").read_bytes()
        for at in range(0, len(data), 512):
            magic, _, flags, address, size = struct.unpack_from("<5I", data, at)
            self.assertEqual((magic, flags, size), (0x0A324655, 0x2000, 256))
            self.assertEqual(struct.unpack_from("<I", data, at + 28)[0], 0xE48BFF59)  # RP2350, Arm, secure
            self.assertGreaterEqual(address, 0x10000000)
        self.assertIn(struct.pack("<5I", 0xFFFFDED3, 0x10210142, 0x000001FF, 0, 0xAB123579), data)


class Stm32(Image):
    def test_network_runs_in_place_from_qspi_flash_that_the_board_set_up(self):
        runner = self.unicorn()
        for command in (("cmake", "--preset", "an386"),
                        ("cmake", "--build", "build/an386", "-j", JOBS, "--target", "xip_kws_stm32_qspi")):
            status, text = call(*command)
            self.assertEqual(status, 0, text[-6000:])
        status, text = call(*runner[:-1], HERE / "run_stm32.py", "build/an386/examples/xip_kws/xip_kws_stm32_qspi.elf",
                            "models/kws.float.pte", "PASS")
        self.assertIn("program in flash at 0x90000000: 100784 bytes", text)
        self.assertIn("PASS: all scores", text)
        self.assertEqual(status, 0)


if __name__ == "__main__":
    sys.exit(unittest.main())
