"""``save`` and ``load``: tensors, and state dicts made of them, in files that hold data alone.

PyTorch's own files are pickles, programs that run when they are read. Here a file is a table of
arrays, ``.safetensors`` or NumPy's ``.npz``. What is more than one dictionary of tensors (numbers,
dictionaries in dictionaries) is described by a text in JSON that goes with the arrays.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import re
from typing import Any

import numpy as np

from . import dtypes
from ._tensor import Tensor
from ._values import rebuilt
from .compat.arguments import ensure
from .compat.devices import on_cpu

LAYOUT = "minigrad.layout"
"""The name of the text that says how the arrays belong together."""

RESERVED = (LAYOUT, "__metadata__")

PLAIN = (bool, int, float, str, type(None))

PLAIN_NAME = re.compile(r"[\w-]+([./: ][\w-]+)*")
"""Paths that every reader of both formats takes as they are. Others would be cut at a zero, lie
outside a folder, or be read as another's: their arrays get numbers, and the layout the keys."""

LONGEST_NAME = 1000

DEEPEST = 100
"""How deep what is saved may be nested: far less than reading it, which is recursive, can bear."""


def library(name: str) -> Any:
    """A module that is loaded when it is needed: imports of minigrad stay quick."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        text = ".safetensors files need a library: pip install 'minigrad-lab[saving]'"
        text += "\n  or use the suffix .npz, which needs none."
        raise ModuleNotFoundError(text, name=error.name) from None


def name_for(path: str, arrays: dict[str, Any]) -> str:
    """The name under which an array is stored: its path, or, if that is not plain, a number."""
    plain = len(path) <= LONGEST_NAME and PLAIN_NAME.fullmatch(path)
    if plain and path not in arrays and path not in RESERVED:  # {"a.b": …, "a": {"b": …}}
        return path
    return f"#{len(arrays)}"  # which is not plain, so nobody else's


def described(part: Any, path: str, arrays: dict[str, Any], depth: int = 0) -> Any:
    """What JSON holds of a part: numbers and texts as they are, the kind and place of the rest."""
    ensure(depth <= DEEPEST, TOO_DEEP, error=ValueError)
    if isinstance(part, Tensor):
        name = name_for(path or "tensor", arrays)
        arrays[name] = np.asarray(part._array, order="C")
        return ["tensor", name, part.requires_grad]
    if isinstance(part, np.generic):
        part = part.item()
    inside = f"{path}." if path else ""
    if isinstance(part, dict):
        pairs = []
        for key, value in part.items():
            ensure(isinstance(key, PLAIN), REFUSED, "dict key", error=TypeError)
            content = described(value, f"{inside}{key}", arrays, depth + 1)
            pairs.append([described(key, "", arrays), content])
        return ["dict", pairs]
    if isinstance(part, (list, tuple)):
        kind = "list" if isinstance(part, list) else "tuple"
        parts = [described(v, f"{inside}{i}", arrays, depth + 1) for i, v in enumerate(part)]
        return [kind, parts]
    ensure(isinstance(part, PLAIN), REFUSED, type(part).__name__, error=TypeError)
    if isinstance(part, str) and SURROGATE.search(part):
        return ["text", [ord(letter) for letter in part]]  # JSON would join two to one letter
    return part


SURROGATE = re.compile("[\ud800-\udfff]")

REFUSED = (
    "cannot save a {}: minigrad saves tensors, numbers and texts, and dicts, lists and tuples of "
    "these.\n  fix: save a state dict, as in minigrad.save(model.state_dict(), path)"
)
TOO_DEEP = (
    f"cannot save what is nested more than {DEEPEST} levels deep, or contains itself.\n"
    "  fix: save a flat list, or a dict of tensors by name"
)


def restored(part: Any, arrays: dict[str, Any]) -> Any:
    """What ``described`` has described."""
    if not isinstance(part, list):
        return part
    kind, content, *rest = part
    if kind == "tensor":
        # Taken out, since no array is named twice: copies of one could fill the memory.
        return as_leaf(arrays.pop(content), *rest)
    if kind == "text":
        return "".join(map(chr, content))
    if kind == "dict":
        return {restored(key, arrays): restored(value, arrays) for key, value in content}
    return {"list": list, "tuple": tuple}[kind](restored(value, arrays) for value in content)


def as_leaf(array: Any, requires_grad: bool = False) -> Any:
    """A tensor of an array that was read. Raises TypeError for a dtype that there is none for."""
    dtype = array.dtype.newbyteorder("=")
    dtypes.of(np.empty(0, dtype))  # before anything is copied
    return rebuilt(Tensor, np.array(array, dtype), bool(requires_grad))


def save(obj: Any, f: Any) -> None:
    """Write tensors, numbers, texts, and dicts, lists and tuples of these to a file.

    ``f`` is a path, or a file opened for writing in binary mode. A path that ends in
    ".safetensors" gets that format, which PyTorch's users read by ``safetensors.torch``; it needs
    the extra ``minigrad-lab[saving]``. All others get NumPy's ``.npz``. An old file stays whole
    until the new one is complete. Of tensors, the values and ``requires_grad`` are kept, not the
    history; two that share memory are saved, and come back, as two.

    Raises TypeError for anything else, such as a model: save its ``state_dict()``.
    Counterpart: ``torch.save``, whose files are pickles.

    >>> import io
    >>> import minigrad as torch
    >>> file = io.BytesIO()
    >>> torch.save({"weight": torch.ones(2), "epoch": 3}, file)
    >>> _ = file.seek(0)
    >>> torch.load(file)
    {'weight': tensor([1., 1.]), 'epoch': 3}
    """
    arrays: dict[str, Any] = {}
    layout = described(obj, "", arrays)
    flat = ["dict", [[name, ["tensor", name, False]] for name in arrays]]
    text = {}
    if layout != flat:
        text[LAYOUT] = library("json").dumps(layout)
    if not hasattr(f, "write") and os.fspath(f).endswith(".safetensors"):
        data = library("safetensors.numpy").save(arrays, metadata={"format": "pt", **text})
    else:
        file = io.BytesIO()
        with library("zipfile").ZipFile(file, "w") as archive:  # as np.savez, but for any name
            for name, value in (*arrays.items(), *text.items()):
                with archive.open(f"{name}.npy", "w", force_zip64=True) as part:
                    np.lib.format.write_array(part, np.asarray(value), allow_pickle=False)
        data = file.getvalue()
    if hasattr(f, "write"):
        f.write(data)
    else:
        replace_file(os.path.realpath(f), data)


def replace_file(path: str, data: bytes) -> None:
    """Write a file, or leave the old one as it was: the new one is made beside it."""
    usual = os.path.isfile(path) or not os.path.exists(path)
    ensure(usual, "{} is not a file that a new one could replace", path, error=OSError)
    beside = f"{path}.{os.urandom(4).hex()}.part"
    try:
        with open(beside, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if os.path.exists(path):
            os.chmod(beside, os.stat(path).st_mode)
        os.replace(beside, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.remove(beside)
        raise


PICKLED = (
    "{} is a pickle, as PyTorch's torch.save writes it: a program that runs when it is read. "
    "minigrad does not read it.\n  fix: in PyTorch, for a file that you trust: "
    'safetensors.torch.save_file(torch.load("old.pt"), "new.safetensors")'
)


TEXT = 'the file is open as text, not in binary mode.\n  fix: open it by open(path, "rb")'
EMPTY = (
    "{} holds no tensors that minigrad can read, or it is damaged: there is nothing to read.\n"
    "  fix: after writing to an open file, go back to its beginning: file.seek(0)"
)


def load(f: Any, map_location: Any = None, *, weights_only: bool | None = None) -> Any:
    """Read what ``save`` has written: a path, or a file opened for reading in binary mode.

    Also the ``.safetensors`` files of others, and ``.npz`` files, as dictionaries of tensors.
    Nothing in a file is ever run. ``map_location`` may name the CPU; ``weights_only`` changes
    nothing, since there is nothing but data.

    Raises RuntimeError for a damaged file, and for PyTorch's pickles.
    Counterpart: ``torch.load``.

    >>> import io
    >>> import minigrad as torch
    >>> torch.load(io.BytesIO(b"no tensors"))
    Traceback (most recent call last):
    RuntimeError: the file holds no tensors that minigrad can read, or it is damaged.
      fix: write it again by save()
    """
    on_cpu(map_location)
    if hasattr(f, "read"):
        name = "the file"
        data = f.read()
    else:
        name = repr(os.fspath(f))
        with open(os.fsdecode(f), "rb") as file:
            data = file.read()
    ensure(not isinstance(data, str), TEXT, error=TypeError)
    ensure(data, EMPTY, name)
    ensure(not is_pickle(data), PICKLED, name)
    try:
        if is_zip(data):
            arrays, layout = from_npz(data)
        else:
            arrays, layout = from_safetensors(data)
        if layout is None:
            return {key: as_leaf(array) for key, array in arrays.items()}
        # Each NaN as a number of its own, so that two stay two keys.
        return restored(library("json").loads(layout, parse_constant=float), arrays)
    except ModuleNotFoundError:
        raise
    except Exception as error:  # whatever is wrong with the bytes: they were only looked at
        text = f"{name} holds no tensors that minigrad can read, or it is damaged."
        raise RuntimeError(f"{text}\n  fix: write it again by save()") from error


def is_zip(data: bytes) -> bool:
    """Is it an archive, as .npz files and PyTorch's are?"""
    return data[:2] == b"PK"


def is_pickle(data: bytes) -> bool:
    """Is it a pickle, or PyTorch's archive of one? (.safetensors may begin with the same byte.)"""
    if is_zip(data):
        return b"/data.pklPK" in data
    is_safetensors = data[8:9] == b"{"
    return data[:1] == b"\x80" and not is_safetensors


def from_npz(data: bytes) -> tuple[dict[str, Any], Any]:
    """The arrays of NumPy's format, and the text that describes them, if there is one."""
    with library("zipfile").ZipFile(io.BytesIO(data)) as archive:
        parts = archive.infolist()
        unpacked = sum(part.file_size for part in parts)
        ensure(unpacked <= max(100 * len(data), 2**28), "unpacks to {} bytes", unpacked)
        names = [part.filename.removesuffix(".npy") for part in parts]
        ensure(len(set(names)) == len(names), "two arrays have one name")
        arrays = {name: array_in(archive.read(part)) for name, part in zip(names, parts)}
    layout = arrays.pop(LAYOUT, None)
    if layout is None:
        return arrays, None
    ensure(layout.nbytes <= max(len(data), 2**22), "a layout of {} bytes", layout.nbytes)
    return arrays, layout.item()


def array_in(data: bytes) -> Any:
    """The array of an .npy file: its header, and then its numbers, where they lie.

    Unlike ``np.load``, it takes no memory for what a header promises and the file does not hold.
    """
    file = io.BytesIO(data)
    header = HEADERS[np.lib.format.read_magic(file)]
    shape, in_columns, dtype = header(file)
    ensure(min(shape, default=0) >= 0, "a size below zero")
    order: Any = "F" if in_columns else "C"
    return np.ndarray(shape, dtype, data, file.tell(), order=order)


HEADERS: dict[Any, Any] = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}


def from_safetensors(data: bytes) -> tuple[dict[str, Any], Any]:
    """The same of a .safetensors file: the length of a header in JSON, that, and the bytes."""
    length = int.from_bytes(data[:8], "little")
    ensure(8 + length <= len(data) and data[8:9] == b"{", "not safetensors")
    arrays = library("safetensors.numpy").load(data)
    header = library("json").loads(data[8 : 8 + length])
    return arrays, header.get("__metadata__", {}).get(LAYOUT)
