"""The exercise of notebook 13 in which a network is frozen, with its judge."""

from __future__ import annotations

import dis
from typing import Any

import minigrad as torch
from minigrad import lesson, nn
from minigrad.lesson.checking import is_stub
from minigrad.lesson.values import is_open

from .nb13_judges import misused, outsider, train


def network(depth: int) -> Any:
    """So many Linear layers with Tanh between them, as they are after one step of a training."""
    torch.manual_seed(3)
    parts: list[Any] = [nn.Flatten(), nn.Linear(64, 8)]
    for outs in (*[8] * (depth - 2), 10):
        parts += [nn.Tanh(), nn.Linear(8, outs)]
    model = nn.Sequential(*parts)
    train(model, torch.optim.SGD(model.parameters(), lr=0.1), 1)
    return model


def judge_freeze(freeze: Any) -> str | None:
    """What is wrong with what a function freezes in three networks; "" if nothing is."""
    if not callable(freeze):
        return "a function is wanted."
    for depth in (3, 2, 4):
        model = network(depth)
        before = dict(model.named_parameters())
        values = {name: one.detach().clone() for name, one in before.items()}
        try:
            result = freeze(model)
        except (AttributeError, TypeError) as error:
            if wrong := misused(error):
                return wrong
            raise
        if is_open(result) or is_stub(freeze, result):
            return None
        wrong = altered(model, before, values)
        if not wrong and all(one.requires_grad for one in before.values()):
            return nothing_frozen(freeze, model)
        if wrong := wrong or judged(model):
            return f"in a network of {depth} Linear layers, {wrong}"
        train(model, torch.optim.SGD(model.parameters(), lr=0.1), 2)
        moved = [name for name, one in before.items() if not torch.equal(one, values[name])]
        if moved != list(before)[-2:]:
            return f"two steps later, what has moved is {listed(moved) or 'nothing'}."
    return ""


def altered(model: Any, before: dict[str, Any], values: dict[str, Any]) -> str:
    """What is said where a network lost its parameters, got others, or other numbers in them."""
    now = dict(model.named_parameters())
    for name, one in before.items():
        if now.get(name) is not one:
            return f"{name} is gone, or another tensor stands in its place."
        if not torch.equal(one.detach(), values[name]):
            return (
                f"the numbers in {name} are others now. What is frozen keeps what it has learned."
            )
    return "" if len(now) == len(before) else "there are more parameters than before."


def judged(model: Any) -> str:
    """What is wrong with the choice of what may still learn; "" if nothing is."""
    names = [name for name, _ in model.named_parameters()]
    learning = [name for name, one in model.named_parameters() if one.requires_grad]
    rest, last = [one for one in learning if one in names[:-2]], names[-2:]
    if learning == last:
        return ""
    if not learning:
        return "nothing learns any more. Which layer is to go on?"
    if not set(last) & set(learning):
        return f"the last layer is frozen, and {listed(rest)} can still learn."
    if not rest:
        return f"the last layer has two parameters, and only {learning[0]} can still learn."
    if all(name.endswith("bias") for name in rest):
        return f"{listed(rest)} can still learn: a layer has two parameters."
    return f"{listed(rest)} can still learn, besides the last layer."


def listed(names: list[str]) -> str:
    """Names as one says them: "a, b and c"."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def nothing_frozen(freeze: Any, model: Any) -> str:
    """Why each parameter still requires a gradient."""
    if name := outsider(freeze):
        return f"nothing is frozen: the function uses {name}, which stands outside of it."
    if any("requires_grad" in vars(one) for one in model.modules()):
        return "a layer has an attribute requires_grad now, but its parameters do not hear of it."
    written = attributes_written(freeze)
    if "requires_grad_" in written:
        return "requires_grad_ is a method: it has to be called, and here it is written over."
    if "requires_grad" in written:
        return (
            "requires_grad is written somewhere, and every parameter still requires a gradient. "
            "What does it belong to, and which value was written?"
        )
    if not all(one.training for one in model.modules()):
        return "nothing is frozen: eval() only tells layers such as Dropout that a test comes."
    if any(one.grad is None for one in model.parameters()):
        return "gradients are gone, but the next backward() makes new ones."
    return "every parameter still requires a gradient, so a step moves all of them."


def attributes_written(function: Any) -> set[str]:
    """The names behind a dot that a function gives a value: {"grad"} for "p.grad = None"."""
    code = getattr(function, "__code__", None)
    steps = dis.get_instructions(code) if code is not None else ()
    return {str(one.argval) for one in steps if one.opname == "STORE_ATTR"}


freeze = lesson.Exercise(
    "freeze",
    judge=judge_freeze,
    hint="A loop over the parts of the network, or over the parameters in some of them. A slice of "
    "a Sequential, as of a list, can leave something out at its end.",
    because="One way: `for p in model[:-1].parameters(): p.requires_grad_(False)`",
)
