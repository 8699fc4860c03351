"""What notebook 14 asks. Its exercises are in ``nb14_judges`` and ``nb14_port``.

``nb14_beside`` sets side by side. Here, and not in the cells, so that nobody reads an answer before
giving one.
"""

from __future__ import annotations

from functools import partial

import minigrad
from minigrad import lesson
from minigrad.lesson import broke

from .graphs import nodes
from .nb02_measuring import per_nudge
from .nb14_beside import NEXT, beside, is_there, on_pytorch, said
from .nb14_judges import data, same, show_lines, show_outcomes
from .nb14_port import port

__all__ = [
    "beside",
    "data",
    "is_there",
    "nodes",
    "on_pytorch",
    "per_nudge",
    "port",
    "repaired",
    "same",
    "show_lines",
    "show_outcomes",
]


def carried_digits(torch):
    """The digits as tensors of this library: images and labels, then those kept for a test."""
    given = minigrad.datasets.digits()
    parts = (given.x, given.y, given.x_test, given.y_test)
    return [torch.from_numpy(part.numpy()) for part in parts]


def repaired(wide):
    """What an optimizer says to it, and what is still missing for a parameter of 64 bits."""
    try:
        minigrad.optim.SGD([wide], lr=0.1)
        print("SGD takes wide.")
    except (TypeError, ValueError) as problem:
        whats_wrong, *_ = said(problem).partition("fix:")  # the remedy is yours to find
        print(f"SGD refuses wide.\n{whats_wrong.rstrip()}")
    if not isinstance(wide, minigrad.Tensor):
        print("Not yet: wide is not a tensor.")
        return
    faults = {
        "it is not a leaf": not wide.is_leaf,
        f"its dtype is {wide.dtype}, and one of 64 bits is wanted": wide.dtype != minigrad.float64,
        "it does not require a gradient": not wide.requires_grad,
        "it does not hold the 6 any more": wide.tolist() != [6.0],
    }
    found = [fault for fault, holds in faults.items() if holds]
    if found:
        print(f"Not yet: {', and '.join(found)}.")
    else:
        print("Repaired: wide is a leaf of 64 bits, and requires a gradient.")


def message(run):
    """What comes of it: a result, or an error, whose lines the columns show one by one."""
    try:
        return str(run())
    except Exception as problem:
        return NEXT.join(line.strip() for line in said(problem).splitlines())


# ------------------------------------------------------------------------ the same programs

how_many_differ = partial(
    lesson.predict,
    "The program prints four lines: e with all that a tensor shows of itself, two gradients, and "
    "the name of the operation that made e. How many of the four are different in PyTorch?",
    0,
    mistakes={
        4: "Two of the four are gradients. Could the libraries differ there, and both be right?",
        1: "Which line would that be? Lesson 01 says whose names the operations have.",
        2: "The gradients are mathematics. Would PyTorch print its tensors in another way?",
        3: "The gradients are mathematics, and there are two of them.",
    },
    hint="minigrad was written so that what PyTorch's pages say holds for it, too.",
    because="minigrad prints tensors as PyTorch does, and gives operations the same names.",
)

where_lands = partial(
    lesson.predict,
    "b is a leaf of the dtype float32, and wide = b.double() is made from it. After e.backward(), "
    "where is the gradient, in both libraries?",
    "in b.grad",
    choices=["in b.grad", "in wide.grad", "in both"],
    mistakes={
        "in wide.grad": "b requires a gradient, so double() is recorded. Is wide a leaf, then?",
        "in both": "backward() leaves gradients in leaves. Which of the two are leaves?",
    },
    hint="Which of the two was not made by a recorded operation?",
    because="double() is an operation like any other: wide is its result, and only b is a leaf.",
)

same_training = partial(
    lesson.predict,
    "A Linear layer starts from random numbers. Both libraries are given torch.manual_seed(0), and "
    "then train for 600 steps. What will the two columns have in common?",
    "every digit that is printed",
    choices=[
        "only where they end, since they start from other random numbers",
        "the start, but not what comes of 600 steps of rounding",
        "every digit that is printed",
    ],
    mistakes={
        "only where they end, since they start from other random numbers": "Random numbers are "
        "computed from the seed. The same arithmetic gives the same numbers.",
        "the start, but not what comes of 600 steps of rounding": "Rounding does differ, in the "
        "seventh digit or so. How many digits are printed? And could two trainings end in "
        "different places here, where one line runs through all five receipts?",
    },
    hint="The seed gives both the same start. Rounding comes in at the seventh digit or so: how "
    "far in front of it does the printing end?",
    because="The random numbers are computed in the same way, and rounding errors stay below what "
    "is printed: this training has a single goal, so it shrinks them again.",
)

at_a_corner = partial(
    lesson.predict,
    "The maximum of two equal numbers is a corner, too: whichever of them grows is the larger one. "
    "Which gradients does x.max() give to the two, in both libraries?",
    "0.5 to each",
    choices=["1 to the first, 0 to the second", "1 to each", "0.5 to each"],
    mistakes={
        "1 to the first, 0 to the second": "That would fit if max() had to name one of the two. "
        "Here it returns a number, and nothing says which of them it came from.",
        "1 to each": "If both grow by 1, the maximum grows by 1. What would these two promise?",
    },
    hint="Here both are treated alike, and if both grow by 1, the maximum grows by 1.",
    because="It is a choice, and PyTorch made it; minigrad has taken the same one at each corner.",
)

# --------------------------------------------------------------------------- where they part

mixed = partial(
    lesson.predict,
    "torch is PyTorch. Of the two leaves of section 1, one is made by PyTorch here, and the other "
    "one by minigrad: torch.tensor([2.0]) + minigrad.tensor([6.0]). What comes of it?",
    "an error",
    choices=["tensor([8.])", "an error", "a NumPy array"],
    mistakes={
        "tensor([8.])": "The two kinds have the same name and print alike. Does PyTorch know "
        "how to add something that is not one of its own tensors?",
        "a NumPy array": "Both could be made into one, but nobody has asked for that.",
    },
    hint="What does PyTorch know of minigrad?",
    because="PyTorch does not know minigrad's tensors: to it, one is an object like any other.",
)

# --------------------------------------------------------------------------------- the views

how_many_drawn = partial(
    lesson.predict,
    "The program computes the tensor one, then the sum a + b, and in each of two rounds a sum and "
    "a product. The view is opened after that. How many of PyTorch's operations will it draw?",
    5,
    mistakes={
        6: "So many were computed. Which of them lead back to a leaf that requires a gradient?",
        3: "That was the graph of section 1. The loop runs twice here, and each round is recorded.",
        4: "Count once more: a + b, and then what each of the two rounds records.",
        2: "The loop runs twice, but each round computes more than one result.",
        7: "Leaves are drawn, too, but they are not operations.",
        0: "PyTorch keeps a record for its own backward pass. Where does it begin?",
        1: "e.grad_fn is the last operation. From there, next_functions leads to earlier ones.",
    },
    hint="PyTorch records an operation only if one of its inputs requires a gradient. Go through "
    "the program line by line, and through the loop twice.",
    because="a + b, and twice a sum and a product. Nothing that makes one requires a gradient, so "
    "PyTorch has not recorded it, and the view does not find it from e.grad_fn.",
)

at_b_plus_1 = partial(
    lesson.predict,
    "The backward pass of section 1 goes through e = (a + b) * (b + 1), where a is 2 and b is 6. "
    "What arrives at b + 1?",
    8,
    mistakes={
        7: "That is what b + 1 is worth. The product sends it to its other input.",
        1: "That arrives at e, where the pass begins. What does the product make of it?",
        15: "That is what lands in b.grad in the end, from two paths. Here one of them goes on.",
        56: "That is e. How many times as far as b + 1 does it move?",
        6: "That is b. What is the slope of the product as b + 1 moves?",
        2: "That is a. What is the slope of the product as b + 1 moves?",
    },
    hint="A product sends to each of its inputs what the other one is worth.",
    because="The slope of (a + b) * (b + 1) as b + 1 moves is a + b. The sum b + 1 then sends to b "
    "as much as has arrived, for its slope is 1.",
)

after_rehearsal = partial(
    lesson.predict,
    "When the stepper is opened, PyTorch computes the whole pass, so that you can step through it. "
    "What is b.grad afterwards, if nothing else is called?",
    "None",
    choices=["15", "8", "None"],
    mistakes={
        "15": "So much does the whole pass bring to b. Which call in a program would put it there?",
        "8": "So much does one of two paths bring to b. Could a pass end with a part of the sum?",
    },
    hint="What has lesson 02 said of the stepper: is its pass the real one?",
    because="The stepper rehearses: it lets autograd compute, and puts nothing into .grad.",
)

which_lamp = partial(
    lesson.predict,
    "Four lamps light up in each step of the training: zero, forward, backward, step. At which of "
    "them does the rate change?",
    "step",
    choices=["zero", "forward", "backward", "step"],
    mistakes={
        "zero": "That clears the gradient of the rate. What becomes of the rate itself?",
        "forward": "The model computes with the rate. Does it write anything into it?",
        "backward": "That fills rate.grad. Which line takes the gradient and uses it?",
    },
    hint="Which of the four lines of the loop calls the optimizer's rule?",
    because="backward() only leaves the gradient, and optimizer.step() moves the rate by it.",
)

# ------------------------------------------------------------------------------ earlier notebooks

why_cleared = partial(
    lesson.predict,
    "A loop calls backward() in each step, and never zero_grad(). What is in .grad after the third "
    "step?",
    "the sum of three gradients",
    choices=["the third gradient", "the sum of three gradients", "the mean of three gradients"],
    mistakes={
        "the third gradient": broke("accumulate", "Does backward() replace what is there?"),
        "the mean of three gradients": broke("accumulate", "Who would divide by three?"),
    },
    hint="What does backward() do with what is in .grad already?",
    because="backward() adds. That is why the loop clears.",
)
which_branch = partial(
    lesson.predict,
    "y = x * 5 if x > 0 else x * 2, with x = 3. What is the gradient of x?",
    5,
    mistakes={
        2: "That branch did not run.",
        7: "Only one of the branches has left a node.",
        0: "The comparison has no gradient, but the branch that ran has one.",
        15: "That is y. How many times as far does it move as x?",
        3: "That is x itself. How many times as far does y move?",
        10: broke("ran", "Both numbers are in it. How many of the two products have run?"),
    },
    hint="Which of the two products has run?",
    because="Only x * 5 ran, and its local slope is 5. The if has left nothing in the graph.",
)
check_digits = partial(
    lesson.predict,
    "A hand-written backward is checked against nudges of a millionth. Which dtype does the check "
    "need?",
    "float64",
    choices=["float32", "float64", "int64"],
    mistakes={
        "float32": "Such numbers have about 7 digits. What is left of a difference in the sixth?",
        "int64": "Whole numbers cannot be nudged by a millionth.",
    },
    hint="A nudge of a millionth changes the sixth digit behind the point. How many are needed?",
    because="With some 16 digits there are enough left behind the sixth; with 7 there is one.",
)

# ----------------------------------------------------------------------------- without a picture

on_paper = partial(
    lesson.predict,
    "On paper: w is a leaf in PyTorch, with the value 2. The program computes loss = (w * w - 1) "
    "** 2, calls loss.backward(), computes the loss anew, and calls backward() again. What is "
    "w.grad?",
    48,
    mistakes={
        24: "Count what you have added: how many calls of backward(), and in each of them how many "
        "paths from w to w * w?",
        12: "The outer slope is 6, and w * w uses w twice. What does each of the two paths bring?",
        6: broke("multiply", "That is the slope of the square. How does w * w move with w?"),
        0: "The loss was computed anew, so there was no error. Nothing has cleared .grad.",
        96: "That is twice too much. Where did a factor of 2 come in a second time: at the "
        "outer square, at the two paths to w * w, or at the two calls?",
        72: "So many gradients would be added by three calls. How many are there?",
        18: "That is twice the loss. What is its slope?",
        9: "That is the loss.",
    },
    hint="First one pass: the slope of the square is 2 · 3, and w reaches w * w on two paths.",
    because="One pass brings 2 · 3 · 4 = 24, and the second one adds as much. Nudged by 0.001 to "
    "both sides, the loss says so, too: ((2.001² - 1)² - (1.999² - 1)²) / 0.002 = 24.000.",
)
