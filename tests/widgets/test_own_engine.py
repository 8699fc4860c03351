"""BackwardStepper(loss, engine=my_backward): a learner's own function drives the steps."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

import minigrad as torch
from minigrad_widgets import BackwardStepper, own_engine


def my_backward(loss, join=lambda before, part: before + part):
    """A right pass, for graphs that were recorded in this order; unless ``join`` is another."""
    arrived = {loss.grad_fn: torch.tensor(1.0)}
    waiting = [loss.grad_fn]
    found = {}
    while waiting:
        node = waiting.pop(0)
        parts = node(arrived[node])
        parts = parts if isinstance(parts, tuple) else (parts,)
        for (after, _), part in zip(node.next_functions, parts):
            if after is None:
                continue
            if hasattr(after, "variable"):
                leaf = after.variable
                found[leaf] = join(found[leaf], part) if leaf in found else part
            else:
                arrived[after] = part
                waiting.append(after)
    return found


def overwriting(loss):
    return my_backward(loss, join=lambda before, part: part)


def raising(loss):
    loss.grad_fn(torch.tensor(1.0))
    raise ValueError("what now?")


def calling_nothing(loss):
    return my_backward(loss) and None


def never_ending(loss):
    while True:
        loss.grad_fn(torch.tensor(1.0))


def hanging(loss):
    while True:
        pass


def landing(loss):
    my_backward(loss)
    loss.backward()
    return {}


def forgetful(loss):
    return dict(list(my_backward(loss).items())[:1])


def naming(loss):
    return {"a": 7}


def unwritten(loss):
    raise NotImplementedError


def article(engine=None, **options):
    a = torch.tensor(2.0, requires_grad=True)
    b = torch.tensor(6.0, requires_grad=True)
    c = a + b
    d = b + 1
    e = c * d
    a.grad = torch.tensor(100.0)
    stepper = BackwardStepper(e, engine=engine, **options)
    assert (a.grad.item(), b.grad) == (100, None)
    e.backward()  # nothing was freed
    assert (a.grad.item(), b.grad.item()) == (107, 15)
    return stepper


def own(stepper):
    return stepper.schedule["engines"][0]


def test_its_calls_are_the_visits_and_what_it_returns_lands():
    steps = own(article(my_backward))["steps"]
    assert [(step["kind"], step["text"], step["grad"]["text"]) for step in steps] == [
        ("start", "e", "1"),
        ("visit", "e = c * d", "1"),
        ("visit", "c = a + b", "7"),
        ("visit", "d = b + 1", "8"),
        ("land", "a", "7"),
        ("land", "b", "15"),
    ]


def test_without_a_page_it_says_where_it_is_wrong():
    right, wrong = article(my_backward), article(overwriting)
    assert repr(right) == "BackwardStepper(6 steps of my_backward; all gradients are right)"
    assert repr(wrong) == "BackwardStepper(6 steps of overwriting; wrong at b)"
    assert repr(article()) == "BackwardStepper(6 steps)"


@pytest.mark.parametrize(
    ("engine", "words"),
    [
        (raising, "raising: it raised ValueError: what now?"),
        (calling_nothing, "it returned nothing"),
        (never_ending, "it was stopped after 200 visits"),
        (hanging, "is there a loop that never ends?"),
        (landing, "it changed .grad, which has been put back"),
        (forgetful, "it returned no gradient for b."),
        (naming, "it returned a key that is no leaf of this graph, but a str."),
        (unwritten, "it is not written yet."),
        (lambda loss: [1], "it returned [1], and {leaf: gradient} is wanted."),
        (lambda loss: {}, "it called no node"),
    ],
)
def test_whatever_it_does_is_said_in_a_sentence(engine, words, monkeypatch):
    monkeypatch.setattr(own_engine, "SECONDS", 0.2)
    stepper = article(engine)
    assert words in own(stepper)["problem"]
    assert words in repr(stepper)


def test_what_was_visited_before_an_error_is_shown():
    assert [step["kind"] for step in own(article(raising))["steps"]] == ["start", "visit"]


def test_an_engine_that_is_wrong_on_purpose_is_opened_by_its_name():
    def fourth_power(x):
        s = x**2
        return s**2 + s**2

    for stepper in (BackwardStepper(fourth_power, engine="once", x=2.0), article("once")):
        assert stepper.schedule["chosen"] == "once"
        assert "once" in [engine["id"] for engine in stepper.schedule["engines"]]
    assert "chosen" not in article(None).schedule


def test_a_name_that_no_engine_has_is_refused_with_those_that_there_are():
    with pytest.raises(ValueError, match=r"no engine is called 'twice'.*overwrite.*once"):
        article("twice")


def test_what_is_no_function_is_refused():
    with pytest.raises(TypeError, match="engine must be a function"):
        article(7)


def test_parts_that_were_broadcast_are_summed_as_the_engine_does():
    w = torch.tensor(2.0, requires_grad=True)
    y = (torch.tensor([1.0, 2.0]) * w).sum()
    stepper = BackwardStepper(y, engine=lambda loss: {w: torch.tensor(3.0)} | calls(loss))
    (visit, *_) = (step for step in own(stepper)["steps"][2:] if step["kind"] == "visit")
    assert visit["outgoing"][0]["grad"]["text"] == "3"


def calls(loss):
    node = loss.grad_fn
    part = node(torch.tensor(1.0))
    node.next_functions[0][0](part)
    return {}


def traits(stepper):
    return {"schedule": json.loads(json.dumps(stepper.schedule, allow_nan=False))}


@pytest.mark.browser
def test_the_page_shows_the_learners_engine_and_compares_the_leaves(show):
    page = show("backward_stepper", traits(article(overwriting)))
    expect(page.get_by_label("Engine", exact=True)).to_have_value("own")
    expect(page.locator("[data-mg-engine]")).to_contain_text("Your engine: overwriting makes")
    page.get_by_label("Position").focus()
    page.keyboard.press("End")
    status = page.locator("[data-mg-status]")
    expect(status).to_contain_text("Your engine returns 8 for b. That is wrong: 15 is right.")
    expect(page.locator(".mg-card h4")).to_have_text("Returned for b")
    expect(page.locator(".mg-chip", has_text="grad 8 ≠ 15")).to_have_count(1)
    page.keyboard.press("ArrowLeft")
    expect(status).to_contain_text("Your engine returns 7 for a. That is right.")
    expect(page.get_by_label("Ask me first")).to_be_disabled()
    page.get_by_role("button", name="Show the right engine").click()
    expect(status).to_contain_text("a.grad was 100; 7 is added; it becomes 107.")


@pytest.mark.browser
@pytest.mark.node
def test_axe_finds_nothing_with_an_engine_that_raises(show, front_end):
    axe = (front_end / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    page = show("backward_stepper", traits(article(raising)))
    expect(page.locator("[data-mg-engine]")).to_contain_text("it raised ValueError: what now?")
    page.evaluate(axe)
    found = page.evaluate("async () => (await axe.run('#views')).violations")
    assert not [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found]


@pytest.mark.browser
def test_an_engine_that_does_nothing_leaves_a_page_that_says_so(show):
    page = show("backward_stepper", traits(article(unwritten)))
    expect(page.locator("[data-mg-engine]")).to_contain_text("unwritten: it is not written yet.")
    expect(page.locator("[data-mg-status]")).to_have_text("Before the backward pass. 0 steps.")
