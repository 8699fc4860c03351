"""Loaders, beyond what PyTorch's recorded results say: the fast path, workers, options."""

from __future__ import annotations

import warnings

import pytest

import minigrad as torch
from minigrad.utils.data import DataLoader, Subset, TensorDataset, default_collate


@pytest.fixture(autouse=True)
def unwarned(monkeypatch):
    monkeypatch.setattr(DataLoader, "warned", False)


def slowly(batch):
    """What ``default_collate`` does; but it is another function, so batches are not taken whole."""
    return default_collate(batch)


TENSORS = {
    "rows": torch.arange(20.0).reshape(10, 2),
    "numbers": torch.arange(10),
    "truths": torch.arange(10) > 4,
    "images": torch.arange(160.0).reshape(10, 1, 4, 4),
    "transposed": torch.arange(20).reshape(2, 10).T,
    "expanded": torch.ones(1, 3).expand(10, 3),
    "a part": torch.arange(40.0).reshape(20, 2)[5:15],
    "detached": torch.arange(10.0).requires_grad_().detach(),
    "leaves": torch.arange(10.0).requires_grad_(),
    "results": torch.arange(10.0).requires_grad_() * 2,
    "empty rows": torch.zeros(10, 0),
}


@pytest.mark.parametrize("name", TENSORS)
@pytest.mark.parametrize("size", [1, 3, 10, 11])
@pytest.mark.parametrize("part", [None, [9, -1, 0, 0, 3]])
def test_whole_batches_are_what_collating_one_by_one_makes(name, size, part):
    data = TensorDataset(TENSORS[name], torch.arange(10))
    data = data if part is None else Subset(data, part)

    def batches(collate_fn):
        source = torch.Generator().manual_seed(size)
        return list(DataLoader(data, size, True, generator=source, collate_fn=collate_fn))

    fast, slow = batches(None), batches(slowly)
    assert len(fast) == len(slow)
    for ours, theirs in zip(fast, slow, strict=True):
        assert type(ours) is type(theirs) is list
        for a, b in zip(ours, theirs, strict=True):
            assert torch.equal(a, b) and a.dtype is b.dtype and a.is_contiguous()
            assert a.requires_grad == b.requires_grad and type(a.grad_fn) is type(b.grad_fn)


@pytest.mark.parametrize("name", ["rows", "transposed", "expanded", "a part", "detached"])
def test_whole_batches_are_taken_at_once(name, monkeypatch):
    monkeypatch.delattr(TensorDataset, "__getitem__")
    assert len(list(DataLoader(TensorDataset(TENSORS[name]), 4, shuffle=True))) == 3


def test_whole_batches_leave_data_sets_of_ones_own_alone():
    class Counting(TensorDataset):
        asked = 0

        def __getitem__(self, index):
            self.asked += 1
            return super().__getitem__(index)

    data = Counting(torch.arange(5))
    list(DataLoader(data, 2))
    assert data.asked == 5


def test_an_index_out_of_range_is_the_same_error_in_a_batch():
    data = TensorDataset(torch.arange(3))
    with pytest.raises(IndexError, match="index 3 is out of"):
        list(DataLoader(data, 2, sampler=[0, 3]))


def test_workers_are_not_there_and_it_is_said_once_in_words_that_lead_on():
    data = TensorDataset(torch.arange(4))
    with pytest.warns(UserWarning, match=r"(?s)num_workers=2: .*main process.*help\(") as caught:
        first = DataLoader(data, 2, num_workers=2, prefetch_factor=4, persistent_workers=True)
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        second = DataLoader(data, 2, num_workers=1, worker_init_fn=lambda number: 1 / 0)
    assert list(first)[1][0].tolist() == list(second)[1][0].tolist() == [2, 3]
    assert "num_workers" in DataLoader.__doc__ and torch.utils.data.get_worker_info() is None


def test_each_epoch_has_an_order_of_its_own_that_a_seed_repeats():
    def epochs():
        torch.manual_seed(0)
        loader = DataLoader(range(20), 20, shuffle=True)
        return [next(iter(loader)).tolist() for _ in range(3)]

    first, again = epochs(), epochs()
    assert first == again and len({tuple(order) for order in first}) == 3
    assert all(sorted(order) == list(range(20)) for order in first)


def test_two_iterations_at_the_same_time_do_not_disturb_each_other():
    loader = DataLoader(range(4), 2)
    pairs = [(a.tolist(), b.tolist()) for a in loader for b in loader]
    assert pairs == [(a, b) for a in ([0, 1], [2, 3]) for b in ([0, 1], [2, 3])]


@pytest.mark.parametrize("size", [1, 2, 5])
def test_a_stream_that_draws_when_it_begins_is_the_same_in_batches_as_alone(size):
    class Shuffled(torch.utils.data.IterableDataset):
        def __iter__(self):
            return iter(torch.randperm(5).tolist())

    torch.manual_seed(0)
    alone = list(DataLoader(Shuffled(), None))
    torch.manual_seed(0)
    assert torch.cat(list(DataLoader(Shuffled(), size))).tolist() == alone


def test_a_stream_begins_when_the_loader_is_asked_for_its_batches():
    begun = []

    class Stream(torch.utils.data.IterableDataset):
        def __iter__(self):
            begun.append(True)
            return iter(range(5))

    batches = iter(DataLoader(Stream(), 2))
    assert begun == [True]
    assert [batch.tolist() for batch in batches] == [[0, 1], [2, 3], [4]]
