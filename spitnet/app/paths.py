"""Where things are, as it may be shown to others: the home directory's name is often the login name."""

from pathlib import Path


def at_home(text: Path | str) -> str:
    """A path, or a text with paths in it, with `~` for the home directory."""
    try:
        home = str(Path.home())
    except RuntimeError:
        return str(text)
    return str(text).replace(home, "~") if len(home) > 1 else str(text)
