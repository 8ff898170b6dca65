"""Scenes of every kind, for the drawing's tests: one table at different moments, and the pages around it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from msgspec import structs

from spitnet.core.cards import Card, card_of, deck
from spitnet.core.draw import Randomness
from spitnet.core.events import Beaten, Dealt, Event, Landed
from spitnet.core.moves import Deal, Moves, Play, Ready, Refill
from spitnet.core.state import Game, Match, Outcome, Reason, RefillMode, Result, Settings
from spitnet.journal.story import Moment, Summary
from spitnet.protocol.entries import FALSE_CLAIM, Ended, Ending
from spitnet.protocol.handshake import fingerprint
from spitnet.protocol.notices import Completed
from spitnet.protocol.rematch import Prospect
from spitnet.ui.scene import (
    Absence,
    CodeScene,
    FollowScene,
    Happened,
    Help,
    HostingScene,
    Idle,
    KnockingScene,
    Lack,
    LinkQuality,
    ListedTable,
    LookingScene,
    Note,
    Question,
    Scene,
    Stopping,
    TableScene,
)

NAMES: Final = ("Robin", "Ola")
LINK: Final = fingerprint(bytes(32))
"""A number as long as any."""


def cards(owner: int, *faces: str) -> tuple[Card, ...]:
    """Cards of one deck."""
    return tuple(card_of(face, owner) for face in faces)


MINE: Final = cards(0, "KS", "10H", "4D", "7C")
THEIRS: Final = cards(1, "AS", "5H", "2D", "QC")
GAME: Final = Game(
    number=2,
    layouts=(MINE, THEIRS),
    stocks=(deck(0)[20:45], deck(1)[10:47]),
    piles=(cards(0, "2S", "6D"), cards(1, "JH")),
    ready=(False, False),
    outcome=None,
)
SETTINGS: Final = Settings(games=3)
WATCHABLE: Final = Settings(games=3, watchable=True)


def table(game: Game | None = GAME, seat: int = 0, **fields: Any) -> TableScene:
    """The table in the middle of a game; `fields` are those of the scene."""
    match = fields.pop("match", Match(SETTINGS, game, (1, 0), 0, None))
    pace = fields.pop("pace", LinkQuality(3.2, 12.5))
    fields = {"races": (3, 2), "fingerprint": LINK, **fields}
    return TableScene(seat, NAMES, match, pace=pace, **fields)


def before_a_spit(*ready: bool) -> TableScene:
    """A new game; who has said ready."""
    game = structs.replace(GAME, piles=((), ()), ready=(ready[0], ready[1]))
    return table(game, note=Note(Happened.DEALT))


def beaten() -> TableScene:
    """One card came back, one is under way, one waits; both have just said spit."""
    return table(
        hand=Play(MINE[1], 1, 1),
        waiting=Play(MINE[3], 0, 2),
        note=Note(Happened.BEATEN, 0, MINE[0], 1, THEIRS[3]),
        shout=(0, 1),
    )


def noted(happened: Happened, **fields: Any) -> TableScene:
    """Something happened with this player's third card."""
    return table(note=Note(happened, 0, MINE[2], 0), **fields)


def after_a_game(rematch: Prospect = Prospect.NONE, over: bool = True) -> TableScene:
    """The page after a game."""
    left = tuple((52 - step // 2, 52 - step // 3) for step in range(105))
    game = structs.replace(GAME, number=3, outcome=Outcome(0, Reason.OUT))
    result = Result(0) if over else None
    return table(
        match=Match(SETTINGS, game, (2, 1), 0, result),
        note=Note(Happened.GAME_OVER),
        summary=Summary(3, left, (4, 3), (7, 5), (0.31, None)),
        rematch=rematch,
    )


def early(word: str, seat: int = 0) -> Ended:
    """An end before its time, as this seat has it; that of a violation by its word."""
    by = 1 - seat
    known = {
        "false_claim": Ended(7, Ending.LEFT, by, FALSE_CLAIM),
        "own_records": Ended(7, Ending.LOST_RECORDS, None, ""),
        **{how.value: Ended(7, how, by, "") for how in Ending},
    }
    return known.get(word, Ended(7, Ending.VIOLATION, by, word))


def stuck() -> TableScene:
    """This player is stuck, the other is not."""
    layout = cards(0, "4S", "4D", "8C", "8D")
    return table(structs.replace(GAME, layouts=(layout, cards(1, "10H", "5H", "2D", "QC"))))


def manual() -> TableScene:
    """Refills are asked for; one is under way."""
    game = structs.replace(GAME, layouts=((*MINE[:3], None), THEIRS))
    match = Match(Settings(refill=RefillMode.MANUAL), game, (0, 0), 1, None)
    return table(match=match, hand=Refill(3))


def after_beat(number: int, match: Match, moves: Moves, *events: Event) -> Moment:
    """The moment after a beat of which nothing else is known."""
    coin = Randomness(b"\x3f\x2a\x77\xc1" + bytes(28))
    return Moment(match, Completed(number, moves, coin, events, match, b""))


def followed(index: int = 2, **fields: Any) -> FollowScene:
    """A match that is looked at: before it, its deal, and a contest that the seat in front lost by the coin."""
    start = Match(SETTINGS, None, (1, 0), 0, None)
    match = Match(SETTINGS, GAME, (1, 0), 0, None)
    won = structs.replace(GAME, piles=(GAME.piles[0], (*GAME.piles[1], THEIRS[3])))
    events = (Landed(2, 1, 3, THEIRS[3], 1), Beaten(2, 0, 0, MINE[0], 1, THEIRS[3]))
    plays = (Play(MINE[0], 1, 1), Play(THEIRS[3], 1, 1))
    contested = after_beat(120, structs.replace(match, game=won), plays, *events)
    moments = (
        Moment(start),
        after_beat(1, match, (Deal(), None), Dealt(2, GAME.layouts)),
        structs.replace(contested, races=(3, 3)),
        after_beat(121, match, (Ready(), Ready())),
    )
    shown = {"seat": 0, "names": NAMES, "started": "2026-01-02 03:04 UTC", **fields}
    return FollowScene(moments=moments, index=index, games=(1,), contests=(2,), **shown)


def hosting() -> HostingScene:
    """An open table."""
    return HostingScene("Robin", ("192.168.1.5:47100", "10.0.0.2:47100"), "tulip-42", 12.4)


def looking(number: int, chosen: int = 0) -> LookingScene:
    """A list of so many tables."""
    entries = tuple(
        ListedTable(f"李小龍 {i}", f"192.168.1.{i}:47100", i % 3 != 2, i % 2 == 1, 1)
        for i in range(number)
    )
    return LookingScene(entries, chosen, 9.0, not number)


OLAS: Final = ListedTable("Ola", "192.168.1.20:47100", True, True, 1, watchable=True)
SCENES: Final[dict[str, Callable[[], Scene]]] = {
    "calm": table,
    "no game": lambda: table(None, match=Match(SETTINGS, None, (0, 0), 0, None)),
    "not ready": lambda: before_a_spit(False, True),
    "ready": lambda: before_a_spit(True, True),
    "ready under way": lambda: replace(before_a_spit(False, False), hand=Ready()),
    "beaten": beaten,
    "no fit": lambda: noted(Happened.DOES_NOT_FIT),
    "too late": lambda: noted(Happened.TOO_LATE),
    "which": lambda: noted(Happened.WHICH_PILE, asked_slot=2),
    "stuck": stuck,
    "manual": manual,
    "watchable": lambda: table(match=Match(Settings(watchable=True), GAME, (0, 0), 0, None)),
    "trouble": lambda: table(note=Note(Happened.TROUBLE, text="a\tb\x1b[31m\n" + "long " * 60)),
    "slow": lambda: table(pace=LinkQuality(812.0, 1733.0, 12, 7)),
    "stopping": lambda: table(
        pace=LinkQuality(3.2, 12.5, 1, 2, stops=31), stopping=Stopping(14, shouted=True)
    ),
    "stopping help": lambda: table(
        help=Help.KEYS, pace=LinkQuality(3.2, 12.5, stops=31), stopping=Stopping(14, shouted=False)
    ),
    "quit": lambda: table(question=Question.QUIT),
    "concede": lambda: table(question=Question.CONCEDE),
    "gone": lambda: table(gone=Absence(42.3, False, False)),
    "idle": lambda: replace(stuck(), idle=Idle(1, 12.3)),
    "idle here": lambda: table(idle=Idle(0, 0.0)),
    "idle reader": lambda: table(idle=Idle(0, 12.3), help=Help.RULES),
    "idle too long": lambda: replace(stuck(), gone=Absence(0.0, False, True, idle=True)),
    "claim": lambda: table(gone=Absence(0.0, True, True), question=Question.CLAIM),
    "help": lambda: table(help=Help.KEYS),
    "rules": lambda: table(help=Help.RULES),
    "ended": lambda: table(ended=early("abandoned")),
    "next game": lambda: after_a_game(over=False),
    "just over": lambda: replace(after_a_game(Prospect.OFFERED), deaf=True),
    "rematch": lambda: after_a_game(Prospect.OFFERED),
    "no summary": lambda: replace(after_a_game(), summary=Summary(1, ())),
    "wide names": lambda: replace(table(), names=("李小龍👩‍👩‍👧" * 4, "e\u0301\u202e👍🏽" * 8)),
    "follow start": lambda: followed(0, playing=True),
    "follow contest": followed,
    "follow end": lambda: followed(3, ending="The record is broken: " + "so " * 40, broken=True),
    "follow lack": lambda: followed(1, lack=Lack.EARLIER_GAME),
    "follow help": lambda: followed(help=True),
    "follow trouble": lambda: followed(trouble="a\tb\x1b[31m\n" + "long " * 60, started="\x1b[2J"),
    "follow said": lambda: followed(
        3, said="Ola can be reached again.", live=True, looking_on=True
    ),
    "follow wide names": lambda: followed(names=("Ö" * 32, "W" * 32), seat=1),
    "looking on": lambda: followed(looking_on=True, live=True),
    "looking on help": lambda: followed(looking_on=True, help=True),
    "may be watched": lambda: table(match=Match(WATCHABLE, GAME, (1, 0), 0, None)),
    "hosting": hosting,
    "hosting watched": lambda: replace(hosting(), watchable=True),
    "trouble hosting": lambda: replace(hosting(), trouble="The port is taken. " * 9, code=None),
    "nowhere": lambda: HostingScene("", (), None, 0.0),
    "looking": lambda: looking(3, 1),
    "crowd": lambda: looking(60, 55),
    "nobody": lambda: looking(0),
    "looking for others": lambda: LookingScene((OLAS,), 0, 9.0, False, looking_on=True),
    "nobody to watch": lambda: replace(looking(0), looking_on=True),
    "code": lambda: CodeScene("Ola", "tulip", "The table wants another code."),
    "long code": lambda: CodeScene("W" * 32, "\u200bW" * 50 + "end"),
    "waiting to watch": lambda: KnockingScene("Ola", 1.2, looking_on=True),
    "knocking": lambda: KnockingScene("Ola", 1.2),
}
