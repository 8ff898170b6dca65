"""The same as `discovery` by two libraries that do it too, each used as its own documentation shows.

pyre (ZRE, by UDP broadcasts and TCP): from starting a node to the ENTER of the one that was there. zeroconf (mDNS): from
starting a browser to the address and port of the service that was there; the standard has it wait for 20 to 120 ms
before its first question. Making the node, the sockets and their threads is left out with both, as with spitnet.

    python -m benchmarks.rivals pyre|zeroconf announce ADDRESS          until it is ended
    python -m benchmarks.rivals pyre|zeroconf find ADDRESS COUNT        prints the times in seconds as JSON
"""

import json
import socket
import sys
import time
from importlib import import_module
from queue import SimpleQueue
from typing import Any, Final

from benchmarks.discovery import GAP_S, MATCH_PORT, SEARCH_S

KIND: Final = "_spitbench._tcp.local."
NAME: Final = f"bench.{KIND}"


def pyre_announce(_address: str) -> None:
    """A node, until the process is ended."""
    node = import_module("pyre").Pyre("bench")
    node.start()
    _open()
    while True:
        node.recv()


def pyre_find_s(_address: str) -> float:
    """A node of its own that hears of the other."""
    node = import_module("pyre").Pyre("seeker")
    try:
        began_s = time.monotonic()
        node.start()
        while time.monotonic() < began_s + SEARCH_S:
            if node.socket().poll(1000) and node.recv()[0] == b"ENTER":
                return time.monotonic() - began_s
    finally:
        node.stop()
    raise SystemExit("no node found")


def zeroconf_announce(address: str) -> None:
    """A service, until the process is ended."""
    library = import_module("zeroconf")
    service = library.ServiceInfo(
        KIND, NAME, port=MATCH_PORT, addresses=[socket.inet_aton(address)], server="bench.local."
    )
    registry = library.Zeroconf(interfaces=[address])
    registry.register_service(service)
    _open()
    while True:
        time.sleep(60)


def zeroconf_find_s(address: str) -> float:
    """A browser of its own that learns where the service is."""
    library = import_module("zeroconf")
    registry = library.Zeroconf(interfaces=[address])
    heard: SimpleQueue[str] = SimpleQueue()

    def changed(zeroconf: Any, service_type: str, name: str, state_change: Any) -> None:  # noqa: ARG001
        heard.put(name)

    try:
        began_s = time.monotonic()
        library.ServiceBrowser(registry, KIND, handlers=[changed])
        name = heard.get(timeout=SEARCH_S)
        service = registry.get_service_info(KIND, name, timeout=SEARCH_S * 1000)
        took_s = time.monotonic() - began_s
        if service is None or service.port != MATCH_PORT:
            raise SystemExit("the service that was found is another one")
        return took_s
    finally:
        registry.close()


def _open() -> None:
    print("open", flush=True)


def _find(name: str, address: str, count: int) -> list[float]:
    seek = {"pyre": pyre_find_s, "zeroconf": zeroconf_find_s}[name]
    found = []
    for _ in range(count):
        time.sleep(GAP_S)
        found.append(seek(address))
    return found


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["pyre", "announce", address]:
            pyre_announce(address)
        case ["zeroconf", "announce", address]:
            zeroconf_announce(address)
        case [name, "find", address, count]:
            print(json.dumps(_find(name, address, int(count))))
