"""Where a table is, as a user writes it: HOST, HOST:PORT, [IPv6]:PORT.

What belongs here: taking an address apart. What must not: looking it up.
"""

import ipaddress
import re
from typing import Final

from spitnet.app.options import Address
from spitnet.cli import values
from spitnet.cli.values import quoted
from spitnet.language import gettext as _

HOST_LENGTH_MAX: Final = 253
"""The longest name that DNS knows. Source: RFC 1035, 2.3.4"""


def address(text: str) -> Address:
    """The host and the port, if there is one.

    Raises:
        ValueError: it is no address; the text says why.
    """
    host, port = _parts(text)
    if not host:
        raise ValueError(_("HOST is missing in {text}").format(text=quoted(text)))
    return Address(_checked(host), None if port is None else _port(port))


def place(text: str) -> Address:
    """The same with a port, which can't be left out.

    Raises:
        ValueError: it is no such address; the text says why.
    """
    found = address(text)
    if found.port is None:
        raise ValueError(_("must be HOST:PORT, not {text}").format(text=quoted(text)))
    return found


def _parts(text: str) -> tuple[str, str | None]:
    """Host and port as they are written; an IPv6 address without brackets has no port."""
    bracketed = re.fullmatch(r"\[([^\[\]]*)\](?::(.*))?", text, re.DOTALL)
    if bracketed:
        if bracketed[1] and ":" not in bracketed[1]:
            raise _misshapen(text)
        return bracketed[1], bracketed[2]
    if "/" in text:
        raise _misshapen(text)
    if text.count(":") > 1:
        return text, None
    host, colon, port = text.partition(":")
    return host, port if colon else None


def _port(text: str) -> int:
    try:
        return values.port(text)
    except ValueError as problem:
        raise ValueError(_("PORT {problem}").format(problem=problem)) from None


def _checked(host: str) -> str:
    """The host, if it can be one; whether it is there, only a look-up can tell."""
    if ":" in host:
        return _numeric(host, ipaddress.IPv6Address, _misshapen(host))
    if re.fullmatch(r"[0-9.]+", host):
        text = _("{text} is not an IPv4 address")
        return _numeric(host, ipaddress.IPv4Address, ValueError(text.format(text=quoted(host))))
    if len(host) <= HOST_LENGTH_MAX and re.fullmatch(r"[\w.-]+", host) and host[0] not in "-.":
        return host
    raise ValueError(_("{text} is not a host name").format(text=quoted(host)))


def _numeric(
    host: str, kind: type[ipaddress.IPv4Address] | type[ipaddress.IPv6Address], problem: ValueError
) -> str:
    try:
        return str(kind(host))
    except ValueError:
        raise problem from None


def _misshapen(text: str) -> ValueError:
    """Not even the parts can be told from each other: what would be an address."""
    problem = _("{text} is not an address; write HOST or HOST:PORT, as in {example}")
    return ValueError(problem.format(text=quoted(text), example="10.0.0.2:5000"))
