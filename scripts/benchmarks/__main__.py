"""The measuring program: runs the groups that were asked for, one after the other, and prints the table."""

import argparse
import json
import os
import signal
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import environment
import zmq

from benchmarks import (
    beats,
    crowd,
    discovery,
    growth,
    matches,
    plots,
    records,
    screens,
    sizes,
    starting,
    tables,
)
from benchmarks.children import Run, Trouble
from benchmarks.figures import FIGURES, NAMES, Samples, bounds, kept, table, values
from spitnet.ui.terminal.lost_stream import drop


class Group(NamedTuple):
    """Figures that are measured together, since they compare with each other."""

    measure: Callable[[Run], Samples]
    figures: tuple[str, ...]


def _beside_echo(way: str) -> tuple[str, ...]:
    """The names of the figures of one way in which beats follow one another."""
    sides = ("echo_{}_{}_us", "beat_{}_{}_us", "beat_{}_over_echo_{}")
    return tuple(side.format(way, share) for side in sides for share in ("p50", "p99"))


BUSY_LOAD: Final = 0.5
"""The load of the last minute above which a machine is not idle."""
MOST_S: Final = 600.0
"""No group is begun later than this; each ends within bounds of its own."""
GROUPS: Final = (
    Group(
        beats.alone,
        (
            *("echo_p50_us", "echo_p99_us", "beat_p50_us", "beat_p99_us"),
            *("beat_over_echo_p50", "beat_over_echo_p99", "beat_alone_percent"),
            *("beat_told_p50_us", "beat_told_over_echo_p50"),
        ),
    ),
    Group(beats.back_to_back, _beside_echo("back_to_back")),
    Group(beats.paced, _beside_echo("paced")),
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
    Group(
        matches.rate,
        (
            *("echo_per_s", "crossing_over_echo_rate", "headless_beats_per_s"),
            "headless_beats_over_echo_rate",
        ),
    ),
    Group(matches.joining, ("join_to_connected_ms", "probe_to_connected_ms")),
    Group(
        discovery.in_namespaces,
        ("discovery_p50_ms", "discovery_pyre_p50_ms", "discovery_zeroconf_p50_ms"),
    ),
    Group(discovery.on_loopback, ("discovery_loopback_p50_ms",)),
    Group(
        records.rules,
        ("rules_games_per_s", "rules_moves_per_s", "chess_moves_per_s", "bot_games_per_s"),
    ),
    Group(records.records, ("session_beats_per_s", "verify_beats_per_s")),
    Group(starting.version, ("python_start_ms", "version_ms", "version_over_python")),
    Group(
        starting.waiting,
        ("host_idle_cpu_percent", "sleeper_idle_cpu_percent", "host_rss_mib", "beacon_bytes_per_s"),
    ),
    Group(matches.in_play, ("beacon_in_play_bytes_per_s",)),
    Group(
        crowd.five_hundred,
        ("tables_500", "tables_500_cpu_percent", "tables_500_rss_mib"),
    ),
    Group(
        growth.flat,
        (
            *("beat_early_us", "beat_late_us", "memory_early_mib", "memory_late_mib"),
            *("growth_time", "growth_memory", "growth"),
        ),
    ),
    Group(sizes.redraws, ("redraw_80x24_ms", "redraw_300x100_ms")),
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
        run = Run(Path(directory), asked.quick)
        samples, failed = _measured(run, wanted)
    print(f"\n{table(samples, run.left_out)}\n")
    print("value: median of the repetitions, whose number is in brackets; -: why there is none")
    print("".join(f"\n{plots.text(curve)}\n" for curve in run.curves))
    if asked.quick:
        print("a quick run: fewer repetitions, shorter matches; not for a note")
    print(f"measured in {time.monotonic() - began_s:.0f} s")
    if asked.json:
        _write(asked.json, machine, samples, run)
    return 1 if failed else 0


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/bench", add_help=False, allow_abbrev=False)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--only", nargs="+", default=NAMES, choices=NAMES, metavar="NAME")
    parser.add_argument("--json", type=Path, metavar="FILE")
    return parser.parse_args()


def _measured(run: Run, wanted: list[Group]) -> tuple[Samples, bool]:
    """All samples, and whether a group failed; what there is no sample of is noted as left out, with the reason."""
    samples: Samples = {}
    failed = False
    until_s = time.monotonic() + MOST_S
    for number, group in enumerate(wanted, start=1):
        print(f"[{number}/{len(wanted)}] {', '.join(group.figures)}", file=sys.stderr, flush=True)
        try:
            began_s = time.monotonic()
            if began_s > until_s:
                raise Trouble("not measured: the run had taken too long by then")
            samples |= group.measure(run)
            print(f"    {time.monotonic() - began_s:.1f} s", file=sys.stderr, flush=True)
        except Trouble as trouble:
            run.left_out.update(dict.fromkeys(group.figures, str(trouble)))
            failed = failed or not str(trouble).startswith("left out")
    return samples, failed


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
        "system": f"{os.uname().sysname} {os.uname().release}"
        if hasattr(os, "uname")
        else sys.platform,
        "python": f"{sys.implementation.name} {sys.version.partition(' ')[0]}",
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
        return sysconfig.get_platform()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else sysconfig.get_platform()


def _write(file: Path, machine: dict[str, str], samples: Samples, run: Run) -> None:
    """The figures by name, their bounds and whether they are kept, every repetition, the curves, and the machine."""
    whole = {
        "machine": machine,
        "quick": run.quick,
        "figures": values(samples),
        "bounds": bounds(samples),
        "kept": kept(samples),
        "left_out": run.left_out,
        "repetitions": samples,
        "curves": {curve.name: curve._asdict() for curve in run.curves},
    }
    file.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    # An ending from outside must end the children as well.
    signal.signal(signal.SIGTERM, lambda *_arguments: sys.exit(143))
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:  # whoever read what it prints has seen enough
        drop(sys.stdout)
        sys.exit(1)
