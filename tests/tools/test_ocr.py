"""Reading of figures drawn here, by the real networks."""

from functools import lru_cache

import numpy as np
import pytest
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from tools.ocr import read_words
from tools.types import Image, Word


def _drawn(draw: object, size: tuple[float, float] = (5, 3), **style: object) -> Image:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    with plt.rc_context(style):  # type: ignore[arg-type]
        figure, axes = plt.subplots(figsize=size, dpi=100)
        draw(axes)  # type: ignore[operator]
        figure.tight_layout()
        figure.canvas.draw()
        pixels = np.asarray(figure.canvas.buffer_rgba())[:, :, :3].copy()  # type: ignore[attr-defined]
        plt.close(figure)
    return pixels


@lru_cache(maxsize=1)
def _log_figure() -> tuple[Word, ...]:
    def draw(axes) -> None:  # type: ignore[no-untyped-def]
        axes.set(xscale="log", xlim=(1e-3, 1e2), ylim=(101, 104), xlabel="Dose (mg)", ylabel="Response", title="Fit")
        axes.set_yticks([101, 102, 103, 104])

    return read_words(_drawn(draw))


def test_a_raised_exponent_and_a_true_103() -> None:
    texts = [word.text for word in _log_figure()]
    assert {"10^-3", "10^-2", "10^-1", "10^0", "10^1", "10^2", "101", "102", "103", "104"} <= set(texts)


def test_the_arm_of_a_last_letter_is_no_exponent() -> None:
    def draw(axes) -> None:  # type: ignore[no-untyped-def]
        axes.set_axis_off()
        for k, text in enumerate(("ZF", "LFP", "GDP", "CHF", "mm$^3$")):
            axes.text(0, 0.9 - 0.2 * k, text, size=12)

    read = read_words(_drawn(draw, **{"font.family": "DejaVu Serif"}))
    assert {word.text for word in read} == {"ZF", "LFP", "GDP", "CHF", "mm^3"}


def test_titles_and_a_label_that_runs_up() -> None:
    found = {word.text: word for word in _log_figure()}
    assert found["Dose (mg)"].angle == 0
    assert found["Response"].angle == 90
    assert found["Response"].box.height > 3 * found["Response"].box.width


def test_boxes_are_tight() -> None:
    picture = Pillow.new("RGB", (120, 80), "white")
    ImageDraw.Draw(picture).text((40, 30), "2500", "black", ImageFont.load_default(14))
    pixels = np.asarray(picture)
    (word,) = read_words(pixels)
    rows, columns = np.nonzero(pixels[:, :, 0] < 128)
    assert word.text == "2500"
    assert word.box.x0 == pytest.approx(columns.min(), abs=1)
    assert word.box.y1 == pytest.approx(rows.max(), abs=1)


def test_lone_digits_slanted_dates_and_a_dark_theme() -> None:
    dates = ["2019-01-14", "2019-02-11", "2019-03-11", "2019-04-08"]

    def draw(axes) -> None:  # type: ignore[no-untyped-def]
        axes.set(xlim=(0, 3), ylim=(0, 8))
        axes.set_xticks(range(4), dates, rotation=45, ha="right")
        axes.set_yticks([0, 2, 4, 6, 8])

    words = read_words(255 - _drawn(draw))
    assert {"0", "2", "4", "6", "8", *dates} <= {word.text for word in words}
    assert all(abs(word.angle - 45) < 4 for word in words if word.text in dates)


def test_no_text_at_all() -> None:
    assert read_words(np.full((60, 90, 3), 255, np.uint8)) == ()
    assert read_words(np.zeros((60, 90, 3), np.uint8)) == ()


def test_two_overlapping_parts_of_one_number_are_one_word() -> None:
    from tools.ocr import _rejoined
    from tools.types import Box, Word

    parts = [Word("50", Box(47, 249, 64, 260)), Word("100", Box(38, 340, 64, 351)), Word("15", Box(38, 249, 54, 260))]
    assert [(word.text, word.box) for word in _rejoined(parts)] == [
        ("100", Box(38, 340, 64, 351)),
        ("150", Box(38, 249, 64, 260)),
    ]
    apart = [Word("15", Box(38, 249, 54, 260)), Word("50", Box(60, 249, 76, 260))]
    assert _rejoined(apart) == apart
