"""`spitnet doctor`: what this machine, its network and its terminal can do, and why nobody may be found.

`network` and `machine` find out, `causes` judges, `words` says it. Nothing here is a secret: the report is made to be
pasted where others read it.
"""

from spitnet.app.commands.doctor import machine, network, words
from spitnet.app.commands.doctor.report import Report
from spitnet.app.console import json_lines
from spitnet.app.options import DoctorOptions
from spitnet.exits import ExitCode, UsageFailure
from spitnet.net.errors import NetError


def run(options: DoctorOptions) -> int:
    """The exit code: whatever is wrong, the question is answered.

    Raises:
        UsageFailure: the interface asked for can't be used.
    """
    report = examined(options)
    if options.json:
        json_lines.write(words.line(report))
    else:
        print("\n".join(words.page(report)))
    return ExitCode.DONE


def examined(options: DoctorOptions) -> Report:
    """Everything that there is to know now; takes about a second.

    Raises:
        UsageFailure: the interface asked for can't be used.
    """
    try:
        found = network.examined(options.interface, options.discovery_port, options.port)
    except NetError as error:
        raise UsageFailure(str(error)) from None
    return Report(
        machine.versions(),
        machine.places(options.journal),
        machine.screen(),
        machine.surroundings(),
        found,
        options,
    )
