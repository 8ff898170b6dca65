"""Scenes told in lines: what is new since the last one, and the whole table when asked. Pure.

What belongs here: which line to say when. The sentences about the game are those of `words`. What must not: streams.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, TypeAlias

from spitnet.core.cards import SEATS, other
from spitnet.core.legality import is_ready_time
from spitnet.core.state import Game
from spitnet.journal.story import Summary
from spitnet.language import gettext
from spitnet.ui import words
from spitnet.ui.lines import follow_narrator
from spitnet.ui.lines.spoken import counts, numbered, piles_line, rank_name, row_line, sentence
from spitnet.ui.pages.due import Due, due
from spitnet.ui.render import labels, rules_page
from spitnet.ui.scene import (
    CodeScene,
    FollowScene,
    Happened,
    HostingScene,
    KnockingScene,
    LookingScene,
    Note,
    Scene,
    TableScene,
    notes_of,
)

Lines: TypeAlias = Iterator[str]

FEEDBACK: Final = frozenset(
    {
        Happened.DOES_NOT_FIT,
        Happened.WHICH_PILE,
        Happened.TOO_LATE,
        Happened.NO_CARD,
        Happened.NOT_NOW,
        Happened.TROUBLE,
    }
)
"""What no beat did. What beats did is told from them, so that no play goes untold."""
_TOLD_BY_CARDS: Final = (Happened.REFILLED, Happened.BOTH_STUCK)
"""New cards are told all at once; that both are stuck, after them."""
REMIND_S: Final = 15.0
"""A countdown is told so often."""
WAITING_S: Final = 60.0
"""That nobody has come yet is told so often."""


class Narrator:
    """Remembers what was told; `keys` are what the hints name. `by_key`: each counts at once, so that no word can."""

    def __init__(self, keys: words.KeyLabels, by_key: bool = False) -> None:
        self._keys = keys
        self._by_key = by_key
        self._before: Scene | None = None
        self._knows_how_to_play = False

    def news(self, scene: Scene) -> Lines:
        """Line by line what has changed since the last scene."""
        before, self._before = self._before, scene
        return _as_sentences(scene, self._news(before, scene))

    def _news(self, before: Scene | None, scene: Scene) -> Lines:
        match scene:
            case TableScene():
                return self._table_news(before if isinstance(before, TableScene) else None, scene)
            case FollowScene():
                return follow_narrator.news(
                    before if isinstance(before, FollowScene) else None, scene
                )
            case HostingScene():
                return _hosting_news(before if isinstance(before, HostingScene) else None, scene)
            case LookingScene():
                old = before if isinstance(before, LookingScene) else None
                return self._looking_news(old, scene)
            case CodeScene():
                return _code_news(before if isinstance(before, CodeScene) else None, scene)
            case KnockingScene():
                return _knocking_news(before if isinstance(before, KnockingScene) else None, scene)

    def what_is_due(self, scene: Scene) -> Lines:
        """What goes on after a question that was answered with no."""
        if isinstance(scene, TableScene) and scene.question is None:
            yield from _as_sentences(scene, iter((words.hint(scene, self._keys),)))

    def help(self, scene: Scene) -> Lines:
        """What matters now, the rules in a minute, the keys."""
        return _as_sentences(scene, self._help(scene))

    def _help(self, scene: Scene) -> Lines:
        if isinstance(scene, FollowScene):
            yield from follow_narrator.help_lines(scene)
            return
        if isinstance(scene, TableScene):
            before, after = rules_page.sentences()
            yield from (*words.help_now(scene), *before, *after)
            for key, text in words.help_keys(scene, self._keys):
                yield f"{key}: {text}"
        else:
            yield gettext("{quit}: leave").format(quit=self._keys.quit)
        yield gettext("Enter: tell the whole table")
        if not self._by_key:
            yield gettext("With Enter words work too: 2l, 2r, ready, spit, table, quit")

    def table(self, scene: Scene) -> Lines:
        """Everything that there is to know now."""
        return _as_sentences(scene, self._table(scene))

    def _table(self, scene: Scene) -> Lines:
        if isinstance(scene, FollowScene):
            yield from follow_narrator.table(scene)
            return
        if not isinstance(scene, TableScene):
            yield from Narrator(self._keys).news(scene)
            return
        game = scene.match.game
        if game is not None:
            yield from _as_it_lies(scene, game)
        yield words.score(scene)
        yield words.round_trip(scene.pace)
        if scene.pace.late_crossings:
            yield labels.late_crossings(scene.pace.late_crossings)
        if scene.pace.slow_replies:
            yield labels.slow_replies(scene.pace.slow_replies)
        if scene.pace.stops:
            yield words.stops(scene.pace.stops)
        yield words.hint(scene, self._keys)

    def _table_news(self, before: TableScene | None, scene: TableScene) -> Lines:
        if before is None:
            yield words.score(scene)
            yield words.this_match(scene.match.settings)
            if scene.fingerprint:
                yield words.link(scene.fingerprint)
            if scene.match.settings.watchable:
                yield words.may_be_watched()
        notes = list(happened(before, scene))
        yield from _happened(before, scene, notes)
        yield from _new_cards(before, scene)
        yield from _stuck_news(scene, notes)
        yield from _idle_news(before, scene)
        yield from _gone_news(before, scene)
        yield from _stopping_news(before, scene)
        if scene.summary is not None and (before is None or before.summary is None):
            yield from _summary(scene, scene.summary)
        if scene.ended and (before is None or not before.ended):
            yield words.ended(scene)
        yield from self._asks(before, scene)

    def _asks(self, before: TableScene | None, scene: TableScene) -> Lines:
        """A question that has come up, or what is due now; how cards are played is told once.

        Which pile a card goes to is asked in the words that answer it; that single keys do is said besides.
        """
        if scene.question is not None:
            if before is None or before.question is not scene.question:
                yield from (line for line in words.question(scene, scene.question) if line)
                yield words.yes_or_no(self._keys)
            return
        now = due(scene)
        if scene.deaf or (before is not None and now is due(before)):
            return
        if now is Due.WAIT_FOR_READY and not _waits_for_ready(scene):
            return  # what comes next does so in a moment
        known = now is Due.PLAY and self._knows_how_to_play
        self._knows_how_to_play |= now is Due.PLAY
        asked_in_words = now is Due.CHOOSE_PILE and not self._by_key
        if not known and not asked_in_words:
            yield words.hint(scene, self._keys)

    def _looking_news(self, before: LookingScene | None, scene: LookingScene) -> Lines:
        if scene.trouble and (before is None or scene.trouble != before.trouble):
            yield scene.trouble
        if before is None or scene.entries != before.entries:
            yield words.looking_title(scene)
            for number, entry in enumerate(scene.entries, 1):
                marks = [words.plays(entry.settings)] if entry.settings is not None else []
                marks += [words.asks_code()] if entry.asks_code else []
                marks += [words.may_be_watched()] if entry.watchable else []
                marks += [] if entry.usable else [words.not_usable(entry)]
                yield ", ".join([f"{number}. {entry.name}, {entry.address}", *marks])
            # At the only one a player is sat down without being asked.
            chooses = scene.choosing or len(scene.entries) > 1
            if chooses and any(entry.usable for entry in scene.entries):
                text = (
                    gettext("Type a table’s number to watch it. {quit}: leave")
                    if scene.looking_on
                    else gettext("Type a table’s number to sit down. {quit}: leave")
                )
                yield text.format(quit=self._keys.quit)
        if scene.hint and not (before is not None and before.hint):
            yield from words.looking_tips(scene)


def _code_news(before: CodeScene | None, scene: CodeScene) -> Lines:
    """What is asked; what is typed is echoed by whoever reads it."""
    if scene.trouble and (before is None or scene.trouble != before.trouble):
        yield scene.trouble
    if before is None:
        yield words.code_wanted(scene)
        yield words.code_keys()


def _knocking_news(before: KnockingScene | None, scene: KnockingScene) -> Lines:
    """Where this player sits down, and to what; once it takes long, why that may be."""
    if before is None:
        yield f"{words.knocking(scene)} {words.table_says(scene.settings)}".rstrip()
    if scene.hint and not (before is not None and before.hint):
        yield words.knocking_tip(scene)


def _as_sentences(scene: Scene, lines: Lines) -> Lines:
    """The lines, each as a sentence begins; what stands in the way is one already, and may begin with an interface's name."""
    match scene:
        case TableScene(names=names) | FollowScene(names=names):
            kept: tuple[str, ...] = names
        case HostingScene(name=name, trouble=trouble) | CodeScene(name=name, trouble=trouble):
            kept = (name, trouble)
        case KnockingScene(name=name):
            kept = (name,)
        case LookingScene(trouble=trouble):
            kept = (trouble,)
    return (sentence(line, filter(None, kept)) for line in lines)


def happened(before: TableScene | None, scene: TableScene) -> Iterator[Note]:
    """What has happened since a scene, in order; of a match that is taken up nothing is told again."""
    for note in _as_it_stands(scene) if before is None else _of_beats(before, scene):
        hinted = _waits_for_ready(before) or _waits_for_ready(scene)
        if note.happened is not Happened.READY or note.seat != scene.seat or not hinted:
            yield note
    if scene.note.happened in FEEDBACK and (before is None or scene.note is not before.note):
        yield scene.note


def _of_beats(before: TableScene, scene: TableScene) -> Iterator[Note]:
    same_match = scene.fingerprint == before.fingerprint and before.moments
    last = before.moments[-1].beat if same_match else 0
    for moment in scene.moments:
        yield from notes_of(moment) if moment.beat > last else ()


def _as_it_stands(scene: TableScene) -> Iterator[Note]:
    game = scene.match.game
    if game is None:
        return
    if not any(game.piles):
        yield Note(Happened.DEALT)
    yield from (Note(Happened.READY, seat) for seat in SEATS if game.ready[seat])
    if game.outcome is not None:
        yield Note(Happened.GAME_OVER)


def _waits_for_ready(scene: TableScene | None) -> bool:
    """Whether the hint says that this player is ready and waits for the other: then no note has to."""
    game = scene.match.game if scene is not None else None
    if scene is None or game is None or scene.question is not None:
        return False
    return due(scene) is Due.WAIT_FOR_READY and not game.ready[other(scene.seat)]


def _happened(before: TableScene | None, scene: TableScene, notes: list[Note]) -> Lines:
    """What has happened, and what lies there after a deal or a spit; before the end that follows from it."""
    if before is None:
        yield from _taken_up(scene)
    lying = _dealt_or_spat(scene, {note.happened for note in notes})
    for note in notes:
        if note.happened is Happened.GAME_OVER:
            yield from lying
        if note.happened not in _TOLD_BY_CARDS:
            yield words.note(replace(scene, note=note), rank_name)
    yield from lying


def _taken_up(scene: TableScene) -> Lines:
    """Where a match stands that was played before, and that the opponent, who was waited for, is there already."""
    game = scene.match.game
    played = game is not None and any(game.piles)
    if game is not None and played and game.outcome is None:
        yield from _as_it_lies(scene, game)
    waits = scene.gone is not None or scene.match.over or bool(scene.ended)
    if not waits and (played or scene.note.happened is Happened.BACK):
        yield words.note(replace(scene, note=Note(Happened.BACK)), rank_name)


def _as_it_lies(scene: TableScene, game: Game) -> Lines:
    yield piles_line(scene, game)
    yield row_line(game.layouts[scene.seat])
    yield from counts(scene, game)


def _dealt_or_spat(scene: TableScene, kinds: set[Happened]) -> Lines:
    game = scene.match.game
    if game is not None and Happened.SPIT in kinds:
        yield piles_line(scene, game)
    if game is not None and Happened.DEALT in kinds:
        yield row_line(game.layouts[scene.seat])


def _new_cards(before: TableScene | None, scene: TableScene) -> Lines:
    """Cards that have come into the own row since; a deal tells the whole row."""
    game = scene.match.game
    old = before.match.game if before is not None else None
    if game is None or old is None or game.number != old.number:
        return
    pairs = zip(old.layouts[scene.seat], game.layouts[scene.seat], strict=True)
    new = [
        numbered(slot, rank_name(card))
        for slot, (was, card) in enumerate(pairs, 1)
        if card is not None and card != was
    ]
    if new:
        yield gettext("New: {cards}.").format(cards="; ".join(new))


def _stuck_news(scene: TableScene, notes: list[Note]) -> Lines:
    """That both have got stuck; also once more, by a spit that brought nothing that fits."""
    game = scene.match.game
    stuck = any(note.happened is Happened.BOTH_STUCK for note in notes)
    if stuck and game is not None and game.outcome is None and is_ready_time(game):
        yield words.note(replace(scene, note=Note(Happened.BOTH_STUCK)), rank_name)


def _idle_news(before: TableScene | None, scene: TableScene) -> Lines:
    was = before.idle if before is not None else None
    idle = scene.idle
    if idle is None:
        return
    # Whoever waits is told of the end by the match itself.
    ends = was is not None and idle.seat == scene.seat and idle.left_s == 0.0 < was.left_s
    if was is None or ends or _reminds(was.left_s, idle.left_s):
        yield words.idle(scene)


def _reminds(before_s: float, left_s: float) -> bool:
    """Whether it is time to say again how long is left."""
    return left_s // REMIND_S < before_s // REMIND_S


def _gone_news(before: TableScene | None, scene: TableScene) -> Lines:
    was = before.gone if before is not None else None
    gone = scene.gone
    if gone is None:
        if was is not None and not scene.ended:
            yield words.note(replace(scene, note=Note(Happened.BACK)), rank_name)
    elif was is None:
        yield from words.gone(scene)
    elif _reminds(was.grace_left_s, gone.grace_left_s) or gone.claimable > was.claimable:
        yield words.gone(scene)[1]


def _stopping_news(before: TableScene | None, scene: TableScene) -> Lines:
    """That the game stops again and again, at each further stop."""
    was, now = before.stopping if before is not None else None, scene.stopping
    if now is not None and now.shouted and (was is None or now.count > was.count):
        yield words.stopping(scene)


def _summary(scene: TableScene, summary: Summary) -> Lines:
    """The page after a game, without its plot."""
    left, won, run = words.summary_rows()
    mine, theirs = scene.seat, other(scene.seat)
    you, name = words.you(), scene.names[theirs]
    for title, pair in (
        (left, summary.cards_left[-1]),
        (won, summary.races),
        (run, summary.longest_run),
    ):
        yield f"{title}: {you} {pair[mine]}, {name} {pair[theirs]}"
    yield words.fastest(summary.fastest_s[scene.seat])
    yield words.score(scene)
    yield from (line for line in (words.left(scene), words.match_result(scene)) if line)


def _hosting_news(before: HostingScene | None, scene: HostingScene) -> Lines:
    if before is None:
        yield words.hosting_title(scene.name)
    if scene.trouble and (before is None or scene.trouble != before.trouble):
        yield scene.trouble
    if before is None or before.addresses != scene.addresses:
        yield from _how_to_come(before, scene)
    if scene.hint and not (before is not None and before.hint):
        yield from words.hosting_tips(scene)
    if before is None or scene.waited_s // WAITING_S > before.waited_s // WAITING_S:
        yield words.waiting_for_someone(scene.waited_s)


def _how_to_come(before: HostingScene | None, scene: HostingScene) -> Lines:
    """Where the table is now, and what others type."""
    yield from (f"{words.address()}: {one}" for one in scene.addresses)
    if before is None and scene.code is not None:
        yield f"{words.code()}: {scene.code}"
    yield from words.how_to_join(scene)
    if before is None and scene.watchable:
        yield words.how_to_watch(scene)
