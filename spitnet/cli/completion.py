"""Completion scripts for shells, made from the parser.

What belongs here: the library that writes the scripts, and what it can't see in the parser.
"""

import shtab

from spitnet.cli import arguments


def script(shell: str) -> str:
    """The completion script for one of `arguments.SHELLS`."""
    completing = arguments.Completing(shtab.FILE, shtab.DIRECTORY)
    return shtab.complete(arguments.parser(completing), shell=shell)
