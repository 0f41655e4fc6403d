"""Repeated elements of an SVG that take the colour of the place where they are repeated (`currentColor`).

The converter draws every repetition in the colours of the original, so an original is copied for each colour.
Not handled here: colours that only a style sheet states.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from itertools import islice
from typing import Any

HREFS = ("{http://www.w3.org/1999/xlink}href", "href")
MOST = 500  # copies: figures have a few colours of a few markers
LARGEST = 60  # elements of a marker
CURRENT = "currentcolor"


def coloured_uses(root: Any, colour_of: Callable[[Any], str]) -> None:
    """Let every `<use>` that shows `currentColor` repeat a copy in its own colour (an lxml tree, changed in place).

    colour_of: the text colour at an element.
    """
    targets = {element.get("id"): element for element in root.iter() if element.get("id")}
    made: dict[tuple[str, str], str] = {}
    asking: dict[str, bool] = {}
    for use in [one for one in root.iter("{*}use") if _shown(one)]:
        name = _target(use)
        if name in targets and _asks(name, targets, asking):
            _point(use, _copied(name, colour_of(use), targets, made, 0))


def _shown(use: Any) -> bool:
    """Whether a `<use>` draws, and does not only define."""
    return not any(parent.tag.endswith(("}defs", "}symbol")) for parent in use.iterancestors())


def _target(use: Any) -> str:
    return next((use.get(key)[1:] for key in HREFS if (use.get(key) or "").startswith("#")), "")


def _point(use: Any, name: str) -> None:
    for key in HREFS:
        if use.get(key):
            use.set(key, f"#{name}")


def _asks(name: str, targets: dict[str, Any], asking: dict[str, bool]) -> bool:
    """Whether a small element, or what it repeats, is drawn in the colour of the place where it stands."""
    if name in asking:
        return asking[name]
    asking[name] = False  # while it is looked at, and where it is too large for a marker
    members = list(islice(targets[name].iter(), LARGEST + 1))
    if len(members) > LARGEST:
        return False
    own = any(CURRENT in (one.get(key) or "").lower() for one in members for key in ("fill", "stroke", "style"))
    inner = [_target(one) for one in members if isinstance(one.tag, str) and one.tag.endswith("}use")]
    asking[name] = own or any(_asks(other, targets, asking) for other in inner if other in targets)
    return asking[name]


def _copied(name: str, colour: str, targets: dict[str, Any], made: dict[tuple[str, str], str], depth: int) -> str:
    """The name of a copy of an element in a colour, made once; the element itself where there are too many."""
    large = name in targets and len(list(islice(targets[name].iter(), LARGEST + 1))) > LARGEST
    if (name, colour) in made or len(made) >= MOST or depth > 4 or name not in targets or large:
        return made.get((name, colour), name)
    new = f"{name}-{len(made)}-coloured"
    made[name, colour] = new
    twin = copy.deepcopy(targets[name])
    twin.set("id", new)
    for one in twin.iter():
        for key in ("fill", "stroke", "style"):
            value = one.get(key) or ""
            at = value.lower().find(CURRENT)
            if at >= 0:
                one.set(key, value[:at] + colour + value[at + len(CURRENT) :])
        if isinstance(one.tag, str) and one.tag.endswith("}use"):
            _point(one, _copied(_target(one), colour, targets, made, depth + 1))
    targets[name].addnext(twin)
    return new
