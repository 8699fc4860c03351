"""Errors that teach: PyTorch's type and phrase, then what happened, which variable, and the fix."""

from __future__ import annotations

import inspect
import operator
import re
import textwrap
import warnings
from pathlib import Path

import numpy as np
import pytest
from compared.programs import beginners

import minigrad as torch
from minigrad import address
from minigrad.errors import pages as written_pages


def message(kind, program):
    with pytest.raises(kind) as caught:
        program()
    assert type(caught.value) is kind
    return str(caught.value)


def warning(program):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        program()
    (found,) = caught
    assert found.category is UserWarning
    assert found.filename == __file__, "the warning points at the library, not at the user's line"
    return str(found.message)


# Each program names its tensors, and the message must name the one that matters.


def needs_one_number():
    prediction = torch.tensor([1.0, 2.0], requires_grad=True)
    prediction.backward()


def a_second_time():
    x = torch.tensor(2.0, requires_grad=True)
    loss = x * x
    loss.backward()
    loss.backward()


def an_input_overwritten():
    x = torch.tensor([2.0], requires_grad=True)
    hidden = x * 1
    out = hidden * hidden
    hidden.add_(1)
    out.backward()


def an_output_overwritten():
    x = torch.tensor([2.0], requires_grad=True)
    out = x.exp()
    out.add_(1)
    out.backward()


def nothing_to_differentiate():
    constant = torch.tensor(2.0) * 3
    constant.backward()


def integers():
    torch.tensor([2, 6], requires_grad=True)


def for_numpy():
    weights = torch.tensor([2.0], requires_grad=True)
    weights.numpy()


def a_leaf_overwritten():
    weights = torch.tensor([2.0], requires_grad=True)
    weights -= 0.1


def a_view_of_a_leaf_overwritten():
    weights = torch.tensor([2.0], requires_grad=True)
    row = weights[:1]
    row.mul_(2)


def a_result_to_optimise():
    weights = torch.tensor([2.0], requires_grad=True) * 2
    torch.optim.SGD([weights], lr=0.1)


ERRORS = [
    (needs_one_number, RuntimeError, "MG107", "scalar outputs", ["prediction", "(2,)", ".sum()"]),
    (a_second_time, RuntimeError, "MG106", "backward through the graph a second time", ["'loss'"]),
    (
        an_input_overwritten,
        RuntimeError,
        "MG104",
        "has been modified by an inplace operation",
        ["'hidden'", "mul"],
    ),
    (
        an_output_overwritten,
        RuntimeError,
        "MG104",
        "has been modified by an inplace operation",
        ["'out'", "exp"],
    ),
    (
        nothing_to_differentiate,
        RuntimeError,
        "MG109",
        "does not require grad and does not have a grad_fn",
        ["constant"],
    ),
    (integers, RuntimeError, "MG108", "floating point", ["int64", "2.0"]),
    (for_numpy, RuntimeError, "MG113", "detach().numpy()", []),
    (a_leaf_overwritten, RuntimeError, "MG105", "a leaf Variable", ["weights", "no_grad"]),
    (
        a_view_of_a_leaf_overwritten,
        RuntimeError,
        "MG105",
        "a view of a leaf Variable",
        ["no_grad"],
    ),
    (a_result_to_optimise, ValueError, "MG103", "can't optimize a non-leaf Tensor", ["mul"]),
]


@pytest.mark.parametrize(
    ("program", "kind", "code", "phrase", "names"), ERRORS, ids=[e[0].__name__ for e in ERRORS]
)
def test_the_error_has_its_type_phrase_code_and_names(program, kind, code, phrase, names):
    text = message(kind, program)
    assert phrase in text.split("\n")[0], "the phrase that users search for comes first"
    assert code in text
    for name in names:
        assert name in text, f"{name} is not named in:\n{text}"
    assert "fix:" in text or code == "MG113"
    assert text.count("\n") < 6, f"more than six lines:\n{text}"
    assert max(map(len, text.split("\n"))) <= 140


def test_grad_of_a_result_warns_and_says_what_to_call():
    hidden = torch.tensor(2.0, requires_grad=True) * 3
    text = warning(lambda: hidden.grad)
    assert text.startswith("The .grad attribute of a Tensor that is not a leaf Tensor")
    assert "MG102" in text and "hidden.retain_grad()" in text and text.count("\n") < 6


def test_a_tensor_made_from_results_warns_that_the_history_is_lost():
    c = torch.tensor(2.0, requires_grad=True) * 3
    text = warning(lambda: torch.tensor([c, c]))
    assert "MG111" in text and "stack" in text and text.count("\n") < 6


def test_a_retained_gradient_does_not_warn():
    hidden = torch.tensor(2.0, requires_grad=True) * 3
    hidden.retain_grad()
    assert hidden.grad is None


def test_the_name_found_is_that_of_the_caller_also_inside_a_function():
    def train():
        total_loss = torch.tensor([1.0, 2.0], requires_grad=True) * 2
        total_loss.backward()

    assert "total_loss" in message(RuntimeError, train)


def test_a_value_without_a_name_is_described():
    text = message(
        RuntimeError, lambda: (torch.tensor([1.0, 2.0], requires_grad=True) * 2).backward()
    )
    assert "(2,)" in text


def test_looking_for_a_name_survives_variables_that_refuse_to_be_compared():
    class Prickly:
        def __eq__(self, other):
            raise RuntimeError("do not compare me")

        def __getattr__(self, name):
            raise RuntimeError("do not look at me")

    prickly = Prickly()
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x
    y.backward()
    assert "second time" in message(RuntimeError, y.backward)
    assert prickly is not None


# ------------------------------------------------------------------------------- tracebacks


def frames_of(program):
    """The files of the frames that a traceback shows, from the test's inwards."""
    with pytest.raises(RuntimeError) as caught:
        program()
    return [Path(entry.path).name for entry in caught.traceback][1:]


def test_the_traceback_of_an_explained_error_shows_the_users_line_and_two_of_ours():
    ours = ["_tensor.py", "errors.py"]
    for program in (needs_one_number, a_second_time, an_input_overwritten):
        assert frames_of(program) == ["test_errors.py", *ours]


class TooMany(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * 2, g


def too_many_gradients():
    TooMany.apply(torch.tensor(2.0, requires_grad=True)).backward()


def test_so_does_that_of_an_error_that_says_how_to_mend_it():
    with pytest.raises(RuntimeError, match="\n  fix: return one for each argument of forward"):
        too_many_gradients()
    assert frames_of(too_many_gradients) == ["test_errors.py", "_tensor.py", "errors.py"]


def test_the_traceback_keeps_the_users_frames_in_between():
    x = torch.tensor(2.0, requires_grad=True)

    def hook(gradient):
        needs_one_number()

    x.register_hook(hook)
    files = frames_of(lambda: (x * x).backward())
    assert files.count("test_errors.py") == 3 and "backward.py" in files


# ------------------------------------------------------------------------------------ the pages


def losses_of_two_shapes():
    torch.nn.functional.mse_loss(torch.zeros(3, 1), torch.zeros(3))


def two_passes_and_a_step():
    weight = torch.tensor(2.0, requires_grad=True)
    for _ in range(2):
        (weight * 2).backward()
    torch.optim.SGD([weight], lr=0.1).step()


def two_graphs_in_a_sum():
    weight = torch.tensor(2.0, requires_grad=True)
    total = 0.0
    for _ in range(2):
        loss = weight * 2
        loss.backward()
        total += loss


def no_end():
    value = torch.tensor(0.0, requires_grad=True)
    while value < 1:
        value = value * 2


def codes_of_messages():
    """All codes that the errors and warnings above speak of."""
    texts = [message(kind, program) for program, kind, *_ in ERRORS]
    hidden = torch.tensor(2.0, requires_grad=True) * 3
    texts += [warning(lambda: hidden.grad), warning(lambda: torch.tensor([hidden]))]
    texts.append(warning(losses_of_two_shapes))
    with torch.tape.notices(graphs=2, operations=20):
        texts += [warning(two_passes_and_a_step), warning(two_graphs_in_a_sum)]
        texts.append(message(RuntimeError, no_end))
    return sorted(set(re.findall(r"MG\d{3}", " ".join(texts))))


def test_every_code_has_a_page_of_its_own(capsys):
    pages = {}
    for code in codes_of_messages():
        torch.explain(code)
        pages[code] = capsys.readouterr().out
        assert pages[code].startswith(code) and len(pages[code]) > 100
    assert len(set(pages.values())) == len(pages)
    assert list(pages) == list(written_pages()), "a page of no message: a line of ERRORS is missing"
    numbers = [int(code.removeprefix("MG")) for code in pages]
    assert numbers == list(range(101, 101 + len(numbers))), "codes are numbered one after the other"


def test_once_the_project_is_published_a_message_has_the_address_of_its_page(monkeypatch):
    monkeypatch.setattr(address, "REPOSITORY", "somebody/minigrad")
    for program, kind, code, *_ in ERRORS:
        last = message(kind, program).split("\n")[-1].strip()
        page = f"https://somebody.github.io/minigrad/reference/{code}.html"
        assert last == f'more: torch.explain("{code}")  # {page}'


def test_every_message_ends_with_the_way_to_its_page():
    for program, kind, code, *_ in ERRORS:
        text = message(kind, program)
        last = text.split("\n")[-1].strip()
        assert last == f'more: torch.explain("{code}")'
        assert len(text.split("\n")) <= 6


# ---------------------------------------------------------------- what the package is called

ALL_PROGRAMS = [program for program, *_ in ERRORS] + [
    losses_of_two_shapes,
    two_passes_and_a_step,
    two_graphs_in_a_sum,
    no_end,
]


def texts_under_the_name(name):
    """All messages and pages with a code, from a program that calls the package by this name."""
    scope = {name: torch}
    for program in ALL_PROGRAMS:
        source = textwrap.dedent(inspect.getsource(program))
        exec(re.sub(r"\btorch\.", f"{name}.", source), scope)
        with (
            warnings.catch_warnings(record=True) as caught,
            torch.tape.notices(graphs=2, operations=20),
        ):
            warnings.simplefilter("always")
            try:
                scope[program.__name__]()
            except (RuntimeError, ValueError) as error:
                yield str(error)
        yield from (str(warning.message) for warning in caught)


def names_in(text, name):
    """The attributes of the package of which a text speaks: "no_grad", "tape.notices"."""
    return re.findall(rf"\b{name}\.(\w+(?:\.\w+)*)", text)


@pytest.mark.parametrize("name", ["torch", "minigrad", "mg"])
def test_what_a_message_says_to_write_can_be_pasted(name, capsys, monkeypatch):
    monkeypatch.setattr(address, "REPOSITORY", "somebody/minigrad")  # with the address behind it
    codes = []
    for text in texts_under_the_name(name):
        found = re.search(rf'more: {name}\.explain\("(MG\d+)"\)  # https://\S+$', text)
        assert found, text
        codes.append(found[1])
        exec(text.rpartition("more: ")[2], {name: torch})
        shown = text + capsys.readouterr().out
        other = {"torch", "minigrad", "mg"} - {name}
        spoken = re.sub(r"torch\.(Size|int64)", "", shown)  # how these print
        assert not re.search(rf"\b({'|'.join(other)})\.\w", spoken)
        for attribute in names_in(spoken, name):
            operator.attrgetter(attribute)(torch)
    assert {*codes, "MG102", "MG111"} == set(written_pages())  # those two have no fix to paste


def test_the_innermost_function_that_knows_the_package_decides_its_name():
    scope = {"mg": torch, "weights": torch.tensor([2.0], requires_grad=True)}
    exec("def write():\n    weights.mul_(2)", scope)
    assert "with mg.no_grad()" in message(RuntimeError, scope["write"])
    exec("def write():\n    import minigrad as own\n    weights.mul_(2)", scope)
    assert "with own.no_grad()" in message(RuntimeError, scope["write"])


MORE_TEXTS = [
    (lambda mg: mg.save(print, "file"), "mg.save(model.state_dict(), path)"),
    (lambda mg: mg.nn.ReLU(mg.ones(2)), "mg.nn.ReLU()"),
    (lambda mg: mg.nn.MSELoss(mg.ones(2), mg.ones(2)), "mg.nn.MSELoss()"),
]


@pytest.mark.parametrize(("program", "words"), MORE_TEXTS, ids=range(len(MORE_TEXTS)))
def test_so_can_what_messages_without_a_code_say(program, words):
    with pytest.raises(Exception, match=re.escape(words)):
        program(torch)


# ------------------------------------------------------------------------ what beginners meant

MEANT = {  # expressions of beginners, and what their messages must say
    "nn.Sequential(nn.Linear(1, 1), nn.ReLU)": ["the class, not a module", "fix: ReLU(...)"],
    "nn.Sequential([nn.Linear(1, 1), nn.ReLU()])": ["fix: ", "Sequential(*layers)"],
    'nn.Linear("3", 2)': ["fix: a number, without quotes"],
    'torch.randn("3")': ["argument 'size'", "fix: a number, without quotes"],
    "torch.zeros(2.0)": ["argument 'size'", "fix: a whole number: n // 2"],
    "torch.full(3, 1.0)": ["fix: (3,), with brackets and a comma"],
    "t([[1, 2], [3]])": ["ragged", "fix: ", "torch.nn.utils.rnn.pad_sequence"],
    "t([[1, 2], 3])": ["numbers, and others are lists"],
    "optim.SGD(model.parameters, lr=0.1)": ["not called", "fix: SGD(model.parameters(), ...)"],
    "optim.Adam(model)": ["This is a model", "fix: Adam(model.parameters(), ...)"],
    "optim.Adam(nn.Linear(1, 1))": ["This is a model", "fix: Adam(model.parameters(), ...)"],
    "optim.SGD(model.state_dict(), lr=0.1)": ["fix: SGD(model.parameters(), ...)"],
    "optim.SGD([], lr=0.1)": ["Python list or dict", "fix: ", "torch.nn.ModuleList"],
    'optim.SGD(model.parameters(), lr="0.1")': ["lr must be a number, not '0.1'", "fix: lr="],
    "nn.Parameter([1.0])": ["made of a tensor", "fix: Parameter(torch.tensor(...))"],
    "w - w.grad": [".grad is before backward()", "fix: call loss.backward() first"],
    "None - w": ["for -: 'NoneType' and 'Tensor'", "fix: call loss.backward() first"],
    "nn.Embedding(3, 2)(t([0, 5, -1]))": ["5 is not among the 3 rows", "fix: an Embedding("],
    "torch.index_select(torch.ones(3), 0, t([3]))": ["index 3", "size is 3", "fix: "],
    "nn.CrossEntropyLoss()(torch.ones(5, 3), torch.ones(5))": ["fix: ", "target.long()"],
    "nn.CrossEntropyLoss()(torch.ones(5, 3), torch.ones(5, 1))": ["fix: ", "target.squeeze(1)"],
    "nn.CrossEntropyLoss()(torch.ones(5, 3), torch.full((5,), 3))": ["classes are 0 to 2", "fix: "],
    "model(torch.ones(5, 3))": ["takes 2 features", "[5, 3]", "fix: Linear(3, ...)"],
    "nn.Linear(2, 3)(t([1, 2]))": ["fix: ", "x.float()"],
    "nn.Linear(2, 3)([1.0, 2.0])": ["fix: torch.tensor(...)"],
    "nn.Conv2d(1, 2, 3)(torch.ones(5, 28, 28))": ["(N, C, ...)", "fix: ", "x.unsqueeze(1)"],
    'model.load_state_dict("model.pt")': ["fix: ", "torch.load(path)"],
    "torch.exp(model.forward)": ["fix: call forward, with brackets"],
    "torch.exp(nn.Linear)": ["Linear is a class"],
    "torch.exp([w])": ["fix: torch.stack(...)"],
    "torch.sum(model)": ["Sequential is a module: call it"],
    "without_init(nn)": ["fix: super().__init__()"],
    "without_init_called(nn)": ["fix: super().__init__()"],
    'type("Net", (nn.Module,), {})()(w)': ["fix: def forward(self, x)"],
}


def of_beginners(text):
    """What minigrad says of an expression in beginners."""
    scope = {"torch": torch, "t": torch.tensor, "F": torch.nn.functional, "np": np}
    for name, value in beginners.VALUES.items():
        scope[name] = eval(value, scope)
    with pytest.raises(Exception) as caught:
        eval(text, scope)
    return str(caught.value)


@pytest.mark.parametrize("text", MEANT)
def test_a_beginners_mistake_is_told_what_was_meant(text):
    assert text in beginners.EXPRESSIONS, "the first line is compared there"
    said = of_beginners(text)
    first, *rest = said.split("\n")
    assert "fix:" not in first and 1 <= len(rest) <= 5
    assert max(map(len, rest)) <= 100
    for words in MEANT[text]:
        assert words in said, said
    for attribute in names_in("\n".join(rest), "torch"):
        operator.attrgetter(attribute)(torch)


def test_a_list_of_arrays_of_two_lengths_is_ragged_too():
    with pytest.raises(ValueError, match=r"expected sequence of length 2 at dim 1 \(got 3\)"):
        torch.tensor([np.ones(2), np.ones(3)])


def test_explain_takes_a_code_in_any_case_and_lists_those_there_are(capsys):
    torch.explain("mg106")
    assert capsys.readouterr().out.startswith("MG106")
    assert "MG104" in message(KeyError, lambda: torch.explain("MG999"))


def test_the_examples_on_the_pages_are_programs(capsys):
    for code in codes_of_messages():
        torch.explain(code)
        page = capsys.readouterr().out
        example = [line[4:] for line in page.split("\n") if line.startswith("    ")]
        compile("\n".join(example), code, "exec")
