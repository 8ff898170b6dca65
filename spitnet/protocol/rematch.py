"""After a match: one more, if both ask for it, on the same link and at the same seats (R21), or somebody leaves.

Each side's REMATCH holds a fresh nonce; both nonces and the finished session make the next session's id. The talk hears
all that the link brings from the match's beginning, so that nothing is lost that comes while the match still ends.
What must not be here: when the match has ended (session.py). Sans-IO, times in seconds of the caller's monotonic clock.
"""

from enum import Enum, auto
from math import inf

from spitnet.core.cards import Seat
from spitnet.protocol.binding import rematch_id
from spitnet.protocol.fields import NONCE_BYTES, Entropy
from spitnet.protocol.messages import Bye, Farewell, Hello, InMatch, Message, OtherVersion, Rematch

REPEAT_S = 1.0
"""How often a side asks again."""
ANSWER_S = 0.5
"""How long who has begun the next match waits before it says again that it had asked. Two of them would answer each other
without end, as long as nothing else comes through.
"""


class Prospect(Enum):
    """What stands in the way of another match, as one side sees it."""

    NONE = auto()
    """Nobody has asked."""
    ASKED = auto()
    """This side wants it and waits for the other."""
    OFFERED = auto()
    """The other wants it."""
    AWAY = auto()
    """The other can't be reached now."""
    LEFT = auto()
    """The other has said goodbye, or begun anew."""


class RematchTalk:
    """One side of the agreement. `agreed` is the next session's id once both have asked.

    `mine` is this side's REMATCH, from its first asking on.
    """

    def __init__(self, session: bytes, seat: Seat, entropy: Entropy) -> None:
        self._session = session
        self._seat = seat
        self.entropy = entropy
        self._theirs: bytes | None = None
        self._connected = True
        self._left = False
        self.repeat_at_s = inf
        self.mine: Rematch | None = None

    @property
    def prospect(self) -> Prospect:
        if self._left:
            return Prospect.LEFT
        if not self._connected:
            return Prospect.AWAY
        if self.mine is not None:
            return Prospect.ASKED
        return Prospect.NONE if self._theirs is None else Prospect.OFFERED

    @property
    def nonces(self) -> tuple[bytes, bytes] | None:
        """Both nonces in seat order, once both have asked and while both are there; the journal keeps them."""
        here = self._connected and not self._left
        if self.mine is None or self._theirs is None or not here:
            return None
        mine = self.mine.nonce
        return (self._theirs, mine) if self._seat else (mine, self._theirs)

    @property
    def agreed(self) -> bytes | None:
        nonces = self.nonces
        return None if nonces is None else rematch_id(self._session, nonces)

    def ask(self) -> None:
        """This side wants it; of one who has left it wants nothing."""
        if self.mine is None and not self._left:
            self.mine = Rematch(self._session, self.entropy(NONCE_BYTES))
            self.repeat_at_s = -inf

    def up(self) -> None:
        """The link is back: what was said may be lost."""
        self._connected = True
        if self.mine is not None:
            self.repeat_at_s = -inf

    def down(self) -> None:
        """The link has ended: the other may have left, or may come back."""
        self._connected = False

    def take(self, message: Message | OtherVersion) -> None:
        """A frame of the peer's. Its first nonce counts. Whoever says anything else than goodbye is there."""
        match message:
            case Hello():
                self._left = True  # it wants to sit down anew
            case InMatch(session=session) if session != self._session:
                return
            case Bye(farewell=farewell) if farewell is not Farewell.OVER:
                self._left = True
            case InMatch():
                self._left, self._connected = False, True
        if isinstance(message, Rematch):
            self._theirs = self._theirs or message.nonce

    def due(self, now_s: float) -> Rematch | None:
        """The message to send now, if it is time."""
        if self.mine is None or now_s < self.repeat_at_s:
            return None
        self.repeat_at_s = now_s + REPEAT_S
        return self.mine

    def next_deadline_s(self) -> float | None:
        return None if self.mine is None else self.repeat_at_s
