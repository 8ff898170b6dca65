"""The smallest screen in every language that there is: what must be read there is there whole."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from msgspec import structs
from support.screens import texts
from ui.render.scenes import (
    GAME,
    LINK,
    SCENES,
    SETTINGS,
    after_a_game,
    after_beat,
    cards,
    early,
    followed,
    looking,
    table,
)

from spitnet import language
from spitnet.app.commands.verify import sentence
from spitnet.core.events import (
    Beaten,
    BothStuck,
    Dealt,
    Event,
    GameOver,
    Landed,
    Refilled,
    Spat,
)
from spitnet.core.moves import Leave, Move, Ready, Refill
from spitnet.core.state import (
    Match,
    Outcome,
    Reason,
    RefillMode,
    Result,
    Settings,
    SpitMode,
    new_match,
)
from spitnet.journal.replay import Flaw
from spitnet.journal.story import Moment
from spitnet.journal.verify import RecordStatus, Verdict
from spitnet.protocol import VERSION
from spitnet.protocol.faults import Fault
from spitnet.protocol.rematch import Prospect
from spitnet.ui import words
from spitnet.ui.render import labels
from spitnet.ui.render.drawing import draw
from spitnet.ui.render.look import Look
from spitnet.ui.scene import (
    FollowScene,
    Happened,
    Help,
    HostingScene,
    KnockingScene,
    LinkQuality,
    ListedTable,
    LookingScene,
    Note,
    Scene,
    TableScene,
)

LOOK = Look()
LANGUAGES = [
    language.SOURCE_LANGUAGE,
    *sorted(path.name for path in Path(language.LOCALES).iterdir() if path.is_dir()),
]
SIZES = pytest.mark.parametrize(("columns", "rows"), [(50, 15), (62, 18), (80, 24), (120, 40)])


@pytest.fixture(autouse=True, params=LANGUAGES)
def _each_language(request: pytest.FixtureRequest) -> Iterator[None]:
    language.use(request.param, {})
    yield
    language.use(language.SOURCE_LANGUAGE, {})


def lines(scene: Scene, columns: int = 50, rows: int = 15) -> list[str]:
    return texts(draw(scene, columns, rows, LOOK))


def foot(scene: TableScene, columns: int, rows: int) -> str:
    return next(line for line in reversed(lines(scene, columns, rows)) if line.strip())


@SIZES
@pytest.mark.parametrize("watchable", [False, True])
def test_the_keys_at_the_foot_come_before_all_else(
    columns: int, rows: int, watchable: bool
) -> None:
    """Beside them stands the number of the link, whole: only who compares it finds somebody in between."""
    match = structs.replace(table().match, settings=Settings(watchable=watchable))
    shown = foot(table(match=match), columns, rows)
    for label in (labels.help_key, labels.quit_key, labels.concede_key):
        assert label(LOOK.keys) in shown
    assert LINK in shown
    assert words.link(LINK) in shown or words.link_short(LINK) in shown or columns < 80
    assert words.link(LINK) in shown or columns < (120 if watchable else 80)


@SIZES
@pytest.mark.parametrize("name", ["beaten", "no fit", "stuck", "ready", "slow"])
def test_both_players_know_that_others_may_look_on(columns: int, rows: int, name: str) -> None:
    """Whatever else is said at that moment; and whoever looks at a match isn't told."""
    scene = SCENES[name]()
    assert isinstance(scene, TableScene)
    watched = replace(scene, match=structs.replace(scene.match, settings=Settings(watchable=True)))
    for seat in (0, 1):
        shown = "\n".join(lines(replace(watched, seat=seat), columns, rows))
        assert words.may_be_watched() in shown
        assert LINK in shown
    looked_at = "\n".join(lines(replace(watched, fingerprint=""), columns, rows))
    assert words.may_be_watched() not in looked_at


ADDRESS = "192.168.1.100:47748"
OPEN = ListedTable("Ola", ADDRESS, True, False, VERSION)
BUSY = replace(OPEN, usable=False)
STRANGE = Settings(1000, RefillMode.MANUAL, SpitMode.AUTO, 3600)
OTHER = replace(BUSY, version=VERSION + 1)


@SIZES
def test_why_nobody_can_sit_down_is_said_in_full(columns: int, rows: int) -> None:
    busy, other = words.not_usable(BUSY), words.not_usable(OTHER)
    assert busy != other
    shown = lines(LookingScene((OPEN, BUSY, OTHER), 0, 9.0, False), columns, rows)
    rows_of_tables = [line.rstrip() for line in shown if "192.168." in line]
    assert [line.endswith(busy) for line in rows_of_tables] == [False, True, False]
    assert [line.endswith(other) for line in rows_of_tables] == [False, False, True]


@SIZES
def test_a_table_that_asks_for_a_code_says_so_in_full(columns: int, rows: int) -> None:
    entry = replace(OPEN, address="192.168.100.100:47748", asks_code=True)
    shown = lines(LookingScene((entry,), 0, 9.0, False), columns, rows)
    assert any("192.168.100.100" in line and words.asks_code() in line for line in shown)


@SIZES
def test_what_there_is_to_know_of_a_table_is_said_in_words_that_are_whole(
    columns: int, rows: int
) -> None:
    """Of two remarks the second is left out where both have no room."""
    both = ", ".join((words.asks_code(), words.may_be_watched()))
    for code, watchable in ((True, True), (True, False), (False, True)):
        entry = replace(OPEN, asks_code=code, watchable=watchable)
        (shown,) = (
            line.strip()
            for line in lines(LookingScene((entry,), 0, 9.0, False), columns, rows)
            if "192.168" in line
        )
        said = words.asks_code() if code else words.may_be_watched()
        assert shown.endswith((both, said) if code and watchable else said)
        assert shown.endswith(both) or columns < 80 or not (code and watchable)


@SIZES
@pytest.mark.parametrize("addresses", [(), (ADDRESS,), (ADDRESS, "10.77.100.100:47748")])
def test_a_host_that_waits_long_is_told_what_helps(
    columns: int, rows: int, addresses: tuple[str, ...]
) -> None:
    """The doctor, and what the other can type; with a code, with others who look on, and still how to leave."""
    scene = HostingScene("Zoë", addresses, "tulip", 31.0, watchable=True, hint=True)
    shown = " ".join(" ".join(lines(scene, columns, rows)).split())
    for tip in words.hosting_tips(scene):
        assert tip in shown
    assert "spitnet doctor" in shown
    assert labels.quit_key(LOOK.keys) in shown
    if addresses:
        assert f"spitnet join --code tulip {ADDRESS}" in shown


@SIZES
@pytest.mark.parametrize("settings", [Settings(), STRANGE], ids=["usual", "strange"])
def test_what_the_chosen_table_plays_is_said_in_full(
    columns: int, rows: int, settings: Settings
) -> None:
    """And in its row as much of it as there is room for; a crowd of others takes none of that away."""
    entry = replace(OPEN, name="Zoë", settings=settings)
    crowd = (*(replace(entry, name=f"A{n}", address=f"10.0.0.{n}:1") for n in range(60)), entry)
    said = words.table_says(settings)
    for entries in ((entry,), crowd, (replace(entry, usable=False),)):
        shown = lines(LookingScene(entries, len(entries) - 1, 9.0, False), columns, rows)
        assert said in " ".join(" ".join(shown).split())
        (row,) = (line.rstrip() for line in shown if "Zoë" in line)
        assert row.endswith("…") is False
        if entries[-1].usable:
            assert words.number_of_games(settings) in row
    knocking = lines(KnockingScene("Ola", 0.0, settings=settings), columns, rows)
    assert said in " ".join(" ".join(knocking).split())


@SIZES
@pytest.mark.parametrize("word", sorted({*Flaw, "damaged_entry"}))
def test_what_is_wrong_with_a_record_is_said_in_full(columns: int, rows: int, word: str) -> None:
    verdict = Verdict(RecordStatus.BROKEN, 1234, word, new_match(Settings()), ("Ana", "Bram"))
    ending = f"{sentence(verdict)}."
    shown = lines(followed(3, ending=ending, broken=True), columns, rows)
    assert ending in " ".join(" ".join(shown).split())


LONG = ("Bartholomeus of Arnhem and Ghent", "Konstantinos the Younger")
COIN = "3f2a77c1…"
"""The end of what a coin was drawn from, which is never said in full."""
TENS = cards(0, "10H")[0], cards(1, "10C")[0]


@SIZES
@pytest.mark.parametrize("happened", [one for one in Happened if one is not Happened.TROUBLE])
def test_a_long_name_gives_way_before_what_is_said(
    columns: int, rows: int, happened: Happened
) -> None:
    """What happened on the table, where it is played and where it is looked at."""
    for seat, pile in ((0, 0), (1, 1)):
        note = Note(happened, seat, TENS[0], pile, TENS[1])
        played = replace(table(note=note), names=LONG)
        looked_at = replace(with_note(note), names=LONG)
        for scene, last in ((played, 3), (looked_at, 4), (replace(looked_at, looking_on=True), 4)):
            for line in lines(scene, columns, rows)[-last:]:
                assert not line.replace(COIN, "").rstrip().endswith("…")


def did(note: Note) -> Moment:
    """The moment after a beat that did only this; nothing, where no beat does it."""
    seat, (mine, theirs), pile = note.seat or 0, TENS, note.pile or 0
    over = Outcome(1 - seat, Reason.CONCEDED)
    events: dict[Happened, Event] = {
        Happened.DEALT: Dealt(2, GAME.layouts),
        Happened.SPIT: Spat(2, (seat,), (None, None)),
        Happened.LANDED: Landed(2, seat, 0, mine, pile),
        Happened.REFILLED: Refilled(2, seat, 0, mine, 5),
        Happened.BEATEN: Beaten(2, seat, 0, mine, pile, theirs),
        Happened.BOTH_STUCK: BothStuck(2),
        Happened.GAME_OVER: GameOver(2, over, (3, 4)),
    }
    moves: dict[Happened, Move] = {
        Happened.READY: Ready(),
        Happened.LEFT: Leave(),
        Happened.REFILLED: Refill(0),
    }
    event, move = events.get(note.happened), moves.get(note.happened)
    lost = structs.replace(GAME, piles=(2 * TENS, 2 * TENS), outcome=over)
    match = Match(SETTINGS, lost if isinstance(event, Beaten | GameOver) else GAME, (1, 0), 0, None)
    did = () if event is None else (event,)
    return after_beat(120, match, (None, move) if seat else (move, None), *did)


def with_note(note: Note) -> FollowScene:
    scene = followed()
    return replace(scene, moments=(*scene.moments[:2], did(note), *scene.moments[3:]))


ENDS = (
    *("abandoned", "claimed", "false_claim", "left", "lost_records", "own_records", "accused"),
    *Fault,
)


@SIZES
@pytest.mark.parametrize("ended", ENDS)
def test_why_a_match_was_stopped_is_said_in_full(columns: int, rows: int, ended: str) -> None:
    end = early(ended)
    for scene in (table(ended=end), replace(after_a_game(over=False), ended=end)):
        shown = " ".join(" ".join(lines(scene, columns, rows)).split())
        assert words.ended(scene) in shown


@SIZES
@pytest.mark.parametrize("rematch", Prospect)
def test_the_page_after_a_game_says_all(columns: int, rows: int, rematch: Prospect) -> None:
    """Why it ended, and what comes next; no key is parted from what it does."""
    scene = after_a_game(rematch)
    draw = structs.replace(
        scene.match,
        game=structs.replace(GAME, outcome=Outcome(None, Reason.DEAD_HEAT)),
        result=Result(None),
    )
    for one in (scene, replace(scene, match=draw), replace(scene, names=LONG)):
        shown = lines(one, columns, rows)
        outcome = one.match.game.outcome if one.match.game else None
        assert outcome is not None
        assert words.reason(one, outcome) in " ".join(" ".join(shown).split())
        for part in words.hint(one, LOOK.keys).split("   "):
            assert any(part in line for line in shown) or one.names == LONG


@SIZES
@pytest.mark.parametrize("names", [LONG, ("Wilhelmina " * 3, "Ó" * 32), ("龍" * 24, "李" * 32)])
def test_long_names_leave_the_figures_apart(
    columns: int, rows: int, names: tuple[str, str]
) -> None:
    """The score of the match is one line; between the two columns of figures and their heads there is a gap."""
    for seat in (0, 1):
        shown = lines(replace(after_a_game(), names=names, seat=seat), columns, rows)
        score = f" {after_a_game().match.wins[1 - seat]}"
        assert any(line.rstrip().endswith(score) and ":" in line for line in shown)
        (heads,) = (line.rstrip() for line in shown if words.you() in line and "⠤⠤" in line)
        between = heads.partition(f" {words.you()}")[2]
        assert between.startswith("  ")
        assert between.strip().endswith("…")


def test_what_has_no_room_says_that_there_is_more() -> None:
    shown = lines(followed(3, ending="so " * 100, broken=True))
    assert any(line.rstrip().endswith("so…") for line in shown)


def test_long_lists_keep_their_columns() -> None:
    """An address is cut only where the remark beside it needs the room."""
    wide = [line for line in lines(looking(3), 80, 24) if "192.168" in line]
    assert all(f"192.168.1.{number}:47100" in line for number, line in enumerate(wide))


SMALL = pytest.mark.parametrize(("columns", "rows"), [(50, 15), (62, 18)])
"""Where the help lies over the whole width."""


@SMALL
def test_the_help_explains_the_figures_on_the_table(columns: int, rows: int) -> None:
    """The number of the link, and late answers once there are any: whole, whatever rule has no room then."""
    paces = (
        LinkQuality(3.2, 12.5),
        LinkQuality(3.2, 12.5, late_crossings=2),
        LinkQuality(3.2, 12.5, slow_replies=1),
    )
    for pace, mouse in product(paces, (False, True)):
        scene = table(pace=pace, help=Help.KEYS)
        drawn = texts(draw(scene, columns, rows, replace(LOOK, mouse=mouse)))
        shown = " ".join(" ".join(drawn).replace("│", "").split())
        explained = words.help_now(scene)[1:]
        assert len(explained) == 1 + (pace != LinkQuality(3.2, 12.5))
        assert all(text in shown for text in explained)
        assert LINK in explained[0]


@SIZES
def test_no_key_of_the_help_is_cut(columns: int, rows: int) -> None:
    """Nor the mouse, where it plays."""
    for refill in RefillMode:
        match = Match(Settings(refill=refill), GAME, (0, 0), 0, None)
        scene = table(match=match, help=Help.KEYS)
        shown = texts(draw(scene, columns, rows, replace(LOOK, mouse=True)))
        for key, text in words.help_keys(scene, LOOK.keys, mouse=True):
            assert any(f"{key}  {text}" in line for line in shown), text


@SMALL
def test_no_sentence_of_the_help_is_cut(columns: int, rows: int) -> None:
    for pace in (LinkQuality(3.2, 12.5), LinkQuality(3.2, 12.5, 12, 7)):
        scene = table(pace=pace, help=Help.KEYS)
        shown = " ".join(" ".join(lines(scene, columns, rows)).replace("│", "").split())
        assert all(text in shown or text[:12] not in shown for text in words.help_sentences(scene))


@SIZES
def test_two_digits_of_races_are_shown_whole(columns: int, rows: int) -> None:
    shown = "\n".join(lines(table(races=(12, 10)), columns, rows))
    assert "+12 −10" in shown


@pytest.mark.parametrize("scale", [1, 12])
def test_late_and_slow_answers_are_counted_at_80_columns(scale: int) -> None:
    """Beside them the score is said shorter, if it must be."""
    pace = LinkQuality(812.4, 1733.0, late_crossings=3 * scale, slow_replies=2 * scale)
    head = lines(table(pace=pace), 80, 24)[0]
    assert labels.late_crossings(3 * scale) in head
    assert labels.slow_replies(2 * scale) in head
    assert "1 : 0" in head
