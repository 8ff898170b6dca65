"""The rules in a minute: nothing cut off where there is room, and an example that obeys them. R2, R8"""

import pytest
from support.screens import texts
from ui.render.scenes import SCENES

from spitnet.core.cards import fits
from spitnet.ui.cells import line_width
from spitnet.ui.render import rules_page
from spitnet.ui.render.drawing import draw
from spitnet.ui.render.look import Look

LOOKS = [Look(), Look(ascii=True)]


def said(lines: list[str]) -> str:
    """The words without the lines and boxes between them."""
    return " ".join(" ".join(lines).replace("│", " ").split())


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("cells", [20, 46, 62, 76])
def test_every_sentence_is_there_in_any_width(cells: int, look: Look) -> None:
    lines = rules_page.lines(cells, look)
    assert max(map(line_width, lines)) <= cells
    text = said(["".join(part for _style, part in line) for line in lines])
    before, after = rules_page.sentences()
    for sentence in (*before, *after):
        assert sentence in text


def test_the_example_obeys_the_rules() -> None:
    """What the caption says of each card is so."""
    (ten, ace), (low, king, two, none) = rules_page.PILES, rules_page.ROW
    assert [fits(low, top) for top in (ten, ace)] == [True, False]
    assert [fits(king, top) for top in (ten, ace)] == [False, True]
    assert [fits(two, top) for top in (ten, ace)] == [False, True]
    assert not any(fits(none, top) for top in (ten, ace))


@pytest.mark.parametrize("look", LOOKS)
def test_the_page_never_has_more_rows_than_there_are(look: Look) -> None:
    for rows in range(1, 40):
        assert len(rules_page.page(62, rows, look)) <= rows


def test_at_80_by_24_the_help_has_all_of_it_and_the_picture() -> None:
    lines = texts(draw(SCENES["rules"](), 80, 24, Look()))
    text = said(lines)
    before, after = rules_page.sentences()
    for sentence in (*before, *after, "9♣ fits on 10♥"):
        assert sentence in text
    assert any("│ 10 ♥│" in line for line in lines)
    assert "?: close" in text


def test_where_there_is_no_room_it_says_where_the_rest_is() -> None:
    assert "The rest: spitnet rules" in said(texts(draw(SCENES["rules"](), 50, 15, Look())))
