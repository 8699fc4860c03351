"""Random programs of mixed operations, run under minigrad and under PyTorch.

    python tests/core/fuzzed/random_programs.py --count 10000 --seed 1    # print differences
    python tests/core/fuzzed/random_programs.py --record                  # the tests' sample

Both need PyTorch; the tests run the recorded sample without it. A program makes a few tensors,
puts them through a few operations (some in place, some through views, some that must fail),
and differentiates what can be differentiated. Which operations are possible is found out by
running each line under PyTorch while the program is written.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import warnings
from pathlib import Path

RECORD = Path(__file__).parent / "recorded" / "random_programs.json"
RECORDED = 300  # programs that the tests run

OPERATIONS = """
{a} + {b}
{a} - {b}
{a} * {b}
{a} / {b}
{a} + {n}
{n} - {a}
{a} * {n}
{n} / {a}
{a} ** 2
{a} ** {b}
{a} // {n}
{a} % {b}
-{a}
{a} > {b}
{a} == {b}
({a} > 0) & ({b} > 0)
{a}.abs()
torch.exp({a}.clamp(max=3))
torch.log({a}.abs() + 1)
torch.sqrt({a}.abs())
torch.sin({a})
torch.tanh({a})
torch.sigmoid({a})
torch.relu({a})
torch.erf({a})
torch.floor({a})
torch.round({a})
torch.sign({a})
torch.atan2({a}, {b})
torch.clamp({a}, {n}, {m})
torch.maximum({a}, {b})
torch.minimum({a}, {b})
torch.where({a} > {b}, {a}, {b})
torch.where({a} > 0, {a}, {n})
torch.lerp({a}, {b}, 0.25)
torch.addcmul({a}, {b}, {a}, value=0.5)
{a}.sum()
{a}.sum({d})
{a}.sum({d}, keepdim=True)
{a}.mean()
{a}.mean({d})
{a}.prod()
{a}.prod({d})
{a}.max()
{a}.max({d}).values
{a}.min({d}).indices
{a}.amax({d})
{a}.amin({d}, keepdim=True)
{a}.argmax({d})
{a}.var()
{a}.std({d})
{a}.var({d}, correction=0)
{a}.norm()
{a}.norm(1, {d})
{a}.logsumexp({d})
{a}.cumsum({d})
{a}.cumprod({d})
{a}.median()
{a}.median({d}).values
{a}.all()
{a}.any({d})
{a}.sort({d}).values
{a}.sort({d}, descending=True).indices
{a}.topk(1, {d}).values
{a}.reshape(-1)
{a}.reshape(-1, 1)
{a}.flatten()
{a}.unsqueeze({d})
{a}.squeeze()
{a}.squeeze({d})
{a}.transpose({d}, {e})
{a}.transpose(0, -1)
{a}.permute(*reversed(range({a}.dim())))
{a}.expand(2, *{a}.shape)
{a}.repeat(2, *[1] * {a}.dim())
{a}.flip({d})
{a}.roll(1, {d})
torch.cat([{a}, {b}])
torch.cat([{a}, {a}], {d})
torch.stack([{a}, {a} * 2], {d})
torch.stack([{a}, {b}])
{a}.split(2, {d})[0]
{a}.chunk(2, {d})[-1]
{a}.unbind({d})[0]
{a}.narrow({d}, 0, 1)
{a}.tril()
{a}.triu(1)
{a}.diagonal()
torch.diag({a})
torch.outer({a}.reshape(-1), {b}.reshape(-1))
{a}[0]
{a}[-1]
{a}[..., 0]
{a}[:, None]
{a}[1:]
{a}[::2]
{a}[..., ::2]
{a}[[0, 0]]
{a}[..., [0, -1]]
{a}[torch.tensor([0, 0, -1])]
{a}[{a} > 0]
{a}.masked_fill({a} > 0, {n})
{a}.masked_select({a} > 0)
{a}.gather({d}, torch.zeros_like({a}, dtype=torch.int64))
{a}.index_select({d}, torch.tensor([0, 0]))
{a}.scatter_add({d}, torch.zeros_like({a}, dtype=torch.int64), {a})
torch.take_along_dim({a}, {a}.argsort({d}), {d})
{a} @ {b}
{a} @ {a}.mT
{a}.matmul({b})
torch.einsum('...i,...i->...', {a}, {b})
torch.einsum('ij,kj->ik', {a}, {b})
torch.softmax({a}, {d})
torch.log_softmax({a}, {d})
F.softplus({a})
F.gelu({a})
F.leaky_relu({a}, 0.1)
F.elu({a})
F.silu({a})
F.hardtanh({a})
F.mse_loss({a}, {b})
F.l1_loss({a}, {b}, reduction='sum')
F.smooth_l1_loss({a}, {b})
F.pad({a}, (1, 0))
F.normalize({a}, dim={d})
F.layer_norm({a}, {a}.shape[-1:])
F.avg_pool1d({a}, 2)
F.max_pool1d({a}, 2)
F.linear({a}, {b})
{a}.to(torch.float64)
{a}.float()
{a}.long()
{a}.bool()
{a}.detach()
{a}.clone()
{a}.contiguous()
{a}.T
{a}.clone().add_({b})
{a}.clone().mul_({n})
{a}.clone().clamp_(-1, 1)
{a}.clone().fill_({n})
written({a}, 0, {b})
written({a}, {a} > 0, {n})
written({a}, (Ellipsis, 0), {n})
through_view({a}, {n})
"""
TEMPLATES = [line for line in OPERATIONS.strip().splitlines() if line]

DTYPES = ["float32"] * 5 + ["float64"] * 6 + ["int64"] * 3 + ["int32", "uint8", "bool"]


# ------------------------------------------------------------------ writing a program


def written_by(seed: int, torch) -> str:
    """The text of a random program, all of whose lines but perhaps the last run in PyTorch."""
    rng = random.Random(seed)
    lines, scope = [], scope_of(torch)
    names: list[str] = []
    for name in "xyz"[: rng.randint(1, 3)]:
        lines.append(f"{name} = {made(rng)}")
        exec(lines[-1], scope)
        names.append(name)
    wanted = rng.randint(2, 6)
    for _ in range(30):
        name = f"v{len(names)}"
        line = f"{name} = {filled(rng, names, scope)}"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                exec(line, scope)
            except Exception:
                if rng.random() < 0.02:  # errors are part of the promise, but not all of it
                    return "\n".join([*lines, line])
                continue
        if not usable(scope[name]):
            continue
        lines.append(line)
        names.append(name)
        if len(names) >= wanted + 3:
            break
    return "\n".join(lines)


def usable(value) -> bool:
    """Small enough, and not so large or so small in value that rounding is all one compares."""
    if value.numel() > 200:
        return False
    numbers = value.detach().double().reshape(-1)
    finite = numbers[numbers.isfinite()]
    return not finite.numel() or float(finite.abs().max()) < 1e6


def made(rng: random.Random) -> str:
    """A tensor of random shape, dtype and values, often the same shape again."""
    shape = rng.choice([(), (3,), (2, 3), (2, 3), (3, 3), (1, 3), (2, 1), (2, 2, 3), (0, 3), (4,)])
    dtype = rng.choice(DTYPES)
    count = math.prod(shape)
    if dtype.startswith("float"):
        values = [round(rng.uniform(-2, 2), 3) for _ in range(count)]
    elif dtype == "bool":
        values = [rng.random() < 0.5 for _ in range(count)]
    else:
        values = [rng.randint(0 if dtype == "uint8" else -3, 5) for _ in range(count)]
    grad = ", requires_grad=True" if dtype.startswith("float") and rng.random() < 0.8 else ""
    return f"torch.tensor({values}, dtype=torch.{dtype}).reshape({shape})" + (
        ".requires_grad_()" if grad else ""
    )


def filled(rng: random.Random, names: list[str], scope) -> str:
    """A line with names and numbers put in; late names are likelier."""
    a = rng.choice([*names, *names[-2:]])
    b = rng.choice(names)
    dims = scope[a].dim()
    return rng.choice(TEMPLATES).format(
        a=a,
        b=b,
        d=rng.randint(-dims, dims - 1) if dims else 0,
        e=rng.randint(-dims, dims - 1) if dims else -1,
        n=rng.choice([2, -1, 0.5, 1.5, 3, 0]),
        m=rng.choice([1.5, 2, 4]),
    )


# ------------------------------------------------------------------ running it


def scope_of(torch) -> dict:
    """What a program may use besides its own names."""

    def written(x, index, value):
        x = x.clone()
        x[index] = value
        return x

    def through_view(x, value):
        x = x * 1
        x.reshape(-1)[:1].mul_(value)
        return x

    return {
        "torch": torch,
        "F": torch.nn.functional,
        "written": written,
        "through_view": through_view,
    }


def results(torch, program: str) -> dict:
    """Every tensor that the program made, and the gradients; or the kind of error."""
    scope = scope_of(torch)
    before = set(scope)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(program, scope)
            tensors = {
                name: value
                for name, value in scope.items()
                if name not in before and isinstance(value, torch.Tensor)
            }
            total = differentiated(torch, tensors)
    except Exception as error:
        return {"error": type(error).__name__, "message": str(error).split("\n")[0][:100]}
    found = {name: plain(value) for name, value in tensors.items()}
    if total is not None:
        found |= {f"{n}.grad": plain(v.grad) for n, v in tensors.items() if v.is_leaf}
    return found


def differentiated(torch, tensors):
    """Backward from a weighted sum of all results that have a history."""
    total = None
    for position, value in enumerate(tensors.values()):
        if value.requires_grad and not value.is_leaf:
            weights = torch.arange(value.numel(), dtype=value.dtype).reshape(value.shape) * 0.1
            part = (value * (weights + 0.3 * position + 0.5)).sum().double()
            total = part if total is None else total + part
    if total is not None:
        total.backward()
    return total


def plain(value):
    if value is None:
        return None
    numbers = value.detach().reshape(-1).tolist()
    return {
        "dtype": str(value.dtype),
        "shape": list(value.shape),
        "requires_grad": value.requires_grad,
        "values": [v if not isinstance(v, float) or math.isfinite(v) else str(v) for v in numbers],
    }


# ------------------------------------------------------------------ comparing


def difference(here, there) -> str:
    """Where two results differ, as one line; "" if they do not."""
    if "error" in here or "error" in there:
        return "" if here.get("error") == there.get("error") else f"{said(here)}, not {said(there)}"
    if here.keys() != there.keys():
        return f"{sorted(here)} here, {sorted(there)} in PyTorch"
    parts = [part for part in there.values() if isinstance(part, dict)]
    numbers = [abs(v) for part in parts for v in part["values"] if isinstance(v, float)]
    rounded = any(part["dtype"] == "torch.float32" for part in parts)
    tolerance = (1e-4 if rounded else 1e-8) * (1 + max(numbers, default=0.0))
    for name in here:
        a, b = here[name], there[name]
        if not (isinstance(a, dict) and isinstance(b, dict)):
            if a != b:
                return f"{name}: {short(a)} here, {short(b)} in PyTorch"
            continue
        for part in ("dtype", "shape", "requires_grad"):
            if a[part] != b[part]:
                return f"{name}.{part}: {a[part]} here, {b[part]} in PyTorch"
        for x, y in zip(a["values"], b["values"], strict=True):
            if isinstance(x, float) and isinstance(y, float):
                if abs(x - y) > tolerance:
                    return f"{name}: {x} here, {y} in PyTorch"
            elif x != y:
                return f"{name}: {x} here, {y} in PyTorch"
    return ""


def said(result) -> str:
    return f"{result['error']}: {result['message']}" if "error" in result else "a result"


def short(value) -> str:
    return str(value if not isinstance(value, dict) else value["values"])[:80]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0, help="the first program's")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--show", type=int, default=10, help="how many differing programs to print")
    options = parser.parse_args()

    import torch

    import minigrad

    if options.record:
        programs = dict.fromkeys(written_by(seed, torch) for seed in range(RECORDED))
        rows = [f"{json.dumps(p)}: {json.dumps(results(torch, p))}" for p in programs]
        RECORD.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
        print(f"{len(rows)} programs recorded with PyTorch {torch.__version__}")
        return

    differing = failing = 0
    for seed in range(options.seed, options.seed + options.count):
        program = written_by(seed, torch)
        there = results(torch, program)
        failing += "error" in there
        found = difference(results(minigrad, program), there)
        if found:
            differing += 1
            if differing <= options.show:
                print(f"--- program {seed}: {found}\n{program}")
    print(
        f"{options.count} programs from seed {options.seed}: {differing} differ, "
        f"{failing} raise in PyTorch"
    )


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
    main()
