#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Builds and runs the tests of presets of CMakePresets.json and sums them up, with the time that each took.

    scripts/test.py                     every preset; the sanitizers without the host program, which takes long to build
    scripts/test.py all                 every preset whole
    scripts/test.py host an547          these presets only

The last line of output is "N passed, N failed, N skipped"; the exit status is 1 if a test or a build failed.
"""
import os
import pathlib
import resource
import subprocess
import sys
import time
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
PRESETS = ["host", "host-asan", "host-clang", "an547", "an386", "an505", "an385", "an547-clang"]
COMPILED_ONLY = {"host-clang": "device_library"}  # no tests: that it compiles without a warning counts as one
JOBS = str(os.cpu_count() or 1)


def call(*command):
    return subprocess.run(command, cwd=ROOT).returncode == 0


def quiet_call(*command):
    """Shows output only if the command fails."""
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        print(done.stdout)
    return done.returncode == 0


def count(report):
    """(passed, failed, skipped) of a JUnit file of ctest."""
    suite = xml.etree.ElementTree.parse(report).getroot()
    total, failed = int(suite.get("tests")), int(suite.get("failures"))
    skipped = int(suite.get("skipped")) + int(suite.get("disabled"))
    return total - failed - skipped, failed, skipped


class Clock:
    """Seconds since the start, and seconds of processor time that programs started here have used."""

    def __init__(self):
        self.start, self.used = time.time(), self.processor()

    @staticmethod
    def processor():
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return children.ru_utime + children.ru_stime

    def read(self):
        return time.time() - self.start, self.processor() - self.used


def test_preset(preset, options, clock):
    """(passed, failed, skipped, seconds of building); a build that fails counts as one failure."""
    print(f"== {preset}: building", flush=True)
    if not quiet_call("cmake", "--preset", preset, *options):
        print(f"{preset}: configuration failed")
        return 0, 1, 0, clock.read()[0]
    target = COMPILED_ONLY.get(preset, "all")
    built = call("cmake", "--build", f"build/{preset}", "--target", target, "-j", JOBS, "--", "--quiet")
    building = clock.read()[0]
    if not built:
        print(f"{preset}: build failed")
        return 0, 1, 0, building
    if preset in COMPILED_ONLY:
        return 1, 0, 0, building
    report = ROOT / "build" / preset / "ctest.xml"
    report.unlink(missing_ok=True)
    print(f"== {preset}: testing", flush=True)
    call("ctest", "--test-dir", f"build/{preset}", "-j", JOBS, "--output-on-failure", "--progress", "--no-tests=error",
         "--output-junit", str(report))
    return (*(count(report) if report.exists() else (0, 1, 0)), building)


def main():
    whole = bool(sys.argv[1:])
    presets = PRESETS if sys.argv[1:] in ([], ["all"]) else sys.argv[1:]
    rows = []
    for preset in presets:
        clock = Clock()
        options = [f"-DWICK_BUILD_TOOLS={'ON' if whole else 'OFF'}"] if preset == "host-asan" else []
        rows.append((preset, *test_preset(preset, options, clock), *clock.read()))
    print(f"\n{'':14}{'passed':>8}{'failed':>8}{'skipped':>9}{'building':>10}{'in all':>8}{'processor':>11}   (seconds)")
    for preset, passed, failed, skipped, *seconds in rows:
        print(f"{preset:14}{passed:8}{failed:8}{skipped:9}{seconds[0]:10.0f}{seconds[1]:8.0f}{seconds[2]:11.0f}")
    passed, failed, skipped = (sum(row[i] for row in rows) for i in (1, 2, 3))
    print(f"{passed} passed, {failed} failed, {skipped} skipped", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
