"""From beats to moments: what each beat of a match did, for someone who looks at it. Pure.

What belongs here: which notes tell a beat, and what makes a contest. What must not: words, time, where one is looking.
"""

from collections.abc import Iterator

from spitnet.core.events import Beaten, BothStuck, Dealt, Event, GameOver, Landed, Refilled, Spat
from spitnet.core.moves import Leave, Ready, Refill
from spitnet.core.state import Match
from spitnet.protocol.notices import Completed
from spitnet.ui.scene import Contest, Happened, Moment, Note


def moment_after(before: Moment, beat: Completed) -> Moment:
    """The moment that a beat leads to."""
    contest = _contest(before.match, beat)
    races = before.races
    if contest is not None:
        races = (races[0] + (contest.first == 0), races[1] + (contest.first == 1))
    return Moment(
        beat.beat,
        beat.match,
        tuple(_notes(beat)),
        contest,
        races,
        tuple(_fresh(beat)),
        next((event.by for event in beat.events if isinstance(event, Spat)), ()),
        tuple(seat for seat, move in enumerate(beat.moves) if isinstance(move, Leave)),
    )


def _contest(before: Match, beat: Completed) -> Contest | None:
    """A play that was beaten met another for its pile in the same beat, and the coin decided. Source: R10."""
    for event in beat.events:
        if isinstance(event, Beaten) and before.game is not None:
            top = before.game.piles[event.pile][-1]
            cards = (event.card, event.by) if event.seat == 0 else (event.by, event.card)
            first = beat.randomness.first
            return Contest(event.pile, top, cards, first, beat.randomness.value)
    return None


def _notes(beat: Completed) -> Iterator[Note]:
    for seat, move in enumerate(beat.moves):
        if isinstance(move, Ready):
            yield Note(Happened.READY, seat)
    leaving = [seat for seat, move in enumerate(beat.moves) if isinstance(move, Leave)]
    if leaving and not any(isinstance(event, GameOver) for event in beat.events):
        yield Note(Happened.LEFT, leaving[0] if len(leaving) == 1 else None)
    for event in beat.events:
        note = _told(event, beat)
        if note is not None:
            yield note


def _told(event: Event, beat: Completed) -> Note | None:
    """What an event is told as. A refill that comes with a play goes without saying. Source: R11."""
    match event:
        case Dealt():
            return Note(Happened.DEALT)
        case Spat(by=by):
            return Note(Happened.SPIT, by[0] if len(by) == 1 else None)
        case Landed(seat=seat, card=card, pile=pile):
            return Note(Happened.LANDED, seat, card, pile)
        case Beaten(seat=seat, card=card, pile=pile, by=by_card):
            return Note(Happened.BEATEN, seat, card, pile, by_card)
        case Refilled(seat=seat, card=card) if isinstance(beat.moves[seat], Refill):
            return Note(Happened.REFILLED, seat, card)
        case BothStuck():
            return Note(Happened.BOTH_STUCK)
        case GameOver():
            return Note(Happened.GAME_OVER)
        case _:
            return None


def _fresh(beat: Completed) -> Iterator[int]:
    """The piles that got a card."""
    for event in beat.events:
        match event:
            case Landed(pile=pile):
                yield pile
            case Spat(cards=cards):
                yield from (pile for pile, card in enumerate(cards) if card is not None)
            case _:
                pass
