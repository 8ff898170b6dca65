"""`spitnet doctor`: what this machine, its network and its terminal can do, and why nobody may be found.

`network` and `machine` find out, `causes` judges, `telling` says it. Nothing here is a secret: the report is made to be
pasted where others read it.
"""

from spitnet.exits import ExitCode, UsageFailure
from spitnet.net.errors import NetError
from spitnet.runtime import lines
from spitnet.runtime.commands.doctor import machine, network, telling
from spitnet.runtime.commands.doctor.report import Report
from spitnet.runtime.options import DoctorOptions


def run(options: DoctorOptions) -> int:
    """The exit code: whatever is wrong, the question is answered.

    Raises:
        UsageFailure: the interface asked for can't be used.
    """
    report = examined(options)
    if options.json:
        lines.write(telling.line(report))
    else:
        print("\n".join(telling.page(report)))
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
