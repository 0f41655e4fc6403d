"""Scans with grain on uneven paper, pictures out of focus, and pictures that are neither."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from PIL import Image as Pillow
from PIL import ImageDraw

from tools.scans import blur, grain, paper, restored
from tools.types import Figure, Image


def drawing(ground: str = "white", ink: str = "black") -> Image:
    """Axes and letters' worth of strokes, a thin curve, a disc of 9 px, and two fills."""
    picture = Pillow.new("RGB", (320, 240), ground)
    pen = ImageDraw.Draw(picture)
    pen.line([(40, 20), (40, 210), (300, 210)], fill=ink)
    pen.line([(45, 100), (150, 30), (295, 80)], fill=(200, 30, 30), width=2)
    pen.rectangle([60, 120, 119, 209], fill=(150, 150, 150))
    pen.rectangle([140, 150, 199, 209], fill=(40, 90, 180))
    pen.ellipse([250, 130, 258, 138], fill=(30, 130, 60))
    for x in range(50, 290, 9):
        pen.line([(x, 216), (x + 3, 228)], fill=ink)
        pen.line([(x, 222), (x + 4, 222)], fill=ink)
    return np.array(picture)


def shade() -> np.ndarray:
    """Paper from 212 to 240, brightest at the right."""
    rows, columns = np.mgrid[0:1:240j, 0:1:320j]
    return 212 + 20 * columns + 8 * np.sin(4 * rows)


def scanned(pixels: Image) -> Image:
    grey = cv2.GaussianBlur(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY).astype(np.float32), (0, 0), 0.8)
    noisy = shade() * grey / 255 + np.random.default_rng(3).normal(0, 4, grey.shape)
    return np.repeat(np.clip(noisy, 0, 255).astype(np.uint8)[..., None], 3, axis=2)


def away(one: Image, other: Image) -> float:
    return float(np.abs(one.astype(float) - other).mean())


@pytest.mark.parametrize(("ground", "ink"), [("white", "black"), ("#ebebeb", "black"), ("#202020", "white")])
def test_a_clean_picture_is_left_alone(ground: str, ink: str) -> None:
    figure = Figure(drawing(ground, ink))
    assert restored(figure) is figure


def test_coarse_and_smooth_textures_are_no_grain() -> None:
    cells = np.random.default_rng(1).integers(0, 255, (24, 32, 3), dtype=np.uint8)
    assert grain(np.kron(cells, np.ones((10, 10, 1), np.uint8))) == 0
    slope = np.repeat(np.tile(np.arange(256, dtype=np.uint8), (200, 1))[..., None], 3, axis=2)
    assert grain(slope) == 0
    assert blur(slope) == 0


def test_a_scan_lies_on_white_paper_again() -> None:
    spoilt = scanned(drawing())
    assert grain(spoilt) == pytest.approx(4, abs=0.5)
    figure = restored(Figure(spoilt))
    truth = cv2.cvtColor(cv2.cvtColor(drawing(), cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
    assert figure.pixels.shape == spoilt.shape
    assert figure.pixels.dtype == np.uint8
    assert away(figure.pixels, truth) < 0.25 * away(spoilt, truth)
    assert (figure.pixels[5:15, 5:315] == 255).all()
    fill = figure.pixels[125:205, 65:115]
    assert len(np.unique(fill.reshape(-1, 3), axis=0)) < 4
    assert abs(float(np.median(fill)) - 150) < 12
    assert "scan" in figure.warnings[0]


def test_paper_is_known_under_fills() -> None:
    pixels = np.repeat((shade() * np.where(drawing()[..., 0] < 200, 0.5, 1)).astype(np.uint8)[..., None], 3, axis=2)
    assert np.abs(paper(pixels)[..., 0] - shade()).max() < 8


@pytest.mark.parametrize(("width", "left"), [(0.8, 0.5), (1.2, 0.5), (1.6, 0.75)])  # letters 1 px thin are lost late
@pytest.mark.parametrize(("ground", "ink"), [("white", "black"), ("#202020", "white")])
def test_a_blurred_picture_is_sharp_again(width: float, left: float, ground: str, ink: str) -> None:
    truth = drawing(ground, ink)
    spoilt = np.asarray(cv2.GaussianBlur(truth, (0, 0), width), np.uint8)
    assert blur(spoilt) == pytest.approx(width, rel=0.15)
    figure = restored(Figure(spoilt))
    assert figure.pixels.shape == truth.shape
    assert away(figure.pixels, truth) < left * away(spoilt, truth)
    assert np.abs(figure.pixels[125:205, 65:115].astype(int) - 150).max() < 8  # nothing rings in a fill
    assert "focus" in figure.warnings[0]
