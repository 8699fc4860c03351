"""What networks are made of. Counterpart: ``torch.nn``.

``functional``     the functions, without state
``activations``    of these, the activation functions
``losses``         the losses, in a folder of their own
``normalization``  the normalisations; ``convolution`` and ``pooling`` what slides over images
``module``         what has parameters, and is called like a function; ``parameter`` these;
                   ``module_parts``, ``module_calls``, ``module_state`` what it does in detail
``containers``     modules in a row, or by name
``function_modules``  these as modules: activations, losses, pooling, dropout
``layers``         layers with weights, with ``convolution_layers`` and ``normalization_layers``
``recurrent``      layers that go through sequences; ``attention`` those that look everywhere
``init``           how weights start; ``utils`` clipping gradients, and the like
"""

from ..compat.missing import missing_from
from . import functional, init, utils
from .attention import MultiheadAttention
from .containers import ModuleDict, ModuleList, ParameterDict, ParameterList, Sequential
from .convolution_layers import Conv1d, Conv2d, ConvTranspose1d, ConvTranspose2d
from .function_modules import (
    ELU,
    GELU,
    GLU,
    SELU,
    AdaptiveAvgPool1d,
    AdaptiveAvgPool2d,
    AvgPool1d,
    AvgPool2d,
    BCELoss,
    BCEWithLogitsLoss,
    CrossEntropyLoss,
    Dropout,
    Dropout1d,
    Dropout2d,
    Hardtanh,
    HuberLoss,
    KLDivLoss,
    L1Loss,
    LeakyReLU,
    LogSigmoid,
    LogSoftmax,
    MaxPool1d,
    MaxPool2d,
    Mish,
    MSELoss,
    NLLLoss,
    PReLU,
    ReLU,
    ReLU6,
    Sigmoid,
    SiLU,
    SmoothL1Loss,
    Softmax,
    Softplus,
    Softsign,
    Tanh,
)
from .layers import Embedding, Flatten, Identity, Linear, Unflatten
from .module import Module
from .normalization_layers import BatchNorm1d, BatchNorm2d, GroupNorm, LayerNorm
from .parameter import Parameter
from .recurrent import GRU, LSTM, RNN, GRUCell, LSTMCell, RNNCell

__getattr__ = missing_from(__name__)
