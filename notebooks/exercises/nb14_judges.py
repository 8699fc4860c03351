"""Exercises of notebook 14 and their judges: eight lines, data for both, a program of yours."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
import warnings
from typing import Any, NamedTuple

import numpy as np
from IPython.display import display

import minigrad
from minigrad import lesson
from minigrad.lesson import broke
from minigrad.lesson.checking import is_stub
from minigrad.lesson.values import is_open

from .nb14_beside import RECORD, Columns, importing, library, printed, pytorch, said


class Unfit(ValueError):
    """What is no attempt that could be judged: it is told so, and does not count as a try."""

    def __init__(self, as_told: str) -> None:
        super().__init__(as_told)
        self.as_told = as_told


# ------------------------------------------------------------------------------- eight lines

LINES = [
    (
        "a.dtype",
        "2.0 was given without a dtype, so the default decides. Has minigrad one of its own?",
    ),
    (
        "torch.tensor(np.array(2.0)).dtype",
        "NumPy has chosen a dtype for the number already. Who would have a reason to change it?",
    ),
    (
        "torch.tensor([2], requires_grad=True)",
        "In lesson 01 you have seen what minigrad says of whole numbers. Is there a reason for it "
        "that holds for minigrad alone?",
    ),
    (
        "torch.tensor([200], dtype=torch.uint8) + 100",
        "300 does not fit into 8 bits. Would the two libraries make different numbers of it?",
    ),
    (
        "b.half()",
        "That asks for numbers of 16 bits. Which dtypes does minigrad have? Try dir(minigrad).",
    ),
    (
        "e.grad_fn.saved",
        'Lesson 01 has a line on that in its table "In PyTorch".',
    ),
    (
        "torch.datasets.digits()",
        "PyTorch is a library for tensors and their gradients. Where does its data come from?",
    ),
    (
        "km @ km",
        "The shapes (5, 1) and (5, 1) do not fit: which of the two libraries could multiply them?",
    ),
]


def given(torch: Any) -> dict[str, Any]:
    """The names that the lines use: the tensors of section 1, and the distances of section 2."""
    a = torch.tensor([2.0], requires_grad=True)
    b = torch.tensor([6.0], requires_grad=True)
    km = torch.tensor([[1.0], [2.0], [3.0], [4.0], [5.0]])
    return {"torch": torch, "np": np, "a": a, "b": b, "e": (a + b) * (b + 1), "km": km}


def outcome(line: str, torch: Any) -> str:
    """What comes of a line: its value, or the kind of its error."""
    try:
        value = eval(line, given(torch))  # one of the lines above
        return str(value) if len(str(value)) < 60 else f"a value: {type(value).__name__}"
    except Exception as problem:
        return type(problem).__name__


def outcomes() -> list[tuple[str, str]]:
    """What comes of each of the eight lines, in minigrad and in PyTorch."""
    here = pytorch()
    return [
        (outcome(line, minigrad), outcome(line, here) if here else RECORD["lines"][line])
        for line, _ in LINES
    ]


def show_lines() -> None:
    for number, (line, _) in enumerate(LINES, 1):
        print(f"{number}  {line}")


def show_outcomes() -> None:
    ours, theirs = zip(*outcomes())
    numbered = ([f"{n}  {one}" for n, one in enumerate(column, 1)] for column in (ours, theirs))
    display(Columns(*numbered))


def judge_same(mine: Any) -> str | None:
    if not isinstance(mine, (list, tuple)) or len(mine) != len(LINES):
        raise Unfit(f"a list of {len(LINES)} answers is wanted: True or False for each line.")
    if any(is_open(one) for one in mine):
        return None
    if not all(isinstance(one, bool) for one in mine):
        raise Unfit("each answer is True or False.")
    wrong = [
        number
        for number, (answer, (ours, theirs)) in enumerate(zip(mine, outcomes()))
        if answer != (ours == theirs)
    ]
    if not wrong:
        return ""
    if len(wrong) == len(LINES):
        return "all eight are the wrong way round. True means: both give the same result."
    many = f"{len(wrong)} answers are not right yet" if len(wrong) > 1 else "one is not right yet"
    return f"{many}. Look at line {wrong[0] + 1}: {LINES[wrong[0]][1]}"


same = lesson.Exercise(
    "same",
    judge=judge_same,
    hint="Ask two things of each line. Has each of the libraries all the names in it? And if both "
    "have them, is there a reason to compute something else? Two errors of one kind are the same.",
    because="5, 6 and 7 are different: half() is PyTorch's alone, saved and datasets are "
    "minigrad's.",
)

# ------------------------------------------------------------------------------ data for both


def judge_data(digits_for: Any) -> str | None:
    """In PyTorch, or in its stand-in; and in minigrad."""
    if not callable(digits_for):
        return "a function is wanted."
    if not takes_one(digits_for):
        return "it is called with one thing, the library that shall make the tensors."
    try:
        with warnings.catch_warnings():  # minigrad's advice on copying would not help here
            warnings.simplefilter("ignore", UserWarning)
            result = digits_for(minigrad)
    except AttributeError as problem:
        lacking = re.search(r"module 'minigrad' has no attribute '(\w+)'", str(problem))
        if not lacking:
            raise
        return (
            f'it asks for "{lacking[1]}", and minigrad has no such name. The function has to serve '
            "both libraries: which functions that make a tensor have you met in these lessons?"
        )
    if is_open(result) or is_stub(digits_for, result):
        return None
    if result is None:
        return "it returns None. Does it end with a return?"
    told = judge_digits(result, minigrad.Tensor, "minigrad")
    if told:
        return told
    torch = Noting(library())
    try:
        result = digits_for(torch)
    except Carried:
        return (
            "a tensor of minigrad's is given to a function of PyTorch's, which takes it for an "
            "object like any other. In which form do both libraries take numbers?"
        )
    except AttributeError as problem:
        name = minigrads_own(problem)
        if not name:
            raise
        return (
            f'it asks the library that it is given for "{name}", and PyTorch has no such name. '
            "Which library has brought the digits so far?"
        )
    told = judge_digits(result, library().Tensor, "PyTorch" if pytorch() else "PyTorch's stand-in")
    if told:
        return told
    if not pytorch() and len(torch.made) < len(result):
        return MIXED
    return ""


MIXED = (
    "given PyTorch, it returns tensors of minigrad, which PyTorch cannot compute with. What do "
    "both libraries understand?"
)


def takes_one(function: Any) -> bool:
    """Can it be called with one argument?"""
    try:
        inspect.signature(function).bind(...)
    except TypeError:
        return False
    return True


def judge_digits(result: Any, kind: type, name: str) -> str:
    if not isinstance(result, (list, tuple)) or len(result) != 2:
        return "two things are wanted: the images, and which digit each one shows."
    if not all(isinstance(one, (kind, minigrad.Tensor)) for one in result):
        kinds = " and ".join(type(one).__name__ for one in result)
        return f"given {name}, it returns {kinds}. Two tensors are wanted."
    if not all(isinstance(one, kind) for one in result):
        return MIXED
    images, truth = result
    wanted = minigrad.datasets.digits()
    if tuple(truth.shape) == tuple(wanted.x.shape) and tuple(images.shape) == tuple(wanted.y.shape):
        return "the labels come first, and the images second. In which order are they wanted?"
    if tuple(truth.shape) != tuple(wanted.y.shape):
        return broke(
            "shape",
            f"the second has the shape {tuple(truth.shape)}; one digit for each image is "
            f"{tuple(wanted.y.shape)}.",
        )
    if tuple(images.shape) != tuple(wanted.x.shape):
        return broke("shape", f"the images have the shape {tuple(images.shape)}.")
    for called, one, true in (("images", images, wanted.x), ("labels", truth, wanted.y)):
        if str(one.dtype) != str(true.dtype):
            return f"the {called} were {true.dtype}, and now they are {one.dtype}."
        if one.requires_grad:
            return f"the {called} require a gradient. Will a training change them?"
    if not np.array_equal(truth.numpy(), wanted.y.numpy()):
        return "the digits that the images show are others."
    if not np.array_equal(images.numpy(), wanted.x.numpy()):
        return "the grey levels are others."
    return ""


def minigrads_own(problem: BaseException) -> str:
    """The name that an error says PyTorch lacks, if minigrad has it; or ""."""
    lacking = re.search(r"(?:no attribute|cannot import name) '(\w+)'", str(problem))
    return lacking[1] if lacking and lacking[1] in RECORD["only_in_minigrad"] else ""


class Carried(TypeError):
    """A tensor of minigrad was given to a function that makes tensors of PyTorch."""


MAKING = ("tensor", "as_tensor", "asarray", "from_numpy", "Tensor")  # of numbers and arrays


class Noting:
    """The library; ``made`` is a list of what its functions make of numbers and arrays.

    They refuse a tensor of minigrad's. With the stand-in, whose tensors are minigrad's, the list
    tells if something was made for each result.
    """

    def __init__(self, torch: Any) -> None:
        self.torch, self.made = torch, []

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.torch, name)
        return self.noted(found) if name in MAKING else found

    def noted(self, function: Any) -> Any:
        def call(data: Any, *more: Any, **options: Any) -> Any:
            if isinstance(data, minigrad.Tensor):
                raise Carried("a tensor of minigrad's is no data for PyTorch")
            self.made.append(function(data, *more, **options))
            return self.made[-1]

        return call


data = lesson.Exercise(
    "data",
    judge=judge_data,
    hint="Go in two steps, both for the images and for the labels: first out of minigrad, and then "
    "into the library that the function is given. Numbers, shapes and dtypes stay what they are.",
    because="The shortest way is digits = minigrad.datasets.digits(); return "
    "torch.from_numpy(digits.x.numpy()), torch.from_numpy(digits.y.numpy()). If you have carried "
    "the numbers as lists, by .tolist(), that works too; it only takes longer.",
)

# -------------------------------------------------------------------------- a program of yours

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
LEAST = 3  # so many lines it has to print


class Name(NamedTuple):
    """A name that an import line brings: what it stands for, with its package, and in which line.

    ``import minigrad.nn as nn`` and ``from minigrad import nn`` bring the same.
    """

    name: str
    path: str
    line: int

    @property
    def package(self) -> str:
        return self.path.partition(".")[0]

    @property
    def within(self) -> str:
        """Where it is in the package: "nn.functional", or "" for the package itself."""
        return self.path.partition(".")[2]


def judge_port(attempt: Any) -> str | None:
    if not isinstance(attempt, (list, tuple)) or len(attempt) != 2:
        raise Unfit("the check is given two things: your program, and its new import lines.")
    program, lines = attempt
    if is_open(lines) or is_open(program):
        return None
    if not isinstance(program, str) or not isinstance(lines, str):
        raise Unfit("the program is a text in quotation marks, and so are the import lines.")
    lines = textwrap.dedent(lines).rstrip()
    if lines.strip() in ("", "...") or is_empty(program):
        return None
    refuse_other_packages(program)
    ours = in_minigrad(program)
    told = judge_imports(ast.parse(program), lines)
    if told:
        return told
    refuse_nodes_of_minigrad(ast.parse(program))
    theirs = lines_of(program, importing(library()), lines)
    if isinstance(theirs, str):
        return of_another_meaning(program, lines, theirs) or f"with the new import lines, {theirs}"
    there = "in PyTorch" if pytorch() else "in PyTorch's stand-in"
    for number, (a, b) in enumerate(zip(ours, theirs), 1):
        if not alike(a, b):
            return f"line {number} of what it prints is {a!r} in minigrad, and {b!r} {there}."
    if len(ours) == len(theirs):
        return ""
    return f"it prints {len(ours)} lines in minigrad, and {len(theirs)} {there}."


def is_empty(program: str) -> bool:
    """Is there nothing in it but imports and comments?"""
    try:
        return all(isinstance(one, (ast.Import, ast.ImportFrom)) for one in ast.parse(program).body)
    except SyntaxError:
        return False


def refuse_other_packages(program: str) -> None:
    """It is a program for minigrad. (What is not Python is left to the run, which names it.)"""
    try:
        brought = imported_in(ast.parse(program))
    except SyntaxError:
        return
    if not any(one.package == "minigrad" for one in brought):
        raise Unfit(
            "no line of the program imports minigrad, so there is none to change. Write the "
            "program for minigrad first."
        )
    for one in brought:
        if one.package == "torch":
            raise Unfit(
                f"line {one.line} of the program imports PyTorch already. Write the program for "
                "minigrad first: then there is something to move."
            )


def refuse_nodes_of_minigrad(program: ast.Module) -> None:
    """A program that looks into minigrad's nodes cannot do so in PyTorch's."""
    names = [one.attr for one in ast.walk(program) if isinstance(one, ast.Attribute)]
    if "grad_fn" not in names:
        return
    for one in ast.walk(program):
        if isinstance(one, ast.Attribute) and one.attr in RECORD["only_on_nodes"]:
            raise Unfit(
                f"line {one.lineno} of the program asks a node for .{one.attr}, and PyTorch's "
                "nodes have no such name. Leave that line out, or choose another program."
            )


def of_another_meaning(program: str, lines: str, failed: str) -> str:
    """If a new line brings another part under a name, what that is; or ""."""
    meant = {one.name: one for one in imported_in(ast.parse(program)) if one.package == "minigrad"}
    for one in imported_in(ast.parse(lines)):
        if one.name in meant and one.within != meant[one.name].within:
            place, _, _ = failed.partition(" raises")
            return (
                f"in the program, {one.name} stands for {meant[one.name].path}; line {one.line} of "
                f"the new ones lets it stand for {one.path}, and {place} fails."
            )
    return ""


def judge_imports(program: ast.Module, lines: str) -> str:
    """What is wrong with the new import lines, before anything is run with them; or ""."""
    try:
        new = ast.parse(lines)
    except SyntaxError:
        new = ast.parse("0")
    if not all(isinstance(one, (ast.Import, ast.ImportFrom)) for one in new.body):
        raise Unfit(
            f"only lines that import something are wanted in their place, not {lines.strip()!r}."
        )
    old = [one for one in imported_in(program) if one.package == "minigrad"]
    for one in old:
        part = one.within.partition(".")[0]
        if part in RECORD["only_in_minigrad"]:
            raise Unfit(
                f"line {one.line} of the program takes {part} from minigrad, and PyTorch has "
                "no such name. Choose a program that does without, or makes its data itself."
            )
    brought = imported_in(new)
    for one in brought:
        if one.package == "minigrad":
            return (
                f"line {one.line} of the new ones still takes {one.name} from minigrad, so that "
                "part still runs there. What is PyTorch's package called?"
            )
    names = [one.name for one in brought]
    for one in old:
        if one.name not in names:
            return (
                f"line {one.line} of the program brings the name {one.name}, which is minigrad's "
                f"there, and no new line brings {one.name}. They bring {', '.join(names)}."
            )
    return ""


def imported_in(tree: ast.Module) -> list[Name]:
    """The names that the import lines of a program bring."""
    found = []
    for one in ast.walk(tree):
        if isinstance(one, (ast.Import, ast.ImportFrom)):
            for alias in one.names:
                name = alias.asname or alias.name.partition(".")[0]
                path = alias.name if alias.asname else name
                if isinstance(one, ast.ImportFrom):
                    path = f"{one.module or ''}.{alias.name}"
                found.append(Name(name, path, one.lineno))
    return found


class Without(ast.NodeTransformer):
    """A program without what it imports of minigrad; its lines keep their numbers."""

    def visit_Import(self, node: ast.Import) -> ast.stmt:
        kept = [one for one in node.names if one.name.partition(".")[0] != "minigrad"]
        if not kept:
            return ast.copy_location(ast.Pass(), node)
        return ast.copy_location(ast.Import(kept), node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt:
        ours = (node.module or "").partition(".")[0] == "minigrad"
        return ast.copy_location(ast.Pass(), node) if ours else node


def in_minigrad(program: str) -> list[str]:
    """What a program prints, if it can be compared at all. Raises Unfit if it cannot."""
    ours, again = (lines_of(program, {"__name__": "__main__"}) for _ in range(2))
    if isinstance(ours, str):
        raise Unfit(f"in minigrad, before anything is moved, {ours}")
    if isinstance(again, str) or len(ours) != len(again):
        raise Unfit("it was run twice in minigrad, and did not do the same. So let it do first.")
    for number, (a, b) in enumerate(zip(ours, again), 1):
        if not alike(a, b):
            raise Unfit(
                f"it was run twice in minigrad, and line {number} of what it prints was {a!r} and "
                f"then {b!r}. If it draws random numbers, let them begin from a seed, as the "
                "training of section 2 does."
            )
    if "backward(" not in program and "autograd.grad(" not in program:
        raise Unfit("it computes no gradient. Let it call backward().")
    if len(ours) < LEAST:
        raise Unfit(f"it prints {len(ours)} of the {LEAST} lines that are wanted at least.")
    return ours


def lines_of(program: str, names: dict[str, Any], imports: str = "") -> list[str] | str:
    """What it prints; or, where an error ends it, in which line and which.

    With ``imports``, these lines stand in the place of those that import minigrad.
    """
    failed: list[str] = []

    def run(_: Any) -> None:
        try:
            tree = ast.parse(program)
            if imports:
                exec(compile(imports, "import lines", "exec"), names)
                tree = Without().visit(tree)
            exec(compile(tree, "your program", "exec"), names)
        except Exception as problem:
            failed.append(f"{where(problem)} raises {said_of(problem)}")

    lines = printed(run, None)
    return failed[0] if failed else lines


def said_of(problem: Exception) -> str:
    """An error in a line, and what else there is to say of it."""
    if isinstance(problem, SyntaxError):
        torn = "unterminated string" in str(problem.msg)
        raw = "If it holds a \\n, write r in front of the quotation marks around the program."
        return f"SyntaxError: {problem.msg}. {raw if torn else ''}".strip()
    own = ". That name is minigrad's own." if minigrads_own(problem) else ""
    return f"{said(problem).splitlines()[0]}{own}"


def where(problem: BaseException) -> str:
    """In which line of the program, or of its new import lines, it arose."""
    if isinstance(problem, SyntaxError):
        return f"line {problem.lineno}"
    step, found = problem.__traceback__, "line 0"
    while step is not None:
        if step.tb_frame.f_code.co_filename == "your program":
            found = f"line {step.tb_lineno}"
        if step.tb_frame.f_code.co_filename == "import lines":
            found = f"line {step.tb_lineno} of them"
        step = step.tb_next
    return found


def alike(ours: str, theirs: str) -> bool:
    """The same words, and numbers that differ by no more than rounding."""
    if NUMBER.sub("#", ours) != NUMBER.sub("#", theirs):
        return False
    pairs = zip(NUMBER.findall(ours), NUMBER.findall(theirs))
    return all(np.isclose(float(a), float(b), rtol=1e-3, atol=1e-4) for a, b in pairs)


port = lesson.Exercise(
    "port",
    judge=judge_port,
    hint="The check goes in this order: does the program import minigrad, run there twice alike, "
    "compute a gradient and print at least three lines? Does each of its lines that import from "
    "minigrad have a new one, by which the same names are brought? And does it then run?",
    because="What was taken from minigrad is taken from torch now, as in `import torch` or `from "
    "torch import nn`, and all else stays as it was. If PyTorch is not installed here, this "
    "verdict is about your lines alone: whether PyTorch has every name that the program uses, only "
    "a run there can tell.",
)
