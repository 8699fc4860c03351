"""The student's side of a question: a process that runs an answer, and computes what it is asked.

The grader starts this file as a program of its own. It knows no right answer: it gets arguments
through a pipe, and sends back what the student's code makes of them, as plain data in JSON. What
that is worth is decided on the other side. So there is nothing here that is worth reading or
changing. What the code must not do all the same is refused by Python (``shut``), and on Linux by
the kernel (``kernel.py``); how long it may take, and how much memory, by the system's limits.
"""

from __future__ import annotations

import ast
import base64
import builtins
import faulthandler
import importlib
import json
import math
import operator
import os
import random
import runpy
import signal
import sys
import time
import traceback
import types
from collections.abc import Callable
from typing import Any

resource: Any
try:
    resource = importlib.import_module("resource")
except ImportError:  # Windows
    resource = None

DEEPEST = 50  # lists in lists
LARGEST = 300_000  # numbers of an array that are sent
MOST_IN_A_SET = 2_000  # and in a dict: they may all have one hash
LONGEST_INTEGER = 4_000  # digits

# ------------------------------------------------------------------------ plain data, both ways


def pack(value: Any, other: Callable[[Any], Any], depth: int = 0) -> Any:
    """Data as JSON has it. ``other`` says what becomes of anything else."""
    kind = type(value)
    if value is None or kind in (bool, str, float):
        return value
    if kind is int:
        return value if abs(value) < 2**53 else {"int": hex(value)}
    if value is ...:
        return {"ellipsis": True}
    if kind in (set, frozenset, dict) and len(value) > MOST_IN_A_SET:
        raise ValueError(f"a {kind.__name__} of {len(value)} parts is too large to be sent")
    if depth > DEEPEST:
        raise ValueError("lists inside lists, too many of them to be sent")
    if kind in (list, tuple, set, frozenset):
        return {kind.__name__: [pack(part, other, depth + 1) for part in value]}
    if kind is dict:
        pairs = ([key, part] for key, part in value.items())
        return {"dict": [[pack(one, other, depth + 1) for one in pair] for pair in pairs]}
    if kind.__module__ == "numpy" and hasattr(kind, "dtype") and value.dtype.kind in "fiub":
        return packed_array(value)
    return other(value)


def packed_array(array: Any) -> dict[str, Any]:
    if array.size > LARGEST:
        raise ValueError(f"an array of {array.size} numbers is too large to be sent")
    numbers = base64.b64encode(array.tobytes()).decode()
    scalar = not hasattr(array, "__setitem__")
    return {"array": [numbers, array.dtype.str, list(array.shape), scalar]}


def unpack(data: Any, other: Callable[[str, Any], Any]) -> Any:
    """What ``pack`` has packed. ValueError, TypeError: nobody has."""
    if not isinstance(data, dict):
        if isinstance(data, list):
            raise ValueError("a list without its kind")
        return data
    ((kind, inside),) = data.items()
    if kind == "int":
        if len(inside) > LONGEST_INTEGER:
            raise ValueError("a number with too many digits")
        return int(inside, 16)
    if kind == "ellipsis":
        return ...
    if kind in ("set", "frozenset", "dict") and len(inside) > MOST_IN_A_SET:
        raise ValueError(f"a {kind} of {len(inside)} parts")
    if kind in ("list", "tuple", "set", "frozenset"):
        return getattr(builtins, kind)(unpack(part, other) for part in inside)
    if kind == "dict":
        return {unpack(key, other): unpack(part, other) for key, part in inside}
    if kind == "array":
        return unpacked_array(*inside)
    return other(kind, inside)


def unpacked_array(numbers: str, dtype: str, shape: list[int], scalar: bool) -> Any:
    numpy = importlib.import_module("numpy")
    kind = numpy.dtype(dtype)
    if kind.kind not in "fiub":
        raise ValueError("an array of something else than numbers")
    array = numpy.frombuffer(base64.b64decode(numbers), kind).reshape(shape).copy()
    return array[()] if scalar else array


# --------------------------------------------------------------------------- what is not allowed

REFUSED = (
    "socket.",
    "subprocess.",
    "ctypes.",
    "cpython.",
    "sqlite3.",
    "resource.",
    "gc.get_",
    "pty.",
    "os.exec",
    "os.fork",
    "os.posix_spawn",
    "os.spawn",
    "os.startfile",
    "os.system",
    "os.kill",
    "os.chdir",
    "os.fchdir",
    "os.chroot",
    "os.link",
    "os.symlink",
    "os.rename",
    "os.remove",
    "os.rmdir",
    "os.chmod",
    "os.chown",
    "os.truncate",
    "signal.pthread_kill",
    "winreg.",
    "_winapi.",
)
"""The beginnings of the names of Python's audit events that an answer has no use for."""

MODULES = (
    "_ctypes",
    "_ctypes_test",
    "_curses",
    "_dbm",
    "_gdbm",
    "_multiprocessing",
    "_posixshmem",
    "_posixsubprocess",
    "_tkinter",
    "_xxsubinterpreters",
    "nis",
    "readline",
    "spwd",
)
"""Parts of Python written in C that reach files or programs, and tell no hook of it."""

PACKAGES = ("site-packages", "dist-packages")
FILES = ("open", "os.listdir", "os.scandir", "os.walk", "glob.glob")
WRITE = ("os.mkdir", "os.utime", "os.setxattr", "os.removexattr", "os.mkfifo", "os.mknod")


def shut(readable: tuple[str, ...], standard: tuple[str, ...], own: str) -> None:
    """From here on files are read only below these folders and ``own``, and none is written.

    ``standard``: where Python's own library lies. Other packages that lie inside of it are none.

    A hook cannot be taken out again. It keeps all that it uses in its arguments' defaults, which
    nobody reaches through a frame or a module, and calls no method that somebody may have replaced:
    what is no text of Python's own class, but of one derived from it, is refused.
    """

    def hook(
        event: str,
        args: Any,
        refused: Any = REFUSED,
        modules: Any = MODULES,
        files: Any = FILES,
        writing: Any = WRITE,
        readable: Any = (*readable, own + os.sep, os.devnull),
        standard: Any = standard,
        closed: Any = tuple(one + end for one in standard for end in PACKAGES),
        own: Any = own + os.sep,
        nothing: Any = os.devnull,
        writes: Any = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND,
        separator: Any = os.sep,
        text: Any = str,
        octets: Any = bytes,
        number: Any = int,
        kind: Any = type,
        error: Any = PermissionError,
        missing: Any = ImportError,
    ) -> None:
        if text.startswith(event, refused):
            raise error(f"homework is graded without {event}")
        if event == "import":
            name = args[0]
            if kind(name) is not text or text.rpartition(name, ".")[2] in modules:
                raise missing(f"homework is graded without {text(name)}")
            return
        if event in writing:
            raise error("homework is graded without writing files")
        if event not in files:
            return
        path = args[0]
        if kind(path) is number:
            return
        if kind(path) is octets:
            path = octets.decode(path, "utf-8", "surrogateescape")
        if kind(path) is not text:
            path = "" if path is None else "?.."
        if event == "open" and (args[2] or 0) & writes and path != nothing:
            raise error("homework is graded without writing files")
        place = text.__add__(path, separator)
        if not text.startswith(path, separator) and not text.__contains__(path, ":"):
            place = text.__add__(own, place)
        inside = text.startswith(place, readable)
        if text.startswith(place, standard) and not text.startswith(place, closed):
            inside = True
        if not inside or text.__contains__(path, ".."):
            raise error("homework is graded without other files than its own")

    sys.addaudithook(hook)


def shut_by_kernel(readable: list[str], standard: list[str], own: str) -> None:
    """The same by Linux, which nobody can talk out of it. Elsewhere nothing happens."""
    kernel = runpy.run_path(os.path.join(os.path.dirname(__file__), "kernel.py"))
    folders, files = kernel["of_python"](standard, PACKAGES)
    files += kernel["libraries"]()
    kernel["refuse_files"]([*readable, *folders, own], standard, files)
    kernel["refuse_calls"]()


def limit(seconds: int, megabytes: int) -> None:
    """Limits of computing time, memory and what is written, where the system has them."""
    if resource is None:
        return
    memory = megabytes * 2**20
    seconds += math.ceil(time.process_time())
    for name, soft, hard in (
        ("RLIMIT_CPU", seconds, seconds + 1),
        ("RLIMIT_AS", memory, memory),
        ("RLIMIT_FSIZE", 2**16, 2**16),  # where it was when it was stopped is written by Python
        ("RLIMIT_CORE", 0, 0),
        ("RLIMIT_NOFILE", 64, 64),
    ):
        if hasattr(resource, name):
            try:
                resource.setrlimit(getattr(resource, name), (soft, hard))
            except (ValueError, OSError):  # it is lower already, or the system has no such limit
                pass


class Missing:
    """Says of packages that are there, but not for this assignment, that this is so."""

    def __init__(self, packages: list[str]) -> None:
        self.packages = packages

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        first = name.partition(".")[0]
        if first == "minigrad" and first not in self.packages:
            raise ImportError("minigrad is not there when this homework is graded: write your own")


# ------------------------------------------------------------------------------------- answering


class Answers:
    """Runs the student's code in a module of its own, and keeps what cannot be sent."""

    def __init__(self, packages: list[str]) -> None:
        self.module = types.ModuleType("__main__")
        self.names = vars(self.module)
        self.names["display"] = lambda *things, **options: None
        self.names["exit"] = self.names["quit"] = sys.exit
        sys.modules["__main__"] = self.module
        self.kept: list[Any] = []
        self.lesson: Any = None
        self.torch: Any = None
        if "minigrad" in packages:
            self.torch = importlib.import_module("minigrad")
            self.lesson = importlib.import_module("minigrad.lesson.checking")

    def keep(self, value: Any) -> Any:
        if self.torch is not None and isinstance(value, self.torch.Tensor):
            return {"tensor": [packed_array(value._array), bool(value.requires_grad)]}
        number = next((n for n, one in enumerate(self.kept) if one is value), len(self.kept))
        if number == len(self.kept):
            self.kept.append(value)
        return {"object": [number, type(value).__name__]}

    def kept_one(self, kind: str, inside: Any) -> Any:
        if kind == "tensor":
            array, requires_grad = inside
            array = unpack(array, self.kept_one)
            return self.torch.tensor(array, requires_grad=requires_grad)
        return self.kept[inside[0]]

    def run(self, cells: Any) -> None:
        """Run these statements of these cells: ``[(label, source, places), …]``."""
        for label, source, places in cells:
            tree = ast.parse(source)
            tree.body = [tree.body[place] for place in places]
            exec(compile(tree, label, "exec"), self.names)

    def value(self, expression: str) -> Any:
        return eval(expression, self.names)

    def call(self, function: Any, arguments: Any, options: Any) -> Any:
        return function(*arguments, **options)

    def operate(self, name: str, *operands: Any) -> Any:
        return getattr(operator, name)(*operands)

    def get(self, thing: Any, name: str) -> Any:
        return getattr(thing, name)

    def set(self, thing: Any, name: str, value: Any) -> None:
        setattr(thing, name, value)

    def convert(self, thing: Any, kind: str) -> Any:
        if kind == "array":
            return importlib.import_module("numpy").asarray(thing)
        return getattr(builtins, kind)(thing)

    def outcome(self, function: Any, arguments: Any) -> Any:
        """What the function makes of its arguments, and the gradients where there are any."""
        if self.lesson is not None:
            return self.lesson.outcome(function, arguments)
        returned = function(*arguments)
        results = list(returned) if isinstance(returned, (list, tuple)) else [returned]
        single = len(results) == 1
        return [
            ("the result" if single else f"result {i}", result)
            for i, result in enumerate(results, 1)
        ]

    def reply(self, line: str) -> dict[str, Any]:
        try:
            what, *arguments = json.loads(line)
            unpacked = [unpack(one, self.kept_one) for one in arguments]
            return {"value": pack(getattr(self, what)(*unpacked), self.keep)}
        except BaseException as error:  # SystemExit and KeyboardInterrupt too
            return {"error": described(error)}


def described(error: BaseException) -> list[Any]:
    """An error in plain words: its kind, its text, and the line of theirs that raised it."""
    try:
        text = str(error)[:2000]
    except BaseException:
        text = ""
    frames = traceback.extract_tb(error.__traceback__, limit=-100)
    own = [(frame.filename, frame.lineno) for frame in frames if frame.filename.startswith("cell ")]
    if isinstance(error, SyntaxError) and not own:
        own = [(str(error.filename), error.lineno)]
    return [type(error).__name__, text, list(own[-1]) if own else None]


def nowhere(mode: str) -> Any:
    return os.fdopen(os.open(os.devnull, os.O_RDWR), mode)


def main() -> None:
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8")
    seconds, megabytes, packages, readable, standard, path = json.loads(requests.readline())
    own = os.getcwd()
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    faulthandler.enable(2)
    sys.stdin, sys.stdout, sys.stderr = map(nowhere, ("r", "w", "w"))
    sys.path[:] = [*path, own]
    sys.argv[:] = [""]
    for name in packages:
        importlib.import_module(name)
    random.seed(0)
    if "numpy" in packages:
        importlib.import_module("numpy").random.seed(0)
    answers = Answers(packages)
    sys.meta_path.insert(0, Missing(packages))
    limit(seconds, megabytes)
    if hasattr(signal, "SIGXCPU"):
        faulthandler.register(signal.SIGXCPU, 2, chain=True)
    shut_by_kernel(readable, standard, own)
    shut(tuple(readable), tuple(standard), own)
    for line in requests:
        # Where it is when its time is over is written down, without any help of the code's.
        *request, wall = json.loads(line)
        faulthandler.dump_traceback_later(wall, file=2)
        reply = json.dumps(answers.reply(json.dumps(request)))
        faulthandler.cancel_dump_traceback_later()
        replies.write(reply + "\n")
        replies.flush()


if __name__ == "__main__":
    main()
