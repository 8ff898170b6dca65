"""The way to a seat: find tables, choose one, knock, until seated or turned away."""

import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from spitnet.app.options import Address, JoinOptions
from spitnet.net.beacon import TableState
from spitnet.net.finder import Finder
from spitnet.net.interfaces import address_of, resolve
from spitnet.net.join_link import JoinLink
from spitnet.net.link import Failed, KeyPair, Received, Refused, Up
from spitnet.net.socket_options import Context
from spitnet.net.tables import Table
from spitnet.net.whereabouts import Whereabouts
from spitnet.protocol import VERSION
from spitnet.protocol.handshake import REPEAT_S, Answer, TurnedAway, Visitor
from spitnet.protocol.messages import Rejection as Reason

FRAMES_A_STEP = 16
"""However much a table says, signals and the clock are looked at in between."""
WAIT_S = 1.0
"""When to knock again at a table that doesn't hear us for a while, or has forgotten us in a crowd."""
_NOT_NOW = (TurnedAway(VERSION, Reason.WAIT), TurnedAway(VERSION, Reason.UNKNOWN))
LOOK_S = 0.3
"""How long tables are gathered before one is chosen."""


class TableSearch:
    """Looks for tables by broadcast, or asks one address for its own."""

    def __init__(
        self, interface: str | None, discovery_port: int, address: Address | None, now_s: float
    ) -> None:
        """Raises NetError: the interface or the address can't be."""
        address_of(interface)
        self._where = Whereabouts(interface)
        self.finder = Finder(
            VERSION, now_s, only=interface, discovery_port=discovery_port, broadcast=address is None
        )
        self._asked = address
        self._since_s = now_s
        for numeric in resolve(address.host) if address is not None else ():
            self.finder.ask(numeric, address.port if address is not None else None, now_s)

    @property
    def sources(self) -> tuple[Finder, Whereabouts]:
        return (self.finder, self._where)

    def step(self, now_s: float) -> None:
        self.finder.poll(now_s)
        self.finder.drain(now_s)
        self._where.look(now_s)

    @property
    def offline(self) -> str:
        """Why no other machine can be reached, in words; empty if some may."""
        return self._where.trouble

    def tables(self, now_s: float) -> tuple[Table, ...]:
        """Every table known now; those asked by address answer once."""
        return self.finder.tables(now_s) if self._asked is None else self.finder.answers()

    def settled(self, now_s: float) -> bool:
        """Whether the list is worth choosing from: at once for an address, else after `LOOK_S`."""
        return self._asked is not None or now_s >= self._since_s + LOOK_S

    def settles_at_s(self, now_s: float) -> float | None:
        """When the list becomes worth choosing from, if that is still to come."""
        return None if self.settled(now_s) else self._since_s + LOOK_S

    def close(self) -> None:
        self.finder.close()


class SeatRequest:
    """A knock at one table. Call `step` as things happen, until it returns how it ended."""

    def __init__(
        self,
        context: Context,
        keys: KeyPair,
        name: str,
        table: Table,
        options: JoinOptions,
        now_s: float,
    ) -> None:
        """Raises NetError: there is no way to that address."""
        self.table = table
        self.put_off: TurnedAway | None = None
        """Why the table heard us not, the last time that it said so."""
        source = address_of(options.interface)
        self.link = JoinLink(context, keys, table.key, table.address, table.port, source)
        self._greet: Callable[[], Visitor] = partial(
            Visitor, table.key, keys.public, name, options.code, os.urandom
        )
        self._visitor = self._greet()
        self._send_at_s = now_s

    @property
    def sources(self) -> tuple[JoinLink, "SeatRequest"]:
        return (self.link, self)

    @property
    def sockets(self) -> tuple[object, ...]:
        return ()

    def next_deadline_s(self) -> float | None:
        """When the last frame is sent again."""
        return self._send_at_s

    def step(self, now_s: float) -> Answer | None:
        """One round of the handshake; the answer once there is one.

        Frames are taken one by one: those behind START belong to the match.
        """
        for _ in range(FRAMES_A_STEP):
            if self._visitor.answer is not None:
                break
            for event in self.link.events(now_s, most=1):
                match event:
                    case Up():
                        self._send(now_s)
                    case Received(_, frame) if self._visitor.receive(frame):
                        self._send(now_s)
                    case Refused():
                        return TurnedAway(VERSION, Reason.BUSY)
                    case Failed():
                        self._try_next_address()
        if isinstance(self._visitor.answer, TurnedAway) and self._visitor.answer in _NOT_NOW:
            self.put_off = self._visitor.answer
            self._visitor = self._greet()
            self._send_at_s = now_s + WAIT_S
        elif self._visitor.answer is None and now_s >= self._send_at_s:
            self._send(now_s)
        return self._visitor.answer

    def close(self) -> None:
        self.link.close()

    def _try_next_address(self) -> None:
        """Somebody may have announced the table from an address where it isn't."""
        addresses = self.table.addresses
        if len(addresses) > 1:
            following = (addresses.index(self.table.address) + 1) % len(addresses)
            self.table = replace(self.table, address=addresses[following])
            self.link.redirect(self.table.address, self.table.port)

    def _send(self, now_s: float) -> None:
        self.link.send(self._visitor.frame)
        self._send_at_s = now_s + REPEAT_S


def choose(tables: tuple[Table, ...], name: str | None) -> Table | None:
    """The first open table of our version, or the first of that name; None if there is none yet."""
    return next(filter(is_open, named(tables, name)), None)


def is_open(table: Table) -> bool:
    """Whether one can sit down there."""
    return table.version == VERSION and table.state is TableState.OPEN


def named(tables: tuple[Table, ...], name: str | None) -> tuple[Table, ...]:
    """Those of that name; without one, all."""
    return tables if name is None else tuple(one for one in tables if one.name == name)
