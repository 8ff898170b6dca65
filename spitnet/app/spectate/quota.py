"""Those who look on at a table: how many there may be, what each has asked for, and how much they get. Pure.

What belongs here: seats, questions, bounds. What must not: sockets, and the records that the questions are about.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from spitnet.protocol import VERSION
from spitnet.protocol.limits import Rate, SharedAllowance
from spitnet.protocol.messages import Malformed, Refuse
from spitnet.protocol.spectator import Watch, busy, decode, other_version

MOST = 32
"""So many may look on."""
MOST_OF_ONE_ADDRESS = 8
"""One machine alone can't take all the seats."""
SILENT_S = 10.0
"""Whoever asks nothing for so long has left; who waits asks again every two seconds."""
# Pieces of 4 kB. A match of three games has about 50; all together they take 5 Mbit/s at the most.
_EACH = Rate(64, 40)
_TOGETHER = Rate(256, 150)


@dataclass(slots=True)
class _Seat:
    address: str
    heard_s: float
    question: Watch | None


class Spectators:
    """Told what comes; a question stays until it is answered or asked anew. Keys are those that CURVE has proved."""

    def __init__(self) -> None:
        self._seats: dict[bytes, _Seat] = {}
        self._allowance = SharedAllowance(_EACH, _TOGETHER)

    def __len__(self) -> int:
        return len(self._seats)

    @property
    def waits(self) -> bool:
        """Whether a question isn't answered yet."""
        return any(seat.question is not None for seat in self._seats.values())

    @property
    def all_wait(self) -> bool:
        """Whether each has a question that isn't answered yet: whatever was sent has arrived."""
        return all(seat.question is not None for seat in self._seats.values())

    def hear(self, key: bytes, address: str, frame: bytes, now_s: float) -> Refuse | None:
        """Takes in what somebody says; what to say at once, if there is something. Rubbish is passed over."""
        try:
            asked = decode(frame)
        except Malformed:
            return None
        if not isinstance(asked, Watch):
            return None
        if asked.version != VERSION:
            return other_version()
        seat = self._seats.get(key) or self._seat(key, address, now_s)
        if seat is None:
            return busy()
        seat.heard_s, seat.question = now_s, asked
        return None

    def left(self, key: bytes) -> None:
        """Its connection has ended."""
        self._seats.pop(key, None)

    def questions(self, now_s: float) -> Iterator[tuple[bytes, Watch]]:
        """What is asked, of each the last; first of those who were answered longest ago."""
        self._seats = {
            key: seat for key, seat in self._seats.items() if now_s < seat.heard_s + SILENT_S
        }
        for key, seat in list(self._seats.items()):
            if seat.question is not None:
                yield key, seat.question

    def may_have(self, key: bytes, now_s: float) -> bool:
        """Takes its share of what can be sent now; False: later."""
        return self._allowance.take(self._seats[key].address, now_s)

    def answered(self, key: bytes) -> None:
        """It has got what it asked for, and stands last in the line."""
        seat = self._seats.pop(key)
        seat.question = None
        self._seats[key] = seat

    def _seat(self, key: bytes, address: str, now_s: float) -> _Seat | None:
        """A new seat, if there is one. Who fell silent has none any more."""
        self._seats = {
            one: seat for one, seat in self._seats.items() if now_s < seat.heard_s + SILENT_S
        }
        taken = Counter(seat.address for seat in self._seats.values())
        if taken.total() >= MOST or taken[address] >= MOST_OF_ONE_ADDRESS:
            return None
        seat = self._seats[key] = _Seat(address, now_s, None)
        return seat
