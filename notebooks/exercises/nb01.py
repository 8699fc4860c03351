"""What notebook 01 asks for."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import minigrad as torch
from minigrad import lesson
from minigrad.lesson.checking import is_stub

from .graphs import drawing

# --------------------------------------------------------------------------- questions

nodes_behind_e = partial(
    lesson.predict,
    "After e = c * d, how many nodes will be behind e?",
    3,
    mistakes={
        1: "That is the newest one. It leads to the nodes behind c and d.",
        4: "The number 1 is no operation.",
        5: "You counted a and b, which are leaves: no operation made them.",
        8: "You counted operations and values. Nodes are the operations.",
    },
    because="Two additions and a multiplication: one node each.",
)

same_line = partial(
    lesson.predict,
    "You run c = a + b again. What happens to the graph?",
    "one node is added",
    choices=["nothing: the node is there", "one node is added", "all nodes are made again"],
    mistakes={
        "nothing: the node is there": "A node stands for one execution, not for a line.",
        "all nodes are made again": "The others stand for executions that are over.",
    },
    because="Each execution leaves a node of its own; those before it stay as they are.",
)

in_a_loop = partial(
    lesson.predict,
    "total = total * b runs 5 times. How many nodes will be behind total?",
    5,
    mistakes={
        0: "b requires a gradient, so each multiplication is recorded.",
        1: "One line, but five executions.",
        6: "The first total is the leaf a: no operation.",
    },
    because="Each round makes a new value from an older one, and a new node.",
)

in_no_grad = partial(
    lesson.predict,
    "Inside torch.no_grad(), how many nodes does (a + b) * (b + 1) leave?",
    0,
    mistakes={3: "That is what it leaves outside. In no_grad nobody takes notes."},
    because="Nothing is recorded inside no_grad, whatever the inputs require.",
)

whole_numbers = partial(
    lesson.predict,
    "What happens at torch.tensor([2, 6], requires_grad=True)?",
    "an error",
    choices=["they become 2.0 and 6.0", "the gradients will be 0", "an error"],
    mistakes={
        "they become 2.0 and 6.0": "PyTorch does not guess what you meant, nor does minigrad.",
        "the gradients will be 0": "No gradient is possible: integers cannot move a little.",
    },
    because="A gradient says what happens when a number moves a little. Integers cannot.",
)

edges = partial(
    lesson.predict,
    "one + one has one node. How many edges leave it?",
    2,
    mistakes={1: "Each of the two inputs has its edge, even to the same leaf."},
    because="One for each input.",
)

left_open = partial(
    lesson.predict,
    "What does a check say where ... still stands?",
    "not attempted yet",
    choices=["wrong", "not attempted yet", "an error"],
    because="An open exercise is neither right nor wrong, and stops nothing.",
)

added_up = partial(
    lesson.predict,
    "Which number does (one + one).backward() leave in one.grad?",
    2.0,
    mistakes={1.0: "That is what one of the two edges carries."},
    because="Each of the two edges carries 1, and what arrives is added.",
)

# ------------------------------------------------------------------------------ exercises


def what_happens(action: Callable[[], Any]) -> str:
    """What comes of a line: what it makes, or that it is an error, and what that says."""
    try:
        return f"it makes {action()}"
    except RuntimeError as error:
        return f"an error\n{error}"


def inputs() -> tuple[Any, Any]:
    return torch.tensor([2.0], requires_grad=True), torch.tensor([6.0], requires_grad=True)


# --------------------------------------------------------------------- which inputs are enough

flags = lesson.Exercise(
    "flags",
    answer=[False, True, True, True],
    mistakes={
        (False, False, False, True): "one input that requires a gradient is enough, not both.",
        (True, True, True, True): "where no input requires a gradient, nothing is recorded.",
        (False, True, True, False): "two that require a gradient are as good as one.",
        (False, True, False, True): "the second input counts as much as the first.",
        (False, False, True, True): "the first input counts as much as the second.",
        (True, False, False, False): "it is the other way round: with one that requires a "
        "gradient there is a node.",
        (False, False, False, False): "then no graph would ever arise. One input that requires a "
        "gradient is enough.",
    },
)

# --------------------------------------------------------------------------- which are leaves

LEAVES = {"a", "b", "a.detach()", "x", "x + 1"}
NOT_LEAVES = {
    "a + b": "an operation made 'a + b', and it has a grad_fn.",
    "a * 1": "'a * 1' has the value of a, but a multiplication made it.",
    "w": "'w' was multiplied by 2 after requires_grad=True, so it is a result.",
}
MISSED = {
    "a": "you made 'a' yourself: it is a leaf.",
    "b": "you made 'b' yourself: it is a leaf.",
    "a.detach()": "'a.detach()' has no grad_fn: detach cuts it off, so it begins a graph.",
    "x": "a leaf need not require a gradient: no recorded operation made 'x'.",
    "x + 1": "nothing requires a gradient in 'x + 1', so no operation was recorded: a leaf.",
}


def judge_leaves(attempt: Any) -> str:
    """Says the first thing that is wrong, the ones too many first."""
    if isinstance(attempt, str) or not isinstance(attempt, (list, tuple, set)):
        return 'a list of names is wanted, such as ["a", "a * 1"].'
    strangers = [name for name in attempt if name not in LEAVES | set(NOT_LEAVES)]
    if strangers:
        return f"{strangers[0]!r} is none of the eight. Use their names, as printed."
    for name, why in NOT_LEAVES.items():
        if name in attempt:
            return why
    for name, why in MISSED.items():
        if name not in attempt:
            return why
    return ""


leaves = lesson.Exercise("leaves", judge=judge_leaves)

# --------------------------------------------------------------- a program behind a picture


def wanted() -> Any:
    a, b = inputs()
    p = a * b
    return p * (p + a)


def picture() -> Any:
    """The graph to be rebuilt, drawn from the real one."""
    return drawing(wanted())


def called(attempt: Any, *arguments: Any) -> Any:
    """What a function returns. None if it is still empty; and a text if it returns nothing."""
    if not callable(attempt):
        return "a function is wanted."
    result = attempt(*arguments)
    if result is ... or is_stub(attempt, result):
        return None
    return "it returns nothing: end with return." if result is None else result


def judged_by(judge: Callable[[Any], str]) -> Callable[[Any], str | None]:
    """A judge of functions, from one of what they make of a and b."""

    def judge_function(attempt: Any) -> str | None:
        result = called(attempt, *inputs())
        return result if result is None or isinstance(result, str) else judge(result)

    return judge_function


def judge_graph(result: Any) -> str:
    message = lesson.same_graph(wanted())(result)
    if message.startswith("yours has 1 add, 3 mul"):
        return f"{message} What is used twice need not be computed twice: give it a name."
    return message


rebuild = lesson.Exercise("rebuild", judge=judged_by(judge_graph))

# -------------------------------------------------------------------- a gradient for b alone


def judge_only_b(attempt: Any) -> str | None:
    a, b = inputs()
    result = called(attempt, a, b)
    if result is None or isinstance(result, str):
        return result
    if not isinstance(result, torch.Tensor):
        return f"a tensor is wanted; this is a {type(result).__name__}."
    if result.grad_fn is None:
        return "now nothing requires a gradient, b neither. Cut off a alone."
    if abs(result.item() - 56) > 1e-3:
        return f"the value is {result.item():g}, and should stay 56."
    result.backward()
    ours, theirs = (None if leaf.grad is None else leaf.grad.item() for leaf in (a, b))
    if theirs is None:
        return f"a gets {ours:g}, and b nothing: it is a that should be cut off."
    if ours is not None:
        return f"a still gets {ours:g}: while a requires a gradient, its edge is recorded."
    if theirs != 15:
        way = {8: "a + b is cut off, and with it a path of b.", 7: "b + 1 is cut off."}
        return f"b gets {theirs:g} instead of 15: {way.get(int(theirs), 'a path is missing.')}"
    return ""


only_b = lesson.Exercise("only b", judge=judge_only_b)
