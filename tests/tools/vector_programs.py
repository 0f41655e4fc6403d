"""The cases drawn by gnuplot, Octave (as MATLAB draws) and LaTeX's pgfplots, as PDF and SVG, where these are installed.

Not handled here: R (`vector_r`), producers in Python and in browsers (`vector_python`).
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tests.tools.vector_cases import Case, write_data

COLOURS = ("#D55E00", "#0072B2", "#009E73")


def run(command: Sequence[str], folder: Path, seconds: int = 120) -> bool:
    """Whether a program is installed and did its work."""
    if shutil.which(command[0]) is None:
        return False
    try:
        done = subprocess.run(command, cwd=folder, check=False, capture_output=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def gnuplot(folder: Path, chosen: Sequence[Case]) -> None:
    """`gnuplot-<case>.pdf` and `.svg`."""
    for case in chosen:
        write_data(case, folder / f"{case.name}.csv")
        for form in ("pdf", "svg"):
            script = folder / "one.gp"
            body = _gnuplot_body(case)
            if not body:
                continue
            size = "5in,3.5in" if form == "pdf" else "640,440"
            terminal = f"set terminal {'pdfcairo' if form == 'pdf' else 'svg'} size {size}"
            head = [terminal, f"set output 'gnuplot-{case.name}.{form}'", "set datafile separator ','"]
            script.write_text("\n".join([*head, *body]) + "\n", encoding="utf-8")
            run(["gnuplot", "one.gp"], folder)


def _gnuplot_body(case: Case) -> list[str]:
    lines = ["set key autotitle columnhead", "set key top right", "set xlabel 'time'", "set ylabel 'value'"]
    data, names = f"'{case.name}.csv'", list(case.series)
    if case.dated:
        lines += ["set xdata time", "set timefmt '%Y-%m-%d'", "set format x '%Y-%m-%d'", "set xtics rotate by -30"]
    if case.log:
        lines += ["set logscale y", "set format y '10^{%L}'"]
    columns = range(2, 2 + len(names))
    plots = {
        "lines": [f"{data} using 1:{k} with lines lw 2" for k in columns],
        "markers": [f"{data} using 1:{k} with linespoints" for k in columns],
        "dashes": [f"{data} using 1:{k} with lines dt {k - 1} lc 'black'" for k in columns],
        "step": [f"{data} using 1:{k} with steps" for k in columns],
        "points": [f"{data} using 1:{k} with points pt {k + 3}" for k in columns],
        "errors": [part for k in columns for part in (
            f"{data} using 1:{k}:{k + len(names)} with yerrorbars lc {k} pt 7 title '{names[k - 2]}'",
            f"{data} using 1:{k} with lines lc {k} notitle")],
        "bins": [f"{data} using 1:2 with boxes"],
    }  # fmt: skip
    if case.style in ("bars", "stack", "sideways"):
        lines += ["set style fill solid 0.8 border -1", "set yrange [0:*]" if case.name != "signs" else ""]
        if case.dated and case.style == "bars":
            lines.append("set boxwidth 0.8*86400")
            plots["bars"] = [f"{data} using 1:2 with boxes"]
        elif case.dated:
            return []
        elif case.style == "bars":
            lines += ["set style data histograms", "set style histogram clustered gap 1"]
            plots["bars"] = [f"{data} using {k}:xtic(1)" for k in columns]
    if case.style == "twin":
        lines += ["set ytics nomirror", "set y2tics", f"set ylabel '{names[0]}'", f"set y2label '{names[1]}'"]
        plots["twin"] = [f"{data} using 1:2 with lines axes x1y1", f"{data} using 1:3 with linespoints axes x1y2"]
    if case.style in ("lines", "dashes", "points"):
        lines += ["set offsets 0, 0, graph 0.35, 0"]
    found = plots.get(case.style)
    return [*lines, "plot " + ", ".join(found)] if found else []


def octave(folder: Path, chosen: Sequence[Case]) -> None:
    """`octave-<case>.pdf` and `.svg`; dates and names as numbers are left to others."""
    for case in chosen:
        if case.dated or case.style in ("stack", "band"):
            continue
        columns = [list(np.arange(1.0, len(case.x) + 1)) if case.named else list(case.x),
                   *(list(v) for v in case.series.values()), *(list(v) for v in case.spread.values())]  # fmt: skip
        rows = ";".join(",".join(f"{v:.10g}" for v in row) for row in zip(*columns, strict=True))
        body = ["f = figure('visible', 'off');", f"d = [{rows}];", *_octave_body(case)]
        prints = [f"print(f, 'octave-{case.name}.{form}', '-d{form}{'write' if form == 'pdf' else ''}');" for form in
                  ("pdf", "svg")]  # fmt: skip
        prints[0] = f"set(f, 'paperposition', [1 1 6 4.5]); print(f, 'octave-{case.name}.pdf', '-dpdf');"
        (folder / "one.m").write_text("\n".join([*body, *prints]) + "\n", encoding="utf-8")
        run(
            ["xvfb-run", "-a", "octave", "--no-gui", "one.m"], folder
        )  # its own drawing needs a screen, if none is seen


def _octave_body(case: Case) -> list[str]:
    names = "{" + ", ".join(f"'{name}'" for name in case.series) + "}"
    n = len(case.series)
    own = "d(:, 2:" + str(n + 1) + ")"
    ticks = "{" + ", ".join(f"'{name}'" for name in case.x) + "}" if case.named else ""
    draw = {
        "lines": f"plot(d(:,1), {own}, 'linewidth', 1.5);",
        "markers": f"semilogy(d(:,1), {own}, '-o');",
        "dashes": "plot(d(:,1), d(:,2), 'k-', d(:,1), d(:,3), 'k--', d(:,1), d(:,4), 'k:');",
        "step": "hold on; stairs(d(:,1), d(:,2)); stairs(d(:,1), d(:,3)); hold off;",
        "bars": f"bar({own}); set(gca, 'xticklabel', {ticks});",
        "sideways": f"barh({own}); set(gca, 'yticklabel', {ticks}, 'ydir', 'reverse');",
        "points": "plot(d(:,1), d(:,2), 'o', d(:,1), d(:,3), 's');",
        "area": f"area(d(:,1), {own});",
        "errors": "hold on; errorbar(d(:,1), d(:,2), d(:,4), '-o'); errorbar(d(:,1), d(:,3), d(:,5), '-s'); hold off;",
        "twin": "ax = plotyy(d(:,1), d(:,2), d(:,1), d(:,3)); ylabel(ax(1), 'rainfall'); ylabel(ax(2), 'yield');",
        "bins": "bar(d(:,1), d(:,2), 1);",
    }[case.style]
    labels = ["xlabel('time');", "ylabel('value');"] if case.style != "twin" else ["xlabel('time');"]
    legend = [f"legend({names}, 'location', 'northeastoutside');"] if n > 1 and case.style != "twin" else []
    return [draw, *labels, *legend]


def pgfplots(folder: Path, chosen: Sequence[Case]) -> None:
    """`pgfplots-<case>.pdf`, as figures are drawn inside LaTeX papers."""
    for case in chosen:
        body = _pgfplots_body(case)
        if not body:
            continue
        name = f"pgfplots-{case.name}"
        head = [r"\documentclass{article}", r"\usepackage{pgfplots}", r"\pagestyle{empty}",
                r"\pgfplotsset{compat=1.16}",
                r"\usepgfplotslibrary{dateplot}", r"\begin{document}", r"\begin{tikzpicture}"]  # fmt: skip
        text = "\n".join([*head, *body, r"\end{tikzpicture}", r"\end{document}"])
        (folder / f"{name}.tex").write_text(text, encoding="utf-8")
        run(["pdflatex", "-interaction=batchmode", f"{name}.tex"], folder)


def _pgfplots_body(case: Case) -> list[str]:
    options = ["width=11cm", "height=7.5cm", "xlabel=time", "ylabel=value", "legend pos=outer north east"]
    each = {"lines": "no markers, thick", "markers": "", "step": "const plot, no markers", "points": "only marks",
            "dashes": "black, no markers", "bars": "", "sideways": "", "area": "fill, draw=none",
            "errors": "error bars/.cd, y dir=both, y explicit"}  # fmt: skip
    if case.style not in each or case.dated:
        return []
    if case.style in ("bars", "sideways"):
        names = ",".join(map(str, case.x))
        way = "x" if case.style == "bars" else "y"
        options += [f"symbolic {way} coords={{{names}}}", f"{way}tick=data", "ybar" if way == "x" else "xbar"]
        if way == "y":
            options += ["y dir=reverse", "ylabel={}"]
    if case.style == "area":
        options += [
            "stack plots=y",
            "area style",
            "enlarge x limits=false",
            "x tick label style={/pgf/number format/1000 sep=}",
        ]
    if case.log:
        options.append("ymode=log")
    lines = [rf"\begin{{axis}}[{', '.join(options)}]"]
    for k, (name, values) in enumerate(case.series.items()):
        style = each[case.style] + (("", ", dashed", ", dotted")[k] if case.style == "dashes" else "")
        points = zip(case.x, values, case.spread.get(name, np.zeros(len(values))), strict=True)
        if case.style == "sideways":
            pairs = "".join(f"({y:.10g},{x})" for x, y, _ in points)
        else:
            pairs = "".join(f"({x if isinstance(x, str) else format(x, '.10g')},{y:.10g})"
                            + (f" +- (0,{s:.10g})" if case.spread else "") for x, y, s in points)  # fmt: skip
        end = r" \closedcycle" if case.style == "area" else ""
        lines.append(rf"\addplot+[{style}] coordinates {{{pairs}}}{end};")
        if len(case.series) > 1:
            lines.append(rf"\addlegendentry{{{name}}}")
    return [*lines, r"\end{axis}"]


def draw(folder: Path, chosen: Sequence[Case]) -> list[Path]:
    """All files that gnuplot, Octave and LaTeX draw here."""
    for producer in (gnuplot, octave, pgfplots):
        producer(folder, chosen)
    return sorted(path for path in folder.iterdir() if path.suffix in (".pdf", ".svg")
                  and path.name.startswith(("gnuplot", "octave", "pgfplots")))  # fmt: skip
