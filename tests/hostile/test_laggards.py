"""Peers that take their time: the yardstick is the network's, not theirs, and nobody waits for them for ever.

What the honest side's record, screen and statistics then say. Source: WIRE.md, sections 13 and 14.
"""

import json
import re
import sys
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest
from support.hostile import CONCEDE, DEAL, Frame, Kind
from support.hostile_ends import PATIENCE_S, Context, HostEnd, JoinerEnd, new_keys
from support.hostile_matches import Meeting, entries_of, free_port, table
from support.laggard import Laggard, LateCrosser, LateOpener
from support.program import PROGRAM, run, variables

from spitnet.cli import main

PONG_S = 0.12
ANSWER_S = 0.11
"""Below the ping that it pretends, and far above the true one."""
PINGS = 10
"""So many make a ping that counts."""
LATE = 12
"""So many late answers are looked at."""
BIG = 1_000_000


def stats(home: Path) -> dict[str, object]:
    """What the honest side's statistics say of its one opponent."""
    told = run(home, "stats", "--json", "--journal", str(home / "journals"))
    assert told.code == 0, told.err
    (line,) = told.out.splitlines()
    found: dict[str, object] = json.loads(line)
    return found


def be_late(hostile: Laggard, kind: Kind) -> int:
    """Pretends a long ping from the first one on, and answers late; how often."""
    hostile.lags_s[kind] = ANSWER_S
    end_s = time.monotonic() + PATIENCE_S
    while hostile.late < LATE or hostile.count(Kind.PING) < PINGS:
        assert time.monotonic() < end_s, f"only {hostile.late} were late"
        assert not hostile.said
        hostile.take_turn()
        if hostile.late >= LATE:
            hostile.lags_s.pop(kind, None)
    return hostile.late


def finish(two: Meeting, hostile: Laggard) -> list[Frame]:
    """Ends the match by conceding; the record's entries."""
    hostile.lags_s = {}
    hostile.until(lambda: hostile.idle)
    hostile.play(CONCEDE if hostile.game.playing else DEAL)
    while hostile.game.result is None:
        hostile.play(CONCEDE)
    hostile.until(lambda: hostile.said)
    hostile.end.close()
    assert two.honest.finish() == (0, "")
    assert main(["verify", str(two.honest.record())]) == 0
    return entries_of(two.honest.record())


WAYS: dict[str, tuple[type[Laggard], Kind]] = {
    "opens late": (LateOpener, Kind.REVEAL),
    "crosses late": (LateCrosser, Kind.COMMIT),
}
HALF = [
    ("opens late", 0),
    ("crosses late", 1),
    pytest.param("opens late", 1, marks=pytest.mark.full),
    pytest.param("crosses late", 0, marks=pytest.mark.full),
]


@pytest.mark.parametrize(("way", "seat"), HALF)
def test_late_pongs_make_no_answer_punctual(
    context: Context, tmp_path: Path, way: str, seat: int
) -> None:
    """Every late answer is written down, the grown ping once, and the statistics count both."""
    peer, kind = WAYS[way]
    with table(
        context, tmp_path, seat, "0.3", peer=lambda end: peer(end, {Kind.PONG: PONG_S})
    ) as two:
        hostile = two.hostile
        assert isinstance(hostile, Laggard)
        hostile.sit_down()
        late = be_late(hostile, kind)
        entries = finish(two, hostile)
    slow = [entry for entry in entries if entry[0] == 4]
    ways = Counter(bool(entry[2]) for entry in slow)
    held_back = [entry for entry in slow if entry[3] >= ANSWER_S * BIG]
    assert sum(entry[2] is (kind is Kind.COMMIT) for entry in held_back) >= late
    assert all(0 < entry[4] < PONG_S * BIG / 2 for entry in held_back)
    ((_, _, ping_us, least_us),) = [entry for entry in entries if entry[0] == 7]
    assert ping_us >= PONG_S * BIG > least_us > 0
    told = stats(tmp_path)
    assert told["late"] == {"crossings": ways[True], "replies": ways[False]}
    assert told["lagged"] == 1


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
def test_late_pongs_are_seen_for_what_they_are(context: Context, tmp_path: Path) -> None:
    """On the screen of a real program: the ping beside the least one, and the answers that came late against that."""
    from support.terminals import Pty

    port = ("--interface", "lo", "--discovery-port", str(free_port()))
    command = (*PROGRAM, "host", "--name", "Ana", *port, "--journal", str(tmp_path / "journals"))
    env = {**variables(tmp_path), "TERM": "xterm-256color"}
    with Pty(command, env=env, cwd=tmp_path, columns=100) as pty:
        pty.until(lambda: re.search(r"127\.0\.0\.1:(\d+)", pty.text), "an address")
        found = re.search(r"127\.0\.0\.1:(\d+)", pty.text)
        assert found is not None
        hostile = LateOpener(JoinerEnd(context, new_keys(), int(found[1])), {Kind.PONG: PONG_S})
        hostile.sit_down()
        hostile.lags_s[Kind.REVEAL] = ANSWER_S  # of its deal, and of its being ready

        def reached() -> bool:
            hostile.take_turn()
            return re.search(r"ping \d+ ms, at best (<1|\d) .*slow repl", pty.text) is not None

        pty.until(reached, "a ping, and what it was at best")
        hostile.end.close()


GRACE_S = 5
"""As SETTINGS has it."""
SHARE = 0.86
"""Of the grace period: always back in time."""
BANK_S = 3 * GRACE_S
"""What a seat has in the first game."""


class Evader(Laggard):
    """Is there, takes part in every resynchronisation, and does what it owes only just in time."""

    def __init__(self, end: JoinerEnd | HostEnd) -> None:
        super().__init__(end, {})
        self.deaf_to = {Kind.COMMIT, Kind.REVEAL, Kind.RESUME}
        self._beat = 0
        self._waits_since_s = time.monotonic()
        self._held: bytes | None = None

    def take_turn(self) -> None:
        match self.step(0.02):
            case [Kind.COMMIT, _, beat, _, _, _, commitment] if beat == self.beat + 1:
                self._take_or_hold(commitment)
            case [Kind.REVEAL, _, beat, _, _, _, opening] if beat == self.beat + 1:
                self.take_reveal(opening)
            case [Kind.RESUME, _, _, asked, *_] as frame if asked is not None:
                self.answer_resume(frame, reveal=None, last=None, held=None)
        if self.beat != self._beat:
            self._beat, self._held, self._waits_since_s = self.beat, None, time.monotonic()
        if self.idle and time.monotonic() >= self._waits_since_s + SHARE * GRACE_S:
            self._do_what_is_owed()

    def _take_or_hold(self, commitment: bytes) -> None:
        if self.mine is not None:
            self.take_commit(commitment)
        elif commitment != self._held:
            self._held, self._waits_since_s = commitment, time.monotonic()

    def _do_what_is_owed(self) -> None:
        move = self.wish()
        if self._held is not None:
            self.take_commit(self._held)
        elif move is not None:
            self.commit(move)


@pytest.mark.full
def test_who_always_comes_back_in_time_is_claimed_against(context: Context, tmp_path: Path) -> None:
    """In both seats at once. Exit 4, the waits in the record, and a match won by a claim in the statistics."""
    with ExitStack() as both:
        meetings: list[tuple[Meeting, Evader]] = []
        for seat in (0, 1):
            options = ("--grace", str(GRACE_S)) * seat
            home = tmp_path / str(seat)
            two = both.enter_context(table(context, home, seat, "0.2", *options, peer=Evader))
            assert isinstance(two.hostile, Evader)
            two.hostile.sit_down()
            meetings.append((two, two.hostile))
        end_s = time.monotonic() + 4 * BANK_S + PATIENCE_S
        while not all(two.honest.of("error") for two, _ in meetings):
            assert time.monotonic() < end_s, [evader.beat for _, evader in meetings]
            for _, evader in meetings:
                evader.take_turn()
        for two, _ in meetings:
            code, word, _ = two.stopped("abandoned")
            assert (code, word) == (4, "opponent_gone")
            assert not two.honest.of("opponent_lost")
            spent = [entry for entry in entries_of(two.honest.record()) if entry[0] == 8]
            assert {entry[2] for entry in spent} == {two.hostile.seat}
            assert sum(entry[3] for entry in spent) == pytest.approx(BANK_S * BIG, rel=0.01)
            assert stats(two.honest.home)["claimed"] == {"won": 1, "lost": 0}
