"""Public data sets, in the folders that their authors distribute, turned into sets of the bench.

Nothing is downloaded: where a folder is missing, the error says what it should hold and who publishes it. Not handled
here: pies and other charts without a table of x and y, ChartQA's questions, CHART-Info's tasks other than 6.
"""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaluation.truth import PICTURES, load_samples

Rows = list[list[str]]


@dataclass(frozen=True)
class Loaded:
    """One chart of a public set: its picture, its tables (rows of text, header first), and facts for the strata."""

    id: str
    image: Path
    tables: tuple[Rows, ...]
    kind: str = ""
    facts: dict[str, Any] = field(default_factory=dict)


LOADERS = {
    "epicurvebench": "EpiCurveBench: a folder of pictures and one CSV each (--images, --tables name the folders)",
    "wb-chartextract": "WB-ChartExtract: png/, tables/, metadata.json",
    "chartqa": "ChartQA: a split's png/ and tables/",
    "chartparse": "Unsiloed ChartParse-Bench: images/, truth/<ID>.truth.json, metadata.jsonl",
    "chart-info": "CHART-Info (ICPR): images/ and annotations_JSON/ by class, task 6",
    "chartx": "ChartX: a JSON list and its pictures",
    "plain": "any folder of pictures and tables of the same names",
}


def load_public(
    name: str, folder: Path, *, images: str = "", tables: str = "", limit: int | None = None
) -> list[Loaded]:
    """The charts of a public data set in its published layout.

    `images`, `tables`: sub-folders where the layout leaves them open. Raises ValueError for an unknown name, and with
    what is missing where the folder has another layout.
    """
    if name not in LOADERS:
        raise ValueError(f"there is no loader {name!r}; choose one of: {', '.join(LOADERS)}")
    if not folder.is_dir():
        raise ValueError(f"{folder} is no folder. {LOADERS[name]}. Get the data from its authors and name the folder.")
    readers: dict[str, Callable[[], Iterable[Loaded]]] = {
        "epicurvebench": lambda: _pictures_and_tables(folder, images, tables, "epicurve"),
        "wb-chartextract": lambda: _world_bank(folder),
        "chartqa": lambda: _pictures_and_tables(folder, images or "png", tables or "tables", ""),
        "chartparse": lambda: _chartparse(folder),
        "chart-info": lambda: _chart_info(folder),
        "chartx": lambda: _chartx(folder),
        "plain": lambda: _pictures_and_tables(folder, images, tables, ""),
    }
    found = []
    for one in readers[name]():
        found.append(one)
        if limit is not None and len(found) >= limit:
            break
    if not found:
        raise ValueError(f"{folder} holds no chart in the layout of {LOADERS[name]}")
    return found


def write_loaded(charts: Sequence[Loaded], out: Path, benchmark: str) -> int:
    """Write charts as a set (`images/`, `truth/`, `index.jsonl`, `set.json`), pictures under neutral names."""
    for name in ("images", "truth"):
        (out / name).mkdir(parents=True, exist_ok=True)
    entries = []
    for number, one in enumerate(charts):
        name = f"c{number:05d}"
        image = f"images/{name}{one.image.suffix.lower()}"
        shutil.copyfile(one.image, out / image)
        tables = [f"{name}.tsv"] if len(one.tables) == 1 else [
            f"{name}_panel{i}.tsv" for i in range(1, len(one.tables) + 1)
        ]  # fmt: skip
        for path, rows in zip(tables, one.tables, strict=True):
            (out / "truth" / path).write_text(_tsv(rows), encoding="utf-8")
        entries.append({**one.facts, "id": name, "image": image, "truth": [f"truth/{t}" for t in tables],
                        "kind": one.kind, "original": one.id})  # fmt: skip
    lines = "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)
    (out / "index.jsonl").write_text(lines, encoding="utf-8")
    about = {"benchmark": benchmark, "figures": len(entries)}
    (out / "set.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    return len(entries)


def _tsv(rows: Rows) -> str:
    return "".join("\t".join(" ".join(cell.split()) for cell in row) + "\n" for row in rows)


def _csv(path: Path) -> Rows:
    text = path.read_bytes().decode("utf-8-sig", errors="replace")
    return [row for row in csv.reader(io.StringIO(text), delimiter="\t" if path.suffix == ".tsv" else ",") if row]


def _pictures_and_tables(folder: Path, images: str, tables: str, kind: str) -> Iterator[Loaded]:
    """Pictures and tables of the same names, in two folders or in one."""
    pictures, truth = folder / images, folder / tables
    for place in (pictures, truth):
        if not place.is_dir():
            raise ValueError(f"{place} is no folder; name the sub-folders of {folder} with --images and --tables")
    try:
        samples = load_samples(pictures, truth)
    except ValueError as error:
        raise ValueError(f"{error}; name the sub-folders of {folder} with --images and --tables") from None
    for one in samples:
        rows = tuple(_csv(path) for path in one.tables)
        points = max((len(table) - 1 for table in rows), default=0)
        series = max((len(table[0]) - 1 for table in rows if table), default=0)
        yield Loaded(one.id, one.image, rows, one.kind or kind, {"points": points, "series": series})


def _world_bank(folder: Path) -> Iterator[Loaded]:
    """`metadata.json` is a list of records or a mapping from the picture's number to its record."""
    about = _metadata(folder)
    for one in _pictures_and_tables(folder, "png", "tables", ""):
        facts = about.get(one.id, {})
        yield Loaded(one.id, one.image, one.tables, _kind(str(facts.get("chart_type", ""))), {**one.facts, **facts})


def _metadata(folder: Path) -> dict[str, dict[str, Any]]:
    path = folder / "metadata.json"
    if not path.is_file():
        return {}
    found = json.loads(path.read_text(encoding="utf-8"))
    if isinstance(found, dict):
        return {Path(str(name)).stem: one for name, one in found.items() if isinstance(one, dict)}
    return {Path(str(one.get("id", one.get("image", i)))).stem: one for i, one in enumerate(found, 1)}


def _kind(words: str) -> str:
    """The bench's word for a chart type."""
    plain = words.lower().replace("_", " ")
    for kind, signs in {"bar": ("bar", "column"), "line": ("line",), "area": ("area",), "scatter": ("scatter", "dot"),
                        "box": ("box",), "histogram": ("hist",)}.items():  # fmt: skip
        if any(sign in plain for sign in signs):
            return kind
    return ""


def _chartparse(folder: Path) -> Iterator[Loaded]:
    """Truth as `{series: [{name, x, y}, ...]}` or panels of it; `metadata.jsonl` gives level and family."""
    if not (folder / "truth").is_dir():
        raise ValueError(f"{folder} has no truth/ with <ID>.truth.json files")
    about = {}
    if (folder / "metadata.jsonl").is_file():
        lines = (folder / "metadata.jsonl").read_text(encoding="utf-8").splitlines()
        about = {str(row.get("id", "")): row for row in map(json.loads, filter(str.strip, lines))}
    for path in sorted((folder / "truth").glob("*.truth.json")):
        name = path.name.removesuffix(".truth.json")
        image = next((p for p in sorted((folder / "images").glob(f"{name}.*")) if p.suffix.lower() in PICTURES), None)
        if image is None:
            continue
        truth = json.loads(path.read_text(encoding="utf-8"))
        tables = tuple(series_table(panel.get("series", [])) for panel in truth.get("panels") or [truth])
        facts = {"family": name[:1], "level": about.get(name, {}).get("level"), "axis_kinds": _scales(truth)}
        yield Loaded(name, image, tables, {"A": "line", "B": "scatter", "C": "area"}.get(name[:1], "compound"), facts)


def _scales(truth: dict[str, Any]) -> dict[str, str]:
    scales = truth.get("axis_scales")
    return {side: str(scales.get(side, "linear")) for side in ("x", "y")} if isinstance(scales, dict) else {}


def series_table(series: Sequence[dict[str, Any]]) -> Rows:
    """Rows of a wide table from series with x and y lists; a declared gap (null or nan) is an empty cell.

    >>> series_table([{"name": "a", "x": [1, 2], "y": [3, None]}])
    [['x', 'a'], ['1', '3'], ['2', '']]
    """
    names = [str(one.get("name", f"series {i}")) for i, one in enumerate(series, 1)]
    rows: dict[str, list[str]] = {}
    for column, one in enumerate(series):
        for x, y in zip(one.get("x", []), one.get("y", []), strict=False):
            cells = rows.setdefault(str(x), [""] * len(series))
            cells[column] = "" if y is None or y != y else str(y)
    return [["x", *names], *([x, *cells] for x, cells in rows.items())]


def _chart_info(folder: Path) -> Iterator[Loaded]:
    """Pictures and JSON under the same class folders; task 6's series, or task 6a's."""
    annotations = folder / "annotations_JSON"
    if not annotations.is_dir():
        raise ValueError(f"{folder} has no annotations_JSON/ folder beside images/")
    for path in sorted(annotations.rglob("*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        task = (truth.get("task6") or {}).get("output") or {}
        series = task.get("data series") or []
        stem = folder / "images" / path.relative_to(annotations).with_suffix("")
        image = next((p for p in (stem.with_suffix(s) for s in PICTURES) if p.is_file()), None)
        if image is not None and series:
            kind = ((truth.get("task1") or {}).get("output") or {}).get("chart_type", path.parent.name)
            yield Loaded(path.stem, image, (_info_table(series),), _kind(str(kind)), {"chart_type": str(kind)})


def _info_table(series: Sequence[dict[str, Any]]) -> Rows:
    points = [point for one in series for point in one.get("data", ())]
    if points and "median" in points[0]:
        header = ["category", "whisker_low", "q1", "median", "q3", "whisker_high"]
        fields = ("x", "min", "first_quartile", "median", "third_quartile", "max")
        return [header, *([str(point.get(name, "")) for name in fields] for point in points)]
    plain = [{"name": one.get("name", ""), "x": [p.get("x") for p in one.get("data", ())],
              "y": [p.get("y", p.get("y2")) for p in one.get("data", ())]} for one in series]  # fmt: skip
    return series_table(plain)


def _chartx(folder: Path) -> Iterator[Loaded]:
    """Every JSON list in the folder; `csv` holds backslash-t and backslash-n between cells and rows."""
    for path in sorted(folder.glob("*.json")):
        found = json.loads(path.read_text(encoding="utf-8"))
        for item in found if isinstance(found, list) else ():
            image = folder / str(item.get("img", "")).removeprefix("./")
            text = str(item.get("csv", "")).replace("\\t", "\t").replace("\\n", "\n")
            rows = [[cell.strip() for cell in line.split("\t")] for line in text.splitlines() if line.strip()]
            if image.is_file() and len(rows) > 1:
                kind = _kind(str(item.get("chart_type", "")))
                yield Loaded(str(item.get("imgname", image.stem)), image, (rows,), kind, {"topic": item.get("topic")})
