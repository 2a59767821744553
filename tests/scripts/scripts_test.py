# SPDX-License-Identifier: BSD-3-Clause
"""Tests of scripts/: reading programs, counting tests, sizes by room, and the rule that refuses slower code."""
import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

import bench  # noqa: E402
import cycles  # noqa: E402
import elf_stack  # noqa: E402
import measured  # noqa: E402
import pte  # noqa: E402
import qemu  # noqa: E402
import size  # noqa: E402
import test as runner  # noqa: E402


class ProgramReader(unittest.TestCase):
    def test_counts_the_work_of_the_keyword_spotter(self):
        # MLPerf Tiny's DS-CNN: 2,656,768 multiply-accumulates, as TFLite Micro's own model has.
        plan = pte.Program(ROOT / "models/kws.float.pte").plans[0]
        self.assertEqual(plan.name, "forward")
        self.assertEqual(sum(plan.macs(*call) for call in plan.calls()), 2656768)


class Summary(unittest.TestCase):
    def test_counts_passed_failed_and_skipped(self):
        with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
            file.write('<testsuite tests="10" failures="2" disabled="1" skipped="3"/>')
            file.flush()
            self.assertEqual(runner.count(file.name), (4, 2, 4))


class Rooms(unittest.TestCase):
    def test_names_the_room_of_an_object(self):
        rooms = size.room_names()
        origins = {
            "src/libwick.a(program.cpp.obj)": "runtime/executor",
            "bench/CMakeFiles/k.dir/__/src/kernels/portable/softmax.cpp.obj": "kernels/portable",
            "boards/CMakeFiles/wick_boards_an547.dir/common/start.cpp.obj": "boards",
            "/usr/lib/arm-none-eabi/lib/thumb/libc_nano.a(libc_a-memcpy.o)": "libc",
            "/usr/lib/gcc/arm-none-eabi/12.2.1/thumb/libgcc.a(_udivmoddi4.o)": "compiler",
        }
        for origin, room in origins.items():
            self.assertEqual(size.room_of(origin, rooms), room)


class Frames(unittest.TestCase):
    def test_counts_pushed_registers_in_bytes(self):
        self.assertEqual(elf_stack.registers("r4, r5, lr"), 12)
        self.assertEqual(elf_stack.registers("r4-r7, lr"), 20)
        self.assertEqual(elf_stack.registers("d8-d9"), 16)


class Baseline(unittest.TestCase):
    def rows(self, instructions):
        return [{"model": "m", "board": "an547", "phase": "execute", "instructions": instructions}]

    def compare(self, now, before):
        with tempfile.TemporaryDirectory() as folder:
            bench.BASELINE = pathlib.Path(folder) / "baseline.json"
            if before is not None:
                bench.BASELINE.write_text(json.dumps(self.rows(before)))
            return bench.compare(self.rows(now))

    def test_refuses_over_two_percent_more(self):
        self.assertEqual(len(self.compare(1021, 1000)), 1)
        self.assertEqual(self.compare(1020, 1000), [])
        self.assertEqual(self.compare(500, 1000), [])
        self.assertEqual(self.compare(500, None), [])


class RamBars(unittest.TestCase):
    def rows(self, model, board, planned):
        return [{"model": model, "board": board, "phase": "execute", "ram": {"planned": planned, "method": 0, "temp": 0}}]

    def test_refuses_more_than_the_arena_and_the_float_tensors(self):
        most = 27348 + 3 * 490
        self.assertEqual(bench.too_large(self.rows("kws.cortex_m", "an547", most)), [])
        self.assertEqual(len(bench.too_large(self.rows("kws.cortex_m", "an547", most + 1))), 1)
        self.assertEqual(bench.too_large(self.rows("ad.cortex_m_m4", "an386", 2580 + 3 * 640 + 1536)), [])
        self.assertEqual(bench.too_large(self.rows("kws.float", "an547", most + 1)), [])
        self.assertEqual(bench.too_large(self.rows("kws.cortex_m", "an385", most + 1)), [])


class FloatBars(unittest.TestCase):
    def row(self, model, board, instructions):
        operators = [{"name": "aten::convolution.out", "instructions": instructions, "macs": 1000},
                     {"name": "aten::relu.out", "instructions": 5000, "macs": 0}]
        return {"model": model, "board": board, "phase": "execute", "operators": operators}

    def test_counts_only_operators_that_multiply(self):
        self.assertEqual(bench.cost_of_products(self.row("ic.float", "an547", 700)), 0.7)
        self.assertIsNone(bench.cost_of_products({"phase": "load"}))

    def test_refuses_more_per_mac_than_the_bar_of_the_board(self):
        rows = [self.row("ic.float", "an547", 800), self.row("vww.float", "an386", 2500), self.row("ad.float", "an547", 9000)]
        self.assertEqual(bench.products_above_bar(rows), [])
        self.assertEqual(len(bench.products_above_bar([self.row("ic.float", "an547", 801)])), 1)


class Cycles(unittest.TestCase):
    def test_sorts_instructions_into_classes(self):
        for text, kind in [("adds r0, r1, #1", "alu"), ("bics r0, r1", "alu"), ("bne.n 100", "branch"), ("blx r3", "branch"),
                           ("ldrsb.w r0, [r1]", "load"), ("ldmia.w r0, {r1, r2}", "several"), ("strd r0, r1, [r2]", "several"),
                           ("vpush {d8}", "several"), ("vldr s0, [r0]", "load"), ("vstr s0, [r0]", "store"),
                           ("vldrb.s16 q0, [r0]", "vector"), ("vmladava.s8 lr, q0, q1", "vector"), ("vmul.f32 s0, s1, s2", "float"),
                           ("vfma.f32 s0, s1, s2", "float_mac"), ("vdiv.f32 s0, s1, s2", "float_divide"),
                           ("smlad r0, r1, r2, r3", "multiply"), ("sxtab16 r0, r1, r2", "alu"), ("udiv r0, r1, r2", "divide"),
                           ("le lr, 100", "loop"), ("letp lr, 100", "loop"), ("lsls r0, r1, #2", "alu")]:
            mnemonic, operands = text.split(" ", 1)
            self.assertEqual(cycles.class_of(mnemonic, operands), kind, text)

    def test_adds_up_a_block(self):
        image = cycles.Image.__new__(cycles.Image)
        image.code = {0: ("several", 3), 2: ("load", 2), 4: ("load", 2), 6: ("multiply", 2), 8: ("branch", 2)}
        # PUSH of three 1+3, a load 2, one behind it 1, multiply and branch 1 each.
        self.assertEqual(image.cost((0, 2, 4, 6, 8), cycles.CORTEX_M4), 9)


class Boards(unittest.TestCase):
    def test_chooses_the_program_made_for_the_core(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder) / name for name in ("a.cortex_m.pte", "a.cortex_m_m4.pte", "b.cortex_m.pte")]
            for path in paths:
                path.touch()
            self.assertEqual(measured.images_of(measured.models_for("an547", paths)), ["a.cortex_m", "b.cortex_m"])
            self.assertEqual(measured.images_of(measured.models_for("an386", paths)), ["a.cortex_m_m4", "b.cortex_m"])

    def test_finds_addresses_by_region(self):
        board = qemu.load_board("an547")
        self.assertEqual(qemu.address_of(board, "model"), 0x28000000)
        self.assertEqual(qemu.address_of(board, "model+4096"), 0x28001000)
        self.assertEqual(qemu.address_of(board, "0x60000000"), 0x60000000)


if __name__ == "__main__":
    unittest.main()
