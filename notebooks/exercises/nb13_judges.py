"""Exercises of notebook 13: networks that are changed while they train; with their judges."""

from __future__ import annotations

import dis
from collections.abc import Callable
from itertools import pairwise
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
    before, parts = list(model.parameters()), list(model.modules())
    scores = model(x).detach()
    result = change(model, optimizer)
    if is_open(result) or is_stub(change, result):
        return None
    after = list(model.parameters())
    if any(all(one is not other for other in after) for one in before):
        return gone(model, x, scores)
    new = [one for one in after if all(one is not other for other in before)]
    if not new:
        return nothing_new(model, parts)
    if not same and (wrong := misplaced(model, new)):
        return wrong
    if wrong := unable(model, new, x, scores):
        return wrong
    if same and (wrong := jumped(model, new, x, scores, parts)):
        return wrong
    return unmoved(change, model, optimizer, new)


def gone(model: Any, x: Any, scores: Any) -> str:
    """What is said of a change that has taken away a layer that was there."""
    begin = "a layer that was there is no longer in the model, and "
    try:
        same = torch.allclose(model(x), scores, rtol=1e-4, atol=1e-5)
    except RuntimeError:
        same = False
    if same:
        return f"{begin}another one makes the same scores in its place. Does more run than before?"
    return f"{begin}what it had learned is lost."


def nothing_new(model: Any, parts: list[Any]) -> str:
    """What is said of a change that has brought no new parameter into the model."""
    more = [one for one in model.modules() if all(one is not other for other in parts)]
    if more:
        name = type(more[0]).__name__
        return f"the {name} is in the model, but it has no parameters, so nothing in it can learn."
    if list(model.modules()) != parts:
        return (
            "parts of the model are gone or stand elsewhere, and there is no new one that learns."
        )
    return (
        "the model that the loop trains is as it was: it has not heard of a new layer. Is there "
        "one, and was it put into the model that the function was given, or into another one?"
    )


def unable(model: Any, new: list[Any], x: Any, scores: Any) -> str:
    """What is wrong if the changed model cannot run, or its new parameters do not take part."""
    try:
        now = model(x)
    except RuntimeError:
        if any(one is other for one in new for other in model[-1].parameters()):
            return "the new layer stands at the end, where only the 10 scores come in."
        return (
            "the model cannot compute its scores any more: where the new layer stands, it does not "
            "get as many numbers as it takes, or gives others than the next layer takes."
        )
    if now.shape != scores.shape:
        return f"an image has {now.shape[-1]} scores now, and it had {scores.shape[-1]}."
    if not any(one.requires_grad for one in new):
        return "the new layer is frozen: its parameters require no gradient, so it cannot learn."
    for one in model.parameters():
        one.grad = None
    F.cross_entropy(now, data()[1]).backward()
    if all(one.grad is None for one in new):
        return broke("ran", "the model knows the layer, but no gradient arrives: it does not run.")
    for one in model.parameters():
        one.grad = None
    return ""


def jumped(model: Any, new: list[Any], x: Any, scores: Any, parts: list[Any]) -> str:
    """Why the scores are others than before the change; "" if they are the same."""
    now = model(x).detach()
    if torch.allclose(now, scores, rtol=1e-4, atol=1e-5):
        return ""
    most = (now - scores).abs().max().item()
    jump = f"at the moment of the change the scores jump, by up to {most:.2f}"
    if torch.allclose(now, now[:1].expand(now.shape)):
        return f"{jump}: every image gets the same ones, so nothing comes through the new layer."
    added = [one for one in model.modules() if all(one is not other for other in parts)]
    for one in added:
        if isinstance(one, (nn.Tanh, nn.ReLU, nn.Sigmoid)):
            return (
                f"{jump}. Beside the new layer, a further {type(one).__name__} bends the numbers."
            )
    weights = [one.detach() for one in new if one.dim() == 2 and one.shape[0] == one.shape[1]]
    if any(torch.allclose(one, torch.eye(len(one))) for one in weights):
        return f"{jump}. Its weight passes each number on. But a layer does more than multiply."
    return f"{jump}. What does the new layer make of the numbers that come in?"


def unmoved(change: Any, model: Any, optimizer: Any, new: list[Any]) -> str:
    """Which parameters do not move in three more steps, and why; "" if all of them do."""
    after = list(model.parameters())
    values = [one.detach().clone() for one in after]
    train(model, optimizer, 3)
    still = [one for one, value in zip(after, values) if torch.equal(one, value)]
    still_new = [one for one in new if any(one is other for other in still)]
    known = optimizer_parameters(optimizer)
    if still_new and all(one.grad is not None and not one.grad.any().item() for one in still_new):
        return broke(
            "local",
            "what arrives at some of the new parameters is 0 in each step, so they never move. "
            "Where two factors are 0, the slope at each of them is the other one.",
        )
    if len(still_new) == len(new):
        if any(one is other for one in new for other in known):
            return (
                "the optimizer knows the new parameters, and they do not move. How far does it go "
                "with them in a step?"
            )
        if replaced(change, optimizer):
            return (
                "the new layer does not move: your function makes an optimizer of its own, and "
                "the loop goes on with the one that it has."
            )
        if any(all(one is not other for other in after) for one in known):
            return (
                "the optimizer was told of a layer, and the model has got another one: each call "
                "of nn.Linear makes a new layer."
            )
        return (
            "the new layer is in the model and gets its gradients. But after three more steps its "
            "weights have not moved. Who moves a weight, and how does it know which ones there are?"
        )
    if still_new:
        return "only a part of the new layer moves. How many parameters has it?"
    if still:
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
    "tell the optimizer. The layer has a method that lists its parameters.",
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


class Counted(nn.Linear):
    """A block that counts how often it has run."""

    calls = 0

    def forward(self, x: Any) -> Any:
        self.calls += 1
        return super().forward(x)


class Stopping:
    """Four blocks and an exit, and what a function that may stop early makes of them."""

    def __init__(self) -> None:
        torch.manual_seed(145)
        self.blocks = [Counted(8, 8) for _ in range(4)]
        self.last = nn.Linear(8, 10)
        with torch.no_grad():
            self.last.weight *= 2
        self.h = torch.randn(1, 8)
        self.scores = [self.last(self.h)]  # after no block, after one, after two ...
        now = self.h
        for block in self.blocks:
            now = now + torch.tanh(block(now))
            self.scores.append(self.last(now))
        self.scores = [one.detach() for one in self.scores]
        self.certainties = [F.softmax(one, 1).max().item() for one in self.scores]

    def run(self, early: Any, sure: float) -> tuple[Any, list[int], bool]:
        """Its result, how often each block ran, and whether h has been written into."""
        for block in self.blocks:
            block.calls = 0
        h = self.h.clone()
        result = early(self.blocks, self.last, h, sure)
        return result, [one.calls for one in self.blocks], not torch.equal(h.detach(), self.h)


def judge_early(early: Any) -> str | None:
    """Gives it four blocks, and several degrees of certainty."""
    if not callable(early):
        return "a function is wanted."
    given = Stopping()
    for sure in (0.0, max(given.certainties[1:4]) - 1e-4, 1.1):
        result, ran, written = given.run(early, sure)
        if is_open(result) or is_stub(early, result):
            return None
        if wrong := no_pair(result):
            return wrong
        if written:
            return "it writes into the h that it was given, which belongs to the caller."
        scores, used = result
        count = leaves(given.certainties[1:], sure)
        if used != count:
            return miscounted(early, given, sure, used)
        if wrong := other_scores(scores, given, count):
            return wrong
        if max(ran) > 1:
            return f"a block ran {max(ran)} times, and once would do."
        if sum(ran) != used:
            return f"it reports {used} of 4 blocks, and {sum(ran)} ran. What is saved by stopping?"
    return exactly_sure(early, given)


def no_pair(result: Any) -> str:
    """What is wrong if something else than scores and a number comes back."""
    if result is None:
        return "it returns nothing: the scores and the number of blocks are wanted."
    if not isinstance(result, (tuple, list)) or len(result) != 2:
        return "two things are wanted: the scores, and how many blocks have run."
    scores, used = result
    if isinstance(scores, int) and isinstance(used, torch.Tensor):
        return "it returns the number of blocks first, and then the scores: the other way round."
    if not isinstance(scores, torch.Tensor):
        return (
            f"the scores are wanted first, and what comes there is of type {type(scores).__name__}."
        )
    if not isinstance(used, (int, float)):
        return (
            f"how many blocks ran is to be a plain number, and it is of type {type(used).__name__}."
        )
    return ""


def other_scores(scores: Any, given: Stopping, count: int) -> str:
    """What is wrong with the scores, where the number of blocks is right."""
    if tuple(scores.shape) != (1, 10):
        return f"the scores have the shape {tuple(scores.shape)}, and (1, 10) is wanted."
    scores, right = scores.detach(), given.scores[count]
    if torch.allclose(scores, right, rtol=1e-3, atol=1e-4):
        return ""
    if torch.allclose(scores, F.softmax(right, 1), rtol=1e-3, atol=1e-4):
        return "it returns the probabilities, and the scores are wanted."
    for blocks_run, others in enumerate(given.scores):
        if torch.allclose(scores, others, rtol=1e-3, atol=1e-4):
            return f"{count} of 4 blocks are counted, and the scores are those after {blocks_run}."
    return f"after {count} of 4 blocks the scores are others: is h added to each block?"


def exactly_sure(early: Any, given: Stopping) -> str:
    """Gives it scores of which one is certain, and asks for just that certainty."""
    certain = nn.Linear(8, 10)
    with torch.no_grad():
        certain.weight.zero_()
        certain.bias.zero_()
        certain.bias[3] = 40.0  # e to the 40 beside nine ones: its probability is 1.0
    _, used = early(given.blocks, certain, given.h.clone(), 1.0)
    if used != 1:
        return (
            f"where the largest probability is exactly sure, it goes on, and {used} blocks run. At "
            "least as large is wanted."
        )
    return ""


def leaves(certainties: list[float], sure: float) -> int:
    """After how many blocks it is sure; after all of them if it never is."""
    found = (used for used, one in enumerate(certainties, 1) if one >= sure)
    return next(found, len(certainties))


def miscounted(early: Any, given: Stopping, sure: float, used: Any) -> str:
    """What is wrong with a function that stops elsewhere: what it compares, or when it stops."""
    degrees = degrees_tried(given)
    results = [given.run(early, one)[0] for one in degrees]
    stops = [one[1] for one in results]
    for pattern, text in patterns(given, degrees):
        if stops == pattern:
            return text
    if len(set(stops)) == 1:
        return f"it stops after {used} of 4 blocks, whatever sure is."
    told = ", ".join(f"{one:.3f}" for one in given.certainties[1:])
    return (
        f"with sure = {sure:.4g} it says that {used} of 4 blocks ran, where the largest "
        f"probabilities after each block are {told}."
    )


def degrees_tried(given: Stopping) -> list[float]:
    """Values of sure between all the numbers that somebody may compare with it."""
    found = [0.0, 0.5, 0.99, 1.1, 9.5]
    for kind in (given.certainties, [one.max().item() for one in given.scores]):
        found += [(a + b) / 2 for a, b in pairwise(kind)] + [max(kind) + 0.01]
    return found


def patterns(given: Stopping, degrees: list[float]) -> list[tuple[list[int], str]]:
    """Where the usual mistakes make it stop at these degrees, and what is said of each."""
    before, *sures = given.certainties
    raw = [one.max().item() for one in given.scores[1:]]
    places = [float(one.argmax().item()) for one in given.scores[1:]]
    right = [leaves(sures, one) for one in degrees]
    from_0 = [at - (sures[at - 1] >= one) for at, one in zip(right, degrees)]
    early = [0 if before >= one else leaves(sures, one) for one in degrees]
    return [
        (
            [leaves(raw, one) for one in degrees],
            "it compares the largest score with sure. A score is no probability yet.",
        ),
        (
            [leaves([1.0] * 4, one) for one in degrees],
            "every certainty is 1 to it. The probabilities of which numbers have to add up to 1?",
        ),
        (
            [leaves(places, one) for one in degrees],
            "it compares the place of the largest number with sure: argmax says which digit it is, "
            "and not how probable.",
        ),
        ([one - 1 for one in right], "when one block has run, it says 0."),
        (from_0, "when it stops after one block, it says 0."),
        (early, "it asks for the first time before any block has run."),
        (
            [leaves([-one for one in sures], -one) for one in degrees],
            "it stops where it is not sure, and goes on where it is.",
        ),
        ([4] * len(degrees), "it never stops early: whatever sure is, all 4 blocks run."),
        (
            [1] * len(degrees),
            "whatever sure is, it stops after the first block. Is there a return that comes in any "
            "case?",
        ),
    ]


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
    """What is wrong with a step of a training that keeps zeros; "" if nothing is."""
    if not callable(step):
        return "a function is wanted."
    wrong = kept_zeros(step)
    if wrong and (name := outsider(step)):
        return (
            f"it uses {name}, which stands outside the function, instead of what it was given. "
            "(The check may have changed the network out there: run section 6 again.)"
        )
    return wrong


def outsider(function: Any) -> str:
    """The name of a network or an optimizer outside the function that it uses, or ""."""
    others = getattr(function, "__globals__", {})
    kinds = (nn.Module, torch.optim.Optimizer)
    used = getattr(getattr(function, "__code__", None), "co_names", ())
    return next((name for name in used if isinstance(others.get(name), kinds)), "")


def kept_zeros(step: Any) -> str | None:
    """Calls it three times; what is masked stays 0, and everything else learns."""
    (model, optimizer, mask), (x, y) = pruned_network(), data()
    layer = model[1]
    weight = layer.weight
    before = [p.detach().clone() for p in model.parameters()]
    for _ in range(3):
        result = step(model, optimizer, mask, x, y)
        if is_open(result) or is_stub(step, result):
            return None
    if model[1].weight is not weight or all(
        weight is not one for one in optimizer_parameters(optimizer)
    ):
        return "the weight of the layer is another tensor now, and the optimizer has the old one."
    after = [p.detach() for p in model.parameters()]
    if all(torch.equal(a, b) for a, b in zip(before, after)):
        return "after three calls no weight has moved: is there a step?"
    zeros = (weight.detach() == 0).float().mean().item()
    share = (mask == 0).float().mean().item()
    if zeros > share + 0.01:
        return f"{share:.0%} of the weights are masked, and {zeros:.0%} are 0 now."
    if ((weight.detach() != 0) & (mask == 0)).any().item():
        return f"{share:.0%} of the weights were 0, and now it is {zeros:.0%}. {grown(step, after)}"
    if reached(after, "back step mask"):
        return broke(
            "accumulate",
            "what was pruned stays 0. But the second step goes on with the gradients of the first "
            "one, too.",
        )
    kept = mask == 1
    if torch.equal(weight.detach()[kept], before[0][kept]):
        return "what was pruned stays 0, but the other weights of the layer do not learn any more."
    if not reached(after, "clear back step mask"):
        return elsewhere(model)
    return ""


def grown(step: Any, after: list[Any]) -> str:
    """Why pruned weights have grown again."""
    if "mask" not in names_read(step):
        return "The function does not use the mask."
    if reached(after, "clear back step"):
        return "The mask makes numbers of its own, and the weight in the model keeps its old ones."
    if reached(after, "mask clear back step") or reached(after, "clear mask back step"):
        return "The mask comes first. Who moves the weights after that?"
    if reached(after, "clear back mask step"):
        return "The mask comes between backward() and the step. What does the step do to a 0?"
    return "When is the mask used, and what happens to the weights after that?"


def elsewhere(model: Any) -> str:
    """What is wrong with a step that keeps the zeros, but leads elsewhere than it should."""
    gone = [name for name, one in model.named_parameters() if not one.detach().any().item()]
    if gone:
        return f"what was pruned stays 0. But {gone[0]} is 0 altogether now."
    return (
        "what was pruned stays 0. But the other parameters do not go where one step of the "
        "training takes them. What else is done to them, or how many steps are there?"
    )


def names_read(function: Any) -> set[str]:
    """The names of variables in a function's code, and in the functions inside it."""
    code = getattr(function, "__code__", None)
    if code is None:
        return {"mask"}
    found: set[str] = set()
    for one in dis.get_instructions(code):
        values = one.argval if isinstance(one.argval, tuple) else (one.argval,)
        found |= {value for value in values if isinstance(value, str)}
    return found


def pruned_network() -> tuple[Any, Any, Any]:
    """The network with small weights set to 0, an optimizer without a memory, and the mask."""
    model, _ = network()
    mask = (model[1].weight.detach().abs() > 0.06).float()
    with torch.no_grad():
        model[1].weight *= mask
    return model, torch.optim.SGD(model.parameters(), lr=0.1), mask


def simulated(order: str) -> list[Any]:
    """The parameters after three steps that do these things in this order: "back step mask"."""
    (model, optimizer, mask), (x, y) = pruned_network(), data()
    for what in 3 * order.split():
        if what == "clear":
            optimizer.zero_grad()
        elif what == "back":
            F.cross_entropy(model(x), y).backward()
        elif what == "step":
            optimizer.step()
        else:
            with torch.no_grad():
                model[1].weight *= mask
    return [p.detach() for p in model.parameters()]


def reached(after: list[Any], order: str) -> bool:
    """Are these the parameters that three such steps lead to?"""
    return all(torch.allclose(a, b, atol=1e-6) for a, b in zip(simulated(order), after))


def optimizer_parameters(optimizer: Any) -> list[Any]:
    return [one for group in optimizer.param_groups for one in group["params"]]


prune = lesson.Exercise(
    "prune",
    judge=judge_prune,
    hint="A step like any other, and behind it one line more, which is not to be recorded. What "
    "does a number become that is multiplied by 0, or by 1?",
    because="After optimizer.step(): with torch.no_grad(): model[1].weight *= mask",
)
