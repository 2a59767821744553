# SPDX-License-Identifier: BSD-3-Clause
"""Estimates the cycles of an inference: what QEMU executed, each instruction at the weight of its class.

The weights (bench/README.md says where they come from) stand for a core whose memories answer at once. An estimate ranks
kernels and shows what a count of instructions hides, such as that a Helium instruction takes two cycles; it is not the
time on a chip."""
import collections
import re
import subprocess

import elf_stack
import qemu

# Cycles by class; "several" is per register that an instruction moves, on top of one cycle. Divisions and square roots
# depend on their operands: these are in the middle.
CORTEX_M4 = {"alu": 1, "multiply": 1, "divide": 7, "load": 2, "load_again": 1, "store": 1, "several": 1, "branch": 1,
             "taken": 2, "loop": 1, "float": 1, "float_mac": 3, "float_divide": 14, "vector": 2}
CORTEX_M55 = {**CORTEX_M4, "divide": 6, "load": 1, "several": 0.5, "taken": 1, "float_mac": 1, "float_divide": 12}
WEIGHTS = {"cortex-m55": CORTEX_M55, "cortex-m33": CORTEX_M4, "cortex-m4": CORTEX_M4,
           "cortex-m3": {**CORTEX_M4, "multiply": 2},
           "cortex-m0plus": {**CORTEX_M4, "load_again": 2, "store": 2, "taken": 1}}

CONDITION = "(eq|ne|cs|cc|hs|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)?"
CLASSES = [(kind, re.compile(pattern)) for kind, pattern in [
    ("loop", r"(le|letp|wls|wlstp|dls|dlstp|lctp)$"),
    ("branch", rf"(b|bl|bx|blx){CONDITION}$|cbn?z$|tb[bh]$"),
    ("several", r"ldm|stm|push|pop|vldm|vstm|vpush|vpop|ldrd|strd"),
    ("load", r"ldr|vldr[.]?$"),
    ("store", r"str|vstr[.]?$"),
    ("divide", r"[su]div"),
    ("multiply", r"mul|ml[as]|smul|smla|smls|smm|smua|smus|umul|umla|umaa"),
    ("float_divide", r"vdiv|vsqrt"),
    ("float_mac", r"vn?ml[as]|vfn?m[as]"),
    ("float", r"v"),
]]

def registers_in(operands):
    """How many words a list such as {r4, r6-r8, lr} has; two for an instruction without a list."""
    inside = re.search(r"\{(.*)\}", operands)
    return elf_stack.registers(inside.group(1)) // 4 if inside else 2


def class_of(mnemonic, operands):
    name = mnemonic.split(".")[0]
    if name.startswith("v") and (re.search(r"\bq\d", operands) or name.startswith(("vpst", "vpt", "vpnot", "vctp"))):
        return "vector"
    return next((kind for kind, pattern in CLASSES if pattern.match(name)), "alu")


class Image:
    """The instructions of a linked image."""

    def __init__(self, elf):
        text = subprocess.run(["arm-none-eabi-objdump", "-d", str(elf)], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.code = {int(at, 16): (class_of(mnemonic, operands), registers_in(operands))
                     for at, mnemonic, operands in re.findall(r"^\s*([0-9a-f]+):\t[0-9a-f ]+\t(\S+)[ \t]*([^\n;@]*)", text, re.M)}
        names = subprocess.run(["arm-none-eabi-nm", "-C", str(elf)], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.symbols = {name: int(at, 16) & ~1 for at, name in re.findall(r"^([0-9a-f]+) [tTwW] (.*)$", names, re.M)}

    def cost(self, block, weights):
        """Cycles of a straight run of instructions, not counting that its last one may jump."""
        total, before = 0, None
        for address in block:
            kind, registers = self.code[address]
            if kind == "several":
                total += 1 + registers * weights["several"]
            elif kind == "load" and before == "load":
                total += weights["load_again"]
            else:
                total += weights[kind]
            before = kind
        return total


def executed_blocks(board, elf, loads, code, begin, end):
    """{(addresses of a block, address behind which it went on): times} between the second time that `begin` is reached
    (the first inference is another) and the next time of `end`."""
    command = qemu.command_line(qemu.load_board(board), elf, loads, [])
    at = command.index("-icount")
    process = subprocess.Popen([*command[:at], *command[at + 2:], "-d", "in_asm,exec,nochain", "-D", "/dev/stderr"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    blocks, translated, counts = {}, [], collections.Counter()
    begun, last = 0, None
    for line in process.stderr:
        if line.startswith("0x"):
            translated.append(int(line[:10], 16))
        elif line.startswith("IN:"):
            translated = []
        elif line.startswith("Trace"):
            key, _, rest = line[9:].partition(" ")
            pc = int(rest.split("/")[1], 16)
            if translated and translated[0] == pc:
                # QEMU's disassembler splits and joins instructions that it does not know; where the block ends is right.
                blocks[key] = tuple(address for address in range(pc, translated[-1] + 1, 2) if address in code)
                translated = []
            if begun == 2:
                if last:
                    counts[last, pc] += 1
                if pc == end:
                    break
                last = blocks[key]
            elif pc == begin:
                begun += 1
                last = blocks[key]
    process.kill()
    process.wait()
    return counts


def estimate(board, elf, model):
    """(instructions, cycles) of one inference after the first."""
    image = Image(elf)
    weights = WEIGHTS[qemu.load_board(board)["cpu"].rstrip("f")]
    counts = executed_blocks(board, elf, [str(model)], image.code, image.symbols["executorch::runtime::Method::execute()"],
                             image.symbols["wick_board_ticks"])
    instructions = cycles = 0
    for (block, following), times in counts.items():
        instructions += len(block) * times
        jumped = image.code[block[-1]][0] == "branch" and not 0 < following - block[-1] <= 4
        cycles += (image.cost(block, weights) + (weights["taken"] if jumped else 0)) * times
    return instructions, round(cycles)
