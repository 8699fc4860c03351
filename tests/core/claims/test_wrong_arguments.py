"""Wrong arguments: the error names them, in the words of tensors and not of NumPy."""

from __future__ import annotations

import re

import numpy as np
import pytest

import minigrad as torch

x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])

WRONG = [
    (lambda: torch.exp(1.0), "exp.*input.*float"),
    (lambda: torch.exp([1.0]), "exp.*input.*list"),
    (lambda: torch.tanh(np.float64(1.0)), "tanh.*input"),
    (lambda: torch.relu("a"), "relu.*input.*str"),
    (lambda: torch.mul(x, "a"), "mul.*other.*str"),
    (lambda: torch.mul(1, 2), "mul.*input.*int"),
    (lambda: x + "a", "other|unsupported"),
    (lambda: x * None, "other|unsupported"),
    (lambda: x - [1.0], "other|unsupported"),
    (lambda: x / {}, "other|unsupported"),
    (lambda: x ** "a", "other|exponent|unsupported"),
    (lambda: torch.sum([1.0]), "sum.*input.*list"),
    (lambda: torch.mean(1.0), "mean.*input.*float"),
    (lambda: torch.max([1.0]), "max.*input.*list"),
    (lambda: torch.argmax([1.0]), "argmax.*input.*list"),
    (lambda: torch.reshape([1.0], (1,)), "reshape.*input.*list"),
    (lambda: torch.transpose([1.0], 0, 0), "transpose.*input.*list"),
    (lambda: torch.flatten(1.0), "flatten.*input.*float"),
    (lambda: torch.squeeze(1.0), "squeeze.*input.*float"),
    (lambda: torch.unsqueeze(1.0, 0), "unsqueeze.*input.*float"),
    (lambda: torch.permute(1.0, (0,)), "permute.*input.*float"),
    (lambda: torch.zeros_like(1.0), "zeros_like.*input.*float"),
    (lambda: torch.all(True), "all.*input.*bool"),
    (lambda: torch.eq(1, 2), "eq.*input.*int"),
    (lambda: torch.matmul(x, 1.0), "matmul.*other.*float"),
    (lambda: x @ 1.0, "other|unsupported"),
    (lambda: torch.where(True, x, x), "where.*condition"),
    (lambda: torch.where(x > 0, "a", x), "where.*(input|other)"),
    (lambda: torch.cat(x), "cat.*tensors"),
    (lambda: torch.cat([x, 1.0]), "element 1.*float"),
    (lambda: torch.stack([x, None]), "element 1.*NoneType"),
    (lambda: x.sum("a"), "dim.*str"),
    (lambda: x.sum(1.5), "dim.*float"),
    (lambda: x.max(dim="a"), "dim.*str"),
    (lambda: x.unsqueeze("a"), "dim.*str"),
    (lambda: x.transpose(0, "a"), "dim.*str"),
    (lambda: x.reshape("a"), "(shape|sizes).*str"),
    (lambda: x.expand(2.0, 2), "(size|sizes).*float"),
    (lambda: torch.zeros("a"), "(size|sizes).*str"),
    (lambda: torch.zeros(2, dtype="float32"), "dtype.*str"),
    (lambda: torch.tensor(1.0, dtype=np.float32), "dtype"),
    (lambda: torch.tensor(), "data"),
    (lambda: torch.tensor(1.0, gradient=True), "gradient"),
    (lambda: x.sum(axes=1), "axes"),
    (lambda: x.fill_("a"), "value.*str"),
    (lambda: x.copy_([1.0]), "(other|src).*list"),
    (lambda: x.__setitem__(0, "a"), "assign a str"),
    (lambda: (x * torch.ones(1, requires_grad=True)).backward("a"), "gradients.*str"),
    (lambda: torch.full((2,), "a"), "fill_value|value|dtype"),
    (lambda: torch.arange("a"), "arange|start|end"),
]


@pytest.mark.parametrize(("program", "pattern"), WRONG, ids=range(len(WRONG)))
def test_a_wrong_argument_is_a_type_error_that_names_it(program, pattern):
    with pytest.raises(TypeError) as caught:
        program()
    assert re.search(pattern, str(caught.value)), str(caught.value)


of = torch.ones
TENSORS = {  # functions of networks, with what they take
    **dict.fromkeys(("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "kl_div"), (x, x)),
    **dict.fromkeys(("cosine_similarity", "pairwise_distance"), (x, x)),
    **dict.fromkeys(("binary_cross_entropy_with_logits",), (x, x)),
    **dict.fromkeys(("binary_cross_entropy",), (x / 4, x / 4)),
    **dict.fromkeys(("cross_entropy", "nll_loss"), (x, torch.tensor([0, 1]))),
    **dict.fromkeys(("relu", "relu6", "leaky_relu", "elu", "selu", "gelu", "silu", "mish"), (x,)),
    **dict.fromkeys(("hardtanh", "logsigmoid", "softplus"), (x,)),
    **dict.fromkeys(("softsign", "glu", "normalize", "dropout"), (x,)),
    **dict.fromkeys(("softmax", "log_softmax"), (x, 1)),
    "linear": (x, x, of(2)),
    "conv1d": (of(1, 1, 4), of(1, 1, 2), of(1)),
    "conv2d": (of(1, 1, 4, 4), of(1, 1, 2, 2), of(1)),
    "conv_transpose2d": (of(1, 1, 4, 4), of(1, 1, 2, 2), of(1)),
    "embedding": (torch.tensor([0, 1]), x),
    "prelu": (x, of(1)),
    "max_pool2d": (of(1, 4, 4), 2),
    "avg_pool2d": (of(1, 4, 4), 2),
    "layer_norm": (x, (2,), of(2), of(2)),
    "batch_norm": (x, of(2), of(2), of(2), of(2)),
    "group_norm": (x, 1, of(2), of(2)),
    "scaled_dot_product_attention": (x, x, x, x),
}
COMPARED = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")


@pytest.mark.parametrize("name", TENSORS)
@pytest.mark.parametrize("wrong", ["array", "list", "float", "text"])
def test_what_stands_for_a_tensor_in_a_network_is_a_type_error(name, wrong):
    """Of the losses of numbers, all but arrays are an AttributeError, as in PyTorch."""
    function, tensors = getattr(torch.nn.functional, name), TENSORS[name]
    for place, tensor in enumerate(tensors):
        if isinstance(tensor, torch.Tensor):
            other = {"array": tensor.numpy(), "list": tensor.tolist(), "float": 1.5, "text": "a"}
            given = [*tensors[:place], other[wrong], *tensors[place + 1 :]]
            loose = name in COMPARED and wrong != "array"
            with pytest.raises(AttributeError if loose else TypeError) as caught:
                function(*given)
            assert "_array" not in str(caught.value)


def test_what_is_not_covered_says_so():
    with pytest.raises(AttributeError, match=r"(?s)stft.*docs/coverage"):
        torch.stft
    with pytest.raises(AttributeError, match="'Tensor' object has no attribute 'stft'"):
        x.stft
    with pytest.raises(AssertionError, match="CPU"):
        torch.zeros(2, device="cuda")


def test_no_error_shows_numpys_own_wording():
    programs = [
        lambda: torch.ones(2, 3) + torch.ones(4),
        lambda: torch.ones(2, 3)[torch.tensor([True])],
        lambda: torch.ones(2, 3)[[0, 1], [0, 1, 2]],
        lambda: torch.zeros(3).__setitem__([0, 1], torch.ones(3)),
        lambda: torch.zeros(3).__setitem__(0, torch.ones(2)),
        lambda: torch.zeros(3).copy_(torch.ones(2)),
        lambda: torch.cat([torch.ones(2), torch.ones(2, 2)]),
        lambda: torch.zeros(2, 0).max(1),
        lambda: torch.where(torch.tensor([True, False]), torch.ones(3), 1.0),
        lambda: torch.tensor([True]) - torch.tensor([True]),
        lambda: -torch.tensor([True]),
        lambda: torch.tensor([1, 2]) ** -1,
        lambda: torch.ones(2, 2, 3) @ torch.ones(3, 3, 1),
        lambda: torch.eye(-1),
    ]
    for program in programs:
        with pytest.raises((RuntimeError, IndexError, NotImplementedError)) as caught:
            program()
        assert not re.search(r"array|numpy|operands|ufunc|\(\d+,\)", str(caught.value))
