"""One blocking wait over everything that a run listens to: ZeroMQ sockets, UDP sockets, signals, a clock."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, Protocol

import zmq

from spitnet.app.clock import monotonic

_give_way: Final[Callable[[], None] | None] = getattr(os, "sched_yield", None)
"""Lets other threads have this processor for a moment, ZeroMQ's own above all. Windows has nothing of the kind."""


class Source(Protocol):
    """Something with sockets to poll and, perhaps, a time by which to look at it again."""

    @property
    def sockets(self) -> tuple[object, ...]: ...

    def next_deadline_s(self) -> float | None: ...


LINGER_MS = 500
"""How long a last frame may take to leave."""


@contextmanager
def zmq_context() -> Iterator[zmq.Context[zmq.Socket[bytes]]]:
    """A ZeroMQ context that is ended within a bounded time, whatever was left open in it."""
    context = zmq.Context()
    try:
        yield context
    finally:
        context.destroy(linger=LINGER_MS)


def comes(there: Callable[[], bool], until_s: float) -> bool:
    """Looks, again and again, for something that is likely to be there at once; whether it was by then.

    For what comes sooner than one is woken up. Where a processor can't be given away meanwhile, it doesn't look at all.
    """
    while _give_way is not None and monotonic() < until_s:
        if there():
            return True
        _give_way()
    return False


class Loop:
    """Waits until one of its sources may have something; what, the sources find out themselves."""

    def __init__(self) -> None:
        self._registered: tuple[object, ...] = ()
        self._poller = zmq.Poller()

    def wait(self, sources: tuple[Source, ...], until_s: float | None, now_s: float) -> bool:
        """Returns when a socket is readable or at the earliest of the deadlines, all on the caller's clock.

        Returns:
            Whether it can have been for anything but the first source.
        """
        deadlines = [source.next_deadline_s() for source in sources]
        due_s = min((at for at in (*deadlines, until_s) if at is not None), default=None)
        timeout_ms = None if due_s is None else max(0, round((due_s - now_s) * 1000 + 0.5))
        self._register(tuple(one for source in sources for one in source.sockets))
        ready = self._poller.poll(timeout_ms)
        first = sources[0].sockets
        return not ready or any(one not in first for one, _ in ready)

    def _register(self, sockets: tuple[Any, ...]) -> None:
        if sockets == self._registered:
            return
        self._poller = zmq.Poller()
        for one in sockets:
            self._poller.register(one, zmq.POLLIN)
        self._registered = sockets
