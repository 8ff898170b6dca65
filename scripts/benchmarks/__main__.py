"""The measuring program: runs the groups that were asked for, one after the other, and prints the table."""

import argparse
import json
import os
import platform
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import environment
import zmq

from benchmarks import beats, discovery, matches, records, screens, starting, tables
from benchmarks.children import Run, Trouble
from benchmarks.figures import FIGURES, NAMES, Samples, bounds, table, values


class Group(NamedTuple):
    """Figures that are measured together, since they compare with each other."""

    measure: Callable[[Run], Samples]
    figures: tuple[str, ...]


BUSY_LOAD: Final = 0.5
"""The load of the last minute above which a machine is not idle."""
MOST_S: Final = 330.0
"""No group is begun later than this; each ends within bounds of its own."""
GROUPS: Final = (
    Group(
        beats.back_to_back,
        (
            *("echo_p50_us", "echo_p99_us", "beat_p50_us", "beat_p99_us"),
            *("beat_over_echo_p50", "beat_over_echo_p99"),
        ),
    ),
    Group(beats.paced, ("beat_paced_p50_us", "beat_paced_over_echo_p50")),
    Group(
        beats.synced,
        (
            *("fdatasync_p50_ms", "fdatasync_p99_ms", "beat_synced_limit_ms"),
            *("beat_synced_p50_ms", "beat_synced_p99_ms"),
        ),
    ),
    Group(
        tables.under_tables,
        (
            *("beat_without_tables_p50_ms", "beat_without_tables_p99_ms"),
            *("beat_under_tables_p50_ms", "beat_under_tables_p99_ms"),
            *("beat_under_tables_5ms_p50_ms", "beat_under_tables_5ms_p99_ms"),
            "table_redraws_per_s",
        ),
    ),
    Group(
        tables.under_large_tables,
        (
            *("beat_under_large_tables_p50_ms", "beat_under_large_tables_p99_ms"),
            *("beat_under_large_tables_5ms_p50_ms", "beat_under_large_tables_5ms_p99_ms"),
            *("beat_under_large_tables_held_p50_ms", "beat_under_large_tables_held_p99_ms"),
        ),
    ),
    Group(
        screens.keys,
        (
            *("bare_key_to_frame_p50_ms", "bare_key_to_frame_p99_ms"),
            *("key_to_frame_p50_ms", "key_to_frame_p99_ms", "key_to_frame_over_bare_p50"),
            *("frame_bytes_p50", "own_card_bytes_p50"),
        ),
    ),
    Group(screens.solo, ("solo_first_frame_ms",)),
    Group(matches.rate, ("echo_per_s", "headless_beats_per_s", "headless_beats_over_echo_rate")),
    Group(matches.joining, ("join_to_connected_ms", "probe_to_connected_ms")),
    Group(discovery.in_namespaces, ("discovery_p50_ms",)),
    Group(discovery.on_loopback, ("discovery_loopback_p50_ms",)),
    Group(records.rules, ("rules_games_per_s", "bot_games_per_s")),
    Group(records.records, ("session_beats_per_s", "verify_beats_per_s")),
    Group(starting.version, ("python_start_ms", "version_ms", "version_over_python")),
    Group(starting.waiting, ("host_idle_cpu_percent", "host_rss_mib", "beacon_bytes_per_s")),
    Group(matches.in_play, ("beacon_in_play_bytes_per_s",)),
)


def main() -> int:
    """Measure, show, write; 1 if a figure could not be measured."""
    asked = _asked()
    if asked.list:
        print("\n".join(f"{figure.name}  {figure.what}" for figure in FIGURES))
        return 0
    machine = _machine()
    print("\n".join(f"{name}: {text}" for name, text in machine.items()), flush=True)
    _warn_if_busy()
    began_s = time.monotonic()
    wanted = [group for group in GROUPS if set(asked.only) & set(group.figures)]
    with tempfile.TemporaryDirectory(prefix="run-", dir=_place()) as directory:
        run = Run(Path(directory), asked.quick, asked.long)
        samples, missing = _measured(run, wanted)
    print(f"\n{table(samples)}\n")
    print("value: median of the repetitions, whose number is in brackets; !: misses its bound")
    for text in missing:
        print(text)
    print(f"measured in {time.monotonic() - began_s:.0f} s")
    if asked.json:
        _write(asked.json, machine, samples)
    return 1 if any("left out" not in text for text in missing) else 0


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/bench", add_help=False, allow_abbrev=False)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--only", nargs="+", default=NAMES, choices=NAMES, metavar="NAME")
    parser.add_argument("--json", type=Path, metavar="FILE")
    return parser.parse_args()


def _measured(run: Run, wanted: list[Group]) -> tuple[Samples, list[str]]:
    """All samples, and a line for each group that gave none."""
    samples: Samples = {}
    missing: list[str] = []
    until_s = time.monotonic() + MOST_S
    for number, group in enumerate(wanted, start=1):
        print(f"[{number}/{len(wanted)}] {', '.join(group.figures)}", file=sys.stderr, flush=True)
        try:
            if time.monotonic() > until_s:
                raise Trouble("not measured: the run had taken too long by then")
            samples |= group.measure(run)
        except Trouble as trouble:
            missing.append(f"{', '.join(group.figures)}: {trouble}")
    return samples, missing


def _place() -> Path:
    """On the checkout's disk, since a temporary directory may be in memory, which syncs in no time."""
    place = environment.ROOT / ".environments" / "bench"
    place.mkdir(parents=True, exist_ok=True)
    return place


def _machine() -> dict[str, str]:
    """What the figures depend on, named once."""
    load = "".join(f" {one:.2f}" for one in os.getloadavg()) if hasattr(os, "getloadavg") else ""
    return {
        "processor": f"{_processor()}, {os.cpu_count()} cores; load{load}",
        "system": f"{platform.system()} {platform.release()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "libzmq": f"{zmq.zmq_version()}, pyzmq {zmq.__version__}",
    }


def _warn_if_busy() -> None:
    """Others that want the processor stretch every figure, and those with two processes the most."""
    if hasattr(os, "getloadavg") and os.getloadavg()[0] > BUSY_LOAD:
        print("this machine has other work: the figures are worse than it could do", flush=True)


def _processor() -> str:
    """The processor's model, where the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.machine()


def _write(file: Path, machine: dict[str, str], samples: Samples) -> None:
    """The figures by name, their bounds, every repetition, and the machine."""
    whole = {
        "machine": machine,
        "figures": values(samples),
        "bounds": bounds(samples),
        "repetitions": samples,
    }
    file.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    # An ending from outside must end the children as well.
    signal.signal(signal.SIGTERM, lambda *_arguments: sys.exit(143))
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
