"""The bytes of a journal: entries, each behind its length and a check that chains it to those before.

    entry = length of payload, 4 bytes big-endian | check, 16 bytes | payload, a msgpack array

A check is BLAKE2b over the check before it and the payload, so a flipped byte, a missing entry and a swapped
one are all found; a file that merely stops early is told apart. What belongs here: bytes to records and back.
What must not: whether the records make sense (replay.py), files (store.py).
"""

import re
from collections.abc import Callable, Iterator
from hashlib import blake2b
from io import BytesIO
from typing import Any, NamedTuple, TypeAlias, cast

import msgpack

from spitnet.core.cards import Seat
from spitnet.protocol.binding import HASH_BYTES, Opening, rematch_id
from spitnet.protocol.handshake import Origin
from spitnet.protocol.messages import WORD_MOST
from spitnet.protocol.records import Answered, Done, Ended, Proposed, Record, Slow

FORMAT = 2
"""Names the layout of these bytes; it grows when an older program could misread a newer file.

Format 1 knew no `synced`.
"""
CHECK_BYTES = 16
LENGTH_BYTES = 4
PAYLOAD_BYTES_MAX = 2**20
"""Of the first entry, which holds the nonces of every rematch before."""
RECORD_BYTES_MAX = 512
"""Of every other: a damaged length among these is found out, and not taken for the cut-off end of the file."""
SECTOR_BYTES = 512
"""What a disk writes whole or not at all, at the least."""
NO_CHECK = bytes(CHECK_BYTES)
_WORD = re.compile(rf"[a-z_]{{0,{WORD_MOST}}}")
_HEAD_BYTES = LENGTH_BYTES + CHECK_BYTES

Reader: TypeAlias = Callable[[int], bytes]
"""Returns the next so many bytes, fewer only where they end, as a file's `read` does."""


class Opened(NamedTuple):
    """The first entry: whose record this is, and all that its session id is made of.

    `started` is UTC, ISO 8601. `rematches` holds both seats' nonces for each match that was played on
    this link before, in order, the last being this one's; empty for a first match. `synced`: what had to be durable
    reached the disk before anything depended on it, so that not even a power cut takes it (`--sync always`).
    """

    format: int
    protocol: int
    seat: Seat
    started: str
    origin: Origin
    rematches: tuple[tuple[bytes, bytes], ...]
    synced: bool = False

    @property
    def session(self) -> bytes:
        return self._after(self.rematches)

    @property
    def session_before(self) -> bytes | None:
        """That of the match that this one is the rematch of, if it is one."""
        return self._after(self.rematches[:-1]) if self.rematches else None

    def _after(self, rematches: tuple[tuple[bytes, bytes], ...]) -> bytes:
        session = self.origin.session
        for nonces in rematches:
            session = rematch_id(session, nonces)
        return session


Entry: TypeAlias = Opened | Record

_KINDS: tuple[Callable[..., Entry], ...] = (Opened, Proposed, Answered, Done, Slow, Ended)
_CODES: dict[Any, int] = {make: code for code, make in enumerate(_KINDS)}


class Damaged(ValueError):
    """A journal's bytes are not what was written. `offset` is where the damaged entry starts, in bytes."""

    def __init__(self, offset: int) -> None:
        super().__init__(f"damaged entry at byte {offset}")
        self.offset = offset


class CutShort(ValueError):
    """A journal's last entry isn't whole: the program was stopped while it wrote, or is writing."""

    def __init__(self, offset: int) -> None:
        super().__init__(f"incomplete entry at byte {offset}")
        self.offset = offset


class NewerFormat(ValueError):
    """The journal was written by a later version of the program."""

    def __init__(self, found: int) -> None:
        super().__init__(f"journal format {found}")
        self.found = found


def encode(entry: Entry, check: bytes) -> tuple[bytes, bytes]:
    """The bytes of an entry that follows one with this check, and its own check."""
    payload = cast(bytes, msgpack.packb((_CODES[type(entry)], *entry)))
    own = chained(check, payload)
    return len(payload).to_bytes(LENGTH_BYTES, "big") + own + payload, own


def chained(check: bytes, payload: bytes) -> bytes:
    """The check of a payload behind an entry with the given check."""
    return blake2b(check + payload, digest_size=CHECK_BYTES).digest()


def entries(data: bytes) -> Iterator[tuple[Entry, bytes, int]]:
    """Every entry of a journal, in order, with its check and the offset behind it.

    Raises:
        Damaged, CutShort, NewerFormat: at the entry where it happens; those before it were good.
    """
    yield from entries_from(BytesIO(data).read)


def entries_from(
    read: Reader, offset: int = 0, check: bytes = NO_CHECK
) -> Iterator[tuple[Entry, bytes, int]]:
    """The same, of bytes that are read as they are needed, at most an entry at a time.

    `read` begins behind an entry that ends at that offset and has that check.
    """
    while head := read(_HEAD_BYTES):
        payload, check = _payload(head, read, offset, check)
        end = offset + _HEAD_BYTES + len(payload)
        yield _entry(payload, offset), check, end
        offset = end


def _payload(head: bytes, read: Reader, offset: int, check: bytes) -> tuple[bytes, bytes]:
    if len(head) < _HEAD_BYTES:
        raise CutShort(offset)
    length, own = int.from_bytes(head[:LENGTH_BYTES], "big"), head[LENGTH_BYTES:]
    if length > (RECORD_BYTES_MAX if offset else PAYLOAD_BYTES_MAX):
        raise Damaged(offset)
    payload = read(length)
    if len(payload) < length:
        raise CutShort(offset)
    if chained(check, payload) != own:
        raise CutShort(offset) if _unwritten(head + payload, read, offset) else Damaged(offset)
    return payload, own


def _unwritten(entry: bytes, read: Reader, offset: int) -> bool:
    """Whether there is nothing but zeros from this entry on, or from an edge of a sector's within it to the file's end.

    After a power cut some file systems have the file's length on the disk and not its last bytes.
    """
    written = offset + len(entry.rstrip(b"\0"))
    edge = -(-written // SECTOR_BYTES) * SECTOR_BYTES
    torn = written == offset or edge < offset + len(entry)
    rest = iter(lambda: read(PAYLOAD_BYTES_MAX), b"")
    return torn and not any(part.strip(b"\0") for part in rest)


def _entry(payload: bytes, offset: int) -> Entry:
    """The record in a payload whose check held: still of any shape, since anyone can compute a check."""
    try:
        code, *fields = msgpack.unpackb(payload, use_list=False, strict_map_key=True)
        if code == 0 and offset == 0 and type(fields[0]) is int and fields[0] > FORMAT:
            raise NewerFormat(fields[0])
        if type(code) is not int or code < 0 or (code == 0) is not (offset == 0):
            raise Damaged(offset)
        return _READERS[code](*fields)
    except (NewerFormat, Damaged):
        raise
    except Exception as error:  # msgpack's many kinds, and whatever a wrong shape leads to
        raise Damaged(offset) from error


def _opened(
    number: Any,
    protocol: Any,
    seat: Any,
    started: Any,
    origin: Any,
    rematches: Any,
    synced: Any = False,
) -> Opened:
    keys = tuple(_bytes(key, HASH_BYTES) for key in origin[:2])
    greetings = tuple(_bytes(frame) for frame in origin[2:])
    pairs = tuple((_bytes(a, HASH_BYTES), _bytes(b, HASH_BYTES)) for a, b in rematches)
    return Opened(
        _int(number),
        _int(protocol),
        _seat(seat),
        _str(started),
        Origin(*keys, *greetings),
        pairs,
        _bool(synced),
    )


def _proposed(beat: Any, mine: Any) -> Proposed:
    return Proposed(_int(beat), _opening(mine))


def _answered(beat: Any, theirs: Any, mine: Any) -> Answered:
    return Answered(_int(beat), _bytes(theirs, HASH_BYTES), _opening(mine))


def _done(beat: Any, openings: Any) -> Done:
    first, second = openings
    return Done(_int(beat), (_opening(first), _opening(second)))


def _slow(beat: Any, crossed: Any, waited_us: Any, ping_us: Any) -> Slow:
    return Slow(_int(beat), _bool(crossed), _int(waited_us), _int(ping_us))


def _ended(beat: Any, how: Any, by: Any, word: Any) -> Ended:
    return Ended(_int(beat), _str(how), None if by is None else _seat(by), _word(word))


_READERS: tuple[Callable[..., Entry], ...] = (
    _opened,
    _proposed,
    _answered,
    _done,
    _slow,
    _ended,
)


def _int(value: Any) -> int:
    if type(value) is int and value >= 0:
        return value
    raise ValueError


def _bool(value: Any) -> bool:
    if type(value) is bool:
        return value
    raise ValueError


def _seat(value: Any) -> Seat:
    if type(value) is int and value in (0, 1):
        return value
    raise ValueError


def _str(value: Any) -> str:
    if type(value) is str:
        return value
    raise ValueError


def _word(value: Any) -> str:
    """As a BYE may bring it: it is shown as it is, whoever made the file."""
    if _WORD.fullmatch(_str(value)):
        return str(value)
    raise ValueError


def _bytes(value: Any, length: int | None = None) -> bytes:
    if type(value) is bytes and (length is None or len(value) == length):
        return value
    raise ValueError


def _opening(value: Any) -> Opening:
    move, nonce = value
    return Opening(_bytes(move), _bytes(nonce, HASH_BYTES))
