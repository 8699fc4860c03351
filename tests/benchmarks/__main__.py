"""How fast is minigrad, and how much memory does it take, beside PyTorch eager and NumPy by hand?

    python tests/benchmarks                              # all steps, five processes
    python tests/benchmarks --processes 1                # a quick look
    python tests/benchmarks --only RNN --only LeNet      # steps whose name contains one of these

The libraries take turns within one process, on one thread, so that a busy machine slows them
alike; each process gives the ratio of the medians, and the median of the processes counts.
Memory is the growth of a process of its own for each library, at its peak, while it makes the
data and takes five steps (only Linux tells); what a library loads late is loaded before. PyTorch
is used if it is installed; minigrad itself does not need it.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
STATUS = Path("/proc/self/status")


# ------------------------------------------------------------------ in a process of its own


def library(label: str) -> Any:
    """minigrad or PyTorch, on one thread."""
    module = importlib.import_module(label)
    if label == "torch":
        module.set_num_threads(1)
    return module


def measure_time(name: str, labels: list[str], seconds: float) -> dict[str, float]:
    """Median seconds of a step in each library, interleaved."""
    program, by_hand, _ = importlib.import_module("steps").STEPS[name]
    runners = {label: program(library(label)) for label in labels}
    if by_hand is not None:
        runners["numpy"] = by_hand()
    agree(name, {label: run() for label, run in runners.items()})
    times: dict[str, list[float]] = {label: [] for label in runners}
    for run in runners.values():  # warm up
        for _ in range(3):
            run()
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times["minigrad"]) < 7:
        for label, run in runners.items():
            start = time.perf_counter()
            run()
            times[label].append(time.perf_counter() - start)
    return {label: statistics.median(values) for label, values in times.items()}


def agree(name: str, gradients: dict[str, Any]) -> None:
    """All libraries must compute the same first gradient, or the comparison means nothing."""
    values = {label: g.reshape(-1).tolist() for label, g in gradients.items()}
    mine = values["minigrad"]
    for label, theirs in values.items():
        worst = max(abs(a - b) / (1 + abs(b)) for a, b in zip(mine, theirs, strict=True))
        if worst > 1e-4:
            raise SystemExit(f"{name}: {label} and minigrad differ by {worst}")


def measure_memory(name: str, label: str) -> float | None:
    """By how many bytes this process grows, at its peak, in five steps."""
    if not STATUS.exists():
        return None
    program, _, _ = importlib.import_module("steps").STEPS[name]
    module = library(label)
    warm_up(module)
    before = resident("VmRSS")
    forget_the_peak()
    run = program(module)
    for _ in range(5):
        run()
    return resident("VmHWM") - before


def warm_up(torch: Any) -> None:
    """Load what a library loads when it is first used, so that it does not count as a step's."""
    nn = torch.nn
    image = torch.ones(2, 1, 4, 4)
    net = nn.Sequential(nn.Conv2d(1, 2, 3), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(2, 3))
    layer = nn.LSTM(3, 3)
    for optimiser in (torch.optim.SGD(net.parameters()), torch.optim.Adam(layer.parameters())):
        optimiser.zero_grad()
        h, _ = layer(torch.tanh(net(image))[None])
        nn.functional.cross_entropy(h[0], torch.tensor([0, 1])).backward()
        optimiser.step()
    list(torch.utils.data.DataLoader(torch.utils.data.TensorDataset(image), shuffle=True))


def forget_the_peak() -> None:
    """From now on, Linux looks for the highest memory use anew."""
    gc.collect()
    STATUS.with_name("clear_refs").write_text("5")


def resident(field: str) -> float:
    (line,) = [row for row in STATUS.read_text().splitlines() if row.startswith(field)]
    return float(line.split()[1]) * 1024


# ------------------------------------------------------------------ the table


def in_a_process(*arguments: Any) -> Any:
    done = subprocess.run(
        [sys.executable, __file__, "--inside", json.dumps(arguments)],
        env={**os.environ, **ONE_THREAD},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(done.stderr.strip() or done.stdout)
    return json.loads(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--processes", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="per step and process")
    parser.add_argument("--only", action="append", help="steps whose name contains this")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        what, *arguments = json.loads(options.inside)
        print(json.dumps({"time": measure_time, "memory": measure_memory}[what](*arguments)))
        return

    labels = ["minigrad"] + ["torch"] * (importlib.util.find_spec("torch") is not None)
    print(
        f"{'training step':36}{'minigrad':>11}{'x torch':>9}{'bound':>7}{'x numpy':>9}{'MB':>8}"
        f"{'torch MB':>10}"
    )
    for name, (_, by_hand, bound) in importlib.import_module("steps").STEPS.items():
        if options.only and not any(part in name for part in options.only):
            continue
        arguments = "time", name, labels, options.seconds
        runs = [in_a_process(*arguments) for _ in range(options.processes)]
        mine = statistics.median(run["minigrad"] for run in runs)
        row = f"{name:36}{mine * 1e6:8.0f} us"
        row += ratio(runs, "torch", 9) if "torch" in labels else f"{'-':>9}"
        row += f"{bound:7.2f}" + (ratio(runs, "numpy", 9) if by_hand else f"{'-':>9}")
        grown = [in_a_process("memory", name, label) for label in labels]
        row += "".join(
            "-" if size is None else f"{size / 1e6:{8 + 2 * i}.1f}" for i, size in enumerate(grown)
        )
        print(row, flush=True)


def ratio(runs: list[dict[str, float]], other: str, width: int) -> str:
    return f"{statistics.median(run['minigrad'] / run[other] for run in runs):{width}.2f}"


if __name__ == "__main__":
    main()
