"""The sentences: every note, hint and ending says something, names who and what, and leaves no placeholder behind."""

import shlex
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs
from support import catalogues
from ui.render.scenes import (
    GAME,
    MINE,
    SETTINGS,
    THEIRS,
    after_a_game,
    before_a_spit,
    early,
    followed,
    manual,
    stuck,
    table,
)

from spitnet import language
from spitnet.cli.arguments import parse
from spitnet.core.moves import Ready, Spit
from spitnet.core.state import Match, Outcome, Reason, Result, SpitMode
from spitnet.journal.story import Summary
from spitnet.protocol.rematch import Prospect
from spitnet.ui import words
from spitnet.ui.pages.due import Due, due
from spitnet.ui.render.look import Look
from spitnet.ui.scene import Absence, Happened, HostingScene, Note, Question, TableScene
from spitnet.ui.words import captions

LOOK = Look()
KEYS = words.KeyLabels()
SAYING = [one for one in Happened if one not in {Happened.NOTHING, Happened.GAME_OVER}]


@pytest.mark.parametrize("seat", [0, 1, None])
@pytest.mark.parametrize("happened", SAYING, ids=str)
@pytest.mark.parametrize("pile", [0, 1, None])
def test_every_note_is_a_whole_sentence(
    happened: Happened, seat: int | None, pile: int | None
) -> None:
    note = Note(happened, seat, MINE[0], pile, THEIRS[3], text="Trouble here.")
    text = words.note(table(note=note), LOOK.card_name)
    assert text
    assert "{" not in text


@pytest.mark.parametrize(
    ("note", "text"),
    [
        (Note(Happened.LANDED, 0, MINE[0], 0), "Your K♠ landed on the right."),
        (Note(Happened.LANDED, 0, MINE[0], 1), "Your K♠ landed on the left."),
        (Note(Happened.LANDED, 1, THEIRS[0], 0), "Ola played A♠ on the right."),
        (
            Note(Happened.BEATEN, 0, MINE[0], 1, THEIRS[3]),
            "Your K♠ was beaten by Q♣ and came back.",
        ),
        (Note(Happened.BEATEN, 1, THEIRS[3], 1, MINE[1]), "Your 10♥ beat Ola’s Q♣."),
        (Note(Happened.DOES_NOT_FIT, 0, MINE[2]), "4♦ fits neither pile."),
        (Note(Happened.DOES_NOT_FIT, 0, MINE[2], 1), "4♦ doesn’t fit on the left."),
        (Note(Happened.DOES_NOT_FIT, 0, MINE[2], 1, THEIRS[0]), "4♦ doesn’t fit on A♠."),
        (Note(Happened.TOO_LATE, 0, MINE[2], 1), "Too late: 4♦ doesn’t fit any more."),
        (Note(Happened.SPIT, None), "Spit! New cards on the piles."),
        (Note(Happened.SPIT, 1), "Ola said “spit!”"),
        (Note(Happened.TROUBLE, text="{odd}"), "{odd}"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_note_names_the_card_and_the_side(note: Note, text: str) -> None:
    assert words.note(table(note=note), LOOK.card_name) == text


def _ended(reason: Reason, winner: int | None, seat: int) -> TableScene:
    game = structs.replace(GAME, outcome=Outcome(winner, reason))
    return table(game, seat)


DRAWS = (Reason.LEVEL, Reason.DEAD_HEAT, Reason.CONCEDED)
ENDINGS = [(reason, None) for reason in DRAWS] + [
    (reason, winner)
    for reason in Reason
    if reason not in {Reason.LEVEL, Reason.DEAD_HEAT}
    for winner in (0, 1)
]


@pytest.mark.parametrize(("reason", "winner"), ENDINGS)
def test_each_way_to_end_a_game_has_its_words(reason: Reason, winner: int | None) -> None:
    """R16 to R20, R22."""
    texts = [words.game_over(_ended(reason, winner, seat)) for seat in (0, 1)]
    assert all(text and "{" not in text for text in texts)
    assert (texts[0] == texts[1]) == (winner is None)


SAID = Match(SETTINGS, None, (0, 0), 0, None)
AUTO = structs.replace(SETTINGS, spit=SpitMode.AUTO)
DUES = {
    Due.WAIT_FOR_DEAL: (table(None, match=SAID), "dealt"),
    Due.READY: (before_a_spit(False, False), "space: ready"),
    Due.WAIT_FOR_READY: (replace(before_a_spit(False, False), hand=Ready()), "Waiting for Ola"),
    Due.SPIT: (before_a_spit(True, True), "space: spit!"),
    Due.WAIT_FOR_SPIT: (replace(before_a_spit(True, True), hand=Spit()), "watch"),
    Due.PLAY: (table(), "a s d f left, j k l ; right"),
    Due.PLAY_OR_REFILL: (manual(), "space: next card"),
    Due.CHOOSE_PILE: (table(asked_slot=2), "left pile"),
    Due.WAIT_STUCK: (stuck(), "You are stuck. Ola can still play."),
    Due.WAIT_FOR_OPPONENT: (table(gone=Absence(3.0, False, False)), "Waiting for Ola"),
    Due.CLAIM: (table(gone=Absence(0.0, False, True)), "claim"),
    Due.NEXT_GAME: (after_a_game(over=False), "space: next game"),
    Due.REMATCH: (after_a_game(), "r: rematch"),
    Due.REMATCH_ASKED: (after_a_game(Prospect.ASKED), "Waiting for Ola"),
    Due.REMATCH_OFFERED: (after_a_game(Prospect.OFFERED), "Ola wants a rematch"),
    Due.REMATCH_AWAY: (after_a_game(Prospect.AWAY), "Ola can’t be reached"),
    Due.REMATCH_DECLINED: (after_a_game(Prospect.LEFT), "Ola has left"),
    Due.LEAVE: (table(ended=early("abandoned")), "q: leave"),
}


@pytest.mark.parametrize("name", sorted(DUES, key=str), ids=str)
def test_the_hint_says_what_is_due(name: Due) -> None:
    scene, text = DUES[name]
    assert due(scene) is name
    assert text in words.hint(scene, KEYS)


def test_the_game_says_spit_where_the_match_is_set_so() -> None:
    """R7, decision: auto."""
    game = structs.replace(GAME, piles=((), ()), ready=(True, True))
    assert due(table(match=Match(AUTO, game, (0, 0), 0, None))) is Due.WAIT_FOR_SPIT


@pytest.mark.parametrize("question", list(Question))
def test_a_question_says_what_yes_means(question: Question) -> None:
    scene = table(question=question)
    first, second = words.question(scene, question)
    assert first
    assert second
    assert words.hint(scene, KEYS) == "y: yes   n: no"


def test_leaving_while_the_other_is_gone_concedes_nothing() -> None:
    """R22."""
    scene = table(gone=Absence(3.0, False, False))
    assert words.question(scene, Question.QUIT)[1] == "That concedes nothing."
    assert "concedes" in words.question(table(), Question.QUIT)[1]


def test_only_a_dropped_network_loses_nothing() -> None:
    """Who has closed the game may not come back."""
    assert "Nothing is lost." in words.gone(table(gone=Absence(3.0, False, False)))[1]
    for gone in (Absence(3.0, True, False), Absence(0.0, False, True)):
        assert "lost" not in words.gone(table(gone=gone))[1]


@pytest.mark.parametrize(
    ("ended", "text"),
    [
        ("over", ""),
        ("abandoned", "Ola kept you waiting too long. You win the match!"),
        (
            "claimed",
            "Ola claimed the match: nothing came from you for too long. Ola wins the match.",
        ),
        ("false_claim", "Ola claimed the match, but you were there. You win the match!"),
        ("left", "Ola left the match. You win the match!"),
        ("lost_records", "Ola has lost the end of the record. You win the match!"),
        ("own_records", "The match can’t go on: the end of your record is lost."),
        ("accused", "Stopped by Ola, who says that you broke the rules. You win the match!"),
        ("flood", "Stopped: the other program sent far too much. You win the match!"),
        ("unheard_of", "The match was stopped: unheard_of. You win the match!"),
    ],
)
def test_a_match_that_ends_before_its_time_says_why(ended: str, text: str) -> None:
    """And who has won it, as far as that is known. R22"""
    assert words.ended(table(ended=early(ended))) == text


@pytest.mark.parametrize(
    ("left", "winner", "texts"),
    [
        ((1,), 0, ("Ola left the match.", "You left the match.")),
        ((0, 1), None, ("Both left the match.", "Both left the match.")),
        ((), 0, ("Ola conceded.", "You conceded.")),
    ],
)
def test_leaving_is_not_called_conceding(
    left: tuple[int, ...], winner: int | None, texts: tuple[str, str]
) -> None:
    """R22."""
    outcome = Outcome(winner, Reason.CONCEDED)
    for seat, text in enumerate(texts):
        game = structs.replace(GAME, outcome=outcome)
        scene = replace(table(game, seat), left=left, summary=Summary(2, left=left))
        assert words.reason(scene, outcome) == text
        assert words.left(scene) == ""
        between = replace(scene, summary=Summary(2))
        assert words.left(between) == (text if left else "")


def test_the_help_says_the_rules() -> None:
    text = " ".join(words.help_sentences(table()))
    for fact in ("full deck of 52", "first out of cards wins", "fewer cards wins"):
        assert fact in text


OPEN_TABLE = HostingScene("Ola", ("10.0.0.2:7",), None, 0.0)


def typed(text: str) -> list[str]:
    """The words that a shell makes of a hint's command."""
    return shlex.split(text.partition("spitnet")[2])


def test_a_hint_says_no_more_than_it_must() -> None:
    assert words.how_to_join(OPEN_TABLE) == (
        "They type: spitnet join",
        "or: spitnet join 10.0.0.2:7",
    )
    assert words.how_to_watch(OPEN_TABLE) == "Others can watch: spitnet watch"
    (offline,) = words.how_to_join(replace(OPEN_TABLE, addresses=()))
    assert offline == words.how_to_join(OPEN_TABLE)[0], (
        "on this machine it can be found all the same"
    )


@pytest.mark.parametrize("code", [None, "tulip-42", "two words", "it's", "-x", "$HOME"])
@pytest.mark.parametrize("search", [(), ("--discovery-port", "47999")])
def test_what_the_other_types_works_as_it_stands(code: str | None, search: tuple[str, ...]) -> None:
    """Copied into a shell, it comes to the same code, port and place."""
    scene = replace(OPEN_TABLE, code=code, search=search)
    wanted = {"discovery-port": search[1]} if search else {}
    looked_for, by_address = words.how_to_join(scene)
    codes = {} if code is None else {"code": code}
    assert parse(typed(looked_for)) == ("join", codes | wanted)
    assert parse(typed(by_address)) == ("join", codes | wanted | {"address": "10.0.0.2:7"})
    assert parse(typed(words.how_to_watch(scene))) == ("watch", wanted)


def test_the_match_has_its_own_words() -> None:
    assert words.match_result(after_a_game()) == "You win the match!"
    assert words.match_result(replace(after_a_game(), seat=1)) == "Robin wins the match."
    drawn = structs.replace(after_a_game().match, result=Result(None))
    assert words.match_result(replace(after_a_game(), match=drawn)) == "The match is drawn."
    assert words.match_result(table()) == ""


def test_figures_are_written_as_the_language_writes_them(tmp_path: Path) -> None:
    with catalogues.only(tmp_path, {"nl": {"the sign between 0 and 5 in 0.5\x04.": ","}}):
        assert words.fastest(0.31) == "Your fastest play: 0.31 s"
        language.use("nl", {})
        assert words.fastest(0.31) == "Your fastest play: 0,31 s"
        assert captions.running(followed(speed=0.25)) == "paused 0,25×"


def test_no_play_takes_no_time() -> None:
    for seconds, said in ((0.0, "<0.01"), (0.0099, "<0.01"), (0.01, "0.01"), (1.236, "1.24")):
        assert words.fastest(seconds) == f"Your fastest play: {said} s"


def test_a_countdown_is_rounded_up() -> None:
    assert [words.clock(seconds) for seconds in (0.0, 0.2, 59.5, 60.0, 61.0)] == [
        "0:00", "0:01", "1:00", "1:00", "1:01",
    ]  # fmt: skip


def test_a_name_is_never_taken_for_a_placeholder() -> None:
    scene = replace(table(note=Note(Happened.READY, 1)), names=("a", "{card}"))
    assert words.note(scene, LOOK.card_name) == "{card} is ready."
    assert "{card}" in words.hint(replace(scene, gone=Absence(1.0, False, False)), KEYS)
