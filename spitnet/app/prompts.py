"""What a person is asked on a line of the terminal, while no screen is up: their name, once.

What belongs here: the question, and where the name is kept. What must not: what a name can be, which the command line
knows; its reader comes in.
"""

import sys
import unicodedata
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from spitnet.app import identity
from spitnet.app.options import PlayOptions
from spitnet.exits import UsageFailure
from spitnet.language import gettext as _
from spitnet.net.names import clean_name
from spitnet.private import write_whole
from spitnet.ui.terminal import sequences
from spitnet.ui.terminal.capabilities import lines_for

Played = TypeVar("Played", bound=PlayOptions)


def name_file() -> Path:
    """Where the name is kept that was given at the first start; the config file is the user's own."""
    return identity.data_directory() / "name"


def kept_name(read: Callable[[str], str]) -> str | None:
    """The name given at the first start; None if there is none that can be used."""
    try:
        return read(name_file().read_text(encoding="utf-8"))
    except (OSError, ValueError, UsageFailure):
        return None


def with_name(options: Played, read: Callable[[str], str]) -> Played:
    """The options with a name, where a person plays who has given none: the one kept, or asked for now.

    Raises:
        KeyboardInterrupt: the person wants out.
    """
    if options.name is not None or options.headless:
        return options
    name = kept_name(read)
    if name is None and _somebody_is_there():
        name = _ask_name(read)
        _keep(name)
    return options if name is None else replace(options, name=name)


def _somebody_is_there() -> bool:
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def _say(text: str) -> None:
    print(*lines_for(sys.stdout, text), sep="\n")


def _ask_name(read: Callable[[str], str]) -> str:
    """What is typed, once it can be read; for an empty line a name that was made up, or what fits of the last try.

    Raises:
        KeyboardInterrupt: Ctrl-C, or the end of all input.
    """
    otherwise = identity.made_up_name(identity.load_or_make())
    _say(_("Welcome to Spit! What should your opponents call you?"))
    _say(_("You can change it later with --name, or in the config file."))
    question, typed = _("Your name (Enter: {name}): "), ""
    while True:
        try:
            typed = sequences.typed(input(question.format(name=otherwise))).strip()
            return read(typed) if typed else otherwise
        except (EOFError, KeyboardInterrupt):
            print()  # the shell's prompt gets a line of its own
            raise KeyboardInterrupt from None
        except UnicodeDecodeError:
            _say(_("That can’t be read; try again."))
        except ValueError as problem:
            _say(_("{place}: {problem}").format(place=_("name"), problem=problem))
            otherwise = _shortened(typed) or otherwise


def _shortened(typed: str) -> str:
    """As much of a name as fits; empty if nothing of it can be shown."""
    return clean_name(unicodedata.normalize("NFC", typed))


def _keep(name: str) -> None:
    """For the next start; where nothing can be written, it is asked again."""
    with suppress(OSError):
        write_whole(name_file(), f"{name}\n")
