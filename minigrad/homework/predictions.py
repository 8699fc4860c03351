"""What a class has predicted before the reveal: answers and named mistakes, by question.

A teacher's notebook says::

    from minigrad.homework import predictions

    predictions.of_folder("handed_in")            # files from share_predictions("predictions.json")
    inbox = predictions.receive(port=8010)        # or: students share_predictions("http://…:8010")
    inbox.histograms()                            # now, and again as answers come in

Nobody has a name here: learners are numbers that they have drawn themselves.
"""

from __future__ import annotations

import html
import json
import threading
from collections import Counter
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

LARGEST = 1_000_000  # bytes of what one learner shares
MOST = 12  # answers of a question that are shown


class Histograms:
    """Of each question, how many gave which answer first; as text, and with bars in a notebook.

    ``unread``: what could not be read, with the reason.
    """

    def __init__(self, shared: Iterable[dict[str, Any]], unread: Iterable[str] = ()) -> None:
        self.unread = list(unread)
        latest = {one["by"]: one["answers"] for one in sorted(shared, key=how_many)}
        self.learners = len(latest)
        self.questions: dict[Any, list[dict[str, Any]]] = {}
        for answers in latest.values():
            for one in answers:
                key = one["question"], *one["choices"]
                self.questions.setdefault(key, []).append(one)

    def rows(self, key: Any) -> list[tuple[int, str, Any, str]]:
        """How many, what they answered, whether it is right, and the mistake: most first."""
        answers = self.questions[key]
        counts = Counter(one["answer"] for one in answers)
        by_text = {one["answer"]: one for one in answers}
        for choice in key[1:]:  # those that nobody took, too
            counts.setdefault(choice, 0)
        order = sorted(counts, key=lambda text: (-counts[text], text))
        nobody = {"right": None, "mistake": ""}
        found = [(counts[text], text, by_text.get(text, nobody)) for text in order]
        return [(count, text, one["right"], one["mistake"]) for count, text, one in found[:MOST]]

    def __repr__(self) -> str:
        lines = [f"{self.learners} learners, {len(self.questions)} questions"]
        for key, answers in self.questions.items():
            lines += ["", key[0]]
            for count, text, right, why in self.rows(key):
                sign = {True: "✓", False: "✗", None: " "}[right]
                bar = "█" * round(20 * count / len(answers))
                lines.append(f"  {sign} {count:3} {bar:20} {text}" + (f": {why}" if why else ""))
        return "\n".join([*lines, *(f"not read: {one}" for one in self.unread)])

    def _repr_html_(self) -> str:
        parts = [f"<p>{self.learners} learners, {len(self.questions)} questions</p>"]
        for key, answers in self.questions.items():
            rows = "".join(row_html(*row, of=len(answers)) for row in self.rows(key))
            parts.append(f"<h4>{html.escape(key[0])}</h4><table>{rows}</table>")
        parts += [f"<p>not read: {html.escape(one)}</p>" for one in self.unread]
        return "".join(parts)


def row_html(count: int, text: str, right: Any, why: str, of: int) -> str:
    sign = {True: "✓ right", False: "✗", None: ""}[right]
    color = {True: "#2a78b8", False: "#d98a1f", None: "#888888"}[right]
    bar = (
        f'<div role="img" aria-label="{count} of {of}" style="height: 1em; '
        f'width: {12 * count / of:.2f}em; background: {color}"></div>'
    )
    cells = (
        html.escape(text),
        str(count),
        bar,
        sign,
        html.escape(why),
    )
    return "<tr>" + "".join(f'<td style="text-align: left">{cell}</td>' for cell in cells) + "</tr>"


def of_folder(folder: str | Path) -> Histograms:
    """Of all files ``*.json`` in a folder and those below it. What is no such file is named."""
    shared, unread = [], []
    for path in sorted(Path(folder).rglob("*.json")):
        try:
            shared.append(read(path.read_bytes()))
        except (OSError, ValueError) as error:
            unread.append(f"{path.name}: {error}")
    return Histograms(shared, unread)


def read(content: bytes) -> dict[str, Any]:
    """What a learner shares, looked through: it comes from outside. ValueError: it is not that."""
    if len(content) > LARGEST:
        raise ValueError(f"it has more than {LARGEST:,} bytes")
    data = json.loads(content)
    if not isinstance(data, dict) or data.get("version") != 1:
        raise ValueError("it was not written by share_predictions")
    answers = data.get("answers")
    if not isinstance(data.get("by"), str) or not isinstance(answers, list):
        raise ValueError("it was not written by share_predictions")
    if not all(map(is_answer, answers)):
        raise ValueError("an answer in it has no question, or is no text")
    return data


def how_many(shared: dict[str, Any]) -> int:
    return len(shared["answers"])


def is_answer(one: Any) -> bool:
    """Is it what a learner shares of one question?"""
    if not isinstance(one, dict) or not isinstance(one.get("choices"), list):
        return False
    texts = [one.get("question"), one.get("answer"), one.get("mistake"), *one["choices"]]
    return one.get("right") in (True, False, None) and all(isinstance(t, str) for t in texts)


class Inbox:
    """Takes what learners send, until ``close``; kept in memory, or as files in a ``folder``."""

    def __init__(self, port: int, folder: str | Path | None = None, host: str = "") -> None:
        self.shared: dict[str, dict[str, Any]] = {}
        self.folder = None if folder is None else Path(folder)
        self.one_at_a_time = threading.Lock()  # each request has a thread of its own
        inbox = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                try:
                    inbox.take(self.rfile.read(min(length, LARGEST + 1)))
                    self.send_response(204)
                except ValueError:
                    self.send_response(400)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                """Not into the notebook."""

        self.server = ThreadingHTTPServer((host, port), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def take(self, content: bytes) -> None:
        data = read(content)
        with self.one_at_a_time:
            known = self.shared.get(data["by"])
            if known is not None and how_many(known) > how_many(data):
                return  # sent earlier, and overtaken on its way
            self.shared[data["by"]] = data
            if self.folder is not None and data["by"].isalnum():
                self.keep(self.folder / f"{data['by'][:64]}.json", content)

    @staticmethod
    def keep(path: Path, content: bytes) -> None:
        """In one move, so that who reads meanwhile finds the old file or the new one, whole."""
        path.parent.mkdir(parents=True, exist_ok=True)
        written = path.with_suffix(".part")
        written.write_bytes(content)
        written.replace(path)

    def histograms(self) -> Histograms:
        """What has come so far."""
        with self.one_at_a_time:
            return Histograms(list(self.shared.values()))

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def __repr__(self) -> str:
        return f"Inbox(port {self.port}, {len(self.shared)} learners so far)"


def receive(port: int = 8010, folder: str | Path | None = None) -> Inbox:
    """Take what learners send to this machine. Whoever can reach the port can send something.

    ``folder``: keep it in files, too, for ``of_folder``.
    """
    return Inbox(port, folder)
