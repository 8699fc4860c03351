"""What notebook 09 asks. What it runs is in ``nb09_runs``.

Its exercises are in ``nb09_judges``, ``nb09_plan``, ``nb09_groups`` and ``nb09_own``.

Here, and not in the cells, so that nobody reads an answer before giving one.
"""

from __future__ import annotations

from functools import partial

from minigrad import lesson
from minigrad.lesson import broke

from .nb09_groups import draw_groups, groups
from .nb09_judges import brackets, span
from .nb09_own import draw_own, own
from .nb09_plan import draw_plan, plan

__all__ = ["brackets", "draw_groups", "draw_own", "draw_plan", "groups", "own", "plan", "span"]

# ------------------------------------------------------------------------------ seven additions

in_pairs = partial(
    lesson.predict,
    "in_pairs, with as many workers as you like, and a minute for each addition: after how many "
    "minutes is the sum there?",
    3,
    mistakes={
        7: "That is how long one worker takes, one after the other. Which additions need not wait "
        "for another one?",
        4: "Four of them can be done in the same minute, by four workers. Count the rounds, and "
        "not the additions of the first one.",
        1: "Who adds (a + b) and (c + d) must have both of them first.",
        2: "How many numbers are left after two rounds?",
        8: "There are eight fares. How often are two numbers added?",
    },
    hint="Write down which numbers exist after the first minute, after the second one, and so on.",
    because="After a minute there are four sums, then two, then one.",
)

one_by_one = partial(
    lesson.predict,
    "And one_by_one, with as many workers as you like?",
    7,
    mistakes={
        3: "That was the time in pairs. Python reads a + b + c from the left: where would it set "
        "brackets here?",
        4: "Which additions could be done in the first minute?",
        6: "Count the plus signs of the program.",
        1: "For the second addition, a sum is needed that is not there yet.",
        8: "There are eight fares. How often are two numbers added?",
    },
    hint="Python reads a + b + c as (a + b) + c. Which addition can begin while another one is "
    "still being done?",
    because="Each addition waits for the one before it, so nobody but the first worker ever has "
    "anything to do.",
)

# -------------------------------------------------------------------------------- a schedule

operations = partial(
    lesson.predict,
    "How much work is in the graph of four_rides, if each operation costs 1?",
    19,
    mistakes={
        16: "Those are the operations of the rides. What makes one number of the four squares?",
        4: "That is a single ride. How many rides are there, and what joins them?",
        20: "How often must one add, to make one number of four?",
        17: "The rides are counted rightly. But an addition joins only two numbers: how many does "
        "it take for four squares?",
        18: "The rides are counted rightly. But an addition joins only two numbers: how many does "
        "it take for four squares?",
        24: "The rate and the other numbers are not operations: count only the signs. (And if you "
        "have put in a fifth ride, this question goes on asking about four.)",
        15: "Perhaps one operation is missing in each ride. Point at every sign of the formula, up "
        "to the square. Which of them have you not counted?",
        12: "So many operations come of three in each ride. Does the formula have no other sign? "
        "And what makes one number of the squares?",
    },
    hint="Count the signs in one square, and then those in the sum.",
    because="Each of the four rides has four operations, and three additions join the squares.",
)

two_workers = partial(
    lesson.predict,
    "Two workers, and a minute for each operation: at which minute is the loss there?",
    10,
    mistakes={
        9.5: "That is half of the work. Who does half an operation?",
        9: "In so many minutes two workers do 18 operations. How many are there?",
        19: "That is how long one worker takes.",
        6: "That would be enough if there were workers for all four rides at once.",
        8: "In so many minutes two workers do 16 operations. How many are there?",
        11: "Is there a minute, before the last one, in which one of them has nothing to do?",
    },
    hint="How much is there to do, and how much of it can two workers do in a minute?",
    because="Two workers do at most two operations in a minute. Until the very end, the graph has "
    "something to do for both.",
)

FASTER = "sooner than two workers"
AS_FAST = "when two workers are"
SLOWER = "later than two workers"

three_workers = partial(
    lesson.predict,
    "And three workers? They are done …",
    AS_FAST,
    choices=[FASTER, AS_FAST, SLOWER],
    mistakes={
        FASTER: "Three rides are begun at once. Who works on the fourth one, and from when on?",
        SLOWER: "Does any of the rides begin later than before, only because somebody more "
        "is there?",
    },
    hint="Draw the first four minutes: three workers, three rides. What is left then, and for how "
    "many?",
    because="After four minutes three rides are worked out, and the fourth one is a chain, on "
    "which only one worker can be busy.",
)

hundred_workers = partial(
    lesson.predict,
    "And a hundred workers: at which minute is the loss there?",
    6,
    mistakes={
        4: "At that minute the four squares are there. Is that the loss?",
        5: "At that minute there are two sums. Is one of them the loss?",
        1: "The square waits for the difference, the difference for the fare, and so on. How many "
        "operations follow each other in this way?",
        3: "That was the graph of section 1. How long is the path from the rate to the loss here?",
        7: "The two sums of two squares need not wait for each other.",
        10: "That is how long two workers take, and three. What else could be done at the same "
        "time?",
        19: "That is how long one worker takes. How many of the rides have to wait for another?",
    },
    hint="Follow the arrows from a product to the loss. How many operations do you pass?",
    because="That is the longest path, and nobody can shorten it.",
)

# ---------------------------------------------------------------------------- what things cost

cost = partial(
    lesson.predict,
    "A is a matrix of 64 × 64 numbers, and v is a vector of 64. How many multiply-adds does A @ v "
    "cost?",
    4096,
    mistakes={
        64: "That is what a single number of the result costs. How many numbers does the result "
        "have?",
        128: "Each number of the result needs a whole row of A. How long is a row, and how many "
        "rows are there?",
        4032: "The first product is added to what has been summed up so far, too: to 0. Count it.",
        8192: "A multiplication and the addition behind it count as one step together.",
        64**3: "That would be a product of two matrices. How many columns does v have?",
    },
    hint="Each number of the result is made of one row of A and of v: a multiply-add for each pair "
    "of their numbers. How many rows are there?",
    because="The result has 64 numbers, and each of them takes 64 multiply-adds.",
)

FROM_THE_RIGHT = "from_the_right"
PAIRED = "paired"
TOGETHER = "both at the same time"

which_first = partial(
    lesson.predict,
    "A, B, C and D are matrices of 64 × 64 numbers, and v is a vector of 64. There are as many "
    "workers as you like. Which program is done first?",
    FROM_THE_RIGHT,
    choices=[FROM_THE_RIGHT, PAIRED, TOGETHER],
    mistakes={
        PAIRED: "It has fewer rounds. But what does a round cost in which two matrices are "
        "multiplied, and what does one cost with a matrix and v?",
        TOGETHER: "They end with the same vector. Do they multiply equally often before that?",
    },
    hint="A number in A @ B is made of 64 products. How many numbers are there in A @ B, and how "
    "many in A @ v?",
    because="A product with v costs 64 · 64 multiply-adds, and one of two matrices 64 times "
    "as many.",
)

way_back = partial(
    lesson.predict,
    "Eight layers, h = tanh(h @ w). The forward pass has eight products, each of which waits for "
    "the one before. The backward pass has 15. Two workers, a minute for each product, and nothing "
    "else takes time: how many minutes does the backward pass take?",
    8,
    mistakes={
        15: "Does each of them wait for the one before? Who waits for the gradient of a weight?",
        7.5: "Who does half a product?",
        7: "After so many minutes there is still a gradient of a weight to be worked out.",
        16: "The first layer has no layer before it to which a gradient would have to be sent. And "
        "can nothing be done side by side?",
        4: "Two workers do two products in a minute. How many are done then?",
        9: "Must the last two products wait for each other?",
    },
    hint="The rule of a product makes two gradients. That of the layer's input is handed on to the "
    "layer before. What about that of the weights?",
    because="In each minute one worker makes the gradient for the layer before, and the other one "
    "that of the weights.",
)

# ------------------------------------------------------------------------------- real workers

MEET = "they meet"
NEVER = "they do not meet"
CHOICES = [MEET, NEVER]

line_by_line = partial(
    lesson.predict,
    "An ordinary program, line by line: first = ride(2.0, 3), then second = ride(2.0, 5).",
    NEVER,
    choices=CHOICES,
    mistakes={MEET: "When does Python begin with the second line?"},
    hint="The first ride waits for a while, and then it goes on. Has the second one begun by then?",
    because="The second line begins when the first one has ended, though it needs nothing of it.",
)

as_tasks = partial(
    lesson.predict,
    "The same two rides as a graph of tasks, with two workers.",
    MEET,
    choices=CHOICES,
    mistakes={NEVER: "What does the second task wait for?"},
    hint="Both tasks can be given away at once. To how many workers?",
    because="Neither task waits for the other, and there is a worker for each.",
)

walkers = partial(
    lesson.predict,
    "The loss of the four rides has been worked out, so its graph is there as a whole. In the "
    "backward pass, how many of its nodes could be visited at the same moment, at most?",
    4,
    mistakes={
        1: "So it is if they are taken in turn. Do the nodes of different rides wait for each "
        "other?",
        19: broke(
            "wait", "That is all of them. What does the first square of the program wait for?"
        ),
        2: "After the sum at the end there are two. How does it go on?",
        3: "Those are the three sums, and the last of them is visited before the other two. What "
        "can be visited after these?",
        6: "That is the longest path. Can its nodes be visited together?",
        16: broke(
            "wait",
            "These are all the nodes of the rides. Can those of one ride be visited together?",
        ),
    },
    hint="Go through the drawing of section 2 from the loss to the left, column by column.",
    because="As soon as the sums have been visited, there is a node to be visited in each ride.",
)

HALF = "about half as long"
EQUAL = "about as long"
MUCH_LONGER = "many times as long"

tiny_tasks = partial(
    lesson.predict,
    "All matrices are of size 1 × 1. Compared with one line after the other, two workers take …",
    MUCH_LONGER,
    choices=[HALF, EQUAL, MUCH_LONGER],
    mistakes={
        HALF: "That would be so if only the arithmetic took time. What else has to be done "
        "for each task?",
        EQUAL: "The arithmetic is next to nothing here. And what is around it?",
    },
    hint="To give away a task, a worker is chosen and woken, the arguments are looked up, and the "
    "result is noted. How long does it take to multiply two numbers?",
    because="Nearly all of the time goes into handing out, and a program that runs line by line "
    "hands out nothing.",
)

LESS = "clearly less time"

large_tasks = partial(
    lesson.predict,
    "On paper: eight products, each of which keeps one processor busy for 4,000 µs, and 200 µs to "
    "hand one out. There are two processors, which nobody else uses. Compared with one line after "
    "the other, where nothing is handed out, two workers take …",
    LESS,
    choices=[LESS, EQUAL, MUCH_LONGER],
    mistakes={
        EQUAL: "What does the second processor do while one line after the other is worked out?",
        MUCH_LONGER: "So it would be with small matrices. How long does a product take here, and "
        "how long does it take to hand it out?",
    },
    hint="One line after the other takes eight times 4,000 µs. How many products does each of two "
    "workers get, and how long does each of them take with its handing out?",
    because="Each worker does four products, of 200 and 4,000 µs: 16,800 µs instead of 32,000.",
)

shared_already = partial(
    lesson.predict,
    "On paper again, but now the library that multiplies for NumPy shares out each single product "
    "evenly between both processors. Compared with one line after the other, two workers take …",
    EQUAL,
    choices=[LESS, EQUAL, MUCH_LONGER],
    mistakes={
        LESS: "Which processor is free for the second worker?",
        MUCH_LONGER: "The products are as large as before. Does it cost so much to hand them out?",
    },
    hint="How many processors are busy with one line after the other, and how long does a product "
    "take then?",
    because="Both processors are busy with each product, which takes 2,000 µs: 16,000 µs line by "
    "line. A second worker adds nothing but the handing out.",
)

handing_out = partial(
    lesson.predict,
    "To hand out a task takes 4 minutes, and to do it takes 1. There are four workers. At which "
    "minute is the loss of the four rides there?",
    30,
    mistakes={
        6: "That was the time without handing out.",
        10: "Is handing out done once, or for each task?",
        24: "That is all of it, divided by four. Are all four workers busy until the end?",
        23.75: "That is all of it, divided by four. Are all four workers busy until the end?",
        5: "That is a single task. What waits for it?",
        25: "By then there are two sums. Is one of them the loss?",
        76: "That is all the handing out, one after the other. Can it be done side by side?",
        95: "That is a single worker, to whom each task is handed out.",
        120: "Do the tasks of different rides wait for each other? How many tasks does the longest "
        "path have?",
    },
    hint="Take the longest path again. How long does each of its tasks take now?",
    because="The longest path has six tasks, and each of them takes five minutes.",
)

# ---------------------------------------------------------------------------- a wide operation

wide = partial(
    lesson.predict,
    "The graph of each_by_itself has 1,000 operations. How many has the graph of as_vectors?",
    4,
    mistakes={
        1000: "So many numbers are made there, too. But how often does Python ask for an "
        "operation?",
        250: "That is how many numbers each operation makes. How many signs of the formula "
        "ask for one?",
        1: "Point at the signs of the formula. Does each of them ask for an operation?",
        3: "One sign of the formula is missing. Point at each of them, up to the square.",
        2: "The kilometres and the fares stand in two vectors. How many operations are done with "
        "them?",
    },
    hint="In the formula, count the signs that stand between numbers and vectors. Each of them "
    "asks once, for all rides.",
    because="A product, a sum, a difference and a square, each for 250 rides at once.",
)

SAME_TIME = "as long as before"
THOUSANDTH = "a thousandth of the time"
HALVED = "about half of the time"

with_lanes = partial(
    lesson.predict,
    "The machine gets 1,000 lanes instead of one. The rides one by one, 1,000 operations on a "
    "single number each, now take …",
    SAME_TIME,
    choices=[THOUSANDTH, HALVED, SAME_TIME],
    mistakes={
        THOUSANDTH: "A lane takes a number of one operation. How many numbers does each have?",
        HALVED: "How many lanes does an operation on a single number use?",
    },
    hint="Put the numbers into the function: width is 1 here.",
    because="One lane works, and the others have nothing to do.",
)

# ------------------------------------------------------------------------------ earlier notebooks

visits = partial(
    lesson.predict,
    "y is a tensor, and the line y = y + y runs twenty times. How many nodes does backward() "
    "visit?",
    20,
    mistakes={
        2**20: broke("wait", "That is the number of paths."),
        40: "That is the number of edges. How often is a node visited?",
        21: "Here a tensor that no operation made has no node. (PyTorch has one that adds to its "
        ".grad, and would count so many.) How many operations are there?",
        19: "Does the first run of the line leave no node, or the last one?",
        1: "Each run of the line leaves a node.",
    },
    hint="How many nodes are there, and how often is each of them visited?",
    because="Each node is visited once, when all has arrived.",
)

one_rate = partial(
    lesson.predict,
    "rate is a single number, and km is [3, 5, 2]. total = (rate * km).sum(). What is "
    "rate.grad after total.backward()?",
    10,
    mistakes={
        3: broke("add", "That is the share of the first ride."),
        5: broke("add", "That is the share of one ride."),
        2: broke("add", "That is the share of one ride."),
        1: broke("multiply", "What is the local slope of rate * km?"),
        30: broke("add", "That is a product of what arrives. What becomes of it where paths meet?"),
        (3, 5, 2): broke(
            "shape", "That is what arrives from each ride. How many numbers does rate hold?"
        ),
    },
    hint="In the product the rate was repeated for each ride. What becomes of the three gradients?",
    because="The rate was used three times, so its gradient is 3 + 5 + 2.",
)

a_loop = partial(
    lesson.predict,
    "A tensor is doubled in a while loop, until it is larger than 100. It starts at 1. For how "
    "many workers at once does the graph have something to do, at most?",
    1,
    mistakes={
        6: "That is nearly the number of doublings, one behind the other. How many of them can be "
        "done in the same minute?",
        8: "That is about the number of doublings, one behind the other. How many of them can be "
        "done in the same minute?",
        7: "That is the number of doublings, one behind the other. How many of them can be done in "
        "the same minute?",
        2: "In a doubling, is there anything to do for a second one?",
    },
    hint="What does the second doubling wait for?",
    because="Each doubling needs the result of the one before: the loop leaves a chain.",
)

# ----------------------------------------------------------------------------- without a picture

on_paper = partial(
    lesson.predict,
    "On paper: (a * x + b) * (x * x) + (c * x + d). Each operation takes a minute, and there are "
    "two workers. After how many minutes is the result there, at best?",
    4,
    mistakes={
        7: "That is how long one worker takes.",
        3: "How many operations can two workers do in that time, and how many are there?",
        2: "How many operations follow each other on the longest path?",
        3.5: "Who does half an operation?",
        5: "Who should begin with what? Look at the longest path, and never let it wait.",
        6: "Who should begin with what? Look at the longest path, and never let it wait.",
    },
    hint="The longest path begins with a * x. What can the other worker do in the meantime?",
    because="a * x and x * x; + b and c * x; the product and + d; the last sum.",
)
