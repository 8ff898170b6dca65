"""What a command line comes to: each setting from where it counts, in its own type."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from spitnet.app.options import (
    Address,
    Command,
    HostOptions,
    JoinOptions,
    ListOptions,
    PlayOptions,
    ReplayOptions,
    SoloOptions,
    Sync,
    Verbosity,
    VerifyOptions,
)
from spitnet.bot.levels import Level
from spitnet.cli import values
from spitnet.cli.addresses import address
from spitnet.cli.arguments import parse
from spitnet.cli.commands import options_of
from spitnet.cli.config import path, read
from spitnet.cli.settings import SETTINGS, Group, settings_of
from spitnet.core.state import RefillMode, Settings, SpitMode
from spitnet.exits import UsageFailure


def options(home: Path, *arguments: str, extra: Mapping[str, str] | None = None) -> Command:
    environ = {"XDG_CONFIG_HOME": str(home), **(extra or {})}
    return options_of(parse(arguments), environ, read(path(environ)))


def configure(home: Path, content: str) -> None:
    file = home / "spitnet" / "config.toml"
    file.parent.mkdir()
    file.write_text(content, encoding="utf-8")


def test_nothing_said_is_the_defaults(tmp_path: Path) -> None:
    assert options(tmp_path, "host") == HostOptions()
    assert options(tmp_path, "join") == JoinOptions()
    assert options(tmp_path, "solo") == SoloOptions()
    assert options(tmp_path, "list") == ListOptions()


def test_every_setting_of_a_match(tmp_path: Path) -> None:
    found = options(
        tmp_path,
        *("host", "--games", "4", "--refill", "manual", "--spit", "auto", "--grace", "5"),
        *("--code", " word ", "--name", " Ada \t Lovelace ", "--headless", "--level", "hard"),
        *("--delay", "0", "--seed", "7", "--timeout", "0.5", "--journal", str(tmp_path / "a/b")),
        *("--sync", "process", "--port", "65535", "--discovery-port", "1", "-v"),
    )
    assert found == HostOptions(
        settings=Settings(games=4, refill=RefillMode.MANUAL, spit=SpitMode.AUTO, grace_s=5),
        code="word",
        name="Ada Lovelace",
        headless=True,
        level=Level.HARD,
        delay_s=0.0,
        seed=7,
        timeout_s=0.5,
        journal=tmp_path / "a/b",
        sync=Sync.PROCESS,
        port=65535,
        discovery_port=1,
        verbosity=Verbosity.VERBOSE,
    )


def test_flags_beat_the_environment_which_beats_the_file(tmp_path: Path) -> None:
    configure(tmp_path, 'name = "file"\ngames = 5\ngrace = 7\nheadless = true\nverbosity = "quiet"')
    extra = {"SPITNET_NAME": "environment", "SPITNET_GAMES": "3", "SPITNET_LEVEL": ""}
    found = options(tmp_path, "host", "--name", "flag", extra=extra)
    assert isinstance(found, HostOptions)
    assert found.name == "flag"
    assert found.settings == Settings(games=3, grace_s=7)
    assert found.headless
    assert found.verbosity is Verbosity.QUIET


def test_the_environment_can_say_no(tmp_path: Path) -> None:
    configure(tmp_path, "headless = true")
    found = options(tmp_path, "join", extra={"SPITNET_HEADLESS": "0"})
    assert found == JoinOptions()


def test_settings_of_other_commands_are_left_alone(tmp_path: Path) -> None:
    configure(tmp_path, 'games = 5\ncode = "word"')
    assert options(tmp_path, "list") == ListOptions()


def test_only_a_headless_search_ends_by_itself(tmp_path: Path) -> None:
    for arguments, timeout_s in ((["join"], None), (["join", "--headless"], 10.0)):
        found = options(tmp_path, *arguments)
        assert isinstance(found, JoinOptions)
        assert found.timeout_s == timeout_s


def test_records(tmp_path: Path) -> None:
    record = tmp_path / "record"
    record.touch()
    assert options(tmp_path, "verify", str(record)) == VerifyOptions(file=record)
    assert options(tmp_path, "replay", "--json", str(record)) == ReplayOptions(
        file=record, json=True
    )
    assert options(tmp_path, "replay", str(record), "--plain", "--ascii", "--no-color") == (
        ReplayOptions(file=record, plain=True, ascii=True, no_color=True)
    )


def test_the_letters_on_the_cards_are_a_setting_wherever_cards_are_shown(tmp_path: Path) -> None:
    configure(tmp_path, 'ranks = "local"')
    record = tmp_path / "record"
    record.touch()
    for command in ("host", "join", "solo", "resume", "watch", "rules", "replay"):
        file = (str(record),) if command == "replay" else ()
        assert getattr(options(tmp_path, command, *file), "ranks", None) == "local"
        found = options(tmp_path, command, *file, "--ranks", "AHVB")
        assert getattr(found, "ranks", None) == "AHVB"


LOOKS = ("--plain", "--ascii", "--no-color", "--mouse", "--no-hints")


@pytest.mark.parametrize("command", ["host", "join", "solo", "resume"])
def test_whoever_plays_says_alike_how_it_looks(tmp_path: Path, command: str) -> None:
    """So that the flags of a match can be given again when it is taken up."""
    of_the_screen = [one for one in SETTINGS.values() if one.group is Group.SCREEN]
    assert [one.key for one in of_the_screen if one not in settings_of(command)] == []
    found = options(tmp_path, command, *LOOKS, "--keys", "azerty", "--ranks", "local")
    assert isinstance(found, PlayOptions)
    assert all((found.plain, found.ascii, found.no_color, found.mouse, found.no_hints))
    assert (found.keys, found.ranks) == ("azerty", "local")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("host", Address("host")),
        ("host.local:5000", Address("host.local", 5000)),
        ("10.0.0.1", Address("10.0.0.1")),
        ("10.0.0.1:1", Address("10.0.0.1", 1)),
        ("::1", Address("::1")),
        ("[::1]", Address("::1")),
        ("[::1]:65535", Address("::1", 65535)),
        ("[fe80::1%lo]:80", Address("fe80::1%lo", 80)),
        ("my_laptop", Address("my_laptop")),
    ],
)
def test_addresses(tmp_path: Path, text: str, found: Address) -> None:
    assert address(text) == found
    assert options(tmp_path, "join", text) == JoinOptions(address=found)


def test_the_port_of_an_address_may_be_said_apart(tmp_path: Path) -> None:
    joined = JoinOptions(address=Address("host", 5000))
    assert options(tmp_path, "join", "host", "--port", "5000") == joined
    assert options(tmp_path, "join", "host:5000", extra={"SPITNET_PORT": "1"}) == joined


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("a" * 33, "a" * 32),
        ("Maximiliane von und zu Hohenstein-Waldau", "Maximiliane von und zu Hohenstei"),
        ("\U0001f0a1" * 25, "\U0001f0a1" * 24),
        ("a" * 31 + " b", "a" * 31),
        ("a" * 2000, "a" * 32),
    ],
    ids=["letters", "words", "bytes", "a last word", "endless"],
)
def test_a_name_too_long_to_travel_is_no_name(tmp_path: Path, text: str, fits: str) -> None:
    """Nobody is called by half a name: what fits is said, and can be given as it stands."""
    with pytest.raises(ValueError, match=r"^must be shorter; this much fits: ") as problem:
        values.name(text)
    assert str(problem.value).endswith(values.quoted(fits))
    assert values.name(fits) == fits
    with pytest.raises(UsageFailure, match=r"^--name: must be shorter; this much fits: "):
        options(tmp_path, "host", "--name", text)


def test_what_does_not_print_makes_no_name_too_long() -> None:
    assert values.name(" \t" * 50 + "Ada\u200b" * 8 + "\n" * 50) == "Ada" * 8
    assert values.name("e\u0301" * 32) == "\u00e9" * 32


def test_a_code_is_the_same_however_its_letters_are_composed() -> None:
    assert values.code("e\u0301") == values.code("\u00e9")


def test_a_relative_configuration_directory_does_not_count() -> None:
    assert path({"XDG_CONFIG_HOME": "here"}).is_absolute()
