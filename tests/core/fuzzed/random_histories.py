"""Random programs of statements that change state, run under minigrad and under PyTorch.

    python tests/core/fuzzed/random_histories.py --count 20000 --seed 1    # print differences
    python tests/core/fuzzed/random_histories.py --record                  # the tests' sample

Both need PyTorch; the tests run the recorded sample without it. Where ``random_programs`` compares
the results of expressions, here writes, views, backward passes, hooks, modes, functions of one's
own, copies and threads follow each other, and what is compared is all that can be seen of every
tensor, after each statement, also after one that raised. In every second program one looks only at
the end, since looking settles views, and so might hide something.

A program that differs is shown with all statements left out that the difference does not need. The
recorded sample holds programs that agreed when it was recorded: it guards them, while the
comparison with PyTorch finds new ones.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import sys
import warnings
from collections import Counter
from pathlib import Path

from history_statements import MODES, NAMES_ON_CTX, PASSES, TABLES, WRITES, scope_of

RECORD = Path(__file__).parent / "recorded" / "random_histories.json"
RECORDED = 200  # programs that the tests run
WORDS_COMPARED = 4  # of an error's message
BOOKKEEPING = {
    "requires_grad",
    "is_leaf",
    "grad_fn",
    "version",
    "contiguous",
    "strides",
    "retains_grad",
    "is",
}

NUMBERS = [2, -1, 0.5, 1.5, 3, 0, True]
DTYPES = ["float32"] * 6 + ["float64"] * 4 + ["int64"] * 2 + ["int32", "uint8", "bool"]
SHAPES = [(), (3,), (2,), (2, 3), (2, 3), (2, 2), (1, 3), (2, 1, 2), (0, 3), (0,)]
INDICES = [
    "0",
    "-1",
    "...",
    "1:",
    "::2",
    ":0",
    "None",
    "..., 0",
    "..., 1:",
    ":, 0",
    "[0, 0]",
    "[-1]",
    "torch.tensor([0, 1])",
    "torch.tensor(0)",
    "..., [0, -1]",
    "True",
    "[[0], [1]]",
    "None, 0",
]


# ------------------------------------------------------------------ writing a program


class Blanks(dict):
    """Fills the blanks of a statement from the tensors that there are; each name once."""

    def __init__(self, rng: random.Random, scope: dict, tensors: dict, first: int) -> None:
        self.rng, self.scope, self.tensors = rng, scope, tensors
        self.next = first
        self.latest = ""  # the tensor named last

    def __missing__(self, blank: str) -> str:
        self[blank] = text = str(getattr(self, f"_{blank}")())
        return text

    def among(self, fits) -> str:
        """A tensor that fits, late ones likelier. Raises LookupError if there is none."""
        names = [name for name, tensor in self.tensors.items() if fits(tensor)]
        if not names:
            raise LookupError
        self.latest = self.rng.choice([*names, *names[-3:]])
        return self.latest

    def _a(self):
        return self.among(lambda t: True)

    def _b(self):
        before = self.latest
        shape = self.tensors[before].shape
        found = self.among(lambda t: t.shape == shape or self.rng.random() < 0.2)
        self.latest = before
        return found

    def _f(self):
        return self.among(lambda t: t.is_floating_point())

    def _r(self):
        return self.among(lambda t: t.requires_grad)

    def _x(self):
        return self.among(lambda t: t.requires_grad and asked(t, "is_leaf") is True)

    def _quiet(self):
        """A leaf without hooks, which threads would call in any order."""
        return self.among(
            lambda t: (
                t.requires_grad
                and asked(t, "is_leaf") is True
                and not t._backward_hooks
                and not t._post_accumulate_grad_hooks
            )
        )

    def _y(self):
        return self.among(lambda t: asked(t, "is_leaf") is False)

    def _new(self):
        self.next += 1
        return f"v{self.next - 1}"

    _too = _new

    def _n(self):
        return self.rng.choice(NUMBERS)

    def _m(self):
        return self.rng.choice([2, 4, 1.5])

    def _d(self):
        dims = self.tensors[self.latest].dim()
        return self.rng.randint(-dims, dims - 1) if dims else 0

    _e = _d

    def _i(self):
        if self.rng.random() < 0.15:
            return f"{self.latest} > 0"
        return self.rng.choice(INDICES)

    def _saved(self):
        return repr(self.rng.choice(["input", "output", "middle", "attribute"]))

    def _kept(self):
        return repr(self.rng.choice([*NAMES_ON_CTX, *["factor"] * 2 * len(NAMES_ON_CTX)]))

    def _loss(self):
        r, b = self._r(), self._b()
        return self.rng.choice([f"({r} * 2).sum()", f"({r} * {r}).sum()", f"({r} * {b}).sum()"])

    def _block(self):
        lines = [self.statement(inside=True) for _ in range(self.rng.randint(1, 2))]
        return "".join(f"\n    {line}" for line in lines)

    def _writes(self):
        return f"\n    {self.statement(WRITES)}"

    def statement(self, table: str = "", inside: bool = False) -> str:
        """A statement of this table, or of any."""
        while not table or (inside and table == MODES):
            (table,) = self.rng.choices(list(TABLES), TABLES.values())
        template = self.rng.choice(table.strip().splitlines())
        blanks = Blanks(self.rng, self.scope, self.tensors, self.next)
        text = template.format_map(blanks)
        self.next = blanks.next
        return text


def written_by(seed: int, torch) -> list[str]:
    """The statements of a random program. Which are possible, PyTorch says meanwhile."""
    rng = random.Random(seed)
    scope = scope_of(torch)
    program = [f"v{number} = {made(rng)}" for number in range(rng.randint(2, 3))]
    for statement in program:
        attempted(statement, scope)
    first = len(program)
    wanted = rng.randint(4, 12)
    for _ in range(4 * wanted):
        blanks = Blanks(rng, scope, tensors_in(torch, scope), first)
        try:
            statement = blanks.statement(PASSES if len(program) == wanted else "")
        except LookupError:
            continue
        first = blanks.next
        before = gradients_in(torch, scope)
        error = attempted(statement, scope)
        if any(tensor.is_inference() for tensor in tensors_in(torch, scope).values()):
            break  # minigrad has no such tensors
        if not all(map(usable, tensors_in(torch, scope).values())):
            break
        if error and gradients_in(torch, scope) != before:
            break  # a pass that fails leaves every .grad as it was, in minigrad alone
        if error and rng.random() > (0.5 if about_history(error) else 0.04):
            continue  # errors are part of the promise, but not all of it
        program.append(statement)
        if len(program) > wanted or not tensors_in(torch, scope):
            break
    torch.set_grad_enabled(True)
    return program


def gradients_in(torch, scope: dict) -> list:
    """The values of each ``.grad`` that there may be."""
    tensors = tensors_in(torch, scope).values()
    held = [t for t in tensors if t.retains_grad or asked(t, "is_leaf") is True]
    return [None if t.grad is None else t.grad.tolist() for t in held]


def made(rng: random.Random) -> str:
    """A tensor of random shape, dtype and values."""
    shape = rng.choice(SHAPES)
    dtype = rng.choice(DTYPES)
    count = math.prod(shape)
    if dtype.startswith("float"):
        values = [round(rng.uniform(-2, 2), 2) for _ in range(count)]
    elif dtype == "bool":
        values = [rng.random() < 0.5 for _ in range(count)]
    else:
        values = [rng.randint(0 if dtype == "uint8" else -3, 5) for _ in range(count)]
    for size in reversed(shape[1:]):
        values = [values[start : start + size] for start in range(0, len(values), size)]
    text = f"torch.tensor({values if shape else values[0]}, dtype=torch.{dtype})"
    if not count:
        text = f"torch.zeros({shape}, dtype=torch.{dtype})"
    if dtype.startswith("float") and rng.random() < 0.75:
        text += ".requires_grad_()"
    return text


def usable(tensor) -> bool:
    """Small enough, and not so large in value that rounding is all one compares."""
    if tensor.numel() > 60:
        return False
    numbers = flat(tensor.tolist())
    if asked(tensor, "is_leaf") is True and tensor.grad is not None:
        numbers += flat(tensor.grad.tolist())
    return max((abs(v) for v in numbers if math.isfinite(v)), default=0) < 1e5


def about_history(error: Exception) -> bool:
    words = ("leaf", "inplace", "second time", "grad", "view", "memory", "graph", "deepcopy")
    return any(word in str(error) for word in words)


# ------------------------------------------------------------------ running it


def attempted(statement: str, scope: dict) -> Exception | None:
    """Execute a statement, and return the error, if there is one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(statement, scope)
        except Exception as error:
            return error
    return None


def tensors_in(torch, scope: dict) -> dict:
    return {n: v for n, v in scope.items() if n[0] == "v" and isinstance(v, torch.Tensor)}


def history(torch, program: list[str], every: bool) -> list[dict]:
    """After each statement: its error, if it raised, and the state of everything, if one looks."""
    scope = scope_of(torch)
    moments = []
    made: dict = {}  # of each tensor, by its id: itself, its first version, and is it a gradient?
    for position, statement in enumerate(program):
        error = attempted(statement, scope)
        for tensor in tensors_in(torch, scope).values():
            made.setdefault(id(tensor), (tensor, tensor._version, ".grad" in statement))
        moment: dict = {}
        if error is not None:
            moment["error"] = type(error).__name__
            moment["message"] = str(error).split("\n")[0][:120]
        if every or position == len(program) - 1:
            moment["state"] = state(torch, scope, made)
        moments.append(moment)
    torch.set_grad_enabled(True)
    return moments


def state(torch, scope: dict, made: dict) -> dict:
    """All that can be seen of every tensor, and of what hooks have seen."""
    tensors = tensors_in(torch, scope)
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, tensor in tensors.items():
            _, version, is_gradient = made[id(tensor)]
            found[name] = seen_of(tensor, is_gradient)
            # How often a backward pass wrote to what it then gave away is its own affair.
            found[name]["version"] = tensor._version - version
            found[name]["is"] = next(n for n, other in tensors.items() if other is tensor)
            grad = asked(tensor, "grad")
            if grad is not None:
                found[f"{name}.grad"] = grad if isinstance(grad, str) else seen_of(grad, True)
        for position, value in enumerate(scope["seen"]):
            found[f"seen[{position}]"] = {} if value is None else seen_of(value, True)
    return found


def seen_of(tensor, is_gradient: bool) -> dict:
    """What one tensor shows; of a gradient not its layout, nor by which operations it was made."""
    shape = list(tensor.shape)
    node = asked(tensor, "grad_fn")
    found = {
        "values": [plain(v) for v in flat(tensor.tolist())],
        "dtype": str(tensor.dtype),
        "shape": shape,
        "requires_grad": asked(tensor, "requires_grad"),
        "is_leaf": asked(tensor, "is_leaf"),
        "retains_grad": asked(tensor, "retains_grad"),
        "grad_fn": node if node is None or isinstance(node, str) else type(node).__name__,
    }
    if is_gradient:
        return {**found, "grad_fn": node is not None}
    found["contiguous"] = tensor.is_contiguous()
    # Of a dimension of size 1 the stride says nothing.
    found["strides"] = [s for s, n in zip(tensor.stride(), shape) if n > 1 and tensor.numel()]
    return found


def asked(tensor, attribute: str):
    """An attribute; or, if asking raises, the error."""
    try:
        return getattr(tensor, attribute)
    except Exception as error:
        return f"{type(error).__name__}: {first_words(str(error))}"


def flat(values) -> list:
    """Nested lists as one."""
    if not isinstance(values, list):
        return [values]
    return [number for part in values for number in flat(part)]


def plain(value):
    """A number as JSON can hold it."""
    return value if not isinstance(value, float) or math.isfinite(value) else str(value)


# ------------------------------------------------------------------ comparing


def differences(here: list[dict], there: list[dict]):
    """Where two histories differ: position, kind, what, and both sides as text."""
    for position, (mine, theirs) in enumerate(zip(here, there, strict=True)):
        if mine == theirs:
            continue
        both = "error" in mine and "error" in theirs
        if "error" in mine and not both:
            yield position, "refused", said(mine), f"{said(mine)} | computed"
        elif "error" in theirs and not both:
            yield position, "accepted", said(theirs), f"computed | {said(theirs)}"
        elif both and said(mine) != said(theirs):
            text = f"{said(mine)} | {said(theirs)}"
            yield position, "other error", text, text
        if mine.get("state") != theirs.get("state"):
            yield from different_states(position, mine["state"], theirs["state"])


def different_states(position: int, here: dict, there: dict):
    for name in sorted({*here, *there}):
        field = ".grad" if name.endswith(".grad") else "seen" if name[:4] == "seen" else ""
        if name not in here or name not in there:
            text = "there | nothing" if name in here else "nothing | there"
            yield position, "silent", f"{field or 'tensor'}: {text}", f"{name}: {text}"
            continue
        mine, theirs = here[name], there[name]
        for what in ("dtype", "shape", "values", *sorted(BOOKKEEPING)):
            a, b = mine.get(what), theirs.get(what)
            if a == b or (what == "values" and a and b and close(mine, theirs)):
                continue
            kind = "bookkeeping" if what in BOOKKEEPING else "silent"
            detail = "" if what in ("values", "shape", "strides", "is") else f": {a} | {b}"
            yield position, kind, f"{field} {what}{detail}".strip(), f"{name} {what}: {a} | {b}"


def close(here: dict, there: dict) -> bool:
    """Are these the same numbers, up to rounding?"""
    numbers = [abs(v) for v in there["values"] if isinstance(v, float)]
    rounding = 1e-4 if there["dtype"] == "torch.float32" else 1e-5
    tolerance = rounding * (1 + max(numbers, default=0))
    return len(here["values"]) == len(there["values"]) and all(
        abs(a - b) <= tolerance if isinstance(a, float) and isinstance(b, float) else a == b
        for a, b in zip(here["values"], there["values"])
    )


def said(moment: dict) -> str:
    return f"{moment['error']}: {first_words(moment['message'])}"


def first_words(message: str) -> str:
    return " ".join(message.split()[:WORDS_COMPARED])


def worst(here: list[dict], there: list[dict]):
    """The first difference that is more than bookkeeping; else the first; else None."""
    found = list(differences(here, there))
    return next((one for one in found if one[1] != "bookkeeping"), found[0] if found else None)


def minimised(program: list[str], every: bool, differs, found) -> list[str]:
    """The program without the statements that the difference found does not need."""
    _, kind, what, _ = found
    again = True
    while again:
        again = False
        for position in reversed(range(len(program))):
            shorter = program[:position] + program[position + 1 :]
            still = differs(shorter, every) if shorter else None
            if still is not None and still[1:3] == (kind, what):
                program, again = shorter, True
    return program


def operation_of(statement: str) -> str:
    """A statement without names and numbers, to count statements of one sort."""
    text = re.sub(r"\bv\d+\b", "_", statement.replace("\n    ", " "))
    return re.sub(r"-?\b\d[\d.]*|True", "n", text)


def compared(seeds: range, torch, minigrad, show: int) -> None:
    """Compare the programs of these seeds; print those that differ, and what classes there are."""

    def differs(program, every):
        return worst(history(minigrad, program, every), history(torch, program, every))

    classes: dict[tuple, Counter] = {}  # (kind, what) -> how often in which statement
    for seed in seeds:
        program, every = written_by(seed, torch), seed % 2 == 0
        found = differs(program, every)
        if found is None:
            continue
        program = minimised(program, every, differs, found)
        position, kind, what, text = differs(program, every) or found  # threads may be lucky
        statement = operation_of(program[min(position, len(program) - 1)])
        counts = classes.setdefault((kind, what), Counter())
        counts[statement] += 1
        if counts.total() <= show:
            print(f"--- seed {seed}, {kind}: minigrad's | PyTorch's\n    {text}")
            print("\n".join(program), flush=True)
    differing = sum(counts.total() for counts in classes.values())
    print(f"\n{len(seeds)} programs from seed {seeds[0]}: {differing} differ")
    for (kind, what), counts in sorted(classes.items(), key=lambda c: (c[0][0], -c[1].total())):
        print(f"{counts.total():5} {kind:12} {what}")
        for operation, count in counts.most_common(3):
            print(f"{count:11} {operation}")


# ------------------------------------------------------------------ recording


def changes(moments: list[dict]) -> list[dict]:
    """The moments with only what is new in each state, which takes less room."""
    before: dict = {}
    found = []
    for moment in moments:
        now = moment.get("state")
        if now is not None:
            new = {name: value for name, value in now.items() if before.get(name) != value}
            gone = [name for name in before if name not in now]
            moment = {**moment, "state": {"new": new, "gone": gone}}
            before = now
        found.append(moment)
    return found


def whole(moments: list[dict]) -> list[dict]:
    """The moments that ``changes`` was made of."""
    now: dict = {}
    found = []
    for moment in moments:
        if "state" in moment:
            new, gone = moment["state"]["new"], moment["state"]["gone"]
            now = {name: value for name, value in now.items() if name not in gone} | new
            moment = {**moment, "state": now}
        found.append(moment)
    return found


def record(torch, minigrad) -> None:
    """Write down the first programs that agree. Threads are left out: a race may be won by luck."""
    rows: list[str] = []
    seed = 0
    while len(rows) < RECORDED:
        program, every = written_by(seed, torch), seed % 2 == 0
        there = history(torch, program, every)
        threads = any("in_threads" in statement for statement in program)
        if not threads and worst(history(minigrad, program, every), there) is None:
            row = {"seed": seed, "program": program, "every": every, "history": changes(there)}
            rows.append(json.dumps(row))
        seed += 1
    RECORD.write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="utf-8")
    print(f"{len(rows)} of {seed} programs recorded with PyTorch {torch.__version__}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0, help="the first program's")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--show", type=int, default=3, help="how many programs of each class")
    options = parser.parse_args()

    import torch
    import torch.utils.checkpoint

    import minigrad

    torch.set_num_threads(1)
    if options.record:
        record(torch, minigrad)
    else:
        seeds = range(options.seed, options.seed + options.count)
        compared(seeds, torch, minigrad, options.show)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
    main()
