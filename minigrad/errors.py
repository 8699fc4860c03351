"""The errors and warnings that teach, in one place: their wording, codes and pages.

An error has PyTorch's type and begins with the phrase that PyTorch's users search for; then
come what happened, where, and the fix, in at most six lines. The words of those with a code are
in ``pages/``, at the head of the page that ``minigrad.explain("MG104")`` prints.

Names of variables are looked up in the frames of the program at the moment of the error, so
they cost nothing before; and so is the name of the package, which texts call ``minigrad``: what
a message says after "fix:" can be pasted. The line that made a node is known only while someone
watches.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import sys
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple, TypeVar

import numpy as np

from . import address

PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep
LIBRARIES = (PACKAGE, os.path.dirname(np.__file__) + os.sep)
"""Where the files lie whose lines are no line of the running program."""

PYTHON = tuple(sorted({os.path.dirname(str(module.__file__)) for module in (os, contextlib)}))
"""Where Python's own library lies: in a browser, most of it is in an archive beside the folder."""

MOST_PARAMETERS = 1000  # of a module, whose names are looked up


class Explained(str):
    """An error's text; a subclass of ``str`` so that ``KeyError`` and others print it whole."""

    def __repr__(self) -> str:
        return str(self)


PAGES = os.path.join(PACKAGE, "pages")
"""The folder with one page for each code: first the message, then a blank line, then prose."""


def pages() -> dict[str, str]:
    """The file of each page by its code: "MG106" is in ``MG106_graph_freed.md``, for example."""
    return {name.partition("_")[0]: os.path.join(PAGES, name) for name in sorted(os.listdir(PAGES))}


def message_and_prose(code: str) -> tuple[str, str]:
    """The two parts of a page."""
    with open(pages()[code], encoding="utf-8") as file:
        message, _, prose = file.read().partition("\n\n")
    return message, prose


def told(code: str, **facts: Any) -> str:
    """The message on a page, the facts filled in; lines that are empty then are left out.

    Its last line can be pasted; a comment behind it is the page's address, if there is one.
    """
    message, _ = message_and_prose(code)
    text = pasteable(f'{message}\nmore: minigrad.explain("{code}")').format(**facts)
    text += address.comment_on_error(code)
    phrase, happened, *lines = text.splitlines()
    lines = [f"{code}: {happened}", *lines]
    return "\n  ".join([phrase, *filter(None, lines)])


def warn(text: str) -> None:
    """Warn of the line of the running program that is being executed."""
    warnings.warn(text, UserWarning, stacklevel=outside())


# ------------------------------------------------------------------ whose variable, which line


def outside() -> int:
    """The ``stacklevel`` by which a warning of the caller's points at the running program."""
    level = 1
    frame = sys._getframe(1)
    while frame.f_back is not None and is_ours(frame):
        level = level + 1
        frame = frame.f_back
    return level


def is_ours(frame: Any) -> bool:
    """Does this frame run code of minigrad's, or of NumPy's, which calls minigrad's?"""
    module = str(frame.f_globals.get("__name__", ""))
    return module.startswith(("minigrad.", "minigrad_widgets", "numpy."))


def scopes() -> Iterator[dict[str, Any]]:
    """The variables of each running function that is not ours, the innermost first."""
    for frame, _ in traceback.walk_stack(sys._getframe(1)):
        if not is_ours(frame):
            yield frame.f_locals
            yield frame.f_globals


def variable_name(is_it: Callable[[Any], bool]) -> str | None:
    """The name of a variable of the running program whose value satisfies ``is_it``."""
    for scope in scopes():
        for name, value in list(scope.items()):
            if isinstance(name, str) and not name.startswith("_") and is_it(value):
                return name
    return None


def _name_of_tensor(tensor: Any) -> str | None:
    name = variable_name(lambda value: value is tensor)
    if name is not None:
        return name
    known = (
        part
        for scope in scopes()
        for module in parts_in(scope)
        for named in (module.parameters, module.buffers)
        for part in named
    )
    return next((path for path, part in known if part is tensor), None)


def is_variable(name: Any) -> bool:
    """Is it a variable to be shown? A namespace may have keys that are no names at all."""
    return isinstance(name, str) and not name.startswith("_")


def parameters_in(namespace: Mapping[str, Any]) -> list[list[tuple[str, Any]]]:
    """Of each module that a variable holds, the parameters with their paths: "layers.0.weight".

    The variable stands before a path that says too little: "layer.weight", or "G.0.weight" where
    another module has a "0.weight" too. What is inside of another module is not listed again.
    """
    return [module.parameters for module in parts_in(namespace)]


class Parts(NamedTuple):
    """The parts of one module with their paths, each once; and the others of what is shared."""

    parameters: list[tuple[str, Any]]
    buffers: list[tuple[str, Any]]
    shared: list[tuple[str, Any]]


def parts_in(namespace: Mapping[str, Any]) -> list[Parts]:
    """The same with the buffers ("layers.1.running_mean") and each path of a shared weight."""
    found: dict[str, Parts] = {}
    inside: set[int] = set()
    modules: dict[int, str] = {}
    for name, value in list(namespace.items()):
        if not is_variable(name) or not hasattr(type(value), "named_parameters"):
            continue
        if modules.setdefault(id(value), name) != name:
            continue
        with contextlib.suppress(Exception):  # it may be half built, or not what it seems to be
            inside.update(id(one) for _, one in value.named_modules() if one is not value)
            found[name] = _parts_of(value)
    outer = [
        (name, found[name]) for m, name in modules.items() if name in found and m not in inside
    ]
    paths = Counter(path for _, parts in outer for named in parts for path, _ in named)
    return [
        Parts(
            *(
                [(p if "." in p and paths[p] == 1 else f"{name}.{p}", one) for p, one in named]
                for named in parts
            )
        )
        for name, parts in outer
    ]


def _parts_of(module: Any) -> Parts:
    parameters = list(islice(module.named_parameters(), MOST_PARAMETERS))
    buffers = list(islice(module.named_buffers(), MOST_PARAMETERS))
    known = {path for path, _ in (*parameters, *buffers)}
    shared = [
        (f"{path}{name}", part)
        for path, inner in islice(_everywhere(module, "", ()), MOST_PARAMETERS)
        for walk in (inner.named_parameters, inner.named_buffers)
        for name, part in walk(recurse=False)
        if f"{path}{name}" not in known
    ]
    return Parts(parameters, buffers, shared if len(known) < MOST_PARAMETERS else [])


def _everywhere(module: Any, path: str, around: tuple[Any, ...]) -> Iterator[tuple[str, Any]]:
    """A module and all inside it, each in every place where it stands."""
    yield path, module
    around = (*around, module)
    for name, inner in getattr(module, "_modules", {}).items():
        if inner is not None and all(inner is not one for one in around):
            yield from _everywhere(inner, f"{path}{name}.", around)


def _name_of_result(node: Any) -> str | None:
    """The variable that holds a node's result, or, if that was overwritten, shows its memory."""
    storage = None
    if node.extra is not None:
        storage = node.extra.storage

    def is_it(value: Any) -> bool:
        # A type's attribute, since asking a stranger's object may run a stranger's code.
        if getattr(type(value), "_node", None) is None or not hasattr(type(value), "_meta"):
            return False
        shows = value._meta is not None and value._meta.storage is storage is not None
        return value._node is node or shows

    return variable_name(is_it)


def quoted(name: str | None) -> str:
    """A variable's name in quotation marks; "" where none was found."""
    if name is None:
        return ""
    return f"'{name}'"


def made_where(node: Any) -> str:
    """Where a node was made, as a line of a message; "" while nobody watched."""
    if node is None or node.watched is None:
        return ""
    return f"where: {node.watched.place()}"


# ----------------------------------------------------------------------- what it is called


def package_name() -> str:
    """What the running program calls this package: ``torch`` after ``import minigrad as torch``.

    The innermost function that knows it by a name decides, and its first name, but for "torch".
    """
    package = sys.modules[__name__.partition(".")[0]]
    for scope in scopes():
        names = [name for name, value in list(scope.items()) if value is package]
        if "torch" in names:
            return "torch"
        if names:
            return str(names[0])
    if sys.modules.get("torch") is package:
        return "torch"
    return "minigrad"


def pasteable(text: str) -> str:
    """A text that says ``minigrad.no_grad()``, in the running program's name for minigrad."""
    return re.sub(r"\bminigrad\.(?=\w)", lambda _: f"{package_name()}.", text)


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
            explains = ".explain(" in str(error) or "\n  fix: " in str(error)
            if explains and all(is_ours(frame) for frame, _ in frames):
                error.__traceback__ = None
            raise error

    return called  # type: ignore[return-value]


# ------------------------------------------------------------------------------- the errors


WRITTEN = {"add": "+=", "sub": "-=", "mul": "*=", "div": "/=", "pow": "**=", "copy": "x[…] = …"}
"""In-place operations that have another way of writing."""


def stale_error(node: Any, value: Any, storage: Any) -> RuntimeError:
    """A saved value was overwritten between the operation and the backward pass.

    ``storage``: the memory, which knows the last write to it.
    """
    if value is None:
        role = "the result"
        subject = quoted(_name_of_result(node)) or "its result"
    else:
        role = "an input"
        subject = quoted(_name_of_tensor(value)) or "an input"
    where = "where: to see the line, run the cell again while a GraphView is watching."
    operation, place = storage.last
    facts = {
        "op": node.kind.op,
        "role": role,
        "where": made_where(node) or where,
        "by": written_by(operation),
        "line": "" if place is None else f"overwritten: {place}",
    }
    return RuntimeError(told("MG104", subject=subject, **facts))


def written_by(operation: str) -> str:
    """How a value was overwritten: `` by add_() or +=``."""
    if operation == "step":
        return " by an optimizer's step()"
    if not operation:
        return ""
    otherwise = f" or {WRITTEN[operation]}" if operation in WRITTEN else ""
    return f" by {operation}_(){otherwise}"


def stale_argument_error(value: Any) -> RuntimeError:
    """What a checkpoint needs to compute again was overwritten."""
    subject = quoted(_name_of_tensor(value)) or "an argument"
    facts = {"op": "checkpoint", "role": "an input", "where": "", "by": "", "line": ""}
    return RuntimeError(told("MG104", subject=subject, **facts))


def freed_error(node: Any) -> RuntimeError:
    """A second backward pass needs values that the first one freed."""
    subject = f"an operation '{node.kind.op}'"
    name = _name_of_result(node)
    if name:
        subject = f"'{name}' ({node.kind.op})"
    return RuntimeError(told("MG106", subject=subject, where=made_where(node)))


def not_scalar_error(shape: tuple[int, ...], tensor: Any) -> RuntimeError:
    """``backward()`` without an argument on more than one number."""
    name = _name_of_tensor(tensor)
    names = {"subject": name or "this result", "name": name or "it", "value": name or "(...)"}
    return RuntimeError(told("MG107", shape=shape, **names))


def no_gradient_error(tensor: Any, position: int = 0) -> RuntimeError:
    """``backward()`` on a tensor that depends on nothing that requires a gradient."""
    name = _name_of_tensor(tensor) or "the loss"
    return RuntimeError(told("MG109", position=position, name=name))


def integer_error(dtype: Any) -> RuntimeError:
    """A gradient was asked for integers or booleans."""
    return RuntimeError(told("MG108", dtype=dtype))


def flag_error() -> RuntimeError:
    """Only a leaf's ``requires_grad`` is the user's to say."""
    return RuntimeError(
        "you can only change requires_grad flags of leaf variables.\n"
        "  Whether a result wants a gradient follows from its inputs.\n"
        "  fix: for the same value without a history, write y.detach()."
    )


def numpy_error(call: str) -> RuntimeError:
    """Leaving for NumPy would cut the graph in silence."""
    return RuntimeError(told("MG113", call=call))


def leaf_write_error(tensor: Any, view: bool) -> RuntimeError:
    """An in-place write, while recording, to a leaf that requires a gradient."""
    what = "a view of a leaf Variable" if view else "a leaf Variable"
    return RuntimeError(told("MG105", what=what, name=_name_of_tensor(tensor) or "it"))


BROKEN_VIEWS = {
    "no_grad": (
        "A view made there has no history, so nobody can say what the write does to it.",
        "make the view and write to it both inside no_grad, or both outside.",
    ),
    "function": (
        "This view was created inside a custom Function (or because an input was returned as-is): "
        "a write would pass its backward by.",
        "write to a copy: y = y.clone()",
    ),
    "several": (
        "This view is the output of a function that returns multiple views. Such functions do not "
        "allow the output views to be modified inplace.",
        "take one view by its index, x[i], or compute a new tensor instead of writing.",
    ),
}


def broken_view_error(node: str, output: int, made: str, what: str) -> RuntimeError:
    """A write meets a view of which nobody can say what its history would be then.

    ``made``: how the view was made, see ``views.Made``. ``node``: the name of its own, if it has
    one, and ``output``: which of that node's outputs it is.
    """
    unrecorded = f"created in no_grad mode and {what} modified inplace with grad mode enabled."
    if not node:
        phrase = f"A view was {unrecorded}"
    else:
        made_it = re.sub(r"Backward\d*$", "", node)
        state = f"and {what} modified inplace."
        if made == "no_grad":
            state = f"of a view which was {unrecorded}"
        phrase = f"Output {output} of {made_it} is a view {state}"
    why, fix = BROKEN_VIEWS[made]
    return RuntimeError(f"{phrase} {why}\n  fix: {fix}")


def shared_memory_error(what: str) -> RuntimeError:
    """A write to memory whose entries have several places, or are still to be read."""
    return RuntimeError(
        f"unsupported operation: {what} to a single memory location. Please clone() the tensor "
        "before performing the operation."
    )


def warn_not_leaf(tensor: Any) -> None:
    """``.grad`` was read on an intermediate result, where it is always None."""
    node = tensor._node
    name = _name_of_tensor(tensor) or "this tensor"
    warn(told("MG102", name=name, op=node.kind.op, where=made_where(node)))


def warn_cycle() -> None:
    """``backward(create_graph=True)`` makes the one reference cycle that cannot be avoided."""
    text = (
        "backward() with create_graph=True makes a reference cycle: a leaf holds its gradient, "
        "whose graph holds the leaf.\n"
        "  Memory is freed only when Python's cycle collector runs, or the .grad is set to None.\n"
        "  fix: minigrad.autograd.grad(loss, leaves, create_graph=True) makes no cycle."
    )
    warn(pasteable(text))


def not_a_leaf_error(position: int, tensor: Any) -> ValueError:
    """A result was given to an optimiser."""
    node = tensor._node
    name = _name_of_tensor(tensor) or f"parameter {position}"
    return ValueError(told("MG103", name=name, op=node.kind.op, where=made_where(node)))


def warn_broadcast_loss(input: tuple[int, ...], target: tuple[int, ...]) -> None:
    """Predictions and targets of different shapes are about to be compared."""
    sizes = {"input": f"torch.Size({list(input)})", "target": f"torch.Size({list(target)})"}
    warn(told("MG112", **sizes))


def warn_copied_history(count: int) -> None:
    """``tensor([c, d])`` copies numbers and leaves their history behind."""
    warn(told("MG111", count=count))


# --------------------------------------------------- notices, for those who ask for them


def notice_passes(param: Any, cells: list[str]) -> str:
    """An optimiser's step with a gradient to which several passes have added."""
    known = ", ".join(filter(None, cells))
    known = known and f" (it did in {known})"
    name = _name_of_tensor(param) or "a parameter"
    return told("MG101", name=name, count=len(cells), known=known)


def notice_graphs(name: str, count: int, node: Any) -> str:
    """A sum that keeps the graphs of many passes alive."""
    return told("MG110", name=name, count=count, where=made_where(node))


def endless_error(operations: int, node: Any) -> RuntimeError:
    """Many operations and no backward pass: perhaps a loop without end."""
    return RuntimeError(told("MG114", operations=operations, where=made_where(node)))


# ------------------------------------------------------------- what stands in a wrong place


def hint(value: Any, expected: str = "Tensor") -> str:
    """A second line for an argument of a wrong type: what it is likely to be, and the fix."""
    if expected == "tuple of ints" and isinstance(value, int):
        line = f"fix: ({value},), with brackets and a comma."
    elif "Tensor" in expected:
        line = of_no_tensor(value)
    else:
        line = of_no_number(value)
    if not line:
        return ""
    return pasteable(f"\n  {line}")


def of_no_tensor(value: Any) -> str:
    """What to write where a tensor is missing."""
    name = getattr(value, "__name__", type(value).__name__)
    if value is None:
        return "None is what .grad is before backward(), and what a function without return gives."
    if isinstance(value, (list, tuple)) and any(hasattr(type(part), "_node") for part in value):
        return "fix: minigrad.stack(...) makes one tensor of several."
    if isinstance(value, (bool, int, float, list, tuple)):
        return f"fix: minigrad.tensor(...) makes a tensor of this {name}."
    if isinstance(value, (np.ndarray, np.generic)):
        return "fix: minigrad.tensor(...) makes a tensor of a NumPy array."
    if isinstance(value, type):
        return f"{name} is a class: make an object of it, {name}(...)."
    if hasattr(type(value), "parameters"):
        return f"{name} is a module: call it with its input, and pass on the result."
    if callable(value):
        return f"fix: call {name}, with brackets: {name}()"
    return ""


def of_no_number(value: Any) -> str:
    """What to write where a number is missing, or a whole one."""
    if isinstance(value, str):
        return f"fix: a number, without quotes; of a text, int({value!r})."
    if isinstance(value, (float, np.floating)):
        return "fix: a whole number: n // 2 instead of n / 2, or int(n)."
    if hasattr(type(value), "_node"):
        return "fix: x.item() is the number in a tensor x of one entry; x.shape its sizes."
    if callable(value):
        return of_no_tensor(value)
    return ""


def none_error(symbol: str, input: Any, other: Any) -> TypeError:
    """An operator meets None: most often a gradient that is not there."""
    kinds = " and ".join(f"'{type(operand).__name__}'" for operand in (input, other))
    return TypeError(
        f"unsupported operand type(s) for {symbol}: {kinds}\n"
        "  None is what .grad is before backward(), and what a function without return gives.\n"
        "  fix: call loss.backward() first; leave out tensors on which the loss does not depend."
    )


# -------------------------------------------------------------------------------- the pages


def explain(code: str | int) -> None:
    """Print the page behind the code of an error or a warning, offline.

    >>> import minigrad as torch
    >>> torch.explain("MG108")  # doctest: +ELLIPSIS
    MG108
    A derivative asks what happens if a number moves a little...

    Raises KeyError for a code that does not exist, naming those that do.
    """
    key = f"MG{code}" if isinstance(code, int) else code.upper()
    if key not in pages():
        raise KeyError(Explained(f"no page {code!r}; there are {', '.join(pages())}"))
    _, prose = message_and_prose(key)
    print(f"{key}\n{pasteable(prose.rstrip())}")
