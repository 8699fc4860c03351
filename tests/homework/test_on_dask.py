"""A class graded by Dask's workers: the same tables, whatever becomes of a worker."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

import pytest
import small_assignment as small
from distributed import Client, LocalCluster

from minigrad.homework import on_dask
from minigrad.homework.__main__ import main

pytestmark = [pytest.mark.processes, pytest.mark.threads]

TABLES = ("moodle.csv", "canvas.csv", "questions.csv", "class.html")


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    room = tmp_path_factory.mktemp("class")
    small.make_assignment(room)
    (room / "in").mkdir()
    for number in range(5):
        answers = {**small.RIGHT, "number": f"slope = {7 + number}"}
        small.write(room / "in" / f"student{number}.ipynb", small.cells_of(answers))
    return room


@pytest.fixture(scope="module")
def address():
    with LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50
    ) as cluster:
        yield cluster.scheduler_address


def graded(room, name, *options):
    command = ["grade", str(room / "in"), "--assignment", str(room / "small")]
    assert main([*command, "-o", str(room / name), *options]) == 0
    return [(room / name / table).read_bytes() for table in TABLES]


def kill_one_when_two_are_done(address, results):
    with Client(address) as client:
        processes = client.run(os.getpid)
        while len(list(results.glob("*.json"))) < 2:
            time.sleep(0.01)
        os.kill(next(iter(processes.values())), signal.SIGKILL)


def test_the_tables_are_the_same_when_a_worker_is_killed_half_way(room, address):
    here = graded(room, "here", "--workers", "2")
    killer = threading.Thread(
        target=kill_one_when_two_are_done, args=(address, room / "there" / "results")
    )
    killer.start()
    there = graded(room, "there", "--scheduler", address)
    killer.join()
    assert there == here
    assert len(list((room / "there" / "results").iterdir())) == 5


def test_a_worker_with_another_minigrad_grades_nothing():
    with pytest.raises(on_dask.NoCluster, match="install the same one on all machines"):
        on_dask.graded_there("small", {}, "the digest of another one", b"")


def test_a_submission_whose_process_is_lost_is_no_result_and_stops_no_other(room, monkeypatch):
    monkeypatch.setattr(on_dask, "GRADE_ONE", "import os; os._exit(9)")
    files = {path.name: path.read_bytes() for path in (room / "small").iterdir() if path.is_file()}
    text = (room / "in" / "student0.ipynb").read_bytes()
    assert on_dask.graded_there("small", files, on_dask.digest_of_grader(), text) is None


def test_a_scheduler_without_workers_says_so(room, capsys):
    with LocalCluster(n_workers=0, processes=False, dashboard_address=":0") as cluster:
        options = ["--scheduler", cluster.scheduler_address, "-o", str(room / "none")]
        command = ["grade", str(room / "in"), "--assignment", str(room / "small")]
        assert main([*command, *options]) == 1
    assert "has no workers: start dask worker" in capsys.readouterr().err


def test_without_dask_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(on_dask.NoCluster, match=r"pip install 'minigrad-lab\[dask\]'"):
        on_dask.distributed()
