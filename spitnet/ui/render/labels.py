"""The short texts of the full screen: labels, badges, tags, keys; in the user's language.

What belongs here: words that stand beside what is drawn. What must not: sentences about the game, which are in
`words` and are told in lines as well.
"""

from spitnet.language import gettext as _
from spitnet.language import ngettext, pgettext
from spitnet.ui.words import KeyLabels, enter_key, in_milliseconds


def cards_left_short(number: int) -> str:
    """The same where there is little room."""
    return ngettext("{number} left", "{number} left", number).format(number=number)


def game_number(number: int, games: int) -> str:
    """Which game of the match."""
    if games == 1:
        return _("One game")
    return _("Game {number} of {games}").format(number=number, games=games)


def races(won: int, lost: int) -> str:
    """Contested plays of one player."""
    return _("races +{won} −{lost}").format(won=won, lost=lost)


def races_short(won: int, lost: int) -> str:
    """The same where there is little room."""
    return f"+{won} −{lost}"


def draws(number: int) -> str:
    """Drawn games."""
    return ngettext("{number} draw", "{number} draws", number).format(number=number)


def reply(milliseconds: float | None) -> str:
    """How long the opponent's answers take."""
    return _("reply {ms} ms").format(ms=in_milliseconds(milliseconds))


def late_crossings(number: int) -> str:
    """Proposals that met ours later than the way explains."""
    return _("late answers: {number}").format(number=number)


def slow_replies(number: int) -> str:
    """Answers that took much longer than the way explains."""
    return ngettext("{number} slow reply", "{number} slow replies", number).format(number=number)


def stops(number: int) -> str:
    """How often the game stood still."""
    return ngettext("{number} stop", "{number} stops", number).format(number=number)


def stops_lately(number: int) -> str:
    """The same, where there were many within the last minute."""
    text = ngettext("{number} stop in a minute", "{number} stops in a minute", number)
    return text.format(number=number)


def ready() -> str:
    """This player or the other has said so."""
    return pgettext("player", "ready")


def stuck() -> str:
    """No card of the player fits."""
    return pgettext("player", "stuck")


def away() -> str:
    """The opponent can't be reached."""
    return pgettext("player", "away")


def going() -> str:
    """A card under way."""
    return pgettext("card", "going")


def next_up() -> str:
    """A card that comes next."""
    return pgettext("card", "next")


def beaten() -> str:
    """A card that lost a race."""
    return pgettext("card", "beaten")


def no_fit() -> str:
    """A card that doesn't fit."""
    return pgettext("card", "no fit")


def too_late() -> str:
    """A card that doesn't fit any more."""
    return pgettext("card", "too late")


def which() -> str:
    """A card that fits both piles."""
    return pgettext("card", "which?")


def help_key(keys: KeyLabels) -> str:
    """How to get help."""
    return _("{help} help").format(help=keys.help)


def quit_key(keys: KeyLabels) -> str:
    """How to leave."""
    return _("{quit} leave").format(quit=keys.quit)


def concede_key(keys: KeyLabels) -> str:
    """How to give up a game."""
    return _("{concede} concede").format(concede=keys.concede)


def yes() -> str:
    """An answer."""
    return pgettext("answer", "yes")


def no() -> str:
    """An answer."""
    return pgettext("answer", "no")


def help_title(keys: KeyLabels) -> str:
    """The head of the help, and how to close it."""
    return _("Help – {help}: close").format(help=keys.help)


def keys_title(keys: KeyLabels) -> str:
    """The head of the help's first page, and how to turn it."""
    return _("Help – {help}: the rules").format(help=keys.help)


def rules_title(keys: KeyLabels) -> str:
    """The head of the help's last page, and how to close it."""
    return _("The rules – {help}: close").format(help=keys.help)


def too_small(need: tuple[int, int], have: tuple[int, int]) -> str:
    """The size needed and the size there is; columns by rows."""
    text = _("Needs {need}, has {have}")
    return text.format(need=f"{need[0]}×{need[1]}", have=f"{have[0]}×{have[1]}")


def choose_table(keys: KeyLabels, looking_on: bool) -> str:
    """How to choose from the list."""
    text = (
        _("↑ ↓ choose   {enter} watch   {quit} leave")
        if looking_on
        else _("↑ ↓ choose   {enter} sit down   {quit} leave")
    )
    return text.format(enter=enter_key(), quit=keys.quit)
