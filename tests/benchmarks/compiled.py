"""What compiling a training step buys: beside the step as it is, PyTorch eager and NumPy by hand.

    python tests/benchmarks/compiled.py                     # all steps
    python tests/benchmarks/compiled.py --only MLP          # steps whose name contains this
    python tests/benchmarks/compiled.py --seconds 20        # longer, for a quieter number
    python tests/benchmarks/compiled.py --compilers         # beside jax.jit and torch.compile, too

All take turns in one process, on one thread; what counts is the median of the processor's time.
PyTorch is timed where it is installed, and so are the compilers (``torch.compile`` works for
minutes before its first step). *noting* is what the one call costs of which notes are taken, in
ordinary calls.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import statistics
import sys
import time
from pathlib import Path
from typing import Any

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
os.environ.update(ONE_THREAD, XLA_FLAGS="--xla_cpu_multi_thread_eigen=false")
import numpy as np  # noqa: E402

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

BOUNDS = {
    "200 scalar operations": 0.03,
    "MLP 64x64-32-10, SGD": 0.20,
    "MLP 128x784-256-10": 0.85,
    "MLP 512x1024-1024-10": 1.15,
    "10^6 elements, 5 x (mul, tanh)": 1.1,
    "RNN cell x 50, batch 16, width 64": 0.38,
    "LeNet, batch 32 x 28x28, SGD": 0.85,
    "transformer block, 4 x 32 tokens": 0.45,
    "modules 32x64-32-10, Adam": 0.18,
    "LSTM(16, 32), 30 steps, batch 8": 1.0,
}
"""What is wanted of each step, in PyTorch eager's time."""


def medians(runs: dict[str, Any], seconds: float) -> dict[str, float]:
    """The median of the processor's seconds of each, which take turns."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for run in runs.values():
        for _ in range(4):  # also the call that is noted
            run()
    end = time.monotonic() + seconds
    while time.monotonic() < end or len(times["eager"]) < 7:
        for name, run in runs.items():
            start = time.process_time()
            run()
            times[name].append(time.process_time() - start)
    return {name: statistics.median(values) for name, values in times.items()}


def noting(torch: Any, program: Any, ordinary: float) -> float:
    """What the noted call costs, in ordinary calls: the cheapest of three."""
    costs = []
    for _ in range(3):
        step = torch.compile(program(torch))
        step()
        start = time.process_time()
        step()
        costs.append((time.process_time() - start) / ordinary)
    return min(costs)


def compilers(name: str, program: Any, pytorch: Any) -> dict[str, Any]:
    """The same step by ``jax.jit`` and by ``torch.compile``, where they are installed."""
    found = {}
    if importlib.util.find_spec("jax") is not None:
        found["jit"] = importlib.import_module("steps_jax").STEPS[name](
            importlib.import_module("jax")
        )
    if pytorch is not None:
        found["inductor"] = pytorch.compile(program(pytorch))
    return found


def agree(name: str, runs: dict[str, Any]) -> None:
    """The first gradient of each, or the comparison means nothing."""
    first = {label: np.asarray(run()) for label, run in runs.items()}
    drawn = importlib.import_module("steps_jax").DRAWN
    for label, gradient in first.items():
        if name in drawn and label in ("jit", "torch", "inductor"):
            continue
        if not np.allclose(gradient, first["eager"], rtol=1e-3, atol=1e-4):
            raise SystemExit(f"{name}: {label} and minigrad differ")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seconds", type=float, default=3.0, help="for each step")
    parser.add_argument("--only", action="append", help="steps whose name contains this")
    parser.add_argument("--compilers", action="store_true", help="also jax.jit and torch.compile")
    options = parser.parse_args()
    steps = importlib.import_module("steps").STEPS
    minigrad = importlib.import_module("minigrad")
    has_pytorch = importlib.util.find_spec("torch") is not None
    pytorch = importlib.import_module("torch") if has_pytorch else None
    if pytorch is not None:
        pytorch.set_num_threads(1)
    print(
        f"{'training step':36}{'compiled':>11}{'x torch':>9}{'bound':>7}{'x eager':>9}"
        f"{'x numpy':>9}{'x jit':>9}{'x t.comp':>9}{'lines':>7}{'noting':>8}"
    )
    for name, bound in BOUNDS.items():
        if options.only and not any(part in name for part in options.only):
            continue
        program, by_hand, _ = steps[name]
        step = minigrad.compile(program(minigrad), fullgraph=True)
        runs = {"eager": program(minigrad), "compiled": step}
        if by_hand is not None:
            runs["numpy"] = by_hand()
        if pytorch is not None:
            runs["torch"] = program(pytorch)
        if options.compilers:
            runs.update(compilers(name, program, pytorch))
        agree(name, runs)
        found = medians(runs, options.seconds)
        noted = step.programs[-1]
        if len(step.programs) > 1:
            print(step.explain())
        row = f"{name:36}{found['compiled'] * 1e6:8.0f} us"
        row += times(found, "torch") + f"{bound:7.2f}" + times(found, "eager")
        row += times(found, "numpy") + times(found, "jit") + times(found, "inductor")
        row += f"{noted.lines:7}"
        print(f"{row}{noting(minigrad, program, found['eager']):7.1f}x", flush=True)


def times(found: dict[str, float], other: str) -> str:
    """The compiled step's time in that of another, if that was measured."""
    return f"{found['compiled'] / found[other]:9.2f}" if other in found else f"{'-':>9}"


if __name__ == "__main__":
    main()
