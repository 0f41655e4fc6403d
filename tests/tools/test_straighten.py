"""Figures that lie askew are turned upright, once and sharply; upright ones stay as they are."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tools.artefacts import without_overshoot
from tools.straighten import straightened, tilt_of
from tools.types import Figure, Image

FILL = (54, 139, 144)


def chart(theme: bool = False) -> Image:
    """A scatter of square markers, 460 x 640: in a frame, or on a grey plate with white grid lines and no frame."""
    pixels = np.full((460, 640, 3), 255, np.uint8)
    if theme:
        pixels[40:400, 80:600] = 235
        for k in range(1, 5):
            pixels[40 + 72 * k, 80:600] = pixels[40:400, 80 + 104 * k] = 255
    else:
        pixels[40:401, 80] = pixels[40:401, 600] = pixels[40, 80:601] = pixels[400, 80:601] = 0
    for k in range(30):
        x, y = 110 + 16 * k, 90 + 37 * (k * 7 % 8)
        pixels[y : y + 10, x : x + 10] = FILL
    for k in range(5):
        cv2.putText(pixels, str(k * 10), (40, 60 + 80 * k), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
    return pixels


def turned(pixels: Image, degrees: float) -> Image:
    height, width = pixels.shape[:2]
    turn = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), degrees, 1.0)
    turn[:, 2] += 15
    size = width + 30, height + 30
    return np.asarray(cv2.warpAffine(pixels, turn, size, flags=cv2.INTER_CUBIC, borderValue=(255, 255, 255)), np.uint8)


@pytest.mark.parametrize("theme", [False, True])
@pytest.mark.parametrize("degrees", [-2.35, 0.8, 1.5])
def test_the_tilt_is_found_to_a_few_hundredths_of_a_degree(theme: bool, degrees: float) -> None:
    assert tilt_of(turned(chart(theme), degrees)) == pytest.approx(degrees, abs=0.04)


@pytest.mark.parametrize("theme", [False, True])
def test_an_upright_figure_stays(theme: bool) -> None:
    figure = Figure(chart(theme), "upright.png", 1, "0")
    assert straightened(figure) is figure


def test_markers_keep_one_colour() -> None:
    figure = straightened(Figure(turned(chart(), 1.7), "askew.png", 1, "0"))
    assert "askew by 1." in figure.warnings[0]
    red = figure.pixels[..., 0].astype(int)
    inside = cv2.erode((red < 120).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    inside &= figure.pixels[..., 1] > 60  # not the frame
    assert inside.sum() > 30 * 40
    assert np.abs(red[inside] - FILL[0]).max() <= 16  # the turned copy: 40


def test_a_rim_goes_and_an_outline_stays() -> None:
    pixels = np.full((200, 300, 3), 255, np.uint8)
    pixels[10:50, 10:40] = pixels[10:50, 50:80] = (150, 150, 150)
    pixels[10:50, 11] = (131, 131, 131)  # beyond the fill by a fifth of its step
    pixels[10:50, 51] = (0, 0, 0)
    found = without_overshoot(pixels)
    assert (found[12:48, 11] == 150).all()
    assert (found[12:48, 51] == 0).all()
