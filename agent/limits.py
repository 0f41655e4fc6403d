"""What each provider does to a picture, and what each model accepts: sizes, temperature, effort.

Providers shrink a picture that is too large without a word, and every coordinate that the model then names is in the
shrunken frame. So pictures are sent at or under the limit: the longest edge, and how many square patches may cover it.
Facts as the providers stated them in November 2026; models that are not known get careful values. Sizes in bytes and
the number of pictures in a request are not handled.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

MANY_PICTURES_EDGE = 2000  # Claude refuses longer edges in a request of more than 20 pictures: a long loop reaches that
CLAUDE_EFFORTS = ("low", "medium", "high", "xhigh", "max")
OPENAI_EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
THINKING_TOKENS = {"low": 2048, "medium": 6144, "high": 12288, "xhigh": 24576, "max": 32768}  # for models with a budget
ANSWER_TOKENS = 2048  # of a reply's tokens, what a thinking budget must leave for the answer


@dataclass(frozen=True)
class PictureLimit:
    """The largest picture that is not shrunk: its longest edge in px, and how many patches of `patch` px may cover it.

    `short` bounds the shorter edge, where the provider scales by that one. `detail` is the word that OpenAI's models
    need to be sent for this limit to hold.
    """

    edge: int
    patch: int
    patches: int
    short: int | None = None
    detail: str = "high"

    @property
    def any_shape(self) -> int:
        """The longest edge, in px, at which a picture of whatever shape is left as it is."""
        square = math.isqrt(self.patches) * self.patch
        return min(self.edge, square, self.short or square, MANY_PICTURES_EDGE)

    def fits(self, width: int, height: int) -> bool:
        """Whether a picture of this size, in px, is left as it is."""
        covered = math.ceil(width / self.patch) * math.ceil(height / self.patch)
        edge = min(self.edge, MANY_PICTURES_EDGE)
        return max(width, height) <= edge and covered <= self.patches and min(width, height) <= (self.short or edge)

    def fit(self, width: int, height: int) -> tuple[int, int]:
        """The largest size in px, of the same shape to the pixel, that is left as it is; never larger than the picture.

        >>> PictureLimit(1568, 28, 1568).fit(3000, 1500)
        (1568, 784)
        """
        if self.fits(width, height):
            return width, height
        long = max(width, height)
        low, high = 1, min(long, self.edge)  # bisect the longest edge: `fits` is monotone in it
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self.fits(*_scaled(width, height, middle / long)) else (low, middle - 1)
        return _scaled(width, height, low / long)


# Longest edge, patch, patches. Claude since 4.7 sees in high resolution; older ones in 1568 patches.
CLAUDE = PictureLimit(1568, 28, 1568)
CLAUDE_SHARP = PictureLimit(2576, 28, 4784)
# OpenAI since GPT-5.4 takes "original" (6000 px, 10 000 patches); we stay at 2048, because tokens grow with the area.
OPENAI_ORIGINAL = PictureLimit(2048, 32, 4096, detail="original")
OPENAI_PATCHES = PictureLimit(2048, 32, 1536)
OPENAI_TILES = PictureLimit(2048, 32, 4096, short=768)  # scaled until the shorter edge is 768 px
CAREFUL = PictureLimit(1568, 32, 1024)


def picture_limit(provider: str, model: str) -> PictureLimit:
    """The picture limit of a model.

    Parameters
    ----------
    provider : str
        "openai" or "anthropic"; anything else gets the careful limit.
    model : str
        The model's name; what stands before a slash in it ("vendor/model") is left out.
    """
    name = plain(model)
    if "claude" in name:
        return CLAUDE_SHARP if claude_version(name) >= (4, 7) else CLAUDE
    if provider != "openai" or not re.match(r"gpt-|o\d", name):
        return CAREFUL
    if re.match(r"gpt-[45]\S*-(mini|nano)|o4-mini", name) and not name.startswith("gpt-4o"):
        return OPENAI_PATCHES
    version = _gpt_version(name)
    if version >= (5, 4):
        return OPENAI_ORIGINAL
    return OPENAI_PATCHES if version >= (5, 2) else OPENAI_TILES


def shrunk(sizes: Iterable[tuple[int, int]], limit: PictureLimit) -> tuple[str, ...]:
    """A warning, where the largest of these pictures, sized in px, is more than the provider leaves as it is."""
    width, height = max(sizes, key=lambda size: size[0] * size[1], default=(0, 0))
    if limit.fits(width, height):
        return ()
    return (f"a picture of {width} x {height} px is shrunk by the provider: places in it may come back wrong",)


def plain(model: str) -> str:
    """The model's name without a vendor before it, in small letters."""
    return model.rsplit("/", 1)[-1].lower()


def claude_version(model: str) -> tuple[int, int]:
    """(major, minor) in a Claude model's name; (99, 0) where it has none, because a new name is a new model.

    >>> claude_version("claude-opus-4-7"), claude_version("claude-3-5-haiku-20241022")
    ((4, 7), (3, 5))
    """
    numbers = [int(part) for part in re.findall(r"(?<=[-.])\d{1,2}(?=[-.@:]|$)", plain(model))]
    return (numbers[0], numbers[1] if len(numbers) > 1 else 0) if numbers else (99, 0)


def claude_adapts(model: str) -> bool:
    """Whether a Claude model decides itself how long to think, steered by effort, instead of taking a budget."""
    return claude_version(model) >= (4, 6)


def claude_efforts(model: str) -> tuple[str, ...]:
    """The efforts that a Claude model knows; "xhigh" came with 4.7."""
    return tuple(word for word in CLAUDE_EFFORTS if word != "xhigh" or claude_version(model) != (4, 6))


def takes_temperature(provider: str, model: str) -> bool:
    """Whether a model accepts `temperature`: not Claude since 4.7, and not OpenAI's reasoning models."""
    name = plain(model)
    if "claude" in name:
        return claude_version(name) <= (4, 6)
    return provider == "openai" and not reasons(name)


def reasons(model: str) -> bool:
    """Whether an OpenAI model reasons, and so takes an effort and no temperature: GPT-5 and later, and the o series."""
    name = plain(model)
    if "chat-latest" in name:
        return False
    return bool(re.match(r"o\d", name)) or _gpt_version(name) >= (5, 0)


def _gpt_version(name: str) -> tuple[int, int]:
    """(major, minor) of "gpt-5.4-mini"; (0, 0) of names that are no GPT's."""
    found = re.match(r"gpt-(\d+)(?:\.(\d+))?", name)
    return (int(found[1]), int(found[2] or 0)) if found else (0, 0)


def _scaled(width: int, height: int, factor: float) -> tuple[int, int]:
    return max(1, round(width * factor)), max(1, round(height * factor))
