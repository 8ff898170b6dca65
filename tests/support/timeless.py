"""A session for which time stands still at 0, so that only what has happened tells its states apart.

A timer that is armed can be made due at any moment, and so every order of timers and frames is met. Left out with
time: the grace period, the time banks, the buckets of floods and stalls, which empty themselves meanwhile, and how many
stops there were and whose. What belongs here is all
that knows what a Session is made of.
"""

from collections.abc import Hashable
from copy import copy
from dataclasses import dataclass
from enum import Enum, auto
from math import inf

from spitnet.protocol.accounts import Accounts
from spitnet.protocol.fields import Entropy
from spitnet.protocol.lockstep import Stage
from spitnet.protocol.peer_metrics import PeerMetrics
from spitnet.protocol.session import Session
from spitnet.protocol.stops import Stops


class Timer(Enum):
    """What `poll` can find due."""

    RESUME = auto()
    REPLY = auto()
    PING = auto()
    FAREWELL = auto()
    ENOUGH = auto()


@dataclass(frozen=True)
class Face:
    """What can be seen of a session from outside. `tells`: how it ended, to who asks."""

    beat: int
    frozen: bool
    open: bool
    waiting: bool
    over: bool
    ended: str | None
    tells: bool
    standing: tuple[bytes, bytes]
    timers: tuple[Timer, ...]


def copied(session: Session, entropy: Entropy) -> Session:
    """A session of its own: every value in it is immutable, but for the few objects that are copied too."""
    twin = copy(session)
    twin.lockstep = copy(session.lockstep)
    twin.patience = copy(session.patience)
    twin.stops = copy(session.stops)
    twin.talk = copy(session.talk)
    twin.alibi = copy(session.alibi)
    twin.pace = PeerMetrics()
    twin.pace.pinged_s = 0.0
    twin.accounts = Accounts(session.match.settings.grace_s, 0.0)
    twin.entropy = twin.lockstep.entropy = twin.talk.entropy = entropy
    return twin


def make_due(session: Session, timer: Timer) -> None:
    match timer:
        case Timer.RESUME:
            session.resume_at_s = 0.0
        case Timer.REPLY:
            session.patience.open_s = session.patience.unfrozen_s = -inf
        case Timer.PING:
            session.pace.pinged_s = -inf
        case Timer.FAREWELL:
            session.farewell_at_s = 0.0
        case Timer.ENOUGH:
            session.patience.over_s = -inf


def stop_time(session: Session) -> None:
    """Times tell no more than whether they are set."""
    patience = session.patience
    for name in ("lost_s", "open_s", "over_s"):
        if getattr(patience, name) is not None:
            setattr(patience, name, 0.0)
    patience.progress_s = patience.unfrozen_s = 0.0
    session.resume_at_s = 1.0
    if session.farewell_at_s is not None:
        session.farewell_at_s = 1.0
    session.pace = PeerMetrics()
    session.pace.pinged_s = 0.0
    session.stops = Stops()
    session.accounts = Accounts(session.match.settings.grace_s, 0.0)
    if session.frozen and not session.match.over:
        session.stops.begin(session.beat + 1, None, 0.0)


_OBJECTS = (
    "lockstep",
    "patience",
    "pace",
    "stops",
    "entropy",
    "alibi",
    "accounts",
    "talk",
    "prospect",
)


def key_of(session: Session) -> Hashable:
    """All that the session consists of, whatever attributes it may get; but for what another match may come of."""
    return _key(session, session.lockstep, session.patience)


def talk_key_of(session: Session) -> Hashable:
    """What another match may come of."""
    return session.prospect, _key(session.talk)


def _key(*objects: object) -> Hashable:
    parts = map(vars, objects)
    return tuple(
        tuple(value for name, value in part.items() if name not in _OBJECTS) for part in parts
    )


def face_of(session: Session) -> Face:
    lockstep = session.lockstep
    is_open = lockstep.open.stage is not Stage.IDLE
    over = session.match.over and session.ended is None
    timers = {
        Timer.RESUME: session.frozen,
        Timer.REPLY: is_open and not session.frozen,
        Timer.FAREWELL: over,
        Timer.ENOUGH: over,
    }
    armed = () if session.ended else tuple(timer for timer, is_set in timers.items() if is_set)
    return Face(
        session.beat,
        session.frozen,
        is_open,
        session.waiting is not None,
        session.match.over,
        None if session.ended is None else session.ended.how,
        session.farewell is not None,
        (lockstep.chain, lockstep.digest),
        armed,
    )
