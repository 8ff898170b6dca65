"""This installation's CURVE key pair: made once, kept in a file that its owner alone can read.

Opponents are told apart by key, not by name, and an interrupted match can only be taken up with the key it
was begun with. So a file that is there is never replaced, whatever it holds.
"""

import logging
import os
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG

from platformdirs import user_data_path

from spitnet.exits import UsageFailure
from spitnet.language import gettext as _
from spitnet.net.errors import NetError
from spitnet.net.link import KeyPair, new_keypair, public_of, require_curve
from spitnet.private import close_to_others, make_directory, opener, place, sync_directory

KEY_BYTES = 32
_log = logging.getLogger(__name__)


def data_directory() -> Path:
    """Where keys and, unless told otherwise, journals live.

    Raises:
        UsageFailure: this user has no home.
    """
    return place(user_data_path)


def load_or_make(path: Path | None = None, unkept: int = logging.WARNING) -> KeyPair:
    """The key pair of this installation; a new one that lasts as long as the process where none can be kept.

    `unkept` is the level at which that is logged. Raises: as `load`.
    """
    return load(path) or _make(path or _place(), unkept)


def load(path: Path | None = None) -> KeyPair | None:
    """The key pair of this installation; None where it has never played.

    Raises:
        UsageFailure: what is there is no key pair, or this machine's ZeroMQ knows no encryption.
        OSError: what is there can't be read.
    """
    return _load(path or _place())


def _place() -> Path:
    return data_directory() / "key"


def _require_encryption() -> None:
    """Raises UsageFailure: this machine's ZeroMQ has none."""
    try:
        require_curve()
    except NetError as error:
        raise UsageFailure(str(error)) from None


def _load(path: Path) -> KeyPair | None:
    """What is kept there; None if nothing is."""
    try:
        data = path.read_bytes() if S_ISREG(path.stat().st_mode) else b""
    except (FileNotFoundError, NotADirectoryError):
        return None
    _require_encryption()
    public, secret = data[:KEY_BYTES], data[KEY_BYTES:]
    if len(secret) != KEY_BYTES or public_of(secret) != public:
        raise _damaged(path)
    close_to_others(path)
    return KeyPair(public, secret)


def _damaged(path: Path) -> UsageFailure:
    text = _(
        "{file}: this is not a spitnet key. Restore your copy of it; or move it away to start "
        "with a new key, with which interrupted matches can’t be resumed"
    )
    return UsageFailure(text.format(file=path))


def _make(path: Path, unkept: int) -> KeyPair:
    """A new pair, kept if it can be; two processes that start at once agree on the one that was first."""
    _require_encryption()
    keys = new_keypair()
    draft = path.with_name(f"{path.name}.{keys.public.hex()[:8]}")
    try:
        make_directory(path.parent)
        with open(draft, "xb", opener=opener) as file:
            file.write(keys.public + keys.secret)
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, path)
        sync_directory(path.parent)
    except FileExistsError:
        return _load(path) or keys
    except OSError as problem:
        text = "%s: %s; a match of this run can't be resumed later"
        _log.log(unkept, text, path, problem.strerror)
    finally:
        with suppress(OSError):
            draft.unlink()
    return keys


def made_up_name(keys: KeyPair) -> str:
    """A name for a run that was given none: never the login name, and the same at every start with this key."""
    return f"spit-{keys.public[:2].hex()}"
