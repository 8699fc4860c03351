"""What all optimisers share: groups of parameters with their options, and a state for each.

An optimiser is a class with one method, ``_update``, that changes a parameter's memory by its
formula. It works on bare arrays, in place: nothing of a step is recorded, and a large model needs
little more memory.
"""

from __future__ import annotations

import copy
import functools
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any, TypeAlias

from .._tensor import Tensor
from ..compat.arguments import ensure
from ..engine.modes import enable_grad
from ..engine.views import memory_to_write
from ..errors import not_a_leaf_error, outside
from ..fast.small_parameters import put_together
from ..tape.notice import before_step
from .averages import Array
from .options import EMPTY, ensure_valid, fix_for, params_as_list, type_name

STEP = "step"  # what has written to a parameter
Params: TypeAlias = Iterable[Any]
"""What an optimiser takes: parameters, pairs of name and parameter, or dictionaries of options."""


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

    # _update(state, w, g, group) changes ``w``, the memory of a parameter, by its gradient ``g``.
    # ``state`` is what is remembered of the parameter, at first empty; ``group`` are its options.
    _update: Any = None
    _joins = False  # is it worth while to move small parameters together?

    def __init__(self, params: Params, defaults: dict[str, Any]) -> None:
        groups = params_as_list(params, type(self).__name__)
        text = "differentiable=True: minigrad does not record steps.\n  fix: write w = w - lr * g"
        ensure(not defaults.get("differentiable"), text, error=NotImplementedError)
        self.defaults = defaults
        self.state: Any = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        self._small: dict[int, Any] = {}  # by the number of a group
        ensure_valid(groups, EMPTY)
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
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
        params, names = self._params_and_names(param_group["params"])
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
        named = [("param_names" in group) == bool(names) for group in self.param_groups]
        ensure_valid(all(named), text)
        text = "some parameters appear in more than one parameter group"
        ensure_valid(here.isdisjoint(map(id, self._params())), text)
        self.param_groups.append(param_group)

    def _params_and_names(self, given: Any) -> tuple[list[Tensor], list[str]]:
        """The parameters of a group, and their names, if they have any."""
        text = "optimizer parameters need to be organized in ordered collections: use a list"
        ensure(not isinstance(given, set), text, error=TypeError)
        params = [given] if isinstance(given, Tensor) else list(given)
        names = [pair[0] for pair in params if isinstance(pair, tuple)]
        text = "all optimizer params should be with/without names. Some param names are missing"
        ensure_valid(len(names) in (0, len(params)), text)
        if names:
            params = [pair[1] for pair in params]
        for position, param in enumerate(params):
            if not isinstance(param, Tensor):
                text = "optimizer can only optimize Tensors, but one of the params is "
                raise TypeError(text + type_name(param) + fix_for(param, type(self).__name__))
            if not (param.is_leaf or param.retains_grad):
                raise not_a_leaf_error(position, param)
        return params, names

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
            grad = param._grad
            if set_to_none:
                param._grad = None
            elif grad is not None:
                if grad.is_leaf:
                    grad.requires_grad_(False)
                else:  # a result: the backward pass was recorded
                    grad.detach_()
                grad.zero_()

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
        if self._update is None:
            raise NotImplementedError
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        before_step(self._params)
        before = self._small
        self._small = {}
        for number, group in enumerate(self.param_groups):
            rule = functools.partial(self._update_with_options, group)
            params = group["params"]
            # Small parameters may move in one go, the same as in the loop below.
            small: Any = before.get(number)
            if small is not None and not small.intact(params, self.state):
                small = None
            moved: Any = ()
            if small is not None:
                moved = small.move(rule)
            for param in params:
                if param._grad is not None and id(param) not in moved:
                    state = self.state.get(param, {})
                    rule(state, memory_to_write(param, STEP), param._grad._array)
                    if state:
                        self.state[param] = state
            if self._joins:
                self._small[number] = small or put_together(params, self.state)
        return loss

    def _update_with_options(
        self, group: dict[str, Any], state: dict[str, Any], w: Array, g: Array
    ) -> None:
        """``_update``, after the options that all optimisers have."""
        decay = group.get("weight_decay")
        if group.get("maximize"):
            g = -g
        if decay and group.get("decoupled_weight_decay"):
            w *= 1 - float(group["lr"]) * decay
        elif decay:
            g = g + decay * w
        try:
            self._update(state, w, g, group)
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
        number_of: dict[int, int] = {}
        for number, param in enumerate(self._params()):
            number_of.setdefault(id(param), number)
        groups = []
        for group in self.param_groups:
            saved = {name: value for name, value in group.items() if name != "params"}
            saved["params"] = [number_of[id(param)] for param in group["params"]]
            groups.append(saved)
        state = {number_of.get(id(key), key): value for key, value in self.state.items()}
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
        ensure_valid(len(saved) == len(self.param_groups), text)
        pairs = list(zip(self.param_groups, saved))
        text = "loaded state dict contains a parameter group of another size than optimizer's"
        same_sizes = [len(group["params"]) == len(new["params"]) for group, new in pairs]
        ensure_valid(all(same_sizes), text)
        numbers = chain.from_iterable(group["params"] for group in saved)
        param_of: Any = dict(zip(numbers, self._params()))
        state: Any = defaultdict(dict)
        for number, value in state_dict["state"].items():
            param = param_of.get(number)
            if param is None:
                state[number] = value_for(None, value)
            else:
                state[param] = value_for(param, value)
        for group, new in pairs:
            new["params"] = group["params"]
            if "param_names" in group:
                new.setdefault("param_names", group["param_names"])
        self.__setstate__({"state": state, "param_groups": saved})


def value_for(param: Tensor | None, value: Any, name: str = "") -> Any:
    """A value of a saved state, its tensors in the dtype of the parameter, if there is one.

    The count of steps keeps its own dtype.
    """
    if isinstance(value, Tensor):
        if name == "step" or param is None:
            return value
        return value.to(param.dtype)
    if isinstance(value, dict):
        return {key: value_for(param, part, key) for key, part in value.items()}
    if isinstance(value, list):
        return [value_for(param, part) for part in value]
    return value
