import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from tools.text_labels import labels, with_case
from tools.text_lines import Line, exponent, glyphs, lies, pieces, turned, upright_lines
from tools.types import Box, Floats
from tools.types import Image as Pixels


def _paper(height: int, width: int, *boxes: tuple[int, int, int, int]) -> Pixels:
    """White paper with black rectangles x0, y0, x1, y1 (last pixels included)."""
    pixels = np.full((height, width, 3), 255, np.uint8)
    for x0, y0, x1, y1 in boxes:
        pixels[y0 : y1 + 1, x0 : x1 + 1] = 0
    return pixels


def _rings(height: int, width: int, *boxes: tuple[int, int, int, int]) -> Pixels:
    """The same with hollow rectangles, which look like letters."""
    pixels = _paper(height, width, *boxes)
    for x0, y0, x1, y1 in boxes:
        pixels[y0 + 1 : y1, x0 + 1 : x1] = 255
    return pixels


def _line(pixels: Pixels, x0: float, y0: float, x1: float, y1: float) -> Line:
    return turned(pixels, np.array([(x0 + x1) / 2, (y0 + y1) / 2]), x1 - x0, y1 - y0, 0.0)


def _text(text: str, angle: float = 0.0, size: int = 16) -> Pixels:
    """Text in the middle of a white square, turned counter-clockwise."""
    picture = Image.new("RGB", (240, 240), "white")
    ImageDraw.Draw(picture).text((120, 120), text, "black", ImageFont.load_default(size), anchor="mm")
    return np.asarray(picture.rotate(angle, Image.Resampling.BICUBIC, fillcolor="white"))


def _quad(centre: tuple[float, float], length: float, height: float, angle: float) -> Floats:
    turn = np.radians(angle)
    right, down = np.array([np.cos(turn), -np.sin(turn)]), np.array([np.sin(turn), np.cos(turn)])
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    return np.array([np.array(centre) + a * right * length / 2 + b * down * height / 2 for a, b in corners])


@pytest.mark.parametrize("angle", [0.0, 90.0, -90.0])
def test_a_turned_line_maps_home(angle: float) -> None:
    pixels = np.rot90(_rings(60, 60, (20, 25, 27, 36), (31, 25, 38, 36)), {0.0: 0, 90.0: 1, -90.0: -1}[angle])
    line = turned(np.ascontiguousarray(pixels), np.array([30.0, 30.0]), 28, 22, angle)
    rows, columns = np.nonzero(pixels[:, :, 0] == 0)
    assert len(glyphs(line)) == 2
    assert line.box(glyphs(line)) == Box(columns.min(), rows.min(), columns.max(), rows.max())


@pytest.mark.parametrize("angle", [30.0, 45.0, 60.0, -45.0])
def test_slanted_text_is_turned_to_the_right(angle: float) -> None:
    quad = _quad((120, 120), 90, 22, angle)
    (line,) = upright_lines(_text("14 Oct 19", angle), quad)
    assert line.angle == pytest.approx(angle, abs=0.5)
    level = _line(_text("14 Oct 19"), 75, 109, 165, 131)
    assert len(glyphs(line)) == pytest.approx(len(glyphs(level)), abs=1)
    turned_height = np.ptp(np.nonzero(line.ink)[0])
    assert turned_height == pytest.approx(np.ptp(np.nonzero(level.ink)[0]), abs=2)


def test_directions_that_a_line_may_run_in() -> None:
    def angles(text: str, angle: float, width: float, height: float) -> list[float]:
        quad = np.array([(120 - width, 120 - height), (120 + width, 120 - height), (120 + width, 120 + height),
                         (120 - width, 120 + height)])  # fmt: skip
        return [line.angle for line in upright_lines(_text(text, angle), quad)]

    assert angles("2,500", 0, 26, 10) == [0]
    assert angles("2,500", 90, 10, 26) == [90, -90]
    assert angles("0.5", 90, 10, 16)[0] == 90
    assert angles("7", 0, 8, 11)[0] == 0


def test_ticks_frames_and_neighbours_are_no_glyphs() -> None:
    letters = [(20, 20, 27, 31), (31, 20, 38, 31)]
    pixels = _rings(60, 80, *letters)
    pixels[0:60, 70:72] = 0  # a frame
    pixels[14:18, 29:31] = 0  # a tick above the label
    pixels[40:60, 20:28] = 0  # a neighbour below
    line = _line(pixels, 16, 16, 42, 35)
    assert line.box(glyphs(line)) == Box(20, 20, 38, 31)


def test_split_at_a_wide_gap_but_not_at_a_space() -> None:
    words = _rings(50, 120, (10, 20, 17, 31), (25, 20, 32, 31), (60, 20, 67, 31), (75, 20, 82, 31))
    line = _line(words, 6, 16, 88, 35)
    assert [[glyph.x0 for glyph in part] for part in pieces(line)] == [
        [glyph.x0 for glyph in glyphs(line)[:2]],
        [glyph.x0 for glyph in glyphs(line)[2:]],
    ]


def test_a_tick_after_and_a_sample_before_a_label_are_dropped() -> None:
    pixels = _rings(50, 120, (40, 20, 47, 31), (51, 20, 58, 31))
    pixels[25:27, 64:69] = 0
    pixels[25:27, 14:32] = 0
    (part,) = pieces(_line(pixels, 10, 16, 76, 35))
    assert len(part) == 2


@pytest.mark.parametrize("touching", [False, True])
def test_a_raised_exponent_and_a_true_103(touching: bool) -> None:
    ten = [(20, 24, 23, 35), (27, 24, 34, 35)]
    left = 35 if touching else 37
    pixels = _rings(60, 80, *ten, (left, 21, left + 5, 27))
    (part,) = pieces(_line(pixels, 16, 18, 48, 39))
    line = _line(pixels, 16, 18, 48, 39)
    found = exponent(line, part)
    assert found is not None
    base, power = (line.box([box]) for box in found)
    assert (base.x0, base.y0, base.y1) == (20, 24, 35)
    assert power == Box(left, 21, left + 5, 27)
    level = _line(_rings(60, 80, *ten, (37, 24, 44, 35)), 16, 18, 48, 39)
    assert exponent(level, pieces(level)[0]) is None


def test_minor_ticks_beside_a_label() -> None:
    pixels = _rings(60, 80, (20, 24, 27, 35), (31, 24, 38, 35))
    for y in (18, 23, 28, 33, 38):
        pixels[y : y + 2, 44:48] = 0
    (part,) = pieces(_line(pixels, 16, 16, 52, 42))
    assert len(part) == 2


def test_lying_glyphs() -> None:
    assert lies([Box(0, 0, 11, 7), Box(0, 10, 11, 17)])
    assert not lies([Box(0, 0, 7, 11), Box(10, 0, 17, 11)])


def _row(text: str, gaps: dict[int, float] | None = None) -> list[Box]:
    """A glyph 8 wide for each letter, 2 apart, and wider gaps before some letters."""
    at, row = 0.0, []
    for i, _ in enumerate(text.replace(" ", "")):
        at += (gaps or {}).get(i, 0.0)
        row.append(Box(at, 0, at + 7, 11))
        at += 10
    return row


def test_labels_that_were_read_as_one() -> None:
    months = labels("Jun Aug Oct", _row("Jun Aug Oct", {3: 8, 6: 8}))
    assert [(text, len(part)) for text, part in months] == [("Jun", 3), ("Aug", 3), ("Oct", 3)]
    assert [text for text, _ in labels("0 20 40", _row("0 20 40", {1: 7, 3: 7}))] == ["0", "20", "40"]
    weeks = labels("2014-W142014-W20", _row("2014-W142014-W20"))
    assert [(text, part[0].x0) for text, part in weeks] == [("2014-W14", 0), ("2014-W20", 80)]


@pytest.mark.parametrize("text", ["17 500", "14 Oct 19", "Site A", "May 2020", "-0.5"])
def test_labels_that_are_one(text: str) -> None:
    assert labels(text, _row(text, {2: 8})) == [(text, _row(text, {2: 8}))]


def test_a_high_first_letter_is_a_capital() -> None:
    low = [Box(10, 3, 17, 11), Box(20, 3, 27, 11)]
    assert with_case("sun", [Box(0, 0, 7, 11), *low]) == "Sun"
    assert with_case("sun", [Box(0, 3, 7, 11), *low]) == "sun"


def test_letters_of_one_pitch_are_a_typewriter_face() -> None:
    from tools.text_lines import even_pitch

    assert even_pitch(np.array([10.0, 10.5, 9.5, 10.0])) == 10.0
    assert even_pitch(np.array([6.0, 12.0, 9.0, 14.0])) == 0.0
    assert even_pitch(np.array([10.0, 10.0])) == 0.0
