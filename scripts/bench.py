#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Counts the instructions of programs in QEMU: loading, the first and the following executions, every operator, and what
the runtime itself costs per operator.

    scripts/bench.py                              the programs in models/, all boards
    scripts/bench.py --boards an547 kws.pte       these only
    scripts/bench.py --update                     also makes the result the committed baseline

Counts are exact and the same in every run. Writes build/bench.json, prints a table, and fails if a phase needs over 2 %
more instructions than bench/baseline.json says, or the runtime more than LIMIT_PER_CALL.
"""
import argparse
import json
import os
import pathlib
import sys

import pte
import qemu
from measured import BOARDS, ROOT, build, models_for

BASELINE = ROOT / "bench" / "baseline.json"
TOLERANCE = 0.02
TIMEOUT = 600
PHASES = ("load", "load_method", "first", "execute", "runtime")
LIMIT_PER_CALL = 300  # instructions between two kernels


def parse(console):
    """Lines of JSON as {phase: instructions}, {kind: bytes} for ram, stack and copied, and [instructions] by operator."""
    found = {"phase": {}, "ram": {}, "stack": {}, "copied": {}, "operators": [], "error": None}
    for line in console.splitlines():
        if not line.startswith("{"):
            continue
        entry = json.loads(line)
        if "operator" in entry:
            found["operators"].append(entry["instructions"])
            continue
        for kind in ("phase", "ram", "stack", "copied"):
            if kind in entry:
                found[kind][entry[kind]] = entry["instructions" if kind == "phase" else "bytes"]
        if "error" in entry:
            found["error"] = f"{entry['error']} failed with error {entry['code']:#x}"
    return found


def measure(board, elf, model):
    """Rows of one program on one board; or a text that says why there are none."""
    status, console = qemu.run(board, elf, [str(model)], [], TIMEOUT)
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
        if phase == "execute":
            row["operators"] = [{"name": name, "instructions": count, "macs": work}
                                for (name, _), count, work in zip(calls, found["operators"], macs)]
        rows.append(row)
    return rows


def key(row):
    return row["model"], row["board"], row["phase"]


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
    print(f"{'model':24}{'board':8}{'phase':12}{'instructions':>14}{'per MAC':>9}{'planned':>9}{'method':>8}{'temp':>8}"
          f"{'copied':>8}{'change':>9}")
    for row in rows:
        per_mac = f"{row['instructions'] / row['macs']:.3f}" if row["macs"] else ""
        change = "new" if row["change"] is None else f"{row['change']:+.1%}"
        ram = row["ram"]
        print(f"{row['model']:24}{row['board']:8}{row['phase']:12}{row['instructions']:14,}{per_mac:>9}{ram['planned']:9}"
              f"{ram['method']:8}{ram['temp']:8}{row['model_bytes_copied']:8}{change:>9}")


def print_operators(rows):
    for row in rows:
        if "operators" in row:
            print(f"\n{row['model']} on {row['board']}")
            for index, operator in enumerate(row["operators"]):
                per_mac = f"{operator['instructions'] / operator['macs']:.3f}" if operator["macs"] else ""
                print(f"  {index:4} {operator['name']:48}{operator['instructions']:12,}{operator['macs']:12,}{per_mac:>9}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", default=",".join(BOARDS))
    parser.add_argument("--update", action="store_true", help="write bench/baseline.json")
    parser.add_argument("--operators", action="store_true", help="also print each operator")
    parser.add_argument("models", nargs="*", help="programs (.pte); default: those in models/")
    options = parser.parse_args()
    rows, failures = [], []
    for board in options.boards.split(","):
        models = models_for(board, options.models)
        if not models:
            sys.exit("bench.py: no programs to measure; name .pte files or put them into models/")
        folder = build(f"{board}-bench", "bench_images", models)
        for model in models:
            result = measure(board, folder / "bench" / f"wick_bench_{board}.elf", model)
            if isinstance(result, str):
                failures.append(f"{model.stem} on {board}: {result}")
            else:
                rows.extend(result)
    slower = compare(rows)
    print_table(rows)
    if options.operators:
        print_operators(rows)
    for row in rows:
        del row["change"]
    output = ROOT / "build" / "bench.json"
    output.write_text(json.dumps(rows, indent=1) + "\n")
    print(f"written to {os.path.relpath(output)}")
    for failure in failures:
        print(f"not measured: {failure}")
    if options.update:
        without_operators = [{k: v for k, v in row.items() if k != "operators"} for row in rows]
        BASELINE.write_text("[\n" + ",\n".join(json.dumps(row) for row in without_operators) + "\n]\n")
        print(f"baseline written to {os.path.relpath(BASELINE)}")
    elif slower:
        print(f"{len(slower)} phases need over {TOLERANCE:.0%} more instructions than {os.path.relpath(BASELINE)}")
    sys.exit(1 if failures or (slower and not options.update) else 0)


if __name__ == "__main__":
    main()
