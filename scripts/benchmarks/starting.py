"""What the program costs while it does nothing: its start, and a host that waits for somebody.

`--version` and a bare Python are started in turn, by their wall time. A host is watched from its second second on,
its burst of announcements past; a listener on the discovery port counts what it sends meanwhile.
"""

import subprocess
import sys
import time
from statistics import median
from subprocess import PIPE

import psutil

from benchmarks.children import (
    LOOPBACK,
    Run,
    Trouble,
    child,
    cpu_s,
    eavesdropper,
    free_port,
    line_of,
    program,
)
from benchmarks.figures import Samples
from benchmarks.matches import received_bytes

SETTLE_S = 1.5
WATCHED_S, WATCHED_QUICK_S = 60, 4


def version(run: Run) -> Samples:
    """Wall times, in milliseconds; the ratio is of the two medians of each group of starts."""
    found: Samples = {"python_start_ms": [], "version_ms": [], "version_over_python": []}
    for _ in range(run.times(5, 2)):
        bare, ours = [], []
        for _ in range(run.times(9, 5)):
            bare.append(_started_ms(sys.executable, "-c", "pass"))
            ours.append(_started_ms(program(), "--version"))
        found["python_start_ms"].append(median(bare))
        found["version_ms"].append(median(ours))
        found["version_over_python"].append(median(ours) / median(bare))
    return found


def waiting(run: Run) -> Samples:
    """One headless host that nobody joins: its share of one core, its memory, its announcements.

    Beside it a process that only wakes as often: what waking alone costs on this machine, which may be much on a virtual one.
    """
    watched_s = run.times(WATCHED_S, WATCHED_QUICK_S)
    home, port = run.home("host"), free_port()
    command = (
        *(program(), "host", "--headless", "--interface", LOOPBACK),
        *("--discovery-port", str(port), "--timeout", str(watched_s + 60)),
    )
    wakes = f"import time\nfor _ in range({watched_s + 60}): time.sleep(1)"
    with (
        child(command, home, PIPE) as host,
        child((sys.executable, "-c", wakes), home) as sleeper,
    ):
        line_of(host, "hosting", home)
        time.sleep(SETTLE_S)
        with eavesdropper(port) as listener:
            began_s, before_s = time.monotonic(), [cpu_s(one.pid) for one in (host, sleeper)]
            time.sleep(watched_s)
            took_s, after_s = (
                time.monotonic() - began_s,
                [cpu_s(one.pid) for one in (host, sleeper)],
            )
            heard = received_bytes(listener)
        resident = psutil.Process(host.pid).memory_info().rss
    host_s, sleeper_s = (after - before for before, after in zip(before_s, after_s, strict=True))
    return {
        "host_idle_cpu_percent": [100 * host_s / took_s],
        "sleeper_idle_cpu_percent": [100 * sleeper_s / took_s],
        "host_rss_mib": [resident / 2**20],
        "beacon_bytes_per_s": [heard / took_s],
    }


def _started_ms(*command: str) -> float:
    began_s = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    took_s = time.perf_counter() - began_s
    if done.returncode:
        raise Trouble(f"{command[0]} ended with exit code {done.returncode}")
    return 1e3 * took_s
