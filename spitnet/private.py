"""The user's own files, which others may not read: keys, records, the log.

What belongs here: how they and the directories that they lie in are found and made, whatever the umask. What must
not: what is in them.
"""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from errno import ENOTDIR
from pathlib import Path
from stat import S_ISREG
from typing import Final

from spitnet.exits import UsageFailure
from spitnet.language import gettext as _

OWNER_ONLY: Final = 0o600
_DIRECTORY: Final = 0o700
_OTHERS: Final = 0o077


def place(find: Callable[..., Path]) -> Path:
    """This user's directory for spitnet; `find` is the function of platformdirs for its kind.

    Raises:
        UsageFailure: there is no home that it could be in.
    """
    try:
        path = find("spitnet", appauthor=False)
    except RuntimeError:
        path = Path("~")
    if not path.is_absolute():
        raise UsageFailure(_("there is no home directory here; set HOME"))
    return path


def make_directory(path: Path) -> None:
    """The directory and whatever is missing above it, closed to others. One that is there stays as it is.

    Raises:
        OSError: it can't be made, or something else has its name.
    """
    for place in reversed((path, *path.parents)):
        if not place.exists():
            place.mkdir(mode=_DIRECTORY, exist_ok=True)
    if not path.is_dir():
        raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR), str(path))


def opener(path: str, flags: int) -> int:
    """For `open`: what is made is closed to others."""
    return os.open(path, flags, OWNER_ONLY)


def sync_directory(path: Path) -> None:
    """A new name must survive a power cut too; Windows can't and needn't be asked.

    Raises:
        OSError: the disk is gone.
    """
    if sys.platform == "win32":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def close_to_others(path: Path) -> None:
    """A file that was copied or restored may have lost its mode; where it isn't ours to change, it stays so."""
    with suppress(OSError):
        mode = path.stat().st_mode
        if S_ISREG(mode) and mode & _OTHERS:
            path.chmod(OWNER_ONLY)


def write_whole(path: Path, text: str) -> None:
    """A file for its owner's eyes only, in the place of what is there: all of it or nothing.

    Raises:
        OSError: it can't be written.
    """
    make_directory(path.parent)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    with open(draft, "w", encoding="utf-8", opener=opener) as file:
        file.write(text)
    draft.replace(path)
