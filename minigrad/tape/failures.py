"""The operation that failed: found in the traceback of an error, as a node for a picture.

It costs nothing before: the frames of the traceback hold what the operation was called with.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from inspect import CO_VARARGS
from typing import Any

from ..engine.node import Node, Results, TensorBase, next_number
from ..errors import PACKAGE
from . import formulas
from .facts import literal
from .marks import in_line, listed
from .recorder import Tape
from .source import Place, user_frame

MOST = 8  # operands
LONGEST = 300  # letters of the error

OPERATIONS = ("ops", "engine", "fast", "nn", "linalg", "_tensor", "_values")
"""Where operations lie: what fails elsewhere (an optimiser, a data loader) is none."""

AROUND = ("nn.module", "nn.module_calls", "nn.containers", "compat.arguments", "_methods")
"""What only passes a call on."""

NO_OPERATIONS = ("backward", "grad", "requires_grad_", "retain_grad", "register_hook")

AS_FORMULA = {"matmul": "mm"}

UNKNOWN = {"shape": [0], "dtype": "", "text": "failed", "data": [], "shown": [0]}


def failed(tape: Tape, error: BaseException) -> dict[str, Any] | None:
    """The operation that raised this, as the page gets it (``NodeData`` in ``tape.ts``).

    None if it was no operation on tensors. What it was called with is known to the tape then.
    """
    frames = [*frames_of(error)]
    ours = [user_frame(frame)[0] is frame for frame in frames]
    if True not in ours:
        return None
    last = len(ours) - 1 - ours[::-1].index(True)
    frame = frames[last]
    found = next(operations_in(frames[last + 1 :]), None)
    if found is None:
        return None
    op, given = found
    place = Place(frame.f_code, instruction_of(error, frame))
    operands = [operand for operand in map(known(tape, frame), given[:MOST]) if operand]
    tape.look_at([one for one, is_ours in zip(frames, ours) if is_ours])
    texts = [tape.text(one) for one in operands]
    shapes = [str(tape.facts[one].value.shape) if one in tape.facts else one for one in operands]
    where = in_line(place, place.file)
    pairs = [
        f"{text} of shape {shape}"
        for one, text, shape in zip(operands, texts, shapes)
        if one in tape.facts
    ]
    called = AS_FORMULA.get(op, op)
    sizes = ", ".join(shape for one, shape in zip(operands, shapes) if one in tape.facts)
    if called in formulas.INFIX and len(shapes) == 2:
        sizes = formulas.formula(called, shapes)
    says = f"failed{where}, called with {listed(pairs, MOST)}: {sentence_of(error)}"
    return {
        "id": f"f{next_number()}",
        "kind": "failed",
        "op": op,
        "symbol": formulas.symbol(called),
        "names": [],
        "formula": formulas.formula(called, texts),
        "cell": tape.cell,
        **place.as_data(),
        "spot": "",
        "value": UNKNOWN,
        "grad": None,
        "numbers": sizes,
        "saved": [],
        "inputs": [
            {"id": one if one in tape.facts else None, "arg": "", "text": text}
            for one, text in zip(operands, texts)
        ],
        "state": "alive",
        "marks": [{"kind": "failed", "text": says}],
    }


def frames_of(error: BaseException) -> Iterator[Any]:
    """The frames that the error came through, the outermost first."""
    step = error.__traceback__
    while step is not None:
        yield step.tb_frame
        step = step.tb_next


def instruction_of(error: BaseException, frame: Any) -> int:
    """Where in this frame the error came through: the frame itself may have gone on since."""
    found = -1
    step = error.__traceback__
    while step is not None:
        if step.tb_frame is frame:
            found = step.tb_lasti
        step = step.tb_next
    return found


def operations_in(frames: list[Any]) -> Iterator[tuple[str, list[Any]]]:
    """The operations among our own frames, outermost first, each with what it was called with."""
    layer: tuple[str, list[Any]] | None = None  # where no function is known, the module's class
    for frame in frames:
        module = module_of(frame)
        name = frame.f_code.co_name
        if module.split(".")[0] not in (*OPERATIONS, "compat") or name in NO_OPERATIONS:
            break  # whatever follows, this is what was called
        given = [*called_with(frame)]
        if not any(isinstance(one, TensorBase) for one in given):
            continue
        if module == "nn.module" and name == "__call__":
            layer = type(frame.f_locals.get("self")).__name__, given
        name = public_name(frame, name)
        if module not in AROUND and name:
            yield name, given
    if layer is not None:
        yield layer


def public_name(frame: Any, name: str) -> str:
    """The name under which a program knows this function; "" of one that it does not know."""
    if name == "function":  # one of many that a function has made
        name = str(frame.f_locals.get("name", name))
    elif name == "method":
        name = f"{getattr(frame.f_locals.get('compute'), '__name__', '')}_"
    bare = name.strip("_")
    if hasattr(Results.cls, bare) or hasattr(Results.cls, f"{bare}_"):
        return bare if not name.endswith("_") or name.endswith("__") else f"{bare}_"
    told = frame.f_globals.get(name)
    return bare if "Counterpart: " in (getattr(told, "__doc__", None) or "") else ""


def module_of(frame: Any) -> str:
    """The module of a function, within the package: "nn.functional"."""
    filename = frame.f_code.co_filename
    if not filename.startswith(PACKAGE):
        return ""
    return filename[len(PACKAGE) :].removesuffix(".py").replace(os.sep, ".")


def called_with(frame: Any) -> Iterator[Any]:
    """The arguments of a function, those in a list or a tuple one by one."""
    code = frame.f_code
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & CO_VARARGS)
    for position, name in enumerate(code.co_varnames[:count]):
        value = frame.f_locals.get(name)
        if isinstance(value, (list, tuple)):
            yield from value
        elif position < 2 or isinstance(value, TensorBase):  # what follows are options
            yield value


def known(tape: Tape, frame: Any) -> Any:
    """What makes an operand of an argument: a key, a number as text, or "" of what is neither."""

    def operand(value: Any) -> str:
        if isinstance(value, TensorBase):
            if isinstance(value._node, Node):
                tape.look_back(value._node, value, frame)
                tape.catch_up()
                return f"n{value._node.seq}"
            return tape.key_of(value, frame)
        if type(value) in (int, float):
            return literal(value)
        return ""

    return operand


def sentence_of(error: BaseException) -> str:
    """The kind of an error and its first line."""
    first = (str(error).splitlines() or [""])[0].strip()
    text = f"{type(error).__name__}: {first}" if first else type(error).__name__
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
