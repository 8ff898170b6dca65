"""The pages before a match: an open table, the list of tables, sitting down."""

from functools import lru_cache
from typing import NamedTuple

from spitnet.ui import words
from spitnet.ui.cells import (
    Block,
    Line,
    aligned,
    beside,
    blank,
    clean,
    cut,
    fit,
    line_width,
    width,
    wrapped,
)
from spitnet.ui.presses import Plain
from spitnet.ui.render import labels
from spitnet.ui.render.faces import SUIT_STYLES, Border, Edge, bordered
from spitnet.ui.render.frame import Hit, Picture
from spitnet.ui.render.glyphs import large
from spitnet.ui.render.look import SUIT_LETTERS, SUIT_SIGNS, Look
from spitnet.ui.scene import CodeScene, HostingScene, KnockingScene, ListedTable, LookingScene

_LETTERS = ("S", "P", "I", "T")
_LIST_COLUMNS = 72
_NAME_LEAST, _NAME_MOST = 8, 24
_ADDRESS_LEAST = 15
"""A whole IPv4 address; the port is cut first."""
_REMARKS = 5
"""On one table: the code, the games, the refill, who says spit, spectators."""
_BETWEEN = 7
"""Around the columns of a list, and the sign of the chosen table."""


@lru_cache(maxsize=8)
def title(look: Look) -> Block:
    """The name of the game, laid out in four cards."""
    cards = []
    for letter, ink, sign in zip(_LETTERS, SUIT_STYLES, _signs(look), strict=True):
        drawn = (letter,) if look.ascii else large(letter, 1) or (letter,)
        inside = tuple(fit(line, 7, "^") for line in drawn)
        inside = inside if len(inside) == 3 else (" " * 7, *inside, " " * 7)
        border = Border(Edge.ROUND, "class:card.own")
        cards += [bordered(inside, ink, 9, border, look.ascii, sign), blank(2, 5)]
    return beside(*cards[:-1])


def _signs(look: Look) -> tuple[str, ...]:
    return SUIT_LETTERS if look.ascii else SUIT_SIGNS


def _page(body: list[Line], columns: int, rows: int, look: Look) -> tuple[tuple[Line, ...], int]:
    """The title, where there is room for it, and the body, in lines as wide as the screen; where the body starts."""
    head = title(look)
    roomy = columns >= line_width(head[0]) + 2 and rows >= len(body) + len(head) + 2
    lines: list[Line] = [*head, (), ()] if roomy else []
    start = len(lines)
    lines += body
    return tuple(aligned(line, columns) for line in lines[:rows]), start


def hosting(scene: HostingScene, columns: int, rows: int, look: Look) -> Picture:
    """An open table, its addresses and code, and how the other gets here."""
    keys = [words.address()] * bool(scene.addresses) + [""] * (len(scene.addresses) - 1)
    facts = list(zip(keys, scene.addresses, strict=True))
    if scene.code is not None:
        facts.append((words.code(), scene.code))
    body = [*_said("class:title", words.hosting_title(scene.name), columns), ()]
    body += _facts(facts)
    body += [(), *_said("class:hint", words.waiting_for_someone(scene.waited_s), columns)]
    tips = words.hosting_tips(scene) if scene.hint else ()
    for text in (*words.how_to_join(scene), *tips):
        body += _said("class:dim", text, columns)
    body += _said("class:dim", words.how_to_watch(scene), columns) if scene.watchable else []
    body += _trouble(scene.trouble, columns)
    body += [(), (("class:dim", labels.quit_key(look.keys)),)]
    if len(body) > rows:
        body = [line for line in body if line]
    return Picture(_page(body, columns, rows, look)[0], columns)


def _facts(facts: list[tuple[str, str]]) -> list[Line]:
    """Labels and values in two columns."""
    label_cells = max((width(label) for label, _value in facts), default=0)
    value_cells = max((width(value) for _label, value in facts), default=0)
    return [
        (("class:dim", fit(label, label_cells, ">")), ("bold", f"  {fit(value, value_cells)}"))
        for label, value in facts
    ]


def _said(style: str, text: str, columns: int) -> list[Line]:
    """A sentence, in as many lines as it needs."""
    cells = max(1, min(columns - 2, _LIST_COLUMNS))
    return [((style, line),) for line in wrapped(text, cells)]


def _trouble(text: str, columns: int) -> list[Line]:
    return [(), *_said("class:bad", text, columns)] if text else []


def looking(scene: LookingScene, columns: int, rows: int, look: Look) -> Picture:
    """The tables there are, one of them chosen; or what to try."""
    body = [*_said("class:title", words.looking_title(scene), columns), ()]
    chosen = _chosen(scene, columns)
    shown, first = _window(scene, max(1, rows - 6 - len(chosen)))
    list_start = len(body)
    measures = _measures(shown, columns)
    body += [
        _entry(entry, first + i == scene.chosen, measures, look) for i, entry in enumerate(shown)
    ]
    if not scene.entries and scene.hint:
        tips = words.looking_tips(scene)
        cells = max(map(width, tips))
        body += [(("class:dim" if i else "", fit(tip, cells)),) for i, tip in enumerate(tips)]
    body += chosen
    body += _trouble(scene.trouble, columns)
    last = (
        labels.choose_table(look.keys, scene.looking_on)
        if any(entry.usable for entry in scene.entries)
        else labels.quit_key(look.keys)
    )
    body += [(), (("class:hint" if scene.entries else "class:dim", last),)]
    lines, start = _page(body, columns, rows, look)
    hits = tuple(
        Hit(0, start + list_start + i, columns, 1, _entry_press(first + i, scene.chosen))
        for i in range(len(shown))
    )
    return Picture(lines, columns, hits)


def _chosen(scene: LookingScene, columns: int) -> list[Line]:
    """What the chosen table says that it plays: its row has no room for all of it. As high whichever is chosen."""
    said = [_said("class:dim", words.table_says(one.settings), columns) for one in scene.entries]
    rows = max(map(len, said), default=0)
    return [(), *said[scene.chosen], *[()] * (rows - len(said[scene.chosen]))] if rows else []


def _window(scene: LookingScene, room: int) -> tuple[tuple[ListedTable, ...], int]:
    """The entries that there is room for, the chosen one among them, and the number of the first."""
    first = max(0, min(scene.chosen - room // 2, len(scene.entries) - room))
    return scene.entries[first : first + room], first


def _entry_press(number: int, chosen: int) -> Plain:
    """A click moves the choice towards a table; on the chosen one it sits down."""
    if number == chosen:
        return Plain.ENTER
    return Plain.DOWN if number > chosen else Plain.UP


class _Measures(NamedTuple):
    """Cells of the columns of a list."""

    name: int
    address: int
    remark: int
    remarks: int
    """How many remarks on a table there is room for."""


def _measures(shown: tuple[ListedTable, ...], columns: int) -> _Measures:
    """A remark has what it needs, the address most of that where there is little room, the name what is left."""
    cells = max(0, min(columns - 2, _LIST_COLUMNS)) - _BETWEEN
    for number in range(_REMARKS, 0, -1):
        remarks = max((width(_remark(entry, number)) for entry in shown), default=0)
        if _NAME_LEAST + _ADDRESS_LEAST + remarks <= cells:
            break
    longest = max((width(cut(entry.address, 24)) for entry in shown), default=0)
    address = min(longest, max(_ADDRESS_LEAST, cells - _NAME_LEAST - remarks))
    name = max(_NAME_LEAST, min(_NAME_MOST, cells - address - remarks))
    return _Measures(name, address, max(0, cells - name - address), number)


def _remark(entry: ListedTable, most: int) -> str:
    """What to know before sitting down there, or why one can't: so many remarks at most, first what matters most."""
    if not entry.usable:
        return words.not_usable(entry)
    remarks = [words.asks_code()] * entry.asks_code
    if entry.settings is not None:
        remarks += [words.number_of_games(entry.settings), *words.unusual(entry.settings)]
    remarks += [words.may_be_watched()] * entry.watchable
    return ", ".join(remarks[:most])


def _entry(entry: ListedTable, chosen: bool, measures: _Measures, look: Look) -> Line:
    """A table: the chosen one has a sign too."""
    sign = (">" if look.ascii else "▸") if chosen else " "
    name, address = fit(entry.name, measures.name), fit(entry.address, measures.address)
    remark = fit(_remark(entry, measures.remarks), measures.remark)
    style = "class:chosen" if chosen else "" if entry.usable else "class:dim"
    return ((style, f" {sign} {name}  {address}  {remark}"),)


def asking_code(scene: CodeScene, columns: int, rows: int, look: Look) -> Picture:
    """A line to type in."""
    body = [*_said("class:title", words.code_wanted(scene), columns), ()]
    room, shown = max(1, columns - width(words.code()) - 5), clean(scene.typed)
    while width(shown) > room:  # what was typed last is seen
        shown = shown[1:]
    body.append((("class:dim", words.code()), ("bold", f"  {shown}"), ("class:key", "_")))
    body += _trouble(scene.trouble, columns)
    body += [(), *_said("class:dim", words.code_keys(), columns)]
    return Picture(_page(body, columns, rows, look)[0], columns)


def knocking(scene: KnockingScene, columns: int, rows: int, look: Look) -> Picture:
    """On the way to a seat."""
    body = [*_said("class:hint", words.knocking(scene), columns), ()]
    if scene.hint:
        body += [*_said("class:dim", words.knocking_tip(scene), columns), ()]
    if scene.settings is not None:
        body += [*_said("class:dim", words.table_says(scene.settings), columns), ()]
    body.append((("class:dim", labels.quit_key(look.keys)),))
    return Picture(_page(body, columns, rows, look)[0], columns)
