"""A first training script: data, model, training, testing, saving and loading, one after the other.

It says `import torch` and knows nothing of minigrad. With minigrad in PyTorch's place it runs
unchanged, and from the same seed learns the same, batch by batch: see tests/examples. In this
folder (`cd examples`), with minigrad:

    python -c "import minigrad; minigrad.install_as_torch(); import beginner; beginner.main()"

With PyTorch, if it is installed; with a file's name behind, the curve is written there:

    python beginner.py

Ctrl-C stops the training after the last whole epoch; the rest is done with what was learned.
"""

import copy
import json
import sys
import tempfile
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

DIGITS = Path(__file__).resolve().parents[1] / "minigrad" / "datasets" / "digits.npz"

# --- Data: a data set says how many examples there are, and what each of them is -----------------


class Digits(Dataset):
    """Handwritten digits; every fifth is kept for testing."""

    def __init__(self, train, transform=None):
        with np.load(DIGITS) as file:
            chosen = (np.arange(len(file["labels"])) % 5 != 0) == train
            self.images, self.labels = file["images"][chosen], file["labels"][chosen]
        self.transform = transform

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        image = torch.from_numpy(self.images[index].astype(np.float32)).unsqueeze(0)
        if self.transform is not None:
            image = self.transform(image)
        return image, int(self.labels[index])


def between_minus_1_and_1(image):
    return image / 8 - 1


# --- Model: what it is made of, and how data flow through it -------------------------------------


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.flatten = nn.Flatten()
        self.layers = nn.Sequential(
            nn.Linear(8 * 8, 64),
            nn.ReLU(),
            nn.Dropout(0.1),
            nn.Linear(64, 32),
            nn.ReLU(),
            nn.Linear(32, 10),
        )

    def forward(self, x):
        return self.layers(self.flatten(x))


# --- Training and testing ------------------------------------------------------------------------


def train(loader, model, loss_fn, optimizer):
    """One pass through the data; returns the loss of each batch."""
    losses = []
    model.train()
    for x, y in loader:
        loss = loss_fn(model(x), y)

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

        losses.append(loss.item())
    return losses


def test(loader, model, loss_fn):
    """The mean loss, and which part of the examples is recognised."""
    total, right = 0.0, 0.0
    model.eval()
    with torch.no_grad():
        for x, y in loader:
            scores = model(x)
            total += loss_fn(scores, y).item()
            right += (scores.argmax(1) == y).type(torch.float).sum().item()
    return total / len(loader), right / len(loader.dataset)


def main(epochs=8):
    torch.manual_seed(7)
    training_data = Digits(train=True, transform=between_minus_1_and_1)
    test_data = Digits(train=False, transform=between_minus_1_and_1)
    training_loader = DataLoader(training_data, batch_size=32, shuffle=True)
    test_loader = DataLoader(test_data, batch_size=120)

    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Network().to(device)
    print(model)

    loss_fn = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=3, gamma=0.5)

    curve = {"training loss": [], "test loss": [], "accuracy": []}
    kept = copy.deepcopy(model.state_dict())
    try:
        for epoch in range(1, epochs + 1):
            losses = train(training_loader, model, loss_fn, optimizer)
            loss, accuracy = test(test_loader, model, loss_fn)
            curve["training loss"] += losses
            curve["test loss"].append(loss)
            curve["accuracy"].append(accuracy)
            scheduler.step()
            kept = copy.deepcopy(model.state_dict())
            text = f"test: accuracy {accuracy:.1%}, mean loss {loss:.4f}"
            print(f"epoch {epoch} of {epochs}: loss {losses[-1]:.4f}, {text}", flush=True)
    except KeyboardInterrupt:
        model.load_state_dict(kept)  # an update may have been cut in the middle
        print(f"stopped after epoch {len(curve['accuracy'])} of {epochs}", flush=True)

    # --- Save what was learned, and give it to a new model ---------------------------------------

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.pt"
        torch.save(model.state_dict(), file)
        again = Network().to(device)
        again.load_state_dict(torch.load(file, weights_only=True))
    loss, accuracy = test(test_loader, again, loss_fn)
    print(f"loaded again: accuracy {accuracy:.1%}, mean loss {loss:.4f}")
    curve["loaded"] = [loss, accuracy]

    again.eval()
    x, y = test_data[0]
    with torch.no_grad():
        predicted = again(x.unsqueeze(0))[0].argmax(0).item()
    print(f"predicted {predicted}, actually {y}")
    return curve


if __name__ == "__main__":
    result = main()
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(json.dumps(result), encoding="utf-8")
