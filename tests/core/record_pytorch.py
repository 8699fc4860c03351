"""Record what PyTorch answers to the programs.

    python tests/core/record_pytorch.py                    # all of them
    python tests/core/record_pytorch.py values printing    # those of two tables

Needs PyTorch, which nothing else here does. The version that answered is part of the record.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

RECORDS = Path(__file__).parent / "recorded"


def main(chosen):
    import torch
    from programs import collected, outcome

    torch.set_warn_always(True)  # otherwise only the first program of a kind is warned
    version = torch.__version__.partition("+")[0]
    RECORDS.mkdir(exist_ok=True)
    for table, programs in collected().items():
        if chosen and table not in chosen:
            continue
        # One program a line, so that a difference shows which.
        lines = [
            f"{json.dumps(name)}: {json.dumps(outcome(torch, program), ensure_ascii=False)}"
            for name, program in programs.items()
        ]
        text = f'{{"version": "{version}",\n"programs": {{\n' + ",\n".join(lines) + "\n}}\n"
        (RECORDS / f"{table}.json").write_text(text, encoding="utf-8")
        print(f"{table}: {len(lines)} programs recorded with PyTorch {version}")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    main(sys.argv[1:])
