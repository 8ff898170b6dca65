"""What can be wrong with a match, split by whose doing it is.

A peer's fault is a result of play between strangers, named by one word that goes on the wire, into the
record and on both screens. A lost race is none of these.
"""

from enum import StrEnum


class Fault(StrEnum):
    """What a peer did that no honest peer does."""

    MALFORMED = "malformed"
    WRONG_SEAT = "wrong_seat"
    WRONG_BEAT = "wrong_beat"
    WRONG_CHAIN = "wrong_chain"
    DESYNC = "desync"
    COPIED_COMMITMENT = "copied_commitment"
    SECOND_COMMITMENT = "second_commitment"
    SECOND_OPENING = "second_opening"
    WRONG_OPENING = "wrong_opening"
    ILLEGAL_MOVE = "illegal_move"
    MOVE_IN_PASS = "move_in_pass"
    UNASKED_OPENING = "unasked_opening"
    INVENTED_PAST = "invented_past"
    FLOOD = "flood"
    STALLING = "stalling"


class RemoteFault(Exception):
    """The peer broke the protocol; the match ends here, for ever."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.value)
        self.fault = fault


class MessageLost(Exception):
    """Something that the peer must have sent never came: no fault, resynchronise."""


class RecordsLost(Exception):
    """The peer holds answers to what this side's journal no longer has: nobody's fault, but the end."""


class LocalError(RuntimeError):
    """This side called the machine in a state that doesn't allow it: a bug of ours."""
