"""``save`` and ``load``: what comes back is what was saved, and no file can do harm."""

from __future__ import annotations

import base64
import io
import json
import os
import pickle
import sys
import tracemalloc
import zipfile
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad as torch
from minigrad import serialization

if sys.platform == "emscripten":
    pytest.skip("the package safetensors is compiled, not for browsers", allow_module_level=True)

import safetensors.numpy

SUFFIXES = [".npz", ".safetensors", ".pt"]

# What PyTorch 2.13's safetensors.torch.save made of these tensors.
THEIR_TENSORS = {
    "weight": torch.tensor([[1.0, -2.0], [3.5, 0.25]]),
    "bias": torch.tensor([0.5], dtype=torch.float64),
    "steps": torch.tensor(7),
    "mask": torch.tensor([True, False]),
}
THEIRS = base64.b64decode(
    "EAEAAAAAAAB7Il9fbWV0YWRhdGFfXyI6eyJmb3JtYXQiOiJwdCJ9LCJzdGVwcyI6eyJkdHlwZSI6Ikk2NCIsInNoYXBl"
    "IjpbXSwiZGF0YV9vZmZzZXRzIjpbMCw4XX0sImJpYXMiOnsiZHR5cGUiOiJGNjQiLCJzaGFwZSI6WzFdLCJkYXRhX29m"
    "ZnNldHMiOls4LDE2XX0sIndlaWdodCI6eyJkdHlwZSI6IkYzMiIsInNoYXBlIjpbMiwyXSwiZGF0YV9vZmZzZXRzIjpb"
    "MTYsMzJdfSwibWFzayI6eyJkdHlwZSI6IkJPT0wiLCJzaGFwZSI6WzJdLCJkYXRhX29mZnNldHMiOlszMiwzNF19fSAg"
    "ICAgIAcAAAAAAAAAAAAAAAAA4D8AAIA/AAAAwAAAYEAAAIA+AQA="
)
THEIR_BFLOAT16 = base64.b64decode(
    "OAAAAAAAAAB7ImgiOnsiZHR5cGUiOiJCRjE2Iiwic2hhcGUiOlsyXSwiZGF0YV9vZmZzZXRzIjpbMCw0XX19IIA/gD8="
)
# And torch.save of {"w": torch.ones(2)}; of {"w": torch.ones(1)} in the format of old versions.
THEIR_PICKLES = [
    zlib.decompress(base64.b64decode(text))
    for text in (
        "eNqlVM9r1EAUniTdZI267QpS2kPPK+h2k+zPFl0IkksO7q4oi5eQJuMaTDedZHaLglCQRbyIF68e/CcE/wGPoiB48KQnT4In"
        "wYszmzadpDal9cEwJHnf9743+d70TGEBgGIRHIklcAnYofPAm8J118Z2deehb+glcC8Ve/wTBIYcyd9FnIMDAqhaE+z5kWyFcGvi"
        "+a6F4TgKQmuqyoivVIYSSY5Ipj2CSIghsuEHNr4dv5TRwpywhgpDgezOzgSJJo+R1DeByc9Q0eRm6Nxzxwl8HzrYC8aRfCt0YQjd"
        "m56DZSRfGaDzGF0YoItRtWdKxY135WdvCBVdvWM7XgYrScfV+0G4bWNrCsOIFDD0y5nG90Oh9G9/fn1KFXO59KugdUi/fwCW7Xuj"
        "8TYcY0PX/l0hP5p1KqC7i37wpASfK6AMuomArUcYBvTMDH3zLHUPwvcw9iHVMLv+fUUkVcRcDSVwI+Wq9Zqhb/yHAAD2unRRBS/7"
        "4mdaspirYBFsJgqSv9s6qwRNppU/vh7dOfn814B6aIB58xEMPeKAxzY1seW5hl49pRCl0VLbSqfTUJR2o96sazW1WWto7Yamddp1"
        "TVGanZba0lSq8tWLP98qREdlrpKjYhOd7IQsHVGevQeyaHYAllPIXww6M1NZEtbEqymSPgdyJifLwxqxnOL5xPAkA5CFsy4qpeB3"
        "eZDxbhbL+mAxhf3CYI/pn/09aynwQAAnGKdniuLVA5sJ1xKklNk/cPH+W4h3gpt/el+In+MbrCDGGGmeH+f+BZOnWbo=",
        "eNptTz1LA0EQva8YXY3Y2lmeTbjEgKSykTSHX7HZRpZzb0lWltvM7lxEIXCNoP4Gf4B/zZ8gWDjntU4xMG/evHmvid6Z+fmYfR89"
        "fF4fDpvo4iumvoEg5QdBEKycRSutEWvlvLYVhETgA9oYjWiUUFWpiwqiV84IxKeVEl4/Kw/xBpKU9wj0S+sQennEY5p0hbCVJzxp"
        "NWy1gH6e1HX3k4cEPkIo0Tq5HIoatfFMOHVfa1MKVJW3TqzHDKI05f1Wm5jFQkHcnbCZsQXediCDhO8TZzoZZ9l0NMlOTkfZBHp/"
        "NuSqJhvhJUL/Jg/y8AW227bzJimtURIprGdXrlROledaIgN2PIddhL05DDz5vSO//8iHxbBN0VVz9guS3mNY",
    )
]


def same(a, b):
    """Equal in values, types and structure."""
    if isinstance(a, torch.Tensor):
        return (
            isinstance(b, torch.Tensor)
            and (a.dtype, a.shape, a.requires_grad) == (b.dtype, b.shape, b.requires_grad)
            and np.array_equal(a.numpy(force=True), b.numpy(force=True), equal_nan=True)
        )
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and (a == b or a != a)


def and_back(obj, path):
    torch.save(obj, path)
    return torch.load(path)


OBJECTS = {
    "a tensor": torch.tensor([[1.0, 2.0]]),
    "a number's tensor": torch.tensor(3.0, dtype=torch.float64),
    "an empty tensor": torch.zeros(0, 3),
    "each dtype": {
        str(d): torch.ones(2).to(d)
        for d in (
            torch.float32,
            torch.float64,
            torch.uint8,
            torch.int8,
            torch.int16,
            torch.int32,
            torch.int64,
            torch.bool,
        )
    },
    "a state dict": {"0.weight": torch.rand(3, 2), "0.bias": torch.zeros(3)},
    "nothing": {},
    "None": None,
    "not a number": {"loss": float("nan"), "best": float("inf"), "t": torch.tensor(float("nan"))},
    "a checkpoint": {
        "epoch": 3,
        "lr": 0.1,
        "name": "größe",
        "done": False,
        "none": None,
        "model": {"w": torch.rand(2)},
        "optimiser": {
            "state": {0: {"step": torch.tensor(1.0)}},
            "param_groups": [{"betas": (0.9, 0.999), "params": [0]}],
        },
    },
    "a leaf": torch.tensor([1.0], requires_grad=True),
    "strange keys": {
        "file": torch.ones(1),
        "a/b": torch.ones(2),
        "": torch.ones(3),
        "..": 1,
        "x/data.pkl": torch.ones(1),
        "minigrad.layout": torch.ones(1),
        "__metadata__": torch.ones(1),
    },
    "paths that collide": {"a.b": torch.zeros(1), "a": {"b": torch.ones(1)}, 0: {}, "0": 1},
    "a transposed tensor": torch.arange(6).reshape(2, 3).T,
    "an expanded tensor": torch.ones(1, 2).expand(3, 2),
    "a part of a tensor": torch.arange(10)[::3],
}


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("name", OBJECTS)
def test_what_is_loaded_is_what_was_saved(name, suffix, tmp_path):
    assert same(and_back(OBJECTS[name], tmp_path / f"file{suffix}"), OBJECTS[name])


def test_a_state_dict_keeps_its_order_in_npz_files(tmp_path):
    names = ["b.weight", "b.bias", "a.weight"]
    state = {name: torch.ones(1) for name in names}
    assert list(and_back(state, tmp_path / "file.npz")) == names


@pytest.mark.parametrize("length", range(200))
def test_a_header_of_any_length_is_read(length):
    # One of 128 bytes makes the file begin like a pickle.
    data = safetensors.numpy.save({"w": np.ones(2, np.float32)}, {"note": "x" * length})
    assert torch.load(io.BytesIO(data))["w"].tolist() == [1, 1]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_is_loaded_can_be_written_to(suffix, tmp_path):
    loaded = and_back({"w": torch.ones(2), "n": torch.tensor(1)}, tmp_path / f"file{suffix}")
    loaded["w"].mul_(2)
    loaded["n"] += 1
    assert loaded["w"].tolist() == [2, 2] and loaded["n"].item() == 2


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_training_goes_on_from_a_file_as_if_it_had_not_stopped(suffix, tmp_path):
    def begin():
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        optimiser = torch.optim.Adam([w], lr=0.1, amsgrad=True)
        return w, optimiser, torch.optim.lr_scheduler.MultiStepLR(optimiser, [2, 5])

    def train(w, optimiser, scheduler, count=4):
        for _ in range(count):
            optimiser.zero_grad()
            ((w - 3) ** 2).sum().backward()
            optimiser.step()
            scheduler.step()

    first = begin()
    train(*first)
    states = {"w": first[0].detach(), "o": first[1].state_dict(), "s": first[2].state_dict()}
    loaded = and_back(states, tmp_path / f"file{suffix}")
    again = begin()
    again[0].data = loaded["w"]
    again[1].load_state_dict(loaded["o"])
    again[2].load_state_dict(loaded["s"])
    train(*first)
    train(*again)
    assert torch.equal(first[0], again[0])


def test_files_that_are_open_can_be_written_to_and_read():
    file = io.BytesIO()
    torch.save({"w": torch.ones(2)}, file)
    file.seek(0)
    assert torch.load(file)["w"].tolist() == [1, 1]


def test_paths_may_be_texts_or_objects(tmp_path):
    torch.save(torch.ones(1), str(tmp_path / "file"))
    assert torch.load(os.fsencode(tmp_path / "file")).item() == 1


TEXTS = st.text(st.characters(), max_size=6) | st.sampled_from(["..", "a\0b", "/a", "w.npy", "#0"])
KEYS = TEXTS | st.booleans() | st.none() | st.integers() | st.floats(allow_nan=False)
TENSORS = st.integers(0, 3).map(lambda size: torch.arange(size) * 1.5)
LEAVES = TENSORS | TENSORS | TEXTS | st.integers() | st.floats() | st.booleans() | st.none()
NESTINGS = st.recursive(
    LEAVES,
    lambda parts: (
        st.lists(parts, max_size=3)
        | st.lists(parts, max_size=3).map(tuple)
        | st.dictionaries(KEYS, parts, max_size=4)
    ),
    max_leaves=12,
)


def through(obj, suffix, folder):
    path = folder / f"file{suffix}"
    path.unlink(missing_ok=True)
    return and_back(obj, path)


@pytest.mark.parametrize("suffix", [".npz", ".safetensors"])
@given(obj=NESTINGS)
@settings(max_examples=150, deadline=None, derandomize=True)
def test_any_nesting_comes_back_as_it_was(suffix, tmp_path_factory, obj):
    assert same(through(obj, suffix, tmp_path_factory.getbasetemp()), obj)


ALIKE = [  # keys that a file system, a zip archive or NumPy would take for one another
    ("a\0b", "a\0c"),
    ("w", "w.npy"),
    ("a/b", "a\\b"),
    ("a", "/a"),
    ("a", "./a"),
    ("W", "w"),
    ("\u00e9", "e\u0301"),
    ("", "tensor"),
    (1, "1"),
    (None, "None"),
    (True, "True"),
    (1.5, "1.5"),
    ("x" * 70_000, "x" * 70_001),
    ("\ud83d\ude00", "\U0001f600"),
    ("\ud800", "?"),
    ("#0", "a\0"),
    ("..", "."),
    ("minigrad.layout", "__metadata__"),
    ("a ", "a"),
]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("keys", ALIKE, ids=range(len(ALIKE)))
def test_keys_that_are_alike_stay_two(keys, suffix, tmp_path):
    state = {key: torch.tensor([number]) for number, key in enumerate(keys)}
    loaded = and_back(state, tmp_path / f"file{suffix}")
    assert same(loaded, state)


def test_two_keys_that_are_no_numbers_stay_two(tmp_path):
    state = {float("nan"): torch.ones(1), float("-nan"): torch.zeros(1)}
    loaded = and_back(state, tmp_path / "file.npz")
    assert [value.item() for value in loaded.values()] == [1, 0]


def test_names_of_ordinary_parameters_are_those_in_the_file(tmp_path):
    names = ["0.weight", "encoder.layer-1.größe", "dense/kernel:0", "layer 1.bias"]
    torch.save({name: torch.ones(1) for name in names}, tmp_path / "w.npz")
    torch.save({name: torch.ones(1) for name in names}, tmp_path / "w.safetensors")
    with np.load(tmp_path / "w.npz", allow_pickle=False) as file:
        assert list(file) == names
    assert set(safetensors.numpy.load_file(tmp_path / "w.safetensors")) == set(names)


# What earlier versions made of this object, whose paths collide.
EARLIER = {
    ".npz": (
        "eNoL8GZm0WWAAEWGQLPw4v9QwM4gwpCol6SXV1DJyCDA0AJVBKMn+4X6BkQyMpQxVKunpBYnF6lbKajbpJmo6yio"
        "p+UXlRQl5sXnF6WkgsTdEnOKU4HixRmJBalAvoahjqaOQq0CBYCLgaHBPgDF8TV2k2RgjmcFOt4Y5vQOqJIOajjd"
        "iDpOx3S+evOmfzDnc0DCXn3wBj4DA6rrY50zLGGuFwa6PjczLzO9KDFFLyexMr+0BOaRBUwQDTAau0dCDY3NiPIK"
        "xR6JBrpBCYhTgDgTiJOBuAQqpgPECkAcDcUgsUQg1gPiJCxqlKB6U4E4D4iLgTgfiIvQ1OIzJw0qlwPVDzIrForR"
        "7ULWZ4RFjTEF7jOmwF2JOMKG2DCmZtiqk+APbDjAm5FJlxm1gGyBZkR2BgRoYASR0OISXROoYOqAlj+sKJr2goIa"
        "mxZQYQCzhwNFSw0jA7xoQNcFyoSgnAXCwii6rIAiWLJkgDcrG0gBCxDeB9LyYOcBAJfO9g0="
    ),
    ".safetensors": (
        "eNqVT8sKgzAQTP9E9uIllGqgiJfe+hMqYdvEVlAjJj2ICH56kyCtVDx0IDAz2dnHfCAeI3DeSIMCDXIO6QhN1VaP"
        "HsWxxkG9DKSQ5SCqu8mBBpnleLx5moORrVa9Ex+3xFrLovDfTseOsk01+63FpeV60M6YcJX1AAql6ht0u3YGJgrM"
        "HSLM0ElrXVlsK/QTncrsQuCPVWWppdHWOtGksCHbej8WbWMJjeIlF/4VjGIanYtpCiwImS/fR8gbP2l2dQ=="
    ),
}


@pytest.mark.parametrize("suffix", EARLIER)
def test_files_of_earlier_versions_are_read(suffix):
    data = zlib.decompress(base64.b64decode(EARLIER[suffix]))
    wanted = {"a.b": torch.ones(1), "": 2, 3: torch.ones(2), "a": {"b": torch.zeros(1)}}
    assert same(torch.load(io.BytesIO(data)), wanted)


# ------------------------------------------------------------------------------- to and from


def test_a_file_of_pytorchs_is_read(tmp_path):
    (tmp_path / "theirs.safetensors").write_bytes(THEIRS)
    loaded = torch.load(tmp_path / "theirs.safetensors")
    assert loaded.keys() == THEIR_TENSORS.keys()
    assert all(same(loaded[name], THEIR_TENSORS[name]) for name in loaded)


def test_a_state_dict_is_the_same_file_in_both_libraries(tmp_path):
    torch.save(THEIR_TENSORS, tmp_path / "ours.safetensors")
    assert (tmp_path / "ours.safetensors").read_bytes() == THEIRS


def test_the_tensors_of_a_checkpoint_are_there_for_other_readers(tmp_path):
    torch.save({"epoch": 3, "model": {"w": torch.ones(2)}}, tmp_path / "c.safetensors")
    arrays = safetensors.numpy.load_file(tmp_path / "c.safetensors")
    assert {name: array.tolist() for name, array in arrays.items()} == {"model.w": [1, 1]}
    torch.save({"w": torch.ones(2), "file": torch.zeros(1)}, tmp_path / "w.npz")
    with np.load(tmp_path / "w.npz", allow_pickle=False) as file:
        assert {name: file[name].tolist() for name in file} == {"w": [1, 1], "file": [0]}


def test_npz_files_of_numpys_are_read(tmp_path):
    np.savez(tmp_path / "a.npz", x=np.arange(3), y=np.array([1.5], ">f8"), z=np.float32(2))
    np.savez_compressed(tmp_path / "b.npz", zeros=np.zeros((1000, 1000)))
    loaded = torch.load(tmp_path / "a.npz")
    assert [loaded["x"].tolist(), loaded["y"].item(), loaded["z"].shape] == [[0, 1, 2], 1.5, ()]
    assert loaded["y"].dtype is torch.float64
    assert torch.load(tmp_path / "b.npz")["zeros"].shape == (1000, 1000)


def test_without_its_library_safetensors_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "safetensors.numpy", None)
    path = tmp_path / "file.safetensors"
    for action in (lambda: torch.save({}, path), lambda: torch.load(io.BytesIO(THEIRS))):
        with pytest.raises(ModuleNotFoundError, match=r"minigrad-lab\[saving\]"):
            action()
    assert not path.exists()


# ----------------------------------------------------------------------------------- refused


@pytest.mark.parametrize("pickled", THEIR_PICKLES)
def test_pickles_of_pytorchs_say_how_to_convert_them(pickled):
    wanted = r"is a pickle[^\n]*\n  fix: .*safetensors.torch.save_file"
    with pytest.raises(RuntimeError, match=wanted):
        torch.load(io.BytesIO(pickled))


class Trap:
    def __reduce__(self):
        return os.abort, ()


def test_a_pickle_is_never_run():
    arrays = io.BytesIO()
    with zipfile.ZipFile(arrays, "w") as archive, archive.open("w.npy", "w") as part:
        np.lib.format.write_array(part, np.array([Trap()], object), allow_pickle=True)
    for hostile in (pickle.dumps(Trap()), arrays.getvalue()):
        with pytest.raises(RuntimeError):
            torch.load(io.BytesIO(hostile))


@pytest.mark.parametrize(
    "obj", [object(), {"f": print}, {"s": {1, 2}}, [b"bytes"], {(1, 2): 3}, 1j]
)
def test_what_is_no_data_is_refused(obj, tmp_path):
    with pytest.raises(TypeError, match=r"(?s)cannot save a .*fix: save a state dict"):
        torch.save(obj, tmp_path / "file.npz")
    assert list(tmp_path.iterdir()) == []


def whole(suffix, tmp_path):
    torch.save({"w": torch.rand(5), "more": [1, {"v": torch.ones(2)}]}, tmp_path / f"f{suffix}")
    return (tmp_path / f"f{suffix}").read_bytes()


@pytest.mark.parametrize("suffix", [".npz", ".safetensors"])
def test_a_truncated_file_is_a_clear_error(suffix, tmp_path):
    data = whole(suffix, tmp_path)
    for length in range(len(data)):
        with pytest.raises(RuntimeError, match=r"(?s)damaged.*fix: "):
            torch.load(io.BytesIO(data[:length]))


@pytest.mark.parametrize("suffix", [".npz", ".safetensors"])
def test_a_corrupt_file_is_a_clear_error_or_other_numbers(suffix, tmp_path):
    data = whole(suffix, tmp_path)
    random = np.random.default_rng(0)
    for _ in range(1000):
        wrong = bytearray(data)
        for place in random.integers(len(data), size=random.integers(1, 4)):
            wrong[place] = random.integers(256)
        try:
            torch.load(io.BytesIO(bytes(wrong)))
        except RuntimeError as error:
            assert "fix: " in str(error)


def with_layout(layout):
    text = json.dumps(layout)
    return safetensors.numpy.save({"w": np.ones(2, np.float32)}, {serialization.LAYOUT: text})


@pytest.mark.parametrize(
    "layout",
    [
        [],
        ["tensor"],
        ["tensor", "v", False],
        ["set", []],
        ["dict", [1]],
        ["dict", [[[], 1]]],
        ["list", 3],
        ["tensor", "w", False, 1, 2],
    ],
)
def test_a_wrong_description_is_a_clear_error(layout):
    with pytest.raises(RuntimeError, match="damaged"):
        torch.load(io.BytesIO(with_layout(layout)))


def test_a_description_without_end_is_a_clear_error():
    deep = '["list",[' * 100_000 + "]]" * 100_000
    data = safetensors.numpy.save({}, {serialization.LAYOUT: deep})
    with pytest.raises(RuntimeError, match="damaged"):
        torch.load(io.BytesIO(data))


def claimed(shape, descr="<f8"):
    """An .npz file whose array says that it has this shape, and has no content."""
    file, header = io.BytesIO(), {"descr": descr, "fortran_order": False, "shape": shape}
    with zipfile.ZipFile(file, "w") as archive, archive.open("w.npy", "w") as part:
        np.lib.format.write_array_header_1_0(part, header)
    return file.getvalue()


@pytest.mark.parametrize("shape", [(10**15,), (10**30,), (-1,), (10**9, 10**9)])
def test_arrays_that_pretend_to_be_large_take_no_memory(shape):
    with pytest.raises(RuntimeError, match="damaged"):
        torch.load(io.BytesIO(claimed(shape)))


def test_a_file_that_unpacks_to_a_thousandfold_is_refused():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("w.npy", bytes(300_000_000))
    with pytest.raises(RuntimeError, match="damaged"):
        torch.load(file.seek(0) or file)


def test_an_array_that_a_description_names_twice_is_refused():
    file = io.BytesIO()
    np.savez(
        file,
        **{
            "w": np.ones(100_000),
            serialization.LAYOUT: json.dumps(["list", [["tensor", "w", False]] * 20_000]),
        },
    )
    with pytest.raises(RuntimeError, match="damaged"):
        torch.load(file.seek(0) or file)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_an_archive_that_names_an_array_twice_is_refused():
    file, part = io.BytesIO(), io.BytesIO()
    np.save(part, np.ones(2))
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("w.npy", part.getvalue())
        archive.writestr("w.npy", part.getvalue())
    with pytest.raises(RuntimeError, match="damaged"):
        torch.load(file.seek(0) or file)


@pytest.mark.parametrize("name", ["u0", "v0", "structured", "objects", "nested"])
def test_arrays_of_strange_dtypes_take_no_memory(name):
    descr = {
        "u0": "<U0",
        "v0": "|V0",
        "structured": [("a", "<f8", (10**7,))],
        "objects": "|O",
        "nested": [("a", [("b", "<f4")])],
    }
    data = claimed((10**9,), descr[name])
    tracemalloc.start()
    with pytest.raises(RuntimeError, match="damaged"):
        torch.load(io.BytesIO(data))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10_000_000


def test_a_description_that_is_far_longer_than_its_file_is_refused():
    file = io.BytesIO()
    np.savez_compressed(file, **{serialization.LAYOUT: '["list", [' + "0," * 10_000_000 + "0]]"})
    with pytest.raises(RuntimeError, match="damaged"):
        torch.load(file.seek(0) or file)


def safetensors_file(header, content=bytes(8)):
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + content


@pytest.mark.parametrize(
    "places",
    [
        [[0, 8], [0, 8]],
        [[0, 8], [4, 12]],
        [[0, 10**12]],
        [[8, 0]],
        [[-8, 0]],
        [[0, 4]],
        [[4, 8]],
    ],
)
def test_arrays_that_overlap_or_lie_outside_are_refused(places):
    of = {"dtype": "F32", "shape": [2]}
    header = {f"w{n}": {**of, "data_offsets": place} for n, place in enumerate(places)}
    with pytest.raises(RuntimeError, match="damaged"):
        torch.load(io.BytesIO(safetensors_file(header)))
    header["w0"]["shape"] = [2**62, 4]
    with pytest.raises(RuntimeError, match="damaged"):
        torch.load(io.BytesIO(safetensors_file(header)))


def test_what_is_nested_without_end_is_a_clear_error(tmp_path):
    ring = []
    ring.append(ring)
    deep = torch.ones(1)
    for _ in range(300):
        deep = {"inside": deep}
    for obj in (ring, deep):
        with pytest.raises(ValueError, match=r"(?s)nested more than 100 levels.*fix: "):
            torch.save(obj, tmp_path / "file.npz")
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_or_one_opened_as_text_says_what_to_do(tmp_path):
    file = io.BytesIO()
    torch.save(torch.ones(1), file)
    with pytest.raises(RuntimeError, match=r"(?s)nothing to read.*fix: .*seek\(0\)"):
        torch.load(file)
    with pytest.raises(TypeError, match=r'(?s)as text.*fix: .*"rb"'):
        torch.load(io.StringIO("text"))


@pytest.mark.parametrize("array", [np.array(["a"]), np.ones(2, np.float16), np.ones(1, complex)])
def test_arrays_that_no_tensor_can_hold_are_a_clear_error(array):
    file = io.BytesIO()
    np.savez(file, w=array)
    with pytest.raises(RuntimeError, match="fix: "):
        torch.load(file.seek(0) or file)


@pytest.mark.parametrize(
    "data", [b"", b"x", b"{}", b"PK", b"PK\x03\x04", b"\x00" * 100, THEIR_BFLOAT16]
)
def test_other_files_are_a_clear_error(data, tmp_path):
    (tmp_path / "other").write_bytes(data)
    with pytest.raises(RuntimeError, match="other' holds no tensors"):
        torch.load(tmp_path / "other")


def test_a_file_that_is_not_there_is_pythons_own_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        torch.load(tmp_path / "none")
    with pytest.raises(FileNotFoundError):
        torch.save({}, tmp_path / "none" / "file")


def test_there_is_no_other_device():
    file = io.BytesIO()
    torch.save(torch.ones(1), file)
    assert torch.load(file.seek(0) or file, map_location="cpu", weights_only=True).item() == 1
    with pytest.raises(AssertionError, match="CPU only"):
        torch.load(file.seek(0) or file, map_location="cuda")


# -------------------------------------------------------------------------------- interrupted


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device")])
@pytest.mark.parametrize("moment", ["fsync", "replace"])
def test_an_interrupted_save_leaves_the_old_file_whole(moment, error, tmp_path, monkeypatch):
    path = tmp_path / "model.npz"
    torch.save({"w": torch.ones(2)}, path)

    def fail(*args):
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(os, moment, fail)
        with pytest.raises(error if isinstance(error, type) else type(error)):
            torch.save({"w": torch.zeros(2)}, path)
    assert torch.load(path)["w"].tolist() == [1, 1]
    assert [file.name for file in tmp_path.iterdir()] == ["model.npz"]


def test_an_object_that_cannot_be_saved_leaves_the_old_file_whole(tmp_path):
    path = tmp_path / "model.npz"
    torch.save({"w": torch.ones(2)}, path)
    with pytest.raises(TypeError):
        torch.save({"w": torch.zeros(2), "f": print}, path)
    assert torch.load(path)["w"].tolist() == [1, 1]


@pytest.mark.skipif(os.name == "nt", reason="has other permissions")
def test_the_new_file_has_the_place_and_the_permissions_of_the_old_one(tmp_path):
    real, link = tmp_path / "real.npz", tmp_path / "link.npz"
    torch.save(torch.ones(1), real)
    real.chmod(0o640)
    link.symlink_to(real)
    torch.save(torch.zeros(1), link)
    assert link.is_symlink() and torch.load(real).item() == 0
    assert real.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(not os.path.exists("/dev/null"), reason="has no /dev/null")
def test_what_is_no_file_is_not_replaced(tmp_path):
    for path in (tmp_path, "/dev/null"):
        with pytest.raises(OSError, match="is not a file"):
            torch.save(torch.ones(1), path)
    assert not os.path.isfile("/dev/null")
