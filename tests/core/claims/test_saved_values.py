"""What operations save for their derivatives: no more than these name, and no copies."""

from __future__ import annotations

import minigrad as torch
from minigrad.engine.node import Node, TensorBase


def nodes_behind(tensor):
    found, waiting = set(), [tensor.grad_fn]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Node) and node not in found:
            found.add(node)
            waiting += [following for following, _ in node.next_functions]
    return found


def arrays_saved(out):
    """The arrays that a graph holds on to, each once."""
    found = {}
    for node in nodes_behind(out):
        for value in node.saved or ():
            array = value._array if isinstance(value, TensorBase) else value
            if hasattr(array, "nbytes") and getattr(array, "ndim", 0):
                found[id(array)] = array
    return list(found.values())


def test_a_chain_of_tanh_saves_one_array_a_layer():
    x = torch.ones(100, requires_grad=True)
    for layers in (1, 10):
        y = x
        for _ in range(layers):
            y = y.tanh()
        assert len(arrays_saved(y)) == layers


def test_a_sum_saves_nothing_and_a_product_only_the_factors_that_are_needed():
    x, constant = torch.ones(5, requires_grad=True), torch.ones(5) * 3
    assert arrays_saved(((x + constant) - 1).sum()) == []
    (saved,) = arrays_saved(x * constant)
    assert saved is constant._array
    assert len(arrays_saved(x * (x + 1))) == 2


def test_saving_copies_nothing():
    x = torch.ones(5, requires_grad=True) * 1
    (saved,) = arrays_saved(x.log())[-1:]
    assert saved is x._array
