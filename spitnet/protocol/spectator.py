"""The frames between a host and those who look on: which part of the record is asked for, and that part.

What belongs here: their shape and strict decoding. They travel on a link of their own, and mean nothing in a match. What
must not: what a record is, and who may have which part of it. Source: WIRE.md, section 20.
"""

from enum import IntEnum
from typing import Annotated, Final, TypeAlias, get_args

from msgspec import Meta

from spitnet.protocol import VERSION, codec
from spitnet.protocol.fields import Hash, OurVersion
from spitnet.protocol.messages import (
    FRAME_BYTES_MAX,
    FrameBody,
    Malformed,
    Refuse,
    Rejection,
    foreign_version,
)

PIECE_BYTES = 3900
"""Of the record, in one frame; the rest of the frame takes some 60."""
OFFSET_MAX = 2**48
Offset: TypeAlias = Annotated[int, Meta(ge=0, le=OFFSET_MAX)]


class SpectatorFrameKind(IntEnum):
    """The first field of a frame."""

    REFUSE = 5
    WATCH = 20
    PIECE = 21


class Watch(FrameBody, frozen=True, tag=int(SpectatorFrameKind.WATCH)):
    """Asks for what comes at that offset, in bytes, of the record of a session; None: of whichever match goes on."""

    version: OurVersion
    session: Hash | None
    offset: Offset


class Piece(FrameBody, frozen=True, tag=int(SpectatorFrameKind.PIECE)):
    """`data` stands at `offset` of a record that has `size` bytes so far."""

    session: Hash
    offset: Offset
    size: Offset
    data: bytes

    def __post_init__(self) -> None:
        if not 0 < len(self.data) <= self.size - self.offset:
            raise ValueError("no part of a record of that size")


SpectatorFrame: TypeAlias = Watch | Piece | Refuse

_reader: Final[codec.Reader[SpectatorFrame]] = codec.Reader(*get_args(SpectatorFrame))


def encode(frame: SpectatorFrame) -> bytes:
    """The bytes of a frame."""
    return codec.pack(frame)


def busy() -> Refuse:
    """There is no room for one more to look on."""
    return Refuse(VERSION, Rejection.BUSY)


def other_version() -> Refuse:
    """Whoever asked speaks another version."""
    return Refuse(VERSION, Rejection.VERSION)


def decode(data: bytes) -> SpectatorFrame:
    """What a frame says; of a question of another version, only that.

    Raises:
        Malformed: it is none.
    """
    if len(data) > FRAME_BYTES_MAX:
        raise Malformed("too long")
    try:
        return _reader.read(data)
    except ValueError as error:
        version = foreign_version(data, (SpectatorFrameKind.WATCH,))
        if version is None:
            raise Malformed(str(error)) from error
        return Watch(version, None, 0)
