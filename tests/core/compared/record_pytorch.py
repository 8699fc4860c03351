"""Record what PyTorch answers to the programs.

    python tests/core/compared/record_pytorch.py                    # tables whose programs changed
    python tests/core/compared/record_pytorch.py values printing    # those of two tables
    python tests/core/compared/record_pytorch.py all                # all of them

Needs PyTorch, which nothing else here does. The version that answered is part of the record.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

RECORDS = Path(__file__).parent / "recorded"
VERSION = "2.13"


def main(chosen):
    try:
        import torch
    except ModuleNotFoundError:
        sys.exit(f"recording needs PyTorch: pip install torch=={VERSION}.*")
    from compared.programs import collected, outcome

    torch.set_warn_always(True)  # otherwise only the first program of a kind is warned
    version = torch.__version__.partition("+")[0]
    if not version.startswith(f"{VERSION}."):
        sys.exit(f"the record is of PyTorch {VERSION}, this is {version}: all or none must change")
    RECORDS.mkdir(exist_ok=True)
    for table, programs in collected().items():
        if not (table in chosen or "all" in chosen or (not chosen and changed(table, programs))):
            continue
        # One program a line, so that a difference shows which.
        lines = [
            f"{json.dumps(name)}: {json.dumps(outcome(torch, program), ensure_ascii=False)}"
            for name, program in programs.items()
        ]
        text = f'{{"version": "{version}",\n"programs": {{\n' + ",\n".join(lines) + "\n}}\n"
        (RECORDS / f"{table}.json").write_text(text, encoding="utf-8")
        print(f"{table}: {len(lines)} programs recorded with PyTorch {version}")


def changed(table, programs):
    """Are these others than the recorded ones?"""
    record = RECORDS / f"{table}.json"
    if not record.exists():
        return True
    return list(json.loads(record.read_text(encoding="utf-8"))["programs"]) != list(programs)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    main(sys.argv[1:])
