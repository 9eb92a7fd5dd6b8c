"""Becomes a bot's command, confined: ``python confine.py MEGABYTES PARENT COMMAND ...``.

The command gets no more memory than its limit and, on Linux, dies with the process that started it,
however that ends. Run by path, so that it costs next to nothing: it imports none of our packages.
"""

import ctypes
import os
import resource
import signal
import sys

_PR_SET_PDEATHSIG = 1  # of prctl(2)


def main(megabytes: str, parent: str, *command: str) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != int(parent):  # it died before the line above
            sys.exit(1)
    limit = int(megabytes) * 1024**2
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        os.execvp(command[0], command)
    except OSError as error:
        sys.exit(f"{command[0]}: {error.strerror}")


if __name__ == "__main__":
    main(*sys.argv[1:])
