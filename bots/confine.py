"""Runs a bot's command, confined: ``python confine.py MEGABYTES PARENT PIPE COMMAND ...``.

The command gets no more memory than its limit; in the end the file descriptor PIPE is told its peak, in kilobytes.
On Linux all processes that it has started, even those that left its session, end with it, and all of them with
PARENT, however that ends. Run by path, so that it costs next to nothing: it imports none of our packages.
"""

import ctypes
import os
import resource
import signal
import sys
from contextlib import suppress

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36  # of prctl(2)


def main(megabytes: str, parent: str, pipe: str, *command: str) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.set_inheritable(int(pipe), False)  # it is not the bot's
    if sys.platform != "linux":
        become(int(megabytes), command)
    prctl = ctypes.CDLL(None).prctl
    prctl(_PR_SET_CHILD_SUBREAPER, 1)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != int(parent):  # it died before the line above
        sys.exit(1)
    bot = os.fork()
    if bot == 0:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        become(int(megabytes), command)
    try:
        code = outcome(bot)
        # What this process has used is no measure: it began with the peak of the one that started it.
        os.write(int(pipe), str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss).encode())
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        kill_children()
    end_like(code)


def become(megabytes: int, command: tuple[str, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell has those in the background ignore it
    limit = megabytes * 1024**2
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    try:
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
        os._exit(1)


def outcome(bot: int) -> int:
    """The exit code of the bot, or minus its signal. Its pipes are its alone."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    while True:
        pid, status = os.wait()  # orphans come here too
        if pid == bot:
            return os.waitstatus_to_exitcode(status)


def kill_children() -> None:
    """Kills what is left. The children of what is killed become children of this process, and are next."""
    while True:
        for child in children():
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        try:
            os.wait()
        except ChildProcessError:
            return


def children() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdecimal() and parent_of(name) == os.getpid()]


def parent_of(process: str) -> int | None:
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            return int(file.read().rpartition(b")")[2].split()[1])
    except OSError:  # it is gone
        return None


def end_like(code: int) -> None:
    """Ends as the bot did, so that whoever waits learns of it."""
    if code < 0:
        with suppress(OSError):  # what some signals do is fixed
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    sys.exit(code)


if __name__ == "__main__":
    main(*sys.argv[1:])
