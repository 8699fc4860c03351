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
    Wrong(
        "adds to None in a fork",
        "reuse",
        "self.grad = g if self.grad is None else self.grad + g",
        "self.grad += g",
        "A grad is still None when the first part arrives",
    ),
    Wrong(
        "adds to None in order",
        "order",
        f"operand.grad = {ADDED}",
        "operand.grad += part",
        "A grad is still None when the first part arrives",
    ),
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
        "marked when it is put on the list",
        "depth",
        """            elif value not in seen:
                seen.add(value)
                waiting.append((value, True))
                for operand, _ in value.edges:
                    waiting.append((operand, False))
""",
        """            else:
                waiting.append((value, True))
                for operand, _ in value.edges:
                    if operand not in seen:
                        seen.add(operand)
                        waiting.append((operand, False))
""",
        "visited before everything has arrived",
    ),
    Wrong(
        "moves the recursion limit, and back again",
        "depth",
        "        order = []\n",
        """        import sys

        before = sys.getrecursionlimit()
        sys.setrecursionlimit(99_999)
        order = []
        sys.setrecursionlimit(before)
""",
        "changes the recursion limit, and that is not the way",
    ),
    Wrong(
        "walks in a thread with a stack of its own",
        "depth",
        "        order = []\n",
        """        import threading

        order = []
        threading.Thread(target=order.clear).start()
""",
        "it starts a thread",
    ),
    Wrong(
        "switches the count off",
        "order",
        "        order = []\n",
        "        order = []\n        __import__('sys').setprofile(None)\n",
        "switches off the count of its calls",
    ),
    Wrong(
        "intermediate results keep their grad",
        "accumulate",
        "            if value.is_leaf:\n",
        "            if True:\n",
        "an intermediate result still has a .grad",
    ),
    Wrong(
        "only the last value is asked whether it was freed",
        "accumulate",
        "any(value.is_freed for value in order)",
        "self.is_freed",
        "an earlier pass has freed, and computes too little",
    ),
    Wrong(
        "refuses when grads have changed already",
        "accumulate",
        """        if any(value.is_freed for value in order):
            raise RuntimeError("this graph was freed by an earlier backward()")
        arrived = {self: 1.0}
        for value in reversed(order):
            g = arrived[value]
""",
        """        arrived = {self: 1.0}
        for value in reversed(order):
            g = arrived[value]
            if value.is_freed:
                raise RuntimeError("this graph was freed by an earlier backward()")
""",
        "y.grad is a number, and None is wanted",
    ),
    Wrong(
        "a grad begins as 0",
        "accumulate",
        "self.grad = None",
        "self.grad = 0.0",
        "k.grad is 0, and None is wanted",
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
    Wrong(
        "relu lets through at 0",
        "arrays",
        "g * (self.data > 0)",
        "g * (self.data >= 0)",
        "where its input is exactly 0",
    ),
    Wrong(
        "starts with a single 1",
        "arrays",
        "np.ones_like(self.data)",
        "np.array(1.0)",
        "start with ones in its shape",
    ),
    Wrong(
        "starts with a plain 1",
        "arrays",
        "np.ones_like(self.data)",
        "1.0",
        "Does a pass start with one?",
    ),
    Wrong(
        "whole numbers stay whole",
        "arrays",
        "np.array(data, dtype=float)",
        "np.array(data)",
        "make floats of whatever comes",
    ),
    Wrong(
        "a leaf's grad is written into",
        "arrays",
        "                value.grad = g if value.grad is None else value.grad + g\n",
        """                if value.grad is None:
                    value.grad = g
                else:
                    value.grad += g
""",
        "in a second pass a leaf's .grad += g",
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
