"""Leaving a table: nobody is waited for who has left, and the person's terminal is theirs before the last goodbyes."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from spitnet.app.console.desk import Desk
from spitnet.app.loop import LINGER_MS
from spitnet.app.match.series import MatchSeries
from spitnet.app.options import PlayOptions
from spitnet.app.seat.open_table import SeatedLink
from spitnet.net.host_link import HostLink
from spitnet.net.link import Down, LinkEvent, Received, Up
from spitnet.protocol.messages import Bye, Farewell, decode
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
    match = SimpleNamespace(session=SimpleNamespace(id=KEY))
    sitting = MatchSeries(cast(Any, match), cast(Any, link), cast(Any, None), PlayOptions(), desk)
    desk.inbox.wants_out = True
    sitting._leave(cast(Any, match), cast(Any, SimpleNamespace(close=lambda: None)), None)
    desk.inbox.close()
    assert said == [(Bye(KEY, 0, Farewell.PAUSED, ""), LINGER_MS), LINGER_MS]
