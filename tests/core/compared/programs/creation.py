"""Programs that make tensors: of data, of sizes, in sequences, like others; and about dtypes."""

from __future__ import annotations

EXPRESSIONS = """
# of data
t([np.float32(1.5), 2])
t([2, np.float32(1.5)])
t([np.float32(1.5), np.float32(2)]).dtype
t([1.5, np.float64(2)]).dtype
t([np.float64(2), 1.5]).dtype
t([np.int32(2), 1])
t([np.int32(2), 1.5])
t([[np.float32(1)], [np.float64(2)]])
t([t(1.5, dtype=torch.float64), 2])
t([2, t(1.5, dtype=torch.float64)])
t([t(1), 2.5])
t([t([1]), t([2])])
t([t(True), 2])
t([t(1, dtype=torch.uint8), t(300)])
t([True, False, 1.5])
t(range(5))
t(__import__("collections").deque([1.0, 2.0]))
torch.as_tensor(__import__("collections").deque([[1, 2], (3, 4)]))
t({1, 2})
t(iter([1]))
t(((1, 2), [3, 4]))
t(-(2**63))
t(1e400)
t(2**63 - 1)
t(300, dtype=torch.int16)
t(-1, dtype=torch.uint8)
t([-255, 255], dtype=torch.uint8)
t(1.5, dtype=torch.bool)
t(1, dtype=torch.float64, device="cpu")
t(1, device=torch.device("cpu"))
t([1.0, 2.0], requires_grad=True, dtype=torch.float64)
t(np.array([[1, 2]], dtype=np.int16))
t(np.array(5))
t(np.array([True]))
torch.as_tensor(t([1, 2]), dtype=torch.float32)
torch.as_tensor([1, 2], dtype=torch.float64, device="cpu")
torch.as_tensor(3)
# the older ways
torch.Tensor([1, 2])
torch.Tensor([[1.5], [2]])
torch.Tensor(2, 3).shape
torch.Tensor(3).dtype
torch.Tensor()
torch.Tensor([])
torch.Tensor((2, 3))
torch.Tensor(torch.Size([2, 3])).shape
torch.Tensor(np.array([1, 2]))
torch.Tensor(t([1.0, 2.0]))
torch.FloatTensor([1, 2])
torch.FloatTensor(2, 3).shape
torch.DoubleTensor([1, 2])
torch.LongTensor([1, 2])
torch.LongTensor([1.5, 2])
torch.LongTensor([[1, 2], [3, 4]])
torch.LongTensor(3).shape
torch.LongTensor()
[torch.IntTensor([1]).dtype, torch.ShortTensor([1]).dtype, torch.CharTensor([1]).dtype]
torch.ByteTensor([1, 255])
torch.BoolTensor([1, 0])
torch.FloatTensor(np.array([1.0, 2.0]))
torch.FloatTensor(t([1.0]))
# of sizes
torch.zeros(size=(2, 3))
torch.ones(size=[2])
torch.empty(size=(2, 3)).shape
torch.zeros(2, 3, dtype=torch.int)
torch.zeros(t(2), 3)
torch.zeros((t(2), 1))
torch.zeros(np.int64(2))
torch.zeros([2, True])
torch.zeros(torch.Size([2]))
torch.zeros(2, dtype=torch.bool)
torch.ones(2, requires_grad=True)
torch.empty((2, 3), dtype=torch.int64).dtype
torch.full((2,), True)
torch.full((2,), 3.7, dtype=torch.int64)
torch.full((2,), t(3.0))
torch.full((2,), nan)
torch.full((2,), -1, dtype=torch.uint8)
torch.full((2,), -1.0, dtype=torch.uint8)
torch.tensor([-1.5], dtype=torch.uint8)
torch.linspace(-2, 2.0, 3, dtype=torch.uint8)
torch.linspace(-2.0, 2.0, 3, dtype=torch.uint8)
torch.linspace(0, 1, 3, dtype=torch.bool)
torch.arange(3, dtype=torch.bool)
torch.full((), -0.0)
torch.full([2, 1], 1, dtype=torch.float64, requires_grad=True)
torch.full((2,), np.float64(1.5))
torch.eye(3, 2)
torch.eye(0)
# in sequences
torch.arange(5, dtype=torch.float32)
torch.arange(1, 2, 0.3)
torch.arange(0, 1, 0.1)
torch.arange(0, 1, 0.1, dtype=torch.float64)
torch.arange(5, 1, -1)
torch.arange(-2, 2)
torch.arange(3.0, requires_grad=True)
torch.arange(t(3))
torch.arange(t(3.0))
torch.arange(np.int64(3))
torch.arange(2.5)
torch.arange(start=1, end=4)
torch.arange(end=4)
torch.arange(1, 4, step=2)
torch.arange(True)
torch.arange(0.5, 3.5, dtype=torch.int64)
torch.arange(3, 3)
torch.arange(10, 0, -3)
torch.arange(0, 255, dtype=torch.uint8).sum()
torch.linspace(0, 1, 5)
torch.linspace(0, 1, 0)
torch.linspace(5, -5, 4)
torch.linspace(0, 10, 4, dtype=torch.int64)
torch.linspace(-5, 10, 4, dtype=torch.int32)
torch.linspace(t(0.0), t(2.0), 3)
torch.linspace(0, 1, t(3))
torch.linspace(start=0, end=1, steps=3, requires_grad=True)
torch.linspace(0, 1, 7, dtype=torch.float64)
# like others
torch.zeros_like(t([1.0, 2.0], requires_grad=True))
torch.zeros_like(t([1.0]), requires_grad=True)
torch.ones_like(t([1.0]), device="cpu")
torch.ones_like(t([[1, 2]]), dtype=torch.bool)
torch.ones_like(t(1.0))
torch.zeros_like(torch.ones(2, 3).T).stride()
torch.zeros_like(torch.ones(2, 0))
torch.full_like(t([1, 2]), 2.5)
torch.full_like(t([1.0, 2.0]), True)
torch.full_like(t([1.0]), fill_value=3, dtype=torch.int64)
torch.empty_like(t([[1, 2]])).shape
torch.empty_like(t([[1, 2]]), dtype=torch.float64).dtype
t([1.0]).new_zeros(2, 3)
t([1.0]).new_zeros((2, 3), dtype=torch.int64)
t([1]).new_zeros(size=(2,))
t([1]).new_ones(2)
t([1]).new_full((2,), 3.5)
t([1.0], dtype=torch.float64).new_full((2,), 3)
t([1]).new_tensor([1.5])
t([1.0]).new_tensor([1, 2])
t([1.0]).new_tensor([1, 2], dtype=torch.int64)
t([1.0]).new_tensor([1.0], requires_grad=True)
t([1.0]).new_empty(2, 3).shape
# dtypes
[torch.short is torch.int16, torch.float is torch.float32, torch.double is torch.float64]
[torch.float32.is_complex, torch.float32.is_signed, torch.uint8.is_signed, torch.bool.is_signed]
[torch.float32.itemsize, torch.bool.itemsize, torch.int16.is_floating_point]
t([1.0]).dtype == torch.float
torch.float32 in (torch.float64, torch.float)
[torch.finfo(torch.float32).eps, torch.finfo(torch.float32).max, torch.finfo(torch.float32).tiny]
[torch.finfo(torch.float64).eps, torch.finfo(torch.float64).min, torch.finfo(torch.float64).bits]
[torch.finfo().dtype, torch.finfo(torch.float32).smallest_normal]
[torch.iinfo(torch.int64).max, torch.iinfo(torch.int8).min, torch.iinfo(torch.uint8).bits]
[torch.iinfo(torch.int32).dtype, torch.iinfo(torch.uint8).min]
[torch.pi, torch.inf, torch.nan, torch.e]
torch.is_floating_point(t([1.0]))
[torch.is_nonzero(t([1.0])), torch.is_nonzero(t(0)), torch.numel(t([[1, 2]]))]
torch.result_type(t([1]), 1.5)
torch.result_type(t([1]), t(1.5, dtype=torch.float64))
torch.result_type(1, 2.5)
torch.result_type(t([1.0]), t([1.0], dtype=torch.float64))
[torch.can_cast(torch.float32, torch.int64), torch.can_cast(torch.float64, torch.float32)]
[torch.can_cast(torch.int64, torch.bool), torch.can_cast(torch.bool, torch.uint8)]
# mistakes
t(300, dtype=torch.uint8)
t([300, 1], dtype=torch.uint8)
t(-300, dtype=torch.uint8)
t(2**40, dtype=torch.int32)
t(nan, dtype=torch.int64)
t(10**20)
t(2**63)
t("abc")
t(["abc"])
t(None)
t([None])
t({})
t(x for x in [1, 2])
t(1, dtype="float32")
t(1, dtype=np.float32)
t(1, device="cuda")
t(np.array(["a"]))
t(np.array([1, 2], dtype=object))
torch.from_numpy(np.array(["a"]))
torch.from_numpy([1])
torch.ByteTensor([256])
torch.FloatTensor(t([1, 2]))
torch.Tensor("a")
torch.Tensor(2.5)
torch.zeros()
torch.zeros(2.5)
torch.zeros("a")
torch.zeros(2, (3,))
torch.zeros(t(1.5))
torch.ones(-1)
torch.empty(2, -3)
torch.zeros(2, names=None)
torch.zeros(2, device="cuda")
torch.zeros(2, dtype="float")
torch.zeros_like([1])
torch.full(2, 3)
torch.full((2,), [1])
torch.full((2,), 300, dtype=torch.uint8)
torch.full((2,), "a")
torch.eye(-1)
torch.eye(2, -1)
torch.eye(2.5)
torch.arange(5, 1)
torch.arange(0, 5, 0)
torch.arange(inf)
torch.arange(nan)
torch.arange("a")
torch.linspace(0, 1, -1)
torch.linspace(0, 1)
torch.linspace(0, 1, 2.0)
torch.iinfo(torch.float32)
torch.iinfo(torch.bool)
torch.finfo(torch.int32)
torch.set_default_dtype(torch.int64)
torch.set_default_dtype("float64")
torch.numel(3)
torch.is_floating_point(1.0)
torch.is_nonzero(t([1.0, 2.0]))
torch.is_nonzero(t([]))
torch.result_type(1, "a")
"""


def memory_shared_or_copied(torch):
    x = torch.zeros(3)
    same, copied = torch.as_tensor(x), torch.as_tensor(x, dtype=torch.float64)
    array = x.numpy()
    shared, apart = torch.as_tensor(array), torch.tensor(array)
    x[0] = 7
    return [same is x, same, copied, shared, apart]


def double_by_default(torch):
    try:
        torch.set_default_dtype(torch.float64)
        return [
            torch.Tensor([1]),
            torch.arange(0, 1, 0.5),
            torch.linspace(0, 1, 2),
            torch.rand(0),
            torch.FloatTensor([1]),
            torch.full((1,), 2.0),
            torch.finfo().dtype,
            torch.tensor([1, 2]).float(),
            torch.eye(1),
            torch.tensor(1) / 2,
        ]
    finally:
        torch.set_default_dtype(torch.float32)


def a_subclass_is_made_of_data(torch):
    class Mine(torch.Tensor):
        pass

    x = Mine([1, 2])
    return [type(x).__name__, x.dtype, x.tolist()]


PROGRAMS = (memory_shared_or_copied, double_by_default, a_subclass_is_made_of_data)

OTHER_WORDS = {
    # PyTorch lists its signatures, or names the type of the argument with others
    "torch.zeros(2.5)",
    'torch.zeros("a")',
    "torch.zeros(2, (3,))",
    "torch.zeros(t(1.5))",
    "torch.linspace(0, 1)",
    "torch.linspace(0, 1, 2.0)",
    "torch.eye(2.5)",
    "torch.FloatTensor(t([1, 2]))",
    "torch.Tensor(2.5)",
    "torch.iinfo(torch.float32)",
    "torch.iinfo(torch.bool)",
    "torch.finfo(torch.int32)",
    'torch.result_type(1, "a")',
}

NEEDS = {"pointers": {"t(np.array(5))"}}
