"""Nothing that a terminal sends is taken for a key, whole or in pieces; and a key is one, however slowly it comes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.answers import ANSWERS, in_8_bits

from spitnet.ui.terminal import sequences
from spitnet.ui.terminal.key_sequences import is_mouse, name, place
from spitnet.ui.terminal.sequences import (
    ESCAPE_S,
    PASTE_KEPT,
    PASTE_SILENCE_S,
    SEQUENCE_MOST,
    SILENCE_S,
    STRING_MOST,
    Sequences,
    pasted,
)

EVERY = [*ANSWERS.values(), *map(in_8_bits, ANSWERS.values())]
PASTES = [answer for answer in EVERY if "asdf" in answer and "200~" in answer]
SLOWLY_S = 0.08
"""A slow link's."""
KEYS = {
    "\x1b[A": "up",
    "\x1bOB": "down",
    "\x1b[C": "right",
    "\x9bD": "left",
    "\x8fD": "left",
    "\x1b[1;129D": "left",
    "\x1b[1;1:2D": "left",
    "\x1b[1~": "home",
    "\x1bOF": "end",
    "\x1b[3~": "delete",
    "\x1bOP": "f1",
    "\x1b[[A": "f1",
    "\x1b[[E": "f5",
    "\x1b[15~": "f5",
    "\x1b[21~": "f10",
    "\x1b[27u": "escape",
    "\x1b[13u": "c-m",
    "\x1b[99;5u": "c-c",
    "\x1b[99::99;69u": "c-c",
    "\x1b[27;5;99~": "c-c",
    "\x1b[108;5u": "c-l",
    "\r": "c-m",
    "\x03": "c-c",
    "\x7f": "c-h",
    "a": "a",
    "ф": "ф",
    ";": ";",
}


def names(units: list[str]) -> list[str]:
    return [found for unit in units if (found := name(unit)) is not None and place(unit) is None]


def in_pieces(*pieces: str, after_s: float = SLOWLY_S) -> list[str]:
    """The keys in what comes so, with the time that passes between."""
    machine, now_s, units = Sequences(), 0.0, []
    for piece in pieces:
        units += machine.feed(piece, now_s)
        now_s += after_s
        units += machine.flush(now_s)
    return names(units)


@pytest.mark.parametrize("answer", EVERY)
def test_an_answer_is_no_key(answer: str) -> None:
    """Whole, in two at each place, and by the character; and what is typed before and after it counts."""
    assert in_pieces(f"s{answer}d") == ["s", "d"]
    for end in range(1, len(answer)):
        assert in_pieces("s", answer[:end], answer[end:], "d") == ["s", "d"], end
    assert in_pieces(*answer, "d") == ["d"]


@given(st.lists(st.sampled_from(EVERY), max_size=6), st.data())
def test_answers_in_a_row_are_no_keys(answers: list[str], data: st.DataObject) -> None:
    text = "".join(answers)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    pieces = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    assert in_pieces(*pieces, "k") == ["k"]


@pytest.mark.parametrize(("sent", "called"), KEYS.items())
def test_keys(sent: str, called: str) -> None:
    assert in_pieces(sent) == [called]
    for end in range(1, len(sent)):
        assert in_pieces(sent[:end], sent[end:]) == [called]


def test_an_escape_that_stands_alone() -> None:
    machine = Sequences()
    waits = [machine.waits]
    assert machine.feed("\x1b", 1.0) == []
    waits.append(machine.waits)
    assert machine.flush(1.0 + ESCAPE_S / 2) == []
    assert machine.flush(1.0 + ESCAPE_S) == ["\x1b"]
    waits.append(machine.waits)
    assert machine.feed("[", 2.0) == ["["]
    assert waits == [False, True, False]


@pytest.mark.parametrize(
    ("sent", "called"),
    [
        ("\x1ba", ["escape", "a"]),
        ("\x1b\r", ["escape", "c-m"]),
        ("\x1b\x1b[D", ["escape", "left"]),
        ("\x1b\x9bD", ["escape", "left"]),
    ],
)
def test_an_escape_before_a_key(sent: str, called: list[str]) -> None:
    assert in_pieces(sent) == called


def test_who_reads_late_tears_nothing_apart() -> None:
    """A process that was stopped reads an Escape, and much later what had come with it."""
    assert in_pieces("\x1b", "[D", after_s=0.0) == ["left"]
    machine = Sequences()
    assert machine.feed("\x1b", 0.0) == []
    assert names(machine.feed("[D", 60.0)) == ["left"]


@pytest.mark.parametrize(
    "begun", ["\x1b[", "\x1b[27;5", "\x1bO", "\x1b]11;rgb", "\x1bP>|t", "\x1b[Mq", "\x1b]1\x1b"]
)
def test_a_sequence_without_an_end_is_given_up(begun: str) -> None:
    """As when somebody has typed Alt+[: after a while keys count again; and a control counts at once."""
    machine = Sequences()
    assert machine.feed(begun, 0.0) == []
    assert machine.feed("jj", SILENCE_S + 0.01)[-1] == "j"
    machine.feed(begun, 2.0)
    assert names(machine.feed("\x03j", 2.0)) == ["c-c", "j"]


def test_a_paste_outlasts_a_pause() -> None:
    assert in_pieces("\x1b[200~qy", "as\x1b[201~k", after_s=PASTE_SILENCE_S - 0.01) == ["k"]
    assert in_pieces("\x1b[200~qy", "as", after_s=PASTE_SILENCE_S + 0.01) == ["a", "s"]


def test_lengths() -> None:
    """A sequence that is too long isn't waited for; a clipboard is; a paste is read to its end, and kept in part."""
    assert in_pieces("\x1b[" + "1" * (SEQUENCE_MOST - 3) + "~", "k") == ["k"]
    assert in_pieces("\x1b[" + "1" * SEQUENCE_MOST + "k")[-1] == "k"
    clipboard = "\x1b]52;c;" + "a" * (STRING_MOST - 9)
    assert in_pieces(clipboard + "\x1b\\k") == ["k"]
    assert in_pieces(clipboard + "a" * 100 + "k")[-1] == "k"
    units = Sequences().feed("\x1b[200~" + "é\x1b[20" * PASTE_KEPT + "\x1b[201~k", 0.0)
    assert [len(pasted(unit) or "") for unit in units] == [PASTE_KEPT, 0]


def test_a_paste_is_told() -> None:
    (unit,) = Sequences().feed("\x1b[200~the code\x1b[201~", 0.0)
    assert pasted(unit) == "the code"
    assert pasted("a") is None


def test_where_the_cursor_is() -> None:
    assert place("\x1b[2;20R") == (2, 20)
    assert place("\x1b[?2;20R") is None


def test_what_can_be_read_of_the_mouse() -> None:
    assert all(map(is_mouse, ["\x1b[<0;5;2M", "\x1b[<35;5;2m", "\x1b[32;5;2M", "\x1b[M qy"]))
    assert not any(map(is_mouse, ["\x1b[<0;5M", "\x1b[5M", "\x1b[M$qy", "\x1b[32;5;2m", "M"]))


def test_bytes_that_do_not_decode_are_no_controls() -> None:
    """Where a terminal sends UTF-8 and letters are read byte by byte, the second byte of one may look like one."""
    text = "śЛ".encode().decode("ascii", "surrogateescape")
    assert in_pieces(text + "k")[-1] == "k"


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=40))
def test_anything_leaves_a_keyboard_that_works(text: str) -> None:
    machine = Sequences()
    machine.feed(text, 0.0)
    machine.flush(10.0)
    assert machine.feed("k", 20.0)[-1:] == ["k"]


@pytest.mark.parametrize("answer", EVERY)
def test_a_line_holds_what_was_typed(answer: str) -> None:
    if answer not in PASTES:
        assert sequences.typed(f"Zo{answer}ë") == "Zoë"


def test_a_line_holds_what_was_pasted() -> None:
    assert sequences.typed("\x1b[200~Zoë\x1b[201~ Z") == "Zoë Z"
