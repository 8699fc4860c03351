"""How stiff is a spring? A simulation that can be differentiated finds out from what it measured.

A mass on a spring swings and comes to rest. Each moment is computed from the one before, so the
graph is as long as the simulation, and the gradient of the error goes all the way back to the
stiffness and the damping. Ctrl-C stops it after the last whole step.
"""

import math

from stopping import Stoppable, show

import minigrad as torch

STEP = 0.05
MOMENTS = 120


def swing(stiffness, damping):
    """Where a mass of 1 is at each moment, after it was let go at 1."""
    place, speed = torch.tensor(1.0), torch.tensor(0.0)
    places = []
    for _ in range(MOMENTS):
        force = -stiffness * place - damping * speed
        speed = speed + STEP * force
        place = place + STEP * speed  # with the new speed: so no energy appears from nowhere
        places.append(place)
    return torch.stack(places)


def main(steps=120):
    torch.manual_seed(0)
    measured = swing(torch.tensor(4.0), torch.tensor(0.5)) + 0.02 * torch.randn(MOMENTS)

    # What is learned are logarithms, so that both stay positive.
    logarithms = torch.tensor([2.0, 1.0]).log().requires_grad_()
    optimizer = torch.optim.Adam([logarithms], lr=0.05)
    loss = torch.tensor(math.nan)  # there is none before the first step
    with Stoppable("step", steps, [logarithms]) as training:
        for step in training:
            stiffness, damping = logarithms.exp()
            loss = ((swing(stiffness, damping) - measured) ** 2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if step == 1 or step % 20 == 0:
                text = f"stiffness {stiffness.item():.3f}, damping {damping.item():.3f}"
                print(f"step {step} of {steps}: loss {loss.item():.5f}, {text}", flush=True)

    stiffness, damping = logarithms.detach().exp().tolist()
    return {"stiffness": stiffness, "damping": damping, "loss": loss.item()}


if __name__ == "__main__":
    show(main)
