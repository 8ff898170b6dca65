"""After a match: one more, if both ask for it, on the same link and at the same seats (R21).

Each side's REMATCH holds a fresh nonce; both nonces and the finished session make the next session's id. Sans-IO,
times in seconds of the caller's monotonic clock.
"""

from spitnet.core.cards import Seat
from spitnet.protocol.binding import rematch_id
from spitnet.protocol.fields import NONCE_BYTES
from spitnet.protocol.lockstep import Entropy
from spitnet.protocol.messages import Bye, Farewell, Malformed, Rematch, decode

REPEAT_S = 1.0


class RematchTalk:
    """One side of the agreement. `agreed` is the next session's id once both have asked."""

    def __init__(self, session: bytes, seat: Seat, entropy: Entropy) -> None:
        self._theirs: bytes | None = None
        self._seat = seat
        self._repeat_at_s: float | None = None
        self.mine = Rematch(session, entropy(NONCE_BYTES))
        self.asked = False
        self.peer_left = False

    @property
    def peer_asked(self) -> bool:
        return self._theirs is not None

    @property
    def nonces(self) -> tuple[bytes, bytes] | None:
        """Both nonces in seat order, once both have asked; the journal keeps them."""
        if not self.asked or self._theirs is None:
            return None
        mine = self.mine.nonce
        return (self._theirs, mine) if self._seat else (mine, self._theirs)

    @property
    def agreed(self) -> bytes | None:
        nonces = self.nonces
        return None if nonces is None else rematch_id(self.mine.session, nonces)

    def ask(self, now_s: float) -> Rematch:
        """This side wants it: the message to send now."""
        self.asked = True
        self._repeat_at_s = now_s + REPEAT_S
        return self.mine

    def receive(self, frame: bytes) -> None:
        """A frame of the peer's after the match. The first nonce counts; whatever else it holds is ignored."""
        try:
            message = decode(frame)
        except Malformed:
            return
        match message:
            case Rematch(session, nonce) if session == self.mine.session:
                self._theirs = self._theirs or nonce
            case Bye(session, _, farewell) if session == self.mine.session:
                self.peer_left = self.peer_left or farewell is not Farewell.OVER

    def poll(self, now_s: float) -> Rematch | None:
        """The message again, if it is time."""
        if self._repeat_at_s is None or now_s < self._repeat_at_s or self.agreed is not None:
            return None
        return self.ask(now_s)

    def next_deadline_s(self) -> float | None:
        return None if self.agreed is not None else self._repeat_at_s
