"""A class on a JupyterHub: all students start at once and run every cell of a lesson.

    python tests/benchmarks/hub.py --students 20                      # a hub of its own, here
    python tests/benchmarks/hub.py --hub https://hub.example.org --token TOKEN --students 20
    python tests/benchmarks/hub.py --lesson notebooks/05_the_training_loop.ipynb

Without ``--hub`` it starts a hub on this machine, and needs ``pip install jupyterhub`` and
``npm install -g configurable-http-proxy``; it then also says what memory and computing time each
student has taken, by the processes of their servers (Linux). With ``--hub`` it uses yours. The
token is one of an administrator (on the hub's page *Token*); the students are called
``load-test-1`` and so on, and are deleted at the end. ``--lesson`` is where students find the
notebook there, as with nbgitpuller ``minigrad/notebooks/02_backprop_one_step_at_a_time.ipynb``.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psutil
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.websocket import websocket_connect

ROOT = Path(__file__).resolve().parents[2]
LESSON = "notebooks/02_backprop_one_step_at_a_time.ipynb"
PATIENCE = 600  # seconds, for a server to start and for a cell to end

CONFIGURATION = """
c.JupyterHub.bind_url = "http://127.0.0.1:{port}"
c.JupyterHub.hub_bind_url = "http://127.0.0.1:{hub_port}"
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{proxy_port}"
c.JupyterHub.spawner_class = "simple"
c.JupyterHub.authenticator_class = "dummy"
c.Authenticator.allow_all = True
c.JupyterHub.db_url = "sqlite:///:memory:"
c.JupyterHub.concurrent_spawn_limit = 0
c.Spawner.args = ["--allow-root"]
c.Spawner.notebook_dir = {root!r}
c.Spawner.default_url = "/lab"
c.Spawner.start_timeout = c.Spawner.http_timeout = {patience}
c.Spawner.environment = {{"OMP_NUM_THREADS": "1", "PYTHONPATH": {path!r}}}
c.JupyterHub.services = [{{"name": "load-test", "api_token": {token!r}}}]
c.JupyterHub.load_roles = [
    {{"name": "load-test", "services": ["load-test"],
      "scopes": ["admin:users", "admin:servers", "access:servers"]}}
]
"""


# ------------------------------------------------------------------------------- one's own hub


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def own_hub() -> Iterator[tuple[str, str]]:
    """A hub on this machine, with a copy of the notebooks: its address, and a token for it."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as room:
        shutil.copytree(ROOT / "notebooks", Path(room, "root", "notebooks"))
        port, token = free_port(), uuid.uuid4().hex
        text = CONFIGURATION.format(
            port=port,
            hub_port=free_port(),
            proxy_port=free_port(),
            root=str(Path(room, "root")),
            path=os.pathsep.join([str(ROOT), str(ROOT / "widgets")]),
            token=token,
            patience=PATIENCE,
        )
        Path(room, "config.py").write_text(text, encoding="utf-8")
        log = Path(room, "hub.log")
        command = [sys.executable, "-m", "jupyterhub", "-f", "config.py"]
        with log.open("w") as written:
            process = subprocess.Popen(command, cwd=room, stdout=written, stderr=written)
        try:
            wait_for(port, process, log)
            yield f"http://127.0.0.1:{port}", token
        finally:
            family = psutil.Process(process.pid).children(recursive=True)
            process.terminate()
            process.wait(60)
            for one in family:
                if one.is_running():
                    one.kill()


def wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until and process.poll() is None:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/hub/api", timeout=5).close()
            return
        except OSError:
            time.sleep(0.2)
    sys.exit("the hub did not start:\n" + log.read_text()[-3000:])


# ------------------------------------------------------------------------------- one student


class Student:
    """One who starts a server, opens the lesson, and runs all its cells."""

    def __init__(self, hub: str, token: str, name: str) -> None:
        self.hub, self.token, self.name = hub.rstrip("/"), token, name
        self.started = self.ran = 0.0  # seconds
        self.errors: list[str] = []

    async def ask(self, path: str, method: str = "GET", data: Any = None) -> Any:
        request = HTTPRequest(
            self.hub + path,
            method,
            {"Authorization": f"token {self.token}"},
            body=None if data is None else json.dumps(data),
            allow_nonstandard_methods=True,
            request_timeout=PATIENCE,
            connect_timeout=PATIENCE,
        )
        answer = await AsyncHTTPClient().fetch(request)
        return json.loads(answer.body) if answer.body else None

    async def start(self) -> None:
        """Until the server answers."""
        begin = time.monotonic()
        user = f"/hub/api/users/{self.name}"
        try:
            await self.ask(user, "POST")
        except HTTPClientError as error:
            if error.code != 409:  # 409: it is there already
                raise
        await self.ask(f"{user}/server", "POST")
        while not (await self.ask(user)).get("servers", {}).get("", {}).get("ready"):
            if time.monotonic() - begin > PATIENCE:
                raise TimeoutError(f"the server of {self.name} did not start")
            await asyncio.sleep(0.5)
        self.started = time.monotonic() - begin

    async def run(self, lesson: str) -> None:
        """All cells of the lesson, in a kernel in its folder, each after the one before."""
        begin = time.monotonic()
        server = f"/user/{self.name}"
        found = await self.ask(f"{server}/api/contents/{quote(lesson)}?content=1")
        wanted = {"path": lesson, "name": "", "type": "notebook", "kernel": {"name": "python3"}}
        session = await self.ask(f"{server}/api/sessions", "POST", wanted)
        kernel = session["kernel"]["id"]
        address = self.hub.replace("http", "ws", 1) + f"{server}/api/kernels/{kernel}/channels"
        headers = {"Authorization": f"token {self.token}"}
        request = HTTPRequest(address, headers=headers, connect_timeout=PATIENCE)
        socket = await websocket_connect(request)
        for cell in found["content"]["cells"]:
            if cell["cell_type"] == "code":
                await self.run_cell(socket, "".join(cell["source"]))
        socket.close()
        self.ran = time.monotonic() - begin

    async def run_cell(self, socket: Any, source: str) -> None:
        key = uuid.uuid4().hex
        header = {"msg_id": key, "msg_type": "execute_request", "session": self.name}
        header |= {"username": self.name, "version": "5.4", "date": ""}
        content = {"code": source, "silent": False, "store_history": True}
        content |= {"user_expressions": {}, "allow_stdin": False, "stop_on_error": False}
        message = {"header": header, "parent_header": {}, "metadata": {}, "content": content}
        await socket.write_message(json.dumps({**message, "channel": "shell", "buffers": []}))
        while True:
            read = await asyncio.wait_for(socket.read_message(), PATIENCE)
            if read is None:
                raise ConnectionError(f"the kernel of {self.name} has gone")
            if isinstance(read, bytes):  # with pictures: not what is waited for
                continue
            answer = json.loads(read)
            if answer["parent_header"].get("msg_id") != key:
                continue
            if answer["msg_type"] == "error":
                self.errors.append(f"{answer['content']['ename']}: {answer['content']['evalue']}")
            if answer["msg_type"] == "status" and answer["content"]["execution_state"] == "idle":
                return

    async def leave(self) -> None:
        for path in (f"/hub/api/users/{self.name}/server", f"/hub/api/users/{self.name}"):
            try:
                await self.ask(path, "DELETE")
            except HTTPClientError:
                pass  # an own hub ends anyway; on another one, the next run finds the student


# ------------------------------------------------------------------------------- what it takes


def taken(names: list[str]) -> dict[str, tuple[float, float]]:
    """Of each student, megabytes (each page that is shared is divided) and seconds of computing."""
    found = dict.fromkeys(names, (0.0, 0.0))
    for process in psutil.process_iter():
        try:
            name = process.environ().get("JUPYTERHUB_USER", "")
            if name in found:
                times = process.cpu_times()
                memory, seconds = found[name]
                memory += process.memory_full_info().pss / 1e6
                found[name] = memory, seconds + times.user + times.system
        except psutil.Error:
            continue
    return found


async def a_class(hub: str, token: str, students: int, lesson: str, measured: bool) -> None:
    begin = time.monotonic()
    AsyncHTTPClient.configure(None, max_clients=4 * students)
    everybody = [Student(hub, token, f"load-test-{n}") for n in range(1, students + 1)]
    try:
        await asyncio.gather(*(one.start() for one in everybody))
        ready = time.monotonic() - begin
        await asyncio.gather(*(one.run(lesson) for one in everybody))
        tell(everybody, ready, time.monotonic() - begin)
        if measured:
            used = taken([one.name for one in everybody])
            memory, computing = zip(*used.values())
            print(f"memory of a student      {statistics.mean(memory):7.0f} MB")
            print(f"computing of a student   {statistics.mean(computing):7.1f} s")
    finally:
        await asyncio.gather(*(one.leave() for one in everybody))


def tell(everybody: list[Student], ready: float, done: float) -> None:
    errors = [f"{one.name}: {error}" for one in everybody for error in one.errors]
    print(f"students                 {len(everybody):7}")
    print(f"all servers there after  {ready:7.0f} s")
    print(f"all cells run after      {done:7.0f} s")
    print(f"slowest lesson           {max(one.ran for one in everybody):7.0f} s")
    print(f"errors                   {len(errors):7}", *errors[:5], sep="\n  " if errors else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--students", type=int, default=20)
    parser.add_argument("--lesson", default=LESSON)
    parser.add_argument("--hub", help="the address of yours; without it, one is started here")
    parser.add_argument("--token", help="of an administrator of that hub")
    chosen = parser.parse_args()
    if chosen.hub:
        if not chosen.token:
            parser.error("--hub needs --token")
        asyncio.run(a_class(chosen.hub, chosen.token, chosen.students, chosen.lesson, False))
        return
    with own_hub() as (address, token):
        asyncio.run(a_class(address, token, chosen.students, chosen.lesson, True))


if __name__ == "__main__":
    main()
