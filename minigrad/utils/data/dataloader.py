"""``DataLoader``: the examples of a data set in batches, and how a batch is put together."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic

import numpy as np

from ..._tensor import Tensor
from ...compat.arguments import ensure
from ...dtypes import float64
from ...engine.node import new_tensor
from ...errors import outside, pasteable
from ...ops.creation import as_tensor, tensor
from ...ops.joining import stack
from .dataset import IterableDataset, Subset, T, TensorDataset, examples
from .sampler import BatchSampler, RandomSampler, SequentialSampler, drawn_seed


def rebuilt(example: Any, parts: Any) -> Any:
    """A container like this one, with other parts."""
    if isinstance(example, tuple):
        if hasattr(example, "_fields"):  # a named one
            return type(example)(*parts)
        return list(parts)
    try:
        return type(example)(parts)
    except TypeError:
        return parts


def default_collate(batch: Any) -> Any:
    """A list of examples as one batch: tensors are stacked, numbers become tensors.

    In tuples, lists and dictionaries that is done place by place; texts stay a list. Raises
    TypeError for other things, RuntimeError for lists of different lengths.
    Counterpart: ``torch.utils.data.default_collate``.

    >>> import minigrad as torch
    >>> torch.utils.data.default_collate([(torch.zeros(2), 3), (torch.ones(2), 4)])
    [tensor([[0., 0.],
            [1., 1.]]), tensor([3, 4])]
    """
    first = batch[0]
    if isinstance(first, Tensor):
        return stack(batch, 0)
    if isinstance(first, (np.ndarray, np.bool_, np.number)) and first.dtype.kind not in "SUO":
        return as_tensor(np.stack(batch))
    if isinstance(first, (int, float)):
        dtype = float64 if isinstance(first, float) else None
        return tensor(batch, dtype=dtype)
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, Mapping):
        columns = {key: default_collate([example[key] for example in batch]) for key in first}
        return rebuilt(first, columns)
    if isinstance(first, Sequence):
        same = all(len(example) == len(first) for example in batch)
        ensure(same, "each element in list of batch should be of equal size")
        return rebuilt(first, [default_collate(column) for column in zip(*batch)])
    raise TypeError(
        "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; "
        f"found {getattr(first, 'dtype', type(first))}"
    )


def default_convert(data: Any) -> Any:
    """NumPy's arrays and numbers as tensors, also inside of lists and dictionaries.

    Counterpart: ``torch.utils.data.default_convert``.

    >>> import minigrad as torch
    >>> import numpy as np
    >>> torch.utils.data.default_convert(np.array([1.0, 2.0]))
    tensor([1., 2.], dtype=torch.float64)
    """
    if isinstance(data, (np.ndarray, np.bool_, np.number)):
        if data.dtype.kind in "SUO":
            return data
        return as_tensor(data)
    if isinstance(data, Mapping):
        return rebuilt(data, {key: default_convert(value) for key, value in data.items()})
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        return rebuilt(data, [default_convert(value) for value in data])
    return data


def get_worker_info() -> None:
    """None: there are no worker processes. Counterpart: ``torch.utils.data.get_worker_info``.

    >>> import minigrad as torch
    >>> torch.utils.data.get_worker_info() is None
    True
    """


def taken_at_once(dataset: Any, indices: Any) -> Any:
    """The batch of these examples of a ``TensorDataset``, or of a part of one, taken all at once.

    None if that is not possible: the examples are then collated one by one.
    """
    if type(dataset) is Subset:
        return taken_at_once(dataset.dataset, [dataset.indices[index] for index in indices])
    if type(dataset) is not TensorDataset or type(indices) is not list:
        return None
    places = np.array(indices)
    size = len(dataset)
    if places.dtype.kind != "i" or places.min() < -size or places.max() >= size:
        return None
    if any(tensor.requires_grad for tensor in dataset.tensors):  # the history of each row counts
        return None
    return [new_tensor(tensor._array.take(places, 0)) for tensor in dataset.tensors]


def refuse_order(**options: Any) -> None:
    """Raise ValueError for an option about the order, which an ``IterableDataset`` has itself."""
    text = "DataLoader with IterableDataset: expected unspecified {} option, but got {}={}"
    for name, value in options.items():
        ensure(value in (None, False), text, name, name, value, error=ValueError)


class DataLoader(Generic[T]):
    """The examples of a data set in batches: ``for inputs, targets in loader: …``.

    With the same seed, the order is PyTorch's. A generator's numbers are drawn when iteration
    begins: first a seed for worker processes, then what the sampler needs.

    Parameters
    ----------
    dataset : Dataset, or what has a length and indices
        Or an ``IterableDataset``.
    batch_size : int or None
        None: single examples.
    shuffle : bool
        In a new random order each time.
    sampler, batch_sampler : iterable
        The indices, or lists of them, instead.
    collate_fn : function
        Makes a batch of a list of examples; ``default_collate`` if there is none.
    drop_last : bool
        Leave out a last batch that is shorter.
    generator : Generator
        Where the order is drawn from.
    num_workers : int
        Accepted, so that programs run unchanged; but examples are always loaded in the process
        that asks for them, when it asks. A warning says so once. ``worker_init_fn`` is not
        called then, and ``timeout``, ``prefetch_factor``, ``persistent_workers``,
        ``multiprocessing_context``, ``in_order`` and ``pin_memory`` do nothing.

    Raises ValueError for options that exclude each other.
    Counterpart: ``torch.utils.data.DataLoader``.

    >>> import minigrad as torch
    >>> data = torch.utils.data.TensorDataset(torch.arange(5), torch.arange(5) ** 2)
    >>> for x, y in torch.utils.data.DataLoader(data, batch_size=2):
    ...     print(x, y)
    tensor([0, 1]) tensor([0, 1])
    tensor([2, 3]) tensor([4, 9])
    tensor([4]) tensor([16])
    """

    warned = False  # of workers that are not there

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        batch_sampler: Any = None,
        num_workers: int = 0,
        collate_fn: Callable[[list[Any]], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable[[int], None] | None = None,
        multiprocessing_context: Any = None,
        generator: Any = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ) -> None:
        streams = isinstance(dataset, IterableDataset)
        if streams:
            refuse_order(shuffle=shuffle, sampler=sampler, batch_sampler=batch_sampler)
        chosen = batch_size != 1 or shuffle or sampler is not None or drop_last
        alone = batch_sampler is None
        for holds, text in (
            (num_workers >= 0, "num_workers option should be non-negative"),
            (timeout >= 0, "timeout option should be non-negative"),
            (sampler is None or not shuffle, "sampler option is mutually exclusive with shuffle"),
            (alone or not chosen, "batch_sampler option is mutually exclusive with the others"),
            (batch_size or not drop_last, "batch_size=None option disables auto-batching"),
            (num_workers or prefetch_factor is None, "prefetch_factor option could only be used"),
            (num_workers or not persistent_workers, "persistent_workers option needs num_workers"),
        ):
            ensure(holds, text, error=ValueError)
        if streams:  # instead of indices, its examples come in their own order
            sampler = dataset
        elif sampler is None and shuffle:
            sampler = RandomSampler(dataset, generator=generator)
        elif sampler is None:
            sampler = SequentialSampler(dataset)
        if not alone:
            batch_size = None
        elif batch_size is not None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.dataset = dataset
        self.batch_size: Any = batch_size
        self.drop_last = drop_last
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.generator = generator
        usual = default_collate if self._batched else default_convert
        self.collate_fn = collate_fn or usual
        self.num_workers = num_workers
        self.pin_memory = pin_memory
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self.persistent_workers = persistent_workers
        if num_workers and not DataLoader.warned:
            DataLoader.warned = True
            text = f"num_workers={num_workers}: minigrad loads the data in the main process."
            text += "\n  more: help(minigrad.utils.data.DataLoader)"
            warnings.warn(pasteable(text), stacklevel=outside())

    @property
    def _batched(self) -> bool:
        """Does it make batches, or give single examples?"""
        return self.batch_sampler is not None

    @property
    def _order(self) -> Any:
        """What gives the indices, in lists or one by one."""
        if self._batched:
            return self.batch_sampler
        return self.sampler

    def __iter__(self) -> Iterator[Any]:
        if isinstance(self.dataset, IterableDataset):
            drawn_seed(self.generator)
            stream: Any = iter(self.dataset)
            if self._batched:
                stream = BatchSampler(stream, self.batch_size, self.drop_last)
            return map(self.collate_fn, stream)
        order = iter(self._order)
        drawn_seed(self.generator)  # PyTorch's, for its workers
        return map(self._batch, order)

    def _batch(self, indices: Any) -> Any:
        if not self._batched:
            return self.collate_fn(self.dataset[indices])
        if self.collate_fn is default_collate:
            batch = taken_at_once(self.dataset, indices)
            if batch is not None:
                return batch
        return self.collate_fn(examples(self.dataset, indices))

    def __len__(self) -> int:
        return len(self._order)
