#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints what an ETDump holds: one line per event. Needs nothing but Python.

    scripts/etdump.py FILE [-o etdump.bin]

FILE is an ETDump, or the console output of a firmware that printed one as base64 after the word ETDUMP; -o then writes
the file that ExecuTorch's Inspector opens. Times are ticks of the device's clock."""
import argparse
import base64
import re
import struct
import sys


class Table:
    """A FlatBuffer table; fields by their number in the schema."""

    def __init__(self, data, at):
        self.data, self.at = data, at
        self.directory = at - struct.unpack_from("<i", data, at)[0]
        self.size = struct.unpack_from("<H", data, self.directory)[0]

    def where(self, field):
        entry = 4 + 2 * field
        offset = struct.unpack_from("<H", self.data, self.directory + entry)[0] if entry < self.size else 0
        return self.at + offset if offset else None

    def number(self, field, form, default=0):
        at = self.where(field)
        return default if at is None else struct.unpack_from("<" + form, self.data, at)[0]

    def follow(self, field):
        at = self.where(field)
        return None if at is None else at + struct.unpack_from("<I", self.data, at)[0]

    def table(self, field):
        at = self.follow(field)
        return None if at is None else Table(self.data, at)

    def tables(self, field):
        at = self.follow(field)
        if at is None:
            return []
        places = [at + 4 + 4 * i for i in range(struct.unpack_from("<I", self.data, at)[0])]
        return [Table(self.data, place + struct.unpack_from("<I", self.data, place)[0]) for place in places]

    def bytes(self, field):
        at = self.follow(field)
        return None if at is None else self.data[at + 4:at + 4 + struct.unpack_from("<I", self.data, at)[0]]

    def text(self, field):
        content = self.bytes(field)
        return None if content is None else content.decode()

    def longs(self, field):
        at = self.follow(field)
        return [] if at is None else list(struct.unpack_from(f"<{struct.unpack_from('<I', self.data, at)[0]}q",
                                                             self.data, at + 4))


def etdump_in(content):
    """The ETDump in a file or in a console's text."""
    found = re.findall(rb"^ETDUMP ([A-Za-z0-9+/=]+)", content, re.MULTILINE)
    data = base64.b64decode(found[-1]) if found else content
    if data[8:12] != b"ED00" or struct.unpack_from("<I", data)[0] != len(data) - 4:
        raise ValueError("no ETDump: neither a line 'ETDUMP <base64>' nor a file with the identifier ED00")
    return data


def rows_of(data):
    """Every event as a dictionary, in order, with the name of its run."""
    root = Table(data, 4 + struct.unpack_from("<I", data, 4)[0])
    for number, run in enumerate(root.tables(1)):
        for event in run.tables(3):
            row = {"run": number, "block": run.text(0)}
            if profile := event.table(0):
                delegate = profile.text(4) or (profile.number(3, "i", -1) if profile.number(3, "i", -1) != -1 else None)
                row.update(kind="profile", name=profile.text(0) if delegate is None else f"delegate: {delegate}",
                           instruction=profile.number(2, "i", -1), start=profile.number(6, "Q"),
                           end=profile.number(7, "Q"))
            elif allocation := event.table(1):
                row.update(kind="allocation", name=f"allocator {allocation.number(0, 'i')}",
                           bytes=allocation.number(1, "Q"))
            elif debug := event.table(2):
                value = debug.table(2)
                tensor = value.table(1)
                row.update(kind="value", name=debug.text(4) or "value", instruction=debug.number(1, "i", -1),
                           sizes=tensor.longs(1) if tensor else None, offset=tensor.number(3, "q") if tensor else None,
                           output=value.table(7) is not None)
            yield row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("-o", metavar="FILE", help="write the ETDump")
    arguments = parser.parse_args()
    with open(arguments.file, "rb") as file:
        try:
            data = etdump_in(file.read())
        except ValueError as error:
            sys.exit(f"{arguments.file}: {error}")
    if arguments.o:
        with open(arguments.o, "wb") as file:
            file.write(data)
    for row in rows_of(data):
        if row["kind"] == "profile":
            what = f"{row['end'] - row['start']:>12}"
        elif row["kind"] == "allocation":
            what = f"{row['bytes']:>12} bytes"
        else:
            what = f"{str(row['sizes']):>12} at {row['offset']}{', output' if row['output'] else ''}"
        print(f"{row['run']} {row['block']:<10} {row.get('instruction', ''):>4} {row['name'] or '':<40} {what}")


if __name__ == "__main__":
    main()
