"""The four catalogues: nothing missing or stale, plurals as the languages have them, and all of it in what is installed."""

import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.program import run

from spitnet import language

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = ("nl", "pl", "ro", "ru")
FORMS = {
    "nl": ({1}, {0, 2, 5, 11, 12, 19, 20, 21, 22, 25, 26, 52, 101}),
    "pl": ({1}, {2, 22, 52}, {0, 5, 11, 12, 19, 20, 21, 25, 26, 101}),
    "ro": ({1}, {0, 2, 5, 11, 12, 19, 101}, {20, 21, 22, 25, 26, 52}),
    "ru": ({1, 21, 101}, {2, 22, 52}, {0, 5, 11, 12, 19, 20, 25, 26}),
}
"""Which numbers share a form. Source: CLDR, "Language Plural Rules", cardinals."""
BEATS = {
    "nl": ("stap", "stappen"),
    "pl": ("takt", "takty", "taktów"),
    "ro": ("pas", "pași", "de pași"),
    "ru": ("такт", "такта", "тактов"),
}
SHOUTS = {"nl": "spuug", "pl": "pluj", "ro": "scuipă", "ru": "плевок"}
RULES = {"nl": "beurten", "pl": "kart", "ro": "cărți", "ru": "карт"}


@pytest.fixture(autouse=True)
def _english_after() -> Iterator[None]:
    yield
    language.use("en", {})


def test_nothing_is_missing_or_stale() -> None:
    """Every text of the source is translated in every language, with its fields; none is kept that nothing says."""
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "catalogues", "--check"],
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert [line[:2] for line in done.stdout.splitlines()] == list(LANGUAGES)


@pytest.mark.parametrize("name", LANGUAGES)
def test_plurals(name: str) -> None:
    language.use(name, {})
    for form, (numbers, word) in enumerate(zip(FORMS[name], BEATS[name], strict=True)):
        for number in numbers:
            text = language.ngettext("{count} beat", "{count} beats", number)
            assert text.format(count=number) == f"{number} {word}", (number, form)


@pytest.mark.parametrize("name", LANGUAGES)
def test_the_shout_is_each_languages_own(name: str) -> None:
    language.use(name, {})
    assert language.gettext("spit!").rstrip("! ").lower() == SHOUTS[name]


@pytest.mark.parametrize("name", LANGUAGES)
def test_what_is_installed_speaks_it(tmp_path: Path, name: str) -> None:
    """In whatever is tested, which is the built wheel in scripts/test."""
    rules = run(tmp_path, "rules", "--lang", name)
    assert rules.code == 0
    assert RULES[name] in rules.out
    english = run(tmp_path, "list", "--nothing")
    wrong = run(tmp_path, "list", "--nothing", extra={"SPITNET_LANG": name})
    assert wrong.code == english.code == 2
    assert wrong.err != english.err


def test_the_sdist_has_sources_and_compiled_catalogues(tmp_path: Path) -> None:
    """Who builds from it needs the one, who only unpacks it the other."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as file:
        names = {name.partition("/")[2] for name in file.getnames()}
    for name in LANGUAGES:
        for kind in ("po", "mo"):
            assert f"spitnet/locale/{name}/LC_MESSAGES/spitnet.{kind}" in names
