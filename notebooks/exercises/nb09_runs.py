"""What notebook 09 runs: graphs as tasks, schedules of them, and threads as real workers."""

from __future__ import annotations

import importlib
import math
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from graphlib import CycleError, TopologicalSorter
from importlib.util import find_spec
from typing import Any, NamedTuple

import minigrad as torch

# ------------------------------------------------------------------------------ graphs as tasks


class Task(NamedTuple):
    """One operation: its name, what it costs, and the names of those that it waits for."""

    name: str
    cost: float
    waits_for: tuple[str, ...]


class Graph(list[Task]):
    """The tasks of a run, in the order of the program; ``signs`` says which operation each is."""

    signs: Mapping[str, str] = {}


def graph(f: Callable[..., Any], /, **inputs: Any) -> Graph:
    """What ``f`` asks for, from the tape: each operation is a task that costs 1."""
    return graph_by(lambda node, shapes: 1, f, inputs)


def costed(f: Callable[..., Any], /, **inputs: Any) -> Graph:
    """The same, and an operation costs what it multiplies and adds."""
    return graph_by(multiply_adds, f, inputs)


def graph_by(cost: Callable[..., float], f: Callable[..., Any], inputs: Mapping[str, Any]) -> Graph:
    given = {name: leaf(value) for name, value in inputs.items()}
    nodes = torch.tape.run(torch.tape.tape, f, given).nodes
    shapes = {node["id"]: node["value"]["shape"] for node in nodes}
    names = {node["id"]: "" for node in nodes}
    found, signs = Graph(), {}
    for node in nodes:
        if node["kind"] == "op":
            names[node["id"]] = name = f"v{len(found) + 1}"
            signs[name] = node["symbol"] or node["op"]
            used = dict.fromkeys(names[one["id"]] for one in node["inputs"] if one["id"])
            found.append(Task(name, cost(node, shapes), tuple(one for one in used if one)))
    found.signs = signs
    return found


def leaf(value: Any) -> Any:
    """An input whose operations are recorded, if it can be one."""
    if isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if torch.is_tensor(value) and value.is_floating_point():
        return value.detach().clone().requires_grad_()
    return value


def multiply_adds(node: Mapping[str, Any], shapes: Mapping[str, Sequence[int]]) -> float:
    """For each number that a product makes, one step for each pair of factors; else one."""
    made = math.prod(node["value"]["shape"])
    if node["op"] in ("mm", "mv", "matmul", "dot", "bmm"):
        return made * shapes[node["inputs"][0]["id"]][-1]
    return made


def work(tasks: Iterable[Task]) -> float:
    """All that there is to do."""
    return sum(task.cost for task in tasks)


def span(tasks: Iterable[Task]) -> float:
    """The longest path: so long it takes, however many workers there are."""
    return max(done(tasks).values(), default=0)


def done(tasks: Iterable[Task]) -> dict[str, float]:
    """When each task can be done at the earliest. Those that are not listed are done already."""
    ends: dict[str, float] = {}
    for name, cost, waits_for in tasks:
        ends[name] = max((ends.get(other, 0) for other in waits_for), default=0) + cost
    return ends


def in_words(f: Callable[..., Any], **inputs: Any) -> None:
    """In place of the stepper where there are no widgets: the visits of the backward pass."""
    found = graph(f, **inputs)
    visits = ", ".join(f"{task.name} {found.signs[task.name]}" for task in reversed(found))
    print(f"The stepper needs ipywidgets. It would show these visits, one by one: {visits}.")


def added_in_pairs(numbers: Sequence[Any]) -> Any:
    """Neighbours are added, then neighbouring sums, until a single number is left."""
    if not numbers:
        raise ValueError("there is nothing to add: the list needs at least one ride")
    while len(numbers) > 1:
        pairs = [a + b for a, b in zip(numbers[::2], numbers[1::2])]
        numbers = [*pairs, *numbers[2 * len(pairs) :]]
    return numbers[0]


def parallelism(tasks: Sequence[Task]) -> float:
    """How many workers can be kept busy on average."""
    return work(tasks) / span(tasks) if tasks else 0


def times_as_long(one: float, other: float) -> str:
    """How the second time compares with the first, with one digit behind the point."""
    if not one:
        raise ValueError("nothing was computed, so there are no times: let side be 1 or more")
    return f"{other / one:.1f} times as long"


def at_least_one(workers: int) -> int:
    """ValueError: nobody is there to do it."""
    if workers < 1:
        raise ValueError(f"workers={workers}: nobody would do the tasks. It takes 1 or more.")
    return int(workers)


# ----------------------------------------------------------------------------------- schedules


class Turn(NamedTuple):
    """Who does a task, and when; the first ``overhead`` of the time goes into handing it out."""

    name: str
    worker: int
    begins: float
    ends: float
    overhead: float


def schedule(tasks: Sequence[Task], workers: int, overhead: float = 0) -> list[Turn]:
    """Nobody rests while there is something to do; what stands first in the program goes first."""
    if overhead < 0:
        raise ValueError(f"overhead={overhead:g}: handing out takes no less than no time")
    free = [0.0] * at_least_one(workers)
    ends: dict[str, float] = {}
    turns: list[Turn] = []
    left = list(tasks)
    own = {task.name for task in tasks}
    now = 0.0
    while left:
        idle = [worker for worker, since in enumerate(free) if since <= now]
        ready = [t for t in left if all(ends.get(o, math.inf) <= now for o in own & {*t.waits_for})]
        for task, worker in zip(ready, idle):
            ends[task.name] = free[worker] = now + overhead + task.cost
            turns.append(Turn(task.name, worker, now, ends[task.name], overhead))
            left.remove(task)
        later = [end for end in ends.values() if end > now]
        if not later and left:
            raise ValueError("these tasks wait for each other")
        now = min(later, default=now)
    return turns


def ends(turns: Iterable[Turn]) -> float:
    """When the last one is done."""
    return max((turn.ends for turn in turns), default=0)


def grouped(tasks: Sequence[Task], groups: Sequence[Sequence[str]]) -> Graph:
    """Each group as one task. ValueError: two of them wait for each other."""
    where = {name: number for number, names in enumerate(groups) for name in names}
    waits: dict[int, set[int]] = {number: set() for number in range(len(groups))}
    costs = dict.fromkeys(waits, 0.0)
    for name, cost, waits_for in tasks:
        costs[where[name]] += cost
        waits[where[name]] |= {where[other] for other in waits_for} - {where[name]}
    order = TopologicalSorter(waits).static_order()
    return Graph(
        Task(label(groups[n]), costs[n], tuple(label(groups[o]) for o in sorted(waits[n])))
        for n in order
    )


def label(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]}…{names[-1]}"


# --------------------------------------------------------------------------- the graphs asked for

PLANNED = Graph(
    [
        Task("doors", 1, ()),
        Task("water", 2, ()),
        Task("wheel", 3, ()),
        Task("seats", 2, ("doors",)),
        Task("windows", 2, ("doors", "water")),
        Task("brake", 4, ("wheel",)),
        Task("out", 1, ("seats", "windows", "brake")),
    ]
)
"""For the exercise *plan*: in the order of the program, two workers take longer than they must."""

JOBS = tuple(task.name for task in PLANNED)


class Ways(NamedTuple):
    """The products of a step, as tasks that cost 1: those forwards, and those on the way back."""

    forward: Graph
    back: Graph


def products(network: Callable[..., Any], depth: int = 8) -> Ways:
    """The products in one training step of ``network(x, weights)``, from the lines it runs."""
    if depth < 1:
        raise ValueError("a network has at least one layer")
    torch.manual_seed(0)
    weights = [torch.randn(4, 4, requires_grad=True) for _ in range(depth)]

    def step(x: Any) -> Any:
        loss = network(x, weights)
        return loss, *torch.autograd.grad(loss, weights)

    compiled = torch.compile(step)
    for _ in range(3):
        compiled(torch.ones(2, 4))
    back = max(line.line for line in compiled.tasks)  # that of autograd.grad, which comes last
    behind: list[frozenset[str]] = []  # for each line, the products that it waits for
    ways = Ways(Graph(), Graph())
    for number, line in enumerate(compiled.tasks):
        waits_for = frozenset[str]().union(*(behind[other] for other in line.waits_for))
        if ".dot(" in line.text:
            way = ways.back if line.line == back else ways.forward
            way.append(Task(f"v{number}", 1, tuple(sorted(waits_for))))
            waits_for = frozenset({f"v{number}"})
        behind.append(waits_for)
    return named(ways, depth)


def named(ways: Ways, depth: int) -> Ways:
    """Each after what it makes: the third layer h3, its gradient g3, that of its weights w3.

    Where there are other products than those of a chain of layers, the names stay as they are.
    """
    for way in ways:
        way.signs = {task.name: "@" for task in way}
    if (len(ways.forward), len(ways.back)) != (depth, 2 * depth - 1):
        return ways
    names = {task.name: f"h{number}" for number, task in enumerate(ways.forward, 1)}
    needed = {other for task in ways.back for other in task.waits_for}
    handed_on = [task.name for task in ways.back if task.name in needed]
    layers = {name: depth - number for number, name in enumerate(handed_on, 1)}
    names |= {name: f"g{layer}" for name, layer in layers.items()}
    for task in ways.back:
        layer = min((layers[other] for other in task.waits_for if other in layers), default=depth)
        names.setdefault(task.name, f"w{layer}")
    renamed = (
        Graph(Task(names[t.name], 1, tuple(names[other] for other in t.waits_for)) for t in way)
        for way in ways
    )
    found = Ways(*renamed)
    for graph_of in found:
        graph_of.signs = {task.name: "@" for task in graph_of}
    return found


# --------------------------------------------------------------------------------- real workers


def has_threads() -> bool:
    """Whether a second thread can be started; in a browser it cannot."""
    try:
        thread = threading.Thread(target=int)
        thread.start()
    except RuntimeError:
        return False
    thread.join()
    return True


def has_dask() -> bool:
    return find_spec("dask") is not None


def who_works() -> str:
    """In a sentence: who runs the graphs of this notebook."""
    if not has_threads():
        return "This Python has no threads, as in a browser: there is one worker."
    if has_dask():
        return "The workers are threads, and Dask hands out the tasks."
    return "Dask is not installed: the workers are threads of a pool of Python's own."


def shared(tasks: Mapping[str, Any], names: Sequence[str], workers: int = 2) -> list[Any]:
    """The values of these names, from a graph in Dask's form: ``name: (function, *names)``."""
    workers = at_least_one(workers)
    require_tasks(tasks, names)
    if not has_threads():
        return alone(tasks, names)
    if has_dask():
        return list(importlib.import_module("dask.threaded").get(tasks, names, num_workers=workers))
    return pooled(tasks, names, workers)


def require_tasks(tasks: Mapping[str, Any], names: Sequence[str]) -> None:
    """ValueError: a text is not the name of any task, or some tasks can never begin."""
    needed = [one for task in tasks.values() if isinstance(task, tuple) for one in task[1:]]
    for name in [*needed, *names]:
        if isinstance(name, str) and name not in tasks:
            raise ValueError(f"{name!r} is none of the tasks: {', '.join(tasks)}")
    waits = {
        name: [one for one in task[1:] if isinstance(one, str)]
        for name, task in tasks.items()
        if isinstance(task, tuple)
    }
    try:
        TopologicalSorter(waits).prepare()
    except CycleError as error:
        raise ValueError(without_a_beginning(error.args[1][1:])) from None


def without_a_beginning(circle: Sequence[str]) -> str:
    """What is wrong with tasks that wait for each other, or with one that waits for itself."""
    if len(circle) == 1:
        return f"{circle[0]!r} waits for itself, so it can never begin"
    return f"{' and '.join(sorted(map(repr, circle)))} wait for each other, so none can ever begin"


def pooled(tasks: Mapping[str, Any], names: Sequence[str], workers: int) -> list[Any]:
    """A task is given to the pool after all that it waits for, so nobody waits for one behind."""
    futures: dict[str, Future[Any]] = {}

    def value(name: Any) -> Any:
        return futures[name].result() if name in futures else tasks.get(name, name)

    def start(function: Callable[..., Any], *needed: Any) -> Any:
        return function(*map(value, needed))

    with ThreadPoolExecutor(workers) as pool:
        for name in in_order(tasks):
            futures[name] = pool.submit(start, *tasks[name])
        return [value(name) for name in names]


def alone(tasks: Mapping[str, Any], names: Sequence[str]) -> list[Any]:
    """The same, by nobody but us."""
    known = {name: value for name, value in tasks.items() if not isinstance(value, tuple)}
    for name in in_order(tasks):
        function, *needed = tasks[name]
        known[name] = function(*[known.get(one, one) for one in needed])
    return [known[name] for name in names]


def in_order(tasks: Mapping[str, Any]) -> list[str]:
    """The tasks, each behind those that it waits for."""
    waits = {name: task[1:] for name, task in tasks.items() if isinstance(task, tuple)}
    return [name for name in TopologicalSorter(waits).static_order() if name in waits]


class Meeting:
    """A place where two may meet: who enters waits a while for another, and then goes on."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.patience = 0.1
        self.clear()

    def clear(self) -> None:
        self.inside = 0
        self.met = False

    def enter(self) -> None:
        with self.lock:
            self.inside += 1
            self.met = self.met or self.inside > 1
        until = time.monotonic() + self.patience
        while not self.met and time.monotonic() < until:
            time.sleep(0.001)
        with self.lock:
            self.inside -= 1


meeting = Meeting()


def ride(rate: float, km: float) -> float:
    """What a ride costs; on its way it looks whether another ride is being worked out, too."""
    meeting.enter()
    return rate * km + 4


def do_they_meet(run: Callable[[], Any], patience: float = 1.5) -> bool:
    """Runs a program of two rides: were both being worked out at the same moment?

    ``patience``: for how many seconds a ride looks out for the other one.
    """
    meeting.clear()
    meeting.patience = patience if has_threads() else 0.01
    run()
    return meeting.met


def mention_threads() -> None:
    """Where nobody can meet, it is said why."""
    if not has_threads():
        print("This Python has no threads, as in a browser. With two, the rides of run_tasks meet.")


# ---------------------------------------------------------------------------------- their times

BRANCHES = 8

RECORDED = {1: (56, 2794), 64: (231, 3628), 256: (4872, 7533)}
"""Microseconds for a side: line by line, and by two threads with Dask, on two processors."""


def eight(x: Any, weights: Any) -> Any:
    """Products that do not wait for each other, each bent and summed: those of the notebook."""
    sums = [torch.tanh(x @ w).sum() for w in weights]
    return sum(sums)


def branches(side: int, program: Callable[..., Any] = eight) -> tuple[Any, tuple[Any, ...]]:
    """The program with its lines noted, and a table and eight weights for it."""
    torch.manual_seed(0)
    x = torch.randn(side, side)
    weights = [torch.randn(side, side) for _ in range(BRANCHES)]
    compiled = torch.compile(program)
    for _ in range(3):
        compiled(x, weights)
    return compiled, (x, weights)


def show_tasks(program: Callable[..., Any]) -> None:
    """How many tasks the program becomes, and the lines of the first ones."""
    compiled, _ = branches(2, program)
    tasks = [line for line in compiled.tasks if line.text]
    if not tasks:
        print(NOTHING_TO_DO)
        return
    print(f"{len(tasks)} tasks, of which the first are")
    for line in tasks[:4]:
        print(f"    {line.text}")


NOTHING_TO_DO = "0 tasks: without a model there is nothing to do. Give the program at least one."
LARGEST = 2048


def compare(program: Callable[..., Any], sizes: int | Sequence[int]) -> None:
    """Times the program line by line and with two workers, and prints a line for each size."""
    sizes = [sizes] if isinstance(sizes, int) else sizes
    for side in sizes:
        if not 1 <= side <= LARGEST:
            raise ValueError(f"a matrix of {side} x {side}: let its side be from 1 to {LARGEST}")
    if not any(line.text for line in branches(2, program)[0].tasks):
        print(NOTHING_TO_DO)
        return
    print(who_works())
    print(" matrices   line by line   two workers    compared")
    for side in sizes:
        if has_threads():
            told(side, *both_ways(program, side))
        else:
            told(side, *RECORDED.get(side, RECORDED[64]), "recorded on two processors")


def both_ways(program: Callable[..., Any], side: int) -> tuple[float, float]:
    """Microseconds, line by line and with two workers."""
    compiled, given = branches(side, program)
    tasks, names = compiled.to_dask(*given)
    return best(lambda: compiled(*given)), best(lambda: shared(tasks, names))


def told(side: int, one: float, two: float, how: str = "measured here") -> None:
    size = f"{side} x {side}"
    print(f"{size:>9}   {one:9,.0f} µs   {two:9,.0f} µs   {two / one:6.1f} times   {how}")


def best(run: Callable[[], Any], rounds: int = 7) -> float:
    """Microseconds on the clock, of the quickest of some rounds."""
    found = []
    for _ in range(rounds):
        start = time.perf_counter()
        run()
        found.append(time.perf_counter() - start)
    return min(found) * 1e6
