"""How the 32 random bytes of a beat become a coin, cards and a pause.

Deterministic: the bytes come from both peers, and each use has a hash domain of its own, so that
no result tells anything about another. Which card is drawn when is for `table` to say.

Source: WIRE.md, section 7.
"""

from hashlib import sha256
from itertools import count
from typing import Final

from msgspec import Struct

from spitnet.core.cards import Seat

PAUSE_MIN_MS: Final = 500
PAUSE_MAX_MS: Final = 2000

_ORDER: Final = b"spitnet/1 order"
_DRAWS: Final = (b"spitnet/1 draw 0", b"spitnet/1 draw 1")
_PAUSE: Final = b"spitnet/1 pause"
_WORD_SIZE: Final = 4


class Draws:
    """One seat's stream of draws in one beat: the bytes of its blocks, taken in order."""

    __slots__ = ("_block", "_bytes", "_head")

    def __init__(self, head: bytes) -> None:
        self._head = head
        self._block = 0
        self._bytes = iter(_block(head, 0))

    def index(self, below: int) -> int:
        """A uniform number in 0..below-1; `below` is 1..256.

        A byte in the last, incomplete run of `below` values is thrown away: no modulo bias.
        """
        bound = 256 - 256 % below
        while True:
            for byte in self._bytes:  # goes on after the last byte that was taken
                if byte < bound:
                    return byte % below
            self._block += 1
            self._bytes = iter(_block(self._head, self._block))


class Randomness(Struct, frozen=True):
    """The 32 bytes of a beat, R, and what they decide."""

    value: bytes

    @property
    def first(self) -> Seat:
        """The seat whose move is applied first: a fair coin. Source: R10, C4."""
        return sha256(_ORDER + self.value).digest()[0] & 1

    def draws(self, seat: Seat) -> Draws:
        """The seat's stream of draws, from its start. Source: R4, C5."""
        return Draws(_DRAWS[seat] + self.value)

    @property
    def pause_ms(self) -> int:
        """How long the game waits before it says spit: uniform in 500..2000. Source: R7."""
        width = PAUSE_MAX_MS - PAUSE_MIN_MS + 1
        bound = 2**32 - 2**32 % width
        blocks = (_block(_PAUSE + self.value, number) for number in count())
        words = (int.from_bytes(block[:_WORD_SIZE], "big") for block in blocks)
        return PAUSE_MIN_MS + next(word for word in words if word < bound) % width


def _block(head: bytes, number: int) -> bytes:
    """Block `number`, from 0, of the stream that a head names: SHA-256(head, number as u32)."""
    return sha256(head + number.to_bytes(_WORD_SIZE, "big")).digest()
