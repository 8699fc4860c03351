"""Learning to learn: a start from which one gradient step fits any sine wave to ten points.

The inner step is a computation like any other. With ``create_graph=True`` its gradient has a
history, so the outer loss, taken after the step, tells how the start should have been. Ctrl-C
stops it after the last whole outer step.
"""

import math

from stopping import Stoppable, show

import minigrad as torch
from minigrad import nn

INNER_RATE = 0.05


def new_wave():
    """A sine wave of random height and phase, as a function."""
    height, phase = 0.5 + 1.5 * torch.rand(1), math.pi * torch.rand(1)
    return lambda x: height * torch.sin(x + phase)


def points(count=10):
    return 10 * torch.rand(count, 1) - 5


def new_start(hidden=40):
    """Weights and biases of three layers."""
    layers = [nn.Linear(1, hidden), nn.Linear(hidden, hidden), nn.Linear(hidden, 1)]
    return [parameter for layer in layers for parameter in layer.parameters()]


def net(x, parameters):
    w1, b1, w2, b2, w3, b3 = parameters
    h = torch.tanh(nn.functional.linear(x, w1, b1))
    h = torch.tanh(nn.functional.linear(h, w2, b2))
    return nn.functional.linear(h, w3, b3)


def loss_on(wave, x, parameters):
    return nn.functional.mse_loss(net(x, parameters), wave(x))


def one_step(wave, x, parameters, create_graph=False):
    """The parameters after one step of gradient descent on these points: new tensors."""
    loss = loss_on(wave, x, parameters)
    gradients = torch.autograd.grad(loss, parameters, create_graph=create_graph)
    return [p - INNER_RATE * g for p, g in zip(parameters, gradients)]


def judged(parameters, waves=100):
    """The mean loss on new waves, before and after one step."""
    before = after = 0.0
    for _ in range(waves):
        wave, x, new = new_wave(), points(), points(50)
        adapted = one_step(wave, x, parameters)
        with torch.no_grad():
            before += loss_on(wave, new, parameters).item() / waves
            after += loss_on(wave, new, adapted).item() / waves
    return before, after


def main(steps=1000, waves=4):
    torch.manual_seed(0)
    start = new_start()
    untrained = judged(start)[1]
    optimizer = torch.optim.Adam(start, lr=2e-3)
    with Stoppable("step", steps, start) as training:
        for step in training:
            total = 0.0
            for _ in range(waves):
                wave = new_wave()
                adapted = one_step(wave, points(), start, create_graph=True)
                total = total + loss_on(wave, points(), adapted) / waves
            optimizer.zero_grad()
            total.backward()
            optimizer.step()
            if step == 1 or step % 100 == 0:
                text = f"loss after one inner step {total.item():.3f}"
                print(f"step {step} of {steps}: {text}", flush=True)

    before, after = judged(start)
    return {
        "loss after a step from an untrained start": untrained,
        "loss before the step": before,
        "loss after the step": after,
    }


if __name__ == "__main__":
    show(main)
