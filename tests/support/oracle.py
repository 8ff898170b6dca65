"""Judges a simulated match without the code under test: its own vector clocks, its own reading of frames.

It sees frames as bytes (msgpack arrays, by WIRE.md's numbers), records as they are written, and what each
side says happened. It knows what Spit is only as far as a contest goes: two plays aimed at one pile.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgpack

REVEAL, RESUME = 11, 12
PASS = b"\0"
KINDS = ("Proposed", "Answered", "Done")


@dataclass
class Tally:
    """What came to pass, so that two peers who agree on nothing can't pass for two who agree."""

    beats: int = 0
    landed: list[int] = field(default_factory=lambda: [0, 0])
    contests_won: list[int] = field(default_factory=lambda: [0, 0])
    crossings: int = 0
    contest_winners: list[tuple[int, int]] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        self.beats += other.beats
        self.crossings += other.crossings
        self.contest_winners += other.contest_winners
        for seat in (0, 1):
            self.landed[seat] += other.landed[seat]
            self.contests_won[seat] += other.contests_won[seat]


@dataclass(frozen=True)
class _Proposal:
    seat: int
    beat: int
    clock: tuple[int, int]

    def before(self, other: "_Proposal") -> bool:
        """Happened before, by vector clocks."""
        return self.clock != other.clock and all(
            mine <= theirs for mine, theirs in zip(self.clock, other.clock, strict=True)
        )


@dataclass(frozen=True)
class Stamp:
    """What a frame carries of its sender's past. `last_beat`: a RESUME, and the beat that it may complete."""

    clock: tuple[int, int]
    seat: int
    last_beat: int | None


def _story(told: Any) -> tuple[Any, ...]:
    return told.beat, told.moves, told.events, told.digest


class Oracle:
    """An observer that remembers everything and `judge`s at the end. Violations are plain sentences."""

    def __init__(self) -> None:
        self.violations: list[str] = []
        self.tally = Tally()
        self._clocks = [[0, 0], [0, 0]]
        self._proposals: list[_Proposal] = []
        self._told: tuple[dict[int, Any], dict[int, Any]] = ({}, {})
        self._untold: tuple[set[int], set[int]] = (set(), set())
        self._openings: dict[tuple[int, int], set[bytes]] = defaultdict(set)
        self._outstanding: list[int | None] = [None, None]
        self._done = [0, 0]
        self._held: list[set[int]] = [set(), set()]
        self._opened_at: dict[tuple[int, int], tuple[int, int]] = {}
        self._rest: list[Stamp | None] = [None, None]
        self._passed = [False, False]

    # What happens.

    def wrote(self, seat: int, record: Any) -> None:
        match type(record).__name__:
            case "Proposed":
                self._read_on(seat, but_of_a_resume=True)
                self._proposed(seat, record.beat)
            case "Answered":
                self._passed[seat] = record.mine.move == PASS
                self._read_on(seat)
                self._held[seat].add(record.beat)
            case "Done":
                self._read_on(seat, but_of_a_resume=True)
                self._completed(seat, record.beat)

    def _proposed(self, seat: int, beat: int) -> None:
        if self._outstanding[seat] is not None:
            self.violations.append(f"C7: seat {seat} proposed {beat} with another under way")
        if beat != self._done[seat] + 1:
            self.violations.append(f"clock: seat {seat} proposed {beat} after {self._done[seat]}")
        self._outstanding[seat] = beat
        self._clocks[seat][seat] += 1
        self._proposals.append(_Proposal(seat, beat, self._clock(seat)))

    def _completed(self, seat: int, beat: int) -> None:
        if beat != self._done[seat] + 1:
            self.violations.append(f"C1: seat {seat} completed {beat} after {self._done[seat]}")
        if self._outstanding[seat] == beat:
            self._outstanding[seat] = None
        self._done[seat] = beat
        if abs(self._done[0] - self._done[1]) > 1:
            self.violations.append(f"beats apart: {self._done}")

    def sent(self, seat: int, frame: bytes) -> object:
        kind, *fields = msgpack.unpackb(frame, use_list=False)
        if kind == REVEAL:
            self._opened(seat, fields[1], fields[5])
        elif kind == RESUME:
            beat, last, reveal = fields[4], fields[7], fields[9]
            if last is not None:
                self._opened(seat, beat, last)
            if reveal is not None:
                self._opened(seat, beat + 1, reveal)
            return Stamp(self._clock(seat), seat, beat)
        return Stamp(self._clock(seat), seat, None)

    def _opened(self, seat: int, beat: int, opening: tuple[bytes, bytes]) -> None:
        self._openings[seat, beat].add(b"".join(opening))
        self._opened_at.setdefault((seat, beat), self._clock(seat))
        if opening[0] != PASS and beat not in self._held[seat] and beat > self._done[seat]:
            self.violations.append(f"C5: seat {seat} opened {beat} before the peer was bound")

    def arrived(self, seat: int, stamp: Any) -> None:
        """A frame is received once something comes of it. One that a side discards, being frozen or freezing at it, was
        lost: whoever is frozen knows nothing of the peer's COMMIT. A RESUME repeats frames, and each of its parts arrives as the frame that it repeats: first the opening of
        the beat that is missing here, then, once that has been taken in, all the rest.
        """
        if stamp.last_beat == self._done[seat] + 1:
            self._merge(seat, self._opened_at[stamp.seat, stamp.last_beat])
        self._rest[seat] = stamp

    def _read_on(self, seat: int, but_of_a_resume: bool = False) -> None:
        rest = self._rest[seat]
        if rest is None or (but_of_a_resume and rest.last_beat is not None):
            return
        self._rest[seat] = None
        self._merge(seat, rest.clock)

    def _merge(self, seat: int, clock: tuple[int, int]) -> None:
        self._clocks[seat] = [max(pair) for pair in zip(self._clocks[seat], clock, strict=True)]

    def _clock(self, seat: int) -> tuple[int, int]:
        return self._clocks[seat][0], self._clocks[seat][1]

    def noticed(self, seat: int, notice: Any) -> None:
        if type(notice).__name__ != "Completed":
            return
        before = self._told[seat].setdefault(notice.beat, notice)
        if _story(before) != _story(notice):
            self.violations.append(f"C1: seat {seat} tells beat {notice.beat} in two ways")
        self._untold[seat].discard(notice.beat)

    def restarted(self, seat: int, records: Sequence[Any]) -> None:
        """A process took up its journal. What the one before it had read and not written is gone with it.

        A beat that was written and not yet told is never told by this side: its opponent tells it.
        """
        kinds = {name: {r.beat for r in records if type(r).__name__ == name} for name in KINDS}
        self._done[seat] = max(kinds["Done"], default=0)
        self._held[seat] = kinds["Answered"]
        open_beat = self._done[seat] + 1
        self._outstanding[seat] = open_beat if open_beat in kinds["Proposed"] else None
        self._rest[seat] = None
        self._untold[seat].update(kinds["Done"] - self._told[seat].keys())

    def pressed(self, seat: int, move: Any) -> None:
        pass

    def settled(self, seat: int, session: Any) -> None:
        if not session.frozen:
            self._read_on(seat)
        self._rest[seat] = None
        if session.waiting is not None and self._passed[seat]:
            self.violations.append(
                f"C3: seat {seat} passes, though a key waited before it knew of the COMMIT"
            )
        self._passed[seat] = False
        open_beat = self._outstanding[seat] is not None or self._done[seat] + 1 in self._held[seat]
        if session.waiting is not None and not session.frozen and not open_beat:
            self.violations.append(
                f"C6: seat {seat} keeps a key waiting though nothing is under way"
            )

    # Judgement.

    def judge(self) -> list[str]:
        """Every violation of C1, C2, C3, C7, C8 and C9, as sentences; fills the tally."""
        self._judge_agreement()
        self._judge_causality()
        for (seat, beat), openings in self._openings.items():
            if len(openings) > 1:
                self.violations.append(f"C9: seat {seat} opened beat {beat} in two ways")
        for _, told in sorted((self._told[1] | self._told[0]).items()):
            self._judge_beat(told)
        return self.violations

    def _judge_agreement(self) -> None:
        """Both tell the same beats, whole and alike, but for those that a crash kept from being told."""
        one, two = self._told
        last = max(self._done)
        for seat in (0, 1):
            if self._told[seat].keys() | self._untold[seat] != set(range(1, last + 1)):
                self.violations.append(f"C1: seat {seat} doesn't tell every beat up to {last}")
        if any(_story(one[beat]) != _story(two[beat]) for beat in one.keys() & two.keys()):
            self.violations.append("C1: the two sides tell different stories")
        self.tally.beats = last

    def _judge_causality(self) -> None:
        """Within three beats of each other; further apart the chain of beats orders them anyway."""
        by_beat: dict[int, list[_Proposal]] = defaultdict(list)
        for proposal in self._proposals:
            by_beat[proposal.beat].append(proposal)
        for proposal in self._proposals:
            near = [p for beat in range(proposal.beat, proposal.beat + 3) for p in by_beat[beat]]
            for later in near:
                self._judge_pair(proposal, later)
        self.tally.crossings = sum(len(both) == 2 for both in by_beat.values())

    def _judge_pair(self, one: _Proposal, two: _Proposal) -> None:
        if one is two:
            return
        if two.before(one) or (one.before(two) and one.beat == two.beat):
            self.violations.append(f"C2: {one} and {two} are out of order")
        concurrent = not one.before(two) and not two.before(one)
        if concurrent and one.beat != two.beat:
            self.violations.append(f"C3: {one} and {two} are concurrent in two beats")

    def _judge_beat(self, told: Any) -> None:
        aims = [(move.pile if type(move).__name__ == "Play" else None) for move in told.moves]
        landed = [event.seat for event in told.events if type(event).__name__ == "Landed"]
        beaten = [event.seat for event in told.events if type(event).__name__ == "Beaten"]
        for seat in landed:
            self.tally.landed[seat] += 1
        if aims[0] is None or aims[0] != aims[1]:
            if beaten:
                self.violations.append(f"C8: a play without a rival was beaten in {told.beat}")
            return
        if len(landed) != 1 or beaten != [1 - landed[0]]:
            self.violations.append(f"C8: contest of beat {told.beat}: {landed} landed")
            return
        self.tally.contests_won[landed[0]] += 1
        self.tally.contest_winners.append((told.beat, landed[0]))
