"""What notebook 13 claims, asserted on the notebook as it was run."""

from __future__ import annotations

import math

import pytest

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import nn


def questions(ran):
    return ran.names["nb13"]


def trained(ran, seed, steps, change=None):
    """A network like that of the lesson, from another seed, with a change before step 50."""
    torch.manual_seed(seed)
    model = nn.Sequential(nn.Flatten(), nn.Linear(64, 32), nn.Tanh(), nn.Linear(32, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    for number in range(steps):
        if number == 50 and change is not None:
            change(model, optimizer)
        ran.names["step"](model, optimizer, number)
    return model, optimizer


# ------------------------------------------------------------------------- a layer at step 50


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_layer_nobody_told_the_optimizer_of_stays_and_is_hard_to_notice(ran, seed):
    layer = nn.Linear(32, 32)
    as_made = layer.weight.detach().clone()

    def insert(model, optimizer):
        model.insert(3, layer)
        model.insert(4, nn.Tanh())

    model, _ = trained(ran, seed, 100, insert)
    assert torch.equal(layer.weight, as_made) and layer.weight.grad is not None
    assert ran.names["right"](model) > 0.8
    assert questions(ran).new_weights().answer == "the random numbers of the start"


def test_the_loss_jumps_to_that_of_a_guess_whether_the_optimizer_knows_or_not(ran):
    """ln 10, or 2.3; and one that was told comes down sooner, and reads less than none."""
    rows = [line for line in ran.printed["compare"].splitlines() if "steps 40" in line]
    losses = [[float(one) for one in row.split(": ")[1].split(";")[0].split()] for row in rows]
    rights = [float(row.split()[-2].rstrip("%")) for row in rows]
    none, forgotten, told = losses
    assert f"{math.log(10):.2f}" == "2.30"
    assert forgotten[1] == told[1] == pytest.approx(math.log(10), abs=0.1) and none[1] < 0.5
    assert all(a < b / 1.5 for a, b in zip(told[2:], forgotten[2:]))
    assert forgotten[-1] < forgotten[1] / 3  # it falls again
    assert all(abs(one - other) < 0.02 for one, other in zip(told[-3::2], none[-3::2]))  # level
    assert rights[0] > max(rights[1:]) and round((rights[0] - max(rights[1:])) * 3.6) == 4
    assert (max(rights) - min(rights)) * 3.6 < 6  # only a few images
    assert questions(ran).helps().answer == "the one with no new layer"


@pytest.mark.parametrize(("seed", "without_wins"), [(1, True), (4, False)])
def test_with_another_seed_another_network_may_win(ran, seed, without_wins):
    right = ran.names["right"]
    told = trained(ran, seed, 200, ran.names["nb13_runs"].grow)[0]
    assert (right(trained(ran, seed, 200)[0]) > right(told)) == without_wins


def test_without_a_tanh_behind_the_new_layer_the_network_without_it_reads_more_too(ran):
    def told(model, optimizer):
        layer = nn.Linear(32, 32)
        model.insert(3, layer)
        optimizer.add_param_group({"params": layer.parameters()})

    right = ran.names["right"]
    assert right(trained(ran, 0, 200)[0]) > right(trained(ran, 0, 200, told)[0])


def test_gradients_of_a_layer_that_is_not_told_of_are_added_up(ran):
    """Its gradient is the sum of those of fifty steps, as a second training shows."""
    layer = nn.Linear(32, 32)

    def insert(model, optimizer):
        model.insert(3, layer)
        model.insert(4, nn.Tanh())

    trained(ran, 0, 100, insert)
    model, optimizer = trained(ran, 0, 50)
    insert(model, optimizer)
    added, layer.weight.grad = layer.weight.grad, None
    one_by_one = []
    for number in range(50, 100):
        ran.names["step"](model, optimizer, number)
        one_by_one.append(layer.weight.grad)
        layer.weight.grad = None
    assert torch.allclose(added, sum(one_by_one), atol=1e-4)


def test_the_replacing_layer_keeps_a_name_of_its_own_when_another_cell_makes_a_model(ran):
    names = ran.after("after")
    assert names["new"] is names["model"][3]
    assert ran.names["new"] is names["new"]
    assert ran.names["half"] is not ran.names["model"]  # section 5 has a network of its own


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_with_other_seeds_the_told_layer_comes_down_sooner_too(ran, seed):
    def forgotten(model, optimizer):
        model.insert(3, nn.Linear(32, 32))
        model.insert(4, nn.Tanh())

    left, told = (
        sum(ran.names["step"](model, optimizer, number) for number in range(60, 100)) / 40
        for model, optimizer in (
            trained(ran, seed, 60, change) for change in (forgotten, ran.names["nb13_runs"].grow)
        )
    )
    assert told < left / 2


def test_some_images_are_kept_apart(ran):
    digits = ran.names["digits"]
    assert (len(digits.x), len(digits.x_test)) == (1437, 360)


def test_step_50_has_two_nodes_more_than_step_49(ran):
    """Claim 20, in the cell "diff": what is recorded next may be another graph."""
    assert ran.printed["diff"].startswith("[4, 6]")
    assert questions(ran).nodes_more().answer == 6 - 4


def test_the_second_loss_of_the_picture_is_that_of_the_whole_network(ran):
    loss_at = ran.after("diff")["loss_at"]
    grown = ran.names["grown"]
    whole = F.cross_entropy(grown(ran.names["images"]), ran.names["labels"])
    assert loss_at(50).item() == pytest.approx(whole.item())


def test_what_was_recorded_leads_to_the_old_layer(ran):
    assert ran.printed["after"].splitlines() == ["old layer: a gradient", "new layer: None"]
    assert questions(ran).whose_gradient().answer == "the old one"


def test_the_recorded_loss_moves_with_the_old_layer_alone(ran):
    old, new = checks(ran.printed["after-nudge"])
    assert old[0] != 0 and old[0] == pytest.approx(old[1], abs=0.002)
    assert new == (None, 0)


def checks(printed):
    """What each line tells: a gradient, or None, and how fast the loss moves with a nudge."""
    told = [
        line.split("gradient")[1].split() for line in printed.splitlines() if "gradient" in line
    ]
    return [(None if one[0] == "None" else float(one[0]), float(one[2])) for one in told]


# ------------------------------------------------------------------------- another one in each step


def test_the_gradients_of_the_blocks_are_those_of_nudges(ran):
    found = checks(ran.printed["skip-nudge"])
    assert len(found) == 6 and 0 < sum(grad is None for grad, _ in found) < 6
    for grad, slope in found:
        assert slope == (0 if grad is None else pytest.approx(grad, abs=0.002))


def test_seven_makes_three_blocks_run_and_ten_only_one(ran):
    names = ran.names
    names["deep"].train()
    counts = []
    for coins in (7, 10):
        names["loss_with"](coins)
        counts.append(len(names["deep"].ran))
    names["deep"].eval()
    assert counts == [3, 1]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_graphs_of_seven_sizes_are_recorded_and_skipped_blocks_get_none(ran, seed):
    """Claim 20, in the cell "skip-run"."""
    torch.manual_seed(seed)
    model = ran.names["Skipping"]()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    step, images, labels = (ran.names[name] for name in ("step", "images", "labels"))
    sizes = set()
    for number in range(400):
        step(model, optimizer, number)
        arrived = [k for k, one in enumerate(model.blocks) if one.weight.grad is not None]
        assert arrived == model.ran
        count = ran.names["nb13_runs"].node_count(F.cross_entropy(model(images), labels))
        assert count == 4 + 3 * len(model.ran)
        sizes.add(count)
    assert sizes == {4, 7, 10, 13, 16, 19, 22}
    model.eval()
    assert ran.names["right"](model) > 0.9
    assert questions(ran).different_counts().answer == len(sizes) == 7
    assert questions(ran).skipped_grad().answer == "None"


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_recording_of_one_step_forgets_the_coins(ran, seed):
    """Claim 20, in the cell "replay": a recorded graph is as it is."""
    names = ran.names
    deep, digits = names["deep"], names["digits"]
    torch.manual_seed(seed)
    with torch.no_grad():
        right = deep.eval()(digits.x).argmax(1)
        once = deep.train()(digits.x).argmax(1)
        deep.eval()
    if len(deep.ran) < 6:
        assert (right != once).sum().item() > 0
    assert int(ran.printed["replay"].split("; ")[1].split()[0]) > 0
    assert questions(ran).same_answers().answer == "other answers for some images"


def test_the_surer_the_more_blocks_run_and_no_more_images_are_right(ran):
    deep, runs, digits = (ran.names[name] for name in ("deep", "nb13_runs", "digits"))
    means, shares = [], []
    for sure in (0.5, 0.9, 0.99):
        used, answers = runs.blocks_used(runs.early, deep, digits.x_test, sure)
        means.append(sum(k * count for k, count in used.items()) / len(digits.x_test))
        shares.append((torch.tensor(answers) == digits.y_test).float().mean().item())
    assert means == sorted(means) and means[0] < 2 < means[2]
    assert 0 < shares[0] - shares[2] < 0.03
    assert max(shares) == shares[0]
    surest = runs.blocks_used(runs.early, deep, digits.x_test, 0.9999)[0]
    assert (surest[6], len(digits.x_test)) == (259, 360)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_with_other_coins_a_surer_network_reads_about_as_many_images(ran, seed):
    runs, digits = ran.names["nb13_runs"], ran.names["digits"]
    torch.manual_seed(seed)
    model = ran.names["Skipping"]()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for number in range(400):
        ran.names["step"](model, optimizer, number)
    model.eval()
    counts = []
    for sure in (0.5, 0.99):
        _, answers = runs.blocks_used(runs.early, model, digits.x_test, sure)
        counts.append((torch.tensor(answers) == digits.y_test).sum().item())
    assert abs(counts[0] - counts[1]) <= 15
    assert questions(ran).surest().answer == f"about as many, within {15}"


def test_last_reads_93_percent_without_any_block(ran):
    deep, digits = ran.names["deep"], ran.names["digits"]
    with torch.no_grad():
        scores = deep.last(torch.tanh(deep.first(digits.x_test.flatten(1))))
    share = (scores.argmax(1) == digits.y_test).float().mean().item()
    assert f"{share:.0%}" == "93%"
    assert ran.printed["early-blocks"].splitlines() == [
        f"this network: 93.1% right with all blocks, {share:.1%} without any",
        "one that never skipped: 93.1% right with all blocks, 69.2% without any",
    ]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_where_nothing_was_skipped_last_needs_the_blocks(ran, seed):
    digits = ran.names["digits"]
    torch.manual_seed(seed)
    model = ran.names["Skipping"]()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.eval()  # so no block is skipped
    for number in range(400):
        ran.names["step"](model, optimizer, number)
    assert ran.names["right"](model) > 0.9
    with torch.no_grad():
        scores = model.last(torch.tanh(model.first(digits.x_test.flatten(1))))
    assert (scores.argmax(1) == digits.y_test).float().mean().item() < 80 / 100


def test_a_network_that_skips_nine_of_ten_blocks_still_learns(ran, monkeypatch):
    coin = torch.rand
    monkeypatch.setattr(torch, "rand", lambda *size: coin(*size) - 0.4)  # < 0.5 in 9 of 10 cases
    torch.manual_seed(0)
    model = ran.names["Skipping"]()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for number in range(401):
        ran.names["step"](model, optimizer, number)
    model.eval()
    assert ran.names["right"](model) > 0.8


# --------------------------------------------------------------------------- frozen and pruned


def test_a_frozen_first_layer_leaves_no_node(ran):
    first, last, count = ran.printed["frozen"].splitlines()[1:4]
    assert (first.split()[-1], last.split()[-1], count) == ("False", "True", "2 nodes")
    assert questions(ran).frozen_nodes().answer == 2
    model, _ = ran.names["new_model"]()
    for frozen, nodes in ((False, 4), (True, 2), (False, 4)):
        for p in model[1].parameters():
            p.requires_grad_(not frozen)
        loss = F.cross_entropy(model(ran.names["images"]), ran.names["labels"])
        assert ran.names["nb13_runs"].node_count(loss) == nodes
    for p in model[3].parameters():
        p.requires_grad_(False)
    loss = F.cross_entropy(model(ran.names["images"]), ran.names["labels"])
    assert ran.names["nb13_runs"].node_count(loss) == 4


def kept(ran, parts):
    """The results of layers that a loss keeps for the way back, each of them once."""
    found, images = {}, ran.names["images"]

    def pack(value):
        if value.shape == (len(images), 20):
            found[value.numpy(force=True).ctypes.data] = value
        return value

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda value: value):
        F.cross_entropy(nn.Sequential(*parts)(images), ran.names["labels"])
    return len(found)


@pytest.mark.parametrize("depth", [1, 4])
def test_results_between_frozen_layers_are_not_kept_but_the_last_one_is(ran, depth):
    parts = [nn.Flatten(), nn.Linear(64, 20), nn.Tanh()]
    parts += (depth - 1) * [nn.Linear(20, 20), nn.Tanh()] + [nn.Linear(20, 10)]
    assert kept(ran, parts) == depth
    for part in parts[:-1]:
        part.requires_grad_(False)
    assert kept(ran, parts) == 1


def test_a_frozen_last_layer_stays_and_the_first_one_moves(ran):
    model, optimizer = ran.names["new_model"]()
    for p in model[3].parameters():
        p.requires_grad_(False)
    first, last = (model[k].weight.detach().clone() for k in (1, 3))
    ran.names["step"](model, optimizer, 0)
    assert torch.equal(model[3].weight, last) and not torch.equal(model[1].weight, first)


def test_a_frozen_layer_has_none_where_its_slope_is_not_0(ran):
    first, last = checks(ran.printed["frozen-nudge"])
    assert first[0] is None and abs(first[1]) > 0.01
    assert abs(last[0]) > 0.01 and last[0] == pytest.approx(last[1], abs=0.002)
    assert questions(ran).none_again().answer == "some other number"


def test_with_both_layers_frozen_backward_raises(ran):
    model, optimizer = ran.names["new_model"]()
    model.requires_grad_(False)
    with pytest.raises(RuntimeError, match="MG109"):
        ran.names["step"](model, optimizer, 0)


def test_the_graph_of_section_3_is_still_held_at_the_end(ran):
    """No later cell gives its name to another loss: its view would show a graph that is freed."""
    assert ran.names["loss"] is ran.after("skip-diff")["loss"]


def test_a_gradient_from_before_the_freezing_still_moves_a_parameter(ran):
    model, optimizer = ran.names["new_model"]()
    weight = model[1].weight
    F.cross_entropy(model(ran.names["images"]), ran.names["labels"]).backward()
    weight.requires_grad_(False)
    before = weight.detach().clone()
    optimizer.step()
    assert not torch.equal(weight, before)
    after = weight.detach().clone()
    ran.names["step"](model, optimizer, 0)  # clears first, as the lesson's step does
    assert torch.equal(weight, after)


def test_the_slope_at_a_zero_is_that_of_a_nudge_and_not_0(ran):
    ((gradient, slope),) = checks(ran.printed["pruned"])
    assert abs(gradient) > 0.01 and slope == pytest.approx(gradient, abs=0.002)
    assert "in all images of this step: 14 of 64" in ran.printed["pruned"]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_what_was_pruned_grows_again_in_one_step(ran, seed):
    model, optimizer = trained(ran, seed, 300)
    right, step = ran.names["right"], ran.names["step"]
    weight = model[1].weight
    whole = right(model)
    limit = weight.detach().abs().flatten().sort()[0][int(0.8 * weight.numel())]
    mask = (weight.detach().abs() >= limit).float()
    with torch.no_grad():
        weight *= mask
    assert (weight == 0).float().mean().item() == pytest.approx(0.8, abs=0.01)
    assert whole - 0.1 < right(model) < whole
    step(model, optimizer, 300)
    assert 0.05 < (weight == 0).float().mean().item() < 0.4
    at = 32 * (300 % 44)
    silent = ran.names["digits"].x[at : at + 32].flatten(1).abs().sum(0) == 0
    assert silent.sum().item() == 14 and silent.numel() == 64
    assert silent.reshape(8, 8)[:, [0, 7]].sum().item() == 14  # the first and the last column
    assert (weight[:, silent] == 0).float().mean().item() > 0.5
    assert (weight[:, ~silent] == 0).float().mean().item() < 0.01
    for number in range(301, 401):
        step(model, optimizer, number)
        with torch.no_grad():
            weight *= mask
    assert right(model) > 0.9
    assert questions(ran).pruned_stay().answer == "some, but far fewer"


def test_the_nudged_zero_may_be_one_of_another_layer(ran):
    runs, (model, _) = ran.names["nb13_runs"], trained(ran, 0, 20)
    weight = model[3].weight
    mask = runs.prune(weight, 0.8)
    told = runs.steepest_zero(model, weight, mask, ran.names["images"], ran.names["labels"])
    assert "gradient" in told and "disagree" not in told


def test_a_share_of_zeros_that_is_nearly_1_is_not_told_as_100_percent(ran):
    runs, weight = ran.names["nb13_runs"], torch.zeros(10, 200)
    assert runs.zeros(weight) == "100%"
    weight[0, 0] = 1.0
    assert runs.zeros(weight) == "99.95%"


@pytest.mark.parametrize(("momentum", "stay"), [(0.0, True), (0.9, False)])
def test_masking_the_gradient_is_enough_without_momentum(ran, momentum, stay):
    model, _ = trained(ran, 0, 20)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=momentum)
    ran.names["step"](model, optimizer, 0)
    weight = model[1].weight
    mask = ran.names["nb13_runs"].prune(weight, 0.8)
    optimizer.zero_grad()
    F.cross_entropy(model(ran.names["images"]), ran.names["labels"]).backward()
    weight.grad *= mask
    optimizer.step()
    assert torch.equal(weight == 0, mask == 0) == stay


# ----------------------------------------------------------------------------- without a picture


def test_the_nodes_on_paper(ran):
    model = ran.names["Skipping"]()
    model.blocks = nn.ModuleList([nn.Linear(32, 32) for _ in range(10 - 4)])
    model.eval()  # these six run, and four were skipped
    model.first.requires_grad_(False)
    loss = F.cross_entropy(model(ran.names["images"]), ran.names["labels"])
    count = ran.names["nb13_runs"].node_count(loss)
    assert questions(ran).on_paper().answer == count == (10 - 4) * 3 + 2 == 20


def test_a_branch_that_is_passed_by_leaves_no_node(ran):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x
    if y > 10:
        y = y - x
    count = ran.names["nb13_runs"].node_count(y)
    assert questions(ran).passed_by().answer == count == 1


def test_the_questions_about_earlier_notebooks(ran):
    slope = (0.530 - 0.518) / 0.02
    assert questions(ran).slope_of_nudge().answer == pytest.approx(slope)
    bias = torch.zeros(3, requires_grad=True)
    (torch.ones(5, 3) + bias).sum().backward()
    assert bias.grad.tolist() == [questions(ran).stretched().answer] * 3 == [5] * 3
    w = torch.tensor(5.0, requires_grad=True)
    w.grad = torch.tensor(2.0)
    torch.optim.SGD([w], lr=0.5).step()
    assert w.item() == questions(ran).after_step().answer == 4
    assert questions(ran).depth_kept().answer == 10
