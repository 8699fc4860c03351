"""What notebook 02 asks; its exercises and its instruments are beside it."""

from __future__ import annotations

from functools import partial

from minigrad import lesson

from .nb02_exercises import (
    LINES,
    local_slopes,
    no_picture,
    order,
    own_backward,
    own_program,
    puzzles,
    slope,
    ten,
)
from .nb02_measuring import (
    by_algebra,
    error,
    grads,
    leaves,
    nudged,
    per_nudge,
    plot,
    travel,
    visits,
)

__all__ = [
    "LINES",
    "by_algebra",
    "error",
    "grads",
    "leaves",
    "local_slopes",
    "no_picture",
    "nudged",
    "order",
    "own_backward",
    "own_program",
    "per_nudge",
    "plot",
    "puzzles",
    "slope",
    "ten",
    "travel",
    "visits",
]

# ----------------------------------------------------------------------- the first sitting

whom = partial(
    lesson.poll,
    "An article prints 4 as the gradient of b, and minigrad says 15. Whom do you believe?",
    ["the article", "minigrad, whatever it prints", "neither, before it has been tested"],
    because="Programs have bugs and articles have misprints. What decides is a test, and better "
    "two tests that share nothing.",
)

downwards = partial(
    lesson.predict,
    "Upwards, a nudge by 0.01 gave −17.91 times the nudge. What will a nudge downwards give?",
    "about −18.09 times the nudge",
    choices=[
        "again −17.91 times the nudge",
        "exactly −18 times the nudge",
        "about −18.09 times the nudge",
    ],
    mistakes={
        "again −17.91 times the nudge": "That would be so if the loss were a straight line.",
        "exactly −18 times the nudge": "That would be so if the loss were straight to the left "
        "of 2.",
    },
    hint="The loss is (3 · rate − 9)². Is this curve steeper to the left of rate 2, or to the "
    "right?",
    because="The curve gets flatter on its way down to rate 3. So a step to the right is a little "
    "too flat, and a step to the left is too steep by as much.",
)

way_back = partial(
    lesson.predict,
    "At the loss stands 1. Which grads will then stand at error, fare, ride and rate? "
    "Four numbers, in this order.",
    [-6, -6, -6, -18],
    mistakes={
        (-6, 1, 1, 3): lesson.broke(
            "multiply",
            "Those are the local slopes. On the way back, each is multiplied by what has come "
            "back so far.",
        ),
        (3, 3, 3, -18): lesson.broke(
            "direction",
            "You walked from the rate to the loss. Those products say how each value moves when "
            "the rate moves. Start at the loss.",
        ),
        (-6, -5, -4, -1): lesson.broke("multiply", "You added the local slopes on the way."),
        (-3, -3, -3, -9): lesson.broke(
            "local", "The local slope of a square is twice the value that is squared."
        ),
        (6, 6, 6, 18): lesson.broke("local", "The error is −3, so look at the sign of 2 · error."),
        (-54, -54, -54, -162): "You began with the loss itself, 9. The way back begins with 1.",
        (1, -6, -6, -18): lesson.broke(
            "multiply", "The 1 stands at the loss. The four grads begin at error."
        ),
        -18: "Four numbers are wanted, one for each value on the way back.",
        -6: "Four numbers are wanted, one for each value on the way back.",
        (-18, -18, -18, -18): "Only the last visit, the one of rate * 3, multiplies by 3.",
    },
    hint="Begin with 1. Going back through error ** 2 multiplies it by 2 · (−3). Which local "
    "slopes come next?",
    because="1 · (−6) = −6 at error, then · 1 = −6 at fare, · 1 = −6 at ride, and · 3 = −18 at "
    "rate.",
)

at_another_rate = partial(
    lesson.predict,
    "The rate is 2.5 now, so the ride is 7.5, the fare 11.5, and the error −1.5. What is the "
    "gradient of the rate?",
    -9.0,
    mistakes={
        -18.0: lesson.broke(
            "local", "That belongs to rate 2. One of the four local slopes has changed."
        ),
        -3.0: lesson.broke("multiply", "That stands at error. Go on, to the rate."),
        9.0: lesson.broke("local", "Look at the sign of the error."),
        -4.5: lesson.broke(
            "local", "The local slope of a square is twice the value that is squared."
        ),
        2.25: "That is the loss itself, not how it moves.",
    },
    hint="Three local slopes are as before: 3, 1 and 1. The fourth is 2 · error.",
    because="3 · 1 · 1 · (2 · −1.5) = 3 · (−3) = −9. Half the error, half the gradient.",
)

# ---------------------------------------------------------------------- the second sitting

which_way = partial(
    lesson.predict,
    "After the visit of fare = ride + 4, backward() shows −6 at ride. Which derivative is that?",
    "how the loss moves when ride moves",
    choices=[
        "how ride moves when the loss moves",
        "how the loss moves when ride moves",
        "how fare moves when ride moves",
    ],
    mistakes={
        "how ride moves when the loss moves": lesson.broke(
            "direction", "Which of the two can you nudge, and which of the two do you then watch?"
        ),
        "how fare moves when ride moves": lesson.broke(
            "multiply",
            "That is the local slope of one operation, and it is 1. Where does the walk begin?",
        ),
    },
    hint="Follow a nudge of the program. It enters at one place, and you read what comes out at "
    "another. At which place does it enter, if the number that you want stands at ride?",
    because="The gradient of a value says how the loss moves when that value moves.",
)

long_path = partial(
    lesson.predict,
    "The long ride is 5 km, and its error is −5. What is the product of the local slopes along "
    "the path through it?",
    -50.0,
    mistakes={
        50.0: lesson.broke("local", "The error is −5: look at the sign."),
        -25.0: lesson.broke(
            "local", "The local slope of a square is twice the value that is squared."
        ),
        -30.0: lesson.broke("local", "This ride is 5 km long, not 3."),
        -10.0: lesson.broke("multiply", "That is the local slope of the square alone."),
        -18.0: "That belongs to the short ride.",
        25.0: "That is the squared error, not how it moves.",
    },
    hint="The operations are rate * 5, + 4, − 19 and the square. What is the local slope of each?",
    because="5 · 1 · 1 · (2 · −5) = 5 · (−10).",
)

two_paths = partial(
    lesson.predict,
    "Through the short ride the product is −18, and the long ride adds a path of its own. "
    "What is rate.grad?",
    -68.0,
    mistakes={
        -50.0: lesson.broke("add", "That is one of the two paths. The other one counts as well."),
        -18.0: lesson.broke("add", "That is one of the two paths. The other one counts as well."),
        -34.0: lesson.broke("add", "That is the mean. Nothing in the program divides by two."),
        900.0: lesson.broke("add", "One multiplies along a path, not across two paths."),
        -32.0: lesson.broke("add", "That is the difference of the two."),
    },
    hint="Nudge the rate by 0.01. One squared error falls by about 0.18 and the other by about "
    "0.50. By how much does their sum fall?",
    because="The loss is the sum of both squared errors, so both movements add up: −18 − 50.",
)

audit_b = partial(
    lesson.predict,
    "Two paths lead from b to e. What is the product of the local slopes along the path through "
    "c, and what along the path through d? Two numbers, in this order.",
    [7, 8],
    mistakes={
        (8, 7): lesson.broke(
            "local", "When c moves by 0.01 and d stands still, by what is this multiplied?"
        ),
        (1, 1): lesson.broke(
            "multiply", "Those are the slopes of the two additions. Each path goes on to e."
        ),
        (8, 8): lesson.broke("local", "One of them is right. Whose local slope is the other?"),
        (7, 7): lesson.broke("local", "One of them is right. Whose local slope is the other?"),
        (7.5, 7.5): "Nothing shares the gradient out: each path has a product of its own.",
        (15, 15): lesson.broke("add", "That is what a nudge of b finds: both paths together."),
        15: "Two numbers are wanted, one for each path.",
        56: "Two numbers are wanted, one for each path.",
        7: "Two numbers are wanted, one for each path.",
        8: "Two numbers are wanted, one for each path.",
        (11, 4): "Together they make what the nudge finds. But is each of them a product?",
        (56, 7): lesson.broke("multiply", "56 is e itself. How far does it move with c?"),
    },
    hint="The local slopes of both additions are 1. What are those of e = c * d, for c and for d?",
    because="Through c: 1 · 7 = 7. Through d: 1 · 8 = 8. They meet at b: 7 + 8 = 15.",
)

# ------------------------------------------------------------------------ the third sitting

twice_used = partial(
    lesson.predict,
    "An engine overwrites what has arrived instead of adding to it. What does it find as the "
    "gradient of x in x + x?",
    1.0,
    mistakes={
        2.0: "That is the right gradient, and this engine is wrong: it drops an arrival.",
        0.0: "The last arrival stays.",
    },
    hint="The addition sends one number along each of its two edges, and both edges come from x. "
    "Which of the two numbers is left?",
    because="Each of the two edges carries 1. Adding gives 2; overwriting keeps one of the two.",
)

too_early = partial(
    lesson.predict,
    "y = (x²)² + (x²)² at x = 2 has the derivative 64. What comes out if the node of s = x² is "
    "visited once, but too early, when only one of two equal grads has arrived?",
    32.0,
    mistakes={
        64.0: lesson.broke(
            "wait", "That is the true derivative, but here a part has not arrived yet."
        ),
        0.0: "One of the two has arrived by then.",
        128.0: lesson.broke("wait", "For that, the node would be visited more than once."),
        96.0: lesson.broke("wait", "For that, the node would be visited twice."),
        16.0: "Two grads are on their way to s, not four.",
    },
    hint="What a node passes on grows in proportion to what has arrived there.",
    because="Half of what should arrive at s has arrived, so half of 64 is passed on. The other "
    "half comes too late.",
)

paths_or_visits = partial(
    lesson.predict,
    "y = y + y runs 20 times. How many visits of nodes does backward() need?",
    20,
    mistakes={
        40: "Each node has two edges, but it is visited once.",
        2**20: "That is the number of paths. Paths share nodes.",
        21: "The leaf is no operation: it is not visited, a gradient lands there.",
        1: "Each of the additions that ran has left a node of its own.",
    },
    hint="How many nodes do the additions leave, and how often is each of them visited?",
    because="One visit for each of the 20 nodes, whatever the number of paths.",
)

after_backward = partial(
    lesson.predict,
    "The taxi's graph has 4 nodes. backward() has run. How many nodes does it have now?",
    4,
    mistakes={
        0: "They stay as long as loss does. What they had saved is gone.",
        8: "backward() visits nodes; it makes none.",
        5: "backward() visits nodes; it makes none.",
    },
    hint="Which operations of the program ran, and did any of them run again in backward()?",
    because="The graph was made in the forward pass. backward() walks it and adds nothing.",
)

who_keeps = partial(
    lesson.predict,
    "backward() has run. Which of these tensors have a number in .grad?",
    "rate",
    choices=["rate, ride, fare, error and loss", "rate and loss", "rate", "ride, fare and error"],
    mistakes={
        "rate, ride, fare, error and loss": "A grad has passed through all five. Which of them "
        "is a leaf?",
        "rate and loss": "backward() starts at loss with 1, but who needs this 1 later?",
        "ride, fare and error": "Those are results: for them the grad was needed on the way only.",
    },
    hint="Whoever trains wants to change the leaves. Gradients of results would only fill memory.",
    because="Leaves keep their gradient; that of a result is passed on and forgotten.",
)

second_call = partial(
    lesson.predict,
    "The program runs once more, and then backward(). Nothing has been cleared. What is "
    "rate.grad now?",
    -36.0,
    mistakes={
        -18.0: lesson.broke("accumulate", "The second pass did not replace what the first left."),
        0.0: "No pass takes anything away.",
        324.0: "Two passes are not multiplied.",
    },
    hint="The second pass finds −18 as well, and .grad is not empty when it lands there.",
    because="backward() adds to .grad: −18 was there, and −18 came.",
)

not_cleared = partial(
    lesson.predict,
    "The loop takes steps by 0.05 times the gradient, but no line clears rate.grad. What will the "
    "rate do?",
    "swing around 3",
    choices=["reach 3 just the same", "reach 3 faster", "swing around 3"],
    mistakes={
        "reach 3 just the same": lesson.broke(
            "accumulate", "In the second step, .grad holds two gradients, not one."
        ),
        "reach 3 faster": "It does come to 3 faster. What does .grad hold when it is there?",
    },
    hint="When the rate has come to 3, the new gradient is 0. But .grad still holds the sum of "
    "the old ones, and the next step uses it.",
    because="The old gradients keep on pushing when the rate is at 3 already; so it runs past, "
    "until new gradients of the other sign have made up for them.",
)

# --------------------------------------------------------------- about notebooks 00 and 01

better_move = partial(
    lesson.predict,
    "A loss has two parameters. The gradient of p is 2, and that of q is −50. Which of these "
    "moves, each by 0.001, lowers the loss most?",
    "q a little up",
    choices=["p a little up", "p a little down", "q a little up", "q a little down"],
    mistakes={
        "p a little up": lesson.broke("direction", "With this one the loss rises."),
        "q a little down": lesson.broke("direction", "With this one the loss rises."),
        "p a little down": "The loss falls, but only by 0.002.",
    },
    hint="For each of the four, multiply the gradient by the move, with its sign.",
    because="−50 times 0.001 is −0.05. The best that p can do is −0.002.",
)

still_a_leaf = partial(
    lesson.predict,
    "total = torch.tensor(0.0) is a leaf. Then total = total + rate runs, where rate requires a "
    "gradient. Does the name total still belong to a leaf?",
    "no, it belongs to a result",
    choices=[
        "yes, since it was made as a leaf",
        "yes, since only rate requires a gradient",
        "no, it belongs to a result",
    ],
    mistakes={
        "yes, since it was made as a leaf": lesson.broke(
            "leaf", "A tensor was. Is it the one that the name belongs to now?"
        ),
        "yes, since only rate requires a gradient": lesson.broke(
            "record", "One input that requires it is enough."
        ),
    },
    hint="Which operation ran, is it recorded, and what does the name total stand for afterwards?",
    because="The addition is recorded, because rate requires a gradient, and the name stands for "
    "its result. The old tensor is a leaf as before, without a name.",
)

run_twice = partial(
    lesson.predict,
    "rate requires a gradient, and the line fare = rate * 3 + 4 runs twice. How many nodes has "
    "it made altogether?",
    4,
    mistakes={
        1: lesson.broke("record", "A node stands for one operation that ran, not for a line."),
        2: lesson.broke(
            "record", "How many operations stand in the line, and how often do they run?"
        ),
        8: "The two plain numbers leave no nodes.",
        6: "Count signs: a leaf and a plain number are no operations.",
        0: lesson.broke("record", "Its inputs depend on rate, which requires a gradient."),
    },
    hint="One time, a multiplication and an addition run. And the second time?",
    because="Two operations ran, two times each, and each execution leaves a node of its own.",
)
