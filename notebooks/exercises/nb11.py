"""What notebook 11 asks. Its exercises: ``nb11_judges``, ``nb11_checks``; its runs: ``nb11_runs``.

Here, and not in the cells, so that nobody reads an answer before giving one.
"""

from __future__ import annotations

from functools import partial

from minigrad import lesson
from minigrad.lesson import broke

from .nb11_checks import checker, own
from .nb11_judges import kinks, scaled, show_chosen, show_kinks, softplus, straight

__all__ = [
    "checker",
    "kinks",
    "own",
    "scaled",
    "show_chosen",
    "show_kinks",
    "softplus",
    "straight",
]

# ------------------------------------------------------------------------------- rounded fares

what_arrives = partial(
    lesson.predict,
    "The fares are rounded by torch.round. What is rate.grad after backward()?",
    "0",
    choices=["None", "0", "a number other than 0"],
    mistakes={
        "None": broke(
            "record", "torch.round is an operation, and it is recorded. Something does arrive."
        ),
        "a number other than 0": "Nudge the rate a little, by a millionth. What becomes of a "
        "rounded fare?",
    },
    hint="A rounded number stays where it is while its input moves a little. How steep is that?",
    because="Between its jumps a rounded number does not move at all, so its slope is 0, and 0 "
    "times anything is 0.",
)

still_learns = partial(
    lesson.predict,
    "On the way back, this rule pretends that rounding has the slope 1. What becomes of the rate?",
    "the rate moves towards 3",
    choices=["the rate moves towards 3", "the rate stays at 2", "the rate moves away from 3"],
    mistakes={
        "the rate stays at 2": "It stayed because a 0 arrived. What arrives now?",
        "the rate moves away from 3": broke(
            "direction",
            "A larger rate makes each fare larger, rounded or not. Does the claim have the right "
            "sign?",
        ),
    },
    hint="On the whole, a rounded number follows its input. In which direction do the steps go "
    "when this is taken for the slope?",
    because="The claim is wrong at each single point, and right over a longer way: a rounded fare "
    "grows by 1 where the fare does.",
)

sent_back = partial(
    lesson.predict,
    "price = 10 * Cube.apply(x), and x is 2. What does the rule of the cube send back to x?",
    120,
    mistakes={
        12: "That is the local slope at 2. What arrives at the cube?",
        10: broke("local", "That is what arrives at the cube. What does the cube make of it?"),
        80: "That is the price. What is asked for is a slope.",
        60: "That is 10 · 3 · 2. Look at the slope of the cube again.",
        40: "That is 10 · 2². Is 2² the slope of the cube at 2?",
        1200: broke("multiply", "The 10 stands once on the path."),
    },
    hint="First say what arrives at the cube, and then how steep the cube is at 2.",
    because="10 arrives, the slope is 3 · 2² = 12, and the rule multiplies the two.",
)

one_for_three = partial(
    lesson.predict,
    "A tensor of three numbers goes into a rule. Its backward() adds up the three gradients, and "
    "returns the one sum. What comes of it?",
    "an error",
    choices=["each number gets the sum", "an error", "the first number gets the sum"],
    mistakes={
        "each number gets the sum": broke(
            "shape", "On the way forward, shapes may be stretched. May a gradient be?"
        ),
        "the first number gets the sum": broke("shape", "Who would say which of them is meant?"),
    },
    hint="A gradient has the shape of its tensor. Does the engine know that shape?",
    because="A gradient has the shape of its tensor. The engine knows the shape that went in, and "
    "compares.",
)

# ------------------------------------------------------------------------------- the check

who_stays_away = partial(
    lesson.predict,
    "Cube says 3x², and Forgot 3x. A training run with each of them starts at 1.5 and looks for "
    "2, and another one starts at −1.5 and looks for −2. Which of the four does not arrive?",
    "Forgot from −1.5",
    choices=["all arrive", "Cube from −1.5", "Forgot from 1.5", "Forgot from −1.5"],
    mistakes={
        "all arrive": "In section 1 a slope of the wrong sign led away. Which sign does each rule "
        "have at each start?",
        "Cube from −1.5": "The slope of x³ is that of this rule, at each x.",
        "Forgot from 1.5": "There it says 4.5 instead of 6.75. Does that change the direction of a "
        "step?",
    },
    hint="At both starts, compare the signs of what the two rules say.",
    because="3x has the right sign at 1.5 and the wrong one at −1.5.",
)

passes_at_one = partial(
    lesson.predict,
    "The rule of the cube says 3x where it should say 3x². gradcheck compares it with a nudge, "
    "first at x = 1 and then at x = 2. What does it say?",
    "it passes at 1 only",
    choices=["it passes at both", "it passes at 1 only", "it passes at 2 only", "two errors"],
    mistakes={
        "it passes at both": "Work out 3x and 3x² at each of the two points.",
        "it passes at 2 only": "Work out 3x and 3x² for x = 2.",
        "two errors": "Work out 3x and 3x² at each of the two points. Do they always differ?",
    },
    hint="gradcheck reports a rule where its number is not that of the nudge, and nowhere else.",
    because="At x = 1 both are 3, and at x = 2 they are 6 and 12. A check at one point knows "
    "nothing of the others.",
)

without_g = partial(
    lesson.predict,
    "backward() of this rule returns 3 * x**2, with the right slope and without g. gradcheck looks "
    "at it at x = 2. What does it report?",
    "something other than the slope",
    choices=[
        "nothing: the rule passes",
        "two slopes that differ",
        "something other than the slope",
    ],
    mistakes={
        "nothing: the rule passes": "As long as a 1 arrives, nobody sees that g is missing. What "
        "else could a careful check let arrive?",
        "two slopes that differ": "Where a 1 arrives, this rule sends back 12. Which slope does a "
        "nudge find at 2?",
    },
    hint="Which number has to come out when nothing, that is a 0, arrives?",
    because="A second pass lets 0 arrive. A rule that multiplies sends back 0, and this one 12.",
)

on_purpose = partial(
    lesson.predict,
    "RoundStraight of section 1 is wrong on purpose. What does gradcheck say about it at 2.6?",
    "a mismatch",
    choices=["the rule passes", "a mismatch", "that it is wrong on purpose"],
    mistakes={
        "the rule passes": "Nudge 2.6 by a millionth: what becomes of the rounded number? And what "
        "does the rule claim?",
        "that it is wrong on purpose": "It sees numbers. Can it see what you meant by them?",
    },
    hint="Write down the slope that a nudge finds, and the slope that the rule pretends.",
    because="The nudge says 0 and the rule 1. What you meant stands in no number.",
)

borrowed = partial(
    lesson.predict,
    "Two rules round to whole euros, and in both a comment says that the slope of x is borrowed. "
    "One returns g, the other g * x. gradcheck reports both at 2.6. Which of them is a mistake?",
    "the one with g * x",
    choices=["neither", "the one with g", "the one with g * x", "both"],
    mistakes={
        "neither": "A comment alone proves nothing. What does each rule send back where 1 arrives?",
        "the one with g": "How steep is x itself? Compare that with what this rule sends back.",
        "both": "gradcheck compares with the staircase. With what is a borrowed slope compared?",
    },
    hint="Compare each rule with the slope of the function that its comment names.",
    because="x has the slope 1. At 2.6 the rule with g * x sends back 2.6 where 1 arrives: that "
    "fits neither the staircase nor what the comment names.",
)

best_step = partial(
    lesson.predict,
    "In float32 a number has about seven digits. The slope of x³ at 0.7 is measured with a nudge "
    "of h up and down. With which h does it come nearest? (1e-07 is a ten-millionth.)",
    0.001,
    choices=[0.1, 0.001, 1e-7],
    mistakes={
        1e-7: "The two values then agree in nearly all of their seven digits. What is left "
        "when one is taken from the other?",
        0.1: "The curve bends on the way. With a smaller nudge that error shrinks by its square.",
    },
    hint="Two errors work against each other: the curve bends within a large nudge, and digits "
    "are lost within a small one.",
    because="A larger nudge sees the curve bend, and a smaller one loses the digits in which the "
    "two values differ.",
)

too_steep = partial(
    lesson.predict,
    "A rule of the cube returns g * 3.002 * x**2. gradcheck looks at it at 1.7 and at −0.3, first "
    "as it is, and then with rtol=1e-6. What does it say?",
    "it passes the first time only",
    choices=[
        "it passes both times",
        "it passes the first time only",
        "it passes the second time only",
        "two errors",
    ],
    mistakes={
        "it passes both times": "By which share of 3 is 3.002 too large? Compare it with rtol.",
        "it passes the second time only": "Does a smaller rtol let more pass, or less?",
        "two errors": "By which share of 3 is 3.002 too large? And which share may it be?",
    },
    hint="Work out 0.002 / 3, and hold it against each of the two values of rtol.",
    because="3.002 is too large by less than a thousandth and by more than a millionth.",
)

at_a_kink = partial(
    lesson.predict,
    "abs has no slope at 0: it is −1 on the left and 1 on the right. What does gradcheck say about "
    "it at 0?",
    "it passes",
    choices=["it passes", "an error with two numbers", "that there is no slope"],
    mistakes={
        "an error with two numbers": "gradcheck nudges to the left and to the right, and so "
        "finds the mean of both slopes. What is it here? And which number does abs give?",
        "that there is no slope": "It only computes two numbers, and compares them.",
    },
    hint="Work out (|h| − |−h|) / 2h.",
    because="The mean of −1 and 1 is 0, and 0 is the number that the libraries have chosen.",
)

not_zero = partial(
    lesson.predict,
    "At which of the five points does backward() give a number other than 0?",
    "C and D",
    choices=["nowhere", "A and C", "C and D", "C and E", "A, C, D and E"],
    mistakes={
        "nowhere": "At one of them the curve is infinitely steep. What could a rule return there?",
        "A and C": "Of A you have seen the number already: gradcheck named it.",
        "C and E": "What did rounded fares get back in section 1, even at a jump?",
        "A, C, D and E": "Of A gradcheck has named the number. And what did rounded fares get?",
    },
    hint="Go through them one by one: relu from the cell above, x * |x| from its two sides, "
    "floor as round in section 1.",
    because="The root gives infinity. And clamp counts the end of its range as inside, so it lets "
    "through what arrives: 1.",
)

masked = partial(
    lesson.predict,
    "y = torch.where(x > 0, torch.sqrt(x), 0 * x), and x is 0, so that where takes 0 * x. Which "
    "gradient does x get?",
    "nan",
    choices=["0", "inf", "nan"],
    mistakes={
        "0": "where passes a 0 to the branch that it did not take. What does the rule of the root "
        "multiply that by?",
        "inf": broke(
            "multiply", "That is the slope of the root alone. What does torch.where pass to it?"
        ),
    },
    hint="Two numbers are multiplied at the root: what where passes to a branch that it did not "
    "take, and a slope that is infinite.",
    because="0 arrives at the root, its slope is infinite, and 0 times infinity is no number. "
    "where chooses among results, and both branches have run.",
)

# ------------------------------------------------------------------------------- earlier lessons

shape_back = partial(
    lesson.predict,
    "x has the shape (4, 3), and y = x.sum(0) has the shape (3,). A g of the shape (3,) arrives. "
    "How many numbers does the rule of sum send back?",
    12,
    mistakes={
        3: broke("shape", "So many arrive. What is the shape of the tensor that they go to?"),
        4: broke("shape", "A gradient is wanted for each number of x."),
        1: broke("shape", "A gradient is wanted for each number of x."),
    },
    hint="A gradient has the shape of its tensor.",
    because="4 · 3 numbers, each row a copy of g.",
)
saved_input = partial(
    lesson.predict,
    "y = torch.exp(x) and z = torch.sin(x). Which of the results may be written over before "
    "backward()?",
    "z only",
    choices=["y only", "z only", "both", "neither"],
    mistakes={
        "y only": "The slope of exp at x is exp(x). From what is it most easily worked out?",
        "both": "One of the slopes is the result itself, which is kept for the way back.",
        "neither": "One of the slopes needs only the input.",
    },
    hint="Write down both slopes. In which of them does the result itself occur?",
    because="The slope of exp is its result, which is saved; the slope of sin is cos(x).",
)
over_two_paths = partial(
    lesson.predict,
    "y = w * w * w with w = 2, written as two products. What is the gradient of w?",
    12,
    mistakes={
        4: broke("add", "That is what arrives in one of the three places in which w stands."),
        8: broke("add", "Three places use w. What arrives in each?"),
        6: broke("multiply", "Along each path the local slopes are multiplied."),
    },
    hint="w stands in three places. What is y's slope, seen from each?",
    because="4 arrives in each of the three places, and they are added.",
)

# ----------------------------------------------------------------------------- without a picture

on_paper = partial(
    lesson.predict,
    "On paper: the rule of a Function returns g * 2 where the true local slope is 5. Later "
    "in the graph stand y = 3 * f(x) and loss = y ** 2, with y = 4. What arrives at x?",
    48,
    mistakes={
        120: "So it would be with the true slope. What does this rule do?",
        6: broke("multiply", "The slope of the square, 2y, is on the path as well."),
        24: broke("multiply", "Is the factor 3 on the path?"),
        16: broke("multiply", "Is the factor 3 on the path?"),
        2: broke("multiply", "That is what the rule does alone. What arrives there?"),
    },
    hint="From the loss backwards: 2 · y, then 3, and then what the rule does.",
    because="2 · 4 = 8 arrives at y, 8 · 3 = 24 at f, and the rule makes 48 of it. Nothing checks "
    "a rule but you.",
)
