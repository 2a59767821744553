# SPDX-License-Identifier: BSD-3-Clause
"""What size.py and bench.py share: boards, programs, and building the measured images."""
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BOARDS = ["an547", "an386", "an505", "an385"]
JOBS = str(os.cpu_count() or 1)
FLASH_SECTIONS = (".vectors", ".text", ".rodata", ".init_array", ".ARM.extab", ".ARM.exidx", ".eh_frame", ".data")


def has_helium(board):
    return json.loads((ROOT / "boards" / board / "board.json").read_text())["cpu"] in ("cortex-m55", "cortex-m85")


def models_for(board, paths):
    """The programs that a board measures: NAME.cortex_m on boards with Helium, on others NAME.cortex_m_m4 if there is one.
    Programs for an NPU are left out."""
    files = [pathlib.Path(p).resolve() for p in paths] or sorted((ROOT / "models").glob("*.pte"))
    missing = [str(p) for p in files if not p.is_file()]
    if missing:
        sys.exit(f"no such program: {', '.join(missing)}")
    names = {p.name for p in files}
    chosen = []
    for path in files:
        base, _, variant = path.stem.partition(".")
        if variant.startswith("ethosu"):
            continue
        if variant.endswith("_m4") and has_helium(board):
            continue
        if variant.startswith("cortex_m") and not has_helium(board) and f"{base}.{variant}_m4.pte" in names:
            continue
        chosen.append(path)
    return chosen


def images_of(models):
    return [path.stem for path in models]


def section_sizes(elf):
    text = subprocess.run(["arm-none-eabi-size", "-A", str(elf)], stdout=subprocess.PIPE, text=True, check=True).stdout
    return {m.group(1): int(m.group(2)) for m in re.finditer(r"^(\.\S+)\s+(\d+)", text, re.M)}


def flash_of(elf):
    """Bytes of flash of a linked image."""
    return sum(size for section, size in section_sizes(elf).items() if section in FLASH_SECTIONS)


def build(preset, targets, models):
    """Configures and builds; returns the build folder."""
    folder = ROOT / "build" / preset
    listed = ";".join(str(p) for p in models)
    for command in (["cmake", "--preset", preset, f"-DWICK_BENCH_MODELS={listed}"],
                    ["cmake", "--build", str(folder), "--target", *targets, "-j", JOBS, "--", "--quiet"]):
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            sys.exit(f"{done.stdout}\n{' '.join(command)} failed")
    return folder
