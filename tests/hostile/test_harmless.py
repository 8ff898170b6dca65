"""What is no violation, or can't be proven to be one, gains nothing: the match goes on, to an end that both agree on.

Claims C1, C3, C6 and C9. What comes late is counted and written down (FAIRNESS.md, "What it does not prevent").
"""

import sys
from pathlib import Path
from typing import Any

import pytest
from support.hostile import CONCEDE, DEAL, READY, Hostile, Kind, random
from support.hostile_ends import Context, new_keys, packed
from support.hostile_matches import EAGER, QUIET, Meeting, assert_derives, entries_of, meeting

from spitnet.cli import main

TOO_LONG = 5000
"""Bytes, where a frame has at most 4063."""


def finish(two: Meeting) -> list[list[Any]]:
    """Ends the match by conceding: exit 0, one story, a record that holds. Returns its entries."""
    two.hostile.deaf_to = set()
    two.hostile.until(lambda: two.hostile.mine is None)
    if not two.hostile.game.playing:
        two.hostile.play(DEAL)
    while two.hostile.game.result is None:
        two.hostile.play(CONCEDE)
    two.hostile.until(lambda: two.hostile.said)
    two.hostile.end.close()
    assert two.honest.finish() == (0, "")
    assert two.honest.of("match_over")[0]["winner"] == 1 - two.hostile.seat
    record = two.honest.record()
    assert_derives(record, two.hostile.chains)
    assert main(["verify", str(record)]) == 0
    return entries_of(record)


def of_another_session(hostile: Hostile) -> list[bytes]:
    """Every kind of frame of a match, each of which would end or freeze this one."""
    session = random()
    farewells = ("over", "paused", "abandoned", "lost_records", "violation")
    hostile.bind(DEAL)
    lies: list[tuple[Kind, dict[str, Any]]] = [
        (Kind.COMMIT, {"seat": 1 - hostile.seat}),
        (Kind.REVEAL, {"beat": 2**40}),
        (Kind.RESUME, {"beat": 2**40, "resume_id": random(16)}),
        (Kind.PING, {"beat": 2**40}),
        (Kind.PONG, {"beat": 2**40}),
        *((Kind.BYE, {"farewell": farewell}) for farewell in farewells),
        (Kind.REMATCH, {}),
    ]
    frames = [hostile.frame(kind, session=session, **lie) for kind, lie in lies]
    hostile.mine, hostile.committed = None, None
    return [*frames, packed(Kind.ACCEPT, session, b""), packed(Kind.START, session, b"")]


def of_the_handshake(hostile: Hostile) -> list[bytes]:
    """Left over from before, or of another version."""
    return [
        packed(Kind.HELLO, 1, random(), "Mallory", b""),
        packed(Kind.WELCOME, 1, random(), "Mallory", [1, "auto", "said", 60], b""),
        packed(Kind.REFUSE, 1, "busy"),
        packed(Kind.HELLO, 7, "from the future"),
        packed(Kind.START, hostile.session, b""),
    ]


@pytest.mark.parametrize("seat", [0, 1])
def test_frames_of_elsewhere_are_ignored(context: Context, tmp_path: Path, seat: int) -> None:
    """Another session says nothing of this one, nor does a handshake that is over; none of it is even answered."""
    with meeting(context, tmp_path, seat, QUIET) as two:
        for frame in of_another_session(two.hostile) + of_the_handshake(two.hostile):
            two.hostile.raw(frame)
        two.hostile.catch_up(token=9)
        assert {frame[0] for frame in two.hostile.heard} <= {Kind.PING, Kind.PONG}
        assert not two.honest.of("opponent_lost")
        finish(two)


def test_an_old_session_is_worth_nothing(context: Context, tmp_path: Path) -> None:
    """Every frame of a match, said again in the next one between the same keys, from the HELLO on."""
    keys = new_keys()
    with meeting(context, tmp_path / "first", 1, QUIET, keys=keys) as first:
        hello = first.hostile.sent[0]
        finish(first)
    key = tmp_path / "first" / "spitnet" / "key"
    assert key.exists()
    (tmp_path / "second" / "spitnet").mkdir(parents=True)
    key.rename(tmp_path / "second" / "spitnet" / "key")
    with meeting(context, tmp_path / "second", 1, QUIET, keys=keys, hello=hello) as again:
        assert again.hostile.end.peer_key == first.hostile.end.peer_key
        assert again.hostile.sent[0] == hello
        assert again.hostile.session != first.hostile.session
        again.hostile.play(DEAL)
        for frame in first.hostile.sent:
            again.hostile.raw(frame)
        again.hostile.catch_up(token=9)
        assert again.hostile.beat == 1
        finish(again)


def test_repeats_and_stale_resumes_change_nothing(context: Context, tmp_path: Path) -> None:
    """Everything that was ever true, said again and again; and each RESUME that asks is answered with the same."""
    with meeting(context, tmp_path, 0, QUIET) as two:
        hostile = two.hostile
        old = [hostile.frame(Kind.RESUME)]
        hostile.play(DEAL)
        old += [frame for frame in hostile.sent if frame[1] in (Kind.COMMIT, Kind.REVEAL)]
        old += [hostile.frame(Kind.RESUME)]
        hostile.deaf_to = {Kind.REVEAL, Kind.RESUME}
        hostile.commit(READY)
        opening = hostile.hear(Kind.REVEAL)[6]
        for frame in (*old, hostile.frame(Kind.COMMIT), hostile.frame(Kind.RESUME)) * 20:
            hostile.raw(frame)
        for _ in range(100):
            asked = random(16)
            hostile.tell(Kind.RESUME, resume_id=asked, reveal=None)
            answer = hostile.hear(Kind.RESUME)
            assert answer[4:6] == [asked, 1]
            assert answer[10:] == [opening, hostile.committed]
        hostile.reveal()
        hostile.take_reveal(opening)
        for frame in old * 20:
            hostile.raw(frame)
        finish(two)


def test_it_lags_but_does_not_lie(context: Context, tmp_path: Path) -> None:
    """A PING of an earlier beat says only that the peer is slow."""
    with meeting(context, tmp_path, 0, QUIET) as two:
        two.hostile.play(DEAL)
        two.hostile.tell(Kind.PING, token=3, beat=0)
        two.hostile.hear_where(lambda frame: frame[0] is Kind.PONG and frame[2] == 3, "PONG")
        finish(two)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_commitment_is_a_secret(context: Context, tmp_path: Path, seat: int) -> None:
    """C5: before the peer is bound, no frame holds what was committed to, however it asks."""
    with meeting(context, tmp_path, seat, EAGER) as two:
        hostile = two.hostile
        hostile.deaf_to = {Kind.COMMIT, Kind.RESUME}
        committed = hostile.hear(Kind.COMMIT)[6]
        hostile.tell(Kind.RESUME, resume_id=random(16))
        assert hostile.hear(Kind.RESUME)[9:] == [committed, None, None]
        hostile.tell(Kind.RESUME, held=random())  # ends it
        hostile.until(lambda: hostile.said)
        assert not hostile.count(Kind.REVEAL)


def test_a_frame_too_long_breaks_the_link_only(context: Context, tmp_path: Path) -> None:
    """The transport ends the connection; whoever comes back plays on."""
    with meeting(context, tmp_path, 1, QUIET) as two:
        two.hostile.play(DEAL)
        two.hostile.raw(bytes(TOO_LONG))
        two.hostile.until(lambda: two.honest.of("opponent_lost"))
        two.hostile.end.reconnect()
        two.hostile.tell(Kind.PING)
        two.hostile.until(lambda: two.honest.of("resumed"))
        finish(two)


def test_breaking_the_link_again_and_again(context: Context, tmp_path: Path) -> None:
    """C6: the other side's move is under way all the same, and is the next that counts."""
    with meeting(context, tmp_path, 1, EAGER) as two:
        hostile = two.hostile
        hostile.deaf_to = {Kind.COMMIT, Kind.RESUME}
        committed = hostile.hear(Kind.COMMIT)[6]
        for _ in range(10):
            hostile.end.reconnect()
            hostile.tell(Kind.RESUME, resume_id=random(16), beat=0)
            assert hostile.hear(Kind.RESUME)[9] == committed
        hostile.deaf_to = set()
        hostile.take_commit(committed)
        hostile.tell(Kind.RESUME, resume_id=random(16))
        hostile.until(lambda: hostile.beat == 1)
        finish(two)


def slow_entries(entries: list[list[Any]]) -> list[list[Any]]:
    return [entry for entry in entries if entry[0] == 4]


def wait_for_pings(hostile: Hostile, number: int) -> None:
    """The other side sends one each second."""
    hostile.until(lambda: hostile.count(Kind.PING) >= number)


def test_late_answers_are_written_down(context: Context, tmp_path: Path) -> None:
    """A COMMIT in answer to a COMMIT, as if they had crossed; an opening and a pass held back. None is a violation."""
    with meeting(context, tmp_path, 0, EAGER) as two:
        hostile = two.hostile
        hostile.deaf_to = {Kind.COMMIT}
        commit = hostile.hear(Kind.COMMIT)
        wait_for_pings(hostile, 2)
        hostile.commit(DEAL)
        hostile.take_commit(commit[6])
        commit = hostile.hear(Kind.COMMIT)
        assert hostile.beat == 1
        wait_for_pings(hostile, 3)
        hostile.take_commit(commit[6])
        slow = slow_entries(finish(two))
        assert [entry[1:3] for entry in slow[:3]] == [[1, True], [1, False], [2, False]]
        for _, _, _, waited_us, ping_us in slow:
            assert waited_us > ping_us > 0


def test_a_ping_cannot_be_made_up(context: Context, tmp_path: Path) -> None:
    """A PONG to a PING that was not sent yet, and none to those that were: a late answer is noted all the same.

    What it is compared with is the kernel's, where that tells.
    """
    with meeting(context, tmp_path, 0, EAGER) as two:
        hostile = two.hostile
        hostile.deaf_to = {Kind.COMMIT, Kind.PING}
        hostile.tell(Kind.PONG, token=0)
        commit = hostile.hear(Kind.COMMIT)
        wait_for_pings(hostile, 2)
        hostile.take_commit(commit[6])
        slow = slow_entries(finish(two))
        assert slow[0][1:3] == [1, False]
        assert slow[0][4] < slow[0][3] / 100
        assert (slow[0][4] > 0) is (sys.platform == "linux")
