"""Samplers: in which order the examples of a data set come, as indices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Generic, TypeVar

import numpy as np

from ... import dtypes
from ...compat.arguments import ensure
from ...ops.creation import as_tensor
from ...ops.generator import Generator
from ...ops.random import default_generator, multinomial, randint, randperm

T = TypeVar("T", covariant=True)


def drawn_seed(generator: Any) -> int:
    """A seed, drawn from a generator as PyTorch does it."""
    return int((generator or default_generator).words(1, 64)[0] % np.uint64(2**63))


def check_count(name: str, value: Any) -> None:
    """Raise ValueError unless it is a positive integer."""
    proper = isinstance(value, int) and not isinstance(value, bool) and value > 0
    text = "{} should be a positive integer value, but got {}={}"
    ensure(proper, text, name, name, value, error=ValueError)


def check_flag(name: str, value: Any, error: Any = ValueError) -> None:
    """Raise ``error`` unless it is True or False."""
    text = "{} should be a boolean value, but got {}={}"
    ensure(isinstance(value, bool), text, name, name, value, error=error)


class Sampler(Generic[T]):
    """The base of all samplers: ``__iter__`` gives indices, or lists of them for batches.

    Counterpart: ``torch.utils.data.Sampler``.

    >>> import minigrad as torch
    >>> class Backwards(torch.utils.data.Sampler):
    ...     def __iter__(self):
    ...         return iter([2, 1, 0])
    >>> list(torch.utils.data.DataLoader([10, 20, 30], sampler=Backwards(), batch_size=3))
    [tensor([30, 20, 10])]
    """

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError("Subclasses of Sampler should implement __iter__.")


class SequentialSampler(Sampler[int]):
    """0, 1, 2, … Counterpart: ``torch.utils.data.SequentialSampler``.

    >>> import minigrad as torch
    >>> list(torch.utils.data.SequentialSampler("abc"))
    [0, 1, 2]
    """

    def __init__(self, data_source: Any) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler[int]):
    """All indices in random order; or ``num_samples`` of them, if wanted with ``replacement``.

    Counterpart: ``torch.utils.data.RandomSampler``.

    >>> import minigrad as torch
    >>> source = torch.Generator().manual_seed(0)
    >>> list(torch.utils.data.RandomSampler("abcd", generator=source))
    [0, 1, 3, 2]
    """

    def __init__(
        self,
        data_source: Any,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: Any = None,
    ) -> None:
        self.data_source = data_source
        self.replacement = replacement
        self._num_samples = num_samples
        self.generator = generator
        check_flag("replacement", replacement, TypeError)
        check_count("num_samples", self.num_samples)

    @property
    def num_samples(self) -> int:
        """How many indices are drawn: all, unless it was said."""
        if self._num_samples is None:
            return len(self.data_source)
        return self._num_samples

    def __len__(self) -> int:
        return self.num_samples

    def __iter__(self) -> Iterator[int]:
        size = len(self.data_source)
        count = self.num_samples
        source = self.generator or Generator().manual_seed(drawn_seed(None))
        length = 32 if self.replacement else size
        for start in range(0, count + 1, length):
            left = min(count - start, length)
            if self.replacement:
                yield from randint(size, (left,), generator=source).tolist()
            elif left:
                yield from randperm(size, generator=source)[:left].tolist()
            else:  # PyTorch draws one more order, of which it needs nothing
                source.words(size - 1)


class SubsetRandomSampler(Sampler[int]):
    """These indices in random order. Counterpart: ``torch.utils.data.SubsetRandomSampler``.

    >>> import minigrad as torch
    >>> source = torch.Generator().manual_seed(0)
    >>> list(torch.utils.data.SubsetRandomSampler([3, 5, 7], generator=source))
    [7, 3, 5]
    """

    def __init__(self, indices: Sequence[int], generator: Any = None) -> None:
        self.indices = indices
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        for index in randperm(len(self.indices), generator=self.generator).tolist():
            yield self.indices[index]

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler[int]):
    """``num_samples`` indices, each with a probability proportional to its weight.

    Counterpart: ``torch.utils.data.WeightedRandomSampler``.

    >>> import minigrad as torch
    >>> list(torch.utils.data.WeightedRandomSampler([0.0, 1.0], num_samples=3))
    [1, 1, 1]
    """

    def __init__(
        self, weights: Any, num_samples: int, replacement: bool = True, generator: Any = None
    ) -> None:
        check_count("num_samples", num_samples)
        check_flag("replacement", replacement)
        self.weights = as_tensor(weights, dtype=dtypes.float64)
        text = "weights should be a 1d sequence but given weights have shape {}"
        ensure(self.weights.ndim == 1, text, tuple(self.weights.shape), error=ValueError)
        self.num_samples = num_samples
        self.replacement = replacement
        self.generator = generator

    def __iter__(self) -> Iterator[int]:
        options = self.num_samples, self.replacement
        yield from multinomial(self.weights, *options, generator=self.generator).tolist()

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler[list[int]]):
    """The indices of another sampler in lists of ``batch_size``.

    ``drop_last``: leave out the last list if it is shorter. Counterpart:
    ``torch.utils.data.BatchSampler``.

    >>> import minigrad as torch
    >>> list(torch.utils.data.BatchSampler(range(5), batch_size=2, drop_last=False))
    [[0, 1], [2, 3], [4]]
    """

    def __init__(self, sampler: Iterable[int], batch_size: int, drop_last: bool) -> None:
        check_count("batch_size", batch_size)
        check_flag("drop_last", drop_last)
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self) -> Iterator[list[int]]:
        indices = iter(self.sampler)
        while part := list(islice(indices, self.batch_size)):
            if len(part) == self.batch_size or not self.drop_last:
                yield part

    def __len__(self) -> int:
        size: int = len(self.sampler)  # type: ignore[arg-type]
        if self.drop_last:
            return size // self.batch_size
        return -(-size // self.batch_size)  # rounded up
