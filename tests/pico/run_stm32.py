#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs firmware of boards/stm32_qspi on a Cortex-M4 of the emulator Unicorn, with a USART and a QSPI flash that answers only
once pins, clocks and QUADSPI are set up as the flash wants it; prints what comes out of the USART.

    run_stm32.py app.elf model.pte "last words"      status 0 once the console shows the last words
"""
import struct
import sys

import unicorn
from unicorn import arm_const

from run_unicorn import run_until_said

RCC, GPIO_B, GPIO_E, USART, QUADSPI, QSPI_FLASH = 0x40021000, 0x48000400, 0x48001000, 0x40013800, 0xA0001000, 0x90000000


def segments(elf):
    """(load address, bytes) of each."""
    table, size, count = struct.unpack_from("<I", elf, 28)[0], *struct.unpack_from("<HH", elf, 42)
    for i in range(count):
        kind, offset, _, address, bytes_in_file = struct.unpack_from("<5I", elf, table + i * size)
        if kind == 1 and bytes_in_file:
            yield address, elf[offset:offset + bytes_in_file]


class Chip:
    def __init__(self):
        self.registers, self.console = {GPIO_B: 0xFFFFFEBF, GPIO_E: 0xFFFFFFFF}, ""

    def get(self, base, offset=0):
        return self.registers.get(base + offset, 0)

    def function(self, port, pin):
        """The alternate function of a pin, or None."""
        alternate = self.get(port) >> 2 * pin & 3 == 2
        return self.get(port, 0x20 + 4 * (pin // 8)) >> 4 * (pin % 8) & 15 if alternate else None

    def read(self, address):
        return 1 << 7 if address == USART + 0x1C else self.registers.get(address, 0)  # transmitter empty

    def write(self, address, value):
        self.registers[address] = value
        clocked = self.get(RCC, 0x60) >> 14 & 1 and self.get(RCC, 0x4C) & 2
        if address == USART + 0x28 and clocked and self.get(USART) & 9 == 9 and self.function(GPIO_B, 6) == 7:
            self.console += chr(value & 0xFF)

    def flash_is_mapped(self):
        """Fast read: command 0x0B, address and data on one line, 24 bits of address, 8 dummy cycles, memory-mapped."""
        return (self.get(RCC, 0x50) >> 8 & 1 and self.get(RCC, 0x4C) & 16 and self.get(QUADSPI) & 1
                and self.get(QUADSPI, 4) >> 16 & 31 == 22
                and self.get(QUADSPI, 0x14) & 0x0FFFFFFF == 0x0D20250B
                and all(self.function(GPIO_E, pin) == 10 for pin in range(10, 16)))


def run(elf, model, last_words, limit=200000000):
    emulator = unicorn.Uc(unicorn.UC_ARCH_ARM, unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS)
    emulator.ctl_set_cpu_model(arm_const.UC_CPU_ARM_CORTEX_M4)
    chip = Chip()
    for base, size in ((0x08000000, 1 << 20), (0x20000000, 98304), (0x10000000, 32768), (0xE0000000, 1 << 20)):
        emulator.mem_map(base, size)
    for address, data in segments(elf):
        emulator.mem_write(address, data)
    for base, size in ((0x40000000, 0x30000), (0x48000000, 0x2000), (0xA0001000, 0x1000)):
        emulator.mmio_map(base, size, lambda _, at, size, base: chip.read(base + at), base,
                          lambda _, at, size, value, base: chip.write(base + at, value), base)

    def first_read(*_):
        if chip.flash_is_mapped():
            emulator.mem_map(QSPI_FLASH, 8 << 20, unicorn.UC_PROT_READ)
            emulator.mem_write(QSPI_FLASH, b"\xff" * (8 << 20))
            emulator.mem_write(QSPI_FLASH, model)
        return bool(chip.flash_is_mapped())

    emulator.hook_add(unicorn.UC_HOOK_MEM_READ_UNMAPPED, first_read, begin=QSPI_FLASH, end=QSPI_FLASH + (8 << 20) - 1)
    return run_until_said(emulator, chip, emulator.mem_read(0x08000000, 8), last_words, limit)


if __name__ == "__main__":
    files = []
    for name in sys.argv[1:3]:
        with open(name, "rb") as file:
            files.append(file.read())
    text = run(*files, sys.argv[3])
    print(text)
    sys.exit(0 if sys.argv[3] in text else 1)
