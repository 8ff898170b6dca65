"""The game's own Session as an automaton: states that are numbers, and steps that are computed once.

What belongs here: driving a session by one input, and remembering what that did. What must not:
wires, mishaps, judgement (two_peers.py, mishaps.py, witness.py). Time stands still (timeless.py), and entropy is counted,
so that states that differ by nothing else are one.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from hashlib import sha256
from typing import Any, NamedTuple, TypeAlias

import msgpack
from support.reading import written
from support.restarts import restored
from support.timeless import Face, Timer, copied, face_of, key_of, make_due, stop_time

from spitnet.core.moves import Move
from spitnet.core.state import Match, Settings
from spitnet.protocol.entries import Record
from spitnet.protocol.fields import RESUME_ID_BYTES
from spitnet.protocol.lockstep import Write
from spitnet.protocol.notices import Completed
from spitnet.protocol.session import Session

RESUME = 12
FRESH_IDS = 2
"""No step draws more resume ids."""

Wish: TypeAlias = Callable[[Match, int], Move | None]
"""What a seat's player wants now, if anything."""


class Do(Enum):
    """What can be done to a session that brings it neither a frame nor a timer."""

    PRESS = auto()
    DOWN = auto()
    UP = auto()
    PAUSE = auto()


Input: TypeAlias = int | Timer | Do
"""A number is a frame's."""


class Wrote(NamedTuple):
    record: int
    durable: bool


class Sent(NamedTuple):
    frame: int


@dataclass(frozen=True)
class Step:
    """What one input does: the state after it, the effects in order, and the beats that it told of."""

    number: int
    peer: int
    effects: tuple[Wrote | Sent, ...]
    told: tuple[int, ...]
    draws: int


class Numbers:
    """Values as small numbers, equal ones as one."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._numbers: dict[Hashable, int] = {}

    def of(self, value: Hashable, kept: Any = None) -> int:
        """The value's number; `kept` is what stands in `values` for it."""
        number = self._numbers.setdefault(value, len(self.values))
        if number == len(self.values):
            self.values.append(value if kept is None else kept)
        return number

    def __len__(self) -> int:
        return len(self.values)


class Shared(NamedTuple):
    """What the automata of both seats number alike."""

    frames: Numbers
    records: Numbers
    stories: Numbers


class _Counted:
    """Entropy: a seat's nonces are numbered, and a resume id is one that is nowhere under way."""

    def __init__(self, salt: int, seat: int, draws: int, ids: Sequence[int]) -> None:
        self._name = b"%d %d " % (salt, seat)
        self.draws = draws
        self.ids = list(ids)
        self.used = False

    def __call__(self, size: int) -> bytes:
        self.used = True
        if size == RESUME_ID_BYTES:
            return resume_id(self._name[-2] - ord("0"), self.ids.pop(0))
        self.draws += 1
        return sha256(self._name + b"%d" % self.draws).digest()


def resume_id(seat: int, number: int) -> bytes:
    return bytes((seat, number)).ljust(RESUME_ID_BYTES, b"-")


class Automaton:
    """One seat. `salt` chooses its nonces; `may_have_lost` as in `Session.restore`."""

    def __init__(
        self,
        seat: int,
        session: bytes,
        settings: Settings,
        wish: Wish,
        salt: int,
        may_have_lost: bool,
        shared: Shared,
    ) -> None:
        self.seat = seat
        self.shared = shared
        self._identity = session, settings
        self._wish = wish
        self._salt = salt
        self._may_have_lost = may_have_lost
        self._peers = Numbers()
        self._faces: list[Face] = []
        self._steps: list[Step] = []
        self._certain: dict[tuple[int, Input], Step] = {}
        self._drawn: dict[tuple[int, Input, int, tuple[int, ...]], Step] = {}
        self._restored: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}

    def begun(self) -> int:
        """The state at the beginning of a match."""
        return self._number(Session(self.seat, *self._identity, self._entropy(0, ()), 0.0))

    def restored(self, records: tuple[int, ...], ids: tuple[int, ...]) -> int:
        """The state after a restart with these records."""
        known = self._restored.get((records, ids))
        if known is None:
            journal: list[Record] = [self.shared.records.values[record] for record in records]
            entropy = self._entropy(0, ids)
            session = restored(
                self.seat, *self._identity, entropy, 0.0, journal, self._may_have_lost
            )
            known = self._restored[records, ids] = self._number(session)
        return known

    def face(self, peer: int) -> Face:
        return self._faces[peer]

    def wants(self, peer: int) -> Move | None:
        session: Session = self._peers.values[peer]
        return None if session.over else self._wish(session.match, self.seat)

    def step(
        self, peer: int, what: Input, draws: int, fresh: Callable[[], tuple[int, ...]]
    ) -> Step:
        """What the input does. `draws` nonces were drawn before; `fresh` gives ids that are free."""
        known = self._certain.get((peer, what))
        if known is not None:
            return known
        ids = fresh()
        known = self._drawn.get((peer, what, draws, ids))
        if known is not None:
            return known
        entropy = self._entropy(draws, ids)
        step = self._computed(peer, what, entropy)
        if entropy.used:
            self._drawn[peer, what, draws, ids] = step
        else:
            self._certain[peer, what] = step
        return step

    def __len__(self) -> int:
        return len(self._peers)

    def _entropy(self, draws: int, ids: Sequence[int]) -> _Counted:
        return _Counted(self._salt, self.seat, draws, ids)

    def _computed(self, peer: int, what: Input, entropy: _Counted) -> Step:
        session = copied(self._peers.values[peer], entropy)
        self._drive(session, what)
        effects = tuple(
            Wrote(self.shared.records.of(effect.record), effect.durable)
            if isinstance(effect, Write)
            else Sent(self.shared.frames.of(written(effect.message)))
            for effect in session.take_effects()
        )
        told = tuple(
            self.shared.stories.of(
                (done.beat, done.moves, done.randomness, done.events, done.digest)
            )
            for done in session.take_notices()
            if isinstance(done, Completed)
        )
        step = Step(len(self._steps), self._number(session), effects, told, entropy.draws)
        self._steps.append(step)
        return step

    def _drive(self, session: Session, what: Input) -> None:
        match what:
            case Timer():
                make_due(session, what)
                session.poll(0.0)
            case Do.PRESS:
                move = self._wish(session.match, self.seat)
                if move is not None:
                    session.propose(move, 0.0)
            case Do.DOWN:
                session.link_down(0.0)
            case Do.UP:
                session.link_up(0.0)
            case Do.PAUSE:
                session.pause()
            case frame:
                session.receive(self.shared.frames.values[frame], 0.0)

    def _number(self, session: Session) -> int:
        """The number of the session's state; afterwards nothing of it may change."""
        stop_time(session)
        number = self._peers.of(key_of(session), session)
        if number == len(self._faces):
            self._faces.append(face_of(session))
        return number


def ids_in(frame: bytes) -> tuple[tuple[int, int], ...]:
    """The resume ids that a frame carries, as seat and number."""
    kind, *fields = msgpack.unpackb(frame, use_list=False)
    if kind != RESUME:
        return ()
    return tuple((found[0], found[1]) for found in fields[2:4] if found is not None)
