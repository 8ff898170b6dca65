"""Legality: each rule about who may do what, when."""

import pytest
from support.games import cards, chance, game_of, lay, play, stuck

from spitnet.core.beat import apply_beat
from spitnet.core.cards import Card, card_of
from spitnet.core.legality import aimed, can_refill, legal, owed_by, plays
from spitnet.core.moves import Concede, Deal, Leave, Move, Moves, Play, Ready, Refill, Spit
from spitnet.core.state import Match, RefillMode, Settings, new_match

MANUAL = Settings(refill=RefillMode.MANUAL)
EVERY_KIND: tuple[Move, ...] = (
    Deal(), Ready(), Spit(), Play(Card(0), 0, 1), Refill(0), Concede(), Leave(),
)  # fmt: skip


def then(match: Match, *beats: Moves) -> Match:
    """The match after these beats, each of which must be legal."""
    for number, moves in enumerate(beats):
        for seat, move in enumerate(moves):
            assert move is None or legal(match, seat, move)
        match, _ = apply_beat(match, moves, chance("then", number))
    return match


def dealt() -> Match:
    return then(new_match(Settings()), (Deal(), None))


def both_stuck() -> Match:
    """Neither can play; both have a stock."""
    return lay(("2H 3S 4H 5S", "2D 3C 4D 5C"), ("9H", "9D"))


def test_before_a_deal_one_can_deal_or_leave() -> None:
    """R3, R21, R22"""
    match = new_match(Settings())
    for seat in (0, 1):
        legal_kinds = [type(move) for move in EVERY_KIND if legal(match, seat, move)]
        assert legal_kinds == [Deal, Leave]
        assert not legal(match, seat, Ready())
        assert not legal(match, seat, Concede())


def test_no_deal_during_a_game() -> None:
    """R21"""
    assert not legal(dealt(), 0, Deal())


def test_nothing_is_legal_once_the_match_is_over() -> None:
    """R21, R22"""
    match = then(dealt(), (Leave(), None))
    for seat in (0, 1):
        assert not any(legal(match, seat, move) for move in EVERY_KIND)


def test_after_a_game_the_next_can_be_dealt_but_nothing_be_played() -> None:
    """R21"""
    laid = lay(("9H 3S 4H 5S", "9D 3C 4D 5C"), ("8H", "8D"), settings=Settings(games=3))
    match = then(laid, (Concede(), None))
    assert plays(game_of(match), 0) == ()
    assert not legal(match, 0, play(match, 0, "9H", 0))
    assert not stuck(match, 0)
    assert owed_by(match) is None
    assert legal(match, 0, Deal())
    assert legal(match, 1, Deal())


def test_a_first_spit_needs_both_ready() -> None:
    """R7: either may say it, but not before both are ready."""
    match = dealt()
    assert not legal(match, 0, Spit())
    match = then(match, (Ready(), None))
    assert not legal(match, 0, Spit())
    assert not legal(match, 1, Spit())
    match = then(match, (None, Ready()))
    assert legal(match, 0, Spit())
    assert legal(match, 1, Spit())


def test_ready_is_said_once() -> None:
    """R7"""
    match = then(dealt(), (Ready(), None))
    assert not legal(match, 0, Ready())
    assert legal(match, 1, Ready())


def test_nothing_can_be_played_before_the_first_spit() -> None:
    """R7, R8: there is no pile."""
    match = dealt()
    assert plays(game_of(match), 0) == plays(game_of(match), 1) == ()
    card = game_of(match).layouts[0][0]
    assert card is not None
    assert not legal(match, 0, Play(card, 0, 0))


def test_ready_is_refused_while_either_can_play() -> None:
    """R7: before the first spit and while both are stuck, at no other time."""
    match = lay(("8H 3S 4H 5S", "2D 3C 4D 5C"), ("9H", "9D"))
    assert stuck(match, 1)
    assert not stuck(match, 0)
    assert not legal(match, 0, Ready())
    assert not legal(match, 1, Ready())


def test_both_stuck_get_ready_and_spit_again() -> None:
    """R13, R14: and the spit clears it."""
    match = both_stuck()
    assert stuck(match, 0)
    assert stuck(match, 1)
    assert not legal(match, 0, Spit())
    match = then(match, (Ready(), Ready()), (None, Spit()))
    assert game_of(match).ready == (False, False)
    assert not legal(match, 0, Spit())


def test_who_has_nothing_to_spit_gets_ready_too() -> None:
    """R14, R15"""
    match = lay(("2H 3S 4H 5S", "2D 3C 4D 5C"), ("9H", "9D"), (None, ""))
    match = then(match, (Ready(), None))
    assert not legal(match, 0, Spit())
    match = then(match, (None, Ready()))
    assert legal(match, 1, Spit())


def test_a_play_needs_the_card_the_pile_the_size_and_the_rank() -> None:
    """R8, R10"""
    match = lay(("8H 3S 4H -", "2D 3C 4D 5C"), ("9H", "5D"), ("", None))
    eight, four = card_of("8H", 0), card_of("4H", 0)
    size = len(game_of(match).piles[0])
    assert legal(match, 0, Play(eight, 0, size))
    assert not legal(match, 0, Play(eight, 1, 1))
    assert legal(match, 0, Play(four, 1, 1))
    assert not legal(match, 0, Play(eight, 0, size - 1))
    assert not legal(match, 0, Play(four, 0, size + 1))
    assert not legal(match, 0, Play(eight, 2, size))
    assert not legal(match, 0, Play(eight, -1, size))
    assert not legal(match, 1, Play(eight, 0, size))
    assert not legal(match, 0, Play(card_of("10H", 0), 0, size))
    assert not legal(match, 0, Play(Card(255), 0, size))


def test_ace_goes_on_king_and_on_two_and_an_equal_rank_on_nothing() -> None:
    """R2, R8"""
    match = lay(("AH KS 2H 5S", "9D 3C 4D 5C"), ("KH", "2D"))
    assert plays(game_of(match), 0) == (play(match, 0, "AH", 0), play(match, 0, "AH", 1))
    assert not legal(match, 0, play(match, 0, "KS", 0))
    assert not legal(match, 0, play(match, 0, "2H", 1))


def test_both_play_on_both_piles() -> None:
    """R6, R7, R8: no turns, and a pile belongs to nobody."""
    match = lay(("8H 3S 4H 5S", "8D 3C 4D 5C"), ("9H", "9D"))
    for seat, face in ((0, "8H"), (1, "8D")):
        assert plays(game_of(match), seat) == (
            play(match, seat, face, 0),
            play(match, seat, face, 1),
        )


def test_a_waiting_play_is_aimed_again_at_the_pile_as_it_is() -> None:
    """R10: the size changes with the pile, the rest stays."""
    match = lay(("8H 3S 4H 5S", "8D 3C 4D 5C"), ("9H", "9D"))
    old = play(match, 0, "8H", 0)
    match = then(match, (None, play(match, 1, "8D", 0)))
    assert not legal(match, 0, old)
    assert aimed(game_of(match), old) == Play(old.card, 0, old.pile_size + 1)
    assert not legal(match, 0, aimed(game_of(match), old))


def test_refills_are_asked_for_only_where_they_are_manual() -> None:
    """R11"""
    match = lay(("8H 3S 4H -", "8D 3C 4D 5C"), ("9H", "9D"), ("", None))
    assert not legal(match, 0, Refill(3))
    assert not can_refill(match, 0)
    assert not can_refill(new_match(MANUAL), 0)


def test_a_manual_refill_needs_an_empty_slot_and_a_stock() -> None:
    """R11, R12: never more than four cards."""
    match = lay(("8H - 4H -", "8D - 4D 5C"), ("9H", "9D"), ("KS", ""), settings=MANUAL)
    assert can_refill(match, 0)
    assert not can_refill(match, 1)
    assert legal(match, 0, Refill(1))
    assert legal(match, 0, Refill(3))
    assert not legal(match, 0, Refill(0))
    assert not legal(match, 1, Refill(1))
    assert not legal(match, 0, Refill(4))
    assert not legal(match, 0, Refill(-1))


def test_nobody_is_stuck_before_the_first_spit() -> None:
    """R13: once piles lie there."""
    assert not stuck(dealt(), 0)
    assert not stuck(new_match(Settings()), 0)


def test_not_stuck_while_a_refill_is_possible() -> None:
    """R13: an empty slot and a stock; not an empty slot alone, nor a stock alone."""
    faces = ("2H 3S 4H -", "2D 3C 4D 5C")
    match = lay(faces, ("9H", "9D"), (None, None), settings=MANUAL)
    assert not stuck(match, 0)
    assert stuck(match, 1)
    assert not legal(match, 1, Ready())
    assert stuck(lay(faces, ("9H", "9D"), ("", None), settings=MANUAL), 0)
    refilled = lay(("2H 3S 4H 5S", faces[1]), ("9H", "9D"), settings=MANUAL)
    assert stuck(refilled, 0)


def test_a_card_that_fits_one_pile_unsticks() -> None:
    """R13: neither pile."""
    assert not stuck(lay(("2H 3S 4H 10S", "2D 3C 4D 5C"), ("KH", "9D")), 0)
    assert not stuck(lay(("2H 3S 4H 10S", "2D 3C 4D 5C"), ("9H", "KD")), 0)


def test_giving_up_is_legal_at_any_time_of_a_game() -> None:
    """R20, R22: while stuck or waiting too."""
    for match in (dealt(), both_stuck(), then(both_stuck(), (Ready(), None))):
        for seat in (0, 1):
            assert legal(match, seat, Concede())
            assert legal(match, seat, Leave())


def test_the_game_waits_for_the_seat_that_alone_has_something_to_do() -> None:
    """R22: while the other is stuck or waits."""
    assert owed_by(new_match(Settings())) is None
    assert owed_by(dealt()) is None
    assert owed_by(then(dealt(), (Ready(), None))) == 1
    assert owed_by(then(dealt(), (None, Ready()))) == 0
    assert owed_by(then(dealt(), (Ready(), Ready()))) is None
    assert owed_by(both_stuck()) is None
    assert owed_by(then(both_stuck(), (None, Ready()))) == 0
    assert owed_by(lay(("8H 3S 4H 5S", "2D 3C 4D 5C"), ("9H", "9D"))) == 0
    assert owed_by(lay(("2H 3S 4H 5S", "8D 3C 4D 5C"), ("9H", "9D"))) == 1
    assert owed_by(lay(("8H 3S 4H 5S", "8D 3C 4D 5C"), ("9H", "9D"))) is None


@pytest.mark.parametrize("seat", [0, 1])
def test_no_legal_play_lacks_from_the_list_and_none_is_in_it_that_is_not(seat: int) -> None:
    """R8: against every play that could be asked for."""
    match = lay(("8H 10S 4H 5S", "8D 6C 4D 5C"), ("9H", "5D"))
    piles = game_of(match).piles
    asked = {
        Play(Card(card), pile, len(piles[pile]) + more)
        for card in range(104)
        for pile in (0, 1)
        for more in (-1, 0, 1)
    }
    found = plays(game_of(match), seat)
    assert len(found) == len(set(found))
    assert {wish for wish in asked if legal(match, seat, wish)} == set(found)
    assert cards(0, "8H")[0] in {wish.card for wish in plays(game_of(match), 0)}
