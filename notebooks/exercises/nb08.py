"""What notebook 08 asks. Its exercises are in files of their own, what it runs in ``nb08_runs``.

Here, and not in the cells, so that nobody reads an answer before giving one.
"""

from __future__ import annotations

from functools import partial

from minigrad import lesson
from minigrad.lesson import broke

from .nb08_evaluate import evaluate
from .nb08_hand import hand
from .nb08_judges import saves, show_saves, show_ways, ways, who
from .nb08_own import own
from .nb08_repairs import repairs

__all__ = [
    "evaluate",
    "hand",
    "own",
    "repairs",
    "saves",
    "show_saves",
    "show_ways",
    "ways",
    "who",
]

# --------------------------------------------------------------------------- the night, in small

which_line = partial(
    lesson.predict,
    "Compare test with train, line by line. Which line of test holds the memory?",
    "total += loss",
    choices=[
        "loss = F.cross_entropy(model(images), labels)",
        "total += loss",
        "return total",
    ],
    mistakes={
        "loss = F.cross_entropy(model(images), labels)": "The same line stands in train, and "
        "there what it made could go before the next batch came.",
        "return total": "That hands on what is there already. At the peak, where did it come from?",
    },
    hint="Three lines of train are gone in test, and one that is left is written otherwise. What "
    "does it read of a batch, here and there?",
    because="In train a plain number is added, which item() reads from the loss. In test the loss "
    "itself is added, and the sum remembers what it was made from. Section 4 looks into it.",
)

# ------------------------------------------------------------------------------- a chain of layers

four_layers = partial(
    lesson.predict,
    "Four layers run, and nothing has been walked back yet. How many arrays of 256 KiB have "
    "the nodes saved? (x and w were there before, and do not count.)",
    4,
    mistakes={
        8: "Each layer makes two arrays, that is true. But is the product needed on the way back? "
        "What is the local slope of tanh worked out from?",
        5: "Which is the fifth? x was there before, and does not count.",
        12: "Two nodes may save one and the same array. It is there only once.",
        7: "The result of a tanh is saved by the tanh, and by the product that comes next. It is "
        "one array.",
        3: "And the last layer? Its tanh saves something, too, before anybody has asked for it.",
        1: "That would be so if each layer's result could go when the next one is there. What does "
        "the way back need?",
        0: broke(
            "record",
            "w requires a gradient, so each operation is recorded, and saves what "
            "its slope will need.",
        ),
    },
    hint="Go through one layer. The product needs its two inputs for the way back, and tanh needs "
    "its own result. Which of these arrays are new, and which does the next layer share?",
    because="Each layer leaves one array that somebody needs: the result of its tanh, which is "
    "also the input of the next product. Nobody needs the product itself, so it is gone at once.",
)

many_layers = partial(
    lesson.predict,
    "64 layers run, and are walked back. How many MiB have the nodes saved at the peak? (4 arrays "
    "of 256 KiB are 1 MiB.)",
    16,
    mistakes={
        64: "That is how many arrays are saved. How large is each of them?",
        1: "That would be enough for 4 layers. Can an array go before the way back has begun?",
        4: "How many arrays do 64 layers save, and how many of those make 1 MiB?",
        32: "Each layer makes two arrays, that is true. Which of them does the way back need?",
        65: "That is how many arrays are there with the last product. Which of them are saved, and "
        "how large is each?",
        0.25: "That is a single array. When can the result of the first layer go?",
        0: "At the end nothing is left, that is true. The peak is when most was there.",
        16384: "That is the number of KiB. 1 MiB is 1,024 KiB.",
    },
    hint="How many arrays does each layer leave, that somebody needs? And how many layers are "
    "there when the way back begins?",
    because="64 arrays of 256 KiB: one for each layer, and the last layer has run before the way "
    "back begins.",
)

under_no_grad = partial(
    lesson.predict,
    "The same 64 layers under torch.no_grad(). Beside x and w, how many arrays of 256 KiB are "
    "there at the same time, at most?",
    3,
    mistakes={
        64: "Nothing is recorded here. Who would keep the result of a layer when h stands for the "
        "next one?",
        65: "Nothing is recorded here. Who would keep the result of a layer when the layer after "
        "the next one runs?",
        1: "While tanh computes its result, what it computes it from must be there as well.",
        2: "While tanh works, its input and its result are there. Which array does the variable "
        "`h` still stand for at that moment?",
        0: "No array is saved for the way back. But to compute a result, it has to be somewhere.",
        128: "Nothing is recorded here, so no node saves anything.",
    },
    hint="Stop in the middle of `h = torch.tanh(h @ w)`, when tanh has just made its result and h "
    "has not been assigned yet. Which arrays are there?",
    because="The old h, the product, and the result of tanh. As soon as h stands for the new one, "
    "the other two are gone.",
)

after_detach = partial(
    lesson.predict,
    "whole = torch.ones(3, requires_grad=True), then part = whole.detach(), then part[0] = 7.0. "
    "Which number stands in whole[0] now?",
    7,
    mistakes={
        1: "That would be so if detach() copied the numbers. What it cuts is the history.",
        0: "Nothing is cleared. Which memory does part[0] = 7.0 write to?",
    },
    hint="A tensor is two things: numbers in memory, and a history. Which of them does detach() "
    "take away?",
    because="detach() makes a second tensor without a history, and both show the same memory: "
    "nothing is copied, so it costs no array. If you want a copy, write detach().clone().",
)

# ----------------------------------------------------------------------------- what is held, and by

after_backward = partial(
    lesson.predict,
    "After each of the 20 steps, the loss is put into a list, as a tensor. How much of what the "
    "nodes had saved in these steps is still there at the end?",
    "nothing",
    choices=["nothing", "that of the last step", "that of all 20 steps"],
    mistakes={
        "that of all 20 steps": "That would be so without backward(): the list leads to the nodes "
        "of all 20 steps. But what has each backward pass done to what they had saved?",
        "that of the last step": "That would be so if the last step were not walked back. Its "
        "backward() runs before its loss is put into the list.",
    },
    hint="What does a backward pass do with what a node has saved, once the node has been visited?",
    because="Each backward pass has freed what the nodes had saved. The nodes themselves are still "
    "there: a slow leak.",
)

sum_of_batches = partial(
    lesson.predict,
    "In the test, the losses of 20 batches are added up, and backward() is never called. How many "
    "times as much is saved at the peak as for a single batch?",
    20,
    mistakes={
        1: "That would be so if each batch's arrays could go before the next one comes. In the "
        "training a backward pass let them go. Who does it here?",
        2: "And when the third batch comes? What leads to the first one?",
        0: "That would be so under no_grad. The parameters require gradients, so the operations "
        "are recorded, whether anybody walks back or not.",
        19: "What the last batch has saved is there as well: nobody has walked it back, either.",
        33.5: "That is what one batch saves, in KiB. How many times as much is there in the end?",
        670: "That is the peak in KiB. How many times what a single batch saves is it?",
        40: "That would be two copies of each batch. What two nodes need is there only once.",
    },
    hint="The sum is a result like any other. To what does its node lead?",
    because="The sum leads to each loss, and each loss to the graph of its batch. No backward pass "
    "has freed anything.",
)

stored = partial(
    lesson.predict,
    "The third program stores the scores of each batch: 32 images, 10 scores. What does it keep "
    "for each batch?",
    "the scores and the middle layer",
    choices=[
        "only the scores",
        "the scores and the middle layer",
        "the scores, the middle layer and a copy of the parameters",
    ],
    mistakes={
        "only the scores": "That would be so with scores.detach(). These have a grad_fn: which "
        "nodes does it lead to, and what have they saved?",
        "the scores, the middle layer and a copy of the parameters": "A node does lead to the "
        "parameters. But they are there anyway, and nobody copies them.",
    },
    hint="What does the last layer, a product, need for the slope of its weights?",
    because="The last layer has saved its input, the middle layer: 256 numbers for each image, to "
    "keep 10.",
)

# ------------------------------------------------------------------------------- compute it again

in_segments = partial(
    lesson.predict,
    "64 layers in 8 segments of 8 layers. How many arrays of 256 KiB must be saved at the peak? "
    "(x was there before.)",
    15,
    mistakes={
        64: "That is what is saved if nothing is thrown away.",
        8: "So many the segment has saved that is being walked back. What else has to be there "
        "at that moment?",
        7: "Those are the inputs of the segments. And while one segment is walked back?",
        16: "One of these arrays is counted, though nobody had to make it. Which one?",
        72: "Only one segment at a time is recorded in full.",
        1: "To walk a segment back, all of it has to be recorded once.",
    },
    hint="Two kinds of arrays are there when the last segment is walked back: what was saved on "
    "the way forward, one for each segment, and what the second run of this segment saves.",
    because="The inputs of 7 segments, since that of the first is x, and 8 arrays of the one "
    "segment that is being walked back.",
)

how_often = partial(
    lesson.predict,
    "64 layers in 8 segments are computed, and walked back. Count a layer each time that it is "
    "computed: how many times is that in all?",
    128,
    mistakes={
        64: "That is the way forward alone. What happens when a segment is walked back?",
        1: "That is how often a layer is computed on the way forward. All 64 are asked for, on the "
        "way forward and on the way back.",
        8: "That is the number of segments, and of the layers in each. How often is a layer "
        "computed, and how many layers are there?",
        16: "That is how often a segment runs, all of them together. And the layers in them?",
        2: "That is how often each single layer is computed. How often is that for all 64?",
        72: "When a segment runs again, all of its layers do, and not only the first.",
        512: "Each segment runs a second time, and never a third time.",
        120: "With the function above, the last segment runs twice as well.",
    },
    hint="How often does a segment run, and how many layers has it?",
    because="Each layer is computed twice: once on the way forward, and once more before its "
    "segment is walked back.",
)

best_count = partial(
    lesson.predict,
    "Which number of segments has the lowest peak: 2, 8 or 32?",
    8,
    choices=[2, 8, 32],
    mistakes={
        2: "Few segments are long ones. How much has the one saved that is walked back?",
        32: "Each segment is short then. But how many inputs have to be saved?",
    },
    hint="With k segments, about k inputs are saved, and 64 / k arrays within a segment. Try the "
    "three numbers.",
    because="With k segments, k - 1 inputs are saved, and 64 / k arrays of one segment. The "
    "product of k and 64 / k is always 64, and their sum is smallest where they are equal: 8 and "
    "8.",
)

longer_network = partial(
    lesson.predict,
    "The network of the night, with 16 layers and tanh instead of one, is cut into 4 segments. One "
    "batch goes there and back. How much is saved at the peak, compared with the same network as a "
    "whole?",
    "less than half",
    choices=["less than half", "more than half", "as much as in the whole network"],
    mistakes={
        "more than half": "Count arrays, as you did for the chain. What must be there of the "
        "segment that is walked back, and what of each other one?",
        "as much as in the whole network": "That would be so if all segments were recorded at the "
        "same time. How many of them are?",
    },
    hint="With 64 layers in 8 segments, 8 arrays of one segment were saved, and what went into 7 "
    "others. Count in the same way for 16 layers in 4 segments.",
    because="At the peak, 7 arrays of the middle layers' size are saved instead of 16: 5 of the "
    "segment that is recorded, and what goes into 2 others.",
)

# ------------------------------------------------------------------------------------ the verdict

share = partial(
    lesson.predict,
    "The graph of 16 layers with arrays of 256 KiB: what share of the memory do its nodes and "
    "edges take, without the arrays?",
    "less than 1 %",
    choices=["less than 1 %", "about 10 %", "about half"],
    mistakes={
        "about 10 %": "Then a node would take more than 10 KiB. It has a name, and edges to a few "
        "other nodes: how many bytes may those be?",
        "about half": "Then the two nodes of a layer would take as much as its array. What stands "
        "in a node, beside what it has saved?",
    },
    hint="Two nodes a layer, a few hundred bytes each, and one array of 256 KiB a layer.",
    because="Each node, with the tensor that belongs to it, takes a few hundred bytes, and there "
    "are two of them for each array of 256 KiB.",
)

two_lines = partial(
    lesson.predict,
    "Under no_grad, h = torch.tanh(h @ w) needed 3 arrays at a time. Now the line is cut in two: "
    "h = h @ w, and then h = torch.tanh(h). How many arrays beside x and w are there at the same "
    "time, at most?",
    2,
    mistakes={
        3: "Those are the old h, the product, and the result of tanh. While tanh works, does any "
        "variable still stand for the old h?",
        4: "Nothing is made that was not made before. Which array can go earlier?",
        1: "While an operation computes its result, what it computes it from must be there as "
        "well.",
        64: "Nothing is recorded, so no node saves the result of an earlier layer.",
        65: "Nothing is recorded, so no node saves the result of an earlier layer.",
        0: "No array is saved for the way back. But to compute a result, it has to be somewhere.",
    },
    hint="Stop in the middle of each of the two lines, when the result has just been made and h "
    "has not been assigned yet. Which arrays are there?",
    because="In the first line the old h and the product, in the second one the product and the "
    "result of tanh. The old h has gone by then, since h stands for the product.",
)

# ------------------------------------------------------------------------------ earlier notebooks

visits = partial(
    lesson.predict,
    "c = a + b, d = b + 1, e = c * d. How many of these three nodes have saved something for the "
    "way back?",
    1,
    mistakes={
        3: "You count the two sums as well. What is the slope of a sum? Must a number be saved?",
        2: "Two of the three are sums, and what holds for one holds for the other: what is the "
        "slope of a sum?",
        0: "That holds for the sums. But the slopes of the product are d and c, and without these "
        "numbers there is no way back.",
    },
    hint="Write down the local slopes of the three (lesson 01).",
    because="The slopes of a sum are 1, whatever the numbers; those of the product are d and c.",
)
loops_unrolled = partial(
    lesson.predict,
    "A `while` loop doubles a tensor until it is larger than 1,000. It starts at 1. How many "
    "nodes has the graph?",
    10,
    mistakes={
        1: "The line stands there once, and a node comes of each time that it runs.",
        1000: "That would be so if each pass added 1. Here each one doubles.",
        999: "That would be so if each pass added 1. Here each one doubles.",
        500: "That would be so if each pass added 2. Here each one doubles.",
        1024: "That is the number that comes out. How many doublings lead from 1 to it?",
        9: "Is 2 to the power of 9 larger than 1,000?",
        11: "With one doubling fewer, is it not larger than 1,000 already?",
        20: "You count the comparisons, and a comparison leaves no node: it has no slope.",
    },
    hint="A node comes of each pass that ran (lesson 03). How often must 1 be doubled to get "
    "above 1,000?",
    because="2 to the power of 10 is 1,024. Each pass leaves one node, and the comparison none.",
)
two_backwards = partial(
    lesson.predict,
    "loss = (w * w).sum(). loss.backward() is called, and then loss.backward() once more. What "
    "happens at the second call?",
    "an error",
    choices=["an error", "w.grad is as after the first call", "w.grad is twice as large"],
    mistakes={
        "w.grad is as after the first call": "Then the second call would pass over the product in "
        "silence. What does a visit there need, and is it still there?",
        "w.grad is twice as large": "That would be so with retain_graph=True in the first call. "
        "Without it, does the product still have what it needs for its slope?",
    },
    hint="What has the first pass done with what the product had saved (lesson 05)?",
    because="The first pass has freed what the product had saved: there is nothing to multiply by.",
)

# ----------------------------------------------------------------------------- without a picture

on_paper = partial(
    lesson.predict,
    "On paper: x is an array of data, 100 × 100, that was there before; u and v are parameters of "
    "the same shape. y = torch.tanh(x @ u) * torch.sigmoid(x @ v), and loss = (y ** 2).sum(). How "
    "many arrays of 100 × 100 are saved, before backward()? (Parameters and x do not count.)",
    3,
    mistakes={
        5: "tanh and sigmoid save their results, and the product saves the same two arrays. They "
        "are there only once.",
        6: "The results of x @ u and x @ v are needed by nobody on the way back.",
        7: "The results of x @ u and x @ v are needed by nobody on the way back, and what two "
        "nodes save is there only once.",
        2: "And the square? What is its slope worked out from?",
        4: "Does the sum save anything? Or which of the others did you count twice?",
        8: "Go through the six operations one by one: what is the slope of each worked out from?",
    },
    hint="Six operations: two products of matrices, tanh, sigmoid, a product, a square (and a sum, "
    "which saves nothing). Which new arrays do their slopes need?",
    because="The results of tanh and of sigmoid, which the product shares, and y, which the square "
    "needs.",
)
