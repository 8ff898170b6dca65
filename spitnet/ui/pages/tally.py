"""What a game amounts to while it is played: cards left over time, races, runs, the fastest play. Pure."""

from collections.abc import Iterable
from dataclasses import replace

from spitnet.core.cards import Seat
from spitnet.core.events import Beaten, Dealt, Event, Landed, Spat
from spitnet.ui.scene import Summary


class Tally:
    """Kept for one seat; `races` counts the whole match, `summary` the game that was begun last."""

    def __init__(self, seat: Seat, now_s: float) -> None:
        self._seat = seat
        self._changed_s = now_s
        self._run = (0, 0)
        self.races = (0, 0)
        self.summary = Summary(0)

    def take(self, events: Iterable[Event], now_s: float) -> None:
        """One beat's events, in order, at the time when they were seen."""
        before_s = self._changed_s
        for event in events:
            self._changed_s = now_s
            match event:
                case Dealt(game=game):
                    self.summary = Summary(game)
                    self._run = (0, 0)
                case Landed(seat=seat):
                    self._landed(seat, now_s - before_s)
                case Spat(cards=cards):
                    for seat, card in enumerate(cards):
                        if card is not None:
                            self._gone(seat)
                case Beaten(seat=loser):
                    winner = 1 - loser
                    self.races = _one_more(self.races, winner)
                    races = _one_more(self.summary.races, winner)
                    self.summary = replace(self.summary, races=races)
                case _:
                    pass

    def forget_times(self) -> None:
        """How long what was taken so far took isn't known."""
        self.summary = replace(self.summary, fastest_s=None)

    def _landed(self, seat: Seat, took_s: float) -> None:
        self._run = _one_more(self._run if self._run[seat] else (0, 0), seat)
        longest = self.summary.longest_run
        if self._run[seat] > longest[seat]:
            longest = _one_more(longest, seat)
        fastest_s = self.summary.fastest_s
        if seat == self._seat:
            fastest_s = took_s if fastest_s is None else min(fastest_s, took_s)
        self.summary = replace(self.summary, longest_run=longest, fastest_s=fastest_s)
        self._gone(seat)

    def _gone(self, seat: Seat) -> None:
        """One card less for a seat."""
        left = self.summary.cards_left
        self.summary = replace(self.summary, cards_left=(*left, _one_less(left[-1], seat)))


def _one_more(pair: tuple[int, int], seat: Seat) -> tuple[int, int]:
    return (pair[0] + (seat == 0), pair[1] + (seat == 1))


def _one_less(pair: tuple[int, int], seat: Seat) -> tuple[int, int]:
    return (pair[0] - (seat == 0), pair[1] - (seat == 1))
