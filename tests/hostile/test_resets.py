"""Whoever is let in may break off at any moment, whatever lies unread: no process of ours ends over it."""

from pathlib import Path

from support.hostile_ends import HERE, Context, key_at, new_keys
from support.hostile_matches import free_port
from support.pairs import Peer, assert_played, peers
from support.pinger import pings_and_breaks

TIMES = 3
STEADILY = ("--delay", "0.02")


def test_strangers_who_ping_and_break_off(context: Context, tmp_path: Path) -> None:
    """C9: at the table before the match, and where others look on during it."""
    here = ("--headless", "--interface", "lo", "--discovery-port", str(free_port()))
    host = Peer(tmp_path / "ana", ("host", *here, *STEADILY, "--watchable"))
    with peers(host):
        hosting = host.wait_for("hosting")
        key = key_at(hosting["port"])
        for _ in range(TIMES):
            pings_and_breaks(context, new_keys(), hosting["port"], key)
        joiner = Peer(tmp_path / "bram", ("join", *here, *STEADILY))
        with peers(joiner):
            host.wait_for("play")
            for _ in range(TIMES):
                pings_and_breaks(context, new_keys(), hosting["watch_port"], key)
            place = f"{HERE}:{hosting['port']}"
            watcher = Peer(tmp_path / "carl", ("watch", *here, place), plays=False)
            with peers(watcher):
                watcher.wait_for("play")
                assert_played(host, joiner)
                assert watcher.finish() == (0, "")
