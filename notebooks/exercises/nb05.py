"""What notebook 05 asks for: its questions, and seven exercises with their judges."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import lesson, nn, serialization
from minigrad.lesson.checking import is_stub
from minigrad.lesson.values import is_open
from minigrad.utils.data import DataLoader, TensorDataset

from .graphs import nodes
from .nb05_runs import LEARNS, SILENT, examined

# --------------------------------------------------------------------------- questions
# Here, and not in the cells, so that nobody reads an answer before giving one.

which_is_better = partial(
    lesson.predict,
    "The same network is trained twice, with learning rate 0.002 for 15 epochs. One of the two "
    "loops forgets optimizer.zero_grad(). Which one reads more of the test digits?",
    "the one that forgets",
    choices=["the one that clears", "the one that forgets", "no difference"],
    mistakes={"the one that clears": "With such small steps it hardly gets anywhere."},
)

which_line = partial(
    lesson.predict,
    "One weight is watched. Which line of the loop changes its number?",
    "optimizer.step()",
    choices=[
        "optimizer.zero_grad()",
        "loss = F.cross_entropy(model(x), y)",
        "loss.backward()",
        "optimizer.step()",
    ],
    mistakes={
        "optimizer.zero_grad()": "It clears the grad beside the weight, not the weight.",
        "loss = F.cross_entropy(model(x), y)": "It uses the weight, and records how.",
        "loss.backward()": "It fills the grad beside the weight. The weight itself waits.",
    },
    because="w becomes w − lr · grad there, and nowhere else.",
)

which_part = partial(
    lesson.predict,
    "Where does the trained network make more mistakes?",
    "among the 360 it has never seen",
    choices=["among the 1437 it learned from", "among the 360 it has never seen"],
    because="It was fitted to the others, batch by batch.",
)

OUTCOMES = [LEARNS, SILENT, "an error"]
no_step = partial(
    lesson.predict,
    "optimizer.step() is missing. What happens?",
    SILENT,
    choices=OUTCOMES,
    mistakes={
        "an error": "All grads are there, and nobody uses them. That is no error.",
        LEARNS: "Nothing else changes the weights.",
    },
)
no_backward = partial(
    lesson.predict,
    "loss.backward() is missing. What happens?",
    SILENT,
    choices=OUTCOMES,
    mistakes={
        "an error": "step() passes over parameters without a grad.",
        LEARNS: "Where should a grad come from?",
    },
)
late_clear = partial(
    lesson.predict,
    "optimizer.zero_grad() stands between backward() and step(). What happens?",
    SILENT,
    choices=OUTCOMES,
    mistakes={
        "an error": "step() passes over parameters without a grad.",
        LEARNS: "What step() needs has just been thrown away.",
    },
)
one_forward = partial(
    lesson.predict,
    "The forward pass stands in front of the loop, so that loss is computed once. What happens?",
    "an error",
    choices=OUTCOMES,
    mistakes={
        SILENT: "The first backward() frees what the nodes had saved. And the second?",
        LEARNS: "The first backward() frees what the nodes had saved. And the second?",
    },
    because="Each backward pass needs a fresh graph, and so a forward pass (MG106).",
)

where_it_harms = partial(
    lesson.predict,
    "Four learning rates: 0.5, 0.1, 0.01, 0.002. Where does forgetting zero_grad() cost digits?",
    "at 0.5 and 0.1",
    choices=["nowhere", "at 0.5 only", "at 0.5 and 0.1", "everywhere"],
    mistakes={
        "everywhere": "At 0.002 you have seen the opposite.",
        "at 0.5 only": "At 0.1, too, old gradients push it far beyond the goal.",
        "nowhere": "At 0.002 it helps. But large steps add up to huge ones.",
    },
)

which_momentum = partial(
    lesson.predict,
    "A loop without zero_grad() does exactly what SGD(…, momentum=m) does with it. Which m?",
    1,
    mistakes={
        0: "That is plain SGD, which forgets the past. .grad keeps all of it.",
        0.9: "Then old gradients would fade. In .grad they stay in full.",
    },
    because="v = 1 · v + grad: nothing fades. Without friction it swings, or flies away.",
)

first_step = "an error in step 1"
second_step = "an error in step 2"
new_name = partial(
    lesson.predict,
    "w = w - 0.5 * w.grad, without an optimizer. What happens?",
    second_step,
    choices=[LEARNS, SILENT, first_step, second_step],
    mistakes={
        LEARNS: "w is a new tensor then: a result. Who keeps a grad for a result?",
        SILENT: "w is a new tensor then, and its grad is None. None times 0.5?",
        first_step: "In step 1, w is still the leaf that you made, and has its grad.",
    },
    because="After step 1, w is the name of a result. Its grad is not kept: it is None.",
)
recorded = partial(
    lesson.predict,
    "w -= 0.5 * w.grad, outside of torch.no_grad(). What happens?",
    first_step,
    choices=[LEARNS, SILENT, first_step, second_step],
    mistakes={
        LEARNS: "The write would have to be recorded, and a leaf has no history.",
        SILENT: "It is said loudly, and at once.",
        second_step: "The first write is one too many.",
    },
    because="A leaf cannot be changed in place while operations are recorded.",
)

how_many_nodes = partial(
    lesson.predict,
    "One epoch has 45 steps. A forward pass leaves 4 nodes, and total += loss one more. How many "
    "nodes hang behind total at the end?",
    225,
    mistakes={
        4: "That is one step. The total leads to all of them.",
        5: "That is one step. The total leads to all of them.",
        45: "Those are the additions. Each leads to a forward pass.",
        180: "And 45 additions.",
        0: "backward() frees what is saved. The nodes stay while something leads to them.",
    },
    because="45 steps of 4 + 1 nodes. They stay as long as total does.",
)

twice = partial(
    lesson.predict,
    "a.grad is 7. You run the forward pass again, and backward(). What is a.grad?",
    14,
    mistakes={7: "backward() adds to what is there."},
)
batch_sum = partial(
    lesson.predict,
    "A loss is the mean over a batch of 32. How many times larger are the gradients of the sum?",
    32,
    mistakes={1: "The mean divides by 32, and so do its derivatives."},
    because="So the learning rate would have to be divided by 32.",
)
broadcast = partial(
    lesson.predict,
    "prediction has shape (32, 1), target (32,). Over how many differences is the mean taken?",
    1024,
    mistakes={32: "The shapes are aligned at the right, and stretch to (32, 32)."},
    because="Each prediction meets each target: 32 times 32.",
)


def confirmed(asked: list[Any], results: list[str]) -> bool:
    """Has each loop done what its question holds to be right?"""
    return len(asked) == len(results) and all(
        question.answer in result.split(": ", 1)[1] for question, result in zip(asked, results)
    )


# ------------------------------------------------------------------- seven lines in an order

LINES = {
    "K": "optimizer.step()",
    "L": "for x, y in loader:",
    "M": "loss.backward()",
    "N": "loss = F.cross_entropy(scores, y)",
    "O": "for epoch in range(30):",
    "P": "scores = model(x)",
    "Q": "optimizer.zero_grad()",
}
NEEDS = {"O": "", "L": "O", "P": "L", "N": "P", "M": "N", "K": "M", "Q": "L"}
WHY = {
    "LO": "L comes before O: then there is one pass over the data, and no epochs.",
    "NP": "N needs scores, which P makes.",
    "MN": "M starts from loss, which N makes.",
    "KM": "K comes before M: it would use the grads of the batch before, or none.",
}


def judge_order(attempt: Any) -> str:
    if isinstance(attempt, str):
        attempt = list(attempt.replace(" ", "").replace(",", ""))
    if isinstance(attempt, (list, tuple)):
        attempt = [one.upper() if isinstance(one, str) else one for one in attempt]
    message = lesson.in_order(NEEDS)(attempt)
    if "which it needs" in message:
        late, early = message.split()[0], message.split()[3].rstrip(",")
        once = f"{late} stands in front of L: it would not be repeated for each batch."
        return WHY.get(late + early, once)
    if not message and attempt.index("M") < attempt.index("Q") < attempt.index("K"):
        return "Q stands between M and K: it clears what M has just computed, before K uses it."
    return message


order = lesson.Exercise("order", judge=judge_order)


def show_lines() -> None:
    """The seven lines, by their letters."""
    for letter, line in LINES.items():
        print(f"{letter}   {line}")


# ----------------------------------------------------------------------- what each line is for

PURPOSES = {
    "compare": "tells how wrong the scores are",
    "clear": "empties each .grad",
    "fill": "puts a new slope into each .grad",
    "move": "changes the weights",
}
PURPOSE_OF = {"Q": "clear", "N": "compare", "M": "fill", "K": "move"}
NOT_SO = {
    "Q": "zero_grad() sees neither the truth nor the loss. What is left for it to do?",
    "N": "cross_entropy() gets scores and truth, and no optimizer: weights and grads wait.",
    "M": "backward() walks the graph that is there, from the loss to the weights. It changes none.",
    "K": "step() comes last, when every grad is there. What for?",
}


def show_purposes() -> None:
    """What a line may be for."""
    for word, text in PURPOSES.items():
        print(f"{word!r:10} {text}")


def judge_purpose(attempt: Any) -> str:
    if not isinstance(attempt, (list, tuple)) or len(attempt) != len(PURPOSE_OF):
        return "a list of four words is wanted, for Q, N, M and K."
    for (letter, word), said in zip(PURPOSE_OF.items(), attempt):
        if said not in PURPOSES:
            return f"{letter}: {said!r} is none of the words {', '.join(map(repr, PURPOSES))}."
        if said != word:
            return f"{letter}: {NOT_SO[letter]}"
    return ""


purpose = lesson.Exercise("purpose", judge=judge_purpose)

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
    print("   norm of the grad    norm")
    print("   behind backward()   at the end  weights")
    for letter, fault in FAULT_OF.items():
        arrived, end, moved = examined(fault)
        norms = "  ".join(arrived)
        print(f"{letter}  {norms}    {end}        {'move' if moved else 'stay'}")
    print()
    for name, claim in CLAIMS.items():
        print(f"{name!r:12} {claim}")


def doubt(fault: str, claim: str) -> str:
    """What speaks against this diagnosis; "" if nothing does."""
    arrived, end, moved = examined(fault)
    comes, stays = arrived[0] != "None", end != "None"
    grows = comes and float(arrived[2]) > 2 * float(arrived[0])
    never = (not comes, "no grad ever arrives, so something before step() is missing.")
    against = {
        "backward": [(comes, "a grad does arrive, so backward() runs.")],
        "late": [
            (not comes, "no grad arrives that could be thrown away."),
            (stays, "the grad is still there at the end: nobody has thrown it away."),
        ],
        "step": [
            never,
            (moved, "the weights move, so step() runs."),
            (
                not stays,
                "at the end there is no grad: even step() could do nothing. Where was it lost?",
            ),
        ],
        "zero_grad": [never, (not grows, "the grad would grow from step to step.")],
        "none": [
            never,
            (not moved, "the weights stay where they are, so it learns nothing."),
            (grows, "on one and the same batch the grad grows and grows."),
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


diagnosis = lesson.Exercise("diagnosis", judge=judge_diagnosis)

# --------------------------------------------------------------------------- an update by hand


def names_in(function: Any) -> set[str]:
    """The global names and the attributes that a function uses, with those inside of it."""
    codes = [getattr(function, "__code__", None)]
    found: set[str] = set()
    for code in codes:
        if code is not None:
            found |= set(code.co_names)
            codes += [one for one in code.co_consts if hasattr(one, "co_names")]
    return found


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
            return "the grads were cleared before they were used: p.grad was None by then."
        raise
    if result is ... or (is_stub(update, result) and parameters[0].grad is not None):
        return None
    moved = [p.detach() - o for p, o in zip(parameters, old)]
    cleared = [p.grad is None or not p.grad.any() for p in parameters]

    def all_by(factor: float) -> bool:
        return all(torch.allclose(m, factor * g, atol=1e-6) for m, g in zip(moved, slopes))

    if all_by(0.0):
        if any(cleared):
            return "the grads were cleared before they were used."
        return (
            "the model has not moved. Something like p = p - … makes a new tensor, and the "
            "model keeps the old one. Write into it: p -= …"
        )
    if not any(m.any() for m in moved[1:]):
        return "only the first parameter has moved: is there a return in the loop?"
    if all_by(0.1):
        return "it goes uphill: the grad is subtracted."
    if all_by(-1.0):
        return "lr is missing."
    if not all_by(-0.1):
        return "the parameters have moved, but not by lr times their grad."
    if not all(p.requires_grad and p.is_leaf for p in parameters):
        return "now they require no gradient: the next forward pass would not be recorded."
    if not all(cleared):
        return "the step is right, but the grads are still there: set them to None."
    return ""


by_hand = lesson.Exercise("by hand", judge=judge_update)

# ------------------------------------------------------------------------------- with momentum

NAMES = ("w", "g", "v", "lr", "m")
CALLS = ((1.0, 2.0, 3.0, 0.1, 0.9), (-2.0, 0.5, 0.25, 0.2, 0.5), (0.5, -1.5, 2.0, 0.05, 1.0))


def right_step(w: float, g: float, v: float, lr: float, m: float) -> tuple[float, float]:
    return w - lr * (m * v + g), m * v + g


SLIPS: dict[Callable[..., tuple[float, float]], str] = {
    lambda w, g, v, lr, m: (w - lr * (m * v + (1 - m) * g), m * v + (1 - m) * g): "that is a "
    "mean. Here the new grad is added in full.",
    lambda w, g, v, lr, m: (w - lr * v, m * v + g): "w moves by the old v. Make the new one first.",
    lambda w, g, v, lr, m: (w - lr * g, m * v + g): "w moves by g alone: what v remembers is not "
    "used.",
    lambda w, g, v, lr, m: (w - lr * m * v, m * v): "v never hears of the new grad: add g to "
    "m * v.",
    lambda w, g, v, lr, m: (w + m * v - lr * g, m * v - lr * g): "in this v, lr and the sign are "
    "in it already. Some libraries do that; here v holds grads alone.",
    lambda w, g, v, lr, m: (m * v + g, w - lr * (m * v + g)): "both numbers are right, in the "
    "wrong order: the new w comes first.",
    lambda w, g, v, lr, m: (w + lr * (m * v + g), m * v + g): "it goes uphill: subtract.",
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
        return "the new grad is handed in, as g: no other one is to be looked for."
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
    called = ", ".join(f"{name}={value:g}" for name, value in zip(NAMES, CALLS[worst]))
    got, wanted = ("w = {:.4g}, v = {:.4g}".format(*one) for one in (results[worst], rights[worst]))
    return f"called with {called}, it returns {got}; it should be {wanted}."


momentum = lesson.Exercise("momentum", judge=judge_momentum)

# ------------------------------------------------------------------------- the loss of a data set


def loss_setting() -> tuple[Any, Any]:
    """A model, and 70 digits in batches of 32, 32 and 6."""
    torch.manual_seed(4)
    model = nn.Sequential(nn.Flatten(), nn.Linear(64, 10))
    x, y = torch.rand(70, 1, 8, 8), torch.randint(10, (70,))
    y[64:] = model(x[64:]).argmin(1)  # so that the last batch is worse than the others
    return model, DataLoader(TensorDataset(x, y), batch_size=32)


def judge_mean_loss(attempt: Any) -> str | None:
    if not callable(attempt):
        return "a function is wanted."
    if "epoch" in names_in(attempt):
        return "epoch() trains your model, on its own loader. Go through the loader given here."
    model, loader = loss_setting()
    result = attempt(model, loader)
    if result is ... or is_stub(attempt, result):
        return None
    if result is None:
        return "it returns nothing: end with return."
    if isinstance(result, torch.Tensor) and result.numel() == 1:
        if result.grad_fn is not None:
            return (
                f"it is a tensor with {len(nodes(result))} nodes behind it. Add numbers: "
                "loss.item()."
            )
        result = result.item()
    if isinstance(result, (np.ndarray, np.generic)) and result.size == 1:
        result = result.item()
    if isinstance(result, bool) or not isinstance(result, (int, float)):
        return f"a number is wanted; this is a {type(result).__name__}."
    if next(model.parameters()).grad is not None:
        return "it leaves grads in the model. Measuring needs no backward()."
    sizes = [len(y) for _, y in loader]
    means = [F.cross_entropy(model(x), y).item() for x, y in loader]
    total = sum(m * s for m, s in zip(means, sizes))
    elsewhere = len(torch.datasets.digits().y)  # the notebook's own
    known = {
        total / 70: "",
        sum(means) / 3: "each batch counts the same, but the last has only 6 of the 70 digits. "
        "Weigh it: loss.item() * len(y).",
        sum(means): "that is the sum of the batches' losses. Divide.",
        total: "that is the sum over all digits. Divide by how many they are.",
        total / 96: "the last batch is not full: count the digits with len(y).",
        total / 3: "divided by the number of batches, but you have weighed by digits.",
        32 * sum(means) / 70: "the last batch has only 6 digits: weigh by len(y), not by 32.",
        32 * sum(means) / elsewhere: "each batch was weighed by 32, and divided by the size of "
        "another data set: weigh and count by len(y).",
        sum(means) / 45: "divided by the number of another loader's batches.",
        total / elsewhere: "divided by the size of another data set: count the digits that this "
        "loader gives.",
        sum(means) / elsewhere: "divided by the size of another data set, and each batch's mean "
        "counted once: weigh and count what this loader gives.",
        sum(means) / 70: "F.cross_entropy is a mean already: multiply it by len(y) first.",
        means[-1]: "that is the last batch alone.",
        means[0]: "that is the first batch alone: is there a return in the loop?",
    }
    for value, message in known.items():
        if np.isclose(result, value, rtol=1e-4):
            return message
    return f"it is {result:.4g}, and should be {total / 70:.4g}."


mean_loss = lesson.Exercise("mean loss", judge=judge_mean_loss)

# ------------------------------------------------------------------------- what was learned, kept


def small_net(seed: int) -> Any:
    torch.manual_seed(seed)
    return nn.Sequential(nn.Flatten(), nn.Linear(64, 5), nn.Tanh(), nn.Linear(5, 10))


def judge_keep(attempt: Any) -> str | None:
    """Lets it save one model and load into another, whose scores are compared."""
    if not callable(attempt):
        return "a function is wanted."
    one, other = small_net(6), small_net(7)
    before, untouched = numbers(one), numbers(other)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "weights.pt"
        reader = serialization.from_npz  # by which ``torch.load`` reads, whoever calls it
        with mock.patch.object(serialization, "from_npz", wraps=reader) as read:
            result = attempt(one, other, str(path))
        if is_open(result) or is_stub(attempt, result):
            return None
        if numbers(one) != before:
            was_loaded = numbers(one) == untouched
            return (
                "it went the wrong way: the weights of other are in model now."
                if was_loaded
                else "model has changed. It is only to be saved."
            )
        if not path.exists():
            return "nothing was saved at path: torch.save(what, path)."
        kept = torch.load(path, weights_only=False)
    if not isinstance(kept, dict):
        return f"a {type(kept).__name__} was saved, and the names are lost: model.state_dict()."
    if before not in states_in(kept):
        return "what was saved are not the weights of model."
    if numbers(other) == untouched:
        return "saved; but other still has its own weights: other.load_state_dict(…)."
    shared = {id(p) for p in one.parameters()} & {id(p) for p in other.parameters()}
    if shared:
        return "both have the same tensors now: whoever trains one trains the other."
    x = torch.rand(3, 1, 8, 8)
    if not torch.equal(one(x), other(x)):
        return "the scores of the two differ."
    if not read.called and "load" not in names_in(attempt):
        return "the scores are equal, but not from the file: torch.load(path)."
    return ""


def numbers(model: Any) -> dict[str, Any]:
    return numbers_of(model.state_dict())


def numbers_of(state: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value.tolist() for name, value in state.items() if isinstance(value, torch.Tensor)
    }


def states_in(kept: dict[str, Any]) -> list[dict[str, Any]]:
    """The numbers of what was saved: a state dict, or a dict with some of them by name."""
    inside = [value for value in kept.values() if isinstance(value, dict)]
    return [numbers_of(state) for state in (kept, *inside)]


keep = lesson.Exercise("keep", judge=judge_keep)
