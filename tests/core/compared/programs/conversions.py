"""Programs about a tensor's values as something else: Python, NumPy, other dtypes, memory."""

from __future__ import annotations

EXPRESSIONS = """
# to Python
[t(2.5).item(), t([3]).item(), t([[True]]).item(), type(t(1, dtype=torch.uint8).item()).__name__]
[t([[1.5]]).tolist(), t(2).tolist(), t([]).tolist(), torch.zeros(2, 0).tolist()]
list(t([1, 2]))
list(reversed(t([1, 2])))
[float(t([1.5])), int(t(2.7)), bool(t([0.0])), int(t(True)), float(t(3))]
[t([1]).__index__(), t([[1]]).__index__(), t(True).__index__()]
[[1, 2, 3][t(1)], range(t(3)), "abc"[t([1])], hex(t(255))]
[math.sqrt(t(4.0)), math.floor(t(4.5)), sum(t([1, 2, 3])), max(t([1, 3, 2]))]
[1.0 in t([1.0, 2.0]), t(1.0) in t([1.0]), 3 in t([1]), np.float32(1) in t([1.0])]
[t([1, 2]) in t([1, 2]), t([1.0, 2.0]) in t([[1.0, 2.0], [3.0, 4.0]]), nan in t([nan])]
[t([1.0]) == None, t([1.0]) != None, t([1.0]) == "a", t([1.0]) == [1.0]]
len({t(1), t(1)})
[len(t([[1], [2]])), t([1.0, 2.0]).__len__(), sorted(t([3, 1, 2]))]
[f"{t(1.5):.3f}", f"{t(3)}", f"{t(3):d}", f"{t(True)}", f"{t(nan)}", f"{t(1 / 3)}", f"{t(1e-8)}"]
[f"{t([1.0, 2.0])}", f"{t(1 / 3)!r}", str(t(1 / 3)), "%.2f" % t(1.234), "%d" % t(3)]
["{:>8.2f}".format(t(1.234)), "{:e}".format(t(12.0)), f"{t(1.5, requires_grad=True):.1f}"]
# to NumPy and back
[t([1.0, 2.0]).numpy(), t(2.0).numpy().shape, t([[1, 2]], dtype=torch.uint8).numpy()]
t([1.0, 2.0], requires_grad=True).numpy(force=True)
(t([1.0, 2.0], requires_grad=True) * 2).numpy(force=True)
t([1.0, 2.0], requires_grad=True).detach().numpy()
[np.asarray(t([1, 2]), dtype=np.float32), np.asarray(t(3.0))]
[np.concatenate([t([1.0]), t([2.0])]), np.stack([t([1.0]), t([2.0])])]
[np.array([t(1.0), t(2.0)]), np.array([t([1.0]), t([2.0])])]
[np.allclose(t([1.0]), np.array([1.0])), np.linalg.norm(t([3.0, 4.0])).item()]
[np.zeros(2)[t([0, 1])], np.arange(5)[t(2)].item(), np.arange(3)[t([True, False, True])]]
[t([1.0, 2.0]).__array__(), t([1.0]).__array__(np.float64)]
[np.float64(2) * t([1.0, 2.0]), t([1.0]) * np.float64(2), np.float32(2) * t([1, 2])]
[np.int64(2) * t([1, 2]), t([1.0]) == np.array([1.0]), t([1, 2]) * np.float32(2)]
# to other dtypes
t([1.0, 2.0]).to(torch.float64)
t([1.0, 2.0]).to("cpu")
t([1.0, 2.0]).to("cpu", torch.float64)
t([1.0, 2.0]).to(torch.device("cpu"))
t([1.0, 2.0]).to(device="cpu", dtype=torch.int64)
t([1.0, 2.0]).to(dtype=torch.int64)
t([1.0, 2.0]).to(torch.int64, non_blocking=True)
t([1.0, 2.0]).to("cpu", non_blocking=True)
t([1.0, 2.0]).to(t([1]))
t([1.0, 2.0]).to(torch.float64, copy=True)
t([1.0, 2.0]).to(float)
t([1.0, 2.0]).to(int)
t([1.0, 2.0]).to()
t([1.0, 2.0]).to(None)
t([1.0, 2.0]).to(device=None)
[(lambda x: x.to(torch.float32) is x)(t([1.0])), (lambda x: x.cpu() is x)(t([1.0]))]
[(lambda x: x.to(torch.float32, copy=True) is x)(t([1.0])), (lambda x: x.double() is x)(t(1.0))]
t([1.0, 2.0], requires_grad=True).to(torch.float64)
t([1.0, 2.0], requires_grad=True).long()
[t([1]).type(), t([True]).type(), t([1.0], dtype=torch.float64).type(), t(1.0).type()]
t([1.5, 2.0]).type(torch.int64)
t([1.5, 2.0]).type("torch.LongTensor")
t([1.5]).type_as(t([1]))
t([1.5]).type(dtype=torch.float64)
[t([1]).float(), t([1]).double(), t([1.5]).long(), t([1.5]).int(), t([1.5]).short()]
[t([1.5]).char(), t([1.5]).byte(), t([1.5]).bool(), t([-1.5]).long()]
[t([300]).byte(), t([-1]).byte(), t([200]).char(), t([2**40]).int()]
# the machine
[torch.cuda.is_available(), torch.cuda.device_count(), torch.backends.mps.is_available()]
torch.device("cuda" if torch.cuda.is_available() else "cpu")
[repr(torch.device("cuda")), repr(torch.device("cuda:0")), repr(torch.device("cuda", 1))]
[repr(torch.device("cpu", 0)), repr(torch.device("cpu:0")), repr(torch.device("mps"))]
[str(torch.device("cuda:0")), torch.device("cuda:0").index, torch.device("cpu").index]
[torch.device("cpu") == torch.device("cpu"), torch.device("cpu") == "cpu"]
[torch.device("cpu") != torch.device("cuda"), torch.device(torch.device("cpu")) == t(1).device]
[t([1.0]).device, t([1.0]).is_cuda, len({torch.device("cpu"), torch.device("cpu")})]
# memory
[torch.zeros(2, 3).stride(), torch.zeros(2, 3).T.stride(), torch.zeros(()).stride()]
[torch.zeros(2, 3).stride(0), torch.zeros(2, 3).stride(-1), torch.zeros(2, 3).stride(dim=1)]
[torch.zeros(2, 3, 4)[:, 1].stride(), torch.zeros(4, 3)[::2].stride(), torch.zeros(6)[::3].stride()]
[torch.zeros(0, 3).stride(), torch.zeros(2, 0, 3).stride(), torch.zeros(1, 3).stride()]
[torch.zeros(3).expand(2, 3).stride(), torch.zeros(2, 3)[:, None].stride()]
[torch.zeros(2, 3)[None].stride(), torch.zeros(2, 3).unsqueeze(-1).stride()]
[torch.zeros(2, 3).reshape(2, 1, 3).stride(), torch.zeros(2, 3)[:, :1].stride()]
(lambda x: x.data_ptr() == x.view(-1).data_ptr())(torch.zeros(2, 3))
(lambda x: x[1].data_ptr() - x.data_ptr())(torch.zeros(2, 3))
[torch.zeros(2, 3).ndimension(), torch.zeros(2, 3).nelement(), t([1.0]).is_contiguous()]
[torch.zeros(2, 3)[:, :1].is_contiguous(), torch.zeros(4, 3)[:1].T.is_contiguous()]
# shapes
repr(torch.zeros(2, 3).shape[:1])
repr(torch.zeros(2, 3).shape + torch.zeros(2).shape)
repr(torch.zeros(2, 3).shape + (1,))
[torch.zeros(2, 3).shape.numel(), torch.Size([]).numel(), torch.Size((2, 3)) == (2, 3)]
[repr(torch.Size([])), repr(torch.Size()), str(torch.Size([2, 3]))]
[torch.Size([2, 3])[0], torch.Size([2, 3])[-1], torch.Size([2, 3]).index(3)]
[torch.zeros(2, 3).size(0), torch.zeros(2, 3).size(dim=1), torch.zeros(2, 3).size()[-1]]
[len(torch.zeros(2, 3).shape), list(torch.zeros(2, 3).shape), torch.zeros(2, 3).shape[-1:] == (3,)]
(lambda a, b: a * b)(*torch.zeros(2, 3).shape)
# mistakes
t([1.0, 2.0]).item()
t([]).item()
list(t(1))
iter(t(1))
len(t(1))
bool(t([]))
bool(t([1, 2]))
float(t([1, 2]))
float(t([]))
int(t(nan))
int(t(inf))
t(1.5).__index__()
[1, 2, 3][t(1.0)]
range(t([1, 2]))
"a" in t([1.0, 2.0])
None in t([1.0])
[1, 2] in t([1, 2])
f"{t([1.5]):.3f}"
f"{t([1.0, 2.0]):>20}"
f"{t(3.0):d}"
t([1.0, 2.0], requires_grad=True).numpy()
np.asarray(t([1.0], requires_grad=True))
t([1.0]).numpy(True)
t([1.0, 2.0]).to("cuda")
t([1.0, 2.0]).to(torch.device("cuda:0"))
t([1.0, 2.0]).to("mps")
t([1.0, 2.0]).to("foo")
t([1.0, 2.0]).cuda()
torch.device("foo")
torch.zeros(2, device=torch.device("cuda"))
t([1.5]).type_as(1)
torch.zeros(2, 3).stride(2)
torch.zeros(2, 3).size(5)
torch.zeros(2, 3).size("a")
torch.zeros(()).size(0)
"""


def numpys_functions_make_tensors(torch):
    """Some of NumPy's functions give tensors; PyTorch warns, since NumPy does."""
    import warnings

    import numpy as np

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        x = torch.tensor([1.0, 2.0])
        return [
            np.sin(x),
            np.maximum(x, 1.5),
            np.sqrt(torch.tensor(4.0)),
            np.isnan(x),
            np.add(x, x),
            np.exp(torch.tensor([0])),
            np.round(torch.tensor([1.5, 2.5])),
            np.array(x),
        ]


def a_gradient_through_conversions(torch):
    x = torch.tensor([1.5, 2.5], requires_grad=True)
    (x.double() * x.to(torch.float64) * x.type_as(x)).sum().backward()
    return x.grad


def a_copy_of_its_own(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x.to(torch.float32, copy=True)
    (y * y).sum().backward()
    return [x.grad, y is x, y.data_ptr() == x.data_ptr()]


def copies_of_the_copy_module(torch):
    import copy

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    shallow, deep = copy.copy(x), copy.deepcopy(x)
    return [shallow, deep, deep is x, deep.requires_grad]


def a_loop_over_rows(torch):
    return [(i, row) for i, row in enumerate(torch.arange(6).reshape(3, 2))]


def zipped_and_compared(torch):
    a, b = torch.tensor([1, 2, 3]), torch.tensor([1, 5, 3])
    return sum(int(x == y) for x, y in zip(a, b, strict=True))


PROGRAMS = (
    numpys_functions_make_tensors,
    a_gradient_through_conversions,
    a_copy_of_its_own,
    copies_of_the_copy_module,
    a_loop_over_rows,
    zipped_and_compared,
)

OTHER_WORDS = {
    "t([1.0]).numpy(True)",  # PyTorch says it of `numpy`, Python of `Values.numpy`
    'torch.zeros(2, 3).size("a")',  # PyTorch names function and position
    "torch.zeros(()).size(0)",  # PyTorch says it of this case alone
}

NEEDS = {
    "pointers": {
        "[np.zeros(2)[t([0, 1])], np.arange(5)[t(2)].item(), np.arange(3)[t([True, False, True])]]"
    }
}
