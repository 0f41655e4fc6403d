"""The text of an SVG made ready for a PDF: fonts of no machine, and labels of several pieces set whole.

The converter places every piece of a label by itself; a label that ends at its place, or has its middle there (an
exponent in a `<tspan>`, say), is set from its start instead, which is where its pieces begin one after the other.
Not handled here: text along paths, letter spacing, anchors that only a style sheet states.
"""

from __future__ import annotations

import re
from typing import Any

WIDE = "Vera"  # the one font that reportlab brings along: as wide as DejaVu Sans and Verdana
WIDE_FAMILIES = ("dejavu sans", "bitstream vera", "verdana")
NARROW = "Helvetica"
MOST_PIECES = 2000  # of one text
_SHARE = {"end": 1.0, "middle": 0.5}  # of a label's width that lies before its place
_LENGTH = re.compile(r"\s*([-+]?[\d.]+(?:e[-+]?\d+)?)(px|pt)?\s*")
_PER_PT = 4 / 3


def generic(family: str) -> str:
    """One of the fonts that need no file, by the family (or the whole declaration) that an element names first."""
    low = family.lower()
    first = low.partition(":")[2].partition(",")[0] if ":" in low else low.partition(",")[0]
    if "mono" in low or "courier" in low:
        return "Courier"
    if any(wide in first for wide in WIDE_FAMILIES):
        return WIDE
    serif = "times" in low or "roman" in low or ("serif" in low and "sans" not in low)
    return "Times New Roman" if serif else NARROW


def known_face(value: str) -> str:
    """A weight or a style of a font as one that every font has: for others the converter would look on this machine."""
    low = value.strip().lower()
    heavy = low.startswith("bold") or re.match("[6-9][0-9][0-9]", low) is not None
    return "bold" if heavy else "italic" if low.startswith(("italic", "oblique")) else "normal"


def register_fonts(svg: bytes) -> None:
    """Make the wide font known to the converter, for an SVG that uses it."""
    from svglib import fonts

    faces = (
        ("normal", "normal", "Vera.ttf"), ("bold", "normal", "VeraBd.ttf"),
        ("normal", "italic", "VeraIt.ttf"), ("bold", "italic", "VeraBI.ttf"),
    )  # fmt: skip
    for weight, style, file in faces if WIDE.encode() in svg else ():
        fonts.register_font(WIDE, file, weight, style)


def without_wide(root: Any) -> None:
    """Take the wide font out of a file (an lxml tree, changed in place) with letters that it does not have."""
    from reportlab.pdfbase.ttfonts import TTFontFile

    known = TTFontFile(f"{WIDE}.ttf").charToGlyph
    letters = {c for one in root.iter("{*}text", "{*}tspan") for c in (one.text or "") + (one.tail or "")}
    if all(ord(c) in known or c.isspace() for c in letters):
        return
    for element in root.iter():
        if element.get("font-family") == WIDE:
            element.set("font-family", NARROW)
        if f"font-family: {WIDE}" in (element.get("style") or ""):
            element.set("style", element.get("style").replace(f"font-family: {WIDE}", f"font-family: {NARROW}"))


def set_from_start(root: Any) -> None:
    """Labels of several pieces that end, or have their middle, at their place (an lxml tree, changed in place).

    Raises ValueError for a text of more pieces than any label has: they would be placed for minutes.
    """
    for text in list(root.iter("{*}text")):
        if sum(1 for _ in text.iter("{*}tspan")) > MOST_PIECES:
            raise ValueError(f"a text in it has more than {MOST_PIECES} pieces")
        share = _SHARE.get(_inherited(text, "text-anchor"), 0.0)
        pieces = [one for one in text.iter("{*}tspan") if one is not text]
        placed = any(one.get(key) for one in pieces for key in ("x", "y", "text-anchor")) or text.get("dx")
        x = _LENGTH.fullmatch(text.get("x") or "0")
        filled = [piece for piece in _pieces(text) if piece[0]]
        if not share or placed or len(filled) < 2 or x is None:
            continue
        width = sum(_width(letters, holder) for letters, holder in filled)
        text.set("x", f"{float(x[1]) * (_PER_PT if x[2] == 'pt' else 1) - share * width:.4f}")
        text.set("text-anchor", "start")
        if "text-anchor" in (text.get("style") or ""):
            text.set("style", re.sub(r"text-anchor\s*:[^;]*;?", "", text.get("style")))


def _pieces(text: Any) -> list[tuple[str, Any]]:
    """The pieces of a label, each with the element whose style it has."""
    found = [(_shown(text.text), text)]
    for child in text:
        if isinstance(child.tag, str):
            found += _pieces(child)
        found.append((_shown(child.tail), text))
    return found


def _shown(letters: str | None) -> str:
    return " ".join((letters or "").split())


def _width(letters: str, holder: Any) -> float:
    """The width of a piece in user units."""
    from reportlab.pdfbase.pdfmetrics import stringWidth

    size = _LENGTH.fullmatch(_inherited(holder, "font-size"))
    points = float(size[1]) * (_PER_PT if size[2] == "pt" else 1) if size else 16.0
    return float(stringWidth(letters, NARROW, points)) * (1.14 if _inherited(holder, "font-family") == WIDE else 1)


def _inherited(element: Any, key: str) -> str:
    """The value of a property that an element states, in an attribute or its style, or inherits; empty if none does."""
    while element is not None:
        own = re.search(rf"(?:^|;)\s*{key}\s*:\s*([^;]+)", element.get("style") or "")
        value = own[1].strip() if own else element.get(key) or ""
        if value:
            return str(value)
        element = element.getparent()
    return ""
