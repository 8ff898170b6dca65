"""Texts in lines: broken between words, counted in cells and not in letters."""

from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.utils import get_cwidth

from spitnet.ui.cells import clean, folded, wrapped

WORDS = st.lists(st.text("aZ-é李ｗ\u0301\u200d👩", min_size=1, max_size=12), max_size=20)


def cells_of(text: str) -> int:
    """As prompt_toolkit counts them."""
    return sum(map(get_cwidth, text))


@given(words=WORDS, cells=st.integers(1, 30))
def test_lines_fit_their_room_and_no_word_is_broken(words: list[str], cells: int) -> None:
    """Wide letters take two cells; a word that is wider than a line has one of its own."""
    text = " ".join(words)
    lines = folded(text, cells)
    assert " ".join(lines).split() == clean(text).split()
    assert all(cells_of(line) <= cells or " " not in line for line in lines)


@given(words=WORDS, cells=st.integers(1, 30))
def test_on_a_full_screen_nothing_is_wider_than_its_room(words: list[str], cells: int) -> None:
    assert all(cells_of(line) <= cells for line in wrapped(" ".join(words), cells))


def test_wide_letters_are_counted_twice() -> None:
    assert folded("李小龍 和 Bram 的比賽", 10) == ["李小龍 和", "Bram", "的比賽"]
    assert wrapped("李小龍 和 Bram", 5) == ["李小…", "和", "Bram"]


def test_a_path_stays_whole_and_so_do_gaps() -> None:
    assert folded("The record: /a/long-winded/path.spit", 12) == [
        "The record:",
        "/a/long-winded/path.spit",
    ]
    assert folded("n p: races   ?: keys", 40) == ["n p: races   ?: keys"]
