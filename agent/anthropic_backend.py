"""Claude, through Anthropic's Messages API.

Tool results carry their pictures. The system prompt and the end of the conversation are marked for the prompt cache. At
Anthropic itself a picture over the model's limit is an error and is never shrunk unseen. Streaming is not handled, and
neither are Bedrock and Vertex, whose clients differ.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from agent import anthropic_messages as wire
from agent.backend import MAX_TOKENS, BackendError, Message, ToolSpec, Turn, Usage
from agent.limits import (
    ANSWER_TOKENS,
    THINKING_TOKENS,
    claude_adapts,
    claude_efforts,
    claude_version,
    picture_limit,
    shrunk,
    takes_temperature,
)
from agent.prices import Tokens, cost
from agent.sdk_calls import ask, certificates, host_of, refuse_live

if TYPE_CHECKING:
    from anthropic import Anthropic

HOME = "https://api.anthropic.com"
CODE_TOOL = {"type": "code_execution_20250825", "name": "code_execution"}
CODE_FILES_LIVE = 3600  # seconds
MOST_PAUSES = 8  # how often a long turn with hosted code is taken up again
DROPPABLE = ("temperature", "thinking", "effort", "output_config")
SMALLEST_BUDGET = 1024  # thinking tokens, the API's own floor


class AnthropicBackend:
    """A Claude model. Holds no key and no connection; threads may share one."""

    name = "anthropic"

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
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
        self.official = base_url is None
        self.base_url = base_url or os.environ.get("ANTHROPIC_BASE_URL") or HOME
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
        fields, warnings = self._settings(effort, max_tokens)
        sizes = ((picture.width, picture.height) for message in messages for picture in message.pictures)
        warnings += shrunk(sizes, self.limit)
        fields |= {"model": self.model, "max_tokens": max_tokens}
        if system := wire.system_blocks(messages):
            fields["system"] = system
        entries: list[dict[str, Any]] = wire.tool_entries(tools) + ([CODE_TOOL] if code else [])
        if entries:
            fields["tools"] = entries
        spoken = wire.conversation(messages, self.model, strict_pictures=self.official)
        with self._client() as client:
            if not code:
                return self._finish(client, fields, spoken, warnings)
            with self._code_files(client, messages) as files:
                spoken[0]["content"] += [{"type": "container_upload", "file_id": file} for file in files]
                return self._finish(client, fields, spoken, warnings)

    @property
    def _who(self) -> str:
        return "Anthropic" if host_of(self.base_url) == host_of(HOME) else host_of(self.base_url)

    def _client(self) -> Anthropic:
        import anthropic

        key, token = os.environ.get("ANTHROPIC_API_KEY"), os.environ.get("ANTHROPIC_AUTH_TOKEN")
        if not (key or token):
            raise BackendError(f"no key for {self._who}: set the environment variable ANTHROPIC_API_KEY", kind="key")
        credential: dict[str, Any] = {"api_key": key} if key else {"auth_token": token}
        return anthropic.Anthropic(
            base_url=self.base_url,
            timeout=self.timeout,
            max_retries=self.retries,
            http_client=anthropic.DefaultHttpxClient(verify=certificates()),
            **credential,
        )

    def _finish(
        self, client: Anthropic, fields: dict[str, Any], spoken: list[dict[str, Any]], warnings: tuple[str, ...]
    ) -> Turn:
        """Ask, and ask on while the provider pauses a long turn; the blocks of all answers are one turn."""
        import anthropic

        blocks: list[dict[str, Any]] = []
        usage, data = Usage(), {}
        for _ in range(MOST_PAUSES):
            sent = [*spoken, {"role": "assistant", "content": list(blocks)}] if blocks else spoken
            create = client.messages.with_raw_response.create
            answer = ask(anthropic, self._who, create, fields | {"messages": sent}, DROPPABLE, self.retries)
            data = answer.data
            blocks += wire.blocks_of(data, self._who)
            tokens = wire.read_tokens(data)
            dollars = cost(self.model, tokens, self.prices)
            usage += Usage(tokens.input, tokens.output, dollars, answer.seconds, answer.requests, tokens.cached)
            warnings += tuple(word for word in answer.warnings if word not in warnings)
            if data.get("stop_reason") != "pause_turn":
                break
            if isinstance(data.get("container"), dict):
                fields = fields | {"container": data["container"]["id"]}
        if usage.dollars is None:
            warnings += (f"no price is known for {self.model}: the cost is unknown",)
        message, stop = wire.read_turn(blocks, data, self.model)
        return Turn(message, stop, usage, str(data.get("model") or self.model), warnings)

    def _settings(self, effort: str | None, max_tokens: int) -> tuple[dict[str, Any], tuple[str, ...]]:
        """(temperature, effort and thinking as far as the model takes them, what a person should know)."""
        fields: dict[str, Any] = {}
        warnings = []
        if effort is not None:
            fields = self._thinking(effort, max_tokens)
            if not fields:
                warnings.append(f"{self.model} has no effort {effort!r}, or no room for it: sent without")
        if self.temperature is not None:
            if takes_temperature(self.name, self.model) and "thinking" not in fields:
                fields["extra_body"] = {"temperature": self.temperature}  # the SDK has no argument for it any more
            else:
                warnings.append(f"{self.model} takes no temperature, or none while it thinks: sent without")
        return fields, tuple(warnings)

    def _thinking(self, effort: str, max_tokens: int) -> dict[str, Any]:
        """The fields for an effort: a word for models that decide themselves, a budget of tokens for older ones."""
        if claude_adapts(self.model):
            if effort not in claude_efforts(self.model):
                return {}
            on = {} if claude_version(self.model) >= (5, 0) else {"thinking": {"type": "adaptive"}}  # later: always on
            return on | {"output_config": {"effort": effort}}
        budget = min(THINKING_TOKENS.get(effort, 0), max_tokens - ANSWER_TOKENS)
        return {"thinking": {"type": "enabled", "budget_tokens": budget}} if budget >= SMALLEST_BUDGET else {}

    @contextlib.contextmanager
    def _code_files(self, client: Anthropic, messages: Sequence[Message]) -> Iterator[list[str]]:
        """The ids of the conversation's pictures, uploaded for the hosted code tool and deleted afterwards."""
        import anthropic

        pictures = [picture for message in messages if message.role == "user" for picture in message.pictures]
        files: list[str] = []
        try:
            for number, picture in enumerate(pictures, 1):
                upload = client.files.with_raw_response.upload
                fields = {
                    "file": (f"figure_{number}.png", picture.png, "image/png"),
                    "expires_in_seconds": CODE_FILES_LIVE,
                }
                files.append(str(ask(anthropic, self._who, upload, fields, ("expires_in_seconds",)).data["id"]))
            yield files
        finally:
            for file in files:
                with contextlib.suppress(anthropic.APIError):  # it expires by itself
                    client.files.delete(file)
