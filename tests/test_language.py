"""Which language is chosen, and that texts come from its catalogue."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support import catalogues

from spitnet import language

POLISH = {
    "card": "karta",
    "the sign between 0 and 5 in 0.5\x04.": ",",
    "noun\x04play": "zagranie",
    "{n} card\0{n} cards": "{n} karta\0{n} karty\0{n} kart",
}


@pytest.fixture(autouse=True)
def _catalogues(tmp_path: Path) -> Iterator[None]:
    with catalogues.only(tmp_path, {"pl": POLISH}):
        yield


@pytest.mark.parametrize(
    ("asked", "environ", "card"),
    [
        (None, {}, "card"),
        ("pl", {}, "karta"),
        ("pl", {"SPITNET_LANG": "en", "LANG": "en"}, "karta"),
        ("en", {"SPITNET_LANG": "pl", "LANG": "pl"}, "card"),
        (None, {"SPITNET_LANG": "pl", "LANGUAGE": "en"}, "karta"),
        (None, {"LANGUAGE": "xx:pl:en"}, "karta"),
        (None, {"LANGUAGE": "en:pl"}, "card"),
        (None, {"LANGUAGE": "", "LC_ALL": "pl_PL.UTF-8", "LANG": "en"}, "karta"),
        (None, {"LC_ALL": "C", "LANG": "pl_PL"}, "card"),
        (None, {"LC_MESSAGES": "pl_PL@euro"}, "karta"),
        (None, {"LANG": "pl-PL"}, "karta"),
        (None, {"LANG": "xx"}, "card"),
        (None, {"LANG": "../pl"}, "card"),
        ("xx", {}, "card"),
        ("xx", {"SPITNET_LANG": "pl", "LANG": "en"}, "karta"),
        ("../pl", {"SPITNET_LANG": "xx", "LANG": "pl"}, "karta"),
        (None, {"SPITNET_LANG": "xx", "LANG": "pl"}, "karta"),
    ],
)
def test_the_order_of_choice(asked: str | None, environ: dict[str, str], card: str) -> None:
    language.use(asked, environ)
    assert language.gettext("card") == card


def test_whether_a_language_is_there(tmp_path: Path) -> None:
    (tmp_path / "ro").mkdir()
    for tag, there in (("pl_PL", True), ("en", True), ("ro", False), ("../pl", False), ("", False)):
        assert language.is_there(tag) is there


@pytest.mark.parametrize(("number", "text"), [(1, "{n} karta"), (2, "{n} karty"), (5, "{n} kart")])
def test_plurals_are_the_catalogues(number: int, text: str) -> None:
    language.use("pl", {})
    assert language.ngettext("{n} card", "{n} cards", number) == text
    language.use("en", {})
    assert language.ngettext("{n} card", "{n} cards", number) == (
        "{n} card" if number == 1 else "{n} cards"
    )


def test_context_tells_meanings_apart() -> None:
    language.use("pl", {})
    assert language.pgettext("noun", "play") == "zagranie"
    assert language.pgettext("verb", "play") == "play"


def test_a_number_has_the_sign_of_the_language() -> None:
    assert language.decimal("0.25") == "0.25"
    language.use("pl", {})
    assert [language.decimal(shown) for shown in ("0.25", "16")] == ["0,25", "16"]
