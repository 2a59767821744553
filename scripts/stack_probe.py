# SPDX-License-Identifier: BSD-3-Clause
"""Measures the stack that a size image really uses in QEMU: its painted stack is read through the debugger's port."""
import pathlib
import re
import socket
import subprocess
import tempfile
import time

import qemu

PAINT = bytes.fromhex("cefadec0")  # boards/common/stack.cpp
LOAD = re.compile(r"^executorch::runtime::Program::load\(")
LOADED = re.compile(r"^executorch::runtime::Method::set_input\(")
EXECUTE = re.compile(r"^executorch::runtime::Method::execute\(")


class Target:
    """A stopped QEMU behind GDB's remote protocol, as much of it as this needs."""

    def __init__(self, board, elf, program, folder):
        path = str(pathlib.Path(folder) / "debugger")
        command = qemu.command_line(board, elf, [str(program)], [])
        self.process = subprocess.Popen([*command, "-S", "-chardev", f"socket,path={path},server=on,wait=off,id=debugger",
                                         "-gdb", "chardev:debugger"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(120)
        for _ in range(100):
            try:
                self.socket.connect(path)
                break
            except OSError:
                time.sleep(0.05)

    def ask(self, text):
        self.socket.sendall(f"${text}#{sum(text.encode()) & 0xFF:02x}".encode())
        answer = b""
        while not re.search(rb"\$.*#..", answer, re.S):
            piece = self.socket.recv(65536)
            if not piece:
                raise EOFError
            answer += piece
        self.socket.sendall(b"+")
        return re.search(rb"\$(.*)#..", answer, re.S).group(1).decode()

    def run_to(self, addresses):
        """Runs to one of the addresses and returns it, or 0 if the program ended."""
        for address in addresses:
            self.ask(f"Z0,{address:x},2")
        try:
            self.ask("c")
            for address in addresses:
                self.ask(f"z0,{address:x},2")
            return self.register(15)
        except EOFError:
            return 0

    def register(self, number):
        return int.from_bytes(bytes.fromhex(self.ask("g"))[4 * number:4 * number + 4], "little")

    def read(self, start, end):
        return b"".join(bytes.fromhex(self.ask(f"m{at:x},{min(1024, end - at):x}")) for at in range(start, end, 1024))

    def paint(self, start, end):
        for at in range(start, end, 1024):
            data = (PAINT * 256)[:min(1024, end - at)]
            self.ask(f"M{at:x},{len(data):x}:{data.hex()}")

    def close(self):
        self.socket.close()
        self.process.kill()
        self.process.wait()


def symbols(elf):
    text = subprocess.run(["arm-none-eabi-nm", "-C", str(elf)], stdout=subprocess.PIPE, text=True, check=True).stdout
    return {name: int(address, 16) & ~1 for address, name in re.findall(r"^(\w+) \w (.*)$", text, re.M)}


def measure(board_name, elf, program):
    """Bytes of stack of (loading, executing) `program`; None for what the image did not come to."""
    names = symbols(elf)

    def find(pattern):
        return next((address for name, address in names.items() if pattern.match(name)), 0)

    limit, end = names["__wick_stack_limit"], names["wick_board_exit"]

    def used(target, top):
        stack = target.read(limit, top)
        unused = 0
        while stack[unused:unused + 4] == PAINT:
            unused += 4
        return top - limit - unused

    with tempfile.TemporaryDirectory() as folder:
        target = Target(qemu.load_board(board_name), elf, program, folder)
        try:
            target.run_to([find(LOAD)])
            top = target.register(13)
            stopped = target.run_to([find(LOADED), end])
            load = used(target, top)
            if stopped == end or target.run_to([find(EXECUTE), end]) == end:
                return load, None
            top = target.register(13)
            target.paint(limit, top & ~3)
            target.run_to([end])
            return load, used(target, top)
        finally:
            target.close()
