"""The truth never enters the agent: a figure is read while its truth raises at every touch."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NoReturn

import pytest

from evaluation.runner import predict
from evaluation.truth import Sample

FIGURE = Path(__file__).parent.parent / "figures" / "horizontal.png"


class Truth:
    """Raises when it is looked at, iterated, copied or sent to another process."""

    def _touched(self, *_: Any) -> NoReturn:
        raise AssertionError("the truth was touched")

    __getattr__ = __iter__ = __len__ = __getitem__ = __reduce_ex__ = __eq__ = __bool__ = __fspath__ = _touched  # type: ignore[assignment]
    __hash__ = None  # type: ignore[assignment]


def test_a_figure_is_read_while_its_truth_cannot_be_touched(tmp_path: Path) -> None:
    truth: Any = Truth()
    with pytest.raises(AssertionError):
        list(truth)
    folders = predict([Sample("horizontal", "bar", FIGURE, truth, truth)], "offline", tmp_path, 1, 120.0)
    assert "Sepsis" in (folders["horizontal"][0] / "panel_1.tsv").read_text()
