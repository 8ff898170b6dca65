"""msgpack: values to bytes and back, for frames, records and beacons alike. Nothing else packs or unpacks.

What belongs here: how values become bytes, and the bounds that reading keeps to whatever is read. What must not: any
layout; those are types elsewhere, and `Reader` converts to the one that an array's first member names.
"""

from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar

import msgpack
from msgspec import Struct, convert, to_builtins

MEMBERS_MOST = 16
"""In an array, where its reader says nothing else: msgpack makes room for as many as a header promises."""

_BYTES: Final = (bytes,)
# Without it, msgspec takes base64 text for bytes.
_BYTES_BEHIND: Final = {0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8, 0xD0: 1, 0xD1: 2, 0xD2: 4, 0xD3: 8}
"""Of an int, by its first byte; none where that holds it all."""
_pack: Final[Callable[[object], bytes]] = msgpack.Packer().pack
_unpack: Final[Callable[..., Any]] = msgpack.unpackb
_Shape = TypeVar("_Shape", bound=Struct)


def pack(value: object) -> bytes:
    """The bytes of a value: plain, or one of our types, which is the array of its tag and fields."""
    return _pack(to_builtins(value, builtin_types=_BYTES))


class Reader(Generic[_Shape]):
    """Reads arrays of several types, each a `Struct` with a number of its own as tag, which is the first member."""

    def __init__(self, *shapes: type[_Shape], members_most: int = MEMBERS_MOST) -> None:
        """`members_most` bounds every array, nested ones too."""
        self._shapes = {shape.__struct_config__.tag: shape for shape in shapes}
        self._members_most = members_most

    def read(self, data: bytes) -> _Shape:
        """The value that the bytes are, each field of its exact type.

        Raises:
            ValueError: not one msgpack array, something behind it, or not exactly one of the types.
        """
        members = _unpack(data, max_array_len=self._members_most, max_map_len=0, ext_hook=_no_ext)
        if type(members) is not list or not members or type(members[0]) is not int:
            raise ValueError("not an array that begins with a number")
        shape = self._shapes.get(members[0])
        if shape is None:
            raise ValueError(f"no type has the number {members[0]}")
        return convert(members, shape, builtin_types=_BYTES)


def _no_ext(number: int, _data: bytes) -> object:
    """Raises ValueError: what msgpack makes of an ext would pass for an array of its number and data."""
    raise ValueError(f"an ext with the number {number}")


def unpack_array(data: bytes) -> tuple[Any, ...] | None:
    """An array with whatever members a later version may add; None where the bytes are something else.

    Arrays within it are tuples too, so that they may be keys of maps. For short data alone: nothing in it is bounded.
    """
    try:
        found = _unpack(data, use_list=False, strict_map_key=False, timestamp=3)
    except (ValueError, TypeError, OverflowError):  # an unhashable key; a time too far away
        return None
    return found if type(found) is tuple else None


def head(data: bytes) -> tuple[int, int, int]:
    """How many members an array has, and the first two, which are ints, whatever stands behind them, be it no msgpack.

    Raises:
        ValueError: the bytes don't begin like that.
    """
    try:
        members, at = _members(data)
        first, at = _whole(data, at)
        second, _ = _whole(data, at)
    except IndexError as error:
        raise ValueError("cut short") from error
    return members, first, second


def _members(data: bytes) -> tuple[int, int]:
    """How many an array has, and where they begin. Raises ValueError, IndexError: it is none."""
    match data[0]:
        case 0xDC:
            return int.from_bytes(data[1:3], "big"), 3
        case 0xDD:
            return int.from_bytes(data[1:5], "big"), 5
        case first if 0x90 <= first <= 0x9F:
            return first - 0x90, 1
    raise ValueError("no array")


def _whole(data: bytes, at: int) -> tuple[int, int]:
    """The int that begins there, and where the next field does. Raises ValueError, IndexError: there is none."""
    end = at + 1 + _BYTES_BEHIND.get(data[at], 0)
    found = _unpack(data[at:end])
    if type(found) is not int:
        raise ValueError("no int")
    return found, end
