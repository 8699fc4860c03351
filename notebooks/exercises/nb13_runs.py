"""What notebook 13 runs: gradients that are checked, early exits and graphs that are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import nn
from minigrad.lesson import Exercise
from minigrad.lesson.attempt import tried
from minigrad.lesson.checking import RIGHT, examined

from .graphs import nodes
from .nudges import slope, steepest

NUDGE = 0.01


def node_count(result: Any) -> int:
    """How many nodes lead to a result."""
    return len(nodes(result))


def checked(weight: Any, loss: Callable[[], Any]) -> str:
    """A gradient of one number of a weight, and how fast the loss moves when it is nudged.

    The number is the one with the largest gradient, or with what would be the largest if one were
    wanted.
    """
    none = weight.grad is None
    place = unwanted(weight, loss) if none else steepest(weight)
    moved = slope(loss, weight, place, NUDGE)
    if none:
        return f"gradient None    nudged {moved:6.3f}"
    gradient = weight.grad[place].item()
    agree = abs(gradient - moved) <= 0.005 + 0.1 * abs(moved)
    return f"gradient {gradient:6.3f}  nudged {moved:6.3f}" + ("" if agree else "  (they disagree)")


def unwanted(weight: Any, loss: Callable[[], Any]) -> tuple[int, ...]:
    """Where a weight without a gradient moves the loss most; the first place if it moves none."""
    wanted = weight.requires_grad
    weight.requires_grad_(True)
    (found,) = torch.autograd.grad(loss(), [weight], allow_unused=True)
    weight.requires_grad_(wanted)
    if found is None:
        return (0,) * weight.dim()
    return tuple(divmod(int(found.abs().argmax().item()), weight.shape[1]))


def yours(exercise: Exercise, function: Any, ours: Callable[..., Any]) -> Callable[..., Any]:
    """The learner's function if it passes the check of an exercise, else ours; and says which."""
    found = tried(lambda: examined(exercise, function), exercise.seconds)
    passed = found == RIGHT
    whose = "your" if passed else "the lesson's"
    print(f"({whose} {exercise.name} is used)")
    return function if passed else ours


def grow(model: Any, optimizer: Any) -> None:
    """Puts a layer into a model, and tells the optimizer."""
    layer = nn.Linear(32, 32)
    model.insert(3, layer)
    model.insert(4, nn.Tanh())
    optimizer.add_param_group({"params": layer.parameters()})


def early(blocks: Any, last: Any, h: Any, sure: float) -> tuple[Any, int]:
    """The scores of a row of blocks, as soon as they are sure; and how many blocks have run."""
    used, scores = 0, last(h)
    for block in blocks:
        h = h + torch.tanh(block(h))
        scores = last(h)
        used += 1
        if F.softmax(scores, 1).max().item() >= sure:
            break
    return scores, used


def freeze(model: Any) -> None:
    """Freezes all parts of a Sequential but the last."""
    model[:-1].requires_grad_(False)


def pruned_step(model: Any, optimizer: Any, mask: Any, x: Any, y: Any) -> None:
    """A step of a training after which the first layer is 0 wherever the mask is."""
    optimizer.zero_grad()
    F.cross_entropy(model(x), y).backward()
    optimizer.step()
    with torch.no_grad():
        model[1].weight *= mask


def batch(digits: Any, number: int) -> tuple[Any, Any]:
    """The images and labels of a step of the lesson's training."""
    at = 32 * (number % 44)
    return digits.x[at : at + 32], digits.y[at : at + 32]


def dark(images: Any) -> str:
    """How many pixels are 0 in each of these images, and of how many."""
    most = images.flatten(1).abs().max(0)[0]
    return f"{(most == 0).sum().item()} of {most.numel()}"


def steepest_zero(model: Any, weight: Any, mask: Any, images: Any, labels: Any) -> str:
    """The largest gradient of the weights that were set to 0, beside what a nudge gives."""

    def loss() -> Any:
        return F.cross_entropy(model(images), labels)

    if mask.all().item():
        return "there is none"
    model.zero_grad()
    loss().backward()
    weight.grad *= 1 - mask
    return checked(weight, loss)


def prune(weight: Any, share: float) -> Any:
    """Sets a share of the weights, the smallest ones, to 0; the mask is 1 where a weight stays."""
    sizes = weight.detach().abs()
    count = round(min(max(share, 0.0), 1.0) * sizes.numel())
    mask = torch.ones(sizes.numel())
    mask[sizes.flatten().argsort()[:count]] = 0.0
    mask = mask.reshape(weight.shape)
    with torch.no_grad():
        weight *= mask
    return mask


def zeros(weight: Any) -> str:
    """Which share of the weights is 0; with two places more where it is nearly none or all."""
    share = (weight == 0).float().mean().item()
    nearly = 0 < share < 0.005 or 0.995 <= share < 1
    return f"{share:.2%}" if nearly else f"{share:.0%}"


def blocks_used(early: Callable[..., Any], model: Any, images: Any, sure: float) -> Any:
    """How many images leave a network after so many blocks, and what it says of each image."""
    found: Counter[int] = Counter()
    answers = []
    with torch.no_grad():
        for image in images:
            h = torch.tanh(model.first(image.flatten().unsqueeze(0)))
            scores, used = model.last(h), 0
            if len(model.blocks):
                scores, used = early(model.blocks, model.last, h, sure)
            found[used] += 1
            answers.append(int(scores.argmax().item()))
    return found, answers


def without_blocks(model: Any, digits: Any) -> float:
    """The share of the test images that a network reads right when none of its blocks runs."""
    with torch.no_grad():
        scores = model.last(torch.tanh(model.first(digits.x_test.flatten(1))))
    return float((scores.argmax(1) == digits.y_test).float().mean().item())


def trained_whole(kind: Any, step: Callable[..., Any]) -> Any:
    """A network of this kind after 400 steps in which no block was skipped."""
    torch.manual_seed(0)
    model = kind().eval()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for number in range(400):
        step(model, optimizer, number)
    return model
