"""From a folder of text, figures and tables to questions: on readings made by hand, so that nothing is recognised."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from agent.asking import ask_reading
from agent.binding import bind, references
from agent.paper import Paper, caption_of, read_paper
from agent.paper_work import WorkedFigure, work_paper
from agent.reading import Reading
from agent.reliability import AMBIGUOUS, DOMAIN, NOT_FOUND, PRINTED, UNLABELLED, UNREAD, UNSCALED
from tests.agent.hand_readings import bar_reading, line_reading
from tools.types import Anchor, Box, Word

SITES = ["Elm", "Forge", "Grange", "Harbour"]
RESPONSE = {"Placebo": [20.0, 35.0, 50.0, 64.0], "Switch": [18.0, 22.0, 30.0, 41.0]}
Rows = Sequence[Sequence[str | float]]
WIDE: Rows = [["Site", *RESPONSE], *([site, *(v[i] for v in RESPONSE.values())] for i, site in enumerate(SITES))]
XML = (
    '<article><body><p>We measured things (Fig. 1).</p><fig id="F1"><label>Figure 1</label><caption>'
    "<title>Response.</title><p>By site.</p></caption>"
    '<graphic xmlns:x="http://www.w3.org/1999/xlink" x:href="one"/></fig></body></article>'
)
MARKDOWN = "# Study\n\nWe measured things (Fig. 1).\n\n![](figures/one.png)\n\n**Figure 1.** Response. By site.\n"
PLAIN = "Study\n\nWe measured things (Fig. 1).\n\nFigure 1. Response. By site.\n"


def write(
    folder: Path, text: str, tables: dict[str, Rows], name: str = "paper.txt", picture: str = "figure1.png"
) -> Path:
    (folder / "figures").mkdir(parents=True)
    (folder / name).write_text(text, encoding="utf-8")
    cv2.imwrite(str(folder / "figures" / picture), np.full((8, 8, 3), 255, np.uint8))
    for file, rows in tables.items():
        with (folder / file).open("w", newline="", encoding="utf-8") as out:
            csv.writer(out).writerows(rows)
    return folder


def figure(folder: Path, reading: Reading, caption: str, rows: Rows, text: str = "") -> WorkedFigure:
    paper = write(folder / "p", f"{text}\n\nFigure 1. {caption}\n", {"Fig1.csv": rows})
    (found,) = work_paper(paper, lambda _: reading)[1]
    return found


@pytest.mark.parametrize(("name", "text"), [("paper.xml", XML), ("paper.md", MARKDOWN), ("paper.txt", PLAIN)])
def test_text_in_three_forms(tmp_path: Path, name: str, text: str) -> None:
    picture = "figure1.png" if name.endswith("txt") else "one.png"
    paper = read_paper(write(tmp_path / "p", text, {"t.csv": WIDE}, name, picture))
    assert paper.figures["1"].name == picture
    assert paper.caption("1").text == "Response. By site."
    assert "We measured things (Fig. 1)." in paper.sentences


def test_a_folder_that_is_no_paper(tmp_path: Path) -> None:
    (tmp_path / "e").mkdir()
    with pytest.raises(ValueError, match="no text of a paper"):
        read_paper(tmp_path / "e")
    bomb = '<!DOCTYPE a [<!ENTITY b "c">]><article><p>&b;</p></article>'
    paper = write(tmp_path / "x", bomb, {"t.csv": WIDE}, "paper.xml")
    with pytest.raises(ValueError, match="no text of a paper"):
        read_paper(paper)


def test_captions_are_cut_at_letters_in_order() -> None:
    assert caption_of("All. (a) Oats (see b). (b) Rye.").parts == {"a": "Oats (see b).", "b": "Rye."}
    assert caption_of("Vitamin (c) by arm.").parts == {}
    assert caption_of("a, Oats. b, Rye.").parts == {"a": "Oats.", "b": "Rye."}


def test_references_name_figures_and_panels() -> None:
    assert references("(Fig. 2b and Fig 3)") == [("2", "b"), ("3", "")]
    assert references("Figures 1a–c") == [("1", "a"), ("1", "b"), ("1", "c")]
    assert references("Fig. 3 and a rise") == [("3", "")]


TEXTS = [
    ("Source data for Fig. 1a are in beta.csv.", "a", "beta.csv", "direct"),
    ("Values behind Figure 1 are listed in Supplementary Table S2.", "a", "Table_S2.csv", "direct"),
    ("Data of Figs 1a and 1b are in alpha.csv and beta.csv, respectively.", "b", "beta.csv", "direct"),
    ("Nothing is said.", "a", "alpha.csv", "indirect"),
]


@pytest.mark.parametrize(("sentence", "letter", "file", "how"), TEXTS)
def test_bindings_carry_their_evidence(tmp_path: Path, sentence: str, letter: str, file: str, how: str) -> None:
    tables = {"alpha.csv": WIDE, "beta.csv": [["Dose", "Signal"], [1.0, 2.0], [2.0, 3.0]],
              "Table_S2.csv": [["Year", "Rain"], [2001.0, 4.0], [2002.0, 5.0]]}  # fmt: skip
    text = f"{sentence}\n\nFigure 1. (a) Response at Elm and Forge of Placebo and Switch. (b) Signal by dose."
    paper = read_paper(write(tmp_path / "p", text, tables))
    best = bind(paper, "1", letter)[0]
    assert (best.file, best.how) == (file, how)
    assert best.evidence == sentence if how == "direct" else "placebo" in best.evidence


def test_a_sheet_named_after_the_figure(tmp_path: Path) -> None:
    from openpyxl import Workbook

    folder = write(tmp_path / "p", "Text.\n\nFigure 1. (a) One. (b) Two.", {})
    book = Workbook()
    for name in ("Fig 1a", "Fig. 1b", "Fig 2"):
        sheet = book.create_sheet(name)
        for row in WIDE:
            sheet.append(list(row))
    book.save(folder / "source.xlsx")
    paper: Paper = read_paper(folder)
    assert [one.sheet for one in bind(paper, "1", "b")] == ["Fig. 1b"]


def test_bars_become_a_recipe_and_a_question_in_both_wordings(tmp_path: Path) -> None:
    found = figure(tmp_path, bar_reading(SITES, RESPONSE), "Response by site and arm.", WIDE)
    (panel,), (asked,) = found.panels, found.questions
    assert panel.recipe is not None
    assert (panel.recipe.file, panel.recipe.x, panel.recipe.columns) == ("Fig1.csv", "Site", ("Placebo", "Switch"))
    assert (asked.series, asked.at, asked.answer) == ("Placebo", "Harbour", 64.0)
    assert asked.text == "What is the response of Placebo for Harbour?"
    assert asked.rewritten == "Response by site and arm: what is the response of Placebo for Harbour?"


def test_means_and_filters_are_found_and_have_to_be_said(tmp_path: Path) -> None:
    rows: list[list[str | float]] = [["Site", "Arm", "Season", "Response"]]
    for season, factor in (("dry", 1.0), ("wet", 0.5)):
        rows += [[s, a, season, v[i] * factor] for i, s in enumerate(SITES) for a, v in RESPONSE.items()]
    said = figure(tmp_path / "1", bar_reading(SITES, RESPONSE), "Response by arm in the dry season.", rows)
    assert said.panels[0].recipe is not None
    assert said.panels[0].recipe.filters["Placebo dry"] == {"Arm": "Placebo", "Season": "dry"}
    unsaid = figure(tmp_path / "2", bar_reading(SITES, RESPONSE), "Response by arm.", rows)
    assert unsaid.panels[0].reason == AMBIGUOUS
    noisy: list[list[str | float]] = [["Site", "Arm", "Response"]]
    noisy += [[s, a, v[i] + d] for i, s in enumerate(SITES) for a, v in RESPONSE.items() for d in (-3.0, -1.0, 4.0)]
    mean = figure(tmp_path / "3", bar_reading(SITES, RESPONSE), "Mean response by arm.", noisy).panels[0]
    assert mean.recipe is not None
    assert mean.recipe.aggregation.startswith("mean of Response")


ONE = {"": [20.0, 35.0, 50.0, 64.0]}


def table(**columns: Sequence[float]) -> Rows:
    return [["Site", *columns], *([site, *(v[i] for v in columns.values())] for i, site in enumerate(SITES))]


def near(values: Sequence[float], factor: float) -> list[float]:
    return [v * factor for v in values]


REJECTED = [
    (AMBIGUOUS, ONE, "Response by site.", table(Response_raw=ONE[""], Response_adjusted=near(ONE[""], 1.4))),
    (UNSCALED, ONE, "Relative response (fold).", table(Response=near(ONE[""], 731.7)[::-1])),
    (DOMAIN, ONE, "EC50 from four-parameter fits.", table(Response=[9.0, 3.0, 80.0, 1.0])),
    (NOT_FOUND, ONE, "Response by site.", table(Response=[9.0, 3.0, 80.0, 1.0])),
    (UNLABELLED, RESPONSE, "Response.", table(A=RESPONSE["Placebo"], B=RESPONSE["Switch"])),
]


@pytest.mark.parametrize(("reason", "values", "caption", "rows"), REJECTED)
def test_rejected_with_a_reason(
    tmp_path: Path, reason: str, values: dict[str, list[float]], caption: str, rows: Rows
) -> None:
    reading = bar_reading(SITES, values)
    found = figure(tmp_path, reading, caption, rows)
    assert (found.panels[0].reason, found.questions) == (reason, ())
    assert found.panels[0].detail


def test_series_that_nothing_names(tmp_path: Path) -> None:
    reading = bar_reading(SITES, RESPONSE)
    panel = reading.panels[0]
    bare = replace(panel, series=tuple(replace(one, name="") for one in panel.series))
    found = figure(tmp_path, replace(reading, panels=(bare,)), "Response.", WIDE)
    assert found.panels[0].reason == UNLABELLED


def test_an_axis_that_says_which_column_settles_it(tmp_path: Path) -> None:
    rows = table(Response_raw=ONE[""], Response_adjusted=near(ONE[""], 1.4))
    found = figure(tmp_path, bar_reading(SITES, ONE, label="Response raw"), "By site.", rows)
    assert found.panels[0].recipe is not None
    assert found.panels[0].recipe.columns == ("Response_raw",)


def test_a_printed_value_beside_every_bar(tmp_path: Path) -> None:
    reading = bar_reading(SITES, ONE)
    marks = reading.panels[0].series[0].marks
    words = tuple(Word(f"{v:g}", Box(m.x - 8, m.y - 14, m.x + 8, m.y - 3)) for m, v in zip(marks, ONE[""], strict=True))
    found = figure(tmp_path, replace(reading, words=words), "Response by site.", table(Response=ONE[""]))
    assert found.panels[0].reason == PRINTED


def test_logs_and_percentages_are_recipes_where_words_speak_of_them(tmp_path: Path) -> None:
    p = [1e-2, 1e-3, 10**-4.5, 10**-6.4]
    logs = bar_reading(SITES, {"": [2.0, 3.0, 4.5, 6.4]}, top=8, label="-log10 p value")
    found = figure(
        tmp_path / "1", logs, "Negative log10 of the p value.", [["Term", "p value"], *zip(SITES, p, strict=True)]
    )
    assert found.panels[0].recipe is not None
    assert found.panels[0].recipe.log == "-log10"
    assert found.questions[0].answer == pytest.approx(6.4)
    base = [40.0, 50.0, 80.0, 100.0]
    raw = table(Control=base, Drug=[b * v / 100 for b, v in zip(base, ONE[""], strict=True)])
    found = figure(tmp_path / "2", bar_reading(SITES, {"Drug": ONE[""]}, label="Growth (% of Control)"),
                   "Growth in percent of Control.", raw)  # fmt: skip
    assert found.panels[0].recipe is not None
    assert found.panels[0].recipe.ratio == "percent of Control"


def test_two_questions_from_two_panels_at_most_and_none_that_the_text_answers(tmp_path: Path) -> None:
    stated = "The response was 64.0 for Placebo at Harbour."
    found = figure(tmp_path, bar_reading(SITES, RESPONSE), "Response by site.", WIDE, stated)
    assert [(q.series, q.at) for q in found.questions] == [("Placebo", "Grange")]
    (lost,) = found.discarded
    assert (lost.reason, lost.detail) == ("stated in the text", stated)


def test_a_cell_that_the_figure_shows_otherwise_is_told_and_not_asked(tmp_path: Path) -> None:
    x = [float(t) for t in range(8)]
    drawn = {"Placebo": [20.0, 25, 31, 38, 46, 55, 66, 80], "Switch": [10.0, 14, 18, 20, 25, 30, 36, 41]}
    rows = [["Time", *drawn], *([t, *(v[i] for v in drawn.values())] for i, t in enumerate(x))]
    rows[8][1] = 48.0
    reading = line_reading(x, drawn)
    key = reading.panels[0].panel.axes[0]
    anchors = tuple(Anchor(float(key.to_pixel(t)), t, f"{t:g}", "tick") for t in x)
    panel = replace(reading.panels[0].panel, axes=(replace(key, anchors=anchors), reading.panels[0].panel.axes[1]))
    reading = replace(reading, panels=(replace(reading.panels[0], panel=panel),))
    found = figure(tmp_path, reading, "Response over time.", rows)
    assert [(d.reason, d.series, d.at, d.table) for d in found.discarded] == [
        ("figure and table disagree", "Placebo", "7", 48.0)
    ]
    assert [(q.series, q.at) for q in found.questions] == [("Placebo", "6")]


def test_other_panels_than_the_caption_tells_apart(tmp_path: Path) -> None:
    found = figure(tmp_path, bar_reading(SITES, RESPONSE), "(a) Response. (b) More.", WIDE)
    assert [one.reason for one in found.panels] == [UNREAD, UNREAD]
    assert found.panels[0].binding is not None


def test_the_letter_over_a_panel_tells_it_where_another_was_not_found(tmp_path: Path) -> None:
    reading = replace(bar_reading(SITES, RESPONSE), words=(Word("(b)", Box(240, 5, 260, 15)),))
    found = figure(tmp_path, reading, "(a) More. (b) Response by site.", WIDE)
    assert [(one.letter, one.reason) for one in found.panels] == [("a", UNREAD), ("b", "")]
    asked = found.questions[0]
    assert asked.text.startswith("In panel b, what is the response")
    assert ask_reading(reading, asked.text).value == pytest.approx(asked.answer, abs=0.5)
