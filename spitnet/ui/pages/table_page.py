"""The table behind the screen: keys become moves, notices become the scene. Pure; times are the caller's seconds.

What belongs here: what a key means at this moment, and what the player is told. What must not: drawing, words,
sockets. A key names the card that lies there when it is pressed; nothing that the opponent does changes that.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final, TypeAlias, assert_never

from spitnet.core.cards import Card, Seat, fits, other
from spitnet.core.legality import can_refill, is_ready_time, owed_by
from spitnet.core.moves import Concede, Deal, Leave, Move, Play, Ready, Refill, Spit
from spitnet.core.state import Game, Match, SpitMode
from spitnet.journal.story import Moment, after
from spitnet.protocol.entries import Ending
from spitnet.protocol.notices import (
    Ahead,
    AnswerOverdue,
    Claimable,
    Completed,
    Displaced,
    Finished,
    MoveProposed,
    Notice,
    NotLegal,
    PeerBack,
    PeerLost,
    PingGrew,
    StopEnded,
)
from spitnet.protocol.rematch import Prospect
from spitnet.ui.pages.recent_stops import RecentStops
from spitnet.ui.presses import Arrow, CardPress, Letters, PileSide, Plain, Playback, Press
from spitnet.ui.scene import (
    Absence,
    Claims,
    Happened,
    Help,
    Idle,
    LinkQuality,
    Note,
    Question,
    TableScene,
    notes_of,
)

DEAF_S = 0.8
"""After a game no key counts for so long, nor is one shown: what was meant for the race must not turn the page. But the key
that leaves is no card's, and either asks first or concedes nothing.
"""
SHOUT_S = 1.2
"""How long a shout hangs in the air."""
REFUSED_S = 2.0
"""How long it is seen why a key did nothing: time to read it. A question which pile stands until it is answered."""
_REFUSALS: Final = frozenset(
    {
        Happened.DOES_NOT_FIT,
        Happened.WHICH_PILE,
        Happened.TOO_LATE,
        Happened.NO_CARD,
        Happened.NOT_NOW,
    }
)
IDLE_SHOWN_S = 30.0
"""How long before the match may be claimed both are told that somebody is waited for who is there."""
LATEST: Final = 256
"""So many beats, more than a game has as a rule, may pass before who tells every beat looks again: a pipe may be full."""
_NEXT_HELP: Final = {None: Help.KEYS, Help.KEYS: Help.RULES, Help.RULES: None}
"""The help's key turns its pages, then closes it."""
_PAST_HELP: Final = frozenset({Plain.HELP, Plain.QUIT, Plain.CONCEDE})
"""What an open page of the help lets through: what turns it, and what asks before it does anything."""


@dataclass(frozen=True, slots=True)
class Propose:
    """The player wants this move."""

    move: Move


class Command(Enum):
    """What the player wants of the run, apart from moves."""

    CLAIM = auto()
    REMATCH = auto()
    CLOSE = auto()
    """Leave the screen: the match is over, or leaving concedes nothing."""


Wish: TypeAlias = Propose | Command


class TablePage:
    """One match at one seat, from its first deal to the player's leaving."""

    def __init__(
        self,
        seat: Seat,
        names: tuple[str, str],
        match: Match,
        fingerprint: str,
        now_s: float,
        *,
        lessons: bool = False,
        claimed_against: bool = True,
    ) -> None:
        """`lessons`: until the end of the first game the player is led. `claimed_against`: the opponent may claim the match."""
        self._seat = seat
        self._claimed_against = claimed_against
        self._scene = TableScene(seat, names, match, fingerprint, lessons=lessons)
        self._moment = Moment(match)
        self._changed_s = now_s
        self._stops = RecentStops()
        self._under_way = False
        """Whether the move in the hand is proposed; else it waits for its turn."""
        self._asked_card: Card | None = None
        self._shout_until_s = now_s
        self._refused_until_s = now_s
        self._gone_since_s: float | None = None
        self._progress_s = now_s
        self._claims: Claims | None = None
        self._deaf_until_s = now_s
        self._leaving = False
        self.generation = 0
        """Grows whenever keys that were typed before must not count any more."""

    # What is seen.

    def scene(self, now_s: float) -> TableScene:
        """The table now; countdowns are worked out for this moment."""
        scene, many = self._settled(now_s), self._stops.many(now_s)
        if many is None:
            return scene
        return replace(scene, stopping=many, refused=self._refused_s(now_s) > 0)

    def _settled(self, now_s: float) -> TableScene:
        scene = self._scene
        if scene.shout and now_s >= self._shout_until_s:
            scene = self._scene = replace(scene, shout=())
        if scene.deaf and now_s >= self._deaf_until_s:
            scene = self._scene = replace(scene, deaf=False)
        if self._is_stale(now_s):
            scene = self._scene = replace(scene, note=Note())
        if scene.gone is not None and not scene.gone.idle:
            return replace(scene, gone=self._counted_down(scene.gone, now_s))
        idle = self._idle(now_s)
        if idle is None or idle.left_s > IDLE_SHOWN_S:
            return scene
        return replace(scene, idle=idle, refused=self._refused_s(now_s) > 0)

    def next_tick_s(self, now_s: float) -> float | None:
        """Seconds until the scene changes by the clock alone."""
        idle = self._idle(now_s)
        waits_s = [] if idle is None else [max(1.0, idle.left_s - IDLE_SHOWN_S)]
        if self._scene.gone is not None:
            waits_s.append(1.0)
        if self._scene.shout:
            waits_s.append(max(0.0, self._shout_until_s - now_s))
        if self._scene.deaf:
            waits_s.append(max(0.0, self._deaf_until_s - now_s))
        if refused_s := self._refused_s(now_s):
            waits_s.append(refused_s)
        if (stops_s := self._stops.next_change_s(now_s)) is not None:
            waits_s.append(stops_s)
        return min(waits_s, default=None)

    def _refused_s(self, now_s: float) -> float:
        """For how long the note still says why a key did nothing; nothing happened since."""
        refused = self._scene.note.happened in _REFUSALS
        return max(0.0, self._refused_until_s - now_s) if refused else 0.0

    def _is_stale(self, now_s: float) -> bool:
        """Whether the note has said for long enough why a key did nothing."""
        refused = self._scene.note.happened in _REFUSALS and self._scene.asked_slot is None
        return refused and not self._refused_s(now_s)

    def _idle(self, now_s: float) -> Idle | None:
        """Whom the other waits for, though both are there. Source: R22."""
        scene = self._scene
        seat = None if scene.gone is not None or scene.ended else owed_by(scene.match)
        if seat is None or (seat == self._seat and not self._claimed_against):
            return None
        claims, whole = self._claims, self._progress_s + scene.match.settings.grace_s
        if claims is None:
            return Idle(seat, max(0.0, whole - now_s))
        at_s = claims.their_at_s if seat == self._seat else claims.own_at_s
        at_s = whole if at_s is None else at_s
        return Idle(seat, max(0.0, at_s - now_s), claims.short[seat] and at_s < whole)

    def _counted_down(self, gone: Absence, now_s: float) -> Absence:
        """The same with what is left at this moment."""
        claims = self._claims or Claims()
        since_s = now_s if self._gone_since_s is None else self._gone_since_s
        at_s = since_s + self._scene.match.settings.grace_s
        at_s = at_s if claims.own_at_s is None else claims.own_at_s
        short = claims.short[other(self._seat)]
        return replace(gone, grace_left_s=max(0.0, at_s - now_s), short=short)

    # What happens.

    def pace(self, pace: LinkQuality) -> None:
        """How fast the opponent answers, measured anew."""
        self._show(pace=pace)

    def claims(self, claims: Claims) -> None:
        """When who may claim the match, worked out anew."""
        self._claims = claims

    def trouble(self, text: str) -> None:
        """Something went wrong on this side; already in words."""
        self._note(Note(Happened.TROUBLE, text=text))

    def tell(self, notice: Notice, now_s: float) -> tuple[Wish, ...]:
        """Something happened in the session; what follows from it, which only leaving does."""
        match notice:
            case Completed():
                self._completed(notice, now_s - self._changed_s, now_s)
            case MoveProposed(move):
                self._under_way = True
                self._show(hand=move, waiting=None)
            case NotLegal(move, waited):
                self._not_legal(move, waited, now_s)
            case Displaced(move):
                if not self._under_way and _alike(move, self._scene.hand):
                    self._show(hand=self._scene.waiting, waiting=None)
            case PeerLost() | PeerBack() | AnswerOverdue() | Claimable():
                self._waited_for(notice, now_s)
            case StopEnded():
                self._stops.add(now_s)
            case PingGrew():
                pass  # it is among the figures
            case Finished(ended):
                early = None if ended.how is Ending.OVER else ended
                self._show(ended=early, gone=None, hand=None, waiting=None)
            case Ahead(prospect):
                self._show(rematch=prospect)
            case _:
                assert_never(notice)
        closes = self._leaving and isinstance(notice, Finished)
        return (Command.CLOSE,) if closes else ()

    def _waited_for(
        self, notice: PeerLost | PeerBack | AnswerOverdue | Claimable, now_s: float
    ) -> None:
        """The opponent is missed, or isn't any more."""
        grace_s = float(self._scene.match.settings.grace_s)
        match notice:
            case PeerLost(_, on_purpose):
                self._gone_since_s = now_s
                self._show(gone=Absence(grace_s, on_purpose, False))
                self._note(Note(Happened.LOST, other(self._seat)))
            case PeerBack():
                self._gone_since_s = None
                self._show(gone=None)
                self._note(Note(Happened.BACK, other(self._seat)))
            case AnswerOverdue():
                gone = self._scene.gone or Absence(grace_s, False, False, overdue=True)
                self._show(gone=gone)
            case Claimable():
                short = self._claims is not None and self._claims.short[other(self._seat)]
                gone = self._scene.gone or Absence(0.0, False, True, idle=True, short=short)
                self._show(gone=replace(gone, claimable=True))

    def recall(self, past: Iterable[Completed], now_s: float) -> None:
        """What was played before this page; how long it took is not known any more."""
        for beat in past:
            self._completed(beat, None, now_s)
        self._show(shout=())

    def _completed(self, done: Completed, took_s: float | None, now_s: float) -> None:
        """`took_s` after the last change, where that is known."""
        if done.moves[self._seat] is not None:
            self._show(hand=None)
        if self._scene.gone is not None and self._gone_since_s is None:
            self._show(gone=None)
        moment = self._moment = after(self._moment, done, took_s)
        latest = (*self._scene.moments, moment)[-LATEST:]
        self._show(match=done.match, races=moment.races, moments=latest)
        self._progress_s = now_s
        self._changed_s = now_s if done.events else self._changed_s
        self._look_at_asked_card()
        if moment.leaving:
            self._show(left=moment.leaving)
        for note in sorted(notes_of(moment), key=self._importance):
            self._told(note, moment, now_s)

    def _look_at_asked_card(self) -> None:
        """Which pile is asked while both take the card. Where one still does, an arrow that is on its way counts."""
        card, game = self._asked_card, self._game()
        if card is None:
            return
        lies = game is not None and card in game.layouts[self._seat]
        fitting = sum(lies and self._will_fit(card, pile) for pile in (0, 1))
        if not fitting:
            self._asked_card = None
        if fitting < 2 and self._scene.asked_slot is not None:
            self._show(asked_slot=None, note=Note())

    def _importance(self, note: Note) -> int:
        """The line shows the last thing that it was told, so what matters most comes last."""
        match note.happened:
            case Happened.READY | Happened.REFILLED:
                return 0
            case Happened.LANDED:
                return 1 if note.seat == self._seat else 2
            case Happened.BEATEN:
                return 3
            case _:
                return 4

    def _told(self, note: Note, moment: Moment, now_s: float) -> None:
        match note.happened:
            case Happened.DEALT:
                self._new_page(now_s, deaf_s=0.0)
                self._show(summary=None, question=None)
            case Happened.SPIT:
                self._shout_until_s = now_s + SHOUT_S
                self._show(shout=moment.shout, help=None)  # play begins
            case Happened.REFILLED:
                if note.seat != self._seat or self._scene.note.happened is Happened.LANDED:
                    return
            case Happened.GAME_OVER:
                self._new_page(now_s, DEAF_S)
                self._show(summary=moment.summary, question=None, asked_slot=None, lessons=False)
            case _:
                pass
        self._note(note)

    def _new_page(self, now_s: float, deaf_s: float) -> None:
        self.generation += 1
        self._deaf_until_s = now_s + deaf_s
        self._asked_card = None
        self._show(hand=None, waiting=None, asked_slot=None, deaf=deaf_s > 0)

    def _not_legal(self, move: Move, waited: bool, now_s: float) -> None:
        self._show(hand=None, waiting=None)
        if isinstance(move, Play):
            happened = Happened.TOO_LATE if waited or not self._fits_now(move) else Happened.NOT_NOW
            self._note(Note(happened, self._seat, move.card, move.pile, self._top(move.pile)))
            self._refused_until_s = now_s + REFUSED_S

    # What is pressed.

    def press(self, press: Press, now_s: float) -> tuple[Wish, ...]:
        """What the player wants by this key, at this moment."""
        if now_s < self._deaf_until_s and press is not Plain.QUIT:
            return ()
        before = self._scene.note
        wishes = self._pressed(press)
        if self._scene.note is not before:
            self._refused_until_s = now_s + REFUSED_S
        return wishes

    def _pressed(self, press: Press) -> tuple[Wish, ...]:
        if self._scene.help is not None and press not in _PAST_HELP:
            return self._close_help()
        match press:
            case CardPress(slot, side):
                return self._card(slot, side)
            case Arrow(side):
                return self._answer_pile(side)
            case Plain():
                return self._plain(press)
            case Playback() | Letters():
                return ()
            case _:
                assert_never(press)

    def _plain(self, key: Plain) -> tuple[Wish, ...]:
        meanings: dict[Plain, Callable[[], tuple[Wish, ...]]] = {
            Plain.SPACE: self._space,
            Plain.YES: self._yes,
            Plain.NO: self._dismiss,
            Plain.ESCAPE: self._dismiss,
            Plain.QUIT: self._quit,
            Plain.HELP: self._help,
            Plain.CONCEDE: self._concede,
            Plain.REMATCH: self._rematch,
        }
        meaning = meanings.get(key)
        return () if meaning is None else meaning()

    def _help(self) -> tuple[Wish, ...]:
        if self._scene.question is None:
            self._show(help=_NEXT_HELP[self._scene.help])
        return ()

    def _close_help(self) -> tuple[Wish, ...]:
        """It hides the table, so no key can be meant for a card, nor one that was typed before the table is seen."""
        self._show(help=None)
        self.generation += 1
        return ()

    def _dismiss(self) -> tuple[Wish, ...]:
        self._show(help=None, question=None, asked_slot=None)
        self._asked_card = None
        return ()

    def _concede(self) -> tuple[Wish, ...]:
        return self._ask(Question.CONCEDE) if self._scene.concedable else ()

    def _rematch(self) -> tuple[Wish, ...]:
        here = self._scene.rematch not in (Prospect.AWAY, Prospect.LEFT)
        return (Command.REMATCH,) if self._scene.match.over and here else ()

    def _card(self, slot: int, side: PileSide | None) -> tuple[Wish, ...]:
        game = self._game()
        if game is None or not any(game.piles):
            return self._say(Note(Happened.NOT_NOW))
        if self._scene.asked_slot is None:
            self._asked_card = None  # that choice has been made anew
        card = game.layouts[self._seat][slot]
        if card is None:
            return self._say(Note(Happened.NO_CARD))
        if side is not None:
            return self._play(card, self._pile(side))
        return self._play_where_it_fits(slot, card)

    def _play_where_it_fits(self, slot: int, card: Card) -> tuple[Wish, ...]:
        """With one card under way, the pile that counts is the one that it will have left behind."""
        piles = [pile for pile in (0, 1) if self._will_fit(card, pile)]
        if len(piles) == 1:
            return self._play(card, piles[0])
        if not piles:
            return self._say(Note(Happened.DOES_NOT_FIT, self._seat, card))
        self._asked_card = card
        self._show(asked_slot=slot)
        return self._say(Note(Happened.WHICH_PILE, self._seat, card))

    def _answer_pile(self, side: PileSide) -> tuple[Wish, ...]:
        card, self._asked_card = self._asked_card, None
        self._show(asked_slot=None)
        return () if card is None else self._play(card, self._pile(side))

    def _play(self, card: Card, pile: int) -> tuple[Wish, ...]:
        """While nothing is under way the card must fit now; else it is judged when its turn comes.

        Who is alone at the table may change their mind: the newest key waits for the opponent's coming back.
        """
        game = self._game()
        if game is None:
            return ()
        play = Play(card, pile, len(game.piles[pile]))
        if self._is_under_way(play):
            return ()  # a key that repeats itself
        if self._hand_is_free and not self._fits_now(play):
            note = Note(Happened.DOES_NOT_FIT, self._seat, card, pile, self._top(pile))
            return self._say(note)
        return self._wish(play)

    def _space(self) -> tuple[Wish, ...]:
        """Whatever is due: the next game, a card from the stock, ready, spit."""
        match = self._scene.match
        game = match.game
        if match.over:
            return ()
        if game is None or game.outcome is not None:
            return self._wish(Deal())
        if can_refill(match, self._seat):
            return self._wish(Refill(game.layouts[self._seat].index(None)))
        if is_ready_time(game) and not game.ready[self._seat]:
            return self._wish(Ready())
        if all(game.ready) and match.settings.spit is SpitMode.SAID:
            return self._wish(Spit())
        if (
            any(game.piles)
            and not is_ready_time(game)
            and self._scene.note.happened is Happened.SPIT
        ):
            return ()  # meant as the shout that the other was first with
        return self._say(Note(Happened.NOT_NOW))

    def _quit(self) -> tuple[Wish, ...]:
        if self._scene.match.over or self._scene.ended:
            return (Command.CLOSE,)
        gone = self._scene.gone
        claim = gone is not None and gone.claimable
        return self._ask(Question.CLAIM if claim else Question.QUIT)

    def _ask(self, question: Question) -> tuple[Wish, ...]:
        """It takes the place of the help and of another question, and of why an earlier key did nothing."""
        self._asked_card = None
        self._show(question=question, help=None, asked_slot=None)
        if self._scene.note.happened in _REFUSALS:
            self._note(Note())
        return ()

    def _yes(self) -> tuple[Wish, ...]:
        question = self._scene.question
        self._show(question=None)
        match question:
            case None:
                return ()
            case Question.CONCEDE:
                return self._wish(Concede())
            case Question.CLAIM:
                return (Command.CLAIM,)
            case Question.QUIT if self._scene.gone is not None:
                return (Command.CLOSE,)
            case Question.QUIT:
                self._leaving = True
                return self._wish(Leave())
            case _:
                assert_never(question)

    def _wish(self, move: Move) -> tuple[Wish, ...]:
        """A move that goes out now, or waits for the one under way."""
        if self._hand_is_free:
            self._under_way = False
            self._show(hand=move, waiting=None)
        elif not self._is_under_way(move):
            self._show(waiting=move)
        else:
            return ()
        return (Propose(move),)

    # Small questions.

    def _game(self) -> Game | None:
        game = self._scene.match.game
        return None if game is None or game.outcome is not None else game

    def _pile(self, side: PileSide) -> int:
        """One's own pile is on the right."""
        return self._seat if side is PileSide.RIGHT else other(self._seat)

    def _top(self, pile: int) -> Card | None:
        game = self._scene.match.game
        return game.piles[pile][-1] if game is not None and game.piles[pile] else None

    def _fits_now(self, play: Play) -> bool:
        top = self._top(play.pile)
        return top is not None and fits(play.card, top)

    def _will_fit(self, card: Card, pile: int) -> bool:
        hand = None if self._hand_is_free else self._scene.hand
        top = self._top(pile)
        if isinstance(hand, Play) and hand.pile == pile:
            top = hand.card
        return top is not None and fits(card, top)

    @property
    def _hand_is_free(self) -> bool:
        """Whether a key takes the hand, and not the place behind it."""
        gone = self._scene.gone
        alone = gone is not None and not gone.idle
        return self._scene.hand is None or (alone and not self._under_way)

    def _is_under_way(self, move: Move) -> bool:
        """Whether the same is in the hand or waits already, whatever the pile's size was then."""
        return any(_alike(move, known) for known in (self._scene.hand, self._scene.waiting))

    def _say(self, note: Note) -> tuple[Wish, ...]:
        self._note(note)
        return ()

    def _note(self, note: Note) -> None:
        self._show(note=note)

    def _show(self, **changes: object) -> None:
        self._scene = replace(self._scene, **changes)  # type: ignore[arg-type]


def _alike(one: Move, two: Move | None) -> bool:
    if isinstance(one, Play) and isinstance(two, Play):
        return (one.card, one.pile) == (two.card, two.pile)
    return one == two
