"""The host's half of discovery: announce the table, answer those who ask.

Two sockets. The listener shares the well-known port with every other spitnet of this machine and hears broadcast probes;
the other has the number of the match's TCP port to itself, so that `join HOST:PORT` works across routers and when some
other program holds the well-known port. Announcements leave once a second while the table is open, none while it is
played at, but for a few once a lost opponent is back; who asks is answered in either case. What the beacons say is
beacon.py's.
"""

from dataclasses import replace

from spitnet.net.beacon import Announcement, Gone, Lost, Probe, TableState, decode, encode
from spitnet.net.datagrams import READ_EVERY_S, Datagrams, Heard, SendRate, Surroundings
from spitnet.protocol import DISCOVERY_PORT
from spitnet.protocol.limits import Rate, SharedAllowance

_BURST_GAPS_S = (0.1, 0.2)
_PERIOD_S = 1.0
# Who comes to another network meanwhile is still found by those who ask, who are answered in any case.
_READ_OPEN_EVERY_S = 10.0
_JITTER_S = 0.1  # either way, so that hosts started together don't send together for ever
# How fast a flood of datagrams is read: with a fifth of a processor while nobody plays; in play it must not be felt.
_OPEN_PACE = SendRate(128, 0.005)
_PLAYING_PACE = SendRate(16, 0.02)
# One address may be several joiners behind one NAT or on this very machine; a probing joiner asks about twice a second.
_EACH_SOURCE = Rate(40, 20)
# All sources together, forged ones too: some 40 kB/s of answers at the most.
_ALL_SOURCES = Rate(200, 200)


class Announcer:
    """Makes one table known; open at first. Never raises for what the network does."""

    def __init__(
        self,
        table: Announcement,
        now_s: float,
        *,
        only: str | None = None,
        discovery_port: int = DISCOVERY_PORT,
    ) -> None:
        """Announce `table` from the first `poll` on; `only`: keep to that interface."""
        self._describe(replace(table, state=TableState.OPEN))
        self._surroundings = Surroundings(only)
        self._discovery_port = discovery_port
        self._lost_session: bytes | None = None
        self._answers = SharedAllowance(_EACH_SOURCE, _ALL_SOURCES)
        self._listener = Datagrams(discovery_port, only, now_s, shared=True)
        self._door = Datagrams(table.port, only, now_s)
        self._sent = 0
        self._send_at_s: float | None = now_s

    @property
    def sockets(self) -> tuple[object, ...]:
        """What to poll for reading; changes when a socket is replaced."""
        return (*self._listener.polled, *self._door.polled)

    @property
    def well_known_port_held(self) -> bool:
        """Whether another program holds the discovery port: broadcast probes aren't heard, `join HOST:PORT` works."""
        return self._listener.held

    @property
    def troubles(self) -> dict[str, str]:
        """The last error of each interface or purpose that has one now, for diagnosis; at most 64."""
        return self._listener.troubles | self._door.troubles

    def set_watchable(self, watch_port: int) -> None:
        """From now on say that others may look on, and at which TCP port."""
        self._describe(replace(self._table, watch_port=watch_port))

    def set_playing(self) -> None:
        """Announce nothing; who asks learns that the table is taken."""
        self._show(TableState.PLAYING, None, None)

    def announce_back(self, now_s: float) -> None:
        """The opponent is back: say a few times that the table is played at, to those who heard that it was lost."""
        self._show(TableState.PLAYING, None, now_s)

    def announce_lost(self, session: bytes, now_s: float) -> None:
        """Call the lost opponent by the session's id; for anybody else the table stays taken."""
        self._show(TableState.PLAYING, session, now_s)

    def next_deadline_s(self) -> float | None:
        """When `poll` has something to do."""
        times = (self._send_at_s, self._listener.next_deadline_s(), self._door.next_deadline_s())
        return min((one for one in times if one is not None), default=None)

    def poll(self, now_s: float) -> None:
        """Send what is due, and try again to bind what is not bound."""
        self._listener.mend(now_s)
        self._door.mend(now_s)
        if self._send_at_s is not None and now_s >= self._send_at_s:
            lost = self._lost_session is not None
            self._surroundings.now(now_s, READ_EVERY_S if lost else _READ_OPEN_EVERY_S)
            self._broadcast(self._call())
            is_told = self._table.state is TableState.PLAYING and self._sent == len(_BURST_GAPS_S)
            self._send_at_s = None if is_told and not lost else now_s + self._gap_s()
            self._sent += 1

    def drain(self, now_s: float) -> None:
        """Answer the probes that have arrived."""
        pace = _OPEN_PACE if self._table.state is TableState.OPEN else _PLAYING_PACE
        for socket in (self._listener, self._door):
            for heard in socket.receive(pace, now_s):
                self._answer(socket, heard, now_s)

    def close(self) -> None:
        """Say goodbye and close."""
        self._broadcast(encode(Gone(self._table.version, self._table.instance)))
        self._listener.close()
        self._door.close()

    def _describe(self, table: Announcement) -> None:
        self._table = table
        self._described = encode(table)

    def _show(self, state: TableState, lost_session: bytes | None, at_s: float | None) -> None:
        self._describe(replace(self._table, state=state))
        self._lost_session = lost_session
        self._send_at_s = at_s
        self._sent = 0

    def _call(self) -> bytes:
        """Choose what to announce now."""
        table = self._table
        if self._lost_session is None:
            return self._described
        lost = Lost(table.version, table.instance, table.port, table.key, self._lost_session)
        return encode(lost)

    def _gap_s(self) -> float:
        """Give the time to the next announcement: a burst, then a second with a jitter drawn from the instance id."""
        if self._sent < len(_BURST_GAPS_S):
            return _BURST_GAPS_S[self._sent]
        byte = self._table.instance[self._sent % len(self._table.instance)]
        return _PERIOD_S + _JITTER_S * (byte / 127.5 - 1.0)

    def _broadcast(self, beacon: bytes) -> None:
        # From the door: the listener may be missing, and goodbyes should come from where the announcements came from.
        sender = self._door if self._door.socket is not None else self._listener
        sender.broadcast(beacon, self._discovery_port, self._surroundings.known)

    def _answer(self, socket: Datagrams, heard: Heard, now_s: float) -> None:
        own = heard.data == self._described  # a broadcast reaches its sender too
        if own or len(self._described) > len(heard.data):
            return
        if isinstance(decode(heard.data), Probe) and self._answers.take(heard.address, now_s):
            socket.answer(heard, self._described)
