"""Points of several series drawn beside each other, so that no error bar hides another: where they belong.

All series stand a constant distance to the left or the right of places that they share; the middle between the
outermost ones is the place that the author meant, if these middles are round numbers of the axis.

Not handled here: bars side by side (`tabulate`), series beside categories (their slot tells), jitter.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tools.candidates import axis_grids
from tools.types import Axis, Floats

FEWEST, MOST = 3, 60  # points of a series
FARTHEST = 0.3  # of the step between places
STEADY = 1.0  # px by which a distance may vary
SEEN = 1.2  # px: smaller distances are the reader's own
ROUND = 4.0  # nats of a grid whose numbers are round
ON = 1.2  # px from a round place


def undodged(alongs: Sequence[Floats], key: Axis | None) -> list[Floats] | None:
    """The places (px along the key axis) that the points of each series belong to; None where they stand as they are.

    `alongs`: for each series the increasing px of its points.
    """
    if key is None or key.scale != "linear" or len(alongs) < 2:
        return None
    if any(not FEWEST <= len(one) <= MOST for one in alongs):
        return None
    longest = max(alongs, key=len)
    step = float(np.diff(longest).min())
    offsets = []
    for one in alongs:
        away = one - longest[np.abs(one[:, None] - longest[None]).argmin(axis=1)]
        offset = float(np.median(away))
        if np.abs(away - offset).max() > STEADY or abs(offset) > FARTHEST * step:
            return None
        offsets.append(offset)
    if np.ptp(offsets) < SEEN:
        return None
    middle = (min(offsets) + max(offsets)) / 2
    places = _round_places(longest + middle, key)
    if places is None or len(set(places.tolist())) < len(places):
        return None
    return [places[np.abs(one[:, None] - longest[None]).argmin(axis=1)] for one in alongs]


def _round_places(found: Floats, key: Axis) -> Floats | None:
    """The places of the coarsest round grid of the axis on which all of these lie, None where they lie on none."""
    fits = []
    for grid in axis_grids(key, 0.0, float(found[0]) - 1, float(found[-1]) + 1):
        near = grid.places[np.abs(found[:, None] - grid.places[None]).argmin(axis=1)]
        spacing = float(np.median(np.diff(grid.places)))
        if grid.price <= ROUND and spacing > 8 * ON and np.abs(near - found).max() <= ON:
            fits.append((-spacing, grid.price, near))
    return min(fits, key=lambda fit: fit[:2])[2] if fits else None
