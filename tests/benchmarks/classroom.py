"""A class's submissions, graded on this machine's cores and on Dask's workers, one of them killed.

    python tests/benchmarks/classroom.py                                  # HW0, 300 submissions
    python tests/benchmarks/classroom.py --assignment homework/hw1 --submissions 20

Each submission has some of the solutions and leaves the other answers as they were handed out. All
ways must lead to the same tables, to the byte. It needs ``pip install 'minigrad-lab[dask]'``.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import random
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from distributed import Client, LocalCluster

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from minigrad.homework import building  # noqa: E402
from minigrad.homework.__main__ import main as homework  # noqa: E402
from minigrad.homework.assignment import Assignment  # noqa: E402

TABLES = ("moodle.csv", "canvas.csv", "questions.csv", "class.html")


def hand_in(assignment: Assignment, count: int, folder: Path) -> None:
    """So many submissions, each with some of the solutions."""
    handed_out = building.notebook_for_students(assignment)
    drawn = random.Random(0)
    for number in range(count):
        notebook = copy.deepcopy(handed_out)
        for cell in notebook["cells"]:
            for tag in cell["metadata"].get("tags", ()):
                name = tag.removeprefix("answer:")
                if tag == "student":
                    cell["source"] = f"name = 'Student {number}'"
                elif name in assignment.answers and drawn.random() < 0.7:
                    cell["source"] = assignment.answers[name].source
        (folder / f"student{number:03}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")


def graded(folder: Path, room: Path, way: str, *options: str) -> tuple[float, list[bytes]]:
    """Seconds on the clock, and the tables."""
    begin = time.perf_counter()
    command = ["grade", str(room / "in"), "--assignment", str(folder)]
    if homework([*command, "-o", str(room / way), *options]) != 0:
        sys.exit(f"{way}: grading has failed")
    seconds = time.perf_counter() - begin
    return seconds, [(room / way / table).read_bytes() for table in TABLES]


def kill_one(address: str, results: Path, when: int) -> None:
    """A worker, as soon as so many submissions have been graded."""
    with Client(address) as client:
        processes: dict[Any, int] = client.run(os.getpid)
        while len(list(results.glob("*.json"))) < when:
            time.sleep(0.05)
        os.kill(next(iter(processes.values())), signal.SIGKILL)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--assignment", type=Path, default=ROOT / "homework" / "hw0")
    parser.add_argument("--submissions", type=int, default=300)
    chosen = parser.parse_args()
    assignment = Assignment(chosen.assignment)
    print(f"{assignment.name}, {chosen.submissions} submissions, {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        room = Path(place)
        (room / "in").mkdir()
        hand_in(assignment, chosen.submissions, room / "in")
        seconds, expected = graded(assignment.folder, room, "here", "--workers", "2")
        print(f"{'two processes':36}{seconds:7.0f} s")
        for workers, kills in ((2, False), (4, False), (4, True)):
            way = f"dask {workers}{' killed' if kills else ''}"
            with LocalCluster(
                n_workers=workers, threads_per_worker=1, dashboard_address=":0", silence_logs=50
            ) as cluster:
                address = cluster.scheduler_address
                if kills:
                    half = chosen.submissions // 2
                    killing = (address, room / way / "results", half)
                    threading.Thread(target=kill_one, args=killing, daemon=True).start()
                seconds, tables = graded(assignment.folder, room, way, "--scheduler", address)
            same = "the same tables" if tables == expected else "OTHER TABLES"
            what = f"Dask, {workers} workers{', one killed half-way' if kills else ''}"
            print(f"{what:36}{seconds:7.0f} s   {same}")


if __name__ == "__main__":
    main()
