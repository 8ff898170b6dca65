"""The pages before a match: what is chosen, and that the keys for looking at a match choose as well."""

from dataclasses import replace

import pytest

from spitnet.ui.keys.keymaps import letters, pasted
from spitnet.ui.keys.playback_keys import PlaybackKeys
from spitnet.ui.pages.lobby_pages import TYPED_MOST, CodePage, LookingPage, Sit, Typed
from spitnet.ui.pages.table_page import Command
from spitnet.ui.presses import Letters, Plain, Press
from spitnet.ui.render import labels
from spitnet.ui.render.drawing import draw
from spitnet.ui.render.look import Look
from spitnet.ui.scene import ListedTable
from spitnet.ui.words import KeyLabels, looking_tips, looking_title

ENTRIES = tuple(
    ListedTable(name, f"10.0.0.{n}:4000", True, False, 1) for n, name in enumerate("abc", 1)
)


def press(key: str) -> Press:
    found = PlaybackKeys().press(key)
    assert found is not None
    return found


def page(*, looking_on: bool = True) -> LookingPage:
    made = LookingPage(0.0, looking_on=looking_on)
    made.tables(ENTRIES, "")
    return made


@pytest.mark.parametrize("chooses", ["enter", " "])
def test_whoever_wants_to_look_on_chooses_a_table(chooses: str) -> None:
    """With the keys that a match is looked at with, since they stay the same."""
    looking = page()
    for key, chosen in (("down", 1), ("down", 2), ("down", 2), ("up", 1)):
        assert looking.press(press(key), 0.0) == ()
        assert looking.scene(0.0).chosen == chosen
    assert looking.press(press(chooses), 0.0) == (Sit(ENTRIES[1]),)
    assert looking.press(Plain.QUIT, 0.0) == (Command.CLOSE,)


def test_the_list_says_what_it_is_for() -> None:
    watching, joining = page().scene(0.0), page(looking_on=False).scene(0.0)
    assert looking_title(watching) == "3 tables that may be watched"
    assert looking_title(joining) == "3 open tables"
    assert "watch" in labels.choose_table(KeyLabels(), watching.looking_on)
    assert "sit down" in labels.choose_table(KeyLabels(), joining.looking_on)
    assert any("--watchable" in tip for tip in looking_tips(watching))


@pytest.mark.parametrize("looking_on", [False, True])
def test_whoever_has_given_an_address_is_told_whom_it_is_asked_of(looking_on: bool) -> None:
    """And isn't told to give one."""
    for asked in ("", "10.0.0.9:7"):
        looking = LookingPage(0.0, looking_on=looking_on, asked=asked)
        looking.tables((), "")
        scene = looking.scene(4.0)
        title, tips = looking_title(scene), " ".join(looking_tips(scene))
        assert title.startswith("Asking 10.0.0.9:7" if asked else "Looking for ")
        assert ("HOST:PORT" in tips) is not bool(asked)
        assert ("Is that the address" in tips) is bool(asked)
        looking.tables(ENTRIES, "")
        assert looking_title(looking.scene(5.0)).startswith("3 ")


def test_a_long_address_is_not_cut() -> None:
    """Nor the time after it: the title has as many lines as it needs."""
    asked = "workstation-17.department.example:65535"
    frame = draw(LookingPage(0.0, asked=asked).scene(61.0), 50, 24, Look())
    said = " ".join("".join(text for _style, text in line).strip() for line in frame.lines)
    assert f"Asking {asked} for its table… 1:01" in said


BUSY = tuple(replace(entry, usable=False) for entry in ENTRIES)


def test_busy_tables_are_listed_and_not_counted() -> None:
    looking = page(looking_on=False)
    looking.tables((BUSY[0], *ENTRIES[1:]), "")
    assert looking_title(looking.scene(0.0)) == "2 open tables"
    looking.tables(BUSY, "")
    scene = looking.scene(65.0)
    assert looking_title(scene) == "Looking for open tables… 1:05"
    assert scene.entries == BUSY


def test_whoever_comes_to_a_list_is_offered_a_table_that_is_free() -> None:
    looking = LookingPage(0.0)
    looking.tables((BUSY[0], ENTRIES[1]), "")
    assert looking.press(Plain.ENTER, 0.0) == (Sit(ENTRIES[1]),)


def test_a_table_that_was_chosen_may_be_busy_by_now() -> None:
    looking = page(looking_on=False)
    looking.tables((BUSY[0], *ENTRIES[1:]), "")
    assert looking.scene(0.0).chosen == 0, "the choice stays where it was"
    assert looking.press(Plain.ENTER, 0.0) == ()


def test_who_has_no_network_is_not_asked_whether_it_is_the_same_one() -> None:
    looking = LookingPage(0.0)
    looking.tables((), "e0 has no IPv4 address; spitnet needs one.", offline=True)
    assert not looking.scene(60.0).hint
    looking.tables((), "")
    assert looking.scene(60.0).hint


# A table's code.


def typed(page: CodePage, *names: str) -> list[object]:
    """What comes of these keys."""
    presses = [one for one in map(letters, names) if one is not None]
    return [wish for one in presses for wish in page.press(one, 0.0)]


def test_every_key_that_prints_is_a_letter_of_the_code() -> None:
    """Also those that play, ask for help or leave elsewhere; what prints nothing is none."""
    page = CodePage("Ana")
    assert typed(page, *"q ?c1;é李", "left", "f10", "\x00", "home") == []
    assert page.scene(0.0).typed == "q ?c1;é李"
    assert typed(page, "c-h", "\x7f", "enter") == [Typed("q ?c1;")]


@pytest.mark.parametrize("key", ["enter", "c-m", "c-j", "\r", "\n"])
def test_enter_sends_what_was_typed(key: str) -> None:
    page = CodePage("Ana")
    assert typed(page, *" tulip ", key) == [Typed("tulip")]


@pytest.mark.parametrize("keys", [("enter",), (" ", "enter"), ("a", "escape"), ("a", "\x1b")])
def test_nothing_typed_goes_back(keys: tuple[str, ...]) -> None:
    assert typed(CodePage("Ana"), *keys) == [Typed("")]


def test_a_code_page_is_left_by_ctrl_c_alone() -> None:
    page = CodePage("Ana")
    assert typed(page, "q", "f10") == []
    assert typed(page, "c-c") == [Command.CLOSE]
    assert page.press(Plain.QUIT, 0.0) == (Command.CLOSE,), "as a signal"


def test_a_paste_is_a_code_of_one_line() -> None:
    """It sends nothing off, and an endless one is cut."""
    assert pasted("tulip\nquit\n") == Letters("tulip")
    assert pasted(" tu\x1b[2Jlip \r\n") == Letters("tu[2Jlip")
    assert pasted("\n") is None
    page = CodePage("Ana")
    page.press(Letters("x" * 100_000), 0.0)
    assert page.scene(0.0).typed == "x" * TYPED_MOST
