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


def save(fig: plt.Figure, name: str) -> None:
    fig.tight_layout()
    fig.savefig(HERE / f"{name}.png")
    plt.close(fig)


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
    save(fig, "outbreak")


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
    save(fig, "lines")
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
    save(fig, "grouped")
    write("grouped.tsv", ["Clinic", "Before", "After"], list(zip(clinics, before, after, strict=True)))


def horizontal() -> None:
    """Horizontal bars with long names, rows from top to bottom."""
    fig, axes = plt.subplots(figsize=(6.6, 3.6), dpi=100)
    names = ["Ischaemic stroke", "Hip fracture", "Pneumonia", "Heart failure", "Sepsis", "Asthma"]
    stay = [11.2, 9.6, 7.4, 6.9, 5.3, 2.1]
    axes.barh(names[::-1], stay[::-1], color="#5b7f95")
    axes.set(xlabel="Length of stay (days)")
    save(fig, "horizontal")
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
    save(fig, "grid")


def daily() -> None:
    """A year of daily bars under a seven-day mean, on a date axis."""
    rng = np.random.default_rng(21)
    days = [date(2022, 3, 1) + timedelta(days=k) for k in range(300)]
    wave = 900 * np.exp(-((np.arange(300) - 90) ** 2) / 900) + 600 * np.exp(-((np.arange(300) - 220) ** 2) / 700)
    cases = rng.poisson(wave + 15)
    mean = np.round(np.convolve(np.pad(cases, 3, mode="edge"), np.ones(7) / 7, "valid"), 1)
    fig, axes = plt.subplots(figsize=(9, 4), dpi=110)
    axes.bar(days, cases, width=1.0, color="#b9cfe4", label="Daily cases")
    axes.plot(days, mean, color="#b2182b", lw=1.6, label="7-day mean")
    axes.xaxis.set_major_formatter(mdates.DateFormatter("%b %Y"))
    axes.set(xlabel="Date of report", ylabel="Cases")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.legend(loc="upper right")
    save(fig, "daily")
    write("daily.tsv", ["Date of report", "Daily cases", "7-day mean"], list(zip(days, cases, mean, strict=True)))


def histogram() -> None:
    """Touching bars with black edges."""
    values = np.random.default_rng(8).gamma(5, 3, 400)
    fig, axes = plt.subplots(figsize=(5.6, 4), dpi=100)
    counts, edges, _ = axes.hist(values, bins=np.arange(0, 41, 2.5), color="#9ecae1", edgecolor="black")
    axes.set(xlabel="Delay (days)", ylabel="Patients")
    save(fig, "histogram")
    keep = np.flatnonzero(counts)
    rows = [(edges[k], edges[k + 1], int(counts[k])) for k in range(keep[0], keep[-1] + 1)]
    write("histogram.tsv", ["bin low", "bin high", "Patients"], rows)


def areas() -> None:
    """Stacked areas by year, in percent."""
    years = np.arange(2000, 2021)
    coal = np.round(52 - 1.4 * (years - 2000) + 3 * np.sin(years), 1)
    gas = np.round(30 + 0.3 * (years - 2000) - 2 * np.sin(years), 1)
    wind = np.round(100 - coal - gas, 1)
    fig, axes = plt.subplots(figsize=(6, 4), dpi=100)
    axes.stackplot(years, coal, gas, wind, labels=["Coal", "Gas", "Wind"], colors=["#4d4d4d", "#e0a030", "#5ab4ac"])
    axes.set(xlim=(2000, 2020), ylim=(0, 110), xlabel="Year", ylabel="Share of supply")
    axes.set_xticks([2000, 2005, 2010, 2015, 2020])
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0f}%")
    axes.legend(loc="upper left", bbox_to_anchor=(1.1, 1))
    save(fig, "areas")
    write("areas.tsv", ["Year", "Coal", "Gas", "Wind"], list(zip(years, coal, gas, wind, strict=True)))


def scatter() -> None:
    """Two groups of points, told apart by colour and shape."""
    rng = np.random.default_rng(2)
    fig, axes = plt.subplots(figsize=(5.4, 4.4), dpi=100)
    rows: list[tuple[object, ...]] = []
    for name, centre, marker, colour in (("Female", 21.0, "o", "#1b9e77"), ("Male", 26.0, "^", "#d95f02")):
        x = np.round(rng.normal(centre, 2.4, 28), 2)
        y = np.round(2.1 * x + rng.normal(0, 4, 28), 2)
        axes.scatter(x, y, s=26, marker=marker, color=colour, label=name)
        rows += [(one, other, name) for one, other in zip(x, y, strict=True)]
    axes.set(xlabel="Length (cm)", ylabel="Mass (g)")
    axes.legend()
    save(fig, "scatter")
    write("scatter.tsv", ["Length (cm)", "Mass (g)", "series"], rows)


def survival() -> None:
    """Two survival curves drawn as steps."""
    rng = np.random.default_rng(4)
    fig, axes = plt.subplots(figsize=(6, 4.2), dpi=100)
    columns = {}
    for name, scale, colour in (("Treated", 40, "#0072b5"), ("Control", 22, "#bc3c29")):
        at = np.unique(np.round(np.sort(rng.exponential(scale, 45)), 1))
        at = np.concatenate([[0], at[at < 58]])
        alive = np.round(1 - np.arange(len(at)) / 46, 4)
        axes.step(at, alive, where="post", color=colour, label=name)
        columns[name] = dict(zip(at.tolist(), alive.tolist(), strict=True))
    axes.set(xlabel="Months", ylabel="Survival", ylim=(0, 1.03), xlim=(0, 60))
    axes.legend()
    save(fig, "survival")
    times = sorted({time for column in columns.values() for time in column})
    write("survival.tsv", ["Months", *columns], [(t, *(c.get(t, "") for c in columns.values())) for t in times])


def boxes() -> None:
    """Box plots with outliers."""
    rng = np.random.default_rng(6)
    names = ["North", "East", "South", "West"]
    samples = [rng.normal(10 + 3 * k, 2 + k / 2, 60) for k in range(4)]
    fig, axes = plt.subplots(figsize=(5.6, 4), dpi=100)
    drawn = axes.boxplot(samples, tick_labels=names, widths=0.5)
    axes.set(ylabel="Yield (t/ha)")
    save(fig, "boxes")
    rows = []
    for k, name in enumerate(names):
        low, high = (drawn["whiskers"][2 * k + end].get_ydata()[1] for end in (0, 1))
        q1, median, q3 = np.percentile(samples[k], [25, 50, 75])
        outliers = ";".join(f"{v:.4f}" for v in sorted(drawn["fliers"][k].get_ydata()))
        rows.append((name, *(f"{v:.4f}" for v in (low, q1, median, q3, high)), outliers))
    write("boxes.tsv", ["x", "whisker_low", "q1", "median", "q3", "whisker_high", "outliers"], rows)


def profile() -> None:
    """Logarithmic values against a reversed axis, one of the curves dashed."""
    depth = np.arange(0, 105, 5)
    fig, axes = plt.subplots(figsize=(6, 4.2), dpi=100)
    columns = {
        "Light": np.round(2e6 * np.exp(-depth / 24), 0),
        "Cells": np.round(4e5 * np.exp(-(((depth - 45) / 26) ** 2)) + 9e3, 0),
    }
    axes.plot(depth, columns["Light"], color="#d95f02", label="Light")
    axes.plot(depth, columns["Cells"], color="#1b5e20", ls="--", label="Cells")
    axes.set(yscale="log", xlabel="Depth (m)", ylabel="Signal", xlim=(105, -5))
    axes.legend()
    save(fig, "profile")
    write("profile.tsv", ["Depth (m)", *columns], list(zip(depth, *columns.values(), strict=True)))


def index() -> None:
    """The bench's list of these figures."""
    kinds = {
        "outbreak": "compound", "lines": "line", "grouped": "bar", "horizontal": "bar", "grid": "compound",
        "daily": "epicurve", "histogram": "histogram", "areas": "area", "scatter": "scatter", "survival": "survival",
        "boxes": "box", "profile": "line",
    }  # fmt: skip
    entries = []
    for name, kind in kinds.items():
        truth = sorted(path.name for path in HERE.glob(f"{name}*.tsv"))
        x = "categorical" if kind in ("bar", "box") else "date" if kind == "epicurve" else "linear"
        axes = {"x": x, "y": "log" if name == "profile" else "linear"}
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
    for draw in (
        outbreak,
        lines,
        grouped,
        horizontal,
        grid,
        daily,
        histogram,
        areas,
        scatter,
        survival,
        boxes,
        profile,
    ):
        draw()
    index()
