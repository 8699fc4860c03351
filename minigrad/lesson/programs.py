"""Programs of a few lines, on which a learner's own backward pass is tried."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ..engine.backward import grad
from ..engine.node import LEAF, TensorBase, edge_to, new_tensor, reachable

STEPS = ("{0} + {1}", "{0} * {1}", "{0} - {1}", "{0} * {n}", "{n} - {0}", "{0}.sin()", "{0}**2")
LARGEST = 1e6  # a gradient beyond that is hard to read, and to compare


class Program(NamedTuple):
    """The numbers of its leaves by name, and its lines, the last of which makes ``loss``."""

    leaves: dict[str, float]
    lines: tuple[str, ...]

    def values(self) -> dict[str, TensorBase]:
        """All that it makes, by name: its leaves, in float64, and what its lines make of them."""
        leaves = {name: new_tensor(np.float64(x), LEAF) for name, x in self.leaves.items()}
        made: dict[str, Any] = {}
        exec("\n".join(self.lines), dict(leaves), made)
        return {**leaves, **made}

    def run(self) -> tuple[dict[str, TensorBase], Any]:
        """Its leaves and its loss: a graph of its own."""
        made = self.values()
        return {name: made[name] for name in self.leaves}, made["loss"]

    def gradients(self) -> dict[str, float]:
        """What autograd says."""
        leaves, loss = self.run()
        found = grad(loss, list(leaves.values()))
        return {name: g.item() for name, g in zip(leaves, found)}

    def size(self) -> int:
        """How many operations it records."""
        return len(reachable([edge_to(self.run()[1])]))

    def __str__(self) -> str:
        leaves = [f"{name} = {x:g}  # a leaf" for name, x in self.leaves.items()]
        return "\n".join(f"  {line}" for line in (*leaves, *self.lines))

    def beginning(self) -> str:
        """Its first lines."""
        return "\n".join([*str(self).splitlines()[:4], "  …"])


def program(leaves: dict[str, float], lines: str) -> Program:
    return Program(leaves, tuple(line.strip() for line in lines.split(";")))


def small_programs() -> list[Program]:
    """From a single operation to nodes that others use in every order, the smallest first."""
    programs = [
        program({"a": 3.0}, "loss = a * 5"),
        program({"a": 3.0}, "loss = a * a"),
        program({"a": 3.0, "b": 5.0}, "loss = a * b"),
        program({"a": 3.0, "b": 5.0}, "loss = a - b"),
        program({"rate": 2.0}, "ride = rate * 3; loss = (ride + 4 - 13) ** 2"),
        program({"a": 2.0, "b": 6.0}, "c = a + b; d = b + 1; loss = c * d"),
        program({"a": 2.0}, "c = a * 3; loss = c * c"),
        program({"a": 2.0}, "c = a * 3; d = c * 5; loss = c + d"),
        program({"a": 2.0}, "c = a * 3; d = c * 5; loss = d + c"),
        program({"a": 2.0}, "c = a * 3; d = c * 5; e = d * 7; loss = c * e + d"),
        program({"a": 2.0}, "c = a * 3; d = c * 5; e = d * 7; loss = e * c - d"),
        program({"a": 0.5, "b": 1.5}, "c = a.sin(); d = c * b; e = 4 - d; loss = e * c + d * b"),
    ]
    return sorted(programs, key=Program.size)


def tower(floors: int = 12) -> Program:
    """Each floor uses the one below twice: so many nodes, and twice as many paths with each."""
    return program({"a": 1.0}, "; ".join(["loss = a + a", *["loss = loss + loss"] * (floors - 1)]))


def random_programs(count: int, seed: int = 0) -> list[Program]:
    """Drawn anew from a seed; the smallest first."""
    drawn = programs_from(np.random.default_rng(seed))
    return sorted((next(drawn) for _ in range(count)), key=Program.size)


def programs_from(random: np.random.Generator) -> Iterator[Program]:
    while True:
        leaves = {name: round(random.uniform(-2, 2), 1) for name in ("a", "b")}
        names = list(leaves)
        lines = []
        for place in range(random.integers(3, 8)):
            pattern = STEPS[random.integers(len(STEPS))]
            # What was made last is used in any case, so that nothing hangs loose.
            parts = [names[-1], names[random.integers(len(names))]]
            random.shuffle(parts)
            made = f"v{place + 1}"
            lines.append(f"{made} = {pattern.format(*parts, n=random.integers(2, 6))}")
            names.append(made)
        lines.append(f"loss = {names[-1]} * a + {names[-2]} * b")
        one = Program(leaves, tuple(lines))
        if all(abs(g) < LARGEST for g in one.gradients().values()):
            yield one
