"""Record what the programs of examples/ give under PyTorch.

    python tests/examples/record_programs.py              # all of them
    python tests/examples/record_programs.py spring       # one

Needs PyTorch, which nothing else here does. The programs are run as they are: `import minigrad`
means PyTorch for them, and the data sets, which are minigrad's own, are handed over as PyTorch's
tensors. Also a comparison of the times, on one thread.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
EXAMPLES = ROOT / "examples"
NAMES = (
    "digits_mlp",
    "digits_cnn",
    "names_rnn",
    "boolean_trees",
    "char_transformer",
    "gan_ring",
    "maml_sine",
    "newton",
    "spring",
)


def run(name):
    """The results of a program, and the seconds it took."""
    start = time.perf_counter()
    results = importlib.import_module(name).main()
    return results, time.perf_counter() - start


def pytorch_as_minigrad():
    """From now on, in this process, `import minigrad` means PyTorch with minigrad's data sets."""
    minigrad = importlib.import_module("minigrad")
    torch = importlib.import_module("torch")
    torch.set_num_threads(1)

    def converted(value):
        if isinstance(value, minigrad.Tensor):
            return torch.tensor(value.numpy())
        if isinstance(value, tuple):
            parts = map(converted, value)
            return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
        return value

    def handed_over(function):
        def data_set(*arguments, **options):  # drawn with the numbers that PyTorch would draw next
            minigrad.set_rng_state(minigrad.tensor(torch.get_rng_state().numpy()))
            result = converted(function(*arguments, **options))
            torch.set_rng_state(torch.tensor(minigrad.get_rng_state().numpy()))
            return result

        return data_set

    own = minigrad.datasets
    torch.datasets = SimpleNamespace(**{n: handed_over(getattr(own, n)) for n in own.__all__})
    theirs = {n: m for n, m in sys.modules.items() if n.partition(".")[0] == "torch"}
    sys.modules.update({"minigrad" + n.removeprefix("torch"): m for n, m in theirs.items()})


def in_a_process(*arguments):
    command = [sys.executable, __file__, *arguments]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return json.loads(output.splitlines()[-1])


def main(chosen):
    version = importlib.import_module("torch").__version__.partition("+")[0]
    (HERE / "recorded").mkdir(exist_ok=True)
    for name in chosen or ("beginner", *NAMES):
        file = HERE / "recorded" / f"{name}.json"
        if name == "beginner":
            subprocess.run([sys.executable, EXAMPLES / "beginner.py", file], check=True)
            results = json.loads(file.read_text(encoding="utf-8"))
        else:
            _, mine = in_a_process("--minigrad", name)
            results, seconds = in_a_process("--pytorch", name)
            print(f"{name}: {mine:.1f} s, with PyTorch {seconds:.1f} s")
        record = {"version": version, "results": results}
        file.write_text(json.dumps(record, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.path[:0] = [str(EXAMPLES), str(ROOT)]
    if sys.argv[1:2] == ["--pytorch"]:
        pytorch_as_minigrad()
    if sys.argv[1:2] in (["--pytorch"], ["--minigrad"]):
        print(json.dumps(run(sys.argv[2])))
    else:
        main(sys.argv[1:])
