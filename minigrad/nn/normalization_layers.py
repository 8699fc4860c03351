"""Layers that bring features, samples or groups of channels to mean 0 and variance 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._tensor import Tensor
from ..compat.arguments import ensure, sizes
from ..ops.creation import ones, tensor, zeros
from . import functional as F
from . import init
from .layers import WithBias


class Scaled(WithBias):
    """What normalising layers have in common: a weight that starts at 1, a bias that does at 0."""

    def reset_parameters(self) -> None:
        """Set the weight to 1 and the bias to 0."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)


class BatchNorm(Scaled):
    """What ``BatchNorm1d`` and ``BatchNorm2d`` have in common."""

    ranks: tuple[int, ...]
    _in_repr = ("num_features", "eps=", "momentum=", "affine=", "bias=", "track_running_stats=")

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        self._add_parameters(num_features, num_features, bias, device, dtype, affine)
        running: dict[str, Tensor | None] = {
            "running_mean": None,
            "running_var": None,
            "num_batches_tracked": None,
        }
        if track_running_stats:
            running["running_mean"] = zeros(num_features, dtype=dtype)
            running["running_var"] = ones(num_features, dtype=dtype)
            running["num_batches_tracked"] = tensor(0)
        for name, start in running.items():
            self.register_buffer(name, start)

    def forward(self, input: Any) -> Any:
        text = "expected " + " or ".join(map("{}D".format, self.ranks)) + " input (got {}D input)"
        ensure(input.ndim in self.ranks, text, input.ndim, error=ValueError)
        momentum = self.momentum
        if self.training and self.num_batches_tracked is not None:
            self.num_batches_tracked += 1
            if momentum is None:  # the plain average of all batches so far
                momentum = 1 / self.num_batches_tracked.item()
        by_batch = self.training or self.running_mean is None
        given = self.running_mean, self.running_var, self.weight, self.bias
        return F.batch_norm(input, *given, by_batch, momentum or 0.0, self.eps)


class BatchNorm1d(BatchNorm):
    """Each feature, over the batch, to mean 0 and variance 1: ``functional.batch_norm``.

    Takes (batch, features) or (batch, features, length). In training it also moves the running
    mean and variance towards those of the batch, by ``momentum`` (None: they are the average of
    all batches); after ``eval()`` it uses them. Counterpart: ``torch.nn.BatchNorm1d``.

    >>> import minigrad as torch
    >>> layer = torch.nn.BatchNorm1d(1)
    >>> layer(torch.tensor([[1.0], [3.0]])).detach()
    tensor([[-1.0000],
            [ 1.0000]])
    >>> layer.running_mean
    tensor([0.2000])
    """

    ranks = (2, 3)


class BatchNorm2d(BatchNorm):
    """As ``BatchNorm1d``, for images (batch, channels, height, width).

    Counterpart: ``torch.nn.BatchNorm2d``.

    >>> import minigrad as torch
    >>> torch.nn.BatchNorm2d(3)(torch.ones(5, 3, 4, 4)).shape
    torch.Size([5, 3, 4, 4])
    """

    ranks = (4,)


class LayerNorm(Scaled):
    """The last dimensions of each sample to mean 0 and variance 1: ``functional.layer_norm``.

    Counterpart: ``torch.nn.LayerNorm``.

    >>> import minigrad as torch
    >>> torch.nn.LayerNorm(3)(torch.tensor([[1.0, 2.0, 3.0]])).detach()
    tensor([[-1.2247,  0.0000,  1.2247]])
    """

    _in_repr = ("normalized_shape", "eps=", "elementwise_affine=", "bias=")

    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.normalized_shape = sizes((normalized_shape,))
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        shape = self.normalized_shape
        self._add_parameters(shape, shape, bias, device, dtype, elementwise_affine)

    def forward(self, input: Any) -> Any:
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)


class GroupNorm(Scaled):
    """The channels of each sample, in groups, to mean 0 and variance 1: ``functional.group_norm``.

    Counterpart: ``torch.nn.GroupNorm``.

    >>> import minigrad as torch
    >>> torch.nn.GroupNorm(2, 4)(torch.ones(5, 4, 8)).shape
    torch.Size([5, 4, 8])
    """

    _in_repr = ("num_groups", "num_channels", "eps=", "affine=", "bias=")

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        text = "num_channels ({}) must be divisible by num_groups ({})"
        ensure(num_channels % num_groups == 0, text, num_channels, num_groups, error=ValueError)
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        self._add_parameters(num_channels, num_channels, bias, device, dtype, affine)

    def forward(self, input: Any) -> Any:
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)
