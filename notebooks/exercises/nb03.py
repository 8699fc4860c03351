"""What notebook 03 asks."""

from __future__ import annotations

from functools import partial
from typing import Any

import minigrad as torch
from minigrad import lesson
from minigrad.lesson import broke

from .nb03_drawings import CLIPPED as CLIPPED
from .nb03_drawings import around_the_kink as around_the_kink
from .nb03_drawings import rules as rules
from .nb03_drawings import teeth as teeth
from .nb03_exercises import clip_with_if as clip_with_if
from .nb03_exercises import clip_without_if as clip_without_if
from .nb03_exercises import guard as guard
from .nb03_exercises import jump as jump
from .nb03_exercises import route as route
from .nb03_exercises import soft_choice as soft_choice
from .nb03_measuring import fit as fit
from .nb03_measuring import leaves as leaves
from .nb03_measuring import normal as normal
from .nb03_measuring import nudged as nudged
from .nb03_measuring import path as path
from .nb03_measuring import slope as slope
from .nb03_own_jump import judge_own_jump as judge_own_jump
from .nb03_own_jump import own_jump as own_jump
from .nb03_own_jump import tell_jump as tell_jump

# --------------------------------------------------------------------------------- questions
# Here, and not in the cells, so that nobody reads an answer before giving one.

cause = partial(
    lesson.predict,
    "At 1.9531, backward() says 1024, and nudging by 0.001 says -499226. Why?",
    "the two ends of the nudge do not run the same operations",
    choices=[
        "a while loop has no derivative, and backward() makes one up",
        "the nudge is so small that its result is a rounding error",
        "the two ends of the nudge do not run the same operations",
        "backward() leaves out what the comparison of y with 1000 adds",
    ],
    mistakes={
        "a while loop has no derivative, and backward() makes one up": broke(
            "record", "backward() never meets the loop, only the products that it ran."
        ),
        "the nudge is so small that its result is a rounding error": "The two results "
        "differ by about a thousand here. Is a rounding error as large as that?",
        "backward() leaves out what the comparison of y with 1000 adds": broke(
            "record", "A comparison gives True or False. What slope could it add?"
        ),
    },
    hint="Nudging runs the program at 1.9521 and at 1.9541. How often is each of them doubled?",
    because="1.9521 is doubled 10 times, but for 1.9541 it takes only 9 to get above 1000.",
)
nodes = partial(
    lesson.predict,
    "amplify(100.0) tests the loop's condition 5 times. How many nodes are behind its result?",
    4,
    mistakes={
        1: broke("record", "That is one line, but it leaves a node each time it runs."),
        5: broke("record", "A test leaves no node. What runs after the last one?"),
        9: broke("record", "A comparison gives True or False, has no slope, and leaves no node."),
        10: broke("record", "A comparison gives True or False, has no slope, and leaves no node."),
    },
    hint="Count the multiplications, and nothing else. After the last test no more follows.",
    because="Four products. Comparisons, while and if leave no nodes.",
)
legs = partial(
    lesson.predict,
    "How many nodes does ride(rate, [1, 2, 5]) leave, if the rate requires a gradient?",
    7,
    mistakes={
        2: broke("record", "That is what one short leg leaves. Each round leaves its own."),
        3: broke("record", "That is one for each leg. In each round two operations run at least."),
        4: broke("record", "The rule is counted, but each leg only once. What runs in a round?"),
        5: "Is the first sum missing? Its 4.0 is a plain number, but what is added to it is not.",
        6: broke("ran", "And the rule for long legs: does it never apply?"),
        8: "Is the first total among them? It is the plain number 4.0: no operation made it.",
        9: broke("ran", "For which legs does the body of the if run?"),
        10: broke("record", "A comparison gives True or False, has no slope, and leaves no node."),
    },
    hint="A round multiplies and adds. For which legs does it add once more?",
    because="Three rounds with a product and a sum in each, and one more sum for the leg of 5 km.",
)
graphs = partial(
    lesson.predict,
    "1,000 random readings, around 0 and mostly between -2 and 2. How many different graphs do "
    "they leave?",
    23,
    choices=[1, 2, 12, 23, 46, 1000],
    mistakes={
        1: "It is one function, but the path through it depends on the reading.",
        2: "The condition at the end has two answers, but how often does the loop run?",
        12: "The loop runs 9 to 17 times, or more: so that was counted. And the signs?",
        46: "That is every length twice, once for each sign. Do all lengths occur with both?",
        1000: "Readings with the same number of doublings and the same sign share their graph.",
    },
    hint="The loop runs 9 to 17 times for most readings, and rarely more often. For how many of "
    "these lengths do both signs occur?",
    because="From 9 to 19 doublings occur with both signs, which makes 22; 21 with one sign only.",
)
replays = partial(
    lesson.predict,
    "For how many of the 1,000 readings is the replay wrong?",
    "more than 800",
    choices=["none", "about 20", "about half", "more than 800"],
    mistakes={
        "none": "The recording always doubles as often as it did for 1.0.",
        "about 20": "That is how many graphs there are. How many readings have just this one?",
        "about half": "The negative ones, yes. But how often are the positive ones doubled?",
    },
    hint="It is right only for readings that are doubled 10 times and are not negative.",
    because="All readings that are not doubled 10 times, and all negative ones.",
)
kink = partial(
    lesson.predict,
    "At x = 2, nudging to the left gives the slope 4, and nudging to the right gives 0. What does "
    "backward() say there?",
    "it depends on the line that clips",
    choices=["always 4", "always 0", "always the mean", "it depends on the line that clips"],
    mistakes={
        "always 4": "That is the slope on one side. Is there a reason to prefer that side?",
        "always 0": "That is the slope on the right. Is there a reason to prefer that side?",
        "always the mean": "The mean is the slope of neither side. Must everything choose it?",
    },
    hint="backward() asks each operation for its own local slope. Here there is no right one.",
    because="clamp takes the slope on the left, minimum the mean. In where your condition decides.",
)
threshold = partial(
    lesson.predict,
    "What is t.grad after one step with the hard rule?",
    "None",
    choices=["a negative number", "0", "None"],
    mistakes={
        "0": "A 0, too, would have to arrive at t. Along which path could it come?",
        "a negative number": "Then t would be used, and a path would lead to it. Which operation "
        "has the value of t as an input?",
    },
    hint="Which operation has t as an input? Is a comparison one that leaves a node?",
    because="t was only compared. A comparison has no node, so no path leads to t.",
)
untold = partial(
    lesson.predict,
    "The optimizer was told of the rate only. What is per_suitcase now, after 100 steps?",
    0,
    mistakes={
        2: "That is the true price. Who would have moved the number there?",
        50: "That is the step from which on it is used.",
    },
    hint="A gradient arrives at it. But who moves a number along its gradient?",
    because="It got gradients, but nobody stepped along them.",
)
terms = partial(
    lesson.predict,
    "How many different numbers of extra terms occur in 3,000 runs of it?",
    3,
    mistakes={
        2: "So the tutorial says. Which numbers can randint(4, 6) give, both ends included?",
        1: "randint gives different numbers, so range has different lengths.",
        3000: "Each run draws anew, but from only a few numbers.",
        5: "That is the highest power. How many extra terms can one run have?",
        6: "That is where range ends at most. How many extra terms can one run have?",
    },
    hint="randint(4, 6) is 4, 5 or 6. What is in range(4, 4)?",
    because="None, one or two: range(4, 4) is empty, then come the fourth and the fifth power.",
)
both_rules = partial(
    lesson.predict,
    "y = x * x; then, if y > 10, y = y - x. At x = 5 y.backward() is called. What is x.grad?",
    9,
    mistakes={
        10: broke("add", "That comes through x * x alone. The second line uses x once more."),
        11: "What does y - x send to x: is it +1?",
        4: broke("add", "x * x uses x twice, and something comes back from each use."),
        20: "That is the value of y.",
        -1: broke("add", "That comes through the second line only. Another path leads to x."),
    },
    hint="y is 25 at first, so both lines run. Which slope does each of them contribute?",
    because="Both lines run: x * x gives 2 · 5 = 10, and - x gives -1. They add up.",
)


def both_paths(mine: Any = ...) -> Any:
    a, b = (torch.tensor(v, requires_grad=True) for v in (3.0, 1.0))
    e = (a + b) * (b + 1)
    return lesson.predict(
        "e = (a + b) * (b + 1) with a = 3, b = 1. What is b.grad after e.backward()?",
        lesson.engines.gradients(e, b)[0].item(),
        mistakes={
            **lesson.engines.mistakes(e, b),
            2: broke("add", "That comes through a + b only. Another path leads to b."),
            4: broke("add", "That is a + b, what b + 1 was multiplied by. Is b used only there?"),
            8: broke("add", "Those are the two parts, multiplied. What happens where paths meet?"),
            1: broke("multiply", "That is the slope of b + 1 alone. What was it multiplied by?"),
            3: broke("multiply", "b + 1 sends a product: which number was it multiplied by?"),
        },
        hint="Two paths lead to b, one through a + b and one through b + 1.",
        because="One part comes through a + b, the other through b + 1: they add up.",
        mine=mine,
    )


visits = partial(
    lesson.predict,
    "y = y + y, 20 times in a row. How many nodes does y.backward() visit, not counting the "
    "AccumulateGrad at the leaf?",
    20,
    mistakes={
        2**20: broke("wait", "Those are the paths: two ways at each addition. Is each one walked?"),
        40: "Each node has two edges, but how often is it visited?",
        1: "That is the last one. The others wait behind it.",
        21: "That is with AccumulateGrad, which the question leaves out.",
    },
    hint="How many additions ran?",
    because="Each addition is visited once, after all that arrives there has arrived.",
)
unrecorded = partial(
    lesson.predict,
    "x = torch.tensor(2.0). How many nodes does x * x leave?",
    0,
    mistakes={
        1: broke("record", "So many it would leave if x required a gradient. Does it?"),
        2: broke("record", "Inputs are no operations. And does x require a gradient?"),
    },
    hint="Who said that x requires a gradient?",
    because="No input requires a gradient, so nothing is recorded.",
)
