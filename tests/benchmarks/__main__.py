"""How fast is minigrad, beside PyTorch eager and beside NumPy by hand?

    python tests/benchmarks                 # all steps, five processes
    python tests/benchmarks --processes 1   # a quick look

The libraries take turns within one process, on one thread, so that a busy machine slows them
alike; each process gives the ratio of the medians, and the median of five processes counts.
PyTorch is used if it is installed; minigrad itself does not need it.
"""

from __future__ import annotations

import argparse
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


def measure(rounds: int) -> dict[str, dict[str, float]]:
    """Median seconds of each step in each library, interleaved, in this process."""
    steps = importlib.import_module("steps")
    libraries: dict[str, Any] = {"minigrad": importlib.import_module("minigrad")}
    if importlib.util.find_spec("torch") is not None:
        libraries["torch"] = importlib.import_module("torch")
        libraries["torch"].set_num_threads(1)
    medians = {}
    for name, (program, by_hand, _) in steps.STEPS.items():
        runners = {label: program(library) for label, library in libraries.items()}
        runners["numpy"] = by_hand()
        agree(name, {label: run() for label, run in runners.items()})
        times: dict[str, list[float]] = {label: [] for label in runners}
        for turn in range(rounds + rounds // 10):
            for label, run in runners.items():
                start = time.perf_counter()
                run()
                if turn >= rounds // 10:  # the first tenth warms up
                    times[label].append(time.perf_counter() - start)
        medians[name] = {label: statistics.median(values) for label, values in times.items()}
    return medians


def agree(name: str, gradients: dict[str, Any]) -> None:
    """All libraries must compute the same first gradient, or the comparison means nothing."""
    values = {label: [float(v) for v in flat(g)] for label, g in gradients.items()}
    mine = values["minigrad"]
    for label, theirs in values.items():
        worst = max(abs(a - b) for a, b in zip(mine, theirs, strict=True))
        if worst > 1e-4:
            raise SystemExit(f"{name}: {label} and minigrad differ by {worst}")


def flat(g: Any) -> Any:
    return g.reshape(-1).tolist()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--processes", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--one-process", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one_process:
        print(json.dumps(measure(options.rounds)))
        return

    results = []
    for _ in range(options.processes):
        command = [sys.executable, __file__, "--one-process", "--rounds", str(options.rounds)]
        done = subprocess.run(
            command, env={**os.environ, **ONE_THREAD}, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise SystemExit(done.stderr.strip() or done.stdout)
        results.append(json.loads(done.stdout))

    bounds = {name: bound for name, (_, _, bound) in importlib.import_module("steps").STEPS.items()}
    print(f"{'training step':36}{'minigrad':>11}{'x torch':>9}{'bound':>7}{'x numpy':>9}")
    for name in results[0]:
        mine = statistics.median(r[name]["minigrad"] for r in results)
        by_hand = statistics.median(r[name]["minigrad"] / r[name]["numpy"] for r in results)
        against = "-"
        if "torch" in results[0][name]:
            ratio = statistics.median(r[name]["minigrad"] / r[name]["torch"] for r in results)
            against = f"{ratio:.2f}"
        print(f"{name:36}{mine * 1e6:8.0f} us{against:>9}{bounds[name]:>7.2f}{by_hand:>9.2f}")


if __name__ == "__main__":
    main()
