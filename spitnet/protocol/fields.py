"""What a field of a frame or of a record may hold: types with their bounds, which decoding keeps to; where nonces come from."""

from collections.abc import Callable
from typing import Annotated, TypeAlias

from msgspec import Meta

from spitnet.protocol import VERSION

HASH_BYTES = 32
NONCE_BYTES = 32
MOVE_BYTES_MAX = 4
RESUME_ID_BYTES = 16
BEAT_MAX = 2**48
WORD_MOST = 40
VERSION_MAX = 65535

Hash: TypeAlias = Annotated[bytes, Meta(min_length=HASH_BYTES, max_length=HASH_BYTES)]
Nonce: TypeAlias = Annotated[bytes, Meta(min_length=NONCE_BYTES, max_length=NONCE_BYTES)]
MoveBytes: TypeAlias = Annotated[bytes, Meta(min_length=1, max_length=MOVE_BYTES_MAX)]
ResumeId: TypeAlias = Annotated[bytes, Meta(min_length=RESUME_ID_BYTES, max_length=RESUME_ID_BYTES)]
Count: TypeAlias = Annotated[int, Meta(ge=0)]
BeatNumber: TypeAlias = Annotated[int, Meta(ge=0, le=BEAT_MAX)]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, le=1)]
Token: TypeAlias = Annotated[int, Meta(ge=0, le=2**32 - 1)]
Version: TypeAlias = Annotated[int, Meta(ge=0, le=VERSION_MAX)]
OurVersion: TypeAlias = Annotated[int, Meta(ge=VERSION, le=VERSION)]
Word: TypeAlias = Annotated[str, Meta(pattern=rf"\A[a-z_]{{0,{WORD_MOST}}}\Z")]
"""A word for programs, which a later version may know and this one need not; nothing that a terminal acts on."""
Entropy: TypeAlias = Callable[[int], bytes]
"""Returns that many fresh unpredictable bytes: the operating system's, or a simulator's."""
