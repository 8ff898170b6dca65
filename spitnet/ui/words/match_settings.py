"""What a table plays: the settings of its match in words, before anybody sits down and at the table."""

from collections.abc import Iterator

from spitnet.core.state import RefillMode, Settings, SpitMode
from spitnet.language import gettext as _
from spitnet.language import ngettext
from spitnet.ui.words.facts import clock


def plays(settings: Settings) -> str:
    """Games, refill, spit and grace, all of them."""
    parts = (_decided_by(settings), _refill(settings), _spit(settings), _grace(settings))
    return ", ".join(parts)


def number_of_games(settings: Settings) -> str:
    """How many there may be, as short as it can be said."""
    text = ngettext("{number} game", "{number} games", settings.games)
    return text.format(number=settings.games)


def unusual(settings: Settings) -> Iterator[str]:
    """Of refill and spit, what isn't as in most matches."""
    if settings.refill is RefillMode.MANUAL:
        yield _refill(settings)
    if settings.spit is SpitMode.AUTO:
        yield _spit(settings)


def table_says(settings: Settings | None) -> str:
    """What a table announces, which is its word alone; empty where it announces nothing."""
    if settings is None:
        return ""
    return _("The table says: {settings}.").format(settings=plays(settings))


def this_match(settings: Settings) -> str:
    """What is really played."""
    return _("This match: {settings}.").format(settings=plays(settings))


def _decided_by(settings: Settings) -> str:
    if settings.games == 1:
        return _("one game")
    text = ngettext("best of {number} game", "best of {number} games", settings.games)
    return text.format(number=settings.games)


def _refill(settings: Settings) -> str:
    if settings.refill is RefillMode.MANUAL:
        return _("refill by hand")
    return _("automatic refill")


def _spit(settings: Settings) -> str:
    if settings.spit is SpitMode.AUTO:
        return _("the game says spit")
    return _("a player says spit")


def _grace(settings: Settings) -> str:
    return _("{time} to come back").format(time=clock(settings.grace_s))
