"""No way of leaving pays: whatever a peer says as it goes, it gains nothing by it. R22

Each lie is told by a hostile peer at either seat, before, in and after everything else that counts. Judged is what the honest
side has: its exit, its lines, its record, its statistics, and where a person plays, the screen.
"""

import json
import re
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from support.evening import terminal
from support.hostile import CONCEDE, DEAL, READY, Hostile, Kind
from support.hostile_ends import HERE, Context, HostEnd, JoinerEnd, new_keys
from support.hostile_matches import QUIET, Meeting, entries_of, free_port, meeting
from support.program import run

GRACE_S = 5
"""The shortest."""
LONG_ENOUGH_S = GRACE_S + 0.5
LONG_S = 60
NOT_LONG_S = 3.0
"""Longer than a program that runs is ever silent, far shorter than a long grace period."""


class Lie(NamedTuple):
    """What a peer says as it leaves, and what is made of it: in the record, at the exit, in words, by `verify`, on screen."""

    tell: Callable[[Hostile], None]
    how: str
    word: str
    code: int
    error: str
    message: str
    verified: int
    verdict: str
    shown: str


def bye(farewell: str, word: str = "") -> Callable[[Hostile], None]:
    return lambda hostile: hostile.tell(Kind.BYE, farewell=farewell, word=word)


ACCUSES = "stopped the match and says that this side broke the protocol"
ACCUSED = "where the opponent stopped the match, saying that this side broke the protocol"
LIES = {
    "a claim": Lie(
        bye("abandoned"),
        *("left", "claim", 4, "left"),
        "your opponent left, claiming the match though this side was there",
        *(0, "where the opponent left, claiming the match though this side was there"),
        "Mallory claimed the match, but you were there.",
    ),
    "lost records": Lie(
        bye("lost_records"),
        *("lost_records", "", 4, "lost_records"),
        "your opponent says that the end of its record is lost",
        *(6, "where the match can't go on: the opponent says that the end of its record is lost"),
        "Mallory has lost the end of the record.",
    ),
    "an accusation": Lie(
        bye("violation", "flood"),
        *("accused", "flood", 6, "accused", f"{ACCUSES}: far too much was sent"),
        *(6, f"{ACCUSED}: far too much was sent"),
        "Stopped by Mallory, who says that you broke the rules.",
    ),
    "an accusation of nothing": Lie(
        bye("violation"),
        *("accused", "", 6, "accused", f"{ACCUSES}: no reason is given"),
        *(6, f"{ACCUSED}: no reason is given"),
        "Stopped by Mallory, who says that you broke the rules.",
    ),
    "the byte c1": Lie(
        lambda hostile: hostile.raw(b"\xc1"),
        *("violation", "malformed", 6, "malformed"),
        "the match was stopped, your opponent broke the protocol: what was sent makes no sense",
        *(6, "where the match was stopped, since the opponent broke the protocol"),
        "Stopped: the other program sent nonsense.",
    ),
}


# When it is told.


def at_once(two: Meeting) -> None:
    """Before anything was played."""


def after_a_beat(two: Meeting) -> None:
    two.hostile.play(DEAL)


def while_frozen(two: Meeting) -> None:
    """It says that it had proposed something, and doesn't say what."""
    two.hostile.play(DEAL)
    two.hostile.deaf_to = {Kind.RESUME}
    two.hostile.tell(Kind.PING, proposed=True)
    two.hostile.hear(Kind.RESUME)


def after_a_break(two: Meeting) -> None:
    """The first that it says by its next connection."""
    two.hostile.play(DEAL)
    two.hostile.deaf_to = {Kind.RESUME}
    two.hostile.end.reconnect()
    if two.hostile.seat == 0:
        two.hostile.hear(Kind.RESUME)  # a host can speak once it has heard the joiner


def after_a_sleep(two: Meeting) -> None:
    """The honest side slept, though not for long."""
    two.hostile.play(DEAL)
    two.hostile.catch_up(token=1)
    two.honest.signal(signal.SIGSTOP)
    two.hostile.listen(NOT_LONG_S)
    two.honest.signal(signal.SIGCONT)


def after_idling(two: Meeting) -> None:
    """Neither has moved through the grace period, and either could have."""
    two.hostile.play(DEAL)
    two.hostile.listen(LONG_ENOUGH_S)


WHENS = {
    "at once": at_once,
    "after a beat": after_a_beat,
    "while frozen": while_frozen,
    "after a break": after_a_break,
    "after a sleep": after_a_sleep,
    "after idling": after_idling,
}
ALWAYS_QUICK = ("after a beat", "while frozen")


def turns() -> list[object]:
    """A claim at each moment, each other lie at two; the long run has all of it at either seat."""
    return [
        pytest.param(
            *(name, when, seat),
            marks=[pytest.mark.full] * (turn or not (name == "a claim" or when in ALWAYS_QUICK)),
        )
        for place, name in enumerate(LIES)
        for number, when in enumerate(WHENS)
        for turn in (0, 1)
        for seat in ((place + number + turn) % 2,)
    ]


def results(home: Path) -> dict[str, dict[str, int]]:
    """What the honest side's statistics say of its one opponent."""
    told = run(home, "stats", "--json", "--journal", str(home / "journals"))
    (line,) = map(json.loads, told.out.splitlines())
    return {name: line[name] for name in ("matches", "claimed", "forfeited")}


NOTHING = {"won": 0, "lost": 0, "drawn": 0, "unfinished": 0, "broken_off": 0}


def check_won(two: Meeting, lie: Lie) -> None:
    """The honest side has won, and all that it leaves says so alike."""
    code, error, message = two.stopped(lie.how, lie.word)
    assert (code, error) == (lie.code, lie.error)
    assert lie.message in message
    assert message.endswith("; the match is yours\n")
    winner = 1 - two.hostile.seat
    (over,) = two.honest.of("match_over")
    told = {name: over[name] for name in ("winner", "how", "by", "word")}
    assert told == {"winner": winner, "how": lie.how, "by": two.hostile.seat, "word": lie.word}
    record = two.honest.record()
    verified = run(two.honest.home, "verify", str(record))
    assert verified.code == lie.verified
    assert verified.out.startswith(f"the record holds up to beat {two.beat}, {lie.verdict}")
    assert re.search("; the match goes to (?!Mallory).+$", verified.out)
    shown = run(two.honest.home, "replay", "--json", str(record))
    (again,) = (json.loads(line) for line in shown.out.splitlines() if "match_over" in line)
    assert {**again, "journal": ""} == {**over, "journal": ""}
    assert results(two.honest.home) == {
        "matches": {**NOTHING, "won": 1},
        "claimed": {"won": 0, "lost": 0},
        "forfeited": {"won": 1},
    }


@pytest.mark.parametrize(("name", "when", "seat"), turns())
def test_a_lie_gains_nothing(
    context: Context, tmp_path: Path, name: str, when: str, seat: int
) -> None:
    """A hundred frames behind it change nothing, other lies and broken ones among them."""
    lie = LIES[name]
    grace_s = GRACE_S if when == "after idling" else LONG_S
    with meeting(context, tmp_path, seat, QUIET, grace_s=grace_s) as two:
        WHENS[when](two)
        lie.tell(two.hostile)
        for _ in range(25):
            bye("violation", "desync")(two.hostile)
            bye("abandoned")(two.hostile)
            two.hostile.tell(Kind.COMMIT, commitment=bytes(32))
            two.hostile.raw(b"\xc1")
        two.hostile.until(lambda: two.honest.of("error"))
        assert [entry[0] for entry in entries_of(two.honest.record())].count(5) == 1
        check_won(two, lie)


@pytest.mark.parametrize("seat", [0, pytest.param(1, marks=pytest.mark.full)])
@pytest.mark.parametrize("name", LIES)
def test_a_decided_match_stays_decided(
    context: Context, tmp_path: Path, name: str, seat: int
) -> None:
    """Whoever has lost and says something else instead of goodbye has lost, as any loser has."""
    with meeting(context, tmp_path, seat, QUIET, grace_s=GRACE_S) as two:
        hostile = two.hostile
        hostile.play(DEAL)
        hostile.deaf_to = {Kind.BYE}
        hostile.play(CONCEDE)
        hostile.hear(Kind.BYE)
        LIES[name].tell(hostile)
        hostile.raw(b"\xc1")
        hostile.end.close()
        assert two.honest.finish() == (0, "")
        (over,) = two.honest.of("match_over")
        assert (over["winner"], over["how"], over["by"]) == (1 - seat, "over", None)
        assert entries_of(two.honest.record())[-1][2:4] == ["over", None]
        assert results(two.honest.home)["matches"] == {**NOTHING, "won": 1}
        assert results(two.honest.home)["forfeited"] == {"won": 0}


# What this side knows to be true counts, against itself.


def owing(two: Meeting) -> None:
    """The honest side alone has something to do, and doesn't do it."""
    two.hostile.play(DEAL)
    two.hostile.play(READY)
    two.hostile.listen(LONG_ENOUGH_S)


def asleep(two: Meeting) -> None:
    """It sleeps for so long."""
    two.hostile.play(DEAL)
    two.honest.signal(signal.SIGSTOP)
    two.hostile.listen(LONG_ENOUGH_S)
    bye("abandoned")(two.hostile)
    two.honest.signal(signal.SIGCONT)


@pytest.mark.parametrize(
    ("seat", "was"),
    [
        (0, owing),
        (1, asleep),
        pytest.param(1, owing, marks=pytest.mark.full),
        pytest.param(0, asleep, marks=pytest.mark.full),
    ],
)
def test_a_claim_that_is_true_is_lost(
    context: Context, tmp_path: Path, seat: int, was: Callable[[Meeting], None]
) -> None:
    with meeting(context, tmp_path, seat, QUIET, grace_s=GRACE_S) as two:
        was(two)
        bye("abandoned")(two.hostile)
        two.hostile.until(lambda: two.honest.of("error"))
        code, error, message = two.stopped("claimed")
        assert (code, error) == (4, "claimed")
        assert "your opponent claimed the match" in message
        (over,) = two.honest.of("match_over")
        assert (over["winner"], over["how"], over["by"]) == (seat, "claimed", seat)
        verified = run(two.honest.home, "verify", str(two.honest.record()))
        assert verified.code == 0
        assert "where the opponent claimed the match; the match goes to Mallory" in verified.out
        found = results(two.honest.home)
        assert found["matches"] == {**NOTHING, "lost": 1}
        assert found["claimed"] == {"won": 0, "lost": 1}


# On the screen.


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
@pytest.mark.parametrize(
    ("name", "seat"),
    [
        pytest.param(name, (place + turn) % 2, marks=[pytest.mark.full] * turn)
        for place, name in enumerate(LIES)
        for turn in (0, 1)
    ],
)
def test_a_person_reads_who_broke_it_off_and_who_has_won(
    context: Context, tmp_path: Path, name: str, seat: int
) -> None:
    """It stands there until it was read; the last words, the record and the statistics say the same."""
    lie = LIES[name]
    network = ("--interface", "lo", "--discovery-port", str(free_port()))
    host = HostEnd(context, new_keys()) if seat == 0 else None
    words = ("host",) if host is None else ("join", f"{HERE}:{host.port}")
    with terminal(tmp_path, *words, *network) as pty:
        if host is None:
            pty.until(lambda: re.search(r"127\.0\.0\.1:(\d+)", pty.text), "an address")
            found = re.search(r"127\.0\.0\.1:(\d+)", pty.text)
            assert found is not None
            hostile = Hostile(JoinerEnd(context, new_keys(), int(found[1])))
        else:
            hostile = Hostile(host)
        hostile.sit_down()
        if seat == 0:
            hostile.play(DEAL)
        hostile.until(lambda: hostile.beat == 1)
        lie.tell(hostile)
        hostile.end.close()
        pty.until_shows(f"{lie.shown} You win the match!")
        pty.send("q")
        assert pty.wait() == lie.code
        assert "the match goes to Zoe" in " ".join(pty.text.split())
    (record,) = (tmp_path / "journals").iterdir()
    assert entries_of(record)[-1] == [5, 1, lie.how, seat, lie.word]
    assert results(tmp_path)["matches"] == {**NOTHING, "won": 1}
