"""A second lock on an experiment: while it runs, its thread writes no file and sends nothing.

The first lock is ``harmless``, which reads the lines before they run. Python tells an audit hook
of each file that is opened, each connection and each process, before it happens; ours refuses them
while an experiment runs, and does nothing at any other time. A hook cannot be taken out again, so
it is put in when the first experiment begins.
"""

from __future__ import annotations

import io
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any

OUTWARD = (
    "os.",
    "shutil.",
    "subprocess.",
    "socket.",
    "_thread.",
    "signal.",
    "sqlite3.",
    "tempfile.",
    "urllib.",
    "http.",
    "ftplib.",
    "smtplib.",
    "webbrowser.",
    "fcntl.",
    "pty.",
    "syslog.",
    "winreg.",
    "msvcrt.",
    "_winapi.",
)
LOOKING = ("os.listdir", "os.scandir", "os.walk", "os.fwalk", "os.getxattr", "os.listxattr")
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Refused(PermissionError):
    """Something would have left the experiment."""


class Guarded(threading.local):
    """What the hook knows of this thread."""

    on = False
    refused = ""


guarded = Guarded()
installed = False


def watchman(event: str, args: tuple[Any, ...]) -> None:
    """Refuse, while an experiment runs in this thread, what would be seen outside of it."""
    if guarded.on and leaves(event, args):
        guarded.refused = f"{event}({args[0]!r})" if args else event
        raise Refused(f"an experiment may not do this: {guarded.refused}")


def leaves(event: str, args: tuple[Any, ...]) -> bool:
    """Would it be seen outside?"""
    if event == "open":
        return bool(args[2] & WRITING)
    return event.startswith(OUTWARD) and event not in LOOKING


@contextmanager
def guard() -> Iterator[None]:
    """Nothing leaves this thread, and nothing is printed. Raises Refused at the end if it tried.

    At the end, because a program may catch what is raised where it tried.
    """
    global installed
    if not installed:
        sys.addaudithook(watchman)
        installed = True
    guarded.on = True
    guarded.refused = ""
    try:
        with redirect_stdout(Quiet(sys.stdout)), redirect_stderr(Quiet(sys.stderr)):
            yield
    finally:
        guarded.on = False
    if guarded.refused:
        raise Refused(guarded.refused)


class Quiet(io.TextIOBase):
    """An output that is silent for this thread; what other threads write goes where it went."""

    def __init__(self, outside: Any) -> None:
        self._outside = outside
        self._thread = threading.get_ident()

    def write(self, text: str) -> int:
        """Let it through, or not."""
        if self._outside is not None and threading.get_ident() != self._thread:
            self._outside.write(text)
        return len(text)
