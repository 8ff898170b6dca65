"""The bytes of a journal: entries, each behind its length and a check that chains it to those before.

    entry = length of payload, 4 bytes big-endian | check, 16 bytes | payload, a msgpack array

A check is BLAKE2b over the check before it and the payload, so a flipped byte, a missing entry and a swapped
one are all found; a file that merely stops early is told apart. What belongs here: bytes to records and back.
What must not: whether the records make sense (replay.py), files (store.py).
"""

from collections.abc import Callable, Iterator
from hashlib import blake2b
from io import BytesIO
from typing import Final, TypeAlias, get_args

from spitnet.protocol import codec
from spitnet.protocol.binding import rematch_id
from spitnet.protocol.entries import Lagging, Numbered, Record, Stop, Waited
from spitnet.protocol.fields import Count, Nonce, SeatNumber
from spitnet.protocol.handshake import Origin

FORMAT = 3
"""Names the layout of these bytes; it grows when an older program could misread a newer file.

Format 1 knew no `synced`, format 2 no entry of `SINCE` and no `left`; until then nobody had won a match that a violation
or lost records ended.
"""
CHECK_BYTES = 16
LENGTH_BYTES = 4
PAYLOAD_BYTES_MAX = 2**20
"""Of the first entry, which holds the nonces of every rematch before."""
REMATCH_BYTES = 64
"""Of the two nonces of a rematch."""
RECORD_BYTES_MAX = 512
"""Of every other: a damaged length among these is found out, and not taken for the cut-off end of the file."""
SECTOR_BYTES = 512
"""What a disk writes whole or not at all, at the least."""
NO_CHECK = bytes(CHECK_BYTES)
_HEAD_BYTES = LENGTH_BYTES + CHECK_BYTES

Reader: TypeAlias = Callable[[int], bytes]
"""Returns the next so many bytes, fewer only where they end, as a file's `read` does."""


class Opened(Numbered, frozen=True, tag=0):
    """The first entry: whose record this is, and all that its session id is made of.

    `started` is UTC, ISO 8601. `rematches` holds both seats' nonces for each match that was played on
    this link before, in order, the last being this one's; empty for a first match. `synced`: what had to be durable
    reached the disk before anything depended on it, so that not even a power cut takes it (`--sync always`).
    """

    format: Count
    protocol: Count
    seat: SeatNumber
    started: str
    origin: Origin
    rematches: tuple[tuple[Nonce, Nonce], ...]
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
SINCE: Final[dict[type[Entry], int]] = {Stop: 3, Lagging: 3, Waited: 3}
"""The format that first knew a kind of entry; one that isn't here stands in every format."""


_first: Final = codec.Reader(Opened, members_most=PAYLOAD_BYTES_MAX // REMATCH_BYTES)
_records: Final[codec.Reader[Record]] = codec.Reader(*get_args(Record))


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
    payload = codec.pack(entry)
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
        if offset:
            return _records.read(payload)
        if (number := _format(payload)) <= FORMAT:
            return _first.read(payload)
    except ValueError as error:
        raise Damaged(offset) from error
    raise NewerFormat(number)


def _format(payload: bytes) -> int:
    """That of a first entry, which begins with it whatever a later version writes behind. Raises ValueError: it is none."""
    members, number, found = codec.head(payload)
    if members < 2 or number != 0:
        raise ValueError("no first entry")
    return found
