"""A transformer learns a small text by heart, one character at a time, and recites it.

Each character attends to itself and to those before it: the mask forbids the future. Stop it with
Ctrl-C: it then recites with the weights of the last whole step.
"""

from stopping import Stoppable, show

import minigrad as torch
from minigrad import nn

TEXT = """\
Every number that a program computes has a history. Two values meet, a third is born, and a thin
line remembers who its parents were. Follow the lines down, and you arrive at the answer; follow
them up again, from the answer to the beginning, and each parent learns how much it mattered.
"""
CONTEXT = 32


class Block(nn.Module):
    """Attention, then two layers for each character alone; each adds to what came in."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def attend(self, x):
        batch, length, width = x.shape
        shape = batch, length, 3, self.heads, width // self.heads
        q, k, v = self.qkv(x).view(shape).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        future = torch.ones(length, length, dtype=torch.bool).triu(1)
        weights = torch.softmax(scores.masked_fill(future, float("-inf")), dim=-1)
        return self.out((weights @ v).transpose(1, 2).reshape(batch, length, width))

    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.down(nn.functional.gelu(self.up(self.norm2(x))))


class Transformer(nn.Module):
    def __init__(self, characters, width=48, heads=4, blocks=2):
        super().__init__()
        self.character = nn.Embedding(characters, width)
        self.place = nn.Embedding(CONTEXT, width)
        self.blocks = nn.Sequential(*[Block(width, heads) for _ in range(blocks)])
        self.norm, self.scores = nn.LayerNorm(width), nn.Linear(width, characters)

    def forward(self, text):
        x = self.character(text) + self.place(torch.arange(text.shape[-1]))
        return self.scores(self.norm(self.blocks(x)))


def recite(net, beginning, length):
    """Continue a text, always with the likeliest character."""
    text = beginning
    with torch.no_grad():
        for _ in range(length):
            scores = net(text[-CONTEXT:].unsqueeze(0))[0, -1]
            text = torch.cat([text, scores.argmax(dim=-1, keepdim=True)])
    return text


def train(net, text, steps, batch=16):
    optimizer = torch.optim.AdamW(net.parameters(), lr=4e-3)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.05, total_iters=steps)
    with Stoppable("step", steps, net.parameters()) as training:
        for step in training:
            starts = torch.randint(len(text) - CONTEXT, (batch, 1))
            parts = text[starts + torch.arange(CONTEXT + 1)]
            scores = net(parts[:, :-1])  # of what follows each character
            loss = nn.functional.cross_entropy(scores.flatten(0, 1), parts[:, 1:].flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            if step == 1 or step % 50 == 0:
                print(f"step {step} of {steps}: loss {loss.item():.4f}", flush=True)


def main(steps=500):
    torch.manual_seed(0)
    alphabet = sorted(set(TEXT))
    text = torch.tensor([alphabet.index(character) for character in TEXT])
    net = Transformer(len(alphabet))
    train(net, text, steps)

    recited = recite(net, text[:CONTEXT], len(text) - CONTEXT)
    return {
        "characters recited rightly": (recited == text)[CONTEXT:].float().mean().item(),
        "recited": "".join(alphabet[number] for number in recited.tolist()),
    }


if __name__ == "__main__":
    show(main)
