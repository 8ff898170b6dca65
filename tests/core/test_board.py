"""Whole matches: what holds at every step of any play, whoever plays and however."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.games import Beat, acting, game_of, legal_moves, played, stuck, tossing, wilful
from support.invariants import violated

from spitnet.core.beat import apply_beat
from spitnet.core.cards import SEATS, Card, Seat, deck, owner, rank
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
from spitnet.core.legality import can_refill, legal, plays
from spitnet.core.moves import Concede, Deal, Leave, Move, Play, Ready, Refill, Spit
from spitnet.core.state import Game, Match, RefillMode, Settings, cards_left

SEEDS = st.integers(0, 2**32)
MODES = st.sampled_from(RefillMode)

# An example is a whole match: how long one takes says nothing.
UNHURRIED = settings(deadline=None, max_examples=60)
UNHURRIED_FEW = settings(deadline=None, max_examples=15)

MOST_BEATS = 1 + 104 + 96 + 2 * 97
"""A deal; each card goes onto a pile at most once, and each stock card into a layout; two readies
for the first spit and for each of at most 96 stock cards."""


def wilful_match(seed: int, mode: RefillMode, games: int = 3) -> list[Beat]:
    chosen = Settings(games=games, refill=mode)
    return list(played(str(seed), chosen, (wilful(seed), wilful(seed + 1))))


def all_cards(game: Game) -> list[Card]:
    held = (*game.layouts, *game.stocks, *game.piles)
    return [card for part in held for card in part if card is not None]


@given(SEEDS, MODES)
@UNHURRIED
def test_cards_are_conserved_and_nothing_is_broken_at_any_step(seed: int, mode: RefillMode) -> None:
    """R1, R12: each seat has its 52 cards, no card lies twice."""
    for beat in wilful_match(seed, mode):
        assert violated(beat.after) == ()
        if beat.after.game is not None:
            held = all_cards(beat.after.game)
            assert sorted(held) == list(range(104))
            assert Counter(map(owner, held)) == {0: 52, 1: 52}


@given(SEEDS, MODES, st.integers(1, 4))
@UNHURRIED
def test_every_game_between_seats_that_act_ends(seed: int, mode: RefillMode, games: int) -> None:
    """R14, R16-R19, R21: and within as many beats as there are cards to move."""
    chosen = Settings(games=games, refill=mode)
    beats = list(played(str(seed), chosen, (acting(seed), acting(seed + 1))))
    assert beats[-1].after.over
    played_beats = Counter(game_of(beat.after).number for beat in beats)
    assert max(played_beats.values()) <= MOST_BEATS
    assert set(played_beats) == set(range(1, len(played_beats) + 1))
    assert len(played_beats) <= games


@given(SEEDS, MODES)
@UNHURRIED
def test_somebody_can_always_act(seed: int, mode: RefillMode) -> None:
    """R13, R14: no state of a match is a dead end, giving up left aside."""
    for beat in wilful_match(seed, mode):
        moves = [m for s in SEATS for m in legal_moves(beat.before, s)]
        assert any(not isinstance(move, Concede | Leave) for move in moves)


@given(SEEDS, MODES)
@UNHURRIED
def test_of_two_contesting_plays_exactly_one_lands(seed: int, mode: RefillMode) -> None:
    """R10, C8: whichever is first, and the other hears of the card that beat it."""
    for beat in wilful_match(seed, mode):
        game = beat.before.game
        if game is None or not beat.before.playing:
            continue
        for one, two in product(plays(game, 0), plays(game, 1)):
            assert (rank(one.card) - rank(two.card)) % 13 in (0, 2, 11) or one.pile != two.pile
            for first in SEATS:
                _, events = apply_beat(beat.before, (one, two), tossing(first))
                landed = [event.card for event in events if isinstance(event, Landed)]
                beaten = [(e.card, e.by) for e in events if isinstance(e, Beaten)]
                if one.pile != two.pile:
                    assert (len(landed), beaten) == (2, [])
                else:
                    winner, loser = (one, two) if first == 0 else (two, one)
                    assert (landed, beaten) == ([winner.card], [(loser.card, winner.card)])


@pytest.mark.long
@given(SEEDS, MODES)
@UNHURRIED_FEW
def test_any_two_legal_moves_make_a_beat(seed: int, mode: RefillMode) -> None:
    """R6-R22: every combination, in either order, is told in full and breaks nothing."""
    for beat in wilful_match(seed, mode)[::5]:
        before = beat.before
        ours, theirs = ((None, *legal_moves(before, seat)) for seat in SEATS)
        for moves in product(ours, theirs):
            for first in SEATS:
                after, events = apply_beat(before, moves, tossing(first))
                assert violated(after) == ()
                assert told_in_order(events)
                assert told(before, events) == table_of(after)


def test_every_combination_of_kinds_that_can_meet_is_among_them() -> None:
    """R6: so that the property above speaks of all of them."""
    met = set()
    for seed in range(60):
        for mode in RefillMode:
            for beat in wilful_match(seed, mode):
                kinds = ({type(move) for move in legal_moves(beat.before, s)} for s in SEATS)
                met |= {frozenset(pair) for pair in product(*kinds)}
    always: list[type[Move]] = [Concede, Leave]
    game = [Ready, Spit, Play, Refill, *always]
    expected = {frozenset((one, two)) for one in game for two in always}
    expected |= {frozenset((one, two)) for one in (Play, Refill) for two in (Play, Refill)}
    expected |= {frozenset((kind,)) for kind in (Ready, Spit, Deal)} | {frozenset((Deal, Leave))}
    assert met == expected


@given(SEEDS, MODES)
@UNHURRIED
def test_beats_are_told_in_full(seed: int, mode: RefillMode) -> None:
    """R7-R20: whoever only reads the events knows the table, and when it is stuck."""
    for beat in wilful_match(seed, mode):
        assert told_in_order(beat.events)
        assert told(beat.before, beat.events) == table_of(beat.after)
        assert any(isinstance(event, MatchOver) for event in beat.events) is beat.after.over
        if beat.after.game is None:
            continue  # somebody left before the first deal
        game = game_of(beat.after)
        changed = any(isinstance(event, Landed | Refilled | Spat) for event in beat.events)
        stands = beat.after.playing and not any(can_act(beat.after, seat) for seat in SEATS)
        assert (BothStuck(game.number) in beat.events) is (changed and stands)
        for event in beat.events:
            if isinstance(event, GameOver):
                assert (event.outcome, event.cards_left) == (game.outcome, cards_left(game))


@pytest.mark.long
@given(SEEDS, MODES)
@UNHURRIED_FEW
def test_legality_is_what_the_rules_say(seed: int, mode: RefillMode) -> None:
    """R7, R8, R11-R14, R20-R22: against the rules written a second time, over all moves."""
    for beat in wilful_match(seed, mode)[::3]:
        match = beat.before
        for seat in SEATS:
            asked = every_move(match, seat)
            assert [m for m in asked if legal(match, seat, m)] == [
                m for m in asked if allowed(match, seat, m)
            ]
            if match.game is not None:
                assert set(plays(match.game, seat)) == {
                    m for m in asked if isinstance(m, Play) and allowed(match, seat, m)
                }
            assert can_refill(match, seat) is any(
                isinstance(m, Refill) and allowed(match, seat, m) for m in asked
            )
            on_piles = match.playing and all(game_of(match).piles)
            assert stuck(match, seat) is (on_piles and not can_act(match, seat))


# The table as the events tell it.

Table = tuple[list[list[Card | None]], list[set[Card]], list[list[Card]]]


def table_of(match: Match) -> Table | None:
    game = match.game
    if game is None:
        return None
    layouts, stocks, piles = game.layouts, game.stocks, game.piles
    return [*map(list, layouts)], [*map(set, stocks)], [*map(list, piles)]


def told(before: Match, events: tuple[Event, ...]) -> Table | None:
    """The table after a beat, from the table before it and the beat's events alone."""
    table = table_of(before)
    for event in events:
        if isinstance(event, Dealt):
            layouts = [*map(list, event.layouts)]
            table = layouts, [set(deck(s)) - set(layouts[s]) for s in SEATS], [[], []]
        elif table is not None:
            _retell(table, event)
    return table


def _retell(table: Table, event: Event) -> None:
    layouts, stocks, piles = table
    match event:
        case Spat(cards=turned):
            for seat, card in enumerate(turned):
                if card is not None:
                    stocks[seat].remove(card)
                    piles[seat].append(card)
        case Landed(seat=seat, slot=slot, card=card, pile=pile):
            assert layouts[seat][slot] == card
            layouts[seat][slot] = None
            piles[pile].append(card)
        case Beaten(seat=seat, slot=slot, card=card, pile=pile, by=top):
            assert (layouts[seat][slot], piles[pile][-1]) == (card, top)
        case Refilled(seat=seat, slot=slot, card=card, stock=left):
            assert layouts[seat][slot] is None
            stocks[seat].remove(card)
            layouts[seat][slot] = card
            assert len(stocks[seat]) == left
        case _:
            pass


def told_in_order(events: tuple[Event, ...]) -> bool:
    """What was done; then at most one of stuck and the game's end; then the match's end."""
    places = [
        2 if isinstance(event, MatchOver) else int(isinstance(event, BothStuck | GameOver))
        for event in events
    ]
    return places == sorted(places) and max(places.count(1), places.count(2)) <= 1


# The rules of legality, written a second time and without haste.


def every_move(match: Match, seat: Seat) -> list[Move]:
    """More moves than can be legal: every card on every pile, aimed well and badly."""
    moves: list[Move] = [Deal(), Ready(), Spit(), Concede(), Leave(), *map(Refill, range(-1, 6))]
    if match.game is not None:
        sizes = [len(pile) for pile in match.game.piles]
        moves += [
            Play(Card(card), pile, sizes[pile] + more)
            for card in range(104)
            for pile in (0, 1)
            for more in (-1, 0, 1)
        ]
    return moves


def allowed(match: Match, seat: Seat, move: Move) -> bool:
    if match.result is not None:
        return False
    if isinstance(move, Leave):
        return True
    if isinstance(move, Deal) or not match.playing:
        return isinstance(move, Deal) and not match.playing
    game = game_of(match)
    match move:
        case Play(card, pile, pile_size):
            lies_as_aimed = 0 < len(game.piles[pile]) == pile_size
            return card in game.layouts[seat] and lies_as_aimed and _beside(card, game.piles[pile])
        case Refill(slot):
            manual = match.settings.refill == "manual" and 0 <= slot < 4
            return manual and game.layouts[seat][slot] is None and len(game.stocks[seat]) > 0
        case Ready():
            first_spit = not any(game.piles)
            both_stuck = not any(can_act(match, each) for each in SEATS)
            return (first_spit or both_stuck) and not game.ready[seat]
        case Spit():
            return game.ready == (True, True)
    return isinstance(move, Concede)


def _beside(card: Card, pile: tuple[Card, ...]) -> bool:
    return (rank(card) - rank(pile[-1])) % 13 in (1, 12)


def can_act(match: Match, seat: Seat) -> bool:
    """Whether a card of the seat's fits a pile, or a slot can be filled."""
    game = game_of(match)
    held = [card for card in game.layouts[seat] if card is not None]
    on_a_pile = any(_beside(card, pile) for card in held for pile in game.piles if pile)
    return on_a_pile or (len(held) < 4 and len(game.stocks[seat]) > 0)
