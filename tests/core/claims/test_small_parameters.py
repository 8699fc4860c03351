"""Small parameters that move together take exactly the steps that they would take alone."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref

import numpy as np
import pytest

import minigrad as torch
from minigrad.fast import small_parameters

MAKE = {
    "Adam": lambda params: torch.optim.Adam(params, lr=0.1),
    "Adam, all options": lambda params: torch.optim.Adam(
        params, lr=0.1, amsgrad=True, weight_decay=0.1, maximize=True
    ),
    "AdamW": lambda params: torch.optim.AdamW(params, lr=0.1),
    "RMSprop": lambda params: torch.optim.RMSprop(params, momentum=0.5, centered=True),
    "Adagrad": lambda params: torch.optim.Adagrad(params, lr=0.1, lr_decay=0.1),
}


def parameters():
    """Of several shapes (one larger than what moves together) and dtypes; one is transposed."""
    torch.manual_seed(0)
    made = [torch.randn(3, 4), torch.randn(()), torch.randn(4, 2).T, torch.randn(65, 65)]
    made += [torch.randn(5, dtype=torch.float64), torch.randn(2, dtype=torch.float64)]
    return [part.requires_grad_() for part in made]


def trained(make, change=lambda number, optimiser, params: None, steps=8):
    """Parameters and optimiser after some steps; ``change`` may interfere before each of them."""
    params = parameters()
    optimiser = make(params)
    for number in range(steps):
        optimiser.zero_grad()
        sum((w * w * w).sum().to(torch.float32) for w in params).backward()
        optimiser = change(number, optimiser, params) or optimiser
        optimiser.step()
    return params, optimiser


def contents(params, optimiser):
    kept = [(name, k.tolist()) for w in params for name, k in optimiser.state[w].items()]
    return [w.tolist() for w in params], kept


def same_as_alone(monkeypatch, make, change=lambda number, optimiser, params: None):
    together_result = contents(*trained(make, change))
    monkeypatch.setattr(small_parameters, "SMALL", -1)
    return together_result == contents(*trained(make, change))


@pytest.fixture(params=MAKE, ids=list(MAKE))
def make(request):
    return MAKE[request.param]


def test_values_and_states_are_equal_to_the_last_bit(monkeypatch, make):
    assert same_as_alone(monkeypatch, make)


def test_small_ones_of_the_first_dtype_do_move_together(make):
    params, optimiser = trained(make)
    (moved,) = optimiser._small.values()
    assert [id(w) for w in moved.params] == [id(w) for w in params[:3]]
    assert len(moved.w) == 3 * 4 + 1 + 4 * 2


def without_gradient(number, optimiser, params):
    if number in (3, 4):
        params[1].grad = None


def frozen_at_first(number, optimiser, params):
    if number < 4:
        params[0].grad = None


def other_state(number, optimiser, params):
    if number == 4:
        state = optimiser.state[params[0]]
        name = next(name for name in state if name != "step")
        state[name] = torch.ones_like(params[0]).detach()


def other_memory_of_a_state(number, optimiser, params):
    if number == 4:
        name = next(name for name in optimiser.state[params[0]] if name != "step")
        optimiser.state[params[0]][name].data = torch.full((3, 4), 0.5)


def written_state(number, optimiser, params):
    if number == 4:
        for kept in optimiser.state[params[2]].values():
            kept.mul_(0.5).add_(1.0)


def plain_number_of_steps(number, optimiser, params):
    if number == 4:
        optimiser.state[params[0]]["step"] = 2


def cleared(number, optimiser, params):
    if number == 4:
        optimiser.state.clear()


def one_forgotten(number, optimiser, params):
    if number == 4 and not isinstance(optimiser, torch.optim.Adagrad):
        del optimiser.state[params[1]]


def other_values(number, optimiser, params):
    if number == 4:
        params[0].data = torch.full((3, 4), 0.25)


def loaded(number, optimiser, params):
    if number == 4:
        optimiser.load_state_dict(copy.deepcopy(optimiser.state_dict()))


def continued_by_another(number, optimiser, params):
    if number == 4:
        other = type(optimiser)(params)
        other.load_state_dict(optimiser.state_dict())
        return other


def a_group_more(number, optimiser, params):
    if number == 4:
        more = torch.ones(2, requires_grad=True)
        more.grad = torch.ones(2)
        optimiser.add_param_group({"params": [more], "lr": 0.5})


def one_taken_out(number, optimiser, params):
    if number == 4:
        optimiser.param_groups[0]["params"].pop(1)


CHANGES = [
    without_gradient,
    frozen_at_first,
    other_state,
    other_memory_of_a_state,
    written_state,
    plain_number_of_steps,
    cleared,
    one_forgotten,
    other_values,
    loaded,
    continued_by_another,
    a_group_more,
    one_taken_out,
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_whatever_a_program_does_in_between(monkeypatch, make, change):
    assert same_as_alone(monkeypatch, make, change)


def test_parameters_whose_dtype_changes_lose_no_digit(monkeypatch):
    def to_double(number, optimiser, params):
        if number == 4:
            for w in params[:2]:
                w.data, w.grad = w.data.double(), w.grad.double()

    assert same_as_alone(monkeypatch, MAKE["AdamW"], to_double)


def test_a_state_in_another_order_is_an_error_and_no_mixture():
    def optimiser(*shapes):
        params = [torch.ones(shape, requires_grad=True) for shape in shapes]
        for w in params:
            w.grad = torch.ones_like(w)
        made = torch.optim.Adam(params)
        made.step()
        return made

    before, after = optimiser((2, 3), (3, 2)), optimiser((3, 2), (2, 3))
    after.load_state_dict(before.state_dict())
    with pytest.raises(RuntimeError, match=r"(?s)match.*fix: .* order"):
        after.step()


def test_parameters_that_share_memory_move_one_after_the_other(monkeypatch):
    def run():
        base = torch.ones(4)
        left, right = torch.nn.Parameter(base[:3]), torch.nn.Parameter(base[1:])
        optimiser = torch.optim.Adam([left, right], lr=0.1)
        for _ in range(5):
            left.grad, right.grad = torch.tensor([1.0, -2.0, 3.0]), torch.tensor([4.0, 5.0, 6.0])
            optimiser.step()
        return base.tolist()

    assert np.ptp(run()) > 0
    found = run()
    monkeypatch.setattr(small_parameters, "SMALL", -1)
    assert found == run()


def test_what_is_kept_of_a_parameter_stays_the_same_tensor_and_counts_its_writes():
    w, v = (torch.tensor([1.0, 2.0], requires_grad=True) for _ in "wv")
    optimiser = torch.optim.Adam([w, v])
    (w * v).sum().backward()
    optimiser.step()
    kept = optimiser.state[w]["exp_avg"]
    before, value = kept._version, kept.tolist()
    for _ in range(3):
        optimiser.step()
    assert kept is optimiser.state[w]["exp_avg"]
    assert kept._version > before
    assert kept.tolist() != value


def test_a_copy_of_an_optimiser_leaves_the_original_alone():
    params, optimiser = trained(MAKE["Adam"])
    before = contents(params, optimiser)
    twin = copy.deepcopy({"params": params, "optimiser": optimiser})
    for w in twin["params"]:
        w.grad = torch.ones_like(w)
    twin["optimiser"].step()
    twin["optimiser"].step()
    assert contents(params, optimiser) == before
    assert contents(twin["params"], twin["optimiser"]) != before


def test_a_parameter_that_is_wrapped_again_moves_once(monkeypatch):
    def wrapped_again(number, optimiser, params):
        if number == 4:
            again = [torch.nn.Parameter(w.data) for w in params]
            for old, new in zip(params, again):
                new.grad = old.grad
                optimiser.state[new] = optimiser.state.pop(old)
            optimiser.param_groups[0]["params"] = params[:] = again

    assert same_as_alone(monkeypatch, MAKE["Adam"], wrapped_again)


def test_views_of_a_state_show_it_from_the_first_step_on():
    params, optimiser = trained(MAKE["Adam"], steps=1)
    kept = optimiser.state[params[0]]["exp_avg"]
    views = kept.view(-1), kept.detach().view(-1), torch.from_numpy(kept.numpy()).view(-1)
    optimiser.step()
    assert [view.tolist() for view in views] == [kept.view(-1).tolist()] * 3


def test_a_group_that_is_taken_out_is_not_kept():
    params = parameters()
    optimiser = torch.optim.Adam([{"params": params[:1]}, {"params": params[1:3]}])
    for w in params:
        w.grad = torch.ones_like(w)
    optimiser.step()
    gone = weakref.ref(params[2])
    for w in optimiser.param_groups.pop()["params"]:
        del optimiser.state[w]
    del params[1:], w
    optimiser.step()
    gc.collect()
    assert gone() is None


def test_an_option_that_cannot_be_gets_an_error_of_its_own():
    _, optimiser = trained(MAKE["Adam"], steps=2)
    optimiser.param_groups[0]["betas"] = (0.9, 1.1)
    with pytest.raises(ValueError, match="math domain error"):
        optimiser.step()


def test_an_optimiser_goes_on_after_pickling():
    params, optimiser = trained(MAKE["Adam"])
    twins, other = pickle.loads(pickle.dumps((params, optimiser)))
    for one, two in zip(params, twins):
        one.grad = two.grad = torch.ones_like(one)
    optimiser.step()
    other.step()
    assert contents(params, optimiser) == contents(twins, other)
