"""The pages before a match: an open table, the list of tables, sitting down."""

import shlex

from spitnet.language import gettext as _
from spitnet.language import ngettext, pgettext
from spitnet.protocol import VERSION
from spitnet.ui.scene import CodeScene, HostingScene, KnockingScene, ListedTable, LookingScene
from spitnet.ui.words.facts import clock
from spitnet.ui.words.key_names import enter_key, escape_key


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


def how_to_join(scene: HostingScene) -> tuple[str, ...]:
    """What the other has to type, and what else if that finds nothing; each as it can be copied.

    Both say how this table is looked for: who sat down by address needs that once the host has moved to another.
    """
    command = _join_command(scene)
    they = _("They type: {command}").format(command=shlex.join(command))
    if not scene.addresses:
        return (they,)
    return they, _("or: {command}").format(command=shlex.join((*command, scene.addresses[0])))


def hosting_tips(scene: HostingScene) -> tuple[str, ...]:
    """What to try when nobody comes."""
    doctor = _("“spitnet doctor”, on either machine, says what may be in the way.")
    if not scene.addresses:
        return (doctor,)
    text = _("If they don’t find this table, they can type its address: {address}")
    return text.format(address=scene.addresses[0]), doctor


def _join_command(scene: HostingScene) -> tuple[str, ...]:
    return ("spitnet", "join", *_code_flag(scene.code), *scene.search)


def _code_flag(given: str | None) -> tuple[str, ...]:
    """As it is typed; a code that looks like a flag needs the sign that joins them."""
    if given is None:
        return ()
    return (f"--code={given}",) if given.startswith("-") else ("--code", given)


def looking_title(scene: LookingScene) -> str:
    """How many tables one can go to; busy ones, which are listed too, are none of them."""
    number = sum(entry.usable for entry in scene.entries)
    if not number:
        return _still_looking(scene)
    if scene.looking_on:
        text = ngettext(
            "{number} table that may be watched", "{number} tables that may be watched", number
        )
    else:
        text = ngettext("{number} open table", "{number} open tables", number)
    return text.format(number=number)


def _still_looking(scene: LookingScene) -> str:
    if scene.asked:
        text = _("Asking {address} for its table… {time}")
    elif scene.looking_on:
        text = _("Looking for tables that may be watched… {time}")
    else:
        text = _("Looking for open tables… {time}")
    return text.format(address=scene.asked, time=clock(scene.waited_s))


def looking_tips(scene: LookingScene) -> tuple[str, ...]:
    """What to try when no table is found. Whoever has tried an address already can only look at it once more."""
    address = _("Is that the address that the host shows?") if scene.asked else ""
    if scene.looking_on:
        return (
            _("No such table yet. What helps:"),
            _("Has the host typed “spitnet host --watchable”?"),
            _("Are you on the same network?"),
            address or _("Try the host’s address: spitnet watch HOST:PORT"),
        )
    return (
        _("No table yet. What helps:"),
        _("Has the other typed “spitnet host”?"),
        _("Are both on the same network?"),
        address or _("Try their address: spitnet join HOST:PORT"),
    )


def asks_code() -> str:
    """A table that lets nobody sit down without its code."""
    return _("asks for a code")


def code_wanted(scene: CodeScene) -> str:
    """What the player is to type."""
    return _("The table “{name}” asks for a code.").format(name=scene.name)


def code_keys() -> str:
    """How the code is given, and how one gets back to the list."""
    return _("Type it, then {enter}.   {escape}: back").format(
        enter=enter_key(), escape=escape_key()
    )


def not_usable(entry: ListedTable) -> str:
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


def knocking_tip(scene: KnockingScene) -> str:
    """Why nothing has come of it yet."""
    if scene.looking_on:
        return _(
            "Nothing has come from there yet: nobody has sat down, or the host doesn’t answer."
        )
    return _("The table doesn’t answer yet.")


def how_to_watch(scene: HostingScene) -> str:
    """What others have to type."""
    command = shlex.join(("spitnet", "watch", *scene.search))
    return _("Others can watch: {command}").format(command=command)
