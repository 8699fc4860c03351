"""What happens to an operation while it runs: is it recorded, and how is kept what it saves?

``no_grad`` and its relatives say whether operations are recorded. ``saved_tensors_hooks`` give
what is saved another form. Each belongs to a thread (another thread keeps its own), and is restored
when a block is left by an exception. ``no_grad`` above a generator holds only while the generator's
own code runs, never between two of its yields.
"""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable, Generator
from typing import Any, TypeVar

from .node import Kind, Node, Packed, TensorBase, Watch, edge_to, extra, new_tensor

F = TypeVar("F", bound=Callable[..., Any])


class _Mode(threading.local):
    # Are operations recorded? True, False, or, inside saved_tensors_hooks, the hooks: one test
    # on the hot path then answers both questions.
    recording: Any = True
    packing: Any = None  # the saved_tensors_hooks in force
    inference = False  # inside inference_mode()
    raw = False  # is a backward pass running its rules on bare arrays?
    switch = ""  # what the watched program switched recording off by: "no_grad"


mode = _Mode()
current = mode  # the same, where PyTorch calls a parameter ``mode``


def recording_if(wanted: bool) -> Any:
    """What ``mode.recording`` is to be: False, or True, or the hooks in force."""
    if not wanted:
        return False
    return mode.packing or True


def switch_of(setting: _Setting) -> str:
    """What is to be said of operations that it leaves unrecorded; "" if nobody watches."""
    observer = Watch.observer
    if setting.recording or observer is None:
        return ""
    return str(observer.switching(type(setting).__name__))


class _Setting:
    """A value of ``mode.recording`` as a ``with`` block and as a decorator."""

    recording: bool
    inference = False

    def __enter__(self) -> None:
        # Kept on stacks, since one object may be entered again inside its own block.
        if Watch.observer is not None:
            self.__dict__.setdefault("_switches", []).append(mode.switch)
            mode.switch = switch_of(self)
        self.__dict__.setdefault("_before", []).append((mode.recording, mode.inference))
        mode.recording = recording_if(self.recording)
        mode.inference = self.inference or mode.inference

    def __exit__(self, *exception: object) -> None:
        mode.recording, mode.inference = self.__dict__["_before"].pop()
        if "_switches" in self.__dict__:
            mode.switch = self.__dict__["_switches"].pop() if self.__dict__["_switches"] else ""

    def _again(self) -> _Setting:
        """A fresh setting of the same kind, for each call of a decorated function."""
        return type(self)()

    def __call__(self, function: F) -> F:
        if inspect.isgeneratorfunction(function):
            return self._around_generator(function)

        @functools.wraps(function)
        def inside(*args: Any, **kwargs: Any) -> Any:
            with self._again():
                return function(*args, **kwargs)

        return inside  # type: ignore[return-value]

    def _around_generator(self, function: F) -> F:
        @functools.wraps(function)
        def inside(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
            with self._again():
                generator = function(*args, **kwargs)
            resume: Callable[[], Any] = functools.partial(next, generator)
            while True:
                try:
                    with self._again():
                        item = resume()
                except StopIteration as stop:
                    return stop.value
                try:
                    sent = yield item
                except GeneratorExit:
                    with self._again():
                        generator.close()
                    raise
                except BaseException as error:
                    resume = functools.partial(generator.throw, error)
                else:
                    resume = functools.partial(generator.send, sent)

        return inside  # type: ignore[return-value]


class _Switch(_Setting):
    """A setting without arguments, which may therefore decorate without parentheses."""

    def __new__(cls, function: Any = None) -> Any:
        setting = super().__new__(cls)
        return setting if function is None else setting(function)


class no_grad(_Switch):
    """Within this block (or decorated function) operations are not recorded.

    Results have ``requires_grad=False`` even if inputs require a gradient, and nothing is
    saved for a backward pass. Counterpart: ``torch.no_grad``.

    >>> import minigrad as torch
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> with torch.no_grad():
    ...     y = x * x
    >>> y.requires_grad
    False
    """

    recording = False


class enable_grad(_Switch):
    """Record operations again inside ``no_grad``. Counterpart: ``torch.enable_grad``.

    >>> import minigrad as torch
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> with torch.no_grad(), torch.enable_grad():
    ...     y = x * x
    >>> y.requires_grad
    True
    """

    recording = True


class inference_mode(_Setting):
    """As ``no_grad``. ``inference_mode(False)`` ends it, and records again, also in ``no_grad``.

    Counterpart: ``torch.inference_mode``. PyTorch also forbids such results in later
    recorded operations; minigrad does not.

    >>> import minigrad as torch
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> with torch.inference_mode():
    ...     y = x * x
    >>> y.requires_grad
    False
    """

    def __init__(self, mode: bool = True) -> None:
        self.inference = mode
        self.recording = not mode

    def __enter__(self) -> None:
        super().__enter__()
        current.inference = self.inference

    def _again(self) -> _Setting:
        return inference_mode(self.inference)


class set_grad_enabled(_Setting):
    """Switch recording on or off: at once when called, and back at the end of a ``with``.

    Counterpart: ``torch.set_grad_enabled``.

    >>> import minigrad as torch
    >>> with torch.set_grad_enabled(False):
    ...     torch.is_grad_enabled()
    False
    """

    def __init__(self, mode: bool) -> None:
        if not isinstance(mode, bool):
            raise TypeError(
                "set_grad_enabled(): argument 'enabled' (position 1) must be bool, not "
                f"{type(mode).__name__}"
            )
        self.recording = mode
        self._at_call = current.recording
        self._switch_at_call = current.switch
        current.recording = recording_if(mode)
        current.switch = switch_of(self)

    def __enter__(self) -> None:
        super().__enter__()
        _, inference = self.__dict__["_before"].pop()
        self.__dict__["_before"].append((self._at_call, inference))
        if self.__dict__.get("_switches"):
            self.__dict__["_switches"][-1] = self._switch_at_call

    def __call__(self, function: F) -> F:
        current.recording = self._at_call  # used as a decorator: nothing is set until a call
        current.switch = self._switch_at_call
        return super().__call__(function)

    def _again(self) -> _Setting:
        return enable_grad() if self.recording else no_grad()


def is_grad_enabled() -> bool:
    """Are operations recorded in this thread? Counterpart: ``torch.is_grad_enabled``.

    >>> import minigrad as torch
    >>> with torch.no_grad():
    ...     torch.is_grad_enabled()
    False
    """
    return bool(mode.recording)


def is_inference_mode_enabled() -> bool:
    """Is this thread inside ``inference_mode``? Counterpart: ``torch.is_inference_mode_enabled``.

    >>> import minigrad as torch
    >>> torch.is_inference_mode_enabled()
    False
    """
    return mode.inference


# ---------------------------------------------------------------------------- packing what is saved

UNPACKED = Kind("UnpackBackward0", "unpack", ("input",), {"input": ()}, rules=((lambda g: g, ()),))
"""Leads from a leaf's saved value, as a hook brought it back, to the leaf."""


class saved_tensors_hooks:
    """Within this block, what operations save goes through two functions of yours.

    ``pack_hook(tensor)`` gets each saved value once, and returns whatever stands for it;
    ``unpack_hook`` gets that back when ``backward()`` needs the value, and returns a tensor equal
    to the one that was packed. Raises TypeError if it returns something else.

    Counterpart: ``torch.autograd.graph.saved_tensors_hooks``.

    >>> import minigrad as torch
    >>> sizes = []
    >>> def pack(x):
    ...     sizes.append(x.numel())
    ...     return x
    >>> x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    >>> with torch.autograd.graph.saved_tensors_hooks(pack, lambda x: x):
    ...     y = (x * x).sum()
    >>> sizes  # both factors
    [3, 3]
    """

    def __init__(self, pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Any]) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook
        self._before: list[tuple[Any, Any]] = []

    def __enter__(self) -> None:
        self._before.append((mode.packing, mode.recording))
        mode.packing = self
        mode.recording = mode.recording and self

    def __exit__(self, *exception: object) -> None:
        mode.packing, mode.recording = self._before.pop()

    def packed(self, tensor: Any) -> Packed:
        """The tensor in the form that the hook gave it."""
        thing = self.pack_hook(tensor)
        unpack = self.unpack_hook
        edge = edge_to(tensor)

        def unpacked() -> Any:
            tensor = unpack(thing)
            if not isinstance(tensor, TensorBase):
                raise TypeError(
                    f"the unpack hook returned a {type(tensor).__name__}: it must return a Tensor "
                    "equal to the one that was packed"
                )
            array = tensor._array
            if edge is None or isinstance(edge, Node):
                return new_tensor(array, edge)  # with the history that it had
            return new_tensor(array, Node(UNPACKED, (edge,), array.shape, array.dtype))

        result = Packed()
        result.unpacked = unpacked
        return result


def pack_saved(node: Node, hooks: saved_tensors_hooks) -> None:
    """Let the hooks have what the node has just saved."""

    def packed(slot: int, value: Any) -> Any:
        if isinstance(value, TensorBase):
            return hooks.packed(value)
        if slot == node.kind.output_slot and value is not None:
            return hooks.packed(new_tensor(value))
        return value

    if node.saved:
        node.saved = tuple(packed(slot, value) for slot, value in enumerate(node.saved))
        extra(node)  # so that a visit does not take the saved values as they are
