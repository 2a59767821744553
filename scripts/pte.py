#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Reads what the measurements need of a .pte: operators, the types of their tensors, and the work of each instruction.

    scripts/pte.py FILE...                    instructions and multiply-accumulates of each program
    scripts/pte.py --select DIR FILE...       writes selected_ops.h, kernel_table.cpp and sources.txt for these programs

Field numbers are those of ExecuTorch's schema/program.fbs.
"""
import argparse
import pathlib
import re
import struct
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
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

    def tensors(self, index):
        """The tensors that a value is or lists."""
        kind = self.kind(index)
        if kind == "Tensor":
            return [index]
        if kind in ("TensorList", "OptionalTensorList"):
            return [i for i in self.values[index].table(1).scalars(0, "i") if i >= 0 and self.kind(i) == "Tensor"]
        return []

    def dtypes(self, arguments):
        return {self.values[t].table(1).scalar(0, "b") for a in arguments for t in self.tensors(a)}

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


def selection(paths):
    """{operator: set of scalar types} of all programs."""
    selected = {}
    for path in paths:
        for plan in Program(path).plans:
            for name, arguments in plan.calls():
                if "::" in name:
                    selected.setdefault(name, set()).update(plan.dtypes(arguments))
    return selected


def known_kernels():
    """{operator: symbol} of all kernels.def files, {symbol: source} and the sources without a kernel."""
    symbols, sources, helpers = {}, {}, []
    for path in sorted(ROOT.glob("src/kernels/*/kernels.def")):
        for symbol, name in re.findall(r'WICK_OP\((\w+),\s*"([^"]+)"\)', path.read_text()):
            symbols[name] = symbol
    wanted = set(symbols.values())
    for path in sorted(ROOT.glob("src/kernels/*/*.cpp")):
        bound = wanted & set(re.findall(r"\w+", path.read_text()))
        sources.update((symbol, path) for symbol in bound)
        if not bound:
            helpers.append(path)
    return symbols, sources, helpers


def write_if_changed(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def write_selection(folder, paths):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    selected = selection(paths)
    symbols, source_of, helpers = known_kernels()
    for name in sorted(set(selected) - set(symbols)):
        print(f"pte.py: no kernel for {name}", file=sys.stderr)
    names = sorted(set(selected) & set(symbols))
    lines = [f'{{"{n}", {sum(1 << t for t in selected[n]):#x}U}},\n' for n in names]
    write_if_changed(folder / "selected_ops.h", "".join(lines))
    table = ['#include "src/kernels/kernel_table_builder.h"\n', "#include <executorch/runtime/core/exec_aten/exec_aten.h>\n",
             "namespace wick::kernels {\n"]
    table += [f"void {symbols[n]}(::executorch::runtime::KernelRuntimeContext&, "
              "::executorch::runtime::Span<::executorch::runtime::EValue*>);\n" for n in names]
    table += ["}\nnamespace {\nconstexpr wick::KernelEntry kUnsorted[] = {\n"]
    table += [f'{{"{n}", &wick::kernels::{symbols[n]}}},\n' for n in names]
    table += ["};\nconstexpr auto kSorted = wick::internal::sort_kernels(kUnsorted);\n}\n",
              "extern const wick::KernelTable wick_kernel_table;\n",
              f"const wick::KernelTable wick_kernel_table = {{kSorted.entries, {len(names)}}};\n"]
    write_if_changed(folder / "kernel_table.cpp", "".join(table))
    needed = {source_of[symbols[n]] for n in names if symbols[n] in source_of}
    rooms = {path.parent for path in needed} | {ROOT / "src/kernels/simd"}
    needed |= {path for path in helpers if path.parent in rooms}
    write_if_changed(folder / "sources.txt", "\n".join(str(p) for p in sorted(needed)) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--select", metavar="DIR")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    if options.select:
        write_selection(options.select, options.files)
        return
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
