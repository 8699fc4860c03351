"""Exercises of notebook 13: networks that grow, are pruned, or are changed as the learner likes."""

from __future__ import annotations

import dis
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
    before, parts = list(model.parameters()), list(model.modules())
    scores = model(x).detach()
    try:
        result = change(model, optimizer)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        if "more than one parameter group" in str(error):
            return "the optimizer is told of parameters that it knows already. Which are new to it?"
        if wrong := misused(error):
            return wrong
        raise
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
    if wrong := unmoved(change, model, optimizer, new):
        return wrong
    if not same and not bent(model, new, x):
        return "the new layer learns. But no Tanh bends its numbers, as one did in the cell above."
    return ""


MISUSES = (
    (
        "'Linear' object is not iterable",
        "in the group, a layer stands where its parameters are wanted.",
    ),
    (
        "param_group must be a dict",
        "add_param_group gets something else than a dict with an entry for the parameters.",
    ),
    ("add_param_group() ", "add_param_group takes one thing, a dict, and it was given another."),
    (
        "object has no attribute 'params'",
        "an optimizer has no list called params: it holds its parameters in groups.",
    ),
    (
        "between instances of 'int' and 'Linear'",
        "insert was given a layer where it wants the place, which is a number.",
    ),
    (
        "'generator' object is not subscriptable",
        "parameters() gives one parameter after the other, and has no places 0, 1, 2: a loop can "
        "run over it, and list(...) makes a list of it.",
    ),
    (
        "'generator' object has no attribute",
        "parameters() gives the parameters one by one, and each of them has to be asked.",
    ),
    (
        "'method' object is not",
        "a method is named there, and not called: its brackets are missing.",
    ),
    (
        "'bool' object is not callable",
        "requires_grad is a value, True or False, and no value can be called. How is the method "
        "called that changes it?",
    ),
    (
        "object has no attribute 'weight'",
        "not each part of the network has a weight and a bias: Flatten and Tanh have none.",
    ),
    (
        "object has no attribute 'bias'",
        "not each part of the network has a weight and a bias: Flatten and Tanh have none.",
    ),
    (
        "cannot assign",
        "a plain tensor cannot take the place of a parameter. Is another tensor needed there, or "
        "are other numbers needed in the one that is there?",
    ),
    (
        "tensors used as indices",
        "the mask holds the numbers 0 and 1. In square brackets, places or True and False are "
        "wanted.",
    ),
)
"""A piece of the error that a usual mistake raises, and what is said of it."""


def misused(error: Exception) -> str:
    """What is said of an error that a usual mistake raises; "" if it is another one."""
    if str(error) == "'params'":
        return "the group is a dict, but its entry for the parameters has another name."
    return next((told for piece, told in MISUSES if piece in str(error)), "")


def gone(model: Any, x: Any, scores: Any) -> str:
    """What is said of a change that has taken away a layer that was there."""
    begin = "a layer that was there is no longer in the model, and "
    try:
        same = torch.allclose(model(x), scores, rtol=1e-4, atol=1e-5)
    except RuntimeError:
        same = False
    if same:
        return (
            f"{begin}another one makes the same scores in its place. Here all the layers that "
            "were there are to stay."
        )
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
        return silent(model, new, x)
    for one in model.parameters():
        one.grad = None
    return ""


def silent(model: Any, new: list[Any], x: Any) -> str:
    """Why no gradient arrives at new parameters: they do not run, or are kept out of the graph."""
    with torch.no_grad():
        before = model(x)
        for one in new:
            one += 1.0
        takes_part = not torch.allclose(model(x), before)
        for one in new:
            one -= 1.0
    if takes_part:
        return broke(
            "record",
            "the new layer runs, but no gradient arrives at it. What keeps it out of the graph?",
        )
    return broke("ran", "the model knows the layer, but no gradient arrives: it does not run.")


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
                f"{jump}. Besides the new layer, a further {type(one).__name__} bends the numbers."
            )
    weights = [one.detach() for one in new if one.dim() == 2 and one.shape[0] == one.shape[1]]
    if any(torch.allclose(one, torch.eye(len(one))) for one in weights):
        return f"{jump}. Its weight passes each number on. But a layer does more than multiply."
    return f"{jump}. What does the new layer make of the numbers that come in?"


def unmoved(change: Any, model: Any, optimizer: Any, new: list[Any]) -> str:
    """Which parameters do not move in three more steps, and why; "" if all of them do."""
    after = list(model.parameters())
    values = [one.detach().clone() for one in after]
    try:
        train(model, optimizer, 3)
    except KeyError as error:
        return (
            f"in the next step the optimizer misses {error.args[0]} in a group: each group has "
            "settings besides its parameters. Was the group added by the method for it?"
        )
    still = [one for one, value in zip(after, values) if torch.equal(one, value)]
    still_new = [one for one in new if any(one is other for other in still)]
    known = optimizer_parameters(optimizer)
    if still_new and all(one.grad is not None and not one.grad.any().item() for one in still_new):
        return broke(
            "local",
            "what arrives at some of the new parameters is 0 in each step, so they never move. "
            "Which factor on the way there is 0, and can anything move it?",
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
    if still_new and not all(one.requires_grad for one in still_new):
        return "a part of the new layer is frozen: it requires no gradient, so it does not move."
    if still_new:
        return "only a part of the new layer moves. How many parameters does it have?"
    if still:
        return "the new layer learns now. But some parameter does not move any more."
    return ""


def misplaced(model: Any, new: list[Any]) -> str:
    """What is wrong with the size and the place of the new layer; "" if nothing is."""
    parts = [part for part in model.modules() if isinstance(part, (nn.Linear, nn.Tanh))]
    tanhs = [at for at, part in enumerate(parts) if isinstance(part, nn.Tanh)]
    if not tanhs:
        return "the Tanh is gone from the model. The network was trained with it."
    for at, part in enumerate(parts):
        if any(one is weight for one in new for weight in part.parameters()):
            outs, ins = part.weight.shape
            if (ins, outs) != (32, 32):
                return f"the new layer has {ins} numbers in and {outs} out; 32 and 32 are wanted."
            if at < tanhs[0]:
                return "the new layer stands in front of the Tanh; it is wanted behind it."
            return ""
    kind = next(type(part).__name__ for part in model.modules() if holds(part, new))
    return f"what learns there is of the type {kind}, and a Linear layer is wanted."


def bent(model: Any, new: list[Any], x: Any) -> bool:
    """Do the scores stay small when the new parameters become huge, as behind a Tanh?"""
    most = []
    with torch.no_grad():
        for factor in (1000.0, 10.0):
            for one in new:
                one *= factor
            most.append(model(x).abs().max().item())
    return most[1] < 2 * most[0]


def holds(part: Any, new: list[Any]) -> bool:
    """Is one of the new parameters this module's own, and not that of a module inside it?"""
    return any(one is weight for one in new for weight in part.parameters(recurse=False))


def replaced(change: Any, optimizer: Any) -> bool:
    """Does this function make another optimizer, so that the one it was given hears of nothing?"""
    names = getattr(getattr(change, "__code__", None), "co_names", ())
    return type(optimizer).__name__ in names


grow = lesson.Exercise(
    "grow",
    judge=lambda change: changed(change, same=False),
    hint="Three things are to be done: make a layer of the right size, put it where it runs, and "
    "tell the optimizer. The layer has a method that lists its parameters.",
    because="One way, in four lines: `layer = nn.Linear(32, 32)`, then `model.insert(3, layer)`, "
    "`model.insert(4, nn.Tanh())`, and "
    '`optimizer.add_param_group({"params": layer.parameters()})`.',
)

keep = lesson.Exercise(
    "own change",
    judge=lambda change: changed(change, same=True),
    hint="Which matrix changes nothing when one multiplies by it? Or: what can be added to a "
    "result without changing it, as long as its weights are 0?",
    because="One way: a Linear layer whose weight is the identity matrix and whose bias is 0, "
    "without a Tanh behind it, put in at place 3 and told to the optimizer. Another way: a block "
    "whose result is added to what comes in, and whose last layer begins with zeros.",
)

# ----------------------------------------------------------------------------------- pruned


def judge_prune(step: Any) -> str | None:
    """What is wrong with a step of a training that keeps zeros; "" if nothing is."""
    if not callable(step):
        return "a function is wanted."
    try:
        wrong = kept_zeros(step)
    except (AttributeError, IndexError, TypeError) as error:
        if told := misused(error):
            return told
        raise
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
        return "after three calls no weight has moved. " + (
            "Nor is there a gradient: what fills .grad?"
            if weight.grad is None
            else "Is there a step?"
        )
    if not weight.detach()[mask == 1].any().item():
        return (
            "the weights that were to stay are 0 now. Which weights does the mask mark with 1, and "
            "which with 0?"
        )
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
        return elsewhere(step, model)
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


def elsewhere(step: Any, model: Any) -> str:
    """What is wrong with a step that keeps the zeros, but leads elsewhere than it should."""
    unread = {"x", "y"} - names_read(step)
    if getattr(step, "__code__", None) is not None and unread:
        named = " and ".join(sorted(unread))
        return f"what was pruned stays 0. But the step does not use the {named} that it was given."
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
    because="One way: clear, backward and step as ever. After optimizer.step(), inside `with "
    "torch.no_grad():`, comes `model[1].weight *= mask`. To multiply the gradient by the mask "
    "before the step is enough where the weights are 0 already and SGD has no momentum.",
)
