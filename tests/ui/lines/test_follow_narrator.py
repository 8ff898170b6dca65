"""A match told in lines to someone who steps through it: every beat once, and nothing that was jumped over."""

import pytest
from support.games import game_of
from ui.looked_at import ENDING, beats, follower

from spitnet.core.events import Beaten, Dealt, Spat
from spitnet.ui.keys.playback_keys import PlaybackKeys
from spitnet.ui.lines.narrator import Narrator
from spitnet.ui.lines.spoken import piles_line, rank_name, row_line, sentence
from spitnet.ui.lines.typed import Ask, keys, words
from spitnet.ui.pages.follow_page import FollowPage
from spitnet.ui.presses import Plain, Playback, Press
from spitnet.ui.scene import FollowScene, Happened, notes_of
from spitnet.ui.terminal.sequences import Sequences
from spitnet.ui.words.captions import help_keys, position, said

MATCH = beats()
FOLLOWING = {Happened.BOTH_STUCK, Happened.GAME_OVER}


class Listener:
    """Hears what there is to tell after each key."""

    def __init__(self, page: FollowPage) -> None:
        self.page = page
        self._teller = Narrator(PlaybackKeys().labels())
        self.hear()

    def hear(self, now_s: float = 0.0) -> list[str]:
        return list(self._teller.news(self.page.scene(now_s)))

    def press(self, press: Press) -> list[str]:
        self.page.press(press, 0.0)
        return self.hear()

    @property
    def scene(self) -> FollowScene:
        return self.page.scene(0.0)


def test_the_head_says_whose_match_it_is() -> None:
    head = list(Narrator(PlaybackKeys().labels()).news(follower(MATCH, seat=1).scene(0.0)))
    assert head[:2] == ["Bram against Ana", "2026-01-02 03:04 UTC"]
    assert "Space: play or pause" in head[2]


def test_every_beat_is_told_by_its_number() -> None:
    listener = Listener(follower(MATCH))
    for seen in MATCH:
        lines = listener.press(Playback.FORWARD)
        assert lines[0].startswith(f"{seen.beat}: ")
        game, table = game_of(seen.match), listener.scene.table(listener.scene.moment)
        kinds = {type(event) for event in seen.events}
        assert (row_line(game.layouts[0]) in lines) == (Dealt in kinds)
        assert (piles_line(table, game) in lines) == (Spat in kinds)
        if Beaten in kinds:
            assert lines[0].startswith(f"{seen.beat}: Both went for ")
            assert lines[1].startswith("The coin fell on ")
            assert "beat" in lines[2]
    assert lines[-1] == ENDING


@pytest.mark.parametrize("first", [Playback.FORWARD, Playback.END])
def test_cards_are_told_before_what_follows_from_them(first: Playback) -> None:
    """That nobody can play on what was turned up, or that it ends the game; by step and by jump."""
    match = beats(3, name="d")
    listener = Listener(follower(match))
    then = Playback.FORWARD if first is Playback.FORWARD else Playback.BACK
    followed = set()
    for press in (first, *[then] * (len(match) - 1)):
        lines = listener.press(press)
        scene = listener.scene
        moment, table = scene.moment, scene.table(scene.moment)
        if moment.shout and notes_of(moment)[-1].happened in FOLLOWING:
            followed.add(notes_of(moment)[-1].happened)
            follows = said(scene, moment, rank_name)[-1].text
            assert lines.index(piles_line(table, game_of(moment.match))) < lines.index(follows)
    assert followed == FOLLOWING


def test_beats_that_passed_while_nobody_listened_are_told() -> None:
    """A reader that is slow loses nothing while it plays."""
    listener = Listener(follower(MATCH, playing=True))
    now_s = 0.0
    for _ in range(9):
        now_s += 100.0
        listener.page.scene(now_s)
    told = listener.hear(now_s)
    numbers = [line.split(":")[0] for line in told if line.split(":")[0].isdigit()]
    assert numbers == [str(number) for number in range(1, 10)]


def test_a_jump_tells_the_place_and_not_what_lies_between() -> None:
    listener = Listener(follower(MATCH))
    lines = listener.press(Playback.LATER_CONTEST)
    scene = listener.scene
    game = game_of(scene.moment.match)
    captions = [caption.text for caption in said(scene, scene.moment, rank_name)]
    assert lines == [
        sentence(position(scene)),
        f"{scene.moment.beat}: {captions[0]}",
        *captions[1:],
        piles_line(scene.table(scene.moment), game),
    ]
    back = listener.press(Playback.BACK)
    assert back[0] == f"Beat {scene.moment.beat - 1} of {len(MATCH)}, game 1"


def test_a_key_that_leads_nowhere_is_answered_each_time() -> None:
    listener = Listener(follower(MATCH))
    for _ in range(2):
        assert listener.press(Playback.EARLIER_CONTEST) == ["No race came before this beat."]


def test_what_was_asked_of_the_pace_is_confirmed() -> None:
    listener = Listener(follower(MATCH))
    assert listener.press(Playback.PLAY) == ["Playing 1×"]
    assert listener.press(Playback.FASTER) == ["Playing 2×"]
    assert not any("Paused" in line for line in listener.press(Playback.FORWARD))
    assert listener.press(Playback.SLOWER) == ["Paused 1×"]


def test_what_is_wrong_is_told_at_both_ends() -> None:
    page = FollowPage(0, ("Ana", "Bram"), MATCH[0].match, "", playing=False)
    listener = Listener(page)
    page.take(MATCH[:3], 0.0)
    page.close("The record is broken.", broken=True)
    assert listener.hear() == ["The record is broken."]
    assert listener.press(Playback.END)[-1] == "The record is broken."


def test_who_is_away_and_who_is_back_is_told_once() -> None:
    page = follower(MATCH)
    listener = Listener(page)
    page.trouble("Bram is away.")
    assert listener.hear() == ["Bram is away."]
    page.say("Bram is back.")
    assert listener.hear() == ["Bram is back."]
    assert listener.hear() == []


def test_the_table_and_the_keys_are_told_when_asked() -> None:
    listener = Listener(follower(MATCH))
    listener.press(Playback.LATER_CONTEST)
    teller = Narrator(PlaybackKeys().labels())
    lines = list(teller.table(listener.scene))
    game = game_of(listener.scene.moment.match)
    races = listener.scene.moment.races
    assert sentence(position(listener.scene)) in lines
    assert row_line(game.layouts[0]) in lines
    assert f"Races: won {races[0]}, lost {races[1]}" in lines
    told = list(teller.help(listener.scene))
    assert all(sentence(f"{key}: {text}") in told for key, text in help_keys(listener.scene))


def test_keys_and_words() -> None:
    """Home and End as terminals send them; capital letters are their own keys; words for all that a key does."""
    known = PlaybackKeys()
    units = Sequences().feed("\x1b[H\x1b[F\x1b[1~\x1b[4~\x1bOH\x1b[C\x1b[D gGt\n", 0.0)
    assert list(keys(units, known, asked=False)) == [
        Playback.START, Playback.END, Playback.START, Playback.END, Playback.START,
        Playback.FORWARD, Playback.BACK, Playback.PLAY, Playback.LATER_GAME, Playback.EARLIER_GAME,
        Ask.TABLE, Ask.TABLE,
    ]  # fmt: skip
    assert list(words("next Back race G g play rubbish\n", known, asked=False)) == [
        Playback.FORWARD, Playback.BACK, Playback.LATER_CONTEST, Playback.EARLIER_GAME,
        Playback.LATER_GAME, Playback.PLAY, Ask.WHAT,
    ]  # fmt: skip
    assert list(words(" \n", known, asked=False)) == [Playback.PLAY]
    assert known.words()["quit"] is Plain.QUIT
