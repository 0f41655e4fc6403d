"""Views for a model: they say where they are, keep to the limit, and lead home through any chain of looks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.looking import Look, enhance, in_figure, isolate, look, snap_box
from tools.types import Box, Figure, Unreadable
from tools.view import View, whole
from tools.workbench import ToolError, Workbench

HEIGHT, WIDTH = 420, 640


def blank() -> Figure:
    return Figure(np.full((HEIGHT, WIDTH, 3), 255, dtype=np.uint8))


def marked(x: int, y: int) -> Figure:
    figure = blank()
    figure.pixels[y - 2 : y + 3, x - 2 : x + 3] = 0
    return figure


def mark_of(view: View) -> tuple[float, float]:
    darkness = 255.0 - view.pixels[..., 1].astype(np.float64)
    ys, xs = np.mgrid[: view.height, : view.width]
    return float((darkness * xs).sum() / darkness.sum()), float((darkness * ys).sum() / darkness.sum())


@settings(max_examples=30)
@given(
    st.integers(60, WIDTH - 60),
    st.integers(60, HEIGHT - 60),
    st.lists(st.tuples(st.floats(45, 200), st.floats(45, 200), st.sampled_from([0, 90, 180, 270])), max_size=3),
    st.sampled_from([500, 800, 1568]),
)
def test_a_marked_pixel_comes_home_through_any_chain_of_looks(
    x: int, y: int, chain: list[tuple[float, float, int]], longest: int
) -> None:
    """Crop, zoom, turn and the provider's limit, each look a part of the one before: home within half a pixel."""
    bench = Workbench(marked(x, y))
    bench.longest = longest
    bench.look()
    for wide, high, turn in chain:
        seen = bench.views[-1]
        at = mark_of(seen)
        scale = float(np.hypot(seen.home[0, 0], seen.home[1, 0]))
        box = [at[0] - wide / scale / 2, at[1] - high / scale / 3, at[0] + wide / scale / 2, at[1] + high / scale / 1.5]
        bench.look(box=box, view=len(bench.views), turn=turn)
        assert max(bench.views[-1].width, bench.views[-1].height) <= longest
    assert bench.views[-1].to_figure(*mark_of(bench.views[-1])) == pytest.approx((x, y), abs=0.5)


def test_small_parts_are_enlarged_and_large_figures_reduced() -> None:
    small = look(blank(), Box(100, 100, 199, 149), 0, 0, 1568)
    assert isinstance(small, View)
    assert (small.width, small.height) == (800, 400)
    large = look(Figure(np.full((500, 4000, 3), 255, dtype=np.uint8)), None, 0, 0, 1568)
    assert isinstance(large, View)
    assert large.width == 1568


def test_a_view_says_where_it_is() -> None:
    bench = Workbench(blank())
    found = bench.look(box=[100, 50, 299, 149])
    assert isinstance(found, Look)
    assert found.text.startswith("view 1: 800 x 400 px; its pixel (0, 0) is figure pixel (99.62, 49.62)")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"box": [1, 2, 3]}, "four numbers"),
        ({"box": [5000, 10, 6000, 20]}, "outside the figure"),
        ({"box": [1, 1, 50, 50], "view": 7}, "no view 7"),
        ({"show": "colour"}, "#rrggbb"),
        ({"show": "colour", "colour": "reddish"}, "#rrggbb"),
        ({"panel": 2}, "there are 0 panels"),
    ],
)
def test_looks_that_cannot_be_taken_say_why(arguments: dict[str, object], says: str) -> None:
    with pytest.raises(ToolError, match=says):
        Workbench(blank()).call("look", arguments)


def test_one_colour_alone() -> None:
    figure = blank()
    figure.pixels[100:110, 50:300] = (200, 30, 30)
    figure.pixels[200:210, 50:300] = (30, 30, 200)
    alone = isolate(figure.pixels, (200, 30, 30))
    assert tuple(alone[105, 100]) == (200, 30, 30)
    assert alone[205, 100].min() > 220


def test_more_contrast() -> None:
    figure = blank()
    figure.pixels[100:110, 50:300] = 240
    assert int(enhance(figure.pixels)[105, 100].max()) < 240


@pytest.mark.parametrize("off", [-5, 0, 6])
def test_edges_of_a_box_move_to_strokes(off: int) -> None:
    figure = blank()
    figure.pixels[50:351, 80:82] = 0  # left, centre at 80.5
    figure.pixels[350, 80:561] = 0
    box, seated = snap_box(figure, Box(80 + off, 50, 560, 350 + off))
    assert box.x0 == pytest.approx(80.5, abs=0.3)
    assert box.y1 == pytest.approx(350, abs=0.3)
    assert set(seated) >= {"x0", "y1"}
    assert box.x1 == 560


def test_a_box_in_a_turned_view_is_upright_in_the_figure() -> None:
    turned = whole(blank().pixels).rotate(90)
    assert isinstance(turned, View)
    box = in_figure(turned, [10, 20, 30, 60])
    assert isinstance(box, Box)
    assert (box.x0, box.y0, box.x1, box.y1) == pytest.approx((WIDTH - 1 - 60, 10, WIDTH - 1 - 20, 30))
    assert isinstance(in_figure(None, [1, 2]), Unreadable)
