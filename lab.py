"""One file that needs nothing but Python: it opens the notebooks and runs the tests.

    python lab.py                     open the notebooks in JupyterLab
    python lab.py --port 9999         any other arguments are JupyterLab's
    python lab.py test                run every test that needs only Python packages
    python lab.py test --all          run all tests; these need node and Chromium as well
    python lab.py test -- -k scalar   what follows -- is pytest's

The first call makes the environment `.venv` beside this file and installs the packages into it;
later calls start at once. When pyproject.toml or constraints.txt have changed, the environment is
brought up to date; one that was left half made is made again. If uv is on the PATH it does the
installing, otherwise pip does.
"""

import sys

# This line must be reached by every Python 3, so the file keeps to syntax that Python 3.6 parses.
if sys.version_info < (3, 11):
    sys.exit(
        f"minigrad needs Python 3.11 or newer and this is Python {sys.version.split()[0]}: "
        "run lab.py with a newer one, for example `python3.12 lab.py`."
    )

import errno
import hashlib
import importlib.util
import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent
NOTEBOOKS = ROOT / "notebooks"
FIRST_NOTEBOOK = "01_a_graph_appears.ipynb"
ENVIRONMENT = ROOT / ".venv"
STAMP = ENVIRONMENT / "lab-stamp"  # what the environment holds; written when it is complete
UNFINISHED = ""
LOG = ENVIRONMENT / "lab-install.log"

ON_WINDOWS = os.name == "nt"
ON_MACOS = sys.platform == "darwin"


class Stop(Exception):
    """The command cannot go on, and its message says in one sentence why and what to do."""


class NoIndex(Stop):
    """The package index cannot be reached; nothing has been installed."""


# --- The environment -----------------------------------------------------------------------------


def ensure_environment(extra):
    """Return the Python of a `.venv` that has the extra; make, update or repair it if need be."""
    before = STAMP.read_text(encoding="utf-8") if STAMP.exists() else None
    # The test extra holds the notebooks' packages: who has run the tests keeps them.
    if before and before.endswith("\ntest"):
        extra = "test"
    place = f"Python {sys.version_info.major}.{sys.version_info.minor} in {ROOT}\n"
    after = f"{place}{requirements_hash()}\n{extra}"
    python = environment_python()
    if before == after and python.exists():
        return python

    started = time.monotonic()
    # Without a stamp the environment was made by somebody else: it is used as long as it works.
    # One that was never finished, or is for another Python or folder, is not worth a repair.
    make = not works(python) or (before is not None and not before.startswith(place))
    try:
        if make:
            make_environment()
        elif before is not None:
            write_stamp(UNFINISHED)  # who is interrupted from here on starts over
        install(python, extra)
    except NoIndex:
        if make:
            shutil.rmtree(ENVIRONMENT)
        elif before is not None:
            write_stamp(before)
        raise
    write_stamp(after)
    say(f"The environment is ready after {time.monotonic() - started:.0f} s.")
    return python


def write_stamp(text):
    STAMP.write_text(text, encoding="utf-8")


def requirements_hash():
    """What decides which packages belong into the environment."""
    files = (ROOT / "pyproject.toml", ROOT / "constraints.txt")
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def environment_python():
    return ENVIRONMENT / ("Scripts/python.exe" if ON_WINDOWS else "bin/python")


def works(python):
    """Whether the environment has a Python that starts and something to install with."""
    if not python.exists():
        return False
    probe = "pass" if shutil.which("uv") else "import pip"
    return subprocess.run([python, "-c", probe], stderr=subprocess.DEVNULL).returncode == 0


def make_environment():
    say(f"Making .venv with Python {sys.version.split()[0]} ...")
    uv = shutil.which("uv")
    if uv is None and not (
        importlib.util.find_spec("venv") and importlib.util.find_spec("ensurepip")
    ):
        raise Stop(
            "This Python cannot make environments: its venv module is missing or incomplete; "
            "on Debian and Ubuntu `sudo apt install python3-venv` brings it."
        )
    if ENVIRONMENT.exists():
        shutil.rmtree(ENVIRONMENT)
    ENVIRONMENT.mkdir()
    write_stamp(UNFINISHED)
    if uv:
        # --seed puts pip in, so that %pip works in the notebooks.
        options = ["--seed", "--allow-existing", "--no-project", "--python", sys.executable]
        run_quietly([uv, "venv", *options, ENVIRONMENT])
    else:
        run_quietly([sys.executable, "-m", "venv", ENVIRONMENT])


def install(python, extra):
    whose = {"notebooks": "notebooks", "test": "tests"}[extra]
    say(f"Installing what the {whose} need into .venv; this takes a minute or so ...")
    uv = shutil.which("uv")
    if uv:
        command = [uv, "pip", "install", "--python", python]
    else:
        command = [python, "-m", "pip", "install", "--disable-pip-version-check"]
    run_quietly([*command, "-e", f".[{extra}]", "-c", "constraints.txt"])


def run_quietly(command):
    """Run a step of the installation; its output goes to the log, its failure into a sentence."""
    output = []
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env={"PIP_RETRIES": "2", **os.environ},  # with five, no network takes pip a minute
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        for line in process.stdout:
            output.append(line)
            show_progress(line)
    show_progress("")
    if process.returncode:
        raise why_it_failed("".join(output))


def why_it_failed(output):
    """The failure of pip, uv or venv as one sentence."""
    if re.search(r"No space left on device|\[Errno 28\]|os error 28|not enough space", output):
        return Stop(DISK_FULL)
    if re.search(
        # An index that answers knows some version of everything that is asked for.
        r"from versions: none|Failed to establish a new connection|NameResolutionError"
        r"|Name or service not known|getaddrinfo failed|ConnectTimeout|ReadTimeout|ProxyError"
        r"|SSLError|ConnectionReset|Connection refused|Connection broken|IncompleteRead"
        r"|Network is unreachable|dns error|tcp connect error|error sending request",
        output,
        re.IGNORECASE,
    ):
        return NoIndex(
            "The package index cannot be reached, and nothing was changed: "
            "check the network and run the same command again."
        )
    if re.search(r"Permission denied|Read-only file system|\[Errno 13\]", output):
        return Stop(NOT_WRITABLE)
    LOG.write_text(output, encoding="utf-8")
    errors = re.findall(r"^ *(?:ERROR|error|Error): (?!subprocess)(.+)", output, re.MULTILINE)
    last = errors[-1] if errors else output.strip().split("\n")[-1]
    return Stop(f"Installing failed ({last.strip().rstrip('.')}); {LOG} has the whole story.")


DISK_FULL = "The disk is full: make room (about 600 MB) and run the same command again."
NOT_WRITABLE = f"{ROOT} cannot be written to: copy it to a folder of your own."


# --- python lab.py -------------------------------------------------------------------------------


def open_lab(arguments):
    port = chosen_port(arguments)
    if port is not None and port_is_taken(port):
        raise Stop(
            f"Port {port} is taken by another program: "
            "choose another one, or leave out --port and JupyterLab finds one."
        )
    python = ensure_environment("notebooks")
    command = [python, "-m", "jupyterlab"]
    if (NOTEBOOKS / FIRST_NOTEBOOK).exists():
        command.append(f"--LabApp.default_url=/lab/tree/{FIRST_NOTEBOOK}")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        # In a container everybody is root; the server listens on this machine only.
        command.append("--allow-root")
    say("Starting JupyterLab; Ctrl-C stops it.")
    process = subprocess.Popen(command + arguments, cwd=NOTEBOOKS)
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            pass  # JupyterLab had it too: it asks whether to stop, and a second one stops it


def chosen_port(arguments):
    found = re.search(r"--(?:ServerApp\.)?port[ =](\d+)", " ".join(arguments))
    return int(found.group(1)) if found else None


def port_is_taken(port):
    with socket.socket() as probe:
        if not ON_WINDOWS:  # a port whose last connections are still fading is free
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            return error.errno == errno.EADDRINUSE
        except OverflowError:
            raise Stop(f"There is no port {port}: the highest is 65535.") from None
    return False


# --- python lab.py test --------------------------------------------------------------------------


def run_tests(arguments):
    at = arguments.index("--") if "--" in arguments else len(arguments)
    own, for_pytest = arguments[:at], arguments[at + 1 :]
    everything = "--all" in own
    unknown = [argument for argument in own if argument != "--all"]
    if unknown:
        raise Stop(
            f"`lab.py test` does not know {' '.join(unknown)}: "
            "it knows --all, and what follows after -- is pytest's."
        )
    environment = dict(os.environ)
    if everything:
        for tool in TOOLS:
            if tool.find() is None:
                raise Stop(
                    f"`lab.py test --all` needs {tool.name}, which cannot be found: {tool.hint()}."
                )
        environment["MINIGRAD_CHROMIUM"] = find_chromium()
        environment["MINIGRAD_TEST_ALL"] = "1"  # a missing tool then fails a test, never skips it

    python = ensure_environment("test")
    command = [python, "-m", "pytest"]
    command += ["--nbval", "--nbval-current-env", "--nbval-cell-timeout=60"]
    if not everything:
        command += ["-m", "not node and not browser and not index"]
    if not any(Path(ROOT, argument.split("::")[0]).exists() for argument in for_pytest):
        command += ["tests", "notebooks"]
    code = subprocess.run(command + for_pytest, cwd=ROOT, env=environment).returncode
    if not everything:
        say("\nLeft out, because they need more than Python packages:")
        for tool in TOOLS:
            found = tool.find()
            state = f"found, {found}" if found else tool.hint()
            say(f"  {tool.tests} need {tool.name}: {state}")
        say("`python lab.py test --all` runs these too.")
    return code


def find_npm():
    return shutil.which("node") and shutil.which("npm")


def find_chromium():
    """Chromium or Chrome: what MINIGRAD_CHROMIUM names, else the first in the usual places."""
    named = os.environ.get("MINIGRAD_CHROMIUM")
    if named and not shutil.which(named):
        raise Stop(f"MINIGRAD_CHROMIUM names {named}, which is not a program.")
    if named:
        return shutil.which(named)
    places = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]
    if ON_MACOS:
        for program in ("Chromium", "Google Chrome"):
            places.append(f"/Applications/{program}.app/Contents/MacOS/{program}")
    if ON_WINDOWS:
        for variable in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"):
            for program in ("Google/Chrome", "Chromium"):
                folder = Path(os.environ.get(variable, ""), program, "Application")
                places.append(str(folder / "chrome.exe"))
    return next(filter(None, map(shutil.which, places)), None)


@dataclass
class Tool:
    """A program that some tests need and pip cannot install."""

    name: str
    tests: str
    find: Callable
    debian: str
    macos: str
    windows: str

    def hint(self):
        """How to get it here."""
        if ON_WINDOWS:
            return f"`{self.windows}` brings it"
        if ON_MACOS:
            return f"`{self.macos}` brings it"
        return f"on Debian and Ubuntu `{self.debian}` brings it"


TOOLS = [
    Tool(
        "node with npm", "the front-end tests", lambda: find_npm(),
        debian="sudo apt install nodejs npm",
        macos="brew install node",
        windows="winget install OpenJS.NodeJS",
    ),
    Tool(
        "Chromium", "the browser tests", lambda: find_chromium(),
        debian="sudo apt install chromium",
        macos="brew install --cask chromium",
        windows="winget install Google.Chrome",
    ),
]


# --- Both ----------------------------------------------------------------------------------------


def main(arguments):
    """Run one of the two commands and return its exit code."""
    try:
        if arguments in (["-h"], ["--help"]):
            say(__doc__.strip())
            return 0
        check_the_checkout()
        if arguments[:1] == ["test"]:
            return run_tests(arguments[1:])
        return open_lab(arguments)
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    except Stop as stop:
        reason = str(stop)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            reason = DISK_FULL
        elif error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            reason = NOT_WRITABLE
        else:
            raise
    print(reason, file=sys.stderr)
    return 1


def check_the_checkout():
    for name in ("pyproject.toml", "constraints.txt", "minigrad/__init__.py", "notebooks"):
        if not (ROOT / name).exists():
            raise Stop(
                f"{ROOT} has no {name}, so it is not a complete copy of the project: "
                "get the whole folder and run lab.py inside it."
            )


def say(text):
    print(text, flush=True)


def show_progress(line):
    """Show what the installer is busy with, on one line that is written over and over."""
    steps = r"\s*(Collecting|Processing|Downloading|Building|Installing|Resolved|Prepared|$)"
    if sys.stdout.isatty() and re.match(steps, line):
        width = shutil.get_terminal_size().columns - 1
        text = line.strip().encode("ascii", "replace").decode()
        print("\r" + text[:width].ljust(width), end="" if line else "\r", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
