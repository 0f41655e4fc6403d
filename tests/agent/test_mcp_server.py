"""The MCP server, driven over stdio by the official client, as a host of agents drives it."""

from __future__ import annotations

import base64
import json
import os
import shutil
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from agent.mcp_tools import BENCH, OWN, Desk
from tools.schema import ToolError

anyio = pytest.importorskip("anyio")
mcp = pytest.importorskip("mcp")
FIGURES = Path(__file__).resolve().parent.parent / "figures"
START = """
import sys
from agent.cli import app
app(["mcp", sys.argv[1]])
"""
NOISY = """
import agent.mcp_tools
def shout(self):
    "Shouts."
    print("stray", flush=True)
    return ["x"]
agent.mcp_tools.Desk.list_figures = shout
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one figure, a figure outside it, and a link that leads there."""
    inside = tmp_path / "figures"
    inside.mkdir()
    shutil.copy(FIGURES / "lines.png", inside / "lines.png")
    shutil.copy(FIGURES / "lines.png", tmp_path / "outside.png")
    (inside / "link.png").symlink_to(tmp_path / "outside.png")
    return inside


def drive(folder: Path, work: Callable[[Any], Awaitable[None]], code: str) -> str:
    """Start the server as a process of its own, let `work` use a client on it; returns what came to stderr."""
    errors = folder.parent / "stderr.txt"
    environment = {name: os.environ[name] for name in ("PYTHONPATH", "NUMBA_CACHE_DIR") if name in os.environ}
    server = mcp.StdioServerParameters(command=sys.executable, args=["-c", code, str(folder)], env=environment)

    async def run() -> None:
        with errors.open("w") as log:
            async with mcp.Client(mcp.stdio_client(server, errlog=log)) as client:
                await work(client)

    anyio.run(run)
    return errors.read_text()


def words(result: Any) -> str:
    return "\n".join(part.text for part in result.content if part.type == "text")


def picture(result: Any) -> np.ndarray:
    (data,) = (part for part in result.content if part.type == "image")
    assert data.mime_type == "image/png"
    return cv2.imdecode(np.frombuffer(base64.b64decode(data.data), np.uint8), cv2.IMREAD_COLOR)


def test_a_host_loads_reads_crops_measures_redraws_and_exports(folder: Path) -> None:
    figure = cv2.imread(str(folder / "lines.png"))

    async def work(client: Any) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {*OWN, *BENCH}
        assert tools["look"].input_schema["properties"]["box"]["items"] == {"type": "number"}
        assert "figure pixels" in client.instructions

        early = await client.call_tool("digitize", {})
        assert early.is_error
        assert "load one first" in words(early)
        assert words(await client.call_tool("list_figures", {})).count("lines.png") == 1
        whole = await client.call_tool("load", {"path": "lines.png"})
        assert not whole.is_error
        scale = min(1.0, 1092 / max(figure.shape[:2]))
        assert picture(whole).shape[1] == round(figure.shape[1] * scale)

        read = json.loads(words(await client.call_tool("digitize", {})))
        assert [panel["panel"] for panel in read["panels"]] == [1]
        tsv = read["panels"][0]["tsv"]
        names = tsv.splitlines()[0].split("\t")[1:]
        assert len(names) >= 2

        crop = await client.call_tool("look", {"box": [10, 10, 110, 60]})
        assert picture(crop).shape[:2] == (404, 800)  # 51 by 101 pixels, the border's included, enlarged to 800
        assert "figure pixel (9.56, 9.56)" in words(crop)

        colours = json.loads(words(await client.call_tool("list_colours", {"panel": 1})))
        colour = next(row["colour"] for row in colours if row["name"] == names[0])
        traced = json.loads(words(await client.call_tool("trace", {"panel": 1, "reader": "line", "colour": colour})))
        assert len(traced) == len(names)
        redrawn = await client.call_tool("redraw", {"panel": 1})
        assert picture(redrawn).std() > 5
        assert words(redrawn)

        exported = words(await client.call_tool("export", {}))
        assert exported.startswith("# panel 1")
        assert sorted(exported.splitlines()[1].split("\t")) == sorted(tsv.splitlines()[0].split("\t"))
        full = json.loads(words(await client.call_tool("export", {"format": "json"})))
        assert {axis["side"] for axis in full["panels"][0]["axes"]} == {"left", "bottom"}

    drive(folder, work, START)


def test_outside_is_refused_and_faults_are_answers(folder: Path) -> None:
    async def work(client: Any) -> None:
        for path in (folder.parent / "outside.png", "../outside.png", "link.png", "/etc/hosts"):
            refused = await client.call_tool("load", {"path": str(path)})
            assert refused.is_error
            assert "outside the folders" in words(refused)
        for tool, arguments, said in (
            ("load", {"path": "none.png"}, "none.png"),
            ("load", {}, "'path' is missing"),
            ("look", {}, "load one first"),
            ("submit", {}, "no tool 'submit'"),
            ("export", {"format": "xlsx"}, "one of tsv, csv, json"),
        ):
            answer = await client.call_tool(tool, arguments)
            assert answer.is_error
            assert said in words(answer)
        assert "x" in words(await client.call_tool("list_figures", {}))  # what it printed did not break the protocol

    assert "stray" in drive(folder, work, NOISY + START)


def test_every_tool_describes_itself_and_its_arguments() -> None:
    for tool in Desk.tools():
        assert tool["description"]
        assert all(entry["description"] for entry in tool["schema"]["properties"].values())


def test_a_fault_of_ours_ends_the_call_and_not_the_session(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from agent.mcp_server import build_server

    desk = Desk([folder])
    monkeypatch.setattr(desk, "load", lambda path, page=1: 1 / 0)

    async def run() -> None:
        async with mcp.Client(build_server(desk)) as client:
            answer = await client.call_tool("list_figures", {})
            assert not answer.is_error
            with monkeypatch.context() as patch:
                patch.setattr(Desk, "_run", lambda *_: 1 / 0)
                broken = await client.call_tool("load", {"path": "lines.png"})
            assert broken.is_error
            assert "ZeroDivisionError" in words(broken)
            assert not (await client.call_tool("list_figures", {})).is_error

    anyio.run(run)


def test_the_desk_names_what_is_wrong(folder: Path) -> None:
    with pytest.raises(ValueError, match="is no folder"):
        Desk([folder / "lines.png"])
    with pytest.raises(ValueError, match="every file of the machine"):
        Desk([Path("/")])
    desk = Desk([folder])
    desk.call("load", {"path": str(folder / "lines.png")})
    with pytest.raises(ToolError, match="digitize first"):
        desk.call("export", {})
    (folder / "circle.png").symlink_to(folder / "circle.png")
    for path in ("nul\0.png", "~nobody-of-this-name/lines.png", "circle.png"):
        with pytest.raises(ToolError, match=r"is no path|does not exist"):
            desk.call("load", {"path": path})
    assert json.loads(str(desk.call("list_figures", {}))) == [str(folder / "lines.png")]  # no link that leads outside


def test_what_is_exported_is_what_was_measured_last(folder: Path) -> None:
    desk = Desk([folder])
    desk.call("load", {"path": "lines.png"})
    read = json.loads(str(desk.call("digitize", {})))["panels"][0]["tsv"].splitlines()[0].split("\t")
    desk.call("edit_series", {"panel": 1, "series": 1, "name": "renamed"})
    head = str(desk.call("export", {"format": "csv"})).splitlines()[1]
    assert "renamed" in head
    assert len(head.split(",")) == len(read)
    x, own = read[0], f"{read[0]}\t{read[1]}\n1\t5\n"
    desk.call("propose_table", {"panel": 1, "tsv": own})
    table = str(desk.call("export", {"panel": 1})).splitlines()
    assert table[1].split("\t") == [x, read[1]]  # a table of the host's own is not measured over
    assert len(table) == 3


def test_a_folder_that_is_none_is_wrong_use(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from agent.cli import app

    result = CliRunner().invoke(app, ["mcp", str(tmp_path / "nothing")])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "is no folder" in result.stderr


def test_long_lists_of_figures_are_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("b.PNG", "a.pdf", "notes.txt", "deep/c.svg", ".hidden/d.png"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    desk = Desk([tmp_path])
    assert [Path(path).name for path in desk.list_figures()] == ["a.pdf", "b.PNG", "c.svg"]
    monkeypatch.setattr("agent.mcp_tools.MOST_FILES", 2)
    assert [Path(path).name for path in desk.list_figures()] == ["a.pdf", "b.PNG", "… and more"]
