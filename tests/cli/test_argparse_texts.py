"""What argparse says goes through our catalogue: every text that a mistake brings about is one that ours know."""

import argparse
import re

import pytest

from spitnet.cli import argparse_texts, arguments
from spitnet.exits import UsageFailure

MISTAKES = [
    ["list", "--games", "3"],
    ["host", "--games"],
    ["--lang", "en", "hots"],
    ["verify"],
    ["list", "-q", "-v"],
    ["host", "--headless=yes"],
    ["--print-completion", "csh"],
    ["--print-completion"],
    ["list", "now"],
    ["join", "a", "b"],
]


@pytest.mark.parametrize("given", MISTAKES, ids=" ".join)
def test_the_catalogue_knows_what_is_said(
    given: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only of what is shown: each Python looks up others, before it knows whether they are needed."""
    texts: list[str] = []

    def translated(text: str) -> str:
        texts.append(text)
        return f"<{len(texts) - 1}:{text}>"

    monkeypatch.setattr(argparse_texts, "_", translated)
    with pytest.raises(UsageFailure) as failure:
        arguments.parse(given)
    monkeypatch.undo()
    argparse_texts.route()
    shown = {texts[int(number)] for number in re.findall(r"<(\d+):", failure.value.message)}
    assert shown
    assert shown <= set(argparse_texts.known())


def test_headings_and_errors_are_looked_up_anew_for_each_language(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for word in ("first", "second"):
        monkeypatch.setattr(argparse_texts, "_", lambda text, word=word: f"{word} {text}")
        with pytest.raises(UsageFailure, match=f"^{word} "):
            arguments.parse(["list", "now"])


def test_no_text_stays_no_text() -> None:
    """Argparse looks up what there is none of, too."""
    argparse_texts.route()
    assert vars(argparse)["_"](None) is None
