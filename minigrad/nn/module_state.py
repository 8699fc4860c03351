"""Loading a state dict: what is copied, and what is said of what does not fit."""

from __future__ import annotations

from collections import OrderedDict, namedtuple
from collections.abc import Iterable, Mapping
from typing import Any

from .._tensor import Tensor
from ..compat.arguments import ensure
from ..engine.modes import no_grad

EXTRA_STATE = "_extra_state"
NO_EXTRA_STATE = (
    "Reached a code path in Module that only a class of your own can fill: it has one half of "
    "the extra state.\n  fix: def {} in the class, too."
)


class _IncompatibleKeys(namedtuple("_IncompatibleKeys", "missing_keys unexpected_keys")):
    """What ``load_state_dict`` found missing, and what it did not expect."""

    __slots__ = ()

    def __repr__(self) -> str:
        return super().__repr__() if any(self) else "<All keys matched successfully>"


def load(module: Any, state_dict: Any, strict: bool) -> _IncompatibleKeys:
    """What ``Module.load_state_dict`` does."""
    text = "Expected state_dict to be dict-like, got {}.\n"
    text += "  fix: of a file, minigrad.load(path); of a model, model.state_dict()"
    ensure(isinstance(state_dict, Mapping), text, type(state_dict), error=TypeError)
    missing: list[str] = []
    unexpected: list[str] = []
    errors: list[str] = []
    load_tree(module, OrderedDict(state_dict), state_dict, "", missing, unexpected, errors)
    if not hasattr(state_dict, "_metadata"):  # older ones, too, which did not count batches
        missing = [key for key in missing if not key.endswith("num_batches_tracked")]
    if strict:
        errors = [*told("Missing", missing), *told("Unexpected", unexpected), *errors]
    text = f"Error(s) in loading state_dict for {type(module).__name__}:"
    ensure(not errors, "{}", "\n\t".join((text, *errors)))
    return _IncompatibleKeys(missing, unexpected)


def told(what: str, keys: list[str]) -> list[str]:
    """A line that names these keys, if there are any."""
    if not keys:
        return []
    quoted = ", ".join(f'"{key}"' for key in keys)
    return [f"{what} key(s) in state_dict: {quoted}. "]


def load_tree(module: Any, given: Any, whole: Any, prefix: str, *found: list[str]) -> None:
    """Load this module and all inside it; each sees the entries below its own path."""
    about = getattr(whole, "_metadata", {}).get(prefix[:-1], {})
    module._load_from_state_dict(given, prefix, about, True, *found)
    for name, child in module._modules.items():
        if child is not None:
            path = f"{prefix}{name}."
            inside = {key: value for key, value in given.items() if key.startswith(path)}
            load_tree(child, inside, whole, path, *found)


def copy_into(
    own: dict[str, Any], state_dict: Any, missing_keys: list[str], error_msgs: list[str]
) -> None:
    """Copy the entries of a module's own parameters and buffers."""
    for key, mine in own.items():
        theirs = state_dict.get(key)
        if key not in state_dict:
            missing_keys.append(key)
        elif not isinstance(theirs, Tensor):
            text = f'parameter named "{key}": expected torch.Tensor, not {type(theirs)}'
            error_msgs.append(text)
        elif theirs.shape != mine.shape:
            text = f"size mismatch for {key}: copying a param with shape {theirs.shape} from "
            text += f"checkpoint, the shape in current model is {mine.shape}."
            error_msgs.append(text)
        else:
            with no_grad():
                mine.copy_(theirs)


def unexpected(
    state_dict: Any, prefix: str, own: Iterable[str], children: Iterable[str]
) -> list[str]:
    """The keys below a module's path that are neither its own nor of a module inside it."""
    found = []
    for key in state_dict:
        name, _, below = key.removeprefix(prefix).partition(".")
        of_a_child = below and name in children  # which looks at it itself
        if key.startswith(prefix) and key not in own and not of_a_child:
            found.append(key)
    return found
