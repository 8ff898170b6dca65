"""Every scheme's keys, Cyrillic by place, answers by language, and maps that can't be played with."""

import string

import pytest

from spitnet.ui.choices import SCHEMES
from spitnet.ui.keys import keymaps
from spitnet.ui.keys.alphabets import BESIDE_L, PLACE_OF
from spitnet.ui.keys.keymaps import KeysClash, keymap, labels
from spitnet.ui.presses import Arrow, CardPress, PileSide, Plain, Press

EVERYWHERE: dict[str, Press] = {
    "left": Arrow(PileSide.LEFT),
    "right": Arrow(PileSide.RIGHT),
    "up": Plain.UP,
    "down": Plain.DOWN,
    " ": Plain.SPACE,
    "enter": Plain.ENTER,
    "c-m": Plain.ENTER,
    "escape": Plain.ESCAPE,
    "?": Plain.HELP,
    "f1": Plain.HELP,
    "c-c": Plain.QUIT,
    "f10": Plain.QUIT,
    "f9": Plain.CONCEDE,
    "f5": Plain.REMATCH,
    **{str(slot + 1): CardPress(slot, None) for slot in range(4)},
}
OWN = "zxcv m,./"


def cards(eight: str) -> dict[str, Press]:
    """The eight keys, from the first card on the left pile to the fourth on the right."""
    sides = [(slot, side) for side in (PileSide.LEFT, PileSide.RIGHT) for slot in range(4)]
    return {key: CardPress(*where) for key, where in zip(eight, sides, strict=True)}


@pytest.mark.parametrize(
    ("setting", "eight", "functions"),
    [
        ("qwerty", "asdfjkl;", "qcr"),
        ("qwertz", "asdfjklö", "qcr"),
        ("azerty", "qsdfjklm", "xcr"),
        ("dvorak", "aoeuhtns", "qcr"),
        ("colemak", "arstneio", "qcg"),
        ("Qwerty ", "asdfjkl;", "qcr"),
        ("QWER uiop", "qweruiop", "xcg"),
        (OWN, "zxcvm,./", "qf9r"),
        ("фыва олдж", "фываолдж", "qcr"),
    ],
)
def test_schemes(setting: str, eight: str, functions: str) -> None:
    keymap_ = keymap(setting)
    for key, press in (cards(eight) | EVERYWHERE).items():
        assert keymap_.press(key) == press
        assert keymap_.press(key.upper()) == press, "Caps Lock"
    shown = labels(keymap_)
    assert "".join((*shown.left, *shown.right)) == eight
    assert (shown.quit + shown.concede + shown.rematch).lower() == functions
    for label, press in (
        (shown.quit, Plain.QUIT),
        (shown.concede, Plain.CONCEDE),
        (shown.rematch, Plain.REMATCH),
        (shown.help, Plain.HELP),
    ):
        assert keymap_.press(label) is press


@pytest.mark.parametrize("setting", SCHEMES)
def test_cyrillic_lies_where_the_us_keys_lie(setting: str) -> None:
    """ф ы в а / о л д ж, й, с and к, whatever the first alphabet's map is."""
    known = cards("фываолдж") | {"й": Plain.QUIT, "с": Plain.CONCEDE, "к": Plain.REMATCH}
    for letter, press in known.items():
        assert keymap(setting).press(letter) == press
        assert keymap(setting).press(letter.upper()) == press


def test_ukrainian_and_belarusian() -> None:
    assert keymap().press("і") == CardPress(1, PileSide.LEFT)
    assert keymap().press("ў") is None
    assert {PLACE_OF[letter] for letter in "іїєў"} == set("s]'o")


def test_cyrillic_in_a_map_of_ones_own() -> None:
    assert keymap(OWN).press("я") == CardPress(0, PileSide.LEFT)
    assert keymap(OWN).press("ф") is None


def test_the_key_right_of_l() -> None:
    """Whatever it is called: German, Nordic, Spanish, Romanian keyboards."""
    for letter in BESIDE_L + BESIDE_L.upper():
        assert keymap().press(letter) == CardPress(3, PileSide.RIGHT)
    assert keymap("qwertz").press(";") == CardPress(3, PileSide.RIGHT)


def test_azerty_digits_without_shift() -> None:
    assert [keymap("azerty").press(key) for key in "&é\"'"] == [
        CardPress(slot, None) for slot in range(4)
    ]


@pytest.mark.parametrize("setting", [*SCHEMES, OWN])
def test_enter_and_control_keys_play_nothing(setting: str) -> None:
    letters = (f"c-{letter}" for letter in string.ascii_lowercase)
    for key in (*letters, "enter", "tab", "<bracketed-paste>", "<sigint>", "", "\udc80", "İ"):
        assert not isinstance(keymap(setting).press(key), CardPress)


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("asdf", "eight keys"),
        ("quertz", "qwerty, qwertz, azerty, dvorak, colemak"),
        ("asdf jkla", "a appears twice"),
        ("asdf jklA", "a appears twice"),
        ("asdf jk?;", "?"),
        ("asdf jk4;", "4"),
        ("asdf jk\x1b;", "x1b"),
        ("", "eight keys"),
    ],
)
def test_a_map_that_clashes(setting: str, said: str) -> None:
    with pytest.raises(KeysClash) as refused:
        keymap(setting)
    text = str(refused.value)
    assert said in text
    assert "\n" not in text
    assert not text.startswith("keys"), "whoever says it names the setting"


def test_answers_while_asked() -> None:
    assert keymap().press("y") is None
    assert keymap().press("y", asked=True) is Plain.YES
    assert keymap().press("N", asked=True) is Plain.NO
    assert keymap().press("н", asked=True) is Plain.YES, "where the y lies"
    assert keymap("dvorak").press("n") == CardPress(2, PileSide.RIGHT)
    assert keymap("dvorak").press("n", asked=True) is Plain.NO
    assert keymap().press("a", asked=True) == CardPress(0, PileSide.LEFT)


@pytest.mark.parametrize(
    ("yes", "no", "shown"),
    [("j", "n", "Shift+J"), ("д", "н", "Shift+Д"), ("t", "n", "t"), ("d", "n", "Shift+D")],
)
def test_answers_in_other_languages(
    yes: str, no: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dutch, Russian, Polish and Romanian; y and n are understood too. What plays a card never says yes."""
    letters = {"y": yes, "n": no}
    monkeypatch.setattr(keymaps, "pgettext", lambda context, text: letters[text])
    keymap_ = keymap()
    assert keymap_.press(shown.removeprefix("Shift+"), asked=True) is Plain.YES
    assert isinstance(keymap_.press(yes, asked=True), CardPress) is shown.startswith("Shift")
    assert keymap_.press(no, asked=True) is Plain.NO
    assert keymap_.press("y", asked=True) is Plain.YES
    assert keymap_.press("n", asked=True) is Plain.NO
    assert (labels(keymap_).yes, labels(keymap_).no) == (shown, no)
    assert keymap_.press("j") == CardPress(0, PileSide.RIGHT)
