"""What notebook 04 says, asserted on the notebook as it was run."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout

import pytest
from lessons import LESSONS

import minigrad as torch


def test_the_wrong_loss_pushes_rides_that_are_right_and_rides_the_wrong_way(ran):
    rides = ran.printed["cell-01"].splitlines()[1:]
    assert [ride.split()[:2] for ride in rides] == [["ride", str(i)] for i in range(5)]
    said = [tuple(map(float, ride.split()[1:])) for ride in rides]
    gradients = [ride[-1] for ride in said]
    assert gradients == [-2.88, -1.68, -0.48, 1.92, 0.72]
    assert [paid - fare for *_, fare, paid, _ in said] == [0, 0, 2, 0, 4]


def test_there_are_twenty_five_differences_of_which_five_were_meant(ran):
    difference = ran.after("cell-01")["fare"] - ran.after("cell-01")["paid"]
    assert difference.shape == (5, 5) and difference.numel() == 25
    assert difference.diagonal().tolist() == [0, 0, -2, 0, -4]


def test_the_broadcasting_rule_takes_its_example_and_refuses_the_other():
    assert (torch.ones(2, 3) + torch.ones(3)).shape == (2, 3)
    assert torch.ones(1, 7).squeeze(0).shape == (7,)
    with pytest.raises(RuntimeError):
        torch.ones(2, 3) + torch.ones(2)


def test_with_one_shape_each_gradient_speaks_of_its_own_ride_and_mse_loss_warns(ran):
    gradients = ran.after("cell-08")["fare"].grad.flatten()
    assert torch.allclose(gradients, torch.tensor([0.0, 0.0, -0.8, 0.0, -1.6]))
    assert gradients[4].item() == pytest.approx(2 * (16 - 20) / 5)
    assert "MG112" in ran.printed["cell-08"]


def test_the_wrong_loss_goes_down_to_the_mean_of_the_receipts(ran):
    wrong, right = ran.printed["cell-11"].split("those that were meant\n")
    assert "loss after step    1: 44.80" in wrong and "loss after step 1000: 25.36" in wrong
    assert "[14.2, 14.2, 14.2, 14.2, 14.2]" in wrong and "[0.0, 0.0]" in wrong
    assert "[7.0, 10.0, 15.0, 19.0, 20.0]" in right and "[3.0, 2.0]" in right


def test_with_a_smaller_rate_only_the_wrong_loss_has_not_arrived_after_1000_steps(ran, capsys):
    fit = ran.names["fit"]
    fit(lambda fare, paid: ((fare - paid) ** 2).mean(), lr=0.01)
    fit(ran.names["nb04"].right_loss, lr=0.01)
    wrong, right = re.findall(r"fares: \[([^]]*)", capsys.readouterr().out)
    fares = [float(fare) for fare in wrong.split(", ")]
    assert (min(fares), max(fares)) == (13.95, 14.34)
    assert right == "7.0, 10.0, 15.0, 19.0, 20.0"


def test_broadcasting_and_adding_by_hand_give_the_same_gradient(ran):
    *rides, by_hand, broadcast = ran.printed["cell-16"].splitlines()
    assert [float(ride.split()[-1]) for ride in rides] == [0, 0, -0.8, 0, -1.6]
    assert broadcast.endswith("5 rides, -2.4") and by_hand.endswith("5 rides, -2.4")
    assert ran.names["cost"] == (3 * ran.after("cell-01")["rides"][:, 0]).tolist()
    assert ran.names["receipts"].tolist() == ran.after("cell-01")["paid"].tolist()


CELLS = {cell.id: cell for lesson in LESSONS if lesson.number == "04" for cell in lesson.cells}
RUN_TWICE = [
    "cell-01",
    "cell-08",
    "cell-16",
    "cell-19",
    "cell-21",
    "cell-30",
    "cell-34a",
    "never-built",
    "limits",
]


@pytest.mark.parametrize("cell_id", RUN_TWICE)
def test_a_cell_that_is_run_twice_says_the_same_again(ran, cell_id):
    names = dict(ran.names)
    said = []
    for _ in range(2):
        with redirect_stdout(io.StringIO()) as printed:
            exec(CELLS[cell_id].source, names)
        said.append(printed.getvalue())
    assert said[0] == said[1]


def test_the_first_gradient_of_the_first_table_is_that_of_five_differences(ran):
    first_row = (ran.after("cell-01")["fare"] - ran.after("cell-01")["paid"])[0].tolist()
    assert first_row == [0, -3, -8, -12, -13] and sum(first_row) == -36
    assert 2 * -36 / 25 == -2.88


def test_moving_weighting_and_adding_finds_the_gradient_of_a_price(ran):
    gradient, added, picture = ran.printed["aloud"].splitlines()
    assert gradient.endswith("-4.0]") and added == "weighted and added: −4"
    assert "results move by: [[0], [0], [1], [0], [2]]" in picture
    assert "weighted: [[0], [0], [−0.8], [0], [−3.2]]" in picture


def test_only_one_product_has_the_shape_of_the_prices_and_it_is_right(ran):
    names = ran.after("cell-19")
    product = names["rides"].T @ names["v"]
    assert product.shape == names["prices"].shape == (2, 1)
    assert torch.allclose(product, names["prices"].grad)
    assert names["v"].shape == (5, 1) and names["rides"].shape == (5, 2)
    assert ran.printed["cell-19"].count("does not fit") == 2


def test_five_numbers_need_a_vector(ran):
    assert "MG107" in ran.printed["cell-21"]
    assert ran.after("cell-21")["fare"].numel() * ran.after("cell-21")["prices"].numel() == 10


def test_a_start_gradient_of_ones_is_the_sum_and_a_single_one_is_a_row(ran):
    ones, summed = ran.printed["start-gradient"].splitlines()
    assert ones.endswith("[15.0, 3.0]") and summed.endswith("[15.0, 3.0]")
    gradient, ride = ran.printed["one-row-shown"].splitlines()
    assert gradient.endswith("[4.0, 2.0]") and ride.endswith("[4.0, 2.0]")


def test_the_jacobian_is_the_rides_by_backward_and_by_nudging(ran):
    names = ran.after("cell-30")
    assert torch.allclose(names["J"], names["rides"])
    assert torch.allclose(names["nudged"], names["rides"])
    assert "agree: True" in ran.printed["cell-30"]


def test_the_engine_gives_the_product_and_never_the_table(ran):
    product, gradient = ran.printed["never-built"].splitlines()
    table, sent, same = ran.printed["never-built-layer"].splitlines()
    assert product.split(":")[1].strip() == gradient.split(":")[1].strip()
    assert table.endswith(" 100000") and sent.endswith(" 200") and same.endswith("True")
    names = ran.after("never-built-layer")
    assert names["y"].numel() == 500
    assert torch.allclose(names["W"].grad, names["X"].T @ names["v"], atol=1e-4)


def test_the_jacobian_walks_back_once_for_each_result():
    walks = []
    x = torch.ones(3)

    def doubled(x):
        y = x * 2
        y.register_hook(walks.append)
        return y

    torch.autograd.functional.jacobian(doubled, x)
    assert len(walks) == 3


def test_one_logit_takes_from_all_other_shares_in_proportion(ran):
    x = ran.after("shares")["x"]
    before, after = x.softmax(0), (x + torch.tensor([0.5, 0, 0, 0])).softmax(0)
    assert [round(share, 2) for share in before.tolist()] == [0.53, 0.2, 0.07, 0.2]
    losses = 1 - (after / before)[1:]
    assert torch.allclose(losses, losses[0]) and losses[0] > 0
    assert "all changes together: 0" in ran.printed["shares"]


def test_a_tie_is_shared_and_a_slope_has_no_graph_unless_asked_for(ran):
    said, up, down = ran.printed["limits"].splitlines()
    slope, second, nudged = ran.printed["limits-second"].splitlines()
    assert said == "backward says: [0.5, 0.5]"
    assert up.endswith("moves by 0.1") and down.endswith("moves by 0.0")
    assert "error: -6.0 " in slope and slope.endswith("None") and second.endswith("2.0")
    assert nudged.split()[-2:] == ["-6.0", "2.0"]


def test_the_gradient_of_a_sum_is_five_times_that_of_a_mean(ran):
    summed, averaged = ran.printed["cell-34a"].splitlines()
    assert summed == "sum   [15.0, 3.0]" and averaged == "mean  [3.0, 0.6]"


def test_the_product_without_the_table_is_vjp(ran):
    names = ran.after("never-built")
    _, product = torch.autograd.functional.vjp(names["fares"], names["prices"], names["v"])
    assert torch.allclose(product, names["prices"].grad)


def test_a_plain_product_is_assumed_because_twice_it_has_the_shape_too(ran):
    names = ran.after("cell-19")
    product = names["rides"].T @ names["v"]
    assert (2 * product).shape == names["prices"].shape
    assert not torch.allclose(2 * product, names["prices"].grad)


@pytest.mark.parametrize(("rides", "receipts"), [(6, 5), (5, 6)])
def test_a_ride_without_a_receipt_is_told_in_one_sentence(ran, rides, receipts):
    nb04 = ran.names["nb04"]
    fare, paid = torch.ones(rides, 1, requires_grad=True), torch.zeros(receipts)
    loss = nb04.right_loss(fare, paid)
    assert loss.item() == 1
    loss.backward()
    with redirect_stdout(io.StringIO()) as printed:
        nb04.table(torch.ones(rides, 2), fare, paid)
    assert f"{rides} rides, but {receipts} receipts" in printed.getvalue()


def test_a_column_of_receipts_is_the_other_repair(ran):
    nb04 = ran.names["nb04"]
    fare, paid = ran.after("cell-08")["fare"], ran.after("cell-01")["paid"]
    assert nb04.right_loss(fare, paid.unsqueeze(1)).item() == nb04.right_loss(fare, paid).item()
    assert "framed" not in nb04.all_differences(fare, paid.unsqueeze(1)).alt
