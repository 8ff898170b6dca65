"""What a session tells whoever looks on: optional, and never needed to keep the match right."""

from typing import NamedTuple, TypeAlias

from spitnet.core.legality import Refusal
from spitnet.core.moves import Move
from spitnet.protocol.lockstep import Completed
from spitnet.protocol.records import Ended


class Proposed(NamedTuple):
    """The move is under way: the card lifts."""

    move: Move


class NotLegal(NamedTuple):
    """The move was not proposed, since it isn't legal; `waited` tells one that came too late."""

    move: Move
    refusal: Refusal
    waited: bool


class Displaced(NamedTuple):
    """A newer key took the place of this waiting move."""

    move: Move


class Lost(NamedTuple):
    """The peer is out of reach, or left without conceding (`on_purpose`)."""

    beat: int
    on_purpose: bool


class Back(NamedTuple):
    """Both peers hold the same beats again after a `Lost`; `beat` was this side's last one till now."""

    beat: int


class Claimable(NamedTuple):
    """The grace period is over: this side may end the match as abandoned."""

    beat: int


class Finished(NamedTuple):
    """Nothing more will happen in this session. `how` as in the journal's last record."""

    ended: Ended


Notice: TypeAlias = Completed | Proposed | NotLegal | Displaced | Lost | Back | Claimable | Finished
