"""What a session tells of a match, and a record of it too: optional, and never needed to keep the match right."""

from typing import TypeAlias

from msgspec import Struct

from spitnet.core.beat import forfeit
from spitnet.core.cards import Seat
from spitnet.core.draw import Randomness
from spitnet.core.events import Event
from spitnet.core.moves import Move, Moves
from spitnet.core.state import Match
from spitnet.protocol.binding import state_digest
from spitnet.protocol.entries import Ended, Stop
from spitnet.protocol.rematch import Prospect


class Completed(Struct, frozen=True):
    """A beat that both seats opened, and what it did to the table.

    `moves` are in seat order, None a pass; `events` are in the order in which they happened; `match` is the state after
    them, `digest` its hash. `ended`: no beat, but what an end before its time came of, after this beat.
    """

    beat: int
    moves: Moves
    randomness: Randomness
    events: tuple[Event, ...]
    match: Match
    digest: bytes
    ended: Ended | None = None


def early_end(ended: Ended, winner: Seat, match: Match, chain: bytes) -> Completed:
    """What it comes of that one seat has won a match before its time. Source: R22."""
    after, events = forfeit(match, winner, ended.reason)
    moves, randomness = (None, None), Randomness(chain)
    return Completed(ended.beat, moves, randomness, events, after, state_digest(after), ended)


class MoveProposed(Struct, frozen=True):
    """The move is under way: the card lifts."""

    move: Move


class NotLegal(Struct, frozen=True):
    """The move was not proposed, since it isn't legal; `waited` tells one that came too late."""

    move: Move
    waited: bool


class Displaced(Struct, frozen=True):
    """A newer key took the place of this waiting move."""

    move: Move


class PeerLost(Struct, frozen=True):
    """The peer is out of reach, or left without conceding (`on_purpose`)."""

    beat: int
    on_purpose: bool


class PeerBack(Struct, frozen=True):
    """Both peers hold the same beats again after a `PeerLost`; `beat` was this side's last one till now."""

    beat: int


class StopEnded(Struct, frozen=True):
    """The game had stopped on this side, for however short a time, and goes on."""

    stop: Stop


class PingGrew(Struct, frozen=True):
    """The ping is out of proportion to the least round trip of the match."""

    beat: int


class AnswerOverdue(Struct, frozen=True):
    """The peer is there, and its program doesn't answer: it is waited for until the match may be claimed."""

    beat: int


class Claimable(Struct, frozen=True):
    """The peer was waited for too long: this side may end the match as abandoned."""

    beat: int


class Finished(Struct, frozen=True):
    """Nothing more will happen in this session; `came_of_it` where somebody has won the match by its end."""

    ended: Ended
    came_of_it: Completed | None = None


class Ahead(Struct, frozen=True):
    """Of a match that is decided: what has become of another one."""

    prospect: Prospect


Notice: TypeAlias = (
    Completed
    | MoveProposed
    | NotLegal
    | Displaced
    | PeerLost
    | PeerBack
    | StopEnded
    | PingGrew
    | AnswerOverdue
    | Claimable
    | Finished
    | Ahead
)
