"""A file becomes a Figure: upright RGB pixels on white, whatever the format; contents decide, extensions do not.

Files are untrusted: sizes are checked before anything is decoded, and an SVG may reach neither network nor disk.

Frame: a page of a PDF is drawn at 200 dots per inch, an SVG so that its longer side has at least 1600 pixels; vector
paths and text come in the same pixels.
Not handled here: finding the figures on a page.
"""

from __future__ import annotations

import hashlib
import io
import os
import struct
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import numpy as np
from PIL import Image as Pillow
from PIL import ImageOps, PngImagePlugin, UnidentifiedImageError

from tools.artefacts import without_artefacts
from tools.scans import restored
from tools.straighten import straightened
from tools.types import Box, Drawing, Figure, Image, Word
from tools.vector_paints import with_plain_paints
from tools.vector_pdf import page_frame, read_characters, read_drawing
from tools.vector_svg import svg_page
from tools.vector_text import read_runs, text_lines
from tools.vector_vega import align_drawing, is_vega

MAX_PIXELS = 50_000_000
MAX_BYTES = 200_000_000
MIN_SIDE = 40
_RASTERS = ("PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP", "PPM", "AVIF", "JPEG2000")  # no format that runs a program
_PAGE_SCALE = 200 / 72  # pages are drawn at 200 dots per inch
_TEXT_BYTES = 16 * 1024 * 1024
_SVG_SIDE = 1600  # an SVG has no size in pixels of its own: at least this long
_BROKEN = (OSError, ValueError, SyntaxError, EOFError, IndexError, KeyError, TypeError, OverflowError, struct.error,
           zlib.error, MemoryError, RuntimeError)  # fmt: skip


class UnreadableFile(ValueError):
    """A file that is no figure: one sentence says what is wrong, with which file, and what to do."""


def load(path: str | os.PathLike[str], page: int = 1, enlarged: float = 1.0) -> Figure:
    """The picture in a file.

    path: PNG, JPEG, GIF, BMP, TIFF, WebP, PDF or SVG. `page` counts from 1 and matters for PDF only, whose pages are
    drawn at 200 dpi, or `enlarged` times as large. Returns a Figure whose pixels (H, W, 3) uint8 RGB lie upright on
    white; `dark` says that the figure's own background is dark (its pixels stay as they are). A scan that lies askew
    is turned.
    Raises UnreadableFile.
    """
    name = os.fspath(path)
    data = _contents(name)
    kind = _kind(data)
    if page < 1 or (kind != "pdf" and page > 1):
        raise UnreadableFile(f"{name} has no page {page}: ask for page 1")
    notes: list[str] = []
    text: tuple[Word, ...] = ()
    drawing: Drawing | None = None
    if kind == "pdf":
        pixels, drawing, text = _page(data, name, page, enlarged=enlarged)
    elif kind == "svg":
        pixels, drawing, text = _svg(data, name)
    else:
        pixels, notes = _raster_pixels(data, name)
    height, width = pixels.shape[:2]
    if min(height, width) < MIN_SIDE:
        raise UnreadableFile(f"{name} is too small to hold a chart ({width} x {height} pixels): use a larger picture")
    digest = hashlib.sha256(data).hexdigest()
    figure = Figure(pixels, name, page, digest, _is_dark(pixels), text, tuple(notes), drawing)
    return straightened(without_artefacts(restored(figure))) if drawing is None else figure


def is_pdf(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a PDF, by its contents. Raises UnreadableFile."""
    return _kind(_contents(os.fspath(path))) == "pdf"


def count_pages(path: str | os.PathLike[str]) -> int:
    """Pages of a PDF, 1 for every other picture. Raises UnreadableFile."""
    name = os.fspath(path)
    data = _contents(name)
    if _kind(data) != "pdf":
        return 1
    with _document(data, name) as document:
        return len(document)


def _contents(name: str) -> bytes:
    place = Path(name)
    if place.is_dir():
        raise UnreadableFile(f"{name} is a folder: name the files in it")
    try:
        size = place.stat().st_size
        if size > MAX_BYTES:
            raise UnreadableFile(f"{name} is too large ({size / 1e6:.0f} MB): export a smaller picture")
        data = place.read_bytes()
    except FileNotFoundError:
        raise UnreadableFile(f"{name} does not exist: check the path") from None
    except OSError as problem:
        raise UnreadableFile(f"{name} can't be opened ({problem.strerror}): check its permissions") from None
    if not data:
        raise UnreadableFile(f"{name} is empty: download or export it again")
    return data


def _kind(data: bytes) -> Literal["pdf", "svg", "raster"]:
    if b"%PDF-" in data[:1024]:
        return "pdf"
    start = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    return "svg" if data[:2] == b"\x1f\x8b" or (start[:1] == b"<" and b"<svg" in data[:65536]) else "raster"


def _is_dark(pixels: Image) -> bool:
    """Whether the figure's border is darker than mid grey."""
    edge = np.concatenate([pixels[:3].reshape(-1, 3), pixels[-3:].reshape(-1, 3), *pixels[:, [0, 1, 2, -3, -2, -1]]])
    return bool(np.median(edge.astype(np.float64) @ [0.299, 0.587, 0.114]) < 128)


def _check_size(width: float, height: float, name: str) -> None:
    if min(width, height) <= 0 or width * height > MAX_PIXELS:
        raise UnreadableFile(
            f"{name} is too large ({width:.0f} x {height:.0f} pixels, the limit is {MAX_PIXELS / 1e6:.0f} million): "
            "scale it down first"
        )


def _raster_pixels(data: bytes, name: str) -> tuple[Image, list[str]]:
    notes: list[str] = []
    PngImagePlugin.MAX_TEXT_CHUNK = _TEXT_BYTES  # figures carry large metadata, which is no attack
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # oddities of the file's metadata; its size is checked below
            with Pillow.open(io.BytesIO(data), formats=_RASTERS) as picture:
                _check_size(*picture.size, name)
                if getattr(picture, "n_frames", 1) > 1:
                    notes.append("the file holds several frames: only the first is read")
                picture.load()
                upright = ImageOps.exif_transpose(picture) or picture
                pixels = _rgb(upright)
    except UnreadableFile:
        raise
    except Pillow.DecompressionBombError:
        raise UnreadableFile(
            f"{name} is too large (over {MAX_PIXELS / 1e6:.0f} million pixels): scale it down first"
        ) from None
    except UnidentifiedImageError:
        raise UnreadableFile(f"{name} is not a picture, PDF or SVG: export the figure as PNG") from None
    except _BROKEN as problem:
        raise UnreadableFile(f"{name} is damaged ({problem}): download or export it again") from None
    return pixels, notes


def _rgb(picture: Pillow.Image) -> Image:
    """Eight bits a channel, transparency over white (whatever colour hides under it)."""
    if picture.mode.startswith(("I", "F")):  # 16 and 32 bits: Pillow would clip them
        grey = np.asarray(picture, dtype=np.float64)
        top = 65535.0 if grey.max() > 255 else 255.0 if grey.max() > 1 else 1.0
        eight = np.clip(grey / top * 255, 0, 255).round().astype(np.uint8)
        return np.repeat(eight[:, :, None], 3, axis=2)
    if picture.mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in picture.info:
        layer = picture.convert("RGBA")
        picture = Pillow.alpha_composite(Pillow.new("RGBA", layer.size, "white"), layer)
    return np.ascontiguousarray(picture.convert("RGB"), dtype=np.uint8)


@contextmanager
def _document(data: bytes, name: str) -> Iterator[Any]:
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as problem:
        locked = "password" in str(problem).lower()
        advice = "is encrypted: save it without a password" if locked else "is damaged: download or export it again"
        raise UnreadableFile(f"{name} {advice}") from None
    try:
        if len(document) == 0:
            raise UnreadableFile(f"{name} has no pages: export it again")
        yield document
    finally:
        document.close()


def _page(
    data: bytes, name: str, page: int, longest: float = 0.0, enlarged: float = 1.0
) -> tuple[Image, Drawing, tuple[Word, ...]]:
    """One page on white, at 200 dpi, `enlarged` times that, or so that its longer side has `longest` pixels or more.

    Its paths and its text, in the same pixels, come with it; no text where the fonts give their characters no meaning.
    """
    import pypdfium2

    with _document(data, name) as document:
        if page > len(document):
            raise UnreadableFile(f"{name} has {len(document)} pages, so there is no page {page}: ask for one of them")
        try:
            sheet = document[page - 1]
            width, height = sheet.get_size()
            scale = max(_PAGE_SCALE * enlarged, longest / max(width, height, 1e-6))
            _check_size(width * scale, height * scale, name)
            bitmap = sheet.render(scale=scale, fill_color=(255, 255, 255, 255), rev_byteorder=True)
            pixels = np.ascontiguousarray(bitmap.to_numpy()[:, :, :3], dtype=np.uint8).copy()
            frame = page_frame(sheet, pixels.shape[1], pixels.shape[0])
            drawing = with_plain_paints(read_drawing(sheet, frame), pixels)
            whole = Box(0, 0, pixels.shape[1] - 1, pixels.shape[0] - 1)
            characters = read_characters(sheet, frame)
            if is_vega(document.get_metadata_value("Producer")):
                drawing = align_drawing(drawing, text_lines(characters, drawing))
            return pixels, drawing, read_runs(characters, drawing, whole)
        except pypdfium2.PdfiumError as problem:
            raise UnreadableFile(f"{name}, page {page}, is damaged ({problem}): export it again") from None


def _svg(data: bytes, name: str) -> tuple[Image, Drawing, tuple[Word, ...]]:
    """An SVG drawn on white through a PDF page, with its paths and its text."""
    try:
        page = svg_page(data)
    except (*_BROKEN, RecursionError, AttributeError, ArithmeticError, Pillow.DecompressionBombError) as problem:
        reason = " ".join(str(problem).split()) or type(problem).__name__
        raise UnreadableFile(f"{name} can't be drawn ({reason}): export it as PNG") from None
    return _page(page, name, 1, _SVG_SIDE)
