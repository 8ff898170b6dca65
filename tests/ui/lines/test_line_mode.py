"""The game in lines: what can be typed, that nothing goes untold, and that a stream or a terminal ends it well."""

import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue

import pytest
from support.games import Beat, chance, lay, played, tossing
from support.terminals import Pty
from ui.local_front import LocalFront
from ui.pty_front import FakeFront
from ui.render.scenes import early

from spitnet.core.beat import apply_beat
from spitnet.core.cards import Card, card_of, owner, rank
from spitnet.core.events import Beaten, BothStuck, GameOver, Landed, Spat
from spitnet.core.moves import Leave, Play, Ready
from spitnet.core.state import Match, RefillMode, Settings, SpitMode, new_match
from spitnet.protocol.notices import Completed
from spitnet.ui.keys.keymaps import keymap, labels
from spitnet.ui.lines import line_mode
from spitnet.ui.lines.narrator import Narrator
from spitnet.ui.lines.spoken import piles_line, rank_name, row_line, sentence
from spitnet.ui.lines.typed import Ask, Number, Typed, keys, words
from spitnet.ui.pages.lobby_pages import NOBODY_AFTER_S, HostingPage
from spitnet.ui.pages.table_page import TablePage
from spitnet.ui.presses import Arrow, CardPress, PileSide, Plain, Press
from spitnet.ui.scene import (
    Absence,
    Happened,
    HostingScene,
    Idle,
    KnockingScene,
    LinkQuality,
    ListedTable,
    LookingScene,
    Note,
    Scene,
    Stopping,
    TableScene,
)
from spitnet.ui.terminal.capabilities import Interrupted
from spitnet.ui.terminal.sequences import Sequences

PROGRAM = Path(__file__).parents[1] / "plain_program.py"
TESTS = PROGRAM.parent.parent


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("a", [CardPress(0, PileSide.LEFT)]),
        ("1;", [Number(1), CardPress(3, PileSide.RIGHT)]),
        (" ", [Plain.SPACE]),
        ("\n", [Ask.TABLE]),
        ("t", [Ask.TABLE]),
        ("\x1b[C\x1bOD", [Arrow(PileSide.RIGHT), Arrow(PileSide.LEFT)]),
        ("\x1b", [Plain.ESCAPE]),
        ("\x1b[15~z%", [Plain.REMATCH]),
        ("\x0c", [Ask.TABLE]),
        ("\x1b[>41;354;0c\x1b[a", []),
        ("ф", [CardPress(0, PileSide.LEFT)]),
    ],
)
def test_keys(text: str, meant: list[Typed]) -> None:
    sequences = Sequences()
    units = [*sequences.feed(text, 0.0), *sequences.flush(1.0)]
    assert list(keys(units, keymap(), asked=False)) == meant


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("\n", [Ask.TABLE]),
        (" \n", [Plain.SPACE]),
        ("2\n", [Number(2)]),
        ("2l\n", [CardPress(1, PileSide.LEFT)]),
        ("2R 3<\n", [CardPress(1, PileSide.RIGHT), CardPress(2, PileSide.LEFT)]),
        ("2 left\n", [CardPress(1, PileSide.LEFT)]),
        ("2 right 1\n", [CardPress(1, PileSide.RIGHT), Number(1)]),
        ("12\n", [Number(12)]),
        ("ready\r\n", [Plain.SPACE]),
        ("Spit\n", [Plain.SPACE]),
        ("left\n", [Arrow(PileSide.LEFT)]),
        ("s l\n", [CardPress(1, PileSide.LEFT), CardPress(2, PileSide.RIGHT)]),
        ("quit\n", [Plain.QUIT]),
        ("?\n", [Plain.HELP]),
        ("t\n", [Ask.TABLE]),
        ("yes\n", [Plain.YES]),
        ("gibberish 1x 9l\n", [Ask.WHAT, Ask.WHAT, Ask.WHAT]),
    ],
)
def test_words(line: str, meant: list[Typed]) -> None:
    assert list(words(line, keymap(), asked=False)) == meant


def told(scenes: Iterator[Scene]) -> Iterator[list[str]]:
    teller = Narrator(labels(keymap()))
    for scene in scenes:
        yield list(teller.news(scene))


def completed(number: int, beat: Beat) -> Completed:
    return Completed(number, beat.moves, beat.randomness, beat.events, beat.after, b"")


def page_of(match: Match, seat: int = 0) -> TablePage:
    return TablePage(seat, ("Ann", "Bob"), match, "", 0.0)


def seen(beats: list[Beat], seat: int) -> Iterator[Scene]:
    """The table before the first of them, and after each."""
    page = page_of(beats[0].before, seat)
    yield page.scene(0.0)
    for number, beat in enumerate(beats, 1):
        page.tell(completed(number, beat), float(number))
        yield page.scene(float(number))


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("away", [False, True])
def test_of_a_match_that_is_taken_up_only_what_is_is_told(seat: int, away: bool) -> None:
    """Whatever was played before: the score, what lies there, who is ready, and that both are here, once they are."""
    past = ("dealt", "landed", "played", "pit!”")
    back, names = "You are both at the table again.", ("Ann", "Bob")
    for beat in played(f"taken up {seat}"):
        match, game = beat.after, beat.after.game
        if game is None or not any(game.piles):
            continue
        teller = Narrator(labels(keymap()))
        scene = TableScene(seat, names, match)
        gone = Absence(60.0, on_purpose=False, claimable=False) if away else None
        lines = list(teller.news(replace(scene, gone=gone)))
        assert not [one for one in lines if any(word in one for word in past)]
        assert lines[0].startswith("Match: you")
        ready = [
            name for name in ("You are ready.", f"{names[1 - seat]} is ready.") if name in lines
        ]
        assert len(ready) == sum(game.ready)
        if game.outcome is None:
            lying = lines.index(piles_line(scene, game))
            assert lines[lying + 1] == row_line(game.layouts[seat])
            assert all("cards left" in one or "card left" in one for one in lines[lying + 2 :][:2])
            lines += teller.news(scene)
            assert lines.count(back) == 1


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("refill", RefillMode)
def test_no_play_goes_untold(seat: int, refill: RefillMode) -> None:
    """Every card that lands, every spit, every lost race and every end, beat by beat."""
    beats = list(played(f"told {seat}", Settings(games=3, refill=refill)))
    for beat, lines in zip(beats, [*told(seen(beats, seat))][1:], strict=True):
        text = "\n".join(lines)
        for event in beat.events:
            match event:
                case Landed(seat=who, card=card):
                    start = "Your" if who == seat else ("Ann", "Bob")[who]
                    assert any(one.startswith(start) and rank_name(card) in one for one in lines), (
                        text
                    )
                    assert owner(card) == who
                case Beaten():
                    assert " beat " in text or " was beaten by " in text
                case Spat():
                    assert "pit!" in text
                    assert "Left " in text
                case BothStuck():
                    assert lines[-2:] == ["Both are stuck.", "Space: ready"]
                case GameOver():
                    assert ("win" in text) or ("draw" in text)
        assert ("Both are stuck." in lines) == any(
            isinstance(event, BothStuck) for event in beat.events
        )


def test_what_was_turned_up_is_told_before_the_end_that_follows() -> None:
    beats = list(played("d", Settings(games=3)))
    ends = [
        (beat, lines)
        for beat, lines in zip(beats, [*told(seen(beats, 0))][1:], strict=True)
        if {Spat, GameOver} <= set(map(type, beat.events))
    ]
    assert ends
    for beat, lines in ends:
        assert beat.after.game is not None
        piles = piles_line(TableScene(0, ("Ann", "Bob"), beat.after), beat.after.game)
        assert lines.index(piles) < next(i for i, line in enumerate(lines) if "fewer" in line)


def test_nothing_is_told_twice() -> None:
    beats = list(played("once", Settings()))
    scenes = [scene for scene in seen(beats, 0) for _ in range(2)]
    assert not any(list(told(iter(scenes)))[1::2])


def test_ranks_by_ear() -> None:
    names = {rank(card): rank_name(card) for beat in played("ear") for card in beat_cards(beat)}
    assert names[0] == "ace"
    assert names[9] == "ten"
    assert names[12] == "king"
    assert len(set(names.values())) == 13


def beat_cards(beat: Beat) -> Iterator[Card]:
    game = beat.after.game
    if game is not None:
        yield from game.piles[0]
        yield from game.piles[1]


def test_pages_before_a_match() -> None:
    entries = (
        ListedTable("Bob", "10.0.0.2:7", True, False, 1),
        ListedTable("Eve", "10.0.0.3:7", False, True, 1),
    )
    scenes: list[Scene] = [
        HostingScene("Ann", ("10.0.0.1:7",), "1234", 0.0),
        HostingScene("Ann", ("10.0.0.1:7",), "1234", 30.0),
        HostingScene("Ann", ("10.0.0.1:7",), "1234", 61.0),
        LookingScene((), 0, 0.0, False),
        LookingScene((), 0, 4.0, True),
        LookingScene(entries, 0, 5.0, False),
        LookingScene(entries, 1, 6.0, False),
        KnockingScene("Bob", 0.0),
        KnockingScene("Bob", 1.0),
    ]
    lines = list(told(iter(scenes)))
    assert any("1234" in line for line in lines[0])
    assert "They type: spitnet join --code 1234" in lines[0]
    assert "Or: spitnet join --code 1234 10.0.0.1:7" in lines[0]
    assert not any("doctor" in line for line in lines[4])
    assert [len(one) for one in lines[1:3]] == [0, 1]
    assert len(lines[4]) > 1
    assert [line for line in lines[5] if line.startswith("1. Bob, 10.0.0.2:7")]
    assert [line for line in lines[5] if line.startswith("2. Eve")]
    assert [line for line in lines[5] if line.startswith("Type a table")]
    assert [len(one) for one in lines[6:]] == [0, 1, 0]


def test_of_an_open_table_only_what_has_changed_is_said_again() -> None:
    """Its new address, what stands in the way, and after a while what to try: each once."""
    page = HostingPage(HostingScene("Ann", (), "tulip", 0.0, trouble="e0 is down."), 0.0)
    teller = Narrator(labels(keymap()))

    def said(at_s: float) -> list[str]:
        return list(teller.news(page.scene(at_s)))

    first = said(0.0)
    assert first[:2] == ["The table of Ann is open", "e0 is down."]
    assert "They type: spitnet join --code tulip" in first
    assert said(2.0) == []
    page.reached(("10.0.0.1:7",), "")
    theirs = "They type: spitnet join --code tulip"
    assert said(3.0) == ["Address: 10.0.0.1:7", theirs, f"Or: {theirs[11:]} 10.0.0.1:7"]
    page.reached(("10.0.0.9:7", "10.1.0.9:7"), "")
    moved = said(4.0)
    assert moved[:2] == ["Address: 10.0.0.9:7", "Address: 10.1.0.9:7"]
    assert "10.0.0.1" not in " ".join(moved)
    page.reached((), "e0 is down.")
    assert said(5.0) == ["e0 is down.", theirs]
    assert said(NOBODY_AFTER_S + 1) == [
        "“spitnet doctor”, on either machine, says what may be in the way."
    ]
    assert said(NOBODY_AFTER_S + 2) == []


def test_what_is_played_is_said_before_anybody_sits_down() -> None:
    """Games, refill, spit and grace: in the list, where there are several, else where one sits down; and at the table."""
    odd = Settings(7, RefillMode.MANUAL, SpitMode.AUTO, 90)
    entries = (
        ListedTable("Ann", "10.0.0.1:7", True, True, 1, settings=Settings()),
        ListedTable("Bob", "10.0.0.2:7", True, False, 1, settings=odd),
        ListedTable("Old", "10.0.0.3:7", True, False, 1),
    )
    scenes: list[Scene] = [
        LookingScene(entries, 0, 5.0, False),
        KnockingScene("Bob", 0.0, settings=odd),
        TableScene(1, ("Bob", "Ann"), new_match(odd)),
    ]
    listed, knocked, begun = told(iter(scenes))
    usual = "one game, automatic refill, a player says spit, 1:00 to come back"
    unusual = "best of 7 games, refill by hand, the game says spit, 1:30 to come back"
    assert f"1. Ann, 10.0.0.1:7, {usual}, asks for a code" in listed
    assert f"2. Bob, 10.0.0.2:7, {unusual}" in listed
    assert "3. Old, 10.0.0.3:7" in listed
    assert knocked == [f"Sitting down at the table of Bob… 0:00 The table says: {unusual}."]
    assert f"This match: {unusual}." in begun


def test_the_only_table_is_no_choice() -> None:
    """It is sat down at without being asked."""
    entry = ListedTable("Bob", "10.0.0.2:7", True, True, 1)
    (lines,) = told(iter([LookingScene((entry,), 0, 1.0, False)]))
    assert lines == ["1 open table", "1. Bob, 10.0.0.2:7, asks for a code"]


def test_cards_by_ear() -> None:
    beat = next(played("ear"))
    assert beat.after.game is not None
    parts = row_line(beat.after.game.layouts[0]).split("; ")
    assert [part.split(": ")[0] for part in parts] == ["Card 1", "card 2", "card 3", "card 4"]
    assert not any(letter.isdigit() for part in parts for letter in part.split(": ")[1])


def test_help_is_whole() -> None:
    scene = TableScene(0, ("Ann", "Bob"), next(played("help")).after)
    lines = list(Narrator(labels(keymap())).help(scene))
    assert "There are no turns. Be the first to get rid of all your cards." in lines
    assert "Both stuck and no stock left: whoever holds fewer cards wins." in lines
    assert "q: leave (asks first)" in lines
    assert all(line[-1] in ".)" or ": " in line for line in lines)


def test_who_is_waited_for_hears_so_in_time_and_seldom() -> None:
    scene = TableScene(0, ("Ann", "Bob"), next(played("idle")).after)
    left = [replace(scene, idle=Idle(0, left_s)) for left_s in (29.9, 29.0, 14.9, 14.0, 0.0, 0.0)]
    lines = [one[0] if one else "" for one in list(told(iter([scene, *left, scene])))[1:]]
    assert lines == [
        *("Bob waits for you. 0:30 left.", "", "Bob waits for you. 0:15 left.", ""),
        *("Bob may claim the match now.", "", ""),
    ]
    left = [replace(scene, idle=Idle(1, left_s)) for left_s in (29.9, 14.9, 0.4, 0.0)]
    claimable = replace(scene, gone=Absence(0.0, False, True, idle=True))
    lines = [line for one in list(told(iter([scene, *left, claimable])))[1:] for line in one]
    assert lines[:4] == [
        "You may claim the match in 0:30.",
        "You may claim the match in 0:15.",
        "Bob hasn’t moved for 1:00.",
        "You may claim the match now, or go on waiting.",
    ]


def test_an_end_before_its_time_is_told_once() -> None:
    """And nobody is said to be back."""
    scene = TableScene(0, ("Ann", "Bob"), next(played("end")).after, gone=Absence(0.0, False, True))
    ended = replace(scene, gone=None, ended=early("abandoned"))
    lines = list(told(iter([scene, ended, ended])))
    assert lines[1] == ["Bob kept you waiting too long. You win the match!", "q: leave"]
    assert lines[2] == []


def before_the_first_spit(*seats: int) -> Iterator[Scene]:
    """Ann's table until both are ready and she may say spit, who get ready in this order: after her key, and after each beat."""
    dealt = next(played("ready")).after
    page = page_of(dealt)
    yield page.scene(0.0)
    for number, seat in enumerate(seats, 2):
        moves = (Ready(), None) if seat == 0 else (None, Ready())
        if seat == 0:
            page.press(Plain.SPACE, 0.0)
            yield page.scene(0.0)
        dealt, events = apply_beat(dealt, moves, chance("ready"))
        page.tell(Completed(number, moves, chance("ready"), events, dealt, b""), 0.0)
        yield page.scene(0.0)


def test_who_gets_ready_is_told_so_once() -> None:
    """By the hint that waits, or where there is nobody to wait for, by the note."""
    lines = list(told(before_the_first_spit(0, 1)))
    assert lines[1:] == [
        ["You are ready. Waiting for Bob."],
        [],
        ["Bob is ready.", "Space: spit!"],
    ]
    lines = list(told(before_the_first_spit(1, 0)))
    assert lines[1:] == [
        ["Bob is ready."],
        [],
        ["You are ready.", "Space: spit!"],
    ]


def test_stops_are_told_in_lines_too() -> None:
    """Many in a minute as they happen, once each; how many there were in all with the whole table."""
    calm = TableScene(0, ("Ann", "Bob"), next(played("stops")).after, pace=LinkQuality(3.0, 3.0))
    often = [
        replace(
            calm, pace=LinkQuality(3.0, 3.0, stops=count), stopping=Stopping(count, shouted=shouted)
        )
        for count, shouted in ((5, True), (5, False), (6, True), (4, False))
    ]
    told_lines = list(told(iter((calm, *often))))
    assert told_lines[1:] == [
        ["The game stopped 5 times in a minute."],
        [],
        ["The game stopped 6 times in a minute."],
        [],
    ]
    teller = Narrator(labels(keymap()))
    assert not [line for line in teller.table(calm) if "stopped" in line]
    assert "The game has stopped 6 times: the link broke" in "".join(teller.table(often[2]))


def test_lines_begin_as_sentences_do() -> None:
    """But for keys, which are told as they are printed, and players, who are called as they call themselves."""
    teller = Narrator(labels(keymap()))
    scene = TableScene(0, ("ann", "bob"), next(played("help")).after, "123456")
    card, top = Card(4), Card(30)
    note = Note(Happened.DOES_NOT_FIT, 0, card, 0, top)
    lines = [*teller.news(scene), *teller.news(replace(scene, note=note))]
    lines += [*teller.table(scene), *teller.help(scene)]
    small = [line for line in lines if line[0].islower()]
    assert {line.split(":")[0] for line in small} == {"a s d f", "j k l ;", "c", "q", "bob"}
    assert "Both screens show 123456" in lines
    assert f"{rank_name(card).capitalize()} doesn’t fit on {rank_name(top)}." in lines


def test_leaving_between_games_is_told() -> None:
    beat = next(played("left"))
    page = page_of(beat.after)
    left = Completed(2, (None, Leave()), beat.randomness, (), beat.after, b"")

    def scenes() -> Iterator[Scene]:
        yield page.scene(0.0)
        page.tell(left, 0.0)
        yield page.scene(0.0)

    assert list(told(scenes()))[1] == ["Bob left the match."]


def test_what_was_beaten_is_told_though_much_came_after_it() -> None:
    """Between two looks at the table lie two beats: the note is of the second, and the first isn't lost."""
    match = lay(("8H 3S QH 10S", "10D 2C 6D 4C"), ("9H", "9D"))
    page, teller, lost = page_of(match), Narrator(labels(keymap())), list[Beaten]()
    list(teller.news(page.scene(0.0)))
    plays = (Play(card_of("8H", 0), 0, 1), Play(card_of("10D", 1), 0, 1))
    for number, moves in enumerate([plays, (None, Play(card_of("2C", 1), 1, 1))], 1):
        match, events = apply_beat(match, moves, tossing(1))
        lost += [event for event in events if isinstance(event, Beaten)]
        page.tell(Completed(number, moves, tossing(1), events, match, b""), float(number))
    lines = list(teller.news(page.scene(2.0)))
    assert len(lost) == 1
    assert "Bob played ten on the right." in lines
    assert "Your eight was beaten by ten and came back." in lines


class Pipes:
    """A conversation through two pipes."""

    def __init__(self) -> None:
        read, write = os.pipe()
        self.source = os.fdopen(read, encoding="utf-8")
        self.typist = os.fdopen(write, "w", encoding="utf-8", buffering=1)
        read, write = os.pipe()
        self.listener = os.fdopen(read, encoding="utf-8")
        self.sink = os.fdopen(write, "w", encoding="utf-8")

    def close(self) -> None:
        for stream in (self.source, self.typist, self.listener, self.sink):
            stream.close()


@pytest.fixture
def pipes() -> Iterator[Pipes]:
    both = Pipes()
    yield both
    both.close()


def run_plain(front: FakeFront | LocalFront, pipes: Pipes) -> None:
    line_mode.run(front, keymap(), trouble=lambda text: None, source=pipes.source, sink=pipes.sink)


def test_who_insists_on_the_end_gets_it_without_a_word(
    pipes: Pipes, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A terminal that is closed says so twice, at any moment: that is no error to be survived."""
    monkeypatch.setattr(logging.getLogger("spitnet"), "propagate", True)
    front, troubles = FakeFront(), list[str]()

    def hang_up(press: Press) -> None:
        for _ in range(2):
            signal.raise_signal(signal.SIGTERM)

    front.on_press = hang_up
    pipes.typist.write("1\n")
    with pytest.raises(Interrupted):
        line_mode.run(
            front, keymap(), trouble=troubles.append, source=pipes.source, sink=pipes.sink
        )
    assert front.pressed == [CardPress(0, None)]
    assert (troubles, caplog.records) == ([], [])


@pytest.mark.parametrize("refill", RefillMode)
def test_a_whole_match_by_pipe(pipes: Pipes, refill: RefillMode) -> None:
    """Somebody who tries every card again and again plays a match to its end, and is told so."""
    front = LocalFront(Settings(refill=refill))
    lines: list[str] = []
    answered: SimpleQueue[str] = SimpleQueue()

    def listen() -> None:
        for line in pipes.listener:
            lines.append(line.rstrip("\n"))
            if line.startswith("Not understood"):
                answered.put(line)

    def play() -> None:
        while not front.match.over:
            pipes.typist.write("ready\n1\n2\n3\n4\nleft\nover?\n")
            answered.get(timeout=15)
        pipes.typist.write("quit\n")

    threads = [threading.Thread(target=work) for work in (listen, play)]
    for thread in threads:
        thread.start()
    run_plain(front, pipes)
    pipes.sink.close()
    for thread in threads:
        thread.join()
    assert front.match.over
    assert "Game 1 is dealt." in lines
    assert any(line.startswith(("You win", "Bob wins", "A draw")) for line in lines)
    assert any(line.startswith("Races won: ") for line in lines)
    assert not any("\x1b" in line for line in lines)


def test_the_end_of_a_pipe_concedes_nothing(pipes: Pipes) -> None:
    front = FakeFront()
    pipes.typist.write("a\ns")
    pipes.typist.close()
    with pytest.raises(Interrupted):
        run_plain(front, pipes)
    assert front.pressed == [CardPress(0, PileSide.LEFT)]


def test_nobody_listens(pipes: Pipes) -> None:
    pipes.listener.close()
    with pytest.raises(Interrupted):
        run_plain(LocalFront(), pipes)
    with pytest.raises(BrokenPipeError):
        pipes.sink.close()


def test_questions_by_pipe(pipes: Pipes) -> None:
    front = FakeFront()
    pipes.typist.write("q\nno\nquit\nyes\n")
    run_plain(front, pipes)
    assert front.pressed == [Plain.QUIT, Plain.NO, Plain.QUIT, Plain.YES]
    pipes.sink.close()
    asked = ["Leave the table?", "That concedes the match.", "y: yes   n: no"]
    assert list(map(str.strip, pipes.listener))[-7:] == [
        *asked,
        "The cards are being dealt.",  # what goes on
        *asked,
    ]


@pytest.mark.parametrize("by_key", [True, False])
def test_which_pile_is_asked_with_the_keys_that_answer(by_key: bool) -> None:
    """Lines are answered with the words of the question itself."""
    match = lay(("8H 3S QH 10S", "8D 2C 6D 4C"), ("9H", "9D"))
    scene = TableScene(0, ("Ann", "Bob"), match)
    asked = replace(scene, note=Note(Happened.WHICH_PILE, 0, card_of("8H", 0)), asked_slot=0)
    teller = Narrator(labels(keymap()), by_key)
    list(teller.news(scene))
    said = list(teller.news(asked))
    assert said[0].endswith("fits both piles: left or right?")
    assert said[1:] == (["← left pile, → right pile"] if by_key else [])
    for word in ("left", "right"):
        assert isinstance(next(words(word, keymap(), asked=False)), Arrow)


def test_a_key_that_fails(pipes: Pipes) -> None:
    front = FakeFront()

    def fail(press: Press) -> None:
        if press == CardPress(0, PileSide.LEFT):
            raise RuntimeError

    front.on_press = fail
    pipes.typist.write("a\nrematch\n")
    run_plain(front, pipes)
    assert front.pressed[-1] is Plain.REMATCH


def test_prompt_toolkit_is_not_loaded() -> None:
    code = "import sys, spitnet.ui.lines.line_mode; sys.exit('prompt_toolkit' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.fixture
def pty() -> Iterator[Pty]:
    env = {**os.environ, "PYTHONPATH": str(TESTS), "TERM": "dumb"}
    with Pty([sys.executable, str(PROGRAM)], rows=50, env=env) as one:
        one.until_shows("Space: ready")
        yield one


def test_single_keys_at_a_terminal(pty: Pty) -> None:
    """No Enter, no echo, nothing but lines; Enter tells the table."""
    pty.send(" ")
    pty.until_shows("Bob is ready.")
    pty.send("\n")
    pty.until_shows("Card 1: ")
    pty.send("q")
    pty.until_shows("Leave the table?")
    pty.send("y")
    assert pty.wait() == 0
    assert b"\x1b" not in pty.output
    assert pty.modes() == pty.modes_before


@pytest.mark.parametrize("columns", [24, 40, 80])
def test_no_word_is_broken_at_the_edge_of_a_terminal(columns: int) -> None:
    """Nor after it has been made narrower."""
    env = {**os.environ, "PYTHONPATH": str(TESTS), "TERM": "dumb", "LANGUAGE": "en"}
    with Pty([sys.executable, str(PROGRAM)], columns=columns, rows=90, env=env) as narrow:
        narrow.until_shows("Space: ready")
        narrow.send("?")
        narrow.until_shows("Enter: tell")
        narrow.resize(columns - 4, 90)
        narrow.send("?")
        narrow.until(lambda: narrow.output.count(b"Enter: tell") == 2, "the help again")
        lines = narrow.output.decode().splitlines()
    told_again = " ".join(lines)
    teller = Narrator(labels(keymap()), by_key=True)
    scene = TableScene(0, ("Ann", "Bob"), next(played("help")).after)
    whole = [line for line in teller.help(scene) if len(line) > columns]
    assert whole
    for line in whole:
        assert told_again.count(line) == 2
    assert max(map(len, lines)) < columns


def test_lines_at_a_terminal(pty: Pty) -> None:
    """A terminal that edits lines itself, as Emacs does, sends them whole."""
    pty.send("table\n")
    pty.until_shows("Card 1: ")
    pty.send("quit\n")
    pty.until_shows("Leave the table?")
    pty.send("yes\n")
    assert pty.wait() == 0


def test_a_burst_can_ask_but_not_answer(pty: Pty) -> None:
    pty.send("qyyy")
    pty.until_shows("Leave the table?")
    pty.send("nt")
    pty.until(lambda: pty.text.count("Card 1: ") == 2, "the table")
    pty.send("\x03")
    pty.until(lambda: pty.text.count("Leave the table?") == 2, "asked again by Ctrl-C")
    pty.send("y")
    assert pty.wait() == 0


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_told_to_end(pty: Pty, name: str) -> None:
    pty.signal(getattr(signal, name))
    assert pty.wait() == 130
    assert pty.modes() == pty.modes_before


def test_a_closed_terminal(pty: Pty) -> None:
    pty.close_terminal()
    assert pty.process.wait(20) == 130


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("card 2 fits", "Card 2 fits"),
        ("c hasn’t moved", "c hasn’t moved"),
        ("c: your cards", "c: your cards"),
        ("q w e: your slots", "q w e: your slots"),
        ("в эфире", "В эфире"),
        ("", ""),
    ],
)
def test_a_line_begins_as_a_sentence_does(text: str, begins: str) -> None:
    """But for keys, and for a player called c."""
    assert sentence(text, ("c",)) == begins
