#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures linked images: flash, static RAM, worst-case stack and bytes by room, for `core` and for programs.

    scripts/size.py                               core and the programs in models/, all boards
    scripts/size.py --boards an547 kws.pte        these only

Beside them `add_all_dtypes`, one operator for every dtype, and `all_kernels`, every operator there is, of which a second
table gives the flash by family (one source file of src/kernels each).

Images are built at -Os with logging off (presets NAME-size). The stack is the call graph's worst case and, measured in
QEMU, what loading and executing the program took. Writes build/size.json and prints a table.
"""
import argparse
import json
import os
import pathlib
import re
import sys

import stack_probe
from elf_stack import Image
from measured import BOARDS, FLASH_SECTIONS, ROOT, build, flash_of, images_of, models_for, section_sizes

RAM_SECTIONS = (".data", ".bss", ".noinit")
SECTION_LINE = re.compile(r"^ (\.[\w.]\S*|COMMON)\s+(0x[0-9a-f]+)\s+(0x[0-9a-f]+)\s+(\S.*)$")
SECTION_NAME = re.compile(r"^ (\.[\w.]\S*|COMMON)$")
SECTION_REST = re.compile(r"^\s+(0x[0-9a-f]+)\s+(0x[0-9a-f]+)\s+(\S.*)$")
OUTPUT_SECTION = re.compile(r"^(\.[\w.]+)(?:\s+(0x[0-9a-f]+)\s+(0x[0-9a-f]+))?")


def room_names():
    """{file name: room} of the library's sources, for archive members, which carry no folder."""
    rooms = {}
    for path in [*ROOT.glob("src/**/*.cpp")]:
        parts = path.relative_to(ROOT).parts
        depth = 3 if parts[1] in ("runtime", "kernels", "backends") else 2
        rooms.setdefault(path.name, "/".join(parts[1:min(depth, len(parts) - 1)]))
    return rooms


def room_of(origin, rooms):
    name = re.sub(r"\.o(bj)?\)?$", "", re.split(r"[/(]", origin)[-1])
    if "libgcc" in origin:
        return "compiler"
    if re.search(r"lib(c|m|g|stdc\+\+|supc\+\+)(_nano)?\.a", origin):
        return "libc"
    source = re.search(r"src/(kernels|runtime|backends)/(\w+)/|src/(pte|extension)/", origin)
    if source:
        return source.group(3) or f"{source.group(1)}/{source.group(2)}"
    if "/bench/" in origin or "bench/CMakeFiles" in origin:
        return rooms.get(name, "kernel table" if name in ("kernel_table.cpp", "no_kernels.cpp") else "program")
    if "boards/" in origin:
        return "boards"
    return rooms.get(name, "other")


def parts_of(map_file, name_of):
    """Bytes in flash by what name_of gives for the origin of a section, from the linker's map."""
    text = map_file.read_text()
    text = text[text.index("Linker script and memory map"):]
    parts, output, pending = {}, None, None
    for line in text.splitlines():
        head = OUTPUT_SECTION.match(line)
        if head:
            output = head.group(1)
            continue
        match = SECTION_LINE.match(line)
        if match:
            size, origin = int(match.group(3), 16), match.group(4)
        elif SECTION_NAME.match(line):
            pending = True
            continue
        elif pending and SECTION_REST.match(line):
            match = SECTION_REST.match(line)
            size, origin = int(match.group(2), 16), match.group(3)
        else:
            pending = None
            continue
        pending = None
        if output in FLASH_SECTIONS and size:
            part = name_of(origin)
            parts[part] = parts.get(part, 0) + size
    return parts


def family_of(origin):
    """The room and the source file of a kernel, from the origin of a section; None for everything else."""
    match = re.search(r"libwick_kernels_(\w+)\.a\((\w+)\.cpp\.o(bj)?\)", origin)
    return f"{match.group(1)}/{match.group(2)}" if match else None


def stack_of(elf, objects, path_of):
    """Worst-case bytes: of loading, of executing, of the whole program. path_of: a function whose deepest calls are
    printed."""
    image = Image(elf, objects)
    for name in image.find(path_of) if path_of else []:
        print(f"{elf.stem}: {image.worst(name)[0]} bytes of stack")
        for call in image.worst(name)[1]:
            print(f"  {image.frames[call]:6} {call}")

    def deepest(pattern):
        return max((image.worst(name)[0] for name in image.find(pattern)), default=0)

    load = deepest(r"Program4load|Program11load_method")
    execute = deepest(r"6Method7executeEv")
    return load, execute, max(deepest(r"^main$"), load, execute)


def measure(image, board, elf, objects, rooms, program, path_of=None):
    sizes = section_sizes(elf)
    flash = flash_of(elf)
    parts = parts_of(elf.with_suffix(".map"), lambda origin: room_of(origin, rooms))
    alignment = flash - sum(parts.values())
    if alignment:
        parts["alignment"] = alignment
    load, execute, whole = stack_of(elf, objects, path_of)
    load_seen, execute_seen = stack_probe.measure(board, elf, program)
    families = parts_of(elf.with_suffix(".map"), family_of)
    families.pop(None, None)
    return {"image": image, "board": board, "flash": flash, "ram_static": sum(sizes.get(s, 0) for s in RAM_SECTIONS),
            "stack": whole, "stack_load": load, "stack_execute": execute,
            "stack_measured": {"load": load_seen, "execute": execute_seen},
            "parts": by_size(parts), "families": by_size(families)}


def by_size(parts):
    return dict(sorted(parts.items(), key=lambda part: -part[1]))


def print_table(rows):
    print(f"{'image':20}{'board':8}{'flash':>8}{'RAM':>7}{'stack: load':>13}{'execute':>9}{'measured':>11}"
          "   bytes of flash by room")
    for row in rows:
        parts = ", ".join(f"{room} {size}" for room, size in row["parts"].items())
        seen = "/".join("-" if size is None else str(size) for size in row["stack_measured"].values())
        print(f"{row['image']:20}{row['board']:8}{row['flash']:8}{row['ram_static']:7}{row['stack_load']:13}"
              f"{row['stack_execute']:9}{seen:>11}   {parts}")


def print_families(row):
    print(f"operators by family, {row['board']}: " +
          ", ".join(f"{family} {size}" for family, size in row["families"].items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", default=",".join(BOARDS))
    parser.add_argument("--path", metavar="REGEX", help="also print the deepest calls from functions of this name")
    parser.add_argument("models", nargs="*", help="programs (.pte); default: those in models/")
    options = parser.parse_args()
    rooms = room_names()
    rows = []
    for board in options.boards.split(","):
        models = models_for(board, options.models)
        folder = build(f"{board}-size", ["size_images"], models)
        fixed = ["core", "add_all_dtypes", "all_kernels"]
        for image, program in zip([*fixed, *images_of(models)], [*[models[0]] * len(fixed), *models]):
            elf = folder / "bench" / f"wick_size_{image}_{board}.elf"
            rows.append(measure(image, board, elf, folder, rooms, program, options.path))
    output = ROOT / "build" / "size.json"
    output.write_text(json.dumps(rows, indent=1) + "\n")
    print_table(rows)
    for row in rows:
        if row["image"] == "all_kernels":
            print_families(row)
    print(f"written to {os.path.relpath(output)}")


if __name__ == "__main__":
    sys.exit(main())
