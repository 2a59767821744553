#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Reads what the measurements need of a .pte: operators and the work of each instruction.

    scripts/pte.py FILE...                    instructions and multiply-accumulates of each program

Field numbers are those of ExecuTorch's schema/program.fbs.
"""
import argparse
import pathlib
import struct
import sys

VALUE_TYPES = ["", "Null", "Int", "Bool", "Double", "Tensor", "String", "IntList", "DoubleList", "BoolList", "TensorList",
               "OptionalTensorList"]
KERNEL_CALL, DELEGATE_CALL = 1, 2
INSTRUCTION_NAMES = {2: "delegate", 3: "move", 4: "jump_false", 5: "free"}


class Table:
    """A FlatBuffer table: fields by number, absent ones as the default."""

    def __init__(self, data, position):
        self.data, self.position = data, position
        self.vtable = position - struct.unpack_from("<i", data, position)[0]
        self.vtable_bytes = struct.unpack_from("<H", data, self.vtable)[0]

    def at(self, field):
        slot = 4 + 2 * field
        offset = struct.unpack_from("<H", self.data, self.vtable + slot)[0] if slot < self.vtable_bytes else 0
        return self.position + offset if offset else None

    def scalar(self, field, code, default=0):
        at = self.at(field)
        return default if at is None else struct.unpack_from("<" + code, self.data, at)[0]

    def target(self, field):
        at = self.at(field)
        return None if at is None else at + struct.unpack_from("<I", self.data, at)[0]

    def table(self, field):
        target = self.target(field)
        return None if target is None else Table(self.data, target)

    def string(self, field):
        target = self.target(field)
        if target is None:
            return ""
        length = struct.unpack_from("<I", self.data, target)[0]
        return self.data[target + 4:target + 4 + length].decode()

    def scalars(self, field, code):
        target = self.target(field)
        if target is None:
            return []
        length = struct.unpack_from("<I", self.data, target)[0]
        return list(struct.unpack_from(f"<{length}{code}", self.data, target + 4))

    def tables(self, field):
        target = self.target(field)
        if target is None:
            return []
        length = struct.unpack_from("<I", self.data, target)[0]
        places = [target + 4 + 4 * i for i in range(length)]
        return [Table(self.data, p + struct.unpack_from("<I", self.data, p)[0]) for p in places]


def product(numbers):
    result = 1
    for number in numbers:
        result *= number
    return result


class Plan:
    """One method of a program."""

    def __init__(self, table):
        self.name = table.string(0)
        self.values = table.tables(2)
        self.operators = [".".join(filter(None, (o.string(0), o.string(1)))) for o in table.tables(6)]
        self.delegates = [d.string(0) for d in table.tables(7)]
        self.instructions = [i for chain in table.tables(5) for i in chain.tables(2)]

    def sizes(self, index):
        return self.values[index].table(1).scalars(2, "i") if self.kind(index) == "Tensor" else []

    def kind(self, index):
        return VALUE_TYPES[self.values[index].scalar(0, "B")]

    def calls(self):
        """(name, arguments) of each instruction."""
        for instruction in self.instructions:
            kind, call = instruction.scalar(0, "B"), instruction.table(1)
            if kind == KERNEL_CALL:
                yield self.operators[call.scalar(0, "i")], call.scalars(1, "i")
            elif kind == DELEGATE_CALL:
                yield "delegate:" + self.delegates[call.scalar(0, "i")], call.scalars(1, "i")
            else:
                yield INSTRUCTION_NAMES[kind], []

    def macs(self, name, arguments):
        """Multiply-accumulates of a call, 0 for operators without any."""
        tensors = [a for a in arguments if self.kind(a) == "Tensor"]
        if len(tensors) < 3:
            return 0
        first, second, out = self.sizes(tensors[0]), self.sizes(tensors[1]), self.sizes(tensors[-1])
        if "transpose_conv" in name or (name.startswith("aten::convolution.") and self.transposed(arguments)):
            return product(first) * product(second) // max(first[1], 1)
        if "conv" in name:
            return product(out) * product(second) // max(out[1], 1)
        if "linear" in name:
            return product(out) * first[-1]
        if name.startswith("aten::addmm."):
            return product(out) * second[-1]
        if name.startswith(("aten::mm.", "aten::bmm.")) or "matmul" in name:
            return product(out) * first[-1]
        return 0

    def transposed(self, arguments):
        flags = [a for a in arguments if self.kind(a) == "Bool"]
        return bool(flags) and self.values[flags[0]].table(1).scalar(0, "B") != 0


class Program:
    def __init__(self, path):
        data = pathlib.Path(path).read_bytes()
        if data[4:6] != b"ET":
            sys.exit(f"pte.py: {path} is not a .pte program")
        root = Table(data, struct.unpack_from("<I", data, 0)[0])
        self.plans = [Plan(t) for t in root.tables(1)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    for path in options.files:
        for plan in Program(path).plans:
            print(f"{path}: {plan.name}")
            total = 0
            for index, (name, arguments) in enumerate(plan.calls()):
                macs = plan.macs(name, arguments)
                total += macs
                print(f"  {index:4} {name:48}{macs:12}")
            print(f"  multiply-accumulates: {total}")


if __name__ == "__main__":
    main()
