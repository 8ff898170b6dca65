"""The connections of a listening socket: whose they are, and which of them to end. No libzmq here.

Who has the seat may be slow and may say much; everybody else has little room, and must say something. All hold a bounded
number of descriptors and a bounded amount of memory, whatever they send.

A key has one connection: with the first frame of another, the one that it had is ended.
"""

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass

from spitnet.net.intake import (
    CHECK_S,
    OPPONENT_BYTES,
    SILENT_S,
    STRANGER_BYTES,
    STRANGER_FRAMES,
    Intake,
    descriptors,
    spare,
)

MOST_STRANGERS = 64
"""Connections without a seat at a time; beyond, the oldest of the address that has most is ended."""
_SHARE = 4
"""Of the descriptors that this process may have, strangers get one in so many: a match needs about thirty."""


@dataclass(slots=True)
class _Connection:
    """`key`: whose frames came by it; None: no frame came yet."""

    descriptor: int
    intake: Intake
    key: bytes | None = None


class Connections:
    """Told what happens to connections, by descriptor. `seated` is the key that has the seat, if one has."""

    def __init__(self) -> None:
        self.seated: bytes | None = None
        self.check_at_s = 0.0
        """When `check` is due."""
        self._all: dict[int, _Connection] = {}
        """By descriptor, until libzmq has closed them, the oldest first."""
        self._standing: dict[int, _Connection] = {}
        """Those that weren't ended here. With many to end, they are few."""
        with suppress(OSError):  # now, while there is a descriptor for it
            spare()
        self._most_strangers = min(MOST_STRANGERS, descriptors() // _SHARE)

    def __len__(self) -> int:
        return len(self._all)

    def opened(self, descriptor: int, now_s: float) -> None:
        """A connection was accepted."""
        opened = _Connection(descriptor, Intake(descriptor, now_s))
        self._all[descriptor] = self._standing[descriptor] = opened
        strangers = [one for one in self._standing.values() if not self._has_seat(one)]
        if len(strangers) > self._most_strangers:
            counts = Counter(one.intake.address for one in strangers)
            crowded = max(counts, key=lambda address: counts[address])
            self._end(next(one for one in strangers if one.intake.address == crowded))

    def closed(self, descriptor: int) -> bytes | None:
        """A connection ended; the key whose last one it was, if it was one's last."""
        self._standing.pop(descriptor, None)
        ended = self._all.pop(descriptor, None)
        return ended.key if ended is not None and not self._stands(ended.key) else None

    def frame(self, descriptor: int, key: bytes, size: int) -> bool:
        """A whole frame came; whether it is the first of a key that no other connection is known of."""
        connection = self._all.get(descriptor)
        if connection is None:
            return False
        connection.intake.frame(size)
        if connection.intake.frames > STRANGER_FRAMES and not self._has_seat(connection):
            self._end(connection)
        if connection.key == key:
            return False
        news = not self._stands(key)
        for one in [one for one in self._standing.values() if one.key == key]:
            self._end(one)
        connection.key = key
        return news

    def round_trip_s(self, key: bytes) -> float | None:
        """The least to whoever has that key, as the system knows it; None where it doesn't tell."""
        known = (one.intake.round_trip_s for one in self._standing.values() if one.key == key)
        return next(known, None)

    def stands(self, descriptor: int) -> bool:
        """Whether it is a connection that is known of and wasn't ended here."""
        return descriptor in self._standing

    def has_ended(self, descriptor: int) -> bool:
        """Whether it is a connection that was ended here, though something that was said before may still come by it."""
        return descriptor in self._all and descriptor not in self._standing

    def malformed(self, descriptor: int) -> None:
        """A message came that is none of ours; who has no seat is not heard any further by this connection."""
        connection = self._all.get(descriptor)
        if connection is not None and not self._has_seat(connection):
            self._end(connection)

    def check(self, now_s: float) -> bool:
        """End what is to be ended; whether a connection of the one who has the seat was among it."""
        self.check_at_s = now_s + CHECK_S
        stuffed = False
        for one in list(self._standing.values()):
            seated = self._has_seat(one)
            stuffs = one.intake.stuffs(OPPONENT_BYTES if seated else STRANGER_BYTES, now_s)
            if stuffs or (not seated and self._unwelcome(one, now_s)):
                self._end(one)
                stuffed = stuffed or seated
        return stuffed

    def _end(self, connection: _Connection) -> None:
        """End it; libzmq tells soon that it has closed."""
        if self._standing.pop(connection.descriptor, None) is not None:
            connection.intake.cut()

    def _unwelcome(self, stranger: _Connection, now_s: float) -> bool:
        taken = self.seated is not None and stranger.key is not None
        return taken or now_s > stranger.intake.heard_s + SILENT_S

    def _has_seat(self, connection: _Connection) -> bool:
        return self.seated is not None and connection.key == self.seated

    def _stands(self, key: bytes | None) -> bool:
        return key is None or any(one.key == key for one in self._all.values())
