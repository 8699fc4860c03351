"""One file that needs nothing but Python: it opens the notebooks and runs the tests.

    python lab.py                     open the notebooks in JupyterLab
    python lab.py mine.ipynb          open this notebook, or a folder
    python lab.py --port 9999         options are JupyterLab's
    python lab.py site                build the course as a static site, and show it
    python lab.py test                run the quick tests (about 16 minutes on two cores)
    python lab.py test --all          run all tests (about an hour), with node and Chromium
    python lab.py test --coverage     say which lines no test runs; there is a floor
    python lab.py test -- -k scalar   what follows -- is pytest's

The first call makes the environment `.venv` beside this file and installs the packages into it,
and never into another Python; later calls start at once. When pyproject.toml or constraints.txt
have changed, the environment is brought up to date; one that was left half made is made again, and
the old one goes when the new one is complete. A `.venv` of your own only gets what it lacks. If uv
is on the PATH it does the installing, otherwise pip does.
"""

import sys

# This line must be reached by every Python 3, so the file keeps to syntax that Python 3.6 parses.
if sys.version_info < (3, 11):
    sys.exit(
        f"minigrad needs Python 3.11 or newer and this is Python {sys.version.split()[0]}: "
        "run lab.py with a newer one, for example `python3.12 lab.py`."
    )

import contextlib
import difflib
import errno
import hashlib
import importlib.util
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

if os.name == "nt":
    import msvcrt
else:
    with contextlib.suppress(ImportError):  # in a browser nothing is installed, or locked
        import fcntl

ROOT = Path(__file__).resolve().parent
NOTEBOOKS = ROOT / "notebooks"
FIRST_NOTEBOOK = "00_start_here.ipynb"
ENVIRONMENT = ROOT / ".venv"
BEFORE = ROOT / ".venv-before"  # the old environment, until the new one is complete
DISCARDED = ROOT / ".venv-discarded"  # an environment on its way out
LOCK = ROOT / ".venv.lock"  # held by the lab.py that installs
SHIPPED = NOTEBOOKS / "shipped.json"  # the notebooks as they came; notebooks/build.py writes it
TRUSTED = ENVIRONMENT / "lab-trusted"  # which of them have been signed
STAMP = ENVIRONMENT / "lab-stamp"  # what the environment holds; written when it is complete
UNFINISHED = ""
OWN = "not made by lab.py"
LOG = ROOT / ".venv.log"  # the last installation that failed

# A file random.py in the current folder would else be taken for Python's own.
SAFELY = ["-P"]

ON_WINDOWS = os.name == "nt"
ON_MACOS = sys.platform == "darwin"


class Stop(Exception):
    """The command cannot go on, and its message says in one sentence why and what to do."""


class NoIndex(Stop):
    """The package index cannot be reached; nothing has been installed."""


# --- The environment -----------------------------------------------------------------------------


def ensure_environment(extra):
    """Return the Python of a `.venv` that has the extra; make, update or repair it if need be."""
    if not is_complete(extra):
        with alone():
            if not is_complete(extra):  # nobody made it while we waited
                complete_environment(extra)
    return environment_python()


def is_complete(extra):
    return environment_python().exists() and read_stamp() == complete_stamp(extra)


def complete_environment(extra):
    started = time.monotonic()
    tidy_up()
    if is_own():
        add_to_own_environment(extra)
    elif is_of_use():
        update_environment(extra)
    else:
        replace_environment(extra)
    say(f"The environment is ready after {time.monotonic() - started:.0f} s.")


def is_own():
    """Whether the user made the environment: then nothing in it is replaced or taken away."""
    stamp = read_stamp()
    return stamp.startswith(OWN) if stamp is not None else os.path.lexists(ENVIRONMENT)


def is_of_use():
    """Whether the environment is worth an update: a half made or a moved one is not."""
    return works(environment_python()) and (read_stamp() or UNFINISHED).startswith(place())


def add_to_own_environment(extra):
    if not works(environment_python()):
        raise Stop(
            f"{ENVIRONMENT} was not made by lab.py and has no Python or no pip that works: "
            "rename or delete it, and run the same command again."
        )
    say("You made .venv yourself: it gets what it lacks, and what it has stays as it is.")
    fill(with_kept(extra), [])


def update_environment(extra):
    before, extra = read_stamp(), with_kept(extra)
    write_stamp(UNFINISHED)  # who is interrupted from here on starts over
    try:
        fill(extra, CONSTRAINTS)
    except NoIndex:
        write_stamp(before)
        raise


def replace_environment(extra):
    """Make the environment; the old one comes back if anything prevents that."""
    extra = with_kept(extra)
    set_aside()
    try:
        make_environment()
        fill(extra, CONSTRAINTS)
    except BaseException:
        bring_back()
        raise
    lost = sorted(packages(BEFORE) - packages(ENVIRONMENT))
    if lost:
        say(f"The old environment also had {', '.join(lost)}: install again what you need.")
    discard(BEFORE)


def fill(extra, options):
    """Install into the environment; what it then has is looked at before it is stamped."""
    install(environment_python(), extra, options)
    if not has_packages(environment_python(), extra):
        raise Stop(
            f"The packages did not arrive in {ENVIRONMENT}: see in `pip config list` "
            "what leads them elsewhere, and run the same command again without it."
        )
    write_settings()
    write_stamp(complete_stamp(extra))


def place():
    """Where an environment belongs: moved elsewhere, or under another Python, it is useless."""
    if is_own():
        return f"{OWN}, in {ROOT}\n"
    return f"Python {sys.version_info.major}.{sys.version_info.minor} in {ROOT}\n"


def complete_stamp(extra):
    return f"{place()}{requirements_hash()}\n{with_kept(extra)}"


EXTRAS = ["notebooks", "site", "test"]  # each holds the packages of those before it


def with_kept(extra):
    """The larger one of this extra and that of the environment: who has run the tests keeps it."""
    there = (read_stamp() or "").rpartition("\n")[2]
    return max(extra, there if there in EXTRAS else extra, key=EXTRAS.index)


def read_stamp():
    return STAMP.read_text(encoding="utf-8") if STAMP.exists() else None


def write_stamp(text):
    STAMP.write_text(text, encoding="utf-8")


def requirements_hash():
    """What decides which packages belong into the environment."""
    files = (ROOT / "pyproject.toml", ROOT / "constraints.txt")
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def environment_python():
    return ENVIRONMENT / ("Scripts/python.exe" if ON_WINDOWS else "bin/python")


def works(python):
    """Whether this is a Python of the environment's own, with something to install with.

    Without `pyvenv.cfg` the Python of an environment is the one that it was made with, and what it
    installs ends up there.
    """
    if not python.exists():
        return False
    probe = "import os, sys; sys.exit(not os.path.samefile(sys.prefix, sys.argv[1]))"
    if not shutil.which("uv"):
        probe = f"import pip; {probe}"
    return succeeds(python, probe, ENVIRONMENT)


def has_packages(python, extra):
    """Whether the environment itself can import what was installed, whatever PYTHONPATH adds."""
    last = {"notebooks": [], "site": ["latex2mathml"], "test": ["pytest"]}[extra]
    names = ["minigrad", "jupyterlab", *last]
    probe = "import importlib.util as u, sys; sys.exit(not all(map(u.find_spec, sys.argv[1:])))"
    return succeeds(python, probe, *names, env=installers_environment())


def succeeds(python, program, *arguments, env=None):
    command = [python, *SAFELY, "-c", program, *arguments]
    try:
        done = subprocess.run(command, stderr=subprocess.DEVNULL, env=env)
    except OSError:  # not a program, or one for another system
        return False
    return done.returncode == 0


HELD = []  # the file descriptors of the lock, which the installer inherits


@contextlib.contextmanager
def alone():
    """Wait until no other lab.py installs; the lock dies with the processes that hold it.

    These are lab.py and the installer: who kills the one does not end the other.
    """
    with LOCK.open("a") as file:
        waiting = False
        while not take(file):
            if not waiting:
                say("Another lab.py is installing into .venv: waiting until it is done ...")
            waiting = True
            time.sleep(0.2)
        if not ON_WINDOWS:
            HELD.append(file.fileno())
        try:
            yield
        finally:
            HELD.clear()


def take(file):
    """Try to lock a file; one that cannot be locked at all, on some network disks, is let pass."""
    try:
        if ON_WINDOWS:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
    return True


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
    ENVIRONMENT.mkdir()
    write_stamp(UNFINISHED)
    # Who runs lab.py in the environment itself has it set aside by now: its parent makes it.
    python = getattr(sys, "_base_executable", sys.executable)
    if uv:
        # --seed puts pip in, so that %pip works in the notebooks.
        options = ["--seed", "--allow-existing", "--no-project", "--python", python]
        run_quietly([uv, "venv", *options, ENVIRONMENT])
    else:
        run_quietly([python, *SAFELY, "-m", "venv", ENVIRONMENT])
    if not works(environment_python()):
        raise Stop(f"{ENVIRONMENT} did not become an environment: delete it and run lab.py again.")


def set_aside():
    move(ENVIRONMENT, BEFORE)


def bring_back():
    """Put the old environment, if there is one, where the new one did not become complete."""
    delete(DISCARDED)
    move(ENVIRONMENT, DISCARDED)
    move(BEFORE, ENVIRONMENT)
    delete(DISCARDED)


def tidy_up():
    """Settle what a lab.py has left that was killed while it made an environment."""
    if not os.path.lexists(BEFORE):
        return
    if read_stamp() != UNFINISHED and works(environment_python()):
        discard(BEFORE)
    else:
        bring_back()


def discard(path):
    """Take an environment away at once, then delete it: half of one looks like a whole one."""
    delete(DISCARDED)
    move(path, DISCARDED)
    delete(DISCARDED)


def move(path, to):
    try:
        path.rename(to)
    except FileNotFoundError:
        return
    except PermissionError:  # the lock could be written beside it, so it is not the folder
        raise Stop(
            f"{path} is in use: close JupyterLab and whatever else runs in it, "
            "and run the same command again."
        ) from None


def packages(environment):
    """The names of what is installed in an environment."""
    folder = "Lib/site-packages" if ON_WINDOWS else "lib/python3*/site-packages"
    found = environment.glob(f"{folder}/*.dist-info")
    return {path.name.split("-")[0].lower().replace("_", "-") for path in found}


def delete(path):
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


CONSTRAINTS = ["-c", "constraints.txt"]


def install(python, extra, options):
    whose = {"notebooks": "the notebooks need", "site": "the site needs", "test": "the tests need"}
    say(f"Installing what {whose[extra]} into .venv; this takes a minute or so ...")
    uv = shutil.which("uv")
    if uv:
        command = [uv, "pip", "install", "--python", python]
    else:
        command = [python, *SAFELY, "-m", "pip", "install", "--disable-pip-version-check"]
    run_quietly([*command, "-e", f".[{extra}]", *options])


def run_quietly(command):
    """Run a step of the installation; its output goes to the log, its failure into a sentence."""
    output = []
    settings = {
        "cwd": ROOT,
        "env": installers_environment(),
        "stdin": subprocess.DEVNULL,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.STDOUT,
        "text": True,
        "errors": "replace",
        "pass_fds": HELD,
        **OWN_GROUP,
    }
    with Progress() as progress, subprocess.Popen(command, **settings) as process:
        try:
            for line in process.stdout:
                output.append(line)
                progress.see(line)
        except BaseException:
            end(process, with_its_own=True)
            raise
    if process.returncode:
        raise why_it_failed("".join(output))


# What an installer has started ends with it: venv runs pip in a process of its own.
OWN_GROUP = {} if ON_WINDOWS else {"process_group": 0}


# What leads the packages out of the environment, or leaves some away.
MISLEADING = {
    "PIP_DRY_RUN",
    "PIP_IGNORE_INSTALLED",
    "PIP_NO_DEPENDENCIES",
    "PIP_NO_DEPS",
    "PIP_PREFIX",
    "PIP_PYTHON",
    "PIP_ROOT",
    "PIP_TARGET",
    "PYTHONHOME",
    "PYTHONPATH",
    "UV_SYSTEM_PYTHON",
}


def installers_environment():
    kept = {name: value for name, value in os.environ.items() if name.upper() not in MISLEADING}
    # With five retries, no network takes pip a minute.
    return {"PIP_RETRIES": "2", **kept, "PIP_USER": "0"}


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


# What a newcomer shall not meet first: a question about news, an invitation to update. And a view
# is saved with its notebook, so that its picture is there when the notebook is opened again.
SETTINGS = {
    "@jupyter-widgets/jupyterlab-manager:plugin": {"saveState": True},
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
}
# Without it, each kernel warns that what it says to the server is not encrypted. Where ZeroMQ was
# built without it, no kernel would start with it.
ENCRYPTION = "--KernelManager.transport_encryption=auto"
CAN_ENCRYPT = "import sys, zmq; sys.exit(not zmq.has('curve'))"

# JupyterLab's options that take no value.
FLAGS = {
    "-y",
    "--allow-root",
    "--autoreload",
    "--collaborative",
    "--core-mode",
    "--debug",
    "--dev-mode",
    "--expose-app-in-browser",
    "--extensions-in-dev-mode",
    "--generate-config",
    "--no-browser",
    "--no-script",
    "--script",
    "--show-config",
    "--show-config-json",
    "--skip-dev-build",
    "--splice-source",
    "--watch",
}
HERE = {"localhost", "127.0.0.1", "::1"}


def open_lab(arguments):
    arguments, places = with_places(arguments)
    port = chosen("port", arguments)
    if port is not None and port_is_taken(port):
        raise Stop(
            f"Port {port} is taken by another program: "
            "choose another one, or leave out --port and JupyterLab finds one."
        )
    folder = option_for_folder(places, arguments)
    root = options_for_root(arguments)
    python = ensure_environment("notebooks")
    trust_shipped_notebooks(python)
    command = [python, *SAFELY, "-m", "jupyterlab", *folder, *root]
    if succeeds(python, CAN_ENCRYPT):
        command.append(ENCRYPTION)
    if folder and not places and (NOTEBOOKS / FIRST_NOTEBOOK).exists():
        command.append(f"--LabApp.default_url=/lab/tree/{FIRST_NOTEBOOK}")
    if root:
        say(f"You are root: JupyterLab gets {' '.join(root)}, and serves this machine only.")
    say("Starting JupyterLab; Ctrl-C stops it.")
    return run(command + arguments, cwd=NOTEBOOKS)


def with_places(arguments):
    """The arguments with full paths of notebooks and folders, and these paths alone."""
    found, places, before = [], [], ""
    for argument in arguments:
        is_value = before.startswith("-") and "=" not in before and before not in FLAGS
        if argument.startswith("-") or is_value:
            found.append(argument)
        else:
            places.append(place_of(argument))
            found.append(places[-1])
        before = argument
    return found, places


def place_of(word):
    """The full path of a notebook or folder, as seen from here or from the notebooks' folder."""
    is_path = "/" in word or os.sep in word or word.endswith(".ipynb")
    commands = {"test": "runs the tests", "site": "builds the site"}
    meant = difflib.get_close_matches(word.lower(), commands, 1)
    if not is_path and meant:
        folder = f", and `python lab.py ./{word}` shows the folder" if Path(word).is_dir() else ""
        raise Stop(
            f"lab.py knows no command {word}: "
            f"did you mean `{meant[0]}`, "
            f"as `python lab.py {meant[0]}` {commands[meant[0]]}{folder}."
        )
    for folder in (Path.cwd(), NOTEBOOKS):
        if (folder / word).exists():
            return str((folder / word).resolve())
    names = [path.name for path in sorted(NOTEBOOKS.glob("*.ipynb"))]
    near = [name for name in names if name.startswith(word)]
    near += difflib.get_close_matches(word, names)
    hint = f"did you mean {near[0]}" if near else "`python lab.py --help` shows what it knows"
    raise Stop(f"lab.py knows no command, notebook or folder {word}: {hint}.")


def chosen(name, arguments):
    """The value of an option of the server, in one of its spellings; None without it."""
    value = None
    for argument, following in zip(arguments, [*arguments, "-"][1:], strict=True):
        option, equals, given = argument.partition("=")
        if option in (f"--{name}", f"--ServerApp.{name}"):
            value = given if equals else following
            if not value or (value.startswith("-") and not equals):
                raise Stop(f"The option {option} needs a value: write {option}=VALUE.")
    return value


def option_for_folder(places, arguments):
    """The folder that JupyterLab serves, which a configuration in the user's home may differ in."""
    for name in ("root_dir", "notebook_dir", "notebook-dir"):
        if chosen(name, arguments):
            return []
    place = Path(places[0]) if places else NOTEBOOKS
    return [f"--ServerApp.root_dir={place if place.is_dir() else place.parent}"]


def options_for_root(arguments):
    """What lets root start the server: in a container, everybody is root.

    Not where others could reach it, through ``--ip``: that root decides alone.
    """
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or "--allow-root" in arguments:
        return []
    address = chosen("ip", arguments)
    if address is not None and address not in HERE:
        raise Stop(
            f"You are root, and --ip {address} opens JupyterLab to other machines: "
            "if that is meant, add --allow-root."
        )
    return ["--allow-root", *([] if address else ["--ip=localhost"])]


def write_settings():
    """Put our settings where the user's own, in their home, still have the last word."""
    file = ENVIRONMENT / "share/jupyter/lab/settings/overrides.d/minigrad-lab.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(SETTINGS, indent=2), encoding="utf-8")


def trust_shipped_notebooks(python):
    """Sign the project's own notebooks: JupyterLab then trusts what is run and saved in them.

    In a file that it does not trust, it shows no view after the file was opened again. A notebook
    that somebody has changed is not signed here, and one of somebody else's never.
    """
    if not SHIPPED.exists():
        return
    shipped = SHIPPED.read_text(encoding="utf-8")
    if TRUSTED.exists() and TRUSTED.read_text(encoding="utf-8") == shipped:
        return
    names = [name for name, digest in json.loads(shipped).items() if digest_of(name) == digest]
    sign = [python, *SAFELY, "-m", "nbformat.sign", *names]
    quietly = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    if names and subprocess.run(sign, cwd=NOTEBOOKS, **quietly).returncode == 0:
        TRUSTED.write_text(shipped, encoding="utf-8")


def digest_of(name):
    """What tells a notebook from a changed one, whichever line ends it was checked out with."""
    file = NOTEBOOKS / name
    text = file.read_bytes().replace(b"\r\n", b"\n") if file.exists() else b""
    return hashlib.sha256(text).hexdigest()


def port_is_taken(port):
    if not port.isdecimal() or int(port) > 65535:
        raise Stop(f"There is no port {port}: ports are numbers up to 65535.")
    with socket.socket() as probe:
        if not ON_WINDOWS:  # a port whose last connections are still fading is free
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", int(port)))
        except OSError as error:
            return error.errno == errno.EADDRINUSE
    return False


# --- python lab.py site --------------------------------------------------------------------------


def build_site(arguments):
    """Build the site with the program that lives in website/; it has the options."""
    return run([ensure_environment("site"), "-m", "website", *arguments], cwd=ROOT)


# --- python lab.py test --------------------------------------------------------------------------


def run_tests(arguments):
    at = arguments.index("--") if "--" in arguments else len(arguments)
    own, for_pytest = arguments[:at], arguments[at + 1 :]
    everything = "--all" in own
    measuring = "--coverage" in own
    unknown = [argument for argument in own if argument not in ("--all", "--coverage")]
    if unknown:
        raise Stop(
            f"`lab.py test` does not know {' '.join(unknown)}: "
            "it knows --all and --coverage, and what follows after -- is pytest's."
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

    if not for_pytest:
        say(how_long(everything))
        # With a process on each core, more threads would only wait for each other.
        environment.setdefault("OPENBLAS_NUM_THREADS", "1")
    python = ensure_environment("test")
    command = [python, "-m", "pytest"]
    if measuring:
        command[1:1] = ["-m", "coverage", "run"]
        run([python, "-m", "coverage", "erase"], cwd=ROOT, env=environment)
    command += ["--nbval", "--nbval-current-env", "--nbval-cell-timeout=600"]
    if not any(Path(ROOT, argument.split("::")[0]).exists() for argument in for_pytest):
        command += ["tests", "notebooks"]
    code = 0
    for part in parts_of(everything, for_pytest):
        code = run(command + part, cwd=ROOT, env=environment) or code
        if code == INTERRUPTED:
            break
    if measuring and code != INTERRUPTED:
        below_the_floor = told_coverage(python, environment)
        code = code or below_the_floor
    if not everything:
        say("\nLeft out, because they need more than Python packages:")
        for tool in TOOLS:
            found = tool.find()
            state = f"found, {found}" if found else tool.hint()
            say(f"  {tool.tests} need {tool.name}: {state}")
        say("  tests with the oldest NumPy, with PyTorch and in WebAssembly need a package index")
        say("`python lab.py test --all` runs these too.")
    return code


def told_coverage(python, environment):
    """Say which lines nothing has run; return the exit code, which the floor decides.

    The floor is in pyproject.toml.
    """
    for words in (["combine", "--quiet"], ["report"]):
        code = run([python, "-m", "coverage", *words], cwd=ROOT, env=environment)
    return code


INTERRUPTED = 2  # pytest's exit code
QUICK = "-m=not node and not browser and not index"
NOT_IN_A_BROWSER = "-m=not browser"
# A browser answers late where others compute: these run by themselves, two at a time at most.
IN_A_BROWSER = "-m=browser"


def parts_of(everything, for_pytest):
    """The calls of pytest, one after the other: what each one gets."""
    if for_pytest:
        # Who chooses a few has them sooner in one process: each one collects all the tests.
        return [for_pytest if everything else [QUICK, *for_pytest]]
    if everything:
        return [[*on_all_cores(), NOT_IN_A_BROWSER], [*on_all_cores(most=2), IN_A_BROWSER]]
    return [[*on_all_cores(), QUICK]]


def cores():
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def on_all_cores(most=8):
    """Options for a process on each core; the tests of one file stay together, as a rule.

    They keep the order and the pieces of tests/conftest.py, which begins with what takes longest.
    """
    if cores() == 1:
        return []
    return ["-n", str(min(cores(), most)), "--dist=loadfile", "--no-loadscope-reorder"]


def how_long(everything):
    """How long the tests take where nothing else runs."""
    minutes = 3 + 26 / min(cores(), 8)
    if everything:
        minutes += 42
    many = f"on {cores()} cores" if cores() > 1 else "on one core"
    return f"All of these tests take about {minutes:.0f} minutes {many} that do nothing else."


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
        "node with npm",
        "the front-end tests",
        lambda: find_npm(),
        debian="sudo apt install nodejs npm",
        macos="brew install node",
        windows="winget install OpenJS.NodeJS",
    ),
    Tool(
        "Chromium",
        "the browser tests",
        lambda: find_chromium(),
        debian="sudo apt install chromium",
        macos="brew install --cask chromium",
        windows="winget install Google.Chrome",
    ),
]


# --- All of them -------------------------------------------------------------------------------


def main(arguments):
    """Run one of the three commands and return its exit code."""
    try:
        if arguments in (["-h"], ["--help"]):
            say(__doc__.strip())
            return 0
        check_the_checkout()
        if arguments[:1] == ["test"]:
            return run_tests(arguments[1:])
        if arguments[:1] == ["site"]:
            return build_site(arguments[1:])
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


class Progress:
    """What the installer is busy with, and for how long.

    In a terminal on one line that is written over and over, elsewhere on a new line now and then.
    """

    STEPS = r"\s*(Collecting|Processing|Downloading|Building|Installing|Resolved|Prepared)"

    def __init__(self):
        self.step = ""
        self.started = time.monotonic()
        self.over = threading.Event()
        self.teller = threading.Thread(target=self.tell, daemon=True)

    def __enter__(self):
        self.teller.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.teller.join()

    def see(self, line):
        if re.match(self.STEPS, line):
            self.step = line.strip().encode("ascii", "replace").decode()

    def tell(self):
        in_place = sys.stdout.isatty()
        while not self.over.wait(ONE_LINE_EVERY if in_place else NEW_LINE_EVERY):
            text = f"{time.monotonic() - self.started:4.0f} s  {self.step}".rstrip()
            if in_place:
                write_over(text)
            else:
                say(text[:99])
        if in_place:
            write_over("")


ONE_LINE_EVERY = 0.5  # seconds
NEW_LINE_EVERY = 10.0


def write_over(text):
    width = shutil.get_terminal_size().columns - 1
    print("\r" + text[:width].ljust(width), end="" if text else "\r", flush=True)


def run(command, **options):
    """Run a program until it ends, and return its exit code. Who ends lab.py ends it as well."""
    with subprocess.Popen(command, **options) as process:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                pass  # it had it too: JupyterLab asks whether to stop, pytest says how far it came
            except BaseException:
                end(process)
                raise


def end(process, with_its_own=False):
    """Ask a program to end; kill it when that takes too long, or when it is asked for again.

    With its own: everything in the group of processes that it leads.
    """
    with_its_own = with_its_own and not ON_WINDOWS
    send = send_to_group if with_its_own else subprocess.Popen.send_signal
    send(process, signal.SIGTERM)
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        pass
    finally:
        process.kill()
        if with_its_own:
            send_to_group(process, signal.SIGKILL)
        process.wait()


def send_to_group(process, number):
    with contextlib.suppress(ProcessLookupError, PermissionError):  # they have all ended
        os.killpg(process.pid, number)


def leave(number, _):
    """Obey a signal that would end this process at once: first, what it has started ends."""
    sys.exit(128 + number)


def obey_signals():
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, leave)


if __name__ == "__main__":
    obey_signals()
    sys.exit(main(sys.argv[1:]))
