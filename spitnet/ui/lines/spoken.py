"""Cards and piles as they are told in lines. Pure.

What belongs here: what lies on the table, by ear. What must not: what is new, and when to say what.

Cards are told by rank alone, spelled out (R8: suit never matters): in a race half a line is half the time, and J, K, A
and 8 sound alike.
"""

from collections.abc import Iterable, Iterator

from spitnet.core.cards import Card, other, rank
from spitnet.core.state import Game, Layout, cards_left
from spitnet.language import gettext, pgettext
from spitnet.ui import words
from spitnet.ui.scene import TableScene


def sentence(text: str, names: Iterable[str] = ()) -> str:
    """A line as a sentence begins. A key, which is a letter by itself, stays as it is printed, and so does a player's name."""
    label, colon, _ = text.partition(":")
    is_key = bool(colon) and all(len(sign) == 1 for sign in label.split())
    named = any(text.startswith(name) and not text[len(name) :][:1].isalnum() for name in names)
    if not text or is_key or named:
        return text
    return text[0].upper() + text[1:]


def rank_name(card: Card) -> str:
    """How a card is called by ear."""
    return (
        pgettext("rank", "ace"),
        pgettext("rank", "two"),
        pgettext("rank", "three"),
        pgettext("rank", "four"),
        pgettext("rank", "five"),
        pgettext("rank", "six"),
        pgettext("rank", "seven"),
        pgettext("rank", "eight"),
        pgettext("rank", "nine"),
        pgettext("rank", "ten"),
        pgettext("rank", "jack"),
        pgettext("rank", "queen"),
        pgettext("rank", "king"),
    )[rank(card)]


def piles_line(scene: TableScene, game: Game) -> str:
    """What lies on top, left and right as this player sees it."""
    left, right = game.piles[other(scene.seat)], game.piles[scene.seat]
    if not (left or right):
        return gettext("The piles are empty.")
    empty = pgettext("pile", "empty")
    return gettext("Left {left}, right {right}.").format(
        left=rank_name(left[-1]) if left else empty, right=rank_name(right[-1]) if right else empty
    )


def row_line(layout: Layout) -> str:
    """This player's cards, each with its number, as a line."""
    return sentence(row(layout))


def row(layout: Layout) -> str:
    """The cards of a row, each with its number, by ear."""
    empty = pgettext("slot", "empty")
    names = (empty if card is None else rank_name(card) for card in layout)
    return "; ".join(numbered(number, name) for number, name in enumerate(names, 1))


def numbered(number: int, name: str) -> str:
    """A card of the row, by ear."""
    return gettext("card {number}: {name}").format(number=number, name=name)


def counts(scene: TableScene, game: Game) -> Iterator[str]:
    """How many cards either has left, and what the other's are."""
    left = cards_left(game)
    theirs = other(scene.seat)
    names = ", ".join(rank_name(card) for card in game.layouts[theirs] if card is not None)
    yield f"{words.below(scene)}: {words.cards_left(left[scene.seat])}"
    yield f"{scene.names[theirs]}: {words.cards_left(left[theirs])}; {names}"
