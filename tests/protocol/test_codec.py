"""msgpack and back: the same bytes as msgspec's own writer, and nothing read that promises more than there is."""

import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest
from msgspec import Struct, msgpack
from support import make_vectors

from spitnet.protocol import codec
from spitnet.protocol.messages import FRAME_BYTES_MAX, Malformed, decode

MEMORY_BYTES = 256 * 1024


class Pair(Struct, array_like=True, forbid_unknown_fields=True, tag=7):
    first: bytes
    second: int | None


class Other(Struct, array_like=True, forbid_unknown_fields=True, tag=200):
    pairs: list[Pair]


class Loose(Struct, array_like=True, tag=1):
    numbered: tuple[int, bytes] | dict[str, int] | None


PAIR = Pair(b"\xff\0", 2**63)


@pytest.mark.parametrize(
    "value",
    [PAIR, Other([PAIR, PAIR]), [], (1, [None, True], "é" * 40, bytes(300), -1), {"a": 1.5}],
)
def test_bytes_are_those_of_msgspecs_writer(value: object) -> None:
    assert codec.pack(value) == msgpack.encode(value)


def test_what_is_written_is_read_back() -> None:
    reader = codec.Reader[Pair | Other](Pair, Other)
    assert reader.read(codec.pack(PAIR)) == PAIR
    assert reader.read(codec.pack(Other([PAIR]))) == Other([PAIR])


def test_a_long_array_is_read_where_that_is_asked_for() -> None:
    """Any other reader takes as many members as it must."""
    long = Other([PAIR] * (codec.MEMBERS_MOST + 1))
    assert codec.Reader(Other, members_most=17).read(codec.pack(long)) == long
    with pytest.raises(ValueError, match="16"):
        codec.Reader(Other).read(codec.pack(long))


@pytest.mark.parametrize(
    "field",
    [b"\xd4\x05\x00", b"\xc7\x00\x05", b"\xd6\xff\x00\x00\x00\x00", b"\x81\xa1a\x01"],
    ids=["ext", "empty ext", "time", "map"],
)
def test_ext_and_maps_are_nothing_that_is_read(field: bytes) -> None:
    """Not even where a type would take what becomes of them."""
    reader = codec.Reader(Loose)
    assert reader.read(b"\x92\x01\xc0") == Loose(None)
    with pytest.raises(ValueError):  # noqa: PT011 - whichever
        reader.read(b"\x92\x01" + field)


@pytest.mark.parametrize(
    "head", [b"\xdc\x0f\xd0", b"\xdd\x00\x00\x0f\xd0", b"\x9f", b"\xdc\x00\x10"]
)
def test_arrays_within_arrays_take_no_memory(head: bytes) -> None:
    """Room is made for the members that each header promises, before one of them is read."""
    frame = (head * FRAME_BYTES_MAX)[:FRAME_BYTES_MAX]
    tracemalloc.start()
    try:
        with pytest.raises(Malformed):
            decode(frame)
        assert tracemalloc.get_traced_memory()[1] < MEMORY_BYTES
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x93",
        b"\x93\x01",
        b"\x93\xcd\x01",
        b"\x93\x01\xca\x00\x00\x00\x00",
        b"\x93\x01\xc3",
        b"\x81\x01\x02",
        b"\xdc",
    ],
)
def test_a_head_is_an_array_and_two_ints(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"no |cut|incomplete"):
        codec.head(data)


def test_a_head_is_read_whatever_stands_behind() -> None:
    assert codec.head(b"\xdd\xff\xff\xff\xff\xcd\x00\x07\xd3" + bytes(7) + b"\x02\xc1") == (
        2**32 - 1,
        7,
        2,
    )


@pytest.mark.processes
def test_msgpack_in_python_alone_comes_to_the_same() -> None:
    """Where its compiled half can't be installed: every vector, good and bad."""
    script = "import msgpack; from support.make_vectors import *; print(msgpack.Packer.__module__, written(vectors()) == VECTORS.read_text(encoding='utf-8'))"
    path = os.pathsep.join([str(Path(make_vectors.__file__).parents[1]), *sys.path])
    ran = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "MSGPACK_PUREPYTHON": "1", "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout == "msgpack.fallback True\n", ran.stderr
