"""An open table: announced, knocked at, until somebody is seated."""

import os

from spitnet.app.clock import monotonic
from spitnet.app.loop import Loop
from spitnet.app.match.opening import OpenMatch
from spitnet.app.options import HostOptions, ResumeOptions
from spitnet.app.seat.reconnect import LostCaller
from spitnet.app.spectate.launcher import SpectatorPort
from spitnet.net.announcer import Announcer
from spitnet.net.beacon import Announcement, TableState
from spitnet.net.errors import NetError
from spitnet.net.host_link import HostLink
from spitnet.net.interfaces import WILDCARD, address_of
from spitnet.net.link import Down, KeyPair, LinkEvent, Received, Up
from spitnet.net.socket_options import Context
from spitnet.net.whereabouts import Whereabouts
from spitnet.protocol import VERSION
from spitnet.protocol.handshake import Doorman, Seated
from spitnet.protocol.messages import encode

INSTANCE_BYTES = 16
FRAMES_A_STEP = 16
"""However fast strangers knock, signals and the clock are looked at in between."""
FLAG_CODE = 1
"""Bit 0 of an announcement's flags: the table asks for a code."""


class SeatedLink:
    """The host's link as the match sees it: one peer, the one that is seated."""

    def __init__(self, link: HostLink, key: bytes, *, is_up: bool) -> None:
        """`is_up`: whether that peer is connected now."""
        self._link = link
        self._key = key
        self._is_up = is_up
        link.seat(key)

    @property
    def sockets(self) -> tuple[object, ...]:
        return self._link.sockets

    def next_deadline_s(self) -> float | None:
        return self._link.next_deadline_s()

    @property
    def round_trip_s(self) -> float | None:
        return self._link.round_trip_s(self._key)

    def has_frame(self) -> bool:
        return self._link.has_frame()

    def send(self, frame: bytes, wait_ms: int = 0) -> bool:
        return self._link.send(self._key, frame, wait_ms)

    def events(self, now_s: float, most: int = 64) -> list[LinkEvent]:
        found = self._link.events(now_s, most)
        for event in found:
            if isinstance(event, Up | Down):
                self._is_up = isinstance(event, Up)
        return found

    def close(self, linger_ms: int) -> None:
        """Lets the joiner go first: libzmq throws away what a connecting side hasn't read when it loses its link."""
        until_s = monotonic() + linger_ms / 1000
        waiter = Loop()
        while self._is_up and (now_s := monotonic()) < until_s:
            if not self.events(now_s):
                waiter.wait((self._link,), until_s, now_s)
        self._link.close(linger_ms)


class Doorstep:
    """Where a host listens: kept to one interface, it follows that one to a new address."""

    def __init__(self, link: HostLink, only: str | None, address: str, now_s: float) -> None:
        """`address`: where the link listens now."""
        self.where = Whereabouts(only)
        self.gallery: SpectatorPort | None = None
        self.address = address
        self._link = link
        self.where.look(now_s)

    def look(self, now_s: float) -> None:
        """See, if it is time, whether the machine has another address."""
        if not self.where.look(now_s) or self.address == WILDCARD:
            return
        if self.where.addresses and self.address not in self.where.addresses:
            self._follow(self.where.addresses[0])

    def _follow(self, address: str) -> None:
        try:
            self._link.follow(address)
        except NetError:
            return  # it is gone again, or not there yet
        self.address = address
        if self.gallery is not None:
            self.gallery.follow(address)


class Returned:
    """A host that is back for a match under way: it hears its opponent alone, and calls it by the session's id."""

    def __init__(
        self,
        context: Context,
        keys: KeyPair,
        match: OpenMatch,
        options: ResumeOptions,
        now_s: float,
    ) -> None:
        """Raises NetError: the machine can't listen as asked."""
        address = address_of(options.interface)
        link = HostLink(context, keys, address, options.port)
        self.link = SeatedLink(link, match.seated.origin.join_key, is_up=False)
        self.address = address
        self._doorstep = Doorstep(link, options.interface, address, now_s)
        self.port = link.port
        name = match.seated.names[0]
        instance = os.urandom(INSTANCE_BYTES)
        table = Announcement(
            VERSION,
            instance,
            link.port,
            keys.public,
            name,
            TableState.PLAYING,
            0,
            settings=match.seated.settings,
        )
        self._announcer = Announcer(
            table, now_s, only=options.interface, discovery_port=options.discovery_port
        )
        self._announcer.set_playing()

    def companion(self, match: OpenMatch) -> LostCaller:
        if self._doorstep.gallery is not None:
            self._doorstep.gallery.show(match.journal.path)
        return LostCaller(self._announcer, match.session.id, self._doorstep.look)

    def open_gallery(self, gallery: SpectatorPort) -> None:
        """From now on others may look on there."""
        self._doorstep.gallery = gallery
        self._announcer.set_watchable(gallery.port)

    def close(self) -> None:
        self._announcer.close()
        self.link.close(0)


class OpenTable:
    """Call `step` whenever one of `sources` may have something, until it returns who sat down."""

    def __init__(
        self, context: Context, keys: KeyPair, name: str, options: HostOptions, now_s: float
    ) -> None:
        """Raises NetError: the machine can't listen as asked."""
        address = address_of(options.interface)
        self.instance = os.urandom(INSTANCE_BYTES)
        self._link = HostLink(context, keys, address, options.port)
        self._doorman = Doorman(keys.public, name, options.settings, options.code, os.urandom)
        flags = FLAG_CODE if options.code is not None else 0
        table = Announcement(
            VERSION,
            self.instance,
            self._link.port,
            keys.public,
            name,
            TableState.OPEN,
            flags,
            settings=options.settings,
        )
        self.announcer = Announcer(
            table, now_s, only=options.interface, discovery_port=options.discovery_port
        )
        self.address = address
        self._doorstep = Doorstep(self._link, options.interface, address, now_s)

    @property
    def port(self) -> int:
        return self._link.port

    @property
    def gallery(self) -> SpectatorPort | None:
        """Where others may look on, if they may."""
        return self._doorstep.gallery

    @property
    def whereabouts(self) -> Whereabouts:
        """By which addresses others reach this table now."""
        return self._doorstep.where

    def companion(self, match: OpenMatch) -> LostCaller:
        """Who looks after the peer's whereabouts in this match, which others may look on at from now on."""
        if self.gallery is not None:
            self.gallery.show(match.journal.path)
        return LostCaller(self.announcer, match.session.id, self._doorstep.look)

    def open_gallery(self, gallery: SpectatorPort) -> None:
        """From now on others may look on there."""
        self._doorstep.gallery = gallery
        self.announcer.set_watchable(gallery.port)

    @property
    def sources(self) -> tuple[HostLink, Announcer, Whereabouts]:
        return (self._link, self.announcer, self.whereabouts)

    def step(self, now_s: float) -> Seated | None:
        """Hears knocks and answers probes; the session once a joiner is seated.

        Frames are taken one by one: those behind the one that seats a joiner belong to the match.
        """
        self.announcer.poll(now_s)
        self.announcer.drain(now_s)
        self._doorstep.look(now_s)
        for _ in range(FRAMES_A_STEP):
            events = self._link.events(now_s, most=1)
            if not events:
                break
            for event in events:
                if isinstance(event, Received):
                    self._hear(event, now_s)
            if self._doorman.seated is not None:
                self.announcer.set_playing()
                return self._doorman.seated
        return None

    def seated_link(self) -> SeatedLink:
        """The link to whoever sat down; from now on nobody else is let in."""
        if self._doorman.seated_key is None:
            raise RuntimeError("nobody is seated")
        return SeatedLink(self._link, self._doorman.seated_key, is_up=True)

    def close(self) -> None:
        """Closes the table: says goodbye to those who look for it. A link that was handed on is closed with it."""
        self.announcer.close()
        self._link.close()

    def _hear(self, event: Received, now_s: float) -> None:
        answer = self._doorman.receive(event.key, event.frame, now_s, event.address)
        if answer is not None:
            self._link.send(event.key, encode(answer))
