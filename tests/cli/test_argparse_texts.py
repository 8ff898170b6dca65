"""What argparse says goes through our catalogue: every text that a mistake brings about is one that ours know."""

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
SILENT = {
    "positional arguments",
    "options",
    "expected at most one argument",
    "expected at least one argument",
}
"""Looked up before it is known whether they are needed; no parser of ours shows them."""
OURS = "commands"
"""A heading that argparse looks up once more."""


@pytest.mark.parametrize("given", MISTAKES, ids=" ".join)
def test_the_catalogue_knows_what_is_said(
    given: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    texts: list[str] = []

    def translated(text: str | None) -> str | None:
        if text is None:
            return None  # what there is no text for is looked up too
        texts.append(text)
        return f"<{text}>"

    monkeypatch.setattr(argparse_texts, "_", translated)
    with pytest.raises(UsageFailure) as failure:
        arguments.parse(given)
    assert "<" in failure.value.message
    monkeypatch.undo()
    argparse_texts.route()
    assert set(texts) - SILENT - {OURS} <= set(argparse_texts.known())


def test_headings_and_errors_are_looked_up_anew_for_each_language(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(argparse_texts, "_", lambda text: text and text.replace("unrec", "UNREC"))
    with pytest.raises(UsageFailure, match="UNRECognized arguments: now"):
        arguments.parse(["list", "now"])
    monkeypatch.undo()
    with pytest.raises(UsageFailure, match="unrecognized arguments"):
        arguments.parse(["list", "now"])
