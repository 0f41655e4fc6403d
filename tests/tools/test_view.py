"""Views: a marked pixel comes home whatever was done to the picture."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tools.types import Box, Unreadable
from tools.view import View, whole

SIZE = (60, 90)  # height, width


def marked(x: int, y: int) -> View:
    pixels = np.full((*SIZE, 3), 255, dtype=np.uint8)
    pixels[y - 1 : y + 2, x - 1 : x + 2] = 0
    return whole(pixels)


def mark_of(view: View) -> tuple[float, float]:
    darkness: NDArray[np.float64] = 255.0 - view.pixels[..., 1].astype(np.float64)
    ys, xs = np.mgrid[: view.height, : view.width]
    return float((darkness * xs).sum() / darkness.sum()), float((darkness * ys).sum() / darkness.sum())


def done(view: View, step: tuple[str, float]) -> View:
    """One step of a chain; crops keep a margin around the mark so that all of it stays in the picture."""
    kind, value = step
    if kind == "crop":
        x, y = mark_of(view)
        room = max(12.0, 0.5 * value * max(view.width, view.height))
        found = view.crop(Box(x - room, y - 0.7 * room, x + 0.8 * room, y + room))
    elif kind == "zoom":
        found = view.zoom(min(value, 1500 / max(view.width, view.height)))
    elif kind == "quarter":
        found = view.rotate(90 * round(value * 10))
    else:
        found = view.rotate(value * 40)
    assert isinstance(found, View)
    return found


steps = st.lists(
    st.tuples(st.sampled_from(["crop", "zoom", "quarter", "turn"]), st.floats(0.6, 3.0, allow_nan=False)), max_size=5
)


@settings(max_examples=80, deadline=None, derandomize=True)
@given(st.integers(12, SIZE[1] - 13), st.integers(12, SIZE[0] - 13), steps)
def test_a_marked_pixel_comes_home(x: int, y: int, chain: list[tuple[str, float]]) -> None:
    view, scale, coarsest = marked(x, y), 1.0, 1.0
    for step in chain:
        view = done(view, step)
        scale *= step[1] if step[0] == "zoom" else 1.0
        coarsest = min(coarsest, scale)
    # The mark is found in the last view to half a pixel of the coarsest one that it went through.
    assert view.to_figure(*mark_of(view)) == pytest.approx((x, y), abs=0.5 / coarsest)


@given(steps, st.floats(-50, 200), st.floats(-50, 200))
@settings(max_examples=40, deadline=None)
def test_to_view_is_the_inverse_of_to_figure(chain: list[tuple[str, float]], x: float, y: float) -> None:
    view = marked(40, 30)
    for step in chain:
        view = done(view, step)
    assert view.to_figure(*view.to_view(x, y)) == pytest.approx((x, y), abs=1e-6)


TURNS = [(0, (0, 0)), (90, (8, 0)), (180, (8, 5)), (270, (0, 5)), (-90, (0, 5))]


@pytest.mark.parametrize(("degrees", "corner"), TURNS)
def test_quarter_turns_counter_clockwise(degrees: int, corner: tuple[int, int]) -> None:
    """A counter-clockwise turn by 90 degrees brings the top right corner to the top left."""
    pixels = np.random.default_rng(0).integers(0, 255, (6, 9, 3), dtype=np.uint8)
    view = whole(pixels).rotate(degrees)
    assert isinstance(view, View)
    assert view.to_figure(0, 0) == pytest.approx(corner)
    x, y = (round(value) for value in view.to_figure(3, 2))
    assert (view.pixels[2, 3] == pixels[y, x]).all()


def test_zoom_by_two_keeps_pixel_edges() -> None:
    view = whole(np.zeros((4, 6, 3), dtype=np.uint8)).zoom(2)
    assert isinstance(view, View)
    assert (view.height, view.width) == (8, 12)
    assert view.to_figure(0.5, 0.5) == pytest.approx((0, 0))
    assert view.to_figure(-0.5, 11.5) == pytest.approx((-0.5, 5.5))


def test_zoom_to_whole_pixels_uses_the_size_that_came_out() -> None:
    view = whole(np.zeros((10, 7, 3), dtype=np.uint8)).zoom(1.5)  # 10.5 columns become 10
    assert isinstance(view, View)
    assert view.to_figure(view.width - 0.5, view.height - 0.5) == pytest.approx((6.5, 9.5))


def test_crop_of_a_crop_adds_up() -> None:
    view = whole(np.zeros((50, 50, 3), dtype=np.uint8)).crop(Box(10, 20, 39, 49))
    assert isinstance(view, View)
    again = view.crop(Box(5, 5, 9, 9))
    assert isinstance(again, View)
    assert again.to_figure(0, 0) == (15, 25)
    assert "(15.00, 25.00)" in again.describe()


def test_fit_reduces_and_never_enlarges() -> None:
    view = whole(np.zeros((50, 200, 3), dtype=np.uint8))
    small = view.fit(100)
    assert isinstance(small, View)
    assert (small.width, small.height) == (100, 25)
    assert view.fit(300) is view


def test_what_cannot_be_seen_says_why() -> None:
    view = whole(np.zeros((50, 50, 3), dtype=np.uint8))
    outside = view.crop(Box(60, 0, 80, 20))
    assert isinstance(outside, Unreadable)
    assert "outside" in outside.reason
    assert not view.zoom(0)
    assert not view.zoom(float("nan"))
    assert not view.zoom(1e4)
    assert not view.rotate(float("inf"))
