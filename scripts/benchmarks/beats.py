"""How long a beat takes on the side that proposes it, over the echo's round trip and the disk's fdatasync.

A beat is a COMMIT, the peer's answer, and everything that each side does between: hashes, msgpack, the journal, rules,
links. It is applied once the proposer holds the new table and has written the beat down; told once it has also sent the
frame that completes the beat for the peer. Not in it: choosing a move, and a screen. Three ways to follow one another, each beside an echo in the same way:

    alone           GAP_S before each. The peer has finished the beat before, which is looked up in both sides' times
                    (the few proposed too early are left out), so that the figure is of one beat and nothing else.
    back to back    each proposed as soon as the one before is applied on the proposer. The peer still has that one to
                    finish: it hears of its last frame half a round trip later. So its work is in the figure twice,
                    once before the answer and once after it, and an echo has nothing of the kind.
    paced           PAUSE_S before each, as people play: processors have gone to sleep on both sides.

`beat_over_echo` is the first. In the gap both asking sides sleep by the same call, and both answering sides block on their
sockets. For its answer the echo blocks; the game looks for a while before it sleeps, as it does in every match, so that it
need not be woken where the answer is quick. Every side has a core of its own.
"""

import os
from contextlib import ExitStack
from itertools import compress
from time import perf_counter

from benchmarks.children import LOOPBACK, Run, Trouble, child, finish, free_port, module
from benchmarks.echo import Echo, echo
from benchmarks.figures import Samples, note, percentile
from benchmarks.peer import Job, told_after_s, took_s, were_alone
from spitnet.core.cards import SEATS, Card, Seat
from spitnet.core.moves import Play
from spitnet.journal.file_format import NO_CHECK, encode
from spitnet.protocol.binding import Opening
from spitnet.protocol.entries import Proposed
from spitnet.protocol.fields import NONCE_BYTES
from spitnet.protocol.move_codec import encode_move

WARM_UP = 100
"""The first beats are not counted."""
GAP_S = 0.0005
"""Longer than the peer takes to finish a beat, and still far from a pause."""
PAUSE_S = 0.004
LEAST_ALONE = 0.5
"""If fewer beats than this share were alone, the rest says little."""
MATCH_S = 60.0


def alone(run: Run) -> Samples:
    """`--sync process`; host and joiner propose in turn, repetition by repetition, an echo before and after each."""
    found: Samples = {}
    proposals = run.times(1200, 400)
    with echo(run) as floor:
        for repetition in range(run.times(9, 2)):
            echoes = floor.round_trips_s(proposals, GAP_S)
            job = _played(run, repetition % 2, proposals, GAP_S)
            were = were_alone(job)
            echoes += floor.round_trips_s(proposals, GAP_S)
            share = sum(were) / len(were)
            if share < LEAST_ALONE:
                raise Trouble(f"only {share:.0%} of the beats stood alone: the machine is busy")
            note(found, "beat_alone_percent", 100 * share)
            beats = [*compress(took_s(job), were)][WARM_UP:]
            told = [*compress(told_after_s(job), were)][WARM_UP:]
            _note_ratio(found, "", beats, echoes)
            note(found, "beat_told_p50_us", 1e6 * percentile(told, 0.5))
            note(
                found,
                "beat_told_over_echo_p50",
                percentile(told, 0.5) / percentile(echoes, 0.5),
            )
    return found


def back_to_back(run: Run) -> Samples:
    """The same without a gap, in the beats and in the echo."""
    found: Samples = {}
    proposals = run.times(1500, 400)
    with echo(run) as floor:
        for repetition in range(run.times(5, 2)):
            echoes = floor.round_trips_s(proposals)
            beats = took_s(_played(run, repetition % 2, proposals))
            echoes += floor.round_trips_s(proposals)
            _note_ratio(found, "_back_to_back", beats[WARM_UP:], echoes)
    return found


def paced(run: Run) -> Samples:
    """The same with a pause before each proposal and each echo."""
    found: Samples = {}
    proposals = run.times(300, 100)
    with echo(run) as floor:
        for repetition in range(run.times(4, 2)):
            echoes = floor.round_trips_s(proposals, PAUSE_S)
            beats = took_s(_played(run, repetition % 2, proposals, PAUSE_S))
            _note_ratio(found, "_paced", beats[WARM_UP:], echoes)
    return found


def _note_ratio(found: Samples, way: str, beats: list[float], echoes: list[float]) -> None:
    for share, word in ((0.5, "p50"), (0.99, "p99")):
        beat_s, echo_s = percentile(beats, share), percentile(echoes, share)
        note(found, f"echo{way}_{word}_us", 1e6 * echo_s)
        note(found, f"beat{way}_{word}_us", 1e6 * beat_s)
        note(found, f"beat{way}_over_echo_{word}", beat_s / echo_s)


def synced(run: Run) -> Samples:
    """`--sync always`: two entries must reach the disk in each beat, one on either side."""
    found: Samples = {}
    proposals = run.times(300, 100)
    with echo(run) as floor:
        for repetition in range(run.times(5, 2)):
            _synced_once(run, floor, repetition % 2, proposals, found)
    return found


def _synced_once(run: Run, floor: Echo, proposer: Seat, proposals: int, found: Samples) -> None:
    echo_ms = 1e3 * percentile(floor.round_trips_s(proposals, GAP_S), 0.5)
    disk = _fdatasyncs_s(run, proposals)
    beats = took_s(_played(run, proposer, proposals, GAP_S, synced=True))[WARM_UP:]
    disk += _fdatasyncs_s(run, proposals)
    for share, name in ((0.5, "p50"), (0.99, "p99")):
        note(found, f"fdatasync_{name}_ms", 1e3 * percentile(disk, share))
        note(found, f"beat_synced_{name}_ms", 1e3 * percentile(beats, share))
    note(found, "beat_synced_limit_ms", echo_ms + 2.5 * found["fdatasync_p50_ms"][-1])


def _played(
    run: Run, proposer: Seat, proposals: int, gap_s: float = 0.0, synced: bool = False
) -> Job:
    """A match between two processes that came to its end; the job of the side that proposed."""
    home, port = run.home("beats"), free_port()
    host, joiner = (
        Job(
            seat=seat,
            proposer=proposer,
            proposals=proposals + WARM_UP,
            pause_s=0.0,
            synced=synced,
            interface=LOOPBACK,
            discovery_port=port,
            directory=str(home),
            gap_s=gap_s,
        )
        for seat in SEATS
    )
    with ExitStack() as ending:
        peers = [
            ending.enter_context(child(module("peer", job.text()), home, core=job.seat))
            for job in (host, joiner)
        ]
        finish(peers, home, MATCH_S)
    return joiner if proposer else host


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
