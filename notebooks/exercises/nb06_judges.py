"""Exercises of notebook 06: programs to repair, and one to spoil; with their judges."""

from __future__ import annotations

import io
import math
import warnings
from contextlib import redirect_stdout
from typing import Any

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import lesson, nn
from minigrad.lesson import broke
from minigrad.lesson.checking import is_stub
from minigrad.lesson.values import is_open

from .nb06_runs import Heard, data, heard, share_of_dead

# ------------------------------------------------------------------------ a loss that stands still

STEPS = 12
OF_THE_TAXI = ("taxi", "km", "fare")


def borrowed(function: Any) -> str:
    """What is said if a function uses the taxi of the lesson instead of what it is given; or ""."""
    names = getattr(getattr(function, "__code__", None), "co_names", ())
    used = [name for name in OF_THE_TAXI if name in names]
    if not used:
        return ""
    return (
        f"it does not use the model and the data that it gets: {' and '.join(used)} "
        f"{'belongs' if len(used) == 1 else 'belong'} to another program of this lesson."
    )


def linear(seed: int = 2) -> tuple[Any, Any]:
    """A model of one sum, and its optimizer."""
    torch.manual_seed(seed)
    model = nn.Linear(3, 1)
    return model, torch.optim.SGD(model.parameters(), lr=0.1)


def counted(optimizer: Any) -> list[int]:
    """A list that gets longer with each step of this optimizer."""
    steps: list[int] = []
    step = optimizer.step

    def noted(*given: Any) -> Any:
        steps.append(1)
        return step(*given)

    optimizer.step = noted
    return steps


def right_losses(clears: bool = True) -> list[float]:
    """The losses of the right loop, and of one that never clears."""
    (model, optimizer), (x, y) = linear(), data()
    found = []
    for _ in range(STEPS):
        if clears:
            optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        found.append(loss.item())
    return found


def judge_train(train: Any) -> str | None:
    """Lets it train a small model, and compares the losses with the right ones."""
    if not callable(train):
        return "a function is wanted."
    if message := borrowed(train):
        return message
    (model, optimizer), (x, y) = linear(), data()
    before, taken = model.weight.detach().clone(), counted(optimizer)
    with heard(model) as found:
        result = train(model, optimizer, x, y, STEPS)
    if result is ... or is_stub(train, result):
        return None
    if result is None:
        return "it returns nothing: end with return losses."
    if not isinstance(result, (list, tuple)):
        return f"a list of numbers is wanted; this is a {type(result).__name__}."
    if not result:
        return None if torch.equal(before, model.weight) else "the list of losses is empty."
    if any(isinstance(one, torch.Tensor) and one.grad_fn is not None for one in result):
        return "the list keeps tensors, and behind each of them a graph. Keep plain numbers."
    if any(isinstance(one, torch.Tensor) for one in result):
        return "the list keeps tensors. They have no history, but a plain number is no tensor."
    if any(isinstance(one, str) for one in result):
        return "the list keeps texts. Keep plain numbers, and write them as a text when you print."
    numbers = [float(one) for one in result]
    if len(numbers) != STEPS:
        losses = "one loss" if len(numbers) == 1 else f"{len(numbers)} losses"
        return f"{STEPS} steps were wanted, and the list has {losses}."
    if torch.equal(before, model.weight):
        return f"the weights have not moved: {why_still(found, model.weight.grad)}"
    if near(numbers, right_losses(clears=False)):
        return broke("accumulate", "the gradients of all steps add up: nobody clears them.")
    if not near(numbers, right_losses()):
        if not taken:
            return "the optimizer that it gets makes no step: something else moves the weights."
        return "the loss moves now, but it is not the loss of the loop above."
    return ""


def why_still(found: Heard, grad: Any) -> str:
    """Why no weight has moved: nothing was asked for, or sent, or kept, or used."""
    if not found.backward:
        return "nothing has asked for a gradient. In which line would a step do that?"
    if not found.arrived:
        return (
            "backward() has run, and no gradient has arrived. Between the model and the loss the "
            "history is still cut."
        )
    if grad is None:
        return "a gradient arrives in each step, and is cleared before anything uses it."
    return (
        "a gradient arrives in each step, and nothing has used it when the step ends. Is there a "
        "line that uses it, and when does that line run?"
    )


def near(some: list[float], others: list[float]) -> bool:
    return all(math.isclose(a, b, rel_tol=1e-4) for a, b in zip(some, others))


still = lesson.Exercise(
    "still",
    judge=judge_train,
    hint="backward() needs the tensor that F.mse_loss returns, with its history. Only what is put "
    "into the list should be a plain number.",
    because="One answer has these lines in each step: optimizer.zero_grad(), then "
    "loss = F.mse_loss(model(x), y), loss.backward(), optimizer.step(), and "
    "losses.append(loss.item()).",
)

# ------------------------------------------------------------------- a layer that never moves


def judge_register(kind: Any) -> str | None:
    """Makes one, and looks whether all of its numbers are known and get a gradient."""
    if not isinstance(kind, type) or not issubclass(kind, nn.Module):
        return "a class is wanted that inherits from nn.Module."
    try:
        model = kind()
    except AttributeError as problem:
        if "'Linear' object has no attribute 'detach'" in str(problem):
            return (
                "a ParameterList and a Parameter hold single tensors, and a layer is a module, "
                "which has two of them. What holds modules?"
            )
        raise
    if any(value is ... for value in vars(model).values()):
        return None
    parameters = list(model.parameters())
    count = sum(p.numel() for p in parameters)
    if count == 330:
        return f"its parameters() still has 330 numbers: {where_is_the_layer(model)}"
    if count != 2410:
        off = f"{abs(count - 2410):,} {'more' if count > 2410 else 'fewer'} than"
        return f"its parameters() has {count:,} numbers, {off} the two layers of the class above."
    if not any(hasattr(part, "__len__") for part in model.modules()):
        return (
            "the optimizer knows this layer now, but the model has no module that is like a list. "
            "If a second layer should stand beside this one, would it be known as well?"
        )
    try:
        scores = model(torch.ones(2, 1, 8, 8))
    except TypeError:
        if any(isinstance(part, nn.ModuleDict) for part in model.modules()):
            return (
                "the optimizer knows this layer now. But a loop over a ModuleDict brings names, as "
                "with each dict, and forward() calls what the loop brings."
            )
        raise
    if scores is None:
        return "its forward() returns nothing: end it with return, and the scores."
    if tuple(scores.shape) != (2, 10):
        return f"for two images it returns the shape {tuple(scores.shape)}, and not (2, 10)."
    scores.sum().backward()
    if any(p.grad is None for p in parameters):
        return "a layer is registered, but forward() does not use it: its .grad stays None."
    return ""


def where_is_the_layer(model: Any) -> str:
    """Where a model that knows its last layer alone keeps the other one, if it has it at all."""
    own = {name: value for name, value in vars(model).items() if not name.startswith("_")}
    for value in own.values():
        parts = value.values() if isinstance(value, dict) else value
        if isinstance(value, (list, tuple, dict)) and any(isinstance(p, nn.Linear) for p in parts):
            return f"the layer in the {type(value).__name__} is not among them."
    return "they are those of out. Does the model hold nn.Linear(64, 32) anywhere?"


register = lesson.Exercise(
    "register",
    judge=judge_register,
    hint="A module hears of what is assigned to it if that is a module or a parameter. A plain "
    "list is neither. Which class of nn is a list and a module?",
    because="One answer is self.hidden = nn.ModuleList([nn.Linear(64, 32)]): this is a list, and a "
    "module as well, so what it holds is registered.",
)

# ------------------------------------------------------------------------- shapes that must agree


def judge_careful(careful: Any) -> str | None:
    """Gives it equal shapes, and three pairs that differ."""
    if not callable(careful):
        return "a function is wanted."
    guess = torch.tensor([[1.0], [2.0], [4.0]], requires_grad=True)
    truth = torch.tensor([[0.0], [2.0], [1.0]])
    try:
        result = careful(guess, truth)
    except ValueError:
        return (
            "for equal shapes, (3, 1) and (3, 1), it raised an error. They agree, so the mean is "
            "wanted here."
        )
    if is_open(result) or is_stub(careful, result):
        return None
    if result is None:
        return "for equal shapes it returns nothing: end with return, and the mean."
    if not isinstance(result, torch.Tensor) or result.grad_fn is None:
        return "for equal shapes the result has no history: nobody could train with it."
    if result.numel() != 1 or not math.isclose(result.item(), 10 / 3, rel_tol=1e-4):
        found = f"{result.item():.4g}" if result.numel() == 1 else f"{result.numel()} numbers"
        return f"for the errors 1, 0 and 3 the mean of the squares is 10/3; it returns {found}."
    for other in (truth.flatten(), truth.T, torch.tensor(1.0)):
        if message := let_through(careful, guess, other):
            return message
    return ""


def let_through(careful: Any, guess: Any, other: Any) -> str:
    """What it does with shapes that differ instead of raising a ValueError; or ""."""
    shapes = f"(3, 1) and {tuple(other.shape)}"
    try:
        with warnings.catch_warnings(record=True) as warned, redirect_stdout(io.StringIO()) as said:
            warnings.simplefilter("always")
            found = careful(guess, other)
    except ValueError:
        return ""
    except Exception as problem:
        return about_the_error(problem)
    kind = found if isinstance(found, type) else type(found)
    if issubclass(kind, BaseException):
        return (
            f"it returns a {kind.__name__}, as if that were a loss. Nothing stops there: an "
            "error has an effect when it is raised."
        )
    if warned:
        return f"of the shapes {shapes} it only warns, and the program goes on with {found}."
    if said.getvalue():
        return f"for the shapes {shapes} it prints a text, and the program goes on with {found}."
    return f"the shapes {shapes} went through, and it says nothing: no ValueError was raised."


def about_the_error(problem: Exception) -> str:
    """What is said of an error that is no ValueError."""
    if "exceptions must derive" in str(problem):
        return (
            "what stands behind raise is no error, so Python complains of that with a TypeError. "
            "A text alone cannot be raised: an error is made from it first."
        )
    kind = type(problem).__name__
    article = "an" if kind[0] in "AEIOU" else "a"
    return f"it raises {article} {kind}; a ValueError is wanted."


careful = lesson.Exercise(
    "careful",
    judge=judge_careful,
    hint="A function goes on after print and after a warning, and its caller goes on after return. "
    "Only raise stops both. And it has to stop for (3, 1) beside (1, 3), too: as many numbers, in "
    "other places.",
    because="One answer begins with if guess.shape != truth.shape: raise ValueError(…), and then "
    "returns ((guess - truth) ** 2).mean().",
)

# ----------------------------------------------------------------------------- units that are dead


GIVEN = (  # in the first, a whole row is 0, and two units are small; in the second, neither
    torch.tensor(
        [
            [0.0, 1.0, 0.0, 4.0, 2.0, 0.0, 0.001, 3.0],
            [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            [0.0, 2.0, 0.0, 0.0, 0.0, 0.001, 0.0, 2.0],
            [0.0, 3.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
        ]
    ),
    torch.tensor([[1.0, 0.0, 2.0, 3.0, 1.0], [0.0, 0.0, 1.0, 1.0, 2.0], [2.0, 0.0, 0.0, 1.0, 0.0]]),
)
OTHER_SHARES = {
    "that is the share of all zeros. A unit that is 0 for some examples is not dead.": (
        lambda zero: zero.float().mean()
    ),
    "that is the share of the units that live.": lambda zero: 1 - zero.all(0).float().mean(),
    "that takes in each unit that is 0 for some example. Dead is one that is 0 for all.": (
        lambda zero: zero.any(0).float().mean()
    ),
    "that looks for examples whose units are all 0. Look along the other dimension.": (
        lambda zero: zero.all(1).float().mean()
    ),
    "that asks all numbers at once whether they are 0. Each unit has to be asked for itself.": (
        lambda zero: zero.all().float()
    ),
    "that asks whether there is a 0 anywhere. Each unit has to be asked for itself.": (
        lambda zero: zero.any().float()
    ),
    "that looks at the first example only. A unit that is 0 there may live for another one.": (
        lambda zero: zero[0].float().mean()
    ),
    "that looks at the last example only. A unit that is 0 there may live for another one.": (
        lambda zero: zero[-1].float().mean()
    ),
    "that looks at the first unit only. What about the others?": (
        lambda zero: zero[:, 0].float().mean()
    ),
    "that is a number of per cent. A share lies between 0 and 1.": (
        lambda zero: 100 * zero.all(0).float().mean()
    ),
    "that divides by the number of examples. The share of what is wanted?": (
        lambda zero: zero.all(0).float().sum() / len(zero)
    ),
    "that divides by 32, as if each layer had so many units. Ask the one that is given.": (
        lambda zero: zero.all(0).float().sum() / 32
    ),
    "that is how many units are dead. Which share of all units is that?": (
        lambda zero: zero.all(0).float().sum()
    ),
}
"""What one may work out instead, from where the zeros are: no two agree on both of ``GIVEN``."""


def judge_dead(dead_share: Any) -> str | None:
    """Compares its answers for two layers with the right ones, and with what others would say."""
    if not callable(dead_share):
        return "a function is wanted."
    if "hidden" in getattr(getattr(dead_share, "__code__", None), "co_names", ()):
        return "it does not use the layer that it gets: this hidden belongs to another cell."
    found = []
    for hidden in GIVEN:
        result = dead_share(hidden.clone())
        if is_open(result) or is_stub(dead_share, result):
            return None
        if message := no_number(result):
            return message
        found.append(float(result))
    if near(found, [share_of_dead(hidden) for hidden in GIVEN]):
        return ""
    for message, share in OTHER_SHARES.items():
        if near(found, [share(hidden == 0).item() for hidden in GIVEN]):
            return message
    if near(found, [(hidden.mean(0) < 0.01).float().mean().item() for hidden in GIVEN]):
        return "that takes in a unit which is small, and not 0. Such a unit still lives."
    shown = " and ".join(f"{one:.3g}" for one in found)
    return (
        "in one trial two of the eight units are 0 in each row, in another one of the five; it "
        f"returns {shown}."
    )


def no_number(result: Any) -> str:
    """What is said if a function returns no single number; or ""."""
    if result is None:
        return "it returns nothing: end with return, and the share."
    if isinstance(result, torch.Tensor) and result.numel() == 1:
        return ""
    if isinstance(result, torch.Tensor):
        return f"one number is wanted; this is a tensor of the shape {tuple(result.shape)}."
    if isinstance(result, bool) or not isinstance(result, (int, float)):
        return f"a number is wanted; this is a {type(result).__name__}."
    return ""


dead = lesson.Exercise(
    "dead",
    judge=judge_dead,
    hint="`hidden == 0` has a True wherever a unit is 0. Along which dimension must all of them be "
    "True? The mean over the units then gives the share.",
    because="One answer is (hidden == 0).all(0).float().mean(): all(0) asks each unit, which has a "
    "column, about all rows.",
)

# -------------------------------------------------------------------------------- a fault of yours


def judge_own(patient: Any) -> str | None:
    """Calls it 20 times: it fills every ``.grad`` by a backward pass, and the weights stay."""
    if not callable(patient):
        return "a function is wanted."
    (model, optimizer), (x, y) = linear(), data()
    before = [p.detach().clone() for p in model.parameters()]
    with heard(model) as found:
        for number in range(20):
            result = patient(model, optimizer, x, y)
            if number == 0 and (is_open(result) or is_stub(patient, result)):
                return None
    filled = all(p.grad is not None for p in model.parameters())
    if not all(torch.isfinite(p).all() for p in model.parameters()):
        return (
            "after 20 calls some weights are NaN or infinite, so they have moved. Whoever prints "
            "them sees the fault at once."
        )
    if not all(torch.equal(a, b) for a, b in zip(before, model.parameters())):
        return "after 20 calls the weights have moved: this program may well learn."
    if not filled:
        return (
            "the weights stay, but .grad is None at the end: whoever prints it sees the fault at "
            "once. A gradient is to be there."
        )
    if not found.arrived:
        return (
            "the weights stay, but no backward pass reaches them: what stands in .grad was not "
            "worked out. Your friend would see that this is no step of a training."
        )
    if not all(torch.isfinite(p.grad).all() for p in model.parameters()):
        return (
            "the weights stay, but some gradients are NaN or infinite: whoever prints .grad sees "
            "the fault at once."
        )
    if not any(p.grad.any().item() for p in model.parameters()):
        return (
            "the weights stay, but each .grad is 0 at the end: whoever prints it sees the fault at "
            "once. A gradient is to be there that should move something."
        )
    return ""


own = lesson.Exercise(
    "own patient",
    judge=judge_own,
    hint="Which line of a training step moves the weights? What could be wrong with it, or with "
    "what it is given, while all the others do their work?",
    because="There are many such faults: no optimizer.step(), an optimizer that was made for "
    "another model, a learning rate of 0, or step() between zero_grad() and backward().",
)
