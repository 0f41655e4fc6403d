"""Words of a figure: where text is printed, which way it runs, and what it says.

A text detector proposes places, the ink inside gives each line its tight upright crop, and a recogniser reads the
crops. Both networks come packaged in the rapidocr wheel and run on one CPU thread, offline. Geometry decides what the
recogniser cannot see: neighbouring labels are split at wide gaps, and a raised exponent becomes `10^3`.

Not handled here: joining the lines of a wrapped label, correcting a text by its neighbours, handwriting, curved text.
"""

from __future__ import annotations

import importlib.util
import math
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.text_lines import Line, exponent, pieces, upright_lines
from tools.types import Box, Floats, Image, Word

_DETECT_PIXELS = 1.6e6  # the detector takes about a second for a million pixels
_HEAT = 0.3  # detector output above this is text
_TEXT_SCORE = 0.5  # mean detector output of a blob that is text
_READ_SCORE = 0.5  # mean character probability of a text worth keeping
_BATCH = 16
_HEIGHT = 48  # input height of the recogniser
_MARKS = "–—‘’“”†‡•…‰′″€™−×±≤≥≈∞∼∆√"
_PLAIN = str.maketrans({"−": "-", "–": "-", "—": "-", "‘": "'", "’": "'", "“": '"', "”": '"', "⁻": "-"})


class _Networks(NamedTuple):
    detector: Any
    recogniser: Any
    alphabet: list[str]  # the characters we accept; the blank is first
    columns: NDArray[np.intp]  # their columns in the recogniser's output


class _Part(NamedTuple):
    """A text of a line: its glyphs, and where among them the exponent begins."""

    line: Line
    glyphs: list[Box]
    raised: int


def read_words(pixels: Image) -> tuple[Word, ...]:
    """Every word or line of text of a figure.

    pixels: (H, W, 3) uint8 RGB. The boxes are the tight ink boxes in the same frame; of a slanted text, the upright
    box around it. Angles lie in [-90, 90], counter-clockwise. Text that is not recognised is left out. Dashes of all
    kinds are written '-', a raised exponent '^'.
    """
    light = np.ascontiguousarray(255 - pixels) if np.median(pixels) < 100 else pixels
    return tuple(_read(upright_lines(light, quad) for quad in _detect(light)))


@lru_cache(maxsize=1)
def _networks() -> _Networks:
    import onnxruntime

    found = importlib.util.find_spec("rapidocr")
    if found is None or found.origin is None:
        raise RuntimeError("rapidocr is not installed, and its wheel holds the text models: install rapidocr>=3.10")
    folder = Path(found.origin).parent / "models"
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    detector, recogniser = (
        onnxruntime.InferenceSession(str(folder / f"PP-OCRv6_{name}_small.onnx"), options, ["CPUExecutionProvider"])
        for name in ("det", "rec")
    )
    listed = recogniser.get_modelmeta().custom_metadata_map["character"].splitlines()
    alphabet = ["", *listed, " "]  # the order of the network's outputs
    plain = [not c or c < "ʀ" or "Α" <= c <= "ω" or "⁰" <= c < "₠" or c in _MARKS for c in alphabet]
    columns = np.flatnonzero(plain)
    return _Networks(detector, recogniser, [alphabet[i] for i in columns], columns)


def _detect(pixels: Image) -> list[Floats]:
    """Rectangles (4, 2) around text, in figure pixels."""
    height, width = pixels.shape[:2]
    zoom = float(np.clip(math.sqrt(_DETECT_PIXELS / (height * width)), 0.25, 2.0))
    rows, columns = (max(32, round(side * zoom / 32) * 32) for side in (height, width))
    sized = cv2.resize(pixels, (columns, rows), interpolation=cv2.INTER_CUBIC if zoom > 1 else cv2.INTER_AREA)
    heat = _networks().detector.run(None, {"x": _network_input(np.asarray(sized, np.uint8))[None]})[0][0, 0]
    contours, _ = cv2.findContours((heat > _HEAT).astype(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    scale = np.array([width / columns, height / rows])
    quads = [_rectangle(np.asarray(contour), heat) for contour in contours]
    return [(quad + 0.5) * scale - 0.5 for quad in quads if quad is not None]  # pixel centres keep their place


def _rectangle(contour: NDArray[Any], heat: NDArray[np.float32]) -> Floats | None:
    """The rectangle around a blob, grown, since the detector is trained on shrunken boxes; None where it is no text."""
    centre, (a, b), angle = cv2.minAreaRect(contour)
    x, y, w, h = cv2.boundingRect(contour)
    inside = np.zeros((h, w), np.uint8)
    cv2.drawContours(inside, [contour], -1, 1, -1, offset=(-x, -y))
    if min(a, b) < 2 or float(heat[y : y + h, x : x + w][inside > 0].mean()) < _TEXT_SCORE:
        return None
    by = 1.5 * a * b / (a + b)
    return np.asarray(cv2.boxPoints((centre, (a + by, b + by), angle)), dtype=np.float64)


def _network_input(pixels: Image) -> NDArray[np.float32]:
    """(3, H, W) float32 in [-1, 1]."""
    return np.ascontiguousarray(((pixels.astype(np.float32) - 127.5) / 127.5).transpose(2, 0, 1))


def _read(places: Iterable[list[Line]]) -> list[Word]:
    """The best reading of every place; a place is one line, turned upright in each direction that it may run in."""
    parts = [[[_Part(line, p, exponent(p)) for p in pieces(line)] for line in place] for place in places]
    crops: list[Image] = []
    for part in (part for place in parts for line in place for part in line):
        crops += [part.line.cut(part.glyphs)]
        if part.raised < len(part.glyphs):
            crops += [part.line.cut(part.glyphs[: part.raised]), part.line.cut(part.glyphs[part.raised :])]
    found = iter(_recognise(crops))
    words: list[Word] = []
    for place in parts:
        readings: list[list[Word]] = [[_word(part, found) for part in line] for line in place]
        words += max(readings, key=_plausible) if readings else []
    return [word for word in words if word.text and word.confidence >= _READ_SCORE]


def _word(part: _Part, found: Any) -> Word:
    text, score = next(found)
    if part.raised < len(part.glyphs):
        (base, sure), (power, surer) = next(found), next(found)
        if re.fullmatch(r"-?\d{1,3}", power) and base:
            text, score = f"{base}^{power}", min(sure, surer)
    return Word(text, part.line.box(part.glyphs), part.line.angle, score)


def _plausible(words: Sequence[Word]) -> float:
    """Mean score of the characters of a reading; text that runs down is rare, so it has to be better to be believed."""
    letters = sum(len(word.text) for word in words)
    if not letters:
        return 0.0
    return sum(len(w.text) * w.confidence for w in words) / letters - (0.08 if words[0].angle == -90 else 0.0)


def _recognise(images: list[Image]) -> list[tuple[str, float]]:
    """Text and mean character probability of each upright crop, read in batches of like width."""
    sized = [_line_input(image) for image in images]
    order = sorted(range(len(sized)), key=lambda i: sized[i].shape[1])
    found: list[tuple[str, float]] = [("", 0.0)] * len(sized)
    networks = _networks()
    for start in range(0, len(order), _BATCH):
        batch = order[start : start + _BATCH]
        stack = np.zeros((len(batch), 3, _HEIGHT, max(sized[i].shape[1] for i in batch)), np.float32)
        for row, i in enumerate(batch):
            stack[row, :, :, : sized[i].shape[1]] = _network_input(sized[i])
        chances = networks.recogniser.run(None, {"x": stack})[0]
        for row, i in enumerate(batch):
            found[i] = _decode(chances[row][:, networks.columns], networks.alphabet)
    return found


def _line_input(image: Image) -> Image:
    height, width = image.shape[:2]
    size = (max(16, round(width * _HEIGHT / height)), _HEIGHT)
    return np.asarray(
        cv2.resize(image, size, interpolation=cv2.INTER_CUBIC if height < _HEIGHT else cv2.INTER_AREA), np.uint8
    )


def _decode(chances: NDArray[np.float32], alphabet: list[str]) -> tuple[str, float]:
    """Greedy decoding: repeated characters and blanks (column 0) drop out."""
    best = chances.argmax(axis=1)
    keep = (best != 0) & np.r_[True, best[1:] != best[:-1]]
    if not keep.any():
        return "", 0.0
    text = "".join(alphabet[i] for i in best[keep]).translate(_PLAIN).strip()
    return text, float(chances.max(axis=1)[keep].mean())
