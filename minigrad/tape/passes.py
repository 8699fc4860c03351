"""A backward pass as plain data: rehearsed for the stepper, or replayed from the tape.

A rehearsal runs the real engine on the real graph, but its gradients go into a table of their
own: ``.grad`` and what the operations saved stay as they were. Tensor hooks run, since they are
part of the derivative; hooks on accumulated gradients do not, since nothing is accumulated.
"""

from __future__ import annotations

import copy
import functools
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..engine.backward import BackwardPass, Visit, seed_of
from ..engine.modes import mode
from ..engine.node import Node, Packed, TensorBase, edge_to, reachable
from . import formulas
from .facts import CONSTANT, Fact, Literal, literal
from .recorder import Tape, is_variable
from .values import Captured, capture, number, summary, summary_if_any

ARRAYS = TensorBase, np.ndarray, np.generic, Packed

VERSION = 1
"""The version of the data that ``tape.ts`` describes."""

FREED = (
    "backward() has already used this graph and freed what it saved, and nobody was watching. "
    "To step through it, run the forward pass again and open the stepper before backward(); "
    "or display a GraphView first, and later passes can be replayed."
)
REPLAYED = "backward() has freed this graph. These are the steps of that pass, as it was watched."


@dataclass(slots=True)
class Sent:
    """A gradient on its way along one edge."""

    to: str
    argument: str
    index: int  # which of the node's rules made it
    grad: Captured


@dataclass(slots=True)
class Visited:
    """One visit, as it was noted."""

    node: str
    kind: Any
    grad: Captured
    sent: list[Sent]
    options: dict[str, Any]  # the rule's other parameters: shapes, dimensions, exponents


@dataclass(slots=True)
class Landed:
    """A gradient that landed, or would land, in a ``.grad``."""

    node: str
    grad: Captured
    before: Captured | None
    after: Captured


class PassRecord:
    """What one backward pass did: its visits in order, and where its gradients landed.

    It keeps its own small tape of the nodes concerned, so that it can be read after the shared
    one has forgotten them.
    """

    def __init__(
        self, shared: Tape, roots: Sequence[Any], join: Callable[[Any, Any], Any] = operator.add
    ) -> None:
        shared.catch_up()
        self.join = join  # what a second arrival makes of what is there
        self.shared = shared
        self.tape = Tape()
        self.tape.facts.states = shared.facts.states  # a node's state is the same for all
        self.tape._count = shared._count
        self.root = self.key(edge_to(roots[0]))
        self.visits: list[Visited] = []
        self.landings: list[Landed] = []
        self.rules: dict[tuple[str, int], tuple[str, str | None, Captured | None]] = {}

    def another(self, join: Callable[[Any, Any], Any]) -> PassRecord:
        """An empty record of the same graph, for another engine; what was worked out is shared."""
        other = copy.copy(self)
        other.join = join
        other.visits = []
        other.landings = []
        return other

    def key(self, target: Any) -> str:
        """The key of a node or a leaf, whose facts are taken over or made out."""
        facts = self.tape.facts
        if isinstance(target, Node):
            key = f"n{target.seq}"
            if key not in facts:
                facts[key] = self.shared.facts.get(key) or self.made_out(target)
        else:
            key = self.shared.known_leaf(target) or self.tape.key_of(target)
            if key not in facts:
                facts[key] = self.shared.facts[key]
        for operand in facts[key].operands:
            known = None if operand in facts else self.shared.facts.get(operand)
            if known is not None:
                facts[operand] = known
        return key

    def made_out(self, node: Node) -> Fact:
        """What a node that nobody watched tells of itself."""
        given = dict(zip(node.kind.slots, node.saved or ()))
        arguments = node.kind.arguments or ("",) * len(node.edges)
        operands = [self.operand(given.get(argument)) for argument in arguments]
        operands += [literal("…")] * (len(node.edges) - len(operands))
        for edge, (_, position) in zip(node.edges, operand_positions(node.kind, len(node.edges))):
            if edge is not None:
                operands[position] = f"n{edge.seq}" if isinstance(edge, Node) else self.key(edge)
        if node.kind.op in (*formulas.INFIX, "rsub"):  # no rule needs its value, so it was not kept
            operands = [literal(CONSTANT) if operand == "…" else operand for operand in operands]
        value = Captured(None, node.shape, node.dtype)
        return Fact(f"n{node.seq}", node.kind, node.kind.op, tuple(operands), value)

    def operand(self, saved: Any) -> str:
        """An operand, as far as the value that was saved of it tells: a leaf or a number."""
        if isinstance(saved, TensorBase) and not isinstance(saved._node, Node):
            return self.key(saved)
        if saved is None or isinstance(saved, (TensorBase, Packed)):
            return literal("…")
        return literal(saved)

    def visited(self, visit: Visit) -> None:
        """Take down one step of the engine."""
        node, g, edges, parts = visit
        positions = operand_positions(node.kind, len(edges))
        self.visits.append(
            Visited(
                self.key(node),
                node.kind,
                captured(g),
                [
                    Sent(self.key(edge), positions[index][0], index, captured(part))
                    for index, (edge, part) in enumerate(zip(edges, parts))
                    if edge is not None and part is not None
                ],
                options_of(node),
            )
        )

    def landed(self, tensor: TensorBase, g: Any) -> None:
        """Take down a gradient that lands (or would land) in a ``.grad``."""
        before = tensor._grad
        array = array_of(g)
        after = array if before is None else before._array + array
        self.landings.append(
            Landed(
                self.key(edge_to(tensor)),
                captured(g),
                None if before is None else captured(before),
                captured(after),
            )
        )

    # ------------------------------------------------------------------ as the page gets it

    def schedule(self, mode: str, message: str = "") -> dict[str, Any]:
        """The steps, with names and formulas filled in (``Schedule`` in ``tape.ts``)."""
        nodes = sorted(self.tape.facts, key=lambda key: (key[0] == "n", int(key[1:])))
        return {
            "version": VERSION,
            "title": self.tape.text(self.root),
            "mode": mode,
            "message": message,
            "nodes": [self.tape.describe(key) for key in nodes],
            "steps": self.steps(),
        }

    def steps(self) -> list[dict[str, Any]]:
        """What the page steps through (``Step`` in ``tape.ts``)."""
        text = functools.cache(self.tape.text)
        arrivals: dict[str, list[dict[str, Any]]] = {}
        sums: dict[str, Captured] = {}
        steps: list[dict[str, Any]] = []
        if self.visits or self.landings:
            first = (self.visits or self.landings)[0].grad
            sums[self.root] = first
            arrivals[self.root] = [{"from": "seed", "text": "the start", "grad": summary(first)}]
            steps.append(
                {
                    "kind": "start",
                    "node": self.root,
                    "text": text(self.root),
                    "grad": summary(first),
                }
            )
        for visit in self.visits:
            outgoing = []
            for sent in visit.sent:
                to = sent.to
                grad = summary(sent.grad)
                before = sums.get(to)
                sums[to] = sent.grad if before is None else self.joined(before, sent.grad)
                arrivals.setdefault(to, []).append(
                    {"from": visit.node, "text": text(visit.node), "grad": grad}
                )
                outgoing.append(
                    {
                        "to": to,
                        "text": text(to),
                        "arg": sent.argument,
                        **self.derivative(visit, sent),
                        "grad": grad,
                        "sumBefore": summary_if_any(before),
                        "sum": summary(sums[to]),
                    }
                )
            steps.append(
                {
                    "kind": "visit",
                    "node": visit.node,
                    "text": self.tape.equation(visit.node),
                    "arrivals": list(arrivals.get(visit.node, [])),  # more may come later
                    "grad": summary(visit.grad),
                    "outgoing": outgoing,
                }
            )
        # The engine lands leaves as they were reached; a reader finds them in their own order.
        for landing in sorted(self.landings, key=lambda landing: int(landing.node[1:])):
            steps.append(
                {
                    "kind": "land",
                    "node": landing.node,
                    "text": text(landing.node),
                    "arrivals": arrivals.get(landing.node, []),
                    "grad": summary(landing.grad),
                    "before": summary_if_any(landing.before),
                    "after": summary(landing.after),
                }
            )
        return steps

    def joined(self, before: Captured, part: Captured) -> Captured:
        return Captured(self.join(before.corner, part.corner), part.shape, part.dtype)

    def derivative(self, visit: Visited, sent: Sent) -> dict[str, Any]:
        """The rule for one input, and the local derivative where there is one number for it."""
        at = (visit.node, sent.index)
        if at not in self.rules:
            self.rules[at] = self.rule(visit, sent)
        rule, local, value = self.rules[at]
        numbers = None
        if value is not None and visit.grad.corner.size == 1 and is_product(visit, value, sent):
            numbers = f"{one_number(visit.grad)} * {one_number(value)}"
        return {
            "rule": rule,
            "local": local,
            "localValue": summary_if_any(value),
            "numbers": numbers,
        }

    def rule(self, visit: Visited, sent: Sent) -> tuple[str, str | None, Captured | None]:
        """The rule as text, and the local derivative as text and as numbers: all but the g."""
        fact = self.tape.facts[visit.node]
        texts = {name: str(value) for name, value in visit.options.items()}
        texts.update(out=self.tape.text(fact.key), g="g")
        texts.update(zip(fact.kind.arguments, map(self.tape.text, fact.operands)))
        rule = formulas.rule_text(visit.kind, sent.argument, texts)
        local = formulas.local_text(visit.kind, sent.argument, texts)
        summed = formulas.summed_over(visit.grad.shape, sent.grad.shape)
        if local is None:
            return rule, None, None
        if summed:  # the forward pass repeated this input
            return f"{rule}, {summed}", None, None
        return rule, local, self.local_value(visit, sent)

    def local_value(self, visit: Visited, sent: Sent) -> Captured | None:
        """The local derivative as numbers: what the rule makes of a gradient of ones."""
        fact = self.tape.facts[visit.node]
        known: dict[str, Any] = {**visit.options, "out": whole(fact.value)}
        for argument, operand in zip(fact.kind.arguments, fact.operands):
            source = self.tape.facts.get(operand)
            if source is not None and not isinstance(operand, Literal):
                known[argument] = whole(source.value)
        rule, slots = visit.kind.rules[sent.index]
        values = [known.get(visit.kind.slots[slot]) for slot in slots]
        g = whole(visit.grad)
        if g is None or any(value is None for value in values):
            return None
        before = mode.raw
        mode.raw = True
        try:
            with np.errstate(all="ignore"):
                return capture(np.asarray(rule(np.ones_like(g), *values)))
        finally:
            mode.raw = before


def is_product(visit: Visited, local: Captured, sent: Sent) -> bool:
    """Was one number sent, the product of two others? Not all engines multiply."""
    with np.errstate(all="ignore"):
        product = visit.grad.corner * local.corner
    return local.corner.size == 1 and np.allclose(product, sent.grad.corner, 1e-3, equal_nan=True)


def whole(value: Captured) -> Any:
    """A captured value if all of it was captured."""
    corner = value.corner
    if corner is None or corner.shape != value.shape:
        return None
    return corner


def one_number(value: Captured) -> str:
    text = number(np.asarray(value.corner).reshape(-1)[0].item())
    return f"({text})" if text.startswith("-") else text


def captured(g: Any) -> Captured:
    return capture(array_of(g))


def array_of(g: Any) -> Any:
    """The numbers of a gradient: it is a tensor if the pass is recorded."""
    return g._array if isinstance(g, TensorBase) else g


def operand_positions(kind: Any, count: int) -> list[tuple[str, int]]:
    """For each edge of a node, the argument it belongs to and that argument's position."""
    needs = list(kind.needs)
    arguments = kind.arguments
    if len(needs) == count:
        return [(name, arguments.index(name)) for name in needs]
    name = next(iter(arguments), "input")
    return [(name, position) for position in range(count)]


def options_of(node: Node) -> dict[str, Any]:
    """What a node's rules name besides tensors: numbers, shapes, dimensions.

    A value that is packed may be anything; to unpack it may compute a whole checkpoint again.
    """
    return {
        slot: value
        for slot, value in zip(node.kind.slots, node.saved or ())
        if value is not None and not isinstance(value, ARRAYS)
    }


# ---------------------------------------------------------------------------------- rehearsing


def rehearse(
    shared: Tape,
    loss: Any,
    gradient: Any = None,
    namespace: Mapping[str, Any] | None = None,
    engine: type[BackwardPass] = BackwardPass,
    others: Mapping[str, type[BackwardPass]] | None = None,
) -> dict[str, Any]:
    """The schedule of ``loss.backward(gradient)``, without doing it.

    ``namespace`` has the variables that name the nodes nobody watched. ``engine`` makes the
    pass: the real one, or one that is wrong on purpose (see ``lesson.engines``). The steps of
    ``others`` stand under their names in "others"; none for an engine that had to be stopped.

    On a graph that was freed, the pass that freed it, if it was watched; else a schedule without
    steps, whose message says how to get one. Raises what ``backward`` raises.
    """
    if not isinstance(loss, TensorBase):
        raise TypeError(f"a backward pass starts from a Tensor, not from {type(loss).__name__}")
    seed = seed_of(loss, gradient, False, 0)
    behind = reachable([edge_to(loss)])
    record = PassRecord(shared, (loss,), getattr(engine, "join", operator.add))
    if any(node.kind.frees and node.saved is None for node in behind):
        for earlier in reversed(shared.passes):
            if earlier.root == record.root:
                replay: dict[str, Any] = earlier.schedule("replayed", REPLAYED)
                return replay
        return record.schedule("unavailable", FREED)
    for node in reversed(behind):  # inputs before what was made of them
        record.key(node)
    fill_in(record.tape, behind, loss, namespace or {})
    run_through(engine, loss, seed, record)
    schedule = record.schedule("rehearsed")
    schedule["others"] = {}
    for name, other in (others or {}).items():
        another = record.another(getattr(other, "join", operator.add))
        try:
            run_through(other, loss, seed, another)
            schedule["others"][name] = another.steps()
        except RuntimeError:  # it was stopped
            schedule["others"][name] = []
    return schedule


def run_through(engine: type[BackwardPass], loss: Any, seed: Any, record: PassRecord) -> None:
    """Let an engine do its pass, and take it down."""
    run = engine((loss,), (seed,), keep=True)
    run.run(record.visited)
    for tensor, g in run.gradients():
        record.landed(tensor, g)


def fill_in(tape: Tape, nodes: list[Node], loss: Any, namespace: Mapping[str, Any]) -> None:
    """Values and names of unwatched nodes, as far as variables and saved values tell."""
    holders = [("", loss), *namespace.items()]
    for node in nodes:
        saved = node.saved or ()
        holders += [("", value) for value in saved if isinstance(value, TensorBase)]
        if node.kind.output_slot >= 0 and saved:
            note(tape, f"n{node.seq}", saved[node.kind.output_slot])
    for name, value in holders:
        if isinstance(value, TensorBase):
            fact = note(tape, tape.known(value) or "", value._array)
            if fact is not None and name and is_variable(name) and fact.place is None:
                fact.aliases = tuple(dict.fromkeys((*fact.aliases, name)))
    for fact in map(tape.facts.get, list(tape.facts)):
        if fact is not None and CONSTANT in fact.operands and fact.op in ("add", "sub", "rsub"):
            constant = literal(lost_constant(tape, fact))
            fact.operands = tuple(constant if o == CONSTANT else o for o in fact.operands)


def lost_constant(tape: Tape, fact: Fact) -> Any:
    """The number that was added or subtracted, if the values before and after tell it.

    Each entry tells it up to the rounding of its result: the number lies between the largest of
    the lower bounds and the smallest of the upper ones. Told is one of which four digits are sure.
    """
    place = fact.operands.index(CONSTANT)
    known = tape.facts.get(fact.operands[1 - place])
    before = None if known is None else whole(known.value)
    after = whole(fact.value)
    if before is None or after is None or not np.size(after) or np.shape(before) != np.shape(after):
        return CONSTANT
    with np.errstate(all="ignore"):
        number = np.asarray(after, float) + before
        if fact.op == "add":
            number = np.asarray(after, float) - before
        elif fact.op == "sub" and place == 1:
            number = np.asarray(before, float) - after
        rounding = np.spacing(np.abs(after)) + np.spacing(np.abs(number))
        low = float(np.max(number - rounding))
        high = float(np.min(number + rounding))
    middle = (low + high) / 2
    sure = low <= high and high - low <= 1e-4 * abs(middle)
    return middle if sure else CONSTANT


def note(tape: Tape, key: str, array: Any) -> Fact | None:
    fact = tape.facts.get(key)
    if fact is not None and fact.value.corner is None and array is not None:
        if isinstance(array, Packed):
            return fact
        fact.value = capture(array)
    return fact
