"""A program for namespaces that throws garbage at a host: both UDP ports and the TCP port, in rounds, until ended."""

import contextlib
import json
import random
import select
import socket
import sys

from spitnet.net.beacon import MAGIC
from spitnet.protocol import DISCOVERY_PORT

_ROUND_S = 0.05


def main() -> None:
    host, broadcast, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
    chance = random.Random(1)
    number = 0
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        out.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        while not select.select([sys.stdin], [], [], _ROUND_S)[0]:
            number += 1
            for _ in range(20):
                junk = chance.randbytes(chance.randrange(1400))
                for data in (junk, MAGIC + junk[:400]):
                    out.sendto(data, (host, port))
                    out.sendto(data, (host, DISCOVERY_PORT))
                    out.sendto(data, (broadcast, DISCOVERY_PORT))
            with (
                contextlib.suppress(OSError),
                socket.create_connection((host, port), 1.0) as stream,
            ):
                stream.sendall(
                    chance.choice((b"\xff" * 9 + b"\x7f\x03\x01", b"GET /\r\n\r\n", junk))
                )
            print(json.dumps({"event": "noise", "round": number}), flush=True)


if __name__ == "__main__":
    main()
