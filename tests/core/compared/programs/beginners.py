"""Mistakes that beginners make: PyTorch refuses them, and so does minigrad, in the same words.

What minigrad says after the first line is in ``test_errors``.
"""

from __future__ import annotations

EXPRESSIONS = """
# a class, a function or a list in the place of a module
nn.Sequential(nn.Linear(1, 1), nn.ReLU)
nn.Sequential([nn.Linear(1, 1), nn.ReLU()])
nn.Sequential(nn.Linear(1, 1), F.relu)
nn.Sequential(1)
nn.ModuleList([nn.Linear, 1])
# sizes
nn.Linear("3", 2)
nn.Linear(2.0, 3)
nn.Linear(2, 3.0)
nn.Linear((2,), 3)
nn.Linear(None, 3)
nn.Linear(-1, 3)
nn.Linear(2)
nn.Embedding("3", 2)
nn.Conv2d(1, 2, "3")
torch.randn("3")
torch.randn(2.0)
torch.randn([2, "3"])
torch.rand(None)
torch.rand(2.5, 3)
torch.zeros(2.0)
torch.zeros("2")
torch.zeros(None)
torch.zeros(2, 3.0)
torch.zeros([2, 3.0])
torch.zeros((2, None))
torch.ones(torch.ones(2))
torch.ones([[2]])
torch.full(3, 1.0)
torch.eye("3")
torch.eye(2.0)
torch.arange()
torch.arange("3")
torch.arange(end=3)
torch.randint(0, 10, 3)
torch.randperm(2.5)
torch.normal(0, 1)
torch.normal("0", 1, (2,))
t([1.0, 2.0]).reshape(2.0)
t([1.0, 2.0]).reshape("2")
t([1.0, 2.0]).repeat("2")
t([1.0, 2.0]).new_zeros("a")
t([1.0, 2.0]).clamp("0")
# ragged data
t([[1, 2], [3]])
t([[1, 2], 3])
t([[[1, 2], [3]], [[1], [2]]])
t([1, [2]])
t([[1, 2], [3, 4, 5]])
# parameters and options of optimisers
optim.SGD(model.parameters, lr=0.1)
optim.SGD(model, lr=0.1)
optim.Adam(model)
optim.Adam(model.parameters)
optim.Adam(nn.Linear(1, 1))
optim.SGD(None, lr=0.1)
optim.SGD(0.1, lr=0.1)
optim.SGD(w, lr=0.1)
optim.SGD([], lr=0.1)
optim.SGD([1.0], lr=0.1)
optim.SGD([[w]], lr=0.1)
optim.SGD("model", lr=0.1)
optim.SGD(model.state_dict(), lr=0.1)
optim.SGD([model], lr=0.1)
optim.SGD(model.parameters(), lr="0.1")
optim.SGD(model.parameters(), lr=[0.1])
optim.SGD(model.parameters(), lr=torch.ones(2))
optim.SGD(model.parameters(), momentum="0.9")
optim.SGD(model.parameters(), lr=0.1, weight_decay=None)
optim.Adam(model.parameters(), lr="0.1")
optim.Adam(model.parameters(), lr=None)
optim.Adam(model.parameters(), eps="1")
optim.Adam(model.parameters(), lr=-1)
optim.SGD()
optim.SGD([w], lr=0.1).step(w)
nn.Parameter([1.0])
nn.Parameter(1.0)
nn.Parameter("a")
# None, where a gradient was meant
w.grad * 0.1
w - 0.1 * w.grad
w * w.grad
w - w.grad
w + None
w / None
w // None
None * w
None - w
None + w
w == None
torch.mul(w.grad, 2)
torch.exp(None)
nn.Linear(2, 3)(None)
w.grad.zero_()
# indices and labels that are not there
nn.Embedding(3, 2)(t([3]))
nn.Embedding(3, 2)(t([0, 5, -1]))
nn.Embedding(3, 2)(t([1.0]))
nn.Embedding(3, 2)([1])
torch.index_select(torch.ones(3), 0, t([3]))
nn.CrossEntropyLoss()(torch.ones(5, 3), torch.ones(5))
nn.CrossEntropyLoss()(torch.ones(5, 3), torch.ones(5, 1))
nn.CrossEntropyLoss()(torch.ones(5, 3), torch.full((5,), 3))
nn.CrossEntropyLoss()(torch.ones(5, 3), torch.zeros(4, dtype=torch.int64))
nn.CrossEntropyLoss()(torch.ones(5, 3), [0, 1, 2, 0, 1])
nn.CrossEntropyLoss()(torch.zeros(5, dtype=torch.int64), torch.ones(5, 3))
F.mse_loss(torch.ones(2), torch.ones(2), reduction="avg")
F.mse_loss(t([1, 2]), t([1, 2]))
# shapes and dtypes that do not fit a layer
model(torch.ones(5, 3))
nn.Linear(2, 3)(torch.ones(3))
nn.Linear(4, 3)(torch.ones(5, 2, 2))
nn.Linear(2, 3)(t(1.0))
nn.Linear(2, 3)(t([1, 2]))
nn.Linear(2, 3)(torch.ones(5, 2, dtype=torch.float64))
nn.Linear(2, 3)([1.0, 2.0])
nn.Linear(2, 3)(np.ones(2))
nn.Linear(2, 3)(1.0)
nn.Linear(2, 3)()
nn.Conv2d(1, 2, 3)(torch.ones(28, 28))
nn.Conv2d(1, 2, 3)(torch.ones(5, 28, 28))
nn.Conv2d(1, 2, 3)(torch.ones(5, 3, 28, 28))
nn.BatchNorm1d(3)(torch.ones(1, 3))
# models
model.load_state_dict("model.pt")
model.load_state_dict(model)
model.load_state_dict({})
model.cuda()
model.to("cuda")
model.backward()
model.parameters()[0]
len(model.parameters())
torch.sum(model)
torch.exp(model.forward)
torch.exp(nn.Linear)
torch.exp([w])
setattr(model[0], "weight", torch.ones(3, 2))
without_init(nn)
without_init_called(nn)
type("Net", (nn.Module,), {})()(w)
model + 1
# tensors
t([1.0], requires_grad="yes")
t([1.0], requires_grad=1)
w.type("float")
w.numpy()
"""

VALUES = {
    "nn": "torch.nn",
    "optim": "torch.optim",
    "model": "torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Linear(3, 1))",
    "w": "torch.tensor([1.0, 2.0], requires_grad=True)",
    "without_init": "lambda nn: type('Net', (nn.Module,), {'__init__': layer_alone})()",
    "layer_alone": "lambda self: setattr(self, 'fc', torch.nn.Linear(1, 1))",
    "without_init_called": "lambda nn: type('Net', (nn.Module,), {'__init__': nothing})()(1)",
    "nothing": "lambda self: None",
}

PROGRAMS = ()

# Programs whose error is of PyTorch's type, but in words of our own.
OTHER_WORDS = {
    # PyTorch names its own modules,
    "nn.Sequential(nn.Linear(1, 1), nn.ReLU)",
    "nn.Sequential(nn.Linear(1, 1), F.relu)",
    "nn.ModuleList([nn.Linear, 1])",
    # the method that was called, not the function,
    't([1.0, 2.0]).new_zeros("a")',
    # lists all that a function takes,
    "torch.rand(2.5, 3)",
    "torch.randint(0, 10, 3)",
    "torch.normal(0, 1)",
    'torch.normal("0", 1, (2,))',
    't([1.0, 2.0]).clamp("0")',
    # compares the other way around,
    'optim.Adam(model.parameters(), lr="0.1")',
    "optim.Adam(model.parameters(), lr=None)",
    'optim.Adam(model.parameters(), eps="1")',
    # or has other attributes inside.
    "without_init_called(nn)",
}
