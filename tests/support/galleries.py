"""A host that shows records of the test's choosing to those who look on: the program's own gallery, and a table around it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import zmq
from support.at_work import announcing
from support.waiting import step

from spitnet.app.spectate.launcher import SpectatorPort, gallery
from spitnet.journal.file_format import NO_CHECK, Entry, Opened, encode
from spitnet.net.announcer import Announcer
from spitnet.net.beacon import Announcement, TableState
from spitnet.net.join_link import JoinLink
from spitnet.net.link import KeyPair, Received, Up, new_keypair
from spitnet.protocol import VERSION

HERE = "127.0.0.1"


@contextmanager
def table_with_gallery(keys: KeyPair, port: int, discovery_port: int) -> Iterator[SpectatorPort]:
    """A table in play that says that it may be watched; `port` is a free one of UDP, for its door."""
    with gallery(keys, HERE, port, quiet=False) as seats:
        table = Announcement(VERSION, bytes(16), port, keys.public, "Ana", TableState.OPEN, 0)
        announcer = Announcer(table, monotonic(), only="lo", discovery_port=discovery_port)
        announcer.set_playing()
        announcer.set_watchable(seats.port)
        with announcing(announcer):
            yield seats


@contextmanager
def calling(key: bytes, session: bytes, port: int, discovery_port: int) -> Iterator[None]:
    """A host that calls the joiner it has lost; `port` is a free one of UDP, for its door."""
    table = Announcement(VERSION, bytes(16), port, key, "Ana", TableState.OPEN, 0)
    announcer = Announcer(table, monotonic(), only="lo", discovery_port=discovery_port)
    announcer.announce_lost(session, monotonic())
    with announcing(announcer):
        yield


def record_of(entries: list[Entry]) -> bytes:
    """A record whose every check is right, whatever the entries say."""
    parts, check = [], NO_CHECK
    for entry in entries:
        part, check = encode(entry, check)
        parts.append(part)
    return b"".join(parts)


def saved(directory: Path, entries: list[Entry]) -> Path:
    assert isinstance(entries[0], Opened)
    path = directory / f"{len(list(directory.iterdir()))}.spit"
    path.write_bytes(record_of(entries))
    return path


@dataclass
class Onlooker:
    """Somebody at the other end of a gallery's link who can say anything."""

    context: "zmq.Context[zmq.Socket[bytes]]"
    key: bytes
    port: int
    address: str = HERE

    def __post_init__(self) -> None:
        own = new_keypair()
        self.link = JoinLink(self.context, own, self.key, HERE, self.port, self.address)
        self.up = False
        self.heard: list[bytes] = []

    def step(self, now_s: float) -> None:
        for event in self.link.events(now_s):
            match event:
                case Up():
                    self.up = True
                case Received(_, frame):
                    self.heard.append(frame)

    def until(self, reached: Callable[[], object], within_s: float = 10.0) -> None:
        """Raises AssertionError: it takes too long."""
        end_s = monotonic() + within_s
        while not reached():
            assert monotonic() < end_s, f"not within {within_s} s"
            step({self.link: self.step})
