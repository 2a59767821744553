#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs every command that README.md, docs/ and boards/README.md show, and provokes every message of the last table of
docs/errors.md (tests/errors has the others). A command that is not known here fails; so does one here that no page shows.

    tests/docs/docs_test.py WICK LIBWICK [-v] [Class.test]     the host program wick, and the host's libwick.a
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", ROOT / "boards/README.md", *sorted((ROOT / "docs").glob("*.md"))]
TOOL = LIBRARY = None

ADD, KWS, NPU = (f"models/{name}.pte" for name in ("add.float", "kws.float", "kws.ethosu55"))
PICO = "build/pico/examples/pico_mnist/pico_mnist_int8_pico"
HELLO = "build/an547/tests/firmware/hello_an547.elf"

# Commands of the host program: as a page shows them, as they are run, and what they must print. OUT is a temporary folder.
TOOLS = {
    "build/wick": ("--help", "memory"),
    "build/wick verify PATH…": ("verify tests/data/corpus/models/add.float.json", r"\d passed, 0 failed, 0 skipped"),
    "build/wick run FILE.pte": (f"run {ADD}", "float32"),
    "build/wick inspect FILE": (f"inspect {KWS}", "aten::convolution.out"),
    "build/wick memory FILE": (f"memory {KWS}", r"\d+ +arena"),
    "build/wick memory models/kws.float.pte": (f"memory {KWS}", "64840 there"),
    "build/wick doctor FILE": (f"doctor {KWS}", "ok   method forward loads"),
    "build/wick embed FILE.pte -o DIR": (f"embed {ADD} -o OUT", "^"),
    "build/wick npu disasm FILE": (f"npu disasm {NPU}", "OP_CONV"),
    "npu run FILE --trace": (f"npu run {NPU} --trace", "cycles"),
    "wick npu run FILE --estimate": (f"npu run {NPU} --estimate", "cycles"),
}
# Commands on firmware, and those of make, once the images are built.
MAKE = {
    "make demo": ("make demo", "PASS: all scores"),
    "make demo-npu": ("make demo-npu", "PASS"),
    "scripts/qemu.py an547 build/an547/tests/firmware/hello_an547.elf -- checks": (
        f"scripts/qemu.py an547 {HELLO} --load tests/firmware/model_memory.txt -- checks", "PASS"),
    "scripts/qemu.py an547 app.elf --load model.pte": (
        f"scripts/qemu.py an547 build/an547/examples/xip_kws/xip_kws_an547.elf --load {KWS}", "PASS"),
    "make pico": ("make pico", "_int8_pico.uf2"),
    "MODEL=my.pte": ("make pico MODEL=examples/pico_mnist/digits.float.pte", "_own_pico.uf2"),
    "make pico2": ("make pico2", "_int8_pico2.uf2"),
    "build/wick check APP.elf FILE.pte": (f"WICK check {PICO}.elf examples/pico_mnist/digits.int8.pte", "has the kernels"),
    "build/wick size APP.elf": (f"WICK size {PICO}.elf", r"flash +\d+"),
    "build/wick uf2 APP.elf --family rp2040": (f"WICK uf2 {PICO}.elf --family rp2040 -o OUT/app.uf2", "bytes to flash"),
    "make size": (f"make size MODELS='--boards an547 {ADD}'", "runtime/executor"),
    "make bench": (f"make bench MODELS='--boards an547 {ADD}'", "add.float"),
}
# Commands that another test runs: its file and a piece of its text.
ELSEWHERE = {
    "cmake --install": ("tests/package/package_test.py", '"cmake", "--install"'),
    "wick embed": ("tests/package/package_test.py", 'self.call(TOOL, "embed"'),
    "wick check app.elf new.pte": ("tests/package/package_test.py", 'self.call(TOOL, "check", "build/app.elf"'),
    "scripts/etdump.py console.txt -o etdump.bin": ("examples/etdump/check.py", "etdump"),
    "cmake -S npu": ("tests/npu/CMakeLists.txt", "npu"),
    "ctest -R npu_cost": ("tests/firmware/CMakeLists.txt", "an547.npu_cost"),
    "ctest -R npu_test": ("tests/npu/CMakeLists.txt", "npu_test"),
    "ctest -R fuzz.npu_fuzz": ("tests/fuzz/CMakeLists.txt", "NAME fuzz."),
    "ctest -R an547.npu_model": ("tests/firmware/CMakeLists.txt", "an547.${firmware}"),
}
# Not run here. What needs a network says so on its page.
EXCEPT = {
    "make test": "this is a part of it",
    "make test-all": "the same",
    "make wick": "builds the program under test, in the tree of the tests that are running; its steps are checked below",
    "python3 -c 'from executorch.devtools import Inspector; Inspector(etdump_path=\"etdump.bin\").print_data_tabular()'":
        "network: wants the Python package executorch",
}
COMMAND = re.compile(r"(?:\$ )?((?:(?:make|cmake|ctest|build/wick|wick|npu|scripts/\w+\.py|python3|npm|pip|git)(?: .*)?)|MODEL=\S+)$")
# Names of tools and options of a text; and messages that begin like a command.
MENTIONS = {"wick", "wick inspect", "wick check", "wick verify", "scripts/etdump.py", "scripts/qemu.py"}


def shown_commands():
    """{command: page} of indented lines, console blocks and code spans."""
    found = {}
    for page in PAGES:
        language = None
        for line in page.read_text().splitlines():
            fence = re.match(r"```(\w*)", line)
            if fence:
                language = fence[1] if language is None else None
            elif language in (None, "", "sh", "console"):
                block = line.startswith("    ") or language is not None
                table = page.name == "errors.md" and line.startswith("| `")
                pieces = [line.strip()] if block else [] if table else re.findall(r"`([^`]+)`", line)
                for piece in pieces:
                    match = COMMAND.match(piece)
                    if match and re.split("  +", match[1])[0] not in MENTIONS:
                        found.setdefault(re.split("  +", match[1])[0], page.name)
    return found


def call(command, cwd=ROOT):
    """(status, output) of a shell command."""
    done = subprocess.run(command, shell=True, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


class Temporary(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def expect(self, command, pattern):
        command = command.replace("WICK ", f"{TOOL} ", 1).replace("OUT", str(self.folder))
        status, text = call(command)
        self.assertEqual(status, 0, f"{command}\n{text[-4000:]}")
        self.assertRegex(text, pattern, command)


class Commands(Temporary):
    def test_all_commands_that_pages_show_are_known(self):
        shown = shown_commands()
        known = {**TOOLS, **MAKE, **ELSEWHERE, **EXCEPT}
        self.assertGreater(len(shown), 30)
        unknown = {command: page for command, page in shown.items()
                   if command not in known and not command.startswith("wick ")}
        # `wick X` in a text is `build/wick X` of the README.
        unknown.update({command: page for command, page in shown.items() if command.startswith("wick ")
                        and command not in known and not any(k.startswith("build/" + " ".join(command.split()[:2]))
                                                             for k in known)})
        self.assertEqual(unknown, {}, "commands that no test runs")
        self.assertEqual(sorted(set(known) - set(shown)), [], "commands here that no page shows")

    def test_commands_run_elsewhere_are_there(self):
        for command, (file, text) in ELSEWHERE.items():
            self.assertIn(text, (ROOT / file).read_text(), command)

    def test_the_host_program_does_what_pages_show(self):
        for command, pattern in TOOLS.values():
            with self.subTest(command):
                self.expect(f"WICK {command}", pattern)

    def test_figures_of_memory_are_those_of_the_page(self):
        _, text = call(f"{TOOL} memory {KWS}")
        page = (ROOT / "docs/memory.md").read_text()
        self.assertIn("".join(f"    {line}\n" for line in text.splitlines()), page)

    def test_make_wick_builds_this_host_program(self):
        status, text = call("make -n wick")
        self.assertEqual(status, 0)
        self.assertIn("--target wick_tool", text)
        self.assertIn("ln -sf host/wick build/wick", text)


class Programs(Temporary):
    def test_whole_programs_on_pages_compile(self):
        """C++ blocks that begin with an include, and are not taken apart by text in between."""
        self.expect(f"WICK embed {KWS} -o OUT", "^")
        programs = 0
        for page in PAGES:
            for block in re.findall(r"^```cpp\n(#include.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE):
                if "int main()" in block or 'extern "C" {' in block:
                    (self.folder / "block.cpp").write_text(block)
                    self.expect(f"c++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only -I{ROOT}/include -IOUT OUT/block.cpp", "^")
                    programs += 1
        self.assertEqual(programs, 3)


class Boards(Temporary):
    """Builds in the trees of the boards."""

    def test_make_targets_and_firmware_commands_do_what_pages_show(self):
        for command, pattern in MAKE.values():
            if "hello" in command:
                self.expect("cmake --build build/an547 --target hello_an547 -- --quiet", "^")
            with self.subTest(command):
                self.expect(command, pattern)


class Messages(Temporary):
    """The last table of docs/errors.md."""

    def script(self, text):
        path = self.folder / f"{len(list(self.folder.iterdir()))}.cmake"
        path.write_text(
            f'set(WICK_ROOT "{ROOT}")\ninclude({ROOT}/cmake/WickModel.cmake)\ninclude({ROOT}/cmake/WickFirmware.cmake)\n{text}')
        return f"cmake -P {path}"

    def elf(self):
        """A firmware that a Pico's boot ROM would not start."""
        (self.folder / "app.c").write_text("int reset(void) { return 0; }\n")
        return (f"arm-none-eabi-gcc -mcpu=cortex-m33 -mthumb -nostdlib -Wl,-e,reset -Wl,-Ttext=0x10000000 {self.folder}/app.c "
                f"-o {self.folder}/app.elf && ")

    def ways(self):
        (self.folder / "main.cpp").write_text(
            "#include <executorch/runtime/executor/program.h>\n"
            "int main() { return executorch::runtime::Program::load(nullptr)->load_method(\"forward\", nullptr).ok(); }\n")
        out = self.folder
        return {
            "undefined reference to `wick_kernel_table'":
                f"c++ -std=c++17 -I{ROOT}/include {out}/main.cpp {LIBRARY} -o {out}/app",
            "wick has no kernel for …": f"{TOOL} embed {ADD} --kernels my::op.out -o {out}",
            "no board '…' in this build; configure with -DCMAKE_TOOLCHAIN_FILE=":
                self.script("wick_add_firmware(app BOARD an386 SOURCES main.cpp)"),
            "does not exist; it is read when CMake runs": self.script("wick_add_model(m MODEL none.pte)"),
            "PLACE is embed, qspi, none or section NAME":
                self.script(f"wick_add_model(m MODEL {ROOT}/{ADD} PLACE nowhere)"),
            "no whole program; wick doctor tells more": f"{TOOL} embed README.md -o {out}",
            "bytes do not fit the flash of": f"{TOOL} embed {ADD} --address 0x90000000 --capacity 64 -o {out}",
            "missing in …: operator …":
                f"{TOOL} embed {ADD} -o {out} && arm-none-eabi-g++ -std=c++17 -mcpu=cortex-m4 -mthumb -I{ROOT} "
                f"-I{ROOT}/include -c {out}/kernel_table.cpp -o {out}/app.elf && {TOOL} check {out}/app.elf {KWS}",
            "no image block in the first 4 KB": self.elf() + f"{TOOL} uf2 {out}/app.elf --family rp2350-arm-s",
            "the second boot stage at … has the CRC": self.elf() + f"{TOOL} uf2 {out}/app.elf --family rp2040",
            "there is no runner firmware for …; build it":
                f"cp {TOOL} {out}/wick && {out}/wick verify --on an547 tests/data/corpus/models/add.float.json",
        }

    def test_messages_of_the_build_and_the_tools_are_as_documented(self):
        page = (ROOT / "docs/errors.md").read_text()
        rows = re.findall(r"^\| (`+)(.+?)\1 \|", page[page.index("## The build"):], re.MULTILINE)
        documented = [message for _, message in rows if message != "message"]
        ways = self.ways()
        self.assertEqual(sorted(documented), sorted(ways))
        for message, command in ways.items():
            with self.subTest(message):
                _, text = call(command)
                pattern = ".*".join(re.escape(piece).replace(r"\ ", r"\s+") for piece in message.split("…"))
                self.assertRegex(text, pattern, command)


if __name__ == "__main__":
    TOOL, LIBRARY = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(2))
    unittest.main()
