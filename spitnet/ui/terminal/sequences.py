"""What a terminal sends, cut into whole units, so that no piece of an answer is taken for a key. Pure.

What belongs here: where a sequence begins and ends. What must not: reading, the clock, which sequences are keys (`named`).

A unit is one character, one whole sequence (CSI, SS3) or one paste. The control strings (OSC, DCS, APC, PM, SOS) hold
answers that nobody here has asked for, and are left out. A sequence that an 8-bit control begins is told with the two
characters that mean the same. A byte that doesn't decode is no control: where a terminal sends UTF-8 it is part of a letter.
Source: ECMA-48, 5.4 and 5.6; xterm's ctlseqs.
"""

from collections.abc import Callable
from typing import Final

ESCAPE_S: Final = 0.3
"""How long an Escape waits for the rest of a sequence: slow links were seen to need 80 ms. No key of the race waits."""
SILENCE_S: Final = 1.0
"""After so long without a character a sequence isn't finished any more: what comes then is typed."""
PASTE_SILENCE_S: Final = 5.0
"""The same within a paste, whose rest would be taken for keys."""
SEQUENCE_MOST: Final = 256
"""Characters: the longest that terminals send have some sixty."""
STRING_MOST: Final = 1 << 20
"""Characters: the contents of a clipboard (OSC 52) come as one string."""
PASTE_KEPT: Final = 1024
"""Characters of a paste that are told; it is read to its end, however long."""

ESCAPE: Final = "\x1b"
_PASTE: Final = "\x1b[200~"
_PASTE_ENDS: Final = ("\x1b[201~", "\x9b201~")
_BELL, _STRING_END, _DELETE = "\a", "\x9c", "\x7f"
_STRINGS: Final = "]P_^X"
_SHORT: Final = dict(zip("\x8f\x90\x98\x9b\x9d\x9e\x9f", "OPX[]^_", strict=True))
"""8-bit controls, and what means the same after an Escape."""
_COUNTED: Final = {"[": 1, "M": 3}
"""Finals right after CSI that so many characters follow: a Linux console's function key, a mouse report as of X10."""


class Sequences:
    """One terminal's input. Times are the caller's seconds, of one clock. Its state is the method that takes the next character."""

    def __init__(self) -> None:
        self._take: Callable[[str], None] = self._ground
        self._whole: list[str] = []
        self._unit = ""
        """What has come of the unit that isn't whole yet; of a string nothing."""
        self._count = 0
        """Of a string, the characters that have come; of a counted report, those that haven't."""
        self._fed_s = 0.0

    @property
    def waits(self) -> bool:
        """Whether there is an Escape that may be a key, or a sequence's first character."""
        return self._take == self._after_escape

    def feed(self, text: str, now_s: float) -> list[str]:
        """The units that are whole with this text."""
        if text:
            self._give_up(now_s)
            self._fed_s = now_s
        for character in text:
            self._take(character)
        return self._told()

    def flush(self, now_s: float) -> list[str]:
        """An Escape that has stood alone for `ESCAPE_S`."""
        if self.waits and now_s - self._fed_s >= ESCAPE_S:
            self._take = self._ground
            self._whole.append(ESCAPE)
        return self._told()

    def _told(self) -> list[str]:
        whole, self._whole = self._whole, []
        return whole

    def _give_up(self, now_s: float) -> None:
        """Drops what isn't finished any more; but no Escape: who reads late must not tear it from what came with it."""
        most_s = PASTE_SILENCE_S if self._take == self._paste else SILENCE_S
        if now_s - self._fed_s > most_s and not self.waits:
            self._take = self._ground

    def _ground(self, character: str) -> None:
        """Outside of everything. A control within a sequence comes here too: nothing that is sent whole has one in it."""
        self._take = self._ground
        if character == ESCAPE:
            self._take = self._after_escape
        elif character in _SHORT:
            self._begin(_SHORT[character])
        else:
            self._whole.append(character)

    def _after_escape(self, character: str) -> None:
        if character in "[O" or character in _STRINGS:
            self._begin(character)
        elif character == "\\":
            self._take = self._ground  # the end of a string that was given up
        else:
            self._whole.append(ESCAPE)
            self._ground(character)

    def _begin(self, character: str) -> None:
        self._unit, self._count = ESCAPE + character, 0
        self._take = self._string if character in _STRINGS else self._sequence

    def _string(self, character: str) -> None:
        self._count += 1
        if character == ESCAPE:
            self._take = self._string_escape
        elif character in (_BELL, _STRING_END) or self._count > STRING_MOST:
            self._take = self._ground
        elif _is_control(character):
            self._ground(character)

    def _string_escape(self, character: str) -> None:
        """The string's end, if a backslash follows; else something new has begun."""
        begins = character in "\\[O" or character in _STRINGS
        (self._after_escape if begins else self._ground)(character)

    def _sequence(self, character: str) -> None:
        """Parameters up to a final character."""
        self._unit += character
        if not " " <= character <= "~":
            self._ground(character)
        elif self._unit == _PASTE:
            self._take = self._paste
        elif self._unit[1] == "[" and len(self._unit) == 3 and character in _COUNTED:
            self._take, self._count = self._counted, _COUNTED[character]
        elif character >= "@":
            self._end()
        elif len(self._unit) > SEQUENCE_MOST:
            self._take = self._ground

    def _counted(self, character: str) -> None:
        self._unit += character
        self._count -= 1
        if _is_control(character):
            self._ground(character)
        elif not self._count:
            self._end()

    def _paste(self, character: str) -> None:
        kept, end = len(_PASTE) + PASTE_KEPT, len(_PASTE_ENDS[0])
        self._unit += character
        if self._unit.endswith(_PASTE_ENDS):
            long, short = _PASTE_ENDS
            self._unit = self._unit.removesuffix(long).removesuffix(short)[:kept]
            self._end()
        elif len(self._unit) > kept + 2 * end:
            self._unit = self._unit[:kept] + self._unit[-end:]

    def _end(self) -> None:
        self._take = self._ground
        self._whole.append(self._unit)


def pasted(unit: str) -> str | None:
    """What was pasted, as much of it as is kept; None if the unit is no paste."""
    return unit.removeprefix(_PASTE) if unit.startswith(_PASTE) else None


def typed(text: str) -> str:
    """What was typed or pasted of a line that the terminal has edited itself."""
    units = Sequences().feed(text, 0.0)
    return "".join(unit if len(unit) == 1 else pasted(unit) or "" for unit in units)


def _is_control(character: str) -> bool:
    return character < " " or character == _DELETE
