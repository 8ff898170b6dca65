"""Peers that stop the game to think: they are never first by it where the honest side has a key waiting, and it is seen.

Claims C3 and C4; each stop is in the honest side's record, on its screen and in its statistics.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from support import second
from support.hostile import CONCEDE, DEAL, PASS, READY, SPIT, Frame, Hostile, Kind
from support.hostile_ends import Context, JoinerEnd, new_keys
from support.hostile_matches import Meeting, entries_of, free_port, meeting
from support.program import run

SLOW, STOP = 4, 6
DELAY = "0.1"
"""Of the honest side's bot, in seconds: at every table it has decided long before the game goes on."""
THINKS_S = 0.8
STOPS = 6


class Thaw(NamedTuple):
    """A beat that was begun by a thaw: who was first, and whether both moves crossed."""

    first: int
    crossed: bool


def plays(hostile: Hostile, seat: int) -> list[bytes]:
    """What that seat may play now."""
    game = hostile.game
    if not game.playing:
        return []
    sizes = [len(pile) for pile in game.piles]
    cards = [card for card in game.layouts[seat] if card is not None]
    moves = [bytes((4, card, pile, sizes[pile])) for card in cards for pile in (0, 1)]
    return [move for move in moves if game.legal(seat, second.move_of(move) or [])]


def thinks(hostile: Hostile) -> None:
    end_s = time.monotonic() + THINKS_S
    while time.monotonic() < end_s:
        hostile.step(0.05)


def cuts(hostile: Hostile) -> Frame:
    """The link, and is back only with a move; what the other asks first."""
    hostile.deaf_to = {Kind.RESUME}
    hostile.end.reconnect()
    thinks(hostile)
    hostile.bind(plays(hostile, hostile.seat)[0])
    if hostile.seat == 1:  # a joiner speaks first
        hostile.tell(Kind.RESUME)
    return hostile.hear(Kind.RESUME)


def claims(hostile: Hostile) -> Frame:
    """In a PING, a COMMIT that never left."""
    hostile.deaf_to = {Kind.RESUME}
    hostile.tell(Kind.PING, proposed=True)
    asked = hostile.hear(Kind.RESUME)
    thinks(hostile)
    hostile.bind(plays(hostile, hostile.seat)[0])
    return asked


def goes_on(hostile: Hostile, asked: Frame) -> Thaw:
    """Answers with its COMMIT inside the RESUME, and takes part from there."""
    beat = hostile.beat + 1
    if asked[9] is not None:  # the other was quicker, and this is its COMMIT
        hostile.take_commit(asked[9])
    hostile.answer_resume(asked)
    hostile.deaf_to = set()
    hostile.until(lambda: hostile.beat == beat)
    assert hostile.past is not None
    crossed = hostile.past.theirs[0] != PASS
    return Thaw(second.first_of(hostile.chain) if crossed else hostile.seat, crossed)


def stops_the_game(hostile: Hostile, stop: Callable[[Hostile], Frame], times: int) -> list[Thaw]:
    """Plays, and does that where both can play."""
    thaws: list[Thaw] = []
    while len(thaws) < times:
        hostile.until(lambda: hostile.mine is None)
        if all(plays(hostile, seat) for seat in (0, 1)):
            thaws.append(goes_on(hostile, stop(hostile)))
        else:
            plays_on(hostile)
    return thaws


def plays_on(hostile: Hostile) -> None:
    """Its move if it has one that gives nothing up, else waits for the other's."""
    beat, moves = hostile.beat, (*plays(hostile, hostile.seat), DEAL, READY, SPIT)
    legal = [m for m in moves if hostile.game.legal(hostile.seat, second.move_of(m) or [])]
    if legal:
        hostile.play(legal[0])
    else:
        hostile.until(lambda: hostile.beat > beat)


def of_kind(two: Meeting, kind: int) -> list[Frame]:
    return [entry for entry in entries_of(two.honest.record()) if entry[0] == kind]


WAYS: dict[str, tuple[Callable[[Hostile], Frame], bool]] = {
    "it cuts the link": (cuts, False),
    "its PING claims what never was": (claims, True),
}
"""What it does, and whether the honest side can tell whose doing that is."""


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("name", WAYS)
def test_the_coin_decides_and_each_stop_is_told(
    context: Context, tmp_path: Path, name: str, seat: int
) -> None:
    """The honest side's waiting key crosses the COMMIT that the thaw brings; statistics are the simulator's.

    Once it may be late, where this machine is very busy.
    """
    stop, told = WAYS[name]
    with meeting(context, tmp_path, seat, DELAY) as two:
        thaws = stops_the_game(two.hostile, stop, STOPS)
        assert sum(thaw.crossed for thaw in thaws) >= STOPS - 1, thaws
        two.hostile.play(CONCEDE)
        two.hostile.until(lambda: two.hostile.said)
        assert two.honest.finish() == (0, "")
        stops = of_kind(two, STOP)
        assert len(stops) == STOPS
        assert {whose for _, _, whose, _ in stops} == {seat if told else None}
        assert all(lasted >= 1000 * THINKS_S / 2 for *_, lasted in stops)
        record = two.honest.record()
        verified = run(tmp_path, "verify", str(record))
        assert verified.code == 0
        assert f"the game stopped {STOPS} times, for 0:" in verified.out
        (line,) = run(tmp_path, "stats", "--json", "--journal", str(record.parent)).out.splitlines()
        counted = json.loads(line)["stops"]
        assert counted.pop("seconds") == pytest.approx(sum(s[3] for s in stops) / 1000)
        whose = "opponent" if told else "unknown"
        assert counted == {"own": 0, "opponent": 0, "unknown": 0} | {whose: STOPS}


def withholds(hostile: Hostile) -> bool:
    """Plays, keeps the REVEAL back that would end the beat here, and claims in PONGs that it isn't there yet; whether there
    was anything to keep back, as there isn't where the two have crossed.
    """
    hostile.until(lambda: hostile.mine is None)
    beat = hostile.beat
    hostile.commit(plays(hostile, hostile.seat)[0])
    hostile.deaf_to = {Kind.PING, Kind.REVEAL, Kind.RESUME, Kind.COMMIT}
    while True:
        frame = hostile.step()
        match frame:
            case [Kind.PING, _, token, *_]:
                hostile.tell(Kind.PONG, token=token, beat=beat, proposed=True)
            case [Kind.COMMIT, *_]:  # they crossed
                hostile.deaf_to = set()
                hostile.take_commit(frame[6])
                return False
            case [Kind.RESUME, _, _, asks, *_] if asks is not None:
                hostile.deaf_to = set()
                opening = next(f[6] for f in reversed(hostile.heard) if f[0] is Kind.REVEAL)
                hostile.take_reveal(opening)
                hostile.answer_resume(frame)
                return True


@pytest.mark.parametrize("seat", [0, pytest.param(1, marks=pytest.mark.full)])
def test_a_beat_that_is_kept_open_is_told_twice(
    context: Context, tmp_path: Path, seat: int
) -> None:
    """As a slow reply and as a stop, and the stop is that peer's: it answered PING meanwhile."""
    with meeting(context, tmp_path, seat, "0.6") as two:
        hostile = two.hostile
        withheld = False
        while not withheld:
            hostile.until(lambda: hostile.mine is None)
            if plays(hostile, hostile.seat):
                withheld = withholds(hostile)
            else:
                plays_on(hostile)
        hostile.play(CONCEDE)
        hostile.until(lambda: hostile.said)
        assert two.honest.finish() == (0, "")
        (stop,) = of_kind(two, STOP)
        assert stop[2] == seat
        assert [SLOW, stop[1], False] in [entry[:3] for entry in of_kind(two, SLOW)]


if sys.platform != "win32":  # pseudo-terminals
    from support.evening import terminal

    MANY = 5

    def test_many_stops_are_pointed_out_at_the_table(context: Context, tmp_path: Path) -> None:
        """To the one who sits there: how often in a minute, in the head and where the news are; and how often in all."""
        port = free_port()
        options = ("--interface", "lo", "--discovery-port", str(free_port()), "--port", str(port))
        with terminal(tmp_path, "host", *options, columns=100, rows=30) as pty:
            pty.until_shows(f"127.0.0.1:{port}")
            hostile = Hostile(JoinerEnd(context, new_keys(), port))
            hostile.sit_down()
            hostile.until(lambda: hostile.beat == 1)
            for number in range(1, MANY + 1):
                assert "in a minute" not in pty.text
                hostile.end.reconnect()
                hostile.tell(Kind.RESUME)
                hostile.hear(Kind.RESUME)
                hostile.catch_up(number)
                pty.until_shows(f"{number} stop")
            pty.until_shows(f"{MANY} stops in a minute")
            pty.until_shows(f"The game stopped {MANY} times in a minute.")
            pty.send("?")
            pty.until_shows(f"The game has stopped {MANY} times: the link broke")
            hostile.end.close()
