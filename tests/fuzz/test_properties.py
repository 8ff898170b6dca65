"""Properties of what the decoders take: any bytes, any field, and every message and move there can be.

The beacon's and the journal's lie with those rooms' tests.
"""

import msgpack
from hypothesis import given
from hypothesis import strategies as st
from support import reading
from support.mutation import packed

from spitnet.core.cards import Card
from spitnet.core.moves import Concede, Deal, Leave, Play, Ready, Refill, Spit
from spitnet.core.state import RefillMode, SpitMode
from spitnet.protocol import VERSION
from spitnet.protocol.binding import Opening
from spitnet.protocol.fields import BEAT_MAX
from spitnet.protocol.messages import (
    FRAME_BYTES_MAX,
    Accept,
    Bye,
    Commit,
    Farewell,
    Hello,
    Message,
    OtherVersion,
    Ping,
    Pong,
    Refuse,
    Rejection,
    Rematch,
    Resume,
    Reveal,
    Start,
    Terms,
    Welcome,
    encode,
)
from spitnet.protocol.move_codec import CARDS, decode_move, encode_move

_hash = st.binary(min_size=32, max_size=32)
_id = st.binary(min_size=16, max_size=16)
_beat, _seat, _token = st.integers(0, BEAT_MAX), st.integers(0, 1), st.integers(0, 2**32 - 1)
_name = st.text(min_size=1, max_size=24)
_code = st.just(b"") | st.binary(min_size=33, max_size=33)
_proof = st.just(b"") | _hash
_opening = st.builds(Opening, st.binary(min_size=1, max_size=4), _hash)
_terms = st.builds(
    Terms,
    st.integers(1, 1000),
    st.sampled_from(RefillMode),
    st.sampled_from(SpitMode),
    st.integers(5, 3600),
)
_version = st.just(VERSION)
_messages: st.SearchStrategy[Message] = st.one_of(
    st.builds(Hello, _version, _hash, _name, _code),
    st.builds(Welcome, _version, _hash, _name, _terms, _code),
    st.builds(Accept, _hash, _proof),
    st.builds(Start, _hash, _proof),
    st.builds(Refuse, st.integers(0, 65535), st.sampled_from(Rejection)),
    st.builds(Commit, _hash, _beat, _seat, _hash, _hash, _hash),
    st.builds(Reveal, _hash, _beat, _seat, _hash, _hash, _opening),
    st.builds(
        Resume, _hash, _seat, st.none() | _id, st.none() | _id, _beat, _hash, _hash,
        st.none() | _opening, st.none() | _hash, st.none() | _opening, st.none() | _hash,
    ),
    st.builds(Ping, _hash, _token, _beat, st.booleans()),
    st.builds(Pong, _hash, _token, _beat, st.booleans()),
    st.builds(Bye, _hash, _beat, st.sampled_from(Farewell), st.from_regex(r"[a-z_]{0,40}", fullmatch=True)),
    st.builds(Rematch, _hash, _hash),
)  # fmt: skip
_moves = st.one_of(
    st.sampled_from((None, Deal(), Ready(), Spit(), Concede(), Leave())),
    st.builds(Play, st.integers(0, CARDS - 1).map(Card), st.integers(0, 1), st.integers(0, CARDS)),
    st.builds(Refill, st.integers(0, 3)),
)
_anything = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text() | _hash,
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(_messages)
def test_what_is_sent_is_what_is_heard(message: Message) -> None:
    frame = reading.written(message)
    assert len(frame) <= FRAME_BYTES_MAX


@given(st.binary(max_size=FRAME_BYTES_MAX + 9))
def test_any_bytes_are_a_message_or_malformed(data: bytes) -> None:
    reading.message(data)


@given(_messages, st.data())
def test_a_field_of_any_other_kind_is_malformed(message: Message, data: st.DataObject) -> None:
    """Or the message is a greeting of another version, or it is a good one all the same."""
    fields = list(packed_fields(message))
    fields[data.draw(st.integers(0, len(fields) - 1))] = data.draw(_anything)
    frame = packed(fields)
    found = reading.message(frame)
    if found is not None:
        assert isinstance(found, OtherVersion) or reading.written(found)


def packed_fields(message: Message) -> list[object]:
    fields: list[object] = msgpack.unpackb(encode(message))
    return fields


@given(_moves)
def test_a_move_is_read_as_it_was_written(move: object) -> None:
    data = encode_move(move)  # type: ignore[arg-type]
    assert decode_move(data) == move
