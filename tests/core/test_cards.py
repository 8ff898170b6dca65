"""Cards: numbers, faces, and the circle of ranks."""

import pytest

from spitnet.core.cards import RANKS, SUITS, Card, card_of, deck, face, fits, owner, rank, suit

ALL_CARDS = deck(0) + deck(1)


def test_two_decks_of_52_in_which_each_card_is_known_by_owner_rank_and_suit() -> None:
    """R1"""
    assert tuple(range(104)) == ALL_CARDS
    assert len({(owner(card), rank(card), suit(card)) for card in ALL_CARDS}) == 104
    assert {owner(card) for card in deck(1)} == {1}


def test_the_same_face_can_come_from_either_deck() -> None:
    """R1"""
    assert face(card_of("10H", 0)) == face(card_of("10H", 1)) == "10H"
    assert card_of("10H", 0) != card_of("10H", 1)


def test_a_card_is_52_owner_4_rank_suit() -> None:
    assert card_of("AS", 0) == 0
    assert card_of("10H", 0) == 4 * 9 + 1
    assert card_of("KC", 1) == 103


def test_faces_and_cards_are_inverse() -> None:
    assert [card_of(face(card), owner(card)) for card in ALL_CARDS] == list(ALL_CARDS)
    assert {face(card) for card in deck(0)} == {r + s for r in RANKS for s in SUITS}


@pytest.mark.parametrize("text", ["", "1H", "11H", "10h", "HA", "A", "A S", "-", "AH "])
def test_what_is_no_face_is_refused_by_name(text: str) -> None:
    with pytest.raises(ValueError, match="not a card"):
        card_of(text, 0)


@pytest.mark.parametrize(
    ("card", "top", "fit"),
    [
        ("AS", "KD", True),
        ("KD", "AS", True),
        ("AS", "2C", True),
        ("2C", "AS", True),
        ("10H", "9H", True),
        ("10H", "JS", True),
        ("QS", "KS", True),
        ("5H", "5D", False),
        ("2H", "KH", False),
        ("3H", "AH", False),
        ("QH", "AH", False),
    ],
)
def test_one_rank_up_or_down_fits_round_the_circle(card: str, top: str, fit: bool) -> None:
    """R2, R8: an ace lies beside king and two; an equal rank does not fit."""
    for seat in (0, 1):
        assert fits(card_of(card, seat), card_of(top, 0)) is fit
        assert fits(card_of(card, seat), card_of(top, 1)) is fit


def test_fitting_is_the_circle_of_13_whatever_the_suit_and_the_owner() -> None:
    """R2, R8: against the definition, for every pair of cards."""
    for top in ALL_CARDS:
        for card in ALL_CARDS:
            assert fits(card, top) is ((rank(card) - rank(top)) % 13 in (1, 12))


def test_of_two_cards_that_fit_one_top_neither_fits_the_other() -> None:
    """R10, C8: they differ by 0 or 2 ranks, so that exactly one of them can land."""
    for top in map(Card, range(52)):
        fitting = [card for card in ALL_CARDS if fits(card, top)]
        assert len(fitting) == 16
        for card in fitting:
            assert {(rank(card) - rank(rival)) % 13 for rival in fitting} <= {0, 2, 11}
            assert not any(fits(card, rival) for rival in fitting)
