"""Two peers, their wires and their journals as one small value, and one step of one of them.

What belongs here: the state of a run, and what a step makes of it. What must not: which steps and mishaps there are
(mishaps.py), how they are searched (explorer.py).
"""

from dataclasses import dataclass, field
from struct import pack
from typing import NamedTuple, TypeAlias, TypeVar

from support.automaton import FRESH_IDS, Automaton, Input, Numbers, Shared, Step, Wish, ids_in
from support.timeless import Face
from support.witness import Journal, Judge, Stamp, Violated, Witness

from spitnet.core.legality import legal, plays
from spitnet.core.moves import Deal, Move, Ready, Spit
from spitnet.core.state import Match, Settings

SESSION = bytes(range(32))
SEATS = (0, 1)
BROKEN = -1
"""Stands in a wire for what the receiver's link says once all before it has been read: the connection broke."""

Wire: TypeAlias = tuple[tuple[int, Stamp | None], ...]
Value = TypeVar("Value")


def usual_wish(match: Match, seat: int) -> Move | None:
    """The first play on pile 0, else on pile 1: so that both seats aim at one pile."""
    choices: tuple[Move, ...] = () if match.game is None else plays(match.game, seat)
    return next(
        (move for move in (*choices, Deal(), Ready(), Spit()) if legal(match, seat, move)), None
    )


@dataclass(frozen=True)
class Game:
    """What the peers play: settings, wishes, and cards, which `salt` chooses: by this one both seats can play on pile 0 at
    once after four beats. `syncs` stands for `--sync always`.
    """

    wish: Wish = usual_wish
    settings: Settings = field(default_factory=Settings)
    salt: int = 2
    syncs: bool = True


class State(NamedTuple):
    """Everything; pairs are by seat. A wire is its sender's, and so is what of it was repeated, which comes `late`.

    A seat is `down` from the break of its link until that is back. `left` counts the mishaps that may come, of each
    kind and in all. `peers`, `journals` and `witness` are numbers.
    """

    peers: tuple[int, int]
    wires: tuple[Wire, Wire]
    late: tuple[Wire, Wire]
    down: tuple[bool, bool]
    journals: tuple[int, int]
    draws: tuple[int, int]
    left: tuple[int, ...]
    witness: int


def set_at(pair: tuple[Value, Value], seat: int, value: Value) -> tuple[Value, Value]:
    return (value, pair[1]) if seat == 0 else (pair[0], value)


class TwoPeers:
    """The automata of both seats, and the judge of what they do."""

    def __init__(self, game: Game) -> None:
        self.shared = Shared(Numbers(), Numbers(), Numbers())
        self.judge = Judge(self.shared, syncs=game.syncs)
        self._automata = [
            Automaton(
                seat, SESSION, game.settings, game.wish, game.salt, not game.syncs, self.shared
            )
            for seat in SEATS
        ]
        self._wires, self._witnesses, self._journals = Numbers(), Numbers(), Numbers()
        self._taken: dict[object, tuple[int, int, Wire]] = {}
        self._carried: dict[int, tuple[tuple[int, int], ...]] = {}

    def begun(self, kinds: int) -> State:
        """The beginning of a match, with no mishap of so many kinds to come."""
        journal, witness = self._journals.of(Journal()), self._witnesses.of(Witness())
        one, two = self._automata
        nothing: tuple[Wire, Wire] = ((), ())
        peers = one.begun(), two.begun()
        left = (0,) * (kinds + 1)
        return State(
            peers, nothing, nothing, (False, False), (journal, journal), (0, 0), left, witness
        )

    def key(self, state: State) -> bytes:
        """Equal for equal states, different for different ones, and small."""
        wires = (self._wires.of(wire) for wire in (*state.wires, *state.late))
        return pack(
            f"<9I{4 + len(state.left)}B",
            *state.peers,
            *wires,
            *state.journals,
            state.witness,
            *state.down,
            *state.draws,
            *state.left,
        )

    def face(self, state: State, seat: int) -> Face:
        return self._automata[seat].face(state.peers[seat])

    def wants(self, state: State, seat: int) -> bool:
        """Whether its player wants anything now."""
        return self._automata[seat].wants(state.peers[seat]) is not None

    def journal(self, state: State, seat: int) -> Journal:
        journal: Journal = self._journals.values[state.journals[seat]]
        return journal

    def witness(self, state: State) -> Witness:
        witness: Witness = self._witnesses.values[state.witness]
        return witness

    def step(self, state: State, seat: int, what: Input) -> Step:
        """What this input does to that seat."""
        automaton, peer, draws = self._automata[seat], state.peers[seat], state.draws[seat]
        return automaton.step(peer, what, draws, lambda: self._free_ids(state, seat))

    def after(
        self, state: State, seat: int, step: Step, stamp: Stamp | None, upto: int | None = None
    ) -> State:
        """The state once the step's effects are carried out, or only the first `upto`, where the process dies then.

        Raises:
            Violated: a claim breaks in it.
        """
        key = (state.witness, seat, state.journals[seat], stamp, step.number, upto)
        taken = self._taken.get(key)
        if taken is None:
            taken = self._taken[key] = self._take(state, seat, step, stamp, upto)
        witness, journal, frames = taken
        wires = state.wires
        if frames and not state.down[seat]:
            wires = set_at(wires, seat, wires[seat] + frames)
        return state._replace(
            peers=set_at(state.peers, seat, step.peer),
            wires=wires,
            journals=set_at(state.journals, seat, journal),
            draws=set_at(state.draws, seat, max(step.draws, state.draws[seat])),
            witness=witness,
        )

    def restarted(self, state: State, seat: int, journal: Journal, witness: Witness) -> State:
        """That seat anew, from what its journal holds; its link isn't back yet, and what was sent to it is gone.

        Raises:
            Violated: it doesn't stand where its journal says (C9).
        """
        peer = self._automata[seat].restored(journal.records, self._free_ids(state, seat))
        face, known = self._automata[seat].face(peer), self.judge.known(journal.records)
        if face.beat != known.done or not face.frozen:
            raise Violated(f"C9: seat {seat} restarts at {face.beat}, not frozen at {known.done}")
        return state._replace(
            peers=set_at(state.peers, seat, peer),
            wires=set_at(state.wires, 1 - seat, ()),
            down=set_at(state.down, seat, True),
            journals=set_at(state.journals, seat, self._journals.of(journal)),
            witness=self._witnesses.of(witness),
        )

    def synced(self, state: State) -> State:
        """The same with both journals on the disk."""
        one, two = (self.journal(state, seat).records for seat in SEATS)
        synced = (
            self._journals.of(Journal(one, len(one))),
            self._journals.of(Journal(two, len(two))),
        )
        return state._replace(journals=synced)

    def _take(
        self, state: State, seat: int, step: Step, stamp: Stamp | None, upto: int | None
    ) -> tuple[int, int, Wire]:
        journal = self.journal(state, seat)
        taken = self.judge.take(self.witness(state), seat, journal, stamp, step.effects[:upto])
        if upto is None:
            face = self._automata[seat].face(step.peer)
            taken = self.judge.rested(taken, seat, stamp, step.told, face)
        return self._witnesses.of(taken.witness), self._journals.of(taken.journal), taken.frames

    def _free_ids(self, state: State, seat: int) -> tuple[int, ...]:
        """The smallest resume ids of a seat that nothing under way carries."""
        used = {
            number
            for wire in (*state.wires, *state.late)
            for frame, _ in wire
            if frame != BROKEN
            for whose, number in self._ids_in(frame)
            if whose == seat
        }
        free = [number for number in range(len(used) + FRESH_IDS) if number not in used]
        return tuple(free[:FRESH_IDS])

    def _ids_in(self, frame: int) -> tuple[tuple[int, int], ...]:
        known = self._carried.get(frame)
        if known is None:
            known = self._carried[frame] = ids_in(self.shared.frames.values[frame])
        return known
