"""Figures without a socket: the rules alone, two sessions joined in memory, and `spitnet verify` on their record.

One process, one core. The games of `rules` know no session, hashes of states or frames; the sessions know no link
and no disk; `verify` is the installed program, its start and its reading of the file included.
"""

import random
import subprocess
import time
from collections import deque
from hashlib import sha256
from pathlib import Path

from benchmarks.children import Run, Trouble, program
from benchmarks.figures import Samples
from benchmarks.turns import turn_of
from spitnet.bot.arena import winner_of
from spitnet.bot.bot import Bot
from spitnet.bot.levels import Level
from spitnet.core.beat import apply_beat
from spitnet.core.cards import SEATS, Seat
from spitnet.core.draw import Randomness
from spitnet.core.legality import legal
from spitnet.core.moves import Leave
from spitnet.core.state import Settings, new_match
from spitnet.journal.records import FORMAT, NO_CHECK, Opened
from spitnet.journal.records import encode as entry_bytes
from spitnet.protocol import VERSION
from spitnet.protocol.handshake import Doorman, Seated, Visitor
from spitnet.protocol.lockstep import Write
from spitnet.protocol.messages import encode
from spitnet.protocol.records import Record
from spitnet.protocol.session import Session

GAMES = 999
STARTED = "2026-01-01T00:00:00Z"
TICK_S = 0.001
VERIFY_S = 60.0


def rules(run: Run) -> Samples:
    """Games per second: the first legal play of a seat at a time, and of two bots that choose and look ahead."""
    count, bots = run.times(300, 100), run.times(60, 20)
    found: Samples = {"rules_games_per_s": [], "bot_games_per_s": []}
    for repetition in range(run.times(7, 3)):
        began_s = time.perf_counter()
        for number in range(count):
            _play_by_rules(repetition * count + number)
        middle_s = time.perf_counter()
        for number in range(bots):
            _play_by_bots(repetition * bots + number)
        found["rules_games_per_s"].append(count / (middle_s - began_s))
        found["bot_games_per_s"].append(bots / (time.perf_counter() - middle_s))
    return found


def records(run: Run) -> Samples:
    """Beats per second of two sessions in memory, then of `spitnet verify` on what one of them recorded."""
    beats = run.times(12_000, 5_000)
    found: Samples = {"session_beats_per_s": [], "verify_beats_per_s": []}
    for _ in range(run.times(3, 1)):
        began_s = time.perf_counter()
        seated, record = _recorded(beats)
        found["session_beats_per_s"].append(beats / (time.perf_counter() - began_s))
        file = run.home("record") / "long.spit"
        file.write_bytes(_journal(seated, record))
        for _ in range(2):
            found["verify_beats_per_s"].append(beats / _verify_s(file))
    return found


def _play_by_rules(seed: int) -> None:
    """One game: whose turn it is, whether the move is legal, what it does."""
    match, beat, first = new_match(Settings()), 0, seed % 2
    while match.result is None:
        seat, move = turn_of(match, first)
        if not legal(match, seat, move):
            raise Trouble(f"{move} is not legal")
        drawn = Randomness(sha256(b"%d %d" % (seed, beat)).digest())
        match, _ = apply_beat(match, (None, move) if seat else (move, None), drawn)
        beat, first = beat + 1, 1 - first


def _play_by_bots(seed: int) -> None:
    chance = random.Random(seed)
    bots = (Bot(0, Level.NORMAL, chance), Bot(1, Level.NORMAL, chance))
    winner_of(bots, Settings(), chance.randbytes)


class _Peers:
    """Two sessions whose frames reach each other at once, and what the first has written."""

    def __init__(self, seated: tuple[Seated, Seated]) -> None:
        entropy = random.Random(1).randbytes
        self.sessions = tuple(
            Session(one.seat, one.session, one.settings, entropy, 0.0, one.start) for one in seated
        )
        self.record: list[Record] = []
        self._frames: deque[tuple[Seat, bytes]] = deque()

    def settle(self, now_s: float) -> None:
        """Carries out what both say, until neither has anything to say."""
        self._carry_out()
        while self._frames:
            seat, frame = self._frames.popleft()
            self.sessions[seat].receive(frame, now_s)
            self._carry_out()

    def _carry_out(self) -> None:
        for seat in SEATS:
            for effect in self.sessions[seat].take_effects():
                if not isinstance(effect, Write):
                    self._frames.append((1 - seat, encode(effect.message)))
                elif seat == 0:
                    self.record.append(effect.record)
            self.sessions[seat].take_notices()


def _recorded(beats: int) -> tuple[Seated, list[Record]]:
    """The record that seat 0 makes of a match of so many beats."""
    seated = _seated()
    peers = _Peers(seated)
    first = peers.sessions[0]
    now_s = 0.0
    while first.ended is None:
        now_s += TICK_S
        seat, move = (
            turn_of(first.match, first.beat % 2) if first.beat < beats - 1 else (0, Leave())
        )
        peers.sessions[seat].propose(move, now_s)
        peers.settle(now_s)
        if first.beat > beats:
            raise Trouble("the match did not come to its end")
    return seated[0], peers.record


def _seated() -> tuple[Seated, Seated]:
    """What a handshake gives each side."""
    entropy, (host, joiner) = random.Random(0).randbytes, (b"h" * 32, b"j" * 32)
    doorman = Doorman(host, "Ada", Settings(games=GAMES), None, entropy)
    visitor = Visitor(host, joiner, "Ben", None, entropy)
    for _ in range(2):
        answer = doorman.receive(joiner, visitor.frame, 0.0)
        if answer is not None:
            visitor.receive(encode(answer))
    if doorman.seated is None or not isinstance(visitor.answer, Seated):
        raise Trouble("the handshake failed")
    return doorman.seated, visitor.answer


def _journal(seated: Seated, record: list[Record]) -> bytes:
    parts, check = [], NO_CHECK
    for entry in (Opened(FORMAT, VERSION, seated.seat, STARTED, seated.origin, ()), *record):
        part, check = entry_bytes(entry, check)
        parts.append(part)
    return b"".join(parts)


def _verify_s(file: Path) -> float:
    """How long `spitnet verify` takes to find that a record holds."""
    began_s = time.perf_counter()
    done = subprocess.run(
        [program(), "verify", file], capture_output=True, timeout=VERIFY_S, encoding="utf-8"
    )
    took_s = time.perf_counter() - began_s
    if done.returncode:
        raise Trouble(f"the record does not hold: {done.stdout}{done.stderr}")
    return took_s
