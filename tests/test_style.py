"""The house rules that a program can check: lint, types, who may import whom."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
import size

ROOT = Path(__file__).resolve().parents[1]
CORE = ROOT / "minigrad"
FILES = sorted(CORE.rglob("*.py"))

# The rooms of the core from the ground floor up: each imports only rooms on lower floors. What
# stands in compat/ has floors of its own, for PyTorch's words are needed below and above.
FLOORS = (
    ("micro",),  # stands beside the house: it imports no room, and no room imports it
    ("address",),
    ("dtypes", "errors", "longs"),
    ("compat.devices", "compat.missing"),
    ("compat.install",),
    ("engine",),
    ("compat.arguments",),
    ("ops",),
    ("compat.legacy",),
    ("fast",),
    ("linalg",),
    ("_printing",),
    ("_values",),
    ("_methods", "compat.other_names"),
    ("_tensor",),
    ("tape",),
    ("autograd", "nn", "optim", "utils", "serialization", "datasets"),
    ("lesson", "static"),
    ("homework",),
    ("__init__",),
)
FLOOR_OF = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}


def check(*command):
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, "\n" + done.stdout + done.stderr


def test_no_two_modules_of_the_tests_have_one_name():
    """Of two, whichever is imported first hides the other, and the suite cannot be collected."""
    folders = [folder for folder in (ROOT / "tests").rglob("*") if folder.is_dir()]
    modules = [
        file.name
        for folder in folders
        if not (folder / "__init__.py").exists() and folder.name not in ("solutions", "wrong")
        for file in folder.glob("*.py")
        if file.name not in ("conftest.py", "__init__.py")
    ]
    assert sorted({name for name in modules if modules.count(name) > 1}) == []


def test_ruff_has_nothing_to_say():
    check("ruff", "check", ".")


def test_the_formatter_has_nothing_to_change():
    check("ruff", "format", "--check", ".")


def test_the_types_hold():
    check("mypy")


# --- Tests ---------------------------------------------------------------------------------------

CLOCKS = {"monotonic", "perf_counter", "process_time", "thread_time", "time", "time_ns"}


def test_no_test_reads_a_clock():
    """On a busy machine it would fail; what is about time belongs into tests/benchmarks."""
    wrong = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for file in sorted(Path(ROOT, "tests").rglob("test_*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and node.attr in CLOCKS
        and ast.unparse(node.value) == "time"
    ]
    assert not wrong


# --- Rooms ---------------------------------------------------------------------------------------


def room_of(file):
    """The room of the core that a file belongs to: its module, its sub-package, or "compat.…"."""
    return room_at(file.relative_to(CORE).with_suffix("").parts)


def room_at(path):
    """The room behind a path of names below the package: ("nn", "linear") is in "nn"."""
    return ".".join(path[:2] if path[0] == "compat" else path[:1])


def imported_rooms(file):
    """The rooms of the core that a file imports when it runs, each with the line that does so."""
    package = ("minigrad", *file.relative_to(CORE).parts[:-1])
    for node in running_nodes(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            targets = [alias.name.split(".") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = [*package[: len(package) + 1 - node.level]] if node.level else []
            base += node.module.split(".") if node.module else []
            targets = [[*base, alias.name] for alias in node.names]
        else:
            continue
        for target in targets:
            if target[0] == "minigrad":
                # `from minigrad import Tensor` takes a name that only the roof knows.
                known = len(target) > 1 and is_room(target[1])
                yield (room_at(target[1:]) if known else "__init__"), node.lineno


ENGINE = (
    "atomic",
    "arrays",
    "node",
    "modes",
    "operands",
    "views",
    "unbroadcast",
    "record",
    "backward",
)
"""The files of the engine, from the ground up."""


def test_the_files_of_the_engine_stand_on_each_other():
    for height, name in enumerate(ENGINE):
        above = "|".join(ENGINE[height:])
        text = Path(CORE, "engine", f"{name}.py").read_text(encoding="utf-8")
        assert not re.search(rf"^from \.({above}) import", text, re.MULTILINE), name
    assert {*ENGINE, "__init__"} == {file.stem for file in Path(CORE, "engine").glob("*.py")}


def is_room(name):
    return (CORE / name).is_dir() or (CORE / f"{name}.py").exists()


def running_nodes(tree):
    """All nodes except those under `if TYPE_CHECKING:`, which never run."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            waiting += node.orelse
        else:
            waiting += ast.iter_child_nodes(node)


def test_every_room_has_its_floor():
    assert {room_of(file) for file in FILES} - {"compat.__init__"} == set(FLOOR_OF)


@pytest.mark.parametrize("room", FLOOR_OF)
def test_a_room_imports_only_rooms_below_it(room):
    wrong = [
        f"{file.relative_to(ROOT)}:{line} imports {other}"
        for file in FILES
        if room_of(file) == room
        for other, line in imported_rooms(file)
        if other != room and FLOOR_OF.get(other, 0) >= FLOOR_OF[room]
    ]
    assert not wrong


def test_no_function_of_the_core_imports_anything():
    wrong = [
        f"{file.relative_to(ROOT)}:{node.lineno} in {function.name}"
        for file in FILES
        for function in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    assert not wrong


# --- Size ----------------------------------------------------------------------------------------


def test_size_leaves_out_comments_docstrings_and_blank_lines():
    program = """
        'What this is.'

        # why
        x = [1,
             2]  # two lines

        def f():
            'What f does.'
            return x
    """
    assert size.size_of(textwrap.dedent(program)).lines == 4


def test_size_counts_what_makes_lines_dense():
    program = """
        a, b = 1, 2
        c, d = a.split()
        e = (a if b else c) if d else None

        def bare(x):
            def inner() -> None: ...

        class Typed:
            def method(self, x: int): ...
    """
    found = size.size_of(textwrap.dedent(program))
    assert (found.ternaries, found.tuple_assignments, found.bare_functions) == (2, 1, 1)


def test_size_tells_of_a_room_that_has_grown_by_more_than_a_tenth():
    """And of no other: a room that is not in the plan, new or moved, has no limit yet."""
    plan = {"attic": 1000, "cellar": 1000}
    (notice,) = size.notices({"attic": 1101, "cellar": 1100, "annex": 9999}, plan)
    assert notice.startswith("attic has 1,101 syntax nodes, of which 1,100 were planned")


def test_size_knows_the_nodes_of_each_room_without_its_docstrings():
    nodes = size.nodes_by_room()
    for room, files in size.rooms().items():
        sizes = [size.size_of(file.read_text(encoding="utf-8")) for file in files]
        assert nodes[room] == size.total(sizes).nodes


def test_no_line_of_the_core_is_longer_than_100_columns():
    wrong = [
        f"{file.relative_to(ROOT)}:{number}"
        for file in FILES
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > 100
    ]
    assert not wrong
