"""What a run of two peers has shown so far, as one small value, and whether it breaks a claim.

The same notions as oracle.py's, for a search that comes to a state by many ways: vector clocks, openings and stories
are immutable here, so that equal pasts are equal. It reads frames as bytes (WIRE.md's numbers) and records by their
names; it shares nothing with the code under test. What must not be here: sessions, faults.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import msgpack
from support.automaton import Sent, Shared, Wrote
from support.timeless import Face

COMMIT, REVEAL, RESUME = 10, 11, 12
PASS = b"\0"
Clock = tuple[int, int]


class Violated(AssertionError):
    """A claim does not hold. The sentence begins with its name."""


class Stamp(NamedTuple):
    """What a frame carries of its sender's past; a RESUME may complete `last_beat`, opened at `opened`."""

    clock: Clock
    last_beat: int | None = None
    opened: Clock | None = None


class Opened(NamedTuple):
    """A seat's part in a beat, the first time that it left: an opening, or a commitment to one."""

    seat: int
    beat: int
    bound: bytes
    clock: Clock | None


class Witness(NamedTuple):
    """`proposals` are the beats of each seat's, in order; `told` is each beat's story. `forgot`: a power cut took
    what had been answered for, so that causality and openings can't be judged any more.
    """

    clocks: tuple[Clock, Clock] = ((0, 0), (0, 0))
    proposals: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    openings: tuple[Opened, ...] = ()
    commits: tuple[Opened, ...] = ()
    told: tuple[tuple[int, int], ...] = ()
    forgot: bool = False


class Journal(NamedTuple):
    """Records as numbers; the first `durable` of them are on the disk."""

    records: tuple[int, ...] = ()
    durable: int = 0


class Known(NamedTuple):
    """What a journal says: the last beat done, and the open one's own opening and whether it was proposed, answered."""

    done: int
    mine: bytes | None
    proposed: bool
    answered: bool


NOTHING = Known(0, None, False, False)


class Seen(NamedTuple):
    """What a step, or its first effects, leaves behind; `passed`: it answered a COMMIT with a pass."""

    witness: Witness
    journal: Journal
    frames: tuple[tuple[int, Stamp], ...]
    passed: bool


class Judge:
    """Takes in steps, effect by effect; raises Violated. `contests` counts those among the beats that it was told of."""

    def __init__(self, shared: Shared, *, syncs: bool) -> None:
        self._shared = shared
        self._syncs = syncs
        self._known: dict[tuple[int, ...], Known] = {}
        self._stories: dict[int, bool] = {}

    @property
    def contests(self) -> int:
        return sum(self._stories.values())

    def take(
        self,
        seen: Witness,
        seat: int,
        journal: Journal,
        stamp: Stamp | None,
        effects: tuple[Wrote | Sent, ...],
    ) -> Seen:
        """What a seat does after it has read a frame with `stamp`, if it has."""
        run = _Run(self, seen, seat, journal, stamp)
        for effect in effects:
            match effect:
                case Wrote(record, durable):
                    run.wrote(record, durable and self._syncs)
                case Sent(frame):
                    run.sent(frame)
        return Seen(run.seen, run.journal, tuple(run.frames), run.passed)

    def rested(
        self, seen: Seen, seat: int, stamp: Stamp | None, told: tuple[int, ...], face: Face
    ) -> Seen:
        """The step is over: what it told, and what it has read without a word (see Oracle.settled)."""
        witness = seen.witness
        for story in told:
            witness = self._told(witness, story)
        known = self.known(seen.journal.records)
        if face.waiting and not face.frozen and not (known.proposed or known.answered):
            raise Violated(f"C6: seat {seat} keeps a key waiting though nothing is under way")
        if face.waiting and seen.passed:
            raise Violated(
                f"C3: seat {seat} passes, though a key waited before it knew of the COMMIT"
            )
        if stamp is not None and not face.frozen:
            witness = _merged(witness, seat, stamp.clock)
        return seen._replace(witness=witness)

    def cut(self, seen: Witness, journal: Journal, kept: int, other: Journal) -> Witness:
        """A power cut left the first `kept` records of a journal. A beat that no journal has any more never was."""
        if self._syncs:
            return seen
        lost = [self._shared.records.values[record] for record in journal.records[kept:]]
        last = max(self.known(records).done for records in (journal.records[:kept], other.records))
        told = tuple(each for each in seen.told if each[0] <= last)
        bound = any(type(record).__name__ in ("Proposed", "Answered") for record in lost)
        return Witness(told=told, forgot=True) if bound else seen._replace(told=told)

    def known(self, records: tuple[int, ...]) -> Known:
        """What these records say.

        Raises:
            Violated: they contradict themselves.
        """
        found = self._known.get(records)
        if found is None:
            found = NOTHING
            if records:
                record = self._shared.records.values[records[-1]]
                found = _read(self.known(records[:-1]), record)
            self._known[records] = found
        return found

    def _told(self, witness: Witness, number: int) -> Witness:
        beat, moves, _, events, _ = self._shared.stories.values[number]
        if number not in self._stories:
            self._stories[number] = _is_contest(moves, events)
        for told, story in witness.told:
            if told == beat and story != number:
                raise Violated(f"C1: beat {beat} is told in two ways")
        known = (beat, number)
        if known in witness.told:
            return witness
        return witness._replace(told=tuple(sorted((*witness.told, known))))


def _bytes(opening: Any) -> bytes:
    return bytes(opening.move + opening.nonce)


def _read(before: Known, record: Any) -> Known:
    beat = record.beat
    match type(record).__name__:
        case "Proposed":
            if before.proposed:
                raise Violated(f"C7: proposed {beat} with another under way")
            if before.answered or beat != before.done + 1:
                raise Violated(f"clock: proposed {beat} after {before.done}")
            return before._replace(mine=_bytes(record.mine), proposed=True)
        case "Answered":
            if before.answered or beat != before.done + 1:
                raise Violated(f"C9: answered {beat} twice, or after {before.done}")
            mine = _bytes(record.mine)
            if before.mine not in (None, mine):
                raise Violated(f"C9: answered {beat} with another opening than proposed")
            return before._replace(mine=mine, answered=True)
        case "Done":
            if beat != before.done + 1:
                raise Violated(f"C1: completed {beat} after {before.done}")
            if before.mine not in [_bytes(opening) for opening in record.openings]:
                raise Violated(f"C9: beat {beat} is done without this side's own opening")
            return Known(beat, None, False, False)
    return before


def _is_contest(moves: Iterable[Any], events: Iterable[Any]) -> bool:
    """Whether two plays were aimed at one pile; then exactly one has landed (C8)."""
    aims = [move.pile if type(move).__name__ == "Play" else None for move in moves]
    landed = [event.seat for event in events if type(event).__name__ == "Landed"]
    beaten = [event.seat for event in events if type(event).__name__ == "Beaten"]
    if aims[0] is None or aims[0] != aims[1]:
        if beaten:
            raise Violated("C8: a play without a rival was beaten")
        return False
    if len(landed) != 1 or beaten != [1 - landed[0]]:
        raise Violated(f"C8: {landed} landed in a contest")
    return True


def _merged(witness: Witness, seat: int, clock: Clock) -> Witness:
    if witness.forgot:
        return witness
    own = witness.clocks[seat]
    merged = (max(own[0], clock[0]), max(own[1], clock[1]))
    if merged == own:
        return witness
    clocks = (merged, witness.clocks[1]) if seat == 0 else (witness.clocks[0], merged)
    return witness._replace(clocks=clocks)


class _Run:
    """One step, while its effects are taken in."""

    def __init__(
        self, judge: Judge, seen: Witness, seat: int, journal: Journal, stamp: Stamp | None
    ) -> None:
        self._judge = judge
        self.seen = seen
        self._seat = seat
        self.journal = journal
        self.frames: list[tuple[int, Stamp]] = []
        self.passed = False
        self._rest = stamp
        done = judge.known(journal.records).done
        if stamp is not None and stamp.opened is not None and stamp.last_beat == done + 1:
            self.seen = _merged(seen, seat, stamp.opened)

    def wrote(self, number: int, durable: bool) -> None:
        record = self._judge._shared.records.values[number]
        if type(record).__name__ == "Stop":
            return  # it says nothing that a claim or a restart needs
        records = (*self.journal.records, number)
        self.journal = Journal(records, len(records) if durable else self.journal.durable)
        self._judge.known(records)
        match type(record).__name__:
            case "Proposed":
                self._read_on(but_of_a_resume=True)
                self._proposed(record.beat)
            case "Answered":
                self.passed = record.mine.move == PASS
                self._read_on()
            case "Done":
                self._read_on(but_of_a_resume=True)
            case "Ended" if record.how in ("violation", "accused"):
                raise Violated(f"false accusation: {record}")
            case "Ended" if record.how == "lost_records" and self._judge._syncs:
                raise Violated("records are lost, though every one was synced")

    def _read_on(self, but_of_a_resume: bool = False) -> None:
        """What was read counts from here on (see Oracle.arrived)."""
        rest = self._rest
        if rest is not None and not (but_of_a_resume and rest.last_beat is not None):
            self._rest = None
            self.seen = _merged(self.seen, self._seat, rest.clock)

    def _proposed(self, beat: int) -> None:
        """Against every proposal of the other seat so far: known of and earlier, or concurrent and in the same beat."""
        seat, (clocks, proposals) = self._seat, self.seen[:2]
        if self.seen.forgot:
            return
        knows = clocks[seat][1 - seat]
        for number, other in enumerate(proposals[1 - seat], start=1):
            if number <= knows and other >= beat:
                raise Violated(f"C2: {beat} of seat {seat} was proposed after {other} was known")
            if number > knows and other != beat:
                raise Violated(f"C3: {beat} of seat {seat} is concurrent with {other}")
        mine = (*proposals[seat], beat)
        own = clocks[seat]
        clock = (own[0] + 1, own[1]) if seat == 0 else (own[0], own[1] + 1)
        self.seen = self.seen._replace(
            clocks=(clock, clocks[1]) if seat == 0 else (clocks[0], clock),
            proposals=(mine, proposals[1]) if seat == 0 else (proposals[0], mine),
        )

    def sent(self, number: int) -> None:
        kind, *fields = msgpack.unpackb(self._judge._shared.frames.values[number], use_list=False)
        clock, opened = self.seen.clocks[self._seat], None
        if kind == COMMIT:
            self._committed(fields[1], fields[5])
        elif kind == REVEAL:
            self._opened(fields[1], fields[5])
        elif kind == RESUME:
            beat, last, commit, reveal = fields[4], fields[7], fields[8], fields[9]
            if last is not None:
                opened = self._opened(beat, last)
            if commit is not None:
                self._committed(beat + 1, commit)
            if reveal is not None:
                self._opened(beat + 1, reveal)
        last_beat = fields[4] if kind == RESUME else None
        self.frames.append((number, Stamp(clock, last_beat, opened)))

    def _committed(self, beat: int, commitment: bytes) -> None:
        commits = self._bound(self.seen.commits, Opened(self._seat, beat, commitment, None))
        self.seen = self.seen._replace(commits=commits)

    def _opened(self, beat: int, opening: tuple[bytes, bytes]) -> Clock | None:
        known = self._judge.known(self.journal.records)
        is_move = opening[0] != PASS
        if is_move and beat > known.done and not known.answered:
            raise Violated(f"C5: seat {self._seat} opened {beat} before the peer was bound")
        clock = self.seen.clocks[self._seat]
        new = Opened(self._seat, beat, b"".join(opening), clock)
        openings = self._bound(self.seen.openings, new)
        self.seen = self.seen._replace(openings=openings)
        return next((held.clock for held in openings if held[:2] == new[:2]), None)

    def _bound(self, held: tuple[Opened, ...], new: Opened) -> tuple[Opened, ...]:
        if self.seen.forgot:
            return held
        for old in held:
            if old[:2] == new[:2]:
                if old.bound != new.bound:
                    raise Violated(f"C9: seat {new.seat} bound itself to {new.beat} in two ways")
                return held
        return tuple(sorted((*held, new), key=lambda each: each[:2]))
