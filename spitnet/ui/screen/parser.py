"""What a terminal sends as prompt_toolkit's key presses, in place of prompt_toolkit's own parser.

Its own hands on a sequence that it doesn't know as an Escape and single characters, each of them a key.
What belongs here: units (`sequences`, `named`) as key presses. What must not: where sequences end.
"""

from collections.abc import Callable
from time import monotonic
from typing import Final

from prompt_toolkit.input.vt100_parser import Vt100Parser
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys

from spitnet.ui.terminal.key_sequences import CursorPosition, is_mouse, name, place
from spitnet.ui.terminal.sequences import Sequences, pasted

_KEYS: Final = {key.value: key for key in Keys}


class KeyParser(Vt100Parser):
    """`pressed` is told of keys, of the mouse and of pastes; `placed` of the cursor's place, which is no key."""

    def __init__(
        self, pressed: Callable[[KeyPress], None], placed: Callable[[CursorPosition], None]
    ) -> None:
        super().__init__(pressed)
        self._placed = placed

    def reset(self, request: bool = False) -> None:
        self._sequences = Sequences()

    def feed(self, data: str) -> None:
        for unit in self._sequences.feed(data, monotonic()):
            self._tell(unit)

    def flush(self) -> None:
        for unit in self._sequences.flush(monotonic()):
            self._tell(unit)

    def _tell(self, unit: str) -> None:
        if (where := place(unit)) is not None:
            self._placed(where)
        elif (key := name(unit)) is not None:
            self.feed_key_callback(KeyPress(_KEYS.get(key, key), unit))
        elif is_mouse(unit):
            self.feed_key_callback(KeyPress(Keys.Vt100MouseEvent, unit))
        elif (text := pasted(unit)) is not None:
            self.feed_key_callback(KeyPress(Keys.BracketedPaste, text))
