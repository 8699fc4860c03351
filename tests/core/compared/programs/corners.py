"""Programs in corners: small dtypes, empty batches, NumPy scalars, NaN, a tensor's own parts."""

from __future__ import annotations

VALUES = {
    "x": "torch.arange(4.0).add_(1)",
    "m": "torch.arange(16.0).add_(1).reshape(4, 4)",
    "i": "torch.arange(3)",
    "b": "torch.tensor([True, False])",
    "after": "lambda layer, *shape: [layer(torch.ones(shape)).shape, dict(layer.state_dict())]",
}

EXPRESSIONS = """
# what is summed or multiplied in a small dtype stays in it, and wraps around
t([200, 100]).sum(0, dtype=torch.uint8)
t([1, 2]).sum(dtype=torch.int32)
t([[1, 2]]).sum(1, dtype=torch.int32)
t([[1, 2]]).sum((0, 1), keepdim=True, dtype=torch.int16)
t([1.5, 1.5]).sum(dtype=torch.int32)
t([True, True]).sum(dtype=torch.uint8)
t([1, 2]).sum(dtype=torch.bool)
t(7, dtype=torch.int16).sum(dtype=torch.int16)
t([100, 100]).prod(dtype=torch.int8)
t([[100, 100]]).prod(1, dtype=torch.int8)
t([1, 0]).prod(dtype=torch.bool)
t([[1, 2]]).cumsum(1, dtype=torch.int32)
t([[100, 2]]).cumprod(1, dtype=torch.uint8)
t([0, 2]).cumsum(0, dtype=torch.bool)
t([0, 2]).cumprod(0, dtype=torch.bool)
t([1, 2]).sum(dtype=torch.float64)
slope(lambda x: x.sum(dtype=torch.float64), [1.0, 2.0])
slope(lambda x: x.cumsum(0, dtype=torch.float64).prod(dtype=torch.float64), [1.0, 2.0])
# an empty batch leaves the running statistics as they are
after(torch.nn.BatchNorm1d(3), 0, 3)
after(torch.nn.BatchNorm1d(3), 0, 3, 4)
after(torch.nn.BatchNorm1d(3), 2, 3, 0)
after(torch.nn.BatchNorm1d(3, momentum=None), 0, 3)
after(torch.nn.BatchNorm2d(3), 0, 3, 2, 2)
after(torch.nn.BatchNorm2d(3), 2, 3, 0, 2)
after(torch.nn.BatchNorm1d(3), 2, 3)
# pairs take the arguments of var and std
torch.var_mean(m, 0, False)
torch.std_mean(m, 0, False, True)
torch.var_mean(m, False)
torch.std_mean(m, True)
torch.std_mean(m, 0, keepdim=True)
torch.var_mean(m, (0, 1), unbiased=False)
torch.var_mean(m, dim=1, keepdim=True, correction=2)
torch.std_mean(m, axis=1, keepdims=True)
# NumPy's scalars count as Python's numbers
i * np.float64(0.5)
np.float64(0.5) * i
i + np.float32(0.5)
i - np.float64(0.5)
np.float64(0.5) - i
i / np.float64(0.5)
np.float64(1) / (i + 1)
i ** np.float64(0.5)
np.float64(2.0) ** i
i // np.float64(0.5)
i % np.float64(2.0)
i * np.float16(0.5)
b + np.int8(1)
np.int8(1) + b
t([1], dtype=torch.uint8) + np.int64(300)
t([1.0]) + np.float64(0.5)
torch.add(i, np.float64(0.5))
torch.add(i, np.float64(0.5), alpha=2)
torch.add(i, 1, alpha=np.int64(2))
torch.sub(i, np.float64(0.5), alpha=2)
torch.mul(i, np.float64(0.5))
torch.mul(np.float64(0.5), i)
torch.div(i, np.float64(0.5))
torch.pow(i, np.float64(0.5))
torch.pow(x, np.float64(2))
torch.pow(i, np.int8(2))
torch.pow(np.float64(0.5), i)
torch.remainder(i, np.float64(2))
torch.where(b, t([0, 1]), np.float64(0.5))
torch.where(b, np.float64(0.5), t([0, 1]))
torch.where(b, np.float64(0.5), np.float64(1))
torch.where(b, np.int8(5), 1)
torch.clamp(i, np.float64(0.5))
torch.clamp(x, np.float64(1.5), np.float64(2.5))
torch.clamp(x, max=np.float64(1.5))
torch.clamp(i, np.int8(1), np.int8(1))
i.clamp_min(np.float64(0.5))
i.clone().mul_(np.float64(0.5))
x.mul_(np.float64(0.5))
x.masked_fill(x > 2, np.float64(0.5))
torch.maximum(i, np.float64(0.5))
torch.lerp(t([1.0]), t([2.0]), np.float64(0.5))
torch.addcmul(t([1.0]), t([2.0]), t([2.0]), value=np.float64(0.5))
torch.result_type(i, np.float64(0.5))
[i > np.float64(0.5), i == np.float64(1), i & np.int8(3), i << np.int8(1)]
slope(lambda x: x * np.float64(2) + np.float64(1) / x, [1.0, 2.0])
slope(lambda x: x ** np.float64(3), [1.0, 2.0])
slope(lambda x: np.float64(3) ** x, [1.0, 2.0])
curvature(lambda x: x ** np.float32(3) * np.float64(2), [1.0, 2.0])
slope(lambda x: x.clamp(np.float64(0), np.float64(1.5)), [1.0, 2.0])
# a determinant with NaN is not a number, wherever it stands
torch.det(t([[nan, 1], [1, 1]]))
torch.det(t([[1, 1], [1, nan]]))
torch.det(t([[0.0, 1], [0, nan]]))
torch.det(t([[[nan, 1], [1, 1]], [[2.0, 0], [0, 3]]]))
torch.det(t([[inf, 1], [1, 1]]))
torch.linalg.slogdet(t([[nan, 1], [1, 1]]))
torch.linalg.slogdet(t([[nan, 0], [0, 0]]))
torch.linalg.slogdet(t([[[1.0, 1], [1, nan]], [[1, 0], [0, 2]]]))
[torch.det(torch.zeros(0, 0)), torch.det(torch.zeros(0, 2, 2))]
# a part of a tensor, repeated, may be written over the rest of it
[x.__setitem__(slice(None), x[0]), x]
[x.__setitem__(slice(None), x[3]), x]
[x.__setitem__(slice(None), x[:1]), x]
[x.__setitem__(slice(None), x[1:2]), x]
[x.__setitem__(slice(0, 3), x[1]), x]
[x.__setitem__(slice(None), x[None, 2:3]), x]
[x.__setitem__(..., x[2]), x]
[x.__setitem__(None, x), x]
[x.__setitem__(None, x[None]), x]
[x.__setitem__(slice(None), x[None]), x]
[x.data.__setitem__(slice(None), x[1]), x]
[m.__setitem__(0, m[0, 1]), m]
[m.__setitem__(slice(0, 3), m[2]), m]
[m.__setitem__(slice(None), m[2]), m]
[m.__setitem__(slice(None), m[1:2]), m]
[m.__setitem__(slice(None), m[1, 1]), m]
[m.__setitem__((slice(None), 0), m[0, 1]), m]
[m.__setitem__(m > 3, m[0, 0]), m]
[x.__setitem__(x > 3, x[0]), x]
[m.masked_fill_(m > 2, m[0, 0]), x.fill_(x[3])]
# not so one that is as large, or what the methods are given
x.__setitem__(slice(1, None), x[:-1])
m.__setitem__(slice(None), m.T)
x.copy_(x[2])
m.copy_(m[1])
slope(lambda x: (lambda y: (y.__setitem__(slice(None), y[0]), y * 1)[1])(x * 1), [2.0, 3.0])
slope(lambda x: (lambda y: (y.__setitem__(slice(None), y[1:2]), y * 1)[1])(x * 1), [2.0, 3.0])
slope(lambda x: (lambda y: (y.__setitem__(None, y), y * 1)[1])(x * 1), [2.0, 3.0])
slope(lambda x: (lambda y: (y.__setitem__(slice(0, 2), y[1]), y * 1)[1])(x * 1), [2.0, 3.0, 4.0])
"""

PROGRAMS = ()
