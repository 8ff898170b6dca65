"""The style of each kind of cell, for so many colours; nothing paints the background."""

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


_INKS: Final = {
    Colours.NONE: dict.fromkeys(_ROLES, ""),
    Colours.SIXTEEN: _inks(
        "ansimagenta", "ansigreen", "ansired", "ansibrightblue", "ansicyan", "ansimagenta", "ansired", "dim", "dim",
        "ansibrightblue",
    ),
    # Colours that are there among the 256, since the nearest to another is often another hue.
    Colours.C256: _inks(
        "#af8700", "#008700", "#d75f5f", "#0087d7", "#008787", "#875fd7", "#d75f00", "#808080", "#8a8a8a", "#5f87af",
    ),
    Colours.TRUE: _inks(
        "#b07d10", "#35934a", "#d8455d", "#3a80d6", "#22929d", "#9766d0", "#c46d28", "#7f8591", "#888d97", "#6479bb",
    ),
}  # fmt: skip
"""The background isn't known: readable on a dark one and on a light one, brilliant on neither."""
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
    inks = _INKS[look.colours]
    found = {name: rule.format_map(inks).strip() for name, rule in _RULES.items()}
    if not look.four_colour:
        found["suit.diamond"], found["suit.club"] = found["suit.heart"], found["suit.spade"]
    return found
