"""A net with the shape of its input: it evaluates Boolean expressions it was never shown.

A vector stands for each side of an expression; small nets for `not`, `and`, `or` turn vectors
into a vector, and each expression wires them up anew, as Python's parser sees it. It learns from
expressions of depth 0 to 3 and their values alone, never from the value of a part. Ctrl-C stops it
after the last whole step.
"""

import ast

from stopping import Stoppable, show

import minigrad as torch
from minigrad import datasets, nn


class Evaluator(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.constant = nn.Embedding(2, width)
        self.rules = nn.ModuleDict(
            {
                "Not": nn.Sequential(nn.Linear(width, width), nn.Tanh()),
                "And": nn.Sequential(nn.Linear(2 * width, width), nn.Tanh()),
                "Or": nn.Sequential(nn.Linear(2 * width, width), nn.Tanh()),
            }
        )
        self.decision = nn.Linear(width, 1)

    def vector(self, tree):
        if isinstance(tree, ast.Constant):
            return torch.tanh(self.constant.weight[int(tree.value)])
        sides = [tree.operand] if isinstance(tree, ast.UnaryOp) else tree.values
        rule = self.rules[type(tree.op).__name__]
        return rule(torch.cat([self.vector(side) for side in sides]))

    def forward(self, trees):
        return self.decision(torch.stack([self.vector(tree) for tree in trees])).squeeze(1)


def accuracy(net, trees, y):
    with torch.no_grad():
        return ((net(trees) > 0) == (y == 1)).float().mean().item()


def main(steps=500, batch=16):
    torch.manual_seed(0)
    net = Evaluator()
    optimizer = torch.optim.Adam(net.parameters(), lr=0.02)
    loss_of = nn.BCEWithLogitsLoss()

    with Stoppable("step", steps, net.parameters()) as training:
        for step in training:
            trees, y = datasets.boolean_trees(batch, depth=min(step * 5 // steps, step % 4))
            optimizer.zero_grad()
            loss = loss_of(net(trees), y.float())
            loss.backward()
            optimizer.step()
            if step == 1 or step % 50 == 0:
                print(f"step {step} of {steps}: loss {loss.item():.4f}", flush=True)

    results = {}
    for depth in (3, 5, 7):
        trees, y = datasets.boolean_trees(300, depth)
        results[f"accuracy at depth {depth}"] = accuracy(net, trees, y)
    return results


if __name__ == "__main__":
    show(main)
