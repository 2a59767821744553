#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a UF2 file in the emulator Unicorn, on a Cortex-M33 with what the example uses of an RP2350, or a Cortex-M0+ with
that of an RP2040, and prints what comes out of UART 0.

    run_unicorn.py app.uf2 "last words" [instructions]      status 0 once the console shows the last words

The RP2350 starts as by its boot ROM: the image block must be in the first 4 KB of flash, then stack and entry come from the
vector table. The RP2040 starts behind its second boot stage. Clocks, PLL, resets and the timer answer as a working chip does;
the UART says nothing unless it was taken out of reset, enabled, connected to its pin and given a clock.
"""
import collections
import struct
import sys

import unicorn
from unicorn import arm_const

FLASH, RAM, DEVICES, PRIVATE = 0x10000000, 0x20000000, 0x40000000, 0xE0000000
BLOCK = struct.pack("<3I", 0xFFFFDED3, 0x10210142, 0x000001FF)  # IMAGE_TYPE: executable, Arm, secure, RP2350

Map = collections.namedtuple("Map", "cpu vectors resets clocks pads io xosc pll uart timer uart_reset")
CHIPS = {  # by UF2 family
    0xE48BFF59: Map(arm_const.UC_CPU_ARM_CORTEX_M33, 0, 0x40020000, 0x40010000, 0x40038000, 0x40028000, 0x40048000,
                    0x40050000, 0x40070000, 0x400B0000, 1 << 26),
    0xE48BFF56: Map(arm_const.UC_CPU_ARM_CORTEX_M0, 0x100, 0x4000C000, 0x40008000, 0x4001C000, 0x40014000, 0x40024000,
                    0x40028000, 0x40034000, 0x40054000, 1 << 22),
}


def run_until_said(emulator, chip, vectors, last_words, limit):
    """Starts as the vector table says. Returns what the chip's console shows: up to the last words, or to the limit of
    instructions."""
    stack, at = struct.unpack_from("<2I", vectors)
    emulator.reg_write(arm_const.UC_ARM_REG_SP, stack)
    step, count = 500000, 0
    while last_words not in chip.console and count < limit:
        emulator.emu_start(at | 1, 0xFFFFFFFE, count=step)
        at = emulator.reg_read(arm_const.UC_ARM_REG_PC)
        count += step
    return chip.console


def load_uf2(data):
    flash, families = bytearray(b"\xff" * (4 << 20)), set()
    for at in range(0, len(data), 512):
        magic, _, _, address, size, _, _, family = struct.unpack_from("<8I", data, at)
        if magic != 0x0A324655 or family not in CHIPS:
            raise SystemExit(f"block {at // 512} is no UF2 block for Arm cores of an RP2040 or RP2350")
        families.add(family)
        flash[address - FLASH:address - FLASH + size] = data[at + 32:at + 32 + size]
    (family,) = families
    if CHIPS[family].vectors == 0 and BLOCK not in flash[:4096]:
        raise SystemExit("no image block in the first 4 KB: the boot ROM would not start this")
    return flash, CHIPS[family]


class Chip:
    """Registers as they were written, and those that answer by themselves."""

    def __init__(self, chip):
        self.map = chip
        self.registers = {chip.resets: 0x1FFFFFFF, chip.pll + 4: 0x2D}
        self.console = ""
        self.microseconds = 0

    def get(self, base, offset=0):
        return self.registers.get(base + offset, 0)

    def read(self, address):
        chip = self.map
        if address == chip.resets + 8:
            return ~self.get(chip.resets) & 0x1FFFFFFF
        if address == chip.xosc + 4:
            return 1 << 31 if self.get(chip.xosc) >> 12 & 0xFFF == 0xFAB else 0
        if address == chip.clocks + 0x38:
            return 1 << (self.get(chip.clocks, 0x30) & 3)
        if address == chip.clocks + 0x44:
            return 1 << (self.get(chip.clocks, 0x3C) & 1)
        if address == chip.pll:
            return self.get(chip.pll) | (1 << 31 if self.get(chip.pll, 4) & 0x21 == 0 else 0)
        if address == chip.timer + 0x28:
            self.microseconds += 1
            return self.microseconds
        return 0 if address == chip.uart + 0x18 else self.get(address)

    def write(self, address, value):
        register, alias = address & ~0x3000, address >> 12 & 3
        before = self.get(register)
        self.registers[register] = (value, before ^ value, before | value, before & ~value)[alias]
        if register == self.map.uart and self.uart_is_ready():
            self.console += chr(value & 0xFF)

    def uart_is_ready(self):
        chip = self.map
        return (self.get(chip.resets) & chip.uart_reset == 0 and self.get(chip.uart, 0x30) & 0x101 == 0x101
                and self.get(chip.clocks, 0x48) >> 11 & 1 == 1 and self.get(chip.io, 4) == 2
                and self.registers.get(chip.pads + 4, 0x100) & 0x180 == 0)


def run(data, last_words, limit):
    flash, chip_map = load_uf2(data)
    chip, emulator = Chip(chip_map), unicorn.Uc(unicorn.UC_ARCH_ARM, unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS)
    emulator.ctl_set_cpu_model(chip_map.cpu)
    emulator.mem_map(FLASH, len(flash), unicorn.UC_PROT_READ | unicorn.UC_PROT_EXEC)
    emulator.mem_write(FLASH, bytes(flash))
    emulator.mem_map(RAM, 0x82000)
    emulator.mem_map(PRIVATE, 0x100000)
    emulator.mmio_map(DEVICES, 0x200000, lambda _, at, size, __: chip.read(DEVICES + at), None,
                      lambda _, at, size, value, __: chip.write(DEVICES + at, value), None)
    return run_until_said(emulator, chip, flash[chip_map.vectors:], last_words, limit)


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        text = run(file.read(), sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 50000000)
    print(text)
    sys.exit(0 if sys.argv[2] in text else 1)
