"""An SVG, which is untrusted, as a one-page PDF: checked, stripped of all that reaches out or runs, then converted.

Nothing outside of the file is read: no entities, no external references, no fonts of this machine (every text is set in
one of the fonts that each PDF viewer has, or in the one that reportlab brings along), no scripts. Size, depth and the
number of drawn elements are bounded before anything is drawn.
Not handled here: filters, `<marker>`, animations (their first state is drawn), text along paths.
"""

from __future__ import annotations

import base64
import gzip
import io
import logging
import re
from collections.abc import Sequence
from typing import Any

from tools.vector_d3 import align_d3_axes
from tools.vector_svg_paints import plain_paints
from tools.vector_svg_text import generic, known_face, register_fonts, set_from_start, without_wide
from tools.vector_svg_uses import coloured_uses
from tools.vector_vega import align_axes

MAX_BYTES = 30_000_000
MAX_ELEMENTS = 150_000  # drawn, with everything that `<use>` repeats
MAX_DEPTH = 200
MAX_PICTURE = 50_000_000  # pixels of all embedded pictures
_HREFS = ("{http://www.w3.org/1999/xlink}href", "href")
_RUNNING = ("script", "foreignObject", "animate", "animateTransform", "animateMotion", "set", "handler", "listener")
_USELESS = ("metadata", "font-face", "filter", "cursor", "iframe", "audio", "video")
_OUTSIDE = re.compile(r"url\(\s*['\"]?(?!#|['\"])[^)]*\)?", re.IGNORECASE)
_DASHES = re.compile(r"(stroke-dasharray\s*:\s*)([^;}]*)", re.IGNORECASE)
_PICTURE = re.compile(r"data:image/(png|jpe?g);base64,", re.IGNORECASE)
_FAMILY = re.compile(r"font-family\s*:[^;}]*", re.IGNORECASE)
_FONT = re.compile(r"(?<![-\w])font\s*:[^;}]*", re.IGNORECASE)
_FACE = re.compile(r"(font-(?:weight|style)\s*:\s*)([^;}]*)", re.IGNORECASE)
_CURRENT = re.compile(r"currentcolor", re.IGNORECASE)
_COLOUR = re.compile(r"(?<![-\w])color\s*:\s*([^;}]+)")
_NUMBER = re.compile(r"\d*\.?\d+(?:e[-+]?\d+)?", re.IGNORECASE)
_SIZE = re.compile(r"[\d.]+(?:px|pt|em|mm|cm|%)")
_RAISED = re.compile("[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]*[⁺⁻⁰⁴⁵⁶⁷⁸⁹][⁰¹²³⁴⁵⁶⁷⁸⁹]*")
_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")


def svg_page(data: bytes) -> bytes:
    """The bytes of a one-page PDF that shows an SVG (plain or gzipped).

    Raises ValueError with a short reason for one that is refused, and what the converter raises for one that it cannot
    draw.
    """
    from reportlab.graphics import renderPDF
    from svglib import svglib

    clean = cleaned(unpacked(data))
    register_fonts(clean)
    logging.getLogger("svglib").setLevel(logging.CRITICAL)
    svglib.MAX_USE_EXPANSIONS = MAX_ELEMENTS  # it would leave out the rest; how much is drawn was bounded just now
    drawing = svglib.svg2rlg(io.BytesIO(clean))  # a stream has no folder to follow references into
    if drawing is None or not (0 < drawing.width < 1e5 and 0 < drawing.height < 1e5):
        raise ValueError("it is no SVG, or it has no size")
    return bytes(renderPDF.drawToString(drawing))


def unpacked(data: bytes) -> bytes:
    """The XML of an SVG or SVGZ, at most `MAX_BYTES` long. Raises ValueError beyond that, OSError for broken gzip."""
    if data[:2] == b"\x1f\x8b":
        with gzip.open(io.BytesIO(data)) as packed:
            data = packed.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ValueError("it is too large")
    return data


def cleaned(data: bytes) -> bytes:
    """The XML without scripts, external references, entities and named fonts. Raises ValueError for what is refused."""
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=False,
        remove_comments=True, remove_pis=True, recover=True,
    )  # fmt: skip
    root = etree.fromstring(data, parser)
    if root is None or _name(root) != "svg":
        raise ValueError("it is no SVG")
    doctype = root.getroottree().docinfo.internalDTD
    if doctype is not None and any(True for _ in doctype.iterentities()):
        raise ValueError("it defines entities")
    elements = list(root.iter())
    if len(elements) > MAX_ELEMENTS:
        raise ValueError(f"it has more than {MAX_ELEMENTS} elements")
    _check_pictures(elements)
    _check_amount(root)
    coloured_uses(root, _text_colour)
    elements = list(root.iter())
    for element in elements:
        _clean(element)
    _check_amount(root)
    plain_paints(root)
    without_wide(root)
    set_from_start(root)
    if root.get("class") == "marks":
        align_axes(root)
    align_d3_axes(root)
    return bytes(etree.tostring(root))


def _name(element: Any) -> str:
    """The local name of an element; empty for entities and the like."""
    return element.tag.rsplit("}", 1)[-1] if isinstance(element.tag, str) else ""


def _clean(element: Any) -> None:
    """Drop an element that runs or reaches out, keep its neighbours; take what is left in fonts of the PDF."""
    name = _name(element)
    parent = element.getparent()
    if (not name or name in (*_RUNNING, *_USELESS)) and parent is not None:
        _remove(element, parent)
        return
    _clean_references(element, name == "image")
    _clean_colours(element)
    if element.get("font-family"):
        element.set("font-family", generic(element.get("font-family")))
    for key in ("font-weight", "font-style"):
        if element.get(key):
            element.set(key, known_face(element.get(key)))
    if element.get("stroke-dasharray"):
        element.set("stroke-dasharray", _dashes(element.get("stroke-dasharray")))
    if element.get("style"):
        element.set("style", _inside_style(element.get("style")))
    if name == "style" and element.text:
        element.text = _inside_style(re.sub(r"@import[^;]*;?|@font-face\s*{[^}]*}", "", element.text))
    elif name in ("text", "tspan"):
        element.text, element.tail = _plain(element.text), _plain(element.tail)


def _clean_colours(element: Any) -> None:
    """Write the text colour of an element (`currentColor`, which the converter does not know) as a colour."""
    for key in ("fill", "stroke", "style"):
        value = element.get(key) or ""
        if _CURRENT.search(value):
            element.set(key, _CURRENT.sub(_text_colour(element), value))


def _text_colour(element: Any) -> str:
    """The colour that an element inherits; black where none says."""
    while element is not None:
        own = _COLOUR.search(element.get("style") or "")
        colour = element.get("color") or (own[1].strip() if own else "")
        if colour and not _CURRENT.search(colour) and colour != "inherit":
            return str(colour)
        element = element.getparent()
    return "black"


def _clean_references(element: Any, image: bool) -> None:
    """Take away references to anything but this file's own elements and embedded pictures, and what would run."""
    for key in list(element.attrib):
        value = element.get(key)
        if key in _HREFS and not value.startswith("#"):
            if not (image and _PICTURE.match(value)):
                element.attrib.pop(key)
        elif str(key).lower().startswith("on"):
            element.attrib.pop(key)
        elif "url(" in value.lower():
            element.set(key, _OUTSIDE.sub("none", value))


def _inside_style(style: str) -> str:
    """A style that names only fonts of the PDF and what this file itself holds, with dashes that can be drawn."""
    whole = _DASHES.sub(lambda match: match[1] + _dashes(match[2]), style)
    return _with_generic_fonts(_OUTSIDE.sub("none", whole))


def _dashes(lengths: str) -> str:
    """A dash pattern; none where its lengths are no numbers, negative, or all zero."""
    found = [_NUMBER.match(length) for length in re.split(r"[\s,]+", lengths.strip())]
    numbers = [float(match[0]) if match else -1.0 for match in found]
    return lengths if min(numbers) >= 0 and sum(numbers) > 0 else "none"


def _remove(element: Any, parent: Any) -> None:
    """Take an element out and leave the text behind it."""
    before = element.getprevious()
    if element.tail:
        if before is not None:
            before.tail = (before.tail or "") + element.tail
        else:
            parent.text = (parent.text or "") + element.tail
    parent.remove(element)


def _with_generic_fonts(style: str) -> str:
    def family(match: re.Match[str]) -> str:
        return f"font-family: {generic(match[0])}"

    def font(match: re.Match[str]) -> str:
        size = _SIZE.search(match[0])
        bold = "; font-weight: bold" if "bold" in match[0] else ""
        return f"font-family: {generic(match[0])}{bold}" + (f"; font-size: {size[0]}" if size else "")

    def face(match: re.Match[str]) -> str:
        return match[1] + known_face(match[2])

    return _FACE.sub(face, _FONT.sub(font, _FAMILY.sub(family, style)))


def _plain(text: str | None) -> str | None:
    """Raised digits that the fonts of a PDF lack, as `^` and plain digits."""
    return _RAISED.sub(lambda raised: "^" + raised[0].translate(_DIGITS), text) if text else text


def _check_pictures(elements: Sequence[Any]) -> None:
    """Raises ValueError for embedded pictures with too many pixels in all, before any is decoded."""
    from PIL import Image

    pixels = 0
    for element in elements:
        target = next((element.get(key) for key in _HREFS if element.get(key)), "") if _name(element) == "image" else ""
        if not _PICTURE.match(target):
            continue
        try:
            data = io.BytesIO(base64.b64decode(target.split(",", 1)[1]))
            with Image.open(data, formats=("PNG", "JPEG")) as picture:
                pixels += picture.width * picture.height
        except (OSError, ValueError, Image.DecompressionBombError):
            raise ValueError("a picture in it is damaged or too large") from None
        if pixels > MAX_PICTURE:
            raise ValueError("the pictures in it are too large")


def _check_amount(root: Any) -> None:
    """Raises ValueError where `<use>` repeats itself without end, or more than `MAX_ELEMENTS` would be drawn."""
    targets = {element.get("id"): element for element in root.iter() if element.get("id")}
    amounts: dict[Any, int] = {}
    open_now: set[Any] = set()

    def amount(element: Any, depth: int) -> int:
        if depth > MAX_DEPTH:
            raise ValueError("its elements are nested too deep")
        if element in open_now:
            raise ValueError("it repeats an element inside itself")
        if element in amounts:
            return amounts[element]
        open_now.add(element)
        found = 1 + sum(amount(child, depth + 1) for child in element)
        reference = next((element.get(key) for key in _HREFS if element.get(key)), "")
        if _name(element) == "use" and reference[1:] in targets:
            found += amount(targets[reference[1:]], depth + 1)
        open_now.discard(element)
        amounts[element] = found
        if found > MAX_ELEMENTS:
            raise ValueError(f"it draws more than {MAX_ELEMENTS} elements")
        return found

    amount(root, 0)
