"""What a view leaves where nothing runs: a picture, a table and a text, by default."""

from __future__ import annotations

import base64
import re
import subprocess
import sys
from html import unescape
from xml.etree import ElementTree

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter

import minigrad as torch
from minigrad.nn import Tanh
from minigrad_widgets import BackwardStepper, GraphDiff, GraphView, TrainingLoop, watch
from minigrad_widgets.stills.words import LONG, ROWS

SIZE = 200_000  # bytes in the notebook, at most


def taxi(rate):
    ride = rate * 3
    fare = ride + 4
    error = fare - 13
    return error**2


def doubled(a, times=2):
    for _ in range(times):
        a = a * 2
    return a


def drawn(still):
    """The words in the picture."""
    svg = ElementTree.fromstring(still.svg)
    return [element.text for element in svg.iter("{http://www.w3.org/2000/svg}text")]


def trained():
    torch.manual_seed(0)
    model = torch.nn.Linear(1, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with TrainingLoop(model, optimizer) as loop:
        for _ in range(3):
            optimizer.zero_grad()
            (model(torch.ones(1, 1)) - 2).square().sum().backward()
            optimizer.step()
    return loop


def test_a_backward_pass_is_a_table_of_its_visits():
    still = BackwardStepper(taxi, rate=2.0).still()
    assert still.table.splitlines() == [
        "visit               operation   arrived   local slope      passes on",
        "error ** 2          pow         1         2 * error = -6   -6 to error",
        "error = fare - 13   sub         -6        1                -6 to fare",
        "fare = ride + 4     add         -6        1                -6 to ride",
        "ride = rate * 3     mul         -6        3                -18 to rate",
        "rate                leaf        -18                        -18 would land in .grad",
    ]
    assert "At the end rate.grad would be -18." in still.says
    assert {"ride = rate * 3", "= 6", "grad -18"} <= set(drawn(still))


def test_a_node_with_two_inputs_has_a_row_for_each():
    still = BackwardStepper(lambda a, b: a * b, a=2.0, b=6.0).still()
    first, second = still.table.splitlines()[1:3]
    assert first.endswith("b = 6         6 to a")
    assert second.split() == ["a", "=", "2", "2", "to", "b"]


def test_a_pass_that_cannot_be_shown_says_why():
    still = BackwardStepper(lambda a: 5.0, a=2.0).still()
    assert "which no recorded operation made" in still.table
    assert "which no recorded operation made" in still.says


def test_an_engine_that_is_not_written_yet_is_not_given_away():
    def my_backward(loss):
        """Not written yet."""
        for node in ...:
            node(1.0)

    rate = torch.tensor(2.0, requires_grad=True)
    loss = taxi(rate)
    still = BackwardStepper(loss, engine=my_backward).still()
    assert "it is not written yet" in still.table and "it is not written yet" in still.says
    assert not re.search("-18|-6", still.table + still.says + " ".join(drawn(still)))


def test_a_pass_that_opens_with_a_wrong_engine_is_that_one_and_says_so():
    def quartic(x):
        s = x**2
        return s**2 + s**2

    still = BackwardStepper(quartic, engine="once", x=2.0).still()
    for told in (still.table, still.says):
        assert told.startswith("The engine once is wrong on purpose: it visits each node once")
        assert "32 would land in .grad" in told or "x.grad would be 32." in told
        assert "64" not in told
    assert "grad 32" in drawn(still) and "grad 64" not in drawn(still)
    right = BackwardStepper(quartic, x=2.0).still()
    assert (
        "wrong on purpose" not in right.says + right.table and "x.grad would be 64." in right.says
    )


def test_a_graph_is_a_table_with_values_gradients_and_what_became_of_it():
    with GraphView() as view:
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        doubles = w * 2
        loss = doubles.sum()
        loss.backward()
    rows = [re.split("   +", row) for row in view.still().table.splitlines()]
    assert rows[0] == ["node", "value", "operation", ".grad", "state"]
    assert rows[-1][:4] == ["w", "[1, 2]", "leaf", "[2, 2]"]
    assert any(row[0] == "doubles = w * 2" and row[-1] == "spent" for row in rows)
    assert "spent" in drawn(view.still())


def test_an_empty_graph_says_so():
    with GraphView() as view:
        pass
    assert view.still().table == view.still().says != ""
    assert "<img" not in view.still().html()


def test_two_runs_say_what_is_the_same_and_what_differs():
    view = GraphDiff(taxi, {"rate": 2.0}, {"rate": 3.0})
    still = view.still()
    assert still.table.startswith(view.difference["summary"])
    assert re.search(r"other values +\d+ +ride = rate \* 3 = 6 +ride = rate \* 3 = 9", still.table)
    assert "Left rate = 2, right rate = 3." in still.says
    assert "ride = rate * 3 = 9" in drawn(still)
    one = GraphDiff(doubled, {"a": 2.0, "times": 1}, {"a": 2.0, "times": 2}).still()
    assert re.search(r"the same +a = 2 +a = 2\n", one.table)
    assert re.search(r"right only +\d+ +a = a \* 2 = 8", one.table)


def test_a_training_is_a_table_of_its_phases_with_their_values():
    loop = trained()
    still = loop.still()
    assert still.says.startswith("Training of Linear with SGD: 3 steps. The loss went from ")
    event = loop.training["events"][3]
    change = f"from {event['before']:.4g} to {event['value']:.4g}"
    assert re.search(rf"1 +step +{event['value']:.4g} +{re.escape(change)}", still.table)
    assert "step 3" in drawn(still)


@pytest.mark.parametrize("times", [15, 59, 300, 9_000])
def test_table_text_and_picture_are_bounded(times):
    views = (
        watch(doubled, a=1.0, times=times),
        GraphDiff(doubled, {"a": 0.0, "times": times}, {"a": 0.0, "times": times - 1}),
    )
    for view in views:
        still = view.still()
        assert still.svg, "even of a large graph there is a picture"
        assert len(still.html()) < SIZE
        assert len(still.table.splitlines()) <= ROWS + 4
        assert len(still.says) <= 2 * LONG


def test_the_still_of_a_nested_graph_shows_what_its_page_shows_at_first():
    """As many levels as fit, operations as what they are, and no leaf that one box alone uses."""
    halves = [
        torch.nn.Sequential(*[layer for _ in range(9) for layer in (torch.nn.Linear(2, 2), Tanh())])
        for _ in range(2)
    ]
    net = torch.nn.Sequential(*halves)
    with GraphView() as view:
        loss = net(torch.ones(1, 2)).sum()
    assert loss.requires_grad
    still = view.still()
    assert {"0, Sequential", "1, Sequential", "18 operations", "loss = sum(tanh(…"} <= set(
        drawn(still)
    )
    assert not [text for text in drawn(still) if "weight" in text]
    assert "0, Sequential: 18 operations. 1, Sequential: 18 operations. loss = sum(" in still.says


def test_a_long_table_says_how_many_rows_it_leaves_out():
    still = GraphDiff(doubled, {"a": 1.0, "times": 50}, {"a": 2.0, "times": 50}).still()
    assert still.table.endswith("… and 31 more rows")
    assert re.search(r"And \d+ more pairs\.$", still.says)


def test_a_deep_graph_goes_on_in_a_second_row_in_letters_that_can_be_read():
    svg = ElementTree.fromstring(watch(doubled, a=1.0, times=15).still().svg)
    assert float(svg.get("width")) <= 720 and float(svg.get("height")) > 300
    sizes = [float(one.get("font-size")) for one in svg.iter() if one.get("font-size")]
    assert min(sizes) >= 10


def test_what_a_name_holds_is_words_and_never_markup():
    name = "a<img src=x>\ud800"
    still = BackwardStepper(lambda **given: given[name] * 2, **{name: 2.0}).still()
    assert "<img src=x>" not in still.html()
    assert any(text.startswith("a<img") for text in drawn(still))


def test_in_a_terminal_the_table_is_the_text():
    view = BackwardStepper(taxi, rate=2.0)
    assert repr(view) == "BackwardStepper(6 steps)"
    assert str(view) == f"{view!r}\n\n{view.still().table}"
    assert view._repr_mimebundle_()[0]["text/plain"] == str(view)


# --- In a notebook -------------------------------------------------------------------------------

CELLS = (
    """
import minigrad as torch
from IPython.display import display
from minigrad_widgets import BackwardStepper, GraphDiff, GraphView, TrainingLoop, watch
def taxi(rate):
    error = rate * 3 + 4 - 13
    return error ** 2""",
    """
view = GraphView()
display(view)
a = torch.tensor(2.0, requires_grad=True)
b = a * 3""",
    "c = a * b\nBackwardStepper(c)",
    "GraphDiff(taxi, {'rate': 2.0}, {'rate': 3.0})",
    "watch(taxi, rate=2.0)",
    """
torch.manual_seed(0)
model = torch.nn.Linear(1, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
with TrainingLoop(model, optimizer):
    for _ in range(3):
        optimizer.zero_grad()
        (model(torch.ones(1, 1)) - 2).square().sum().backward()
        optimizer.step()""",
    "print('no view here')",
)
TOLD = {
    1: r"b = a \* 3 +6 +mul",
    2: r"c = a \* b +mul +1 +b = 6 +6 to a",
    3: r"other values +\d+ +rate \* 3 = 6 +rate \* 3 = 9",
    4: r"rate \* 3 +6 +mul",
    5: r"3 +step +\S+ +from \S+ to",
}


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A notebook with every view, as anybody's is who ran it and saved it."""
    cells = [nbformat.v4.new_code_cell(source, id=f"c-{i}") for i, source in enumerate(CELLS)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, kernel_name="python3").execute()
    path = tmp_path_factory.mktemp("stills") / "mine.ipynb"
    nbformat.write(notebook, path)
    return notebook, path


def test_each_view_is_followed_by_its_still_as_its_cell_left_it(saved):
    for at, cell in enumerate(saved[0].cells):
        told = [output.data["text/plain"] for output in cell.outputs if "data" in output]
        if at not in TOLD:
            assert told == []
            continue
        line, table = told
        assert "\n" not in line
        assert re.search(TOLD[at], table), table


def test_the_text_of_a_still_tells_its_picture(saved):
    for at in TOLD:
        still = saved[0].cells[at].outputs[-1]
        (alt,) = re.findall(r'<img alt="([^"]*)"', still.data["text/html"])
        assert unescape(alt) == still.metadata["minigrad"]["alt"]
        assert len(alt) > 40


@pytest.mark.parametrize(("to", "ending"), [("html", ".html"), ("markdown", ".md")])
def test_nbconvert_has_the_picture_and_the_table_of_each_view(saved, to, ending):
    """Also where the file holds the state of the widgets: to show them, a page needs a network."""
    notebook, path = saved
    assert "widgets" in notebook.metadata
    command = [sys.executable, "-m", "nbconvert", "--to", to, "--log-level", "ERROR", str(path)]
    subprocess.run(command, check=True)
    page = path.with_suffix(ending).read_text(encoding="utf-8")
    pictures = re.findall(r'src="data:image/svg\+xml;base64,([^"]*)"', page)
    assert len(pictures) == len(TOLD)
    for picture in pictures:
        ElementTree.fromstring(base64.b64decode(picture))
    tables = re.findall(r'(?s)<pre class="mg-still-table">(.*?)</pre>', page)
    for table, pattern in zip(tables, TOLD.values(), strict=True):
        assert re.search(pattern, unescape(table))


def test_a_shared_weight_has_both_of_its_paths_in_the_picture_and_in_the_text():
    one, other = torch.nn.Sequential(torch.nn.Linear(1, 1)), torch.nn.Sequential()
    other.append(one[0])
    kept = GraphView(other(one(torch.ones(1, 1)))).still()
    assert "one.0.weight (also other.0.weight)" in kept.says
    assert "one.0.weight, also other.0.weight" in kept.table
    assert ">also other.0.weight<" in kept.svg


def test_an_open_question_is_text_in_the_exported_page_and_says_that_it_was_not_answered(tmp_path):
    cells = (
        "import minigrad_widgets\nfrom minigrad import lesson",
        "_ = lesson.predict('Is <b> larger?', 'yes', choices=['yes', 'no'])",
    )
    cells = [nbformat.v4.new_code_cell(source, id=f"c-{i}") for i, source in enumerate(cells)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, kernel_name="python3").execute()
    live, still = notebook.cells[1].outputs
    assert still.data["text/plain"] == live.data["text/plain"]
    assert still.metadata["minigrad"]["still"].startswith("open:")
    page, _ = HTMLExporter().from_notebook_node(notebook)
    (told,) = re.findall(r'(?s)<pre class="mg-still-table">(.*?)</pre>', page)
    question, choices, state = unescape(told).splitlines()
    assert question == "Predict: Is <b> larger?" and choices.strip() == "choices: yes | no"
    assert "not answered yet" in state and "<b>" not in told
