"""What MemoryTape costs a program that it measures, side by side with the program alone.

    python tests/benchmarks/memory.py

CPU time; with and without take turns, so that a busy machine changes little. The limit is 4.
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "widgets")]

import minigrad as torch  # noqa: E402
from minigrad import nn  # noqa: E402
from minigrad_widgets import MemoryTape  # noqa: E402

LIMIT = 4


def numbers():
    """A chain of operations on single numbers: all that is measured is what Python does."""
    a = torch.tensor(2.0, requires_grad=True)
    h = a
    for _ in range(50):
        h = torch.tanh(h * a + a)


def small_vectors():
    """The same with vectors of eight numbers, each of which is saved and freed."""
    v = torch.ones(8, requires_grad=True)
    h = v
    for _ in range(50):
        h = torch.tanh(h * v + v)


def training():
    """Steps of a small network."""
    model = nn.Sequential(nn.Linear(64, 32), nn.Tanh(), nn.Linear(32, 10))
    optimizer = torch.optim.Adam(model.parameters())
    x, y = torch.randn(32, 64), torch.randint(0, 10, (32,))
    for _ in range(8):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


def depth_64():
    """A deep chain of matrices, forwards and backwards."""
    w = torch.randn(64, 64, requires_grad=True)
    h = torch.randn(64, 64)
    for _ in range(64):
        h = torch.tanh(h @ w)
    h.sum().backward()


def seconds(program, times=10):
    start = time.process_time()
    for _ in range(times):
        program()
    return time.process_time() - start


def ratio(program, rounds=15):
    """How many times longer it takes while it is measured; the median of the rounds."""
    seconds(program)
    ratios = []
    for _ in range(rounds):
        alone = seconds(program)
        with MemoryTape(ask=False) as view:
            measured = seconds(program)
        view.close()
        ratios.append(measured / alone)
    return statistics.median(ratios)


def main():
    for program in (numbers, small_vectors, training, depth_64):
        name = program.__name__.replace("_", " ")
        print(f"{name:20}{ratio(program):6.2f} x   (limit {LIMIT} x)")


if __name__ == "__main__":
    main()
