"""Datagrams: nothing makes the parser raise, what is written is read back, and the frozen head stays readable."""

from dataclasses import replace

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import astuple
from support.reading import a_beacon

from spitnet.core.state import GAMES_MAX, GRACE_S_RANGE, RefillMode, Settings, SpitMode
from spitnet.net.beacon import (
    DATAGRAM_BYTES,
    MAGIC,
    PROBE_BYTES,
    Announcement,
    Beacon,
    Gone,
    Lost,
    Probe,
    TableState,
    decode,
    encode,
)
from spitnet.net.names import clean_name

_numbers = st.integers(0, 0xFFFF)
_ports = st.integers(1, 0xFFFF)
_16, _32 = st.binary(min_size=16, max_size=16), st.binary(min_size=32, max_size=32)
_settings = st.builds(
    Settings,
    st.integers(1, GAMES_MAX),
    st.sampled_from(RefillMode),
    st.sampled_from(SpitMode),
    st.integers(*GRACE_S_RANGE),
)
_beacons: st.SearchStrategy[Beacon] = st.one_of(
    st.builds(Probe, _numbers),
    st.builds(
        Announcement,
        _numbers,
        _16,
        _ports,
        _32,
        st.text().map(clean_name),
        st.sampled_from(TableState),
        _numbers,
        st.none() | _ports,
        st.none() | _settings,
    ),
    st.builds(Lost, _numbers, _16, _ports, _32, _32),
    st.builds(Gone, _numbers, _16),
)
_TABLE = [1, 1, bytes(16), 4000, bytes(32), "Ana", 0, 0]


@given(_beacons)
def test_what_is_written_is_read_back_and_an_answer_is_smaller_than_the_question(
    beacon: Beacon,
) -> None:
    data = encode(beacon)
    assert decode(data) == beacon
    assert len(data) == PROBE_BYTES if isinstance(beacon, Probe) else len(data) < PROBE_BYTES


@given(st.binary(max_size=600))
def test_no_bytes_make_the_parser_raise(data: bytes) -> None:
    a_beacon(data)
    a_beacon(MAGIC + data)


@given(_beacons, st.data())
def test_no_damage_makes_the_parser_raise(beacon: Beacon, data: st.DataObject) -> None:
    damaged = bytearray(encode(beacon))
    for at in data.draw(st.lists(st.integers(0, len(damaged) - 1), max_size=8)):
        damaged[at] = data.draw(st.integers(0, 255))
    a_beacon(bytes(damaged[: data.draw(st.integers(0, len(damaged)))]))


_objects = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text() | _32,
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(st.lists(_objects, max_size=10))
def test_no_msgpack_makes_the_parser_raise(fields: list[object]) -> None:
    a_beacon(MAGIC + msgpack.packb(fields))


@pytest.mark.parametrize(
    ("more", "is_one"),
    [
        pytest.param(msgpack.packb(msgpack.ExtType(5, b"x")), True, id="ext"),
        pytest.param(msgpack.packb(msgpack.Timestamp(1)), True, id="time"),
        pytest.param(msgpack.packb(msgpack.Timestamp(2**60)), False, id="time too far away"),
        pytest.param(b"\xc7\x01\xff\x00", False, id="no time"),
        pytest.param(b"\x81\x92\x01\x90\xc0", True, id="an array for a key"),
        pytest.param(b"\x81\x80\xc0", False, id="a map for a key"),
        pytest.param(b"\xdc\x01\x00" + bytes(256), True, id="a long array"),
        pytest.param(b"\x91" * 400 + b"\xc0", True, id="nested"),
    ],
)
def test_what_a_later_version_may_add_is_msgpack(more: bytes, is_one: bool) -> None:
    """Both readers skip whatever a field is, as long as it is one."""
    gone = b"\x94\x01\x03\xc4\x10" + bytes(16) + more
    assert (a_beacon(MAGIC + gone) is not None) == is_one


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(MAGIC + b"\x91" * 500, id="nested"),
        pytest.param(MAGIC + b"\xdd\xff\xff\xff\xff", id="endless array"),
        pytest.param(MAGIC + b"\xc6\xff\xff\xff\xff", id="endless bytes"),
        pytest.param(MAGIC + b"\xd7\xff" + b"\xff" * 8, id="bad timestamp"),
        pytest.param(MAGIC + msgpack.packb(_TABLE) + b"\xc0", id="two objects"),
        pytest.param(b"SPITNET\x00" + msgpack.packb(_TABLE), id="magic"),
        pytest.param(encode(Probe(1)) + bytes(DATAGRAM_BYTES), id="too long"),
    ],
)
def test_what_is_no_beacon_is_none(data: bytes) -> None:
    assert a_beacon(data) is None


@pytest.mark.parametrize(
    ("at", "value"),
    [
        (0, True),
        (0, -1),
        (0, 1.0),
        (1, 9),
        (1, True),
        (2, bytes(15)),
        (2, "x" * 16),
        (3, 0),
        (3, 65536),
        (3, True),
        (4, bytes(33)),
        (5, b"Ana"),
        (6, 2),
        (6, False),
        (7, -1),
        (7, 65536),
    ],
)
def test_every_field_has_its_exact_type_and_length(at: int, value: object) -> None:
    assert isinstance(decode(MAGIC + msgpack.packb(_TABLE)), Announcement)
    assert a_beacon(MAGIC + msgpack.packb([*_TABLE[:at], value, *_TABLE[at + 1 :]])) is None


def test_a_later_versions_table_is_read_as_far_as_the_frozen_head_goes() -> None:
    later = [99, *_TABLE[1:], {"more": [1.5, None]}, "and more"]
    assert decode(MAGIC + msgpack.packb(later)) == Announcement(
        99, bytes(16), 4000, bytes(32), "Ana", TableState.OPEN, 0
    )


@pytest.mark.parametrize(
    ("more", "port"),
    [([5000], 5000), ([5000, "later"], 5000), ([0], None), ([65536], None), ([True], None)],
)
def test_the_port_for_those_who_look_on_may_be_missing(
    more: list[object], port: int | None
) -> None:
    """What stands there and is no port makes the table none that can be watched, and no less of a table."""
    beacon = decode(MAGIC + msgpack.packb([*_TABLE, *more]))
    assert isinstance(beacon, Announcement)
    assert beacon.watch_port == port


def test_the_largest_table_is_as_large_as_the_wire_says() -> None:
    """A host answers no question that is smaller, and WIRE.md tells how large one has to be."""
    settings = Settings(GAMES_MAX, RefillMode.MANUAL, SpitMode.AUTO, GRACE_S_RANGE[1])
    name = "\N{PLAYING CARD ACE OF SPADES}" * 24
    largest = Announcement(
        0xFFFF, bytes(16), 0xFFFF, bytes(32), name, TableState.PLAYING, 0xFFFF, 0xFFFF, settings
    )
    assert len(encode(largest)) == 192 < PROBE_BYTES


@given(st.lists(_objects, max_size=8))
def test_whatever_stands_in_the_place_of_settings_is_settings_or_none(told: list[object]) -> None:
    """What a stranger sends there never makes the table less of one, nor means more than a host can set."""
    for place in (told, told[0] if told else None):
        beacon = decode(MAGIC + msgpack.packb([*_TABLE, None, place]))
        if beacon is not None:  # an array in it may be too long for any datagram
            assert isinstance(beacon, Announcement)
            found = beacon.settings
            assert found is None or list(astuple(found))[:4] == told[:4]


@pytest.mark.parametrize("watch", [None, 5000])
def test_who_knows_no_settings_reads_the_rest(watch: int | None) -> None:
    """A program from before they were told looks for a port there, and at nothing behind it."""
    settings = Settings(3, RefillMode.MANUAL)
    table = Announcement(1, bytes(16), 4000, bytes(32), "Ana", TableState.OPEN, 0, watch, settings)
    fields = msgpack.unpackb(encode(table)[len(MAGIC) :])
    assert fields[8] == watch
    assert decode(MAGIC + msgpack.packb(fields[:8])) == replace(
        table, watch_port=None, settings=None
    )


def test_a_strangers_name_is_cleaned() -> None:
    beacon = decode(MAGIC + msgpack.packb([*_TABLE[:5], "\x1b[2J" + "x" * 200, 0, 0]))
    assert isinstance(beacon, Announcement)
    assert beacon.name == "[2J" + "x" * 29
