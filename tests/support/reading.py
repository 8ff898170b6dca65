"""Whatever is read is read twice: by the program, and by msgspec's own msgpack with the same types, to the same verdict.

What belongs here: the second reader, and that both agree. What must not: what is read. Beacons have no types; there the
second implementation is the second reader (second.py), which reads with msgspec's msgpack too.
"""

from io import BytesIO
from typing import TypeAlias

from msgspec import msgpack
from support import second

from spitnet.journal import file_format
from spitnet.journal.file_format import (
    FORMAT,
    LENGTH_BYTES,
    NO_CHECK,
    RECORD_BYTES_MAX,
    Damaged,
    Entry,
    NewerFormat,
    Opened,
    chained,
)
from spitnet.net import beacon
from spitnet.protocol import messages, spectator
from spitnet.protocol.entries import Record
from spitnet.protocol.messages import FRAME_BYTES_MAX, Malformed, Message, OtherVersion
from spitnet.protocol.spectator import SpectatorFrame, Watch

_messages: msgpack.Decoder[Message] = msgpack.Decoder(Message)
_watching: msgpack.Decoder[SpectatorFrame] = msgpack.Decoder(SpectatorFrame)
_first: msgpack.Decoder[Opened] = msgpack.Decoder(Opened)
_records: msgpack.Decoder[Record] = msgpack.Decoder(Record)

Found: TypeAlias = Message | OtherVersion | None


def written(one: Message) -> bytes:
    """The frame of a message, which both readers understand as that."""
    frame = messages.encode(one)
    assert message(frame) == one
    return frame


def message(frame: bytes) -> Found:
    """What a frame of the match is; None: malformed."""
    found: Found
    try:
        found = messages.decode(frame)
    except Malformed:
        found = None
    _agreed(frame, found, _message(frame))
    return found


def _message(frame: bytes) -> Found:
    if len(frame) > FRAME_BYTES_MAX:
        return None
    try:
        return _messages.decode(frame)
    except ValueError:
        greeting = second.of_another_version(frame, 1, 2)
        return OtherVersion(greeting[1]) if greeting else None


def watch_frame(frame: bytes) -> SpectatorFrame | None:
    """What a frame between a host and a spectator is; None: malformed."""
    try:
        found = spectator.decode(frame)
    except Malformed:
        found = None
    _agreed(frame, found, _watch_frame(frame))
    return found


def _watch_frame(frame: bytes) -> SpectatorFrame | None:
    if len(frame) > FRAME_BYTES_MAX:
        return None
    try:
        return _watching.decode(frame)
    except ValueError:
        question = second.of_another_version(frame, 20)
        return Watch(question[1], None, 0) if question else None


def entry(payload: bytes, first: bool) -> Entry | int | None:
    """What a journal's first entry is, or a later one: an entry, or the number of a later format; None: damaged."""
    length = len(payload).to_bytes(LENGTH_BYTES, "big")
    data = BytesIO(length + chained(NO_CHECK, payload) + payload)
    found: Entry | int | None
    try:
        [(found, _, _)] = file_format.entries_from(data.read, offset=0 if first else 1)
    except Damaged:
        found = None
    except NewerFormat as newer:
        found = newer.found
    _agreed(payload, found, _entry(payload, first))
    return found


def _entry(payload: bytes, first: bool) -> Entry | int | None:
    if not first and len(payload) > RECORD_BYTES_MAX:
        return None
    try:
        members, number, version = second.head_of(payload) if first else (0, 0, 0)
        if members > 1 and number == 0 and version > FORMAT:
            return version
        return _first.decode(payload) if first else _records.decode(payload)
    except ValueError:
        return None


def a_beacon(datagram: bytes) -> beacon.Beacon | None:
    """What a datagram is; None: to be ignored."""
    found, other = beacon.decode(datagram), second.beacon_of(datagram)
    assert (found is None) == (other is None), (datagram.hex(), found, other)
    if found is not None and other is not None:
        assert found.version == other[0], datagram.hex()
    return found


def _agreed(data: bytes, one: object, other: object) -> None:
    assert type(one) is type(other), (data.hex(), one, other)
    assert one == other, (data.hex(), one, other)
