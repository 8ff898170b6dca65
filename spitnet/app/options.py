"""What a command was asked to do, as values that have been checked.

What belongs here: one class for each command, filled by the command line. What must not: where a value came
from, and the checks themselves. None always means that nobody said anything; whoever runs the command decides.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from spitnet.bot.levels import Level
from spitnet.core.state import Settings
from spitnet.protocol import DISCOVERY_PORT
from spitnet.ui.choices import ENGLISH, QWERTY

SEARCH_TIMEOUT_S: Final = 10.0
"""How long a headless run waits for an opponent."""
LEVEL: Final = Level.NORMAL
"""How a bot plays of which nobody says how."""


class Sync(StrEnum):
    """What a record on disk survives: a power cut too, or a killed process only."""

    ALWAYS = "always"
    PROCESS = "process"


class Verbosity(StrEnum):
    """How much is said on stderr."""

    QUIET = "quiet"
    NORMAL = "normal"
    VERBOSE = "verbose"


class Address(NamedTuple):
    """Where a table is: a host name or an IP address without brackets, and a TCP port, if it was named."""

    host: str
    port: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What every command takes."""

    verbosity: Verbosity = Verbosity.NORMAL


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkOptions(Options):
    """What every command takes that uses the network. `interface` is there when the program starts."""

    interface: str | None = None
    discovery_port: int = DISCOVERY_PORT


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOptions(NetworkOptions):
    """What every command takes that plays.

    `name` is cleaned already and not empty. `level` is `LEVEL` where nobody knows better. `delay_s` (0 to 60) replaces its
    reaction time. `seed` reaches a bot's choices and timing only. `timeout_s` is how long an opponent
    is looked for; None is for ever. `journal` is a directory, there or yet to be made. The rest is about the
    screen: `plain` asks for lines, `keys` names a scheme or is eight keys of one's own, `ranks` says whose letters are
    on the cards or is four of one's own, `no_hints` leaves a first game unexplained.
    """

    name: str | None = None
    headless: bool = False
    port: int | None = None
    journal: Path | None = None
    sync: Sync = Sync.ALWAYS
    level: Level | None = None
    delay_s: float | None = None
    seed: int | None = None
    timeout_s: float | None = None
    plain: bool = False
    ascii: bool = False
    no_color: bool = False
    keys: str = QWERTY
    ranks: str = ENGLISH
    mouse: bool = False
    no_hints: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HostOptions(PlayOptions):
    """`spitnet host`: `port` is the one to listen at."""

    settings: Settings = field(default_factory=Settings)
    code: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinOptions(PlayOptions):
    """`spitnet join`: an address, or a table's name, or neither. `port` is already part of `address`."""

    address: Address | None = None
    table: str | None = None
    code: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumeOptions(PlayOptions):
    """`spitnet resume`: the record of the match, or None for the newest; where the host is, if a joiner knows."""

    file: Path | None = None
    address: Address | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SoloOptions(PlayOptions):
    """`spitnet solo`: `level` is the opponent's; `port` is the table's on this machine."""

    settings: Settings = field(default_factory=Settings)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListOptions(NetworkOptions):
    """`spitnet list`."""

    json: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchOptions(NetworkOptions):
    """`spitnet watch`: an address, or a table's name, or neither.

    `timeout_s` is how long a table is looked for, and one that is away; None is for ever, and a while. `headless`, `plain`,
    `ascii`, `no_color`, `ranks` as in `PlayOptions`.
    """

    address: Address | None = None
    table: str | None = None
    headless: bool = False
    timeout_s: float | None = None
    plain: bool = False
    ascii: bool = False
    no_color: bool = False
    ranks: str = ENGLISH


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyOptions(Options):
    """`spitnet verify`: a file that was there and could be read."""

    file: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayOptions(Options):
    """`spitnet replay`: a file that was there and could be read; `plain`, `ascii`, `no_color`, `ranks` as in
    `PlayOptions`. `game` is the one to begin with.
    """

    file: Path
    game: int = 1
    json: bool = False
    plain: bool = False
    ascii: bool = False
    no_color: bool = False
    ranks: str = ENGLISH


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesOptions(Options):
    """`spitnet rules`: `keys` and `ranks` as in `PlayOptions`."""

    ascii: bool = False
    keys: str = QWERTY
    ranks: str = ENGLISH


@dataclass(frozen=True, slots=True, kw_only=True)
class StatsOptions(Options):
    """`spitnet stats`: `journal` is the directory of the records."""

    journal: Path | None = None
    ascii: bool = False
    json: bool = False


class ShownSetting(NamedTuple):
    """A setting that somebody made: its value as it may be shown, and where it comes from in words."""

    key: str
    shown: str
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorOptions(NetworkOptions):
    """`spitnet doctor`: `port` is the one that a table would listen at.

    `config` is where the config file is or would be, `problems` what is wrong with it, in words.
    """

    port: int | None = None
    journal: Path | None = None
    json: bool = False
    config: Path | None = None
    problems: tuple[str, ...] = ()
    settings: tuple[ShownSetting, ...] = ()


Command: TypeAlias = (
    HostOptions
    | JoinOptions
    | SoloOptions
    | ResumeOptions
    | ListOptions
    | WatchOptions
    | VerifyOptions
    | ReplayOptions
    | RulesOptions
    | StatsOptions
    | DoctorOptions
)
"""The options of whichever command it is."""
