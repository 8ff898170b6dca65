"""`spitnet stats`: the results so far, by opponent. From the records alone, each derived anew, so that nothing can drift.

What belongs here: which files count, and the figures in words or as lines. What must not: what a record comes to
(journal).
"""

import os
import sys
from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from stat import S_ISREG
from typing import Any, Final, NamedTuple

from spitnet.app import identity
from spitnet.app.console import json_lines
from spitnet.app.options import StatsOptions
from spitnet.exits import ExitCode
from spitnet.journal.file_format import CutShort, Damaged, NewerFormat
from spitnet.journal.replay import Broken
from spitnet.journal.results import GameResult, MatchRecord, MatchStatus, Score, result_of
from spitnet.journal.standings import Series, Timed, altogether, by_opponent
from spitnet.journal.store import SUFFIX, read
from spitnet.language import decimal, ngettext, pgettext
from spitnet.language import gettext as _
from spitnet.net.names import shown_name
from spitnet.ui.cells import fit, width
from spitnet.ui.terminal.capabilities import terminal
from spitnet.ui.words import flaws, stops_in_all

FORM_GAMES: Final = 40
"""The plot of form shows the last so many games."""
PER_CARD_S_MOST: Final = 60.0
"""Slower than that, the match was interrupted, or its file is not the one that was written."""
_BARS: Final = {
    False: {Score.WON: "▅▆▇█", Score.DRAWN: "▄▄▄▄", Score.LOST: "▃▂▁▁"},
    True: {Score.WON: "++++", Score.DRAWN: "====", Score.LOST: "----"},
}
_STEPS: Final = (5, 13, 25)
"""From so many cards of difference on a bar is a step higher, or lower."""


class LeftOut(NamedTuple):
    """A file that doesn't count, and why: a word, and the same for the user."""

    path: Path
    word: str
    why: str


class FoundRecords(NamedTuple):
    """What lies in a directory. `others`: records of the other side of a match, whole but not this one's."""

    matches: list[Timed]
    left_out: list[LeftOut]
    others: int


def run(options: StatsOptions) -> int:
    """The exit code: no matches is an answer too."""
    directory = options.journal or identity.data_directory() / "journals"
    found = gather(directory, _own_key())
    if options.json:
        json_lines.write(
            *map(_line, by_opponent(found.matches)), *map(_left_out_line, found.left_out)
        )
        return ExitCode.DONE
    encoding = getattr(sys.stdout, "encoding", None)
    plain = options.ascii or not terminal(os.environ, tty=False, encoding=encoding).suits
    for line in _page(found, directory, plain):
        print(line)
    return ExitCode.DONE


def _own_key() -> bytes | None:
    """The public key; None where this installation has never played."""
    keys = identity.load()
    return None if keys is None else keys.public


def gather(directory: Path, own_key: bytes | None) -> FoundRecords:
    """Every record of a directory; one that can't be read never keeps the others from counting."""
    found = FoundRecords([], [], 0)
    others = 0
    for path in sorted(directory.glob(f"*{SUFFIX}")):
        one = _examined(path)
        if isinstance(one, LeftOut):
            found.left_out.append(one)
        elif one.own_key != own_key:
            others += 1
        else:
            found.matches.append(Timed(one, _took_s(one, path)))
    return found._replace(others=others)


def _examined(path: Path) -> MatchRecord | LeftOut:
    try:
        if not S_ISREG(path.stat().st_mode):
            return LeftOut(path, "no_file", _("it is not a file"))
        record = read(path)
        match record.trouble:
            case NewerFormat():
                return LeftOut(path, "newer", _("it was written by a newer spitnet"))
            case Damaged() if record.entries:
                return LeftOut(path, "damaged", _("it is damaged"))
            case Damaged() | CutShort() if not record.entries:
                return LeftOut(path, "no_record", _("it is not a spitnet record"))
            case _:
                return result_of(record.entries)
    except OSError as error:
        return LeftOut(path, "unreadable", error.strerror or str(error))
    except Broken as broken:
        text = _("it doesn’t hold at beat {beat}: {why}")
        why = text.format(beat=broken.beat, why=flaws.said(broken.flaw.value))
        return LeftOut(path, broken.flaw.value, why)


def _took_s(result: MatchRecord, path: Path) -> float | None:
    """From the match's beginning to the last entry, if that can be: a record itself knows the order, not the times."""
    if result.standing is not MatchStatus.OVER or not result.cards:
        return None
    try:
        started_s = datetime.fromisoformat(result.started).timestamp()
    except ValueError:
        return None
    took_s = path.stat().st_mtime - started_s
    return took_s if 0 < took_s <= PER_CARD_S_MOST * result.cards else None


# For programs.


def _line(one: Series) -> dict[str, Any]:
    streak = one.streak
    return {
        "opponent": one.opponent.hex() if one.opponent else None,
        "names": [shown_name(name) for name in one.names],
        "matches": {score.value: one.matches(score) for score in Score}
        | {
            kind.value: one.standing(kind)
            for kind in (MatchStatus.UNFINISHED, MatchStatus.BROKEN_OFF)
        },
        "claimed": {score.value: one.claimed(score) for score in (Score.WON, Score.LOST)},
        "forfeited": {Score.WON.value: one.standing(MatchStatus.FORFEITED)},
        "games": {score.value: one.games_of(score) for score in Score},
        "races": dict(zip((Score.WON, Score.LOST), one.races, strict=True)),
        "late": dict(zip(("crossings", "replies"), one.late, strict=True)),
        "lagged": one.lagged,
        "cards": one.cards,
        "seconds_per_card": None if one.per_card_s is None else round(one.per_card_s, 3),
        "streak": None if streak is None else {"score": streak.score, "games": streak.length},
        "longest_won": one.longest_won,
        "stops": asdict(one.stops),
        "form": [game.score for game in one.games[-FORM_GAMES:]],
    }


def _left_out_line(one: LeftOut) -> dict[str, Any]:
    return {"left_out": str(one.path), "why": one.word}


# For people.


def _page(found: FoundRecords, directory: Path, plain: bool) -> Iterator[str]:
    records = by_opponent(found.matches)
    if not records:
        yield _("There is no match of yours in {directory}.").format(directory=directory)
    for number, one in enumerate(records):
        yield from ("",) * bool(number)
        name = shown_name(one.names[0])
        yield _("{name}   (key {key})").format(name=name, key=_short(one))
        former = ", ".join(map(shown_name, one.names[1:4]))
        if former:
            yield "  " + _("formerly {names}").format(names=former)
        yield from _account(one, plain)
    if len(records) > 1:
        yield from ("", _("All opponents"), *_account(altogether(found.matches), plain))
    yield from _notes(found)


def _short(one: Series) -> str:
    return one.opponent.hex()[:8] if one.opponent else ""


def _account(one: Series, plain: bool) -> Iterator[str]:
    """One opponent's block, two cells in."""
    yield from (f"  {line}" for line in _table(one))
    told = [*_streak(one), *_pace(one), *_late(one), *_claimed(one), *_forfeited(one)]
    told += [*_not_over(one), *_stops(one)]
    yield from (f"  {line}" for line in told)
    if one.games:
        form = "".join(_bar(game, plain) for game in one.games[-FORM_GAMES:])
        yield "  " + _("form {bars}").format(bars=form)
        yield "  " + _legend(min(len(one.games), FORM_GAMES), plain)


def _table(one: Series) -> Iterator[str]:
    """Matches, games and races: won, lost, drawn."""
    won, lost = pgettext("results", "won"), pgettext("results", "lost")
    heads = ("", won, lost, pgettext("results", "drawn"))
    rows = (
        (pgettext("results", "matches"), *(str(one.matches(score)) for score in Score)),
        (pgettext("results", "games"), *(str(one.games_of(score)) for score in Score)),
        (pgettext("results", "races"), *map(str, one.races), ""),
    )
    wide = [max(map(width, column)) for column in zip(heads, *rows, strict=True)]
    for row in (heads, *rows):
        figures = (fit(text, cells + 2, ">") for text, cells in zip(row[1:], wide[1:], strict=True))
        yield (fit(row[0], wide[0]) + "".join(figures)).rstrip()


def _streak(one: Series) -> Iterator[str]:
    streak = one.streak
    if streak is None or streak.length < 2:
        return
    count = streak.length
    match streak.score:
        case Score.WON:
            text = ngettext("{count} game won in a row", "{count} games won in a row", count)
        case Score.LOST:
            text = ngettext("{count} game lost in a row", "{count} games lost in a row", count)
        case Score.DRAWN:
            text = ngettext("{count} game drawn in a row", "{count} games drawn in a row", count)
    yield text.format(count=count)
    if one.longest_won > count or (streak.score is not Score.WON and one.longest_won > 1):
        most = ngettext(
            "best: {count} game won in a row",
            "best: {count} games won in a row",
            one.longest_won,
        )
        yield most.format(count=one.longest_won)


def _pace(one: Series) -> Iterator[str]:
    if one.per_card_s is not None:
        text = _("about {seconds} s for each card of yours")
        yield text.format(seconds=decimal(f"{one.per_card_s:.2f}"))


def _late(one: Series) -> Iterator[str]:
    """What the opponent's program took too long for; nobody can prove why."""
    late, lagged = sum(one.late), one.lagged
    return _counted(
        (late, ngettext("{count} late answer", "{count} late answers", late)),
        (
            lagged,
            ngettext(
                "{count} match in which the ping grew out of proportion",
                "{count} matches in which the ping grew out of proportion",
                lagged,
            ),
        ),
    )


def _claimed(one: Series) -> Iterator[str]:
    """Of the matches that count: those that one side's word alone decided. Source: R22."""
    won, lost = one.claimed(Score.WON), one.claimed(Score.LOST)
    return _counted(
        (won, ngettext("{count} match won by a claim", "{count} matches won by a claim", won)),
        (lost, ngettext("{count} match lost to a claim", "{count} matches lost to a claim", lost)),
    )


def _forfeited(one: Series) -> Iterator[str]:
    """Of the matches that were won: those that the other side broke off for good. Source: R22."""
    won = one.standing(MatchStatus.FORFEITED)
    text = ngettext(
        "{count} match won since the opponent broke it off",
        "{count} matches won since the opponent broke them off",
        won,
    )
    return _counted((won, text))


def _not_over(one: Series) -> Iterator[str]:
    left, off = one.standing(MatchStatus.UNFINISHED), one.standing(MatchStatus.BROKEN_OFF)
    return _counted(
        (left, ngettext("{count} unfinished match", "{count} unfinished matches", left)),
        (off, ngettext("{count} match broken off", "{count} matches broken off", off)),
    )


def _stops(one: Series) -> Iterator[str]:
    if one.stops.times:
        yield stops_in_all(one.stops.times, one.stops.seconds)


def _counted(*told: tuple[int, str]) -> Iterator[str]:
    """What there is at least one of."""
    return (text.format(count=count) for count, text in told if count)


def _bar(game: GameResult, plain: bool) -> str:
    """The clearer a game was won the higher, the clearer it was lost the lower."""
    own, theirs = game.cards_left
    step = sum(abs(own - theirs) >= least for least in _STEPS)
    return _BARS[plain][game.score][step]


def _legend(games: int, plain: bool) -> str:
    if plain:
        text = ngettext(
            "the last game: + won, = drawn, - lost",
            "the last {count} games: + won, = drawn, - lost",
            games,
        )
    else:
        text = ngettext(
            "the last game: high is won, low is lost",
            "the last {count} games: high is won, low is lost",
            games,
        )
    return text.format(count=games)


def _notes(found: FoundRecords) -> Iterator[str]:
    """What doesn't count."""
    if found.others:
        text = ngettext(
            "{count} record by another player or a bot is not counted.",
            "{count} records by other players or bots are not counted.",
            found.others,
        )
        yield from ("", text.format(count=found.others))
    if found.left_out:
        yield from ("", _("Left out:"))
    for one in found.left_out:
        yield "  " + _("{file}: {problem}").format(file=shown_file(one.path), problem=one.why)


def shown_file(path: Path) -> str:
    """A file's name on one line, whatever is in it."""
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in path.name)
