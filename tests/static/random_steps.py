"""Random steps, run as they are and compiled: they must leave the same behind, to the bit.

    python tests/static/random_steps.py --count 2000 --seed 1    # print those that differ

A step works on two arguments and on tensors that are there before it: parameters, a buffer, a
frozen view. It computes, branches on values, writes in place and through views, draws random
numbers, differentiates and lets an optimiser step. It is called several times, with numbers, and
now and then shapes, that change; after each call everything that can be seen is compared.
"""

from __future__ import annotations

import argparse
import random
import re
import warnings
from collections import Counter

import numpy as np

import minigrad as torch

SETUP = """
w = torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]], requires_grad=True)
u = torch.tensor([1.0, -2.0, 0.5], requires_grad=True)
s = torch.tensor(0.7, requires_grad=True)
buffer = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
row = buffer[0]
counts = torch.tensor([0, 2, 1])
rate = 0.5
norm = nn.BatchNorm1d(3)
drop = nn.Dropout(0.5)
optimizer = torch.optim.{optimizer}([w, u, s], lr=0.01)
"""

EXPRESSIONS = """
{a} + {b}
{a} - {b}
{a} * {b}
{a} / ({b}.abs() + 1)
{a} * {n}
{n} - {a}
{a} ** 2
{a} ** 3
-{a}
{a} * rate
torch.exp({a}.clamp(max=2))
torch.log({a}.abs() + 1)
torch.sqrt({a}.abs() + 1)
torch.sin({a})
torch.tanh({a})
torch.sigmoid({a})
torch.relu({a})
F.gelu({a})
F.softplus({a})
F.dropout({a}, 0.5)
F.dropout({a}, 0.25, training=False)
drop({a})
norm({m})
F.softmax({m}, 1)
F.log_softmax({m}, -1)
F.layer_norm({m}, (3,))
F.cross_entropy({m}, counts[:len({m})])
F.mse_loss({a}, {a}.detach() * 0.5)
torch.maximum({a}, {b})
torch.where({a} > {b}, {a}, {b})
torch.where({a} > 0, {a}, {n})
torch.lerp({a}, {b}, 0.25)
torch.clamp({a}, -1.0, 1.0)
{a}.sum()
{a}.mean()
{m}.sum(0)
{m}.mean(1, keepdim=True)
{m}.max(1).values
{m}.amax(0)
{m}.var(0, correction=0)
{m}.cumsum(1)
{m}.sort(1).values
{m}.logsumexp(1)
{m}.argmax(1).float()
{a}.norm()
{m}.T
{m}.T.contiguous()
{m}.reshape(-1)
{m}.flatten()[:3]
{m}.unsqueeze(0).squeeze(0)
{m}.expand(2, *{m}.shape).sum(0)
{m} @ {m}.T
{m} @ u
{m}[0]
{m}[:, 1]
{m}[1:]
{m}[:, ::2]
{m}[[0, 0]]
{m}[:, counts]
{m}[{m} > 0].sum()
{m}.masked_fill({m} > 0, {n})
{m}.gather(1, counts.expand(len({m}), 3))
{m}.index_select(1, counts)
torch.cat([{m}, {m} * 2])
torch.stack([{a}, {a} * 2]).sum(0)
torch.einsum('ij,ij->i', {m}, {m})
{m}.unbind(0)[-1]
{m}.chunk(2, 0)[0]
{m}.detach()
{a}.clone()
{a}.double().float()
torch.zeros_like({a}) + {a}
torch.rand(3) + {a}
torch.randn_like({a}) * {a}
torch.arange(3.0) * {a}
torch.tensor([1.0, 2.0, 3.0]) + {a}
torch.bernoulli(torch.sigmoid({a})) * {a}
w.grad * 2
torch.utils.checkpoint.checkpoint(torch.tanh, {a}, use_reentrant=False)
""".strip().splitlines()

STATEMENTS = """
{v} += {n}
{v} *= {b}
{v}.mul_({n})
{v}.add_({b})
{v}.clamp_(-1, 1)
{v}.zero_()
{v}.copy_({b})
{v}[0] = {n}
{v}[:1] *= {n}
{v}[..., 0] = {n}
{v}.detach().mul_({n})
{v}.tanh_()
{v}.masked_fill_({v} > 0, {n})
buffer.mul_(0.5)
buffer += 1
buffer[0] = u.detach()
buffer[:, 1] += {n}
row.mul_(2)
row += 1
counts.add_(1).remainder_(3)
with torch.no_grad(): w -= 0.01 * u
with torch.no_grad(): u.mul_(0.9)
w.data.mul_(0.99)
w.grad = None
u.grad = None
s.grad = None
optimizer.zero_grad()
optimizer.zero_grad(set_to_none=False)
(w * {a}.sum()).sum().backward()
(u * u * s).sum().backward()
torch.nn.utils.clip_grad_norm_([w, u], 1.0)
torch.manual_seed(5)
""".strip().splitlines()

TESTS = """
{a}.sum() > 0
{a}.mean() < {n}
({a} > 1).any()
torch.isfinite({a}).all()
torch.rand(()) > 0.5
int({m}.argmax()) % 2
w.grad is None
drop.training
len({m}) > 2
bool(counts[0] == 0)
""".strip().splitlines()

NUMBERS = (2, -1, 0.5, 1.5, 3, 0)


class Writer:
    """Writes one random step; which lines are possible is found out by running them."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.names = ["x", "y", "w", "u", "s", "buffer", "row"]
        self.made: list[str] = []

    def filled(self, template: str) -> str:
        rng = self.rng
        names = [*self.names, *self.made, *self.made[-3:]]
        flat = [name for name in names if name not in ("y", "u", "s", "row")]

        def blank(match: re.Match[str]) -> str:
            kind = match[1]
            if kind == "n":
                return str(rng.choice(NUMBERS))
            if kind == "v":
                return rng.choice(self.made or ["x"])
            return rng.choice(flat if kind == "m" else names)

        return re.sub(r"\{(\w)\}", blank, template)

    def line(self, depth: int = 0) -> list[str]:
        chance = self.rng.random()
        if chance < 0.62 or depth > 1:
            text = self.filled(self.rng.choice(EXPRESSIONS))
            name = f"v{len(self.made)}" if depth == 0 else self.rng.choice(self.made or ["v0"])
            if depth == 0:
                self.made.append(name)
            return [f"{name} = {text}"]
        if chance < 0.85:
            return [self.filled(self.rng.choice(STATEMENTS))]
        test = self.filled(self.rng.choice(TESTS))
        inner = [f"    {line}" for line in self.line(depth + 1)]
        other = [f"    {line}" for line in self.line(depth + 1)]
        return [f"if {test}:", *inner, "else:", *other]


def step_of(seed: int) -> str:
    """The text of a step whose first call raises nothing."""
    writer = Writer(seed)
    rng = writer.rng
    optimizer = rng.choice(["SGD", "Adam", "RMSprop"])
    lines: list[str] = []
    wanted = rng.randint(3, 10)
    ending = []
    for _ in range(4 * wanted):
        if len(lines) >= wanted:
            break
        made = list(writer.made)
        more = writer.line()
        if works(text_of(optimizer, [*lines, *more])):
            lines += more
        else:
            writer.made = made
    for line in (
        "loss = sum(({0} * {0}).mean() for {0} in [{1}] if {0}.requires_grad) + (w * w).sum()",
        "loss.backward()",
        "optimizer.step()",
        "(w * x[:2]).sum().backward()",
        "(s * u).sum().backward(); optimizer.step()",
    ):
        names = ", ".join(writer.made or ["w"])
        more = line.format("v", names)
        if rng.random() < (0.85 if len(ending) < 3 else 0.2) and works(
            text_of(optimizer, [*lines, *ending, more])
        ):
            ending.append(more)
    results = [f"{name}.detach().clone()" for name in writer.made if rng.random() < 0.4]
    results += ["loss"] if "loss.backward()" in ending and rng.random() < 0.5 else []
    results += [name for name in writer.made if rng.random() < 0.1]
    return text_of(optimizer, [*lines, *ending, f"return [{', '.join(results)}]"])


def text_of(optimizer: str, lines: list[str]) -> str:
    setup = SETUP.replace("{optimizer}", optimizer)
    body = "".join(f"    {line}\n" for line in lines)
    return f"{setup}\ndef step(x, y):\n{body or '    pass'}\n"


def world(text: str) -> dict:
    scope = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional, "__name__": "a_step"}
    exec(compile(text, "<a step>", "exec"), scope)
    return scope


def works(text: str) -> bool:
    torch.manual_seed(0)
    scope = world(text)
    try:
        scope["step"](*arguments(0, 0))
    except Exception:
        return False
    return True


def arguments(seed: int, call: int) -> tuple:
    rng = np.random.default_rng(1000 * seed + call)
    rows = 3 if seed % 3 == 0 and call in (3, 6) else 2
    x = rng.standard_normal((rows, 3)).astype(np.float32)
    y = rng.standard_normal(3).astype(np.float32)
    return torch.tensor(x), torch.tensor(y)


def numbers(tensor) -> tuple | None:
    if tensor is None:
        return None
    array = np.asarray(tensor._array)
    return array.shape, array.dtype.name, array.tobytes(), tensor.requires_grad


def all_there_is(scope: dict, result) -> dict:
    """What can be seen after a call."""
    found = {f"result {i}": numbers(t) for i, t in enumerate(result or ())}
    for name in ("w", "u", "s", "buffer", "row", "counts"):
        found[name] = numbers(scope[name])
        found[f"{name}.grad"] = numbers(scope[name].grad)
    for name, tensor in scope["norm"].state_dict().items():
        found[f"norm.{name}"] = numbers(tensor)
    found["random"] = numbers(torch.get_rng_state())
    return found


def called(scope: dict, step, seed: int, call: int) -> dict:
    try:
        result = step(*arguments(seed, call))
    except Exception as error:
        return {"error": f"{type(error).__name__}: {str(error)[:60]}"}
    return all_there_is(scope, result)


def difference(seed: int, text: str, calls: int = 8) -> tuple[str, Counter]:
    """How compiled and ordinary calls differ, if they do; and how the compiled ones were served."""
    plain, other = world(text), world(text)
    compiled = torch.compile(other["step"])
    random_states = [torch.Generator().manual_seed(seed).get_state()] * 2
    for call in range(calls):
        found = []
        for number, (scope, step) in enumerate(((plain, plain["step"]), (other, compiled))):
            scope["drop"].training = not (seed % 4 == 0 and call == 4)
            if seed % 5 == 0 and call == 5:
                scope["rate"] = 0.25
            torch.set_rng_state(random_states[number])
            found.append(called(scope, step, seed, call))
            random_states[number] = torch.get_rng_state()
        wrong = [name for name in found[0] if found[0][name] != found[1].get(name)]
        if wrong or found[0].keys() != found[1].keys():
            return (
                f"call {call}: {wrong} {found[0].get('error')} {found[1].get('error')}",
                Counter(),
            )
        if "error" in found[0]:
            break
    served = sum(program.served for program in compiled.programs)
    kind = "served" if served else "refused" if compiled.refused else "never served"
    reasons = [text.partition("\n")[0] for text in compiled.refused.values()]
    return "", Counter([kind, *[f"  {reason}" for reason in reasons]])


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--count", type=int, default=300)
    options.add_argument("--seed", type=int, default=0)
    chosen = options.parse_args()
    warnings.simplefilter("ignore")
    served: Counter = Counter()
    for seed in range(chosen.seed, chosen.seed + chosen.count):
        text = step_of(seed)
        wrong, kinds = difference(seed, text)
        served += kinds
        if wrong:
            print(f"---- {seed}: {wrong}\n{text[text.index('def step') :]}", flush=True)
            served["WRONG"] += 1
    for kind, count in sorted(served.items(), key=lambda pair: (pair[0].startswith(" "), -pair[1])):
        print(f"{count:6} {kind}")


if __name__ == "__main__":
    main()
