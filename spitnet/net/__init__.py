"""Sockets: finding tables on the LAN by UDP, and the encrypted link of a match over ZeroMQ.

What belongs here: interfaces, discovery beacons, keys, the two ends of the link. Frames are opaque bytes; nothing here
knows the game, the protocol or the screen. No clock is read: `now_s` (monotonic seconds) comes in as an argument.

Every object fits one poll loop: register its `sockets` for POLLIN (read the property afresh before every poll, a
socket that broke is replaced), wake at `next_deadline_s()`, then call `poll(now_s)` and its draining call. Nothing
blocks.
"""
