"""What notebook 07 asks. Its exercises are in ``nb07_judges`` and ``nb07_trees``.

Here, and not in the cells, so that nobody reads an answer before giving one.
"""

from __future__ import annotations

from functools import partial

from minigrad import lesson
from minigrad.lesson import broke

from .graphs import nodes
from .nb07_judges import combine, mask, neighbours
from .nb07_trees import Example, described, nest, value

__all__ = ["Example", "combine", "described", "mask", "neighbours", "nest", "nodes", "value"]

# ------------------------------------------------------------------------- a graph for each name

longer_name = partial(
    lesson.predict,
    "For amy, which has three letters, 14 nodes are recorded, the loss included. How many are "
    "recorded for maria?",
    22,
    mistakes={
        14: broke(
            "ran",
            "The loop runs once for each letter. What does each of its passes leave?",
        ),
        16: "maria has two letters more. Count the operations that run for one letter: there is "
        "more than one in step().",
        18: "That would be right for a name with one letter more.",
        23: "Not all of the nodes are repeated for each letter. Which two run only once?",
        20: "4 · 5 are the nodes of the loop. What runs once more, after the last letter?",
        17: broke("record", "Each call in step() is an operation, the look-up of a row too."),
    },
    hint="In step() a row is looked up, two rows are joined, a Linear runs, and tanh. Only "
    "the decision and the loss stand outside the loop.",
    because="Four operations for each of the five letters, and two more at the end: 4 · 5 + 2.",
)

where_new = partial(
    lesson.predict,
    "The graph of amy lies beside that of al. Go along both from the inputs to the loss: where do "
    "the extra nodes of amy stand?",
    "in the middle",
    choices=["at the beginning", "in the middle", "at the end"],
    mistakes={
        "at the beginning": "Both names have a first and a second letter. When is a third one "
        "read?",
        "at the end": "What runs last, for each name, after all of its letters?",
    },
    hint="Go along the program: what runs before the loop, what in it, and what after it?",
    because="Two passes of the loop are there for both names. In amy one more follows, and then "
    "the decision and the loss, as before.",
)

arrivals = partial(
    lesson.predict,
    "There is one cell.weight, and the network reads maria. How often does a gradient arrive at "
    "cell.weight during one call of backward()?",
    5,
    mistakes={
        1: broke(
            "add",
            "There is one .grad, that is true. But how many operations have used the weight?",
        ),
        22: "That is how many nodes there are. Which of them use this weight?",
        4: "That is how many operations a pass of the loop has. How many of them use this weight, "
        "and how many passes are there?",
        20: "That is how many operations run in the loop. How many of them use this weight?",
        6: "The decision has a weight of its own. Which operations use cell.weight?",
        3: "amy has that many letters, but it is maria that is read.",
        2: "Look at the code: the weight is used inside of the loop.",
        0: broke("fills", "backward() fills .grad, and this weight is a leaf like any other."),
    },
    hint="Each use of a weight is a path from it to the loss. How many uses are there?",
    because="The weight is used once for each letter, so five paths lead from it to the loss, and "
    "what arrives along them is added up.",
)

what_fits = partial(
    lesson.predict,
    "Which of these could `small` read with the weights that it has?",
    "a name of 40 letters",
    choices=[
        "a name of 40 letters",
        "letters that are three numbers each, instead of two",
        "both of them",
        "neither of them",
    ],
    mistakes={
        "letters that are three numbers each, instead of two": "How many columns has cell.weight, "
        "and how many numbers would it be given at each letter?",
        "both of them": "In one of the two, each pass of the loop would be given more numbers than "
        "before. Is there a weight for each of them?",
        "neither of them": "What did maria need that amy had not: new weights, or more passes?",
    },
    hint="cell.weight has one column for each number that a pass reads, two of the letter and two "
    "of the state. Which of the two changes what a single pass reads?",
    because="More letters only mean more passes with the same weights. A wider row for each letter "
    "does not fit into a pass: cell.weight has no column for the third number.",
)

# ----------------------------------------------------------------------------- many names at once

same_scores = partial(
    lesson.predict,
    "Beside christopher, al and gary get the same scores, -0.558 and 0.565. Why?",
    "the padding has driven the name out of the state",
    choices=[
        "both names have an a, and the other letters do not count",
        "the padding has driven the name out of the state",
        "a network with random weights gives all names the same scores",
    ],
    mistakes={
        "both names have an a, and the other letters do not count": "Alone, their scores were "
        "quite different. What is read beside christopher that is not read alone?",
        "a network with random weights gives all names the same scores": "Alone, the two names got "
        "different scores from this very network.",
    },
    hint="The two names differ when their last letters have been read. What happens to their "
    "states after that?",
    because="The same padding is read many times over, and each time less is left in the state "
    "of what the letters had made of it.",
)

how_much_padding = partial(
    lesson.predict,
    "800 names are read, 32 at a time, and in each batch all are filled up to the longest. How "
    "much of what the cell reads is padding?",
    "about a third",
    choices=["about a twentieth", "about a third", "about three quarters"],
    mistakes={
        "about a twentieth": "Most of the names have about six letters. How many has the longest "
        "of 32, do you think?",
        "about three quarters": "Then the longest name of a batch would have to be four times as "
        "long as the average one.",
    },
    hint="On average a name has six letters, and the longest of 32 has nine or ten.",
    because="6 of 9 or 10 places hold a letter, and the others hold padding.",
)

which_agrees = partial(
    lesson.predict,
    "The gradient of the mean loss of all 200 names is found with one name at a time. Then it is "
    "found twice more in padded batches: with the mask, and without it. Which of these two agrees "
    "with the first one to twelve decimal places?",
    "only the one with the mask",
    choices=["both of them", "only the one with the mask", "neither of them"],
    mistakes={
        "both of them": "Read like letters, the padding moved the scores in section 1. What does "
        "that do to the loss, and to its gradient?",
        "neither of them": "Padding is computed in both of them. But what does torch.where send "
        "back to a state that it did not choose?",
    },
    hint="A gradient belongs to a loss. In which of the two does each name have the loss that it "
    "has alone, and what comes back from the places of padding there?",
    because="With the mask the losses are those of the names alone, and to a state that was not "
    "chosen a 0 is sent back: the padding adds nothing. What remains is the order in which numbers "
    "are added up, and that moves only the last digits.",
)

how_much_faster = partial(
    lesson.predict,
    "One by one, the cell is called 4,810 times, with one name each. Padded, it is called 234 "
    "times, with 32 names each, and a third of what it reads is padding. How long does the padded "
    "way take?",
    "less than a fifth of the time",
    choices=["longer: it reads more", "about half of the time", "less than a fifth of the time"],
    mistakes={
        "longer: it reads more": "It reads more numbers, but with far fewer calls. Which of the "
        "two takes the time, when a name brings 40 numbers to a call?",
        "about half of the time": "A call of an operation takes a few millionths of a second, for "
        "one name as for 32. Compare the numbers of calls.",
    },
    hint="With so few numbers, most of the time goes into the calls, and little of it into the "
    "multiplications.",
    because="At this size a call costs nearly the same with 32 names as with one, and there are "
    "twenty times fewer calls.",
)

fewest_calls = partial(
    lesson.predict,
    "The same 800 names, now with up to 300 in a batch. Which of the three ways calls the cell "
    "least often?",
    "padded",
    choices=["one by one", "padded", "bucketed"],
    mistakes={
        "one by one": "It calls the cell for each letter of each name, whatever a batch may hold.",
        "bucketed": "No bucket may hold names of two lengths. Into how many batches do 800 names "
        "fall then, and into how many without buckets?",
    },
    hint="For a batch, the cell is called as often as its longest name has letters. How many "
    "batches are there with buckets, for names of ten lengths, and how many without?",
    because="Three padded batches need at most 11 calls each. In buckets, each length needs a "
    "batch of its own, however few names have it.",
)

# ----------------------------------------------------------------------------- a mask is forgotten

would_you_notice = partial(
    lesson.predict,
    "With the mask, the network is right about 74 of 100 names that it never saw. Without it, for "
    "names read in batches of 32 as in the training: about how many?",
    "73",
    choices=["50", "62", "73"],
    mistakes={
        "50": "That is guessing. The network still reads all of the letters before the padding "
        "comes.",
        "62": "In training the network has seen padding behind nearly every name: could it not "
        "learn to live with it?",
    },
    hint="A network that is trained with a fault learns to make up for it, as far as it can.",
    because="It has learned to expect padding behind a name. So the one number that everybody "
    "looks at hides the fault.",
)

how_many_flip = partial(
    lesson.predict,
    "The same network reads the 1,200 names once more, this time each of them alone. For how many "
    "of them does the answer differ from the one in the batch of 32?",
    "more than a hundred",
    choices=["a handful, such as gary", "about fifty", "more than a hundred"],
    mistakes={
        "a handful, such as gary": "What does the network read after the last letter of a short "
        "name: in a batch, and alone? And how many names are short?",
        "about fifty": "Nearly every name is followed by padding in a batch, and by none when "
        "it is alone. In how many of the names is there something that can move a score?",
    },
    hint="It has learned to read names with padding behind them. Alone, a name has none.",
    because="Alone, a name has no padding behind it, and the network has hardly ever seen that.",
)

nan_in_the_padding = partial(
    lesson.predict,
    "The row of the padding holds NaN, and the mask is there. The scores are numbers. What is in "
    "cell.weight.grad after backward()?",
    "NaN",
    choices=["the same as with any other padding", "NaN", "0"],
    mistakes={
        "the same as with any other padding": "The cell has read the padding before torch.where "
        "left its state out. A 0 is sent back to that state. By what is this 0 "
        "multiplied on its way back through tanh?",
        "0": "Something does arrive, from all of the letters that are no padding.",
    },
    hint="Lesson 06 had a root of 0 behind a torch.where. What became of the 0 that was sent back?",
    because="0 is sent back to the state that was not chosen, and on its way through tanh it is "
    "multiplied by a slope that is NaN: 0 times NaN is NaN. A mask chooses; it does not protect.",
)

# -------------------------------------------------------------------------------- expressions

nodes_of_a_tree = partial(
    lesson.predict,
    "How many nodes are recorded for the vector of not (True and False)?",
    5,
    mistakes={
        2: "That is for the `not` alone. What ran before, to make its input?",
        3: "That is for the `and` alone. What runs afterwards?",
        7: broke("leaf", "True and False are parameters: no operation made them."),
        6: "Where is something joined? A `not` has one input.",
        4: "An `and` joins two vectors before its Linear: that is an operation, too.",
    },
    hint="An `and` joins, runs its Linear, and then tanh; a `not` has nothing to join.",
    because="Three for the `and`, two for the `not`. The constants are leaves.",
)

how_deep = partial(
    lesson.predict,
    "It has learned from expressions of the depths 0 to 3. How many of 300 expressions of depth 7 "
    "does it get right?",
    "more than 95 %",
    choices=["about 50 %", "about 75 %", "more than 95 %"],
    mistakes={
        "about 50 %": "That is guessing. Which part of the network is new, when an expression is "
        "deeper?",
        "about 75 %": "What would it have to know for a deep expression that it need not know for "
        "a shallow one?",
    },
    hint="A deep expression is made of the same three rules. What do they need to know of how deep "
    "they are?",
    because="Each rule only needs to know whether its inputs stand for True or False. Where in the "
    "tree it is used does not matter.",
)

whose_vector = partial(
    lesson.predict,
    "For which of these expressions does it make the vector +0.8 -0.6 -0.9 -1.0?",
    "not (False and True)",
    choices=["not True", "not (False and True)", "True and False"],
    mistakes={
        "not True": "A `not` turns the value of its side round. Which of the two vectors above "
        "belongs to that value?",
        "True and False": "An `and` is True only if both of its sides are. Which of the two "
        "vectors above belongs to the value of this one?",
    },
    hint="The vector lies close to that of not False. Which of the three is true?",
    because="It lies close to the vector of not False, and of the three this one alone is true.",
)

too_shallow = partial(
    lesson.predict,
    "It learns from the constants and from expressions with one operation, and gets all of those "
    "right. How many of 300 expressions of depth 7 does it get right, with three seeds?",
    "less than 95 %, and different with each seed",
    choices=[
        "more than 95 % each time",
        "less than 95 %, and different with each seed",
        "about 50 % each time",
    ],
    mistakes={
        "more than 95 % each time": "At depth 7 a rule gets what another rule has made. In which "
        "of these examples has it ever got that?",
        "about 50 % each time": "That would be guessing. What one rule makes may happen to be "
        "something that the next one reads correctly.",
    },
    hint="With one operation, the inputs of a rule are always the two constants. What will they be "
    "in a deeper expression, and does anything in these examples say how a rule should take them?",
    because="Nothing in these examples asks that one rule should be able to read what another one "
    "has made. How often it can is left to chance, and so it differs from seed to seed.",
)

# ------------------------------------------------------------------------------ earlier notebooks

bias_of_six = partial(
    lesson.predict,
    "A bias of the shape (4,) is added to each of 6 rows, and the loss is the sum of all results. "
    "What is each number of bias.grad?",
    6,
    mistakes={
        1: broke("shape", "That arrives from one row. How many rows have used the bias?"),
        4: broke("shape", "That is how many numbers the bias has. What is in each of them?"),
        24: "That is the sum of all of them together.",
    },
    hint="Nudge one number of the bias by 1. In how many places does a result move?",
    because="Each number of the bias is used in all of the rows, and what arrives is added.",
)
nodes_of_a_loop = partial(
    lesson.predict,
    "w is a leaf that requires a gradient. h = w, and then four times h = h * w. How many nodes "
    "are behind h?",
    4,
    mistakes={
        1: broke("ran", "The line stands once in the program. How often did it run?"),
        5: broke("leaf", "w is a leaf: no recorded operation made it."),
        8: "There are as many edges. How many multiplications ran?",
    },
    hint="A loop leaves no node of its own. What do its passes leave?",
    because="Each pass leaves the node of its multiplication, and w is a leaf.",
)
in_a_list = partial(
    lesson.predict,
    "A model has self.hidden = [nn.Linear(64, 32)], and its forward() uses self.hidden[0]. The "
    "optimizer is given model.parameters(). What happens to the weights of this layer in training?",
    "they keep their random numbers",
    choices=[
        "they are trained like the others",
        "they keep their random numbers",
        "an error says that the layer is not registered",
    ],
    mistakes={
        "they are trained like the others": "backward() does reach them. But whom does the "
        "optimizer move?",
        "an error says that the layer is not registered": "A model may hold any list, and nobody "
        "looks into it. Who is missing the layer, then?",
    },
    hint="Does parameters() look into a plain list?",
    because="A module finds only what is registered, and a layer in a plain list is not. "
    "nn.ModuleList is a list into which it looks.",
)

# ----------------------------------------------------------------------------- without a picture

on_paper = partial(
    lesson.predict,
    "On paper: h begins with 0. For each x of 1, 2, 3 in turn, h = w * h + x. w is 2. What is the "
    "gradient of w, seen from the last h?",
    6,
    mistakes={
        4: broke("add", "That is what arrives from the last pass. Was w used before?"),
        5: broke(
            "multiply",
            "You have added up what stood beside w in each pass. But what happens to the early "
            "one on its way to the last h?",
        ),
        11: "That is the last h itself. How does it move when w moves?",
        3: broke("direction", "The x are added. How does h move when w is nudged?"),
        7: "Write down h after each pass: 1, then 4. What stands beside w when the second pass "
        "begins?",
    },
    hint="h is 1 after the first pass and 4 after the second. In each pass w is multiplied by the "
    "old h; what comes of an early pass goes through the later ones.",
    because="The third pass sends 4, the h before it. The second one sends 1, times the w of the "
    "pass that follows, which is 2. The first one sends 0. Together 4 + 2.",
)
