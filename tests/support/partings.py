"""Every order in which two people end a match, ask for another, leave, and lose each other, on the game's own session code.

A world is two sides and what is under way between them. What belongs here: which worlds follow upon a world, and how
one ends if nothing more happens to it. What must not: what must be so in the end (protocol/test_partings.py). Time
stands still (timeless.py): a timer goes off where nothing else can happen.
"""

from collections.abc import Callable, Hashable, Iterator
from copy import copy
from dataclasses import dataclass, field
from enum import Enum, auto
from hashlib import sha256
from math import inf
from typing import NamedTuple, TypeAlias

from support.timeless import Timer, copied, face_of, key_of, make_due, stop_time, talk_key_of

from spitnet.core.moves import Deal, Leave
from spitnet.core.state import Settings
from spitnet.protocol.binding import rematch_id
from spitnet.protocol.lockstep import Send
from spitnet.protocol.messages import encode
from spitnet.protocol.rematch import Prospect
from spitnet.protocol.session import Session

SEATS = (0, 1)
SESSION = bytes(range(32))
BROKEN = b""
"""Stands in a wire for what the receiver's link tells once all before it has been read: the connection ended."""


class Event(Enum):
    """What people and networks do, each at most as often as the world's `left` says."""

    GIVE_UP = auto()
    """Asks to leave in mid-match, which concedes it."""
    ASK = auto()
    CLOSE = auto()
    """Leaves after the match."""
    DIE = auto()
    """Its process is killed."""
    BREAK = auto()


Left: TypeAlias = tuple[tuple[Event, int | None], ...]
"""What may still happen, and at which seat."""
Wire: TypeAlias = tuple[bytes, ...]


@dataclass(frozen=True)
class Side:
    """One seat's process. `up`: its link stands, as far as it was told."""

    session: Session
    up: bool = True
    gone: bool = False
    next_match: bool = False
    draws: int = 0

    @property
    def key(self) -> Hashable:
        if self.gone:
            return ()
        known = (key_of(self.session), talk_key_of(self.session))
        return (self.session.id, *known, self.up, self.next_match, self.draws)


class World(NamedTuple):
    """Pairs are by seat. A wire is its sender's. `down`: there is no connection."""

    sides: tuple[Side, Side]
    wires: tuple[Wire, Wire]
    down: bool
    left: Left

    @property
    def key(self) -> Hashable:
        return (*(side.key for side in self.sides), *self[1:])


@dataclass
class _Entropy:
    """Counted, so that the same draws are the same bytes."""

    seat: int
    draws: int
    used: int = field(default=0)

    def __call__(self, size: int) -> bytes:
        self.used += 1
        return sha256(b"%d %d" % (self.seat, self.draws + self.used)).digest()[:size]


def begun(events: Left) -> World:
    """Both at the table; nothing is played yet, so that giving up is the first beat and the last."""
    one, two = (Side(_begun(seat, SESSION)) for seat in SEATS)
    return World((one, two), ((), ()), False, events)


def _begun(seat: int, session: bytes) -> Session:
    made = Session(seat, session, Settings(), _Entropy(seat, 0), 0.0)
    stop_time(made)
    return made


# What can happen.


def steps(world: World) -> Iterator[tuple[str, World]]:
    """Each thing that can happen next, and what comes of it."""
    for seat in SEATS:
        if world.wires[1 - seat]:
            yield f"{seat} reads", _delivered(world, seat)
    if world.down and not _cut_off(world):
        yield "the link is back", _back(world)
    for event, where in dict.fromkeys(world.left):
        left = list(world.left)
        left.remove((event, where))
        rest = world._replace(left=tuple(left))
        if event is Event.BREAK:
            yield from _breaks(rest)
        elif where is not None and not world.sides[where].gone:
            yield from _does(rest, event, where)
    if not any(world.wires):
        for seat, timer in _due(world):
            yield f"{seat} {timer}", _timed(world, seat, timer)


def _does(world: World, event: Event, seat: int) -> Iterator[tuple[str, World]]:
    session = world.sides[seat].session
    name = f"{seat} {event.name}"
    match event:
        case Event.GIVE_UP if not (session.over or world.sides[seat].next_match):
            yield name, _changed(world, seat, lambda one: one.propose(Leave(), 0.0))
        case Event.ASK if session.match.over and session.prospect not in _GONE:
            yield name, _changed(world, seat, lambda one: one.ask_rematch(0.0))
        case Event.CLOSE if session.match.over and not world.sides[seat].next_match:
            yield name, _closed(_changed(world, seat, _leaves), seat)
        case Event.DIE if world.down:
            yield name, _closed(world, seat)
        case Event.DIE:
            for arrive in range(len(world.wires[seat]) + 1):
                cut = _with_wire(world, seat, world.wires[seat][:arrive])
                yield f"{name} {arrive}", _closed(cut, seat)


_GONE = (Prospect.AWAY, Prospect.LEFT)


def _leaves(session: Session) -> None:
    """What a person's loop does when it is left."""
    if session.ended is None:
        session.pause()
    session.leave()


def _closed(world: World, seat: int) -> World:
    """That side is gone: its last frames arrive, and what is sent to it doesn't."""
    side = world.sides[seat]
    world = _with_side(world, seat, Side(side.session, gone=True))
    world = _with_wire(world, 1 - seat, ())
    if world.down:
        return world
    return _with_wire(world, seat, (*world.wires[seat], BROKEN))


def _breaks(world: World) -> Iterator[tuple[str, World]]:
    """The connection ends, and any last part of what is under way with it.

    Each side is told; or neither is, since a library may connect again without telling, but not one that has just done so.
    """
    if world.down or any(side.gone for side in world.sides):
        return
    one, two = world.wires
    for kept in range(len(one) + 1):
        for kept_too in range(len(two) + 1):
            cut = world._replace(wires=((*one[:kept], BROKEN), (*two[:kept_too], BROKEN)))
            yield f"breaks {kept} {kept_too}", cut._replace(down=True)
            if all(side.up for side in world.sides):
                untold = world._replace(wires=(one[:kept], two[:kept_too]))
                yield f"breaks untold {kept} {kept_too}", untold


def _back(world: World) -> World:
    """The joiner's link is back; the host's with the first frame that comes by it."""
    joiner = world.sides[1]
    if joiner.gone:
        return world
    world = _with_side(world._replace(down=False), 1, _replaced(joiner, up=True))
    return _changed(world, 1, lambda one: one.link_up(0.0))


def _cut_off(world: World) -> bool:
    """Whether nobody connects: one of them is gone, or hasn't been told yet that the link is."""
    return any(side.gone for side in world.sides) or any(BROKEN in wire for wire in world.wires)


def _delivered(world: World, seat: int) -> World:
    """That seat reads the next that was sent to it."""
    frame, *rest = world.wires[1 - seat]
    world = _with_wire(world, 1 - seat, tuple(rest))
    side = world.sides[seat]
    if side.gone:
        return world
    if frame == BROKEN:
        world = _with_side(world, seat, _replaced(side, up=False))
        return _changed(world, seat, lambda one: one.link_down(0.0))
    if not side.up:
        world = _with_side(world, seat, _replaced(side, up=True))
        world = _changed(world, seat, lambda one: one.link_up(0.0))
    return _changed(world, seat, lambda one: one.receive(frame, 0.0))


# Timers.


class Asking(Enum):
    """The timer of who asks for another match."""

    AGAIN = auto()


Due: TypeAlias = tuple[int, Timer | Asking]


def _due(world: World) -> list[Due]:
    """The timers that are armed: who waits for the last goodbye for long enough goes off when all others change nothing."""
    armed: list[Due] = []
    for seat, side in enumerate(world.sides):
        if not side.gone:
            armed += [(seat, timer) for timer in face_of(side.session).timers]
            ended = side.session.ended is not None
            armed += [(seat, Timer.PING)] * (not ended)
            armed += [(seat, Asking.AGAIN)] * (ended and side.session.wants_rematch)
    return sorted(armed, key=lambda one: one[1] is Timer.ENOUGH)


def _timed(world: World, seat: int, timer: Timer | Asking) -> World:
    for each in SEATS:
        world = _with_side(world, each, _later(world.sides[each]))

    def goes_off(session: Session) -> None:
        if isinstance(timer, Timer):
            make_due(session, timer)
        else:
            session.talk.repeat_at_s = -inf
        session.poll(0.0)

    return _changed(world, seat, goes_off)


def _later(side: Side) -> Side:
    """Time has passed, so what was said a moment ago may be said again."""
    session = copy(side.session)
    session.before_at_s = -inf
    return Side(session, side.up, side.gone, side.next_match, side.draws)


# What comes of it.


def _changed(world: World, seat: int, change: Callable[[Session], None]) -> World:
    """That seat's session after something was done to it, and what it sent; where both agreed, it begins the next match."""
    side = world.sides[seat]
    entropy = _Entropy(seat, side.draws)
    session = copied(side.session, entropy)
    change(session)
    world = _sent(world, seat, side.up, session)
    next_match = side.next_match
    if session.agreed is not None and not next_match:
        nonces, said = session.agreed
        session = Session(
            seat, rematch_id(session.id, nonces), Settings(), entropy, 0.0, before=said
        )
        next_match = True
        if seat == 0:
            session.propose(Deal(), 0.0)
        session.poll(0.0)
        world = _sent(world, seat, side.up, session)
    session.take_notices()
    stop_time(session)
    if session.talk.repeat_at_s != inf:
        session.talk = copy(session.talk)
        session.talk.repeat_at_s = 1.0
    after = Side(session, side.up, side.gone, next_match, side.draws + entropy.used)
    return _with_side(world, seat, after)


def _sent(world: World, seat: int, up: bool, session: Session) -> World:
    frames = tuple(encode(one.message) for one in session.take_effects() if isinstance(one, Send))
    if not up or world.down or world.sides[1 - seat].gone:
        return world
    return _with_wire(world, seat, world.wires[seat] + frames)


def _replaced(side: Side, *, up: bool) -> Side:
    return Side(side.session, up, side.gone, side.next_match, side.draws)


def _with_side(world: World, seat: int, side: Side) -> World:
    one, two = world.sides
    return world._replace(sides=(one, side) if seat else (side, two))


def _with_wire(world: World, seat: int, wire: Wire) -> World:
    one, two = world.wires
    return world._replace(wires=(one, wire) if seat else (wire, two))


# How it ends.


def quieter(world: World) -> World | None:
    """One step towards where nothing more happens, if nobody does anything any more; None there."""
    for seat in SEATS:
        if world.wires[1 - seat]:
            return _delivered(world, seat)
    if world.down and not _cut_off(world):
        return _back(world)
    rest = world.key
    for seat, timer in _due(world):
        after = _timed(world, seat, timer)
        settled = after
        while any(settled.wires):
            settled = next(_delivered(settled, one) for one in SEATS if settled.wires[1 - one])
        if settled.key != rest:
            return after
    return None
