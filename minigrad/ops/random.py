"""Random numbers: for the same seed the very ones that PyTorch draws on a CPU.

Equal to the bit: ``rand``, ``uniform_``, ``randint``, ``randperm``, ``bernoulli``, and
``multinomial`` but for ties. Equal to rounding: ``randn`` and ``normal``, since PyTorch has its own
logarithm and sine. The numbers come out of a ``Generator``, which has a file of its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes, longs
from ..compat.arguments import (
    check_implemented,
    ensure,
    is_whole,
    number_of,
    tensor_array,
    wrong_type,
)
from ..engine.arrays import as_array
from ..engine.node import TensorBase, new_tensor
from ..engine.record import operation
from ..engine.views import own_array
from .annotations import Array
from .creation import of_sizes, shaped_like
from .elementwise.choices import zero
from .generator import Generator
from .inplace import write
from .shaping import expand

if TYPE_CHECKING:
    from .._tensor import Tensor

default_generator = Generator()
default_generator.seed()


def generator_or_default(generator: Any) -> Generator:
    """The generator to draw from: the default one if none is given."""
    if generator is None:
        return default_generator
    text = "generator must be torch.Generator, not {}"
    name = type(generator).__name__
    ensure(isinstance(generator, Generator), text, name, error=TypeError)
    return generator


seed = default_generator.seed
initial_seed = default_generator.initial_seed
get_rng_state = default_generator.get_state
set_rng_state = default_generator.set_state


def manual_seed(seed: Any) -> Generator:
    """Start the default generator from this seed; returns it. Counterpart: ``torch.manual_seed``.

    >>> import minigrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.rand(3)
    tensor([0.4963, 0.7682, 0.0885])
    """
    return default_generator.manual_seed(int(seed))


@contextmanager
def fork_rng(devices: Any = None, enabled: bool = True) -> Iterator[None]:
    """What the block draws leaves no trace: afterwards the default generator is as before.

    Counterpart: ``torch.random.fork_rng``.
    """
    before = get_rng_state()
    try:
        yield
    finally:
        if enabled:
            set_rng_state(before)


# ----------------------------------------------- numbers in the shape and dtype of an array


def laid_out(numbers: Any, like: Any) -> Any:
    """Numbers in the shape of an array, in the order in which it lies in memory, and its dtype."""
    if like.flags.c_contiguous:
        return numbers.reshape(like.shape).astype(like.dtype, copy=False)
    out = np.empty_like(like)
    out.ravel(order="K")[...] = numbers  # not of a copy, as the entries of ``out`` lie together
    return out


def scaled(numbers: Any, factor: float, shift: float) -> Any:
    """``numbers * factor + shift``, rounded once, as by the instruction that PyTorch uses."""
    number = numbers.dtype.type
    exact = numbers.astype(np.float64 if number is np.float32 else np.longdouble)
    return (exact * number(factor) + number(shift)).astype(number)


def uniform(like: Any, low: float, high: float, generator: Any) -> Any:
    """Evenly distributed numbers."""
    check_implemented("check_uniform_bounds", like, "f")
    ensure(low <= high, "uniform_ expects to return a [from, to) range, not {}, {}", low, high)
    numbers = generator_or_default(generator).uniform(like.size, like.dtype)
    if (low, high) != (0, 1):
        first, end = np.array((low, high), like.dtype)
        numbers = scaled(numbers, end - first, first)
        numbers[numbers == end] = first
    return laid_out(numbers, like)


def gaussian(like: Any, mean: float, std: float, generator: Any = None) -> Any:
    """Normal numbers."""
    ensure(std >= 0, "normal expects std >= 0.0, but found std {}", std)
    check_implemented("normal_kernel_cpu", like, "f")
    source = generator_or_default(generator)
    if like.size >= 16 and like.flags.c_contiguous:
        numbers = source.normal_blocks(like.size, like.dtype)
    else:
        numbers = source.normal_pairs(like.size)
    if (mean, std) != (0, 1):
        numbers = scaled(numbers, std, mean)
    return laid_out(numbers, like)


gaussian.__name__ = "normal"  # which messages name


def integers(like: Any, low: Any, high: Any = None, generator: Any = None) -> Any:
    """Integers from ``low`` up to, not including, ``high``; or from 0, if only one is given."""
    if high is None:
        high = low
        low = 0
    for bound in (low, high):
        if not isinstance(number_of("randint", bound, "high", 1), (int, np.integer)):
            raise wrong_type("randint", "high", 1, "int", bound)
    ensure(low < high, "random_ expects 'from' to be less than 'to', but got {} >= {}", low, high)
    if like.dtype.kind == "b":
        ensure(high <= 2, "to - 1 is out of bounds")
    elif like.dtype.kind != "f":
        ensure(high - 1 <= np.iinfo(like.dtype).max, "to - 1 is out of bounds")
    span = int(high - low)
    words = generator_or_default(generator).words(like.size, 32 if span < 2**28 else 64)
    words -= words // words.dtype.type(span) * words.dtype.type(span)  # faster than %
    return laid_out(words.astype(np.int64) + int(low), like)


integers.__name__ = "randint"  # which messages name


def coin_flips(like: Any, p: Any, generator: Any) -> Any:
    """1 with probability ``p``, a number or an array, else 0."""
    p = as_array(p)
    check_implemented("bernoulli_tensor_cpu_p_", p, "f")
    ensure(((p >= 0) & (p <= 1)).all(), "bernoulli_ expects p to be in [0, 1], but got p={}", p)
    numbers = generator_or_default(generator).uniform(like.size, p.dtype)
    return (laid_out(numbers, np.empty_like(like, p.dtype)) < p).astype(like.dtype)


# ------------------------------------------------------------------------------- new tensors


@of_sizes
def rand(like: Any, generator: Any = None) -> Tensor:
    """Numbers evenly distributed from 0 up to, not including, 1. Counterpart: ``torch.rand``.

    >>> import minigrad as torch
    >>> torch.rand(2, 3).shape
    torch.Size([2, 3])
    """
    return uniform(like, 0, 1, generator)


@of_sizes
def randn(like: Any, generator: Any = None) -> Tensor:
    """Numbers of the normal distribution with mean 0 and variance 1. Counterpart: ``torch.randn``.

    >>> import minigrad as torch
    >>> torch.randn(3, generator=torch.Generator().manual_seed(0))
    tensor([ 1.5410, -0.2934, -2.1788])
    """
    return gaussian(like, 0, 1, generator)


def randint(low: Any = 0, high: Any = None, size: Any = None, **options: Any) -> Tensor:
    """Integers from ``low`` (0 if only one bound is given) up to, not including, ``high``.

    Options: ``generator``, ``dtype``, ``device``, ``requires_grad``. Raises RuntimeError if there
    are no such integers. Counterpart: ``torch.randint``.

    >>> import minigrad as torch
    >>> torch.randint(5, 6, (2,)), torch.randint(1, (2,))
    (tensor([5, 5]), tensor([0, 0]))
    """
    if isinstance(high, (tuple, list)):
        size = high
        high = None
    if size is not None and not isinstance(size, (tuple, list)):
        raise wrong_type("randint", "size", 3, "tuple of ints", size)
    return of_integers(low=low, high=high, size=size, **{"dtype": dtypes.int64, **options})


of_integers = of_sizes(integers)
randint_like = shaped_like(integers, "randint_like", given=10)
rand_like = shaped_like(rand.fill, "rand_like")
randn_like = shaped_like(randn.fill, "randn_like")


def randperm(n: int, **options: Any) -> Tensor:
    """The integers from 0 to ``n - 1`` in random order. Counterpart: ``torch.randperm``.

    Options: ``generator``, ``dtype``, ``device``, ``requires_grad``.

    >>> import minigrad as torch
    >>> sorted(torch.randperm(4).tolist())
    [0, 1, 2, 3]
    """
    if not is_whole(n):
        raise wrong_type("randperm", "n", 1, "int", n)
    return shuffled((n,), **{"dtype": dtypes.int64, **options})


@of_sizes
def shuffled(like: Any, generator: Any = None) -> Any:
    """The integers from 0 on, in random order."""
    return laid_out(generator_or_default(generator).order(like.size), like)


@operation(input=lambda g: zero(g))
def _random(input: Array, numbers: Array) -> Array:
    # Whatever is drawn is a constant: the gradient of what it replaces, or came from, is 0.
    return numbers


def normal(mean: Any, std: Any = 1.0, size: Any = None, **options: Any) -> Tensor:
    """Normal numbers with this mean and standard deviation: two numbers and a ``size``, or tensors.

    Options: ``generator``, and with a size ``dtype``, ``device``, ``requires_grad``. For autograd
    what is drawn is a constant: tensors get a gradient of zeros. Raises RuntimeError for a
    negative ``std``. Counterpart: ``torch.normal``.

    >>> import minigrad as torch
    >>> torch.normal(torch.tensor([1.0, 2.0]), 0.0)
    tensor([1., 2.])
    """
    tensors = [t for t in (mean, std) if isinstance(t, TensorBase)]
    if not tensors:
        number_of("normal", mean, "mean", 1)
        number_of("normal", std, "std", 2)
        return of_gaussian(mean=mean, std=std, size=size, **options)
    center = mean._array if isinstance(mean, TensorBase) else mean
    spread = std._array if isinstance(std, TensorBase) else std
    ensure(np.all(spread >= 0), "normal expects all elements of std >= 0.0")
    like = np.empty((mean + std).shape, tensors[0]._array.dtype)
    numbers = gaussian(like, 0, 1, options.get("generator")) * spread + center
    wanting = max(tensors, key=lambda t: t._node is not None)
    return _random(wanting, numbers.astype(like.dtype, copy=False))


of_gaussian = of_sizes(gaussian)


def bernoulli(input: Tensor, p: float | None = None, *, generator: Any = None) -> Tensor:
    """1 with the probability that the entry says, or with ``p`` everywhere, else 0.

    The gradient is zeros. Raises RuntimeError for what is no probability. Counterpart:
    ``torch.bernoulli``.

    >>> import minigrad as torch
    >>> torch.bernoulli(torch.tensor([0.0, 1.0]))
    tensor([0., 1.])
    """
    array = tensor_array("bernoulli", input)
    like = np.empty(array.shape, array.dtype)
    return _random(input, coin_flips(like, array if p is None else float(p), generator))


def multinomial(
    input: Tensor, num_samples: int, replacement: bool = False, *, generator: Any = None
) -> Tensor:
    """Indices drawn with probabilities proportional to ``input``, a vector or rows of a matrix.

    Raises RuntimeError for what are no probabilities, and for more samples than entries if there
    is no ``replacement``. Counterpart: ``torch.multinomial``.

    >>> import minigrad as torch
    >>> torch.multinomial(torch.tensor([0.0, 1.0]), 3, replacement=True)
    tensor([1, 1, 1])
    """
    weights = tensor_array("multinomial", input)
    ensure(weights.ndim in (1, 2), "prob_dist must be 1 or 2 dim")
    ensure(weights.dtype.kind == "f", "multinomial only supports floating-point dtypes for input")
    ensure(num_samples > 0, "cannot sample n_sample <= 0 samples")
    enough = replacement or num_samples <= weights.shape[-1]
    ensure(enough, "cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    proper = np.isfinite(weights) & (weights >= 0)
    positive = weights.sum(-1) > 0
    ensure(proper.all(), "probability tensor contains either `inf`, `nan` or element < 0")
    ensure(positive.all(), "invalid multinomial distribution (sum of probabilities <= 0)")
    draw = generator_or_default(generator).uniform
    if not replacement or num_samples == 1:
        # Each entry waits for a time of exponential distribution, with its weight as rate: the
        # first to arrive are drawn.
        waiting = laid_out(-np.log1p(-draw(weights.size, np.float64)), weights)
        with np.errstate(divide="ignore"):
            arrivals = waiting / weights
        order = longs.argsort(arrivals, -1, kind="stable")
        return new_tensor(order[..., :num_samples].copy())
    cumulative = np.cumsum(weights, -1, dtype=weights.dtype)
    cumulative /= cumulative[..., -1:].copy()
    cumulative[..., -1] = 1
    shape = (*weights.shape[:-1], num_samples)
    drawn = draw(math.prod(shape), np.float64).reshape(-1, num_samples)
    rows = cumulative.reshape(-1, cumulative.shape[-1])
    found = [longs.searchsorted(row, numbers) for row, numbers in zip(rows, drawn)]
    return new_tensor(np.array(found, np.int64).reshape(shape))


# ----------------------------------------------------------------------------- in their place


def uniform_(self: Tensor, low: float = 0.0, to: float = 1.0, *, generator: Any = None) -> Tensor:
    """Overwrite with numbers evenly distributed from ``low`` up to, not including, ``to``.

    Counterpart: ``torch.Tensor.uniform_``.
    """
    return write(self, _random, uniform(own_array(self), low, to, generator))


def normal_(self: Tensor, mean: float = 0.0, std: float = 1.0, *, generator: Any = None) -> Tensor:
    """Overwrite with normal numbers. Counterpart: ``torch.Tensor.normal_``."""
    return write(self, _random, gaussian(own_array(self), mean, std, generator))


def bernoulli_(self: Tensor, p: Any = 0.5, *, generator: Any = None) -> Tensor:
    """Overwrite with ones, of probability ``p`` (a number or a tensor), and zeros.

    Counterpart: ``torch.Tensor.bernoulli_``.
    """
    if isinstance(p, TensorBase):
        p = expand(p, self.shape)._array
    else:
        p = float(p)
    return write(self, _random, coin_flips(own_array(self), p, generator))
