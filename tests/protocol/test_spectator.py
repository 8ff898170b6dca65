"""The frames of those who look on: read back as written, nothing else let through, and small enough for the link."""

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.reading import watch_frame

from spitnet.protocol import VERSION
from spitnet.protocol.messages import FRAME_BYTES_MAX, Malformed, Refuse
from spitnet.protocol.messages import decode as decode_message
from spitnet.protocol.spectator import (
    OFFSET_MAX,
    PIECE_BYTES,
    Piece,
    SpectatorFrame,
    Watch,
    busy,
    decode,
    encode,
    other_version,
)

_SESSION = bytes(range(32))
_offsets = st.integers(0, OFFSET_MAX)
_pieces = st.tuples(st.integers(0, 2**40), st.binary(min_size=1, max_size=100), st.integers(0, 99))
_frames: st.SearchStrategy[SpectatorFrame] = st.one_of(
    st.builds(Watch, st.just(VERSION), st.none() | st.just(_SESSION), _offsets),
    _pieces.map(lambda p: Piece(_SESSION, p[0], p[0] + len(p[1]) + p[2], p[1])),
    st.sampled_from((busy(), other_version())),
)


@given(_frames)
def test_what_is_written_is_read_back(frame: SpectatorFrame) -> None:
    assert decode(encode(frame)) == frame


def test_the_largest_piece_fits_into_a_frame() -> None:
    piece = Piece(_SESSION, OFFSET_MAX - PIECE_BYTES, OFFSET_MAX, bytes(PIECE_BYTES))
    assert len(encode(piece)) <= FRAME_BYTES_MAX


@given(_frames.filter(lambda frame: not isinstance(frame, Refuse)))
def test_in_a_match_they_are_malformed(frame: SpectatorFrame) -> None:
    with pytest.raises(Malformed):
        decode_message(encode(frame))


@pytest.mark.parametrize(
    "fields",
    [
        20,
        [],
        [19, VERSION, None, 0],
        [True, VERSION, None, 0],
        [20],
        [20, VERSION],
        [20, VERSION, None],
        [20, VERSION, None, 0, 0],
        [20, VERSION, bytes(31), 0],
        [20, VERSION, "x" * 32, 0],
        [20, VERSION, None, -1],
        [20, VERSION, None, OFFSET_MAX + 1],
        [20, VERSION, None, 1.0],
        [20, VERSION, None, False],
        [20, True, None, 0],
        [20, 65536, None, 0],
        [21, None, 0, 1, b"x"],
        [21, _SESSION, 0, 1, "x"],
        [21, _SESSION, 0, 1, b""],
        [21, _SESSION, 0, 1, b"xx"],
        [21, _SESSION, 2, 1, b"x"],
        [21, _SESSION, 0, OFFSET_MAX + 1, b"x"],
        [21, _SESSION, 0, 1, b"x", 0],
        [5, VERSION, "never"],
        {20: VERSION},
    ],
)
def test_what_is_no_frame_is_malformed(fields: object) -> None:
    assert watch_frame(msgpack.packb(fields)) is None


@given(st.binary(max_size=FRAME_BYTES_MAX + 100))
def test_any_bytes_are_a_frame_or_malformed(data: bytes) -> None:
    for one in (data, b"\x94\x14\x01" + data, b"\x95\x15" + data):
        watch_frame(one)


def test_a_question_of_another_version_is_known_as_such() -> None:
    """Whatever stands behind its version."""
    assert watch_frame(msgpack.packb([20, 2, {"what": "ever"}, 1, 2])) == Watch(2, None, 0)
