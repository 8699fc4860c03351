"""A student's process as the grader sees it, and what stands for the things that live there.

A judge gets a ``StandIn`` for a function or class of the student's, and uses it like the thing
itself: what it calls or reads is done over there. Numbers, texts, arrays and lists of them come
back as themselves; anything else is a stand-in again. Two things a stand-in refuses, for the
student's code would decide them: it is equal only to itself, and it is not compared. Whoever
compares a number takes ``float(x)`` first.
"""

from __future__ import annotations

import builtins
import json
import os
import queue
import re
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..engine.node import TensorBase, new_tensor
from ..lesson.checking import Elsewhere
from ..tape.values import visible
from . import student_side

MOST_LETTERS = 4_000_000  # of one reply
MOST_THINGS = 100_000  # of a student's process that have a stand-in
LONGEST_NAME = 100  # letters of a class
LONGEST_TEXT = 2_000  # letters of an error
UNREADABLE = "what came back from it cannot be read"
ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
KEPT_VARIABLES = ("SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")


class Ended(BaseException):
    """The student's process is no more. No judge catches that: it is no Exception."""

    def __init__(self, as_told: str) -> None:
        super().__init__(as_told)
        self.as_told = as_told


class StudentProcess:
    """A process for one question. ``seconds``: of computing, and ten times as long in all.

    ``left``: seconds until it is over in any case.
    """

    def __init__(
        self,
        folder: Path,
        packages: Sequence[str],
        seconds: float,
        megabytes: int = 1024,
        left: float = float("inf"),
    ) -> None:
        self.seconds = max(1, round(seconds))
        self.wall = min(10.0 * self.seconds + 5, left)
        self.until = time.monotonic() + self.wall
        self.megabytes = megabytes
        self.ended = ""
        self.sources: dict[str, str] = {}
        self.stand_ins: dict[int, StandIn] = {}
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 (close() closes it)
        inherited = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
        self.process = subprocess.Popen(
            [sys.executable, "-S", "-s", "-P", student_side.__file__],
            cwd=folder,
            env={**ENVIRONMENT, **inherited},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            start_new_session=True,
        )
        self.replies: queue.Queue[bytes] = queue.Queue(maxsize=1)
        self.listener = threading.Thread(target=self.listen, daemon=True)
        self.listener.start()
        self.write([self.seconds, megabytes, list(packages), *places(packages)])

    def listen(self) -> None:
        assert self.process.stdout
        while line := self.process.stdout.readline(MOST_LETTERS):
            self.replies.put(line)
        self.replies.put(b"")

    def write(self, message: Any) -> None:
        assert self.process.stdin
        try:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()
        except OSError:  # it is gone, which the reply will tell
            pass

    def ask(self, what: str, *arguments: Any) -> Any:
        """What the student's process makes of it. Raises what it raised there; or Ended."""
        if self.ended:
            raise Ended(self.ended)
        packed = [student_side.pack(one, self.sent) for one in arguments]
        left = max(self.until - time.monotonic(), 0.01)
        self.write([what, *packed, left])
        try:
            line = self.replies.get(timeout=left + 1)
        except queue.Empty:
            raise self.end(f"stopped after {self.wall:g} s: does it wait for something?") from None
        if not line:
            raise self.end(self.reason())
        try:
            reply = json.loads(line)
            if "value" in reply:
                return student_side.unpack(reply["value"], self.received)
            error = self.error(*reply["error"])
        except Exception:  # whoever writes into the pipe gets as far as this
            raise self.end(UNREADABLE) from None
        raise error

    def reason(self) -> str:
        """Why it has ended by itself, in words."""
        try:
            code = self.process.wait(2)
        except subprocess.TimeoutExpired:
            return "it has closed the pipe to the grader"
        if code in (-int(getattr(signal, "SIGXCPU", 0)), -9):
            return f"stopped after {self.seconds} s of computing: is there a loop that never ends?"
        if code < 0:
            known = [one.name for one in signal.Signals if one == -code]
            return f"Python itself came to its end ({(*known, f'signal {-code}')[0]})"
        return f"it ended Python itself, with exit code {code}"

    def end(self, why: str) -> Ended:
        self.ended = why + self.last_line()
        self.close()
        return Ended(self.ended)

    def last_line(self) -> str:
        """Where it was, if Python has written that down when it was stopped."""
        self.errors.seek(0)
        written = self.errors.read(100_000).decode("utf-8", "replace")
        found = re.search(r'File "(cell [^"]{1,20})", line (\d{1,9})', written)
        return "\n  " + self.line(found[1], int(found[2])) if found else ""

    def close(self) -> None:
        """End it, and whatever it has started."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (AttributeError, OSError):  # Windows; or it is gone
            self.process.kill()
        self.process.wait()
        self.ended = self.ended or "it is over"
        patience = time.monotonic() + 2  # somebody it has started may hold the pipe
        while self.listener.is_alive():
            if time.monotonic() > patience:
                return  # whoever closes a pipe waits for the thread that reads it
            try:
                self.replies.get(timeout=0.01)
            except queue.Empty:
                pass
        for pipe in (self.process.stdin, self.process.stdout, self.errors):
            try:
                if pipe:
                    pipe.close()
            except OSError:
                pass

    def __enter__(self) -> StudentProcess:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def run(self, cells: Sequence[tuple[str, str, list[int]]]) -> None:
        """Run statements of cells: labels, sources, and which statements of each."""
        self.sources.update((label, source) for label, source, _ in cells)
        self.ask("run", [list(cell) for cell in cells])

    def value(self, expression: str) -> Any:
        return self.ask("value", expression)

    def sent(self, value: Any) -> Any:
        if isinstance(value, StandIn):
            return {"object": [value._number, ""]}
        if isinstance(value, TensorBase):
            return {"tensor": [student_side.pack(value._array, self.sent), value._node is not None]}
        raise TypeError(f"a {type(value).__name__} cannot be sent to a student's process")

    def received(self, kind: str, inside: Any) -> Any:
        if kind == "tensor":
            return new_tensor(np.asarray(student_side.unpack(inside[0], self.received)))
        number, name = inside
        if kind != "object" or not isinstance(number, int):
            raise ValueError(f"nothing of this kind: {kind}")
        if number not in self.stand_ins:
            if len(self.stand_ins) == MOST_THINGS:
                raise ValueError(f"more than {MOST_THINGS} things")
            self.stand_ins[number] = StandIn(self, number, str(name)[:LONGEST_NAME])
        return self.stand_ins[number]

    def error(self, kind: str, text: str, place: Any) -> Exception:
        """The student's error, as one of the same kind here."""
        kind, text = kind[:LONGEST_NAME], text[:LONGEST_TEXT]
        made: Any = getattr(builtins, kind, None)
        if kind == "KeyError" or not isinstance(made, type) or not issubclass(made, Exception):
            name = kind if kind.isidentifier() else "Exception"
            made = type(name, (KeyError if kind == "KeyError" else Exception,), {})
        try:
            error: Any = made(text)
        except TypeError:  # a UnicodeError wants more than a text
            error = Exception(text)
        short = "\n".join(text.splitlines()[:6])[:600]
        told = f"it raised {kind}: {short}".rstrip(": ")
        if place:
            told = f"{told}\n  {self.line(str(place[0]), int(place[1] or 0))}"
        error.as_told = told
        return error

    def line(self, label: str, number: int) -> str:
        lines = self.sources.get(label, "").splitlines()
        text = lines[number - 1].strip()[:200] if 0 < number <= len(lines) else ""
        return visible(f"{label}, line {number}: {text}")


def places(packages: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
    """The folders that a student's process may read, those of Python itself, and its path."""
    standard = {os.path.dirname(os.__file__), sysconfig.get_path("stdlib")}
    path = [one for one in sys.path if one.endswith(("lib-dynload", ".zip", "DLLs"))]
    standard.update(path)
    path += sorted(standard - {*path})
    homes = {"numpy": Path(np.__file__).parent, "minigrad": ROOT}
    readable = []
    for name in packages:
        home = homes[name]
        path.append(str(home.parent))
        readable += [f"{home}{os.sep}", f"{home}.libs{os.sep}"]
    return readable, [f"{one}{os.sep}" for one in sorted(standard)], path


class StandIn(Elsewhere):
    """Stands for a thing in a student's process."""

    __array_ufunc__ = None  # NumPy leaves operators to it

    def __init__(self, process: StudentProcess, number: int, kind: str) -> None:
        vars(self).update(_process=process, _number=number, _kind=kind)

    def __repr__(self) -> str:
        return f"<the student's {self._kind}>"

    def outcome(self, arguments: Sequence[Any]) -> list[tuple[str, Any]]:
        parts = self._process.ask("outcome", self, list(arguments))
        try:
            return [(str(what), value) for what, value in parts]
        except (TypeError, ValueError):
            raise self._process.end(UNREADABLE) from None

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return self._process.ask("call", self, list(arguments), options)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._process.ask("get", self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._process.ask("set", self, name, value)

    def __float__(self) -> float:
        return float(self._process.ask("convert", self, "float"))

    def __int__(self) -> int:
        return int(self._process.ask("convert", self, "int"))

    def __len__(self) -> int:
        return int(self._process.ask("convert", self, "len"))

    def __bool__(self) -> bool:
        return True  # there is something: what it says of itself is the student's to say

    def __str__(self) -> str:
        return str(self._process.ask("convert", self, "str"))

    def __iter__(self) -> Iterator[Any]:
        return iter(self._process.ask("convert", self, "list"))

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        array = self._process.ask("convert", self, "array")
        if not isinstance(array, np.ndarray):
            raise TypeError(f"the student's {self._kind} is no array of numbers")
        return array.astype(dtype) if dtype is not None else array

    def __deepcopy__(self, known: Mapping[int, Any]) -> StandIn:
        return self

    def uncompared(self, other: Any) -> bool:
        raise TypeError(f"the student's {self._kind} is no number; take float() of it to compare")

    __lt__ = __le__ = __gt__ = __ge__ = uncompared


def operation(name: str, reflected: bool) -> Any:
    def operate(self: StandIn, *others: Any) -> Any:
        operands = (*others, self) if reflected else (self, *others)
        return self._process.ask("operate", name, *operands)

    return operate


TWO = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul")
for _name in TWO:
    setattr(StandIn, f"__{_name}__", operation(_name, False))
    setattr(StandIn, f"__r{_name}__", operation(_name, True))
for _name in ("neg", "pos", "abs", "getitem", "setitem", "delitem", "contains"):
    setattr(StandIn, f"__{_name}__", operation(_name, False))
