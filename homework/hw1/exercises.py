"""The checks of HW1: what each stage of your own autograd has to get right.

Each is judged by what comes of small programs, so its attempt is ``runs_on(Value)``: see
``runner.py``. The grader has programs with other numbers and other graphs besides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial

import numpy as np

from minigrad import lesson
from minigrad.lesson.own_class import Engine, Program, Slip, own_class
from minigrad.lesson.own_class.programs import asked, drawn, numbers_from, random_graph
from minigrad.lesson.own_class.slips import CHAINS, ORDERS, REUSES, RULES_WRONG
from minigrad.lesson.own_class.slips_of_calls import ARRAYS, BROADCASTS, SEVERAL, SHARED

__all__ = [
    "EXERCISES",
    "accumulate",
    "arrays",
    "control_flow",
    "depth",
    "order",
    "reuse",
    "scalars",
]

IMPORTS = ("numpy",)  # what an answer may import: minigrad is not among it
OPEN = 1  # a seed
Structure = Callable[[np.random.Generator], Program]


def scalar_program(
    lines: str, random: np.random.Generator, signs: Sequence[int] = (1, 1, 1)
) -> Program:
    """A program of the letters x, y, z and of n, which stands for a number: "mul c x y; …"."""
    numbers = numbers_from(random)
    steps = [line.split() for line in lines.split(";")]
    named = {part for step in steps for part in step[2:]}
    leaves = [
        ["leaf", name, sign * next(numbers)] for name, sign in zip("xyz", signs) if name in named
    ]
    filled = [
        [*step[:2], *[float(next(numbers)) if part == "n" else whole(part) for part in step[2:]]]
        for step in steps
    ]
    return asked([*leaves, *filled], steps[-1][1])


def whole(part: str) -> str | int:
    return int(part) if part.isdigit() else part


def made(structures: Iterable[Structure], seed: int, slips: Sequence[Slip]) -> list[Program]:
    """A program of each structure, with numbers that tell the mistakes apart.

    Of engines that make the same mistake in different ways, one is enough for that.
    """
    random = np.random.default_rng(seed)
    engines = [Engine, *{slip.text: slip.makes for slip in slips}.values()]
    return [drawn(structure, random, engines) for structure in structures]


def of_lines(*programs: str) -> list[Structure]:
    return [partial(scalar_program, one) for one in programs]


def graphs(count: int, steps: int) -> list[Structure]:
    return [partial(random_graph, steps=steps)] * count


def exercise(
    name: str,
    points: float,
    slips: Sequence[Slip],
    structures: Sequence[Structure],
    *,
    fixed: Sequence[Program] = (),
    concept: str,
    hint: str,
    seconds: float = 10.0,
) -> lesson.Exercise:
    """One stage: its programs, and the ``fixed`` ones, which have no numbers to draw.

    They are made when they are first asked for.
    """

    @cache
    def shown() -> Callable[[object], str]:
        return own_class([*made(structures, OPEN, slips), *fixed], slips)

    stage = lesson.Exercise(
        name,
        judge=lambda attempt: shown()(attempt),
        points=points,
        hint=hint,
        seconds=seconds,
    )
    ### BEGIN HIDDEN
    from dataclasses import replace

    @cache
    def unseen() -> Callable[[object], str]:
        more, fixed_too = MORE[name]
        drawn_anew = made([*structures, *more], SEED_OF_HIDDEN, slips)
        return own_class([*drawn_anew, *fixed, *fixed_too], slips, hidden=True, concept=concept)

    stage = replace(stage, hidden=lambda attempt: unseen()(attempt))
    ### END HIDDEN
    return stage


# ------------------------------------------------------------------- 1. scalars, in a chain

CHAIN_LINES = of_lines(
    "add c x y",
    "mul c x y",
    "sub c x y",
    "neg c x",
    "pow c x 3",
    "tanh c x",
    "add c x n",
    "add c n x",
    "mul c n x",
    "sub c x n",
    "sub c n x",
    "mul c x y; mul d c n",
    "sub c x y; mul d n c",
    "neg c x; mul d c n",
    "pow c x 3; mul d c n",
    "mul c x n; pow d c 2",
    "mul c x n; sub d n c; mul e d y",
    "sub c x y; tanh d c; mul e d n",
    "add c x n; mul d c y; sub e d z; tanh f e; pow g f 2; mul h g n",
)
scalars = exercise(
    "scalars",
    10,
    [*RULES_WRONG, *CHAINS],
    CHAIN_LINES,
    concept="an operation, or a chain of several",
    hint="take the program that is named, and work out on paper what reaches each operand.",
)

# ------------------------------------------------------------------------------- 2. reuse

REUSE_LINES = of_lines(
    "mul c x x",
    "add c x x",
    "mul c x x; add d c x",
    "mul c x y; add d c x",
    "mul c x n; mul d c c",
    "add c x y; add d y n; mul e c d",
    "mul c x n; add d c y; mul e c d",
    "mul c x y; tanh d c; sub e d c; mul f e n",
)
reuse = exercise(
    "reuse",
    10,
    REUSES,
    [*REUSE_LINES, *graphs(4, 4)],
    concept="values that are used more than once",
    hint="what does x.grad hold when the second gradient arrives, and what should it hold then?",
)

# ------------------------------------------------------------------------------- 3. order

DOUBLINGS: Program = [
    ["leaf", "x", 3.0],
    ["add", "y", "x", "x"],
    ["repeat", 39, [["add", "y", "y", "y"]]],
    ["backward", "y"],
    ["grad", "x"],
]
ORDER_LINES = of_lines(
    "pow c x 2; pow d c 2; pow e c 2; add f d e",
    "mul c x n; mul d c n; add e c d",
    "mul c x n; mul d c n; add e d c",
    "mul c x n; mul d c n; mul e d n; mul f c e; add g f d",
    "mul c x n; mul d c n; mul e d n; mul f e c; sub g f d",
    "add c x y; mul d c c; mul e d c; add f e d; mul g f c",
    "add c x y; mul d c c; mul e c d; add f d e; mul g c f",
)
order = exercise(
    "order",
    15,
    ORDERS,
    [*ORDER_LINES, *graphs(6, 6)],
    fixed=[DOUBLINGS],
    concept="the order in which values are visited",
    hint="write down the order of your visits for the program that is named. Is there a value "
    "that is visited before one of its users?",
)

# ------------------------------------------------------------------------------- 4. depth

LONG_CHAIN: Program = [
    ["leaf", "x", 3.0],
    ["add", "y", "x", 0.5],
    ["repeat", 5000, [["add", "y", "y", 0.25]]],
    ["backward", "y"],
    ["grad", "x"],
]
depth = exercise(
    "depth",
    20,
    ORDERS,
    [*ORDER_LINES, *graphs(3, 6)],
    fixed=[DOUBLINGS, LONG_CHAIN],
    concept="large graphs, or the order of the visits in them",
    hint="a value can be put on a list twice: once to look at what is behind it, and once to say "
    "that all of that is done.",
    seconds=20.0,
)

# -------------------------------------------------------------------- 5. accumulate and free


def passes(lines: str, random: np.random.Generator) -> Program:
    """Like ``scalar_program``, with steps of every kind; k and m are constants."""
    numbers = numbers_from(random)
    steps = [line.split() for line in lines.split(";")]
    used = {part for step in steps for part in step[1:]}
    leaves = [["leaf", name, next(numbers), name not in "km"] for name in "xykm" if name in used]
    return [*leaves, *[with_keywords(step) for step in steps]]


def with_keywords(step: list[str]) -> list[object]:
    if step[-1] == "retain":
        return [*step[:-1], {"retain_graph": True}]
    return [*step[:2], *[3.5 if part == "n" else part for part in step[2:]]]


def of_passes(*programs: str) -> list[Structure]:
    return [partial(passes, one) for one in programs]


PASSES = of_passes(
    "mul c x x; backward c; grad x",
    "mul c x x; backward c; mul d x n; backward d; grad x",
    "mul c x y; backward c; zero x; mul d x n; backward d; grad x; grad y",
    "mul c x n; mul d c c; backward d retain; grad x; backward d; grad x",
    "mul c x y; mul d c c; add e d c; backward e retain; backward e retain; backward e; grad x; "
    "grad y",
    "mul c x y; backward c; refused c; grad x; grad y",
    "mul c x y; backward c retain; backward c; refused c; grad x",
    "mul c x k; add d c x; backward d; grad x; grad k; flag d; flag k",
    "mul c k m; flag c; add d c x; flag d; backward d; grad x; grad k; grad m",
    "add c x n; flag c; mul d k n; flag d; value d",
    "mul c x y; mul d c n; backward d; grad c; grad d; grad x",
    "mul c x x; backward c; mul d c n; refused d; grad x",
    "mul c x x; backward c; mul d c y; refused d; grad y; grad x",
    "mul c x x; backward c; mul d y c; refused d; grad y; grad x",
    "mul c x y; mul d c n; backward d; forget c; grad x",
    "mul c k m; mul d c n; forget c; value d",
)
accumulate = exercise(
    "accumulate",
    15,
    SEVERAL,
    PASSES,
    concept="several passes, constants, and what is kept after a pass",
    hint="which of your values keep something after backward() has returned, and which of them "
    "should?",
)

# ------------------------------------------------------------- 6. arrays, and control flow


def array_program(shapes: str, lines: str, random: np.random.Generator) -> Program:
    """Leaves of these shapes, "x 2,3; y 3", then operations; the result is weighted and summed.

    No matrix is square, and the weights differ, so that a transpose shows.
    """
    leaves = []
    for one in shapes.split(";"):
        name, *axes = one.replace(",", " ").split()
        leaves.append(["leaf", name, array(random, axes), True])
    steps = [array_step(line.split()) for line in lines.split(";")]
    root = steps[-1][1]
    result = Engine()
    result.run([*leaves, *steps])
    weights = array(random, [str(n) for n in result.names[root].data.shape])
    ends = [
        ["leaf", "weights", weights, False],
        ["mul", "weighted", root, "weights"],
        ["sum", "loss", "weighted"],
    ]
    kept = [["value", leaf[1]] for leaf in leaves]
    program = asked([*leaves, *steps, *ends], "loss")
    return [step for step in program if step != ["grad", "weights"]] + kept


def array(random: np.random.Generator, axes: Sequence[str]) -> object:
    values = random.uniform(0.4, 2.9, [int(axis) for axis in axes]).round(2)
    return values.tolist() if axes else float(values)


def array_step(step: list[str]) -> list[object]:
    parts: list[object] = []
    options: dict[str, object] = {}
    for part in step[2:]:
        if "=" in part:
            key, value = part.split("=")
            options[key] = True if value == "True" else int(value)
        else:
            parts.append(float(part) if part.replace(".", "").isdigit() else part)
    return [*step[:2], *parts, *([options] if options else [])]


def of_arrays(*programs: str) -> list[Structure]:
    return [partial(array_program, *one.split("|")) for one in programs]


def unsummed(shapes: str, lines: str, random: np.random.Generator) -> Program:
    """The pass begins at the array itself."""
    ends = ("weights", "weighted", "loss")
    program = array_program(shapes, lines, random)
    steps = [step for step in program if step[0] not in ("grad", "value") and step[1] not in ends]
    return asked(steps, steps[-1][1])


def twice(shapes: str, lines: str, random: np.random.Generator) -> Program:
    """Two passes over the same graph."""
    program = array_program(shapes, lines, random)
    place = program.index(["backward", "loss"])
    first = ["backward", "loss", {"retain_graph": True}]
    return [*program[:place], first, *program[place:]]


AT_ZERO: Program = asked(
    [
        ["leaf", "x", [-1.5, 0.0, 2.5], True],
        ["relu", "c", "x"],
        ["leaf", "weights", [0.7, 1.3, 2.1], False],
        ["mul", "weighted", "c", "weights"],
        ["sum", "y", "weighted"],
    ],
    "y",
)
WHOLE: Program = [
    ["leaf", "x", [[3, 5, 4], [7, 6, 9]], True],
    ["kind", "x"],
    ["mul", "c", "x", 0.5],
    ["sum", "y", "c"],
    ["backward", "y"],
    ["grad", "x"],
]
ARRAY_LINES = of_arrays(
    "x 2,3; y 2,3|add c x y",
    "x 2,3; y 2,3|mul c x y",
    "x 2,3; y 2,3|sub c x y",
    "x 2,3; y 2,3|div c x y",
    "x 2,3|div c x 1.7",
    "x 2,3|div c 1.7 x",
    "x 2,3|sub c 1.7 x",
    "x 2,3|exp c x",
    "x 2,3|log c x",
    "x 2,3|sub c x 1.5; relu d c",
    "x 2,3|tanh c x",
    "x 2,3|pow c x 3",
    "x 2,3|neg c x",
    "x 2,3|sum c x",
    "x 2,3|sum c x axis=0",
    "x 2,3|sum c x axis=1",
    "x 2,3|sum c x axis=1 keepdims=True",
    "x 2,3; y 3,4|matmul c x y",
    "x 2,3; y 3|add c x y",
    "x 2,3; y 2,1|mul c x y",
    "x 2,3; y 1,3|div c x y",
    "x 2,3; y|mul c x y",
    "x 3; y 2,1|sub c x y",
    "x 2,3; y 2,3|add c x y; add d c y",
    "x 2,3; y 3,4; z 4|matmul c x y; add d c z; log e d",
)
TWO_PASSES = partial(twice, "x 2,3; y 2,3", "add c x y")
arrays = exercise(
    "arrays",
    20,
    [*BROADCASTS, *ARRAYS, *SHARED],
    [*ARRAY_LINES, partial(unsummed, "x 2,3; y 2,3", "add c x y"), TWO_PASSES],
    fixed=[AT_ZERO, WHOLE],
    concept="arrays: their shapes, or the rule of an operation",
    hint="print the shapes of g, of each operand, and of what your rule returns.",
)


def flow(steps: Program, at: Sequence[float]) -> list[Program]:
    """The program, begun at each of these numbers, so that it takes different ways."""
    return [asked([["leaf", "x", float(one), True], *steps], "y") for one in at]


DOUBLE_UNTIL: Program = [
    ["mul", "y", "x", 2.0],
    ["while", ["y", "<", 100.0], [["mul", "y", "y", 2.0]]],
]
TWO_WAYS: Program = [
    ["mul", "c", "x", 3.0],
    ["if", ["c", ">", 0.0], [["mul", "y", "c", "c"]], [["neg", "y", "c"]]],
]
ABOVE: Program = [
    ["pow", "y", "x", 2],
    ["while", ["y", ">", 1.5], [["mul", "y", "y", 0.4], ["add", "y", "y", 0.1]]],
    ["mul", "y", "y", "x"],
]
control_flow = exercise(
    "control_flow",
    10,
    [],
    [],
    fixed=[*flow(DOUBLE_UNTIL, (0.7, 3.0)), *flow(TWO_WAYS, (1.3, -1.3)), *flow(ABOVE, (2.3,))],
    concept="programs with if and while",
    hint="what does Python need from an object to decide y < 100, and what does it call?",
)

EXERCISES = [scalars, reuse, order, depth, accumulate, arrays, control_flow]

### BEGIN HIDDEN
SEED_OF_HIDDEN = 20_261_123


def tree(leaves: int) -> Program:
    """A sum of so many leaves, added in pairs: whoever begins anew for each leaf is stopped."""
    steps: Program = [["leaf", f"x{place}", 0.3 + place / leaves] for place in range(leaves)]
    names = [step[1] for step in steps]
    while len(names) > 1:
        one, other, *rest = names
        names = [*rest, f"y{len(steps)}"]
        steps.append(["add", names[-1], one, other])
    return asked(steps, names[0])


TREE = tree(800)
PRODUCTS: Program = [
    ["leaf", "x", 0.7],
    ["mul", "y", "x", 1.1],
    ["repeat", 40, [["mul", "c", "y", 0.3], ["mul", "d", "y", 0.6], ["add", "y", "d", "c"]]],
    ["backward", "y"],
    ["grad", "x"],
]
LONG_LADDER: Program = [
    ["leaf", "x", 3.0],
    ["mul", "y", "x", 1.1],
    ["repeat", 2000, [["mul", "c", "y", 0.25], ["mul", "d", "y", 0.75], ["add", "y", "d", "c"]]],
    ["backward", "y"],
    ["grad", "x"],
]
LONG_SUM: Program = [
    ["leaf", "x", 0.3],
    ["leaf", "total", 1.0],
    ["repeat", 4000, [["add", "total", "x", "total"]]],
    ["backward", "total"],
    ["grad", "x"],
]
NESTED: Program = [
    ["mul", "y", "x", 1.5],
    [
        "while",
        ["y", "<", 40.0],
        [["if", ["y", "<", 10.0], [["mul", "y", "y", "x"]], [["mul", "y", "y", 1.4]]]],
    ],
]
MORE: dict[str, tuple[list[Structure], list[Program]]] = {
    "scalars": (
        of_lines(
            "pow c x 4; neg d c; mul e d n",
            "sub c n x; pow d c 3; mul e y d",
            "tanh c x; tanh d c; mul e d n",
            "neg c x; sub d y c; mul e d n; tanh f e; sub g n f; pow h g 3",
        ),
        [TREE],
    ),
    "reuse": ([*of_lines("sub c x y; mul d c x; add e d c; mul f e y"), *graphs(6, 5)], [TREE]),
    "order": (graphs(14, 8), [PRODUCTS, TREE]),
    "depth": (graphs(10, 9), [PRODUCTS, LONG_LADDER, LONG_SUM]),
    "accumulate": (
        of_passes(
            "mul c x y; tanh d c; mul e d c; backward e retain; zero x; backward e; grad x; grad y",
            "mul c x x; mul d c k; backward d; mul e x y; mul f e x; backward f; "
            "grad x; grad y; grad k",
            "sub c k m; mul d c c; flag d; mul e d x; flag e; backward e; refused e; "
            "grad x; grad m",
            "mul c x n; mul d c c; mul e d y; backward e; forget d; forget c; grad x; grad y",
            "mul c x y; tanh d c; mul e d d; backward e; grad e; grad d; grad c; grad y",
            "mul c x x; tanh d c; backward d; mul e c y; mul f e y; refused f; grad y; grad x",
        ),
        [],
    ),
    "arrays": (
        of_arrays(
            "x 3,2; y 3,1|div c y x",
            "x 4; y 3,4|sub c x y; mul d c x",
            "x 1,4; y 3,1|mul c x y; add d c x",
            "x 2,3; y 3,4|matmul c x y; sum d c axis=0",
            "x 3,4; y 4,2; z 1,2|matmul c x y; sub d c z; relu e d; sum f e axis=0 keepdims=True",
            "x 4,2|exp c x; sum d c axis=1 keepdims=True; div e c d; log f e",
            "x 2,3; y 2,3|sub c x y; sub d c y; add e d x",
        ),
        [],
    ),
    "control_flow": (
        [],
        [*flow(NESTED, (1.7, 2.6)), *flow(ABOVE, (0.6, 3.1)), *flow(TWO_WAYS, (-0.4,))],
    ),
}
### END HIDDEN
