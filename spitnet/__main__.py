"""`python -m spitnet`: the same program as the `spitnet` command."""

import sys

from spitnet.cli import main

if __name__ == "__main__":
    sys.exit(main())
