"""The commands `python lab.py`, `python lab.py site` and `python lab.py test`.

That they work is shown by every run of `lab.py test`. What is tested here is when they install
and when they do not, and that each failure is one sentence that says what to do.
"""

from __future__ import annotations

import ast
import contextlib
import errno
import importlib.util
import json
import os
import re
import runpy
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

import psutil
import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = (ROOT / "lab.py").read_text(encoding="utf-8")


@pytest.fixture
def checkout(tmp_path):
    """A copy of the project that is complete enough for lab.py."""
    root = tmp_path / "a folder"
    (root / "minigrad").mkdir(parents=True)
    (root / "notebooks").mkdir()
    for name in ("lab.py", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, root)
    (root / "README.md").touch()
    (root / "LICENSE").touch()
    (root / "minigrad" / "__init__.py").write_text('__version__ = "0.1.0"\n')
    return root


@pytest.fixture
def lab(checkout, monkeypatch):
    """The lab.py of that copy, for which an environment is a folder with a file for Python."""
    spec = importlib.util.spec_from_file_location("copied_lab", checkout / "lab.py")
    lab = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "copied_lab", lab)
    spec.loader.exec_module(lab)

    def run_quietly(command):
        lab.steps.append("make" if "venv" in command else "install " + what(command))
        lab.commands.append(command)
        if "venv" in command:
            lab.environment_python().parent.mkdir(exist_ok=True)
            lab.environment_python().touch()

    def what(command):
        return command[command.index("-e") + 1]

    lab.steps, lab.commands = [], []
    lab.really_has_packages = lab.has_packages
    lab.really_works, lab.really_run_quietly = lab.works, lab.run_quietly
    monkeypatch.setattr(lab, "run_quietly", run_quietly)
    monkeypatch.setattr(lab, "works", lambda python: python.exists())
    monkeypatch.setattr(lab, "has_packages", lambda python, extra: True)
    hide(monkeypatch, "uv")
    return lab


def hide(monkeypatch, *names):
    """Make programs look as if they were not installed."""
    which = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name: None if name in names else which(name))


def raising(error):
    def fail(*_):
        raise error

    return fail


def the_one_sentence(lab, capsys, *arguments):
    """What lab.py says when it fails with these arguments: exactly one sentence, exit code 1."""
    assert lab.main(list(arguments)) == 1
    said = capsys.readouterr().err
    assert said.endswith(".\n") and said.count("\n") == 1
    return said


# --- When the environment is made ----------------------------------------------------------------


def test_the_site_is_built_by_its_own_program_and_with_its_options(lab, monkeypatch):
    commands = []
    monkeypatch.setattr(lab, "run", lambda command, **_: commands.append(command) or 0)
    assert lab.main(["site", "--build-only"]) == 0
    assert commands == [[lab.environment_python(), "-m", "website", "--build-only"]]
    assert lab.steps == ["make", "install .[site]"]


@pytest.mark.parametrize(("before", "after"), [("site", "notebooks"), ("test", "site")])
def test_who_has_the_larger_extra_keeps_it(lab, before, after):
    lab.ensure_environment(before)
    lab.ensure_environment(after)
    assert lab.steps == ["make", f"install .[{before}]"]


def test_the_environment_is_made_once(lab):
    for _ in range(2):
        assert lab.ensure_environment("notebooks") == lab.environment_python()
    assert lab.steps == ["make", "install .[notebooks]"]


@pytest.mark.parametrize("file", ["pyproject.toml", "constraints.txt"])
def test_changed_requirements_are_installed_into_the_same_environment(lab, file):
    lab.ensure_environment("notebooks")
    (lab.ROOT / file).write_text("# changed\n")
    lab.ensure_environment("notebooks")
    assert lab.steps == ["make", "install .[notebooks]", "install .[notebooks]"]


def test_the_tests_add_their_packages_and_the_notebooks_keep_them(lab):
    for extra in ("notebooks", "test", "notebooks", "test"):
        lab.ensure_environment(extra)
    assert lab.steps == ["make", "install .[notebooks]", "install .[test]"]
    (lab.ROOT / "constraints.txt").write_text("# changed\n")
    lab.ensure_environment("notebooks")
    assert lab.steps[-1] == "install .[test]"


def test_an_interrupted_installation_is_started_over(lab, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(lab, "install", raising(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            lab.ensure_environment("notebooks")
    lab.ensure_environment("notebooks")
    assert lab.steps == ["make", "make", "install .[notebooks]"]


def test_an_environment_that_lost_its_python_is_made_again(lab):
    lab.ensure_environment("notebooks")
    lab.environment_python().unlink()
    lab.ensure_environment("notebooks")
    assert lab.steps == ["make", "install .[notebooks]"] * 2


def test_an_environment_for_another_python_is_made_again(lab):
    lab.ensure_environment("notebooks")
    stamp = lab.STAMP.read_text(encoding="utf-8")
    lab.STAMP.write_text(re.sub(r"Python 3\.\d+", "Python 3.10", stamp), encoding="utf-8")
    lab.ensure_environment("notebooks")
    assert lab.steps == ["make", "install .[notebooks]"] * 2


def test_an_environment_that_moved_with_its_folder_is_made_again(lab):
    lab.ensure_environment("notebooks")
    stamp = lab.STAMP.read_text(encoding="utf-8")
    lab.STAMP.write_text(stamp.replace(str(lab.ROOT), "elsewhere"), encoding="utf-8")
    lab.ensure_environment("notebooks")
    assert lab.steps == ["make", "install .[notebooks]"] * 2


def test_an_environment_made_by_hand_is_used_and_survives_an_interruption(lab, monkeypatch):
    lab.environment_python().parent.mkdir(parents=True)
    lab.environment_python().touch()
    with monkeypatch.context() as patch:
        patch.setattr(lab, "install", raising(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            lab.ensure_environment("notebooks")
    lab.ensure_environment("notebooks")
    assert lab.steps == ["install .[notebooks]"]


def test_uv_does_the_installing_where_it_is_on_the_path(lab, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: "/bin/uv" if name == "uv" else None)
    lab.ensure_environment("notebooks")
    assert [command[0] for command in lab.commands] == ["/bin/uv", "/bin/uv"]


def test_versions_are_the_ones_of_the_constraints(lab):
    lab.ensure_environment("notebooks")
    assert lab.commands[-1][-2:] == ["-c", "constraints.txt"]


# --- Nothing is lost -----------------------------------------------------------------------------


def move_elsewhere(lab):
    """What the renaming of its folder does to an environment."""
    stamp = lab.STAMP.read_text(encoding="utf-8")
    lab.STAMP.write_text(stamp.replace(str(lab.ROOT), "elsewhere"), encoding="utf-8")


def half_updated(lab):
    lab.write_stamp(lab.UNFINISHED)


def lost_its_python(lab):
    lab.environment_python().unlink()


WHY = pytest.mark.parametrize("why", [move_elsewhere, half_updated, lost_its_python])


def put_package(lab, name):
    """Something that the user has installed."""
    folder = "Lib/site-packages" if os.name == "nt" else "lib/python3.11/site-packages"
    package = lab.ENVIRONMENT / folder / f"{name}-1.0.dist-info"
    package.mkdir(parents=True)
    return package


@WHY
def test_without_a_network_the_old_environment_comes_back(lab, capsys, monkeypatch, why):
    lab.ensure_environment("notebooks")
    package = put_package(lab, "mine")
    why(lab)
    stamp = lab.read_stamp()
    monkeypatch.setattr(lab, "install", raising(lab.why_it_failed("error: dns error")))
    assert "nothing was changed" in the_one_sentence(lab, capsys)
    assert package.exists() and lab.read_stamp() == stamp
    assert not lab.BEFORE.exists() and not lab.DISCARDED.exists()


@WHY
@pytest.mark.parametrize("step", ["run_quietly", "install", "write_settings"])
def test_an_interruption_brings_the_old_environment_back(lab, monkeypatch, why, step):
    lab.ensure_environment("notebooks")
    package = put_package(lab, "mine")
    why(lab)
    monkeypatch.setattr(lab, step, raising(KeyboardInterrupt))
    assert lab.main([]) == 130
    assert package.exists() and not lab.BEFORE.exists()


@pytest.mark.parametrize("half", ["none", "folder", "unfinished", "complete"])
def test_who_kills_lab_loses_nothing_either(lab, half):
    lab.ensure_environment("notebooks")
    package = put_package(lab, "mine")
    lab.ENVIRONMENT.rename(lab.BEFORE)
    if half == "complete":
        shutil.copytree(lab.BEFORE, lab.ENVIRONMENT)
    elif half != "none":
        lab.ENVIRONMENT.mkdir()
    if half == "unfinished":
        lab.write_stamp(lab.UNFINISHED)
    lab.tidy_up()
    assert package.exists() and lab.is_complete("notebooks")
    assert not lab.BEFORE.exists()


def test_a_new_environment_names_what_only_the_old_one_had_and_takes_its_place(lab, capsys):
    lab.ensure_environment("notebooks")
    put_package(lab, "My_Plots")
    move_elsewhere(lab)
    lab.ensure_environment("notebooks")
    assert "also had my-plots: install again what you need" in capsys.readouterr().out
    assert lab.is_complete("notebooks") and not lab.BEFORE.exists()


def test_the_story_of_a_failed_installation_is_kept(lab):
    lab.why_it_failed("ERROR: No matching distribution for x\n")
    assert lab.LOG.exists() and lab.ENVIRONMENT not in lab.LOG.parents


def make_by_hand(lab):
    lab.environment_python().parent.mkdir(parents=True)
    lab.environment_python().touch()


def test_an_environment_made_by_hand_keeps_its_versions_for_ever(lab, capsys):
    make_by_hand(lab)
    lab.ensure_environment("notebooks")
    (lab.ROOT / "constraints.txt").write_text("# changed\n")
    lab.ensure_environment("test")
    lab.ensure_environment("notebooks")
    assert lab.steps == ["install .[notebooks]", "install .[test]"]
    assert not any("-c" in command for command in lab.commands)
    assert "what it has stays as it is" in capsys.readouterr().out


def test_an_environment_made_by_hand_that_moved_is_not_replaced(lab):
    make_by_hand(lab)
    lab.ensure_environment("notebooks")
    move_elsewhere(lab)
    lab.ensure_environment("notebooks")
    assert lab.steps == ["install .[notebooks]"] * 2


def test_an_environment_made_by_hand_that_does_not_work_is_left_to_its_owner(lab, capsys):
    put_package(lab, "mine")
    assert "rename or delete it" in the_one_sentence(lab, capsys)
    assert lab.packages(lab.ENVIRONMENT) == {"mine"}


# --- Never into another Python -------------------------------------------------------------------


def like_a_stranger(python):
    """The Python of an environment without `pyvenv.cfg`: the one that made it."""
    python.parent.mkdir(parents=True)
    python.symlink_to(sys._base_executable)


@pytest.mark.skipif(os.name == "nt", reason="environments have copies there")
@pytest.mark.parametrize("uv", [None, "/bin/uv"])
def test_without_pyvenv_cfg_the_python_is_another_ones_and_is_not_installed_into(
    lab, monkeypatch, uv
):
    monkeypatch.setattr(shutil, "which", lambda name: uv)
    monkeypatch.setattr(lab, "works", lab.really_works)
    like_a_stranger(lab.environment_python())
    assert not lab.works(lab.environment_python())
    with pytest.raises(lab.Stop, match=r"not made by lab\.py and has no Python or no pip"):
        lab.ensure_environment("notebooks")
    assert lab.steps == [] and lab.environment_python().is_symlink()


def test_the_python_of_a_real_environment_is_installed_into(lab):
    # Without pip nothing can be installed; uv needs none.
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", lab.ENVIRONMENT], check=True)
    assert not lab.really_works(lab.environment_python())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shutil, "which", lambda name: "/bin/uv")
        assert lab.really_works(lab.environment_python())


def test_who_interrupts_the_removal_of_an_environment_leaves_no_half_of_it(lab, monkeypatch):
    lab.ensure_environment("notebooks")
    lab.write_stamp(lab.UNFINISHED)
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", raising(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            lab.ensure_environment("notebooks")
    assert not lab.BEFORE.exists() and lab.is_complete("notebooks")
    lab.write_stamp(lab.UNFINISHED)
    lab.ensure_environment("notebooks")
    assert lab.steps == ["make", "install .[notebooks]"] * 3
    assert not lab.DISCARDED.exists()


def test_an_environment_that_leads_to_another_folder_is_only_unlinked(lab, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    lab.ENVIRONMENT.symlink_to(tmp_path / "elsewhere")
    lab.write_stamp(lab.UNFINISHED)
    lab.ensure_environment("notebooks")
    assert not lab.ENVIRONMENT.is_symlink() and (tmp_path / "elsewhere").exists()


def test_an_environment_in_use_that_cannot_be_moved_is_named(lab, capsys, monkeypatch):
    lab.ensure_environment("notebooks")
    lab.write_stamp(lab.UNFINISHED)
    monkeypatch.setattr(Path, "rename", raising(PermissionError(errno.EACCES, "in use")))
    assert ".venv is in use: close JupyterLab" in the_one_sentence(lab, capsys)


def test_who_runs_lab_in_the_environment_makes_it_with_the_python_underneath(lab, monkeypatch):
    monkeypatch.setattr(sys, "executable", str(lab.environment_python()))
    lab.ensure_environment("notebooks")
    assert lab.commands[0][0] == sys._base_executable


@pytest.mark.parametrize("name", ["PREFIX", "TARGET", "ROOT", "USER", "PYTHON", "DRY_RUN"])
def test_pip_stays_in_the_environment_whatever_the_user_has_set(lab, monkeypatch, tmp_path, name):
    inside = "Scripts/python.exe" if os.name == "nt" else "bin/python"
    python, another = tmp_path / "environment" / inside, tmp_path / "another" / inside
    folders = [python.parents[1], another.parents[1]]
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", *folders], check=True)
    wheel = tmp_path / "arrived-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as file:
        file.writestr("arrived.py", "")
        file.writestr("arrived-1.0.dist-info/METADATA", "Name: arrived\nVersion: 1.0\n")
        file.writestr("arrived-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        file.writestr("arrived-1.0.dist-info/RECORD", "")
    elsewhere = {"USER": "1", "DRY_RUN": "1", "PYTHON": str(another)}
    monkeypatch.setenv("PYTHONUSERBASE", str(tmp_path / "elsewhere"))
    monkeypatch.setenv(f"PIP_{name}", elsewhere.get(name, str(tmp_path / "elsewhere")))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    # The environment borrows this Python's pip, as making one of its own would take long.
    pip = importlib.util.find_spec("pip").submodule_search_locations[0]
    install = f"import runpy, sys; sys.path.append({str(Path(pip).parent)!r}); "
    install += "runpy.run_module('pip', run_name='__main__')"
    lab.really_run_quietly([python, "-c", install, "install", "--no-index", wheel])
    subprocess.run([python, "-c", "import arrived"], check=True, cwd=tmp_path)


def test_nothing_is_ready_before_the_packages_have_arrived(lab, capsys, monkeypatch):
    monkeypatch.setattr(lab, "has_packages", lab.really_has_packages)
    assert "did not arrive in" in the_one_sentence(lab, capsys)
    assert not lab.is_complete("notebooks")


def test_packages_that_only_pythonpath_brings_have_not_arrived(lab, monkeypatch, tmp_path):
    for name in ("minigrad", "jupyterlab", "pytest"):
        (tmp_path / f"{name}.py").touch()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", lab.ENVIRONMENT], check=True)
    assert not lab.really_has_packages(lab.environment_python(), "notebooks")
    (site,) = lab.ENVIRONMENT.rglob("site-packages")
    for name in ("minigrad", "jupyterlab"):
        shutil.copy(tmp_path / f"{name}.py", site)
    assert lab.really_has_packages(lab.environment_python(), "notebooks")
    assert not lab.really_has_packages(lab.environment_python(), "test")


# --- Two at a time -------------------------------------------------------------------------------


def test_a_second_lab_waits_and_finds_what_the_first_has_made(lab, monkeypatch, capsys):
    def finish(_):
        assert "Another lab.py is installing" in capsys.readouterr().out
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(lab, "alone", contextlib.nullcontext)
            lab.ensure_environment("notebooks")
        first.close()

    first = contextlib.ExitStack()
    first.enter_context(lab.alone())
    monkeypatch.setattr(time, "sleep", finish)
    lab.ensure_environment("notebooks")
    assert lab.steps == ["make", "install .[notebooks]"]


def test_a_lock_dies_with_the_process_that_holds_it(lab, monkeypatch):
    hold = "import lab, time\nwith lab.alone(): print(flush=True); time.sleep(600)"
    with subprocess.Popen(
        [sys.executable, "-c", hold], cwd=lab.ROOT, stdout=subprocess.PIPE
    ) as other:
        other.stdout.readline()
        with lab.LOCK.open("a") as file:
            assert not lab.take(file)
        other.kill()
        other.wait()
    monkeypatch.setattr(time, "sleep", raising(AssertionError("waits")))
    lab.ensure_environment("notebooks")


ON_POSIX = pytest.mark.skipif(os.name == "nt", reason="processes have no groups there")
# An installer that does its work, as venv does, in a process of its own.
INSTALLER = (
    "import subprocess, sys; "
    "subprocess.run([sys.executable, '-c', 'import os, time\\n"
    "print(os.getppid(), os.getpid(), flush=True)\\ntime.sleep(600)'])"
)
INSTALLING = """
import lab, sys
lab.obey_signals()
lab.Progress.see = lambda self, line: print(line, flush=True)
with lab.alone():
    lab.run_quietly([sys.executable, "-c", sys.argv[1]])
"""


@pytest.fixture
def installing(lab):
    """A lab.py that installs, and the processes that do it."""
    command = [sys.executable, "-c", INSTALLING, INSTALLER]
    with subprocess.Popen(command, cwd=lab.ROOT, stdout=subprocess.PIPE, text=True) as other:
        installers = [psutil.Process(int(number)) for number in other.stdout.readline().split()]
        yield other, installers
        for process in [other, *installers]:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()


@ON_POSIX
def test_who_ends_lab_ends_the_installer_and_what_it_has_started(installing):
    other, installers = installing
    assert len(installers) == 2
    other.terminate()
    other.wait(timeout=60)
    assert not psutil.wait_procs(installers, timeout=60)[1]


@ON_POSIX
def test_the_lock_lives_as_long_as_an_installer_that_has_lost_its_lab(lab, installing):
    other, installers = installing
    other.kill()
    other.wait()
    with lab.LOCK.open("a") as file:
        assert not lab.take(file)
        for process in installers:
            process.kill()
        while not lab.take(file):
            time.sleep(0.01)


def test_a_complete_environment_is_used_without_a_lock(lab, monkeypatch):
    lab.ensure_environment("notebooks")
    monkeypatch.setattr(lab, "alone", raising(AssertionError("locks")))
    lab.ensure_environment("notebooks")


# --- What the installation says ------------------------------------------------------------------


def test_without_a_terminal_a_line_now_and_then_says_how_far_it_is(lab, monkeypatch, tmp_path):
    said = []

    def say(text):
        said.append(text)
        (tmp_path / "seen").touch()

    monkeypatch.setattr(lab, "say", say)
    monkeypatch.setattr(lab, "NEW_LINE_EVERY", 0.01)
    slow = (
        "import pathlib, sys, time\n"
        "print('Collecting patience', flush=True)\n"
        "while not pathlib.Path(sys.argv[1]).exists(): time.sleep(0.01)"
    )
    lab.really_run_quietly([sys.executable, "-c", slow, tmp_path / "seen"])
    assert re.fullmatch(r" *\d+ s(  Collecting patience)?", said[0])


def test_an_interrupted_step_takes_its_program_with_it(lab, monkeypatch):
    started = []

    class Interrupted(subprocess.Popen):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            started.append(self)
            self.stdout.close()
            self.stdout = map(raising(KeyboardInterrupt), [""])

        def __exit__(self, *_):
            self.stdout = None
            super().__exit__(*_)

    monkeypatch.setattr(subprocess, "Popen", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        lab.really_run_quietly([sys.executable, "-c", "import time; time.sleep(600)"])
    assert started[0].returncode is not None


# --- Failures ------------------------------------------------------------------------------------


def test_every_python_3_from_6_on_reaches_the_version_check():
    ast.parse(SOURCE, feature_version=(3, 6))
    first, check = [node for node in ast.parse(SOURCE).body if not isinstance(node, ast.Expr)][:2]
    assert ast.unparse(first) == "import sys"
    assert ast.unparse(check).startswith("if sys.version_info < (3, 11):\n    sys.exit(")


def test_an_old_python_gets_one_clear_sentence(monkeypatch):
    monkeypatch.setattr(sys, "version_info", (3, 8, 10))
    monkeypatch.setattr(sys, "version", "3.8.10 (default)")
    with pytest.raises(SystemExit) as stop:
        runpy.run_path(str(ROOT / "lab.py"), run_name="__main__")
    sentence = r"minigrad needs Python 3\.11 .* this is Python 3\.8\.10: .*\."
    assert re.fullmatch(sentence, stop.value.code)


def test_the_old_pythons_of_this_machine_get_it_too():
    # None, on most machines: then the two tests above have to do.
    for python in filter(None, (shutil.which(f"python3.{minor}") for minor in range(6, 11))):
        if subprocess.run([python, "--version"], capture_output=True).returncode == 0:
            done = subprocess.run([python, ROOT / "lab.py"], capture_output=True, text=True)
            assert done.returncode == 1
            assert re.fullmatch(r"minigrad needs Python 3\.11 .*\.\n", done.stderr)


def test_lab_needs_the_standard_library_alone():
    imported = {
        (node.module if isinstance(node, ast.ImportFrom) else node.names[0].name).split(".")[0]
        for node in ast.walk(ast.parse(SOURCE))
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    assert imported <= set(sys.stdlib_module_names)


def test_an_incomplete_checkout_names_what_is_missing(lab, capsys):
    (lab.ROOT / "constraints.txt").unlink()
    assert "has no constraints.txt" in the_one_sentence(lab, capsys)


def test_a_python_without_venv_names_the_package_that_brings_it(lab, capsys, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert "`sudo apt install python3-venv`" in the_one_sentence(lab, capsys)
    assert not lab.ENVIRONMENT.exists()


def test_without_a_network_nothing_is_changed(checkout):
    with socket.socket() as closed:  # bound but not listening: who connects is refused
        closed.bind(("127.0.0.1", 0))
        done = subprocess.run(
            [sys.executable, "lab.py"],
            cwd=checkout,
            capture_output=True,
            text=True,
            env={
                **{name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ},
                "PATH": "",  # without uv
                "PIP_CONFIG_FILE": os.devnull,
                "PIP_INDEX_URL": f"http://127.0.0.1:{closed.getsockname()[1]}/",
                "PIP_RETRIES": "0",
            },
        )
    assert done.returncode == 1
    assert done.stderr == (
        "The package index cannot be reached, and nothing was changed: "
        "check the network and run the same command again.\n"
    )
    assert not (checkout / ".venv").exists()


def test_without_a_network_an_older_environment_stays_as_it_was(lab, capsys, monkeypatch):
    lab.ensure_environment("notebooks")
    stamp = lab.STAMP.read_text(encoding="utf-8")
    (lab.ROOT / "constraints.txt").write_text("# changed\n")
    monkeypatch.setattr(lab, "install", raising(lab.why_it_failed("error: dns error")))
    assert "nothing was changed" in the_one_sentence(lab, capsys)
    assert lab.STAMP.read_text(encoding="utf-8") == stamp


@pytest.mark.parametrize(
    ("output", "sentence"),
    [
        ("ERROR: Could not install packages: [Errno 28] No space left on device", "disk is full"),
        ("ERROR: [Errno 13] Permission denied: '/usr/lib'", "cannot be written to"),
        ("error: Request failed\n  Caused by: tcp connect error", "index cannot be reached"),
        ("Collecting x\nERROR: No matching distribution for x\n", r"\(No matching .* for x\)"),
    ],
)
def test_what_the_installer_says_becomes_one_sentence(lab, capsys, monkeypatch, output, sentence):
    monkeypatch.setattr(lab, "install", lambda *_: raising(lab.why_it_failed(output))())
    assert re.search(sentence, the_one_sentence(lab, capsys))


@pytest.mark.parametrize(
    ("code", "sentence"), [(errno.ENOSPC, "disk is full"), (errno.EACCES, "cannot be written to")]
)
def test_a_full_disk_and_a_forbidden_folder_are_named(lab, capsys, monkeypatch, code, sentence):
    monkeypatch.setattr(lab, "make_environment", raising(OSError(code, os.strerror(code))))
    assert sentence in the_one_sentence(lab, capsys)


@pytest.mark.parametrize("spelling", ["--port {}", "--port={}", "--ServerApp.port={}"])
def test_a_port_that_is_taken_is_named_before_anything_is_installed(lab, capsys, spelling):
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        port = server.getsockname()[1]
        sentence = the_one_sentence(lab, capsys, *spelling.format(port).split())
    assert f"Port {port} is taken" in sentence
    assert lab.steps == []


def test_a_port_that_cannot_exist_is_named(lab, capsys):
    assert "no port 70000" in the_one_sentence(lab, capsys, "--port", "70000")


@pytest.mark.parametrize("words", [["--port"], ["--port", "--no-browser"], ["--ServerApp.port="]])
def test_an_option_without_its_value_is_said_to_lack_it(lab, capsys, words):
    option = words[0].rstrip("=")
    assert f"{option} needs a value: write {option}=" in the_one_sentence(lab, capsys, *words)
    assert lab.steps == []


def test_ctrl_c_ends_quietly(lab, capsys, monkeypatch):
    monkeypatch.setattr(lab, "install", raising(KeyboardInterrupt))
    assert lab.main([]) == 130
    assert capsys.readouterr().err.strip() == ""


# --- JupyterLab ----------------------------------------------------------------------------------


@pytest.fixture
def started(lab, monkeypatch):
    """What `lab.py` would start, for a user who is not root."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)

    def start(*arguments):
        commands = []
        with monkeypatch.context() as patch:
            patch.setattr(lab, "run", lambda command, **_: commands.append(command) or 0)
            assert lab.main([*arguments]) == 0
        return commands[0][commands[0].index("jupyterlab") + 1 :]

    return start


def test_it_opens_the_notebook_that_binder_opens(lab, started):
    readme = (ROOT / "README.md").read_text("utf-8")
    badge = re.search(r"urlpath=lab/tree/notebooks/([^)]+)\)", readme)
    (lab.NOTEBOOKS / badge[1]).touch()
    assert f"--LabApp.default_url=/lab/tree/{badge[1]}" in started()


@pytest.mark.parametrize("name", ["random", "types", "json"])
def test_a_file_named_like_a_module_of_python_stops_nothing(lab, monkeypatch, name):
    for folder in (lab.ROOT, lab.NOTEBOOKS):
        (folder / f"{name}.py").write_text("raise SystemExit('taken for the module')")
    commands = []
    monkeypatch.setattr(lab, "run", lambda command, **_: commands.append(command) or 0)
    lab.main([])
    commands += lab.commands
    assert len(commands) == 3
    for command in commands:
        at = command.index("-m") + 1
        start = [sys.executable, *command[1 : at + 1], "--help"]
        subprocess.run(start, cwd=lab.NOTEBOOKS, check=True, capture_output=True)
    monkeypatch.chdir(lab.NOTEBOOKS)
    assert lab.succeeds(sys.executable, f"import {name}, jupyterlab")


def test_kernels_are_encrypted_where_that_is_possible_since_else_each_one_warns(
    lab, started, monkeypatch
):
    for possible in (True, False):
        monkeypatch.setattr(lab, "succeeds", lambda *_, possible=possible: possible)
        assert ("--KernelManager.transport_encryption=auto" in started()) is possible


def test_a_newcomer_is_not_asked_about_news_and_only_the_environment_knows(lab, started):
    started()
    (file,) = (lab.ENVIRONMENT / "share/jupyter/lab/settings/overrides.d").iterdir()
    binder = json.loads((ROOT / "binder/overrides.json").read_text("utf-8"))
    settings = json.loads(file.read_text("utf-8"))
    assert settings.items() <= binder.items() and "fetchNews" in file.read_text("utf-8")


def test_only_notebooks_that_are_as_they_came_are_trusted(lab, started, monkeypatch):
    kept, changed = lab.NOTEBOOKS / "kept.ipynb", lab.NOTEBOOKS / "changed.ipynb"
    for file in (kept, changed):
        file.write_bytes(b"{}\n")
    digests = {file.name: lab.digest_of(file.name) for file in (kept, changed)}
    lab.SHIPPED.write_text(json.dumps({**digests, "missing.ipynb": "0"}), encoding="utf-8")
    kept.write_bytes(b"{}\r\n")
    changed.write_text("{'by': 'a stranger'}", encoding="utf-8")
    (lab.NOTEBOOKS / "foreign.ipynb").write_bytes(b"{}\n")
    signed = []

    def sign(command, **options):
        signed.append(command[command.index("nbformat.sign") + 1 :])
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(lab, "succeeds", lambda *_, **__: False)
    monkeypatch.setattr(lab.subprocess, "run", sign)
    started()
    started()  # and only once
    assert signed == [["kept.ipynb"]]


def test_the_notebooks_are_known_as_they_are(lab):
    shipped = json.loads((ROOT / "notebooks/shipped.json").read_text("utf-8"))
    for file in (ROOT / "notebooks").glob("*.ipynb"):
        shutil.copy(file, lab.NOTEBOOKS)
        assert shipped[file.name] == lab.digest_of(file.name), "run notebooks/build.py"


def test_a_mistyped_site_starts_nothing(lab, capsys):
    assert "did you mean `site`" in the_one_sentence(lab, capsys, "sites")


@pytest.mark.parametrize("word", ["tests", "tset", "Test", "text"])
def test_a_mistyped_test_starts_nothing(lab, capsys, monkeypatch, word):
    (lab.ROOT / "tests").mkdir()
    monkeypatch.chdir(lab.ROOT)
    assert "did you mean `test`" in the_one_sentence(lab, capsys, word)
    assert "did you mean `test`" in the_one_sentence(lab, capsys, "--no-browser", word)
    assert lab.steps == []


@pytest.mark.parametrize("word", ["./tests", "./best", "mytest/", "test.ipynb", "best/test.ipynb"])
def test_a_path_is_a_place_whatever_it_resembles(lab, started, monkeypatch, word):
    for folder in ("tests", "best", "mytest"):
        (lab.ROOT / folder).mkdir()
    for notebook in ("test.ipynb", "best/test.ipynb"):
        (lab.ROOT / notebook).touch()
    monkeypatch.chdir(lab.ROOT)
    assert started(word)[-1] == str(lab.ROOT / word)


def test_a_path_that_is_nothing_is_named(lab, capsys):
    assert "no command, notebook or folder ./tset:" in the_one_sentence(lab, capsys, "./tset")


def test_a_word_that_is_nothing_is_named(lab, capsys):
    (lab.NOTEBOOKS / "03_control_flow.ipynb").touch()
    assert "no command, notebook or folder start:" in the_one_sentence(lab, capsys, "start")
    assert "did you mean 03_control_flow.ipynb" in the_one_sentence(lab, capsys, "03")
    assert lab.steps == []


def test_a_notebook_is_opened_as_seen_from_here_or_from_its_folder(lab, started, monkeypatch):
    notebook = lab.NOTEBOOKS / "03_control_flow.ipynb"
    notebook.touch()
    monkeypatch.chdir(lab.ROOT)
    for word in ("notebooks/03_control_flow.ipynb", "03_control_flow.ipynb"):
        arguments = started("--port", "9999", word)
        assert arguments[-3:] == ["--port", "9999", str(notebook)]
        assert not any("default_url" in argument for argument in arguments)


def test_the_folder_is_ours_whatever_the_user_has_configured(lab, started, monkeypatch):
    (lab.NOTEBOOKS / "00_start_here.ipynb").touch()
    (lab.ROOT / "mine").mkdir()
    (lab.ROOT / "mine" / "a.ipynb").touch()
    monkeypatch.chdir(lab.ROOT)
    places = [
        ((), "notebooks"),
        (("00_start_here.ipynb",), "notebooks"),
        (("mine",), "mine"),
        (("mine/a.ipynb",), "mine"),
    ]
    for words, folder in places:
        assert f"--ServerApp.root_dir={lab.ROOT / folder}" in started(*words)


@pytest.mark.parametrize("option", ["--ServerApp.root_dir", "--notebook-dir"])
def test_who_chooses_a_folder_gets_it_without_our_first_lesson(lab, started, option):
    (lab.NOTEBOOKS / "00_start_here.ipynb").touch()
    for words in ([option, "there"], [f"{option}=there"]):
        assert not [word for word in started(*words)[:-2] if "root_dir" in word]
        assert not any("default_url" in word for word in started(*words))


def test_who_is_root_is_told_what_that_means(started, capsys, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert {"--allow-root", "--ip=localhost"} <= set(started())
    assert "You are root: JupyterLab gets --allow-root" in capsys.readouterr().out


def test_root_who_opens_the_server_to_others_decides_alone(lab, started, capsys, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    for words in (["--ip", "0.0.0.0"], ["--ip=*"], ["--ServerApp.ip=10.0.0.1"]):
        assert "if that is meant, add --allow-root" in the_one_sentence(lab, capsys, *words)
        assert lab.steps == []
        assert started(*words, "--allow-root").count("--allow-root") == 1
        lab.steps.clear()
        shutil.rmtree(lab.ENVIRONMENT)
    assert started("--ip=127.0.0.1")[-2:] == ["--allow-root", "--ip=127.0.0.1"]


@pytest.fixture
def running_lab(checkout):
    """The real lab.py, with a Python in its environment that is this one; and its server's port."""
    lab = {"__name__": "lab", "__file__": str(checkout / "lab.py")}
    exec(compile(SOURCE, "lab.py", "exec"), lab)
    python = lab["environment_python"]()
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    lab["write_stamp"](lab["complete_stamp"]("notebooks"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen(
        [sys.executable, "lab.py", "--no-browser", "--port", str(port), "--ServerApp.token=it"],
        cwd=checkout,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            wait_until_it_answers(f"http://127.0.0.1:{port}/api", process)
            yield process, port
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.skipif(os.name == "nt", reason="sends signals to a process group")
def test_jupyterlab_starts_and_ctrl_c_stops_it_quietly(running_lab):
    process, _ = running_lab
    # In a terminal JupyterLab would ask whether this is meant.
    os.killpg(process.pid, signal.SIGINT)
    output, _ = process.communicate(timeout=30)
    assert process.returncode == 0, output
    assert "Traceback" not in output


def command_of(process):
    """The command of a process; "" if it has ended meanwhile."""
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


@pytest.mark.skipif(os.name == "nt", reason="there, a process that is ended is not asked")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=["SIGTERM", "SIGHUP"])
def test_who_ends_lab_ends_jupyterlab_and_its_kernels(running_lab, number):
    process, port = running_lab
    ask = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/kernels", method="POST", headers={"Authorization": "token it"}
    )
    with urllib.request.urlopen(ask) as answer:
        kernel = json.load(answer)["id"]
    mine = psutil.Process(process.pid).children(recursive=True)
    assert any(kernel in command_of(child) for child in mine) and len(mine) >= 2
    process.send_signal(number)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 128 + number, output
    _, left = psutil.wait_procs(mine, timeout=60)
    assert not left
    assert "without encryption" not in output


def wait_until_it_answers(url, process):
    for _ in range(600):
        assert process.poll() is None, process.stdout.read()
        try:
            urllib.request.urlopen(url).close()
            return
        except urllib.error.URLError:
            time.sleep(0.1)
    raise AssertionError("JupyterLab did not answer within a minute")


# --- Which tests run -----------------------------------------------------------------------------


@pytest.fixture
def pytest_calls(lab, monkeypatch):
    """What `lab.py test` would give to pytest, call by call: its arguments and its environment."""

    def call(*arguments, codes=(0, 0)):
        calls, codes = [], iter(codes)

        def run(command, cwd, env):
            calls.append((command[3:], env))
            return next(codes)

        with monkeypatch.context() as patch:
            patch.setattr(lab, "run", run)
            call.code = lab.main(["test", *arguments])
        return calls

    monkeypatch.setattr(lab, "cores", lambda: 2)
    return call


def test_the_plain_command_runs_what_needs_only_python_and_says_what_it_left_out(
    pytest_calls, lab, capsys, monkeypatch
):
    hide(monkeypatch, "uv", "node")
    monkeypatch.setattr(lab, "ON_MACOS", False)
    ((arguments, _),) = pytest_calls()
    assert "-m=not node and not browser and not index" in arguments
    assert {"tests", "notebooks", "--nbval"} <= set(arguments)
    said = capsys.readouterr().out
    assert "the front-end tests need node with npm: on Debian and Ubuntu `sudo apt install" in said
    assert "the browser tests need Chromium" in said


@pytest.fixture
def tools(lab, monkeypatch):
    monkeypatch.setattr(lab, "find_npm", lambda: "npm")
    monkeypatch.setattr(lab, "find_chromium", lambda: "/opt/chromium")


def test_all_leaves_nothing_out(pytest_calls, tools, capsys):
    (first, environment), (second, _) = pytest_calls("--all")
    assert {"-m=not browser", "tests", "notebooks", "--nbval"} <= set(first)
    assert {"-m=browser", "tests", "notebooks", "--nbval"} <= set(second)
    assert environment["MINIGRAD_TEST_ALL"] == "1"
    assert environment["MINIGRAD_CHROMIUM"] == "/opt/chromium"
    assert "Left out" not in capsys.readouterr().out


@pytest.mark.parametrize(("codes", "code"), [((0, 0), 0), ((1, 0), 1), ((0, 1), 1)])
def test_all_fails_when_either_half_does(pytest_calls, tools, codes, code):
    assert len(pytest_calls("--all", codes=codes)) == 2
    assert pytest_calls.code == code


def test_the_tests_share_the_cores_and_those_in_a_browser_are_two_at_a_time(
    pytest_calls, tools, lab, monkeypatch
):
    (quick, environment), *_ = pytest_calls()
    assert quick[quick.index("-n") + 1] == "2" and "--dist=loadfile" in quick
    assert environment["OPENBLAS_NUM_THREADS"]
    monkeypatch.setattr(lab, "cores", lambda: 4)
    (first, _), (in_a_browser, _) = pytest_calls("--all")
    assert [part[part.index("-n") + 1] for part in (first, in_a_browser)] == ["4", "2"]
    monkeypatch.setattr(lab, "cores", lambda: 1)
    assert "-n" not in pytest_calls()[0][0]


def test_it_says_first_how_long_it_takes(pytest_calls, tools, lab, capsys, monkeypatch):
    for cores, words, minutes in ((1, (), 29), (2, (), 16), (2, ("--all",), 58)):
        monkeypatch.setattr(lab, "cores", lambda cores=cores: cores)
        pytest_calls(*words)
        assert f"take about {minutes} minutes on" in capsys.readouterr().out


def test_an_interrupted_half_is_the_end(pytest_calls, tools):
    assert len(pytest_calls("--all", codes=(2,))) == 1
    assert pytest_calls.code == 2


def test_coverage_measures_every_half_and_then_reports_once(pytest_calls, tools):
    calls = [call for call, _ in pytest_calls("--all", "--coverage", codes=(0,) * 5)]
    assert [call[:1] for call in calls] == [["erase"], ["run"], ["run"], ["combine"], ["report"]]
    assert calls[1][1:3] == ["-m", "pytest"] and "-m=browser" in calls[2]


@pytest.mark.parametrize(("tests", "floor", "code"), [(0, 0, 0), (1, 0, 1), (0, 2, 2), (1, 2, 1)])
def test_coverage_below_the_floor_fails_as_a_test_does(pytest_calls, tests, floor, code):
    pytest_calls("--coverage", codes=(0, tests, 0, floor))
    assert pytest_calls.code == code


@pytest.mark.parametrize(
    ("finder", "name"), [("find_npm", "node with npm"), ("find_chromium", "Chromium")]
)
def test_all_fails_at_once_where_a_tool_is_missing(lab, capsys, monkeypatch, finder, name):
    monkeypatch.setattr(lab, "find_npm", lambda: "npm")
    monkeypatch.setattr(lab, "find_chromium", lambda: "chromium")
    monkeypatch.setattr(lab, finder, lambda: None)
    assert f"needs {name}, which cannot be found" in the_one_sentence(lab, capsys, "test", "--all")
    assert lab.steps == []


@pytest.mark.parametrize("words", [(), ("--all",)])
def test_arguments_after_two_dashes_are_pytests_and_collect_once(pytest_calls, tools, words):
    ((arguments, _),) = pytest_calls(*words, "--", "-k", "scalar")
    assert arguments[-2:] == ["-k", "scalar"]
    assert "-n" not in arguments


def test_a_file_after_two_dashes_is_tested_alone(pytest_calls):
    ((arguments, _),) = pytest_calls("--", "lab.py::test_it")
    assert arguments[-1] == "lab.py::test_it"
    assert not {"tests", "notebooks"} & set(arguments)


def test_an_unknown_argument_is_named(lab, capsys):
    assert "does not know -k scalar:" in the_one_sentence(lab, capsys, "test", "-k", "scalar")


def test_each_system_is_told_its_own_way_to_get_a_tool(lab, monkeypatch):
    hints = set()
    for windows, macos in ((False, False), (False, True), (True, False)):
        monkeypatch.setattr(lab, "ON_WINDOWS", windows)
        monkeypatch.setattr(lab, "ON_MACOS", macos)
        hints |= {tool.hint() for tool in lab.TOOLS}
    assert {hint.split("`")[1].split()[0] for hint in hints} == {"sudo", "brew", "winget"}
    assert len(hints) == 6


def test_chromium_is_the_one_that_the_environment_names(lab, monkeypatch):
    monkeypatch.setenv("MINIGRAD_CHROMIUM", sys.executable)
    assert lab.find_chromium() == sys.executable


def test_a_chromium_that_is_not_there_is_named(lab, monkeypatch, capsys):
    monkeypatch.setenv("MINIGRAD_CHROMIUM", "/no/such/program")
    monkeypatch.setattr(lab, "find_npm", lambda: "npm")
    assert "names /no/such/program" in the_one_sentence(lab, capsys, "test", "--all")
