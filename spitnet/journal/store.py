"""Journals as files: created, locked, appended to, read. The only place of this room that touches a disk.

A journal belongs to the process that plays it: the file is locked while it is open for writing, and two
processes can't play one side. What must not be here: what the entries mean.
"""

import os
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from spitnet.journal.records import (
    NO_CHECK,
    CutShort,
    Damaged,
    Entry,
    NewerFormat,
    Opened,
    encode,
    entries,
)

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


SUFFIX = ".spit"
OWNER_ONLY = 0o600
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_sync = getattr(os, "fdatasync", os.fsync)


class Journal:
    """A record being written. `durable` entries reach the disk before `append` returns, if `sync` is set."""

    def __init__(self, path: Path, descriptor: int, check: bytes, sync: bool) -> None:
        self.path = path
        self._descriptor = descriptor
        self._check = check
        self._sync = sync

    @classmethod
    def create(cls, directory: Path, opened: Opened, sync: bool) -> "Journal":
        """A new journal with its first entry; the directory is made if it isn't there.

        Raises:
            OSError: it can't be written there.
        """
        directory.mkdir(parents=True, exist_ok=True)
        stamp = opened.started.replace(":", "").replace("-", "")
        name = f"{stamp}-{opened.session.hex()[:8]}-{opened.seat}{SUFFIX}"
        path = directory / name
        descriptor = os.open(path, _FLAGS, OWNER_ONLY)
        _lock(descriptor)
        journal = cls(path, descriptor, NO_CHECK, sync)
        journal.append(opened, durable=True)
        if sync:
            _sync_directory(directory)
        return journal

    def append(self, entry: Entry, durable: bool) -> None:
        """Writes one entry with one system call.

        Raises:
            OSError: the disk is full or gone; nothing that depends on the entry may be sent.
        """
        data, self._check = encode(entry, self._check)
        written = os.write(self._descriptor, data)
        while written < len(data):
            written += os.write(self._descriptor, data[written:])
        if durable and self._sync:
            _sync(self._descriptor)

    def close(self) -> None:
        os.close(self._descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _sync_directory(directory: Path) -> None:
    """The new name itself must survive a power cut; Windows can't and needn't be asked."""
    if sys.platform == "win32":
        return
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class Read:
    """A journal as read: the entries that are good, and what is wrong behind them, if anything."""

    def __init__(self, data: bytes) -> None:
        self.entries: list[Entry] = []
        self.trouble: Damaged | CutShort | NewerFormat | None = None
        try:
            for entry, _, _ in entries(data):
                self.entries.append(entry)
        except (Damaged, CutShort, NewerFormat) as trouble:
            self.trouble = trouble


def read(path: Path) -> Read:
    """Reads a journal, whole or not.

    Raises:
        OSError: there is no such file, or it can't be read.
    """
    return Read(path.read_bytes())
