"""``torch.compile``: a function that becomes a program which you can read.

The first call of a compiled function is an ordinary one. In the next, notes are taken of what NumPy
is asked to do (``notes``), and made into a program (``program``, ``printing``). Later calls run the
program, as long as everything is as it was that decides which program it is (``guards``,
``surroundings``). Where it is not, the call is an ordinary one again, and is noted as one more.
"""

from __future__ import annotations

import functools
import gc
import warnings
import weakref
from collections import Counter
from collections.abc import Callable
from typing import Any

from .. import dtypes
from ..engine import backward
from ..engine.modes import mode
from ..engine.node import TensorBase, Watch
from ..errors import outside
from ..nn.module import Module
from .checking import compared
from .doors import GRADIENT, led_through, one_at_a_time, settle, source_of
from .graph import ProgramTape
from .guards import key_of, taken_apart
from .memory import Memory
from .notes import Notes
from .replay import Program, held_elsewhere
from .surroundings import Surroundings
from .tasks import Task, dask_graph, tasks_of, why_not

MOST_PROGRAMS = 64
"""With so many programs, calls for which none of them is are run as they are, unnoted."""


class Refused(RuntimeError):
    """A call cannot become a program; the text says why, where, and what helps."""


class Compiled:
    """A compiled function: see ``compile``."""

    def __init__(
        self, function: Callable[..., Any], fullgraph: bool, check: bool, limit: int
    ) -> None:
        functools.update_wrapper(self, function)
        name = getattr(function, "__name__", "")
        self.name = name if name.isidentifier() else "program"
        self.function = function
        self.fullgraph = fullgraph
        self.check = check
        self.limit = limit
        self.programs: list[Program] = []
        self.refused: dict[Any, str] = {}
        self._by_key: dict[Any, list[Program]] = {}
        self._started = False
        self._ordinary: Counter[str] = Counter()  # why calls were ordinary ones

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if is_watched():
            return self._run("somebody watches, or takes notes", args, kwargs)
        if not self._started:
            self._started = True
            return self._run("the first call", args, kwargs)
        leaves: list[Any] = []
        key = key_of(taken_apart((args, kwargs), leaves), leaves)
        if key in self.refused:
            return self._run("refused: " + self.refused[key].partition("\n")[0], args, kwargs)
        known = self._by_key.setdefault(key, [])
        why = "new arguments" if self.programs else "the first that was noted"
        for program in known:
            if self.check:
                result, why = compared(program, leaves, lambda: self.function(*args, **kwargs))
            else:
                result, why = program(leaves)
            if not why:
                return result
        if len(self.programs) >= self.limit:
            return self._run(f"too many programs; {why}", args, kwargs)
        self._ordinary[why] += 1
        return self._note(key, leaves, args, kwargs)

    def _run(self, why: str, args: Any, kwargs: Any) -> Any:
        """An ordinary call."""
        self._ordinary[why] += 1
        return self.function(*args, **kwargs)

    def _note(self, key: Any, leaves: list[Any], args: Any, kwargs: Any) -> Any:
        """An ordinary call of which notes are taken."""
        notes = Notes()
        around = Surroundings(notes)
        for position, leaf in enumerate(leaves):
            if isinstance(leaf, TensorBase) and id(leaf) not in notes.sources:
                source_of(notes, leaf).position = position
        for name, argument in named_arguments(self.function, args, kwargs):
            around.argument(name, argument)
        backward.listeners.append(notes.backward)
        settings = settings_in_force()
        try:
            with one_at_a_time, led_through(notes):
                around.value(self.name, self.function)
                with around.watching():
                    result = self.function(*args, **kwargs)
                settle(notes)
            if settings_in_force() != settings:
                notes.refuse("the call has changed a setting of minigrad", "set it before the call")
            finish(notes, around)
            program = Program(self.name, notes, around, result)
        finally:
            backward.listeners.remove(notes.backward)
            notes.open = False
        left = [weakref.ref(tensor) for tensor in held_elsewhere(notes, result)]
        why = notes.refused
        notes.forget()
        if not why and any(ref() is not None for ref in left):
            gc.collect()
            if any(ref() is not None for ref in left):
                why = KEPT
        if not why:
            self.programs.append(program)
            self._by_key[key].append(program)
            return result
        self.refused[key] = why
        text = f"compile() refuses {self.name}(): {why}"
        if self.fullgraph:
            raise Refused(text)
        text += "\n  Calls like this one run as they are, uncompiled."
        warnings.warn(text, UserWarning, stacklevel=outside())
        return result

    # ------------------------------------------------------------------------------ what to read

    @property
    def source(self) -> str:
        """The text of its programs; that of the first comes first."""
        return "\n\n".join(program.source for program in self.programs)

    def __repr__(self) -> str:
        if self.programs:
            return self.source
        return f"<compiled {self.name}: {'refused' if self.refused else 'no program yet'}>"

    @property
    def memory(self) -> Memory:
        """The memory that its first program needs: see ``Memory``."""
        return Memory(self._first().steps, self)

    @property
    def tasks(self) -> list[Task]:
        """The lines of its first program, each with those that it must wait for."""
        return tasks_of(self._first().steps)

    @property
    def graph(self) -> ProgramTape:
        """The lines of its first program as a graph: ``GraphView(compiled.graph)`` draws it.

        A node is a line, with the shape of what it makes; it has no numbers, since each call has
        its own. ``compiled.programs[1].graph`` is that of the second program, and
        ``GraphDiff(one, other)`` lays two side by side.
        """
        return self._first().graph

    def to_dask(self, *args: Any, **kwargs: Any) -> tuple[dict[str, Any], list[str]]:
        """The program for these arguments as a graph of tasks that Dask can run.

        Returns the graph, and the names in it of what the function returns: ``dask.threaded.get``
        or the ``get`` of a ``distributed`` client makes of them the arrays of the results. Dask
        itself is not needed here. A task may run anywhere and at any time after those that it
        waits for, so it may change nothing: an optimiser's step, a ``.grad``, a buffer that is
        written to and random numbers are refused, and so is a call that its programs do not
        serve, with ``Refused``. The results wait for the guards; one that fails raises
        ``Otherwise``.

        >>> import minigrad as torch
        >>> @torch.compile
        ... def product(a, b):
        ...     return (a @ b).sum()
        >>> a, b = torch.ones(2, 3), torch.ones(3, 4)
        >>> results = [product(a, b) for _ in range(3)]
        >>> graph, names = product.to_dask(a, b)
        >>> function, *needed = graph["v2"]
        >>> print(function.__doc__, needed)
        v2 = a.dot(b) ['a', 'b']
        """
        leaves: list[Any] = []
        key = key_of(taken_apart((args, kwargs), leaves), leaves)
        why = "a call like this was not noted yet\n  fix: make two such calls first"
        for program in self._by_key.get(key, ()):
            tensors, guard = program.tensors(leaves)
            cannot = why_not(program.steps)
            if guard:
                why = f"{guard} is not as it was noted\n  fix: make such a call first"
            elif cannot:
                why = f"its program does more than to make values\n  where: {cannot}\n{PURELY}"
            else:
                named = program.given(tensors)
                return dask_graph(program.steps, named, program.results, program.space)
        raise Refused(f"to_dask() refuses {self.name}(): {why}")

    def _first(self) -> Program:
        if self.programs:
            return self.programs[0]
        if self.refused:
            why = next(iter(self.refused.values()))
            raise RuntimeError(f"{self.name}() has no program, because it is refused: {why}")
        raise RuntimeError(f"{self.name}() has no program yet\n  fix: call it twice first")

    def explain(self) -> str:
        """Which program has served how many calls, and why the others were ordinary ones."""
        rows = ["calls  served by"]
        for number, program in enumerate(self.programs):
            rows.append(f"{program.served:5}  program {number}, of {program.lines} lines")
        for why, count in self._ordinary.items():
            rows.append(f"{count:5}  an ordinary run: {why}")
        for why in dict.fromkeys(self.refused.values()):
            rows.append(f"refused: {why}")
        return "\n".join(rows)


PURELY = (
    "  fix: return what it works out, and gradients as torch.autograd.grad() gives them; let the\n"
    "  optimizer step outside"
)

KEPT = (
    "a tensor that was made in the call is still held by somebody when it ends\n"
    "  where: in an attribute, a list, or a variable outside the compiled function\n"
    "  fix: return the tensor, and keep it there"
)


def named_arguments(function: Any, args: Any, kwargs: Any) -> list[tuple[str, Any]]:
    """The arguments with the names that the function gives them, as far as its code says."""
    code = getattr(function, "__code__", None)
    names = [] if code is None else code.co_varnames[: code.co_argcount]
    names = [*names, *[f"x{number}" for number in range(len(names), len(args))]]
    return [*zip(names, args), *kwargs.items()]


def is_watched() -> bool:
    """Is somebody watching, who must see an ordinary run; or are notes of a call being taken?"""
    watched = Watch.observer or Watch.refuse or mode.packing or mode.raw or backward.listeners
    return bool(watched) or one_at_a_time.locked()


def settings_in_force() -> Any:
    return dtypes.get_default_dtype(), mode.recording, mode.inference


def finish(notes: Notes, around: Surroundings) -> None:
    """Refuse what has changed, around the call, in a way that a program would not change it."""
    around.born.clear()
    changed = around.changed()
    if changed:
        notes.refuse(f"the call has changed `{changed}`", "do that outside, with what it returns")
    seen = around.tensors()
    for source in notes.sources.values():
        if source.tensor._node is not source.node:
            notes.refuse("a tensor of the outside gets another history", "clone() it first")
        gradient = source.gradient_of is not None
        if gradient and (id(source.tensor) in seen or source.position is not None):
            notes.refuse("a gradient is used under two names", "use one of them")
        if gradient and GRADIENT.__get__(source.tensor) is not source.before:
            notes.refuse("a gradient gets a gradient")
        if source.grad_was_read and source.before is not None:
            child = notes.sources.get(id(source.before))
            if child is not None and child.gradient_of is not source:
                notes.refuse("a gradient is used under two names", "use one of them")


def compile(
    model: Callable[..., Any] | None = None,
    *,
    fullgraph: bool = False,
    dynamic: bool | None = None,
    backend: Any = None,
    mode: str | None = None,
    options: Any = None,
    disable: bool = False,
    recompile_limit: int | None = None,
    check: bool = False,
) -> Any:
    """A function that notes what NumPy is asked to do, and then runs these notes as a program.

    The first call is an ordinary one, the second is noted, later ones run the program, which
    ``print(compiled)`` shows: a line of NumPy for each thing that is worked out, forward, backward
    and the optimiser's step, beside the line of yours that it comes from. It is for arguments like
    those that it was noted with: shapes, dtypes and Python values are *guards*, and so are the
    variables and attributes that your code reads, ``requires_grad``, and whether a ``.grad`` was
    None. Where a guard fails, the call runs as ever and is noted as one more program;
    ``compiled.explain()`` says how often, and why.

    What notes cannot see, they refuse: ``item()``, ``tolist()``, printing, a list that grows. The
    call then runs as ever, and a warning says which line it is and what helps; ``fullgraph=True``
    raises that as an error. The truth of a tensor, as in ``if loss > 1:``, becomes a guard. What is
    printed, written to files or counted elsewhere happens only in ordinary calls. ``check=True``
    compares each later call with an ordinary run, and raises AssertionError where they differ.

    ``model`` is a function, or a module, whose call is meant. ``dynamic``, ``backend``, ``mode``
    and ``options`` choose how PyTorch compiles, and mean nothing here. ``disable``: return it as it
    is. ``recompile_limit``: after so many programs, take no more notes (64 unless given).

    Counterpart: ``torch.compile``.

    >>> import minigrad as torch
    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> @torch.compile
    ... def step(x):
    ...     w.grad = None
    ...     loss = (w * x).sum()
    ...     loss.backward()
    ...     return loss
    >>> for x in ([1.0, 1.0], [2.0, 1.0], [3.0, 1.0]):
    ...     loss = step(torch.tensor(x))
    >>> loss.item(), w.grad
    (5.0, tensor([3., 1.]))
    >>> print(step.explain())
    calls  served by
        1  program 0, of 6 lines
        1  an ordinary run: the first call
        1  an ordinary run: the first that was noted
    """
    if model is None:
        return functools.partial(
            compile,
            fullgraph=fullgraph,
            disable=disable,
            recompile_limit=recompile_limit,
            check=check,
        )
    limit = MOST_PROGRAMS if recompile_limit is None else recompile_limit
    if disable:
        return model
    if isinstance(model, Module):
        module = model

        def forward(*args: Any, **kwargs: Any) -> Any:
            return module(*args, **kwargs)

        return Compiled(forward, fullgraph, check, limit)
    return Compiled(model, fullgraph, check, limit)
