"""Labels that touch: turned names as high as their ticks are apart, numbers in a column without gaps."""

from __future__ import annotations

from typing import Any

import matplotlib
import numpy as np
import pytest

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from tools.tick_strips import ladder_at_ticks
from tools.types import Box, Floats, Image, Side

MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def drawn(draw: Any, size: tuple[float, float]) -> tuple[Image, Box, Any]:
    """Pixels, the box of the plot and the axes of a figure of one plot."""
    fig, ax = plt.subplots(figsize=size, dpi=100)
    draw(ax)
    fig.tight_layout()
    fig.canvas.draw()
    pixels = np.asarray(fig.canvas.buffer_rgba())[..., :3].copy()  # type: ignore[attr-defined]
    extent, tall = ax.get_window_extent(), pixels.shape[0]
    plt.close(fig)
    return pixels, Box(extent.x0 - 0.5, tall - extent.y1 - 0.5, extent.x1 - 0.5, tall - extent.y0 - 0.5), ax


def at(ax: Any, plot: Box, side: Side, places: Floats) -> Floats:
    low, high = ax.get_xlim() if side == "bottom" else ax.get_ylim()
    share = (places - low) / (high - low)
    return np.asarray(plot.x0 + share * plot.width if side == "bottom" else plot.y1 - share * plot.height)


def test_turned_names_that_touch_are_read_at_their_ticks() -> None:
    def draw(ax: Any) -> None:
        ax.bar(range(12), np.arange(12) + 3.0)
        ax.set_xticks(range(12), MONTHS, rotation=90, fontsize=17)
        ax.set_xlabel("Month of the report", fontsize=14)

    pixels, plot, ax = drawn(draw, (3.6, 3.0))
    ladder = ladder_at_ticks(pixels, plot, "bottom", at(ax, plot, "bottom", np.arange(12.0)))
    assert ladder is not None
    assert list(ladder.texts) == MONTHS
    assert {label.slant for label in ladder.labels} == {90.0}


def test_numbers_that_touch_in_a_column() -> None:
    def draw(ax: Any) -> None:
        ax.set_ylim(-300, 3900)
        ax.set_yticks([0, 1000, 2000, 3000], ["0", "1000", "2000", "3000"], fontsize=15)
        ax.set_xticks([])

    pixels, plot, ax = drawn(draw, (4.0, 0.95))
    ladder = ladder_at_ticks(pixels, plot, "left", at(ax, plot, "left", np.array([0.0, 1000.0, 2000.0, 3000.0])))
    assert ladder is not None
    assert [text for text in ladder.texts if text != "0"] == ["3000", "2000", "1000"]
    assert {label.slant for label in ladder.labels} == {0.0}


@pytest.mark.parametrize("ticks", [[60.0, 90.0, 120.0], [60.0, 90.0, 140.0, 150.0, 160.0]])
def test_few_or_uneven_ticks_tell_nothing(ticks: list[float]) -> None:
    pixels = np.full((200, 200, 3), 255, np.uint8)
    assert ladder_at_ticks(pixels, Box(50, 10, 190, 120), "bottom", np.array(ticks)) is None


def test_ticks_without_labels() -> None:
    pixels = np.full((200, 200, 3), 255, np.uint8)
    assert ladder_at_ticks(pixels, Box(50, 10, 190, 120), "bottom", np.arange(60.0, 190.0, 30.0)) is None
