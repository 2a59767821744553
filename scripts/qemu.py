#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a firmware of boards/ in QEMU and ends with its exit status.

    scripts/qemu.py an547 app.elf --load model.pte          the file lies in the board's model memory (external flash)
    scripts/qemu.py an547 app.elf -- word word              words reach the firmware by semihosting
    scripts/qemu.py an547 app.elf --expect 'PASS' --status 0    status 0 if the console shows it and the firmware ends so

One instruction takes 64 ns of emulated time (-icount shift=6), so clocks read the same in every run.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

BOARDS = pathlib.Path(__file__).resolve().parent.parent / "boards"
EXIT_TIMEOUT = 124


def load_board(name):
    path = BOARDS / name / "board.json"
    if not path.exists():
        known = sorted(p.parent.name for p in BOARDS.glob("*/board.json"))
        sys.exit(f"qemu.py: no board '{name}'; there are {', '.join(known)}")
    return json.loads(path.read_text())


def address_of(board, where):
    """A region's name, a region's name + offset, or a number."""
    name, _, offset = where.partition("+")
    if name in board["memory"]:
        return int(board["memory"][name]["origin"], 0) + int(offset or "0", 0)
    return int(where, 0)


def command_line(board, elf, loads, words):
    command = ["qemu-system-arm", "-M", board["qemu"], "-display", "none", "-monitor", "none", "-serial", "stdio",
               "-icount", "shift=6"]
    config = "enable=on,target=native"
    if words:
        config += "".join(f",arg={word.replace(',', ',,')}" for word in ["firmware", *words])
    command += ["-semihosting-config", config, "-kernel", str(elf)]
    for load in loads:
        path, _, where = load.rpartition("@") if "@" in load else (load, "", "model")
        if not pathlib.Path(path).is_file():
            sys.exit(f"qemu.py: {path} to be loaded does not exist")
        command += ["-device", f"loader,file={path},addr={address_of(board, where):#x},force-raw=on"]
    return command


def run(board_name, elf, loads=(), words=(), timeout=60):
    """Returns (exit status, console text)."""
    if not pathlib.Path(elf).is_file():
        sys.exit(f"qemu.py: {elf} does not exist; build it first")
    command = command_line(load_board(board_name), elf, loads, words)
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=timeout)
        return done.returncode, done.stdout.decode("utf-8", "replace")
    except subprocess.TimeoutExpired as expired:
        return EXIT_TIMEOUT, (expired.stdout or b"").decode("utf-8", "replace")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("board")
    parser.add_argument("elf")
    parser.add_argument("--load", action="append", default=[], metavar="FILE[@REGION|@ADDRESS]")
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--expect", action="append", default=[], metavar="REGEX")
    parser.add_argument("--refuse", action="append", default=[], metavar="REGEX")
    parser.add_argument("--status", type=int, help="the exit status that counts as success; then this script ends with 0")
    words = []
    arguments = sys.argv[1:]
    if "--" in arguments:
        cut = arguments.index("--")
        arguments, words = arguments[:cut], arguments[cut + 1:]
    options = parser.parse_args(arguments)
    status, console = run(options.board, options.elf, options.load, words, options.timeout)
    sys.stdout.write(console)
    sys.stdout.flush()
    if status == EXIT_TIMEOUT:
        sys.exit(f"qemu.py: no exit within {options.timeout:g} s")
    problems = [f"the console does not show /{p}/" for p in options.expect if not re.search(p, console, re.M)]
    problems += [f"the console shows /{p}/" for p in options.refuse if re.search(p, console, re.M)]
    wanted = options.status
    if wanted is None and (options.expect or options.refuse):
        wanted = 0
    if wanted is None:
        sys.exit(status)
    if status != wanted:
        problems.append(f"exit status {status} instead of {wanted}")
    for problem in problems:
        print(f"qemu.py: {problem}", file=sys.stderr)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
