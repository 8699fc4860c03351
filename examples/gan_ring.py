"""Two nets against each other: one forges points on a ring, the other tells them from real ones.

The real points lie around eight places on a circle. A lazy forger makes one of them well and
forgets the rest, so what counts is how many places it reaches. Stop it with Ctrl-C: the forger
is then the one after the last whole step.
"""

import math

from stopping import Stoppable, show

import minigrad as torch
from minigrad import nn

PLACES = 8
NOISE = 0.05


def centres():
    angles = 2 * math.pi * torch.arange(PLACES) / PLACES
    return torch.stack([torch.cos(angles), torch.sin(angles)], dim=1)


def real_points(count):
    return centres()[torch.randint(PLACES, (count,))] + NOISE * torch.randn(count, 2)


def two_layers(inputs, outputs, hidden=64):
    return nn.Sequential(
        nn.Linear(inputs, hidden),
        nn.LeakyReLU(0.2),
        nn.Linear(hidden, hidden),
        nn.LeakyReLU(0.2),
        nn.Linear(hidden, outputs),
    )


def judged(points):
    """How many places have their share of the points, and which part is near any place."""
    distance, nearest = (points[:, None] - centres()).norm(dim=2).min(dim=1)
    near = distance < 5 * NOISE
    found = torch.bincount(nearest[near], minlength=PLACES)
    reached = (found >= len(points) / PLACES / 4).sum().item()
    return reached, near.float().mean().item()


def main(steps=3000, batch=64):
    torch.manual_seed(0)
    forger, critic = two_layers(8, 2), two_layers(2, 1)
    options = {"lr": 2e-3, "betas": (0.5, 0.9)}
    forging = torch.optim.Adam(forger.parameters(), **options)
    judging = torch.optim.Adam(critic.parameters(), **options)
    loss_of = nn.BCEWithLogitsLoss()
    real, forged = torch.ones(batch, 1), torch.zeros(batch, 1)

    both = [*forger.parameters(), *critic.parameters()]
    with Stoppable("step", steps, both) as training:
        for step in training:
            points = forger(torch.randn(batch, 8))
            judging.zero_grad()
            loss = loss_of(critic(real_points(batch)), real)
            loss = loss + loss_of(critic(points.detach()), forged)
            loss.backward()
            judging.step()

            forging.zero_grad()  # the critic's own gradients are cleared before its next step
            loss_of(critic(points), real).backward()
            forging.step()
            if step % 500 == 0:
                with torch.no_grad():
                    reached, near = judged(forger(torch.randn(400, 8)))
                print(f"step {step} of {steps}: {reached} places, {near:.0%} near one", flush=True)

    with torch.no_grad():
        reached, near = judged(forger(torch.randn(2000, 8)))
    return {"places reached": reached, "points near a place": near}


if __name__ == "__main__":
    show(main)
