"""Cards and seats: what a card is, how it is written, and which card fits on which.

Nothing here knows of a table, a stock or a move; the only rule here is the circle of ranks.
"""

from typing import Final, NewType, TypeAlias

Seat: TypeAlias = int
"""0 is the host, 1 the joiner."""

Card = NewType("Card", int)
"""52 * owner + 4 * rank + suit, so 0..103; `RANKS` and `SUITS` are in the order of the numbers."""

SEATS: Final[tuple[Seat, Seat]] = (0, 1)
RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS: Final = ("S", "H", "D", "C")
DECK_SIZE: Final = 52

_FACES: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)
_NUMBERS: Final = {face: number for number, face in enumerate(_FACES)}


def other(seat: Seat) -> Seat:
    """The seat across the table."""
    return 1 - seat


def owner(card: Card) -> Seat:
    """The seat whose deck the card is from.

    Source: R1.
    """
    return card // DECK_SIZE


def rank(card: Card) -> int:
    """0..12, an index into `RANKS`: the ace is 0, the king 12."""
    return card % DECK_SIZE // len(SUITS)


def suit(card: Card) -> int:
    """0..3, an index into `SUITS`."""
    return card % len(SUITS)


def face(card: Card) -> str:
    """Rank then suit, as `10H`; the two decks' cards of one face are written alike."""
    return _FACES[card % DECK_SIZE]


def card_of(face: str, owner: Seat) -> Card:
    """The card that `face` names in the deck of `owner`; the inverse of `face`.

    Raises: ValueError if no card is written so (lower case and spaces included).
    """
    number = _NUMBERS.get(face)
    if number is None:
        raise ValueError(f"not a card: {face!r}")
    return Card(DECK_SIZE * owner + number)


def deck(seat: Seat) -> tuple[Card, ...]:
    """The 52 cards of a seat, ascending."""
    return tuple(Card(DECK_SIZE * seat + number) for number in range(DECK_SIZE))


def _neighbours(top: Card) -> frozenset[Card]:
    steps = (1, len(RANKS) - 1)
    every_card = deck(0) + deck(1)
    return frozenset(card for card in every_card if abs(rank(card) - rank(top)) in steps)


FITTING: Final = tuple(_neighbours(card) for card in deck(0) + deck(1))
"""For each card as the top of a pile, all the cards that fit on it. Source: R2, R8."""


def fits(card: Card, top: Card) -> bool:
    """Whether `card` may be played on `top`: one rank above or below, round the circle.

    Source: R2, R8.
    """
    return card in FITTING[top]
