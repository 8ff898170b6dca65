"""`spitnet rules` on a terminal of 80 columns: whole, in signs or in ASCII, with one's own keys."""

from pathlib import Path

import pytest
from support.program import run

from spitnet.ui.render.rules_page import sentences


@pytest.mark.parametrize("flags", [(), ("--ascii",)])
def test_it_is_all_there_and_fits(tmp_path: Path, flags: tuple[str, ...]) -> None:
    ran = run(tmp_path, "rules", *flags)
    assert (ran.code, ran.err) == (0, "")
    assert max(map(len, ran.out.splitlines())) < 80
    assert ran.out.isascii() is bool(flags)
    said = " ".join(ran.out.split())
    before, after = sentences()
    for sentence in (*before, *after):
        assert sentence.translate(str.maketrans("’“”", '\'""') if flags else {}) in said


def test_the_keys_are_those_of_the_user(tmp_path: Path) -> None:
    assert "a s d f  card 1–4 to the left pile" in run(tmp_path, "rules").out
    own = run(tmp_path, "rules", "--keys", "dvorak").out
    assert "a o e u  card 1–4 to the left pile" in own
    assert "h t n s  card 1–4 to the right pile" in own


def test_a_narrow_terminal_is_wrapped_for(tmp_path: Path) -> None:
    ran = run(tmp_path, "rules", extra={"COLUMNS": "40"})
    assert max(map(len, ran.out.splitlines())) < 40
    assert "card 1–4 to the right pile" in " ".join(ran.out.split())


def test_the_letters_are_those_of_the_user(tmp_path: Path) -> None:
    assert "K♦ and 2♥ fit on A♠" in run(tmp_path, "rules").out
    assert "Z♦ and 2♥ fit on X♠" in run(tmp_path, "rules", "--ranks", "XZYW").out
    assert "Z♦ and 2♥ fit on X♠" in run(tmp_path, "rules", extra={"SPITNET_RANKS": "XZYW"}).out
