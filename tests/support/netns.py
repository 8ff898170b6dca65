"""Networks for tests: namespaces joined by bridges, with nothing in the machine's own network but their names.

A `Lan` makes a switch namespace that holds a bridge for each segment, and machines whose interfaces are plugged into
segments. Leaving it ends the children and deletes every namespace, after a failure too.
"""

import itertools
import json
import os
import selectors
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

_TESTS = Path(__file__).resolve().parents[1]
_numbers = itertools.count()


class Child:
    """A Python program in a namespace, which prints JSON objects, one a line."""

    def __init__(self, command: list[str]) -> None:
        environment = os.environ | {"PYTHONPATH": str(_TESTS)}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        )
        self.lines: list[dict[str, Any]] = []
        self._rest = b""

    def wait_for(self, within_s: float = 20.0, **fields: object) -> dict[str, Any]:
        """Read on until a line has all these fields; earlier lines don't count."""
        end_s = time.monotonic() + within_s
        while True:
            for line in self._read(end_s):
                self.lines.append(line)
                if all(line.get(name) == value for name, value in fields.items()):
                    return line

    def tell(self, word: str) -> None:
        """Write a line to its standard input."""
        assert self.process.stdin is not None
        self.process.stdin.write(word.encode() + b"\n")
        self.process.stdin.flush()

    def end(self) -> None:
        """End it, by force."""
        self.process.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()
        self.process.wait()

    def _read(self, end_s: float) -> list[dict[str, Any]]:
        """Give at least one further line, one at a time; what follows waits."""
        assert self.process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while b"\n" not in self._rest:
                if not selector.select(max(0.0, end_s - time.monotonic())):
                    raise AssertionError(f"nothing more in time after {self.lines[-8:]}")
                more = os.read(self.process.stdout.fileno(), 65536)
                if not more:
                    raise AssertionError(f"it ended: {self.process.wait()}, {self.lines[-8:]}")
                self._rest += more
        line, self._rest = self._rest.split(b"\n", 1)
        return [json.loads(line)]


class Lan:
    """Machines on segments. A machine is a namespace; its loopback is up."""

    def __init__(self, *machines: str) -> None:
        self._prefix = f"spit{os.getpid()}x{next(_numbers)}"
        self._machines = machines
        self._segments: list[str] = []
        self._made: list[str] = []
        self._children: list[Child] = []

    def __enter__(self) -> Self:
        try:
            for machine in ("switch", *self._machines):
                ip("netns", "add", self._name(machine))
                self._made.append(machine)
                self.ip(machine, "link", "set", "lo", "up")
        except BaseException:
            self._undo()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._undo()

    def ip(self, machine: str, *words: str) -> None:
        """Run `ip` in a machine."""
        ip("-n", self._name(machine), *words)

    def plug(
        self,
        machine: str,
        interface: str,
        address: str,
        segment: str = "lan",
        *,
        broadcast: bool = True,
    ) -> None:
        """Give a machine an interface on a segment; the address as 10.0.0.1/24, with or without that of all neighbours."""
        if segment not in self._segments:
            self._segments.append(segment)
            self.ip("switch", "link", "add", segment, "type", "bridge")
            self.ip("switch", "link", "set", segment, "up")
        port = f"p{next(_numbers)}"
        peer = ("peer", "name", interface, "netns", self._name(machine))
        self.ip("switch", "link", "add", port, "type", "veth", *peer)
        self.ip("switch", "link", "set", port, "master", segment, "up")
        neighbours = ("broadcast", "+") if broadcast else ()
        self.ip(machine, "addr", "add", address, *neighbours, "dev", interface)
        self.ip(machine, "link", "set", interface, "up")

    def forward(self, machine: str) -> None:
        """Make a machine a router: it passes datagrams on, but no broadcasts."""
        command = ["sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward"]
        subprocess.run(["ip", "netns", "exec", self._name(machine), *command], check=True)

    def python(self, machine: str, script: str, *arguments: str) -> Child:
        """Start a Python program of tests/support in a machine."""
        path = str(Path(__file__).with_name(script))
        child = Child([*self.inside(machine), sys.executable, path, *arguments])
        self._children.append(child)
        return child

    def inside(self, machine: str) -> list[str]:
        """The words that run what follows them in a machine."""
        return ["ip", "netns", "exec", self._name(machine)]

    def _name(self, machine: str) -> str:
        return f"{self._prefix}-{machine}"

    def _undo(self) -> None:
        for child in self._children:
            child.end()
        for machine in self._made:
            subprocess.run(["ip", "netns", "delete", self._name(machine)], check=False)


def ip(*words: str) -> None:
    """Run `ip`, which must succeed."""
    subprocess.run(["ip", *words], check=True, capture_output=True)
