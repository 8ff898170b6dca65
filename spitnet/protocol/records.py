"""What a session has to remember before it may speak: the journal's records, as values.

`Write` effects carry them; the journal's room knows their bytes. Source: protocol.md, "Durability".
"""

from typing import NamedTuple, TypeAlias

from spitnet.protocol.binding import Opening


class Proposed(NamedTuple):
    """Written before COMMIT(beat) leaves."""

    beat: int
    mine: Opening


class Answered(NamedTuple):
    """Written before REVEAL(beat) leaves in answer to the peer's COMMIT: a pass, or a move that crossed it."""

    beat: int
    theirs: bytes
    mine: Opening


class Done(NamedTuple):
    """Written before the REVEAL that completes the beat for the peer; openings in seat order."""

    beat: int
    openings: tuple[Opening, Opening]


class Slow(NamedTuple):
    """The peer's answer to this beat's COMMIT took long against the ping, which nobody can prove.

    `crossed` tells a COMMIT in answer (a late crossing) from a REVEAL (a slow reply).
    """

    beat: int
    crossed: bool
    waited_us: int
    ping_us: int


class Ended(NamedTuple):
    """The last record: how the match ended on this side, `by` whose doing or on whose word (a seat, or None).

    `how` is "over"; "abandoned" (claimed by this side, against `by`) or "claimed" (by the peer); "violation" (found
    here, done by `by`) or "accused" (the peer says so); "lost_records". `word` names the violation.
    """

    beat: int
    how: str
    by: int | None
    word: str


Record: TypeAlias = Proposed | Answered | Done | Slow | Ended
