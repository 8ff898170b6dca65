"""The command line: arguments, settings, exit codes.

What belongs here: turning what a user wrote into options, handing them to the app, ending in words.
What must not: playing, networking, drawing. Everything is imported when it is needed, so that a question such
as `--version` is answered at once.
"""

from __future__ import annotations

import sys

from spitnet import __version__
from spitnet.exits import Failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line, `sys.argv` if none is given, and return its exit code."""
    given = sys.argv[1:] if argv is None else list(argv)
    try:
        code = _run(given)
        if sys.stdout:
            sys.stdout.flush()
    except (Failure, OSError, KeyboardInterrupt) as error:
        from spitnet.cli import ending

        code = ending.after(error)
    return code


def _run(given: list[str]) -> int:
    if given == ["--version"]:
        print(f"spitnet {__version__}")
        return 0
    from spitnet.cli import commands

    return commands.run(given)
