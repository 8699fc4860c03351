"""Programs about layers, activations and losses as modules: how they start, compute and print."""

from __future__ import annotations

EXPRESSIONS = """
# how they print
torch.nn.Linear(3, 4)
torch.nn.Linear(3, 4, bias=False)
torch.nn.Conv1d(2, 4, 3, stride=2)
torch.nn.Conv2d(3, 6, 5)
torch.nn.Conv2d(3, 6, (5, 3), padding=(2, 1), dilation=2, groups=3, bias=False)
torch.nn.Conv2d(3, 6, 5, padding="same")
torch.nn.ConvTranspose2d(4, 2, 3, 2, 1, 1, 2, False, 2)
torch.nn.MaxPool2d(2)
torch.nn.MaxPool2d((2, 3), 2, padding=1, return_indices=True, ceil_mode=True)
torch.nn.MaxPool1d(3, stride=1)
torch.nn.AvgPool2d(2, padding=1)
torch.nn.AvgPool1d(2, 1)
torch.nn.AdaptiveAvgPool2d(1)
torch.nn.AdaptiveAvgPool2d((1, None))
torch.nn.AdaptiveAvgPool1d(2)
torch.nn.BatchNorm1d(3)
torch.nn.BatchNorm2d(3, momentum=None, affine=False)
torch.nn.LayerNorm(4)
torch.nn.LayerNorm([2, 3], elementwise_affine=False)
torch.nn.GroupNorm(2, 4)
torch.nn.Embedding(10, 3)
torch.nn.Embedding(10, 3, padding_idx=-1)
torch.nn.Dropout()
torch.nn.Dropout2d(0.25, inplace=True)
torch.nn.Flatten()
torch.nn.Unflatten(1, (2, 3))
torch.nn.Identity(54, unused=True)
torch.nn.ReLU()
torch.nn.ReLU(inplace=True)
torch.nn.LeakyReLU(0.2)
torch.nn.ELU(alpha=1.5, inplace=True)
torch.nn.GELU()
torch.nn.GELU("tanh")
torch.nn.Softplus()
torch.nn.Hardtanh(-2.0, 2.0)
torch.nn.Softmax(dim=1)
torch.nn.LogSoftmax()
torch.nn.PReLU(3)
torch.nn.MSELoss()
torch.nn.CrossEntropyLoss(label_smoothing=0.1)
torch.nn.RNN(3, 4)
torch.nn.RNN(3, 4, 2, "relu", False, True, 0.5, True)
torch.nn.LSTM(3, 4, num_layers=2, batch_first=True)
torch.nn.GRU(3, 4, bidirectional=True)
torch.nn.RNNCell(3, 4, False, "relu")
torch.nn.LSTMCell(3, 4)
torch.nn.MultiheadAttention(8, 2)
# activations
torch.nn.ReLU()(t([-1.0, 2.0]))
torch.nn.Softmax(dim=0)(t([1.0, 2.0]))
torch.nn.Softplus()(t([-1.0, 2.0]))
torch.nn.Hardtanh()(t([-1.5, 0.5]))
torch.nn.ReLU6()(t([-1.0, 7.0]))
torch.nn.PReLU()(t([-1.0, 2.0])).detach()
torch.nn.GLU()(t([1.0, 2.0, 3.0, 4.0]))
torch.nn.Softmax()(t([1.0, 2.0]))
torch.nn.ReLU(foo=1)
# losses
torch.nn.MSELoss()(t([1.0, 2.0]), t([0.0, 4.0]))
torch.nn.MSELoss(reduction="sum")(t([1.0, 2.0]), t([0.0, 4.0]))
torch.nn.MSELoss(reduction="none")(t([1.0, 2.0]), t([0.0, 4.0]))
torch.nn.MSELoss(reduction="mode")(t([1.0]), t([0.0]))
torch.nn.MSELoss()(t([[1.0], [2.0]]), t([0.0, 4.0]))
torch.nn.L1Loss()(t([1.0, 2.0]), t([0.0, 4.0]))
torch.nn.SmoothL1Loss(beta=0.5)(t([1.0, 2.0]), t([0.9, 4.0]))
torch.nn.MSELoss(t([1.0, 2.0]), t([0.0, 4.0]))
torch.nn.MSELoss(t([1.0, 2.0]))
torch.nn.L1Loss(t([1.0, 2.0]), t([0.0, 4.0]))
torch.nn.SmoothL1Loss(t([1.0, 2.0]), t([0.0, 4.0]))
torch.nn.HuberLoss(t([1.0, 2.0]), t([0.0, 4.0]))
torch.nn.CrossEntropyLoss(torch.ones(2, 3), t([0, 1]))
torch.nn.NLLLoss(torch.ones(2, 3), t([0, 1]))
torch.nn.BCELoss(t([1.0, 2.0]), t([0.0, 1.0]))
torch.nn.BCEWithLogitsLoss(t([1.0, 2.0]), t([0.0, 1.0]))
torch.nn.KLDivLoss(t([1.0, 2.0]), t([0.0, 1.0]))
torch.nn.CrossEntropyLoss(t([1.0, 3.0]))
repr(torch.nn.ReLU(t([1.0, 2.0])))
torch.nn.Tanh(t([1.0, 2.0]))
torch.nn.HuberLoss("sum", 2.0)(t([1.0, 2.0]), t([0.0, 8.0]))
torch.nn.CrossEntropyLoss()(t([[1.0, 2.0], [0.0, 0.0]]), t([1, 0]))
torch.nn.CrossEntropyLoss(t([1.0, 3.0]), ignore_index=0)(t([[1.0, 2.0], [0.0, 0.0]]), t([1, 0]))
torch.nn.CrossEntropyLoss(weight=t([1.0, 3.0])).state_dict()
torch.nn.CrossEntropyLoss().weight
torch.nn.CrossEntropyLoss()(t([[1.0, 2.0]]), t([2]))
torch.nn.NLLLoss()(t([[-1.0, -2.0]]), t([1]))
torch.nn.BCELoss()(t([0.2, 0.9]), t([0.0, 1.0]))
torch.nn.BCELoss()(t([1.2]), t([0.0]))
torch.nn.BCEWithLogitsLoss(pos_weight=t(2.0))(t([0.2, 0.9]), t([0.0, 1.0]))
torch.nn.KLDivLoss(reduction="batchmean")(t([[-1.0, -2.0]]), t([[0.3, 0.7]]))
# shapes, and what does not fit
torch.nn.Linear(3, 4)(torch.zeros(2, 3)).shape
torch.nn.Linear(3, 4)(torch.zeros(5, 2, 3)).shape
torch.nn.Linear(3, 4)(torch.zeros(2, 4))
torch.nn.Linear(3, 4)(torch.zeros(2, 3, dtype=torch.float64))
torch.nn.Linear(3, 4)(torch.zeros(2, 3, dtype=torch.int64))
torch.nn.Linear(3, 4)(torch.ones(3, dtype=torch.float64))
torch.nn.Linear(3, 4)(torch.ones(5, 2, 3, dtype=torch.uint8))
torch.nn.Linear(3, 4)(torch.ones(2, 3) > 0)
torch.nn.Linear(3, 4).double()(torch.ones(2, 3))
torch.nn.Linear(3, 4, bias=False)(torch.ones(2, 3, dtype=torch.float64))
torch.nn.Linear(3, 4, bias=False)(torch.ones(3, dtype=torch.int64))
torch.nn.Linear(3, 4)([1.0])
torch.nn.Linear(3, 4, dtype=torch.float64).weight.dtype
torch.nn.Linear(3, 4, device="cpu").bias.shape
torch.nn.Linear(0, 3)
torch.nn.Linear("3", 4)
torch.nn.Conv2d(1, 2, 3)(torch.zeros(1, 5, 6)).shape
torch.nn.Conv2d(1, 2, 3)(torch.zeros(2, 2))
torch.nn.Conv2d(1, 2, 3)(torch.zeros(4, 3, 5, 5))
torch.nn.Conv2d(1, 1, 1)(torch.ones(1, 1, 2, 2, dtype=torch.float64))
torch.nn.Conv2d(1, 1, 1)(torch.ones(1, 2, 2, dtype=torch.int64))
torch.nn.Conv2d(1, 1, 1)(torch.ones(1, 1, 2, 2, dtype=torch.uint8))
torch.nn.Conv2d(1, 1, 1)(torch.ones(1, 1, 2, 2, dtype=torch.int16))
torch.nn.Conv2d(1, 1, 1)(torch.ones(1, 1, 2, 2, dtype=torch.int8))
torch.nn.Conv1d(1, 1, 1)(torch.ones(1, 1, 2) > 0)
torch.nn.Conv2d(1, 1, 1).double()(torch.ones(1, 1, 2, 2))
torch.nn.Conv2d(1, 1, 1, bias=False)(torch.ones(1, 1, 2, 2, dtype=torch.float64))
torch.nn.ConvTranspose2d(1, 1, 1)(torch.ones(1, 1, 2, 2, dtype=torch.float64))
torch.nn.Conv2d(3, 4, 3, groups=2)
torch.nn.Conv2d(3, 4, 3, groups=0)
torch.nn.Conv2d(3, 4, 3, padding="all")
torch.nn.Conv2d(3, 4, 3, stride=2, padding="same")
torch.nn.BatchNorm1d(3)(torch.zeros(2, 3, 2, 2))
torch.nn.BatchNorm2d(3)(torch.zeros(2, 3, 2))
torch.nn.BatchNorm1d(3)(torch.zeros(1, 3))
torch.nn.BatchNorm1d(3)(torch.zeros(2, 4))
torch.nn.LayerNorm(3)(torch.zeros(2, 4))
torch.nn.GroupNorm(3, 4)
torch.nn.Embedding(3, 2)(t([3]))
torch.nn.Embedding(3, 2)(t([0.5]))
torch.nn.Embedding(3, 2)(t(0.5, dtype=torch.float64))
torch.nn.Embedding(3, 2)(t([True]))
torch.nn.Embedding(3, 2)(t([1], dtype=torch.uint8))
torch.nn.Embedding(3, 2)(torch.zeros(0))
torch.nn.Embedding(3, 2)([1])
torch.nn.Embedding(3, 2, padding_idx=5)
torch.nn.Embedding.from_pretrained(t([[1.0, 2.0]])).weight
torch.nn.Embedding.from_pretrained(t([[1.0, 2.0]]), freeze=False).weight
torch.nn.Embedding.from_pretrained(t([1.0]))
isinstance(torch.nn.Dropout2d(), torch.nn.Dropout), isinstance(torch.nn.Dropout(), torch.nn.Dropout)
isinstance(torch.nn.Dropout1d(), (torch.nn.Dropout, torch.nn.Dropout2d))
isinstance(torch.nn.MaxPool1d(2), torch.nn.MaxPool2d)
isinstance(torch.nn.AvgPool1d(2), torch.nn.AvgPool2d)
torch.nn.Dropout(1.5)
torch.nn.Dropout(0.5).eval()(t([1.0, 2.0]))
torch.nn.Dropout(1.0)(t([1.0, 2.0]))
torch.nn.Dropout2d(1.0)(torch.ones(1, 2, 1, 2))
torch.nn.Flatten()(torch.zeros(2, 3, 4)).shape
torch.nn.Flatten(0)(torch.zeros(2, 3, 4)).shape
torch.nn.Unflatten(1, (2, -1))(torch.zeros(2, 6)).shape
torch.nn.Unflatten(1, 2.0)
torch.nn.Unflatten(1, 2)
torch.nn.Hardtanh(2.0, 1.0)
torch.nn.Hardtanh(1.0, 1.0)
torch.nn.Dropout1d(0.5)(torch.ones(3))
torch.nn.Dropout1d(0.5).eval()(torch.ones(1, 2, 3, 4))
torch.nn.ConvTranspose2d(1, 2, 3, padding="same")(torch.zeros(1, 1, 4, 4))
torch.nn.Identity()(3)
torch.nn.MaxPool2d(2)(torch.arange(16.0).reshape(1, 4, 4))
torch.nn.MaxPool2d(2, return_indices=True)(torch.arange(16.0).reshape(1, 4, 4))
torch.nn.AvgPool2d(2, divisor_override=1)(torch.arange(16.0).reshape(1, 4, 4))
torch.nn.MultiheadAttention(7, 2)
torch.nn.MultiheadAttention(0, 2)
"""

OTHER_WORDS = {
    # Python says it, of our function.
    "torch.nn.ReLU(foo=1)",
    "torch.nn.Tanh(t([1.0, 2.0]))",
    # Said by the function that finds it out.
    'torch.nn.Linear("3", 4)',
    "torch.nn.Linear(3, 4)([1.0])",
    "torch.nn.Unflatten(1, 2.0)",
}


def used(torch, module, *shape, integers=False):
    """Everything that a module has and does: names, numbers, results, gradients."""
    state = {name: numbers(value) for name, value in module.state_dict().items()}
    x = torch.randn(*shape, dtype=torch.float64)
    x = (x * 2).abs().long() if integers else x.requires_grad_()
    out = flat(module.double()(x))  # in double precision, where the order of sums does not show
    sum((part * part).sum() + part.sum() for part in out).backward()
    return [repr(module), state, [numbers(part) for part in out], numbers(x.grad), grads_of(module)]


def grads_of(module):
    return {name: numbers(p.grad) for name, p in module.named_parameters()}


def numbers(x):
    """Numbers only, without what is 0 but for rounding; how they print is another subject."""
    if x is None:
        return None
    x = x.detach()
    return [str(x.dtype), ((x * 1e10).round() / 1e10 + 0 if x.ndim else x).tolist()]


def flat(out):
    return [part for each in out for part in flat(each)] if isinstance(out, tuple) else [out]


def linear(torch):
    torch.manual_seed(0)
    return used(torch, torch.nn.Linear(3, 4), 5, 3)


def linear_without_bias_of_one_sample(torch):
    torch.manual_seed(1)
    return used(torch, torch.nn.Linear(3, 2, bias=False), 3)


def convolution_in_groups(torch):
    torch.manual_seed(0)
    return used(torch, torch.nn.Conv2d(2, 4, 3, padding=1, groups=2), 1, 2, 3, 4)


def convolution_of_sequences(torch):
    torch.manual_seed(0)
    return used(torch, torch.nn.Conv1d(2, 3, 3, stride=2, padding="valid"), 2, 2, 7)


def transposed_convolutions(torch):
    torch.manual_seed(0)
    layers = (
        (torch.nn.ConvTranspose2d(2, 2, 3, stride=2, padding=1, output_padding=1), (1, 2, 2, 3)),
        (torch.nn.ConvTranspose1d(2, 3, 3, 2), (2, 2, 4)),
    )
    return [used(torch, layer, *shape) for layer, shape in layers]


def batch_norm_moves_its_running_statistics(torch):
    torch.manual_seed(0)
    layer = torch.nn.BatchNorm1d(3)
    first = used(torch, layer, 5, 3)
    layer.eval()
    return [first, used(torch, layer, 2, 3), numbers(layer.running_var)]


def batch_norm_of_images_averages_all_batches(torch):
    torch.manual_seed(0)
    layer = torch.nn.BatchNorm2d(2, momentum=None)
    return [used(torch, layer, 2, 2, 2, 3)[1:] for _ in range(3)]


def batch_norm_without_memory(torch):
    torch.manual_seed(0)
    return used(torch, torch.nn.BatchNorm1d(2, track_running_stats=False).eval(), 4, 2)


def layer_norm_and_group_norm(torch):
    torch.manual_seed(0)
    layers = (
        (torch.nn.LayerNorm((3, 2)), (2, 3, 2)),
        (torch.nn.LayerNorm(4, bias=False), (2, 4)),
        (torch.nn.GroupNorm(2, 4), (2, 4, 3)),
    )
    return [used(torch, layer, *shape) for layer, shape in layers]


def embedding_with_padding(torch):
    torch.manual_seed(0)
    return used(torch, torch.nn.Embedding(8, 3, padding_idx=1), 2, 3, integers=True)


def dropout_drops_what_pytorch_drops(torch):
    torch.manual_seed(0)
    return [
        torch.nn.Dropout(0.4)(torch.ones(3, 5)),
        torch.nn.Dropout2d(0.4)(torch.ones(2, 4, 2, 1)),
        torch.nn.Dropout1d(0.4)(torch.ones(2, 4, 2)),
        torch.nn.Dropout1d(0.4)(torch.ones(8, 2)),
    ]


def pooling(torch):
    torch.manual_seed(0)
    nn = torch.nn
    layers = (nn.MaxPool2d(2), nn.AvgPool2d(3, 1, 1), nn.AdaptiveAvgPool2d((2, None)))
    return [used(torch, layer, 1, 2, 4, 6) for layer in layers] + [
        used(torch, layer, 1, 2, 6)
        for layer in (nn.MaxPool1d(2), nn.AvgPool1d(3, 2), nn.AdaptiveAvgPool1d(4))
    ]


def activations(torch):
    torch.manual_seed(0)
    names = (
        "ELU",
        "GELU",
        "GLU",
        "Hardtanh",
        "LeakyReLU",
        "LogSigmoid",
        "Mish",
        "PReLU",
        "ReLU",
        "ReLU6",
        "SELU",
        "Sigmoid",
        "SiLU",
        "Softplus",
        "Softsign",
        "Tanh",
    )
    return [used(torch, getattr(torch.nn, name)(), 2, 4) for name in names]


def losses_give_gradients(torch):
    torch.manual_seed(0)
    nn, out = torch.nn, []
    x, y, labels = torch.randn(4, 3), torch.rand(4, 3), torch.tensor([0, 2, 1, 1])
    for loss, target in (
        (nn.MSELoss(), y),
        (nn.L1Loss(), y),
        (nn.SmoothL1Loss(), y),
        (nn.HuberLoss(delta=0.5), y),
        (nn.CrossEntropyLoss(), labels),
        (nn.CrossEntropyLoss(label_smoothing=0.1), labels),
        (nn.CrossEntropyLoss(), y),
        (nn.BCEWithLogitsLoss(), y),
        (nn.KLDivLoss(log_target=True), y),
        (nn.NLLLoss(ignore_index=1), labels),
    ):
        leaf = x.clone().requires_grad_()
        value = loss(leaf, target)
        value.backward()
        out.append([value.detach(), leaf.grad])
    return out


def weights_start_as_in_pytorch(torch):
    """By every initialiser, for shapes of few and of many numbers."""
    torch.manual_seed(0)
    init, out = torch.nn.init, {}
    for name, arguments in {
        "uniform_": (-1, 2),
        "normal_": (1, 2),
        "constant_": (3,),
        "ones_": (),
        "zeros_": (),
        "eye_": (),
        "xavier_uniform_": (2.0,),
        "xavier_normal_": (),
        "kaiming_uniform_": (0.3, "fan_out"),
        "kaiming_normal_": (0, "fan_in", "relu"),
        "trunc_normal_": (0.0, 1.0, -1.0, 1.0),
    }.items():
        for shape in ((2, 3), (6, 4)):
            out[f"{name}{shape}"] = getattr(init, name)(torch.empty(shape), *arguments)
    out["orthogonal_"] = init.orthogonal_(torch.empty(6, 4, dtype=torch.float64))
    return out


def gains(torch):
    gain = torch.nn.init.calculate_gain
    names = ("linear", "conv2d", "sigmoid", "tanh", "relu", "leaky_relu", "selu")
    return [gain(name) for name in names] + [gain("leaky_relu", 0.2)]


def a_gain_of_an_unknown_activation(torch):
    return torch.nn.init.calculate_gain("softplus")


def fans_of_a_vector(torch):
    return torch.nn.init.xavier_uniform_(torch.empty(3))


def an_empty_weight_is_left_alone(torch):
    return torch.nn.init.kaiming_uniform_(torch.empty(0, 3))


def initialisers_write_into_parameters_unrecorded(torch):
    weight = torch.nn.Linear(2, 3).weight
    same = torch.nn.init.ones_(weight)
    return [same is weight, weight.is_leaf, weight.requires_grad, weight.tolist()]


PROGRAMS = [
    linear,
    linear_without_bias_of_one_sample,
    convolution_in_groups,
    convolution_of_sequences,
    transposed_convolutions,
    batch_norm_moves_its_running_statistics,
    batch_norm_of_images_averages_all_batches,
    batch_norm_without_memory,
    layer_norm_and_group_norm,
    embedding_with_padding,
    dropout_drops_what_pytorch_drops,
    pooling,
    activations,
    losses_give_gradients,
    weights_start_as_in_pytorch,
    gains,
    a_gain_of_an_unknown_activation,
    fans_of_a_vector,
    an_empty_weight_is_left_alone,
    initialisers_write_into_parameters_unrecorded,
]
