"""A record that is being written, shown to others meanwhile: what of it may leave, and reading what comes in pieces. Pure.

The entries of a beat hold what this side proposes in it. Whoever looks on may be the opponent's friend, so nothing of a beat
leaves before the beat is complete, and nothing ever of one that never is. What leaves is a record of its own: the same
bytes, and behind them the end. What must not be here: files, sockets, whether the entries make sense (replay.py).
"""

from collections.abc import Iterator
from io import BytesIO

from spitnet.journal.file_format import (
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
from spitnet.protocol.entries import (
    Answered,
    Done,
    Ended,
    Lagging,
    Proposed,
    Slow,
    Stop,
    Waited,
)

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
    """What may leave of a record: its first bytes, as far as `length` says, and then the `end`.

    It is told of bytes only once the disk has them. Were a beat lost with a power cut that others have been shown, this
    side's opening of it would be known, and the opponent's pass could be another (C9).
    """

    def __init__(self) -> None:
        self.session: bytes | None = None
        """That of the match, once the record has begun."""
        self.end = b""
        """The last entry, once the match has ended."""
        self.length = 0
        """How many of the record's first bytes may leave; the end isn't counted."""
        self._incoming = Incoming()
        self._check = NO_CHECK
        self._beat = 0
        self._is_open = False

    @property
    def read(self) -> int:
        """So many bytes were taken."""
        return self._incoming.received

    def take(self, data: bytes) -> None:
        """More bytes of the record.

        Raises:
            Damaged, NewerFormat: it is none.
        """
        for entry, offset in self._incoming.take(data):
            self._judge(entry, offset)

    def _judge(self, entry: Entry, offset: int) -> None:
        match entry:
            case Proposed() | Answered():
                self._is_open = True
            case Slow() | Stop() | Lagging() | Waited() if self._is_open or entry.beat > self._beat:
                pass  # it tells of a beat that is open; a later entry takes it along
            case Opened() | Slow() | Stop() | Lagging() | Waited() | Done():
                self.length, self._check = offset, self._incoming.check
                if isinstance(entry, Done):
                    self._beat, self._is_open = entry.beat, False
                elif isinstance(entry, Opened):
                    self.session = entry.session
            case Ended():
                self.end, _ = encode(entry, self._check)
