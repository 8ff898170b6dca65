"""The datagrams of discovery: values to bytes and back. Pure; `decode` never raises, whatever it is given.

A datagram is the magic, then one msgpack array, 512 bytes at most:

    PROBE  [version, 0, padding]                                              who is there? 400 bytes in all
    TABLE  [version, 1, instance, port, key, name, state, flags, watch, settings]    announced or in answer to a probe
    LOST   [version, 2, instance, port, key, session]                         my opponent is lost, I am here
    GONE   [version, 3, instance]                                             this table is closed

These layouts are frozen for every protocol version to come, so that tables of another version can be shown as such; what
a later version adds stands behind the last field and is ignored here. `watch` and `settings` may be missing: nil stands
for one that has another behind it.
"""

from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, TypeGuard

from msgspec import ValidationError, convert

from spitnet.core.state import Settings
from spitnet.net.names import clean_name
from spitnet.protocol.codec import pack, unpack_array
from spitnet.protocol.messages import Terms

MAGIC = b"spitnet\x00"
DATAGRAM_BYTES = 512
# An answer is never larger than its question, or a host would amplify a forged one; TABLE is at most 192 bytes.
PROBE_BYTES = 400
INSTANCE_BYTES = 16
KEY_BYTES = 32
FIELDS_MOST = 16
SESSION_BYTES = 32


class BeaconKind(IntEnum):
    """The number of each datagram on the wire."""

    PROBE = 0
    TABLE = 1
    LOST = 2
    GONE = 3


class TableState(IntEnum):
    """Whether a table takes a joiner."""

    OPEN = 0
    PLAYING = 1


_STATES = frozenset(TableState)


@dataclass(frozen=True, slots=True)
class Probe:
    """Who is there?"""

    version: int


@dataclass(frozen=True, slots=True)
class Announcement:
    """A table: `instance` 16 bytes, `port` of the match (TCP), `key` 32 bytes of CURVE, `flags` 0..65535 of the game's.

    `watch_port` (TCP) is for spectators; None: there are none. `settings` are those of the match, as far as anybody can
    tell before the handshake; their `watchable` doesn't travel.
    """

    version: int
    instance: bytes
    port: int
    key: bytes
    name: str
    state: TableState
    flags: int
    watch_port: int | None = None
    settings: Settings | None = None


@dataclass(frozen=True, slots=True)
class Lost:
    """A host whose opponent is lost says where it is now; `session` 32 bytes."""

    version: int
    instance: bytes
    port: int
    key: bytes
    session: bytes


@dataclass(frozen=True, slots=True)
class Gone:
    """A table that is closed."""

    version: int
    instance: bytes


Beacon = Probe | Announcement | Lost | Gone


def encode(beacon: Beacon) -> bytes:
    """Write one datagram; an announcement's name is cleaned first."""
    fields: list[object]
    match beacon:
        case Probe(version):
            return _padded(version)
        case Announcement(version, instance, port, key, name, state, flags, watch, settings):
            fields = [
                version,
                BeaconKind.TABLE,
                instance,
                port,
                key,
                clean_name(name),
                state,
                flags,
            ]
            fields += _optional(watch, settings)
        case Lost(version, instance, port, key, session):
            fields = [version, BeaconKind.LOST, instance, port, key, session]
        case Gone(version, instance):
            fields = [version, BeaconKind.GONE, instance]
    return MAGIC + pack(fields)


def decode(data: bytes) -> Beacon | None:
    """Read one datagram; None when it is not one of ours, byte for byte."""
    if len(data) > DATAGRAM_BYTES or not data.startswith(MAGIC):
        return None
    match unpack_array(data[len(MAGIC) :]):
        case [version, kind, *body] if _number(version) and _number(kind):
            return _read(version, kind, body) if len(body) <= FIELDS_MOST - 2 else None
    return None


def _read(version: int, kind: int, body: list[Any]) -> Beacon | None:
    """Read the fields behind the kind, each of its exact type and length; any more are a later version's."""
    match kind, body:
        case BeaconKind.PROBE, [bytes(), *_]:
            return Probe(version)
        case BeaconKind.TABLE, [instance, port, key, str(name), state, flags, *more] if (
            _place(instance, port, key) and _number(state) and state in _STATES and _number(flags)
        ):
            head = version, instance, port, key, clean_name(name), TableState(state), flags
            return Announcement(*head, _port_in(more), _settings_in(more))
        case BeaconKind.LOST, [instance, port, key, session, *_] if _place(
            instance, port, key
        ) and _exactly(session, SESSION_BYTES):
            return Lost(version, instance, port, key, session)
        case BeaconKind.GONE, [instance, *_] if _exactly(instance, INSTANCE_BYTES):
            return Gone(version, instance)
    return None


def _padded(version: int) -> bytes:
    """Write a probe of exactly PROBE_BYTES: the padding's own head takes three bytes at this size."""
    bare = len(MAGIC) + len(pack([version, BeaconKind.PROBE, b""])) - 2
    return MAGIC + pack([version, BeaconKind.PROBE, bytes(PROBE_BYTES - bare - 3)])


def _number(field: object) -> TypeGuard[int]:
    return type(field) is int and 0 <= field <= 0xFFFF


def _exactly(field: object, length: int) -> TypeGuard[bytes]:
    return type(field) is bytes and len(field) == length


def _port_in(more: list[Any]) -> int | None:
    """Read the field behind the flags, if it is a port: another meaning was never given to it."""
    return more[0] if more and _number(more[0]) and more[0] > 0 else None


def _settings_in(more: list[Any]) -> Settings | None:
    """Read the field behind that port, if it begins as the settings of a WELCOME do; what it has besides is not looked at."""
    match more:
        case [_, (games, refill, spit, grace_s, *_), *_]:
            with suppress(ValidationError):
                return convert((games, refill, spit, grace_s), Terms).settings
    return None


def _optional(watch: int | None, settings: Settings | None) -> list[object]:
    """Write the fields that may be missing: none behind the last that is there."""
    if settings is None:
        return [] if watch is None else [watch]
    return [watch, [settings.games, settings.refill, settings.spit, settings.grace_s]]


def _place(instance: object, port: object, key: object) -> bool:
    """Whether three fields say where a table is."""
    where = _number(port) and port > 0
    return where and _exactly(instance, INSTANCE_BYTES) and _exactly(key, KEY_BYTES)
