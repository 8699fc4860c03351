"""The two commands, `python lab.py` and `python lab.py test`.

That they work is shown by every run of `lab.py test`. What is tested here is when they install
and when they do not, and that each failure is one sentence that says what to do.
"""

from __future__ import annotations

import ast
import errno
import importlib.util
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
from pathlib import Path

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
        lab.steps.append("make" if "venv" in command else "install " + command[-3])
        lab.commands.append(command)
        if "venv" in command:
            lab.environment_python().parent.mkdir(exist_ok=True)
            lab.environment_python().touch()

    lab.steps, lab.commands = [], []
    monkeypatch.setattr(lab, "run_quietly", run_quietly)
    monkeypatch.setattr(lab, "works", lambda python: python.exists())
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


def test_ctrl_c_ends_quietly(lab, capsys, monkeypatch):
    monkeypatch.setattr(lab, "install", raising(KeyboardInterrupt))
    assert lab.main([]) == 130
    assert capsys.readouterr().err.strip() == ""


# --- JupyterLab ----------------------------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="sends signals to a process group")
def test_jupyterlab_starts_and_ctrl_c_stops_it_quietly():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = (
        "import sys, lab\n"
        "lab.ensure_environment = lambda extra: sys.executable\n"
        f"sys.exit(lab.main(['--no-browser', '--port', '{port}']))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            wait_until_it_answers(f"http://127.0.0.1:{port}/api", process)
            # In a terminal JupyterLab would ask whether this is meant.
            os.killpg(process.pid, signal.SIGINT)
            output, _ = process.communicate(timeout=30)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 0, output
    assert "Traceback" not in output


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
def pytest_call(lab, monkeypatch):
    """What `lab.py test` would give to pytest: its arguments and its environment."""

    def call(*arguments):
        calls = []

        def run(command, cwd, env):
            calls.append((command[3:], env))
            return subprocess.CompletedProcess(command, 0)

        with monkeypatch.context() as patch:
            patch.setattr(subprocess, "run", run)
            assert lab.main(["test", *arguments]) == 0
        return calls[0]

    return call


def test_the_plain_command_runs_what_needs_only_python_and_says_what_it_left_out(
    pytest_call, lab, capsys, monkeypatch
):
    hide(monkeypatch, "uv", "node")
    monkeypatch.setattr(lab, "ON_MACOS", False)
    arguments, _ = pytest_call()
    assert arguments[arguments.index("-m") + 1] == "not node and not browser and not index"
    assert {"tests", "notebooks", "--nbval"} <= set(arguments)
    said = capsys.readouterr().out
    assert "the front-end tests need node with npm: on Debian and Ubuntu `sudo apt install" in said
    assert "the browser tests need Chromium" in said


def test_all_leaves_nothing_out(pytest_call, lab, monkeypatch, capsys):
    monkeypatch.setattr(lab, "find_npm", lambda: "npm")
    monkeypatch.setattr(lab, "find_chromium", lambda: "/opt/chromium")
    arguments, environment = pytest_call("--all")
    assert "-m" not in arguments
    assert environment["MINIGRAD_TEST_ALL"] == "1"
    assert environment["MINIGRAD_CHROMIUM"] == "/opt/chromium"
    assert "Left out" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("finder", "name"), [("find_npm", "node with npm"), ("find_chromium", "Chromium")]
)
def test_all_fails_at_once_where_a_tool_is_missing(lab, capsys, monkeypatch, finder, name):
    monkeypatch.setattr(lab, "find_npm", lambda: "npm")
    monkeypatch.setattr(lab, "find_chromium", lambda: "chromium")
    monkeypatch.setattr(lab, finder, lambda: None)
    assert f"needs {name}, which cannot be found" in the_one_sentence(lab, capsys, "test", "--all")
    assert lab.steps == []


def test_arguments_after_two_dashes_are_pytests(pytest_call):
    assert pytest_call("--", "-k", "scalar")[0][-2:] == ["-k", "scalar"]


def test_a_file_after_two_dashes_is_tested_alone(pytest_call):
    arguments, _ = pytest_call("--", "lab.py::test_it")
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
