"""What notebook 06 asks. Its exercises stand in the files named ``nb06_...`` beside it.

Here, and not in the cells, so that nobody reads an answer before giving one.
"""

from __future__ import annotations

from functools import partial

from minigrad import lesson
from minigrad.lesson import broke

from .graphs import nodes
from .nb06_choices import (
    reports,
    show_reports,
    show_suspects,
    show_uses,
    two_tests,
    uses,
)
from .nb06_distance import distance
from .nb06_judges import careful, dead, own, register, still
from .nb06_moves import moves, show_moves
from .nb06_smooth import smooth

__all__ = [
    "careful",
    "dead",
    "distance",
    "moves",
    "nodes",
    "own",
    "register",
    "reports",
    "show_moves",
    "show_reports",
    "show_suspects",
    "show_uses",
    "smooth",
    "still",
    "two_tests",
    "uses",
]

# ------------------------------------------------------------------------ a loss that stands still

nothing_arrives = partial(
    lesson.predict,
    "backward() has run in each step, without an error. What is in taxi.weight.grad now?",
    "None",
    choices=["None", "0", "a number other than 0"],
    mistakes={
        "0": "A 0 would have been sent by somebody: it says that the loss does not move when the "
        "weight moves. Has anything been sent at all?",
        "a number other than 0": broke(
            "leaf",
            "Follow the history of the loss backwards from its last line. Who made the tensor that "
            "is called loss, and from what?",
        ),
    },
    hint="torch.tensor(number) makes a tensor from a plain number. Does a plain number know where "
    "it comes from?",
    because="The tensor loss was made from a number, so it is a leaf. backward() fills the .grad "
    "of this leaf, and knows of no other.",
)

# ----------------------------------------------------------------------------------- the way home

where_first = partial(
    lesson.predict,
    "At the step in which the first NaN arises, the taxi stands exactly at home. Which of these is "
    "the first to be NaN?",
    "place.grad",
    choices=["far", "place.grad", "place"],
    mistakes={
        "far": "Work it out: the difference is 0, its square is 0, and the root of 0 is a number.",
        "place": "Of the three, this is the last to be written. From what is it worked out?",
    },
    hint="Work out what the forward pass computes for a distance of 0, one operation after the "
    "other. Then ask what is computed next.",
    because="The forward pass only meets numbers: 0, its square, and the root of that. The NaN "
    "arises on the way back.",
)

sent_by_the_root = partial(
    lesson.predict,
    "The taxi stands exactly at home, and backward() starts with 1. What does the root send back "
    "to the square?",
    "infinity",
    choices=["0", "1", "infinity", "NaN"],
    mistakes={
        "0": broke("local", "That would be the slope of a flat curve. Is the root flat at 0?"),
        "1": broke("multiply", "So much arrives at the root. By what does the root multiply it?"),
        "NaN": "The root multiplies the 1 by one slope. When you try to write this slope down, is "
        "it a thing without any value?",
    },
    hint="Draw the curve of the root. How steep is it at 0, where it begins?",
    because="The nearer to 0, the steeper is the root, without any bound.",
)

does_where_help = partial(
    lesson.predict,
    "The root is only chosen where the square is above 0. Where does the first NaN arise now?",
    "in the same step",
    choices=["nowhere", "in the same step", "some steps later"],
    mistakes={
        "nowhere": "torch.where chooses between two values that have both been computed. Did the "
        "root of 0 run?",
        "some steps later": "The taxi takes the same way as before, until it stands at "
        "home. What is different there?",
    },
    hint="Both branches are computed, and so both are in the graph. What does torch.where send "
    "back to the branch that it did not choose, and by what is that multiplied?",
    because="To the branch that was not chosen it sends a 0. The root multiplies it by its slope, "
    "infinity, and 0 times infinity is NaN again.",
)

# ----------------------------------------------------------------------------- layers that stay

how_many_known = partial(
    lesson.predict,
    "Linear(64, 32) has 2,080 numbers, and Linear(32, 10) has 330. How many does the optimizer of "
    "this reader get?",
    330,
    mistakes={
        2410: "So many numbers are used in forward(). But parameters() knows what was registered.",
        2080: "That is the layer in the list. Who tells the model what is in a list?",
        0: "One of the two is registered: self.out is a module.",
        2: "Those are tensors. Count the numbers in them.",
    },
    hint="A model finds its parameters in its attributes. Which of the two attributes is a module?",
    because="self.out is a module, and is found. self.hidden is a list, and nobody looks into it.",
)

against_short_steps = partial(
    lesson.predict,
    "One hypothesis: the steps are too short, so the program has not arrived after 600 of them. "
    "Which of these findings would speak against it?",
    "the gradients at the end are almost 0",
    choices=[
        "the loss is 18 at the end",
        "all guesses are the same",
        "the gradients at the end are almost 0",
    ],
    mistakes={
        "the loss is 18 at the end": "A program that is still on its way has a large loss as well. "
        "Which finding would tell the two apart?",
        "all guesses are the same": "That is the symptom. A rate that began near 0 and has hardly "
        "moved would show it as well.",
    },
    hint="Imagine two programs, one that is still on its way and one that has arrived. Which of "
    "the three would you see in only one of them?",
    because="A step is the learning rate times the gradient. Where the gradient is 0, longer steps "
    "lead nowhere, either.",
)

right_in_a_row = partial(
    lesson.predict,
    "The training followed the slope of its loss downwards, until that was flat, at 18. The fares "
    "still stand in a row. What loss does the right price list get now?",
    "more than 18",
    choices=["0", "a loss between 0 and 18", "more than 18"],
    mistakes={
        "0": "Each guess is right for its own ride. But with how many fares is it compared?",
        "a loss between 0 and 18": "Then there would have been something better to be found, and "
        "this loss has only one valley. Why should the training have stopped at 18?",
    },
    hint="Take the ride that costs 7, and is guessed to cost 7. Which five differences does it "
    "add to the loss?",
    because="A right guess of 7 is compared with 7, 10, 13, 16 and 19. Every right guess is "
    "punished for being none of the four other fares.",
)

which_shape = partial(
    lesson.predict,
    "guess has the shape (5, 1), and flat has the shape (5,). What is the shape of guess - flat?",
    "(5, 5)",
    choices=["(5, 1)", "(5,)", "(5, 5)", "an error"],
    mistakes={
        "(5, 1)": broke("align", "Write the two shapes below each other, at the right edge."),
        "(5,)": broke("align", "Write the two shapes below each other, at the right edge."),
        "an error": broke("align", "A length of 1 may always be stretched. Is there one?"),
    },
    hint="At the right, 1 stands above 5; to the left of it, 5 stands above nothing.",
    because="The column is stretched to the right and the row downwards: each guess meets each "
    "fare.",
)

who_gets_some = partial(
    lesson.predict,
    "All 32 units of the middle layer are 0, for every image. Which parameters get a gradient that "
    "is not 0?",
    "only the bias of layer 3",
    choices=[
        "all four",
        "the weight and the bias of layer 3",
        "only the bias of layer 3",
        "none",
    ],
    mistakes={
        "all four": broke(
            "multiply",
            "On its way to layer 1 the gradient meets the slope of ReLU at a negative number. What "
            "is it multiplied by there?",
        ),
        "the weight and the bias of layer 3": broke(
            "local",
            "The slope of weight times input, seen from the weight, is the input. What comes in?",
        ),
        "none": "One of the four is added without being multiplied by anything that is 0.",
    },
    hint="Layer 3 computes weight · hidden + bias, and hidden is 0. Nudge each of its numbers.",
    because="A weight of layer 3 is multiplied by a unit that is 0, and layer 1 lies behind a "
    "slope that is 0. The bias is just added.",
)

may_some_be_dead = partial(
    lesson.predict,
    "With the learning rate 1.0, some of the 32 units are dead when the training is over. How many "
    "of the digits does this network read?",
    "about as many as with 0.2",
    choices=["no more than by chance", "about half of them", "about as many as with 0.2"],
    mistakes={
        "no more than by chance": "So it was when no unit was left alive. What does layer 3 get "
        "here?",
        "about half of them": "So it might be if units were taken out of a network that is trained "
        "already. When did these units die?",
    },
    hint="Ask of the units that live: does their gradient change when another one is dead?",
    because="The units that live learn to do without the dead ones. That is why a few dead units "
    "are seldom noticed.",
)

# ----------------------------------------------------------------------------- ten by heart

best_softmax = partial(
    lesson.predict,
    "Suppose that the softmax does the best it can: 1 for the right digit, and 0 for each of the "
    "nine others. What does F.cross_entropy make of these ten numbers?",
    "about 1.46",
    choices=["0", "about 1.46", "about 2.30"],
    mistakes={
        "0": "So it would be if they were taken for probabilities. For what does F.cross_entropy "
        "take the ten numbers that it gets?",
        "about 2.30": "That is what ten equal numbers get. Here one of them is above the others.",
    },
    hint="F.cross_entropy takes what it gets for scores, and turns them into probabilities. How "
    "far is a score of 1 above nine scores of 0?",
    because="As a score, 1 is not far above 0. The right digit gets the probability e / (e + 9), "
    "which is about 0.23, and minus the logarithm of that is the loss.",
)

# ----------------------------------------------------------------------------- what grows

how_many_held = partial(
    lesson.predict,
    "One epoch has 45 batches. The scores of each lead back to three nodes, those of the two "
    "Linear layers and of Tanh. backward() is called in each step. How many nodes does the list of "
    "all scores keep alive at the end of the epoch?",
    135,
    mistakes={
        45: "So many tensors of scores are in the list. Each leads to the operations that made it.",
        3: "Those belong to one batch. The list holds the scores of all.",
        0: "backward() frees what the nodes have saved. The nodes stay as long as something leads "
        "to them.",
        180: "The loss is not in the list. Which operations lead to the scores?",
    },
    hint="The scores have a grad_fn, which leads to what made them. How many nodes is that for one "
    "batch?",
    because="45 batches with three nodes each. They stay as long as the list does.",
)

which_is_light = partial(
    lesson.predict,
    "The list also holds the images x and the labels y. Which of these could stand beside them in "
    "the place of scores, without keeping any node alive?",
    "scores.argmax(1)",
    choices=["scores[0]", "scores.argmax(1)", "scores * 1.0", "scores.sum()"],
    mistakes={
        "scores[0]": broke("record", "To take a part is an operation, too, and it leads back."),
        "scores * 1.0": broke("record", "A product is an operation: it leads back to the scores."),
        "scores.sum()": broke("record", "It is one number, but a tensor with a whole history."),
    },
    hint="Which of the four results cannot have a slope, because it jumps?",
    because="It gives whole numbers, the places of the largest scores. They have no history.",
)

how_many_visited = partial(
    lesson.predict,
    "With retain_graph=True this program runs without an error. The first backward pass visits 4 "
    "nodes. How many does the tenth one visit?",
    49,
    mistakes={
        4: "So it would be if each average began anew. What leads from the new one to the old?",
        40: "Each later step has one operation more than the first one: which one?",
        50: "In the first step the old average is a tensor that requires no gradient, so 0.9 "
        "times it is not recorded.",
        5: "So many are new in the tenth step. But the pass walks all that leads to the average.",
        45: "In which step are there 4, and in which 5?",
        10: "So many steps there are. How many operations does a step add to the average?",
    },
    hint="Count the operations that lead to the average after one step, and those that a second "
    "step adds.",
    because="The first step records 4 operations. Each later one records 5, because 0.9 times the "
    "old average is recorded as well, and all earlier ones hang behind it: 4 + 9 · 5.",
)

which_line = partial(
    lesson.predict,
    "The program stops with an error. Which line has to be changed?",
    "ride += 4.0",
    choices=["ride = torch.tanh(rate * km)", "ride += 4.0", "loss.backward()"],
    mistakes={
        "loss.backward()": "There the fault is noticed. What should backward() do with a number "
        "that is not there any more?",
        "ride = torch.tanh(rate * km)": "This line is right. It keeps its result, because the "
        "slope of tanh is worked out from it. Who has spoiled that result?",
    },
    hint="One line saves a value, one overwrites it, and one misses it.",
    because="It writes over the result that tanh has saved. ride = ride + 4.0 makes a new tensor, "
    "and leaves the old one alone.",
)

error_in_which_step = partial(
    lesson.predict,
    "The model has two layers now, and retain_graph=True stays. Where does the first error come?",
    "in the second step",
    choices=["in the first step", "in the second step", "in the tenth step", "nowhere"],
    mistakes={
        "in the first step": "Then the average has only one loss behind it, and nobody has moved a "
        "weight since it was computed. Which pass goes through an older graph?",
        "in the tenth step": "What spoils an old graph, and how often has that happened by then?",
        "nowhere": "Nothing is freed. But does each number that was saved still stand there after "
        "optimizer.step()?",
    },
    hint="On its way to the first layer the gradient is multiplied by the weight of the second. "
    "When is this weight saved, and when is it written over?",
    because="step() writes over a weight that the first graph has saved. The next backward pass "
    "goes through this graph once more, and needs the old weight.",
)

found_where_it_is = partial(
    lesson.predict,
    "Two errors: (1) a saved value was written over, (2) a shape does not fit. Which of them is "
    "raised in the line that has to be changed?",
    "only (2)",
    choices=["both", "only (1)", "only (2)", "neither"],
    mistakes={
        "both": "In which line did you meet the error about a value that was written over?",
        "only (1)": "Who needs the value that was written over, and when?",
        "neither": "A matrix product compares the two shapes when it runs. In which line is that?",
    },
    hint="Ask of each of them at which moment somebody notices: on the way forward, or on the way "
    "back?",
    because="The product runs in its own line, and notices there. A value that was written over is "
    "missed only when backward() wants it.",
)

named_as_culprit = partial(
    lesson.predict,
    "On the way back, the root is called SqrtBackward0, and the square PowBackward0. Which of the "
    "two will the error name?",
    "PowBackward0",
    choices=["SqrtBackward0", "PowBackward0"],
    mistakes={
        "SqrtBackward0": "That is where the fault is. But what is it that the tool looks for?",
    },
    hint="What did the player of section 1 show behind each of the two? And what is it that this "
    "tool looks for?",
    because="The root returns infinity, and the square makes NaN of it. The tool looks for NaN, "
    "so it names the neighbour of the culprit.",
)

which_survive = partial(
    lesson.predict,
    "ride += 4.0 writes over the result of a function: tanh, exp, sin or square. For which of the "
    "four does backward() raise no error?",
    "sin and square",
    choices=["none of them", "tanh and exp", "sin and square", "all of them"],
    mistakes={
        "none of them": "An error is raised where a saved number was spoiled. Does each of the "
        "four have to save its result?",
        "tanh and exp": "Write down the slope of exp. From which number, that you have already, "
        "would you take it?",
        "all of them": "You have just seen one of them fail. What had it saved?",
    },
    hint="The slope of exp(x) is exp(x) again, and that of x * x is 2 * x. In which of the two is "
    "it the result that you need?",
    because="Their slopes are worked out from their inputs, so only these are saved. tanh and exp "
    "work theirs out from the result.",
)

# ------------------------------------------------------------------------------ earlier notebooks

adds_up = partial(
    lesson.predict,
    "w.grad is None. backward() is called for loss = 3 * w, and then, without clearing, for "
    "loss = 5 * w. What is in w.grad?",
    8,
    mistakes={
        5: broke("accumulate", "So it would be if backward() replaced what is there."),
        15: broke("accumulate", "The two are not on one path. What does backward() do to .grad?"),
        3: broke("accumulate", "That is what the first call left. And the second?"),
    },
    hint="What does the second call find in .grad, and what does it do with it?",
    because="3 from the first call, and 5 is added by the second.",
)
product_rule = partial(
    lesson.predict,
    "y = w * w, and w is 3. What is the gradient of w?",
    6,
    mistakes={
        3: broke("add", "That is what arrives by one of the two places in which w stands."),
        9: "That is y. How does y move when w moves?",
    },
    hint="Two paths lead from w to y. What arrives along each of them?",
    because="3 arrives along each of the two paths, and where they meet they are added.",
)
whose_branch = partial(
    lesson.predict,
    "y = 2 * x if x > 1 else 7 * x, and x is 1. What is the gradient of x?",
    7,
    mistakes={
        2: broke("ran", "Is 1 > 1?"),
        9: broke("ran", "Both products would have to run for that."),
        0: broke("ran", "The comparison sends nothing back. But one of the products has run."),
    },
    hint="Which of the two products runs?",
    because="1 > 1 is False, so only 7 * x ran, and only that was recorded.",
)

# ----------------------------------------------------------------------------- without a picture

on_paper = partial(
    lesson.predict,
    "On paper: y = torch.where(x > 0, x.log(), x * 2), and x is 0. Its value is 0. What is the "
    "gradient of x?",
    "NaN",
    choices=["0", "2", "infinity", "NaN"],
    mistakes={
        "2": "That is what the chosen branch sends back. Is it the only one that sends something?",
        "0": "The chosen branch has the slope 2. And the other one?",
        "infinity": "That is the slope of the logarithm at 0. By what is it multiplied?",
    },
    hint="Both branches have run. What does torch.where send to each, and what is the slope of the "
    "logarithm at 0?",
    because="The product sends back 1 · 2, the logarithm 0 · infinity, which is NaN. Where paths "
    "meet, what arrives is added, and NaN plus 2 is NaN.",
)
