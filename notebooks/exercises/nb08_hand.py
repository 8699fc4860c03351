"""The exercise of notebook 08 in which segments are walked back by hand, with its judge."""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Callable
from typing import Any

import minigrad as torch
from minigrad import lesson
from minigrad.lesson import broke
from minigrad.lesson.checking import is_stub
from minigrad.lesson.values import is_open

from .code_names import names_in
from .nb08_judges import first_wrong, forget_slip, slip

LENGTH = 3  # layers of a segment, in the judge's chain
SEGMENTS = 4


def chain(weight: Any) -> Callable[[Any], Any]:
    def segment(h: Any) -> Any:
        for _ in range(LENGTH):
            h = torch.tanh(h @ weight)
        return h

    return segment


def walked(segment: Any, inputs: list[Any], g: Any, how: str = "") -> None:
    """The right way back through the segments, or one with a mistake."""
    first = g
    for start in inputs if how == "forwards" else reversed(inputs):
        start = start.detach().requires_grad_()
        out = segment(start)
        out.backward(torch.ones_like(g) if how == "ones" else first if how == "same" else g)
        g = start.grad


SLIPS = {
    "forwards": "the segments are walked from the first to the last. From where does a gradient "
    "come?",
    "same": "each segment is walked with the g that arrived at the end. What arrives at the "
    "segment before the last one?",
    "ones": "each segment is walked as if 1 arrived at its end. g is not used.",
}


class Watched:
    """A segment that notes what goes in, and what is left of earlier runs when it runs again."""

    def __init__(self, segment: Callable[[Any], Any]) -> None:
        self.segment = segment
        self.inputs: list[Any] = []
        self.extra = False  # it was called with more than one argument
        self.silent = False  # it ran where nothing is recorded
        self.waiting = 0  # so many runs were recorded at once, and not walked back
        self.walked = 0  # so many were walked back, and had their record all the same
        self.held = 0  # so many earlier results were still there
        self.earlier: list[tuple[Any, Any, Any]] = []

    def __call__(self, h: Any, *more: Any) -> Any:
        self.extra = self.extra or bool(more)
        self.silent = self.silent or not torch.is_grad_enabled()
        self.look_around()
        out = self.segment(h)
        self.inputs.append(h)
        if out._node is not None:
            self.earlier.append((h, weakref.ref(out), weakref.ref(out._node)))
        return out

    def look_around(self) -> None:
        recorded = [h for h, _, node in self.earlier if node() is not None and node().saved]
        waiting = sum(not h.is_leaf or h.grad is None for h in recorded)
        self.waiting = max(self.waiting, waiting)
        self.walked = max(self.walked, len(recorded) - waiting)
        self.held = max(self.held, sum(out() is not None for _, out, _ in self.earlier))


def judge_hand(walk: Any) -> str | None:
    """Lets it walk four segments of three layers, and compares the gradient of the weight."""
    forget_slip(hand)
    if not callable(walk):
        return slip(hand, "a function is wanted.")
    torch.manual_seed(3)
    weight = (torch.randn(24, 24) / 5).requires_grad_()
    x, g = torch.randn(24, 24), torch.randn(24, 24)
    segment, inputs = chain(weight), [x]
    with torch.no_grad():
        for _ in range(SEGMENTS - 1):
            inputs.append(segment(inputs[-1]))
    grads = {}
    for how in ("", *SLIPS):
        weight.grad = None
        walked(segment, inputs, g, how)
        grads[how] = weight.grad
    weight.grad = None
    watched = Watched(segment)
    given = list(inputs)
    try:
        with warnings.catch_warnings():  # of a .grad that is None: the judge says more of it
            warnings.filterwarnings("ignore", message="(?s).*MG102")
            result = walk(watched, given, g)
    except Exception as error:
        turned, reads = given[0] is not inputs[0], "grad" in names_in(walk)
        if why := why_it_failed(watched, error, turned, reads):
            return first_wrong(hand, [lambda: why])
        raise
    if is_open(result) or is_stub(walk, result):
        return None
    looks = (
        lambda: no_walk(watched, weight),
        lambda: wrong_gradient(weight.grad, grads, watched, g),
        lambda: too_much_at_once(watched),
        lambda: callers_tensors(inputs),
    )
    return first_wrong(hand, looks)


def no_walk(watched: Watched, weight: Any) -> str:
    """Why a walk has not come to the weight."""
    if not watched.inputs:
        return "it never calls segment: nothing is computed again."
    if watched.extra:
        return "here a segment gets one argument, what goes into it. It knows its length itself."
    if weight.grad is None:
        return broke("fills", "no gradient has arrived at the weight: who calls backward()?")
    return ""


def callers_tensors(inputs: list[Any]) -> str:
    """What a walk with the right gradient has done to what it was given."""
    if any(one.requires_grad for one in inputs):
        return (
            "the gradient is right. But the tensors in the list are the caller's, and now each of "
            "them asks for a gradient and holds one. How do you get a leaf of your own with the "
            "same numbers?"
        )
    return ""


def why_it_failed(watched: Watched, error: Exception, turned: bool, reads: bool) -> str:
    """Of a walk that raised an error: its mistake, if that is known. ``reads``: it reads .grad."""
    if watched.silent:
        return "segment runs where nothing is recorded, so there is nothing to walk back."
    if not watched.inputs:
        turning = "`reverse` turns the list itself round, and returns None: what is gone through?"
        return turning if turned else ""
    if not getattr(watched.inputs[0], "requires_grad", True):
        return (
            "what goes into the segment asks for no gradient, so its .grad stays None, and nothing "
            "can be handed to the segment before."
        )
    if "MG107" in str(error) and len(watched.inputs) > 1 and not reads:
        return (
            "the last segment is walked back, but for the one before it g is None: backward() "
            "returns nothing. Where does it leave a gradient?"
        )
    if "MG107" in str(error) and len(watched.inputs) > 1:
        return (
            "the last segment is walked back, but for the one before it g is None. Of which "
            "tensor did you read .grad, and in which one does a walk back leave a gradient?"
        )
    if "MG107" in str(error):
        return (
            "a segment ends with many numbers, and backward() has to be told the gradient of each. "
            "Which gradient arrives there?"
        )
    return ""


def wrong_gradient(found: Any, grads: dict[str, Any], watched: Watched, g: Any) -> str:
    """What is wrong with the gradient of the weight, after these runs of a segment."""

    def close(other: Any) -> bool:
        return torch.allclose(found, other, rtol=1e-3, atol=1e-6)

    right, runs = grads[""], len(watched.inputs)
    if close(right):
        return ""
    for how, message in SLIPS.items():
        if close(grads[how]):
            return message
    ratio = float((found * right).sum() / (right * right).sum())
    if close(ratio * right):
        return f"the gradient is {ratio:.3g} times what the whole chain would add."
    if runs < SEGMENTS:
        return f"there are {SEGMENTS} segments here, and it runs {runs}: some layers add nothing."
    if runs > SEGMENTS:
        return f"there are {SEGMENTS} segments here, and segments run {runs} times: one too often."
    if wrongly_begun(watched, g):
        return (
            "each segment runs once, but the first one that is walked back brings a wrong gradient "
            "already: is g, as it arrives, what its walk begins with?"
        )
    return (
        "each segment runs once. A gradient arrives, but it is another one than that of the whole "
        "chain: is what comes out at the start of a segment handed on as it is?"
    )


def wrongly_begun(watched: Watched, g: Any) -> bool:
    """Was the first segment that was walked back given something else than g?"""
    first = watched.inputs[0]
    start = first.detach().requires_grad_()
    (true,) = torch.autograd.grad(watched.segment(start), start, g)
    return first.grad is not None and not torch.allclose(first.grad, true, rtol=1e-3, atol=1e-6)


def too_much_at_once(watched: Watched) -> str:
    """What a walk with the right gradient keeps for longer than it should."""
    if watched.waiting:
        return (
            f"the gradient is right. But {watched.waiting + 1} segments are recorded at the same "
            "time. Which of them is needed first, and when are the others?"
        )
    if watched.walked:
        return (
            "the gradient is right. But a segment that was walked back still has its record when "
            "the next one runs: its backward pass has not freed it."
        )
    if watched.held > 1:
        return (
            f"the gradient is right. But the results of {watched.held} segments that were walked "
            "back are still held when another one runs. Who will read them?"
        )
    return ""


hand = lesson.Exercise(
    "hand",
    judge=judge_hand,
    hint="Begin with the last input. Make a leaf of it, which wants a gradient; run its segment; "
    "call backward with what arrives at its end. Then ask what arrives at the end of the segment "
    "before it, and where you find that.",
    because="Each segment begins with a leaf of its own, whose .grad is handed on. "
    "For example: for start in reversed(inputs): start = start.detach().requires_grad_(); "
    "segment(start).backward(g); g = start.grad",
)
