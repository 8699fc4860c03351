"""Functions as modules: activation functions, losses, pooling, dropout.

Such a module keeps the options of a function of ``functional``, and calls it: ``ELU(alpha=2.0)``
is ``lambda x: elu(x, alpha=2.0)`` that prints well, and can stand in a ``Sequential``. Which
options there are, and what they mean, the function says.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any

from .._tensor import Tensor
from ..compat.arguments import ensure, sizes
from ..errors import pasteable
from ..ops.creation import full, ones
from . import functional as F
from .module import Module
from .parameter import Parameter

NO_OPTIONS = ("input", "target", "training", "dtype", "_stacklevel")
"""Parameters of functions that are not options of their modules."""

MADE_WITH_TENSORS = (
    "{0}\n  nn.{1} was made with tensors, instead of called with them.\n"
    "  fix: minigrad.nn.{1}()(...)"
)


class Applied(Module):
    """A function whose options are chosen once: ``class ELU(Applied, function=F.elu)``."""

    function: Any
    options: Any = None  # the signature of its options
    names: tuple[str, ...]  # and their names
    __signature__: Any

    # What PyTorch raises, and says, where tensors stand in the place of options.
    error_for_tensors: Any = RuntimeError
    text_for_tensors = "Boolean value of Tensor with more than one value is ambiguous"

    def __init_subclass__(cls, function: Any = None, order: Iterable[str] = ()) -> None:
        """Note the options of the function: all of them, or those named, in this order."""
        if function is not None:
            cls.function = staticmethod(function)
            parameters = inspect.signature(function).parameters
            names = order or [name for name in parameters if name not in NO_OPTIONS]
            cls.options = inspect.Signature([parameters[name] for name in names])
            cls.names = tuple(names)
        # What help() shows: the options, unless the class says itself what it takes.
        cls.__signature__ = None if "__init__" in vars(cls) else cls.options

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__()
        self._refuse_tensors(args)
        chosen = self.options.bind(*args, **named)
        chosen.apply_defaults()
        for name, value in chosen.arguments.items():
            if name in ("weight", "pos_weight"):
                self.register_buffer(name, value)
            else:
                setattr(self, name, value)

    def _refuse_tensors(self, args: tuple[Any, ...]) -> None:
        """Raise if it was made with what it should be called with; of options, one is a tensor."""
        tensors = [a for a in args if isinstance(a, Tensor) and a.numel() > 1]
        allowed = 1 if "weight" in self.names else 0
        if self.names and len(tensors) > allowed:
            text = MADE_WITH_TENSORS.format(self.text_for_tensors, type(self).__name__)
            raise self.error_for_tensors(pasteable(text))

    @property
    def _in_repr(self) -> Any:
        """All options are printed, unless a class says which; ``inplace`` only if it is wanted."""
        return [f"{name}=" for name in self.names if name != "inplace" or self.inplace]

    def forward(self, *tensors: Any, **named: Any) -> Any:
        chosen = {name: getattr(self, name) for name in self.names}
        return self.function(*tensors, **chosen, **named)


class Silent(Applied):
    """One that prints without its options."""

    _in_repr = ()


# --------------------------------------------------------------------------------- activations


class ReLU(Applied, function=F.relu):
    """``functional.relu`` as a module. Counterpart: ``torch.nn.ReLU``.

    >>> import minigrad as torch
    >>> torch.nn.ReLU()(torch.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """


class ReLU6(Applied, function=F.relu6):
    """``functional.relu6`` as a module. Counterpart: ``torch.nn.ReLU6``.

    >>> import minigrad as torch
    >>> torch.nn.ReLU6()(torch.tensor([-1.0, 2.0, 8.0]))
    tensor([0., 2., 6.])
    """


class LeakyReLU(Applied, function=F.leaky_relu):
    """``functional.leaky_relu`` as a module. Counterpart: ``torch.nn.LeakyReLU``.

    >>> import minigrad as torch
    >>> torch.nn.LeakyReLU(0.1)(torch.tensor([-1.0, 2.0]))
    tensor([-0.1000,  2.0000])
    """


class ELU(Applied, function=F.elu):
    """``functional.elu`` as a module. Counterpart: ``torch.nn.ELU``.

    >>> import minigrad as torch
    >>> torch.nn.ELU()(torch.tensor([-1.0, 2.0]))
    tensor([-0.6321,  2.0000])
    """


class SELU(Applied, function=F.selu):
    """``functional.selu`` as a module. Counterpart: ``torch.nn.SELU``.

    >>> import minigrad as torch
    >>> torch.nn.SELU()(torch.tensor([-1.0, 2.0]))
    tensor([-1.1113,  2.1014])
    """


class SiLU(Applied, function=F.silu):
    """``functional.silu`` as a module. Counterpart: ``torch.nn.SiLU``.

    >>> import minigrad as torch
    >>> torch.nn.SiLU()(torch.tensor([-1.0, 2.0]))
    tensor([-0.2689,  1.7616])
    """


class Mish(Applied, function=F.mish):
    """``functional.mish`` as a module. Counterpart: ``torch.nn.Mish``.

    >>> import minigrad as torch
    >>> torch.nn.Mish()(torch.tensor([-1.0, 2.0]))
    tensor([-0.3034,  1.9440])
    """


class Tanh(Applied, function=F.tanh):
    """``functional.tanh`` as a module. Counterpart: ``torch.nn.Tanh``.

    >>> import minigrad as torch
    >>> torch.nn.Tanh()(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 0.7616])
    """


class Sigmoid(Applied, function=F.sigmoid):
    """``functional.sigmoid`` as a module. Counterpart: ``torch.nn.Sigmoid``.

    >>> import minigrad as torch
    >>> torch.nn.Sigmoid()(torch.tensor([0.0, 2.0]))
    tensor([0.5000, 0.8808])
    """


class LogSigmoid(Applied, function=F.logsigmoid):
    """``functional.logsigmoid`` as a module. Counterpart: ``torch.nn.LogSigmoid``.

    >>> import minigrad as torch
    >>> torch.nn.LogSigmoid()(torch.tensor([-1.0, 0.0]))
    tensor([-1.3133, -0.6931])
    """


class Softsign(Applied, function=F.softsign):
    """``functional.softsign`` as a module. Counterpart: ``torch.nn.Softsign``.

    >>> import minigrad as torch
    >>> torch.nn.Softsign()(torch.tensor([-1.0, 3.0]))
    tensor([-0.5000,  0.7500])
    """


class Hardtanh(Applied, function=F.hardtanh):
    """``functional.hardtanh`` as a module. Counterpart: ``torch.nn.Hardtanh``.

    Raises AssertionError unless the bounds are the right way round.

    >>> import minigrad as torch
    >>> torch.nn.Hardtanh()(torch.tensor([-3.0, 0.5, 3.0]))
    tensor([-1.0000,  0.5000,  1.0000])
    """

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> None:
        text = "max_val ({}) must be greater than min_val ({})"
        ensure(max_val > min_val, text, max_val, min_val, error=AssertionError)
        super().__init__(min_val, max_val, inplace)


class Softmax(Applied, function=F.softmax):
    """``functional.softmax`` as a module. Counterpart: ``torch.nn.Softmax``.

    >>> import minigrad as torch
    >>> torch.nn.Softmax(dim=0)(torch.tensor([0.0, 0.0]))
    tensor([0.5000, 0.5000])
    """


class LogSoftmax(Applied, function=F.log_softmax):
    """``functional.log_softmax`` as a module. Counterpart: ``torch.nn.LogSoftmax``.

    >>> import minigrad as torch
    >>> torch.nn.LogSoftmax(dim=0)(torch.tensor([0.0, 0.0]))
    tensor([-0.6931, -0.6931])
    """


class GLU(Applied, function=F.glu):
    """``functional.glu`` as a module. Counterpart: ``torch.nn.GLU``.

    >>> import minigrad as torch
    >>> torch.nn.GLU()(torch.tensor([[1.0, 2.0, 0.0, 0.0]]))
    tensor([[0.5000, 1.0000]])
    """


class GELU(Applied, function=F.gelu):
    """``functional.gelu`` as a module. Counterpart: ``torch.nn.GELU``.

    >>> import minigrad as torch
    >>> torch.nn.GELU()(torch.tensor([-1.0, 2.0]))
    tensor([-0.1587,  1.9545])
    """

    def __init__(self, approximate: str = "none") -> None:
        super().__init__(approximate=approximate)

    def extra_repr(self) -> str:
        return f"approximate={self.approximate!r}"


class Softplus(Applied, function=F.softplus):
    """``functional.softplus`` as a module. Counterpart: ``torch.nn.Softplus``.

    >>> import minigrad as torch
    >>> torch.nn.Softplus()(torch.tensor([0.0, 2.0]))
    tensor([0.6931, 2.1269])
    """


class PReLU(Module):
    """A ``leaky_relu`` that learns its slope: one, or one for each channel.

    Counterpart: ``torch.nn.PReLU``.

    >>> import minigrad as torch
    >>> torch.nn.PReLU()(torch.tensor([-1.0, 2.0])).tolist()
    [-0.25, 2.0]
    """

    _in_repr = ("num_parameters=",)

    def __init__(
        self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.num_parameters = num_parameters
        self.weight = Parameter(full((num_parameters,), float(init), device=device, dtype=dtype))

    def forward(self, input: Any) -> Any:
        return F.prelu(input, self.weight)


# ------------------------------------------------------------------------------------- losses


class MSELoss(Silent, function=F.mse_loss):
    """``functional.mse_loss`` as a module. Counterpart: ``torch.nn.MSELoss``.

    >>> import minigrad as torch
    >>> torch.nn.MSELoss()(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 4.0]))
    tensor(2.)
    """


class CrossEntropyLoss(Silent, function=F.cross_entropy):
    """``functional.cross_entropy`` as a module: ``weight``, ``ignore_index`` and so on.

    Counterpart: ``torch.nn.CrossEntropyLoss``.

    >>> import minigrad as torch
    >>> torch.nn.CrossEntropyLoss()(torch.tensor([[0.0, 0.0]]), torch.tensor([1]))
    tensor(0.6931)
    """


class L1Loss(Silent, function=F.l1_loss):
    """``functional.l1_loss`` as a module.

    Counterpart: ``torch.nn.L1Loss``.

    >>> import minigrad as torch
    >>> torch.nn.L1Loss()(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 4.0]))
    tensor(1.)
    """


class SmoothL1Loss(Silent, function=F.smooth_l1_loss):
    """``functional.smooth_l1_loss`` as a module.

    Counterpart: ``torch.nn.SmoothL1Loss``.

    >>> import minigrad as torch
    >>> torch.nn.SmoothL1Loss()(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 4.0]))
    tensor(0.7500)
    """


class HuberLoss(Silent, function=F.huber_loss):
    """``functional.huber_loss`` as a module.

    Counterpart: ``torch.nn.HuberLoss``.

    >>> import minigrad as torch
    >>> torch.nn.HuberLoss()(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 4.0]))
    tensor(0.7500)
    """

    error_for_tensors = TypeError
    text_for_tensors = "delta must be a float or int, got: <class 'torch.Tensor'>"


class NLLLoss(Silent, function=F.nll_loss):
    """``functional.nll_loss`` as a module.

    Counterpart: ``torch.nn.NLLLoss``.

    >>> import minigrad as torch
    >>> torch.nn.NLLLoss()(torch.tensor([[0.5, 0.5]]).log(), torch.tensor([0]))
    tensor(0.6931)
    """


class BCELoss(Silent, function=F.binary_cross_entropy):
    """``functional.binary_cross_entropy`` as a module.

    Counterpart: ``torch.nn.BCELoss``.

    >>> import minigrad as torch
    >>> torch.nn.BCELoss()(torch.tensor([0.5]), torch.tensor([1.0]))
    tensor(0.6931)
    """


class BCEWithLogitsLoss(Silent, function=F.binary_cross_entropy_with_logits):
    """``functional.binary_cross_entropy_with_logits`` as a module.

    Counterpart: ``torch.nn.BCEWithLogitsLoss``.

    >>> import minigrad as torch
    >>> torch.nn.BCEWithLogitsLoss()(torch.tensor([0.0]), torch.tensor([1.0]))
    tensor(0.6931)
    """


class KLDivLoss(Silent, function=F.kl_div):
    """``functional.kl_div`` as a module.

    Counterpart: ``torch.nn.KLDivLoss``.

    >>> import minigrad as torch
    >>> log_q = torch.tensor([0.25, 0.75]).log()
    >>> p = torch.tensor([0.5, 0.5])
    >>> torch.nn.KLDivLoss(reduction="sum")(log_q, p)
    tensor(0.1438)
    """


# ------------------------------------------------------------------------------------ pooling


class Pool(Applied):
    """What pooling layers have in common: without ``stride``, a window moves by its own size."""

    tuples: tuple[str, ...] = ()  # the options that are kept as tuples, though there is one number

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        if self.stride is None:
            self.stride = self.kernel_size
        for name in self.tuples:
            setattr(self, name, sizes((getattr(self, name),)))


MAX_POOL = ("kernel_size", "stride", "padding", "dilation", "return_indices", "ceil_mode")


class MaxPool2d(Pool, function=F.max_pool2d, order=MAX_POOL):
    """``functional.max_pool2d`` as a module. Counterpart: ``torch.nn.MaxPool2d``.

    >>> import minigrad as torch
    >>> torch.nn.MaxPool2d(2)(torch.zeros(1, 3, 8, 6)).shape
    torch.Size([1, 3, 4, 3])
    """

    _in_repr = ("kernel_size=", "stride=", "padding=", "dilation=", "ceil_mode=")


class MaxPool1d(Pool, function=F.max_pool1d, order=MAX_POOL):
    """``functional.max_pool1d`` as a module. Counterpart: ``torch.nn.MaxPool1d``.

    >>> import minigrad as torch
    >>> torch.nn.MaxPool1d(2)(torch.tensor([[[1.0, 3.0, 7.0, 5.0]]]))
    tensor([[[3., 7.]]])
    """

    _in_repr = MaxPool2d._in_repr


class AvgPool2d(Pool, function=F.avg_pool2d):
    """``functional.avg_pool2d`` as a module. Counterpart: ``torch.nn.AvgPool2d``.

    >>> import minigrad as torch
    >>> torch.nn.AvgPool2d(2)(torch.ones(5, 3, 4, 4)).shape
    torch.Size([5, 3, 2, 2])
    """

    _in_repr = ("kernel_size=", "stride=", "padding=")


class AvgPool1d(Pool, function=F.avg_pool1d):
    """``functional.avg_pool1d`` as a module. Counterpart: ``torch.nn.AvgPool1d``.

    >>> import minigrad as torch
    >>> torch.nn.AvgPool1d(2)(torch.tensor([[[1.0, 3.0, 5.0, 7.0]]]))
    tensor([[[2., 6.]]])
    """

    _in_repr = AvgPool2d._in_repr
    tuples = ("kernel_size", "stride", "padding")


class AdaptiveAvgPool2d(Applied, function=F.adaptive_avg_pool2d):
    """``functional.adaptive_avg_pool2d`` as a module.

    Counterpart: ``torch.nn.AdaptiveAvgPool2d``.

    >>> import minigrad as torch
    >>> torch.nn.AdaptiveAvgPool2d(1)(torch.ones(5, 3, 4, 4)).shape
    torch.Size([5, 3, 1, 1])
    """


class AdaptiveAvgPool1d(Applied, function=F.adaptive_avg_pool1d):
    """``functional.adaptive_avg_pool1d`` as a module.

    Counterpart: ``torch.nn.AdaptiveAvgPool1d``.

    >>> import minigrad as torch
    >>> torch.nn.AdaptiveAvgPool1d(1)(torch.tensor([[[1.0, 2.0, 3.0]]]))
    tensor([[[2.]]])
    """


# ------------------------------------------------------------------------------------ dropout


class Dropping(Module):
    """What dropout layers have in common."""

    _in_repr = ("p=", "inplace=")

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        F.check_probability(p, ValueError)
        self.p = p
        self.inplace = inplace


class Dropout(Dropping):
    """In training, each entry is 0 with probability p, and the others grow: ``functional.dropout``.

    Counterpart: ``torch.nn.Dropout``.

    >>> import minigrad as torch
    >>> layer = torch.nn.Dropout(0.5)
    >>> layer.eval()(torch.ones(3))
    tensor([1., 1., 1.])
    """

    def forward(self, input: Any) -> Any:
        return F.dropout(input, self.p, self.training, self.inplace)


class DroppingChannels(Dropping):
    """Those that drop whole channels."""

    def drop_channels(self, input: Any) -> Any:
        """``input`` (batch, channels, ...), in training without some of its channels."""
        if not self.training or not self.p:
            return input
        shape = (*input.shape[:2], *[1] * (input.ndim - 2))
        return input * F.dropout(ones(shape, dtype=input.dtype), self.p)


class Dropout2d(DroppingChannels):
    """As ``Dropout``, of whole channels of images. Counterpart: ``torch.nn.Dropout2d``.

    >>> import minigrad as torch
    >>> torch.nn.Dropout2d().eval()(torch.ones(1, 1, 2, 2))
    tensor([[[[1., 1.],
              [1., 1.]]]])
    """

    def forward(self, input: Any) -> Any:
        return self.drop_channels(input)


class Dropout1d(DroppingChannels):
    """As ``Dropout``, of whole channels of sequences (batch, channels, length), or of one of them.

    Counterpart: ``torch.nn.Dropout1d``.

    >>> import minigrad as torch
    >>> torch.nn.Dropout1d().eval()(torch.ones(1, 2, 3))
    tensor([[[1., 1., 1.],
             [1., 1., 1.]]])
    """

    def forward(self, input: Any) -> Any:
        text = "dropout1d: Expected 2D or 3D input, but received a {}D input"
        ensure(input.ndim in (2, 3), text, input.ndim)
        if input.ndim == 2:
            return self.drop_channels(input.unsqueeze(0)).squeeze(0)
        return self.drop_channels(input)
