"""Programs about values and dtypes: creation, promotion, arithmetic, reductions, indexing."""

from __future__ import annotations

EXPRESSIONS = """
# creation
[t(x).dtype for x in (1, 1.0, True, [1, 2.0], [True, 2], [True, 1.5], [[]], [])]
[t(np.array(x)).dtype for x in (1, 1.0, True)]
t(np.float32(1.5)).dtype
t(np.float64(1.5)).dtype
t([np.float64(1.5), 2.0]).dtype
t([np.int32(1)]).dtype
t(0.1, dtype=torch.float64).item()
t([0.1, 1 / 3], dtype=torch.float64).tolist()
t([1.9, -1.9], dtype=torch.int64)
t([300, -1], dtype=torch.int32).to(torch.uint8)
t([2.7, -2.7]).long()
t([0.0, 0.5, nan]).bool()
[t(1, dtype=float).dtype, t(1.5, dtype=int).dtype, torch.zeros(1, dtype=bool).dtype]
t(16777217, dtype=torch.float32).item()
t([t(1.0), t(2.0)])
t([[t(1), t(2)], [3, 4]])
t((1, 2))
t(range(3))
torch.tensor(torch.arange(3))
torch.Tensor([1, 2])
torch.zeros((2, 1))
torch.zeros([2])
torch.zeros(())
torch.ones(2, dtype=torch.int64)
torch.full((), 2.5)
torch.full((2, 1), 3, dtype=torch.float64)
torch.zeros_like(t([1, 2]))
torch.ones_like(t([1.0]), dtype=torch.float64)
torch.full_like(t([1.0, 2.0]), 7)
torch.arange(5)
torch.arange(1, 5)
torch.arange(5, 0, -2)
torch.arange(0, 1, 0.25)
torch.arange(2.0)
torch.arange(1, 2, 0.1, dtype=torch.float64)
torch.arange(3, dtype=torch.float32)
torch.arange(0)
torch.linspace(0, 10, 5)
torch.linspace(1, 1, 1)
torch.eye(2, dtype=torch.int64)
torch.as_tensor([1.0, 2.0])
torch.as_tensor(np.arange(3))
torch.from_numpy(np.ones((2, 2)))
torch.empty(2, 3).shape
(5,) + torch.empty(2, 3).shape
[5] + torch.empty(2, 3).shape
torch.is_tensor(t(1.0))
torch.is_tensor(1.0)
[torch.promote_types(torch.uint8, torch.int8), torch.promote_types(torch.bool, torch.uint8)]
# attributes and conversions
[t([[1.0, 2.0]]).ndim, t([[1.0, 2.0]]).dim(), t([[1.0, 2.0]]).numel(), len(t([[1.0], [2.0]]))]
[t([[1.0, 2.0]]).size(), t([[1.0, 2.0]]).size(-1), t([[1.0]]).shape[0]]
[t(2.5).item(), t([3]).item(), t([[True]]).item()]
[float(t(2.5)), int(t(2.9)), bool(t(0.0)), bool(t([1]))]
[t([[1, 2]]).tolist(), t(1.5).tolist()]
t([1.0, 2.0]).numpy()
t(3).numpy()
np.asarray(t([1.0, 2.0]))
np.asarray(t([[1, 2]])).astype("float64")
[x for x in t([1, 2])]
[1.0 in t([1.0, 2.0]), 5 in t([1, 2])]
[1, 2, 3][t(1)]
"abc"[t(0)]
t([1.0]).double().float().long().int().bool()
t([1.0]).to(torch.int32)
t([1.0]).to("cpu")
t([1]).to(t([1.0]))
t([1.0]).is_floating_point()
[t([1.0]).T.is_contiguous(), torch.ones(2, 3).T.is_contiguous()]
# arithmetic
t([1.0, 2.0]) + t([10.0, 20.0])
1 + t([1, 2])
1.5 + t([1, 2])
2 - t([1.0, 5.0])
t([5, 7]) - 2
t([[1.0], [2.0]]) * t([1.0, 10.0])
2 * t([True, False])
t([True, True]) + t([True, False])
t([1, 2]) / 2
1 / t([1, 2, 4])
t([1.0, -1.0, 0.0]) / 0
t([1, 2]) / t([0, 4])
-t([1.0, -2.0])
abs(t([-1, 2]))
t([1, 2, 3]) ** 2
t([1.0, 2.0]) ** -1
t([4, 9]) ** 0.5
2 ** t([1, 2, 3])
2 ** t([0.5, -1.0])
2.0 ** t([1, 2])
t([2, 3]) ** t([3, 2])
t([2.0]) ** t([3])
t([0.0, 1.0]) ** 0
t([0.0]) ** -1
t([-8.0]) ** (1 / 3)
torch.add(t([1, 2]), t([10, 20]), alpha=2)
torch.sub(t([1.0]), 2, alpha=3)
torch.rsub(t([1.0, 2.0]), 5)
torch.mul(t([2.0]), 3)
torch.div(t([7]), 2)
torch.neg(t([1.0]))
t([1.0]).add(2).sub(1).mul(3).div(2).neg().abs()
t([1e38]) * 10
t([3e38], dtype=torch.float64) * 10
t([255], dtype=torch.uint8) + 1
t([127], dtype=torch.int8) * 2
t([100], dtype=torch.int8) + t([100], dtype=torch.int8)
t([2**62]) * 4
t([1.0, 2.0]) @ t([3.0, 4.0])
t([[1, 2], [3, 4]]) @ t([1, 1])
torch.matmul(torch.ones(2, 1, 3), torch.ones(3, 4)).shape
torch.mm(torch.ones(2, 3), torch.ones(3, 1))
torch.dot(t([1, 2]), t([3, 4]))
torch.ones(0, 3) @ torch.ones(3, 2)
torch.ones(2, 0) @ torch.ones(0, 2)
# functions
torch.exp(t([0.0, 1.0, 100.0, -1000.0]))
torch.exp(t([0, 1]))
torch.log(t([1.0, 0.0, -1.0]))
torch.log(t([1, 2]))
torch.sqrt(t([4.0, 0.0, -1.0]))
torch.sqrt(t([True, False]))
torch.sin(t([0, 1, 2]))
torch.cos(t([0.0, 3.0]))
torch.tanh(t([-100.0, 0.5, 100.0]))
torch.tanh(t([1, 2]))
torch.sigmoid(t([-1000.0, -1.0, 0.0, 1.0, 1000.0]))
torch.sigmoid(t([0, 3]))
torch.relu(t([-1.0, 0.0, 2.0, nan]))
torch.relu(t([-1, 2]))
torch.abs(t([-1.5, 0.0, nan]))
torch.sign(t([-2.0, 0.0, 3.0, nan]))
torch.sign(t([-2, 0, 3]))
torch.sign(t([True, False]))
torch.abs(t([-3], dtype=torch.int8))
torch.reciprocal(t([2, 4]))
torch.reciprocal(t([0.0, -0.0]))
torch.pow(t([1.0, 2.0]), 3)
torch.pow(2, t([1.0, 2.0]))
torch.exp(torch.zeros(0))
torch.clone(t([1, 2]))
# reductions
t([[1.0, 2.0], [3.0, 4.0]]).sum()
t([[1, 2], [3, 4]]).sum(0)
t([True, True]).sum()
t([1, 2], dtype=torch.uint8).sum()
t([1, 2], dtype=torch.int32).sum(0)
t([1.0, 2.0]).sum(dtype=torch.float64)
t([1, 2]).sum(dtype=torch.float32)
torch.sum(t([[1.0, 2.0]]), dim=1, keepdim=True)
t([[1.0, 2.0]]).sum((0, 1))
t([[1.0, 2.0]]).sum(dim=[0, -1], keepdim=True)
t([[1.0, 2.0]]).sum(())
torch.zeros(0).sum()
torch.zeros(0, 2).sum(0)
t(3.0).sum(0)
t([1.0, 2.0, 6.0]).mean()
t([[1.0, 2.0], [3.0, 5.0]]).mean(0)
t([[1.0, 2.0], [3.0, 5.0]]).mean(dim=(0, 1), keepdim=True)
torch.zeros(0).mean()
torch.zeros(2, 0).mean(1)
t([1, 2]).mean(dtype=torch.float32)
t([1.0, 3.0, 2.0]).max()
t([3, 1, 2]).min()
t([1.0, nan, 2.0]).max()
t([1.0, nan, 2.0]).min(0)
t([2.0, 2.0, 1.0]).max(0)
t([[1.0, 1.0], [0.0, 0.0]]).min(1)
t(5.0).max(0)
t([True, False]).max()
torch.zeros(0, 3).max(1).values
torch.argmax(t([1.0, 3.0, 2.0]))
t([[1, 5], [7, 2]]).argmax(dim=1)
t([[1, 5], [7, 2]]).argmax(dim=0, keepdim=True)
t([1.0, 2.0, 2.0]).argmax()
t([True, False]).all()
t([0, 1]).any()
torch.all(t([]))
torch.any(torch.zeros(0))
"""


def promotion(operation_name, operate):
    """The dtypes of all pairs: vectors, 0-d tensors and numbers."""
    names = ("bool", "uint8", "int8", "int16", "int32", "int64", "float32", "float64")

    def program(torch):
        def answer(a, b):
            try:
                return str(operate(a, b).dtype)
            except Exception as error:
                return type(error).__name__

        found = {}
        for first in names:
            a = torch.ones(2, dtype=getattr(torch, first))
            for second in names:
                b = torch.ones(2, dtype=getattr(torch, second))
                found[f"{first} vectors with {second}"] = [
                    answer(a, b),
                    answer(a, b[0]),
                    answer(a[0], b),
                    answer(a[0], b[0]),
                ]
            for number in (True, 2, 1.5):
                found[f"{first} with {number!r}"] = [
                    answer(a, number),
                    answer(number, a),
                    answer(a[0], number),
                ]
        return found

    program.__name__ = f"promotion_of_{operation_name}"
    return program


def bool_is_torch_bool(torch):
    return [torch.bool == t for t in (torch.zeros(1, dtype=torch.bool).dtype, torch.float32)]


def names_of_dtypes(torch):
    return [
        torch.float is torch.float32,
        torch.double is torch.float64,
        torch.long is torch.int64,
        torch.int is torch.int32,
    ]


def numpy_on_either_side(torch):
    x = torch.tensor([1.0, 2.0])
    array = np_of(x)
    return [x + torch.from_numpy(array), type(x * 2).__name__, (x * 2.0).dtype]


def np_of(x):
    return x.numpy()


def unpacking(torch):
    a, b = torch.tensor([1.0, 2.0])
    values, indices = torch.tensor([[3, 1]]).max(1)
    return [a, b, values, indices]


def memory_shared_with_numpy(torch):
    x = torch.zeros(3)
    array = x.numpy()
    x[0] = 1
    array[1] = 2
    y = torch.from_numpy(array)
    y += 1
    z = torch.tensor(array)
    z += 100
    return [x, y, array]


def default_dtype(torch):
    try:
        torch.set_default_dtype(torch.float64)
        x = torch.tensor([0.1])
        return [x, torch.zeros(1), x * 2, torch.tensor([1]) / 3, torch.get_default_dtype()]
    finally:
        torch.set_default_dtype(torch.float32)


PROGRAMS = (
    promotion("add", lambda a, b: a + b),
    promotion("sub", lambda a, b: a - b),
    promotion("mul", lambda a, b: a * b),
    promotion("div", lambda a, b: a / b),
    promotion("pow", lambda a, b: a**b),
    promotion("lt", lambda a, b: a < b),
    promotion("and", lambda a, b: a & b),
    bool_is_torch_bool,
    names_of_dtypes,
    numpy_on_either_side,
    unpacking,
    memory_shared_with_numpy,
    default_dtype,
)

NEEDS = {
    "pointers": {"[t(np.array(x)).dtype for x in (1, 1.0, True)]", "torch.as_tensor(np.arange(3))"}
}
