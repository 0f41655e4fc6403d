"""Pictures that went through JPEG, and pictures that did not."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from PIL import Image as Pillow
from PIL import ImageDraw

from tools.artefacts import cleaned, ripples, without_artefacts
from tools.types import Figure, Image


def drawing() -> Image:
    """A blue line of 2 px, black letters' worth of strokes, and two fills that touch at row 150."""
    picture = Pillow.new("RGB", (240, 200), "white")
    pen = ImageDraw.Draw(picture)
    pen.line([(20, 90), (120, 20), (220, 70)], fill=(0, 60, 220), width=2)
    pen.rectangle([20, 110, 219, 149], fill=(200, 120, 40))
    pen.rectangle([20, 150, 219, 189], fill=(70, 140, 90))
    for x in range(30, 200, 9):
        pen.line([(x, 95), (x + 3, 105)], fill="black")
    return np.array(picture)


def as_jpeg(pixels: Image, quality: int) -> Image:
    out = BytesIO()
    Pillow.fromarray(pixels).save(out, "JPEG", quality=quality)
    return np.array(Pillow.open(out), np.uint8)


@pytest.mark.parametrize("quality", [40, 75, 90])
def test_ripples_tell_a_jpeg(quality: int) -> None:
    assert ripples(as_jpeg(drawing(), quality)) > 0.08
    assert ripples(drawing()) < 0.02


def test_a_clean_picture_is_left_alone() -> None:
    figure = Figure(drawing())
    assert without_artefacts(figure) is figure


def test_colours_come_back() -> None:
    truth, spoilt = drawing(), as_jpeg(drawing(), 40)
    found = cleaned(spoilt)
    assert found.shape == truth.shape
    assert found.dtype == np.uint8

    def off(image: Image, rows: slice, columns: slice) -> float:
        return float(np.abs(image[rows, columns].astype(float) - truth[rows, columns]).mean())

    line = slice(15, 92), slice(20, 220)
    fills = slice(112, 188), slice(22, 218)
    assert off(found, *line) < 0.75 * off(spoilt, *line)
    assert off(found, *fills) < 0.75 * off(spoilt, *fills)
    assert len(np.unique(found[112:146, 22:218].reshape(-1, 3), axis=0)) < 4  # a fill is flat again
    figure = without_artefacts(Figure(spoilt))
    assert "JPEG" in figure.warnings[0]
