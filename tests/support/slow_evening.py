"""Two honest sessions through an evening in which much goes wrong and nothing is meant: for what may be claimed, and when.

Time goes in steps. Each direction of the link may stand still (what was sent comes later) or break (it is gone, and the
links tell of it); a machine may sleep; a program may start again; a player may be away. What must not be here: judgement.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from support.restarts import restored

from spitnet.core.legality import legal, plays
from spitnet.core.moves import Deal, Move, Ready, Spit
from spitnet.core.state import Match, Settings
from spitnet.protocol.entries import Record
from spitnet.protocol.lockstep import Send, Write
from spitnet.protocol.messages import encode
from spitnet.protocol.session import Session

STEP_S = 0.1
SILENT_S = 2.5
"""As the loop of a match has it: a link by which nothing comes for so long is taken to be broken."""
QUEUED_MOST = 64
"""What a link takes while nothing moves; the rest is as good as not sent (SNDHWM)."""
SESSION = bytes(range(32))
TROUBLES = ("forth", "back", "both", "break", "sleep 0", "sleep 1", "restart 0", "restart 1")


@dataclass
class Side:
    """One process. Until `asleep_until_s` it doesn't run, `away_until_s` nobody presses a key."""

    session: Session
    records: list[Record] = field(default_factory=list)
    inbox: list[bytes] = field(default_factory=list)
    heard_s: float = 0.0
    asleep_until_s: float = 0.0
    away_until_s: float = 0.0
    act_at_s: float = 0.0
    restarts_at_s: float | None = None
    link: bool | None = None
    """What its link has still to tell: that it is up, or down."""


class SlowEvening:
    """`steps()` goes on until the match is over; it yields the time after each step."""

    def __init__(
        self, seed: int, grace_s: int, *, troubles: tuple[str, ...], lasts_s: float, every_s: float
    ) -> None:
        """A trouble comes every so often on the average, and lasts up to so long; a player is away as often."""
        self.now_s = 0.0
        self._random = Random(seed)
        self._settings = Settings(games=3, grace_s=grace_s)
        self._troubles, self._lasts_s, self._every_s = troubles, lasts_s, every_s
        self.sides = [
            Side(Session(seat, SESSION, self._settings, self._random.randbytes, 0.0))
            for seat in (0, 1)
        ]
        self._stands_until_s = [0.0, 0.0]
        self._on_its_way: list[list[bytes]] = [[], []]
        self._next_s = [self._pause_s(), self._pause_s()]

    def runs(self, seat: int) -> bool:
        """Whether that process runs now."""
        side = self.sides[seat]
        return side.restarts_at_s is None and self.now_s >= side.asleep_until_s

    def steps(self, most_s: float) -> Iterator[float]:
        while self.now_s < most_s and not any(side.session.over for side in self.sides):
            self.now_s = round(self.now_s + STEP_S, 3)
            if self.now_s >= self._next_s[0]:
                self._next_s[0] = self.now_s + self._pause_s()
                self._trouble(self._random.choice(self._troubles))
            if self.now_s >= self._next_s[1]:
                self._next_s[1] = self.now_s + self._pause_s()
                side = self._random.choice(self.sides)
                side.away_until_s = self.now_s + self._random.uniform(0, self._lasts_s)
            for seat in (0, 1):
                self._deliver(seat)
            for seat in self._random.sample((0, 1), 2):
                self._run(seat)
            yield self.now_s

    def _pause_s(self) -> float:
        return self._random.expovariate(1 / self._every_s)

    def _trouble(self, kind: str) -> None:
        until_s = self.now_s + self._random.uniform(0, self._lasts_s)
        match kind.split():
            case ["forth"]:
                self._stands_until_s[0] = until_s
            case ["back"]:
                self._stands_until_s[1] = until_s
            case ["both"]:
                self._stands_until_s = [until_s, until_s]
            case ["break"]:
                self._break(until_s, noticed=(True, True))
            case ["sleep", seat]:
                self.sides[int(seat)].asleep_until_s = until_s
            case ["restart", seat]:
                self._break(until_s, noticed=(seat == "1", seat == "0"))
                self.sides[int(seat)].restarts_at_s = until_s

    def _break(self, until_s: float, noticed: tuple[bool, bool]) -> None:
        """The connection is gone with all that is in it, and there is none before `until_s`."""
        self._on_its_way = [[], []]
        self._stands_until_s = [until_s, until_s]
        for side, notices in zip(self.sides, noticed, strict=True):
            side.inbox.clear()
            side.link = False if notices else side.link

    def _deliver(self, seat: int) -> None:
        """What `seat` has said, once that direction moves."""
        if self.now_s >= self._stands_until_s[seat]:
            self.sides[1 - seat].inbox += self._on_its_way[seat]
            self._on_its_way[seat] = []

    def _run(self, seat: int) -> None:
        side = self.sides[seat]
        if side.restarts_at_s is not None and self.now_s >= side.restarts_at_s:
            self._restart(seat)
        if not self.runs(seat):
            return
        session, inbox = side.session, side.inbox
        if side.link is False:
            session.link_down(self.now_s)
            side.link = None
        side.inbox = []
        for frame in inbox:
            side.heard_s = self.now_s
            session.receive(frame, self.now_s)
            self._carry_out(seat)
        if self.now_s >= side.heard_s + SILENT_S and not session.frozen:
            session.link_down(self.now_s)
        due_s = session.next_deadline_s()
        if due_s is not None and self.now_s >= due_s:
            session.poll(self.now_s)
        self._play(seat)
        self._carry_out(seat)

    def _restart(self, seat: int) -> None:
        side = self.sides[seat]
        side.restarts_at_s = None
        side.session = restored(
            *(seat, SESSION, self._settings, self._random.randbytes, self.now_s),
            records=side.records,
            may_have_lost=False,
        )
        side.heard_s = self.now_s
        for each in self.sides:
            each.session.link_up(self.now_s)
            self._carry_out(self.sides.index(each))

    def _play(self, seat: int) -> None:
        side = self.sides[seat]
        if self.now_s < max(side.act_at_s, side.away_until_s) or side.session.busy:
            return
        side.act_at_s = self.now_s + self._random.uniform(0.5, 6.0)
        move = wish(side.session.match, seat)
        if move is not None:
            side.session.propose(move, self.now_s)

    def _carry_out(self, seat: int) -> None:
        side = self.sides[seat]
        for effect in side.session.take_effects():
            match effect:
                case Write(record):
                    side.records.append(record)
                case Send(message) if len(self._on_its_way[seat]) < QUEUED_MOST:
                    self._on_its_way[seat].append(encode(message))
        side.session.take_notices()


def wish(match: Match, seat: int) -> Move | None:
    """Whatever there is to do."""
    if match.game is not None and match.game.outcome is None:
        choices = plays(match.game, seat)
        if choices:
            return choices[0]
    return next((move for move in (Deal(), Ready(), Spit()) if legal(match, seat, move)), None)
