"""What each file of minigrad/fast/ buys: steps of the benchmark with it, and with its plain twin.

    python tests/benchmarks/fast.py                     # all
    python tests/benchmarks/fast.py --only lstm         # files whose name contains this
    python tests/benchmarks/fast.py --seconds 20        # longer, for a quieter number

Both versions of a step take turns in one process, on one thread, and their first gradients must
agree. Counted is the time that the thread itself computes, so that other programs count for little.
The ratio is that of the medians, plain to fast: how much slower the step would be without the file.
What is less than 1.05 in every step does not belong into the folder.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import importlib
import os
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
os.environ.update(ONE_THREAD)  # before NumPy is loaded

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

import numpy as np  # noqa: E402
import steps  # noqa: E402

import minigrad  # noqa: E402
from minigrad.fast.layer_norm import plain_layer_norm  # noqa: E402
from minigrad.fast.linear import plain_linear  # noqa: E402
from minigrad.fast.lstm import step_by_step  # noqa: E402
from minigrad.fast.pooling import plain_highest  # noqa: E402
from minigrad.nn.convolution import plain_convolution  # noqa: E402
from minigrad.nn.losses import classification  # noqa: E402
from minigrad.ops.activations import log_softmax  # noqa: E402


def plain_cross_entropy(input: Any, index: Any, share: Any, reduction: str) -> Any:
    return classification._nll_loss(log_softmax(input, 1), index, share, reduction)


def alone(group: Any, states: Any) -> None:
    """No parameters move together."""


class Twins(NamedTuple):
    """A file of minigrad/fast/, where its fast version is called, and the steps that use it."""

    file: str
    module: str
    name: str
    plain: Callable[..., Any]
    steps: tuple[str, ...]


LENET = "LeNet, batch 32 x 28x28, SGD"
DIGITS = "digits CNN, an epoch, batches of 32"
MODULES = "modules 32x64-32-10, Adam"
TRANSFORMER = "transformer block, 4 x 32 tokens"
LSTM = "LSTM(16, 32), 30 steps, batch 8"
ADAM = "Adam, 20 matrices of 64 x 64"

ALL = [
    Twins("convolution", "nn.convolution", "_convolution", plain_convolution, (LENET, DIGITS)),
    Twins(
        "cross_entropy",
        "nn.losses.classification",
        "cross_entropy_at_once",
        plain_cross_entropy,
        (MODULES, LENET),
    ),
    Twins("layer_norm", "nn.normalization", "layer_norm_at_once", plain_layer_norm, (TRANSFORMER,)),
    Twins("linear", "nn.linear", "linear_at_once", plain_linear, (MODULES, TRANSFORMER)),
    Twins("lstm", "nn.recurrent", "all_at_once", step_by_step, (LSTM,)),
    Twins("pooling", "nn.pooling", "highest", plain_highest, (LENET, DIGITS)),
    Twins("together", "optim.optimizer", "put_together", alone, (MODULES, ADAM)),
]


@contextlib.contextmanager
def replaced(twins: Twins) -> Iterator[None]:
    """The plain twin in the place of the fast version."""
    module = importlib.import_module(f"minigrad.{twins.module}")
    fast = getattr(module, twins.name)
    setattr(module, twins.name, twins.plain)
    try:
        yield
    finally:
        setattr(module, twins.name, fast)


def compare(twins: Twins, step: str, seconds: float) -> tuple[float, float]:
    """Median seconds of the step, fast and plain."""
    program, _, _ = steps.STEPS[step]
    fast = program(minigrad)
    plain = program(minigrad)
    for _ in range(3):  # warm up
        found = fast()
        with replaced(twins):
            expected = plain()
    if not np.allclose(found.numpy(), expected.numpy(), rtol=1e-3, atol=1e-4):
        raise SystemExit(f"{twins.file}: the twins differ in {step!r}")
    of_fast: list[float] = []
    of_plain: list[float] = []
    end = time.monotonic() + seconds
    gc.disable()
    while time.monotonic() < end or len(of_fast) < 10:
        for _ in range(2):
            of_fast.append(timed(fast))
        with replaced(twins):
            for _ in range(2):
                of_plain.append(timed(plain))
    gc.enable()
    return statistics.median(of_fast), statistics.median(of_plain)


def timed(run: Callable[[], Any]) -> float:
    start = time.thread_time()
    run()
    return time.thread_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default="", help="files whose name contains this")
    parser.add_argument("--seconds", type=float, default=5.0, help="for each comparison")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"{'minigrad/fast/':16}{'step':38}{'fast':>10}{'plain':>10}{'ratio':>8}")
    for twins in ALL:
        if options.only not in twins.file:
            continue
        for step in twins.steps:
            fast, plain = compare(twins, step, options.seconds)
            times = f"{1e3 * fast:7.2f} ms{1e3 * plain:7.2f} ms"
            print(f"{twins.file:16}{step:38}{times}{plain / fast:8.2f}", flush=True)


if __name__ == "__main__":
    main()
