"""Names that must not appear: a stranger's package, and the hosts of package registries."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# A command that installs, and its arguments up to the end of the line or of the code span.
INSTALL = re.compile(
    r"(?:\bpip[\d.]*\s+(?:install|download|wheel)|\buv\s+(?:add|tool\s+install)|\buvx"
    r"|\bpipx\s+\w+|\b(?:poetry|pdm)\s+add|\b(?:conda|mamba)\s+install|--with)\b([^\n`;&|#]*)"
)
# The bare name, perhaps with an extra or a version; not minigrad-lab and not a path.
BARE_NAME = re.compile(r"(?<![\w./\\-])minigrad(?![\w/\\-]|\.\w)", re.IGNORECASE)

# Written in two pieces, so that this file does not name them either.
HOSTS = tuple(
    name + end
    for name, ends in {
        "pypi": (".org", ".python.org"),
        "pythonhosted": (".org",),
        "npmjs": (".org", ".com"),
        "yarnpkg": (".com",),
        "anaconda": (".org", ".com"),
        "deb.debian": (".org",),
        "npmmirror": (".com",),
    }.items()
    for end in ends
)


def strangers_installed_by(text):
    """The commands in the text that would install the package which has the bare name."""
    # A continued line is one line; in a notebook's JSON the end of a line is spelled out.
    text = re.sub(r"\\\n", " ", text).replace("\\n", "\n")
    return [
        command.group(0).strip()
        for command in INSTALL.finditer(text)
        if BARE_NAME.search(command.group(1))
    ]


@pytest.fixture(scope="module")
def texts():
    """The text of each file that is or could be committed."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    # A checkout may belong to somebody else than the one who tests it.
    git = ["git", "-c", "safe.directory=*", "ls-files"]
    listing = subprocess.run(
        [*git, "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    files = [ROOT / name for name in listing.split("\0") if name]
    return {
        str(file.relative_to(ROOT)): file.read_bytes().decode("utf-8", "replace")
        for file in files
        if file.is_file()  # one that was deleted is listed until the deletion is committed
    }


@pytest.mark.parametrize(
    "arguments",
    ["{}", "-q {}.", "{}==0.1.0", "'{}[widgets]'", "numpy {}", "-U \\\n  {}", '{}\\n",'],
)
def test_a_command_that_installs_the_strangers_package_is_found(arguments):
    arguments = arguments.format("minigrad")
    for command in ("pip install", "%pip install", "uv pip install", "uv add", "pip3 install"):
        assert strangers_installed_by(f"{command} {arguments}")


@pytest.mark.parametrize(
    "arguments",
    ["{}-lab", "'{}-lab[widgets]'", "-e .", "./{}", "-e '.[notebooks]'; import {}", "numpy`, {}"],
)
def test_a_command_that_installs_ours_is_not(arguments):
    arguments = arguments.format("minigrad")
    assert not strangers_installed_by(f"pip install {arguments}")


def test_nothing_tells_anybody_to_install_the_strangers_package(texts):
    # Ours is called minigrad-lab. Put commands into backticks where prose goes on after them.
    found = {name: strangers_installed_by(text) for name, text in texts.items()}
    assert {name: commands for name, commands in found.items() if commands} == {}


def test_no_file_names_the_host_of_a_package_registry(texts):
    found = {name: [host for host in HOSTS if host in text] for name, text in texts.items()}
    assert {name: hosts for name, hosts in found.items() if hosts} == {}


def test_constraints_hold_no_address(texts):
    assert "://" not in texts["constraints.txt"]
    assert not re.search(r"^\s*-", texts["constraints.txt"], re.MULTILINE)  # options name indexes


def test_constraints_name_every_package_that_an_extra_asks_for(texts):
    extras = tomllib.loads(texts["pyproject.toml"])["project"]["optional-dependencies"]
    asked = {re.match(r"[\w-]+", line).group() for lines in extras.values() for line in lines}
    given = {line.partition("==")[0] for line in texts["constraints.txt"].splitlines()}
    assert asked - given == {"minigrad-lab"}


def test_no_lock_file_with_addresses_is_committed(texts):
    locks = {"uv.lock", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "pylock.toml"}
    assert {name for name in texts if Path(name).name in locks} == set()
