"""A journal's bytes: every flipped one is found, every cut is told from damage."""

from contextlib import suppress
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.matches import recorded

from spitnet.journal.records import NO_CHECK, Damaged, NewerFormat, encode, entries
from spitnet.journal.store import Read
from spitnet.journal.verify import Standing, verify
from spitnet.protocol.records import Ended


def standing(data: bytes) -> Standing:
    found = Read(data)
    return verify(found.entries, found.trouble).standing


def ends_of(data: bytes) -> list[int]:
    return [end for _, _, end in entries(data)]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("manual", [False, True])
def test_a_finished_record_holds(seat: int, manual: bool) -> None:
    found = Read(recorded(games=3, manual=manual)[seat])
    verdict = verify(found.entries, found.trouble)
    assert verdict.standing is Standing.HOLDS
    assert verdict.sound
    assert verdict.names == ("Ana", "Bram")
    assert verdict.match is not None
    assert verdict.match.over


def test_both_records_tell_one_match() -> None:
    matches = [verify(Read(data).entries, None).match for data in recorded(games=3)]
    assert matches[0] == matches[1]


def test_any_flipped_byte_is_found() -> None:
    """Every byte of a record, one after the other, with one bit or all bits turned."""
    data = recorded(concede=0.05)[0]
    assert len(ends_of(data)) > 12
    for offset in range(len(data)):
        for mask in (0x01, 0x80, 0xFF):
            broken = bytearray(data)
            broken[offset] ^= mask
            assert standing(bytes(broken)) in (
                Standing.BROKEN,
                Standing.UNFINISHED,
            ), f"byte {offset} ^ {mask:#x}"


def test_a_cut_record_is_unfinished() -> None:
    """At every entry, and at every byte of the last ones."""
    data = recorded()[0]
    ends = ends_of(data)
    cuts = set(ends[:-1]) | set(range(ends[-6], len(data)))
    for cut in cuts:
        assert standing(data[:cut]) is Standing.UNFINISHED, cut
    assert standing(b"") is Standing.BROKEN


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
            assert standing(b"".join(forged)) is Standing.BROKEN


def test_nothing_follows_the_end() -> None:
    data = recorded()[0]
    *_, (_, check, _) = entries(data)
    more, _ = encode(Ended(3, "over", None, ""), check)
    assert standing(data + more) is Standing.BROKEN
    assert standing(data + b"\0" * 7) is Standing.BROKEN


def test_a_newer_format_is_refused_by_name() -> None:
    """Whatever a later version writes behind its format, the format itself can be read."""
    import msgpack

    from spitnet.journal.records import chained

    payload = msgpack.packb([0, 2, {"anything": 1}])
    data = len(payload).to_bytes(4, "big") + chained(NO_CHECK, payload) + payload
    found = Read(data)
    assert isinstance(found.trouble, NewerFormat)
    assert found.trouble.found == 2
    assert standing(data) is Standing.NEWER


@given(st.binary(max_size=400))
def test_reading_never_raises(data: bytes) -> None:
    """Any bytes at all, alone and behind a good beginning."""
    assert standing(data) in Standing
    good = recorded()[0]
    cut = ends_of(good)[len(data) % 40]
    assert standing(good[:cut] + data) in Standing


@given(st.recursive(st.none() | st.integers() | st.binary() | st.text() | st.booleans(), st.lists))
def test_any_payload_with_a_good_check_is_read_or_damaged(value: object) -> None:
    """Anyone can compute a check, so what lies behind one may be of any shape."""
    import msgpack

    from spitnet.journal.records import chained

    try:
        payload = msgpack.packb(value)
    except OverflowError:
        return
    data = len(payload).to_bytes(4, "big") + chained(NO_CHECK, payload) + payload
    with suppress(Damaged, NewerFormat):
        list(entries(data))
