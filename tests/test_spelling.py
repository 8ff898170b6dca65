"""What stands for letters and signs that an encoding lacks: every text of ours, names, and in as many cells."""

from collections.abc import Iterator

import pytest
from babel.messages.pofile import read_po
from prompt_toolkit.utils import get_cwidth
from support.screens import texts
from test_catalogues import LANGUAGES, ROOT
from ui.render.scenes import SCENES

from spitnet import language
from spitnet.spelling import ESCAPED, SPELLED
from spitnet.ui.cells import spelled
from spitnet.ui.render.drawing import draw
from spitnet.ui.render.look import Look


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    language.use("en", {})
    language.write_in("utf-8")


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_text_can_be_spelled(name: str) -> None:
    """Question marks are those of questions, and of the key for help."""
    with (ROOT / "spitnet" / "locale" / name / "LC_MESSAGES" / "spitnet.po").open("rb") as file:
        catalogue = read_po(file, locale=name)
    for message in catalogue:
        for text in (message.string,) if isinstance(message.string, str) else message.string or ():
            for sign in set(text):
                assert "?" not in sign.encode("ascii", SPELLED).decode() or sign == "?", text


@pytest.mark.parametrize(
    ("text", "encoding", "written"),
    [
        ("Żaneta “Щ” Łoś…", "ascii", 'Zaneta "Shch" Los...'),
        ("Ольга Юрьевна", "ascii", "Ol'ga Yur'evna"),
        ("«Готово» — да", "koi8-r", '"Готово" - да'),
        ("Zoë’s K♠", "latin-1", "Zoë's Ks"),
        ("Zoe\u0308", "ascii", "Zoe"),
        ("李 \udcff", "ascii", "? ?"),
        ("Ａ ½ ﬁ", "ascii", "A 12 fi"),
    ],
)
def test_what_can_be_written_stays_as_it_is(text: str, encoding: str, written: str) -> None:
    assert text.encode(encoding, SPELLED).decode(encoding) == written


def test_a_file_is_still_told_from_another() -> None:
    text = "can’t read 李.spit \udcff"
    assert text.encode("ascii", ESCAPED) == rb"can't read \u674e.spit \udcff"


def test_texts_are_looked_up_as_they_can_be_written() -> None:
    """Words and keys that are typed, too: who can't see a letter can't type it either."""
    language.use("ru", {})
    language.write_in("ascii")
    assert language.pgettext("command", "ready") == "gotovo"
    assert language.ngettext("{count} beat", "{count} beats", 2) == "{count} takta"
    assert language.gettext("spit!") == "plevok!"
    language.write_in("koi8-r")
    assert language.gettext("spit!") == "плевок!"
    language.write_in("UTF-8")
    assert language.gettext("You said “spit!”") == "Ты говоришь «плевок!»"


@pytest.mark.parametrize("name", sorted(SCENES))
@pytest.mark.parametrize("encoding", ["ascii", "koi8-r"])
def test_a_screen_of_what_can_be_written_has_all_its_cells(name: str, encoding: str) -> None:
    for language_name in ("en", "ru"):
        language.use(language_name, {})
        language.write_in(encoding)
        lines = texts(draw(SCENES[name](), 80, 24, Look(ascii=True, encoding=encoding)))
        assert [sum(map(get_cwidth, line)) for line in lines] == [80] * 24
        assert "\n".join(lines).encode(encoding)


def test_as_many_cells() -> None:
    for text, shown in (("Щука…", "Suka."), ("李x", "??x"), ("Ａ", "A "), ("e\u0301", "e")):
        ((_style, found),) = spelled((("", text),), "ascii")
        assert found == shown
