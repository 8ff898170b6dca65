"""What the doctor found, as values. What must not be here: finding out, judging, words."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from spitnet.app.options import DoctorOptions
from spitnet.net.tables import Table


class FindingKind(StrEnum):
    """What sort of interface it is, judged by its name and flags."""

    LOOPBACK = "loopback"
    LAN = "lan"
    TUNNEL = "tunnel"
    """A VPN, most probably."""
    INNER = "inner"
    """Made by software for containers and virtual machines."""


@dataclass(frozen=True, slots=True)
class InterfaceReport:
    """One IPv4 address of an interface, or an interface without one.

    `broadcast`: where the question was sent; None if it wasn't. `trouble`: why it could not leave, empty if it did.
    `echoed`: whether this machine heard its own question there.
    """

    name: str
    kind: FindingKind
    up: bool
    address: str | None
    broadcast: str | None = None
    trouble: str = ""
    echoed: bool = False


@dataclass(frozen=True, slots=True)
class Network:
    """The network as it is now. `port` and `udp_trouble`: where tables are found, and why nothing is heard there.

    `tcp_trouble`: why a table couldn't be opened. `others_looking`: questions of other programs; `strange`: datagrams
    that aren't spitnet's.
    """

    interfaces: tuple[InterfaceReport, ...]
    port: int
    udp_held: bool
    udp_trouble: str
    tcp_trouble: str
    tables: tuple[Table, ...]
    others_looking: int
    strange: int
    listened_s: float


class Version(NamedTuple):
    """A program or library, and its version."""

    name: str
    version: str


class Place(NamedTuple):
    """A directory or file of spitnet's. `trouble`: why it can't be used, in the system's words; empty if it can."""

    what: str
    path: Path | None
    trouble: str


@dataclass(frozen=True, slots=True)
class Versions:
    """What runs here. `curve`: whether ZeroMQ can encrypt."""

    programs: tuple[Version, ...]
    system: str
    curve: bool


@dataclass(frozen=True, slots=True)
class Screen:
    """The terminal. `colours` is a word; `suits`: whether ♠ and lines can be written; sizes are 0 where there is none."""

    columns: int
    rows: int
    term: str
    encoding: str
    tty: bool
    full_screen: bool
    colours: str
    suits: bool


class Environment(StrEnum):
    """Where a machine isn't one."""

    WSL2 = "wsl2"
    CONTAINER = "container"


@dataclass(frozen=True, slots=True)
class Report:
    """All of it."""

    versions: Versions
    places: tuple[Place, ...]
    screen: Screen
    surroundings: frozenset[Environment]
    network: Network
    options: DoctorOptions
