"""The pictures embedded in a page as they are stored, for figures that are read at their own resolution.

Not handled here: pictures that are turned or mirrored, and those that the page shows otherwise than they are stored
(masks, inks, words drawn over them): these are read as the page is drawn.
"""

from __future__ import annotations

import os
from typing import Any

import cv2
import numpy as np

from tools.types import Box, Image

BLOCK = 16  # px: over blocks of this size a stored picture must look like the drawn one
ALIKE = 40.0  # grey levels between their means
SLANT = 1e-3  # of a picture's size, between its sides and those of the page


def stored_picture(path: str | os.PathLike[str], page: int, number: int) -> Image | None:
    """The pixels (H, W, 3) uint8 RGB of the picture of this number (from 0, in drawing order) on a page of a PDF.

    None where it does not stand upright or has no pixels that can be had.
    """
    import pypdfium2
    import pypdfium2.raw as raw

    from tools.vector_pdf import Affine, page_items

    document = pypdfium2.PdfDocument(os.fspath(path))
    try:
        sheet = document[page - 1]
        items = [
            one for one in page_items(sheet, Affine()) if raw.FPDFPageObj_GetType(one[0]) == raw.FPDF_PAGEOBJ_IMAGE
        ]
        if number >= len(items) or sheet.get_rotation():
            return None
        item, matrix = items[number]
        slant = max(abs(matrix.b), abs(matrix.c)) > SLANT * max(abs(matrix.a), abs(matrix.d))
        if slant or matrix.a < 0 or matrix.d < 0:
            return None
        return _pixels(pypdfium2, raw.FPDFImageObj_GetBitmap(item))
    finally:
        document.close()


def _pixels(pypdfium2: Any, bitmap: Any) -> Image | None:
    if not bitmap:
        return None
    picture = pypdfium2.PdfBitmap.from_raw(bitmap).to_pil().convert("RGB")
    return np.array(picture, dtype=np.uint8)


def with_stored(pixels: Image, place: Box, stored: Image) -> Image:
    """Pixels of a figure with a picture as it is stored in the place where it is drawn; as they are where it would look
    otherwise.

    pixels: (H, W, 3) uint8 RGB. place: where it is drawn, in these pixels. stored: (h, w, 3), scaled down where it is
    finer than its place.
    """
    width, height = round(place.width), round(place.height)
    if min(width, height) < BLOCK or stored.shape[1] < width - 1 or stored.shape[0] < height - 1:
        return pixels
    if abs(stored.shape[1] - width) > 1 or abs(stored.shape[0] - height) > 1:
        stored = np.asarray(cv2.resize(stored, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8)
    top, left = round(place.y0 + 0.5), round(place.x0 + 0.5)
    window = (slice(max(0, top), top + stored.shape[0]), slice(max(0, left), left + stored.shape[1]))
    before = pixels[window]
    new = stored[max(0, -top) :, max(0, -left) :][: before.shape[0], : before.shape[1]]
    if new.shape != before.shape or _apart(before, new) > ALIKE:
        return pixels
    whole = pixels.copy()
    whole[window] = new
    return whole


def _apart(one: Image, other: Image) -> float:
    """The largest difference between the means of blocks of two pictures of one size, in grey levels."""
    size = (max(1, one.shape[1] // BLOCK), max(1, one.shape[0] // BLOCK))
    small = [cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype(np.float64) for image in (one, other)]
    return float(np.abs(small[0] - small[1]).max())
