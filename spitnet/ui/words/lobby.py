"""The pages before a match: an open table, the list of tables, sitting down."""

from spitnet.language import gettext as _
from spitnet.language import ngettext, pgettext
from spitnet.protocol import VERSION
from spitnet.ui.scene import Entry, KnockingScene, LookingScene
from spitnet.ui.words.facts import clock


def hosting_title(name: str) -> str:
    """An open table."""
    return _("The table of {name} is open").format(name=name)


def address() -> str:
    """What stands before HOST:PORT."""
    return _("address")


def code() -> str:
    """What stands before the code of a table."""
    return _("code")


def waiting_for_someone(waited_s: float) -> str:
    """Nobody has sat down yet."""
    return _("Waiting for someone to sit down… {time}").format(time=clock(waited_s))


def how_to_join(address_shown: str, code_shown: str | None) -> tuple[str, str]:
    """What the other has to type, and what else if that finds nothing."""
    command = "spitnet join" if code_shown is None else f"spitnet join --code {code_shown}"
    return (
        _("They type: {command}").format(command=command),
        _("or: {command}").format(command=f"{command} {address_shown}"),
    )


def looking_title(scene: LookingScene) -> str:
    """How many tables there are."""
    number = len(scene.entries)
    if scene.looking_on:
        return _watching_title(number, scene.waited_s)
    if not number:
        return _("Looking for open tables… {time}").format(time=clock(scene.waited_s))
    return ngettext("{number} open table", "{number} open tables", number).format(number=number)


def _watching_title(number: int, waited_s: float) -> str:
    if not number:
        text = _("Looking for tables that may be watched… {time}")
        return text.format(time=clock(waited_s))
    text = ngettext(
        "{number} table that may be watched", "{number} tables that may be watched", number
    )
    return text.format(number=number)


def looking_tips(scene: LookingScene) -> tuple[str, ...]:
    """What to try when no table is found."""
    if scene.looking_on:
        return (
            _("No such table yet. What helps:"),
            _("Has the host typed “spitnet host --watchable”?"),
            _("Are you on the same network?"),
            _("Try the host’s address: spitnet watch HOST:PORT"),
        )
    return (
        _("No table yet. What helps:"),
        _("Has the other typed “spitnet host”?"),
        _("Are both on the same network?"),
        _("Try their address: spitnet join HOST:PORT"),
    )


def asks_code() -> str:
    """A table that lets nobody sit down without its code."""
    return _("asks for a code")


def not_usable(entry: Entry) -> str:
    """Why nobody can sit down at a table."""
    return (
        pgettext("table", "busy")
        if entry.version == VERSION
        else pgettext("table", "other version")
    )


def knocking(scene: KnockingScene) -> str:
    """Sitting down, or waiting for a match to look on at; without a name, what it takes to begin."""
    if not scene.name:
        text = _("A moment… {time}")
    elif scene.looking_on:
        text = _("Waiting for a match at the table of {name}… {time}")
    else:
        text = _("Sitting down at the table of {name}… {time}")
    return text.format(name=scene.name, time=clock(scene.waited_s))


def how_to_watch() -> str:
    """What others have to type."""
    return _("Others may look on: {command}").format(command="spitnet watch")
