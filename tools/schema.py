"""Tools as a model sees them: a JSON schema from a method's type hints and docstring, and calls checked against it.

A docstring is a description, then a line `name: what it is` for every argument (further lines of it are indented or run
on). Not handled here: which methods are tools (`workbench`), nested objects, arguments by position.
"""

from __future__ import annotations

import inspect
import math
import re
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Union, get_args, get_origin

_PLAIN: dict[Any, str] = {str: "string", float: "number", int: "integer", bool: "boolean"}
_ARTICLES = {"string": "a text", "number": "a number", "integer": "a whole number", "boolean": "true or false"}


class ToolError(ValueError):
    """A call that cannot be answered as asked; the message says why and what to do instead."""


class CallError(ToolError):
    """A call that is not in the form of a call: an unknown tool, wrong arguments."""


def describe_tool(method: Callable[..., Any]) -> dict[str, Any]:
    """`{"name", "description", "schema"}` of a method; `schema` is the JSON schema of its arguments.

    Raises TypeError for an argument without a description or with a type that JSON has no word for, and for a method
    without a docstring.
    """
    description, told = _docstring(method)
    hints = typing.get_type_hints(method)
    properties: dict[str, Any] = {}
    required = []
    for name, parameter in _parameters(method):
        if not told.get(name):
            raise TypeError(f"{method.__name__}: the docstring does not describe {name!r}")
        properties[name] = _schema(hints[name]) | {"description": told[name]}
        if parameter.default is inspect.Parameter.empty:
            required.append(name)
    unknown = [name for name in told if name not in properties]
    if unknown:
        raise TypeError(f"{method.__name__} has no argument {unknown[0]!r}")
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return {"name": method.__name__, "description": description, "schema": schema}


def checked(method: Callable[..., Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments in the types that the method wants. Raises CallError, saying all that is wrong.

    Whole floats pass as integers and numbers in text as numbers: models write both.
    """
    hints = typing.get_type_hints(method)
    parameters = dict(_parameters(method))
    wrong = [f"there is no argument {name!r}" for name in arguments if name not in parameters]
    found: dict[str, Any] = {}
    for name, parameter in parameters.items():
        optional = parameter.default is not inspect.Parameter.empty
        if name not in arguments or (arguments[name] is None and optional):
            if not optional:
                wrong.append(f"{name!r} is missing")
            continue
        try:
            found[name] = _fit(arguments[name], hints[name])
        except ValueError as error:
            wrong.append(f"{name!r} must be {error}, not {_short(arguments[name])}")
    if wrong:
        known = ", ".join(parameters) or "none"
        raise CallError(f"{method.__name__}: {'; '.join(wrong)}. Its arguments: {known}.")
    return found


def _parameters(method: Callable[..., Any]) -> list[tuple[str, inspect.Parameter]]:
    return [(name, one) for name, one in inspect.signature(method).parameters.items() if name != "self"]


def _docstring(method: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    """The description, and what is said of each argument."""
    text = inspect.getdoc(method)
    if not text:
        raise TypeError(f"{method.__name__} has no docstring")
    names = [name for name, _ in _parameters(method)]
    description: list[str] = []
    told: dict[str, str] = {}
    current = ""
    for line in text.splitlines():
        start = re.match(r"(\w+): (.+)", line)
        if start and (start[1] in names or told):
            current = start[1]
            told[current] = start[2].strip()
        elif current:
            told[current] = f"{told[current]} {line.strip()}".strip()
        else:
            description.append(line.strip())
    return " ".join(" ".join(description).split()), told


def _schema(hint: Any) -> dict[str, Any]:
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"type": "string", "enum": list(inner)}
    if origin in (Union, types.UnionType):
        return _schema(_without_none(inner))
    if isinstance(origin, type) and issubclass(origin, Sequence) and origin is not tuple:
        return {"type": "array", "items": _schema(inner[0])}
    raise TypeError(f"JSON has no word for {hint}")


def _without_none(inner: tuple[Any, ...]) -> Any:
    left = [one for one in inner if one is not type(None)]
    if len(left) != 1:
        raise TypeError("an argument of several types is hard to describe: choose one")
    return left[0]


def _fit(value: Any, hint: Any) -> Any:
    """The value as this type. Raises ValueError with what it must be."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        if value not in inner:
            raise ValueError("one of " + ", ".join(map(str, inner)))
        return value
    if origin in (Union, types.UnionType):
        return _fit(value, _without_none(inner))
    if hint in _PLAIN:
        return _fit_plain(value, hint)
    if not isinstance(value, Sequence) or isinstance(value, str | bytes):
        raise ValueError("a list")
    try:
        return [_fit(one, inner[0]) for one in value]
    except ValueError as error:
        raise ValueError(f"a list in which each is {error}") from None


def _fit_plain(value: Any, hint: Any) -> Any:
    name = _ARTICLES[_PLAIN[hint]]
    if hint is str:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise ValueError(name)
        return value if isinstance(value, str) else f"{value:.15g}"
    if hint is bool:
        if not isinstance(value, bool):
            raise ValueError(name)
        return value
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(name)
    try:
        number = float(value)
    except ValueError:
        raise ValueError(name) from None
    if not math.isfinite(number) or (hint is int and number != round(number)):
        raise ValueError(name)
    return round(number) if hint is int else number


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
