"""A match that is looked at, on the screen: where one is, and how a race was lost, at every size."""

import re

import pytest
from support.screens import texts
from ui.render.scenes import SCENES, followed, table

from spitnet.ui.render.drawing import draw
from spitnet.ui.render.look import Look
from spitnet.ui.scene import FollowScene, Lack, Scene
from spitnet.ui.words.captions import help_keys, help_sentences

SIZES = pytest.mark.parametrize(("columns", "rows"), [(80, 24), (50, 15), (120, 40), (160, 60)])


def shown(scene: Scene, columns: int = 80, rows: int = 24, *, plain: bool = False) -> str:
    """The screen as one text."""
    return "\n".join(texts(draw(scene, columns, rows, Look(ascii=plain))))


def test_a_lost_race_is_laid_open() -> None:
    """Who proposed what, in which beat, how the coin fell, what was beaten by what; and the card is marked."""
    screen = shown(followed())
    for fact in (
        "Both went for J♥ on the left: you with K♠, Ola with Q♣.",
        "The coin fell on 1, the joiner: Ola was first. It was drawn from 3f2a77c1…",
        "✗ Your K♠ was beaten by Q♣ and came back.",
        "✗ beaten",
        "beat 120 of 121+, game 2 · race 1 of 1",
    ):
        assert fact in screen
    assert "╔══ K♠" in screen


def test_the_same_from_the_other_seat() -> None:
    screen = shown(followed(seat=1))
    for fact in (
        "Both went for J♥ on the right: you with Q♣, Robin with K♠.",
        "The coin fell on 1, the joiner: you were first.",
        "Your Q♣ beat Robin’s K♠.",
    ):
        assert fact in screen


def test_the_same_where_there_is_little_room() -> None:
    screen = shown(followed(), 50, 15)
    for fact in (
        "Both on J♥: you K♠, Ola Q♣.",
        "Coin 1 of 3f2a77c1…: Ola was first.",
        "✗ Your K♠ was beaten by Q♣ and came back.",
        "paused 1× · beat 120 of 121+, game 2",
        "? help",
    ):
        assert fact in screen


@SIZES
def test_the_pile_that_was_won_stands_out(columns: int, rows: int) -> None:
    assert "┏" in shown(followed(), columns, rows)
    assert "┏" not in shown(followed(1), columns, rows)


@SIZES
def test_the_start_says_whose_match_it_is_and_how_to_go_on(columns: int, rows: int) -> None:
    screen = shown(SCENES["follow start"](), columns, rows)
    for fact in ("Robin against Ola", "space: play or pause", "?: all keys"):
        assert fact in screen
    assert "▸ playing 1×" in screen
    assert "2026-01-02 03:04 UTC" in screen


@SIZES
@pytest.mark.parametrize("index", [0, 3])
def test_what_is_wrong_is_said_at_both_ends(columns: int, rows: int, index: int) -> None:
    ending = "The record is broken: it holds up to beat 121, then: a move breaks the rules of Spit."
    scene = followed(index, ending=ending, broken=True)
    assert ending in " ".join(shown(scene, columns, rows).split())
    assert "the rules of Spit" not in shown(followed(1, ending=ending, broken=True), columns, rows)


def test_the_number_of_beats_is_open_until_the_end_is_known() -> None:
    assert "beat 120 of 121+, game 2" in shown(followed())
    assert "beat 120 of 121, game 2" in shown(followed(ending="The end."))
    assert "The end." not in shown(followed(ending="The end."))


def test_who_is_back_is_said_at_the_newest_beat_too() -> None:
    assert "Ola can be reached again." in shown(SCENES["follow said"](), 50, 15)


def test_a_key_that_leads_nowhere_is_answered() -> None:
    assert "No race comes after this beat." in shown(followed(lack=Lack.LATER_CONTEST))


@pytest.mark.parametrize("looking_on", [False, True])
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (50, 15)])
def test_the_whole_help_fits(columns: int, rows: int, looking_on: bool) -> None:
    scene = followed(help=True, looking_on=looking_on)
    lines = shown(scene, columns, rows).splitlines()
    said = " ".join(" ".join(line.replace("│", "").split()) for line in lines)
    for text in (*help_sentences(scene), *(f"{key} {text}" for key, text in help_keys(scene))):
        assert " ".join(text.split()) in said
    assert "?: close" in said


def test_the_way_shows_games_contests_and_the_place() -> None:
    def way(scene: FollowScene, *, plain: bool = False) -> str:
        return shown(scene, plain=plain).splitlines()[22].strip()

    line = way(followed(0))
    assert line[0] == "●"
    assert (line.index("┃"), line.index("×")) == (25, 51)
    assert set(line) == set("●┃×╌")
    assert way(followed(3)).rstrip("●").count("━") == 75
    assert set(way(followed(1), plain=True)) == set("=Ox.")


def test_marks_too_dense_to_be_told_apart_are_left_out() -> None:
    scene = followed(0)
    moments = [*scene.moments] * 100
    many = FollowScene(0, scene.names, "", moments, 5, games=(1,) * 30, contests=(2,) * 90)
    assert not set("┃×") & set(shown(many).splitlines()[22])


def test_at_the_smallest_size_the_texts_have_the_room_of_the_way() -> None:
    assert "╌╌╌╌╌╌╌╌╌╌" not in shown(followed(0), 50, 15)


def test_who_looks_on_hears_both_by_name() -> None:
    screen = shown(followed(looking_on=True, live=True))
    for fact in (
        "Robin 1 : 0 Ola",
        "Both went for J♥ on the left: Robin with K♠, Ola with Q♣.",
        "The coin fell on 1, the joiner: Ola was first.",
        "Ola’s Q♣ beat Robin’s K♠.",
        "▸ live · beat 120 of 121+, game 2",
    ):
        assert fact in screen
    assert not re.search(r"\b(you|your)\b", screen, re.IGNORECASE)


@SIZES
def test_both_players_are_told_that_others_may_look_on(columns: int, rows: int) -> None:
    """At every size, whatever else has to give way."""
    assert "may be watched" in shown(SCENES["may be watched"](), columns, rows)
    assert "may be watched" not in shown(table(), columns, rows)
