"""What notebook 12 asks. What it runs is in ``nb12_runs``, and each exercise in a file of its own.

Here, and not in the cells, so that nobody reads an answer before giving one.
"""

from __future__ import annotations

from functools import partial

from minigrad import lesson
from minigrad.lesson import broke

from .graphs import nodes
from .nb12_most_curved import most_curved, most_curved_for
from .nb12_newton import newton, newton_for
from .nb12_own_start import own
from .nb12_product import product, product_for
from .nb12_recorded_step import after, after_for
from .nb12_second import second

__all__ = [
    "after",
    "after_for",
    "most_curved",
    "most_curved_for",
    "newton",
    "newton_for",
    "nodes",
    "own",
    "product",
    "product_for",
    "second",
]

# ------------------------------------------------------------------------------- curvature

how_long = partial(
    lesson.predict,
    "With the learning rate 0.05 the loss falls at once. From about which learning rate on does it "
    "grow from step to step?",
    "0.09",
    choices=["0.06", "0.09", "0.5", "never"],
    mistakes={
        "never": "In lesson 05, steps twice as long led to nan. What was wrong with them?",
        "0.06": "With 0.05 a step of 1.1 leads from 2 to 3.1. How far may a step lead beyond "
        "3, so that the next one is not longer?",
        "0.5": "With 0.5 the first step is 11, from 2 to 13. Is the error larger there?",
    },
    hint="From the rate 2 the goal is 1 away, and the slope is −22. A step of 2 leads just as far "
    "to the other side.",
    because="A step of 22 · lr leads from 2 to the other side of 3. It is as far away there if the "
    "step is 2, so with lr = 2 / 22.",
)

which_option = partial(
    lesson.predict,
    "A gradient can be differentiated only if it has a history. Which option of "
    "torch.autograd.grad gives it one?",
    "create_graph=True",
    choices=["retain_graph=True", "create_graph=True", "neither is needed"],
    mistakes={
        "retain_graph=True": "It keeps what the old graph has saved, so that it can be walked "
        "again. Does it record anything new?",
        "neither is needed": "The backward pass ran in each step of lesson 05. If each of them "
        "had been recorded, what would that have cost, and for what?",
    },
    hint="One of the two keeps a graph, the other makes one.",
    because="With it, the operations of the backward pass are recorded like any others.",
)

how_many_more = partial(
    lesson.predict,
    "The loss has 5 nodes: a product, an addition, a difference, a square and a mean. With "
    "create_graph=True, how many nodes does the graph of its gradient have?",
    "between 5 and 10",
    choices=["none", "between 5 and 10", "25"],
    mistakes={
        "none": "A tensor with no node behind it cannot be differentiated, and a moment ago it "
        "was.",
        "25": "Each node is visited once only. How many operations is its rule made of?",
    },
    hint="How many visits are there, and how many operations is a rule made of?",
    because="The backward pass visits each of the 5 nodes once, and each rule is an operation or "
    "two. Nodes of the forward pass whose values the rules need are behind it, too.",
)

# ---------------------------------------------------------------------------- Newton's method

where_to = partial(
    lesson.predict,
    "The curve x⁴ − 2x² has its lowest points at −1 and 1, and a hilltop at 0. Newton's method "
    "starts at 0.3. Where does it end?",
    "at 0",
    choices=["at 1", "at 0", "at -1"],
    mistakes={
        "at 1": "Gradient descent would go there: its step is always downhill. Here the slope is "
        "divided by the curvature, which is below 0 at the start.",
        "at -1": "It is a long way, past the hilltop. In which direction is the first step, and "
        "how long is it?",
    },
    hint="At 0.3 the slope is −1.09 and the curvature −2.92. Work out the step.",
    because="It looks for a place where the slope is 0, and a hilltop is one.",
)

# ----------------------------------------------------------------------------- many numbers

how_many_entries = partial(
    lesson.predict,
    "The table of the taxi's two numbers has 4 entries. How many has the table of the network's "
    "2,410 parameters?",
    "about 6 million",
    choices=["2,410", "4,820", "about 3 million", "about 6 million"],
    mistakes={
        "2,410": "That is the number of slopes. Each of them moves with each parameter.",
        "4,820": "The taxi has 2 · 2 entries, and not only 2 + 2. Which rows has this table, and "
        "how long is each of them?",
        "about 3 million": "That is each pair once. How often is the 6 in the taxi's table?",
    },
    hint="They fill a square: a row for each slope, and in it an entry for each parameter.",
    because="2,410 · 2,410 = 5,808,100.",
)

how_many_passes = partial(
    lesson.predict,
    "A row of the Hessian says how one slope moves with each number. How many backward passes does "
    "it take to get the Hessian times one direction, without making the table?",
    2,
    mistakes={
        0: "Without a pass there is no slope, and none that could move.",
        3: "What would the third of them compute?",
        2410: "That is one pass for each row, and so the whole table. Is it needed?",
        2411: "One recorded pass, and one for each row: that is the whole table. Is it needed?",
        1: "One pass gives the slopes where you stand. How is it known how they move?",
        5808100: "A backward pass gives all slopes of one number at once.",
    },
    hint="How the slopes move in a direction is the slope of one single number. Which one?",
    because="One pass for the slopes, recorded; then one for the sum of slope times direction.",
)

power_method = partial(
    lesson.predict,
    "On paper: the Hessian of two numbers is the table [[6, 0], [0, 2]], so it makes (6a, 2b) of "
    "the direction (a, b). Start from (1, 1), and take three products, each of what the one before "
    "has made. How many times as large as b is a then?",
    27,
    mistakes={
        3: "That is the answer after one product. The next one starts from what came out.",
        9: "That is the answer after two products, or if three of them were added up.",
        1: "Each product makes a larger, compared with b.",
        216: "That is a itself. How large is b?",
        8: "That is b itself. How large is a?",
        208: "That is the difference. How many times as large is a?",
        18: "Is 6 multiplied by 3 here, or multiplied by itself?",
        6: "b grows as well, with each product.",
        81: "That is after one product more.",
    },
    hint="Write down what comes out after one product, and after two.",
    because="Each product makes it three times as large: (6, 2), (36, 4), (216, 8). After twenty "
    "products a is so much larger that b hardly counts, and a product then makes the direction 6 "
    "times as long: the largest curvature.",
)

twice_the_border = partial(
    lesson.predict,
    "This network takes twelve steps with a learning rate of twice the border. What does its loss "
    "do?",
    "it falls, then grows",
    choices=["it falls all the way", "it falls, then grows", "it grows all the way"],
    mistakes={
        "it falls all the way": "In one direction at least, each step leads too far. What becomes "
        "of the error there, from step to step?",
        "it grows all the way": "That would be true of a single number. Here 2,410 of them move at "
        "once. Is the step too long in every direction?",
    },
    hint="At the start, the slope in the direction of the largest curvature is small. Which "
    "directions decide about the loss in the first step, and which one after some more?",
    because="In the many flatter directions a step has a good length, and there the loss falls. "
    "In the direction of the largest curvature each step leads too far, until this outweighs all "
    "the rest.",
)

does_it_stay = partial(
    lesson.predict,
    "Twelve steps with half of the border, and the loss falls in each of them. The border was "
    "computed from the largest curvature at the start. What becomes of this curvature on the way?",
    "it more than doubles",
    choices=["it falls to less than half", "it stays, within a tenth", "it more than doubles"],
    mistakes={
        "it falls to less than half": "That would be so if a valley were always bent most at its "
        "rim. Is it?",
        "it stays, within a tenth": "The taxi's does, whose slopes move in the same way "
        "everywhere. Is the loss of this network a parabola?",
    },
    hint="The parameters begin small, and grow in the training. If they are larger, does the "
    "loss move less or more with each of them?",
    because="The loss of a network is no parabola: its curvature differs from place to place. "
    "Here it grows while the network learns.",
)

# --------------------------------------------------------------------------------- calm curves

which_is_nearer = partial(
    lesson.predict,
    "Neither training is shown the wave. Which of the two curves will be nearer to it?",
    "the calm one",
    choices=["the free one", "the calm one", "both are equally near"],
    mistakes={
        "the free one": "It is nearer to the ten points. But do the points lie on the wave?",
        "both are equally near": "Only one of them is asked to have small slopes. What does the "
        "other one do to reach each point?",
    },
    hint="Each point is off by chance. Which curve follows chance further?",
    because="The points lie beside the wave by chance, and a curve that goes through all of them "
    "follows chance, too.",
)

# ---------------------------------------------------------------------- a rate that is learned

which_sign = partial(
    lesson.predict,
    "The learning rate is 0, so the step is 0. What is the slope of the loss after the step with "
    "respect to the learning rate?",
    "below 0",
    choices=["below 0", "0", "above 0"],
    mistakes={
        "0": "The step is 0, but a learning rate that is a little larger makes it larger.",
        "above 0": "Then a first small step against the slope would make the loss larger. Does it?",
    },
    hint="Nudge the learning rate: a small step against the gradient is taken. What does the loss "
    "do?",
    because="A small step lowers the loss. By the chain rule it is −slope · slope: −22 · 22.",
)

# ------------------------------------------------------------------------------ earlier notebooks

kept_values = partial(
    lesson.predict,
    "backward() has run once. Why can the same graph not be walked again, as a rule?",
    "what its nodes had saved is freed",
    choices=[
        "its nodes are deleted",
        "what its nodes had saved is freed",
        "the gradients are in .grad already",
    ],
    mistakes={
        "its nodes are deleted": broke(
            "freed", "The nodes live as long as something leads to them. What of them is gone?"
        ),
        "the gradients are in .grad already": broke(
            "accumulate", "More could be added to .grad. What is missing for that?"
        ),
    },
    hint="What does a rule need besides what arrives?",
    because="The rules need the numbers of the forward pass, and these were given back: lesson 02.",
)
vector_jacobian = partial(
    lesson.predict,
    "y = 3 * x, and x has the shape (4,). y.backward(v) with v = (1, 0, 0, 2). What is the last "
    "number of x.grad?",
    6,
    mistakes={
        3: broke("multiply", "That is the local slope. What arrives at the last number?"),
        2: broke("multiply", "That is what arrives. By what is it multiplied on its way to x?"),
        0: broke("shape", "What arrives at the last number is the last number of v."),
        5: "That is a sum. What does a visit do with what arrives and with the local slope?",
        9: "Each number of x is used for one number of y only.",
    },
    hint="v says what arrives at each number of y.",
    because="2 arrives at the last number, and the local slope is 3. Lesson 04 calls this a "
    "vector-Jacobian product: v times a table that is never made.",
)
which_shape = partial(
    lesson.predict,
    "guess has the shape (32, 1), and truth has the shape (32,). How many numbers has "
    "guess - truth?",
    1024,
    mistakes={
        (32, 32): "That is the shape. How many numbers stand in it?",
        32: broke("align", "Write the two shapes below each other, at the right edge."),
        33: broke("align", "Write the two shapes below each other, at the right edge."),
        64: broke("align", "Write the two shapes below each other, at the right edge."),
    },
    hint="At the right, 1 stands above 32; to the left of it, 32 stands above nothing.",
    because="The column is stretched to the right and the row downwards, 32 · 32: lesson 04.",
)
second_step = partial(
    lesson.predict,
    "A training calls loss.backward() in each step, and nothing clears .grad. Which gradient does "
    "the second step use?",
    "the sum of both gradients",
    choices=["that of the second loss", "the sum of both gradients", "that of the first loss"],
    mistakes={
        "that of the second loss": broke(
            "accumulate", "Does backward() write into .grad what it finds, or add it?"
        ),
        "that of the first loss": "The second backward() does something with .grad as well.",
    },
    hint="What does optimizer.zero_grad() do, and why is it needed?",
    because="backward() adds to what is in .grad already: lesson 05. torch.autograd.grad returns "
    "each gradient by itself, and adds nothing up.",
)

# ----------------------------------------------------------------------------- without a picture

on_paper = partial(
    lesson.predict,
    "On paper: loss = (w * 3 - 15) ** 2, and w = 1. Where does one step of Newton's method lead?",
    5,
    mistakes={
        1: "There the loss is 144. The slope is not 0.",
        -72: "That is the slope at 1. Where does a step lead?",
        18: "That is the curvature. How long is a step, and where does it lead?",
        3: "There the slope is −36, so it is not yet where it would be 0.",
        73: broke("direction", "That is a step by the slope alone."),
        -3: broke("direction", "The slope is below 0. In which direction is the way down?"),
        4: "That is the length of the step. Where does it lead?",
        -4: "That is the slope divided by the curvature. In which direction is the step?",
        1297: "There the slope was multiplied by the curvature. Is a step to be long or short "
        "where a curve bends much?",
        9: "The curve is bent by the square and by the factor. Did you include the 2 that comes "
        "from the square?",
        13: "The factor in front of w is in the curvature twice: once for each derivative.",
        -35: broke("direction", "The other way, and the square's own factor is missing."),
    },
    hint="Write down the slope as a formula with w in it. The curvature is how it moves with w.",
    because="The slope is 6 · (3w − 15), so −72, and the curvature is 18. The step is 4, and at 5 "
    "the loss is 0: for a parabola one step is enough.",
)

through_a_step = partial(
    lesson.predict,
    "On paper: loss = (w * 3 - 15) ** 2, and w = 1, where the slope is −72. One step of gradient "
    "descent is taken, with the learning rate 0. What is the slope of the loss after the step with "
    "respect to the learning rate?",
    -5184,
    mistakes={
        5184: "With a learning rate a little above 0, does the loss grow or fall?",
        -72: "That is the slope with respect to w. How far does w move for each unit of the "
        "learning rate?",
        72: "That is how far w moves for each unit of the learning rate. And how does the loss "
        "move with w?",
        0: "The step is 0, but it grows with the learning rate.",
        -144: "The two slopes on the way were added. What does the chain rule do with them?",
        144: "That is the loss at the start. How does it move?",
        -1296: "There −72 was multiplied by the curvature. Which slope does the step multiply?",
        -18: "That has the size of the curvature. Which two slopes lie on the way from the "
        "learning rate to the loss?",
    },
    hint="By the chain rule: how does w after the step move with the learning rate, and how does "
    "the loss move with w?",
    because="After the step w is 1 + 72 · lr, so it moves by 72 for each unit of the learning "
    "rate, and the loss by −72 for each unit of w: 72 · (−72).",
)

border_on_paper = partial(
    lesson.predict,
    "On paper: loss = (w * 3 - 15) ** 2, and gradient descent starts at w = 1, with the slope −72. "
    "From which learning rate on does the loss grow from step to step?",
    "1 / 9",
    choices=["1 / 18", "1 / 9", "1 / 36", "2 / 9"],
    mistakes={
        "1 / 18": "That is one divided by the curvature. Where does such a step lead?",
        "1 / 36": "A step of 72 / 36 leads from 1 to 3 only. How far is it to the goal, at 5?",
        "2 / 9": "Did you include the 2 that comes from the square, and the 3 twice?",
    },
    hint="The border is the learning rate that leads just as far to the other side of 5.",
    because="The border is 2 divided by the curvature, 2 / 18: a step of 8, from 1 to 9.",
)

at_the_kink = partial(
    lesson.predict,
    "On paper: the slope of abs(x) is −1 to the left of 0 and 1 to the right. autograd gives 0 as "
    "the slope at 0 itself. What is the curvature of this curve at 0?",
    "there is none",
    choices=["0", "2", "there is none"],
    mistakes={
        "0": "Nudge x by 0.01 in both directions. By how much does the slope move for each unit?",
        "2": "That is how much the slope jumps. But how much is it for each unit, if x is nudged "
        "by 0.01? And by 0.001?",
    },
    hint="Nudged by 0.01 in both directions, the slope moves by 2 / 0.02, and so by 100 for each "
    "unit. What does a smaller nudge say?",
    because="The smaller the nudge, the larger the number. What autograd gives at a kink is what "
    "a rule has chosen, as in section 3, and no derivative of the curve.",
)

strong_penalty = partial(
    lesson.predict,
    "The ten points of section 5, with a penalty of 100 on the mean of the squared slopes. What "
    "does the network draw?",
    "almost a level line",
    choices=["almost a level line", "the wave", "a steep straight line"],
    mistakes={
        "the wave": "It is never shown the wave. Which curve has the smallest slopes of all?",
        "a steep straight line": "It does not bend. But the penalty is on the slope, not on how "
        "the slope changes.",
    },
    hint="At 100, the errors at the points hardly count. What makes the penalty 0?",
    because="The penalty is 0 only where all slopes are 0. So too strong a penalty forgets the "
    "points, and one that is too weak follows chance.",
)

which_line = partial(
    lesson.predict,
    "A friend has PyTorch and no minigrad, and begins with import torch. She wants to compute the "
    "taxi's curvature, its Hessian, and the Hessian times a direction, as you did. Which of these "
    "lines must she write differently?",
    "none of them",
    choices=[
        "torch.autograd.grad(loss, rate, create_graph=True)",
        "torch.autograd.functional.hessian(loss_of_both, both)",
        "torch.autograd.functional.hvp(loss_of_both, both, v)",
        "none of them",
    ],
    mistakes={
        "torch.autograd.grad(loss, rate, create_graph=True)": "Section 1 leads to a page about "
        "this function. Whose page is it?",
        "torch.autograd.functional.hessian(loss_of_both, both)": "This name is PyTorch's, and so "
        "is the order of what is given to it.",
        "torch.autograd.functional.hvp(loss_of_both, both, v)": "The text beside it said where "
        "this product comes from.",
    },
    hint="For each of the three names, ask who has given it.",
    because="minigrad has these names from PyTorch, with the same order of what is given to them. "
    "What differs is the import alone.",
)
