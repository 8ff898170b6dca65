"""What both ends of a link share: keys, and the events they report. No sockets here."""

from dataclasses import dataclass, field
from enum import Enum

import zmq
from msgspec import Struct
from zmq.utils import z85

from spitnet.net.errors import CurveMissing

MAX_WIRE_BYTES = 4096


@dataclass(frozen=True, slots=True)
class KeyPair:
    """A CURVE key pair, 32 raw bytes each."""

    public: bytes
    secret: bytes

    def __repr__(self) -> str:
        return f"KeyPair({self.public.hex()})"


class LinkFailure(Enum):
    """Why a connection did not come about; libzmq tries again after each."""

    UNREACHABLE = "unreachable"
    """Nobody listens there, or there is no way."""
    NOT_A_TABLE = "not a table"
    """Somebody listens who does not speak ZeroMQ, or has another key."""


@dataclass(frozen=True, slots=True)
class Received:
    """A frame from a peer. `address`: the numeric one of a joiner that has no seat, as far as it is known."""

    key: bytes
    frame: bytes
    address: str = field(default="", compare=False)


class Up(Struct, frozen=True):
    """The peer is connected: frames can be sent."""

    key: bytes


class Down(Struct, frozen=True):
    """The peer's connection ended, as far as is known."""

    key: bytes


class BadMessage(Struct, frozen=True):
    """The peer sent what is not one frame of one part, or far too much that was no frame."""

    key: bytes


class Refused(Struct, frozen=True):
    """The host does not let this key in (400: the seat is taken). Final: only `redirect` tries again."""

    code: int


class Failed(Struct, frozen=True):
    """A connection did not come about; said at each attempt."""

    reason: LinkFailure


LinkEvent = Received | Up | Down | BadMessage | Refused | Failed


def new_keypair() -> KeyPair:
    """Make a key pair from the operating system's entropy."""
    public, secret = zmq.curve_keypair()
    return KeyPair(z85.decode(public), z85.decode(secret))


def public_of(secret: bytes) -> bytes:
    """The public key that belongs to a secret one, 32 raw bytes each."""
    return z85.decode(zmq.curve_public(z85.encode(secret)))


def require_curve() -> None:
    """Make sure that libzmq can encrypt.

    Raises: CurveMissing, which names the cure.
    """
    if not zmq.has("curve"):
        raise CurveMissing
