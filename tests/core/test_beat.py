"""Beats: what each combination of moves does to the table, and what is told about it."""

import pytest
from support.games import cards, chance, game_of, lay, play, stuck, tossing
from support.invariants import violated

from spitnet.core.beat import apply_beat
from spitnet.core.cards import Seat, card_of, deck, other
from spitnet.core.draw import Randomness
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
from spitnet.core.legality import legal
from spitnet.core.moves import Concede, Deal, Leave, Move, Moves, Ready, Refill, Spit
from spitnet.core.state import Match, Outcome, Reason, RefillMode, Settings, new_match

MANUAL = Settings(refill=RefillMode.MANUAL)
HERE = chance("here")
BOTH = (True, True)


def beat(
    match: Match, moves: Moves, randomness: Randomness = HERE
) -> tuple[Match, tuple[Event, ...]]:
    """The beat, once it is sure that its moves are legal and that it leaves nothing broken."""
    for seat, move in enumerate(moves):
        assert move is None or legal(match, seat, move)
    after, events = apply_beat(match, moves, randomness)
    assert violated(after) == ()
    return after, events


def by(seat: Seat, move: Move) -> Moves:
    return (move, None) if seat == 0 else (None, move)


def kinds(events: tuple[Event, ...]) -> list[type[Event]]:
    return [type(event) for event in events]


# Deal and spit.


@pytest.mark.parametrize("moves", [(Deal(), None), (None, Deal()), (Deal(), Deal())])
def test_a_deal_lays_four_drawn_cards_of_each_deck(moves: Moves) -> None:
    """R3, R4: and both asking for it is one deal."""
    match, events = beat(new_match(Settings()), moves)
    game = game_of(match)
    assert events == (Dealt(1, game.layouts),)
    for seat in (0, 1):
        draws, stock = HERE.draws(seat), list(deck(seat))
        layout = [stock.pop(draws.index(len(stock))) for _ in range(4)]
        assert game.layouts[seat] == tuple(layout)
        assert game.stocks[seat] == tuple(stock)
    assert game.piles == ((), ())
    assert game.ready == (False, False)


def test_getting_ready_is_no_event() -> None:
    """R7: nothing on the table changes."""
    match, _ = beat(new_match(Settings()), (Deal(), None))
    one, events = beat(match, (None, Ready()))
    assert (game_of(one).ready, events) == ((False, True), ())
    both, events = beat(match, (Ready(), Ready()))
    assert (game_of(both).ready, events) == (BOTH, ())


@pytest.mark.parametrize(
    ("moves", "said_by"),
    [((Spit(), None), (0,)), ((None, Spit()), (1,)), ((Spit(), Spit()), (0, 1))],
)
@pytest.mark.parametrize("first", [0, 1])
def test_a_spit_turns_one_card_of_each_stock_onto_its_own_pile(
    moves: Moves, said_by: tuple[Seat, ...], first: Seat
) -> None:
    """R7: whoever says it, and both saying it is one spit."""
    match, _ = beat(new_match(Settings()), (Deal(), None))
    match, _ = beat(match, (Ready(), Ready()))
    before, randomness = game_of(match), tossing(first)
    match, events = beat(match, moves, randomness)
    game = game_of(match)
    turned = tuple(before.stocks[s][randomness.draws(s).index(48)] for s in (0, 1))
    assert events[0] == Spat(1, said_by, turned)  # type: ignore[arg-type]
    assert kinds(events[1:]) in ([], [BothStuck])
    assert game.piles == ((turned[0],), (turned[1],))
    assert [len(stock) for stock in game.stocks] == [47, 47]
    assert game.ready == (False, False)


def test_a_spit_lands_on_top_of_the_piles_that_lie_there() -> None:
    """R14"""
    match = lay(
        ("2H 3S 4H 5S", "2D 3C 4D 5C"), ("9H 10H", "9D"), ("KS", "8S"), ready=BOTH
    )  # fmt: skip
    before = game_of(match)
    after, events = beat(match, (Spit(), None))
    assert game_of(after).piles == (
        before.piles[0] + cards(0, "KS"),
        before.piles[1] + cards(1, "8S"),
    )
    assert events[0] == Spat(1, (0,), (card_of("KS", 0), card_of("8S", 1)))


@pytest.mark.parametrize("spitter", [0, 1])
@pytest.mark.parametrize("said_by", [0, 1])
def test_a_lone_spit_goes_onto_ones_own_pile_only(spitter: Seat, said_by: Seat) -> None:
    """R15: the one without stock may say it, and has nothing to spit."""
    stocks = ("KS QS", "") if spitter == 0 else ("", "KS QS")
    match = lay(("2H 3S 4H 5S", "2D 3C 4D 5C"), ("9H", "9D"), stocks, ready=BOTH)
    before = game_of(match)
    after, events = beat(match, by(said_by, Spit()))
    spat = events[0]
    assert isinstance(spat, Spat)
    card = spat.cards[spitter]
    assert card in cards(spitter, "KS QS")
    assert spat.cards[other(spitter)] is None
    assert game_of(after).piles[spitter] == (*before.piles[spitter], card)
    assert game_of(after).piles[other(spitter)] == before.piles[other(spitter)]


def test_a_spit_can_follow_a_spit() -> None:
    """R14: still stuck, so it is told again, until a card fits or the stocks are empty."""
    match = lay(("2H 3S 4H 5S", "2D 3C 4D 5C"), ("9H", "9D"), ("JS KS", "JH KH"))
    told = []
    for _ in range(2):
        match, _ = beat(match, (Ready(), Ready()))
        match, events = beat(match, (Spit(), None))
        told.append(kinds(events))
    # JS, KS, JH and KH fit no card of 2 to 5, whatever comes first.
    assert told == [[Spat, BothStuck], [Spat, GameOver, MatchOver]]


# Plays and refills.


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("pile", [0, 1])
def test_a_play_lands_and_its_refill_comes_with_it(seat: Seat, pile: int) -> None:
    """R8, R11 (auto): into the slot that the card left."""
    match = lay(("2H 3S 8H 5S", "2D 3C 8D 5C"), ("9H", "9D"))
    before, face = game_of(match), ("8H", "8D")[seat]
    stock = before.stocks[seat]
    after, events = beat(match, by(seat, play(match, seat, face, pile)))
    game, drawn = game_of(after), stock[HERE.draws(seat).index(len(stock))]
    assert events[:2] == (
        Landed(1, seat, 2, card_of(face, seat), pile),
        Refilled(1, seat, 2, drawn, len(stock) - 1),
    )
    assert game.piles[pile][-1] == card_of(face, seat)
    assert game.layouts[seat] == (*before.layouts[seat][:2], drawn, before.layouts[seat][3])
    assert game.stocks[seat] == tuple(card for card in stock if card != drawn)
    assert game.layouts[other(seat)] == before.layouts[other(seat)]
    assert game.piles[1 - pile] == before.piles[1 - pile]


def test_without_stock_the_slot_stays_empty() -> None:
    """R11, R15: one plays on with the layout alone."""
    match = lay(("2H 3S 8H 9S", "2D 3C 8D 5C"), ("9H", "10D"), ("", None))
    after, events = beat(match, (play(match, 0, "8H", 0), None))
    assert kinds(events) == [Landed]
    assert game_of(after).layouts[0] == (*cards(0, "2H 3S"), None, *cards(0, "9S"))
    assert legal(after, 0, play(after, 0, "9S", 0))


def test_a_manual_refill_is_a_move_of_its_own() -> None:
    """R11 (manual): a play leaves its slot empty until the player asks."""
    match = lay(("2H 3S 8H 5S", "2D 3C 8D 5C"), ("9H", "9D"), ("KS", None), settings=MANUAL)
    match, events = beat(match, (play(match, 0, "8H", 0), None))
    assert kinds(events) == [Landed]
    match, events = beat(match, (Refill(2), None))
    assert events == (Refilled(1, 0, 2, card_of("KS", 0), 0),)
    assert game_of(match).layouts[0] == cards(0, "2H 3S KS 5S")


@pytest.mark.parametrize("first", [0, 1])
def test_a_manual_refill_and_a_play_share_a_beat(first: Seat) -> None:
    """R6, R11: told in the order in which they were applied."""
    match = lay(("2H 3S - 5S", "2D 3C 8D 5C"), ("9H", "9D"), ("KS", None), settings=MANUAL)
    after, events = beat(match, (Refill(2), play(match, 1, "8D", 0)), tossing(first))
    assert kinds(events) == ([Refilled, Landed] if first == 0 else [Landed, Refilled])
    assert game_of(after).layouts[0] == cards(0, "2H 3S KS 5S")


@pytest.mark.parametrize("first", [0, 1])
def test_two_plays_on_different_piles_both_land(first: Seat) -> None:
    """R6: in one beat, each with its refill, in applied order."""
    match = lay(("2H 3S 8H 5S", "2D 3C 8D 5C"), ("9H", "9D"))
    moves = (play(match, 0, "8H", 1), play(match, 1, "8D", 0))
    after, events = beat(match, moves, tossing(first))
    assert kinds(events)[:4] == [Landed, Refilled, Landed, Refilled]
    assert [e.seat for e in events if isinstance(e, Landed)] == [first, other(first)]
    assert [e.seat for e in events if isinstance(e, Refilled)] == [first, other(first)]
    assert [pile[-1] for pile in game_of(after).piles] == [card_of("8D", 1), card_of("8H", 0)]


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("theirs", ["8D", "10D"])
def test_of_two_plays_on_one_pile_the_toss_decides_and_the_other_is_beaten(
    first: Seat, theirs: str
) -> None:
    """R10: ranks 0 or 2 apart; the card goes back to its slot and hears what beat it."""
    match = lay(("2H 3S 8H 5S", f"2D {theirs} 4D 5C"), ("9H", "KD"))
    before = game_of(match)
    moves = (play(match, 0, "8H", 0), play(match, 1, theirs, 0))
    after, events = beat(match, moves, tossing(first))
    game, played = game_of(after), (card_of("8H", 0), card_of(theirs, 1))
    slots, second = (2, 1), other(first)
    assert events[0] == Landed(1, first, slots[first], played[first], 0)
    assert isinstance(events[1], Refilled)
    assert events[2] == Beaten(1, second, slots[second], played[second], 0, played[first])
    assert game.piles[0] == (*before.piles[0], played[first])
    assert game.layouts[second] == before.layouts[second]
    assert game.stocks[second] == before.stocks[second]


def test_the_loser_of_a_race_may_play_the_same_card_elsewhere() -> None:
    """R9, R10: losing a race is not an illegal move."""
    match = lay(("2H 3S 8H 5S", "2D 8D 4D 5C"), ("9H", "9D"))
    moves = (play(match, 0, "8H", 0), play(match, 1, "8D", 0))
    after, _ = beat(match, moves, tossing(0))
    assert legal(after, 1, play(after, 1, "8D", 1))


# Stuck.


def test_both_stuck_ends_a_beat_that_changed_the_table() -> None:
    """R13: after a play, a refill and a spit; said by the game."""
    match = lay(("8H 2H 3S 4H", "2D 3C 4D 5C"), ("9H", "10D"), ("KS QS", "KH"))
    after, events = beat(match, (play(match, 0, "8H", 0), None))
    assert kinds(events) == [Landed, Refilled, BothStuck]
    assert events[-1] == BothStuck(1)
    assert stuck(after, 0)
    assert stuck(after, 1)


def test_a_manual_refill_can_leave_both_stuck() -> None:
    """R13"""
    match = lay(("2H 3S - 5S", "2D 3C 4D 5C"), ("9H", "9D"), ("KS", "KH"), settings=MANUAL)
    after, events = beat(match, (Refill(2), None))
    assert kinds(events) == [Refilled, BothStuck]
    assert stuck(after, 0)


def test_stuck_is_not_claimed_while_a_refill_is_possible() -> None:
    """R13"""
    match = lay(("8H 2H 3S 4H", "2D 3C 4D 5C"), ("9H", "10D"), ("KS", "KH"), settings=MANUAL)
    after, events = beat(match, (play(match, 0, "8H", 0), None))
    assert kinds(events) == [Landed]
    assert not stuck(after, 0)


def test_getting_ready_while_stuck_does_not_tell_stuck_again() -> None:
    """R14"""
    match = lay(("2H 3S 4H 5S", "2D 3C 4D 5C"), ("9H", "9D"))
    _, events = beat(match, (Ready(), Ready()))
    assert events == ()


def test_one_player_stuck_is_no_event() -> None:
    """R13: play goes on until both are."""
    match = lay(("8H 2H 3S 4H", "2D 3C 4D 9C"), ("9H", "KD"), ("QS", None))
    after, events = beat(match, (play(match, 0, "8H", 0), None))
    assert kinds(events) == [Landed, Refilled]
    assert not stuck(after, 1)


# Ends of a game.


def ending(match: Match, moves: Moves, randomness: Randomness = HERE) -> tuple[Outcome, list[int]]:
    """The outcome and the cards left; the match of one game is told to be over right after."""
    after, events = beat(match, moves, randomness)
    told, last = events[-2:]
    assert isinstance(told, GameOver)
    assert game_of(after).outcome == told.outcome
    assert last == MatchOver(after.wins, after.draws, told.outcome.winner)
    assert BothStuck not in kinds(events)
    return told.outcome, list(told.cards_left)


@pytest.mark.parametrize("seat", [0, 1])
def test_who_plays_the_last_card_wins(seat: Seat) -> None:
    """R5, R16"""
    rows, face = (("- - 8H -", "2D 3C 4D 5C"), "8H"), ("8H", "8D")[seat]
    if seat == 1:
        rows = (("2D 3C 4D 5C", "- - 8D -"), "8D")
    stocks = ("", None) if seat == 0 else (None, "")
    match = lay(rows[0], ("9H", "9D"), stocks)
    outcome, left = ending(match, by(seat, play(match, seat, face, 1)))
    assert outcome == Outcome(seat, Reason.OUT)
    assert left[seat] == 0
    assert left[other(seat)] == 4 + 47


def test_the_last_layout_card_does_not_win_while_a_stock_is_left() -> None:
    """R16 (manual refills)"""
    match = lay(("- - 8H -", "2D 3C 4D 5C"), ("9H", "9D"), ("KS", None), settings=MANUAL)
    after, events = beat(match, (play(match, 0, "8H", 0), None))
    assert kinds(events) == [Landed]
    assert after.playing


def test_both_stocks_empty_and_both_stuck_fewer_cards_win() -> None:
    """R17: the last play leaves nothing that fits."""
    match = lay(("8H 2H - -", "2D 3C 4D 5C"), ("9H", "KD"), ("", ""))
    assert ending(match, (play(match, 0, "8H", 0), None)) == (Outcome(0, Reason.FEWEST), [1, 4])
    match = lay(("4H 3H 2S 6C", "2D - QD 5C"), ("9H", "KD"), ("", ""))
    assert ending(match, (None, play(match, 1, "QD", 1))) == (Outcome(1, Reason.FEWEST), [4, 2])


def test_equal_cards_when_both_are_stuck_for_good_is_a_draw() -> None:
    """R18"""
    match = lay(("8H 2H 3S -", "2D 3C - -"), ("9H", "KD"), ("", ""))
    outcome = Outcome(None, Reason.LEVEL)
    assert ending(match, (play(match, 0, "8H", 0), None)) == (outcome, [2, 2])


def test_a_spit_that_empties_the_stocks_can_end_the_game() -> None:
    """R14, R15, R17: nothing that it turned up helps, and nothing is left to turn up."""
    match = lay(("2H 3S - -", "2D 3C 5D 4D"), ("9H", "9D"), ("", "JH"), ready=BOTH)
    assert ending(match, (None, Spit())) == (Outcome(0, Reason.FEWEST), [2, 4])


def test_a_refill_that_empties_the_stocks_can_end_the_game() -> None:
    """R11, R17"""
    match = lay(("2H 3S - -", "2D 3C - 4D"), ("9H", "9D"), ("", "JH"), settings=MANUAL)
    assert ending(match, (None, Refill(2))) == (Outcome(0, Reason.FEWEST), [2, 4])


@pytest.mark.parametrize("first", [0, 1])
def test_both_last_cards_on_different_piles_is_a_dead_heat(first: Seat) -> None:
    """R19: both land; the end is judged after the whole beat."""
    match = lay(("- 8H - -", "8D - - -"), ("9H", "9D"), ("", ""))
    moves = (play(match, 0, "8H", 0), play(match, 1, "8D", 1))
    _, events = beat(match, moves, tossing(first))
    assert kinds(events) == [Landed, Landed, GameOver, MatchOver]
    assert ending(match, moves, tossing(first)) == (Outcome(None, Reason.DEAD_HEAT), [0, 0])


@pytest.mark.parametrize("first", [0, 1])
def test_both_last_cards_on_one_pile_is_a_race(first: Seat) -> None:
    """R10, R16: exactly one lands, and wins."""
    match = lay(("- 8H - -", "8D - - -"), ("9H", "9D"), ("", ""))
    moves = (play(match, 0, "8H", 0), play(match, 1, "8D", 0))
    _, events = beat(match, moves, tossing(first))
    assert kinds(events) == [Landed, Beaten, GameOver, MatchOver]
    outcome, left = ending(match, moves, tossing(first))
    assert outcome == Outcome(first, Reason.OUT)
    assert left[other(first)] == 1


# Giving up.


@pytest.mark.parametrize("give_up", [Concede(), Leave()])
@pytest.mark.parametrize("seat", [0, 1])
def test_who_gives_up_loses_the_game(give_up: Move, seat: Seat) -> None:
    """R20, R22: while both are stuck too."""
    match = lay(("2H 3S 4H 5S", "2D 3C 4D 5C"), ("9H", "9D"), ("KS", "KH"))
    outcome = Outcome(other(seat), Reason.CONCEDED)
    assert ending(match, by(seat, give_up)) == (outcome, [5, 5])


@pytest.mark.parametrize("one", [Concede(), Leave()])
@pytest.mark.parametrize("another", [Concede(), Leave()])
def test_both_giving_up_is_a_draw(one: Move, another: Move) -> None:
    """R20"""
    match = lay(("2H 3S 4H 5S", "2D 3C 4D 5C"), ("9H", "9D"))
    assert ending(match, (one, another))[0] == Outcome(None, Reason.CONCEDED)


@pytest.mark.parametrize("give_up", [Concede(), Leave()])
@pytest.mark.parametrize("first", [0, 1])
def test_the_rest_of_the_beat_is_applied_before_giving_up(give_up: Move, first: Seat) -> None:
    """R20: the play and its refill come first, whatever the toss."""
    match = lay(("2H 3S 8H 5S", "2D 3C 4D 5C"), ("9H", "9D"))
    moves = (play(match, 0, "8H", 0), give_up)
    _, events = beat(match, moves, tossing(first))
    assert kinds(events) == [Landed, Refilled, GameOver, MatchOver]
    assert ending(match, moves, tossing(first))[0] == Outcome(0, Reason.CONCEDED)


@pytest.mark.parametrize("give_up", [Concede(), Leave()])
def test_a_last_card_in_the_beat_stands_against_giving_up(give_up: Move) -> None:
    """R16, R20"""
    match = lay(("- - 8H -", "2D 3C 4D 5C"), ("9H", "9D"), ("", None))
    moves = (play(match, 0, "8H", 0), give_up)
    assert ending(match, moves)[0] == Outcome(0, Reason.OUT)


def test_giving_up_comes_before_counting_cards() -> None:
    """R17, R20: only R16 and R19 stand against it; seat 0 would have had fewer cards."""
    match = lay(("8H 2H - -", "2D 3C 4D 5C"), ("9H", "KD"), ("", ""))
    assert ending(match, (play(match, 0, "8H", 0), Concede()))[0] == Outcome(0, Reason.CONCEDED)
    match = lay(("2H 3S - -", "2D 3C 5D 4D"), ("9H", "9D"), ("", "JH"), ready=BOTH)
    assert ending(match, (Concede(), Spit())) == (Outcome(1, Reason.CONCEDED), [2, 4])


@pytest.mark.parametrize("move", [Ready(), Spit()])
def test_giving_up_meets_ready_and_spit(move: Move) -> None:
    """R7, R20"""
    ready = (isinstance(move, Spit), True) if isinstance(move, Spit) else (False, False)
    match = lay(("2H 3S 4H 5S", "2D 3C 4D 5C"), ("9H", "9D"), ready=ready)
    after, events = beat(match, (move, Concede()))
    assert kinds(events) == [*([Spat] if any(ready) else []), GameOver, MatchOver]
    assert game_of(after).outcome == Outcome(0, Reason.CONCEDED)


def test_giving_up_meets_a_manual_refill() -> None:
    """R11, R20"""
    match = lay(("2H 3S - 5S", "2D 3C 8D 5C"), ("9H", "9D"), ("KS", None), settings=MANUAL)
    _, events = beat(match, (Refill(2), Concede()))
    assert kinds(events) == [Refilled, GameOver, MatchOver]
