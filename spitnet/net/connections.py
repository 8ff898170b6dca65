"""The connections of a listening socket: whose they are, and which of them to end. No libzmq here.

Who has the seat may be slow and may say much; everybody else has little room, and must say something. So strangers hold a
bounded number of descriptors and a bounded amount of memory, whatever they send.
"""

from collections import Counter
from dataclasses import dataclass

from spitnet.net.intake import CHECK_S, OPPONENT_BYTES, SILENT_S, STRANGER_BYTES, Intake

MOST_STRANGERS = 64
"""Connections without a seat at a time; beyond, the oldest of the address that has most is ended."""


@dataclass(slots=True)
class _Connection:
    """`key`: whose frames came by it; None: no frame came yet."""

    intake: Intake
    key: bytes | None = None
    ending: bool = False

    def end(self) -> None:
        self.intake.cut()
        self.ending = True


class Connections:
    """Told what happens to connections, by descriptor. `seated` is the key that has the seat, if one has."""

    def __init__(self) -> None:
        self.seated: bytes | None = None
        self.check_at_s = 0.0
        """When `check` is due."""
        self._all: dict[int, _Connection] = {}

    def __len__(self) -> int:
        return len(self._all)

    def __contains__(self, descriptor: int) -> bool:
        return descriptor in self._all

    def opened(self, descriptor: int, now_s: float) -> None:
        """A connection was accepted."""
        self._all[descriptor] = _Connection(Intake(descriptor, now_s))
        strangers = self._strangers()
        if len(strangers) > MOST_STRANGERS:
            counts = Counter(one.intake.address for one in strangers)
            next(
                one for one in strangers if counts[one.intake.address] == max(counts.values())
            ).end()

    def closed(self, descriptor: int) -> bytes | None:
        """A connection ended; the key whose last one it was, if it was one's last."""
        ended = self._all.pop(descriptor, None)
        return ended.key if ended is not None and not self._stands(ended.key) else None

    def frame(self, descriptor: int, key: bytes) -> bool:
        """A whole frame came; whether it is the first of a key that no other connection is known of."""
        connection = self._all.get(descriptor)
        if connection is None:
            return False
        connection.intake.frame()
        if connection.key == key:
            return False
        news = not self._stands(key)
        connection.key = key
        return news

    def malformed(self, descriptor: int) -> None:
        """A message came that is none of ours; who has no seat is not heard any further by this connection."""
        connection = self._all.get(descriptor)
        if connection is not None and not self._has_seat(connection):
            connection.end()

    def check(self, now_s: float) -> bool:
        """End what is to be ended; whether a connection of the one who has the seat was among it."""
        self.check_at_s = now_s + CHECK_S
        stuffed = False
        for one in self._all.values():
            seated = self._has_seat(one)
            stuffs = one.intake.stuffs(OPPONENT_BYTES if seated else STRANGER_BYTES, now_s)
            if one.ending or not (stuffs or (not seated and self._unwelcome(one, now_s))):
                continue
            one.end()
            stuffed = stuffed or seated
        return stuffed

    def _unwelcome(self, stranger: _Connection, now_s: float) -> bool:
        taken = self.seated is not None and stranger.key is not None
        return taken or now_s > stranger.intake.heard_s + SILENT_S

    def _has_seat(self, connection: _Connection) -> bool:
        return self.seated is not None and connection.key == self.seated

    def _strangers(self) -> list[_Connection]:
        """Those that have no seat, the oldest first."""
        return [one for one in self._all.values() if not (one.ending or self._has_seat(one))]

    def _stands(self, key: bytes | None) -> bool:
        return key is None or any(one.key == key for one in self._all.values())
