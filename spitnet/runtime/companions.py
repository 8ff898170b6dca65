"""Who looks after the peer's whereabouts during a match: a host calls it, a joiner listens for the call."""

from spitnet.net.announcer import Announcer
from spitnet.net.finder import Finder
from spitnet.net.join_link import JoinLink
from spitnet.net.tables import Table
from spitnet.protocol import VERSION
from spitnet.protocol.notices import Back, Lost, Notice

ANEW_S = 4.0
"""How long a link may stand without a word before it is made anew."""


class Calling:
    """The host's: silent in play, calls the lost opponent by the session's id, says who asks that it plays."""

    def __init__(self, announcer: Announcer, session: bytes) -> None:
        self._announcer = announcer
        self._session = session

    @property
    def sockets(self) -> tuple[object, ...]:
        return self._announcer.sockets

    def next_deadline_s(self) -> float | None:
        return self._announcer.next_deadline_s()

    def tell(self, notice: Notice, now_s: float) -> None:
        if isinstance(notice, Lost):
            self._announcer.announce_lost(self._session, now_s)
        elif isinstance(notice, Back):
            self._announcer.set_playing()

    def step(self, now_s: float) -> None:
        self._announcer.poll(now_s)
        self._announcer.drain(now_s)

    def close(self) -> None:
        self._announcer.set_playing()


class Listening:
    """The joiner's: listens only while the host is lost, and follows it to a new address.

    A link that brings nothing for a while is made anew: where it stands, another process with this key has taken it
    over; where it doesn't, libzmq may have given it up after something that spoke no ZeroMQ.
    """

    def __init__(
        self, link: JoinLink, session: bytes, table: Table, only: str | None, discovery_port: int
    ) -> None:
        self._link = link
        self._session = session
        self._key = table.key
        self._place = (table.address, table.port)
        self._lost_s = 0.0
        self._only = only
        self._discovery_port = discovery_port
        self._finder: Finder | None = None
        self._tried: tuple[str, int] | None = None

    @property
    def sockets(self) -> tuple[object, ...]:
        return () if self._finder is None else self._finder.sockets

    def next_deadline_s(self) -> float | None:
        return None if self._finder is None else self._finder.next_deadline_s()

    def tell(self, notice: Notice, now_s: float) -> None:
        if isinstance(notice, Lost) and self._finder is None:
            self._finder = Finder(
                VERSION, now_s, only=self._only, discovery_port=self._discovery_port
            )
            self._finder.look_for(self._session, self._key)
            self._lost_s = now_s
        elif isinstance(notice, Back):
            self.close()

    def step(self, now_s: float) -> None:
        if self._finder is None:
            return
        self._finder.poll(now_s)
        self._finder.drain(now_s)
        for place in self._finder.heard_lost()[:1]:
            if not self._link.up and place != self._tried:
                self._tried = self._place = place
                self._link.redirect(*place)
        if now_s > self._lost_s + ANEW_S:
            self._lost_s = now_s
            self._link.redirect(*self._place)

    def close(self) -> None:
        if self._finder is not None:
            self._finder.close()
        self._finder = None
        self._tried = None
