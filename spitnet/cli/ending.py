"""The last words: an expected failure becomes one line on stderr and an exit code.

What belongs here: how failures are said. What must not: an unexpected exception, which keeps its traceback.
"""

import os
import sys

from spitnet.exits import ExitCode, Failure
from spitnet.language import gettext as _
from spitnet.ui.terminal.lost_stream import drop


def after(error: Failure | OSError | KeyboardInterrupt, *, quiet: bool = False) -> ExitCode:
    """Say what happened, if that is news to the user and wanted, and return the exit code."""
    match error:
        case Failure(code=code, message=message):
            _tell(message, quiet)
            return code
        case KeyboardInterrupt():
            return ExitCode.INTERRUPTED
        case BrokenPipeError():
            drop(sys.stdout)
            return ExitCode.INTERRUPTED
        case OSError():
            drop(sys.stdout)
            _tell(_of_the_machine(error), quiet)
            return ExitCode.USAGE


def _tell(message: str, quiet: bool) -> None:
    if not quiet:
        say(message)


def say(message: str) -> None:
    """One line on stderr, whatever is in the message, which a terminal doesn't break within a word; nothing where nobody
    reads any more.
    """
    try:
        if sys.stderr:
            print(*_lines(f"spitnet: {one_line(message)}"), sep="\n", file=sys.stderr)
    except OSError:
        drop(sys.stderr)


def _lines(text: str) -> list[str]:
    if not sys.stderr.isatty():
        return [text]
    # Slow to import, and seldom needed.
    from spitnet.ui.terminal.capabilities import lines_for

    return lines_for(sys.stderr, text)


def one_line(text: str) -> str:
    """The text with everything that doesn't print, line ends too, as backslash escapes."""
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


def _of_the_machine(error: OSError) -> str:
    reason = error.strerror or str(error) or type(error).__name__
    if error.filename is None:
        return reason
    return _("{file}: {problem}").format(file=os.fsdecode(error.filename), problem=reason)
