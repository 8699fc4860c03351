"""The exercises of notebook 01."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import minigrad as torch
from minigrad import lesson
from minigrad.lesson.checking import is_stub

from .graphs import drawing, nodes


def inputs() -> tuple[Any, Any]:
    return torch.tensor([2.0], requires_grad=True), torch.tensor([6.0], requires_grad=True)


# ------------------------------------------------------------------- which inputs are enough

FLAG_SLIPS: dict[tuple[bool, ...], str] = {
    (False, False, False, True): lesson.broke(
        "record",
        "so both inputs would have to require a gradient. Did both, in ride + 4 of section 1?",
    ),
    (True, True, True, True): lesson.broke(
        "record", "so there would be notes even where nobody wants a gradient."
    ),
    (False, True, True, False): lesson.broke(
        "record", "so with a second one that requires a gradient, the node would be lost."
    ),
    (False, True, False, True): "so the second input would not count.",
    (False, False, True, True): "so the first input would not count.",
    (True, False, False, False): lesson.broke("record", "it is the other way round."),
    (False, False, False, False): lesson.broke(
        "record", "then no graph would ever arise, not even that of the taxi."
    ),
}
COLUMNS = ["no, no", "yes, no", "no, yes", "yes, yes"]


def judge_flags(attempt: Any) -> str:
    """Says which column is wrong; 0 and 1 count as False and True."""
    if not isinstance(attempt, (list, tuple)) or len(attempt) != len(COLUMNS):
        return "a list of four is wanted: True or False for each column."
    if not all(one in (False, True) for one in attempt):
        return "each of the four is True or False."
    mine = tuple(bool(one) for one in attempt)
    right = (False, True, True, True)
    if mine == right:
        return ""
    for column, one, wanted in zip(COLUMNS, mine, right, strict=True):
        if one != wanted:
            return FLAG_SLIPS.get(mine, f"look again at the column {column} (rate, base).")
    return ""


flags = lesson.Exercise(
    "flags",
    judge=judge_flags,
    hint="In section 1, the fare came from ride, which requires a gradient, and from 4. Was it "
    "recorded?",
    because="One input that requires a gradient is enough.",
)

# ------------------------------------------------------------------------- which are leaves

LEAVES = {"rate", "base", "rate.detach()", "x", "x + 1"}
NOT_LEAVES = {
    "rate + base": "you list the result of an operation on two tensors that require gradients.",
    "rate * 1": "one that you list has the value of the rate, and is another tensor. What made it?",
    "w": "one that you list was multiplied by 2. Was that operation recorded?",
}
MISSED = {
    "rate": "you left out one that you made yourself, at the top of the cell.",
    "base": "you left out one that you made yourself, in the second line of the cell.",
    "rate.detach()": "you left out one whose history has been cut off.",
    "x": lesson.broke(
        "leaf", "you left out one that requires no gradient. Does the sentence ask for that?"
    ),
    "x + 1": "you left out the result of an operation. Was it recorded?",
}


def judge_leaves(attempt: Any) -> str:
    """Says the first thing that is wrong, the ones too many first."""
    if isinstance(attempt, str) or not isinstance(attempt, (list, tuple, set)):
        return 'a list of names is wanted, such as ["rate", "x"].'
    strangers = [name for name in attempt if str(name) not in LEAVES | set(NOT_LEAVES)]
    if strangers:
        return f"{strangers[0]!r} is none of the eight. Use their names, as they stand in the cell."
    for name, why in NOT_LEAVES.items():
        if name in attempt:
            return why
    for name, why in MISSED.items():
        if name not in attempt:
            return why
    return ""


leaves = lesson.Exercise(
    "leaves",
    judge=judge_leaves,
    hint="Ask two things of each: did an operation make it? And did one of that operation's inputs "
    "require a gradient?",
    because="Leaves are rate, base, rate.detach(), x and x + 1: no recorded operation made them.",
)

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


rebuild = lesson.Exercise(
    "rebuild",
    judge=judged_by(judge_graph),
    hint="Begin at the left. Write a line for each box, and give its result a name. Then look "
    "which arrows arrive at the next box.",
    because="For example: p = a * b, and then return p * (p + a).",
)

# ------------------------------------------------------- which tensors of the taxi get a gradient


class Measured(NamedTuple):
    """What a learner's loss of the taxi came to, and which gradients it left; None where none."""

    loss: float
    rate: float | None
    base: float | None


def guesses(rate: float = 2.0, base: float = 4.0) -> tuple[Any, Any]:
    return torch.tensor(rate, requires_grad=True), torch.tensor(base, requires_grad=True)


def measured(attempt: Any) -> Measured | str | None:
    """What an attempt leaves at the rate 2 and the base 4; or a text that says why it cannot."""
    rate, base = guesses()
    result = called(attempt, rate, base)
    if result is None or isinstance(result, str):
        return result
    if not isinstance(result, torch.Tensor):
        return f"a tensor is wanted; this is a {type(result).__name__}."
    if result.grad_fn is None:
        return "now nothing requires a gradient, not even the base."
    if abs(result.item() - 9) > 1e-3:
        return f"the loss is {result.item():g}, and should be 9."
    other = called(attempt, *guesses(3.0, 5.0))
    if not isinstance(other, torch.Tensor) or abs(other.item() - 1) > 1e-3:
        return "it is right for the rate 2 and the base 4 alone: use the two that are given."
    result.backward()
    grads = (None if leaf.grad is None else leaf.grad.item() for leaf in (rate, base))
    return Measured(result.item(), *grads)


HALF = "The square has lost one of the two ways through it."


def judge_repair(attempt: Any) -> str | None:
    found = measured(attempt)
    if not isinstance(found, Measured):
        return found
    if found.base is None:
        return "now the base has lost its gradient. It should keep the one that it had."
    if found.rate is None:
        return lesson.broke("record", no_way_to_the_rate(attempt))
    if abs(found.rate + 18) > 1e-3:
        return f"the rate gets {found.rate:g}, and a nudge measures something else. {HALF}"
    if abs(found.base + 6) > 1e-3:
        return f"the base gets {found.base:g} now, and should keep the gradient that it had."
    return ""


def no_way_to_the_rate(attempt: Any) -> str:
    """Why the rate gets no gradient, seen from the operations that were recorded."""
    noted = [node.name() for node in nodes(called(attempt, *guesses()))]
    if "MulBackward0" in noted:
        return "a multiplication is noted now, but it does not use the rate itself."
    return "the rate still gets no gradient: no multiplication has been noted."


repair = lesson.Exercise(
    "repair",
    judge=judge_repair,
    hint="Ask after each step of the first line: is this still a tensor that requires a gradient?",
    because="rate * 3 on the tensor itself is noted, and .item() is not needed.",
)


def judge_only_base(attempt: Any) -> str | None:
    found = measured(attempt)
    if not isinstance(found, Measured):
        return found
    if found.base is None:
        return f"the rate gets {found.rate:g}, and the base nothing: turn it round."
    if found.rate is not None:
        return f"the rate still gets {found.rate:g}: an operation with it is recorded."
    if abs(found.base + 6) > 1e-3:
        return f"the base gets {found.base:g}, which is not what it got before. {HALF}"
    return ""


only_base = lesson.Exercise(
    "only the base",
    judge=judge_only_base,
    hint="There is a method that gives a tensor's value without its history. Which tensor, and at "
    "which place in the line?",
    because="For example: return (rate.detach() * 3 + base - 13) ** 2.",
)

# ------------------------------------------------------------------------ without a picture

NODES, FROM_RATE, EDGES, SAVING = 5, 3, 7, 3


def judge_count(attempt: Any) -> str:
    if not isinstance(attempt, (list, tuple)) or len(attempt) != 4:
        return "four numbers are wanted: nodes, edges from rate, all edges, nodes that save."
    if not all(isinstance(one, (int, float)) for one in attempt):
        return "each of the four is a number."
    made, away, edges, saving = attempt
    if made != NODES:
        known = {
            4: lesson.broke("record", "four lines, but is there one operation in each?"),
            6: "the nodes: no operation made the rate.",
            3: lesson.broke("record", "the nodes: each operation that runs leaves its own."),
            9: "the nodes: plain numbers, such as 3 or tip, have no place in the graph.",
        }
        return known.get(made, f"the nodes are not {made}. Count the operations, line by line.")
    if away != FROM_RATE:
        known = {
            1: "from rate: it is one tensor, but is it used only once?",
            2: "from rate: look for it in all lines, down to the last.",
            4: "from rate: does each line use it?",
        }
        return known.get(away, f"from rate there are not {away}. Look for it in all lines.")
    if edges != EDGES:
        known = {
            10: "altogether: from a plain number, such as 3 or tip, no edge leads away.",
            4: "altogether: the edges from rate belong to them too.",
            5: "altogether: a node has one edge for each tensor that it uses.",
            8: "altogether: the last result, bill, is used by nobody.",
        }
        return known.get(edges, f"altogether there are not {edges}. Ask each node what it uses.")
    if saving != SAVING:
        known = {
            5: "that save: some local slopes are the same whatever the numbers are.",
            2: "that save: of which operations does the local slope depend on a number?",
            1: "that save: not only a product of two tensors has to keep something.",
            0: "that save: how would backward() then know by what to multiply?",
            4: "that save: a sum shifts, and its local slope is known without keeping anything.",
        }
        return known.get(saving, f"that save: there are not {saving}. Ask for each local slope.")
    return ""


count = lesson.Exercise(
    "count",
    judge=judge_count,
    hint="Write a line for each operation, so that bill takes two lines. Then write behind each "
    "which tensors it uses.",
    because="×, ×, +, ×, +: five nodes. rate is used by both rides and by the last product. The "
    "nodes use 1, 1, 2, 2 and 1 tensors, so there are seven edges. The three products save "
    "something, because their local slopes depend on it.",
)

# ---------------------------------------------------------------------- a program of their own


def numbers() -> tuple[Any, Any]:
    return torch.tensor(2.0, requires_grad=True), torch.tensor(6.0, requires_grad=True)


def judge_own(attempt: Any) -> str | None:
    """Compares what somebody expects of a program of theirs with what it leaves."""
    program, mine = attempt
    result = called(program, *numbers())
    if result is None or isinstance(result, str):
        return result
    if not isinstance(result, torch.Tensor):
        return f"it returns a {type(result).__name__}, and a tensor is wanted."
    made = nodes(result)
    if not made:
        return "no node is behind what it returns: the way from a and b is cut, or never began."
    if len(made) < 3:
        return "it leaves fewer than three nodes, so there is not much to count. Make it longer."
    if isinstance(mine, bool) or not isinstance(mine, (int, float)):
        return "mine is a whole number: how many nodes?"
    if mine == len(made):
        return ""
    if mine in (len(made) + 1, len(made) + 2):
        return f"{mine} are a few too many. Did you count a and b?"
    if mine > len(made):
        return lesson.broke(
            "ran",
            f"{mine} are too many. Does each operation that you counted run, on the way from a or "
            "b to what is returned?",
        )
    return lesson.broke(
        "record",
        f"{mine} are too few. An operation leaves a node each time that it runs, and there may be "
        "several in one line.",
    )


own = lesson.Exercise(
    "own",
    judge=judge_own,
    hint="Write your program out as the lines that run one after the other, with one operation in "
    "each.",
    because="The next cell lists the nodes, one by one.",
)
