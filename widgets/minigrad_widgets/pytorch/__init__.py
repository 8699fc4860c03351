"""The views on real PyTorch: its graph and its backward passes, written down as minigrad's are.

``arrays``    PyTorch's tensors as NumPy's arrays, and as summaries
``kinds``     what a node of PyTorch's does, and its counterpart in minigrad
``graph``     the nodes behind a tensor, read from ``grad_fn`` backwards
``lines``     which line of the program made a node, where that was watched
``notes``     what is known of them, as the views read it
``passes``    a backward pass, rehearsed by autograd and noted by hooks
``calls``     runs of functions, to be laid side by side
``training``  a training loop: what is read of it, and how it is heard of

PyTorch is never imported here. Whoever has one of its tensors has imported it.
"""

from .arrays import is_tensor, torch_if_there
from .calls import is_pytorchs, run, run_behind
from .graph import Graph
from .lines import Lines, watched
from .notes import TorchTape
from .passes import rehearse
from .training import PyTorch, put_on

__all__ = [
    "Graph",
    "Lines",
    "PyTorch",
    "TorchTape",
    "is_pytorchs",
    "is_tensor",
    "put_on",
    "rehearse",
    "run",
    "run_behind",
    "torch_if_there",
    "watched",
]
