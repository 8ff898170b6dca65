"""A match that is looked at: the table, and below it what the beat did, where one is, and the way through the match."""

from functools import lru_cache
from typing import Final

from spitnet.ui.cells import Line, blank, cut, fit, width, wrapped
from spitnet.ui.render import labels, naming
from spitnet.ui.render.frame import Picture
from spitnet.ui.render.look import Look
from spitnet.ui.render.panels import first_fitting
from spitnet.ui.render.signs import Mark
from spitnet.ui.render.sizes import Size
from spitnet.ui.render.table import both_ends, cards, score
from spitnet.ui.scene import FollowScene, TableScene
from spitnet.ui.words import captions
from spitnet.ui.words.captions import Caption

_TEXTS: Final = 3
"""Rows for texts, at least: what a contest takes."""


def followed(scene: FollowScene, size: Size, look: Look) -> Picture:
    """The table in its exact size."""
    table, cells = scene.table(scene.moment), size.columns
    upper = (_head(scene, table, cells), *cards(table, size, look))
    room = size.rows - len(upper) - 1
    way = (_way(scene, cells, look),) if room > _TEXTS else ()
    texts = _texts(scene, cells, room - len(way), look)
    return Picture((*upper, *texts, *way, _foot(scene, cells, look)), cells)


def _head(scene: FollowScene, table: TableScene, cells: int) -> Line:
    """Which game, the score, and when it was played."""
    for long in (2, 1, 0):
        left = " · ".join(score(table, long))
        if width(left) + width(scene.started) <= cells - 3:
            break
    return both_ends(left, scene.started, cells)


def _texts(scene: FollowScene, cells: int, rows: int, look: Look) -> tuple[Line, ...]:
    """What the beat did, in exactly so many rows. What is more than the beat stands last and is told in full."""
    style = "class:bad" if scene.trouble or scene.broken else "class:hint"
    last = [(style, fit(line, cells, "^")) for line in _wrapped(_last(scene), cells - 2, rows)]
    room = rows - len(last)
    # Each as it is, then with ever shorter names: those are what gives way.
    told = (
        [*_title(one), *captions.said(one, one.moment, look.card_name)]
        for one in naming.with_names_cut(scene)
    )
    said = zip(*(_fitting(one, room) for one in told), strict=True)
    lines = (*(_line(captions, scene, cells, look) for captions in said), *((one,) for one in last))
    return (*lines, *blank(cells, rows - len(lines)))


def _wrapped(text: str, cells: int, rows: int) -> list[str]:
    """At most so many lines; the last of them shows that there is more."""
    lines = wrapped(text, cells)
    return (
        lines
        if len(lines) <= rows
        else [*lines[: rows - 1], cut(" ".join(lines[rows - 1 :]), cells)]
    )


def _fitting(said: list[Caption], room: int) -> list[Caption]:
    """As many as there is room for; that a game is over can't be seen on the table, and stays."""
    if len(said) > room > 0 and said[-1].ends:
        return [*said[: room - 1], said[-1]]
    return said[:room]


def _title(scene: FollowScene) -> tuple[Caption, ...]:
    """Before the first beat there is nothing else to say."""
    if scene.index:
        return ()
    title = captions.title(scene)
    return (Caption(title, title), captions.hint(scene))


def _last(scene: FollowScene) -> str:
    """An error, the end, or the answer to a key that led nowhere. What is wrong is said at the start too."""
    if scene.trouble or scene.said:
        return scene.trouble or scene.said
    if scene.at_end or (scene.index == 0 and scene.broken):
        return scene.ending
    return "" if scene.lack is None else captions.lack(scene.lack)


def _line(ways: tuple[Caption, ...], scene: FollowScene, cells: int, look: Look) -> Line:
    """The first of several ways to say it that fits. A lost race has the sign that its card has on the table."""
    beaten, mark = ways[0].beaten, Mark.BEATEN.value
    own = beaten == scene.seat
    sign = f"{mark.plain if look.ascii else mark.sign} " if own else ""
    style = mark.style if own else "class:note" if beaten is None else "class:note.good"
    texts = [text for way in ways for text in (way.text, way.short)]
    return ((style, fit(sign + first_fitting(texts, cells - width(sign)), cells, "^")),)


def _foot(scene: FollowScene, cells: int, look: Look) -> Line:
    """Whether it plays, and where; said shorter where there is little room."""
    sign = ("> " if look.ascii else "▸ ") if scene.playing or scene.live else "  "
    running, position = captions.running(scene), captions.position(scene)
    contest = captions.contest_number(scene)
    keys = (labels.help_key(look.keys), labels.quit_key(look.keys))
    rights = ("   ".join(keys), keys[0], "")
    lefts = [" · ".join(part for part in (running, position, contest) if part)] * 2
    lefts += [" · ".join((running, position))] * 2 + [position]
    right_of = (rights[0], rights[1], rights[1], rights[2], rights[2])
    for left, right in zip(lefts, right_of, strict=True):
        if width(sign) + width(left) + width(right) <= cells - 3:
            break
    return both_ends(sign + left, right, cells)


def _way(scene: FollowScene, cells: int, look: Look) -> Line:
    """The way through the match: what has been seen, where games begin and where races were."""
    letters = _letters(scene.games, scene.contests, len(scene.moments), cells - 2, look.ascii)
    at = _cell(scene.index, len(scene.moments), cells - 2)
    here = "O" if look.ascii else "●"
    return (
        ("", " "),
        ("class:bar.own", cut(letters[0][:at], cells)),
        ("class:key", here),
        ("class:dim", cut(letters[1][at + 1 :], cells)),
        ("", " "),
    )


@lru_cache(maxsize=8)
def _letters(
    games: tuple[int, ...], contests: tuple[int, ...], moments: int, cells: int, plain: bool
) -> tuple[str, str]:
    """The way as it looks once it has been gone, and as it looks before. Marks too dense to be told apart are left out."""
    gone, ahead = ("=", ".") if plain else ("━", "╌")
    shown = ((contests, cells, "×"), (games, cells // 4, "|" if plain else "┃"))
    marks = {
        _cell(index, moments, cells): mark
        for places, most, mark in shown
        if len(places) <= most
        for index in places
    }
    return (
        "".join(marks.get(cell, gone) for cell in range(cells)),
        "".join(marks.get(cell, ahead) for cell in range(cells)),
    )


def _cell(index: int, moments: int, cells: int) -> int:
    return index * (cells - 1) // max(1, moments - 1)
