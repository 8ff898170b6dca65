"""The game stands still and goes on: nobody is first by that (C3, C4), and each stop is written down with whose it was."""

import os
from collections.abc import Callable
from math import sqrt

import pytest
from support.restarts import restored
from support.simulator import World, seeds
from support.stopping import Firsts, Stopping, Way

from spitnet.core.moves import Concede, Deal, Move, Ready
from spitnet.core.state import Settings
from spitnet.protocol.entries import Answered, Done, Proposed, Record, Stop
from spitnet.protocol.faults import Fault
from spitnet.protocol.lockstep import Send, Write
from spitnet.protocol.messages import Bye, Commit, Farewell, Message, Ping, Pong, Resume, encode
from spitnet.protocol.notices import StopEnded
from spitnet.protocol.session import Session
from spitnet.protocol.timeouts import REPLY_DEADLINE_S

ID = b"s" * 32
MATCHES = 12


def session(seat: int) -> Session:
    return Session(seat, ID, Settings(), os.urandom, 0.0)


class Talk:
    """Two sessions, and what they have written; frames are passed by hand."""

    def __init__(self) -> None:
        self.sides = [session(0), session(1)]
        self.records: tuple[list[Record], list[Record]] = ([], [])

    def said(self, seat: int) -> list[Message]:
        """What a side says now."""
        messages: list[Message] = []
        for effect in self.sides[seat].take_effects():
            match effect:
                case Send(message):
                    messages.append(message)
                case Write(record):
                    self.records[seat].append(record)
        return messages

    def hear(self, seat: int, *messages: Message, now_s: float = 0.0) -> None:
        for message in messages:
            self.sides[seat].receive(encode(message), now_s)

    def settle(self, now_s: float = 0.0) -> None:
        """Passes frames until nothing is left."""
        for _ in range(30):
            first, second = self.said(0), self.said(1)
            if not first and not second:
                return
            self.hear(1, *first, now_s=now_s)
            self.hear(0, *second, now_s=now_s)
        raise AssertionError("they never fall silent")

    def play(self, seat: int, move: Move) -> None:
        self.sides[seat].propose(move, 0.0)
        self.settle()

    def stops(self, seat: int) -> list[Stop]:
        return [record for record in self.records[seat] if isinstance(record, Stop)]


def dealt() -> Talk:
    talk = Talk()
    talk.play(0, Deal())
    return talk


# Who is first at the thaw.


def while_frozen(host: Session) -> None:
    host.link_down(0.0)
    host.propose(Ready(), 0.0)


def in_place_of_another(host: Session) -> None:
    host.link_down(0.0)
    host.propose(Concede(), 0.0)
    host.propose(Ready(), 0.0)


def before_freezing_anew(host: Session) -> None:
    host.link_down(0.0)
    host.link_up(0.1)
    host.propose(Ready(), 0.2)
    host.link_down(0.3)


@pytest.mark.parametrize("pressed", [while_frozen, in_place_of_another, before_freezing_anew])
def test_a_key_crosses_what_the_thaw_brings(pressed: Callable[[Session], None]) -> None:
    """C3: the RESUME that ends the stop has the peer's COMMIT in it, and neither knew of the other."""
    talk = dealt()
    host, joiner = talk.sides
    pressed(host)
    joiner.propose(Ready(), 0.0)
    talk.said(1)  # nobody hears it
    talk.said(0)
    host.link_up(1.0)
    talk.settle(1.0)
    assert (host.beat, joiner.beat) == (2, 2)
    (mine, *_) = [r for r in talk.records[0] if isinstance(r, Proposed) and r.beat == 2]
    assert mine.mine.move != b"\0"
    (done,) = [r for r in talk.records[0] if isinstance(r, Done) and r.beat == 2]
    assert [opening.move for opening in done.openings] == [b"\2", b"\2"]


def test_a_key_is_judged_behind_the_beat_that_was_missing() -> None:
    """The RESUME brings the end of a beat and the COMMIT of the next: the key comes between them."""
    talk = dealt()
    host, joiner = talk.sides
    joiner.propose(Ready(), 0.0)
    talk.hear(0, *talk.said(1))
    talk.hear(1, *talk.said(0))
    talk.said(1)  # its REVEAL is lost
    host.link_down(0.0)
    host.propose(Ready(), 0.0)
    joiner.propose(Concede(), 0.0)
    talk.said(1)
    talk.said(0)
    host.link_up(1.0)
    talk.settle(1.0)
    (last,) = [r for r in talk.records[0] if isinstance(r, Done) and r.beat == 3]
    assert [opening.move for opening in last.openings] == [b"\2", b"\6"]


def test_a_key_that_fits_no_more_lets_the_peer_go_first() -> None:
    talk = dealt()
    host, joiner = talk.sides
    host.link_down(0.0)
    host.propose(Deal(), 0.0)
    joiner.propose(Ready(), 0.0)
    talk.said(1)
    talk.said(0)
    host.link_up(1.0)
    talk.settle(1.0)
    assert host.waiting is None
    (answer,) = [r for r in talk.records[0] if isinstance(r, Answered) and r.beat == 2]
    assert answer.mine.move == b"\0"


def test_a_lost_proposal_is_asked_for_before_another_is_made() -> None:
    """C9: without syncs a power cut may take `proposed`; a key at the thaw must not bind this side a second time."""
    talk = dealt()
    talk.sides[0].propose(Ready(), 0.0)
    talk.hear(1, *talk.said(0))
    talk.said(1)
    kept = [record for record in talk.records[0] if record.beat == 1]
    again = talk.sides[0] = restored(0, ID, Settings(), os.urandom, 0.0, kept, True)
    again.propose(Concede(), 0.0)
    again.link_up(0.0)
    (resume,) = talk.said(0)
    talk.hear(1, resume)
    talk.hear(0, *talk.said(1))
    assert not any(isinstance(message, Commit) for message in talk.said(0))
    assert again.ended is not None
    assert again.ended.how == "lost_records"


def test_an_opening_of_nothing_is_a_fault_whatever_waits() -> None:
    talk = dealt()
    host = talk.sides[0]
    host.link_down(0.0)
    host.propose(Ready(), 0.0)
    host.link_up(0.0)
    (asked,) = [message for message in talk.said(0) if isinstance(message, Resume)]
    lockstep = host.lockstep
    head = (lockstep.beat, lockstep.chain, lockstep.digest)
    opening = type(lockstep.past.mine)(b"\0", b"n" * 32) if lockstep.past else None
    talk.hear(0, Resume(ID, 1, None, asked.resume_id, *head, None, None, opening, None))
    assert host.ended is not None
    assert host.ended.word == Fault.UNASKED_OPENING.value


def stopped_by(way: Way, cheat: int) -> tuple[list[int], int]:
    """Of the states that such a seat stopped and both could play in: who was first, by seat; and how many crossed."""
    first, crossed = [0, 0], 0
    for seed in seeds(7, MATCHES):
        firsts = Firsts()
        match = Stopping(World(seed, impatience=0.3, limit_s=6000.0), firsts, cheat, way)
        match.run()
        assert all(side.ended is not None and side.ended.how == "over" for side in match.sessions)
        assert firsts.judge() == [], seed
        stops = [record for record in match.journals[1 - cheat] if isinstance(record, Stop)]
        assert len(stops) >= len(match.stopped) > 0
        for beat in set(match.stopped) & firsts.first.keys():
            first[firsts.first[beat]] += 1
            crossed += beat in firsts.crossed
    return first, crossed


@pytest.mark.parametrize("cheat", [0, 1])
@pytest.mark.parametrize("way", [Way.CUT, Way.CLAIM])
def test_stopping_the_game_buys_no_first_move(way: Way, cheat: int) -> None:
    """C4: the honest seat had pressed a key by then, so each is a crossing and the coin decides.

    Within four standard deviations; the seeds are fixed.
    """
    first, crossed = stopped_by(way, cheat)
    total = sum(first)
    assert total > 15 * MATCHES
    assert crossed == total
    assert abs(first[0] - total / 2) <= 4 * sqrt(total) / 2, first


@pytest.mark.parametrize("cheat", [0, 1])
def test_what_is_withheld_is_seen(cheat: int) -> None:
    """Who keeps the end of a beat back sees its cards first, which no order of frames can mend: each time is a stop and a
    slow reply in the record, and a key that still fits crosses (the oracle's C3).
    """
    stopped_by(Way.WITHHOLD, cheat)


# What is written of it.


STOPS_S = REPLY_DEADLINE_S


def breaks(talk: Talk) -> None:
    talk.sides[0].link_down(STOPS_S)


def is_back(talk: Talk) -> None:
    talk.sides[0].link_up(STOPS_S)


def claims_a_commit(talk: Talk) -> None:
    talk.hear(0, Ping(ID, 1, 1, proposed=True), now_s=STOPS_S)


def pauses(talk: Talk) -> None:
    talk.hear(0, Bye(ID, 1, Farewell.PAUSED, ""), now_s=STOPS_S)


def is_silent(talk: Talk) -> None:
    """Nothing at all comes from it: the link may be dead."""
    talk.sides[0].propose(Ready(), 0.0)
    talk.sides[0].poll(STOPS_S)


def keeps_waiting(talk: Talk) -> None:
    """It answers a PING that left behind this side's COMMIT, which so has come to it too."""
    host = talk.sides[0]
    host.propose(Ready(), 0.0)
    host.poll(1.0)
    (ping,) = [message for message in talk.said(0) if isinstance(message, Ping)]
    talk.hear(0, Pong(ID, ping.token, 1, proposed=False), now_s=1.1)
    host.poll(STOPS_S)


def restarts(talk: Talk) -> None:
    kept = talk.records[0]
    talk.sides[0] = restored(0, ID, Settings(), os.urandom, STOPS_S, kept, False)


CAUSES: dict[str, tuple[Callable[[Talk], None], int | None]] = {
    "a link that breaks": (breaks, None),
    "a link that is made anew": (is_back, None),
    "a frame that the peer says was lost": (claims_a_commit, 1),
    "the peer has left": (pauses, 1),
    "silence": (is_silent, None),
    "an answer that is owed by a peer that is there": (keeps_waiting, 1),
    "a restart of one's own": (restarts, 0),
}


@pytest.mark.parametrize("cause", CAUSES)
def test_each_stop_is_written_with_whose_it_was(cause: str) -> None:
    """Once, when it is over, with its length from the first freezing on."""
    stop, whose = CAUSES[cause]
    talk = dealt()
    talk.said(0)
    stop(talk)
    host = talk.sides[0]  # another after a restart
    talk.said(0)
    host.link_down(STOPS_S + 0.5)
    host.link_up(STOPS_S + 1)
    assert talk.stops(0) == []
    talk.settle(STOPS_S + 2.345)
    assert not host.frozen
    assert talk.stops(0) == [Stop(2, whose, 2345)]
    assert [notice.stop for notice in host.take_notices() if isinstance(notice, StopEnded)] == (
        talk.stops(0)
    )
    assert host.stops.count == 1


def test_stops_are_counted_on_after_a_restart() -> None:
    talk = dealt()
    breaks(talk)
    talk.sides[0].link_up(1.0)
    talk.settle(1.0)
    restarts(talk)
    assert talk.sides[0].stops.count == 1
    talk.sides[0].link_up(STOPS_S)
    talk.settle(STOPS_S)
    assert talk.sides[0].stops.count == 2


def test_nothing_stops_once_it_is_decided() -> None:
    talk = dealt()
    talk.sides[1].propose(Concede(), 0.0)
    talk.hear(0, *talk.said(1))
    talk.hear(1, *talk.said(0))
    talk.hear(0, *talk.said(1))
    assert talk.sides[0].match.over
    breaks(talk)
    talk.sides[0].link_up(1.0)
    talk.settle(1.0)
    assert talk.stops(0) == []


def test_no_broken_link_ends_a_match() -> None:
    """However often: which side's doing it is can't be told, and bad Wi-Fi must lose nobody a match."""
    talk = dealt()
    for number in range(500):
        now_s = number / 10
        talk.sides[0].link_down(now_s)
        talk.sides[0].link_up(now_s)
        talk.settle(now_s)
    assert talk.sides[0].ended is None
    assert len(talk.stops(0)) == 500
