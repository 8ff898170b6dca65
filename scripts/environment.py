"""The scripts' own Python environments, each made from nothing but this checkout and a Python.

What belongs here: making an environment, keeping it while pyproject.toml stays as it is, and putting the built
wheel into it. What must not: what a script does there. Standard library only: nothing else is there yet.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
_HOME = ROOT / ".environments"
_OFFLINE = (
    "Failed to establish a new connection",
    "NewConnectionError",
    "Temporary failure in name resolution",
    "getaddrinfo failed",
    "ConnectTimeoutError",
    "Network is unreachable",
)
"""What pip says when the network is not there."""


class Trouble(Exception):
    """The environment can't be made; the text is for the user."""


class Environment(NamedTuple):
    """A virtual environment in the checkout."""

    directory: Path

    @property
    def python(self) -> Path:
        """The environment's interpreter."""
        return self.program("python")

    def program(self, name: str) -> Path:
        """A program that is installed in the environment."""
        if sys.platform == "win32":
            return self.directory / "Scripts" / f"{name}.exe"
        return self.directory / "bin" / name

    def run(self, name: str, *arguments: str, **more: str) -> int:
        """Run an installed program in the checkout, its output shown; the exit code. `more` are environment variables."""
        command = [str(self.program(name)), *arguments]
        return subprocess.run(command, cwd=ROOT, env={**variables(), **more}).returncode


def variables() -> "dict[str, str]":
    """The environment variables for a run that sees the installed wheel and nobody's habits.

    The safe path keeps the checkout, which is the working directory, from being imported.
    """
    foreign = ("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "VIRTUAL_ENV")
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in foreign and not name.startswith("SPITNET_")
    }
    return {**kept, "PYTHONSAFEPATH": "1"}


def prepared(name: str, *groups: str) -> Environment:
    """The environment of that name with the program's dependencies and these dependency groups.

    Raises:
        Trouble: it can't be made.
    """
    environment = Environment(_HOME / name)
    stamp = _stamp(groups)
    if not _usable(environment, stamp):
        _say("making an environment in {} ...".format(environment.directory.relative_to(ROOT)))
        shutil.rmtree(environment.directory, ignore_errors=True)
        _make(environment, requirements(_project(), groups))
        _stamp_file(environment).write_text(stamp)
    return environment


def with_wheel(environment: Environment) -> Environment:
    """Build the wheel of this checkout and install it, unless that very wheel is there.

    Raises:
        Trouble: it can't be built, or another spitnet would be imported.
    """
    stamp = _sources()
    noted = environment.directory / "wheel.stamp"
    if not noted.is_file() or noted.read_text() != stamp:
        _say("building the wheel ...")
        _install_wheel(environment)
        noted.write_text(stamp)
    _prove(environment)
    return environment


def requirements(project: "dict[str, Any]", groups: "tuple[str, ...]") -> "list[str]":
    """What to install: the build's own needs, the program's, the groups' with what they include."""
    needed = [*project["build-system"]["requires"], *project["project"]["dependencies"]]
    pending = list(groups)
    while pending:
        for entry in project["dependency-groups"][pending.pop()]:
            if isinstance(entry, str):
                needed.append(entry)
            else:
                pending.append(entry["include-group"])
    return needed


def package_directory(environment: Environment) -> Path:
    """Where the environment imports spitnet from."""
    question = "import spitnet; print(spitnet.__path__[0])"
    answer = subprocess.run(
        [environment.python, "-c", question],
        cwd=ROOT,
        env=variables(),
        capture_output=True,
        text=True,
    )
    if answer.returncode:
        raise Trouble("the installed wheel can't be imported:\n" + answer.stderr)
    return Path(answer.stdout.strip())


def _project() -> "dict[str, Any]":
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def _stamp(groups: "tuple[str, ...]") -> str:
    """Changes with all that an environment depends on."""
    parts = (sys.version, sys.executable, str(ROOT), *groups)
    digest = hashlib.sha256((ROOT / "pyproject.toml").read_bytes())
    digest.update("\0".join(parts).encode())
    return digest.hexdigest()


def _sources() -> str:
    """Changes with everything that gets into the wheel."""
    digest = hashlib.sha256()
    files = [ROOT / "pyproject.toml", ROOT / "README.md", *sorted((ROOT / "spitnet").rglob("*"))]
    for file in files:
        if file.is_file() and "__pycache__" not in file.parts:
            digest.update(str(file.relative_to(ROOT)).encode() + b"\0")
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _stamp_file(environment: Environment) -> Path:
    return environment.directory / "environment.stamp"


def _usable(environment: Environment, stamp: str) -> bool:
    """Whether the environment was finished, for this very project, and its interpreter still runs."""
    file = _stamp_file(environment)
    if not file.is_file() or file.read_text() != stamp or not environment.python.exists():
        return False
    return subprocess.run([environment.python, "-c", ""], capture_output=True).returncode == 0


def _make(environment: Environment, needed: "list[str]") -> None:
    made = _quietly([sys.executable, "-m", "venv", environment.directory])
    if made.returncode:
        raise Trouble(
            made.stdout
            + "Python can't make virtual environments here (on Debian and Ubuntu: "
            + "apt install python3-venv)"
        )
    _pip(environment, "install", *needed)


def _install_wheel(environment: Environment) -> None:
    wheels = environment.directory / "wheel"
    shutil.rmtree(wheels, ignore_errors=True)
    _pip(environment, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", wheels, ROOT)
    (wheel,) = wheels.glob("spitnet-*.whl")
    _pip(environment, "install", "--no-deps", "--force-reinstall", wheel)


def _prove(environment: Environment) -> None:
    """The wheel must be what is imported, not the checkout."""
    found = package_directory(environment)
    if "site-packages" not in found.parts or environment.directory not in found.parents:
        raise Trouble("spitnet would be imported from {}, not from the wheel".format(found))


def _pip(environment: Environment, command: str, *arguments: "str | Path") -> None:
    quiet = ("--quiet", "--disable-pip-version-check", "--no-input", "--retries", "2")
    done = _quietly([environment.python, "-m", "pip", command, *quiet, *arguments])
    if done.returncode == 0:
        return
    if any(sign in done.stdout for sign in _OFFLINE):
        raise Trouble(done.stdout + "pip can't reach the package index: is this machine offline?")
    raise Trouble(done.stdout + "pip failed; what it said stands above")


def _quietly(command: "list[str | Path]") -> "subprocess.CompletedProcess[str]":
    """Run a command with its output kept, to be shown if it fails."""
    return subprocess.run(
        command,
        cwd=ROOT,
        env=variables(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
