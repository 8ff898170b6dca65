"""A session as a new process makes it out of its journal."""

from collections.abc import Iterable
from math import inf

from spitnet.core.state import Settings
from spitnet.protocol.entries import Record
from spitnet.protocol.fields import Entropy
from spitnet.protocol.session import Session


def restored(
    seat: int,
    session: bytes,
    settings: Settings,
    entropy: Entropy,
    now_s: float,
    records: Iterable[Record],
    may_have_lost: bool,
    *,
    away_s: float = inf,
) -> Session:
    """Frozen until its peer has answered; `may_have_lost` and `away_s` as in `Session.restore`."""
    made = Session(seat, session, settings, entropy, now_s)
    made.restore(records, may_have_lost, now_s, away_s)
    return made
