"""Strength, level against level, as scripts/bots measures it: the same seeds, so the same figures."""

import runpy
import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from spitnet.bot.levels import Level
from spitnet.core.state import RefillMode

SCRIPT = Path(__file__).parents[2] / "scripts" / "bots"
Share = Callable[[Level, Level, str, int], float]


@pytest.fixture
def share_won(monkeypatch: pytest.MonkeyPatch) -> Share:
    """Asks the script for the share of decided games that the first level wins."""
    monkeypatch.setattr(
        sys, "path", [*sys.path]
    )  # the script puts its own directory and its checkout there
    measured = runpy.run_path(str(SCRIPT))["measured"]

    def share(better: Level, worse: Level, speed: str, games: int) -> float:
        options = Namespace(games=games, seed=1, refill=RefillMode.AUTO)
        won, decided = measured((better, worse), speed, options)
        return float(won / decided)

    return share


@pytest.mark.long
@pytest.mark.parametrize("speed", ["equal", "beat"])
def test_the_experts_choice_is_better_than_chance(speed: str, share_won: Share) -> None:
    """A rough look; 68 % is usual."""
    assert share_won(Level.EXPERT, Level.EASY, speed, 300) > 0.58


@pytest.mark.long
@pytest.mark.parametrize(("worse", "better"), list(pairwise(Level)))
def test_each_level_is_stronger_at_its_own_speed(
    worse: Level, better: Level, share_won: Share
) -> None:
    """A rough look; 90 % is usual."""
    assert share_won(better, worse, "own", 100) > 0.7


@pytest.mark.full
@pytest.mark.parametrize("speed", ["equal", "beat"])
def test_the_experts_choice_wins_more_than_62_of_100(speed: str, share_won: Share) -> None:
    assert share_won(Level.EXPERT, Level.EASY, speed, 1_500) > 0.62


@pytest.mark.full
@pytest.mark.parametrize(("worse", "better"), list(pairwise(Level)))
def test_each_level_wins_70_of_100_at_its_own_speed(
    worse: Level, better: Level, share_won: Share
) -> None:
    assert share_won(better, worse, "own", 1_500) > 0.7


@pytest.mark.processes
def test_the_same_seed_gives_the_same_figures() -> None:
    command = [sys.executable, str(SCRIPT), "--games", "3", "--refill", "manual", "--seed", "7"]
    tables = {subprocess.run(command, capture_output=True, check=True).stdout for _ in range(2)}
    (table,) = tables
    assert table.count(b"\n") == 12


@pytest.mark.processes
@pytest.mark.parametrize("wrong", [["--level", "easy"], ["--games", "0"], ["--speed", "light"]])
def test_what_makes_no_sense_is_refused(wrong: list[str]) -> None:
    command = [sys.executable, str(SCRIPT), *wrong]
    assert subprocess.run(command, capture_output=True).returncode == 2
