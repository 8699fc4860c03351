"""Graphs and steps in a real JupyterLab: nodes appear, a gradient walks back, 15 is found."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

STEPS = "stepping.ipynb"


def nodes(page, state=None):
    """The operations drawn by the first GraphView, as (op, name)."""
    return page.evaluate(
        """state => [...document.querySelectorAll('.jp-OutputArea [data-mg-node][data-kind="op"]')]
            .filter(node => !state || node.dataset.state === state)
            .map(node => [node.dataset.op, node.dataset.name ?? null])""",
        state,
    )


def wait_for_nodes(page, count):
    page.wait_for_function(
        """count => document.querySelectorAll('[data-mg-node][data-kind="op"]').length === count""",
        arg=count,
    )


def test_nodes_appear_cell_by_cell_under_their_names(open_notebook, screenshot):
    notebook = open_notebook()
    page = notebook.page
    view = notebook.find("view = GraphView()")
    notebook.run_through(view)
    lines = "a = torch", "c = a + b", "d = b + 1", "e = c * d"
    cells = [
        i
        for i, (_, source) in enumerate(notebook.sources())
        if i > view and source.startswith((*lines, "asked"))
    ]
    seen = []
    for cell in cells[:5]:
        notebook.run(cell)
        if not notebook.sources()[cell][1].startswith("asked"):
            wait_for_nodes(page, len(seen))
            seen.append(nodes(page))
    assert seen == [
        [],
        [["add", "c"]],
        [["add", "c"], ["add", "d"]],
        [["add", "c"], ["add", "d"], ["mul", "e"]],
    ]
    names = page.eval_on_selector_all(
        '[data-mg-node][data-kind="leaf"]', "leaves => leaves.map(leaf => leaf.dataset.name)"
    )
    assert sorted(names) == ["a", "b"]
    screenshot(notebook.cell(view).locator(".mg-root"), "graph_view")


def test_a_node_stays_where_it_is_and_a_freed_graph_fades(open_notebook):
    notebook = open_notebook()
    page = notebook.page
    through = notebook.find("e = c * d\nprint")
    notebook.run_through(through)
    wait_for_nodes(page, 3)
    places = """() => Object.fromEntries([...document.querySelectorAll('[data-kind="op"]')].map(
        node => [node.dataset.mgNode, node.getAttribute('transform')]))"""
    before = page.evaluate(places)
    again = [i for i in notebook.code_cells() if through < i <= notebook.find("is left")]
    for cell in again:
        notebook.run(cell)
    wait_for_nodes(page, 7)
    after = page.evaluate(places)
    assert {key: after[key] for key in before} == before
    page.wait_for_function(
        """() => document.querySelectorAll('[data-kind="op"][data-state="gone"]').length === 4"""
    )
    gone = [["add", "c"], ["add", "c"], ["add", "d"], ["mul", "e"]]
    assert sorted(nodes(page, "gone")) == gone


def test_a_prediction_is_locked_and_then_judged(open_notebook, screenshot):
    notebook = open_notebook()
    page = notebook.page
    notebook.run_through(notebook.find("c = a + b") - 1)
    page.get_by_label("How many operations").fill("2")
    page.get_by_role("button", name="Lock in").click()
    line = page.locator("[data-mg-prediction]").first
    expect(line).to_contain_text("Locked in: 2")
    notebook.run(notebook.find("c = a + b"))
    page.wait_for_function(
        "() => /You said 2/.test(document.querySelector('[data-mg-prediction]').textContent)"
    )
    expect(line).to_contain_text("it added 1")
    screenshot(notebook.cell(notebook.find("view = GraphView()")), "prediction")


def test_the_stepper_leads_to_fifteen_and_leaves_grad_alone(open_notebook, screenshot):
    notebook = open_notebook(STEPS)
    page = notebook.page
    stepper = notebook.find("BackwardStepper(e)")
    notebook.run_through(stepper)
    cell = notebook.cell(stepper)
    status = cell.locator("[data-mg-status]")
    cell.get_by_role("button", name="Step", exact=True).wait_for()
    said = []
    for number in range(6):
        cell.get_by_role("button", name="Step", exact=True).click()
        said.append(status.inner_text())
        if number == 1:
            screenshot(cell.locator(".mg-root"), "backward_stepper_visit")
    assert "e = c" in said[1] and "7" in said[1] and "8" in said[1]
    assert any("15" in sentence and "b" in sentence for sentence in said)
    screenshot(cell.locator(".mg-root"), "backward_stepper")
    cell.get_by_role("button", name="Back").click()
    expect(status).to_have_text(said[4])
    cell.get_by_role("button", name="Reset").click()
    page.keyboard.press("ArrowRight")
    grads = notebook.append("print(a.grad, b.grad)")
    notebook.run(grads)
    assert notebook.output(grads).strip() == "None None"


def test_keys_pressed_in_a_widget_are_its_own_and_not_jupyterlabs(open_notebook):
    notebook = open_notebook(STEPS)
    page = notebook.page
    stepper = notebook.find("BackwardStepper(e)")
    notebook.run_through(stepper)
    cell = notebook.cell(stepper)
    before = len(notebook.sources())
    cell.get_by_role("button", name="Step", exact=True).click()
    for key in "xddab":  # cut, delete, insert above, insert below: in JupyterLab's command mode
        page.keyboard.press(key)
    page.locator('[data-mg-node][data-name="e"]').first.click()
    for key in "xdd":
        page.keyboard.press(key)
    assert len(notebook.sources()) == before


def test_the_scrubber_is_moved_by_the_keyboard(open_notebook):
    notebook = open_notebook(STEPS)
    stepper = notebook.find("BackwardStepper(e)")
    notebook.run_through(stepper)
    cell = notebook.cell(stepper)
    scrubber = cell.get_by_label("Position")
    scrubber.focus()
    for key, position in (("ArrowRight", "1"), ("ArrowRight", "2"), ("End", "6"), ("Home", "0")):
        notebook.page.keyboard.press(key)
        expect(scrubber).to_have_value(position)
    expect(cell.locator("[data-mg-status]")).to_contain_text("Before the backward pass")


def test_enter_answers_a_question(open_notebook):
    notebook = open_notebook()
    page = notebook.page
    notebook.run_through(notebook.find("c = a + b") - 1)
    page.get_by_label("How many operations").fill("1")
    page.keyboard.press("Enter")
    expect(page.locator("[data-mg-prediction]").first).to_contain_text("Locked in: 1")


def test_enter_answers_a_question_of_the_stepper(open_notebook):
    notebook = open_notebook(STEPS)
    page = notebook.page
    stepper = notebook.find("BackwardStepper(e)")
    notebook.run_through(stepper)
    cell = notebook.cell(stepper)
    cell.get_by_label("Ask me first").check()
    for _ in range(2):
        cell.get_by_role("button", name="Step", exact=True).click()
    cell.locator("[data-mg-prediction] input").first.fill("7")
    page.keyboard.press("Enter")
    expect(cell.locator("[data-mg-prediction]")).to_contain_text("7")


def test_the_stepper_asks_first_and_names_what_arrived(open_notebook, screenshot):
    notebook = open_notebook(STEPS)
    stepper = notebook.find("BackwardStepper(e)")
    notebook.run_through(stepper)
    cell = notebook.cell(stepper)
    cell.get_by_label("Ask me first").check()
    verdicts = []
    for _ in range(12):
        step = cell.get_by_role("button", name="Step", exact=True)
        if step.is_enabled():
            step.click()
        fields = cell.locator("[data-mg-prediction] input")
        if fields.count():
            assert "15" not in cell.locator("[data-mg-status]").inner_text()
            for number, press in (("1000", "Check"), ("2000", "Try again"), ("4", "Try again")):
                for field in fields.all():
                    field.fill(number)
                cell.get_by_role("button", name=press).click()
            verdicts.append(cell.locator("[data-mg-prediction]").inner_text())
    assert any("15" in verdict and "You said 4" in verdict for verdict in verdicts)
    screenshot(cell, "asked_first")


def test_nodes_appear_while_a_long_cell_is_still_running(open_notebook, server):
    notebook = open_notebook()
    seen_all = server[1] / "seen_all"
    page = notebook.page
    notebook.run_through(notebook.find("c = a + b"))
    wait_for_nodes(page, 1)
    # The page's clock and the kernel's are the same machine's, so the two times compare.
    page.evaluate(
        """() => {
            window.mgSeen = {};
            new MutationObserver(() => {
                for (const node of document.querySelectorAll('[data-mg-node][data-name^="late"]'))
                    window.mgSeen[node.dataset.name] ??= Date.now();
            }).observe(document.body, {subtree: true, childList: true, attributes: true});
        }"""
    )
    long_cell = notebook.append(
        "import json, time\n"
        "made = {}\n"
        + "".join(
            f"late{i} = a * {i}\nmade['late{i}'] = time.time() * 1000\ntime.sleep(0.3)\n"
            for i in range(5)
        )
        + f"import pathlib\nwhile not pathlib.Path({str(seen_all)!r}).exists(): time.sleep(0.05)\n"
        + "print(json.dumps(made))"
    )
    notebook.start(long_cell)
    page.wait_for_function("() => Object.keys(window.mgSeen).length === 5")
    still_running = page.evaluate(
        "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status"
    )
    assert still_running == "busy"
    seen_all.touch()
    notebook.wait()
    made = json.loads(notebook.output(long_cell).strip().splitlines()[-1])
    seen = page.evaluate("() => window.mgSeen")
    delays = sorted(seen[name] - made[name] for name in made)
    print("ms from an operation to its node in the page:", [round(d) for d in delays])
    assert len(delays) == 5


def test_a_cell_that_raises_half_way_leaves_the_view_consistent(open_notebook):
    notebook = open_notebook()
    page = notebook.page
    notebook.run_through(notebook.find("c = a + b"))
    notebook.run(notebook.append("p = a * b\nraise ValueError('half-way')\nq = a + b"))
    wait_for_nodes(page, 2)
    notebook.run(notebook.append("r = p + 1"))
    wait_for_nodes(page, 3)
    assert nodes(page) == [["add", "c"], ["mul", "p"], ["add", "r"]]


def test_nan_and_infinity_are_shown(open_notebook):
    notebook = open_notebook()
    page = notebook.page
    notebook.run_through(notebook.find("c = a + b"))
    notebook.run(notebook.append("bad = torch.log(-a)\nhuge = a / 0"))
    wait_for_nodes(page, 4)
    shown = page.evaluate(
        """() => [...document.querySelectorAll('[data-kind="op"]')].map(n => n.textContent)"""
    )
    assert any("nan" in text.lower() for text in shown)
    assert any("inf" in text.lower() or "∞" in text for text in shown)


def test_restarting_the_kernel_and_running_again_works(open_notebook):
    notebook = open_notebook()
    page = notebook.page
    through = notebook.find("e = c * d\nprint")
    notebook.run_through(through)
    wait_for_nodes(page, 3)
    notebook.restart_kernel()
    notebook.run_through(through)
    wait_for_nodes(page, 3)
    assert nodes(page) == [["add", "c"], ["add", "d"], ["mul", "e"]]


def test_two_views_at_once_show_the_same(open_notebook):
    notebook = open_notebook()
    page = notebook.page
    notebook.run_through(notebook.find("view = GraphView()"))
    notebook.run(notebook.append("second = GraphView()\nsecond"))
    notebook.run(notebook.append("u = torch.tensor(2.0, requires_grad=True)\nv = u * u"))
    wait_for_nodes(page, 2)
    assert nodes(page) == [["mul", "v"], ["mul", "v"]]


def test_a_label_with_html_in_it_is_shown_as_text(open_notebook):
    notebook = open_notebook()
    page = notebook.page
    notebook.run_through(notebook.find("view = GraphView()"))
    notebook.run(
        notebook.append(
            "globals()['<img src=x onerror=window.hacked=1>'] = hostile = "
            "torch.tensor(2.0, requires_grad=True) * 1\n"
            "class Bold(torch.autograd.Function):\n"
            "    @staticmethod\n"
            "    def forward(ctx, x): return x * 1\n"
            "    @staticmethod\n"
            "    def backward(ctx, g): return g\n"
            "Bold._kind.op = '<script>window.hacked=1</script>'\n"
            "z2 = Bold.apply(hostile)"
        )
    )
    wait_for_nodes(page, 2)
    page.wait_for_timeout(300)
    assert page.evaluate("() => window.hacked") is None
    assert page.locator("[data-mg-node] img, [data-mg-node] script").count() == 0
    assert "<script>" in "".join(
        page.evaluate("() => [...document.querySelectorAll('[data-op]')].map(n => n.dataset.op)")
    )
