"""Looks at a figure: crops, zooms and turns that know the way home to figure pixels.

Every step makes a new view from the one before and composes its transform, so a place found in any view, however it
was made, maps back to the figure. Not handled here: drawing on a view, perspective.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.types import Box, Floats, Image, Unreadable

_MOST_PIXELS = 4e7  # a view larger than this helps nobody


@dataclass(frozen=True, eq=False)
class View:
    """A picture `pixels` (h, w, 3) and `home`, a (2, 3) affine map from its pixel centres (x, y) to the figure's."""

    pixels: Image
    home: Floats

    @property
    def width(self) -> int:
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        return int(self.pixels.shape[0])

    def to_figure(self, x: float, y: float) -> tuple[float, float]:
        """The figure pixel of a view pixel, both at sub-pixel precision."""
        at = self.home @ np.array([x, y, 1.0])
        return float(at[0]), float(at[1])

    def to_view(self, x: float, y: float) -> tuple[float, float]:
        """The view pixel of a figure pixel, the inverse of `to_figure`; it may lie outside the view."""
        at = np.linalg.solve(self.home[:, :2], np.array([x, y]) - self.home[:, 2])
        return float(at[0]), float(at[1])

    def crop(self, box: Box) -> View | Unreadable:
        """The part in `box` (pixels of this view, border pixels included), cut to what there is of it."""
        rows, columns = box.slices(self.height, self.width)
        if rows.stop <= rows.start or columns.stop <= columns.start:
            return Unreadable("the box lies outside the picture")
        step = _affine(1, 0, columns.start, 0, 1, rows.start)
        return View(np.ascontiguousarray(self.pixels[rows, columns]), _then(step, self.home))

    def zoom(self, factor: float) -> View | Unreadable:
        """Enlarged (or, below 1, reduced) by `factor`, to whole pixels: the map uses the sizes that came out."""
        if not (math.isfinite(factor) and factor > 0):
            return Unreadable(f"cannot zoom by {factor}")
        width, height = max(1, round(self.width * factor)), max(1, round(self.height * factor))
        if width * height > _MOST_PIXELS:
            return Unreadable(f"a view of {width} x {height} pixels is too large")
        how = cv2.INTER_CUBIC if factor > 1 else cv2.INTER_AREA
        pixels = np.asarray(cv2.resize(self.pixels, (width, height), interpolation=how), dtype=np.uint8)
        x, y = self.width / width, self.height / height
        # pixel edges scale about 0 and centres lie half a pixel after them
        return View(pixels, _then(_affine(x, 0, 0.5 * x - 0.5, 0, y, 0.5 * y - 0.5), self.home))

    def fit(self, longest: int) -> View | Unreadable:
        """Reduced so that no side is longer than `longest` pixels; never enlarged."""
        largest = max(self.width, self.height)
        return self if largest <= longest else self.zoom(longest / largest)

    def rotate(self, degrees: float) -> View | Unreadable:
        """Turned counter-clockwise; the corners that come in are white. Quarter turns move pixels without blur."""
        if not math.isfinite(degrees):
            return Unreadable(f"cannot turn by {degrees} degrees")
        if degrees % 90 == 0:
            return self._quarter_turns(int(degrees // 90) % 4)
        radians = math.radians(degrees)
        cos, sin = math.cos(radians), math.sin(radians)
        width = math.ceil(self.width * abs(cos) + self.height * abs(sin))
        height = math.ceil(self.width * abs(sin) + self.height * abs(cos))
        old, new = ((self.width - 1) / 2, (self.height - 1) / 2), ((width - 1) / 2, (height - 1) / 2)
        back = _affine(cos, -sin, old[0] - cos * new[0] + sin * new[1], sin, cos, old[1] - sin * new[0] - cos * new[1])
        turned = cv2.warpAffine(
            self.pixels, back, (width, height), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_CONSTANT, borderValue=(255, 255, 255),
        )  # fmt: skip
        return View(np.asarray(turned, dtype=np.uint8), _then(back, self.home))

    def _quarter_turns(self, count: int) -> View:
        """`count` turns of 90 degrees: a view pixel (x, y) comes from (width - 1 - y, x) for each of them."""
        home, width, height = self.home, self.width, self.height
        for _ in range(count):
            home = _then(_affine(0, -1, width - 1, 1, 0, 0), home)
            width, height = height, width
        return View(np.ascontiguousarray(np.rot90(self.pixels, count)), home)

    def describe(self) -> str:
        """Where the view lies, for a reader that sees only its picture."""
        x, y = self.to_figure(0, 0)
        scale = math.hypot(self.home[0, 0], self.home[1, 0])
        turned = math.degrees(math.atan2(self.home[1, 0], self.home[0, 0])) % 360
        text = f"{self.width} x {self.height} px; its pixel (0, 0) is figure pixel ({x:.2f}, {y:.2f})"
        text += f"; one of its pixels is {scale:.4g} figure pixels"
        return text if turned in (0.0, 360.0) else f"{text}; turned {turned:.4g} degrees counter-clockwise"


def whole(pixels: Image) -> View:
    """The view that is the figure itself."""
    return View(pixels, _affine(1, 0, 0, 0, 1, 0))


def _affine(a: float, b: float, c: float, d: float, e: float, f: float) -> Floats:
    return np.array([[a, b, c], [d, e, f]], dtype=np.float64)


def _then(first: Floats, second: Floats) -> NDArray[np.float64]:
    """The map that applies `first` and then `second`."""
    return np.hstack([second[:, :2] @ first[:, :2], (second[:, :2] @ first[:, 2:] + second[:, 2:])])
