"""How long a beat takes on the side that proposes it, over the echo's round trip and the disk's fdatasync.

A beat is a COMMIT, the peer's answer, and everything that each side does between: hashes, msgpack, the journal, rules,
links. "Back to back", a proposal is made as soon as the former beat is applied, so the peer still has that one to
complete: that too is in the figure. Not in it: choosing a move, and a screen.
"""

import json
import os
from contextlib import ExitStack
from time import perf_counter

from benchmarks.children import LOOPBACK, Run, child, finish, free_port, module
from benchmarks.echo import Echo, echo
from benchmarks.figures import Samples, percentile
from benchmarks.peer import Job
from spitnet.core.cards import SEATS, Card, Seat
from spitnet.core.moves import Play
from spitnet.journal.records import NO_CHECK, encode
from spitnet.protocol.binding import NONCE_BYTES, Opening
from spitnet.protocol.moves import encode_move
from spitnet.protocol.records import Proposed

WARM_UP = 100
"""The first beats are not counted."""
PAUSE_S = 0.004
MATCH_S = 60.0


def back_to_back(run: Run) -> Samples:
    """`--sync process`; host and joiner propose in turn, repetition by repetition."""
    found: Samples = {}
    proposals = run.times(1500, 500)
    with echo(run) as floor:
        for repetition in range(run.times(9, 3)):
            echoes = floor.round_trips_s(proposals)
            beats = _beats_s(run, repetition % 2, proposals)
            echoes += floor.round_trips_s(proposals)
            _note(found, "echo_p50_us", 1e6 * percentile(echoes, 0.5))
            _note(found, "echo_p99_us", 1e6 * percentile(echoes, 0.99))
            _note(found, "beat_p50_us", 1e6 * percentile(beats, 0.5))
            _note(found, "beat_p99_us", 1e6 * percentile(beats, 0.99))
            for share in ("p50", "p99"):
                over = found[f"beat_{share}_us"][-1] / found[f"echo_{share}_us"][-1]
                _note(found, f"beat_over_echo_{share}", over)
    return found


def paced(run: Run) -> Samples:
    """The same with a pause before each proposal and each echo: both processes sleep in between."""
    found: Samples = {}
    proposals = run.times(300, 150)
    with echo(run) as floor:
        for repetition in range(run.times(4, 2)):
            echoes = floor.round_trips_s(proposals, PAUSE_S)
            beats = _beats_s(run, repetition % 2, proposals, pause_s=PAUSE_S)
            beat_s, echo_s = percentile(beats, 0.5), percentile(echoes, 0.5)
            _note(found, "beat_paced_p50_us", 1e6 * beat_s)
            _note(found, "beat_paced_over_echo_p50", beat_s / echo_s)
    return found


def synced(run: Run) -> Samples:
    """`--sync always`: two entries must reach the disk in each beat, one on either side."""
    found: Samples = {}
    proposals = run.times(300, 150)
    with echo(run) as floor:
        for repetition in range(run.times(5, 2)):
            _synced_once(run, floor, repetition % 2, proposals, found)
    return found


def _synced_once(run: Run, floor: Echo, proposer: Seat, proposals: int, found: Samples) -> None:
    echo_ms = 1e3 * percentile(floor.round_trips_s(proposals), 0.5)
    disk = _fdatasyncs_s(run, proposals)
    beats = _beats_s(run, proposer, proposals, synced=True)
    disk += _fdatasyncs_s(run, proposals)
    for share, name in ((0.5, "p50"), (0.99, "p99")):
        _note(found, f"fdatasync_{name}_ms", 1e3 * percentile(disk, share))
        _note(found, f"beat_synced_{name}_ms", 1e3 * percentile(beats, share))
    _note(found, "beat_synced_limit_ms", echo_ms + 2.5 * found["fdatasync_p50_ms"][-1])


def _beats_s(
    run: Run, proposer: Seat, proposals: int, pause_s: float = 0.0, synced: bool = False
) -> list[float]:
    """Proposal → applied of each beat of one match between two processes."""
    home, port = run.home("beats"), free_port()
    warm_up = min(WARM_UP, proposals // 4)
    wanted = (proposer, proposals + warm_up, pause_s, synced, LOOPBACK, port, str(home))
    with ExitStack() as ending:
        peers = [
            ending.enter_context(child(module("peer", Job(seat, *wanted).text()), home))
            for seat in SEATS
        ]
        finish(peers, home, MATCH_S)
    times_s: list[float] = json.loads(Job(proposer, *wanted).results.read_text())
    return times_s[warm_up:]


def _fdatasyncs_s(run: Run, count: int) -> list[float]:
    """The disk alone: appending an entry of the length that a proposal has, and waiting for it."""
    opening = Opening(encode_move(Play(Card(50), 1, 30)), bytes(NONCE_BYTES))
    entry, _ = encode(Proposed(1000, opening), NO_CHECK)
    sync = getattr(os, "fdatasync", os.fsync)
    found = []
    descriptor = os.open(run.home("disk") / "file", os.O_WRONLY | os.O_CREAT)
    try:
        for _ in range(count):
            before_s = perf_counter()
            os.write(descriptor, entry)
            sync(descriptor)
            found.append(perf_counter() - before_s)
    finally:
        os.close(descriptor)
    return found


def _note(found: Samples, name: str, value: float) -> None:
    found.setdefault(name, []).append(value)
