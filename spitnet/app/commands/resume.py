"""`spitnet resume`: takes up an interrupted match where its record ends.

The host listens again and calls its opponent by the session's id; the joiner listens for that call, or goes to the
address it was given. Who played against this machine's own bot gets it back too.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from typing import NamedTuple

from spitnet.app import identity, log
from spitnet.app.clock import monotonic
from spitnet.app.commands import solo
from spitnet.app.console import json_lines
from spitnet.app.console.desk import Desk
from spitnet.app.console.screen_run import on_screen
from spitnet.app.loop import zmq_context
from spitnet.app.match import unfinished
from spitnet.app.match.match_loop import Companion, Controls, Link
from spitnet.app.match.opening import OpenMatch, journals, play_headless
from spitnet.app.match.series import MatchSeries, OnceMore
from spitnet.app.options import Address, ResumeOptions
from spitnet.app.seat.open_table import Returned
from spitnet.app.seat.reconnect import HostFinder
from spitnet.app.solo import last_level, opponent
from spitnet.app.spectate.launcher import gallery
from spitnet.app.stop_signal import StopSignal
from spitnet.exits import ExitCode, Failure, UsageFailure
from spitnet.journal.store import InUse
from spitnet.language import gettext as _
from spitnet.net.errors import NetError
from spitnet.net.finder import Place
from spitnet.net.interfaces import LOOPBACK, address_of, resolve
from spitnet.net.join_link import JoinLink
from spitnet.net.link import KeyPair, new_keypair
from spitnet.net.socket_options import Context
from spitnet.protocol.session import Session
from spitnet.ui.pages.lobby_pages import KnockingPage


def run(options: ResumeOptions) -> int:
    """The exit code.

    Raises:
        Failure: there is no match to take up, the opponent isn't back in time, or the match ended before its time.
    """
    log.start(options)
    if options.headless:
        with json_lines.errors():
            return _headless(options)
    keys = identity.load() or new_keypair()  # a new one has begun no match
    match = _match(options, keys)
    options = last_level.recalled(options, match.session.id)
    return on_screen(
        lambda desk: _at_the_desk(options, keys, match, desk),
        options,
        KnockingPage("", monotonic()),
    )


class Expecting(StopSignal):
    """Wants out if the opponent isn't back within `timeout_s`; None is for ever."""

    def __init__(self, timeout_s: float | None) -> None:
        super().__init__()
        self._until_s = None if timeout_s is None else monotonic() + timeout_s
        self.nobody = False

    def next_deadline_s(self) -> float | None:
        return self._until_s

    def carry_out(self, session: Session, now_s: float) -> None:
        if not session.frozen:
            self._until_s = None
        elif self._until_s is not None and now_s >= self._until_s:
            self.nobody = self.wants_out = True


class Way(NamedTuple):
    """How the opponent is reached; `own_guest`: it is this run's own and ends with it."""

    link: Link
    companion: Callable[[OpenMatch], Companion]
    own_guest: bool = False


def _headless(options: ResumeOptions) -> int:
    keys = identity.load() or new_keypair()  # a new one has begun no match
    match = _match(options, keys)
    options = last_level.recalled(options, match.session.id)
    with (
        zmq_context() as context,
        Expecting(options.timeout_s) as expecting,
        _way(context, keys, match, options, expecting) as way,
    ):
        code = play_headless(match, way.link, way.companion, options, expecting)
    if expecting.nobody and code == ExitCode.INTERRUPTED:
        text = _("your opponent isn’t back after {seconds:g} s; the match can be resumed later")
        raise Failure(ExitCode.NOBODY, text.format(seconds=options.timeout_s), "nobody")
    return code


def _at_the_desk(options: ResumeOptions, keys: KeyPair, match: OpenMatch, desk: Desk) -> int:
    try:
        with (
            zmq_context() as context,
            _way(context, keys, match, options, desk.inbox) as (link, companion, own_guest),
        ):
            return MatchSeries(
                match, link, companion, options, desk, fetches_guest=own_guest
            ).play()
    except OnceMore:
        return solo.again(options, match.seated.settings, desk)


def _match(options: ResumeOptions, keys: KeyPair) -> OpenMatch:
    """The match to take up: the one that was named, or the newest.

    Raises:
        Failure: it can't be.
    """
    if options.file is None:
        return unfinished.newest(journals(options), {keys.public})
    try:
        return unfinished.taken_up(options.file, {keys.public})
    except InUse:
        text = _("{file}: another spitnet is playing this match")
        raise UsageFailure(text.format(file=options.file)) from None


@contextmanager
def _way(
    context: Context, keys: KeyPair, match: OpenMatch, options: ResumeOptions, orders: Controls
) -> Iterator[Way]:
    """The way to the opponent, wherever it is now.

    Raises:
        Failure: the machine can't listen or look as asked.
    """
    try:
        with (
            _to_host(context, keys, match, options)
            if match.seated.seat
            else _to_joiner(context, keys, match, options, orders) as way
        ):
            yield way
    except NetError as error:
        raise UsageFailure(str(error)) from None


@contextmanager
def _to_host(
    context: Context, keys: KeyPair, match: OpenMatch, options: ResumeOptions
) -> Iterator[Way]:
    place = _place(options.address)
    key = match.seated.origin.host_key
    address, port = place or (None, None)
    link = JoinLink(context, keys, key, address, port, address_of(options.interface))
    yield Way(
        link,
        lambda match: HostFinder(
            link, match.session.id, key, place, options.interface, options.discovery_port
        ),
    )


def _place(address: Address | None) -> Place | None:
    """Raises NetError: it can't be looked up."""
    if address is None or address.port is None:
        return None
    return resolve(address.host)[0], address.port


@contextmanager
def _to_joiner(
    context: Context, keys: KeyPair, match: OpenMatch, options: ResumeOptions, orders: Controls
) -> Iterator[Way]:
    own_guest = match.seated.origin.join_key == opponent.keys().public
    if own_guest:
        options = replace(
            options,
            interface=LOOPBACK,
            discovery_port=solo.unused_port(),
            journal=match.journal.path.parent,  # the guest's record lies beside it
        )
    returned = Returned(context, keys, match, options, monotonic())
    try:
        with (
            solo.guest_again(options, returned.port, match.session.id, orders)
            if own_guest
            else nullcontext(),
            _gallery(returned, keys, match, options),
        ):
            yield Way(returned.link, returned.companion, own_guest)
    finally:
        returned.close()


@contextmanager
def _gallery(
    returned: Returned, keys: KeyPair, match: OpenMatch, options: ResumeOptions
) -> Iterator[None]:
    """Others may look on again, if both agreed to that when they sat down."""
    if not match.seated.settings.watchable:
        yield
        return
    with gallery(keys, returned.address, returned.port, quiet=not options.headless) as seats:
        returned.open_gallery(seats)
        yield
