"""Every hash of the protocol, with its exact preimage; nothing else hashes.

Each preimage starts with its own domain, ends in fields of fixed or stated length, and so can't be read as
another. All integers are unsigned and big-endian. Source: WIRE.md, "Hashes"; Corman et al. 2006 (bind
identity, round and session).
"""

import struct
from hashlib import sha256
from typing import Final

from msgspec import Struct

from spitnet.core.cards import Seat
from spitnet.core.state import Match, Reason
from spitnet.protocol.fields import MoveBytes, Nonce

EMPTY_SLOT = 255
_COUNTS = struct.Struct(">4H")
_size: Final = struct.Struct(">H").pack
"""Of what follows, so that two fields can't run into each other."""

_REASON_CODES = {
    None: 0,
    Reason.OUT: 1,
    Reason.FEWEST: 2,
    Reason.LEVEL: 3,
    Reason.DEAD_HEAT: 4,
    Reason.CONCEDED: 5,
    Reason.ABANDONED: 6,
    Reason.FORFEITED: 7,
}


class Opening(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What a seat contributes to a beat: the exact bytes of its move, and the nonce that hid it."""

    move: MoveBytes
    nonce: Nonce


def session_id(host_key: bytes, join_key: bytes, hello: bytes, welcome: bytes) -> bytes:
    """Binds both CURVE public keys and both greetings, as they travelled: version, nonces, names, settings."""
    greetings = (_size(len(hello)), hello, _size(len(welcome)), welcome)
    return sha256(b"spitnet/1 session" + host_key + join_key + b"".join(greetings)).digest()


def rematch_id(session: bytes, nonces: tuple[bytes, bytes]) -> bytes:
    """The session of a rematch: the match before it and one fresh nonce of each seat."""
    return sha256(b"spitnet/1 rematch" + session + nonces[0] + nonces[1]).digest()


def commitment(
    session: bytes, beat: int, seat: Seat, chain: bytes, digest: bytes, opening: Opening
) -> bytes:
    """Hides and binds one seat's contribution to a beat.

    `chain` and `digest` are those after the beat before. Source: WIRE.md, section 7.
    """
    where = beat.to_bytes(8, "big") + bytes((seat,))
    opened = _size(len(opening.move)) + opening.move + opening.nonce
    return sha256(b"".join((b"spitnet/1 commit", session, where, chain, digest, opened))).digest()


def next_chain(chain: bytes, beat: int, openings: tuple[Opening, Opening]) -> bytes:
    """The chain after a beat, which is that beat's randomness too.

    Source: claim C5: with one honest nonce nobody can foresee it before both seats are bound.
    """
    first, second = openings
    one = _size(len(first.move)) + first.move + first.nonce
    two = _size(len(second.move)) + second.move + second.nonce
    return sha256(b"spitnet/1 beat" + chain + beat.to_bytes(8, "big") + one + two).digest()


def state_digest(match: Match) -> bytes:
    """What both peers must agree on after every beat. Source: claim C1."""
    return sha256(b"spitnet/1 state" + encode_state(match)).digest()


def encode_state(match: Match) -> bytes:
    """The whole state of a match as bytes; equal bytes, equal state."""
    game = match.game
    number = 0 if game is None else game.number
    head = _COUNTS.pack(number, *match.wins, match.draws)
    if match.result is None:
        head += b"\x00"
    else:
        head += b"\x01" + _winner(match.result.winner)
    if game is None:
        return head
    outcome = game.outcome
    if outcome is None:
        head += b"\x00"
    else:
        head += bytes((_REASON_CODES[outcome.reason],)) + _winner(outcome.winner)
    head += bytes(game.ready)
    for layout, stock, pile in zip(game.layouts, game.stocks, game.piles, strict=True):
        slots = [EMPTY_SLOT if card is None else card for card in layout]
        head += bytes((*slots, len(stock), *stock, len(pile), *pile))
    return head


def _winner(winner: Seat | None) -> bytes:
    return b"\x02" if winner is None else bytes((winner,))
