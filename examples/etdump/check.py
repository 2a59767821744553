#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the example in QEMU and checks the ETDump that it prints: check.py BOARD FIRMWARE MODEL"""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import etdump  # noqa: E402

# What kws.float.pte calls, in order: a convolution, four pairs of depthwise and pointwise ones, the classifier.
CONVOLUTION = ["native_call_convolution.out", "native_call_relu.out"]
EXPECTED = (["native_call_constant_pad_nd.out"] + CONVOLUTION * 9 +
            ["native_call_avg_pool2d.out", "native_call_permute_copy.out", "native_call_addmm.out",
             "native_call__softmax.out"])


def main():
    board, firmware, model = sys.argv[1:]
    console = subprocess.run([sys.executable, str(ROOT / "scripts/qemu.py"), board, firmware, "--timeout", "60", "--load",
                              model], stdout=subprocess.PIPE, check=True).stdout
    rows = [row for row in etdump.rows_of(etdump.etdump_in(console))]
    assert b" 0 events dropped" in console, console
    assert [row["block"] for row in rows[:1]] == ["Default"] and rows[0]["name"] == "Program::load_method", rows[0]
    calls = [row for row in rows if row["block"] == "Execute"]
    whole = calls.pop()
    assert whole["name"] == "Method::execute", whole
    assert sorted(row["name"] for row in calls) == sorted(EXPECTED), [row["name"] for row in calls]
    assert [row["instruction"] for row in calls] == sorted(row["instruction"] for row in calls)
    end = whole["start"]
    for row in calls:
        assert end <= row["start"] < row["end"] <= whole["end"], row
        end = row["end"]
    inside = sum(row["end"] - row["start"] for row in calls)
    assert inside > 0.9 * (whole["end"] - whole["start"]), "operators are not most of the run"
    convolutions = sum(row["end"] - row["start"] for row in calls if "convolution" in row["name"])
    assert convolutions > 0.5 * inside, f"convolutions are {convolutions} of {inside} ticks, not most of them"
    print(f"PASS: {len(calls)} operators, {whole['end'] - whole['start']} ticks")


if __name__ == "__main__":
    main()
