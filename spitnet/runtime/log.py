"""The log: one file for every run, and with `-v` the same lines on stderr where no screen is in the way.

What belongs here: where it goes and how much. What is logged is said where it happens, through `logging`; never
translated, and never a secret.
"""

import logging
import sys
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final

from platformdirs import user_log_path

from spitnet.runtime.options import PlayOptions, Verbosity

SIZE_MOST: Final = 1_000_000
"""Bytes; then the file is kept once as `.1` and begun anew."""
_FORMAT: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def file() -> Path:
    """Where the log is, whether or not it could be opened."""
    return user_log_path("spitnet", appauthor=False) / "spitnet.log"


def start(options: PlayOptions) -> None:
    """From now on what happens is logged. Without a place to write to, it isn't; that stops nobody from playing."""
    log = logging.getLogger("spitnet")
    log.setLevel(logging.DEBUG if options.verbosity is Verbosity.VERBOSE else logging.INFO)
    log.propagate = False
    log.addHandler(_to_file())
    if options.verbosity is Verbosity.VERBOSE and options.headless and sys.stderr is not None:
        log.addHandler(_written(logging.StreamHandler()))


def _to_file() -> logging.Handler:
    path = file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(path, maxBytes=SIZE_MOST, backupCount=1, encoding="utf-8")
    except OSError:
        return logging.NullHandler()
    return _written(handler)


def _written(handler: logging.Handler) -> logging.Handler:
    handler.setFormatter(logging.Formatter(_FORMAT))
    return handler
