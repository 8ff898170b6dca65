"""stdout and stderr: in which encoding, and what becomes of signs that it lacks.

What belongs here: setting them up. What must not: what is written there.
"""

import io
import os
import sys
from typing import Final

from spitnet import language
from spitnet.spelling import ESCAPED, SPELLED

_HABITS: Final = ("strict", "surrogateescape", "backslashreplace")
"""What Python does at stdout and stderr unless somebody asked for something else."""


def fill_gaps() -> None:
    """A stream that was closed from the start has nothing to read, and nobody who reads: no run ends of it.

    Else the next file that is opened, perhaps a record, would bear its number, and be written over by what goes there.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            stream = open(nowhere, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
            setattr(sys, name, stream)


def for_people() -> None:
    """What people read is in the terminal's own encoding. What that lacks is spelled, and ends no run."""
    for stream, errors in ((sys.stdout, SPELLED), (sys.stderr, ESCAPED)):
        if isinstance(stream, io.TextIOWrapper) and stream.errors in _HABITS:
            stream.reconfigure(errors=errors)
    language.write_in(sys.stdout.encoding or "utf-8")


def for_programs() -> None:
    """What programs read on stdout is UTF-8 with plain line ends, whatever the system's habits."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
        language.write_in("utf-8")
