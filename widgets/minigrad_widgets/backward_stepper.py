"""``BackwardStepper``: one backward pass, a node at a time."""

from __future__ import annotations

import sys
from typing import Any

import traitlets

from minigrad.autograd.context import FunctionNode
from minigrad.engine.node import TensorBase, edge_to, reachable
from minigrad.lesson.engines import WRONG, Wrong
from minigrad.tape import rehearse, tape

from .bundles import bundle
from .page_view import PageView

MOST_NODES = 60  # in larger graphs one does not see what a wrong engine does
MOST_STEPS = 200  # some wrong engines take every path


class BackwardStepper(PageView):
    """Step through ``loss.backward()`` forwards and backwards, with formulas and numbers.

    It rehearses: the real engine runs on the real graph, but the gradients go into a table of
    their own. Every ``.grad``, and the graph, stay as they were. On a graph that ``backward()``
    has freed it replays that pass, if a GraphView was watching, and otherwise says what to do.

    A switch shows the same pass by engines that are wrong on purpose (``lesson.engines``), on
    graphs of up to 60 operations without hooks and without custom Functions: the wrong engines
    would call these once more each. The real one calls them once, as ``loss.backward()`` does: a
    tensor hook, or a ``Function.backward``, that prints or counts does so in the rehearsal too.

    Parameters
    ----------
    loss : tensor
        Where the pass starts; it must have a history.
    gradient : tensor, optional
        The gradient to start with, where ``loss`` has more than one number.

    Raises what ``loss.backward(gradient)`` would raise, such as RuntimeError (MG107) without a
    gradient for several numbers, or (MG104) after a saved value was overwritten.

    >>> import minigrad as torch
    >>> from minigrad_widgets import BackwardStepper
    >>> a = torch.tensor([2.0], requires_grad=True)
    >>> stepper = BackwardStepper(a * a)
    >>> stepper
    BackwardStepper(3 steps)
    >>> a.grad is None
    True
    """

    _esm = bundle("backward_stepper.js")
    _css = bundle("minigrad.css")

    schedule = traitlets.Dict().tag(sync=True)
    """The steps (``Schedule`` in ``tape.ts``). The page needs nothing else, not even a kernel."""

    def __init__(self, loss: Any, gradient: Any = None, **options: Any) -> None:
        frame = sys._getframe(1)
        tape.look_for_names()
        names = {**frame.f_globals, **frame.f_locals}
        super().__init__(schedule=schedule_of(loss, gradient, names), **options)

    def __repr__(self) -> str:
        count = len(self.schedule.get("steps", ()))
        return f"BackwardStepper({count} step{'s' if count != 1 else ''})"


def schedule_of(loss: Any, gradient: Any, names: dict[str, Any]) -> dict[str, Any]:
    """The steps of the pass, and those of the wrong engines, as the page gets them."""
    nodes = reachable([edge_to(loss)]) if isinstance(loss, TensorBase) else []
    hooked = any(n.extra is not None and (n.extra.hooks or n.extra.retained) for n in nodes)
    custom = any(isinstance(node, FunctionNode) for node in nodes)
    wrong = {} if hooked or custom or len(nodes) > MOST_NODES else WRONG
    schedule = rehearse(tape, loss, gradient, names, others=wrong)
    schedule["engines"] = [
        engine_data(name, WRONG[name], steps) for name, steps in schedule.pop("others", {}).items()
    ]
    return schedule


def engine_data(name: str, engine: type[Wrong], steps: list[dict[str, Any]]) -> dict[str, Any]:
    """A wrong engine as the page gets it, with its own words (``Engine`` in ``tape.ts``)."""
    return {
        "id": name,
        "title": engine.title,
        "what": engine.what,
        "joins": {"between": engine.between, "kept": engine.kept, "leaves": engine.leaves},
        "steps": steps if len(steps) <= MOST_STEPS else [],
    }
