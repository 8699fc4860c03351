"""What notebook 12 claims, asserted on the notebook as it was run."""

from __future__ import annotations

import inspect
import re
from itertools import pairwise
from pathlib import Path

import pytest

import minigrad as torch

ROOT = Path(__file__).resolve().parents[3]


def runs(ran):
    return ran.names["nb12_runs"]


def questions(ran):
    return ran.names["nb12"]


def test_the_border_of_the_learning_rate_is_2_over_the_curvature(ran):
    loss_of, descent = ran.names["loss_of"], runs(ran).descent
    slopes = []
    for at in (2.0, 1.0):
        rate = torch.tensor(at, requires_grad=True)
        slopes.append(torch.autograd.grad(loss_of(rate), rate)[0].item())
    assert slopes == [-22, -44] and loss_of(torch.tensor(2.0)).item() == 11
    assert pytest.approx(0.091, abs=1e-4) == 2 / 22
    lines = ran.printed["how-long-run"].splitlines()
    assert [float(line.split()[-1]) > 11 for line in lines] == 5 * [False] + 2 * [True]
    assert descent(loss_of, 0.0905, start=-50)[-1] < descent(loss_of, 0.0905, start=-50)[0]
    assert descent(loss_of, 0.0915, start=-50)[-1] > descent(loss_of, 0.0915, start=-50)[0]
    for lr in (0.05, 0.09, 0.0905):
        assert descent(loss_of, lr)[-1] < 11
    for lr in (0.0915, 0.092, 0.1):
        losses = descent(loss_of, lr)
        assert losses == sorted(losses)
    assert questions(ran).how_long().answer == "0.09"


def test_only_create_graph_gives_a_gradient_a_history(ran):
    retained, created = ran.printed["option-run"].split("create_graph=True")
    assert "does not require grad" in retained and "curvature: 22.0\n" in created
    assert questions(ran).which_option().answer == "create_graph=True"


def test_a_nudge_says_the_same_of_each_kind_of_gradient(ran):
    """Of a slope, a curvature, a product, a penalty, and a slope seen from the learning rate."""
    assert "slope -22, nudged -22.00" in ran.printed["setup"]
    assert "slope -44, nudged -44.00" in ran.printed["setup"]
    assert "moves by 22.00 for each unit" in ran.printed["option-run"]
    bend, by_nudge = (numbers(line) for line in ran.printed["bend-run"].splitlines())
    assert [bend[0]] == by_nudge
    assert ran.printed["sign-run"].splitlines() == [
        "with the lesson's own recorded step",
        "slope -484.00, nudged -484.00",
    ]
    for line in ran.printed["learned-run"].splitlines()[:5]:
        of_lr, by_nudge = line.split("its slope")[1].split(", nudged")
        assert float(of_lr) == pytest.approx(float(by_nudge), abs=0.02)
    table, along, later = (
        ran.printed[cell] for cell in ("taxi-table", "largest-slopes", "later-slope")
    )
    ways = later.splitlines()[1:]
    assert len(ways) == 2
    for told in (table, along.split("at the start")[1].splitlines()[0], *ways):
        one, other = (numbers(part) for part in told.split("nudged"))
        assert one == other and any(one)
    own, *products = ran.printed["product-nudge"].splitlines()
    assert own == "with the lesson's own product" and len(products) == 4
    for line in [*products, " ".join(ran.printed["penalty-run"].split("\n"))]:
        one, other = (float(word.strip(",")) for word in line.split() if is_number(word))
        assert one == pytest.approx(other, abs=2e-3) and one != 0


def numbers(text):
    return [float(one) for one in re.findall(r"-?\d+\.\d+", text)]


def is_number(word):
    return word.strip(",-").replace(".", "").isdigit() and "." in word.strip(",")


def test_the_slope_has_some_more_nodes(ran):
    assert "5 nodes behind the loss, 8 behind its slope" in ran.printed["more-run"]
    assert questions(ran).how_many_more().answer == "between 5 and 10"


def test_pytorch_has_as_many(ran):
    """Measured with 2.13."""
    pytorch = pytest.importorskip("torch", reason="PyTorch is not installed")
    km, fare = (pytorch.tensor(ran.names[name].tolist()) for name in ("km", "fare"))
    rate = pytorch.tensor(2.0, requires_grad=True)
    loss = ((rate * km + 4 - fare) ** 2).mean()
    (slope,) = pytorch.autograd.grad(loss, rate, create_graph=True)
    nodes = ran.names["nb12"].nodes
    made = [[n for n in nodes(one) if "Accumulate" not in n.name()] for one in (loss, slope)]
    assert [len(one) for one in made] == [5, 8]


def test_pytorch_answers_0_for_the_curvature_of_relu():
    """Where PyTorch is installed."""
    pytorch = pytest.importorskip("torch", reason="PyTorch is not installed")
    place = pytorch.tensor(1.0, requires_grad=True)
    (slope,) = pytorch.autograd.grad(pytorch.relu(place), place, create_graph=True)
    assert slope.grad_fn is not None
    assert pytorch.autograd.grad(slope, place)[0].item() == 0


def test_newton_needs_one_step_for_the_taxi_and_may_go_uphill(ran):
    steps = runs(ran).newton_steps
    assert steps(ran.names["loss_of"], 2.0, 1) == [2.0, 3.0]

    def curve(x):
        return x**4 - 2 * x**2

    assert steps(curve, 2.0, 5)[-1] == 1
    assert steps(curve, 0.3, 5)[-1] == 0
    places, values = ran.printed["where-repaired"].splitlines()
    assert places.startswith("places: 0.3 0.674 1.6881 ") and places.endswith(" 1.0")
    assert values.startswith("values: -0.17 -0.7 2.42 "), "the direction is right, the length not"
    assert 12 * 2**2 - 4 == 44
    assert curve(0.0) > curve(0.3) > curve(1.0) == curve(-1.0)
    assert pytest.approx(-1.09, abs=0.005) == 4 * 0.3**3 - 4 * 0.3
    assert pytest.approx(-2.92, abs=0.005) == 12 * 0.3**2 - 4
    assert questions(ran).where_to().answer == "at 0"


def test_autograd_does_not_see_the_kink_of_relu_and_a_nudge_finds_no_number(ran):
    *lines, said, places = ran.printed["kink-run"].splitlines()
    assert lines.pop() == "One step of Newton's method from 1:"
    assert [numbers(line)[1] for line in lines] == [0, 0, 1]
    assert ["curvature 0.00;" in line for line in lines] == 3 * [True]
    assert [line.split("by ")[1].split()[0] for line in lines] == ["0.00", "50.00", "0.00"]
    assert "the curvature is 0" in said and places == "places: 1.0"

    def slope_there(x):
        return runs(ran).slope_of(torch.relu, x)

    for by, moves in ((0.01, 50), (0.001, 500)):
        assert runs(ran).nudged(slope_there, 0.0, by) == pytest.approx(moves)


def test_at_0_softplus_bends_smoothly_and_the_nudge_agrees(ran):
    softplus = torch.nn.functional.softplus
    assert runs(ran).slopes_at(softplus, 0.0) == pytest.approx((0.5, 0.25))

    def slope_there(x):
        return runs(ran).slope_of(softplus, x)

    assert runs(ran).nudged(slope_there, 0.0) == pytest.approx(0.25, abs=1e-4)


def test_the_slope_of_abs_at_its_kink_is_chosen_and_a_curvature_there_is_none(ran):
    slope_of, nudged = runs(ran).slope_of, runs(ran).nudged
    assert [slope_of(torch.abs, at) for at in (-1.0, 0.0, 1.0)] == [-1, 0, 1]
    for by, moves in ((0.01, 100), (0.001, 1000)):
        assert nudged(lambda x: slope_of(torch.abs, x), 0.0, by) == pytest.approx(moves)
    assert questions(ran).at_the_kink().answer == "there is none"


@pytest.mark.parametrize("curve", [lambda x: x**2, torch.sin, lambda x: x**3])
def test_the_curvature_of_a_parabola_alone_is_how_much_the_slope_grows_in_one_unit(ran, curve):
    (one, curved), (other, _) = (runs(ran).slopes_at(curve, at) for at in (2.0, 3.0))
    assert (other - one == pytest.approx(curved)) == (curve(2.0 * torch.ones(())).item() == 4)


def test_on_a_straight_line_the_helpers_say_that_there_is_no_step(ran, capsys):
    for straight in (lambda x: 3 * x, torch.abs):
        assert runs(ran).newton_steps(straight, 1.0, steps=5) == [1.0]
        assert "at 1 the curvature is 0, as on a straight line" in capsys.readouterr().out


def test_the_slope_of_relu_has_no_history():
    place = torch.tensor(1.0, requires_grad=True)
    (slope,) = torch.autograd.grad(torch.relu(place), place, create_graph=True)
    assert slope.grad_fn is None


def test_the_table_has_so_many_entries(ran):
    assert sum(p.numel() for p in runs(ran).network().parameters()) == 2410
    assert questions(ran).how_many_entries().answer == "about 6 million"
    assert 2410**2 == 5_808_100 and round(2410**2 / 1e6) == 6
    assert round(2410 * 2411 / 2 / 1e6) == 3 and 2410 + 2410 == 4820
    assert round(4 * 2410**2 / 1e6) == 23


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_largest_curvature_tells_how_long_a_step_may_be_at_the_start(ran, seed):
    network, full_steps = runs(ran).network, runs(ran).full_steps
    x, y = runs(ran).some_digits()
    curvature, bend = runs(ran).largest_curvature(network(seed), x, y)
    assert 0.7 < curvature < 1.5
    trained = network(seed)
    short, vanishing = full_steps(trained, x, y, 1 / curvature, along=bend)
    long, growing = full_steps(network(seed), x, y, 4 / curvature, along=bend)
    assert short == sorted(short, reverse=True) and abs(vanishing[1]) < 0.3 * abs(vanishing[0])
    assert long[2] < long[1] < long[0] < max(long), "it falls, then grows"
    assert all(one * other < 0 and abs(other) > abs(one) for one, other in pairwise(growing[:4]))
    later, _ = runs(ran).largest_curvature(trained, x, y)
    assert later > 2 * curvature, "the border holds for the start only"
    assert 2 / later < 1 / curvature, "it is below the learning rate by then"
    _, new = runs(ran).largest_curvature(trained, x, y)
    further, parts = full_steps(trained, x, y, 1 / curvature, along=new)
    assert further == sorted(further, reverse=True), "the loss still falls"
    assert max(map(abs, parts)) < 0.005, "the slope in the new direction is almost 0"


def test_the_slope_in_the_direction_of_the_later_curvature_is_printed(ran):
    rate, later, by_nudge, border = ran.printed["later-run"].splitlines()
    assert later.endswith(" 2.5") and border.startswith("largest at the end 2.5")
    assert border.endswith(", so the border should be at 0.789")
    assert numbers(later) == numbers(by_nudge) and rate.startswith("lr 0.98, ")
    assert numbers(later)[-1] > 2 * numbers(later)[0]
    assert questions(ran).does_it_stay().answer == "it more than doubles"
    every, along, uphill = (numbers(line) for line in ran.printed["later-slope"].splitlines())
    assert len(every) == 13 and max(every) < 0.1
    assert along[0] == along[1] and abs(along[0]) < 0.001 * 1.5
    assert uphill[0] == uphill[1] > 0.25


def test_the_slopes_of_the_picture_are_those_of_a_nudge(ran):
    x, y = runs(ran).some_digits()
    network, full_steps = runs(ran).network, runs(ran).full_steps
    curvature, along = runs(ran).largest_curvature(network(), x, y)
    for lr in (1 / curvature, 4 / curvature):
        _, slopes = full_steps(network(), x, y, lr, along=along)
        for steps in range(4):
            model = network()
            full_steps(model, x, y, lr, along=along, steps=steps)
            by_nudge = runs(ran).loss_moved(model, x, y, along)
            assert by_nudge == pytest.approx(slopes[steps], abs=1e-3)


def test_the_parameters_grow_on_the_way(ran):
    x, y = runs(ran).some_digits()
    model = runs(ran).network()
    before = runs(ran).joined(model.parameters()).norm().item()
    curvature, along = runs(ran).largest_curvature(model, x, y)
    runs(ran).full_steps(model, x, y, 1 / curvature, along=along)
    assert runs(ran).joined(model.parameters()).norm().item() > before


def test_a_hundred_products_say_the_same_as_twenty(ran):
    x, y = runs(ran).some_digits()
    for after_steps in (0, 12):
        model = runs(ran).network()
        curvature, along = runs(ran).largest_curvature(model, x, y)
        runs(ran).full_steps(model, x, y, 1 / curvature, along=along, steps=after_steps)
        curvatures = [curvature_after(ran, model, x, y, products) for products in (20, 100)]
        assert curvatures[0] == pytest.approx(curvatures[1], rel=1e-3)


def curvature_after(ran, model, x, y, products):
    """The curvature in the direction to which so many products have turned."""
    helpers, cross_entropy = runs(ran), torch.nn.functional.cross_entropy

    def times(direction):
        loss, pieces = cross_entropy(model(x), y), helpers.cut(direction, model)
        return helpers.joined(helpers.hessian_times(loss, list(model.parameters()), pieces))

    unit = helpers.power_method(times, helpers.joined(helpers.some_direction(model)), products)
    return (times(unit) @ unit).item()


def test_three_products_make_the_first_part_27_times_as_large(ran):
    a, b = 1, 1
    for _ in range(3):
        a, b = 6 * a, 2 * b
    assert (a, b) == (216, 8) and questions(ran).power_method().answer == a / b


def test_the_ready_made_product_is_the_same(ran):
    product, hvp = (line.split(":")[1] for line in ran.printed["hvp-run"].splitlines())
    assert product.strip() == hvp.strip() == "[25.0, 7.0]"
    assert (22 * 1 + 6 * 0.5, 6 * 1 + 2 * 0.5) == (25, 7)


def test_with_both_numbers_the_border_of_the_taxi_is_lower_and_exact(ran):
    found, short, long = ran.printed["taxi-border"].splitlines()[1:]
    assert "curvature 23.66" in found and found.endswith(" 0.0845")
    table = ran.names["table"]
    assert table.tolist() == [[22, 6], [6, 2]]
    assert short.startswith("lr 0.0841: ") and long.startswith("lr 0.0849: ")
    for lr, grows in ((0.0841, False), (0.0845, False), (0.0846, True), (0.0849, True)):
        losses = runs(ran).descent(ran.names["loss_of_both"], lr, start=[2.0, 4.0], steps=100)
        assert (losses[-1] > losses[0]) == grows
    lesson_05 = (ROOT / "notebooks" / "05_the_training_loop.ipynb").read_text(encoding="utf-8")
    assert "The cell prints `nan`" in lesson_05 and 0.05 < 0.0845 < 0.1
    assert numbers(short)[-1] < 11 < numbers(long)[-1] and 2 / 23.66 < 2 / 22
    at = torch.tensor([-7.0, 30.0])
    assert torch.autograd.functional.hessian(ran.names["loss_of_both"], at).tolist() == (
        table.tolist()
    ), "the same everywhere"


def test_the_lines_with_hvp_run_in_pytorch(ran):
    """Measured with 2.13."""
    pytorch = pytest.importorskip("torch", reason="PyTorch is not installed")
    km, fare = (pytorch.tensor(ran.names[name].tolist()) for name in ("km", "fare"))

    def loss_of_both(both):
        return ((both[0] * km + both[1] - fare) ** 2).mean()

    both, v = pytorch.tensor([2.0, 4.0], requires_grad=True), pytorch.tensor([1.0, 0.5])
    functional = pytorch.autograd.functional
    assert functional.hvp(loss_of_both, both, v)[1].tolist() == pytest.approx([25, 7])
    table = functional.hessian(loss_of_both, both).flatten().tolist()
    assert table == pytest.approx([22, 6, 6, 2])


def test_a_rate_below_the_border_of_the_start_fails_after_a_while(ran):
    x, y = runs(ran).some_digits()
    curvature, bend = runs(ran).largest_curvature(runs(ran).network(), x, y)
    trained = runs(ran).network()
    losses, _ = runs(ran).full_steps(trained, x, y, 1.5 / curvature, along=bend)
    assert [round(loss, 1) for loss in losses[-3:]] == [0.7, 1.3, 2.4]
    assert round(1.5 / curvature, 2) == 1.47
    along_the_way = slopes_on_the_way(ran, x, y, 1.5 / curvature)
    curvatures = [one for one, _ in along_the_way]
    assert (round(curvatures[4], 1), round(2 / curvatures[4], 1)) == (1.8, 1.1)
    assert all(2 / one > 1.5 / curvature for one in curvatures[:4]), "the first too long is there"
    assert losses[:10] == sorted(losses[:10], reverse=True), "five more steps it falls"
    assert losses[10] > losses[9] and round(losses[9], 1) == 0.7
    slopes = [abs(slope) for _, slope in along_the_way]
    assert all(other > 2 * one for one, other in pairwise(slopes[4:11])), "each twice as large"
    for seed in range(3):
        largest, way = runs(ran).largest_curvature(runs(ran).network(seed), x, y)
        network = runs(ran).network(seed)
        later, _ = runs(ran).full_steps(network, x, y, 1.5 / largest, along=way, steps=40)
        assert later[40] < 0.2, "it comes back"
    measured, _ = runs(ran).curvatures_on_the_way(runs(ran).network(), x, y, 1.5 / curvature)
    assert [one.curvature for one in measured] == pytest.approx(curvatures)
    assert [abs(one.slope) for one in measured] == pytest.approx(slopes)


def slopes_on_the_way(ran, x, y, lr, steps=12):
    """The largest curvature and the slope in its direction, at the start and after each step."""
    model, found = runs(ran).network(), []
    for _ in range(steps + 1):
        curvature, direction = runs(ran).largest_curvature(model, x, y)
        _, (slope, *_) = runs(ran).full_steps(model, x, y, lr, along=direction, steps=1)
        found.append((curvature, slope))
    return found


def test_the_border_of_lesson_05_was_found_where_this_one_is(ran):
    printed = ran.printed["bend-run"].splitlines()[0]
    assert printed.endswith(", so the border should be at 1.96")
    lesson_05 = (ROOT / "notebooks" / "05_the_training_loop.ipynb").read_text(encoding="utf-8")
    assert "Somewhere between 1 and 2 the steps become too long" in lesson_05
    assert "nn.Linear(64, 32), nn.Tanh(), nn.Linear(32, 10)" in lesson_05
    assert "batch_size=32" in lesson_05 and "too slowly to arrive in 30 epochs" in lesson_05
    assert len(runs(ran).some_digits()[0]) == 300


def test_what_a_calm_curve_and_twice_the_border_do_is_asked(ran):
    assert questions(ran).twice_the_border().answer == "it falls, then grows"
    assert questions(ran).which_is_nearer().answer == "the calm one"


def fit(ran, penalty, seed=0, **options):
    return runs(ran).fitted(runs(ran).noisy(seed), penalty, **options)


def test_the_free_curve_and_the_calm_one_are_given_the_same_points(ran):
    x, y = ran.names["points"]
    assert torch.equal(y, runs(ran).noisy(0)[1]) and len(x) == 10


@pytest.mark.parametrize("curvature", [-0.5, 0.0, float("nan")])
def test_only_a_curvature_above_0_has_a_border(ran, curvature):
    assert "should be at" not in runs(ran).border_told(curvature)
    assert runs(ran).border_told(22.0) == "so the border should be at 0.0909"


def test_the_direction_on_the_way_leads_uphill(ran):
    assert all(place.slope >= 0 for place in ran.names["measured"])
    assert ran.names["measured"][0].slope == pytest.approx(0.0547, abs=1e-4)


@pytest.mark.parametrize(("mine", "right"), [("1/9", True), ("1 / 9", True), ("2/9", False)])
def test_the_blanks_of_a_fraction_may_be_left_out(ran, mine, right):
    asked = questions(ran).border_on_paper(mine=mine)
    assert asked.answered and asked.right == right


def test_the_step_from_ones_own_start_is_drawn_or_it_is_told_why_not(ran, capsys):
    show = ran.names["nb12_drawings"].show_own
    show(torch.cos, 0.5)
    assert "0.8776 before the step, and 0.9989 after it: higher" in capsys.readouterr().out
    show(lambda x: x**1.5, 1.0)
    assert "no step to draw yet: the step leads to a value that is nan" in capsys.readouterr().out
    show(lambda x: -(x**2), 1.0)
    assert "-1 before the step, and 0 after it: higher" in capsys.readouterr().out
    show(lambda x: unknown(x), 1.0)  # noqa: F821
    told = capsys.readouterr().out
    assert told.startswith("… no step to draw yet: it raised NameError: name 'unknown'")
    show(lambda x: ..., ...)
    assert capsys.readouterr().out == "… no step to draw yet\n"


def test_the_best_penalty_depends_on_the_points(ran):
    errors = {
        (penalty, seed): runs(ran).judged(fit(ran, penalty, seed))[0]
        for penalty in (0.01, 0.03)
        for seed in (0, 1)
    }
    assert errors[0.03, 0] < errors[0.01, 0] and errors[0.03, 1] > errors[0.01, 1]


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_the_calm_curve_is_nearer_to_the_wave(ran, seed):
    free, calm = (runs(ran).judged(fit(ran, penalty, seed)) for penalty in (0, 0.01))
    assert calm[0] < free[0] and calm[1] < free[1]


def test_only_the_free_curve_goes_through_the_points(ran):
    x, y = runs(ran).noisy()
    with torch.no_grad():
        missed = [(ran.names[name](x) - y).abs().max().item() for name in ("free", "calm")]
    assert missed[0] < 0.02 < missed[1]


@pytest.mark.parametrize("penalty", [0.03, 1])
def test_a_larger_penalty_makes_a_calmer_curve_until_it_is_too_calm(ran, penalty):
    calm, calmer = (runs(ran).judged(fit(ran, one)) for one in (0.01, penalty))
    assert calmer[1] < calm[1]
    if penalty == 1:
        assert calmer[0] > calm[0]


def test_a_strong_penalty_draws_almost_a_level_line(ran):
    assert runs(ran).judged(fit(ran, 100, steps=600))[1] < 0.2
    assert questions(ran).strong_penalty().answer == "almost a level line"


def test_that_network_has_so_many_numbers(ran):
    assert sum(p.numel() for p in ran.names["free"].parameters()) == 1153


def test_the_wave_the_noise_and_the_steps_are_as_told(ran):
    x, y = runs(ran).noisy()
    torch.manual_seed(0)
    assert torch.equal(y, torch.sin(3 * x) + 0.3 * torch.randn(10, 1))
    assert inspect.signature(runs(ran).fitted).parameters["steps"].default == 1500
    assert "Adam" in inspect.getsource(runs(ran).fitted)


def test_the_learning_rate_that_is_learned_is_newtons(ran):
    lines = ran.printed["learned-run"].splitlines()
    assert "its slope  -484.00," in lines[0] and -22 * 22 == -484
    assert lines[4].startswith("lr 0.04545") and lines[5].endswith("= 0.04545")
    assert questions(ran).which_sign().answer == "below 0"


def test_the_learning_rate_of_the_learning_rate_has_a_border_too(ran):
    loss_of, by = ran.names["loss_of"], 0.0001
    for start, runs_away in ((2.0, False), (1.0, True)):
        slope = runs(ran).slope_of(loss_of, start)

        def loss_after(lr, start=start, slope=slope):
            return loss_of(start - lr * slope)

        _, curvature = runs(ran).slopes_at(loss_after, 0.0)
        assert curvature == pytest.approx(22 * slope**2, rel=1e-4)
        assert (by > 2 / curvature) == runs_away


def test_on_paper_and_the_questions_about_earlier_notebooks(ran):
    w = torch.tensor(1.0, requires_grad=True)
    (slope,) = torch.autograd.grad((w * 3 - 15) ** 2, w, create_graph=True)
    (curvature,) = torch.autograd.grad(slope, w)
    assert (slope.item(), curvature.item()) == (-72, 18)
    assert questions(ran).on_paper().answer == 1 - slope.item() / curvature.item() == 5
    assert questions(ran).border_on_paper().answer == "1 / 9" and 2 / 18 == 1 / 9
    lr = torch.tensor(0.0, requires_grad=True)
    after = ((1 - lr * slope.item()) * 3 - 15) ** 2
    (through,) = torch.autograd.grad(after, lr)
    assert through.item() == questions(ran).through_a_step().answer == -72 * 72
    x = torch.ones(4, requires_grad=True)
    (3 * x).backward(torch.tensor([1.0, 0, 0, 2]))
    assert x.grad[3].item() == questions(ran).vector_jacobian().answer == 6
    difference = torch.ones(32, 1) - torch.ones(32)
    assert difference.numel() == questions(ran).which_shape().answer == 1024
    assert questions(ran).how_many_passes().answer == 2
    w = torch.tensor(1.0, requires_grad=True)
    for _ in range(2):
        ((w * 3 - 15) ** 2).backward()
    assert w.grad.item() == -72 - 72
    assert questions(ran).second_step().answer == "the sum of both gradients"
