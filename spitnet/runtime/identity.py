"""This installation's CURVE key pair: made once, kept in a file that its owner alone can read.

Opponents are told apart by key, not by name, and an interrupted match can only be taken up with the key it
was begun with.
"""

import os
from contextlib import suppress
from pathlib import Path

from platformdirs import user_data_path

from spitnet.net.link import KeyPair, new_keypair

OWNER_ONLY = 0o600
KEY_BYTES = 32


def data_directory() -> Path:
    """Where keys and, unless told otherwise, journals live."""
    return user_data_path("spitnet", appauthor=False)


def load_or_make(path: Path | None = None) -> KeyPair:
    """The key pair of this installation; a new one that lasts as long as the process where none can be kept.

    A file that holds no key pair is left alone and not used.
    """
    path = path or data_directory() / "key"
    return _load(path) or _make(path)


def _load(path: Path) -> KeyPair | None:
    """What is kept there; None if that is no key pair, or can't be read."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    return KeyPair(data[:KEY_BYTES], data[KEY_BYTES:]) if len(data) == 2 * KEY_BYTES else None


def _make(path: Path) -> KeyPair:
    """A new pair, kept if it can be; two processes that start at once agree on the one that was first."""
    keys = new_keypair()
    draft = path.with_name(f"{path.name}.{keys.public.hex()[:8]}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
        with os.fdopen(descriptor, "wb") as file:
            file.write(keys.public + keys.secret)
        os.link(draft, path)
    except FileExistsError:
        return _load(path) or keys
    except OSError:
        return keys
    finally:
        with suppress(OSError):
            draft.unlink()
    return keys


def made_up_name(keys: KeyPair) -> str:
    """A name for a run that was given none: never the login name, and the same at every start with this key."""
    return f"spit-{keys.public[:2].hex()}"
