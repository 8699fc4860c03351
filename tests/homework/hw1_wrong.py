"""Wrong submissions of HW1: in one answer, a right line is replaced by a wrong one.

Each has the name of its mistake, the answer that it spoils, what is replaced by what, and words
that the grader has to say of it.
"""

from __future__ import annotations

from typing import NamedTuple


class Wrong(NamedTuple):
    mistake: str
    answer: str
    right: str
    wrong: str
    says: str


ADDED = "part if operand.grad is None else operand.grad + part"
ARRIVED = "arrived[operand] + part if operand in arrived else part"

SWAPPED = """(self, lambda g: g * self.data), (other, lambda g: g * other.data)]
        return out

    def __rmul__"""
FACTORS = """(self, lambda g: g * other.data), (other, lambda g: g * self.data)]
        return out

    def __rmul__"""

WRONG = [
    Wrong("swapped factors", "scalars", FACTORS, SWAPPED, "its own value times g"),
    Wrong(
        "the exponent stays",
        "scalars",
        "g * n * self.data ** (n - 1)",
        "g * n * self.data ** n",
        "keeps the old exponent",
    ),
    Wrong("no chain rule in tanh", "scalars", "g * (1 - t**2)", "1 - t**2", "tanh leaves out g"),
    Wrong("the square is missing", "scalars", "(1 - t**2)", "(1 - t)", "the square is missing"),
    Wrong("the minus is lost", "scalars", "lambda g: -g", "lambda g: g", "loses the minus"),
    Wrong(
        "overwrites",
        "reuse",
        "self.grad = g if self.grad is None else self.grad + g",
        "self.grad = g",
        "last one replaces the first",
    ),
    Wrong(
        "keeps the first",
        "reuse",
        "self.grad = g if self.grad is None else self.grad + g",
        "self.grad = g if self.grad is None else self.grad",
        "second one is dropped",
    ),
    Wrong("sends sums again", "reuse", "rule(g)", "rule(self.grad)", "passes on its whole sum"),
    Wrong("overwrites in order", "order", ADDED, "part", "last one replaces the first"),
    Wrong(
        "before its users",
        "order",
        """                for operand, _ in value.edges:
                    visit(operand)
                order.append(value)
""",
        """                order.insert(0, value)
                for operand, _ in value.edges:
                    visit(operand)
""",
        "visited before everything has arrived",
    ),
    Wrong("forwards", "order", "reversed(order)", "order", "nothing had arrived"),
    Wrong("recursive", "depth", "", "", "RecursionError"),
    Wrong(
        "a stack's order",
        "depth",
        """            if is_done:
                order.append(value)
            elif value not in seen:
                seen.add(value)
                waiting.append((value, True))
""",
        """            if value not in seen:
                seen.add(value)
                order.insert(0, value)
""",
        "visited before everything has arrived",
    ),
    Wrong(
        "sets the grad anew",
        "accumulate",
        "g if value.grad is None else value.grad + g",
        "g",
        "replaces the grad of a leaf",
    ),
    Wrong(
        "never frees",
        "accumulate",
        "if not retain_graph:",
        "if False:",
        "without retain_graph=True goes through",
    ),
    Wrong(
        "frees in any case",
        "accumulate",
        "if not retain_graph:",
        "if True:",
        "RuntimeError",
    ),
    Wrong(
        "constants get a grad",
        "accumulate",
        "for operand, rule in edges if operand.requires_grad]",
        "for operand, rule in edges]",
        "requires_grad=False gets a grad",
    ),
    Wrong(
        "nothing is summed",
        "arrays",
        "part = fitted(rule(g), operand.data.shape)",
        "part = rule(g)",
        "shape of the result, not of the operand",
    ),
    Wrong(
        "the stretched axis is not summed",
        "arrays",
        "if length == 1 and",
        "if False and",
        "was stretched is not summed",
    ),
    Wrong(
        "the axis is lost",
        "arrays",
        ", keepdims=True)\n    return g",
        ")\n    return g",
        "the axis itself is lost",
    ),
    Wrong("no transpose", "arrays", "g @ other.data.T", "g @ other.data", "of g and both factors"),
    Wrong(
        "relu lets all through",
        "arrays",
        "g * (self.data > 0)",
        "g",
        "relu lets every gradient through",
    ),
    Wrong("the log of x", "arrays", "g / self.data)", "g * self.data)", "multiplies by x"),
    Wrong(
        "shared arrays",
        "arrays",
        f"arrived[operand] = {ARRIVED}",
        """if operand in arrived and arrived[operand].flags.writeable:
                    arrived[operand] += part
                else:
                    arrived[operand] = arrived[operand] + part if operand in arrived else part""",
        "another value holds the same array",
    ),
    Wrong(
        "always true", "control_flow", "return float(self) < float(other)", "return True", "while"
    ),
]
