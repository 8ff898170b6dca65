"""When a bot acts: reactions that start, go on, are disturbed; and none at all with delay 0."""

from collections.abc import Sequence
from typing import TypeVar

import pytest
from support.games import chance, game_of, lay, play, tossing

from spitnet.bot.bot import BEATEN, RESULT_S, SECOND_LOOK, Bot
from spitnet.bot.levels import Level
from spitnet.bot.strategy import choose
from spitnet.bot.view import view_of
from spitnet.core.beat import apply_beat
from spitnet.core.moves import Concede, Deal, Move, Moves, Play
from spitnet.core.state import Match, Settings, new_match

T = TypeVar("T")
REACTION_S = 1.0


class Steady:
    """Draws that never vary: every reaction takes the level's least time and `REACTION_S`."""

    def random(self) -> float:
        return 0.0

    def choice(self, seq: Sequence[T], /) -> T:
        return seq[0]

    def lognormvariate(self, mu: float, sigma: float, /) -> float:
        return REACTION_S


EXPERT_S = 0.3 + REACTION_S


def bot(delay_s: float | None = None, seat: int = 0) -> Bot:
    return Bot(seat, Level.EXPERT, Steady(), delay_s)


def beat(match: Match, *moves: Play | Concede | None, first: int = 0) -> Match:
    both: Moves = (moves[0], moves[1])
    return apply_beat(match, both, tossing(first))[0]


def _wish(match: Match) -> Move | None:
    """What seat 0 would play on this table."""
    return choose(Level.EXPERT, view_of(match, 0), Steady())


def one_play() -> Match:
    """Seat 0 can play the four on the three, seat 1 the ten on the jack and the two on the three."""
    return lay(("4S 7S 7D 7C", "10H 2H 7H KH"), ("3C", "JC"))


def test_a_reaction_passes_between_seeing_and_acting() -> None:
    match, player = one_play(), bot()
    player.look(match, False, 5.0)
    assert player.due_s == 5.0 + EXPERT_S
    assert player.act(match, 5.0) is None
    assert player.due_s is not None
    assert player.act(match, player.due_s) == play(match, 0, "4S", 0)
    assert player.due_s is None


def test_with_nothing_to_do_nothing_is_due() -> None:
    match, player = lay(("7S 8S 8D 7C", "10H 2H 7H KH"), ("3C", "JC")), bot()
    player.look(match, False, 0.0)
    assert player.due_s is None
    assert player.act(match, 9.0) is None


def test_a_busy_hand_plans_nothing() -> None:
    """R9."""
    match, player = one_play(), bot()
    player.look(match, False, 0.0)
    player.look(match, True, 0.1)
    assert player.due_s is None


def test_the_opponents_card_elsewhere_restarts_no_reaction() -> None:
    match, player = one_play(), bot()
    player.look(match, False, 0.0)
    player.look(beat(match, None, play(match, 1, "10H", 1)), False, 0.9)
    assert player.due_s == EXPERT_S


def test_a_card_that_spoils_the_play_costs_a_second_look() -> None:
    match, player = lay(("4S 10S 7D 7C", "9H 2H 7H KH"), ("3C", "JC")), bot()
    assert _wish(match) == play(match, 0, "4S", 0)
    player.look(match, False, 0.0)
    after = beat(match, None, play(match, 1, "2H", 0))
    player.look(after, False, 1.2)
    assert player.due_s == pytest.approx(1.2 + SECOND_LOOK * EXPERT_S)
    assert player.act(after, 9.0) == play(after, 0, "10S", 1)


def test_the_last_play_spoilt_leaves_nothing_due() -> None:
    match, player = one_play(), bot()
    player.look(match, False, 0.0)
    player.look(beat(match, None, play(match, 1, "2H", 0)), False, 0.5)
    assert player.due_s is None


def test_what_is_played_suits_the_table_as_it_is_then() -> None:
    match, player = one_play(), bot()
    player.look(match, False, 0.0)
    after = beat(match, None, play(match, 1, "10H", 1))
    assert player.act(after, 9.0) == play(after, 0, "4S", 0)


def test_a_beaten_card_costs_a_little_more() -> None:
    """R10."""
    match, player = lay(("4S 10S 7D 7C", "9H 2H 7H KH"), ("3C", "JC")), bot()
    player.look(match, False, 0.0)
    move = player.act(match, 9.0)
    assert move == play(match, 0, "4S", 0)
    after = beat(match, move, play(match, 1, "2H", 0), first=1)
    player.look(after, False, 10.0)
    assert player.due_s == pytest.approx(10.0 + EXPERT_S * (1 + BEATEN))


def test_a_landed_card_costs_nothing_more() -> None:
    match, player = lay(("4S 10S 7D 7C", "9H 2H 7H KH"), ("3C", "JC")), bot()
    player.look(match, False, 0.0)
    move = player.act(match, 9.0)
    assert isinstance(move, Play)
    player.look(beat(match, move, None), False, 10.0)
    assert player.due_s == pytest.approx(10.0 + EXPERT_S)


def test_a_result_is_looked_at_before_the_next_deal() -> None:
    """R21."""
    player, settings = bot(), Settings(games=3)
    player.look(new_match(settings), False, 0.0)
    assert player.due_s == EXPERT_S
    assert player.act(new_match(settings), 2.0) == Deal()
    begun, _ = apply_beat(new_match(settings), (Deal(), None), chance("a deal"))
    ended = beat(begun, None, Concede())
    player.look(ended, False, 10.0)
    assert player.due_s == 10.0 + EXPERT_S + RESULT_S


def test_a_delay_replaces_the_reaction() -> None:
    match, player = one_play(), bot(delay_s=0.02)
    player.look(match, False, 5.0)
    assert player.due_s == 5.02


def test_delay_zero_acts_at_once() -> None:
    match, player = one_play(), bot(delay_s=0)
    player.look(match, False, 5.0)
    assert player.due_s == 5.0
    assert player.act(match, 5.0) == play(match, 0, "4S", 0)
    player.look(match, True, 5.0)
    assert player.due_s is None


def test_after_the_match_nothing_is_due() -> None:
    match, player = one_play(), bot()
    player.look(match, False, 0.0)
    over = beat(match, None, Concede())
    assert over.over
    player.look(over, False, 0.5)
    assert player.due_s is None
    assert game_of(over).outcome is not None
