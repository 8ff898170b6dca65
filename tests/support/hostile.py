"""A peer that may cheat: it keeps the whole protocol by itself until a test makes it tell a lie.

Built on the second implementation of WIRE.md and on sockets of its own, with nothing of spitnet's code. What must not
be here: the lies (tests/hostile), the transport (hostile_ends.py).
"""

import os
import time
from collections.abc import Callable
from enum import IntEnum
from typing import Any, NamedTuple

import msgpack
from support import second
from support.hostile_ends import PATIENCE_S, HostEnd, JoinerEnd, packed

NO_MOVE = second.uint(0xFF, 1)
PASS, DEAL, READY, SPIT, CONCEDE = (second.uint(number, 1) for number in (0, 1, 2, 3, 6))
SETTINGS = (1, "auto", "said", 5)
"""Of a table that a hostile host opens: one game, the shortest grace period."""
_FRAMES_MOST = 4000
"""So many frames are kept."""

Frame = list[Any]
"""The kind, then its fields; bytes are bytes."""


class Kind(IntEnum):
    """The first field of a frame. Source: WIRE.md, section 4."""

    HELLO = 1
    WELCOME = 2
    ACCEPT = 3
    START = 4
    REFUSE = 5
    COMMIT = 10
    REVEAL = 11
    RESUME = 12
    PING = 13
    PONG = 14
    BYE = 15
    REMATCH = 16


_HEAD = ("session", "beat", "seat", "chain", "digest")
FIELDS: dict[Kind, tuple[str, ...]] = {
    Kind.COMMIT: (*_HEAD, "commitment"),
    Kind.REVEAL: (*_HEAD, "opening"),
    Kind.RESUME: (
        *("session", "seat", "resume_id", "answers", "beat", "chain", "digest"),
        *("last", "commit", "reveal", "held"),
    ),
    Kind.PING: ("session", "token", "beat", "proposed"),
    Kind.PONG: ("session", "token", "beat", "proposed"),
    Kind.BYE: ("session", "beat", "farewell", "word"),
    Kind.REMATCH: ("session", "nonce"),
}
"""The names of the fields that a lie can be told in."""


def random(size: int = 32) -> bytes:
    """Fresh bytes: a nonce, an id, a hash of nothing."""
    return os.urandom(size)


class Past(NamedTuple):
    """The last complete beat: what was before it, and what both contributed."""

    chain: bytes
    digest: bytes
    mine: tuple[bytes, bytes]
    theirs: tuple[bytes, bytes]


class Hostile:
    """Keeps the protocol by itself, but for what a test makes it say, and for the kinds that it is `deaf_to`.

    Those are heard and kept like all others, but the answer is the test's. Whatever the other side sends must be a
    frame, and of this match.
    """

    def __init__(self, end: JoinerEnd | HostEnd) -> None:
        self.end = end
        self.seat = end.seat
        self.deaf_to: set[Kind] = set()
        self.settings = SETTINGS
        self.heard: list[Frame] = []
        self.sent: list[bytes] = []
        self.said: Frame = []
        """The BYE that ended it."""
        self.session = self.chain = b""
        self.chains: list[bytes] = []
        """The chain after each beat."""
        self.game = second.Game(list(SETTINGS))
        self.beat = 0
        self.mine: tuple[bytes, bytes] | None = None
        self.committed: bytes | None = None
        self.theirs: bytes | None = None
        self.past: Past | None = None

    # What it says.

    def raw(self, *parts: bytes) -> None:
        """A message of any shape."""
        self.sent.append(parts[0])
        self.end.send(*parts)

    def tell(self, kind: Kind, **lies: Any) -> None:
        """A frame as an honest peer would send it now, but for these fields."""
        self.raw(self.frame(kind, **lies))

    def frame(self, kind: Kind, **lies: Any) -> bytes:
        """Its bytes."""
        assert lies.keys() <= set(FIELDS[kind]), lies
        fields = self._truth(kind) | lies
        return packed(kind, *(fields[name] for name in FIELDS[kind]))

    def commit(self, move: bytes, **lies: Any) -> None:
        """Proposes that move, legal or not."""
        self.bind(move)
        self.tell(Kind.COMMIT, **lies)

    def bind(self, move: bytes) -> None:
        """Decides on that move, without saying so."""
        self.mine = (move, random())
        self.committed = self.bound(self.mine)

    def bound(self, opening: tuple[bytes, bytes]) -> bytes:
        """This seat's commitment to an opening of the open beat."""
        head = (self.session, self.beat + 1, self.seat, self.chain, self.game.digest)
        return second.bound(*head, opening)

    def reveal(self, **lies: Any) -> None:
        self.tell(Kind.REVEAL, **lies)

    def answer_pass(self) -> None:
        """The answer to a COMMIT that none of its own had crossed."""
        self.mine = (PASS, random())
        self.reveal()

    def answer_resume(self, ask: Frame, **lies: Any) -> None:
        """The answer to a RESUME that asked, but for these fields."""
        self.tell(Kind.RESUME, **({"answers": ask[3]} | lies))

    def play(self, move: bytes) -> None:
        """A whole beat of its own, by the rules, once the one under way is over."""
        self.until(lambda: self.mine is None)
        beat = self.beat + 1
        self.commit(move)
        self.until(lambda: self.beat == beat)

    def any_move(self) -> bytes:
        """Some move that is legal now."""
        move = self.legal_move()
        assert move is not None, "nothing is legal"
        return move

    def legal_move(self) -> bytes | None:
        """Some move that is legal now; None between two games, once this side is ready and the other isn't."""
        plays = (bytes((4, card, pile, size)) for card, pile, size in self._aims())
        for move in (DEAL, READY, SPIT, *plays, CONCEDE):
            if self.game.legal(self.seat, second.move_of(move) or []):
                return move
        return None

    def _aims(self) -> list[tuple[int, int, int]]:
        if not self.game.playing:
            return []
        sizes = [len(pile) for pile in self.game.piles]
        held = [card for card in self.game.layouts[self.seat] if card is not None]
        return [(card, pile, size) for card in held for pile, size in enumerate(sizes)]

    def _truth(self, kind: Kind) -> dict[str, Any]:
        """Every field as it is."""
        ahead = kind in (Kind.COMMIT, Kind.REVEAL)
        passed = self.mine is not None and self.theirs is not None
        return {
            "session": self.session,
            "beat": self.beat + ahead,
            "seat": self.seat,
            "chain": self.chain,
            "digest": self.game.digest,
            "commitment": self.committed,
            "opening": self.mine,
            "resume_id": None,
            "answers": None,
            "last": None if self.past is None else self.past.mine,
            "commit": self.committed,
            "reveal": self.mine if passed else None,
            "held": self.theirs,
            "token": 1,
            "proposed": self.committed is not None,
            "farewell": "over",
            "word": "",
            "nonce": random(),
        }

    # What it hears.

    def hear(self, kind: Kind) -> Frame:
        """The next frame of that kind; all until then are answered as ever."""
        return self.hear_where(lambda frame: frame[0] is kind, kind.name)

    def hear_where(self, wanted: Callable[[Frame], object], what: str) -> Frame:
        end_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < end_s:
            frame = self.step()
            if frame is not None and wanted(frame):
                return frame
        raise AssertionError(f"no {what} after {self.heard[-5:]}")

    def until(self, reached: Callable[[], object]) -> None:
        """Takes part until that is so."""
        end_s = time.monotonic() + PATIENCE_S
        while not reached():
            assert time.monotonic() < end_s, f"it hangs after {self.heard[-5:]}"
            self.step()

    def listen(self, seconds: float) -> None:
        """Takes part for so long, and says nothing of its own."""
        end_s = time.monotonic() + seconds
        while (left_s := end_s - time.monotonic()) > 0:
            self.step(min(left_s, 0.1))

    def catch_up(self, token: int) -> None:
        """Waits until the other side has read all that was sent, or has ended the match.

        It answers this PING after everything before; the answer may be lost where there was more than it sends at once.
        """
        answered = False
        self.tell(Kind.PING, token=token)
        end_s = time.monotonic() + PATIENCE_S
        while not answered and not self.said:
            assert time.monotonic() < end_s, f"no PONG after {self.heard[-5:]}"
            frame = self.step()
            if frame is None:
                self.tell(Kind.PING, token=token)
            answered = frame is not None and frame[0] is Kind.PONG and frame[2] == token

    def step(self, within_s: float = 0.1) -> Frame | None:
        """One frame, if one comes: kept, and answered."""
        data = self.end.receive(within_s)
        if data is None:
            return None
        assert second.fields_of(data) is not None, data.hex()
        frame: Frame = msgpack.unpackb(data)
        frame[0] = Kind(frame[0])
        self.heard = [*self.heard[-_FRAMES_MOST:], frame]
        if frame[0] >= Kind.COMMIT:
            assert frame[1] == self.session, "a frame of another match"
        if frame[0] not in self.deaf_to:
            self._react(frame)
        return frame

    def count(self, kind: Kind) -> int:
        """How many frames of that kind came."""
        return sum(frame[0] is kind for frame in self.heard)

    def _react(self, frame: Frame) -> None:
        match frame:
            case [Kind.PING, _, token, *_]:
                self.tell(Kind.PONG, token=token)
            case [Kind.COMMIT, _, beat, _, _, _, commitment] if beat == self.beat + 1:
                self.take_commit(commitment)
            case [Kind.REVEAL, _, beat, _, _, _, opening] if beat == self.beat + 1:
                self.take_reveal(opening)
            case [Kind.RESUME, *_]:
                self._take_resume(frame)
            case [Kind.BYE, _, _, "over", _]:
                self.tell(Kind.BYE)
                self.said = frame
            case [Kind.BYE, *_]:
                self.said = frame

    def take_commit(self, commitment: bytes) -> None:
        """As it should."""
        if self.theirs is None:
            self.theirs = commitment
            if self.mine is None:
                self.mine = (PASS, random())
            self.reveal()

    def take_reveal(self, opening: Frame) -> None:
        """As it should; the opening must fit, and complete the beat."""
        theirs = (bytes(opening[0]), bytes(opening[1]))
        mine, digest, chain = self.mine, self.game.digest, self.chain
        assert mine is not None
        if self.theirs is None:
            assert theirs[0] == PASS
            self.reveal()
        else:
            head = (self.session, self.beat + 1, 1 - self.seat, chain, digest)
            assert second.bound(*head, theirs) == self.theirs
        openings = [mine, theirs] if self.seat == 0 else [theirs, mine]
        self.beat += 1
        self.chain = second.chained(chain, self.beat, openings)
        self.game.apply([second.move_of(move) or [] for move, _ in openings], self.chain)
        self.past = Past(chain, digest, mine, theirs)
        self.chains.append(self.chain)
        self.mine = self.committed = self.theirs = None

    def _take_resume(self, frame: Frame) -> None:
        _, _, _, resume_id, _, beat, _, _, last, commit, reveal, _ = frame
        if beat == self.beat + 1 and last is not None:
            self.take_reveal(last)
        if beat == self.beat and commit is not None:
            self.take_commit(commit)
        if beat == self.beat and reveal is not None and self.mine is not None:
            self.take_reveal(reveal)
        if resume_id is not None:
            self.answer_resume(frame)

    # Sitting down.

    def sit_down(
        self, hello: bytes | None = None, before_start: Callable[[], None] = lambda: None
    ) -> None:
        """The handshake; a joiner's HELLO may be an old one, a host may do something before its START."""
        if isinstance(self.end, JoinerEnd):
            self._knock(hello)
        else:
            self._welcome(before_start)

    def sit_down_at_nothing(self) -> None:
        """For frames of a match that there is not."""
        self._begin((random(), random()), b"", b"", list(SETTINGS))

    def _knock(self, hello: bytes | None) -> None:
        hello = hello or packed(Kind.HELLO, 1, random(), "Mallory", b"")
        self.raw(hello)
        welcome = self._greeting(Kind.WELCOME)
        settings = msgpack.unpackb(welcome)[4]
        self._begin((self.end.peer_key, self.end.keys.public), hello, welcome, settings)
        self.raw(packed(Kind.ACCEPT, self.session, b""))
        self._greeting(Kind.START)

    def _welcome(self, before_start: Callable[[], None]) -> None:
        hello = self._greeting(Kind.HELLO)
        welcome = packed(Kind.WELCOME, 1, random(), "Mallory", self.settings, b"")
        self._begin((self.end.keys.public, self.end.peer_key), hello, welcome, list(self.settings))
        self.raw(welcome)
        self._greeting(Kind.ACCEPT)
        before_start()
        self.raw(packed(Kind.START, self.session, b""))

    def _greeting(self, kind: Kind) -> bytes:
        end_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < end_s:
            data = self.end.receive(0.1)
            if data is not None and data[1] == kind:
                return data
        raise AssertionError(f"no {kind.name}")

    def _begin(
        self, keys: tuple[bytes, bytes], hello: bytes, welcome: bytes, settings: list[Any]
    ) -> None:
        self.session = self.chain = second.session_of(list(keys), hello, welcome)
        self.game = second.Game(settings)
        self.chains = [self.chain]
        self.beat = 0
        self.mine = self.committed = self.theirs = self.past = None
