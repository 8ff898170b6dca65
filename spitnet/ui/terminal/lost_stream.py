"""A terminal, or whoever else read what the program writes, that is gone.

What belongs here: that nothing fails of it later. What must not: noticing it, and what the run comes to. Few imports: the
command line needs this for every question.
"""

import os
from contextlib import suppress
from typing import TextIO


def drop(stream: TextIO | None) -> None:
    """Points a stream at nothing: what is still buffered for a reader that is gone would fail again at exit.

    Python flushes what is left when it ends, and makes its own exit code of a failure then.
    """
    with suppress(OSError, ValueError):
        if stream is not None:
            with open(os.devnull, "wb") as nowhere:
                os.dup2(nowhere.fileno(), stream.fileno())
