"""Recorded matches whose processes die at given moments and start again from the bytes that are left of their journals.

What must not be here: which moments.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from support.matches import Recorded, journal_of
from support.oracle import Oracle
from support.simulator import Crash, World

from spitnet.journal.file_format import Opened
from spitnet.journal.json_story import told
from spitnet.journal.replay import replayed
from spitnet.journal.store import Read
from spitnet.protocol.entries import Record


class Boundary(NamedTuple):
    """A moment between two effects of a seat: how many it has carried out, its records, and those on the disk."""

    effects: int
    records: int
    synced: int


class Crashing(Recorded):
    """A match with crashes, which notes its `boundaries` by seat. Of the first record that a crash takes, `torn` bytes are
    left.
    """

    def __init__(self, world: World, crashes: Sequence[Crash] = (), torn: int = 0) -> None:
        super().__init__(world)
        self.boundaries: tuple[list[Boundary], list[Boundary]] = ([], [])
        self._fates = list(crashes)
        self._torn = torn

    @property
    def oracle(self) -> Oracle:
        assert isinstance(self.observer, Oracle)
        return self.observer

    def bytes_of(self, seat: int, records: list[Record]) -> bytes:
        return journal_of(self.origin, seat, records)

    def record(self, seat: int) -> Read:
        """The journal of a seat, read from its bytes."""
        return Read(self.bytes_of(seat, self.journals[seat]))

    def left_of(self, seat: int, records: list[Record], lost: int) -> list[Record]:
        """Read from the bytes that are left; a torn record counts for nothing."""
        whole = len(self.bytes_of(seat, records[: len(records) - lost]))
        data = self.bytes_of(seat, records)[: whole + (self._torn if lost else 0)]
        return [entry for entry in Read(data).entries if not isinstance(entry, Opened)]

    def _dies(self, seat: int) -> bool:
        moment = Boundary(self.carried[seat], len(self.journals[seat]), self.synced[seat])
        self.boundaries[seat].append(moment)
        return super()._dies(seat)


def story(record: Read) -> list[dict[str, Any]]:
    """All that a record tells, line by line."""
    beats = replayed(record.entries)
    return [line for beat in beats for line in told(beat)]
