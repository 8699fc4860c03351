"""The last exercise of notebook 14 and its judge: a program of yours, moved to PyTorch.

The program runs twice in minigrad, and then with its new import lines in PyTorch, or in the
stand-in for it; what it prints is compared.
"""

from __future__ import annotations

import ast
import re
import textwrap
from typing import Any, NamedTuple

import numpy as np

from minigrad import lesson
from minigrad.lesson.values import is_open

from .nb14_beside import RECORD, importing, library, printed, pytorch, said
from .nb14_judges import Unfit, minigrads_own

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
    without_lines = lines.strip() in ("", "...")
    if is_empty(program):
        if without_lines:
            return None
        raise Unfit("the new import lines are there. Your program is missing.")
    refuse_other_packages(program)
    refuse_input(program)
    if without_lines:
        raise Unfit("your program is there. Its new import lines are missing.")
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


def refuse_input(program: str) -> None:
    """Nobody is there to type an answer while the check runs a program."""
    try:
        names = [one for one in ast.walk(ast.parse(program)) if isinstance(one, ast.Name)]
    except SyntaxError:
        return
    for one in names:
        if one.id == "input":
            raise Unfit(
                f"line {one.lineno} of the program waits for something to be typed, and the check "
                "cannot type. Write the value into the program instead."
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
