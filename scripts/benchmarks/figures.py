"""The figures: their names, units and bounds, and the table that shows them.

What belongs here: what each figure is called and means, once. What must not: how it is measured.
Figures without a bound are stated beside those with one.
"""

from collections.abc import Iterable, Mapping
from statistics import median
from typing import Final, NamedTuple, TypeAlias

Samples: TypeAlias = dict[str, list[float]]
"""By figure: its value in each repetition, in order."""


class Figure(NamedTuple):
    """`bound` is a number or the name of the figure that is the bound; `at_least` turns it round."""

    name: str
    unit: str
    what: str
    bound: float | str | None = None
    at_least: bool = False


def _beside_echo(way: str, what: str) -> tuple[Figure, ...]:
    """The figures of one way in which beats, and the echo's round trips, follow one another."""
    slowest = "its slowest hundredth"
    return (
        Figure(f"echo_{way}_p50_us", "µs", f"that echo {what.partition(':')[0]}"),
        Figure(f"echo_{way}_p99_us", "µs", slowest),
        Figure(f"beat_{way}_p50_us", "µs", f"proposal → applied {what}"),
        Figure(f"beat_{way}_p99_us", "µs", slowest),
        Figure(f"beat_{way}_over_echo_p50", "×", "the same over that echo"),
        Figure(f"beat_{way}_over_echo_p99", "×", "the same of the slowest hundredths"),
    )


FIGURES: Final = (
    Figure("echo_p50_us", "µs", "round trip of a blocking ROUTER/DEALER echo, CURVE, same size"),
    Figure("echo_p99_us", "µs", "its slowest hundredth"),
    Figure("beat_p50_us", "µs", "proposal → applied, --sync process, each alone, the same gaps"),
    Figure("beat_p99_us", "µs", "its slowest hundredth"),
    Figure("beat_over_echo_p50", "×", "proposal → applied over that echo", 1.5),
    Figure("beat_over_echo_p99", "×", "the same of the slowest hundredths"),
    Figure("beat_told_p50_us", "µs", "proposal → told, after the frame that the peer still needs"),
    Figure("beat_told_over_echo_p50", "×", "the same over that echo"),
    Figure("beat_alone_percent", "%", "beats that the peer was ready for; the rest is left out"),
    *_beside_echo("back_to_back", "without a gap: the peer still has the last beat to finish"),
    *_beside_echo("paced", "after a pause of 4 ms"),
    Figure("fdatasync_p50_ms", "ms", "appending one journal entry and fdatasync, alone"),
    Figure("fdatasync_p99_ms", "ms", "its slowest hundredth"),
    Figure("beat_synced_limit_ms", "ms", "that echo + 2.5 × that fdatasync"),
    Figure("beat_synced_p50_ms", "ms", "proposal → applied, --sync always", "beat_synced_limit_ms"),
    Figure("beat_synced_p99_ms", "ms", "its slowest hundredth"),
    Figure(
        "beat_without_tables_p50_ms", "ms", "proposal → applied, some 80 a second, without screens"
    ),
    Figure("beat_without_tables_p99_ms", "ms", "its slowest hundredth"),
    Figure(
        "beat_under_tables_p50_ms", "ms", "the same while both sides redraw a whole table 60 ×/s"
    ),
    Figure("beat_under_tables_p99_ms", "ms", "its slowest hundredth", 16.0),
    Figure("beat_under_tables_5ms_p50_ms", "ms", "the same with Python's own switch interval"),
    Figure("beat_under_tables_5ms_p99_ms", "ms", "its slowest hundredth"),
    Figure("table_redraws_per_s", "1/s", "whole tables that the slower side drew meanwhile"),
    Figure("beat_under_large_tables_p50_ms", "ms", "the same as under tables, at 200×60"),
    Figure("beat_under_large_tables_p99_ms", "ms", "its slowest hundredth"),
    Figure("beat_under_large_tables_5ms_p50_ms", "ms", "with Python's own switch interval, 200×60"),
    Figure("beat_under_large_tables_5ms_p99_ms", "ms", "its slowest hundredth"),
    Figure("beat_under_large_tables_held_p50_ms", "ms", "as if in the screen's own loop, 200×60"),
    Figure("beat_under_large_tables_held_p99_ms", "ms", "its slowest hundredth"),
    Figure("bare_key_to_frame_p50_ms", "ms", "key → a cell of a bare prompt_toolkit program"),
    Figure("bare_key_to_frame_p99_ms", "ms", "its slowest hundredth"),
    Figure("key_to_frame_p50_ms", "ms", "key → first byte of the changed table, in a live match"),
    Figure("key_to_frame_p99_ms", "ms", "its slowest hundredth", 33.0),
    Figure("key_to_frame_over_bare_p50", "×", "the same over that bare program", 2.0),
    Figure(
        "frame_bytes_p50", "B", "written for a rival's card that lands, 80×24, all colours", 1200.0
    ),
    Figure("own_card_bytes_p50", "B", "written for one's own: lifted, then landed"),
    Figure("solo_first_frame_ms", "ms", "process start of solo → a whole table, dealt", 600.0),
    Figure("echo_per_s", "1/s", "round trips of that echo, beside the headless matches"),
    Figure(
        "crossing_over_echo_rate", "×", "the bare frames of beats that both act in, over that echo"
    ),
    Figure("headless_beats_per_s", "1/s", "spitnet host and join, --delay 0 --sync process"),
    Figure("headless_beats_over_echo_rate", "×", "the same over that echo", 0.6, at_least=True),
    Figure("join_to_connected_ms", "ms", "process start of join → its connected line"),
    Figure("probe_to_connected_ms", "ms", "join's first probe → its connected line"),
    Figure("discovery_p50_ms", "ms", "first probe → table known, in two namespaces", 10.0),
    Figure("discovery_pyre_p50_ms", "ms", "pyre: a node's start → ENTER, in the same two"),
    Figure("discovery_zeroconf_p50_ms", "ms", "zeroconf: a browser's start → address and port"),
    Figure("discovery_loopback_p50_ms", "ms", "the same on loopback", 10.0),
    Figure("rules_games_per_s", "1/s", "whole games, rules and a naive choice", 500.0, True),
    Figure("rules_moves_per_s", "1/s", "moves of those games: legal, and what it does"),
    Figure("chess_moves_per_s", "1/s", "python-chess: all legal moves, and a push"),
    Figure("bot_games_per_s", "1/s", "whole games, rules and two bots of level normal"),
    Figure("session_beats_per_s", "1/s", "both sides' sessions and frames, no socket, one core"),
    Figure("verify_beats_per_s", "1/s", "spitnet verify on a long record", 10_000.0, True),
    Figure("python_start_ms", "ms", "python -c pass"),
    Figure("version_ms", "ms", "spitnet --version"),
    Figure("version_over_python", "×", "spitnet --version over python -c pass", 2.2),
    Figure("host_idle_cpu_percent", "%", "a host that waits, of one core", 1.0),
    Figure("sleeper_idle_cpu_percent", "%", "a bare process that wakes once a second"),
    Figure("host_rss_mib", "MiB", "its resident memory", 60.0),
    Figure("beacon_bytes_per_s", "B/s", "what it sends on the interface, burst left out", 400.0),
    Figure("beacon_in_play_bytes_per_s", "B/s", "what both sides of a match send", 0.0),
    Figure("tables_500", "s", "first probe → 500 open tables listed, an address each", 2.0),
    Figure("tables_500_cpu_percent", "%", "join behind that list, of one core"),
    Figure("tables_500_rss_mib", "MiB", "its resident memory"),
    Figure("beat_early_us", "µs", "a beat of both sides, no socket, from beat 100 on"),
    Figure("beat_late_us", "µs", "the same up to beat 100,000 of one match"),
    Figure("memory_early_mib", "MiB", "both sides at beat 100"),
    Figure("memory_late_mib", "MiB", "both sides before beat 100,000"),
    Figure("growth_time", "×", "late over early, in turns"),
    Figure("growth_memory", "×", "late over early"),
    Figure("growth", "×", "the larger of the two", 1.1),
    Figure("redraw_80x24_ms", "ms", "processor time for a whole table on the screen"),
    Figure("redraw_300x100_ms", "ms", "the same on a screen of fifteen times the cells"),
)
NAMES: Final = tuple(figure.name for figure in FIGURES)


def values(samples: Samples) -> dict[str, float]:
    """Each figure's value: the median of its repetitions."""
    return {name: median(samples[name]) for name in NAMES if samples.get(name)}


def bounds(samples: Samples) -> dict[str, float]:
    """Each measured figure's bound, where there is one."""
    found = values(samples)
    kept = {}
    for figure in FIGURES:
        bound = found.get(figure.bound) if isinstance(figure.bound, str) else figure.bound
        if figure.name in found and bound is not None:
            kept[figure.name] = bound
    return kept


def table(samples: Samples, left_out: Mapping[str, str]) -> str:
    """The figures as text: value, spread of the repetitions, bound, whether it is kept, what it is; or why there is none."""
    found, limits, keeps = values(samples), bounds(samples), kept(samples)
    rows: list[tuple[str, ...]] = [("", "figure", "value", "", "lowest … highest", "bound", "what")]
    for figure in FIGURES:
        if figure.name in found:
            mark = {True: "ok", False: "missed", None: ""}[keeps.get(figure.name)]
            limit = limits.get(figure.name)
            rows.append(_row(figure, mark, found[figure.name], samples[figure.name], limit))
        elif figure.name in left_out:
            rows.append(("", figure.name, "-", "", "", "", left_out[figure.name]))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(_line(row, widths) for row in rows)


def kept(samples: Samples) -> dict[str, bool]:
    """Of each measured figure with a bound, whether it keeps it."""
    found, limits = values(samples), bounds(samples)
    signs = {figure.name: figure.at_least for figure in FIGURES}
    return {
        name: found[name] >= bound if signs[name] else found[name] <= bound
        for name, bound in limits.items()
    }


def note(samples: Samples, name: str, value: float) -> None:
    """One more repetition of a figure."""
    samples.setdefault(name, []).append(value)


def percentile(samples: Iterable[float], share: float) -> float:
    """The value below which that share of the samples lies."""
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def _row(
    figure: Figure, mark: str, value: float, repetitions: list[float], bound: float | None
) -> tuple[str, ...]:
    sign = "≥" if figure.at_least else "≤"
    return (
        mark,
        figure.name,
        _number(value),
        figure.unit,
        f"{_number(min(repetitions))} … {_number(max(repetitions))}  ({len(repetitions)})",
        "" if bound is None else f"{sign} {_number(bound)}",
        figure.what,
    )


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    right = (2,)
    cells = [
        cell.rjust(width) if column in right else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]
    return " ".join(cells).rstrip()


def _number(value: float) -> str:
    """Three figures that count, whole numbers from a hundred on."""
    if value == 0 or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"
