"""The help of each command is true for that command."""

import io
from contextlib import redirect_stdout

import pytest

from spitnet.cli.arguments import parse
from spitnet.cli.settings import SETTINGS, Group, settings_of
from spitnet.cli.subcommands import COMMANDS, PLAYING

SCREEN = [one.flag for one in SETTINGS.values() if one.group is Group.SCREEN]
OF_A_PLAYER = ("your seat", "opponent", "a bot", "the bot", "headless play")
"""Nobody sits or is played against where a match is only looked at, or asked about."""


def help_of(command: str) -> str:
    """What stands behind the usage, on one line, whatever the width of the terminal."""
    out = io.StringIO()
    with redirect_stdout(out), pytest.raises(SystemExit):
        parse([command, "--help"])
    return " ".join(out.getvalue().split()).partition(str(COMMANDS[command].summary))[2]


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - {*PLAYING, "stats"}))
def test_who_does_not_play_reads_nothing_of_a_seat(command: str) -> None:
    said = help_of(command)
    assert not [words for words in OF_A_PLAYER if words in said]


@pytest.mark.parametrize("command", COMMANDS)
def test_headless_is_spoken_of_where_it_is(command: str) -> None:
    said = help_of(command)
    assert ("headless" in said) == ("headless" in [one.key for one in settings_of(command)])


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - {*PLAYING, "watch", "replay"}))
def test_more_in_the_log_needs_a_log(command: str) -> None:
    assert "--verbose no effect here" in help_of(command)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_heading_stands_once(command: str) -> None:
    out = io.StringIO()
    with redirect_stdout(out), pytest.raises(SystemExit):
        parse([command, "--help"])
    headings = [line for line in out.getvalue().splitlines() if line.endswith(":")]
    headings = [line for line in headings if not line.startswith(" ")]
    assert len(set(headings)) == len(headings)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("host", "how long to wait for an opponent"),
        ("join", "how long to look for an opponent"),
        ("join", "TCP port of HOST"),
        ("solo", "how your opponent plays"),
        ("solo", "solo never leaves this machine"),
        ("resume", "how long the opponent may take to be back"),
        ("watch", "how long to look for a table"),
        ("watch", "like the players"),
        ("doctor", "your table would listen"),
        ("list", "the language of all texts: en"),
    ],
)
def test_a_setting_is_explained_as_the_command_means_it(command: str, said: str) -> None:
    assert said in help_of(command)


def test_every_flag_is_in_the_help() -> None:
    for command in COMMANDS:
        said = help_of(command)
        flags = [one.flag for one in settings_of(command) if one.key != "verbosity"]
        assert [flag for flag in flags if f" {flag} " not in said] == []


@pytest.mark.parametrize("command", PLAYING)
def test_how_it_looks_is_said_alike_wherever_somebody_plays(command: str) -> None:
    """A match that is taken up doesn't remember its flags: they can be given again."""
    said = help_of(command)
    assert [flag for flag in (*SCREEN, "--lang") if f" {flag} " not in said] == []
