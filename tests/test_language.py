"""Which language is chosen, and that texts come from its catalogue."""

import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from spitnet import language


def catalogue(texts: dict[str, str]) -> bytes:
    """A compiled catalogue. Source: the GNU gettext manual, "The Format of GNU MO Files"."""
    keys = sorted(texts)
    strings = [key.encode() for key in keys] + [texts[key].encode() for key in keys]
    start = 28 + 8 * len(strings)
    index, data = b"", b""
    for string in strings:
        index += struct.pack("<II", len(string), start + len(data))
        data += string + b"\0"
    head = struct.pack("<7I", 0x950412DE, 0, len(keys), 28, 28 + 8 * len(keys), 0, start)
    return head + index + data


HEADER = (
    "Content-Type: text/plain; charset=UTF-8\n"
    "Plural-Forms: nplurals=3; plural=n==1 ? 0 : n<5 ? 1 : 2;\n"
)
POLISH = {
    "": HEADER,
    "card": "karta",
    "noun\x04play": "zagranie",
    "{n} card\0{n} cards": "{n} karta\0{n} karty\0{n} kart",
}


@pytest.fixture(autouse=True)
def _catalogues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    directory = tmp_path / "pl" / "LC_MESSAGES"
    directory.mkdir(parents=True)
    (directory / "spitnet.mo").write_bytes(catalogue(POLISH))
    monkeypatch.setattr(language, "_LOCALES", str(tmp_path))
    yield
    language.use("en", {})


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
    ],
)
def test_the_order_of_choice(asked: str | None, environ: dict[str, str], card: str) -> None:
    assert language.use(asked, environ)
    assert language.gettext("card") == card


@pytest.mark.parametrize(("asked", "environ"), [("xx", {}), (None, {"SPITNET_LANG": "../pl"})])
def test_a_language_that_was_named_and_is_not_there(
    asked: str | None, environ: dict[str, str]
) -> None:
    assert not language.use(asked, environ)
    assert language.gettext("card") == "card"


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
