"""``TapePlayer``: a block of a program, played forwards and backwards, operation by operation."""

from __future__ import annotations

import sys
from typing import Any

import traitlets

from minigrad.engine.node import TensorBase
from minigrad.tape import Reader, tape
from minigrad.tape.values import plural

from .bundles import bundle
from .page_view import PageView
from .player.no_block import recording_of
from .player.recording import MOST, Recording
from .pytorch import is_tensor

NO_TORCH = (
    "TapePlayer plays what minigrad records, and this is a tensor of PyTorch's\n"
    "  fix: BackwardStepper(loss) shows its backward pass, GraphView(loss) its graph."
)
NO_RESULT = (
    "a recording is made of a block, or of a Tensor that was worked out, not of {kind}\n"
    "  fix: with TapePlayer() as player: …; or TapePlayer(loss)."
)
EMPTY = "Nothing is recorded yet. It records what runs in its block: with TapePlayer() as player: …"


class TapePlayer(PageView):
    """Record a block of a program, and play it forwards and backwards beside its source text.

    A debugger that needs no ``breakpoint()``: what ran in the block was recorded, so it can be
    stepped through both ways, scrubbed and searched in the page, without a kernel too. A step is
    one operation, one visit of a backward pass, one gradient that lands, one call of a function of
    the program, or one statement in which none of these happened. The page shows the line, the
    variables as they were then, and what the step has changed; it runs to a line, to the first NaN
    or infinity, and to the step that has written a variable last.

    Given a tensor instead, it plays what led to it, in the order in which it was made, and then
    rehearses ``backward()`` from it, as ``BackwardStepper`` does; of the lines between the
    operations nothing is known then.

    At most the latest 2,000 steps are kept; what was written before them is known at their start.
    Statements are followed in the block and in the functions of the program that it calls, not in
    libraries, generators, lambdas or comprehensions, and not while a debugger or a measurement of
    coverage follows the program: then only operations and backward passes are recorded. Of
    variables, tensors and their ``.grad``, parameters of modules and plain values are shown.

    Parameters
    ----------
    loss : tensor, optional
        A result whose making is to be played. Without it, use the player as a ``with`` block.
    gradient : tensor, optional
        The gradient that the rehearsal starts with, where ``loss`` has more than one number.
    ask : bool
        Open with "Ask me first" on.

    Raises TypeError for what is no tensor of minigrad's, RuntimeError (MG109) for a tensor without
    a history. An error in the block is recorded as the last step, and raised.

    >>> import minigrad as torch
    >>> from minigrad_widgets import TapePlayer
    >>> w = torch.tensor(2.0, requires_grad=True)
    >>> with TapePlayer() as player:
    ...     for step in range(2):
    ...         loss = (w * 3 - 9) ** 2
    ...         loss.backward()
    ...         with torch.no_grad():
    ...             w -= 0.01 * w.grad
    ...         w.grad = None
    >>> w
    tensor(2.3276, requires_grad=True)
    >>> TapePlayer(w * w)
    TapePlayer(4 steps)
    """

    _esm = bundle("tape_player.js")
    _css = bundle("minigrad.css")

    recording = traitlets.Dict().tag(sync=True)
    """The steps, and all that they show (``Recording`` in ``recording.ts``)."""

    def __init__(
        self, loss: Any = None, gradient: Any = None, *, ask: bool = False, **options: Any
    ) -> None:
        self._ask = bool(ask)
        self._reader: Reader | None = None
        self._running = Recording(tape)
        if loss is None:
            empty = self._running.data()
            super().__init__(recording=self._told({**empty, "note": EMPTY}), **options)
        else:
            if is_tensor(loss):
                raise TypeError(NO_TORCH)
            if not isinstance(loss, TensorBase):
                raise TypeError(NO_RESULT.format(kind=type(loss).__name__))
            frame = sys._getframe(1)
            tape.look_for_names()
            names = {**frame.f_globals, **frame.f_locals}
            data = recording_of(loss, gradient, names)
            super().__init__(recording=self._told(data), **options)

    def _told(self, data: dict[str, Any]) -> dict[str, Any]:
        return {**data, "ask": self._ask, "most": MOST}

    def __enter__(self) -> TapePlayer:
        if self._reader is not None:
            raise RuntimeError("this player records already: end its block first")
        self._reader = tape.watch(room=0)
        self._running = Recording(tape)
        self._running.begin(sys._getframe(1))
        return self

    def __exit__(self, kind: Any, error: BaseException | None, _traceback: Any) -> None:
        self._running.end("" if kind is None else f"{kind.__name__}: {first_line(error)}")
        self.recording = self._told(self._running.data(sys._getframe(1).f_code))
        self._running = Recording(tape)
        if self._reader is not None:
            tape.release(self._reader)
            self._reader = None

    def __repr__(self) -> str:
        steps = len(self.recording["moments"])
        return f"TapePlayer({steps} {plural('step', steps)})"


def first_line(error: BaseException | None) -> str:
    """What an error says, without the explanations below it."""
    try:
        text = str(error).strip().partition("\n")[0]
    except Exception:  # its own text cannot be made
        text = ""
    return text[:200]
