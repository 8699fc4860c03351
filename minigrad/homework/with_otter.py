"""Otter: a master notebook as ``otter assign`` wants one, and this grader in the place of its own.

Otter runs a whole notebook in one kernel, and its tests in that kernel, too. Here it makes the
student's version and an autograder, and writes the results; the points come from ``grade``, by a
plugin that takes the submission's cells out before Otter would run them. Nothing of Otter is
imported here: its configuration names this file.
"""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import building
from .assignment import Assignment
from .building import REGION
from .grading import Grade, Question, grade
from .notebooks import NotebookError

PLUGIN = f"{__name__}.Grader"

TEST = '''""" # BEGIN TEST CONFIG
hidden: true
points: POINTS
""" # END TEST CONFIG
raise RuntimeError("the points come from minigrad's grader, and it was not asked")
'''


def master(assignment: Assignment, grader: str) -> Iterator[tuple[str, bytes]]:
    """The files of a folder for ``otter assign``, but the grader's archive of this name."""
    files = []
    for name, content in building.files_for_students(assignment):
        if name != f"{assignment.name}.ipynb":
            files.append(name)
            yield name, content
    settings = {
        "name": assignment.name,
        "init_cell": False,  # students need no Otter: they check with lesson.check
        "export_cell": False,
        "run_tests": not assignment.personal,  # of the solutions; a personal one wants a name
        "files": files,
        "autograder_files": [grader],
        "generate": {
            "plugins": [{PLUGIN: {"grader": grader}}],
            "show_hidden": True,
            "force_public_test_summary": False,
        },
    }
    notebook = master_notebook(assignment, settings)
    yield f"{assignment.name}.ipynb", building.as_bytes(notebook)


def master_notebook(assignment: Assignment, settings: dict[str, Any]) -> dict[str, Any]:
    """The students' notebook, with each answer cell as a question: its points and its solution."""
    notebook = building.notebook_for_students(assignment)
    points = {one.name: float(one.points) for one in assignment.exercises("an example")}
    cells = [raw("config", "ASSIGNMENT CONFIG", settings)]
    for cell in notebook["cells"]:
        tags = cell.get("metadata", {}).get("tags", ())
        names = [tag.removeprefix("answer:") for tag in tags if tag.startswith("answer:")]
        if not names:
            cells.append(cell)
            continue
        name = names[0]
        test = {
            **raw(f"test-{name}", ""),
            "cell_type": "code",
            "source": TEST.replace("POINTS", f"{points[name]:g}").strip(),
            "outputs": [],
            "execution_count": None,
        }
        cells += [
            raw(f"question-{name}", "BEGIN QUESTION", {"name": name, "points": points[name]}),
            raw(f"solution-{name}", "BEGIN SOLUTION"),
            {**cell, "source": with_solution(cell["source"], assignment.answers[name].source)},
            raw(f"solved-{name}", "END SOLUTION"),
            raw(f"tests-{name}", "BEGIN TESTS"),
            test,
            raw(f"tested-{name}", "END TESTS"),
            raw(f"asked-{name}", "END QUESTION"),
        ]
    notebook["cells"] = cells
    return notebook


def raw(key: str, mark: str, settings: dict[str, Any] | None = None) -> dict[str, Any]:
    """A cell that tells Otter something: it reads YAML, and JSON is YAML."""
    told = "" if settings is None else "\n" + json.dumps(settings, indent=1)
    source = f"# {mark}{told}"
    return {"id": f"otter-{key}", "cell_type": "raw", "metadata": {}, "source": source}


def with_solution(handed_out: str, source: str) -> str:
    """A solution, and in a string before it what Otter puts in its place for students."""
    quotes = "'''" if '"""' in handed_out else '"""'
    if quotes in handed_out:
        raise NotebookError(f"an answer cell for Otter has one kind of triple quotes: {handed_out}")
    prompt = f"r{quotes} # BEGIN PROMPT\n{handed_out}\n{quotes} # END PROMPT"
    solution = REGION.sub(without_marks, source).strip()
    return f"# BEGIN SOLUTION NO PROMPT\n{solution}\n# END SOLUTION\n{prompt}"


def without_marks(region: Any) -> str:
    """What stands between two marks: Otter would take ours for its own."""
    return "\n".join(region[0].splitlines()[1:-1])


class Grader:
    """Otter's plugin, under the names that Otter calls.

    ``config["grader"]``: the assignment as a whole, as an archive beside the submission.
    """

    def __init__(self, submission: str | None, _metadata: Any, config: dict[str, str]) -> None:
        self.archive = Path(submission or ".").parent / config["grader"]  # none yet: it is built
        self.graded: Grade | None = None

    def before_execution(self, notebook: Any) -> Any:
        """Grade the submission, and leave none of it to be run."""
        with tempfile.TemporaryDirectory() as room:
            with zipfile.ZipFile(self.archive) as archive:
                archive.extractall(room)
            (folder,) = (path for path in Path(room).iterdir() if path.is_dir())
            submission = Path(room, "submitted.ipynb")
            submission.write_text(json.dumps(notebook), encoding="utf-8")
            self.graded = grade(Assignment(folder), submission)
        notebook["cells"] = []
        return notebook

    def after_grading(self, results: Any) -> None:
        """Write the verdicts over those that Otter's own tests have brought."""
        for one in self.graded.questions if self.graded else ():
            file = results.results.get(one.name)
            if file is not None:
                file.update_score(one.points)
                for case in file.test_case_results:
                    tell(case, one)


def tell(case: Any, question: Question) -> None:
    case.passed = question.points == question.possible
    case.message = question.message or question.state
    case.test_case.success_message = question.message or None
