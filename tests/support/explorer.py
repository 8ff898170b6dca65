"""A search of every interleaving of two peers' steps and of a few mishaps, on the game's own session code.

Depth first, over states that are small numbers; every step is told to a witness, who raises where a claim breaks. What
belongs here: the search, and what must hold where nothing more can happen. A search that comes back to a state on
its own path has found peers that go on for ever, and says so (C6).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from support.automaton import Do
from support.mishaps import Label, Mishap, Next, Steps
from support.timeless import Timer
from support.two_peers import SEATS, Game, State, TwoPeers
from support.witness import Violated


@dataclass(frozen=True)
class Scenario:
    """What is searched: `beats` more beats behind those that the seats of `before` proposed, one after the other; at
    most so many `mishaps` of each kind, and `most` in all.
    """

    mishaps: Mapping[Mishap, int]
    most: int = 2
    beats: int = 3
    before: tuple[int, ...] = (0, 0, 1, 0)
    game: Game = field(default_factory=Game)


@dataclass
class Found:
    """What a search met: distinct states, of them those at rest, and those where a match has ended for lost records;
    the steps between them, and the contests among the beats that were told.
    """

    states: int = 0
    rests: int = 0
    lost_records: int = 0
    steps: int = 0
    contests: int = 0


class Explorer:
    """One search."""

    def __init__(self, scenario: Scenario) -> None:
        self.found = Found()
        self._scenario = scenario
        self._peers = TwoPeers(scenario.game)
        self._steps = Steps(self._peers)
        self._start = self._begun()
        self._last_beat = self._peers.face(self._start, 0).beat + scenario.beats

    def run(self) -> Found:
        """Searches all of it.

        Raises:
            Violated: a claim breaks; the sentence ends with the way there.
        """
        path: dict[bytes, Label] = {}
        try:
            self._search(path)
        except Violated as violated:
            way = " / ".join(" ".join(map(str, label)) for label in path.values() if label)
            raise Violated(f"{violated}; after {way}") from violated
        self.found.contests = self._peers.judge.contests
        return self.found

    def _search(self, path: dict[bytes, Label]) -> None:
        """`path` holds the states from the start to the one that is looked at, each with what led to it."""
        done: set[bytes] = set()
        first = self._peers.key(self._start)
        path[first] = ()
        stack = [(first, self._next(self._start))]
        while stack:
            key, steps = stack[-1]
            for label, state in steps:
                self.found.steps += 1
                after = self._peers.key(state)
                if after in done or (after == key and label[0] == "press"):
                    continue
                if after in path:
                    raise Violated(f"C6: they go on for ever by {label}")
                path[after] = label
                stack.append((after, self._next(state)))
                break
            else:
                done.add(key)
                del path[key]
                stack.pop()
        self.found.states = len(done)

    def _begun(self) -> State:
        state = self._peers.begun(len(Mishap))
        for seat in self._scenario.before:
            _, state = next(self._steps.step(state, seat, Do.PRESS))
            while any(state.wires):
                _, state = next(self._steps.delivery(state, 0 if state.wires[0] else 1))
        kinds = (self._scenario.mishaps.get(mishap, 0) for mishap in Mishap)
        return self._peers.synced(state)._replace(left=(*kinds, self._scenario.most))

    def _next(self, state: State) -> Next:
        for seat in SEATS:
            if self._may_press(state, seat):
                yield from self._steps.step(state, seat, Do.PRESS)
        for seat in SEATS:
            if state.down[seat]:
                yield from self._steps.back(state, seat)
            else:
                if state.wires[1 - seat]:
                    yield from self._steps.delivery(state, 1 - seat)
                yield from self._steps.late_deliveries(state, 1 - seat)
        due: tuple[tuple[int, Timer], ...] = ()
        if not any(state.down) and not any(state.wires):
            due = self._due(state)
            yield from self._rest(state, due)
        if state.left[-1]:
            yield from self._steps.mishaps(state, due)

    def _may_press(self, state: State, seat: int) -> bool:
        face = self._peers.face(state, seat)
        return face.beat + face.open < self._last_beat and self._peers.wants(state, seat)

    def _rest(self, state: State, due: Sequence[tuple[int, Timer]]) -> Next:
        """Nothing is under way: what waits for a timer goes on by it now, and where nothing does, all must be well."""
        self.found.rests += 1
        for seat, timer in due:
            yield from self._steps.step(state, seat, timer)
        if not due:
            self._judge(state)

    def _due(self, state: State) -> tuple[tuple[int, Timer], ...]:
        """The timers of peers at rest. Farewells are repeated only once nobody asks any more: both timers go off again
        and again in the end, and one that changes nothing doesn't keep the other from it.
        """
        armed: list[tuple[int, Timer]] = []
        for seat in SEATS:
            other = self._peers.face(state, 1 - seat)
            gone = other.ended is not None and not other.tells
            timers = self._peers.face(state, seat).timers
            armed += [(seat, timer) for timer in timers if gone is (timer is Timer.ENOUGH)]
        asking = tuple(each for each in armed if each[1] in (Timer.RESUME, Timer.REPLY))
        return asking or tuple(armed)

    def _judge(self, state: State) -> None:
        """C6: nobody waits, nothing is under way, both have come as far; or both have ended alike.

        Who isn't told yet that records are lost wants nothing so far, or the other died before it could tell.
        """
        faces = [self._peers.face(state, seat) for seat in SEATS]
        ends = {face.ended for face in faces}
        if "lost_records" in ends:
            self.found.lost_records += 1
            if ends - {None, "lost_records"}:
                raise Violated(f"C6: they end as {ends}")
            return
        for seat, face in enumerate(faces):
            if face.ended != ("over" if face.over else None):
                raise Violated(f"C6: seat {seat} has ended as {face.ended}")
            if face.ended is None and (face.frozen or face.open or face.waiting):
                raise Violated(f"C6: seat {seat} is stuck")
        if faces[0].standing != faces[1].standing:
            raise Violated("C1: the sides stand apart")
