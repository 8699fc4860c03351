"""Where a second worker pays: large products, timed in processes of their own.

How many threads the library behind NumPy takes for one product is settled when it is loaded. So
each of the two cases is timed in a new Python, whose environment says how many it may take.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

from . import nb09_runs as runs

SIDE, LARGEST = 1024, 2048
LIMITS = ("OMP", "OPENBLAS", "MKL", "VECLIB_MAXIMUM", "BLIS")
"""The names under which the libraries behind NumPy look for a number of threads."""

SECONDS = 2.0

CASES = {"1 thread": "1", "any number": None}

RECORDED = {"1 thread": (206500, 111800), "any number": (122100, 131400)}
"""Microseconds for 1024 x 1024: line by line, and with two workers, on two quiet processors.

Of the run whose output is stored in the notebook.
"""

LESS, MORE = 0.8, 1.25
"""Below the one, two workers take clearly less time; between the two, about as long."""

CHILD = "from exercises import nb09_pays; nb09_pays.time_here({side})"


def large(side: int = SIDE) -> None:
    """Prints the times of eight products, with one thread for each, and with as many as it gets.

    Below them stand those of a quiet run, for a busy machine may tell something else.
    """
    if not isinstance(side, int) or not 1 <= side <= LARGEST:
        raise ValueError(
            f"side={side!r}: whole numbers from 1 to {LARGEST} take less than a minute"
        )
    print("This takes some fifteen seconds: two new Pythons are started.")
    print(f"measured here, eight products of {side} x {side}, processors: {os.cpu_count()}")
    print(HEADING)
    found = {case: timed(side, threads) for case, threads in CASES.items()}
    for case, measured in found.items():
        if measured:
            told(case, *measured, "measured here")
        else:
            print(
                f"{case:15}   not measured: no second Python could be started, or it took too long"
            )
    if side == SIDE or not all(found.values()):
        recorded()


def recorded() -> None:
    print(f"\nrecorded for this lesson, {SIDE} x {SIDE}, on 2 processors where nothing else ran")
    print("(In the saved lesson, the rows above are from this same run.)")
    print(HEADING)
    for case, (one, two) in RECORDED.items():
        told(case, one, two, "recorded")


HEADING = "per product       line by line   two workers    two workers take"


def told(case: str, one: float, two: float, how: str) -> None:
    ratio = f"{two / one:.1f} times as long: {in_words(two / one)}"
    print(f"{case:15}   {one:9,.0f} µs  {two:9,.0f} µs    {ratio} ({how})")


def in_words(ratio: float) -> str:
    """What the time of two workers is, compared with that of one."""
    return "clearly less" if ratio < LESS else "about the same" if ratio <= MORE else "more"


def timed(side: int, threads: str | None) -> tuple[float, float] | None:
    """The two times from a new Python, or None where none can be started, as in a browser."""
    if not runs.has_threads():
        return None
    kept = {k: v for k, v in os.environ.items() if not k.endswith("_NUM_THREADS")}
    limits = {f"{name}{'' if 'MAX' in name else '_NUM'}_THREADS": threads for name in LIMITS}
    given = {name: count for name, count in limits.items() if count is not None}
    paths = os.pathsep.join(os.path.abspath(path) for path in sys.path)
    try:
        child = subprocess.run(
            [sys.executable, "-c", CHILD.format(side=side)],
            env={**kept, **given, "PYTHONPATH": paths},
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        one, two = json.loads(child.stdout.splitlines()[-1])
    except (OSError, subprocess.SubprocessError, ValueError, IndexError):
        return None
    return one, two


def time_here(side: int) -> None:
    """In the new Python: both times, in microseconds, for the one that asked.

    The two take turns, so that whatever else the machine does meets both of them.
    """
    compiled, given = runs.branches(side)
    tasks, names = compiled.to_dask(*given)
    found = []
    until = time.monotonic() + SECONDS
    while len(found) < 2 or (len(found) < 20 and time.monotonic() < until):
        one = runs.best(lambda: compiled(*given), 1)
        found.append((one, runs.best(lambda: runs.shared(tasks, names), 1)))
    print(json.dumps([min(times) for times in zip(*found)]))
