"""The game explained in a minute, with a drawn example: a page of the help, and what `spitnet rules` prints.

What belongs here: the sentences of the explanation and the picture. What must not: the help of the moment (words).
"""

from typing import Final

from spitnet.core.cards import Card, card_of
from spitnet.language import gettext as _
from spitnet.ui.cells import Block, Line, aligned, beside, blank, cut, wrapped
from spitnet.ui.render.faces import Border, Edge, face
from spitnet.ui.render.look import Look

PILES: Final = tuple(card_of(one, 0) for one in ("10H", "AS"))
ROW: Final = tuple(card_of(one, 0) for one in ("9C", "KD", "2H", "7S"))
"""The first fits on the left pile, the next two on the right one, across the ace; the last on neither."""
_CARD: Final = (7, 3)
_GAP: Final = 2


def lines(cells: int, look: Look) -> list[Line]:
    """All of it, in lines of at most so many cells, a paragraph each with an empty line between."""
    before, after = sentences()
    found: list[Line] = []
    for text in before:
        found += [*_said(text, cells), ()]
    found += [*_picture(cells, look), *_said(_caption(look), cells)]
    for text in after:
        found += [(), *_said(text, cells)]
    return found


def page(cells: int, rows: int, look: Look) -> list[Line]:
    """As much as fits, tightly: without the picture where there is no room for it; cut, it says where the rest is."""
    before, after = sentences()
    head = [line for text in before for line in _said(text, cells)]
    tail = [line for text in after for line in _said(text, cells)]
    picture = [*_picture(cells, look), *_said(_caption(look), cells)]
    for middle in ([(), *picture, ()], picture, []):
        if len(head) + len(middle) + len(tail) <= rows:
            return [*head, *middle, *tail]
    more: Line = (("class:dim", cut(_("The rest: spitnet rules"), cells)),)
    return [*[*head, *tail][: max(0, rows - 1)], more]


def sentences() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is said before the example, and what after it."""
    return (
        _("Each of you has a full deck: four cards open in a row, the rest is the stock."),
        _("There are no turns. Be the first to get rid of all your cards."),
        _(
            "Play a card from your row on either pile if it is one higher or one lower than "
            "the top card. Suits don’t matter. The ace is next to the king and to the two."
        ),
    ), (
        _("The stock fills your row up again. Nobody knows its order, not even you."),
        _("If you both go for one pile, the first card stays and the other comes back."),
        _(
            "Both stuck? Get ready, both of you; then one says “spit!” and each turns a card "
            "from the stock onto a pile. A game begins in the same way."
        ),
        _("Both stuck and no stock left: whoever holds fewer cards wins."),
    )


def _said(text: str, cells: int) -> list[Line]:
    return [(("", line),) for line in wrapped(text, cells)]


def _caption(look: Look) -> str:
    low, king, two, none = map(look.card_name, ROW)
    ten, ace = map(look.card_name, PILES)
    return _("{low} fits on {ten}; {king} and {two} fit on {ace}; {none} has to wait.").format(
        low=low, ten=ten, king=king, two=two, ace=ace, none=none
    )


def _picture(cells: int, look: Look) -> list[Line]:
    """Two piles above a row."""
    if cells < len(ROW) * (_CARD[0] + _GAP):
        return []
    drawn = (*_cards(PILES, 3 * _GAP, look), *_cards(ROW, _GAP, look))
    return [aligned(line, cells) for line in drawn]


def _cards(cards: tuple[Card, ...], gap: int, look: Look) -> Block:
    border = Border(Edge.ROUND, "class:card.own")
    blocks: list[Block] = []
    for card in cards:
        blocks += [blank(gap, _CARD[1]), face(card % 52, *_CARD, border, look)]
    return beside(*blocks[1:])
