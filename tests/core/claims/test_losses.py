"""What loss functions say, beyond PyTorch's words, of shapes that do not fit."""

from __future__ import annotations

import warnings

import pytest

import minigrad as torch

F = torch.nn.functional


@pytest.mark.parametrize("name", ["mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss"])
def test_predictions_and_targets_of_different_shapes_are_warned_of(name):
    with pytest.warns(UserWarning, match="Using a target size") as caught:
        getattr(F, name)(torch.zeros(3, 1), torch.zeros(3))
    assert "MG112" in str(caught[0].message)
    assert caught[0].filename == __file__


def test_equal_shapes_are_not_warned_of():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        F.mse_loss(torch.zeros(3, 1), torch.zeros(3, 1))


def test_explain_has_a_page_on_it(capsys):
    torch.explain("MG112")
    assert "squeeze(1)" in capsys.readouterr().out


def test_overflow_in_a_loss_is_a_result_and_not_numpys_warning():
    with warnings.catch_warnings(record=True) as caught:
        assert F.mse_loss(torch.full((2,), 1e30), torch.zeros(2)).item() == float("inf")
    assert not caught


@pytest.mark.parametrize("classes", [3, 100])
def test_the_gradient_of_cross_entropy_lies_in_memory_row_by_row(classes):
    x, seen = torch.randn(4, classes).requires_grad_(), []
    z = x * 2
    z.register_hook(lambda g: seen.append(g.stride()))
    F.cross_entropy(z, torch.tensor([0, 1, 2, 0])).backward()
    assert seen == [(classes, 1)]
    assert x.grad.view(-1).shape == (4 * classes,)
