"""Modules, losses, optimisers, and the programs of examples/: compiled they train the same."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest
from compiled_twice import histories, refusals, served

import minigrad as torch
from minigrad import datasets, nn

F = nn.functional
sys.path.append(str(Path(__file__).resolve().parents[2] / "examples"))

MODULES = {
    "Linear": (lambda: nn.Linear(4, 3), (2, 4)),
    "Linear without bias": (lambda: nn.Linear(4, 3, bias=False), (2, 4)),
    "Conv1d": (lambda: nn.Conv1d(2, 3, 3, padding=1), (2, 2, 6)),
    "Conv2d": (lambda: nn.Conv2d(2, 4, 3, stride=2, padding=1, groups=2), (2, 2, 6, 5)),
    "ConvTranspose2d": (lambda: nn.ConvTranspose2d(2, 3, 3, stride=2), (2, 2, 4, 3)),
    "MaxPool2d": (lambda: nn.MaxPool2d(2), (2, 2, 4, 6)),
    "AvgPool2d": (lambda: nn.AvgPool2d(2), (2, 2, 4, 6)),
    "AdaptiveAvgPool2d": (lambda: nn.AdaptiveAvgPool2d((2, 3)), (2, 2, 4, 7)),
    "BatchNorm1d": (lambda: nn.BatchNorm1d(4), (5, 4)),
    "BatchNorm2d": (lambda: nn.BatchNorm2d(2), (3, 2, 4, 3)),
    "BatchNorm evaluated": (lambda: nn.BatchNorm1d(4).eval(), (5, 4)),
    "LayerNorm": (lambda: nn.LayerNorm(4), (2, 3, 4)),
    "GroupNorm": (lambda: nn.GroupNorm(2, 4), (2, 4, 3)),
    "Dropout": (lambda: nn.Dropout(0.4), (3, 4)),
    "Dropout2d": (lambda: nn.Dropout2d(0.4), (3, 4, 2, 2)),
    "RNN": (lambda: nn.RNN(4, 3, num_layers=2), (5, 2, 4)),
    "LSTM": (lambda: nn.LSTM(4, 3), (5, 2, 4)),
    "LSTM there and back": (lambda: nn.LSTM(4, 3, bidirectional=True), (5, 2, 4)),
    "GRU": (lambda: nn.GRU(4, 3), (5, 2, 4)),
    "MultiheadAttention": (lambda: Attention(), (5, 2, 4)),
    "ReLU": (nn.ReLU, (2, 4)),
    "GELU": (nn.GELU, (2, 4)),
    "PReLU": (nn.PReLU, (2, 4)),
    "Softmax": (lambda: nn.Softmax(-1), (2, 4)),
    "Sequential": (lambda: nn.Sequential(nn.Flatten(), nn.Linear(8, 3), nn.Tanh()), (2, 2, 4)),
}


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.attend = nn.MultiheadAttention(4, 2)

    def forward(self, x):
        return self.attend(x, x, x)[0]


def numbers(shape, seed):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator)


@pytest.mark.parametrize("name", MODULES)
def test_a_module_trains_the_same_compiled(name):
    kind, shape = MODULES[name]

    def make():
        module = kind()
        parameters = list(module.parameters()) or [torch.ones(1, requires_grad=True)]
        optimizer = torch.optim.SGD(parameters, lr=0.1, momentum=0.9)

        def step(x):
            optimizer.zero_grad()
            out = module(x * parameters[0].sum())
            out = out[0] if isinstance(out, tuple) else out
            loss = (out * out).mean()
            loss.backward()
            optimizer.step()
            return loss, out.detach().clone()

        return step, lambda: [*parameters, *module.buffers()]

    plain, compiled, step = histories(make, lambda call: (numbers(shape, call),), calls=6)
    assert plain == compiled
    assert not refusals(step)
    assert served(step) >= 3, step.explain()


LOSSES = {
    "mse_loss": F.mse_loss,
    "l1_loss": F.l1_loss,
    "smooth_l1_loss": F.smooth_l1_loss,
    "huber_loss": F.huber_loss,
    "binary_cross_entropy_with_logits": lambda x, y: F.binary_cross_entropy_with_logits(
        x, torch.sigmoid(y)
    ),
    "binary_cross_entropy": lambda x, y: F.binary_cross_entropy(torch.sigmoid(x), torch.sigmoid(y)),
    "kl_div": lambda x, y: F.kl_div(F.log_softmax(x, 1), F.softmax(y, 1), reduction="batchmean"),
    "cross_entropy": lambda x, y: F.cross_entropy(x, y.argmax(1)),
    "cross_entropy of probabilities": lambda x, y: F.cross_entropy(x, F.softmax(y, 1)),
    "cross_entropy, smooth": lambda x, y: F.cross_entropy(x, y.argmax(1), label_smoothing=0.1),
    "cross_entropy, sum": lambda x, y: F.cross_entropy(x, y.argmax(1), reduction="sum"),
    "nll_loss": lambda x, y: F.nll_loss(F.log_softmax(x, 1), y.argmax(1)),
}


@pytest.mark.parametrize("name", LOSSES)
def test_a_loss_is_the_same_compiled(name):
    def make():
        layer = nn.Linear(4, 3)

        def step(x, y):
            layer.zero_grad()
            loss = LOSSES[name](layer(x), y)
            loss.backward()
            return loss

        return step, lambda: list(layer.parameters())

    plain, compiled, step = histories(
        make, lambda call: (numbers((5, 4), call), numbers((5, 3), call + 50)), calls=6
    )
    assert plain == compiled
    assert served(step) >= 3, step.explain()


OPTIMISERS = {
    "SGD": {"lr": 0.1},
    "SGD with momentum": {"lr": 0.1, "momentum": 0.9, "nesterov": True},
    "Adam": {"lr": 0.01},
    "AdamW": {"lr": 0.01, "amsgrad": True},
    "RMSprop": {"lr": 0.01, "centered": True},
    "Adagrad": {"lr": 0.1},
}


@pytest.mark.parametrize("name", OPTIMISERS)
def test_an_optimiser_and_a_schedule_outside_do_the_same_compiled(name):
    def make():
        model = nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Dropout(0.2), nn.Linear(5, 3))
        optimizer = getattr(torch.optim, name.partition(" ")[0])(
            model.parameters(), weight_decay=0.01, **OPTIMISERS[name]
        )
        schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)

        def step(x):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), x.argmax(1).clamp(max=2))
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            optimizer.step()
            return loss

        def look():
            schedule.step()
            return [*model.parameters(), optimizer.state_dict()["state"]]

        return step, look

    plain, compiled, step = histories(make, lambda call: (numbers((6, 4), call),), calls=8)
    assert plain == compiled
    assert served(step) >= 5, step.explain()


# ------------------------------------------------------------- the complete programs of examples/


def example(name):
    return importlib.import_module(name)


def classifier(net, optimizer, loss_of=F.cross_entropy):
    def step(x, y):
        optimizer.zero_grad()
        loss = loss_of(net(x), y)
        loss.backward()
        optimizer.step()
        return loss

    return step, lambda: list(net.parameters())


def digits(call):
    data = datasets.digits()
    chosen = slice(32 * call, 32 * call + 32)
    return data.x[chosen], data.y[chosen]


def digits_mlp():
    net = example("digits_mlp").TwoLayers()
    return classifier(net, torch.optim.Adam(net.parameters(), lr=3e-3))


def digits_cnn():
    net = example("digits_cnn").new_net()
    return classifier(net, torch.optim.Adam(net.parameters(), lr=6e-3))


def names_rnn():
    net = example("names_rnn").Reader()
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)

    def step(letters, last, y):
        optimizer.zero_grad()
        loss = F.binary_cross_entropy_with_logits(net(letters, last), y)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        return loss

    return step, lambda: list(net.parameters())


def names(call):
    data = datasets.names()
    chosen = [number for number, word in enumerate(data.x) if len(word) == 5][:8]
    letters, last = example("names_rnn").encode([data.x[number] for number in chosen])
    return letters, last, data.y[torch.tensor(chosen)].float()


def char_transformer():
    program = example("char_transformer")
    alphabet = sorted(set(program.TEXT))
    text = torch.tensor([alphabet.index(character) for character in program.TEXT])
    net = program.Transformer(len(alphabet))
    optimizer = torch.optim.AdamW(net.parameters(), lr=4e-3)
    context = program.CONTEXT

    def step():
        starts = torch.randint(len(text) - context, (16, 1))
        parts = text[starts + torch.arange(context + 1)]
        scores = net(parts[:, :-1])
        loss = F.cross_entropy(scores.flatten(0, 1), parts[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    return step, lambda: list(net.parameters())


def gan_ring():
    program = example("gan_ring")
    forger, critic = program.two_layers(8, 2), program.two_layers(2, 1)
    forging = torch.optim.Adam(forger.parameters(), lr=2e-3)
    judging = torch.optim.Adam(critic.parameters(), lr=2e-3)
    real, forged = torch.ones(64, 1), torch.zeros(64, 1)
    loss_of = nn.BCEWithLogitsLoss()

    def step(true_points):
        points = forger(torch.randn(64, 8))
        judging.zero_grad()
        loss = loss_of(critic(true_points), real) + loss_of(critic(points.detach()), forged)
        loss.backward()
        judging.step()
        forging.zero_grad()
        loss_of(critic(points), real).backward()
        forging.step()
        return loss

    return step, lambda: [*forger.parameters(), *critic.parameters()]


def maml_sine():
    program = example("maml_sine")
    parameters = program.new_start()
    optimizer = torch.optim.Adam(parameters, lr=1e-2)

    def step(x, y, x_new, y_new):
        optimizer.zero_grad()
        loss = F.mse_loss(program.net(x, parameters), y)
        gradients = torch.autograd.grad(loss, parameters, create_graph=True)
        moved = [p - 0.1 * g for p, g in zip(parameters, gradients)]
        total = F.mse_loss(program.net(x_new, moved), y_new)
        total.backward()
        optimizer.step()
        return total

    return step, lambda: parameters


def spring():
    stiffness = torch.tensor(2.0, requires_grad=True)
    optimizer = torch.optim.Adam([stiffness], lr=0.1)
    swing = example("spring").swing

    def step(wanted):
        optimizer.zero_grad()
        loss = (swing(stiffness, torch.tensor(0.5)) - wanted).square().mean()
        loss.backward()
        optimizer.step()
        return loss

    return step, lambda: [stiffness]


EXAMPLES = {
    "digits_mlp": (digits_mlp, digits),
    "digits_cnn": (digits_cnn, digits),
    "names_rnn": (names_rnn, names),
    "char_transformer": (char_transformer, lambda call: ()),
    "gan_ring": (gan_ring, lambda call: (example("gan_ring").real_points(64),)),
    "maml_sine": (maml_sine, lambda call: tuple(numbers((10, 1), call + n) for n in range(4))),
    "spring": (spring, lambda call: (torch.tensor(1.0),)),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_trains_to_the_same_losses_compiled(name):
    make, arguments = EXAMPLES[name]
    plain, compiled, step = histories(make, arguments, calls=12)
    assert plain == compiled
    assert served(step) >= 9, step.explain()
