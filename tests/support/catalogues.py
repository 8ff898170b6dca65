"""Compiled catalogues of texts, made for one test: a language that is there whatever was translated and built."""

import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from unittest.mock import patch

from spitnet import language

HEADER: Final = (
    "Content-Type: text/plain; charset=UTF-8\n"
    "Plural-Forms: nplurals=3; plural=n==1 ? 0 : n<5 ? 1 : 2;\n"
)


def compiled(texts: Mapping[str, str]) -> bytes:
    """A catalogue's file; a context is parted from its text by the byte 4, forms from each other by the byte 0.

    Source: the GNU gettext manual, "The Format of GNU MO Files".
    """
    texts = {"": HEADER, **texts}
    keys = sorted(texts)
    strings = [key.encode() for key in keys] + [texts[key].encode() for key in keys]
    start = 28 + 8 * len(strings)
    index, data = b"", b""
    for string in strings:
        index += struct.pack("<II", len(string), start + len(data))
        data += string + b"\0"
    head = struct.pack("<7I", 0x950412DE, 0, len(keys), 28, 28 + 8 * len(keys), 0, start)
    return head + index + data


@contextmanager
def only(directory: Path, languages: Mapping[str, Mapping[str, str]]) -> Iterator[None]:
    """Meanwhile these languages are there and no others, in files under `directory`; after it, English is active."""
    for name, texts in languages.items():
        place = directory / name / "LC_MESSAGES"
        place.mkdir(parents=True, exist_ok=True)
        (place / "spitnet.mo").write_bytes(compiled(texts))
    with patch.object(language, "LOCALES", str(directory)):
        try:
            yield
        finally:
            language.use("en", {})
