"""That a match isn't over: said when it is so, of the match that was played last, and never in the way of another."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from support.matches import recorded

from spitnet.app import identity
from spitnet.app.match import reminder
from spitnet.app.options import PlayOptions
from spitnet.journal.file_format import entries
from spitnet.journal.store import Journal
from spitnet.net.link import KeyPair
from spitnet.protocol.entries import Ended

ANA, BRAM, OTHER = (letter * 32 for letter in (b"h", b"j", b"o"))
"""Keys; Ana is the host of all matches here."""


def in_the_middle(data: bytes) -> bytes:
    """The record as far as its tenth entry."""
    ends = [end for _entry, _check, end in entries(data)]
    return data[: ends[9]]


def without_goodbye(data: bytes) -> bytes:
    """The record of the whole match, but for its last entry."""
    found = [(entry, end) for entry, _check, end in entries(data)]
    assert isinstance(found[-1][0], Ended)
    return data[: found[-2][1]]


@pytest.fixture
def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """What the holder of a key is told where these are the records, the one written last first."""

    def told(key: bytes, *records: bytes) -> str:
        monkeypatch.setattr(identity, "load", lambda: KeyPair(key, b""))
        for age, data in enumerate(records):
            path = tmp_path / f"{age}.spit"
            path.write_bytes(data)
            os.utime(path, (1000 - age, 1000 - age))
        return reminder.of_last_match(PlayOptions(journal=tmp_path))

    return told


def test_the_opponent_is_named_and_what_takes_the_match_up(
    said: Callable[..., str], tmp_path: Path
) -> None:
    """A place of the user's own for records is named, since nobody looks for them there. Seen from both seats."""
    host, joiner = map(in_the_middle, recorded())
    for key, name in ((ANA, "Bram"), (BRAM, "Ana")):
        how = f"spitnet resume --journal {tmp_path}"
        sentence = f"Your match with {name} isn’t over: “{how}” resumes it."
        assert said(key, host, joiner) == sentence
    assert said(OTHER, host, joiner) == ""


def test_only_the_match_that_was_played_last_counts(said: Callable[..., str]) -> None:
    whole, unfinished = recorded()[0], in_the_middle(recorded(8)[0])
    assert "Bram" in said(ANA, unfinished, whole)
    assert said(ANA, whole, unfinished) == ""
    assert said(ANA, without_goodbye(whole), unfinished) == ""


def test_a_match_that_is_being_played_is_no_news(said: Callable[..., str], tmp_path: Path) -> None:
    assert "Bram" in said(ANA, in_the_middle(recorded()[0]))
    journal, _ = Journal.reopened(tmp_path / "0.spit")
    with journal:
        assert reminder.of_last_match(PlayOptions(journal=tmp_path)) == ""


@pytest.mark.parametrize("data", [b"", b"\x00", b"no record at all", b"\xff" * 300])
def test_files_that_are_no_records_are_passed_over(said: Callable[..., str], data: bytes) -> None:
    assert "Bram" in said(ANA, data, in_the_middle(recorded()[0]))


def test_a_record_is_left_as_it_is(said: Callable[..., str], tmp_path: Path) -> None:
    """Also one that was cut short, which `resume` would repair."""
    torn = in_the_middle(recorded()[0]) + b"\x00\x00"
    assert "Bram" in said(ANA, torn)
    assert (tmp_path / "0.spit").read_bytes() == torn


def test_a_damaged_record_says_nothing(said: Callable[..., str]) -> None:
    """`resume` couldn't take it up."""
    data = bytearray(in_the_middle(recorded()[0]))
    data[-1] ^= 1
    assert said(ANA, bytes(data)) == ""


def test_nothing_that_goes_wrong_stops_anybody(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def broken() -> KeyPair:
        raise RuntimeError("whatever it is")

    monkeypatch.setattr(identity, "load", broken)
    assert reminder.of_last_match(PlayOptions(journal=tmp_path)) == ""
