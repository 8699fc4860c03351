"""Handwritten digits with a convolutional net: it looks for the same strokes everywhere.

Two convolutions, each followed by a pooling that halves the image: 8 x 8, 4 x 4, 2 x 2. Stop it
with Ctrl-C (or Jupyter's stop button): the net is then the one after the last whole epoch.
"""

from stopping import Stoppable, show

import minigrad as torch
from minigrad import datasets, nn
from minigrad.utils.data import DataLoader, TensorDataset


def new_net():
    return nn.Sequential(
        nn.Conv2d(1, 16, kernel_size=3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(16, 32, kernel_size=3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(32 * 2 * 2, 10),
    )


def accuracy(net, x, y):
    with torch.no_grad():
        return (net(x).argmax(dim=1) == y).float().mean().item()


def train(net, data, epochs):
    """Train, and return how many epochs were completed."""
    loader = DataLoader(TensorDataset(data.x, data.y), batch_size=32, shuffle=True)
    optimizer = torch.optim.Adam(net.parameters(), lr=6e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
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
            schedule.step()
            print(f"epoch {epoch:2} of {epochs}: loss {total / len(data.x):.4f}", flush=True)
    return training.done


def main(epochs=15):
    torch.manual_seed(0)
    data = datasets.digits()
    net = new_net()
    done = train(net, data, epochs)
    return {
        "epochs": done,
        "accuracy on the digits it learned from": accuracy(net, data.x, data.y),
        "accuracy on new digits": accuracy(net, data.x_test, data.y_test),
    }


if __name__ == "__main__":
    show(main)
