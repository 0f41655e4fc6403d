"""The two networks that see text: one shows where it is, the other reads upright lines.

Both come packaged in the rapidocr wheel; they run on one CPU thread and download nothing.

Not handled here: geometry (`text_places`, `text_lines`), what a figure's text means.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.types import Image

_HEIGHT = 48  # input height of the recogniser
_MARKS = "–—‘’“”†‡•…‰′″€™−×±≤≥≈∞∼∆√"
_PLAIN = str.maketrans({"−": "-", "–": "-", "—": "-", "‘": "'", "’": "'", "“": '"', "”": '"', "⁻": "-", "∆": "Δ"})


class _Networks(NamedTuple):
    detector: Any
    recogniser: Any
    alphabet: list[str]  # the characters we accept; the blank is first
    columns: NDArray[np.intp]  # their columns in the recogniser's output


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


def text_heat(pixels: Image) -> NDArray[np.float32]:
    """How much each pixel looks like the core of a text line: (H, W) float32 in [0, 1].

    pixels: (H, W, 3) uint8 RGB, both sides multiples of 32, letters best between 15 and 40 pixels high.
    """
    heat = _networks().detector.run(None, {"x": _network_input(pixels)[None]})[0]
    return np.asarray(heat[0, 0], dtype=np.float32)


def recognise(lines: Sequence[Image]) -> list[tuple[str, float]]:
    """Text and mean character probability of each line, an upright crop (h, w, 3) with a little paper around the ink.

    Dashes of all kinds become '-', curly quotes straight. On one thread a batch costs as much as its lines one by one,
    and padding them to one width would cost more.
    """
    networks = _networks()
    found = []
    for line in lines:
        chances = networks.recogniser.run(None, {"x": _network_input(_line_input(line))[None]})[0]
        found.append(_decode(chances[0][:, networks.columns], networks.alphabet))
    return found


def _network_input(pixels: Image) -> NDArray[np.float32]:
    """(3, H, W) float32 in [-1, 1]."""
    return np.ascontiguousarray(((pixels.astype(np.float32) - 127.5) / 127.5).transpose(2, 0, 1))


def _line_input(line: Image) -> Image:
    height, width = line.shape[:2]
    size = (max(16, round(width * _HEIGHT / height)), _HEIGHT)
    sampling = cv2.INTER_CUBIC if height < _HEIGHT else cv2.INTER_AREA
    return np.asarray(cv2.resize(line, size, interpolation=sampling), np.uint8)


def _decode(chances: NDArray[np.float32], alphabet: list[str]) -> tuple[str, float]:
    """Greedy decoding: repeated characters and blanks (column 0) drop out."""
    best = chances.argmax(axis=1)
    keep = (best != 0) & np.r_[True, best[1:] != best[:-1]]
    if not keep.any():
        return "", 0.0
    text = "".join(alphabet[i] for i in best[keep]).translate(_PLAIN).strip()
    return text, float(chances.max(axis=1)[keep].mean())
