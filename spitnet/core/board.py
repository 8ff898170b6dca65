"""What moves do to the cards: from stock to layout, and from both to the piles.

One step at a time, each taken to be legal at the beat's start. Which steps make up a beat, and
whether a beat ends the game, is not known here.
"""

from spitnet.core.cards import Card, Seat, deck
from spitnet.core.draw import Draws, Randomness
from spitnet.core.events import Beaten, Event, Landed, Refilled, Spat
from spitnet.core.moves import Play
from spitnet.core.state import LAYOUT_SIZE, Game, Layout

Stock = tuple[Card, ...]


def dealt(number: int, randomness: Randomness) -> Game:
    """A new game: four cards face up from each full deck, slot 0 first, and no piles.

    Source: R3, R4.
    """
    layout_0, stock_0 = _layout_drawn(deck(0), randomness.draws(0))
    layout_1, stock_1 = _layout_drawn(deck(1), randomness.draws(1))
    layouts, stocks = (layout_0, layout_1), (stock_0, stock_1)
    return Game(number, layouts, stocks, ((), ()), (False, False), None)


class Board:
    """The cards of a game under way, while one beat is applied to them.

    `events` tells, in order, what was done. The game that it was made from stays as it was.
    """

    __slots__ = ("_layouts", "_number", "_piles", "_randomness", "_ready", "_stocks", "events")

    def __init__(self, game: Game, randomness: Randomness) -> None:
        self._number = game.number
        self._layouts, self._stocks, self._piles = [*game.layouts], [*game.stocks], [*game.piles]
        self._ready = [*game.ready]
        self._randomness = randomness
        self.events: list[Event] = []

    def game(self) -> Game:
        """The game as it lies now, not judged."""
        (layout_0, layout_1), (stock_0, stock_1) = self._layouts, self._stocks
        (pile_0, pile_1), (ready_0, ready_1) = self._piles, self._ready
        return Game(
            self._number,
            (layout_0, layout_1),
            (stock_0, stock_1),
            (pile_0, pile_1),
            (ready_0, ready_1),
            None,
        )

    def get_ready(self, seat: Seat) -> None:
        """The seat is ready; nothing on the table changes, so there is no event. Source: R7."""
        self._ready[seat] = True

    def spit(self, by: tuple[Seat, ...]) -> None:
        """Each seat turns a card onto its own pile, if it has one, and nobody is ready any more.

        Said again in the same beat, it changes nothing. `by`: the seats that say it, ascending.

        Source: R7, R14, R15.
        """
        if self._ready == [True, True]:
            self._ready = [False, False]
            turned = self._turn_up(0), self._turn_up(1)
            self.events.append(Spat(self._number, by, turned))

    def _turn_up(self, seat: Seat) -> Card | None:
        """A card from the seat's stock onto its own pile; None if the stock is empty."""
        if not self._stocks[seat]:
            return None
        card = self._draw(seat)
        self._piles[seat] += (card,)
        return card

    def play(self, seat: Seat, move: Play, *, refills: bool) -> None:
        """The card lands, and if `refills` its slot is filled from a stock that isn't empty.

        Or it stays in its slot, beaten by the card that landed on the pile first.

        Source: R8, R10, R11.
        """
        card, pile = move.card, move.pile
        cards, slot = self._piles[pile], self._layouts[seat].index(card)
        if len(cards) != move.pile_size:
            self.events.append(Beaten(self._number, seat, slot, card, pile, cards[-1]))
            return
        self._piles[pile] = (*cards, card)
        self.events.append(Landed(self._number, seat, slot, card, pile))
        if refills and self._stocks[seat]:
            self.refill(seat, slot)
        else:
            self._put(seat, slot, None)

    def refill(self, seat: Seat, slot: int) -> None:
        """The top card of the seat's stock is turned up into an empty slot.

        Source: R11.
        """
        card = self._draw(seat)
        self._put(seat, slot, card)
        left = len(self._stocks[seat])
        self.events.append(Refilled(self._number, seat, slot, card, left))

    def _put(self, seat: Seat, slot: int, card: Card | None) -> None:
        layout = self._layouts[seat]
        self._layouts[seat] = (*layout[:slot], card, *layout[slot + 1 :])

    def _draw(self, seat: Seat) -> Card:
        """The seat's only draw in this beat, since it has only one move."""
        card, self._stocks[seat] = _drawn(self._stocks[seat], self._randomness.draws(seat))
        return card


def _layout_drawn(stock: Stock, draws: Draws) -> tuple[Layout, Stock]:
    layout: list[Card] = []
    for _ in range(LAYOUT_SIZE):
        card, stock = _drawn(stock, draws)
        layout.append(card)
    return tuple(layout), stock


def _drawn(stock: Stock, draws: Draws) -> tuple[Card, Stock]:
    """A card drawn uniformly from the stock, and the stock without it. Source: R4."""
    index = draws.index(len(stock))
    return stock[index], stock[:index] + stock[index + 1 :]
