"""``Module``: what has parameters, and is called like a function.

A module keeps its parameters, its buffers (tensors that belong to its state, but are not trained)
and the modules inside it in three dictionaries, in the order in which they were assigned. All
that concerns a whole model walks this tree.
"""

from __future__ import annotations

import itertools
from collections import OrderedDict, namedtuple
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from .._tensor import Tensor
from ..compat.arguments import ensure
from ..dtypes import float32, float64
from ..engine.modes import no_grad
from ..engine.node import RemovableHandle, Watch
from ..ops.creation import empty
from ..tape.scope import Call, running
from .parameter import Parameter

calls = itertools.count(1)
QUOTED = '"{}"'.format
BACKWARD = "\n  fix: in a forward hook, out.register_hook(...) sees the gradient of what comes out."
INIT = "\n  fix: super().__init__() in the first line of your class's __init__."
BEFORE = f"cannot assign {{}} before Module.__init__() call{INIT}"

EXTRA_STATE = "_extra_state"
NO_EXTRA_STATE = (
    "Reached a code path in Module that only a class of your own can fill: it has one half of "
    "the extra state.\n  fix: def {} in the class, too."
)

TABLES = {
    "_parameters": "parameter '{}' (torch.nn.Parameter",
    "_modules": "child module '{}' (torch.nn.Module",
    "_buffers": "buffer '{}' (torch.nn.Buffer, torch.Tensor",
}
"""Where a module keeps its parts; and what else may not be assigned to their names."""


def kind_of(value: Any) -> str:
    """A type as error messages name it: ``torch.FloatTensor``, ``int``."""
    return str(value.type()) if isinstance(value, Tensor) else type(value).__name__


def overrides(module: Any, name: str) -> bool:
    """Has the module's class written this method itself?"""
    return getattr(type(module), name) is not getattr(Module, name)


def no_module(value: Any) -> str:
    """What is said of something that is no module where one belongs, and of what was meant."""
    if isinstance(value, type):
        named = f"{value.__module__}.{value.__qualname__} is not a Module subclass"
        return f"{named}\n  This is the class, not a module.\n  fix: {value.__name__}(...)"
    if isinstance(value, (list, tuple)):
        fix = "fix: the modules one by one, with a star in front of the list: Sequential(*layers)"
        return f"{kind_of(value)} is not a Module subclass\n  {fix}"
    if callable(value):
        named = f"{getattr(value, '__name__', kind_of(value))} is not a Module subclass"
        return f"{named}\n  fix: the module that does the same, as nn.ReLU() for relu."
    return f"{kind_of(value)} is not a Module subclass"


class _IncompatibleKeys(namedtuple("_IncompatibleKeys", "missing_keys unexpected_keys")):
    """What ``load_state_dict`` found missing, and what it did not expect."""

    __slots__ = ()

    def __repr__(self) -> str:
        return super().__repr__() if any(self) else "<All keys matched successfully>"


class Module:
    """A part of a model: parameters, modules inside it, and a ``forward`` that computes with them.

    Write a class of your own: make the parts in ``__init__`` (after ``super().__init__()``),
    and compute with them in ``forward``, in which anything goes: loops, conditions, other
    functions. Call the module, not ``forward``: so hooks run, and who watches knows which layer
    made which node. Counterpart: ``torch.nn.Module``.

    >>> import minigrad as torch
    >>> class Net(torch.nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.hidden = torch.nn.Linear(2, 3)
    ...         self.out = torch.nn.Linear(3, 1)
    ...     def forward(self, x):
    ...         return self.out(torch.tanh(self.hidden(x)))
    >>> model = Net()
    >>> model
    Net(
      (hidden): Linear(in_features=2, out_features=3, bias=True)
      (out): Linear(in_features=3, out_features=1, bias=True)
    )
    >>> model(torch.zeros(5, 2)).shape
    torch.Size([5, 1])
    >>> [name for name, _ in model.named_parameters()]
    ['hidden.weight', 'hidden.bias', 'out.weight', 'out.bias']
    """

    training: bool

    _in_repr: Any = ()  # attributes that are printed: "eps=" with the name, "eps" without it
    _in_repr_if: Any = ()  # and, with their usual values, those printed if theirs is another

    def __init__(self) -> None:
        self.__dict__.update(
            training=True,
            _parameters={},
            _buffers={},
            _non_persistent_buffers_set=set(),
            _modules={},
            _forward_pre_hooks={},
            _forward_hooks={},
        )

    def forward(self, *input: Any) -> Any:
        """What the module computes: for classes of your own to write."""
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
            "\n  fix: def forward(self, x): ... in the class, indented as its __init__ is."
        )

    # --------------------------------------------------------------------------- being called

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if Watch.observer is not None:
            return self._call_watched(args, kwargs)
        if self._forward_pre_hooks or self._forward_hooks:
            return self._call_with_hooks(args, kwargs)
        return self.forward(*args, **kwargs)

    def _call_with_hooks(self, args: Any, kwargs: Any) -> Any:
        for hook in list(self._forward_pre_hooks.values()):
            changed = hook(self, args)
            if changed is not None:
                args = changed if isinstance(changed, tuple) else (changed,)
        result = self.forward(*args, **kwargs)
        for hook in list(self._forward_hooks.values()):
            changed = hook(self, args, result)
            result = result if changed is None else changed
        return result

    def _call_watched(self, args: Any, kwargs: Any) -> Any:
        """A call that is noted in ``tape.scope``, for who watches."""
        scope = running.scope
        modules = running.modules
        inside = modules[-1].named_modules() if modules else ()
        name = next((path for path, module in inside if module is self), "")
        running.scope = (*scope, Call(next(calls), name, type(self).__name__))
        running.modules = (*modules, self)
        try:
            return self._call_with_hooks(args, kwargs)
        finally:
            running.scope = scope
            running.modules = modules

    def register_forward_pre_hook(self, hook: Callable[..., Any]) -> Any:
        """Call ``hook(module, args)`` before each ``forward``; what it returns replaces ``args``.

        Returns a handle with ``remove()``.
        Counterpart: ``torch.nn.Module.register_forward_pre_hook``.
        """
        return RemovableHandle(self._forward_pre_hooks, hook)

    def register_forward_hook(self, hook: Callable[..., Any]) -> Any:
        """Call ``hook(module, args, output)`` after each ``forward``.

        What it returns, unless None, replaces the output. Returns a handle with ``remove()``.
        Counterpart: ``torch.nn.Module.register_forward_hook``.

        >>> import minigrad as torch
        >>> layer = torch.nn.Linear(2, 3)
        >>> handle = layer.register_forward_hook(lambda layer, args, out: print(out.shape))
        >>> _ = layer(torch.zeros(5, 2))
        torch.Size([5, 3])
        >>> handle.remove()
        """
        return RemovableHandle(self._forward_hooks, hook)

    # ----------------------------------------------------------------- parts, and their names

    def __setattr__(self, name: str, value: Any) -> None:
        parts = self.__dict__
        new = isinstance(value, Module) and name not in parts.get("_parameters", ())
        if new or isinstance(value, Parameter):
            home, what = ("_modules", "module") if new else ("_parameters", "parameters")
            ensure(home in parts, BEFORE, what, error=AttributeError)
            for table in (parts, *map(parts.__getitem__, TABLES)):
                if table is not parts[home]:
                    table.pop(name, None)
            parts[home][name] = value
            return
        for table, what in TABLES.items():
            if name in parts.get(table, ()):
                fits = value is None or (table == "_buffers" and isinstance(value, Tensor))
                text = f"cannot assign '{{}}' as {what} or None expected)"
                ensure(fits, text, kind_of(value), name, error=TypeError)
                parts[table][name] = value
                return
        object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        for table in TABLES:
            held = self.__dict__.get(table, ())  # none before Module.__init__
            if name in held:
                return held[name]
        text = f"'{type(self).__name__}' object has no attribute '{name}'"
        text += BACKWARD * (name == "register_full_backward_hook")
        raise AttributeError(text + INIT * ("_modules" not in self.__dict__))

    def __delattr__(self, name: str) -> None:
        for table in map(self.__dict__.get, TABLES):
            if table and name in table:
                del table[name]
                return
        object.__delattr__(self, name)

    def __dir__(self) -> Iterable[str]:
        parts = (*dir(type(self)), *self.__dict__, *self._parameters, *self._modules)
        return sorted(name for name in (*parts, *self._buffers) if not name[0].isdigit())

    def _register(self, what: str, table: str, name: Any, value: Any, kind: Any) -> None:
        """Put a part into one of the three dictionaries, unless its name or kind is wrong."""
        ensure(table in self.__dict__, BEFORE, what, error=AttributeError)
        text = "{} name should be a string. Got {}"
        ensure(isinstance(name, str), text, what, kind_of(name), error=TypeError)
        ensure("." not in name, '{} name can\'t contain ".", got: {}', what, name, error=KeyError)
        ensure(name, '{} name can\'t be empty string ""', what, error=KeyError)
        free = name in self.__dict__[table] or not hasattr(self, name)
        ensure(free, "attribute '{}' already exists", name, error=KeyError)
        fits = value is None or isinstance(value, kind)
        text = "cannot assign '{}' object to {} '{}' (torch {} or None required)"
        ensure(fits, text, kind_of(value), what, name, kind.__name__, error=TypeError)
        self.__dict__[table][name] = value

    def register_parameter(self, name: str, param: Any) -> None:
        """Add a parameter under this name, or None to say that there is none.

        Counterpart: ``torch.nn.Module.register_parameter``.
        """
        self._register("parameter", "_parameters", name, param, Parameter)

    def register_buffer(self, name: str, tensor: Any, persistent: bool = True) -> None:
        """Add a tensor that is part of the state, but not trained, such as a running mean.

        ``persistent=False``: and not part of ``state_dict()`` either.
        Counterpart: ``torch.nn.Module.register_buffer``.
        """
        self._register("buffer", "_buffers", name, tensor, Tensor)
        hidden = self._non_persistent_buffers_set
        hidden.discard(name) if persistent else hidden.add(name)

    def add_module(self, name: str, module: Any) -> None:
        """Add a module under this name. Counterpart: ``torch.nn.Module.add_module``."""
        if module is not None and not isinstance(module, Module):
            raise TypeError(no_module(module))
        self._register("module", "_modules", name, module, Module)

    register_module = add_module

    def _part(self, target: str, kind: type) -> Any:
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        text = "{} has no attribute `{}`"
        owner = type(module).__name__
        ensure(hasattr(module, name), text, owner, name, error=AttributeError)
        found = getattr(module, name)
        text = "`{}` is not a buffer" if kind is Tensor else "`{}` is not an nn.{}"
        fits = isinstance(found, kind) and isinstance(found, Parameter) == (kind is Parameter)
        ensure(fits, text, name, kind.__name__, error=AttributeError)
        return found

    def get_submodule(self, target: str) -> Any:
        """The module with this path: "encoder.0". Counterpart: ``torch.nn.Module.get_submodule``.

        Raises AttributeError if there is none.
        """
        return self._part(target, Module) if target else self

    def get_parameter(self, target: str) -> Any:
        """The parameter with this path. Counterpart: ``torch.nn.Module.get_parameter``."""
        return self._part(target, Parameter)

    def get_buffer(self, target: str) -> Any:
        """The buffer with this path. Counterpart: ``torch.nn.Module.get_buffer``."""
        return self._part(target, Tensor)

    # ------------------------------------------------------------------------ walking the tree

    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        """This module and all inside it, each with its path, and each once.

        Counterpart: ``torch.nn.Module.named_modules``.
        """
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                path = f"{prefix}.{name}" if prefix else name
                yield from module.named_modules(memo, path, remove_duplicate)

    def modules(self) -> Iterator[Any]:
        """This module and all inside it. Counterpart: ``torch.nn.Module.modules``."""
        return (module for _, module in self.named_modules())

    def _named(self, table: str, prefix: str, recurse: bool, once: bool) -> Iterator[Any]:
        """The parts in one of the tables, with their paths; if ``once``, each only once."""
        seen: set[int] = set()
        within = self.named_modules(None, prefix, once) if recurse else [(prefix, self)]
        for path, module in within:
            for name, part in getattr(module, table).items():
                if part is not None and id(part) not in seen:
                    if once:
                        seen.add(id(part))
                    yield f"{path}.{name}" if path else name, part

    def named_children(self) -> Iterator[tuple[str, Any]]:
        """The modules right inside this one. Counterpart: ``torch.nn.Module.named_children``."""
        return self._named("_modules", prefix="", recurse=False, once=True)

    def children(self) -> Iterator[Any]:
        """The modules right inside this one. Counterpart: ``torch.nn.Module.children``."""
        return (module for _, module in self.named_children())

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        """All parameters with their paths, each once, though two modules may share it.

        Counterpart: ``torch.nn.Module.named_parameters``.
        """
        return self._named("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Any]:
        """All parameters, each once: what an optimiser takes.

        Counterpart: ``torch.nn.Module.parameters``.
        """
        return (tensor for _, tensor in self.named_parameters(recurse=recurse))

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        """All buffers with their paths. Counterpart: ``torch.nn.Module.named_buffers``."""
        return self._named("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Any]:
        """All buffers. Counterpart: ``torch.nn.Module.buffers``."""
        return (tensor for _, tensor in self.named_buffers(recurse=recurse))

    def apply(self, fn: Callable[[Any], Any]) -> Any:
        """Call ``fn`` with each module inside, and then with this one; returns the module.

        Counterpart: ``torch.nn.Module.apply``.
        """
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def train(self, mode: bool = True) -> Any:
        """Switch it, and all inside it, to training: dropout drops, batch norm looks at the batch.

        Counterpart: ``torch.nn.Module.train``.
        """
        ensure(isinstance(mode, bool), "training mode is expected to be boolean", error=ValueError)
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self) -> Any:
        """Switch it to being used: ``train(False)``. Counterpart: ``torch.nn.Module.eval``."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Any:
        """Train all parameters, or freeze them. Counterpart: ``torch.nn.Module.requires_grad_``."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget all gradients. Counterpart: ``torch.nn.Module.zero_grad``."""
        for parameter in self.parameters():
            if set_to_none:
                parameter.grad = None
            elif parameter.grad is not None:
                parameter.grad.detach_().zero_()

    # ------------------------------------------------------------------------- state and dtype

    def state_dict(self, *, destination=None, prefix="", keep_vars=False):
        """All parameters and buffers by path, detached, sharing memory with the model.

        ``keep_vars``: the parameters themselves. Counterpart: ``torch.nn.Module.state_dict``.

        >>> import minigrad as torch
        >>> layer = torch.nn.Linear(2, 1)
        >>> list(layer.state_dict())
        ['weight', 'bias']
        """
        found = OrderedDict() if destination is None else destination
        self._save_to_state_dict(found, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(destination=found, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        return found

    def _lasting(self) -> dict[str, Any]:
        """The parameters and buffers of this module alone that belong to its state."""
        hidden = self._non_persistent_buffers_set
        buffers = {name: t for name, t in self._buffers.items() if name not in hidden}
        return {k: t for k, t in (*self._parameters.items(), *buffers.items()) if t is not None}

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        """Put what this module alone keeps into the dictionary: for classes of your own."""
        for name, tensor in self._lasting().items():
            destination[prefix + name] = tensor if keep_vars else tensor.detach()
        if overrides(self, "get_extra_state"):
            destination[prefix + EXTRA_STATE] = self.get_extra_state()

    def get_extra_state(self) -> Any:
        """What else belongs to its state, beside tensors: for classes of your own to write.

        It is in ``state_dict()`` under "_extra_state", and ``load_state_dict`` gives it to
        ``set_extra_state``. Numbers, texts, tensors, and lists and dictionaries of these can be
        saved to a file. Raises RuntimeError where no class has written it.
        Counterpart: ``torch.nn.Module.get_extra_state``.

        >>> import minigrad as torch
        >>> class Counting(torch.nn.Module):
        ...     count = 3
        ...     def get_extra_state(self):
        ...         return {"count": self.count}
        ...     def set_extra_state(self, state):
        ...         self.count = state["count"]
        >>> Counting().state_dict()
        OrderedDict([('_extra_state', {'count': 3})])
        """
        raise RuntimeError(NO_EXTRA_STATE.format("get_extra_state(self): return ..."))

    def set_extra_state(self, state: Any) -> None:
        """Take back what ``get_extra_state`` returned: for classes of your own to write.

        Raises RuntimeError where no class has written it.
        Counterpart: ``torch.nn.Module.set_extra_state``.
        """
        raise RuntimeError(NO_EXTRA_STATE.format("set_extra_state(self, state): ..."))

    def load_state_dict(self, state_dict, strict=True):
        """Copy what ``state_dict()`` of such a model returned into this one.

        Raises RuntimeError, and says all that is wrong, if shapes differ, or, if ``strict``, names
        do. Returns the names that differ. Counterpart: ``torch.nn.Module.load_state_dict``.
        """
        text = "Expected state_dict to be dict-like, got {}.\n"
        text += "  fix: of a file, minigrad.load(path); of a model, model.state_dict()"
        ensure(isinstance(state_dict, Mapping), text, type(state_dict), error=TypeError)
        missing: list[str] = []
        unexpected: list[str] = []
        wrong: list[str] = []
        self._load(OrderedDict(state_dict), state_dict, "", missing, unexpected, wrong)
        if not hasattr(state_dict, "_metadata"):  # older ones, too, which did not count batches
            missing = [key for key in missing if not key.endswith("num_batches_tracked")]
        for what, keys in (("Unexpected", unexpected), ("Missing", missing)):
            if keys and strict:
                text = f"{what} key(s) in state_dict: " + ", ".join(map(QUOTED, keys)) + ". "
                wrong.insert(0, text)
        text = f"Error(s) in loading state_dict for {type(self).__name__}:"
        ensure(not wrong, "{}", "\n\t".join((text, *wrong)))
        return _IncompatibleKeys(missing, unexpected)

    def _load(self, given: Any, whole: Any, prefix: str, *found: list[str]) -> None:
        """Load this module and all inside it; each sees the entries below its own path."""
        about = getattr(whole, "_metadata", {}).get(prefix[:-1], {})
        self._load_from_state_dict(given, prefix, about, True, *found)
        for name, module in self._modules.items():
            if module is not None:
                path = f"{prefix}{name}."
                inside = {key: value for key, value in given.items() if key.startswith(path)}
                module._load(inside, whole, path, *found)

    def _load_from_state_dict(
        self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
    ):
        """Copy the entries of this module alone: for classes of your own to change them before.

        What is wrong is added to the three lists.
        """
        own = {prefix + name: tensor for name, tensor in self._lasting().items()}
        for key, mine in own.items():
            theirs = state_dict.get(key)
            if key not in state_dict:
                missing_keys.extend([key] * strict)
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
        extra = prefix + EXTRA_STATE
        if overrides(self, "set_extra_state"):
            if extra in state_dict:
                self.set_extra_state(state_dict[extra])
            else:
                missing_keys.extend([extra] * strict)
            own[extra] = None
        for key in state_dict if strict else ():
            name, _, below = key.removeprefix(prefix).partition(".")
            child = below and name in self._modules  # which looks at it itself
            if key.startswith(prefix) and key not in own and not child:
                unexpected_keys.append(key)

    def _apply(self, fn: Callable[[Any], Any]) -> Any:
        """Convert all parameters, their gradients and the buffers by ``fn``, in their place."""
        for parameter in self.parameters():
            for tensor in (parameter, parameter.grad):
                if tensor is not None:
                    tensor.data = fn(tensor.data)
        for module in self.modules():
            for name, tensor in module._buffers.items():
                module._buffers[name] = tensor if tensor is None else fn(tensor)
        return self

    def to(self, *args: Any, **kwargs: Any) -> Any:
        """Convert parameters and buffers that are floats to a dtype, in their place.

        Takes what ``Tensor.to`` takes; returns the module. Raises TypeError for other than
        floating dtypes. Counterpart: ``torch.nn.Module.to``.

        >>> import minigrad as torch
        >>> torch.nn.Linear(2, 1).to(torch.float64).weight.dtype
        torch.float64
        """
        wanted = empty(0).to(*args, **kwargs).dtype
        text = "nn.Module.to only accepts floating point or complex dtypes, but got desired {}"
        ensure(wanted.is_floating_point, text, wanted, error=TypeError)
        return self._apply(lambda t: t.to(*args, **kwargs) if t.is_floating_point() else t)

    def float(self) -> Any:
        """Convert it to float32. Counterpart: ``torch.nn.Module.float``."""
        return self.to(float32)

    def double(self) -> Any:
        """Convert it to float64. Counterpart: ``torch.nn.Module.double``."""
        return self.to(float64)

    def cpu(self) -> Any:
        """Itself: it is on the CPU. Counterpart: ``torch.nn.Module.cpu``."""
        return self

    def cuda(self, device: Any = None) -> Any:
        """Raises AssertionError: minigrad computes on the CPU only."""
        return self.to("cuda")

    # -------------------------------------------------------------------------------- printing

    def extra_repr(self) -> str:
        """What is printed of it beside the modules inside: for classes of your own to write."""
        changed = [f"{n}=" for n, usual in self._in_repr_if if self._option(n) != usual]
        texts = []
        for name in (*self._in_repr, *changed):
            value = self._option(name.strip("="))
            texts.append(f"{name}{value}" if name.endswith("=") else str(value))
        return ", ".join(texts)

    def _option(self, name: str) -> Any:
        """An attribute; of a parameter, whether there is one."""
        value = getattr(self, name)
        return value is not None if name in self._parameters else value

    def _lines(self) -> list[str]:
        """The modules inside it as text, each with its name."""
        return [f"({name}): {module!r}" for name, module in self._modules.items()]

    def __repr__(self) -> str:
        extra = self.extra_repr()
        inside = self._lines()
        name = type(self).__name__
        if not inside and "\n" not in extra:
            return f"{name}({extra})"
        lines = [*extra.split("\n")] * bool(extra) + [part.replace("\n", "\n  ") for part in inside]
        return "\n  ".join([f"{name}(", *lines]) + "\n)"
