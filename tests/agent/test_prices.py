"""Money: tokens times prices, whose prices go first, and what is unknown stays unknown."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import pytest

from agent.backend import open_backend
from agent.prices import Tokens, as_of, cost
from tests.agent.test_backends import USER
from tests.agent.wire import Says, Wire

MILLION = 1_000_000


def price_file(folder: Path, models: object, name: str = "prices.json") -> Path:
    path = folder / name
    path.write_text(json.dumps({"models": models}))
    return path


def test_fresh_cached_written_and_output_have_prices_of_their_own(tmp_path: Path) -> None:
    path = price_file(tmp_path, {"m": {"input": 2, "cached": 0.5, "write": 3, "output": 10}})
    assert (
        cost("m", Tokens(input=4 * MILLION, output=MILLION, cached=MILLION, written=MILLION), path)
        == 2 * 2 + 0.5 + 3 + 10
    )
    plain = price_file(tmp_path, {"m": {"input": 2, "output": 10}}, "plain.json")  # nothing said of the cache: as input
    assert cost("m", Tokens(input=MILLION, cached=MILLION), plain) == 2


def test_long_prompts_have_another_price_or_none(tmp_path: Path) -> None:
    beyond = {"input": 4, "output": 15}
    models = {
        "long": {"input": 2, "output": 10, "up_to": 1000, "beyond": beyond},
        "short": {"input": 2, "output": 10, "up_to": 1000},
    }
    path = price_file(tmp_path, models)
    assert cost("long", Tokens(input=1000), path) == pytest.approx(0.002)
    assert cost("long", Tokens(input=1001), path) == pytest.approx(0.004004)
    assert cost("short", Tokens(input=1001), path) is None


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("gpt-5.4-mini", True),
        ("gpt-5.4-mini-2026-03-17", True),
        ("openai/gpt-5.4-mini", True),
        ("claude-haiku-4-5-20251001", True),
        ("claude-haiku-4-5@20251001", True),
        ("gpt-5.4-mini-tuned", False),  # another model
        ("gpt-5.49", False),
        ("qwen3-vl", False),
    ],
)
def test_dates_and_vendors_do_not_hide_a_price_and_likeness_makes_none(name: str, known: bool) -> None:
    assert (cost(name, Tokens(100, 100)) is not None) is known


def test_an_own_file_goes_first_model_by_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = cost("gpt-5.4", Tokens(MILLION // 10))
    by_variable = price_file(tmp_path, {"gpt-5.4": {"input": 100, "output": 1}}, "variable.json")
    by_option = price_file(tmp_path, {"gpt-5.4": {"input": 200, "output": 1}}, "option.json")
    monkeypatch.setenv("PLOTCALIPER_PRICES", str(by_variable))
    assert cost("gpt-5.4", Tokens(MILLION // 10)) == 10
    assert cost("gpt-5.4", Tokens(MILLION // 10), by_option) == 20
    assert cost("gpt-5.5", Tokens(MILLION), by_option) is not None  # the rest is still there
    monkeypatch.delenv("PLOTCALIPER_PRICES")
    assert cost("gpt-5.4", Tokens(MILLION // 10)) == shipped


def test_an_own_price_reaches_the_bill(tmp_path: Path, wire: Wire) -> None:
    wire.plan(Says("hello", tokens=(1000, 100, 0)))
    path = price_file(tmp_path, {"nova-9": {"input": 1, "output": 10}})
    turn = wire.backend("chat", "nova-9", prices=path).reply(USER)
    assert turn.usage.dollars == pytest.approx(0.002)
    assert turn.warnings == ()


@pytest.mark.parametrize(
    "text",
    [
        "no json",
        "[]",
        "{}",
        '{"models": {"m": 3}}',
        '{"models": {"m": {"input": "2", "output": 1}}}',
        '{"models": {"m": {"input": 2}}}',
    ],
)
def test_a_bad_file_is_told_when_the_backend_is_opened(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mine.json"
    path.write_text(text)
    for spec in ("openai:gpt-6-sol", "anthropic:claude-opus-5"):
        with pytest.raises(ValueError, match=r"mine\.json"):
            open_backend(spec, prices=path)


def test_a_missing_file_is_told() -> None:
    with pytest.raises(ValueError, match=r"can't read the price file .*nowhere\.json"):
        open_backend("openai:gpt-6-sol", prices="nowhere.json")


def test_the_shipped_file_is_dated_and_sound() -> None:
    assert datetime.date.fromisoformat(as_of()) >= datetime.date(2026, 11, 1)
    for name in ("gpt-6.2-sol", "claude-opus-5-5", "claude-sonnet-5-5"):
        one, cached = cost(name, Tokens(1000, 0)), cost(name, Tokens(1000, 0, cached=1000))
        assert one is not None
        assert cached is not None
        assert 0 < cached < one
