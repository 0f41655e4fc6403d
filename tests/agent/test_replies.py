"""Replies of models taken apart: failures of format are told from numbers that cannot be read."""

from __future__ import annotations

import pytest

import prompts
from agent.methods import Options, parse_method
from agent.replies import FormatFailure, answer_in, json_in, tables_in, triplet_charts
from prompts import PromptError, fill, hash_of, load

GRID = "x\ta\tb\n1\t2\t3\n4\t5\t6\n"
REPLIES = {
    "fence": f"Here:\n```tsv\n{GRID}```\nDone.",
    "bare": GRID,
    "csv fence": "```csv\nx,a,b\n1,2,3\n4,5,6\n```",
    "markdown": "The data:\n\n| x | a | b |\n|---|---|---|\n| 1 | 2 | 3 |\n| 4 | 5 | 6 |\n\nThat is all.",
    "unmarked fence": f"```\n{GRID}```",
}


@pytest.mark.parametrize("name", REPLIES)
def test_one_table_in_many_clothes(name: str) -> None:
    found = tables_in(REPLIES[name])
    assert [draft.header for draft in found.drafts] == [("x", "a", "b")]
    assert found.drafts[0].rows == (("1", "2", "3"), ("4", "5", "6"))
    assert not found.warnings


def test_a_table_for_each_fence() -> None:
    assert len(tables_in(f"```tsv\n{GRID}```\n\n```tsv\n{GRID}```").drafts) == 2


def test_a_table_that_was_cut_short_is_kept_and_said() -> None:
    found = tables_in(f"```tsv\n{GRID}7\t8")
    assert len(found.drafts[0].rows) == 3
    assert any("cut short" in warning for warning in found.warnings)
    assert any("not as many cells" in warning for warning in found.warnings)


@pytest.mark.parametrize("text", ["", "I cannot read this figure.", "Well, I see lines,\nand, oddly, bars, too."])
def test_no_table_is_a_failure_of_format(text: str) -> None:
    with pytest.raises(FormatFailure, match="no table"):
        tables_in(text)


def test_numbers_that_cannot_be_read_are_counted_and_no_failure_of_format() -> None:
    found = tables_in("```tsv\nx\ta\n1\tabout five\n2\t6\n3\tnan\n```")
    assert found.unreadable == 1


TRIPLETS = """{first}
| Series Name | X Value | Y Value |
|---|---|---|
| A | 1 | 10 |
| B | 1 | 20 |
| A | 2 | 11 |
{second}
| Series Name | X Value | Y Value |
|---|---|---|
| C | 5 | 7.5 |
"""


@pytest.mark.parametrize(
    ("first", "second"),
    [("Chart 1", "Chart 2"), ("### Chart 1: lines", "### Chart 2"), ("", ""), ("**Panel A**", "**Panel B**")],
)
def test_triplets_with_and_without_delimiters(first: str, second: str) -> None:
    text = TRIPLETS.format(first=first, second=second)
    assert triplet_charts(text) == [[("A", "1", "10"), ("B", "1", "20"), ("A", "2", "11")], [("C", "5", "7.5")]]
    found = tables_in(text)
    assert [draft.header for draft in found.drafts] == [("x", "A", "B"), ("x", "C")]
    assert found.drafts[0].rows == (("1", "10", "20"), ("2", "11", "nan"))


def test_triplets_under_one_head_and_lines_between() -> None:
    text = "| Series Name | X Value | Y Value |\n|---|---|---|\nChart 1\n| A | 1 | 2 |\nChart 2\n| A | 1 | 3 |\n"
    assert [rows for rows in triplet_charts(text)] == [[("A", "1", "2")], [("A", "1", "3")]]


def test_a_point_twice_makes_a_long_table() -> None:
    text = "| Series Name | X Value | Y Value |\n|--|--|--|\n| A | 1 | 2 |\n| A | 1 | 3 |\n"
    assert tables_in(text).drafts[0].header == ("x", "y", "series")


JSONS = {
    "plain": '{"a": [1, 2]}',
    "fence": 'So:\n```json\n{"a": [1, 2]}\n```',
    "trailing comma": '{"a": [1, 2,],}',
    "words around": 'The answer is {"a": [1, 2]} as you see.',
    "cut end": '{"a": [1, 2], "b": {"c": "un',
}


@pytest.mark.parametrize("name", JSONS)
def test_json_is_mended_where_it_can_be(name: str) -> None:
    assert json_in(JSONS[name])["a"] == [1, 2]


@pytest.mark.parametrize("text", ["none", "{broken", '{"a": }'])
def test_json_that_cannot_be_mended(text: str) -> None:
    with pytest.raises(FormatFailure):
        json_in(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("ANSWER: 12.5", 12.5),
        ("I think 3.\n**Answer:** about 1,234", 1234.0),
        ("It is 7 or so", 7.0),
        ("answer: -2e-3", -0.002),
    ],
)
def test_the_number_of_an_answer(text: str, value: float) -> None:
    assert answer_in(text) == pytest.approx(value)


def test_an_answer_without_a_number() -> None:
    with pytest.raises(FormatFailure, match="no number"):
        answer_in("I cannot tell.")


def test_prompts_are_filled_strictly() -> None:
    assert fill("a {{ n }} b", n=1) == "a 1 b"
    with pytest.raises(PromptError, match="given no n"):
        fill("a {{n}} b")
    with pytest.raises(PromptError, match="has no m"):
        fill("a", m=1)
    with pytest.raises(PromptError, match="Shipped prompts: agent"):
        load("no_such_prompt")


def test_the_hash_changes_with_every_character() -> None:
    assert hash_of("a", "b") != hash_of("ab")
    assert hash_of(load("agent")) == hash_of(load("agent"))
    assert len(hash_of("a")) == 12


def test_every_shipped_prompt_is_short_and_loads() -> None:
    assert {"agent", "agent_start", "refine", "single_shot_tables", "single_shot_epicurve"} <= set(prompts.names())
    assert all(0 < len(load(name)) < 3000 for name in prompts.names())


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("offline", "offline"),
        ("agent:openai:gpt-5", "agent:openai:gpt-5"),
        ("single-shot:anthropic:claude-x@high+code", "single-shot:anthropic:claude-x@high+code"),
        ("refine:openai:qwen/qwen3:free", "refine:openai:qwen/qwen3:free"),
    ],
)
def test_methods_by_name(text: str, name: str) -> None:
    assert parse_method(text).name == name


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("psychic", "there is no method"),
        ("agent", "needs a model"),
        ("agent:gemini:x", "one of openai, anthropic, replay"),
        ("agent:openai:", "names no model"),
        ("offline:x", "takes no model"),
        ("refine", "--draft"),
        ("agent:replay:missing.jsonl", "no replay file"),
    ],
)
def test_methods_that_mean_nothing(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        parse_method(text)


def test_a_draft_needs_no_model() -> None:
    method = parse_method("refine", Options(draft="table.tsv"))
    assert not method.asks
    assert method.name == "refine"
