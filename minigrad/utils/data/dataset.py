"""Data sets: examples by number, or one after the other."""

from __future__ import annotations

import math
import warnings
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any, Generic, TypeVar

from ...compat.arguments import ensure
from ...errors import outside
from ...ops.random import randperm

T = TypeVar("T", covariant=True)


class Dataset(Generic[T]):
    """Examples by number: a subclass defines ``__getitem__``, and ``__len__``.

    Two of them are put together by ``+``. Counterpart: ``torch.utils.data.Dataset``.

    >>> import minigrad as torch
    >>> class Squares(torch.utils.data.Dataset):
    ...     def __len__(self):
    ...         return 4
    ...     def __getitem__(self, index):
    ...         return index, index**2
    >>> list(torch.utils.data.DataLoader(Squares(), batch_size=4))
    [[tensor([0, 1, 2, 3]), tensor([0, 1, 4, 9])]]
    """

    def __getitem__(self, index: Any) -> Any:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other: Any) -> Any:
        return ConcatDataset([self, other])


class IterableDataset(Dataset[T]):
    """Examples one after the other, as from a stream: a subclass defines ``__iter__``.

    Counterpart: ``torch.utils.data.IterableDataset``.

    >>> import minigrad as torch
    >>> class Countdown(torch.utils.data.IterableDataset):
    ...     def __iter__(self):
    ...         return iter([3, 2, 1])
    >>> list(torch.utils.data.DataLoader(Countdown(), batch_size=2))
    [tensor([3, 2]), tensor([1])]
    """

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError("Subclasses of IterableDataset should implement __iter__.")

    def __add__(self, other: Any) -> Any:
        return ChainDataset([self, other])


class TensorDataset(Dataset[Any]):
    """The rows of tensors: example i is ``(tensors[0][i], tensors[1][i], …)``.

    Raises AssertionError unless all have the same number of rows. Counterpart:
    ``torch.utils.data.TensorDataset``.

    >>> import minigrad as torch
    >>> torch.utils.data.TensorDataset(torch.tensor([1.0, 2.0]), torch.tensor([0, 1]))[1]
    (tensor(2.), tensor(1))
    """

    def __init__(self, *tensors: Any) -> None:
        same = all(tensor.size(0) == tensors[0].size(0) for tensor in tensors)
        ensure(same, "Size mismatch between tensors", error=AssertionError)
        self.tensors = tensors

    def __getitem__(self, index: Any) -> Any:
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self) -> int:
        return len(self.tensors[0])


class Subset(Dataset[T]):
    """Some examples of a data set: those of these indices.

    Counterpart: ``torch.utils.data.Subset``.

    >>> import minigrad as torch
    >>> list(torch.utils.data.Subset("abcd", [3, 0]))
    ['d', 'a']
    """

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, list):
            return self.dataset[[self.indices[i] for i in idx]]
        return self.dataset[self.indices[idx]]

    def __getitems__(self, indices: list[int]) -> list[Any]:
        """The examples of a batch."""
        return examples(self.dataset, [self.indices[index] for index in indices])

    def __len__(self) -> int:
        return len(self.indices)


def examples(dataset: Any, indices: Any) -> list[Any]:
    """The examples of a batch: all at once, if the data set knows how to."""
    at_once = getattr(dataset, "__getitems__", None)
    if at_once:
        return at_once(indices)
    return [dataset[index] for index in indices]


class ConcatDataset(Dataset[T]):
    """Data sets one behind the other. Counterpart: ``torch.utils.data.ConcatDataset``.

    >>> import minigrad as torch
    >>> torch.utils.data.ConcatDataset(["ab", "cd"])[2]
    'c'
    """

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = list(datasets)
        ensure(self.datasets, "datasets should not be an empty iterable", error=AssertionError)
        streams = any(isinstance(dataset, IterableDataset) for dataset in self.datasets)
        ensure(not streams, "ConcatDataset does not support IterableDataset", error=AssertionError)
        self.cumulative_sizes = list(accumulate(map(len, self.datasets)))

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, idx: int) -> Any:
        text = "absolute value of index should not exceed dataset length"
        ensure(idx >= -len(self), text, error=ValueError)
        if idx < 0:
            idx += len(self)
        number = bisect_right(self.cumulative_sizes, idx)
        start = 0
        if number > 0:
            start = self.cumulative_sizes[number - 1]
        return self.datasets[number][idx - start]


class ChainDataset(IterableDataset[T]):
    """Streams one after the other. Counterpart: ``torch.utils.data.ChainDataset``.

    >>> import minigrad as torch
    >>> class Numbers(torch.utils.data.IterableDataset):
    ...     def __iter__(self):
    ...         return iter([1, 2])
    >>> list(torch.utils.data.ChainDataset([Numbers(), Numbers()]))
    [1, 2, 1, 2]
    """

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = datasets

    def __iter__(self) -> Iterator[Any]:
        for dataset in self.datasets:
            stream = isinstance(dataset, IterableDataset)
            ensure(stream, "ChainDataset only supports IterableDataset", error=AssertionError)
            yield from dataset

    def __len__(self) -> int:
        return sum(map(len, self.datasets))


def random_split(dataset: Any, lengths: Sequence[float], generator: Any = None) -> list[Any]:
    """Parts of a data set, of these lengths, or fractions, drawn at random and disjoint.

    What fractions leave over is given to the parts in turn. Raises ValueError unless the lengths
    add up to that of the data set. Counterpart: ``torch.utils.data.random_split``.

    >>> import minigrad as torch
    >>> source = torch.Generator().manual_seed(0)
    >>> train, test = torch.utils.data.random_split(range(10), [0.8, 0.2], source)
    >>> len(train), list(test)
    (8, [6, 2])
    """
    size = len(dataset)
    whole = sum(lengths)
    if math.isclose(whole, 1) and whole <= 1:
        for number, part in enumerate(lengths):
            text = "Fraction at index {} is not between 0 and 1"
            ensure(0 <= part <= 1, text, number, error=ValueError)
        counts = [math.floor(size * part) for part in lengths]
        for number in range(size - sum(counts)):
            counts[number % len(counts)] += 1
        for number in [number for number, count in enumerate(counts) if not count]:
            text = f"Length of split at index {number} is 0. This might result in an empty dataset."
            warnings.warn(text, stacklevel=outside())
        lengths = counts
    text = "Sum of input lengths does not equal the length of the input dataset!"
    ensure(sum(lengths) == size, text, error=ValueError)
    order = randperm(size, generator=generator).tolist()
    parts: Any = zip(accumulate(lengths), lengths)
    return [Subset(dataset, order[end - count : end]) for end, count in parts]
