# SPDX-License-Identifier: BSD-3-Clause
"""Worst-case stack of functions of a linked image: frame sizes that the compiler wrote (-fcallgraph-info=su), calls from
the disassembly, so that only what is linked counts. Functions of the C library have no frame size on file: theirs is
what their instructions push. Calls by pointer may reach any function whose address the image stores in a vtable or, from
Method, in the kernel table."""
import re
import subprocess

NODE = re.compile(r'^node: \{ title: "([^"]+)" label: "[^"]*?\\n(\d+) bytes', re.M)
FUNCTION = re.compile(r"^([0-9a-f]{8}) <([^>]+)>:$")
CALL = re.compile(r"\t(?:bl|blx|b|b\.n|b\.w|beq\.w|bne\.w|cbz|cbnz)\s+(?:[a-z0-9]+, )?[0-9a-f]+ <([^>+]+)>$")
INDIRECT = re.compile(r"\t(?:blx|bx)\s+(?!lr)(r\d+|ip|sl|fp)")
PUSH = re.compile(r"\t(?:push|stmdb\s+sp!,|vpush)\S*\s+\{([^}]*)\}")
SUB_SP = re.compile(r"\tsub(?:\.w|w)?\s+sp, (?:sp, )?#(\d+)")
STR_PRE = re.compile(r"\tstr\S*\s+\S+, \[sp, #-(\d+)\]!")
KERNEL_CALLERS = re.compile(r"6Method\d")  # members of Method
KERNEL_CHECKERS = re.compile(r"12MethodLoader")  # ask a kernel whether the count of arguments fits; it calls nothing else


def registers(text):
    count = 0
    for part in text.split(","):
        first, _, last = part.strip().partition("-")
        width = 8 if first.startswith("d") else 4
        if last and first[1:].isdigit() and last[1:].isdigit():
            count += width * (int(last[1:]) - int(first[1:]) + 1)
        else:
            count += width
    return count


class Image:
    def __init__(self, elf, object_folder):
        self.frames, self.calls, self.indirect, self.at = {}, {}, set(), {}
        self._disassemble(elf)
        for path in object_folder.rglob("*.ci"):
            for title, frame in NODE.findall(path.read_text(errors="replace")):
                name = title.rpartition(":")[2]
                if name in self.frames:
                    self.frames[name] = max(int(frame), self.from_file.get(name, 0))
                    self.from_file[name] = self.frames[name]
        self.virtuals, self.kernels = self._pointed_to(elf)

    def _disassemble(self, elf):
        self.from_file = {}
        text = subprocess.run(["arm-none-eabi-objdump", "-d", "--no-show-raw-insn", str(elf)], stdout=subprocess.PIPE,
                              text=True, check=True).stdout
        name = None
        for line in text.splitlines():
            match = FUNCTION.match(line)
            if match:
                name = match.group(2)
                self.at[int(match.group(1), 16)] = name
                self.frames[name], self.calls[name] = 0, set()
                continue
            if name is None:
                continue
            for pattern, size in ((PUSH, registers), (SUB_SP, int), (STR_PRE, int)):
                match = pattern.search(line)
                if match:
                    self.frames[name] += size(match.group(1))
            match = CALL.search(line)
            if match and match.group(1) != name:
                self.calls[name].add(match.group(1))
            if INDIRECT.search(line):
                self.indirect.add(name)

    def _pointed_to(self, elf):
        """Functions whose addresses lie in vtables, and those in the kernel table."""
        symbols = subprocess.run(["arm-none-eabi-nm", "-S", str(elf)], stdout=subprocess.PIPE, text=True, check=True).stdout
        dump = subprocess.run(["arm-none-eabi-objdump", "-s", "-j", ".rodata", str(elf)], stdout=subprocess.PIPE,
                              text=True, check=True).stdout
        words = {}
        for line in dump.splitlines():
            match = re.match(r"^ ([0-9a-f]+) ((?:[0-9a-f]{2,8} ){1,4})", line)
            if match:
                data = bytes.fromhex(match.group(2).replace(" ", ""))
                for i in range(0, len(data) - 3, 4):
                    words[int(match.group(1), 16) + i] = int.from_bytes(data[i:i + 4], "little")
        virtuals, kernels = set(), set()
        for line in symbols.splitlines():
            parts = line.split()
            if len(parts) != 4 or parts[2] not in "rRdDvVwW":
                continue
            start, size, name = int(parts[0], 16), int(parts[1], 16), parts[3]
            target = virtuals if name.startswith("_ZTV") else kernels
            for address in range(start & ~3, start + size, 4):
                value = words.get(address, 0)
                if value & 1 and value - 1 in self.at:
                    target.add(self.at[value - 1])
        return virtuals, kernels

    def worst(self, name, active=()):
        """(bytes, path) of the deepest chain of calls from a function; a call back into the chain is not followed."""
        memo = self.__dict__.setdefault("_memo", {})
        if name in memo:
            return memo[name]
        targets = set(self.calls.get(name, ()))
        if name in self.indirect:
            targets |= self.virtuals
            if KERNEL_CALLERS.search(name):
                targets |= self.kernels
        best, path, cut = 0, [], False
        if name in self.indirect and KERNEL_CHECKERS.search(name):
            best, kernel = max(((self.frames[k], k) for k in self.kernels), default=(0, ""))
            path = [kernel] if kernel else []
        for target in targets:
            if target in active or target == name:
                cut = True
                continue
            if target not in self.frames:
                continue
            depth, chain = self.worst(target, (*active, name))
            if depth > best:
                best, path = depth, chain
        result = (self.frames.get(name, 0) + best, [name, *path])
        if not cut:
            memo[name] = result
        return result

    def find(self, pattern):
        """Names of functions that match, in order of their addresses."""
        return [name for _, name in sorted(self.at.items()) if re.search(pattern, name)]
