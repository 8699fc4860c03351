"""``Module``: what has parameters, and is called like a function.

A module keeps its parameters, its buffers (tensors that belong to its state, but are not trained)
and the modules inside it in three dictionaries, in the order in which they were assigned. All
that concerns a whole model walks this tree.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .._tensor import Tensor
from ..compat.arguments import ensure
from ..dtypes import float32, float64
from ..engine.node import RemovableHandle, Watch
from ..ops.creation import empty
from .module_calls import call_watched, call_with_hooks
from .module_parts import INIT, TABLES, no_module, part, put, register, replace
from .module_state import (
    EXTRA_STATE,
    NO_EXTRA_STATE,
    _IncompatibleKeys,
    copy_into,
    load,
    unexpected,
)
from .parameter import Parameter

BACKWARD = "\n  fix: in a forward hook, out.register_hook(...) sees the gradient of what comes out."


def overrides(module: Any, name: str) -> bool:
    """Has the module's class written this method itself?"""
    return getattr(type(module), name) is not getattr(Module, name)


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
            return call_watched(self, args, kwargs)
        if self._forward_pre_hooks or self._forward_hooks:
            return call_with_hooks(self, args, kwargs)
        return self.forward(*args, **kwargs)

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
        if isinstance(value, Parameter):
            put(self, "_parameters", name, value)
            return
        if isinstance(value, Module) and name not in self.__dict__.get("_parameters", ()):
            put(self, "_modules", name, value)
            return
        for table in TABLES:
            if name in self.__dict__.get(table, ()):
                replace(self, table, name, value)
                return
        object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        for table in TABLES:
            held = self.__dict__.get(table, ())  # none before Module.__init__
            if name in held:
                return held[name]
        text = f"'{type(self).__name__}' object has no attribute '{name}'"
        if name == "register_full_backward_hook":
            text += BACKWARD
        if "_modules" not in self.__dict__:
            text += INIT
        raise AttributeError(text)

    def __delattr__(self, name: str) -> None:
        for table in TABLES:
            held = self.__dict__.get(table, {})
            if name in held:
                del held[name]
                return
        object.__delattr__(self, name)

    def __dir__(self) -> Iterable[str]:
        names = [*dir(type(self)), *self.__dict__]
        names += [*self._parameters, *self._modules, *self._buffers]
        return sorted(name for name in names if not name[0].isdigit())

    def register_parameter(self, name: str, param: Any) -> None:
        """Add a parameter under this name, or None to say that there is none.

        Counterpart: ``torch.nn.Module.register_parameter``.
        """
        register(self, "parameter", "_parameters", name, param, Parameter)

    def register_buffer(self, name: str, tensor: Any, persistent: bool = True) -> None:
        """Add a tensor that is part of the state, but not trained, such as a running mean.

        ``persistent=False``: and not part of ``state_dict()`` either.
        Counterpart: ``torch.nn.Module.register_buffer``.
        """
        register(self, "buffer", "_buffers", name, tensor, Tensor)
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def add_module(self, name: str, module: Any) -> None:
        """Add a module under this name. Counterpart: ``torch.nn.Module.add_module``."""
        if module is not None and not isinstance(module, Module):
            raise TypeError(no_module(module))
        register(self, "module", "_modules", name, module, Module)

    register_module = add_module

    def _part(self, target: str, kind: type) -> Any:
        path, _, name = target.rpartition(".")
        return part(self.get_submodule(path), name, kind)

    def get_submodule(self, target: str) -> Any:
        """The module with this path: "encoder.0". Counterpart: ``torch.nn.Module.get_submodule``.

        Raises AttributeError if there is none.
        """
        if not target:
            return self
        return self._part(target, Module)

    def get_parameter(self, target: str) -> Any:
        """The parameter with this path. Counterpart: ``torch.nn.Module.get_parameter``."""
        return self._part(target, Parameter)

    def get_buffer(self, target: str) -> Any:
        """The buffer with this path. Counterpart: ``torch.nn.Module.get_buffer``."""
        return self._part(target, Tensor)

    # ------------------------------------------------------------------------ walking the tree

    def named_modules(
        self, memo: set[Any] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """This module and all inside it, each with its path, and each once.

        Counterpart: ``torch.nn.Module.named_modules``.
        """
        if memo is None:
            memo = set()
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
        modules: Iterable[tuple[str, Any]] = [(prefix, self)]
        if recurse:
            modules = self.named_modules(None, prefix, once)
        for path, module in modules:
            for name, held in getattr(module, table).items():
                if held is None or id(held) in seen:
                    continue
                if once:
                    seen.add(id(held))
                yield f"{path}.{name}" if path else name, held

    def named_children(self) -> Iterator[tuple[str, Any]]:
        """The modules right inside this one. Counterpart: ``torch.nn.Module.named_children``."""
        return self._named("_modules", prefix="", recurse=False, once=True)

    def children(self) -> Iterator[Any]:
        """The modules right inside this one. Counterpart: ``torch.nn.Module.children``."""
        return (module for _, module in self.named_children())

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """All parameters with their paths, each once, though two modules may share it.

        Counterpart: ``torch.nn.Module.named_parameters``.
        """
        return self._named("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Any]:
        """All parameters, each once: what an optimiser takes.

        Counterpart: ``torch.nn.Module.parameters``.
        """
        return (tensor for _, tensor in self.named_parameters(recurse=recurse))

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
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

    def state_dict(
        self, *, destination: Any = None, prefix: str = "", keep_vars: bool = False
    ) -> Any:
        """All parameters and buffers by path, detached, sharing memory with the model.

        ``keep_vars``: the parameters themselves. Counterpart: ``torch.nn.Module.state_dict``.

        >>> import minigrad as torch
        >>> layer = torch.nn.Linear(2, 1)
        >>> list(layer.state_dict())
        ['weight', 'bias']
        """
        if destination is None:
            destination = OrderedDict()
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                path = f"{prefix}{name}."
                module.state_dict(destination=destination, prefix=path, keep_vars=keep_vars)
        return destination

    def _persistent(self) -> dict[str, Any]:
        """The parameters and buffers of this module alone that belong to its state."""
        tensors = dict(self._parameters)
        for name, tensor in self._buffers.items():
            if name not in self._non_persistent_buffers_set:
                tensors[name] = tensor
        return {name: tensor for name, tensor in tensors.items() if tensor is not None}

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        """Put what this module alone keeps into the dictionary: for classes of your own."""
        for name, tensor in self._persistent().items():
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
        >>> dict(Counting().state_dict())
        {'_extra_state': {'count': 3}}
        """
        raise RuntimeError(NO_EXTRA_STATE.format("get_extra_state(self): return ..."))

    def set_extra_state(self, state: Any) -> None:
        """Take back what ``get_extra_state`` returned: for classes of your own to write.

        Raises RuntimeError where no class has written it.
        Counterpart: ``torch.nn.Module.set_extra_state``.
        """
        raise RuntimeError(NO_EXTRA_STATE.format("set_extra_state(self, state): ..."))

    def load_state_dict(self, state_dict: Any, strict: bool = True) -> _IncompatibleKeys:
        """Copy what ``state_dict()`` of such a model returned into this one.

        Raises RuntimeError, and says all that is wrong, if shapes differ, or, if ``strict``, names
        do. Returns the names that differ. Counterpart: ``torch.nn.Module.load_state_dict``.
        """
        return load(self, state_dict, strict)

    def _load_from_state_dict(
        self,
        state_dict: Any,
        prefix: str,
        local_metadata: Any,
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        """Copy the entries of this module alone: for classes of your own to change them before.

        What is wrong is added to the three lists; which keys there are, only if ``strict``.
        """
        own = {prefix + name: tensor for name, tensor in self._persistent().items()}
        missing: list[str] = []
        copy_into(own, state_dict, missing, error_msgs)
        extra = prefix + EXTRA_STATE
        if overrides(self, "set_extra_state"):
            if extra in state_dict:
                self.set_extra_state(state_dict[extra])
            else:
                missing.append(extra)
            own[extra] = None
        if strict:
            missing_keys += missing
            unexpected_keys += unexpected(state_dict, prefix, own, self._modules)

    def _apply(self, fn: Callable[[Any], Any]) -> Any:
        """Convert all parameters, their gradients and the buffers by ``fn``, in their place."""
        for parameter in self.parameters():
            for tensor in (parameter, parameter.grad):
                if tensor is not None:
                    tensor.data = fn(tensor.data)
        for module in self.modules():
            for name, tensor in module._buffers.items():
                if tensor is not None:
                    module._buffers[name] = fn(tensor)
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
            text = str(self._option(name.strip("=")))
            if name.endswith("="):
                text = name + text
            texts.append(text)
        return ", ".join(texts)

    def _option(self, name: str) -> Any:
        """An attribute; of a parameter, whether there is one."""
        value = getattr(self, name)
        if name in self._parameters:
            return value is not None
        return value

    def _lines(self) -> list[str]:
        """The modules inside it as text, each with its name."""
        return [f"({name}): {module!r}" for name, module in self._modules.items()]

    def __repr__(self) -> str:
        extra = self.extra_repr()
        inside = self._lines()
        name = type(self).__name__
        if not inside and "\n" not in extra:
            return f"{name}({extra})"
        lines = [f"{name}("]
        if extra:
            lines += extra.split("\n")
        lines += [text.replace("\n", "\n  ") for text in inside]
        return "\n  ".join(lines) + "\n)"
