"""The command line as people meet it: exit codes, one sentence for wrong input, whole folders or none."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import time
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from agent.cli import app

FIGURES = Path(__file__).parent.parent / "figures"
LINES = FIGURES / "lines.png"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def console(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
    """The console script itself, in a process of its own."""
    script = Path(sys.executable).parent / "plotcaliper"
    if not script.exists():
        pytest.skip("the console script is not installed in this environment")
    return subprocess.run([script, *map(str, arguments)], capture_output=True, text=True, timeout=240, **options)  # type: ignore[call-overload,no-any-return]


def bomb(path: Path, side: int = 30000) -> Path:
    """A PNG of a few hundred bytes that claims `side` x `side` pixels."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")
    )
    return path


def wrong_inputs(folder: Path) -> dict[str, Path]:
    """Files that are no readable picture, by what is wrong with them."""
    files = {name: folder / f"{name}.png" for name in ("empty", "text", "truncated", "tiny", "missing")}
    files["empty"].write_bytes(b"")
    files["text"].write_text("This is not a picture.\n" * 40)
    files["truncated"].write_bytes(LINES.read_bytes()[:2000])
    Image.new("RGB", (1, 1)).save(files["tiny"])
    files["folder"] = folder / "folder.png"
    files["folder"].mkdir()
    files["bomb"] = bomb(folder / "bomb.png")
    return files


@pytest.mark.parametrize("what", ["empty", "text", "truncated", "tiny", "missing", "folder", "bomb"])
def test_unreadable_input_is_one_sentence_and_exit_code_two(tmp_path: Path, what: str) -> None:
    path = wrong_inputs(tmp_path)[what]
    started = time.monotonic()
    result = run("digitize", path, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.strip().splitlines()) == 1
    assert path.name in result.stderr
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "out").exists()
    assert time.monotonic() - started < 20


def test_a_blank_page_and_a_photo_are_refused_with_exit_code_one(tmp_path: Path) -> None:
    blank = tmp_path / "blank.png"
    Image.new("RGB", (600, 400), "white").save(blank)
    photo = tmp_path / "photo.png"
    rng = np.random.default_rng(0)
    coarse = Image.fromarray(rng.integers(0, 255, (9, 12, 3), dtype=np.uint8))
    coarse.resize((600, 450), Image.Resampling.BICUBIC).save(photo)
    for path in (blank, photo):
        result = run("digitize", path, "--out", tmp_path / "out")
        assert result.exit_code == 1
        assert path.name in result.stderr
        folder = tmp_path / "out" / path.stem
        assert json.loads((folder / "reading.json").read_text())["refusals"]
        assert not list(folder.glob("panel_*"))


def test_one_bad_file_does_not_spoil_the_others(tmp_path: Path) -> None:
    bad = tmp_path / "bad.png"
    bad.write_text("no")
    result = run("digitize", bad, FIGURES / "horizontal.png", "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert (tmp_path / "out" / "horizontal" / "panel_1.tsv").is_file()
    assert not (tmp_path / "out" / "bad").exists()


def test_a_new_run_replaces_the_folder_as_a_whole_and_spares_foreign_ones(tmp_path: Path) -> None:
    folder = tmp_path / "horizontal"
    assert run("digitize", FIGURES / "horizontal.png", "--out", tmp_path).exit_code == 0
    (folder / "panel_9.tsv").write_text("left over")
    assert run("digitize", FIGURES / "horizontal.png", "--out", tmp_path, "--format", "csv").exit_code == 0
    assert sorted(path.name for path in folder.iterdir()) == ["overlay.png", "panel_1.csv", "reading.json"]
    (folder / "reading.json").unlink()
    refused = run("digitize", FIGURES / "horizontal.png", "--out", tmp_path)
    assert refused.exit_code == 2
    assert (folder / "panel_1.csv").is_file()


def test_without_out_tables_are_printed_panel_by_panel() -> None:
    result = run("digitize", FIGURES / "grid.png")
    assert result.exit_code == 0
    heads = [line for line in result.stdout.splitlines() if line.startswith("#")]
    assert [head.split(":")[0] for head in heads] == [f"# panel {n}" for n in (1, 2, 3, 4)]
    assert "Plot A" in heads[0]


def test_every_value_of_reading_json_has_its_pixels_or_a_reason(tmp_path: Path) -> None:
    assert run("digitize", LINES, "--out", tmp_path).exit_code == 0
    reading = json.loads((tmp_path / "lines" / "reading.json").read_text())
    panel = reading["panels"][0]
    assert {axis["side"] for axis in panel["axes"]} >= {"left", "bottom"}
    assert all(axis["residual_px"] < 1 and axis["anchors"] for axis in panel["axes"])
    cells = [cell for row in panel["table"]["rows"] for cell in row[1:]]
    assert cells
    assert all("pixel" in cell if cell["value"] is not None else cell["reason"] for cell in cells)
    assert all(cell["low"] <= cell["value"] <= cell["high"] for cell in cells if cell["value"] is not None)


def test_an_unknown_method_and_no_arguments_are_wrong_use() -> None:
    assert run("digitize", LINES, "--method", "psychic").exit_code == 2
    assert run("digitize").exit_code == 2


def test_help_answers_at_once() -> None:
    started = time.monotonic()
    assert "digitize" in console("--help").stdout
    assert time.monotonic() - started < 0.7


def test_works_without_a_network_and_beside_folders_of_the_same_names(tmp_path: Path) -> None:
    for name in ("tools", "agent", "evaluation", "prompts"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise RuntimeError('the wrong package was imported')\n")
    block = tmp_path / "block"
    block.mkdir()
    (block / "sitecustomize.py").write_text(
        "import socket\n"
        "def refuse(*a, **k):\n    raise OSError('the network is cut off')\n"
        "socket.socket.connect = refuse\nsocket.create_connection = refuse\nsocket.getaddrinfo = refuse\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(block)}
    done = console(
        "digitize", FIGURES / "horizontal.png", FIGURES / "lines.png", "--workers", "2", cwd=tmp_path, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert "Sepsis" in done.stdout
