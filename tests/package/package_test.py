#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Projects outside of the repository that use wick, built and run in QEMU as their users would.

    tests/package/package_test.py WICK_FIRMWARE [-v] [Test.name]     the path of the host program wick or wick_firmware
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TOOLCHAINS = ROOT / "cmake/toolchains"
JOBS = str(os.cpu_count() or 1)
sys.path.insert(0, str(ROOT / "scripts"))

import qemu  # noqa: E402

TOOL = None


class Outside(unittest.TestCase):
    """A copy of a project in a temporary folder."""

    def setUp(self):
        for program in ("arm-none-eabi-g++", "qemu-system-arm"):
            if not shutil.which(program):
                self.skipTest(f"{program} is not installed")
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="outside-")))

    def project(self, name, model=ROOT / "models/add.float.pte"):
        shutil.copytree(HERE / name, self.folder, dirs_exist_ok=True)
        shutil.copy(model, self.folder / "model.pte")

    def call(self, *command):
        done = subprocess.run([str(c) for c in command], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True)
        self.assertEqual(done.returncode, 0, f"{' '.join(map(str, command))}\n{done.stdout[-6000:]}")
        return done.stdout

    def cmake(self, *settings):
        self.call("cmake", "-B", "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=MinSizeRel",
                  f"-DCMAKE_TOOLCHAIN_FILE={TOOLCHAINS}/cortex-m55.cmake", *settings)
        return self.call("cmake", "--build", "build", "-j", JOBS)

    def expect_pass(self, elf, *loads, expect="PASS"):
        status, console = qemu.run("an547", self.folder / elf, [str(self.folder / f) for f in loads], [], 60)
        self.assertIn(expect, console)
        self.assertIn("PASS", console)
        self.assertEqual(status, 0)

    def test_find_package_from_an_installed_prefix_embedded_and_in_qspi(self):
        self.project("firmware")
        self.call("cmake", "-S", ROOT, "-B", "wick", "-G", "Ninja", "-DWICK_BUILD_TESTS=OFF", "-DWICK_BUILD_TOOLS=OFF",
                  "-DWICK_BUILD_EXAMPLES=OFF")
        self.call("cmake", "--install", "wick", "--prefix", "prefix")
        output = self.cmake(f"-DCMAKE_PREFIX_PATH={self.folder}/prefix")
        self.assertRegex(output, r"flash +\d+ of 524288")
        self.expect_pass("build/app.elf", expect="model in the image")
        self.expect_pass("build/app_qspi.elf", "build/app_qspi_model.bin", expect="model in QSPI")
        self.assertIn("aten::add.out", self.manifest("build/app.elf"))
        self.expect_same_memory(self.folder / "build/wick_firmware_tool/wick_firmware")

    def expect_same_memory(self, other):
        """The program that CMake compiles for itself has no kernels, and must count memory as the one that has."""
        models = [*(ROOT / "models").glob("*.pte"), *(ROOT / "tests/data/corpus/models").glob("*.pte")]
        self.assertGreater(len(models), 30)
        for model in models:
            headers = []
            for tool in (TOOL, other):
                self.call(tool, "embed", model, "-o", "headers", "--root", ROOT, "--no-model")
                headers.append((self.folder / "headers/exec_model.h").read_text())
            self.assertEqual(*headers, model)

    def test_find_package_from_a_checkout(self):
        self.project("firmware")
        self.call("cmake", "-B", "build", "-G", "Ninja", f"-DCMAKE_TOOLCHAIN_FILE={TOOLCHAINS}/cortex-m55.cmake",
                  f"-DCMAKE_PREFIX_PATH={ROOT}", f"-DWICK_FIRMWARE_TOOL={TOOL}")

    def test_add_subdirectory_with_a_model_in_a_section_and_more_kernels(self):
        self.project("subdirectory")
        shutil.copy(HERE / "firmware/main.cpp", self.folder)
        self.cmake(f"-DWICK={ROOT}", f"-DWICK_FIRMWARE_TOOL={TOOL}")
        self.expect_pass("build/app.elf")
        self.assertIn("aten::mul.out", self.manifest("build/app.elf"))
        mul = subprocess.run([TOOL, "check", self.folder / "build/app.elf", ROOT / "models/kws.float.pte"],
                             stdout=subprocess.PIPE, text=True)
        self.assertEqual(mul.returncode, 1)
        self.assertIn("operator aten::convolution.out", mul.stdout)
        self.call(TOOL, "check", "build/app.elf", "model.pte")

    def test_find_package_executorch_by_the_prefix_path_only(self):
        self.project("executorch")
        output = self.call("cmake", "-B", "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={ROOT}/integrations",
                           f"-DEXECUTORCH_SELECT_OPS_MODEL={self.folder}/model.pte", "-DEXECUTORCH_BUILD_PORTABLE_OPS=ON",
                           "-DEXECUTORCH_BUILD_XNNPACK=ON", f"-DWICK_FIRMWARE_TOOL={TOOL}")
        self.assertIn("EXECUTORCH_BUILD_XNNPACK: nothing to do, wick has no such backend", output)
        self.assertNotIn("EXECUTORCH_BUILD_PORTABLE_OPS", output)
        self.call("cmake", "--build", "build", "-j", JOBS)
        # Inputs are ones, as the official prepare_input_tensors() fills them.
        self.assertEqual(self.call("build/app", "model.pte"), "2.0\n")

    def test_a_makefile_with_its_own_start_up_linker_script_and_c_main(self):
        self.project("makefile")
        self.call(TOOL, "embed", "model.pte", "-o", "model", "--root", ROOT)
        self.call("make", "-j", JOBS)
        self.expect_pass("app.elf", expect="the arena is 1 bytes too small")
        symbols = self.call("arm-none-eabi-nm", "app.elf")
        self.assertNotRegex(symbols, "malloc|_sbrk|__cxa_|_Zna|_Znw")
        self.call(TOOL, "embed", "model.pte", "-o", "model", "--root", ROOT, "--array")
        self.call("make")
        self.expect_pass("app.elf")

    def test_fetch_content_under_another_name_in_a_folder_with_a_space(self):
        self.folder = self.folder / "my project"
        self.project("fetched")
        shutil.copy(HERE / "makefile/main.c", self.folder)
        parts = [path.name for path in ROOT.iterdir() if path.name not in ("build", ".git", "tests")]
        self.call("tar", "-czf", "release.tar.gz", "-C", ROOT, *parts)
        self.call("cmake", "-B", "build", "-G", "Ninja", f"-DARCHIVE={self.folder}/release.tar.gz",
                  f"-DWICK_FIRMWARE_TOOL={TOOL}")
        self.call("cmake", "--build", "build", "-j", JOBS)
        self.assertIn("PASS", self.call("build/app"))

    def test_the_target_for_the_pico_sdk_logs_to_its_console(self):
        self.project("pico_sdk")
        self.call("cmake", "-B", "build", "-G", "Ninja", f"-DWICK={ROOT}", f"-DWICK_FIRMWARE_TOOL={TOOL}")
        self.call("cmake", "--build", "build", "-j", JOBS)
        self.assertIn("E no .pte program", self.call("build/app"))

    def manifest(self, elf):
        return self.call("arm-none-eabi-objcopy", "-O", "binary", "--only-section=.wick.manifest",
                         "--set-section-flags", ".wick.manifest=alloc", elf, "/dev/stdout")


if __name__ == "__main__":
    TOOL = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
