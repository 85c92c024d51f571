"""Write src/tui/text/tables.generated.ts: grapheme break classes and cell widths.

The tables are pinned to Unicode 15.0.0 (contract G-083, G-084), so that the
Unicode version of the running Node never changes a dump. Two packages carry
exactly that version and are the only source of this script:

    python3 -m venv venv
    venv/bin/pip install regex==2023.8.8 unicodedata2==15.0.0
    venv/bin/python scripts/generate-unicode-tables.py
"""

import pathlib

import regex
import unicodedata2

UNICODE_VERSION = "15.0.0"

# The order is the numbering used by src/tui/text/graphemes.ts.
BREAK_CLASSES = [
    "Other",
    "CR",
    "LF",
    "Control",
    "Extend",
    "ZWJ",
    "Regional_Indicator",
    "Prepend",
    "SpacingMark",
    "L",
    "V",
    "T",
    "LV",
    "LVT",
    "Extended_Pictographic",
]

TARGET = pathlib.Path(__file__).resolve().parent.parent / "src/tui/text/tables.generated.ts"


def matcher(expression):
    """A test of one code point against a property expression."""
    pattern = regex.compile(expression)
    return lambda point: pattern.match(chr(point)) is not None


BREAK_TESTS = [
    (number, matcher(r"\p{GCB=%s}" % name))
    for number, name in enumerate(BREAK_CLASSES)
    if name not in ("Other", "Extended_Pictographic")
]
IS_PICTOGRAPH = matcher(r"\p{Extended_Pictographic}")
IS_EMOJI = matcher(r"\p{Emoji_Presentation}")
PICTOGRAPH = BREAK_CLASSES.index("Extended_Pictographic")


def is_surrogate(point):
    return 0xD800 <= point <= 0xDFFF


def break_class(point):
    # A lone surrogate stands for an invalid byte: one cell, joined to nothing (G-087).
    if is_surrogate(point):
        return 0
    for number, test in BREAK_TESTS:
        if test(point):
            return number
    return PICTOGRAPH if IS_PICTOGRAPH(point) else 0


def width(point, kind):
    """Columns of one code point, first rule of G-084 that applies."""
    name = BREAK_CLASSES[kind]
    if name in ("Control", "CR", "LF", "Extend", "ZWJ"):
        return 0
    if name == "Regional_Indicator":
        return 2
    wide = not is_surrogate(point) and unicodedata2.east_asian_width(chr(point)) in ("W", "F")
    if name == "Extended_Pictographic":
        return 2 if IS_EMOJI(point) or wide else 1
    return 2 if point in (0x2E3A, 0x2E3B) or wide else 1


def ranges(value_of, skip):
    """Runs [first, last, value] of equal values, without the default value."""
    runs = []
    for point in range(0x110000):
        value = value_of(point)
        if value == skip:
            continue
        if runs and runs[-1][1] == point - 1 and runs[-1][2] == value:
            runs[-1][1] = point
        else:
            runs.append([point, point, value])
    return runs


def as_text(runs):
    """Deltas in base 36, so that the table stays small: gap, length, value."""
    words, at = [], 0
    for first, last, value in runs:
        words.append(f"{base36(first - at)},{base36(last - first)},{base36(value)}")
        at = last
    return ";".join(words)


def base36(number):
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    out = ""
    while True:
        number, rest = divmod(number, 36)
        out = digits[rest] + out
        if number == 0:
            return out


def main():
    assert unicodedata2.unidata_version == UNICODE_VERSION
    kinds = [break_class(point) for point in range(0x110000)]
    breaks = as_text(ranges(lambda point: kinds[point], 0))
    widths = as_text(ranges(lambda point: width(point, kinds[point]), 1))
    TARGET.write_text(
        "// Written by scripts/generate-unicode-tables.py; do not edit.\n"
        f"export const UNICODE_VERSION = '{UNICODE_VERSION}';\n"
        "/** Grapheme break classes that are not Other: gap, length, class in base 36. */\n"
        f"export const BREAK_RUNS =\n  '{breaks}';\n"
        "/** Code points that are not one column wide: gap, length, width in base 36. */\n"
        f"export const WIDTH_RUNS =\n  '{widths}';\n"
    )


if __name__ == "__main__":
    main()
