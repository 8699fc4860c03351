"""Exercises of notebook 08: what is saved, how long, and who keeps it; with their judges."""

from __future__ import annotations

import math
import numbers
import warnings
import weakref
from collections.abc import Callable, Iterable
from types import CodeType
from typing import Any

import numpy as np

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import lesson
from minigrad.lesson import broke, tries
from minigrad.lesson.checking import exercise_key, is_stub
from minigrad.lesson.values import is_open

from .graphs import nodes
from .nb08_runs import (
    RULES,
    a_type,
    kept_by,
    kept_in_turn,
    node_count,
    saved,
    small_network,
    some_batches,
)

# ----------------------------------------------------------------------------- letter by letter


def of_letter(exercise: lesson.Exercise, text: str, right: Any) -> str:
    """What is said of the first wrong letter of a list; its answer after two other wrong ones.

    Each letter is a question of its own: with another letter the tries are counted anew.
    """
    wrong = tries.so_far(exercise_key(exercise))
    if any(not one.startswith(text[0]) for one in wrong):
        wrong.clear()
    others = [one for one in wrong if not one.startswith(text)]
    return f"{text} Right is {right!r}." if len(others) > 1 else text


def slip(exercise: lesson.Exercise, text: str) -> str:
    """Who has misspelt a word, or forgotten one, has not tried an answer: what was tried before
    is put aside until the next attempt, so that nothing is told because of this one."""
    wrong = tries.so_far(exercise_key(exercise))
    tries.so_far((exercise.name, "aside")).append(list(wrong))
    wrong.clear()
    return text


def forget_slip(exercise: lesson.Exercise) -> None:
    """What had been tried before the last attempt, if that was a slip, counts again."""
    aside = tries.so_far((exercise.name, "aside"))
    if aside:
        tries.so_far(exercise_key(exercise))[:] = aside.pop()


def first_wrong(exercise: lesson.Exercise, looks: Iterable[Callable[[], str]]) -> str:
    """What the first of these looks finds, one after another; "" if none finds anything.

    Who passes a look that nothing had passed before has mended what was wrong: with what comes
    next, the tries are counted anew.
    """
    for step, look in enumerate(looks):
        if text := look():
            reached = tries.so_far((exercise.name, "reached"))
            if step > max(reached, default=step):
                tries.so_far(exercise_key(exercise)).clear()
            reached.append(step)
            return text
    return ""


def tidy(said: Any) -> Any:
    """A word without capitals, and without blanks around it."""
    return said.strip().lower() if isinstance(said, str) else said


# ------------------------------------------------------------------------- what each one saves

ABOUT = {
    "A": "how large is the slope of exp at a place, if you know the value of exp there?",
    "B": "the slope of sin is the cosine. Of what?",
    "C": "what is the slope of adding 1, at any place?",
    "D": "write down the slope of the square at a place h. Which number stands in it?",
    "E": "sigmoid bends as tanh does. What was the slope of tanh worked out from, in section 2?",
    "F": "make one number of h larger, then another one. Does it matter for the slope how large "
    "they were?",
    "G": "the slope is 1 for the largest number of a row, and 0 for all others. What has to be "
    "known to put the 1 in its place?",
}
AND = {
    ("B", "result"): "At 0 and at π the sine is the same: is the slope?",
    ("D", "result"): "The squares of 3 and of −3 are the same: are the slopes?",
    ("G", "result"): "The result says how large the numbers are. Does it say where they stood?",
}
"""What is said besides to the word itself."""
OR = {
    "nothing": "Nothing need be saved if the slope is the same whatever the numbers are. Is it?",
    "other": "And which array would the operation make for this purpose, beside its result?",
}
KINDS = ("input", "result", "nothing", "other")


def show_saves() -> None:
    """Seven operations."""
    for letter, (text, _) in RULES.items():
        print(f"{letter}   {text}")


def true_saves() -> list[str]:
    return [kept_by(function) for _, function in RULES.values()]


def judge_saves(attempt: Any) -> str:
    forget_slip(saves)
    if not isinstance(attempt, (list, tuple)) or len(attempt) != len(RULES):
        return slip(saves, "a list of seven words is wanted, for A to G.")
    for letter, said, true in zip(RULES, map(tidy, attempt), true_saves()):
        if said not in KINDS:
            return slip(saves, f"{letter}: {said!r} is none of the words {', '.join(KINDS)}.")
        if said != true:
            more = AND.get((letter, said)) or OR.get(said, "")
            text = f"{letter}: not {said!r}; {ABOUT[letter]} {more}"
            return of_letter(saves, text.strip(), true)
    return ""


saves = lesson.Exercise(
    "saves",
    answer=lambda: true_saves(),
    judge=judge_saves,
    hint="Write down the slope of each. Does the result of the operation occur in it, or only "
    "what goes in? Or neither of them: then ask whether anything must be remembered at all.",
    because="The slope of an operation tells what it saves. That of a mean is the same for all "
    "numbers, so nothing is saved; and a maximum saves where it was found.",
)

# ------------------------------------------------------------------ four ways to run 16 layers

WAYS = {
    "A": "with torch.no_grad(): h = deep(16)",
    "B": "h = deep(16).detach()",
    "C": "net.eval(); h = net(x)                  # net: 16 times Linear(16, 16) and Tanh",
    "D": "for _ in range(16): h = torch.tanh(h @ w).detach()",
}
COUNTS = {"A": 0, "B": 16, "C": 16, "D": 2}
WHY = {
    "A": "nothing is recorded there, so which node would save anything?",
    "B": "detach() is called when the 16 layers have run already. What was saved until then?",
    "C": "eval() tells Dropout and BatchNorm that nobody trains. Does it say anything about "
    "recording?",
    "D": "each layer is recorded, and forgotten when h stands for the next one. Stop where the "
    "tanh of a layer has just run: what have its two nodes saved?",
}
NUMBERS = {
    ("A", 3): "so many are there at the same time. How many of them does a node save for the way "
    "back?",
    ("B", 17): "detach() is called at the end, and copies nothing. Which is the 17th array?",
    (
        "B",
        32,
    ): "each layer makes two arrays, that is true. But does the way back need the result of "
    "the product? What is the slope of tanh worked out from?",
    ("C", 17): "one for each layer, and then? Which is the 17th array?",
    ("C", 32): "it is recorded, that is true. But which of the two results of a layer, that of "
    "Linear and that of Tanh, does the way back need?",
    ("D", 1): "that is what the tanh saves. And the product before it: is what goes in an array "
    "that anything else saves?",
    ("D", 16): "that would be so with one detach() at the end. Here each layer is cut off. Who "
    "leads to the nodes of the layer before?",
}
"""What is said to the number itself."""


def show_ways() -> None:
    """Four programs."""
    for letter, text in WAYS.items():
        print(f"{letter}   {text}")


def judge_ways(attempt: Any) -> str:
    forget_slip(ways)
    if not isinstance(attempt, (list, tuple)) or len(attempt) != len(WAYS):
        return slip(ways, "a list of four numbers is wanted, for A to D.")
    for letter, said in zip(WAYS, attempt):
        if isinstance(said, bool) or not isinstance(said, (int, float)):
            return slip(ways, f"{letter}: {said!r} is no number.")
        if said != COUNTS[letter]:
            why = NUMBERS.get((letter, said), WHY[letter])
            return of_letter(ways, f"{letter}: not {said}; {why}", COUNTS[letter])
    return ""


ways = lesson.Exercise(
    "ways",
    answer=lambda: list(COUNTS.values()),
    judge=judge_ways,
    hint="Ask of each: is it recorded at all? And if so, when can what was saved go?",
    because="Under no_grad nothing is recorded. detach() cuts off a record that is there already, "
    "and eval() changes nothing about recording. In D only the nodes of the last layer are left: "
    "the tanh has saved its result, and the product what went in.",
)

# ------------------------------------------------------------------------------ two leaks mended


def results() -> dict[str, Any]:
    """What the first and the third program of section 4 put into their list."""
    model, ((x, y),) = small_network(), some_batches(1)
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    return {"first": loss, "third": model(x)}


REPAIRED = {"first": "loss.item()", "third": "scores.detach()"}


def judge_repairs(attempt: Any) -> str | None:
    forget_slip(repairs)
    given = results()
    if not isinstance(attempt, (list, tuple)) or len(attempt) != len(given):
        text = "a list with two functions is wanted, for the first and the third program."
        return slip(repairs, text)
    if not all(map(callable, attempt)):
        text = "for each of the two programs a function is wanted, as `lambda` makes it."
        return slip(repairs, text)
    waiting = False
    for (which, result), function in zip(given.items(), attempt):
        try:
            made = function(result)
        except Exception as error:
            return of_letter(repairs, f"{which}: {why_it_raised(error, result)}", REPAIRED[which])
        if is_open(made) or is_stub(function, made):
            waiting = True
        elif why := wrongly_kept(made, result):
            return of_letter(repairs, f"{which}: {why}", REPAIRED[which])
    return None if waiting else ""


def why_it_raised(error: Exception, result: Any) -> str:
    if "Scalar" in str(error):
        return f"`item()` takes the number out of a tensor that has one; here are {result.numel()}."
    first, *_ = str(error).splitlines() or [""]
    return f"it raised {type(error).__name__}: {first}"


def wrongly_kept(made: Any, result: Any) -> str:
    """What is wrong with something that is to be kept in the place of a result."""
    if made is None:
        return "the function returns nothing. What should go into the list?"
    if callable(made) and not isinstance(made, torch.Tensor):
        return "that is a function, and nobody has called it: its brackets are missing."
    if made is result:
        return "that is the result itself, as before. What does its `grad_fn` lead to?"
    if isinstance(made, torch.Tensor) and made.grad_fn is not None:
        return (
            f"that is a new result, and {node_count(made)} nodes lead to it, those of the old one "
            "among them."
        )
    numbers_of = made.tolist() if hasattr(made, "tolist") else made
    try:
        same = np.allclose(numbers_of, result.tolist(), rtol=1e-4)
        same = same and np.shape(numbers_of) == tuple(result.shape)
    except (TypeError, ValueError):
        same = False
    return "" if same else "no graph is kept. But it is not the same number or table as before."


repairs = lesson.Exercise(
    "repairs",
    answer=lambda: list(REPAIRED.values()),
    judge=judge_repairs,
    hint="One of the two results is a single number, the other one a table. The training of "
    "section 1 takes a number out of its loss, and one of the words of section 2 cuts off a "
    "history.",
    because="What goes into the list leads to no graph: item() hands out a plain number, and "
    "detach() a tensor without a history.",
)

# ------------------------------------------------------------------------------- an evaluation


def judge_evaluate(function: Any) -> str | None:
    """Gives it five batches, compares the mean, and measures what was saved at the peak."""
    forget_slip(evaluate)
    if not callable(function):
        return slip(evaluate, "a function is wanted.")
    model, batches = small_network(), some_batches(5)
    with torch.no_grad():
        true = [F.cross_entropy(model(x), y).item() for x, y in batches]
    one, _ = saved(lambda: F.cross_entropy(model(batches[0][0]), batches[0][1]))
    found: list[Any] = []
    try:
        peak, _ = saved(lambda: found.append(function(model, batches)))
    except (TypeError, AttributeError) as error:
        if "context manager" in str(error) or "__enter__" in str(error):
            text = "what stands after `with` has to be called: its brackets are missing."
            return slip(evaluate, text)
        raise
    (result,) = found
    if is_open(result) or is_stub(function, result):
        return None
    recording = torch.is_grad_enabled()
    torch.set_grad_enabled(True)
    looks = (
        lambda: "it returns nothing." if result is None else "",
        lambda: left_behind(model, recording),
        lambda: no_number(result),
        lambda: wrong_mean(result, true),
        lambda: too_much_saved(peak, one, why_recorded(function)),
        lambda: "" if model.training else LEFT_IN_EVAL,
    )
    return first_wrong(evaluate, looks)


LEFT_IN_EVAL = (
    "the number is right, and nothing is saved. But the model came in training mode, and it is "
    "left in that of `eval()`: the next training would go on without its dropout."
)


def names_in(function: Any) -> set[str]:
    """The names of attributes and globals in a function's code, and in what it holds in turn."""
    found: set[str] = set()
    todo = [getattr(function, "__code__", None)]
    while todo:
        code = todo.pop()
        if isinstance(code, CodeType):
            found.update(code.co_names)
            todo += code.co_consts  # the code of a lambda or a generator is among them
    return found


def why_recorded(function: Any) -> str:
    """What to ask whoever records all the same: about the word that was to prevent it, if any."""
    found = names_in(function)
    if found & {"no_grad", "inference_mode"}:
        return (
            "a graph is made all the same: what turns recording off holds only inside a block. "
            "Where does the model run?"
        )
    if "eval" in found:
        return "a graph is made all the same: as in C of *ways*, what does `eval()` change?"
    if "detach" in found:
        return (
            "a graph is made before `detach()` cuts it off, as in B of *ways*. Why is it made at "
            "all, if nobody will walk it?"
        )
    return "why is a graph made at all, if nobody will walk it?"


def left_behind(model: Any, recording: bool) -> str:
    """What an evaluation has changed for whoever trains next."""
    if not recording:
        return "after it, nothing is recorded any more: the next training would learn nothing."
    if not all(parameter.requires_grad for parameter in model.parameters()):
        return (
            "after it, parameters of the model ask for no gradient any more: the next training "
            "would not move them."
        )
    if any(parameter.grad is not None for parameter in model.parameters()):
        return (
            "after it, the parameters have a .grad, which the next training would find there. "
            "Does an evaluation need a backward pass?"
        )
    return ""


def no_number(result: Any) -> str:
    """Why a result is no plain number."""
    if isinstance(result, torch.Tensor) and result.grad_fn is not None:
        return (
            f"it returns a tensor, and behind its result are {node_count(result)} nodes, with all "
            "that they have saved. A plain number is wanted."
        )
    if isinstance(result, torch.Tensor):
        return "a plain number is wanted; this is a tensor, though one without a history."
    if isinstance(result, bool) or not isinstance(result, numbers.Real):
        return f"a plain number is wanted, and it returns {a_type(result)}."
    return ""


def wrong_mean(result: Any, true: list[float]) -> str:
    """How a number differs from the mean of these losses."""
    mean = sum(true) / len(true)
    if math.isclose(result, mean, rel_tol=1e-4):
        return ""
    if math.isclose(result, sum(true), rel_tol=1e-4):
        return "that is the sum of the losses. The mean of them is wanted."
    if math.isclose(result, true[0], rel_tol=1e-6):
        return "that is the loss of the first batch alone: where does the function end?"
    if math.isclose(result, true[-1], rel_tol=1e-6):
        return "that is the loss of the last batch alone. The mean of all is wanted."
    for which, loss in (("first", true[0]), ("last", true[-1])):
        if math.isclose(result, loss / len(true), rel_tol=1e-6):
            return (
                f"that is the loss of the {which} batch, divided by the number of batches: are "
                "the others added to it?"
            )
    divisor = sum(true) / result if result else 0.5
    if math.isclose(divisor, round(divisor), rel_tol=1e-4):
        return (
            f"it divides the sum of the losses by {round(divisor)}. Here there are {len(true)} "
            "batches; the list that it gets says how many."
        )
    return f"the mean of the five losses is {mean:.4f}; it returns {result:.4f}."


def too_much_saved(peak: int, one: int, why: str) -> str:
    """What an evaluation with the right number saves, compared with a single batch."""
    if peak > 2 * one:
        return (
            f"the number is right. But at the peak {peak / one:.0f} times as much is saved as for "
            "one batch: something still holds the losses with their graphs."
        )
    if peak > one:
        return (
            "the number is right. But at the peak two batches are there: while one is computed, a "
            f"variable still leads to the graph of the one before. And {why}"
        )
    if peak:
        return (
            "the number is right, and one batch's graph goes before the next one's comes. But "
            + why
        )
    return ""


evaluate = lesson.Exercise(
    "evaluate",
    judge=judge_evaluate,
    hint="Two things: what is added up should be plain numbers, and nothing should be recorded "
    "while the model runs. Section 2 has the words for the second.",
    because="Nothing is recorded, so nothing is saved, and a plain number leads nowhere. For "
    "example: with torch.no_grad(): total += F.cross_entropy(model(x), y).item(), for each batch; "
    "then return total / len(batches).",
)

# ------------------------------------------------------------------- three programs, source unseen

HOLDERS = {"A": ("history", "freed"), "B": ("total", "sum"), "C": ("report", "stored")}
SEEN = {
    "freed": "look at the curve. It falls after each step: why?",
    "sum": "what does the last line do with the result of the pass before?",
    "stored": "which line there adds anything up, or walks back?",
}
MISREAD = {
    ("B", "freed"): "the curve falls after each of the first 12 steps, that is true. But what is "
    "kept comes of the steps after them: does it fall there?",
    ("C", "freed"): "look at the curve. Does it fall anywhere, as it would if something had "
    "walked back?",
}
"""What is said to the word itself."""
STATES = tuple(SEEN)


LOCAL = ("loss", "scores", "optimizer", "x", "y")
PLAIN = ("best", "losses", "right")
BEFORE = ("model", "batches")


def not_the_holder(said: Any) -> str:
    """Why a wrong name does not keep the graph."""
    name = said.removeprefix("self.").removeprefix("program.") if isinstance(said, str) else said
    if name in LOCAL:
        return "that is a variable of `run`, and gone since `run` has ended."
    if name in PLAIN:
        return "only plain numbers are in it. What does the view's last part name?"
    if name in BEFORE:
        return "it was there before `run`, and `run` puts no result into it."
    if name in ("program", "self", "run"):
        return "that is all of it. Which part of `program` does the view name?"
    if name in [holder for holder, _ in HOLDERS.values()] or name == "seen":
        return "that is the name in another program's view."
    return "the view's last part names it. What stands there behind `program`?"


def judge_who(attempt: Any) -> str:
    forget_slip(who)
    if not isinstance(attempt, (list, tuple)) or len(attempt) != len(HOLDERS):
        return slip(who, "a list of three pairs is wanted, for A, B and C.")
    for (letter, (name, state)), pair in zip(HOLDERS.items(), attempt):
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            text = f"{letter}: a pair is wanted: who keeps it, and one of the three words."
            return slip(who, text)
        said, word = map(tidy, pair)
        if word not in STATES:
            return slip(who, f"{letter}: {word!r} is none of the words {', '.join(STATES)}.")
        if said == "seen" and letter == "C":
            said = name  # the list that this function remembers
        right = name, state
        if not isinstance(said, str) or name not in said.split(",")[0].split("[")[0].split("."):
            text = f"{letter}: {said!r} is not what keeps the graph: {not_the_holder(said)}"
            return of_letter(who, text, right)
        if word != state:
            why = MISREAD.get((letter, word), SEEN[state])
            return of_letter(who, f"{letter}: not {word!r}; {why}", right)
    return ""


who = lesson.Exercise(
    "who",
    answer=lambda: list(HOLDERS.values()),
    judge=judge_who,
    hint="Where the curve falls after each step, a backward pass has freed what was saved. "
    "Where it does not, look at the lines that ran: does one of them add to a result of the pass "
    "before?",
    because="The curve tells whether anything was walked back, and the lines whether anything was "
    "added up. C hides its list in a function, which remembers it.",
)

# ----------------------------------------------------------------------------- walked in segments

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

# ---------------------------------------------------------------------------- a program of yours

TABLE = 100 * 100 * 4


def judge_own(function: Any) -> str | None:
    """Runs it on a table that wants a gradient: five nodes or more, and three arrays saved."""
    forget_slip(own)
    if not callable(function):
        return slip(own, "a function is wanted.")
    torch.manual_seed(0)
    x = torch.rand(100, 100, requires_grad=True)
    found: list[Any] = []
    _, kept = saved(lambda: found.append(function(x)))
    result = found[0]
    if is_open(result) or is_stub(function, result):
        return None
    looks = (
        lambda: no_result(result) or away_from(x, result),
        lambda: too_few_nodes(result),
        lambda: not_three_arrays(result, kept),
    )
    return first_wrong(own, looks)


def no_result(result: Any) -> str:
    if result is None:
        return "it returns nothing. One tensor is wanted."
    if not isinstance(result, torch.Tensor):
        return f"it returns {a_type(result)}. One tensor is wanted."
    if result.grad_fn is None:
        return broke("record", "its result has no history: nothing leads back to x.")
    return ""


def away_from(x: Any, result: Any) -> str:
    """Whether a graph leads somewhere else than to x."""
    earlier = [edge for node in nodes(result) for edge, _ in node.next_functions]
    if any(getattr(edge, "variable", None) is x for edge in earlier):
        return ""
    return broke("record", "it has a graph, but that ends at another leaf, and not at x.")


def too_few_nodes(result: Any) -> str:
    count = node_count(result)
    nodes = "1 node" if count == 1 else f"{count} nodes"
    return "" if count >= 5 else f"its graph has {nodes}, and at least five are wanted."


def not_three_arrays(result: Any, kept: int) -> str:
    if kept % TABLE:
        return f"it saves {kept:,} bytes, and one array of x's size has {TABLE:,}: some is smaller."
    if kept != 3 * TABLE:
        arrays = "1 array" if kept == TABLE else f"{kept // TABLE} arrays"
        return (
            f"its graph of {node_count(result)} nodes saves {arrays}, and three are wanted. New "
            f"arrays of each node, from the first on: {kept_in_turn(result)}."
        )
    return ""


own = lesson.Exercise(
    "own program",
    judge=judge_own,
    hint="x itself is a leaf and does not count. Take operations that save their results, one "
    "after another, and fill up with some that save nothing.",
    because="For example (torch.tanh(torch.exp(torch.sigmoid(x))) + 1).mean().",
)
