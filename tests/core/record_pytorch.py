"""Record what PyTorch answers to the programs: ``python tests/core/record_pytorch.py``.

Needs PyTorch, which nothing else here does. The version that answered is part of the record.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

RECORD = Path(__file__).parent / "recorded" / "pytorch.json"


def main():
    import torch
    from programs import collected, outcome

    torch.set_warn_always(True)  # otherwise only the first program of a kind is warned

    # One program a line, so that a difference shows which.
    lines = [
        f"{json.dumps(name)}: {json.dumps(outcome(torch, program), ensure_ascii=False)}"
        for name, program in collected().items()
    ]
    version = torch.__version__.partition("+")[0]
    text = f'{{"version": "{version}",\n"programs": {{\n' + ",\n".join(lines) + "\n}}\n"
    RECORD.parent.mkdir(exist_ok=True)
    RECORD.write_text(text, encoding="utf-8")
    print(f"{len(lines)} programs recorded with PyTorch {version}")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    main()
