"""Facts of the table, as short as they can be: whose row, how many cards, how fast, how long."""

from spitnet.language import gettext as _
from spitnet.language import ngettext
from spitnet.ui.scene import LinkQuality, TableScene


def shout() -> str:
    """What a player says."""
    return _("spit!")


def cards_left(number: int) -> str:
    """How many cards a player has still to play."""
    return ngettext("{number} card left", "{number} cards left", number).format(number=number)


def you() -> str:
    """This player, in a score."""
    return _("you")


def below(scene: TableScene) -> str:
    """Whose row is the lower one, in a score."""
    return scene.names[scene.seat] if scene.looking_on else you()


def may_be_watched() -> str:
    """Others may look on: both players must know."""
    return _("may be watched")


def ping(milliseconds: float | None) -> str:
    """The way to the opponent and back."""
    return _("ping {ms} ms").format(ms=in_milliseconds(milliseconds))


def round_trip(pace: LinkQuality) -> str:
    """The same; where it has grown out of proportion, also what it was at best, which late answers are measured by."""
    if not pace.lags:
        return ping(pace.ping_ms)
    text = _("ping {ms} ms, at best {least}")
    return text.format(ms=in_milliseconds(pace.ping_ms), least=in_milliseconds(pace.least_ms))


def stops(number: int) -> str:
    """What the table means by stops, with their number."""
    text = ngettext(
        "The game has stopped {number} time: the link broke, or a program kept the other waiting.",
        "The game has stopped {number} times: the link broke, or a program kept the other waiting.",
        number,
    )
    return text.format(number=number)


def stops_in_all(number: int, seconds: float) -> str:
    """How often and for how long a match stood still, as its record has it."""
    text = ngettext(
        "the game stopped {number} time, for {time}",
        "the game stopped {number} times, for {time} in all",
        number,
    )
    return text.format(number=number, time=clock(seconds))


def in_milliseconds(number: float | None) -> str:
    """A short time; a dash before the first one is known."""
    if number is None:
        return "–"
    return f"{number:.0f}" if number >= 1 else "<1"


def link(fingerprint: str) -> str:
    """The number of the link: where the screens differ, somebody sits between them."""
    return _("both screens show {fingerprint}").format(fingerprint=fingerprint)


def link_short(fingerprint: str) -> str:
    """The same where there is little room."""
    return _("link {fingerprint}").format(fingerprint=fingerprint)


def clock(seconds: float) -> str:
    """Minutes and seconds, rounded up."""
    whole = max(0, -int(-seconds // 1))
    return f"{whole // 60}:{whole % 60:02d}"
