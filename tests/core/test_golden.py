"""Golden games: fixed randomness and a fixed way to play give these figures, for ever.

A change here means that other records, digests and peers no longer agree with this version.
"""

import json
from collections import Counter
from hashlib import sha256

import pytest
from msgspec.structs import astuple
from support.games import Beat, chance, game_of, played

from spitnet.core.beat import apply_beat
from spitnet.core.cards import face
from spitnet.core.events import Beaten, BothStuck, Event, GameOver, Landed, Refilled, Spat
from spitnet.core.moves import Deal
from spitnet.core.state import RefillMode, Settings, new_match

LAYOUTS = [["10D", "KD", "2S", "10H"], ["AS", "QH", "9H", "JH"]]
FIGURES = {
    RefillMode.AUTO: {
        "beats": 3685,
        "landed": 3020,
        "beaten": 909,
        "refilled": 2877,
        "spat": 534,
        "stuck": 493,
        "reasons": {"fewest": 19, "out": 17, "level": 5},
        "score": (19, 17, 5),
    },
    RefillMode.MANUAL: {
        "beats": 4948,
        "landed": 2776,
        "beaten": 701,
        "refilled": 2631,
        "spat": 505,
        "stuck": 467,
        "reasons": {"fewest": 17, "out": 15, "level": 6},
        "score": (14, 18, 6),
    },
}
DIGESTS = {
    RefillMode.AUTO: "173952346f5545f628a5f861e4109c9f6f5ac6bb9e494914f755031821d737e5",
    RefillMode.MANUAL: "7991a60e21080f25f71d3176bc9bdf9b1c948b280f7f9aaa37986ba2a4ff142b",
}


def golden(mode: RefillMode) -> list[Beat]:
    return list(played("golden", Settings(games=41, refill=mode)))


def test_the_first_layouts() -> None:
    """R3, R4"""
    match, _ = apply_beat(new_match(Settings()), (Deal(), None), chance("golden", 0))
    layouts = [
        [face(card) for card in layout if card is not None] for layout in game_of(match).layouts
    ]
    assert layouts == LAYOUTS


@pytest.mark.parametrize("mode", RefillMode)
def test_the_figures_of_a_match(mode: RefillMode) -> None:
    """R7-R21: beats, events by kind, the score, and how games ended."""
    beats = golden(mode)
    events = [event for beat in beats for event in beat.events]
    kinds = Counter(type(event) for event in events)
    last = beats[-1].after
    reasons = Counter(e.outcome.reason.value for e in events if isinstance(e, GameOver))
    assert {
        "beats": len(beats),
        "landed": kinds[Landed],
        "beaten": kinds[Beaten],
        "refilled": kinds[Refilled],
        "spat": kinds[Spat],
        "stuck": kinds[BothStuck],
        "reasons": dict(reasons),
        "score": (*last.wins, last.draws),
    } == FIGURES[mode]


@pytest.mark.parametrize("mode", RefillMode)
def test_every_event_of_a_match(mode: RefillMode) -> None:
    """C1: to the last card."""
    events = [event for beat in golden(mode) for event in beat.events]
    told = "\n".join(_line(event) for event in events)
    assert sha256(told.encode()).hexdigest() == DIGESTS[mode]


def _line(event: Event) -> str:
    return json.dumps([type(event).__name__, *astuple(event)], default=astuple)
