"""Two match loops in one process, a link in memory between them: whole matches, with losses, late frames and breaks."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from support.joined import Fate, Joined, begun

from spitnet.core.draw import PAUSE_MAX_MS, Randomness
from spitnet.core.moves import Deal, Leave, Ready
from spitnet.core.state import Settings, SpitMode
from spitnet.journal.json_story import told
from spitnet.journal.replay import replayed
from spitnet.journal.store import read
from spitnet.journal.verify import RecordStatus, verify

TURNS_MOST = 20_000
"""So often both rest in a match at most; a step of the clock is taken each time."""


def fates(chance: Random, lost: float, late: float) -> Callable[[], Fate]:
    def fate() -> Fate:
        drawn = chance.random()
        if drawn < lost:
            return Fate.IS_LOST
        return Fate.IS_LATE if drawn < lost + late else Fate.ARRIVES

    return fate


def play_out(joined: Joined, breaks: Random | None = None) -> None:
    """Lets time pass, with what is late arriving and, where asked for, breaks of both ends, until the match has ended."""
    down_for = 0
    for _turn in range(TURNS_MOST):
        if joined.has_ended:
            return
        if breaks is not None and not down_for and breaks.random() < 0.05:
            down_for = breaks.randrange(1, 30)
            for link in joined.links:
                link.change(is_up=False)
        elif down_for:
            down_for -= 1
            if not down_for:
                for link in joined.links:
                    link.change(is_up=True)
        for link in joined.links:
            link.bring_late()
        joined.turns.go_on(0, 0.1)
    raise AssertionError(f"they didn't come to an end: {[one.beat for one in joined.sessions]}")


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    ("lost", "late", "breaks"),
    [(0.0, 0.0, False), (0.05, 0.0, False), (0.0, 0.2, False), (0.0, 0.2, True), (0.02, 0.1, True)],
    ids=["calm", "losses", "late frames", "breaks", "everything"],
)
def test_two_loops_play_a_match_to_its_end(
    tmp_path: Path, seed: int, lost: float, late: float, breaks: bool
) -> None:
    """C1, C6: both records hold, and tell the same story."""
    chance = Random(f"{seed} {lost} {late} {breaks}")
    joined = Joined(tmp_path, plays=True, fate=fates(chance, lost, late))
    with begun(joined):
        play_out(joined, chance if breaks else None)
    stops = [session.stops.count for session in joined.sessions]
    # Each link comes up once, which is a stop.
    assert min(stops) > 1 if lost or breaks else stops == [1, 1]
    records = [read(each.journal.path) for each in joined.loops]
    assert [verify(record).standing for record in records] == [RecordStatus.HOLDS] * 2
    host, joiner = ([*map(list, map(told, replayed(record)))] for record in records)
    assert host == joiner
    assert len(host) > 50


def test_who_leaves_has_lost_on_both_sides(tmp_path: Path) -> None:
    joined = Joined(tmp_path)
    with begun(joined):
        joined.press(0, Deal())
        joined.press(1, Leave())
        play_out(joined)
    for session in joined.sessions:
        assert session.match.result is not None
        assert session.match.result.winner == 0


class Spitting:
    """Two who are both ready, where the game says spit; the pause before it lasts until `due_s`."""

    def __init__(self, joined: Joined, late: list[bool]) -> None:
        self.joined, self.late = joined, late
        joined.press(0, Deal())
        joined.press(0, Ready())
        joined.press(1, Ready())
        chain = joined.sessions[0].lockstep.chain
        self.due_s = joined.turns.now_s + Randomness(chain).pause_ms / 1000

    @property
    def is_said(self) -> bool:
        game = self.joined.sessions[0].match.game
        return game is not None and any(game.piles)

    def until(self, at_s: float) -> None:
        for link in self.joined.links if not self.late[0] else ():
            link.bring_late()
        self.joined.turns.go_on(0, at_s - self.joined.turns.now_s)

    def change(self, *, is_up: bool) -> None:
        for link in self.joined.links:
            link.change(is_up=is_up)


@pytest.fixture
def spitting(tmp_path: Path) -> Iterator[Spitting]:
    late = [False]
    settings = Settings(spit=SpitMode.AUTO)
    joined = Joined(
        tmp_path, settings=settings, fate=lambda: Fate.IS_LATE if late[0] else Fate.ARRIVES
    )
    with begun(joined):
        yield Spitting(joined, late)


def test_the_game_says_spit_after_its_pause(spitting: Spitting) -> None:
    """R7"""
    spitting.until(spitting.due_s - 0.001)
    assert not spitting.is_said
    spitting.until(spitting.due_s + 0.001)
    assert spitting.is_said


def test_the_spit_of_the_game_takes_no_keys_place(spitting: Spitting) -> None:
    """It came due while the link was broken; what its player pressed before it goes first."""
    spitting.change(is_up=False)
    spitting.joined.press(0, Leave())
    spitting.until(spitting.due_s + 0.001)
    assert spitting.joined.sessions[0].waiting == Leave()
    spitting.change(is_up=True)
    spitting.until(spitting.due_s + 0.002)
    assert spitting.joined.sessions[1].match.result is not None
    assert not spitting.is_said


def test_after_a_break_the_game_says_spit_after_the_longest_pause(spitting: Spitting) -> None:
    spitting.change(is_up=False)
    spitting.until(spitting.due_s + 0.001)
    spitting.change(is_up=True)
    spitting.until(back_s := spitting.due_s + 0.002)
    assert not any(session.frozen for session in spitting.joined.sessions)
    spitting.until(back_s + PAUSE_MAX_MS / 1000 - 0.001)
    assert not spitting.is_said
    spitting.until(back_s + PAUSE_MAX_MS / 1000 + 0.001)
    assert spitting.is_said


def test_what_came_due_while_the_game_stood_still_is_said_as_it_goes_on(spitting: Spitting) -> None:
    """Nobody was lost: both joined anew, and the frames that follow were late."""
    spitting.late[0] = True
    spitting.until(spitting.due_s - 0.1)
    spitting.change(is_up=True)
    spitting.until(spitting.due_s + 0.001)
    assert all(session.frozen for session in spitting.joined.sessions)
    assert not spitting.is_said
    spitting.late[0] = False
    spitting.until(spitting.due_s + 0.002)
    assert spitting.is_said
