"""Figures of matplotlib as SVG for the page: text stays text, colours are the variables of the style sheet."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from io import StringIO
from xml.etree import ElementTree

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

WIDTH = 400  # of every figure: text of 12 is then of a good size on a screen, and can be read on a phone
INK, MUTED, LINE, BAND, ACCENT, WARM = (f"#01010{digit}" for digit in range(1, 7))
SERIES = (ACCENT, WARM, *(f"#02020{digit}" for digit in range(1, 5)))
_VARIABLES = {INK: "ink", MUTED: "muted", LINE: "line", BAND: "band", ACCENT: "accent", WARM: "warm"}
_VARIABLES |= {colour: f"series-{number}" for number, colour in enumerate(SERIES[2:], 3)}
_STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "timetricks",  # the same figure is the same text
    "font.size": 12,
    "font.family": "sans-serif",
    "text.color": INK,
    "text.parse_math": False,  # names of bots are what they are
    "axes.edgecolor": LINE,
    "axes.labelcolor": MUTED,
    "axes.labelsize": 11,
    "axes.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.grid.axis": "x",
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.unicode_minus": True,
    "grid.color": LINE,
    "grid.linewidth": 0.8,
    "xtick.color": LINE,
    "ytick.color": LINE,
    "xtick.labelcolor": MUTED,
    "ytick.labelcolor": INK,
    "xtick.labelsize": 11,
    "ytick.labelsize": 12,
    "ytick.major.size": 0,
    "figure.facecolor": "none",
}
_SVG, _XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"


def svg(draw: Callable[[Axes], None], height: float, name: str, title: str) -> str:
    """An ``<svg>`` element of what `draw` puts on the axes, `height` for a width of 400.

    `name` is unlike that of all other figures of a page; `title` is read out in the figure's place.
    """
    with rc_context(_STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph", UserWarning)  # the browser has fonts of its own
        figure = Figure(figsize=(WIDTH / 72, height / 72), layout="constrained")
        draw(figure.add_subplot())
        text = StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    return _for_the_page(text.getvalue(), name, title)


def _for_the_page(text: str, name: str, title: str) -> str:
    """The element alone, which scales; ids that nothing refers to are left out, the others are of this figure only."""
    ElementTree.register_namespace("", _SVG)
    ElementTree.register_namespace("xlink", _XLINK)
    root = ElementTree.fromstring(text)
    used = set(re.findall(r'(?:url\(|href=")#([^")]+)', text))
    for element in root.iter():
        own = element.attrib.pop("id", None)
        if own in used:
            element.set("id", f"{name}-{own}")
    for defs in root.findall(f".//{{{_SVG}}}defs"):
        for style in defs.findall(f"{{{_SVG}}}style"):
            defs.remove(style)  # it would hold for the whole page
    for size in ("width", "height"):
        del root.attrib[size]
    root.attrib |= {"stroke-linejoin": "round", "role": "img", "aria-label": title}
    found = ElementTree.tostring(root, encoding="unicode")
    found = re.sub(r'(url\(|href=")#', rf"\1#{name}-", found)
    return re.sub(r"#0[12]0[12]0[1-6]", lambda colour: f"var(--{_VARIABLES[colour[0]]})", found)
