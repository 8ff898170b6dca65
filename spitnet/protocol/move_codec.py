"""The bytes of a move: one byte that names it, then its fields, one byte each.

One move has one encoding, and these bytes are what commitments hash and journals keep.
"""

from spitnet.core.cards import DECK_SIZE, Card
from spitnet.core.moves import Concede, Deal, Leave, Move, Play, Ready, Refill, Spit
from spitnet.core.state import LAYOUT_SIZE

PASS = b"\x00"
CARDS = 2 * DECK_SIZE
PILES = 2

_PLAIN: dict[bytes, Move] = {
    b"\x01": Deal(),
    b"\x02": Ready(),
    b"\x03": Spit(),
    b"\x06": Concede(),
    b"\x07": Leave(),
}
_PLAIN_CODES = {type(move): code for code, move in _PLAIN.items()}
_PLAY = 4
_REFILL = 5


class MalformedMove(ValueError):
    """The bytes are no move."""


def encode_move(move: Move | None) -> bytes:
    """The bytes of a move; None is the pass."""
    match move:
        case None:
            return PASS
        case Play(card, pile, pile_size):
            return bytes((_PLAY, card, pile, pile_size))
        case Refill(slot):
            return bytes((_REFILL, slot))
        case _:
            return _PLAIN_CODES[type(move)]


def decode_move(data: bytes) -> Move | None:
    """The move that the bytes are; None is the pass.

    Raises:
        MalformedMove: unknown, too short, too long, or a field out of its range.
    """
    if data == PASS:
        return None
    if data in _PLAIN:
        return _PLAIN[data]
    match tuple(data):
        case (4, card, pile, pile_size) if card < CARDS and pile < PILES and pile_size <= CARDS:
            return Play(Card(card), pile, pile_size)
        case (5, slot) if slot < LAYOUT_SIZE:
            return Refill(slot)
    raise MalformedMove(f"not a move: {data.hex()}")
