"""Claims C1–C3, C6–C9 over seeded matches of the game's own session code, judged by an oracle."""

import os
from dataclasses import replace
from math import sqrt
from random import Random

import pytest
from support.oracle import Oracle, Tally
from support.simulator import Simulation, World, seeds

from spitnet.core.state import RefillMode

pytestmark = pytest.mark.long

QUICK = 60
FULL = 1_500
"""Matches a world: eight worlds, so 480 in the quick run and twelve thousand in the full one."""

WORLDS = {
    "even": World(0),
    "unequal": World(0, latency_s=(0.0002, 0.005), thinking_s=(0.003, 0.003)),
    "jitter": World(0, latency_s=(0.001, 0.001), jitter_s=0.01, thinking_s=(0.01, 0.01)),
    "ten_times_as_often": World(0, thinking_s=(0.001, 0.01)),
    "at_once": World(0, thinking_s=(0.0, 0.0), impatience=0.5),
    "manual": World(0, refill=RefillMode.MANUAL, impatience=0.3, games=3),
    "faults": World(
        0,
        latency_s=(0.0005, 0.003),
        jitter_s=0.002,
        thinking_s=(0.005, 0.02),
        impatience=0.3,
        breaks=6.0,
        repeats=0.1,
        heal_s=2.0,
        concede=0.001,
        games=3,
    ),
    "with_everything": World(
        0,
        refill=RefillMode.MANUAL,
        latency_s=(0.0005, 0.003),
        jitter_s=0.002,
        thinking_s=(0.005, 0.02),
        impatience=0.3,
        breaks=3.0,
        repeats=0.1,
        crashes=6.0,
        heal_s=2.0,
        concede=0.001,
    ),
}


def play(world: World) -> Tally:
    """Plays one match to its end and returns its tally; names the seed where a claim fails."""
    oracle = Oracle()
    simulation = Simulation(world, oracle)
    simulation.run()
    again = f"replay with SPIT_SEED={world.seed}"
    ends = [session.ended for session in simulation.sessions]
    assert all(end is not None and end.how == "over" for end in ends), f"C6: {ends}; {again}"
    assert oracle.judge() == [], again
    assert not any(
        session.ended.word for session in simulation.sessions if session.ended is not None
    ), again
    return oracle.tally


def played(name: str, how_many: int) -> Tally:
    """The sum of many matches in one world. SPIT_SEED plays just that seed."""
    only = os.environ.get("SPIT_SEED")
    chosen = [int(only)] if only else seeds(sorted(WORLDS).index(name) + 1, how_many)
    total = Tally()
    for seed in chosen:
        total.add(play(replace(WORLDS[name], seed=seed)))
    return total


@pytest.mark.parametrize("name", WORLDS)
def test_claims_hold(name: str) -> None:
    """C1–C4, C6–C9, and progress: cards landed and races met.

    C4: each seat wins half of the contested plays, whatever the latency and the rate of play; where both play as often,
    both land as many cards.
    """
    tally = played(name, QUICK)
    assert min(tally.landed) > 20 * QUICK
    assert tally.crossings > QUICK
    assert sum(tally.contests_won) > QUICK / 10
    assert_fair(tally.contests_won)
    if name == "at_once":
        assert abs(tally.landed[0] - tally.landed[1]) < 0.05 * sum(tally.landed)


@pytest.mark.full
@pytest.mark.parametrize("name", WORLDS)
def test_claims_hold_at_length(name: str) -> None:
    """C1, C2, C3, C6, C7, C8, C9 over the full number of matches; C4 with the better statistics."""
    tally = played(name, FULL)
    assert min(tally.landed) > 20 * FULL
    assert_fair(tally.contests_won)


def assert_fair(won: list[int]) -> None:
    """Within four standard deviations of a fair coin; the seeds are fixed, so this never flakes."""
    total = sum(won)
    assert total > 0
    assert abs(won[0] - total / 2) <= 4 * sqrt(total) / 2, won


def test_contests_do_not_depend_on_names_and_keys() -> None:
    """C4: whatever the session id, which is made of both keys and both names."""
    total = Tally()
    for seed in seeds(99, QUICK):
        session = Random(seed).randbytes(32)
        total.add(play(replace(WORLDS["at_once"], seed=seed, session=session)))
    assert_fair(total.contests_won)


def test_the_simulator_can_be_replayed() -> None:
    """A seed is a whole match: the same one twice is beat for beat the same."""
    world = replace(WORLDS["faults"], seed=Random(5).getrandbits(32))
    assert play(world) == play(world)
