"""What can go wrong with the network, in words for the person at the keyboard.

The text of each error is the text that the user reads, one line, already translated. Errors of peers are not here: what
a peer sends is an event, never an exception.
"""

from spitnet.language import gettext as _
from spitnet.language import ngettext


class NetError(Exception):
    """The network of this machine can't do what was asked; `str(error)` is for the user."""


class UnknownInterface(NetError):
    """No interface has the name that was given."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        text = _("There is no network interface “{name}” here; there is: {known}.")
        super().__init__(text.format(name=name, known=", ".join(known)))


class InterfaceDown(NetError):
    """The interface is down, or was taken out."""

    def __init__(self, name: str) -> None:
        text = _("The network interface “{name}” is down.")
        super().__init__(text.format(name=name))


class NoIPv4(NetError):
    """These interfaces are up, and none of them has an IPv4 address."""

    def __init__(self, names: tuple[str, ...]) -> None:
        text = ngettext(
            "{interfaces} has no IPv4 address; spitnet needs one.",
            "{interfaces} have no IPv4 address; spitnet needs one.",
            len(names),
        )
        super().__init__(text.format(interfaces=", ".join(names)))


class NoNetwork(NetError):
    """No interface is up but loopback."""

    def __init__(self) -> None:
        super().__init__(_("There is no network yet except this machine’s own."))


class PortTaken(NetError):
    """Another program holds the TCP port."""

    def __init__(self, port: int) -> None:
        text = _("Another program uses port {port}; choose another with --port.")
        super().__init__(text.format(port=port))


class CannotListen(NetError):
    """The system refuses to bind, for a reason other than a taken port."""

    def __init__(self, address: str, reason: str) -> None:
        text = _("Can’t listen on {address}: {reason}.")
        super().__init__(text.format(address=address, reason=reason))


class BadAddress(NetError):
    """An address that can't be connected to, whatever is there."""

    def __init__(self, address: str) -> None:
        super().__init__(_("“{address}” is not an address to connect to.").format(address=address))


class UnknownHost(NetError):
    """A host name that nobody here can resolve to an IPv4 address."""

    def __init__(self, host: str) -> None:
        super().__init__(_("No IPv4 address is known for “{host}”.").format(host=host))


class CurveMissing(NetError):
    """This libzmq was built without CURVE; there is no link without encryption."""

    def __init__(self) -> None:
        text = _(
            "This ZeroMQ was built without encryption (CURVE). Install the official package: "
            "pip install --force-reinstall --only-binary pyzmq pyzmq"
        )
        super().__init__(text)
