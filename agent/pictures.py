"""Pictures for a model: PNG bytes at or under the size that its provider leaves alone.

Not handled here: which part of a figure is shown (`tools.looking`).
"""

from __future__ import annotations

import io

from agent.backend import Picture
from agent.limits import PictureLimit
from tools.looking import look
from tools.types import Figure, Image
from tools.view import View


def picture_of(pixels: Image) -> Picture:
    """(H, W, 3) uint8 RGB as it is."""
    from PIL import Image as Pillow

    out = io.BytesIO()
    Pillow.fromarray(pixels).save(out, "PNG", optimize=False)
    return Picture(out.getvalue(), int(pixels.shape[1]), int(pixels.shape[0]))


def whole_figure(figure: Figure, limit: PictureLimit) -> tuple[View, Picture]:
    """The figure, reduced where the provider would reduce it, and the picture of it."""
    view = look(figure, None, 0.0, 0.0, max(limit.fit(figure.width, figure.height)))
    assert isinstance(view, View)  # without a box nothing can be refused
    return view, picture_of(view.pixels)
