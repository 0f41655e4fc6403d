"""All producers of vector figures that this machine has, and files that other programs saved again.

Not handled here: what each draws (`vector_python`, `vector_r`, `vector_programs`, `vector_d3`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.tools import vector_d3, vector_programs, vector_python, vector_r
from tests.tools.vector_cases import Case
from tests.tools.vector_programs import run

PAPER = r"""\documentclass[twocolumn]{article}
\usepackage{graphicx}
\begin{document}
TEXT
\begin{figure}\centering\includegraphics[width=0.9\columnwidth]{FILE}
\caption{The measured values over time, as used in this paper.}\end{figure}
TEXT
\end{document}
"""
PROSE = " ".join(
    ["The measurements were repeated on every day of the week, and the mean of all values was taken."] * 14
)


def draw(folder: Path, chosen: Sequence[Case], producers: Sequence[str] = ()) -> list[Path]:
    """The files `<producer>-<case>.pdf` or `.svg` that were drawn into a folder."""
    makers = {
        "matplotlib": vector_python.matplotlib, "vega": vector_python.vega, "plotly": vector_python.plotly,
        "libreoffice": vector_python.libreoffice, "gnuplot": vector_programs.gnuplot, "octave": vector_programs.octave,
        "pgfplots": vector_programs.pgfplots, "d3": vector_d3.draw, "base": vector_r.draw, "ggplot2": vector_r.draw,
    }  # fmt: skip
    for make in dict.fromkeys(make for name, make in makers.items() if not producers or name in producers):
        make(folder, chosen)
    if not producers or set(producers) & {"inkscape", "ghostscript", "cairo", "latex", "scoured"}:
        save_again(folder, chosen)
    return sorted(path for path in folder.iterdir() if path.suffix in (".pdf", ".svg"))


def save_again(folder: Path, chosen: Sequence[Case]) -> None:
    """matplotlib's figures as Inkscape, Ghostscript and cairo save them, and as LaTeX sets them into a paper."""
    for case in chosen[::2]:
        svg, pdf = f"matplotlib-{case.name}.svg", f"matplotlib-{case.name}.pdf"
        if not (folder / svg).exists():
            vector_python.matplotlib(folder, [case])
        run(["inkscape", "--export-plain-svg", f"--export-filename=inkscape-{case.name}.svg", svg], folder)
        run(["inkscape", f"--export-filename=inkscape-{case.name}.pdf", svg], folder)
        out = f"-sOutputFile=ghostscript-{case.name}.pdf"
        run(["gs", "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=pdfwrite", "-dNoOutputFonts", out, pdf], folder)
        run(["pdftocairo", "-svg", pdf, f"cairo-{case.name}.svg"], folder)
        text = PAPER.replace("TEXT", PROSE).replace("FILE", pdf)
        (folder / f"latex-{case.name}.tex").write_text(text, encoding="utf-8")
        run(["pdflatex", "-interaction=batchmode", f"latex-{case.name}.tex"], folder)
