"""Scans and blurred copies are restored; clean pictures stay as they are."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tools.illumination import unevenness
from tools.scans import blur, even, grain, is_two_toned, lost_tones, restored, sharp, softened
from tools.types import Figure, Image

PLATE = 238  # of the plot area, on paper of 255
BARS = 150, 158


def chart() -> Image:
    """A grey plot area with touching bars of two greys, a frame and some strokes, 420 x 600."""
    pixels = np.full((420, 600, 3), 255, np.uint8)
    pixels[40:360, 80:560] = PLATE
    for k in range(5):
        left, top = 100 + 90 * k, 100 + 40 * (k % 3)
        pixels[top:360, left : left + 35] = BARS[0]
        pixels[top + 30 : 360, left + 35 : left + 70] = BARS[1]
    pixels[40:361, 80] = pixels[360, 80:560] = 0
    for k in range(8):
        cv2.putText(pixels, str(k * 10), (30, 60 + 40 * k), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
    return pixels


def shade(height: int, width: int) -> np.ndarray:
    rows, columns = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    light = 1 - 0.06 * rows * columns + 0.04 * np.cos(4 * columns) - 0.05 * rows**2
    return np.asarray(light / np.median(light), np.float32)


def scan(pixels: Image, seed: int = 3) -> Image:
    """The picture on uneven grey paper with a noise of 4."""
    noise = np.random.default_rng(seed).normal(0, 4, pixels.shape[:2])
    seen = cv2.GaussianBlur(pixels, (0, 0), 0.8)[..., 0] * 0.88 * shade(*pixels.shape[:2]) + noise
    return np.repeat(np.clip(seen, 0, 255).round().astype(np.uint8)[..., None], 3, axis=2)


def test_unevenness_is_told_from_what_is_printed() -> None:
    light = shade(420, 600)
    found = unevenness(np.asarray(np.clip(chart() * 0.9 * light[..., None], 0, 255), np.uint8))
    ratio = found / light
    assert np.abs(ratio / np.median(ratio) - 1).max() < 0.02
    assert np.percentile(np.abs(ratio / np.median(ratio) - 1), 90) < 0.006
    assert np.ptp(light) > 0.15  # which it had to find


def test_a_scan_keeps_its_plot_area_and_fills_a_few_levels_apart() -> None:
    figure = Figure(scan(chart()), "scan.png", 1, "0")
    back = restored(figure)
    light = cv2.cvtColor(back.pixels, cv2.COLOR_RGB2GRAY).astype(int)
    assert len(back.warnings) >= 1
    assert "grain" in back.warnings[0]
    paper, plate = light[10:30], light[50:90, 120:540]
    first, second = light[230:350, 105:130], light[250:350, 140:165]
    assert paper.min() > 248
    assert 6 < np.median(paper) - np.median(plate) < 26
    assert np.ptp(plate) <= 8  # one flat fill, or two levels where grain is left
    assert np.median(second) - np.median(first) > 4
    assert abs(float(np.median(first)) - BARS[0]) < 12


def test_dark_paper_stays_dark() -> None:
    dark = scan(np.asarray(255 - chart() // 2, np.uint8) // 3)
    noise = grain(dark)
    assert noise > 0
    assert np.median(even(dark, noise)[:20]) < 110


def test_a_blurred_picture_becomes_sharp() -> None:
    clean = chart()
    seen = np.asarray(cv2.GaussianBlur(clean, (0, 0), 1.3), np.uint8)
    width = blur(seen)
    assert width == pytest.approx(1.3, abs=0.15)
    back = sharp(seen, width)
    before, after = (np.abs(one.astype(float) - clean).mean() for one in (seen, back))
    assert after < 0.4 * before
    assert back[200, 80, 0] < 60 < seen[200, 80, 0]  # the frame is a black line again


def test_a_clean_picture_comes_back_as_it_is() -> None:
    figure = Figure(chart(), "clean.png", 1, "0")
    assert restored(figure) is figure


def test_a_copy_in_black_and_white_loses_lone_specks_only() -> None:
    copy = np.where(chart() < 200, 0, 255).astype(np.uint8)
    copy[10, 300] = copy[20, 310] = 0  # specks on paper
    copy[300, 120] = 255  # and one in a bar
    dotted = [(395, column) for column in range(100, 500, 4)]
    for row, column in dotted:
        copy[row, column] = 0
    assert is_two_toned(copy)
    assert not is_two_toned(chart())
    back = restored(Figure(copy, "copy.png", 1, "0"))
    light = back.pixels[..., 0]
    assert light[5:30, 290:320].min() == 255
    assert light[300, 120] == 0
    assert max(light[row, column] for row, column in dotted[2:-2]) < 200
    assert lost_tones(back) == back.warnings


def test_rules_of_a_copy_are_mended_within_their_plot_only() -> None:
    ink = np.zeros((60, 300), np.uint8)
    ink[30, 40:150] = ink[30, 165:280] = 1  # two plots side by side
    ink[30, np.arange(50, 280, 37)] = 0  # what noise took
    ink[30, 20:28] = ink[26:35, 20] = 1  # a stroke of a label
    ink[45, 40:280] = np.random.default_rng(1).random(240) < 0.75
    copy = np.where(ink[..., None] > 0, 0, 255).astype(np.uint8).repeat(3, axis=2)
    mended = softened(copy)[..., 0] < 160
    assert mended[30, 42:149].all()
    assert mended[30, 167:279].all()
    assert mended[45, 50:270].all()
    assert not mended[30, 30:39].any()
    assert not mended[30, 152:163].any()
