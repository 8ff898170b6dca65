"""By which addresses others reach this machine, kept up to date: laptops move, cables and leases come and go.

What belongs here: when the interfaces are read anew. What must not: reading them (interfaces), and what becomes of it.
"""

from math import inf

from spitnet.net.errors import NetError
from spitnet.net.interfaces import own_addresses

LOOK_EVERY_S = 2.0
"""Measured: a look takes 0.6 ms of processor time after a second of rest."""


class Whereabouts:
    """Call `look` now and then, and by the deadline."""

    def __init__(self, only: str | None) -> None:
        """`only`: keep to that interface."""
        self.addresses: tuple[str, ...] = ()
        self.trouble = ""
        """Why there are none, in words."""
        self._only = only
        self._looked_s = -inf

    @property
    def sockets(self) -> tuple[object, ...]:
        return ()

    def next_deadline_s(self) -> float | None:
        return self._looked_s + LOOK_EVERY_S

    def look(self, now_s: float) -> bool:
        """Read them anew, if it is time; whether it was."""
        if now_s < self._looked_s + LOOK_EVERY_S:
            return False
        self._looked_s = now_s
        self.addresses, self.trouble = (), ""
        try:
            self.addresses = own_addresses(self._only)
        except NetError as error:
            self.trouble = str(error)
        except OSError as error:
            self.trouble = error.strerror or str(error)
        return True
