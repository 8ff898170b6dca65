"""`spitnet config`: every setting with its value and where that comes from; a new file with all of them explained.

What belongs here: what is shown and what is written. What must not: reading the file (config), which text counts
(layers). A file that is there is never touched.
"""

import json
import os
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from spitnet.app import options as runtime_options
from spitnet.app.paths import at_home
from spitnet.cli import config, streams, values
from spitnet.cli.layers import Found, Layers, SettingSource, resolved, text_of
from spitnet.cli.settings import SETTINGS, Group, Setting
from spitnet.exits import ExitCode, UsageFailure
from spitnet.language import gettext as _
from spitnet.language import ngettext, pgettext
from spitnet.private import make_directory, opener

_COLUMNS: Final = 79
_VALUE_MOST: Final = 36
"""Cells of the column of values: beside it there is room for any place. The place of a longer one stands below it."""
_ORDER: Final = (
    *(Group.SEAT, Group.MATCH, Group.SCREEN, Group.NETWORK),
    *(Group.HEADLESS, Group.OUTPUT, Group.GENERAL),
)
"""Of a new file: what most people set comes first."""


class Shown(NamedTuple):
    """A setting as it is shown: its value, None where it is a secret or there is none; the same in words.

    `place` names the source; of the config file it names the line alone.
    """

    setting: Setting
    value: Any
    text: str
    source: SettingSource
    place: str


def run(flags: Mapping[str, str], environ: Mapping[str, str], file: config.File) -> int:
    """The exit code: shows all settings, or with `create` among the flags writes a new file.

    Raises:
        UsageFailure: the file is there already; or something in it is wrong, once all has been shown.
    """
    contents = config.judged(file)
    layers = Layers(flags, environ, contents.entries)
    _require_language(layers)
    if "create" in flags:
        return _create(file.path)
    shown = [_shown(setting, layers) for setting in SETTINGS.values()]
    as_json = text_of(SETTINGS["json"], layers)
    if as_json is not None and SETTINGS["json"].read(as_json.text):
        streams.for_programs()
        lines = [*map(_line, shown), *({"problem": one} for one in contents.problems)]
        print(*(json.dumps(line, ensure_ascii=False) for line in lines), sep="\n")
    else:
        _print(file.path, shown)
        for problem in contents.problems:
            print(f"\n{problem}")
    return _judged(contents.problems)


def _require_language(layers: Layers) -> None:
    """The one setting that this command needs itself; a wrong one in the file is among what is shown."""
    resolved((SETTINGS["lang"],), layers)


def _judged(problems: tuple[str, ...]) -> int:
    """The exit code.

    Raises:
        UsageFailure: something is wrong in the file; what, has been shown.
    """
    count = len(problems)
    if not count:
        return ExitCode.DONE
    text = ngettext(
        "{count} mistake in the config file", "{count} mistakes in the config file", count
    )
    raise UsageFailure(text.format(count=count))


def made(layers: Layers) -> tuple[runtime_options.ShownSetting, ...]:
    """The settings that somebody made, as they may be shown to anybody."""
    shown = (_shown(setting, layers) for setting in SETTINGS.values())
    return tuple(
        runtime_options.ShownSetting(one.setting.key, one.text, one.place)
        for one in shown
        if one.source is not SettingSource.DEFAULT
    )


def _shown(setting: Setting, layers: Layers) -> Shown:
    found = text_of(setting, layers) or _kept(setting)
    if found is None:
        value = setting.default
        return Shown(
            setting,
            value,
            setting.unset() if value is None else _text(value),
            SettingSource.DEFAULT,
            pgettext("setting", "default"),
        )
    place = found.place
    if found.source is SettingSource.FILE and (line := layers.config[setting.key].line) is not None:
        place = _("config file, line {number}").format(number=line)
    if setting.is_secret:
        return Shown(setting, None, _("(not shown)"), found.source, place)
    return Shown(setting, found.text, _as_in_file(setting, found.text), found.source, place)


def _kept(setting: Setting) -> Found | None:
    """The name is asked for at the first start."""
    from spitnet.app import prompts

    name = prompts.kept_name(values.name) if setting.key == "name" else None
    return None if name is None else Found(SettingSource.KEPT, _("typed at the first start"), name)


def _text(value: Any) -> str:
    """A value as the config file has it, but for quotes."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _as_in_file(setting: Setting, text: str) -> str:
    """What was typed; of a switch, what the file has for that. A wrong text stays as it is."""
    if not setting.is_switch:
        return text
    with suppress(ValueError):
        return _text(values.switch(text))
    return text


def _line(one: Shown) -> dict[str, Any]:
    value = one.value if one.value is None or isinstance(one.value, int) else str(one.value)
    place = None if one.source in (SettingSource.DEFAULT, SettingSource.KEPT) else one.place
    return {"setting": one.setting.key, "value": value, "source": one.source.value, "place": place}


def _print(file: Path, shown: list[Shown]) -> None:
    if os.path.exists(file):
        print(_("The config file: {file}").format(file=at_home(file)))
    else:
        print(_("The config file would be {file}").format(file=at_home(file)))
        print(_("There is none yet; “spitnet config --create” writes one."))
    print()
    print(*_columns(shown), sep="\n")


def _columns(shown: list[Shown]) -> Iterator[str]:
    """The settings, their values and their places, one below the other."""
    from spitnet.ui.cells import clean, fit, width

    keys = max(width(one.setting.key) for one in shown)
    texts = min(_VALUE_MOST, max(width(clean(one.text)) for one in shown))
    for one in shown:
        key, text = fit(one.setting.key, keys), clean(one.text)
        if width(text) > texts:
            yield f"{key}  {text}"
            key, text = fit("", keys), ""
        yield f"{key}  {fit(text, texts)}  {one.place}".rstrip()


# A new file.


def _create(file: Path) -> int:
    """Writes the file, whole or not at all.

    Raises:
        UsageFailure: it is there already.
    """
    content = "\n".join([*new_file(), ""])
    make_directory(file.parent)
    try:
        with open(file, "x", encoding="utf-8", newline="\n", opener=opener) as written:
            written.write(content)
    except FileExistsError:
        text = _("{file} already exists and was not changed")
        raise UsageFailure(text.format(file=file)) from None
    except OSError:
        file.unlink(missing_ok=True)
        raise
    print(_("Written: {file}").format(file=file))
    return ExitCode.DONE


def new_file() -> Iterator[str]:
    """The lines of a config file in which every setting is explained, and none is made."""
    yield from _remark(_("The settings of spitnet, in TOML."))
    yield from _remark(
        _(
            "To change one, remove the # in front of it and write your value. The environment "
            "(SPITNET_NAME) and the command line (--name) override this file."
        )
    )
    for group in _ORDER:
        yield ""
        yield f"# === {group.value} ==="
        for setting in (one for one in SETTINGS.values() if one.group is group):
            yield ""
            yield from _remark(setting.explained())
            yield f"#{setting.key} = {_toml(setting)}"


def _remark(text: str) -> list[str]:
    return textwrap.wrap(
        text, _COLUMNS, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False
    )


def _toml(setting: Setting) -> str:
    value = setting.default if setting.example is None else setting.example
    if isinstance(value, bool | int | float):
        return _text(value)
    return json.dumps(str(value), ensure_ascii=False)
