"""Figures without a socket: the rules alone, two sessions joined in memory, and `spitnet verify` on their record.

One process, one core. The games of `rules` know no session, hashes of states or frames; beside them, what python-chess
does for a move: lists all that are legal, and makes one. The sessions know no link and no disk; `verify` is the
installed program, its start and its reading of the file included.
"""

import random
import subprocess
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

from arena import winner_of

from benchmarks.children import Run, Trouble, program, rival
from benchmarks.figures import Samples, note
from benchmarks.pairs import Pair, seated
from benchmarks.turns import turn_of
from spitnet.bot.bot import Bot
from spitnet.bot.levels import Level
from spitnet.core.beat import apply_beat
from spitnet.core.cards import Seat
from spitnet.core.draw import Randomness
from spitnet.core.legality import legal
from spitnet.core.state import Settings, new_match
from spitnet.journal.file_format import FORMAT, NO_CHECK, Opened
from spitnet.journal.file_format import encode as entry_bytes
from spitnet.protocol import VERSION
from spitnet.protocol.entries import Record
from spitnet.protocol.handshake import Seated
from spitnet.protocol.lockstep import Write

GAMES = 999
STARTED = "2026-01-01T00:00:00Z"
CHESS_S = 0.3
CHESS_MOVES = 120
"""Of a game, after which another is begun."""
VERIFY_S = 60.0


def rules(run: Run) -> Samples:
    """Games per second: the first legal play of a seat at a time, and of two bots that choose and look ahead."""
    count, bots = run.times(300, 80), run.times(60, 15)
    chess = rival("chess", run, ("chess_moves_per_s",))
    found: Samples = {}
    for repetition in range(run.times(7, 2)):
        seeds = range(repetition * count, (repetition + 1) * count)
        began_s = time.perf_counter()
        moves = sum(_play_by_rules(seed) for seed in seeds)
        took_s = time.perf_counter() - began_s
        note(found, "rules_games_per_s", count / took_s)
        note(found, "rules_moves_per_s", moves / took_s)
        if chess is not None:
            note(found, "chess_moves_per_s", _chess_moves_per_s(chess, repetition))
        began_s = time.perf_counter()
        for number in range(bots):
            _play_by_bots(repetition * bots + number)
        note(found, "bot_games_per_s", bots / (time.perf_counter() - began_s))
    return found


def records(run: Run) -> Samples:
    """Beats per second of two sessions in memory, then of `spitnet verify` on what one of them recorded."""
    beats = run.times(12_000, 5_000)
    found: Samples = {"session_beats_per_s": [], "verify_beats_per_s": []}
    for _ in range(run.times(3, 1)):
        began_s = time.perf_counter()
        whose, record = _recorded(beats)
        found["session_beats_per_s"].append(beats / (time.perf_counter() - began_s))
        file = run.home("record") / "long.spit"
        file.write_bytes(_journal(whose, record))
        for _ in range(2):
            found["verify_beats_per_s"].append(beats / _verify_s(file))
    return found


def _play_by_rules(seed: int) -> int:
    """One game: whose turn it is, whether the move is legal, what it does. How many moves it had."""
    match, beat, first = new_match(Settings()), 0, seed % 2
    while match.result is None:
        seat, move = turn_of(match, first)
        if not legal(match, seat, move):
            raise Trouble(f"{move} is not legal")
        drawn = Randomness(sha256(b"%d %d" % (seed, beat)).digest())
        match, _ = apply_beat(match, (None, move) if seat else (move, None), drawn)
        beat, first = beat + 1, 1 - first
    return beat


def _chess_moves_per_s(chess: Any, seed: int) -> float:
    """Games by chance: all legal moves of each position, and one of them made."""
    chance, moves, board = random.Random(seed), 0, chess.Board()
    began_s = time.perf_counter()
    while (took_s := time.perf_counter() - began_s) < CHESS_S:
        legal_moves = list(board.legal_moves)
        if not legal_moves or len(board.move_stack) >= CHESS_MOVES:
            board = chess.Board()
            continue
        board.push(chance.choice(legal_moves))
        moves += 1
    return moves / took_s


def _play_by_bots(seed: int) -> None:
    chance = random.Random(seed)
    bots = (Bot(0, Level.NORMAL, chance), Bot(1, Level.NORMAL, chance))
    winner_of(bots, Settings(), chance.randbytes)


def _recorded(beats: int) -> tuple[Seated, list[Record]]:
    """The record that seat 0 makes of a match of so many beats."""
    both, record = seated(GAMES), list[Record]()

    def write(seat: Seat, effect: Write) -> None:
        if seat == 0:
            record.append(effect.record)

    pair = Pair(both, write)
    while pair.beat < beats - 1:
        pair.play()
    pair.leave()
    return both[0], record


def _journal(whose: Seated, record: list[Record]) -> bytes:
    parts, check = [], NO_CHECK
    for entry in (Opened(FORMAT, VERSION, whose.seat, STARTED, whose.origin, ()), *record):
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
