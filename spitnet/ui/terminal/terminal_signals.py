"""Signals while a screen is up: asked to leave, told to end, stopped and woken.

What belongs here: which signal means what, and putting back what was set before. What must not: screens.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum, auto
from types import FrameType
from typing import Final

from spitnet.ui.terminal.capabilities import Interrupted


class SignalSource(Enum):
    """What a signal asks for."""

    LEAVE = auto()
    """As Ctrl-C: ask whether to leave."""
    END = auto()
    """Close at once, conceding nothing. Source: R22."""
    WOKEN = auto()
    """Stopped and continued: somebody else has used the terminal meanwhile."""


_MEANING: Final = {
    "SIGINT": SignalSource.LEAVE,
    "SIGTERM": SignalSource.END,
    "SIGHUP": SignalSource.END,
    "SIGBREAK": SignalSource.END,
    "SIGCONT": SignalSource.WOKEN,
}
_HANG_UP: Final = "SIGHUP"
_IGNORED: Final = ("SIGTSTP",)
"""A game that the other side plays on with can't be put to sleep."""


@contextmanager
def signs(tell: Callable[[SignalSource], None]) -> Iterator[None]:
    """While entered, `tell` hears of signals, between two steps of the main thread; it must not block.

    Whoever is told to end a second time gets `Interrupted` raised in the midst of things: it has hung. Elsewhere
    than in the main thread nothing is changed. Where that or a terminal that went away ends it, hanging up is ignored
    from then on: the kernel and the shell may both still say so, and the run has its goodbye to say.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    told: set[SignalSource] = set()

    def handle(number: int, _: FrameType | None) -> None:
        sign = _MEANING[signal.Signals(number).name]
        if sign is SignalSource.END and sign in told:
            raise Interrupted
        told.add(sign)
        tell(sign)

    before = {
        name: signal.signal(number, handle if name in _MEANING else signal.SIG_IGN)
        for name in (*_MEANING, *_IGNORED)
        if (number := getattr(signal, name, None)) is not None
    }
    try:
        yield
    except Interrupted:
        if _HANG_UP in before:
            before[_HANG_UP] = signal.SIG_IGN
        raise
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)
