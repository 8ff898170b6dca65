"""Choice: always legal, never idle without need, and from nothing but what the player sees."""

from collections.abc import Iterator
from random import Random

import pytest
from msgspec import structs
from support.games import game_of, lay, legal_moves, play, played, wilful

from spitnet.bot.levels import Level
from spitnet.bot.strategy import choose
from spitnet.bot.view import view_of
from spitnet.core.cards import SEATS, Seat
from spitnet.core.legality import legal
from spitnet.core.moves import Concede, Deal, Leave, Ready, Refill, Spit
from spitnet.core.state import Match, RefillMode, Settings, SpitMode, new_match

LEVELS = tuple(Level)
MODES = [(refill, spit) for refill in RefillMode for spit in SpitMode]


def states(refill: RefillMode, spit: SpitMode, matches: int) -> Iterator[Match]:
    """What lies on the table in matches between two players who may do anything."""
    settings = Settings(games=3, refill=refill, spit=spit)
    for number in range(matches):
        name = f"bot {refill} {spit} {number}"
        for beat in played(name, settings, (wilful(number), wilful(number + 1_000))):
            yield from (beat.before, beat.after)


@pytest.mark.parametrize(("refill", "spit"), MODES)
def test_every_choice_is_legal_and_nobody_idles_who_could_act(
    refill: RefillMode, spit: SpitMode
) -> None:
    """R7-R22, in thousands of states that no bot would come to by itself."""
    random = Random(1)
    seen = 0
    for match in states(refill, spit, matches=6):
        seen += 1
        for seat in SEATS:
            for level in LEVELS:
                move = choose(level, view_of(match, seat), random)
                assert move is None or legal(match, seat, move), (match, seat, level)
                assert (move is None) == (not _to_do(match, seat)), (match, seat, level)
    assert seen > 500


def _to_do(match: Match, seat: Seat) -> bool:
    """Whether a player has something to do, giving up and the game's own shout left out."""
    shout = (Spit,) if match.settings.spit is SpitMode.AUTO else ()
    return any(not isinstance(move, (Concede, Leave, *shout)) for move in legal_moves(match, seat))


@pytest.mark.parametrize("level", LEVELS)
def test_what_no_player_sees_changes_no_choice(level: Level) -> None:
    """R4: other cards in the stocks, and other cards under the tops, same choices."""
    swap = Random(2)
    for number, match in enumerate(states(RefillMode.AUTO, SpitMode.SAID, matches=4)):
        hidden = _with_hidden_cards_moved(match, swap)
        for seat in SEATS:
            assert view_of(hidden, seat) == view_of(match, seat)
            chosen = [choose(level, view_of(m, seat), Random(number)) for m in (match, hidden)]
            assert chosen[0] == chosen[1]


def _with_hidden_cards_moved(match: Match, random: Random) -> Match:
    if match.game is None:
        return match
    stocks, piles = match.game.stocks, match.game.piles
    covered = [card for pile in piles for card in pile[:-1]]
    unseen = [*stocks[0], *stocks[1], *covered]
    random.shuffle(unseen)
    others = [tuple(unseen.pop() for _ in stock) for stock in stocks]
    below = [tuple(unseen.pop() for _ in pile[:-1]) + pile[-1:] for pile in piles]
    game = structs.replace(match.game, stocks=(others[0], others[1]), piles=(below[0], below[1]))
    return structs.replace(match, game=game)


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_seed_chooses_the_same(level: Level) -> None:
    views = [view_of(m, 0) for m in states(RefillMode.AUTO, SpitMode.SAID, matches=1)]
    one, two = Random(3), Random(3)
    assert [choose(level, view, one) for view in views] == [
        choose(level, view, two) for view in views
    ]


def test_the_easy_choice_is_uniform() -> None:
    match = lay(("2S 4S 9S KS", "7H 8H 9H 7D"), ("3C", "10C"))
    random = Random(4)
    chosen = [choose(Level.EASY, view_of(match, 0), random) for _ in range(3_000)]
    for face, pile in (("2S", 0), ("4S", 0), ("9S", 1)):
        assert chosen.count(play(match, 0, face, pile)) == pytest.approx(1_000, abs=150)


@pytest.mark.parametrize("level", [Level.HARD, Level.EXPERT])
def test_a_run_comes_before_a_single_card(level: Level) -> None:
    """The four leads on to five and six; the two leads nowhere."""
    match = lay(("2S 4S 5S 6S", "QH QD KH KD"), ("3C", "8C"))
    assert choose(level, view_of(match, 0), Random(7)) == play(match, 0, "4S", 0)


@pytest.mark.parametrize("level", [Level.HARD, Level.EXPERT])
def test_the_pile_that_the_opponent_needs_is_covered(level: Level) -> None:
    """Covering the three leaves the opponent without a play; covering the jack doesn't."""
    match = lay(("4S 10S 7S AS", "2H 2D 2C 2S"), ("3C", "JC"))
    assert choose(level, view_of(match, 0), Random(7)) == play(match, 0, "4S", 0)


@pytest.mark.parametrize("level", [Level.HARD, Level.EXPERT])
@pytest.mark.parametrize(("opposing", "refills"), [("7H 7D 9H 9D", True), ("4H 7D 9H 9D", False)])
def test_cards_are_asked_for_while_the_opponent_cannot_play(
    level: Level, opposing: str, refills: bool
) -> None:
    """R11: a refill uses the hand, so a play that may be taken away goes first."""
    settings = Settings(refill=RefillMode.MANUAL)
    match = lay(("4S 6S - 6D", opposing), ("3C", "3S"), settings=settings)
    move = choose(level, view_of(match, 0), Random(7))
    assert (move == Refill(2)) == refills


def test_between_games_a_deal_is_wanted_until_the_match_is_over() -> None:
    """R21."""
    match = new_match(Settings())
    assert choose(Level.NORMAL, view_of(match, 0), Random(8)) == Deal()
    *_, last = played("to the end")
    assert last.after.over
    assert choose(Level.NORMAL, view_of(last.after, 0), Random(8)) is None


@pytest.mark.parametrize(("spit", "shout"), [(SpitMode.SAID, Spit()), (SpitMode.AUTO, None)])
def test_both_ready_spit_is_said_where_players_say_it(spit: SpitMode, shout: Spit | None) -> None:
    """R7."""
    match = lay(("AS 2S 3S 4S", "AH 2H 3H 4H"), ("", ""), settings=Settings(spit=spit))
    assert choose(Level.EXPERT, view_of(match, 0), Random(9)) == Ready()
    match = structs.replace(match, game=structs.replace(game_of(match), ready=(True, True)))
    assert choose(Level.EXPERT, view_of(match, 0), Random(9)) == shout
