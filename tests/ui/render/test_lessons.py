"""A newcomer is led: each lesson names a key that does just what it says, and none stays for too long."""

from dataclasses import replace

import pytest
from msgspec import structs
from support.screens import texts
from ui.render.scenes import GAME, MINE, THEIRS, before_a_spit, cards, stuck, table

from spitnet.core.cards import fits
from spitnet.core.moves import Play
from spitnet.core.state import Game
from spitnet.ui.keys.keymaps import keymap, labels
from spitnet.ui.presses import CardPress, PileSide
from spitnet.ui.render.drawing import draw
from spitnet.ui.render.lessons import LED, PRAISED, lesson
from spitnet.ui.render.look import Look
from spitnet.ui.scene import Question, TableScene

LOOK = Look()


def led(scene: TableScene, look: Look = LOOK) -> str:
    return lesson(replace(scene, lessons=True), look)


def game(own_on_piles: int = 1, piles: tuple[str, str] = ("6D", "JH")) -> Game:
    """So many own cards on the piles, and these on top."""
    under = (MINE * 9)[: own_on_piles - 1]
    return structs.replace(GAME, piles=((*under, *cards(0, piles[0])), cards(1, piles[1])))


def test_who_has_played_is_not_led() -> None:
    assert lesson(table(game()), LOOK) == ""


@pytest.mark.parametrize("scheme", ["qwerty", "azerty", "dvorak", "{}[]()<>"])
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("piles", [("6D", "9H"), ("3S", "6H"), ("KC", "QD"), ("2D", "AH")])
def test_the_key_that_is_named_plays_the_card_that_is_named(
    scheme: str, seat: int, piles: tuple[str, str]
) -> None:
    keys = keymap(scheme)
    scene = table(game(piles=piles), seat=seat)
    text = led(scene, Look(keys=labels(keys)))
    press = keys.press(text[-1])
    assert isinstance(press, CardPress)
    card = (MINE, THEIRS)[seat][press.slot]
    assert card is not None
    pile = seat if press.side is PileSide.RIGHT else 1 - seat
    top = game(piles=piles).piles[pile][-1]
    assert fits(card, top)
    side = "right" if press.side is PileSide.RIGHT else "left"
    assert text.startswith(f"{LOOK.card_name(card)} fits on {LOOK.card_name(top)}, on the {side}:")


def test_a_card_under_way_needs_no_lesson() -> None:
    assert led(table(game(), hand=Play(MINE[3], 0, 1))) == ""


def test_after_some_cards_the_player_is_let_go() -> None:
    assert "press" in led(table(game(LED - 1)))
    for number in range(LED, PRAISED):
        assert "Well played!" in led(table(game(number)))
    assert led(table(game(PRAISED))) == ""


def test_what_is_due_between_plays() -> None:
    assert "press space to be ready" in led(before_a_spit(False, True))
    assert "once Ola is ready too" in led(before_a_spit(True, False))
    assert "press space to call “spit!”" in led(before_a_spit(True, True))
    assert "Wait: Ola can still play" in led(stuck())
    again = structs.replace(
        GAME, layouts=(cards(0, "4S", "4D", "8C", "8D"), cards(1, "4H", "4C", "8H", "8S"))
    )
    assert "press space to get ready for new cards" in led(table(again))


def test_a_question_is_not_talked_over() -> None:
    assert led(table(game(), question=Question.QUIT)) == ""


def test_it_is_what_the_line_at_the_bottom_says() -> None:
    scene = replace(before_a_spit(False, False), lessons=True)
    assert led(scene) in texts(draw(scene, 80, 24, LOOK))[-2]
    assert "space: ready" in texts(draw(scene, 50, 15, LOOK))[-2], "shorter where there is no room"
