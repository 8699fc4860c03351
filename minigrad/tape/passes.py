"""A backward pass as plain data: rehearsed for the stepper, or replayed from the tape.

A rehearsal runs the real engine on the real graph, but its gradients go into a table of their
own: ``.grad`` and what the operations saved stay as they were. Tensor hooks run, since they are
part of the derivative; hooks on accumulated gradients do not, since nothing is accumulated.
"""

from __future__ import annotations

import copy
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..engine.backward import BackwardPass, Visit, seed_of
from ..engine.modes import mode
from ..engine.node import Node, Packed, TensorBase, edge_to, reachable
from . import formulas
from .facts import Literal
from .filling_in import fill_in, whole
from .held import joined
from .recorder import Tape, kept
from .unwatched import made_out, operand_positions
from .values import CORNER, Captured, capture, number, summary, summary_if_any

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
    output: int = 0  # to which of that node's results it belongs, where there may be several


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
        self.join = join  # what a second arrival makes of what is there
        self.shared = shared
        self.tape = Tape()
        self.tape.facts.states = shared.facts.states  # a node's state is the same for all
        self.tape._count = shared._count
        self._unsettled: list[str] = []  # keys of facts that the shared tape has
        self.root = self.key(edge_to(roots[0]))
        self.visits: list[Visited] = []
        self.landings: list[Landed] = []
        self.arriving: dict[str, Captured | None] = {}  # what was sent; None: several parts
        self.rules: dict[tuple[str, int], tuple[str, str | None, Captured | None]] = {}

    def another(self, join: Callable[[Any, Any], Any]) -> PassRecord:
        """An empty record of the same graph, for another engine; what was worked out is shared."""
        other = copy.copy(self)
        other.join = join
        other.visits = []
        other.landings = []
        other.arriving = {}
        return other

    def key(self, target: Any) -> str:
        """The key of a node or a leaf, whose facts are taken over later, or made out."""
        facts = self.tape.facts
        if not isinstance(target, Node):
            key = self.shared.known_leaf(target) or self.tape.key_of(target)
            if key not in facts:
                facts[key] = self.shared.facts[key]
            return key
        key = f"n{target.seq}"
        if self.shared.watches(target):
            self._unsettled.append(key)  # while a program runs, that is all
        elif key not in facts:
            facts[key] = made_out(target, self.key)
        return key

    def take(self, nodes: Sequence[Node]) -> None:
        """Take over, or make out, the facts of all these nodes, newest first."""
        for node in reversed(nodes):
            self.key(node)
        self.settle()

    def settle(self) -> None:
        """Take over what the shared tape knows of the nodes that were visited, and used by them."""
        self.shared.catch_up()
        self.take_over()

    def take_over(self) -> None:
        """Take over of that what is filed already."""
        waiting = self._unsettled
        self._unsettled = []
        self._copy(waiting)
        self._unsettled += [key for key in waiting if key not in self.tape.facts]
        for key in list(self.tape.facts):
            self._copy(self.tape.facts[key].operands)

    def _copy(self, keys: Iterable[str]) -> None:
        facts = self.tape.facts
        for key in keys:
            known = None if key in facts else self.shared.facts.get(key)
            if known is not None:
                facts[key] = known

    def visited(self, visit: Visit) -> None:
        """Take down one step of the engine."""
        node, g, edges, parts = visit
        key = self.key(node)
        arrived = self.arrived_at(key, g, node.extra is not None)
        positions = operand_positions(node.kind, len(edges))
        sent = []
        for index, (edge, part) in enumerate(zip(edges, parts)):
            if edge is not None and part is not None:
                to = self.key(edge)
                grad = arrived if part is g else captured(part)
                self.arriving[to] = None if to in self.arriving else grad
                sent.append(Sent(to, positions[index][0], index, grad))
        self.visits.append(Visited(key, node.kind, arrived, sent, options_of(node)))

    def landed(self, tensor: TensorBase, g: Any) -> None:
        """Take down a gradient that lands (or would land) in a ``.grad``."""
        key = self.key(edge_to(tensor))
        hooked = tensor._meta is not None and bool(tensor._meta.hooks)
        arrived = self.arrived_at(key, g, hooked)
        before = tensor._grad
        after = arrived if before is None else captured(before._array + array_of(g))
        self.landings.append(
            Landed(key, arrived, None if before is None else captured(before), after)
        )

    def arrived_at(self, key: str, g: Any, hooked: bool) -> Captured:
        """The gradient there; as it was sent, if nothing was added and no hook saw it."""
        sent = self.arriving.pop(key, None)
        if sent is None or hooked or sent.held is None or sent.held.find() is not array_of(g):
            return captured(g)
        return sent

    # ------------------------------------------------------------------ as the page gets it

    def schedule(self, mode: str, message: str = "") -> dict[str, Any]:
        """The steps, with names and formulas filled in (``Schedule`` in ``tape.ts``)."""
        self.settle()
        with self.tape.unchanged():
            return self._schedule(mode, message)

    def _schedule(self, mode: str, message: str) -> dict[str, Any]:
        nodes = sorted(self.tape.facts, key=lambda key: (key[0] == "n", int(key[1:])))
        return {
            "version": VERSION,
            "title": self.tape.text(self.root),
            "mode": mode,
            "message": message,
            "nodes": [self.described(key) for key in nodes],
            "steps": self.steps(),
        }

    def described(self, key: str) -> dict[str, Any]:
        """A node as the page gets it, with the marks that the shared tape knows."""
        made = self.tape.describe(key, self.corner())
        fact = self.tape.facts[key]
        if fact.op or self.shared.facts.get(key) is fact:  # another leaf may have this key there
            made.update(self.shared.marks_of(fact))
        return made

    def steps(self) -> list[dict[str, Any]]:
        """What the page steps through (``Step`` in ``tape.ts``)."""
        self.settle()
        text = self.tape.text
        most = self.corner()
        arrivals: dict[str, list[dict[str, Any]]] = {}
        sums: dict[tuple[str, int], Captured] = {}
        steps: list[dict[str, Any]] = []
        if self.visits or self.landings:
            first = (self.visits or self.landings)[0].grad
            sums[self.root, 0] = first
            arrivals[self.root] = [
                {"from": "seed", "text": "the start", "grad": summary(first, most)}
            ]
            steps.append(
                {
                    "kind": "start",
                    "node": self.root,
                    "text": text(self.root),
                    "grad": summary(first, most),
                }
            )
        for visit in self.visits:
            outgoing = []
            for sent in visit.sent:
                to = sent.to
                grad = summary(sent.grad, most)
                at = to, sent.output
                before = sums.get(at)
                sums[at] = sent.grad if before is None else self.joined(before, sent.grad)
                arrivals.setdefault(to, []).append(
                    {"from": visit.node, "text": text(visit.node), "grad": grad}
                )
                outgoing.append(
                    {
                        "to": to,
                        "text": text(to),
                        "arg": sent.argument,
                        **self.derivative(visit, sent, most),
                        "grad": grad,
                        "sumBefore": summary_if_any(before, most),
                        "sum": grad if before is None else summary(sums[at], most),
                    }
                )
            steps.append(
                {
                    "kind": "visit",
                    "node": visit.node,
                    "text": self.tape.equation(visit.node),
                    "arrivals": list(arrivals.get(visit.node, [])),  # more may come later
                    "grad": self.arrived(visit, most),
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
                    "grad": summary(landing.grad, most),
                    "before": summary_if_any(landing.before, most),
                    "after": summary(landing.after, most),
                }
            )
        return steps

    def arrived(self, visit: Visited, most: int) -> dict[str, Any]:
        """What arrived at a node, all added."""
        return summary(visit.grad, most)

    def corner(self) -> int:
        """How many rows and columns of each matrix are sent: of many nodes, fewer."""
        nodes = len(self.tape.facts)
        if nodes <= 100:
            return CORNER
        return 3 if nodes <= 1200 else 1

    def joined(self, before: Captured, part: Captured) -> Captured:
        corner = self.join(before.corner, part.corner)
        held = joined(self.join, before.held, part.held)
        return Captured(corner, part.shape, part.dtype, held=held)

    def derivative(self, visit: Visited, sent: Sent, most: int) -> dict[str, Any]:
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
            "localValue": summary_if_any(value, most),
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


def one_number(value: Captured) -> str:
    text = number(np.asarray(value.corner).reshape(-1)[0].item())
    return f"({text})" if text.startswith("-") else text


def captured(g: Any) -> Captured:
    return capture(array_of(g))


def array_of(g: Any) -> Any:
    """The numbers of a gradient: it is a tensor if the pass is recorded."""
    return g._array if isinstance(g, TensorBase) else g


def options_of(node: Node) -> dict[str, Any]:
    """What a node's rules name besides tensors: numbers, shapes, dimensions.

    A value that is packed may be anything; to unpack it may compute a whole checkpoint again. Nor
    is a tuple of nodes kept, as a fused loss has one: it would keep its graph alive.
    """
    return {
        slot: value
        for slot, value in zip(node.kind.slots, node.saved or ())
        if value is not None and not isinstance(value, ARRAYS) and kept(value) is not ...
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
    record.take(behind)
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
