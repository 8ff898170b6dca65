"""A record that is being written, shown to others meanwhile: what of it may leave, and reading what comes in pieces. Pure.

The entries of a beat hold what this side proposes in it. Whoever looks on may be the opponent's friend, so nothing of a beat
leaves before the beat is complete, and nothing ever of one that never is. What leaves is a record of its own: the same
bytes, and behind them the end. What must not be here: files, sockets, whether the entries make sense (replay.py).
"""

from collections.abc import Iterator
from io import BytesIO

from spitnet.journal.records import (
    CHECK_BYTES,
    LENGTH_BYTES,
    NO_CHECK,
    PAYLOAD_BYTES_MAX,
    CutShort,
    Damaged,
    Entry,
    Opened,
    encode,
    entries_from,
)
from spitnet.protocol.records import Answered, Done, Ended, Proposed, Slow

REST_S = 0.5
"""How long an entry that completes a beat must have been there, if none has followed it.

It can be read before the disk has it. Were it lost with a power cut, this side's opening of that beat would be known, and
the opponent's pass could be another. A disk takes some milliseconds; that another entry follows shows that it is done.
"""
_ENTRY_BYTES_MAX = LENGTH_BYTES + CHECK_BYTES + PAYLOAD_BYTES_MAX


class Incoming:
    """Entries out of bytes that come in pieces of any size."""

    def __init__(self) -> None:
        self.offset = 0
        """So many bytes are whole entries."""
        self.check = NO_CHECK
        """That of the last of them."""
        self._rest = b""

    @property
    def received(self) -> int:
        """All bytes that came."""
        return self.offset + len(self._rest)

    def take(self, data: bytes) -> Iterator[tuple[Entry, int]]:
        """Each entry that is whole now, with the offset behind it.

        Raises:
            Damaged, NewerFormat: at the entry where it happens; those before it were good.
        """
        data = self._rest + data
        start = self.offset
        try:
            for entry, check, end in entries_from(BytesIO(data).read, start, self.check):
                self.offset, self.check = end, check
                yield entry, end
        except CutShort as cut:
            if _is_whole(data[cut.offset - start :]):
                raise Damaged(cut.offset) from None
        finally:
            self._rest = data[self.offset - start :]


def _is_whole(entry: bytes) -> bool:
    """Whether as much is there as the entry says: what is missing can't be the reason why it is none."""
    length = int.from_bytes(entry[:LENGTH_BYTES], "big")
    return len(entry) >= min(LENGTH_BYTES + CHECK_BYTES + length, _ENTRY_BYTES_MAX)


class Outgoing:
    """What may leave of a record: its first bytes, as far as `length` says, and then the `end`."""

    def __init__(self) -> None:
        self.session: bytes | None = None
        """That of the match, once the record has begun."""
        self.end = b""
        """The last entry, once the match has ended."""
        self._incoming = Incoming()
        self._free = 0
        self._check = NO_CHECK
        self._resting: tuple[int, bytes] | None = None
        self._since_s = 0.0
        self._beat = 0
        self._is_open = False

    @property
    def read(self) -> int:
        """So many bytes were taken."""
        return self._incoming.received

    def take(self, data: bytes, now_s: float) -> None:
        """More bytes of the record.

        Raises:
            Damaged, NewerFormat: it is none.
        """
        for entry, offset in self._incoming.take(data):
            self._settle()
            self._judge(entry, offset, now_s)

    def length(self, now_s: float) -> int:
        """How many of the record's first bytes may leave; the end isn't counted."""
        if self._resting is not None and now_s >= self._since_s + REST_S:
            self._settle()
        return self._free

    def rests_until_s(self) -> float | None:
        """When `length` grows though no more is written; None: it doesn't."""
        return None if self._resting is None else self._since_s + REST_S

    def _settle(self) -> None:
        if self._resting is not None:
            self._free, self._check = self._resting
            self._resting = None

    def _judge(self, entry: Entry, offset: int, now_s: float) -> None:
        match entry:
            case Proposed() | Answered():
                self._is_open = True
            case Done():
                self._beat, self._is_open = entry.beat, False
                self._resting, self._since_s = (offset, self._incoming.check), now_s
            case Slow() if self._is_open or entry.beat > self._beat:
                pass  # it tells of a beat that is open; a later entry takes it along
            case Opened() | Slow():
                self._free, self._check = offset, self._incoming.check
                self.session = entry.session if isinstance(entry, Opened) else self.session
            case Ended():
                self.end, _ = encode(entry, self._check)
