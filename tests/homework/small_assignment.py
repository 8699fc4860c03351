"""A small assignment for the tests of the grader, and submissions of it."""

from __future__ import annotations

import json
import uuid
from pathlib import Path

EXERCISES = '''
"""What the small assignment asks."""
import numpy as np
from minigrad import lesson

{imports}

def judge_of_value(Value):
    x = Value(3.0)
    y = x * x
    y.backward()
    mine = float(x.grad)
    return "" if abs(mine - 6.0) < 1e-9 else f"the slope of x * x at 3 is not {{mine:g}}."


EXERCISES = [
    lesson.Exercise(
        "double",
        answer=lambda x: x * 2,
        cases=[(2.0,), (np.array([1.0, 5.0]),)],
        hidden=[(3.5,)],
        mistakes={{lambda x: x * x: "that squares."}},
        points=4,
        seconds=1,
    ),
    lesson.Exercise("value", judge=judge_of_value, points=6, seconds=1),
    lesson.Exercise("number", answer=15.0, mistakes={{8.0: "one path only."}}, points=2, seconds=1),
]
'''
DOUBLE = "def double(x):\n    return x * 2"
VALUE = """class Value:
    def __init__(self, data):
        self.data, self.grad, self.back = data, 0.0, None

    def __mul__(self, other):
        out = Value(self.data * other.data)
        out.back = (self, other)
        return out

    def backward(self):
        one, other = self.back
        one.grad += other.data
        other.grad += one.data"""
NUMBER = "slope = 15"
RIGHT = {"double": DOUBLE, "value": VALUE, "number": NUMBER}
ATTEMPTS = {"double": "double", "value": "Value", "number": "slope"}


def cell(source, *tags, identity=None):
    return {
        "cell_type": "code",
        "id": identity or uuid.uuid5(uuid.NAMESPACE_URL, source).hex[:8],
        "metadata": {"tags": list(tags)},
        "source": source,
        "outputs": [],
        "execution_count": None,
    }


def notebook(cells):
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


SETUP = "import numpy as np\nfrom minigrad import lesson\nimport exercises\nfrom math import pi"


def cells_of(answers):
    cells = [cell(SETUP, identity="setup")]
    for name, source in answers.items():
        cells.append(cell(source, f"answer:{name}", identity=f"answer-{name}"))
        check = f"lesson.check(exercises.EXERCISES[0], {ATTEMPTS[name]})"
        cells.append(cell(check, identity=f"check-{name}"))
    return cells


def marked(source):
    """A solution as the teacher's notebook has it."""
    return f"### BEGIN SOLUTION\n{source}\n### END SOLUTION"


def make_assignment(folder, imports='IMPORTS = ("numpy",)'):
    """A folder with three questions: a function, a class, a number."""
    room = Path(folder, "small")
    room.mkdir()
    Path(room, "exercises.py").write_text(EXERCISES.format(imports=imports), encoding="utf-8")
    write(Path(room, "small.ipynb"), cells_of({name: marked(one) for name, one in RIGHT.items()}))
    return room


def write(path, cells):
    path.write_text(json.dumps(notebook(cells)), encoding="utf-8")
    return path
