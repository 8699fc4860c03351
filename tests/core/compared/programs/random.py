"""Programs about random numbers: for the same seed they must be PyTorch's."""

from __future__ import annotations

EXPRESSIONS = """
# what is drawn
torch.manual_seed(0) and torch.rand(3)
torch.manual_seed(1) and torch.rand(2, 3)
torch.manual_seed(0) and torch.rand(17)
torch.manual_seed(0) and torch.rand(())
torch.manual_seed(0) and torch.rand([])
torch.manual_seed(0) and torch.rand(0)
torch.manual_seed(0) and torch.rand((2, 2))
torch.manual_seed(0) and torch.rand(size=(2, 2))
torch.manual_seed(0) and torch.rand(3, dtype=torch.float64)
torch.manual_seed(0) and torch.rand(2, requires_grad=True)
torch.manual_seed(0) and torch.rand(2, device="cpu")
torch.manual_seed(0) and torch.randn(1)
torch.manual_seed(0) and torch.randn(4)
torch.manual_seed(0) and torch.randn(15)
torch.manual_seed(0) and torch.randn(16)
torch.manual_seed(0) and torch.randn(17)
torch.manual_seed(0) and torch.randn(5, 7)
torch.manual_seed(0) and torch.randn(3, dtype=torch.float64)
torch.manual_seed(0) and torch.randn(20, dtype=torch.float64)
torch.manual_seed(0) and torch.randn(0, 3)
torch.manual_seed(0) and torch.randn(size=(2,), requires_grad=True)
torch.manual_seed(0) and torch.randint(10, (5,))
torch.manual_seed(0) and torch.randint(0, 10, (5,))
torch.manual_seed(0) and torch.randint(-3, 4, size=(2, 3))
torch.manual_seed(0) and torch.randint(low=2, high=5, size=(4,))
torch.manual_seed(0) and torch.randint(high=5, size=(4,))
torch.manual_seed(0) and torch.randint(2**28 - 1, (3,))
torch.manual_seed(0) and torch.randint(2**28, (3,))
torch.manual_seed(0) and torch.randint(2**40, (3,))
torch.manual_seed(0) and torch.randint(-(2**63), 2**63 - 1, (3,))
torch.manual_seed(0) and torch.randint(5, (3,), dtype=torch.float32)
torch.manual_seed(0) and torch.randint(5, (3,), dtype=torch.int32)
torch.manual_seed(0) and torch.randint(2, (3,), dtype=torch.bool)
torch.manual_seed(0) and torch.randint(5, ())
torch.manual_seed(0) and torch.randint(t(5), (3,))
torch.manual_seed(0) and torch.randperm(0)
torch.manual_seed(0) and torch.randperm(1)
torch.manual_seed(0) and torch.randperm(10)
torch.manual_seed(0) and torch.randperm(100)
torch.manual_seed(0) and torch.randperm(4, dtype=torch.int32)
torch.manual_seed(0) and torch.randperm(4, dtype=torch.float32)
torch.manual_seed(0) and torch.rand_like(torch.zeros(2, 3))
torch.manual_seed(0) and torch.rand_like(torch.zeros(3, 2).T)
torch.manual_seed(0) and torch.randn_like(torch.zeros(2, 3))
torch.manual_seed(0) and torch.randn_like(torch.zeros(5, 4).T)
torch.manual_seed(0) and torch.rand_like(t([1, 2]), dtype=torch.float32)
torch.manual_seed(0) and torch.rand_like(t([1.0], requires_grad=True)).requires_grad
torch.manual_seed(0) and torch.randn_like(t([1.0, 2.0]), requires_grad=True)
torch.manual_seed(0) and torch.randint_like(torch.zeros(3), 5)
torch.manual_seed(0) and torch.randint_like(t([1, 2, 3]), 5, 9)
torch.manual_seed(0) and torch.normal(1.0, 2.0, (3,))
torch.manual_seed(0) and torch.normal(0, 1, size=(2, 2))
torch.manual_seed(0) and torch.normal(1.0, 2.0, (20,), dtype=torch.float64)
torch.manual_seed(0) and torch.normal(t([1.0, 2.0]), t([0.0, 1.0]))
torch.manual_seed(0) and torch.normal(t([1.0, 2.0]), 3.0)
torch.manual_seed(0) and torch.normal(t([1.0, 2.0]))
torch.manual_seed(0) and torch.normal(1.0, t([1.0, 2.0]))
torch.manual_seed(0) and torch.normal(std=2.0, mean=t([0.0, 0.0]))
torch.manual_seed(0) and torch.normal(t([[1.0], [2.0]]), t([1.0, 2.0, 3.0]))
torch.manual_seed(0) and torch.normal(t(0.0), t(1.0))
torch.manual_seed(0) and torch.normal(t([1.0, 2.0], dtype=torch.float64), t([1.0, 2.0]))
torch.manual_seed(0) and torch.bernoulli(t([0.5, 0.5, 1.0, 0.0]))
torch.manual_seed(0) and torch.bernoulli(torch.full((20,), 0.3))
torch.manual_seed(0) and torch.bernoulli(torch.full((2, 3), 0.3, dtype=torch.float64))
torch.manual_seed(0) and torch.bernoulli(t([1.0, 0.0, 0.0]), 0.3)
torch.manual_seed(0) and torch.bernoulli(t([1, 0, 0]), p=0.9)
torch.manual_seed(0) and torch.full((4,), 0.5).bernoulli()
torch.manual_seed(0) and torch.multinomial(t([1.0, 2.0, 3.0]), 1)
torch.manual_seed(0) and torch.multinomial(t([1.0, 2.0, 3.0]), 3)
torch.manual_seed(0) and torch.multinomial(t([1.0, 2.0, 3.0]), 10, replacement=True)
torch.manual_seed(0) and torch.multinomial(t([[1.0, 0.0], [0.0, 1.0]]), 1)
torch.manual_seed(0) and torch.multinomial(t([[1.0, 3.0], [2.0, 1.0]]), 4, True)
torch.manual_seed(0) and torch.multinomial(t([0.0, 0.0, 3.0], dtype=torch.float64), 2, True)
torch.manual_seed(0) and torch.multinomial(t([[0.1, 0.9]], requires_grad=True), num_samples=1)
torch.manual_seed(0) and torch.ones(5).multinomial(3)
torch.manual_seed(0) and torch.multinomial(torch.zeros(0, 3), 2, True)
# in place
torch.manual_seed(0) and torch.empty(3).uniform_()
torch.manual_seed(0) and torch.empty(3).uniform_(-1, 1)
torch.manual_seed(0) and torch.empty(2, 3).uniform_(-0.1, 0.1)
torch.manual_seed(0) and torch.empty(3).uniform_(to=3)
torch.manual_seed(0) and torch.empty(3, dtype=torch.float64).uniform_(2, 2)
torch.manual_seed(0) and torch.zeros(2, 3).T.uniform_()
torch.manual_seed(0) and torch.zeros(2, 6)[:, ::2].uniform_()
torch.manual_seed(0) and torch.empty(3).normal_()
torch.manual_seed(0) and torch.empty(3, 7).normal_(mean=1, std=0.1)
torch.manual_seed(0) and torch.zeros(4, 5).T.normal_()
torch.manual_seed(0) and torch.empty(()).normal_()
torch.manual_seed(0) and torch.empty(8).bernoulli_()
torch.manual_seed(0) and torch.empty(8).bernoulli_(0.2)
torch.manual_seed(0) and torch.empty(8, dtype=torch.bool).bernoulli_(0.8)
torch.manual_seed(0) and torch.empty(2, 3).bernoulli_(t([0.0, 0.5, 1.0]))
# seeds and states
torch.manual_seed(5).initial_seed()
[torch.manual_seed(s).initial_seed() for s in (-1, 2**63, 2**64 - 1, 1.5, t(3), True)]
[torch.manual_seed(s) and torch.rand(()).item() for s in (0, 2**32, 2**32 + 1, -5)]
torch.Generator().initial_seed()
torch.Generator().manual_seed(3).initial_seed()
torch.Generator("cpu").device
torch.rand(2, generator=torch.Generator())
torch.randn(2, generator=torch.Generator().manual_seed(3))
torch.randperm(5, generator=torch.Generator().manual_seed(3))
torch.randint(9, (3,), generator=torch.Generator().manual_seed(3))
torch.rand_like(torch.zeros(2), generator=torch.Generator().manual_seed(3))
torch.zeros(2).uniform_(generator=torch.Generator().manual_seed(3))
torch.normal(t([0.0, 1.0]), 1.0, generator=torch.Generator().manual_seed(3))
torch.multinomial(t([1.0, 2.0]), 1, generator=torch.Generator().manual_seed(3))
isinstance(torch.default_generator, torch.Generator)
isinstance(torch.seed(), int)
[torch.manual_seed(2) and torch.get_rng_state().shape, torch.get_rng_state().dtype]
torch.manual_seed(258) and torch.get_rng_state()[:40]
# for autograd
torch.manual_seed(0) and torch.bernoulli(t([0.5, 0.5], requires_grad=True)).requires_grad
torch.manual_seed(0) and torch.normal(t([0.5, 0.5], requires_grad=True), 1.0).requires_grad
torch.manual_seed(0) and torch.zeros(2, requires_grad=True).uniform_()
# mistakes
torch.rand(2, dtype=torch.int64)
torch.randn(2, dtype=torch.bool)
torch.rand_like(t([1, 2]))
torch.rand(-1)
torch.rand(2.0)
torch.rand("a")
torch.rand(2, foo=1)
torch.rand(2, device="cuda")
torch.randint(0, (2,))
torch.randint(3, 3, (2,))
torch.randint(3.5, (2,))
torch.randint(5, 2)
torch.randint(5)
torch.randint(300, (2,), dtype=torch.uint8)
torch.randint(5, (2,), requires_grad=True)
torch.randperm(-1)
torch.randperm(3.0)
torch.normal(1.0, 2.0)
torch.normal(t([1.0, 2.0]), t([-1.0, 1.0]))
torch.normal(0.0, -1.0, (2,))
torch.normal(t([1, 2]), 1.0)
torch.normal(t([1.0, 2.0]), t([1.0, 2.0, 3.0]))
torch.bernoulli(t([0.5, 2.0]))
torch.bernoulli(t([nan]))
torch.bernoulli(t([1, 0]))
torch.bernoulli(t([1.0]), 1.3)
torch.bernoulli(0.5)
torch.zeros(2).bernoulli_(-1)
torch.zeros(2).bernoulli_(t([[0.1, 0.9]]))
torch.zeros(2).uniform_(3, 1)
torch.zeros(2).normal_(1, -1)
torch.zeros(2, dtype=torch.int64).uniform_()
torch.zeros(2, dtype=torch.int64).normal_()
torch.zeros(1).expand(3).uniform_()
torch.multinomial(t([1.0, 2.0]), 3)
torch.multinomial(t([1.0, 2.0]), 0)
torch.multinomial(t([1, 2]), 1)
torch.multinomial(t([0.0, 0.0]), 1)
torch.multinomial(t([-1.0, 3.0]), 1)
torch.multinomial(t([nan, 3.0]), 1)
torch.multinomial(t(1.0), 1)
torch.manual_seed(2**64)
torch.manual_seed("a")
torch.Generator().manual_seed(1.5)
torch.set_rng_state(torch.zeros(3))
torch.set_rng_state(torch.zeros(3, dtype=torch.uint8))
torch.rand(2, generator=5)
torch.empty(2).uniform_(generator=5)
torch.multinomial(t([1.0]), 1, generator=5)
"""


def one_call_after_the_other(torch):
    """The state stays in step through all kinds of calls."""
    torch.manual_seed(42)
    return [
        torch.randn(3),
        torch.rand(2),
        torch.randn(2),
        torch.randint(7, (3,)),
        torch.randn(33),
        torch.randperm(6),
        torch.randn(1),
        torch.rand(3, dtype=torch.float64),
        torch.bernoulli(torch.full((5,), 0.5)),
        torch.randn(1),
        torch.multinomial(torch.ones(4), 2),
        torch.randn(0),
        torch.randn(5, dtype=torch.float64),
        torch.zeros(0).uniform_(),
        torch.rand(700).sum() > 0,
        torch.randint(2**40, (2,)),
        torch.empty(3, 4).T.normal_(),
        torch.rand(1),
    ]


def a_state_restored(torch):
    torch.manual_seed(3)
    torch.randn(3)  # leaves the second number of a pair waiting
    state = torch.get_rng_state()
    first = [torch.randn(4), torch.rand(3)]
    torch.set_rng_state(state)
    again = [torch.randn(4), torch.rand(3)]
    other = torch.Generator()
    other.set_state(state)
    return [first, again, torch.randn(4, generator=other), other.initial_seed()]


def seeding_forgets_the_waiting_number(torch):
    torch.manual_seed(0)
    torch.randn(1)
    torch.manual_seed(0)
    return [torch.randn(1), torch.randn(1), torch.rand(1)]


def generators_are_independent(torch):
    torch.manual_seed(0)
    one, other = torch.Generator().manual_seed(1), torch.Generator().manual_seed(1)
    return [
        torch.rand(2, generator=one),
        torch.rand(2),
        torch.rand(2, generator=other),
        torch.rand(2, generator=one),
        torch.rand(2),
    ]


def what_is_drawn_aside_leaves_no_trace(torch):
    torch.manual_seed(0)
    with torch.random.fork_rng():
        aside = torch.rand(2)
    return [aside, torch.rand(2)]


def an_unforeseeable_seed(torch):
    seed = torch.seed()
    x = torch.rand(3)
    torch.manual_seed(seed)
    return [seed == torch.initial_seed(), (torch.rand(3) == x).all()]


def gradients_of_what_was_drawn(torch):
    p = torch.tensor([0.2, 0.8], requires_grad=True)
    torch.manual_seed(0)
    (torch.bernoulli(p) * 3 + torch.normal(p, 1.0) + torch.normal(p, p)).sum().backward()
    return p.grad


def gradients_behind_an_overwritten_value(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    torch.manual_seed(0)
    y.normal_()
    (y * x).sum().backward()
    return [x.grad, y.detach()]


def initialising_a_leaf(torch):
    w = torch.empty(2, 3, requires_grad=True)
    torch.manual_seed(1)
    with torch.no_grad():
        w.uniform_(-1, 1)
        first = w.detach().clone()
        w.normal_(0, 0.02)
    return [first, w, w.is_leaf]


def a_row_overwritten(torch):
    x = torch.zeros(3, 3)
    torch.manual_seed(1)
    x[1].uniform_()
    x[:, 2].normal_()
    return x


def averages(torch):
    torch.manual_seed(0)
    return [
        torch.rand(10000).mean(),
        torch.randn(10000).mean(),
        torch.randn(100, 100).std(),
        torch.randint(0, 10, (10000,)).sum(),
        torch.empty(10000).bernoulli_(0.3).mean(),
        torch.randperm(5000)[:5],
        torch.empty(1001).normal_(3, 2).mean(),
    ]


PROGRAMS = (
    one_call_after_the_other,
    a_state_restored,
    seeding_forgets_the_waiting_number,
    generators_are_independent,
    what_is_drawn_aside_leaves_no_trace,
    an_unforeseeable_seed,
    gradients_of_what_was_drawn,
    gradients_behind_an_overwritten_value,
    initialising_a_leaf,
    a_row_overwritten,
    averages,
)


OTHER_WORDS = {
    # Here it says the same whoever is asked to draw from it.
    "torch.rand(2, generator=5)",
    "torch.empty(2).uniform_(generator=5)",
    "torch.multinomial(t([1.0]), 1, generator=5)",
    # a capital letter
    "torch.randint(5, (2,), requires_grad=True)",
    # PyTorch lists its signatures
    'torch.rand("a")',
    "torch.rand(2.0)",
    "torch.rand(2, foo=1)",
    "torch.randint(5, 2)",
    "torch.randint(5)",
    "torch.randperm(3.0)",
    "torch.normal(1.0, 2.0)",
    # PyTorch asks itself whether the message could be improved
    "torch.bernoulli(t([0.5, 2.0]))",
    "torch.bernoulli(t([nan]))",
    # names the C++ type of the tensor
    "torch.zeros(2).bernoulli_(t([[0.1, 0.9]]))",
}
