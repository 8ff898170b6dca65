"""Who looks after the peer's whereabouts during a match: a host calls it, a joiner listens for the call."""

from collections.abc import Callable
from math import inf

from spitnet.net.announcer import Announcer
from spitnet.net.beacon import TableState
from spitnet.net.finder import Finder, Place
from spitnet.net.interfaces import source_of
from spitnet.net.join_link import JoinLink
from spitnet.net.tables import Table
from spitnet.protocol import VERSION
from spitnet.protocol.notices import Notice, PeerBack, PeerLost

ANEW_S = 4.0
"""How long a link may stand without a word before it is made anew."""
TURN_S = 1.5
"""How long a place is tried where there are several. Longer than a connection takes, with its handshake."""


class LostCaller:
    """The host's: silent in play, calls the lost opponent by the session's id until it is back, tells who asks that it plays."""

    def __init__(
        self,
        announcer: Announcer,
        session: bytes,
        follow: Callable[[float], None] = lambda now_s: None,
    ) -> None:
        """`follow`: has the host listen where its machine is now."""
        self._announcer = announcer
        self._session = session
        self._follow = follow
        self._calls = False

    @property
    def sockets(self) -> tuple[object, ...]:
        return self._announcer.sockets

    def next_deadline_s(self) -> float | None:
        return self._announcer.next_deadline_s()

    def tell(self, notice: Notice, now_s: float) -> None:
        if isinstance(notice, PeerLost):
            self._calls = True
            self._announcer.announce_lost(self._session, now_s)
        elif isinstance(notice, PeerBack):
            self._calls = False
            self._announcer.announce_back(now_s)

    def step(self, now_s: float) -> None:
        if self._calls:  # before anybody is told to come here
            self._follow(now_s)
        self._announcer.poll(now_s)
        self._announcer.drain(now_s)

    def close(self) -> None:
        self._calls = False
        self._announcer.set_playing()


class HostFinder:
    """The joiner's: listens only while the host is lost, and follows it to a new address.

    Anybody can forge its call, so this goes by turns to where a call came from, least tried first, and to where the host
    was last. Where no call comes, a table in play that bears the host's key may be it: after a match that both want to
    repeat, a host doesn't know yet that it has lost anybody.

    A link that brings nothing for a while is made anew: where it stands, another process with this key has taken it
    over; where it doesn't, libzmq may have given it up after something that spoke no ZeroMQ.
    """

    def __init__(
        self,
        link: JoinLink,
        session: bytes,
        key: bytes,
        place: Place | None,
        only: str | None,
        discovery_port: int,
    ) -> None:
        """`key` is the host's, `place` where it was seen last, if it was."""
        self._link = link
        self._session = session
        self._key = key
        self._place = place
        self._at = place
        self._lost_s = 0.0
        self._turn_at_s = 0.0
        self._away = False
        self._tried_s: dict[str, float] = {}
        self._only = only
        self._discovery_port = discovery_port
        self._finder: Finder | None = None

    @property
    def sockets(self) -> tuple[object, ...]:
        return () if self._finder is None else self._finder.sockets

    def next_deadline_s(self) -> float | None:
        return None if self._finder is None else self._finder.next_deadline_s()

    def tell(self, notice: Notice, now_s: float) -> None:
        if isinstance(notice, PeerLost) and self._finder is None:
            self._finder = Finder(
                VERSION, now_s, only=self._only, discovery_port=self._discovery_port
            )
            self._finder.look_for(self._session, self._key)
            self._lost_s = now_s
        elif isinstance(notice, PeerBack):
            self._place = (
                self._at
            )  # only now: somebody who passes on the handshake and no more gets a link up too
            self.close()

    def step(self, now_s: float) -> None:
        if self._finder is None:
            return
        self._finder.poll(now_s)
        self._finder.drain(now_s)
        heard = self._finder.heard_lost() or self._in_play(self._finder.tables(now_s))
        silent = now_s > self._lost_s + ANEW_S
        if heard and (silent if self._link.up else now_s >= self._turn_at_s):
            self._take_turn(heard, now_s)
        elif self._place is not None and silent:
            self._go(self._place, now_s)

    def _in_play(self, tables: tuple[Table, ...]) -> tuple[Place, ...]:
        """Where tables of the host's key are played at, those first that answered."""
        found = (one for one in tables if one.key == self._key and one.state is TableState.PLAYING)
        return tuple((address, one.port) for one in found for address in one.addresses)

    def _take_turn(self, heard: tuple[Place, ...], now_s: float) -> None:
        self._turn_at_s = now_s + TURN_S
        self._away = not self._away or self._place is None
        if self._away:
            place = min(heard, key=lambda one: self._tried_s.get(one[0], -inf))
            self._tried_s[place[0]] = now_s
            self._go(place, now_s)
        elif self._place is not None:
            self._go(self._place, now_s)

    def _go(self, place: Place, now_s: float) -> None:
        self._lost_s = now_s
        self._at = place
        self._link.redirect(*place, source_of(self._only))

    def close(self) -> None:
        if self._finder is not None:
            self._finder.close()
        self._finder = None
        self._away = False
        self._tried_s.clear()
