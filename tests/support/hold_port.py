"""A program for namespaces that holds a UDP port for itself until it is ended."""

import json
import socket
import sys


def main() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as held:
        held.bind(("0.0.0.0", int(sys.argv[1])))
        print(json.dumps({"event": "holding"}), flush=True)
        sys.stdin.readline()


if __name__ == "__main__":
    main()
