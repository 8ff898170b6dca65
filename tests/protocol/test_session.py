"""What a peer can't do to an honest side: starve it, spoil its record, accuse it, use up its patience."""

import os

import pytest
from support.restarts import restored

from spitnet.core.moves import Concede, Deal, Ready
from spitnet.core.state import Settings
from spitnet.protocol.entries import Done, Ended, Ending
from spitnet.protocol.faults import Fault, LocalError
from spitnet.protocol.lockstep import Send, Write
from spitnet.protocol.messages import (
    Bye,
    Commit,
    Farewell,
    Message,
    Ping,
    Rematch,
    Resume,
    decode,
    encode,
)
from spitnet.protocol.notices import AnswerOverdue, Claimable, PeerLost
from spitnet.protocol.peer_metrics import IDLE_FRAMES_MOST, STALLS_MOST
from spitnet.protocol.session import Session
from spitnet.protocol.time_bank import ANSWER_S
from spitnet.protocol.timeouts import FAREWELL_LEAST_S, REPLY_DEADLINE_S

ID = b"s" * 32
OTHER_ID = b"t" * 32


def session(seat: int = 0, grace_s: int = 60) -> Session:
    return Session(seat, ID, Settings(grace_s=grace_s), os.urandom, 0.0)


def sent(side: Session) -> list[Message]:
    return [effect.message for effect in side.take_effects() if isinstance(effect, Send)]


def written(side: Session) -> list[Write]:
    return [effect for effect in side.take_effects() if isinstance(effect, Write)]


def beat(one: Session, two: Session, now_s: float = 0.0) -> None:
    """Passes frames in both directions until nothing is left."""
    for _ in range(30):
        first, second = sent(one), sent(two)
        if not first and not second:
            return
        for message in first:
            two.receive(encode(message), now_s)
        for message in second:
            one.receive(encode(message), now_s)
    raise AssertionError("they never fall silent")


def decided() -> tuple[Session, list[Message]]:
    """A host whose match is won, and what it said since; the joiner's farewell hasn't come."""
    host, joiner = session(0), session(1)
    host.propose(Deal(), 0.0)
    beat(host, joiner)
    joiner.propose(Concede(), 0.0)
    for message in sent(joiner):
        host.receive(encode(message), 0.0)
    for message in sent(host):
        joiner.receive(encode(message), 0.0)
    (reveal, *_) = sent(joiner)
    host.receive(encode(reveal), 0.0)
    assert host.match.over
    return host, sent(host)


@pytest.mark.parametrize(
    "frame",
    [
        b"\xff",
        encode(Bye(ID, 2, Farewell.ABANDONED, "")),
        encode(Bye(ID, 2, Farewell.VIOLATION, "desync")),
        encode(Bye(ID, 2, Farewell.LOST_RECORDS, "")),
        encode(Bye(ID, 9, Farewell.OVER, "")),
        encode(Commit(ID, 3, 1, b"c" * 32, b"d" * 32, b"e" * 32)),
    ],
)
def test_nothing_changes_a_match_that_is_decided(frame: bytes) -> None:
    """The loser can't spoil the winner's record: it says `over`, whatever comes during the farewell."""
    host, _ = decided()
    host.receive(frame, 0.1)
    host.poll(FAREWELL_LEAST_S + 60.1)
    assert host.ended is not None
    assert (host.ended.how, host.ended.word) == ("over", "")


def test_the_last_beat_is_on_the_disk_before_anybody_leaves() -> None:
    """Once a match is decided the peer may be gone, so nobody could give back what a power cut takes."""
    host, joiner = session(0), session(1)
    host.propose(Deal(), 0.0)
    beat(host, joiner)
    host.propose(Concede(), 0.0)
    for message in sent(host):
        joiner.receive(encode(message), 0.0)
    (reveal,) = sent(joiner)
    host.receive(encode(reveal), 0.0)
    effects = host.take_effects()
    assert isinstance(effects[0], Write)
    assert isinstance(effects[0].record, Done)
    assert effects[0].durable
    host.receive(encode(Bye(ID, 2, Farewell.OVER, "")), 0.0)
    (end,) = [e for e in written(host) if isinstance(e.record, Ended)]
    assert end.durable


def test_leaving_in_the_farewell_is_no_pause() -> None:
    host, _ = decided()
    host.pause()
    assert host.ended is not None
    assert host.ended.how == "over"


@pytest.mark.parametrize(
    "message",
    [
        Commit(OTHER_ID, 1, 1, b"c" * 32, b"d" * 32, b"e" * 32),
        Resume(OTHER_ID, 1, b"i" * 16, None, 0, b"c" * 32, b"d" * 32, None, None, None, None),
        Bye(OTHER_ID, 1, Farewell.ABANDONED, ""),
        Rematch(OTHER_ID, b"n" * 32),
        Ping(OTHER_ID, 1, 0, False),
    ],
)
def test_frames_of_another_match_say_nothing(message: Message) -> None:
    """An older process with the same key may still be about; it must not cost the new match."""
    host = session(0)
    host.receive(encode(message), 0.0)
    assert host.ended is None
    assert sent(host) == []


def test_a_peer_that_only_resumes_starves_nobody() -> None:
    """C6: the key that waits is offered as soon as the beat is complete, before the next part of the RESUME."""
    host, joiner = session(0), session(1)
    host.propose(Deal(), 0.0)
    beat(host, joiner)
    joiner.propose(Ready(), 0.0)
    (commit,) = sent(joiner)
    host.receive(encode(commit), 0.0)
    host.propose(Ready(), 0.0)
    for message in sent(host):
        joiner.receive(encode(message), 0.0)
    sent(joiner)
    joiner.propose(Concede(), 0.0)
    sent(joiner)
    joiner.link_up(0.0)
    (resume,) = sent(joiner)
    assert isinstance(resume, Resume)
    assert resume.commit is not None
    host.receive(encode(resume), 0.0)
    assert host.waiting is None
    assert any(isinstance(message, Commit) for message in sent(host))


def test_a_peer_that_withholds_the_end_of_each_beat_gains_nothing() -> None:
    """C3, C6: frozen or not, the waiting key is offered before the peer's next COMMIT is looked at, so they cross."""
    host, joiner = session(0), session(1)
    host.propose(Deal(), 0.0)
    beat(host, joiner)
    joiner.propose(Ready(), 0.0)
    for message in sent(joiner):
        host.receive(encode(message), 0.0)
    for message in sent(host):
        joiner.receive(encode(message), 0.0)
    sent(joiner)
    host.propose(Ready(), 0.0)
    host.link_down(0.0)
    host.link_up(0.0)
    (asked,) = [message for message in sent(host) if isinstance(message, Resume)]
    joiner.propose(Concede(), 0.0)
    sent(joiner)
    joiner.receive(encode(asked), 0.0)
    (answer,) = [message for message in sent(joiner) if isinstance(message, Resume)]
    assert answer.commit is not None
    host.receive(encode(answer), 0.0)
    assert host.busy
    assert host.waiting is None


def test_an_accusation_is_recorded_as_the_peers_word() -> None:
    host = session(0)
    host.receive(encode(Bye(ID, 0, Farewell.VIOLATION, "flood")), 0.0)
    assert host.ended == Ended(0, Ending.ACCUSED, 1, "flood")


def test_stopping_the_game_again_and_again_is_a_fault() -> None:
    """By words alone a peer may not keep this side from playing; a network that works needs none of them so often."""
    host = session(0)
    for _ in range(int(STALLS_MOST)):
        host.receive(encode(Ping(ID, 1, 0, True)), 0.0)
        resume = next(one for one in sent(host) if isinstance(one, Resume))
        lockstep = host.lockstep
        head = (lockstep.beat, lockstep.chain, lockstep.digest)
        answer = Resume(ID, 1, None, resume.resume_id, *head, None, None, None, None)
        host.receive(encode(answer), 0.0)
        assert host.ended is None
    host.receive(encode(Ping(ID, 1, 0, True)), 0.0)
    assert host.ended is not None
    assert host.ended.word == Fault.STALLING.value


@pytest.mark.parametrize(("beat_told", "proposed"), [(1, False), (2, False), (2**47, True)])
def test_a_peer_cannot_be_where_it_says_without_us(beat_told: int, proposed: bool) -> None:
    host = session(0)
    host.receive(encode(Ping(ID, 1, beat_told, proposed)), 0.0)
    assert host.ended is not None
    assert host.ended.word == Fault.WRONG_BEAT.value


def test_endless_valid_frames_are_a_fault() -> None:
    host = session(0)
    for token in range(int(IDLE_FRAMES_MOST) + 1):
        host.receive(encode(Ping(ID, token, 0, False)), 0.0)
        host.take_effects()
    assert host.ended is not None
    assert host.ended.word == Fault.FLOOD.value


def test_who_slept_does_not_claim_on_waking() -> None:
    """The grace period counts while this machine is awake: the peer couldn't have been heard before."""
    host = session(0, grace_s=10)
    host.propose(Deal(), 0.0)
    now_s = 0.0
    while now_s < 3.0:
        host.poll(now_s)
        now_s += 0.5
    host.poll(500.0)
    assert not any(isinstance(notice, Claimable) for notice in host.take_notices())
    for step in range(12):
        host.poll(501.0 + step)
    assert any(isinstance(notice, Claimable) for notice in host.take_notices())


def test_a_peer_that_is_there_and_does_not_answer_is_told_of() -> None:
    """It takes part in every resynchronisation, so it isn't lost, and leaves out what it owes: told once."""
    host = session(0)
    host.propose(Deal(), 0.0)
    told = []
    for step in range(40):
        now_s = step / 2
        host.poll(now_s)
        for message in sent(host):
            if isinstance(message, Resume) and message.resume_id is not None:
                head = (message.beat, message.chain, message.digest)
                answer = Resume(ID, 1, None, message.resume_id, *head, None, None, None, None)
                host.receive(encode(answer), now_s)
        told += [
            (now_s, notice)
            for notice in host.take_notices()
            if type(notice) in (PeerLost, AnswerOverdue)
        ]
    assert told == [(ANSWER_S, AnswerOverdue(0))]


def test_an_ended_record_stays_ended() -> None:
    """A match that was stopped by a violation doesn't come back to life by a restart."""
    ended = Ended(0, Ending.VIOLATION, 1, "flood")
    again = restored(0, ID, Settings(), os.urandom, 0.0, [ended], False)
    assert again.ended == ended
    again.receive(encode(Ping(ID, 1, 0, False)), 0.0)
    assert not any(isinstance(message, Ping) for message in sent(again))


def test_an_unanswered_commit_asks_again_in_time() -> None:
    host = session(0)
    host.propose(Deal(), 0.0)
    sent(host)
    host.poll(REPLY_DEADLINE_S - 0.1)
    assert not any(isinstance(message, Resume) for message in sent(host))
    host.poll(REPLY_DEADLINE_S)
    assert any(isinstance(decode(encode(message)), Resume) for message in sent(host))


def test_who_comes_back_to_an_ended_match_is_told_again() -> None:
    """By the side that ended it, once for each time that it asks, and by nothing else."""
    host, joiner = session(0), session(1)
    host.propose(Deal(), 0.0)
    beat(host, joiner)
    host.receive(b"\xff", 0.0)
    (farewell,) = [message for message in sent(host) if isinstance(message, Bye)]
    again = restored(1, ID, Settings(), os.urandom, 0.0, [], False)
    again.link_up(0.0)
    (resume,) = sent(again)
    for _ in range(2):
        host.receive(encode(resume), 0.0)
        assert sent(host) == [farewell]
    host.receive(encode(Ping(ID, 1, 0, False)), 0.0)
    host.receive(b"\xff", 0.0)
    assert sent(host) == []
    again.receive(encode(farewell), 0.0)
    assert again.ended == Ended(0, Ending.ACCUSED, 0, "malformed")


def test_nothing_is_claimed_once_it_has_ended() -> None:
    """The peer's goodbye and the claim may cross; the record has one end."""
    host = session(0, grace_s=5)
    host.propose(Deal(), 0.0)
    for step in range(8):
        host.poll(float(step))
    host.receive(encode(Bye(ID, 0, Farewell.ABANDONED, "")), 8.0)
    with pytest.raises(LocalError):
        host.claim()
    assert sum(isinstance(each.record, Ended) for each in written(host)) == 1
