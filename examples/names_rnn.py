"""Given name or surname? A recurrent net reads a word letter by letter, and then decides.

Words differ in length: those of a batch are padded to the longest, and each word's decision is
taken from the state after its own last letter, so what was padded has no part in it. Stop it
with Ctrl-C: the net is then the one after the last whole epoch.
"""

from stopping import Stoppable, show

import minigrad as torch
from minigrad import datasets, nn
from minigrad.nn.utils.rnn import pad_sequence

LETTERS = "abcdefghijklmnopqrstuvwxyz"
PADDING = len(LETTERS)


def encode(words):
    """Letters as numbers (words, longest), and where each word has its last letter."""
    numbers = [torch.tensor([LETTERS.index(letter) for letter in word]) for word in words]
    last = torch.tensor([len(word) - 1 for word in words])
    return pad_sequence(numbers, batch_first=True, padding_value=PADDING), last


class Reader(nn.Module):
    def __init__(self, width=16, hidden=48):
        super().__init__()
        self.embedding = nn.Embedding(len(LETTERS) + 1, width, padding_idx=PADDING)
        self.reader = nn.RNN(width, hidden, batch_first=True)
        self.decision = nn.Linear(hidden, 1)

    def forward(self, letters, last):
        states, _ = self.reader(self.embedding(letters))
        final = states[torch.arange(len(last)), last]  # (words, hidden)
        return self.decision(final).squeeze(1)


def accuracy(net, words, y):
    with torch.no_grad():
        return ((net(*encode(words)) > 0) == (y == 1)).float().mean().item()


def train(net, words, y, epochs, batch=64):
    """Train, and return how many epochs were completed."""
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
    loss_of = nn.BCEWithLogitsLoss()
    with Stoppable("epoch", epochs, net.parameters()) as training:
        for epoch in training:
            total = 0.0
            for chosen in torch.randperm(len(words)).split(batch):
                letters, last = encode([words[i] for i in chosen.tolist()])
                optimizer.zero_grad()
                loss = loss_of(net(letters, last), y[chosen].float())
                loss.backward()
                nn.utils.clip_grad_norm_(net.parameters(), 1.0)
                optimizer.step()
                total += loss.item() * len(chosen)
            print(f"epoch {epoch:2} of {epochs}: loss {total / len(words):.4f}", flush=True)
    return training.done


def main(epochs=12):
    torch.manual_seed(0)
    data = datasets.names()
    net = Reader()
    done = train(net, data.x, data.y, epochs)

    with torch.no_grad():  # a word alone, and the same word padded
        alone = net(*encode(["ada"]))[0]
        padded = net(*encode(["ada", "bartholomew"]))[0]
    return {
        "epochs": done,
        "accuracy on the words it learned from": accuracy(net, data.x, data.y),
        "accuracy on new words": accuracy(net, data.x_test, data.y_test),
        "what padding changes": (alone - padded).abs().item(),
    }


if __name__ == "__main__":
    show(main)
