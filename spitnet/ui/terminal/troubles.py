"""Errors that a screen survives: one entry in the log and one line for the person, however often they come.

What belongs here: telling of an error once. What must not: deciding what goes on after it.
"""

import logging
from collections.abc import Callable
from traceback import extract_tb
from typing import Final

from spitnet.language import gettext
from spitnet.ui.terminal.capabilities import Interrupted

_log: Final = logging.getLogger(__name__)
_log.addHandler(logging.NullHandler())  # else, without a log, logging would write on the screen


class Troubles:
    """`tell` is told the line, in words."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._known: set[tuple[object, ...]] = set()

    def add(self, error: BaseException) -> None:
        """Tells of an error, unless the same one has come before from the same place.

        That somebody insists on the end is none: the screen was told to end before, and does.
        """
        if isinstance(error, Interrupted):
            return
        where = [(frame.filename, frame.lineno) for frame in extract_tb(error.__traceback__)[-1:]]
        known = (type(error), *where)
        if known in self._known:
            return
        self._known.add(known)
        _log.error("survived", exc_info=error)
        try:
            self._tell(_line(error))
        except Exception as second:  # noqa: BLE001 - whoever shows the line may be what is broken
            _log.error("could not tell of it", exc_info=second)


def _line(error: BaseException) -> str:
    text = gettext("Something went wrong here ({error}); the game goes on.")
    return text.format(error=type(error).__name__)
