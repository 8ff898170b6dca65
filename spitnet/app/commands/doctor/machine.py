"""What runs here, where its files are, what the terminal can do. What must not be here: the network."""

import os
import shutil
import sys
import sysconfig
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

import zmq

from spitnet import __version__
from spitnet.app import identity, log
from spitnet.app.commands.doctor.report import Environment, Place, Screen, Version, Versions
from spitnet.exits import Failure
from spitnet.protocol import VERSION
from spitnet.ui.terminal.capabilities import terminal

_LIBRARIES: Final = (
    "prompt_toolkit",
    "psutil",
    "msgpack",
    "msgspec",
    "platformdirs",
    "spake2",
    "shtab",
)
_KEY_MODES: Final = 0o077


def versions() -> Versions:
    """The program, the protocol, Python and the libraries."""
    found = [
        Version("spitnet", __version__),
        Version("protocol", str(VERSION)),
        Version("Python", sys.version.partition(" ")[0]),
        Version("pyzmq", zmq.__version__),
        Version("libzmq", zmq.zmq_version()),
        *(Version(name, _version(name)) for name in _LIBRARIES),
    ]
    return Versions(tuple(found), _system(), bool(zmq.has("curve")))


def _system() -> str:
    """Its name, release and processor. The library's `platform` asks WMI on Windows, which can take seconds or hang."""
    if sys.platform == "win32":
        release = ".".join(map(str, sys.getwindowsversion().platform_version))
        return f"Windows {release} {sysconfig.get_platform()}"
    found = os.uname()
    return f"{found.sysname} {found.release} {found.machine}"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "?"


def places(records: Path | None) -> tuple[Place, ...]:
    """The directories that are written to, and the key: that it is there, and nobody else's to read."""
    return (
        _place("records", lambda: records or identity.data_directory() / "journals", _unwritable),
        _place("log", lambda: log.file().parent, _unwritable),
        _place("key", lambda: identity.data_directory() / "key", _bad_key),
    )


def _place(what: str, find: Callable[[], Path], judge: Callable[[Path], str]) -> Place:
    try:
        path = find()
    except Failure as failure:
        return Place(what, None, failure.message)
    try:
        return Place(what, path, judge(path))
    except OSError as error:
        return Place(what, path, error.strerror or str(error))


def _unwritable(path: Path) -> str:
    """Tried out: rights, read-only file systems and full disks are one question then."""
    nearest = next(one for one in (path, *path.parents) if one.exists())
    trial = nearest / f".spitnet-{os.getpid()}"
    with trial.open("xb") as file:
        try:
            file.write(b"?")
        finally:
            trial.unlink()
    return ""


def _bad_key(path: Path) -> str:
    """Only its size and its mode are looked at."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return ""
    if found.st_size != 2 * identity.KEY_BYTES:
        return "not a key"
    return "open to others" if os.name == "posix" and found.st_mode & _KEY_MODES else ""


def screen() -> Screen:
    """The terminal as the table would find it."""
    tty = bool(sys.stdin and sys.stdin.isatty() and sys.stdout and sys.stdout.isatty())
    encoding = getattr(sys.stdout, "encoding", None) or ""
    found = terminal(os.environ, tty=tty, encoding=encoding)
    size = shutil.get_terminal_size((0, 0))
    return Screen(
        size.columns,
        size.lines,
        os.environ.get("TERM", ""),
        encoding,
        tty,
        found.full_screen,
        found.colours.name.lower(),
        found.suits,
    )


def surroundings() -> frozenset[Environment]:
    """Whether there is another machine around this one that keeps broadcasts away."""
    found = set()
    if sys.platform != "win32" and "microsoft" in os.uname().release.lower():
        found.add(Environment.WSL2)
    if any(Path(sign).exists() for sign in ("/.dockerenv", "/run/.containerenv")):
        found.add(Environment.CONTAINER)
    return frozenset(found)
