"""Explaining a picture by copies of a template: the greedy choice among candidate places, compiled.

Not handled here: which places are candidates (`markers`).
"""

from __future__ import annotations

import heapq

import numpy as np
from numba import njit
from numpy.typing import NDArray

Plane = NDArray[np.float32]
Numbers = NDArray[np.int64]


@njit(cache=True)
def choose(
    left: Plane, rim: Plane, images: Plane, stamps: Plane, rows: Numbers, columns: Numbers, phase: Numbers, gain: Plane,
    least: float, opaque: bool,
) -> Numbers:  # fmt: skip
    """Places (n, 3: row, column, phase) in the order of the choice, at most 20000.

    Lazy greedy: a candidate is taken when its gain, computed anew, still beats all the others' old gains. `left` (h, w)
    is the ink to explain (changed in place), `rim` the weight of its pixels; both are padded by the template's reach,
    so that a window starts at its candidate's row and column. `images` (phases, s, s) are the templates, `stamps` what
    each takes away. A copy needs `least` new ink. `opaque`: a pixel is explained once; else once per layer of ink.
    """
    heap = [(-gain[i] - 1e-3, i) for i in range(len(rows))]
    heapq.heapify(heap)
    side = images.shape[1]
    found = [(rows[0], columns[0], phase[0])][:0]
    while len(heap) > 0 and len(found) < 20000:
        old, i = heapq.heappop(heap)
        r, c, k = rows[i], columns[i], phase[i]
        new, weighted = 0.0, 0.0
        for a in range(side):
            for b in range(side):
                part = min(left[r + a, c + b], 1.0) * images[k, a, b]
                new += part
                weighted += part * rim[r + a, c + b]
        if new <= least:
            continue
        if -weighted > old + 1e-3:
            heapq.heappush(heap, (-weighted, i))
            continue
        found.append((r, c, k))
        for a in range(side):
            for b in range(side):
                rest = max(left[r + a, c + b] - stamps[k, a, b], 0.0)
                left[r + a, c + b] = 0.0 if opaque and stamps[k, a, b] > 0.3 else rest
        if not opaque:
            heapq.heappush(heap, (-weighted, i))
    out = np.zeros((len(found), 3), np.int64)
    for j in range(len(found)):
        out[j, 0], out[j, 1], out[j, 2] = found[j]
    return out
