"""Programs about how tensors print: ``repr`` must be PyTorch's, letter by letter."""

from __future__ import annotations

EXPRESSIONS = """
t(1.0)
t(0.1)
t(-0.0)
t(1)
t(True)
t(nan)
t(-inf)
t(1e10)
t(123456.789)
t(1e-5)
t([])
t([1.0, 2.0])
t([1.0, 2.5])
t([1.0, -2.5])
t([1.0, 10.0, 100.0])
t([0.5, 10.25, 100.125])
t([1.0, 1000.0, 1001.0])
t([1.0, 1000.5])
t([1.0, 1001.5])
t([0.001, 1.0])
t([0.0009, 1.0])
t([0.0001, 0.0002])
t([0.00009, 0.0002])
t([1e-10, 1.0])
t([1e8, 1.0])
t([1e8])
t([1.1e8])
t([123456789.0])
t([99999999.0, 1.0])
t([1e38, -1e38])
t([1e-45])
t([0.0, 0.0])
t([0.0, 1e-7])
t([0.0, 12345.678])
t([0.1, 0.25, 3.0, nan])
t([1.0, nan])
t([1.0, inf])
t([1.0, -inf, nan])
t([0.5, -inf, nan])
t([nan, nan])
t([inf, -inf])
t([1e10, nan])
t([0.5, 1e-9, inf])
t([-1.0, -2.0])
t([-1.5])
t([1 / 3, 2 / 3], dtype=torch.float64)
t([1.0, 2.0], dtype=torch.float64)
t([1e-300, 1.0], dtype=torch.float64)
t([1e300], dtype=torch.float64)
t(2.5, dtype=torch.float64)
t([1, 2, 3])
t([1, -20, 300])
t([10**18, -1])
t([1, 2], dtype=torch.int32)
t([1, 2], dtype=torch.int16)
t([1, -2], dtype=torch.int8)
t([1, 200], dtype=torch.uint8)
t(7, dtype=torch.uint8)
t([True, False])
t([[True], [False]])
t([[1.0, 2.0], [3.0, 4.0]])
t([[1.0, -20.5], [300.25, 4.0]])
t([[[1.0, 2.0]], [[3.0, 4.0]]])
t([[[[1]]]])
t([[], []])
torch.zeros(0, 3)
torch.zeros(2, 0, dtype=torch.int64)
torch.zeros(0, dtype=torch.float64)
torch.zeros(0, dtype=torch.int64)
torch.zeros(0, dtype=torch.bool)
torch.zeros(0, requires_grad=True)
torch.zeros(2, 0, requires_grad=True)
torch.zeros(2, 3)
torch.zeros(2, 2, 2, 2)
torch.ones(3, 1)
torch.arange(20)
torch.arange(30)
torch.arange(100)
torch.arange(1000)
torch.arange(1001)
torch.arange(2000).reshape(2, 1000)
torch.arange(2000).reshape(1000, 2)
torch.arange(1200.0).reshape(30, 40)
torch.arange(1200.0).reshape(10, 10, 12)
torch.arange(10000).reshape(10, 10, 10, 10)
torch.arange(1001) * 1000
torch.arange(1001.0) / 7
torch.arange(40.0) / 3
torch.arange(40.0).reshape(2, 20)
torch.arange(60.0).reshape(2, 30) / 8
torch.arange(12).reshape(3, 2, 2)
torch.linspace(0, 1, 11)
torch.linspace(-1, 1, 25)
torch.eye(3)
torch.eye(2, 4)
torch.full((2, 2), 1.5)
torch.full((3,), True)
torch.full((2,), 3)
t(1.0, requires_grad=True)
t([1.0, 2.5], requires_grad=True)
t([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
t([1.0], dtype=torch.float64, requires_grad=True)
t(1.0, requires_grad=True) * 2
t([1.0, 2.0], requires_grad=True) + 1
t([[1.0, 2.0], [3.0, 4.0]], requires_grad=True) @ t([[1.0, 2.0], [3.0, 4.0]])
t([1.0], dtype=torch.float64, requires_grad=True).sum()
torch.zeros(20, requires_grad=True).exp()
torch.zeros(17, requires_grad=True) * 1.5
torch.zeros(18, dtype=torch.float64, requires_grad=True) * 1.5
torch.zeros(0, requires_grad=True) * 2
torch.arange(9.0).requires_grad_().reshape(3, 3).T
t([1.0, 2.0], requires_grad=True).detach()
t([[1.0, 3.0], [5.0, 4.0]]).max(1)
t([[1.0, 3.0], [5.0, 4.0]]).min(0)
t([[1.0, 3.0], [5.0, 4.0]], requires_grad=True).max(dim=1, keepdim=True)
t([[1, 3], [5, 4]]).min(dim=-1)
repr(torch.float32)
[repr(d) for d in (torch.float64, torch.int64, torch.bool, torch.uint8, torch.long, torch.double)]
repr(torch.zeros(2, 3).shape)
repr(torch.zeros(()).size())
str(t([1.0, 2.0]))
f"{t(1.23456):.2f}"
f"{t(1.5)} {t([1.0])}"
f"{t([1.0, 2.0])}"
"%s" % t(2.0)
"{:5d}".format(t(7))
repr(torch.device("cpu"))
repr(t([1.0]).device)
t([0.0, -0.0])
t([-0.0, 1.5, -2.25])
t([nan, -0.0, 1e-9])
t([nan, 3.0, -inf, 0.0])
t([1e5, 1.0])
t([1e-4, 0.1])
t([0.1, 99.99996])
t([9999.99996])
t([1e-38, 1e38])
t([[1e-3, 1.0], [1000.0, 5.0]])
t([[nan, 1.0], [-1e9, 2.0]])
t([[1, -1000], [100000, 2]], dtype=torch.int32)
t([[0.0, 0.0], [0.0, 0.0]], dtype=torch.float64)
torch.zeros(1, 0, 2)
torch.zeros(3, 0, dtype=torch.uint8)
torch.zeros(2, 1, 3, dtype=torch.bool)
torch.full((2, 3), nan)
torch.arange(25.0).reshape(5, 5) * 1.1
torch.arange(3000).reshape(3, 1000)
torch.arange(2400.0).reshape(2, 4, 300) / 3
torch.arange(1600.0).reshape(40, 40)[:, ::2]
torch.arange(1600.0).reshape(40, 40) * 1000
torch.arange(100.0, dtype=torch.float64) / 7
(torch.arange(50) * 12345678901).reshape(5, 10)
torch.arange(50) % 2 == 0
torch.zeros(1001, dtype=torch.bool)
torch.arange(12.0, requires_grad=True).reshape(3, 4).exp()
torch.zeros(2, 2000, requires_grad=True) * 2
t([1.0, 2.0], dtype=torch.float64, requires_grad=True) * 2
torch.zeros(19, dtype=torch.int32)
torch.zeros(20, dtype=torch.float64)
"""


def with_options(torch, tensors, **options):
    """Texts of tensors under some print options, which do not outlive them."""
    torch.set_printoptions(**options)
    try:
        return [repr(tensor) for tensor in tensors]
    finally:
        torch.set_printoptions(profile="default")


def precision(torch):
    tensors = [torch.tensor([1.23456789, 10.0]), torch.tensor(1e-7), torch.tensor([1, 2])]
    return [with_options(torch, tensors, precision=digits) for digits in (0, 2, 8)]


def scientific_notation(torch):
    tensors = [torch.tensor([1.5, 2000.0]), torch.tensor([1e-7, 1e7]), torch.tensor([1.0, 2.0])]
    return [with_options(torch, tensors, sci_mode=mode) for mode in (True, False, None)]


def width_of_lines(torch):
    tensors = [torch.arange(30), torch.zeros(5, requires_grad=True) * 1.5, torch.eye(12)]
    return [with_options(torch, tensors, linewidth=width) for width in (20, 40, 120)]


def summaries(torch):
    tensors = [torch.arange(20), torch.arange(20.0).reshape(10, 2), torch.zeros(2, 3, 4)]
    return [
        with_options(torch, tensors, threshold=10),
        with_options(torch, tensors, threshold=10, edgeitems=1),
        with_options(torch, tensors, threshold=10, edgeitems=0),
        with_options(torch, tensors, threshold=0, edgeitems=5),
    ]


def profiles(torch):
    tensors = [torch.arange(1200.0) / 7, torch.tensor([1.23456])]
    return [with_options(torch, tensors, profile=p) for p in ("short", "full", "default")]


def a_profile_with_another_precision(torch):
    return with_options(torch, [torch.arange(1200.0) / 7], profile="short", precision=3)


PROGRAMS = (
    precision,
    scientific_notation,
    width_of_lines,
    summaries,
    profiles,
    a_profile_with_another_precision,
)
