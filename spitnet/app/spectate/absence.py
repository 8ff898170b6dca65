"""Whether a host misses its joiner, as spectators know: by the calls that it sends while it does.

What belongs here: when to listen, and for how long a call counts: until its host announces that it plays, or something is
played. Anybody can forge either, so nothing is ever done about it but to say so. Source: WIRE.md, section 2, LOST.
"""

from typing import Final

from spitnet.net.beacon import Announcement, Lost, TableState, decode
from spitnet.net.datagrams import Datagrams, SendRate

STILL_S: Final = 2.0
"""Calls are listened for while nothing has been played for so long: a host notices no earlier, mostly."""
CALLED_S: Final = 5.0
"""How long a call counts where nothing else is heard. They come once a second, and a radio loses some."""
_PACE: Final = SendRate(16, 0.02)


class JoinerAbsence:
    """The joiner of a table. Call `step` whenever a socket may have something, and at the deadline."""

    def __init__(self, key: bytes, only: str | None, discovery_port: int) -> None:
        """`key` is the host's; `only`: keep to that interface."""
        self._key = key
        self._only = only
        self._discovery_port = discovery_port
        self._session: bytes | None = None
        self._listener: Datagrams | None = None
        self._listen_at_s: float | None = None
        self._called_until_s: float | None = None

    def __bool__(self) -> bool:
        return self._called_until_s is not None

    @property
    def sockets(self) -> tuple[object, ...]:
        return () if self._listener is None else self._listener.polled

    def next_deadline_s(self) -> float | None:
        listener_s = None if self._listener is None else self._listener.next_deadline_s()
        times = (self._listen_at_s, listener_s, self._called_until_s)
        return min((one for one in times if one is not None), default=None)

    def played(self, session: bytes, now_s: float) -> None:
        """Both are there: something has just been played in that match."""
        self.forget()
        self._session, self._listen_at_s = session, now_s + STILL_S

    def forget(self) -> None:
        """Nobody is missed any more, or nobody can know."""
        if self._listener is not None:
            self._listener.close()
        self._session = self._listener = self._listen_at_s = self._called_until_s = None

    def step(self, now_s: float) -> None:
        """Hears what has been called."""
        if self._listen_at_s is not None and now_s >= self._listen_at_s:
            self._listen_at_s = None
            self._listener = Datagrams(self._discovery_port, self._only, now_s, shared=True)
        if self._called_until_s is not None and now_s >= self._called_until_s:
            self._called_until_s = None
        if self._listener is None:
            return
        self._listener.mend(now_s)
        for heard in self._listener.receive(_PACE, now_s):
            match decode(heard.data):
                case Lost(_, _, _, self._key, self._session):
                    self._called_until_s = now_s + CALLED_S
                case Announcement(key=self._key, state=TableState.PLAYING):
                    self._called_until_s = None
