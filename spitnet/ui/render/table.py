"""The table as a whole: head, rows, piles, keys, what happened, what can be done."""

from spitnet.core.cards import other
from spitnet.ui import words
from spitnet.ui.cells import Block, Fragment, Line, aligned, beside, blank, fit, width, wrapped
from spitnet.ui.pages.due import Due, due, opponent
from spitnet.ui.presses import Plain
from spitnet.ui.render import labels, naming
from spitnet.ui.render.centre import centre, centre_hits
from spitnet.ui.render.frame import Hit, Picture
from spitnet.ui.render.lessons import lesson
from spitnet.ui.render.look import Look
from spitnet.ui.render.panels import panel, stock_beside
from spitnet.ui.render.row import key_line, own_hits, own_row, their_row
from spitnet.ui.render.signs import NOTE_MARKS
from spitnet.ui.render.sizes import FOOT_FOR_ALL, Size
from spitnet.ui.scene import Happened, TableScene


def table(scene: TableScene, size: Size, look: Look) -> Picture:
    """The table in its exact size."""
    cells = size.columns
    upper = [head(scene, cells), *cards(scene, size, look)]
    lower = [_keys(size, look), *blank(cells, size.breath), *_news(scene, cells, look)]
    lower += [*blank(cells, size.foot_gap), foot(scene, cells, look)]
    hits = _hits(size, len(upper) - size.height - 1)
    return Picture((*upper, *lower), cells, hits)


def cards(scene: TableScene, size: Size, look: Look) -> Block:
    """Both rows with who sits there, and the piles between them."""
    seat, breath = scene.seat, blank(size.columns, size.breath)
    above = beside(
        stock_beside(scene, other(seat), size, look),
        their_row(scene, size, look),
        panel(scene, other(seat), size, look),
    )
    return (*breath, *above, *breath, *centre(scene, size, look), *_own(scene, size, look))


def _own(scene: TableScene, size: Size, look: Look) -> Block:
    edge = blank(size.side)
    return beside(
        (*edge, *panel(scene, scene.seat, size, look)),
        own_row(scene, size, look),
        (*edge, *stock_beside(scene, scene.seat, size, look)),
    )


def _keys(size: Size, look: Look) -> Line:
    edge: Fragment = ("", " " * size.side)
    return (edge, *key_line(size, look), edge)


def _hits(size: Size, own_top: int) -> tuple[Hit, ...]:
    piles = tuple(hit.moved(0, own_top - size.height) for hit in centre_hits(size))
    slots = tuple(hit.moved(size.side, own_top) for hit in own_hits(size))
    stock = Hit(size.side + size.row, own_top + 1, size.side, size.height, Plain.SPACE)
    below = own_top + size.height + 2 + size.breath
    hint = Hit(0, below + 1, size.columns, 1, Plain.SPACE)
    return (*piles, *slots, stock, hint)


def head(scene: TableScene, cells: int) -> Line:
    """Which game, the score, how fast the other answers; said shorter where there is little room."""
    room = cells - 3
    for long, much in ((2, 2), (1, 2), (0, 2), (0, 1), (1, 0), (0, 0)):
        left = " · ".join(score(scene, long))
        right = " · ".join(_pace(scene, much))
        if width(left) + width(right) <= room:
            break
    return both_ends(left, right, cells, "class:dim" if scene.stopping is None else "class:bad")


def score(scene: TableScene, long: int) -> list[str]:
    """Which game, and what the match stands at; `long` from 2 down to 0."""
    match = scene.match
    number = match.game.number if match.game else 1
    wins = f"{match.wins[scene.seat]} : {match.wins[other(scene.seat)]}"
    if not long:
        even = f" ={match.draws}" if match.draws else ""
        return [f"{number}/{match.settings.games}", wins + even]
    standing = f"{words.below(scene)} {wins} {opponent(scene)}" if long == 2 else wins
    drawn = [labels.draws(match.draws)] if match.draws else []
    return [labels.game_number(number, match.settings.games), standing, *drawn]


def _pace(scene: TableScene, much: int) -> list[str]:
    """`much`: 2 all that is known, 1 only what is out of the ordinary, 0 only the last figures."""
    pace = scene.pace
    if scene.stopping is not None:
        parts = [words.ping(pace.ping_ms)] * (much > 0)
        return [*parts, labels.stops_lately(scene.stopping.count)]
    if not much:
        return [words.ping(pace.ping_ms), labels.reply(pace.reply_ms)]
    parts = [words.round_trip(pace), *[labels.reply(pace.reply_ms)] * (much > 1)]
    late, slow = pace.late_crossings, pace.slow_replies
    if late:
        parts.append(labels.late_crossings(late))
    if slow:
        parts.append(labels.slow_replies(slow))
    if pace.stops:
        parts.append(labels.stops(pace.stops))
    return parts


def both_ends(left: str, right: str, cells: int, style: str = "class:dim") -> Line:
    """Two texts at the ends of a line, the right one in that style; where they meet, the left one is cut."""
    room = cells - 2
    right = fit(right, min(width(right), room))
    left = fit(left, max(0, room - width(right) - 1))
    return aligned((("", " "), ("class:head", left), ("", " "), (style, right), ("", " ")), cells)


def _news(scene: TableScene, cells: int, look: Look) -> Block:
    """What happened, and what can be done now. Why a match was stopped may take both: what is left to do is at the foot."""
    ended = wrapped(words.ended(scene), cells)
    if len(ended) > 1:
        return tuple((("class:bad", fit(line, cells, "^")),) for line in ended[:2])
    note: Line = (("class:bad", fit(ended[0], cells, "^")),) if ended else _note(scene, cells, look)
    return (note, hint_line(scene, cells, look))


def _note(scene: TableScene, cells: int, look: Look) -> Line:
    """What happened, with the sign of the mark that the card has; while somebody is waited for, that.

    But why a key did nothing is seen first: whoever is waited for would press it again.
    """
    if scene.idle is not None and not scene.refused:
        return (("class:bad", fit(naming.said(scene, cells, words.idle), cells, "^")),)
    if scene.stopping is not None and scene.stopping.shouted and not scene.refused:
        return (("class:bad", fit(words.stopping(scene), cells, "^")),)
    mark = NOTE_MARKS.get(scene.note.happened)
    theirs = scene.note.happened is Happened.BEATEN and scene.note.seat != scene.seat
    style = "class:note" if mark is None else "class:note.good" if theirs else mark.value.style
    sign = ""
    if mark is not None and not theirs:
        sign = f"{mark.value.plain if look.ascii else mark.value.sign} "
    text = naming.said(scene, cells, lambda one: sign + words.note(one, look.card_name))
    return ((style, fit(text, cells, "^")),)


def hint_line(scene: TableScene, cells: int, look: Look) -> Line:
    """What can be done now; it stands out where a key is waited for."""
    text = lesson(scene, look)
    if not text or width(text) + 2 > cells:
        text = naming.said(scene, cells - 2, lambda one: words.hint(one, look.keys))
    return hinted(scene, text, cells)


def hinted(scene: TableScene, text: str, cells: int) -> Line:
    """A line of the hint, in the style of the moment."""
    if scene.question is None and due(scene) in _PRESSING and width(text) + 2 <= cells:
        return aligned((("class:hint.due", fit(f" {text} ", width(text) + 2)),), cells)
    return (("class:hint", fit(text, cells, "^")),)


_PRESSING = frozenset(
    {
        Due.READY,
        Due.SPIT,
        Due.REFILL,
        Due.CHOOSE_PILE,
        Due.CLAIM,
        Due.NEXT_GAME,
        Due.REMATCH,
        Due.REMATCH_OFFERED,
    }
)
"""Where nothing goes on until this player presses a key."""


def foot(scene: TableScene, cells: int, look: Look) -> Line:
    """The keys that work now whatever else does, and what both screens show alike."""
    keys = look.keys
    parts = [labels.help_key(keys), labels.quit_key(keys)]
    parts += [labels.concede_key(keys)] * scene.concedable
    wide, close = "   ".join(parts), "  ".join(parts)
    pairs = ((left, right) for right in _alike(scene, cells) for left in (wide, close))
    fitting = (pair for pair in pairs if width("".join(pair)) < cells - 2)
    left, right = next(fitting, (close, ""))
    line = both_ends(left, right, cells)
    return aligned(tuple(("class:dim", text) for _style, text in line), cells)


def _alike(scene: TableScene, cells: int) -> tuple[str, ...]:
    """The number of the link, and whether others may look on where that isn't said beside a pile; ever shorter."""
    number = scene.fingerprint
    links = (words.link(number), words.link_short(number), number) if number else ()
    if not scene.may_be_watched or cells < FOOT_FOR_ALL:
        return (*links, "")
    watched = words.may_be_watched()
    return (*(f"{watched} · {link}" for link in links), watched, "")
