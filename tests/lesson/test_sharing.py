"""A class's predictions: off by default, without names, and never in the way of a lesson."""

from __future__ import annotations

import json
import threading

import pytest

from minigrad import lesson
from minigrad.homework import predictions
from minigrad.lesson import sharing

SUM = {7: "That is only what arrives through c."}


@pytest.fixture(autouse=True)
def ended():
    lesson.tries.forget()
    yield
    lesson.share_predictions(None)
    lesson.tries.forget()


def ask(mine=..., question="What is b.grad?"):
    return lesson.predict(question, 15, mistakes=SUM, mine=mine)


def test_nothing_is_kept_unless_it_was_asked_for(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ask(7)
    assert sharing.sharing == [] and list(tmp_path.iterdir()) == []


def test_the_first_answer_is_shared_and_no_later_one(tmp_path):
    path = tmp_path / "predictions.json"
    lesson.share_predictions(path)
    ask(7)
    ask(15)
    (one,) = json.loads(path.read_text())["answers"]
    assert one == {
        "question": "What is b.grad?",
        "choices": [],
        "answer": "7",
        "right": False,
        "mistake": SUM[7],
    }


def test_what_is_shared_names_nobody_and_two_learners_are_told_apart(tmp_path):
    numbers = set()
    for learner in "ab":
        path = tmp_path / f"{learner}.json"
        lesson.share_predictions(path)
        ask(7)
        lesson.tries.forget()
        data = json.loads(path.read_text())
        assert sorted(data) == ["answers", "by", "version"]
        numbers.add(data["by"])
    assert len(numbers) == 2


def test_sharing_ends_when_it_is_told_to(tmp_path):
    path = tmp_path / "predictions.json"
    lesson.share_predictions(path)
    lesson.share_predictions(None)
    ask(7)
    assert not path.exists()


def test_a_poll_is_neither_right_nor_wrong(tmp_path):
    path = tmp_path / "predictions.json"
    lesson.share_predictions(path)
    lesson.poll("Whom do you believe?", ["the article", "the program"], mine="the program")
    (one,) = json.loads(path.read_text())["answers"]
    assert one["right"] is None and one["answer"] == "the program"


def test_a_file_that_cannot_be_written_does_not_stop_a_lesson(tmp_path):
    shared = lesson.share_predictions(tmp_path / "nowhere" / "predictions.json")
    assert not ask(7).right
    assert "did not get there (FileNotFoundError" in repr(shared)


def test_an_address_that_does_not_answer_does_not_stop_a_lesson():
    inbox = predictions.receive(port=0)
    inbox.close()
    shared = lesson.share_predictions(f"http://127.0.0.1:{inbox.port}")
    assert not ask(7).right
    shared.put("{}")  # in this thread, so that the end is seen
    assert "did not get there" in repr(shared)


def test_without_threads_an_address_is_refused_with_what_to_do(monkeypatch):
    monkeypatch.setattr(sharing, "has_threads", lambda: False)
    with pytest.raises(ValueError, match="hand that in"):
        lesson.share_predictions("http://127.0.0.1:1")
    assert sharing.sharing == []


# ------------------------------------------------------------------------------- the teacher


def handed_in(folder, *answers):
    for number, mine in enumerate(answers):
        lesson.tries.forget()
        lesson.share_predictions(folder / f"{number}.json")
        ask(mine)


def test_a_histogram_counts_answers_and_names_mistakes(tmp_path):
    handed_in(tmp_path, 7, 7, 15, 8)
    found = predictions.of_folder(tmp_path)
    (key,) = found.questions
    assert found.learners == 4
    assert found.rows(key) == [(2, "7", False, SUM[7]), (1, "15", True, ""), (1, "8", False, "")]
    assert f"✗   2 ██████████           7: {SUM[7]}" in repr(found)


def test_a_choice_that_nobody_took_is_there_too(tmp_path):
    lesson.share_predictions(tmp_path / "one.json")
    lesson.predict("Which?", "a", choices=["a", "b"], mine="a")
    found = predictions.of_folder(tmp_path)
    (key,) = found.questions
    assert found.rows(key) == [(1, "a", True, ""), (0, "b", None, "")]


def test_what_learners_write_is_text_in_the_teachers_notebook(tmp_path):
    lesson.share_predictions(tmp_path / "one.json")
    lesson.predict("Which <b>?", "a", mine="<script>alert(1)</script>")
    page = predictions.of_folder(tmp_path)._repr_html_()
    assert "<script>" not in page and "&lt;script&gt;" in page and "Which &lt;b&gt;?" in page


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{}",
        b'{"version": 1, "by": 3, "answers": []}',
        b'{"version": 1, "by": "a", "answers": [3]}',
        b'{"version": 1, "by": "a", "answers": [{"question": "x", "choices": null}]}',
        b"x" * 2_000_000,
    ],
    ids=range(7),
)
def test_a_file_of_something_else_is_named_and_the_others_count(tmp_path, content):
    handed_in(tmp_path, 7)
    (tmp_path / "other.json").write_bytes(content)
    found = predictions.of_folder(tmp_path)
    assert found.learners == 1 and found.unread[0].startswith("other.json: ")


def test_answers_that_are_sent_arrive_once_for_each_learner(tmp_path):
    inbox = predictions.receive(port=0, folder=tmp_path / "kept")
    try:
        for _ in range(2):
            lesson.tries.forget()
            shared = lesson.share_predictions(f"http://127.0.0.1:{inbox.port}")
            ask(7)
            ask(8, "And of c?")
            text = {"version": 1, "by": shared.by, "answers": list(shared.answers.values())}
            shared.put(json.dumps(text))  # the thread has sent the same
            assert shared.trouble == ""
        found = inbox.histograms()
        assert (found.learners, len(found.questions)) == (2, 2)
        assert repr(predictions.of_folder(tmp_path / "kept")) == repr(found)
    finally:
        inbox.close()


def test_answers_that_were_overtaken_on_their_way_take_nothing_back():
    inbox = predictions.receive(port=0)
    try:
        one = {"question": "q", "choices": [], "answer": "7", "right": False, "mistake": ""}
        shared = {"version": 1, "by": "a", "answers": [one, {**one, "question": "r"}]}
        inbox.take(json.dumps(shared).encode())
        inbox.take(json.dumps({**shared, "answers": [one]}).encode())
        assert len(inbox.histograms().questions) == 2
    finally:
        inbox.close()


def test_who_reads_the_folder_while_answers_arrive_finds_whole_files(tmp_path):
    inbox = predictions.receive(port=0, folder=tmp_path)
    one = {"question": "q", "choices": [], "answer": "7", "right": False, "mistake": ""}
    answers = [{**one, "question": f"{i} {'q' * 1000}"} for i in range(100)]
    content = json.dumps({"version": 1, "by": "a", "answers": answers}).encode()
    inbox.take(content)

    def arrive():
        for _ in range(200):
            inbox.take(content)

    arriving = [threading.Thread(target=arrive) for _ in range(2)]
    try:
        for thread in arriving:
            thread.start()
        while any(thread.is_alive() for thread in arriving):
            found = predictions.of_folder(tmp_path)
            assert (found.learners, found.unread) == (1, [])
    finally:
        for thread in arriving:
            thread.join()
        inbox.close()


def test_what_is_no_prediction_is_refused_by_the_inbox():
    inbox = predictions.receive(port=0)
    try:
        shared = lesson.share_predictions(f"http://127.0.0.1:{inbox.port}")
        shared.put('{"version": 1, "by": "../x", "answers": [3]}')
        assert "HTTP Error 400" in shared.trouble
        assert inbox.histograms().learners == 0
    finally:
        inbox.close()
