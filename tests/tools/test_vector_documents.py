"""Figures as papers hold them: on their side, several on a page, with layers that are pictures, in hostile SVG."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from agent.batch import jobs_of
from agent.reading import digitize
from tools.load import UnreadableFile, load
from tools.pages import captions_of, figures_on
from tools.types import Box, Drawing, Figure, VectorPath, Word
from tools.vector_svg import cleaned
from tools.vector_turned import turned_upright

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100">{}</svg>'


def _sideways(angle: int) -> Figure:
    """A page of 400 x 200 px with two ladders of numbers and one stroke, all turned by `angle`."""
    words = []
    for k in range(4):
        for x, y in ((50 + 60 * k, 180), (20, 160 - 40 * k)):  # of the upright page: below, and to the left
            box = (199 - y, x) if angle == -90 else (y, 399 - x)
            words.append(Word(str(10 * k), Box(box[0] - 4, box[1] - 6, box[0] + 4, box[1] + 6), float(angle)))
    pixels = np.full((400, 200, 3), 255, dtype=np.uint8)
    pixels[30:61, 120] = 0
    stroke = VectorPath(np.array([(120.0, 30.0), (120.0, 60.0)]), stroke=(0, 0, 0), clip=Box(0, 0, 150, 350))
    return Figure(pixels, text=tuple(words), drawing=Drawing((stroke,), (Box(10, 20, 30, 60),)))


@pytest.mark.parametrize("angle", [90, -90])
def test_a_page_on_its_side_is_turned(angle: int) -> None:
    page = turned_upright(_sideways(angle))
    assert page.pixels.shape == (200, 400, 3)
    assert {word.angle for word in page.text} == {0.0}
    assert [round(w.box.centre[0]) for w in page.text if w.box.centre[1] > 170] == [50, 110, 170, 230]
    assert page.drawing is not None
    rows, columns = np.nonzero(page.pixels[..., 0] == 0)
    box = page.drawing.paths[0].box
    assert (box.x0, box.x1) == (columns.min(), columns.max())
    assert box.y0 == box.y1 == rows.min() == rows.max()
    (picture,) = page.drawing.pictures
    assert (picture.width, picture.height) == (40, 20)
    assert "on its side" in page.warnings[0]


def test_turned_names_of_columns_turn_no_page() -> None:
    names = [Word(f"week {k}", Box(50 + 20 * k, 150, 60 + 20 * k, 190), 90.0) for k in range(15)]
    values = [Word(str(k), Box(10, 140 - 30 * k, 20, 150 - 30 * k)) for k in range(4)]
    page = Figure(np.zeros((200, 400, 3), dtype=np.uint8), text=(*names, *values), drawing=Drawing())
    assert turned_upright(page) is page
    only = Figure(np.zeros((200, 400, 3), dtype=np.uint8), text=tuple(names), drawing=Drawing())
    assert turned_upright(only) is only


def _paper(path: Path) -> None:
    """Two figures side by side, one below them, and body text: each with its caption below."""
    canvas = Canvas(str(path), pagesize=(612, 792), invariant=1)
    canvas.setFont("Times-Roman", 10)
    for k in range(5):
        canvas.drawString(
            72, 760 - 12 * k, "The measurements were repeated on every day of the week, and the mean was taken."
        )
    for x, y in ((80, 560), (340, 575), (80, 200)):
        canvas.bezier(x, y, x + 60, y + 200, x + 100, y - 60, x + 180, y + 90)
        canvas.line(x, y, x, y + 90)
    for number, x, y in ((1, 90, 530), (2, 350, 530), (3, 90, 60)):
        canvas.drawString(x, y, f"Figure {number}: A curve over time, number {number}.")
    canvas.save()


def test_captions_stand_below_their_figures(tmp_path: Path) -> None:
    _paper(tmp_path / "paper.pdf")
    found = figures_on(tmp_path / "paper.pdf")
    assert [one.caption[:8] for one in found] == ["Figure 1", "Figure 2", "Figure 3"]  # from left to right, then below
    assert found[0].region is not None
    assert found[0].region.x1 < 300 * 200 / 72


def _said(text: str, x: float, y: float, size: float = 14.0) -> Word:
    return Word(text, Box(x, y, x + 9 * len(text), y + size), 0.0, 1.0, "vector")


def test_captions_of_many_journals() -> None:
    labels = [
        "Fig. 1.",
        "FIGURE 2:",
        "Supplementary Fig. S3",
        "Extended Data Fig. 4 |",
        "Abb. 5",
        "Figura 6.",
        "eFigure 7",
    ]
    body = "We took the mean of all values of a day, which are those shown in"
    lines = [_said(label, 50, 100 * k) for k, label in enumerate(labels)]
    lines += [_said("Rates in two towns.", lines[3].box.x1 + 8, 300), _said("Another column.", 600, 300)]
    lines += [_said(body, 50, 800), _said("Figure 8 at their own places.", 50, 818)]  # a paragraph that goes on
    found = captions_of(lines)
    assert [one.number for one in found] == ["1", "2", "S3", "4", "5", "6", "7"]
    assert found[3].text == "Extended Data Fig. 4 | Rates in two towns."


def test_a_sheet_without_ink_has_no_figure(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "blank.pdf"))
    canvas.showPage()
    canvas.save()
    assert figures_on(tmp_path / "blank.pdf") == ()


def test_layers_that_are_pictures_are_read_from_their_pixels(tmp_path: Path) -> None:
    plt = pytest.importorskip("matplotlib.pyplot")
    x = np.arange(11.0)
    model, samples = 2 + 0.5 * x + 0.3 * np.sin(x), np.array([5.0, 1.5, 6.2, 2.2, 7.1, 1.2, 8.0, 3.3, 2.5, 4.4, 1.9])
    figure, axes = plt.subplots(figsize=(5, 3.5))
    axes.scatter(x, samples, s=30, c="tab:orange", label="samples", rasterized=True)
    axes.plot(x, model, label="model")
    axes.legend()
    axes.set(xlabel="dose (mg)", ylabel="response", ylim=(0, 10))
    figure.savefig(tmp_path / "mixed.pdf", dpi=200)
    plt.close(figure)
    (panel,) = digitize(tmp_path / "mixed.pdf").panels
    by = {one.name: one for one in panel.series}
    assert {name: one.evidence.source for name, one in by.items() if one.evidence} == {
        "model": "vector", "samples": "pixel",
    }  # fmt: skip
    y = panel.panel.y
    assert y is not None
    assert [float(y.to_value(m.y)) for m in by["model"].marks] == pytest.approx(model.tolist(), abs=1e-3)
    read = [float(y.to_value(m.y)) for m in sorted(by["samples"].marks, key=lambda m: m.x)]
    assert read == pytest.approx(samples.tolist(), abs=0.1)


def test_references_out_of_an_svg_paint_nothing() -> None:
    body = (
        '<style>rect {fill: url("file:///etc/hostname#a")}</style><rect width="9" height="9" fill="url(#p)"/>'
        "<rect width='9' height='9' style='fill:url(https://example.org/a#b)' filter='url(http://example.org/f)'/>"
    )
    left = cleaned(SVG.format(body).encode())
    for word in (b"hostname", b"example.org"):
        assert word not in left
    assert b"url(#p)" in left


@pytest.mark.parametrize("dashes", ["0 0", "0", "-1 2", "nan", "none"])
def test_dashes_without_a_length_are_solid(tmp_path: Path, dashes: str) -> None:
    line = f'<path d="M10 10L190 90" stroke="#000" stroke-dasharray="{dashes}" style="stroke-dasharray:{dashes}"/>'
    (tmp_path / "a.svg").write_text(SVG.format(line), encoding="utf-8")
    drawing = load(tmp_path / "a.svg").drawing
    assert drawing is not None
    assert drawing.paths[-1].dash == ()


def test_many_pictures_together_are_bounded(tmp_path: Path) -> None:
    packed = io.BytesIO()
    Image.new("1", (1000, 1000)).save(packed, "PNG")
    one = f'<image width="9" height="9" href="data:image/png;base64,{base64.b64encode(packed.getvalue()).decode()}"/>'
    (tmp_path / "a.svg").write_text(SVG.format(60 * one), encoding="utf-8")
    with pytest.raises(UnreadableFile, match="too large"):
        load(tmp_path / "a.svg")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("locked", "is encrypted"),
        ("cut", "is damaged"),
        ("head", "is damaged"),
        ("empty", "is empty"),
        ("text", "no figure"),
    ],
)
def test_documents_without_a_figure_say_so_in_one_sentence(tmp_path: Path, name: str, words: str) -> None:
    path = tmp_path / f"{name}.pdf"
    canvas = Canvas(str(path), encrypt="secret" if name == "locked" else None, invariant=1)
    for k in range(30):
        canvas.drawString(72, 760 - 14 * k, "A line of a page that holds nothing but text, from its top to its bottom.")
    canvas.save()
    whole = path.read_bytes()
    path.write_bytes({"cut": whole[:600], "head": b"%PDF-1.4\n", "empty": b""}.get(name, whole))
    jobs, failed = jobs_of([path])
    assert jobs == []
    assert len(failed) == 1
    assert words in failed[0].error
    assert "\n" not in failed[0].error


def test_all_repeated_markers_of_an_svg_are_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The converter stops at 10,000 and says nothing; here at 5."""
    monkeypatch.setattr("svglib.svglib.MAX_USE_EXPANSIONS", 5)
    uses = "".join(f'<use href="#m" x="{10 * k}" y="20"/>' for k in range(12))
    body = f'<defs><path id="m" d="M0 0L2 0L1 2z" fill="#00f"/></defs>{uses}'
    (tmp_path / "a.svg").write_text(SVG.format(body), encoding="utf-8")
    drawing = load(tmp_path / "a.svg").drawing
    assert drawing is not None
    assert sum(path.fill == (0, 0, 255) for path in drawing.paths) == 12


def test_tick_labels_that_touch_are_labels_and_no_body_text(tmp_path: Path) -> None:
    page = Canvas(str(tmp_path / "a.pdf"), pagesize=(595, 842))
    page.setFont("Helvetica", 9)
    for k in range(9):  # six letters of 0.556 and 0.278 em: 27.5 pt wide, 27 pt apart
        page.drawString(150 + 27 * k, 509, f"{2000 + 2.5 * k:.1f}")
    for k in range(4):
        page.drawString(
            60, 760 - 12 * k, "The measurements were repeated on every day of the week and of the year at all places."
        )
    page.lines([(150, 520, 400, 600), (150, 520, 150, 700), (150, 520, 400, 520), (150, 530, 400, 640)])
    page.save()
    words = [word.text for word in load(tmp_path / "a.pdf").text]
    assert {"2000.0", "2002.5", "2020.0"} <= set(words)
    (figure,) = figures_on(tmp_path / "a.pdf")
    assert "2010.0" in [word.text for word in figure.text]


def test_an_embedded_picture_is_read_at_its_own_resolution(tmp_path: Path) -> None:
    pixels = np.full((400, 600, 3), 255, dtype=np.uint8)
    pixels[::2, 100:200] = 0  # stripes of one pixel
    picture = io.BytesIO()
    Image.fromarray(pixels).save(picture, "PNG")
    page = Canvas(str(tmp_path / "a.pdf"), pagesize=(595, 842))
    for k in range(4):
        page.drawString(60, 760 - 14 * k, "The measurements were repeated on every day of the week and of the year.")
    page.drawImage(ImageReader(picture), 100, 400, 108, 72)  # 300 x 200 px of the page
    page.save()
    (figure,) = figures_on(tmp_path / "a.pdf")
    assert 600 <= figure.width <= 616
    assert "its pixels are 2 times as fine" in figure.warnings[0]
    assert figure.region is not None
    assert figure.region.width == pytest.approx(300, abs=14)
    rows = figure.pixels[150:250, 156, 0].astype(int)
    assert np.abs(np.diff(rows)).mean() > 100  # the stripes are there, which the page at 200 dpi blurs to grey
