"""Programs about data sets, samplers and loaders: which examples come, in which order, how."""

# ruff: noqa: E501 -- a program in a table is one line, however long

from __future__ import annotations

import collections
from collections import namedtuple

import numpy as np

Point = namedtuple("Point", "x y")


def pairs(torch, count=7):
    return torch.utils.data.TensorDataset(
        torch.arange(count), torch.arange(count * 2.0).reshape(count, 2)
    )


def seeded(torch, seed=0):
    return torch.Generator().manual_seed(seed)


def squares(torch):
    class Squares(torch.utils.data.Dataset):
        def __len__(self):
            return 5

        def __getitem__(self, index):
            if index >= 5:
                raise IndexError
            return {"index": index, "square": float(index**2), "name": str(index)}

    return Squares()


def stream(torch, count=5):
    class Stream(torch.utils.data.IterableDataset):
        def __iter__(self):
            return iter(range(count))

        def __len__(self):
            return count

    return Stream()


VALUES = {"programs": f"__import__('sys').modules[{__name__!r}]", "D": "torch.utils.data"}
VALUES["np"] = "__import__('numpy')"
VALUES.update(
    {
        name: f"lambda *args, **options: programs.{name}(torch, *args, **options)"
        for name in ("pairs", "seeded", "squares", "stream")
    }
)
VALUES["Point"], VALUES["OrderedDict"] = "programs.Point", "programs.collections.OrderedDict"

EXPRESSIONS = """
# loaders
list(D.DataLoader(pairs()))
list(D.DataLoader(pairs(), batch_size=3))
list(D.DataLoader(pairs(), 3, drop_last=True))
list(D.DataLoader(pairs(), 3, True, generator=seeded(1)))
list(D.DataLoader(pairs(), 3, shuffle=True, generator=seeded(2), drop_last=True))
(torch.manual_seed(0), list(D.DataLoader(pairs(), 3, shuffle=True)), torch.rand(2))[1:]
(torch.manual_seed(0), list(D.DataLoader(pairs(), 3)), torch.rand(2))[1:]
(lambda l: [[x for x, y in l] for _ in range(3)])(D.DataLoader(pairs(), 2, shuffle=True, generator=seeded()))
(lambda g: [[x for x, y in D.DataLoader(pairs(), 2, shuffle=True, generator=g)], torch.rand(1, generator=g)])(seeded())
(lambda g: [[next(iter(D.DataLoader(pairs(), 2, shuffle=True, generator=g)))], torch.rand(1, generator=g)])(seeded())
(lambda g: [list(D.DataLoader(stream(), 2, generator=g)), torch.rand(1, generator=g)])(seeded())
(torch.manual_seed(1), [x for x, y in D.DataLoader(pairs(100), 30, shuffle=True)])[1]
[x.shape for x, y in D.DataLoader(pairs(100), 32)]
list(D.DataLoader(pairs(), 3, sampler=[4, -1, 2, 2]))
list(D.DataLoader(pairs(), batch_sampler=[[0, 1], [], [5]]))
list(D.DataLoader(pairs(), batch_sampler=[[0, 1], [-1, 5]]))
list(D.DataLoader(pairs(), batch_sampler=[(0, 1), [5]]))
list(D.DataLoader(pairs(), batch_sampler=[t([0, 1])]))
list(D.DataLoader(pairs(), batch_sampler=[[t(0), t(1)]]))
list(D.DataLoader(pairs(), sampler=[7]))
list(D.DataLoader(pairs(), sampler=[-8]))
list(D.DataLoader(pairs(), sampler=D.SubsetRandomSampler([5, 1, 3], generator=seeded())))
list(D.DataLoader(pairs(), batch_size=None))
list(D.DataLoader(pairs(), batch_size=None, sampler=[[1, 2], [3]]))
list(D.DataLoader(pairs(), 3, collate_fn=lambda batch: len(batch)))
list(D.DataLoader(pairs(), 3, collate_fn=list))
list(D.DataLoader(D.Subset(pairs(), [5, 3, 1]), 2))
list(D.DataLoader(D.Subset(D.Subset(pairs(), [5, 3, 1]), [2, 0]), 2))
list(D.DataLoader(D.Subset(squares(), [4, 2]), 2))
list(D.DataLoader(pairs() + pairs(2), 4))
list(D.DataLoader(D.Subset(pairs() + pairs(2), [8, 0]), 4))
list(D.DataLoader(squares(), 2))
list(D.DataLoader(squares(), batch_size=None))[1]
list(D.DataLoader([1, 2, 3], 2))
list(D.DataLoader("abc", 2))
list(D.DataLoader(range(5), 2, drop_last=True))
list(D.DataLoader(t([[1.0, 2.0], [3.0, 4.0]]), 2))
list(D.DataLoader(D.TensorDataset(t([[1.0, 2.0]], requires_grad=True)), 1))
list(D.DataLoader(D.TensorDataset(t([[1.0, 2.0], [3.0, 4.0]]).T), 1))
[b[0].is_contiguous() for b in D.DataLoader(D.TensorDataset(t([[1.0, 2.0], [3.0, 4.0]]).T), 2)]
list(D.DataLoader(stream(), 2))
list(D.DataLoader(stream(), 2, drop_last=True))
list(D.DataLoader(stream(3), batch_size=None))
list(D.DataLoader(stream() + stream(2), 4))
list(D.DataLoader([], 2))
[len(D.DataLoader(pairs(), n, drop_last=d)) for n in (1, 2, 3, 7, 8) for d in (False, True)]
[len(D.DataLoader(stream(), n, drop_last=d)) for n in (1, 2, 5, 6) for d in (False, True)]
[len(D.DataLoader(pairs(), batch_size=None)), len(D.DataLoader(pairs(), batch_sampler=[[1], [2]]))]
(lambda l: [l.batch_size, l.drop_last, l.num_workers, type(l.sampler).__name__, type(l.batch_sampler).__name__])(D.DataLoader(pairs(), 3, True))
(lambda l: [l.batch_size, l.batch_sampler, type(l.sampler).__name__])(D.DataLoader(pairs(), None))
(lambda l: l.dataset[2])(D.DataLoader(pairs()))
D.DataLoader(pairs(), 3).collate_fn is D.default_collate
(lambda i: [next(i), next(i)])(iter(D.DataLoader(pairs(), 3)))
# loaders refused
D.DataLoader(pairs(), batch_size=0)
D.DataLoader(pairs(), batch_size=-1)
D.DataLoader(pairs(), batch_size=2.0)
D.DataLoader(pairs(), shuffle=True, sampler=[1])
D.DataLoader(pairs(), batch_size=2, batch_sampler=[[1]])
D.DataLoader(pairs(), shuffle=True, batch_sampler=[[1]])
D.DataLoader(pairs(), batch_size=None, drop_last=True)
D.DataLoader(stream(), shuffle=True)
D.DataLoader(stream(), sampler=[1])
D.DataLoader(stream(), batch_sampler=[[1]])
D.DataLoader(pairs(), num_workers=-1)
D.DataLoader(pairs(), timeout=-1)
D.DataLoader(pairs(), prefetch_factor=2)
D.DataLoader(pairs(), persistent_workers=True)
D.DataLoader([], shuffle=True)
D.DataLoader(pairs(), no_such=1)
list(D.DataLoader([[1], [2, 3]], 2))
list(D.DataLoader([object()], 2))
list(D.DataLoader([None], 1))
list(D.DataLoader([t([1]), t([1, 2])], 2))
list(D.DataLoader(D.Dataset(), 2))
len(D.DataLoader(D.Dataset(), 2))
# batches
D.default_collate([1, 2])
D.default_collate([1.5, 2.5])
D.default_collate([True, False])
D.default_collate(["a", "b"])
D.default_collate([b"a", b"b"])
D.default_collate([t([1, 2]), t([3, 4])])
D.default_collate([t(1.0), t(2.0)])
D.default_collate([np.float32(1), np.float32(2)])
D.default_collate([np.float64(1), np.float64(2)])
D.default_collate([np.int32(1), np.int32(2)])
D.default_collate([np.bool_(True)])
D.default_collate([np.array([1.0, 2.0]), np.array([3.0, 4.0])])
D.default_collate([np.array(["a"])])
D.default_collate([(1, 2.0), (3, 4.0)])
D.default_collate([[1, 2.0], [3, 4.0]])
D.default_collate([Point(1, 2), Point(3, 4)]).y
type(D.default_collate([Point(1, 2)])).__name__
D.default_collate([{"a": 1, "b": "x"}, {"a": 2, "b": "y"}])
type(D.default_collate([OrderedDict(a=1), OrderedDict(a=2)])).__name__
D.default_collate([{"a": [1, (2, 3)]}, {"a": [4, (5, 6)]}])
D.default_collate([{"a": 1}, {"b": 2}])
D.default_collate([range(2), range(2)])
D.default_collate([(), ()])
D.default_collate([])
D.default_collate([{1}])
D.default_convert(np.array([1.0]))
D.default_convert({"a": np.float32(1), "b": [np.int64(2), "c"]})
D.default_convert((1, np.array([2])))
D.default_convert("text")
D.get_worker_info()
# data sets
pairs()[2]
pairs()[-1]
pairs()[1:3]
pairs()[[0, 3]]
pairs()[7]
len(pairs())
[x for x, y in pairs()]
D.TensorDataset(t([1]), t([1, 2]))
D.TensorDataset(t([1, 2])).tensors
D.TensorDataset()
(lambda s: [len(s), s[0], s[[1, 0]]])(D.Subset(pairs(), [4, 2]))
(lambda s: [len(s), s[0], s[-1]])(D.Subset(squares(), range(1, 3)))
D.Subset(pairs(), [9])[0]
(lambda c: [len(c), c[0], c[6], c[7], c[8], c[-1], c.cumulative_sizes])(pairs() + pairs(2))
(pairs() + pairs(2))[9]
(pairs() + pairs(2))[-10]
D.ConcatDataset([])
D.ConcatDataset([stream()])
list(stream() + stream(2))
len(stream() + stream(2))
list(D.ChainDataset([pairs()]))
D.Dataset()[0]
iter(D.IterableDataset())
[list(p.indices) for p in D.random_split(range(10), [3, 7], generator=seeded(42))]
[list(p.indices) for p in D.random_split(range(10), [0.3, 0.3, 0.4], generator=seeded(42))]
[len(p) for p in D.random_split(range(11), [0.5, 0.25, 0.25], generator=seeded(42))]
[len(p) for p in D.random_split(range(2), [0.5, 0.25, 0.25], generator=seeded(42))]
(torch.manual_seed(5), [list(p) for p in D.random_split(range(6), [4, 2])])[1]
D.random_split(range(10), [3, 6])
D.random_split(range(10), [0.5, 0.6])
D.random_split(range(10), [1.5, -0.5])
[len(p) for p in D.random_split([], [0, 0])]
# samplers
list(D.SequentialSampler("abc"))
list(D.RandomSampler(range(9), generator=seeded()))
list(D.RandomSampler(range(9), num_samples=4, generator=seeded()))
list(D.RandomSampler(range(4), num_samples=10, generator=seeded()))
list(D.RandomSampler(range(4), num_samples=8, generator=seeded()))
list(D.RandomSampler(range(9), replacement=True, generator=seeded()))
list(D.RandomSampler(range(9), replacement=True, num_samples=40, generator=seeded()))
(lambda g: [list(D.RandomSampler(range(9), generator=g)), torch.rand(1, generator=g)])(seeded())
(lambda g: [list(D.RandomSampler(range(9), num_samples=4, generator=g)), torch.rand(1, generator=g)])(seeded())
(lambda g: [list(D.RandomSampler(range(9), replacement=True, num_samples=64, generator=g)), torch.rand(1, generator=g)])(seeded())
(torch.manual_seed(3), list(D.RandomSampler(range(9))), torch.rand(1))[1:]
D.RandomSampler([])
D.RandomSampler([1], num_samples=0)
D.RandomSampler([1], replacement=1)
len(D.RandomSampler(range(9), num_samples=4))
list(D.SubsetRandomSampler([5, 6, 7, 8], generator=seeded()))
len(D.SubsetRandomSampler([5, 6]))
list(D.WeightedRandomSampler([0.1, 0.9, 0.5], 10, generator=seeded()))
list(D.WeightedRandomSampler([0.1, 0.9, 0.5], 3, replacement=False, generator=seeded()))
list(D.WeightedRandomSampler(t([0.0, 1.0]), 3))
list(D.WeightedRandomSampler([0.1, 0.9], 3, replacement=False))
D.WeightedRandomSampler([0.1], 0)
D.WeightedRandomSampler([0.1], True)
D.WeightedRandomSampler([[0.1]], 1)
D.WeightedRandomSampler([0.1], 1, replacement=1)
list(D.BatchSampler(D.SequentialSampler(range(5)), 2, False))
list(D.BatchSampler(range(5), 2, True))
[len(D.BatchSampler(range(5), n, d)) for n in (1, 2, 5, 6) for d in (False, True)]
D.BatchSampler(range(5), 0, False)
D.BatchSampler(range(5), True, False)
D.BatchSampler(range(5), 2, 1)
"""


def a_sampler_of_ones_own(torch):
    class Backwards(torch.utils.data.Sampler):
        def __init__(self, data):
            self.data = data

        def __iter__(self):
            return iter(range(len(self.data) - 1, -1, -1))

        def __len__(self):
            return len(self.data)

    data = pairs(torch)
    loader = torch.utils.data.DataLoader(data, batch_size=3, sampler=Backwards(data))
    return [list(loader), len(loader)]


def a_sampler_that_draws_at_once(torch):
    class Drawn(torch.utils.data.Sampler):
        def __iter__(self):
            return iter(torch.randperm(5).tolist())

        def __len__(self):
            return 5

    torch.manual_seed(7)
    return list(torch.utils.data.DataLoader(range(5), 2, sampler=Drawn()))


def augmentation_draws_between_batches(torch):
    class Noisy(torch.utils.data.Dataset):
        def __len__(self):
            return 6

        def __getitem__(self, index):
            return index + torch.rand(1)

    torch.manual_seed(11)
    loader = torch.utils.data.DataLoader(Noisy(), 2, shuffle=True)
    return [list(loader), list(loader), torch.rand(1)]


def a_tensor_data_set_with_a_transform(torch):
    class Doubled(torch.utils.data.TensorDataset):
        def __getitem__(self, index):
            return tuple(part * 2 for part in super().__getitem__(index))

    return list(torch.utils.data.DataLoader(Doubled(torch.arange(5)), 2))


def examples_of_a_batch_at_once(torch):
    class AtOnce(torch.utils.data.Dataset):
        def __len__(self):
            return 5

        def __getitem__(self, index):
            raise AssertionError

        def __getitems__(self, indices):
            return [(index, -index) for index in indices]

    loader = torch.utils.data.DataLoader(AtOnce(), 2)
    part = torch.utils.data.Subset(AtOnce(), [3, 4])
    return [list(loader), list(torch.utils.data.DataLoader(part, 2))]


def a_stream_that_draws(torch):
    class Stream(torch.utils.data.IterableDataset):
        def __iter__(self):
            for _ in range(5):
                yield torch.rand(2)

    torch.manual_seed(2)
    return [list(torch.utils.data.DataLoader(Stream(), 2)), torch.rand(1)]


def words_of_different_lengths(torch):
    words = [("ab", 0), ("abc", 1), ("a", 0)]

    def padded(batch):
        longest = max(len(word) for word, _ in batch)
        rows = [[ord(c) - 96 for c in word] + [0] * (longest - len(word)) for word, _ in batch]
        return torch.tensor(rows), torch.tensor([label for _, label in batch])

    return list(torch.utils.data.DataLoader(words, batch_size=2, collate_fn=padded))


def a_loader_is_done_and_begins_again(torch):
    loader = torch.utils.data.DataLoader(pairs(torch, 3), 2)
    batches = iter(loader)
    found = [len(list(batches)), len(list(batches)), len(list(loader))]
    return found


def batches_are_not_the_data(torch):
    data = torch.utils.data.TensorDataset(torch.zeros(4, 2))
    for (batch,) in torch.utils.data.DataLoader(data, 2):
        batch += 1
    return data.tensors[0]


def a_numpy_dataset(torch):
    class Table(torch.utils.data.Dataset):
        table = np.arange(12.0, dtype=np.float32).reshape(4, 3)

        def __len__(self):
            return 4

        def __getitem__(self, index):
            return self.table[index], np.int64(index)

    return list(torch.utils.data.DataLoader(Table(), 3))


def a_mapping_that_cannot_be_copied(torch):
    class Fixed(collections.abc.Mapping):
        def __init__(self, content):
            self.content = content

        def __getitem__(self, key):
            return self.content[key]

        def __iter__(self):
            return iter(self.content)

        def __len__(self):
            return len(self.content)

    found = torch.utils.data.default_collate([Fixed({"a": 1}), Fixed({"a": 2})])
    return [type(found).__name__, found["a"]]


PROGRAMS = [
    a_sampler_of_ones_own,
    a_sampler_that_draws_at_once,
    augmentation_draws_between_batches,
    a_tensor_data_set_with_a_transform,
    examples_of_a_batch_at_once,
    a_stream_that_draws,
    words_of_different_lengths,
    a_loader_is_done_and_begins_again,
    batches_are_not_the_data,
    a_numpy_dataset,
    a_mapping_that_cannot_be_copied,
]
