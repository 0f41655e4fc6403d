"""OpenAI's models, and every server that speaks OpenAI's API: Gemini, Qwen, OpenRouter, vLLM, Ollama.

The Responses API is spoken to api.openai.com, Chat Completions to other servers, which are sent few fields. A server
that was to be spoken to in Responses and has none is spoken to in Chat Completions. Azure's addresses are not handled.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from agent import openai_chat, openai_responses
from agent.backend import MAX_TOKENS, BackendError, Message, ToolSpec, Turn, Usage
from agent.limits import OPENAI_EFFORTS, picture_limit, reasons, shrunk, takes_temperature
from agent.prices import Tokens, cost
from agent.sdk_calls import Answer, ask, certificates, host_of, refuse_live

if TYPE_CHECKING:
    from openai import OpenAI

HOME = "https://api.openai.com/v1"
KEYS = {  # servers with keys of their own: OpenAI's key is not sent there
    "openrouter.ai": "OPENROUTER_API_KEY",
    "generativelanguage.googleapis.com": "GEMINI_API_KEY",
    "dashscope.aliyuncs.com": "DASHSCOPE_API_KEY",
    "dashscope-intl.aliyuncs.com": "DASHSCOPE_API_KEY",
}
OWN_KEY = "PLOTCALIPER_API_KEY"  # for a server that is none of these, before OPENAI_API_KEY
NO_ENDPOINT = (404, 405, 501)
CODE_FILES_LIVE = 3600  # seconds


class OpenAIBackend:
    """A model behind OpenAI's API. Holds no key and no connection; threads may share one."""

    name = "openai"

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api: Literal["auto", "responses", "chat"] = "auto",
        temperature: float | None = None,
        timeout: float = 600.0,
        retries: int = 2,
        prices: str | os.PathLike[str] | None = None,
    ) -> None:
        self.model, self.temperature, self.timeout, self.retries, self.prices = (
            model,
            temperature,
            timeout,
            retries,
            prices,
        )
        self.base_url = base_url or os.environ.get("OPENAI_BASE_URL") or HOME
        self.official = host_of(self.base_url).endswith("openai.com")
        self.api = api if api != "auto" else "responses" if self.official else "chat"
        self.limit = picture_limit(self.name, model)
        self.max_edge = self.limit.any_shape
        cost(model, Tokens(), prices)  # a price file that can't be read is told now, not after the first bill

    def reply(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec] = (),
        *,
        effort: str | None = None,
        max_tokens: int = MAX_TOKENS,
        code: bool = False,
    ) -> Turn:
        """One turn; see `agent.backend.Backend`. With `code` the pictures also lie as files beside the hosted tool."""
        refuse_live(self.base_url)
        sizes = ((picture.width, picture.height) for message in messages for picture in message.pictures)
        large = shrunk(sizes, self.limit)
        with self._client() as client:
            if self.api == "responses":
                try:
                    turn = self._respond(client, messages, tools, effort, max_tokens, code)
                    return replace(turn, warnings=turn.warnings + large)
                except BackendError as fault:
                    if self.official or fault.status not in NO_ENDPOINT:
                        raise
                    self.api = "chat"
            if code:
                raise BackendError(f"{self._who} has no hosted code tool: it needs OpenAI's Responses API")
            turn = self._chat(client, messages, tools, effort, max_tokens)
            return replace(turn, warnings=turn.warnings + large)

    @property
    def _who(self) -> str:
        return "OpenAI" if self.official else host_of(self.base_url)

    def _client(self) -> OpenAI:
        import openai

        variable = KEYS.get(host_of(self.base_url), "OPENAI_API_KEY")
        another = not self.official and variable == "OPENAI_API_KEY"
        key = (os.environ.get(OWN_KEY) if another else None) or os.environ.get(variable)
        if not key and not another:
            raise BackendError(f"no key for {self._who}: set the environment variable {variable}", kind="key")
        # A server of one's own needs none, but the SDK wants a word.
        return openai.OpenAI(
            api_key=key or "none",
            base_url=self.base_url,
            timeout=self.timeout,
            max_retries=self.retries,
            http_client=openai.DefaultHttpxClient(verify=certificates()),
        )

    def _respond(
        self,
        client: OpenAI,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        effort: str | None,
        max_tokens: int,
        code: bool,
    ) -> Turn:
        import openai

        detail = self.limit.detail if self.official else "auto"
        fields: dict[str, Any] = {
            "model": self.model,
            "input": openai_responses.input_items(messages, self.model, detail),
            "max_output_tokens": max_tokens,
            "store": False,
        }
        if words := openai_responses.instructions(messages):
            fields["instructions"] = words
        if reasons(self.model):
            fields["include"] = ["reasoning.encrypted_content"]
        settings, warnings = self._settings(effort)
        fields |= {"reasoning": {"effort": settings.pop("effort")}} if "effort" in settings else {}
        entries = openai_responses.tool_entries(tools)
        with contextlib.ExitStack() as stack:
            if code:
                files = stack.enter_context(self._code_files(client, messages))
                entries.append({"type": "code_interpreter", "container": {"type": "auto", "file_ids": files}})
            fields |= settings | ({"tools": entries} if entries else {})
            create = client.responses.with_raw_response.create
            answer = ask(openai, self._who, create, fields, ("temperature", "reasoning", "include"), self.retries)
        message, stop = openai_responses.read_turn(answer.data, self.model, self._who)
        return self._turn(message, stop, answer, openai_responses.read_tokens(answer.data), warnings)

    def _chat(
        self,
        client: OpenAI,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        effort: str | None,
        max_tokens: int,
    ) -> Turn:
        import openai

        detail = self.limit.detail if self.official else None
        fields: dict[str, Any] = {
            "model": self.model,
            "messages": openai_chat.chat_messages(messages, self.model, detail),
            "max_completion_tokens" if self.official or reasons(self.model) else "max_tokens": max_tokens,
        }
        settings, warnings = self._settings(effort)
        fields |= {"reasoning_effort": settings.pop("effort")} if "effort" in settings else {}
        fields |= settings | ({"tools": openai_chat.tool_entries(tools)} if tools else {})
        create = client.chat.completions.with_raw_response.create
        answer = ask(openai, self._who, create, fields, ("temperature", "reasoning_effort"), self.retries)
        message, stop = openai_chat.read_turn(answer.data, self.model, self._who)
        return self._turn(message, stop, answer, openai_chat.read_tokens(answer.data), warnings)

    def _settings(self, effort: str | None) -> tuple[dict[str, Any], tuple[str, ...]]:
        """(temperature and effort as far as the model takes them, what a person should know)."""
        settings: dict[str, Any] = {}
        warnings = []
        if self.temperature is not None:
            if takes_temperature(self.name, self.model):
                settings["temperature"] = self.temperature
            else:
                warnings.append(f"{self.model} takes no temperature: sent without")
        if effort is not None:
            if (self.official and not reasons(self.model)) or effort not in OPENAI_EFFORTS:
                warnings.append(f"{self.model} has no effort {effort!r}: sent without")
            else:
                settings["effort"] = effort
        return settings, tuple(warnings)

    @contextlib.contextmanager
    def _code_files(self, client: OpenAI, messages: Sequence[Message]) -> Iterator[list[str]]:
        """The ids of the conversation's pictures, uploaded for the hosted code tool and deleted afterwards."""
        import openai

        pictures = [picture for message in messages if message.role == "user" for picture in message.pictures]
        files: list[str] = []
        try:
            for number, picture in enumerate(pictures, 1):
                create = client.files.with_raw_response.create
                fields: dict[str, Any] = {
                    "file": (f"figure_{number}.png", picture.png, "image/png"),
                    "purpose": "user_data",
                }
                fields["expires_after"] = {"anchor": "created_at", "seconds": CODE_FILES_LIVE}
                files.append(str(ask(openai, self._who, create, fields).data["id"]))
            yield files
        finally:
            for file in files:
                with contextlib.suppress(openai.APIError):  # it expires by itself
                    client.files.delete(file)

    def _turn(self, message: Message, stop: Any, answer: Answer, tokens: Tokens, warnings: tuple[str, ...]) -> Turn:
        model = str(answer.data.get("model") or self.model)
        told = (answer.data.get("usage") or {}).get("cost")
        dollars = float(told) if isinstance(told, int | float) else cost(self.model, tokens, self.prices)
        if dollars is None:
            warnings += (f"no price is known for {self.model}: the cost is unknown",)
        usage = Usage(tokens.input, tokens.output, dollars, answer.seconds, answer.requests, tokens.cached)
        return Turn(message, stop, usage, model, warnings + answer.warnings)
