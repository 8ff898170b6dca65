"""The frames that two peers exchange: one msgpack array each, the kind first.

What belongs here: the shape of every frame, as types that its decoding keeps to strictly. What must not: what a frame
means. `decode` is the only way in; it checks the size, the exact number of fields, every type and every bound.
Source: WIRE.md, "Frames".
"""

from enum import IntEnum, StrEnum
from typing import Annotated, Final, TypeAlias, get_args

from msgspec import Meta, Struct
from msgspec.structs import asdict

from spitnet.core.state import GAMES_MAX, GRACE_S_RANGE, RefillMode, Settings, SpitMode
from spitnet.protocol import VERSION, codec
from spitnet.protocol.binding import Opening
from spitnet.protocol.fields import (
    HASH_BYTES,
    VERSION_MAX,
    BeatNumber,
    Hash,
    Nonce,
    OurVersion,
    ResumeId,
    SeatNumber,
    Token,
    Version,
    Word,
)

FRAME_BYTES_MAX = 4063
"""What the link lets through: 4096 bytes less CURVE's 33; far above the largest that is ever sent (about 700)."""
NAME_BYTES_MAX = 96
CODE_MESSAGE_BYTES = 33
"""A SPAKE2 element on Ed25519 with the side that sent it."""


class FrameKind(IntEnum):
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


class Rejection(StrEnum):
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


class FrameBody(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The kind, then the fields in their order."""


class Hello(FrameBody, frozen=True, tag=int(FrameKind.HELLO)):
    version: OurVersion
    nonce: Nonce
    name: str
    code_message: bytes

    def __post_init__(self) -> None:
        _check_greeting(self)


class Terms(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The settings of a match. The last may be missing: it came later than the others."""

    games: Annotated[int, Meta(ge=1, le=GAMES_MAX)]
    refill: RefillMode
    spit: SpitMode
    grace_s: Annotated[int, Meta(ge=GRACE_S_RANGE[0], le=GRACE_S_RANGE[1])]
    watchable: bool = False

    @property
    def settings(self) -> Settings:
        return Settings(**asdict(self))


def terms_of(settings: Settings) -> Terms:
    """The same as they travel."""
    return Terms(**asdict(settings))


class Welcome(FrameBody, frozen=True, tag=int(FrameKind.WELCOME)):
    version: OurVersion
    nonce: Nonce
    name: str
    terms: Terms
    code_message: bytes

    def __post_init__(self) -> None:
        _check_greeting(self)

    @property
    def settings(self) -> Settings:
        return self.terms.settings


class Agreed(FrameBody, frozen=True):
    """The session, and proof that the sender knows the table's code; empty where it has none."""

    session: Hash
    confirmation: bytes

    def __post_init__(self) -> None:
        _require(len(self.confirmation) in (0, HASH_BYTES))


class Accept(Agreed, frozen=True, tag=int(FrameKind.ACCEPT)):
    """The joiner's."""


class Start(Agreed, frozen=True, tag=int(FrameKind.START)):
    """The host's."""


class Refuse(FrameBody, frozen=True, tag=int(FrameKind.REFUSE)):
    version: Version
    reason: Rejection


class InMatch(FrameBody, frozen=True):
    """What belongs to a session, once both are seated."""

    session: Hash


class Contribution(InMatch, frozen=True):
    """Half of what a seat gives to a beat; `chain` and `digest` are of the last complete one before it."""

    beat: BeatNumber
    seat: SeatNumber
    chain: Hash
    digest: Hash


class Commit(Contribution, frozen=True, tag=int(FrameKind.COMMIT)):
    commitment: Hash


class Reveal(Contribution, frozen=True, tag=int(FrameKind.REVEAL)):
    opening: Opening


class Resume(InMatch, frozen=True, tag=int(FrameKind.RESUME)):
    """One peer's whole state of the open beat, in one frame.

    A `resume_id` asks for an answer, `answers` names the resume_id that this one answers.
    `beat`, `chain` and `digest` are of the last complete beat, `last` is the sender's opening of it (None
    before the first). `commit` and `reveal` are the sender's own of the beat after it, `held` is the
    receiver's COMMIT of that beat as far as the sender has it.
    """

    seat: SeatNumber
    resume_id: ResumeId | None
    answers: ResumeId | None
    beat: BeatNumber
    chain: Hash
    digest: Hash
    last: Opening | None
    commit: Hash | None
    reveal: Opening | None
    held: Hash | None


class Ping(InMatch, frozen=True, tag=int(FrameKind.PING)):
    """Asks for a PONG at once, and says how far the sender is, so that what was lost before it is noticed.

    `beat` is the last complete beat, `proposed` tells that a COMMIT of the sender's for the next is out.
    """

    token: Token
    beat: BeatNumber
    proposed: bool


class Pong(InMatch, frozen=True, tag=int(FrameKind.PONG)):
    """Answers the PING with that token; the other fields as there."""

    token: Token
    beat: BeatNumber
    proposed: bool


class Bye(InMatch, frozen=True, tag=int(FrameKind.BYE)):
    """`word` names the violation where `farewell` is one, and is empty otherwise."""

    beat: BeatNumber
    farewell: Farewell
    word: Word


class Rematch(InMatch, frozen=True, tag=int(FrameKind.REMATCH)):
    nonce: Nonce


class OtherVersion(Struct, frozen=True):
    """A greeting of another protocol version: only that is known of it. Never sent."""

    version: int


Message: TypeAlias = (
    Hello
    | Welcome
    | Accept
    | Start
    | Refuse
    | Commit
    | Reveal
    | Resume
    | Ping
    | Pong
    | Bye
    | Rematch
)


class Malformed(ValueError):
    """The bytes are no frame of this protocol."""


_reader: Final[codec.Reader[Message]] = codec.Reader(*get_args(Message))


def encode(message: Message) -> bytes:
    """The frame of a message."""
    return codec.pack(_fields(message) if type(message) is Welcome else message)


def decode(frame: bytes) -> Message | OtherVersion:
    """The message that a frame is.

    A greeting of another version may differ behind its version, so it comes back as `OtherVersion`.

    Raises:
        Malformed: too long, not msgpack, or not exactly one of the shapes above.
    """
    if len(frame) > FRAME_BYTES_MAX:
        raise Malformed("too long")
    try:
        return _reader.read(frame)
    except ValueError as error:
        version = foreign_version(frame, (FrameKind.HELLO, FrameKind.WELCOME))
        if version is None:
            raise Malformed(str(error)) from error
        return OtherVersion(version)


def foreign_version(frame: bytes, kinds: tuple[int, ...]) -> int | None:
    """The version of a frame of one of these kinds, whatever stands behind it, be it no msgpack; None if it is ours."""
    try:
        members, kind, version = codec.head(frame)
    except ValueError:
        return None
    foreign = members > 1 and kind in kinds and 0 <= version <= VERSION_MAX
    return version if foreign and version != VERSION else None


def _fields(welcome: Welcome) -> tuple[object, ...]:
    """Without `watchable` among its terms, where nobody may look on."""
    shown = asdict(welcome.terms)
    if not shown["watchable"]:
        del shown["watchable"]
    fields = asdict(welcome) | {"terms": tuple(shown.values())}
    return FrameKind.WELCOME, *fields.values()


def _check_greeting(greeting: Hello | Welcome) -> None:
    _require(1 <= len(greeting.name.encode()) <= NAME_BYTES_MAX)
    _require(len(greeting.code_message) in (0, CODE_MESSAGE_BYTES))


def _require(holds: bool) -> None:
    """Raises ValueError, which is a malformed frame where the values came from one."""
    if not holds:
        raise ValueError("a field of another length or range")
