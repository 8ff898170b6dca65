"""Resynchronisation by hand: what one frame of state does, and what a lost one leaves behind. C6, C9."""

import os
from collections.abc import Callable

import pytest
from support.restarts import restored

from spitnet.core.moves import Deal, Ready
from spitnet.core.state import Settings
from spitnet.protocol.entries import Done, Record
from spitnet.protocol.lockstep import Send, Write
from spitnet.protocol.messages import Accept, Resume, Reveal, Start, decode, encode
from spitnet.protocol.notices import Completed
from spitnet.protocol.session import Session
from spitnet.protocol.timeouts import REPLY_DEADLINE_S

ID = b"s" * 32


class Side:
    """A session with its journal; frames are passed by hand."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.session = Session(seat, ID, Settings(), os.urandom, 0.0)
        self.journal: list[Record] = []

    def take(self) -> list[bytes]:
        """The frames that the session sends now; what it writes is written."""
        frames = []
        for effect in self.session.take_effects():
            match effect:
                case Write(record, _):
                    self.journal.append(record)
                case Send(message):
                    frames.append(encode(message))
        return frames

    def hear(self, *frames: bytes, now_s: float = 0.0) -> list[bytes]:
        for frame in frames:
            self.session.receive(frame, now_s)
        return self.take()

    def restart(self, lost: int = 0, may_have_lost: bool = False) -> list[bytes]:
        """A new process with the journal as it lies on the disk, `lost` records short."""
        self.journal = self.journal[: len(self.journal) - lost]
        self.session = restored(
            self.seat, ID, Settings(), os.urandom, 0.0, self.journal, may_have_lost
        )
        self.session.link_up(0.0)
        return self.take()


def pair() -> tuple[Side, Side]:
    return Side(0), Side(1)


def talk(one: Side, two: Side, frames: list[bytes]) -> None:
    """Passes `frames` of the first side to the second, and all that follows, until both are silent."""
    for _ in range(20):
        if not frames:
            return
        one, two, frames = two, one, two.hear(*frames)
    raise AssertionError("they never fall silent")


def told(side: Side) -> list[Completed]:
    return [notice for notice in side.session.take_notices() if isinstance(notice, Completed)]


def assert_together(one: Side, two: Side, beat: int) -> None:
    for side in (one, two):
        assert side.session.ended is None, side.session.ended
        assert not side.session.frozen
        assert side.session.beat == beat
    assert one.session.match == two.session.match


def test_a_lost_commit_comes_again() -> None:
    host, joiner = pair()
    host.session.propose(Deal(), 0.0)
    host.take()
    host.session.poll(REPLY_DEADLINE_S)
    talk(host, joiner, host.take())
    assert_together(host, joiner, 1)


def test_a_lost_last_reveal_comes_again() -> None:
    """The peer has completed the beat and says so in its RESUME."""
    host, joiner = pair()
    host.session.propose(Deal(), 0.0)
    answer = joiner.hear(*host.take())
    host.hear(*answer)
    assert (host.session.beat, joiner.session.beat) == (1, 0)
    joiner.session.poll(REPLY_DEADLINE_S)
    talk(joiner, host, joiner.take())
    assert_together(host, joiner, 1)


@pytest.mark.parametrize("lost", [0, 1])
def test_a_restart_goes_on(lost: int) -> None:
    """With its `done` on the disk, and where a power cut took it: a pass of the peer's is then all it lacks."""
    host, joiner = pair()
    host.session.propose(Deal(), 0.0)
    last = host.hear(*joiner.hear(*host.take()))
    joiner.hear(*last)
    assert isinstance(host.journal[-1], Done)
    talk(host, joiner, host.restart(lost))
    assert_together(host, joiner, 1)


@pytest.mark.parametrize("may_have_lost", [False, True])
def test_a_past_that_was_never_written_is_not_adopted(may_have_lost: bool) -> None:
    """C9: on the peer's word alone nothing is taken; whose fault it is depends on what syncs promise."""
    host, joiner = pair()
    host.session.propose(Deal(), 0.0)
    joiner.hear(*host.hear(*joiner.hear(*host.take())))
    talk(host, joiner, host.restart(lost=2, may_have_lost=may_have_lost))
    ended = host.session.ended
    assert ended is not None
    assert (ended.how, ended.word) == (
        ("lost_records", "") if may_have_lost else ("violation", "invented_past")
    )
    assert joiner.session.ended is not None
    assert joiner.session.ended.how == ("lost_records" if may_have_lost else "accused")


@pytest.mark.parametrize("stale", [0, 1, 2])
def test_stale_resumes_change_nothing(stale: int) -> None:
    host, joiner = pair()
    old: list[bytes] = []
    for move in (Deal(), Ready()):
        old.append(resume_of(host))
        host.session.propose(move, 0.0)
        joiner.hear(*host.hear(*joiner.hear(*host.take())))
    old.append(resume_of(host))
    before = (joiner.session.beat, joiner.session.match)
    answers = joiner.hear(old[stale], old[stale])
    assert len(answers) == 2
    assert (joiner.session.beat, joiner.session.match) == before
    assert joiner.session.ended is None


def resume_of(side: Side) -> bytes:
    """A RESUME that asks, as this side would send it now."""
    lockstep = side.session.lockstep
    return encode(
        Resume(
            ID,
            side.seat,
            os.urandom(16),
            None,
            lockstep.beat,
            lockstep.chain,
            lockstep.digest,
            None if lockstep.past is None else lockstep.past.mine,
            lockstep.open.commit,
            None,
            lockstep.open.theirs,
        )
    )


def test_frozen_peers_discard_commit_and_reveal() -> None:
    host, joiner = pair()
    host.session.propose(Deal(), 0.0)
    (commit,) = host.take()
    joiner.session.link_down(0.0)
    assert joiner.hear(commit) == []
    joiner.session.link_up(0.1)
    talk(joiner, host, joiner.take())
    assert_together(host, joiner, 1)


def test_a_key_pressed_while_frozen_is_proposed_at_the_thaw() -> None:
    """C6: as soon as both hold the same beats."""
    host, joiner = pair()
    joiner.session.link_down(0.0)
    joiner.session.propose(Deal(), 0.0)
    assert joiner.take() == []
    joiner.session.link_up(0.1)
    talk(joiner, host, joiner.take())
    assert_together(host, joiner, 1)
    assert told(joiner)[0].moves == (None, Deal())


def test_a_repeated_accept_gets_the_hosts_own_start() -> None:
    """A lost START must not cost the seat, with a code or without."""
    start = Start(ID, b"h" * 32)
    host = Session(0, ID, Settings(), os.urandom, 0.0, start=start)
    host.receive(encode(Accept(ID, b"j" * 32)), 0.1)
    assert host.take_effects() == (Send(start),)


@pytest.mark.parametrize("order", [reversed, list])
def test_two_rematches_do_not_answer_each_other(order: Callable[[list[int]], list[int]]) -> None:
    """Repeats that crossed the answer fall silent."""
    from support.rematches import asked

    from spitnet.protocol.rematch import RematchTalk

    talks = [RematchTalk(b"f" * 32, seat, os.urandom) for seat in (0, 1)]
    said = [asked(each) for each in talks]
    for seat in order([0, 1]):
        talks[1 - seat].take(said[seat])
    sides = list(pair())
    for side, rematch in zip(sides, talks, strict=True):
        assert rematch.agreed is not None
        side.session = Session(
            side.seat, rematch.agreed, Settings(), os.urandom, 0.0, before=rematch.mine
        )
    sides[0].session.propose(Deal(), 0.0)
    commit = sides[0].take()
    again = encode(said[0])
    talk(sides[0], sides[1], [again, *commit, again])
    assert_together(sides[0], sides[1], 1)


def test_a_reveal_whose_commit_was_lost_is_no_fault() -> None:
    """The peer revealed its move, so its COMMIT must have been sent: resynchronise."""
    host, joiner = pair()
    host.session.propose(Deal(), 0.0)
    joiner.session.propose(Deal(), 0.0)
    commits = host.take(), joiner.take()
    (reveal,) = joiner.hear(*commits[0])
    assert isinstance(decode(reveal), Reveal)
    assert host.hear(reveal) != []
    assert host.session.frozen
    talk(host, joiner, host.take() or _again(host))
    assert_together(host, joiner, 1)


def _again(side: Side) -> list[bytes]:
    """Its RESUME once more, as its timer sends it."""
    side.session.poll(1.5)
    return side.take()
