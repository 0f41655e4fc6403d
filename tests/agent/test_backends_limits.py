"""Pictures at or under each provider's limit, and what each model's name tells."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.limits import (
    CAREFUL,
    CLAUDE,
    CLAUDE_SHARP,
    OPENAI_TILES,
    PictureLimit,
    claude_version,
    picture_limit,
    reasons,
)
from agent.pictures import whole_figure
from tools.types import Figure

LIMITS = (CLAUDE, CLAUDE_SHARP, OPENAI_TILES, CAREFUL, picture_limit("openai", "gpt-6-sol"))


@given(st.sampled_from(LIMITS), st.integers(1, 9000), st.integers(1, 9000))
def test_a_fitted_picture_fits_keeps_its_shape_and_never_grows(limit: PictureLimit, width: int, height: int) -> None:
    fitted = limit.fit(width, height)
    assert limit.fits(*fitted)
    assert fitted[0] <= width
    assert fitted[1] <= height
    factor = max(fitted) / max(width, height)
    assert abs(min(fitted) - min(width, height) * factor) <= 1
    if limit.fits(width, height):
        assert fitted == (width, height)


@given(st.sampled_from(LIMITS), st.integers(1, 9000))
def test_any_shape_fits_at_the_safe_edge(limit: PictureLimit, short: int) -> None:
    edge = limit.any_shape
    assert limit.fits(edge, min(short, edge))
    assert limit.fits(min(short, edge), edge)


def test_sizes_by_hand() -> None:
    assert CLAUDE.fit(1568, 784) == (1568, 784)  # 56 by 28 patches are 1568
    assert not CLAUDE.fits(1568, 785)  # a 29th row of patches
    assert CLAUDE.fit(3000, 3000) == (39 * 28, 39 * 28)
    assert CLAUDE.any_shape == 39 * 28  # 39 squared is 1521, 40 squared 1600
    assert CLAUDE_SHARP.any_shape == 69 * 28
    assert OPENAI_TILES.fit(2000, 2000) == (768, 768)


@pytest.mark.parametrize(
    ("provider", "model", "edge"),
    [
        ("anthropic", "claude-opus-5-5", 1932),
        ("anthropic", "claude-opus-4-7", 1932),
        ("anthropic", "claude-sonnet-4-6", 1092),
        ("anthropic", "anthropic.claude-haiku-4-5-20251001-v1:0", 1092),
        ("openai", "anthropic/claude-opus-5", 1932),  # through a gateway
        ("openai", "gpt-6.2-sol", 2000),
        ("openai", "gpt-5-mini", 1248),
        ("openai", "gpt-5.4-mini", 1248),
        ("openai", "gpt-4o-mini", 768),
        ("openai", "gpt-4.1", 768),
        ("openai", "qwen3-vl", 1024),
        ("other", "gpt-6", 1024),
    ],
)
def test_the_edge_of_each_model(provider: str, model: str, edge: int) -> None:
    assert picture_limit(provider, model).any_shape == edge


def test_versions_in_names() -> None:
    assert claude_version("claude-3-opus-20240229") == (3, 0)
    assert claude_version("claude-opus-4-20250514") == (4, 0)
    assert claude_version("claude-fable-5-2") == (5, 2)
    assert claude_version("claude-next") == (99, 0)
    assert [reasons(name) for name in ("gpt-5", "o3", "gpt-6.2-sol", "gpt-4o", "gpt-5-chat-latest", "qwen3")] == [
        True,
        True,
        True,
        False,
        False,
        False,
    ]


@settings(max_examples=12)
@given(st.sampled_from(LIMITS), st.integers(300, 3500), st.integers(300, 3500), st.integers(0, 10**6))
def test_a_marked_pixel_comes_home_from_what_the_provider_shows(
    limit: PictureLimit, width: int, height: int, place: int
) -> None:
    """The picture as sent is the picture as seen, so a place that the model names is a place in the figure."""
    x, y = 20 + place % (width - 40), 20 + place // 7 % (height - 40)
    pixels = np.full((height, width, 3), 255, dtype=np.uint8)
    pixels[y - 3 : y + 4, x - 3 : x + 4] = 0
    view, picture = whole_figure(Figure(pixels), limit)
    assert limit.fits(picture.width, picture.height)
    dark = 255.0 - view.pixels[..., 0]
    rows, columns = np.indices(dark.shape)
    found = view.to_figure(float((dark * columns).sum() / dark.sum()), float((dark * rows).sum() / dark.sum()))
    assert math.dist(found, (x, y)) < 0.5
