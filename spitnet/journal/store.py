"""Journals as files: created, locked, appended to, read. The only place of this room that touches a disk.

A journal belongs to the process that plays it: the file is locked while it is open for writing, and two
processes can't play one side. What must not be here: what the entries mean.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from types import TracebackType
from typing import BinaryIO, Self

from spitnet.journal.file_format import (
    NO_CHECK,
    SINCE,
    CutShort,
    Damaged,
    Entry,
    NewerFormat,
    Opened,
    encode,
    entries,
    entries_from,
)
from spitnet.private import OWNER_ONLY, make_directory, sync_directory

if sys.platform == "win32":
    import msvcrt

    _LOCK_AT = 2**31 - 2
    """Behind all that is ever written: a locked byte can't be read, not even by this process."""

    def _lock(descriptor: int) -> None:
        at = os.lseek(descriptor, 0, os.SEEK_CUR)
        os.lseek(descriptor, _LOCK_AT, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(descriptor, at, os.SEEK_SET)

    def _sync(descriptor: int) -> None:
        os.fsync(descriptor)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _sync(descriptor: int) -> None:
        if sys.platform == "darwin":  # there fsync leaves it in the drive's own memory
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
        else:
            getattr(os, "fdatasync", os.fsync)(descriptor)


SUFFIX = ".spit"
_BINARY = getattr(os, "O_BINARY", 0)
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY


class InUse(OSError):
    """Another process is playing the match of this record."""


class Journal:
    """A record being written. `durable` entries reach the disk before `append` returns, if `sync` is set."""

    def __init__(
        self,
        path: Path,
        descriptor: int,
        check: bytes,
        sync: bool,
        version: int,
        torn: bool = False,
    ) -> None:
        """`check` is that of the last entry, behind which the descriptor stands; what is `torn` there gives way to the next.

        `version` is the format that the first entry names.
        """
        self.path = path
        self._version = version
        self._descriptor = descriptor
        self._check = check
        self._sync = sync
        self._torn = torn

    @classmethod
    def create(cls, directory: Path, opened: Opened, sync: bool) -> "Journal":
        """A new journal with its first entry; the directory is made if it isn't there.

        Raises:
            OSError: it can't be written there; nothing is left of it.
        """
        make_directory(directory)
        stamp = opened.started.replace(":", "").replace("-", "")
        name = f"{stamp}-{opened.session.hex()[:8]}-{opened.seat}{SUFFIX}"
        path = directory / name
        descriptor = os.open(path, _FLAGS, OWNER_ONLY)
        journal = cls(path, descriptor, NO_CHECK, sync, opened.format)
        try:
            _lock(journal._descriptor)
            journal.append(opened, durable=True)
            if sync:
                sync_directory(directory)
        except OSError:
            journal.close()
            path.unlink()
            raise
        return journal

    @classmethod
    def reopened(cls, path: Path, found: "Read | None" = None) -> tuple["Journal", "Read"]:
        """The journal of a match that is taken up again, and what it holds. What was `found` there is read again only if
        the file has changed since.

        It goes on being synced if it was begun so. The file stays as it is until the first entry is appended, before
        which one that was cut short is cut off: whatever can't be taken up is left alone. To one that is damaged
        nothing may be appended.

        Raises:
            InUse: another process has it.
            OSError: it can't be written.
        """
        descriptor = os.open(path, os.O_RDWR | _BINARY)
        try:
            _lock(descriptor)
        except OSError as error:
            os.close(descriptor)
            raise InUse(error.errno, error.strerror, str(path)) from None
        if found is None or found.stamp != _stamp(descriptor):
            found = read(path)
        first = found.entries[0] if found.entries else None
        sync, version = (first.synced, first.format) if isinstance(first, Opened) else (False, 0)
        os.lseek(descriptor, found.length, os.SEEK_SET)
        torn = found.trouble is not None
        return cls(path, descriptor, found.check, sync, version, torn), found

    def append(self, entry: Entry, durable: bool) -> None:
        """Writes one entry with one system call; or none of it, so that the record stays whole.

        A record of an older format, taken up again, goes on without the entries that this doesn't know: whatever wrote it
        can still read it.

        Raises:
            OSError: the disk is full or gone; nothing that depends on the entry may be sent.
        """
        if SINCE.get(type(entry), 0) > self._version:
            return
        data, check = encode(entry, self._check)
        written = 0
        try:
            if self._torn:
                self.cut_off()
            while written < len(data):
                written += os.write(self._descriptor, data[written:])
            if durable and self._sync:
                _sync(self._descriptor)
        except OSError as problem:
            self._take_back(written)
            raise OSError(problem.errno, problem.strerror, str(self.path)) from problem
        self._check = check

    def cut_off(self) -> None:
        """Cuts off what is torn behind the last entry.

        Raises:
            OSError: it can't be.
        """
        if self._torn:
            os.ftruncate(self._descriptor, os.lseek(self._descriptor, 0, os.SEEK_CUR))
            self._torn = False

    def _take_back(self, written: int) -> None:
        """Cuts the last so many bytes off. If not even that can be done, they are an entry cut short."""
        with suppress(OSError):
            end = os.lseek(self._descriptor, -written, os.SEEK_CUR)
            os.ftruncate(self._descriptor, end)

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


class Read:
    """A journal as read: the entries that are good, and what is wrong behind them, if anything.

    `length` is that of the good part in bytes, `check` that of its last entry; `stamp` tells of a file whether it has changed
    since. Behind a first entry that isn't `wanted` nothing is read.
    """

    def __init__(
        self,
        data: bytes | BinaryIO,
        wanted: Callable[[Entry], bool] = lambda _first: True,
        stamp: tuple[int, int] | None = None,
    ) -> None:
        self.stamp = stamp
        self.entries: list[Entry] = []
        self.trouble: Damaged | CutShort | NewerFormat | None = None
        self.length = 0
        self.check = NO_CHECK
        try:
            found = entries(data) if isinstance(data, bytes) else entries_from(data.read)
            for entry, self.check, self.length in found:
                self.entries.append(entry)
                if len(self.entries) == 1 and not wanted(entry):
                    return
        except (Damaged, CutShort, NewerFormat) as trouble:
            self.trouble = trouble

    def __iter__(self) -> Iterator[Entry]:
        """The entries, then the trouble, as `stream` tells them."""
        yield from self.entries
        if self.trouble is not None:
            raise self.trouble


def prepare(directory: Path) -> None:
    """Makes sure, while nobody sits down yet, that a journal can be begun there.

    Raises:
        OSError: it can't be.
    """
    make_directory(directory)
    try:
        TemporaryFile(dir=directory).close()
    except OSError as problem:
        raise OSError(problem.errno, problem.strerror, str(directory)) from None


def newest_first(directory: Path) -> list[Path]:
    """The journals of a directory by when they were last written to; none where there is no directory.

    Raises:
        OSError: it can't be listed.
    """
    written: list[tuple[float, Path]] = []
    for path in directory.glob(f"*{SUFFIX}"):
        with suppress(OSError):
            if path.is_file():  # a pipe of that name would be waited for
                written.append((path.stat().st_mtime, path))
    return [path for _, path in sorted(written, reverse=True)]


def read(path: Path, wanted: Callable[[Entry], bool] = lambda _first: True) -> Read:
    """Reads a journal, whole or not, if its first entry is `wanted`.

    Raises:
        OSError: there is no such file, or it can't be read.
    """
    with path.open("rb") as file:
        return Read(file, wanted, _stamp(file.fileno()))


def _stamp(descriptor: int) -> tuple[int, int]:
    """Another one once the file has changed."""
    found = os.fstat(descriptor)
    return found.st_size, found.st_mtime_ns


def stream(path: Path) -> Iterator[Entry]:
    """The entries of a journal one by one, however long it is.

    Raises:
        Damaged, CutShort, NewerFormat: at the entry where it happens; those before it were good.
        OSError: there is no such file, or it can't be read.
    """
    with path.open("rb") as file:
        for entry, _, _ in entries_from(file.read):
            yield entry
