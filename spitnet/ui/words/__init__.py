"""The texts of the scenes, in the user's language: what happened, what can be done, questions, pages.

What belongs here: sentences, for the full screen and for the game in lines alike. What must not: layout, styles,
keys (they come in as labels). Every text has room to grow by 40 per cent in another language.
"""

from spitnet.ui.words.endings import (
    ended,
    fastest,
    game_over,
    game_result,
    left,
    match_result,
    reason,
    score,
    summary_rows,
)
from spitnet.ui.words.facts import (
    below,
    cards_left,
    clock,
    in_milliseconds,
    link,
    link_short,
    may_be_watched,
    ping,
    shout,
    you,
)
from spitnet.ui.words.help import help_keys, help_now, help_sentences, key_meanings
from spitnet.ui.words.hints import gone, hint, idle, question, yes_or_no
from spitnet.ui.words.key_names import KeyLabels, enter_key, space_key
from spitnet.ui.words.lobby import (
    address,
    asks_code,
    code,
    hosting_title,
    how_to_join,
    how_to_watch,
    knocking,
    looking_tips,
    looking_title,
    not_usable,
    waiting_for_someone,
)
from spitnet.ui.words.match_settings import number_of_games, plays, table_says, this_match, unusual
from spitnet.ui.words.notes import CardNames, note

__all__ = [
    "CardNames",
    "KeyLabels",
    "address",
    "asks_code",
    "below",
    "cards_left",
    "clock",
    "code",
    "ended",
    "enter_key",
    "fastest",
    "game_over",
    "game_result",
    "gone",
    "help_keys",
    "help_now",
    "help_sentences",
    "hint",
    "hosting_title",
    "how_to_join",
    "how_to_watch",
    "idle",
    "in_milliseconds",
    "key_meanings",
    "knocking",
    "left",
    "link",
    "link_short",
    "looking_tips",
    "looking_title",
    "match_result",
    "may_be_watched",
    "not_usable",
    "note",
    "number_of_games",
    "ping",
    "plays",
    "question",
    "reason",
    "score",
    "shout",
    "space_key",
    "summary_rows",
    "table_says",
    "this_match",
    "unusual",
    "waiting_for_someone",
    "yes_or_no",
    "you",
]
