"""Somebody who sits between two players: a table of its own towards the joiner, a joiner of its own towards the host.

It has the seat on both links, with keys of its own, and passes on all frames with the one session written for the other.
"""

import os
import time
from collections.abc import Callable

import zmq
from support.waiting import Party, until

from spitnet.core.state import Settings
from spitnet.net.announcer import Announcer
from spitnet.net.beacon import Announcement, TableState
from spitnet.net.host_link import HostLink
from spitnet.net.join_link import JoinLink
from spitnet.net.link import LinkEvent, Received, new_keypair
from spitnet.net.socket_options import Context
from spitnet.protocol.handshake import REPEAT_S, Doorman, Seated, Visitor
from spitnet.protocol.messages import encode

_HERE = "127.0.0.1"


class Host:
    """A table on loopback that takes whoever comes, without a game behind it."""

    def __init__(self, context: Context, discovery_port: int, code: str | None = None) -> None:
        keys = new_keypair()
        self.link = HostLink(context, keys, _HERE)
        self.doorman = Doorman(keys.public, "Ana", Settings(), code, os.urandom)
        table = Announcement(
            1, os.urandom(16), self.link.port, keys.public, "Ana", TableState.OPEN, 0
        )
        self.announcer = Announcer(
            table, time.monotonic(), only="lo", discovery_port=discovery_port
        )
        self.heard: list[bytes] = []
        """Frames of the one who has the seat, that nobody has taken yet."""

    @property
    def seated(self) -> Seated | None:
        return self.doorman.seated

    @property
    def steps(self) -> dict[Party, Callable[[float], object]]:
        return {self.link: self._act, self.announcer: self._announce}

    def send(self, frame: bytes) -> None:
        assert self.doorman.seated_key is not None
        self.link.send(self.doorman.seated_key, frame)

    def close(self) -> None:
        self.announcer.close()
        self.link.close()

    def _act(self, now_s: float) -> None:
        for event in self.link.events(now_s):
            self._hear(event, now_s)

    def _hear(self, event: LinkEvent, now_s: float) -> None:
        if not isinstance(event, Received):
            return
        if self.doorman.seated is not None:
            self.heard.append(event.frame)
            return
        answer = self.doorman.receive(event.key, event.frame, now_s, event.address)
        if answer is not None:
            self.link.send(event.key, encode(answer))
        if self.doorman.seated_key is not None:
            self.link.seat(self.doorman.seated_key)

    def _announce(self, now_s: float) -> None:
        self.announcer.poll(now_s)
        self.announcer.drain(now_s)


class Guest:
    """Sits down at a table on loopback, without a game behind it."""

    def __init__(self, context: Context, port: int, key: bytes, code: str | None = None) -> None:
        keys = new_keypair()
        self.link = JoinLink(context, keys, key, _HERE, port)
        self.visitor = Visitor(key, keys.public, "Bram", code, os.urandom)
        self.heard: list[bytes] = []
        self._send_at_s = 0.0

    @property
    def seated(self) -> Seated | None:
        answer = self.visitor.answer
        return answer if isinstance(answer, Seated) else None

    @property
    def steps(self) -> dict[Party, Callable[[float], object]]:
        return {self.link: self._act}

    def send(self, frame: bytes) -> None:
        self.link.send(frame)

    def close(self) -> None:
        self.link.close()

    def _act(self, now_s: float) -> None:
        for event in self.link.events(now_s):
            match event:
                case Received(_, frame) if self.seated is not None:
                    self.heard.append(frame)
                case Received(_, frame) if self.visitor.receive(frame):
                    self._send_at_s = 0.0
        if self.visitor.answer is None and now_s >= self._send_at_s and self.link.up:
            self._send_at_s = now_s + REPEAT_S
            self.link.send(self.visitor.frame)


class Between:
    """Both of them, and what one hears the other says."""

    def __init__(self, port: int, key: bytes, discovery_port: int, code: str | None = None) -> None:
        """`port` and `key` are the real table's, `discovery_port` that where the joiner looks for tables."""
        self._context: Context = zmq.Context()
        self.guest = Guest(self._context, port, key, code)
        self.host = Host(self._context, discovery_port, code)

    def until(self, reached: Callable[[], object]) -> None:
        until(reached, self.host.steps | self.guest.steps)

    def pass_on(self) -> None:
        """Everything that was heard, in the other session's name."""
        ours, theirs = self.host.seated, self.guest.seated
        assert ours is not None
        assert theirs is not None
        for heard, send, old, new in (
            (self.host.heard, self.guest.send, ours.session, theirs.session),
            (self.guest.heard, self.host.send, theirs.session, ours.session),
        ):
            for frame in heard:
                send(frame.replace(old, new))
            heard.clear()

    def close(self) -> None:
        self.guest.close()
        self.host.close()
        self._context.destroy(linger=0)
