"""Makes the saved copies of the notebooks: run from top to bottom, each view as a picture.

    python notebooks/build.py                 # all of them
    python notebooks/build.py 01 03           # those whose names begin so

A view needs a running page. In a saved notebook stands, in its place, a picture of its state at the
end of the cell that shows it, drawn by the real front end in Chromium, with a text for those who
cannot see it and a table that tells the same: as HTML, since JupyterLab takes no text from the
metadata of a PNG, and as such a PNG for what shows no HTML, as LaTeX does not. Table and text are
those of the still that each view leaves (``minigrad_widgets.stills``), which also stands in for a
drawing that would be too small to read. Questions and verdicts are words, and stay words. So a
saved notebook reads on GitHub, in ``nbconvert --to html`` and on paper; in JupyterLab, cells that
are run show live views.

A cell that answers a question is stored folded (``outputs_hidden``) until it is run. JupyterLab
shows the first line of what is folded: a line that gives nothing away is put in front.

Only what is the same in every run is saved: no times, no identities of widgets. A picture is drawn
anew only when what it shows has changed, because fonts differ between machines. Cells that begin
with ``# NBVAL_IGNORE_OUTPUT``, or have the tag ``nbval-ignore-output``, keep the output that they
have; whoever wants a new one clears it first.

It needs the extra ``test``, and Chromium.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import sys
from html import escape
from pathlib import Path

import nbformat
from nbclient.exceptions import CellExecutionError
from PIL import Image
from playwright.sync_api import sync_playwright

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import lab  # noqa: E402
from notebooks.run import VIEW, executed, still_of  # noqa: E402

FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
WIDTH = 760  # of a picture, in pixels of the page; it is saved with twice as many
IGNORED, IGNORED_TAG = "# NBVAL_IGNORE_OUTPUT", "nbval-ignore-output"
SOURCE = re.compile(r'data:image/svg[^"]*')
FOLDED = "The answer comes below. Guess first, then run this cell."
LARGEST = 1100  # of a drawing in that width, in its own pixels: its letters can just be read
DRAWN = ("graph", "schedule", "difference", "training", "memory")  # of views; others are words

PAGE = """<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; background: #fff; font-size: 13px }
    main { width: WIDTHpx }
    .mg-canvas { max-height: none !important; overflow: visible !important }
    .mg-canvas > svg { max-width: 100%; height: auto } /* nobody can scroll it */
    /* What can only be pressed in a living notebook. */
    .mg-root :is(button:not(.mg-source *, .mg-variable, .mg-array), summary, select, input),
    .mg-root :is(.mg-zoom, .mg-controls, .mg-engine, .mg-save, .mg-ask, .mg-choose, .mg-knobs) {
        display: none !important;
    }
</style><style id="look"></style><body data-jp-theme-light="true"><main></main>
""".replace("WIDTH", str(WIDTH))

MOUNT = """async traits => {
    document.getElementById("look").textContent = traits._css ?? "";
    const address = URL.createObjectURL(new Blob([traits._esm], { type: "text/javascript" }));
    const widget = (await import(address)).default;
    const { initialize, render } = typeof widget === "function" ? await widget() : widget;
    const model = {
        get: name => traits[name],
        set: (name, value) => { traits[name] = value; },
        save_changes() {}, on() {}, off() {}, send() {},
    };
    await initialize?.({ model });
    await render({ model, el: document.querySelector("main") });
    const frame = () => new Promise(requestAnimationFrame);
    for (let i = 0; i < 4; i += 1) await frame();
    await document.fonts.ready;
}"""

# On paper nobody can step: the stepper stands at its end.
TO_THE_END = """() => {
    const range = document.querySelector(".mg-stepper .mg-scrub input[type=range]");
    if (range === null) return;
    range.value = range.max;
    range.dispatchEvent(new Event("input"));
}"""

# And a training where its first step has just moved the number.
TO_THE_STEP = """({ training }) => {
    const range = document.querySelector("[data-mg-training] .mg-scrub input[type=range]");
    const at = (training?.events ?? []).findIndex(event => event.kind === "step");
    if (range === null || at < 0) return;
    range.value = at + 1;
    range.dispatchEvent(new Event("input"));
}"""

# And a recording at the first number that is not finite, if there is one.
TO_THE_FLAW = """({ recording }) => {
    if (!recording) return;
    const buttons = [...document.querySelectorAll("button")];
    buttons.find(one => one.textContent === "Next NaN")?.click();
}"""

# A drawing that would be shrunk until nobody can read it: the still goes on in a second row.
IN_ROWS = """async still => {
    const svg = document.querySelector(".mg-canvas > svg");
    if (svg === null || still === null || svg.viewBox.baseVal.width <= LARGEST) return;
    const image = new Image();
    image.src = still;
    image.style = "display: block; margin: auto";
    await image.decode();
    svg.replaceWith(image);
}""".replace("LARGEST", str(LARGEST))


class Painter:
    """Draws views in Chromium. It starts when the first picture is wanted."""

    def __init__(self):
        self._playwright = self._browser = None

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        if self._playwright is not None:
            self._browser.close()
            self._playwright.stop()

    def picture(self, state, still=None):
        """A view in this state as PNG; ``still`` is the address of its own picture."""
        if self._playwright is None:
            chromium = lab.find_chromium()
            if chromium is None:
                raise SystemExit("The pictures need Chromium, which cannot be found.")
            self._playwright = sync_playwright().start()
            self._browser = self._playwright.chromium.launch(
                executable_path=chromium, args=list(FLAGS)
            )
        page = self._browser.new_page(
            viewport={"width": WIDTH, "height": 900},
            device_scale_factor=2,
            color_scheme="light",
            reduced_motion="reduce",
        )
        try:
            page.route("**", lambda route: route.abort())  # nothing is fetched from anywhere
            page.set_content(PAGE)
            page.evaluate(MOUNT, state)
            page.evaluate(TO_THE_END)
            page.evaluate(TO_THE_STEP, {"training": state.get("training")})
            page.evaluate(TO_THE_FLAW, {"recording": bool(state.get("recording"))})
            page.evaluate("() => new Promise(requestAnimationFrame)")
            page.evaluate(IN_ROWS, still)
            return small(page.locator(".mg-root").first.screenshot(animations="disabled"))
        finally:
            page.close()


def small(png):
    """The same picture with 128 colours: a quarter of the size, and nobody sees the difference."""
    made = io.BytesIO()
    with Image.open(io.BytesIO(png)) as image:
        few = image.convert("RGB").quantize(128, dither=Image.Dither.NONE)
        few.save(made, "PNG", optimize=True)
    return made.getvalue()


def build(path, painter=None):
    """The saved copy of a notebook, as text. Without a painter, without pictures."""
    old = nbformat.read(path, as_version=4)
    new, states = executed(nbformat.from_dict(old), path.parent)
    before = {cell.id: cell for cell in old.cells if cell.cell_type == "code"}
    for cell in new.cells:
        if cell.cell_type != "code":
            continue
        cell.metadata.pop("execution", None)
        was = before.get(cell.id)
        if was is not None and was.outputs and differs_each_time(cell):
            cell.outputs = was.outputs
        pictures = kept_pictures(was)
        stills = {still_of(output): output for output in cell.outputs if still_of(output)}
        cell.outputs = joined(output for output in cell.outputs if not still_of(output))
        for output in cell.outputs:
            view = output.get("data", {}).pop(VIEW, None)
            still = stills.get(view["model_id"]) if view is not None else None
            if still is None:
                continue
            output.data["text/plain"] += f"\n\n{still.data['text/plain']}"
            if painter is not None:
                paint(output, still, states[cell.id, view["model_id"]], painter, pictures)
        if cell.metadata.get("jupyter", {}).get("outputs_hidden"):
            shown = [output for output in cell.outputs if not is_cover(output)]
            cell.outputs = [cover(), *shown] if shown else []
    new.metadata = nbformat.from_dict(
        {
            "kernelspec": {
                "display_name": "Python 3 (ipykernel)",
                "language": "python",
                "name": "python3",
            },
            "language_info": {"name": "python"},
        }
    )
    return nbformat.writes(new) + "\n"


def joined(outputs):
    """Prints that arrived in pieces are one: where they were cut depends on the time."""
    result = []
    for output in outputs:
        last = result[-1] if result else None
        if output.output_type == "stream" and last and last.get("name") == output.name:
            last["text"] += output.text
        else:
            result.append(output)
    return result


def differs_each_time(cell):
    """Does this cell say that its output cannot be the same in every run, or on every machine?"""
    return cell.source.startswith(IGNORED) or IGNORED_TAG in cell.metadata.get("tags", ())


def cover():
    """What is seen of an output that is folded."""
    about = {"data": {"text/plain": FOLDED}, "metadata": {"minigrad": "folded"}}
    return nbformat.v4.new_output("display_data", **about)


def is_cover(output):
    return output.get("metadata", {}).get("minigrad") == "folded"


def kept_pictures(cell):
    """The pictures of a saved cell, by what they show."""
    outputs = [] if cell is None else cell.outputs
    return {
        output.metadata["minigrad"]: output
        for output in outputs
        if "minigrad" in output.get("metadata", {})
    }


def paint(output, still, state, painter, pictures):
    """Put a picture of the view into its output; the one that is there, if it shows the same."""
    if "difference" in state and not state.get("given"):  # on paper nobody can answer
        state["given"] = [None] * len(state["difference"]["questions"])
    drawn = SOURCE.search(still.data["text/html"])
    address = None if drawn is None else drawn.group()
    own = {name: state[name] for name in sorted({*DRAWN, "_esm", "_css", "given"} & state.keys())}
    own.update(page=PAGE, still=address)
    if "training" in state:
        own["moment"] = TO_THE_STEP
    if "recording" in state:
        own["moment"] = TO_THE_FLAW
    shown = hashlib.sha256(json.dumps(own, sort_keys=True).encode()).hexdigest()[:16]
    known = pictures.get(shown)
    if known is None:
        png = painter.picture(state, address)
        output.data["image/png"] = base64.b64encode(png).decode() + "\n"
    else:
        output.data["image/png"] = known.data["image/png"]
    alt = f"{output.data['text/plain'].splitlines()[0]}. {still.metadata['minigrad']['alt']}"
    if "training" in state:
        alt += " The picture shows the moment at which the first step has moved the number."
    output.metadata = {"image/png": {"alt": alt, "width": WIDTH}, "minigrad": shown}
    data = output.data["image/png"].strip()
    output.data["text/html"] = (
        f'<img alt="{escape(alt)}" width="{WIDTH}" src="data:image/png;base64,{data}">'
        "<details><summary>The picture as a table</summary>"
        f"<pre>{escape(still.data['text/plain'])}</pre></details>"
    )


def chosen(names):
    """The notebooks with these beginnings; all, if there are none."""
    found = sorted(path for path in HERE.glob("*.ipynb") if path.name[:2].isdigit())
    missing = [name for name in names if not any(path.name.startswith(name) for path in found)]
    if missing:
        raise SystemExit(f"There is no notebook whose name begins with {', '.join(missing)}.")
    return [path for path in found if not names or path.name.startswith(tuple(names))]


def main(names):
    with Painter() as painter:
        for path in chosen(names):
            try:
                text = build(path, painter)
            except CellExecutionError as error:
                raise SystemExit(f"{path.name} was not changed: {error}") from None
            changed = text != path.read_text(encoding="utf-8")
            if changed:
                path.write_text(text, encoding="utf-8")
            print(f"{path.name}: {'written' if changed else 'as it was'}", flush=True)
    lab.SHIPPED.write_text(json.dumps(digests(), indent=2) + "\n", encoding="utf-8")


def digests():
    """What `lab.py` knows the project's own notebooks by."""
    return {path.name: lab.digest_of(path.name) for path in sorted(HERE.glob("*.ipynb"))}


if __name__ == "__main__":
    main(sys.argv[1:])
