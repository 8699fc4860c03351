"""Every operation, on the suite's sample inputs: compiled it gives the same, forward and back."""

from __future__ import annotations

import numpy as np
import pytest
from compiled_twice import histories, refusals, served
from samples import SAMPLES

import minigrad as torch

REFUSED = {
    "F.cross_entropy (2, 3) smooth weight": "item() takes a number out of the graph",
    "F.cross_entropy (3,) smooth weight": "item() takes a number out of the graph",
    "F.cross_entropy (2, 3, 4) smooth weight": "item() takes a number out of the graph",
    "look up: repeat_interleave_tensor": "NumPy reads the numbers",
}
"""Those that cannot be compiled, and what is said of them."""


def step_of(sample):
    function = sample.function

    def step(*tensors):
        out = function(torch, *tensors)
        outs = out if isinstance(out, (tuple, list)) else [out]
        losses = [(o * o).sum() + o.sum() for o in outs if o.requires_grad]
        if losses:
            sum(losses).backward()
        return [o.detach().clone() for o in outs], [t.grad for t in tensors]

    return step


def arguments(sample, dtype, call):
    return [
        torch.tensor(array * (1 + 0.01 * call), dtype=dtype, requires_grad=True)
        if array.dtype.kind == "f"
        else torch.tensor(array)
        for array in sample.inputs
    ]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=["float32", "float64"])
@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
def test_an_operation_gives_the_same_compiled(sample, dtype):
    plain, compiled, step = histories(
        lambda: (step_of(sample), lambda: ()), lambda call: arguments(sample, dtype, call), calls=4
    )
    assert plain == compiled
    wanted = REFUSED.get(sample.name)
    assert set(refusals(step)) == ({wanted} if wanted else set())
    assert wanted or served(step) or len(step.programs) > 2, step.explain()


def test_nearly_all_operations_can_be_compiled():
    assert len(REFUSED) < 0.01 * len(SAMPLES)
    assert np.all([name in SAMPLES for name in REFUSED])
