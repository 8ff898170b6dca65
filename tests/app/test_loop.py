"""The one blocking wait: what ends it, and what it says of that; and looking without sleeping."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
import zmq

from spitnet.app.clock import monotonic
from spitnet.app.loop import Loop, comes, zmq_context
from spitnet.net.socket_options import Socket

FOR_EVER_S = 3600.0


@dataclass
class Ends:
    """A source, and the far end of its socket."""

    near: Socket
    far: Socket
    due_s: float | None = None

    @property
    def sockets(self) -> tuple[object, ...]:
        return (self.near,)

    def next_deadline_s(self) -> float | None:
        return self.due_s


@pytest.fixture
def sources() -> Iterator[tuple[Ends, Ends]]:
    with zmq_context() as context:

        def ends(name: str) -> Ends:
            made = Ends(context.socket(zmq.PAIR), context.socket(zmq.PAIR))
            made.near.bind(f"inproc://{name}")
            made.far.connect(f"inproc://{name}")
            return made

        yield ends("first"), ends("other")


@pytest.mark.parametrize("which", [0, 1])
def test_it_ends_when_something_comes(sources: tuple[Ends, Ends], which: int) -> None:
    waiter, now_s = Loop(), monotonic()
    for _ in range(3):
        sources[which].far.send(b"frame")
        assert waiter.wait(sources, None, now_s) is bool(which)
        sources[which].near.recv()


def test_it_ends_when_something_is_due(sources: tuple[Ends, Ends]) -> None:
    waiter, now_s = Loop(), monotonic()
    assert waiter.wait(sources, now_s, now_s)
    sources[1].due_s = now_s
    assert waiter.wait(sources, None, now_s)


@pytest.mark.skipif(sys.platform == "win32", reason="it doesn't look there, but sleeps at once")
def test_what_comes_is_seen_without_sleeping() -> None:
    looks = iter((False, False, True))
    assert comes(lambda: next(looks), monotonic() + FOR_EVER_S)
    assert next(looks, None) is None


def test_it_looks_no_longer_than_it_is_to() -> None:
    until_s = monotonic() + 0.01
    assert not comes(lambda: False, until_s)
    assert monotonic() >= until_s
