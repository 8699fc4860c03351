"""Rules as a reader sees them: to be done by hand, or what they are in one sentence."""

from __future__ import annotations

import ast

import pytest

import minigrad as torch
from minigrad import nn
from minigrad.engine import record
from minigrad.tape import formulas, rehearse
from minigrad.tape.plain_rules import READABLE, function_of
from minigrad_widgets import GraphView

F = nn.functional


def rules_of(loss, **names):
    """By operation and argument, what the stepper says of each visit."""
    schedule = rehearse(torch.tape.tape, loss, None, names)
    operations = {node["id"]: node["op"] for node in schedule["nodes"]}
    return {
        f"{operations[step['node']]}.{out['arg']}": out["rule"]
        for step in schedule["steps"]
        if step["kind"] == "visit"
        for out in step["outgoing"]
    }


ALL = [
    (name, argument, wrapper.kind)
    for name, wrapper in sorted(record.DECLARED.items())
    for argument in wrapper.kind.needs
]


@pytest.mark.parametrize(("name", "argument", "kind"), ALL, ids=lambda given: str(given)[:30])
def test_no_rule_calls_what_only_minigrad_knows(name, argument, kind):
    names = {one: one for one in kind.arguments}
    rule = formulas.rule_text(kind, argument, {**names, "g": "g", "out": "out"})
    assert "Geometry" not in rule and "{" not in rule and "None" not in rule
    try:
        tree = ast.parse(rule)
    except SyntaxError:  # a sentence
        assert " " in rule and "_gradient" not in rule and "_slope" not in rule
        return
    called = [function_of(node) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    assert all(one in READABLE or one.endswith(".reshape") for one in called), rule


def test_a_convolution_says_what_happens_to_the_weight_and_the_input():
    x = torch.ones(1, 1, 4, 4, requires_grad=True)
    w = torch.ones(1, 1, 2, 2, requires_grad=True)
    b = torch.zeros(1, requires_grad=True)
    rules = rules_of(F.conv2d(x, w, b).sum(), x=x, w=w, b=b)
    (of_weight,) = [rule for name, rule in rules.items() if name.endswith(".weight")]
    assert of_weight == "for each weight: the sum of g times the input that it met, over all places"
    (of_input,) = [r for n, r in rules.items() if n.endswith(".input") and "convol" in n]
    assert of_input == "each entry of g, times w, is added to the inputs it came from"


def test_pooling_softmax_and_cross_entropy_are_said():
    x = torch.randn(1, 1, 4, 4, requires_grad=True)
    (rule,) = [r for n, r in rules_of(F.max_pool2d(x, 2).sum()).items() if "pool" in n]
    assert rule.startswith("each entry of g goes to the largest input of its window")
    z = torch.randn(2, 3, requires_grad=True)
    p = F.softmax(z, -1)
    assert rules_of((p * p).sum(), z=z, p=p)["softmax.input"].startswith("p * (g - sum(g * p, ")
    loss = F.cross_entropy(z, torch.tensor([0, 2]))
    said = " ".join(rules_of(loss, z=z).values())
    assert "softmax(z), less 1 at the right class of each row" in said


def test_a_mean_and_a_choice_of_rows_can_be_done_by_hand():
    x = torch.ones(2, 3, requires_grad=True)
    rules = rules_of((x.mean(1) + x[:, 0]).sum(), x=x)
    assert rules["mean.input"] == "g / 3, for each entry of x"
    assert rules["select.input"] == "g at the places of x that were taken, 0 everywhere else"


def test_what_is_kept_of_a_convolution_are_values_and_no_options():
    with GraphView() as view:
        x = torch.ones(1, 1, 4, 4, requires_grad=True)
        F.conv2d(x, torch.ones(1, 1, 2, 2, requires_grad=True))
    nodes = view.graph["nodes"]
    view.close()
    (saved,) = [node["saved"] for node in nodes if "convol" in node["op"]]
    assert {one["arg"] for one in saved} == {"input", "weight"}
    assert "Geometry" not in str(nodes)


def test_an_operand_that_has_no_name_makes_no_rule_less_readable():
    x = torch.ones(2, 3, requires_grad=True)
    w = torch.ones(2, 3, requires_grad=True)
    rules = rules_of((F.softplus(x) ** 2 * w).sum(), x=x, w=w)
    assert rules["pow.input"] == "g * (2 * softplus(x))"


def test_a_mean_says_by_how_many_it_divides():
    x = torch.ones(5, requires_grad=True)
    rules = rules_of(x.mean(), x=x)
    assert rules == {"mean.input": "g / 5, for each of the 5 entries"}
