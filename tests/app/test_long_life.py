"""A thousand games in one go: nothing grows, neither in two real processes nor in what a session holds.

Only what can be counted is asserted; how long a beat takes early and late in a match is printed.
"""

import gc
import os
import pickle
from collections import deque
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import NamedTuple

import psutil
import pytest
from support.games import acting
from support.pairs import Peer, assert_played, peers

from spitnet.core.state import RefillMode, Settings
from spitnet.journal.file_format import NO_CHECK, encode
from spitnet.journal.store import stream
from spitnet.journal.verify import RecordStatus, verify
from spitnet.protocol.entries import Done
from spitnet.protocol.lockstep import Write
from spitnet.protocol.messages import encode as frame_of
from spitnet.protocol.session import Session

GAMES = 1000
EVERY = 50
LAST = 10
"""So many games before the match may end, the last look is taken."""
GROWTH_MOST_BYTES = 3 * 2**20
"""What the allocator may keep: a leak of 40 bytes a beat would be more."""


class Sample(NamedTuple):
    """What a process holds after so many games."""

    game: int
    rss: int
    threads: int
    handles: int
    sockets: int


def sample(game: int, process: psutil.Process) -> Sample:
    with process.oneshot():
        sockets = sum(link.startswith("socket:") for link in _handles(process.pid))
        return Sample(
            game, process.memory_info().rss, process.num_threads(), process.num_fds(), sockets
        )


def _handles(pid: int) -> list[str]:
    directory = Path("/proc", str(pid), "fd")
    return [os.readlink(entry) for entry in directory.iterdir()]


@pytest.mark.full
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts handles in /proc")
def test_a_thousand_games_in_one_process(tmp_path: Path, free_port: int) -> None:
    """Memory, threads, sockets and file handles of both sides after a hundred games are those at the end."""
    quickly = ("--headless", "--delay", "0", "--sync", "process", "--interface", "lo")
    here = (*quickly, "--discovery-port", str(free_port))
    with peers(
        Peer(tmp_path / "ana", ("host", *here, "--games", str(GAMES))),
        Peer(tmp_path / "bram", ("join", *here)),
    ) as both:
        samples: tuple[list[Sample], list[Sample]] = ([], [])
        processes = [psutil.Process(peer.process.pid) for peer in both]
        games, wins = 0, [0, 0]
        while (
            left := GAMES - games - abs(wins[0] - wins[1])
        ) > LAST:  # more than that can't be caught up
            winner = both[0].wait_for("game_over")["winner"]
            games += 1
            if winner is not None:
                wins[winner] += 1
            if games % EVERY == 0 or left == LAST + 1:
                for seen, process in zip(samples, processes, strict=True):
                    seen.append(sample(games, process))
        story = assert_played(*both)
        for peer in both:
            assert verify(stream(peer.record())).standing is RecordStatus.HOLDS
    for name, seen in zip(("host", "join"), samples, strict=True):
        first, last = seen[1], seen[-1]
        size = both[0].record().stat().st_size
        print(f"{name}: {first}, {last}; {story[-1]['beat']} beats, {size} bytes")
        assert {one[2:] for one in seen} == {first[2:]}
        assert last.rss - first.rss < GROWTH_MOST_BYTES


class Table:
    """Two sessions on a link that loses nothing; every record is encoded, as the journal does it, and dropped."""

    def __init__(self, settings: Settings, seed: int) -> None:
        self._random = Random(seed)
        self.sessions = [Session(seat, bytes(32), settings, os.urandom, 0.0) for seat in (0, 1)]
        self._choosers = [acting(seed), acting(seed + 1)]
        self._checks = [NO_CHECK, NO_CHECK]
        self._wire: deque[tuple[int, bytes]] = deque()
        self.beat = 0
        self.now_s = 0.0

    @property
    def over(self) -> bool:
        return all(session.ended for session in self.sessions)

    def play(self) -> None:
        """Both do something, whoever is first, and all that follows from it."""
        self.now_s += 0.01
        for seat in self._random.sample((0, 1), 2):
            session = self.sessions[seat]
            session.poll(self.now_s)
            move = None if session.over else self._choosers[seat](session.match, seat)
            if move is not None:
                session.propose(move, self.now_s)
            self._carry_out(seat)
        while self._wire:
            seat, frame = self._wire.popleft()
            self.sessions[seat].receive(frame, self.now_s)
            self._carry_out(seat)

    def _carry_out(self, seat: int) -> None:
        for effect in self.sessions[seat].take_effects():
            if isinstance(effect, Write):
                _, self._checks[seat] = encode(effect.record, self._checks[seat])
                self.beat += seat == 0 and isinstance(effect.record, Done)
            else:
                self._wire.append((1 - seat, frame_of(effect.message)))
        self.sessions[seat].take_notices()


class Burden(NamedTuple):
    """How much there is of everything, and what a beat takes."""

    beat: int
    pickled_bytes: int
    objects: int
    beat_us: float


def measured(table: Table, beats: int) -> Burden:
    """Plays so many beats, and looks at what is there afterwards."""
    times = []
    until = table.beat + beats
    while table.beat < until and not table.over:
        before, started = table.beat, perf_counter()
        table.play()
        if table.beat > before:
            times.append((perf_counter() - started) / (table.beat - before))
    gc.collect()
    size = sum(len(pickle.dumps(session)) for session in table.sessions)
    return Burden(table.beat, size, len(gc.get_objects()), median(times) * 1e6)


@pytest.mark.full
def test_a_late_beat_costs_what_an_early_one_does() -> None:
    """What a session holds after some ten thousands of beats is no more than after a thousand."""
    table = Table(Settings(GAMES, RefillMode.MANUAL), seed=1)
    measured(table, 100)
    early = measured(table, 1000)
    while not table.over:
        late = measured(table, 1000) if table.beat % 20_000 < 1000 else None
        if late is not None and not table.over:
            last = late
        else:
            table.play()
    print(
        f"early: {early}; late: {last}; a beat takes {last.beat_us / early.beat_us:.2f} times as long"
    )
    assert last.beat > 40_000
    assert last.pickled_bytes < early.pickled_bytes + 1000
    assert last.objects < early.objects + 1000
