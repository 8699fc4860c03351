"""What notebook 01 asks, and what its cells show."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from graphlib import CycleError, TopologicalSorter
from typing import Any

import numpy as np

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import lesson, nn
from minigrad.lesson.attempt import told

from .graphs import nodes
from .nb01_exercises import (
    LEAVES,
    called,
    count,
    flags,
    inputs,
    judge_count,
    leaves,
    numbers,
    only_base,
    own,
    picture,
    rebuild,
    repair,
)

__all__ = [
    "LEAVES",
    "count",
    "flags",
    "inputs",
    "judge_count",
    "leaves",
    "only_base",
    "own",
    "picture",
    "rebuild",
    "repair",
]

# ------------------------------------------------------------------- questions on the taxi

nodes_behind_loss = partial(
    lesson.predict,
    "When these two lines have run as well, how many nodes will be behind loss?",
    4,
    mistakes={
        1: "That is the newest one. From there edges lead back to the others.",
        2: "Those are the two that these lines add. Do the older ones belong to it too?",
        3: lesson.broke("record", "One operation is missing. A square is an operation too."),
        5: "You counted the rate too. No operation made it.",
        8: "You counted the plain numbers too. They have no place in the graph.",
        9: "You counted the rate and the plain numbers too. Count the operations that ran.",
    },
    hint="Write the results down, one below the other, and ask for each: which operation made it?",
    because="Four operations ran, each with an input that requires a gradient: ×, +, − and the "
    "square.",
)

who_saves = partial(
    lesson.predict,
    "Which of the four nodes have to save something, to know their local slope later?",
    "those of ride and loss",
    choices=["all four", "those of ride and loss", "that of loss alone", "none of them"],
    mistakes={
        "all four": "Some local slopes are the same whatever the numbers are. They need not be "
        "kept.",
        "that of loss alone": "One more local slope depends on what stands in the program. Go "
        "through the lines.",
        "none of them": "How would backward() know, on its way back, what the local slope of a "
        "square is?",
    },
    hint="The local slopes are 3, 1, 1 and −6. Which of them would change with other numbers?",
    because="The slope of ride is the 3, and that of the square comes from the −3 and the 2, so "
    "these are kept. The local slope of a sum or a difference is 1, always.",
)

THE_NODE = "the multiplication that ran"

which_is_a_node = partial(
    lesson.predict,
    "ride = rate * 3 has run. Which of these do these lessons, and PyTorch, call the node of ride?",
    THE_NODE,
    choices=["the tensor that holds 6", THE_NODE, "the leaf rate", "AccumulateGrad"],
    mistakes={
        "the tensor that holds 6": "That is what came out. Its grad_fn leads to the node.",
        "the leaf rate": lesson.broke("leaf", "Which operation made the rate?"),
        "AccumulateGrad": "That one waits at the leaf, at the end of the walk. ride is no leaf.",
    },
    hint="The name that grad_fn gives it, MulBackward0, says what it stands for.",
    because="A node stands for an operation that ran. The tensor 6 is its value, rate is the leaf "
    "that it uses, and AccumulateGrad waits at that leaf.",
)

# --------------------------------------------------------- questions on the published program

nodes_behind_e = partial(
    lesson.predict,
    "When this program has run, how many nodes will be behind e?",
    3,
    mistakes={
        1: "That is the newest one. From there edges lead back to the nodes of c and d.",
        2: lesson.broke("record", "There are more operations: the last line holds one as well."),
        4: "The plain number 1 has no place in the graph.",
        5: "You counted a and b, which are leaves: no operation made them.",
        6: "You counted the leaves and the plain number too. A node is an operation that ran.",
        8: "You counted the values as well as the operations. A node is an operation that ran.",
    },
    hint="Count signs: how many operations stand in the three lines at the end?",
    because="Two additions and a multiplication ran: one node each.",
)

same_line = partial(
    lesson.predict,
    "The line c = a + b runs a second time. What happens to the graph?",
    "one node is added",
    choices=["nothing: the node is there", "one node is added", "all nodes are made again"],
    mistakes={
        "nothing: the node is there": lesson.broke(
            "record", "Does a node stand for a line of the program, or for something else?"
        ),
        "all nodes are made again": lesson.broke(
            "ran", "Only one line runs. What would make the nodes of the others again?"
        ),
    },
    hint="Say the rule: an operation that runs leaves … How many operations run here?",
    because="Each time that an operation runs, it leaves a node of its own. Those before it stay "
    "as they are.",
)

in_a_loop = partial(
    lesson.predict,
    "When the loop has ended, how many nodes will be behind total?",
    4,
    mistakes={
        0: lesson.broke("record", "b requires a gradient. Is that enough for the multiplication?"),
        1: lesson.broke("record", "It is one line. How often does it run?"),
        2: lesson.broke("record", "How often does the multiplication run?"),
        5: "The first total is a itself, and no operation made that.",
        6: "You counted the two leaves too. No operation made them.",
        8: "Only the multiplication is an operation on tensors. The loop itself leaves nothing.",
    },
    hint="Write the loop out, as the lines that run one after the other.",
    because="In each round the multiplication runs once, and makes a new value from an older one.",
)

# ------------------------------------------------------------------ questions on taking notes

in_no_grad = partial(
    lesson.predict,
    "Inside torch.no_grad(), how many nodes does (a + b) * (b + 1) leave?",
    0,
    mistakes={
        3: "That is what it leaves outside of such a block.",
        1: "No operation is treated otherwise than the others, in such a block.",
        2: "No operation is treated otherwise than the others, in such a block.",
    },
    hint="What does the text above say that such a block is for?",
    because="In such a block nothing is recorded, whatever the inputs require.",
)

whole_numbers = partial(
    lesson.predict,
    "What happens at torch.tensor([2, 6], requires_grad=True)? (There are no decimal points.)",
    "an error",
    choices=["they become 2.0 and 6.0", "the gradients will be 0", "an error"],
    mistakes={
        "they become 2.0 and 6.0": "PyTorch does not guess what you meant, nor does minigrad.",
        "the gradients will be 0": "To find a gradient, one nudges a little. Can these be nudged?",
    },
    hint="A gradient says what happens when a number moves a little. What is a little, for a whole "
    "number?",
    because="A gradient says what happens when a number moves a little. Integers cannot.",
)

# --------------------------------------------------------------- questions about notebook 00

moved_by = partial(
    lesson.predict,
    "At a rate of 2, the gradient of the rate is −18. You raise the rate by 0.01. "
    "By how much does the loss move, about?",
    -0.18,
    tolerance=0.01,
    mistakes={
        0.18: lesson.broke(
            "direction", "That is how far it moves. But does the loss rise, or does it fall?"
        ),
        -18.0: "That is how many times as far it moves. And the rate moved by 0.01.",
        18.0: "That is how many times as far it moves. And the rate moved by 0.01.",
        0.03: "That is how far the ride moves.",
        -0.01: "That is the nudge with the sign turned round. The loss moves farther.",
        -0.06: lesson.broke("multiply", "There is one more local slope on the way."),
    },
    hint="The gradient says how many times as far the loss moves, and in which direction.",
    because="It is −18 times 0.01.",
)

slope_of_plus = partial(
    lesson.predict,
    "fare = ride + 4, with ride = 6. What is the local slope of this operation for the ride?",
    1.0,
    mistakes={
        4.0: lesson.broke("local", "4 shifts the fare. How far does the fare move with the ride?"),
        10.0: "That is the fare itself, and not how fast it moves.",
        6.0: "That is the ride itself, and not how fast something moves.",
        0.0: "Then the fare would stand still while the ride moves.",
        3.0: lesson.broke("local", "That belongs to the operation before, the multiplication."),
        -6.0: lesson.broke("local", "That is how fast the loss moves, and not the fare."),
    },
    hint="Let the ride move from 6 to 6.01. How far does the fare move?",
    because="The fare moves just as far as the ride.",
)

AGAINST = "move the rate a little against its gradient"

still_to_do = partial(
    lesson.predict,
    "loss.backward() has run. What is left to do, so that the rate gets better?",
    AGAINST,
    choices=[
        "nothing: backward() has moved the rate",
        AGAINST,
        "move the rate a little along its gradient",
    ],
    mistakes={
        "nothing: backward() has moved the rate": "backward() only measures.",
        "move the rate a little along its gradient": lesson.broke(
            "direction", "Along the gradient the loss grows."
        ),
    },
    hint="One line in the loop of lesson 00 changed the rate. What stood in it?",
    because="backward() measures, and a step against the gradient makes the loss smaller.",
)

# ------------------------------------------------------------------------ what cells show


def saved(node: Any) -> str:
    """What a node keeps for its backward step, in words."""
    if node.saved is None:
        return "something, and backward() has used it up"
    kept = [one.item() if isinstance(one, torch.Tensor) else one for one in node.saved]
    return " and ".join(f"{one:g}" for one in kept if one is not None) or "nothing"


def names(tensor: Any) -> list[str]:
    """The names of the nodes behind a tensor, the first operation first."""
    made = sorted(nodes(tensor), key=lambda node: node.seq)
    return [node.name().removesuffix("Backward0") for node in made]


def what_happens(action: Callable[[], Any]) -> str:
    """What comes of a line: what it makes, or that it is an error, and what that says."""
    try:
        return f"it makes {action()}"
    except RuntimeError as error:
        return f"an error\n{error}"


def loss_of_digits() -> Any:
    """The loss of lesson 05's network for its first 32 images, before any training."""
    torch.manual_seed(0)
    digits = torch.datasets.digits()
    model = nn.Sequential(nn.Flatten(), nn.Linear(64, 32), nn.Tanh(), nn.Linear(32, 10))
    return F.cross_entropy(model(digits.x[:32]), digits.y[:32])


def kept_behind(tensor: Any) -> str:
    """How many nodes are behind a tensor, and how many numbers the tables hold that they saved.

    Two nodes may keep the same table, such as the one that is made by the first and used by the
    second. It counts once.
    """
    made = nodes(tensor)
    tables = [values(one) for node in made for one in node.saved or () if hasattr(one, "shape")]
    sizes = {one.ctypes.data: one.size for one in tables if one.shape}
    return f"{len(made)} nodes keep {sum(sizes.values()):,} numbers"


def values(table: Any) -> np.ndarray:
    return table.detach().numpy() if isinstance(table, torch.Tensor) else np.asarray(table)


def circles(programs: int) -> str:
    """How many of so many random programs leave a graph with a circle."""
    random.seed(0)
    found = 0
    for _ in range(programs):
        values: list[Any] = [*inputs()]
        for _ in range(8):
            operation = random.choice([torch.add, torch.sub, torch.mul])
            values.append(operation(*random.choices(values, k=2)))
        edges = {node: [used for used, _ in node.next_functions] for node in nodes(values[-1])}
        try:
            TopologicalSorter(edges).prepare()
        except CycleError:
            found += 1
    return f"{programs} programs, {found} circles"


def list_nodes(program: Any) -> None:
    """Print the nodes that a learner's program leaves, the first one first."""
    try:
        result = called(program, *numbers())
    except Exception as error:
        print(f"… {told(error)}")
        return
    if not isinstance(result, torch.Tensor):
        print("… there is no tensor yet, so there are no nodes to list.")
        return
    made = sorted(nodes(result), key=lambda node: node.seq)
    for number, node in enumerate(made[:40], 1):
        print(number, node.name())
    print("nodes altogether:", len(made))
