"""Programs whose memory is measured: a chain, an evaluation that sums, losses that are kept, …"""

from __future__ import annotations

import json

import minigrad as torch
from minigrad import nn
from minigrad.utils.checkpoint import checkpoint
from minigrad_widgets import MemoryTape

SIDE = 64  # a matrix of SIDE × SIDE numbers has 16 KiB


def traits(view, **more):
    memory = json.loads(json.dumps(view.memory, allow_nan=False))
    return {"memory": memory, "given": view.given, **more}


def weight():
    return (torch.randn(SIDE, SIDE) * 0.1).requires_grad_()


def network():
    return nn.Sequential(nn.Linear(SIDE, SIDE), nn.Tanh(), nn.Linear(SIDE, 10))


def chain(depth=8, ask=False):
    w = weight()
    x = torch.randn(SIDE, SIDE)
    with MemoryTape(ask=ask) as memory:
        h = x
        for _ in range(depth):
            h = torch.tanh(h @ w)
        loss = h.sum()
        loss.backward()
        del h, loss
    return memory


def evaluation(ask=False):
    model = network()
    batches = [torch.randn(SIDE, SIDE) for _ in range(5)]
    with MemoryTape(ask=ask) as memory:
        total = 0
        for x in batches:
            loss = model(x).square().mean()
            total += loss
    return memory


def kept_losses():
    model = network()
    losses = []
    with MemoryTape(ask=False) as memory:
        for _ in range(5):
            loss = model(torch.randn(SIDE, SIDE)).square().mean()
            loss.backward()
            losses.append(loss)
    return memory


def stored_outputs():
    model = network()
    outputs = []
    with MemoryTape(ask=False) as memory:
        for _ in range(5):
            outputs.append(model(torch.randn(SIDE, SIDE)))
    return memory


def without_grad():
    w = weight()
    with MemoryTape(ask=False) as memory, torch.no_grad():
        torch.tanh(w @ w)
    return memory


def checkpointed():
    w = weight()
    x = torch.randn(SIDE, SIDE)

    def segment(h):
        for _ in range(4):
            h = torch.tanh(h @ w)
        return h

    with MemoryTape(ask=False) as memory:
        h = x
        for _ in range(4):
            h = checkpoint(segment, h, use_reentrant=False)
        h.sum().backward()
    return memory
