"""Layers that slide kernels over sequences and images, or put them down there."""

from __future__ import annotations

from typing import Any, TypeAlias

from ..compat.arguments import ensure
from . import functional as F
from .layers import Weighted

Sizes: TypeAlias = int | tuple[int, ...]
"""One number, or one for each dimension."""


class Convolution(Weighted):
    """What the layers that slide a kernel have in common."""

    dims: int
    function: Any
    transposed = False
    _in_repr = ("in_channels", "out_channels", "kernel_size=", "stride=")

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        stride: Sizes = 1,
        padding: Sizes | str = 0,
        dilation: Sizes = 1,
        groups: int = 1,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        output_padding: Sizes = 0,
    ) -> None:
        super().__init__()
        ensure(groups > 0, "groups must be a positive integer", error=ValueError)
        for name, channels in (("in_channels", in_channels), ("out_channels", out_channels)):
            ensure(channels % groups == 0, name + " must be divisible by groups", error=ValueError)
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.groups = groups
        self.kernel_size = self._each(kernel_size)
        self.stride = self._each(stride)
        self.padding = self._each(padding)
        self.dilation = self._each(dilation)
        self.output_padding = self._each(output_padding)
        if isinstance(padding, str) and not self.transposed:
            text = "Invalid padding string {!r}, should be one of {{'same', 'valid'}}"
            ensure(padding in ("same", "valid"), text, padding, error=ValueError)
            text = "padding='same' is not supported for strided convolutions"
            ensure(padding == "valid" or max(self.stride) == 1, text, error=ValueError)
        shape = (out_channels, in_channels // groups, *self.kernel_size)
        if self.transposed:
            shape = (in_channels, out_channels // groups, *self.kernel_size)
        self._add_parameters(shape, out_channels, bias, device, dtype)

    def _each(self, value: Any) -> Any:
        """An option as one int for each dimension."""
        if isinstance(value, str):  # padding="same"
            return value
        if isinstance(value, (tuple, list)):
            return tuple(value)
        return (value,) * self.dims

    def forward(self, input: Any) -> Any:
        options = self.stride, self.padding, self.dilation, self.groups
        return self.function(input, self.weight, self.bias, *options)

    @property
    def _in_repr_if(self) -> Any:
        return (
            ("padding", self._each(0)),
            ("dilation", self._each(1)),
            ("output_padding", self._each(0)),
            ("groups", 1),
            ("bias", True),
        )


class Conv1d(Convolution):
    """Kernels slide over sequences (batch, in_channels, length): ``functional.conv1d``.

    ``weight`` has the shape (out_channels, in_channels / groups, kernel_size).
    Counterpart: ``torch.nn.Conv1d``.

    >>> import minigrad as torch
    >>> torch.nn.Conv1d(2, 3, kernel_size=3)(torch.zeros(5, 2, 8)).shape
    torch.Size([5, 3, 6])
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
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        stride: Sizes = 1,
        padding: Sizes = 0,
        output_padding: Sizes = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Sizes = 1,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        geometry = in_channels, out_channels, kernel_size, stride, padding, dilation, groups
        super().__init__(*geometry, bias, device, dtype, output_padding=output_padding)

    def forward(self, input: Any, output_size: Any = None) -> Any:
        output_padding = self.output_padding
        if output_size is not None:
            output_padding = self._output_padding_for(output_size, input)
        options = self.stride, self.padding, output_padding, self.groups, self.dilation
        return self.function(input, self.weight, self.bias, *options)

    def _output_padding_for(self, output_size: Any, input: Any) -> list[int]:
        """The output padding that makes an output of this size.

        Raises ValueError where none does: only sizes that the strided convolution would map to
        the input's can be had, as many as its stride has steps.
        """
        outer = 2 if input.ndim == self.dims + 2 else 1  # channels, and perhaps a batch
        wanted = list(output_size)
        if len(wanted) == outer + self.dims:
            wanted = wanted[outer:]
        text = "ConvTranspose{0}D: for {1}D input, output_size must have "
        text += "{0} or {2} elements (got {3})"
        counts = self.dims, input.ndim, outer + self.dims, len(wanted)
        ensure(len(wanted) == self.dims, text, *counts, error=ValueError)
        geometry = zip(
            input.shape[outer:], self.stride, self.padding, self.dilation, self.kernel_size
        )
        least = [(n - 1) * s - 2 * p + a * (k - 1) + 1 for n, s, p, a, k in geometry]
        most = [n + s - 1 for n, s in zip(least, self.stride)]
        fits = all(low <= n <= high for low, n, high in zip(least, wanted, most))
        text = "requested an output size of {}, but valid sizes range from {} to {} (for an input "
        text += "of {})"
        ensure(fits, text, wanted, least, most, input.shape[2:], error=ValueError)
        return [n - low for n, low in zip(wanted, least)]


class ConvTranspose1d(TransposedConvolution):
    """As ``ConvTranspose2d``, for sequences. Counterpart: ``torch.nn.ConvTranspose1d``.

    >>> import minigrad as torch
    >>> torch.nn.ConvTranspose1d(2, 3, kernel_size=3)(torch.zeros(5, 2, 8)).shape
    torch.Size([5, 3, 10])
    """

    dims = 1
    function = staticmethod(F.conv_transpose1d)


class ConvTranspose2d(TransposedConvolution):
    """Each entry puts a multiple of a kernel into a larger image: ``functional.conv_transpose2d``.

    ``weight`` has the shape (in_channels, out_channels / groups, *kernel_size).
    Counterpart: ``torch.nn.ConvTranspose2d``.

    >>> import minigrad as torch
    >>> torch.nn.ConvTranspose2d(2, 3, kernel_size=3)(torch.zeros(5, 2, 8, 8)).shape
    torch.Size([5, 3, 10, 10])
    """

    dims = 2
    function = staticmethod(F.conv_transpose2d)
