"""Answers of a notebook, each judged with the statements that it needs, in this very process."""

from __future__ import annotations

import contextlib
import copy
import io
import json
import sys

from minigrad import lesson
from minigrad.homework import notebooks


def sources(assignment):
    """The solution of each answer, without its marks."""
    return {name: cell.source for name, cell in assignment.answers.items()}


def written(notebook, answers, student):
    """The notebook with these answers and this name in their cells."""
    notebook = copy.deepcopy(notebook)
    for cell in notebook["cells"]:
        for tag in cell["metadata"].get("tags", ()):
            name = tag.removeprefix("answer:")
            if name in answers:
                cell["source"] = answers[name]
            if tag == "student":
                cell["source"] = f"name = {student!r}"
    return notebook


def verdict(assignment, name, source, student):
    """What the grader would say of this answer, found without a process of its own."""
    notebook = written(assignment.notebook, {name: source}, student)
    program = assignment.program(notebooks.code_cells(notebook), name)
    expression = assignment.attempt(name)
    names = {}
    for label, text, places in notebooks.needed(program, expression):
        tree = notebooks.ast.parse(text)
        tree.body = [tree.body[place] for place in places]
        exec(compile(tree, label, "exec"), names)
    exercise = next(one for one in assignment.exercises(student) if one.name == name)
    return lesson.judge(exercise, eval(expression, names))


def spoilt(source, right, wrong):
    """A solution with a mistake in it."""
    assert source.count(right) == 1, "the solution has changed"
    return source.replace(right, wrong)


def printed(notebook):
    """What the notebook prints when it is run from top to bottom."""
    names = {"__name__": "__main__"}
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                exec(compile("".join(cell["source"]), f"<cell {cell['id']}>", "exec"), names)
    return said.getvalue()


def save(notebook, path):
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return path


@contextlib.contextmanager
def neighbours(folder):
    """The modules of an assignment's folder can be imported, and are forgotten in the end."""
    own = [path.stem for path in folder.glob("*.py")]
    kept = {name: sys.modules.pop(name) for name in own if name in sys.modules}
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in own:
            sys.modules.pop(name, None)
        sys.modules.update(kept)
