"""Names that strangers send are safe to show."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spitnet.net.names import NAME_BYTES, NAME_CHARACTERS, clean_name


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Ana", "Ana"),
        ("  Ana \t\n van  Dijk ", "Ana van Dijk"),
        ("\x1b[31mred\x07", "[31mred"),
        ("a\u202eb\u2066c\u200fd", "abcd"),
        ("\ud800x", "x"),
        ("🃏 Łukasz 🎉", "🃏 Łukasz 🎉"),
        ("Спит", "Спит"),
        ("\u200b\u2060", ""),
        ("", ""),
    ],
)
def test_what_disturbs_a_screen_is_stripped(typed: str, shown: str) -> None:
    assert clean_name(typed) == shown


def test_long_names_are_cut_between_characters() -> None:
    assert clean_name("x" * 300) == "x" * 32
    assert clean_name("😀" * 300) == "😀" * 24


@given(st.text(st.characters()))
def test_every_name_is_clean_and_short(text: str) -> None:
    name = clean_name(text)
    assert len(name) <= NAME_CHARACTERS
    assert len(name.encode()) <= NAME_BYTES
    assert not any(unicodedata.category(one) in ("Cc", "Cf", "Cs") for one in name)
    assert clean_name(name) == name
