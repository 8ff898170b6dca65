"""How two peers on an encrypted link agree on one session: four frames, sans-IO.

    joiner  HELLO    version, nonce, name, PAKE message if a code was typed
    host    WELCOME  version, nonce, name, settings, PAKE message if the table has a code
    joiner  ACCEPT   session, and proof that it knows the code
    host    START    session, and proof that it knows the code

The joiner repeats its last frame until it is answered; the host answers a repeat as it did the first. Several
may knock at once: the first ACCEPT has the seat, so nobody can hold it by knocking and falling silent, and where too
many knock, those give way that come from the most crowded address.
Source: WIRE.md, "Handshake"; Abdalla and Pointcheval, CT-RSA 2005 (SPAKE2) for the code.
"""

import hmac
from collections import Counter
from hashlib import sha256
from typing import NamedTuple, Protocol, TypeAlias

from spitnet.core.cards import Seat
from spitnet.core.state import Settings
from spitnet.protocol import VERSION
from spitnet.protocol.binding import session_id
from spitnet.protocol.fields import NONCE_BYTES, Entropy, Hash
from spitnet.protocol.guesses import Guesses
from spitnet.protocol.limits import Rate, SharedAllowance
from spitnet.protocol.messages import (
    Accept,
    Hello,
    Malformed,
    Message,
    OtherVersion,
    Refuse,
    Rejection,
    Start,
    Welcome,
    decode,
    encode,
    terms_of,
)

KNOCKS_MOST = 64
"""Knocks that are kept; of one address fewer keys than that can come before its first has had seconds to ACCEPT."""
REPEAT_S = 0.5
"""How often the joiner repeats a frame that wasn't answered."""
CODES_EACH = Rate(5, 1)
"""Exchanges about a code that an address may begin."""
CODES_TOGETHER = Rate(40, 20)
"""The same of all addresses together: each costs this side 7 ms."""


class Origin(NamedTuple):
    """Where a session comes from: all that its id is made of, but for the version's own domain."""

    host_key: Hash
    join_key: Hash
    hello: bytes
    welcome: bytes

    @property
    def session(self) -> bytes:
        return session_id(*self)


class Seated(NamedTuple):
    """A session that both peers agreed on."""

    seat: Seat
    session: bytes
    settings: Settings
    names: tuple[str, str]
    origin: Origin
    start: Start | None
    """The host's last word, which it repeats if asked; None at the joiner's seat."""


class TurnedAway(NamedTuple):
    """The host refused; its version, and why."""

    version: int
    reason: Rejection


class _Pake(Protocol):
    def start(self) -> bytes: ...
    def finish(self, message: bytes) -> bytes: ...


class CodeProof:
    """One side's half of proving a code without telling it. Without a code every proof is empty."""

    def __init__(self, seat: Seat, code: str | None, keys: tuple[bytes, bytes], entropy: Entropy):
        self._pake: _Pake | None = None
        self.message = b""
        if code is not None:
            # Slow to import, and seldom asked for.
            from spitnet.protocol.pake import start  # noqa: PLC0415

            self._pake = start(seat, code, keys, entropy)
            self.message = self._pake.start()
        self._secret: bytes | None = None

    def meet(self, message: bytes) -> bool:
        """Takes the peer's PAKE message; False if only one side has a code, or it is no such message."""
        if self._pake is None or not message:
            return self._pake is None and not message
        try:
            self._secret = self._pake.finish(message)
        except Exception:  # noqa: BLE001
            # The library raises kinds of its own for every sort of bad element.
            return False
        return True

    def proof(self, seat: Seat, session: bytes) -> bytes:
        """What the seat sends to show that it knows the code; empty without one."""
        if self._secret is None:
            return b""
        return hmac.digest(self._secret, b"spitnet/1 code" + bytes((seat,)) + session, "sha256")

    def holds(self, seat: Seat, session: bytes, proof: bytes) -> bool:
        return hmac.compare_digest(self.proof(seat, session), proof)


class _Knock(NamedTuple):
    """One joiner between its HELLO and its ACCEPT."""

    hello: bytes
    name: str
    welcome: Welcome
    code: CodeProof
    session: bytes
    address: str


class Doorman:
    """The host's side: hears whoever knocks until one has the seat."""

    def __init__(
        self, key: bytes, name: str, settings: Settings, code: str | None, entropy: Entropy
    ) -> None:
        self._key = key
        self._name = name
        self._settings = settings
        self._terms = terms_of(settings)
        self._code = code
        self._entropy = entropy
        self.knocks: dict[
            bytes, _Knock
        ] = {}  # the oldest first; one in place of an old one keeps its age
        self._guesses = Guesses()
        self._exchanges = SharedAllowance(CODES_EACH, CODES_TOGETHER)
        self.seated: Seated | None = None
        self.seated_key: bytes | None = None

    def receive(self, key: bytes, frame: bytes, now_s: float, address: str = "") -> Message | None:
        """One frame of the joiner with this CURVE key (32 bytes) at that address; the answer to it, if there is one.

        Never raises. `seated` is set once an ACCEPT holds.
        """
        try:
            message = decode(frame)
        except Malformed:
            return None
        if self.seated is not None:
            return Refuse(VERSION, Rejection.BUSY)
        match message:
            case OtherVersion():
                return Refuse(VERSION, Rejection.VERSION)
            case Hello():
                return self._hello(key, message, frame, now_s, address)
            case Accept():
                return self._accept(key, message, now_s, address)
            case _:
                return Refuse(VERSION, Rejection.UNKNOWN)

    def _hello(self, key: bytes, hello: Hello, frame: bytes, now_s: float, address: str) -> Message:
        knock = self.knocks.get(key)
        if knock is not None and knock.hello == frame:
            return knock.welcome
        if not self._may_start(address, now_s):
            return Refuse(VERSION, Rejection.WAIT)
        code = CodeProof(0, self._code, (self._key, key), self._entropy)
        if not code.meet(hello.code_message):
            return Refuse(VERSION, Rejection.CODE)
        welcome = Welcome(
            VERSION, self._entropy(NONCE_BYTES), self._name, self._terms, code.message
        )
        session = session_id(self._key, key, frame, encode(welcome))
        self.knocks[key] = _Knock(frame, hello.name, welcome, code, session, address)
        self._make_room()
        return welcome

    def _accept(self, key: bytes, accept: Accept, now_s: float, address: str) -> Message:
        knock = self.knocks.get(key)
        if knock is None or accept.session != knock.session:
            return Refuse(VERSION, Rejection.UNKNOWN)
        if not self._may_try(address, now_s):
            return Refuse(VERSION, Rejection.WAIT)
        if not knock.code.holds(1, knock.session, accept.confirmation):
            self._guesses.wrong(address, now_s)
            del self.knocks[key]  # one exchange, one try
            return Refuse(VERSION, Rejection.CODE)
        names = (self._name, knock.name)
        origin = Origin(self._key, key, knock.hello, encode(knock.welcome))
        start = Start(knock.session, knock.code.proof(0, knock.session))
        self.seated = Seated(0, knock.session, self._settings, names, origin, start)
        self.seated_key = key
        self.knocks.clear()
        return start

    def _may_start(self, address: str, now_s: float) -> bool:
        """Whether one more exchange may be begun with somebody at that address."""
        if self._code is None:
            return True
        return self._may_try(address, now_s) and self._exchanges.take(address, now_s)

    def _may_try(self, address: str, now_s: float) -> bool:
        """Whether a proof from there is looked at now."""
        return self._code is None or self._guesses.may_try(address, now_s)

    def _make_room(self) -> None:
        """Where there are too many knocks, forgets the oldest of the address that has most."""
        if len(self.knocks) > KNOCKS_MOST:
            counts = Counter(knock.address for knock in self.knocks.values())
            most = max(counts.values())
            oldest = next(key for key, one in self.knocks.items() if counts[one.address] == most)
            del self.knocks[oldest]


Answer: TypeAlias = Seated | TurnedAway


class Visitor:
    """The joiner's side: knocks until it is seated or turned away."""

    def __init__(
        self, host_key: bytes, key: bytes, name: str, code: str | None, entropy: Entropy
    ) -> None:
        self._keys = (host_key, key)
        self._name = name
        self._code = CodeProof(1, code, self._keys, entropy)
        self._hello = encode(Hello(VERSION, entropy(NONCE_BYTES), name, self._code.message))
        self._welcome: Welcome | None = None
        self._origin: Origin | None = None
        self._last = self._hello
        self.answer: Answer | None = None

    @property
    def frame(self) -> bytes:
        """What to send now, and again every `REPEAT_S` until `answer` is there."""
        return self._last

    def receive(self, frame: bytes) -> bool:
        """One frame of the host's; True if `frame` is a new one to send at once. Never raises."""
        try:
            message = decode(frame)
        except Malformed:
            return False
        match message:
            case OtherVersion(version):
                self.answer = TurnedAway(version, Rejection.VERSION)
            case Refuse(version, reason):
                self.answer = TurnedAway(version, reason)
            case Welcome() if self._welcome is None:
                return self._welcomed(message, frame)
            case Start(session, proof) if self._origin is not None:
                self._start(session, proof)
        return False

    def _welcomed(self, welcome: Welcome, frame: bytes) -> bool:
        if not self._code.meet(welcome.code_message):
            self.answer = TurnedAway(welcome.version, Rejection.CODE)
            return False
        self._welcome = welcome
        self._origin = Origin(*self._keys, self._hello, frame)
        session = self._origin.session
        self._last = encode(Accept(session, self._code.proof(1, session)))
        return True

    def _start(self, session: bytes, proof: bytes) -> None:
        if self._origin is None or self._welcome is None or session != self._origin.session:
            return
        if not self._code.holds(0, session, proof):
            self.answer = TurnedAway(VERSION, Rejection.CODE)
            return
        names = (self._welcome.name, self._name)
        self.answer = Seated(1, session, self._welcome.settings, names, self._origin, None)


def fingerprint(session: bytes) -> str:
    """A short number that both screens show; it differs when someone sits between (60 bits).

    Source: the session id holds both CURVE keys as each side sees them.
    """
    digits = int.from_bytes(sha256(b"spitnet/1 fingerprint" + session).digest()[:8], "big")
    text = f"{digits % 10**18:018d}"
    return " ".join(text[start : start + 6] for start in range(0, 18, 6))
