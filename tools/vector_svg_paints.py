"""Gradients and patterns of an SVG as plain colours: the converter misplaces gradients and draws no patterns.

A gradient becomes the mean of its stops; a pattern a mixture of its ground and its ink, another one for each pattern.
Not handled here: paints that only a style sheet names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from tools.types import Floats

HREFS = ("{http://www.w3.org/1999/xlink}href", "href")
PAINT = re.compile(r"url\(\s*['\"]?#([^)'\"]+)['\"]?\s*\)(?:\s+(?:none|currentColor|#\w+|rgb\([^)]*\)))?")
SHARES = (0.35, 0.7, 0.18, 0.52, 0.86)  # of ink in the patterns of one ground and ink, in their order
MOST = 200  # elements of a pattern
WHITE, BLACK = (255.0, 255.0, 255.0), (0.0, 0.0, 0.0)
Colour = tuple[float, float, float]


def plain_paints(root: Any) -> None:
    """Let every fill and stroke by a gradient or a pattern be a plain colour (an lxml tree, changed in place)."""
    targets = {one.get("id"): one for one in root.iter() if one.get("id")}
    colours: dict[str, str] = {}
    used: dict[tuple[Colour, Colour], list[str]] = {}
    for name, one in targets.items():
        kind = _name(one)
        if kind in ("linearGradient", "radialGradient"):
            colours[name] = _hex(_of_gradient(one, targets))
        elif kind == "pattern":
            inside = _drawn_in(one, targets)
            pair, same = _of_pattern(inside), used.setdefault(_of_pattern(inside), [])
            if _content(inside) not in same:  # some producers write a pattern down for each place that it fills
                same.append(_content(inside))
            share = SHARES[same.index(_content(inside)) % len(SHARES)]
            colours[name] = _hex((1 - share) * np.array(pair[0]) + share * np.array(pair[1]))
    if not colours:
        return

    def plain(match: re.Match[str]) -> str:
        return colours.get(match[1], match[0])

    for one in root.iter():
        for key in ("fill", "stroke", "style"):
            value = one.get(key)
            if value and "url(" in value:
                one.set(key, PAINT.sub(plain, value))


def _name(element: Any) -> str:
    return element.tag.rsplit("}", 1)[-1] if isinstance(element.tag, str) else ""


def _property(element: Any, name: str) -> str:
    """A property of an element, in its style or as an attribute; empty where it has none."""
    found = re.search(rf"(?<![-\w]){name}\s*:\s*([^;]+)", element.get("style") or "")
    return found[1].strip() if found else (element.get(name) or "").strip()


def _followed(element: Any, targets: dict[str, Any]) -> list[Any]:
    """An element and those that it takes its content from, each once."""
    found = [element]
    while True:
        reference = next((found[-1].get(key) for key in HREFS if found[-1].get(key)), "")
        target = targets.get(reference[1:])
        if target is None or target in found or len(found) > 8:
            return found
        found.append(target)


def _of_gradient(element: Any, targets: dict[str, Any]) -> Floats:
    """The mean of the stops of a gradient, as far as they hide the paper."""
    for one in _followed(element, targets):
        stops = [child for child in one if _name(child) == "stop"]
        if stops:
            shown = []
            for stop in stops:
                opacity = _number(_property(stop, "stop-opacity"), 1.0)
                colour = np.array(_colour(_property(stop, "stop-color")) or BLACK)
                shown.append(opacity * colour + (1 - opacity) * np.array(WHITE))
            return np.asarray(np.mean(shown, axis=0), dtype=np.float64)
    return np.array(BLACK)


def _drawn_in(element: Any, targets: dict[str, Any]) -> list[Any]:
    """What a pattern draws, what it repeats among it."""
    found = [part for one in _followed(element, targets) for part in one.iter() if part is not one]
    for one in found[:MOST]:
        if _name(one) == "use":
            found += [part for other in _followed(one, targets)[1:] for part in other.iter()]
    return found[:MOST]


def _content(inside: Sequence[Any]) -> str:
    """All that tells what one pattern draws from what another one does."""
    kept = ([(key, v) for key, v in one.items() if key not in (*HREFS, "id", "clip-path")] for one in inside)
    return repr([(_name(one), *sorted(items)) for one, items in zip(inside, kept, strict=True)])


def _of_pattern(inside: Sequence[Any]) -> tuple[Colour, Colour]:
    """The ground and the ink of a pattern: a rectangle that fills it, and the first other paint."""
    ground: Colour = WHITE
    first = True
    for one in inside:
        paints = [_colour(_property(one, key)) for key in ("stroke", "fill")]
        known = [paint for paint in paints if paint is not None]
        if _name(one) == "rect" and first:
            ground = known[0] if known else WHITE
        elif known and known[0] != ground:
            return ground, known[0]
        first = first and _name(one) not in ("rect", "path")
    return ground, BLACK


def _number(text: str, otherwise: float) -> float:
    try:
        return min(1.0, max(0.0, float(text)))
    except ValueError:
        return otherwise


def _colour(text: str) -> Colour | None:
    """A colour in words, hexadecimal or as `rgb(12.5%, ...)`; None for none."""
    from PIL import ImageColor

    shares = re.match(r"rgb\(\s*([\d.]+)%\s*,\s*([\d.]+)%\s*,\s*([\d.]+)%", text)
    if shares:
        red, green, blue = (round(2.55 * float(share), 3) for share in shares.groups())
        return red, green, blue
    try:
        red, green, blue = ImageColor.getrgb(text)[:3]
    except ValueError:
        return None
    return float(red), float(green), float(blue)


def _hex(colour: Floats) -> str:
    red, green, blue = (int(v) for v in np.clip(np.round(colour), 0, 255))
    return f"#{red:02x}{green:02x}{blue:02x}"
