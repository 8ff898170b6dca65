"""The frames that two peers exchange: one msgpack array each, the kind first.

What belongs here: the shape of every frame and its strict decoding. What must not: what a frame means.
`decode` is the only way in; it checks the size, the exact number of fields, every type and every bound.
Source: WIRE.md, "Frames".
"""

from collections.abc import Callable
from dataclasses import astuple
from enum import IntEnum, StrEnum
from typing import Any, NamedTuple, TypeAlias, cast

import msgpack

from spitnet.core.cards import Seat
from spitnet.core.state import RefillMode, Settings, SpitMode
from spitnet.protocol import VERSION
from spitnet.protocol.binding import HASH_BYTES, NONCE_BYTES, Opening

FRAME_BYTES_MAX = 4063
"""What the link lets through: 4096 bytes less CURVE's 33; far above the largest that is ever sent (about 700)."""
BEAT_MAX = 2**48
NAME_BYTES_MAX = 96
CODE_MESSAGE_BYTES = 33
"""A SPAKE2 element on Ed25519 with the side that sent it."""
RESUME_ID_BYTES = 16
MOVE_BYTES_MAX = 4
WORD_MOST = 40
_WORD_SIGNS = frozenset("abcdefghijklmnopqrstuvwxyz_")
GAMES_MAX = 1000
GRACE_S_RANGE = (5, 3600)


class Kind(IntEnum):
    """The first field of a frame."""

    HELLO = 1
    WELCOME = 2
    ACCEPT = 3
    START = 4
    REFUSE = 5
    COMMIT = 10
    REVEAL = 11
    RESUME = 12
    PING = 13
    PONG = 14
    BYE = 15
    REMATCH = 16


class Refused(StrEnum):
    """Why a knock was turned away."""

    BUSY = "busy"
    VERSION = "version"
    CODE = "code"
    WAIT = "wait"
    UNKNOWN = "unknown"


class Farewell(StrEnum):
    """Why a peer leaves the link."""

    OVER = "over"
    PAUSED = "paused"
    ABANDONED = "abandoned"
    LOST_RECORDS = "lost_records"
    VIOLATION = "violation"


class Hello(NamedTuple):
    version: int
    nonce: bytes
    name: str
    code_message: bytes


class Welcome(NamedTuple):
    version: int
    nonce: bytes
    name: str
    settings: Settings
    code_message: bytes


class Accept(NamedTuple):
    session: bytes
    confirmation: bytes


class Start(NamedTuple):
    session: bytes
    confirmation: bytes


class Refuse(NamedTuple):
    version: int
    reason: Refused


class Commit(NamedTuple):
    session: bytes
    beat: int
    seat: Seat
    chain: bytes
    digest: bytes
    commitment: bytes


class Reveal(NamedTuple):
    session: bytes
    beat: int
    seat: Seat
    chain: bytes
    digest: bytes
    opening: Opening


class Resume(NamedTuple):
    """One peer's whole state of the open beat, in one frame.

    A `resume_id` asks for an answer, `answers` names the resume_id that this one answers.
    `beat`, `chain` and `digest` are of the last complete beat, `last` is the sender's opening of it (None
    before the first). `commit` and `reveal` are the sender's own of the beat after it, `held` is the
    receiver's COMMIT of that beat as far as the sender has it.
    """

    session: bytes
    seat: Seat
    resume_id: bytes | None
    answers: bytes | None
    beat: int
    chain: bytes
    digest: bytes
    last: Opening | None
    commit: bytes | None
    reveal: Opening | None
    held: bytes | None


class Ping(NamedTuple):
    """Asks for a PONG at once, and says how far the sender is, so that what was lost before it is noticed.

    `beat` is the last complete beat, `proposed` tells that a COMMIT of the sender's for the next is out.
    """

    session: bytes
    token: int
    beat: int
    proposed: bool


class Pong(NamedTuple):
    """Answers the PING with that token; the other fields as there."""

    session: bytes
    token: int
    beat: int
    proposed: bool


class Bye(NamedTuple):
    """`word` names the violation where `farewell` is one, and is empty otherwise."""

    session: bytes
    beat: int
    farewell: Farewell
    word: str


class Rematch(NamedTuple):
    session: bytes
    nonce: bytes


class OtherVersion(NamedTuple):
    """A greeting of another protocol version: only that is known of it. Never sent."""

    version: int


InMatch: TypeAlias = Commit | Reveal | Resume | Ping | Pong | Bye | Rematch
"""What belongs to a session once both are seated."""

Message: TypeAlias = Hello | Welcome | Accept | Start | Refuse | OtherVersion | InMatch


class Malformed(ValueError):
    """The bytes are no frame of this protocol."""


Check: TypeAlias = Callable[[Any], Any]
"""Returns the field as its type, or raises Malformed."""


def _exactly(length: int) -> Check:
    def check(value: Any) -> bytes:
        if type(value) is bytes and len(value) == length:
            return value
        raise Malformed("bytes of another type or length")

    return check


def _either(*lengths: int) -> Check:
    def check(value: Any) -> bytes:
        if type(value) is bytes and len(value) in lengths:
            return value
        raise Malformed("bytes of another type or length")

    return check


def _whole(least: int, most: int) -> Check:
    def check(value: Any) -> int:
        if type(value) is int and least <= value <= most:
            return value
        raise Malformed("a number of another type or range")

    return check


def _word(kind: type[StrEnum]) -> Check:
    def check(value: Any) -> StrEnum:
        if type(value) is str and value in kind.__members__.values():
            return kind(value)
        raise Malformed(f"no {kind.__name__}")

    return check


def _text(least: int, most: int) -> Check:
    def check(value: Any) -> str:
        if type(value) is str and least <= len(value.encode()) <= most:
            return value
        raise Malformed("a text of another type or length")

    return check


def _fault_word(value: Any) -> str:
    """A word that a later version may know and this one need not; nothing that a terminal acts on."""
    if type(value) is str and len(value) <= WORD_MOST and set(value) <= _WORD_SIGNS:
        return value
    raise Malformed("no word")


def _flag(value: Any) -> bool:
    if type(value) is bool:
        return value
    raise Malformed("no truth value")


def _optional(check: Check) -> Check:
    return lambda value: None if value is None else check(value)


def _fields(value: Any, checks: tuple[Check, ...]) -> list[Any]:
    if type(value) is not tuple or len(value) != len(checks):
        raise Malformed("another number of fields")
    return [check(field) for check, field in zip(checks, value, strict=True)]


def _opening(value: Any) -> Opening:
    move, nonce = _fields(value, (_move_bytes, _nonce))
    return Opening(move, nonce)


def _settings(value: Any) -> Settings:
    """The last field may be missing."""
    fields = (*value, False) if type(value) is tuple and len(value) + 1 == len(_SETTINGS) else value
    return Settings(*_fields(fields, _SETTINGS))


def _settings_fields(settings: Settings) -> tuple[Any, ...]:
    fields = astuple(settings)
    return fields if settings.watchable else fields[:-1]


_move_bytes = _either(*range(1, MOVE_BYTES_MAX + 1))
_nonce = _exactly(NONCE_BYTES)
_hash = _exactly(HASH_BYTES)
_resume_id = _exactly(RESUME_ID_BYTES)
_beat = _whole(0, BEAT_MAX)
_seat = _whole(0, 1)
_version = _whole(0, 65535)
_token = _whole(0, 2**32 - 1)
_name = _text(1, NAME_BYTES_MAX)
_code_message = _either(0, CODE_MESSAGE_BYTES)
_confirmation = _either(0, HASH_BYTES)
_SETTINGS = (
    _whole(1, GAMES_MAX),
    _word(RefillMode),
    _word(SpitMode),
    _whole(*GRACE_S_RANGE),
    _flag,
)

_SHAPES: dict[Kind, tuple[Callable[..., Message], tuple[Check, ...]]] = {
    Kind.HELLO: (Hello, (_version, _nonce, _name, _code_message)),
    Kind.WELCOME: (Welcome, (_version, _nonce, _name, _settings, _code_message)),
    Kind.ACCEPT: (Accept, (_hash, _confirmation)),
    Kind.START: (Start, (_hash, _confirmation)),
    Kind.REFUSE: (Refuse, (_version, _word(Refused))),
    Kind.COMMIT: (Commit, (_hash, _beat, _seat, _hash, _hash, _hash)),
    Kind.REVEAL: (Reveal, (_hash, _beat, _seat, _hash, _hash, _opening)),
    Kind.RESUME: (
        Resume,
        (
            _hash,
            _seat,
            _optional(_resume_id),
            _optional(_resume_id),
            _beat,
            _hash,
            _hash,
            _optional(_opening),
            _optional(_hash),
            _optional(_opening),
            _optional(_hash),
        ),
    ),
    Kind.PING: (Ping, (_hash, _token, _beat, _flag)),
    Kind.PONG: (Pong, (_hash, _token, _beat, _flag)),
    Kind.BYE: (Bye, (_hash, _beat, _word(Farewell), _fault_word)),
    Kind.REMATCH: (Rematch, (_hash, _nonce)),
}
_GREETINGS = (Kind.HELLO, Kind.WELCOME)
_KINDS = {shape: int(kind) for kind, (shape, _) in _SHAPES.items()}


def encode(message: Message) -> bytes:
    """The frame of a message."""
    return cast(bytes, msgpack.packb((_KINDS[type(message)], *message), default=_settings_fields))


def _foreign(frame: bytes, error: Exception) -> OtherVersion:
    """A greeting of another version, whatever stands behind its version, be it no msgpack of ours.

    Raises:
        Malformed: it is none.
    """
    head = msgpack.Unpacker()
    head.feed(frame)
    try:
        members = head.read_array_header()
        kind, version = head.unpack(), _version(head.unpack())
    except Exception:  # noqa: BLE001 - as in `decode`
        raise Malformed("not msgpack") from error
    if members > 1 and type(kind) is int and kind in _GREETINGS and version != VERSION:
        return OtherVersion(version)
    raise Malformed("not msgpack") from error


def decode(frame: bytes) -> Message:
    """The message that a frame is.

    A greeting of another version may differ behind its version, so it comes back as `OtherVersion`.

    Raises:
        Malformed: too long, not msgpack, or not exactly one of the shapes above.
    """
    if len(frame) > FRAME_BYTES_MAX:
        raise Malformed("too long")
    try:
        value = msgpack.unpackb(frame, use_list=False, strict_map_key=True)
    except Exception as error:  # noqa: BLE001 - msgpack raises half a dozen kinds for bad bytes
        return _foreign(frame, error)
    if type(value) is not tuple or not value or type(value[0]) is not int:
        raise Malformed("no kind")
    shape = _SHAPES.get(cast(Kind, value[0]))
    if shape is None:
        raise Malformed("unknown kind")
    make, checks = shape
    if value[0] in _GREETINGS and len(value) > 1 and _version(value[1]) != VERSION:
        return OtherVersion(value[1])
    try:
        return make(*_fields(value[1:], checks))
    except UnicodeEncodeError as error:
        raise Malformed("a text that is no UTF-8") from error
