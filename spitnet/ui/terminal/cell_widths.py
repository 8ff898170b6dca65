"""Whether a terminal draws the signs of the table as wide as they are counted; it is asked where its cursor is after them. Pure.

Some draw signs of ambiguous width two cells wide, as fonts for Chinese and Japanese have them; then every row with one
breaks. What belongs here: the question, and what an answer comes to. What must not: asking, drawing.
Source: Unicode's UAX #11; ECMA-48, 8.3.14 (CPR).
"""

from typing import Final

from spitnet.ui.terminal.key_sequences import CursorPosition

SIGNS: Final = "♠♥♦♣│█▲✗◂…"
"""One of each kind that the table has, a cell wide each."""
_ROW, _COLUMN = 2, 10
"""Not in the first row: there an answer would look like an F3 with Shift or Ctrl."""
QUESTION: Final = f"\x1b[{_ROW};{_COLUMN}H{SIGNS}\x1b[6n\x1b[2K\x1b[H"
"""Draws the signs on an empty screen, asks, and takes them away at once: nobody sees them. The cursor is at home after it."""
_EXPECTED: Final = _COLUMN + len(SIGNS)


def answers(place: CursorPosition) -> bool:
    """Whether the question can be what this place was told for; a screen that it doesn't fit on has no answer."""
    return place.row == _ROW and place.column >= _EXPECTED


def breaks_rows(place: CursorPosition) -> bool:
    """Whether the signs took more than their cells: two for one, or as many as they have bytes."""
    return answers(place) and place.column > _EXPECTED
