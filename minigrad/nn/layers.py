"""Layers with weights: what they share, the linear one, embeddings; and changes of shape.

Convolutions are in ``convolution_layers``, normalisations in ``normalization_layers``.
"""

from __future__ import annotations

import math
from typing import Any

from ..compat.arguments import ensure, sizes
from ..ops.creation import empty
from ..ops.shaping import flatten, unflatten
from . import functional as F
from . import init
from .module import Module
from .parameter import Parameter


def add_unset(module: Module, name: str, wanted: bool, shape: Any, device: Any, dtype: Any) -> None:
    """Give a module a parameter whose numbers are still to be set; None if none is wanted."""
    parameter = None
    if wanted:
        parameter = Parameter(empty(shape, device=device, dtype=dtype))
    module.register_parameter(name, parameter)


class WithBias(Module):
    """What layers of a weight and a bias have in common; what is not wanted of them is None."""

    def _add_parameters(
        self,
        weight_shape: Any,
        bias_shape: Any,
        bias: bool,
        device: Any,
        dtype: Any,
        weight: bool = True,
    ) -> None:
        """Make the two, and draw their first numbers; without a weight there is no bias either."""
        add_unset(self, "weight", weight, weight_shape, device, dtype)
        add_unset(self, "bias", weight and bias, bias_shape, device, dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set the numbers that ``weight`` and ``bias`` start with."""
        raise NotImplementedError


class Identity(Module):
    """Returns what it is given, whatever options it was made with.

    Counterpart: ``torch.nn.Identity``.

    >>> import minigrad as torch
    >>> torch.nn.Identity()(torch.tensor([1.0, 2.0]))
    tensor([1., 2.])
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
    """A dimension made several: ``torch.unflatten``. Counterpart: ``torch.nn.Unflatten``.

    >>> import minigrad as torch
    >>> torch.nn.Unflatten(1, (3, 4))(torch.zeros(5, 12)).shape
    torch.Size([5, 3, 4])
    """

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
            bound = 0.0
            if fan_in > 0:
                bound = 1 / math.sqrt(fan_in)
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

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self._add_parameters((out_features, in_features), out_features, bias, device, dtype)

    def forward(self, input: Any) -> Any:
        return F.linear(input, self.weight, self.bias)


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
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        *,
        _weight: Any = None,
        _freeze: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        if padding_idx is not None:
            inside = -num_embeddings <= padding_idx < num_embeddings
            ensure(inside, "Padding_idx must be within num_embeddings", error=AssertionError)
            padding_idx %= num_embeddings
        self.padding_idx = padding_idx
        if _weight is None:
            shape = num_embeddings, embedding_dim
            self.weight = Parameter(empty(shape, device=device, dtype=dtype), not _freeze)
            self.reset_parameters()
        else:
            self.weight = Parameter(_weight, not _freeze)

    def reset_parameters(self) -> None:
        """Draw the table anew."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            init.zeros_(self.weight.data[self.padding_idx])

    @classmethod
    def from_pretrained(
        cls, embeddings: Any, freeze: bool = True, padding_idx: int | None = None
    ) -> Embedding:
        """An embedding of these vectors, not to be trained unless ``freeze=False``.

        Counterpart: ``torch.nn.Embedding.from_pretrained``.
        """
        flat = embeddings.ndim == 2
        ensure(flat, "Embeddings parameter is expected to be 2-dimensional", error=AssertionError)
        rows, width = embeddings.shape
        return cls(rows, width, padding_idx, _weight=embeddings, _freeze=freeze)

    def forward(self, input: Any) -> Any:
        return F.embedding(input, self.weight, self.padding_idx)
