"""The page after a game: who won, how it went, what comes next."""

from dataclasses import replace
from functools import lru_cache

from spitnet.core.cards import DECK_SIZE, other
from spitnet.journal.story import Summary
from spitnet.ui import words
from spitnet.ui.cells import Block, Line, aligned, blank, cut, fit, folded, width, wrapped
from spitnet.ui.pages.due import Due, due, opponent
from spitnet.ui.presses import Plain
from spitnet.ui.render import naming
from spitnet.ui.render.frame import Hit, Picture
from spitnet.ui.render.look import Look
from spitnet.ui.render.plot import plot, samples
from spitnet.ui.render.table import hinted
from spitnet.ui.scene import TableScene

_PLOT_COLUMNS = 60
_PLOT_ROWS = 12
_AXIS = 4
_BETWEEN = 2
"""Cells at least between two columns of figures."""
_GAP, _HARD_SPACE = "   ", "\N{NO-BREAK SPACE}"


def summary_page(
    scene: TableScene, summary: Summary, columns: int, rows: int, look: Look
) -> Picture:
    """A page of at most these columns and rows."""
    cells = min(columns, 76)
    airy = rows >= 22
    head, facts = _head(scene, cells), _facts(scene, summary, cells, look)
    hint = _hint(scene, cells, look)
    gap = blank(cells) if airy else ()
    fixed = len(head) + len(facts) + len(hint) + 4 * len(gap)
    high = min(_PLOT_ROWS, max(0, rows - fixed))
    drawn = _plot(scene, summary, cells, high, look)
    lines = (*gap, *head, *gap, *drawn, *gap, *facts, *gap, *hint)
    hit = Hit(0, len(lines) - len(hint), cells, len(hint), _press(scene))
    # A click that was meant for the race must do nothing here.
    return Picture(lines, cells, () if scene.deaf else (hit,))


def _press(scene: TableScene) -> Plain:
    """What a click on the hint means."""
    match due(scene):
        case Due.REMATCH | Due.REMATCH_OFFERED:
            return Plain.REMATCH
        case Due.NEXT_GAME:
            return Plain.SPACE
        case _:
            return Plain.QUIT


def _head(scene: TableScene, cells: int) -> Block:
    """The result, the reason, the match."""
    outcome = scene.match.game.outcome if scene.match.game else None
    lines: list[tuple[str, str]] = []
    if outcome is not None:
        won = outcome.winner == scene.seat
        style = "class:note" if outcome.winner is None else "class:good" if won else "class:bad"
        lines = [(style, words.game_result(scene, outcome)), ("", words.reason(scene, outcome))]
    lines += [("class:bad", text) for text in (words.left(scene), words.ended(scene)) if text]
    if scene.match.settings.games > 1 or scene.match.draws:
        lines.append(("class:head", naming.said(scene, cells, words.score)))
        lines += [("bold", text) for text in (words.match_result(scene),) if text]
    return tuple(
        ((style, fit(line, cells, "^")),) for style, text in lines for line in wrapped(text, cells)
    )


def _hint(scene: TableScene, cells: int, look: Look) -> Block:
    """What comes next, or as much room for it; no key stands in another line than what it does."""
    if scene.deaf:
        room = len(_hint(replace(scene, deaf=False), cells, look))
        return (*blank(cells, room - 1), hinted(scene, words.hint(scene, look.keys), cells))
    together = (part.replace(" ", _HARD_SPACE) for part in words.hint(scene, look.keys).split(_GAP))
    lines = folded(_GAP.join(together), cells - 2)
    return tuple(hinted(scene, line.replace(_HARD_SPACE, " "), cells) for line in lines)


def _plot(scene: TableScene, summary: Summary, cells: int, high: int, look: Look) -> Block:
    if high < 3:
        return ()
    wide = max(1, min(_PLOT_COLUMNS, cells - _AXIS - 2))
    mine = tuple(pair[scene.seat] for pair in summary.cards_left) or (0,)
    theirs = tuple(pair[other(scene.seat)] for pair in summary.cards_left) or (0,)
    drawn = _drawn(mine, theirs, wide, high, look.ascii)
    marks = {0: str(DECK_SIZE), high - 1: "0"}
    bar = "|" if look.ascii else "│"
    return tuple(
        aligned((("class:dim", f"{marks.get(row, ''):>2} {bar}"), *line), cells)
        for row, line in enumerate(drawn)
    )


_drawn = lru_cache(maxsize=8)(plot)
"""A page is drawn again with every tick of a clock; its plot stays as it is."""


def _facts(scene: TableScene, summary: Summary, cells: int, look: Look) -> Block:
    """The two players' figures side by side, and one's fastest play."""
    seat, titles = scene.seat, words.summary_rows()
    last = summary.cards_left[-1] if summary.cards_left else (0, 0)
    pairs = (last, summary.races, summary.longest_run)
    label_cells = min(max(map(width, titles)), max(0, cells - 12))
    own, theirs = samples(look.ascii)
    names = (f"{own} {words.you()}", f"{theirs} {opponent(scene)}")
    column = min(20, max(map(width, names)) + _BETWEEN, max(0, (cells - label_cells) // 2))
    styles = ("class:plot.own", "class:plot.theirs")
    rows: list[Line] = [_fact("", names, label_cells, column, styles)]
    for label, pair in zip(titles, pairs, strict=True):
        figures = (str(pair[seat]), str(pair[other(seat)]))
        rows.append(_fact(label, figures, label_cells, column, ("bold", "")))
    quick: Line = (("class:dim", cut(words.fastest(summary.fastest_s[scene.seat]), cells)),)
    return tuple(aligned(line, cells) for line in (*rows, quick))


def _fact(
    label: str, pair: tuple[str, str], label_cells: int, column: int, styles: tuple[str, str]
) -> Line:
    return (
        ("class:dim", fit(label, label_cells)),
        *(
            (style, fit(cut(text, max(0, column - _BETWEEN)), column, ">"))
            for style, text in zip(styles, pair, strict=True)
        ),
    )
