"""The one blocking wait: what ends it, and what it says of that; whether it sleeps at once or looks for a while first."""

from collections.abc import Iterator
from dataclasses import dataclass
from time import monotonic

import pytest
import zmq

from spitnet.net.options import Socket
from spitnet.runtime.waiting import Waiter, zmq_context

FOR_EVER_S = 3600.0
AWAKE = pytest.mark.parametrize("awake_s", [0.0, FOR_EVER_S])


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


@AWAKE
@pytest.mark.parametrize("which", [0, 1])
def test_it_ends_when_something_comes(
    sources: tuple[Ends, Ends], awake_s: float, which: int
) -> None:
    waiter, now_s = Waiter(), monotonic()
    for _ in range(3):
        sources[which].far.send(b"frame")
        assert waiter.wait(sources, None, now_s, awake_s) is bool(which)
        sources[which].near.recv()


@AWAKE
def test_it_ends_when_something_is_due(sources: tuple[Ends, Ends], awake_s: float) -> None:
    waiter, now_s = Waiter(), monotonic()
    assert waiter.wait(sources, now_s, now_s, awake_s)
    sources[1].due_s = now_s
    assert waiter.wait(sources, None, now_s, awake_s)


def test_it_sleeps_after_it_has_looked_for_nothing(sources: tuple[Ends, Ends]) -> None:
    now_s = monotonic()
    assert Waiter().wait(sources, now_s + 0.02, now_s, awake_s=0.01)
    assert monotonic() >= now_s + 0.02
