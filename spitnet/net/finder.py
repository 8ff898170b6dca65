"""The joiner's half of discovery: probe, listen, keep the list of tables.

The prober has a port of its own and takes the unicast answers; the listener shares the well-known port and hears the
announcements. Asking one address (`join HOST:PORT`) goes by sockets of its own, a fresh one for each repeat: where several
programs share the well-known port the system gives a unicast datagram to one of them, chosen by the source port.

Each address that a table was heard from is asked too, until it answers. Who forges a source address doesn't get the question,
nor knows the port that the answer has to come to.
"""

from collections import OrderedDict, deque
from typing import NamedTuple

from spitnet.net.beacon import Announcement, Gone, Lost, Probe, decode, encode
from spitnet.net.datagrams import Datagrams, Heard, SendRate, Surroundings
from spitnet.net.tables import Table, TableList, table_at
from spitnet.protocol import DISCOVERY_PORT
from spitnet.protocol.limits import Rate, SharedAllowance

_FIRST_GAPS_S = (0.05, 0.1)
_PERIOD_S = 0.5
_PACE = SendRate(128, 0.005)  # how fast a flood is read: with a fifth of a processor
_MOST_ASKED = 16
# Addresses that aren't proved are asked so often, each and together: who forges the beacons of others makes us send those
# 32 kB/s at most. Forged addresses by the hundred are asked once each, and then don't keep a new one waiting.
_EACH_DOUBTED, _ALL_DOUBTED = Rate(4, 1 / 30), Rate(40, 40)
_FIRST_DOUBT_S, _LAST_DOUBT_S = 0.5, 8.0
_MOST_DOUBTED = 1024
_GATHER_S = 0.05  # several places are asked by one socket
_ASKING_SOCKETS = 16
_MOST_PLACES = 8

Place = tuple[str, int]
"""An address and a port."""


class _Asking(NamedTuple):
    """A socket that asks, and the places that were asked by it, each alone."""

    socket: Datagrams
    places: frozenset[Place]


class Finder:
    """Looks for tables. Never raises for what the network does."""

    def __init__(
        self,
        version: int,
        now_s: float,
        *,
        only: str | None = None,
        discovery_port: int = DISCOVERY_PORT,
        broadcast: bool = True,
    ) -> None:
        """Probe from the first `poll` on; `only`: keep to that interface; not `broadcast`: only those who are asked."""
        self._probe = encode(Probe(version))
        self._only = only
        self._surroundings = Surroundings(only)
        self._discovery_port = discovery_port
        self._tables = TableList()
        self._answers: dict[Place, Announcement] = {}
        self._asked: list[Place] = []
        self._asking: deque[_Asking] = deque()
        self._doubts = SharedAllowance(_EACH_DOUBTED, _ALL_DOUBTED)
        self._doubted: OrderedDict[Place, tuple[float, float]] = OrderedDict()
        self._to_ask: list[Place] = []
        self._ask_at_s = now_s
        self._lost: tuple[bytes, bytes] | None = None
        self._places: list[Place] = []
        self._listener = Datagrams(discovery_port, only, now_s, shared=True) if broadcast else None
        self._prober = Datagrams(0, only, now_s) if broadcast else None
        self._sent = 0
        self._send_at_s = now_s

    @property
    def sockets(self) -> tuple[object, ...]:
        """What to poll for reading; changes when a socket is replaced and while somebody is asked."""
        return tuple(socket for one in self._all() for socket in one.polled)

    @property
    def well_known_port_held(self) -> bool:
        """Whether another program holds the discovery port: announcements aren't heard, answers still are."""
        return self._listener is not None and self._listener.held

    @property
    def troubles(self) -> dict[str, str]:
        """The last error of each interface or address that has one now, for diagnosis; bounded."""
        return {label: text for one in self._all() for label, text in one.troubles.items()}

    def ask(self, address: str, port: int | None, now_s: float) -> None:
        """Ask one numeric address again and again; without a port, its discovery port. `answers` tells."""
        place = (address, port or self._discovery_port)
        if place not in self._asked and len(self._asked) < _MOST_ASKED:
            self._asked.append(place)
            self._sent = 0
            self._send_at_s = now_s

    def answers(self) -> tuple[Table, ...]:
        """List the tables that answered from the places asked; the port is the one asked, if it was a match's."""
        found = []
        for (address, port), beacon in self._answers.items():
            match_port = beacon.port if port == self._discovery_port else port
            found.append(table_at(beacon, (address,), match_port))
        return tuple(found)

    def tables(self, now_s: float) -> tuple[Table, ...]:
        """List the tables heard in the last five seconds, those first that answered to a probe of their own."""
        return self._tables.tables(now_s)

    def look_for(self, session: bytes, key: bytes) -> None:
        """Listen for the host of a session, who may have changed address; `heard_lost` tells."""
        self._lost = (session, key)
        self._places = []

    def heard_lost(self) -> tuple[Place, ...]:
        """List where the host of that session says it is, newest first. A forger may be among them; CURVE tells."""
        return tuple(reversed(self._places))

    def next_deadline_s(self) -> float | None:
        """When `poll` has something to do."""
        times = [self._send_at_s] if self._prober or self._asked else []
        times += [self._ask_at_s] if self._to_ask else []
        times += [at for one in self._all() if (at := one.next_deadline_s()) is not None]
        return min(times, default=None)

    def poll(self, now_s: float) -> None:
        """Send the probes that are due, and try again to bind what is not bound."""
        for one in self._all():
            one.mend(now_s)
        if self._to_ask and now_s >= self._ask_at_s:
            self._ask(self._to_ask, now_s)
            self._to_ask = []
        if now_s < self._send_at_s:
            return
        if self._prober is not None:
            interfaces = self._surroundings.now(now_s)
            self._prober.broadcast(self._probe, self._discovery_port, interfaces)
        if self._asked:
            self._ask(self._asked, now_s)
        gaps = _FIRST_GAPS_S
        self._send_at_s = now_s + (gaps[self._sent] if self._sent < len(gaps) else _PERIOD_S)
        self._sent += 1

    def drain(self, now_s: float) -> None:
        """Take in what has arrived, a bounded part of it."""
        for socket in (self._listener, self._prober):
            for heard in socket.receive(_PACE, now_s) if socket is not None else ():
                self._hear(heard, now_s)
        for asking in self._asking:
            for heard in asking.socket.receive(_PACE, now_s):
                self._hear(heard, now_s, (heard.address, heard.port) in asking.places)

    def close(self) -> None:
        """Close the sockets."""
        for one in self._all():
            one.close()

    def _all(self) -> tuple[Datagrams, ...]:
        fixed = (one for one in (self._listener, self._prober) if one is not None)
        return (*fixed, *(one.socket for one in self._asking))

    def _ask(self, places: list[Place], now_s: float) -> None:
        """Ask from a fresh port; answers to the last few still count."""
        self._asking.append(_Asking(Datagrams(0, self._only, now_s), frozenset(places)))
        if len(self._asking) > _ASKING_SOCKETS:
            self._asking.popleft().socket.close()
        for address, port in places:
            self._asking[-1].socket.send(self._probe, address, port)

    def _hear(self, heard: Heard, now_s: float, proved: bool = False) -> None:
        match decode(heard.data):
            case Announcement() as beacon:
                self._tables.hear(beacon, heard.address, now_s, proved=proved)
                if proved and (heard.address, heard.port) in self._asked:
                    self._answers[heard.address, heard.port] = beacon
                elif not self._tables.proved(beacon, heard.address):
                    self._doubt((heard.address, beacon.port), now_s)
            case Gone(_, instance):
                self._tables.forget(instance, heard.address, now_s)
            case Lost(_, _, port, key, session) if (session, key) == self._lost:
                self._note_place((heard.address, port))

    def _doubt(self, place: Place, now_s: float) -> None:
        """Have a place asked soon, the more seldom the more often it was silent, and none before one asked less."""
        gap_s, next_s = self._doubted.get(place, (_FIRST_DOUBT_S, now_s))
        if now_s < next_s or not self._doubts.take(place[0], now_s):
            return
        self._doubted.pop(place, None)
        self._doubted[place] = (min(2 * gap_s, _LAST_DOUBT_S), now_s + gap_s)
        if len(self._doubted) > _MOST_DOUBTED:
            self._doubted.popitem(last=False)
        if not self._to_ask:
            self._ask_at_s = now_s + _GATHER_S
        # By the well-known port a table answers whose own port nobody heard of for all the forged ones of its address.
        self._to_ask += [place, (place[0], self._discovery_port)]

    def _note_place(self, place: Place) -> None:
        """Keep the newest place of each of the newest addresses; more than a few are forged."""
        self._places = [one for one in self._places if one[0] != place[0]]
        self._places.append(place)
        del self._places[:-_MOST_PLACES]
