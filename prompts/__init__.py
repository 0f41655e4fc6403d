"""The words that models are sent: Markdown templates beside this file, filled strictly, known by their hash.

A template names its values as `{{name}}`; nothing else in it is special. Not handled here: sending them, and which
values there are.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
_NAME = re.compile(r"\{\{\s*(\w+)\s*\}\}")


class PromptError(ValueError):
    """A template that is missing, or that names what it was not given."""


def load(name: str) -> str:
    """The text of a template: a name of this package (`agent`), or a path to a file of one's own.

    Raises PromptError where there is none.
    """
    own = FOLDER / f"{name}.md"
    path = own if re.fullmatch(r"\w+", name) and own.is_file() else Path(name)
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        known = ", ".join(names())
        raise PromptError(f"no prompt {name!r}: {why}. Shipped prompts: {known}.") from None


def names() -> list[str]:
    """The templates of this package."""
    return sorted(path.stem for path in FOLDER.glob("*.md"))


def fill(template: str, **values: object) -> str:
    """The template with its names replaced. Raises PromptError for a name without a value, and for a value unused.

    >>> fill("Panel {{n}}.", n=2)
    'Panel 2.'
    """
    wanted = set(_NAME.findall(template))
    missing, unused = wanted - set(values), set(values) - wanted
    if missing or unused:
        what = f"is given no {', '.join(sorted(missing))}" if missing else f"has no {', '.join(sorted(unused))}"
        raise PromptError(f"the prompt {what}")
    return _NAME.sub(lambda found: str(values[found[1]]), template)


def hash_of(*templates: str) -> str:
    """Twelve hexadecimal digits that change with any character of the (unfilled) templates."""
    return hashlib.sha256("\x1e".join(templates).encode()).hexdigest()[:12]
