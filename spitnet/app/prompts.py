"""What a person is asked on a line of the terminal, while no screen is up: their name once, and a table's code.

What belongs here: the questions, and where the name is kept. What must not: what a name or a code can be, which
the command line knows; its readers come in.
"""

import sys
import unicodedata
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from spitnet.app import identity
from spitnet.app.options import JoinOptions, PlayOptions
from spitnet.exits import Failure, UsageFailure, as_sentence
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


def joined(options: JoinOptions, read: Callable[[str], str]) -> int:
    """`join`, where a person can still type the code of the table that they chose; the exit code.

    Raises:
        Failure: as `join.run`.
    """
    from spitnet.app.commands import join

    while True:
        try:
            return join.run(options)
        except Failure as failure:
            if failure.word != "code" or options.headless or not _somebody_is_there():
                raise
            options = _with_code(options, failure, read)


def _with_code(options: JoinOptions, failure: Failure, read: Callable[[str], str]) -> JoinOptions:
    """The options for another knock at the same table.

    Raises:
        Failure: the one that came in, if no code is typed.
    """
    from spitnet.app.seat.rejections import CodeWanted

    if isinstance(failure, CodeWanted):
        _say(_("The table “{name}” asks for a code.").format(name=failure.name))
        options = replace(options, address=failure.address, table=None)
    else:
        _say(as_sentence(failure.message))
    code = _ask(_("Code (Enter: leave): "), _("code"), "", read)
    if not code:
        raise failure
    return replace(options, code=code)


def _somebody_is_there() -> bool:
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def _say(text: str) -> None:
    print(*lines_for(sys.stdout, text), sep="\n")


def _ask_name(read: Callable[[str], str]) -> str:
    made_up = identity.made_up_name(identity.load_or_make())
    _say(_("Welcome to Spit! What should your opponents call you?"))
    _say(_("You can change it later with --name, or in the config file."))
    return _ask(_("Your name (Enter: {name}): "), _("name"), made_up, read, _shortened)


def _shortened(typed: str) -> str:
    """As much of a name as fits; empty if nothing of it can be shown."""
    return clean_name(unicodedata.normalize("NFC", typed))


def _ask(
    question: str,
    what: str,
    otherwise: str,
    read: Callable[[str], str],
    mended: Callable[[str], str] = lambda typed: "",
) -> str:
    """What is typed, once it can be read; for an empty line `otherwise`, or what `mended` made of the last try.

    `question` has a place for that as {name}.

    Raises:
        KeyboardInterrupt: Ctrl-C, or the end of all input.
    """
    typed = ""
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
            _say(_("{place}: {problem}").format(place=what, problem=problem))
            otherwise = mended(typed) or otherwise


def _keep(name: str) -> None:
    """For the next start; where nothing can be written, it is asked again."""
    with suppress(OSError):
        write_whole(name_file(), f"{name}\n")
