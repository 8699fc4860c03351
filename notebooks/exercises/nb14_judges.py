"""Two exercises of notebook 14 and their judges: eight lines, and data for both.

``nb14_port`` has the third one, a program of yours.
"""

from __future__ import annotations

import inspect
import re
import warnings
from typing import Any

import numpy as np
from IPython.display import display

import minigrad
from minigrad import lesson
from minigrad.lesson import broke
from minigrad.lesson.checking import is_stub
from minigrad.lesson.values import is_open

from .nb14_beside import RECORD, Columns, library, pytorch


class Unfit(ValueError):
    """What is no attempt that could be judged: it is told so, and does not count as a try."""

    def __init__(self, as_told: str) -> None:
        super().__init__(as_told)
        self.as_told = as_told


# ------------------------------------------------------------------------------- eight lines

LINES = [
    (
        "a.dtype",
        "2.0 was given without a dtype, so the default decides. Has minigrad one of its own?",
    ),
    (
        "torch.tensor(np.array(2.0)).dtype",
        "NumPy has chosen a dtype for the number already. Who would have a reason to change it?",
    ),
    (
        "torch.tensor([2], requires_grad=True)",
        "In lesson 01 you have seen what minigrad says of whole numbers. Is there a reason for it "
        "that holds for minigrad alone?",
    ),
    (
        "torch.tensor([200], dtype=torch.uint8) + 100",
        "300 does not fit into 8 bits. Would the two libraries make different numbers of it?",
    ),
    (
        "b.half()",
        "That asks for numbers of 16 bits. Which dtypes does minigrad have? Try dir(minigrad).",
    ),
    (
        "e.grad_fn.saved",
        'Lesson 01 has a line on that in its table "In PyTorch".',
    ),
    (
        "torch.datasets.digits()",
        "PyTorch is a library for tensors and their gradients. Where does its data come from?",
    ),
    (
        "km @ km",
        "The shapes (5, 1) and (5, 1) do not fit: which of the two libraries could multiply them?",
    ),
]


def given(torch: Any) -> dict[str, Any]:
    """The names that the lines use: the tensors of section 1, and the distances of section 2."""
    a = torch.tensor([2.0], requires_grad=True)
    b = torch.tensor([6.0], requires_grad=True)
    km = torch.tensor([[1.0], [2.0], [3.0], [4.0], [5.0]])
    return {"torch": torch, "np": np, "a": a, "b": b, "e": (a + b) * (b + 1), "km": km}


def outcome(line: str, torch: Any) -> str:
    """What comes of a line: its value, or the kind of its error."""
    try:
        value = eval(line, given(torch))  # one of the lines above
        return str(value) if len(str(value)) < 60 else f"a value: {type(value).__name__}"
    except Exception as problem:
        return type(problem).__name__


def outcomes() -> list[tuple[str, str]]:
    """What comes of each of the eight lines, in minigrad and in PyTorch."""
    here = pytorch()
    return [
        (outcome(line, minigrad), outcome(line, here) if here else RECORD["lines"][line])
        for line, _ in LINES
    ]


def show_lines() -> None:
    for number, (line, _) in enumerate(LINES, 1):
        print(f"{number}  {line}")


def show_outcomes() -> None:
    ours, theirs = zip(*outcomes())
    numbered = ([f"{n}  {one}" for n, one in enumerate(column, 1)] for column in (ours, theirs))
    display(Columns(*numbered))


def judge_same(mine: Any) -> str | None:
    if not isinstance(mine, (list, tuple)) or len(mine) != len(LINES):
        raise Unfit(f"a list of {len(LINES)} answers is wanted: True or False for each line.")
    if any(is_open(one) for one in mine):
        return None
    if not all(isinstance(one, bool) for one in mine):
        raise Unfit("each answer is True or False.")
    wrong = [
        number
        for number, (answer, (ours, theirs)) in enumerate(zip(mine, outcomes()))
        if answer != (ours == theirs)
    ]
    if not wrong:
        return ""
    if len(wrong) == len(LINES):
        return "all eight are the wrong way round. True means: both give the same result."
    many = f"{len(wrong)} answers are not right yet" if len(wrong) > 1 else "one is not right yet"
    return f"{many}. Look at line {wrong[0] + 1}: {LINES[wrong[0]][1]}"


same = lesson.Exercise(
    "same",
    judge=judge_same,
    hint="Ask two things of each line. Has each of the libraries all the names in it? And if both "
    "have them, is there a reason to compute something else? Two errors of one kind are the same.",
    because="5, 6 and 7 are different: half() is PyTorch's alone, saved and datasets are "
    "minigrad's.",
)

# ------------------------------------------------------------------------------ data for both


def judge_data(digits_for: Any) -> str | None:
    """In PyTorch, or in its stand-in; and in minigrad."""
    if not callable(digits_for):
        return "a function is wanted."
    if not takes_one(digits_for):
        return "it is called with one thing, the library that shall make the tensors."
    try:
        with warnings.catch_warnings():  # minigrad's advice on copying would not help here
            warnings.simplefilter("ignore", UserWarning)
            result = digits_for(minigrad)
    except TypeError as problem:
        if "expected np.ndarray" not in str(problem):
            raise
        return (
            "from_numpy() takes an array of NumPy's, as its name says, and here it is given "
            "something else. What is it given, and how does one get an array of that?"
        )
    except AttributeError as problem:
        lacking = re.search(r"module 'minigrad' has no attribute '(\w+)'", str(problem))
        if not lacking:
            raise
        return (
            f'it asks for "{lacking[1]}", and minigrad has no such name. The function has to serve '
            "both libraries: which functions that make a tensor have you met in these lessons?"
        )
    if is_open(result) or is_stub(digits_for, result):
        return None
    if result is None:
        return "it returns None. Does it end with a return?"
    told = judge_digits(result, minigrad.Tensor, "minigrad")
    if told:
        return told
    torch = Noting(library())
    try:
        result = digits_for(torch)
    except Carried:
        return (
            "a tensor of minigrad's is given to a function of PyTorch's, which takes it for an "
            "object like any other. In which form do both libraries take numbers?"
        )
    except AttributeError as problem:
        name = minigrads_own(problem)
        if not name:
            raise
        return (
            f'it asks the library that it is given for "{name}", and PyTorch has no such name. '
            "Which library has brought the digits so far?"
        )
    told = judge_digits(result, library().Tensor, "PyTorch" if pytorch() else "PyTorch's stand-in")
    if told:
        return told
    if not pytorch() and len(torch.made) < len(result):
        return MIXED
    return ""


MIXED = (
    "given PyTorch, it returns tensors of minigrad, which PyTorch cannot compute with. What do "
    "both libraries understand?"
)


def takes_one(function: Any) -> bool:
    """Can it be called with one argument?"""
    try:
        inspect.signature(function).bind(...)
    except TypeError:
        return False
    return True


def judge_digits(result: Any, kind: type, name: str) -> str:
    if not isinstance(result, (list, tuple)) or len(result) != 2:
        return "two things are wanted: the images, and which digit each one shows."
    if not all(isinstance(one, (kind, minigrad.Tensor)) for one in result):
        kinds = " and ".join(type(one).__name__ for one in result)
        return f"given {name}, it returns {kinds}. Two tensors are wanted."
    if not all(isinstance(one, kind) for one in result):
        return MIXED
    images, truth = result
    wanted = minigrad.datasets.digits()
    if tuple(truth.shape) == tuple(wanted.x.shape) and tuple(images.shape) == tuple(wanted.y.shape):
        return "the labels come first, and the images second. In which order are they wanted?"
    count, all_of_them = images.shape[:1], wanted.y.shape
    if count == truth.shape[:1] and len(count) == 1 and count[0] < all_of_them[0]:
        return broke("shape", f"there are {count[0]} of each, and all {all_of_them[0]} are wanted.")
    if tuple(truth.shape) != tuple(wanted.y.shape):
        return broke(
            "shape",
            f"the second has the shape {tuple(truth.shape)}; one digit for each image is "
            f"{tuple(wanted.y.shape)}.",
        )
    if tuple(images.shape) != tuple(wanted.x.shape):
        return broke(
            "shape",
            f"the images have the shape {tuple(images.shape)}; in minigrad's data it is "
            f"{tuple(wanted.x.shape)}.",
        )
    for called, one, true in (("images", images, wanted.x), ("labels", truth, wanted.y)):
        if str(one.dtype) != str(true.dtype):
            return f"the {called} were {true.dtype}, and now they are {one.dtype}."
        if one.requires_grad:
            return f"the {called} require a gradient. Will a training change them?"
    if not np.array_equal(truth.numpy(), wanted.y.numpy()):
        return "the labels are not those of minigrad's data, or they are in another order."
    if not np.array_equal(images.numpy(), wanted.x.numpy()):
        return (
            "the numbers in the images are not those of minigrad's data. Were they changed on the "
            "way, or put in another order?"
        )
    return ""


def minigrads_own(problem: BaseException) -> str:
    """The name that an error says PyTorch lacks, if minigrad has it; or ""."""
    lacking = re.search(r"(?:no attribute|cannot import name) '(\w+)'", str(problem))
    return lacking[1] if lacking and lacking[1] in RECORD["only_in_minigrad"] else ""


class Carried(TypeError):
    """A tensor of minigrad was given to a function that makes tensors of PyTorch."""


MAKING = ("tensor", "as_tensor", "asarray", "from_numpy", "Tensor")  # of numbers and arrays


class Noting:
    """The library; ``made`` is a list of what its functions make of numbers and arrays.

    They refuse a tensor of minigrad's. With the stand-in, whose tensors are minigrad's, the list
    tells if something was made for each result.
    """

    def __init__(self, torch: Any) -> None:
        self.torch, self.made = torch, []

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.torch, name)
        return self.noted(found) if name in MAKING else found

    def noted(self, function: Any) -> Any:
        def call(data: Any, *more: Any, **options: Any) -> Any:
            if isinstance(data, minigrad.Tensor):
                raise Carried("a tensor of minigrad's is no data for PyTorch")
            self.made.append(function(data, *more, **options))
            return self.made[-1]

        return call


data = lesson.Exercise(
    "data",
    judge=judge_data,
    hint="Go in two steps, both for the images and for the labels: first out of minigrad, and then "
    "into the library that the function is given. Numbers, shapes and dtypes stay what they are.",
    because="The shortest way is digits = minigrad.datasets.digits(); return "
    "torch.from_numpy(digits.x.numpy()), torch.from_numpy(digits.y.numpy()). If you have carried "
    "the numbers as lists, by .tolist(), that works too; it only takes longer.",
)
