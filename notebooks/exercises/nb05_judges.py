"""Exercises of notebook 05: the lines of the loop, and the update; with their judges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import minigrad as torch
from minigrad import lesson, nn
from minigrad.lesson import broke
from minigrad.lesson.checking import is_stub
from minigrad.lesson.values import is_open

from .code_names import names_in
from .nb05_runs import examined

# ------------------------------------------------------------------- seven lines in an order

LINES = {
    "K": "optimizer.step()",
    "L": "for x, y in loader:",
    "M": "loss.backward()",
    "N": "loss = measure(guess, y)",
    "O": "for epoch in range(30):",
    "P": "guess = model(x)",
    "Q": "optimizer.zero_grad()",
}
NEEDS = {"O": "", "L": "O", "P": "L", "N": "P", "M": "N", "K": "M", "Q": "L"}
WHY = {
    "LO": "L comes before O: then every batch would be used for thirty steps, and only after that "
    "the next batch.",
    "NP": "N uses the guess. Which line makes it?",
    "MN": "M starts from the loss. Which line makes it?",
    "KM": "K comes before M. It would move the numbers by the gradients of the batch before, or "
    "find none.",
}


def judge_order(attempt: Any) -> str:
    if isinstance(attempt, str):
        attempt = list(attempt.replace(" ", "").replace(",", ""))
    if isinstance(attempt, (list, tuple)):
        attempt = [one.upper() if isinstance(one, str) else one for one in attempt]
    message = lesson.in_order(NEEDS)(attempt)
    if "which it needs" in message:
        late, early = message.split()[0], message.split()[3].rstrip(",")
        once = f"{late} stands in front of a loop that it belongs to: it would run too seldom."
        return WHY.get(late + early, once)
    if not message and attempt.index("M") < attempt.index("Q") < attempt.index("K"):
        return "Q stands between M and K. It throws away what M has computed, before K can use it."
    return message


order = lesson.Exercise(
    "order",
    answer="OLQPNMK",
    judge=judge_order,
    hint="Begin with the two lines that repeat the others, the outer one first. Then ask of each "
    "line what it uses, and which line makes that.",
    because="The guess is compared, the comparison gives a loss, backward() starts from the loss, "
    "and step() uses the gradients. zero_grad() may stand anywhere in the loop over the batches, "
    "as long as it is not between backward() and step().",
)


def show_lines() -> None:
    """The seven lines, by their letters."""
    for letter, line in LINES.items():
        print(f"{letter}   {line}")


# ----------------------------------------------------------------------- what each line is for

PURPOSES = {
    "compare": "says in one number how wrong the guess is",
    "clear": "throws away the gradients of the step before",
    "ask": "finds out how the loss moves with each parameter",
    "move": "changes the parameters",
}
PURPOSE_OF = {"Q": "clear", "N": "compare", "M": "ask", "K": "move"}
NOT_SO = {
    "Q": "zero_grad() sees neither the guess nor the loss. What is left for it to do?",
    "N": "measure() is given the guess and the truth, and no parameters. What can it do?",
    "M": broke(
        "fills",
        "M: backward() walks the graph from the loss to the parameters, and writes only to .grad.",
    ),
    "K": "step() comes when every gradient is there. Which line of section 1 stood there?",
}


def show_purposes() -> None:
    """What a line may be for."""
    for letter in PURPOSE_OF:
        print(f"{letter}   {LINES[letter]}")
    print()
    for word, text in PURPOSES.items():
        print(f"{word!r:10} {text}")


def judge_purpose(attempt: Any) -> str:
    if not isinstance(attempt, (list, tuple)) or len(attempt) != len(PURPOSE_OF):
        return "a list of four words is wanted, for Q, N, M and K."
    for (letter, word), said in zip(PURPOSE_OF.items(), attempt):
        said = "clear" if said == "forget" else said  # a word as good
        if said not in PURPOSES:
            return f"{letter}: {said!r} is none of the words {', '.join(map(repr, PURPOSES))}."
        if said != word:
            doubt = NOT_SO[letter]
            return doubt if letter == "M" else f"{letter}: {doubt}"
    return ""


purpose = lesson.Exercise(
    "purpose",
    answer=["clear", "compare", "ask", "move"],
    judge=judge_purpose,
    hint="Find, for each of the four, the lines by hand in section 1 that do the same.",
    because="They are the last, the second, the third and the fourth row in the table of "
    "section 1.",
)

# ------------------------------------------------------------------------- five loops, examined

FAULT_OF = {"A": "late", "B": "step", "C": "zero_grad", "D": "none", "E": "backward"}
CLAIMS = {
    "backward": "backward() is missing",
    "step": "step() is missing",
    "zero_grad": "zero_grad() is missing",
    "late": "zero_grad() just before step()",
    "none": "nothing is wrong",
}


def show_loops() -> None:
    """What is seen of the five loops, and which faults there are to choose from."""
    print("   norm of the gradient   norm")
    print("   after backward()       at the end  weights")
    for letter, fault in FAULT_OF.items():
        arrived, end, moved = examined(fault)
        norms = "  ".join(arrived)
        print(f"{letter}  {norms}       {end}        {'move' if moved else 'stay'}")
    print()
    for name, claim in CLAIMS.items():
        print(f"{name!r:12} {claim}")


def doubt(fault: str, claim: str) -> str:
    """What speaks against this diagnosis; "" if nothing does."""
    arrived, end, moved = examined(fault)
    comes, stays = arrived[0] != "None", end != "None"
    grows = comes and float(arrived[2]) > 2 * float(arrived[0])
    never = (not comes, "no gradient ever arrives, so something before step() is missing.")
    against = {
        "backward": [(comes, "a gradient does arrive, so backward() runs.")],
        "late": [
            (not comes, "no gradient arrives that could be thrown away."),
            (stays, "the gradient is still there at the end: nobody has thrown it away."),
        ],
        "step": [
            never,
            (moved, "the weights move, so step() runs."),
            (
                not stays,
                "at the end there is no gradient: even step() could do nothing. Where was it lost?",
            ),
        ],
        "zero_grad": [never, (not grows, "the gradient would grow from step to step.")],
        "none": [
            never,
            (not moved, "the weights stay where they are, so it learns nothing."),
            (grows, "on one and the same batch the gradient grows and grows."),
        ],
    }
    return next((why for true, why in against[claim] if true), "")


def judge_diagnosis(attempt: Any) -> str:
    if not isinstance(attempt, (list, tuple)) or len(attempt) != len(FAULT_OF):
        return "a list of five words is wanted, for A to E."
    for (letter, fault), claim in zip(FAULT_OF.items(), attempt):
        if claim not in CLAIMS:
            return f"{letter}: {claim!r} is none of the words {', '.join(map(repr, CLAIMS))}."
        if claim != fault:
            return f"{letter}: {doubt(fault, claim)}"
    return ""


diagnosis = lesson.Exercise(
    "diagnosis",
    answer=["late", "step", "zero_grad", "none", "backward"],
    judge=judge_diagnosis,
    hint="Ask of each loop, in this order: does a gradient arrive, is it still there at the end, "
    "do the weights move, and does the gradient become smaller, as it should on one batch?",
    because="In E nothing arrives. In A it arrives and is gone at the end. In B it stays, and the "
    "weights stay too. In C the sums grow.",
)

# --------------------------------------------------------------------------- an update by hand


def judge_update(update: Any) -> str | None:
    """Calls it with the parameters of a small model, whose gradients are there."""
    if not callable(update):
        return "a function is wanted."
    for name in sorted(names_in(update) & {"optim", "optimizer", "SGD"}):
        return f"without {name}, please: go through the parameters, and use each p.grad."
    torch.manual_seed(3)
    model = nn.Linear(3, 2)
    model(torch.tensor([[1.0, -2.0, 0.5]])).square().sum().backward()
    parameters = list(model.parameters())
    old = [p.detach().clone() for p in parameters]
    slopes = [p.grad.clone() for p in parameters]
    try:
        result = update(parameters, 0.1)
    except TypeError:
        if any(p.grad is None for p in parameters):  # None times lr
            return "the gradients were cleared before they were used: p.grad was None by then."
        raise
    if result is ... or (is_stub(update, result) and parameters[0].grad is not None):
        return None
    moved = [p.detach() - o for p, o in zip(parameters, old)]
    cleared = [p.grad is None or not p.grad.any() for p in parameters]

    def all_by(factor: float) -> bool:
        return all(torch.allclose(m, factor * g, atol=1e-6) for m, g in zip(moved, slopes))

    if all_by(0.0):
        if any(cleared):
            return "the gradients were cleared before they were used."
        return (
            "the parameters have not moved. Something like p = p - … makes a new tensor with the "
            "name p, and the parameter stays what it was. Write into it."
        )
    if not any(m.any() for m in moved[1:]):
        return "only the first parameter has moved: is there a return in the loop?"
    if all_by(0.1):
        return "it goes uphill: with this sign the loss becomes larger."
    if all_by(-1.0):
        return "lr is missing."
    if not all_by(-0.1):
        return "the parameters have moved, but not by lr times their gradient."
    if not all(p.requires_grad and p.is_leaf for p in parameters):
        return "now they require no gradient: the next forward pass would not be recorded."
    if not all(cleared):
        return broke("accumulate", "the step is right, but the gradients are still there.")
    return ""


by_hand = lesson.Exercise(
    "by hand",
    judge=judge_update,
    hint="Go through section 1 again, beginning at backward(): what stands under no_grad(), what "
    "is taken from what, by which factor, and what becomes of .grad afterwards? Each of these is "
    "needed here, for each p in parameters.",
    because="with torch.no_grad(): for p in parameters: p -= lr * p.grad; p.grad = None",
)

# ------------------------------------------------------------------------------- with momentum

NAMES = ("w", "g", "v", "lr", "m")
CALLS = ((1.0, 2.0, 3.0, 0.1, 0.9), (-2.0, 0.5, 0.25, 0.2, 0.5), (0.5, -1.5, 2.0, 0.05, 1.0))


def right_step(w: float, g: float, v: float, lr: float, m: float) -> tuple[float, float]:
    return w - lr * (m * v + g), m * v + g


SLIPS: dict[Callable[..., tuple[float, float]], str] = {
    lambda w, g, v, lr, m: (w - lr * (m * v + (1 - m) * g), m * v + (1 - m) * g): "that is a "
    "mean. Here the new gradient is added in full.",
    lambda w, g, v, lr, m: (w - lr * v, m * v + g): "w moves by the old v. Make the new one first.",
    lambda w, g, v, lr, m: (w - lr * g, m * v + g): "w moves by g alone: what v remembers is not "
    "used.",
    lambda w, g, v, lr, m: (w - lr * m * v, m * v): "v never hears of the new gradient g.",
    lambda w, g, v, lr, m: (w + m * v - lr * g, m * v - lr * g): "in this v, lr and the sign are "
    "in it already. Some libraries do that; here v holds gradients alone.",
    lambda w, g, v, lr, m: (m * v + g, w - lr * (m * v + g)): "both numbers are right, in the "
    "wrong order: the new w comes first.",
    lambda w, g, v, lr, m: (w + lr * (m * v + g), m * v + g): "it goes uphill: "
    "with this sign the loss grows.",
    lambda w, g, v, lr, m: (w - (m * v + lr * g), m * v + lr * g): "lr belongs to the move of "
    "w. In v it would be remembered, even when lr changes.",
    lambda w, g, v, lr, m: (w - lr * (v + g), v + g): "m is missing: nothing ever fades.",
    lambda w, g, v, lr, m: (w - lr * (g + m * (m * v + g)), m * v + g): "that is Nesterov's "
    "step, which looks ahead. The plain one uses v.",
    lambda w, g, v, lr, m: (w - lr * (m * v + g), v): "v is returned as it came: nothing is "
    "remembered.",
}


def judge_momentum(attempt: Any) -> str | None:
    """Calls it three times, and compares with the right step and with known slips."""
    if not callable(attempt):
        return "a function is wanted."
    if "grad" in names_in(attempt):
        return "the new gradient is handed in, as g: no other one is to be looked for."
    results = [attempt(*call) for call in CALLS]
    if any(is_open(one) or is_stub(attempt, one) for one in results):
        return None
    if any(one is None for one in results):
        return "it returns nothing: end with return."
    if any(np.ndim(one) == 0 for one in results):
        return "it returns one number. Two are wanted: the new w, and the new v for the next step."
    if any(np.shape(one) != (2,) for one in results):
        return "two numbers are wanted: the new w and the new v."

    def does(rule: Callable[..., tuple[float, float]]) -> bool:
        return np.allclose(results, [rule(*call) for call in CALLS], rtol=1e-4, atol=1e-6)

    if does(right_step):
        return ""
    for slip, message in SLIPS.items():
        if does(slip):
            return message
    rights = [right_step(*call) for call in CALLS]
    worst = next(i for i, one in enumerate(rights) if not np.allclose(results[i], one, rtol=1e-4))
    pairs = zip("wv", results[worst], rights[worst])
    wrong = [name for name, got, right in pairs if not np.isclose(got, right, rtol=1e-4)]
    called = ", ".join(f"{name}={value:g}" for name, value in zip(NAMES, CALLS[worst]))
    got = "w = {:.4g}, v = {:.4g}".format(*results[worst])
    return f"called with {called}, it returns {got}: not yet the new {' and the new '.join(wrong)}."


momentum = lesson.Exercise(
    "momentum",
    judge=judge_momentum,
    hint="The two lines above stand in the order in which they run: the second uses the new v.",
    because="v = m * v + g; return w - lr * v, v",
)
