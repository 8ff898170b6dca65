"""A match that is taken up: its record is decoded once, and played twice: by the session and by the independent check."""

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.matches import recorded

from spitnet.app.match import unfinished
from spitnet.journal import replay
from spitnet.journal.file_format import entries
from spitnet.journal.store import read
from spitnet.protocol import codec, lockstep
from spitnet.protocol.entries import Done, Ended

ANA, BRAM = b"h" * 32, b"j" * 32
"""Keys of the host and of the joiner of every match here."""


def without_end(data: bytes, kept: int) -> bytes:
    """The record without its end; so many entries of it, or but the last of them for -1."""
    ends = [end for _entry, _check, end in entries(data)]
    return data[: ends[kept - 1 if kept > 0 else -2]]


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often an entry is decoded, and a beat is played by the session or by the check."""
    found = Counter[str]()

    def count(owner: Any, name: str, what: Callable[[Any], str]) -> None:
        done = getattr(owner, name)

        def counting(*given: Any) -> Any:
            result = done(*given)
            found[what(result)] += 1
            return result

        monkeypatch.setattr(owner, name, counting)

    entry_kinds = {
        "Opened",
        "Proposed",
        "Answered",
        "Done",
        "Slow",
        "Stop",
        "Lagging",
        "Waited",
        "Ended",
    }
    count(codec.Reader, "read", lambda one: "decoded" if type(one).__name__ in entry_kinds else "")
    count(lockstep, "apply_beat", lambda _: "played by the session")
    count(replay, "apply_beat", lambda _: "played by the check")
    return found


def saved(directory: Path, *records: bytes) -> list[Path]:
    """The files of these records, the one written last first."""
    paths = [directory / f"{number}.spit" for number in range(len(records))]
    for age, (path, data) in enumerate(zip(paths, records, strict=True)):
        path.write_bytes(data)
        os.utime(path, (1000 - age, 1000 - age))
    return paths


def test_a_record_is_decoded_once_and_played_twice(tmp_path: Path, counted: Counter[str]) -> None:
    """Among others: of the opponent's only the beginning is read; one that is over is read, and no more."""
    ours, theirs = recorded()
    over, _ = recorded(8)
    _, over_path, path = saved(tmp_path, without_end(theirs, 60), over, without_end(ours, 60))
    own, ended = read(path).entries, read(over_path).entries
    beats = sum(isinstance(entry, Done) for entry in own)
    assert beats > 10
    assert isinstance(ended[-1], Ended)
    counted.clear()
    match = unfinished.newest(tmp_path, {ANA})
    match.journal.close()
    assert match.journal.path == path
    assert match.session.beat == len(match.past) == beats
    assert counted["decoded"] == len(own) + len(ended) + 1
    assert counted["played by the session"] == counted["played by the check"] == beats


def test_one_that_is_played_out_is_taken_up_last_and_once(
    tmp_path: Path, counted: Counter[str]
) -> None:
    """Only the goodbye is missing: it gives way to a match that can be played on, and isn't read again where there is none."""
    first, second, playable = recorded()[0], recorded(8)[0], recorded(9)[0]
    paths = saved(tmp_path, without_end(first, -1), without_end(second, -1))
    decided = [read(path).entries for path in paths]
    counted.clear()
    match = unfinished.newest(tmp_path, {ANA})
    match.journal.close()
    assert (match.journal.path, match.session.over) == (paths[0], True)
    assert counted["decoded"] == sum(map(len, decided))
    assert counted["played by the session"] == counted["played by the check"]
    *_, last = saved(
        tmp_path, without_end(first, -1), without_end(second, -1), without_end(playable, 60)
    )
    match = unfinished.newest(tmp_path, {ANA})
    match.journal.close()
    assert (match.journal.path, match.session.over) == (last, False)
    again = unfinished.taken_up(paths[0], {ANA})  # nobody has kept it locked
    again.journal.close()


def test_what_was_written_meanwhile_is_read(tmp_path: Path) -> None:
    """Between the look at a record and its lock another process may have played on."""
    data = recorded()[0]
    (path,) = saved(tmp_path, without_end(data, 20))
    found = read(path)
    path.write_bytes(without_end(data, 60))
    match = unfinished.taken_up(path, {ANA}, found)
    match.journal.close()
    assert len(found.entries) == 20
    assert match.session.beat == sum(isinstance(entry, Done) for entry in read(path).entries)
