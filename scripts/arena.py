"""Two bots play each other in simulated time, by the rules alone: for measuring them.

No session, no link: what the protocol makes of two moves is modelled by one number. Nothing here
knows how a bot chooses.
"""

from collections.abc import Callable
from math import inf
from typing import Final

from spitnet.bot.bot import Bot
from spitnet.core.beat import apply_beat
from spitnet.core.cards import SEATS, Seat
from spitnet.core.draw import Randomness
from spitnet.core.moves import Move
from spitnet.core.state import Match, Settings, new_match

RANDOM_BYTES: Final = 32
TOGETHER_S: Final = 0.002
"""Two moves no further apart than this are in one beat, where a coin decides a race. Source: R10"""


def winner_of(
    bots: tuple[Bot, Bot], settings: Settings, entropy: Callable[[int], bytes]
) -> Seat | None:
    """Plays a match of bots that have not played yet; who wins it, or None if it is drawn.

    `entropy` gives as many random bytes as it is asked for; the beats' randomness comes from it.
    """
    match, now_s = new_match(settings), 0.0
    while match.result is None:
        for bot in bots:
            bot.look(match, False, now_s)
        due_s = [inf if bot.due_s is None else bot.due_s for bot in bots]
        now_s = max(now_s, min(due_s))
        late_s = now_s + TOGETHER_S
        acting = [due <= late_s for due in due_s]
        moves = _moves(match, bots, (acting[0], acting[1]), late_s)
        match, _ = apply_beat(match, moves, Randomness(entropy(RANDOM_BYTES)))
    return match.result.winner


def _moves(
    match: Match, bots: tuple[Bot, Bot], acting: tuple[bool, bool], now_s: float
) -> tuple[Move | None, Move | None]:
    one, two = (bots[seat].act(match, now_s) if acting[seat] else None for seat in SEATS)
    return one, two
