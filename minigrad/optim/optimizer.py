"""What all optimisers share: groups of parameters with their options, and a state for each.

An optimiser is a class with one method, ``_move``, that changes a parameter's memory. It works on
bare arrays, in place: nothing of a step is recorded, and a large model needs little more memory.
"""

from __future__ import annotations

import copy
import functools
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any

import numpy as np

from .. import dtypes
from .._tensor import Tensor
from ..engine.modes import enable_grad
from ..engine.node import new_tensor
from ..engine.views import memory_to_write
from ..errors import not_a_leaf_error, outside
from ..fast.together import put_together
from ..ops.arguments import ensure
from ..tape.notice import before_step

require = functools.partial(ensure, error=ValueError)

CALLED = {"lr": "learning rate", "eps": "epsilon value"}


EMPTY = (
    "optimizer got an empty parameter list\n"
    "  Layers in a Python list or dict are not found; and parameters() can be read only once.\n"
    "  fix: put layers into minigrad.nn.ModuleList or ModuleDict; write list(model.parameters())."
)


def kind(value: Any) -> str:
    """The type of a value, with the module that it is from: ``minigrad.nn.layers.Linear``."""
    return f"{type(value).__module__}.{type(value).__qualname__}".removeprefix("builtins.")


def refuse_negative(**options: Any) -> None:
    """Raise ValueError, in PyTorch's words, for an option below zero."""
    for name, value in options.items():
        check_number(name, value)
        require(value >= 0, "Invalid {}: {}", CALLED.get(name, f"{name} value"), value)


def check_number(name: str, value: Any) -> None:
    """Raise TypeError, in the words that PyTorch has from Python, for an option that is none."""
    if isinstance(value, Tensor):
        require(value.numel() == 1, "Tensor {} must be 1-element", name)
    elif not isinstance(value, (int, float, np.number, np.bool_)):
        raise TypeError(
            f"'<' not supported between instances of '{type(value).__name__}' and 'float'\n"
            f"  {name} must be a number, not {value!r}.\n"
            f"  fix: {name}=0.1, without quotes or brackets"
        )


def listed(params: Any, optimiser: str) -> list[Any]:
    """The parameters that were given. Raises TypeError, saying what was meant, for no iterable."""
    if isinstance(params, Tensor):
        text = "params argument given to the optimizer should be an iterable of Tensors or dicts, "
        text += f"but got {params.type()}\n  fix: put it into a list, {optimiser}([w], ...)"
        raise TypeError(text)
    if not isinstance(params, Iterable):
        kind = type(params).__name__
        raise TypeError(f"'{kind}' object is not iterable{meant(params, optimiser)}")
    return list(params)


def meant(params: Any, optimiser: str) -> str:
    """What to write instead of what is no list of parameters: the last lines of a message."""
    fix = f"\n  fix: {optimiser}(model.parameters(), ...)"
    if hasattr(params, "parameters"):
        return f"\n  This is a model; its parameters were meant.{fix}"
    if callable(params):
        return f"\n  This is a function that was not called: the brackets are missing.{fix}"
    return fix


def zeros_like(memory: Any) -> Any:
    """A tensor of zeros of the size of a parameter: the start of an average."""
    return new_tensor(np.zeros_like(memory))


def count(start: float = 0) -> Any:
    """The number of steps taken, which PyTorch keeps as a tensor."""
    return new_tensor(np.array(start, dtypes.get_default_dtype().numpy))


def counted(state: dict[str, Any]) -> float:
    """The number of this step: one more than before."""
    if not isinstance(state["step"], Tensor):
        state["step"] = count(state["step"])
    steps = memory_to_write(state["step"])
    steps += 1
    return steps.item(0)


# One array, ``scratch``, serves for all that is in between: new memory is slow.


def follow(average: Any, g: Any, beta: float, scratch: Any) -> None:
    """average = beta * average + (1 - beta) * g, in its place."""
    np.subtract(g, average, out=scratch)
    scratch *= 1 - beta
    average += scratch


def follow_square(average: Any, g: Any, beta: float, scratch: Any) -> None:
    """average = beta * average + (1 - beta) * g², in its place."""
    np.multiply(g, g, out=scratch)
    scratch *= 1 - beta
    average *= beta
    average += scratch


def divide(g: Any, v: Any, eps: float, scratch: Any) -> None:
    """scratch = g / (sqrt(v) + eps)."""
    np.sqrt(v, out=scratch)
    scratch += eps
    np.divide(g, scratch, out=scratch)


class Optimizer:
    """The base of all optimisers. Counterpart: ``torch.optim.Optimizer``.

    Parameters
    ----------
    params : iterable
        Leaves that require a gradient; or pairs of name and leaf; or dictionaries, one for each
        group of parameters, with these under "params" and the group's own options.
    defaults : dict
        The options of groups that do not set them.

    ``param_groups`` is the list of groups, whose options may be changed at any time; ``state``
    holds what the optimiser remembers of each parameter.

    Raises
    ------
    TypeError
        For what is not an iterable of tensors.
    ValueError
        If there are no parameters, one is in two groups, or one is a result (MG103): updating a
        result would leave the tensor it was made from as it is.

    A subclass defines ``step``, as in PyTorch.

    >>> import minigrad as torch
    >>> class Descent(torch.optim.Optimizer):
    ...     @torch.no_grad()
    ...     def step(self):
    ...         for group in self.param_groups:
    ...             for p in group["params"]:
    ...                 p -= group["lr"] * p.grad
    >>> w = torch.tensor(1.0, requires_grad=True)
    >>> optimiser = Descent([w], {"lr": 0.5})
    >>> (w * w).backward()
    >>> optimiser.step()
    >>> w
    tensor(0., requires_grad=True)
    """

    # _move(state, w, g, group) changes ``w``, a parameter's memory, by its gradient ``g``.
    _move: Any = None
    _joins = False  # do small parameters move in one go? see fast/together.py

    def __init__(self, params: Iterable[Any], defaults: dict[str, Any]) -> None:
        groups = listed(params, type(self).__name__)
        text = "differentiable=True: minigrad does not record steps.\n  fix: write w = w - lr * g"
        ensure(not defaults.get("differentiable"), text, error=NotImplementedError)
        self.defaults = defaults
        self.state: Any = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        self._small: dict[int, Any] = {}  # by the number of a group
        require(groups, EMPTY)
        for group in groups if isinstance(groups[0], dict) else [{"params": groups}]:
            self.add_param_group(group)

    def __getstate__(self) -> dict[str, Any]:
        return {name: self.__dict__[name] for name in ("defaults", "state", "param_groups")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _small={})
        for group in self.param_groups:
            for name, default in self.defaults.items():
                group.setdefault(name, default)

    def __repr__(self) -> str:
        text = f"{type(self).__name__} ("
        for number, group in enumerate(self.param_groups):
            text += f"\nParameter Group {number}\n"
            options = sorted(group.keys() - {"params"})
            text += "".join(f"    {name}: {group[name]}\n" for name in options)
        return text + ")"

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add parameters that have options of their own: a dictionary with these and "params".

        Raises TypeError and ValueError as the class does; warns of a parameter that is in the
        group twice. Counterpart: ``torch.optim.Optimizer.add_param_group``.

        >>> import minigrad as torch
        >>> v, w = (torch.tensor(1.0, requires_grad=True) for _ in range(2))
        >>> optimiser = torch.optim.SGD([v], lr=0.1)
        >>> optimiser.add_param_group({"params": [w], "lr": 0.01})
        >>> [group["lr"] for group in optimiser.param_groups]
        [0.1, 0.01]
        """
        text = "param_group must be a dict, but got {}"
        ensure(isinstance(param_group, dict), text, type(param_group), error=TypeError)
        given = param_group["params"]
        text = "optimizer parameters need to be organized in ordered collections: use a list"
        ensure(not isinstance(given, set), text, error=TypeError)
        given = [given] if isinstance(given, Tensor) else list(given)
        names = [part[0] for part in given if isinstance(part, tuple)]
        text = "all optimizer params should be with/without names. Some param names are missing"
        require(len(names) in (0, len(given)), text)
        params = [part[1] for part in given] if names else given
        for position, param in enumerate(params):
            if not isinstance(param, Tensor):
                text = "optimizer can only optimize Tensors, but one of the params is "
                raise TypeError(text + kind(param) + meant(param, type(self).__name__))
            if not (param.is_leaf or param.retains_grad):
                raise not_a_leaf_error(position, param)
        param_group["params"] = params
        if names:
            param_group["param_names"] = names
        for name, default in self.defaults.items():
            param_group.setdefault(name, default)
        here = set(map(id, params))
        if len(here) < len(params):
            text = "optimizer contains a parameter group with duplicate parameters: they move twice"
            warnings.warn(text, UserWarning, stacklevel=outside())
        text = "all optimizer param groups should be with/without names, as the first one is"
        require(all(("param_names" in group) == bool(names) for group in self.param_groups), text)
        text = "some parameters appear in more than one parameter group"
        require(here.isdisjoint(map(id, self._params())), text)
        self.param_groups.append(param_group)

    def _params(self) -> list[Tensor]:
        """The parameters of all groups."""
        return [param for group in self.param_groups for param in group["params"]]

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget all gradients, since ``backward()`` adds to what is there.

        With ``set_to_none=False`` they become zero. Counterpart:
        ``torch.optim.Optimizer.zero_grad``.

        >>> import minigrad as torch
        >>> w = torch.tensor(1.0, requires_grad=True)
        >>> w.backward()
        >>> torch.optim.SGD([w], lr=0.1).zero_grad()
        >>> w.grad is None
        True
        """
        for param in self._params():
            if set_to_none:
                param._grad = None
            elif (grad := param._grad) is not None:  # a result, if the backward pass was recorded
                (grad.requires_grad_(False) if grad.is_leaf else grad.detach_()).zero_()

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Move each parameter that has a gradient; returns what ``closure`` returned.

        ``closure``, if given, is called first, and computes gradients.
        Counterpart: ``torch.optim.Optimizer.step``.

        >>> import minigrad as torch
        >>> w = torch.tensor(1.0, requires_grad=True)
        >>> (w * 3).backward()
        >>> torch.optim.SGD([w], lr=0.1).step()
        >>> w
        tensor(0.7000, requires_grad=True)
        """
        if self._move is None:
            raise NotImplementedError
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        before_step(self._params)
        before = self._small
        self._small = {}
        for number, group in enumerate(self.param_groups):
            rule = functools.partial(self._follow, group)
            params = group["params"]
            # Small parameters may move in one go, the same as in the loop: see fast/together.py
            small: Any = before.get(number)
            if small is not None and not small.intact(params, self.state):
                small = None
            moved: Any = ()
            if small is not None:
                moved = small.move(rule)
            for param in params:
                if param._grad is not None and id(param) not in moved:
                    state = self.state.get(param, {})
                    rule(state, memory_to_write(param), param._grad._array)
                    if state:
                        self.state[param] = state
            if self._joins:
                self._small[number] = small or put_together(params, self.state)
        return loss

    def _follow(self, group: dict[str, Any], state: dict[str, Any], w: Any, g: Any) -> None:
        """Change the memory of a parameter by what the options say and the class does."""
        decay = group.get("weight_decay")
        if group.get("maximize"):
            g = -g
        if decay and group.get("decoupled_weight_decay"):
            w *= 1 - float(group["lr"]) * decay
        elif decay:
            g = g + decay * w
        try:
            self._move(state, w, g, group)
        except ValueError as error:
            if "broadcast" not in str(error):
                raise
            text = "The sizes of a parameter, its gradient, and what is kept of it must match."
            text += "\n  fix: load a state of the same parameters, in the same order"
            raise RuntimeError(text) from error

    def state_dict(self) -> dict[str, Any]:
        """What is needed to go on later: the state, and the groups with numbers for parameters.

        The tensors in it are the optimiser's own, not copies.
        Counterpart: ``torch.optim.Optimizer.state_dict``.

        >>> import minigrad as torch
        >>> w = torch.tensor(1.0, requires_grad=True)
        >>> optimiser = torch.optim.SGD([w], lr=0.1, momentum=0.9)
        >>> (w * 3).backward()
        >>> optimiser.step()
        >>> optimiser.state_dict()["state"]
        {0: {'momentum_buffer': tensor(3.)}}
        """
        number: Any = {}
        for place, param in enumerate(self._params()):
            number.setdefault(id(param), place)
        groups = []
        for group in self.param_groups:
            numbers = [number[id(param)] for param in group["params"]]
            groups.append({k: v for k, v in group.items() if k != "params"} | {"params": numbers})
        state = {number.get(id(k), k): v for k, v in self.state.items()}
        return {"state": state, "param_groups": groups}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on from what ``state_dict`` returned, in the same order of parameters.

        Raises ValueError if the groups are not of the same number and sizes.
        Counterpart: ``torch.optim.Optimizer.load_state_dict``.

        >>> import minigrad as torch
        >>> w = torch.tensor(1.0, requires_grad=True)
        >>> before = torch.optim.SGD([w], lr=0.1)
        >>> after = torch.optim.SGD([w], lr=0.5)
        >>> after.load_state_dict(before.state_dict())
        >>> after.param_groups[0]["lr"]
        0.1
        """
        saved = copy.deepcopy(state_dict["param_groups"])
        text = "loaded state dict has a different number of parameter groups"
        require(len(saved) == len(self.param_groups), text)
        pairs = list(zip(self.param_groups, saved))
        text = "loaded state dict contains a parameter group of another size than optimizer's"
        require(all(len(group["params"]) == len(new["params"]) for group, new in pairs), text)
        numbers = chain.from_iterable(group["params"] for group in saved)
        param_of: Any = dict(zip(numbers, self._params()))
        state: Any = defaultdict(dict)
        for number, kept in state_dict["state"].items():
            param = param_of.get(number)
            state[number if param is None else param] = fitted(kept, param)
        for group, new in pairs:
            new["params"] = group["params"]
            if "param_names" in group:
                new.setdefault("param_names", group["param_names"])
        self.__setstate__({"state": state, "param_groups": saved})


def fitted(kept: Any, param: Any, name: str = "") -> Any:
    """A part of a state, its tensors but for the count of steps in the parameter's dtype."""
    if isinstance(kept, Tensor):
        return kept if name == "step" or param is None else kept.to(param.dtype)
    if isinstance(kept, dict):
        return {key: fitted(value, param, key) for key, value in kept.items()}
    if isinstance(kept, list):
        return [fitted(value, param) for value in kept]
    return kept
