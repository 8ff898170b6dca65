"""The letters on the cards: English, the language's or one's own; always thirteen ranks that can be told apart."""

from pathlib import Path

import pytest
from support import catalogues
from wcwidth import wcwidth

from spitnet import language
from spitnet.core.cards import RANKS
from spitnet.ui.words.ranks import RanksClash, rank_letters

LETTERS = "the letters on ace, king, queen and jack, in this order\x04AKQJ"
DUTCH = ("A", *RANKS[1:10], "B", "V", "H")
LANGUAGES = sorted(path.name for path in Path(language.LOCALES).iterdir() if path.is_dir())


@pytest.mark.parametrize(
    ("setting", "letters"),
    [
        ("english", RANKS),
        (" English ", RANKS),
        ("local", RANKS),
        ("AKQJ", RANKS),
        ("AHVB", DUTCH),
        (" A H V B", DUTCH),
        ("ТКДВ", ("Т", *RANKS[1:10], "В", "Д", "К")),
        ("ae\u0301xy", ("a", *RANKS[1:10], "y", "x", "\u00e9")),
    ],
)
def test_letters_in_the_order_of_the_ranks(setting: str, letters: tuple[str, ...]) -> None:
    assert rank_letters(setting) == letters


def test_local_follows_the_language(tmp_path: Path) -> None:
    with catalogues.only(tmp_path, {"nl": {LETTERS: "AHVB"}, "xx": {LETTERS: "A2"}}):
        language.use("nl", {})
        assert rank_letters("local") == DUTCH
        assert rank_letters("english") == rank_letters() == RANKS
        language.use("xx", {})
        assert rank_letters("local") == RANKS, "letters that clash spoil no game"


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_language_has_letters_that_can_be_told_apart(name: str) -> None:
    language.use(name, {})
    try:
        letters = rank_letters("local")
    finally:
        language.use("en", {})
    assert letters[1:10] == RANKS[1:10]
    assert len(set(letters)) == len(RANKS)
    assert all(sum(map(wcwidth, rank)) == len(rank) for rank in letters)


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("", "english, local, or four letters"),
        ("dutch", "'dutch'"),
        ("AKQ", "AKQJ"),
        ("AKQJT", "AKQJ"),
        ("AKQA", "A appears twice"),
        ("AKQa", "A appears twice"),
        ("AK2J", "2 can’t stand on a card"),
        ("AK♠J", "♠ can’t stand on a card"),
        ("AK王J", "王 can’t stand on a card"),
        ("AKאJ", "א can’t stand on a card"),
        ("AKq\u0301", "can’t stand on a card"),
        ("AK\x1bJ", "x1b"),
        ("AK\nJ", "AKQJ"),
    ],
)
def test_letters_that_clash(setting: str, said: str) -> None:
    with pytest.raises(RanksClash) as refused:
        rank_letters(setting)
    text = str(refused.value)
    assert said in text
    assert text.isprintable()


def test_letters_that_cannot_be_written_here_are_the_english_ones() -> None:
    for encoding, written in (("koi8-r", True), ("latin-1", False), (None, False), ("xx", False)):
        assert (rank_letters("ТКДВ", encoding) != RANKS) is written
    assert rank_letters("AHVB", "ascii") == DUTCH
