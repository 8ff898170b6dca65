"""C4 over real sockets: contested plays won by seat, by who is faster, by name and key; cards landed at equal rates."""

from math import sqrt
from pathlib import Path

import pytest
from support.pairs import Line, Peer, assert_played, peers

GAMES = 31
PACES = {
    "both at once": ("0", "0"),
    "host faster": ("0", "0.0004"),
    "joiner faster": ("0.0004", "0"),
}


def won(story: list[Line]) -> list[int]:
    """Contested plays won, by seat."""
    losers = [line["seat"] for line in story if line.get("result") == "beaten"]
    return [losers.count(1), losers.count(0)]


def landed(story: list[Line]) -> list[int]:
    seats = [line["seat"] for line in story if line.get("result") == "landed"]
    return [seats.count(0), seats.count(1)]


@pytest.mark.parametrize("pace", PACES)
def test_contests_are_even(tmp_path: Path, free_port: int, pace: str) -> None:
    """Within four standard deviations of a fair coin, whoever is host, joiner, faster or first in the alphabet."""
    delays = PACES[pace]
    here = ("--headless", "--interface", "lo", "--discovery-port", str(free_port))
    quickly = (*here, "--sync", "process")
    with peers(
        Peer(
            tmp_path / "ana",
            ("host", *quickly, "--delay", delays[0], "--games", str(GAMES), "--name", "Ana"),
        ),
        Peer(tmp_path / "zoe", ("join", *quickly, "--delay", delays[1], "--name", "Zoë")),
    ) as (host, joiner):
        story = assert_played(host, joiner)
    contests = won(story)
    assert sum(contests) > 15
    assert abs(contests[0] - contests[1]) <= 4 * sqrt(sum(contests))
    if pace == "both at once":
        both = landed(story)
        assert abs(both[0] - both[1]) < 0.1 * sum(both)
