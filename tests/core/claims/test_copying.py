"""Copies of tensors, by ``copy`` and by ``pickle``, and graphs in several threads."""

from __future__ import annotations

import copy
import pickle
import threading

import pytest

import minigrad as torch


def test_a_deep_copy_has_memory_and_gradient_of_its_own():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x * x).sum().backward()
    twin = copy.deepcopy(x)
    with torch.no_grad():
        twin[0] = 9.0
        twin.grad[0] = 9.0
    assert x.tolist() == [1.0, 2.0] and x.grad.tolist() == [2.0, 4.0]
    assert twin.requires_grad and twin.is_leaf


def test_a_tensor_that_stands_twice_is_copied_once():
    x = torch.tensor(1.0, requires_grad=True)
    a, b = copy.deepcopy([x, x])
    assert a is b and a is not x


@pytest.mark.parametrize(
    "show", [lambda x: x[:1], lambda x: x.detach(), lambda x: x.view(2, 1)[1:]]
)
def test_who_shows_the_same_memory_does_so_in_each_copy(show):
    x = torch.tensor([1.0, 2.0])
    pair = [x, show(x)]
    for _ in range(3):
        pair = copy.deepcopy(pair)
        pair[1].zero_()
        assert pair[0].tolist() != [1.0, 2.0]
        pair[0].fill_(3.0)
        assert set(pair[1].reshape(-1).tolist()) == {3.0}
        pair[0][0], pair[0][1] = 1.0, 2.0
    assert x.tolist() == [1.0, 2.0]


def test_a_result_cannot_be_deep_copied():
    x = torch.tensor(1.0, requires_grad=True)
    with pytest.raises(RuntimeError, match="graph leaves"):
        copy.deepcopy(x * 2)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickled_tensor_comes_back_equal(protocol):
    for original in (
        torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True),
        torch.tensor([1, 2, 3]),
        torch.tensor(True),
        torch.tensor([[1.0, 2.0], [3.0, 4.0]]).T,
    ):
        back = pickle.loads(pickle.dumps(original, protocol))
        assert back.tolist() == original.tolist()
        assert (back.dtype, back.requires_grad) == (original.dtype, original.requires_grad)


def test_dtypes_are_pickled_by_reference():
    for dtype in (torch.float32, torch.int64, torch.bool):
        assert pickle.loads(pickle.dumps(dtype)) is dtype
        assert copy.deepcopy(dtype) is dtype


@pytest.mark.threads
def test_graphs_in_several_threads_do_not_mix():
    shared = torch.tensor(2.0, requires_grad=True)
    found = {}

    def work(number):
        x = torch.tensor(float(number), requires_grad=True)
        h = x
        for _ in range(200):
            h = h * 1.0 + 0.0 * shared
        (found[number],) = torch.autograd.grad(h * h, x)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {n: g.item() for n, g in found.items()} == {n: 2.0 * n for n in range(8)}


@pytest.mark.threads
def test_several_threads_may_walk_one_graph_that_is_retained():
    x = torch.tensor(1.5, requires_grad=True)
    y = torch.tanh(x * x)
    slopes = []

    def work():
        slopes.append(torch.autograd.grad(y, x, retain_graph=True)[0].item())

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(slopes)) == 1 and len(slopes) == 8
