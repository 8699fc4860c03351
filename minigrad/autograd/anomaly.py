"""Finding the operation whose derivative made the first NaN."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ..engine.node import TensorBase, Watch
from ..errors import made_where, outside
from ..tape import Reader, tape


class set_detect_anomaly:
    """Switch anomaly detection on or off: at once, and back at the end of a ``with``.

    While it is on, every operation remembers the line that made it, and a derivative that is NaN
    raises RuntimeError in ``backward()``, naming operation and line. It costs time: use it to
    look for a bug. ``check_nan=False`` only remembers the lines.

    Counterpart: ``torch.autograd.set_detect_anomaly``.

    >>> import minigrad as torch
    >>> x = torch.tensor([0.0, 4.0], requires_grad=True)
    >>> import warnings  # it also warns of where the operation was made
    >>> with warnings.catch_warnings(action="ignore"), torch.autograd.set_detect_anomaly(True):
    ...     y = (torch.sqrt(x) * torch.tensor([0.0, 1.0])).sum()  # 0 * inf
    ...     y.backward()  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    RuntimeError: Function 'SqrtBackward0' returned nan values in its 0th output.
    ...
    """

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self._before = _State.reader is not None, Watch.refuse is not None
        switch(mode, check_nan)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exception: object) -> None:
        switch(*self._before)


class detect_anomaly(set_detect_anomaly):
    """``set_detect_anomaly(True)`` for a ``with`` block; warns that it takes time.

    Counterpart: ``torch.autograd.detect_anomaly``.

    >>> import minigrad as torch
    >>> x = torch.tensor([0.0, 4.0], requires_grad=True)
    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"), torch.autograd.detect_anomaly():
    ...     torch.sqrt(x).sum().backward()
    >>> x.grad
    tensor([   inf, 0.2500])
    """

    def __init__(self, check_nan: bool = True) -> None:
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should "
            "only be enabled for debugging.",
            UserWarning,
            stacklevel=2,
        )
        super().__init__(True, check_nan)


class _State:
    reader: Reader | None = None  # of the tape, while anomaly detection is on


def switch(on: bool, check_nan: bool) -> None:
    """Turn the watching, and the refusing of NaN, on or off."""
    if on and _State.reader is None:
        _State.reader = tape.watch(room=0)
    elif not on and _State.reader is not None:
        tape.release(_State.reader)
        _State.reader = None
    if on and check_nan:
        Watch.refuse = refuse_nan
    else:
        Watch.refuse = None


def is_anomaly_enabled() -> bool:
    """Is anomaly detection on? Counterpart: ``torch.is_anomaly_enabled``.

    >>> import minigrad as torch
    >>> with torch.autograd.set_detect_anomaly(True):
    ...     torch.is_anomaly_enabled()
    True
    """
    return _State.reader is not None


def is_anomaly_check_nan_enabled() -> bool:
    """Does anomaly detection refuse NaN? Counterpart: ``torch.is_anomaly_check_nan_enabled``.

    >>> import minigrad as torch
    >>> with torch.autograd.set_detect_anomaly(True, check_nan=False):
    ...     torch.is_anomaly_check_nan_enabled()
    False
    """
    return Watch.refuse is not None


def refuse_nan(visit: Any) -> None:
    """Raise RuntimeError if this visit sends NaN on."""
    node, _, _, parts = visit
    for position, part in enumerate(parts):
        array = part._array if isinstance(part, TensorBase) else part
        if isinstance(array, (np.ndarray, np.generic)) and np.isnan(array).any():
            where = made_where(node)
            place = f"\n  {where}" if where else ""
            warnings.warn(
                f"Error detected in {node.name()}.{place}", UserWarning, stacklevel=outside()
            )
            raise RuntimeError(
                f"Function '{node.name()}' returned nan values in its {position}th output.{place}"
            )
