"""The style of each kind of cell, for so many colours and a background; nothing paints the background."""

from typing import Final, TypeAlias

from spitnet.ui.render.look import Colours, Look

Inks: TypeAlias = dict[str, str]
"""A colour, or an attribute, for each of the roles below."""

_ROLES: Final = (
    "gold",
    "green",
    "red",
    "blue",
    "teal",
    "violet",
    "orange",
    "grey",
    "faint",
    "back",
)


def _inks(*colours: str) -> Inks:
    return dict(zip(_ROLES, colours, strict=True))


_DARK: Final = _inks(
    "#e8bd52", "#74c686", "#f0707f", "#72b4f5", "#5cc0c9", "#bd9cec", "#e09a58", "#98a0ae", "#5d6472", "#6f86c9",
)  # fmt: skip
_LIGHT: Final = _inks(
    "#8f6200", "#1d7a3c", "#c0243f", "#1d5cbd", "#0b7680", "#7438ad", "#a9500b", "#656c79", "#a9aeb8", "#4a62a8",
)  # fmt: skip
_EITHER: Final = _inks(
    "#b07d10", "#35934a", "#d8455d", "#3a80d6", "#22929d", "#9766d0", "#c46d28", "#7f8591", "#888d97", "#6479bb",
)  # fmt: skip
"""Where the background is unknown: readable on both, brilliant on neither."""
# Colours that are there among the 256, since the nearest to another is often another hue.
_DARK_256: Final = _inks(
    "#d7af5f", "#87d787", "#ff5f5f", "#5fafff", "#5fafaf", "#af87ff", "#d7875f", "#9e9e9e", "#5f5f5f", "#5f87d7",
)  # fmt: skip
_LIGHT_256: Final = _inks(
    "#875f00", "#008700", "#af0000", "#005faf", "#005f87", "#8700af", "#af5f00", "#6c6c6c", "#b2b2b2", "#5f5faf",
)  # fmt: skip
_EITHER_256: Final = _inks(
    "#af8700", "#008700", "#d75f5f", "#0087d7", "#008787", "#875fd7", "#d75f00", "#808080", "#8a8a8a", "#5f87af",
)  # fmt: skip
_DARK_16: Final = _inks(
    "ansibrightyellow", "ansibrightgreen", "ansibrightred", "ansibrightblue", "ansibrightcyan",
    "ansibrightmagenta", "ansiyellow", "dim", "dim", "ansibrightblue",
)  # fmt: skip
_LIGHT_16: Final = _inks(
    "ansimagenta", "ansigreen", "ansired", "ansiblue", "ansicyan", "ansimagenta", "ansired", "dim", "dim", "ansiblue",
)  # fmt: skip
_EITHER_16: Final = _inks(
    "ansimagenta", "ansigreen", "ansired", "ansibrightblue", "ansicyan", "ansimagenta", "ansired", "dim", "dim",
    "ansibrightblue",
)  # fmt: skip

_INKS: Final = {
    Colours.SIXTEEN: {None: _EITHER_16, True: _DARK_16, False: _LIGHT_16},
    Colours.C256: {None: _EITHER_256, True: _DARK_256, False: _LIGHT_256},
    Colours.TRUE: {None: _EITHER, True: _DARK, False: _LIGHT},
}
_RULES: Final = {
    "suit.spade": "bold",
    "suit.heart": "bold {red}",
    "suit.diamond": "bold {blue}",
    "suit.club": "bold {green}",
    "card.own": "",
    "card.theirs": "{grey}",
    "pile": "{gold}",
    "pile.fresh": "bold {gold}",
    "back": "{back}",
    "back.edge": "{back}",
    "place": "{faint}",
    "mark.going": "bold {gold}",
    "mark.next": "{teal}",
    "mark.beaten": "bold {red}",
    "mark.nofit": "{orange}",
    "mark.late": "{violet}",
    "mark.which": "bold {blue}",
    "name.own": "bold",
    "name.theirs": "bold",
    "count": "bold",
    "bar.own": "{green}",
    "bar.theirs": "{orange}",
    "bar.empty": "{faint}",
    "badge.ready": "reverse {green}",
    "badge.stuck": "reverse {orange}",
    "badge.away": "reverse {grey}",
    "shout": "bold reverse {gold}",
    "key": "bold",
    "head": "",
    "text": "",
    "dim": "{grey}",
    "note": "bold",
    "note.good": "bold {green}",
    "hint": "{blue}",
    "hint.due": "bold reverse {blue}",
    "title": "bold {gold}",
    "good": "bold {green}",
    "bad": "bold {red}",
    "box": "{gold}",
    "button": "reverse",
    "chosen": "bold reverse",
    "plot.own": "{green}",
    "plot.theirs": "{orange}",
}


def rules(look: Look) -> dict[str, str]:
    """Style rules by class name, without the `class:`."""
    inks = _of(look)
    found = {name: rule.format_map(inks).strip() for name, rule in _RULES.items()}
    if not look.four_colour:
        found["suit.diamond"], found["suit.club"] = found["suit.heart"], found["suit.spade"]
    return found


def _of(look: Look) -> Inks:
    if look.colours is Colours.NONE:
        return dict.fromkeys(_ROLES, "")
    return _INKS[look.colours][look.dark]
