"""With Python's own hook out of the way: what Linux refuses a student's process all the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap

import pytest
import small_assignment as small

from minigrad.homework import kernel
from minigrad.homework.assignment import Assignment
from minigrad.homework.grading import grade
from minigrad.homework.stand_in import places

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(sys.platform != "linux", reason="it is Linux's kernel that is asked"),
]
landlock = pytest.mark.skipif(not kernel.version_of_landlock(), reason="no Landlock here")

WITHOUT_A_HOOK = """
import ctypes, json, os, signal, sys, threading
from minigrad.homework import student_side
secret, readable, standard = json.loads(sys.argv[1])
student_side.shut_by_kernel(readable, standard, os.getcwd())

def thread():
    one = threading.Thread(target=print)
    one.start()
    one.join()

def tried(source):
    try:
        exec(source, globals())
    except BaseException as error:
        return type(error).__name__
    return "done"

print(json.dumps([tried(source) for source in json.loads(sys.stdin.read())]))
"""
FILES = (
    "open(secret).read()",
    "open(secret, 'w')",
    "open('new', 'w')",
    "os.open(os.path.basename(secret), os.O_RDONLY, dir_fd=os.open(os.path.dirname(secret), 0))",
    "open('/proc/self/mem', 'rb')",
    "os.listdir('/tmp')",
    "__import__('_posixshmem').shm_open('/minigrad', os.O_CREAT | os.O_RDWR, mode=0o600)",
    "__import__('_multiprocessing').SemLock(0, 1, 1, '/minigrad', False)",
    "open(__import__('pytest').__file__)",
)
CALLS = (
    "os.fork()",
    "os.execv('/bin/true', ['true'])",
    "os.posix_spawn('/bin/true', ['true'], {})",
    "os.setsid()",
    "os.kill(os.getppid(), 0)",
    "os.pidfd_open(os.getppid())",
    "os.kill(-1, 0)",
    "os.mkfifo('fifo')",
    "os.mknod('node', 0o100644)",
    "os.mkdir('folder')",
    "os.symlink(secret, 'link')",
    "os.link(secret, 'link')",
    "os.rename(secret, 'mine')",
    "os.unlink(secret)",
    "os.truncate(secret, 0)",
    "os.chmod(secret, 0)",
    "os.utime(secret)",
    "os.setxattr(secret, 'user.x', b'1')",
    "os.posix_fallocate(1, 0, 10**9)",
    "os.setpriority(os.PRIO_PROCESS, os.getppid(), 15)",
    "os.sched_setaffinity(os.getppid(), {0})",
    "__import__('resource').prlimit(os.getppid(), 0, (1, 1))",
    "__import__('socket').socket()",
)
USEFUL = (
    "thread()",
    "import bz2, lzma, hashlib, decimal, zlib, uuid, csv, asyncio, unittest, random, statistics",
    "import numpy.fft, numpy.polynomial, numpy.testing",
    "open(os.devnull, 'w').write('x')",
    "signal.raise_signal(0)",
)


def tried(sources, folder):
    """What becomes of each where the kernel alone says no."""
    room = folder / "room"
    room.mkdir()
    secret = folder / "secret"
    secret.write_text("42")
    readable, standard, _ = places(["numpy"])
    given = json.dumps([str(secret), readable, standard])
    done = subprocess.run(
        [sys.executable, "-c", "import numpy\n" + WITHOUT_A_HOOK, given],
        input=json.dumps(sources),
        capture_output=True,
        text=True,
        cwd=room,
    )
    assert done.returncode == 0, done.stderr
    assert secret.read_text() == "42"
    assert sorted(os.listdir(room)) == []
    return dict(zip(sources, json.loads(done.stdout.splitlines()[-1])))


@landlock
def test_no_file_is_read_or_written_whatever_python_is_talked_into(tmp_path):
    outcomes = tried(FILES, tmp_path)
    refused = ("PermissionError", "FileNotFoundError")
    assert {one: said for one, said in outcomes.items() if said not in refused} == {}


def test_it_starts_nothing_signals_nobody_and_leaves_nothing_behind(tmp_path):
    outcomes = tried(CALLS, tmp_path)
    assert {one: said for one, said in outcomes.items() if said != "PermissionError"} == {}


def test_what_homework_has_a_use_for_still_works(tmp_path):
    assert {*tried(USEFUL, tmp_path).values()} == {"done"}


# ------------------------------------------------------------------------- through the grader

TEXT_THAT_LIES = """
import os
class Path(str):
    def __add__(self, other): return os.getcwd() + "/x/"
    def __contains__(self, other): return False
def double(x):
    open(Path("SECRET"), "MODE").read()
    return x * 2
"""
KILLS_THE_GRADER = """
import os, signal
def double(x):
    signal.pidfd_send_signal(os.pidfd_open(os.getppid()), 9)
"""
WITHOUT_EVENTS = {
    "tkinter": "import tkinter\ntkinter.Tcl().eval('set f [open SECRET]; read $f')",
    "readline": "import readline\nreadline.read_history_file('SECRET')",
    "spwd": "import spwd\nspwd.getspnam('root')",
    "shared memory": "import _posixshmem\n_posixshmem.shm_open('/minigrad', 66, mode=0o600)",
    "a semaphore": "import _multiprocessing\n_multiprocessing.SemLock(0, 1, 1, '/minigrad', 0)",
    "a pipe": "import os\nos.mkfifo('SECRET.fifo')",
    "a notebook of somebody else's": "import os\nos.mknod('SECRET.ipynb', 0o100644)",
    "many folders": "import os\nos.mkdir('a', dir_fd=os.open('.', 0))",
    "a large file": "import os\nos.posix_fallocate(os.open('large', 66), 0, 10**9)",
}


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    return Assignment(small.make_assignment(tmp_path_factory.mktemp("kernel")))


@pytest.fixture
def double_of(assignment, tmp_path):
    """The message to this answer; the other questions have their points."""
    secret = tmp_path / "secret"
    secret.write_text("42")

    def double_of(source):
        source = source.replace("SECRET", str(secret))
        answers = {**small.RIGHT, "double": source}
        result = grade(assignment, small.write(tmp_path / "in.ipynb", small.cells_of(answers)))
        assert [one.points for one in result.questions] == [0, 6, 2]
        assert secret.read_text() == "42"
        assert sorted(path.name for path in tmp_path.iterdir()) == ["in.ipynb", "secret"]
        return result.questions[0].message

    return double_of


@pytest.mark.parametrize("mode", ["r", "w"])
def test_a_path_of_a_class_of_ones_own_opens_nothing(mode, double_of):
    assert "it raised PermissionError" in double_of(TEXT_THAT_LIES.replace("MODE", mode))


def test_the_grader_is_not_killed(double_of):
    assert double_of(KILLS_THE_GRADER).startswith("it raised PermissionError")


@pytest.mark.parametrize("attack", WITHOUT_EVENTS)
def test_what_tells_no_hook_is_refused(attack, double_of):
    body = textwrap.indent(WITHOUT_EVENTS[attack], "    ")
    message = double_of(f"def double(x):\n{body}\n    return x * 2")
    assert message.startswith(("it raised PermissionError", "it raised ImportError")) or (
        attack == "spwd" and "ModuleNotFoundError" in message  # Python 3.13 has none
    )


OVERWRITTEN = """
import numpy as np, os, sys

def double(x):
    frame = sys._getframe()
    while "REFUSED" not in frame.f_globals:
        frame = frame.f_back
    for name in ("REFUSED", "FILES", "WRITE", "MODULES"):
        length = id(frame.f_globals[name]) + 16
        known = {"version": 3, "shape": (1,), "typestr": "<i8", "data": (length, False)}
        np.asarray(type("Memory", (), {"__array_interface__": known})())[0] = 0
    refused = []
    for forbidden in (lambda: open("SECRET"), lambda: open("SECRET", "w"), os.fork):
        try:
            forbidden()
        except PermissionError as error:
            refused.append(error.errno)
    assert refused == [13, 13, 1], refused
    return x * 2
"""


@landlock
@pytest.mark.skipif(sys.implementation.name != "cpython", reason="it writes into its memory")
def test_a_hook_whose_memory_was_overwritten_is_not_the_last_word(assignment, tmp_path):
    """The numbers are the kernel's own errors: Python's hook has none."""
    (tmp_path / "secret").write_text("42")
    answer = OVERWRITTEN.replace("SECRET", str(tmp_path / "secret"))
    cells = small.cells_of({**small.RIGHT, "double": answer})
    result = grade(assignment, small.write(tmp_path / "in.ipynb", cells))
    assert [one.message for one in result.questions] == ["right."] * 3
