"""Exercises of notebook 13: networks that are changed while they train; with their judges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import lesson, nn
from minigrad.lesson import broke
from minigrad.lesson.checking import is_stub
from minigrad.lesson.values import is_open


def data() -> tuple[Any, Any]:
    torch.manual_seed(5)
    return torch.randn(40, 64), torch.randint(0, 10, (40,))


def network() -> tuple[Any, Any]:
    torch.manual_seed(2)
    model = nn.Sequential(nn.Flatten(), nn.Linear(64, 32), nn.Tanh(), nn.Linear(32, 10))
    return model, torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)


def train(model: Any, optimizer: Any, steps: int) -> None:
    x, y = data()
    for _ in range(steps):
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()


def changed(change: Callable[[Any, Any], Any], same: bool) -> str | None:
    """Trains five steps, lets a model be changed, and trains on; what is wrong, "" if nothing."""
    if not callable(change):
        return "a function is wanted."
    (model, optimizer), (x, _) = network(), data()
    train(model, optimizer, 5)
    before = list(model.parameters())
    scores = model(x).detach()
    result = change(model, optimizer)
    after = list(model.parameters())
    if is_open(result) or is_stub(change, result):
        return None
    if any(all(one is not other for other in after) for one in before):
        return "a layer that was there is no longer in the model, and what it had learned is lost."
    if len(after) == len(before):
        return (
            "model.parameters() has as many parameters as before: the model has not heard of a "
            "new layer."
        )
    new = [one for one in after if all(one is not other for other in before)]
    optimizer.zero_grad()
    model(x).sum().backward()
    if all(one.grad is None for one in new):
        return broke("ran", "the model knows the layer, but no gradient arrives: it does not run.")
    for one in after:
        one.grad = None
    if not same and (wrong := misplaced(model, new)):
        return wrong
    if same and not torch.allclose(model(x).detach(), scores, rtol=1e-4, atol=1e-5):
        off = (model(x).detach() - scores).abs().max().item()
        return f"at the moment of the change the scores jump, by up to {off:.2f}."
    values = [one.detach().clone() for one in after]
    train(model, optimizer, 3)
    moved = [not torch.equal(a, b) for a, b in zip(values, after)]
    if not any(one for one, p in zip(moved, after) if any(p is other for other in new)):
        if replaced(change, optimizer):
            return (
                "the new layer does not move: your function makes an optimizer of its own, and "
                "the loop goes on with the one that it has."
            )
        return (
            "the new layer is in the model and gets its gradients. But after three more steps its "
            "weights have not moved. Who moves a weight, and how does it know which ones there are?"
        )
    if not all(one for one, p in zip(moved, after) if any(p is other for other in new)):
        return "only a part of the new layer moves. How many parameters has it?"
    if not all(moved):
        return "the new layer learns now. But some parameter does not move any more."
    return ""


def misplaced(model: Any, new: list[Any]) -> str:
    """What is wrong with the size and the place of the new layer; "" if nothing is."""
    parts = [part for part in model.modules() if isinstance(part, (nn.Linear, nn.Tanh))]
    tanh = next(at for at, part in enumerate(parts) if isinstance(part, nn.Tanh))
    for at, part in enumerate(parts):
        if any(one is weight for one in new for weight in part.parameters()):
            outs, ins = part.weight.shape
            if (ins, outs) != (32, 32):
                return f"the new layer has {ins} numbers in and {outs} out; 32 and 32 are wanted."
            if at < tanh:
                return "the new layer stands in front of the Tanh; it is wanted behind it."
    return ""


def replaced(change: Any, optimizer: Any) -> bool:
    """Does this function make another optimizer, so that the one it was given hears of nothing?"""
    names = getattr(getattr(change, "__code__", None), "co_names", ())
    return type(optimizer).__name__ in names


grow = lesson.Exercise(
    "grow",
    judge=lambda change: changed(change, same=False),
    hint="Three things are to be done: make a layer of the right size, put it where it runs, and "
    "tell the optimizer. The optimizer has a method for a further group of parameters.",
    because="layer = nn.Linear(32, 32); model.insert(3, layer); model.insert(4, nn.Tanh()); "
    'optimizer.add_param_group({"params": layer.parameters()})',
)

keep = lesson.Exercise(
    "own change",
    judge=lambda change: changed(change, same=True),
    hint="Which matrix changes nothing when one multiplies by it? Or: what can be added to a "
    "result without changing it, as long as its weights are 0?",
    because="A Linear layer whose weight is the identity matrix and whose bias is 0, without a "
    "Tanh behind it, put in at place 3 and told to the optimizer.",
)

# ----------------------------------------------------------------------------------- early exit


def judge_early(early: Any) -> str | None:
    """Gives it four blocks, and several degrees of certainty."""
    if not callable(early):
        return "a function is wanted."
    torch.manual_seed(4)
    blocks = [nn.Linear(8, 8) for _ in range(4)]
    last = nn.Linear(8, 10)
    with torch.no_grad():
        last.weight *= 2
    h = torch.randn(1, 8)
    wanted: list[tuple[Any, float]] = []
    now = h
    with torch.no_grad():
        for block in blocks:
            now = now + torch.tanh(block(now))
            scores = last(now)
            wanted.append((scores, F.softmax(scores, 1).max().item()))
    highest = max(certainty for _, certainty in wanted[:3])
    certainties = [certainty for _, certainty in wanted]
    for sure in (0.0, highest - 1e-4, 1.1):
        count = leaves(certainties, sure)
        result = early(blocks, last, h, sure)
        if is_open(result) or is_stub(early, result):
            return None
        if result is None:
            return "it returns nothing: the scores and the number of blocks are wanted."
        if not isinstance(result, tuple) or len(result) != 2:
            return "two things are wanted: the scores, and how many blocks have run."
        scores, used = result
        if used != count:
            return miscounted(early, wanted, (blocks, last, h), sure, used)
        if tuple(scores.shape) != (1, 10):
            return f"the scores have the shape {tuple(scores.shape)}, and (1, 10) is wanted."
        right = wanted[count - 1][0]
        if torch.allclose(scores.detach(), F.softmax(right, 1), rtol=1e-3, atol=1e-4):
            return "it returns the probabilities, and the scores are wanted."
        if not torch.allclose(scores.detach(), right, rtol=1e-3, atol=1e-4):
            for blocks_run, (others, _) in enumerate(wanted, 1):
                if torch.allclose(scores.detach(), others, rtol=1e-3, atol=1e-4):
                    return (
                        f"{count} of 4 blocks are counted, and the scores are those after "
                        f"{blocks_run}."
                    )
            return f"after {count} of 4 blocks the scores are others: is h added to each block?"
    return ""


def leaves(certainties: list[float], sure: float) -> int:
    """After how many blocks it is sure; after all of them if it never is."""
    found = (used for used, one in enumerate(certainties, 1) if one >= sure)
    return next(found, len(certainties))


def miscounted(
    early: Any, wanted: list[tuple[Any, float]], given: Any, sure: float, used: Any
) -> str:
    """What is wrong with a function that stops elsewhere: its certainty, or when it stops."""
    raw = [scores.max().item() for scores, _ in wanted]
    tried = (0.5, 0.99, (raw[0] + raw[1]) / 2, max(raw) + 0.01)
    results = [early(*given, one) for one in tried]
    stops = [one[1] for one in results if isinstance(one, tuple) and len(one) == 2]
    if stops == [leaves(raw, one) for one in tried]:
        return "it compares the largest score with sure. A score is no probability yet."
    if stops == [leaves([1.0] * len(raw), one) for one in tried]:
        return "every certainty is 1 to it. The probabilities of which numbers have to add up to 1?"
    return (
        f"with sure = {sure:.3f} it says that {used} of 4 blocks ran, where the largest "
        f"probabilities after each block are {', '.join(f'{c:.3f}' for _, c in wanted)}."
    )


early = lesson.Exercise(
    "early",
    judge=judge_early,
    hint="A for loop over the blocks, with a return in it. F.softmax(scores, 1) makes "
    "probabilities of the scores; .max().item() is the largest one, as a number.",
    because="for used, block in enumerate(blocks, 1): h = h + torch.tanh(block(h)); scores = "
    "last(h); if F.softmax(scores, 1).max().item() >= sure: break; then return scores, used",
)

# ----------------------------------------------------------------------------------- pruned


def judge_prune(step: Any) -> str | None:
    """Calls it three times; what is masked stays 0, and everything else learns."""
    if not callable(step):
        return "a function is wanted."
    (model, _), (x, y) = network(), data()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    layer = model[1]
    mask = (layer.weight.detach().abs() > 0.06).float()
    with torch.no_grad():
        layer.weight *= mask
    before = [p.detach().clone() for p in model.parameters()]
    piled = added_up(mask, x, y)
    for _ in range(3):
        result = step(model, optimizer, mask, x, y)
        if is_open(result) or is_stub(step, result):
            return None
    weight = model[1].weight
    if weight is not layer.weight or all(
        weight is not one for one in optimizer_parameters(optimizer)
    ):
        return "the weight of the layer is another tensor now, and the optimizer has the old one."
    if all(torch.equal(a, b) for a, b in zip(before, model.parameters())):
        return "after three calls no weight has moved: is there a step?"
    zeros = (weight.detach() == 0).float().mean().item()
    share = (mask == 0).float().mean().item()
    if zeros > share + 0.01:
        return f"{share:.0%} of the weights are masked, and {zeros:.0%} are 0 now."
    if ((weight.detach() != 0) & (mask == 0)).any().item():
        return f"{share:.0%} of the weights were 0, and now it is {zeros:.0%}."
    if all(torch.allclose(a, b, atol=1e-6) for a, b in zip(piled, model.parameters())):
        return broke(
            "accumulate",
            "what was pruned stays 0. But the second step goes on with the gradients of the first "
            "one, too.",
        )
    kept = mask == 1
    if torch.equal(weight.detach()[kept], before[0][kept]):
        return "what was pruned stays 0, but the other weights of the layer do not learn any more."
    return ""


def added_up(mask: Any, x: Any, y: Any) -> list[Any]:
    """The parameters after three steps whose gradients are added up and never cleared."""
    model, _ = network()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for number in range(4):
        if number > 0:
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
        with torch.no_grad():
            model[1].weight *= mask
    return [p.detach() for p in model.parameters()]


def optimizer_parameters(optimizer: Any) -> list[Any]:
    return [one for group in optimizer.param_groups for one in group["params"]]


prune = lesson.Exercise(
    "prune",
    judge=judge_prune,
    hint="A step like any other, and behind it one line more, which is not to be recorded. What "
    "does a number become that is multiplied by 0, or by 1?",
    because="After optimizer.step(): with torch.no_grad(): model[1].weight *= mask",
)
