"""Do a model, its optimiser and the loss belong together? If not, what is wrong, and the fix.

A loop can run well and train nothing: with the optimiser of an earlier model, with a parameter
that is frozen, with layers in a plain list, with another model than the one that is watched.
``Wiring`` says each in a sentence, from what can be seen: who holds which parameter, to which
leaves the loss leads, and what has been written to.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from .library import Library
from .words import and_more, counted, path_of

DEPTH = 3  # lists within lists that are looked into
ENTRIES = 1000  # of each, at most


class Hidden(NamedTuple):
    """A tensor that a module has, and does not count among its parameters."""

    owner: str  # the path of the module: "encoder", "" for the model itself
    attribute: str
    path: str  # from there: "[0].weight"
    tensor: Any


class Wiring:
    """Who holds what in a training. It holds none of the tensors itself."""

    def __init__(self, model: Any, optimizer: Any, library: Library) -> None:
        self.library = library
        self.names = name_of(model, {}, "model"), name_of(optimizer, {}, "optimizer")
        self.variables: Callable[[], dict[str, Any]] = dict
        self.called = False  # was the model called, and the call recorded?
        self.renamed = False  # does the model's variable hold another model now?
        self._first: dict[int, tuple[Any, Any]] = {}  # id -> the tensor, weakly; what it was
        self._reached: dict[int, Any] = {}  # leaves to which the loss led
        self._passes = 0

    # ------------------------------------------------------------------ being told

    def begin(self, model: Any, optimizer: Any, variables: Callable[[], dict[str, Any]]) -> None:
        """The block begins; ``variables`` gives those in sight of it."""
        self.variables = variables
        now = variables()
        self.names = name_of(model, now, "model"), name_of(optimizer, now, "optimizer")

    def look(self, model: Any) -> None:
        """Note the parameters that are new, as they are now."""
        hidden = (one.tensor for one in hidden_in(model, self.library))
        for tensor in [*self.library.parameters(model).values(), *hidden]:
            known = self._first.get(id(tensor))
            if known is None or known[0]() is not tensor:
                self._first[id(tensor)] = weakref.ref(tensor), self.library.written(tensor)

    def passed(self, roots: Iterable[Any]) -> None:
        """A backward pass begins: see, now and then, to which leaves it leads."""
        self._passes += 1
        if self._passes & (self._passes - 1):
            return  # at the first pass, the second, the fourth, the eighth …
        for leaf in self.library.leaves_behind(roots):
            self._reached[id(leaf)] = weakref.ref(leaf)

    # ------------------------------------------------------------------ being read

    def remarks(
        self, model: Any, optimizer: Any, had_gradient: Callable[[str], bool], steps: int
    ) -> list[str]:
        """What does not belong together. ``had_gradient`` tells it of a parameter by its name."""
        named = {n: p for n, p in self.library.parameters(model).items() if p.is_floating_point()}
        held = {id(p) for p in parameters_of(optimizer)}
        found = [*self._unregistered(model, held), *self._frozen(model, named, optimizer)]
        wanted = {n: p for n, p in named.items() if p.requires_grad}
        with_gradient = {n: p for n, p in wanted.items() if p.grad is not None or had_gradient(n)}
        if not with_gradient and self._passes and wanted:
            return [*self._cut_off(model, wanted, held), *found]
        if optimizer is not None and steps:
            found += self._not_held(optimizer, named, with_gradient, held)
        if with_gradient and steps:
            found += self._unused(wanted, with_gradient, held)
        return found

    def _not_held(
        self, optimizer: Any, named: Any, with_gradient: Any, held: set[int]
    ) -> Iterator[str]:
        """Parameters that get gradients, and that nobody moves."""
        model, its = self.names
        left = {n: p for n, p in with_gradient.items() if id(p) not in held and not self._moved(p)}
        if not left:
            return
        ours = set(map(id, named.values()))
        foreign = [p for p in parameters_of(optimizer) if id(p) not in ours and p.grad is None]
        stale = ""
        if foreign:
            old = f"{counted(len(foreign), 'tensor')} that {model} does not have"
            stale = f" It holds {old}: was a part replaced after {its} was made?"
        get, them = ("gets", "it") if len(left) == 1 else ("get", "them")
        yield (
            f"{and_more(left)} {get} gradients, but {its} does not hold {them}: step() "
            f"never moves {them}, and zero_grad() does not clear {them}.{stale} Fix: make the "
            f"optimizer again, once the model is complete: {made_again(optimizer, *self.names)}."
        )

    def _unused(self, wanted: Any, with_gradient: Any, held: set[int]) -> Iterator[str]:
        """Parameters that the optimiser would move, had they ever got a gradient."""
        idle = [
            name
            for name, p in wanted.items()
            if name not in with_gradient
            and id(p) in held
            and not self._moved(p)
            and not self._was_reached(p)
        ]
        if idle:
            has = "has" if len(idle) == 1 else "have"
            yield (
                f"{and_more(idle)} {has} got no gradient in {self._counted_passes()}: the loss "
                f"does not depend on {'it' if len(idle) == 1 else 'them'}. Fix: see that forward() "
                "uses each layer that __init__ makes, and cuts nothing off by detach()."
            )

    def _frozen(self, model: Any, named: Any, optimizer: Any) -> Iterator[str]:
        """Parameters that do not require a gradient."""
        frozen = [name for name, p in named.items() if not p.requires_grad]
        if not frozen:
            return
        one = len(frozen) == 1
        what, them, it = ("is", "it", "it gets") if one else ("are", "them", "they get")
        moved = "" if optimizer is None else f", and step() does not move {them}"
        where = path_of(self.names[0], frozen[0] if one else common_owner(frozen))
        yield (
            f"{and_more(frozen)} {what} frozen (requires_grad=False): {it} no gradient{moved}. "
            f"To train {them}: {where}.requires_grad_()."
        )

    def _unregistered(self, model: Any, held: set[int]) -> Iterator[str]:
        """Tensors in plain lists and plain attributes, which parameters() does not find."""
        groups: dict[tuple[str, str], list[Hidden]] = {}
        for one in hidden_in(model, self.library):
            if id(one.tensor) not in held and not self._moved(one.tensor):
                groups.setdefault((one.owner, one.attribute), []).append(one)
        for (owner, attribute), members in groups.items():
            where = path_of(self.names[0], owner)
            paths = [f"{where}.{attribute}{one.path}" for one in members]
            got = any(
                one.tensor.grad is not None or self._was_reached(one.tensor) for one in members
            )
            single = len(members) == 1
            them = "it" if single else "them"
            verb = ("gets" if single else "get") if got else ("requires" if single else "require")
            why, fix = registered(model.get_submodule(owner), attribute, self.library)
            yield (
                f"{and_more(paths)} {verb} gradients, but {self.names[0]}.parameters() does not "
                f"find {them}: {why}. So an optimizer made of it does not move {them}. "
                f"Fix, in the class: {fix}."
            )

    def _cut_off(self, model: Any, wanted: Any, held: set[int]) -> Iterator[str]:
        """No parameter of the model has ever got a gradient."""
        name, its = self.names
        passes = self._counted_passes()
        if any(map(self._was_reached, wanted.values())):
            return
        if self.called:
            yield (
                f"{name} was called, but in {passes} none of its parameters got a gradient: the "
                "loss does not depend on what it returned. Fix: compute the loss from that, and "
                "cut nothing off by detach(), item(), numpy() or no_grad()."
            )
            return
        start = f"In {passes} no parameter of {name} got a gradient, and it was not called: "
        variables = self.variables()
        other = variables.get(name)
        if isinstance(other, self.library.module) and other is not model and self._uses(other):
            also = ""
            if held.isdisjoint(map(id, other.parameters())):
                also = f", and so does {its}"
            yield (
                f"{start}the loop trains another model, made under the same name since. This view "
                f"still watches the one before{also}. Fix: make {name} first, the optimizer of "
                "its parameters next, and TrainingLoop last."
            )
            return
        modules = {n: v for n, v in variables.items() if isinstance(v, self.library.module)}
        others = [name for name, module in modules.items() if self._uses(module)]
        if others:
            yield (
                f"{start}the loss comes from {and_more(others)}. Fix: call {name} in the loop, or "
                f"watch the other: TrainingLoop({others[0]}, {its}), with its own optimizer."
            )
        else:
            yield f"{start}the loss comes from other tensors. Fix: call {name} in the loop."

    def _uses(self, module: Any) -> bool:
        """Did the loss lead to a parameter of this module?"""
        return any(self._was_reached(parameter) for parameter in module.parameters())

    def _was_reached(self, tensor: Any) -> bool:
        known = self._reached.get(id(tensor))
        return known is not None and known() is tensor

    def _moved(self, tensor: Any) -> bool:
        """Was it written to since it was first seen?"""
        known = self._first.get(id(tensor))
        if known is None or known[0]() is not tensor:
            return False
        count, corner = known[1]
        count_now, corner_now = self.library.written(tensor)
        return count != count_now or not np.array_equal(corner, corner_now, equal_nan=True)

    def _counted_passes(self) -> str:
        return counted(self._passes, "backward pass")


def parameters_of(optimizer: Any) -> list[Any]:
    """The parameters that an optimiser moves."""
    groups = [] if optimizer is None else optimizer.param_groups
    return [parameter for group in groups for parameter in group["params"]]


def name_of(thing: Any, variables: dict[str, Any], otherwise: str) -> str:
    """The program's variable for a model or an optimiser."""
    names = [name for name, value in variables.items() if value is thing and name[0] != "_"]
    if thing is None or not names or otherwise in names:
        return otherwise
    return str(names[0])


def made_again(optimizer: Any, model: str, name: str) -> str:
    """The line that makes such an optimiser of the model as it is now."""
    rate = optimizer.param_groups[0].get("lr")
    rates = f", lr={rate}" if isinstance(rate, (int, float)) else ""
    return f"{name} = torch.optim.{type(optimizer).__name__}({model}.parameters(){rates})"


def not_of(model: Any, optimizer: Any, variables: dict[str, Any]) -> str:
    """What to say of an optimiser that moves no parameter of this model."""
    names = name_of(model, variables, "model"), name_of(optimizer, variables, "optimizer")
    return (
        "the optimizer moves none of the model's parameters: is it that of another model, "
        "or of this one before its parameters were replaced?\n"
        f"  fix: {made_again(optimizer, *names)}, after the line that makes {names[0]}"
    )


def common_owner(names: list[str]) -> str:
    """The module that has all of these parameters: "0" of "0.weight" and "0.bias"."""
    shared = names[0].split(".")[:-1]
    for name in names:
        parts = name.split(".")[:-1]
        while parts[: len(shared)] != shared:
            shared.pop()
    return ".".join(shared)


# ------------------------------------------------------------------------- unregistered tensors


def hidden_in(model: Any, library: Library) -> list[Hidden]:
    """The leaves in plain attributes of a model, with lists, that are none of its parameters."""
    known = {id(parameter) for parameter in model.parameters()}
    found = []
    for owner, module in model.named_modules():
        for attribute, value in vars(module).items():
            if attribute in library.plain:
                continue
            for path, tensor in leaves_in(value, DEPTH, library):
                if id(tensor) not in known:
                    known.add(id(tensor))
                    found.append(Hidden(owner, attribute, path, tensor))
    return found


def leaves_in(value: Any, depth: int, library: Library) -> Iterator[tuple[str, Any]]:
    """The leaves that require a gradient in a value, each with the path to it."""
    if isinstance(value, library.tensor):
        if is_wanting_leaf(value):
            yield "", value
    elif isinstance(value, library.module):
        for name, parameter in library.parameters(value).items():
            if is_wanting_leaf(parameter):
                yield path_of("", name), parameter
    elif isinstance(value, (list, tuple, dict)) and depth:
        entries = value.items() if isinstance(value, dict) else enumerate(value)
        for (key, entry), _ in zip(entries, range(ENTRIES)):
            for path, tensor in leaves_in(entry, depth - 1, library):
                yield f"[{key!r}]{path}", tensor


def is_wanting_leaf(tensor: Any) -> bool:
    """Does a gradient of it land in its ``.grad``?"""
    return bool(tensor.is_leaf and tensor.requires_grad)


def registered(module: Any, attribute: str, library: Library) -> tuple[str, str]:
    """Why a module does not find what this attribute holds, and how it would."""
    value = vars(module)[attribute]
    if isinstance(value, library.tensor):
        return f"{attribute} is a tensor, and no nn.Parameter", (
            f"self.{attribute} = nn.Parameter(self.{attribute})"
        )
    entries = value.values() if isinstance(value, dict) else value
    kind = "Module" if any(isinstance(entry, library.module) for entry in entries) else "Parameter"
    container = "Dict" if isinstance(value, dict) else "List"
    plain = f"{attribute} is a plain {type(value).__name__}, into which a module does not look"
    return plain, f"self.{attribute} = nn.{kind}{container}(self.{attribute})"
