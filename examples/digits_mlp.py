"""Handwritten digits with two layers: 64 grey levels in, ten scores out.

Each epoch goes through the digits in a new random order, in batches. At the end the net sees
360 digits that it never learned from. Ctrl-C stops it after the last whole epoch.
"""

from stopping import Stoppable, show

import minigrad as torch
from minigrad import datasets, nn
from minigrad.utils.data import DataLoader, TensorDataset


class TwoLayers(nn.Module):
    def __init__(self, hidden=128):
        super().__init__()
        self.inner = nn.Linear(64, hidden)
        self.outer = nn.Linear(hidden, 10)

    def forward(self, images):
        pixels = images.flatten(start_dim=1)
        return self.outer(torch.relu(self.inner(pixels)))


def accuracy(net, x, y):
    with torch.no_grad():
        return (net(x).argmax(dim=1) == y).float().mean().item()


def main(epochs=30):
    torch.manual_seed(0)
    data = datasets.digits()
    loader = DataLoader(TensorDataset(data.x, data.y), batch_size=32, shuffle=True)
    net = TwoLayers()
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    loss_of = nn.CrossEntropyLoss()

    with Stoppable("epoch", epochs, net.parameters()) as training:
        for epoch in training:
            total = 0.0
            for x, y in loader:
                optimizer.zero_grad()
                loss = loss_of(net(x), y)
                loss.backward()
                optimizer.step()
                total += loss.item() * len(x)
            if epoch == 1 or epoch % 3 == 0:
                mean = total / len(data.x)
                print(f"epoch {epoch:2} of {epochs}: loss {mean:.4f}", flush=True)

    return {
        "accuracy on the digits it learned from": accuracy(net, data.x, data.y),
        "accuracy on new digits": accuracy(net, data.x_test, data.y_test),
    }


if __name__ == "__main__":
    show(main)
