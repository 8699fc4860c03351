"""Where PyTorch's documentation speaks of a name."""

from __future__ import annotations

DOCUMENTATION = "https://docs.pytorch.org/docs/stable/"

OWN_PAGES = (
    "torch.nn.functional",
    "torch.nn.utils.rnn",
    "torch.nn.utils",
    "torch.nn",
    "torch.optim.lr_scheduler",
    "torch.optim",
    "torch.autograd.functional",
    "torch.linalg",
    "torch.Tensor",
    "torch",
)
"""Modules whose names have a page each there, of the same address as the name."""

ONE_PAGE = {
    "torch.nn.init": "nn.init.html",
    "torch.utils.data": "data.html",
    "torch.utils.checkpoint": "checkpoint.html",
}
"""Modules that are one page there."""

ELSEWHERE = {
    "torch.Tensor": "tensors.html#torch.Tensor",
    "torch.Size": "size.html#torch.Size",
    "torch.dtype": "tensor_attributes.html#torch.dtype",
    "torch.device": "tensor_attributes.html#torch.device",
    "torch.finfo": "type_info.html",
    "torch.iinfo": "type_info.html",
    "torch.nn.Parameter": "generated/torch.nn.parameter.Parameter.html",
    "torch.optim.Optimizer": "optim.html#torch.optim.Optimizer",
    "torch.autograd.Function": "autograd.html#torch.autograd.Function",
    "torch.autograd.grad": "generated/torch.autograd.grad.html",
    "torch.autograd.backward": "generated/torch.autograd.backward.html",
}

WITHOUT = {
    "torch.rsub",
    "torch.clamp_max",
    "torch.clamp_min",
    "torch.masked_fill",
    "torch.is_anomaly_enabled",
    "torch.is_anomaly_check_nan_enabled",
    "torch.linalg.LinAlgError",
    "torch.Tensor.T",
    "torch.Tensor.mT",
    "torch.Tensor.data",
    "torch.Tensor.grad_fn",
    "torch.Tensor.output_nr",
    "torch.Tensor.clamp_max_",
    "torch.Tensor.clamp_min_",
}
"""Names that PyTorch has, and gives no page."""


def address_of(name: str) -> str | None:
    """The address of a name in PyTorch's documentation; None where that is not certain."""
    if name in WITHOUT:
        return None
    if name in ELSEWHERE:
        return DOCUMENTATION + ELSEWHERE[name]
    space = name.rpartition(".")[0]
    short = name.rpartition(".")[2]
    if space in ONE_PAGE:
        return f"{DOCUMENTATION}{ONE_PAGE[space]}#{name}"
    # Of torch itself, the old constructors and the like have none.
    if space in OWN_PAGES and (space != "torch" or short[0].islower() or short == "Generator"):
        return f"{DOCUMENTATION}generated/{name}.html"
    return None
