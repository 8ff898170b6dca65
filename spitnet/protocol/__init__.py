"""The match between two peers as values and sans-IO machines; WIRE.md is its normative description.

The claims C1, C2, … that it keeps are in core/RULES.md; what they protect against is in FAIRNESS.md.

What belongs here: frames, hashes, the beat, the session, the handshake. What must not: sockets, clocks,
entropy, files. Time, random bytes and received bytes come in as arguments; effects and notices come out.
"""

VERSION = 1
"""The protocol version that travels in every beacon and handshake; peers of two versions don't play."""
DISCOVERY_PORT = 47748
"""The well-known UDP port of tables and those who look for them. Source: WIRE.md, section 2."""
