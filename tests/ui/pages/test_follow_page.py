"""Looking at a match: every beat can be reached, in either direction and at any pace, and nothing is made up."""

from itertools import pairwise

import pytest
from msgspec import structs
from support.games import game_of, wilful
from ui.looked_at import ENDING, NAMES, beats, follower

from spitnet.core.events import Beaten, Dealt, Landed
from spitnet.core.moves import Leave, Play, Ready
from spitnet.core.state import RefillMode, Settings, new_match
from spitnet.protocol.notices import Completed
from spitnet.ui.keys.playback_keys import PlaybackKeys
from spitnet.ui.pages.follow_page import BEAT_S, BURST, LINGERING, QUIET, SPEEDS, FollowPage
from spitnet.ui.pages.table_page import Command
from spitnet.ui.presses import CardPress, Plain, Playback, Press
from spitnet.ui.scene import FollowScene, Happened, Lack, notes_of

MATCH = beats()


def pressed(page: FollowPage, *presses: Press, now_s: float = 0.0) -> FollowScene:
    """What there is to see after these."""
    for press in presses:
        assert page.press(press, now_s) == ()
    return page.scene(now_s)


def watched(page: FollowPage, since_s: float = 0.0, most: int = 10_000) -> list[tuple[float, int]]:
    """When it went on by itself, and where to, until it stopped; only the clock is turned."""
    now_s = since_s
    changes: list[tuple[float, int]] = []
    for _ in range(most):
        tick_s = page.next_tick_s(now_s)
        if tick_s is None:
            return changes
        now_s += tick_s
        changes.append((now_s, page.scene(now_s).index))
    raise AssertionError("it never ends")


def is_contest(seen: Completed) -> bool:
    return any(isinstance(event, Beaten) for event in seen.events)


def test_every_step_shows_the_state_after_its_beat() -> None:
    """To the end and back to the start; states are kept, not worked out anew."""
    page = follower(MATCH)
    assert page.scene(0.0).moment.match == new_match(Settings(games=2))
    for seen in MATCH:
        moment = pressed(page, Playback.FORWARD).moment
        assert moment.beat == seen.beat
        assert moment.match is seen.match
    assert pressed(page, Playback.FORWARD).lack is Lack.LATER_BEAT
    for seen in reversed(MATCH[:-1]):
        assert pressed(page, Playback.BACK).moment.match is seen.match
    assert pressed(page, Playback.BACK).moment.beat == 0
    assert pressed(page, Playback.BACK).lack is Lack.EARLIER_BEAT
    assert pressed(page, Playback.END).moment.beat == len(MATCH)
    assert pressed(page, Playback.START).moment.beat == 0


def test_a_contest_is_what_the_coin_decided() -> None:
    """R10: both went for one pile; the card of the seat that the coin put first lies there."""
    moments = follower(MATCH).scene(0.0).moments
    assert sum(map(is_contest, MATCH)) > 10
    for before, moment, seen in zip(moments, moments[1:], MATCH, strict=False):
        contest = moment.contest
        assert (contest is not None) == is_contest(seen)
        if contest is None:
            continue
        for seat, card in enumerate(contest.cards):
            move = seen.moves[seat]
            assert isinstance(move, Play)
            assert (move.card, move.pile) == (card, contest.pile)
        assert game_of(before.match).piles[contest.pile][-1] == contest.top
        assert game_of(moment.match).piles[contest.pile][-1] == contest.cards[contest.first]
        assert seen.randomness.value == contest.randomness
        assert moment.races[contest.first] == before.races[contest.first] + 1


def test_contests_are_reached_one_by_one() -> None:
    """In both directions; and it stops there, since they are there to be looked at."""
    page = follower(MATCH, playing=True)
    there = [seen.beat for seen in MATCH if is_contest(seen)]
    found = [pressed(page, Playback.LATER_CONTEST) for _ in there]
    assert [scene.moment.beat for scene in found] == there
    assert not found[0].playing
    last = pressed(page, Playback.LATER_CONTEST)
    assert (last.moment.beat, last.lack) == (there[-1], Lack.LATER_CONTEST)
    pressed(page, Playback.END)
    back = [pressed(page, Playback.EARLIER_CONTEST).moment.beat for _ in there]
    assert back == there[::-1]
    assert pressed(page, Playback.EARLIER_CONTEST).lack is Lack.EARLIER_CONTEST


def test_games_are_reached_by_their_deals() -> None:
    page = follower(MATCH)
    deals = [seen.beat for seen in MATCH if any(isinstance(e, Dealt) for e in seen.events)]
    assert len(deals) == 2
    assert [pressed(page, Playback.LATER_GAME).moment.beat for _ in deals] == deals
    assert pressed(page, Playback.LATER_GAME).lack is Lack.LATER_GAME
    middle = pressed(page, Playback.FORWARD, Playback.FORWARD, Playback.EARLIER_GAME)
    assert middle.moment.beat == deals[1], "the start of the game that one is in comes first"
    assert pressed(page, Playback.EARLIER_GAME).moment.beat == deals[0]
    assert pressed(page, Playback.EARLIER_GAME).lack is Lack.EARLIER_GAME


def test_it_plays_every_beat_by_itself_and_stops_at_the_end() -> None:
    page = follower(MATCH, playing=True)
    assert [index for _, index in watched(page)] == list(range(1, len(MATCH) + 1))
    scene = page.scene(1e9)
    assert not scene.playing
    assert scene.ending == ENDING
    assert scene.at_end


def test_a_beat_stays_as_long_as_there_is_something_to_see() -> None:
    """A steady pace: short where nothing moved, long where there is something to read."""
    changes = watched(follower(MATCH, playing=True))
    shown_s = {index: later_s - now_s for (now_s, index), (later_s, _) in pairwise(changes)}
    for seen in MATCH[:-1]:
        quiet = not seen.events and all(
            move is None or isinstance(move, Ready) for move in seen.moves
        )
        reads = is_contest(seen) or seen.match.game is None or game_of(seen.match).outcome
        weight = QUIET if quiet else LINGERING if reads else 1.0
        assert shown_s[seen.beat] == pytest.approx(BEAT_S * weight), seen


def test_the_speed_divides_the_times() -> None:
    normal, fast = follower(MATCH, playing=True), follower(MATCH, playing=True)
    assert pressed(fast, Playback.FASTER).speed == 2.0
    assert watched(fast)[-1][0] == pytest.approx(watched(normal)[-1][0] / 2)
    assert pressed(fast, *[Playback.FASTER] * 20).speed == SPEEDS[-1]
    assert pressed(fast, *[Playback.SLOWER] * 20).speed == SPEEDS[0]


def test_a_screen_that_stood_still_skips_nothing() -> None:
    page = follower(MATCH, playing=True)
    assert page.scene(1000.0).index == 1
    assert page.scene(1000.0).index == 1, "the next has its time from now on"
    assert page.scene(2000.0).index == 2


def test_a_step_pauses_and_space_goes_on() -> None:
    page = follower(MATCH, playing=True)
    assert not pressed(page, Playback.FORWARD).playing
    assert page.next_tick_s(0.0) is None
    assert pressed(page, Playback.PLAY, now_s=5.0).playing
    assert page.next_tick_s(5.0) == pytest.approx(BEAT_S)
    assert not pressed(page, Playback.PLAY, now_s=5.1).playing
    assert page.next_tick_s(5.1) is None


def test_at_the_end_space_begins_once_more() -> None:
    page = follower(MATCH)
    scene = pressed(page, Playback.END, Playback.PLAY)
    assert (scene.index, scene.playing) == (0, True)


def test_a_match_that_still_grows_is_followed() -> None:
    """Fed beat by beat, as from a match under way: whoever has seen all sees the next at once."""
    page = FollowPage(0, NAMES, new_match(Settings(games=2)), "", playing=True)
    page.take(MATCH[:1], 10.0)
    assert page.scene(10.0).index == 0, "the start is shown for a while"
    now_s = watched(page, 10.0)[-1][0]
    assert page.scene(now_s).playing
    for seen in MATCH[1:20]:
        now_s += 100.0
        assert page.scene(now_s).at_end
        page.take((seen,), now_s)
        assert page.next_tick_s(now_s) == 0.0
        assert page.scene(now_s).moment.match is seen.match
    page.close("Cut short.", broken=True)
    scene = page.scene(now_s)
    assert (scene.ending, scene.broken, scene.playing) == ("Cut short.", True, False)


def test_a_game_to_begin_with_is_gone_to_once_it_is_there() -> None:
    """Nothing plays before; a key that is pressed meanwhile counts instead, and a game that never comes is said."""
    deal = next(i for i, seen in enumerate(MATCH, 1) if number(seen) == 2)

    def beginning() -> FollowPage:
        page = FollowPage(0, NAMES, new_match(Settings(games=2)), "", playing=True, first_game=2)
        page.take(MATCH[:10], 0.0)
        assert (page.scene(1e6).index, page.next_tick_s(0.0)) == (0, None)
        return page

    page = beginning()
    page.take(MATCH[10:], 0.0)
    assert (page.scene(0.0).index, page.scene(0.0).playing) == (deal, True)
    watched(page, 0.0)
    assert page.scene(1e6).at_end
    page = beginning()
    pressed(page, Playback.FORWARD)
    page.take(MATCH[10:], 0.0)
    assert page.scene(1e6).index == 1
    page = beginning()
    page.close("Cut short.", broken=True)
    scene = page.scene(1e6)
    assert (scene.index, scene.playing, scene.lack) == (0, False, Lack.LATER_GAME)


def number(seen: Completed) -> int:
    """Of the game that a beat is of."""
    return seen.match.game.number if seen.match.game else 0


def test_whoever_looks_back_is_left_there_when_more_comes() -> None:
    page = FollowPage(0, NAMES, new_match(Settings(games=2)), "", playing=False)
    page.take(MATCH[:10], 0.0)
    pressed(page, Playback.END, Playback.BACK)
    page.take(MATCH[10:], 0.0)
    assert page.scene(1e6).index == 9


def test_leaving_asks_nothing_and_help_lies_over_it() -> None:
    page = follower(MATCH, playing=True)
    assert page.press(Plain.QUIT, 0.0) == (Command.CLOSE,)
    assert pressed(page, Plain.HELP).help
    assert page.scene(1e6).index == 0, "nothing passes unseen below it"
    assert not pressed(page, Plain.HELP).help
    assert not pressed(page, Plain.HELP, Plain.ESCAPE).help


def test_keys_of_the_game_do_nothing() -> None:
    page = follower(MATCH)
    before = pressed(page, Playback.FORWARD)
    assert pressed(page, CardPress(0, None), Plain.CONCEDE, Plain.YES, Plain.REMATCH) == before


@pytest.mark.parametrize("seat", [0, 1])
def test_the_table_is_seen_from_the_seat_of_the_record(seat: int) -> None:
    page = follower(MATCH, seat)
    scene = pressed(page, Playback.LATER_CONTEST)
    table = scene.table(scene.moment)
    assert (table.seat, table.names, table.races) == (seat, NAMES, scene.moment.races)
    assert table.note.happened is Happened.BEATEN
    assert scene.moment.contest is not None
    assert table.fresh == (scene.moment.contest.pile,)


def test_every_beat_is_told() -> None:
    """Wilful players too, who hesitate, ask for refills, concede and leave: no beat passes without a note."""
    settings = Settings(games=40, refill=RefillMode.MANUAL)
    seen = beats(settings=settings, choosers=(wilful(5), wilful(6)), name="wilful")
    assert isinstance(seen[-1].moves[0] or seen[-1].moves[1], Leave)
    moments = follower(seen).scene(0.0).moments
    kinds = set()
    for moment, one in zip(moments[1:], seen, strict=True):
        assert notes_of(moment), one
        kinds |= {note.happened for note in notes_of(moment)}
        landed = [event for event in one.events if isinstance(event, Landed)]
        assert [n.card for n in notes_of(moment) if n.happened is Happened.LANDED] == [
            event.card for event in landed
        ]
    assert {Happened.REFILLED, Happened.READY, Happened.BOTH_STUCK, Happened.SPIT} <= kinds


def test_leaving_between_games_is_told_and_shown() -> None:
    over = next(seen for seen in MATCH if seen.match.game and seen.match.game.outcome)
    page = follower([structs.replace(over, moves=(None, Leave()), events=())])
    scene = pressed(page, Playback.FORWARD)
    assert [note.happened for note in notes_of(scene.moment)] == [Happened.LEFT]
    assert scene.table(scene.moment).left == (1,)


@pytest.mark.parametrize(
    ("key", "press"),
    [
        (" ", Playback.PLAY),
        ("right", Playback.FORWARD),
        ("left", Playback.BACK),
        ("up", Playback.FASTER),
        ("+", Playback.FASTER),
        ("down", Playback.SLOWER),
        ("-", Playback.SLOWER),
        ("n", Playback.LATER_CONTEST),
        ("p", Playback.EARLIER_CONTEST),
        ("g", Playback.LATER_GAME),
        ("G", Playback.EARLIER_GAME),
        ("т", Playback.LATER_CONTEST),
        ("п", Playback.LATER_GAME),
        ("П", Playback.EARLIER_GAME),
        ("й", Plain.QUIT),
        ("home", Playback.START),
        ("end", Playback.END),
        ("?", Plain.HELP),
        ("q", Plain.QUIT),
        ("escape", Plain.ESCAPE),
        ("a", None),
        ("1", None),
    ],
)
def test_keys(key: str, press: Press | None) -> None:
    assert PlaybackKeys().press(key) is press


def looking_on(seen: list[Completed]) -> FollowPage:
    page = FollowPage(0, NAMES, new_match(Settings(games=2)), "", live=True)
    page.take(seen, 0.0)
    return page


def test_who_is_live_sees_the_newest_beat_however_fast_they_come() -> None:
    page = looking_on(MATCH[:1])
    for number, seen in enumerate(MATCH[1:], 2):
        page.take([seen], 0.0)
        scene = page.scene(0.0)
        assert scene.live
        assert scene.moment.beat == number
    assert page.next_tick_s(0.0) is None


def test_few_beats_at_once_are_play_and_many_a_jump() -> None:
    """In lines the first are told one by one, the others by where they lead."""
    page = looking_on(MATCH[:BURST])
    assert page.scene(0.0).jumps == 0
    page.take(MATCH[BURST : 2 * BURST + 1], 0.0)
    scene = page.scene(0.0)
    assert (scene.jumps, scene.moment.beat) == (1, 2 * BURST + 1)


@pytest.mark.parametrize(
    "press", [Playback.BACK, Playback.START, Playback.PLAY, Playback.EARLIER_CONTEST]
)
def test_who_steps_back_stays_there_until_they_want_to_be_live_again(press: Press) -> None:
    page = looking_on(MATCH[:-2])
    there = pressed(page, press)
    assert not there.live
    page.take(MATCH[-2:-1], 0.0)
    assert page.scene(1000.0).index == there.index
    assert pressed(page, Playback.END).live
    page.take(MATCH[-1:], 0.0)
    assert page.scene(0.0).moment.beat == len(MATCH)


def test_who_plays_on_to_the_newest_beat_is_live_again() -> None:
    page = looking_on(MATCH[:4])
    pressed(page, Playback.BACK, Playback.BACK, Playback.PLAY)
    assert [index for _, index in watched(page)] == [3, 4]
    assert page.scene(0.0).live


def test_a_key_that_leads_nowhere_keeps_who_is_live() -> None:
    page = looking_on(MATCH[:4])
    scene = pressed(page, Playback.FORWARD)
    assert scene.lack is Lack.LATER_BEAT
    assert scene.live


def test_the_next_match_waits_for_whoever_still_looks_at_this_one() -> None:
    live, back = looking_on(MATCH), looking_on(MATCH)
    pressed(back, Playback.BACK)
    for page in (live, back):
        page.close(ENDING, broken=False)
        assert not page.scene(0.0).live
    assert live.next_begins("and on") == (Command.REMATCH,)
    assert back.next_begins("and on") == ()
    assert pressed(back, Playback.FORWARD).ending == "and on"
    assert back.press(Playback.END, 0.0) == (Command.REMATCH,)


@pytest.mark.parametrize(
    ("press", "lack"),
    [
        (Playback.FORWARD, Lack.LATER_BEAT),
        (Playback.LATER_CONTEST, Lack.LATER_CONTEST),
        (Playback.LATER_GAME, Lack.LATER_GAME),
    ],
)
def test_what_is_asked_for_before_it_was_read_is_gone_to_once_it_has_been(
    press: Playback, lack: Lack
) -> None:
    """A key that is quicker than the reading of the record is not told that the match ends here."""
    wanted = pressed(follower(MATCH), press).index
    page = FollowPage(0, NAMES, MATCH[0].match, "")
    assert pressed(page, press).lack is None
    for number, seen in enumerate(MATCH, 1):
        page.take([seen], 0.0)
        assert page.scene(0.0).index == (wanted if number >= wanted else 0)
    page.close(ENDING, broken=False)
    assert page.scene(0.0).lack is None
    empty = FollowPage(0, NAMES, MATCH[0].match, "")
    assert pressed(empty, press).lack is None
    empty.close(ENDING, broken=False)
    assert empty.scene(0.0).lack is lack, "now it is known"
    assert pressed(empty, Playback.START).lack is None


def test_another_key_takes_back_what_was_asked_for() -> None:
    page = FollowPage(0, NAMES, MATCH[0].match, "")
    pressed(page, Playback.FORWARD, Playback.START)
    page.take(MATCH[:3], 0.0)
    assert page.scene(0.0).index == 0


def test_what_is_right_again_is_said_until_something_else_comes() -> None:
    """A beat, a key or the end; and it takes the place of what was wrong."""

    def hears() -> FollowPage:
        page = FollowPage(0, NAMES, new_match(Settings(games=2)), "", live=True)
        page.take(MATCH[:3], 0.0)
        page.trouble("Bram is away.")
        page.say("Bram is back.")
        scene = page.scene(0.0)
        assert (scene.trouble, scene.said) == ("", "Bram is back.")
        return page

    beat, key, end = hears(), hears(), hears()
    beat.take(MATCH[3:4], 0.0)
    key.press(Playback.FASTER, 0.0)
    end.close(ENDING, broken=False)
    assert [page.scene(0.0).said for page in (beat, key, end)] == ["", "", ""]
