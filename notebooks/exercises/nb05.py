"""What notebook 05 asks. Its exercises are in ``nb05_judges`` and ``nb05_measuring``.

Here, and not in the cells, so that nobody reads an answer before giving one.
"""

from __future__ import annotations

from functools import partial

from minigrad import lesson
from minigrad.lesson import broke

from .graphs import nodes
from .nb05_judges import (
    LINES,
    by_hand,
    diagnosis,
    momentum,
    order,
    purpose,
    show_lines,
    show_loops,
    show_purposes,
)
from .nb05_measuring import first_loss, keep, mean_loss, own_network, share
from .nb05_runs import LEARNS, SILENT

__all__ = [
    "LINES",
    "by_hand",
    "diagnosis",
    "first_loss",
    "keep",
    "mean_loss",
    "momentum",
    "nodes",
    "order",
    "own_network",
    "purpose",
    "share",
    "show_lines",
    "show_loops",
    "show_purposes",
]

# ------------------------------------------------------------------------------------- the taxi

first_move = partial(
    lesson.predict,
    "The rate starts at 3, which is right already. The base starts at 0. What does the first step "
    "against the gradient do to the rate?",
    "it makes the rate larger",
    choices=[
        "it leaves the rate where it is",
        "it makes the rate larger",
        "it makes the rate smaller",
    ],
    mistakes={
        "it leaves the rate where it is": broke(
            "direction",
            "The program does not know which rate is right. It only asks how the loss moves when "
            "the rate moves, while the base is what it is now.",
        ),
        "it makes the rate smaller": broke(
            "direction",
            "A smaller rate makes each guess smaller. Are the guesses too large at the moment?",
        ),
    },
    hint="Work out one guess: the ride of 1 km costs 3 * 1 + 0 by these two numbers, and the "
    "receipt says 7. In which direction would the rate have to go for a better guess?",
    because="With the base at 0, each of the five guesses is 4 too low. A larger rate makes the "
    "loss smaller, as long as the base is wrong.",
)

FIRST = "an error in the first step"
SECOND = "an error in the second step"
HAND_OUTCOMES = [LEARNS, SILENT, FIRST, SECOND]
new_name = partial(
    lesson.predict,
    "The update is written as rate = rate - 0.05 * rate.grad. What happens?",
    SECOND,
    choices=HAND_OUTCOMES,
    mistakes={
        LEARNS: broke(
            "leaf",
            "The name rate stands for the result of a subtraction from then on, and no longer for "
            "the tensor that you made. Does backward() keep a gradient for a result?",
        ),
        SILENT: broke(
            "leaf",
            "It would be silent if the line could always be computed. But the name rate stands for "
            "the result of a subtraction from then on. What is in the .grad of a result?",
        ),
        FIRST: "When the loop begins, rate is the tensor that you made, and so a leaf. Does "
        "backward() fill the .grad of a leaf?",
    },
    hint="Ask before each step: is the tensor that is called rate now a leaf?",
    because="After the first step, rate is the name of a result. Results keep no gradient, so "
    "rate.grad is None, and None cannot be multiplied.",
)
recorded = partial(
    lesson.predict,
    "The update is written as rate -= 0.05 * rate.grad, without torch.no_grad(). What happens?",
    FIRST,
    choices=HAND_OUTCOMES,
    mistakes={
        LEARNS: broke(
            "record",
            "Outside of no_grad() this subtraction is an operation like any other: it would leave "
            "a node. But it writes into a leaf. Can a leaf have a history?",
        ),
        SILENT: "It would be bad if nobody noticed. PyTorch and minigrad do notice, and say so.",
        SECOND: "Read the line as it runs when the loop has just begun. rate is a leaf then, and "
        "-= writes into it. Would anything be different one step later?",
    },
    hint="A leaf is a value that no recorded operation made. What would this line make of it?",
    because="A leaf that requires a gradient cannot be written to while operations are recorded.",
)

# ----------------------------------------------------------------------------------- the digits

layer_numbers = partial(
    lesson.predict,
    "Layer 1 is Linear(64, 32). How many weights and biases does it learn, taken together?",
    2080,
    mistakes={
        2048: "Those are the weights alone. Has each of the sums a bias as well?",
        65: "So many belong to one sum. How many sums are there?",
        96: "Each of the sums has a weight of its own for every grey level.",
        2112: "There is one bias for each number that comes out, and not for each that goes in.",
    },
    hint="Count for one sum first: a weight for each grey level, and one bias.",
    because="Each of the 32 sums has 64 weights and one bias, and 32 · 65 = 2,080.",
)

sure_and_wrong = partial(
    lesson.predict,
    "Two networks look at a 3. To the digit 3 the first gives the probability 0.9, the second "
    "0.01. How does the cross entropy of the second compare with that of the first?",
    "it is larger",
    choices=["it is larger", "it is smaller", "both are the same"],
    mistakes={
        "it is smaller": "The logarithm of a number below 1 is negative. What does the minus sign "
        "in front of it do?",
        "both are the same": "What counts is the probability of the true digit. The two differ.",
    },
    hint="The logarithm of 1 is 0. The nearer a probability is to 0, the further its logarithm "
    "is below 0.",
    because="−log(0.9) is about 0.11, and −log(0.01) is about 4.6.",
)

which_line = partial(
    lesson.predict,
    "One of the weights of the network is watched. Which line of the loop changes it?",
    "optimizer.step()",
    choices=[
        "optimizer.zero_grad()",
        "loss = F.cross_entropy(guess, y)",
        "loss.backward()",
        "optimizer.step()",
    ],
    mistakes={
        "optimizer.zero_grad()": "This line throws away the gradient that is kept beside the "
        "number. The number itself stays.",
        "loss = F.cross_entropy(guess, y)": broke(
            "record",
            "The forward pass uses the number, and records how. It does not write to it.",
        ),
        "loss.backward()": broke(
            "fills",
            "backward() writes into .grad, which is kept beside the number. The number waits.",
        ),
    },
    hint="In section 1 you saw it as `rate -= 0.05 * rate.grad`. Which line stands for that now?",
    because="Only there does w become w − lr · grad.",
)

which_part = partial(
    lesson.predict,
    "The trained network reads a few digits wrongly. In which of the two groups is their share "
    "larger?",
    "among the 360 it has never seen",
    choices=["among the 1437 it learned from", "among the 360 it has never seen"],
    mistakes={
        "among the 1437 it learned from": "Each of these was in a batch in each epoch, and each "
        "time all weights were moved so that the mean loss of its batch should become smaller.",
    },
    because="The numbers were fitted to the others, batch by batch.",
)

# ------------------------------------------------------------------------------ a line left out

OUTCOMES = [LEARNS, SILENT, "an error"]
no_step = partial(
    lesson.predict,
    "optimizer.step() is missing. What happens?",
    SILENT,
    choices=OUTCOMES,
    mistakes={
        "an error": "Every line that is left can do its work: the gradients are computed, and "
        "thrown away again. Nobody has to use them.",
        LEARNS: "Go through the lines that are left. Which of them changes a weight?",
    },
    hint="Two things can go wrong with a program: it can stop, or it can go on without effect.",
    because="The gradients are there, and nobody uses them.",
)
late_clear = partial(
    lesson.predict,
    "optimizer.zero_grad() stands between backward() and step(). What happens?",
    SILENT,
    choices=OUTCOMES,
    mistakes={
        "an error": "Each line can do its work. One of them just finds nothing to work with, and "
        "does not complain.",
        LEARNS: broke(
            "fills",
            "Follow .grad from line to line: who writes into it, who empties it, and who uses it, "
            "in this order?",
        ),
    },
    hint="What is in .grad when step() runs?",
    because="step() finds None in each .grad, and passes over these parameters.",
)
one_forward = partial(
    lesson.predict,
    "The forward pass stands in front of the loop, so that the loss is computed only once. What "
    "happens?",
    "an error",
    choices=OUTCOMES,
    mistakes={
        SILENT: broke(
            "freed",
            "The first step works. Whatever comes of the second one, can it go unnoticed? Think of "
            "what a graph still has when it has been walked once.",
        ),
        LEARNS: broke(
            "freed",
            "Only what runs is recorded. Which operations run in the second round, and which graph "
            "is there for backward() to walk?",
        ),
    },
    hint="How many graphs are made here, and how many are needed?",
    because="Each backward pass needs a graph of its own, and so a forward pass (MG106).",
)

# ------------------------------------------------------------------------------------ forgetting

CLEARS = "the loop that clears"
FORGETS = "the loop that forgets"
which_is_better = partial(
    lesson.predict,
    "The rate starts at 2, and 3 is right. Two loops take 15 steps each with the learning rate "
    "0.0005. One of them never clears rate.grad. Whose rate is nearer to 3 then?",
    FORGETS,
    choices=[CLEARS, FORGETS, "both are as near"],
    mistakes={
        CLEARS: "Its steps are right, but at this learning rate they are very small. How far does "
        "it get in 15 steps? And how large are the steps of the other one?",
        "both are as near": broke(
            "accumulate",
            "One of them takes its steps by the last gradient, the other by a sum of many.",
        ),
    },
    hint="With 0.0005 each step is too small rather than too large. What does a sum of many "
    "gradients do to the steps?",
    because="Its steps grow with the sum of all gradients, and for these 15 steps larger ones are "
    "what is needed.",
)

where_it_harms = partial(
    lesson.predict,
    "The network of section 5 is trained with four learning rates, 0.5, 0.1, 0.01 and 0.002, each "
    "with zero_grad() and without. Where does forgetting it cost digits?",
    "at 0.5 and 0.1",
    choices=["nowhere", "at 0.5 only", "at 0.5 and 0.1", "everywhere"],
    mistakes={
        "everywhere": "The taxi has shown something else, for steps that are too small.",
        "at 0.5 only": "There it is worst. But 0.1 works well with clearing; are many times "
        "larger steps still as good?",
        "nowhere": "The taxi was helped for a while, because its steps were too small. What if "
        "they are large enough already?",
    },
    hint="With clearing, 0.01 is still rather slow, and 0.1 is about right.",
    because="Where the steps are large enough already, a sum of many gradients carries the "
    "weights far beyond the goal.",
)

which_momentum = partial(
    lesson.predict,
    "A loop without zero_grad() does exactly what a loop with zero_grad() and SGD(…, momentum=m) "
    "does. For which m?",
    1,
    mistakes={
        0: broke(
            "accumulate",
            "Then v = g, and nothing of the past is left. But backward() adds to .grad.",
        ),
        0.9: "Then an old gradient counts for less with every step. Does it, in a .grad that is "
        "never cleared?",
    },
    hint="Write down .grad after three backward passes with the gradients p, q and r. Then "
    "write down v after three steps, with m in it, and compare.",
    because="v = 1 · v + g is the sum of all gradients so far: nothing fades.",
)

# ------------------------------------------------------------------------------ total and graphs

how_many_nodes = partial(
    lesson.predict,
    "With batches of 32, one epoch has 45 steps, and each of them ends with total += loss. How "
    "many nodes hang behind total at the end of the epoch?",
    225,
    mistakes={
        4: "Those are the nodes of one forward pass. The total leads to all of them.",
        5: "Those are the nodes of one step. The total leads to all of them.",
        45: "Those are the additions. Each of them leads to a forward pass as well.",
        180: broke(
            "record",
            "Those are the nodes of the forward passes. The additions are operations, too.",
        ),
        0: "backward() frees what the nodes have saved. The nodes themselves stay as long as "
        "something leads to them.",
    },
    hint="Count for one step first, and then for all steps. Section 5 has counted the nodes of a "
    "forward pass; which operation comes after it?",
    because="45 steps with 4 + 1 nodes each. They stay as long as total does.",
)

# ------------------------------------------------------------------------------ earlier notebooks

replayed = partial(
    lesson.predict,
    "The graph of `y = x * 3 if x > 0 else x * 5` was recorded with x = 2. Somebody keeps it, and "
    "computes its nodes once more with x = -1. What comes out?",
    -3,
    mistakes={
        -5: broke(
            "ran", "So the program would compute it. Which of its two products was recorded?"
        ),
        6: "That is what came out while it was recorded, with the x of then.",
        -15: broke("ran", "Two products would be needed for that. How many have run?"),
    },
    hint="Draw the nodes that are left when the line has run with x = 2. Is there an if among "
    "them?",
    because="Only x * 3 ran, so only that product was recorded. A recording does not choose again.",
)
two_paths = partial(
    lesson.predict,
    "Two paths lead from a number w to the loss. Along the first, the local slopes are 2 and 3. "
    "Along the second there is only one, -4. What is the gradient of w?",
    2,
    mistakes={
        1: broke("multiply", "Here everything is added. Do that only where paths meet."),
        24: "Here everything is multiplied. Do that only along a path, each for itself.",
        -24: broke("add", "Here everything is multiplied. Do that only along a path."),
        6: broke("add", "That is the first path alone."),
        -4: broke("add", "That is the second path alone."),
        10: "Is the second path's part above or below zero?",
    },
    hint="Work out the part of each path for itself first.",
    because="2 · 3 = 6 along the first path, −4 along the second, and 6 − 4 = 2 where they meet.",
)
shared_base = partial(
    lesson.predict,
    "The kilometres of 32 rides stand in km, with the shape (32,). The loss is "
    "(rate * km + base).sum(), and base is a single number. What is base.grad?",
    32,
    mistakes={
        1: broke("add", "That is what arrives from a single ride. Who else uses the base?"),
        0: "Nudge the base a little: does the loss stay where it is?",
    },
    hint="The base is broadcast: it is used once for each ride. What arrives from each of them, "
    "and what happens where they meet?",
    because="Each of the 32 rides sends back a 1, and what a broadcast has repeated is added up.",
)

# ----------------------------------------------------------------------------- without a picture

two_steps = partial(
    lesson.predict,
    "On paper: the base is 4, the rate is 2, and there is one ride of 3 km for 13. The loss is "
    "(rate * 3 + 4 - 13) ** 2, the learning rate 0.01. The loop never clears .grad. What is the "
    "rate after two steps, to four decimals?",
    2.5076,
    mistakes={
        2.3276: broke(
            "accumulate", "So it would be in a loop that clears. What is in .grad at the end here?"
        ),
        2.54: "The gradient of the second step is not −18 again: the rate has moved by then.",
        2.36: "Those are two steps by −18. The second gradient is another one, and .grad is a sum.",
        2.18: "That is the rate after one step.",
        1.4276: broke("direction", "The steps go uphill: a step is against the gradient."),
    },
    tolerance=1e-4,
    hint="The first step is the one that you know: the gradient is −18. With the new rate, work "
    "out the error, then the gradient 2 * error * 3; add it to −18.",
    because="The first step leads to 2.18. There the error is −2.46 and the gradient −14.76. In "
    ".grad stands −18 − 14.76 = −32.76, and 2.18 + 0.01 · 32.76 = 2.5076.",
)
