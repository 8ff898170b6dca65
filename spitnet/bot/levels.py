"""How well a bot plays. What a level means for choice is in `strategy`, for speed in `timing`."""

from enum import StrEnum


class Level(StrEnum):
    """From the slowest and most careless player to the fastest and most careful."""

    EASY = "easy"
    NORMAL = "normal"
    HARD = "hard"
    EXPERT = "expert"
