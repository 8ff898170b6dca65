"""The code of a table, proved without being told: SPAKE2 on Ed25519, from the spake2 library.

Both CURVE public keys are the identities, so a proof is worth nothing on another link. The library's elements
and transcript are its own, older than RFC 9382; WIRE.md has them. Source: Abdalla and Pointcheval, CT-RSA 2005.
"""

from unicodedata import normalize

from spake2 import SPAKE2_A, SPAKE2_B

from spitnet.core.cards import Seat
from spitnet.protocol.fields import Entropy


def start(
    seat: Seat, code: str, keys: tuple[bytes, bytes], entropy: Entropy
) -> SPAKE2_A | SPAKE2_B:
    """One side of the exchange. `keys` are the host's and the joiner's; the host is side A.

    A code is compared without regard to case, to space around it, and to how its accents are composed.
    """
    side = SPAKE2_B if seat else SPAKE2_A
    password = normalize("NFKC", code.strip()).casefold().encode()
    return side(password, idA=keys[0], idB=keys[1], entropy_f=entropy)
