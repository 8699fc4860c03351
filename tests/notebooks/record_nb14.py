"""Record what PyTorch prints and shows of notebook 14's programs, for where it is not installed.

    python tests/notebooks/record_nb14.py

Needs PyTorch, in the version that the record of the core names.
"""

from __future__ import annotations

import ast
import json
import linecache
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT), str(ROOT / "widgets"), str(ROOT / "notebooks")]

from exercises import nb14_beside, nb14_judges  # noqa: E402
from lessons import LESSONS  # noqa: E402

import minigrad  # noqa: E402

VERSION = "2.13.0"
LATER = ("homework", "lesson", "micro", "static")  # rooms that are imported only when they are used
KEPT = (ast.FunctionDef, ast.Import, ast.ImportFrom)
LOOKS = [f"\n    print({one})" for one in ("d.requires_grad", "c.is_leaf", "a.dtype", "e.shape")]
LAST = '"e was made by:", e.grad_fn.name())'
CHANGES = [  # that the lesson proposes: the program, what stands there, what is put there
    *(("published", LAST, LAST + one) for one in LOOKS),
    *(("published", LAST, LAST + "".join(LOOKS[:count])) for count in (2, 3, 4)),
    *(("digits", "range(3)", f"range({count})") for count in (1, 2)),
    *(("digits", "lr=0.5", f"lr={rate}") for rate in (0.2, 0.1, 0.05)),
    *(("digits", "seed=0", f"seed={seed}") for seed in (1, 2, 3)),
    *(("graph", "range(2)", f"range({count})") for count in (1, 3, 4)),
    ("graph", "([0.5])", "([0.5], requires_grad=True)"),
]
FILE = ROOT / "notebooks" / "exercises" / "nb14_pytorch.json"


def answers(torch):
    """All that is recorded, as PyTorch answers it now."""
    (lesson,) = [one for one in LESSONS if one.number == "14"]
    found = {"lines": {}, "programs": {}, "changed programs": [], "views": {}, "changed views": []}
    for name, (program, shown) in programs(lesson).items():
        kind = "views" if shown else "programs"
        found[kind][name] = answer(nb14_beside.source_of(program), program, shown, torch)
    for source, program, shown in changed(lesson):
        kind = "changed views" if shown else "changed programs"
        found[kind].append(answer(source, program, shown, torch))
    for line, _ in nb14_judges.LINES:
        found["lines"][line] = nb14_judges.outcome(line, torch)
    ours = {*LATER, *(name for name in dir(minigrad) if not name.startswith("_"))}
    found["only_in_minigrad"] = sorted(name for name in ours if not hasattr(torch, name))
    found["only_on_nodes"] = sorted(of_a_node(minigrad) - of_a_node(torch) - set(dir(torch.Tensor)))
    return found


def answer(source, program, shown, torch):
    """What a program prints, or the view that it returns, as it looks."""
    if not shown:
        return {"program": source, "printed": nb14_beside.printed(program, torch)}
    view = program(torch)
    still = view.still()._asdict()
    view.close()
    return {"program": source, **still}


def of_a_node(torch):
    """The names that a node of this library has, without those for its own use."""
    node = (torch.ones(1, requires_grad=True) * 2).grad_fn
    return {name for name in dir(node) if not name.startswith("_")}


def programs(lesson):
    """The functions that the lesson's cells define, and whether each returns a view."""
    names, found = {"__name__": "__main__"}, {}
    for number, cell in enumerate(lesson.of_kind("code")):
        defined = [one for one in ast.parse(cell.source).body if isinstance(one, KEPT)]
        file = f"{lesson.path.name}, code cell {number}"
        linecache.cache[file] = (len(cell.source), None, cell.source.splitlines(True), file)
        exec(compile(ast.Module(defined, []), file, "exec"), names)
        for one in defined:
            if isinstance(one, ast.FunctionDef) and "exercise" not in cell.metadata:
                found[one.name] = names[one.name], f"nb14.on_pytorch({one.name})" in cell.source
    return found


def changed(lesson):
    """The programs that the lesson proposes to change, each with one change.

    Of each its source, the function, and whether it returns a view.
    """
    known = programs(lesson)
    for name, old, new in CHANGES:
        program, shown = known[name]
        source = nb14_beside.source_of(program)
        assert source.count(old) == 1, (name, old)
        names = dict(program.__globals__)
        exec(source.replace(old, new), names)
        yield source.replace(old, new), names[name], shown


def main():
    torch = nb14_beside.pytorch()
    if torch is None or nb14_beside.version() != VERSION:
        sys.exit(f"recording needs PyTorch: pip install torch=={VERSION}")
    text = json.dumps({"version": VERSION, **answers(torch)}, indent=1, ensure_ascii=False)
    FILE.write_text(text + "\n", encoding="utf-8")
    print(f"{FILE.name}: written")


if __name__ == "__main__":
    main()
