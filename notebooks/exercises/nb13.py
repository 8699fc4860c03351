"""What notebook 13 asks. Its exercises are in ``nb13_judges``, ``nb13_early`` and ``nb13_frozen``.

What it runs is in ``nb13_runs``.

Here, and not in the cells, so that nobody reads an answer before giving one.
"""

from __future__ import annotations

from functools import partial

from minigrad import lesson
from minigrad.lesson import broke

from .nb13_early import early
from .nb13_frozen import freeze
from .nb13_judges import grow, keep, prune

__all__ = ["early", "freeze", "grow", "keep", "prune"]

# ------------------------------------------------------------------------------ a layer at step 50

new_weights = partial(
    lesson.predict,
    "A layer is put into the model at step 50, and the loop goes on as before. No error comes. "
    "What are the new layer's weights at step 100?",
    "the random numbers of the start",
    choices=["other numbers, which it has learned", "the random numbers of the start", "zeros"],
    mistakes={
        "other numbers, which it has learned": "A gradient does arrive at them. But who moves a "
        "weight, and how does it know of this one?",
        "zeros": "A new layer begins with small random numbers. Who would have changed them?",
    },
    hint="When was the optimizer told which parameters there are?",
    because="The optimizer was given a list of parameters before step 0. backward() fills the "
    ".grad of the new ones, and nobody uses it.",
)

helps = partial(
    lesson.predict,
    "Three trainings of 200 steps: with no new layer at all, with one at step 50 that the "
    "optimizer was not told of, and with one that it was told of. Which network reads the most "
    "test images right in the end?",
    "the one with no new layer",
    choices=["the one with no new layer", "the forgotten one", "the one that was told of"],
    mistakes={
        "the forgotten one": "Random numbers that stay stand in the way of the other layers. Do "
        "those gain anything from it?",
        "the one that was told of": "It learns. But how much did the network leave to be learned "
        "before that?",
    },
    hint="What do random numbers between two layers do to what those have learned? Was the task "
    "too hard for the network before?",
    because="This network reads the digits well as it is. A new layer first has to make up for its "
    "random numbers, and then it adds little. But the lead is small, only a few images.",
)

nodes_more = partial(
    lesson.predict,
    "How many more nodes does the graph with the new layer and its Tanh have than the one before?",
    2,
    mistakes={
        1: "Two modules were inserted. Which operations do they run?",
        3: "A Linear layer is one node here: the product and the sum in one.",
        0: broke("record", "Each operation that runs leaves a node. Does anything more run?"),
        6: "That is the whole graph with the new layer.",
        4: "That is the whole graph without the new layer.",
    },
    hint="A Linear layer runs one operation, which multiplies and adds, and a Tanh another one.",
    because="One for the new Linear layer, and one for the new Tanh. Nothing was rebuilt or "
    "repaired: the record holds what ran.",
)

whose_gradient = partial(
    lesson.predict,
    "The loss is computed, and then the last layer is replaced by a new one. Now backward() is "
    "called. Which of the two layers gets a gradient?",
    "the old one",
    choices=["the old one", "the new one", "both", "there is an error"],
    mistakes={
        "the new one": broke(
            "ran", "The graph leads to what was used when the loss was computed. Was the new layer?"
        ),
        "both": broke("ran", "Only one of them has been used to compute this loss."),
        "there is an error": "The old layer is no longer in the model. But is it gone?",
    },
    hint="To which tensors do the nodes behind this loss lead?",
    because="The graph is a record of what has happened. A change of the model afterwards concerns "
    "only the next record.",
)

# ----------------------------------------------------------------------- blocks that are skipped

skipped_grad = partial(
    lesson.predict,
    "In a step of the training, block 3 is skipped. What is in its weight.grad after backward()? "
    "(zero_grad() was called before.)",
    "None",
    choices=["None", "zeros", "the gradient of the step before"],
    mistakes={
        "zeros": broke(
            "ran",
            "Zeros would have to be computed by somebody. What leads from this loss to block 3?",
        ),
        "the gradient of the step before": "What has zero_grad() done with it?",
    },
    hint="What has zero_grad() left there? And does anything come here on the way back?",
    because="Nothing leads to this block from the loss, so nothing arrives. The optimizer passes "
    "over a parameter whose .grad is None.",
)

different_counts = partial(
    lesson.predict,
    "There are 6 blocks, each of which may be skipped. After each step of a long training, one "
    "more loss is computed, with new coins, and the nodes of its graph are counted. How many "
    "different counts will there be?",
    7,
    mistakes={
        2: "Each block may run or not, and several may run.",
        6: "And if none of them is skipped, or all?",
        64: "There are so many different graphs. But two of them may have the same number of "
        "nodes.",
        12: "All blocks have the same number of nodes. So what counts is how many of them run.",
    },
    hint="Each block that runs adds 3 nodes. How many blocks may run?",
    because="From 0 to 6 blocks may run. (There are 64 different graphs, one for each choice of "
    "blocks.)",
)

same_answers = partial(
    lesson.predict,
    "The graph of one step, in which some blocks were skipped, is taken as a recording: it is run "
    "again for other images. Its answers are compared with those of the whole network. What is the "
    "result?",
    "other answers for some images",
    choices=[
        "the same answers",
        "other answers for some images",
        "an error, since blocks are missing",
        "answers that change each time it is run",
    ],
    mistakes={
        "the same answers": broke(
            "ran", "The blocks that were skipped left nothing in the graph. Do they do nothing?"
        ),
        "an error, since blocks are missing": "Which operation of the recording would miss them?",
        "answers that change each time it is run": "The graph has a node for each operation on "
        "tensors. Which of them would throw a coin, and ask the `if`?",
    },
    hint="Which operations stand in the graph of that step? Would anything miss a block?",
    because="The coins have fallen once and for all: the `if` is not in the graph, so the "
    "recording runs the same blocks for ever, and nothing complains.",
)

surest = partial(
    lesson.predict,
    "The network stops as soon as its largest probability is at least `sure`. So at 0.99 more "
    "blocks run than at 0.5. How many of the 360 test images does it read right at 0.99, compared "
    "with 0.5?",
    "about as many, within 15",
    choices=["more, by over 15", "about as many, within 15", "fewer, by over 15"],
    mistakes={
        "more, by over 15": "It is surer then. Is a network right because it is sure?",
        "fewer, by over 15": "The blocks that run in addition have been trained, too. Why should "
        "they spoil so much?",
    },
    hint="Most of these images are easy. How many blocks does it take to read them?",
    because="Most of these images are easy, and few blocks are enough for them. A large "
    "probability says that the network is sure, and not that it is right.",
)

# ----------------------------------------------------------------------------------- frozen, pruned

frozen_nodes = partial(
    lesson.predict,
    "The whole graph has 4 nodes: the first layer, Tanh, the last layer, and the loss. The first "
    "layer is frozen. How many nodes does the next graph have?",
    2,
    mistakes={
        4: broke("record", "Does the first layer still have an input that requires a gradient?"),
        3: broke(
            "record",
            "The first layer leaves no node. Does what comes in at Tanh require a gradient, then?",
        ),
        1: "The last layer is not frozen.",
        0: "The last layer is not frozen.",
    },
    hint="Go from the images to the loss. At which operation does the first input come in that "
    "requires a gradient?",
    because="The images require no gradient, and now the first layer's parameters do not either. "
    "So neither this layer nor Tanh is recorded, and nothing is kept for them.",
)

none_again = partial(
    lesson.predict,
    "The first layer is frozen, and its weight.grad is None. One of its weights is nudged. What "
    "slope does the nudge find?",
    "some other number",
    choices=["0", "some other number"],
    mistakes={
        "0": broke("ran", "So it was where a block had not run. Has the first layer run here?"),
    },
    hint="Is the loss computed from the numbers in this layer?",
    because="The layer runs, and the loss is computed from its numbers. Freezing says that no "
    "gradient is wanted there; so none was computed.",
)

pruned_stay = partial(
    lesson.predict,
    "80 % of the first layer's weights are set to 0. Then one more step is made. How many of its "
    "weights are 0 now?",
    "some, but far fewer",
    choices=["as many as before", "some, but far fewer", "more than before"],
    mistakes={
        "as many as before": broke(
            "local",
            "Nudge a weight of 0 a little. Does the result stay as it is, only because the "
            "weight was 0?",
        ),
        "more than before": "A step hardly ever lands exactly on 0. What would draw weights there?",
    },
    hint="Does the gradient of a weight depend on the weight itself? Does a step leave it at 0?",
    because="A weight of 0 gets a gradient like any other, and the step moves it. It stays only at "
    "a pixel that is 0 in all images of this step.",
)

# ------------------------------------------------------------------------------ earlier notebooks

passed_by = partial(
    lesson.predict,
    "x is 2 and requires a gradient. y = x * x; then, if y > 10, y = y - x. How many nodes does "
    "the graph of y have?",
    1,
    mistakes={
        2: broke("ran", "Is there a node for the subtraction? How large is y when the `if` asks?"),
        3: broke("ran", "Which of these operations has run, and which of them can be walked back?"),
        0: broke("record", "x requires a gradient, and something was computed from it."),
        4: "That is the value of y. How many operations has it been computed with?",
    },
    hint="y is 4 when the `if` asks. And does a comparison have a derivative?",
    because="Only the product ran. The subtraction did not, and a comparison leaves no node.",
)
slope_of_nudge = partial(
    lesson.predict,
    "A weight is nudged. At 0.01 above its value the loss is 0.530, and at 0.01 below its value "
    "the loss is 0.518. Which slope does this nudge find?",
    0.6,
    mistakes={
        1.2: "How far are the two places of the weight from each other?",
        0.012: "So far the loss has moved. How far has the weight moved between the two places?",
        -0.6: broke("direction", "When the weight becomes larger, what becomes of the loss?"),
    },
    hint="How far the loss moves, divided by how far the weight moves, from the lower place to the "
    "upper one.",
    because="0.012 / 0.02.",
)
stretched = partial(
    lesson.predict,
    "A bias has the shape (3,), and the product that it is added to has the shape (5, 3). The loss "
    "is the sum of all numbers of the result. What is each number of the bias's .grad?",
    5,
    mistakes={
        1: broke("add", "In how many rows is each number of the bias used?"),
        15: broke(
            "shape",
            "The result has so many numbers. How many of them use the same number of the bias?",
        ),
        3: broke("align", "That is the length of a row. How often is a number of the bias used?"),
    },
    hint="The bias is stretched along the rows. What arrives at each number, and how often?",
    because="Each number is used in 5 rows, and from each of them a 1 arrives.",
)
after_step = partial(
    lesson.predict,
    "w is 5, its .grad is 2, and the optimizer is SGD with lr = 0.5. What is w after "
    "optimizer.step()?",
    4,
    mistakes={
        6: broke("direction", "Which way does the loss fall?"),
        3: "How large a part of the gradient is taken?",
        5: broke("fills", "That would be so if only backward() were called."),
    },
    hint="w minus the learning rate times the gradient.",
    because="5 − 0.5 · 2.",
)
depth_kept = partial(
    lesson.predict,
    "h = torch.tanh(h @ w) runs 10 times with a record. How many arrays of the size of h are kept "
    "for the way back, besides the first h and w?",
    10,
    mistakes={
        20: "Nobody needs the products on the way back.",
        1: broke("record", "Each pass leaves nodes of its own, and they keep what they need."),
        9: "The last tanh keeps its result, too.",
        0: broke("record", "w requires a gradient."),
    },
    hint="What does tanh keep, and what does the product keep that is not there anyway?",
    because="The result of each tanh, which the next product shares.",
)

# ----------------------------------------------------------------------------- without a picture

on_paper = partial(
    lesson.predict,
    "On paper: a network like that of section 3, but with 10 blocks. In one step 4 of them are "
    "skipped, and the first layer is frozen. How many nodes does the graph of the loss have?",
    20,
    mistakes={
        22: broke("record", "That is so before anything is frozen. What leaves no node any more?"),
        21: broke("record", "Does what comes in at the first tanh require a gradient?"),
        32: broke("ran", "That counts all 10 blocks, also the ones that were skipped."),
        34: broke("ran", "That counts all 10 blocks, and the first layer as if it learned."),
        14: broke("ran", "That counts the blocks that were skipped."),
        18: "And the last layer, and the loss?",
        8: "How many operations does a block run? Look at its line in section 3.",
        6: "How many operations does a block run, and what comes behind the blocks?",
    },
    hint="Count what a single block leaves, then how many of them run. What is there without any "
    "block, and which part of that does the frozen layer take away?",
    because="6 · 3 for the blocks, and 2 for the last layer and the loss: the first layer and the "
    "tanh behind it leave none.",
)
