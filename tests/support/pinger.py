"""Who breaks its connection just after more frames than anybody reads at once, with a ping of ZMTP's behind them.

libzmq 4.3.5 aborts over that where it has stopped reading for want of room. Nothing of spitnet's code is used.
"""

import select
import socket
import struct
import time
from contextlib import closing

import zmq
from support.hostile_ends import HERE, PATIENCE_S, Context, Keys
from zmq.utils import z85

_FRAMES = 100
_FRAME_BYTES = 36
"""What a frame of one byte is on the wire."""
_PING_BYTES = 40
"""What a ping is there, at the least."""
_BEATS_MS = 20
_GREETED = (500, 250)
"""So many bytes and more go either way until somebody is let in."""
_RESET = struct.pack("ii", 1, 0)


def pings_and_breaks(context: Context, keys: Keys, port: int, table_key: bytes) -> None:
    """Gets in, keeps back all that it says, then says it in one go and resets the connection."""
    with (
        socket.create_server((HERE, 0)) as between,
        closing(context.socket(zmq.DEALER)) as dealer,
        socket.create_connection((HERE, port)) as far,
    ):
        dealer.linger = 0
        dealer.curve_publickey, dealer.curve_secretkey = keys.public, keys.secret
        dealer.curve_serverkey = z85.encode(table_key)
        dealer.heartbeat_ivl = _BEATS_MS
        dealer.heartbeat_timeout = round(PATIENCE_S * 1000)
        dealer.reconnect_ivl = -1
        dealer.connect(f"tcp://{HERE}:{between.getsockname()[1]}")
        near, _ = between.accept()
        with near:
            _introduce(near, far)
            for _ in range(_FRAMES):
                dealer.send(b"\xff")
            far.sendall(_gathered(near, _FRAMES * _FRAME_BYTES + _PING_BYTES))
            far.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)


def _introduce(near: socket.socket, far: socket.socket) -> None:
    """Passes on what both say until the near side is let in."""
    said = {near: 0, far: 0}
    end_s = time.monotonic() + PATIENCE_S
    while said[near] <= _GREETED[0] or said[far] <= _GREETED[1]:
        assert time.monotonic() < end_s, said
        for one in select.select([near, far], [], [], 0.1)[0]:
            data = one.recv(65536)
            assert data, "not let in"
            said[one] += len(data)
            (far if one is near else near).sendall(data)


def _gathered(near: socket.socket, least: int) -> bytes:
    """What it says, once it is so many bytes."""
    near.settimeout(PATIENCE_S)
    held = b""
    while len(held) < least:
        held += near.recv(65536)
    return held
