"""What lies over the table: a question, the help, the opponent being gone. The newest demand lies on top."""

from spitnet.ui import words
from spitnet.ui.cells import Line, aligned, cut, fit, line_width, part, width, wrapped
from spitnet.ui.presses import Plain, Press
from spitnet.ui.render import labels, naming, rules_page
from spitnet.ui.render.faces import Edge
from spitnet.ui.render.frame import Frame, Hit, Picture
from spitnet.ui.render.look import Look
from spitnet.ui.scene import Help, Question, TableScene

_MOST = 62
"""Cells inside a box: longer lines are hard to read."""

_RULES_MOST = 74
"""The same for the rules, which are long, and may be a half longer in another language."""

_SLIVER = 3
"""What would show of the table beside a box: with so few cells it is left out."""


def overlaid(frame: Frame, scene: TableScene, columns: int, look: Look) -> Frame:
    """The frame with what lies over it; what lies below a question can't be clicked."""
    rows = len(frame.lines)
    if scene.question is not None:
        box = _question(scene, scene.question, columns, look)
        return over(Frame(frame.lines), box, columns)
    if scene.help is not None:
        return over(Frame(frame.lines), _help(scene, columns, rows, look), columns)
    if scene.gone is not None and scene.summary is None:
        return over(frame, _gone(scene, columns, look), columns)
    return frame


def over(frame: Frame, picture: Picture, columns: int) -> Frame:
    """The picture in the middle of the frame; cut where the frame is smaller."""
    rows, high, wide = len(frame.lines), len(picture.lines), min(columns, picture.columns)
    left, top = (columns - wide) // 2, max(0, (rows - high) // 2)
    lines = list(frame.lines)
    for row, line in enumerate(picture.lines[: rows - top], start=top):
        below, right = lines[row] if left > _SLIVER else (), left + wide
        middle = aligned(line, wide, "<")
        lines[row] = (*part(below, 0, left), *middle, *part(below, right, columns - right))
    hits = tuple(hit.moved(left, top) for hit in picture.hits)
    return Frame(tuple(lines), (*frame.hits, *hits))


def boxed(lines: list[Line], title: str, look: Look, hits: tuple[Hit, ...] = ()) -> Picture:
    """Lines in a box with a title in its upper edge; hits are counted from the first line's first cell."""
    cells = max((*map(line_width, lines), width(title) + 2))
    edge = Edge.ROUND.outline(look.ascii)
    head = f" {title} " if title else ""
    style, side = "class:box", ("class:box", edge.side)
    first = edge.upper_left + edge.across * bool(head)
    rest = edge.across * (cells + 2 - width(head) - bool(head))
    top: Line = ((style, first), ("class:title", head), (style, rest + edge.upper_right))
    bottom: Line = ((style, edge.lower_left + edge.across * (cells + 2) + edge.lower_right),)
    middle = tuple((side, ("", " "), *aligned(line, cells, "<"), ("", " "), side) for line in lines)
    return Picture((top, *middle, bottom), cells + 4, tuple(hit.moved(2, 1) for hit in hits))


def _question(scene: TableScene, asked: Question, columns: int, look: Look) -> Picture:
    cells = max(4, min(_MOST, columns - 6))
    first, second = words.question(scene, asked)
    lines: list[Line] = [(("bold", text),) for text in wrapped(first, cells)]
    lines += [(("", text),) for text in wrapped(second, cells)]
    yes, no = f" {look.keys.yes} {labels.yes()} ", f" {look.keys.no} {labels.no()} "
    lines += [(), (("class:button", yes), ("", "  "), ("class:button", no))]
    wide = max(map(line_width, lines))
    row = len(lines) - 1
    start = (wide - width(yes) - width(no) - 2) // 2
    buttons = (
        _button(start, row, yes, Plain.YES),
        _button(start + width(yes) + 2, row, no, Plain.NO),
    )
    return boxed([aligned(line, wide) for line in lines], "", look, buttons)


def _button(left: int, row: int, text: str, press: Press) -> Hit:
    return Hit(left, row, width(text), 1, press, press)


def _gone(scene: TableScene, columns: int, look: Look) -> Picture:
    cells = max(4, min(_MOST, columns - 6))
    first, second = words.gone(scene)
    lines: list[Line] = [(("class:bad", text),) for text in wrapped(first, cells)]
    lines += [(("", text),) for text in wrapped(second, cells)]
    wide = max(map(line_width, lines))
    return boxed([aligned(line, wide) for line in lines], "", look)


def _help(scene: TableScene, columns: int, rows: int, look: Look) -> Picture:
    """The page that is open: the keys or the rules."""
    if scene.help is Help.RULES:
        said = rules_page.page(max(4, min(_RULES_MOST, columns - 4)), max(0, rows - 2), look)
        title = _waited_for(scene, columns) or labels.rules_title(look.keys)
        return boxed(said, title, look, _closing(columns, rows))
    keys, sentences = words.help_keys(scene, look.keys, look.mouse), words.help_sentences(scene)
    title = _waited_for(scene, columns) or labels.keys_title(look.keys)
    return help_box(keys, sentences, columns, rows, look, title)


def _waited_for(scene: TableScene, columns: int) -> str:
    """Whoever reads doesn't see the table: that somebody waits must stand here too."""
    return cut(naming.said(scene, columns - 8, words.idle), columns - 8)


def _closing(columns: int, rows: int) -> tuple[Hit, ...]:
    """A click anywhere is as good as the help's key."""
    return (Hit(-2, -1, columns, rows, Plain.HELP, Plain.HELP),)


def help_box(
    keys: tuple[tuple[str, str], ...],
    sentences: tuple[str, ...],
    columns: int,
    rows: int,
    look: Look,
    title: str = "",
) -> Picture:
    """Sentences, and under them keys and what they do; for a screen of that size."""
    cells = max(4, min(_MOST, columns - 4))
    key_cells = max(width(key) for key, _text in keys)
    lines: list[Line] = [
        (
            ("class:key", fit(key, key_cells, ">")),
            ("", f"  {cut(text, max(0, cells - key_cells - 2))}"),
        )
        for key, text in keys
    ]
    room = max(0, rows - 2 - len(lines))
    said = _said(sentences, cells, room)
    gap: list[Line] = [()] if len(said) < room else []
    lines = [*((("", text),) for text in said), *gap, *lines]
    return boxed(lines, title or labels.help_title(look.keys), look, _closing(columns, rows))


def _said(sentences: tuple[str, ...], cells: int, room: int) -> list[str]:
    """Each sentence in lines of its own; with less room all in one paragraph; with still less without the last ones."""
    apart = [line for sentence in sentences for line in wrapped(sentence, cells)]
    if len(apart) <= room:
        return apart
    together = (
        wrapped(" ".join(sentences[:number]), cells) for number in range(len(sentences), 0, -1)
    )
    return next((lines for lines in together if len(lines) <= room), [])
