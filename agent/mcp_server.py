"""The measuring tools as an MCP server over stdio, on the official SDK, for any host of agents.

Nothing but the protocol goes to stdout: the SDK turns what else is printed to stderr. Calls are worked off one after
the other, in a thread, so that the server answers its host meanwhile. HTTP, prompts and resources are not handled.
"""

from __future__ import annotations

import base64
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import prompts
from agent.mcp_tools import Desk
from tools.looking import Look
from tools.schema import ToolError
from tools.types import Image

if TYPE_CHECKING:
    import mcp_types as types
    from mcp.server.lowlevel import Server

NAME = "plotcaliper"


def serve(folders: Sequence[Path]) -> None:
    """Serve stdin and stdout until the host hangs up.

    Parameters
    ----------
    folders : sequence of Path
        Figures are read below these only.

    Raises
    ------
    ValueError
        Where a folder is none, or the SDK is not installed.
    """
    try:
        import anyio
        import mcp.server.stdio
    except ImportError:
        raise ValueError("this needs the MCP SDK: pip install 'plotcaliper[mcp]'") from None
    server = build_server(Desk(folders))

    async def run() -> None:
        async with mcp.server.stdio.stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    anyio.run(run)


def build_server(desk: Desk) -> Server[Any]:
    """The server of a desk, on no transport yet."""
    import anyio.to_thread
    import mcp_types as types
    from mcp.server.lowlevel import Server

    busy = threading.Lock()

    async def list_tools(context: Any, parameters: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_entry(tool) for tool in desk.tools()])

    async def call_tool(context: Any, parameters: types.CallToolRequestParams) -> types.CallToolResult:
        return await anyio.to_thread.run_sync(answer, parameters.name, parameters.arguments or {})

    def answer(name: str, arguments: dict[str, Any]) -> types.CallToolResult:
        with busy:
            try:
                return types.CallToolResult(content=_content(desk.call(name, arguments)))
            except ToolError as error:
                text = str(error)
            except Exception as fault:  # the session outlives a fault of ours
                text = f"a fault in PlotCaliper stopped this call ({type(fault).__name__}: {fault})"
        return types.CallToolResult(content=[types.TextContent(text=text)], is_error=True)

    return Server(NAME, instructions=instructions(), on_list_tools=list_tools, on_call_tool=call_tool)


def instructions() -> str:
    """What the host's model is told about the tools."""
    return prompts.load("mcp")


def _entry(tool: dict[str, Any]) -> types.Tool:
    import mcp_types as types

    return types.Tool(name=tool["name"], description=tool["description"], input_schema=tool["schema"])


def _content(found: Look | str) -> list[Any]:
    """Words, or words and the picture they belong to."""
    import mcp_types as types

    if isinstance(found, str):
        return [types.TextContent(text=found)]
    data = base64.b64encode(_png(found.view.pixels)).decode("ascii")
    return [types.TextContent(text=found.text), types.ImageContent(data=data, mime_type="image/png")]


def _png(pixels: Image) -> bytes:
    import cv2

    done, data = cv2.imencode(".png", pixels[..., ::-1])
    if not done:
        raise ValueError("the picture could not be written as PNG")
    return bytes(data)
