"""What the site serves of its packages, and how large its parts are said to be."""

from __future__ import annotations

import json
import zipfile

from website import downloads, sizes, slim


def archive(path, *names):
    with zipfile.ZipFile(path, "w") as files:
        for name in names:
            files.writestr(name, f"content of {name}")
    return path


def test_what_is_not_read_is_left_out_and_the_rest_is_as_it_was(tmp_path):
    wheel = archive(tmp_path / "a-1-py3-none-any.whl", "a/one.py", "a/fonts/x.afm", "a/two.py")
    slim.leave_out(wheel, ["*/fonts/*"])
    with zipfile.ZipFile(wheel) as files:
        assert files.namelist() == ["a/one.py", "a/two.py"]
        assert files.read("a/two.py") == b"content of a/two.py"
    assert list(tmp_path.iterdir()) == [wheel]


def test_the_lock_file_tells_of_the_wheels_as_they_are_served(tmp_path, monkeypatch):
    monkeypatch.setattr(slim, "LEFT_OUT", {"draws": ["*.afm"]})
    monkeypatch.setattr(slim, "UNUSED", {"draws": {"fonts"}})
    monkeypatch.setattr(slim, "ABSENT", ["guesses", "unknown"])
    wheel = archive(tmp_path / "draws-1-py3-none-any.whl", "draws/__init__.py", "draws/x.afm")
    packages = {
        "draws": {"file_name": wheel.name, "sha256": "", "depends": ["fonts", "numbers"]},
        "guesses": {"file_name": "guesses.whl", "sha256": "", "depends": ["more"]},
    }
    (tmp_path / "pyodide-lock.json").write_text(json.dumps({"packages": packages}))
    slim.slim(tmp_path)
    told = downloads.packages_of(tmp_path)
    assert told["draws"]["depends"] == ["numbers"] and told["guesses"]["depends"] == []
    for package in told.values():
        assert downloads.sha256(tmp_path / package["file_name"]) == package["sha256"]
    with zipfile.ZipFile(tmp_path / told["guesses"]["file_name"]) as nothing:
        assert nothing.namelist() == []


def test_a_page_weighs_what_it_shows_and_nothing_twice(folder):
    front, lesson = sizes.page_parts(folder)
    assert front.gzipped < 100_000 and lesson.gzipped < 300_000
    names = {file.name for file in front.files}
    assert names == {
        *("index.html", "index.json", "site.css", "views.js"),
        *("minigrad.css", "backward_stepper.js"),
    }
