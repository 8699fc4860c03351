"""A real kernel that runs cells, with the ids that a notebook gives them."""

from __future__ import annotations

import contextlib

from jupyter_client.manager import start_new_kernel


class Cells:
    """Runs cells one after the other; what each prints is its answer."""

    def __init__(self, client):
        self.client = client

    def run(self, source, cell=None):
        """Run a cell of this id, and return what it prints. An error in it fails the test."""
        heard = self.heard(source, cell)
        text = "".join(m["content"]["text"] for m in heard if m["msg_type"] == "stream")
        assert "Error" not in text, text
        return text

    def heard(self, source, cell=None, fails=False):
        """Run a cell of this id, and return all that the kernel says meanwhile, in its order.

        ``fails``: an error in it is what is expected, and later cells run all the same.
        """
        every = []
        content = {"code": source, "silent": False, "store_history": True}
        content.update(user_expressions={}, allow_stdin=False, stop_on_error=not fails)
        message = self.client.session.msg("execute_request", content)
        message["metadata"] = {} if cell is None else {"cellId": cell}
        self.client.shell_channel.send(message)
        while True:
            heard = self.client.get_iopub_msg(timeout=60)
            if heard["parent_header"].get("msg_id") != message["header"]["msg_id"]:
                continue
            every.append(heard)
            assert fails or heard["msg_type"] != "error", heard["content"]["traceback"]
            if heard["content"].get("execution_state") == "idle":
                return every


@contextlib.contextmanager
def kernel(folder):
    manager, client = start_new_kernel(kernel_name="python3", cwd=str(folder))
    try:
        yield Cells(client)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
