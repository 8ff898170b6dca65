"""stdout and stderr: in which encoding, and what becomes of signs that it lacks.

What belongs here: setting them up. What must not: what is written there.
"""

import io
import os
import sys


def fill_gaps() -> None:
    """A stream that was closed from the start has nothing to read, and nobody who reads: no run ends of it.

    Else the next file that is opened, perhaps a record, would bear its number, and be written over by what goes there.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            stream = open(nowhere, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
            setattr(sys, name, stream)


def show_what_can_be_shown() -> None:
    """A sign that the terminal's encoding lacks becomes a question mark, and ends no run."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors in ("strict", "surrogateescape"):
            stream.reconfigure(errors="replace")


def for_programs() -> None:
    """What programs read on stdout is UTF-8 with plain line ends, whatever the system's habits."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
