"""A scene as a frame of any size: the one door into this room."""

from dataclasses import replace
from typing import assert_never

from spitnet.ui.cells import Line, blank, fit, spelled
from spitnet.ui.render import labels
from spitnet.ui.render.follow import followed
from spitnet.ui.render.frame import Frame, Picture
from spitnet.ui.render.look import Look
from spitnet.ui.render.overlays import help_box, over, overlaid
from spitnet.ui.render.pages import asking_code, hosting, knocking, looking
from spitnet.ui.render.sizes import SMALLEST, largest
from spitnet.ui.render.summary import summary_page
from spitnet.ui.render.table import table
from spitnet.ui.scene import (
    CodeScene,
    FollowScene,
    HostingScene,
    KnockingScene,
    LookingScene,
    Scene,
    TableScene,
)
from spitnet.ui.words import captions


def draw(scene: Scene, columns: int, rows: int, look: Look) -> Frame:
    """Exactly `rows` lines of exactly `columns` cells."""
    frame = _drawn(scene, columns, rows, look)
    if not look.ascii:
        return frame
    return replace(frame, lines=tuple(spelled(line, look.encoding) for line in frame.lines))


def _drawn(scene: Scene, columns: int, rows: int, look: Look) -> Frame:
    match scene:
        case TableScene():
            return _table(scene, columns, rows, look)
        case FollowScene():
            return _follow(scene, columns, rows, look)
        case HostingScene():
            picture = hosting(scene, columns, rows, look)
        case LookingScene():
            picture = looking(scene, columns, rows, look)
        case CodeScene():
            picture = asking_code(scene, columns, rows, look)
        case KnockingScene():
            picture = knocking(scene, columns, rows, look)
        case _:
            assert_never(scene)
    return centred(picture, columns, rows)


def _table(scene: TableScene, columns: int, rows: int, look: Look) -> Frame:
    size = largest(columns, rows)
    if size is None:
        return replace(_too_small(columns, rows), blind=True)
    if scene.summary is not None:
        picture = summary_page(scene, scene.summary, columns, rows, look)
    else:
        picture = table(scene, size, look)
    return overlaid(centred(picture, columns, rows), scene, columns, look)


def _follow(scene: FollowScene, columns: int, rows: int, look: Look) -> Frame:
    size = largest(columns, rows)
    if size is None:
        return _too_small(columns, rows)
    frame = centred(followed(scene, size, look), columns, rows)
    if not scene.help:
        return frame
    box = help_box(captions.help_keys(scene), captions.help_sentences(scene), columns, rows, look)
    return over(frame, box, columns)


def _too_small(columns: int, rows: int) -> Frame:
    need = (SMALLEST.columns, SMALLEST.rows)
    return _line(labels.too_small(need, (columns, rows)), columns, rows)


def centred(picture: Picture, columns: int, rows: int) -> Frame:
    """The picture in the middle of the screen."""
    left, top = (columns - picture.columns) // 2, (rows - len(picture.lines)) // 2
    before, after = ("", " " * left), ("", " " * (columns - picture.columns - left))
    middle = tuple((before, *line, after) for line in picture.lines)
    lines = (*blank(columns, top), *middle, *blank(columns, rows - top - len(middle)))
    return Frame(lines, tuple(hit.moved(left, top) for hit in picture.hits))


def _line(text: str, columns: int, rows: int) -> Frame:
    """One line in the middle."""
    line: Line = (("", fit(text, columns, "^")),)
    top = (rows - 1) // 2
    return Frame((*blank(columns, top), line, *blank(columns, rows - top - 1)))
