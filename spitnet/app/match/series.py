"""A match with a person at this seat: the loop of `playing` in its own thread, the page on the desk.

After a match that came to its end the two may agree on another, on the same link. What must not be here: how the
seat was found (host, join), drawing.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from spitnet.app import newcomer
from spitnet.app.console.desk import Desk
from spitnet.app.loop import LINGER_MS, Loop
from spitnet.app.match import reminder
from spitnet.app.match.match_loop import Companion, Link, MatchLoop, say
from spitnet.app.match.opening import OpenMatch, open_match
from spitnet.app.options import PlayOptions
from spitnet.core.cards import Seat, other
from spitnet.core.moves import Deal, Move
from spitnet.core.state import Match, new_match
from spitnet.exits import ExitCode
from spitnet.language import gettext as _
from spitnet.net.link import Down, Received, Up
from spitnet.net.names import shown_name
from spitnet.protocol.entries import Ended
from spitnet.protocol.handshake import Seated, fingerprint
from spitnet.protocol.lockstep import Send
from spitnet.protocol.messages import Bye, Farewell, encode
from spitnet.protocol.notices import Notice, PeerLost
from spitnet.protocol.rematch import RematchTalk
from spitnet.protocol.session import Session
from spitnet.ui.pages.table_page import Command, TablePage
from spitnet.ui.scene import Claims, LinkQuality
from spitnet.ui.scene import RematchState as Agreement

_BROKEN_OFF = ("abandoned", "violation", "lost_records")
"""Ends that this side has told the other; where it was away, it doesn't know yet."""


class Person:
    """At this seat nobody acts by the clock, but for the host's first deal: wishes come through the desk."""

    def __init__(self, seat: int) -> None:
        self.due_s: float | None = None
        self._deals = seat == 0

    def look(self, match: Match, busy: bool, now_s: float) -> None:
        """A person looks at the screen."""
        first = self._deals and match.game is None and not busy and not match.over
        self.due_s = now_s if first else None

    def act(self, match: Match, now_s: float) -> Move | None:
        self.due_s = None
        return Deal()


class Reporter:
    """Passes everything that happens to the page on the desk."""

    def __init__(self, desk: Desk, page: TablePage) -> None:
        self._desk = desk
        self._page = page

    def tell(self, notice: Notice, session: Session) -> None:
        now_s = monotonic()
        pace, claims = _pace(session), _claims(session, now_s)

        def show() -> tuple[Command, ...]:
            self._page.pace(pace)
            self._page.claims(claims)
            wishes = self._page.tell(notice, now_s)
            return tuple(wish for wish in wishes if isinstance(wish, Command))

        self._desk.post(show)


class OnceMore(Exception):
    """A rematch is wanted, against a guest that has to be fetched anew."""


@dataclass(frozen=True)
class MatchSeries:
    """Where a person sits, for as many matches as the two want to play.

    `fetches_guest`: the opponent is this run's own: it claims nothing, and leaves after each match; `OnceMore` asks for
    another.
    """

    first: OpenMatch
    link: Link
    companion: Callable[[OpenMatch], Companion]
    options: PlayOptions
    desk: Desk
    fetches_guest: bool = False

    @property
    def seated(self) -> Seated:
        return self.first.seated

    def play(self) -> int:
        """Matches until somebody leaves; the exit code."""
        match = self.first
        while True:
            page, companion = self._page(match), self.companion(match)
            ended = self._match(page, match, companion)
            talk = RematchTalk(match.session.id, self.seated.seat, os.urandom)
            if ended is None or ended.how != "over" or not self._agree(page, talk, companion):
                return self._leave(match, companion, ended)
            pair = talk.nonces
            if pair is None:
                return self._leave(match, companion, ended)
            match = open_match(self.seated, self.options, (*match.rematches, pair), talk.mine)

    def _page(self, match: OpenMatch) -> TablePage:
        """The page of a match, with what was played of it already."""
        host, joiner = (shown_name(name) for name in self.seated.names)
        begun = new_match(self.seated.settings)
        page = TablePage(
            self.seated.seat,
            (host, joiner),
            begun,
            fingerprint(match.session.id),
            monotonic(),
            lessons=newcomer.wants_lessons(self.options),
            claimed_against=not self.fetches_guest,
        )
        page.recall(match.past, monotonic())
        if match.session.frozen:  # taken up again: nobody is there yet
            page.tell(PeerLost(match.session.beat, on_purpose=False), monotonic())
        self.desk.show(page)
        return page

    def _match(self, page: TablePage, match: OpenMatch, companion: Companion) -> Ended | None:
        """One match; None where the person left it without conceding."""
        session = match.session
        try:
            with match.journal as journal:
                ended = MatchLoop(
                    session=session,
                    link=self.link,
                    journal=journal,
                    player=Person(self.seated.seat),
                    watcher=Reporter(self.desk, page),
                    companion=companion,
                    orders=self.desk.inbox,
                    claims=False,
                ).run()
                newcomer.has_played(session.match)
                self.desk.last_words.append(self._account(session.match, ended, journal.path))
                if ended is None and not session.match.over:
                    peer = self.seated.names[1 - self.seated.seat]
                    self.desk.last_words.append(reminder.said(peer, self.options))
                return ended
        finally:
            companion.close()

    def _account(self, match: Match, ended: Ended | None, record: Path) -> str:
        """What is left of a match once the screen is gone: its score, and where its record lies.

        And who has won, where another has as many games or more: who left, or was claimed against, has lost the match.
        """
        names = tuple(shown_name(name) for name in self.seated.names)
        winner = _winner(match, ended, self.seated.seat)
        if winner is None or match.wins[winner] > match.wins[other(winner)]:
            text, name = _("{host} {wins}:{losses} {joiner}. The record: {file}"), ""
        else:
            text, name = (
                _("{host} {wins}:{losses} {joiner}; the match goes to {name}. The record: {file}"),
                names[winner],
            )
        host, joiner = names
        return text.format(
            host=host,
            wins=match.wins[0],
            losses=match.wins[1],
            joiner=joiner,
            name=name,
            file=record,
        )

    def _agree(self, page: TablePage, talk: RematchTalk, companion: Companion) -> bool:
        """Waits until both want another match, or one leaves; who asks where this table is gets an answer meanwhile."""
        waiter = Loop()
        shown = Agreement.NONE
        while talk.agreed is None:
            now_s = monotonic()
            # One by one: what comes behind the peer's REMATCH belongs to the next match.
            for event in self.link.events(now_s, most=1):
                match event:
                    case Received(_, frame):
                        talk.receive(frame)
                    case Down():
                        talk.peer_left = True
            if Command.REMATCH in self.desk.inbox.take():
                self._ask(talk, now_s)
            again = talk.poll(now_s)
            if again is not None:
                self.link.send(encode(again))
            if (state := _agreement(talk)) is not shown and not self.fetches_guest:
                shown = state
                self._post(page, state)
            if self.desk.inbox.wants_out:
                return False
            companion.step(now_s)
            if talk.agreed is None:
                sources = (self.link, companion, self.desk.inbox)
                waiter.wait(sources, talk.next_deadline_s(), now_s)
        return True

    def _ask(self, talk: RematchTalk, now_s: float) -> None:
        if self.fetches_guest:
            self.link.close(0)
            raise OnceMore
        if not talk.peer_left:
            self.link.send(encode(talk.ask(now_s)))

    def _post(self, page: TablePage, state: Agreement) -> None:
        self.desk.post(lambda: page.rematch(state))

    def _leave(self, match: OpenMatch, companion: Companion, ended: Ended | None) -> int:
        """Waits until the person has read how it ended, says goodbye, closes.

        An opponent that was claimed against, or stopped, may come back meanwhile: it is looked for, and told.
        """
        session, waiter = match.session, Loop()
        if ended is not None and ended.how in _BROKEN_OFF:
            companion.tell(PeerLost(session.beat, on_purpose=False), monotonic())
        while not self.desk.inbox.wants_out:
            now_s = monotonic()
            for event in self.link.events(now_s):
                match event:
                    case Received():
                        session.receive(event.frame, now_s)
                    case Up():
                        session.link_up(now_s)
            for effect in session.take_effects():
                if isinstance(effect, Send):
                    say(self.link, effect.message)
            companion.step(now_s)
            waiter.wait((self.link, companion, self.desk.inbox), None, now_s)
            self.desk.inbox.take()
        companion.close()
        self.desk.close()  # the rest takes a while, and what is typed meanwhile is for the shell
        say(self.link, Bye(session.id, 0, Farewell.PAUSED, ""))
        self.link.close(LINGER_MS)
        return _exit_code(ended)


def _winner(match: Match, ended: Ended | None, seat: Seat) -> Seat | None:
    """Who has won the match, be it by a claim; None while nobody has."""
    if match.result is not None:
        return match.result.winner
    return None if ended is None else ended.claimed_by(seat)


def _agreement(talk: RematchTalk) -> Agreement:
    if talk.peer_left:
        return Agreement.DECLINED
    if talk.asked:
        return Agreement.ASKED
    return Agreement.OFFERED if talk.peer_asked else Agreement.NONE


def _pace(session: Session) -> LinkQuality:
    pace = session.pace
    return LinkQuality(
        None if pace.ping_s is None else pace.ping_s * 1000,
        None if pace.reply_s is None else pace.reply_s * 1000,
        pace.late_crossings,
        pace.slow_replies,
        session.stops.count,
        None if pace.least_s is None else pace.least_s * 1000,
        pace.lags,
    )


def _claims(session: Session, now_s: float) -> Claims:
    own_s, theirs_s = session.grace_left_s(now_s), session.peers_grace_left_s(now_s)
    return Claims(
        None if own_s is None else now_s + own_s,
        None if theirs_s is None else now_s + theirs_s,
        session.is_short,
    )


def _exit_code(ended: Ended | None) -> int:
    match ended:
        case None:
            return ExitCode.INTERRUPTED
        case Ended(how="over"):
            return ExitCode.DONE
        case Ended(how="violation" | "accused"):
            return ExitCode.VIOLATION
        case _:
            return ExitCode.OPPONENT_GONE
