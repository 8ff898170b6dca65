"""The frames between a host and those who look on: which part of the record is asked for, and that part.

What belongs here: their shape and strict decoding. They travel on a link of their own, and mean nothing in a match. What
must not: what a record is, and who may have which part of it. Source: WIRE.md, "Watching".
"""

from enum import IntEnum
from typing import Any, NamedTuple, TypeAlias, TypeGuard, cast

import msgpack

from spitnet.protocol import VERSION
from spitnet.protocol.binding import HASH_BYTES
from spitnet.protocol.messages import FRAME_BYTES_MAX, Malformed, Refuse, Refused
from spitnet.protocol.messages import decode as decode_message
from spitnet.protocol.messages import encode as encode_message

PIECE_BYTES = 3900
"""Of the record, in one frame; the rest of the frame takes some 60."""
OFFSET_MAX = 2**48


class Kind(IntEnum):
    """The first field of a frame."""

    REFUSE = 5
    WATCH = 20
    PIECE = 21


class Watch(NamedTuple):
    """Asks for what comes at that offset, in bytes, of the record of a session; None: of whichever match goes on."""

    version: int
    session: bytes | None
    offset: int


class Piece(NamedTuple):
    """`data` stands at `offset` of a record that has `size` bytes so far."""

    session: bytes
    offset: int
    size: int
    data: bytes


Frame: TypeAlias = Watch | Piece | Refuse


def encode(frame: Frame) -> bytes:
    """The bytes of a frame."""
    match frame:
        case Watch():
            return _packed(Kind.WATCH, frame)
        case Piece():
            return _packed(Kind.PIECE, frame)
        case Refuse():
            return encode_message(frame)


def busy() -> Refuse:
    """There is no room for one more to look on."""
    return Refuse(VERSION, Refused.BUSY)


def other_version() -> Refuse:
    """Whoever asked speaks another version."""
    return Refuse(VERSION, Refused.VERSION)


def decode(data: bytes) -> Frame:
    """What a frame says; of a question of another version, only that.

    Raises:
        Malformed: it is none.
    """
    match _unpacked(data):
        case (Kind.WATCH, version, *_) if _number(version, 0xFFFF) and version != VERSION:
            return Watch(version, None, 0)
        case (Kind.WATCH, version, session, offset) if (
            _number(version, 0xFFFF)
            and (session is None or _is_session(session))
            and _number(offset, OFFSET_MAX)
        ):
            return Watch(version, session, offset)
        case (Kind.PIECE, session, offset, size, bytes() as piece) if (
            _is_session(session)
            and _number(offset, OFFSET_MAX)
            and _number(size, OFFSET_MAX)
            and 0 < len(piece) <= size - offset
        ):
            return Piece(session, offset, size, piece)
        case (Kind.REFUSE, *_):
            refuse = decode_message(data)
            if isinstance(refuse, Refuse):
                return refuse
    raise Malformed("no frame of those who look on")


def _packed(kind: Kind, fields: tuple[Any, ...]) -> bytes:
    return cast(bytes, msgpack.packb((int(kind), *fields)))


def _unpacked(data: bytes) -> Any:
    """The array; the empty one for what is none of ours."""
    if len(data) > FRAME_BYTES_MAX:
        raise Malformed("too long")
    try:
        value = msgpack.unpackb(data, use_list=False, strict_map_key=True)
    except Exception as error:  # msgpack raises half a dozen kinds for bad bytes
        raise Malformed("not msgpack") from error
    return value if type(value) is tuple and value and type(value[0]) is int else ()


def _number(field: object, most: int) -> TypeGuard[int]:
    return type(field) is int and 0 <= field <= most


def _is_session(field: object) -> TypeGuard[bytes]:
    return type(field) is bytes and len(field) == HASH_BYTES
