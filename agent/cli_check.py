"""The command `plotcaliper check`: a figure against its data, or a folder of both. `cli` hangs it in.

Not handled here: checking (`checking`, `check_folder`) and how a check is shown (`check_report`).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from agent.checking import Verdict


def check(
    figure: Annotated[Path, typer.Argument(help="A picture, PDF page or SVG; or a folder of figures and data files.")],
    data: Annotated[Path | None, typer.Argument(help="The data that it is said to show: CSV, TSV or XLSX.")] = None,
    panel: Annotated[int | None, typer.Option(min=1, help="Only this panel of the figure.")] = None,
    sheet: Annotated[str | None, typer.Option(help="Only this sheet of a workbook, by name or number.")] = None,
    columns: Annotated[str | None, typer.Option(help="Only these columns (x among them), parted by commas.")] = None,
    tolerance: Annotated[float, typer.Option(help="The difference that counts, as a share of the axis range.")] = 0.05,
    as_json: Annotated[bool, typer.Option("--json", help="Print the verdict and all findings as JSON.")] = False,
    out: Annotated[Path | None, typer.Option(help="Write check.json, check.html and the overlay here.")] = None,
) -> None:
    """Does this figure show that table? Exit code 0: yes; 1: discrepancies, or not verifiable; 2: not comparable."""
    try:
        code = _run(figure, data, panel, sheet, columns, tolerance, as_json, out)
    except (OSError, ValueError) as error:  # UnreadableFile and UnreadableTable are ValueErrors
        print(f"plotcaliper: {error}", file=sys.stderr)
        raise typer.Exit(2) from None
    raise typer.Exit(code)


def _run(
    figure: Path, data: Path | None, panel: int | None, sheet: str | None, columns: str | None, tolerance: float,
    as_json: bool, out: Path | None,
) -> int:  # fmt: skip
    """Check, print, write, and return the exit code. Raises OSError or ValueError with a sentence for people."""
    if not 0 < tolerance < 1:
        raise ValueError(f"--tolerance is a share of the axis range between 0 and 1, not {tolerance:g}.")
    if figure.is_dir():
        if data is not None or panel is not None or sheet is not None or columns is not None:
            raise ValueError(f"{figure} is a folder; DATA, --panel, --sheet and --columns go with a single figure.")
        return _folder(figure, tolerance, as_json, out)
    if data is None:
        raise ValueError("name the data file after the figure, or give a folder that holds figures and tables.")
    return _single(figure, data, panel, sheet, columns, tolerance, as_json, out)


def _single(
    figure: Path, data: Path, panel: int | None, sheet: str | None, columns: str | None, tolerance: float,
    as_json: bool, out: Path | None,
) -> int:  # fmt: skip
    from agent.check_report import as_text, verdict_json
    from agent.checking import check
    from agent.source_tables import read_tables

    read_tables(data, sheet)  # a wrong table is told before the figure is read
    chosen = [name.strip() for name in columns.split(",") if name.strip()] if columns else None
    verdict = check(figure, data, panel=panel, sheet=sheet, columns=chosen, tolerance=tolerance)
    text = json.dumps(verdict_json(verdict), ensure_ascii=False, indent=1) if as_json else as_text(verdict).rstrip()
    print(text)
    if verdict.verdict == "not_comparable":
        print(f"plotcaliper: {figure.name} cannot be compared with {data.name}: {verdict.reason}.", file=sys.stderr)
    if out is not None:
        _write(out, [verdict], verdict_json(verdict))
    return verdict.exit_code


def _folder(folder: Path, tolerance: float, as_json: bool, out: Path | None) -> int:
    from agent.check_folder import check_folder
    from agent.check_report import WORDS, verdict_json

    watched = sys.stderr.isatty()
    found = check_folder(folder, tolerance, _tell if watched else None)
    whole = {
        "pairs": [verdict_json(verdict) for verdict in found.verdicts],
        "alone": [{"file": name, "reason": reason} for name, reason in found.alone],
    }
    if as_json:
        print(json.dumps(whole, ensure_ascii=False, indent=1))
    else:
        for verdict in found.verdicts:
            name = Path(verdict.figure.figure.source).name
            print(f"{name}  {verdict.data}  {WORDS[verdict.verdict]}: {verdict.reason}")
        for name, reason in found.alone:
            print(f"{name}  -  {reason}")
    if out is not None and found.verdicts:
        _write(out, list(found.verdicts), whole)
    if not found.verdicts:
        print(f"plotcaliper: no figure in {folder} could be held against a table of it.", file=sys.stderr)
    return found.exit_code


def _tell(name: str) -> None:
    print(f"reading {name}", file=sys.stderr)


def _write(out: Path, verdicts: list[Verdict], whole: dict[str, Any]) -> None:
    """`check.json`, `check.html` and an overlay per figure, each replaced whole."""
    from agent.check_report import overlay, page, png

    out.mkdir(parents=True, exist_ok=True)
    _replace(out / "check.json", (json.dumps(whole, ensure_ascii=False, indent=1) + "\n").encode("utf-8"))
    _replace(out / "check.html", page(verdicts).encode("utf-8"))
    for verdict in verdicts:
        stem = Path(verdict.figure.figure.source).stem or "figure"
        name = "overlay.png" if len(verdicts) == 1 else f"{stem}-overlay.png"
        _replace(out / name, png(overlay(verdict)))


def _replace(path: Path, content: bytes) -> None:
    fresh = path.with_name(f".{path.name}.new")
    fresh.write_bytes(content)
    fresh.replace(path)
