#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Counts the instructions of programs in QEMU: loading, the first and the following executions, every operator, and what
the runtime itself costs per operator. Estimates the cycles of an execution (bench/README.md).

    scripts/bench.py                              the programs in models/ and, where ../shared/corpus is, the MLPerf Tiny
                                                  networks in float and int8, all boards
    scripts/bench.py --boards an547 kws.pte       these only
    scripts/bench.py --update                     also makes the result the committed baseline
    scripts/bench.py --data 100 kws.pte           100 different inputs: which operators take another time for other data

Counts are exact and the same in every run. Flash is the whole image of one program, as make size builds it. Writes
build/bench.json, prints a table, and fails if a phase needs over 2 % more instructions than bench/baseline.json says, the
runtime more than LIMIT_PER_CALL, an int8 network more RAM than its bar, or a float network more instructions per MAC.
"""
import argparse
import json
import os
import pathlib
import sys

import cycles
import pte
import qemu
from measured import BOARDS, ROOT, build, flash_of, models_for

BASELINE = ROOT / "bench" / "baseline.json"
TOLERANCE = 0.02
TIMEOUT = 600
PHASES = ("load", "load_method", "first", "execute", "runtime")
MOST_TRACED = 40_000_000  # instructions of an execution whose cycles are estimated: above, the trace takes minutes
LIMIT_PER_CALL = 300  # instructions between two kernels

# RAM of the MLPerf Tiny networks in int8: the arena of TensorFlow Lite Micro with CMSIS-NN on that board, and 3 bytes for
# each element of the largest input or output, which is float here and int8 there. On an386 TensorFlow's kernels take no
# scratch, hence 1.5 KB on top.
FLOAT_ELEMENTS = {"kws": 490, "vww": 27648, "ic": 3072, "ad": 640}
ARENAS = {"an547": {"kws": 27348, "vww": 100772, "ic": 55028, "ad": 9268},
          "an386": {"kws": 22820, "vww": 100708, "ic": 54996, "ad": 2580}}
ARENA_EXTRA = {"an547": 0, "an386": 1536}

# Instructions per MAC over all convolutions and matrix products of a float network, at most.
FLOAT_BARS = {"an547": 0.8, "an386": 2.5}
FLOAT_NETWORKS = ("ic.float", "vww.float")
CORPUS = ROOT / ".." / "shared" / "corpus" / "models"
NETWORKS = [f"{network}.{variant}.pte" for network in FLOAT_ELEMENTS for variant in ("float", "cortex_m", "cortex_m_m4")]


def parse(console):
    """Lines of JSON as {phase: instructions}, {kind: bytes} for ram, stack and copied, and [instructions] by operator."""
    found = {"phase": {}, "ram": {}, "stack": {}, "copied": {}, "operators": [], "varied": [], "error": None}
    for line in console.splitlines():
        if not line.startswith("{"):
            continue
        entry = json.loads(line)
        if "operator" in entry:
            found["operators"].append(entry["instructions"])
            continue
        if "varied" in entry:
            found["varied"].append(entry["instructions"])
        for kind in ("phase", "ram", "stack", "copied"):
            if kind in entry:
                found[kind][entry[kind]] = entry["instructions" if kind == "phase" else "bytes"]
        if "error" in entry:
            found["error"] = f"{entry['error']} failed with error {entry['code']:#x}"
    return found


def programs(paths):
    """The programs to measure where none are named."""
    own = sorted((ROOT / "models").glob("*.pte"))
    names = {path.name for path in own}
    return paths or [*own, *(path for path in (CORPUS / name for name in NETWORKS)
                             if path.exists() and path.name not in names)]


def measure(board, elf, model, with_cycles=False, seed=1):
    """Rows of one program on one board; or a text that says why there are none."""
    status, console = qemu.run(board, elf, [str(model)], [str(seed)], TIMEOUT)
    found = parse(console)
    if status != 0 or found["error"]:
        return found["error"] or f"exit status {status}: {console.strip()[-400:]}"
    plan = next(p for p in pte.Program(model).plans if p.name == "forward")
    calls = list(plan.calls())
    macs = [plan.macs(name, arguments) for name, arguments in calls]
    rows = []
    if found["phase"]["runtime"] > LIMIT_PER_CALL:
        return f"the runtime takes {found['phase']['runtime']} instructions per call, {LIMIT_PER_CALL} at most"
    for phase in PHASES:
        row = {"model": model.stem, "board": board, "phase": phase, "instructions": found["phase"][phase],
               "macs": sum(macs) if phase in ("first", "execute") else 0, "ram": found["ram"], "stack": found["stack"],
               "model_bytes_copied": found["copied"]["model"]}
        if phase == "execute" and with_cycles and row["instructions"] <= MOST_TRACED:
            row["cycles"] = cycles.estimate(board, elf, model)[1]
        if phase == "execute":
            row["operators"] = [{"name": name, "instructions": count, "macs": work}
                                for (name, _), count, work in zip(calls, found["operators"], macs)]
        rows.append(row)
    return rows


def add_flash(rows, board, models):
    """Builds the measured image of each program and adds its flash to the program's rows."""
    image = {model.stem: f"wick_size_{model.stem}_{board}" for model in models}
    folder = build(f"{board}-size", image.values(), models)
    for row in rows:
        row["flash"] = flash_of(folder / "bench" / f"{image[row['model']]}.elf")


def key(row):
    return row["model"], row["board"], row["phase"]


def ram_bar(row):
    """The most bytes of RAM that a row's program may take, or None."""
    network, _, variant = row["model"].partition(".")
    if not variant.startswith("cortex_m") or network not in ARENAS.get(row["board"], {}):
        return None
    return ARENAS[row["board"]][network] + 3 * FLOAT_ELEMENTS[network] + ARENA_EXTRA[row["board"]]


def too_large(rows):
    """Texts about programs that take more RAM than their bar."""
    return [f"{row['model']} on {row['board']}: {sum(row['ram'].values())} bytes of RAM, the bar is {ram_bar(row)}"
            for row in rows if row["phase"] == "execute" and ram_bar(row) and sum(row["ram"].values()) > ram_bar(row)]


def cost_of_products(row):
    """Instructions per MAC over the operators of a row that have MACs, or None where there are none."""
    work = [(operator["instructions"], operator["macs"]) for operator in row.get("operators", []) if operator["macs"]]
    return sum(count for count, _ in work) / sum(macs for _, macs in work) if work else None


def describe_products(row):
    return f"{row['model']} on {row['board']}: {cost_of_products(row):.3f} instructions per MAC of convolutions and products"


def products_above_bar(rows):
    """Texts about float networks that take more instructions per MAC than their bar."""
    return [f"{describe_products(row)}, the bar is {FLOAT_BARS[row['board']]}" for row in rows
            if row["model"] in FLOAT_NETWORKS and row["board"] in FLOAT_BARS and
            (cost_of_products(row) or 0) > FLOAT_BARS[row["board"]]]


def vary_data(board, elf, model, count):
    """Prints how the instructions of an execution depend on the input."""
    status, console = qemu.run(board, elf, [str(model)], ["1", str(count - 1)], TIMEOUT)
    found = parse(console)
    if status != 0 or found["error"]:
        sys.exit(f"{model.stem} on {board}: {found['error'] or console.strip()[-400:]}")
    totals = [found["phase"]["execute"], *found["varied"]]
    print(f"{model.stem} on {board}: {min(totals):,} to {max(totals):,} instructions over {count} inputs", flush=True)
    if max(totals) - min(totals) <= 2:  # ticks of the timer
        return
    ends = [measure(board, elf, model, seed=totals.index(total) + 1) for total in (min(totals), max(totals))]
    if any(isinstance(end, str) for end in ends):
        sys.exit(f"{model.stem} on {board}: {ends}")
    for index, operators in enumerate(zip(*(row["operators"] for rows in ends for row in rows if "operators" in row))):
        counts = [operator["instructions"] for operator in operators]
        if abs(counts[0] - counts[1]) > 2:
            print(f"  {index:4} {operators[0]['name']:48}{counts[0]:12,} and {counts[1]:12,}", flush=True)


def compare(rows):
    """Adds each row's change against the baseline; returns the rows that are too slow."""
    baseline = {key(r): r["instructions"] for r in json.loads(BASELINE.read_text())} if BASELINE.exists() else {}
    slower = []
    for row in rows:
        before = baseline.get(key(row))
        row["change"] = None if not before else row["instructions"] / before - 1
        if before and row["instructions"] > before * (1 + TOLERANCE):
            slower.append(row)
    return slower


def print_table(rows):
    print(f"{'model':24}{'board':8}{'phase':12}{'instructions':>14}{'per MAC':>9}{'est. cycles':>13}{'planned':>9}{'method':>8}"
          f"{'temp':>8}{'copied':>8}{'flash':>8}{'change':>9}")
    for row in rows:
        per_mac = f"{row['instructions'] / row['macs']:.3f}" if row["macs"] else ""
        change = "new" if row["change"] is None else f"{row['change']:+.1%}"
        ram, estimate = row["ram"], f"{row['cycles']:,}" if "cycles" in row else ""
        print(f"{row['model']:24}{row['board']:8}{row['phase']:12}{row['instructions']:14,}{per_mac:>9}{estimate:>13}"
              f"{ram['planned']:9}{ram['method']:8}{ram['temp']:8}{row['model_bytes_copied']:8}"
              f"{row.get('flash', ''):>8}{change:>9}")


def print_operators(rows):
    for row in rows:
        if "operators" in row:
            print(f"\n{row['model']} on {row['board']}")
            for index, operator in enumerate(row["operators"]):
                per_mac = f"{operator['instructions'] / operator['macs']:.3f}" if operator["macs"] else ""
                print(f"  {index:4} {operator['name']:48}{operator['instructions']:12,}{operator['macs']:12,}{per_mac:>9}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", default=",".join([*BOARDS, "m0"]))
    parser.add_argument("--update", action="store_true", help="write bench/baseline.json")
    parser.add_argument("--operators", action="store_true", help="also print each operator")
    parser.add_argument("--no-cycles", action="store_true", help="do not estimate cycles, which takes the most time")
    parser.add_argument("--no-flash", action="store_true", help="do not build the images whose flash is measured")
    parser.add_argument("--data", type=int, metavar="N", help="compare N inputs instead")
    parser.add_argument("models", nargs="*", help="programs (.pte) instead of the default ones")
    options = parser.parse_args()
    rows, failures = [], []
    for board in options.boards.split(","):
        models = models_for(board, programs(options.models))
        if not models:
            sys.exit("bench.py: no programs to measure; name .pte files or put them into models/")
        folder = build(f"{board}-bench", ["bench_images"], models)
        for model in models:
            elf = folder / "bench" / f"wick_bench_{board}.elf"
            if options.data:
                vary_data(board, elf, model, options.data)
                continue
            result = measure(board, elf, model, not options.no_cycles)
            if isinstance(result, str):
                failures.append(f"{model.stem} on {board}: {result}")
            else:
                rows.extend(result)
        if not options.data and not options.no_flash:
            add_flash([row for row in rows if row["board"] == board], board, models)
    if options.data:
        return
    slower, above = compare(rows), too_large(rows) + products_above_bar(rows)
    print_table(rows)
    for row in rows:
        if cost_of_products(row):
            print(describe_products(row))
    if options.operators:
        print_operators(rows)
    for row in rows:
        del row["change"]
    output = ROOT / "build" / "bench.json"
    output.write_text(json.dumps(rows, indent=1) + "\n")
    print(f"written to {os.path.relpath(output)}")
    for text in [f"not measured: {failure}" for failure in failures] + above:
        print(text)
    if options.update:
        without_operators = [{k: v for k, v in row.items() if k not in ("operators", "cycles", "flash")} for row in rows]
        BASELINE.write_text("[\n" + ",\n".join(json.dumps(row) for row in without_operators) + "\n]\n")
        print(f"baseline written to {os.path.relpath(BASELINE)}")
    elif slower:
        print(f"{len(slower)} phases need over {TOLERANCE:.0%} more instructions than {os.path.relpath(BASELINE)}")
    sys.exit(1 if failures or above or (slower and not options.update) else 0)


if __name__ == "__main__":
    main()
