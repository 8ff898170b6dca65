"""Journals as files: closed to others, locked, whole after a full disk, a killed process and a power cut."""

import os
import resource
import stat
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EFBIG
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec import structs
from support.matches import recorded

from spitnet.journal.file_format import (
    FORMAT,
    PAYLOAD_BYTES_MAX,
    SECTOR_BYTES,
    CutShort,
    Damaged,
    Entry,
    Opened,
    encode,
    entries,
)
from spitnet.journal.store import InUse, Journal, Read, newest_first, prepare, read, stream
from spitnet.journal.verify import RecordStatus, verify
from spitnet.protocol.entries import Slow, Stop


@pytest.fixture
def match() -> list[Entry]:
    """Every entry of a short match's record."""
    return Read(recorded(concede=0.05)[0]).entries


def first_of(match: list[Entry]) -> Opened:
    opened = match[0]
    assert isinstance(opened, Opened)
    return opened


def written(directory: Path, match: list[Entry], sync: bool = False) -> Path:
    """A journal with these entries, left as a killed process leaves it."""
    with Journal.create(directory, first_of(match), sync) as journal:
        add(journal, match[1:])
    return journal.path


def add(journal: Journal, more: list[Entry]) -> None:
    for entry in more:
        journal.append(entry, durable=True)


@contextmanager
def no_file_larger_than(most: int) -> Iterator[None]:
    """The system refuses what goes beyond, after writing what fits: a disk that gets full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("sync", [False, True])
def test_what_was_written_is_read_and_holds(tmp_path: Path, match: list[Entry], sync: bool) -> None:
    path = written(tmp_path, match, sync)
    assert path.read_bytes() == recorded(concede=0.05)[0]
    assert read(path).entries == match
    assert list(stream(path)) == match
    assert verify(stream(path)).standing is RecordStatus.HOLDS


def test_nobody_else_can_read_it(tmp_path: Path, match: list[Entry]) -> None:
    """Nonces of the open beat lie in it. Whatever the umask, and for the directories made on the way too."""
    before = os.umask(0)
    try:
        path = written(tmp_path / "a" / "b", match)
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for directory in (path.parent, path.parent.parent):
        assert stat.S_IMODE(directory.stat().st_mode) == 0o700


def test_a_journal_has_one_writer(tmp_path: Path, match: list[Entry]) -> None:
    """From its first entry on, and from when it is taken up, until its writer is gone."""
    with Journal.create(tmp_path, first_of(match), sync=False) as journal:
        with pytest.raises(InUse):
            Journal.reopened(journal.path)
        add(journal, match[1:5])
    again, found = Journal.reopened(journal.path)
    with again:
        assert found.entries == match[:5]
        with pytest.raises(InUse):
            Journal.reopened(journal.path)
    assert read(journal.path).entries == match[:5]


def test_a_full_disk_leaves_a_whole_record(tmp_path: Path, match: list[Entry]) -> None:
    """At every byte at which the disk may be full: the entry that doesn't fit leaves nothing behind, the error names
    the file, and once there is room again the record goes on from there.
    """
    opened = len(encode(match[0], b"")[0])
    for room in range(opened, opened + 300, 7):
        directory = tmp_path / str(room)
        with Journal.create(directory, first_of(match), sync=False) as journal:
            with no_file_larger_than(room), pytest.raises(OSError, match="too large") as problem:
                add(journal, match[1:])
            assert (problem.value.errno, problem.value.filename) == (EFBIG, str(journal.path))
            left = read(journal.path)
            assert left.trouble is None
            assert left.entries == match[: len(left.entries)]
            add(journal, match[len(left.entries) :])
        assert verify(stream(journal.path)).standing is RecordStatus.HOLDS


def test_a_journal_that_cannot_begin_leaves_nothing(tmp_path: Path, match: list[Entry]) -> None:
    with no_file_larger_than(100), pytest.raises(OSError, match="too large"):
        Journal.create(tmp_path, first_of(match), sync=False)
    assert not list(tmp_path.iterdir())


def test_no_journal_is_written_over(tmp_path: Path, match: list[Entry]) -> None:
    """A clock that was set back may give two matches one time; one name is given once."""
    path = written(tmp_path, match)
    with pytest.raises(FileExistsError):
        Journal.create(tmp_path, first_of(match), sync=False)
    assert read(path).entries == match
    origin = first_of(match).origin._replace(join_key=b"other" + bytes(27))
    other = Journal.create(tmp_path, structs.replace(first_of(match), origin=origin), sync=False)
    other.close()
    assert other.path != path
    assert len(list(tmp_path.iterdir())) == 2


def test_a_match_that_seems_older_is_the_newest(tmp_path: Path, match: list[Entry]) -> None:
    """The order is that of the last writes, not that of the names, which hold the clock's time at the start."""
    later = written(
        tmp_path, [structs.replace(first_of(match), started="2030-01-02T03:04:05Z"), *match[1:]]
    )
    earlier = written(tmp_path, [structs.replace(first_of(match), started="2020-01-02T03:04:05Z")])
    os.utime(later, (1_000_000, 1_000_000))
    os.mkfifo(tmp_path / "pipe.spit")
    (tmp_path / "directory.spit").mkdir()
    assert newest_first(tmp_path) == [earlier, later]
    assert newest_first(tmp_path / "nowhere") == []


@pytest.mark.parametrize("version", [1, 2, FORMAT])
def test_a_record_goes_on_in_the_format_in_which_it_was_begun(
    tmp_path: Path, match: list[Entry], version: int
) -> None:
    """What an older program couldn't read is left out, so that it can still verify what it began."""
    begun = structs.replace(first_of(match), format=version)
    half = len(match) // 2
    path = written(tmp_path, [begun, *match[1:half]])
    journal, _ = Journal.reopened(path)
    last = match[half - 1]
    assert not isinstance(last, Opened)
    stop = Stop(last.beat, None, 1200)
    with journal:
        add(journal, [stop, *match[half:]])
    stopped = [entry for entry in stream(path) if isinstance(entry, Stop)]
    assert stopped == ([stop] if version == FORMAT else [])
    assert verify(stream(path)).standing is RecordStatus.HOLDS


def test_an_entry_cut_short_is_cut_off(tmp_path: Path, match: list[Entry]) -> None:
    """Killed, or without power, at any byte of the last entries: what is whole is taken up and goes on. Until it
    does, the file stays as it was found.
    """
    data = recorded(concede=0.05)[0]
    ends = [end for _, _, end in entries(data)]
    for cut in (*range(ends[5], ends[7]), *range(ends[-2], ends[-1])):
        path = tmp_path / f"{cut}.spit"
        path.write_bytes(data[:cut])
        journal, found = Journal.reopened(path)
        with journal:
            whole = [end for end in ends if end <= cut]
            assert found.entries == match[: len(whole)]
            assert path.read_bytes() == data[:cut]
            add(journal, match[len(whole) :])
        assert path.read_bytes() == data


@pytest.mark.parametrize("more", [0, 1, 19, 20, 4000])
def test_what_the_disk_never_got_is_cut_off(tmp_path: Path, match: list[Entry], more: int) -> None:
    """Some file systems have the file's length after a power cut, and zeros for its last sectors."""
    data = recorded(concede=0.05)[0]
    starts = [0, *(end for _, _, end in entries(data))]
    sectors = range(SECTOR_BYTES, len(data), SECTOR_BYTES)
    torn = [
        (start, edge)
        for start, end in pairwise(starts)
        for edge in sectors
        if 0 < start <= edge < end and any(data[edge:end])
    ]
    assert len(torn) > 5
    for start, edge in torn:
        path = tmp_path / f"{edge}.spit"
        end = min(end for end in starts if end > edge)
        path.write_bytes(data[:edge] + bytes(end - edge + more))
        found = read(path)
        assert isinstance(found.trouble, CutShort), (start, edge, end)
        assert found.length == start
        journal, _ = Journal.reopened(path)
        with journal:
            add(journal, match[starts.index(start) :])
        assert path.read_bytes() == data
    for start in starts[1:-1]:
        assert isinstance(Read(data[:start] + bytes(more + 20)).trouble, CutShort)


def test_damage_in_the_middle_is_no_power_cut(tmp_path: Path) -> None:
    """Zeros with something behind them, or that begin where no sector does: nothing is cut off."""
    data = recorded(concede=0.05)[0]
    starts = [0, *(end for _, _, end in entries(data))]
    start, end = next(
        (start, end)
        for start, end in pairwise(starts)
        if start // SECTOR_BYTES == (end - 1) // SECTOR_BYTES and start > 0
    )
    for broken in (
        data[:start] + bytes(end - start) + data[end:],
        data[: start + 25] + bytes(end - start - 25),
        data[:start] + bytes(end - start) + b"\0\0\1",
    ):
        path = tmp_path / "broken.spit"
        path.write_bytes(broken)
        journal, found = Journal.reopened(path)
        journal.close()
        assert isinstance(found.trouble, Damaged)
        assert path.read_bytes() == broken


def test_a_place_for_records_is_tried_beforehand(tmp_path: Path) -> None:
    prepare(tmp_path / "made")
    assert list((tmp_path / "made").iterdir()) == []
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError, match="file"):
        prepare(tmp_path / "file")
    with pytest.raises(NotADirectoryError, match="below"):
        prepare(tmp_path / "file" / "below")


def test_a_huge_record_takes_little_memory(tmp_path: Path, match: list[Entry]) -> None:
    """It is read an entry at a time, sound or not, whatever it holds."""
    path = written(tmp_path, match[:2])
    *_, (_, check, _) = entries(path.read_bytes())
    slow = []
    for _ in range(5_000):
        data, check = encode(Slow(1, True, 2**40, 2**40), check)
        slow.append(data)
    with path.open("ab") as file:
        file.write(b"".join(slow))
    zeros, noise = tmp_path / "zeros", tmp_path / "noise"
    zeros.touch()
    os.truncate(zeros, 100_000_000)
    noise.write_bytes(bytes((0, 15, 0, 0)) + os.urandom(3 * PAYLOAD_BYTES_MAX))
    verify(stream(path))
    tracemalloc.start()
    try:
        assert verify(stream(path)).standing is RecordStatus.UNFINISHED
        assert tracemalloc.get_traced_memory()[1] < path.stat().st_size
        for other in (zeros, noise):
            assert verify(stream(other)).standing is RecordStatus.BROKEN
        assert tracemalloc.get_traced_memory()[1] < 5 * PAYLOAD_BYTES_MAX
    finally:
        tracemalloc.stop()
