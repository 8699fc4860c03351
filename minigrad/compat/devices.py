"""Devices: a program may name one, ask which there are, and goes on without; all is on the CPU."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

DEVICES = ("cpu", "cuda", "mps", "xpu", "meta")
"""The devices that a program may name. Tensors live on the first one only."""


class device:
    """The name of a place where tensors could live. Counterpart: ``torch.device``.

    Here they all live on the CPU. Other devices can be named, as in PyTorch, so that a program
    may choose one if it is available; asking for a tensor there raises an error.

    >>> import minigrad as torch
    >>> torch.device("cuda" if torch.cuda.is_available() else "cpu")
    device(type='cpu')

    Raises RuntimeError for a name that is none.
    """

    __slots__ = ("index", "type")

    def __init__(self, type: str | device = "cpu", index: int | None = None) -> None:
        self.type, _, number = str(type).partition(":")
        self.index = int(number) if number.isdigit() else index
        if self.type not in DEVICES:
            text = f"Expected one of {', '.join(DEVICES)} device type at start of device string"
            raise RuntimeError(f"{text}: {type}")

    def __repr__(self) -> str:
        index = "" if self.index is None else f", index={self.index}"
        return f"device(type={self.type!r}{index})"

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, device) and str(other) == str(self)

    def __hash__(self) -> int:
        return hash(str(self))

    def __enter__(self) -> device:
        """Tensors made inside ``with`` are to live there: on the CPU, as all do."""
        on_cpu(self)
        return self

    def __exit__(self, *error: object) -> None:
        pass


cpu = device("cpu")


def on_cpu(wanted: Any) -> device:
    """The CPU, if that is the device that an argument asks for.

    Raises AssertionError for CUDA, as PyTorch without it, RuntimeError for any other device.
    """
    if wanted is None or (found := device(wanted)).type == "cpu":
        return cpu
    rest = "minigrad computes on the CPU only.\n  fix: use device='cpu', or leave the device out."
    if found.type == "cuda":
        raise AssertionError(f"Torch not compiled with CUDA enabled: {rest}")
    raise RuntimeError(f"PyTorch is not linked with support for {found.type} devices: {rest}")


cuda = SimpleNamespace(
    is_available=lambda: False,
    device_count=lambda: 0,
    manual_seed=int,
    manual_seed_all=int,
    empty_cache=lambda: None,
    synchronize=lambda: None,
    memory_allocated=lambda: 0,
)
_cudnn = SimpleNamespace(is_available=lambda: False, deterministic=False, benchmark=False)
backends = SimpleNamespace(mps=SimpleNamespace(is_available=lambda: False), cudnn=_cudnn)
"""What programs ask of ``torch.cuda`` and ``torch.backends``, or set there, and go on without."""
