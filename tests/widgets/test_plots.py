"""The pictures of a training: what was drawn, what it is called, and what is said in words."""

from __future__ import annotations

import base64
import doctest
import io
import math
import subprocess
import sys
from html.parser import HTMLParser

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from IPython.core.formatters import DisplayFormatter
from matplotlib.colors import to_hex
from PIL import Image
from playwright.sync_api import sync_playwright

import minigrad as torch
from minigrad import nn
from minigrad_widgets import TrainingLoop, plots
from minigrad_widgets.plots import curves

matplotlib.use("agg")


@pytest.fixture(autouse=True)
def no_picture_is_left_open():
    yield
    plt.close("all")


def texts(ax):
    return [text.get_text() for text in ax.texts]


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_the_examples_in_the_docstrings_run():
    assert doctest.testmod(plots).failed == 0
    assert all(
        "\n    >>> " in getattr(plots, name).__doc__ for name in plots.__all__ if name != "alt"
    )


def in_a_fresh_python(program):
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    return done.stdout + done.stderr


def test_importing_the_views_does_not_load_matplotlib():
    program = "import sys, minigrad, minigrad_widgets; print('matplotlib' in sys.modules)"
    assert in_a_fresh_python(program) == "False\n"


def test_without_matplotlib_it_says_what_to_install():
    program = "import sys; sys.modules['matplotlib'] = None; import minigrad_widgets.plots"
    said = in_a_fresh_python(program)
    assert "needs matplotlib: pip install 'minigrad-lab[notebooks]'" in said


# ------------------------------------------------------------------------------ loss curves


def test_the_thick_line_is_the_mean_of_as_many_steps_before_as_after():
    losses = [float(n % 7) for n in range(200)]
    thin, thick = plots.loss_curve(losses).lines
    assert thin.get_ydata().tolist() == losses and thin.get_xdata()[0] == 1
    assert thick.get_ydata()[50] == pytest.approx(np.mean(losses[48:53]))
    assert np.isnan(thick.get_ydata()[[0, 1, -2, -1]]).all()
    assert np.isfinite(thick.get_ydata()[2:-2]).all()


def test_of_fewer_losses_than_the_window_the_thick_line_takes_those_there_are():
    _, thick = plots.loss_curve([5.0, 3.0, 1.0, 3.0], smooth=9).lines
    assert thick.get_ydata().tolist() == [5, 3, pytest.approx(7 / 3), 3]


@pytest.mark.parametrize("smooth", [None, 2, 9, 40])
def test_the_mean_runs_neither_behind_the_losses_nor_ahead_of_them(smooth):
    losses = [500.0 - 3 * n for n in range(150)]
    _, thick = plots.loss_curve(losses, smooth=smooth).lines
    drawn = np.isfinite(thick.get_ydata())
    assert drawn.sum() >= 110
    assert thick.get_ydata()[drawn] == pytest.approx(np.array(losses)[drawn])


def test_the_mean_of_an_even_number_of_steps_takes_one_more_and_says_so():
    ax = plots.loss_curve([float(n % 3) for n in range(30)], smooth=4)
    assert ax.get_xlabel() == "step (thick: mean of 5 steps)"
    assert ax.lines[1].get_ydata()[10] == pytest.approx(np.mean([2, 0, 1, 2, 0]))


def test_a_loss_that_is_no_number_has_no_part_in_the_mean_of_others():
    _, thick, _ = plots.loss_curve([3.0, 1.0, math.nan, 5.0, 1.0], smooth=3).lines
    assert thick.get_ydata() == pytest.approx([math.nan, 2, math.nan, 3, math.nan], nan_ok=True)


def test_a_training_loop_is_drawn_by_its_losses_alone_or_with_a_name():
    model = small_model()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    with TrainingLoop(model, optimizer) as loop:
        for _ in range(5):
            optimizer.zero_grad()
            model(torch.ones(4, 2)).square().sum().backward()
            optimizer.step()
    (alone,) = plots.loss_curve(loop).lines
    named, _ = plots.loss_curve({"mine": loop, "yours": [1.0, 2.0]}).lines
    assert alone.get_ydata().tolist() == named.get_ydata().tolist() == loop.losses
    assert len(loop.losses) == 5


def loop_without(line):
    model = small_model()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    with TrainingLoop(model, optimizer) as loop:
        for _ in range(300):
            loss = model(torch.ones(4, 2)).square().sum()
            if line != "backward":
                loss.backward()
            if line != "step":
                optimizer.step()
    return loop


def test_without_a_step_the_axis_counts_backward_passes():
    ax = plots.loss_curve(loop_without("step"))
    assert ax.get_xlabel() == "backward pass (thick: mean of 7 backward passes)"
    assert plots.alt(ax).startswith("Loss over 300 backward passes: from ")


def test_without_a_backward_pass_it_says_so_and_calls_no_loss_not_a_number():
    loop = loop_without("backward")
    ax = plots.loss_curve({"mine": loop, "yours": [2.0, 1.0]})
    assert texts(ax) == ["no backward pass, no loss"] and "number" not in plots.alt(ax)
    assert texts(plots.gradient_flow(loop)) == ["no gradient"]


def test_of_values_that_lie_apart_the_thick_line_does_not_claim_to_average_steps():
    ax = plots.gradient_flow(loop_without("nothing"))
    assert ax.get_xlabel() == "step"  # of 82 values the mean is over one
    ax = plots.gradient_flow({"w": np.arange(1.0, 101)})
    assert ax.get_xlabel() == "step (thick: mean of 3 steps)"
    apart = np.array([1, 2, 3, 11, 19])
    curves.curve(ax, apart, np.ones(5), 3, ("k", "-"), "w")
    assert ax.get_xlabel() == "step (thick: mean of 3 values, up to 8 steps apart)"


def test_a_gap_is_not_said_to_last_to_the_end():
    assert texts(plots.loss_curve([2.0, math.nan, 1.0])) == ["not a number at step 2"]


def test_the_names_stand_below_the_picture_and_all_of_them_fit():
    ax = plots.gradient_flow({f"encoder.layers.{n}.weight": [1.0, 2.0] for n in range(5)})
    figure = ax.figure
    figure.canvas.draw()
    names = ax.get_legend().get_window_extent()
    assert names.y1 < ax.get_window_extent().y0
    assert names.x0 >= 0 and names.x1 <= figure.bbox.width and names.y0 >= 0


def test_without_smoothing_there_is_one_line():
    (line,) = plots.loss_curve([3.0, 2.0, 1.0], smooth=1).lines
    assert line.get_ydata().tolist() == [3, 2, 1]


def test_tensors_are_taken_for_their_numbers_whatever_they_require():
    losses = [torch.tensor(2.0, requires_grad=True) * n for n in (1, 2)]
    (line,) = plots.loss_curve(losses, smooth=1).lines
    assert line.get_ydata().tolist() == [2, 4]


def test_several_curves_differ_in_colour_and_in_style_and_are_named():
    ax = plots.loss_curve({"one": [1.0, 2.0], "two": [2.0, 1.0], "three": [1.0, 1.0]})
    assert legend(ax) == ["one", "two", "three"]
    assert len({line.get_linestyle() for line in ax.lines}) == 3
    assert len({to_hex(line.get_color()) for line in ax.lines}) == 3
    assert plots.alt(ax) == (
        "Loss over 2 steps: one from 1 to 2; two from 2 to 1; three from 1 to 1."
    )


@pytest.mark.parametrize(("bad", "said"), [(math.nan, "not a number"), (math.inf, "infinite")])
def test_the_first_loss_that_is_no_number_is_marked(bad, said):
    ax = plots.loss_curve([2.0, 1.0, bad, bad])
    assert texts(ax) == [f"{said} from step 3"]
    assert ax.lines[-1].get_xdata()[0] == 3
    assert plots.alt(ax).endswith(f"from 2, {said} from step 3.")


@pytest.mark.parametrize("losses", [[], {}, {"one": [1.0], "two": []}])
def test_without_losses_there_is_nothing_to_draw(losses):
    with pytest.raises(ValueError, match="no losses"):
        plots.loss_curve(losses)


def test_a_mean_is_over_one_step_or_more():
    with pytest.raises(ValueError, match="smooth=0"):
        plots.loss_curve([1.0], smooth=0)


def test_it_draws_into_the_axes_that_are_given():
    _, (left, right) = plt.subplots(1, 2)
    assert plots.loss_curve([1.0], ax=right) is right
    assert right.lines and not left.lines
    assert plots.gradient_flow({"w": 1.0}, ax=left) is left


# ------------------------------------------------------------------------------- gradients


def small_model():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 2))


def test_each_parameter_has_a_bar_as_long_as_the_norm_of_its_gradient():
    model = small_model()
    model(torch.ones(4, 2)).square().sum().backward()
    ax = plots.gradient_flow(model)
    names, norms = zip(*((n, p.grad.norm().item()) for n, p in model.named_parameters()))
    assert [label.get_text() for label in ax.get_yticklabels()] == list(names)
    assert [bar.get_width() for bar in ax.patches] == pytest.approx(norms)
    assert ax.get_xscale() == "log" and ax.get_ylim()[0] > ax.get_ylim()[1]  # the first on top


def test_what_has_no_gradient_says_so_and_is_no_zero():
    model = small_model()
    model(torch.ones(4, 2)).sum().backward()
    model[0].weight.grad = None
    model[2].bias.grad.zero_()
    ax = plots.gradient_flow(model)
    assert len(ax.patches) == 2
    assert texts(ax)[0] == "no gradient" and texts(ax)[3] == "0"
    assert "0.weight no gradient" in plots.alt(ax) and "2.bias 0." in plots.alt(ax)


def test_norms_of_many_steps_are_lines():
    ax = plots.gradient_flow({"first": [1.0, 2.0, 4.0], "second": [0.1, 0.0, 0.3]})
    first, second = ax.lines
    assert first.get_ydata().tolist() == [1, 2, 4]
    assert np.isnan(second.get_ydata()[1])  # 0 has no place on a log scale
    assert legend(ax) == ["first", "second"] and ax.get_yscale() == "log"
    assert first.get_linestyle() != second.get_linestyle()


def test_a_training_loop_is_drawn_over_the_steps_at_which_it_measured():
    model = small_model()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    with TrainingLoop(model, optimizer) as loop:
        for _ in range(130):
            optimizer.zero_grad()
            model(torch.ones(4, 2)).square().sum().backward()
            optimizer.step()
    ax = plots.gradient_flow(loop)
    (line,) = (one for one in ax.lines if one.get_label() == "0.weight")
    assert line.get_xdata().tolist() == loop.norm_steps and loop.norm_steps[-1] > 100
    assert len(line.get_ydata()) == len(loop.gradient_norms["0.weight"])


def test_a_model_without_parameters_is_refused():
    with pytest.raises(ValueError, match="no parameters"):
        plots.gradient_flow(nn.Tanh())


# ------------------------------------------------------------------------------ boundaries

CORNERS = torch.tensor([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]])


def test_when_all_are_right_nothing_is_ringed():
    ax = plots.decision_boundary(lambda x: x, CORNERS, torch.tensor([0, 1, 0, 0]))
    one, two = ax.collections[-2:]
    assert [len(points.get_offsets()) for points in (one, two)] == [3, 1]
    assert legend(ax) == ["class 0", "class 1"] and ax.get_title() == "4 of 4 right"


def test_classes_differ_in_their_markers_and_the_wrong_are_ringed():
    ax = plots.decision_boundary(lambda x: x[:, :1], CORNERS, torch.tensor([0, 0, 1, 0]))
    assert legend(ax) == ["class 0", "class 1", "wrong"]
    one, two, wrong = ax.collections[-3:]
    assert one.get_paths()[0].vertices.shape != two.get_paths()[0].vertices.shape
    assert wrong.get_offsets().tolist() == [[1, 1]]
    assert ax.get_title() == "3 of 4 right"
    assert plots.alt(ax) == (
        "The plane, divided into 2 of 2 classes by the model; 3 of 4 examples are right."
    )


def test_a_model_is_asked_in_eval_mode_and_left_as_it_was():
    modes = []

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = nn.Dropout(0.5).eval()

        def forward(self, x):
            modes.append((self.training, torch.is_grad_enabled()))
            return x

    model = Model()
    plots.decision_boundary(model, CORNERS, torch.tensor([0, 1, 0, 0]))
    assert set(modes) == {(False, False)}
    assert model.training and not model.inner.training


def test_one_class_everywhere_has_no_boundary():
    ax = plots.decision_boundary(lambda x: x[:, 0] * 0 - 1, CORNERS, torch.zeros(4))
    assert "divided into 1 of 1 classes" in plots.alt(ax)


@pytest.mark.parametrize(
    ("x", "y", "said"),
    [
        (torch.ones(4, 3), torch.zeros(4), r"\(4, 3\)"),
        (CORNERS, torch.zeros(3), "one class for each row"),
        (CORNERS, torch.tensor([-1, 1, 1, -1]), "whole numbers from 0 on"),
        (CORNERS, torch.tensor([0.0, 0.5, 1.0, 0.0]), "whole numbers from 0 on"),
        (CORNERS[:0], torch.zeros(0), "at least one"),
    ],
)
def test_what_cannot_be_drawn_in_a_plane_is_refused(x, y, said):
    with pytest.raises(ValueError, match=said):
        plots.decision_boundary(lambda x: x, x, y)


def test_what_is_not_a_number_is_never_right():
    nan = float("nan")
    for outputs in (lambda x: x[:, 0] * nan, lambda x: x * nan):
        ax = plots.decision_boundary(outputs, CORNERS, torch.tensor([0, 0, 1, 0]))
        assert ax.get_title() == "0 of 4 right"
        assert "0 of 2 classes by the model, which says NaN at 100 % of it" in plots.alt(ax)


@pytest.mark.parametrize(("sign", "right"), [(1, 0), (-1, 2)])
def test_half_a_plane_of_nan_is_drawn(sign, right):
    ax = plots.decision_boundary(
        lambda x: (sign * x[:, 0]).sqrt() - 1.5, CORNERS, torch.tensor([0, 0, 1, 1])
    )
    assert ax.get_title() == f"{right} of 4 right"
    assert "NaN at 50 %" in plots.alt(ax)


def test_of_probabilities_class_one_begins_at_a_half():
    labels = torch.tensor([0, 0, 1, 1])
    for outputs in (lambda x: x[:, :1].sigmoid(), lambda x: x[:, 0].sigmoid()):
        assert plots.decision_boundary(outputs, CORNERS, labels).get_title() == "4 of 4 right"
    scores = plots.decision_boundary(lambda x: 4 * x[:, :1], CORNERS, labels)
    assert scores.get_title() == "4 of 4 right"


def test_the_threshold_can_be_given():
    labels = torch.tensor([1, 1, 1, 1])
    ax = plots.decision_boundary(lambda x: x[:, 0].sigmoid(), CORNERS, labels, threshold=0.0)
    assert ax.get_title() == "4 of 4 right"


# --------------------------------------------------------------------------------- images


@pytest.fixture
def digits():
    data = torch.datasets.digits()
    torch.manual_seed(0)
    return nn.Sequential(nn.Flatten(), nn.Linear(64, 10)), data.x_test, data.y_test


def test_the_images_with_the_largest_loss_come_first(digits):
    model, images, labels = digits
    axes = plots.worst_images(model, images, labels, count=5)
    losses = nn.functional.cross_entropy(model(images), labels, reduction="none")
    worst = losses.argsort(descending=True)[:5].tolist()
    drawn = [ax.images[0].get_array() for ax in axes]
    assert all(np.array_equal(d, images[i, 0]) for d, i in zip(drawn, worst))
    said = model(images).argmax(1)
    for ax, i in zip(axes, worst):
        assert ax.get_xlabel().startswith(f"says {said[i].item()} (")
        assert ax.get_xlabel().endswith(f"it is {labels[i].item()}")


def scored(scores, labels, count=1):
    """The numbers of the worst images, for given scores."""
    scores = torch.tensor(scores)
    images = torch.arange(len(labels)).reshape(-1, 1, 1) * torch.ones(2, 2)
    axes = plots.worst_images(lambda _: scores, images, torch.tensor(labels), count)
    return [int(ax.images[0].get_array()[0, 0]) for ax in axes], axes


def test_the_worst_come_first_where_all_their_probabilities_are_zero():
    scores = [[200.0, 0.0], [900.0, 0.0], [400.0, 0.0], [0.0, 1.0]]
    assert scored(scores, [1, 1, 1, 1], 3)[0] == [1, 2, 0]


def test_scores_that_are_no_numbers_are_the_worst_and_wrong():
    nan = float("nan")
    worst, axes = scored([[9.0, 0.0], [nan, nan], [0.0, 1.0]], [1, 0, 1], 2)
    assert worst == [1, 0] and axes[0].get_xlabel() == "says NaN\nit is 0"
    assert "says NaN for 0, 0 for 1. It is wrong about 2 of 3." in plots.alt(axes)


@pytest.mark.parametrize("label", [-1, 2, 0.5])
def test_a_label_that_names_no_class_is_refused(label):
    with pytest.raises(ValueError, match="classes that the model knows, 0 to 1"):
        scored([[0.0, 1.0], [0.0, 1.0]], [label, 1])


@pytest.mark.parametrize("shape", [(-1, 1, 8, 8), (-1, 8, 8), (-1, 64)])
def test_images_may_come_in_three_shapes(digits, shape):
    model, images, labels = digits
    axes = plots.worst_images(lambda x: model(x.reshape(-1, 64)), images.reshape(shape), labels)
    assert len(axes) == 12 and axes[0].images[0].get_array().shape == (8, 8)
    assert len(axes[0].figure.axes) == 12


def test_fewer_images_than_wanted_are_no_error(digits):
    model, images, labels = digits
    axes = plots.worst_images(model, images[:7], labels[:7])
    assert len(axes) == 7 == len(axes[0].figure.axes)
    assert "The 7 images" in plots.alt(axes)


@pytest.mark.parametrize(
    ("images", "said"),
    [
        (torch.ones(2, 3, 8, 8), "2, 3, 8, 8"),
        (torch.ones(2, 63), "2, 63"),
        (torch.ones(3, 64), "one label for each"),
    ],
)
def test_what_is_no_image_is_refused(images, said):
    with pytest.raises(ValueError, match=said):
        plots.worst_images(lambda x: x, images, torch.tensor([0, 1]))


def test_no_images_are_no_picture(digits):
    model, images, labels = digits
    with pytest.raises(ValueError, match="no images"):
        plots.worst_images(model, images, labels, count=0)


# ------------------------------------------------------------------------------ in a notebook


@pytest.fixture
def page(monkeypatch):
    """What a notebook would store: of each picture the formats, and their metadata."""
    stored = []
    formatter = DisplayFormatter()
    formatter.active_types = formatter.format_types
    monkeypatch.setattr(plots, "display", lambda shown: stored.append(formatter.format(shown)))
    return stored


class Tags(HTMLParser):
    def __init__(self, html):
        super().__init__()
        self.found = []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))


def test_a_shown_picture_comes_once_as_html_as_png_and_as_words(page):
    plots.show(plots.loss_curve([2.0, 1.0]))
    ((data, metadata),) = page
    assert data.keys() == {"text/html", "image/png", "text/plain"}
    assert data["text/plain"] == "Loss over 2 steps: from 2 to 1."
    assert metadata["image/png"] == {"alt": "Loss over 2 steps: from 2 to 1.", "width": 499}
    assert plt.get_fignums() == []


def test_the_html_is_the_same_picture_with_a_text_of_its_own(page):
    plots.show(plots.loss_curve([2.0, 1.0]))
    ((data, _),) = page
    (tag, attributes), (style, _) = Tags(data["text/html"]).found
    assert (tag, style) == ("img", "style")
    assert attributes["alt"] == "Loss over 2 steps: from 2 to 1."
    head, _, code = attributes["src"].partition(",")
    png = data["image/png"]
    assert head == "data:image/png;base64"
    assert base64.b64decode(code) == (png if isinstance(png, bytes) else base64.b64decode(png))
    with Image.open(io.BytesIO(base64.b64decode(code))) as image:
        assert image.format == "PNG" and image.width == 2 * int(attributes["width"]) > 600


@pytest.mark.browser
def test_on_dark_paper_a_picture_is_dark(page, chromium):
    plots.show(plots.loss_curve({"one": [2.0, 1.0], "other": [1.0, 3.0]}))
    html = page[0][0]["text/html"]
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=str(chromium), args=["--no-sandbox"])
        tab = launched.new_page(viewport={"width": 600, "height": 500})
        for light, paper, ink in (("true", 255, 0), ("false", 18, 237)):
            tab.set_content(f"<body data-jp-theme-light={light}>{html}")
            with Image.open(io.BytesIO(tab.locator("img").screenshot())) as shot:
                grey = np.asarray(shot.convert("L")).astype(int)
            assert abs(np.median(grey) - paper) <= 2 and abs(grey - ink).min() <= 12
        launched.close()


def test_a_picture_of_others_is_cut_to_what_it_shows(page):
    _, ax = plt.subplots(figsize=(3, 2))
    ax.set_position([0.4, 0.4, 0.2, 0.2])
    plots.show(ax, "A small picture.")
    assert page[0][1]["image/png"]["width"] < 200


def test_no_name_in_a_text_can_end_the_tag(page):
    name = 'a "b" <script>alert(1)</script> & c'
    plots.show(plots.loss_curve({name: [2.0, 1.0], "d": [1.0]}))
    (tag, attributes), *more = Tags(page[0][0]["text/html"]).found
    assert tag == "img" and [tag for tag, _ in more] == ["style"] and name in attributes["alt"]


def test_axes_of_others_are_shown_with_the_text_that_is_given(page):
    plots.show(plt.subplots()[1], "An empty picture.")
    assert page[0][0]["text/plain"] == "An empty picture."
    assert page[0][1]["image/png"]["alt"] == "An empty picture."


def test_a_terminal_is_told_what_was_drawn(capsys):
    plots.show(plots.gradient_flow({"w": 2.0}))
    assert capsys.readouterr().out == "Size of the gradients: w 2.\n"


def test_axes_of_others_have_no_text():
    assert plots.alt(plt.subplots()[1]) == ""
