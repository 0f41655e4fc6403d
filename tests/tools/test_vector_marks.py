"""Series from hand-made paths: every place is known to the last digit."""

import numpy as np
import pytest

from tools.axes import calibrate
from tools.types import (
    Axis,
    Box,
    Drawing,
    Figure,
    Legend,
    LegendEntry,
    Panel,
    Rgb,
    Series,
    VectorPath,
    Word,
)
from tools.vector_legend import find_legend, with_drawn_legends
from tools.vector_sampling import filled
from tools.vector_series import is_pictured, read_vector

RED, BLUE, BLACK = (200, 0, 0), (0, 0, 200), (0, 0, 0)
PLOT = Box(100, 50, 500, 350)
UP = Axis("left", "linear", -0.1, 35.0)  # 0 at the bottom, 30 at the top
ALONG = Axis("bottom", "linear", 0.1, -10.0)  # 0 to 40
PANEL = Panel(PLOT.grown(60), PLOT, axes=(UP, ALONG))


def _line(points: list[tuple[float, float]], colour: Rgb = RED, order: int = 0, **style: object) -> VectorPath:
    return VectorPath(np.array(points, dtype=np.float64), stroke=colour, width=2.0, order=order, **style)  # type: ignore[arg-type]


def _bar(x0: float, y0: float, x1: float, y1: float, colour: Rgb = RED, order: int = 0) -> VectorPath:
    corners = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], dtype=np.float64)
    return VectorPath(corners, closed=True, fill=colour, order=order)


def _dot(x: float, y: float, colour: Rgb = RED, order: int = 0, reach: float = 4.0) -> VectorPath:
    ends = np.array([(x - reach, y), (x + reach, y)])
    box = Box(x - reach, y - reach, x + reach, y + reach)
    return VectorPath(ends, closed=True, curved=True, fill=colour, order=order, bounds=box)


def _read(*paths: VectorPath, panel: Panel = PANEL) -> list[Series]:
    return read_vector(panel, Drawing(tuple(paths)))


def _places(one: Series) -> list[tuple[float, float]]:
    return [(mark.x, mark.y) for mark in one.marks]


def test_curves_keep_their_identity_through_a_crossing() -> None:
    rising = [(120.0, 300.0), (200.0, 240.0), (280.0, 160.0), (360.0, 80.0)]
    falling = [(x, 380.0 - y) for x, y in rising]
    one, other = _read(_line(rising, RED, 1), _line(falling, BLUE, 2))
    assert (_places(one), one.colour, one.kind) == (rising, RED, "line")
    assert (_places(other), other.colour) == (falling, BLUE)
    assert one.evidence.source == "vector"


def test_one_colour_two_dashes_are_two_curves_named_by_their_samples() -> None:
    sample = [_line([(420, 60), (450, 60)], BLACK, 5), _line([(420, 80), (450, 80)], BLACK, 6, dash=(6.0, 3.0))]
    entries = (
        LegendEntry("model", BLACK, "line", Box(420, 59, 450, 61)),
        LegendEntry("data", BLACK, "line", Box(420, 79, 450, 81)),
    )
    panel = Panel(PANEL.box, PLOT, axes=PANEL.axes, legend=Legend(entries, Box(415, 50, 495, 90)))
    curves = [
        _line([(120, 100), (200, 120), (300, 110)], BLACK, 1, dash=(6.0, 3.0)),
        _line([(120, 200), (200, 220), (300, 210)], BLACK, 2),
    ]
    assert [one.name for one in _read(*curves, *sample, panel=panel)] == ["data", "model"]


def test_frame_grid_ticks_and_background_are_no_data() -> None:
    frame = VectorPath(np.array([(100.0, 50), (500, 50), (500, 350), (100, 350)]), closed=True, stroke=BLACK, width=1.0)
    paper = _bar(100, 50, 500, 350, (235, 235, 235), 1)
    grid = [_line([(100, y), (500, y)], (204, 204, 204), 2 + i) for i, y in enumerate((100, 200))]
    ticks = [_line([(x, 350), (x, 356)], BLACK, 9) for x in (200, 300)] + [
        _line([(x, 350), (x, 344)], BLACK, 10) for x in (250,)
    ]
    (curve,) = _read(paper, frame, *grid, *ticks, _line([(120, 300), (200, 240), (280, 160)], RED, 20))
    assert len(curve.marks) == 3


def test_markers_on_a_curve_and_markers_alone() -> None:
    points = [(120.0, 300.0), (200.0, 240.0), (280.0, 160.0)]
    dots = [_dot(x, y, RED, 10 + i) for i, (x, y) in enumerate(points)]
    alone = [_dot(x, y, BLUE, 30 + i) for i, (x, y) in enumerate([(150, 90), (410, 310)])]
    line, scattered = _read(_line(points, RED, 1), *dots, *alone)
    assert [mark.part for mark in line.marks] == ["marker"] * 3
    assert _places(line) == points
    assert (scattered.kind, _places(scattered)) == ("points", [(150.0, 90.0), (410.0, 310.0)])


def test_squares_of_one_size_are_markers_and_crosses_too() -> None:
    places = [(120.0, 300.0), (200.0, 240.0), (280.0, 160.0), (330.0, 90.0)]
    squares = [_bar(x - 3, y - 3, x + 3, y + 3, RED, i) for i, (x, y) in enumerate(places)]
    crosses = []
    for i, (x, y) in enumerate(places):
        crosses += [
            _line([(x - 4, y + 9), (x + 4, y + 9)], BLUE, 50 + 2 * i),
            _line([(x, y + 5), (x, y + 13)], BLUE, 51 + 2 * i),
        ]
    first, second = _read(*squares, *crosses)
    assert (first.kind, _places(first)) == ("points", places)
    assert (second.kind, _places(second)) == ("points", [(x, y + 9) for x, y in places])


def test_what_the_clip_hides_is_no_point() -> None:
    curve = _line([(120, 300), (200, 240), (280, 160), (360, -500)], RED, 1, clip=PLOT)
    assert _places(_read(curve)[0]) == [(120.0, 300.0), (200.0, 240.0), (280.0, 160.0)]
    bars = [_bar(120, -80, 140, 350, RED, 2), _bar(160, 150, 180, 350, RED, 3), _bar(200, 250, 220, 350, RED, 4)]
    cut = [VectorPath(bar.points, closed=True, fill=RED, clip=PLOT, order=bar.order) for bar in bars]
    assert [mark.y for mark in _read(*cut)[0].marks] == [50.0, 150.0, 250.0]


def test_steps_hold_their_value_to_the_right() -> None:
    stairs = [(120.0, 300.0), (200.0, 300.0), (200.0, 220.0), (260.0, 220.0), (260.0, 150.0), (400.0, 150.0)]
    (step,) = _read(_line(stairs, RED, 1))
    assert step.kind == "step"
    assert _places(step) == [(120.0, 300.0), (200.0, 220.0), (260.0, 150.0), (400.0, 150.0)]


@pytest.mark.parametrize("lying", [False, True])
def test_bars_standing_and_lying_positive_and_negative(lying: bool) -> None:
    tops = [250.0, 130.0, 320.0]  # of bars on a base line at 300: the last one hangs
    boxes = [(120 + 60 * i, min(top, 300), 150 + 60 * i, max(top, 300)) for i, top in enumerate(tops)]
    zero = Axis("left", "linear", -0.1, 30.0)
    panel = Panel(PANEL.box, PLOT, axes=(zero, ALONG))
    if lying:
        boxes = [(y0, x0, y1, x1) for x0, y0, x1, y1 in boxes]
        plot = Box(50, 100, 350, 500)
        across = Axis("left", "category", 1 / 60, -135 / 60, categories=("a", "b", "c"))
        panel = Panel(plot.grown(60), plot, axes=(Axis("bottom", "linear", -0.1, 30.0), across))
    (bars,) = _read(*(_bar(*box, RED, i) for i, box in enumerate(boxes)), panel=panel)
    assert bars.orientation == ("horizontal" if lying else "vertical")
    assert [mark.x if lying else mark.y for mark in bars.marks] == tops
    assert [mark.y if lying else mark.x for mark in bars.marks] == [135.0, 195.0, 255.0]


def test_stacks_with_a_segment_missing() -> None:
    (red, blue) = _read(
        _bar(120, 300, 150, 350, RED, 1), _bar(120, 260, 150, 300, BLUE, 2),
        _bar(180, 320, 210, 350, RED, 3), _bar(240, 310, 270, 350, RED, 4), _bar(240, 200, 270, 310, BLUE, 5),
    )  # fmt: skip
    assert red.kind == blue.kind == "stack"
    assert [mark.box.height for mark in red.marks if mark.box] == [50.0, 30.0, 40.0]
    assert [mark.box.height for mark in blue.marks if mark.box] == [40.0, 0.0, 110.0]


def test_error_bars_stand_on_their_marks() -> None:
    bars = [_bar(120 + 60 * i, top, 150 + 60 * i, 350, RED, i) for i, top in enumerate((250, 200, 280))]
    stems = [
        _line([(135 + 60 * i, top - 12), (135 + 60 * i, top + 8)], BLACK, 9 + i)
        for i, top in enumerate((250, 200, 280))
    ]
    (one,) = _read(*bars, *stems)
    assert [mark.part for mark in one.marks[:3]] == ["bar", "low", "high"]
    assert [mark.y for mark in one.marks[:3]] == [250.0, 258.0, 238.0]


def test_stems_of_lollipops_are_no_error_bars() -> None:
    tops = [(135.0, 250.0), (195.0, 200.0), (255.0, 280.0)]
    dots = [_dot(x, y, RED, i) for i, (x, y) in enumerate(tops)]
    stems = [_line([(x, y), (x, 349)], RED, 9 + i) for i, (x, y) in enumerate(tops)]
    assert all(mark.part not in ("low", "high") for one in _read(*dots, *stems) for mark in one.marks)


def _ring(top: list[tuple[float, float]], bottom: list[tuple[float, float]], colour: Rgb, order: int) -> VectorPath:
    return VectorPath(np.array([*bottom, *top[::-1]], dtype=np.float64), closed=True, fill=colour, order=order)


def test_stacked_areas_and_a_band() -> None:
    base = [(x, 350.0) for x in (120.0, 200.0, 280.0)]
    first = [(120.0, 300.0), (200.0, 280.0), (280.0, 310.0)]
    second = [(120.0, 200.0), (200.0, 180.0), (280.0, 260.0)]
    lower, upper = _read(_ring(first, base, RED, 1), _ring(second, first, BLUE, 2))
    assert lower.kind == upper.kind == "stacked area"
    assert _places(upper) == second
    assert [mark.box.y1 for mark in upper.marks if mark.box] == [300.0, 280.0, 310.0]
    middle = [(x, y - 40) for x, y in first]
    (curve,) = _read(_line(middle, RED, 1), _ring([(x, y - 60) for x, y in first], first, (255, 200, 200), 2))
    assert [mark.part for mark in curve.marks[:3]] == ["vertex", "low", "high"]
    assert [mark.y for mark in curve.marks[:3]] == [260.0, 300.0, 240.0]


def test_box_plots_are_left_to_the_pixels_and_pictures_told() -> None:
    box = [
        _bar(150, 150, 190, 220, RED, 1),
        _line([(150, 180), (190, 180)], BLACK, 2),
        _line([(170, 150), (170, 90)], BLACK, 3),
    ]
    assert _read(*box) == []
    curve = _line([(120, 300), (200, 240), (280, 160)], RED, 1)
    pictured = Drawing((curve,), (Box(110, 60, 400, 300),))
    assert len(read_vector(PANEL, pictured)) == 1  # the curve beside the picture
    assert is_pictured(pictured, PANEL)
    assert not is_pictured(Drawing((curve,), (Box(0, 0, 90, 40),)), PANEL)
    assert read_vector(PANEL, None) == []
    assert _read() == []


def test_merged_points_are_put_back_only_on_an_even_grid() -> None:
    x = np.arange(200) * 2.5 + 100
    y = 200 + 100 * np.sin(x / 60)
    kept = np.unique(np.r_[0, np.flatnonzero(np.abs(np.sin(x / 60)) > 0.5), np.arange(0, 200, 2), 199])
    found = filled(np.column_stack([x, y])[kept], x[kept])
    assert found is not None
    points, drawn = found
    assert len(points) == 200
    assert drawn.sum() == len(kept)
    assert np.abs(points[:, 1] - y).max() < 0.12
    jagged = np.column_stack([x[kept], np.random.default_rng(1).uniform(0, 300, len(kept))])
    assert filled(jagged, x[kept]) is None  # straight between far points: the author's own gaps
    uneven = x[kept] + np.random.default_rng(2).uniform(-0.5, 0.5, len(kept))
    assert filled(np.column_stack([uneven, y[kept]]), uneven) is None


def test_axes_are_seated_on_the_drawn_strokes() -> None:
    places = [(100.123 + 100 * i, i) for i in range(5)]
    ticks = [_line([(x, 350), (x, 358)], BLACK, i) for i, (x, _) in enumerate(places)]
    rows = [_line([(92, 350.0 - 74.77 * i), (100, 350.0 - 74.77 * i)], BLACK, 20 + i) for i in range(5)]
    words = [Word(str(10 * i), Box(x - 6, 362, x + 7, 374), source="vector") for x, i in places]
    words += [Word(str(5 * i), Box(70, 343 - 74.77 * i, 86, 357 - 74.77 * i), source="vector") for i in range(5)]
    white = np.full((420, 560, 3), 255, np.uint8)
    figure = Figure(white, text=tuple(words), drawing=Drawing((*ticks, *rows)))
    (panel,) = calibrate(figure, [Panel(PLOT.grown(50), PLOT)], words)
    assert panel.x is not None
    assert panel.y is not None
    assert panel.x.to_value(300.123) == pytest.approx(20, abs=1e-6)
    assert panel.y.to_value(350 - 74.77) == pytest.approx(5, abs=1e-6)
    assert all(anchor.seat == "tick" for anchor in (*panel.x.anchors, *panel.y.anchors))


def test_a_legend_from_words_and_samples() -> None:
    paths = [_line([(400, 80 + 20 * i), (430, 80 + 20 * i)], colour, i) for i, colour in enumerate((RED, BLUE))]
    labels = [Word("110", Box(60, 100 + 50 * i, 90, 112 + 50 * i)) for i in range(2)]
    ticks = [_line([(50, 106 + 50 * i), (56, 106 + 50 * i)], BLACK, 9 + i) for i in range(2)]
    words = [Word(name, Box(440, 74 + 20 * i, 480, 86 + 20 * i)) for i, name in enumerate(("first", "second"))]
    legend = find_legend(Drawing((*paths, *ticks)), [*words, *labels])
    assert legend is not None
    assert [(entry.name, entry.colour, entry.kind) for entry in legend.entries] == [
        ("first", RED, "line"), ("second", BLUE, "line"),
    ]  # fmt: skip
    assert find_legend(Drawing(tuple(ticks)), labels) is None  # tick labels beside ticks of one style


def test_plots_side_by_side_have_legends_of_their_own() -> None:
    paths, words = [], []
    for k, names in enumerate((("north", "south"), ("2019", "2020"))):
        for i, name in enumerate(names):
            paths.append(_line([(400 + 500 * k, 80 + 20 * i), (430 + 500 * k, 80 + 20 * i)], (RED, BLUE)[i], 2 * k + i))
            words.append(Word(name, Box(440 + 500 * k, 74 + 20 * i, 480 + 500 * k, 86 + 20 * i)))
    right = Box(600, 50, 1000, 350)
    panels = with_drawn_legends(Drawing(tuple(paths)), [PANEL, Panel(right.grown(60), right)], words)
    assert [[entry.name for entry in panel.legend.entries] for panel in panels] == [
        ["north", "south"],
        ["2019", "2020"],
    ]


def test_error_bars_with_bent_caps_are_those_of_their_own_colour() -> None:
    """R's `arrows` draws a cap as a line of three points; two series with bars at one x that overlap."""
    paths: list[VectorPath] = []
    for colour, y, half in ((RED, 200.0, 40.0), (BLUE, 220.0, 30.0)):
        xs = (150.0, 220.0, 290.0, 360.0, 430.0)
        paths.append(_line([(x, y) for x in xs[:-1]] + [(xs[-1], y - 9)], colour, len(paths)))
        for x in xs:
            middle = y - 9 if x == xs[-1] else y
            for end in (middle - half, middle + half):
                paths.append(_line([(x - 8, end), (x, end), (x + 8, end)], colour, len(paths)))
            paths.append(_line([(x, middle - half), (x, middle + half)], colour, len(paths)))
    found = _read(*paths)
    assert [one.colour for one in found] == [RED, BLUE]
    for one, y, half in zip(found, (200.0, 220.0), (40.0, 30.0), strict=True):
        ends = {part: [mark.y for mark in one.marks if mark.part == part] for part in ("low", "high")}
        assert ends == {"low": [y + half] * 4 + [y - 9 + half], "high": [y - half] * 4 + [y - 9 - half]}
