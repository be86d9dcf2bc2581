"""Compares a CSV of slices, as Python's csv and json read it, with what was pushed: slices_reference.py CSV PUSHED.

A line of PUSHED has the arguments of a slice in order, separated by blanks: column=KEY:TYPE:VALUE or KEY:TYPE:VALUE. Keys and texts are
bytes in hexadecimal. Types are i and u (integers), d (a decimal as C writes it in hexadecimal), b (0 or 1), t (a text), p (a pointer),
j (a text that may be JSON).
"""
import csv
import json
import math
import sys


def decoded(digits):
    return bytes.fromhex(digits).decode("utf-8", errors="replace")


def value_of(kind, value):
    if kind in "iu":
        return int(value)
    if kind == "d":
        number = float.fromhex(value)
        return number if math.isfinite(number) else None
    if kind == "b":
        return value == "1"
    if kind == "p":
        return hex(int(value))
    if kind == "t":
        return decoded(value)
    try:
        return json.loads(decoded(value), parse_constant=lambda name: None, strict=False)
    except ValueError:
        return decoded(value)


def check(number, row, pushed):
    wanted = {}
    for item in pushed.split():
        key, kind, value = item.split(":")
        if key.startswith("column="):
            cell = decoded(value) if kind in "tj" else str(value_of(kind, value))
            assert row[decoded(key[7:])] == cell, (number, item, row)
        else:
            wanted[decoded(key)] = value_of(kind, value)
    got = json.loads(row["arguments"]) if row["arguments"] else {}
    assert list(got.items()) == list(wanted.items()), (number, got, wanted)
    assert [type(value) for value in got.values()] == [type(value) for value in wanted.values()], (number, got, wanted)


def main(table, pushed):
    with open(table, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, strict=True))
    with open(pushed, encoding="ascii") as file:
        lines = file.read().splitlines()
    assert len(rows) == len(lines), (len(rows), len(lines))
    for number, (row, line) in enumerate(zip(rows, lines)):
        assert None not in row and None not in row.values(), row
        check(number, row, line)


main(*sys.argv[1:])
