"""Specks of ink along the border of a plot: what a grid line leaves where it meets the frame, or the lowest of bars.

Not handled here: residues of the frame itself, specks away from the border.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from tools.rectangles import Bits, Floats32
from tools.rules import Rule

BORDER = 3  # px that count as the border
SPECK = 4  # px: the largest speck
STANDING = 3  # larger pieces of an ink on one border that make it one of bars, which may be as low as a pixel
NEAR = 2  # px from a rule to what it leaves on the frame


def without_border_specks(coverage: Floats32, rules: Sequence[Rule]) -> Floats32:
    """The coverage (k, h, w) of k inks, changed in place: specks that keep to the border are dropped.

    Flat ones stay, along a border on which larger pieces of their ink stand, where no rule meets the frame.
    """
    for layer in coverage:
        count, labels, stats, _ = cv2.connectedComponentsWithStats((layer > 0.05).astype(np.uint8), connectivity=8)
        x, y, width, height, area = stats.T
        sides = x + width <= BORDER, x >= layer.shape[1] - BORDER, y + height <= BORDER, y >= layer.shape[0] - BORDER
        kept = np.zeros(count, dtype=bool)
        for level, edge in ((True, y + height >= layer.shape[0] - 1), (False, x <= 1)):
            if int(np.sum(edge[1:] & (area[1:] > SPECK))) < STANDING:
                continue
            start, long, thick = (x, width, height) if level else (y, height, width)
            kept |= edge & (long >= 2) & (thick == 1) & ~_at_rules(start, start + long, rules, level)
        specks = np.any(sides, axis=0) & (area <= SPECK) & ~kept
        specks[0] = False
        layer[specks[labels]] = 0
    return coverage


def _at_rules(starts: np.ndarray, ends: np.ndarray, rules: Sequence[Rule], level: bool) -> Bits:
    """Which stretches of a border (level: of the lower one) a rule across it meets."""
    met = np.zeros(len(starts), dtype=bool)
    for rule in rules:
        if rule.horizontal != level:
            met |= (starts <= rule.last + NEAR) & (ends > rule.first - NEAR)
    return met
