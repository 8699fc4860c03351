"""Programs about convolutions and pooling."""

from __future__ import annotations


def functional(text):
    """Each line with ``F`` written out."""
    return text.replace("F.", "torch.nn.functional.")


EXPRESSIONS = functional("""
# convolutions
F.conv1d(torch.arange(5.0).reshape(1, 1, 5), t([[[1.0, -1.0]]]))
F.conv1d(torch.arange(5.0).reshape(1, 5), t([[[1.0, -1.0]]]), t([10.0]))
F.conv1d(torch.arange(6).reshape(1, 1, 6), t([[[1, 2]]]), stride=2)
F.conv2d(torch.arange(16.0).reshape(1, 1, 4, 4), torch.ones(1, 1, 3, 3))
F.conv2d(torch.arange(16.0).reshape(1, 4, 4), torch.ones(2, 1, 3, 3), t([0.0, 1.0]))
F.conv2d(torch.arange(16.0).reshape(1, 1, 4, 4), torch.ones(1, 1, 3, 3), padding=1)
F.conv2d(torch.arange(16.0).reshape(1, 1, 4, 4), torch.ones(1, 1, 3, 3), padding="same")
F.conv2d(torch.arange(16.0).reshape(1, 1, 4, 4), torch.ones(1, 1, 2, 2), padding="same")
F.conv2d(torch.arange(16.0).reshape(1, 1, 4, 4), torch.ones(1, 1, 3, 3), padding="valid")
F.conv2d(torch.arange(16.0).reshape(1, 1, 4, 4), torch.ones(1, 1, 2, 2), stride=(2, 1))
F.conv2d(torch.arange(16.0).reshape(1, 1, 4, 4), torch.ones(1, 1, 2, 2), dilation=2)
F.conv2d(torch.arange(16.0).reshape(1, 2, 2, 4), torch.ones(2, 1, 2, 2), groups=2)
F.conv2d(torch.ones(2, 3, 8, 8), torch.ones(6, 3, 5, 5), padding=2, stride=(2,)).shape
F.conv2d(torch.ones(0, 1, 4, 4), torch.ones(2, 1, 3, 3)).shape
F.conv2d(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 1, 1, requires_grad=True))
F.conv2d(torch.ones(1, 2, 2), torch.ones(1, 1, 1, 1, requires_grad=True))
F.conv1d(torch.ones(1, 1, 2), torch.ones(1, 1, 1, requires_grad=True))
torch.conv2d(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2)).is_contiguous()
torch.conv1d(torch.ones(1, 1, 2), torch.ones(1, 1, 2))
F.conv_transpose1d(t([[[1.0, 10.0]]]), t([[[1.0, 2.0, 3.0]]]))
F.conv_transpose2d(t([[[[1.0, 10.0]]]]), torch.ones(1, 1, 2, 2), stride=2)
F.conv_transpose2d(torch.ones(1, 2, 2, 2), torch.ones(2, 1, 3, 3), t([1.0]), 2, 1, 1)
F.conv_transpose2d(torch.ones(1, 2, 3, 3), torch.ones(2, 3, 2, 2), groups=2).shape
F.conv_transpose2d(torch.ones(1, 1, 1, 2, requires_grad=True), torch.ones(1, 1, 1, 1))
F.conv2d(torch.ones(1, 2, 5, 5), torch.ones(2, 1, 3, 3))
F.conv2d(torch.ones(1, 2, 5, 5), torch.ones(3, 1, 3, 3), groups=2)
F.conv2d(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 3, 3))
F.conv2d(torch.ones(5, 5), torch.ones(1, 1, 3, 3))
F.conv2d(torch.ones(1, 1, 5, 5), torch.ones(1, 1, 3))
F.conv2d(torch.ones(1, 1, 5, 5), torch.ones(1, 1, 3, 3), torch.ones(2))
F.conv2d(torch.ones(1, 1, 5, 5), torch.ones(1, 1, 3, 3, dtype=torch.float64))
F.conv2d(torch.ones(1, 1, 5, 5), torch.ones(1, 1, 3, 3), torch.ones(1, dtype=torch.float64))
F.conv2d(torch.ones(1, 1, 5, 5, dtype=torch.int64), torch.ones(1, 1, 3, 3))
F.conv2d(torch.ones(1, 1, 5, 5), torch.ones(1, 1, 3, 3), stride=0)
F.conv2d(torch.ones(1, 1, 5, 5), torch.ones(1, 1, 3, 3), stride=1.5)
F.conv2d(torch.ones(1, 1, 5, 5), torch.ones(1, 1, 3, 3), stride=(1, 2, 3))
F.conv2d(torch.ones(1, 1, 5, 5), torch.ones(1, 1, 3, 3), padding=-1)
F.conv2d(torch.ones(1, 1, 5, 5), torch.ones(1, 1, 3, 3), padding="full")
F.conv2d(torch.ones(1, 1, 5, 5), torch.ones(1, 1, 3, 3), padding="same", stride=2)
F.conv2d(torch.ones(1, 1, 5, 5), torch.ones(1, 1, 3, 3), dilation=0)
F.conv2d(torch.ones(1, 1, 5, 5), torch.ones(1, 1, 3, 3), groups=0)
F.conv2d([1.0], torch.ones(1, 1, 3, 3))
F.conv1d(torch.ones(1, 2, 5), torch.ones(1, 1, 3))
F.conv_transpose2d(torch.ones(1, 3, 5, 5), torch.ones(2, 1, 3, 3))
F.conv_transpose2d(torch.ones(1, 2, 5, 5), torch.ones(2, 1, 3, 3), output_padding=1)
F.conv_transpose2d(torch.ones(1, 2, 5, 5), torch.ones(2, 1, 3, 3), torch.ones(2))
F.conv_transpose2d(torch.ones(1, 2, 1, 1), torch.ones(2, 1, 3, 3), padding=2)
# the largest in a window
F.max_pool1d(t([[[1.0, 3.0, 2.0, 5.0, 4.0]]]), 2)
F.max_pool1d(t([[1.0, 3.0, 2.0]]), 2, stride=1)
F.max_pool1d(t([[[1.0, 3.0, 2.0, 5.0]]]), 2, return_indices=True)
F.max_pool2d(torch.arange(16.0).reshape(1, 1, 4, 4), 2)
F.max_pool2d(torch.arange(16.0).reshape(1, 4, 4), (2, 1))
F.max_pool2d(torch.arange(16.0).reshape(1, 1, 4, 4), 3, 1)
F.max_pool2d(torch.arange(16.0).reshape(1, 1, 4, 4), 3, stride=2, padding=1)
F.max_pool2d(torch.arange(25.0).reshape(1, 1, 5, 5), 2)
F.max_pool2d(torch.arange(25.0).reshape(1, 1, 5, 5), 2, ceil_mode=True)
F.max_pool2d(torch.arange(25.0).reshape(1, 1, 5, 5), 2, dilation=2)
F.max_pool2d(torch.arange(16.0).reshape(1, 1, 4, 4), 2, return_indices=True)
F.max_pool2d(torch.zeros(1, 1, 4, 4), 2, return_indices=True)
F.max_pool2d(torch.full((1, 1, 2, 2), -inf), 2, padding=1, return_indices=True)
F.max_pool2d(t([[[1.0, nan, 3.0, 4.0], [5.0, 6.0, nan, nan]]]), 2, return_indices=True)
F.max_pool2d(torch.arange(16).reshape(1, 1, 4, 4), 2)
F.max_pool2d(torch.ones(1, 1, 2, 2, requires_grad=True), 2)
F.max_pool1d(torch.ones(1, 1, 2, requires_grad=True), 2)
F.max_pool2d(torch.ones(0, 1, 4, 4), 2).shape
torch.max_pool2d(torch.arange(4.0).reshape(1, 2, 2), 2)
F.max_pool2d(torch.ones(4, 4), 2)
F.max_pool2d(torch.ones(1, 1, 4, 4), 5)
F.max_pool2d(torch.ones(1, 1, 4, 4), 2, padding=2)
F.max_pool2d(torch.ones(1, 1, 4, 4), (2, 2, 2))
F.max_pool2d(torch.ones(1, 1, 4, 4), 0)
F.max_pool2d(torch.ones(1, 1, 4, 4), 2, 0)
F.max_pool1d(torch.ones(4), 2)
F.max_pool1d(torch.ones(1, 4), 5)
# the average in a window
F.avg_pool1d(t([[[1.0, 3.0, 2.0, 6.0, 4.0]]]), 2)
F.avg_pool1d(t([[1.0, 3.0, 2.0]]), 2, 1)
F.avg_pool2d(torch.arange(16.0).reshape(1, 1, 4, 4), 2)
F.avg_pool2d(torch.arange(16.0).reshape(1, 4, 4), (1, 2), stride=1)
F.avg_pool2d(torch.ones(1, 1, 4, 4), 3, 2, 1)
F.avg_pool2d(torch.ones(1, 1, 4, 4), 3, 2, 1, count_include_pad=False)
F.avg_pool2d(torch.ones(1, 1, 5, 5), 2, ceil_mode=True)
F.avg_pool2d(torch.ones(1, 1, 5, 5), 2, padding=1, ceil_mode=True)
F.avg_pool2d(torch.ones(1, 1, 4, 4), 2, divisor_override=2)
F.avg_pool2d(t([[[1.0, inf, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]]), 2)
F.avg_pool2d(torch.arange(16).reshape(1, 1, 4, 4), 2)
F.avg_pool2d(torch.ones(1, 1, 2, 2, requires_grad=True), 2)
F.avg_pool1d(torch.ones(1, 1, 2, requires_grad=True), 2)
F.avg_pool2d(torch.ones(1, 1, 4, 4), 5)
F.avg_pool2d(torch.ones(1, 1, 4, 4), 2, padding=2)
F.avg_pool2d(torch.ones(1, 1, 4, 4), 2, divisor_override=0)
F.avg_pool1d(torch.ones(4), 2)
F.adaptive_avg_pool2d(torch.arange(16.0).reshape(1, 1, 4, 4), 2)
F.adaptive_avg_pool2d(torch.arange(16.0).reshape(1, 1, 4, 4), 1)
F.adaptive_avg_pool2d(torch.arange(16.0).reshape(1, 1, 4, 4), (3, None))
F.adaptive_avg_pool2d(torch.arange(20.0).reshape(1, 4, 5), (2, 3))
F.adaptive_avg_pool2d(torch.arange(4.0).reshape(1, 2, 2), 3)
F.adaptive_avg_pool1d(torch.arange(5.0).reshape(1, 1, 5), 3)
F.adaptive_avg_pool2d(torch.ones(1, 1, 2, 2, requires_grad=True), (1, 2))
F.adaptive_avg_pool2d(torch.ones(4, 4), 2)
F.adaptive_avg_pool2d(torch.ones(1, 1, 4, 4), (2, 2, 2))
""")


def input_gradient(torch, function, x):
    x = x.clone().requires_grad_()
    y = function(x)
    (y * torch.arange(1.0, y.numel() + 1).reshape(y.shape)).sum().backward()
    return x.grad


def of_ties_the_first_gets_the_gradient(torch):
    F = torch.nn.functional
    return input_gradient(torch, lambda x: F.max_pool2d(x, 2), torch.zeros(1, 1, 2, 4))


def where_windows_overlap_gradients_add_up(torch):
    F, x = torch.nn.functional, torch.tensor([[[0.0, 9.0, 0.0, 1.0]]])
    return input_gradient(torch, lambda x: F.max_pool1d(x, 2, stride=1), x)


def an_average_sends_its_gradient_to_all_entries(torch):
    F, x = torch.nn.functional, torch.zeros(1, 1, 3, 3)
    return [
        input_gradient(torch, lambda x: F.avg_pool2d(x, 2, stride=1), x),
        input_gradient(torch, lambda x: F.avg_pool2d(x, 2, padding=1), x),
        input_gradient(torch, lambda x: F.adaptive_avg_pool2d(x, 2), x),
    ]


def convolution_gradients(torch):
    x = torch.arange(18.0).reshape(1, 2, 3, 3).requires_grad_()
    w = torch.arange(8.0).reshape(1, 2, 2, 2).requires_grad_()
    b = torch.zeros(1, requires_grad=True)
    y = torch.nn.functional.conv2d(x, w, b, padding=1, stride=2)
    (y * y).sum().backward()
    return [y, x.grad, w.grad, b.grad]


def gradients_without_strides(torch):
    """Padding beyond the kernel, groups, dilation; few channels into many and back."""
    F, results = torch.nn.functional, []
    cases = [
        # channels in and out, kernel, padding, dilation, groups
        (1, 1, 2, 4, 1, 1),
        (2, 2, 3, 0, 1, 1),
        (2, 3, 2, 1, 2, 1),
        (4, 2, 3, 1, 1, 2),
        (1, 5, 2, 1, 1, 1),
        (4, 4, 2, 3, 1, 4),
        (3, 3, 1, 2, 1, 1),
        (2, 6, 2, 1, 1, 2),
    ]
    for inputs, outputs, kernel, padding, dilation, groups in cases:
        size = (outputs, inputs // groups, kernel)
        x = (torch.arange(10.0 * inputs) % 7).reshape(2, inputs, 5).requires_grad_()
        w = (torch.arange(float(torch.zeros(size).numel())) % 5 - 2).reshape(size).requires_grad_()
        y = F.conv1d(x, w, None, 1, padding, dilation, groups)
        (g,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
        results += [g.detach(), *torch.autograd.grad((g * g).sum(), (x, w))]
    return results


def a_convolution_by_hand(torch):
    x, w = torch.arange(16.0).reshape(4, 4), torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    parts = [w[i, j] * x[i : 3 + i, j : 3 + j] for i in range(2) for j in range(2)]
    return (sum(parts) - torch.nn.functional.conv2d(x[None, None], w[None, None])[0, 0]).tolist()


def second_derivatives_of_a_convolution(torch):
    x = torch.arange(4.0).reshape(1, 1, 4).requires_grad_()
    w = torch.tensor([[[1.0, -1.0]]], requires_grad=True)
    y = torch.nn.functional.conv1d(x, w) ** 2
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    return [g.detach(), *torch.autograd.grad((g * g).sum(), (x, w))]


def le_net(torch):
    F = torch.nn.functional
    count = iter(range(100))

    def parameter(*shape):
        size = math_prod(shape)
        values = ((torch.arange(float(size)) * 0.37 + next(count)) % 1 - 0.5) / 3
        return values.reshape(shape).requires_grad_()

    shapes = [(3, 1, 3, 3), (3,), (4, 3, 3, 3), (4,), (5, 16), (5,)]
    w1, b1, w2, b2, w3, b3 = parameters = [parameter(*shape) for shape in shapes]
    x = torch.arange(2.0 * 10 * 10).reshape(2, 1, 10, 10) % 7
    h = F.max_pool2d(torch.relu(F.conv2d(x, w1, b1, padding=1)), 2)
    h = F.avg_pool2d(torch.tanh(F.conv2d(h, w2, b2, padding=1)), 2)
    loss = (F.linear(h.view(2, -1), w3, b3) ** 2).mean()
    loss.backward()
    return [loss.detach(), *[p.grad.sum() for p in parameters]]


def math_prod(shape):
    return shape[0] * math_prod(shape[1:]) if shape else 1


PROGRAMS = (
    of_ties_the_first_gets_the_gradient,
    where_windows_overlap_gradients_add_up,
    an_average_sends_its_gradient_to_all_entries,
    convolution_gradients,
    gradients_without_strides,
    a_convolution_by_hand,
    second_derivatives_of_a_convolution,
    le_net,
)

# One check serves several functions here, where PyTorch has one for each, in words of its own.
OTHER_WORDS = set(
    functional("""
F.conv2d(torch.ones(1, 1, 5, 5), torch.ones(1, 1, 3))
F.conv2d(torch.ones(1, 1, 5, 5), torch.ones(1, 1, 3, 3), torch.ones(1, dtype=torch.float64))
F.conv2d(torch.ones(1, 1, 5, 5), torch.ones(1, 1, 3, 3), stride=1.5)
F.conv2d(torch.ones(1, 1, 5, 5), torch.ones(1, 1, 3, 3), dilation=0)
F.conv2d([1.0], torch.ones(1, 1, 3, 3))
F.conv_transpose2d(torch.ones(1, 2, 5, 5), torch.ones(2, 1, 3, 3), torch.ones(2))
F.conv_transpose2d(torch.ones(1, 2, 1, 1), torch.ones(2, 1, 3, 3), padding=2)
F.max_pool2d(torch.ones(4, 4), 2)
F.max_pool2d(torch.ones(1, 1, 4, 4), 5)
F.max_pool2d(torch.ones(1, 1, 4, 4), (2, 2, 2))
F.max_pool2d(torch.ones(1, 1, 4, 4), 0)
F.max_pool2d(torch.ones(1, 1, 4, 4), 2, 0)
F.max_pool1d(torch.ones(4), 2)
F.max_pool1d(torch.ones(1, 4), 5)
F.avg_pool2d(torch.ones(1, 1, 4, 4), 5)
F.avg_pool1d(torch.ones(4), 2)
F.adaptive_avg_pool2d(torch.ones(4, 4), 2)
""")
    .strip()
    .splitlines()
)
