"""Small programs whose results under PyTorch are recorded, and must be the same here.

A program is a function of ``torch``. It returns what is to be compared: tensors, numbers, texts,
or lists and dictionaries of these; or it raises. ``described`` turns that into plain data, the
same for both libraries. Most programs are one expression and stand as text in a table; ``t`` in
it is ``torch.tensor``. Each module of this package is such a table.
"""

from __future__ import annotations

import importlib
import math
import warnings
from pathlib import Path

import numpy as np
from compared.programs import gradients, nodes
from samples import SAMPLES

TABLES = {
    file.stem: importlib.import_module(f"{__name__}.{file.stem}")
    for file in sorted(Path(__file__).parent.glob("[!_]*.py"))
}
HELPERS = {"np": np, "nan": math.nan, "inf": math.inf, "math": math}


def one_expression(text, values):
    """The program that is this expression; ``values`` says what some names in it stand for."""

    def program(torch):
        scope = {"torch": torch, "t": torch.tensor, "F": torch.nn.functional, **HELPERS}
        scope.update(gradients.helpers(torch))
        scope.update(nodes.helpers(torch))
        scope.update({name: eval(value, scope) for name, value in values.items()})
        return eval(text, scope)

    return program


def collected():
    """All programs: table -> name -> program. The samples are a table too."""
    found = {}
    for title, table in TABLES.items():
        programs = found[title] = {}
        for line in table.EXPRESSIONS.strip().splitlines():
            if line and not line.startswith("#"):
                assert line not in programs, f"twice: {line}"
                programs[line] = one_expression(line, getattr(table, "VALUES", {}))
        for program in table.PROGRAMS:
            assert program.__name__ not in programs, program.__name__
            programs[program.__name__] = program
    found["samples"] = {name: of_sample(sample) for name, sample in SAMPLES.items()}
    return found


def of_sample(sample):
    """The result of a sample, and its gradients when each entry counts differently."""

    def program(torch):
        tensors = [torch.tensor(a, requires_grad=True) for a in sample.inputs]
        out = sample.function(torch, *tensors)
        weights = torch.linspace(0.5, 1.5, out.numel(), dtype=torch.float64).reshape(out.shape)
        out.backward(weights)
        # Numbers only: how they print is ``printing``'s subject.
        return [[str(x.dtype), list(x.shape), x.tolist()] for x in (out.detach(), *grads(tensors))]

    return program


def grads(tensors):
    return [x.grad for x in tensors]


# ------------------------------------------------------------------------- results as plain data


def described(torch, value):
    """A result as data that JSON can hold, the same for both libraries."""
    if isinstance(value, torch.Tensor):
        return of_tensor(value)
    if isinstance(value, (bool, int, str)) or value is None:
        return value
    if isinstance(value, float):
        return number(value)
    if isinstance(value, dict):
        return {str(key): described(torch, part) for key, part in value.items()}
    if hasattr(value, "_fields") or type(value).__module__ == "torch.return_types":
        return {"repr": repr(value), "parts": [described(torch, part) for part in value]}
    if isinstance(value, (list, tuple)) and type(value).__name__ != "Size":
        return [described(torch, part) for part in value]
    if isinstance(value, np.ndarray):
        return ["ndarray", str(value.dtype), described(torch, value.tolist())]
    return repr(value)


def of_tensor(tensor):
    return {
        "dtype": str(tensor.dtype),
        "shape": list(tensor.shape),
        "values": [number(v) for v in tensor.detach().reshape(-1).tolist()]
        if tensor.numel() <= 100
        else "many",
        "repr": repr(tensor),
    }


def number(value):
    """Nine digits are enough for comparison; JSON has no nan and no infinity."""
    if isinstance(value, float):
        return float(f"{value:.9g}") if math.isfinite(value) else str(value)
    return value


def outcome(torch, program):
    """What happens when a program runs: its result, or its error, and its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        # What minigrad says when it is imported, and the line above has just overruled.
        ours = r"minigrad\.(ops|fast|nn|optim)\."
        warnings.filterwarnings("ignore", category=RuntimeWarning, module=ours)
        try:
            found = {"result": described(torch, program(torch))}
        except Exception as error:
            found = {"error": type(error).__name__, "message": str(error).split("\n")[0][:160]}
    if caught:
        found["warns"] = sorted({warning.category.__name__ for warning in caught})
    return found
