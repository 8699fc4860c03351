"""Layers with weights: linear, convolutions, normalisations, embeddings; and changes of shape."""

from __future__ import annotations

import math
from typing import Any

from ..compat.arguments import ensure, sizes
from ..ops.creation import empty, ones, tensor, zeros
from ..ops.shaping import flatten, unflatten
from . import functional as F
from . import init
from .module import Module
from .parameter import Parameter


def add_unset(module, name, wanted, shape, device, dtype):
    """Give a module a parameter whose numbers are still to be set; None if none is wanted."""
    part = Parameter(empty(shape, device=device, dtype=dtype)) if wanted else None
    module.register_parameter(name, part)


class WithBias(Module):
    """What layers of a weight and a bias have in common; what is not wanted of them is None."""

    def _start(self, shape, outs, bias, device, dtype, weight=True):
        add_unset(self, "weight", weight, shape, device, dtype)
        add_unset(self, "bias", weight and bias, outs, device, dtype)
        self.reset_parameters()


class Identity(Module):
    """Returns what it is given, whatever options it was made with.

    Counterpart: ``torch.nn.Identity``.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Any) -> Any:
        return input


class Flatten(Module):
    """All dimensions from one on (by default, all but the batch) made one: ``torch.flatten``.

    Counterpart: ``torch.nn.Flatten``.

    >>> import minigrad as torch
    >>> torch.nn.Flatten()(torch.zeros(5, 3, 4)).shape
    torch.Size([5, 12])
    """

    _in_repr = ("start_dim=", "end_dim=")

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input: Any) -> Any:
        return flatten(input, self.start_dim, self.end_dim)


class Unflatten(Module):
    """A dimension made several: ``torch.unflatten``. Counterpart: ``torch.nn.Unflatten``."""

    _in_repr = ("dim=", "unflattened_size=")

    def __init__(self, dim: int, unflattened_size: Any) -> None:
        super().__init__()
        text = "unflattened_size must be a tuple of ints, but found type {}"
        kind = type(unflattened_size)
        ensure(issubclass(kind, (tuple, list)), text, kind.__name__, error=TypeError)
        sizes(unflattened_size)  # which raises TypeError for what are no ints
        self.dim = dim
        self.unflattened_size = unflattened_size

    def forward(self, input: Any) -> Any:
        return unflatten(input, self.dim, self.unflattened_size)


# -------------------------------------------------------------------------------- weighted sums


class Weighted(WithBias):
    """A layer of weighted sums, whose weights start as PyTorch's do."""

    def reset_parameters(self) -> None:
        """Draw ``weight`` and ``bias`` anew, evenly within 1 / sqrt(fan in)."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            bound = 1 / math.sqrt(fan_in) if fan_in > 0 else 0
            init.uniform_(self.bias, -bound, bound)


class Linear(Weighted):
    """``x @ weight.T + bias``: each result a weighted sum of all features.

    ``weight`` has the shape (out_features, in_features). Takes (..., in_features), returns
    (..., out_features). Counterpart: ``torch.nn.Linear``.

    >>> import minigrad as torch
    >>> _ = torch.manual_seed(0)
    >>> layer = torch.nn.Linear(2, 3)
    >>> layer.weight
    Parameter containing:
    tensor([[-0.0053,  0.3793],
            [-0.5820, -0.5204],
            [-0.2723,  0.1896]], requires_grad=True)
    >>> layer(torch.zeros(5, 2)).shape
    torch.Size([5, 3])
    """

    _in_repr = ("in_features=", "out_features=", "bias=")

    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self._start((out_features, in_features), out_features, bias, device, dtype)

    def forward(self, input: Any) -> Any:
        return F.linear(input, self.weight, self.bias)


class Convolution(Weighted):
    """What the layers that slide a kernel have in common."""

    dims: int
    function: Any
    transposed = False
    _in_repr = ("in_channels", "out_channels", "kernel_size=", "stride=")

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups=1,
        bias=True,
        device=None,
        dtype=None,
        *,
        output_padding=0,
    ):
        super().__init__()
        ensure(groups > 0, "groups must be a positive integer", error=ValueError)
        for name, channels in (("in_channels", in_channels), ("out_channels", out_channels)):
            ensure(channels % groups == 0, name + " must be divisible by groups", error=ValueError)
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.groups = groups
        geometry = kernel_size, stride, dilation
        self.kernel_size, self.stride, self.dilation = map(self._each, geometry)
        self.padding, self.output_padding = self._each(padding), self._each(output_padding)
        if isinstance(padding, str) and not self.transposed:
            text = "Invalid padding string {!r}, should be one of {{'same', 'valid'}}"
            ensure(padding in ("same", "valid"), text, padding, error=ValueError)
            text = "padding='same' is not supported for strided convolutions"
            ensure(padding == "valid" or max(self.stride) == 1, text, error=ValueError)
        channels = (in_channels, out_channels) if self.transposed else (out_channels, in_channels)
        shape = (channels[0], channels[1] // groups, *self.kernel_size)
        self._start(shape, out_channels, bias, device, dtype)

    def _each(self, value: Any) -> Any:
        """An option as one int for each dimension."""
        if isinstance(value, str):  # padding="same"
            return value
        return tuple(value) if isinstance(value, (tuple, list)) else (value,) * self.dims

    def forward(self, input: Any) -> Any:
        options = self.stride, self.padding, self.dilation, self.groups
        return self.function(input, self.weight, self.bias, *options)

    @property
    def _in_repr_if(self) -> Any:
        zero = self._each(0)
        one = self._each(1)
        shape = ("padding", zero), ("dilation", one), ("output_padding", zero)
        return *shape, ("groups", 1), ("bias", True)


class Conv1d(Convolution):
    """Kernels slide over sequences (batch, in_channels, length): ``functional.conv1d``.

    ``weight`` has the shape (out_channels, in_channels / groups, kernel_size).
    Counterpart: ``torch.nn.Conv1d``.
    """

    dims = 1
    function = staticmethod(F.conv1d)


class Conv2d(Convolution):
    """Kernels slide over images (batch, in_channels, height, width): ``functional.conv2d``.

    ``weight`` has the shape (out_channels, in_channels / groups, *kernel_size). Options are one
    int, or one for each dimension; ``padding`` may be "same". Counterpart: ``torch.nn.Conv2d``.

    >>> import minigrad as torch
    >>> layer = torch.nn.Conv2d(3, 8, kernel_size=5, padding=2)
    >>> layer
    Conv2d(3, 8, kernel_size=(5, 5), stride=(1, 1), padding=(2, 2))
    >>> layer(torch.zeros(10, 3, 28, 28)).shape
    torch.Size([10, 8, 28, 28])
    """

    dims = 2
    function = staticmethod(F.conv2d)


class TransposedConvolution(Convolution):
    """What the layers that put kernels down have in common."""

    transposed = True

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        output_padding=0,
        groups=1,
        bias=True,
        dilation=1,
        device=None,
        dtype=None,
    ):
        geometry = in_channels, out_channels, kernel_size, stride, padding, dilation, groups
        super().__init__(*geometry, bias, device, dtype, output_padding=output_padding)

    def forward(self, input: Any, output_size: Any = None) -> Any:
        grown = self.output_padding if output_size is None else self._grown(input, output_size)
        options = self.stride, self.padding, grown, self.groups, self.dilation
        return self.function(input, self.weight, self.bias, *options)

    def _grown(self, input: Any, wanted: Any) -> list[int]:
        """The output padding that makes an output of this size.

        Raises ValueError where none does: only sizes that the strided convolution would map to
        the input's can be had, as many as its stride has steps.
        """
        outer = 2 if input.ndim == self.dims + 2 else 1  # channels, and perhaps a batch
        sizes_ = list(wanted)
        if len(sizes_) == outer + self.dims:
            sizes_ = sizes_[outer:]
        text = "ConvTranspose{0}D: for {1}D input, output_size must have "
        text += "{0} or {2} elements (got {3})"
        counts = self.dims, input.ndim, outer + self.dims, len(sizes_)
        ensure(len(sizes_) == self.dims, text, *counts, error=ValueError)
        geometry = zip(
            input.shape[outer:], self.stride, self.padding, self.dilation, self.kernel_size
        )
        least = [(n - 1) * s - 2 * p + a * (k - 1) + 1 for n, s, p, a, k in geometry]
        most = [n + s - 1 for n, s in zip(least, self.stride)]
        fits = all(low <= n <= high for low, n, high in zip(least, sizes_, most))
        text = "requested an output size of {}, but valid sizes range from {} to {} (for an input "
        text += "of {})"
        ensure(fits, text, sizes_, least, most, input.shape[2:], error=ValueError)
        return [n - low for n, low in zip(sizes_, least)]


class ConvTranspose1d(TransposedConvolution):
    """As ``ConvTranspose2d``, for sequences. Counterpart: ``torch.nn.ConvTranspose1d``."""

    dims = 1
    function = staticmethod(F.conv_transpose1d)


class ConvTranspose2d(TransposedConvolution):
    """Each entry puts a multiple of a kernel into a larger image: ``functional.conv_transpose2d``.

    ``weight`` has the shape (in_channels, out_channels / groups, *kernel_size).
    Counterpart: ``torch.nn.ConvTranspose2d``.
    """

    dims = 2
    function = staticmethod(F.conv_transpose2d)


# ------------------------------------------------------------------------------- normalisation


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
        num_features,
        eps=1e-5,
        momentum=0.1,
        affine=True,
        track_running_stats=True,
        device=None,
        dtype=None,
        *,
        bias=True,
    ):
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        self._start(num_features, num_features, bias, device, dtype, affine)
        running = zeros(num_features, dtype=dtype), ones(num_features, dtype=dtype), tensor(0)
        for name, start in zip(("running_mean", "running_var", "num_batches_tracked"), running):
            self.register_buffer(name, start if track_running_stats else None)

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
        normalized_shape,
        eps=1e-5,
        elementwise_affine=True,
        bias=True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        self.normalized_shape = sizes((normalized_shape,))
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        shape = self.normalized_shape
        self._start(shape, shape, bias, device, dtype, elementwise_affine)

    def forward(self, input: Any) -> Any:
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)


class GroupNorm(Scaled):
    """The channels of each sample, in groups, to mean 0 and variance 1: ``functional.group_norm``.

    Counterpart: ``torch.nn.GroupNorm``.
    """

    _in_repr = ("num_groups", "num_channels", "eps=", "affine=", "bias=")

    def __init__(
        self, num_groups, num_channels, eps=1e-5, affine=True, device=None, dtype=None, *, bias=True
    ):
        super().__init__()
        text = "num_channels ({}) must be divisible by num_groups ({})"
        ensure(num_channels % num_groups == 0, text, num_channels, num_groups, error=ValueError)
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        self._start(num_channels, num_channels, bias, device, dtype, affine)

    def forward(self, input: Any) -> Any:
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)


# ------------------------------------------------------------------------------------ embedding


class Embedding(Module):
    """A table of vectors, learned, looked up by number: ``functional.embedding``.

    The vectors start as normal numbers; that of ``padding_idx`` as zeros, and it gets no
    gradient. Counterpart: ``torch.nn.Embedding``.

    >>> import minigrad as torch
    >>> torch.nn.Embedding(10, 3)(torch.tensor([[1, 2], [7, 1]])).shape
    torch.Size([2, 2, 3])
    """

    _in_repr = ("num_embeddings", "embedding_dim")
    _in_repr_if = (("padding_idx", None),)

    def __init__(
        self,
        num_embeddings,
        embedding_dim,
        padding_idx=None,
        *,
        _weight=None,
        _freeze=False,
        device=None,
        dtype=None,
    ):
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        if padding_idx is not None:
            inside = -num_embeddings <= padding_idx < num_embeddings
            ensure(inside, "Padding_idx must be within num_embeddings", error=AssertionError)
            padding_idx %= num_embeddings
        self.padding_idx = padding_idx
        shape = num_embeddings, embedding_dim
        given = empty(shape, device=device, dtype=dtype) if _weight is None else _weight
        self.weight = Parameter(given, not _freeze)
        if _weight is None:
            self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the table anew."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            init.zeros_(self.weight.data[self.padding_idx])

    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, padding_idx=None):
        """An embedding of these vectors, not to be trained unless ``freeze=False``.

        Counterpart: ``torch.nn.Embedding.from_pretrained``.
        """
        flat = embeddings.ndim == 2
        ensure(flat, "Embeddings parameter is expected to be 2-dimensional", error=AssertionError)
        rows, width = embeddings.shape
        return cls(rows, width, padding_idx, _weight=embeddings, _freeze=freeze)

    def forward(self, input: Any) -> Any:
        return F.embedding(input, self.weight, self.padding_idx)
