"""A match as the lines that programs read: one plain dictionary for each thing that happened.

Both peers, and a replay of either's record, tell the same story field for field. Cards are rank then suit,
seat 0 is the host, pile p was started by seat p, `beat` is the Lamport time. Fields may be added, never
changed. Never translated.
"""

from collections.abc import Iterator
from typing import Any, TypeAlias, assert_never

from spitnet.core.cards import Card, face
from spitnet.core.events import (
    Beaten,
    BothStuck,
    Dealt,
    Event,
    GameOver,
    Landed,
    MatchOver,
    Refilled,
    Spat,
)
from spitnet.protocol.entries import Ended, Ending
from spitnet.protocol.notices import Completed

Line: TypeAlias = dict[str, Any]


def told(done: Completed, journal: str | None = None) -> Iterator[Line]:
    """The lines of a beat, in the order in which it was applied.

    `journal`: this side's record, which the last line of a match names; a spectator has none.
    """
    for event in done.events:
        yield _line(done, event, journal)


def _match_over(event: MatchOver, ended: Ended | None, journal: str | None) -> Line:
    """`ended`: what ended the match before its time, on whose word or by whose doing."""
    end = Ended(0, Ending.OVER, None, "") if ended is None else ended
    named = {} if journal is None else {"journal": journal}
    return {
        "event": "match_over",
        "wins": list(event.wins),
        "draws": event.draws,
        "winner": event.winner,
        **named,
        "how": end.how.value,
        "by": end.by,
        "word": end.word,
        "on_word_of": event.winner if end.how is Ending.ABANDONED else None,
    }


def _line(done: Completed, event: Event, journal: str | None) -> Line:
    beat = done.beat
    match event:
        case Dealt(game, layouts):
            rows = [[_face(card) for card in layout] for layout in layouts]
            return _head("deal", game, beat) | {"layouts": rows}
        case Spat(game, by, cards):
            turned = [_face(card) for card in cards]
            return _head("spit", game, beat) | {"by": list(by), "cards": turned}
        case Landed():
            return _play(beat, event, "landed")
        case Beaten():
            return _play(beat, event, "beaten") | {"by": face(event.by)}
        case Refilled(game, seat, slot, card, stock):
            where = {"seat": seat, "slot": slot, "card": face(card), "stock": stock}
            return _head("refill", game, beat) | where
        case BothStuck(game):
            return _head("stuck", game, beat)
        case GameOver(game, outcome, cards_left):
            return _head("game_over", game, beat) | {
                "winner": outcome.winner,
                "reason": outcome.reason.value,
                "cards_left": list(cards_left),
                "digest": done.digest.hex(),
            }
        case MatchOver():
            return _match_over(event, done.ended, journal)
        case _:
            assert_never(event)


def _head(name: str, game: int, beat: int) -> Line:
    return {"event": name, "game": game, "beat": beat}


def _play(beat: int, event: Landed | Beaten, result: str) -> Line:
    return _head("play", event.game, beat) | {
        "seat": event.seat,
        "slot": event.slot,
        "card": face(event.card),
        "pile": event.pile,
        "result": result,
    }


def _face(card: Card | None) -> str | None:
    return None if card is None else face(card)
