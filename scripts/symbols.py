#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fails if a firmware links a symbol that it must not.

    scripts/symbols.py app.elf                    no heap, no exceptions, no static constructors
    scripts/symbols.py app.elf --refuse printf    these regular expressions (whole names) instead
"""
import argparse
import re
import subprocess
import sys

NO_HEAP = ["_?malloc(_r)?", "_?free(_r)?", "_?realloc(_r)?", "_Znwj", "_Znaj", "__cxa_throw", "__gxx_personality_v0",
           "_GLOBAL__sub_I.*"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("elf")
    parser.add_argument("--refuse", action="append", metavar="REGEX")
    options = parser.parse_args()
    lines = subprocess.run(["arm-none-eabi-nm", options.elf], stdout=subprocess.PIPE, text=True, check=True).stdout
    names = [line.split()[-1] for line in lines.splitlines() if line]
    refused = re.compile("|".join(options.refuse or NO_HEAP))
    found = sorted({name for name in names if refused.fullmatch(name)})
    for name in found:
        print(f"{options.elf} links {name}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
