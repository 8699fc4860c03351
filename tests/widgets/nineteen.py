"""Eighteen programs that no lesson prepared, and what a reader must see of each; PyTorch's make 19.

Each is the text of one or several cells, as one writes it, with small sizes. What must be seen is
what the first picture of a GraphView shows, before anything is clicked.
"""

from __future__ import annotations

from typing import NamedTuple


class Program(NamedTuple):
    """The text of a program's cells, and what a reader of its first picture sees."""

    cells: tuple[str, ...]
    status: str  # the line above the picture
    operations: int  # when all boxes are open
    names: str  # parameters and other leaves, in the order in which they were first used
    order: str = ""  # results and boxes, from left to right; of equations, the names
    boxes: tuple[str, ...] = ()
    marks: str = ""  # each mark with the names of what carries it: "cut: a b; failed: c"


HEAD = """\
import minigrad as torch
from minigrad import nn

F = nn.functional
torch.manual_seed(0)
"""

MLP = """
model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(6, 4), torch.tensor([0, 1, 2, 0, 1, 2])
for step in range(5):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
"""

RNN = """
class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.RNNCell(3, 5)
        self.head = nn.Linear(5, 1)

    def forward(self, x):
        h = torch.zeros(x.shape[1], 5)
        for step in x:
            h = self.cell(step, h)
        return self.head(h)

model = Counter()
x, y = torch.randn(12, 4, 3), torch.randn(4, 1)
loss = F.mse_loss(model(x), y)
loss.backward()
"""

TREES = """
from boolean_trees import Evaluator
from minigrad import datasets
net = Evaluator()
trees, y = datasets.boolean_trees(3, depth=3)
loss = nn.BCEWithLogitsLoss()(net(trees), y.float())
loss.backward()
"""

MODULES = """
class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.body = nn.Sequential(
            nn.Linear(width, 2 * width), nn.ReLU(), nn.Linear(2 * width, width)
        )

    def forward(self, x):
        return x + self.body(self.norm(x))

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(6, 4)
        self.stages = nn.Sequential(*[nn.Sequential(Residual(4), Residual(4)) for _ in range(4)])
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.stages(self.stem(x)))

net = Net()
scores = net(torch.randn(5, 6))
loss = F.cross_entropy(scores, torch.tensor([0, 1, 0, 1, 1]))
"""

LENET = """
from minigrad import datasets
class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 3, padding=1)
        self.conv2 = nn.Conv2d(6, 16, 3)
        self.fc1 = nn.Linear(16, 12)
        self.fc2 = nn.Linear(12, 10)

    def forward(self, x):
        x = F.max_pool2d(torch.tanh(self.conv1(x)), 2)
        x = F.max_pool2d(torch.tanh(self.conv2(x)), 2)
        x = torch.flatten(x, 1)
        x = torch.tanh(self.fc1(x))
        return self.fc2(x)

digits = datasets.digits()
images, labels = digits.x[:8], digits.y[:8]
net = LeNet()
scores = net(images)
loss = F.cross_entropy(scores, labels)
loss.backward()
"""

TRANSFORMER = """
from char_transformer import Transformer
net = Transformer(characters=11, width=16, heads=2, blocks=2)
text = torch.randint(11, (2, 9))
scores = net(text[:, :-1])
loss = F.cross_entropy(scores.flatten(0, 1), text[:, 1:].flatten())
loss.backward()
"""

GAN = """
from gan_ring import two_layers, real_points
forger, critic = two_layers(8, 2, hidden=16), two_layers(2, 1, hidden=16)
forging = torch.optim.Adam(forger.parameters(), lr=2e-3)
judging = torch.optim.Adam(critic.parameters(), lr=2e-3)
loss_of = nn.BCEWithLogitsLoss()
real, forged = torch.ones(4, 1), torch.zeros(4, 1)

points = forger(torch.randn(4, 8))
judging.zero_grad()
loss = loss_of(critic(real_points(4)), real)
loss = loss + loss_of(critic(points.detach()), forged)
loss.backward()
judging.step()

forging.zero_grad()
fooled = loss_of(critic(points), real)
fooled.backward()
forging.step()
"""

IN_PLACE = """
w = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
table = torch.zeros(2, 4)
table[0] = w * 2
row = table[1]
row += w
row.mul_(3)
square = table.view(2, 2, 2)
square[:, 0, 0] = 7.0
total = table.sum()
total.backward()
"""

TWO_LOSSES = """
trunk = nn.Linear(4, 6)
size, kind = nn.Linear(6, 1), nn.Linear(6, 3)
trunk.bias.requires_grad_(False)
x = torch.randn(5, 4)
hidden = torch.relu(trunk(x))
size_loss = F.mse_loss(size(hidden), torch.randn(5, 1))
kind_loss = F.cross_entropy(kind(hidden), torch.tensor([0, 1, 2, 1, 0]))
size_loss.backward(retain_graph=True)
kind_loss.backward()
"""

LONG = """
w = torch.tensor(0.5, requires_grad=True)
x = torch.tensor(1.0)
for step in range(2499):
    x = x + 0.001 * torch.sin(w * x)
loss = x * x
"""

FIFTY = """
w = torch.tensor([1.0, 2.0], requires_grad=True)
y = (w * w).sum()
"""

CUTS = """
w = torch.tensor([0.5, -1.0], requires_grad=True)
x = torch.tensor([2.0, 3.0])
score = (w * x).sum()
target = score.detach() + 1
with torch.no_grad():
    smooth = 0.9 * score
scale = score.item()
loss = (score - target) ** 2 * scale + smooth
loss.backward()
"""

FUNCTIONS = """
from minigrad.utils.checkpoint import checkpoint

class Clamp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * (x > 0)

block = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 4))
head = nn.Linear(4, 1)
x = torch.randn(2, 3)
hidden = checkpoint(block, x, use_reentrant=False)
kept = Clamp.apply(hidden)
loss = head(kept).mean()
loss.backward()
"""

FAILED = (
    """
W1 = torch.randn(4, 8, requires_grad=True)
W2 = torch.randn(6, 3, requires_grad=True)
x = torch.randn(5, 4)
hidden = torch.tanh(x @ W1)
""",
    """
scores = hidden @ W2
""",
)

NAN = """
model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
x = torch.randn(6, 3)
distance = model(x).squeeze(1) - 0.3
safe = distance.abs() + 1
ratio = torch.sqrt(distance) / safe
loss = ratio.mean()
loss.backward()
"""

SHARED = """
class Tied(nn.Module):
    def __init__(self, words, width):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.mix = nn.Linear(width, width)
        self.out = nn.Linear(width, words, bias=False)
        self.out.weight = self.embed.weight

    def forward(self, words):
        return self.out(torch.tanh(self.mix(self.embed(words))))

net = Tied(7, 5)
words = torch.tensor([3, 1, 4, 1])
loss = F.cross_entropy(net(words), torch.tensor([1, 4, 1, 5]))
loss.backward()
"""

BATCH_NORM = """
model = nn.Sequential(
    nn.Conv2d(3, 4, 3, padding=1, bias=False), nn.BatchNorm2d(4), nn.ReLU(),
    nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(0.25), nn.Linear(4, 2),
)
images, labels = torch.randn(4, 3, 6, 6), torch.tensor([0, 1, 1, 0])
model.train()
training_loss = F.cross_entropy(model(images), labels)
model.eval()
test_loss = F.cross_entropy(model(images), labels)
training_loss.backward()
"""

LENGTHS = """
class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.letters = nn.Embedding(26, 4)
        self.cell = nn.GRUCell(4, 5)
        self.score = nn.Linear(5, 1)

    def forward(self, word):
        h = torch.zeros(5)
        for letter in word:
            h = self.cell(self.letters(torch.tensor(ord(letter) - 97)), h)
        return self.score(h)

net = Reader()
loss = torch.tensor(0.0)
for word in ["ada", "grace", "alan", "al"]:
    loss = loss + net(word).square().sum()
loss.backward()
"""

PUBLISHED = ("resnet", "transformer", "vae")
"""Programs of ``torch_programs.py``, as they are published for PyTorch."""

PROGRAMS = {
    "mlp": Program(
        (MLP,),
        "20 operations in all, 4 alive.",
        20,
        "x 0.weight 0.bias 2.weight 2.bias",
        "loss",
    ),
    "rnn": Program(
        (RNN,),
        "50 operations in all, 50 alive.",
        50,
        "cell.weight_ih cell.bias_ih cell.weight_hh cell.bias_hh head.weight head.bias y",
        "line 16|loss",
        ("line 16, 12 passes, 48 operations and 13 data",),
    ),
    "trees": Program(
        (TREES,),
        "88 operations in all, 88 alive.",
        88,
        "constant.weight rules.Or.0.weight rules.Or.0.bias rules.Not.0.weight rules.Not.0.bias "
        "decision.weight decision.bias unnamed",
        "pass 1 of 3|loss",
        (
            "pass 1 of 3, Evaluator.vector, 30 operations",
            "pass 2 of 3, Evaluator.vector, 26 operations",
            "pass 3 of 3, Evaluator.vector, 28 operations and 2 data",
        ),
    ),
    "modules": Program(
        (MODULES,),
        "43 operations in all, 43 alive.",
        43,
        "x stem.weight stem.bias head.weight head.bias",
        "stages.0.0|stages.0.1|stages.1.0|stages.1.1|stages.3.1|scores|loss",
        tuple(
            f"stages.{stage}.{block}, Residual, 5 operations and 6 data"
            for stage in range(4)
            for block in range(2)
        ),
    ),
    "lenet": Program(
        (LENET,),
        "11 operations in all, 11 alive.",
        11,
        "images conv1.weight conv1.bias conv2.weight conv2.bias fc1.weight fc1.bias fc2.weight "
        "fc2.bias",
        "x|scores|loss",
    ),
    "transformer": Program(
        (TRANSFORMER,),
        "69 operations in all, 69 alive.",
        69,
        "character.weight place.weight norm.weight norm.bias scores.weight scores.bias",
        "x|blocks.0|blocks.1|scores|loss",
        (
            "blocks.0, Block, 30 operations and 13 data",
            "blocks.1, Block, 30 operations and 13 data",
        ),
    ),
    "gan": Program(
        (GAN,),
        "24 operations in all, 24 alive.",
        24,
        "unnamed forger.0.weight forger.0.bias forger.2.weight forger.2.bias forger.4.weight "
        "forger.4.bias unnamed critic.0.weight critic.0.bias critic.2.weight critic.2.bias "
        "critic.4.weight critic.4.bias real points.detach() forged",
        "points|loss",
        marks="cut: points points.detach()",
    ),
    "in place": Program(
        (IN_PLACE,),
        "14 operations in all, 14 alive.",
        14,
        "w",
        "table|row|table|row|table|square|table|total",
        marks="shared: table row table row table square square[: table",
    ),
    "two losses": Program(
        (TWO_LOSSES,),
        "6 operations in all, 6 alive.",
        6,
        "x trunk.weight trunk.bias size.weight size.bias unnamed kind.weight kind.bias",
        "hidden|size_loss",
    ),
    "long": Program(
        (LONG,),
        "9997 operations in all, 9997 alive.",
        998,
        "w",
        "line 10|loss",
        ("line 10, 2499 passes, 9996 operations and 1 data",),
    ),
    "fifty": Program((FIFTY,), "2 operations in all, 2 alive.", 2, "w", "y"),
    "cuts": Program(
        (CUTS,),
        "6 operations in all, 6 alive.",
        6,
        "w x target smooth",
        "score|loss",
        marks="cut: score target smooth",
    ),
    "functions": Program(
        (FUNCTIONS,),
        "9 operations in all, 6 alive.",
        9,
        "x 0.weight 0.bias 2.weight 2.bias head.weight head.bias unnamed",
        "hidden|kept|loss",
    ),
    "failed": Program(
        FAILED,
        "2 operations in all, 2 alive. hidden @ W2 failed.",
        2,
        "x W1 W2",
        "hidden|hidden @ W2",
        marks="failed: hidden @ W2",
    ),
    "nan": Program(
        (NAN,),
        "10 operations in all, 10 alive.",
        10,
        "x 0.weight 0.bias 2.weight 2.bias",
        "distance|ratio|loss",
        marks="first NaN: sqrt(distance)",
    ),
    "shared": Program(
        (SHARED,),
        "6 operations in all, 6 alive.",
        6,
        "embed.weight mix.weight mix.bias",
        "t(embed.weight)|loss",
        marks="shared: embed.weight t(embed.weight)",
    ),
    "batch norm": Program(
        (BATCH_NORM,),
        "21 operations in all, 21 alive.",
        21,
        "images 0.weight 1.weight 1.bias unnamed 6.weight 6.bias 1.running_mean 1.running_var",
        "standardize(convolution(…))|training_loss",
    ),
    "lengths": Program(
        (LENGTHS,),
        "342 operations in all, 342 alive.",
        342,
        "letters.weight cell.weight_ih cell.bias_ih cell.weight_hh cell.bias_hh score.weight "
        "score.bias",
        "pass 1 of 4|pass 2 of 4|pass 3 of 4|pass 4 of 4",
        (
            "pass 1 of 4, 74 operations and 3 data",
            "pass 2 of 4, 120 operations and 2 data",
            "pass 3 of 4, 97 operations and 2 data",
            "pass 4 of 4, 51 operations and 2 data",
        ),
    ),
}
