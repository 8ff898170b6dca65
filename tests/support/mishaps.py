"""All that can happen next to two peers: their own steps, and what goes wrong between them.

What belongs here: which states follow upon a state. What must not: what a step does (two_peers.py), in which order
the states are searched (explorer.py).
"""

from collections.abc import Container, Iterator
from enum import IntEnum
from typing import TypeAlias

from support.automaton import Do, Input, Wrote
from support.timeless import Timer
from support.two_peers import BROKEN, SEATS, State, TwoPeers, Wire, set_at
from support.witness import Journal, Stamp, Witness

Label: TypeAlias = tuple[object, ...]
Next: TypeAlias = Iterator[tuple[Label, State]]


class Mishap(IntEnum):
    """What may befall a run a limited number of times.

    A connection breaks, and the end of what is under way in it is lost, in either direction; each side's link may tell
    or not (LOSS). A process dies between any two of its effects, and starts again from its journal (KILL), of which a
    power cut took as much as the syncs allow (CUT). A frame comes a second time, or after the connection that it was
    lost with, as late as it likes (REPEAT). A timer goes off early (TIMER). A player leaves and comes back (PAUSE).
    """

    LOSS = 0
    KILL = 1
    CUT = 2
    REPEAT = 3
    TIMER = 4
    PAUSE = 5


CRASHES = (Mishap.KILL, Mishap.CUT)


def may(state: State, mishap: Mishap) -> bool:
    return bool(state.left[-1] and state.left[mishap])


def less(state: State, mishap: Mishap) -> State:
    """The state with one mishap of that kind fewer to come."""
    left = list(state.left)
    left[mishap] -= 1
    left[-1] -= 1
    return state._replace(left=tuple(left))


class Steps:
    """The states that follow, each with what leads there. All of it may raise Violated."""

    def __init__(self, peers: TwoPeers) -> None:
        self._peers = peers

    def step(self, state: State, seat: int, what: Input, stamp: Stamp | None = None) -> Next:
        """One input to one seat; and the same cut off by a crash before a record that it would have written."""
        step = self._peers.step(state, seat, what)
        label = (what.name.lower() if isinstance(what, Do | Timer) else f"frame {what}", seat)
        yield label, self._peers.after(state, seat, step, stamp)
        if not any(may(state, crash) for crash in CRASHES):
            return
        for upto in range(1, len(step.effects)):
            if any(isinstance(effect, Wrote) for effect in step.effects[upto:]):
                dying = self._peers.after(state, seat, step, stamp, upto)
                for end, restarted in self.crashes(dying, seat):
                    yield (*label, "upto", upto, *end), restarted

    def delivery(self, state: State, sender: int) -> Next:
        """The next that is under way from `sender` arrives."""
        (frame, stamp), *rest = state.wires[sender]
        seat = 1 - sender
        read = state._replace(wires=set_at(state.wires, sender, tuple(rest)))
        if frame == BROKEN:
            cut_off = read._replace(down=set_at(state.down, seat, True))
            yield from self.step(cut_off, seat, Do.DOWN)
            return
        yield from self.step(read, seat, frame, stamp)
        if may(state, Mishap.REPEAT):
            repeated = self._late(less(read, Mishap.REPEAT), sender, (frame, stamp))
            yield from self.step(repeated, seat, frame, stamp)

    def late_deliveries(self, state: State, sender: int) -> Next:
        """Any of the frames that come late arrives."""
        late = state.late[sender]
        for at, (frame, stamp) in enumerate(late):
            read = state._replace(late=set_at(state.late, sender, late[:at] + late[at + 1 :]))
            yield from self.step(read, 1 - sender, frame, stamp)

    def back(self, state: State, seat: int) -> Next:
        """The link of `seat` is back. What was sent to it meanwhile may be lost, from its beginning on."""
        wire = state.wires[1 - seat]
        up = state._replace(down=set_at(state.down, seat, False))
        for lost in range(len(wire) + 1):
            if lost and wire[lost - 1][0] == BROKEN:
                return
            rest = up._replace(wires=set_at(up.wires, 1 - seat, wire[lost:]))
            yield from self.step(rest, seat, Do.UP)

    def mishaps(self, state: State, due: Container[tuple[int, Timer]]) -> Next:
        """Whatever else can go wrong now. Timers that are `due` anyway aren't early."""
        if may(state, Mishap.LOSS):
            yield from self._breaks(less(state, Mishap.LOSS))
        for seat in SEATS:
            face = self._peers.face(state, seat)
            if face.ended is not None:
                continue
            yield from self.crashes(state, seat)
            if may(state, Mishap.PAUSE) and not face.over:
                yield from self._pause(less(state, Mishap.PAUSE), seat)
            if may(state, Mishap.TIMER):
                for timer in (*face.timers, Timer.PING):
                    if timer is not Timer.ENOUGH and (seat, timer) not in due:
                        yield from self.step(less(state, Mishap.TIMER), seat, timer)

    def crashes(self, state: State, seat: int) -> Next:
        """The process dies now, and starts again; of what it has sent any first part still arrives."""
        if may(state, Mishap.KILL):
            witness = self._peers.witness(state)
            records = len(self._peers.journal(state, seat).records)
            yield from self._restarts(less(state, Mishap.KILL), seat, records, witness, "kill")
        if may(state, Mishap.CUT):
            yield from self._cuts(less(state, Mishap.CUT), seat)

    def _cuts(self, state: State, seat: int) -> Next:
        journal, other = (self._peers.journal(state, each) for each in (seat, 1 - seat))
        for kept in range(journal.durable, len(journal.records) + 1):
            seen = self._peers.judge.cut(self._peers.witness(state), journal, kept, other)
            yield from self._restarts(state, seat, kept, seen, "cut")

    def _restarts(self, state: State, seat: int, kept: int, seen: Witness, name: str) -> Next:
        records, durable = self._peers.journal(state, seat)
        journal = Journal(records[:kept], durable if name == "kill" else kept)
        restarted = self._peers.restarted(state, seat, journal, seen)
        wire = state.wires[seat]
        for arrive in range(len(wire) + 1):
            for told in (False, True):
                wires = set_at(restarted.wires, seat, broken(wire, arrive, told=told))
                label = (name, seat, len(records) - kept, arrive, told)
                yield label, restarted._replace(wires=wires)

    def _breaks(self, state: State) -> Next:
        one, two = state.wires
        for kept in range(len(one) + 1):
            for kept_too in range(len(two) + 1):
                lost = one[kept:], two[kept_too:]
                for told in ((), (0,), (1,), (0, 1)):
                    if told or any(lost):
                        wires = (
                            broken(one, kept, told=1 in told),
                            broken(two, kept_too, told=0 in told),
                        )
                        label = ("loss", kept, kept_too, told)
                        yield label, state._replace(wires=wires)
                        yield from self._survivors(state._replace(wires=wires), label, lost)

    def _survivors(self, state: State, label: Label, lost: tuple[Wire, Wire]) -> Next:
        """One of the frames that were lost comes late after all."""
        if may(state, Mishap.REPEAT):
            for sender in SEATS:
                for entry in lost[sender]:
                    if entry[0] != BROKEN:
                        late = self._late(less(state, Mishap.REPEAT), sender, entry)
                        yield (*label, "but late", entry[0]), late

    def _late(self, state: State, sender: int, entry: tuple[int, Stamp | None]) -> State:
        return state._replace(late=set_at(state.late, sender, (*state.late[sender], entry)))

    def _pause(self, state: State, seat: int) -> Next:
        """It says goodbye and leaves; all that it has sent arrives."""
        left = self._peers.after(state, seat, self._peers.step(state, seat, Do.PAUSE), None)
        journal, witness = self._peers.journal(left, seat), self._peers.witness(left)
        back = self._peers.restarted(left, seat, journal, witness)
        wire = left.wires[seat]
        wires = set_at(back.wires, seat, broken(wire, len(wire), told=True))
        yield ("pause", seat), back._replace(wires=wires)


def broken(wire: Wire, kept: int, *, told: bool) -> Wire:
    """What is left of a wire whose connection broke: what still arrives, and the news of it, if there are any."""
    news = told or any(frame == BROKEN for frame, _ in wire[kept:])
    return wire[:kept] + (((BROKEN, None),) if news else ())
