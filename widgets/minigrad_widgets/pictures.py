"""A figure of matplotlib as a page gets it: sharp, in light and in dark, and with a text."""

from __future__ import annotations

import base64
import io
from html import escape
from typing import Any

from PIL import Image

from minigrad.tape.values import visible

SHARP = 2  # pixels of a picture for each one of the page
DARK = (  # light paper becomes dark, and the hues stay
    "<style>:is([data-jp-theme-light=false],.vscode-dark,.dark-theme) .mg-plot"
    "{filter:invert(.93) hue-rotate(180deg)}</style>"
)
LARGE = 30_000  # bytes of a picture from which on it has
COLOURS = 128  # at most


class Picture:
    """A figure as a page gets it: as HTML whose image has a text, which JupyterLab does not take
    from the metadata of a PNG; and as such a PNG, for what shows no HTML."""

    def __init__(self, figure: Any, text: str) -> None:
        made = io.BytesIO()
        whole = {} if figure.get_layout_engine() else {"bbox_inches": "tight"}
        dots = SHARP * 96  # an inch of a page has 96 pixels
        figure.savefig(made, format="png", dpi=dots, metadata={"Software": None}, **whole)
        if len(made.getvalue()) > LARGE:  # fewer colours look the same, and take less room
            image = Image.open(made).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
            made = io.BytesIO()
            image.save(made, format="png", optimize=True)
        self.png = made.getvalue()
        self.text = visible(text)
        self.width = int.from_bytes(self.png[16:20], "big") // SHARP

    def __repr__(self) -> str:
        return self.text or "a picture"

    def _repr_png_(self) -> tuple[bytes, dict[str, Any]]:
        return self.png, {"alt": self.text, "width": self.width}

    def _repr_html_(self) -> str:
        data = base64.b64encode(self.png).decode()
        start = f'<img alt="{escape(self.text)}" class="mg-plot" width="{self.width}"'
        return f'{start} style="height:auto" src="data:image/png;base64,{data}">{DARK}'
