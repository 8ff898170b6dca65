"""Broken inputs made of whole ones, and a loop that keeps those that lead somewhere new.

What belongs here: what a hostile or a dying machine makes of bytes, and which lines an input reaches. What must not:
what is tested, and what is right. The same seed gives the same inputs.
"""

import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from types import CodeType, FrameType, ModuleType
from typing import Any, TypeAlias

import msgpack

DEPTH_MOST = 50
"""How deep in a value a part is still looked for."""
BYTES_MOST = 8192
"""Longer than whatever is longest of what is tested, so that bounds are met."""
EDGES = (
    0,
    1,
    -1,
    2,
    23,
    31,
    32,
    33,
    127,
    128,
    255,
    256,
    2**16,
    2**31,
    2**48,
    2**48 + 1,
    2**63,
    2**64 - 1,
    -(2**63),
)
ODDS: tuple[object, ...] = (
    None, True, False, 0.0, -0.0, 1.5, float("nan"), float("inf"), "", "x", "\0", "\x1b[2J", "é", "\ud800", "a" * 97,
    "over", "busy", "violation", b"", b"\0", bytes(16), bytes(31), bytes(32), bytes(33), b"\xff" * 64, [], {}, [[]],
    {1: 2}, {"a": None}, {b"a": []}, {None: 1}, msgpack.ExtType(5, b"x"),
    msgpack.Timestamp(1), *EDGES,
)  # fmt: skip
"""Values of every type that msgpack has, and those at the edge of what it can hold or a field may."""
RAW = (
    b"\x91" * 600, b"\x81\xc0" * 300, b"\xdd\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff", b"\xc6\xff\xff\xff\xff",
    b"\xdb\xff\xff\xff\xff", b"\xc9\xff\xff\xff\xff\x01", b"\xd9\x02\xff\xfe", b"\xd9\x03\xed\xa0\x80", b"\xc1",
    b"\xd7\xff\xff\xff\xff\xff\xff\xff\xff\xff", b"\x00" * 40, b"\xff" * 40, b"\n", b"\r\n", b'"', b"=", b"[", b"\0",
)  # fmt: skip
"""Runs of bytes that parsers stumble over: deep nesting, endless lengths, broken text, no type at all."""

Check: TypeAlias = Callable[[bytes], object]
"""Is given one input, and raises where something is wrong."""


class Mutator:
    """Breaks inputs at random, each in a few of many ways."""

    def __init__(self, random: Random, packed: bool = True) -> None:
        """`packed` says that inputs are msgpack, so that their values can be changed too, and not just their bytes."""
        self._random = random
        self._ways: tuple[Callable[[bytes, bytes], bytes], ...] = (
            self._flip, self._set, self._insert, self._insert_raw, self._delete, self._double, self._cut, self._splice,
            self._number, self._repeat,
        )  # fmt: skip
        if packed:
            self._ways += (self._revalue,) * 6

    def broken(self, data: bytes, other: bytes) -> bytes:
        """The input, changed once or a few times; `other` is one to borrow from."""
        for _ in range(self._random.choice((1, 1, 1, 2, 2, 3, 5))):
            data = self._random.choice(self._ways)(data, other)
        return data[:BYTES_MOST]

    def value(self, value: object) -> object:
        """A value with one of its parts, however deep, replaced by something odd or by another of its parts."""
        places = list(_places(value, ()))
        place = self._random.choice(places)
        if self._random.random() < 0.3:
            new = _at(value, self._random.choice(places))
        else:
            new = self._random.choice(ODDS)
        return _replaced(value, place, new)

    def _revalue(self, data: bytes, other: bytes) -> bytes:
        try:
            value = msgpack.unpackb(data, strict_map_key=False)
        except Exception:  # noqa: BLE001 - it is broken already
            return self._flip(data, other)
        return packed(self.value(value))

    def _at(self, data: bytes) -> int:
        return self._random.randrange(len(data) + 1)

    def _span(self, data: bytes) -> slice:
        start = self._at(data)
        return slice(start, start + self._random.choice((1, 2, 4, 16, 32, 200)))

    def _flip(self, data: bytes, _: bytes) -> bytes:
        at = self._at(data[1:])
        return (
            data[:at]
            + bytes(one ^ 1 << self._random.randrange(8) for one in data[at : at + 1])
            + data[at + 1 :]
        )

    def _set(self, data: bytes, _: bytes) -> bytes:
        at = self._at(data)
        return data[:at] + bytes((self._random.randrange(256),)) + data[at + 1 :]

    def _insert(self, data: bytes, _: bytes) -> bytes:
        at = self._at(data)
        return data[:at] + self._random.randbytes(self._random.choice((1, 2, 8, 40))) + data[at:]

    def _insert_raw(self, data: bytes, _: bytes) -> bytes:
        at = self._at(data)
        return data[:at] + self._random.choice(RAW) + data[at:]

    def _delete(self, data: bytes, _: bytes) -> bytes:
        span = self._span(data)
        return data[: span.start] + data[span.stop :]

    def _double(self, data: bytes, _: bytes) -> bytes:
        span = self._span(data)
        return data[: span.stop] + data[span] + data[span.stop :]

    def _cut(self, data: bytes, _: bytes) -> bytes:
        return data[: self._at(data)]

    def _splice(self, data: bytes, other: bytes) -> bytes:
        return data[: self._at(data)] + other[self._at(other) :]

    def _number(self, data: bytes, _: bytes) -> bytes:
        at, width = self._at(data), self._random.choice((1, 2, 4, 8))
        number = self._random.choice(EDGES) % (1 << 8 * width)
        return data[:at] + number.to_bytes(width, "big") + data[at + width :]

    def _repeat(self, data: bytes, _: bytes) -> bytes:
        span = self._span(data)
        return (
            data[: span.stop] + data[span] * self._random.choice((2, 10, 100)) + data[span.stop :]
        )


def packed(value: object) -> bytes:
    """As msgpack, whatever is in it: text that is no Unicode too. Numbers that it can't hold become none."""
    try:
        found: bytes = msgpack.packb(value, unicode_errors="surrogatepass")
    except (OverflowError, ValueError):
        return b"\xc0"
    return found


def _places(value: object, here: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    yield here
    if isinstance(value, list | tuple) and len(here) < DEPTH_MOST:
        for index, part in enumerate(value):
            yield from _places(part, (*here, index))


def _at(value: Any, place: tuple[Any, ...]) -> object:
    for index in place:
        value = value[index]
    return value


def _replaced(value: Any, place: tuple[Any, ...], new: object) -> object:
    if not place:
        return new
    index, *deeper = place
    return [*value[:index], _replaced(value[index], tuple(deeper), new), *value[index + 1 :]]


class Reached:
    """The steps from line to line that some modules have taken, as far as they were watched."""

    def __init__(self, modules: Collection[ModuleType]) -> None:
        self._files = {module.__file__ for module in modules}
        self.steps: set[tuple[CodeType, int, int]] = set()

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watches this thread meanwhile, in the place of whoever did before."""
        before = sys.gettrace()
        sys.settrace(self._called)
        try:
            yield
        finally:
            sys.settrace(before)

    def _called(self, frame: FrameType, event: str, arg: object) -> Any:
        if frame.f_code.co_filename not in self._files:
            return None
        last, code, steps = frame.f_lineno, frame.f_code, self.steps

        def step(frame: FrameType, event: str, arg: object) -> Any:
            nonlocal last
            steps.add((code, last, frame.f_lineno))
            last = frame.f_lineno
            return step

        return step


def grown(
    corpus: Sequence[bytes],
    check: Check,
    mutator: Mutator,
    random: Random,
    modules: Collection[ModuleType],
    tries: int,
) -> list[bytes]:
    """The corpus, and each of so many broken inputs that took a step which none before it had taken."""
    found, reached = list(corpus), Reached(modules)
    for data in corpus:
        with reached.watching():
            check(data)
    for _ in range(tries):
        data = mutator.broken(random.choice(found), random.choice(found))
        known = len(reached.steps)
        with reached.watching():
            check(data)
        if len(reached.steps) > known:
            found.append(data)
    return found


def attacked(
    corpus: Sequence[bytes],
    check: Check,
    *,
    seed: int,
    many: int,
    modules: Collection[ModuleType] = (),
    guided: int = 0,
    packed: bool = True,
) -> int:
    """Checks so many broken inputs, the first `guided` of which choose what the others are made of.

    Returns:
        How many inputs were checked.

    Raises:
        AssertionError: one was too much for the check; it is in the message.
    """
    random = Random(seed)
    mutator = Mutator(random, packed)

    def named(data: bytes) -> None:
        try:
            check(data)
        except Exception as error:
            raise AssertionError(f"{type(error).__name__}: {error}, given {data!r}") from error

    found = grown(corpus, named, mutator, random, modules, guided)
    for _ in range(many - guided):
        named(mutator.broken(random.choice(found), random.choice(found)))
    return len(corpus) + many
