"""A match that is looked at, told in lines: every beat once, and the place after a jump. Pure.

What belongs here: which line to say when. What must not: sentences, which are in `captions`, and streams.
"""

from collections.abc import Iterable, Iterator

from spitnet.core.cards import other
from spitnet.core.state import Game
from spitnet.journal.story import Moment
from spitnet.language import gettext
from spitnet.ui import words
from spitnet.ui.lines.spoken import counts, piles_line, rank_name, row, row_line
from spitnet.ui.scene import FollowScene, Happened, notes_of
from spitnet.ui.words import captions

Lines = Iterator[str]


def news(before: FollowScene | None, scene: FollowScene) -> Lines:
    """What is new since the last scene. Beats that were passed in between are told too, but for those jumped over."""
    if before is None:
        yield from head(scene)
        yield captions.hint(scene).text
    elif scene.jumps != before.jumps:
        yield from _place(scene)
    else:
        yield from beats(scene, scene.moments[before.index + 1 : scene.index + 1])
    if before is not None:
        yield from _running(before, scene)
    if scene.trouble and (before is None or before.trouble != scene.trouble):
        yield scene.trouble
    if scene.said and (before is None or before.said != scene.said):
        yield scene.said
    if _is_over(scene) and not (
        before is not None and _is_over(before) and before.index == scene.index
    ):
        yield scene.ending


def head(scene: FollowScene) -> Lines:
    """Whose match it is, and when it was played, if that is known."""
    yield captions.title(scene)
    if scene.started:
        yield scene.started


def beats(scene: FollowScene, moments: Iterable[Moment]) -> Lines:
    """All that these beats did, each with its number; and what lies there after a deal or a spit."""
    for moment in moments:
        yield from _beat(scene, moment, _turned_up(scene, moment))


def _beat(scene: FollowScene, moment: Moment, lying: Lines) -> Lines:
    """A beat, and what is `lying` there then; before what follows from that."""
    for number, caption in enumerate(captions.said(scene, moment, rank_name)):
        if caption.follows and number:
            yield from lying
        yield caption.text if number else f"{moment.beat}: {caption.text}"
    yield from lying


def _turned_up(scene: FollowScene, moment: Moment) -> Lines:
    """The cards that came from the stocks for all to see."""
    game, kinds = moment.match.game, {note.happened for note in notes_of(moment)}
    if game is not None and Happened.DEALT in kinds:
        yield from _rows(scene, game)
    if game is not None and Happened.SPIT in kinds:
        yield piles_line(scene.table(moment), game)


def table(scene: FollowScene) -> Lines:
    """Everything that there is to know now."""
    table = scene.table(scene.moment)
    game = scene.moment.match.game
    yield captions.position(scene)
    if game is not None:
        yield piles_line(table, game)
        yield from _rows(scene, game)
        yield from counts(table, game)
        yield words.score(table)
        mine, theirs = scene.moment.races[scene.seat], scene.moment.races[other(scene.seat)]
        yield captions.races(mine, theirs)
    yield captions.running(scene)
    yield captions.hint(scene).text


def _rows(scene: FollowScene, game: Game) -> Lines:
    """The cards of the one at whose seat this is; of both, where it is nobody's."""
    if not scene.looking_on:
        yield row_line(game.layouts[scene.seat])
        return
    for seat in (scene.seat, other(scene.seat)):
        yield f"{scene.names[seat]}: {row(game.layouts[seat])}"


def help_lines(scene: FollowScene) -> Lines:
    """The keys."""
    yield from captions.help_sentences(scene)
    yield from (f"{key}: {text}" for key, text in captions.help_keys(scene))
    yield gettext("Enter: tell the whole table")


def _place(scene: FollowScene) -> Lines:
    """Where a jump led, or why it led nowhere."""
    if scene.lack is not None:
        yield captions.lack(scene.lack)
        return
    yield captions.position(scene)
    yield from _beat(scene, scene.moment, _lying(scene, scene.moment))


def _lying(scene: FollowScene, moment: Moment) -> Lines:
    """What was turned up, and in any case the piles, if there are any: whoever jumps here doesn't know them."""
    spat = any(note.happened is Happened.SPIT for note in notes_of(moment))
    yield from _turned_up(scene, moment)
    game = moment.match.game
    if game is not None and any(game.piles) and not spat:
        yield piles_line(scene.table(moment), game)


def _running(before: FollowScene, scene: FollowScene) -> Lines:
    """A change that was asked for: a step pauses without a word."""
    stepped = _runs(before) and not _runs(scene) and scene.index != before.index
    if scene.speed != before.speed or (_runs(scene) is not _runs(before) and not stepped):
        yield captions.running(scene)


def _runs(scene: FollowScene) -> bool:
    return scene.playing or scene.live


def _is_over(scene: FollowScene) -> bool:
    """Whether the ending is to be told: at the end, and at the start too if something is wrong."""
    return bool(scene.ending) and (scene.at_end or (scene.index == 0 and scene.broken))
