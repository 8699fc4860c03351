"""Variables: which of them can be shown, and what tells that one was changed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from minigrad.engine.node import LEAF, Node, TensorBase
from minigrad.errors import is_variable, parameters_in
from minigrad.tape.recorder import version_of
from minigrad.tape.values import CORNER, Captured, capture, number, summary, text_of

PLAIN = (int, float, bool, complex, str, type(None))
HOLDERS = (list, tuple, dict, set, frozenset)
FEW = 6  # so many plain values of a list are written out
LONG = 40  # letters of a text


class Change(NamedTuple):
    """A variable, or the gradient of one, has another value, or none any more."""

    name: str
    value: Captured | str | None  # of a plain value its text; None: it is gone
    key: str  # of the tensor on the tape whose gradient it is, or ""


class Seen(NamedTuple):
    """A variable as it stands: what tells a change, and what to take its value from."""

    mark: Any
    value: Any
    key: str = ""

    def taken(self) -> Captured | str:
        """Its value, kept."""
        if is_tensor(self.value):
            return capture(self.value._array)
        return str(self.value)


class Names:
    """What a namespace holds that can be shown: tensors, gradients, plain values, parameters."""

    def __init__(self, key_of: Any, block: Names | None = None) -> None:
        self._key_of = key_of  # of a leaf: its key on the tape
        self._block = block  # of a call: the names of the block, whose parameters it need not show
        self.leaves: dict[str, str] = {}  # by their keys on the tape: the first names they had
        if block is not None:
            self.leaves = block.leaves
        self._modules: list[tuple[str, int]] = []
        self._parameters: list[tuple[str, Any]] = []

    def seen(self, namespace: Mapping[str, Any], wanted: Iterable[str]) -> dict[str, Seen]:
        """These names, as far as they stand for something that can be shown."""
        found: dict[str, Seen] = {}
        modules: dict[str, Any] = {}
        for name in wanted:
            if name not in namespace or not is_variable(name):
                continue
            value = namespace[name]
            if is_tensor(value):
                self._take(name, value, found, self._block is None)
            elif hasattr(type(value), "named_parameters"):
                if name != "self":
                    modules[name] = value
            else:
                text = plain(value)
                if text is not None:
                    found[name] = Seen((type(value), text), text)
        for name, value in self._of_modules(modules):
            if name not in found:
                self._take(name, value, found, True)
        return found

    def _take(self, name: str, tensor: Any, found: dict[str, Seen], names_it: bool) -> None:
        node = tensor._node
        seq = node.seq if isinstance(node, Node) else 0
        found[name] = Seen((*mark_of(tensor), seq), tensor)
        grad = tensor._grad
        if grad is None and node is not LEAF:
            return
        key = self._key_of(tensor) or ""
        if key and names_it and node is LEAF:
            self.leaves.setdefault(key, name)
        if grad is None:
            found[f"{name}.grad"] = Seen(None, None, key)
        else:
            found[f"{name}.grad"] = Seen(mark_of(grad), grad, key)

    @property
    def parameters(self) -> set[int]:
        """The identities of those that are shown."""
        return {id(value) for _, value in self._parameters}

    def _of_modules(self, modules: dict[str, Any]) -> list[tuple[str, Any]]:
        """The parameters of these modules, looked up anew when there are other modules."""
        marks = [(name, id(module)) for name, module in modules.items()]
        if marks != self._modules:
            self._modules = marks
            outer = set() if self._block is None else self._block.parameters
            found = [one for some in parameters_in(modules) for one in some]
            self._parameters = [one for one in found if id(one[1]) not in outer]
        return self._parameters


def is_tensor(value: Any) -> bool:
    """Is it a tensor? Its type is asked: a stranger's object may run a stranger's code."""
    return issubclass(type(value), TensorBase)


def mark_of(tensor: Any) -> tuple[Any, ...]:
    """What tells that a tensor was written: its writes, and what can be seen of its numbers.

    For memory may be written to by others, too: a NumPy array that shares it.
    """
    array = tensor._array
    part = array[(0,) * max(0, array.ndim - 2)] if array.size else array
    corner = part[(slice(CORNER),) * part.ndim]
    return id(tensor), version_of(tensor)[0], array.shape, corner.tobytes()


def plain(value: Any) -> str | None:
    """The text of a plain value, or of how many a container holds; None of anything else."""
    kind = type(value)
    if kind in PLAIN:
        return written(value)
    if kind not in HOLDERS:
        return None
    if kind in (list, tuple) and len(value) <= FEW and all(type(one) in PLAIN for one in value):
        inner = ", ".join(map(written, value))
        return f"[{inner}]" if kind is list else f"({inner}{',' if len(value) == 1 else ''})"
    return f"a {kind.__name__} of {len(value)}"


def written(value: Any) -> str:
    if type(value) is float:
        return number(value)
    text = repr(value) if type(value) is not int or abs(value) < 10**LONG else "a large integer"
    return text if len(text) <= LONG else f"{text[: LONG - 1]}…"


def changes(
    before: Mapping[str, Seen], now: Mapping[str, Seen], assigned: Collection[str]
) -> list[Change]:
    """What was written between: other values, and names that were assigned to the same one."""
    found = []
    for name, seen in now.items():
        old = before.get(name)
        if old is not None and old.mark == seen.mark and name not in assigned:
            continue
        if name.endswith(".grad") and seen.mark is None and (old is None or old.mark is None):
            continue  # it has none, and had none
        found.append(Change(name, seen.taken(), seen.key))
    for name, seen in before.items():
        had_none = name.endswith(".grad") and seen.mark is None
        if name not in now and not had_none:
            found.append(Change(name, None, ""))
    return found


def as_data(change: Change, call: int, most: int) -> dict[str, Any]:
    """A change as the page gets it (``Change`` in ``recording.ts``)."""
    value = change.value
    if not isinstance(value, Captured):
        return {"name": change.name, "call": call, "value": None, "text": value}
    told = summary(value, most)
    return {"name": change.name, "call": call, "value": told, "text": text_of(value)}
