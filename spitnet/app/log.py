"""The log: one file for every run, and with `-v` the same lines on stderr where no screen is in the way.

What belongs here: where it goes and how much. What is logged is said where it happens, through `logging`; never
translated, and never a secret.
"""

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final, TextIO

from platformdirs import user_log_path

from spitnet.app.options import Options, PlayOptions, Verbosity
from spitnet.exits import UsageFailure
from spitnet.private import close_to_others, make_directory, opener, place

SIZE_MOST: Final = 1_000_000
"""Bytes; then the file is kept once as `.1` and begun anew."""
_ERRORS: Final = 2
"""The descriptor that errors are written to, by libraries too."""
_FORMAT: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_BRIEF: Final = "spitnet: %(message)s"


def file() -> Path:
    """Where the log is, whether or not it could be opened.

    Raises:
        UsageFailure: there is no home that it could be in.
    """
    return place(user_log_path) / "spitnet.log"


def start(options: Options) -> None:
    """From now on what happens is logged. Without a place to write to, it isn't; that stops nobody from playing.

    On stderr, where no screen is in the way: everything, warnings only, or nothing, as asked.
    """
    log = logging.getLogger("spitnet")
    log.setLevel(logging.DEBUG if options.verbosity is Verbosity.VERBOSE else logging.INFO)
    log.propagate = False
    log.addHandler(_to_file())
    headless = isinstance(options, PlayOptions) and options.headless
    if headless and sys.stderr is not None:
        match options.verbosity:
            case Verbosity.VERBOSE:
                log.addHandler(_written(_Stream(), _FORMAT))
            case Verbosity.NORMAL:
                log.addHandler(_written(_Stream(), _BRIEF, logging.WARNING))
            case Verbosity.QUIET:
                pass


@contextmanager
def in_place_of_terminal() -> Iterator[None]:
    """While entered, descriptor 2 is the log's, where it was the screen's: whoever writes to it writes over no table.

    It is given back whatever ends this, so that what is said then is read. Where it leads elsewhere already, it stays so.
    """
    if sys.platform == "win32" or sys.stderr is None or not _is_screens():
        yield
        return
    sys.stderr.flush()
    terminal, log = os.dup(_ERRORS), _descriptor()
    os.dup2(log, _ERRORS)
    os.close(log)
    try:
        yield
    finally:
        sys.stderr.flush()
        os.dup2(terminal, _ERRORS)
        os.close(terminal)


def _is_screens() -> bool:
    """Whether descriptor 2 is the terminal that the screen is on."""
    try:
        return os.isatty(_ERRORS) and os.path.sameopenfile(sys.stdout.fileno(), _ERRORS)
    except (OSError, ValueError):
        return False


def _descriptor() -> int:
    """Of the log, for what others write; of nothing, where there is none."""
    try:
        return opener(str(file()), os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    except (OSError, UsageFailure):
        return os.open(os.devnull, os.O_WRONLY)


class _File(RotatingFileHandler):
    """A log that others can't read, and that stops nobody when the disk is full or another run renames it."""

    def _open(self) -> TextIOWrapper:
        close_to_others(Path(self.baseFilename))
        return open(self.baseFilename, "a", encoding=self.encoding, opener=opener)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the library's name
        """What can't be written is left out."""


class _Stream(logging.StreamHandler[TextIO]):
    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the library's name
        """Whoever reads stderr may have gone."""


def _to_file() -> logging.Handler:
    try:
        path = file()
        make_directory(path.parent)
        handler = _File(path, maxBytes=SIZE_MOST, backupCount=1, encoding="utf-8")
    except (OSError, UsageFailure):
        return logging.NullHandler()
    return _written(handler, _FORMAT)


def _written(handler: logging.Handler, form: str, least: int = logging.DEBUG) -> logging.Handler:
    handler.setFormatter(logging.Formatter(form))
    handler.setLevel(least)
    return handler
