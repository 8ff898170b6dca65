"""Any scene in any size: exact cells, no exceptions, and the facts and marks that must be there."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from prompt_toolkit.utils import get_cwidth
from support.screens import texts
from ui.render.scenes import (
    GAME,
    LINK,
    MINE,
    SCENES,
    after_a_game,
    beaten,
    before_a_spit,
    early,
    looking,
    noted,
    stuck,
    table,
)

from spitnet.core.cards import RANKS
from spitnet.protocol.rematch import Prospect
from spitnet.ui.presses import Arrow, CardPress, PileSide, Plain
from spitnet.ui.render.drawing import draw
from spitnet.ui.render.look import Colours, Look
from spitnet.ui.render.styles import rules
from spitnet.ui.scene import (
    Happened,
    Help,
    Idle,
    LinkQuality,
    Note,
    Question,
    Scene,
    Stopping,
    TableScene,
)
from spitnet.ui.words import KeyLabels, help_keys, help_sentences

LOOKS = {"unicode": Look(), "ascii": Look(ascii=True)}
DUTCH = Look(rank_letters=("A", *RANKS[1:10], "B", "V", "H"))


def shown(scene: Scene, columns: int = 80, rows: int = 24, look: Look = LOOKS["unicode"]) -> str:
    """The screen as one text."""
    return "\n".join(texts(draw(scene, columns, rows, look)))


@given(
    name=st.sampled_from(sorted(SCENES)),
    columns=st.integers(1, 400),
    rows=st.integers(1, 100),
    look=st.sampled_from((*LOOKS.values(), DUTCH)),
)
def test_every_size_is_filled_to_the_cell(name: str, columns: int, rows: int, look: Look) -> None:
    frame = draw(SCENES[name](), columns, rows, look)
    assert len(frame.lines) == rows
    for line in texts(frame):
        assert sum(map(get_cwidth, line)) == columns
        assert line.isprintable()


@pytest.mark.parametrize("name", sorted(SCENES))
def test_the_sizes_around_each_step_of_the_table(name: str) -> None:
    scene = SCENES[name]()
    for columns in (1, 49, 50, 61, 62, 79, 80, 87, 88, 120, 156):
        for rows in (1, 14, 15, 17, 18, 23, 24, 31, 40, 52):
            frame = draw(scene, columns, rows, LOOKS["unicode"])
            assert [sum(map(get_cwidth, line)) for line in texts(frame)] == [columns] * rows


@pytest.mark.parametrize("name", sorted(SCENES))
def test_every_style_has_a_rule(name: str) -> None:
    known = {f"class:{rule}" for rule in rules(Look())} | {"", "bold"}
    frame = draw(SCENES[name](), 80, 24, LOOKS["unicode"])
    assert {style for line in frame.lines for style, _text in line} <= known


@pytest.mark.parametrize(
    "name", sorted(set(SCENES) - {"wide names", "follow wide names", "looking", "crowd"})
)
def test_ascii_is_ascii(name: str) -> None:
    assert shown(SCENES[name](), look=LOOKS["ascii"]).isascii()


def test_too_small_says_which_size_is_needed() -> None:
    assert "Needs 50×15, has 49×15" in shown(table(), 49, 15)
    assert "Needs 50×15, has 50×14" in shown(table(), 50, 14)
    assert "Needs" not in shown(table(), 50, 15)


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_too_small_for_a_table_is_too_small_for_keys(look: Look) -> None:
    """But not where one only looks on: there is nothing to give away."""
    seen = {columns: draw(table(), columns, 15, look).blind for columns in (1, 49, 50, 80)}
    assert seen == {1: True, 49: True, 50: False, 80: False}
    assert not draw(SCENES["follow contest"](), 44, 12, look).blind


def test_all_facts_are_on_the_screen_at_80_by_24() -> None:
    screen = shown(SCENES["beaten"]())
    for fact in (
        "Game 2 of 3", "you 1 : 0 Ola", "ping 3 ms", "reply 12 ms", "Robin", "29 cards left", "41 cards left",
        "races +3 −2", "races +2 −3", " 25 ", " 37 ", "spit!", "K♠ was beaten by Q♣", "a s d f left", "? help",
        "q leave", f"both screens show {LINK}",
    ):  # fmt: skip
        assert fact in screen
    for label in ("◂a  1  j▸", "◂s  2  k▸", "◂d  3  l▸", "◂f  4  ;▸"):
        assert label in screen


def test_all_facts_are_on_the_screen_at_50_by_15() -> None:
    screen = shown(SCENES["beaten"](), 50, 15)
    for fact in (
        "Game 2 of 3",
        "1 : 0",
        "ping 3 ms",
        "reply 12 ms",
        "29 left",
        "41 left",
        "races +3 −2",
        "│25│",
    ):
        assert fact in screen
    assert "late answers: 12 · 7 slow replies" in shown(SCENES["slow"](), 120, 40)
    grown = LinkQuality(812.0, 1733.0, 12, 7, least_ms=0.4, lags=True)
    assert "ping 812 ms, at best <1" in shown(table(pace=grown))
    assert "late answers: 12 · 7 slow replies" in shown(table(pace=grown))
    assert "late answers: 1" in shown(table(pace=LinkQuality(3.2, 12.5, 1, 0)))
    assert "reply 12 ms · 1 stop" in shown(table(pace=LinkQuality(3.2, 12.5, stops=1)))
    assert texts(draw(SCENES["slow"](), 50, 15, LOOKS["unicode"]))[0].endswith("reply 1733 ms ")


@pytest.mark.parametrize(("columns", "rows"), [(50, 15), (80, 24), (120, 40)])
def test_many_stops_are_pointed_out_however_small_the_screen(columns: int, rows: int) -> None:
    """In the head for a minute, and at first where the news are; the help says what a stop is, where there is room."""
    screen = texts(draw(SCENES["stopping"](), columns, rows, LOOKS["unicode"]))
    assert "14 stops in a minute" in screen[0]
    assert any("The game stopped 14 times in a minute." in line for line in screen[1:])
    calm = table(pace=LinkQuality(3.2, 12.5, stops=31), stopping=Stopping(14, shouted=False))
    assert "The game stopped" not in shown(calm, columns, rows)
    if rows > 15:
        assert "The game has stopped 31 times" in shown(SCENES["stopping help"](), columns, rows)


def test_a_refused_key_and_whoever_is_waited_for_come_before_stops() -> None:
    often = Stopping(14, shouted=True)
    assert "claim" in shown(table(stopping=often, idle=Idle(1, 12.3)))
    refused = table(stopping=often, refused=True, note=Note(Happened.NOT_NOW))
    assert "That key does nothing now." in shown(refused)


@pytest.mark.parametrize("name", ["no game", "follow start"])
def test_before_the_deal_everybody_has_a_whole_deck(name: str) -> None:
    screen = shown(SCENES[name]())
    assert screen.count("52 cards left") == 2
    assert screen.count(" 52 │") == 2


@pytest.mark.parametrize("seat", [0, 1])
def test_the_own_pile_lies_on_the_right_for_both_seats(seat: int) -> None:
    lines = texts(draw(table(seat=seat), 50, 15, LOOKS["unicode"]))
    piles = next(line for line in lines if "J ♥" in line)
    own, theirs = ("6 ♦", "J ♥") if seat == 0 else ("J ♥", "6 ♦")
    assert piles.index(theirs) < piles.index(own)


def test_the_opponents_row_is_mirrored() -> None:
    row = texts(draw(table(), 50, 15, LOOKS["unicode"]))[2]
    assert [row.index(face) for face in ("Q ♣", "2 ♦", "5 ♥", "A ♠")] == sorted(
        row.index(face) for face in ("Q ♣", "2 ♦", "5 ♥", "A ♠")
    )


MARKED = {
    "going": (replace(table(), hand=beaten().hand), "▲ going ◂", "┏"),
    "next": (replace(table(), waiting=beaten().waiting), "… next ▸", "┆"),
    "beaten": (replace(table(), note=beaten().note), "✗ beaten", "╔"),
    "no fit": (noted(Happened.DOES_NOT_FIT), "≠ no fit", ""),
    "too late": (noted(Happened.TOO_LATE), "» too late", ""),
    "which": (noted(Happened.WHICH_PILE, asked_slot=2), "? which?", "┏"),
}


@pytest.mark.parametrize("name", sorted(MARKED))
def test_each_state_of_a_card_has_a_sign_of_its_own_without_colour(name: str) -> None:
    scene, tag, edge = MARKED[name]
    screen = shown(scene)
    assert tag in screen
    assert edge in screen
    others = {other for other, *_rest in MARKED.values() if other is not scene}
    assert not [other for other in others if MARKED[name][1] in shown(other)]


@pytest.mark.parametrize("name", sorted(MARKED))
def test_a_sign_stays_where_there_is_no_room_for_the_word(name: str) -> None:
    scene, tag, _edge = MARKED[name]
    assert tag[0] in shown(scene, 50, 15)


def test_a_card_under_way_is_lifted_by_a_row() -> None:
    def top(scene: Scene) -> int:
        lines = texts(draw(scene, 80, 24, LOOKS["unicode"]))
        return next(row for row, line in enumerate(lines) if "▄█ ▄▀▄" in line)

    assert top(MARKED["going"][0]) == top(table()) - 1


def test_ready_stuck_and_away_are_said_in_words() -> None:
    assert "✓ ready" in shown(before_a_spit(False, True))
    assert "■ stuck" in shown(stuck())
    assert "… away" in shown(SCENES["gone"]())
    assert "0:43" in shown(SCENES["gone"]())
    for name, word in (("not ready", "✓ ready"), ("stuck", "■ stuck"), ("gone", "… away")):
        assert word in shown(SCENES[name](), 50, 15)


def test_ranks_follow_the_language() -> None:
    assert "H ♠" in shown(table(), 50, 15, DUTCH)
    assert "V ♣" in shown(table(), 50, 15, DUTCH)


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 40), (156, 60)])
def test_a_large_card_has_its_rank_in_letters_too(columns: int, rows: int) -> None:
    screen = shown(table(), columns, rows)
    for card in ("K♠", "10♥", "4♦", "7♣", "A♠", "5♥", "2♦", "Q♣", "J♥", "6♦"):
        assert f"─ {card} ─╮" in screen


def test_a_match_that_was_stopped_shows_nobody_ready() -> None:
    screen = shown(replace(before_a_spit(True, True), ended=early("abandoned")))
    assert "✓ ready" not in screen
    assert "Ola kept you waiting too long" in screen


def test_the_page_after_a_game_says_who_left_since() -> None:
    assert "Ola left the match." in shown(replace(after_a_game(), left=(1,)))


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (50, 15)])
@pytest.mark.parametrize(
    "scene", [table(help=Help.KEYS), replace(before_a_spit(False, False), help=Help.KEYS)]
)
@pytest.mark.parametrize("mouse", [False, True])
def test_the_whole_help_fits(columns: int, rows: int, scene: TableScene, mouse: bool) -> None:
    """The mouse is told of where it plays; where there is little room, instead of a rule that is on the next page."""
    lines = texts(draw(scene, columns, rows, replace(LOOKS["unicode"], mouse=mouse)))
    said = " ".join(" ".join(line.replace("│", "").split()) for line in lines)
    keys = help_keys(scene, KeyLabels(), mouse)
    sentences = help_sentences(scene)[: -1 if mouse and rows == 15 else None]
    for text in (*sentences, *(text for _key, text in keys)):
        assert text in said
    assert "?: the rules" in said
    assert ("mouse left button: left pile, right: right" in said) is mouse


def test_a_click_on_a_card_plays_it_left_or_right() -> None:
    frame = draw(table(), 80, 24, LOOKS["unicode"])
    lines = texts(frame)
    row = next(row for row, line in enumerate(lines) if "◂a  1  j▸" in line)
    for slot, key in enumerate(("◂a", "◂s", "◂d", "◂f")):
        column = lines[row].index(key) + 4
        assert frame.press_at(column, row - 3) == CardPress(slot, PileSide.LEFT)
        assert frame.press_at(column, row - 3, right=True) == CardPress(slot, PileSide.RIGHT)
    assert frame.press_at(0, 0) is None


def test_a_click_on_a_pile_answers_which() -> None:
    frame = draw(table(), 80, 24, LOOKS["unicode"])
    lines = texts(frame)
    row = next(row for row, line in enumerate(lines) if "─ 1 ─╯" in line)
    assert frame.press_at(lines[row].index("─ 1 ─╯"), row) == Arrow(PileSide.LEFT)
    assert frame.press_at(lines[row].index("─ 2 ─╯"), row) == Arrow(PileSide.RIGHT)


def test_a_question_takes_clicks_for_itself() -> None:
    frame = draw(table(question=Question.QUIT), 80, 24, LOOKS["unicode"])
    lines = texts(frame)
    row = next(row for row, line in enumerate(lines) if "y yes" in line)
    assert frame.press_at(lines[row].index("y yes"), row) is Plain.YES
    assert frame.press_at(lines[row].index("n no"), row) is Plain.NO
    assert {hit.press for hit in frame.hits} == {Plain.YES, Plain.NO}


def test_a_click_on_the_list_moves_the_choice() -> None:
    frame = draw(looking(3, 1), 80, 24, LOOKS["unicode"])
    rows = [row for row, line in enumerate(texts(frame)) if "192.168" in line]
    assert [frame.press_at(20, row) for row in rows] == [Plain.UP, Plain.ENTER, Plain.DOWN]


def test_the_chosen_table_is_always_in_the_list() -> None:
    for rows in (8, 15, 24):
        screen = shown(looking(60, 55), 80, rows)
        assert "▸" in screen
        assert "192.168.1.55:" in screen


def test_the_page_after_a_game_tells_it_all() -> None:
    screen = shown(after_a_game(Prospect.OFFERED))
    for fact in ("You win!", "You played your last card.", "Match: you 2, Ola 1", "You win the match!", "cards left",
                 "races won", "longest run", "0.31 s", "Ola wants a rematch!", "⠤⠤⠤⠤ you", "⠄⠠ ⠄ Ola", "52 │"):  # fmt: skip
        assert fact in screen


@pytest.mark.parametrize("colours", list(Colours))
def test_no_style_paints_the_background(colours: Colours) -> None:
    for rule in rules(Look(colours=colours)).values():
        assert "bg:" not in rule
        if colours is Colours.NONE:
            assert set(rule.split()) <= {"bold", "reverse", "underline"}


def _brightness(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(colour: str, ground: str) -> float:
    bright, dim = sorted((_brightness(colour), _brightness(ground)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


@pytest.mark.parametrize("colours", [Colours.C256, Colours.TRUE])
def test_every_colour_can_be_read_on_black_and_on_white(colours: Colours) -> None:
    for name, rule in rules(Look(colours=colours)).items():
        for ground in ("#000000", "#ffffff"):
            for part in rule.split():
                if part.startswith("#") and name not in {"place", "bar.empty", "back", "back.edge"}:
                    assert _contrast(part, ground) >= 2.9, (name, part, ground)


def test_piles_say_how_many_cards_lie_there() -> None:
    game = structs.replace(GAME, piles=(MINE * 12, MINE * 4))
    assert " 48 " in shown(table(game))
    assert " 16 " in shown(table(game))
