"""Size, weight and family of printed words, drawn in known fonts."""

from __future__ import annotations

import numpy as np
import pytest

from tools.text_style import even_pitch, measure_text, print_of, stroke_width
from tools.types import Box, Image, Unreadable, Word

TEXTS = ("Outbreak by region", "Field measurements", "Heart failure", "Wild type")


def printed(px: float, family: str = "DejaVu Sans", weight: str = "normal", turned: float = 0.0,
            texts: tuple[str, ...] = TEXTS, dark: bool = False) -> tuple[Image, list[Word]]:  # fmt: skip
    """Lines of text at 100 dpi, and the words with their boxes."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    fig = Figure(figsize=(4, 4), dpi=100, facecolor="#202024" if dark else "white")
    canvas = FigureCanvasAgg(fig)
    at = [(0.1, 0.1 + 0.2 * k) if not turned else (0.1 + 0.2 * k, 0.1) for k in range(len(texts))]
    lines = [fig.text(x, y, text, fontsize=0.72 * px, family=family, weight=weight, rotation=turned,
                      color="#e6e6e6" if dark else "black")
             for (x, y), text in zip(at, texts, strict=True)]  # fmt: skip
    canvas.draw()  # type: ignore[no-untyped-call]
    pixels = np.array(canvas.buffer_rgba(), dtype=np.uint8)[..., :3].copy()  # type: ignore[no-untyped-call]
    boxes = [line.get_window_extent() for line in lines]
    return pixels, [Word(line.get_text(), Box(b.x0, 400 - b.y1, b.x1, 400 - b.y0), turned)
                    for line, b in zip(lines, boxes, strict=True)]  # fmt: skip


@pytest.mark.parametrize("px", [14.0, 16.0, 20.0, 26.0])
@pytest.mark.parametrize("family", ["DejaVu Sans", "DejaVu Sans Mono", "DejaVu Serif"])
def test_sizes_are_right_within_an_eighth(px: float, family: str) -> None:
    size = measure_text(*printed(px, family)).size
    assert isinstance(size, float)
    assert abs(size / px - 1) <= 0.125


@pytest.mark.parametrize("weight", ["normal", "bold"])
@pytest.mark.parametrize("family", ["DejaVu Sans", "DejaVu Sans Mono", "DejaVu Serif"])
def test_bold_is_told_from_normal(weight: str, family: str) -> None:
    for px in (14.0, 20.0):
        assert measure_text(*printed(px, family, weight)).weight == weight


@pytest.mark.parametrize(("family", "kind"), [("DejaVu Sans", "sans"), ("DejaVu Serif", "serif"),
                                              ("DejaVu Sans Mono", "mono")])  # fmt: skip
def test_a_family_is_right_or_refused(family: str, kind: str) -> None:
    told = [measure_text(*printed(px, family)).family for px in (13.0, 18.0, 24.0)]
    assert all(isinstance(one, Unreadable) or one == kind for one in told)
    assert kind in told


def test_standing_text_and_dark_paper_measure_alike() -> None:
    plain = measure_text(*printed(20.0))
    for other in (measure_text(*printed(20.0, turned=90.0)), measure_text(*printed(20.0, dark=True))):
        assert isinstance(plain.size, float)
        assert isinstance(other.size, float)
        assert abs(other.size - plain.size) < 0.04 * plain.size
        assert other.weight == plain.weight


def test_what_cannot_be_measured_is_refused_with_its_reason() -> None:
    pixels, words = printed(5.0)
    for style in (measure_text(pixels, words), measure_text(pixels, [])):
        assert isinstance(style.size, Unreadable)
        assert style.size.reason
    slanted = [Word("Heart failure", Box(20, 20, 90, 90), 45.0)]
    assert isinstance(measure_text(pixels, slanted).weight, Unreadable)
    assert isinstance(
        measure_text(np.full((40, 90, 3), 255, np.uint8), [Word("ab", Box(5, 5, 60, 30))]).size, Unreadable
    )


def test_a_stroke_is_as_wide_as_it_was_drawn() -> None:
    ink = np.zeros((40, 60))
    ink[10:30, 20:23] = 1.0
    ink[27:30, 20:50] = 1.0
    assert abs(stroke_width(ink) - 3) < 0.5


def test_a_tick_mark_that_runs_into_the_box_is_no_letter() -> None:
    pixels, words = printed(20.0, texts=("Heart failure",))
    clean = print_of(pixels, words[0])
    row = round(words[0].box.centre[1])
    pixels[row, : round(words[0].box.x0)] = 0
    again = print_of(pixels, words[0])
    assert clean is not None
    assert again is not None
    assert again.cap == clean.cap


def test_pitch_is_even_or_follows_the_widths_of_letters() -> None:
    letters = "milling"
    widths = [833, 222, 222, 222, 222, 556, 556]
    ends = np.cumsum(widths) / 50
    wide = [(int(end - w / 50) + 1, int(end) - 1, c) for end, w, c in zip(ends, widths, letters, strict=True)]
    even = [(12 * k + 2, 12 * k + 10, c) for k, c in enumerate(letters)]
    assert even_pitch(even) is True
    assert even_pitch(wide) is False
    assert even_pitch([(12 * k, 12 * k + 8, c) for k, c in enumerate("2017")]) is None
