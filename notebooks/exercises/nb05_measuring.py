"""Exercises of notebook 05: to measure a loss, to keep what was learned, to try one's own."""

from __future__ import annotations

import math
import tempfile
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

from .code_names import names_in
from .graphs import nodes

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
                f"it is a tensor with {len(nodes(result))} nodes behind it. Add numbers, and not "
                "tensors that remember how they were made."
            )
        result = result.item()
    if isinstance(result, (np.ndarray, np.generic)) and result.size == 1:
        result = result.item()
    if isinstance(result, bool) or not isinstance(result, (int, float)):
        return f"a number is wanted; this is a {type(result).__name__}."
    if next(model.parameters()).grad is not None:
        return "it leaves gradients in the model. Measuring needs no backward()."
    sizes = [len(y) for _, y in loader]
    means = [F.cross_entropy(model(x), y).item() for x, y in loader]
    total = sum(m * s for m, s in zip(means, sizes))
    elsewhere = len(torch.datasets.digits().y)  # the notebook's own
    known = {
        total / 70: "",
        sum(means) / 3: "each batch counts the same, but the last has only 6 of the 70 digits. "
        "Does each digit count the same then?",
        sum(means): "that is the sum of the batches' losses. Divide.",
        total: "that is the sum over all digits. Divide by how many they are.",
        total / 96: "the last batch is not full, so these are more digits than there are.",
        total / 3: "divided by the number of batches, but you have weighed by digits.",
        32
        * sum(means)
        / 70: "the last batch has only 6 of the 70 digits, and it weighs as much as 32 of them.",
        32 * sum(means) / elsewhere: "each batch was weighed by 32, and divided by the size of "
        "another data set: look at the batches that this loader gives.",
        sum(means) / 45: "divided by the number of another loader's batches.",
        total / elsewhere: "divided by the size of another data set: count the digits that this "
        "loader gives.",
        sum(means) / elsewhere: "divided by the size of another data set, and each batch's mean "
        "counted once: weigh and count what this loader gives.",
        sum(means) / 70: "F.cross_entropy is a mean already, and here means are added up and "
        "divided once more.",
        means[-1]: "that is the last batch alone.",
        means[0]: "that is the first batch alone: is there a return in the loop?",
    }
    for value, message in known.items():
        if np.isclose(result, value, rtol=1e-4):
            return message
    where = "small" if result < total / 70 else "large"
    return f"it is {result:.4g}, which is too {where}."


mean_loss = lesson.Exercise(
    "mean loss",
    judge=judge_mean_loss,
    hint="F.cross_entropy gives the mean of a batch. How do you get the sum over that batch, as a "
    "plain number? Add these sums, and count the digits.",
    because="Add up F.cross_entropy(model(x), y).item() * len(y), and divide by the sum of all "
    "len(y).",
)

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
            return "nothing was saved at path."
        kept = torch.load(path, weights_only=False)
    if not isinstance(kept, dict):
        return f"a {type(kept).__name__} was saved, and the names of the weights are lost."
    if before not in states_in(kept):
        return "what was saved are not the weights of model."
    if numbers(other) == untouched:
        return "saved; but other still has its own weights."
    shared = {id(p) for p in one.parameters()} & {id(p) for p in other.parameters()}
    if shared:
        return "both have the same tensors now: whoever trains one trains the other."
    x = torch.rand(3, 1, 8, 8)
    if not torch.equal(one(x), other(x)):
        return "the scores of the two differ."
    if not read.called and "load" not in names_in(attempt):
        return "the scores are equal, but they do not come from the file."
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


keep = lesson.Exercise(
    "keep",
    judge=judge_keep,
    hint="Two lines: one with torch.save, one with torch.load inside of load_state_dict.",
    because="torch.save(model.state_dict(), path); other.load_state_dict(torch.load(path))",
)

# ------------------------------------------------------------------------ a network of one's own

EPOCHS, RATE = 15, 0.1
NEAR_LOSS, NEAR_SHARE = 0.4, 0.05  # so far off may an expectation be
FIRST_LOSS = math.log(10)


def made(network: Any) -> Any:
    """The model that a function makes, always from the same random numbers."""
    torch.manual_seed(0)
    return network()


def first_loss_of(model: Any) -> float:
    """The loss of a model before its first step, over all digits that it is to learn from."""
    digits = torch.datasets.digits()
    with torch.no_grad():
        return F.cross_entropy(model(digits.x), digits.y).item()


def share_read(model: Any) -> float:
    """Trains a model, and measures the share of the test digits that it reads."""
    digits = torch.datasets.digits()
    optimizer = torch.optim.SGD(model.parameters(), RATE)
    loader = DataLoader(TensorDataset(digits.x, digits.y), batch_size=32, shuffle=True)
    for _ in range(EPOCHS):
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
    with torch.no_grad():
        return (model(digits.x_test).argmax(1) == digits.y_test).float().mean().item()


def judge_own_network(network: Any) -> str | None:
    """Can this network be trained with the digits?"""
    if not callable(network) or isinstance(network, nn.Module):
        return "network is to be a function that returns a model: def network(): …"
    model = made(network)
    if is_stub(network, model):
        return None
    if not isinstance(model, nn.Module):
        return f"network() returns a {type(model).__name__}, and a model is wanted."
    if not list(model.parameters()):
        return "this network has no parameters, and so nothing that could be learned."
    digits = torch.datasets.digits()
    try:
        with torch.no_grad():
            scores = model(digits.x)
    except (RuntimeError, TypeError, ValueError) as error:
        return f"this network cannot read the digits: {error}"
    if tuple(scores.shape) != (len(digits.y), 10):
        shape = tuple(scores.shape)
        return f"the scores of {len(digits.y):,} digits have shape {shape}: ten each?"
    return ""


own_network = lesson.Exercise(
    "own network",
    judge=judge_own_network,
    hint="Follow one image through your layers, and write down how many numbers come out of each. "
    "Each Linear has to take as many as the layer before gives.",
    because="An image has 64 numbers and there are ten digits. So the first Linear takes 64, the "
    "last one gives 10, and in between each takes what the one before gives.",
)


def expectation(attempt: Any, name: str) -> tuple[Any, Any, str | None]:
    """A model that can be trained, what is expected of it, and what is wrong with these two."""
    if not isinstance(attempt, (list, tuple)) or len(attempt) != 2:
        return None, None, f"two things are wanted: the function network, and {name}."
    network, said = attempt
    fault = judge_own_network(network)
    if is_open(said) or fault is None:
        return None, None, None
    if fault:
        return None, None, f"{name} waits for a network that works: see own network."
    if isinstance(said, bool) or not isinstance(said, (int, float)):
        return None, None, f"{name} is a {type(said).__name__}, and a number is wanted."
    return made(network), said, ""


def judge_first_loss(attempt: Any) -> str | None:
    """Compares the first loss with what was expected."""
    model, said, fault = expectation(attempt, "first_loss")
    if fault != "":
        return fault
    first = first_loss_of(model)
    return "" if abs(said - first) <= NEAR_LOSS else expected_loss(said, first)


def expected_loss(said: float, first: float) -> str:
    """What is told somebody who expects another first loss."""
    if abs(first - FIRST_LOSS) > NEAR_LOSS:
        return "this network begins with other scores than most: does something make them large?"
    if said == 0:
        return "a loss of 0 would mean that it is sure of the right digit from the start."
    if abs(said - 1) < 1e-6:
        return "that is a logarithm to the base 10. Cross entropy takes the natural one."
    if abs(said - 0.1) < 1e-6:
        return "that is the probability of one digit. The loss is minus its logarithm."
    if said < 0:
        return "a cross entropy is never below 0: a probability is at most 1."
    return f"the measured loss is {'smaller' if said > first else 'larger'} than that."


first_loss = lesson.Exercise(
    "first loss",
    judge=judge_first_loss,
    hint="Before training, the ten scores hardly differ, so each digit has about the same "
    "probability. The loss is minus the natural logarithm of that of the true one.",
    because="Ten digits with about the same probability: −log(1/10) = log(10), about 2.3.",
)


def judge_share(attempt: Any) -> str | None:
    """Trains the network, and compares the share of the test digits with what was expected."""
    model, said, fault = expectation(attempt, "share")
    if fault != "":
        return fault
    if said > 1:
        return "share is a part of 1: nine tenths of the digits would be 0.9."
    read = share_read(model)
    if abs(said - read) <= NEAR_SHARE:
        return ""
    return f"trained, it reads {'more' if read > said else 'fewer'} of the test digits than that."


share = lesson.Exercise(
    "share",
    judge=judge_share,
    hint="You have measured such a share already, in section 6: the network of section 5 was wrong "
    "about a few of a hundred test digits. Is yours larger or smaller, and how long is it trained?",
    because="Nobody can work this number out: it has to be measured, and it differs from network "
    "to network.",
)
