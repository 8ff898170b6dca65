"""Signals as a thing to poll for: asked to stop, a run leaves at its next step instead of in mid-write.

And keeping them from a process of one's own, which hears from this one when to go.
"""

import signal
import socket
import subprocess
from types import FrameType, TracebackType
from typing import Final, Self, TypedDict

from spitnet.protocol.session import Session

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")


class _Apart(TypedDict):
    start_new_session: bool
    creationflags: int


APART: Final = _Apart(
    start_new_session=True, creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
)
"""For `Popen`: keys that a terminal makes a signal of (Ctrl-C, Ctrl-Z), and its end, are for this process alone.

The first is for POSIX, the second for Windows; the other of the two is nothing to either.
"""


class StopSignal:
    """While this is entered, SIGINT, SIGTERM and SIGHUP set `wants_out` and wake whoever polls `sockets`."""

    def __init__(self) -> None:
        self.wants_out = False
        self._woken, self._waker = socket.socketpair()
        self._before: dict[signal.Signals, object] = {}
        self._fd_before = -1

    @property
    def sockets(self) -> tuple[object, ...]:
        return (self._woken,)

    def next_deadline_s(self) -> float | None:
        return None

    def carry_out(self, session: Session, now_s: float) -> None:
        """A signal wants nothing of a match but to leave it."""

    def __enter__(self) -> Self:
        for end in (self._woken, self._waker):
            end.setblocking(False)
        self._fd_before = signal.set_wakeup_fd(self._waker.fileno(), warn_on_full_buffer=False)
        for name in _NAMES:
            if hasattr(signal, name):
                number = getattr(signal, name)
                self._before[number] = signal.signal(number, self._stop)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]
        signal.set_wakeup_fd(self._fd_before)
        self._woken.close()
        self._waker.close()

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.wants_out = True
