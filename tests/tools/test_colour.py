"""Colours: distances, paper, and unmixing of anti-aliased pixels checked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tools.colour import PAPER_BIT, chroma, lab_distance, modal_colour, noise_level, paper_colour, presence, unmix

WHITE, RED, BLUE = np.array([255.0, 255, 255]), np.array([255.0, 0, 0]), np.array([0.0, 0, 255])


def test_lab_distance_is_zero_for_equals_and_large_for_opposites() -> None:
    assert float(lab_distance((10, 20, 30), (10, 20, 30))) == pytest.approx(0, abs=1e-6)
    assert float(lab_distance((0, 0, 0), (255, 255, 255))) == pytest.approx(100, abs=0.5)
    assert float(lab_distance((250, 250, 250), (255, 255, 255))) < 3


def test_chroma_tells_greys_from_colours() -> None:
    assert chroma([[128, 128, 128], [255, 0, 0]]) == pytest.approx([0, 104.6], abs=1)


def test_modal_colour_is_the_most_frequent_one() -> None:
    pixels = np.array([[200, 0, 0]] * 6 + [[0, 0, 200]] * 4, dtype=np.uint8)
    assert modal_colour(pixels).tolist() == [200, 0, 0]


@pytest.mark.parametrize("paper", [(255, 255, 255), (235, 235, 235), (12, 12, 12)])
def test_paper_is_found_under_an_area_that_covers_most_of_the_plot(paper: tuple[int, int, int]) -> None:
    image = np.zeros((100, 120, 3), np.uint8)
    image[:] = paper
    image[20:, 5:115] = (31, 119, 180)
    assert paper_colour(image).tolist() == list(paper)


def test_noise_is_zero_on_clean_paper_and_seen_on_a_jpeg() -> None:
    clean = np.full((50, 50, 3), 255, np.uint8)
    assert noise_level(clean, WHITE) == 0
    dirty = np.clip(255 - np.random.default_rng(1).integers(0, 6, (50, 50, 3)), 0, 255).astype(np.uint8)
    assert 3 <= noise_level(dirty, WHITE) <= 6


def _unmixed(row: list[np.ndarray], palette: np.ndarray, background: np.ndarray = WHITE) -> np.ndarray:
    pixels = np.array([row], dtype=np.float32)
    paper = np.broadcast_to(background.astype(np.float32), pixels.shape).copy()
    near = np.full(pixels.shape[:2], (1 << len(palette)) - 1 | 1 << PAPER_BIT, dtype=np.int64)
    coverage, _ = unmix(pixels, paper, np.ones(pixels.shape[:2], bool), palette, near, 6.0)
    return coverage[:, 0]


def test_half_covered_pixel_has_half_coverage() -> None:
    found = _unmixed([0.5 * WHITE + 0.5 * RED, RED, 0.8 * WHITE + 0.2 * RED], np.array([RED]))
    assert found[0] == pytest.approx([0.5, 1, 0.2], abs=1e-3)


def test_coverage_is_against_the_local_background() -> None:
    grid = np.array([200.0, 200, 200])
    assert _unmixed([0.25 * grid + 0.75 * RED], np.array([RED]), grid)[0] == pytest.approx([0.75], abs=1e-3)


def test_edge_between_two_inks_is_shared() -> None:
    found = _unmixed([0.3 * RED + 0.7 * BLUE], np.array([RED, BLUE]))
    assert found[:, 0] == pytest.approx([0.3, 0.7], abs=1e-3)


def test_presence_reaches_two_pixels() -> None:
    coverage = np.zeros((1, 1, 9), np.float32)
    coverage[0, 0, 4] = 1
    near = presence(coverage, np.zeros((1, 9), bool))
    assert [int(bit) for bit in near[0] & 1] == [0, 0, 1, 1, 1, 1, 1, 0, 0]
