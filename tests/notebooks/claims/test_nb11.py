"""What notebook 11 claims, asserted on the notebook as it was run."""

from __future__ import annotations

import gc
import itertools
import math
import weakref
from pathlib import Path

import nbformat
import numpy as np
import pytest

import minigrad as torch

NOTEBOOK = Path(__file__).parents[3] / "notebooks" / "11_your_own_rule.ipynb"


def runs(ran):
    return ran.names["nb11_runs"]


def questions(ran):
    return ran.names["nb11"]


def test_a_training_on_rounded_fares_stands_still(ran):
    rate, losses = ran.names["train"](torch.round)
    assert rate.item() == 2 and rate.grad.item() == 0 and losses[0] == losses[-1] == 11
    assert "rate is 2.00, and its gradient 0.0" in ran.printed["round-run"]
    assert "by a nudge: 0.0" in ran.printed["round-run"]
    assert questions(ran).what_arrives().answer == "0"


@pytest.mark.parametrize("operation", [torch.round, torch.floor, torch.sign])
def test_a_slope_is_0_also_at_a_jump(ran, operation):
    for at in (0.3, 0.0, 0.5, 1.0):
        assert runs(ran).slope(operation, at) == 0


def test_a_nudge_at_a_jump_measures_the_jump(ran):
    nudged, km, fare = (ran.names[name] for name in ("nudged", "km", "fare"))

    def loss_with(operation):
        return lambda rate: ((operation(rate * km) + 4 - fare) ** 2).mean()

    assert nudged(loss_with(torch.sign), 2.0) == nudged(loss_with(torch.floor), 2.1) == 0
    assert nudged(loss_with(torch.floor), 2.0) == pytest.approx(-3_500_000)
    assert ran.names["train"](torch.floor)[0].grad.item() == 0
    source = next(c.source for c in nbformat.read(NOTEBOOK, 4).cells if c.id == "round-run")
    assert "2.0" in source.splitlines()[-2]  # "the last line but one"


def test_a_nudge_judges_the_loss_of_the_receipts(ran):
    nudged, km, fare = (ran.names[name] for name in ("nudged", "km", "fare"))

    def loss(rate):
        return ((rate * km + 4 - fare) ** 2).mean()

    for at in (2.0, 2.1):
        by_rule = runs(ran).slope(loss, at)
        assert nudged(loss, at) == pytest.approx(by_rule, rel=1e-6) == pytest.approx(22 * (at - 3))


def test_without_apply_it_is_an_error(ran):
    with pytest.raises(RuntimeError, match=r"RoundStraight\.apply\(\.\.\.\) calls it"):
        ran.names["RoundStraight"](torch.tensor(2.6))


def test_with_a_slope_of_1_it_arrives_within_a_dozen_steps(ran):
    rate, losses = ran.names["train"](ran.names["RoundStraight"].apply)
    assert losses.index(0) <= 12 and losses[-1] == 0
    assert rate.item() == pytest.approx(2.91, abs=0.005)
    assert [round(2.91 * km) for km in range(1, 6)] == [3, 6, 9, 12, 15]
    assert questions(ran).still_learns().answer == "the rate moves towards 3"


def test_half_euros():
    assert round(2 * 2.6) / 2 == 2.5


def test_the_staircase_is_that_of_the_operation(ran, monkeypatch):
    told = []
    monkeypatch.setattr(runs(ran).plots, "show", lambda axes, text: told.append(text))
    for operation in (torch.round, lambda x: torch.round(2 * x) / 2, lambda x: x):
        runs(ran).show_stairs(operation)
    runs(ran).show_stairs(lambda x: ...)  # an unfinished forward(): nothing is drawn
    assert "each of 1 euro, at 0.5, 1.5, 2.5, 3.5. A dashed line through 0" in told[0]
    assert ["4 jumps, each of 1 euro" in told[0], "10 jumps, each of 0.5 euro" in told[1]] == [1, 1]
    assert "0 jumps. A dashed" in told[2] and len(told) == 3
    runs(ran).show_stairs(torch.sign)
    assert "1 jump, each of 2 euro" in told[3] and "No line of slope 1" in told[3]
    runs(ran).show_stairs(torch.floor)
    assert "at 0, 1, 2, 3, 4. A dashed line that passes 0 at the height -0.5" in told[4]


def test_the_axes_hold_the_whole_staircase(ran, monkeypatch):
    shown = []
    monkeypatch.setattr(runs(ran).plots, "show", lambda axes, text: shown.append(axes))
    for operation in (torch.sign, torch.ceil, torch.round):
        runs(ran).show_stairs(operation)
        low, high = shown[-1].get_ylim()
        assert low < -1 or operation is not torch.sign
        assert high > 5 or operation is not torch.ceil
    assert shown[-1].get_ylim() == (-0.6, 4.6)


def other(ran, factor):
    class Other(ran.names["RoundStraight"]):
        @staticmethod
        def backward(ctx, g):
            return factor * g

    return Other.apply


@pytest.mark.parametrize(("factor", "arrives"), [(2, True), (0.1, False), (-1, False), (20, False)])
def test_other_slopes_get_there_or_not(ran, factor, arrives):
    _, losses = ran.names["train"](other(ran, factor))
    assert (losses[-1] == 0) is arrives


def test_how_far_they_get(ran):
    train = ran.names["train"]
    assert train(other(ran, 2))[1].index(0) == 4  # the fifth loss
    assert train(other(ran, 0.1))[1][-1] == pytest.approx(0.8)  # after 60 steps
    assert train(other(ran, 0.1), steps=300)[1][-1] == 0
    assert train(other(ran, -1))[0].item() == pytest.approx(-150_000, rel=0.01)
    rates = [train(other(ran, 20), steps=steps)[0].item() for steps in range(1, 8)]
    assert rates[0] == pytest.approx(6.4)
    away = [abs(rate - 3) for rate in rates]
    assert away == sorted(away) and all((a - 3) * (b - 3) < 0 for a, b in itertools.pairwise(rates))


def test_the_rule_of_the_cube_multiplies_what_arrives(ran):
    x = torch.tensor(2.0, requires_grad=True)
    (10 * ran.names["Cube"].apply(x)).backward()
    assert x.grad.item() == 10 * 3 * 2**2 == questions(ran).sent_back().answer


def test_a_plain_number_is_kept_and_gets_no_gradient(ran):
    assert "gradient 12.0000, by a nudge 12.0000" in ran.printed["power"]


def test_what_a_rule_has_saved_must_not_be_written_over(ran):
    h = torch.tensor([2.0], requires_grad=True) * 1
    y = ran.names["Cube"].apply(h)
    h += 1
    with pytest.raises(RuntimeError, match="MG104"):
        y.sum().backward()


def test_a_gradient_that_is_too_small_is_an_error_and_one_that_is_too_large_is_added_up(ran):
    nudge, small, large, right = ran.printed["inputs-errors"].splitlines()
    assert nudge.endswith("3.0000")
    assert small.startswith("WrongShape: RuntimeError") and "invalid gradient" in small
    assert large == "TooLarge: [6.0, 6.0, 6.0]" and right == "Cube: [3.0, 3.0, 3.0]"


def test_entries_of_none_too_many_pass_and_others_do_not(ran):
    def sending(*entries):
        class Sends(ran.names["Cube"]):
            @staticmethod
            def backward(ctx, g):
                return tuple(g if entry else None for entry in entries)

        x = torch.tensor(2.0, requires_grad=True)
        Sends.apply(x).backward()
        return x.grad.item()

    assert sending(1, 0, 0) == 1
    for entries in ((1, 1), ()):
        with pytest.raises(RuntimeError, match="incorrect number of gradients"):
            sending(*entries)


def test_a_tensor_kept_as_an_attribute_has_no_guard_and_stays(ran):
    class Attribute(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.x = x
            return x**3

        @staticmethod
        def backward(ctx, g):
            return g * 3 * ctx.x**2

    x = torch.tensor(2.0, requires_grad=True)
    h = x * 1
    y = Attribute.apply(h)
    h += 1
    y.backward()
    assert x.grad.item() == 27  # of 3, and not of the 2 that went in
    for rule, stays in ((Attribute, True), (ran.names["Cube"], False)):
        h = x * 1
        seen, y = weakref.ref(h), rule.apply(h)
        del h
        y.backward()
        gc.collect()
        assert (seen() is not None) is stays


def test_a_rule_for_two_matrices(ran):
    assert ran.printed["product"].strip() == "True"

    class Untransposed(ran.names["Product"]):
        @staticmethod
        def backward(ctx, g):
            a, b = ctx.saved_tensors
            return g @ b, a @ g

    def checked(*shapes):
        both = [torch.randn(shape, dtype=torch.float64, requires_grad=True) for shape in shapes]
        return runs(ran).tried(lambda: torch.autograd.gradcheck(Untransposed.apply, both))

    assert "cannot be multiplied" in checked((3, 4), (4, 2))
    assert "GradcheckError: Jacobian mismatch" in checked((2, 2), (2, 2))


def test_a_rule_that_can_be_differentiated_once(ran):
    class Once(ran.names["Cube"]):
        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * 3 * x**2

    x = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradgradcheck(ran.names["Cube"].apply, (x,))
    (slope,) = torch.autograd.grad(Once.apply(x) ** 2, x, create_graph=True)
    with pytest.raises(RuntimeError, match="differentiate twice"):
        (slope * x).backward()
    (slope,) = torch.autograd.grad(Once.apply(x), x, create_graph=True)
    (slope * x).backward()  # the 1 that arrives has no history: no error, as in PyTorch
    assert x.grad.item() == 12


def test_a_wrong_rule_passes_at_1_and_fails_at_2(ran):
    first, second, *_ = ran.printed["check-run"].splitlines()
    assert first == "at 1.0: True" and second.startswith("at 2.0: GradcheckError")
    assert questions(ran).passes_at_one().answer == "it passes at 1 only"


def test_a_rule_without_g_is_reported(ran):
    said = "GradcheckError: backward not multiplied by grad_output"
    assert said in ran.printed["alone-run"] and "Cube: True" in ran.printed["alone-run"]
    assert questions(ran).without_g().answer == "something other than the slope"


def test_where_a_rule_without_g_shows(ran):
    alone, cube = ran.names["SlopeAlone"].apply, ran.names["Cube"].apply

    def gradients(around):
        found = []
        for rule in (alone, cube):
            x = torch.tensor([2.0, 3.0], requires_grad=True)
            around(rule(x)).backward()
            found.append(x.grad.tolist())
        return found[0] == found[1]

    assert all(map(gradients, (torch.sum, lambda y: y.sum() + 4)))
    behind = (torch.mean, lambda y: (y**2).sum(), lambda y: (7 * y).sum())
    assert not any(map(gradients, behind))


def test_a_rule_wrong_on_purpose_is_reported_and_fits_what_it_pretends(ran):
    first, second = ran.printed["purpose-run"].split("against what it pretends:")
    assert "numerical: 0" in first and "analytical: 1" in first and "True" in second
    assert questions(ran).on_purpose().answer == "a mismatch"
    fits = ran.names["same_slope"]
    assert not fits(ran.names["SlopeAlone"].apply, lambda x: x**3, 2.0)
    assert not fits(ran.names["Forgot"].apply, lambda x: x**3, 2.0)


def test_a_right_rule_is_reported_in_float32(ran):
    said = ran.printed["digits-run"]
    assert "UserWarning" in said and "GradcheckError" in said
    assert said.splitlines()[-1] == "torch.float64: True"
    assert float(said.split("analytical:")[1].split()[0]) == pytest.approx(1.47)
    assert float(said.split("numerical:")[1].split()[0]) != pytest.approx(1.47, rel=0.005)


def test_the_price_of_a_ride_at_twice_the_demand(ran):
    assert 10 * ran.names["Cube"].apply(torch.tensor(2.0)).item() == 80
    assert "by a nudge: 120.0000" in ran.printed["cube-view"]


def test_the_training_does_not_notice_a_wrong_rule(ran):
    search, right, wrong = (ran.names[name] for name in ("search", "Cube", "Forgot"))
    assert [search(one, 1.5, 8.0)[0] for one in (right, wrong)] == [2.0, 2.0]
    assert search(right, -1.5, -8.0)[0] == -2.0
    found, loss = search(wrong, -1.5, -8.0)
    assert found == 0 and loss > ((-1.5) ** 3 + 8) ** 2
    assert questions(ran).who_stays_away().answer == "Forgot from −1.5"


def test_a_slope_that_is_not_the_borrowed_one_is_a_mistake(ran):
    class TimesX(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return torch.round(x)

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * x

    fits, checked = ran.names["same_slope"], ran.names["checked"]
    for rule, borrows in ((ran.names["RoundStraight"], True), (TimesX, False)):
        assert "GradcheckError" in checked(rule.apply, 2.6)
        assert fits(rule.apply, lambda x: x, 2.6) is borrows
    assert questions(ran).borrowed().answer == "the one with g * x"


@pytest.mark.parametrize(
    ("needed", "first", "behind"),
    [
        (("setup",), "cube", "forgot"),
        (("setup", "straight", "cube"), "forgot", "step-guess"),
        (("setup", "cube", "forgot"), "step-guess", "masked-guess"),
        (("setup",), "masked-guess", None),
    ],
)
def test_who_comes_back_needs_few_cells(ran, needed, first, behind):
    cells = [cell for cell in nbformat.read(NOTEBOOK, 4).cells if cell.cell_type == "code"]
    ids = [cell.id for cell in cells]
    names: dict = {}
    sitting = cells[ids.index(first) : ids.index(behind) if behind else None]
    for cell in [*(cells[ids.index(one)] for one in needed), *sitting]:
        exec(cell.source, names)


def test_the_best_steps_differ_as_the_digits_do(ran):
    (step32, error32), (step64, error64) = map(runs(ran).best, (np.float32, np.float64))
    assert step32 == pytest.approx(1e-3) and step64 == pytest.approx(1e-6)
    assert error64 < 1e-9 < 1e-6 < error32 < 1e-3
    assert runs(ran).error(np.float32, h=1e-6) > 0.01
    for name, step in (("float32", "0.001"), ("float64", "1e-06")):
        assert f"{name}: best with h = {step}, wrong by" in ran.printed["step-run"]
    assert questions(ran).best_step().answer == 0.001


@pytest.mark.parametrize("point", [0.3, 0.7, 1.1])
@pytest.mark.parametrize("function", [lambda x: x**3, torch.exp])
def test_they_do_so_elsewhere_too(ran, function, point):
    assert 1e-4 <= runs(ran).best(np.float32, function, point)[0] <= 1e-1
    assert 1e-7 <= runs(ran).best(np.float64, function, point)[0] <= 1e-4


def test_how_far_the_best_steps_move(ran):
    best = runs(ran).best
    steps = [best(kind, torch.exp, 0.7)[0] for kind in (np.float32, np.float64)]
    assert steps == pytest.approx([1e-2, 1e-6])
    for function in (lambda x: x**3, torch.exp):
        for point in (0.3, 0.5, 0.7, 1.0, 1.1, 2.0, 3.0, 5.0):
            assert any(map(np.isclose, [best(np.float32, function, point)[0]] * 2, (1e-3, 1e-2)))
            assert any(map(np.isclose, [best(np.float64, function, point)[0]] * 2, (1e-6, 1e-5)))
    assert best(np.float32, torch.exp, 1.3)[0] == pytest.approx(1e-4)
    assert best(np.float32, lambda x: x**3, 100.0)[1] == 0
    said = runs(ran).said_of_best(np.float32, lambda x: x**3, 100.0)
    assert said.endswith("by chance without any error")


def test_where_there_is_no_share_none_is_told(ran, capsys):
    for function, at, said in (
        (lambda x: x**3, 0.0, "The slope at 0 is 0"),
        (torch.round, 0.7, "The slope at 0.7 is 0"),
        (lambda x: torch.sqrt(x - 5), 0.7, "no finite slope at 0.7"),
        (lambda x: 5.0, 0.7, "not made from x"),
        (torch.log, 0.05, "Somewhere within 0.1 of 0.05"),
        (torch.exp, 100.0, "no finite float32"),
        (lambda x: x.expand(2), 0.7, "price returns 2 numbers"),
        (torch.exp, [0.7], "One point is wanted"),
    ):
        runs(ran).show_errors(function, at)
        told = capsys.readouterr().out
        assert said in told and "best" not in told


def test_no_nudge_comes_near_a_rule_that_is_wrong_on_purpose(ran):
    straight = ran.names["RoundStraight"].apply
    assert "no nudge comes near" in runs(ran).said_of_best(np.float64, straight, 0.7)


def test_the_sign_is_named_only_where_it_is_wrong_everywhere(ran):
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x**2

        @staticmethod
        def backward(ctx, g):
            return 2 * g

    said = questions(ran).own.judge((Twice, -1, 2))
    assert "numerical: -2, analytical: 2" in said and "sign" not in said


def test_a_larger_nudge_lets_the_rule_pass_in_float32():
    for eps in (1e-3, 1e-2):
        x = torch.tensor(0.7, requires_grad=True)
        with pytest.warns(UserWarning, match="double precision"):
            assert torch.autograd.gradcheck(lambda x: x**3, (x,), eps=eps)


def test_what_the_tolerance_lets_pass(ran):
    first, second, *_ = ran.printed["almost-run"].splitlines()
    assert first == "rtol = 0.001: True" and second.startswith("rtol = 1e-06: GradcheckError")
    assert questions(ran).too_steep().answer == "it passes the first time only"

    def passes(slope, function=lambda x: x**3, points=(1.7, -0.3)):
        class Rule(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return function(x)

            @staticmethod
            def backward(ctx, g):
                return g * slope(*ctx.saved_tensors)

        x = torch.tensor(points, dtype=torch.float64, requires_grad=True)
        return torch.autograd.gradcheck(Rule.apply, (x,), raise_exception=False)

    assert passes(lambda x: 3.003 * x**2) and not passes(lambda x: 3.004 * x**2)
    assert passes(lambda x: 0 * x, lambda x: 1e-6 * x)


def test_the_exponential_in_softplus_is_infinite_beyond_88():
    assert [torch.exp(torch.tensor(at)).isinf().item() for at in (88.0, 89.0)] == [False, True]
    assert torch.nn.functional.softplus(torch.tensor(100.0)).item() == 100


def test_gradcheck_warns_in_float32():
    x = torch.tensor(0.7, requires_grad=True)
    with pytest.warns(UserWarning, match="double precision"):
        torch.autograd.gradcheck(lambda x: x * 2, (x,), raise_exception=False)


def test_abs_passes_at_its_kink_and_relu_does_not(ran):
    lines = ran.printed["kink-run"].splitlines()
    assert lines[0].endswith("True") and "GradcheckError" in lines[1]
    assert "numerical: 0.5" in ran.printed["kink-run"]
    receipts = ran.printed["kink-run"].split("the receipts:")[1]
    assert "numerical: 1.5" in receipts and "analytical: 0" in receipts
    much = ran.names["paid_too_much"]
    sides = [runs(ran).slope(much, at) for at in (2.999, 3.001)]
    assert sides == pytest.approx([0, 3]) and ran.names["km"].mean().item() == 3
    assert [runs(ran).slope(one, 0.0) for one in (torch.abs, torch.relu)] == [0, 0]
    assert questions(ran).at_a_kink().answer == "it passes"


def test_the_choices_at_the_kinks(ran):
    chosen = [float(line.split()[-1]) for line in ran.printed["chosen"].splitlines()[:5]]
    assert chosen == [0, 0, math.inf, 1, 0] and "1e+06" in ran.printed["chosen"]
    assert questions(ran).not_zero().answer == "C and D"
    words = questions(ran).kinks.answer()
    assert words == ["choice", "slope", "infinite", "choice", "jump"]


def test_a_mask_around_the_root_lets_nan_through(ran):
    masked, inside, nudge = ran.printed["masked-run"].splitlines()
    assert masked.endswith("gradient nan") and inside == "value 0.0, gradient 0.0"
    assert questions(ran).masked().answer == "nan" and nudge.endswith("500")
    sides, nudged = ran.names["inside"], ran.names["nudged"]
    assert nudged(sides, 0.0, h=1e-8) > nudged(sides, 0.0)


def test_rounding_errors_of_large_values_are_no_jump(ran):
    class Large(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return 1e6 * x**2

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * 2e6 * x

    assert questions(ran).own.judge((Large, -100, 100)) == ""


def test_on_paper(ran):
    assert questions(ran).on_paper().answer == 2 * 4 * 3 * 2 == 48


def test_the_questions_about_earlier_lessons(ran):
    x = torch.ones(4, 3, requires_grad=True)
    x.sum(0).backward(torch.ones(3))
    assert x.grad.numel() == questions(ran).shape_back().answer == 12
    w = torch.tensor(2.0, requires_grad=True)
    (w * w * w).backward()
    assert w.grad.item() == questions(ran).over_two_paths().answer == 12
    for operation, right in ((torch.exp, False), (torch.sin, True)):
        y = operation(torch.ones(2, requires_grad=True))
        y += 1
        if right:
            y.sum().backward()
        else:
            with pytest.raises(RuntimeError, match="MG104"):
                y.sum().backward()
    assert questions(ran).saved_input().answer == "z only"
