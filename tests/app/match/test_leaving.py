"""Leaving a table: nobody is waited for who has left, and the person's terminal is theirs before the last goodbyes."""

import os
from types import SimpleNamespace
from typing import Any, cast

import pytest

from spitnet.app.console.desk import Desk
from spitnet.app.loop import LINGER_MS
from spitnet.app.match.match_loop import MatchLoop
from spitnet.app.match.series import MatchSeries
from spitnet.app.options import PlayOptions
from spitnet.app.seat.open_table import SeatedLink
from spitnet.core.moves import Leave
from spitnet.core.state import Settings
from spitnet.net.host_link import HostLink
from spitnet.net.link import Down, LinkEvent, Received, Up
from spitnet.protocol.entries import Ended, Ending
from spitnet.protocol.lockstep import Send
from spitnet.protocol.messages import Bye, Farewell, decode, encode
from spitnet.protocol.notices import Ahead, Notice
from spitnet.protocol.rematch import Prospect
from spitnet.protocol.session import Session
from spitnet.ui.pages.lobby_pages import KnockingPage

KEY = bytes(32)
AGES_MS = 10_000_000
"""Whoever waits so long waits until the test is given up."""


class Told:
    """A host's link that tells of these things, one at a time, and of nothing more."""

    sockets = ()

    def __init__(self, *events: LinkEvent) -> None:
        self._events = list(events)
        self.lingered_ms: int | None = None

    def next_deadline_s(self) -> float | None:
        return None

    def seat(self, key: bytes) -> None:
        assert key == KEY

    def events(self, _now_s: float, _most: int) -> list[LinkEvent]:
        return [self._events.pop(0)] if self._events else []

    def close(self, linger_ms: int) -> None:
        self.lingered_ms = linger_ms


@pytest.mark.parametrize(
    ("is_up", "before", "after"),
    [
        (True, [Down(KEY)], []),
        (True, [Down(KEY), Up(KEY), Down(KEY)], []),
        (True, [Down(KEY), Up(KEY)], [Received(KEY, b""), Down(KEY)]),
        (True, [], [Received(KEY, b""), Down(KEY)]),
        (False, [], []),
        (False, [Up(KEY)], [Down(KEY)]),
    ],
)
def test_a_host_waits_for_a_joiner_that_is_still_there(
    is_up: bool, before: list[LinkEvent], after: list[LinkEvent]
) -> None:
    """Until it goes; one that went while the match was played is not waited for."""
    told = Told(*before, *after)
    link = SeatedLink(cast(HostLink, told), KEY, is_up=is_up)
    for event in before:
        assert link.events(0.0) == [event]
    link.close(AGES_MS)
    assert (told.lingered_ms, told.events(0.0, 1)) == (AGES_MS, [])


def test_a_joiner_that_stays_is_waited_for_a_moment_only() -> None:
    told = Told()
    SeatedLink(cast(HostLink, told), KEY, is_up=True).close(1)
    assert told.lingered_ms == 1


def over() -> tuple[Session, list[bytes]]:
    """A host whose match its joiner has left, ended, and all that came of the joiner since the last beat began."""
    host, joiner = (Session(seat, KEY, Settings(), os.urandom, 0.0) for seat in (0, 1))
    joiner.propose(Leave(), 0.0)
    said: list[bytes] = []
    for _ in range(4):
        said += (frames := sent(joiner))
        for frame in frames:
            host.receive(frame, 0.0)
        for frame in sent(host):
            joiner.receive(frame, 0.0)
    assert host.ended == joiner.ended == Ended(1, Ending.OVER, None, "")
    joiner.leave()
    return host, [*said, *sent(joiner)]


def sent(side: Session) -> list[bytes]:
    return [encode(one.message) for one in side.take_effects() if isinstance(one, Send)]


class Quiet:
    """Stands for all that a match needs and that says nothing; wants out once the link has told everything."""

    sockets = ()
    due_s = None
    path = "nowhere"

    def __init__(self, link: "Batch") -> None:
        self._link = link
        self.told: list[Notice] = []

    def next_deadline_s(self) -> float:
        return 0.0

    @property
    def wants_out(self) -> bool:
        return not self._link.batch

    def tell(self, notice: Notice, session: Session) -> None:
        self.told.append(notice)

    def append(self, *_: object) -> None: ...
    def look(self, *_: object) -> None: ...
    def step(self, *_: object) -> None: ...
    def carry_out(self, *_: object) -> None: ...


class Batch:
    """A link by which all of this comes at once."""

    sockets = ()
    round_trip_s = None

    def __init__(self, *batch: LinkEvent) -> None:
        self.batch = list(batch)

    def next_deadline_s(self) -> float:
        return 0.0

    def has_frame(self) -> bool:
        return bool(self.batch)

    def send(self, frame: bytes, wait_ms: int = 0) -> bool:
        return True

    def events(self, now_s: float, most: int = 64) -> list[LinkEvent]:
        taken, self.batch = self.batch[:most], self.batch[most:]
        return taken

    def close(self, linger_ms: int) -> None: ...


def played(link: Batch, session: Session, *, stays: bool = True) -> list[Notice]:
    """What a person at this session is told until the link has told everything."""
    quiet = cast(Any, Quiet(link))
    MatchLoop(
        session=session,
        link=link,
        journal=quiet,
        player=quiet,
        watcher=quiet,
        companion=cast(Any, SimpleNamespace(**BATCHED, tell=lambda *_: None)),
        orders=quiet,
        claims=False,
        stays=lambda one: stays and one.agreed is None,
    ).run()
    told: list[Notice] = quiet.told
    return told


BATCHED: dict[str, Any] = {
    "sockets": (),
    "next_deadline_s": lambda: 0.0,
    "step": lambda *_: None,
}


@pytest.mark.parametrize("goes", [True, False], ids=["goodbye", "break alone"])
def test_whoever_leaves_with_the_last_beat_has_left(goes: bool) -> None:
    """The last beat, the farewell, the goodbye and the end of the connection are all there when this side looks."""
    _, said = over()
    fresh = Session(0, KEY, Settings(), os.urandom, 0.0)
    frames = said if goes else said[:-1]
    told = played(Batch(*(Received(KEY, frame) for frame in frames), Down(KEY)), fresh)
    assert isinstance(told[-1], Ahead)
    assert told[-1].prospect is (Prospect.LEFT if goes else Prospect.AWAY)


def test_what_comes_behind_the_end_is_for_whoever_comes_next() -> None:
    """A program leaves when the match has ended: by then nothing more was taken from the link."""
    _, said = over()
    fresh = Session(0, KEY, Settings(), os.urandom, 0.0)
    link = Batch(*(Received(KEY, frame) for frame in said), Down(KEY))
    played(link, fresh, stays=False)
    assert link.batch == [Received(KEY, said[-1]), Down(KEY)]


def test_the_screen_has_gone_before_the_link_is_closed() -> None:
    """Whatever is typed while the goodbye is on its way is the shell's."""
    desk = Desk(KnockingPage("Ana", 0.0))
    said: list[Any] = []

    def close(linger_ms: int) -> None:
        assert desk.over
        said.append(linger_ms)

    def send(frame: bytes, wait_ms: int) -> None:
        said.append((decode(frame), wait_ms))

    link = SimpleNamespace(send=send, close=close)
    host, ended = over()[0], Ended(1, Ending.OVER, None, "")
    match = SimpleNamespace(session=host)
    sitting = MatchSeries(cast(Any, match), cast(Any, link), cast(Any, None), PlayOptions(), desk)
    sitting._leave(cast(Any, match), ended)
    desk.inbox.close()
    assert said == [(Bye(host.id, host.beat, Farewell.PAUSED, ""), LINGER_MS), LINGER_MS]
