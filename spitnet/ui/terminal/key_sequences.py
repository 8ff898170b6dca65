"""Which sequences are keys, and what else a terminal reports: units (`sequences`) to names. Pure.

What belongs here: the names that keymaps know, by what terminals send for them. What must not: what a key does.

A name is the character itself, or as in `keys`: `left`, `f1`, `c-c`. A key with Shift, Alt or Ctrl that has no name of its
own is none, nor is one that is let go. Source: xterm's ctlseqs; kitty's keyboard protocol, and xterm's modifyOtherKeys,
in case another program has left them on: there too a person gets out.
"""

import re
from typing import Final, NamedTuple

_KEY: Final = re.compile(r"\x1b[\[O](\d*)[:\d]*(?:;(\d*)(?::(\d+))?)?(?:;([\d:]*))?([A-Z~u])")
"""A number, modifiers, what happened to the key, a second number, and the final."""
_FINALS: Final = {
    "A": "up",
    "B": "down",
    "C": "right",
    "D": "left",
    "H": "home",
    "F": "end",
    "P": "f1",
    "Q": "f2",
    "R": "f3",
    "S": "f4",
}
_NUMBERS: Final = {
    "1": "home",
    "3": "delete",
    "4": "end",
    "7": "home",
    "8": "end",
    "11": "f1",
    "12": "f2",
    "13": "f3",
    "14": "f4",
    "15": "f5",
    "17": "f6",
    "18": "f7",
    "19": "f8",
    "20": "f9",
    "21": "f10",
    "23": "f11",
    "24": "f12",
}
_CONSOLE: Final = {f"\x1b[[{final}": f"f{number}" for number, final in enumerate("ABCDE", 1)}
"""The function keys of a Linux console that no other terminal sends so."""
_CODES: Final = {("27", 0): "escape", ("13", 0): "c-m", ("99", 4): "c-c", ("108", 4): "c-l"}
"""What leads out of everything, by the character's number and the modifiers, where keys are told by these."""
_LOCKS: Final = 64 | 128
"""Caps Lock and Num Lock among the modifiers."""
_RELEASED: Final = "3"
_OTHER_KEYS: Final = "27"
"""Begins what xterm's modifyOtherKeys sends."""
_PLACE: Final = re.compile(r"\x1b\[(\d+);(\d+)R")
_MOUSE: Final = re.compile(r"\x1b\[(?:<\d+;\d+;\d+[Mm]|\d+;\d+;\d+M|M[ -#@-C`a]..)", re.DOTALL)
"""What prompt_toolkit can read: SGR, urxvt's, and as of X10 without modifiers."""


class CursorPosition(NamedTuple):
    """Where the cursor is, from 1."""

    row: int
    column: int


def name(unit: str) -> str | None:
    """What the key is called; None if the unit is none."""
    if len(unit) == 1:
        return _controls(unit)
    if unit in _CONSOLE:
        return _CONSOLE[unit]
    found = _KEY.fullmatch(unit)
    return None if found is None else _function(*found.groups(""))


def place(unit: str) -> CursorPosition | None:
    """The answer to a question where the cursor is, if the unit is one."""
    found = _PLACE.fullmatch(unit)
    return None if found is None else CursorPosition(int(found[1]), int(found[2]))


def is_mouse(unit: str) -> bool:
    """Whether the unit tells of the mouse, and can be read."""
    return _MOUSE.fullmatch(unit) is not None


def _controls(character: str) -> str:
    if character == "\x1b":
        return "escape"
    if "\x01" <= character <= "\x1a":
        return f"c-{chr(ord(character) + ord('a') - 1)}"
    return "c-h" if character == "\x7f" else character


def _function(number: str, modifiers: str, event: str, second: str, final: str) -> str | None:
    held = (int(modifiers or 1) - 1) & ~_LOCKS
    if event == _RELEASED:
        return None
    if final == "u":
        return _CODES.get((number, held))
    if final == "~" and number == _OTHER_KEYS:
        return _CODES.get((second, held))
    if held or second:
        return None
    if final == "~":
        return _NUMBERS.get(number)
    return _FINALS.get(final) if number in ("", "1") else None
