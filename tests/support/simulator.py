"""Two sessions of the game's own code that crash and restart, joined by a seeded link that delays, drops and repeats.

What belongs here: time, latency, faults, players. What must not: judgement; every step is told to an
observer (oracle.py). Nothing is random but by the seed, so a seed replays a match exactly.
"""

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Protocol

from support import reading
from support.restarts import restored

from spitnet.core.legality import can_refill, legal, plays
from spitnet.core.moves import Concede, Deal, Move, Ready, Refill, Spit
from spitnet.core.state import Match, RefillMode, Settings, SpitMode
from spitnet.protocol.entries import Record
from spitnet.protocol.lockstep import Send, Write
from spitnet.protocol.notices import Notice
from spitnet.protocol.session import Session

SESSION = bytes(range(32))


@dataclass(frozen=True)
class World:
    """What a simulated match meets. Times in seconds; pairs are by seat, of the sender or the player.

    Faults stop at `heal_s`. `breaks` is the mean number of dropped connections a second until then,
    `unnoticed` the share of them that no link reports, `repeats` the share of frames that come again. `crashes` is the
    mean number of processes that die a second, and start again; of these `cuts` is the share of power cuts, which take
    what isn't on the disk: with `syncs` what wasn't durable, else anything.
    """

    seed: int
    games: int = 1
    refill: RefillMode = RefillMode.AUTO
    spit: SpitMode = SpitMode.SAID
    latency_s: tuple[float, float] = (0.0002, 0.0002)
    jitter_s: float = 0.0
    thinking_s: tuple[float, float] = (0.002, 0.002)
    impatience: float = 0.0
    breaks: float = 0.0
    unnoticed: float = 0.5
    repeats: float = 0.0
    crashes: float = 0.0
    cuts: float = 0.5
    syncs: bool = True
    heal_s: float = 0.0
    concede: float = 0.0
    limit_s: float = 600.0
    session: bytes = SESSION


@dataclass(frozen=True)
class Crash:
    """The process of `seat` dies once it has carried out so many effects, counted over all its lives. A power cut takes
    the last `lost` records with it.
    """

    seat: int
    after: int
    lost: int = 0


class Observer(Protocol):
    """Is told everything that happens, in the order in which it does."""

    def wrote(self, seat: int, record: Record) -> None: ...
    def sent(self, seat: int, frame: bytes) -> object: ...
    def arrived(self, seat: int, stamp: object) -> None: ...
    def noticed(self, seat: int, notice: Notice) -> None: ...
    def pressed(self, seat: int, move: Move) -> None: ...
    def settled(self, seat: int, session: Session) -> None: ...
    def restarted(self, seat: int, records: Sequence[Record]) -> None: ...


@dataclass
class Wire:
    """One direction: in order within a connection, as TCP is; `epoch` counts the connections."""

    epoch: int = 0
    last_s: float = 0.0
    down: bool = False


@dataclass(order=True)
class _Due:
    at_s: float
    number: int
    act: Callable[[], None] = field(compare=False)


class Simulation:
    """One match in one world; `run()` plays it to its end.

    `carried` counts the effects that each seat has carried out, `synced` its records that are on the disk. Besides the
    world's crashes there are those that are given.
    """

    def __init__(self, world: World, observer: Observer, crashes: Sequence[Crash] = ()) -> None:
        self.world = world
        self.now_s = 0.0
        self.random = Random(world.seed)
        self.observer = observer
        self.settings = Settings(world.games, world.refill, world.spit, grace_s=60)
        self._entropy = Random(world.seed + 1).randbytes
        self.sessions = [
            Session(seat, world.session, self.settings, self._entropy, 0.0) for seat in (0, 1)
        ]
        self.journals: list[list[Record]] = [[], []]
        self.synced = [0, 0]
        self.carried = [0, 0]
        self.breaks = 0
        self.crashes = 0
        self._fates = list(crashes)
        self._dead = [False, False]
        self._at_table = [True, True]
        self._wires = (Wire(), Wire())
        self._due: list[_Due] = []
        self._numbers = count()
        self._polls: list[float | None] = [None, None]

    def run(self) -> None:
        """Plays until both sides have ended, or the world's limit of simulated time."""
        for seat in (0, 1):
            self._after(self._thought_s(seat), self._player(seat))
            self._after(0.0, self._poller(seat))
        if self.world.breaks:
            self._after(self.random.expovariate(self.world.breaks), self._break)
        if self.world.crashes:
            self._after(self.random.expovariate(self.world.crashes), self._doom)
        while self._due and (any(self._dead) or not all(side.ended for side in self.sessions)):
            due = heapq.heappop(self._due)
            self.now_s = due.at_s
            if self.now_s > self.world.limit_s:
                return
            due.act()

    # Players.

    def _player(self, seat: int) -> Callable[[], None]:
        def act() -> None:
            session = self.sessions[seat]
            if session.over:
                self._at_table[seat] = False
                return
            move = None if self._dead[seat] else self._wish(session.match, seat)
            if move is not None and (not session.busy or self._impatient()):
                self.observer.pressed(seat, move)
                session.propose(move, self.now_s)
                self._carry_out(seat)
            self._after(self._thought_s(seat), act)

        return act

    def _impatient(self) -> bool:
        return self.random.random() < self.world.impatience

    def _thought_s(self, seat: int) -> float:
        mean_s = self.world.thinking_s[seat]
        return self.random.expovariate(1 / mean_s) if mean_s else 0.0001

    def _wish(self, match: Match, seat: int) -> Move | None:
        game = match.game
        if game is None or game.outcome is not None:
            return Deal()
        if self.world.concede and self.random.random() < self.world.concede:
            return Concede()
        if can_refill(match, seat) and self.random.random() < 0.7:
            return Refill(game.layouts[seat].index(None))
        choices = plays(game, seat)
        if choices:
            return self.random.choice(choices)
        if can_refill(match, seat):
            return Refill(game.layouts[seat].index(None))
        return next((move for move in (Ready(), Spit()) if legal(match, seat, move)), None)

    # Effects, frames, timers.

    def _carry_out(self, seat: int) -> None:
        session = self.sessions[seat]
        for effect in session.take_effects():
            match effect:
                case Write(record, durable):
                    self.journals[seat].append(record)
                    if durable and self.world.syncs:
                        self.synced[seat] = len(self.journals[seat])
                    self.observer.wrote(seat, record)
                case Send(message):
                    self._send(seat, reading.written(message))
            self.carried[seat] += 1
            if self._dies(seat):
                return
        for notice in session.take_notices():
            self.observer.noticed(seat, notice)
        self.observer.settled(seat, session)
        self._rearm(seat)

    def _send(self, seat: int, frame: bytes) -> None:
        wire = self._wires[seat]
        stamp = self.observer.sent(seat, frame)
        if wire.down:
            return
        delay_s = self.world.latency_s[seat] + self.random.random() * self.world.jitter_s
        wire.last_s = max(wire.last_s, self.now_s + delay_s)
        self._at(wire.last_s, self._delivery(seat, frame, stamp, wire.epoch))
        if self.random.random() < self.world.repeats and self.now_s < self.world.heal_s:
            late_s = self.random.random() * 0.05
            self._at(wire.last_s + late_s, self._delivery(seat, frame, stamp, None))

    def _delivery(
        self, sender: int, frame: bytes, stamp: object, epoch: int | None
    ) -> Callable[[], None]:
        def deliver() -> None:
            if epoch is not None and epoch != self._wires[sender].epoch:
                return
            seat = 1 - sender
            if self._dead[seat]:
                return
            self.observer.arrived(seat, stamp)
            self.sessions[seat].receive(frame, self.now_s)
            self._carry_out(seat)

        return deliver

    def _rearm(self, seat: int) -> None:
        due_s = self.sessions[seat].next_deadline_s()
        armed_s = self._polls[seat]
        if due_s is not None and (armed_s is None or due_s < armed_s or armed_s < self.now_s):
            due_s = max(due_s, self.now_s)
            self._polls[seat] = due_s
            self._at(due_s, self._poller(seat))

    def _poller(self, seat: int) -> Callable[[], None]:
        def poll() -> None:
            self._polls[seat] = None
            if self._dead[seat]:
                return
            self.sessions[seat].poll(self.now_s)
            self._carry_out(seat)

        return poll

    # Faults.

    def _break(self) -> None:
        """A connection drops with all that is under way in it, and is made anew a little later."""
        if self.now_s >= self.world.heal_s:
            return
        self.breaks += 1
        noticing = [seat for seat in (0, 1) if self.random.random() >= self.world.unnoticed]
        for wire in self._wires:
            wire.epoch += 1
            wire.down = True
        for seat in noticing:
            self._tell_of_link(seat, back=False)
        self._after(self.random.random() * 0.05, lambda: self._mend(noticing))
        self._after(self.random.expovariate(self.world.breaks), self._break)

    def _mend(self, noticing: list[int]) -> None:
        for wire in self._wires:
            wire.down = False
            wire.last_s = self.now_s
        for seat in noticing:
            self._tell_of_link(seat, back=True)

    def _tell_of_link(self, seat: int, *, back: bool) -> None:
        if not self._dead[seat]:
            session = self.sessions[seat]
            (session.link_up if back else session.link_down)(self.now_s)
            self._carry_out(seat)

    def _doom(self) -> None:
        """Some process dies very soon, before one of its next effects or after it."""
        if self.now_s >= self.world.heal_s:
            return
        seat = self.random.randrange(2)
        lost = self.random.randint(0, 3) if self.random.random() < self.world.cuts else 0
        self._fates.append(Crash(seat, self.carried[seat] + self.random.randint(1, 4), lost))
        self._after(self.random.expovariate(self.world.crashes), self._doom)

    def _dies(self, seat: int) -> bool:
        """Whether it is time for a seat's process to die; then it has."""
        carried = self.carried[seat]
        due = [fate for fate in self._fates if fate.seat == seat and fate.after <= carried]
        if not due:
            return False
        self._fates = [fate for fate in self._fates if fate not in due]
        self.crashes += 1
        self._dead[seat] = True
        journal = self.journals[seat]
        lost = min(max(fate.lost for fate in due), len(journal) - self.synced[seat])
        self.journals[seat] = self.left_of(seat, journal, lost)
        self.synced[seat] = min(self.synced[seat], len(self.journals[seat]))
        inbound = self._wires[1 - seat]
        inbound.epoch += 1
        inbound.down = True
        noticed = self.random.random() >= self.world.unnoticed
        if noticed:
            self._after(0.0, lambda: self._tell_of_link(1 - seat, back=False))
        self._after(self.random.random() * 0.05, lambda: self._restart(seat, noticed))
        return True

    def _restart(self, seat: int, noticed: bool) -> None:
        records = self.journals[seat]
        self.sessions[seat] = restored(
            seat,
            self.sessions[seat].id,
            self.settings,
            self._entropy,
            self.now_s,
            records,
            may_have_lost=not self.world.syncs,
        )
        self.observer.restarted(seat, records)
        self._dead[seat] = False
        self._wires[1 - seat].down = False
        for side in (seat, 1 - seat) if noticed else (seat,):
            self._tell_of_link(side, back=True)
        if not self._at_table[seat]:
            self._at_table[seat] = True
            self._after(0.0, self._player(seat))

    def left_of(self, seat: int, records: list[Record], lost: int) -> list[Record]:
        """What a crash leaves of a journal that loses its last `lost` records."""
        return records[: len(records) - lost]

    def _after(self, delay_s: float, act: Callable[[], None]) -> None:
        self._at(self.now_s + delay_s, act)

    def _at(self, at_s: float, act: Callable[[], None]) -> None:
        heapq.heappush(self._due, _Due(at_s, next(self._numbers), act))


def seeds(first: int, how_many: int) -> Iterator[int]:
    """Seeds far enough apart that no two worlds share a stream of random numbers."""
    return iter(range(first * 1_000_003, first * 1_000_003 + 2 * how_many, 2))
