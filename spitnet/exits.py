"""How the program ends: its exit codes, and the failures that are expected.

What belongs here: what every room above the pure ones needs to end a run in words. What must not: printing
and exiting themselves, which the command line does.
"""

from enum import IntEnum


class ExitCode(IntEnum):
    """What a script learns from `$?`; the README explains each."""

    DONE = 0
    """The match was played to its end, or the question was answered."""
    USAGE = 2
    """The command line, an environment variable or the config file asks for what cannot be."""
    NOBODY = 3
    """No opponent was found in time."""
    OPPONENT_GONE = 4
    REFUSED = 5
    """The table is busy, wants another code, or speaks another version."""
    VIOLATION = 6
    """The opponent broke the protocol, the two games differ, or a record does not verify."""
    INTERRUPTED = 130


class Failure(Exception):
    """An expected failure: one plain line for the user, no traceback; `word` names it for programs."""

    def __init__(self, code: ExitCode, message: str, word: str = "failed") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.word = word


def as_sentence(text: str) -> str:
    """A message, which begins small behind "spitnet: ", as a sentence of its own."""
    return f"{text[:1].upper()}{text[1:]}."


class UsageFailure(Failure):
    """What the user asked for cannot be: exit code 2."""

    def __init__(self, message: str) -> None:
        super().__init__(ExitCode.USAGE, message, "usage")
