"""Draws the figures of this folder and writes their true tables beside them: `python tests/figures/draw.py`.

Everything is made up and seeded. The pictures are kept in the repository, so that tests do not depend on the version
of the plotting library; run this again only to change them.
"""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import matplotlib as mpl
import numpy as np

mpl.use("Agg")
import matplotlib.dates as mdates
import matplotlib.pyplot as plt

HERE = Path(__file__).parent


def write(name: str, header: list[str], rows: list[tuple[object, ...]]) -> None:
    lines = ["\t".join(header), *("\t".join(str(cell) for cell in row) for row in rows)]
    (HERE / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def outbreak() -> None:
    """Two panels as a paper prints them: weekly stacked bars on a date axis, and a dose response with error bars."""
    rng = np.random.default_rng(11)
    fig, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), dpi=110)
    weeks = [date(2023, 1, 2) + timedelta(weeks=k) for k in range(34)]
    shape = 60 * np.exp(-((np.arange(34) - 13) ** 2) / 40) + 22 * np.exp(-((np.arange(34) - 25) ** 2) / 14)
    regions = {name: rng.poisson(shape * share) for name, share in (("North", 0.5), ("Coast", 0.3), ("Islands", 0.2))}
    base = np.zeros(34)
    for (name, cases), colour in zip(regions.items(), ("#4c72b0", "#dd8452", "#55a868"), strict=True):
        left.bar(weeks, cases, width=6, bottom=base, color=colour, label=name)
        base += cases
    left.xaxis.set_major_locator(mdates.MonthLocator(interval=2))
    left.xaxis.set_major_formatter(mdates.DateFormatter("%b %Y"))
    left.set(xlabel="Week of onset", ylabel="Cases", title="Reported cases")
    left.legend(title="Region", frameon=False)
    left.spines[["top", "right"]].set_visible(False)
    write("outbreak_panel1.tsv", ["Week of onset", *regions], list(zip(weeks, *regions.values(), strict=True)))

    dose = np.array([0.01, 0.03, 0.1, 0.3, 1, 3, 10])
    columns: list[np.ndarray] = []
    header = ["Dose (µg/ml)"]
    for name, half, marker, colour in (("Wild type", 0.2, "o", "#222222"), ("K417N", 1.6, "s", "#c44e52")):
        mean = np.round(100 / (1 + dose / half) + rng.normal(0, 2, 7), 2)
        error = np.round(rng.uniform(2.5, 6, 7), 2)
        right.errorbar(dose, mean, error, marker=marker, color=colour, capsize=3, label=name, lw=1.4)
        columns += [mean, np.round(mean - error, 2), np.round(mean + error, 2)]
        header += [name, f"{name} low", f"{name} high"]
    right.set(xscale="log", xlabel=header[0], ylabel="Infectivity (%)", title="Neutralization")
    right.legend()
    write("outbreak_panel2.tsv", header, list(zip(dose, *columns, strict=True)))
    fig.tight_layout()
    fig.savefig(HERE / "outbreak.png")
    plt.close(fig)


def lines() -> None:
    """Three coloured lines that cross, with a grid, one of them below zero."""
    rng = np.random.default_rng(5)
    fig, axes = plt.subplots(figsize=(6.4, 4.2), dpi=100)
    years = np.arange(1981, 2021)
    columns = {}
    for name, start, colour in (("Arden", 12.0, "#1f77b4"), ("Belmont", 4.0, "#d62728"), ("Corvo", -3.0, "#2ca02c")):
        columns[name] = np.round(start + np.cumsum(rng.normal(0, 1.1, 40)), 2)
        axes.plot(years, columns[name], color=colour, label=name)
    axes.grid(color="#dddddd")
    axes.set(xlabel="Year", ylabel="Balance (Mt)")
    axes.legend()
    fig.tight_layout()
    fig.savefig(HERE / "lines.png")
    plt.close(fig)
    write("lines.tsv", ["Year", *columns], list(zip(years, *columns.values(), strict=True)))


def grouped() -> None:
    """Grouped bars on categories with white gaps and a grey background."""
    fig, axes = plt.subplots(figsize=(6.4, 4), dpi=100)
    clinics = ["Abbey", "Bridge", "Castle", "Dale", "Elm"]
    before, after = [34.5, 21.0, 48.2, 12.7, 30.1], [28.3, 25.6, 39.9, 9.4, 33.8]
    at = np.arange(5)
    axes.set_facecolor("#ebebeb")
    axes.grid(axis="y", color="white")
    axes.set_axisbelow(True)
    axes.bar(at - 0.2, before, 0.38, label="Before", color="#8da0cb")
    axes.bar(at + 0.2, after, 0.38, label="After", color="#fc8d62")
    axes.set_xticks(at, clinics)
    axes.set(xlabel="Clinic", ylabel="Waiting time (min)")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    fig.tight_layout()
    fig.savefig(HERE / "grouped.png")
    plt.close(fig)
    write("grouped.tsv", ["Clinic", "Before", "After"], list(zip(clinics, before, after, strict=True)))


def horizontal() -> None:
    """Horizontal bars with long names, rows from top to bottom."""
    fig, axes = plt.subplots(figsize=(6.6, 3.6), dpi=100)
    names = ["Ischaemic stroke", "Hip fracture", "Pneumonia", "Heart failure", "Sepsis", "Asthma"]
    stay = [11.2, 9.6, 7.4, 6.9, 5.3, 2.1]
    axes.barh(names[::-1], stay[::-1], color="#5b7f95")
    axes.set(xlabel="Length of stay (days)")
    fig.tight_layout()
    fig.savefig(HERE / "horizontal.png")
    plt.close(fig)
    write("horizontal.tsv", ["x", "Length of stay (days)"], list(zip(names, stay, strict=True)))


def grid() -> None:
    """Four panels with shared axes: the inner ones borrow their labels."""
    rng = np.random.default_rng(3)
    fig, axes = plt.subplots(2, 2, figsize=(7.6, 5.6), dpi=100, sharex=True, sharey=True)
    hours = np.arange(0, 25, 2)
    for number, (panel, name) in enumerate(zip(axes.flat, ("Plot A", "Plot B", "Plot C", "Plot D"), strict=True), 1):
        flux = np.round(6 + 4 * np.sin(hours / 24 * 2 * np.pi - number) + rng.normal(0, 0.5, 13), 2)
        panel.plot(hours, flux, marker="o", ms=4, color="#0b7a75")
        panel.set_title(name)
        write(f"grid_panel{number}.tsv", ["Hour", "Flux"], list(zip(hours, flux, strict=True)))
    for panel in axes[1]:
        panel.set_xlabel("Hour")
    for panel in axes[:, 0]:
        panel.set_ylabel("Flux")
    fig.tight_layout()
    fig.savefig(HERE / "grid.png")
    plt.close(fig)


def index() -> None:
    """The bench's list of these figures."""
    kinds = {"outbreak": "compound", "lines": "line", "grouped": "bar", "horizontal": "bar", "grid": "compound"}
    entries = []
    for name, kind in kinds.items():
        truth = sorted(path.name for path in HERE.glob(f"{name}*.tsv"))
        axes = {"x": "categorical" if kind == "bar" else "linear", "y": "linear"}
        entries.append(
            {
                "id": name,
                "image": f"{name}.png",
                "truth": truth,
                "kind": kind,
                "axis_kinds": axes,
                "n_panels": len(truth),
            }
        )
    (HERE / "index.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")


if __name__ == "__main__":
    for draw in (outbreak, lines, grouped, horizontal, grid):
        draw()
    index()
