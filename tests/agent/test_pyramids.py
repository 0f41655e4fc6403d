"""Population pyramids: bars back to back beside ranges of ages, on an axis that prints sizes to both sides."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pytest

from agent import digitize
from tools.mirrored import is_mirrored
from tools.types import Anchor, Axis, Series


def test_a_pyramid_is_read_as_it_is_printed(tmp_path: Path) -> None:
    ages = [f"{k}-{k + 4}" for k in range(0, 60, 5)]
    men, women = np.linspace(5.2, 1.4, 12), np.linspace(4.6, 2.2, 12)
    figure, axes = plt.subplots(figsize=(6, 4.5), dpi=100)
    axes.barh(ages, -men, 0.9, color="#4682b4", label="Male")
    axes.barh(ages, women, 0.9, color="#cd5c5c", label="Female")
    axes.set(xlim=(-7, 7), xlabel="Population (%)", ylabel="Age")
    axes.xaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
    axes.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(tmp_path / "pyramid.png")
    plt.close(figure)
    (table,) = digitize(tmp_path / "pyramid.png").tables
    frame = table.to_frame()
    assert list(frame.iloc[:, 0]) == ages[::-1]
    assert frame["Male"].to_numpy(float) == pytest.approx(men[::-1], abs=0.05)
    assert frame["Female"].to_numpy(float) == pytest.approx(women[::-1], abs=0.05)


@pytest.mark.parametrize(("texts", "found"), [("4 2 0 2 4", True), ("-4 -2 0 2 4", False)])
def test_signs_that_are_printed_stay(texts: str, found: bool) -> None:
    anchors = tuple(Anchor(10.0 * k, -4.0 + 2 * k, text) for k, text in enumerate(texts.split()))
    axis = Axis("bottom", "linear", 0.2, -4.0, anchors)
    sides = [Series(name, (0, 0, 0), "bar", ()) for name in ("a", "b")]
    assert is_mirrored(axis, sides, [[-3.0, -2.0], [1.0, 0.0]]) is found
    assert not is_mirrored(axis, sides, [[-3.0, 2.0], [1.0, 1.0]])
