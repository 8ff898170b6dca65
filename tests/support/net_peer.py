"""A program for namespaces: one end of discovery and link, in the loop that the game has, telling what it sees as JSON.

    net_peer.py host OPTIONS     a table that answers each frame with "re:" and the frame
    net_peer.py join OPTIONS     finds a table (or asks one), connects, sends a frame ten times a second
    net_peer.py list OPTIONS     tells the list of tables whenever it changes

OPTIONS is a JSON object: only, name, version, ask, port. A word on standard input: playing, open, lost, seat, quit.
"""

import json
import math
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import zmq

from spitnet.net.announcer import Announcer
from spitnet.net.beacon import Announcement, TableState
from spitnet.net.finder import Finder
from spitnet.net.host_link import HostLink
from spitnet.net.interfaces import address_of
from spitnet.net.join_link import JoinLink
from spitnet.net.link import Down, LinkEvent, Received, Refused, Up, new_keypair
from spitnet.net.tables import Table
from spitnet.protocol import DISCOVERY_PORT

SESSION = bytes(range(32))
_BEAT_S = 0.1


def main() -> None:
    role, options = sys.argv[1], json.loads(sys.argv[2])
    {"host": Host, "join": Joiner, "list": Lister}[role](options).run()


class Peer:
    """The loop."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options
        self.only: str | None = options.get("only")
        self.version: int = options.get("version", 1)
        self.parties: list[Any] = []
        self.next_s: float | None = None
        self.words: dict[str, Callable[[], None]] = {}

    def run(self) -> None:
        word = ""
        while word != "quit":
            poller = zmq.Poller()
            poller.register(sys.stdin, zmq.POLLIN)
            deadlines = [party.next_deadline_s() for party in self.parties] + [self.next_s]
            for party in self.parties:
                for socket in party.sockets:
                    poller.register(socket, zmq.POLLIN)
            wait_s = min((at for at in deadlines if at is not None), default=time.monotonic() + 1)
            ready = poller.poll(math.ceil(max(0.0, wait_s - time.monotonic()) * 1000))
            if any(socket == sys.stdin.fileno() for socket, _ in ready):
                word = sys.stdin.readline().strip()
                self.words.get(word, lambda: None)()
            self.act(time.monotonic())
        for party in self.parties:
            party.close()

    def act(self, now_s: float) -> None:
        raise NotImplementedError


class Host(Peer):
    def __init__(self, options: dict[str, Any]) -> None:
        super().__init__(options)
        pair = new_keypair()
        self.link = HostLink(zmq.Context(), pair, address_of(self.only), options.get("port"))
        self.last_key = b""
        name, instance = options.get("name", "table"), pair.public[:16]
        table = Announcement(
            self.version, instance, self.link.port, pair.public, name, TableState.OPEN, 0
        )
        port = options.get("discovery_port", DISCOVERY_PORT)
        self.announcer = Announcer(table, time.monotonic(), only=self.only, discovery_port=port)
        self.parties = [self.link, self.announcer]
        self.words = {
            "playing": self.announcer.set_playing,
            "lost": lambda: self.announcer.announce_lost(SESSION, time.monotonic()),
            "seat": lambda: self.link.seat(self.last_key),
        }
        held = self.announcer.well_known_port_held
        say("hosting", port=self.link.port, key=pair.public.hex(), held=held)

    def act(self, now_s: float) -> None:
        self.announcer.poll(now_s)
        self.announcer.drain(now_s)
        for event in self.link.events(now_s):
            match event:
                case Received(key, frame):
                    self.last_key = key
                    self.link.send(key, b"re:" + frame)
                case _:
                    say_event(event)


class Lister(Peer):
    def __init__(self, options: dict[str, Any]) -> None:
        super().__init__(options)
        now_s = time.monotonic()
        asked = options.get("ask")
        self.finder = Finder(self.version, now_s, only=self.only, broadcast=asked is None)
        if asked is not None:
            self.finder.ask(asked[0], asked[1], now_s)
        self.parties = [self.finder]
        self.told: tuple[Table, ...] = ()
        self.finder.look_for(SESSION, bytes.fromhex(options.get("key", "")))
        self.heard_lost = False

    def act(self, now_s: float) -> None:
        self.finder.poll(now_s)
        self.finder.drain(now_s)
        tables = self.finder.tables(now_s)
        if tables != self.told:
            self.told = tables
            say("tables", tables=[tell(one) for one in tables], names=[one.name for one in tables])
        if self.finder.heard_lost() and not self.heard_lost:
            self.heard_lost = True
            say("lost", places=self.finder.heard_lost())


class Joiner(Lister):
    def __init__(self, options: dict[str, Any]) -> None:
        super().__init__(options)
        self.pair = new_keypair()
        self.link: JoinLink | None = None
        self.sent = 0

    def act(self, now_s: float) -> None:
        super().act(now_s)
        if self.link is None:
            tables = self.finder.answers() or self.finder.tables(now_s)
            if tables:
                self.connect(tables[0])
            return
        for event in self.link.events(now_s):
            match event:
                case Received(_, frame):
                    say("received", frame=frame.decode())
                case Up() | Down() | Refused():
                    say_event(event)
        if self.next_s is None or now_s >= self.next_s:
            self.next_s = now_s + _BEAT_S
            self.sent += self.link.send(str(self.sent).encode())

    def connect(self, table: Table) -> None:
        say("connecting", address=table.address, port=table.port)
        source = address_of(self.only)
        self.link = JoinLink(zmq.Context(), self.pair, table.key, table.address, table.port, source)
        self.parties.append(self.link)


def say(event: str, **fields: object) -> None:
    print(json.dumps({"event": event} | fields), flush=True)


def say_event(event: LinkEvent) -> None:
    say(type(event).__name__.lower())


def tell(table: Table) -> dict[str, object]:
    return {
        name: value.hex() if isinstance(value, bytes) else value
        for name, value in asdict(table).items()
    }


if __name__ == "__main__":
    main()
