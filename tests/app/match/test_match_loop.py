"""The loop of a match: what its player wants by now counts before a frame that ends a stop, and takes nobody's place."""

import os
from collections import deque
from pathlib import Path

import pytest
from support.matches import recorded

from spitnet.app.match.match_loop import MatchLoop
from spitnet.core.moves import Concede, Deal, Move, Moves, Ready
from spitnet.core.state import Match, Settings
from spitnet.journal.file_format import Opened, entries
from spitnet.journal.store import Journal
from spitnet.net.link import LinkEvent, Received, Up
from spitnet.protocol.lockstep import Send
from spitnet.protocol.messages import Resume, decode, encode
from spitnet.protocol.notices import Completed, Notice
from spitnet.protocol.session import Session


def opened() -> Opened:
    """How a record begins."""
    first, _, _ = next(entries(recorded()[0]))
    assert isinstance(first, Opened)
    return first


OPENED = opened()


class Nothing:
    """A part of a match that has no socket, no deadline, and nothing to say."""

    sockets: tuple[object, ...] = ()

    def next_deadline_s(self) -> float | None:
        return None

    def step(self, now_s: float) -> None:
        pass

    def tell(self, notice: Notice, now_s: float) -> None:
        pass

    def close(self) -> None:
        pass


class Nobody:
    """Acts by no clock."""

    due_s: float | None = None

    def look(self, match: Match, busy: bool, now_s: float) -> None:
        pass

    def act(self, match: Match, now_s: float) -> Move | None:
        return None


class Told:
    """All that was told."""

    def __init__(self) -> None:
        self.moves: list[Moves] = []

    def tell(self, notice: Notice, session: Session) -> None:
        if isinstance(notice, Completed):
            self.moves.append(notice.moves)


class Keys(Nothing):
    """Whoever sits there: what was pressed waits here until it is asked for, and they leave after so many beats."""

    def __init__(self, session: Session, until_beat: int) -> None:
        self.pressed: deque[Move] = deque()
        self._session, self._until_beat = session, until_beat

    @property
    def wants_out(self) -> bool:
        return self._session.beat >= self._until_beat

    def carry_out(self, session: Session, now_s: float) -> None:
        while self.pressed:
            session.propose(self.pressed.popleft(), now_s)


class FakeLink:
    """To a peer in this process. As its RESUME comes that ends the stop, a key is pressed here."""

    sockets: tuple[object, ...] = ()

    round_trip_s: float | None = None

    def __init__(self, peer: Session, keys: Keys, key: Move) -> None:
        self.coming: deque[LinkEvent] = deque([Up(b"")])
        self._peer, self._keys, self._key = peer, keys, key

    def next_deadline_s(self) -> float | None:
        return None

    def has_frame(self) -> bool:
        return bool(self.coming)

    def events(self, now_s: float, most: int = 64) -> list[LinkEvent]:
        return [self.coming.popleft()] if self.coming else []

    def send(self, frame: bytes, wait_ms: int = 0) -> bool:
        self._peer.receive(frame, 0.0)
        for effect in self._peer.take_effects():
            if isinstance(effect, Send):
                self.coming.append(Received(b"", encode(effect.message)))
        if isinstance(decode(frame), Resume):
            self._keys.pressed.append(self._key)
        return True

    def close(self, linger_ms: int) -> None:
        pass


def pair(settings: Settings | None = None) -> tuple[Session, Session]:
    """Two sessions of a game that has been dealt."""
    host, joiner = (
        Session(seat, OPENED.session, settings or Settings(), os.urandom, 0.0) for seat in (0, 1)
    )
    play(host, joiner, Deal())
    return host, joiner


def play(one: Session, two: Session, move: Move) -> None:
    one.propose(move, 0.0)
    for _ in range(3):
        for sender, receiver in ((one, two), (two, one)):
            for effect in sender.take_effects():
                if isinstance(effect, Send):
                    receiver.receive(encode(effect.message), 0.0)


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal.create(tmp_path, OPENED, sync=False)


def playing(host: Session, joiner: Session, journal: Journal, key: Move = Ready()) -> MatchLoop:  # noqa: B008 - frozen
    """The host's side of it; the key is pressed as the stop ends."""
    keys = Keys(host, until_beat=2)
    return MatchLoop(
        session=host,
        link=FakeLink(joiner, keys, key),
        journal=journal,
        player=Nobody(),
        watcher=Told(),
        companion=Nothing(),
        orders=keys,
        claims=False,
    )


def test_a_key_counts_that_was_pressed_as_the_thaw_came(journal: Journal) -> None:
    """C3: both wait in this process, the key and the RESUME with the peer's COMMIT; the key is taken up first."""
    host, joiner = pair()
    joiner.propose(Concede(), 0.0)
    joiner.take_effects()  # its COMMIT is lost
    match = playing(host, joiner, journal)
    with journal:
        match.run()
    assert isinstance(match.watcher, Told)
    assert match.watcher.moves[-1] == (Ready(), Concede())
