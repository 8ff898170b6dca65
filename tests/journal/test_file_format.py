"""A journal's bytes: every flipped one is found, every cut is told from damage."""

from itertools import pairwise

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import reading
from support.matches import recorded

from spitnet.journal.file_format import (
    FORMAT,
    NO_CHECK,
    NewerFormat,
    Opened,
    chained,
    encode,
    entries,
)
from spitnet.journal.store import Read
from spitnet.journal.verify import RecordStatus, verify
from spitnet.protocol import VERSION
from spitnet.protocol.entries import Ended, Ending
from spitnet.protocol.handshake import Origin


def standing(data: bytes) -> RecordStatus:
    found = Read(data)
    return verify(found).standing


def ends_of(data: bytes) -> list[int]:
    return [end for _, _, end in entries(data)]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("manual", [False, True])
def test_a_finished_record_holds(seat: int, manual: bool) -> None:
    found = Read(recorded(games=3, manual=manual)[seat])
    verdict = verify(found)
    assert verdict.standing is RecordStatus.HOLDS
    assert verdict.sound
    assert verdict.names == ("Ana", "Bram")
    assert verdict.match is not None
    assert verdict.match.over


def test_both_records_tell_one_match() -> None:
    matches = [verify(Read(data)).match for data in recorded(games=3)]
    assert matches[0] == matches[1]


@pytest.mark.long
def test_any_flipped_byte_is_found() -> None:
    """Every byte of a record, one after the other, with one bit or all bits turned: what lies before it is read, and
    nothing from there on.
    """
    data = recorded(concede=0.05)[0]
    ends, whole = ends_of(data), Read(data).entries
    assert len(ends) > 12
    for offset in range(len(data)):
        before = sum(end <= offset for end in ends)
        for mask in (0x01, 0x80, 0xFF):
            broken = bytearray(data)
            broken[offset] ^= mask
            found = Read(bytes(broken))
            assert found.entries == whole[:before], f"byte {offset} ^ {mask:#x}"
            assert found.trouble is not None


@pytest.mark.long
def test_a_cut_record_is_unfinished() -> None:
    """At every entry, and at every byte of the last ones."""
    data = recorded()[0]
    ends = ends_of(data)
    cuts = set(ends[:-1]) | set(range(ends[-6], len(data)))
    for cut in cuts:
        assert standing(data[:cut]) is RecordStatus.UNFINISHED, cut
    assert standing(b"") is RecordStatus.BROKEN


def test_a_missing_or_moved_entry_is_found() -> None:
    """The checks form a chain, so an entry can't be taken out, doubled, or swapped."""
    data = recorded()[0]
    starts = [0, *ends_of(data)]
    parts = [data[a:b] for a, b in pairwise(starts)]
    for index in range(1, len(parts) - 1):
        without = parts[:index] + parts[index + 1 :]
        doubled = parts[: index + 1] + parts[index:]
        swapped = [*parts[:index], parts[index + 1], parts[index], *parts[index + 2 :]]
        for forged in (without, doubled, swapped):
            assert standing(b"".join(forged)) is RecordStatus.BROKEN


def test_nothing_follows_the_end() -> None:
    data = recorded()[0]
    *_, (_, check, _) = entries(data)
    more, _ = encode(Ended(3, Ending.OVER, None, ""), check)
    assert standing(data + more) is RecordStatus.BROKEN
    assert standing(data + b"\0" * 7) is RecordStatus.BROKEN


@pytest.mark.parametrize("behind", [b"\x81\x01\x02", b"\xd4\x05\x00", b"\xa1\xff", b"\xc1", b""])
def test_a_newer_format_is_refused_by_name(behind: bytes) -> None:
    """Whatever a later version writes behind its format, be it no msgpack, the format itself can be read."""
    payload = b"\x93\x00" + bytes((FORMAT + 1,)) + behind
    assert reading.entry(payload, first=True) == FORMAT + 1
    data = len(payload).to_bytes(4, "big") + chained(NO_CHECK, payload) + payload
    found = Read(data)
    assert isinstance(found.trouble, NewerFormat)
    assert found.trouble.found == FORMAT + 1
    assert standing(data) is RecordStatus.NEWER


@pytest.mark.long
def test_a_damaged_length_is_no_cut() -> None:
    """What stands behind it would be cut off when the match is taken up."""
    data = recorded()[0]
    for start in ends_of(data)[:-12]:
        for flipped in range(32):
            forged = bytearray(data)
            forged[start + flipped // 8] ^= 1 << flipped % 8
            assert standing(bytes(forged)) is RecordStatus.BROKEN, (start, flipped)


def test_zeros_behind_the_last_entry_are_a_cut() -> None:
    """A power cut can leave the file's length on the disk, and not its last bytes."""
    data = recorded()[0]
    cut = ends_of(data)[-3]
    for zeros in (1, 19, 20, 21, 500):
        assert standing(data[:cut] + bytes(zeros)) is RecordStatus.UNFINISHED, zeros
    assert standing(data[:cut] + bytes(500) + b"x") is RecordStatus.BROKEN


def test_the_first_format_can_still_be_read() -> None:
    """It doesn't say whether what had to be durable was, so it may not have been."""
    origin = Origin(b"h" * 32, b"j" * 32, b"hello", b"welcome")
    payload = msgpack.packb([0, 1, VERSION, 0, "2026-01-02T03:04:05Z", [*origin], []])
    data = len(payload).to_bytes(4, "big") + chained(NO_CHECK, payload) + payload
    (opened,) = Read(data).entries
    assert opened == Opened(1, VERSION, 0, "2026-01-02T03:04:05Z", origin, (), synced=False)


@given(st.binary(max_size=400))
def test_reading_never_raises(data: bytes) -> None:
    """Any bytes at all, alone and behind a good beginning."""
    assert standing(data) in RecordStatus
    good = recorded()[0]
    cut = ends_of(good)[len(data) % 40]
    assert standing(good[:cut] + data) in RecordStatus


@given(st.recursive(st.none() | st.integers() | st.binary() | st.text() | st.booleans(), st.lists))
def test_any_payload_with_a_good_check_is_read_or_damaged(value: object) -> None:
    """Anyone can compute a check, so what lies behind one may be of any shape."""
    try:
        payload = msgpack.packb(value)
    except OverflowError:
        return
    for first in (True, False):
        reading.entry(payload, first)
