"""The errors and warnings that teach, in one place: their wording, codes and pages.

An error has PyTorch's type and begins with the phrase that PyTorch's users search for; then
come what happened, where, and the fix, in at most six lines. ``minigrad.explain("MG104")``
prints the page behind a code.

Names of variables are looked up in the frames of the program at the moment of the error, so
they cost nothing before. The line that made a node is known only while someone watches.
"""

from __future__ import annotations

import functools
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep


class Explained(str):
    """An error's text; a subclass of ``str`` so that ``KeyError`` and others print it whole."""

    def __repr__(self) -> str:
        return str(self)


def _text(phrase: str, code: str, *lines: str) -> str:
    body = [f"  {line}" for line in lines if line]
    body.append(f'  more: minigrad.explain("{code}")')
    return "\n".join([phrase, *body])


# ------------------------------------------------------------------ whose variable, which line


def _user_frames() -> Iterator[Any]:
    frame = sys._getframe(1)
    while frame is not None:
        if not is_ours(frame):
            yield frame
        frame = frame.f_back  # type: ignore[assignment]


def outside() -> int:
    """The ``stacklevel`` by which a warning of the caller's points at the running program."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and is_ours(frame):
        level, frame = level + 1, frame.f_back
    return level


def is_ours(frame: Any) -> bool:
    """Does this frame run code of minigrad's?"""
    module = str(frame.f_globals.get("__name__", ""))
    return module.startswith(("minigrad.", "minigrad_widgets"))


def variable_name(is_it: Callable[[Any], bool]) -> str | None:
    """The name of a variable of the running program whose value satisfies ``is_it``."""
    for frame in _user_frames():
        for scope in (frame.f_locals, frame.f_globals):
            for name, value in list(scope.items()):
                if not name.startswith("_") and is_it(value):
                    return name
    return None


def _name_of_tensor(tensor: Any) -> str | None:
    return variable_name(lambda value: value is tensor)


def _name_of_result(node: Any) -> str | None:
    """The variable that holds a node's result, or, if that was overwritten, shows its memory."""
    storage = None if node.extra is None else node.extra.storage

    def is_it(value: Any) -> bool:
        # A type's attribute, since asking a stranger's object may run a stranger's code.
        if getattr(type(value), "_node", None) is None or not hasattr(type(value), "_rare"):
            return False
        return value._node is node or (
            storage is not None and value._rare is not None and value._rare.storage is storage
        )

    return variable_name(is_it)


def made_where(node: Any) -> str:
    """Where a node was made, as a line of a message; "" while nobody watched."""
    watched = None if node is None else node.watched
    return "" if watched is None else f"where: {watched.place()}"


# -------------------------------------------------------------------------- whose traceback

F = TypeVar("F", bound=Callable[..., Any])


def plainly(function: F) -> F:
    """Let an error that explains itself show the line that called, without our own frames.

    Frames of the user's in between (a hook, a Function) stay, and all of ours with them.
    """

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except RuntimeError as error:
            frames = traceback.walk_tb(error.__traceback__)
            if "minigrad.explain" in str(error) and all(is_ours(frame) for frame, _ in frames):
                error.__traceback__ = None
            raise error

    return called  # type: ignore[return-value]


# ------------------------------------------------------------------------------- the errors


def stale_error(node: Any, value: Any) -> RuntimeError:
    """A saved value was overwritten between the operation and the backward pass."""
    if value is None:
        name = _name_of_result(node) or "its result"
        role = f"the result of '{node.kind.op}', which saved it for its derivative,"
    else:
        name = _name_of_tensor(value) or "an input"
        role = f"an input of '{node.kind.op}', which saved it for its derivative,"
    subject = name if name in ("its result", "an input") else f"'{name}'"
    return RuntimeError(
        _text(
            "one of the variables needed for gradient computation has been modified by an "
            "inplace operation",
            "MG104",
            f"MG104: {subject} is {role} and was overwritten afterwards.",
            made_where(node)
            or "where: to see the line, run the cell again while a GraphView is watching.",
            "fix: write x = x + 1 instead of x += 1, or change it after backward().",
        )
    )


def freed_error(node: Any) -> RuntimeError:
    """A second backward pass needs values that the first one freed."""
    name = _name_of_result(node)
    subject = f"'{name}' ({node.kind.op})" if name else f"an operation '{node.kind.op}'"
    return RuntimeError(
        _text(
            "Trying to backward through the graph a second time, but the values saved for it "
            "have already been freed",
            "MG106",
            f"MG106: {subject} was already used by a backward(), which frees as it goes.",
            made_where(node),
            "fix: run the forward pass again. If a value of an earlier step is still part of "
            "the new loss, cut it: h = h.detach().",
            "Only if you need two passes over one graph: backward(retain_graph=True) first.",
        )
    )


def not_scalar_error(shape: tuple[int, ...], tensor: Any) -> RuntimeError:
    """``backward()`` without an argument on more than one number."""
    name = _name_of_tensor(tensor)
    return RuntimeError(
        _text(
            "grad can be implicitly created only for scalar outputs",
            "MG107",
            f"MG107: backward() starts from one number; {name or 'this result'} has shape {shape}.",
            f"fix: start from {name or 'it'} as one number: {name or '(...)'}.sum() or .mean().",
            f"To weight the entries, pass a gradient v with v.shape == {shape}.",
        )
    )


def no_gradient_error(tensor: Any, position: int = 0) -> RuntimeError:
    """``backward()`` on a tensor that depends on nothing that requires a gradient."""
    name = _name_of_tensor(tensor) or "the loss"
    return RuntimeError(
        _text(
            f"element {position} of tensors does not require grad and does not have a grad_fn",
            "MG109",
            f"MG109: {name} does not depend on any tensor with requires_grad=True.",
            "Comparisons, argmax, round-trips through NumPy, detach() and no_grad cut the graph.",
            "fix: create the inputs with requires_grad=True, and compute the loss from them.",
        )
    )


def integer_error(dtype: Any) -> RuntimeError:
    """A gradient was asked for integers or booleans."""
    return RuntimeError(
        _text(
            "only Tensors of floating point dtype can require gradients",
            "MG108",
            f"MG108: this tensor's dtype is {dtype}; a gradient needs numbers that can move "
            "a little.",
            "fix: write 2.0 instead of 2, or pass dtype=minigrad.float32.",
        )
    )


def flag_error() -> RuntimeError:
    """Only a leaf's ``requires_grad`` is the user's to say."""
    return RuntimeError(
        "you can only change requires_grad flags of leaf variables.\n"
        "  Whether a result wants a gradient follows from its inputs.\n"
        "  fix: for the same value without a history, write y.detach()."
    )


def numpy_error(call: str) -> RuntimeError:
    """Leaving for NumPy would cut the graph in silence."""
    return RuntimeError(
        _text(
            f"Can't call {call} on Tensor that requires grad. "
            "Use tensor.detach().numpy() instead.",
            "MG113",
            "MG113: the NumPy array would know nothing of the graph, so the gradient would "
            "stop here.",
        )
    )


def leaf_write_error(tensor: Any, view: bool) -> RuntimeError:
    """An in-place write, while recording, to a leaf that requires a gradient."""
    name = _name_of_tensor(tensor) or "it"
    phrase = (
        "a view of a leaf Variable that requires grad is being used in an in-place operation."
        if view
        else "a leaf Variable that requires grad is being used in an in-place operation."
    )
    return RuntimeError(
        _text(
            phrase,
            "MG105",
            f"MG105: {name} is where gradients arrive; recorded writes would leave it no "
            "value to differentiate by.",
            "fix: to update a parameter, write inside 'with minigrad.no_grad():'.",
        )
    )


def unrecorded_view_error(node: Any, what: str) -> RuntimeError:
    """A view made while recording was off meets a write: should the write be recorded?

    ``node`` is that of a view of such a view.
    """
    made = f"Output 0 of {node.name()} is a view of a view which" if node else "A view"
    return RuntimeError(
        f"{made} was created in no_grad mode and {what} modified inplace with grad mode enabled.\n"
        "  A view made there has no history, so nobody can say what the write does to it.\n"
        "  fix: make the view and write to it both inside no_grad, or both outside."
    )


def several_views_error(op: str, what: str) -> RuntimeError:
    """One of several views that one operation made meets a write."""
    return RuntimeError(
        f"Output of {op}() is a view and {what} modified inplace. This view is the output of a "
        "function that returns multiple views.\n"
        "  Such functions do not allow the output views to be modified inplace.\n"
        "  fix: take one view by its index, x[i], or compute a new tensor instead of writing."
    )


def warn_not_leaf(tensor: Any) -> None:
    """``.grad`` was read on an intermediate result, where it is always None."""
    name = _name_of_tensor(tensor) or "this tensor"
    warnings.warn(
        _text(
            "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed.",
            "MG102",
            f"MG102: {name} is an intermediate result ('{tensor._node.kind.op}'); its gradient is "
            "used and dropped.",
            made_where(tensor._node),
            f"fix: call {name}.retain_grad() before backward(). If {name} was a parameter that "
            "you updated by w = w - ...,",
            "MG105: it is now a result. Update inside no_grad: w -= ... keeps the parameter.",
        ),
        UserWarning,
        stacklevel=outside(),
    )


def warn_cycle() -> None:
    """``backward(create_graph=True)`` makes the one reference cycle that cannot be avoided."""
    warnings.warn(
        "backward() with create_graph=True makes a reference cycle: a leaf holds its gradient, "
        "whose graph holds the leaf.\n"
        "  Memory is freed only when Python's cycle collector runs, or the .grad is set to None.\n"
        "  fix: minigrad.autograd.grad(loss, leaves, create_graph=True) makes no cycle.",
        UserWarning,
        stacklevel=outside(),
    )


def not_a_leaf_error(position: int, tensor: Any) -> ValueError:
    """A result was given to an optimiser."""
    name = _name_of_tensor(tensor) or f"parameter {position}"
    return ValueError(
        _text(
            "can't optimize a non-leaf Tensor",
            "MG103",
            f"MG103: {name} is the result of '{tensor._node.kind.op}', so a step would not reach "
            "the tensor it was made from.",
            made_where(tensor._node),
            "fix: compute the starting value first, then set requires_grad=True on it.",
        )
    )


def warn_broadcast_loss(input: tuple[int, ...], target: tuple[int, ...]) -> None:
    """Predictions and targets of different shapes are about to be compared."""
    sizes = [f"torch.Size({list(shape)})" for shape in (target, input)]
    warnings.warn(
        _text(
            f"Using a target size ({sizes[0]}) that is different to the input size ({sizes[1]}). "
            "This will likely lead to incorrect results due to broadcasting. Please ensure they "
            "have the same size.",
            "MG112",
            "MG112: broadcasting compares predictions with targets that are not theirs.",
            "fix: give both one shape, as by prediction.squeeze(1) for (N, 1) against (N,).",
        ),
        UserWarning,
        stacklevel=outside(),
    )


def warn_copied_history(count: int) -> None:
    """``tensor([c, d])`` copies numbers and leaves their history behind."""
    warnings.warn(
        _text(
            "Converting a tensor with requires_grad=True to a scalar may lead to unexpected "
            "behavior.",
            "MG111",
            f"MG111: {count} of these values have a history, and the new tensor will not.",
            "fix: minigrad.stack([c, d]) keeps the gradient; c.item() says you do not want it.",
        ),
        UserWarning,
        stacklevel=outside(),
    )


# --------------------------------------------------- notices, for those who ask for them


def notice_passes(param: Any, cells: list[str]) -> str:
    """An optimiser's step with a gradient to which several passes have added."""
    name = _name_of_tensor(param) or "a parameter"
    known = ", ".join(cell for cell in cells if cell)
    return _text(
        f"{name}.grad already holds the sum of {len(cells)} backward passes",
        "MG101",
        "MG101: backward() adds to .grad" + (f" (it did in {known})." if known else "."),
        "fix: if you meant one pass, call zero_grad() before backward().",
    )


def notice_graphs(name: str, count: int, node: Any) -> str:
    """A sum that keeps the graphs of many passes alive."""
    return _text(
        f"'{name}' has a history of {count} graphs",
        "MG110",
        "MG110: each was used by a backward() of its own, and is kept alive by this sum.",
        made_where(node),
        f"fix: add numbers: {name} += loss.item().",
    )


def endless_error(operations: int, node: Any) -> RuntimeError:
    """Many operations and no backward pass: perhaps a loop without end."""
    return RuntimeError(
        _text(
            f"stopped after {operations} operations without a backward pass",
            "MG114",
            "MG114: each has added a node to the graph. Does a loop fail to reach its end?",
            made_where(node),
            "fix: look at the loop's condition; or allow more: tape.notices(operations=...).",
        )
    )


# -------------------------------------------------------------------------------- the pages

PAGES = Path(__file__).with_name("pages")
"""The folder with one page of prose for each code."""


def explain(code: str | int) -> None:
    """Print the page behind the code of an error or a warning, offline.

    >>> import minigrad as torch
    >>> torch.explain("MG108")  # doctest: +ELLIPSIS
    MG108
    A derivative asks what happens if a number moves a little...

    Raises KeyError for a code that does not exist, naming those that do.
    """
    key = f"MG{code}" if isinstance(code, int) else code.upper()
    pages = {page.stem: page for page in sorted(PAGES.glob("MG*.md"))}
    if key not in pages:
        raise KeyError(Explained(f"no page {code!r}; there are {', '.join(pages)}"))
    print(f"{key}\n{pages[key].read_text(encoding='utf-8').rstrip()}")
