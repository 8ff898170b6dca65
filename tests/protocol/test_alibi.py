"""R22: what this side's own clock makes of a claim of the peer's, in every case that it can tell apart."""

import os
from collections.abc import Callable

import pytest
from support.restarts import restored

from spitnet.core.moves import Concede, Deal, Ready
from spitnet.core.state import Settings
from spitnet.protocol.entries import FALSE_CLAIM, Ended, Record
from spitnet.protocol.lockstep import Send, Write
from spitnet.protocol.messages import Bye, Farewell, Message, Ping, Pong, encode
from spitnet.protocol.session import Session

ID = b"s" * 32
GRACE_S = 20
SETTINGS = Settings(grace_s=GRACE_S)
STEP_S = 0.5


class Table:
    """A host whose program runs unless it `sleeps`, and a joiner that is there, at one time."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.host = Session(0, ID, SETTINGS, os.urandom, 0.0)
        self.joiner = Session(1, ID, SETTINGS, os.urandom, 0.0)
        self.journal: list[Record] = []
        self.host.propose(Deal(), 0.0)
        self.exchange()

    def exchange(self) -> None:
        """Frames in both directions until nothing is left."""
        while (first := self.sent(self.host)) + (second := self.sent(self.joiner)):
            for message in first:
                self.joiner.receive(encode(message), self.now_s)
            for message in second:
                self.host.receive(encode(message), self.now_s)

    def sent(self, side: Session) -> list[Message]:
        effects = side.take_effects()
        if side is self.host:
            self.journal += [one.record for one in effects if isinstance(one, Write)]
        return [one.message for one in effects if isinstance(one, Send)]

    def pass_time(self, seconds: float, *, cut: bool = False) -> None:
        """Both programs run; `cut`: nothing gets through."""
        end_s = self.now_s + seconds
        while self.now_s < end_s:
            self.now_s += STEP_S
            self.host.poll(self.now_s)
            self.joiner.poll(self.now_s)
            if cut:
                self.sent(self.host), self.sent(self.joiner)
            else:
                self.exchange()

    def sleeps(self, seconds: float) -> None:
        """The host's program doesn't run; all that was sent meanwhile is there when it wakes."""
        end_s = self.now_s + seconds
        queued: list[Message] = []
        while self.now_s < end_s:
            self.now_s += STEP_S
            self.joiner.poll(self.now_s)
            queued += self.sent(self.joiner)
        for message in queued:
            self.host.receive(encode(message), self.now_s)

    def restart(self, away_s: float) -> None:
        """The host's process is another; nothing reached it for so long, as far as it knows."""
        self.host = restored(
            0, ID, SETTINGS, os.urandom, self.now_s, self.journal, False, away_s=away_s
        )

    def claimed(self, beat: int | None = None) -> str:
        """What a claim is taken for."""
        beat = self.joiner.beat if beat is None else beat
        self.host.receive(encode(Bye(ID, beat, Farewell.ABANDONED, "")), self.now_s)
        ended = self.host.ended
        assert ended is not None
        assert ended == Ended(
            self.host.beat, ended.how, 1, FALSE_CLAIM if ended.how == "left" else ""
        )
        return ended.how


LONG_S = GRACE_S + 1.0
SHORT_S = GRACE_S / 2


def owes(table: Table, for_s: float = 0.0) -> None:
    """The joiner is ready, and the host isn't."""
    table.joiner.propose(Ready(), table.now_s)
    table.exchange()
    table.pass_time(for_s)


def moves_late(table: Table) -> None:
    """The host has owed a move for long, and makes it now."""
    owes(table, LONG_S)
    table.host.propose(Ready(), table.now_s)
    table.exchange()


def wakes_and_is_heard(table: Table) -> None:
    """The host slept for long, and has been there for a while."""
    table.sleeps(LONG_S)
    table.exchange()
    table.pass_time(2.0)


def wakes_and_plays(table: Table) -> None:
    """The same, and a beat is complete since."""
    table.sleeps(LONG_S)
    table.exchange()
    table.joiner.link_up(table.now_s)
    table.exchange()
    owes(table)


def back_again(table: Table) -> None:
    """The host's program was killed, and has long been back."""
    table.restart(LONG_S)
    table.host.link_up(table.now_s)
    table.exchange()
    table.pass_time(2.0)


def sleeps_twice(table: Table) -> None:
    """Nothing that was said in between got through."""
    for _ in range(2):
        table.sleeps(SHORT_S + 1.0)


FALSE: dict[str, Callable[[Table], None]] = {
    "0 ms after a beat": lambda table: None,
    "within the grace period": lambda table: table.pass_time(SHORT_S),
    "neither has moved for long": lambda table: table.pass_time(LONG_S),
    "a link that was down for long": lambda table: table.pass_time(LONG_S, cut=True),
    "owing for a while": lambda table: owes(table, SHORT_S),
    "asleep for a while": lambda table: table.sleeps(SHORT_S),
    "awake again": wakes_and_is_heard,
    "awake again and playing": wakes_and_plays,
    "killed a moment ago": lambda table: table.restart(SHORT_S),
    "back again": back_again,
    "moved at last": moves_late,
}
TRUE: dict[str, Callable[[Table], None]] = {
    "owing for long": lambda table: owes(table, LONG_S),
    "asleep for long": lambda table: table.sleeps(LONG_S),
    "asleep twice": sleeps_twice,
    "killed long ago": lambda table: table.restart(LONG_S),
    "killed, nobody knows when": lambda table: table.restart(float("inf")),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_claim_that_cannot_be_true_is_leaving(name: str) -> None:
    table = Table()
    FALSE[name](table)
    assert table.claimed() == "left"


@pytest.mark.parametrize("name", TRUE)
def test_a_claim_that_can_be_true_is_one(name: str) -> None:
    table = Table()
    TRUE[name](table)
    assert table.claimed() == "claimed"


def test_a_claim_may_cross_the_move_that_was_waited_for() -> None:
    """The peer can't have known of the last beat, so it had waited long enough; had it known, it would lie."""
    table = Table()
    moves_late(table)
    assert table.claimed(table.host.beat - 1) == "claimed"


def test_nobody_is_waited_for_by_a_beat_that_hangs() -> None:
    """The peer has committed to something, was answered, and doesn't open it."""
    table = Table()
    table.joiner.propose(Concede(), table.now_s)
    for message in table.sent(table.joiner):
        table.host.receive(encode(message), table.now_s)
    table.pass_time(LONG_S, cut=True)
    assert table.claimed() == "left"


def test_an_answer_to_what_was_said_before_a_sleep_proves_nothing() -> None:
    """It comes out of the queue that filled meanwhile."""
    table = Table()
    table.pass_time(3.0)
    table.host.poll(table.now_s + 1.0)
    (ping,) = [one for one in table.sent(table.host) if isinstance(one, Ping)]
    table.sleeps(LONG_S)
    table.host.receive(encode(Pong(ID, ping.token, table.joiner.beat, False)), table.now_s)
    assert table.claimed() == "claimed"
