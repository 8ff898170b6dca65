"""Keys become moves and notices become the scene: what a person meets at the table, without any drawing."""

import pytest
from support.games import lay
from support.screens import texts

from spitnet.core.beat import apply_beat
from spitnet.core.cards import card_of
from spitnet.core.draw import Randomness
from spitnet.core.moves import Concede, Deal, Leave, Move, Moves, Play, Ready, Refill, Spit
from spitnet.core.state import Match, RefillMode, Settings, SpitMode, new_match
from spitnet.protocol.entries import Ended, Ending, Stop
from spitnet.protocol.notices import (
    Ahead,
    AnswerOverdue,
    Claimable,
    Completed,
    Displaced,
    Finished,
    MoveProposed,
    NotLegal,
    PeerBack,
    PeerLost,
    StopEnded,
)
from spitnet.protocol.rematch import Prospect
from spitnet.ui.lines.narrator import Narrator
from spitnet.ui.pages.recent_stops import LATELY_S, MANY, SHOUTED_S
from spitnet.ui.pages.table_page import (
    DEAF_S,
    REFUSED_S,
    SHOUT_S,
    Command,
    Propose,
    TablePage,
    Wish,
)
from spitnet.ui.presses import Arrow, CardPress, PileSide, Plain, Press
from spitnet.ui.render import labels
from spitnet.ui.render.drawing import draw
from spitnet.ui.render.look import Look
from spitnet.ui.scene import Claims, Happened, Help, Idle, Question, Stopping
from spitnet.ui.words import KeyLabels

ROWS = ("8H 3S QH 10S", "8D 2C 6D 4C")
PILES = ("9H", "9D")
FIVE_GAMES = Settings(games=5)


def model(match: Match, seat: int = 0) -> TablePage:
    return TablePage(seat, ("Ana", "Bram"), match, "123", 0.0)


def table(seat: int = 0, rows: tuple[str, str] = ROWS, piles: tuple[str, str] = PILES) -> TablePage:
    return model(lay(rows, piles, settings=FIVE_GAMES), seat)


def proposed(wishes: tuple[Wish, ...]) -> Move | None:
    """The one move wished for, or None."""
    if not wishes:
        return None
    (wish,) = wishes
    assert isinstance(wish, Propose)
    return wish.move


def completed(match: Match, moves: Moves) -> Completed:
    """One beat of these moves, as the session would tell of it."""
    randomness = Randomness(bytes(32))
    after, events = apply_beat(match, moves, randomness)
    return Completed(7, moves, randomness, events, after, b"")


def complete(page: TablePage, moves: Moves, now_s: float = 1.0) -> None:
    page.tell(completed(page.scene(now_s).match, moves), now_s)


def note(page: TablePage) -> Happened:
    return page.scene(1.0).note.happened


@pytest.mark.parametrize("seat", [0, 1])
def test_ones_own_pile_is_on_the_right(seat: int) -> None:
    """Facing each other: what is left for one is right for the other."""
    page = table(seat, piles=("9H", "7D") if seat == 0 else ("7H", "9D"))
    right = proposed(page.press(CardPress(0, PileSide.RIGHT), 1.0))
    assert isinstance(right, Play)
    assert right.pile == seat
    page = table(seat, piles=("9H", "7D") if seat == 0 else ("7H", "9D"))
    left = proposed(page.press(CardPress(0, PileSide.LEFT), 1.0))
    assert isinstance(left, Play)
    assert left.pile == 1 - seat


def test_a_key_names_the_card_that_lies_there() -> None:
    page = table()
    move = proposed(page.press(CardPress(0, PileSide.LEFT), 1.0))
    assert move == Play(card_of("8H", 0), 1, 1)
    assert page.scene(1.0).hand == move


def test_a_digit_goes_where_the_card_fits() -> None:
    page = table(piles=("9H", "2D"))
    assert proposed(page.press(CardPress(0, None), 1.0)) == Play(card_of("8H", 0), 0, 1)
    page = table(piles=("9H", "2D"))
    assert proposed(page.press(CardPress(2, None), 1.0)) is None
    assert note(page) is Happened.DOES_NOT_FIT


def test_where_both_piles_fit_it_asks_and_an_arrow_answers() -> None:
    page = table()
    assert page.press(CardPress(0, None), 1.0) == ()
    assert page.scene(1.0).asked_slot == 0
    assert note(page) is Happened.WHICH_PILE
    assert proposed(page.press(Arrow(PileSide.LEFT), 1.0)) == Play(card_of("8H", 0), 1, 1)
    assert page.scene(1.0).asked_slot is None
    assert page.press(Arrow(PileSide.LEFT), 1.0) == ()


@pytest.mark.parametrize(
    ("pile", "changed", "left"),
    [(0, PileSide.RIGHT, PileSide.LEFT), (1, PileSide.LEFT, PileSide.RIGHT)],
)
def test_which_pile_is_asked_while_there_are_two(
    pile: int, changed: PileSide, left: PileSide
) -> None:
    """The question doesn't outlive a pile that has changed; an arrow that is on its way is about the card all the same."""

    def page_changed() -> TablePage:
        page = table()
        page.press(CardPress(0, None), 1.0)
        complete(page, (None, Play(card_of("8D", 1), pile, 1)))
        assert page.scene(1.0).asked_slot is None
        assert note(page) is Happened.LANDED
        return page

    page = page_changed()
    assert proposed(page.press(Arrow(left), 1.0)) == Play(card_of("8H", 0), 1 - pile, 1)
    assert page.press(Arrow(left), 1.0) == ()
    page = page_changed()
    assert page.press(Arrow(changed), 1.0) == ()
    assert note(page) is Happened.DOES_NOT_FIT
    page = page_changed()
    page.press(CardPress(1, None), 1.0)  # another card: nothing is left of the choice
    assert page.press(Arrow(left), 1.0) == ()


def test_which_pile_is_not_asked_for_a_card_that_has_gone() -> None:
    """Its own key has played it; the card that comes into its slot was never asked for."""
    page = table()
    page.press(CardPress(0, None), 1.0)
    move = proposed(page.press(CardPress(0, PileSide.LEFT), 1.0))
    complete(page, (move, None))
    assert page.scene(1.0).asked_slot is None
    assert page.press(Arrow(PileSide.RIGHT), 1.0) == ()


def test_which_pile_is_asked_on_where_nothing_changed() -> None:
    page = table()
    page.press(CardPress(0, None), 1.0)
    complete(page, (None, None))
    assert page.scene(1.0).asked_slot == 0
    assert note(page) is Happened.WHICH_PILE


def test_a_card_that_does_not_fit_is_said_at_once() -> None:
    page = table()
    assert page.press(CardPress(1, PileSide.LEFT), 1.0) == ()
    assert note(page) is Happened.DOES_NOT_FIT
    assert page.scene(1.0).hand is None


def test_an_empty_slot_has_no_card() -> None:
    page = table(rows=("8H - QH 10S", ROWS[1]))
    assert page.press(CardPress(1, PileSide.LEFT), 1.0) == ()
    assert note(page) is Happened.NO_CARD


def test_the_newest_key_waits() -> None:
    """One more is kept while one is under way, judged when its turn comes, and the newest counts."""
    page = table()
    page.press(CardPress(0, PileSide.LEFT), 1.0)
    assert proposed(page.press(CardPress(1, PileSide.LEFT), 1.0)) == Play(card_of("3S", 0), 1, 1)
    assert proposed(page.press(CardPress(3, PileSide.RIGHT), 1.0)) == Play(card_of("10S", 0), 0, 1)
    scene = page.scene(1.0)
    assert scene.hand == Play(card_of("8H", 0), 1, 1)
    assert scene.waiting == Play(card_of("10S", 0), 0, 1)


def test_a_digit_thinks_of_the_card_under_way() -> None:
    """The pile that counts is the one that the card in the hand will have left behind."""
    page = table(rows=("8H 7S QH KS", ROWS[1]), piles=("9H", "2D"))
    page.press(CardPress(0, PileSide.RIGHT), 1.0)
    assert proposed(page.press(CardPress(1, None), 1.0)) == Play(card_of("7S", 0), 0, 1)


def test_a_repeating_key_changes_nothing() -> None:
    page = table()
    assert proposed(page.press(CardPress(0, PileSide.LEFT), 1.0)) is not None
    for _ in range(50):
        assert page.press(CardPress(0, PileSide.LEFT), 1.0) == ()
    assert page.scene(1.0).waiting is None


def test_landed_beaten_and_late_differ() -> None:
    page = table()
    page.press(CardPress(0, PileSide.LEFT), 1.0)
    complete(page, (Play(card_of("8H", 0), 1, 1), None))
    assert (note(page), page.scene(1.0).hand) == (Happened.LANDED, None)
    page = table(rows=("8H 3S QH 10S", "10D 8C 8D 10C"))
    page.press(CardPress(0, PileSide.LEFT), 1.0)
    complete(page, (Play(card_of("8H", 0), 1, 1), Play(card_of("10D", 1), 1, 1)))
    scene = page.scene(1.0)
    assert scene.note.happened is Happened.BEATEN
    assert scene.note.by is not None
    assert sum(scene.races) == 1
    page = table()
    page.tell(NotLegal(Play(card_of("3S", 0), 1, 1), True), 1.0)
    assert note(page) is Happened.TOO_LATE


def test_space_does_what_is_due() -> None:
    """Deal, ready, spit, refill, each at its time; nothing at others."""
    page = model(new_match(FIVE_GAMES))
    assert proposed(page.press(Plain.SPACE, 1.0)) == Deal()
    complete(page, (Deal(), None))
    assert proposed(page.press(Plain.SPACE, 1.1)) == Ready()
    complete(page, (Ready(), None))
    assert page.press(Plain.SPACE, 1.2) == ()
    assert note(page) is Happened.NOT_NOW
    complete(page, (None, Ready()))
    assert proposed(page.press(Plain.SPACE, 1.3)) == Spit()


def test_space_refills_when_asked_to() -> None:
    """R11, manual: the next empty slot, and not the one that is being filled."""
    settings = Settings(refill=RefillMode.MANUAL)
    page = model(lay(("8H - QH -", ROWS[1]), PILES, settings=settings))
    assert proposed(page.press(Plain.SPACE, 1.0)) == Refill(1)


def test_spit_comes_by_itself_in_auto() -> None:
    settings = Settings(spit=SpitMode.AUTO)
    page = model(lay(ROWS, ("", ""), ready=(True, True), settings=settings))
    assert page.press(Plain.SPACE, 1.0) == ()


def test_the_shout_fades() -> None:
    page = model(lay(ROWS, ("", ""), ready=(True, True), settings=FIVE_GAMES))
    complete(page, (None, Spit()))
    assert page.scene(1.0).shout == (1,)
    assert page.next_tick_s(1.0) == pytest.approx(SHOUT_S)
    assert page.scene(1.0 + SHOUT_S).shout == ()


def test_quitting_asks_and_then_leaves() -> None:
    """R22: leaving on purpose concedes the match; the screen closes when both sides know."""
    page = table()
    assert page.press(Plain.YES, 1.0) == ()
    assert page.press(Plain.QUIT, 1.0) == ()
    assert page.scene(1.0).question is Question.QUIT
    assert page.press(Plain.NO, 1.0) == ()
    assert page.scene(1.0).question is None
    page.press(Plain.QUIT, 1.0)
    assert proposed(page.press(Plain.YES, 1.0)) == Leave()
    complete(page, (Leave(), None))
    assert page.tell(Finished(Ended(7, Ending.OVER, None, "")), 1.0) == (Command.CLOSE,)


def test_a_play_key_still_plays_while_a_question_stands() -> None:
    """Nothing ever takes a key from the player."""
    page = table()
    page.press(Plain.QUIT, 1.0)
    assert proposed(page.press(CardPress(0, PileSide.LEFT), 1.0)) is not None


def test_conceding_asks() -> None:
    page = table()
    page.press(Plain.CONCEDE, 1.0)
    assert page.scene(1.0).question is Question.CONCEDE
    assert proposed(page.press(Plain.YES, 1.0)) == Concede()


def test_a_match_that_was_stopped_has_no_game_to_concede() -> None:
    """And the key isn't named any more."""
    page = table()
    keys = labels.concede_key(KeyLabels())
    assert keys in "\n".join(texts(draw(page.scene(1.0), 80, 24, Look())))
    page.tell(Finished(Ended(7, Ending.VIOLATION, 1, "desync")), 1.0)
    page.press(Plain.CONCEDE, 2.0)
    assert page.scene(2.0).question is None
    assert keys not in "\n".join(texts(draw(page.scene(2.0), 80, 24, Look())))


def test_a_lost_opponent_counts_down_and_can_be_claimed_against() -> None:
    """The question is never put by itself: a key that was meant for the race must not claim."""
    page = table()
    page.tell(PeerLost(6, False), 10.0)
    gone = page.scene(15.0).gone
    assert gone is not None
    assert gone.grace_left_s == 55.0
    page.press(Plain.QUIT, 15.0)
    assert page.scene(15.0).question is Question.QUIT
    page.press(Plain.NO, 15.0)
    assert "Bram: 0:01." in "\n".join(texts(draw(page.scene(70.0), 80, 24, Look())))
    page.tell(Claimable(6), 70.0)
    assert page.scene(70.0).question is None
    page.press(Plain.QUIT, 70.0)
    assert page.scene(70.0).question is Question.CLAIM
    assert page.press(Plain.YES, 70.0) == (Command.CLAIM,)
    page.tell(PeerBack(6), 71.0)
    assert page.scene(71.0).gone is None


@pytest.mark.parametrize("seat", [0, 1])
def test_who_has_used_up_the_long_breaks_sees_the_time_run_out_sooner(seat: int) -> None:
    """R22: both count down to the same moment, and are told why it comes before the grace period is over."""
    page = table(seat, rows=("8H 3S QH 10S", "2S 2C 6D 4C"), piles=("9H", "9D"))
    mine, theirs = (None, 32.0) if seat == 0 else (32.0, None)
    page.claims(Claims(mine, theirs, (True, False)))
    complete(page, (None, None), 10.0)
    assert page.scene(12.0).idle == Idle(0, 20.0, short=True)
    for columns, rows in ((80, 24), (50, 15)):
        screen = "\n".join(texts(draw(page.scene(12.0), columns, rows, Look())))
        assert "0:20" in screen
    wide = " ".join("\n".join(texts(draw(page.scene(12.0), 120, 40, Look()))).split())
    assert "used up the long breaks." in wide
    if seat:
        page.tell(Claimable(7), 32.0)
        screen = "\n".join(texts(draw(page.scene(32.0), 80, 24, Look())))
        assert "Ana has used up the long breaks." in screen
        assert "hasn’t moved" not in screen
    page.claims(Claims())
    complete(page, (Play(card_of("8H", 0), 0, 1), None), 33.0)
    assert page.scene(33.0).idle is None
    assert page.scene(33.0).gone is None


def test_a_lost_opponent_without_long_breaks_is_waited_for_less() -> None:
    page = table()
    page.claims(Claims(17.0, None, (False, True)))
    page.tell(PeerLost(6, False), 10.0)
    gone = page.scene(11.0).gone
    assert gone is not None
    assert (gone.grace_left_s, gone.short) == (6.0, True)
    assert "0:06" in "\n".join(texts(draw(page.scene(11.0), 80, 24, Look())))


def test_a_program_that_does_not_answer_is_waited_for_and_may_be_left() -> None:
    """The opponent is there, so nothing says otherwise; to leave a game that stands still concedes nothing."""
    page = table()
    page.claims(Claims(60.0, None))
    page.tell(AnswerOverdue(6), 6.0)
    screen = "\n".join(texts(draw(page.scene(10.0), 80, 24, Look())))
    assert "Bram’s program isn’t answering." in screen
    assert "0:50" in screen
    assert "away" not in screen
    page.press(Plain.QUIT, 10.0)
    assert "concedes nothing" in "\n".join(texts(draw(page.scene(10.0), 80, 24, Look())))
    assert page.press(Plain.YES, 10.0) == (Command.CLOSE,)
    complete(page, (Play(card_of("8H", 0), 0, 1), None), 11.0)
    assert page.scene(11.0).gone is None


@pytest.mark.parametrize("seat", [0, 1])
def test_who_is_there_and_does_nothing_is_waited_for_before_all_eyes(seat: int) -> None:
    """R22: both see how long is left, whatever page is open, from half a minute before the match may be claimed."""
    page = table(seat, rows=("8H 3S QH 10S", "2S 2C 6D 4C"), piles=("9H", "9D"))
    complete(page, (None, None), 10.0)
    assert page.next_tick_s(10.0) == 30.0
    assert page.scene(39.0).idle is None
    assert page.scene(45.0).idle == Idle(0, 25.0)
    assert page.next_tick_s(45.0) == 1.0
    for columns, rows in ((80, 24), (50, 15)):
        for _page_of_the_help in range(3):
            screen = "\n".join(texts(draw(page.scene(45.0), columns, rows, Look())))
            assert "0:25" in screen
            page.press(Plain.HELP, 45.0)
    screen = "\n".join(texts(draw(page.scene(70.0), 80, 24, Look())))
    assert ("claim the match in 0:01." if seat else "Bram may claim the match now.") in screen
    if seat:
        page.tell(Claimable(7), 70.0)
        screen = "\n".join(texts(draw(page.scene(70.0), 80, 24, Look())))
        assert "Ana hasn’t moved for 1:00." in screen
        assert "away" not in screen
        page.press(Plain.QUIT, 70.0)
        screen = "\n".join(texts(draw(page.scene(70.0), 80, 24, Look())))
        assert "Ana hasn’t moved for 1:00." in screen
        page.press(Plain.NO, 70.0)
    complete(page, (Play(card_of("8H", 0), 0, 1), None), 71.0)
    assert page.scene(71.0).idle is None
    assert page.scene(71.0).gone is None


@pytest.mark.parametrize("seat", [0, 1])
def test_no_time_runs_out_for_whom_nobody_claims_against(seat: int) -> None:
    """Against this run's own opponent, which waits for ever; what it owes itself is counted as anybody's."""
    match = lay(("8H 3S QH 10S", "2S 2C 6D 4C"), ("9H", "9D"), settings=FIVE_GAMES)
    page = TablePage(seat, ("Ana", "Bram"), match, "1", 0.0, claimed_against=False)
    complete(page, (None, None), 10.0)
    assert page.scene(45.0).idle == (Idle(0, 25.0) if seat else None)
    assert page.next_tick_s(45.0) == (1.0 if seat else None)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_refusal_is_seen_before_it_is_said_again_who_is_waited_for(seat: int) -> None:
    """R22: whoever is waited for, or waits, and presses a key that does nothing learns why."""
    page = table(seat, rows=("8H 3S QH 10S", "2S 2C 6D 4C"), piles=("9H", "9D"))
    complete(page, (None, None), 10.0)

    def screen(now_s: float) -> str:
        return "\n".join(texts(draw(page.scene(now_s), 80, 24, Look())))

    waits = "0:2" if seat else "Bram waits for you. 0:2"
    assert waits in screen(45.0)
    page.press(CardPress(1, None), 45.5)
    assert "fits neither pile" in screen(45.5)
    assert waits not in screen(45.5)
    assert page.next_tick_s(47.0) == pytest.approx(0.5)
    assert waits in screen(45.5 + REFUSED_S)
    assert "fits neither pile" not in screen(45.5 + REFUSED_S)
    page.press(CardPress(1, None), 50.0)
    assert "fits neither pile" in screen(50.0), "the same key once more"
    page.press(Plain.HELP, 50.5)
    assert waits in screen(50.5), "who reads the help doesn't see the note"


def test_why_a_key_did_nothing_is_said_for_a_while() -> None:
    """Then the line is empty, also where nothing else happens; a question which pile stands until it is answered."""
    refused = ((Plain.SPACE, Happened.NOT_NOW), (CardPress(1, None), Happened.DOES_NOT_FIT))
    page = table()
    for key, why in refused:
        page.press(key, 10.0)
        assert page.scene(11.0).note.happened is why
        assert page.next_tick_s(11.0) == pytest.approx(REFUSED_S - 1.0)
        assert page.scene(10.0 + REFUSED_S).note.happened is Happened.NOTHING
        assert page.next_tick_s(10.0 + REFUSED_S) is None
    page.tell(NotLegal(Play(card_of("3S", 0), 0, 1), True), 20.0)
    assert page.scene(20.0).note.happened is Happened.TOO_LATE
    assert page.scene(20.0 + REFUSED_S).note.happened is Happened.NOTHING
    page.press(CardPress(0, None), 30.0)
    assert page.scene(90.0).note.happened is Happened.WHICH_PILE
    page.press(Arrow(PileSide.LEFT), 90.0)
    assert page.scene(90.0).note.happened is Happened.NOTHING


@pytest.mark.parametrize("key", [Plain.SPACE, CardPress(1, None), CardPress(0, None)])
@pytest.mark.parametrize("question", [Plain.QUIT, Plain.CONCEDE])
def test_no_refusal_stands_beside_a_question(key: Press, question: Plain) -> None:
    """What has happened still does; an arrow answers the question that is seen."""
    page = table()
    page.press(key, 10.0)
    page.press(question, 10.5)
    scene = page.scene(10.5)
    assert (scene.note.happened, scene.asked_slot) == (Happened.NOTHING, None)
    assert page.press(Arrow(PileSide.LEFT), 10.5) == ()
    complete(page, (None, Play(card_of("8D", 1), 0, 1)), 11.0)
    page.press(question, 11.0)
    assert page.scene(11.0).note.happened is Happened.LANDED


def test_nobody_is_waited_for_where_both_have_something_to_do() -> None:
    page = table()
    complete(page, (None, None), 10.0)
    assert page.scene(1000.0).idle is None
    assert page.next_tick_s(1000.0) is None


def test_leaving_a_lost_opponent_concedes_nothing() -> None:
    page = table()
    page.tell(PeerLost(6, True), 10.0)
    page.press(Plain.QUIT, 11.0)
    assert page.press(Plain.YES, 11.0) == (Command.CLOSE,)


def test_of_what_was_played_before_no_time_is_known() -> None:
    """Taken up again, a match has all that was played; it wasn't played in the moment in which it is read."""
    begun = lay(("8H 3S QH 10S", "2S 2C 6D 4C"), ("9H", "9D"), settings=FIVE_GAMES)
    first = completed(begun, (Play(card_of("8H", 0), 0, 1), None))
    page = model(begun)
    page.recall([first], 5.0)
    assert page.scene(5.0).match == first.match
    summary = page.scene(5.0).moments[-1].summary
    assert (summary.longest_run, summary.fastest_s) == ((1, 0), (None, None))
    complete(page, (Play(card_of("10S", 0), 1, 1), None), 7.0)
    assert page.scene(7.0).moments[-1].summary.fastest_s == (2.0, None)


def test_keys_typed_ahead_never_leak_into_the_next_game() -> None:
    page = table()
    before = page.generation
    complete(page, (Concede(), None), now_s=5.0)
    assert page.generation == before + 1
    assert page.scene(5.0).summary is not None
    assert page.press(Plain.SPACE, 5.0 + DEAF_S / 2) == ()
    assert proposed(page.press(Plain.SPACE, 5.0 + DEAF_S)) == Deal()


@pytest.mark.parametrize("settings", [Settings(), FIVE_GAMES])
@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (50, 15)])
def test_after_a_game_a_key_is_shown_once_it_counts(
    settings: Settings, columns: int, rows: int
) -> None:
    """Until then what leaves is; a click that was meant for the race meets nothing, and no row moves as the keys come."""
    page = model(lay(ROWS, PILES, settings=settings))
    complete(page, (Concede(), None), now_s=5.0)
    key = "r: rematch" if settings.games == 1 else "space: next game"
    before, after = (
        draw(page.scene(5.0 + passed_s), columns, rows, Look()) for passed_s in (0.0, DEAF_S)
    )
    assert key not in "".join(texts(before))
    assert "q: leave" in "".join(texts(before))
    assert before.hits == ()
    assert key in "".join(texts(after))
    assert after.hits
    assert texts(before)[:-2] == texts(after)[:-2]


def test_the_keys_come_by_themselves() -> None:
    page = table()
    complete(page, (Concede(), None), now_s=5.0)
    assert page.next_tick_s(5.5) == pytest.approx(DEAF_S - 0.5)
    page.tell(PeerLost(6, False), 5.5)
    assert page.next_tick_s(5.5) == pytest.approx(DEAF_S - 0.5)
    page.scene(5.0 + DEAF_S)
    assert page.next_tick_s(6.0) == 1.0


def test_after_a_game_keys_are_told_once_they_count() -> None:
    page = table()
    complete(page, (Concede(), None), now_s=5.0)
    teller = Narrator(KeyLabels())
    assert not any("next game" in line for line in teller.news(page.scene(5.0)))
    assert [*teller.news(page.scene(5.0 + DEAF_S))] == ["Space: next game   q: leave"]


@pytest.mark.parametrize("settings", [Settings(), FIVE_GAMES])
def test_leaving_is_heard_at_once_after_a_game(settings: Settings) -> None:
    """Where it would concede the match it asks, and no answer is heard before it can have been read."""
    page = model(lay(ROWS, PILES, settings=settings))
    complete(page, (Concede(), None), now_s=5.0)
    wishes = page.press(Plain.QUIT, 5.01)
    assert wishes == ((Command.CLOSE,) if settings.games == 1 else ())
    assert page.scene(5.01).question is (None if settings.games == 1 else Question.QUIT)
    assert page.press(Plain.YES, 5.02) == ()
    assert page.scene(5.02).question is (None if settings.games == 1 else Question.QUIT)


def test_a_newcomer_is_led_until_the_end_of_the_first_game() -> None:
    match = lay(ROWS, PILES, settings=FIVE_GAMES)
    page = TablePage(0, ("Ana", "Bram"), match, "123", 0.0, lessons=True)
    assert page.scene(1.0).lessons
    complete(page, (Concede(), None), now_s=5.0)
    assert not page.scene(9.0).lessons


def test_after_the_match_r_asks_for_another_and_q_leaves() -> None:
    page = model(lay(ROWS, PILES, settings=Settings()))
    complete(page, (Concede(), None), now_s=5.0)
    assert page.scene(9.0).match.over
    assert page.press(Plain.SPACE, 9.0) == ()
    assert page.press(Plain.REMATCH, 9.0) == (Command.REMATCH,)
    for gone in (Prospect.AWAY, Prospect.LEFT):
        page.tell(Ahead(gone), 9.0)
        assert page.press(Plain.REMATCH, 9.0) == ()
    assert page.press(Plain.QUIT, 9.0) == (Command.CLOSE,)


def test_what_a_game_amounts_to() -> None:
    """Cards left over time, races, longest run, the fastest play."""
    page = table()
    complete(page, (Play(card_of("8H", 0), 1, 1), None), now_s=2.0)
    complete(page, (None, Play(card_of("8D", 1), 0, 1)), now_s=2.5)
    complete(page, (Concede(), None), now_s=3.0)
    summary = page.scene(3.0).summary
    assert summary is not None
    assert summary.cards_left == ((52, 52), (51, 52), (51, 51))
    assert summary.longest_run == (1, 1)
    assert summary.fastest_s == (2.0, 0.5)


def test_a_spit_takes_cards_too() -> None:
    page = model(lay(ROWS, ("", ""), ready=(True, True), settings=Settings()))
    complete(page, (None, Spit()))
    complete(page, (Concede(), None), now_s=3.0)
    summary = page.scene(3.0).summary
    assert summary is not None
    assert summary.cards_left[-1] == (51, 51)


@pytest.mark.parametrize("seat", [0, 1])
def test_leaving_is_told_as_leaving(seat: int) -> None:
    """R22: in a game it is why that ended; between games it is a note of its own."""
    page = table(seat)
    complete(page, (None, Leave()))
    scene = page.scene(1.0)
    assert (scene.left, scene.note.happened) == ((1,), Happened.GAME_OVER)
    assert scene.summary is not None
    assert scene.summary.left == (1,)
    page = table(seat)
    complete(page, (Concede(), None))
    complete(page, (None, Leave()))
    scene = page.scene(1.0)
    assert (scene.left, scene.note.happened, scene.note.seat) == ((1,), Happened.LEFT, 1)
    assert scene.summary is not None
    assert scene.summary.left == ()


def test_a_shout_a_moment_late_says_nothing() -> None:
    """The other was first; what they said stays on the line."""
    page = model(lay(ROWS, ("", ""), ready=(True, True), settings=FIVE_GAMES))
    complete(page, (None, Spit()))
    assert page.press(Plain.SPACE, 1.0) == ()
    assert note(page) is Happened.SPIT
    page = table()
    assert page.press(Plain.SPACE, 1.0) == ()
    assert note(page) is Happened.NOT_NOW


def test_help_turns_its_pages_and_closes() -> None:
    page = table()
    shown = []
    for _ in range(3):
        page.press(Plain.HELP, 1.0)
        shown.append(page.scene(1.0).help)
    assert shown == [Help.KEYS, Help.RULES, None]


def test_escape_closes_any_page_of_the_help() -> None:
    page = table()
    for presses in (1, 2):
        for _ in range(presses):
            page.press(Plain.HELP, 1.0)
        page.press(Plain.ESCAPE, 1.0)
        assert page.scene(1.0).help is None


@pytest.mark.parametrize("page_of_the_help", [1, 2])
@pytest.mark.parametrize(
    "key",
    [Plain.SPACE, CardPress(0, PileSide.LEFT), CardPress(0, None), Arrow(PileSide.LEFT), Plain.YES],
)
def test_no_key_reaches_a_table_that_the_help_hides(page_of_the_help: int, key: Press) -> None:
    """It closes the page, and what was typed with it in one burst is forgotten; the next plays."""
    waiting = model(lay(ROWS, ("", ""), settings=FIVE_GAMES))
    for page in (table(), waiting):
        for _ in range(page_of_the_help):
            page.press(Plain.HELP, 1.0)
        typed_for = page.generation
        assert page.press(key, 1.0) == ()
        scene = page.scene(1.0)
        assert (scene.help, scene.hand, scene.asked_slot) == (None, None, None)
        assert scene.note.happened is Happened.NOTHING
        assert page.generation > typed_for
    assert proposed(waiting.press(Plain.SPACE, 1.1)) == Ready()


def test_a_question_takes_the_place_of_the_help() -> None:
    """The keys that ask are named on its page; the help can't be opened behind a question."""
    page = table()
    for key, question in ((Plain.QUIT, Question.QUIT), (Plain.CONCEDE, Question.CONCEDE)):
        page.press(Plain.HELP, 1.0)
        page.press(key, 1.0)
        assert (page.scene(1.0).question, page.scene(1.0).help) == (question, None)
        page.press(Plain.HELP, 1.0)
        assert page.scene(1.0).help is None
        page.press(Plain.NO, 1.0)


@pytest.mark.parametrize("seat", [0, 1])
def test_the_help_makes_way_when_play_begins(seat: int) -> None:
    page = model(lay(ROWS, ("", ""), ready=(True, True), settings=FIVE_GAMES), seat)
    page.press(Plain.HELP, 1.0)
    page.press(Plain.HELP, 1.0)
    complete(page, (Spit(), None) if seat else (None, Spit()))
    assert page.scene(1.0).help is None


def test_a_proposal_that_came_out_of_waiting_is_in_the_hand() -> None:
    page = table()
    page.press(CardPress(0, PileSide.LEFT), 1.0)
    page.press(CardPress(3, PileSide.RIGHT), 1.0)
    complete(page, (Play(card_of("8H", 0), 1, 1), None))
    page.tell(MoveProposed(Play(card_of("10S", 0), 0, 1)), 1.0)
    scene = page.scene(1.0)
    assert scene.hand == Play(card_of("10S", 0), 0, 1)
    assert scene.waiting is None


def gone(page: TablePage) -> TablePage:
    page.tell(PeerLost(7, on_purpose=False), 1.0)
    return page


def test_a_key_pressed_while_the_other_is_away_waits_for_them() -> None:
    """C3: it goes out as they come back; the card is seen in the hand until then."""
    page = gone(table())
    play = proposed(page.press(CardPress(0, PileSide.LEFT), 2.0))
    assert isinstance(play, Play)
    assert page.scene(2.0).hand == play
    page.tell(PeerBack(7), 50.0)
    assert page.scene(50.0).hand == play
    page.tell(MoveProposed(play), 50.0)
    assert page.scene(50.0).hand == play


def test_of_several_keys_pressed_while_the_other_is_away_the_newest_counts() -> None:
    """Each is judged by what lies there, since none of them is played before another."""
    page = gone(table(rows=("8H 3S 10H 7S", "8D 2C 6D 4C"), piles=("9H", "9D")))
    first = proposed(page.press(CardPress(0, PileSide.LEFT), 2.0))
    assert not page.press(CardPress(3, PileSide.LEFT), 2.1)  # 7 fits the 8, which doesn't lie there
    assert note(page) is Happened.DOES_NOT_FIT
    second = proposed(page.press(CardPress(2, PileSide.LEFT), 2.2))
    page.tell(Displaced(first), 2.2) if first is not None else None
    assert (page.scene(2.2).hand, page.scene(2.2).waiting) == (second, None)
    assert first != second is not None


def test_a_card_under_way_stays_in_the_hand_while_the_other_is_away() -> None:
    """It was proposed before the link broke; what is pressed since comes behind it."""
    page = table()
    first = proposed(page.press(CardPress(0, PileSide.LEFT), 1.0))
    assert first is not None
    page.tell(MoveProposed(first), 1.0)
    gone(page)
    second = proposed(page.press(CardPress(3, PileSide.RIGHT), 2.0))
    assert (page.scene(2.0).hand, page.scene(2.0).waiting) == (first, second)


def test_what_a_newer_key_displaced_is_not_shown_any_more() -> None:
    """While the opponent's beat is under way nothing of one's own is: the newest key waits, and no other."""
    page = table()
    first = proposed(page.press(CardPress(0, PileSide.LEFT), 1.0))
    second = proposed(page.press(CardPress(3, PileSide.RIGHT), 1.0))
    assert first is not None
    page.tell(Displaced(first), 1.0)
    assert (page.scene(1.0).hand, page.scene(1.0).waiting) == (second, None)


def test_many_stops_in_a_minute_are_pointed_out() -> None:
    """As long as there were so many within the last minute; the line for news says so for a moment at each."""
    page = table()
    for number in range(MANY):
        assert page.scene(1.0 + number).stopping is None
        page.tell(StopEnded(Stop(8, None, 120)), 1.0 + number)
    last_s = 1.0 + MANY - 1
    assert page.scene(last_s).stopping == Stopping(MANY, shouted=True)
    tick_s = page.next_tick_s(last_s)
    assert tick_s == SHOUTED_S
    assert page.scene(last_s + SHOUTED_S).stopping == Stopping(MANY, shouted=False)
    ends_s = 1.0 + LATELY_S
    assert page.next_tick_s(last_s + SHOUTED_S) == ends_s - last_s - SHOUTED_S
    assert page.scene(ends_s).stopping is None
    assert page.next_tick_s(ends_s) is None
