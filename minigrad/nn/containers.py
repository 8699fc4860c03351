"""Modules that hold other modules, or parameters: in a row, or by name."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import index
from typing import Any

from ..compat.arguments import ensure
from .module import Module
from .parameter import Parameter


class Container(Module):
    """What all containers have in common: they show what they hold as Python's own do."""

    table = "_modules"

    @property
    def _held(self) -> dict[str, Any]:
        """What it holds, by name."""
        return self.__dict__[self.table]

    def __len__(self) -> int:
        return len(self._held)

    def pop(self, key: Any) -> Any:
        """Take out what has this number or name, and return it."""
        part = self[key]
        del self[key]
        return part

    def __getitem__(self, key: Any) -> Any:
        return self._held[key]

    def __delitem__(self, key: Any) -> None:
        del self._held[key]

    def _add(self, name: str, part: Any) -> None:
        self.add_module(name, part)


class OfParameters(Container):
    """What containers of parameters have in common. Tensors that are put in become parameters."""

    table = "_parameters"

    def _add(self, name: str, part: Any) -> None:
        if not isinstance(part, Parameter):
            part = Parameter(part)
        self._parameters[name] = part

    def extra_repr(self) -> str:
        """The parameters, each with its name, type and size."""
        lines = []
        for name, parameter in self._parameters.items():
            dtype = parameter.dtype
            kind = str(dtype) if isinstance(self, Row) else f"torch.{dtype.title}Tensor"
            size = "x".join(map(str, parameter.shape))
            lines.append(f"  ({name}): Parameter containing: [{kind} of size {size}]")
        return "\n".join(lines)


class Row(Container):
    """What the containers that are rows have in common: numbers for names."""

    def _name(self, position: Any) -> str:
        names = list(self._held)
        inside = -len(names) <= index(position) < len(names)
        ensure(inside, "index {} is out of range", position, error=IndexError)
        return names[position]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._held.values())

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, slice):
            return type(self)(list(self)[idx])  # type: ignore[call-arg]
        return self._held[self._name(idx)]

    def __setitem__(self, idx: Any, part: Any) -> None:
        self._add(self._name(idx), part)

    def __delitem__(self, idx: Any) -> None:
        names = [self._name(idx)] if not isinstance(idx, slice) else list(self._held)[idx]
        for name in names:
            del self._held[name]
        self._put(list(self))

    def _put(self, parts: list[Any]) -> None:
        """Hold these, numbered afresh."""
        self._held.clear()
        self.extend(parts)

    def append(self, part: Any) -> Any:
        """Add one at the end; returns the row."""
        self._add(str(len(self)), part)
        return self

    def extend(self, parts: Iterable[Any]) -> Any:
        """Add several at the end; returns the row."""
        for part in list(parts):
            self.append(part)
        return self

    def insert(self, index: int, part: Any) -> None:
        """Put one in front of that at ``index``."""
        parts = list(self)
        parts.insert(index, part)
        self._put(parts)

    def __iadd__(self, parts: Iterable[Any]) -> Any:
        return self.extend(parts)

    def __add__(self, parts: Iterable[Any]) -> Any:
        text = "add operator supports only objects of {} class, but {} is given."
        fits = isinstance(parts, Iterable)
        name = type(self).__name__
        ensure(fits, text, name, type(parts), error=ValueError)
        return type(self)().extend([*self, *parts])


class Sequential(Row):
    """Modules that are applied one after the other, each to what the one before returned.

    Takes modules, or an OrderedDict of them by name. They can be counted, indexed, sliced,
    appended, inserted and deleted. Counterpart: ``torch.nn.Sequential``.

    >>> import minigrad as torch
    >>> model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Linear(3, 1))
    >>> model
    Sequential(
      (0): Linear(in_features=2, out_features=3, bias=True)
      (1): ReLU()
      (2): Linear(in_features=3, out_features=1, bias=True)
    )
    >>> len(model), model[-1].out_features, model(torch.zeros(5, 2)).shape
    (3, 1, torch.Size([5, 1]))
    """

    def __init__(self, *args: Any) -> None:
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            for name, module in args[0].items():
                self.add_module(name, module)
        else:
            self.extend(args)

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, slice):
            return type(self)(OrderedDict(list(self._modules.items())[idx]))
        return super().__getitem__(idx)

    def insert(self, index: int, module: Any) -> Any:
        """Put a module in front of that at ``index``; returns the row."""
        ensure(-len(self) <= index <= len(self), "Index out of range: {}", index, error=IndexError)
        super().insert(index, module)
        return self

    def forward(self, input: Any) -> Any:
        for module in self._modules.values():
            input = module(input)
        return input


class ModuleList(Row):
    """A list of modules, whose parameters count as those of the model that holds it.

    Without ``forward``: the model says how they are used. Counterpart: ``torch.nn.ModuleList``.

    >>> import minigrad as torch
    >>> layers = torch.nn.ModuleList(torch.nn.Linear(4, 4) for _ in range(3))
    >>> layers
    ModuleList(
      (0-2): 3 x Linear(in_features=4, out_features=4, bias=True)
    )
    """

    def __init__(self, modules: Iterable[Any] = ()) -> None:
        super().__init__()
        self.extend(modules or ())

    def _lines(self) -> list[str]:
        """One line for neighbours that print alike."""
        lines = []
        start = 0
        for text, alike in groupby(map(repr, self)):
            count = len(list(alike))
            if count == 1:
                lines.append(f"({start}): {text}")
            else:
                lines.append(f"({start}-{start + count - 1}): {count} x {text}")
            start += count
        return lines


class ParameterList(OfParameters, Row):
    """A list of parameters. Tensors that are put in become parameters.

    Counterpart: ``torch.nn.ParameterList``.

    >>> import minigrad as torch
    >>> weights = torch.nn.ParameterList([torch.zeros(2), torch.zeros(3)])
    >>> len(weights), weights[1].shape
    (2, torch.Size([3]))
    """

    def __init__(self, values: Iterable[Any] = ()) -> None:
        super().__init__()
        self.extend(values or ())


class ModuleDict(Container):
    """Modules by name, whose parameters count as those of the model that holds it.

    Counterpart: ``torch.nn.ModuleDict``.

    >>> import minigrad as torch
    >>> heads = torch.nn.ModuleDict({"digit": torch.nn.Linear(8, 10)})
    >>> heads["parity"] = torch.nn.Linear(8, 2)
    >>> list(heads)
    ['digit', 'parity']
    """

    def __init__(self, modules: Any = None) -> None:
        super().__init__()
        self.update(modules or {})

    def __setitem__(self, key: str, part: Any) -> None:
        self._add(key, part)

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __contains__(self, key: object) -> bool:
        return key in self._held

    def clear(self) -> None:
        """Take out all."""
        self._held.clear()

    def keys(self) -> Any:
        """The names."""
        return self._held.keys()

    def values(self) -> Any:
        """What has these names."""
        return self._held.values()

    def items(self) -> Any:
        """Both, in pairs."""
        return self._held.items()

    def update(self, modules: Any) -> None:
        """Add those of a dictionary, or of pairs of name and module."""
        for key, module in dict(modules).items():
            self[key] = module


class ParameterDict(OfParameters, ModuleDict):
    """Parameters by name. Tensors that are put in become parameters.

    Counterpart: ``torch.nn.ParameterDict``.

    >>> import minigrad as torch
    >>> torch.nn.ParameterDict({"scale": torch.zeros(2, 3)})
    ParameterDict(  (scale): Parameter containing: [torch.FloatTensor of size 2x3])
    """

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)

    def update(self, parameters: Any) -> None:
        """As of ``ModuleDict``; those of a plain dictionary in the order of their names."""
        if type(parameters) is dict:
            parameters = sorted(parameters.items())
        super().update(parameters)
