"""What notebook 10 asks. What it runs is in ``nb10_runs``.

Its exercises are in ``nb10_capture``, ``nb10_judges``, ``nb10_repair`` and ``nb10_own``.

Here, and not in the cells, so that nobody reads an answer before giving one.
"""

from __future__ import annotations

from functools import partial

from minigrad import lesson
from minigrad.lesson import broke

from .nb10_capture import capture
from .nb10_judges import lines, show_lines, two
from .nb10_own import own
from .nb10_repair import repair

__all__ = ["capture", "lines", "own", "repair", "show_lines", "two"]

# ------------------------------------------------------------------------- a thousand readings

best_example = partial(
    lesson.predict,
    "You may choose which reading is recorded, and you choose the best one. For how many of the "
    "1,000 readings is the recording right?",
    "about 160",
    choices=["about 160", "about 500", "about 950"],
    mistakes={
        "about 950": "The recording holds one number of doublings. How many does a reading of 1.9 "
        "need, and how many does one of 0.2?",
        "about 500": "That would be every reading with the right sign. Are all of these doubled "
        "equally often?",
    },
    hint="The readings lie mostly between −2 and 2. Count the ranges of readings, from 1.95 "
    "downwards, that are doubled equally often, and do not forget the sign.",
    because="A recording is right for one sign and one number of doublings, and the readings are "
    "spread over many such pairs.",
)

# ----------------------------------------------------------------------------------- guards

SAME = "the program runs, and the result is right"
WRONG = "the program runs, and the result is wrong"
NEW = "an ordinary run, which is noted as one more program"

for_300 = partial(
    lesson.predict,
    "With amplify as the lesson has it, the program was noted at 400. Now louder is called with "
    "300. What happens?",
    SAME,
    choices=[SAME, WRONG, NEW],
    mistakes={
        WRONG: "300 becomes 600 and then 1200. Which of the lines would do something wrong?",
        NEW: "Go through the tests with 300. Which of them comes out differently?",
    },
    hint="Work out v3 and v6 for 300, and each of the tests.",
    because="300 is doubled twice, as 400 is, so every test comes out as it did then.",
)

for_200 = partial(
    lesson.predict,
    "And with 200?",
    NEW,
    choices=[SAME, WRONG, NEW],
    mistakes={
        SAME: "The program doubles twice. Is 800 loud enough?",
        WRONG: "So it was with the recording of section 2. What do the lines that begin with if do "
        "here?",
    },
    hint="Work out v6 for 200, and the tests behind it.",
    because="Three doublings are needed. The test behind the second one comes out differently, so "
    "the program stops before it has done any harm.",
)

how_many = partial(
    lesson.predict,
    "amplify, as the lesson has it, is compiled anew, and called with each of the 1,000 readings. "
    "How many programs are there in the end?",
    "23",
    choices=["2", "23", "844"],
    mistakes={
        "2": "The sign makes two of them. What else differs between the readings?",
        "844": "So many readings were wrong with the best recording. But a program serves every "
        "reading that goes its way. How many doublings does a reading of 0.01 need?",
    },
    hint="A reading of 1 is doubled 10 times and one of 0.001 20 times: how many different "
    "numbers of doublings may there be, and how many signs?",
    because="The calls behind the first one take 23 paths, and the first call of each path is "
    "noted. (The very first call of all leaves no program, whichever path it takes.)",
)

# ------------------------------------------------------------------------- reading a program

again = partial(
    lesson.predict,
    "The step, as the lesson has it, works out a tanh on the way forward, and needs its slope on "
    "the way back. How often does its program call np.tanh?",
    1,
    mistakes={
        2: "The formula of the slope stands above. Does it need another tanh, or a value that is "
        "there already?",
        0: "Nothing else makes the hidden values.",
    },
    hint="The slope of tanh stands above the program of this section, as a formula in which only "
    "the result t occurs. Which line makes t?",
    because="The slope is one minus the square of the result, and the result is there already.",
)

INSTEAD = "v2, in the place of v3"
AS_BEFORE = "v3 alone, as now"
BOTH = "v2 as well as v3"

kept = partial(
    lesson.predict,
    "In the program with torch.tanh, v2 is deleted at once, and v3 stays until the way back has "
    "used it. Now suppose the step had torch.sin in its place. Which of the two would have to stay "
    "for the way back?",
    BOTH,
    choices=[INSTEAD, AS_BEFORE, BOTH],
    mistakes={
        INSTEAD: "The slope of the sine wants v2, that is right. But two lines of the way back "
        "use v3. Are both of them there because of the slope of tanh?",
        AS_BEFORE: "The slope of the sine is the cosine. Of which of the two names is it taken?",
    },
    hint="Ask of each line of the way back that names v3 which operation it belongs to: the # "
    "behind it tells. Then ask what the cosine is taken of.",
    because="The gradient of w2 is made of v3, whatever has made v3. And the slope of the sine is "
    "the cosine of its input, which is v2.",
)

# ------------------------------------------------------------------ what a recording misses

frozen = partial(
    lesson.predict,
    "fare_of was recorded at 5 km, with the rate 3. Then the rate becomes 4. What does the "
    "recording say for 5 km?",
    19,
    mistakes={
        24: "That is what the function says. Does the recording still know that there was a name?",
        20: "The base is added in both. Which rate stands in the line?",
        15: "The base of 4 was recorded, too.",
    },
    hint="Look at the notes of section 1: in which of their lines stands a plain number?",
    because="The rate is no input of the program. When the line was written it was 3, and "
    "that is what stands there.",
)

printed = partial(
    lesson.predict,
    "loud is compiled, and called five times, each time for a ride of 5 km. How often does it "
    "print its line?",
    2,
    mistakes={
        5: "From the third call on, a program runs. Is print an operation of NumPy?",
        1: "The first call is an ordinary one. What happens in the second?",
        0: "Somebody has to run the function, before there is a program.",
        3: "The third call is the first that a program serves.",
    },
    hint="The first call is an ordinary one, the second is noted while it runs, and then there is "
    "a program.",
    because="The function itself runs in the first call and in the one that is noted. The program "
    "holds what NumPy was asked for, and print is not among that.",
)

from_a_file = partial(
    lesson.predict,
    "The rate is read from a file in each call. After three calls the file is changed. What does "
    "the compiled function do?",
    "it uses the old rate, and says nothing",
    choices=[
        "it uses the old rate, and says nothing",
        "a guard fails, and a new program is noted",
        "it is refused, with a warning",
    ],
    mistakes={
        "a guard fails, and a new program is noted": "A guard compares something that the program "
        "can reach cheaply: an argument, a variable, an attribute. Would it open a file each time?",
        "it is refused, with a warning": "That needs somebody who noticed that a file was read. "
        "Only what is asked of NumPy is noted, and the variables that your code reads are watched.",
    },
    hint="What was handed to NumPy when the call was noted? Nothing else is known of the file.",
    because="For NumPy there was only a product with a number. Where the number came from, nobody "
    "saw.",
)

# ----------------------------------------------------------------------------------- memory

memory_forward = partial(
    lesson.predict,
    "Eight layers, forwards only: the ordinary run needs 3 arrays at its peak. How many does the "
    "program need?",
    2,
    mistakes={
        1: "A product or a tanh has an input and a result, and while it runs both are there.",
        3: "While tanh runs, who still needs the h of the layer before?",
        8: "Nothing goes back here, so nothing has to be kept for it.",
    },
    hint="In the line h = torch.tanh(h @ w), the name h still stands for the old array while the "
    "new one is made. Which arrays are really needed at that moment?",
    because="Whoever knows the next lines knows that the old h is not needed once the product is "
    "there, though its name lives on.",
)

memory_training = partial(
    lesson.predict,
    "And in the step of a training with eight layers, where the ordinary run needs about 11.5? "
    "The program needs",
    "about 9.5",
    choices=["about 2", "about 9.5", "about 16"],
    mistakes={
        "about 2": "What do the rules of tanh and of the product want on the way back?",
        "about 16": "Of each layer the product and its tanh are 2 arrays. Is the product wanted "
        "once the tanh is there?",
    },
    hint="Eight layers have eight results, and each is wanted on the way back.",
    because="When the way back begins, the results of all eight layers are there, because it uses "
    "each of them. A plan can only spare what is needed besides.",
)

# ------------------------------------------------------------------------------------ times

SINGLE = "the taxi: 200 operations on single numbers"
MEDIUM = "a network of 32 units, 32 rows"
LARGE = "a network of 256 units, 1,024 rows"

who_gains = partial(
    lesson.predict,
    "Which of the three steps gains most from being compiled, measured as a share of its time?",
    SINGLE,
    choices=[SINGLE, MEDIUM, LARGE],
    mistakes={
        MEDIUM: "Here some of the time goes into arithmetic, which the program has to do as well. "
        "Is there a step with less of it?",
        LARGE: "Nearly all of its time goes into two large products. Does the program multiply "
        "them any faster?",
    },
    hint="A program leaves out the work around each operation: looking up rules, making nodes, "
    "walking the graph. In which step is that most of the work?",
    because="With single numbers the arithmetic is next to nothing, and nearly everything that is "
    "done around it can be left out.",
)

# ------------------------------------------------------------------------------ other libraries

who_refuses = partial(
    lesson.predict,
    "A function contains `if y > 0:`, and y is a tensor that is worked out in it. The function is "
    "compiled as it stands, with the usual settings. Where is that an error?",
    "JAX",
    choices=["TensorFlow 2", "JAX", "PyTorch"],
    mistakes={
        "TensorFlow 2": "It rewrites the if. Into what?",
        "PyTorch": "It ends the graph there. Who decides the if?",
    },
    hint="Who has no number at hand while it records, and leaves the if as it is?",
    because="JAX's stand-ins have no numbers, and it does not rewrite the if: you declare it with "
    "lax.cond. TensorFlow 2 declares it for you, and PyTorch lets Python decide.",
)

# ------------------------------------------------------------------------------ earlier notebooks

slope_of_what_ran = partial(
    lesson.predict,
    "What is the gradient of amplify, as the lesson has it, at 3.9? (3.9 · 256 is 998.4.)",
    512,
    mistakes={
        256: "That is the slope of eight doublings, which make 998.4 of it. Is that loud?",
        1996.8: broke("direction", "That is the value."),
        998.4: broke("direction", "That is a value on the way. The gradient is a slope."),
        1: broke("multiply", "Each doubling has the local slope 2."),
        25.6: broke(
            "ran",
            "Here 256 was divided by 10. Does the division run for a loud reading "
            "that is positive? And does the loop end at 998.4?",
        ),
        51.2: broke(
            "ran", "Nine doublings are right. For which readings does the division by 10 run?"
        ),
    },
    hint="How often is it doubled, and what is the local slope of a doubling?",
    because="Nine doublings ran, and 2⁹ is 512. A nudge says so too: 3.901 becomes 1997.312, and "
    "3.899 becomes 1996.288. That is a difference of 1.024 for 0.002, and 512 for 1.",
)
two_passes = partial(
    lesson.predict,
    "w.grad is None. A loss whose gradient is 6 is worked out and sent back twice, without "
    "zero_grad() between. What is w.grad then?",
    12,
    mistakes={
        6: broke("accumulate", "What does the second pass do with what it finds there?"),
        36: broke("accumulate", "The two passes are not on one path."),
    },
    hint="What does backward() do with a .grad that is not None?",
    because="backward() adds: 6 + 6.",
)
written_over = partial(
    lesson.predict,
    "h = x @ w, and y = torch.tanh(h). Then h.mul_(2) writes over h, and only then comes "
    "y.sum().backward(). What does it give?",
    "the right gradient",
    choices=["the right gradient", "a wrong gradient", "an error"],
    mistakes={
        "an error": "An error comes if something was written over that a node has saved. What has "
        "tanh saved? You have seen it in this lesson.",
        "a wrong gradient": "What does the slope of tanh need: its input, or its result?",
    },
    hint="In the program of section 4, which line makes the slope of tanh, and from which name?",
    because="tanh saves its result, and its input may go.",
)

# ----------------------------------------------------------------------------- without a picture

on_paper = partial(
    lesson.predict,
    "On paper: a function returns 3 · y if y = x · w is above 0, and 5 · y otherwise. It was "
    "recorded with x = 2 and w = 1, without a guard. What does the recording say for x = −2, "
    "w = 1?",
    -6,
    mistakes={
        -10: "That is what the function says. Has the recording kept the if of the function?",
        6: "That is the result for the example. The line of y gets the new x.",
        10: "The other branch did not run in the example, and the sign is that of y.",
        -2: "That is y. One more operation was recorded.",
    },
    hint="Write down the lines of the recording: there are two.",
    because="The recording holds y = x · w and 3 · y, and no condition.",
)

paper_peak = partial(
    lesson.predict,
    "On paper: x is given, and all arrays have one size. The program is v1 = np.tanh(x); "
    "v2 = v1 * v1; v3 = v1 + v2; del v1, v2; v4 = np.exp(v3); del v3; return [v4]. How many "
    "arrays does it need at its peak, not counting x?",
    3,
    mistakes={
        4: "Four are made in all. Are they ever there at the same time?",
        2: "Two are there before v3 is made. And while it is made?",
        1: "Can v3 be made before v1 and v2 are there?",
    },
    hint="Write beside each line which names hold an array when it has run, before its del.",
    because="v1, v2 and v3 are there when v3 has been made. After the del it is never more than "
    "two: v3 and v4.",
)

paper_pays = partial(
    lesson.predict,
    "On paper: a step takes 100 µs as an ordinary run and 60 µs as a program. The call that is "
    "noted takes 8,100 µs. After how many calls of the program has the noting paid for itself?",
    200,
    mistakes={
        **dict.fromkeys(
            (10, 20, 50, 100, 150, 400),
            "Try it: how many microseconds do so many calls of the program save, and how many has "
            "the noting cost?",
        ),
        8000: "So many microseconds does the noting cost. How many of them does each call of the "
        "program save?",
        8100: "So many microseconds does the call take that is noted. How many of them does each "
        "call of the program save?",
        40: "So many microseconds does a call of the program save. How many did the noting cost?",
        133: "That divides by what a call of the program takes. How much does it save?",
        133.3: "That divides by what a call of the program takes. How much does it save?",
        202.5: "Nearly. The noted call also does the work of an ordinary one. What does the "
        "noting alone cost?",
        203: "Nearly. The noted call also does the work of an ordinary one. What does the "
        "noting alone cost?",
        81: "So many ordinary calls take as long as the noted one. How much does each call of the "
        "program save?",
        80: "So many ordinary calls take as long as the noting. How much does each call of the "
        "program save?",
        135: "That divides by what a call of the program takes. How much does it save?",
    },
    hint="How much longer does the call take that is noted than an ordinary one, and how much "
    "shorter is each later one?",
    because="Noting costs 8,000 µs more than an ordinary call, and each call of the program saves "
    "40 µs: 8,000 / 40 is 200. Whoever needs fewer calls had better not compile.",
)
