"""What notebook 14 claims, asserted on the notebook as it was run, with PyTorch and without it."""

from __future__ import annotations

import copy
import sys

import pytest
from lessons import LESSONS, play
from record_nb14 import VERSION, answers, changed, programs

import minigrad

(LESSON,) = [one for one in LESSONS if one.number == "14"]
VIEWS = ("graph", "walk", "training")  # cells that show PyTorch's, live or as recorded


def questions(ran):
    return ran.names["nb14"]


def beside(ran):
    """The module that sets side by side."""
    return sys.modules[questions(ran).beside.__module__]


def recorded(ran, name):
    """The view of PyTorch's graph that was recorded of this program."""
    return beside(ran).Recorded(beside(ran).RECORD["views"][name])


@pytest.fixture
def without(monkeypatch):
    """The notebook, run where PyTorch is not installed."""
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setenv("MPLBACKEND", "agg")
    return play(LESSON)


def test_the_record_is_of_these_programs(ran):
    record = beside(ran).RECORD
    assert record["version"] == VERSION == "2.13.0" and VERSION.startswith("2.13")
    sources = {name: beside(ran).source_of(one) for name, (one, _) in programs(LESSON).items()}
    known = record["programs"] | record["views"]
    assert {name: one["program"] for name, one in known.items()} == sources
    recorded = record["changed programs"] + record["changed views"]
    assert [one["program"] for one in recorded] == [one for one, _, _ in changed(LESSON)]


def test_the_record_is_what_pytorch_answers(ran):
    pytorch = pytest.importorskip("torch", reason="PyTorch is not installed")
    if beside(ran).version() != VERSION:
        pytest.skip(f"the record is of PyTorch {VERSION}")
    record, now = beside(ran).RECORD, answers(pytorch)
    assert now["lines"] == record["lines"]
    assert now["only_in_minigrad"] == record["only_in_minigrad"]
    assert now["only_on_nodes"] == record["only_on_nodes"]
    for name, one in now["programs"].items():
        assert one["printed"] == record["programs"][name]["printed"], name
    assert now["changed programs"] == record["changed programs"]
    views = [(one, record["views"][name]) for name, one in now["views"].items()]
    for pair in [*views, *zip(now["changed views"], record["changed views"])]:
        told, known = (beside(ran).Recorded(each) for each in pair)
        assert (told.alt, told.table) == (known.alt, known.table)


def test_without_pytorch_the_same_is_printed(ran, without):
    differing = {cell for cell in ran.printed if ran.printed[cell] != without.printed[cell]}
    assert differing <= {"setup", *VIEWS}
    assert "PyTorch is not installed" in without.printed["setup"]
    for cell in VIEWS:
        assert repr(recorded(without, cell)) in without.printed[cell]


def test_a_program_that_nobody_recorded_is_still_run_in_minigrad(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    cells = copy.deepcopy(LESSON.cells)
    for cell in cells:
        cell.source = cell.source.replace("(a + b) * (b + 1)", "(a + b) * b")
        cell.source = cell.source.replace("e * (b + one)", "e * b")
        cell.source = cell.source.replace("d = b + 1", "d = b + 2")
        cell.source = cell.source.replace("range(3)", "range( 1)")  # as the lesson proposes
    printed = play(LESSON, cells).printed
    assert "was not recorded" in printed["same-run"]
    assert "tensor([64.]" in printed["same-run"] and "=  " not in printed["same-run"]
    assert "2 of 2 lines are the same" in printed["digits"]
    assert "So it runs in minigrad" in printed["graph"] and "GraphView" in printed["graph"]


@pytest.mark.parametrize(
    ("old", "new", "drawn"),
    [("range(2)", "range(3)", 7), ("[0.5])", "[0.5], requires_grad=True)", 6)],
)
def test_the_proposed_changes_of_the_graph_are_recorded(monkeypatch, old, new, drawn):
    monkeypatch.setitem(sys.modules, "torch", None)
    cells = copy.deepcopy(LESSON.cells)
    (cell,) = [one for one in cells if one.id == "graph"]
    cell.source = cell.source.replace(old, new)
    told, _, after = play(LESSON, cells).printed["graph"].partition("which you can use:")
    assert f"{drawn} operations" in told
    assert f"GraphView({drawn} operations)" in after


def test_a_recorded_view_is_a_picture_with_a_text(without):
    shown = recorded(without, "graph")
    assert 'alt="A graph of 5 operations' in shown._repr_html_()
    assert "Recorded with PyTorch 2.13.0" in shown._repr_html_()
    training = recorded(without, "training")
    assert "from -0.007487 to 4.34" in training._repr_html_(), "at which lamp the rate changes"
    assert "from 3.628 to 3.622" in training.table and "more phases" not in training.table


def test_a_recorded_view_is_followed_by_one_that_is_alive(without):
    for cell, view in (("graph", "GraphView"), ("walk", "BackwardStepper")):
        before, _, after = without.printed[cell].partition("which you can use:")
        assert "operations" in before or "visits" in before
        assert view in after, cell


def test_a_recorded_rehearsal_has_put_nothing_into_grad(without):
    walked = recorded(without, "walk")
    assert "[15] would land in .grad" in walked.table and " [15] in .grad" not in walked.table
    assert "b.grad would be [15]" in walked.alt and "b.grad is" not in walked.alt + walked.svg


def test_a_changed_graph_stays_alive_as_long_as_it_is_shown(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    cells = copy.deepcopy(LESSON.cells)
    for cell in cells:
        cell.source = cell.source.replace(
            "return GraphView(e)", "e = e * b\n    return GraphView(e)"
        )
    changed = play(LESSON, cells)
    view = beside(changed).on_pytorch(changed.names["graph"])
    states = {name: node["state"] for node in view.graph["nodes"] for name in node["names"]}
    assert states == {"a": "alive", "b": "alive", "e": "alive"}


def test_the_columns_are_a_table_and_a_text(ran):
    columns = beside(ran).Columns(["a", "1 < 2"], ["a"], "1 of 2 lines are the same.")
    assert "1 &lt; 2</td><td>≠</td><td></td>" in columns._repr_html_()
    assert repr(columns).splitlines()[2].split() == ["a", "=", "a"]


def test_what_a_message_says_in_a_line_of_its_own_begins_a_line_in_the_columns(ran):
    columns = beside(ran).Columns([questions(ran).message(minigrad.ones(2).sum().backward)], ["x"])
    assert "<br>MG1" in columns._repr_html_()
    assert any(line.startswith("MG1") for line in repr(columns).splitlines())


@pytest.mark.parametrize("thing", [3, None, "published", print])
def test_what_is_no_program_is_told_so(ran, capsys, thing):
    for shows in (beside(ran).beside, beside(ran).on_pytorch):
        assert shows(thing) is None
        told = capsys.readouterr().out
        assert "A function of the library is wanted here" in told
        assert f"as in nb14.{shows.__name__}(" in told


@pytest.mark.parametrize("installed", [True, False])
def test_an_error_where_a_view_is_wanted_is_printed(ran, monkeypatch, capsys, installed):
    if not installed:
        monkeypatch.setitem(sys.modules, "torch", None)
    view = ran.names["GraphView"]
    assert beside(ran).on_pytorch(lambda torch: view(torch.ones(1))) is None
    assert "MG109" in capsys.readouterr().out


def test_a_message_offers_a_line_that_a_cell_of_this_lesson_can_run(ran):
    torch = minigrad  # a program calls it so, and then an error does, too
    loss = torch.ones(1, requires_grad=True).exp()
    loss.backward()
    with pytest.raises(RuntimeError, match=r"more: torch\.explain") as found:
        loss.backward()
    assert 'more: minigrad.explain("MG1' in beside(ran).said(found.value)


def test_a_message_that_nobody_recorded_goes_on_in_new_lines(without, capsys):
    beside(without).beside(lambda torch: print(f"what{beside(without).NEXT}MG1: more"))
    assert "what\nMG1: more\n" in capsys.readouterr().out


def test_a_program_whose_source_nobody_knows_is_run_all_the_same(without, capsys):
    names = {}
    exec("def short(torch):\n    print(torch.ones(1))", names)
    beside(without).beside(names["short"])
    assert "tensor([1.])" in capsys.readouterr().out
    for one in (lambda torch: print(torch.ones(1)),):
        beside(without).beside(one)
    assert "tensor([1.])" in capsys.readouterr().out


def test_a_program_that_returns_no_view_is_told_so(ran, capsys):
    assert beside(ran).on_pytorch(lambda torch: torch.ones(2)) is None
    assert "The program returned no view" in capsys.readouterr().out


def test_a_nudge_finds_the_gradient_of_the_watched_training(ran):
    assert ran.printed["taxi-nudge"].strip() == "nudged: rate -86.95, base -24.97"
    table = beside(ran).RECORD["views"]["training"]["table"]
    assert "loss 174, gradient -86.95" in table and "norm of bias went from 24.97" in table
    model = (minigrad.manual_seed(0), minigrad.nn.Linear(1, 1))[1]
    assert f"{model.weight.item():.4f}, {model.bias.item():.4f}" == "-0.0075, 0.5364"


@pytest.mark.parametrize("cell", ["same-run", "behind", "moved", "taxi", "digits", "corners"])
def test_these_programs_print_the_same_in_both(ran, cell):
    *_, last = ran.printed[cell].splitlines()
    same, of = last.split()[0], last.split()[2]
    assert same == of and int(of) >= 3 and "≠" not in ran.printed[cell]


def test_the_four_lines_of_the_first_program(ran):
    assert "4 of 4 lines are the same" in ran.printed["same-run"]
    assert questions(ran).how_many_differ().answer == 0
    assert questions(ran).at_a_corner().answer == "0.5 to each"
    corners = " ".join(ran.printed["corners"].split())
    assert "tensor([0.5000, 0.5000])" in corners and "tensor([1., 0.])" in corners
    assert questions(ran).same_training().answer == "every digit that is printed"


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_digits_are_learned_alike_whatever_the_seed(ran, seed):
    pytorch = pytest.importorskip("torch", reason="PyTorch is not installed")
    digits, printed = ran.names["digits"], beside(ran).printed
    ours = printed(lambda library: digits(library, seed), minigrad)
    assert ours == printed(lambda library: digits(library, seed), pytorch)
    assert sum(p.numel() for p in minigrad.nn.Sequential(*layers()).parameters()) == 2410


def layers(torch=minigrad):
    return torch.nn.Linear(64, 32), torch.nn.Linear(32, 10)


def test_what_is_rounded_in_another_order_differs_in_its_last_digits():
    pytorch = pytest.importorskip("torch", reason="PyTorch is not installed")
    given = minigrad.datasets.digits()
    learned = []
    for torch in (minigrad, pytorch):
        torch.manual_seed(0)
        model = torch.nn.Sequential(torch.nn.Flatten(), *layers(torch))
        optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
        x, y = (torch.from_numpy(part.numpy()) for part in (given.x, given.y))
        for _ in range(20):
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
        learned.append([one.detach().numpy() for one in model.parameters()])
    apart = [abs(ours - theirs).max() for ours, theirs in zip(*learned)]
    assert 0 < max(apart) < 1e-4


def test_plain_python_finds_the_same_gradients(ran):
    assert ran.printed["same-nudge"].strip() == "nudged: a 7.0000, b 15.0000"
    for line in ("a.grad: tensor([7.])", "b.grad: tensor([15.])"):
        assert ran.printed["same-run"].count(line) == 2
    relu, absolute, largest, *roots = ran.printed["slopes"].splitlines()
    assert relu == "relu: downwards 0.0, upwards 1.0"
    assert absolute == "abs: downwards -1.0, upwards 1.0"
    assert largest == "max, one of them: downwards 0.0, upwards 1.0"
    assert [line.split(": ")[1] for line in roots] == ["10", "100", "1000"]


def test_what_is_no_leaf_is_refused_and_the_repair_is_not(ran):
    first, kind, why, last = ran.printed["repaired"].strip().splitlines()
    assert first == "SGD refuses wide." and "can't optimize a non-leaf Tensor" in kind
    assert "wide is the result of 'to'" in why
    assert "fix:" not in ran.printed["repaired"], "the learner finds the remedy"
    assert last == "Not yet: it is not a leaf."
    for torch in (minigrad, beside(ran).library()):
        w = torch.ones(2, requires_grad=True).double()
        with pytest.raises(ValueError, match="can't optimize a non-leaf Tensor"):
            torch.optim.SGD([w], lr=0.1)
        w = torch.ones(2).double().requires_grad_()
        torch.optim.SGD([w], lr=0.1)
        (w * 3).sum().backward()
        assert w.is_leaf and w.grad.tolist() == [3.0, 3.0]


@pytest.mark.parametrize(
    ("w", "told"),
    [
        (lambda: minigrad.tensor([6.0]).double().requires_grad_(), "Repaired"),
        (
            lambda: minigrad.tensor([6.0]).double(),
            "Not yet: it does not require a gradient.",
        ),
        (lambda: minigrad.tensor([7.0]).double().requires_grad_(), "does not hold the 6 any more"),
        (lambda: minigrad.ones(2, requires_grad=True), "its dtype is torch.float32, and one of 64"),
        (lambda: 2.0, "wide is not a tensor"),
    ],
)
def test_a_repair_is_looked_at(ran, capsys, w, told):
    questions(ran).repaired(w())
    assert told in capsys.readouterr().out


def test_a_converted_leaf_is_none(ran):
    assert ran.printed["moved"].count("b is a leaf: True  wide is a leaf: False") == 2
    assert ran.printed["moved"].count("b.grad: tensor([15.])") == 2
    assert ran.printed["moved"].count("wide.grad: None") == 2
    assert questions(ran).where_lands().answer == "in b.grad"
    b = minigrad.tensor([6.0], requires_grad=True)
    assert b.float() is b
    for torch in (minigrad, beside(ran).library()):
        moved = torch.ones(2).double().requires_grad_()
        assert moved.is_leaf
        model = torch.nn.Linear(1, 1).double()
        assert all(p.is_leaf and str(p.dtype) == "torch.float64" for p in model.parameters())
        assert torch.device("cuda" if torch.cuda.is_available() else "cpu") is not None


def test_three_of_the_eight_lines_differ(ran):
    signs = [line for line in ran.printed["same-shown"].splitlines()[2:] if "≠" in line]
    assert [line[0] for line in signs] == ["5", "6", "7"]


def test_the_messages_begin_alike_and_minigrads_go_on(ran):
    record = beside(ran).RECORD["programs"]["errors"]["printed"]
    ours = beside(ran).printed(ran.names["errors"], minigrad)
    assert len(ours) == len(record) == 3
    for mine, theirs in zip(ours, record):
        first, *more = mine.split(beside(ran).NEXT)
        assert first == theirs and more[0].startswith("MG1")
    assert "0 of 3 whole messages are the same." in ran.printed["errors"]


def test_what_the_table_of_differences_says():
    with pytest.raises(AssertionError, match="CUDA"):
        minigrad.ones(2).to("cuda")
    assert str(minigrad.ones(2, device="cpu").device) == "cpu"
    for name in ("float16", "complex64"):
        assert not hasattr(minigrad, name)
    assert all(hasattr(minigrad, name) for name in ("int8", "int64", "float32", "float64", "bool"))
    node = (minigrad.ones(1, requires_grad=True) * 2).grad_fn
    assert hasattr(node, "saved") and not hasattr(node, "_saved_self")
    pytorch = pytest.importorskip("torch", reason="PyTorch is not installed")
    assert hasattr((pytorch.ones(1, requires_grad=True) * 2).grad_fn, "_saved_self")
    assert all(hasattr(pytorch, name) for name in ("float16", "complex64"))
    names = ("datasets", "tape", "explain", "lesson")
    assert [hasattr(pytorch, name) for name in names] == 4 * [False]
    assert hasattr(pytorch, "compile") and hasattr(minigrad, "compile")


def test_the_two_kinds_of_tensors_do_not_mix(ran):
    assert "TypeError: unsupported operand" in ran.printed["mixed"]
    assert questions(ran).mixed().answer == "an error"


@pytest.mark.parametrize("installed", [True, False])
def test_there_are_several_ways_to_carry_data(ran, monkeypatch, installed):
    if not installed:
        monkeypatch.setitem(sys.modules, "torch", None)
    given, judge = minigrad.datasets.digits(), questions(ran).data.judge
    x, y = given.x.numpy(), given.y.numpy()
    assert (
        judge(lambda torch: (torch.tensor(given.x.tolist()), torch.tensor(given.y.tolist()))) == ""
    )
    assert judge(lambda torch: (torch.from_numpy(x).clone(), torch.as_tensor(y))) == ""
    assert judge(lambda torch: (torch.Tensor(x), torch.tensor(y))) == ""
    assert (
        judge(lambda torch: (torch.stack([torch.tensor(one) for one in x]), torch.tensor(y))) == ""
    )
    assert "cannot compute with" in judge(lambda torch: (torch.from_numpy(x), given.y))
    assert "called with one thing" in judge(lambda: (x, y))


@pytest.mark.parametrize("installed", [True, False])
def test_a_tensor_of_minigrads_is_no_data_for_pytorch(ran, monkeypatch, installed):
    if not installed:
        monkeypatch.setitem(sys.modules, "torch", None)
    given = minigrad.datasets.digits()
    told = questions(ran).data.judge(lambda torch: (torch.tensor(given.x), given.y))
    assert "an object like any other" in told


def test_the_stepper_leaves_nothing_in_grad(ran):
    assert ran.printed["rehearsed"].count("after the rehearsal: None") == 2
    assert questions(ran).after_rehearsal().answer == "None"
    assert questions(ran).how_many_drawn().answer == 5
    assert questions(ran).at_b_plus_1().answer == 8
    walked = beside(ran).RECORD["views"]["walk"]["table"]
    assert ["b", "+", "1", "add", "[8]"] in [line.split()[:5] for line in walked.splitlines()]
    assert "A graph of 5 operations" in beside(ran).RECORD["views"]["graph"]["says"]
    assert questions(ran).which_lamp().answer == "step"


PORTED = """
import minigrad as torch
from minigrad import nn
model = nn.Linear(1, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model(torch.ones(1, 1)).sum().backward()
print(model.weight.grad)
print(model.bias.grad)
print(nn.Linear.__name__)
"""


@pytest.mark.parametrize("installed", [True, False])
def test_every_line_that_imports_minigrad_has_to_be_moved(ran, monkeypatch, installed):
    if not installed:
        monkeypatch.setitem(sys.modules, "torch", None)
    judge = questions(ran).port.judge
    assert "brings the name nn, which is minigrad's there, and no new line" in judge(
        (PORTED, "import torch")
    )
    assert "still takes nn from minigrad" in judge(
        (PORTED, "import torch\nfrom minigrad import nn")
    )
    assert judge((PORTED, "import torch\nfrom torch import nn")) == ""
    assert judge((PORTED, "import torch, torch.nn as nn")) == ""
    nothing_yet = "import minigrad as torch\n\n# your program\n"
    assert judge((nothing_yet, "\n...\n")) is None
    for program, lines in ((nothing_yet, "import torch"), (PORTED, "\n...\n"), (PORTED, "")):
        with pytest.raises(ValueError, match="missing"):
            judge((program, lines))


FUNCTIONAL = """
import minigrad as torch
import minigrad.nn.functional as F
x = torch.tensor([2.0], requires_grad=True)
F.relu(x).backward()
print(x)
print(x.grad)
print(x.dtype)
"""


@pytest.mark.parametrize("installed", [True, False])
def test_a_name_for_another_part_is_named(ran, monkeypatch, installed):
    if not installed:
        monkeypatch.setitem(sys.modules, "torch", None)
    judge = questions(ran).port.judge
    told = judge((FUNCTIONAL, "import torch\nimport torch.nn as F"))
    assert "F stands for minigrad.nn.functional; line 2 of the new ones" in told
    assert "and line 5 fails" in told
    assert judge((FUNCTIONAL, "import torch\nfrom torch.nn import functional as F")) == ""
    for line in ("print('a\\nb')", 'def f():\n    """Two: \\n."""\n    return 1'):
        assert judge((FUNCTIONAL + line, "import torch\nimport torch.nn.functional as F")) == ""


@pytest.mark.parametrize("installed", [True, False])
def test_what_only_minigrads_nodes_have_is_refused(ran, monkeypatch, installed):
    if not installed:
        monkeypatch.setitem(sys.modules, "torch", None)
    moved = "import torch\nimport torch.nn.functional as F"
    with pytest.raises(ValueError, match=r"line 9 of the program asks a node for \.saved"):
        questions(ran).port.judge((FUNCTIONAL + "print((x * 2).grad_fn.saved)", moved))


STAR = """
from minigrad import *
a = tensor([2.0], requires_grad=True)
(a * a).backward()
print(a)
print(a.grad)
print(relu(a))
"""


@pytest.mark.parametrize("installed", [True, False])
def test_a_star_brings_the_names_that_both_have(ran, monkeypatch, installed):
    if not installed:
        monkeypatch.setitem(sys.modules, "torch", None)
    judge = questions(ran).port.judge
    assert judge((STAR, "\nfrom torch import *\n")) == ""
    for name in ("datasets", "nn"):  # minigrad's own, and a part that PyTorch's star leaves out
        told = judge((STAR + f"print({name})", "from torch import *"))
        assert f"NameError: name '{name}' is not defined" in told


def test_new_lines_are_counted_as_they_stand_and_their_names_are_told(ran):
    judge = questions(ran).port.judge
    assert "line 2 of the new ones still" in judge((PORTED, "\nimport minigrad as torch\n"))
    assert "They bring troch, nn." in judge((PORTED, "import troch\nfrom torch import nn"))


def test_what_pytorch_puts_in_front_of_a_leaf_adds_to_its_gradient(ran):
    for torch in (minigrad, beside(ran).library()):
        b = torch.tensor([6.0], requires_grad=True)
        ((node, _), _) = (b + 1).grad_fn.next_functions
        assert node.name().endswith("AccumulateGrad") and node.variable is b


@pytest.mark.parametrize("name", ["char_transformer", "maml_sine", "spring"])
def test_these_examples_run_in_pytorch_with_other_import_lines(monkeypatch, capsys, name):
    pytest.importorskip("torch", reason="PyTorch is not installed")
    folder = LESSON.path.parents[1] / "examples"
    monkeypatch.syspath_prepend(str(folder))
    source = (folder / f"{name}.py").read_text(encoding="utf-8")
    moved = source.replace("import minigrad as torch", "import torch")
    moved = moved.replace("from minigrad import", "from torch import")
    names = {"__name__": name}
    exec(moved, names)
    assert "minigrad" not in moved and names["main"](2)
    assert "step 1 of 2" in capsys.readouterr().out


@pytest.mark.parametrize("old, line", [("import minigrad", "  import torch as minigrad ")])
def test_a_program_that_imports_minigrad_by_its_own_name_is_moved_too(ran, old, line):
    lines = ["w = minigrad.tensor(2.0, requires_grad=True)", "(w * w).backward()", "print(w)"]
    program = "\n".join([old, *lines, "print(w.grad)", "print(w.dtype)"])
    assert questions(ran).port.judge((program, line)) == ""


def test_on_paper_and_the_questions_about_earlier_notebooks(ran):
    w = minigrad.tensor(2.0, requires_grad=True)
    for _ in range(2):
        ((w * w - 1) ** 2).backward()
    assert w.grad.item() == questions(ran).on_paper().answer == 48
    assert f"{((2.001**2 - 1) ** 2 - (1.999**2 - 1) ** 2) / 0.002:.3f}" == "24.000"
    x = minigrad.tensor(3.0, requires_grad=True)
    (x * 5 if x > 0 else x * 2).backward()
    assert x.grad.item() == questions(ran).which_branch().answer == 5


def test_the_way_back_and_the_pages_of_errors():
    assert callable(minigrad.install_as_torch)
    assert "MG107" in str(minigrad.explain("MG107")) or minigrad.explain("MG107") is None
