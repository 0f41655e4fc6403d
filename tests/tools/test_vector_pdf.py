import io
from pathlib import Path

import numpy as np
import pytest
from reportlab.pdfgen.canvas import Canvas

from tools.load import load
from tools.pages import captions_of, figures_on
from tools.types import Box, Drawing, Word
from tools.vector_pdf import Affine, Character
from tools.vector_text import is_gibberish, read_runs

SCALE = 200 / 72  # a page of 144 x 72 points has 400 x 200 pixels


def _page(folder: Path, draw, size=(144, 72), turn: int = 0) -> Path:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=size, invariant=1)
    canvas.setPageRotation(turn)
    draw(canvas)
    canvas.showPage()
    canvas.save()
    path = folder / "page.pdf"
    path.write_bytes(buffer.getvalue())
    return path


def test_paths_lie_where_they_are_drawn(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setStrokeColorRGB(1, 0, 0)
        canvas.setLineWidth(0.72)
        canvas.setDash([3.6, 1.8])
        canvas.line(36, 36, 72, 54)
        canvas.setFillColorRGB(0, 0, 1)
        canvas.rect(90, 18, 18, 36, stroke=0, fill=1)

    line, bar = load(_page(tmp_path, draw)).drawing.paths
    assert line.stroke == (255, 0, 0)
    assert line.fill is None
    assert line.width == pytest.approx(2.0, abs=1e-3)
    assert line.dash == pytest.approx((10.0, 5.0), abs=1e-3)
    assert line.points == pytest.approx(np.array([[99.5, 99.5], [199.5, 49.5]]), abs=1e-3)  # the centre of pixel i is i
    assert bar.fill == (0, 0, 255)
    assert bar.closed
    assert len(bar.points) == 4
    assert (bar.box.x0, bar.box.y0, bar.box.x1, bar.box.y1) == pytest.approx((249.5, 49.5, 299.5, 149.5), abs=1e-3)


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_turned_pages_agree_with_their_pixels(tmp_path: Path, turn: int) -> None:
    figure = load(_page(tmp_path, lambda c: c.rect(18, 9, 36, 18, stroke=0, fill=1), turn=turn))
    rows, columns = np.nonzero(figure.pixels[..., 0] < 128)
    box = figure.drawing.paths[0].box
    seen = (columns.min() - 0.5, rows.min() - 0.5, columns.max() + 0.5, rows.max() + 0.5)
    assert (box.x0, box.y0, box.x1, box.y1) == pytest.approx(seen, abs=0.01)


def test_forms_clips_and_bends(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.beginForm("dot", -9, -9, 9, 9)
        canvas.circle(0, 0, 3.6, stroke=0, fill=1)
        canvas.endForm()
        canvas.saveState()
        clip = canvas.beginPath()
        clip.rect(36, 18, 72, 36)
        canvas.clipPath(clip, stroke=0)
        for x in (36, 90):
            canvas.saveState()
            canvas.translate(x, 36)
            canvas.scale(0.5, 0.5)
            canvas.doForm("dot")
            canvas.restoreState()
        canvas.restoreState()

    dots = load(_page(tmp_path, draw)).drawing.paths
    assert len(dots) == 2
    for dot, x in zip(dots, (36, 90), strict=True):
        assert dot.curved
        assert dot.box.centre == pytest.approx((x * SCALE - 0.5, 99.5), abs=0.01)
        assert dot.box.width == pytest.approx(10.0, abs=0.05)  # half of the form's own size

    assert dots[0].clip.x0 == pytest.approx(99.5, abs=0.01)  # half of it is hidden
    assert dots[1].clip is None or dots[1].clip.contains(dots[1].box.x0, dots[1].box.y0)


def test_transparency_hides_nothing_and_invisible_paths_are_none(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFillAlpha(0.5)
        canvas.rect(18, 18, 18, 18, stroke=0, fill=1)
        canvas.setFillAlpha(0.0)
        canvas.rect(54, 18, 18, 18, stroke=0, fill=1)

    (path,) = load(_page(tmp_path, draw)).drawing.paths
    assert path.alpha == pytest.approx(0.5, abs=0.01)


def test_transforms_follow_each_other() -> None:
    whole = Affine(2, 0, 0, -2, 0, 100).after(Affine(0, 1, -1, 0, 10, 0))  # first turn and shift, then scale
    assert whole.apply(np.array([[1.0, 0.0]])).tolist() == [[20.0, 98.0]]
    assert whole.scale == pytest.approx(2.0)


def _text(text: str, x: float, y: float, size: float = 20.0, run: int = 0) -> list[Character]:
    step = size / 2
    return [
        Character(c, Box(x + i * step, y - 0.7 * size, x + (i + 0.9) * step, y), x + i * step, y, size, step, 0.0, run)
        for i, c in enumerate(text)
    ]


PAGE = Box(0, 0, 999, 999)


def test_runs_become_words() -> None:
    pieces = [*_text("Number", 100, 100, run=1), *_text("of", 167, 100, run=2), *_text("2024", 300, 100, run=3)]
    words = read_runs([*pieces, *_text("7", 500, 100, run=4)], Drawing(), PAGE)
    assert [word.text for word in words] == ["Number of", "2024", "7"]
    assert words[0].source == "vector"


def test_raised_numbers_become_exponents() -> None:
    power = [*_text("10", 100, 100), *_text("−3", 121, 90, size=14.0, run=1)]
    words = read_runs([*power, *_text("103", 200, 100, run=2)], Drawing(), PAGE)
    assert [word.text for word in words] == ["10^-3", "103"]


def test_labels_that_touch_stay_apart() -> None:
    labels = [
        *_text("November", 100, 100, run=1),
        *_text("December", 184, 100, run=2),
        *_text("10 20", 300, 100, run=3),
    ]
    assert [word.text for word in read_runs([*labels, *_text("5", 500, 50, run=4)], Drawing(), PAGE)] == [
        "November", "December", "10 20", "5",
    ]  # fmt: skip


def test_fonts_without_meaning_give_no_text() -> None:
    private = [one for text in ("", "") for one in _text(text, 100, 100)]
    assert is_gibberish(private)
    assert read_runs(private, Drawing(), PAGE) == ()
    assert not is_gibberish(_text("µ 10 %", 100, 100))


def test_text_off_the_page_is_left_out() -> None:
    words = read_runs(
        [*_text("12", 100, 100), *_text("34", 2000, 100, run=1), *_text("56", 300, 100, run=2)], Drawing(), PAGE
    )
    assert [word.text for word in words] == ["12", "56"]


def _paper(canvas: Canvas) -> None:
    sentence = "This is a line of running text that is long enough to be read as a part of a paper."
    for row in range(12):
        canvas.drawString(72, 700 - 14 * row, sentence)


def _chart(canvas: Canvas, left: float, bottom: float) -> None:
    canvas.rect(left, bottom, 160, 100)
    canvas.lines([(left, bottom + y, left - 4, bottom + y) for y in (20, 60)])
    canvas.drawRightString(left - 6, bottom + 17, "10")
    canvas.drawRightString(left - 6, bottom + 57, "20")
    path = canvas.beginPath()
    path.moveTo(left, bottom + 10)
    path.lineTo(left + 80, bottom + 90)
    path.lineTo(left + 160, bottom + 30)
    canvas.drawPath(path)


def test_figures_of_a_paper_with_their_captions(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        _paper(canvas)
        _chart(canvas, 100, 380)
        canvas.drawString(100, 350, "Figure 3: Something measured over time.")
        _chart(canvas, 100, 160)
        _chart(canvas, 330, 160)
        canvas.drawString(100, 130, "Fig. 4. Two parts of one figure.")

    first, second = figures_on(_page(tmp_path, draw, size=(595, 842)))
    assert first.caption.startswith("Figure 3")
    assert second.caption.startswith("Fig. 4")
    assert sorted(word.text for word in first.text) == ["10", "20"]
    assert second.width > 1.8 * first.width
    frame = next(path for path in first.drawing.paths if path.closed)
    assert frame.box.x0 == pytest.approx(100 * SCALE - 0.5 - first.region.x0, abs=0.6)
    assert first.pixels.shape[:2] == (first.region.height + 1, first.region.width + 1)


def test_pages_of_text_hold_no_figure_and_a_chart_alone_is_one(tmp_path: Path) -> None:
    assert figures_on(_page(tmp_path, _paper, size=(595, 842))) == ()
    (figure,) = figures_on(_page(tmp_path, lambda canvas: _chart(canvas, 60, 60), size=(260, 200)))
    assert figure.region is None


def test_captions_by_their_first_word() -> None:
    words = [
        Word(text, Box(0, 0, 9, 9)) for text in ("Fig. 2. Trends", "Figure S1", "Figures are nice", "As Figure 3 shows")
    ]
    assert [caption.number for caption in captions_of(words)] == ["2", "S1"]


def test_the_letters_of_a_ligature_stay_together() -> None:
    glyph = Box(30, 0, 47, 21)
    f, i = (Character(c, glyph, 30.0, 21.0, 28.0, 17.5, 0.0, 0) for c in "fi")
    t = Character("t", Box(47, 2, 55, 21), 47.5, 21.0, 28.0, 10.0, 0.0, 0)
    (word,) = read_runs([f, i, t], Drawing(), Box(0, 0, 99, 99))
    assert word.text == "fit"


def test_labels_printed_twice_in_one_place_are_one() -> None:
    twice = [*_text("2006", 100, 100, run=1), *_text("2006", 100.2, 100, run=2), *_text("2008", 200, 100, run=3)]
    assert [word.text for word in read_runs(twice, Drawing(), PAGE)] == ["2006", "2008"]
